#!/usr/bin/env python3
"""Nanoseconds of processor time that one wave takes for one instruction: each stands many times in a loop of a kernel of its
own, beside a kernel whose loop is empty. The slowest come first.

usage: instructions.py --offgrid OFFGRID [--processor gfx942] [--level avx512] [--only TEXT]"""
import argparse
import os
import subprocess
import sys
import tempfile

IN_LOOP, WAVES = 64, 8
LOOPS = (50, 4000)  # for what takes microseconds, and where that is over too soon to be measured
ENOUGH = 0.1  # seconds
KERNEL = """.amdgcn_target "amdgcn-amd-amdhsa--{processor}"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_mov_b32 m0, -1
  v_lshlrev_b32 v1, 2, v0
  v_mov_b32 v2, 0x3c003c12
  v_mov_b32 v4, 0x3f800012
  s_mov_b32 s20, {loops}
again:
{body}
  s_sub_u32 s20, s20, 1
  s_cmp_lg_u32 s20, 0
  s_cbranch_scc1 again
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 128
  .amdhsa_next_free_sgpr 64
  .amdhsa_group_segment_fixed_size 1024
  {more}
.end_amdhsa_kernel
"""
COMMON = """v_mov_b32 v10, v2; v_add_f32 v10, v2, v4; v_add_f32_e64 v10, -v2, v4; v_add_f32_e64 v10, v2, v4 clamp
v_fma_f32 v10, v2, v4, v10; v_fma_f32 v10, -v2, |v4|, v10; v_fma_f32 v10, s4, v4, v10; v_fma_f64 v[10:11], v[2:3], v[4:5], v[10:11]
v_mul_lo_u32 v10, v2, v4; v_mad_u64_u32 v[10:11], vcc, v2, v4, v[12:13]; v_rcp_f32 v10, v4; v_exp_f32 v10, v4; v_sin_f32 v10, v4
v_add_f16 v10, v2, v4; v_fma_f16 v10, v2, v4, v10; v_cvt_f16_f32 v10, v4; v_cndmask_b32 v10, v2, v4, vcc
v_cmp_lt_f32 vcc, v2, v4; v_perm_b32 v10, v2, v4, v10; v_bfe_u32 v10, v2, 3, 5; v_med3_f32 v10, v2, v4, v10
v_mov_b32_dpp v10, v2 row_shr:1 row_mask:0xf bank_mask:0xf; v_add_f32_dpp v10, v2, v4 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
v_cvt_pkrtz_f16_f32 v10, v2, v4; v_dot2_f32_f16 v10, v2, v4, v10; v_mad_f16 v10, v2, v4, v10; v_med3_f16 v10, v2, v4, v10
v_dot4_f32_fp8_fp8 v10, v2, v4, v10; v_dot8_i32_iu4 v10, v2, v4, v10; v_mqsad_pk_u16_u8 v[10:11], v[2:3], v4, v[12:13]
v_readlane_b32 s4, v2, 3; v_readfirstlane_b32 s4, v2; v_div_scale_f32 v10, vcc, v2, v4, v2; v_div_fixup_f32 v10, v2, v4, v10
s_add_u32 s4, s5, s6; s_and_b64 s[4:5], s[6:7], s[8:9]"""
OLD = """v_pk_fma_f16 v10, v2, v4, v10; v_pk_add_f16 v10, v2, v4 neg_lo:[1,0]; ds_read_b32 v10, v1; ds_write_b32 v1, v2
ds_add_u32 v1, v2; ds_add_rtn_u32 v10, v1, v2; ds_bpermute_b32 v10, v1, v2; ds_swizzle_b32 v10, v2 offset:0x41f"""
OWN = {"gfx900": "v_add_f32_sdwa v10, v2, v4 dst_sel:DWORD src0_sel:WORD_1 src1_sel:DWORD; v_mad_mix_f32 v10, v2, v4, v10",
       "gfx942": """v_mfma_f32_16x16x16_f16 v[16:19], v[2:3], v[4:5], v[16:19]; v_mfma_f32_32x32x8_f16 v[16:31], v[2:3], v[4:5], v[16:31]
v_mfma_f32_16x16x16_bf16 v[16:19], v[2:3], v[4:5], v[16:19]; v_mfma_f32_16x16x32_fp8_fp8 v[16:19], v[2:3], v[4:5], v[16:19]
v_mfma_i32_16x16x32_i8 v[16:19], v[2:3], v[4:5], v[16:19]; v_mfma_f64_16x16x4_f64 v[16:23], v[2:3], v[4:5], v[16:23]
v_mfma_f32_16x16x4_f32 v[16:19], v2, v4, v[16:19]; v_mfma_f32_4x4x4_16b_f16 v[16:19], v[2:3], v[4:5], v[16:19]
v_cvt_pk_fp8_f32 v10, v2, v4; v_pk_fma_f32 v[10:11], v[2:3], v[4:5], v[10:11]"""}


def seconds(offgrid, processor, instruction, folder, loops):
    """None: the processor has no such instruction."""
    path, made = os.path.join(folder, "k.s"), os.path.join(folder, "k.o")
    more = ".amdhsa_accum_offset 128" if processor in ("gfx90a", "gfx942", "gfx950") else ""
    with open(path, "w", encoding="utf-8") as file:
        file.write(KERNEL.format(processor=processor, loops=loops, more=more, body=f"  {instruction}\n" * IN_LOOP))
    done = subprocess.run([offgrid, "as", f"-mcpu={processor}", path, "-o", made], capture_output=True, check=False)
    if done.returncode:
        return None
    times = []
    for _ in range(3):
        process = subprocess.Popen([offgrid, "run", made, "--kernel", "k", "--grid", str(64 * WAVES), "--group", "64"],
                                   stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{instruction} does not run")
        times.append(usage.ru_utime)
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx942")
    parser.add_argument("--level", default="avx512")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    os.environ["OFFGRID_HOST"] = options.level
    text = COMMON + "\n" + (OLD if options.processor < "gfx93" or options.processor[:4] == "gfx9" else "") + "\n" + \
        OWN.get(options.processor, "")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        empty = [seconds(options.offgrid, options.processor, "", folder, loops) for loops in LOOPS]
        for instruction in filter(None, (part.strip() for part in text.replace("\n", ";").split(";"))):
            if options.only in instruction:
                for loops, nothing in zip(LOOPS, empty):
                    took = seconds(options.offgrid, options.processor, instruction, folder, loops)
                    if took is None or took - nothing > ENOUGH:
                        break
                if took is not None:
                    rows.append((max(took - nothing, 0) / (IN_LOOP * loops * WAVES) * 1e9, instruction))
    for nanoseconds, instruction in sorted(rows, reverse=True):
        print(f"{nanoseconds:9.1f} ns  {instruction}")


if __name__ == "__main__":
    main()
