#!/usr/bin/env python3
"""Which register holds which input when a kernel starts: what `info` reads in the descriptors that llc-22 writes is what
llc's register allocation counted on, for each processor and wave size and random choices of inputs.

usage: launch_inputs.py OFFGRID [KERNELS_PER_PROCESSOR [SEED]]
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

OFFGRID = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 24
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
LLC = shutil.which("llc-22")
if not LLC:
    print("skipped: llc-22 is needed")
    sys.exit(77)
PROCESSORS = ("gfx600 gfx700 gfx801 gfx803 gfx900 gfx906 gfx908 gfx90a gfx90c gfx942 gfx950 gfx1010 gfx1013 gfx1030 gfx1100 gfx1103 "
              "gfx1150 gfx1200 gfx1201 gfx1250 gfx1251 gfx9-4-generic gfx12-generic").split()
WAVE64 = re.compile(r"gfx1[012](?!5)")  # processors with a choice
UNWANTED = ("dispatch-ptr queue-ptr dispatch-id implicitarg-ptr workgroup-id-x workgroup-id-y workgroup-id-z workitem-id-x "
            "workitem-id-y workitem-id-z flat-scratch-init cluster-id-x cluster-id-y cluster-id-z").split()
NAMES = {  # llc's name: that of `info`
    "privateSegmentBuffer": "private segment buffer", "dispatchPtr": "dispatch pointer", "queuePtr": "queue pointer",
    "kernargSegmentPtr": "kernarg segment pointer", "dispatchID": "dispatch id", "flatScratchInit": "flat scratch init",
    "privateSegmentSize": "private segment size", "workGroupIDX": "work-group id x", "workGroupIDY": "work-group id y",
    "workGroupIDZ": "work-group id z", "workGroupInfo": "work-group info",
    "privateSegmentWaveByteOffset": "scratch wave offset", "workItemIDX": "work-item id x",
    "workItemIDY": "work-item id y", "workItemIDZ": "work-item id z", "firstKernArgPreloadReg": "preloaded kernarg"}


def kernel(rng, number):
    """A kernel that wants some inputs, and maybe scratch and its arguments in registers."""
    attributes = " ".join(f'"amdgpu-no-{name}"' for name in UNWANTED if rng.random() < 0.5)
    inreg = "inreg " if rng.random() < 0.4 else ""
    body = ""
    if rng.random() < 0.4:
        body += "  %m = alloca [64 x i32], addrspace(5)\n  store volatile i32 1, ptr addrspace(5) %m\n"
    for part in "group", "item":
        for axis in "xyz":
            if f"work{part}-id-{axis}" not in attributes and rng.random() < 0.5:
                body += f"  %{part}{axis} = call i32 @llvm.amdgcn.work{part}.id.{axis}()\n"
                body += f"  store volatile i32 %{part}{axis}, ptr addrspace(1) %p\n"
    return (f"define amdgpu_kernel void @k{number}(ptr addrspace(1) {inreg}%p, i32 {inreg}%v) {{\n{body}"
            f"  store volatile i32 %v, ptr addrspace(1) %p\n  ret void\n}}\n".replace(") {", f") {attributes} {{", 1))


def source(rng):
    head = 'target triple = "amdgcn-amd-amdhsa"\n' + "".join(
        f"declare i32 @llvm.amdgcn.work{part}.id.{axis}()\n" for part in ("group", "item") for axis in "xyz")
    return head + "".join(kernel(rng, number) for number in range(COUNT))


def register(text, mask):
    """'$sgpr4_sgpr5' to 's[4:5]', and a mask to its bits."""
    parts = re.findall(r"(sgpr|ttmp|vgpr)(\d+)", text)
    name = {"sgpr": "s", "ttmp": "ttmp", "vgpr": "v"}[parts[0][0]]
    numbers = [int(number) for _, number in parts]
    place = f"{name}{numbers[0]}" if len(numbers) == 1 else f"{name}[{numbers[0]}:{numbers[-1]}]"
    if mask:
        place += f"[{mask.bit_length() - 1}:{(mask & -mask).bit_length() - 1}]"
    return place


def counted_on(mir):
    """Per kernel, what llc gave each input."""
    for part in re.split(r"^---$", mir, flags=re.M):
        name = re.search(r"^name: +(k\d+)$", part, re.M)
        if not name:
            continue
        info = re.search(r"^  argumentInfo:\n((?:    .*\n)*)", part, re.M)
        found = {}
        for key, where, mask in re.findall(r"^    (\w+): +\{ reg: '\$(\w+)'(?:, mask: (\d+))?", info[1], re.M):
            found[NAMES.get(key, key)] = register(where, int(mask or 0))
        preloaded = re.search(r"^  numKernargPreloadSGPRs: (\d+)$", part, re.M)
        first = found.pop("preloaded kernarg", None)
        if first:
            number, count = int(first.lstrip("s").split("[")[-1].split(":")[0]), int(preloaded[1])
            found["preloaded kernarg"] = f"s{number}" if count == 1 else f"s[{number}:{number + count - 1}]"
        yield name[1], found


def as_info_says(path):
    text = subprocess.run([OFFGRID, "info", path], text=True, capture_output=True, check=True).stdout
    for part in text.split("\nkernel ")[1:]:
        line = re.search(r"^  registers   (.*)$", part, re.M)[1]
        yield part.split("\n")[0], dict(reversed(item.split(" ", 1)) for item in line.split(", "))


def main():
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    compared = inputs = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        ll, obj = os.path.join(folder, "k.ll"), os.path.join(folder, "k.o")
        for processor in PROCESSORS:
            for wave in ("", "+wavefrontsize64") if WAVE64.match(processor) else ("",):
                with open(ll, "w") as file:
                    file.write(source(rng))
                command = [LLC, "-mcpu=" + processor, "-mattr=" + wave, ll, "-o"]
                subprocess.run([*command, obj, "-filetype=obj"], check=True)
                mir = subprocess.run([*command, "-", "-stop-after=finalize-isel"], text=True, capture_output=True,
                                     check=True).stdout
                ours = dict(as_info_says(obj))
                for name, theirs in counted_on(mir):
                    mine = ours[name]
                    # What llc does not want it does not name, though the hardware gives it at a place of its own; and it
                    # gives the last SGPR to scratch before it knows that there is none.
                    if "scratch wave offset" not in mine:
                        theirs.pop("scratch wave offset", None)
                    wrong = {i: (mine.get(i), theirs[i]) for i in theirs if mine.get(i) != theirs[i]}
                    wrong |= {i: (mine[i], None) for i in mine if i not in theirs and re.match(r"s[\[\d]", mine[i])}
                    compared, inputs = compared + 1, inputs + len(theirs)
                    if wrong:
                        failures += 1
                        print(f"{processor} {wave} {name}: " +
                              ", ".join(f"{i} is {a}, llc says {b}" for i, (a, b) in wrong.items()))
    print(f"{compared} kernels, {inputs} inputs, {failures} kernels differ")
    sys.exit(bool(failures or not compared))


main()
