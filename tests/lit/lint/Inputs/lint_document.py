"""docs/lint.md has the rows that `lint --list` tells, no other. usage: lint_document.py OFFGRID DOCUMENT"""
import re
import subprocess
import sys


def main(offgrid, document):
    told = subprocess.run([offgrid, "lint", "--list"], capture_output=True, text=True, check=True).stdout
    rows = []
    for rule in re.split(r"\n(?=OG)", told.strip()):
        head, meaning, advice = (line.strip() for line in rule.split("\n"))
        code, severity = re.fullmatch(r"(OG\d+) \((\w+)\)", head).groups()
        rows.append(f"| {code} | {severity} | {meaning} | {advice} |")
    with open(document, encoding="utf-8") as file:
        written = [line for line in file.read().splitlines() if line.startswith("| OG")]
    for row in sorted(set(rows) ^ set(written)):
        print("only the command tells:" if row in rows else "only the document tells:", row)
    return 0 if rows == written else 1


sys.exit(main(*sys.argv[1:]))
