#!/usr/bin/env python3
"""Random LLVM IR compiled by `offgrid cc` and by llc-22, both run on offgrid: the results must be equal. Integers of all
sizes, floats, selects, phis, branches and loops that lanes take differently, LDS and global memory.

usage: cc_random.py --offgrid BUILD/offgrid [--processor gfx900] [--programs 40] [--seed 1] [--keep FOLDER]"""
import argparse
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

LANES = 128
FUNCTIONS = 3
WORDS = 8  # that each lane reads and writes
INTEGERS = ["i8", "i16", "i32", "i32", "i32", "i64"]
FLOATS = {"float": "f32", "double": "f64", "half": "f16"}
VECTORS = {"<2 x i32>": (2, "i32"), "<4 x i16>": (4, "i16")}
BASIC = INTEGERS + ["float"]
TYPES = BASIC + ["double", "half", "i128", *VECTORS]


class Program:
    """One kernel or function; `known` are values by type that are there where the next instruction stands."""

    def __init__(self, rng, registers=0, calls=False, number=""):
        self.registers, self.calls, self.number = registers, calls, number  # of a file of several
        self.rng, self.lines, self.count, self.blocks, self.block = rng, [], 0, 0, "entry"
        self.known = {kind: [] for kind in sorted(set(TYPES) | {"i1"})}  # in one order whatever the hash

    function = False  # it is one that is called

    def emit(self, kind, text):
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = {text}")
        self.known[kind].append(name)
        return name

    def label(self):
        self.blocks += 1
        return f"b{self.blocks}"

    def start(self, name):
        self.lines.append(f"{name}:")
        self.block = name

    def constant(self, kind):
        if kind == "i1":
            return self.rng.choice(["true", "false"])
        if kind in VECTORS:
            count, element = VECTORS[kind]
            return "<" + ", ".join(f"{element} {self.constant(element)}" for _ in range(count)) + ">"
        if kind in FLOATS and kind != "float":
            return str(float(self.rng.choice([0, 1, -2, 0.5, 100, -7.25])))
        if kind == "float":
            return f"0x{struct.unpack('<Q', struct.pack('<d', float(self.rng.choice([0, 1, -2, 0.5, 100, -7.25]))))[0]:016X}"
        bits = int(kind[1:])
        value = self.rng.choice([self.rng.randrange(-16, 65), self.rng.getrandbits(bits), 1 << self.rng.randrange(bits)])
        return str((value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1)))

    def value(self, kind):
        if not self.known[kind] or self.rng.random() < 0.15:
            return self.constant(kind)
        known = self.known[kind]
        return known[-1 - min(int(self.rng.expovariate(0.3)), len(known) - 1)]

    def operation(self):
        rng = self.rng
        kind = rng.choice(TYPES)
        a, b = self.value(kind), self.value(kind)
        if kind in VECTORS:
            return self.vector(kind, a, b)
        if kind in ("double", "half"):
            return self.real(kind, a, b)
        choice = rng.randrange(12)
        if kind == "float" and choice < 6:
            self.emit(kind, rng.choice([f"fadd float {a}, {b}", f"fsub float {a}, {b}", f"fmul float {a}, {b}",
                                        f"fneg float {a}", f"fdiv float {a}, {b}", f"call float @llvm.fabs.f32(float {a})",
                                        f"call float @llvm.fma.f32(float {a}, float {b}, float {self.value(kind)})"]))
        elif choice < 5 and kind != "float":
            self.emit(kind, f"{rng.choice(['add', 'sub', 'mul', 'and', 'or', 'xor'])} {kind} {a}, {b}")
        elif choice == 5:
            bits = int(kind[1:])
            amount = self.emit(kind, f"and {kind} {b}, {bits - 1}")
            self.emit(kind, f"{rng.choice(['shl', 'lshr', 'ashr'])} {kind} {a}, {amount}")
        elif choice == 6 and kind not in ("float", "i128"):
            odd = self.emit(kind, f"or {kind} {b}, 1")
            positive = self.emit(kind, f"lshr {kind} {odd}, 1")
            odd = self.emit(kind, f"or {kind} {positive}, 1")  # neither 0 nor -1
            self.emit(kind, f"{rng.choice(['udiv', 'sdiv', 'urem', 'srem'])} {kind} {a}, {odd}")
        elif choice == 7:
            self.compare(kind)
        elif choice == 8:
            self.emit(kind, f"select i1 {self.value('i1')}, {kind} {a}, {kind} {b}")
        elif choice == 9:
            self.emit("i1", f"{rng.choice(['and', 'or', 'xor'])} i1 {self.value('i1')}, {self.value('i1')}")
        elif choice == 10:
            self.cast()
        elif kind in ("i32", "i64", "i16"):
            name = rng.choice(["smin", "smax", "umin", "umax"])
            if kind == "i32" and rng.random() < 0.5:
                self.emit(kind, f"call i32 @llvm.{rng.choice(['fshl', 'fshr'])}.i32(i32 {a}, i32 {b}, i32 {self.value(kind)})")
            else:
                self.emit(kind, f"call {kind} @llvm.{name}.{kind}({kind} {a}, {kind} {b})")

    def vector(self, kind, a, b):
        rng, (count, element) = self.rng, VECTORS[kind]
        at, choice = rng.randrange(count), rng.randrange(5)
        if choice < 2:
            self.emit(kind, f"{rng.choice(['add', 'sub', 'mul', 'and', 'or', 'xor'])} {kind} {a}, {b}")
        elif choice == 2:
            self.emit(element, f"extractelement {kind} {a}, i32 {at}")
        elif choice == 3:
            self.emit(kind, f"insertelement {kind} {a}, {element} {self.value(element)}, i32 {at}")
        else:
            order = ", ".join(f"i32 {rng.randrange(2 * count)}" for _ in range(count))
            self.emit(kind, f"shufflevector {kind} {a}, {kind} {b}, <{count} x i32> <{order}>")

    def real(self, kind, a, b):
        rng, suffix, choice = self.rng, FLOATS[kind], self.rng.randrange(8)
        if choice < 5:
            texts = [f"fadd {kind} {a}, {b}", f"fsub {kind} {a}, {b}", f"fmul {kind} {a}, {b}", f"fneg {kind} {a}",
                     f"call {kind} @llvm.fabs.{suffix}({kind} {a})",
                     f"call {kind} @llvm.fma.{suffix}({kind} {a}, {kind} {b}, {kind} {self.value(kind)})"]
            self.emit(kind, rng.choice(texts))
        elif choice == 5:
            self.emit(kind, f"select i1 {self.value('i1')}, {kind} {a}, {kind} {b}")
        elif choice == 6:
            self.emit("i1", f"fcmp {rng.choice(['oeq', 'ogt', 'ole', 'uno', 'ult', 'une'])} {kind} {a}, {b}")
        elif kind == "double":
            self.emit(kind, rng.choice([f"fpext float {self.value('float')} to double", f"sitofp i32 {self.value('i32')} to double",
                                        f"uitofp i64 {self.value('i64')} to double"]))
        else:
            self.emit("float", f"fpext half {a} to float")

    def compare(self, kind):
        kind = kind if kind in BASIC or kind == "i128" else "i32"
        a, b = self.value(kind), self.value(kind)
        if kind == "float":
            return self.emit("i1", f"fcmp {self.rng.choice('oeq ogt oge olt ole one ord uno ueq ugt uge ult ule une'.split())} float {a}, {b}")
        return self.emit("i1", f"icmp {self.rng.choice('eq ne ugt uge ult ule sgt sge slt sle'.split())} {kind} {a}, {b}")

    def cast(self):
        rng = self.rng
        source, target = rng.choice(INTEGERS + ["i1", "i128"]), rng.choice(INTEGERS + ["i128"])
        a = self.value(source)
        size, goal = int(source[1:]), int(target[1:])
        if size < goal:
            self.emit(target, f"{rng.choice(['zext', 'sext'])} {source} {a} to {target}")
        elif size > goal:
            self.emit(target, f"trunc {source} {a} to {target}")
        elif source == "i32":
            self.emit("float", rng.choice([f"bitcast i32 {a} to float", f"sitofp i32 {a} to float", f"uitofp i32 {a} to float"]))
        elif source == "i64":
            self.emit("float", rng.choice([f"sitofp i64 {a} to float", f"uitofp i64 {a} to float"]))

    def snapshot(self):
        return {kind: list(names) for kind, names in self.known.items()}

    def region(self, depth):
        for _ in range(self.rng.randrange(2, 9)):
            choice = self.rng.random()
            if depth and choice < 0.14:
                self.branch(depth - 1)
            elif depth and choice < 0.22:
                self.loop(depth - 1)
            elif choice < 0.3 and not self.function:
                self.memory()
            elif choice < 0.36 and self.calls and not self.function:
                self.call()
            else:
                self.operation()

    def branch(self, depth):
        condition = self.value("i1") if self.known["i1"] and self.rng.random() < 0.5 else self.compare(self.rng.choice(TYPES))
        yes, no, join = self.label(), self.label(), self.label()
        outside, ends = self.snapshot(), []
        self.lines.append(f"  br i1 {condition}, label %{yes}, label %{no}")
        for side in (yes, no):
            self.known = {kind: list(names) for kind, names in outside.items()}
            self.start(side)
            self.region(depth)
            ends.append((self.block, {kind: self.value(kind) for kind in self.known}))
            self.lines.append(f"  br label %{join}")
        self.known = outside
        self.start(join)
        for kind in self.rng.sample(sorted(set(TYPES) | {"i1"}), 4):
            self.emit(kind, f"phi {kind} " + ", ".join(f"[ {values[kind]}, %{block} ]" for block, values in ends))

    def loop(self, depth):
        header, body, done = self.label(), self.label(), self.label()
        rounds = self.emit("i32", f"and i32 {self.value('i32')}, 3") if self.rng.random() < 0.7 else self.rng.randrange(4)
        before, outside = self.block, None
        kinds = self.rng.sample(sorted(set(TYPES)), 3)
        starts = {kind: self.value(kind) for kind in kinds}
        outside = self.snapshot()
        self.lines.append(f"  br label %{header}")
        at = len(self.lines)
        self.start(header)
        counter = self.emit("i32", "phi")
        phis = [(kind, self.emit(kind, "phi")) for kind in kinds]
        inside = self.snapshot()
        leave = self.label() if self.rng.random() < 0.4 else None
        if leave:  # a second way out of the middle
            early = self.compare(self.rng.choice(TYPES))
            self.lines.append(f"  br i1 {early}, label %{done}, label %{body}")
            self.start(body)
        self.region(depth)
        following = self.emit("i32", f"add i32 {counter}, 1")
        again = self.emit("i1", f"icmp ule i32 {following}, {rounds}")
        ends = {kind: self.value(kind) for kind, _ in phis}
        latch = self.block
        self.lines.append(f"  br i1 {again}, label %{header}, label %{done}")
        rest, self.lines = self.lines[at:], self.lines[:at]
        for line in rest:
            for (kind, name), start in [(("i32", counter), "0")] + [(phi, starts[phi[0]]) for phi in phis]:
                if line == f"  {name} = phi":
                    back = following if name == counter else ends[kind]
                    line = f"{line} {kind} [ {start}, %{before} ], [ {back}, %{latch} ]"
            self.lines.append(line)
        self.known = outside if not leave else {kind: outside[kind] for kind in outside}
        self.start(done)
        if leave:
            kind, name = self.rng.choice(phis)
            self.emit(kind, f"phi {kind} [ {name}, %{header} ], [ {ends[kind]}, %{latch} ]")
        for kind, name in phis + [("i32", counter)]:  # what the loop's header left
            self.known[kind].append(name)
        del inside

    def call(self):
        """Directly, of what a lane chooses, or of a function that calls itself."""
        given = f"i32 {self.value('i32')}, i64 {self.value('i64')}, float {self.value('float')}"
        choice = self.rng.randrange(3)
        if choice == 2:
            depth = self.emit("i32", f"and i32 {self.value('i32')}, 3")
            return self.emit("i32", f"call i32 @again{self.number}(i32 {depth}, {given})")
        callee = self.some_function()
        if choice:
            condition = self.compare("i32")
            self.count += 1
            callee = f"%p{self.count}"
            self.lines.append(f"  {callee} = select i1 {condition}, ptr {self.some_function()}, "
                              f"ptr {self.some_function()}")
        return self.emit("i32", f"call i32 {callee}({given})")

    def some_function(self):
        return f"@f{self.number}_{self.rng.randrange(FUNCTIONS)}"

    def functions(self):
        """Bodies of what call() calls."""
        lines = []
        for number in range(FUNCTIONS + 1):
            one = Program(self.rng, number=self.number)
            one.function = True
            again = number == FUNCTIONS
            one.lines = [f"define i32 @{f'again{self.number}' if again else f'f{self.number}_{number}'}({'i32 %n, ' if again else ''}i32 %a, i64 %b, float %c) "
                         "#1 {", "entry:"]
            one.known["i32"].append("%a"), one.known["i64"].append("%b"), one.known["float"].append("%c")
            one.region(1)
            result = one.value("i32")
            if again:
                given = f"i32 {one.value('i32')}, i64 {one.value('i64')}, float {one.value('float')}"
                one.lines += ["  %more = icmp ne i32 %n, 0", "  br i1 %more, label %again, label %end", "again:",
                              "  %next = sub i32 %n, 1", f"  %deeper = call i32 @again{self.number}(i32 %next, {given})",
                              f"  %sum = add i32 %deeper, {result}", "  ret i32 %sum", "end:"]
            lines += one.lines + [f"  ret i32 {result}", "}"]
        return lines

    def memory(self):
        kind = self.rng.choice(["i8", "i16", "i32", "i64", "float"])
        size = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4}[kind]
        space = self.rng.choice([1, 3])
        at = self.rng.randrange(0, 4 * WORDS - size + 1, size)
        self.count += 1
        name = f"%p{self.count}"
        self.lines.append(f"  {name} = getelementptr i8, ptr addrspace({space}) {'%own' if space == 1 else '%shared'}, i32 {at}")
        if kind == "i32" and self.rng.random() < 0.4:
            operation = self.rng.choice("add sub and or xor xchg max min umax umin".split())
            self.emit(kind, f"atomicrmw {operation} ptr addrspace({space}) {name}, i32 {self.value(kind)} "
                            'syncscope("agent") monotonic, align 4, !amdgpu.no.fine.grained.memory !1')
        elif self.rng.random() < 0.5:
            self.lines.append(f"  store {kind} {self.value(kind)}, ptr addrspace({space}) {name}, align {min(size, 4)}")
        else:
            self.emit(kind, f"load {kind}, ptr addrspace({space}) {name}, align {min(size, 4)}")

    def text(self):
        self.lines = [
            f"@lds{self.number} = internal addrspace(3) global [{LANES * WORDS} x i32] poison, align 16",
            f"define amdgpu_kernel void @k{self.number}(ptr addrspace(1) %data, i32 %a, i64 %b, float %c) #0 {{", "entry:",
            "  %id = call i32 @llvm.amdgcn.workitem.id.x()", f"  %bytes = mul i32 %id, {4 * WORDS}",
            "  %own = getelementptr i8, ptr addrspace(1) %data, i32 %bytes",
            f"  %shared = getelementptr i8, ptr addrspace(3) @lds{self.number}, i32 %bytes"]
        self.known["i32"] += ["%a", "%id"]
        self.known["i64"].append("%b")
        self.known["float"].append("%c")
        for word in range(WORDS):
            pointer = f"%in{word}"
            self.lines.append(f"  {pointer} = getelementptr i32, ptr addrspace(1) %own, i32 {word}")
            name = self.emit("i32", f"load i32, ptr addrspace(1) {pointer}, align 4")
            self.lines += [f"  %s{word} = getelementptr i32, ptr addrspace(3) %shared, i32 {word}",
                           f"  store i32 {name}, ptr addrspace(3) %s{word}, align 4"]
        functions = self.functions() if self.calls else []
        self.region(3)
        for word in range(WORDS):
            kind = self.rng.choice(["i32", "i32", "float", "i16", "i1", "double", "half", "i128", *VECTORS])
            value = self.value(kind)
            if kind in VECTORS:
                count, element = VECTORS[kind]
                kind, value = element, self.emit(element, f"extractelement {kind} {value}, i32 {self.rng.randrange(count)}")
            if kind == "i128":
                high = self.emit(kind, f"lshr i128 {value}, {self.rng.choice([0, 31, 64, 96])}")
                kind, value = "i32", self.emit("i32", f"trunc i128 {high} to i32")
            if kind in ("double", "half"):
                kind, value = "float", self.emit("float", f"{'fptrunc' if kind == 'double' else 'fpext'} {kind} {value} to float")
            if kind == "i1":
                value, kind = self.emit("i32", f"zext i1 {value} to i32"), "i32"
            if kind == "float":  # the bits of a NaN are nobody's promise
                number = self.emit("i1", f"fcmp ord float {value}, 0.0")
                value = self.emit("float", f"select i1 {number}, float {value}, float 1.0")
            self.lines.append(f"  store {kind} {value}, ptr addrspace(1) %in{word}, align 4")
        self.lines += ["  ret void", "}", *functions]
        return self.lines

    def ends(self):
        """What stands once in a file."""
        return ["declare i32 @llvm.amdgcn.workitem.id.x()", 
                       *(f"declare {kind} @llvm.fabs.{suffix}({kind})" for kind, suffix in FLOATS.items()),
                       *(f"declare {kind} @llvm.fma.{suffix}({kind}, {kind}, {kind})" for kind, suffix in FLOATS.items()),
                       *(f"declare i32 @llvm.{name}.i32(i32, i32, i32)" for name in ("fshl", "fshr")),
                       *(f"declare {kind} @llvm.{name}.{kind}({kind}, {kind})" for kind in ("i16", "i32", "i64")
                         for name in ("smin", "smax", "umin", "umax")),
                       'attributes #0 = { "amdgpu-flat-work-group-size"="1,128" "denormal-fp-math-f32"="ieee,ieee"' +
                       (f' "amdgpu-num-vgpr"="{self.registers}" "amdgpu-num-sgpr"="{self.registers + 8}"' if self.registers else "") + " }",
                       'attributes #1 = { noinline "denormal-fp-math-f32"="ieee,ieee" }',
                       "!llvm.module.flags = !{!0}", "!1 = !{}", '!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}']


def text_of(programs):
    """A module of several programs."""
    lines = ['target triple = "amdgcn-amd-amdhsa"'] + [line for program in programs for line in program.text()]
    return "\n".join(lines + programs[0].ends()) + "\n"


def rounded_halves(text):
    """The text with arithmetic of halves spelt as llc needs it for gfx6 and gfx7, which have none: left to itself it computes
    on in floats, and rounds where a value is stored or crosses into another block."""
    def spell(found):
        name, operation, operands = found.groups()
        values = re.split(r", (?:half )?", operands)
        wide = [f"{name}.{n}" for n in range(len(values))]
        if operation.startswith("call"):
            operation = operation.replace("f16", "f32") + "("
            result = f"{operation}{', '.join('float ' + w for w in wide)})".replace("call half", "call float")
        else:
            result = f"{operation} float {', '.join(wide)}"
        lines = [f"  {w} = fpext half {v} to float" for w, v in zip(wide, values)]
        return "\n".join(lines + [f"  {name}.wide = {result}", f"  {name} = fptrunc float {name}.wide to half"])
    text = re.sub(r"^  (%\S+) = (fadd|fsub|fmul) half (.*)$", spell, text, flags=re.MULTILINE)
    return re.sub(r"^  (%\S+) = (call half @llvm\.fma\.f16)\(half (.*)\)$", spell, text, flags=re.MULTILINE)


def run(offgrid, path, kernel, folder, rng):
    data = os.path.join(folder, "data")
    with open(data, "wb") as file:
        file.write(bytes(rng.getrandbits(8) if rng.random() < 0.7 else 0 for _ in range(4 * LANES * WORDS)))
    done = subprocess.run([offgrid, "run", path, "--kernel", kernel, "--grid", str(LANES), "--group", str(LANES), "--timeout", "20",
                           "--arg", f"inout:{data}", "--arg", "i32:7", "--arg", "i64:-123456789012", "--arg", "f32:1.5"],
                          capture_output=True, text=True, errors="replace", check=False)
    with open(data, "rb") as file:
        return (None, file.read()) if done.returncode == 0 else ((done.stderr or done.stdout)[:300], b"")


def compile_programs(options, base, programs):
    """None, or what is wrong; llc's code in base.llc, ours in base.cc."""
    # llc compiles without the limits: with few SGPRs it writes over the kernarg pointer's (gfx90a).
    for name, registers in ((base + ".ll", options.registers), (base + ".llc.ll", 0)):
        text = text_of([Program(random.Random(f"{options.seed} {n}"), registers, options.calls, n) for n in programs])
        if name.endswith(".llc.ll") and options.processor[:-2] in ("gfx6", "gfx7"):
            text = rounded_halves(text)
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    llc = subprocess.run(["llc-22", "-O1", "-mcpu=" + options.processor, "-filetype=obj", base + ".llc.ll", "-o", base + ".o"],
                         capture_output=True, text=True, check=False)
    if llc.returncode:
        return "llc-22: " + llc.stderr[:300]
    subprocess.run(["ld.lld-22", "-shared", base + ".o", "-o", base + ".llc"], check=True)
    ours = subprocess.run([options.offgrid, "cc", "-mcpu=" + options.processor, base + ".ll", "-o", base + ".cc"],
                          capture_output=True, text=True, errors="replace", check=False)
    if ours.returncode:
        return (ours.stderr or f"exit {ours.returncode}")[:400]
    lint = subprocess.run([options.offgrid, "lint", "--waits", base + ".cc"], capture_output=True, text=True, check=False)
    return "lint: " + (lint.stdout + lint.stderr)[:300] if lint.returncode else None


def compare(options, base, number, folder):
    """None, or what is wrong with this program of a file."""
    error, reference = run(options.offgrid, base + ".llc", f"k{number}", folder, random.Random(number))
    if error:
        return "llc's code: " + error
    error, mine = run(options.offgrid, base + ".cc", f"k{number}", folder, random.Random(number))
    if error:
        return "our code: " + error
    for i in range(0, len(mine), 4):
        if mine[i:i + 4] != reference[i:i + 4]:
            return f"lane {i // 4 // WORDS} word {i // 4 % WORDS}: {mine[i:i + 4][::-1].hex()}, by llc's code {reference[i:i + 4][::-1].hex()}"
    return None


def check(options, programs, folder):
    """(number, what is wrong) of programs that stand in one file; where it does not compile, of each by itself."""
    base = os.path.join(folder, f"p{programs[0]}" + (f"-{programs[-1]}" if len(programs) > 1 else ""))
    error = compile_programs(options, base, programs)
    if error and len(programs) > 1:
        for number in programs:
            yield from check(options, [number], folder)
        return
    for number in programs:
        wrong = error or compare(options, base, number, folder)
        if wrong:
            yield number, wrong


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
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        numbers = list(range(options.first, options.first + options.programs))
        for first in range(0, len(numbers), options.together):
            for number, error in check(options, numbers[first:first + options.together], folder):
                failed += 1
                print(f"program {number} of seed {options.seed}: {error}", flush=True)
    print(f"{options.programs - failed} of {options.programs} programs on {options.processor} do what llc-22's code does")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
