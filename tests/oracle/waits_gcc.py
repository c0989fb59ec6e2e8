#!/usr/bin/env python3
"""Takes waits out of a program's device code by GCC, one counter of one at a time, and runs the program under the waits checker
(`offgrid exec` with OFFGRID_CHECK=waits). What `lint --waits=why` calls needed is found, unless the run does not come to what
it protects: then an instruction there that cannot be decoded is not missed. Counted apart is what is needed so that a function
returns, or calls, with nothing outstanding, as GCC has it, where the run then touches the register behind another wait only; and
what stands in front of the wait, in a loop that the run may not go round again. Of anything else, and of the program as it was compiled, the checker has
nothing to say.

The program is tests/programs/openmp/offload.c; the waits are those of its kernels and of what every kernel calls of libgomp. A share of them is chosen by the
seed.

usage: waits_gcc.py OFFGRID [SHARE [SEED [LEVELS [MARCH...]]]]
"""
import collections
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ARGUMENTS = sys.argv[2:]
sys.argv = [*sys.argv[:2], *ARGUMENTS[:2]]
from waits_deleted import ACCEL, COUNTER, GCC, OFFGRID, ROOT, SEED, SHARE, file_offset, lint, taken_out  # noqa: E402

LEVELS = ARGUMENTS[2] if len(ARGUMENTS) > 2 else "2"
MARCHES = ARGUMENTS[3:] or ["gfx900", "gfx906"]
READER = re.compile(r"'[^']*' at (\S+?)\+0x([0-9a-f]+)")
HANDS_ON = re.compile(r" (returns|calls), which '")
counts = collections.Counter()


def device_code(program):
    """Where the code object stands in a program, and its bytes: up to its section headers, which end it."""
    at = -1
    while (at := program.find(b"\x7fELF", at + 1)) >= 0:
        if struct.unpack_from("<H", program, at + 18) == (224,):
            headers, = struct.unpack_from("<Q", program, at + 40)
            size, number = struct.unpack_from("<HH", program, at + 58)
            return at, program[at:at + headers + size * number]
    raise ValueError("no device code")


def start(folder, program, at, code, processor):
    """The program with that device code."""
    path = os.path.join(folder, "changed")
    with open(path, "wb") as out:
        out.write(program[:at] + code + program[at + len(code):])
    os.chmod(path, 0o755)
    return subprocess.Popen([OFFGRID, "exec", f"--gpu={processor}", "--no-compile", "--", path], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, errors="replace",
                            env=dict(os.environ, OMP_TARGET_OFFLOAD="mandatory", OFFGRID_CHECK="waits"))


def run(folder, program, at, code, processor):
    """Exit code and findings with that device code."""
    with start(folder, program, at, code, processor) as process:
        said = process.stderr.read()
    return process.returncode, re.findall(r".*\[waits\]$", said, re.M)


def faults(folder, program, at, code, processor):
    """Whether an instruction cannot be decoded. Behind that libgomp may wait for ever for what has been stopped."""
    with start(folder, program, at, code, processor) as process:
        for line in process.stderr:
            if "undecodable instruction" in line:
                process.kill()
                return True
    return False


def reader_of(wait, line):
    """Where the instruction is that a wait protects, if that is in the same function; else where the wait is."""
    function, _, offset = line[2].rpartition("+0x")
    reader = READER.match(line[6])
    return wait - int(offset, 16) + int(reader[2], 16) if reader and reader[1] == function else wait


def comes_to(folder, program, at, code, processor, address):
    """Whether the run comes to an instruction."""
    broken = bytearray(code)
    struct.pack_into("<I", broken, file_offset(code, address), 0xffffffff)
    return faults(folder, program, at, bytes(broken), processor)


def check(folder, march, level, rng):
    path, processor, problems = os.path.join(folder, "program"), GCC[march], []
    subprocess.run(["gcc-12", f"-O{level}", "-w", "-fopenmp", "-foffload=amdgcn-amdhsa", f"-foffload-options=-march={march} -O{level} -lm",
                    os.path.join(ROOT, "tests/programs/openmp/offload.c"), "-o", path, "-lm"], check=True, stderr=subprocess.DEVNULL)
    program = open(path, "rb").read()
    at, code = device_code(program)
    with open(path + ".co", "wb") as out:
        out.write(code)
    status, found = run(folder, program, at, code, processor)
    if status or found:
        return [f"as compiled: exit {status} {found[:1]}"]
    counts["programs"] += 1
    for text in lint(path + ".co", "--waits=why").stdout.splitlines():
        line = COUNTER.fullmatch(text)
        if not line or not re.match(r"main\._omp|gomp_gcn_|gomp_team_|gomp_init_task|gomp_ialias_GOMP_(parallel|teams)|GOMP_teams", line[2]) or rng.random() >= SHARE:
            continue
        wait = int(line[1], 16)
        _, found = run(folder, program, at, taken_out(code, processor, wait, line[3]), processor)
        counts["taken out"] += 1
        counts["found"] += bool(found)
        if found and line[5] != "needed":
            problems.append(f"without {text}: {found[0]}")
        elif not found and line[5] != "needed":
            counts[line[5] + ", nothing found"] += 1
        elif not found and HANDS_ON.search(line[6]):
            counts["needed by the convention of calls, nothing found"] += 1
        elif not found and reader_of(wait, line) < wait:
            counts["needed in a next round, which the run may not come to"] += 1
        elif not found and comes_to(folder, program, at, code, processor, reader_of(wait, line)):
            problems.append(f"without {text}: nothing found")
        elif not found:
            counts["needed where the run does not come"] += 1
    return problems


def main():
    runtime = os.path.join(os.path.dirname(OFFGRID), "hsa", "libhsa-runtime64.so.1")
    if not shutil.which("gcc-12") or not os.path.exists(ACCEL + "/mkoffload") or not os.path.exists(runtime):
        print("skipped: needs gcc-12 with its amdgcn compiler, and the drop-in runtime")
        sys.exit(77)
    rng, failed = random.Random(SEED), 0
    with tempfile.TemporaryDirectory() as folder:
        for march in MARCHES:
            for level in LEVELS:
                problems = check(folder, march, level, rng)
                failed += len(problems)
                for problem in problems[:5]:
                    print(f"{march} -O{level}: {problem}")
    print(f"seed {SEED}:", ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    sys.exit(bool(failed) or not counts["found"])


main()
