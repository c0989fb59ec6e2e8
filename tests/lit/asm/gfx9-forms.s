// Forms that LLVM takes beside the plain ones, on gfx9.
// RUN: not %offgrid mc -arch=amdgcn -mcpu=gfx900 -show-encoding %s 2>%t.errors | FileCheck %s
// RUN: FileCheck --check-prefix=ERR %s <%t.errors

// The result of a short comparison can only be VCC and may be left out.
// CHECK: v_cmp_lt_f32_e32 vcc, v0, v1 {{.*}}[0x00,0x03,0x82,0x7c]
v_cmp_lt_f32 v0, v1
// CHECK: v_cmp_eq_u64_e32 vcc, vcc, v[2:3] {{.*}}[0x6a,0x04,0xd4,0x7d]
v_cmp_eq_u64 vcc, v[2:3]
// CHECK: v_cmpx_lt_f32_e32 vcc, 0x1234, v1 {{.*}}[0xff,0x02,0xa2,0x7c,0x34,0x12,0x00,0x00]
v_cmpx_lt_f32_e32 0x1234, v1
// ERR: [[#@LINE+1]]:14: error: not a valid operand.
v_cmp_lt_f32 -|1.0|, v1
// ERR: [[#@LINE+1]]:18: error: invalid operand for instruction
v_cmp_lt_f32_e64 v0, v1

// The constant of v_madmk_f16 has four bytes, its text two.
// CHECK: v_madmk_f16 v8, v2, 0xfff6, v155 {{.*}}[0x02,0x37,0x11,0x48,0xf6,0xff,0xff,0xff]
v_madmk_f16 v8, v2, -10, v155
// CHECK: v_madak_f16 v8, 0xff9c, v2, 0xff9c {{.*}}[0xff,0x04,0x10,0x4a,0x9c,0xff,0xff,0xff]
v_madak_f16 v8, -100, v2, -100
// ERR: [[#@LINE+1]]:29: error: only one unique literal operand is allowed
v_madak_f16 v8, 0xff9c, v2, -100
// ERR: [[#@LINE+1]]:33: error: only one unique literal operand is allowed
v_madak_f32 v8, 0x80000000, v2, -0x80000000
// CHECK: s_add_u32 s0, 0xffffff9c, 0xffffff9c
s_add_u32 s0, -100, 0xffffff9c

// CHECK: s_load_dword s0, s[0:1], 0x0 {{.*}}[0x00,0x00,0x02,0xc0,0x00,0x00,0x00,0x00]
s_load_dword s0, s[0:1], 0.0
// ERR: [[#@LINE+1]]:26: error:
s_load_dword s0, s[0:1], -0.0

// A lane chosen by m0 costs the constant bus nothing; data of LDS stand where vector registers do.
// CHECK: v_writelane_b32 v4, s35, m0 {{.*}}[0x04,0x00,0x8a,0xd2,0x23,0xf8,0x00,0x00]
v_writelane_b32 v4, s35, m0
// ERR: [[#@LINE+1]]:25: error: invalid operand (violates constant bus restrictions)
v_writelane_b32 v4, m0, s1
// ERR: [[#@LINE+1]]:1: error: operands are not valid for this GPU or mode
v_writelane_b32 v4, lds_direct, s1
// CHECK: v_readlane_b32 s1, src_lds_direct, 1 {{.*}}[0x01,0x00,0x89,0xd2,0xfe,0x02,0x01,0x00]
v_readlane_b32 s1, lds_direct, 1
// CHECK: v_readfirstlane_b32 s1, src_lds_direct {{.*}}[0xfe,0x04,0x02,0x7e]
v_readfirstlane_b32 s1, lds_direct

// The second source is an integer that has a half's type.
// CHECK: v_ldexp_f16_sdwa v1, v2, -1 dst_sel
v_ldexp_f16_sdwa v1, v2, 0xffff
// ERR: [[#@LINE+1]]:26: error: invalid operand for instruction
v_ldexp_f16_sdwa v1, v2, 0x3c00
// ERR: [[#@LINE+1]]:26: error: invalid operand for instruction
v_ldexp_f16_sdwa v1, v2, 0x3f800000

// "scc" without a comma before it is the register that is missing; a modifier where loads to LDS may have one.
// CHECK: buffer_store_dword v0, off, s[0:3], src_scc
buffer_store_dword v0, off, s[0:3] scc
// CHECK: scratch_load_short_d16 v2, off, src_scc
scratch_load_short_d16 v2, off, scc
// ERR: [[#@LINE+1]]:29: error: scc modifier is not supported on this GPU
scratch_load_dword v2, off, scc

// ERR: [[#@LINE+1]]:26: error: duplicate field
s_getreg_b32 s4, {id: 3, id: 1}
// CHECK: s_getreg_b32 s0, hwreg(0) {{.*}}[0x00,0xf8,0x80,0xb8]
s_getreg_b32 s0, {}

// VCC as the carry of an addition may be left out too, but not where one comes in.
// CHECK: v_add_co_u32_e32 v0, vcc, v1, v2 {{.*}}[0x01,0x05,0x00,0x32]
v_add_co_u32 v0, v1, v2
// ERR: [[#@LINE+1]]:{{.*}} error:
v_addc_co_u32 v0, v1, v2

// Blanks may stand behind a sign and before a parenthesis.
// CHECK: v_add_f64 v[2:3], -1.0, 16 {{.*}}[0x02,0x00,0x80,0xd2,0xf3,0x20,0x01,0x00]
v_add_f64 v[2:3], - 1.0, 16
// CHECK: v_add_f32_e64 v0, -|v1|, v2
v_add_f32 v0, neg ( abs (v1) ), v2
// CHECK: v_mov_b32_e32 v0, lit(0x1)
v_mov_b32 v0, lit (1)
// CHECK: s_waitcnt vmcnt(0)
s_waitcnt vmcnt (0)
// ERR: [[#@LINE+1]]:25: error: invalid syntax, expected 'neg' modifier
v_rcp_iflag_f32_e32 v1, - -12

// CHECK: v_add_f32_e32 v0, lit(0xbf800000), v1
v_add_f32 v0, neg(lit(1.0)), v1
// CHECK: v_mov_b32_e32 v0, 0x7f800000
v_mov_b32 v0, 1e400
// CHECK: v_add_f16_e32 v0, 0x7c00, v1
v_add_f16 v0, 1e400, v1
// ERR: [[#@LINE+1]]:15: error: expected left paren after lit
v_mov_b32 v0, lit
// ERR: [[#@LINE+1]]:19: error: expected an absolute expression
v_mov_b32 v0, lit(symbol)
// ERR: [[#@LINE+1]]:15: error: lit64 is not supported on this GPU
v_add_f32 v0, lit64( 1.0), v1

// Specifiers are taken in any case, and behind a whole expression.
// CHECK: v_mov_b32_e32 v0, symbol@rel32@lo+4+2
v_mov_b32 v0, symbol@REL32@Lo+4+2
// CHECK: v_mov_b32_e32 v0, symbol@abs32@hi-4
v_mov_b32 v0, (symbol-4)@abs32@hi
// CHECK: v_mov_b32_e32 v0, symbol@gotpcrel
v_mov_b32 v0, symbol @gotpcrel
// ERR: [[#@LINE+1]]:43: error: invalid operand for instruction
buffer_load_dword v0, off, s[0:3], 0 glc, slc
// CHECK: v_mov_b32_e32 v0, --symbol
v_mov_b32 v0, - -symbol
// ERR: [[#@LINE+1]]:42: error: duplicate cache policy modifier
buffer_load_dword v0, off, s[0:3], 0 glc noglc
// CHECK: v_interp_p2_f16 v8, v1, attr32.z, v1 op_sel:[0,0,1,0]
v_interp_p2_f16 v8, v1, attr32.z, v1 op_sel:[0,1,1]
// A sign stays in the text, as many bits of it as there are in the code.
// CHECK: s_nop -1 {{.*}}[0xff,0xff,0x80,0xbf]
s_nop -1
// CHECK: s_sleep 0xffff8000 {{.*}}[0x00,0x80,0x8e,0xbf]
s_sleep -0x8000
// CHECK: s_atc_probe -1, s[0:1], s2 {{.*}}[0xc0,0x1f,0x98,0xc0,0x02,0x00,0x00,0x00]
s_atc_probe -1, s[0:1], s2
// ERR: [[#@LINE+1]]:13: error: invalid operand for instruction
s_atc_probe 128, s[0:1], s2
// ERR-NOT: error:
