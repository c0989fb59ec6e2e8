#!/usr/bin/env python3
"""Runs kernels that ocloc compiled on offgrid with their zebin and without it: without one, offgrid either does the same
or refuses and names --zeinfo. The kernels are those of opencl/ and visa/, and random ones with arguments of all kinds.

usage: visa_layout.py --offgrid BUILD/offgrid [--platforms skl,tgllp,dg2,pvc] [--files PATTERN] [--random N] [--seed N]
                      [--options OCLOC-OPTIONS] [--keep FOLDER] [--verbose]"""
import argparse
import concurrent.futures
import fnmatch
import glob
import os
import random
import struct
import subprocess
import sys
import tempfile

import run
import spec
import visa

HERE = os.path.dirname(os.path.abspath(__file__))
SCALARS = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "long": "q", "ulong": "Q",
           "float": "f"}
WIDTHS = {2: 2, 3: 4, 4: 4, 8: 8}  # elements of a vector, as they lie in memory
PER_FILE = 8


class RandomKernel:
    """A kernel whose result depends on all it reads: arguments, and what it asks of the grid."""

    def __init__(self, rng, name):
        self.rng, self.name, self.parameters, self.terms, self.arguments = rng, name, [], [], []
        self.structs, self.prologue, self.outs = [], [], 0
        count = rng.randrange(1, 9)
        kinds = ["out"] + [rng.choice(["in", "in", "constant", "out", "inout", "local", "scalar", "scalar", "scalar",
                                       "vector", "struct"]) for _ in range(count)]
        rng.shuffle(kinds)
        dimensions = rng.choice([1, 1, 2, 3])
        self.group = [rng.choice([1, 3, 8, 16, 20, 33]) if i == 0 else rng.choice([1, 2, 3]) for i in range(dimensions)]
        self.grid = [size * rng.choice([1, 2, 3]) for size in self.group]
        self.offset = [rng.choice([0, 0, 5]) for _ in self.group]
        self.items = 1
        for size in self.grid:
            self.items *= size
        for number, kind in enumerate(kinds):
            getattr(self, kind)(f"a{number}", rng.random() < 0.75)
        self.ask()

    def term(self, text):
        self.terms.append(f"  h = h * 31 + (uint)({text});")

    def buffer(self, name, qualifier, role):
        self.parameters.append(f"{qualifier} uint *{name}")
        self.arguments.append((role, self.items))

    def value(self, code):
        return self.rng.randrange(-9, 90) if code in "bhiq" else float(self.rng.randrange(90)) if code == "f" else \
            self.rng.randrange(120)

    def out(self, name, _):
        self.buffer(name, "global", "out")
        at = self.rng.choice(["i", "i", "(i + 1) % n", "n - 1 - i"])
        self.outs += 1
        self.terms.append(f"  {name}[{at}] = h + {self.rng.randrange(9)};")

    def inout(self, name, used):
        self.buffer(name, "global", "inout")
        if used:
            self.terms.append(f"  {name}[i] += h;")

    def reads(self, name, used):
        if used:
            self.term(f"{name}[{self.rng.choice(['i', '0', '(i * 7) % n', 'h % n'])}]")

    def constant(self, name, used):
        self.buffer(name, "constant", "in")
        self.reads(name, used)

    def local(self, name, used):
        self.parameters.append(f"local uint *{name}")
        self.arguments.append(("lds", self.rng.choice([4096, 4100, 8192])))
        if used:
            self.prologue.append(f"  {name}[l] = l * {self.rng.randrange(9)}; barrier(CLK_LOCAL_MEM_FENCE);")
            self.term(f"{name}[l / 2]")

    def scalar(self, name, used):
        kind = self.rng.choice(list(SCALARS))
        self.parameters.append(f"{kind} {name}")
        code = SCALARS[kind]
        names = {"b": "i8", "B": "u8", "h": "i16", "H": "u16", "i": "i32", "I": "u32", "q": "i64", "Q": "u64", "f": "f32"}
        self.arguments.append((names[code], self.value(code)))
        if used:
            self.term(name)

    def vector(self, name, used):
        kind, width = self.rng.choice(list(SCALARS)), self.rng.choice(list(WIDTHS))
        code = SCALARS[kind]
        self.parameters.append(f"{kind}{width} {name}")
        data = b"".join(struct.pack("<" + code, self.value(code)) for _ in range(WIDTHS[width]))
        self.arguments.append(("struct", data.hex()))
        if used:
            self.term(f"{name}.s{self.rng.randrange(width)}")

    def struct(self, name, used):
        kinds = [self.rng.choice(list(SCALARS)) for _ in range(self.rng.randrange(1, 5))]
        members = [f"  {kind} m{i};" for i, kind in enumerate(kinds)]
        self.structs.append(f"typedef struct {{\n" + "\n".join(members) + f"\n}} {self.name}_{name};")
        self.parameters.append(f"{self.name}_{name} {name}")
        data = b""
        for kind in kinds:
            size = struct.calcsize(SCALARS[kind])
            data += bytes(-len(data) % size) + struct.pack("<" + SCALARS[kind], self.value(SCALARS[kind]))
        widest = max(struct.calcsize(SCALARS[kind]) for kind in kinds)
        self.arguments.append(("struct", (data + bytes(-len(data) % widest)).hex()))
        if used:
            for number in self.rng.sample(range(len(kinds)), self.rng.randrange(1, len(kinds) + 1)):
                self.term(f"{name}.m{number}")

    def ask(self):
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            what = self.rng.choice(["get_work_dim()", "get_global_size(%)", "get_local_size(%)", "get_num_groups(%)",
                                    "get_global_offset(%)", "get_group_id(%)", "get_local_id(%)", "get_global_id(%)",
                                    "get_enqueued_local_size(%)", "get_sub_group_id()", "get_num_sub_groups()",
                                    "get_sub_group_local_id()", "get_sub_group_size()", "get_global_linear_id()",
                                    "get_local_linear_id()"])
            self.terms.insert(self.rng.randrange(len(self.terms) + 1),
                              f"  h = h * 31 + (uint)({what.replace('%', self.rng.choice('0012'))});")

    def source(self):
        strides, stride = [], 1
        for d, size in enumerate(self.grid):
            strides.append(f"(get_global_id({d}) - {self.offset[d]}) * {stride}")
            stride *= size
        locals_, stride = [], 1
        for d, size in enumerate(self.group):
            locals_.append(f"get_local_id({d}) * {stride}")
            stride *= size
        if self.rng.random() < 0.3 and len(self.grid) == 1 and not self.offset[0]:
            strides = [f"get_group_id(0) * {self.group[0]} + get_local_id(0)"]
        lines = self.structs + [f"kernel void {self.name}({', '.join(self.parameters)}) {{",
                                f"  uint i = {' + '.join(strides)}, l = {' + '.join(locals_)}, n = {self.items}, h = 1;"]
        return "\n".join(lines + self.prologue + self.terms + ["}"]) + "\n"

    def kernel(self):
        text = [",".join(map(str, numbers)) for numbers in (self.grid, self.group, self.offset)]
        kernel = spec.Kernel(self.name, self.name, text[0], text[1], text[2])
        for kind, value in self.arguments:
            if kind in ("in", "out", "inout"):
                kernel.arguments.append(spec.Argument(kind, "u32", value, ("bits",)))
            else:
                kernel.arguments.append(spec.Argument(kind, values=(str(value),)))
        return kernel


setattr(RandomKernel, "in", lambda self, name, used: (self.buffer(name, "global", "in"), self.reads(name, used)))


def compare(options, text, zebin, kernel, platform, folder):
    """"" when both runs agree, "refused" and the message when the one without a zebin refuses; else an error."""
    command = [options.offgrid, "run", text, "--platform", platform, "--timeout", "60"]
    theirs, error, failed = run.results(command + ["--zeinfo", zebin], kernel, folder)
    if error:
        return "with the zebin: " + error, failed
    ours, error, failed = run.results(command, kernel, folder)
    if error:
        return ("refused: " if "--zeinfo" in error else "without a zebin: ") + error, failed
    for number, ((_, mine), (_, reference)) in enumerate(zip(ours, theirs)):
        if mine != reference:
            return f"output {number} differs", failed
    return "", failed


def run_source(path, kernels, platform, width, options, folder):
    os.makedirs(folder, exist_ok=True)
    source = visa.prepare(path, platform, width, folder)
    texts, zebin, messages = visa.compile_visa(source, platform, folder, options.options)
    if texts is None:
        return [(path, f"ocloc refuses it: {messages[:300]}", [])]
    return [(kernel.name, *compare(options, texts[kernel.name], zebin, kernel, platform, folder))
            for kernel in kernels if kernel.name in texts]


def random_sources(options, folder):
    """Files of PER_FILE random kernels."""
    for number in range(options.random):
        rng = random.Random(f"{options.seed} {number}")
        made = [RandomKernel(rng, f"random_{number}_{i}") for i in range(PER_FILE)]
        path = os.path.join(folder, f"random_{number}.cl")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(kernel.source() for kernel in made))
        yield path, [kernel.kernel() for kernel in made]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--platforms", default="skl,tgllp,dg2,pvc")
    parser.add_argument("--files", default="*.cl")
    parser.add_argument("--random", type=int, default=3, help="files of random kernels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--options", default="-cl-std=CL2.0")
    parser.add_argument("--keep")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if not visa.shutil.which("ocloc"):
        print("skipped, not installed: ocloc")
        return 77
    refused, failed, agreed = [], 0, 0
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        sources = [(path, list(spec.parse(path))) for place in ("opencl", "visa")
                   for path in sorted(glob.glob(os.path.join(HERE, place, "*.cl")))
                   if fnmatch.fnmatch(os.path.basename(path), options.files)] + list(random_sources(options, folder))
        jobs = [(platform, pool.submit(run_source, path, kernels, platform, str(visa.SHORT[platform]), options,
                                       os.path.join(folder, f"{os.path.basename(path)}.{platform}")))
                for path, kernels in sources for platform in options.platforms.split(",")]
        for platform, job in jobs:
            for name, error, command in job.result():
                if error.startswith("refused"):
                    refused.append(f"{name} {platform}: {error}")
                elif error:
                    failed += 1
                    print(f"FAIL {name} {platform}: {error}")
                    if options.verbose:
                        print("    " + " ".join(command))
                agreed += not error
    if options.verbose:
        print("\n".join(refused))
    print(f"seed {options.seed}: {agreed} kernels do without a zebin what they do with one, {len(refused)} are refused, "
          f"{failed} fail")
    return 1 if failed or not agreed else 0


if __name__ == "__main__":
    sys.exit(main())
