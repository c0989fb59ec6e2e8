#!/usr/bin/env python3
"""An imaginary generation with three instructions of its own, told in a dozen lines beside the project's tables
(new_generation/): a command built with them assembles, prints, lints and runs its code, and what it inherits.

new_generation.py OFFGRID    (built with -DOG_EXTRA_TABLES=tests/programs/new_generation)"""
import os
import struct
import subprocess
import sys
import tempfile

KERNEL = """
.amdgcn_target "amdgcn-amd-amdhsa--gfx1300"
.text
.globl f
.p2align 8
.type f,@function
f:
  s_load_b64 s[2:3], s[0:1], 0x0
  v_and_b32 v0, 31, v0
  s_mov_b32 s4, 7
  s_mov_b32 s5, 12
  s_mean_u32 s4, s4, s5
  v_add_twice_u32 v1, s4, v0
  v_cvt_f32_i32 v2, v0
  v_add_f32 v2, -4.0, v2
  v_step_f32 v2, v2
  v_cvt_u32_f32 v2, v2
  v_xor_add_u32 v1, v2, 1, v1
  v_add3_u32 v1, v1, v2, 0
  v_lshlrev_b32 v0, 2, v0
  s_wait_kmcnt 0x0
  global_store_b32 v0, v1, s[2:3]
  s_endpgm
.Lend:
.size f, .Lend-f
.rodata
.p2align 6
.amdhsa_kernel f
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx1300
amdhsa.kernels:
  - .name: f
    .symbol: f.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 8
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - {.address_space: global, .name: out, .offset: 0, .size: 8, .value_kind: global_buffer}
.end_amdgpu_metadata
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit("%s failed:\n%s%s" % (" ".join(command), done.stdout[-4000:], done.stderr[-4000:]))
    return done.stdout


def expected(lane):
    step = int(lane >= 4)
    value = 9 + 2 * lane
    return (step ^ 1) + value + step


def main():
    offgrid = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        kernel = os.path.join(folder, "f.s")
        with open(kernel, "w", encoding="utf-8") as out:
            out.write(KERNEL)
        linked = os.path.join(folder, "f.co")
        run(offgrid, "as", "-mcpu=gfx1300", kernel, "-o", linked + ".o")
        run(offgrid, "ld", "-shared", linked + ".o", "-o", linked)
        text = run(offgrid, "objdump", "-d", linked)
        for line in ("s_mean_u32 s4, s4, s5", "v_add_twice_u32 v1, s4, v0", "v_step_f32_e32 v2, v2",
                     "v_xor_add_u32 v1, v2, 1, v1", "v_add3_u32 v1, v1, v2, 0"):
            assert line in text, "%s is not in:\n%s" % (line, text)
        lint = run(offgrid, "lint", linked)
        assert not lint.strip(), lint
        result = os.path.join(folder, "out")
        run(offgrid, "run", linked, "--kernel", "f", "--grid", "32", "--group", "32", "--arg", "out:%s:128" % result)
        with open(result, "rb") as data:
            values = struct.unpack("<32I", data.read())
        assert values == tuple(map(expected, range(32))), values


main()
