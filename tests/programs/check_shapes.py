#!/usr/bin/env python3
"""Over 200 small kernels with one mistake each, from a table of shapes, under `offgrid check`: races, undefined values,
overruns, barriers in divergent flow and LDS that leaks between work-groups, by types and patterns, beside others that are right.
Each mistake is found by its checker, no other says anything, and nothing is said of the right ones.

usage: check_shapes.py --offgrid BUILD/offgrid [--processors gfx900,gfx1100] [--only PATTERN]"""
import argparse
import collections
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

import toolchain

TYPES = {"char": 1, "short": 2, "int": 4, "float": 4, "long": 8, "int4": 16, "double": 8, "int2": 8, "uchar": 1}
PATTERNS = {"reverse": "255 - i", "next": "(i + 64) & 255", "across": "i ^ 128"}
Case = collections.namedtuple("Case", "name checker levels grid group arguments body parameters")
LOCAL, GLOBAL = "barrier(CLK_LOCAL_MEM_FENCE);", "barrier(CLK_GLOBAL_MEM_FENCE);"
HEAD = "uint i = get_local_id(0), g = get_global_id(0);"


def buffers(size, count=1):
    return [f"buf:{256 * size}"] * count


def pair(name, checker, body, arguments, parameters, mend, levels="02", grid="256", group="256"):
    """A case and the same with what MISTAKE stands for."""
    yield Case(name, checker, levels, grid, group, arguments, body.replace("MISTAKE", ""), parameters)
    yield Case(f"{name}_fine", "", levels, grid, group, arguments, body.replace("MISTAKE", mend), parameters)


def races():
    for t, size in TYPES.items():
        for pattern, other in PATTERNS.items():
            lds = f"local {t} s[256]; s[i] = ({t})0; {LOCAL} "
            yield from pair(f"lds_read_{t}_{pattern}", "races", f"{lds} s[i] = ({t})(i + 1); MISTAKE out[g] = s[{other}];",
                            buffers(size), f"global {t} *out", LOCAL)
            yield from pair(f"lds_overwritten_{t}_{pattern}", "races",
                            f"{lds} {t} v = s[{other}]; MISTAKE s[i] = v + ({t})(i + 1); {LOCAL} out[g] = s[i];", buffers(size),
                            f"global {t} *out", LOCAL)
        yield from pair(f"memory_read_{t}", "races", f"a[i] = ({t})(i % 100 + 1); MISTAKE out[g] = a[255 - i];", buffers(size, 2),
                        f"global {t} *out, global {t} *a", GLOBAL)
        yield from pair(f"groups_read_{t}", "races", f"a[g] = ({t})(g % 100 + 1); out[g] = a[MISTAKE(g + 64) & 255];", buffers(size, 2),
                        f"global {t} *out, global {t} *a", "g + 0 * ", group="64")
        yield Case(f"groups_write_{t}", "races", "02", "256", "64", buffers(size), f"out[i] = ({t})(get_group_id(0) + 1);", f"global {t} *out")


def undefined():
    for t, size in TYPES.items():
        whole = f"local {t} s[256]; COND s[i] = ({t})(i + 1); {LOCAL} out[g] = s[i];"
        for name, condition, group in (("half", "if (i < 128)", "256"), ("leak", "if (get_group_id(0) == 0)", "64"),
                                       ("odd", "if (i & 1)", "256")):
            yield Case(f"lds_{name}_{t}", "uninit", "02", "256", group, buffers(size), whole.replace("COND", condition), f"global {t} *out")
        yield Case(f"lds_whole_{t}", "", "02", "256", "256", buffers(size), whole.replace("COND", ""), f"global {t} *out")
        part = ".x" if t in ("int2", "int4") else ""
        for use, text in (("stored", f"out[g] = v;"), ("branch", f"if (v{part} > 0) out[g] = ({t})1;"),
                          ("address", f"out[(uint)v{part} & 63] = ({t})1;")):
            yield from pair(f"private_{use}_{t}", "uninit", f"{t} a[4]; MISTAKE a[0] = ({t})1; {t} v = a[n & 3]; {text}",
                            buffers(size) + ["u32:1"], f"global {t} *out, uint n", f"a[1] = ({t})2;", "0", "64", "64")


def overruns():
    for t, size in TYPES.items():
        many, far = 256, 4096 // size
        for place, index in (("behind", f"g + {many} + {far}"), ("before", f"(int)g - {many} - {far}")):
            yield Case(f"read_{place}_{t}", "bounds", "02", "256", "64", buffers(size, 2), f"out[g] = a[{index}];",
                       f"global {t} *out, global const {t} *a")
            yield Case(f"write_{place}_{t}", "bounds", "02", "256", "64", buffers(size), f"out[{index}] = ({t})1;", f"global {t} *out")
        arguments, parameters = buffers(size) + [f"lds:{256 * size}"], f"global {t} *out, local {t} *s"
        fill = f"s[i] = ({t})(i + 1); {LOCAL} "
        yield Case(f"lds_read_behind_{t}", "bounds", "02", "256", "256", arguments, f"{fill} out[g] = s[i + 8];", parameters)
        yield Case(f"lds_write_behind_{t}", "bounds", "02", "256", "256", arguments, f"{fill} s[i + 256] = ({t})1; out[g] = s[i];", parameters)
        yield Case(f"lds_read_inside_{t}", "", "02", "256", "256", arguments, f"{fill} out[g] = s[i & 247];", parameters)


def divergence():
    for fence, name in ((LOCAL, "lds"), (GLOBAL, "memory")):
        for shape, text in {"low_lanes": "if (i < 32) BARRIER", "odd_lanes": "if (i & 1) BARRIER", "one_lane": "if (i == 0) BARRIER",
                            "loop": "for (uint k = 0; k <= i % 2; k++) BARRIER", "first_wave": "if (i < 64) BARRIER BARRIER",
                            "choice": "if (i & 2) { BARRIER } else { out[g] = 7; BARRIER }",
                            # what waves disagree about, each by itself of one mind
                            "waves_count": "for (uint k = 0; k < i / 64 + 1; k++) { BARRIER out[g] = k; }",
                            "waves_choice": "if (__builtin_amdgcn_readfirstlane(i) & 64) { BARRIER out[g] = 7; BARRIER } else "
                                            "{ BARRIER out[g] = 8; out[g ^ 1] = 9; BARRIER }"}.items():
            levels = "2" if shape in ("first_wave", "waves_choice") else "02"  # at -O0 barriers are calls of one function
            yield Case(f"barrier_{shape}_{name}", "divergence", levels, "256", "256", buffers(4), text.replace("BARRIER", fence) + " out[g] = i;",
                       "global int *out")
        yield Case(f"barrier_all_{name}", "", "02", "256", "256", buffers(4), f"if (n) {{ {fence} }} out[g] = i;".replace("n)", "n > 3)"),
                   "global int *out, uint n")


def run(options, code, case):
    command = [options.offgrid, "check", code, "--kernel", case.name, "--grid", case.grid, "--group", case.group]
    for text in case.arguments + ["u32:5"] * case.name.startswith("barrier_all"):
        command += ["--arg", text]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default="gfx900")
    parser.add_argument("--levels", default="02")
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    if toolchain.missing("clang-22", "ld.lld-22"):
        print("skipped: needs clang-22")
        return 77
    cases = [case for shape in (races, undefined, overruns, divergence) for case in shape() if fnmatch.fnmatch(case.name, options.only)]
    runs = failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        source = os.path.join(folder, "shapes.cl")
        with open(source, "w", encoding="utf-8") as file:
            file.writelines(f"kernel void {case.name}({case.parameters}) {{ {HEAD} {case.body} }}\n" for case in cases)
        for processor in options.processors.split(","):
            for level in options.levels:
                code = os.path.join(folder, f"{processor}.O{level}")
                done, messages = toolchain.compile_opencl(source, code, level, processor, ["-g", "-w"])
                if not done:
                    sys.exit(messages)
                wanted = [case for case in cases if level in case.levels]
                for case, said in zip(wanted, pool.map(lambda case: run(options, code, case), wanted)):
                    found = set(re.findall(r"\[(\w+)\]$", said.stderr, re.M))
                    runs += 1
                    if found != set(filter(None, [case.checker])) or said.returncode != bool(case.checker):
                        failed += 1
                        print(f"{case.name} -O{level} {processor}: exit {said.returncode}, {sorted(found)} and not "
                              f"{case.checker or 'nothing'}\n{said.stderr[:700]}")
    print(f"{runs} runs of {len(cases)} kernels, {sum(bool(case.checker) for case in cases)} with a mistake, {failed} not as they should be")
    return 1 if failed or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
