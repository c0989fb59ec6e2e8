#!/usr/bin/env python3
"""Code objects of installed libraries, disassembled whole and assembled again: the sections with code come out the
same.

usage: text_roundtrip.py OFFGRID [--all]   (the smallest code object of each library; all of them)
"""
import glob
import os
import struct
import subprocess
import sys
import tempfile

OFFGRID = os.path.abspath(sys.argv[1])
LIBRARIES = glob.glob("/usr/lib/x86_64-linux-gnu/librocrand.so.1")
SHF_EXECINSTR = 4


def code_of(path):
    """Name to bytes of the sections with code of an ELF64 file."""
    with open(path, "rb") as file:
        data = file.read()
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3a)
    headers = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
    start = headers[names][4]
    return {data[start + h[0]:data.index(b"\0", start + h[0])].decode(): data[h[4]:h[4] + h[5]] for h in headers
            if h[2] & SHF_EXECINSTR}


def main():
    if not LIBRARIES:
        print("skipped, no library with code objects is installed")
        return 77
    failed = size = count = words = 0
    for library in LIBRARIES:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([OFFGRID, "unbundle", library, "-o", folder], check=True, stdout=subprocess.DEVNULL)
            objects = sorted(glob.glob(os.path.join(folder, "*")), key=os.path.getsize)
            for path in objects if "--all" in sys.argv else objects[:1]:
                source, made = path + ".s", path + ".o"
                fine = all(subprocess.run([OFFGRID, *command], check=False).returncode == 0
                           for command in (["dis", path, "-o", source], ["as", source, "-o", made]))
                before, after = code_of(path), code_of(made) if fine else {}
                count, size = count + 1, size + sum(map(len, before.values()))
                with open(source, encoding="utf-8") as file:
                    words += sum(line.startswith("\t.long\t") and " // " in line for line in file)
                if before != after:
                    failed += 1
                    print(os.path.basename(path), "differs")
    print(f"{count} code objects with {size} bytes of code, {failed} differ; {words} instructions have no text of their own")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
