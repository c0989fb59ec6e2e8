"""Runs every example of every verb's help in one folder, in the order of the verbs that make what others need.

usage: help_examples.py OFFGRID FOLDER EXAMPLE.s MODULE.mlir TEST.litmus
"""
import os
import shutil
import subprocess
import sys

FIRST = ["as", "ld", "cc"]
IR = 'target triple = "amdgcn-amd-amdhsa"\ndefine amdgpu_kernel void @k(ptr addrspace(1) %p) {\n  store i32 7, ptr addrspace(1) %p\n  ret void\n}\n'
APP = "#include <hip/hip_runtime.h>\nint main() { int count = 0; return hipGetDeviceCount(&count) != hipSuccess || count != 1; }\n__global__ void k() {}\n"


def examples(offgrid, verb):
    text = subprocess.run([offgrid, "help", verb], capture_output=True, text=True, check=True).stdout
    return [line.strip() for line in text.partition("\nExamples:\n")[2].splitlines() if line.startswith("  ") and line[2] != " "]


def main(offgrid, folder, kernel, module, litmus):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    shutil.copy(kernel, os.path.join(folder, "k.s"))
    shutil.copy(module, os.path.join(folder, "gemm.mlir"))
    shutil.copy(litmus, os.path.join(folder, "mp.litmus"))
    for name, text in (("k.ll", IR), ("app.hip", APP)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    # A program without sanitizers cannot load a drop-in that has some.
    loaded = subprocess.run(["ldd", offgrid], capture_output=True, text=True, check=False).stdout
    has_app = "libasan" not in loaded and shutil.which("hipcc") and subprocess.run(["hipcc", "--offload-arch=gfx906", "app.hip", "-o", "app"], cwd=folder,
                                                       capture_output=True, check=False).returncode == 0
    overview = subprocess.run([offgrid, "help"], capture_output=True, text=True, check=True).stdout
    verbs = [line.split()[0] for line in overview.splitlines() if line.startswith("  ") and line[2:3].isalpha()]
    environment = dict(os.environ, PATH=os.path.dirname(os.path.abspath(offgrid)) + os.pathsep + os.environ["PATH"])
    bare = [verb for verb in verbs if verb != "help" and not examples(offgrid, verb)]
    wrong = len(bare)
    print("without examples:", *bare)
    for verb in sorted(verbs, key=lambda verb: (FIRST + [verb]).index(verb)):
        for command in examples(offgrid, verb):
            if "app" in command.split() or "./app" in command.split():
                if not has_app:
                    continue
            ran = subprocess.run(command, shell=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                                 text=True, check=False)
            if ran.returncode:
                print(f"$ {command}\nexit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
                wrong += 1
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
