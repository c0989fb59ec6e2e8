#!/usr/bin/env python3
"""Files made to cost far more memory than they are long: each must end in one error, or be read, in a process that has
no more address space than it starts with and 16 times the file.

usage: hostile_memory.py OFFGRID
"""
import os
import resource
import struct
import subprocess
import sys
import tempfile
import zlib

OFFGRID = sys.argv[1]
EVERY = int(sys.argv[2]) if len(sys.argv) > 2 else 1  # of the verbs, others for each file
SIZE = 4 << 20  # of a file, roughly


def elf(sections, kind=3, flags=0x12c):
    """An AMDGPU ELF64 of (name offset, type, flags, data, link, info, alignment, entry size); the first is the null
    section."""
    out, headers = bytearray(64), []
    for name, type_, section_flags, data, link, info, alignment, entry in sections:
        headers.append((name, type_, section_flags, 0, len(out), len(data), link, info, alignment, entry))
        out += data
        out += bytes(-len(out) % 8)
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1\x40\4" + bytes(7), kind, 224, 1, 0, 0, len(out), flags,
                         64, 56, 0, 64, len(sections) if len(sections) < 0xff00 else 0, 1)
    out[:64] = header
    for i, h in enumerate(headers):
        out += struct.pack("<IIQQQQIIQQ",
                           *(h if i or len(sections) < 0xff00 else (0, 0, 0, 0, 0, len(sections), 0, 0, 0, 0)))
    return bytes(out)


NULL = (0, 0, 0, b"", 0, 0, 0, 0)


def strings(extra=b""):
    return (0, 3, 0, b"\0" + extra + b"\0", 0, 0, 1, 0)


def note(name, kind, description):
    return struct.pack("<III", len(name), len(description), kind) + name + bytes(-len(name) % 4) + description + bytes(-len(description) % 4)


def msgpack(kernels):
    return b"\x81\xaeamdhsa.kernels\xdd" + struct.pack(">I", len(kernels)) + b"".join(kernels)


def with_note(description, name=b"AMDGPU\0", kind=32):
    return elf([NULL, strings(), (0, 7, 2, note(name, kind, description), 0, 0, 4, 0)])


def symbols(count, name):
    return (0, 2, 0, b"".join(struct.pack("<IBBHQQ", name if i else 0, 0x12, 0, 1, 0, 0) for i in range(count)), 1, 1,
            8, 24)


def compressed(method, packed, unpacked):
    return b"CCOB" + struct.pack("<HHQQQ", 3, method, 32 + len(packed), unpacked, 0) + packed


def zstd_zeros(size):
    """A frame of blocks of 128 KB that are one byte each, repeated."""
    blocks = size >> 17
    return b"\x28\xb5\x2f\xfd\0\x38" + b"".join(struct.pack("<I", (1 << 17) << 3 | 2 | (i == blocks - 1))[:3] + b"\0"
                                                for i in range(blocks))


def zlib_zeros(size):
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)) + packer.flush()


def zstd_window():
    """Few bytes that ask for a window of 2 GB."""
    return b"\x28\xb5\x2f\xfd\0\xa8" + struct.pack("<I", 5 << 3 | 1)[:3] + b"hello"


def dwarf(units, lines, flags=0):
    """Sections of debug information: an abbreviation of a unit that names line table 0, units, line tables."""
    names = b"\0.debug_abbrev\0.debug_info\0.debug_line\0"
    parts = [(b".debug_abbrev", b"\x01\x11\0\x10\x17\0\0\0"), (b".debug_info", units), (b".debug_line", lines)]
    return elf([NULL, (0, 3, 0, names, 0, 0, 1, 0)]
               + [(names.index(name), 1, flags, data, 0, 0, 1, 0) for name, data in parts])


# DWARF 5, full unit, address size 8, abbreviation 1: line table 0
UNIT = struct.pack("<IHBBI", 14, 5, 1, 8, 0) + b"\x01" + bytes(4) + b"\0"


def line_table(rows):
    header = bytes([4, 1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + b"\1\1\x08\1d\0" + b"\1\1\x08\1f\0"
    program = b"\0\x09\2" + bytes(8) + b"\x20" * rows + b"\0\1\1"
    body = struct.pack("<HBBI", 5, 8, 0, len(header)) + header + program
    return struct.pack("<I", len(body)) + body


half = SIZE // 2
FILES = {
    "many symbols of one long name": elf([NULL, strings(b"a" * half), symbols(half // 24, 1)]),
    "many sections of one long name": elf([NULL, strings(b"a" * half)] + [(1, 1, 0, b"", 0, 0, 1, 0)] * (half // 64)),
    "many relocations against one long name": elf([NULL, strings(b"a" * half), symbols(2, 1),
                                                   (0, 1, 6, bytes(8), 0, 0, 4, 0),
                                                   (0, 4, 0, struct.pack("<QQq", 0, 1 << 32 | 5, 0) * (half // 24), 2,
                                                    3, 8, 24)], kind=1),
    "many symbols": elf([NULL, strings(b"a"), symbols(SIZE // 24, 1)]),
    "many sections": elf([NULL, strings(b"a")] + [(1, 1, 0, b"", 0, 0, 1, 0)] * (SIZE // 64)),
    "aligned sections": elf([NULL, strings(b".text")] + [(1, 1, 6, b"\0\0\x81\xbf", 0, 0, 65536, 0)] * 60000, kind=1),
    "a list of nothing": with_note(msgpack([b"\xc0"] * SIZE)),
    "empty kernels": with_note(msgpack([b"\x80"] * SIZE)),
    "kernels of one name": with_note(msgpack([b"\x81\xa7.symbol\xa1k"] * (SIZE // 12))),
    "empty arguments": with_note(msgpack([b"\x81\xa5.args\xdd" + struct.pack(">I", SIZE) + b"\x80" * SIZE])),
    "deep lists": with_note(b"\x91" * SIZE),
    "YAML of nothing": with_note(b"[" + b"a," * half + b"]", b"AMD\0", 10),
    "deep YAML": with_note(b"[" * SIZE, b"AMD\0", 10),
    "many empty notes": with_note(b"") + note(b"AMDGPU\0", 32, b""),
    "many notes": elf([NULL, strings(), (0, 7, 2, note(b"AMDGPU\0", 32, msgpack([])) * (SIZE // 44), 0, 0, 4, 0)]),
    "bundle of entries": b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", SIZE // 25)
    + (struct.pack("<QQQ", 0, 0, 1) + b"x") * (SIZE // 25),
    "bundle of one file many times": b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", half // 25)
    + (struct.pack("<QQQ", 0, SIZE, 1) + b"x") * (half // 25) + bytes(half),
    "zlib of zeros": compressed(0, zlib_zeros(1000 * SIZE), 1000 * SIZE),
    "zstd of zeros": compressed(1, zstd_zeros(30000 * SIZE), 30000 * SIZE),
    "zstd of zeros, its size denied": compressed(1, zstd_zeros(30000 * SIZE), 4096),
    "compressed bundles that claim much": compressed(1, b"", 16 << 20) * (SIZE // 32),
    "compressed bundles in a host file": elf([NULL]
                                             + [(0, 1, 2, compressed(1, zstd_zeros(16 << 20), 16 << 20) * (SIZE // 544),
                                                 0, 0, 1, 0)])
        .replace(struct.pack("<HH", 3, 224), struct.pack("<HH", 3, 62), 1),
    "zstd with a large window": compressed(1, zstd_window(), 5),
    "compressed debug sections": dwarf(UNIT, struct.pack("<IIQQ", 1, 0, 1000 * SIZE, 1) + zlib_zeros(1000 * SIZE),
                                       0x800),
    "lines of a byte each": dwarf(UNIT, line_table(SIZE)),
    "many units": dwarf(UNIT * (SIZE // len(UNIT)), line_table(1)),
}
VERBS = [["info"], ["info", "--json"], ["readobj", "--all"], ["lint"], ["ld", "-o", "/dev/null"],
         ["unbundle", "--list"], ["dis", "-o", "/dev/null"],
         ["dis", "-l", "-o", "/dev/null"], ["info", "--variables"]]


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        for number, (title, data) in enumerate(FILES.items()):
            with open(path, "wb") as file:
                file.write(data)
            limit = (128 << 20) + 16 * len(data)
            for verb in VERBS[number % EVERY::EVERY]:
                if os.environ.get("SHOW"):
                    print(title, verb, flush=True)
                done = subprocess.run([OFFGRID, *verb, path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                      check=False,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                text = done.stderr.decode(errors="replace")
                if done.returncode not in (0, 1) or len(text) > 100000 or (done.returncode == 1
                                                                           and "error:" not in text):
                    failures += 1
                    print(f"{title}: {' '.join(verb)}: exit code {done.returncode}, {len(text)} bytes of messages: {text[:200]}")
    print(f"{len(FILES)} files, {len(VERBS)} verbs, {failures} failures")
    sys.exit(bool(failures))


main()
