#!/usr/bin/env python3
"""Files that other compilers make: HIP fat binaries of hipcc and of clang-22 (plain, compressed, the new driver's),
GCC's OpenMP offload executables and objects, ROCm's libraries. Each must open, print, disassemble, lint silently and
load, its JSON be what docs/info.schema.json says; GCC's objects must link. rocRAND's generators must make the same
numbers with the code for each processor. Parts whose compiler is not installed are passed over.

usage: compilers.py OFFGRID LOAD_TOOL [PARTS]    (of each file, so many code objects are loaded and run; one HIP source)
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

from json_schema import faults

OFFGRID, LOAD_TOOL = (os.path.abspath(path) for path in sys.argv[1:3])
PARTS = int(sys.argv[3]) if len(sys.argv) > 3 else None
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.path.join(ROOT, "tests/programs")
SCHEMA = json.load(open(os.path.join(ROOT, "docs/info.schema.json"), encoding="utf-8"))
HIPCC_TARGETS = ["gfx803", "gfx900", "gfx906:xnack-", "gfx908:xnack+:sramecc-", "gfx90a", "gfx1010", "gfx1030"]
CLANG_TARGETS = ["gfx900", "gfx90a:xnack+", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1201"]
LIBRARIES = ["/usr/lib/x86_64-linux-gnu/librocrand.so.1"]
ACCEL = "/usr/lib/gcc/x86_64-linux-gnu/12/accel/amdgcn-amdhsa"
GCC_PROCESSORS = {"fiji": "gfx803", "gfx900": "gfx900", "gfx906": "gfx906", "gfx908": "gfx908"}
GCC_UNLINKED = ["gfx908"]  # its package has no libraries for it
# GCC 12 counts a wait state too many: v_readlane and the address it makes, a store of 16 bytes and what overwrites its data.
KNOWN = {"gcc": ("OG505",), "gcc_objects": ("OG505",)}
ROCRAND_ENGINES = {"xorwow_engine": "", "mrg32k3a_engine": "mrg_"}
counts = {"files": 0, "code objects": 0, "relocatable": 0, "kernels": 0, "loaded": 0, "runs": 0, "known findings": 0, "failed": 0}


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def fail(path, what, text):
    counts["failed"] += 1
    print(f"{path}: {what}: {text.strip()[:600]}")


def check(path, folder, known=()):
    """One file with code objects in it, through all verbs that read; what lint finds with the codes `known` is counted."""
    counts["files"] += 1
    info, lint = run(OFFGRID, "info", "--json", path), run(OFFGRID, "lint", "--waits", "--json", path)
    text = run(OFFGRID, "info", path)
    if info.returncode or text.returncode:
        return fail(path, "info", info.stderr + text.stderr)
    findings = [f for f in json.loads(lint.stdout)["findings"] if f["severity"] != "note"]
    counts["known findings"] += sum(f.get("code") in known for f in findings)
    if any(f.get("code") not in known for f in findings):
        fail(path, "lint", lint.stderr)
    objects = json.loads(info.stdout)
    wrong = faults(objects, SCHEMA)
    if wrong:
        fail(path, "JSON", "\n".join(wrong))
    objects = objects if isinstance(objects, list) else [objects]
    counts["code objects"] += len(objects)
    counts["kernels"] += sum(len(o["kernels"]) for o in objects)
    missing = [k["name"] for o in objects for k in o["kernels"] if f"kernel {k['name']}\n" not in text.stdout]
    if missing:
        fail(path, "info does not print", missing[0])
    if objects[0]["type"] == "relocatable":
        counts["relocatable"] += len(objects)
        return None
    out = os.path.join(folder, "unbundled")
    shutil.rmtree(out, ignore_errors=True)
    done = run(OFFGRID, "unbundle", path, "-o", out)
    parts = sorted(glob.glob(os.path.join(out, "*.hsaco")))
    if done.returncode or len(parts) != len(objects):
        fail(path, f"unbundle: {len(parts)} of {len(objects)}", done.stderr)
    for part in parts[:PARTS]:
        done = run(OFFGRID, "dis", part, "-o", "/dev/null")
        if done.returncode:
            fail(part, "dis", done.stderr)
        done = run(LOAD_TOOL, part)
        counts["loaded"] += done.returncode == 0
        if done.returncode:
            fail(part, "loading", done.stderr)
        if "kernel nothing\n" in run(OFFGRID, "info", "--kernels", part).stdout:
            launch(part, "nothing", "1")
    if path in LIBRARIES:
        check_rocrand(parts[:PARTS], folder)
    return None


def launch(part, kernel, size, *arguments):
    done = run(OFFGRID, "run", part, "--kernel", kernel, "--grid", size, "--group", size,
               *[word for a in arguments for word in ("--arg", a)])
    counts["runs"] += 1
    if done.returncode:
        fail(part, f"running {kernel}", done.stderr)


def rocrand_numbers(part, engine, prefix, folder):
    """What each uniform generator of an engine makes from the states that its first kernel made: kernel -> bytes."""
    states, numbers, made = os.path.join(folder, "states"), os.path.join(folder, "numbers"), {}
    kernels = {k["name"]: k for k in json.loads(run(OFFGRID, "info", "--json", part).stdout)["kernels"]}
    for name in kernels:
        if "init_engines_kernel" in name and engine in name:
            launch(part, name, "256", f"out:{states}:65536", "u32:0", "u64:1234567", "u64:3")
            made[name] = open(states, "rb").read()
    for name, kernel in kernels.items():
        if engine in name and f"{len(prefix) + 20}{prefix}uniform_distribution" in name:
            distribution = "struct:" + "00" * kernel["kernarg"]["args"][4]["size"]
            launch(part, name, "256", f"in:{states}", "u32:0", f"out:{numbers}:4096", "u64:500", distribution)
            made[name] = open(numbers, "rb").read()
    return made


def check_rocrand(parts, folder):
    for engine, prefix in ROCRAND_ENGINES.items():
        first = rocrand_numbers(parts[0], engine, prefix, folder)
        if len(first) < 5 or not all(any(data) for data in first.values()):
            fail(parts[0], engine, f"{len(first)} kernels made something")
        for part in parts[1:]:
            other = rocrand_numbers(part, engine, prefix, folder)
            for name in [n for n in first if other.get(n) != first[n]]:
                fail(part, name, "other numbers than the code for " + os.path.basename(parts[0]) + " makes")


def make(path, *command, **options):
    done = run(*command, **options)
    if done.returncode or not os.path.exists(path):
        fail(path, "the compiler", done.stderr)
        return None
    return path


def hipcc(folder):
    sources = sorted(glob.glob(os.path.join(PROGRAMS, "hip/*.hip.cpp")))
    for source in sources[:1] if PARTS else sources:
        out = os.path.join(folder, os.path.basename(source)[:-8])
        yield make(out, "hipcc", "-O2", "-w", *["--offload-arch=" + t for t in HIPCC_TARGETS[:PARTS]], source, "-o", out)
    yield make(out + ".o", "hipcc", "-O0", "-w", "--offload-arch=gfx900", "-c", source, "-o", out + ".o")


def clang(folder):
    for name, options in (("plain", []), ("compressed", ["--offload-compress"]), ("new", ["--offload-new-driver"]),
                          ("V6", ["-mcode-object-version=6", "--offload-compress"])):
        out = os.path.join(folder, name + ".o")
        yield make(out, "clang-22", "-x", "hip", "-O2", *["--offload-arch=" + t for t in CLANG_TARGETS], "-nogpuinc",
                   "-nogpulib", *options, "-c",
                   os.path.join(PROGRAMS, "hip/bare.hip"), "-o", out)


def gcc(folder):
    for processor in GCC_PROCESSORS:
        out = os.path.join(folder, "openmp-" + processor)
        command = ["gcc-12", "-O2", "-fopenmp", "-foffload=amdgcn-amdhsa", f"-foffload-options=-march={processor} -lm",
                   "-save-temps",
                   os.path.join(PROGRAMS, "openmp/offload.c"), "-o", out, "-lm"]
        if processor in GCC_UNLINKED:  # leaves its assembler source
            run(*command, cwd=folder)
        else:
            yield make(out, *command, cwd=folder)


def gcc_objects(folder):
    """Objects of GCC's assembler sources and its libraries, and what offgrid links of them."""
    for march, processor in GCC_PROCESSORS.items():
        source, part = os.path.join(folder, f"openmp-{march}.xamdgcn-amdhsa.mkoffload.2.s"), os.path.join(folder, march + ".o")
        theirs, ours = part + ".llvm", part + ".offgrid"
        options = ["-mcpu=" + processor, *(["-mattr=-xnack"] if processor != "gfx803" else []), source]
        version, mc = (3, "llvm-mc-15") if march == "fiji" else (4, "llvm-mc-22")
        make(theirs, mc, "-triple=amdgcn--amdhsa", f"--amdhsa-code-object-version={version}", "-filetype=obj", *options,
             "-o", theirs)
        if make(ours, OFFGRID, "as", f"-mcode-object-version={version}", *options, "-o", ours) and open(ours, "rb").read() != open(theirs, "rb").read():
            fail(source, "assembling", f"the bytes are not {mc}'s")
        yield make(part, ACCEL + "/as", "-triple=amdgcn--amdhsa", f"--amdhsa-code-object-version={version}",
                   "-filetype=obj", *options, "-o", part)
        if march in GCC_UNLINKED:
            continue
        home = ACCEL if march == "fiji" else f"{ACCEL}/{processor}"
        libraries = [f"{home}/lib{name}.a" for name in ("gomp", "m", "gcc", "c")]
        out = os.path.join(folder, march + ".hsaco")
        yield make(out, OFFGRID, "ld", "--pie", "--export-dynamic", "-o", out, f"{home}/crt0.o", part, *libraries)
        members = os.path.join(folder, march + "-members")
        os.mkdir(members)
        run("llvm-ar-22", "x", libraries[0], cwd=members)
        yield from sorted(glob.glob(members + "/*.o"))


def main():
    parts = [hipcc] if shutil.which("hipcc") else []
    parts += [clang] if shutil.which("clang-22") and os.path.exists("/usr/lib/llvm-22/bin/clang-offload-bundler") else []
    parts += [gcc, gcc_objects] if shutil.which("gcc-12") and os.path.exists(ACCEL + "/mkoffload") else []
    parts += [lambda folder: (l for l in LIBRARIES if os.path.exists(l))]
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            for path in part(folder):
                if path:
                    check(path, folder, KNOWN.get(part.__name__, ()))
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    sys.exit(77 if not counts["files"] and not counts["failed"] else bool(counts["failed"]))


main()
