#!/usr/bin/env python3
"""Over 250 small kernels with one mistake each, from a table of shapes, under `offgrid check`: races, undefined values,
overruns of buffers, LDS, images and descriptors, barriers in divergent flow and LDS that leaks between work-groups, by types and
patterns, beside others that are right.
Each mistake is found by its checker, no other says anything, and nothing is said of the right ones.

usage: check_shapes.py --offgrid BUILD/offgrid [--processors gfx900,gfx1100] [--only PATTERN,PATTERN]"""
import argparse
import collections
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

import toolchain

TYPES = {"char": 1, "short": 2, "int": 4, "float": 4, "long": 8, "int4": 16, "double": 8, "int2": 8, "uchar": 1}
WITH_IMAGES = ("gfx803", "gfx900", "gfx1030", "gfx1100", "gfx1200")
PATTERNS = {"reverse": "255 - i", "next": "(i + 64) & 255", "across": "i ^ 128"}
Case = collections.namedtuple("Case", "name checker levels grid group arguments body parameters")
LOCAL, GLOBAL = "barrier(CLK_LOCAL_MEM_FENCE);", "barrier(CLK_GLOBAL_MEM_FENCE);"
HEAD = "uint i = get_local_id(0), g = get_global_id(0);"


def buffers(size, count=1):
    return [f"buf:{256 * size}"] * count


def pair(name, checker, body, arguments, parameters, mend, levels="02", grid="256", group="256"):
    """A case and the same with what MISTAKE stands for."""
    yield Case(name, checker, levels, grid, group, arguments, body.replace("MISTAKE", ""), parameters)
    yield Case(f"{name}_fine", "", levels, grid, group, arguments, body.replace("MISTAKE", mend), parameters)


def races():
    for t, size in TYPES.items():
        for pattern, other in PATTERNS.items():
            lds = f"local {t} s[256]; s[i] = ({t})0; {LOCAL} "
            yield from pair(f"lds_read_{t}_{pattern}", "races", f"{lds} s[i] = ({t})(i + 1); MISTAKE out[g] = s[{other}];",
                            buffers(size), f"global {t} *out", LOCAL)
            yield from pair(f"lds_overwritten_{t}_{pattern}", "races",
                            f"{lds} {t} v = s[{other}]; MISTAKE s[i] = v + ({t})(i + 1); {LOCAL} out[g] = s[i];", buffers(size),
                            f"global {t} *out", LOCAL)
        yield from pair(f"memory_read_{t}", "races", f"a[i] = ({t})(i % 100 + 1); MISTAKE out[g] = a[255 - i];", buffers(size, 2),
                        f"global {t} *out, global {t} *a", GLOBAL)
        yield from pair(f"groups_read_{t}", "races", f"a[g] = ({t})(g % 100 + 1); out[g] = a[MISTAKE(g + 64) & 255];", buffers(size, 2),
                        f"global {t} *out, global {t} *a", "g + 0 * ", group="64")
        yield Case(f"groups_write_{t}", "races", "02", "256", "64", buffers(size), f"out[i] = ({t})(get_group_id(0) + 1);", f"global {t} *out")


def undefined():
    for t, size in TYPES.items():
        whole = f"local {t} s[256]; COND s[i] = ({t})(i + 1); {LOCAL} out[g] = s[i];"
        for name, condition, group in (("half", "if (i < 128)", "256"), ("leak", "if (get_group_id(0) == 0)", "64"),
                                       ("odd", "if (i & 1)", "256")):
            yield Case(f"lds_{name}_{t}", "uninit", "02", "256", group, buffers(size), whole.replace("COND", condition), f"global {t} *out")
        yield Case(f"lds_whole_{t}", "", "02", "256", "256", buffers(size), whole.replace("COND", ""), f"global {t} *out")
        part = ".x" if t in ("int2", "int4") else ""
        for use, text in (("stored", f"out[g] = v;"), ("branch", f"if (v{part} > 0) out[g] = ({t})1;"),
                          ("address", f"out[(uint)v{part} & 63] = ({t})1;")):
            yield from pair(f"private_{use}_{t}", "uninit", f"{t} a[4]; MISTAKE a[0] = ({t})1; {t} v = a[n & 3]; {text}",
                            buffers(size) + ["u32:1"], f"global {t} *out, uint n", f"a[1] = ({t})2;", "0", "64", "64")


def overruns():
    for t, size in TYPES.items():
        many, far = 256, 4096 // size
        for place, index in (("behind", f"g + {many} + {far}"), ("before", f"(int)g - {many} - {far}")):
            yield Case(f"read_{place}_{t}", "bounds", "02", "256", "64", buffers(size, 2), f"out[g] = a[{index}];",
                       f"global {t} *out, global const {t} *a")
            yield Case(f"write_{place}_{t}", "bounds", "02", "256", "64", buffers(size), f"out[{index}] = ({t})1;", f"global {t} *out")
        arguments, parameters = buffers(size) + [f"lds:{256 * size}"], f"global {t} *out, local {t} *s"
        fill = f"s[i] = ({t})(i + 1); {LOCAL} "
        yield Case(f"lds_read_behind_{t}", "bounds", "02", "256", "256", arguments, f"{fill} out[g] = s[i + 8];", parameters)
        yield Case(f"lds_write_behind_{t}", "bounds", "02", "256", "256", arguments, f"{fill} s[i + 256] = ({t})1; out[g] = s[i];", parameters)
        yield Case(f"lds_read_inside_{t}", "", "02", "256", "256", arguments, f"{fill} out[g] = s[i & 247];", parameters)


IMAGES = {"image1d_t": ("16", "x"), "image2d_t": ("16x4", "xy"), "image3d_t": ("16x4x4", "xyz"),
          "image1d_array_t": ("16a4", "xz"), "image2d_array_t": ("16x4a4", "xyz")}


def at(names, wrong="", how=""):
    """The coordinates of a work-item, one of them wrong."""
    words = [f"((int){part} {how if name == wrong else ''})" for name, part in zip(names, ("(g & 15)", "(g >> 4 & 3)", "(g >> 6)"))]
    return words[0] if len(words) == 1 else f"(int2)({', '.join(words)})" if len(words) == 2 else f"(int4)({', '.join(words)}, 0)"


def images():
    """For processors that have them."""
    sampler = "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST"
    for t, (size, names) in IMAGES.items():
        count = 4 ** (len(names) + 1)
        grid, group = str(count), str(min(count, 64))
        for access in ("read", "write"):
            texel = (lambda where: f"write_imageui(m, {where}, (uint4)(g));") if access == "write" else (
                lambda where: f"out[g] = read_imageui(m, {where}).x;")
            arguments = [f"buf:{4 * count}", f"image:r32ui:{size}:buf:{4 * count}"]
            parameters = f"global uint *out, {access}_only {t} m"
            for wrong in names:
                for place, how in (("behind", "+ 16"), ("end", "+ 1"), ("before", "- 1")):
                    yield Case(f"{access}_{t}_{wrong}_{place}", "bounds", "02", grid, group, arguments,
                               texel(at(names, wrong, how)), parameters)
            yield Case(f"{access}_{t}_fine", "", "02", grid, group, arguments, texel(at(names)), parameters)
            if access == "read":
                beyond = texel(f"{sampler}, {at(names, names[-1], '+ 1')}")
                yield Case(f"sample_{t}_fine", "", "02", grid, group, arguments, beyond, parameters)


def described(processor):
    """What only assembly can say of images and buffers: a name, its checker, its argument, and instructions that find that one's
    address in s[2:3] and the lane in v0."""
    old, newest = processor.startswith(("gfx8", "gfx9")), processor.startswith("gfx12")
    scalar, loads, stores = "s_waitcnt lgkmcnt(0)", "s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(0)"
    if newest:
        scalar, loads, stores = "s_wait_kmcnt 0", "s_wait_loadcnt 0", "s_wait_storecnt 0"
    word3 = 0x20fac if old else 0x1016fac if processor.startswith("gfx10") else 0x16fac  # 32 bits, a float; gfx10's resource level
    form = "BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT" if old else "BUF_FMT_32_FLOAT"
    zero = "null" if newest else "0"
    image = (f"s_load_dwordx8 s[8:15], s[2:3], 0x0\n {scalar}\n v_lshrrev_b32 v1, 4, v0\n v_and_b32 v0, 15, v0\n "
             "v_mov_b32 v2, 0\n v_mov_b32 v3, 1")
    tail = "dmask:0x1 unorm" if old else "dmask:0x1 dim:SQ_RSRC_IMG_2D"
    two, three = ("[v0, v1]", "[v0, v1, v2]") if newest else ("v[0:1]", "v[0:2]")
    for name, data, address, wait in (("load", "v4", two, loads), ("store", "v3", two, stores), ("load_mip", "v4", three, loads),
                                      ("store_mip", "v3", three, stores), ("atomic_add", "v3", two, stores)):
        operation = f"image_{name}{'_uint' if newest and 'atomic' in name else ''} {data}, {address}, s[8:15] {tail}"
        mistakes = {"": "", "x": "v_or_b32 v0, 16, v0", "y": "v_or_b32 v1, 4, v1", "mip": "v_mov_b32 v2, 1"}
        for mistake, text in mistakes.items():
            if mistake != "mip" or "mip" in name:
                yield (f"image_{name}_{mistake or 'fine'}", "bounds" if mistake else "", "image:r32ui:16x4:buf:256",
                       f"{image}\n {text}\n {operation}\n {wait}")
    stride = "s_mov_b32 s8, s2\n s_or_b32 s9, s3, 0x40000\n s_mov_b32 s10, 64\n s_mov_b32 s11, " + hex(word3)
    for name, operation, wait in (("format_load", "buffer_load_format_x v4, v0, s[8:11], OFFSET idxen", loads),
                                  ("format_store", "buffer_store_format_x v0, v0, s[8:11], OFFSET idxen", stores),
                                  ("typed_load", f"tbuffer_load_format_x v4, v0, s[8:11], OFFSET format:[{form}] idxen", loads),
                                  ("typed_store", f"tbuffer_store_format_x v0, v0, s[8:11], OFFSET format:[{form}] idxen", stores),
                                  ("structured_load", "buffer_load_dword v4, v0, s[8:11], OFFSET idxen", loads),
                                  ("structured_store", "buffer_store_dword v0, v0, s[8:11], OFFSET idxen", stores),
                                  ("structured_atomic", "buffer_atomic_add v3, v0, s[8:11], OFFSET idxen", stores)):
        operation = operation.replace("OFFSET", zero)
        for mistake, text in (("index", "v_or_b32 v0, 64, v0"), ("", "v_mov_b32 v3, 1")):
            fill = f"{stride}\n v_mov_b32 v3, 1\n {text}\n {operation}\n {wait}"
            yield f"{name}_{mistake or 'fine'}", "bounds" if mistake else "", "buf:1024", fill


def assembled(processor, name, body):
    """The source of such a kernel."""
    wave = 64 if processor.startswith(("gfx8", "gfx9")) else 32
    wait = "s_wait_kmcnt 0" if processor.startswith("gfx12") else "s_waitcnt lgkmcnt(0)"
    return f""".amdgcn_target "amdgcn-amd-amdhsa--{processor}"
.text
.globl {name}
.p2align 8
.type {name},@function
{name}:
 s_load_dwordx2 s[2:3], s[0:1], 0x0
 {wait}
 {body}
 s_endpgm
.size {name}, .-{name}
.rodata
.p2align 6
.amdhsa_kernel {name}
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  {'.amdhsa_wavefront_size32 1' if wave == 32 else ''}
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: {name}
    .symbol: {name}.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: {wave}
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - {{ .size: 8, .offset: 0, .value_kind: {'image' if name.startswith('image') else 'global_buffer'}, .address_space: global }}
...
.end_amdgpu_metadata
"""


def divergence():
    for fence, name in ((LOCAL, "lds"), (GLOBAL, "memory")):
        for shape, text in {"low_lanes": "if (i < 32) BARRIER", "odd_lanes": "if (i & 1) BARRIER", "one_lane": "if (i == 0) BARRIER",
                            "loop": "for (uint k = 0; k <= i % 2; k++) BARRIER", "first_wave": "if (i < 64) BARRIER BARRIER",
                            "choice": "if (i & 2) { BARRIER } else { out[g] = 7; BARRIER }",
                            # what waves disagree about, each by itself of one mind
                            "waves_count": "for (uint k = 0; k < i / 64 + 1; k++) { BARRIER out[g] = k; }",
                            "waves_choice": "if (__builtin_amdgcn_readfirstlane(i) & 64) { BARRIER out[g] = 7; BARRIER } else "
                                            "{ BARRIER out[g] = 8; out[g ^ 1] = 9; BARRIER }"}.items():
            levels = "2" if shape in ("first_wave", "waves_choice") else "02"  # at -O0 barriers are calls of one function
            yield Case(f"barrier_{shape}_{name}", "divergence", levels, "256", "256", buffers(4), text.replace("BARRIER", fence) + " out[g] = i;",
                       "global int *out")
        yield Case(f"barrier_all_{name}", "", "02", "256", "256", buffers(4), f"if (n) {{ {fence} }} out[g] = i;".replace("n)", "n > 3)"),
                   "global int *out, uint n")


def run(options, code, case):
    command = [options.offgrid, "check", code, "--kernel", case.name, "--grid", case.grid, "--group", case.group]
    for text in case.arguments + ["u32:5"] * case.name.startswith("barrier_all"):
        command += ["--arg", text]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def build(cases, processor, level, folder):
    """The code object of OpenCL kernels."""
    source, code = os.path.join(folder, "shapes.cl"), os.path.join(folder, f"{processor}.O{level}.{cases[0].name}")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n")
        file.writelines(f"kernel void {case.name}({case.parameters}) {{ {HEAD} {case.body} }}\n" for case in cases)
    done, messages = toolchain.compile_opencl(source, code, level, processor, ["-g", "-w"])
    if not done:
        sys.exit(messages)
    return code


def jobs(options, folder):
    """What is to be run: a processor, a level, code and a case of it."""
    chosen = lambda cases: [case for case in cases if any(fnmatch.fnmatch(case.name, one) for one in options.only.split(","))]
    plain = chosen(case for shape in (races, undefined, overruns, divergence) for case in shape())
    of_images = chosen(images())
    for processor in options.processors.split(","):
        for level in options.levels:
            for cases in [plain] + [of_images] * (processor in WITH_IMAGES):
                code = build(cases, processor, level, folder) if cases else None
                yield from ((processor, level, code, case) for case in cases if level in case.levels)
        for name, checker, argument, body in described(processor) if processor in WITH_IMAGES else ():
            case = Case(name, checker, "", "64", "64", [argument], body, "")
            if chosen([case]):
                code = os.path.join(folder, f"{processor}.{name}.s")
                with open(code, "w", encoding="utf-8") as file:
                    file.write(assembled(processor, name, body))
                yield processor, "s", code, case


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default="gfx900")
    parser.add_argument("--levels", default="02")
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    if toolchain.missing("clang-22", "ld.lld-22"):
        print("skipped: needs clang-22")
        return 77
    runs = failed = 0
    names = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        wanted = list(jobs(options, folder))
        for (processor, level, _, case), said in zip(wanted, pool.map(lambda job: run(options, *job[2:]), wanted)):
            found = set(re.findall(r"\[(\w+)\]$", said.stderr, re.M))
            runs += 1
            names[case.name] = bool(case.checker)
            if found != set(filter(None, [case.checker])) or said.returncode != bool(case.checker):
                failed += 1
                print(f"{case.name} -O{level} {processor}: exit {said.returncode}, {sorted(found)} and not "
                      f"{case.checker or 'nothing'}\n{said.stderr[:700]}")
    print(f"{runs} runs of {len(names)} kernels, {sum(names.values())} with a mistake, {failed} not as they should be")
    return 1 if failed or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
