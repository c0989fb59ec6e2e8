"""Compile times: whole processes from LLVM IR to a linked code object, beside llc-22 -O2 and ld.lld-22; and the time for
each instruction of functions that grow (shapes.py)."""
import glob
import math
import os
import resource
import statistics
import subprocess

import run as programs
import shapes
import toolchain

HERE = os.path.dirname(os.path.abspath(__file__))
PROCESSORS = ("gfx900", "gfx1100")
SIZES = (1000, 10000, 100000)


def seconds(*commands):
    """Of the processor, of one run of the commands one after the other; None: one of them fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for command in commands:
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
            return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows(offgrid, folder, repeat=15):
    """(name, bytes of IR, seconds of ours, of llc's and lld's): medians, both sides in turns."""
    for processor in PROCESSORS:
        for source in sorted(glob.glob(os.path.join(HERE, "*.cl")) +
                             glob.glob(os.path.join(HERE, "../tests/programs/opencl/*.cl"))):
            base = os.path.join(folder, f"{os.path.basename(source)}.{processor}")
            fine, messages = toolchain.compile_opencl(source, base + ".ll", 2, processor,
                                                      programs.FLOAT_OPTIONS + ["-S", "-emit-llvm"])
            if not fine:
                raise SystemExit(messages)
            mine = [offgrid, "cc", "-O2", f"-mcpu={processor}", base + ".ll", "-o", base + ".hsaco"]
            llvm = (["llc-22", "-O2", "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-filetype=obj", base + ".ll", "-o",
                     base + ".o"], ["ld.lld-22", "-shared", base + ".o", "-o", base + ".llvm.hsaco"])
            pairs = [(seconds(mine), seconds(*llvm)) for _ in range(repeat)]
            yield (f"{os.path.basename(source)}, {processor}", os.path.getsize(base + ".ll"),
                   *(statistics.median(times) for times in zip(*pairs)))


def table(offgrid, folder):
    lines = ["| from LLVM IR to a linked code object | bytes of IR | offgrid cc | llc -O2 and lld | times faster |",
             "|---|---|---|---|---|"]
    ratios = []
    for name, size, mine, llvm in rows(offgrid, folder):
        lines.append(f"| {name} | {size} | {mine * 1e3:.1f} ms | {llvm * 1e3:.1f} ms | {llvm / mine:.1f} |")
        ratios.append(llvm / mine)
    lines.append(f"| geometric mean | | | | {math.exp(sum(map(math.log, ratios)) / len(ratios)):.1f} |")
    lines += ["", "| time for each instruction of a function of | " + " | ".join(f"{size}" for size in SIZES) + " |",
              "|---" * (1 + len(SIZES)) + "|"]
    path = os.path.join(folder, "shape.ll")
    for shape, make in shapes.SHAPES.items():
        cells = []
        for size in SIZES:
            with open(path, "w", encoding="utf-8") as file:
                file.write(shapes.text(shape, size))
            each = [seconds([offgrid, "cc", "-mcpu=gfx900", path, "-o", path + ".co"]) for _ in range(3)]
            cells.append("refused" if None in each else f"{statistics.median(each) / size * 1e6:.2f} µs")
        lines.append(f"| {shape}: {make.__doc__.splitlines()[0].rstrip('.')} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
