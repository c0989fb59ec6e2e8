#!/usr/bin/env python3
"""What `offgrid debug` prints of variables in optimized code is what they are: random OpenCL kernels whose lanes go different
ways are compiled with and without optimization; wherever one stores to volatile memory, each lane's variables are printed in
both. Optimized code may say that a variable was optimized away, but not that it is something else. llvm-dwarfdump-22 finds
nothing wrong, and the code is the same without debug information.

usage: cc_values.py --offgrid BUILD/offgrid [--count 40] [--seed N] [--processor gfx900] [--registers N] [--keep FOLDER]
--registers: so few vector registers that most variables are spilled."""
import argparse
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

WAVES = {"gfx900": 64, "gfx90a": 64, "gfx1100": 32}
SCALARS = ["int", "uint", "float", "int", "int"]
WIDE = {"int2": 2, "int3": 3, "float4": 4}
GONE = "gone"


class Program:
    """A kernel of random statements, one to a line. What they compute needs all bits of what it is computed of: clang leaves
    debug records as they are where it changes bits of a value that nobody asks for."""

    def __init__(self, rng, registers=0):
        self.rng, self.lines, self.names, self.stores, self.counters = rng, [], 0, 0, {"gid", "big"}
        self.put("struct two { int x; float y; };")
        self.put("int bend(int v, int by) {")
        self.put("  int r = v * by; for (int j = 0; j < (uint)by % 3; j++) { r ^= r >> 3; r += j; } return r; }")
        limit = f"__attribute__((amdgpu_num_vgpr({registers}))) " if registers else ""
        self.put(limit + "kernel void k(global volatile int *out, global const int *in, int n, long big) {")
        self.put("int gid = __builtin_amdgcn_workitem_id_x();")
        scope = [("gid", "int"), ("n", "int"), ("big", "long")]
        kept = [self.declare(scope)[0] for _ in range(registers)]  # until the end
        scope += kept
        scope = self.block(scope + self.declare(scope) + self.declare(scope) + self.declare(scope), 0)
        for _ in range(3):
            self.store(scope)
        for one in kept:
            self.store([one])
        self.put("}")

    def put(self, line):
        self.lines.append(line)

    def scalar(self, scope):
        name, kind = self.rng.choice(scope)
        if kind in WIDE:
            return f"{name}.{'xyzw'[self.rng.randrange(WIDE[kind])]}"
        return f"{name}.{self.rng.choice('xy')}" if kind == "struct two" else name

    def expression(self, scope, depth=0):
        pick = self.rng.randrange(8 if depth < 2 else 3)
        if pick == 0:
            return str(self.rng.randrange(-9, 100, 2))
        if pick < 3:
            return f"(int){self.scalar(scope)}"
        a, b = self.expression(scope, depth + 1), self.expression(scope, depth + 1)
        if pick == 3:
            return f"bend({a}, {b})"
        if pick == 4:
            return f"in[(uint)({a}) % 29]"
        return f"({a} {self.rng.choice('+-*^')} {b})"

    def declare(self, scope):
        self.names += 1
        name, kind = f"var{self.names}", self.rng.choice(SCALARS + list(WIDE) + ["struct two"])
        if kind == "struct two":
            self.put(f"struct two {name}; {name}.x = {self.expression(scope)}; {name}.y = {self.expression(scope)};")
        elif kind in WIDE:
            self.put(f"{kind} {name} = ({kind})({', '.join(self.expression(scope) for _ in range(WIDE[kind]))});")
        else:
            self.put(f"{kind} {name} = {self.expression(scope)};")
        return [(name, kind)]

    def store(self, scope):
        self.stores += 1
        self.put(f"out[gid + 64 * {self.stores}] = {self.expression(scope, 1)};")

    def statement(self, scope, depth):
        pick = self.rng.randrange(10)
        if pick < 2:
            return scope + self.declare(scope)
        if pick < 5:
            target = self.scalar([item for item in scope if item[0] not in self.counters])
            self.put(f"{target} {self.rng.choice(['=', '+=', '-='])} {self.expression(scope)};")
        elif pick < 7 or depth > 2:
            self.store(scope)
        elif pick < 9:
            self.put(f"if ({self.expression(scope)} {self.rng.choice('<>')} {self.rng.randrange(40)}) {{")
            self.block(scope, depth + 1)
            if self.rng.randrange(2):
                self.put("} else {")
                self.block(scope, depth + 1)
            self.put("}")
        else:
            self.names += 1
            counter = f"count{self.names}"
            self.counters.add(counter)
            bound = self.rng.choice([str(self.rng.randrange(1, 5)), f"(uint)({self.expression(scope)}) % 5"])
            self.put(f"for (int {counter} = 0; {counter} < {bound}; {counter}++) {{")
            self.block(scope + [(counter, "int")], depth + 1)
            self.put("}")
        return scope

    def block(self, scope, depth):
        for _ in range(self.rng.randrange(2, 6)):
            scope = self.statement(scope, depth)
        self.store(scope)
        return scope


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def build(options, folder, source, level, strip=False):
    ir, code = os.path.join(folder, f"k{level}.ll"), os.path.join(folder, f"k{level}{'s' if strip else ''}.co")
    if strip:
        plain = os.path.join(folder, "plain.ll")
        run("opt-22", "-strip-debug", "-S", ir, "-o", plain)
        ir = plain
    else:
        done = run("clang-22", "-x", "cl", "-cl-std=CL1.2", "--target=amdgcn-amd-amdhsa", "-mcpu=" + options.processor, "-nogpulib", f"-O{level}",
                   "-g", "-w", "-fwrapv", "-fno-unroll-loops", "-Xclang", "-finclude-default-header", "-S", "-emit-llvm", source, "-o", ir)
        if done.returncode:
            raise RuntimeError(done.stderr)
    done = run(options.offgrid, "cc", "-mcpu=" + options.processor, ir, "-o", code)
    if done.returncode:
        raise RuntimeError(f"-O{level}: {done.stderr}")
    return code


def text_of(path):
    with tempfile.NamedTemporaryFile() as file:
        run("llvm-objcopy-22", "-O", "binary", "--only-section=.text", path, file.name)
        return file.read()


def places(options, code, source):
    """Offsets of stores to global memory in lines that store, and the variables in scope there."""
    text = run("llvm-objdump-22", "-d", "--line-numbers", code).stdout
    start = int(re.search(r"^([0-9a-f]+) <k>:", text, re.M)[1], 16)
    line, found = None, []
    for row in text[text.index("<k>:"):].splitlines():
        match = re.match(r"; .*k\.cl:(\d+)$", row)
        if match:
            line = int(match[1])
        elif re.match(r"\s(global|flat|buffer)_store", row) and line and source[line - 1].startswith("out["):
            found.append((int(re.search(r"// ([0-9A-F]+):", row)[1], 16) - start, line))
    return found


def lanes_of(text, count):
    """The value that a print shows of each lane; None: it is off."""
    match = re.match(r"\S+(?:\[\d\]|\.\w)? = (.*) in all \d+ lanes", text)
    if match:
        return [match[1]] * count
    if "by lane" not in text:
        return None
    values = [None] * count
    for row in text.splitlines()[1:]:
        first, rest = row.split(":")
        for k, value in enumerate(rest.split()):
            values[int(first) + k] = None if value == "." else value
    return values


def parts(name, kind):
    if kind in WIDE:
        return [f"{name}[{k}]" for k in range(WIDE[kind])]
    return [f"{name}.x", f"{name}.y"] if kind == "struct two" else [name]


def events(options, code, program, data, wave):
    """By lane: (line, {variable: value}) at each store that it runs."""
    stops = places(options, code, program.lines)
    names = ["gid", "n", "big"] + re.findall(r"^(?:for \()?(?:struct )?\w+ (\w+)(?: = |;)", "\n".join(program.lines[5:]), re.M)
    kinds = {name: kind for kind, name in re.findall(r"(?m)^(?:for \()?((?:struct )?\w+) (\w+)(?: = |;)", "\n".join(program.lines[5:]))}
    prints = [part for name in dict.fromkeys(names) for part in parts(name, kinds.get(name, "int"))]
    script = [f"break k+{at:#x}" for at, _ in stops] + ["run"]
    for _ in range(150):
        script += ["echo @stop|", "print $exec", "info line"] + [text for part in prints for text in (f"echo @{part}|", f"print {part}")] + ["continue"]
    told = run(options.offgrid, "debug", code, "--kernel", "k", "--grid", str(wave), "--group", str(wave), "--arg", "buf:65536", "--arg", "in:" + data,
               "--arg", "i32:3", "--arg", "i64:5000000000", input="\n".join(script + ["quit"]) + "\n").stdout
    lanes = [[] for _ in range(wave)]
    for stop in told.split("@stop|")[1:]:
        where = re.search(r"k\.cl:(\d+)", stop.split("@")[0])
        mask = re.search(r"\$exec = (\d+)", stop)
        if not mask or not where:
            break
        on, seen = int(mask[1]), {}
        for shown in stop.split("\n@")[1:]:
            name, _, rest = shown.partition("|")
            rest = re.split(r"\n(?:Breakpoint|The kernel)", rest)[0].rstrip("\n")
            seen[name] = lanes_of(rest, wave) if "optimised away" not in rest else [GONE] * wave
        for lane in range(wave):
            if on >> lane & 1:
                lanes[lane].append((int(where[1]), {name: values[lane] for name, values in seen.items() if values}))
    return lanes


def compare(program, plain, fast, tally):
    """What optimized code says otherwise."""
    for lane, (a, b) in enumerate(zip(plain, fast)):
        if [line for line, _ in a] != [line for line, _ in b]:
            tally["other ways"] += 1
            return []
        for (line, true), (_, said) in zip(a, b):
            for name, value in said.items():
                if name not in true or true[name] is None:
                    continue
                tally["gone" if value == GONE else "shown"] += 1
                if value not in (GONE, true[name]):
                    return [f"lane {lane}, line {line} ('{program.lines[line - 1]}'): {name} is {true[name]}, shown is {value}"]
    return []


def one(options, seed, folder, tally):
    program = Program(random.Random(seed), options.registers)
    source, data, wave = os.path.join(folder, "k.cl"), os.path.join(folder, "in"), WAVES[options.processor]
    with open(source, "w", encoding="utf-8") as file:
        file.write("\n".join(program.lines) + "\n")
    with open(data, "wb") as file:
        file.write(struct.pack("<64i", *[(k * 7919 + 13) % 100 for k in range(64)]))
    code = [build(options, folder, source, level) for level in (0, 2)]
    wrong = [done.stdout[-300:] for done in (run("llvm-dwarfdump-22", "--verify", path) for path in code) if done.returncode]
    if text_of(code[1]) != text_of(build(options, folder, source, 2, True)):
        wrong.append("the code differs without debug information")
    return wrong + compare(program, *(events(options, path, program, data, wave) for path in code), tally)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--registers", type=int, default=0)
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    options = parser.parse_args()
    absent = [tool for tool in ("clang-22", "opt-22", "llvm-dwarfdump-22", "llvm-objdump-22", "llvm-objcopy-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    tally, wrong = {"shown": 0, "gone": 0, "other ways": 0}, []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for seed in range(options.seed, options.seed + options.count):
            for what in one(options, seed, folder, tally):
                wrong.append(f"--seed {seed} --count 1: {what}")
                print(wrong[-1], flush=True)
    print(f"{options.processor}, seeds from {options.seed}: {tally['shown']} values shown, {tally['gone']} optimized away, "
          f"{tally['other ways']} of {options.count} programs not compared")
    return 1 if wrong or not tally["shown"] else 0


if __name__ == "__main__":
    sys.exit(main())
