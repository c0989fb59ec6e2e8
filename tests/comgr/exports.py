#!/usr/bin/env python3
"""The cache before libamd_comgr.so.2 exports the names of src/comgr/exports.map, each with its version, and all that the real
library exports, where that is installed.

usage: exports.py SOURCE_ROOT LIBRARY
"""
import os
import re
import subprocess
import sys

REAL = "/usr/lib/x86_64-linux-gnu/libamd_comgr.so.2"


def exported(library):
    """Names with their versions; the version's own symbol is none."""
    out = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in out.splitlines() if "@@" in line}


def main():
    root, library = sys.argv[1:]
    text = open(os.path.join(root, "src/comgr/exports.map"), encoding="utf-8").read()
    listed = {f"{name}@@{version}" for version, names in re.findall(r"^(\S+) \{(.*?)^\}", text, re.M | re.S)
              for name in re.findall(r"^    (\w+);$", names, re.M)}
    wrong = [f"{name}: in the map, not in the library" for name in sorted(listed - exported(library))]
    wrong += [f"{name}: in the library, not in the map" for name in sorted(exported(library) - listed)]
    if os.path.exists(REAL):
        wrong += [f"{name}: {REAL} has it, the map has not" for name in sorted(exported(REAL) - listed)]
    soname = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    if "[libamd_comgr.so.2]" not in soname:
        wrong.append("the soname is not libamd_comgr.so.2")
    if not listed:
        wrong.append("no names in the map")
    sys.exit("\n".join(wrong) or 0)


main()
