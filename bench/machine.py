"""The machine itself: instructions interpreted in waves of either size, what a dispatch costs, and a second thread."""
import os
import statistics
import subprocess
import time

import toolchain

HERE = os.path.dirname(os.path.abspath(__file__))
LEVELS = ("avx512", "avx2")
ITEMS, LOOPS = 64 * 64, 2000
DISPATCHES = 100000
SIDE = 512  # of a product of matrices in tiles of 16 × 16: 1024 work-groups


def spent(command, environment, clock):
    """Seconds of the clock or of the processor that a command takes."""
    start = time.monotonic()
    process = subprocess.Popen(command, env=dict(os.environ, **environment), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return time.monotonic() - start if clock else usage.ru_utime + usage.ru_stime


def each(command, environment, more, repeat=7, clock=False):
    """Seconds of one of the dispatches behind the first: medians, few and many in turns."""
    pairs = [(spent([*command, "--repeat", "1"], environment, clock),
              spent([*command, "--repeat", str(1 + more)], environment, clock)) for _ in range(repeat)]
    once, often = (statistics.median(times) for times in zip(*pairs))
    return (often - once) / more


def compiled(source, folder, processor, options=()):
    path = os.path.join(folder, f"{os.path.basename(source)}.{processor}.co")
    fine, messages = toolchain.compile_opencl(source, path, 2, processor, options)
    if not fine:
        raise SystemExit(messages)
    return path


def speed_rows(offgrid, folder):
    """Of the VALU loop, interpreted."""
    for processor, lanes in (("gfx900", 64), ("gfx1030", 32)):
        command = [offgrid, "run", compiled(os.path.join(HERE, "valu.cl"), folder, processor), "--kernel", "valu", "--grid",
                   str(ITEMS), "--group", "64", "--arg", f"buf:{4 * ITEMS}", "--arg", f"u32:{LOOPS}"]
        counted = subprocess.run([*command, "--stats=json"], check=True, capture_output=True, text=True).stdout
        count = int(counted.split('"wave_instructions":')[1].split(",")[0].strip(" }]"))
        for level in LEVELS:
            seconds = each(command, {"OFFGRID_HOST": level, "OFFGRID_COMPILE": "0"}, 4)
            yield f"VALU loop in waves of {lanes}, {processor}, interpreted", level, f"{count / seconds / 1e6:.0f} million instructions/s"


def dispatch_row(offgrid, folder):
    source = os.path.join(folder, "empty.cl")
    with open(source, "w", encoding="utf-8") as file:
        file.write("kernel void empty(void) {}\n")
    command = [offgrid, "run", compiled(source, folder, "gfx900"), "--kernel", "empty", "--grid", "64", "--group", "64"]
    return "a dispatch of an empty kernel, one work-group", "any", f"{each(command, {}, DISPATCHES) * 1e6:.2f} µs"


def thread_rows(offgrid, folder):
    path = compiled(os.path.join(HERE, "sgemm.cl"), folder, "gfx900")
    size = f"buf:{4 * SIDE * SIDE}"
    command = [offgrid, "run", path, "--kernel", "sgemm", "--grid", f"{SIDE},{SIDE}", "--group", "16,16", "--arg", size,
               "--arg", size, "--arg", size, "--arg", f"u32:{SIDE}"]
    for tier, name in (("0", "interpreted"), ("1", "compiled")):
        one, two = (each([*command, "--threads", str(threads)], {"OFFGRID_COMPILE": tier}, 4, clock=True) for threads in (1, 2))
        yield f"1024 work-groups of SGEMM, {name}: a second thread", "avx512", f"{one / two:.2f} times as fast"


def table(offgrid, folder):
    lines = ["| the machine | host | |", "|---|---|---|"]
    for row in (*speed_rows(offgrid, folder), dispatch_row(offgrid, folder), *thread_rows(offgrid, folder)):
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)
