// The long encodings name what they write; a source may stand for what one carry alone leaves out.
// RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx1100 %s 2>&1 | FileCheck %s
// CHECK: :4:1: error: too few operands for instruction
v_cmp_gt_f32_e64 s1, v0
// CHECK: :6:{{[0-9]+}}: error: invalid operand for instruction
v_add_co_ci_u32_e32 v0, v1, v2, vcc_lo
