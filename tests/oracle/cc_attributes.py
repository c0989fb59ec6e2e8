#!/usr/bin/env python3
"""Attributes of functions: what each changes in a kernel's descriptor and metadata is, of `offgrid cc`'s code object, what it
changes in llc-22's. How many registers are taken is compared by cc_limits.

usage: cc_attributes.py --offgrid BUILD/offgrid [--processors gfx900,...] [--only REGEX]"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROCESSORS = "gfx700 gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1200 gfx1250".split()
# attributes, "|" between them; !attachment: of the kernel. from: a processor that llc-22 takes it from on.
ROWS = """
"amdgpu-flat-work-group-size"="64,128"
"amdgpu-flat-work-group-size"="1,1024"
"uniform-work-group-size"="true"
"uniform-work-group-size"="false"
"uniform-work-group-size"
"amdgpu-ieee"="false"
"amdgpu-ieee"="true"
"amdgpu-dx10-clamp"="false"
"amdgpu-dx10-clamp"="true"
"denormal-fp-math-f32"="preserve-sign,preserve-sign"
"denormal-fp-math-f32"="preserve-sign,ieee"
"denormal-fp-math-f32"="ieee,preserve-sign"
"denormal-fp-math"="preserve-sign,preserve-sign"
"denormal-fp-math"="ieee,preserve-sign"
"denormal-fp-math"="preserve-sign,preserve-sign" "denormal-fp-math-f32"="ieee,ieee"
"denormal-fp-math-f32"="positive-zero,positive-zero"
"denormal-fp-math-f32"="dynamic,dynamic"
"amdgpu-lds-size"="512"
"amdgpu-lds-size"="512,1024"
"amdgpu-gds-size"="64"
"amdgpu-max-num-workgroups"="4,5,6"
"amdgpu-max-num-workgroups"="1,1,1"
"amdgpu-memory-bound"="true"
"amdgpu-wave-limiter"="true"
"amdgpu-git-ptr-high"="0x1234"
"amdgpu-32bit-address-high-bits"="0xffff8000"
"amdgpu-agpr-alloc"="0"
"amdgpu-agpr-alloc"="8"
"amdgpu-no-agpr"
"amdgpu-dynamic-vgpr-block-size"="16" from gfx1200
"amdgpu-expert-scheduling-mode"="true"
"amdgpu-cluster-dims"="2,2,1"
"amdgpu-cluster-dims"="1024,1024,1024"
"amdgpu-cluster-dims"="0,0,0"
"amdgpu-no-workgroup-id-x"
"amdgpu-no-workgroup-id-y"
"amdgpu-no-workgroup-id-z"
"amdgpu-no-workitem-id-x"
"amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z"
"amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-dispatch-id"
"amdgpu-no-implicitarg-ptr"
"amdgpu-no-flat-scratch-init"
"amdgpu-no-hostcall-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action"
"amdgpu-no-lds-kernel-id"
"amdgpu-implicitarg-num-bytes"="56"
"amdgpu-implicitarg-num-bytes"="0"
"amdgpu-waves-per-eu"="2,2"
"amdgpu-waves-per-eu"="4"
"amdgpu-num-vgpr"="24"
"amdgpu-num-sgpr"="40"
"amdgpu-promote-alloca-to-vector-limit"="8"
"amdgpu-unroll-threshold"="100"
"amdgpu-unsafe-fp-atomics"="true"
"amdgpu-kernarg-preload-count"="2"
"amdgpu-no-infs-fp-math"="true"
"no-signed-zeros-fp-math"="true"
"amdgpu-sgpr-hazard-wait"="0"
"amdgpu-sgpr-hazard-boundary-cull"
"amdgpu-color-export"="0"
"amdgpu-depth-export"="1"
"InitialPSInputAddr"="1"
"amdgpu-work-group-size"="64"
"amdgpu-max-work-group-size"="64"
"target-features"="+cumode"
!reqd_work_group_size !{i32 64, i32 2, i32 1}
!work_group_size_hint !{i32 64, i32 2, i32 1}
!vec_type_hint !{i32 poison, i32 1}
!runtime_handle !{!"x"}
"runtime-handle"="h"
"device-init"
"device-fini"
"""
BODY = """@lNUMBER = internal addrspace(3) global [16 x i32] poison
define amdgpu_kernel void @kNUMBER(ptr addrspace(1) %p) #NUMBER ATTACHED {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %id
  %s = getelementptr i32, ptr addrspace(3) @lNUMBER, i32 %id
  store i32 %id, ptr addrspace(3) %s
  %v = load i32, ptr addrspace(3) %s
  store i32 %v, ptr addrspace(1) %a
  ret void
}
attributes #NUMBER = { BASE ATTRIBUTES }
"""
BASE = ' '.join(f'"amdgpu-no-{n}"' for n in ["dispatch-ptr", "queue-ptr", "dispatch-id", "implicitarg-ptr", "workgroup-id-y", "workgroup-id-z",
                                             "workitem-id-y", "workitem-id-z", "flat-scratch-init"]) + ' "amdgpu-cluster-dims"="0,0,0"'


def kernel(number, row):
    attached = row.startswith("!")
    kind, _, node = row.partition(" ")
    base = BASE
    for name in re.findall(r'^"([\w-]+)"', row):
        base = re.sub(rf'"{name}"(="[^"]*")?', "", base)
    text = BODY.replace("ATTACHED", f"{kind} !{number}" if attached else "").replace("BASE", base)
    text = text.replace("ATTRIBUTES", "" if attached else row).replace("NUMBER", str(number))
    return text + (f"!{number} = {node}\n" if attached else "")


def facts(path):
    """By kernel: what descriptor and metadata say."""
    code = subprocess.run(["llvm-objdump-22", "-D", "-j", ".rodata", path], capture_output=True, text=True, check=False).stdout
    notes = subprocess.run(["llvm-readelf-22", "--notes", path], capture_output=True, text=True, check=False).stdout
    notes = re.sub(r"\n +- (\d+)(?=\n)", r" \1", notes)  # lists in one line
    parts = [(m[1], m[2]) for m in re.finditer(r"\.amdhsa_kernel (k\d+)(.*?)\.end_amdhsa_kernel", code, re.S)]
    for part in re.split(r"\n  - (?=\.)", notes)[1:]:
        name = re.search(r"\.name: +(k\d+)", part)
        parts += [(name[1], part)] if name else []
    out = {}
    for name, text in parts:
        lines = {re.sub(r"\bk\d+", "k", x.strip()) for x in text.splitlines() if x.strip().startswith(".")}
        out.setdefault(name, set()).update(x for x in lines if not re.search("next_free|[sv]gpr_count|accum_offset|agpr", x))
    return out


def compile_both(options, processor, rows, folder):
    """[ours, llc's], or what was said."""
    path, out = os.path.join(folder, "k"), []
    with open(path + ".ll", "w", encoding="utf-8") as file:
        file.write('target triple = "amdgcn-amd-amdhsa"\n'
                   "declare i32 @llvm.amdgcn.workitem.id.x()\n" + "".join(kernel(n, row) for n, row in enumerate(rows)))
    for name, command in (("ours", [options.offgrid, "llc", "-filetype=obj"]), ("llc", ["llc-22", "-O2", "-filetype=obj"])):
        done = subprocess.run(command + [f"-mcpu={processor}", path + ".ll", "-o", path + "." + name], capture_output=True, text=True,
                              errors="replace", check=False)
        if done.returncode:
            return f"{name}: {done.stderr[:300]}"
        out.append(facts(path + "." + name))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default=",".join(PROCESSORS))
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-22", "llvm-objdump-22", "llvm-readelf-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    failed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        for processor in options.processors.split(","):
            rows = [""]
            for row in filter(None, ROWS.split("\n")):
                row, _, least = row.partition(" from ")
                if re.search(options.only, row) and (not least or PROCESSORS.index(processor) >= PROCESSORS.index(least)):
                    rows.append(row)
            both = compile_both(options, processor, rows, folder)
            total += len(rows) - 1
            if isinstance(both, str):
                failed += len(rows) - 1
                print(f"{processor}: {both}")
                continue
            for number, row in enumerate(rows):
                ours, theirs = (sorted(x.get(f"k{number}", set()) - x["k0"]) for x in both)
                if ours != theirs or not all(x.get(f"k{number}") for x in both):
                    failed += 1
                    print(f"{processor} {row}: changes {ours}, by llc {theirs}")
    print(f"{total - failed} of {total} attributes change what they change in llc-22's code objects")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
