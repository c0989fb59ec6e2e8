#!/usr/bin/env python3
"""Asynchronous operations and transfers to LDS as `offgrid cc` compiles them:

- values: what they move, against a formula and against llc-22's code where it has the intrinsic; `lint`, `lint --waits` and
  `check` find nothing;
- the examples of "AMDGPU Asynchronous Operations" and their kin: the waits that each wait.asyncmark becomes, as worked out
  by hand from the document;
- random programs over branches and loops (async_programs.py): on each path `check` finds every operation ended that the
  model of the document says has ended; in straight-line code no wait is longer than that takes;
- waits taken out of the code, one at a time: `check` finds what then is read too early.

usage: cc_async.py --offgrid BUILD/offgrid [--programs N] [--every N] [--seed S] [--processors LIST] [--keep FOLDER]"""
import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import async_programs as model

LANES = model.LANES
PROCESSORS = "gfx900,gfx90a,gfx942,gfx950,gfx1250"


def word(n):
    return n * 2654435761 + 12345 & 0xffffffff


INPUT = b"".join(word(n).to_bytes(4, "little") for n in range(64 * LANES))


def options_of(processor):
    """A wave has all lanes: what LDS gets at M0 is by waves."""
    return [f"-mcpu={processor}"] + ["-mattr=+wavefrontsize64"] * processor.startswith("gfx10")


def shares(processor):
    """Whether stores raise the counter of transfers, too."""
    return processor.startswith("gfx9")


class Tool:
    def __init__(self, options, folder):
        self.offgrid, self.folder = options.offgrid, folder
        with open(self.path("in"), "wb") as file:
            file.write(INPUT)

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, *arguments):
        return subprocess.run([self.offgrid, *arguments], capture_output=True, text=True, errors="replace", check=False)

    def compile(self, name, processor, text, command="cc"):
        """The path of the code, or an error."""
        with open(self.path(name + ".ll"), "w", encoding="utf-8") as file:
            file.write(text)
        code = self.path(name + (".s" if command == "llc" else ".co"))
        done = self.call(command, *options_of(processor), self.path(name + ".ll"), "-o", code)
        return (code, None) if done.returncode == 0 and not done.stderr else (None, f"not compiled: {done.stderr[:300]}")

    def assemble(self, processor, path, text=None):
        """The object of an assembly."""
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        done = self.call("as", *options_of(processor), path, "-o", path + ".o")
        if done.returncode:
            raise ValueError(done.stderr)
        return path + ".o"

    def lint(self, code):
        for option in ([], ["--waits"]):
            done = self.call("lint", *option, code)
            if done.returncode or done.stderr:
                return f"lint {' '.join(option)}: {done.stderr[:400]}"
        return None

    def run(self, code, size, arguments=(), command="check", extra=()):
        """(output, error)"""
        out = f"{code}.{random.random()}.out"
        with open(out, "wb") as file:
            file.write(bytes(size))
        done = self.call(command, code, "--kernel", "k", "--grid", str(LANES), "--group", str(LANES), "--timeout", "20", "--arg",
                         f"in:{self.path('in')}", "--arg", f"inout:{out}", *extra, *(x for a in arguments for x in ("--arg", f"u32:{a}")))
        with open(out, "rb") as file:
            data = file.read()
        os.remove(out)
        return data, None if done.returncode == 0 and not done.stderr else f"{command}: {(done.stderr or done.stdout)[:500]}"


# ---- values --------------------------------------------------------------------------------------------------------------------

DECLARE = """target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global [4096 x i32] poison, align 16
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.wait.asyncmark(i16)
declare void @llvm.amdgcn.s.wait.asynccnt(i16)
declare void @llvm.amdgcn.s.wait.tensorcnt(i16)
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
"""
KERNEL = """define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {{
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %offset = shl i32 %lane, 2
  %from = getelementptr i8, ptr addrspace(1) %in, i32 %offset
  %to = getelementptr i8, ptr addrspace(1) %out, i32 %offset
  %at = getelementptr i8, ptr addrspace(3) @lds, i32 %offset
{body}
  ret void
}}
attributes #0 = {{ "amdgpu-flat-work-group-size"="64,64" }}
"""


def bytes_of(start, size):
    return INPUT[start:start + size]


def global_call(name, size, offset, auxiliary=0):
    return (f"  call void @llvm.amdgcn.{name}(ptr addrspace(1) %from, ptr addrspace(3) @lds, i32 {size}, i32 {offset}, i32 {auxiliary})",
            f"declare void @llvm.amdgcn.{name}(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)")


def fat_call(size, offset, asynchronous):
    """By a pointer of 160 bits."""
    name = f"llvm.amdgcn.load{'.async' * asynchronous}.to.lds.p7"
    made = "llvm.amdgcn.make.buffer.rsrc.p7.p1"
    return (f"  %fat = call ptr addrspace(7) @{made}(ptr addrspace(1) %in, i16 0, i64 16384, i32 159744)\n"
            "  %there = getelementptr i8, ptr addrspace(7) %fat, i32 %offset\n  %next = getelementptr i8, ptr addrspace(7) %there, i32 20\n"
            f"  call void @{name}(ptr addrspace(7) %next, ptr addrspace(3) @lds, i32 {size}, i32 {offset}, i32 0)",
            f"declare void @{name}(ptr addrspace(7), ptr addrspace(3), i32, i32, i32)\ndeclare ptr addrspace(7) @{made}(ptr addrspace(1), i16, i64, i32)")


def buffer_call(kind, size, offset, asynchronous):
    name = f"llvm.amdgcn.{kind}.buffer.load{'.async' if asynchronous else ''}.lds"
    rsrc = "ptr addrspace(8)" if "ptr" in kind else "<4 x i32>"
    index, index_type = ("i32 %lane, i32 4", "i32, i32") if "struct" in kind else ("i32 %offset", "i32")
    stride = 4 if "struct" in kind else 0
    records = 4096 if stride else 16384
    setup = [f"  %r8 = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 {stride}, i64 {records}, i32 159744)"]
    value = "%r8"
    if "ptr" not in kind:
        setup += ["  %r1 = ptrtoint ptr addrspace(8) %r8 to i128", "  %r4 = bitcast i128 %r1 to <4 x i32>"]
        value = "%r4"
    setup.append(f"  call void @{name}({rsrc} {value}, ptr addrspace(3) @lds, i32 {size}, {index}, i32 8, i32 {offset}, i32 0)")
    return "\n".join(setup), f"declare void @{name}({rsrc}, ptr addrspace(3), i32, {index_type}, i32, i32, i32)"


def read_back(offset, size, mark):
    """After a transfer lane n's bytes stand behind the instruction's offset at n times its size, a dword at least, and 16 bytes
    where it is 12."""
    step, lines = 16 if size == 12 else max(size, 4), []
    if mark:
        lines += ["  call void @llvm.amdgcn.asyncmark()", "  call void @llvm.amdgcn.wait.asyncmark(i16 0)"]
    lines += [f"  %step = mul i32 %lane, {step}", f"  %base = getelementptr i8, ptr addrspace(3) @lds, i32 {offset}",
              "  %place = getelementptr i8, ptr addrspace(3) %base, i32 %step"]
    part = min(size, 4)
    for k in range(max(1, size // 4)):
        lines += [f"  %p{k} = getelementptr i8, ptr addrspace(3) %place, i32 {4 * k}", f"  %v{k} = load i{8 * part}, ptr addrspace(3) %p{k}, align {part}",
                  f"  %z{k} = " + (f"zext i{8 * part} %v{k} to i32" if part < 4 else f"add i32 %v{k}, 0"),
                  f"  %o{k} = getelementptr i8, ptr addrspace(1) %to, i32 {256 * k}", f"  store i32 %z{k}, ptr addrspace(1) %o{k}"]
    return "\n".join(lines)


def transfers(processor):
    """(name, IR, expected words of the output, whether llc-22 has it) of loads to LDS."""
    sizes = [1, 2, 4] + ([12, 16] if processor == "gfx950" else [])
    for size in sizes:
        expected = shifted(size, 0)
        by_pointer = not re.match("gfx[678]", processor)
        for name, mark in by_pointer * (("global.load.lds", False), ("load.to.lds.p1", False), ("global.load.async.lds", True), ("load.async.to.lds.p1", True)):
            call, declaration = global_call(name, size, 0, {"gfx900": 3}.get(processor, 1))
            yield f"{name}.{size}", call + "\n" + read_back(0, size, mark), declaration, expected, not mark
        call, declaration = global_call("global.load.lds", size, 16)
        if by_pointer:
            yield (f"global.load.lds.{size}.offset", call + "\n" + read_back(16, size, False), declaration,
                   shifted(size, 16), True)
        for mark in (False, True):
            call, declaration = fat_call(size, 12, mark)
            yield f"load.to.lds.p7.{size}{'.async' * mark}", call + "\n" + read_back(12, size, mark), declaration, shifted(size, 32), not mark
        for kind in ("raw", "raw.ptr", "struct", "struct.ptr")[:2 if processor.startswith("gfx10") else 4]:  # its resources are others
            for mark in (False, True):
                call, declaration = buffer_call(kind, size, 12, mark)
                yield (f"{kind}.buffer.load.lds.{size}{'.async' * mark}", call + "\n" + read_back(12, size, mark), declaration,
                       shifted(size, 12 + 8 + (4 if "struct" in kind else 0)), not mark)


def shifted(size, start):
    return [int.from_bytes(bytes_of(4 * lane + start + 4 * k, min(size, 4)), "little")
            for k in range(max(1, size // 4)) for lane in range(LANES)]


WAITS = {"mark": "  call void @llvm.amdgcn.asyncmark()\n  call void @llvm.amdgcn.wait.asyncmark(i16 0)",
         "count": "  call void @llvm.amdgcn.s.wait.asynccnt(i16 0)"}


def newer():
    """gfx12.5's loads to LDS and stores from it, loads for a cluster."""
    for bits in (8, 32, 64, 128):
        size = bits // 8
        kind = {8: "i8", 32: "i32", 64: "<2 x i32>", 128: "<4 x i32>"}[bits]
        wide = f"  %step = mul i32 %lane, {max(size, 4)}\n"
        for space, more, types in (("global", "", ""), ("cluster", ", i32 0", ", i32")):
            for how, wait in WAITS.items():
                name = f"llvm.amdgcn.{space}.load.async.to.lds.b{bits}"
                body = wide + ("  %source = getelementptr i8, ptr addrspace(1) %in, i32 %step\n"
                               "  %place = getelementptr i8, ptr addrspace(3) @lds, i32 %step\n"
                               "  %shifted = getelementptr i8, ptr addrspace(3) %place, i32 16\n"
                               f"  call void @{name}(ptr addrspace(1) %source, ptr addrspace(3) %place, i32 16, i32 0{more})\n{wait}\n"
                               f"  %v = load {kind}, ptr addrspace(3) %shifted, align {size}\n"
                               "  %o = getelementptr i8, ptr addrspace(1) %out, i32 %step\n") + (
                    "  %z = zext i8 %v to i32\n  store i32 %z, ptr addrspace(1) %o" if bits == 8 else
                    f"  store {kind} %v, ptr addrspace(1) %o")
                expected = [int.from_bytes(bytes_of(max(size, 4) * lane + 16 + 4 * k, min(size, 4)), "little")
                            for lane in range(LANES) for k in range(max(1, size // 4))]
                yield (f"{space}.load.async.to.lds.b{bits}.{how}", body,
                       f"declare void @{name}(ptr addrspace(1), ptr addrspace(3), i32, i32{types})", expected, how == "count")
        name = f"llvm.amdgcn.global.store.async.from.lds.b{bits}"
        parts = max(1, size // 4)
        body = wide + "".join(f"  %w{k} = getelementptr i8, ptr addrspace(1) %in, i32 %step\n  %x{k} = getelementptr i8, ptr addrspace(1) %w{k}, i32 {4 * k}\n"
                              f"  %d{k} = load i32, ptr addrspace(1) %x{k}\n  %y{k} = getelementptr i8, ptr addrspace(3) @lds, i32 %step\n"
                              f"  %s{k} = getelementptr i8, ptr addrspace(3) %y{k}, i32 {4 * k}\n  store i32 %d{k}, ptr addrspace(3) %s{k}\n"
                              for k in range(parts))
        body += (f"  %o = getelementptr i8, ptr addrspace(1) %out, i32 %step\n"
                 f"  call void @{name}(ptr addrspace(1) %o, ptr addrspace(3) %y0, i32 0, i32 0)\n" + WAITS["mark"])
        expected = [int.from_bytes(bytes_of(max(size, 4) * lane + 4 * k, min(size, 4)), "little")
                    for lane in range(LANES) for k in range(parts)]
        yield f"global.store.async.from.lds.b{bits}", body, f"declare void @{name}(ptr addrspace(1), ptr addrspace(3), i32, i32)", expected, False


def tensors():
    """A tile of 8 rows of 16 dwords out of rows of 32, to LDS and back to rows of 16, by both forms of the descriptor."""
    expected = [word(32 * row + column) for row in range(8) for column in range(16)]
    groups = ", <4 x i32> zeroinitializer, <4 x i32> zeroinitializer"
    for form, more, types in ((".d2", "", ""), ("", groups, ", <4 x i32>, <4 x i32>"),
                              ("", groups + ", <8 x i32> zeroinitializer", ", <4 x i32>, <4 x i32>, <8 x i32>")):
        name = "tensor.load.to.lds" + form
        store = "tensor.store.from.lds" + form

        def group(which, pointer, stride):
            return (f"  %a{which} = ptrtoint ptr addrspace(1) {pointer} to i64\n  %l{which} = trunc i64 %a{which} to i32\n"
                    f"  %h{which} = lshr i64 %a{which}, 32\n  %u{which} = trunc i64 %h{which} to i32\n  %t{which} = or i32 %u{which}, -2147483648\n"
                    f"  %lds{which} = ptrtoint ptr addrspace(3) @lds to i32\n"
                    f"  %g{which}0 = insertelement <4 x i32> <i32 1, i32 0, i32 0, i32 0>, i32 %lds{which}, i32 1\n"
                    f"  %g{which}1 = insertelement <4 x i32> %g{which}0, i32 %l{which}, i32 2\n"
                    f"  %g{which}2 = insertelement <4 x i32> %g{which}1, i32 %t{which}, i32 3\n"
                    # elements of 4 bytes; the tensor: 32 by 8; the tile: 16 by 8; the stride
                    f"  %d{which} = insertelement <8 x i32> <i32 131072, i32 2097152, i32 524288, i32 1048576, i32 8, i32 {stride}, i32 0, i32 0>, "
                    f"i32 131072, i32 0\n")
        one = "  %first = icmp ult i32 %lane, 32\n  br i1 %first, label %move, label %end\nmove:\n"
        body = (one + group(0, "%in", 32) + group(1, "%out", 16) +
                f"  call void @llvm.amdgcn.{name}(<4 x i32> %g02, <8 x i32> %d0{more}, i32 0)\n"
                "  call void @llvm.amdgcn.asyncmark()\n  call void @llvm.amdgcn.wait.asyncmark(i16 0)\n"
                f"  call void @llvm.amdgcn.{store}(<4 x i32> %g12, <8 x i32> %d1{more}, i32 0)\n"
                "  call void @llvm.amdgcn.s.wait.tensorcnt(i16 0)\n  br label %end\nend:")
        declaration = "".join(f"declare void @llvm.amdgcn.{n}(<4 x i32>, <8 x i32>{types}, i32)\n" for n in (name, store))
        yield f"{name}.{types.count('x')}", body, declaration, expected, False


def transposing(processor):
    """Loads of which lanes get parts of one another's, against llc-22's code."""
    table = {"gfx950": [("ds.read.tr4.b64", "<2 x i32>"), ("ds.read.tr8.b64", "<2 x i32>"), ("ds.read.tr6.b96", "<3 x i32>"), ("ds.read.tr16.b64", "<4 x i16>")],
             "gfx1250": [("ds.load.tr4.b64", "<2 x i32>"), ("ds.load.tr8.b64", "<2 x i32>"), ("ds.load.tr6.b96", "<3 x i32>"), ("ds.load.tr16.b128", "<8 x i16>"),
                         ("global.load.tr.b64", "<2 x i32>"), ("global.load.tr.b128", "<8 x i16>"), ("global.load.tr4.b64", "<2 x i32>"),
                         ("global.load.tr6.b96", "<3 x i32>")],
             "gfx1200": [("global.load.tr.b64", "<2 x i32>"), ("global.load.tr.b128", "<8 x i16>")]}
    for name, kind in table.get(processor, []):
        count = 16 if "16" in kind else 32
        mangled = f"llvm.amdgcn.{name}.v{kind[1]}i{count}"
        fill = ("  %step = mul i32 %lane, 16\n" + "".join(
            f"  %w{k} = getelementptr i8, ptr addrspace(1) %in, i32 %step\n  %x{k} = getelementptr i8, ptr addrspace(1) %w{k}, i32 {4 * k}\n"
            f"  %d{k} = load i32, ptr addrspace(1) %x{k}\n  %y{k} = getelementptr i8, ptr addrspace(3) @lds, i32 %step\n"
            f"  %s{k} = getelementptr i8, ptr addrspace(3) %y{k}, i32 {4 * k}\n  store i32 %d{k}, ptr addrspace(3) %s{k}\n" for k in range(4)))
        pointer = "ptr addrspace(3) %y0" if name.startswith("ds") else "ptr addrspace(1) %w0"
        body = (fill + f"  %v = call {kind} @{mangled}({pointer})\n  %o = getelementptr i8, ptr addrspace(1) %out, i32 %step\n"
                f"  store {kind} %v, ptr addrspace(1) %o, align 4")
        yield name, body, f"declare {kind} @{mangled}({pointer.split(' %')[0]})", None, True


def others():
    """Loads and stores of gfx12.5 that are plain but for whom they are for, by global and by flat addresses."""
    kinds = [("cluster.load.b{}", "cluster", ", i32 0, i32 0", False), ("cooperative.atomic.load.{}", "cooperative", ", i32 2, metadata !0", False),
             ("cooperative.atomic.load.{}", "cooperative", ", i32 5, metadata !0", True), ("av.load.b128", "av", ", metadata !0", False),
             ("av.load.b128", "av", ", metadata !0", True)]
    for space, flat in ("global", False), ("flat", True):
        kinds += [(space + ".load.monitor.b{}", "counted", ", i32 0", flat), (space + ".load.monitor.b{}", "ordered", ", i32 0, metadata !0", flat)]
    for name, kind, more, flat in kinds:
        for bits, cooperative in ((32, "32x4B"), (64, "16x8B"), (128, "8x16B")):
            if kind == "av" and bits != 128:
                continue
            value = {32: "i32", 64: "<2 x i32>", 128: "<4 x i32>"}[bits]
            pointer = "ptr" if flat else "ptr addrspace(1)"
            types = (".p0" if flat else ".p1") if kind in ("cooperative", "av") else "." + {32: "i32", 64: "v2i32", 128: "v4i32"}[bits]
            full = "llvm.amdgcn." + name.format(cooperative if kind == "cooperative" else bits) + types
            plain = re.sub(r"i32 \d", "i32", more.replace("metadata !0", "metadata"))
            body = (f"  %step = mul i32 %lane, {bits // 8}\n  %w = getelementptr i8, ptr addrspace(1) %in, i32 %step\n"
                    f"  %x = getelementptr i8, ptr addrspace(1) %w, i32 32\n  %o = getelementptr i8, ptr addrspace(1) %out, i32 %step\n")
            if flat:
                body += "".join(f"  %f{v} = addrspacecast ptr addrspace(1) %{v} to ptr\n" for v in "xo")
            body += f"  %v = call {value} @{full}({pointer} %{'f' * flat}x{more})\n"
            declaration = f"declare {value} @{full}({pointer}{plain})\n!0 = !{{!\"workgroup\"}}\n"
            if kind in ("cooperative", "av"):
                store = full.replace(".load.", ".store.")
                body += f"  call void @{store}({pointer} %{'f' * flat}o, {value} %v{more.replace('i32 2', 'i32 3')})"
                declaration += f"declare void @{store}({pointer}, {value}{plain})\n"
            else:
                body += f"  store {value} %v, ptr addrspace(1) %o"
            yield (f"{name.format(bits)}.{kind}{'.flat' * flat}", body, declaration,
                   [word(n + 8) for n in range(LANES * bits // 32)], kind in ("cluster", "cooperative"))


def ordered():
    """gfx12's addition in order: a lane whose turn, the low half, it is adds to the high half, and the next one's turn comes."""
    body = """  %x = getelementptr i64, ptr addrspace(1) %out, i32 %lane
  %odd = and i32 %lane, 1
  %wide = zext i32 %odd to i64
  %turn = add i64 %wide, 6
  %much = shl i64 %turn, 36
  %data = or i64 %much, %turn
  store i64 7, ptr addrspace(1) %x
  %old = call i64 @llvm.amdgcn.global.atomic.ordered.add.b64(ptr addrspace(1) %x, i64 %data)
  %y = getelementptr i8, ptr addrspace(1) %x, i32 512
  store i64 %old, ptr addrspace(1) %y"""
    expected = [7, 0, 8, 7 << 4] * (LANES // 2) + [7, 0] * LANES
    yield "global.atomic.ordered.add.b64", body, "declare i64 @llvm.amdgcn.global.atomic.ordered.add.b64(ptr addrspace(1), i64)", expected, True


def arrivals():
    """A barrier in LDS, where lanes arrive behind what they load: of 100 that it waits for 36 are left."""
    for name, call in (("async", "call void @llvm.amdgcn.ds.atomic.async.barrier.arrive.b64(ptr addrspace(3) %b)"),
                       ("rtn", "%old = call i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3) %b, i64 1)")):
        body = f"""  %b = getelementptr i8, ptr addrspace(3) @lds, i32 8192
  %one = icmp eq i32 %lane, 0
  br i1 %one, label %begin, label %go
begin:
  store i64 100, ptr addrspace(3) %b
  br label %go
go:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %from, ptr addrspace(3) %at, i32 0, i32 0)
  {call}
  call void @llvm.amdgcn.s.wait.asynccnt(i16 0)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %state = load i32, ptr addrspace(3) %b
  %v = load i32, ptr addrspace(3) %at
  %both = add i32 %state, %v
  store i32 %both, ptr addrspace(1) %to"""
        declaration = """declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.ds.atomic.async.barrier.arrive.b64(ptr addrspace(3))
declare i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3), i64)
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)"""
        yield f"barrier.arrive.{name}", body, declaration, [word(n) + 36 & 0xffffffff for n in range(LANES)], True


def cases(processor):
    if processor == "gfx1250":
        yield from newer()
        yield from tensors()
        yield from others()
        yield from arrivals()
    elif processor == "gfx1200":
        yield from ordered()
    else:
        yield from transfers(processor)
    yield from transposing(processor)


def llc_output(tool, name, processor, size):
    base = tool.path(name)
    done = subprocess.run(["llc-22", "-O1", *options_of(processor), "-filetype=obj", base + ".ll", "-o", base + ".o"], capture_output=True, text=True, check=False)
    if done.returncode:
        return None, f"llc-22: {done.stderr.strip()[:200]}"
    subprocess.run(["ld.lld-22", "-shared", base + ".o", "-o", base + ".llc"], check=True)
    return tool.run(base + ".llc", size, command="run")


def check_values(tool, processor, case):
    name, body, declaration, expected, by_llc = case
    text = DECLARE + declaration + "\n" + KERNEL.format(body=body)
    number = f"{processor}-{name}"
    code, error = tool.compile(number, processor, text)
    if error:
        return f"{number}: {error}"
    error, size = tool.lint(code), 4096
    data, failed = tool.run(code, size)
    error = error or failed
    words = [int.from_bytes(data[4 * k:4 * k + 4], "little") for k in range(len(data) // 4)]
    if not error and expected and words[:len(expected)] != expected:
        wrong = next(k for k, e in enumerate(expected) if words[k] != e)
        error = f"word {wrong} is {words[wrong]:#x}, not {expected[wrong]:#x}"
    if not error and by_llc and not re.match("gfx[678]", processor):  # for which llc-22 has none
        theirs, error = llc_output(tool, number, processor, size)
        if not error and theirs != data:
            error = "llc-22's code computes something else"
    if not error and re.search(r"load\S*\.lds", name) and not name.startswith("tensor"):
        error = values_deleted(tool, number, processor, text, size)
    return error and f"{number}: {error}"


def values_deleted(tool, number, processor, text, size):
    """Without any wait for what fills LDS, `check` or `lint --waits` finds what is read early."""
    code, error = tool.compile(number + "-without", processor, text, "llc")
    if error:
        return error
    with open(code, encoding="utf-8") as file:
        lines = file.read().splitlines()
    taken = 0
    for n, line in enumerate(lines):
        if not re.search(r"vmcnt\(\d+\)|s_wait_asynccnt", line):
            continue
        rest = re.sub(r"vmcnt\(\d+\)", "", line) if "vmcnt" in line else ""
        made = tool.assemble(processor, code, "\n".join(lines[:n] + ([rest] if "cnt(" in rest else []) + lines[n + 1:]) + "\n")
        taken += 1
        if not tool.run(made, size)[1] and not tool.lint(made):
            return f"nothing is found without '{line.strip()}'"
    return None if taken else "there is no wait"


# ---- waits -----------------------------------------------------------------------------------------------------------------------

def marked_waits(assembly, counter):
    """[the counts that are waited for between each pair of s_sleep], by the order of the code; None: no wait."""
    out, inside = [], None
    for line in assembly.splitlines():
        line = line.strip()
        if line.startswith("s_sleep"):
            out += [inside[0] if inside else None] if inside is not None else []
            inside = [] if inside is None else None
        elif inside is not None:
            found = re.match(r"s_waitcnt .*?vmcnt\((\d+)\)|s_wait_(?:asynccnt|tensorcnt) 0x([0-9a-f]+)", line)
            if found and (counter is None or counter in line):
                inside.append(int(found[1]) if found[1] else int(found[2], 16))
    return out


def blocks(*counts, tensor=False):
    """So many operations each, and a mark behind each block."""
    return [s for count in counts for s in [("tensor",) if tensor else ("async", 0, 0)] * count + [("mark",)]]


def wait(number, n):
    return ("wait", number, n, [])


# The examples of the document and their kin: (name, statements, the count of each wait in the order of the code), worked out
# by hand: how many operations may have been begun behind the last one before the mark that the wait removes, on the path on
# which these are fewest. None: there is nothing to wait for.
EXAMPLES = [
    ("uneven blocks", blocks(3, 5, 2) + [wait(0, 2)], [7]),
    ("each block", blocks(3, 5, 2) + [wait(0, 2), wait(1, 1), wait(2, 0)], [7, 2, 0]),
    ("what has ended", blocks(3, 5, 2) + [wait(0, 0), wait(1, 1)], [0, None]),
    ("more marks than are waited for", blocks(3, 5, 2) + [wait(0, 3)], [None]),
    ("no mark", [("async", 0, 0), wait(0, 0)], [None]),
    ("operations behind the mark", blocks(1, 1) + [("async", 0, 0)] * 4 + [wait(0, 0)], [4]),
    ("empty blocks", blocks(2) + [("mark",)] * 3 + [("async", 0, 0), wait(0, 3), wait(1, 2)], [1, None]),
    ("software pipeline", blocks(2, 2, 2) + [("loop", 0, [wait(0, 2)] + blocks(2))] + [wait(1, 2), wait(2, 1), wait(3, 0)],
     [4, 4, 2, 0]),
    # first 2 + 3 behind the first, then 3 + 4 behind the second, then 4 + 4: at the end also after one round alone
    ("uneven pipeline", blocks(1, 2, 3) + [("loop", 0, [wait(0, 2)] + blocks(4))] + [wait(1, 2), wait(2, 1), wait(3, 0)],
     [5, 7, 4, 0]),
    ("pipeline of depth 1", blocks(3) + [("loop", 0, blocks(3) + [wait(0, 1)])] + [wait(1, 0)], [3, 0]),
    ("a branch", blocks(3) + [("if", 0, blocks(2), blocks(1, 1))] + [wait(0, 1), wait(1, 0)], [1, 0]),
    ("a branch without marks", blocks(3) + [("if", 0, [("async", 0, 0)] * 5, [])] + [wait(0, 0)], [0]),
    ("a branch with the only mark", [("async", 0, 0), ("async", 0, 0), ("if", 0, [("mark",), ("async", 0, 0)], []), wait(0, 0)], [1]),
    ("limits of the counter", blocks(1, 62) + [wait(0, 1)], [62]),
    ("beyond the counter", blocks(1, 63) + [wait(0, 1)], [None]),
    ("far beyond the counter", blocks(1, 150) + [wait(0, 1)], [None]),
]


def check_example(tool, processor, example):
    name, statements, expected = example
    writer = model.Writer(processor)
    code, error = tool.compile(f"{processor}-{name.replace(' ', '-')}", processor, writer.kernel(statements), "llc")
    if error:
        return f"{processor}, {name}: {error}"
    with open(code, encoding="utf-8") as file:
        found = marked_waits(file.read(), None)
    return None if found == expected else f"{processor}, {name}: waits for {found}, not {expected}"


def check_tensor_example(tool):
    """Two counters, one sequence of marks."""
    statements = blocks(2) + blocks(3, tensor=True) + blocks(1) + [wait(0, 1), wait(1, 0)]
    text = model.Writer("gfx1250")
    code, error = tool.compile("gfx1250-both", "gfx1250", text.kernel(statements), "llc")
    if error:
        return error
    with open(code, encoding="utf-8") as file:
        assembly = file.read()
    found = marked_waits(assembly, "async"), marked_waits(assembly, "tensor")
    expected = [1, 0], [0, None]  # the second mark's: two loads with one behind, three tensors with none
    return None if found == expected else f"two counters: waits for {found}, not {expected}"


CALLS = """
define internal void @{callee}(ptr addrspace(1) %in, i32 %n) {attributes}{{
{inner}
  {recursion}
  ret void
}}
"""
RECURSION = """%z = icmp eq i32 %n, 0
  br i1 %z, label %end, label %again
again:
  %m = sub i32 %n, 1
  call void @foo(ptr addrspace(1) %in, i32 %m)
  br label %end
end:"""
# (name, what the caller does before the call, the callee, what it does behind it, is it inlined, the waits of the caller)
CALL_EXAMPLES = [
    # wait(1) for the second block: the third is behind it; wait(0) for the third and bar()
    ("ordinary call", blocks(2, 3), [("async", 0, 0)], blocks(1) + [wait(0, 1), wait(1, 0)], False, [1, 0]),
    ("what is called alone", [], [("async", 0, 0)], [("mark",), wait(0, 0)], False, [0]),
    ("what is called alone, and one behind", [], [("async", 0, 0)], [("mark",), ("async", 0, 0), wait(0, 0)], False, [1]),
    # before inlining only B is sure to be completed at D
    ("a callee's mark", blocks(2, 1), blocks(3), [wait(0, 1)], False, [1]),
    # after inlining C is, too, and X is not
    ("a callee's mark, inlined", blocks(2, 1), blocks(3), [wait(0, 1)], True, [3]),
    ("a callee's wait, inlined", blocks(2, 1), [wait(5, 0)], [wait(0, 1)], True, [0, None]),
]


def check_call(tool, processor, example):
    name, before, callee, behind, inlined, expected = example
    caller, inner = model.Writer(processor), model.Writer(processor)
    inner.number = 500
    inner.statements(callee, 0)
    caller.statements(before, 0)
    caller.put("call void @foo(ptr addrspace(1) %in, i32 %bits)")
    text = caller.kernel(behind)
    body = "  %lane = call i32 @llvm.amdgcn.workitem.id.x()\n" + "\n".join(inner.lines)
    text += CALLS.format(callee="foo", attributes="", inner=body, recursion="" if inlined else RECURSION)
    code, error = tool.compile(f"{processor}-{name.replace(' ', '-').replace(',', '')}", processor, text, "llc")
    if error:
        return f"{processor}, {name}: {error}"
    with open(code, encoding="utf-8") as file:
        found = marked_waits(file.read().split("\nk:")[1], None)
    return None if found == expected else f"{processor}, {name}: waits for {found}, not {expected}"


# ---- random programs -------------------------------------------------------------------------------------------------------------

READS = 4  # behind each wait, at most


def straight_expected(statements, shared):
    """The longest wait that will do, by statement: operations of the counter behind the last asynchronous one that has to end."""
    issued, asynchronous, marks, ended, out = 0, 0, [], 0, []
    for s in statements:
        if s[0] == "async":
            issued += 1
            asynchronous = issued
        elif s[0] == "store":
            issued += shared
        elif s[0] == "mark":
            marks.append(asynchronous)
        elif s[0] == "wait":
            last = max([0] + marks[:max(0, len(marks) - s[2])])
            out.append(issued - last if last > ended and issued - last < 63 else None)
            ended = max(ended, last)
            issued += shared * len(s[3])  # what was read is stored
    return out


def arguments_of(rng):
    return rng.randrange(1 << model.CONDITIONS), [rng.randrange(1, model.ROUNDS + 1) for _ in range(model.COUNTERS)]


def lane_bits(bits, lane):
    return sum(1 << k for k in range(model.CONDITIONS) if bits >> k & 1 and lane < model.FIRST_LANES[k])


def outputs(statements, bits, counts):
    """{(row, lane): word}, of what is read"""
    out = {}
    for lane in range(LANES):
        path = model.Path(lane_bits(bits, lane), counts).run(statements)
        assert not path.illegal
        for (wait_number, place), operation in path.read.items():
            out[1 + READS * wait_number + place, lane] = word(LANES * operation + lane)
    return out


class Machine(model.Path):
    """The same thread as the code runs it: a counter that falls in order, waits for its falling to a number."""

    def __init__(self, bits, counts, waits, shared):
        super().__init__(bits, counts)
        self.waits, self.shared = waits, shared  # by wait: the count; whether stores raise the counter, too
        self.issued, self.number, self.early = 0, [], False

    def run(self, statements):
        for s in statements:
            if s[0] == "store":
                self.issued += self.shared
            elif s[0] == "async":
                self.issued += 1
                self.begun.append((s[1], s[2]))
                self.number.append(self.issued)
            elif s[0] in ("wait", "if", "loop"):
                super().run([s])
        return self

    def wait(self, s):
        count = self.waits.get(s[1])
        if count is not None:
            self.ended = max(self.ended, self.issued - count)
        last = {slot: index for index, (slot, _) in enumerate(self.begun)}
        for slot in s[3]:
            self.early |= self.number[last[slot]] > self.ended
        self.issued += self.shared * len(s[3])  # what was read is stored


def taken_out(assembly):
    """(a wait's number, the assembly without it), for each wait between two s_sleep that say its number."""
    lines, inside = assembly.splitlines(), 0
    for n, line in enumerate(lines):
        if line.strip().startswith("s_sleep"):
            inside = 0 if inside else int(line.split()[1], 0)
        elif inside and re.search(r"vmcnt\(\d+\)|s_wait_asynccnt", line):
            rest = re.sub(r"vmcnt\(\d+\)", "", line) if "vmcnt" in line else ""
            yield inside - 1, "\n".join(lines[:n] + ([rest] if "cnt(" in rest else []) + lines[n + 1:]) + "\n"


def check_random(tool, processor, number, seed, counts):
    rng = random.Random(f"{seed} {processor} {number}")
    straight = number % 3 == 0
    generator = model.Generator(rng, stores=1 if number % 2 else 0)
    statements = generator.statements(0 if straight else 2, 30 if straight else 12)
    model.choose_reads(statements, READS)
    size = 4 * LANES * (1 + READS * (generator.waits + 1))
    name = f"{processor}-random{number}"
    code, error = tool.compile(name, processor, model.Writer(processor).kernel(statements, READS), "llc")
    if error or not generator.waits:
        return error and f"{name}: {error}"
    with open(code, encoding="utf-8") as file:
        assembly = file.read()
    if straight:
        found, expected = marked_waits(assembly, None), straight_expected(statements, shares(processor))
        counts["straight"] += 1
        if found != expected:
            return f"{name}: waits for {found}, not {expected}"
    runs = [arguments_of(rng) for _ in range(3)]
    runs[1:] = [(bits & model.UNIFORM, rounds) for bits, rounds in runs[1:]]
    waits, shared = counts_of(assembly), shares(processor)
    if waits and any(Machine(bits, rounds, waits, shared).run(statements).early for bits, rounds in runs[1:]):
        return f"{name}: something comes early"
    code = tool.assemble(processor, code)
    error = tool.lint(code)
    for bits, rounds in runs:
        if error:
            break
        data, error = tool.run(code, size, [bits, *rounds])
        for (row, lane), expected in outputs(statements, bits, rounds).items():
            at = 4 * (LANES * row + lane)
            if not error and int.from_bytes(data[at:at + 4], "little") != expected:
                error = f"row {row}, lane {lane}: not what the model says"
        counts["runs"] += 1
    if error:
        return f"{name}: {error}"
    return check_deleted(tool, processor, name, assembly, statements, size, runs, counts)


def counts_of(assembly):
    """{a wait's number: the count}; none where one stands in the code more than once."""
    numbers = [int(n, 0) - 1 for n in re.findall(r"^\s*s_sleep (\w+)", assembly, re.M)][::2]
    return None if len(set(numbers)) < len(numbers) else dict(zip(numbers, marked_waits(assembly, None)))


def check_deleted(tool, processor, name, assembly, statements, size, runs, counts):
    """Without a wait `check` finds something on the paths where the counter lets a read come early, and on no other."""
    waits, shared = counts_of(assembly), shares(processor)
    for number, text in taken_out(assembly) if waits else ():
        path = tool.assemble(processor, tool.path(f"{name}-without{number}.s"), text)
        for bits, rounds in runs[1:]:  # whose lanes all go the same way
            early = Machine(bits, rounds, waits | {number: None}, shared).run(statements).early
            _, error = tool.run(path, size, [bits, *rounds], extra=("--only=async",))
            counts["taken out"] += 1
            counts["found"] += bool(error)
            if bool(error) != early or (error and "[async]" not in error):
                return f"{name}, without wait {number}, bits {bits}, rounds {rounds}: {'something' if early else 'nothing'} comes early, but: {error}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default=PROCESSORS)
    parser.add_argument("--programs", type=int, default=9)
    parser.add_argument("--every", type=int, default=1, help="each so manieth kernel of values alone")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep")
    options = parser.parse_args()
    absent = [tool for tool in ("llc-22", "ld.lld-22") if not shutil.which(tool)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        tool, jobs = Tool(options, folder), []
        for first, processor in enumerate(options.processors.split(",")):
            jobs += [(check_values, tool, processor, case) for case in list(cases(processor))[first % options.every::options.every]]
            if re.match("gfx[678]", processor):  # these have transfers by buffers alone
                continue
            jobs += [(check_example, tool, processor, example) for example in EXAMPLES]
            jobs += [(check_call, tool, processor, example) for example in CALL_EXAMPLES]
            jobs += [(check_random, tool, processor, number, options.seed, counts) for number in range(options.programs)]
        jobs += [(check_values, tool, "gfx1200", case) for case in cases("gfx1200")] + [(check_tensor_example, tool)]
        errors = [e for e in pool.map(lambda job: job[0](*job[1:]), jobs) if e]
    print("\n".join(errors))
    print(f"{len(jobs) - len(errors)} of {len(jobs)} hold; {counts['straight']} straight programs wait as long as needed; {counts['runs']} runs; "
          f"of {counts['taken out']} waits taken out {counts['found']} were found")
    return 1 if errors or (options.programs and not counts["found"]) else 0


if __name__ == "__main__":
    sys.exit(main())
