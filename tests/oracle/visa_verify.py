#!/usr/bin/env python3
"""Generated vISA programs on offgrid's verifier and on GenX_IR: they accept and refuse the same ones, except those the
operand chapter forbids and GenX_IR lets through, which offgrid must refuse. usage: visa_verify.py OFFGRID [COUNT
[SEED]]"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HEADER = """.version 4.1
.kernel "k"
.decl D v_type=G type=d num_elts=64 align=GRFx2
.decl D2 v_type=G type=d num_elts=64 align=GRFx2
.decl U v_type=G type=ud num_elts=64 align=GRFx2
.decl F v_type=G type=f num_elts=64 align=GRFx2
.decl W v_type=G type=w num_elts=64 align=GRFx2
.decl UW v_type=G type=uw num_elts=64 align=GRFx2
.decl B v_type=G type=b num_elts=64 align=GRFx2
.decl UB v_type=G type=ub num_elts=64 align=GRFx2
.decl HF v_type=G type=hf num_elts=64 align=GRFx2
.decl BF v_type=G type=bf num_elts=64 align=GRFx2
.decl DF v_type=G type=df num_elts=32 align=GRFx2
.decl Q v_type=G type=q num_elts=32 align=GRFx2
.decl UQ v_type=G type=uq num_elts=32 align=GRFx2
.decl A0 v_type=A num_elts=16
.decl P1 v_type=P num_elts=32
.decl P8 v_type=P num_elts=8
.decl T6 v_type=T num_elts=1
.input D offset=128 size=256
.kernel_attr SimdSize=16
.function "main"
main:
"""
TYPES = {"D": "d", "D2": "d", "U": "ud", "F": "f", "W": "w", "UW": "uw", "B": "b", "UB": "ub", "HF": "hf", "BF": "bf",
         "DF": "df",
         "Q": "q", "UQ": "uq"}
IMMEDIATES = {"hf": "0x3c00:hf", "f": "0x3f800000:f", "df": "0x3ff0000000000000:df"}
UNARY = ["mov", "sin", "cos", "sqrt", "rsqrt", "inv", "exp", "log", "rndd", "rndz", "frc", "lzd", "cbit", "fbl", "fbh",
         "bfrev", "not"]
BINARY = ["add", "mul", "and", "or", "xor", "shl", "shr", "asr", "avg", "mulh", "min", "max", "pow", "sel", "div",
          "mod"]
TERNARY = ["mad", "bfe", "dp4a", "lrp"]
PLATFORMS = {"skl": ("SKL", 32), "tgllp": ("TGLLP", 32), "dg2": ("DG2", 32), "pvc": ("PVC", 64)}
# What only the chapter forbids; each is a regular expression for offgrid's message.
STRICTER = ["span", "out of the bounds", "beyond the register", "indirect offset", "predicate P[0-9]+ has",
            "address elements",
            "mask M", "modifier .~.", "must not be 0", "cannot have type (v|uv|vf|bool)",
            "(sqrt|inv) cannot have type (u?[bwdq]|bf) "]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *items):
        return self.random.choice(items)

    def often(self, usual, *others):
        return usual if self.random.random() < 0.8 else self.pick(*others)

    def origin(self):
        return f"({self.often(0, 1, 2, 7)},{self.often(0, 1, 4, 7, 12)})"

    def region(self, size):
        width = self.often(min(size, 8), 1, 2, 4, 8, 16)
        if width == 1:
            return f"<{self.pick(0, 1, 2, 4)};1,0>"
        return f"<{self.often(width, 0, 4, 16)};{width},{self.often(1, 0, 2)}>"

    def family(self):
        """Variables that usually go together."""
        return self.often(["D", "D2"], ["F"], ["W"], ["U"], ["HF"], ["B"], ["UB"], ["Q", "UQ"], ["DF"], ["BF", "F"],
                          ["DF", "F"], list(TYPES))

    def source(self, family, size):
        kind = self.random.random()
        variable = self.pick(*family)
        modifier = self.often("", "(-)", "(abs)", "(~)")
        if kind < 0.7:
            return f"{modifier}{variable}{self.origin()}{self.region(size)}"
        if kind < 0.85:
            kind = TYPES[variable]
            return IMMEDIATES.get(kind) or f"0x{self.pick('1', '7f')}:{kind if kind != 'bf' else 'uw'}"
        region = self.pick(self.region(size), f"<{min(size, 8)},1>", "<1,0>")
        return f"{modifier}r[A0({self.often(0, 1, 15)}),{self.often(0, 32, -512, 511, 512, -600)}]{region}:{TYPES[variable]}"

    def destination(self, family):
        variable = self.pick(*family)
        stride = self.often(1, 2, 4, 0)
        if self.random.random() < 0.9:
            return f"{variable}{self.origin()}<{stride}>"
        return f"r[A0(0),{self.often(0, 32, 512)}]<{stride}>:{TYPES[variable]}"

    def instruction(self):
        size = self.pick(1, 2, 4, 8, 8, 16, 16)
        mask = self.often("M1", "M2", "M3", "M5", "M1_NM")
        family = self.family()
        kind = self.random.random()
        head = f"({mask}, {size})"
        if kind < 0.1:
            return f"cmp.{self.pick('lt', 'eq')} {head} {self.pick('P1', 'P8')} {self.source(family, size)} {self.source(family, size)}"
        predicate = self.often("", "(P1) ", "(!P8) ", "(P1.any) ")
        if kind < 0.15:
            return f"{self.pick('and', 'or', 'xor')} {head} P1 P1 {self.pick('P1', 'P8')}"
        if kind < 0.2:
            channels = self.pick("R", "RG", "RGBA")
            return (f"{self.pick('gather4_scaled', 'scatter4_scaled')}.{channels} ({self.pick('M1', 'M3', 'M5')}, {self.pick(8, 16)}) T6 0x0:ud "
                    f"U.{self.often(0, 64, 4)} D.{self.often(0, 64, 8)}")
        saturation = self.often("", ".sat")
        if kind < 0.5:
            return f"{predicate}{self.pick(*UNARY)}{saturation} {head} {self.destination(family)} {self.source(family, size)}"
        if kind < 0.9:
            op = self.pick(*BINARY)
            if op in ("min", "max"):
                predicate = ""
            return f"{predicate}{op}{saturation} {head} {self.destination(family)} {self.source(family, size)} {self.source(family, size)}"
        sources = " ".join(self.source(family, size) for _ in range(3))
        return f"{predicate}{self.pick(*TERNARY)} {head} {self.destination(family)} {sources}"


def genx(text, platform, folder):
    with open(os.path.join(folder, "t.visaasm"), "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run(["GenX_IR", "t.visaasm", "-platform", platform], cwd=folder, capture_output=True, text=True,
                          check=False)
    return done.returncode


def ours(offgrid, text, platform, folder):
    path = os.path.join(folder, "o.visaasm")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([offgrid, "lint", f"-mcpu={platform}", path], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def main():
    if not shutil.which("GenX_IR"):
        print("GenX_IR is not installed")
        return 77
    offgrid, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    generator = Generator(seed)
    tally = {"both accept": 0, "both refuse": 0, "only the chapter forbids": 0, "GenX_IR crashes": 0}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(count):
            name = generator.pick(*PLATFORMS)
            instruction = generator.instruction()
            text = HEADER + f"    {instruction}\n    ret (M1, 1)\n"
            theirs = genx(text, PLATFORMS[name][0], folder)
            code, message = ours(offgrid, text, name, folder)
            first = message.splitlines()[0] if message else ""
            if code not in (0, 1):
                verdict = None
            elif theirs < 0:
                verdict = "GenX_IR crashes"
            elif (theirs == 0) == (code == 0):
                verdict = "both accept" if code == 0 else "both refuse"
            elif code == 1 and any(re.search(rule, first) for rule in STRICTER):
                verdict = "only the chapter forbids"
            else:
                verdict = None
            if verdict:
                tally[verdict] += 1
            else:
                wrong += 1
                print(f"{name}: {instruction}\n  GenX_IR {theirs}, offgrid {code} {first}")
    print(f"seed {seed}: " + ", ".join(f"{value} {key}" for key, value in tally.items()) + f", {wrong} differ")
    return 1 if wrong else 0


sys.exit(main())
