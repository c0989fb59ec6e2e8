"""What compilers write, as a benchmark: one source for each processor, of many different kernels, with all directives,
symbols, metadata and comments that llc-22 gives them. The kernels are those of tests/programs, random ones in OpenCL
C and modules of LLVM IR with what kernels seldom have; the levels of optimisation take turns. A second source has such
modules alone: small functions, of which directives and symbols are the greater part."""
import glob
import itertools
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../tests/programs"), os.path.join(HERE, "../tests/oracle")]
import llc_ir  # noqa: E402
import random_opencl  # noqa: E402
import toolchain  # noqa: E402

SEED, RANDOM_FILES, KERNELS, MODULES, SMALL = 1, 12, 8, 60, 400
LEVELS = (2, 3)


def run(*command):
    """Without the many warnings of llc's."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr[-1000:])


def renamed(text, number):
    """IR whose definitions no other module has."""
    names = set(re.findall(r"^define [^@]*@([\w.$]+)\(", text, re.M)) | set(re.findall(r"^[@$]([\w.$]+) =", text, re.M))
    return re.sub(r"([@$])([\w.$]+)\b", lambda m: f"{m[1]}{m[2]}_{number}"
                  if m[2] in names and not m[2].startswith("llvm.") else m[0], text)


def opencl_modules(folder, processor):
    paths = sorted(glob.glob(os.path.join(HERE, "../tests/programs/opencl/*.cl")) + glob.glob(os.path.join(HERE, "*.cl")))
    for number in range(RANDOM_FILES):
        paths.append(os.path.join(folder, f"random{number}.cl"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(random_opencl.source(SEED, number, KERNELS))
    for path, level in zip(paths, itertools.cycle(LEVELS)):
        made = os.path.join(folder, "one.ll")
        fine, messages = toolchain.compile_opencl(path, made, level, processor, ["-S", "-emit-llvm"])
        if not fine:
            sys.exit(messages)
        with open(made, encoding="utf-8") as file:
            yield file.read()


def ir_modules(processor):
    chance = random.Random(SEED)
    while True:
        yield llc_ir.module(chance, "amdhsa", processor, "amdgcn-amd-amdhsa")[0]


def compiles(path, processor):
    """Not every processor has what a random module asks for."""
    return subprocess.run(["llc-22", f"-mcpu={processor}", path, "-o", os.devnull], capture_output=True,
                          check=False).returncode == 0


def linkable(folder, processor, texts, modules):
    """Paths of the texts as modules, and of so many more of LLVM IR."""
    paths = [write(folder, number, text) for number, text in enumerate(texts)]
    for text in ir_modules(processor):
        path = write(folder, len(paths), text)
        if compiles(path, processor):
            paths.append(path)
            modules -= 1
        if not modules:
            return paths


def write(folder, number, text):
    path = os.path.join(folder, f"module{number}.ll")
    with open(path, "w", encoding="utf-8") as file:
        file.write(renamed(text, number))
    return path


def source(folder, processor, small=False):
    """Path of the processor's source, and how many lines it has."""
    name = f"{'small' if small else 'compiled'}.{processor}"
    place, path = os.path.join(folder, name), os.path.join(folder, f"{name}.s")
    os.makedirs(place)
    whole = os.path.join(place, "whole.bc")
    texts, modules = ([], SMALL) if small else (opencl_modules(place, processor), MODULES)
    run("llvm-link-22", "--suppress-warnings", *linkable(place, processor, texts, modules), "-o", whole)
    run("llc-22", f"-mcpu={processor}", "-O3", whole, "-o", path)
    with open(path, encoding="utf-8") as file:
        return path, sum(1 for _ in file)
