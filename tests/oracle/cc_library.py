#!/usr/bin/env python3
"""Each intrinsic that `offgrid cc` knows, on values that lie on borders and random ones: the same results by our code and
by llc-22's. Where neither document nor LLVM says the last places of a result, a number of ulps is allowed.

usage: cc_library.py --offgrid BUILD/offgrid [--processor gfx900] [--only REGEX] [--keep FOLDER]"""
import argparse
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

LANES = 128
# result name(arguments): an argument =N is that constant; !N: ulps that may differ; @N, @N..M generations, where not all.
TABLE = """
float llvm.{floor,ceil,trunc,rint,roundeven,nearbyint,round,fabs,canonicalize}.f32(float)
double llvm.{floor,ceil,trunc,rint,roundeven,nearbyint,round,fabs,canonicalize}.f64(double)
half llvm.{floor,ceil,trunc,rint,roundeven,nearbyint,round,fabs,canonicalize}.f16(half) @8
float llvm.{minnum,maxnum,copysign}.f32(float, float)
double llvm.{minnum,maxnum,copysign}.f64(double, double)
half llvm.{minnum,maxnum,copysign}.f16(half, half) @8
float llvm.{fma,fmuladd}.f32(float, float, float) !1
double llvm.{fma,fmuladd}.f64(double, double, double)
float llvm.{sqrt,exp,exp2,exp10,log,log2,log10}.f32(float) !2
float llvm.{sin,cos}.f32(small) !1
double llvm.sqrt.f64(double)
half llvm.{sqrt,exp2,log2,exp,log,log10,exp10}.f16(half) @8 !1
half llvm.{sin,cos}.f16(half_small) @8 !1
float llvm.ldexp.f32.i32(float, i32)
double llvm.ldexp.f64.i32(double, i32)
half llvm.ldexp.f16.i32(half, i32) @8
float llvm.amdgcn.{frexp.mant,fract,rcp,rsq,sqrt}.f32(float) !1
double llvm.amdgcn.{frexp.mant,fract}.f64(double)
i32 llvm.amdgcn.frexp.exp.i32.f32(float)
i32 llvm.amdgcn.frexp.exp.i32.f64(double)
i1 llvm.amdgcn.class.f32(float, i32)
i1 llvm.amdgcn.class.f64(double, i32)
i1 llvm.is.fpclass.f32(float, ={504,3,96,620})
i1 llvm.is.fpclass.f64(double, =504)
float llvm.amdgcn.fmed3.f32(float, float, float)
float llvm.amdgcn.{cubeid,cubema,cubesc,cubetc}(float, float, float)
i{8,16,32,64} llvm.{umin,umax,smin,smax,uadd.sat,usub.sat,sadd.sat,ssub.sat}.i{8,16,32,64}(i{8,16,32,64}, i{8,16,32,64})
i{8,16,32,64} llvm.{fshl,fshr}.i{8,16,32,64}(i{8,16,32,64}, i{8,16,32,64}, i{8,16,32,64})
i{8,16,32,64} llvm.{ctpop,bitreverse}.i{8,16,32,64}(i{8,16,32,64})
i{8,16,32,64} llvm.{ctlz,cttz,abs}.i{8,16,32,64}(i{8,16,32,64}, =false)
i{16,32,64} llvm.bswap.i{16,32,64}(i{16,32,64})
{i{8,16,32,64}, i1} llvm.{uadd,usub,umul,sadd,ssub,smul}.with.overflow.i{8,16,32,64}(i{8,16,32,64}, i{8,16,32,64})
i32 llvm.amdgcn.{ubfe,sbfe}.i32(i32, i32, i32)
i32 llvm.amdgcn.{mul.u24,mul.i24}(i32, i32)
i32 llvm.amdgcn.{perm,alignbyte,sad.u8,sad.hi.u8,sad.u16,msad.u8,lerp}(i32, i32, i32)
i32 llvm.amdgcn.cvt.pk.u8.f32(float, i32, i32)
v2half llvm.amdgcn.cvt.pkrtz(float, float)
v2i16 llvm.amdgcn.cvt.pknorm.{i16,u16}(float, float)
v2i16 llvm.amdgcn.cvt.pk.{i16,u16}(i32, i32)
i32 llvm.amdgcn.{mbcnt.lo,mbcnt.hi}(i32, i32)
i32 llvm.amdgcn.ds.bpermute(i32, i32)
i32 llvm.amdgcn.ds.swizzle(i32, =31)
i32 llvm.amdgcn.update.dpp.i32(i32, i32, ={27,257,289,320,321}, =15, =15, ={true,false}) @8
i64 llvm.amdgcn.update.dpp.i64(i64, i64, =273, ={15,10}, ={15,5}, ={true,false}) @8
float llvm.amdgcn.update.dpp.f32(float, float, ={304,312,322,323}, =15, =15, ={true,false}) @8..9
i32 llvm.amdgcn.update.dpp.i32(=0, i32, =274, ={15,12}, =15, =false) @8
i32 llvm.amdgcn.mov.dpp.i32(i32, ={177,27}, =15, =15, ={true,false}) @8
i32 llvm.amdgcn.update.dpp.i32(i32, i32, ={336,355}, =15, =15, ={true,false}) @10
i32 llvm.amdgcn.mov.dpp8.i32(i32, ={1754936,342391}) @10
i{32,64} llvm.amdgcn.{permlane16,permlanex16}.i{32,64}(i{32,64}, i{32,64}, =305419896, =-19088744, ={true,false}, ={true,false}) @10
i32 llvm.amdgcn.{permlane16,permlanex16}.var(i32, i32, i32, ={true,false}, ={true,false}) @12
i32 llvm.amdgcn.permlane64.i32(i32) @11
i32 llvm.amdgcn.wave.reduce.{umin,umax,min,max,add,sub,and,or,xor}.i32(i32, =0)
i{W} llvm.amdgcn.icmp.i{W}.i{16,32,64}(i{16,32,64}, i{16,32,64}, ={32,33,34,35,36,37,38,39,40,41})
i{W} llvm.amdgcn.fcmp.i{W}.f32(float, float, ={1,2,3,4,5,6,7,8,9,14})
i{W} llvm.amdgcn.fcmp.i{W}.f64(double, double, ={1,4,9,14})
i{W} llvm.amdgcn.ballot.i{W}(i1)
i32 llvm.amdgcn.readfirstlane.i32(i32)
i32 llvm.amdgcn.readlane.i32(i32, =5)
i32 llvm.amdgcn.writelane.i32(=77, =5, i32)
float llvm.{minimum,maximum}.f32(float, float)
double llvm.{minimum,maximum}.f64(double, double)
half llvm.{minimum,maximum}.f16(half, half) @8
v2half llvm.{minimum,maximum,minimumnum,maximumnum}.v2f16(v2half, v2half) @9
float llvm.amdgcn.fmul.legacy(float, float)
double llvm.amdgcn.trig.preop.f64(double, i32)
i32 llvm.{scmp,ucmp}.i32.i{32,64}(i{32,64}, i{32,64})
"""
KINDS = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "half": 2, "float": 4, "double": 8, "v2half": 4, "v2i16": 4}
TYPES = {"v2half": "<2 x half>", "v2i16": "<2 x i16>", "small": "float", "half_small": "half"}
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 3.0, 1e-30, -1e30, 88.7, -103.5, 38.5, -44.9, 127.9, -149.5,
          1e-40, float("inf"), float("-inf"), 8388609.0, 4194304.5, 0.1, 1e-45, 100.7, 2.0, 10.0, 255.5, 65535.0]


def expand(line):
    """The lines that choices in braces stand for: where the same choice stands twice, both are taken alike."""
    found = next((m[1] for m in re.finditer(r"\{([^{} ]*,[^{} ]*)\}", line)), None)
    return [line] if not found else [one for choice in found.split(",") for one in expand(line.replace("{" + found + "}", choice))]


def table(processor):
    generation, wave = int(processor[3:-2], 10), 64 if int(processor[3:-2], 10) < 10 else 32
    for line in filter(None, TABLE.split("\n")):
        for one in expand(line.replace("{W}", str(wave))):
            found = re.match(r"(\{[^}]*\}|\S+) (llvm\.\S+?)\(([^)]*)\)(?: @(\d+)(?:\.\.(\d+))?)?(?: !(\d+))?$", one)
            if int(found[4] or 0) <= generation <= int(found[5] or 99):
                yield found[1], found[2], [a.strip() for a in found[3].split(",") if a.strip()], int(found[6] or 0)


def value(rng, kind):
    """The bytes of one value."""
    if kind in ("small", "half_small"):
        number = rng.uniform(-3, 3)
        return struct.pack("<f" if kind == "small" else "<e", number)
    if kind in ("half", "float", "double"):
        number = rng.choice(FLOATS) if rng.random() < 0.5 else rng.choice([-1, 1]) * 2 ** rng.uniform(-30, 30)
        if kind == "half" and abs(number) > 60000 and not math.isinf(number):
            number = math.copysign(60000, number)
        return struct.pack({"half": "<e", "float": "<f", "double": "<d"}[kind], number)
    size = KINDS[kind]
    bits = rng.choice([rng.getrandbits(8 * size), rng.randrange(-3, 70), 1 << rng.randrange(8 * size)])
    return (bits & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def ir_type(kind):
    return TYPES.get(kind, kind)


def kernel(number, result, name, arguments):
    """(text, input bytes per lane and argument)"""
    lines = [f"define amdgpu_kernel void @k{number}(ptr addrspace(1) %out" +
             "".join(f", ptr addrspace(1) %p{i}" for i, a in enumerate(arguments) if a[0] != "=") + ") #0 {",
             "  %id = call i32 @llvm.amdgcn.workitem.id.x()"]
    given, types = [], []
    for i, a in enumerate(arguments):
        if a[0] == "=":
            kind = "i1" if a in ("=false", "=true") else "i32"
            given.append(f"{kind} {a[1:]}")
        else:
            kind = ir_type(a)
            memory = "i8" if a == "i1" else kind
            lines += [f"  %a{i} = getelementptr {memory}, ptr addrspace(1) %p{i}, i32 %id",
                      f"  %v{i} = load {memory}, ptr addrspace(1) %a{i}"]
            if a == "i1":
                lines.append(f"  %w{i} = trunc i8 %v{i} to i1")
            given.append(f"{kind} %{'w' if a == 'i1' else 'v'}{i}")
        types.append(kind)
    kind = ir_type(result)
    lines.append(f"  %r = call {kind} @{name}({', '.join(given)})")
    if kind[0] == "{":
        one = kind[1:].split(",")[0]
        lines += [f"  %n = extractvalue {kind} %r, 0", f"  %b = extractvalue {kind} %r, 1",
                  f"  %z = zext i1 %b to {one}", f"  %at = getelementptr [2 x {one}], ptr addrspace(1) %out, i32 %id",
                  f"  store {one} %n, ptr addrspace(1) %at",
                  f"  %at2 = getelementptr {one}, ptr addrspace(1) %at, i32 1", f"  store {one} %z, ptr addrspace(1) %at2"]
    else:
        kept = "%r"
        if kind == "i1":
            kind, kept = "i8", "%z"
            lines.append("  %z = zext i1 %r to i8")
        lines += [f"  %at = getelementptr {kind}, ptr addrspace(1) %out, i32 %id", f"  store {kind} {kept}, ptr addrspace(1) %at"]
    return "\n".join(lines + ["  ret void", "}"]), f"declare {ir_type(result)} @{name}({', '.join(types)})"


def compile_both(options, base, text):
    """None, or what is wrong; our code in base.cc, llc's in base.llc."""
    with open(base + ".ll", "w", encoding="utf-8") as file:
        file.write(text)
    llc = subprocess.run(["llc-22", "-O1", f"-mcpu={options.processor}", "-filetype=obj", base + ".ll", "-o", base + ".o"],
                         capture_output=True, text=True, check=False)
    if llc.returncode:
        return "llc", (llc.stderr or "").strip()[:200]
    subprocess.run(["ld.lld-22", "-shared", base + ".o", "-o", base + ".llc"], check=True)
    ours = subprocess.run([options.offgrid, "cc", f"-mcpu={options.processor}", base + ".ll", "-o", base + ".cc"],
                          capture_output=True, text=True, errors="replace", check=False)
    return ("ours", (ours.stderr.strip().splitlines() or [str(ours.returncode)])[0]) if ours.returncode else None


def run(options, code, name, size, inputs):
    out = code + ".out"
    with open(out, "wb") as file:
        file.write(bytes(size * LANES))
    arguments = ["--arg", f"inout:{out}"]
    for i, data in enumerate(inputs):
        path = f"{code}.in{i}"
        with open(path, "wb") as file:
            file.write(data)
        arguments += ["--arg", f"in:{path}"]
    done = subprocess.run([options.offgrid, "run", code, "--kernel", name, "--grid", str(LANES), "--group", str(LANES), "--timeout",
                           "20", *arguments], capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        return (done.stderr or done.stdout)[:200], b""
    with open(out, "rb") as file:
        return None, file.read()


def differs(result, a, b, ulps):
    """Whether two results are further from each other than is allowed."""
    if result == "v2half":
        return any(differs("half", a[k:k + 2], b[k:k + 2], ulps) for k in (0, 2))
    if result not in ("half", "float", "double"):
        return a != b
    code = {"half": "<e", "float": "<f", "double": "<d"}[result]
    x, y = struct.unpack(code, a)[0], struct.unpack(code, b)[0]
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) != math.isnan(y)
    p, q = int.from_bytes(a, "little"), int.from_bytes(b, "little")
    return abs(p - q) > ulps and not x == y == 0 if ulps else a != b


def check(options, number, entry, folder):
    result, name, arguments, ulps = entry
    rng = random.Random(f"{options.seed} {name}")
    body, declaration = kernel(number, result, name, arguments)
    text = "\n".join(['target triple = "amdgcn-amd-amdhsa"', body, "declare i32 @llvm.amdgcn.workitem.id.x()", declaration,
                      'attributes #0 = { "amdgpu-flat-work-group-size"="1,128" "denormal-fp-math-f32"="ieee,ieee" }']) + "\n"
    error = compile_both(options, os.path.join(folder, f"k{number}"), text)
    if error and error[0] == "llc":
        return None if options.quiet else f"(not by llc-22: {error[1][:80]})"
    if error:
        return error[1]
    plain = result[1:].split(",")[0] if result[0] == "{" else result
    size = KINDS[plain] * (2 if result[0] == "{" else 1)
    inputs = [b"".join(value(rng, a) for _ in range(LANES)) for a in arguments if a[0] != "="]
    base = os.path.join(folder, f"k{number}")
    (wrong, theirs), (failed, ours) = run(options, base + ".llc", f"k{number}", size, inputs), \
        run(options, base + ".cc", f"k{number}", size, inputs)
    if wrong or failed:
        return f"llc's: {wrong}, ours: {failed}"
    for lane in range(LANES):
        a, b = ours[lane * size:(lane + 1) * size], theirs[lane * size:(lane + 1) * size]
        if differs(result, a, b, ulps):
            said = [d[lane * len(d) // LANES:(lane + 1) * len(d) // LANES][::-1].hex() for d in inputs]
            return f"of {', '.join(said)}: {a[::-1].hex()}, by llc's code {b[::-1].hex()}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--every", type=int, default=1, help="each so manieth intrinsic alone")
    parser.add_argument("--quiet", action="store_true", help="say nothing of what llc-22 refuses")
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-22", "ld.lld-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    failed = passed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for number, entry in enumerate(table(options.processor)):
            if not re.search(options.only, entry[1]) or number % options.every:
                continue
            error = check(options, number, entry, folder)
            note = error and error.startswith("(")
            passed, failed = passed + (not error), failed + bool(error and not note)
            if error:
                print(f"{entry[1]}({', '.join(entry[2])}): {error}")
    print(f"{passed} of {passed + failed} intrinsics on {options.processor} do what llc-22's code does")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
