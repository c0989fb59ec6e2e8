// The result of comparisons and the carries of additions are vcc where the text leaves them out, in the short encodings.
// RUN: %offgrid mc -triple=amdgcn -mcpu=gfx1100 -show-encoding %s | FileCheck %s
// RUN: %offgrid mc -triple=amdgcn -mcpu=gfx1100 -mattr=+wavefrontsize64 -show-encoding %s | FileCheck -check-prefix=WAVE64 %s
// CHECK: v_cmp_gt_f32_e32 vcc_lo, v1, v0 ; encoding: [0x01,0x01,0x28,0x7c]
// WAVE64: v_cmp_gt_f32_e32 vcc, v1, v0 ; encoding: [0x01,0x01,0x28,0x7c]
v_cmp_gt_f32 v1, v0
// CHECK: v_cmp_gt_f32_e32 vcc_lo, vcc_lo, v0 ; encoding: [0x6a,0x00,0x28,0x7c]
v_cmp_gt_f32 vcc_lo, v0
// CHECK: v_cmp_gt_f16_e32 vcc_lo, v1.l, v0.h ; encoding: [0x01,0x01,0x09,0x7c]
v_cmp_gt_f16_e32 v1.l, v0.h
// CHECK: v_cmp_gt_f32 vcc_lo, v1, v0 row_shl:1 row_mask:0xf bank_mask:0xf ; encoding: [0xfa,0x00,0x28,0x7c,0x01,0x01,0x01,0xff]
v_cmp_gt_f32 v1, v0 row_shl:1
// CHECK: v_add_co_ci_u32_e32 v0, vcc_lo, v1, v2, vcc_lo ; encoding: [0x01,0x05,0x00,0x40]
// WAVE64: v_add_co_ci_u32_e32 v0, vcc, v1, v2, vcc ; encoding: [0x01,0x05,0x00,0x40]
v_add_co_ci_u32 v0, v1, v2
// CHECK: v_subrev_co_ci_u32_dpp v0, vcc_lo, v1, v2, vcc_lo row_shl:1
v_subrev_co_ci_u32_dpp v0, v1, v2 row_shl:1
