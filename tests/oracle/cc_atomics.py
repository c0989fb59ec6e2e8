#!/usr/bin/env python3
"""Atomic operations of every kind, type and address space, compiled by `offgrid cc` and llc-22 and run: the same memory and the
same results. On floats both take the same instruction, or both a loop, by what the IR says of the memory; but by flat
addresses, of which llc-22 first asks where they lead for some.

usage: cc_atomics.py --offgrid BUILD/offgrid [--processors gfx900,gfx942]"""
import argparse
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

LANES = 64
FLOATS = {"float": 4, "double": 8, "half": 2, "bfloat": 2, "<2 x half>": 4, "<2 x bfloat>": 4}
INTEGERS = {"i8": 1, "i16": 2, "i32": 4, "i64": 8}
FLOAT_OPERATIONS = ["fadd", "fsub", "fmin", "fmax"]
INTEGER_OPERATIONS = ["xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "uinc_wrap", "udec_wrap",
                      "usub_cond", "usub_sat"]
SAYS = {
    "nothing": "",
    "local": ", !amdgpu.no.fine.grained.memory !0",
    "flushes": ", !amdgpu.no.fine.grained.memory !0, !amdgpu.ignore.denormal.mode !0",
}
HEAD = """target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
@lds = internal addrspace(3) global [1024 x i8] poison, align 8
!0 = !{}
"""
# Its own element for each lane, whose old value is a result, and one for all.
BODY = """define amdgpu_kernel void @"{name}"(ptr addrspace(1) %data, ptr addrspace(1) %by, ptr addrspace(1) %out) {{
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr {type}, ptr addrspace(1) %by, i32 %lane
  %v = load {type}, ptr addrspace(1) %from
  %home = getelementptr {type}, ptr addrspace(1) %data, i32 %lane
  %own = {own}
  {fill}
  %r = atomicrmw {operation} ptr addrspace({space}) %own, {type} %v {scope}monotonic{says}
  %to = getelementptr {type}, ptr addrspace(1) %out, i32 %lane
  store {type} %r, ptr addrspace(1) %to
  {back}
  ret void
}}
"""
FLAT = ("addrspacecast ptr addrspace(1) %home to ptr", "", "")
GLOBAL = ("getelementptr i8, ptr addrspace(1) %home, i32 0", "", "")
LDS = ("getelementptr {type}, ptr addrspace(3) @lds, i32 %lane",
       "%old = load {type}, ptr addrspace(1) %home\n  store {type} %old, ptr addrspace(3) %own",
       "%new = load {type}, ptr addrspace(3) %own\n  store {type} %new, ptr addrspace(1) %home")
SPACES = {0: FLAT, 1: GLOBAL, 3: LDS}


def is_old(processor):
    """LLVM does not disassemble these, and its code for their halves and pairs is not used by anybody."""
    return processor[:-2] in ("gfx6", "gfx7")


def kernels(processor):
    """(name, type, IR) of each."""
    old = is_old(processor)
    types = [(t, o) for t in FLOATS for o in FLOAT_OPERATIONS] + [(t, o) for t in INTEGERS for o in INTEGER_OPERATIONS]
    for kind, operation in types:
        if old and kind not in ("float", "double") and kind not in INTEGERS:
            continue
        if operation.startswith("usub") and len(processor) > 6 and processor > "gfx1020":
            continue  # llc-22 selects no instruction
        if "bfloat" in kind and operation in ("fmin", "fmax"):
            continue
        for space, (own, fill, back) in SPACES.items():
            if processor[:-2] == "gfx6" and space == 0:
                continue
            for says, metadata in SAYS.items():
                for scope in ("", 'syncscope("agent") '):
                    if (kind in INTEGERS or space == 3) and (says != "nothing" or scope):
                        continue
                    if processor[:-2] == "gfx7" and kind == "double" and says != "nothing" and operation in ("fmin", "fmax"):
                        continue  # llc-22 ends in a signal
                    plain = re.sub(r"[<> ]", "", kind)
                    name = f"{operation}-{plain}-{space}-{says}-{'agent' if scope else 'system'}"
                    yield name, kind, BODY.format(name=name, type=kind, own=own.format(type=kind), fill=fill.format(type=kind),
                                                  back=back.format(type=kind), operation=operation, space=space, scope=scope,
                                                  says=metadata)


def instructions(path):
    """By kernel: the atomic instructions but compare-and-swaps."""
    text = subprocess.run(["llvm-objdump-22", "-d", path], capture_output=True, text=True, check=True).stdout
    found, name = {}, None
    for line in text.splitlines():
        begins = re.match(r"[0-9a-f]+ <(.*)>:", line)
        if begins:
            name = begins[1]
            found[name] = set()
        operation = re.match(r"\s+((?:ds|flat|global|buffer)_\S+)", line)
        if operation and name and re.search("atomic|^ds_(?!read|write|load|store)", operation[1]) and not re.search(
                "cmp", operation[1]):
            found[name].add(operation[1])
    return found


def values(kind, rng):
    """Bytes of an array: for floats small numbers, the borders between them, zeros and infinities."""
    if kind in INTEGERS:
        return bytes(rng.choice((0, 255, rng.getrandbits(8))) for _ in range(INTEGERS[kind] * LANES))
    numbers = [rng.choice((0.0, -0.0, 1.5, -2.25, float("inf"), 1e-5, rng.uniform(-100, 100))) for _ in range(LANES * 2)]
    if kind in ("float", "double"):
        return struct.pack(f"<{LANES}{kind[0]}", *numbers[:LANES])
    halves = [struct.pack("<e", n) if "half" == kind[-4:] or "half>" in kind else struct.pack("<f", n)[2:] for n in numbers]
    return b"".join(halves[:LANES * FLOATS[kind] // 2])


def run(options, code, name, kind, folder):
    rng, files = random.Random(name), []
    for part in ("data", "by", "out"):
        files.append(os.path.join(folder, part))
        with open(files[-1], "wb") as file:
            file.write(values(kind, rng))
    done = subprocess.run([options.offgrid, "run", code, "--kernel", name, "--grid", str(LANES), "--group", str(LANES), "--arg",
                           f"inout:{files[0]}", "--arg", f"in:{files[1]}", "--arg", f"inout:{files[2]}"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr or done.stdout)[:200]
    return [open(path, "rb").read() for path in (files[0], files[2])]


def check(options, processor, folder):
    path, theirs, mine = (os.path.join(folder, processor + end) for end in (".ll", ".llc", ".cc"))
    made = list(kernels(processor))
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(ir for _, _, ir in made))
    subprocess.run(["llc-22", "-mcpu=" + processor, "-filetype=obj", path, "-o", theirs + ".o"], check=True)
    subprocess.run(["ld.lld-22", "-shared", theirs + ".o", "-o", theirs], check=True)
    done = subprocess.run([options.offgrid, "cc", "-mcpu=" + processor, path, "-o", mine], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{processor}: {done.stderr[:400]}")
        return 1, 0
    wrong, taken = 0, None if is_old(processor) else (instructions(mine), instructions(theirs))
    for name, kind, _ in made:
        ours, reference = (run(options, code, name, kind, folder) for code in (mine, theirs))
        if ours != reference:
            wrong += 1
            print(f"{processor}: {name}: {str(ours)[:300]}\n  by llc's code {str(reference)[:300]}")
        elif taken and kind in FLOATS and "-0-" not in name and taken[0][name] != taken[1][name]:
            wrong += 1
            print(f"{processor}: {name}: {' '.join(taken[0][name]) or 'a loop'}, by llc {' '.join(taken[1][name]) or 'a loop'}")
    return wrong, len(made)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default="gfx900,gfx942")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-22", "ld.lld-22", "llvm-objdump-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for processor in options.processors.split(","):
            wrong, count = check(options, processor, folder)
            failed += wrong
            print(f"{processor}: {count - wrong} of {count} kernels do what llc-22's do")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
