#!/usr/bin/env python3
"""Takes waits out of compiled kernels, one counter of one at a time, and runs them under `offgrid check --only=waits`. What
`lint --waits=why` calls needed is found where the run comes to both the wait and the instruction that it protects; anything
else gives the checker nothing to say, as the kernels do as they were compiled. What it says orders memory is tried under
`--only=races` and, where that has nothing to say, on a weak memory with a few seeds; what neither shows is counted and, with
WAITS_NAMES set, named.

The kernels are tests/programs/opencl at -O0 to -O3 for every generation, by clang-22, with their inputs there. A share of the
waits is chosen by the seed; 0 takes all.

usage: waits_dynamic.py OFFGRID [SHARE [SEED [LEVELS [OBJECTS [PROCESSOR...]]]]]
"""
import collections
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

ARGUMENTS = sys.argv[2:]
sys.argv = [*sys.argv[:2], *ARGUMENTS[:3]]
from waits_deleted import COUNTER, OFFGRID, PROCESSORS, ROOT, SEED, SHARE, SOURCES, lint, taken_out, toolchain  # noqa: E402
sys.path.insert(0, os.path.join(ROOT, "tests/programs"))
import spec  # noqa: E402

LEVELS = ARGUMENTS[2] if len(ARGUMENTS) > 2 else "02"
OBJECTS = int(ARGUMENTS[3]) if len(ARGUMENTS) > 3 else 6
PROCESSORS = ARGUMENTS[4:] or PROCESSORS
# The instruction that a wait protects, and the operation that it waits for.
PARTIES = re.compile(r"'[^']*' at (\S+)(?: \([^)]*\))? \S+ \S+, which '[^']*' at (\S+)")
WEAK_SEEDS = 4
counts = collections.Counter()


def words(path, kernel, inputs, more):
    texts, _ = spec.make_arguments(kernel, inputs)
    command = [path, "--kernel", kernel.name, "--grid", kernel.grid, "--group", kernel.group, "--timeout", "60", *more]
    command += ["--offset", kernel.offset] if kernel.offset else []
    for text in texts:
        command += ["--arg", text]
    return command


def findings(path, kernel, inputs):
    done = subprocess.run([OFFGRID, "check", *words(path, kernel, inputs, ["--only=waits"])], capture_output=True, text=True,
                          errors="replace", check=False)
    return re.findall(r".*\[waits\]$", done.stderr, re.M)


def left_behind(path, kernel, inputs, more):
    """What a run leaves in its buffers; None: it fails."""
    _, outputs = spec.make_arguments(kernel, inputs)
    done = subprocess.run([OFFGRID, "run", *words(path, kernel, inputs, more)], capture_output=True, check=False)
    return None if done.returncode else [open(file, "rb").read() for _, file in outputs]


def shows_order(cut, path, kernel, inputs):
    """Who shows that a wait orders memory: races on the code without it, or a weak memory on which that code leaves something
    else behind and the whole code does not; or None."""
    done = subprocess.run([OFFGRID, "check", *words(cut, kernel, inputs, ["--only=races"])], capture_output=True, text=True,
                          errors="replace", check=False)
    if re.search(r"\[races\]$", done.stderr, re.M):
        return "races"
    right = left_behind(path, kernel, inputs, [])
    for seed in range(1, WEAK_SEEDS + 1):
        weak = [f"--memory=weak:{seed}"]
        if left_behind(cut, kernel, inputs, weak) != right and left_behind(path, kernel, inputs, weak) == right:
            return "weak memory"
    return None


def meets(path, kernel, inputs, counter, reader, operation):
    """Whether some wave comes from the operation to the reader without waiting for that counter elsewhere."""
    trace, open_waves = path + ".trace", set()
    subprocess.run([OFFGRID, "run", *words(path, kernel, inputs, [f"--trace={trace}"])], capture_output=True, check=False)
    with open(trace, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            wave, lanes, _, place, text = line.split(None, 4)
            if place == reader and wave in open_waves:
                return True
            if place == operation and re.search("=0*[1-9a-f]", lanes):
                open_waves.add(wave)
            elif text.startswith("s_wait") and counter in text:
                open_waves.discard(wave)
    return False


def check(folder, source, processor, level, seed):
    rng, problems = random.Random(seed), []
    path = os.path.join(folder, f"{os.path.basename(source)[:-3]}-{processor}-O{level}")
    done, messages = toolchain.compile_opencl(source, path, level, processor)
    if not done:
        return [f"{path}: {messages[:300]}"]
    kernels = {kernel.name: kernel for kernel in spec.parse(source)}
    data = open(path, "rb").read()
    os.makedirs(path + ".in", exist_ok=True)
    for name, kernel in kernels.items():
        counts["kernels"] += 1
        if findings(path, kernel, path + ".in"):
            problems.append(f"{name} as compiled: {findings(path, kernel, path + '.in')[0]}")
    for line in lint(path, "--waits=why").stdout.splitlines():
        match = COUNTER.fullmatch(line)
        kernel = kernels.get(match[2].partition("+")[0]) if match else None
        if not kernel or (SHARE and rng.random() >= SHARE):
            continue
        cut = path + "-without"
        with open(cut, "wb") as out:
            out.write(taken_out(data, processor, int(match[1], 16), match[3]))
        found = findings(cut, kernel, path + ".in")
        counts["taken out"] += 1
        counts["found"] += bool(found)
        if match[5] != "needed":
            shown = match[5] == "orders memory" and not found and shows_order(cut, path, kernel, path + ".in")
            counts[f"{match[5]}, shown by {shown}" if shown else f"{match[5]}, nothing found"] += not found
            if match[5] == "orders memory" and not shown and not found and "WAITS_NAMES" in os.environ:
                print(f"{os.path.basename(path)}: not shown: {line}")
            if found:
                problems.append(f"without {line}: {found[0]}")
        elif not found:
            parties = PARTIES.match(match[6])
            if not parties or meets(cut, kernel, path + ".in", match[3], *parties.groups()):
                problems.append(f"without {line}: nothing found")
            else:
                counts["needed on a way that the run does not take"] += 1
    return problems


def main():
    if toolchain.missing("clang-22"):
        print("skipped: needs clang-22")
        sys.exit(77)
    rng, failed = random.Random(SEED), 0
    wanted = [(s, p, l) for p in PROCESSORS for s in SOURCES for l in LEVELS]
    rng.shuffle(wanted)
    wanted = wanted[:OBJECTS] if OBJECTS else wanted
    seeds = [rng.randrange(1 << 32) for _ in wanted]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for one, problems in zip(wanted, pool.map(lambda n: check(folder, *wanted[n], seeds[n]), range(len(wanted)))):
            failed += len(problems)
            for problem in problems[:3]:
                print(os.path.basename(one[0]), one[1], f"-O{one[2]}:", problem)
    print(f"seed {SEED}: {len(wanted)} code objects,", ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    sys.exit(bool(failed) or not counts["found"])


main()
