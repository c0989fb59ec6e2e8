#!/usr/bin/env python3
"""What the ABI says of functions, held by values: random programs of a theme are compiled by `offgrid cc` and by llc-22, both
run, and must leave the same in memory; where llc-22's code is no measure, the same IR runs on the host, lane by lane.

usage: cc_abi.py --offgrid BUILD/offgrid [--processors gfx900,...] [--themes stack,...] [--programs 4] [--seed 1] [--registers 12]
       [--keep FOLDER]"""
import argparse
import ctypes
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import abi_calls
import abi_stack
import abi_wide

LANES = 128
UNIFORM = 5
WORDS = 8  # that each lane reads and writes
THEMES = {"stack": abi_stack, "wide": abi_wide, "calls": abi_calls}
HEAD = """target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
"""


def module(theme, numbers, options, processor):
    if theme == "calls":
        return abi_calls.module(numbers, options.seed, processor)
    kernels, shared, seed = [], set(), options.seed
    few = f' "amdgpu-num-vgpr"="{options.registers}" "amdgpu-num-sgpr"="{2 * options.registers + 30}"' if options.registers else ""
    for number in numbers:
        rng = random.Random(f"{theme} {seed} {number}")
        body, needs = THEMES[theme].program(rng, number, processor)
        shared |= set(needs)
        kernels.append(f"define amdgpu_kernel void @k{number}(ptr addrspace(1) %data, i32 %n) #0 {{\nentry:\n"
                       "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n"
                       f"  %mine = getelementptr [{WORDS} x i32], ptr addrspace(1) %data, i32 %id\n{body}  ret void\n}}\n")
    return HEAD + "\n".join(sorted(shared)) + "\n" + "\n".join(kernels) + f'attributes #0 = {{ "amdgpu-flat-work-group-size"="1,{LANES}"{few} }}\n'


def called(command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return (done.stderr or done.stdout or f"exit {done.returncode}")[:400] if done.returncode else None


def for_host(text):
    """One lane of it: the host has one address space, and calls the kernel with each lane's number in @lane."""
    text = re.sub(r",? addrspace\(\d\)", "", text.split("\n", 1)[1]).replace(".p5(", ".p0(").replace("amdgpu_kernel ", "")
    text = text.replace("declare i32 @llvm.amdgcn.workitem.id.x()", "@lane = global i32 0")
    return re.sub(r' #0|attributes .*', "", text.replace("call i32 @llvm.amdgcn.workitem.id.x()", "load i32, ptr @lane"))


def compile_all(options, theme, processor, base, text):
    """None, or what is wrong; our code in base.cc, the other in base.other."""
    with open(base + ".ll", "w", encoding="utf-8") as file:
        file.write(text)
    if THEMES[theme].ON_HOST:
        with open(base + ".host.ll", "w", encoding="utf-8") as file:
            file.write(for_host(text))
        error = called(["clang-22", "-w", "-O1", "-shared", "-fPIC", base + ".host.ll", "-o", base + ".other"])
    else:
        # Before gfx9 llc-22 does not pass functions what they find their apertures by.
        reference = "gfx900" if theme == "calls" and processor[:-2] in ("gfx7", "gfx8") else processor
        error = (called(["llc-22", "-O1", "-mcpu=" + reference, "-filetype=obj", base + ".ll", "-o", base + ".o"]) or
                 called(["ld.lld-22", "-shared", base + ".o", "-o", base + ".other"]))
    return (error or called([options.offgrid, "cc", "-mcpu=" + processor, base + ".ll", "-o", base + ".cc"]) or
            called([options.offgrid, "lint", "--waits", base + ".cc"]))


def inputs(number):
    rng = random.Random(number)
    words = [rng.choice([rng.getrandbits(32), rng.getrandbits(8), 0xffffffff, 0]) for _ in range(LANES * WORDS)]
    return b"".join(word.to_bytes(4, "little") for word in words)


def run(options, code, number):
    data = code + ".data"
    with open(data, "wb") as file:
        file.write(inputs(number))
    error = called([options.offgrid, "run", code, "--kernel", f"k{number}", "--grid", str(LANES), "--group", str(LANES), "--timeout", "20",
                    "--arg", f"inout:{data}", "--arg", f"i32:{UNIFORM}"])
    with open(data, "rb") as file:
        return error, file.read()


def run_on_host(code, number):
    library, data = ctypes.CDLL(code), ctypes.create_string_buffer(inputs(number))
    for lane in range(LANES):
        ctypes.c_int.in_dll(library, "lane").value = lane
        getattr(library, f"k{number}")(data, UNIFORM)
    return None, data.raw[:-1]


def compare(options, theme, base, number):
    other = base + ".other"
    error, reference = run_on_host(other, number) if THEMES[theme].ON_HOST else run(options, other, number)
    if error:
        return "llc's code: " + error
    error, mine = run(options, base + ".cc", number)
    if error:
        return error
    for at in range(0, len(mine), 4):
        if mine[at:at + 4] != reference[at:at + 4]:
            return (f"lane {at // 4 // WORDS} word {at // 4 % WORDS}: {mine[at:at + 4][::-1].hex()}, "
                    f"by the other code {reference[at:at + 4][::-1].hex()}")
    return None


def check(options, theme, processor, folder, numbers):
    """What is wrong with programs, each with its number. What llc-22 ends in a signal of is left out, by itself."""
    base = os.path.join(folder, f"{theme}-{processor}")
    error = compile_all(options, theme, processor, base, module(theme, numbers, options, processor))
    if error and "PLEASE submit a bug report" in error:
        half = len(numbers) // 2
        if not half:
            print(f"{theme} on {processor}: llc-22 crashes of program {numbers[0]}")
            return []
        return [wrong for part in (numbers[:half], numbers[half:]) for wrong in check(options, theme, processor, folder, part)]
    if error:
        return [error]
    return [f"program {number}: {wrong}" for number in numbers if (wrong := compare(options, theme, base, number))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default="gfx803,gfx900,gfx942,gfx1100")
    parser.add_argument("--themes", default=",".join(THEMES))
    parser.add_argument("--programs", type=int, default=4)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--registers", type=int, default=0, help="so few that our code spills")
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-22", "ld.lld-22", "clang-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for theme in options.themes.split(","):
            for processor in options.processors.split(","):
                if theme == "calls" and processor.startswith("gfx6"):  # clang's code has flat addresses
                    continue
                wrong = check(options, theme, processor, folder, range(options.programs))
                failed += len(wrong)
                print(f"{theme} on {processor}: {'the same values' if not wrong else ''}", *wrong, sep="\n  " if wrong else "", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
