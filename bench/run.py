#!/usr/bin/env python3
"""Speed on one thread, beside PoCL limited to one thread in the same run; medians.

usage: run.py --build BUILD [--repeat N] [--text | --compiled | --cc | --machine | --programs REGEX] [--write docs/performance.md]

--write puts the tables between the marks <!-- bench --> and <!-- /bench -->, <!-- machine --> and <!-- /machine -->,
<!-- compiled --> and <!-- /compiled -->, <!-- cc -->, <!-- ir -->, <!-- text --> and their ends of the file."""
import argparse
import glob
import json
import math
import os
import random
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../tests/programs"), os.path.join(HERE, "../tests/oracle")]
import compile as compile_times  # noqa: E402
import compiled  # noqa: E402
import instruction_forms  # noqa: E402
import toolchain  # noqa: E402
import visa  # noqa: E402

SGEMM = 256
LIBRARY = 100 << 20
LINES = 200000
LEVELS = ("avx512", "avx2")  # of offgrid; PoCL takes what the processor has
BIG = 10  # times that, to disassemble
SYMBOLS = 1000000
REDUCED = 1 << 20
VALU_ITEMS, VALU_LOOPS = 64 * 64, 2000
HALF_ITEMS, HALF_LOOPS = 64 * 64, 500
SORTED = TRANSFORMED = 1 << 17  # numbers, 512 for each work-group of 256
HASHED = 1 << 13                # blocks
DISPATCHES = 100000
SIDE = 512                       # of a product in tiles of 16 × 16: 1024 work-groups
SOURCES = {"naive": "sgemm", "half_loop": "half", "packed_loop": "half"}  # of kernels that are not called as their files


def matrices(folder):
    """Two files of floats."""
    paths = []
    for index in range(2):
        path = os.path.join(folder, f"matrix{index}")
        with open(path, "wb") as file:
            file.write(struct.pack(f"<{SGEMM * SGEMM}f",
                                   *((i * 7919 + index) % 1000 / 1000 - 0.5 for i in range(SGEMM * SGEMM))))
        paths.append(path)
    return paths


def kept(folder, name, layout, values):
    """A file with numbers."""
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        values = list(values)
        file.write(struct.pack(f"<{len(values)}{layout}", *values))
    return f"in:{path}"


def more_cases(folder):
    """Halves, sorting, hashing and transforming."""
    halves = kept(folder, "halves", "e", (i % 997 / 997 for i in range(2 * HALF_ITEMS)))
    for name, size in (("half_loop", 2), ("packed_loop", 4)):
        yield name, ["--kernel", name, "--grid", str(HALF_ITEMS), "--group", "64", "--arg", halves, "--arg",
                     f"buf:{HALF_ITEMS * size}", "--arg", f"u32:{HALF_LOOPS}"]
    words = kept(folder, "words", "I", (i * 2654435761 % (1 << 32) for i in range(max(SORTED, 16 * HASHED))))
    yield "sort", ["--kernel", "sort", "--grid", str(SORTED // 2), "--group", "256", "--arg", words, "--arg",
                   f"buf:{SORTED * 4}"]
    yield "sha256", ["--kernel", "sha256", "--grid", str(HASHED), "--group", "64", "--arg", words, "--arg",
                     f"buf:{HASHED * 4}"]
    samples = kept(folder, "samples", "f", (i * 7919 % 1000 / 1000 - 0.5 for i in range(2 * TRANSFORMED)))
    turns = kept(folder, "turns", "f", (f(-2 * math.pi * k / 512) for k in range(256) for f in (math.cos, math.sin)))
    yield "fft", ["--kernel", "fft", "--grid", str(TRANSFORMED // 2), "--group", "256", "--arg", samples, "--arg",
                  turns, "--arg", f"buf:{TRANSFORMED * 8}"]


def cases(folder):
    """(name, arguments) of each program: the same for both sides."""
    a, b = matrices(folder)
    arguments = ["--grid", f"{SGEMM},{SGEMM}", "--group", "16,16", "--arg", f"in:{a}", "--arg", f"in:{b}", "--arg",
                 f"buf:{SGEMM * SGEMM * 4}", "--arg", f"u32:{SGEMM}"]
    for name in ("sgemm", "naive"):
        yield name, ["--kernel", name, *arguments]
    numbers = os.path.join(folder, "numbers")
    with open(numbers, "wb") as file:
        file.write(struct.pack(f"<{REDUCED}f", *(i * 7919 % 1000 / 1000 - 0.5 for i in range(REDUCED))))
    yield "reduce", ["--kernel", "reduce", "--grid", str(REDUCED), "--group", "256", "--arg", f"in:{numbers}", "--arg",
                     f"buf:{REDUCED // 256 * 4}"]
    yield from more_cases(folder)
    yield "valu", ["--kernel", "valu", "--grid", str(VALU_ITEMS), "--group", "64", "--arg", f"buf:{VALU_ITEMS * 4}",
                   "--arg", f"u32:{VALU_LOOPS}"]


def processor_seconds(command, environment):
    """What one run of a command takes of the processor."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def ours(offgrid, kernel, arguments, repeat, level="avx512", tier="1"):
    """Seconds of the processor and wave instructions of one dispatch, of those that follow the first, which compiles;
    `kernel` is a code object, or vISA with its options, `level` the host's best vector instructions that may be used,
    `tier` whether what is run often is compiled. Of a dispatch that is counted nothing is, so it is counted apart."""
    command = ["taskset", "-c", "0", offgrid, "run", *kernel, *arguments, "--repeat"]
    environment = dict(os.environ, OFFGRID_HOST=level, OFFGRID_COMPILE=tier)
    counted = subprocess.run([*command, "1", "--stats=json"], check=True, capture_output=True, text=True, env=environment)
    once = statistics.median(processor_seconds([*command, "1"], environment) for _ in range(3))
    often = statistics.median(processor_seconds([*command, str(4 * repeat + 1)], environment) for _ in range(3))
    return (often - once) / (4 * repeat), json.loads(counted.stdout)["dispatches"][0]["wave_instructions"]


def theirs(host, source, arguments, repeat):
    """The same of one dispatch on PoCL with one thread, whose start takes as long as a hundred small ones. None: it refuses
    the source, as it does halves."""
    environment = dict(os.environ, POCL_MAX_PTHREAD_COUNT="1", POCL_AFFINITY="1")
    command = ["taskset", "-c", "0", host, source, *arguments, "--repeat"]
    result = subprocess.run([*command, "1"], check=False, capture_output=True, env=environment)
    with open(source, encoding="utf-8") as file:
        if result.returncode and "cl_khr_fp16" in file.read():
            return None
    result.check_returncode()
    once = statistics.median(processor_seconds([*command, "1"], environment) for _ in range(3))
    often = statistics.median(processor_seconds([*command, str(16 * repeat + 1)], environment) for _ in range(3))
    return (often - once) / (16 * repeat)


def measure(options, folder):
    host = toolchain.build_host(folder)
    for name, arguments in cases(folder):
        if not re.search(options.programs or "", name):
            continue
        base = SOURCES.get(name, name)
        source, code_object = os.path.join(HERE, f"{base}.cl"), os.path.join(folder, f"{base}.co")
        fine, messages = toolchain.compile_opencl(source, code_object, 2)
        if not fine:
            sys.exit(messages)
        offgrid, reference = os.path.join(options.build, "offgrid"), theirs(host, source, arguments, options.repeat)
        for level in LEVELS:
            interpreted, _ = ours(offgrid, [code_object], arguments, options.repeat, level, "0")
            seconds, instructions = ours(offgrid, [code_object], arguments, options.repeat, level)
            yield name, level, seconds, instructions, reference, interpreted
        if base == "sgemm" and shutil.which("ocloc"):
            text, zebin = sgemm_visa(folder, name)
            for level in LEVELS:
                seconds, instructions = ours(offgrid, [text, "--platform", "pvc", "--zeinfo", zebin], arguments,
                                             options.repeat, level)
                yield f"{name} visa", level, seconds, instructions, reference, seconds


def sgemm_visa(folder, name="sgemm"):
    """The multiplication as ocloc makes it for pvc, 32 channels wide: text and zebin."""
    place = os.path.join(folder, "sgemm.pvc")
    os.makedirs(place, exist_ok=True)
    texts, zebin, messages = visa.compile_visa(visa.prepare(os.path.join(HERE, "sgemm.cl"), "pvc", 32, place), "pvc",
                                               place, "-cl-std=CL1.2")
    if texts is None:
        sys.exit(messages)
    return texts[name], zebin


def table(rows):
    lines = ["| program (one thread) | host | interpreted | offgrid | PoCL | ratio | wave instructions/s |",
             "|---|---|---|---|---|---|---|"]
    names = {"sgemm": f"SGEMM {SGEMM}³, 16×16 LDS tiles, gfx900, clang-22 -O2",
             "sgemm visa": f"SGEMM {SGEMM}³, the same source, pvc SIMD32, ocloc",
             "naive": f"SGEMM {SGEMM}³, one sum a work-item, gfx900, clang-22 -O2",
             "naive visa": f"SGEMM {SGEMM}³, the same source, pvc SIMD32, ocloc",
             "reduce": f"sum of {REDUCED} floats, gfx900, clang-22 -O2",
             "half_loop": f"polynomial in halves, {HALF_ITEMS // 64} waves × {HALF_LOOPS} rounds, gfx900",
             "packed_loop": f"the same in packed halves, {HALF_ITEMS // 64} waves × {HALF_LOOPS} rounds, gfx900",
             "sort": f"bitonic sorts of 512 numbers in LDS, {SORTED} in all, gfx900",
             "sha256": f"SHA-256 of {HASHED} blocks, gfx900",
             "fft": f"Fourier transforms of 512 numbers in LDS, {TRANSFORMED} in all, gfx900",
             "valu": f"VALU loop, {VALU_ITEMS // 64} waves × {VALU_LOOPS} rounds, gfx900"}
    for name, level, seconds, instructions, reference, interpreted in rows:
        other = f"{reference * 1e3:.2f} ms | {seconds / reference:.2f}" if reference else "has no halves |"
        lines.append(f"| {names[name]} | {level} | {interpreted * 1e3:.2f} ms | {seconds * 1e3:.2f} ms | {other} | "
                     f"{instructions / seconds / 1e6:.1f} million |")
    return "\n".join(lines)


def tier_table(options, folder):
    """What the compiled tier takes to make host code of an operation, as `offgrid run --compile-stats` tells it; the
    process's first code, which finds all caches cold, is in it."""
    lines = ["| compiling while it runs | host | operations | host code of each | time of each |", "|---|---|---|---|---|"]
    offgrid = os.path.join(options.build, "offgrid")
    for name, arguments in cases(folder):
        code_object = os.path.join(folder, f"{name}.co")
        fine, messages = toolchain.compile_opencl(os.path.join(HERE, f"{SOURCES.get(name, name)}.cl"), code_object, 2)
        if not fine:
            sys.exit(messages)
        for level in LEVELS:
            runs = []
            for _ in range(2 * options.repeat):
                environment = dict(os.environ, OFFGRID_HOST=level)
                command = ["taskset", "-c", "0", offgrid, "run", code_object, "--compile-stats", *arguments]
                text = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
                runs.append([float(x) for x in re.findall(r"[0-9.]+", text)])
            operations, _, size, _, each = (statistics.median(column) for column in zip(*runs))
            lines.append(f"| {name} | {level} | {operations:.0f} | {size / operations:.0f} bytes | {each:.2f} µs |")
    return "\n".join(lines)


def code_object(source, folder, processor):
    path = os.path.join(folder, f"{os.path.basename(source)}.{processor}.co")
    fine, messages = toolchain.compile_opencl(source, path, 2, processor)
    if not fine:
        sys.exit(messages)
    return path


def clock_seconds(command, environment):
    """What one run of a command takes by the clock."""
    start = time.monotonic()
    processor_seconds(command, dict(os.environ, **environment))
    return time.monotonic() - start


def each_by_clock(command, environment, more=4, repeat=7):
    """Seconds of one of the dispatches behind the first: medians, few and many in turns."""
    pairs = [[clock_seconds([*command, "--repeat", str(1 + behind)], environment) for behind in (0, more)]
             for _ in range(repeat)]
    once, often = (statistics.median(times) for times in zip(*pairs))
    return (often - once) / more


def speed_rows(offgrid, folder):
    """Of the VALU loop, interpreted."""
    arguments = ["--kernel", "valu", "--grid", str(VALU_ITEMS), "--group", "64", "--arg",
                 f"buf:{4 * VALU_ITEMS}", "--arg", f"u32:{VALU_LOOPS}"]
    for processor, lanes in (("gfx900", 64), ("gfx1030", 32)):
        path = code_object(os.path.join(HERE, "valu.cl"), folder, processor)
        for level in LEVELS:
            seconds, count = ours(offgrid, [path], arguments, 3, level, "0")
            yield (f"VALU loop in waves of {lanes}, {processor}, interpreted", level,
                   f"{count / seconds / 1e6:.0f} million instructions/s")


def dispatch_row(offgrid, folder):
    source = os.path.join(folder, "empty.cl")
    with open(source, "w", encoding="utf-8") as file:
        file.write("kernel void empty(void) {}\n")
    command = [offgrid, "run", code_object(source, folder, "gfx900"), "--kernel", "empty", "--grid", "64", "--group", "64"]
    both, one = (each_by_clock([*pinned, *command], {}, DISPATCHES, 3) for pinned in ([], ["taskset", "-c", "0"]))
    return "a dispatch of an empty kernel, one work-group", "any", f"{both * 1e6:.2f} µs, on one core {one * 1e6:.2f} µs"


def side_by_side(commands, environment):
    """Seconds by the clock until all of these commands have ended, which start together."""
    start = time.monotonic()
    processes = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) for command in commands]
    if any([process.wait() for process in processes]):
        sys.exit(f"{' '.join(commands[0])}: failed")
    return time.monotonic() - start


def thread_rows(offgrid, folder, more=8, turns=9):
    """A second thread, beside what a second core gives two processes of one thread each: all of them in turns."""
    path = code_object(os.path.join(HERE, "sgemm.cl"), folder, "gfx900")
    size = f"buf:{4 * SIDE * SIDE}"
    command = [offgrid, "run", path, "--kernel", "sgemm", "--grid", f"{SIDE},{SIDE}", "--group", "16,16", "--arg", size,
               "--arg", size, "--arg", size, "--arg", f"u32:{SIDE}"]
    cores = sorted(os.sched_getaffinity(0))[:2]
    ways = ([command], [[*command, "--threads", "2"]], [["taskset", "-c", str(core), *command] for core in cores])
    for tier, name in (("0", "interpreted"), ("1", "compiled")):
        environment = dict(os.environ, OFFGRID_COMPILE=tier)
        rounds = [[side_by_side([[*one, "--repeat", str(1 + more)] for one in way], environment) -
                   side_by_side([[*one, "--repeat", "1"] for one in way], environment) for way in ways]
                  for _ in range(turns)]
        one, two, apart = (statistics.median(times) for times in zip(*rounds))
        yield (f"1024 work-groups of SGEMM, {name}: a second thread", "avx512",
               f"{one / two:.2f} times as fast, two processes {2 * one / apart:.2f}")


def machine_table(offgrid, folder):
    """Instructions interpreted in waves of either size, what a dispatch costs, and a second thread."""
    lines = ["| the machine | host | |", "|---|---|---|"]
    for row in (*speed_rows(offgrid, folder), dispatch_row(offgrid, folder), *thread_rows(offgrid, folder)):
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def write_lines(folder, name, lines):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def mixed_source(folder, processor):
    """A source of compilers' instructions, without labels, LINES long."""
    lines = []
    for name in ("physics", "vector_ops", "transcendental", "sort"):
        code_object = os.path.join(folder, f"{name}.co")
        toolchain.compile_opencl(os.path.join(HERE, f"../tests/programs/opencl/{name}.cl"), code_object, 2, processor)
        text = subprocess.run(["llvm-objdump-22", "-d", "--no-show-raw-insn", code_object], check=True,
                              capture_output=True, text=True).stdout
        found = (re.sub(r"\s*//.*", "", line) for line in text.splitlines() if line.startswith("\t"))
        lines += [line for line in found if line.strip() and "branch" not in line and "lit(" not in line]
    return write_lines(folder, f"mixed.{processor}.s", (lines * (LINES // len(lines) + 1))[:LINES])


def refused(command, lines):
    """Indices of the lines that an assembler refuses."""
    errors = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False).stderr
    return {int(number) - 1 for number in re.findall(r"^<stdin>:(\d+):\d+: error", errors, re.M)}


def distinct_source(folder, offgrid):
    """A source of all forms of gfx900 with random registers, constants and modifiers: no line comes twice."""
    forms, chance, lines = instruction_forms.of("gfx900"), random.Random(1), {}
    while len(lines) < LINES:
        words = []
        for _ in range(LINES):
            form = chance.choice(forms)
            code = form.value | chance.getrandbits(form.size) & ~form.mask & (1 << form.size) - 1
            words.append(",".join(f"{byte:#x}" for byte in code.to_bytes(form.size // 8, "little")))
        text = subprocess.run([offgrid, "dis", "--hex", "-mcpu=gfx900", "-"], input="\n".join(words),
                              capture_output=True, text=True, check=False).stdout
        found = [line for line in text.splitlines() if line not in lines and not re.search(r"branch|/\*", line)]
        wrong = refused(["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=null"], found)
        found = [line for i, line in enumerate(found) if i not in wrong]
        while wrong := refused([offgrid, "as", "-mcpu=gfx900", "-", "-o", "/dev/null"], found):  # it stops after some
            found = [line for i, line in enumerate(found) if i not in wrong]
        lines.update(dict.fromkeys(found))
    return write_lines(folder, "distinct.s", list(lines)[:LINES])


def seconds_of(command, repeat):
    """Median seconds of processor time that a whole process takes, which other load on the machine lengthens least."""
    times = []
    for _ in range(repeat):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{command} failed")
        times.append(usage.ru_utime + usage.ru_stime)
    return statistics.median(times)


def outputs(*commands):
    return [subprocess.run(command, check=True, capture_output=True).stdout for command in commands]


def assemblers(options, processor):
    """How ours and LLVM's are called, but for the files."""
    return [os.path.join(options.build, "offgrid"), "as", f"-mcpu={processor}"], \
        ["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-filetype=obj"]


def paired_seconds(mine, llvm, repeat):
    """Medians of both, run in turns: what else the machine does then falls on both alike."""
    pairs = [(seconds_of(mine, 3), seconds_of(llvm, 1)) for _ in range(repeat)]
    return [statistics.median(times) for times in zip(*pairs)]


def assemble_row(options, name, source, processor="gfx900", lines=LINES):
    mine, llvm = assemblers(options, processor)
    return f"assemble {name}", lines, *paired_seconds([*mine, source, "-o", f"{source}.mine"],
                                                      [*llvm, source, "-o", f"{source}.llvm"], 3)


def disassemble_rows(options, processor, source):
    """Of BIG times the source."""
    offgrid, big = os.path.join(options.build, "offgrid"), f"{source}.big"
    with open(source, encoding="utf-8") as file, open(big, "w", encoding="utf-8") as out:
        out.write(file.read() * BIG)
    subprocess.run([*assemblers(options, processor)[0], big, "-o", f"{big}.o"], check=True)
    mine, llvm = [offgrid, "objdump", "-d", f"{big}.o"], ["llvm-objdump-22", "-d", f"{big}.o"]
    if len(set(outputs(mine, llvm))) > 1:
        sys.exit("objdump prints something else than llvm-objdump")
    llvm_seconds = seconds_of(llvm, 1)
    yield f"objdump -d {processor}, with addresses and words", LINES * BIG, seconds_of(mine, 5), llvm_seconds
    yield f"dis {processor}, a source that assembles to the same bytes", LINES * BIG, \
        seconds_of([offgrid, "dis", f"{big}.o"], 5), llvm_seconds


def code_rows(options, name, path):
    """objdump -d and dis of an object; LLVM has no counterpart of the latter but its objdump."""
    offgrid = os.path.join(options.build, "offgrid")
    mine, llvm = [offgrid, "objdump", "-d", path], ["llvm-objdump-22", "-d", path]
    text, other = outputs(mine, llvm)
    if text != other:
        sys.exit(f"objdump prints something else than llvm-objdump of {path}")
    count = text.count(b" // 0")
    yield f"objdump -d {name}", count, *paired_seconds(mine, llvm, 3)
    yield f"dis {name}", count, *paired_seconds([offgrid, "dis", path], llvm, 3)


def disassembled_row(options, processor, path):
    """What dis prints of an object, assembled; the target id in its first line says the features."""
    source = f"{path}.s"
    subprocess.run([os.path.join(options.build, "offgrid"), "dis", path, "-o", source], check=True)
    with open(source, encoding="utf-8") as file:
        features = re.findall(r":(\w+)([+-])", file.readline())
        lines = 1 + sum(1 for _ in file)
    mattr = [f"-mattr={','.join(sign + name for name, sign in features)}"] if features else []
    mine, llvm = assemblers(options, processor)
    seconds = paired_seconds([*mine, *mattr, source, "-o", f"{source}.mine"],
                             [*llvm, *mattr, source, "-o", f"{source}.llvm"], 3)
    return f"assemble what dis prints of rocRAND for {processor}", lines, *seconds


def symbol_sources(folder):
    """(name, path, lines) of sources of symbols alone."""
    for name, line in (("labels", "label_{}:"), (".set of a number", ".set value_{0}, {0}"),
                       (".set of an expression", ".set value_{0}, max(first, {0})")):
        path = write_lines(folder, f"symbols.{len(line)}.s", [".set first, 1", *map(line.format, range(SYMBOLS))])
        yield name, path, SYMBOLS


def compiled_rows(options, folder):
    """What compilers write: assembled, and its objects disassembled; a library's code objects; sources of symbols."""
    for processor, small in (("gfx900", False), ("gfx1100", False), ("gfx1200", False), ("gfx900", True)):
        source, lines = compiled.source(folder, processor, small)
        name = f"llc's output for {processor}, " + ("small functions" if small else "kernels")
        yield assemble_row(options, name, source, processor, lines)
        with open(f"{source}.mine", "rb") as mine, open(f"{source}.llvm", "rb") as llvm:
            if mine.read() != llvm.read():
                sys.exit(f"the objects of {source} differ")
        yield from code_rows(options, name, f"{source}.llvm")
    for library in glob.glob("/usr/lib/x86_64-linux-gnu/librocrand.so.1"):
        subprocess.run([os.path.join(options.build, "offgrid"), "unbundle", library, "-o", folder], check=True,
                       stdout=subprocess.DEVNULL)
        for processor in ("gfx900", "gfx90a", "gfx1030"):
            path = sorted(glob.glob(os.path.join(folder, f"*{processor}*.hsaco")))[0]
            yield from code_rows(options, f"rocRAND for {processor}", path)
            yield disassembled_row(options, processor, path)
    for name, path, lines in symbol_sources(folder):
        yield assemble_row(options, f"{lines} symbols: {name}", path, lines=lines)


def text_rows(options, folder):
    """(name, instructions, seconds of ours, of LLVM's); instructions 0: the program's start alone."""
    for processor in ("gfx900", "gfx1100", "gfx1200"):
        source = mixed_source(folder, processor)
        yield assemble_row(options, processor, source, processor)
        yield from disassemble_rows(options, processor, source)
    distinct = distinct_source(folder, os.path.join(options.build, "offgrid"))
    yield assemble_row(options, "gfx900, all forms, no line twice", distinct)
    one, (mine, llvm) = write_lines(folder, "one.s", ["s_endpgm"]), assemblers(options, "gfx900")
    yield "one instruction: start", 0, seconds_of([*mine, one, "-o", f"{one}.mine"], 51), \
        seconds_of([*llvm, one, "-o", f"{one}.llvm"], 15)


def ir_rows(options, folder):
    """LLVM IR as text: read, verified and printed by us; read, verified and written as bitcode by llvm-as. In bytes, so
    that millions a second are MB/s."""
    for name, flags in ("-O2", ["-O2"]), ("-O2 -g", ["-O2", "-g"]):
        path = os.path.join(folder, "k.ll")
        source = os.path.join(HERE, "../tests/programs/opencl/control.cl")
        subprocess.run(["clang-22", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-nogpulib", "-x", "cl", "-cl-std=CL1.2",
                        *flags, "-S", "-emit-llvm", source, "-o", path], check=True)
        yield f"LLVM IR of control.cl, {name}", os.path.getsize(path), *paired_seconds(
            [os.path.join(options.build, "offgrid"), "cc", "-emit-llvm", "-S", path, "-o", os.devnull],
            ["llvm-as-22", path, "-o", os.devnull], 5)


def library(folder):
    """A bundle of LIBRARY bytes of code objects, as a library for many processors is."""
    made, linked = os.path.join(folder, "mixed.gfx900.s.llvm"), os.path.join(folder, "mixed.hsaco")
    subprocess.run(["ld.lld-22", "-shared", made, "-o", linked], check=True)
    with open(linked, "rb") as file:
        code = file.read()
    code += bytes(-len(code) % 4096)
    count = LIBRARY // len(code)
    name = b"hipv4-amdgcn-amd-amdhsa--gfx900"
    first = (32 + count * (24 + len(name)) + 4095) & ~4095
    head = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", count)
    head += b"".join(struct.pack("<QQQ", first + i * len(code), len(code), len(name)) + name for i in range(count))
    path = os.path.join(folder, "library.hipfb")
    with open(path, "wb") as file:
        file.write(head + bytes(first - len(head)) + code * count)
    return path


def library_table(options, folder):
    """Telling what a large library holds, beside reading it."""
    path = library(folder)
    mine = seconds_of([os.path.join(options.build, "offgrid"), "info", path], 5)
    reading = seconds_of(["cksum", path], 5)
    return (f"| A library of {os.path.getsize(path) / 1e6:.0f} MB | `offgrid info` | `cksum` |\n|---|---|---|\n"
            f"| all of it | {mine:.3f} s | {reading:.3f} s |")


def visa_source(folder):
    """A vISA source of the compiler's instructions, without labels and branches, LINES long."""
    with open(sgemm_visa(folder)[0], encoding="utf-8") as file:
        lines = file.read().splitlines()
    head = [line for line in lines if line.startswith(".")]
    body = [line for line in lines if line.startswith("    ") and "goto" not in line and " ret " not in line]
    body = (body * (LINES // len(body) + 1))[:LINES]
    return write_lines(folder, "mixed.visaasm", head + ["_main_0:"] + body + ["    ret (M1, 1)"])


def visa_table(options, folder):
    """Assembling and disassembling vISA. GenX_IR has no counterpart to hold it against: it always compiles."""
    source, binary = visa_source(folder), os.path.join(folder, "mixed.isa")
    offgrid = os.path.join(options.build, "offgrid")
    lines = [f"| {LINES} vISA instructions of pvc, one thread | offgrid | million/s |", "|---|---|---|"]
    for name, command in (("assemble", ["as", "-mcpu=pvc", source, "-o", binary]),
                          ("disassemble", ["dis", binary, "-o", os.path.join(folder, "text")])):
        seconds = seconds_of([offgrid, *command], 5)
        lines.append(f"| {name} | {seconds:.3f} s | {LINES / seconds / 1e6:.2f} |")
    return "\n".join(lines)


def text_table(rows, title="instructions of four kernels repeated, one thread", unit="instructions"):
    lines = [f"| {title} | {unit} | offgrid | LLVM 22 | times faster | million/s |",
             "|---|---|---|---|---|---|"]
    for name, count, ours_seconds, llvm_seconds in rows:
        speed = f"{count / ours_seconds / 1e6:.2f}" if count else ""
        lines.append(f"| {name} | {count or 1} | {ours_seconds * 1e3:.1f} ms | {llvm_seconds * 1e3:.1f} ms | "
                     f"{llvm_seconds / ours_seconds:.1f} | {speed} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--repeat", type=int, default=11)
    parser.add_argument("--write")
    parser.add_argument("--text", action="store_true", help="assembling and disassembling only")
    parser.add_argument("--compiled", action="store_true", help="the same, of what compilers write only")
    parser.add_argument("--cc", action="store_true", help="compile times only")
    parser.add_argument("--machine", action="store_true", help="dispatches, instructions and threads only")
    parser.add_argument("--programs", metavar="REGEX", help="running kernels only, those of these names")
    options = parser.parse_args()
    absent = toolchain.missing("clang-22", "llc-22", "ld.lld-22", "taskset")
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    with tempfile.TemporaryDirectory() as folder:
        some, tables = options.text or options.compiled or options.cc or options.machine, {}
        if not some:
            tables["bench"] = table(list(measure(options, folder)))
        if options.programs:
            print(tables["bench"])
            return 0
        if not some:
            tables["bench"] += "\n\n" + tier_table(options, folder)
        if not some or options.machine:
            tables["machine"] = machine_table(os.path.join(options.build, "offgrid"), folder)
        if not some or options.cc:
            tables["cc"] = compile_times.table(os.path.join(options.build, "offgrid"), folder)
        if not options.cc and not options.machine:
            tables["compiled"] = text_table(compiled_rows(options, folder), "what compilers write, one thread",
                                            "lines or instructions")
            tables["ir"] = text_table(ir_rows(options, folder), "LLVM IR as text, one thread", "bytes")
        if not some or options.text:
            tables["text"] = text_table(text_rows(options, folder)) + "\n\n" + library_table(options, folder)
            if shutil.which("ocloc"):
                tables["text"] += "\n\n" + visa_table(options, folder)
    for name, text in tables.items():
        print(text + "\n")
        if options.write:
            with open(options.write, encoding="utf-8") as file:
                page = file.read()
            with open(options.write, "w", encoding="utf-8") as file:
                file.write(re.sub(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)",
                                  lambda m, t=text: m[1] + t + "\n" + m[2], page, flags=re.S))
    return 0


if __name__ == "__main__":
    sys.exit(main())
