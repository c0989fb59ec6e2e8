#!/usr/bin/env python3
"""The layers of src/, as docs/design.md tells them: each folder includes what stands beside it in that table, and nothing
else; no folder stands on one that comes later, so there is no circle. What is a circle inside of one folder is listed
here, with the reason, and may only become smaller.

usage: layers.py ROOT
"""
import collections
import os
import re
import sys

ROOT = sys.argv[1]

# Headers through which the files of a folder all know each other: how many files may reach one. May only become fewer, but
# where a file is parted by duty.
KNOWN_CIRCLES = {
    # One struct, og_asm, is reader, expression evaluator, symbol table, layout and listing in one.
    "asm/internal.h": 25,
}


def read_layers():
    """{folder: folders that it may include}, in the table's order."""
    text = open(os.path.join(ROOT, "docs/design.md"), encoding="utf-8").read()
    block = re.search(r"^```layers\n(.*?)^```", text, re.M | re.S)[1]
    layers = {}
    for line in block.splitlines():
        folder, _, below = line.partition(":")
        unknown = [b for b in below.split() if b not in layers]
        if unknown:
            sys.exit(f"docs/design.md: '{folder}' stands on {', '.join(unknown)}, which must stand above it")
        layers[folder] = set(below.split())
    return layers


def includes():
    """(file, line, included path) of every quoted include."""
    for folder, _, names in os.walk(os.path.join(ROOT, "src")):
        for name in sorted(names):
            if not name.endswith((".c", ".h", ".def", ".inc")):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    found = re.match(r'\s*#\s*include "([^"]+)"', line)
                    if found and found[1] != "offgrid.h":
                        yield os.path.relpath(path, os.path.join(ROOT, "src")), number, found[1]


def layer_of(layers, path):
    """The longest folder of the table that the path is in."""
    folder = os.path.dirname(path)
    while folder and folder not in layers:
        folder = os.path.dirname(folder)
    return folder


def stands_for(allowed, folder):
    """A folder's name stands for those in it, too."""
    return folder == allowed or folder.startswith(allowed + "/")


def check_folders(layers):
    failures, used = [], collections.defaultdict(set)
    for path, number, target in includes():
        mine, other = layer_of(layers, path), layer_of(layers, target)
        if not mine or not other:
            failures.append(f"src/{path}:{number}: '{target if mine else path}' is in no folder of the table")
        elif mine != other:
            used[mine].add(other)
            if not any(stands_for(allowed, other) for allowed in layers[mine]):
                failures.append(f"src/{path}:{number}: {mine} must not include '{target}': it stands on "
                                f"{' '.join(sorted(layers[mine])) or 'nothing'} (docs/design.md)")
    for folder, below in layers.items():
        failures += [f"docs/design.md: {folder} does not include {unused}: take it out of the table"
                     for unused in sorted(below) if not any(stands_for(unused, other) for other in used[folder])]
    return failures


def check_circles():
    users = collections.defaultdict(set)
    for path, _, target in includes():
        users[target].add(path)
    failures = []
    for header, most in KNOWN_CIRCLES.items():
        reached, new = set(), {header}
        while new:
            reached |= new
            new = {user for one in new for user in users[one]} - reached
        files = sorted(path for path in reached if path.endswith(".c"))
        if not files:
            failures.append(f"KNOWN_CIRCLES: nothing includes {header} any more: take it out")
        if len(files) > most:
            failures.append(f"{len(files)} files include {header}, where {most} may: {' '.join(files)}")
    return failures


failures = check_folders(read_layers()) + check_circles()
print("\n".join(failures) or "every include goes down")
sys.exit(bool(failures))
