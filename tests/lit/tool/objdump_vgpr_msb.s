// The registers that s_set_vgpr_msb means stand behind those that the bits name, until code ends or a label comes.
// RUN: %offgrid as -mcpu=gfx1250 -o %t.o %s
// RUN: %offgrid objdump -d %t.o | FileCheck %s
f:
s_set_vgpr_msb 0xe4
// CHECK: v_fma_f32 v1 /*v769*/, v2, -|v3 /*v259*/|, v4 /*v516*/{{ *}}//
v_fma_f32 v1, v2, -|v3|, v4
// CHECK: v_add_f64_e64 v[2:3] /*v[770:771]*/, v[4:5], v[6:7] /*v[262:263]*/{{ *}}//
v_add_f64_e64 v[2:3], v[4:5], v[6:7]
// CHECK: v_fmamk_f32 v1 /*v769*/, v2, 0x1234, v3 /*v515*/{{ *}}//
v_fmamk_f32 v1, v2, 0x1234, v3
// CHECK: global_store_b32 v[2:3], v4 /*v260*/, off{{ *}}//
global_store_b32 v[2:3], v4, off
// CHECK: buffer_store_b32 v1 /*v769*/, v2, s[4:7], s3 offen{{ *}}//
buffer_store_b32 v1, v2, s[4:7], s3 offen
// CHECK: v_dual_fmac_f32 v1 /*v769*/, v2, v3 /*v259*/ :: v_dual_add_f32 v2 /*v770*/, v5, v8 /*v264*/{{ *}}//
v_dual_fmac_f32 v1, v2, v3 :: v_dual_add_f32 v2, v5, v8
// CHECK: v_wmma_ld_scale16_paired_b64 s[42:43], v[232:233] matrix
v_wmma_ld_scale16_paired_b64 s[42:43], v[232:233] matrix_a_scale_fmt:MATRIX_SCALE_FMT_E4M3
s_branch f
// CHECK: s_branch
// CHECK-NEXT: v_mov_b32_e32 v1, v2{{ *}}//
v_mov_b32 v1, v2
s_set_vgpr_msb 0x1155
// CHECK: v_mov_b32_e32 v1 /*v257*/, v255 /*v511*/{{ *}}//
v_mov_b32 v1, v255
g:
// CHECK: v_mov_b32_e32 v1, v3{{ *}}//
v_mov_b32 v1, v3
