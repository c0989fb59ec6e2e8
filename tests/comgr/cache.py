#!/usr/bin/env python3
"""HIP programs under `offgrid exec` with a cache of what HIP compiles: the second start compiles nothing and gives the same,
and what was kept is never taken for anything else. 77: no hipcc, or no libamd_comgr.

comgr compiles in a folder of its own below TMPDIR: where that is not there, nothing can be compiled, so that a program that
runs all the same has compiled nothing.

usage: cache.py --offgrid BUILD/offgrid --threads BUILD/tests/comgr_threads
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KERNEL = """
#ifndef VALUE
#define VALUE 5
#endif
extern "C" __global__ void answer(int *out) { *out = VALUE; }
"""
NOTHING = {"TMPDIR": "/nowhere"}  # nothing can be compiled


class Machine:
    """Programs, and a cache that each test has for itself."""

    def __init__(self, offgrid, threads, folder):
        self.offgrid, self.threads, self.folder = offgrid, threads, folder
        self.cache, self.caches = None, 0

    def build(self, source):
        output = os.path.join(self.folder, os.path.basename(source).split(".")[0])
        subprocess.run(["hipcc", "-O1", "-w", "--offload-arch=gfx906", source, "-o", output], check=True)
        return output

    def new_cache(self):
        self.caches += 1
        self.cache = os.path.join(self.folder, f"cache{self.caches}")

    def start(self, *command, **variables):
        environment = dict(os.environ, **{"OFFGRID_CACHE": self.cache, **variables})
        return subprocess.Popen([self.offgrid, "exec", "--", *command], env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace", cwd=self.folder)

    def run(self, *command, **variables):
        """The exit code and all output."""
        program = self.start(*command, **variables)
        output = program.communicate()[0]
        return program.returncode, output

    def entries(self):
        return sorted(glob.glob(os.path.join(self.cache, "*")))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


def expect(got, want, what):
    assert got == want, f"{what}: {got}, not {want}"


def check_start(machine, vectors, _):
    """The second start compiles nothing."""
    assert machine.run(vectors, OFFGRID_CACHE="0", **NOTHING)[0] != 0, "without a folder comgr compiles nothing"
    first = machine.run(vectors)
    expect(first[0], 0, "first start")
    kept = machine.entries()
    expect(len(kept), 4, "entries: source, link, code, executable")
    expect(machine.run(vectors, **NOTHING), first, "second start")
    expect(machine.entries(), kept, "entries after it")


def check_damage(machine, vectors, _):
    """Entries that are cut, changed or somebody else's are made anew."""
    def cut(path):
        os.truncate(path, os.path.getsize(path) // 2)

    def empty(path):
        os.truncate(path, 0)

    def flip(path):
        with open(path, "r+b") as file:
            file.seek(-100, os.SEEK_END)
            byte = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte ^ 4]))

    def open_to_all(path):
        os.chmod(path, 0o666)

    def swap(path):
        """Another entry's file."""
        other = next(entry for entry in machine.entries() if entry != path)
        shutil.copy(other, path)

    for change in [cut, empty, flip, open_to_all, swap]:
        machine.new_cache()
        first = machine.run(vectors)
        for path in machine.entries():
            change(path)
        assert machine.run(vectors, **NOTHING)[0] != 0, f"{change.__name__}: a damaged entry is used"
        expect(machine.run(vectors), first, f"{change.__name__}: a start with damaged entries")
        expect(machine.run(vectors, **NOTHING), first, f"{change.__name__}: a start after that")


def check_folders(machine, vectors, _):
    """Folders that cannot be used do no harm, and without a cache nothing is written."""
    machine.run(vectors)
    kept = machine.entries()
    home = os.path.join(machine.folder, "home")
    os.mkdir(home)
    for cache in ["0", "/dev/null", "/dev/null/cache", "/proc/cache"]:
        expect(machine.run(vectors, OFFGRID_CACHE=cache, HOME=home)[0], 0, f"OFFGRID_CACHE={cache}")
    expect(os.listdir(home), [], "what is at home")
    assert not os.path.exists(os.path.join(machine.folder, "0")), "0 is no folder"
    os.chmod(machine.cache, 0o777)
    assert machine.run(vectors, **NOTHING)[0] != 0, "a folder that all may write to is not trusted"
    expect(machine.run(vectors)[0], 0, "such a folder")
    os.chmod(machine.cache, 0o500)
    expect(machine.run(vectors)[0], 0, "a folder that can only be read")
    expect(machine.entries(), kept, "entries")
    os.chmod(machine.cache, 0o700)
    expect(machine.run(vectors, OFFGRID_CACHE="", XDG_CACHE_HOME="", HOME=home)[0], 0, "the folder at home")
    expect(len(os.listdir(os.path.join(home, ".cache/offgrid"))), len(kept), "what is there")


def check_together(machine, vectors, _):
    """Processes that begin at once."""
    programs = [machine.start(vectors) for _ in range(4)]
    for program in programs:
        output = program.communicate()[0]
        expect((program.returncode, output), (0, ""), "one of four at once")
    expect(machine.run(vectors, **NOTHING)[0], 0, "a start after that")


def check_threads(machine, *_):
    """Threads that compile at once, several of them the same."""
    for nothing in [{}, NOTHING]:
        expect(machine.run(machine.threads, **nothing), (0, ""), f"threads {nothing}")


def check_rtc(machine, _, rtc):
    """hipRTC's programs: another source, option or header is another program."""
    kernel = machine.write("kernel.hip", KERNEL)
    included = machine.write("included.hip", '#include "value.h"\n' + KERNEL)
    other = machine.write("other.hip", KERNEL.replace("= VALUE", "= VALUE + 1"))
    cases = [
        ((rtc, kernel), {}, "5"), ((rtc, other), {}, "6"), ((rtc, kernel, "-DVALUE=7"), {}, "7"),
        ((rtc, kernel, "-DVALUE=8"), {}, "8"), ((rtc, kernel, "-DVALUE=8", "-UVALUE"), {}, "5"),
        ((rtc, included), {"HEADER": "#define VALUE 9\n"}, "9"), ((rtc, included), {"HEADER": "#define VALUE 10\n"}, "10"),
        ((rtc, kernel), {"HEADER": "#define VALUE 11\n"}, "5"),
    ]
    for nothing in [{}, NOTHING]:
        for command, variables, value in cases:
            expect(machine.run(*command, **variables, **nothing), (0, value + "\n"), f"{command[1:]} {variables} {nothing}")
    expect(machine.run(rtc, included), (1, "not compiled\n"), "a header that is not there")
    expect(machine.run(rtc, machine.write("wrong.hip", "wrong")), (1, "not compiled\n"), "a wrong source")
    expect(machine.run(rtc, machine.write("wrong.hip", "wrong")), (1, "not compiled\n"), "a wrong source again")


def check_files(machine, _, rtc):
    """What a program reads beside what it is given is read anew."""
    headers = os.path.join(machine.folder, "headers")
    os.mkdir(headers)
    kernel = machine.write("kernel.hip", KERNEL)
    included = machine.write("included.hip", f'#include "{headers}/value.h"\n' + KERNEL)
    found = machine.write("found.hip", '#if __has_include("value.h")\n#include "value.h"\n#endif\n' + KERNEL)
    assembly = machine.write("assembly.hip", KERNEL.replace("{", '{ asm volatile("v_mov_b32 v40, 4\\n.include \\"%s/code.s\\"\\n'
                                                            'v_readfirstlane_b32 s40, v40" ::: "s40", "v40"); int v; '
                                                            'asm volatile("v_mov_b32 %%0, s40" : "=v"(v));' % headers)
                             .replace("= VALUE", "= v"))
    for value in [20, 21]:
        machine.write("headers/value.h", f"#define VALUE {value}\n")
        machine.write("headers/code.s", f"v_mov_b32 v40, {value}\n")
        expect(machine.run(rtc, included), (0, f"{value}\n"), "a header of the system's")
        expect(machine.run(rtc, found, f"-I{headers}"), (0, f"{value}\n"), "a header in a folder")
        expect(machine.run(rtc, kernel, "-include", f"{headers}/value.h"), (0, f"{value}\n"), "a header as an option")
        expect(machine.run(rtc, kernel, f"-DVALUE=__COUNTER__+{value}"), (0, f"{value}\n"), "a value")
        expect(machine.run(rtc, assembly), (0, f"{value}\n"), "assembly from a file")
    expect(machine.run(rtc, kernel), (0, "5\n"), "no header")
    machine.write("hiprtc_runtime.h", "#define VALUE 30\n#define __global__ __attribute__((global))\n")
    before = machine.run(rtc, kernel, OFFGRID_CACHE="0")
    expect(machine.run(rtc, kernel), before, "a header in the current folder")
    os.unlink(os.path.join(machine.folder, "hiprtc_runtime.h"))


def check_environment(machine, _, rtc):
    """Variables that the compiler reads."""
    kernel = machine.write("kernel.hip", '#if __has_include("value.h")\n#include "value.h"\n#endif\n' + KERNEL)
    expect(machine.run(rtc, kernel), (0, "5\n"), "without")
    machine.write("value.h", "#define VALUE 6\n")
    expect(machine.run(rtc, kernel, CPATH=machine.folder), (0, "6\n"), "CPATH")
    kept = machine.entries()
    expect(machine.run(rtc, machine.write("kernel.hip", KERNEL), AMD_COMGR_EMIT_VERBOSE_LOGS="1")[0], 0, "AMD_COMGR_*")
    expect(machine.entries(), kept, "entries with AMD_COMGR_*")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--threads", required=True, help="the program of threads.c")
    options = parser.parse_args()
    if not shutil.which("hipcc") or not glob.glob("/usr/lib/*/libamd_comgr.so.2"):
        print("hipcc or libamd_comgr is not there")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(os.path.abspath(options.offgrid), os.path.abspath(options.threads), folder)
        vectors = machine.build(os.path.join(os.path.dirname(HERE), "programs/hip/vectors.hip.cpp"))
        rtc = machine.build(os.path.join(HERE, "rtc.hip.cpp"))
        for check in [check_start, check_damage, check_folders, check_together, check_threads, check_rtc, check_files,
                      check_environment]:
            machine.new_cache()
            try:
                check(machine, vectors, rtc)
                print(f"{check.__name__}: passes")
            except AssertionError as error:
                print(f"{check.__name__}: {error}")
                failed += 1
    return 1 if failed else 0


sys.exit(main())
