#!/usr/bin/env python3
"""The table of docs/intrinsics.md against what src/cc knows: the lines of intrinsics.def, operations.def, lanes.def,
matrix.def, buffer.def, async.def, wave.def, state.def and library*.def, and the names that select_*.c, buffer.c, fat.c,
async.c, expand.c, expand_control.c, fold.c and scalarize.c ask for.

usage: intrinsics.py ROOT [--write]"""
import glob
import os
import re
import sys

ROOT = sys.argv[1]
PAGE = os.path.join(ROOT, "docs/intrinsics.md")
HEAD = """# Intrinsics

What `offgrid cc` and `offgrid llc` compile. `*` stands for the types of an overload, and of matrices for the rest of the name.
Every other intrinsic is one error that names it and its place. Where a processor lacks the instruction, the error says so.
`python3 tests/intrinsics.py . --write` makes this table from `src/cc`, and `ctest -R cc_intrinsics` holds it against that.

| intrinsic | what it becomes |
|---|---|
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def table():
    """{name: what it becomes}"""
    out = {}
    for name, row in re.findall(r'^SIMPLE\("([^"]+)",.*?(\w+)\)$', read("src/cc/intrinsics.def"), re.M):
        out[name] = ", ".join(filter(None, [out.get(name), f"`{row.lower()}`"]))
    for name, _ in re.findall(r'^MATRIX\("([^"]+)",\s*"(\w+)"\)$', read("src/cc/matrix.def"), re.M):
        out[f"llvm.amdgcn.{name}*"] = f"`v_{name.replace('.', '_')}*`"
    for file in ("library.def", "library_arithmetic.def"):
        for name in re.findall(r'^BODY\("((?!llvm\.offgrid)[^"]+)"', read("src/cc/" + file), re.M):
            out[re.sub(r"\$\w(\.\$\w|\.i32)*", "*", name)] = f"LLVM IR of `{file}`"
    for name, row, _ in re.findall(r'^OPERATION\("([^"]+)",\s*(\w+),\s*"([^"]+)"\)$', read("src/cc/operations.def"), re.M):
        stem = "llvm.amdgcn." + re.sub(r"\.$", ".*", name)
        what = f"v_{re.sub(r'_$', '_*', name.replace('.', '_'))}" if row == "NAMED" else row.lower()
        out[stem] = ", ".join(filter(None, [out.get(stem), f"`{what}`"]))
    for name in re.findall(r'^WAVE_REDUCE\("(\w+)"', read("src/cc/library.def"), re.M):
        out[f"llvm.amdgcn.wave.reduce.{name}.*"] = "LLVM IR of `library.def`"
    for name, row in re.findall(r'^LANES\("([^"]+)",\s*(\w+),', read("src/cc/lanes.def"), re.M):
        out[re.sub(r"\.$", ".*", name)] = f"`{row.lower()}`"
    for name in re.findall(r'og_text_skip\(&rest, "(llvm\.[\w.]+)\."\)', read("src/cc/constrained.c")):
        out[name + ".*"] = "by `constrained.c`"
    for name, row in re.findall(r'^WAVE\("([^"]+)",\s*(\w+),', read("src/cc/wave.def"), re.M):
        name = re.sub(r"\.$", ".*", name)
        out[name] = ", ".join(dict.fromkeys(filter(None, [out.get(name), f"`{row.lower()}`"])))
    for name in re.findall(r'^FIELD\("([^"]+)"', read("src/cc/wave.def"), re.M):
        out[name] = "a part of a TTMP register"
    for name in re.findall(r'^STATE\("([^"]+)"', read("src/cc/state.def"), re.M):
        out[re.sub(r"\.$", ".*", name)] = "by `select_state.c`"
    for name, leads in re.findall(r'^TO_LDS\("([^"]+)",\s*(\w+),', read("src/cc/async.def"), re.M):
        row = "`global_load_lds_dword` or `global_load_dword …" if leads == "POINTER" else "`buffer_load_dword …"
        out[f"llvm.amdgcn.{name}"] = row + " lds`, of other sizes too"
    for name, row in re.findall(r'^ASYNC\("([^"]+)",\s*(\w+),', read("src/cc/async.def"), re.M):
        out[f"llvm.amdgcn.{name}"] = f"`{row.lower()}`"
    buffers = {}
    for name, row in re.findall(r'^BUFFER\("([^"]+)",.*?(\w+)\)$', read("src/cc/buffer.def"), re.M):
        buffers.setdefault(name, []).append(f"`{row.lower()}`")
    for name, rows in buffers.items():
        for form in ("raw", "raw.ptr", "struct", "struct.ptr"):
            out[f"llvm.amdgcn.{form}.{name}.*"] = rows[0] + (" and the like" if len(rows) > 1 else "")
    asked = {}
    for path in sorted(glob.glob("src/cc/select_*.c", root_dir=ROOT)) + ["src/cc/async.c", "src/cc/buffer.c", "src/cc/fat.c", "src/cc/expand.c", "src/cc/expand_control.c", "src/cc/fold.c", "src/cc/scalarize.c"]:
        pattern = r'"(llvm\.[\w.]*\w{3,}\.?|llvm\.[\w.]+\.[xyz])"'
        for name in re.findall(pattern, read(path)):
            if "scalarize" not in path or name.startswith("llvm.vector.reduce"):
                asked.setdefault(name, os.path.basename(path))
    for name, file in asked.items():
        stem = name.rstrip(".")
        if any(other.startswith(stem + ".") and other != name for other in asked) or name == "llvm.amdgcn.":
            continue  # a part of names that stand in full elsewhere
        out.setdefault(stem + (".*" if name.endswith(".") else ""), f"by `{file}`")
    return "".join(f"| `{name}` | {what} |\n" for name, what in sorted(out.items()))


def main():
    wanted = HEAD + table()
    if "--write" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(wanted)
        return 0
    with open(PAGE, encoding="utf-8") as file:
        told = file.read()
    missing = set(wanted.splitlines()) ^ set(told.splitlines())
    for line in sorted(missing):
        print(("not told: " if line in wanted else "told, but not so: ") + line)
    return 1 if missing or wanted != told else 0


if __name__ == "__main__":
    sys.exit(main())
