// Two instructions in one, and what their halves may not share.
// RUN: %offgrid as -mcpu=gfx1100 --show-encoding -defsym=FAULTS=0 %s | FileCheck %s
// RUN: not %offgrid as -mcpu=gfx1100 --show-encoding -defsym=FAULTS=1 %s 2>&1 | FileCheck --check-prefix=FAULT --implicit-check-not=error: %s
// RUN: %offgrid as -mcpu=gfx1250 --show-encoding -defsym=FAULTS=2 %s | FileCheck --check-prefix=WIDE %s

.if FAULTS == 0
v_dual_fmaak_f32 v1, v2, v3, 0x1234 :: v_dual_mov_b32 v4, 0x1234
// CHECK: v_dual_fmaak_f32 v1, v2, v3, 0x1234 :: v_dual_mov_b32 v4, 0x1234 ; encoding: [0x02,0x07,0x50,0xc8,0xff,0x00,0x04,0x01,0x34,0x12,0x00,0x00]
// Names may be in capitals, the second with a comma.
v_dual_mov_b32 v0, v1 :: v_dual_mov_b32, v3, v2
// CHECK: v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v2 ; encoding: [0x01,0x01,0x10,0xca,0x02,0x01,0x02,0x00]
V_DUAL_MOV_B32 v0, v1 :: V_DUAL_MOV_B32 v3, v2
// CHECK: v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v2 ; encoding: [0x01,0x01,0x10,0xca,0x02,0x01,0x02,0x00]
v_dual_cndmask_b32 v1, v2, v3 :: v_dual_cndmask_b32 v4, v5, v6
// CHECK: v_dual_cndmask_b32 v1, v2, v3 :: v_dual_cndmask_b32 v4, v5, v6 ; encoding: [0x02,0x07,0x52,0xca,0x05,0x0d,0x04,0x01]
v_dual_mov_b32 v0, 1.0 :: v_dual_mov_b32 v1, 0x3f800000
// CHECK: v_dual_mov_b32 v0, 1.0 :: v_dual_mov_b32 v1, 1.0 ; encoding: [0xf2,0x00,0x10,0xca,0xf2,0x00,0x00,0x00]
v_dual_mov_b32 v0, v1::v_dual_lshlrev_b32 v255, -4, v2
// CHECK: v_dual_mov_b32 v0, v1 :: v_dual_lshlrev_b32 v255, -4, v2 ; encoding: [0x01,0x01,0x22,0xca,0xc4,0x04,0xfe,0x00]
v_dual_mov_b32_e32 v0, lds_direct :: v_dual_mul_f32 v1, v2, v3
// CHECK: v_dual_mov_b32 v0, src_lds_direct :: v_dual_mul_f32 v1, v2, v3 ; encoding: [0xfe,0x00,0x06,0xca,0x02,0x07,0x00,0x00]
.set five, 5
v_dual_mov_b32 v0, five+0 :: v_dual_mul_f32 v1, five, v3
// CHECK: v_dual_mov_b32 v0, 5 :: v_dual_mul_f32 v1, 5, v3
.elseif FAULTS == 1
.set five, 5
v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v2 ::
// FAULT: :[[@LINE-1]]:50: error: expected a VOPDY instruction after ::
v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v2 :: v_dual_mov_b32 v4, v4
// FAULT: :[[@LINE-1]]:48: error: invalid operand for instruction
v_mov_b32 v0, v1 ::
// FAULT: :[[@LINE-1]]:20: error: expected a VOPDY instruction after ::
v_mov_b32 v0, v1 :: v_mov_b32 v1, v2
// FAULT: :[[@LINE-1]]:18: error: invalid operand for instruction
v_dual_mov_b32 v0, five :: v_dual_mov_b32 v1, v2
// FAULT: :[[@LINE-1]]:20: error: not a valid operand.
v_dual_add_f32 v1, lds_direct, v3 :: v_dual_add_f32 v4, v1, v5
// FAULT: :[[@LINE-1]]:57: error: src0 operands must use different VGPR banks
v_dual_add_f32 v1, 0x55, v3 :: v_dual_add_f32 v4, 0x66, v5
// FAULT: :[[@LINE-1]]:51: error: only one unique literal operand is allowed
v_dual_add_f32 v1, v2, v3 :: v_dual_add_f32 v3, v5, v5
// FAULT: :[[@LINE-1]]:45: error: one dst register must be even and the other odd
v_dual_add_f32 v1, v2, v3 :: v_dual_add_f32 v4, v6, v5
// FAULT: :[[@LINE-1]]:49: error: src0 operands must use different VGPR banks
v_dual_add_f32 v1, v2, v3 :: v_dual_add_f32 v4, v5, v7
// FAULT: :[[@LINE-1]]:53: error: src1 operands must use different VGPR banks
v_dual_fmac_f32 v1, v2, v3 :: v_dual_fmamk_f32 v2, v5, 0x55, v7
// FAULT: :[[@LINE-1]]:62: error: src2 operands must use different VGPR banks
v_dual_add_f32 v1, s2, v3 :: v_dual_cndmask_b32 v4, s5, v6
// FAULT: :[[@LINE-1]]:53: error: invalid operand (violates constant bus restrictions)
// As written they are two, in 64 bits.
v_dual_fmaak_f32 v8, s1, v4, -1 :: v_dual_fmaak_f32 v253, 1.0, v3, 0xffffffff
// FAULT: :[[@LINE-1]]:68: error: only one unique literal operand is allowed
// Operands are their own half's, however many both have together.
v_dual_add_f32 v1, v2 :: v_dual_add_f32 v4, v3, v6, v5
// FAULT: :[[@LINE-1]]:23: error: invalid operand for instruction
v_dual_mov_b32 v1, v2, v4 :: v_dual_mov_b32 v5
// FAULT: :[[@LINE-1]]:24: error: invalid operand for instruction
v_dual_mov_b32 v1 :: v_dual_mov_b32 v2, v4, v5
// FAULT: :[[@LINE-1]]:19: error: invalid operand for instruction
v_dual_mov_b32 v0, v1
// FAULT: :[[@LINE-1]]:1: error: too few operands for instruction
v_dual_mov_b32 v0, v1 ::
// FAULT: :[[@LINE-1]]:25: error: expected a VOPDY instruction after ::
v_dual_mov_b32 v0, v1 :: v_mov_b32 v1, v2
// FAULT: :[[@LINE-1]]:26: error: invalid VOPDY instruction
.else
v_dual_add_f32 v1, -v2, v3 :: v_dual_add_f32 v3, v5, v6
// WIDE: v_dual_add_f32 v1, -v2, v3 :: v_dual_add_f32 v3, v5, v6 ; encoding: [0x02,0x41,0x10,0xcf,0x05,0x03,0x03,0x00,0x01,0x06,0x00,0x03]
// A sign goes to VOPD3, into the constant where that has no literals; the sums of halves of bf16 are VOPD3 anyway.
v_dual_add_f32 v8, neg(1.0), v2 :: v_dual_sub_f32 v1, v0, v0
// WIDE: v_dual_add_f32 v8, neg(1.0), v2 :: v_dual_sub_f32 v1, v0, v0 ; encoding: [0xf2,0x50,0x10,0xcf,0x00,0x03,0x02,0x00,0x08,0x00,0x00,0x01]
v_dual_add_f32 v8, neg(1.5), v2 :: v_dual_sub_f32 v1, v0, v0
// WIDE: v_dual_add_f32 v8, 0xbfc00000, v2 :: v_dual_sub_f32 v1, v0, v0 ; encoding: [0xff,0x04,0x0a,0xc9,0x00,0x01,0x00,0x08,0x00,0x00,0xc0,0xbf]
v_dual_dot2acc_f32_bf16 v8, v9, v205 :: v_dual_mov_b32 v253, 2
// WIDE: v_dual_dot2acc_f32_bf16 v8, v9, v205 :: v_dual_mov_b32 v253, 2 ; encoding: [0x09,0x81,0x34,0xcf,0x82,0x00,0xcd,0x00,0x08,0x00,0x00,0xfd]
v_dual_mov_b32 v0, v2 :: v_dual_bitop2_b32 v3, v5, v6 bitop3:0x44
// WIDE: v_dual_mov_b32 v0, v2 :: v_dual_bitop2_b32 v3, v5, v6 bitop3:0x44 ; encoding: [0x02,0x21,0x21,0xcf,0x05,0x01,0x00,0x00,0x00,0x06,0x44,0x03]
.endif
