#!/usr/bin/env python3
"""Every file that a comment in src/ or isa/, or a document, names exists: names that a move left behind mislead.

usage: file_names.py ROOT
"""
import os
import re
import subprocess
import sys

ROOT = sys.argv[1]
ELSEWHERE = {"isa_tables.c", "rows.h", "hsa.h", "hsa_ven_amd_loader.h"}  # generated, or the system's
NAME = re.compile(r"(?<![\w/.*-])(?:[a-z0-9_]+/)*([a-z][a-z0-9_]+\.(?:c|h|def|py|isa|sem))\b")


def texts(path, text):
    """What people read in a file: all of a document, the comments of code."""
    if path.endswith(".md"):
        return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    if path.endswith((".c", ".h", ".def")):
        return "\n".join(re.findall(r"/\*.*?\*/", text, re.S))
    return "\n".join(re.findall(r"#[^\n]*", text))


def main():
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True)
    files = tracked.stdout.split() if tracked.returncode == 0 else [
        os.path.relpath(os.path.join(folder, name), ROOT) for folder, _, names in os.walk(ROOT) for name in names]
    known = {os.path.basename(path) for path in files} | ELSEWHERE
    failures = []
    for path in files:
        # The table of other people's programs names what their sources ask for, the lines for compilers their own files.
        if path in ("docs/programs.md", "docs/compilers.md") or not path.startswith(("src/", "isa/", "docs/")) or not path.endswith((".c", ".h", ".def", ".py", ".isa", ".md")):
            continue
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = texts(path, file.read())
        # Names in quotes or capitals are examples of what input says.
        failures += [f"{path}: names {name}, which does not exist" for name in NAME.findall(text)
                     if name not in known and not re.search(r'["\']' + re.escape(name), text)]
    print("\n".join(failures) or "every file named exists")
    return 1 if failures else 0


sys.exit(main())
