// Registers in lists in one another, halves behind an index, offsets left out, lit64() where 32 bits are read.
// RUN: %offgrid mc -triple=amdgcn -mcpu=gfx1200 -show-encoding %s | FileCheck %s
// RUN: %offgrid mc -triple=amdgcn -mcpu=gfx1100 -show-encoding -defsym HALVES=1 %s | FileCheck -check-prefix=HALVES %s
// RUN: %offgrid mc -triple=amdgcn -mcpu=gfx1250 -show-encoding -defsym WIDE=1 %s | FileCheck -check-prefix=WIDE %s
// RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx1200 -defsym FAULTS=1 %s 2>&1 | FileCheck -check-prefix=FAULT %s
.ifdef HALVES
// HALVES: v_cmp_eq_i16_e64_dpp s1, v2.h, v8.l op_sel:[1,0] row_share:2
v_cmp_eq_i16_e64_dpp s1, v[2:2].h, v[8].l row_share:2
.else
.ifdef WIDE
// WIDE: v_sub_f32_e64 v0, lit64(0x7fffffff), v4 ; encoding: [0x00,0x00,0x04,0xd5,0xff,0x08,0x02,0x00,0xff,0xff,0xff,0x7f]
v_sub_f32_e64 v0, lit64(0x7fffffff), v4
// WIDE: v_cmp_u_f64_e32 vcc_lo, lit64(0x7e37e43c8800759c), v[254:255] ; encoding: [0xfe,0xfc,0x51,0x7c,0x9c,0x75,0x00,0x88,0x3c,0xe4,0x37,0x7e]
v_cmp_u_f64_e32 vcc_lo, lit64(1e300), v[254:255]
.else
.ifdef FAULTS
// FAULT: :[[#@LINE+1]]:1: error: too few operands for instruction
s_barrier_init
// FAULT: :[[#@LINE+1]]:{{[0-9]+}}: error: {{invalid operand|operands are not valid|not a valid}}
v_cmp_neq_f32 v2, v5 row_mirror
// FAULT: :[[#@LINE+1]]:{{[0-9]+}}: error: {{invalid operand|operands are not valid}}
v_ldexp_f16_e64_dpp v4, v182, 0x3c00 row_ror:14
// FAULT: :[[#@LINE+1]]:61: error: invalid operand for instruction
image_load v0, v1, s[0:7] dmask:1 dim:1D th:TH_LOAD_NT r128 scope:SCOPE_SE
// FAULT: :[[#@LINE+1]]:{{[0-9]+}}: error: unsupported format
tbuffer_load_format_x v2, off, s[96:99], s4 format:[BUF_DATA_FORMAT_INVALID,BUF_NUM_FORMAT_SINT]
// FAULT: :[[#@LINE+1]]:{{[0-9]+}}: error:
image_load v0, [[[[[[[[[[[[v1]]]]]]]]]]]], v2], s[0:7] dmask:1 dim:2D
.else
// CHECK: image_load v255, v2, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D a16 ; encoding: [0x40,0x00,0x40,0xd0,0xff,0x00,0x00,0x00,0x02,0x00,0x00,0x00]
image_load v255, v2, s[0:7] dmask:1 dim:1D a16
// CHECK: image_store v2, [v1, v255, v0], s[0:7]
image_store v2, [[v1], v255, v0], s[0:7] dim:2D_ARRAY
// CHECK: image_sample_lz v[0:2], [v255, v98, v227], s[8:15], s[0:3]
image_sample_lz [v0, v1, v2], [v255, v98, v227], [[s8],s9,s10,s11,s12,s13,s14,s15], s[0:3] dmask:0x9 dim:3D tfe
// CHECK: s_prefetch_inst_pc_rel 0x0, s0, 0 ; encoding: [0x00,0xa0,0x04,0xf4,0x00,0x00,0x00,0x00]
s_prefetch_inst_pc_rel s0, 0
// CHECK: s_prefetch_data s[0:1], 0x0, s0, 0
s_prefetch_data s[0:1], s0, 0
// CHECK: v_ldexp_f16_e64_dpp v4, v182, -16 row_ror:14
v_ldexp_f16_e64_dpp v4, v182, 0xfff0 row_ror:14
// CHECK: v_mul_f32_e64 v0, -lit(0x64), v4 ;
v_mul_f32_e64 v0, neg(lit(100)), v4
// CHECK: v_cmp_le_i16 vcc_lo, v1, v2 row_half_mirror row_mask:0x1 bank_mask:0xf
v_cmp_le_i16 v1, v2 row_half_mirror row_mask:1
// CHECK: s_barrier_init m0 ; encoding: [0x7d,0x51,0x80,0xbe]
s_barrier_init m0
.endif
.endif
.endif
