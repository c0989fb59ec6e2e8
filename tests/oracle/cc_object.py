#!/usr/bin/env python3
"""What loaders read of code objects by `offgrid cc` is as in LLVM's, bit by bit: header, flags, sections, symbols, and of the
metadata version, target and arguments. Version 3 of code objects by llc-15, the last that writes it, the others by llc-22.

usage: cc_object.py --offgrid BUILD/offgrid [--keep FOLDER]"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

IR = """target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
define amdgpu_kernel void @plain(ptr addrspace(1) %p, i32 %n, ptr addrspace(3) %l, half %h) #1 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %id
  store i32 %n, ptr addrspace(1) %q
  ret void
}
define protected amdgpu_kernel void @hidden(ptr addrspace(1) %p, i64 %n) #0 {
  %i = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %at = getelementptr i8, ptr addrspace(4) %i, i32 16
  %x = load i64, ptr addrspace(4) %at
  store i64 %x, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,64" }
attributes #1 = { "amdgpu-no-implicitarg-ptr" }
"""
PROCESSORS = {3: "gfx600 gfx803 gfx810 gfx900 gfx906 gfx90a gfx1012 gfx1030", 4: "gfx803 gfx90a gfx942 gfx1100", 5: "gfx906 gfx1010 gfx1250",
              6: "gfx908 gfx1201"}
FEATURES = ["", "+xnack", "-xnack", "-sramecc"]


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def facts(path):
    header = [line.strip() for line in output("llvm-readelf-22", "-h", path).stdout.splitlines()
              if re.search("Class|Data:|OS/ABI|ABI Version|Type:|Machine|Flags", line)]
    symbols = sorted(re.sub(r"^\s*\d+:\s+\w+\s+\d*", "", line) for line in output("llvm-readelf-22", "-s", path).stdout.splitlines()
                     if re.search(r"\b(plain|hidden)(\.kd)?$", line))
    symbols = [" ".join(re.sub(r"\s\d+\s(plain|hidden)", r" \1", line).split()) for line in symbols]
    notes = output("llvm-readelf-22", "-n", path).stdout
    kinds = re.findall(r"\.(?:name|offset|size|value_kind|address_space): +\S+", notes)
    version = re.findall(r"amdhsa\.(?:target|version): *[^\n]*(?:\n +- \d+)*", notes)
    return {"header": header, "symbols": symbols, "arguments": [k for k in without_hidden(kinds) if k],
            "version": [" ".join(v.split()) for v in version],
            "sizes": re.findall(r"\.(?:kernarg_segment_size|kernarg_segment_align|wavefront_size|max_flat_workgroup_size): +\d+", notes)}


def without_hidden(lines):
    """Hidden arguments that the runtime need not fill in are left out by ours."""
    return [line for line in lines if "hidden_" not in line or re.search("global_offset|block_count|group_size|remainder|grid_dims", line)
            ][:14]


def compare(options, version, processor, feature, folder):
    llc = ("llc-15", "-opaque-pointers") if version == 3 else ("llc-22",)
    base = os.path.join(folder, f"{version}-{processor}{feature}")
    with open(base + ".ll", "w", encoding="utf-8") as file:
        file.write(IR)
    attributes = ["-mattr=" + feature] if feature else []
    theirs = output(*llc, "-mcpu=" + processor, f"-amdhsa-code-object-version={version}", *attributes, "-filetype=obj", base + ".ll", "-o", base + ".o")
    if theirs.returncode or "not a recognized" in theirs.stderr:
        return None
    ours = output(options.offgrid, "cc", "-c", "-mcpu=" + processor, f"-mcode-object-version={version}", *attributes, base + ".ll", "-o", base + ".ours")
    if ours.returncode:
        return None if "does not support" in ours.stderr or "has no" in ours.stderr else ours.stderr[:200]
    a, b = facts(base + ".o"), facts(base + ".ours")
    return "; ".join(f"{what}: {b[what]}, by LLVM {a[what]}" for what in a if a[what] != b[what]) or None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-15", "llc-22", "llvm-readelf-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    wrong = seen = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for version, processors in PROCESSORS.items():
            for processor in processors.split():
                for feature in FEATURES:
                    error = compare(options, version, processor, feature, folder)
                    seen, wrong = seen + 1, wrong + bool(error)
                    if error:
                        print(f"V{version} {processor} {feature}: {error}", flush=True)
    print(f"{seen - wrong} of {seen} code objects are as LLVM's")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
