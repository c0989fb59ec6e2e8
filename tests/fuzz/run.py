#!/usr/bin/env python3
"""Runs every fuzz target in turn. usage: run.py --build DIR [--seconds N] [NAME...]"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--build", required=True)
parser.add_argument("--seconds", type=int, default=300)
parser.add_argument("names", nargs="*")
options = parser.parse_args()

here = os.path.dirname(os.path.abspath(__file__))
targets = sorted(p for p in glob.glob(os.path.join(options.build, "**", "fuzz_*"), recursive=True)
                 if os.path.isfile(p) and os.access(p, os.X_OK))
unknown = set(options.names) - {os.path.basename(t) for t in targets}
if unknown or not targets:
    sys.exit(f"no such fuzz target in {options.build}: {' '.join(sorted(unknown)) or 'none is built'}")
targets = [t for t in targets if not options.names or os.path.basename(t) in options.names]


def lit_programs():
    """(name, text) of the programs of tests/lit/cc."""
    for path in sorted(filter(os.path.isfile, glob.glob(os.path.join(here, "../lit/cc/*")))):
        with open(path, encoding="utf-8") as file:
            parts = re.split(r"^#--- .*\n", file.read(), flags=re.M)
        for number, program in enumerate(part for part in parts if "\ndefine " in part):
            yield f"{os.path.basename(path)}.{number}", program


def make_text(folder):
    """Seeds of fuzz_cc: programs behind a byte that chooses the processor."""
    os.makedirs(folder, exist_ok=True)
    for number, (name, program) in enumerate(lit_programs()):
        for processor in (number, number + 5):
            with open(f"{folder}/{name}.{processor % 10}", "w", encoding="utf-8") as file:
                file.write("2345678901"[processor % 10] + program)  # the digit whose code leaves that number
    return folder


def make_bitcode(folder):
    """Seeds of fuzz_bitcode: programs as old and new LLVM write them."""
    os.makedirs(folder, exist_ok=True)
    for name, program in lit_programs():
        for version in ("15", "22"):
            if shutil.which("llvm-as-" + version):
                subprocess.run(["llvm-as-" + version, "-", "-o", f"{folder}/{name}.{version}"], input=program, text=True,
                               stderr=subprocess.DEVNULL, check=False)
    return folder


OTHER = {"fuzz_mlir": "../lit/xegpu", "fuzz_mlir_run": "../lit/xegpu"}  # seeds that are there already
# Seeds that a script writes to the folder named last.
MADE = {"fuzz_mlir_run": ["../programs/xegpu.py", "--offgrid", "", "--targets", "", "--keep"]}
failed = []
for target in targets:
    name = os.path.basename(target)
    print(f"{name}: {options.seconds} s", flush=True)
    work = os.path.join(options.build, "fuzz", name)
    os.makedirs(work, exist_ok=True)
    seeds = [d for d in [os.path.join(here, OTHER.get(name, "corpus/" + name))] if os.path.isdir(d)]
    if name == "fuzz_bitcode":
        seeds.append(make_bitcode(os.path.join(options.build, "fuzz", "bitcode_seeds")))
    if name == "fuzz_cc":
        seeds.append(make_text(os.path.join(options.build, "fuzz", "cc_seeds")))
    if name in MADE:
        seeds.append(os.path.join(options.build, "fuzz", f"{name}_seeds"))
        os.makedirs(seeds[-1], exist_ok=True)
        subprocess.run([sys.executable, os.path.join(here, MADE[name][0]), *MADE[name][1:], seeds[-1]], stdout=subprocess.DEVNULL, check=False)
    command = [target, f"-max_total_time={options.seconds}", "-print_final_stats=1", "-timeout=20",
               "-rss_limit_mb=4096",
               f"-artifact_prefix={work}/", work, *seeds]
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    for line in result.stderr.splitlines():
        if line.startswith(("stat::number_of_executed_units", "stat::peak_rss_mb")):
            print("  " + line)
    if result.returncode:
        print(result.stderr[-4000:])
        failed.append(name)
print(f"{len(targets) - len(failed)} passed, {len(failed)} failed")
sys.exit(bool(failed or not targets))
