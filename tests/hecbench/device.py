#!/usr/bin/env python3
"""The device side of HIP and OpenMP programs by `offgrid cc` in the place of clang's code.

Called in the place of `lld` (hipcc -foffload-lto -B FOLDER) or of `clang-linker-wrapper` (clang -fopenmp -B FOLDER), it gets
the LLVM IR of a program's device code: it is kept in $DEVICE_IR, and clang's own code is made of it with room behind it and a
mark, so that `replace` can put another code object there in the executable, as often as the compiler changes, without
building anew."""
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

LLVM = "/usr/lib/llvm-15/bin"
MARK = b"device-code-slot "
MARK_SIZE = 64


def install(folder, name="lld"):
    """A folder for -B that has this file as `lld` or `clang-linker-wrapper`."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {sys.executable} {os.path.abspath(__file__)} {name} "$@"\n')
    os.chmod(path, 0o755)
    return folder


def is_bitcode(path):
    with open(path, "rb") as file:
        return file.read(2) == b"BC"


def link(arguments):
    """lld's duty for one processor: bitcode to a code object; keeps what `offgrid cc` is to compile."""
    output = arguments[arguments.index("-o") + 1]
    processor = next(a.split("=")[-1] for a in arguments if a.startswith("-plugin-opt=mcpu="))
    inputs = [a for a in arguments if os.path.isfile(a) and a != output and is_bitcode(a)]
    subprocess.run([f"{LLVM}/lld", *arguments], check=True)
    if not inputs:  # clang-linker-wrapper has made an object of them already
        make_room(output, os.environ["DEVICE_IR_NAME"])
        return
    with tempfile.TemporaryDirectory() as folder:
        linked, optimised = os.path.join(folder, "linked.bc"), os.path.join(folder, "optimised.bc")
        subprocess.run([f"{LLVM}/llvm-link", *inputs, "-o", linked], check=True)
        # What -foffload-lto leaves to the linker of clang's -O3.
        subprocess.run([f"{LLVM}/opt", "-passes=default<O3>", f"-mcpu={processor}", "-mtriple=amdgcn-amd-amdhsa",
                        "-amdgpu-internalize-symbols", linked, "-o", optimised], check=True)
        make_room(output, keep(optimised, processor))


def keep(path, processor):
    """Keeps a file of bitcode; its name."""
    with open(path, "rb") as file:
        bitcode = file.read()
    name = f"{processor}.{hashlib.sha256(bitcode).hexdigest()[:16]}"
    os.makedirs(os.environ["DEVICE_IR"], exist_ok=True)
    with open(os.path.join(os.environ["DEVICE_IR"], name + ".bc"), "wb") as file:
        file.write(bitcode)
    return name


def make_room(output, name):
    """Puts room and the mark behind a code object."""
    with open(output, "rb") as file:
        theirs = file.read()
    room = 4 * len(theirs) + (256 << 10)
    with open(output, "wb") as file:
        file.write(theirs.ljust(room, b"\0") + (MARK + f"{name} {room}".encode()).ljust(MARK_SIZE))


def link_openmp(arguments):
    """clang-linker-wrapper's duty: what it would make code of is kept, then it does its work with `lld` in this file's place."""
    with tempfile.TemporaryDirectory() as folder:
        at = len(arguments) - arguments[::-1].index("-o")
        stem = f"device-{os.getpid()}"
        # It keeps the bitcode it would embed and stops: it reads the name that it gave it after that is gone.
        subprocess.run([f"{LLVM}/clang-linker-wrapper", "--save-temps", "--embed-bitcode", *arguments[:at], stem, *arguments[at + 1:]],
                       check=False, stderr=subprocess.DEVNULL)
        processors = {a.split("=")[1].rsplit("-", 1)[1] for a in arguments if a.startswith("--bitcode-library=")}
        for path in glob.glob(glob.escape(stem) + "*"):
            if "-jit-" in path:
                os.environ["DEVICE_IR_NAME"] = keep(path, *processors)
            os.remove(path)
        # It takes the lld of the folder it stands in.
        shutil.copy(f"{LLVM}/clang-linker-wrapper", folder)
        install(folder)
        return subprocess.run([f"{folder}/clang-linker-wrapper", *arguments], check=False).returncode


def replace(offgrid, executable, ir, processor, result):
    """Writes `result`, the executable with our code for a processor. None, or what is wrong."""
    with open(executable, "rb") as file:
        content = bytearray(file.read())
    at, replaced = content.find(MARK), 0
    while at >= 0:
        name, room = content[at + len(MARK):at + MARK_SIZE].decode().split()
        if name.startswith(processor + "."):
            with tempfile.TemporaryDirectory() as folder:
                made = os.path.join(folder, "code")
                done = subprocess.run([offgrid, "cc", "-mcode-object-version=4", f"-mcpu={processor}", os.path.join(ir, name + ".bc"), "-o", made],
                                      capture_output=True, text=True, errors="replace", timeout=600, check=False)
                if done.returncode:
                    return (done.stderr.strip().splitlines() or [f"cc ends with {done.returncode}"])[0]
                with open(made, "rb") as file:
                    ours = file.read()
            if len(ours) > int(room):
                return f"our code has {len(ours)} bytes, the executable has room for {room}"
            content[at - int(room):at] = ours.ljust(int(room), b"\0")
            replaced += 1
        at = content.find(MARK, at + 1)
    if not replaced and b".hip_fatbin" in content and f"-{processor}".encode() in content:
        return f"no device code for {processor}"
    with open(result, "wb") as file:
        file.write(content)
    os.chmod(result, 0o755)
    return None


if __name__ == "__main__":
    if sys.argv[1] == "clang-linker-wrapper":
        sys.exit(link_openmp(sys.argv[2:]))
    if "-shared" in sys.argv:
        link(sys.argv[2:])
    else:
        os.execv(f"{LLVM}/lld", ["lld", *sys.argv[2:]])
