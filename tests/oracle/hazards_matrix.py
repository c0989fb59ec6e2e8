#!/usr/bin/env python3
"""Generates kernels around matrix instructions, transcendental ones, permutations and masks, compiles them with llc-22 for
gfx900 to gfx1250, and takes what llc put between instructions (s_nop, v_nop, s_waitcnt_depctr, s_wait_alu) away: each s_nop
by one state, others whole. `lint --waits` finds each (OG505), and nothing in the code as llc made it. Some ways of llc-22 are its own:
on gfx908 it may wait longer than it has to, for it takes the longest of all matrix instructions on its way back; what was loaded
it treats as what vector instructions wrote where DPP reads it; on gfx1250 it asks for one kind of matrix instruction only, and does not look at pairs (v_dual_*).

usage: hazards_matrix.py OFFGRID [SEED [KERNELS [PROCESSOR...]]]
"""
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../programs"))
import toolchain  # noqa: E402

OFFGRID = sys.argv[1]
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 22
KERNELS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
LLC = "/usr/lib/llvm-22/bin/llc"
PROCESSORS = sys.argv[4:] or ["gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1012", "gfx1030", "gfx1100",
                             "gfx1150", "gfx1200", "gfx1250"]
CURE = re.compile(r"^\t(s_nop|v_nop|s_waitcnt_depctr|s_wait_alu)\b *(\S*).*\n", re.M)

F4, F16, F32, D1, D4, I4, I16 = "<4 x float>", "<16 x float>", "<32 x float>", "double", "<4 x double>", "<4 x i32>", "<16 x i32>"
H4, H8 = "<4 x half>", "<8 x half>"
MFMA = {  # name: A and B, C and D
    "mfma.f32.4x4x1f32": ("float", F4), "mfma.f32.16x16x1f32": ("float", F16), "mfma.f32.32x32x1f32": ("float", F32),
    "mfma.f32.16x16x4f32": ("float", F4), "mfma.f32.32x32x2f32": ("float", F16), "mfma.f32.4x4x4f16": (H4, F4),
    "mfma.f32.16x16x16f16": (H4, F4), "mfma.f32.32x32x8f16": (H4, F16), "mfma.f32.32x32x4f16": (H4, F32), "mfma.i32.4x4x4i8": ("i32", I4),
}
DOUBLES = {"mfma.f64.4x4x4f64": ("double", D1), "mfma.f64.16x16x4f64": ("double", D4)}
LATER = {"mfma.f32.16x16x32.fp8.fp8": ("i64", F4), "mfma.i32.32x32x16.i8": ("i64", I16)}
GFX950 = {"mfma.f32.16x16x32.f16": (H8, F4), "mfma.f32.32x32x16.f16": (H8, F16)}
SPARSE = {"smfmac.f32.16x16x32.f16": (H4, H8, F4), "smfmac.f32.32x32x16.f16": (H4, H8, F16)}
BITS = {"i16": 16, "float": 32, "half": 16, "double": 64, "i32": 32, "i64": 64}


def bits(type_):
    found = re.match(r"<(\d+) x (\w+)>", type_)
    return int(found[1]) * BITS[found[2]] if found else BITS[type_]


def kinds(processor, wave64):
    """Matrix instructions of a processor: name, suffix of overloads, types of arguments, result, how the call ends."""
    out = []
    if processor in ("gfx908", "gfx90a", "gfx942", "gfx950"):
        tables = [MFMA] + [DOUBLES] * (processor != "gfx908") + [LATER] * (processor in ("gfx942", "gfx950")) + [GFX950] * (processor == "gfx950")
        for table in tables:
            for name, (a, d) in table.items():
                if processor in ("gfx942", "gfx950") and name in ("mfma.i32.32x32x8i8",):
                    continue
                out.append((f"llvm.amdgcn.{name}", [a, a, d], d, ", i32 0, i32 0, i32 0"))
        if processor in ("gfx942", "gfx950"):
            out += [(f"llvm.amdgcn.{name}", [a, b, d, "i32"], d, ", i32 0, i32 0") for name, (a, b, d) in SPARSE.items()]
    h16, f8, h8, i8 = "<16 x half>", "<8 x float>", "<8 x half>", "<8 x i32>"
    if processor in ("gfx1100", "gfx1150") and not wave64:
        out += [("llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16", [h16, h16, f8], f8, "")]
    if processor == "gfx1200" and not wave64:
        out += [("llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16", [h8, h8, f8], f8, ""),
                ("llvm.amdgcn.swmmac.f32.16x16x32.f16.v8f32.v8f16.v16f16.i16", [h8, h16, f8, "i16"], f8, "")]
    if processor == "gfx1250":
        out += [("llvm.amdgcn.wmma.f32.16x16x32.f16.v8f32.v16f16", ["i1 0", h16, "i1 0", h16, "i16 0", f8], f8, ", i1 0, i1 0"),
                ("llvm.amdgcn.wmma.i32.16x16x64.iu8.v8i32.v8i32", ["i1 0", i8, "i1 0", i8, i8], i8, ", i1 0, i1 0"),
                ("llvm.amdgcn.wmma.f32.16x16x4.f32.v8f32.v2f32", ["i1 0", "<2 x float>", "i1 0", "<2 x float>", "i16 0", f8], f8,
                 ", i1 0, i1 0")]
    return out


class Kernel:
    """A function of straight lines with a loop, over values by type."""

    def __init__(self, source, processor, wave64):
        self.kinds = kinds(processor, wave64)
        self.random, self.processor, self.lines, self.values, self.count, self.declared = source, processor, [], {}, 0, set()

    def new(self, type_, text):
        self.count += 1
        self.lines.append(f"  %x{self.count} = {text}")
        self.values.setdefault(type_, []).append(f"%x{self.count}")
        return f"%x{self.count}"

    def load(self, type_):
        at = self.new("ptr", f"getelementptr i8, ptr addrspace(1) %p, i32 %o{self.random.randrange(2)}")
        return self.new(type_, f"load {type_}, ptr addrspace(1) {at}, align 16")

    def any(self, type_):
        """A value of the type, rather a late one; made of another where there is none."""
        known = self.values.get(type_, [])
        if known and self.random.random() < 0.8:
            return known[-1 - min(int(self.random.expovariate(1.2)), len(known) - 1)]
        wider = [t for t in self.values if t not in ("ptr", "i1") and t.startswith("<") and bits(t) > bits(type_) and bits(type_) >= 32]
        if not wider or self.random.random() < 0.3:
            return self.load(type_)
        from_type = self.random.choice(wider)
        words, wanted = bits(from_type) // 32, bits(type_) // 32
        cast = self.new(f"<{words} x i32>", f"bitcast {from_type} {self.values[from_type][-1]} to <{words} x i32>")
        first = self.random.randrange(0, words - wanted + 1)
        picked = ", ".join(f"i32 {first + k}" for k in range(wanted))
        part = self.new(f"<{wanted} x i32>", f"shufflevector <{words} x i32> {cast}, <{words} x i32> poison, <{wanted} x i32> <{picked}>")
        return self.new(type_, f"bitcast <{wanted} x i32> {part} to {type_}")

    def call(self, result, name, arguments, end=""):
        types = ", ".join([t for t, _ in arguments] + [part.split()[0] for part in end.split(",")[1:]])
        self.declared.add(f"declare {result} @{name}({types})")
        return self.new(result, f"call {result} @{name}(" + ", ".join(f"{t} {v}" for t, v in arguments) + end + ")")

    def matrix(self):
        name, types, result, end = self.random.choice(self.kinds)
        self.call(result, name, [tuple(t.split()) if t[0] == "i" and " " in t else (t, self.any(t)) for t in types], end)

    def store(self):
        types = [t for t in self.values if t not in ("ptr", "i1", "i16")]
        type_ = self.random.choice(types)
        self.lines.append(f"  store volatile {type_} {self.any(type_)}, ptr addrspace(1) %q, align 16")

    def vector(self):
        self.new("float", f"{self.random.choice(['fadd', 'fmul'])} float {self.any('float')}, {self.any('float')}")

    def trans(self):
        name = self.random.choice(["rcp", "rsq", "sqrt"])
        self.call("float", f"llvm.amdgcn.{name}.f32", [("float", self.any("float"))])

    def mask(self):
        a, b = self.any("float"), self.any("float")
        condition = self.new("i1", f"fcmp olt float {a}, {b}")
        self.new("float", f"select i1 {condition}, float {self.any('float')}, float {self.any('float')}")

    def lane(self):
        name = self.random.choice(["readfirstlane", "readlane"])
        value = self.any("i32")
        more = [("i32", self.call("i32", "llvm.amdgcn.readfirstlane.i32", [("i32", self.any("i32"))]))] if name == "readlane" else []
        self.call("i32", f"llvm.amdgcn.{name}.i32", [("i32", value)] + more)

    def dpp(self):
        if self.processor in ("gfx700",):
            return
        end = ", i32 280, i32 15, i32 15, i1 false"
        self.call("i32", "llvm.amdgcn.update.dpp.i32", [("i32", self.any("i32")), ("i32", self.any("i32"))], end)

    def scalar(self):
        first = self.call("i32", "llvm.amdgcn.readfirstlane.i32", [("i32", self.any("i32"))])
        more = self.new("i32", f"xor i32 {first}, {self.random.choice(['%n', '12345', '%o0'])}")
        self.new("i32", f"add i32 {more}, {self.any('i32')}")

    def dot(self):
        if self.processor in ("gfx906", "gfx908", "gfx90a", "gfx942", "gfx950"):
            self.call("i32", "llvm.amdgcn.sdot4", [("i32", self.any("i32")) for _ in range(3)], ", i1 false")

    def double(self):
        self.call("double", "llvm.fma.f64", [("double", self.any("double")) for _ in range(3)])

    def text(self, size):
        steps = [self.vector, self.trans, self.mask, self.lane, self.dpp, self.scalar, self.store, self.dot, self.double]
        self.values = {"i32": ["%t", "%n"], "ptr": []}
        for type_ in ("float", "i32", "double"):
            self.load(type_)
        for _ in range(size):
            self.matrix() if self.kinds and self.random.random() < 0.5 else self.random.choice(steps)()
        for type_ in [t for t in self.values if t not in ("ptr", "i1", "i16")]:
            self.lines.append(f"  store volatile {type_} {self.values[type_][-1]}, ptr addrspace(1) %q, align 16")
        body = "\n".join(self.lines)
        return ("define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n, i32 %o0) #0 {\n"
                "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n  %o1 = mul i32 %t, 256\n" + body + "\n  ret void\n}\n"
                "declare i32 @llvm.amdgcn.workitem.id.x()\n" + "\n".join(sorted(self.declared)) +
                '\nattributes #0 = { nounwind "amdgpu-flat-work-group-size"="1,256" }\n')


def found(assembly, folder, processor, wave64):
    source, built = os.path.join(folder, "k.s"), os.path.join(folder, "k.o")
    with open(source, "w", encoding="utf-8") as file:
        file.write(assembly)
    made = subprocess.run([OFFGRID, "as", f"-mcpu={processor}", source, "-o", built] + ["-mattr=+wavefrontsize64"] * wave64, capture_output=True, text=True, check=False)
    if made.returncode:
        return None, made.stderr
    said = subprocess.run([OFFGRID, "lint", "--waits", built], capture_output=True, text=True, check=False).stderr
    return said.count("[OG505]"), said


def is_own(said, processor):
    """Whether all that is told are llc's own ways."""
    told = [line for line in said.splitlines() if "[OG505]" in line]
    pairs = all("::" in line.split(" comes too soon")[0] or "to WMMA)" in line for line in told)
    return processor == "gfx1250" and bool(told) and pairs


def is_longer(before, after, processor):
    """Whether llc waits longer than hardware asks for."""
    last = [line for line in before.splitlines() if line.startswith("\tv_") or line.startswith("\t")][-24:]
    following = after.lstrip("\n").split("\n")[0]
    loaded = "_dpp" in following and any(re.match(r"\t(global|flat|buffer|ds|scratch)_", line) for line in last[-4:])
    return loaded or (processor == "gfx908" and sum("v_mfma" in line for line in last) > 1)


def without(assembly, cure):
    """The text with that much less; None where nothing is less."""
    name, amount = cure[1], cure[2]
    if name == "s_nop" and int(amount, 0) > 0:
        return assembly[:cure.start()] + f"\ts_nop {int(amount, 0) - 1}\n" + assembly[cure.end():]
    return assembly[:cure.start()] + assembly[cure.end():]


def main():
    if toolchain.missing("clang-22") or not os.path.exists(LLC):
        print("skipped: needs llc-22")
        sys.exit(77)
    removed = failed = own = 0
    print(f"seed {SEED}")
    with tempfile.TemporaryDirectory() as folder:
        for processor in PROCESSORS:
            here = 0
            for number in range(KERNELS):
                source = random.Random(f"{SEED} {processor} {number}")
                wave64 = processor.startswith(("gfx10", "gfx11", "gfx120")) and number % 2 == 1
                attributes = ["+wavefrontsize64"] if wave64 else []
                if processor.startswith("gfx9") or processor in ("gfx1010", "gfx1012"):
                    attributes += ["-xnack"]  # whose s_nops are no wait states
                ir = Kernel(source, processor, wave64).text(30)
                level = source.choice(["-O0", "-O1", "-O2", "-O2", "-O3"])
                done = subprocess.run([LLC, "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={processor}", level, "-o", "-",
                                       "-mattr=" + ",".join(attributes)], input=ir,
                                      capture_output=True, text=True, check=False)
                if done.returncode:
                    sys.exit(f"{processor} {number}: {done.stderr[:1500]}\n{ir[:3000]}")
                assembly = done.stdout
                count, said = found(assembly, folder, processor, wave64)
                if os.environ.get("KEEP"):
                    open(f"{os.environ['KEEP']}/{processor}_{number}.s", "w", encoding="utf-8").write(assembly)
                if is_own(said or "", processor):
                    own += 1
                    continue
                if count != 0:
                    failed += 1
                    print(f"{processor} {number} {level} as compiled: {count} {said[:1200]}")
                    continue
                for cure in CURE.finditer(assembly):
                    count, _ = found(without(assembly, cure), folder, processor, wave64)
                    removed += 1
                    here += 1
                    if not count and is_longer(assembly[:cure.start()], assembly[cure.end():], processor):
                        own += 1
                        continue
                    if not count:
                        failed += 1
                        before, after = assembly[:cure.start()].splitlines()[-8:], assembly[cure.end():].splitlines()[:3]
                        print(f"{processor} {number} {level} without {cure[0].strip()}: {count}\n" + "\n".join(before + ["-->"] + after))
            print(f"{processor}: {here}")
    print(f"{removed} taken out, {own} of llc's own ways, {failed} failed")
    sys.exit(bool(failed) or not removed)


main()
