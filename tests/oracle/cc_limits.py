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
NUMBER = 40  # of vector registers, where they are limited by number
PROCESSORS = ("gfx803", "gfx900", "gfx90a", "gfx1010", "gfx1030", "gfx1100", "gfx1200")
ATTRIBUTES = ["", *(f'"amdgpu-flat-work-group-size"="1,{size}"' for size in (64, 256, 512, 1024)),
              *(f'"amdgpu-flat-work-group-size"="1,64" "amdgpu-waves-per-eu"="{waves}"' for waves in ("3,3", "5")),
              f'"amdgpu-flat-work-group-size"="1,64" "amdgpu-num-vgpr"="{NUMBER}"']


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
    """By kernel: vector registers without accumulation registers, waves for each SIMD."""
    done = subprocess.run([offgrid, "info", "--json", path], capture_output=True, text=True, check=True)
    return {each["name"]: (each["vgprs"] - unified * each["agprs"], each["occupancy"]["waves_per_simd"])
            for each in json.loads(done.stdout)["kernels"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    options = parser.parse_args()
    if not (shutil.which("llc-22") and shutil.which("ld.lld-22")):
        print("skipped, not installed: llc-22, ld.lld-22")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source, ours, theirs = (os.path.join(folder, name) for name in ("k.ll", "ours.co", "theirs.co"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(module())
        for processor in PROCESSORS:
            subprocess.run([options.offgrid, "cc", f"-mcpu={processor}", source, "-o", ours], check=True)
            subprocess.run(["llc-22", "-O1", "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-filetype=obj", source, "-o",
                            theirs + ".o"], check=True)
            subprocess.run(["ld.lld-22", "-shared", theirs + ".o", "-o", theirs], check=True)
            unified = processor == "gfx90a"
            mine, llvm = (resources(options.offgrid, path, unified) for path in (ours, theirs))
            for number, attributes in enumerate(ATTRIBUTES):
                (vgprs, waves), (most, wanted) = mine[f"k{number}"], llvm[f"k{number}"]
                counted = "num-vgpr" in attributes
                # Of a file that both share ours limits vector registers alone: the others take what spills, waves or not.
                if (waves < wanted and not (unified and counted)) or (counted and vgprs > NUMBER):
                    print(f"FAIL {processor} {attributes}: {vgprs} registers, {waves} waves; llc {most}, {wanted}")
                    failed += 1
    print(f"{len(PROCESSORS) * len(ATTRIBUTES) - failed} of {len(PROCESSORS) * len(ATTRIBUTES)} kernels keep to their limits")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
