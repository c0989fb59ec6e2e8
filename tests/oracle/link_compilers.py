#!/usr/bin/env python3
"""`offgrid ld` in the place of ld.lld: clang-22 (OpenCL and HIP), hipcc and GCC's mkoffload each build a program with
it, called by the name that they look for, and with the linker they come with; what a loader sees of both must agree.

usage: link_compilers.py OFFGRID
"""
import os
import shutil
import subprocess
import sys
import tempfile

OFFGRID = os.path.abspath(sys.argv[1])
GCC_LINKER = "/usr/amdgcn-amdhsa/bin/ld"
OPENCL = """constant int table[4] = {3, 1, 4, 1};
__attribute__((noinline)) int helper(int x) { return x * table[x & 3]; }
kernel void k(global int *out) { int x = __builtin_amdgcn_workitem_id_x(); local int kept[64]; kept[x] = helper(x);
  __builtin_amdgcn_s_barrier(); out[x] = kept[63 - x]; }
"""
HIP = """#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
__device__ int factor = 7;
__device__ __attribute__((noinline)) int helper(int x) { return x * factor; }
extern "C" __global__ void k(int *out) { int x = __builtin_amdgcn_workitem_id_x(); out[x] = helper(x) + x; }
"""
OPENMP = """int main(void) { int a[64], sum = 0;
#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < 64; i++) a[i] = i * 3;
  for (int i = 0; i < 64; i++) sum += a[i];
  return sum != 6048; }
"""


def run(*command, cwd=None):
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def facts(path, folder):
    """Symbols, metadata and relocations, without the addresses that a linker chooses."""
    out = os.path.join(folder, "parts")
    shutil.rmtree(out, ignore_errors=True)
    with open(path, "rb") as file:
        bare = file.read(20)[18:20] == b"\xe0\x00"  # e_machine: EM_AMDGPU
    if not bare:
        run(OFFGRID, "unbundle", path, "-o", out)
    found = []
    for part in [path] if bare else sorted(os.path.join(out, f) for f in os.listdir(out)):
        run(OFFGRID, "lint", part)
        for line in run("llvm-readelf-22", "--dyn-syms", "-W", part).splitlines():
            words = line.split()
            if len(words) == 8 and words[0][:-1].isdigit() and words[6] != "UND" and "__hip_cuid_" not in words[7]:
                found.append(("symbol", *words[2:6], words[7]))
        # one note of all metadata here, one for each object there
        notes = run("llvm-readelf-22", "-n", part).replace("- .", "  .").splitlines()
        found.append(("metadata", sorted({line for line in notes if line.lstrip().startswith(".")})))
        kinds = [line.split()[2] for line in run("llvm-readelf-22", "-rW", part).splitlines() if " R_AMDGPU_" in line]
        found.append(("relocations", sorted(kinds)))
    return sorted(map(repr, found))


def result(path, folder):
    out = os.path.join(folder, "out.bin")
    run(OFFGRID, "run", path, "--kernel", "k", "--grid", "64", "--group", "64", "--arg", f"out:{out}:256")
    with open(out, "rb") as file:
        return file.read()


def named(folder, names):
    """A folder where `offgrid` has the linker's names."""
    made = os.path.join(folder, "bin")
    os.makedirs(made, exist_ok=True)
    for name in names:
        os.symlink(OFFGRID, os.path.join(made, name))
    return made


def compare(what, build, folder, runs):
    ours, theirs = os.path.join(folder, "ours"), os.path.join(folder, "theirs")
    build(ours, True)
    build(theirs, False)
    a, b = facts(ours, folder), facts(theirs, folder)
    for line in sorted(set(a) ^ set(b)):
        print("  <" if line in a else "  >", line[:300])
    same = a == b and (not runs or result(ours, folder) == result(theirs, folder))
    print(f"{what}: {'agrees' if same else 'DIFFERS'}")
    return same


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def mkoffload(source, output, bound):
    """GCC finds its linker by one fixed path: in a mount namespace of its own another file can stand there."""
    build = f"gcc-12 -O2 -fopenmp -foffload=amdgcn-amdhsa -foffload-options=-march=gfx900 {source} -o {output}"
    if bound:
        build = f"mount --bind {OFFGRID} $(readlink -f {GCC_LINKER}) && {build}"
    return run("unshare", "-m", "sh", "-c", build)


def main():
    good, tried = True, 0
    with tempfile.TemporaryDirectory() as folder:
        tools = named(folder, ["ld.lld", "lld"])

        def clang(*options):
            def build(output, ours):
                run("clang-22", *options, *(["-B" + tools] if ours else []), "-o", output)
            return build

        cl, hip = write(folder, "k.cl", OPENCL), write(folder, "k.hip", HIP)
        if shutil.which("clang-22") and shutil.which("ld.lld-22"):
            for cpu in ("gfx900", "gfx90a", "gfx1030"):
                good &= compare(f"clang-22 OpenCL {cpu}",
                                clang("--target=amdgcn-amd-amdhsa", f"-mcpu={cpu}", "-nogpulib", "-x", "cl", "-g", cl),
                                folder, True)
                good &= compare(f"clang-22 HIP {cpu}",
                                clang("-x", "hip", f"--offload-arch={cpu}", "-nogpulib", "-nogpuinc", "-O1",
                                      "--offload-device-only", "--no-gpu-bundle-output", hip), folder, True)
            tried += 6
        if shutil.which("hipcc"):
            source = write(folder, "h.hip", "#include <hip/hip_runtime.h>\n" + HIP[HIP.index("__device__ int"):])

            def hipcc(output, ours):
                run("hipcc", "--offload-arch=gfx900", "--offload-arch=gfx1030", "--cuda-device-only", "-c", source,
                    *(["-B" + tools] if ours else []), "-o", output)
            good &= compare("hipcc", hipcc, folder, False)
            tried += 1
        omp = write(folder, "o.c", OPENMP)
        namespaces = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0
        if os.path.exists(GCC_LINKER) and shutil.which("gcc-12") and namespaces and os.geteuid() == 0:
            # bound under another name, it must be told by its new one
            good &= compare("GCC mkoffload", lambda output, ours: mkoffload(omp, output, ours), folder, False)
            tried += 1
    if not tried:
        print("skipped: no compiler is installed")
        sys.exit(77)
    sys.exit(not good)


main()
