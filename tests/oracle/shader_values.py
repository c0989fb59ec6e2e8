#!/usr/bin/env python3
"""Runs the code that Mesa's ACO makes of Vulkan's compute shaders (tests/oracle/shaders/) and compares the buffers with what
Mesa's lavapipe, which runs on the host, computes of the same SPIR-V: on each processor, in the interpreter and compiled,
and `check` must have nothing to say of it. A few instructions in front do what the driver and the command processor would:
they make the descriptors of buffers, and put push constants and ids where ACO expects them. Exits with 77 without the drivers.

usage: shader_values.py OFFGRID SHADER_TOOL [SEED [PROCESSOR...]]
"""
import functools
import math
import operator
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

from shader_code import DRIVER, compile_shaders, features, prepare, programs_of

OFFGRID, TOOL = (os.path.abspath(path) for path in sys.argv[1:3])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
REFERENCE = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
PROCESSORS = ["gfx900", "gfx906", "gfx1010", "gfx1030", "gfx1100"]
HIGH = 95  # the SGPR with the upper half of the descriptors' address, for which ACO has s_movk_i32 sN, 0x8000
ONLY = "--only=waits,races,uninit,bounds,divergence"  # ACO sees some hazards otherwise: shaders.py
UNIFORM = 0xe0  # where the uniform buffer's descriptor is, behind those of buffers and images
counts = {"shaders": 0, "runs": 0, "values": 0, "failed": 0}


def floats(count, low=0.0, high=1.0):
    return struct.pack(f"<{count}f", *(random.uniform(low, high) for _ in range(count)))


def ints(count, most):
    return struct.pack(f"<{count}I", *(random.randrange(most) for _ in range(count)))


def halves(count):
    return struct.pack(f"<{count}e", *(random.uniform(-1, 1) for _ in range(count)))


def cases():
    """Of each shader: work-groups, work-items of one, LDS, push constants, buffers (bytes, and the type of what is compared;
    "": not), the relative error that floats may have."""
    wide = 1 << 32
    return {
        "sum.comp": ((4, 1), (64, 1), 256, struct.pack("<If", 9, 0.5), [(floats(4096), ""), (bytes(1024), "f")], 1e-4),
        "flow.comp": ((2, 1), (128, 1), 0, struct.pack("<I", 11), [(ints(4096, 5000), ""), (bytes(1024), "i")], 0),
        "bits.comp": ((4, 1), (64, 1), 0, struct.pack("<II", 0x1234567, 77), [(ints(8192, wide), "I")], 0),
        "wide.comp": ((2, 1), (64, 1), 0, struct.pack("<I", 3),
                      [(struct.pack("<8192d", *(random.uniform(1, 2) for _ in range(8192))), "d"),
                       (struct.pack("<8192q", *(random.randrange(1, 1000) for _ in range(8192))), "q")], 1e-9),
        "small.comp": ((4, 1), (64, 1), 0, b"",
                       [(struct.pack("<8192e", *(random.uniform(0.1, 1) for _ in range(8192))), "e"), (os.urandom(8192), "B"),
                        (struct.pack("<16384h", *(random.randrange(-1000, 1000) for _ in range(16384))), "h"),
                        (halves(32768), "e")], 2e-2),
        "lanes.comp": ((4, 1), (64, 1), 0, b"", [(floats(256, -1.5, 1.5), "f"), (ints(256, wide), "I")], 1e-4),
        "matrix.comp": ((2, 2), (16, 16), 8704, b"",
                        [(floats(4096), ""), (floats(4096), ""), (bytes(65536), "f"), (b"", ""),
                         (floats(16, 1, 2) + struct.pack("<I", 32) + bytes(44), "")], 1e-2),
    }


def lanes_reference(values, numbers):
    """lanes.comp on waves of 64, which lavapipe does not have."""
    floats_, ints_ = list(struct.unpack("<256f", values)), list(struct.unpack("<256I", numbers))
    results, counted = list(floats_), list(ints_)
    for first in range(0, 256, 64):
        x, b = floats_[first:first + 64], ints_[first:first + 64]
        on = [lane for lane in range(64) if x[lane] > 0]
        off = [lane for lane in range(64) if not x[lane] > 0]
        votes = [lane for lane in on if x[lane] > 1]
        for lane in range(64):
            y = sum(x) + sum(2 * v for v in x[:lane + 1]) + max(x[lane & ~7:(lane & ~7) + 8])
            y += x[lane ^ 5] + x[lane ^ 1] + x[b[lane] & 63] + x[lane & ~3 | 2] + (x[lane - 1] if lane else 0)
            if lane in on:
                y += min(x[k] for k in on) + math.prod(x[k] for k in on if k < lane)
                counted[first + lane] = len(votes) + sum(k < lane for k in votes) + first + on[0]
            elif any(x[k] < -1 for k in off):
                every = functools.reduce(operator.or_, (b[k] for k in off))
                counted[first + lane] = every ^ functools.reduce(operator.xor, (first + k for k in off if k <= lane))
            results[first + lane] = y
    return [struct.pack("<256f", *results), struct.pack("<256I", *counted)]


def reference(shader, case, folder):
    """What lavapipe leaves in the buffers."""
    groups, _, _, push, buffers, _ = case
    files = []
    for i, (data, _) in enumerate(buffers):
        files.append(os.path.join(folder, f"reference{i}") if data else "-")
        if data:
            write(files[-1], data)
    write(os.path.join(folder, "push"), push)
    done = subprocess.run([TOOL, "run", f"{groups[0]},{groups[1]},1", os.path.join(folder, "push"), *shader, *files],
                          capture_output=True, text=True, check=False, env=dict(os.environ, VK_ICD_FILENAMES=REFERENCE))
    if done.returncode == 77:
        sys.exit(77)
    if done.returncode:
        sys.exit(f"lavapipe: {shader}: {done.returncode} {done.stderr}")
    return [read(file) if file != "-" else b"" for file in files]


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def descriptor(processor, i, size):
    """Instructions that write a buffer's descriptor: raw dwords, with bounds in bytes. Address: arguments 2i and 2i + 1."""
    last = 0x27fac if len(processor) == 6 else 0x31016fac if processor < "gfx11" else 0x30016fac
    offset = 16 * i if i < 4 else UNIFORM
    carry = "v_addc_co_u32" if len(processor) == 6 else "v_add_co_ci_u32"
    return f"""
  v_mov_b32 v3, s{36 + 2 * i}
  v_mov_b32 v4, s{37 + 2 * i}
  v_and_b32 v4, 0xffff, v4
  v_mov_b32 v5, {size}
  v_mov_b32 v6, {last:#x}
  v_mov_b32 v8, {offset}
  v_add_co_u32 v8, vcc, s46, v8
  v_mov_b32 v9, s47
  {carry} v9, vcc, 0, v9, vcc
  flat_store_dwordx4 v[8:9], v[3:6]
  s_nop 0"""


def own_vgprs(text):
    """How many VGPRs a shader has of its own: those that ds_bpermute_b32 reads and writes as one are behind them."""
    shared = [int(n) for line in text for n in re.findall(r"^ds_bpermute_b32 v(\d+), v\d+, v\1$", line)]
    return min(shared, default=0)


def kernel(processor, code, case, shuffles):
    """The shader's code behind what the command processor does before it: ids and arguments in s2 and behind."""
    _, items, lds, push, buffers, _ = case
    words = len(push) // 4
    ids = 2 if items[1] > 1 else 1
    move = 0xbe800000 | (0x300 if processor.startswith("gfx10") else 0)  # s_mov_b32
    body = "\n".join("  .long " + ", ".join(
        f"{move | int(x, 16) & 0x7f0000 | HIGH:#x}" if re.fullmatch("b0..8000", x) else "0x" + x for x in instruction)
        for instruction in code)
    arguments = [f"    - {{ .offset: {8 * i}, .size: 8, .value_kind: global_buffer, .address_space: global }}"
                 for i in range(6)]
    arguments += [f"    - {{ .offset: {48 + 4 * i}, .size: 4, .value_kind: by_value }}" for i in range(words)]
    described = "".join(descriptor(processor, i, len(data)) for i, (data, _) in enumerate(buffers) if data)
    moves = "".join(f"  s_mov_b32 s{3 + i}, s{48 + i}\n" for i in range(words))
    moves += "".join(f"  s_mov_b32 s{3 + words + i}, s{32 + i}\n" for i in range(ids))
    stored = "  s_waitcnt_vscnt null, 0x0\n" if processor.startswith("gfx1") else ""
    wave = "    .amdhsa_wavefront_size32 0\n" if processor.startswith("gfx1") else ""
    vgprs = 128
    if shuffles and processor.startswith("gfx10"):  # through VGPRs that the halves of a wave share, right behind the others
        vgprs, wave = shuffles, wave + "    .amdhsa_shared_vgpr_count 1\n"
    loads = "s_load_dwordx8 s[36:43], s[0:1], 0x0\n  s_load_dwordx8 s[44:51], s[0:1], 0x20"
    return f"""
.amdgcn_target "amdgcn-amd-amdhsa--{processor}"
.amdhsa_code_object_version 5
.text
.globl k
.p2align 8
.type k,@function
k:
  s_mov_b32 s32, s2
  s_mov_b32 s33, s3
  {loads}
  s_waitcnt lgkmcnt(0)
{described}
  s_waitcnt vmcnt(0) lgkmcnt(0)
{stored}  s_dcache_inv
  s_mov_b32 s{HIGH}, s47
  s_mov_b32 s2, s46
{moves}
{body}
.Lend:
.size k, .Lend - k
.rodata
.p2align 6
.amdhsa_kernel k
    .amdhsa_next_free_vgpr {vgprs}
    .amdhsa_next_free_sgpr 96
    .amdhsa_group_segment_fixed_size {lds}
    .amdhsa_kernarg_size 64
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_system_sgpr_workgroup_id_x 1
    .amdhsa_system_sgpr_workgroup_id_y 1
    .amdhsa_system_vgpr_workitem_id 2
{wave}.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 64
    .group_segment_fixed_size: {lds}
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 96
    .vgpr_count: 128
    .max_flat_workgroup_size: 1024
    .args:
{chr(10).join(arguments)}
.end_amdgpu_metadata
"""


def run(verb, processor, source, case, folder, *options):
    """Runs the kernel on copies of the buffers; yields what stands in them, or None."""
    groups, items, _, push, buffers, _ = case
    path, out = os.path.join(folder, "k.s"), os.path.join(folder, "k.co")
    with open(path, "w", encoding="ascii") as file:
        file.write(source)
    for command in (["as", "-mcpu=" + processor, *features(processor), path, "-o", out + ".o"], ["ld", out + ".o", "-o", out]):
        done = subprocess.run([OFFGRID, *command], capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr[:600]
    arguments = []
    for i in range(5):
        data = buffers[i][0] if i < len(buffers) else b""
        file = os.path.join(folder, f"buffer{i}")
        write(file, data)
        arguments += ["--arg", "inout:" + file if data else "buf:64"]
    arguments += ["--arg", "buf:512"]
    arguments += [part for word in struct.unpack(f"<{len(push) // 4}I", push) for part in ("--arg", f"u32:{word}")]
    grid, group = (f"{groups[0] * items[0]},{groups[1] * items[1]}", f"{items[0]},{items[1]}")
    done = subprocess.run([OFFGRID, verb, out, "--grid", grid, "--group", group, *options, *arguments],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr + done.stdout)[:1200]
    return [read(os.path.join(folder, f"buffer{i}")) for i in range(len(buffers))]


def different(kind, ours, theirs, error):
    """The first value that differs, as words; None if there is none."""
    for i, (x, y) in enumerate(zip(struct.iter_unpack("<" + kind, ours), struct.iter_unpack("<" + kind, theirs))):
        counts["values"] += 1
        same = x[0] == y[0] or x[0] != x[0] and y[0] != y[0]
        if not same and not (kind in "efd" and abs(x[0] - y[0]) <= error * max(abs(x[0]), abs(y[0]), 1)):
            return f"value {i} is {x[0]}, expected {y[0]}"
    return None


def compare(what, case, ours, theirs):
    counts["runs"] += 1
    if isinstance(ours, str):
        counts["failed"] += 1
        print(f"{what}: {ours.strip()}")
        return
    for i, (_, kind) in enumerate(case[4]):
        found = different(kind, ours[i], theirs[i], case[5]) if kind else None
        if found:
            counts["failed"] += 1
            print(f"{what}: buffer {i}: {found}")


def main():
    if not os.path.exists(DRIVER) or not os.path.exists(REFERENCE):
        print("Mesa's RADV or lavapipe is not installed")
        sys.exit(77)
    print(f"seed {SEED}")
    random.seed(SEED)
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        shaders = dict(compile_shaders(folder))
        for name, case in cases().items():
            counts["shaders"] += 1
            buffers = [data for data, _ in case[4]]
            theirs = lanes_reference(*buffers) if name == "lanes.comp" else reference(shaders[name], case, folder)
            for processor in sys.argv[4:] or PROCESSORS:
                (text, code), = programs_of(TOOL, processor, name, shaders[name], folder)
                source = kernel(processor, code, case, own_vgprs(text))
                for verb, *options in (["run", "--no-compile"], ["run"], ["check", ONLY]):
                    ours = run(verb, processor, source, case, folder, *options)
                    compare(f"{processor} {name} {verb} {' '.join(options)}".strip(), case, ours, theirs)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    sys.exit(counts["failed"] != 0 or not counts["values"])


main()
