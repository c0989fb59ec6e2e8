#!/usr/bin/env python3
"""Buffer intrinsics and buffer fat pointers: kernels over each intrinsic, type and way to address, compiled by `offgrid cc` and
by llc-22, change the same memory in the same way, with offsets inside and outside of the buffer; cache policies and addressing
modes are written in the instructions as llc's are. With --fat N, N random kernels over fat pointers. Accesses that llc-22 has no
instruction for are not compiled by us either.

usage: cc_buffers.py --offgrid BUILD/offgrid [--processor gfx900] [--only REGEX] [--every N] [--fat N] [--seed N] [--keep FOLDER]"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

LANES, BUFFER, RESULTS, VALUES = 64, 4096, 4096, 4096
FLOATS = ["float", "<2 x float>", "<3 x float>", "<4 x float>"]
HALVES = ["half", "<2 x half>", "<3 x half>", "<4 x half>"]
MOVED = ["i8", "i16", "half", "bfloat", "i32", "float", "<2 x i16>", "<2 x half>", "<4 x i8>", "i64", "double", "<2 x i32>", "<4 x i16>",
         "<4 x half>", "<8 x i8>", "ptr addrspace(1)", "<3 x i32>", "<3 x float>", "<4 x i32>", "<2 x i64>", "<2 x double>", "<8 x half>",
         "i128", "<16 x i8>", "<8 x bfloat>"]
ATOMICS = ["add", "sub", "smin", "umin", "smax", "umax", "and", "or", "xor", "inc", "dec", "swap"]
SIZES = {"i8": 1, "i16": 2, "half": 2, "bfloat": 2, "i32": 4, "float": 4, "i64": 8, "double": 8, "i128": 16, "ptr addrspace(1)": 8}
MANGLED = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "ptr addrspace(1)": "p1"}


def generation(processor):
    return int(processor[3:-2], 10), int(processor[-2], 16)


def mangle(kind):
    found = re.match(r"<(\d+) x (.*)>", kind)
    return f"v{found[1]}{mangle(found[2])}" if found else MANGLED.get(kind, kind)


def size_of(kind):
    found = re.match(r"<(\d+) x (.*)>", kind)
    return int(found[1]) * size_of(found[2]) if found else SIZES[kind]


def formats(processor, wide):
    """The flags of a resource of four floats of 32 or 16 bits: where their format stands, and its number."""
    major = generation(processor)[0]
    if major < 10:
        return 0xfac | 7 << 12 | (14 if wide else 12) << 15
    number = (77 if wide else 71) if major == 10 else 63 if wide else 57
    return 0xfac | number << 12 | (1 << 24 if major == 10 else 0) | (3 << 28)


def flags(processor):
    """Plain bytes; from gfx10 on what is checked are bytes."""
    major, minor = generation(processor)
    if major == 12 and minor >= 5:
        return 0
    return 0xfac | (14 if major < 10 else 0) << 15 | (7 << 12 if major < 10 else 22 << 12) | (1 << 24 if major == 10 else 0) | \
        (3 << 28 if major >= 10 else 0)


def tformat(processor, halves):
    major = generation(processor)[0]
    return (7 << 4 | (12 if halves else 14)) if major < 10 else (71 if halves else 77) if major == 10 else 57 if halves else 63


class Kernel:
    """One kernel: %p leads to the buffer, the results and values, one of each for a lane."""

    def __init__(self, name, processor, body, declarations, stride=0, size=BUFFER, given=None):
        self.name, self.declarations = name, declarations
        self.lines = ["  %id = call i32 @llvm.amdgcn.workitem.id.x()",
                      f"  %results = getelementptr i8, ptr addrspace(1) %p, i32 {BUFFER}",
                      f"  %values = getelementptr i8, ptr addrspace(1) %p, i32 {BUFFER + RESULTS}",
                      "  %lane = mul i32 %id, 64", "  %result = getelementptr i8, ptr addrspace(1) %results, i32 %lane",
                      "  %value = getelementptr i8, ptr addrspace(1) %values, i32 %lane",
                      "  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %p, "
                      f"i16 {stride}, i64 {size}, i32 {given if given is not None else flags(processor)})"] + body

    def text(self, symbol):
        return "\n".join([f"define amdgpu_kernel void @{symbol}(ptr addrspace(1) %p, i32 %uniform) #0 {{", *self.lines, "  ret void", "}"])


def ways(structured):
    """How the address is told: (offset's lines and value, scalar offset)."""
    return [("%o", "0", []), ("%o", "16", []), ("%o", "%uniform", []), ("%far", "0", ["  %far = add i32 %o, 1000"]),
            ("0", "0", []), ("5000", "0", []), ("%odd", "0", ["  %odd = add i32 %o, 8"])] + \
        ([("8", "0", []), ("0", "%uniform", [])] if structured else [])


def call(processor, name, operation, kind, result, before, more, form, way, auxiliary, rng):
    """A kernel that calls one intrinsic. `form`: raw, struct, with `ptr` or without."""
    structured, pointer = form[0] == "struct", form[1]
    offset, scalar, lines = way
    full = f"llvm.amdgcn.{form[0]}.{'ptr.' if pointer else ''}{operation}.{mangle_result(kind)}"
    resource = "ptr addrspace(8) %r" if pointer else "<4 x i32> %r4"
    body = [f"  %o = mul i32 %id, {rng.choice([4, 8, 16, 20])}" if not operation.startswith("buffer.atomic") else
            f"  %o = mul i32 %id, {rng.choice([8, 16])}"] + lines
    if not pointer:
        body += ["  %ri = ptrtoint ptr addrspace(8) %r to i128", "  %r4 = bitcast i128 %ri to <4 x i32>"]
    arguments = []
    for index in range(before):
        body += [f"  %v{index}p = getelementptr i8, ptr addrspace(1) %value, i32 {16 * index}",
                 f"  %v{index} = load {kind}, ptr addrspace(1) %v{index}p, align 4"]
        arguments.append(f"{kind} %v{index}")
    arguments += [resource] + (["i32 %id"] if structured else []) + [f"i32 {offset}", f"i32 {scalar}"]
    arguments += [f"i32 {m}" for m in more] + [f"i32 {auxiliary}"]
    types = [a.rsplit(" ", 1)[0] for a in arguments]
    if result == "void":
        body.append(f"  call void @{full}({', '.join(arguments)})")
    elif result == "unused":
        result = kind
        body.append(f"  %x = call {kind} @{full}({', '.join(arguments)})")
    else:
        body.append(f"  %x = call {result} @{full}({', '.join(arguments)})")
        if result[0] == "{":
            body += [f"  %d = extractvalue {result} %x, 0", f"  %s = extractvalue {result} %x, 1",
                     f"  store {kind} %d, ptr addrspace(1) %result",
                     "  %sp = getelementptr i8, ptr addrspace(1) %result, i32 32", "  store i32 %s, ptr addrspace(1) %sp"]
        else:
            body.append(f"  store {result} %x, ptr addrspace(1) %result, align 4")
    stride = rng.choice([8, 16] if "atomic" in operation else [8, 16, 20]) if structured else 0
    size = rng.choice([BUFFER, 512, 700]) if not structured else rng.choice([LANES, 40] if generation(processor)[0] > 7 else [1600, 900])
    given = None
    if "format" in operation or "tbuffer" in operation:
        given = formats(processor, "half" not in kind)
    elif structured and generation(processor) < (12, 5):
        given = flags(processor) & ~(3 << 28)
    declaration = f"declare {result} @{full}({', '.join(types)})"
    return Kernel(name, processor, body, [declaration], stride, size, given)


def mangle_result(kind):
    return mangle(kind) if kind[0] != "{" else "sl_" + "".join(mangle(k) for k in re.findall(r"<[^>]*>|\w+", kind)) + "s"


def table(processor, seed):
    """All kernels."""
    rng = random.Random(f"{seed} {processor}")
    forms = [("raw", True), ("raw", False), ("struct", True), ("struct", False)]
    auxiliaries = [0, 0, 1, 2, 3]
    plain = lambda form: rng.choice(ways(form[0] == "struct"))
    # Each lane its own place: where all have one, llc combines them, which out of range gives something else.
    apart = lambda form: rng.choice([w for w in ways(form[0] == "struct") if "%o" in w[0] + "".join(w[2])])
    for form in forms:
        for kind in MOVED:
            yield call(processor, f"{form} load {kind}", "buffer.load", kind, kind, 0, [], form, plain(form), rng.choice(auxiliaries), rng)
            yield call(processor, f"{form} store {kind}", "buffer.store", kind, "void", 1, [], form, plain(form), rng.choice(auxiliaries), rng)
        for way in ways(form[0] == "struct"):
            yield call(processor, f"{form} load at {way}", "buffer.load", "i32", "i32", 0, [], form, way, 0, rng)
            yield call(processor, f"{form} store at {way}", "buffer.store", "<2 x i32>", "void", 1, [], form, way, 0, rng)
        for kind in FLOATS + HALVES:
            number = tformat(processor, kind in HALVES)
            yield call(processor, f"{form} load.format {kind}", "buffer.load.format", kind, kind, 0, [], form, plain(form), 0, rng)
            yield call(processor, f"{form} store.format {kind}", "buffer.store.format", kind, "void", 1, [], form, plain(form), 0, rng)
            yield call(processor, f"{form} tload {kind}", "tbuffer.load", kind, kind, 0, [number], form, plain(form), 0, rng)
            yield call(processor, f"{form} tstore {kind}", "tbuffer.store", kind, "void", 1, [number], form, plain(form), 0, rng)
        for kind in ("float", "<4 x float>", "<2 x i32>") if processor not in ("gfx90a", "gfx942", "gfx950") else ():
            # these have no such bit: where it was, llc names accumulation registers
            both = f"{{ {kind}, i32 }}"
            one = call(processor, f"{form} load tfe {kind}", "buffer.load", both, both, 0, [], form, plain(form), 0, rng)
            one.lines = [line.replace(f"store {both} %d", f"store {kind} %d") for line in one.lines]
            yield one
        for name in ATOMICS:
            for kind in ("i32", "i64"):
                for result in (kind, "unused"):
                    yield call(processor, f"{form} {name} {kind} {result}", f"buffer.atomic.{name}", kind, result, 1, [], form, apart(form), 0, rng)
        for kind in ("i32", "i64"):
            yield call(processor, f"{form} cmpswap {kind}", "buffer.atomic.cmpswap", kind, kind, 2, [], form, apart(form), 0, rng)
        yield call(processor, f"{form} swap float", "buffer.atomic.swap", "float", "float", 1, [], form, apart(form), 0, rng)
        for name in ("fadd", "fmin", "fmax"):
            for kind in ("float", "double", "<2 x half>", "<2 x bfloat>")[:4 if name == "fadd" else 2]:
                for result in (kind, "unused"):
                    yield call(processor, f"{form} {name} {kind} {result}", f"buffer.atomic.{name}", kind, result, 1, [], form, apart(form), 0, rng)
        for name in ("cond.sub.u32", "sub.clamp.u32"):
            yield call(processor, f"{form} {name}", f"buffer.atomic.{name}", "i32", "i32", 1, [], form, apart(form), 0, rng)
        major, newer = generation(processor)[0], processor in ("gfx90a", "gfx942", "gfx950") or generation(processor)[0] > 11
        for auxiliary in (1, 2, 8, 1 << 31, *((4, 5, 7) if major > 9 else ()), *((16, 24) if newer else ())):
            signed = auxiliary - (1 << 32) if auxiliary >> 31 else auxiliary
            yield call(processor, f"{form} policy {auxiliary}", "buffer.load", "i32", "i32", 0, [], form, plain(form), signed, rng)
            yield call(processor, f"{form} store policy {auxiliary}", "buffer.store", "i32", "void", 1, [], form, plain(form), signed, rng)
            if auxiliary >> 31 == 0:
                yield call(processor, f"{form} atomic policy {auxiliary & ~1}", "buffer.atomic.add", "i32", "unused", 1, [], form, apart(form),
                           signed & ~1, rng)
    for kind in ("i32", "i64", "<2 x i32>", "float"):
        yield call(processor, f"atomic load {kind}", "atomic.buffer.load", kind, kind, 0, [], ("raw", True), plain(("raw", True)), 1, rng)
    yield from constant_buffers(processor, rng)
    yield from waterfalls(processor, rng)


def constant_buffers(processor, rng):
    kinds = ["i32", "float", "<2 x i32>", "<3 x i32>", "<4 x float>", "<8 x i32>", "<16 x i32>"]
    for kind in kinds + (["i8", "i16"] if generation(processor)[0] > 11 else []):
        for offset in ("%uniform", "64", "3000", "%o", "%far", "4100000"):
            body = ["  %o = mul i32 %id, 16", "  %far = add i32 %o, 1000", "  %ri = ptrtoint ptr addrspace(8) %r to i128",
                    "  %r4 = bitcast i128 %ri to <4 x i32>",
                    f"  %x = call {kind} @llvm.amdgcn.s.buffer.load.{mangle(kind)}(<4 x i32> %r4, i32 {offset}, i32 0)",
                    f"  store {kind} %x, ptr addrspace(1) %result, align 4"]
            yield Kernel(f"s.buffer.load {kind} {offset}", processor, body,
                         [f"declare {kind} @llvm.amdgcn.s.buffer.load.{mangle(kind)}(<4 x i32>, i32, i32)"])


def waterfalls(processor, rng):
    """Resources and scalar offsets that lanes differ in, some of them alike."""
    for kind in ("i32", "<4 x i32>"):
        for what in ("resource", "scalar", "both", "words"):
            alike = rng.choice([1, 2, 7])
            body = ["  %o = mul i32 %id, 4", f"  %k = and i32 %id, {alike}", "  %step = mul i32 %k, 128",
                    "  %q = getelementptr i8, ptr addrspace(1) %p, i32 %step",
                    "  %rr = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %q, i16 0, i64 1024, "
                    f"i32 {flags(processor)})"]
            resource = "%rr" if what != "scalar" else "%r"
            scalar = "%step" if what in ("scalar", "both") else "0"
            if what == "words":
                body += ["  %ri = ptrtoint ptr addrspace(8) %rr to i128", "  %r4 = bitcast i128 %ri to <4 x i32>",
                         f"  %x = call {kind} @llvm.amdgcn.raw.buffer.load.{mangle(kind)}(<4 x i32> %r4, i32 %o, i32 0, i32 0)"]
            else:
                body.append(f"  %x = call {kind} @llvm.amdgcn.raw.ptr.buffer.load.{mangle(kind)}(ptr addrspace(8) {resource}, i32 %o, "
                            f"i32 {scalar}, i32 0)")
            body += [f"  store {kind} %x, ptr addrspace(1) %result, align 4",
                     f"  call void @llvm.amdgcn.raw.ptr.buffer.store.{mangle(kind)}({kind} %x, ptr addrspace(8) {resource}, i32 0, "
                     f"i32 {scalar}, i32 0)"]
            yield Kernel(f"waterfall {what} {kind}", processor, body,
                         [f"declare {kind} @llvm.amdgcn.raw.ptr.buffer.load.{mangle(kind)}(ptr addrspace(8), i32, i32, i32)",
                          f"declare {kind} @llvm.amdgcn.raw.buffer.load.{mangle(kind)}(<4 x i32>, i32, i32, i32)",
                          f"declare void @llvm.amdgcn.raw.ptr.buffer.store.{mangle(kind)}({kind}, ptr addrspace(8), i32, i32, i32)"])


class Fat:
    """A random kernel over fat pointers: selects, phis, loops, loads and stores of any types, atomics, comparisons."""
    TYPES = ["i8", "i16", "i32", "i64", "float", "half", "<2 x i32>", "<3 x i32>", "<8 x i32>", "<6 x i16>", "<3 x i8>", "ptr addrspace(1)",
             "<4 x half>", "[3 x i32]", "{ i32, i16, double }"]
    BYTES = {"[3 x i32]": 12, "{ i32, i16, double }": 16}

    def __init__(self, rng, processor):
        self.rng, self.processor, self.body, self.names, self.used = rng, processor, [], 0, 0
        self.block, self.pointers = "entry", []

    def name(self):
        self.names += 1
        return f"%n{self.names}"

    def put(self, text):
        name = self.name()
        self.body.append(f"  {name} = {text}")
        return name

    def index(self):
        return self.rng.choice(["%id", "%few", str(self.rng.randrange(0, 40)), "%uniform"])

    def pointer(self):
        return self.rng.choice(self.pointers)

    def step(self):
        p, pick = self.pointer(), self.rng.randrange(9)
        if pick < 2:
            kind = self.rng.choice(["i8", "i32", "[4 x i16]", "{ i8, i32 }"])
            some = f"i32 {self.index()}" + (f", i32 {self.rng.randrange(2)}" if kind[0] in "[{" else "")
            self.pointers.append(self.put(f"getelementptr {'inbounds ' if self.rng.random() < 0.3 else ''}{kind}, ptr addrspace(7) {p}, {some}"))
        elif pick == 2:
            bit = self.put(f"icmp ult i32 %id, {self.rng.randrange(64)}")
            self.pointers.append(self.put(f"select i1 {bit}, ptr addrspace(7) {p}, ptr addrspace(7) {self.pointer()}"))
        elif pick == 3:
            self.branch()
        elif pick == 4:
            self.keep("i1", self.put(f"icmp {self.rng.choice(['eq', 'ne', 'ult'])} ptr addrspace(7) {p}, {self.pointer()}"))
        elif pick == 5:
            self.keep("i32", self.put(f"ptrtoint ptr addrspace(7) {p} to i32"))
        elif pick == 6:
            self.store(p)
        elif pick == 7:
            self.atomic(p)
        else:
            self.load(p)

    def load(self, p):
        kind = self.rng.choice(self.TYPES)
        self.keep(kind, self.put(f"load {kind}, ptr addrspace(7) {p}, align {self.rng.choice([1, 4])}"))

    def own(self, p):
        """A place that no other lane writes: order between lanes is nobody's promise."""
        at = self.put("mul i32 %id, 64")
        return self.put(f"getelementptr i8, ptr addrspace(7) {self.rng.choice(['%fat', '%through'])}, i32 {at}")

    def store(self, p):
        kind, at = self.rng.choice(self.TYPES), self.own(p)
        value = self.put(f"load {kind}, ptr addrspace(1) %value, align 4")
        self.body.append(f"  store {kind} {value}, ptr addrspace(7) {at}, align {self.rng.choice([1, 4])}")

    def atomic(self, p):
        at, pick = self.own(p), self.rng.randrange(4)
        if pick == 0:
            pair = self.put(f"cmpxchg ptr addrspace(7) {at}, i32 {self.rng.randrange(3)}, i32 %few seq_cst monotonic")
            self.keep("i32", self.put(f"extractvalue {{ i32, i1 }} {pair}, 0"))
        elif pick == 1:
            self.keep("float", self.put(f"atomicrmw fadd ptr addrspace(7) {at}, float 2.5 monotonic"))
        elif pick == 2:
            self.keep("i32", self.put(f"load atomic i32, ptr addrspace(7) {at} seq_cst, align 4"))
        else:
            kind, name = self.rng.choice(["i32", "i64"]), self.rng.choice(["add", "xchg", "umax", "min", "xor", "uinc_wrap"])
            self.keep(kind, self.put(f"atomicrmw {name} ptr addrspace(7) {at}, {kind} {self.rng.randrange(99)} {self.rng.choice(['monotonic', 'acq_rel'])}"))

    def branch(self):
        before, n = self.pointer(), self.names
        bit = self.put(f"icmp ult i32 %few, {self.rng.randrange(8)}")
        other = f"%other{n}"
        self.body += [f"  br i1 {bit}, label %yes{n}, label %no{n}", f"yes{n}:",
                      f"  {other} = getelementptr i32, ptr addrspace(7) {self.pointer()}, i32 {self.rng.randrange(9)}",
                      f"  br label %no{n}", f"no{n}:"]
        self.pointers.append(self.put(f"phi ptr addrspace(7) [{before}, %{self.block}], [{other}, %yes{n}]"))
        self.block = f"no{n}"

    def keep(self, kind, value):
        """Into the lane's results, at most 64 bytes."""
        if kind == "i1":
            kind, value = "i8", self.put(f"zext i1 {value} to i8")
        size = self.BYTES.get(kind) or (size_of(kind) + 3) // 4 * 4
        if self.used + size > 64:
            return
        at = self.put(f"getelementptr i8, ptr addrspace(1) %result, i32 {self.used}")
        self.body.append(f"  store {kind} {value}, ptr addrspace(1) {at}, align 4")
        self.used += size

    def kernel(self, number):
        self.body += ["  br label %entry", "entry:", "  %few = and i32 %id, 7", "  %fat = addrspacecast ptr addrspace(8) %r to ptr addrspace(7)",
                      "  %slot = alloca ptr addrspace(7), align 32, addrspace(5)",
                      "  store ptr addrspace(7) %fat, ptr addrspace(5) %slot", "  %through = load ptr addrspace(7), ptr addrspace(5) %slot"]
        self.pointers = ["%fat", "%through"]
        if self.rng.random() < 0.5:
            self.body += ["  %q = getelementptr i8, ptr addrspace(1) %p, i32 1024",
                          "  %second = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %q, i16 0, i64 2000, "
                          f"i32 {flags(self.processor)})"]
            self.pointers.append("%second")
        for _ in range(self.rng.randrange(8, 24)):
            self.step()
        return Kernel(f"fat {number}", self.processor, self.body,
                      ["declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1), i16, i64, i32)"])


# ---- both compilers ---------------------------------------------------------------------------------------------------------


def module(kernels):
    declarations = {"declare i32 @llvm.amdgcn.workitem.id.x()",
                    "declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)"}
    bodies = "\n".join(k.text(f"k{i}") for i, k in enumerate(kernels))
    for k in kernels:
        declarations |= {d for d in k.declarations if re.search(r"@[\w.]+", d)[0] in bodies}
    return "\n".join(['target triple = "amdgcn-amd-amdhsa"', bodies, *sorted(declarations),
                      f'attributes #0 = {{ "amdgpu-flat-work-group-size"="{LANES},{LANES}" }}']) + "\n"


def compile_module(options, kernels, base):
    """llc's error or None, ours or None."""
    with open(base + ".ll", "w", encoding="utf-8") as file:
        file.write(module(kernels))
    run = lambda *command: subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    llc = run("llc-22", "-O1", f"-mcpu={options.processor}", "-filetype=obj", base + ".ll", "-o", base + ".o")
    if llc.returncode == 0:
        subprocess.run(["ld.lld-22", "-shared", base + ".o", "-o", base + ".llc"], check=True)
    ours = run(options.offgrid, "cc", f"-mcpu={options.processor}", base + ".ll", "-o", base + ".cc")
    told = [line for line in llc.stderr.splitlines() if "error" in line.lower() or "cannot" in line.lower()]
    return (told or ["failed"])[0] if llc.returncode else None, (ours.stderr.strip().splitlines() or [str(ours.returncode)])[0] if ours.returncode else None


def run(options, code, name, memory):
    with open(code + ".mem", "wb") as file:
        file.write(memory)
    done = subprocess.run([options.offgrid, "run", code, "--kernel", name, "--grid", str(LANES), "--group", str(LANES), "--timeout", "20", "--arg",
                           f"inout:{code}.mem", "--arg", "u32:32"], capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        return (done.stderr or done.stdout)[:300]
    with open(code + ".mem", "rb") as file:
        return file.read()


def accesses(options, code):
    """By kernel: each buffer instruction with its words, registers aside."""
    text = subprocess.run([options.offgrid, "dis", code], capture_output=True, text=True, check=True).stdout
    out, name = {}, ""
    for line in text.splitlines():
        found = re.match(r"(k\d+):", line)
        name = found[1] if found else name
        words = line.split()
        if words and re.match(r"t?buffer_(load|store|atomic)", words[0]):
            kept = [w for w in words[1:] if re.fullmatch(r"offen|idxen|glc|slc|dlc|sc0|sc1|nt|scc|nv|tfe|th:\w+|scope:\w+|format:\S+", w)]
            out.setdefault(name, []).append(" ".join([words[0], *kept]))
    return out


def compare(options, kernels, base, rng):
    """[(kernel, what is wrong)]; both objects are there."""
    failed = []
    theirs, ours = accesses(options, base + ".llc"), accesses(options, base + ".cc")
    for number, kernel in enumerate(kernels):
        memory = bytearray(rng.randbytes(BUFFER + RESULTS + VALUES))
        for at in range(0, len(memory), 4):  # floats and halves that are numbers
            memory[at + 1] &= 0x3b
            memory[at + 3] &= 0x3b
        results = [run(options, base + end, f"k{number}", bytes(memory)) for end in (".llc", ".cc")]
        if isinstance(results[0], str) or isinstance(results[1], str):
            failed.append((kernel.name, f"run: llc's {results[0] if isinstance(results[0], str) else 'ran'}, "
                                        f"ours {results[1] if isinstance(results[1], str) else 'ran'}"))
        elif results[0] != results[1]:
            at = next(i for i in range(len(memory)) if results[0][i] != results[1][i])
            count = sum(a != b for a, b in zip(*results))
            failed.append((kernel.name, f"{count} bytes differ, first {at}: {results[1][at]:02x}, by llc's {results[0][at]:02x}"))
        elif not kernel.name.startswith(("fat", "waterfall", "s.buffer")) and sorted(theirs.get(f"k{number}", [])) != sorted(ours.get(f"k{number}", [])):
            failed.append((kernel.name, f"{ours.get(f'k{number}')}, by llc {theirs.get(f'k{number}')}"))
    return failed


def check(options, kernels, base, rng):
    """(failures, how many were compared, [what llc refuses and we compile], refused by both)"""
    theirs, ours = compile_module(options, kernels, base)
    if not theirs and not ours:
        lint = subprocess.run([options.offgrid, "lint", base + ".cc"], capture_output=True, text=True, check=False)
        wrong = [("lint", lint.stdout[:300])] if lint.returncode else []
        return wrong + compare(options, kernels, base, rng), len(kernels), [], 0
    if len(kernels) > 1:
        failed, count, more, both = [], 0, [], 0
        for n, kernel in enumerate(kernels):
            some = check(options, [kernel], f"{base}_{n}", rng)
            failed, count, more, both = failed + some[0], count + some[1], more + some[2], both + some[3]
        return failed, count, more, both
    if theirs and ours:
        return [], 0, [], 1
    if theirs:
        return [], 0, [(kernels[0].name, theirs)], 0
    return [(kernels[0].name, "refused: " + ours)], 0, [], 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--every", type=int, default=1, help="each so manieth kernel alone")
    parser.add_argument("--fat", type=int, help="so many random kernels over fat pointers instead")
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-22", "ld.lld-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    print("seed", options.seed)
    rng = random.Random(options.seed)
    if options.fat:
        kernels = [Fat(random.Random(f"{options.seed} {n}"), options.processor).kernel(n) for n in range(options.fat)]
    else:
        kernels = [k for n, k in enumerate(table(options.processor, options.seed)) if n % options.every == 0 and re.search(options.only, k.name)]
    failed, count, more, both = [], 0, [], 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for at in range(0, len(kernels), 12):
            some = check(options, kernels[at:at + 12], os.path.join(folder, f"m{at}"), rng)
            failed, count, more, both = failed + some[0], count + some[1], more + some[2], both + some[3]
    for name, error in failed:
        print(f"{options.processor} {name}: {error}")
    print(f"{options.processor}: {count} kernels compared, {len(failed)} failed; {both} refused by both, {len(more)} by llc-22 alone")
    for name, error in more[:8]:
        print(f"  not by llc-22: {name}: {error[:100]}")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
