// Constants that gfx1250 does not take.
// RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx1250 %s 2>&1 | FileCheck %s
// CHECK: :4:24: error: invalid operand for instruction
v_dual_mul_f32 v0, neg(-17), v1 :: v_dual_sub_f32 v9, v4, v2
// CHECK: :6:57: error: invalid syntax, expected 'neg' modifier
v_dual_ashrrev_i32 v255, v8, v255 :: v_dual_max_i32 v0, --17, v217
// CHECK: :8:{{[0-9]+}}: error: {{invalid operand|operands are not valid}}
v_rsq_f64_e64 v[254:255], neg(|0x100000000|)
// CHECK: :10:40: error: invalid operand for instruction
tensor_load_to_lds s[100:103], s[0:7], null, s[96:99]
// CHECK: :12:49: error: invalid operand for instruction
v_wmma_f16_16x16x16_f16 v[0:3], v[0:3], v[0:3], 0xfffffff0
// CHECK: :14:{{[0-9]+}}: error: invalid operand (violates constant bus restrictions)
v_div_fmas_f32 v2, 21, vcc_lo, s105
// lds_direct is in the bank of v1.
// CHECK: :17:{{[0-9]+}}: error: src0 operands must use different VGPR banks
v_dual_max_num_f32 v4, src_lds_direct, v255 :: v_dual_fmac_f32 v1, v1, v9
