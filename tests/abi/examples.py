#!/usr/bin/env python3
"""Each example runs and prints what it should, and together they call every public function.

usage: examples.py ROOT BUILD
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

IR = """target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  store i32 7, ptr addrspace(1) %p
  ret void
}
"""
VISA = '.version 4.1\n.kernel "k"\n.decl V32 v_type=G type=d num_elts=8 align=GRF\nmov (M1, 8) V32(0,0)<1> 0x1:d\nret (M1, 1)\n'

# The command, its input if a file, where standard output goes, and expressions that stand in it.
CASES = [
    ("assemble {hello} {folder}/k.co", None, None, []),
    ("inspect {folder}/k.co", None, None, ["amdgcn-amd-amdhsa--gfx900, kernels: 1", "hello_world: 4 VGPRs", "0: 8 bytes, buffer", "findings: 0"]),
    ("highlight {folder}/k.co", None, None, ["global_store_dword"]),
    ("disassemble gfx900 {folder}/code", ("code", b"\x00\x00\x81\xbf"), None, ["s_endpgm"]),
    ("run {hello} hello_world", None, None, ["^3.14159$"]),
    ("watch {hello} hello_world v0", None, None, ["v_mov_b32_e32 v0, 0x40490fd0", "1 reads, 1 writes, v0=0x40490fd0"]),
    ("flip {hello} hello_world v0 2", None, None, ["of 32 flips 0 change nothing, 32 the result, 0 end in a fault"]),
    ("flip {hello} hello_world s1 3", None, None, ["of 32 flips .* 0 the result, [1-9][0-9]* end in a fault"]),
    ("background {hello} hello_world", None, None, ["0 findings", "1   1.6% .* v_mov_b32_e32 v0", "(done: 3.14159\n){4}"]),
    ("visa {examples}/add.visaasm skl", None, None, ["^11 12 13 14 15 16 17 18$"]),
    ("xegpu {examples}/gemm.mlir", None, None, ["^direct: (.*)\nvISA: \\1\ngfx942: \\1$"]),
    ("xegpu {examples}/gemm.mlir first", None, None, ["// from spelling 22", "mode = vc"]),
    ("convert source {folder}/k.co", None, None, ["global_store_dword", r"\.amdhsa_kernel hello_world"]),
    ("convert code {folder}/k.ll", ("k.ll", IR.encode()), "code.co", []),
    ("convert source {folder}/code.co", None, None, ["global_store_dword"]),
    ("convert binary {folder}/k.visaasm", ("k.visaasm", VISA.encode()), "k.isa", []),
    ("convert text {folder}/k.isa", None, None, [r"mov \(M1, 8\) V32"]),
]


def run(build, words, input_file, output, expected, folder, examples):
    if input_file:
        with open(os.path.join(folder, input_file[0]), "wb") as file:
            file.write(input_file[1])
    command = words.format(folder=folder, examples=examples, hello=os.path.join(examples, "hello_world.s")).split()
    ran = subprocess.run([os.path.join(build, "examples", command[0]), *command[1:]], capture_output=True, check=False)
    if output:
        with open(os.path.join(folder, output), "wb") as file:
            file.write(ran.stdout)
    text = "" if output else ran.stdout.decode()
    lost = [want for want in expected if not re.search(want, text, re.MULTILINE)]
    if ran.returncode == 0 and not lost:
        return 0
    print(f"{words}: exit code {ran.returncode}, without {lost}\n{text}{ran.stderr.decode()}")
    return 1


def main(root, build):
    with tempfile.TemporaryDirectory() as folder:
        wrong = sum(run(build, *case, folder, os.path.join(root, "examples")) for case in CASES)
    text = ""
    for name in glob.glob(os.path.join(root, "examples/*.[ch]")):
        with open(name, encoding="utf-8") as file:
            text += file.read()
    with open(os.path.join(root, "include/offgrid.h"), encoding="utf-8") as file:
        functions = set(re.findall(r"^OG_API [^(]*\b(og_\w+)\(", file.read(), re.MULTILINE))
    uncalled = sorted(name for name in functions if not re.search(rf"\b{name}\(", text))
    print(f"{len(CASES)} runs, {wrong} wrong; of {len(functions)} functions {len(uncalled)} are in no example {uncalled}")
    return 1 if wrong or uncalled or not functions else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
