#!/usr/bin/env python3
"""Code of more than 128 KiB, which a branch does not reach over: a switch of 12,000 cases that lanes take differently, and a
loop of 40,000 instructions, which some lanes leave in its middle. And 3,500 values that all lanes share, live at once, for which
neither scalar registers nor lanes of vector registers suffice. Compiled by `offgrid cc`, run, and held against what they
compute.

usage: cc_far.py --offgrid BUILD/offgrid"""
import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile

LANES, CASES, STEPS, ROUNDS, VALUES, SHARED = 64, 12000, 40000, 3, 3500, 77
PROCESSORS = ("gfx900", "gfx1010", "gfx1200")
MASK = 0xffffffff


def module():
    lines = ['target triple = "amdgcn-amd-amdhsa"', "declare i32 @llvm.amdgcn.workitem.id.x()"]
    start = ["  %id = call i32 @llvm.amdgcn.workitem.id.x()", "  %at = getelementptr i32, ptr addrspace(1) %p, i32 %id",
             "  %v = load i32, ptr addrspace(1) %at"]
    end = ["  store i32 %z, ptr addrspace(1) %at", "  ret void", "}"]
    lines += ["define amdgpu_kernel void @cases(ptr addrspace(1) %p) {", "entry:", *start, "  switch i32 %v, label %j ["]
    lines += [f"    i32 {3 * k}, label %c{k}" for k in range(CASES)] + ["  ]"]
    for k in range(CASES):
        lines += [f"c{k}:", f"  %x{k} = mul i32 %id, {2 * k + 7}", "  br label %j"]
    lines += ["j:", "  %z = phi i32 [ 1, %entry ], " + ", ".join(f"[ %x{k}, %c{k} ]" for k in range(CASES)), *end]
    lines += ["define amdgpu_kernel void @round(ptr addrspace(1) %p) {", "entry:", *start, "  br label %loop", "loop:",
              "  %i = phi i32 [ 0, %entry ], [ %next, %rest ]", "  %s = phi i32 [ %v, %entry ], [ %e, %rest ]"]
    last = "%s"
    for k in range(STEPS):
        if k == STEPS // 2:
            lines += [f"  %half = and i32 {last}, 3", "  %leaves = icmp eq i32 %half, 0",
                      "  br i1 %leaves, label %out, label %rest", "rest:"]
        name = "%h" if k == STEPS // 2 - 1 else "%e" if k == STEPS - 1 else f"%s{k}"
        lines.append(f"  {name} = {('add', 'xor')[k % 2]} i32 {last}, {'%id' if k % 5 else '%i'}" if k % 3 else
                     f"  {name} = mul i32 {last}, {2 * (k % 1000) + 65}")
        last = name
    lines += ["  %next = add i32 %i, 1", f"  %more = icmp ult i32 %next, {ROUNDS}", "  br i1 %more, label %loop, label %out",
              "out:", "  %z = phi i32 [ %h, %loop ], [ %e, %rest ]", *end]
    lines += ["define amdgpu_kernel void @shared(ptr addrspace(1) %p, i32 %m) {", "entry:", *start]
    lines += [f"  %a{k} = add i32 %m, {3 * k}" for k in range(VALUES)]
    last, before = "%v", "entry"
    for k in range(VALUES):
        name = "%z" if k == VALUES - 1 else f"%z{k}"
        lines += [f"  %c{k} = icmp ugt i32 {last}, {k * 999983 & MASK >> 1}", f"  br i1 %c{k}, label %t{k}, label %j{k}", f"t{k}:",
                  f"  %x{k} = xor i32 {last}, %a{k}", f"  br label %j{k}", f"j{k}:",
                  f"  {name} = phi i32 [ {last}, %{before} ], [ %x{k}, %t{k} ]"]
        last, before = name, f"j{k}"
    return "\n".join(lines + end) + "\n"


def shared(value):
    for k in range(VALUES):
        value ^= SHARED + 3 * k if value > k * 999983 & MASK >> 1 else 0
    return value


def cases(number, value):
    return number * (2 * (value // 3) + 7) & MASK if value % 3 == 0 and value // 3 < CASES else 1


def looped(number, value):
    for i in range(ROUNDS):
        for k in range(STEPS):
            if k == STEPS // 2 and value & 3 == 0:
                return value
            by = number if k % 5 else i
            value = (value * (2 * (k % 1000) + 65) if k % 3 == 0 else value ^ by if k % 2 else value + by) & MASK
    return value


def parted(offgrid, path):
    """How many of the instructions that an s_delay_alu counts up to the one it names are branches."""
    text = subprocess.run([offgrid, "dis", path], capture_output=True, text=True, check=True).stdout
    left = found = 0
    for name, rest in re.findall(r"^\s+([sv]_\w+|global_\w+|buffer_\w+)\b(.*)", text, re.M):
        found += left > 0 and name.startswith("s_branch")
        left -= left > 0
        skip = re.search(r"instskip\((?:SKIP_(\d)|NEXT)\)", rest)
        left = 2 + int(skip[1] or 0) if skip else 1 if name == "s_delay_alu" else left
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    options = parser.parse_args()
    failed = 0
    inputs = [k * 7919 % (4 * CASES) + (k % 8 == 7) * 0x71234567 for k in range(LANES)]
    wanted = {"cases": [cases(k, value) for k, value in enumerate(inputs)],
              "round": [looped(k, value) for k, value in enumerate(inputs)],
              "shared": [shared(value) for value in inputs]}
    with tempfile.TemporaryDirectory() as folder:
        source, made, data = (os.path.join(folder, name) for name in ("k.ll", "k.co", "data"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(module())
        for processor in PROCESSORS:
            subprocess.run([options.offgrid, "cc", f"-mcpu={processor}", source, "-o", made], check=True)
            if branches := parted(options.offgrid, made):
                print(f"FAIL {processor}: {branches} branches stand between s_delay_alu and what it names")
                failed += 1
            for kernel, results in wanted.items():
                with open(data, "wb") as file:
                    file.write(struct.pack(f"<{LANES}I", *inputs))
                subprocess.run([options.offgrid, "run", made, "--kernel", kernel, "--grid", str(LANES), "--group", str(LANES),
                                "--arg", f"inout:{data}", *(["--arg", f"i32:{SHARED}"] if kernel == "shared" else [])], check=True)
                with open(data, "rb") as file:
                    found = list(struct.unpack(f"<{LANES}I", file.read()))
                if found != results:
                    print(f"FAIL {processor} {kernel}: {found[:8]} and not {results[:8]}")
                    failed += 1
    print(f"{len(PROCESSORS) * len(wanted) - failed} of {len(PROCESSORS) * len(wanted)} kernels of that size run right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
