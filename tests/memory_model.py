#!/usr/bin/env python3
"""docs/memory-model.md is what `offgrid litmus --tables` prints: every row of the memory model tables tried on the weak
memory, and the classic shapes on every kind of processor. The command fails, too, where something has no reason.

usage: memory_model.py ROOT OFFGRID [TITLE...]   with titles, those sections only; --write brings the document up to date,
--emulator PROGRAM runs the command in it
"""
import difflib
import os
import re
import subprocess
import sys

write = "--write" in sys.argv
words = [a for a in sys.argv[1:] if a != "--write"]
emulator = []
if "--emulator" in words:
    at = words.index("--emulator")
    emulator = words[at + 1].split(";")
    del words[at:at + 2]
root, offgrid, *titles = words
path = os.path.join(root, "docs/memory-model.md")


def sections(text):
    """{title: text} of the generated part."""
    parts = re.split(r"^## (.*)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def printed(title):
    run = subprocess.run([*emulator, offgrid, "litmus", f"--tables={title}" if title else "--tables"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"offgrid litmus --tables={title}: {run.stderr}")
    return run.stdout


document = open(path, encoding="utf-8").read()
head = document[:document.index("\n## User guide")]
failures = []
for title in titles or [""]:
    now, then = printed(title), document[len(head):]
    if not title:
        if write:
            open(path, "w", encoding="utf-8").write(head + now)
            document = head + now
            then = now
        if now != then:
            failures += difflib.unified_diff(then.splitlines(), now.splitlines(), "docs/memory-model.md", "now", lineterm="", n=0)
        continue
    for name, text in sections(now).items():
        old = sections(then).get(name, "")
        if text.strip() != old.strip():
            failures += difflib.unified_diff(old.splitlines(), text.splitlines(), "docs/memory-model.md", "now", lineterm="", n=0)
if failures:
    print("\n".join(failures[:60]))
    sys.exit("docs/memory-model.md is not what the tables say now; tests/memory_model.py ROOT OFFGRID --write")
