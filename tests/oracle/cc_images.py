#!/usr/bin/env python3
"""Image intrinsics: each operation in each dimension, with coordinates, derivatives and texels of 32 and 16 bits, with and without a
result that tells whether the texel was there, is compiled by `offgrid cc` and by llc-22 to the same instruction: its name, its
modifiers, how many registers of addresses and data. Those of dimensions that `offgrid run` makes images of are run and change or
yield the same; lint finds nothing. Resources and samplers that lanes differ in are run, too.

usage: cc_images.py --offgrid BUILD/offgrid [--processor gfx1100] [--only REGEX] [--every N] [--seed N] [--keep FOLDER]"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

LANES, WIDTH, HEIGHT, LAYERS = 64, 16, 8, 4
# Coordinates, derivatives in a direction, and what `offgrid run` makes of it.
DIMENSIONS = {"1d": (1, 1, f"{WIDTH}"), "2d": (2, 2, f"{WIDTH}x{HEIGHT}"), "3d": (3, 3, f"{WIDTH}x{HEIGHT}x{LAYERS}"), "cube": (3, 2, None),
              "1darray": (2, 1, f"{WIDTH}a{LAYERS}"), "2darray": (3, 2, f"{WIDTH}x{HEIGHT}a{LAYERS}"), "2dmsaa": (3, 2, None),
              "2darraymsaa": (4, 2, None)}
SAMPLES = ["", "c", "cl", "c.cl", "d", "c.d", "d.cl", "c.d.cl", "cd", "c.cd", "cd.cl", "l", "c.l", "b", "c.b", "b.cl", "c.b.cl", "lz", "c.lz"]
GATHERS = ["", "c", "cl", "c.cl", "l", "c.l", "b", "c.b", "b.cl", "c.b.cl", "lz", "c.lz"]
ATOMICS = ["swap", "add", "sub", "smin", "umin", "smax", "umax", "and", "or", "xor", "inc", "dec", "cmpswap", "fmin", "fmax", "add.flt",
           "min.flt", "max.flt", "pk.add.f16", "pk.add.bf16"]
BITS = {"float": 32, "i32": 32, "half": 16, "i16": 16, "i64": 64, "<2 x half>": 32, "<2 x bfloat>": 32}
MANGLED = {"half": "f16", "float": "f32", "bfloat": "bf16"}


def major(processor):
    return int(processor[3:-2], 10)


def mangle(kind):
    found = re.match(r"<(\d+) x (.*)>", kind)
    if kind[0] == "{":
        return "sl_" + "".join(mangle(k) for k in re.findall(r"<[^>]*>|\w+", kind)) + "s"
    return f"v{found[1]}{mangle(found[2])}" if found else MANGLED.get(kind, kind)


class Kernel:
    """One intrinsic: (type, value) of its arguments, what it yields, the image that it is run with."""

    def __init__(self, operation, dimension, result, data, address, mask, sampler=False, fails=0, image=None, mixed=False, auxiliary=0):
        self.name = f"{operation} {dimension} {result or ' '.join(data)} " + " ".join(k for k, _ in address)
        self.operation, self.dimension, self.result, self.data, self.address = operation, dimension, result, data, address
        self.mask, self.sampler, self.fails, self.image, self.mixed, self.auxiliary = mask, sampler, fails, image, mixed, auxiliary

    def text(self, symbol):
        lines = ["  %id = call i32 @llvm.amdgcn.workitem.id.x()", "  %at = mul i32 %id, 32", "  %place = getelementptr i8, ptr addrspace(1) %p, i32 %at",
                 "  %x = and i32 %id, 15", "  %y = lshr i32 %id, 4", "  %z = and i32 %y, 3"]
        which = "%image"
        if self.mixed:
            lines += ["  %bit = and i32 %id, 1", "  %odd = icmp eq i32 %bit, 0",
                      "  %image2 = select i1 %odd, ptr addrspace(4) %image, ptr addrspace(4) %other"]
            which = "%image2"
        lines.append(f"  %r = load <8 x i32>, ptr addrspace(4) {which}, align 16")
        if self.sampler:
            lines.append("  %s = load <4 x i32>, ptr addrspace(4) %sampler, align 16")
        arguments = []
        for index, kind in enumerate(self.data):
            lines.append(f"  %d{index} = load {kind}, ptr addrspace(1) %place, align 4")
            arguments.append(f"{kind} %d{index}")
        if self.mask is not None:
            arguments.append(f"i32 {self.mask}")
        for index, (kind, what) in enumerate(self.address):
            arguments.append(f"{kind} {self.value(lines, index, kind, what)}")
        arguments.append("<8 x i32> %r")
        if self.sampler:
            arguments += ["<4 x i32> %s", "i1 false"]
        arguments += [f"i32 {self.fails}", f"i32 {self.auxiliary}"]
        result = self.result or "void"
        self.full = f"llvm.amdgcn.image.{self.operation}.{self.dimension}." + mangle(self.result or self.data[0]) + ".t"
        self.declaration = f"declare {result} @{self.full}({', '.join(a.rsplit(' ', 1)[0] for a in arguments)})"
        lines.append(f"  {'%v = ' if self.result else ''}call {result} @{self.full}({', '.join(arguments)})")
        if self.result and self.result[0] == "{":
            inner = re.match(r"\{ (.*), i32 \}", self.result)[1]
            lines += [f"  %t = extractvalue {result} %v, 0", f"  %e = extractvalue {result} %v, 1",
                      f"  store {inner} %t, ptr addrspace(1) %place, align 4",
                      "  %ep = getelementptr i8, ptr addrspace(1) %place, i32 16", "  store i32 %e, ptr addrspace(1) %ep"]
        elif self.result:
            lines.append(f"  store {self.result} %v, ptr addrspace(1) %place, align 4")
        parameters = "ptr addrspace(4) %image, ptr addrspace(4) %other, ptr addrspace(4) %sampler, ptr addrspace(1) %p"
        return "\n".join([f"define amdgpu_kernel void @{symbol}({parameters}) #0 {{", *lines, "  ret void", "}"])

    @staticmethod
    def value(lines, index, kind, what):
        """A part of the address from the lane's number."""
        if what in ("offset", "zero"):
            return "0" if kind[0] == "i" else "0.0"
        source = {"x": "%x", "y": "%y", "z": "%z"}.get(what, "%z")
        if kind == "i32":
            return source
        if kind == "i16":
            lines.append(f"  %a{index} = trunc i32 {source} to i16")
        else:
            lines += [f"  %u{index} = uitofp i32 {source} to {kind}",
                      f"  %a{index} = fmul {kind} %u{index}, {'0.0625' if what in 'xyz' else '0.125'}"]
        return f"%a{index}"


def coordinates(dimension, kind):
    return [(kind, what) for what in ["x", "y", "z", "zero"][:DIMENSIONS[dimension][0]]] if "msaa" not in dimension else \
        [(kind, what) for what in ["x", "y", "zero", "zero"][:DIMENSIONS[dimension][0]]]


def sampled(words, dimension, kind, slope, offset):
    """The address of a sample whose name has those words."""
    out = [("i32", "offset")] if offset else []
    out += [(kind, "bias")] if "b" in words else []
    out += [("float", "compare")] if "c" in words else []
    if "d" in words or "cd" in words:
        out += [(slope, "slope")] * (2 * DIMENSIONS[dimension][1])
    out += coordinates(dimension, kind)
    return out + ([(kind, "zero")] if "l" in words or "cl" in words else [])


def table(processor, rng):
    halves = major(processor) > 7
    shorts = major(processor) > 8
    texels = [("float", 15, "<4 x float>"), ("float", 1, "float"), ("float", 6, "<2 x float>"), ("float", 7, "<3 x float>")]
    texels += [("half", 15, "<4 x half>"), ("half", 2, "half"), ("half", 5, "<2 x half>"), ("half", 7, "<3 x half>")] if halves else []
    for dimension in DIMENSIONS:
        size = DIMENSIONS[dimension][2]
        image = size and f"rgba16f:{size}"
        for kind in ("i32", "i16") if shorts else ("i32",):
            address = coordinates(dimension, kind)
            for _, mask, texel in texels:
                fails = rng.choice([0, 0, 1, 3])
                result = f"{{ {texel}, i32 }}" if fails else texel
                yield Kernel("load", dimension, result, [], address, mask, fails=fails, image=image, auxiliary=rng.choice([0, 0, 1, 2]))
                yield Kernel("store", dimension, None, [texel], address, mask, image=image)
            if "msaa" not in dimension:
                yield Kernel("load.mip", dimension, "<4 x float>", [], address + [(kind, "zero")], 15, image=image)
                yield Kernel("store.mip", dimension, None, ["<4 x float>"], address + [(kind, "zero")], 15, image=image)
            yield Kernel("getresinfo", dimension, "<4 x float>", [], [(kind, "zero")], 15, image=image)
            for name in ATOMICS:
                if name in ("fmin", "fmax") and major(processor) in (8, 9):
                    continue  # has none, though llc-22 writes some
                for data in {"pk.add.f16": ["<2 x half>"], "pk.add.bf16": ["<2 x bfloat>"]}.get(name, ["float"] if "f" in name else ["i32", "i64"]):
                    wanted = size and "i" in data and f"r32ui:{size}" if data == "i32" else None
                    yield Kernel("atomic." + name, dimension, data, [data] * (2 if name == "cmpswap" else 1), address, None, image=wanted)
        if "msaa" in dimension:
            yield Kernel("msaa.load", dimension, "<4 x float>", [], coordinates(dimension, "i32"), 1)
            continue
        for kind, slope in [("float", "float")] + ([("half", "half"), ("float", "half")] if shorts else []):
            for words in SAMPLES:
                if "cd" in words.split(".") and major(processor) > 10:
                    continue  # has none of these; llc-22 never ends
                for offset in (False, True):
                    address = sampled(words.split("."), dimension, kind, slope, offset)
                    texel = rng.choice(texels)
                    if slope != kind and "d" not in words:
                        continue
                    name = ".".join(["sample"] + [w for w in words.split(".") if w] + ["o"] * offset)
                    yield Kernel(name, dimension, texel[2], [], address, texel[1], True, image=image)
            if dimension in ("2d", "cube", "2darray") and slope == kind:
                for words in GATHERS:
                    name = ".".join(["gather4"] + [w for w in words.split(".") if w])
                    texel = "<4 x half>" if rng.random() < 0.3 and halves else "<4 x float>"
                    yield Kernel(name, dimension, texel, [], sampled(words.split("."), dimension, kind, slope, False), rng.choice([1, 2, 8]), True, image=image)
            if slope == kind:
                yield Kernel("getlod", dimension, "<2 x float>", [], coordinates(dimension, kind), 3, True, image=image)
    for operation, sampler in (("load", False), ("sample", True)):
        kind = "float" if sampler else "i32"
        yield Kernel(operation, "2d", "<4 x float>", [], coordinates("2d", kind), 15, sampler, image=f"rgba16f:{WIDTH}x{HEIGHT}", mixed=True)
    yield Kernel("store", "2d", None, ["<4 x float>"], coordinates("2d", "i32"), 15, image=f"rgba16f:{WIDTH}x{HEIGHT}", mixed=True)


def run_llc(*command):
    """It never ends on some that it has no instruction for."""
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=40)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", "error: does not end")


def run_command(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)


def compile_both(options, kernels, base):
    bodies = "\n".join(k.text(f"k{i}") for i, k in enumerate(kernels))
    declarations = {"declare i32 @llvm.amdgcn.workitem.id.x()"} | {k.declaration for k in kernels}
    text = "\n".join(['target triple = "amdgcn-amd-amdhsa"', bodies, *sorted(declarations),
                      f'attributes #0 = {{ "amdgpu-flat-work-group-size"="{LANES},{LANES}" }}']) + "\n"
    with open(base + ".ll", "w", encoding="utf-8") as file:
        file.write(remangle(text))
    llc = run_llc("llc-22", "-O1", f"-mcpu={options.processor}", "-filetype=obj", base + ".ll", "-o", base + ".o")
    if llc.returncode == 0:
        subprocess.run(["ld.lld-22", "-shared", base + ".o", "-o", base + ".llc"], check=True)
    ours = run_command(options.offgrid, "cc", f"-mcpu={options.processor}", base + ".ll", "-o", base + ".cc")
    told = [line for line in llc.stderr.splitlines() if "error" in line.lower() or "cannot" in line.lower()] or ["failed"]
    return told[0] if llc.returncode else None, (ours.stderr.strip().splitlines() or ["?"])[0] if ours.returncode else None


def remangle(text):
    """LLVM renames overloaded intrinsics to their true names; ours end in `.t`, one for each list of types."""
    names = {}
    for line in re.findall(r"^declare .*$", text, re.M):
        found = re.match(r"declare (.*) @(llvm\.amdgcn\.image\.\S+)\.t\((.*)\)", line)
        if found:
            names.setdefault(found[2], []).append(line)
    for stem, lines in names.items():
        for line in lines:
            result, types = re.match(r"declare (.*?) @llvm\S+?\.t\((.*)\)", line).groups()
            given = [t for t in types.split(", ")]
            text = text.replace(line, line.replace(stem + ".t", true_name(stem, result, given)))
    for call in set(re.findall(r"call .* @llvm\.amdgcn\.image\.\S+\.t\(.*\)", text)):
        result, stem, arguments = re.match(r"call (.*?) @(llvm\.amdgcn\.image\.\S+)\.t\((.*)\)", call).groups()
        given = [a.rsplit(" ", 1)[0] for a in arguments.split(", ")]
        text = text.replace(call, call.replace(stem + ".t", true_name(stem, result, given)))
    return text


def true_name(stem, result, given):
    """Types of the address that an overload has: bias, a derivative, a coordinate; then the resource and sampler."""
    address = given[:given.index("<8 x i32>")]
    operation = stem[len("llvm.amdgcn.image."):].split(".")
    out = [stem]
    words = operation
    if operation[0] in ("sample", "gather4"):
        rest = address[1:]
        if "o" in words:
            rest = rest[1:]
        if "b" in words:
            out.append(mangle(rest[0]))
            rest = rest[1:]
        if "c" in words:
            rest = rest[1:]
        if "d" in words or "cd" in words:
            out.append(mangle(rest[0]))
        out.append(mangle(rest[-1]))
    else:
        out.append(mangle(address[-1]))
    return ".".join(out + ["v8i32"] + (["v4i32"] if "<4 x i32>" in given[len(address):] else []))


def instructions(options, code):
    out, name = {}, ""
    for line in subprocess.run([options.offgrid, "dis", code], capture_output=True, text=True, check=True).stdout.splitlines():
        found = re.match(r"(k\d+):", line)
        name = found[1] if found else name
        found = re.match(r"\s*(image_\w+)\s+(.*?)(?:\s*//.*)?$", line)
        if not found:
            continue
        registers = re.findall(r"\[v[^\]]*\]\]?|v\[\d+:\d+\]|v\d+|off", re.sub(r"s\[[^\]]*\]", "", found[2]))
        words = re.findall(r"[a-z_]\w*:\S+|\b(?:unorm|a16|d16|tfe|lwe|da|glc|slc|dlc|r128|nt|sc0)\b", found[2])
        sizes = [sum(int(b) - int(a) + 1 for a, b in re.findall(r"v\[(\d+):(\d+)\]", r)) + len(re.findall(r"v\d+", r)) for r in registers]
        if major(options.processor) < 10:
            sizes = sizes[:1]  # the bits do not tell how many
        out.setdefault(name, []).append(f"{found[1]} {sizes} " + " ".join(sorted(words)))
    return out


def run(options, code, kernel, number, folder, rng):
    form, size = kernel.image.split(":")
    count = WIDTH * (HEIGHT if "x" in size else 1) * (LAYERS if size.count("x") == 2 or "a" in size else 1)
    paths = []
    for index in range(3):
        paths.append(os.path.join(folder, f"{index}.bin"))
        with open(paths[-1], "wb") as file:
            data = bytearray(rng.randbytes(count * (8 if form == "rgba16f" else 4) if index < 2 else 32 * LANES))
            data[1::2] = bytes(b & 0x3b for b in data[1::2])
            file.write(data)
    arguments = [f"image:{form}:{size}:inout:{paths[0]}", f"image:{form}:{size}:inout:{paths[1]}", "sampler:linear,edge,normalized",
                 f"inout:{paths[2]}"]
    done = run_command(options.offgrid, "run", code, "--kernel", f"k{number}", "--grid", str(LANES), "--group", str(LANES), "--timeout", "20",
                       *[word for a in arguments for word in ("--arg", a)])
    if done.returncode:
        return "not run: " + (done.stderr or done.stdout)[:200].replace("\n", " ")
    return [open(path, "rb").read() for path in paths]


def compare(options, kernels, base, folder, rng):
    failed = []
    theirs, ours = instructions(options, base + ".llc"), instructions(options, base + ".cc")
    lint = run_command(options.offgrid, "lint", "--waits", base + ".cc")
    if lint.returncode:
        failed.append(("lint", lint.stdout[:300]))
    for number, kernel in enumerate(kernels):
        mine, other = ours.get(f"k{number}", []), theirs.get(f"k{number}", [])
        if mine != other:
            failed.append((kernel.name, f"{mine}, by llc {other}"))
        elif kernel.image:
            state = rng.getstate()
            results = []
            for end in (".llc", ".cc"):
                rng.setstate(state)
                results.append(run(options, base + end, kernel, number, folder, rng))
            if isinstance(results[0], str) != isinstance(results[1], str) or (not isinstance(results[0], str) and results[0] != results[1]):
                said = [r if isinstance(r, str) else "ran" for r in results]
                failed.append((kernel.name, f"run differently: llc's {said[0]}, ours {said[1]}"))
            elif isinstance(results[0], str):
                options.not_run[re.sub(r"0x\w+|\d+", "N", results[0])[-70:]] = kernel.name
    return failed


def check(options, kernels, base, folder, rng):
    theirs, ours = compile_both(options, kernels, base)
    if not theirs and not ours:
        return compare(options, kernels, base, folder, rng), len(kernels), [], 0
    if len(kernels) > 1:
        failed, count, more, both = [], 0, [], 0
        middle = len(kernels) // 2
        for end, part in (("a", kernels[:middle]), ("b", kernels[middle:])):
            some = check(options, part, base + end, folder, rng)
            failed, count, more, both = failed + some[0], count + some[1], more + some[2], both + some[3]
        return failed, count, more, both
    if theirs and ours:
        return [], 0, [], 1
    return ([], 0, [(kernels[0].name, theirs)], 0) if theirs else ([(kernels[0].name, "refused: " + ours)], 0, [], 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx1100")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--every", type=int, default=1, help="each so manieth kernel alone")
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-22", "ld.lld-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    print("seed", options.seed)
    rng = random.Random(options.seed)
    options.not_run = {}
    kernels = [k for n, k in enumerate(table(options.processor, rng)) if n % options.every == 0 and re.search(options.only, k.name)]
    failed, count, more, both = [], 0, [], 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for at in range(0, len(kernels), 16):
            some = check(options, kernels[at:at + 16], os.path.join(folder, f"m{at}"), folder, rng)
            failed, count, more, both = failed + some[0], count + some[1], more + some[2], both + some[3]
    for name, error in failed:
        print(f"{options.processor} {name}: {error}")
    print(f"{options.processor}: {count} kernels compared, {len(failed)} failed; {both} refused by both, {len(more)} by llc-22 alone")
    for name, error in more[:6]:
        print(f"  not by llc-22: {name}: {error[:100]}")
    for error, name in sorted(options.not_run.items()):
        print(f"  not run: {name}: {error}")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
