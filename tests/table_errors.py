#!/usr/bin/env python3
"""What is wrong in an instruction table is named with file, line and row, and never taken for something else.

usage: table_errors.py ROOT"""
import os
import sys
import tempfile

ISA = os.path.join(sys.argv[1], "isa")
sys.path[:0] = [ISA, os.path.join(ISA, "rules")]
import expand  # noqa: E402
import tables  # noqa: E402

# A line, and what the message must say.
WRONG = {
    "v_new_u32 vop3 1251:3f1 / u32 = u32 / clmap": '"clmap" is neither a word',
    "family odd clmap 1251:vop3": '"clmap" is neither a word',
    "v_new_u32 vop7 1251:3f1 / u32 = u32": 'no family is called "vop7"',
    "v_new_u32 vop3 1251:vop7.3 / u32 = u32": 'no family is called "vop7"',
    "v_new_u32 vop3 / u32 = u32": "has no opcode",
    "v_new_u32 vop3 1301:3 / u32 = u32": 'no generation is called "1301"',
    "v_new_u32 vop3 1251:xy / u32 = u32": "neither GENERATION:OPCODE nor GENERATION=NAME",
    "v_new_u32 vop3 1251:3 / u32 = u32..": "is no operand",
    "v_add3_u32 vop3 1251:3f1 / u32 = u32 u32 u32": "a row of that name stands in",
    "amend v_nothing 1251:1": 'no row is called "v_nothing"',
    "v_new_u32 vop3 1251:255 / u32 = u32 u32 u32": "has the opcode of v_add3_u32",
    "v_new_u32 vop3 1251:3f1 / q32 = u32": "know no 'q32'",
    "v_new_u32 sop2 1251:5e / u32 = z.u32 u32": "know no 'z'",
    "v_new_u32 smrd_only 1251:1 / u32 = u32\nfamily smrd_only 6:smrd": "has no encoding smrd",
}


def message(path):
    try:
        made = tables.Tables(ISA, [path])
        expand.forms_of(made, made.generations.index("1251"))
    except tables.Wrong as wrong:
        return str(wrong)
    return "nothing was found wrong"


def main():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "wrong.isa")
        for line, expected in WRONG.items():
            with open(path, "w", encoding="utf-8") as out:
                out.write("# the first line\n" + line + "\n")
            told = message(path)
            if not told.startswith(path + ":2: ") or expected not in told:
                failures.append(f"{line}\n  {told}")
    print("\n".join(failures) or f"{len(WRONG)} wrong tables, each with its message")
    return 1 if failures else 0


sys.exit(main())
