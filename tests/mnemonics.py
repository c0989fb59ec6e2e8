#!/usr/bin/env python3
"""Facts of an instruction stand in its row (isa/*.isa, struct og_form), not in its name: counts the lines of src/ that
compare a mnemonic, or the text of a form, with a string. What reads or prints text is left out, with the reason; how many
others each folder has stands below and may only become fewer.

usage: mnemonics.py ROOT
"""
import collections
import os
import re
import sys

ROOT = sys.argv[1]

# Lines that compare mnemonics, by folder; a folder that is not here has none.
KNOWN = {}

# What reads text: (file, function) -> why it compares names.
READERS = {
    ("src/exec/coverage.c", "reason"): "finds the text that says why an instruction is not executed",
    ("src/isa/text/vopd.c", "og_begins_pair"): "finds the first half that is written",
    ("src/isa/text/wording/unknown.c", "suggest"): "suggests names like the one that is written",
}
# vISA's instructions have another table; the folder's names are checked there.
ELSEWHERE = ("src/visa",)

COMPARES = re.compile(r"\b(?:strn?(?:case)?cmp|memcmp|str(?:case)?str|str[pr]?chr|str(?:c?spn|pbrk)|og_has_prefix|"
                      r"og_text_(?:is|skip)\w*)\s*\(")
NAMES = re.compile(r"\bog_(?:form|row)_name\s*\(|\bog_program\s*\(|\bmnemonic\b(?!\.size)|\bitem->row->name\b")
# Variables that hold a name: `const char *name = og_form_name(form);`.
HOLDS = re.compile(r"\b(\w+)(?:\[\w*\])?\s*=[^=;]*\bog_(?:form|row)_name\s*\(|\b(\w+)\s*=[^=;]*\bog_program\s*\(\w+[^)]*\)\s*[,;]")
FUNCTION = re.compile(r"^[A-Za-z_][\w\s\*]*?\b(\w+)\(")


def comparisons(path):
    """(line, function) of every comparison of a name in a file."""
    function, held = "", set()
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        begins = FUNCTION.match(line)
        if begins:
            # The executor hands names on.
            function, held = begins[1], {"name", "rest"} if path.split("src/")[-1].startswith("exec/") else set()
        held |= {a or b for a, b in HOLDS.findall(line)}
        for call in COMPARES.finditer(line):
            rest = line[call.end():]
            if NAMES.search(rest) or any(re.match(r"[^;]*\b%s\b" % re.escape(name), rest) for name in held):
                yield number, function
                break


def main():
    found, failures, used = collections.defaultdict(list), [], set()
    for folder, _, names in os.walk(os.path.join(ROOT, "src")):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if not name.endswith((".c", ".h")) or path.startswith(ELSEWHERE):
                continue
            for number, function in comparisons(os.path.join(ROOT, path)):
                if (path, function) in READERS:
                    used.add((path, function))
                else:
                    found["/".join(path.split("/")[:2])].append(f"{path}:{number}: {function} compares a mnemonic")
    for path, function in sorted(set(READERS) - used):
        failures.append(f"{path}: {function} compares no mnemonic: take it out of READERS")
    for folder in sorted(set(found) | set(KNOWN)):
        count, most = len(found[folder]), KNOWN.get(folder, 0)
        if count > most:
            failures += found[folder] + [f"{folder}: {count} lines compare mnemonics, {most} were known: give the row a word "
                                         "instead (isa/words.isa, docs/isa-tables.md)"]
        elif count < most:
            failures.append(f"{folder}: {count} lines compare mnemonics, {most} were known: make KNOWN so many")
    print("\n".join(failures) or "mnemonics are compared by what reads text alone, and as often as was known elsewhere")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
