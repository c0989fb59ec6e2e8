#!/usr/bin/env python3
"""Random OpenCL programs of several files (functions that call each other, globals, tables of pointers, weak
functions), compiled one by one with clang-22, linked by `offgrid ld` and by ld.lld-22: both must run to the same
results.

usage: link_run.py OFFGRID [PROGRAMS [SEED]]
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

import link_ways

OFFGRID = sys.argv[1]
PROGRAMS = int(sys.argv[2]) if len(sys.argv) > 2 else 6
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
if any(shutil.which(t) is None for t in ("clang-22", "ld.lld-22")):
    print("skipped: needs clang-22 and ld.lld-22")
    sys.exit(77)


def expression(rng, callable_names, values):
    terms = [f"x * {rng.randint(1, 9)}", str(rng.randint(0, 99)), rng.choice(values)]
    terms += [f"{name}(x + {rng.randint(0, 5)})"
              for name in rng.sample(callable_names, min(len(callable_names), rng.randint(0, 3)))]
    rng.shuffle(terms)
    return rng.choice([" + ", " ^ "]).join(terms)


def program(rng):
    """Sources of two to four files."""
    files = rng.randint(2, 4)
    functions, data = [f"f{i}" for i in range(rng.randint(3, 8))], [f"g{i}" for i in range(rng.randint(2, 5))]
    values = data + [f"*p{i}" for i in range(len(data))] + [f"t{i}[x & 3]" for i in range(len(data))]
    head = "".join(f"int {f}(int x);\n" for f in functions + ["chosen"])
    head += "".join(f"extern global int g{i};\nextern global int *p{i};\nextern constant int t{i}[4];\n"
                    for i in range(len(data)))
    bodies = [head for _ in range(files)]
    for i, name in enumerate(functions):
        bodies[rng.randrange(files)] += f"__attribute__((noinline)) int {name}(int x) {{ return {expression(rng, functions[i + 1:] + ['chosen'], values)}; }}\n"
    for i in range(len(data)):
        bodies[rng.randrange(files)] += f"global int g{i} = {rng.randint(0, 1000)};\n"
        bodies[rng.randrange(files)] += f"global int *p{i} = &g{rng.randrange(len(data))};\n"
        bodies[rng.randrange(files)] += f"constant int t{i}[4] = {{{', '.join(str(rng.randint(0, 99)) for _ in range(4))}}};\n"
    strong = rng.randrange(files)
    for i in range(files):
        weak = "" if i == strong else "__attribute__((weak)) "
        if not weak or rng.random() < 0.5:
            bodies[i] += f"__attribute__((noinline)) {weak}int chosen(int x) {{ return x + {rng.randint(0, 1000)}; }}\n"
    bodies[rng.randrange(files)] += ("kernel void k(global int *out) {\n  local int kept[64];\n  int x = __builtin_amdgcn_workitem_id_x();\n"
                                     f"  kept[x] = {expression(rng, functions, values)};\n  __builtin_amdgcn_s_barrier();\n"
                                     f"  out[x] = kept[63 - x] + {expression(rng, functions, values)};\n}}\n")
    return bodies, (functions, data)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(" ".join(command), done.stderr, sep="\n")
        raise SystemExit(1)


def result(code_object, folder):
    out = os.path.join(folder, "out.bin")
    run(OFFGRID, "run", code_object, "--kernel", "k", "--grid", "64", "--group", "64", "--arg", f"out:{out}:256")
    return open(out, "rb").read()


def main():
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    failures = refused = 0
    for number in range(PROGRAMS):
        with tempfile.TemporaryDirectory() as folder:
            objects = []
            bodies, names = program(rng)
            for i, text in enumerate(bodies):
                source, made = os.path.join(folder, f"{i}.cl"), os.path.join(folder, f"{i}.o")
                with open(source, "w", encoding="utf-8") as file:
                    file.write(text)
                # --wrap gives calls other targets: callers may not count on the registers that a callee leaves alone.
                run("clang-22", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx900", "-nogpulib", "-cl-std=CL2.0",
                    "-mllvm", "-enable-ipra=0", rng.choice(["-O0", "-O1", "-O2"]), "-w", "-c", source, "-o", made)
                objects.append(made)
            way, given = link_ways.inputs(rng, objects, folder)
            arguments = ["-u", "k", "-u", "k.kd", *link_ways.options(rng, *names, folder, False)]
            partial = rng.random() < 0.25
            linked = link_ways.both(rng, OFFGRID, arguments, given, folder, partial)
            if linked is None:
                refused += 1
                continue
            ours, theirs = linked
            if result(ours, folder) != result(theirs, folder):
                failures += 1
                print(f"program {number} ({way}{' -r' * partial} {' '.join(arguments)}) gives other results")
    print(f"{PROGRAMS} programs, {refused} refused by both, {failures} differ")
    sys.exit(bool(failures))


main()
