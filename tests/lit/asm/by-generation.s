// What an operand or a modifier may be on one generation and not on another, as llvm-mc takes it.
// RUN: %offgrid as -mcpu=gfx1200 --show-encoding -D GFX12=1 %s -o - | FileCheck --check-prefix=GFX12 %s
// RUN: %offgrid as -mcpu=gfx1100 --show-encoding -D GFX11=1 %s -o - | FileCheck --check-prefix=GFX11 %s
// RUN: %offgrid as -mcpu=gfx1030 --show-encoding -D GFX10=1 %s -o - | FileCheck --check-prefix=GFX10 %s
// RUN: %not %offgrid as -mcpu=gfx1200 -D WRONG=1 %s -o %t.o 2>&1 | FileCheck --check-prefix=WRONG %s
.ifdef GFX12
// GFX12: s_getreg_b32 s0, hwreg(HW_REG_WAVE_MODE) ;
s_getreg_b32 s0, hwreg(HW_REG_MODE)
// GFX12: ds_direct_load v2 wait_va_vdst:1 wait_vm_vsrc:0 ;
ds_direct_load v2 wait_va_vdst:1
// GFX12: v_dot4_f32_fp8_fp8 v0, v1, v2, 0x3c00 ; encoding: [0x00,0x40,0x26,0xcc,0x01,0x05,0xfe,0x1b,0x00,0x3c,0x00,0x00]
v_dot4_f32_fp8_fp8 v0, v1, v2, 0x3c00
// GFX12: v_wmma_f32_16x16x16_bf16 v[1:8], v[1:4], v[0:3], 0.15915494 ; encoding: [0x01,0x40,0x41,0xcc,0x01,0x01,0xe2,0x1b]
v_wmma_f32_16x16x16_bf16 v[1:8], v[1:4], v[0:3], 0.15915494
// GFX12: v_fma_mixlo_f16 v0, 0x3e00, v1, v2 ; encoding: [0x00,0x00,0x21,0xcc,0xff,0x02,0x0a,0x04,0x00,0x3e,0x00,0x00]
v_fma_mixlo_f16 v0, 1.5, v1, v2
// GFX12: s_max_i32 s2, 19, lit(0xfffffffffffffffe) ; encoding: [0x93,0xff,0x02,0x8a,0xfe,0xff,0xff,0xff]
s_max_i32 s2, 19, lit(-2)
.endif
.ifdef GFX11
// A sign as a modifier leaves the literal as it is: both sources have the same.
// GFX11: v_add_f32_e64 v0, neg(0xffff9000), 0xffff9000 ; encoding: [0x00,0x00,0x03,0xd5,0xff,0xfe,0x01,0x20,0x00,0x90,0xff,0xff]
v_add_f32_e64 v0, neg(-0x7000), -0x7000
// GFX11: s_sendmsg sendmsg(47, 0, 0) ; encoding: [0x2f,0x00,0xb6,0xbf]
s_sendmsg sendmsg(MSG_SYSMSG, SYSMSG_OP_REG_RD)
// GFX11: v_interp_p2_f16_f32 v1.l, -v2.h, -|v213|, v1 wait_exp:1 ; encoding: [0x01,0x09,0x03,0xcd,0x02,0xab,0x07,0x64]
v_interp_p2_f16_f32_e64 v1.l, neg(v2.h), -abs(v213), v1 wait_exp:1
// GFX11: v_fmac_f16_e64 v0.h, v255.l, v8.h op_sel:[0,1,1,1] ; encoding: [0x00,0x50,0x36,0xd5,0xff,0x11,0x02,0x00]
v_fmac_f16 v0.h, v255.l, v8.h
.endif
.ifdef GFX10
// GFX10: v_dot4_i32_i8 v5, v1, sym, v2 ;
v_dot4_i32_i8 v5, v1, sym, v2
// GFX10: v_cndmask_b32_dpp v4, v1, v0, vcc_lo row_mirror row_mask:0xf bank_mask:0xf ; encoding: [0xfa,0x00,0x08,0x02,0x01,0x40,0x01,0xff]
v_cndmask_b32_dpp v4, v1, v0 row_mirror
// GFX10: v_cndmask_b32_e32 v0, 0x82f679a0, v8, vcc_lo ; encoding: [0xff,0x10,0x00,0x02,0xa0,0x79,0xf6,0x82]
v_cndmask_b32 v0, -abs(49707424), v8, vcc_lo
// GFX10: v_cvt_f32_ubyte1_e32 v162, 2.0 ; encoding: [0xf4,0x24,0x44,0x7f]
v_cvt_f32_ubyte1 v162, sext(2.0)
// GFX10: v_ldexp_f16_e64 v0, v1, 0x3e00 ; encoding: [0x00,0x00,0x3b,0xd5,0x01,0xff,0x01,0x00,0x00,0x3e,0x00,0x00]
v_ldexp_f16_e64 v0, v1, 1.5
// GFX10: global_load_dword_addtid v8, exec ; encoding: [0x00,0x80,0x58,0xdc,0x00,0x00,0x7e,0x08]
global_load_dword_addtid v8, exec
.endif
.ifdef WRONG
// WRONG: :[[#@LINE+1]]:18: error: not a valid operand.
v_add_nc_u32 v0, sext(-1), v1
// WRONG: :[[#@LINE+1]]:32: error:
s_getreg_b32 s0, {size: 5, id: HW_REG_WAVE_MODE}
// WRONG: :[[#@LINE+1]]:19: error:
ds_direct_load v2 wait_vdst:1
// WRONG: :[[#@LINE+1]]:13: error: invalid operand for instruction
v_s_rsq_f32 exec_lo, s1
// WRONG: :[[#@LINE+1]]:30: error: invalid operand (violates constant bus restrictions)
v_lshrrev_b64 v[0:1], 0x123, 0x123
// WRONG: :[[#@LINE+1]]:29: error: only one unique literal operand is allowed
s_fmamk_f32 s0, 0x7fffffff, 23, 58
// WRONG: :[[#@LINE+1]]:1: error: e32 variant of this instruction is not supported
v_interp_p10_f16_f32_e32 v4, v8, v8, v4
// WRONG: [[#@LINE+1]]:17: error: not a valid operand.
v_fmamk_f32 v0, |32|, 0x11213141, v8
.endif
