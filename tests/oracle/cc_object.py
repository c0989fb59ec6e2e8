#!/usr/bin/env python3
"""What loaders read of code objects by `offgrid cc` is as in LLVM's, bit by bit: header, flags, sections, symbols, and of the
metadata version, target and arguments. Version 3 of code objects by llc-15, the last that writes it, the others by llc-22. For amdpal, mesa3d and no operating system the same of what they
read in place of HSA's: pipelines, amd_kernel_code_t, .AMDGPU.config; not compared is how many registers code takes.

usage: cc_object.py --offgrid BUILD/offgrid [--all] [--keep FOLDER]"""
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


# A kernel with LDS, by each set of inputs that attributes leave out.
SYSTEM_IR = """@l = internal addrspace(3) global [1000 x i32] poison
define amdgpu_kernel void @plain(ptr addrspace(1) %p, i32 %n) #0 {
  %q = getelementptr [1000 x i32], ptr addrspace(3) @l, i32 0, i32 %n
  store i32 %n, ptr addrspace(3) %q
  %v = load i32, ptr addrspace(3) @l
  store i32 %v, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "amdgpu-no-implicitarg-ptr" ATTRIBUTES }
"""
OMITTED = ["dispatch-ptr", "queue-ptr", "dispatch-id", "flat-scratch-init", "workitem-id-y", "workitem-id-z"]
SYSTEMS = ["amdgcn-amd-amdpal", "amdgcn-mesa-mesa3d", "amdgcn--", "amdgcn-unknown-linux"]
REGISTERS = 0x3ff  # of COMPUTE_PGM_RSRC1: how many registers


def words(path, section):
    dump = output("llvm-objcopy-22", "--dump-section", f"{section}={path}.section", path, os.devnull)
    if dump.returncode:
        return []
    with open(path + ".section", "rb") as file:
        data = file.read()
    return [int.from_bytes(data[at:at + 4], "little") for at in range(0, len(data) - 3, 4)]


def system_facts(path, triple):
    known = {key: value for key, value in facts(path).items() if key in ("header", "symbols")}
    notes = output("llvm-readelf-22", "-n", path).stdout
    known["isa"] = re.findall(r"amdgcn-\S+", notes)[:1] if "linux" not in triple else []
    known["pipeline"] = [line for line in notes[notes.find("amdpal"):].split() if ":" in line or not line.isdigit()] if "amdpal.p" in notes else []
    known["registers"] = [int(value) & ~REGISTERS if number == "11794" else int(value) for number, value in re.findall(r"(1179[45]): +(\d+)", notes)]
    config = words(path, ".AMDGPU.config")
    known["config"] = [value & ~REGISTERS if at == 1 else value for at, value in enumerate(config)]
    code = words(path, ".text")[:64] if "mesa" in triple else []
    # compute_pgm_rsrc1, and wavefront_sgpr_count with workitem_vgpr_count
    known["code"] = [value & ~REGISTERS if at == 12 else 0 if at == 21 else value for at, value in enumerate(code)]
    return known


def compare_system(options, triple, processor, attributes, folder):
    base = os.path.join(folder, f"{triple}-{processor}")
    with open(base + ".ll", "w", encoding="utf-8") as file:
        file.write(SYSTEM_IR.replace("ATTRIBUTES", " ".join(f'"amdgpu-no-{a}"' for a in attributes)))
    theirs = output("llc-22", "-mtriple=" + triple, "-mcpu=" + processor, "-filetype=obj", base + ".ll", "-o", base + ".o")
    ours = output(options.offgrid, "llc", "-mtriple=" + triple, "-mcpu=" + processor, "-filetype=obj", base + ".ll", "-o", base + ".ours")
    if theirs.returncode or ours.returncode:
        return (theirs.stderr + ours.stderr)[:300]
    a, b = system_facts(base + ".o", triple), system_facts(base + ".ours", triple)
    return "; ".join(f"{what}: {b[what]}, by LLVM {a[what]}" for what in a if a[what] != b[what]) or None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--all", action="store_true", help="more processors")
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-15", "llc-22", "llvm-readelf-22", "llvm-objcopy-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    wrong = seen = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for version, processors in PROCESSORS.items():
            for processor in processors.split() if options.all else processors.split()[::2]:
                for feature in FEATURES:
                    error = compare(options, version, processor, feature, folder)
                    seen, wrong = seen + 1, wrong + bool(error)
                    if error:
                        print(f"V{version} {processor} {feature}: {error}", flush=True)
        for triple in SYSTEMS:
            for processor in ("gfx600", "gfx803", "gfx900", "gfx1030", "gfx1100", "gfx1200") if options.all else ("gfx600", "gfx900", "gfx1100"):
                for attributes in (OMITTED, [], OMITTED[2:]):
                    error = compare_system(options, triple, processor, attributes, folder)
                    seen, wrong = seen + 1, wrong + bool(error)
                    if error:
                        print(f"{triple} {processor} without {attributes}: {error}", flush=True)
    print(f"{seen - wrong} of {seen} code objects are as LLVM's")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
