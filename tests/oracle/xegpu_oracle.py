"""Modules of XeGPU in the spellings of MLIR 22 and 19, made from a seed, right and wrong in one place: what mlir-opt takes and refuses,
`offgrid opt` takes and refuses, too; what it prints mlir-opt reads back to the same module."""
import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ELEMENTS = {"22": ["f16", "bf16", "f32", "f64", "tf32", "i8", "i16", "i32", "i64", "ui8"], "19": ["f16", "bf16", "f32", "i8", "i32", "ui16"]}
HINTS = ["cached", "uncached", "streaming", "read_invalidate", "write_back", "write_through"]
READS, WRITES = HINTS[:4], HINTS[:2] + HINTS[4:]


class Module:
    def __init__(self, random_, version):
        self.random, self.version = random_, version
        self.lines, self.arguments, self.number = [], [], 0
        self.wrong = 0.12

    def pick(self, *items):
        return self.random.choice(items)

    def odd(self):
        return self.random.random() < self.wrong

    def size(self):
        return self.pick(8, 16, 16, 32) if not self.odd() else self.pick(1, 2, 4, 7, 24, 64)

    def argument(self, type_):
        name = f"%a{len(self.arguments)}"
        self.arguments.append((name, type_))
        return name

    def value(self, text):
        self.number += 1
        self.lines.append(f"    %v{self.number} = {text}")
        return f"%v{self.number}"

    def vector(self, shape, element):
        return "vector<" + "".join(f"{s}x" for s in shape) + element + ">"

    def hints(self, write):
        allowed = WRITES if write else READS
        names = [n for n in ("l1_hint", "l2_hint", "l3_hint") if self.random.random() < 0.3]
        return [f"{n} = #xegpu.cache_hint<{self.random.choice(HINTS if self.odd() else allowed)}>" for n in names]

    def properties(self, items):
        return f" <{{{', '.join(items)}}}>" if items else ""

    def indices(self, count):
        return "[" + ", ".join(self.pick("%i", "%j", "0", "8", "32") for _ in range(count)) + "]"

    def encoding(self, scattered, chunk):
        fields, r = [], self.random
        if self.version == "19":
            if scattered:
                fields.append("scattered = true")
            if not scattered and r.random() < 0.3:
                fields.append(f"array_length = {r.choice([1, 2])}")
            if r.random() < 0.2:
                fields.append(f"boundary_check = {r.choice(['true', 'false'])}")
            return f", #xegpu.tdesc_attr<{', '.join(fields)}>" if fields else ""
        if scattered:
            if chunk > 1:
                fields.append(f"chunk_size = {chunk}")
            return f", #xegpu.scatter_tdesc_attr<{', '.join(fields)}>"
        if r.random() < 0.15:
            fields.append(f"array_length = {r.choice([1, 2])}")
        if r.random() < 0.15:
            fields.append(f"boundary_check = {r.choice(['true', 'false'])}")
        return f", #xegpu.block_tdesc_attr<{', '.join(fields)}>" if fields else ""

    def layout(self, rank):
        if self.version == "19" or self.random.random() > 0.2:
            return ""
        lanes = {1: "[16]", 2: self.pick("[1, 16]", "[16, 1]", "[2, 8]")}[rank if not self.odd() else 3 - rank]
        data = {1: "[1]", 2: self.pick("[1, 1]", "[2, 1]")}[1 if lanes == "[16]" else 2]
        return f", #xegpu.layout<lane_layout = {lanes}, lane_data = {data}>"

    # ---- operations ----

    def nd(self):
        r, rank = self.random, self.pick(2, 2, 2, 1)
        element = r.choice(ELEMENTS[self.version])
        shape = [self.size() for _ in range(rank)]
        scattered = self.odd() and self.odd()
        desc = f"!xegpu.tensor_desc<{''.join(f'{s}x' for s in shape)}{element}{self.encoding(scattered, 1)}{self.layout(rank)}>"
        base_rank = rank if not self.odd() else self.pick(1, 2, 3)
        kind = self.pick("memref", "memref", "address", "dynamic")
        offsets = self.indices(base_rank)
        if self.version == "22" and r.random() < 0.4:
            offsets = ""
        extra = ""
        if kind != "memref" or self.odd():
            shapes, strides = self.indices(base_rank), self.indices(base_rank)
            extra = f", shape : {shapes}, strides : {strides}" if self.version == "22" else f", {shapes}, {strides}"
        if kind == "dynamic" and self.odd():
            extra = ""
        base_element = element if not self.odd() else r.choice(ELEMENTS[self.version])
        base = {"memref": "memref<" + "64x" * base_rank + base_element + ">", "address": self.pick("ui64", "i64") if not self.odd() else self.pick("i16", "si64", "f32"),
                "dynamic": "memref<" + "?x" * base_rank + base_element + ">"}[kind]
        if self.version == "19" and self.odd():
            offsets = self.indices(self.pick(1, 2))
        source = self.argument(base)
        tile = self.value(f"xegpu.create_nd_tdesc {source}{offsets}{extra} : {base} -> {desc}")
        self.use_nd(tile, desc, shape, element, rank)

    def use_nd(self, tile, desc, shape, element, rank):
        r = self.random
        where = self.indices(rank if not self.odd() else 3 - rank) if self.version == "22" and r.random() < 0.5 else ""
        what = self.pick("load", "load", "store", "prefetch", "update")
        bits = int(re.sub(r"\D", "", element)) if element != "tf32" else 32
        array = int(re.search(r"array_length = (\d+)", desc).group(1)) if "array_length" in desc else 1
        if what == "load":
            value, items = list(shape), self.hints(False)
            change = self.pick("plain", "plain", "packed", "transpose", "simt")
            if change == "transpose" and rank == 2:
                items.append("transpose = array<i64: 1, 0>")
                value.reverse()
            if change == "packed" and rank == 2 and bits < 32 and value[0] % (32 // bits) == 0:
                items.append("packed" if self.version == "22" else "vnni_axis = 0")
                value = [value[0] * bits // 32, value[1], 32 // bits]
            if array > 1:
                value = [array] + value
            if change == "simt" and self.version == "22":
                count = array
                for s in shape:
                    count *= s
                value, items = [max(1, count // 16)], self.hints(False)
            if self.odd():
                value[r.randrange(len(value))] += self.pick(1, 8)
            result = element if not self.odd() else r.choice(ELEMENTS[self.version])
            self.value(f"xegpu.load_nd {tile}{where}{self.properties(items)} : {desc} -> {self.vector(value, result)}")
        elif what == "store":
            value = list(shape)
            if self.odd():
                value[r.randrange(len(value))] *= 2
            type_ = self.vector(value, element if not self.odd() else r.choice(ELEMENTS[self.version]))
            self.lines.append(f"    xegpu.store_nd {self.argument(type_)}, {tile}{where}{self.properties(self.hints(True))} : {type_}, {desc}")
        elif what == "prefetch":
            self.lines.append(f"    xegpu.prefetch_nd {tile}{where}{self.properties(self.hints(False))} : {desc}")
        else:
            self.value(f"xegpu.update_nd_offset {tile}, {self.indices(rank if not self.odd() else 3 - rank)} : {desc}")

    def scattered(self):
        r, element, lanes = self.random, self.random.choice(ELEMENTS[self.version]), self.pick(16, 16, 32, 8, 4)
        chunk = self.pick(1, 1, 2, 4, 8)
        shape = [lanes] + ([chunk] if chunk > 1 else [])
        if self.odd():
            shape[-1] += 1
        wrong = self.odd()
        desc = f"!xegpu.tensor_desc<{''.join(f'{s}x' for s in shape)}{element}{self.encoding(not wrong, chunk if not self.odd() else 3)}>"
        base = self.pick(f"memref<256x{element}>", "ui64", "i64") if not self.odd() else f"memref<16x16x{element}>".replace("x" + element, "x" + element)
        source = self.argument(base)
        if self.version == "22":
            offsets = f"vector<{lanes if not self.odd() else 5}xindex>"
            tile = self.value(f"xegpu.create_tdesc {source}, {self.argument(offsets)} : {base}, {offsets} -> {desc}")
        else:
            size = f" {{chunk_size = {chunk} : i64}}" if chunk > 1 else ""
            tile = self.value(f"xegpu.create_tdesc {source} {self.indices(lanes if not self.odd() else 5)}{size} : {base} -> {desc}")
        mask = f"vector<{lanes if not self.odd() else 7}xi1>"
        value = list(shape)
        items, what = [], self.pick("load", "store", "prefetch", "update", "atomic")
        if what == "load":
            items = self.hints(False)
            if self.version == "19" and len(shape) == 2 and r.random() < 0.5:
                items.append("transpose = array<i64: 1, 0>")
                value.reverse()
            if self.odd():
                value[0] *= 2
            result = element if not self.odd() else r.choice(ELEMENTS[self.version])
            self.value(f"xegpu.load {tile}, {self.argument(mask)}{self.properties(items)} : {desc}, {mask} -> {self.vector(value, result)}")
        elif what == "store":
            if self.odd():
                value[0] *= 2
            type_ = self.vector(value, element)
            self.lines.append(f"    xegpu.store {self.argument(type_)}, {tile}, {self.argument(mask)}{self.properties(self.hints(True))} : {type_}, {desc}, {mask}")
        elif what == "prefetch":
            self.lines.append(f"    xegpu.prefetch {tile}{self.properties(self.hints(False))} : {desc}")
        elif what == "update" and self.version == "22":
            offsets = f"vector<{lanes if not self.odd() else 9}xindex>"
            self.value(f"xegpu.update_offset {tile}, {self.argument(offsets)} : {desc}, {offsets}")
        elif what == "atomic":
            mask = self.vector(shape if self.version == "19" else [lanes], "i1")
            type_ = self.vector(value, element)
            kind = self.pick("addf", "addi", "maxs", "minu", "assign", "ori")
            self.value(f"xegpu.atomic_rmw {kind} {tile}, {self.argument(mask)}, {self.argument(type_)} : {desc}, {mask}, {type_} -> {type_}")

    def offsets(self):
        """Gathers and scatters of MLIR 22 that take their offsets themselves."""
        if self.version == "19":
            return
        element, lanes, chunk = self.random.choice(ELEMENTS["22"]), self.pick(16, 16, 8), self.pick(1, 1, 2, 4)
        base = self.pick(f"memref<256x{element}>", "ui64")
        offsets, mask = f"vector<{lanes}xindex>", f"vector<{lanes if not self.odd() else 3}xi1>"
        shape = [lanes] + ([chunk] if chunk > 1 else [])
        if self.odd():
            shape[0] += 1
        items = [f"chunk_size = {chunk} : i64"] if chunk > 1 or self.odd() else []
        type_ = self.vector(shape, element)
        if self.pick(True, False):
            self.value(f"xegpu.load {self.argument(base)}[{self.argument(offsets)}], {self.argument(mask)}{self.properties(items + self.hints(False))} : {base}, {offsets}, {mask} -> {type_}")
        else:
            self.lines.append(f"    xegpu.store {self.argument(type_)}, {self.argument(base)}[{self.argument(offsets)}], {self.argument(mask)}"
                              f"{self.properties(items + self.hints(True))} : {type_}, {base}, {offsets}, {mask}")

    def dpas(self):
        element, m, n, k = self.pick("f16", "bf16", "i8", "tf32"), 8, 16, 16
        result = "i32" if element == "i8" else self.pick("f32", "f16")
        factor = {"i8": 4, "tf32": 1}.get(element, 2)
        a, b, c = [m, k], [k, n], [m, n]
        if self.version == "19":
            a, b = [m, k // factor, factor], [k // factor, n, factor]
        elif self.pick(True, False) and factor > 1:
            b = [k // factor, n, factor]
        elif self.pick(True, False, False):
            a, b, c = [8], [16], [8]
        for shape in (a, b, c):
            if self.odd():
                shape[self.random.randrange(len(shape))] *= 2
        other = element if not self.odd() else "f32"
        ta, tb, tc = self.vector(a, element), self.vector(b, other), self.vector(c, result)
        acc = self.pick(True, False)
        t2 = tc if not self.odd() else self.vector(c, "f64")
        arguments = [self.argument(ta), self.argument(tb)] + ([self.argument(t2)] if acc else [])
        self.value(f"xegpu.dpas {', '.join(arguments)} : {', '.join([ta, tb] + ([t2] if acc else []))} -> {tc}")

    def barriers(self):
        type_ = "i8" if not self.odd() else self.pick("i32", "index")
        self.lines.append(f"    xegpu.alloc_nbarrier {self.pick(1, 8, 32)}")
        arguments = self.argument(type_), self.argument("i8")
        barrier = self.value(f"xegpu.init_nbarrier {arguments[0]}, {arguments[1]} : {type_}, i8 -> !xegpu.nbarrier")
        self.lines.append(f"    xegpu.nbarrier_arrive {barrier} : !xegpu.nbarrier")
        self.lines.append(f"    xegpu.nbarrier_wait {barrier} : !xegpu.nbarrier")
        kind, scope = self.pick("global", "slm"), self.pick("workgroup", "gpu")
        if self.odd():
            scope = "subgroup"
        self.lines.append(f"    xegpu.fence memory_kind = {kind}, fence_scope = {scope}")

    def standard(self):
        what = self.pick("arith", "vector", "scf", "memref", "convert")
        e = self.pick("f32", "f16", "i32", "index")
        if what == "arith":
            op = self.pick("arith.addf", "arith.maximumf", "math.exp", "arith.addi", "arith.muli", "arith.andi", "arith.divsi", "math.sqrt")
            type_ = self.pick(e, f"vector<4x8x{e}>")
            count = 1 if op.startswith("math") else 2
            self.value(f"{op} {', '.join(self.argument(type_) for _ in range(count))} : {type_}")
        elif what == "vector":
            a, b = self.size(), self.size()
            big = f"vector<{a}x{b}x{e}>"
            part = f"vector<{b if not self.odd() else b + 1}x{e}>"
            self.value(f"vector.extract {self.argument(big)}[{self.pick(0, 1, a - 1, a)}] : {part} from {big}")
            self.value(f"vector.transpose {self.argument(big)}, [{self.pick('1, 0', '0, 1')}] : {big} to vector<{b}x{a}x{e}>")
            self.value(f"vector.shape_cast {self.argument(big)} : {big} to vector<{a * b if not self.odd() else a}x{e}>")
        elif what == "scf":
            type_ = f"vector<{self.size()}x{e}>"
            other = type_ if not self.odd() else "f64"
            start = self.argument(type_)
            self.value(f"scf.for %k = %i to %j step %i iter_args(%x = {start}) -> ({type_}) {{\n      scf.yield {self.pick('%x', self.argument(other))} : {self.pick(type_, type_)}\n    }}")
        elif what == "memref":
            rank = self.pick(1, 2)
            type_ = "memref<" + "16x" * rank + e + ">"
            self.value(f"memref.load {self.argument(type_)}[{', '.join(['%i'] * (rank if not self.odd() else rank + 1))}] : {type_}")
        else:
            a, b = self.pick("f16", "i8", "f32", "i64"), self.pick("f32", "i32", "f64", "f16")
            self.value(f"{self.pick('arith.extf', 'arith.truncf', 'arith.extsi', 'arith.sitofp', 'arith.fptosi')} {self.argument(a)} : {a} to {b}")

    def text(self):
        for _ in range(self.random.randint(1, 3)):
            self.pick(self.nd, self.nd, self.nd, self.scattered, self.scattered, self.offsets, self.dpas, self.barriers, self.standard)()
        arguments = ", ".join(f"{n}: {t}" for n, t in [("%i", "index"), ("%j", "index")] + self.arguments)
        return f"module {{\n  func.func @f({arguments}) {{\n" + "\n".join(self.lines) + "\n    return\n  }\n}\n"


def verdicts(tool, texts):
    """Whether the tool takes each text: one run over all, errors told apart by their lines."""
    separator = "// -----\n"
    starts, line = [], 1
    for text in texts:
        starts.append(line)
        line += text.count("\n") + 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.mlir"
        path.write_text(separator.join(texts))
        run = subprocess.run([tool, "--split-input-file", str(path), "-o", "/dev/null"], capture_output=True, text=True, check=False)
    errors = {}
    for match in re.finditer(r"all\.mlir:(\d+)(?: offset :(\d+))?:\d+: error: (.*)", run.stderr):
        index = max(i for i, s in enumerate(starts) if s <= int(match.group(1)) + (match.group(2) is not None))  # 19 tells the line of the split
        errors.setdefault(index, match.group(3))
    if run.returncode not in (0, 1):
        raise SystemExit(f"{tool} ended with {run.returncode}: {run.stderr[-500:]}")
    return errors


def normal(tool, text):
    run = subprocess.run([tool], input=text, capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else f"refused: {run.stderr}"


def respell(offgrid, version, text, counts):
    """The module in each other spelling: what is printed in MLIR's own mlir-opt takes, and it goes back. Modules of the generator are
    of many things that another spelling has no words for; that is told as an error of one operation."""
    for spelling in ("rfc", "first", "19", "22"):
        if spelling == version:
            continue
        run = subprocess.run([offgrid, "opt", f"--input-spelling={version}", f"--spelling={spelling}", "-"], input=text, capture_output=True, text=True, check=False)
        if run.returncode == 1 and re.search(r"<stdin>:\d+:\d+: error: 'xegpu\.\w+' op ", run.stderr):
            counts[f"{spelling} has no words"] = counts.get(f"{spelling} has no words", 0) + 1
            continue
        if run.returncode:
            return f"to {spelling}: {run.returncode} {run.stderr}"
        counts[spelling] = counts.get(spelling, 0) + 1
        if spelling in ("19", "22") and normal(f"mlir-opt-{spelling}", run.stdout).startswith("refused"):
            return f"mlir-opt-{spelling}: {normal(f'mlir-opt-{spelling}', run.stdout)}{run.stdout}"
        back = subprocess.run([offgrid, "opt", f"--input-spelling={spelling}", f"--spelling={version}", "-"], input=run.stdout, capture_output=True, text=True, check=False)
        if "chunks must fill 32 bits" in back.stderr or "a mask is of lanes" in back.stderr:
            continue  # of MLIR 22 chunks without a descriptor need not; in 19 each element of a chunk has its own
        if back.returncode or normal(f"mlir-opt-{version}", back.stdout).startswith("refused"):
            return f"back from {spelling}: {back.stderr}{run.stdout}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--read-back", type=int, default=25)
    parser.add_argument("--versions", default="22,19")
    parser.add_argument("--show", type=int, default=5)
    options = parser.parse_args()
    print("seed", options.seed)
    if not all(shutil.which(f"mlir-opt-{v}") for v in options.versions.split(",")):
        sys.exit(77)
    failed = False
    for version in options.versions.split(","):
        tool = f"mlir-opt-{version}"
        texts = [Module(random.Random(f"{options.seed} {version} {i}"), version).text() for i in range(options.count)]
        theirs, differ, back, taken, counts = verdicts(tool, texts), 0, 0, 0, {}
        for index, text in enumerate(texts):
            run = subprocess.run([options.offgrid, "opt", f"--input-spelling={version}", "-"], input=text, capture_output=True, text=True, check=False)
            if run.returncode not in (0, 1):
                print(f"offgrid opt ended with {run.returncode}:\n{text}{run.stderr}")
                failed = True
            taken += index not in theirs
            if (run.returncode != 0) != (index in theirs):
                differ += 1
                if differ <= options.show:
                    print(f"---- {version}, module {index}: mlir-opt {'refuses: ' + theirs[index] if index in theirs else 'takes it'}\n{text}{run.stderr}")
            elif run.returncode == 0 and back < options.read_back:
                back += 1
                if normal(tool, run.stdout) != normal(tool, text):
                    failed = True
                    print(f"---- {version}, module {index} is another one when printed:\n{text}{run.stdout}")
                wrong = respell(options.offgrid, version, text, counts)
                if wrong:
                    failed = True
                    print(f"---- {version}, module {index} in another spelling: {wrong}\n{text}")
        print(f"{version}: {options.count} modules, {taken} taken and {options.count - taken} refused by {tool}, {differ} otherwise here, {back} printed and read back; in others: {counts}")
        failed |= differ > 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
