#!/usr/bin/env python3
"""Runs the commands of a document, in their order and in one empty folder, and compares what they print with what the
document says. 77: a compiler that it names is not installed.

usage: document.py --offgrid BUILD/offgrid DOCUMENT.md

A block whose first line begins with "$ " is commands; another is a file, where the text before it ends in "`NAME`:", or
in more words without a name before the colon. What stands below a command is what it prints; a line that ends in "..." is compared up to there.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

NAME = re.compile(r"`([\w.-]+)`[^`]*:\s*$")


def blocks(path):
    """Each block's lines, with the name of the file that it is, or None."""
    name, lines = None, None
    before = ""
    for line in open(path, encoding="utf-8").read().split("\n"):
        if not line.startswith("```"):
            if lines is None:
                before = line if line.strip() else before
            else:
                lines.append(line)
            continue
        if lines is None:
            found = NAME.search(before)
            name, lines = found and found.group(1), []
        else:
            yield None if lines and lines[0].startswith("$ ") else name, lines
            lines, before = None, ""


def commands(lines):
    """Each command with the lines that it prints."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def same(printed, expected):
    return len(printed) == len(expected) and all(
        line.startswith(want[:-3].rstrip()) if want.endswith("...") else line == want for line, want in zip(printed, expected))


def missing(document):
    text = open(document, encoding="utf-8").read()
    words = set(re.findall(r"^\$ (?:\w+=\S+ )*([\w.-]+)", text, re.MULTILINE)) - {"offgrid"}
    return sorted(word for word in words if not shutil.which(word))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("document")
    options = parser.parse_args()
    absent = missing(options.document)
    if absent:
        print("not installed:", ", ".join(absent))
        return 77
    environment = dict(os.environ, PATH=os.path.dirname(os.path.abspath(options.offgrid)) + os.pathsep + os.environ["PATH"])
    count = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in blocks(options.document):
            if name:
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write("\n".join(lines) + "\n")
                continue
            for command, expected in commands(lines):
                ran = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)
                count += 1
                if ran.returncode == 0 and same(ran.stdout.splitlines(), expected):
                    continue
                wrong += 1
                print(f"$ {command}\nexit code {ran.returncode}\nprinted\n{ran.stdout}{ran.stderr}\nexpected\n" + "\n".join(expected))
    print(f"{count} commands of {options.document}, {wrong} went otherwise than it says")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
