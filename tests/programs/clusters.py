#!/usr/bin/env python3
"""Runs kernels for clusters of work-groups (clusters/clusters.hip, by clang-22 for gfx1250 and gfx1251) and holds them
against what they must compute: in order, on two host threads, in a random order.

usage: clusters.py --offgrid BUILD/offgrid [--processor gfx1250]"""
import argparse
import os
import struct
import subprocess
import sys
import tempfile

import toolchain

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clusters", "clusters.hip")
WORD = 0xffffffff
WAYS = [[], ["--threads", "2"], ["--schedule=random:3"], ["--schedule=random:7", "--threads", "2"]]


def places(groups, cluster):
    """What each work-group of a grid finds, x fastest."""
    found, (nx, ny, nz) = [], cluster
    for z in range(groups[2]):
        for y in range(groups[1]):
            for x in range(groups[0]):
                at = (x % nx, y % ny, z % nz)
                found += [x, y, z, x // nx, y // ny, z // nz, *at, at[0] + nx * (at[1] + ny * at[2]),
                          nx - 1, ny - 1, nz - 1, nx * ny * nz - 1, 0, 0]
    return found


def ring(groups, size, cluster, steps):
    values = [7 * i + 1 for i in range(groups * size)]
    for _ in range(steps):
        values = [(3 * values[(g // cluster * cluster + (g % cluster + 1) % cluster) * size + i] + values[g * size + i]) & WORD
                  for g in range(groups) for i in range(size)]
    return values


def tile(groups, given):
    return [(given[128 * (g // 4) + 127 - i] + 1000 * given[128 * (g // 4) + i]) & WORD
            for g in range(groups) for i in range(32)]


def tensor(groups, given):
    return [given[16 * (g // 2) + 16 * (i // 8) + i % 8] for g in range(groups) for i in range(32)]


INPUT = [(i * i * 2654435761 >> 7) % 1000003 for i in range(4096)]
# kernel, grid and group in work-items, cluster on the command line, arguments after the result, what comes out
CASES = [
    ("places_fixed", (256, 4, 3), (32, 1, 1), None, ["u32:8", "u32:4"], lambda: places((8, 4, 3), (2, 2, 1))),
    ("places", (256, 4, 4), (64, 1, 1), "2,2,2", ["u32:4", "u32:4"], lambda: places((4, 4, 4), (2, 2, 2))),
    ("places", (256, 4, 1), (64, 1, 1), "1,4", ["u32:4", "u32:4"], lambda: places((4, 4, 1), (1, 4, 1))),
    ("places", (512, 1, 1), (32, 1, 1), "16", ["u32:16", "u32:1"], lambda: places((16, 1, 1), (16, 1, 1))),
    ("ring", (24 * 32, 1, 1), (32, 1, 1), "4", ["buf:8192", "u32:5"], lambda: ring(24, 32, 4, 5)),
    ("ring", (12 * 128, 1, 1), (128, 1, 1), "3", ["buf:8192", "u32:6"], lambda: ring(12, 128, 3, 6)),
    ("ring", (64 * 64, 1, 1), (64, 1, 1), "16", ["buf:16384", "u32:4"], lambda: ring(64, 64, 16, 4)),
    ("tile", (16 * 32, 1, 1), (32, 1, 1), None, ["in:INPUT"], lambda: tile(16, INPUT)),
    ("tensor", (10 * 32, 1, 1), (32, 1, 1), None, ["in:INPUT"], lambda: tensor(10, INPUT)),
]


def run(offgrid, code, case, way, folder):
    """An error text, or None."""
    name, grid, group, cluster, arguments, expected = case
    result, inputs = os.path.join(folder, "result"), os.path.join(folder, "input")
    with open(inputs, "wb") as file:
        file.write(struct.pack(f"<{len(INPUT)}I", *INPUT))
    wanted = struct.pack(f"<{len(expected())}I", *expected())
    command = [offgrid, "run", code, "--kernel", name, "--grid", ",".join(map(str, grid)), "--group",
               ",".join(map(str, group)), "--timeout", "60", "--arg", f"out:{result}:{len(wanted)}", *way]
    command += ["--cluster", cluster] if cluster else []
    for argument in arguments:
        command += ["--arg", argument.replace("INPUT", inputs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return done.stderr.strip()
    with open(result, "rb") as file:
        return None if file.read() == wanted else "wrong result"


def check(offgrid, code, kernel, folder):
    """What `offgrid check` finds of races."""
    done = subprocess.run([offgrid, "check", "--only=races", code, "--kernel", kernel, "--grid", "512", "--group", "64", "--cluster",
                           "4", "--arg", f"out:{folder}/result:2048", "--arg", "buf:2048", "--arg", "u32:3"],
                          capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", action="append")
    options = parser.parse_args()
    absent = toolchain.missing("clang-22")
    if absent:
        print(f"skipped: no {', '.join(absent)}")
        return 77
    failures = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for processor in options.processor or ["gfx1250", "gfx1251"]:
            for level in ("0", "2"):
                code = os.path.join(folder, f"{processor}.O{level}.co")
                subprocess.run(["clang-22", "-x", "hip", "--cuda-device-only", f"--offload-arch={processor}", "-nogpuinc",
                                "-nogpulib", f"-O{level}", "--no-gpu-bundle-output", "-o", code, SOURCE], check=True)
                count += 2
                clean, torn = check(options.offgrid, code, "ring", folder), check(options.offgrid, code, "torn", folder)
                if "error" in clean or "races" not in torn:
                    failures += 1
                    print(f"{processor} -O{level}: races of ring: {clean}races of torn: {torn}")
                for case in CASES:
                    for way in WAYS:
                        error = run(options.offgrid, code, case, way, folder)
                        count += 1
                        if error:
                            failures += 1
                            print(f"{processor} -O{level} {case[0]} {case[3]} {' '.join(way)}: {error}")
    print(f"{count} runs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
