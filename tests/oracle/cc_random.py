#!/usr/bin/env python3
"""Random LLVM IR (random_ir.py) compiled by `offgrid cc` and by llc-22, both run on offgrid: the results must be equal. Where
they are not, llc's other -O levels are asked: what they do not agree on is counted apart, if one of them says what we do.

usage: cc_random.py --offgrid BUILD/offgrid [--processor gfx900] [--programs 40] [--seed 1] [--keep FOLDER]"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

from random_ir import LANES, WORDS, Program, rounded, text_of

LEVELS = "1023"  # llc's -O levels, in the order in which they are asked


def run(offgrid, path, kernel, folder, rng):
    data = os.path.join(folder, "data")
    with open(data, "wb") as file:
        file.write(bytes(rng.getrandbits(8) if rng.random() < 0.7 else 0 for _ in range(4 * LANES * WORDS)))
    done = subprocess.run([offgrid, "run", path, "--kernel", kernel, "--grid", str(LANES), "--group", str(LANES), "--timeout", "20",
                           "--arg", f"inout:{data}", "--arg", "i32:7", "--arg", "i64:-123456789012", "--arg", "f32:1.5"],
                          capture_output=True, text=True, errors="replace", check=False)
    with open(data, "rb") as file:
        return (None, file.read()) if done.returncode == 0 else ((done.stderr or done.stdout)[:300], b"")


def llc(options, base, level, code):
    """None, or what is wrong; llc's code in the file `code`."""
    done = subprocess.run(["llc-22", "-O" + level, "-mcpu=" + options.processor, "-filetype=obj", base + ".llc.ll", "-o", base + ".o"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return "llc-22: " + done.stderr[:300]
    subprocess.run(["ld.lld-22", "-shared", base + ".o", "-o", code], check=True)
    return None


def compile_programs(options, base, programs):
    """None, or what is wrong; our code in base.cc."""
    # llc compiles without the limits: with few SGPRs it writes over the kernarg pointer's (gfx90a).
    for name, registers in ((base + ".ll", options.registers), (base + ".llc.ll", 0)):
        text = text_of([Program(random.Random(f"{options.seed} {n}"), registers, options.calls, n,
                                options.processor[:-2] not in ("gfx6", "gfx7"), options.processor[:-2] not in ("gfx6", "gfx7") and not options.registers) for n in programs])
        if name.endswith(".llc.ll"):
            old = options.processor[:-2] in ("gfx6", "gfx7")
            packs = options.processor.startswith("gfx125")
            for kind in ("bfloat", "<2 x bfloat>", "half", "<2 x half>")[packs:4 if old else 1 if packs else 2]:
                text = rounded(text, kind)
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    error = llc(options, base, LEVELS[programs[0] // options.together % len(LEVELS)], base + ".llc")
    if error:
        return error
    ours = subprocess.run([options.offgrid, "cc", "-mcpu=" + options.processor, base + ".ll", "-o", base + ".cc"],
                          capture_output=True, text=True, errors="replace", check=False)
    if ours.returncode:
        return (ours.stderr or f"exit {ours.returncode}")[:400]
    lint = subprocess.run([options.offgrid, "lint", "--waits", base + ".cc"], capture_output=True, text=True, check=False)
    return "lint: " + (lint.stdout + lint.stderr)[:300] if lint.returncode else None


def compare(options, base, number, folder, code):
    """None, or what is wrong with this program of a file, as llc's `code` does it."""
    error, reference = run(options.offgrid, code, f"k{number}", folder, random.Random(number))
    if error:
        return "llc's code: " + error
    error, mine = run(options.offgrid, base + ".cc", f"k{number}", folder, random.Random(number))
    if error:
        return "our code: " + error
    for i in range(0, len(mine), 4):
        if mine[i:i + 4] != reference[i:i + 4]:
            return f"lane {i // 4 // WORDS} word {i // 4 % WORDS}: {mine[i:i + 4][::-1].hex()}, by llc's code {reference[i:i + 4][::-1].hex()}"
    return None


def is_disputed(options, base, number, folder):
    """Whether llc's code of another level does what ours does."""
    other = base + ".other"
    return any(llc(options, base, level, other) is None and compare(options, base, number, folder, other) is None for level in LEVELS)


def check(options, programs, folder):
    """(number, its file, what is wrong) of programs that stand in one file; where it does not compile, of each by itself."""
    base = os.path.join(folder, f"p{programs[0]}" + (f"-{programs[-1]}" if len(programs) > 1 else ""))
    error = compile_programs(options, base, programs)
    if error and len(programs) > 1:
        for number in programs:
            yield from check(options, [number], folder)
        return
    for number in programs:
        wrong = error or compare(options, base, number, folder, base + ".llc")
        if wrong:
            yield number, base, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--together", type=int, default=10, help="programs in a file (default: %(default)s)")
    parser.add_argument("--registers", type=int, default=0, help="so many at most, so that our code spills")
    parser.add_argument("--calls", action="store_true", help="functions: called directly, by pointers, by themselves")
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-22", "ld.lld-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    failed = disputed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        numbers = list(range(options.first, options.first + options.programs))
        for first in range(0, len(numbers), options.together):
            for number, base, error in check(options, numbers[first:first + options.together], folder):
                known = error.startswith("lane") and is_disputed(options, base, number, folder)
                failed, disputed = failed + (not known), disputed + known
                print(f"program {number} of seed {options.seed}: {error}{' (llc disagrees with itself)' if known else ''}", flush=True)
    same = options.programs - failed - disputed
    print(f"{same} of {options.programs} programs on {options.processor} do what llc-22's code does" +
          (f", {disputed} what that of some levels does" if disputed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
