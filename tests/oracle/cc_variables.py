#!/usr/bin/env python3
"""Variables in the debug information of `offgrid cc` against llc-22's: OpenCL without optimization, the same names, lines and
types, each in private memory, LDS or the code object; llvm-dwarfdump-22 finds nothing wrong; and what a debugger reads by name,
of LDS and the code object with optimization, too.

usage: cc_variables.py --offgrid BUILD/offgrid"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = """typedef struct { int x; float y[3]; } pair; __constant int table[3] = {5, 6, 7};
enum colour { red, green = 7 };
union either { int i; float f; };
int sum(int n, const pair *p) {
  int here = n * 10 + p->x;
  int below = 0;
  if (n > 0)
    below = sum(n - 1, p);
  return here + below;
}
int twice(int n) { int r = n * 2; return r; }
__kernel void k(__global int *out, int a) {
  __local int near[2]; pair p;
  p.x = a; near[0] = a * 30; near[1] = table[a];
  p.y[1] = 2.5f;
  int4 v = (int4)(1, 2, 3, 4); int3 three = (int3)(7, 8, 9);
  volatile enum colour c = green;
  union either e;
  e.f = 1.0f;
  int total = 0;
  for (int i = 0; i < 3; i++) {
    int inner = twice(i + p.x);
    total += inner;
  }
  if (a == 1) {
    uchar total = 7;
    out[1] = total;
  }
  out[0] = total + sum(2, &p) + v.w + (int)p.y[1] + (c == green) + e.i + three.z + near[a] + table[a + 1];
}
"""
COMMANDS = ["break k.cl:9", "run", "continue", "continue", "print n", "print here", "print below", "quit"]
SEEN = ["n = 2", "here = 21", "below = 12"]  # after both inner ones have returned
# At -O2, in the last line of the kernel.
COMMANDS_O2 = ["break k.cl:29", "run", "print near", "print table", "quit"]
SEEN_O2 = ["near = {30, 6}", "table = {5, 6, 7}"]
PROCESSORS = ["gfx803", "gfx900", "gfx1030", "gfx942", "gfx1200"]


def variables(path):
    """What dwarfdump tells: (entry, name, line, type) of each, what it says of their locations, and sizes of vectors."""
    text = subprocess.run(["llvm-dwarfdump-22", "--debug-info", path], capture_output=True, text=True, check=True).stdout
    found, places, sizes = set(), [], set()
    entries = {int(at, 16): entry for at, entry in re.findall(r"^(0x\w+): +(\S.*?)(?=^0x)", text, re.M | re.S)}
    for entry in entries.values():
        def field(key, of):
            match = re.search(rf"DW_AT_{key}\s+\((.*)\)", of)
            return match and match[1]
        tag = entry.split()[0]
        if tag in ("DW_TAG_variable", "DW_TAG_formal_parameter"):
            origin = field("abstract_origin", entry)
            whole = entry + (entries[int(origin.split()[0], 16)] if origin else "")
            if "DW_AT_artificial" in entry and not field("name", whole):  # for checkers: what a kernel has in private memory
                continue
            kind = field("type", whole)
            found.add((tag, field("name", whole), field("decl_line", whole), kind and kind.split(" ", 1)[1]))
            places.append(field("location", entry))
        if tag == "DW_TAG_array_type" and field("GNU_vector", entry) and field("byte_size", entry):
            sizes.add(int(field("byte_size", entry), 0))
    return found, places, sizes


def compile_ir(source, processor, level, ir):
    subprocess.run(["clang-22", "-x", "cl", "-cl-std=CL1.2", "--target=amdgcn-amd-amdhsa", "-mcpu=" + processor, "-nogpulib", level,
                    "-g", "-Xclang", "-finclude-default-header", "-S", "-emit-llvm", source, "-o", ir], check=True)


def missing(offgrid, code, commands, seen):
    """What the debugger does not say."""
    told = subprocess.run([offgrid, "debug", code, "--kernel", "k", "--grid", "1", "--group", "1", "--arg", "buf:8", "--arg", "i32:1"],
                          input="\n".join(commands) + "\n", capture_output=True, text=True, check=False).stdout
    return [f"the debugger does not say {line}" for line in seen if line not in told]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    options = parser.parse_args()
    absent = [tool for tool in ("clang-22", "llc-22", "llvm-dwarfdump-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        source, ir, theirs, ours = (os.path.join(folder, name) for name in ("k.cl", "k.ll", "k.o", "k.co"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        for processor in PROCESSORS:
            compile_ir(source, processor, "-O0", ir)
            subprocess.run(["llc-22", "-O0", "-mcpu=" + processor, "-filetype=obj", ir, "-o", theirs], check=True)
            subprocess.run([options.offgrid, "cc", "-mcpu=" + processor, ir, "-o", ours], check=True)
            check = subprocess.run(["llvm-dwarfdump-22", "--verify", ours], capture_output=True, text=True, check=False)
            if check.returncode:
                wrong.append(f"{processor}: {check.stdout[-300:]}")
            (mine, places, sizes), (reference, _, needed) = variables(ours), variables(theirs)
            if mine != reference:
                wrong.append(f"{processor}: only here {sorted(mine - reference)}, only by llc {sorted(reference - mine)}")
            if not needed or needed - sizes:  # llc says those of vectors with room for more elements
                wrong.append(f"{processor}: vectors of {needed} bytes by llc, of {sizes} here")
            wrong += [f"{processor}: a variable is in {place}" for place in places
                      if not re.search("DW_OP_xderef|^DW_OP_addr 0x[0-9a-f]+$", place or "")]
            wrong += [f"{processor}: {what}" for what in missing(options.offgrid, ours, COMMANDS, SEEN)]
            compile_ir(source, processor, "-O2", ir)
            subprocess.run([options.offgrid, "cc", "-mcpu=" + processor, ir, "-o", ours], check=True)
            wrong += [f"{processor} -O2: {what}" for what in missing(options.offgrid, ours, COMMANDS_O2, SEEN_O2)]
    print("\n".join(wrong) or f"{len(mine)} variables on {len(PROCESSORS)} processors are told as llc-22 tells them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
