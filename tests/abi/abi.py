#!/usr/bin/env python3
"""The library's binary interface is that of tests/abi/offgrid.abi: programs that were linked with it go on to work, and each
public function has a version. 77: abidiff (Debian's abigail-tools) is not installed.

usage: abi.py ROOT BUILD            compares
       abi.py ROOT BUILD --accept   writes the interface as it is now, which a change of it is committed with

The library has no debug information, which tells types: src/api is compiled once more with it, and diagnostics.c of src/base.
"""
import os
import shutil
import subprocess
import sys
import tempfile

CHANGED, BROKEN = 4, 8  # bits of abidiff's exit code


def compile_api(root, build, path):
    sources = [os.path.join(root, "src/api", name) for name in sorted(os.listdir(os.path.join(root, "src/api"))) if name.endswith(".c")]
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu17", "-D_GNU_SOURCE", "-g", "-shared", "-fPIC", "-fvisibility=hidden",
                    '-DOG_VERSION="0"', *(f"-I{os.path.join(*parts)}" for parts in
                                          ((root, "include"), (root, "src"), (build, "generated"))),
                    *sources, os.path.join(root, "src/base/diagnostics.c"), "-o", path], check=True)


def main(root, build, *accept):
    reference, library = os.path.join(root, "tests/abi/offgrid.abi"), os.path.join(build, "liboffgrid.so")
    headers = os.path.join(root, "include")
    if not shutil.which("abidiff"):
        print("not installed: abidiff")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        typed = os.path.join(folder, "liboffgrid.so")
        compile_api(root, build, typed)
        now = reference if accept else os.path.join(folder, "offgrid.abi")
        subprocess.run(["abidw", "--headers-dir", headers, "--drop-undefined-syms", "--drop-private-types", "--no-corpus-path",
                        "--no-show-locs", "--no-comp-dir-path", "--out-file", now, typed], check=True)
        ran = subprocess.run(["abidiff", "--no-show-locs", reference, now], capture_output=True, text=True, check=False)
    print(ran.stdout + ran.stderr)
    if ran.returncode & BROKEN:
        print("programs linked with the interface as it was would break: give the library another SOVERSION, then --accept")
    elif ran.returncode & CHANGED:
        print("the interface has changed: name new symbols in a new node of cmake/offgrid.map, then --accept")
    symbols = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library], capture_output=True, text=True,
                             check=True).stdout
    bare = [line for line in symbols.splitlines() if " T og_" in line and "@@OFFGRID_" not in line]
    print("\n".join(bare) or f"{symbols.count(' T og_')} functions have versions")
    return 1 if ran.returncode or bare or " T og_" not in symbols else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
