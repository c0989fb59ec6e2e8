#!/usr/bin/env python3
"""Holds the memory model of `offgrid cc` against llc-22's, which follows the user guide's tables: for each kind of
processor, each access, ordering, scope and address space the same cache operations and cache policies in the same order,
and a wait between what is read and the caches that forget.

usage: cc_memory.py --offgrid BUILD/offgrid [--only gfx942]"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROCESSORS = [("gfx700", ""), ("gfx803", ""), ("gfx900", ""), ("gfx90a", ""), ("gfx942", ""), ("gfx90a", "+tgsplit"), ("gfx942", "+tgsplit"), ("gfx1010", "+cumode"),
              ("gfx1010", ""), ("gfx1030", ""), ("gfx1100", "+cumode"), ("gfx1100", ""), ("gfx1200", "+cumode"), ("gfx1200", ""), ("gfx1250", "")]
SPACES = {"global": 1, "flat": 0, "local": 3}
SCOPES = ["", "agent", "workgroup", "wavefront", "singlethread", "one-as", "agent-one-as", "workgroup-one-as", "wavefront-one-as",
          "singlethread-one-as"]  # of the user guide; "" is the system
CACHE = r"buffer_wbinvl1\w*|buffer_inv\w*|buffer_wbl2|buffer_gl\d_inv|global_inv|global_wb"
ACCESS = r"(?:global|flat|ds)_(?:load|store|atomic|read|write|add)\w*"


def program():
    """One kernel for each row of the tables."""
    lines = ['target triple = "amdgcn-amd-amdhsa"']
    for scope in SCOPES:
        mark, name = (f'syncscope("{scope}") ' if scope else ""), scope.replace("-", "_") or "system"
        for order in ("acquire", "release", "acq_rel", "seq_cst"):
            lines.append(f"define amdgpu_kernel void @fence_{order}_{name}() {{\n  fence {mark}{order}\n  ret void\n}}")
        for space, number in SPACES.items():
            pointer = f"ptr addrspace({number})"
            for order in ("monotonic", "acquire", "seq_cst"):
                lines.append(f"define amdgpu_kernel void @load_{order}_{name}_{space}({pointer} %p, ptr addrspace(1) %q) {{\n"
                             f"  %v = load atomic i32, {pointer} %p {mark}{order}, align 4\n"
                             "  store i32 %v, ptr addrspace(1) %q\n  ret void\n}")
            for order in ("monotonic", "release", "seq_cst"):
                lines.append(f"define amdgpu_kernel void @store_{order}_{name}_{space}({pointer} %p, i32 %v) {{\n"
                             f"  store atomic i32 %v, {pointer} %p {mark}{order}, align 4\n  ret void\n}}")
            for order in ("monotonic", "acquire", "release", "acq_rel", "seq_cst"):
                lines.append(f"define amdgpu_kernel void @atomic_{order}_{name}_{space}({pointer} %p, i32 %v, ptr addrspace(1) %q) "
                             f"{{\n  %o = atomicrmw add {pointer} %p, i32 %v {mark}{order}, !amdgpu.no.fine.grained.memory !1, "
                             "!amdgpu.no.remote.memory !1, !noalias.addrspace !2\n"
                             "  store i32 %o, ptr addrspace(1) %q\n  ret void\n}")
    return "\n".join(lines + ["!llvm.module.flags = !{!0}", '!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}', "!1 = !{}", "!2 = !{i32 5, i32 6}"]) + "\n"


def sequences(text):
    """By kernel: accesses and cache operations with their policies, and waits."""
    found = {}
    for name, body in re.findall(r"^(\w+):[^\n]*\n(.*?)s_endpgm", text, re.M | re.S):
        steps = []
        for line in body.splitlines():
            line = line.split(";")[0].split("//")[0].strip()
            word = line.split()[0] if line else ""
            policy = sorted(re.findall(r"\b(?:glc|dlc|slc|sc0|sc1|nt|scope:\w+|th:\w+)", line))
            if re.fullmatch(CACHE, word) or re.fullmatch(ACCESS, word):
                steps.append(" ".join([word] + policy))
            elif word.startswith("s_wait"):
                steps.append("wait")
        found[name] = steps
    return found


def compare(name, mine, theirs):
    """What is wrong with a kernel's sequence, or None."""
    ours, reference = [step for step in mine if step != "wait"], [step for step in theirs if step != "wait"]
    if name.endswith("_local"):  # LDS needs less: more is no fault
        reference = [step for step in reference if step in ours]
        ours = [step for step in ours if step in reference]
    if ours != reference:
        return f"{' | '.join(mine)}, by llc: {' | '.join(theirs)}"
    for at, step in enumerate(mine):
        if re.match(r"buffer_(wbinvl1|inv|gl1)|global_inv", step) and at and mine[at - 1] != "wait" and \
                re.match(ACCESS, mine[at - 1]):
            return f"no wait before '{step}': {' | '.join(mine)}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not shutil.which("llc-22"):
        print("skipped, not installed: llc-22")
        return 77
    rows = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source, output = os.path.join(folder, "m.ll"), os.path.join(folder, "m.co")
        with open(source, "w", encoding="utf-8") as file:
            file.write(program())
        for processor, features in PROCESSORS:
            if options.only not in processor:
                continue
            attributes = [f"-mattr={features}"] if features else []
            theirs = subprocess.run(["llc-22", "-O2", f"-mcpu={processor}", *attributes, source, "-o", "-"],
                                    capture_output=True, text=True, check=True).stdout
            subprocess.run([options.offgrid, "cc", f"-mcpu={processor}", *attributes, source, "-o", output], check=True)
            ours = sequences(subprocess.run([options.offgrid, "dis", output], capture_output=True, text=True, check=True).stdout)
            for name, reference in sequences(theirs).items():
                rows += 1
                wrong = compare(name, ours.get(name, []), reference)
                failed += bool(wrong)
                if wrong:
                    print(f"{processor}{features} {name}: {wrong}")
    print(f"{rows - failed} of {rows} rows are as llc-22's")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
