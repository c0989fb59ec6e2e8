#!/usr/bin/env python3
"""What `offgrid cc -memory-model=older` makes of each row of the older compute ABI's tables ("Memory model", AMDGPU Compute
Application Binary Interface 0.40), which stand here as the document has them: the same instructions in the same order around the
access. Where two waits stand together they may be one, and a wait may be for more.

usage: cc_memory_older.py --offgrid BUILD/offgrid"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

# Global segment, group segment, fences: operation, orders, scopes, sequence.
TABLES = {"global": """
Atomic Load | rlx,scacq | wg- | load with glc=0
Atomic Load | rlx | agent+ | load with glc=1
Atomic Load | scacq | agent+ | load with glc=1; s_waitcnt vmcnt(0); buffer_wbinv_vol
Atomic Store | rlx,screl | wg- | store with glc=0
Atomic Store | rlx | agent+ | store with glc=0
Atomic Store | screl | agent+ | s_waitcnt vmcnt(0); store with glc=0; s_waitcnt vmcnt(0)
Atomic RMW | rlx,scacq,screl,scar | wg- | atomic
Atomic RMW | rlx | agent+ | atomic
Atomic RMW | scacq | agent+ | atomic; s_waitcnt vmcnt(0); buffer_wbinv_vol
Atomic RMW | screl | agent+ | s_waitcnt vmcnt(0); atomic
Atomic RMW | scar | agent+ | s_waitcnt vmcnt(0); atomic; s_waitcnt vmcnt(0); buffer_wbinv_vol
""", "group": """
Atomic Load | rlx | wg- | load
Atomic Load | scacq | wg- | s_waitcnt vmcnt(0); load; buffer_wbinvl1_vol
Atomic Store | rlx | wg- | store
Atomic Store | screl | wg- | s_waitcnt vmcnt(0); store
Atomic RMW | scacq | wg- | s_waitcnt vmcnt(0); atomic; buffer_wbinvl1_vol
Atomic RMW | screl | wg- | s_waitcnt vmcnt(0); atomic
""", "fence": """
Memory Fence | scacq,screl,scar | wg- | memfence
Memory Fence | scacq | agent+ | memfence; s_waitcnt 0; buffer_wbinvl1_vol
Memory Fence | screl | agent+ | s_waitcnt 0; memfence
Memory Fence | scar | agent+ | memfence; s_waitcnt 0; buffer_wbinvl1_vol
"""}
ORDERS = {"rlx": ["monotonic"], "scacq": ["acquire", "seq_cst"], "screl": ["release", "seq_cst"], "scar": ["acq_rel", "seq_cst"]}
SCOPES = {"wg-": ["wavefront", "workgroup", "workgroup-one-as", "wavefront-one-as"], "agent+": ["agent", "", "agent-one-as", "one-as"]}


def cases():
    """(name, body, what the document says)"""
    for table, rows in TABLES.items():
        for row in filter(None, rows.split("\n")):
            operation, orders, scopes, sequence = (part.strip() for part in row.split("|"))
            for order in orders.split(","):
                for ordering in ORDERS[order]:
                    if operation in ("Atomic RMW", "Memory Fence") and order != "scar" and ordering == "seq_cst":
                        continue  # both, that is scar
                    for scope in SCOPES[scopes]:
                        yield table, operation, ordering, scope, sequence


def kernel(number, table, operation, ordering, scope):
    mark = f'syncscope("{scope}") ' if scope else ""
    pointer = "ptr addrspace(3) %l" if table == "group" else "ptr addrspace(1) %p"
    body = {"Atomic Load": f"  %v = load atomic i32, {pointer} {mark}{ordering}, align 4\n",
            "Atomic Store": f"  store atomic i32 %n, {pointer} {mark}{ordering}, align 4\n",
            "Atomic RMW": f"  %v = atomicrmw add {pointer}, i32 %n {mark}{ordering}\n",
            "Memory Fence": f"  fence {mark}{ordering}\n"}[operation]
    end = "  store i32 %v, ptr addrspace(1) %q\n" if "%v" in body else ""
    return (f"define amdgpu_kernel void @k{number}(ptr addrspace(1) %p, ptr addrspace(3) %l, ptr addrspace(1) %q, ptr addrspace(3) %m, i32 %n) {{\n"
            # something of either kind is under way
            "  store volatile i32 1, ptr addrspace(1) %q\n  store volatile i32 1, ptr addrspace(3) %m\n" + body +
            "  store volatile i32 2, ptr addrspace(3) %m\n" + end + "  ret void\n}\n")


def expected(sequence):
    words = []
    for part in (p.strip() for p in sequence.split(";")):
        words.append("access glc" if "glc=1" in part else "access" if re.match("load|store|atomic", part) else
                     "invalidate" if part.startswith("buffer_wb") else "vm" if "vmcnt" in part else "all" if part == "s_waitcnt 0" else "")
    return [w for w in words if w]


def found(body, operation, table):
    """The steps between the stores that stand around."""
    steps, lines = [], [line.strip() for line in body.splitlines() if line.strip()]
    first = max(i for i, line in enumerate(lines) if re.match(r"ds_write_b32 .*", line) and i <= next_store(lines))
    for line in lines[first + 1:]:
        word = line.split()[0]
        if re.match(r"(flat|ds)_", word):
            if word == "ds_write_b32" and (operation != "Atomic Store" or table != "group" or "access" in steps):
                break
            steps.append("access glc" if operation == "Atomic Load" and " glc" in line else "access")
        elif word == "s_waitcnt":
            steps.append("all" if "vmcnt(0)" in line and "lgkmcnt(0)" in line else "vm" if "vmcnt(0)" in line else "lgkm")
        elif word.startswith("buffer_wbinvl1"):
            steps.append("invalidate")
    return steps


def next_store(lines):
    return next(i for i, line in enumerate(lines) if line.startswith("ds_write_b32"))


def agrees(steps, wanted):
    """Waits for more, and those for data, are no fault."""
    at = 0
    for want in wanted:
        while at < len(steps) and steps[at] != want and not (want == "vm" and steps[at] == "all") and steps[at] in ("vm", "lgkm", "all"):
            if want == "all" and {"vm", "lgkm"} <= set(steps[at:at + 2]):
                at += 1
                break
            at += 1
        if at == len(steps) or (steps[at] not in (want, "all" if want in ("vm", "all") else want) and want != "all"):
            return False
        at += 1
    left = [s for s in steps if s not in ("lgkm",)]
    return left.count("invalidate") == wanted.count("invalidate") and sum(s.startswith("access") for s in left) == sum(
        w.startswith("access") for w in wanted) and (any(w in ("vm", "all") for w in wanted) or not any(s in ("vm", "all") for s in left))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    options = parser.parse_args()
    wrong = seen = 0
    rows = list(cases())
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.ll")
        with open(path, "w", encoding="utf-8") as file:
            file.write('target triple = "amdgcn-amd-amdhsa"\n' + "".join(kernel(n, *row[:4]) for n, row in enumerate(rows)))
        for processor in ("gfx700", "gfx803"):
            made = subprocess.run([options.offgrid, "llc", "-mcpu=" + processor, "-memory-model=older", path, "-o", "-"], capture_output=True, text=True,
                                  check=False)
            if made.returncode:
                print(made.stderr)
                return 1
            bodies = dict(re.findall(r"^k(\d+):[^\n]*\n(.*?)s_endpgm", made.stdout, re.M | re.S))
            for number, (table, operation, ordering, scope, sequence) in enumerate(rows):
                steps = found(bodies[str(number)], operation, table)
                seen += 1
                if not agrees(steps, expected(sequence)):
                    wrong += 1
                    print(f"{processor}, {table}: {operation} {ordering} {scope or 'system'}: {steps}, by the document {sequence}")
    print(f"{seen - wrong} of {seen} operations are as the older ABI has them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
