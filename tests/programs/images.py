#!/usr/bin/env python3
"""Runs OpenCL kernels over images (images/images.cl, compiled by clang-22 with the ROCm device libraries) and holds them
against formulas written here.

usage: images.py --offgrid BUILD/offgrid [--processors gfx803,gfx900,...] [--seed N]"""
import argparse
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

import toolchain
import value_rows

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, HEIGHT, LAYERS, POINTS = 19, 11, 5, 64
KERNELS = ("copy_floats", "copy_integers", "sample", "write_floats", "layers", "volume", "row")
PROCESSORS = "gfx803,gfx900,gfx906,gfx1010,gfx1030,gfx1100,gfx1200"


class Run:
    """One kernel's run: its arguments in order, results by name."""

    def __init__(self, options, code, folder):
        self.command = [options.offgrid, "run", code, "--timeout", "60"]
        self.folder, self.arguments = folder, []

    def file(self, data=b""):
        path = os.path.join(self.folder, f"{len(self.arguments)}.bin")
        with open(path, "wb") as file:
            file.write(data)
        return path

    def add(self, text):
        self.arguments += ["--arg", text]
        return self

    def give(self, data):
        return self.add("in:" + self.file(data))

    def image(self, form, size, data):
        return self.add(f"image:{form}:{size}:in:{self.file(data)}")

    def result(self, size, image=None):
        self.path = self.file()
        self.add(f"image:{image}:out:{self.path}" if image else f"out:{self.path}:{size}")
        return self

    def go(self, kernel, *grid):
        group = ["1"] * len(grid)
        done = subprocess.run(self.command + ["--kernel", kernel, "--grid", ",".join(map(str, grid)), "--group",
                                              ",".join(group)] + self.arguments, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(f"{kernel}: {done.stderr.strip()[:500]}")
        with open(self.path, "rb") as file:
            return file.read()


def floats(data):
    return struct.unpack(f"<{len(data) // 4}f", data)


def near(kernel, mine, wanted):
    for index, (a, b) in enumerate(zip(mine, wanted, strict=True)):
        if not math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6):
            raise AssertionError(f"{kernel}: value {index} is {a}, not {b}")


def equal(kernel, mine, wanted):
    if mine != wanted:
        raise AssertionError(f"{kernel}: the results differ")


def clamp(i, size):
    return min(max(i, 0), size - 1)


def repeat(i, size):
    return i % size


def bilinear(texels, channel, u, v, wrap):
    """At coordinates that are multiples of 1/256, where weights are exact."""
    x, y = math.floor(u - 0.5), math.floor(v - 0.5)
    a, b = u - 0.5 - x, v - 0.5 - y
    total = 0
    for dx, dy, weight in ((0, 0, (1 - a) * (1 - b)), (1, 0, a * (1 - b)), (0, 1, (1 - a) * b), (1, 1, a * b)):
        at = wrap(y + dy, HEIGHT) * WIDTH + wrap(x + dx, WIDTH)
        total += weight * texels[4 * at + channel] / 255
    return total


def check(options, code, folder, rng):
    start = lambda: Run(options, code, folder)
    bytes4 = bytes(rng.randrange(256) for _ in range(WIDTH * HEIGHT * 4))
    size = f"{WIDTH}x{HEIGHT}"
    count = WIDTH * HEIGHT
    got = floats(start().image("rgba8", size, bytes4).result(16 * count).go("copy_floats", WIDTH, HEIGHT))
    near("copy_floats rgba8", got, [b / 255 for b in bytes4])
    got = floats(start().image("bgra8", size, bytes4).result(16 * count).go("copy_floats", WIDTH, HEIGHT))
    near("copy_floats bgra8", got, [bytes4[4 * (i // 4) + (2, 1, 0, 3)[i % 4]] / 255 for i in range(4 * count)])
    halves = [rng.uniform(-9, 9) for _ in range(count)]
    packed = struct.pack(f"<{count}e", *halves)
    got = floats(start().image("r16f", size, packed).result(16 * count).go("copy_floats", WIDTH, HEIGHT))
    near("copy_floats r16f", got, [v for h in struct.unpack(f"<{count}e", packed) for v in (h, 0, 0, 1)])
    shorts = [rng.randrange(60000) for _ in range(4 * count)]
    done = start().image("rgba16ui", size, struct.pack(f"<{4 * count}H", *shorts))
    got = done.result(0, f"rgba16ui:{size}").go("copy_integers", WIDTH, HEIGHT)
    equal("copy_integers", got, struct.pack(f"<{4 * count}H", *(s + i % 4 + 1 for i, s in enumerate(shorts))))
    values = [rng.uniform(-0.2, 1.2) for _ in range(4 * count)]
    got = start().result(0, f"rgba8:{size}").give(struct.pack(f"<{4 * count}f", *values)).go("write_floats", WIDTH, HEIGHT)
    near("write_floats", got, [round(min(max(v, 0), 1) * 255) for v in values])
    for words, wrap in (("linear,edge,unnormalized", clamp), ("nearest,edge,unnormalized", clamp)):
        at = [rng.randrange(-256 * 4, 256 * 24) / 256 for _ in range(2 * POINTS)]
        done = start().image("rgba8", size, bytes4).add("sampler:" + words).give(struct.pack(f"<{2 * POINTS}f", *at))
        got = floats(done.result(16 * POINTS).go("sample", POINTS))
        wanted = []
        for i in range(4 * POINTS):
            u, v = at[i // 4 * 2], at[i // 4 * 2 + 1]
            texel = wrap(math.floor(v), HEIGHT) * WIDTH + wrap(math.floor(u), WIDTH)
            wanted.append(bilinear(bytes4, i % 4, u, v, wrap) if "linear" in words else bytes4[4 * texel + i % 4] / 255)
        near("sample " + words, got, wanted)
    layers = [rng.randrange(2**32) for _ in range(count * LAYERS)]
    done = start().image("r32ui", f"{size}a{LAYERS}", struct.pack(f"<{len(layers)}I", *layers))
    equal("layers", done.result(4 * len(layers)).go("layers", WIDTH, HEIGHT, LAYERS), struct.pack(f"<{len(layers)}I", *layers))
    cells = bytes(rng.randrange(256) for _ in range(count * LAYERS))
    at = [rng.randrange(-3, 20) + 0.5 if i % 4 < 3 else 0 for i in range(4 * POINTS)]
    done = start().image("r8", f"{size}x{LAYERS}", cells).add("sampler:nearest,repeat,unnormalized")
    got = floats(done.give(struct.pack(f"<{4 * POINTS}f", *at)).result(4 * POINTS).go("volume", POINTS))
    where = [[repeat(math.floor(at[4 * i + j]), (WIDTH, HEIGHT, LAYERS)[j]) for j in range(3)] for i in range(POINTS)]
    near("volume", got, [cells[(z * HEIGHT + y) * WIDTH + x] / 255 for x, y, z in where])
    line = [rng.randrange(-128, 128) for _ in range(WIDTH)]
    done = start().image("r8i", f"{WIDTH}", struct.pack(f"{WIDTH}b", *line)).result(4 * (WIDTH + 2))
    equal("row", done.go("row", WIDTH + 2), struct.pack(f"<{WIDTH + 2}i", 0, *line, 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default=PROCESSORS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    missing = toolchain.missing("clang-22")
    if missing:
        print("not installed: " + ", ".join(missing))
        return 77
    print("seed", options.seed)
    failures = 0
    for processor in options.processors.split(","):
        with tempfile.TemporaryDirectory() as folder:
            code = os.path.join(folder, "images.co")
            fine, messages = toolchain.compile_opencl(os.path.join(HERE, "images/images.cl"), code, 2, processor,
                                                      ["-cl-std=CL2.0"])
            try:
                assert fine, messages[:500]
                check(options, code, folder, random.Random(options.seed))
                for kernel in KERNELS:
                    value_rows.compared_kernel(options.offgrid, processor, code, kernel, r"^\s*image_\w+")
            except AssertionError as error:
                print(f"{processor}: {error}")
                failures += 1
    print(f"{len(options.processors.split(','))} processors, {failures} failed")
    return 1 if failures else 0


sys.exit(main())
