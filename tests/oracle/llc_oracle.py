#!/usr/bin/env python3
"""What llc makes, for every processor and operating system: files of llc_ir.py, from random choices of them, through
llc-22 as text and as an object. Of each:
  as    `offgrid as` of the text writes the object that llvm-mc-22 writes, byte for byte;
  dis   `offgrid dis` of llvm-mc's object, and of llc's own, assembles to the same sections, symbols and relocations;
  lint  has nothing to say, of the object and, for HSA, of what `offgrid ld` makes of it;
  info  names the kernels, the processor and the code object version.
llc-15 does the same for code object V2 and V3, but that llvm-mc-15 writes other objects of debug information.

usage: llc_oracle.py OFFGRID [FILES [SEED [PROCESSOR...]]]
"""
import collections
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import llc_ir

OFFGRID = os.path.abspath(sys.argv[1])
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 300
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
NEEDED = ["llc-22", "llvm-mc-22", "llc-15", "llvm-mc-15"]
if not all(map(shutil.which, NEEDED)):
    print("skipped: needs", *NEEDED)
    sys.exit(77)
TRIPLES = {"amdhsa": ["amdgcn-amd-amdhsa"], "amdpal": ["amdgcn-amd-amdpal", "amdgcn-unknown-amdpal"],
           "mesa3d": ["amdgcn-mesa-mesa3d", "amdgcn-unknown-mesa3d"], "": ["amdgcn-unknown-unknown"]}
OLD = ["gfx600", "gfx701", "gfx803", "gfx900", "gfx906"]  # what llc-15 has and can make V2 for
OPTIONS = ["", "", "", "--function-sections", "--data-sections", "--stack-size-section", "--relocation-model=pic",
           "--addrsig", "--unique-section-names=false --function-sections", "--amdgpu-dump-hsa-metadata=false",
           "--emit-call-site-info", "--trap-unreachable"]


def processors():
    listed = json.loads(subprocess.run([OFFGRID, "targets", "--json"], capture_output=True, check=True).stdout)
    return [p for p in listed if p["triple"].startswith("amdgcn")]


ALL = processors()


def run(*command, text=None):
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "does not end")


class Elf:
    """Just what must come back from `dis`: by name, for numbers and offsets may differ."""

    def __init__(self, path):
        data = open(path, "rb").read()
        self.ident, self.flags = data[7:9], struct.unpack_from("<I", data, 48)[0]
        start, count, names = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HH", data, 60)
        heads = [struct.unpack_from("<IIQQQQIIQQ", data, start + 64 * i) for i in range(count)]

        def string(table, offset):
            begin = heads[table][4] + offset
            return data[begin:data.index(b"\0", begin)].decode()
        self.names = [string(names, h[0]) for h in heads]
        self.sections, self.symbols, self.relocations = [], [], []
        for name, h in zip(self.names, heads):
            contents = b"" if h[1] == 8 else data[h[4]:h[4] + h[5]]
            if h[1] == 2:
                table = contents
                strings = h[6]
            elif h[1] in (1, 8, 14, 15, 16) or (h[1] == 7 and contents):
                self.sections.append((name, h[1], h[2], h[5], h[8] if h[1] != 7 else 4, h[9], contents.hex()))
        entries = [struct.unpack_from("<IBBHQQ", table, i) for i in range(0, len(table), 24)]

        def place(index):
            return self.names[index] if 0 < index < count else index
        def title(entry):
            return string(strings, entry[0]) if entry[0] else place(entry[3])
        for entry in entries:
            if entry[1] & 15 != 3 and entry[0]:
                self.symbols.append((title(entry), entry[1], entry[2], place(entry[3]), entry[4], entry[5]))
        self.symbols.sort(key=str)
        for name, h in zip(self.names, heads):
            if h[1] in (4, 9):
                size = 24 if h[1] == 4 else 16
                for i in range(h[4], h[4] + h[5], size):
                    offset, kind, symbol = struct.unpack_from("<QII", data, i)
                    addend = struct.unpack_from("<q", data, i + 16)[0] if h[1] == 4 else 0
                    # a local name and its section's name say the same
                    entry = entries[symbol]
                    if entry[1] >> 4 == 0 and 0 < entry[3] < count and h[1] == 4:
                        target, addend = place(entry[3]), addend + entry[4]
                    else:
                        target = title(entry)
                    self.relocations.append((name, offset, kind, target, addend))
        self.relocations.sort(key=str)

    def differs(self, other):
        for what in ("ident", "flags", "sections", "symbols", "relocations"):
            mine, others = getattr(self, what), getattr(other, what)
            if mine != others:
                if isinstance(mine, list):
                    return f"{what}: {[x for x in mine if x not in others][:2]} {[x for x in others if x not in mine][:2]}"[:600]
                return f"{what}: {mine} {others}"
        return None


def without_set_bit(case, path):
    """llvm-mc fills in compute_pgm_rsrc2 of an amd_kernel_code_t from gfx10 on with ones before it takes the fields,
    for a shift that extends a sign: the reserved bit stays set."""
    data = bytearray(open(path, "rb").read())
    if case.system == "mesa3d":
        start, count = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<H", data, 60)[0]
        heads = [struct.unpack_from("<IIQQQQIIQQ", data, start + 64 * i) for i in range(count)]
        for head in (h for h in heads if h[1] == 2):
            for at in range(head[4], head[4] + head[5], 24):
                _, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", data, at)
                if info & 15 == 10:
                    data[heads[section][4] + value + 55] &= 0x7f
    return bytes(data)


class Case:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.old = rng.random() < 0.08
        wanted = sys.argv[4:] or (OLD if self.old else None)
        processor = rng.choice([p for p in ALL if not wanted or p["processor"] in wanted])
        self.processor, self.compiler = processor["processor"], 15 if self.old else 22
        self.system = rng.choice(["amdhsa", "amdhsa", "amdpal", "amdpal", "mesa3d", ""])
        self.triple = rng.choice(TRIPLES[self.system])
        self.version = rng.choice([2, 3] if self.old else [4, 5, 6, 6])
        if "generic" in self.processor:
            self.version = 6
        self.attributes = []
        if len(processor["wave_sizes"]) > 1 and rng.random() < 0.3:
            self.attributes.append("+wavefrontsize64" if processor["wave_size"] == 32 else "+wavefrontsize32")
        for feature in processor["target_features"]:
            if rng.random() < 0.2:
                self.attributes.append(rng.choice("+-") + feature)
        if processor["wave_size"] == 32 and rng.random() < 0.1:
            self.attributes.append("+cumode")
        self.level = rng.choice(["-O0", "-O1", "-O2", "-O3"])
        self.options = "" if self.old else rng.choice(OPTIONS)
        self.text, self.kernels = llc_ir.module(rng, self.system, self.processor, self.triple)
        self.title = " ".join([f"seed {seed}:", self.triple, self.processor, ",".join(self.attributes), self.level,
                               f"V{self.version}", self.options])
        self.target = ["-mcpu=" + self.processor] + (["-mattr=" + ",".join(self.attributes)] if self.attributes else [])


def check(seed):
    case, failures, counts = Case(seed), [], collections.Counter()
    kept = os.environ.get("KEEP")  # a folder to look at afterwards
    with tempfile.TemporaryDirectory() as folder:
        one(case, kept or folder, failures, counts)
    return [f"{case.title}: {f}" for f in failures], counts


def one(case, folder, failures, counts):
    def path(name):
        return os.path.join(folder, name)
    open(path("k.ll"), "w", encoding="utf-8").write(case.text)
    made = {}
    module = f'!{{i32 1, !"amdhsa_code_object_version", i32 {case.version * 100}}}'
    if not case.old:  # the module says the version
        flags = "!llvm.module.flags = !{!4, !5" if "!llvm.module.flags" in case.text else None
        text = case.text.replace(flags, flags + ", !99") if flags else case.text + "!llvm.module.flags = !{!99}\n"
        open(path("k.ll"), "w", encoding="utf-8").write(text + "!99 = " + module + "\n")
    for kind in ("asm", "obj"):
        old = [f"--amdhsa-code-object-version={case.version}", "--opaque-pointers"] if case.old else []
        made[kind] = run(f"llc-{case.compiler}", *case.target, case.level, *case.options.split(), *old, f"-filetype={kind}",
                         path("k.ll"), "-o", path("k." + kind))
    if made["asm"].returncode:
        counts["not compiled"] += 1
        return
    lines = open(path("k.asm"), encoding="utf-8").read()
    for name in re.findall(r"\.amdgpu_lds (\S+),", lines):  # llvm-mc gives them the number 0xff00 there, which no symbol has
        lines = re.sub(r"\t\.addrsig_sym %s\n" % re.escape(name), "", lines)
    open(path("k.asm"), "w", encoding="utf-8").write(lines)
    command = ["-triple", case.triple, *case.target, f"--amdhsa-code-object-version={case.version}", "-filetype=obj", path("k.asm")]
    theirs = run(f"llvm-mc-{case.compiler}", *command, "-o", path("theirs.o"))
    ours = run(OFFGRID, "mc", *command, "-o", path("ours.o"))
    if theirs.returncode:
        counts["refused by llvm-mc"] += 1
        if not ours.returncode:
            failures.append("as: taken, llvm-mc says " + theirs.stderr[:200])
        return
    counts["sources"] += 1
    if ours.returncode:
        failures.append("as: " + ours.stderr[:300])
    elif without_set_bit(case, path("theirs.o")) != without_set_bit(case, path("ours.o")) and not (case.old and "!dbg" in case.text):
        failures.append("as: the objects differ: " + (Elf(path("theirs.o")).differs(Elf(path("ours.o"))) or "in layout"))
    for name in ["theirs.o"] + (["k.obj"] if not made["obj"].returncode else []):
        counts["objects"] += 1
        failures += [f"{name}: {f}" for f in check_object(case, path, name)]


def check_object(case, path, name):
    wave = [a for a in case.attributes if "wavefront" in a]
    done = run(OFFGRID, "dis", *(["-mattr=" + ",".join(wave)] if wave else []), path(name), "-o", path("dis.s"))
    if done.returncode or done.stderr:
        yield "dis: " + done.stderr[:300]
    done = run(OFFGRID, "as", *(["-mattr=" + ",".join(wave)] if wave else []), path("dis.s"), "-o", path("again.o"))
    if done.returncode or done.stderr:
        yield "dis, as: " + done.stderr[:300]
    else:
        differs = Elf(path(name)).differs(Elf(path("again.o")))
        if differs:
            yield "dis, as: " + differs
    checked = [name]
    if case.system == "amdhsa" and not run(OFFGRID, "ld", "--allow-undefined", path(name), "-o", path("k.hsaco")).returncode:
        checked.append("k.hsaco")
    for file in checked:
        done = run(OFFGRID, "lint", path(file))
        if done.returncode or done.stderr or done.stdout:
            yield f"lint {file}: " + (done.stderr + done.stdout)[:300].replace(path(""), "")
    done = run(OFFGRID, "info", "--json", path(name))
    try:
        info = json.loads(done.stdout)
    except ValueError:
        yield "info: " + (done.stderr or done.stdout)[:200]
        return
    if case.system == "amdhsa":
        found = sorted(k["name"] for k in info["kernels"])
        if not set(case.kernels) <= set(found) or info["code_object_version"] != case.version:
            yield f"info: V{info['code_object_version']} {found}, not {case.kernels}"
    if case.processor not in info["target"]:
        yield f"info: target {info['target']}"


def main():
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    seeds = [rng.randrange(1 << 32) for _ in range(COUNT)] if len(sys.argv) < 4 or COUNT > 1 else [SEED]
    total, failed = collections.Counter(), 0
    with ThreadPoolExecutor(2) as pool:
        for failures, counts in pool.map(check, seeds):
            total += counts
            failed += bool(failures)
            for failure in failures:
                print(failure)
    print(", ".join(f"{n} {what}" for what, n in total.items()), f"{failed} of them failed", sep=", ")
    return 1 if failed or not total["sources"] else 0


if __name__ == "__main__":
    sys.exit(main())
