#!/usr/bin/env python3
"""What verbs print as JSON is what docs/*.schema.json says: lint (AMD, with and without findings, and vISA), check, targets,
run's statistics, a campaign's merged results.

usage: json_outputs.py BUILD/offgrid
"""
import json
import os
import subprocess
import sys
import tempfile

from json_schema import faults

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = os.path.join(ROOT, "examples/hello_world.s")
VISA = 'version 4.1\n.kernel "k"\n.decl V32 v_type=G type=d num_elts=8 align=GRF\nmov (M1, 8) V33(0,0)<1> 0x1:d\nret (M1, 1)\n'


def check(what, schema, command, codes):
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    with open(os.path.join(ROOT, "docs", schema), encoding="utf-8") as file:
        expected = json.load(file)
    if ran.returncode not in codes:
        return [f"{what}: exit code {ran.returncode}\n{ran.stderr}"]
    try:
        value = json.loads(ran.stdout)
    except ValueError as error:
        return [f"{what}: {error}\n{ran.stdout[:400]}"]
    if 1 in codes and not value.get("findings", True):
        return [f"{what}: nothing found"]
    return [f"{what}: {fault}" for fault in faults(value, expected)]


def main(offgrid):
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        with open(SOURCE, encoding="utf-8") as file:
            good = file.read()
        # One kernel that is fine, and one whose wait is gone.
        for name, text in (("good", good), ("bad", good.replace("s_waitcnt lgkmcnt(0)", "s_nop 0"))):
            with open(path(name + ".s"), "w", encoding="utf-8") as file:
                file.write(text)
            subprocess.run([offgrid, "as", "-g", path(name + ".s"), "-o", path(name + ".o")], check=True)
            subprocess.run([offgrid, "ld", path(name + ".o"), "-o", path(name + ".co")], check=True)
        with open(path("k.visaasm"), "w", encoding="utf-8") as file:
            file.write(VISA)
        run = ["--grid", "64", "--group", "64", "--arg", "buf:64"]
        wrong = check("lint of a good file", "lint.schema.json", [offgrid, "lint", "--waits", "--json", path("good.co")], [0])
        wrong += check("lint of a bad file", "lint.schema.json", [offgrid, "lint", "--waits", "--json", path("bad.co")], [1])
        wrong += check("lint of vISA", "lint.schema.json", [offgrid, "lint", "--json", path("k.visaasm")], [1])
        wrong += check("check of a good kernel", "check.schema.json", [offgrid, "check", "--json", path("good.co"), *run], [0])
        wrong += check("check of a bad kernel", "check.schema.json", [offgrid, "check", "--json", path("bad.co"), *run], [1])
        wrong += check("check of a shrunk schedule", "check.schema.json",
                       [offgrid, "check", "--json", path("bad.co"), *run, "--memory=weak:1", "--memory-shrink=waits"], [1])
        wrong += check("targets", "targets.schema.json", [offgrid, "targets", "--json"], [0])
        wrong += check("statistics", "statistics.schema.json", [offgrid, "run", "--stats=json", path("good.co"), *run], [0])
        with open(path("list"), "w", encoding="utf-8") as file:
            file.write(f"lint --json {path('good.co')}\nhelp lint\nnonesuch\n")
        subprocess.run([offgrid, "campaign", "-o", path("results"), path("list")], stderr=subprocess.DEVNULL, check=False)
        wrong += check("a campaign", "campaign.schema.json", [offgrid, "campaign", "--merge", path("results")], [1])
    print("\n".join(wrong) or "9 outputs are as their schemas say")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
