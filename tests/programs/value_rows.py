#!/usr/bin/env python3
"""Which rows of the instruction tables no test of values runs, processor by processor, against the list of those that have a
reason (without_values.txt). Fails where a row has neither, and where a line of the list stands for nothing any more.

Tests of values append what they compared to the file that OFFGRID_VALUE_ROWS names: test_values "processor row mnemonic
yes|no" for all that executes, the programs "processor mnemonic"."""
import argparse
import collections
import fnmatch
import os
import re
import subprocess
import sys

RECORD = "OFFGRID_VALUE_ROWS"
SUFFIXES = re.compile(r"_(e32|e64|sdwa|dpp|dpp8|e64_dpp|e64_dpp8)$")


def compared(processor, text):
    """Notes an instruction, or lines of them, whose results were right."""
    path = os.environ.get(RECORD)
    if not path:
        return
    with open(path, "a", encoding="utf-8") as file:
        for mnemonic in re.findall(r"^\s*([a-z]\w+)", text, re.MULTILINE):
            file.write(f"{processor} {SUFFIXES.sub('', mnemonic)}\n")


def compared_kernel(offgrid, processor, code, kernel, pattern):
    """Notes the instructions of a compiled kernel that its test is about."""
    if not os.environ.get(RECORD):
        return
    text = subprocess.run([offgrid, "dis", code], capture_output=True, text=True, check=False).stdout
    body = re.search(rf"^{re.escape(kernel)}:\n(.*?)(?=^\s*\.globl|\Z)", text, re.MULTILINE | re.DOTALL)
    compared(processor, "\n".join(re.findall(pattern, body[1], re.MULTILINE)) if body else "")


def read_records(folder):
    """{processor: {row: tested}}."""
    rows, mnemonics, of_programs = collections.defaultdict(dict), collections.defaultdict(set), set()
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for line in file:
                processor, *rest = line.split()
                if len(rest) == 1:
                    of_programs.add((processor, rest[0]))
                    continue
                row, mnemonic, said = rest
                rows[processor][row] = rows[processor].get(row, False) or said == "yes"
                mnemonics[processor, mnemonic].add(row)
    for processor, mnemonic in of_programs:
        for row in mnemonics.get((processor, mnemonic), ()):
            rows[processor][row] = True
    return rows


def read_list(path):
    """[(patterns of rows, processors or None, line)]; the reason stands behind two spaces."""
    out = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                names, reason = line.split("  ", 1)
                assert reason.strip(), f"{line}: no reason"
                patterns, _, processors = names.partition(" on ")
                out.append((patterns.split(), processors.split() or None, line))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", help="not needed")
    parser.add_argument("--records", required=True, help="the folder of what tests recorded")
    parser.add_argument("--list", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "without_values.txt"))
    parser.add_argument("--all", action="store_true", help="print each row without a test, listed or not")
    options = parser.parse_args()
    rows, listed, used, bad = read_records(options.records), read_list(options.list), set(), collections.defaultdict(list)
    if not rows:
        print("no test has recorded anything")
        return 77
    for processor in sorted(rows, key=lambda name: (len(name), name)):
        without = sorted(row for row, tested in rows[processor].items() if not tested)
        for row in without:
            fits = [line for patterns, processors, line in listed if (not processors or processor in processors)
                    and any(fnmatch.fnmatchcase(row, pattern) for pattern in patterns)]
            used.update(fits[:1])
            if not fits or options.all:
                bad[row].append(processor)
        print(f"{processor}: {len(rows[processor])} rows execute, {len(without)} of them without a test of values")
    for row, processors in sorted(bad.items()):
        print(f"no test of values: {row} on {' '.join(processors)}")
    stale = [line for _, _, line in listed if line not in used]
    for line in stale:
        print(f"stands for nothing: {line}")
    return 1 if (bad and not options.all) or stale else 0


if __name__ == "__main__":
    sys.exit(main())
