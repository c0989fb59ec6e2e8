// What sources take: a matrix's constants, reals that halves do not hold, signs of lit(), tuples behind other addresses.
// RUN: not %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx1150 -show-encoding %s 2>&1 | FileCheck %s --implicit-check-not=warning:

// CHECK-DAG: v_wmma_f32_16x16x16_bf16 v[2:9], v[0:7], v[8:15], 0.15915494309189532 {{.*}}[0x02,0x40,0x41,0xcc,0x00,0x11,0xe2,0x1b]
v_wmma_f32_16x16x16_bf16 v[2:9], v[0:7], v[8:15], 0.15915494309189532
// CHECK-DAG: :[[@LINE+1]]:{{.*}}error:
v_wmma_i32_16x16x16_iu8 v[8:15], v[1:4], v[2:5], 0.15915494
// CHECK-DAG: :[[@LINE+1]]:{{.*}}error:
v_wmma_f32_16x16x16_bf16 v[2:9], v[0:7], v[8:15], 0x3e22f983
// CHECK-DAG: v_dot2_f16_f16 v2, v8, 0, v8
v_dot2_f16_f16 v2, v8, 1e-30, v8
// CHECK-DAG: v_dot2_f32_bf16 v8, 0.15915494, v0, v1
v_dot2_f32_bf16 v8, 0.15915494, v0, v1
// CHECK-DAG: v_add_f32_e64 v5, -lit(0x5), v1
v_add_f32 v5, -lit(5), v1
// CHECK-DAG: image_sample_d v[4:6], [v0, v0, v158, v8, v[4:8]], s[0:7], s[0:3] dmask:0xb dim:SQ_RSRC_IMG_2D a16
image_sample_d v[4:6], [v0, v0, v158, v8, v[4:8]], s[0:7], s[0:3] dmask:0xb dim:2D a16
// CHECK-DAG: :[[@LINE+1]]:{{.*}}error: not a valid operand.
v_cndmask_b16 v2.h, v1.l, v1.l, s1 op_sel:[0,0,0,1]
// CHECK-DAG: :[[@LINE+1]]:{{.*}}error: scc modifier is not supported on this GPU
s_load_b512 s[40:55], s[8:9], scc
// CHECK-DAG: v_cmp_class_f16_e64_dpp s0, v1, -|v2| row_shl:1 {{.*}}[0x00,0x02,0x7d,0xd4,0xfa,0x04,0x02,0x40,0x01,0x01,0x01,0xff]
v_cmp_class_f16_e64_dpp s0, v1, -|v2| row_shl:1
// CHECK-DAG: :[[@LINE+1]]:{{.*}}error: {{invalid operand|operands are not valid}}
v_dot2_f32_f16_e64_dpp v2, v2, 0x3f800000, v240 row_share:15 row_mask:1
