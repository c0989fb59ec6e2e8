#!/usr/bin/env python3
"""Registers under the limits that attributes set: a work-group of the largest size must be on its compute unit at once, and
as many waves as are asked for. A kernel with more values than fit is compiled by `offgrid cc` and llc-22: ours must reach the occupancy
of llc's.

usage: cc_limits.py --offgrid BUILD/offgrid"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

VALUES = 200
FEWEST = 8  # less is not asked of anybody
PROCESSORS = ("gfx803", "gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1200")
ACCUMULATING = ("gfx908", "gfx90a", "gfx950")  # the last two have one file for both kinds of vector registers
SMALL = '"amdgpu-flat-work-group-size"="1,64" '
ATTRIBUTES = ["", *(f'"amdgpu-flat-work-group-size"="1,{size}"' for size in (64, 256, 512, 1024)),
              *(f'{SMALL}"amdgpu-waves-per-eu"="{waves}"' for waves in ("3,3", "5", "8")),
              *(f'{SMALL}"amdgpu-num-vgpr"="{number}"' for number in (8, 100)), '"amdgpu-num-vgpr"="40"',
              f'{SMALL}"amdgpu-waves-per-eu"="4,4" "amdgpu-num-vgpr"="40"',
              f'{SMALL}"amdgpu-num-sgpr"="40"']


def module():
    lines = ['target triple = "amdgcn-amd-amdhsa"', "declare i32 @llvm.amdgcn.workitem.id.x()"]
    for number, attributes in enumerate(ATTRIBUTES):
        lines += [f"define amdgpu_kernel void @k{number}(ptr addrspace(1) %p) {attributes} {{",
                  "  %id = call i32 @llvm.amdgcn.workitem.id.x()", "  %at = getelementptr i32, ptr addrspace(1) %p, i32 %id"]
        for k in range(VALUES):
            lines += [f"  %q{k} = getelementptr i32, ptr addrspace(1) %at, i32 {64 * k}",
                      f"  %l{k} = load volatile i32, ptr addrspace(1) %q{k}"]
        last = "%id"
        for k in range(VALUES):
            lines += [f"  %x{k} = xor i32 {last}, %l{VALUES - 1 - k}", f"  %y{k} = mul i32 %x{k}, {k | 1}"]
            last = f"%y{k}"
        lines += [f"  store i32 {last}, ptr addrspace(1) %at", "  ret void", "}"]
    return "\n".join(lines) + "\n"


def resources(offgrid, path, unified):
    """By kernel: vector registers without accumulation registers, these, waves for each SIMD."""
    done = subprocess.run([offgrid, "info", "--json", path], capture_output=True, text=True, check=True)
    return {each["name"]: (each["vgprs"] - unified * each["agprs"], each["agprs"], each["occupancy"]["waves_per_simd"])
            for each in json.loads(done.stdout)["kernels"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default=",".join((*PROCESSORS, *ACCUMULATING)))
    options = parser.parse_args()
    if not (shutil.which("llc-22") and shutil.which("ld.lld-22")):
        print("skipped, not installed: llc-22, ld.lld-22")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source, ours, theirs = (os.path.join(folder, name) for name in ("k.ll", "ours.co", "theirs.co"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(module())
        for processor in options.processors.split(","):
            subprocess.run([options.offgrid, "cc", f"-mcpu={processor}", source, "-o", ours], check=True)
            subprocess.run(["llc-22", "-O1", "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-filetype=obj", source, "-o",
                            theirs + ".o"], check=True)
            subprocess.run(["ld.lld-22", "-shared", theirs + ".o", "-o", theirs], check=True)
            unified = processor in ACCUMULATING[1:]
            mine, llvm = (resources(options.offgrid, path, unified) for path in (ours, theirs))
            for number, attributes in enumerate(ATTRIBUTES):
                (vgprs, agprs, waves), wanted = mine[f"k{number}"], llvm[f"k{number}"]
                said = re.search(r'num-vgpr"="(\d+)"', attributes)
                of_number = said and max(vgprs, agprs if processor in ACCUMULATING else 0) > max(int(said[1]), FEWEST)
                if waves < wanted[2] or of_number:
                    print(f"FAIL {processor} {attributes}: {vgprs} and {agprs} registers, {waves} waves; llc {wanted}")
                    failed += 1
    kernels = (len(PROCESSORS) + len(ACCUMULATING)) * len(ATTRIBUTES)
    print(f"{kernels - failed} of {kernels} kernels keep to their limits")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
