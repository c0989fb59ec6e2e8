#!/usr/bin/env python3
"""`offgrid objdump` prints what llvm-objdump-22 prints: kernels of tests/programs compiled by clang-22 for several
processors, objects and code objects, each with many options, byte for byte; and the same through a link named
llvm-objdump.

usage: objdump_oracle.py OFFGRID [KERNELS [PROCESSORS [MIXED [SEED [SHARE]]]]]   (how many sources; a comma-separated list;
how many random choices of options for each file; each file has one of SHARE parts of the options, one after another)
"""
import glob
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/programs"))
import toolchain  # noqa: E402

OFFGRID = os.path.abspath(sys.argv[1])
KERNELS = int(sys.argv[2]) if len(sys.argv) > 2 else 2
PROCESSORS = sys.argv[3].split(",") if len(sys.argv) > 3 else ["gfx803", "gfx900", "gfx90a", "gfx1030"]
MIXED = int(sys.argv[4]) if len(sys.argv) > 4 else 10
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else 1
SHARE = int(sys.argv[6]) if len(sys.argv) > 6 else 1
OPTIONS = ["-d", "-d -r", "-d -l", "-d -S", "-d -S -l", "-h", "-t", "-r", "-s", "-f -h", "-dz", "-d --no-show-raw-insn",
           "-D -j .text",
           "-s -j .rodata", "-d --start-address=0x40 --stop-address=0x80", "-d --disassemble-symbols=nothing",
           "--disassemble-all --section=.text --section=.strtab -t", "-r -j .text", "-d -h -t -r",
           "-T", "-p", "-x", "-a -f", "-R", "-t -C", "-T -C", "-d -r -C -l", "-h --show-lma", "-h -j .text",
           "-d --no-leading-addr -r", "-d --no-addresses", "-t --start-address=0x100", "-x -T -R --demangle",
           "-r --start-address=0x20 --stop-address=0x100", "-d --prefix=/pp/ -l", "-d --prefix=/pp --prefix-strip=2 -l",
           "-d -C --disassemble-symbols=nothing", "-S -C", "-d --symbolize-operands",
           "-D -j .text -r --symbolize-operands", "-d -r -l --adjust-vma=0x100", "-h -t -T -r -s --adjust-vma=0x1000",
           "-d --symbolize-operands --adjust-vma=4", "-x --adjust-vma=8 --show-lma",
           "-d --symbolize-operands --disassemble-symbols=n1,n3,L0", "-d --disassemble-symbols=n0,n2 --adjust-vma=16",
           "-d --symbolize-operands --no-leading-addr -z --start-address=8 --stop-address=0x30"]
FLAGS = "dhtrsfpTRxaCzlS"


def output(*command):
    return subprocess.run(command, capture_output=True, check=False).stdout


def compile_all(folder):
    sources = sorted(glob.glob(os.path.join(ROOT, "tests/programs/opencl/*.cl")))[:KERNELS]
    for processor in PROCESSORS:
        for source in sources:
            for flags in ([], ["-c"]):
                path = os.path.join(folder, f"{processor}-{os.path.basename(source)}.{'o' if flags else 'co'}")
                fine, messages = toolchain.compile_opencl(source, path, 2, processor, ["-g", *flags])
                if not fine:
                    sys.exit(messages)
                yield path


def others(folder, paths):
    """Archives, stripped and named libraries, objects for other systems, C++ names; of the first processor."""
    code, linked = next(p for p in paths if p.endswith(".o")), next(p for p in paths if p.endswith(".co"))
    archive, stripped, named = (os.path.join(folder, name) for name in ("two.a", "stripped.co", "named.co"))
    run("llvm-ar-22", "rc", archive, *[p for p in paths if p.endswith(".o")][:KERNELS])  # LLVM takes the first one's processor
    run("llvm-objcopy-22", "--strip-all", linked, stripped)
    run("ld.lld-22", "-shared", code, "--build-id", "-soname", "libk.so", "-o", named, "--unresolved-symbols=ignore-all")
    yield from (archive, stripped, named)
    source = os.path.join(folder, "names.ll")
    open(source, "w", encoding="utf-8").write(NAMES)
    for triple in ("amdgcn-amd-amdhsa", "amdgcn-amd-amdpal", "amdgcn-unknown-unknown"):
        for kind in ([], ["-shared"]) if triple.endswith("hsa") else ([],):  # lld takes no tables without addends
            path = os.path.join(folder, f"{triple}{'.so' if kind else '.o'}")
            run("llc-22", "-mtriple=" + triple, "-mcpu=gfx900", "-filetype=obj", source, "-o", path)
            if kind:
                run("ld.lld-22", *kind, path, "-o", path, "--unresolved-symbols=ignore-all")
            yield path


def branches(folder, rng):
    """Code written by hand, with names of every type, several at one place, and branches to and between them."""
    for number, processor in enumerate(["gfx803", "gfx900", "gfx1030", "gfx1100"]):
        lines, names = [], [f"n{i}" for i in range(8)] + [f".L{i}" for i in range(8)]
        for section in (".text", '.section .text.more,"ax",@progbits'):
            lines.append(section)
            here, names = names[::2], names[1::2]
            rng.shuffle(here)
            for name in here:
                lines += [f".globl {name}"] * (name[0] == "n" and rng.random() < 0.3)
                lines += [f".type {name},@{rng.choice(['function', 'object', 'notype'])}"] * (rng.random() < 0.5)
                lines.append(f"{name}:")
                for _ in range(rng.choice([0, 0, 1, 2, 4])):
                    way = rng.choice(["s_branch", "s_cbranch_scc0", "s_cbranch_vccnz", "s_nop"] +
                                     ["s_call_b64 s[2:3],"] * (processor != "gfx803"))
                    lines.append(f"{way} {1 if way == 's_nop' else rng.choice(here)}")
                lines += [".long 0, 0, 0"] * (rng.random() < 0.2)
            lines.append("s_endpgm")
        source, obj = os.path.join(folder, f"branches{number}.s"), os.path.join(folder, f"branches{number}.o")
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        run("llvm-mc-22", "-triple=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-filetype=obj", source, "-o", obj)
        run("ld.lld-22", "-shared", "-Bsymbolic", obj, "-o", obj + ".co")
        yield from (obj, obj + ".co")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command}: {done.stderr}")


NAMES = """
@_ZN3foo3barE = addrspace(1) global i32 5
@_ZZ4mainENKUlvE0_clEv = addrspace(1) global ptr @_ZNSt6vectorI3FooIiESaIS1_EE3getEj
define amdgpu_kernel void @_Z6kernelPfRKi(ptr addrspace(1) %p) {
  %v = load volatile i32, ptr addrspace(1) @_ZN3foo3barE
  %f = load volatile ptr, ptr addrspace(1) @_ZZ4mainENKUlvE0_clEv
  call void @_ZNSt6vectorI3FooIiESaIS1_EE3getEj(i32 %v)
  ret void
}
define void @_ZNSt6vectorI3FooIiESaIS1_EE3getEj(i32 %x) noinline {
  store volatile i32 %x, ptr addrspace(1) @_ZN3foo3barE
  ret void
}
"""


def main():
    os.chdir(ROOT)
    absent = toolchain.missing("clang-22", "llvm-objdump-22")
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    compared = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        link = os.path.join(folder, "llvm-objdump")
        os.symlink(OFFGRID, link)
        rng = random.Random(SEED)
        paths = list(compile_all(folder))
        for number, path in enumerate(paths + list(others(folder, paths)) + list(branches(folder, rng))):
            mixed = [" ".join("-" + flag for flag in rng.sample(FLAGS, rng.randint(1, 4))) for _ in range(MIXED)]
            for index, options in enumerate(OPTIONS[number % SHARE::SHARE] + [m for m in mixed if set(m) - set(" -CzlS")]):
                theirs = output("llvm-objdump-22", *options.split(), path)
                command = [link] if index % 2 else [OFFGRID, "objdump"]
                ours = output(*command, *options.split(), path)
                compared += 1
                if ours != theirs:
                    failed += 1
                    differing = next(((a, b) for a,
                                      b in zip(ours.split(b"\n") + [b""], theirs.split(b"\n") + [b""]) if a != b), None)
                    print(f"{os.path.basename(path)} {options}:", *(differing or ("lengths differ",)), sep="\n  ")
    print(f"{compared} outputs compared, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
