#!/usr/bin/env python3
"""Runs the kernels of visa/work_items.cl on offgrid for every platform and width, with groups of one and of several
threads, of odd sizes and cut off at the grid's end, and holds what they tell against what OpenCL says must come.

usage: visa_items.py --offgrid BUILD/offgrid [--platforms skl,tgllp,dg2,pvc] [--widths 8,16,32] [--keep FOLDER]"""
import argparse
import concurrent.futures
import itertools
import os
import struct
import subprocess
import sys
import tempfile

import visa

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPES = [  # grid, group, offset
    ((64,), (64,), (0,)),
    ((96,), (48,), (7,)),
    ((66,), (33,), (0,)),
    ((100,), (40,), (3,)),
    ((30, 6), (5, 3), (1, 2)),
    ((12, 10, 6), (4, 5, 3), (0, 0, 9)),
    ((11, 7, 5), (4, 3, 2), (2, 0, 1)),
]


def work_items(grid, group, offset):
    """Of each work-item, in the order of global linear ids: its place, and its group's items in the order of local ids."""
    pad = lambda numbers, value: list(numbers) + [value] * (3 - len(numbers))
    dimensions, grid, group, offset = len(grid), pad(grid, 1), pad(group, 1), pad(offset, 0)
    counts = [-(-g // l) for g, l in zip(grid, group)]
    for z, y, x in itertools.product(*(range(n) for n in reversed(grid))):
        at = (x, y, z)
        group_id = [a // l for a, l in zip(at, group)]
        local = [a % l for a, l in zip(at, group)]
        size = [min(l, g - i * l) for l, g, i in zip(group, grid, group_id)]
        first = [i * l for i, l in zip(group_id, group)]
        members = [(c * grid[1] + b) * grid[0] + a for c in range(first[2], first[2] + size[2])
                   for b in range(first[1], first[1] + size[1]) for a in range(first[0], first[0] + size[0])]
        yield {"dimensions": dimensions, "grid": grid, "group": group, "offset": offset, "counts": counts, "at": at,
               "group_id": group_id, "local": local, "size": size, "members": members,
               "linear": (z * grid[1] + y) * grid[0] + x}


def places(item, width):
    index, items = item["members"].index(item["linear"]), len(item["members"])
    enqueued = item["group"][0] * item["group"][1] * item["group"][2]
    row = [item["dimensions"], *item["grid"], *(a + o for a, o in zip(item["at"], item["offset"])), *item["size"],
           *item["group"], *item["local"], *item["counts"], *item["group_id"], *item["offset"], item["linear"], index,
           min(width, items - index // width * width), min(width, items), -(-items // width), -(-enqueued // width),
           index // width, index % width]
    row[28] = None  # the largest sub-group of the kernel or of the group: compilers differ
    return row + [0] * (40 - len(row))


def collect(values, index, sub_group):
    row = [sum(values), min(values), max(values), sum(values[:index + 1]), sum(values[:index]), max(values[:index + 1]),
           values[0], int(all(v < 30 for v in values)), int(any(v == 30 for v in values))]
    return row + [values[0], values[index]] if sub_group else row


def number(linear):
    return linear * 7 % 31


def sub_groups(item, width):
    index = item["members"].index(item["linear"])
    start = index // width * width
    row = collect([number(n) for n in item["members"][start:start + width]], index - start, True)
    return row + [0] * (20 - len(row))


def work_groups(item, _):
    row = collect([number(n) for n in item["members"]], item["members"].index(item["linear"]), False)
    row[6] = number(item["members"][item["size"][0] - 1])
    return row + [0] * (20 - len(row))


KERNELS = {
    "places": places,
    "sub_group_id_alone": lambda item, width: [item["members"].index(item["linear"]) // width],
    "sub_group_local_id_alone": lambda item, width: [item["members"].index(item["linear"]) % width],
    "sub_groups": sub_groups,
    "work_groups": work_groups,
}


def run_one(offgrid, text, zebin, platform, width, name, shape, folder):
    expected = [KERNELS[name](item, width) for item in work_items(*shape)]
    out = os.path.join(folder, f"{name}.out")
    command = [offgrid, "run", text, "--platform", platform, "--zeinfo", zebin, "--timeout", "60"]
    for option, numbers in zip(("--grid", "--group", "--offset"), shape):
        command += [option, ",".join(map(str, numbers))]
    command += ["--arg", f"out:{out}:{8 * len(expected) * len(expected[0])}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr[:300]
    with open(out, "rb") as file:
        found = struct.unpack(f"<{len(expected) * len(expected[0])}Q", file.read())
    for n, row in enumerate(expected):
        for i, want in enumerate(row):
            if want is not None and found[n * len(row) + i] != want:
                return f"work-item {n}, value {i}: {found[n * len(row) + i]}, expected {want}"
    return None


def run_width(options, platform, width, folder):
    os.makedirs(folder, exist_ok=True)
    source = visa.prepare(os.path.join(HERE, "visa", "work_items.cl"), platform, width, folder)
    texts, zebin, messages = visa.compile_visa(source, platform, folder, "-cl-std=CL2.0")
    if texts is None:
        return 0, [f"{platform} SIMD{width}: ocloc refuses it: {messages[:300]}"]
    runs = [(name, shape, run_one(options.offgrid, texts[name], zebin, platform, width, name, shape, folder))
            for name in KERNELS for shape in SHAPES]
    return len(runs), [f"{name} {platform} SIMD{width} {shape}: {error}" for name, shape, error in runs if error]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--platforms", default="skl,tgllp,dg2,pvc")
    parser.add_argument("--widths", default="8,16,32")
    parser.add_argument("--keep")
    options = parser.parse_args()
    if not visa.shutil.which("ocloc"):
        print("skipped, not installed: ocloc")
        return 77
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(run_width, options, platform, int(width),
                            os.path.join(options.keep or temporary, f"{platform}.{width}"))
                for platform in options.platforms.split(",") for width in options.widths.split(",")
                if int(width) >= visa.NARROWEST.get(platform, 8)]
        results = [job.result() for job in jobs]
    runs, errors = sum(count for count, _ in results), [error for _, found in results for error in found]
    for error in errors:
        print("FAIL", error)
    print(f"{runs - len(errors)} of {runs} runs tell what OpenCL says")
    return 1 if errors or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
