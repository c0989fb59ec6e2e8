#!/usr/bin/env python3
"""Links random programs of several objects with `offgrid ld` and with ld.lld-22 and compares what a loader would see:
exported symbols, the targets of all relocated words, GOT slots and dynamic relocations, section contents.

usage: link_oracle.py OFFGRID [PROGRAMS [SEED]]
"""
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

import link_ways

OFFGRID = sys.argv[1]
PROGRAMS = int(sys.argv[2]) if len(sys.argv) > 2 else 12
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
TOOLS = {name: shutil.which(name) for name in ("llvm-mc-22", "ld.lld-22")}
if None in TOOLS.values():
    print("skipped: llvm-mc-22 and ld.lld-22 are needed")
    sys.exit(77)


class Elf:
    """Just enough of ELF64 to find sections, symbols and relocations."""

    def __init__(self, path):
        self.data = open(path, "rb").read()
        shoff, = struct.unpack_from("<Q", self.data, 40)
        count, names = struct.unpack_from("<HH", self.data, 60)
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.data, shoff + 64 * i) for i in range(count)]
        table = self.sections[names]
        self.names = [self.text(table, s[0]) for s in self.sections]

    def text(self, table, offset):
        start = table[4] + offset
        return self.data[start:self.data.index(b"\0", start)].decode()

    def symbols(self, kind):
        found = [s for s in self.sections if s[1] == kind]
        if not found:
            return []
        table, strings = found[0], self.sections[found[0][6]]
        result = []
        for i in range(table[5] // 24):
            name, info, other, index, value, size = struct.unpack_from("<IBBHQQ", self.data, table[4] + 24 * i)
            result.append((self.text(strings, name), info, other & 3, index, value, size))
        return result

    def relocations(self, loaded=False):
        """(section patched, offset, type, symbol, addend); `loaded`: those that a loader sees, not those kept by -q"""
        for s in self.sections:
            if s[1] != 4 or bool(s[2] & 2) != loaded:
                continue
            for i in range(s[5] // 24):
                offset, info, addend = struct.unpack_from("<QQq", self.data, s[4] + 24 * i)
                yield s[7], offset, info & 0xffffffff, info >> 32, addend

    def word(self, address, size):
        for s in self.sections:
            if s[2] & 2 and s[1] != 8 and s[3] <= address < s[3] + s[5]:
                return int.from_bytes(self.data[s[4] + address - s[3]:][:size], "little", signed=True)
        return None


def describe(elf, objects):
    """Everything that must not depend on the linker, with addresses turned into names."""
    symbols = [s for s in elf.symbols(2) if s[0] and s[3] not in (0, 0xfff1) and s[0] != "_DYNAMIC"]
    address = {s[0]: s[4] for s in symbols}
    by_address = sorted((s[4], s[5], s[0]) for s in symbols if s[5])

    def name(at):
        for value, size, text in by_address:
            if value <= at < value + size:
                return f"{text}+{at - value}"
        return "outside"

    facts = [("export", s[0], s[1], s[2], s[5]) for s in elf.symbols(11) if s[0]]
    dynamic = {}
    for _, offset, kind, symbol, addend in elf.relocations(loaded=True):
        target = name(addend) if kind == 13 else f"{elf.symbols(11)[symbol][0]}+{addend}"
        dynamic[offset] = f"{kind} {target}"
    for offset, text in dynamic.items():
        if name(offset) != "outside":
            facts.append(("dynamic", name(offset), text))
    for obj in objects:
        table = obj.symbols(2)
        for section, offset, kind, symbol, addend in obj.relocations():
            home = [s for s in table if s[3] == section and s[4] <= offset < s[4] + s[5]]
            if not home or home[0][0] not in address:
                continue
            place = address[home[0][0]] + offset - home[0][4]
            where = f"{home[0][0]}+{offset - home[0][4]}"
            if kind in (4, 10):  # distances
                facts.append(("near", where, name(place + elf.word(place, 4) - addend)))
            elif kind == 5:
                facts.append(("near", where, name(place + elf.word(place, 8) - addend)))
            elif kind in (7, 8):  # GOT
                slot = place + elf.word(place, 4) - addend
                facts.append(("got", where, dynamic.get(slot, elf.word(slot, 8))))
            elif kind in (9, 11):
                facts.append(("high", where, elf.word(place, 4)))
            else:
                facts.append(("word", where, kind, dynamic.get(place, elf.word(place, 4))))
    table = elf.symbols(2)
    for section, offset, kind, symbol, addend in elf.relocations():  # kept by -q
        text, info, _, _, value, _ = table[symbol]
        if name(offset) != "outside":
            facts.append(("kept", name(offset), kind, f"{text}+{addend}" if info & 15 != 3 else name(value + addend)))
    for text, _, _, index, value, size in symbols:
        if elf.sections[index][1] == 8:
            facts.append(("zero", text, size))
    return sorted(map(repr, facts))


def program(rng, number):
    """Sources of two to four objects: functions that call each other, data that points around, hidden, weak, local
    things."""
    count = rng.randint(2, 4)
    functions = [f"f{i}" for i in range(rng.randint(3, 8))]
    datas = [f"d{i}" for i in range(rng.randint(2, 6))]
    hidden = {n for n in functions + datas if rng.random() < 0.4}
    home = {n: rng.randrange(count) for n in functions + datas}
    sources = []
    for o in range(count):
        lines = []
        for n in functions:
            if home[n] != o:
                continue
            section = rng.choice([".text", f'.section .text.{n},"ax",@progbits'])
            lines += [section, f".globl {n}", f".{'hidden' if n in hidden else 'protected'} {n}",
                      f".p2align {rng.choice([2, 6, 8])}", f".type {n},@function", f"{n}:"]
            for _ in range(rng.randint(0, 3)):
                target = rng.choice(functions + datas)
                how = rng.choice(["rel32", "gotpcrel32"])
                lines += ["  s_getpc_b64 s[4:5]", f"  s_add_u32 s4, s4, {target}@{how}@lo+4",
                          f"  s_addc_u32 s5, s5, {target}@{how}@hi+12"]
            lines += ["  s_endpgm", f".size {n}, .-{n}"]
        for n in datas:
            if home[n] != o:
                continue
            kind = rng.choice(["data", "rodata", "bss", "relro"])
            section = {"data": ".data", "rodata": f'.section .rodata.{n},"a",@progbits', "bss": ".bss", "relro": '.section .data.rel.ro,"aw",@progbits'}[kind]
            size = 8 * rng.randint(1, 4)
            lines += [section, f".globl {n}", f".{'hidden' if n in hidden else 'protected'} {n}",
                      f".p2align {rng.randint(3, 7)}", f".type {n},@object", f"{n}:"]
            for i in range(size // 8):
                other = rng.choice(functions + datas)
                if kind == "bss":
                    lines.append("  .zero 8")
                elif kind == "rodata":
                    lines.append(f"  .quad {other}-{n}" if home[other] == o and other == n
                                 else f"  .quad {rng.randrange(1 << 62)}")
                else:
                    lines.append(f"  .quad {other}+{rng.choice([0, 4])}" if rng.random() < 0.7
                                 else f"  .quad {rng.randrange(1 << 62)}")
            lines += [f".size {n}, {size}"]
        if rng.random() < 0.5:
            lines += [".text", ".weak w", ".hidden w", ".type w,@function", "w:", "  s_nop 0", ".size w, 4"]
        if o == 0:
            lines += [".comm shared_common, 16, 8", '.section .comment,"MS",@progbits,1', '.asciz "random"']
        sources.append("\n".join(lines) + "\n")
    return sources, (functions, datas)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")


def main():
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    facts = failures = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(PROGRAMS):
            cpu = rng.choice(["gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1200"])
            objects = []
            sources, names = program(rng, number)
            for i, text in enumerate(sources):
                source, obj = os.path.join(folder, f"{i}.s"), os.path.join(folder, f"{i}.o")
                open(source, "w").write(text)
                run(TOOLS["llvm-mc-22"], "-triple", "amdgcn-amd-amdhsa", f"-mcpu={cpu}", "-filetype=obj", source, "-o",
                    obj)
                objects.append(obj)
            way, given = link_ways.inputs(rng, objects, folder)
            functions, data = names
            arguments = link_ways.options(rng, functions, data, folder, True)
            partial = rng.random() < 0.25
            linked = link_ways.both(rng, OFFGRID, arguments, given, folder, partial)
            if linked is None:
                refused += 1
                continue
            ours, theirs = linked
            inputs = [Elf(o) for o in objects]
            a, b = describe(Elf(ours), inputs), describe(Elf(theirs), inputs)
            facts += len(b)
            if a != b:
                failures += 1
                print(f"program {number} ({cpu}, {way}{' -r' * partial} {' '.join(arguments)}) differs: < ours, > lld")
                for line in sorted(set(a) - set(b))[:8]:
                    print("  <", line)
                for line in sorted(set(b) - set(a))[:8]:
                    print("  >", line)
    print(f"{PROGRAMS} programs, {facts} facts, {refused} refused by both, {failures} differ")
    sys.exit(bool(failures))


main()
