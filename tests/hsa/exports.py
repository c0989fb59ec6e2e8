#!/usr/bin/env python3
"""The HSA library exports exactly the names of src/hsa/exports.map, each with its version; the map is what the real
library exports, where that is installed, and what src/hsa/vmem.h declares. A test in C names each of them.

usage: exports.py SOURCE_ROOT LIBRARY
"""
import glob
import os
import re
import subprocess
import sys

REAL = "/usr/lib/x86_64-linux-gnu/libhsa-runtime64.so.1"


def exported(library):
    """Names with their versions; the version's own symbol is none."""
    out = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in out.splitlines() if "@@" in line}


def main():
    root, library = sys.argv[1:]
    text = open(os.path.join(root, "src/hsa/exports.map"), encoding="utf-8").read()
    listed = {name + "@@ROCR_1" for name in re.findall(r"^    (\w+);$", text, re.M)}
    wrong = [f"{name}: in the map, not in the library" for name in sorted(listed - exported(library))]
    wrong += [f"{name}: in the library, not in the map" for name in sorted(exported(library) - listed)]
    header = open(os.path.join(root, "src/hsa/vmem.h"), encoding="utf-8").read()
    later = {name + "@@ROCR_1" for name in re.findall(r"^hsa_status_t (\w+)\(", header, re.M)}
    wrong += [f"{name}: declared, but not in the map" for name in sorted(later - listed)]
    if os.path.exists(REAL):
        differ = (listed - later) ^ (exported(REAL) - later)
        wrong += [f"{name}: the map and {REAL} disagree" for name in sorted(differ)]
    tests = "".join(open(path, encoding="utf-8").read() for path in glob.glob(os.path.join(root, "tests/hsa/*.[ch]")))
    tested = set(re.findall(r"\w+", tests))
    wrong += [f"{name}: no test names it" for name in sorted(listed) if name.removesuffix("@@ROCR_1") not in tested]
    soname = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    if "[libhsa-runtime64.so.1]" not in soname:
        wrong.append("the soname is not libhsa-runtime64.so.1")
    if not listed:
        wrong.append("no names in the map")
    sys.exit("\n".join(wrong) or 0)


main()
