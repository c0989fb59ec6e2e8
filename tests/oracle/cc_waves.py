#!/usr/bin/env python3
"""Intrinsics of waves, barriers, waits, caches and hardware registers: `offgrid cc` makes the instructions that llc-22 makes,
in the same order beside the stores around them, on each kind of processor, and refuses those that llc-22 has no code for; where
the executor can run them, both kernels leave the same values.

usage: cc_waves.py --offgrid BUILD/offgrid [--processors gfx900,...] [--only REGEX] [--refused]"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROCESSORS = "gfx600 gfx803 gfx900 gfx942 gfx1010 gfx1030 gfx1100 gfx1200 gfx1250".split()
# call @ processors (from-to, * all) [~: it may move beside stores] [R: run it; V: only that] [= what is expected where llc-22 knows it not, or
# merges it with waits of its own]
TABLE = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "cc_waves.txt"), encoding="utf-8").read()
KEPT = re.compile(
    r"s_(getreg|setreg|getpc|get_pc|nop 3|sethalt|sleep|monitor|setprio|incperf|decperf|ttrace|sendmsg|alloc|get_|memtime|memreal|"
    r"wait_(event|async|tensor|idle)|barrier|dcache|prefetch|wakeup|wqm|trap|cmp_eq_u32 0, 0|or_saveexec|mov_b\d+ exec|bfm)|"
    r"ds_(gws|append|consume|ordered|add_gs|sub_gs|bvh|atomic|param|direct)|buffer_wbinv|(global|flat)_prefetch|exp|v_interp|lds_|s_mov_b32 m0, -?\d")
# Waits, which each compiler places by itself; the limit of LDS in M0, which ours always sets; loops around GWS before gfx9;
# the mode in which gfx1250 replays.
IGNORED = r"s_wait(cnt|_(load|store|ds|km|exp|sample|bvh|x|alu))|s_mov_b32 m0, -1|.*hwreg\(HW_REG_TRAPSTS, 8, 1\)|.*HW_REG_WAVE_MODE, 25, 1"
VALUES = {"%s": "i32 %s", "%b": "ptr addrspace(3) %b", "%q": "ptr addrspace(5) %q", "%gds": "ptr addrspace(2) %gds", "%s64": "i64 %s64",
          "%p": "ptr %p", "%c": "ptr addrspace(4) %c", "%i": "i32 inreg %i"}
SETUP = """  %v = call i32 @llvm.amdgcn.workitem.id.x()
  %gv = getelementptr [2 x i64], ptr addrspace(1) %g, i32 %v
  %gw = getelementptr i64, ptr addrspace(1) %gv, i32 1
"""
DERIVED = {"%pv": "%pv = getelementptr i64, ptr %p, i32 %v", "%f": "%f = bitcast i32 %v to float", "%v64": "%v64 = zext i32 %v to i64",
           "%v4": "%v4 = insertelement <4 x i32> zeroinitializer, i32 %v, i32 0",
           "%v8": "%v8 = insertelement <8 x i32> zeroinitializer, i32 %v, i32 0",
           "%h2": "%h2 = bitcast i32 %v to <2 x half>", "%cmp": "%cmp = icmp ugt i32 %v, 3"}


def expand_set(text):
    names, out = [p[3:] for p in PROCESSORS], set()
    for part in text.split():
        if part == "*":
            return set(PROCESSORS)
        if part == "none":
            continue
        first, dash, last = part.partition("-")
        a, b = names.index(first) if first else 0, names.index(last) if last else len(names) - 1
        out |= set(PROCESSORS[a:(b if dash else a) + 1])
    return out


class Row:
    def __init__(self, line):
        found = re.match(r"(.+?) (llvm\.[\w.]+)\((.*?)\) @ ([-\w* ]+?)( ~)?( [RV])?( = (.*))?$", line)
        self.result, self.name, self.arguments = found[1], found[2], found[3]
        self.processors = expand_set(found[4])
        self.moves, self.runs, self.only_values, self.expected = bool(found[5]), bool(found[6]), found[6] == " V", found[8]
        self.names = set(re.findall(r"%\w+", self.arguments))
        self.needed = [n for n in VALUES if n in self.names or (n == "%p" and "%pv" in self.names)]

    def types(self):
        parts, depth, now = [], 0, ""
        for c in self.arguments + ",":
            depth += (c in "<({") - (c in ">)}")
            if c == "," and not depth:
                parts.append(now.strip().rsplit(" ", 1)[0])
                now = ""
            else:
                now += c
        return ", ".join(filter(None, parts))

    def kernel(self, number):
        given = "".join(", " + VALUES[n] for n in self.needed)
        lines = [f"define amdgpu_kernel void @k{number}(ptr addrspace(1) %g{given}) #0 {{"]
        lines += [SETUP.rstrip()] + ["  " + text for name, text in DERIVED.items() if name in self.names]
        lines.append("  store volatile i32 7, ptr addrspace(1) %gv")
        call = f"call {self.result} @{self.name}({self.arguments})"
        if self.result == "void":
            lines.append("  " + call)
        elif self.result == "i1":
            lines += ["  %r = " + call, "  %z = zext i1 %r to i32", "  store volatile i32 %z, ptr addrspace(1) %gw"]
        elif self.result[0] == "{":
            one = self.result[1:].split(",")[0]
            lines += ["  %r = " + call, f"  %x = extractvalue {self.result} %r, 0", f"  %y = extractvalue {self.result} %r, 1",
                      f"  store volatile {one} %x, ptr addrspace(1) %gw", "  store volatile i32 %y, ptr addrspace(1) %gv"]
        else:
            lines += ["  %r = " + call, f"  store volatile {self.result} %r, ptr addrspace(1) %gw"]
        lines += ["  store volatile i32 9, ptr addrspace(1) %gv", "  ret void", "}"]
        return "\n".join(lines)


def module(rows):
    declared = sorted({f"declare {r.result} @{r.name}({r.types()})" for r in rows})
    return "\n".join(['target triple = "amdgcn-amd-amdhsa"', "@lds = internal addrspace(3) global [64 x i32] poison, align 16",
                      '@bar = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison',
                      "declare i32 @llvm.amdgcn.workitem.id.x()"] + declared + [r.kernel(n) for n, r in enumerate(rows)] +
                     ['attributes #0 = { "amdgpu-flat-work-group-size"="1,256" "amdgpu-cluster-dims"="0,0,0" }', '!0 = !{!"some"}']) + "\n"


def plain(line):
    line = re.sub(r"//.*|;.*", "", line).strip()
    line = re.sub(r"\b([sva])(\[\d+:\d+\]|\d+)(?=[,\s]|$)", r"\1#", re.sub(r"\s+", " ", line))
    line = re.sub(r"\bttmp\d+\b", "t#", re.sub(r"\bvcc(_lo)?\b", "s#", line))
    line = re.sub(r"(flat_prefetch_b8 v#), s#", r"\1", line)
    line = re.sub(r"(\.h.*) op_sel:\S+", r"\1", line)
    line = re.sub(r"(s_barrier_wait) 0xfff([df])", lambda m: f"{m[1]} {int(m[2], 16) - 16}", line)
    return re.sub(r"0x([0-9a-f]+)", lambda m: str(int(m[1], 16)), re.sub(r"_e(32|64)\b", "", line))


def kept(text):
    """By kernel: the instructions that count, with the stores between them."""
    out, now = {}, None
    for line in text.splitlines():
        label = re.match(r"(k\d+):", line)
        if label:
            now = out.setdefault(int(label[1][1:]), [])
        elif now is not None and line.startswith(("\t", " ")):
            line = plain(line)
            if re.match(r"(global|flat|buffer)_store", line):
                now.append("store")
            elif re.match(KEPT, line) or line.startswith("s_wait"):
                now.append(line)
            elif line == "s_endpgm":
                now.append(line)
    return out


def run_tool(command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return done.returncode, done.stdout, done.stderr


def gathered(code):
    """Numbers that M0 gets stand right before what needs them."""
    out, waiting = [], []
    for line in code:
        if line.startswith("s_mov_b32 m0"):
            waiting.append(line)
        else:
            out += (waiting if line != "store" else []) + [line]
            waiting = waiting if line == "store" else []
    return out


def differ(row, ours, theirs):
    """What is wrong, or None."""
    if row.expected:
        return None if all(e in ours for e in row.expected.split("; ")) else f"no '{row.expected}' in {ours}"
    a, b = (gathered([x for x in code if not re.match(IGNORED, x)]) for code in (ours, theirs))
    if row.moves:
        a, b = sorted(x for x in a if x != "store"), sorted(x for x in b if x != "store")
    return None if a == b else f"{' | '.join(a)}, by llc {' | '.join(b)}"


def values(options, path, number, row, name):
    out = path + name + ".out"
    with open(out, "wb") as file:
        file.write(bytes(16 * 64))
    given = {"%s": "i32:2", "%s64": "i64:0x300000000", "%p": f"inout:{out}", "%c": f"inout:{out}", "%b": "lds:64", "%q": "i32:16", "%gds": "i32:0"}
    arguments = [x for a in [f"inout:{out}"] + [given[n] for n in row.needed] for x in ("--arg", a)]
    status, text, error = run_tool([options.offgrid, "run", path + name, "--kernel", f"k{number}", "--grid", "64", "--group", "64",
                                    "--timeout", "20", *arguments])
    if status:
        return (error or text)[:200]
    with open(out, "rb") as file:
        return file.read()


def check_processor(options, rows, processor, folder):
    bad, path = [], os.path.join(folder, processor)
    known = [r for r in rows if processor in r.processors]
    with open(path + ".ll", "w", encoding="utf-8") as file:
        file.write(module(known))
    by_llc = [r for r in known if not (r.expected and "none" in r.expected)]
    status, theirs, error = run_tool(["llc-22", "-O2", f"-mcpu={processor}", f"-mattr={options.mattr}", path + ".ll", "-o", "-"])
    if status:
        return [f"llc-22 refuses: {error[:300]}"], len(by_llc)
    status, ours, error = run_tool([options.offgrid, "llc", f"-mcpu={processor}", f"-mattr={options.mattr}", path + ".ll", "-o", "-"])
    if status:
        return [f"offgrid refuses: {error[:600]}"], len(known)
    ours, theirs = kept(ours), kept(theirs)
    for number, row in enumerate(known):
        wrong = None if row.only_values else differ(row, ours.get(number, []), theirs.get(number, []))
        if wrong:
            bad.append(f"{row.name}({row.arguments}): {wrong}")
    bad += lint(options, processor, path)
    if any(r.runs for r in known):
        bad += compare_values(options, known, processor, path)
    return bad, len(known)


def lint(options, processor, path):
    """What the linter finds in our code: hazards, and waits that are missing."""
    run_tool([options.offgrid, "cc", f"-mcpu={processor}", f"-mattr={options.mattr}", path + ".ll", "-o", path + ".cc"])
    found = [run_tool([options.offgrid, "lint", *flag, path + ".cc"]) for flag in ([], ["--waits"])]
    return [f"lint: {(text + error)[:300]}" for status, text, error in found if status]


def compare_values(options, known, processor, path):
    bad = []
    run_tool(["llc-22", "-O2", f"-mcpu={processor}", f"-mattr={options.mattr}", "-filetype=obj", path + ".ll", "-o", path + ".o"])
    run_tool(["ld.lld-22", "-shared", path + ".o", "-o", path + ".llc"])
    for number, row in enumerate(known):
        if row.runs:
            a, b = values(options, path, number, row, ".cc"), values(options, path, number, row, ".llc")
            if a != b or isinstance(a, str):
                bad.append(f"{row.name}({row.arguments}): {a[:48]!r}, by llc's code {b[:48]!r}")
    return bad


def check_refused(options, rows, processor, folder):
    bad, count = [], 0
    for row in rows:
        if processor in row.processors:
            continue
        path = os.path.join(folder, "refused.ll")
        with open(path, "w", encoding="utf-8") as file:
            file.write(module([row]))
        status, _, error = run_tool([options.offgrid, "cc", f"-mcpu={processor}", path, "-o", path + ".co"])
        count += 1
        if status != 1 or row.name not in error:
            bad.append(f"{row.name}: not refused by name: {error.strip()[:100]}")
    return bad, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default=",".join(PROCESSORS))
    parser.add_argument("--only", default="")
    parser.add_argument("--mattr", default="")
    parser.add_argument("--refused", action="store_true", help="also what is refused, on each processor")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-22", "ld.lld-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    rows = [Row(line) for line in TABLE.splitlines() if line and not line.startswith("#")]
    rows = [r for r in rows if re.search(options.only, r.name)]
    failed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        for processor in options.processors.split(","):
            checks = [check_processor] + ([check_refused] if options.refused else [])
            for check in checks:
                bad, count = check(options, rows, processor, folder)
                total, failed = total + count, failed + len(bad)
                for line in bad:
                    print(f"{processor}: {line}")
    print(f"{total - failed} of {total} calls are compiled as llc-22 does, or refused")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
