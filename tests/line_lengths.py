#!/usr/bin/env python3
"""Lines of C have at most 120 columns, but for those that a string makes longer, and those of macros.

usage: line_lengths.py ROOT
"""
import os
import sys

ROOT, MOST = sys.argv[1], 120


def main():
    long = []
    for top in ("src", "include", "examples", "tests"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                if not name.endswith((".c", ".h")):
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    for number, line in enumerate(file, 1):
                        line = line.rstrip("\n")
                        if len(line) > MOST and '"' not in line and not line.endswith("\\"):
                            long.append(f"{os.path.relpath(path, ROOT)}:{number}: {len(line)} columns")
    print("\n".join(long) or "no line is too long")
    return 1 if long else 0


sys.exit(main())
