#!/usr/bin/env python3
"""Random OpenCL kernels, without undefined behaviour, on offgrid and on PoCL: both must leave the same bytes.

usage: random_opencl.py --offgrid BUILD/offgrid [--seed N] [--files N] [--kernels N] [--levels 0,2] [--keep FOLDER]

Each file of kernels depends on the seed and its number alone. Integers of all widths, float and double without
contraction, vectors, loops, branches, private arrays, LDS with barriers, calls, atomics."""
import argparse
import concurrent.futures
import os
import random
import sys
import tempfile
import time

import run as programs
import spec
import toolchain

SIGNED = ["char", "short", "int", "long"]
UNSIGNED = ["uchar", "ushort", "uint", "ulong"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["float", "double"]
BITS = {"char": 8, "short": 16, "int": 32, "long": 64, "uchar": 8, "ushort": 16, "uint": 32, "ulong": 64, "float": 32,
        "double": 64}
ITEMS, GROUP = 128, 64


def unsigned(name):
    return name if name in UNSIGNED else "u" + name


class Writer:
    """One kernel: variables in scope and lines so far."""

    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.lines, self.depth, self.scopes, self.count, self.loops = [], 1, [[]], 0, 0
        self.width = rng.choice([1, 1, 1, 2, 4])  # vectors, in this kernel

    def put(self, line):
        self.lines.append("  " * self.depth + line)

    def vector(self, base):
        return base if self.width == 1 else f"{base}{self.width}"

    def variables(self, base):
        return [name for scope in self.scopes for name, kind in scope if kind == base]

    def constant(self, base):
        rng = self.rng
        if base in FLOATS:
            value = rng.choice(["0.5", "-1.25", "3.0", "1e-3", "-7.75", "1024.5", "0.1"])
            return f"({self.vector(base)})({value}{'f' if base == 'float' else ''})"
        value = rng.choice([0, 1, 2, 3, 7, 31, 127, 255, rng.getrandbits(BITS[base])]) & ((1 << BITS[base]) - 1)
        return f"({self.vector(base)})(({base}){value}{'u' if BITS[base] < 64 else 'ul'})"

    def leaf(self, base):
        names = self.variables(base)
        if names and self.rng.random() < 0.8:
            return self.rng.choice(names)
        return self.constant(base)

    def convert(self, base, depth):
        source = self.rng.choice([b for b in INTEGERS + FLOATS if b != base])
        inner = self.expression(source, depth - 1)
        if base in INTEGERS and source in FLOATS:
            bound = f"({self.vector(source)})({{}}4e9{'f' if source == 'float' else ''})"
            # never NaN
            return f"convert_{self.vector(base)}_sat(fmin(fmax({inner}, {bound.format('-')}), {bound.format('')}))"
        return f"convert_{self.vector(base)}({inner})"

    def bare(self, base, text):
        """The unsigned number of the same bits, so that arithmetic wraps."""
        return f"(({unsigned(base)})({text}))" if self.width == 1 else f"as_{self.vector(unsigned(base))}({text})"

    def wrapped(self, base, left, operator, right):
        """Arithmetic modulo 2^bits; narrow scalars by way of uint, which no product overflows."""
        wide = "uint" if self.width == 1 and BITS[base] < 32 else None
        left, right = (f"({wide}){self.bare(base, x)}" if wide else self.bare(base, x) for x in (left, right))
        result = f"({left} {operator} {right})"
        return f"(({base})({unsigned(base)}){result})" if self.width == 1 else f"as_{self.vector(base)}({result})"

    def divided(self, base, a, b, operator):
        """No division by 0, no quotient that overflows."""
        kind = self.vector(base)
        if base in UNSIGNED:
            return f"(({a}) {operator} (({b}) | ({kind})(1)))"
        return f"((({a}) & ({kind})({(1 << (BITS[base] - 1)) - 1}{'l' if BITS[base] == 64 else ''})) {operator} ((({b}) & ({kind})(7)) + ({kind})(3)))"

    def integer(self, base, depth):
        rng, kind = self.rng, self.vector(base)
        a, b, c = (self.expression(base, depth - 1) for _ in range(3))
        shift = f"(({b}) & ({kind})({BITS[base] - 1}))"
        choices = [
            lambda: self.wrapped(base, a, "+", b), lambda: self.wrapped(base, a, "-", b),
            lambda: self.wrapped(base, a, "*", b),
            lambda: self.wrapped(base, a, "<<", shift), lambda: f"(({a}) >> {shift})",
            lambda: f"(({a}) & ({b}))", lambda: f"(({a}) | ({b}))", lambda: f"(({a}) ^ ({b}))", lambda: f"(~({a}))",
            lambda: f"min({a}, {b})", lambda: f"max({a}, {b})", lambda: f"clamp({a}, min({b}, {c}), max({b}, {c}))",
            lambda: f"mul_hi({a}, {b})", lambda: f"hadd({a}, {b})", lambda: f"rhadd({a}, {b})",
            lambda: f"rotate({a}, {b})",
            lambda: f"clz({a})", lambda: f"popcount({a})", lambda: f"add_sat({a}, {b})", lambda: f"sub_sat({a}, {b})",
            # PoCL's abs takes for granted that no smallest number comes
            lambda: f"convert_{kind}(abs({a} | ({kind})1))",
            lambda: f"bitselect({a}, {b}, {c})", lambda: self.choose(base, a, b, depth),
            lambda: self.divided(base, a, b, "/"), lambda: self.divided(base, a, b, "%"),
        ]
        if base in UNSIGNED:  # the device library's signed one does not expect the difference to overflow
            choices += [lambda: f"abs_diff({a}, {b})"]
        if base in ("int", "uint"):
            choices += [lambda: f"mad24(({a}) & ({kind})(0x7fff), ({b}) & ({kind})(0xff), ({c}) & ({kind})(0xffff))",
                        lambda: f"mul24(({a}) & ({kind})(0x7fff), ({b}) & ({kind})(0xff))"]
        text = rng.choice(choices)()
        return f"(({base})({text}))" if self.width == 1 else text

    def choose(self, base, a, b, depth):
        """A lane-wise or a scalar choice."""
        other = self.rng.choice(INTEGERS if self.width == 1 else [x for x in INTEGERS if BITS[x] == BITS[base]])
        relation = self.rng.choice(["<", ">", "==", "!=", "<=", ">="])
        left, right = self.expression(other, depth - 1), self.expression(other, depth - 1)
        return f"(({left}) {relation} ({right}) ? ({a}) : ({b}))"

    def floating(self, base, depth):
        rng = self.rng
        a, b, c = (self.expression(base, depth - 1) for _ in range(3))
        return rng.choice([
            lambda: f"({a} + {b})", lambda: f"({a} - {b})", lambda: f"({a} * {b})", lambda: f"fma({a}, {b}, {c})",
            lambda: f"fabs({a})",
            lambda: f"floor({a})", lambda: f"ceil({a})", lambda: f"trunc({a})", lambda: f"rint({a})",
            lambda: f"(-({a}))",
            lambda: f"fmin({a}, {b})", lambda: f"fmax({a}, {b})", lambda: f"sqrt(fabs({a}))", lambda: f"({a} / {b})",
            lambda: f"copysign({a}, {b})", lambda: f"({a} + {b} * ({c}))",
        ])()

    def expression(self, base, depth):
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(base)
        if self.rng.random() < 0.2:
            return self.convert(base, depth)
        return (self.floating if base in FLOATS else self.integer)(base, depth)

    def condition(self):
        base = self.rng.choice(INTEGERS)
        part = "" if self.width == 1 else ".s" + str(self.rng.randrange(self.width))
        left, right = self.expression(base, 2), self.expression(base, 1)
        return f"({left}){part} {self.rng.choice(['<', '>', '==', '!='])} ({right}){part}"

    def fresh(self, base, text):
        name = f"v{self.count}"
        self.count += 1
        self.put(f"{self.vector(base)} {name} = {text};")
        self.scopes[-1].append((name, base))

    def block(self, budget):
        self.scopes.append([])
        self.depth += 1
        for _ in range(budget):
            self.statement(budget - 1)
        self.depth -= 1
        self.scopes.pop()

    def assign(self):
        base = self.rng.choice(INTEGERS + FLOATS)
        names = self.variables(base)
        if names:
            self.put(f"{self.rng.choice(names)} = {self.expression(base, 3)};")

    def array(self):
        """A private array with indices that only the run knows."""
        base, name, size = self.rng.choice(INTEGERS), f"t{self.count}", self.rng.choice([4, 8, 16])
        self.count += 1
        part = "" if self.width == 1 else ".s0"
        self.put(f"{base} {name}[{size}];")
        self.put(f"for (uint q = 0; q < {size}; q++) {name}[q] = ({base})(({self.expression(base, 2)}){part} ^ ({base})(q * 37));")
        self.put(f"{name}[convert_uint(({self.expression('uint', 1)}){part}) % {size}] ^= ({self.expression(base, 2)}){part};")
        self.fresh(base, f"({self.vector(base)}){name}[convert_uint(({self.expression('uint', 2)}){part}) % {size}]")

    def statement(self, budget):
        pick = self.rng.random()
        if budget <= 0 or pick < 0.35:
            self.assign()
        elif pick < 0.6:
            base = self.rng.choice(INTEGERS + FLOATS)
            self.fresh(base, self.expression(base, 3))
        elif pick < 0.75:
            self.put(f"if ({self.condition()}) {{")
            self.block(budget // 2 + 1)
            if self.rng.random() < 0.6:
                self.put("} else {")
                self.block(budget // 2 + 1)
            self.put("}")
        elif pick < 0.85 and self.loops < 2:
            self.loops += 1
            name = f"k{self.count}"
            self.count += 1
            part = "" if self.width == 1 else ".s0"
            self.put(f"for (uint {name} = 0; {name} < ((({self.expression('uint', 1)}){part}) & 7) + 1; {name}++) {{")
            self.block(budget // 2 + 1)
            if self.rng.random() < 0.4:
                self.put(f"  if ({self.condition()}) {self.rng.choice(['break', 'continue'])};")
            self.put("}")
        elif pick < 0.95:
            self.array()
        else:
            base = self.rng.choice(INTEGERS)
            a, b = self.expression(base, 1), self.expression(base, 1)
            self.fresh(base, f"call_{base}({a}, {b})" if self.width == 1
                       else f"({self.vector(base)})call_{base}(({a}).s0, ({b}).s1)")

    def exchange(self):
        """All items of the group trade a value through LDS."""
        part = "" if self.width == 1 else ".s0"
        self.put("barrier(CLK_LOCAL_MEM_FENCE);")
        self.put(f"shared[l] = ({self.expression('uint', 2)}){part};")
        self.put("barrier(CLK_LOCAL_MEM_FENCE);")
        step, start = self.rng.choice([1, 3, 5]), self.rng.randrange(64)
        self.fresh("uint", f"({self.vector('uint')})shared[(l * {step} + {start}) % {GROUP}]")
        place = self.rng.randrange(4)  # each has one operation, for those of two groups come in any order
        self.put(f"atomic_{['add', 'xor', 'or', 'max'][place]}(&total[{place}], ({self.expression('uint', 2)}){part});")

    def kernel(self):
        rng = self.rng
        for base in INTEGERS + FLOATS:
            text = f"in[(i * 13 + {self.count}) % {ITEMS}]"
            if base in FLOATS:
                factor = rng.choice(['0.001', '1.5e-7', '3e-5']) + ('f' if base == 'float' else '')
                self.fresh(base, f"({self.vector(base)})(({base})(int)({text}) * {factor})")
            else:
                wide = f"((ulong)in[(i * 7 + {self.count}) % {ITEMS}] << 32 | {text})" if BITS[base] == 64 else text
                lanes = f" + ({self.vector(base)})({', '.join(str(n) for n in range(self.width))})"
                self.fresh(base, f"({self.vector(base)})({base})({wide})" + (lanes if self.width > 1 else ""))
        for _ in range(rng.randrange(4, 10)):
            self.statement(4)
            if rng.random() < 0.25:
                self.exchange()
        self.put("ulong hash = 0;")
        for scope in self.scopes:
            for name, base in scope:
                for lane in range(self.width):
                    part = f"{name}.s{lane}" if self.width > 1 else name
                    as_bits = {"float": "as_uint", "double": "as_ulong"}.get(base, f"as_{unsigned(base)}")
                    bits = f"(isnan({part}) ? 7 : {as_bits}({part}))" if base in FLOATS else f"{as_bits}({part})"
                    self.put(f"hash = hash * 0x9e3779b97f4a7c15ul + {bits}; hash ^= hash >> 29;")
        self.put("out[i] = hash;")
        body = "\n".join(self.lines)
        return (f"/* run: {self.name} grid={ITEMS} group={GROUP}\n"
                f"   arg: in u32 {ITEMS} bits\n   arg: out u64 {ITEMS}\n   arg: inout u32 4 const 9 */\n"
                f"kernel void {self.name}(global const uint *in, global ulong *out, global uint *total) {{\n"
                f"  local uint shared[{GROUP}];\n  uint i = get_global_id(0), l = get_local_id(0);\n{body}\n}}\n")


def helpers(rng):
    """Functions that stay calls."""
    lines = []
    for base in INTEGERS:
        wide = unsigned(base)
        lines.append(f"__attribute__((noinline)) {base} call_{base}({base} a, {base} b) {{ return ({base})(({wide})a * "
                     f"({wide}){rng.randrange(1, 200)}u ^ ({wide})rotate(b, ({base})3)); }}")
    return "\n".join(lines)


def source(seed, number, kernels):
    rng = random.Random(f"{seed} {number}")
    parts = ["#pragma OPENCL FP_CONTRACT OFF", helpers(rng)]
    parts += [Writer(rng, f"r{number}_{k}").kernel() for k in range(kernels)]
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=6)
    parser.add_argument("--kernels", type=int, default=4)
    parser.add_argument("--levels", default="0,2")
    parser.add_argument("--wave64", action="store_true", help="waves of 64 lanes from gfx10 on")
    parser.add_argument("--keep")
    options = parser.parse_args()
    options.only = "*"
    absent = toolchain.missing("clang-22", "ld.lld-22")
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    start = time.time()
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        host, paths = toolchain.build_host(folder), []
        for number in range(options.files):
            paths.append(os.path.join(folder, f"random{options.seed}_{number}.cl"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(source(options.seed, number, options.kernels))
        passed, failed, spoiled = 0, 0, 0
        for found in pool.map(lambda path: programs.run_file(path, options, host, folder), paths):
            for kernel, level, error, _ in found:
                spoilt = bool(error) and error.startswith(("PoCL", "clang-22"))
                spoiled, failed, passed = spoiled + spoilt, failed + (bool(error) and not spoilt), passed + (not error)
                if error:
                    print(f"{'----' if spoilt else 'FAIL'} {os.path.basename(kernel.file)}:{kernel.name} -O{level}: {error}")
    print(f"{passed} kernel runs agree with PoCL, {failed} do not, {spoiled} the compilers refuse, {time.time() - start:.0f} s")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
