// What stands for constants on gfx1250: special registers as matrices, the literal that v_fmamk_f64 has anyway, signs.
// RUN: %offgrid mc -triple=amdgcn -mcpu=gfx1250 -show-encoding %s | FileCheck %s
// CHECK: v_wmma_f16_16x16x16_f16 v[0:3], v[0:3], v[0:3], null ; encoding: [0x00,0x40,0x42,0xcc,0x00,0x01,0xf2,0x19]
v_wmma_f16_16x16x16_f16 v[0:3], v[0:3], v[0:3], null
// CHECK: v_wmma_f16_16x16x16_f16 v[0:3], v[0:3], v[0:3], src_shared_limit ; encoding: [0x00,0x40,0x42,0xcc,0x00,0x01,0xb2,0x1b]
v_wmma_f16_16x16x16_f16 v[0:3], v[0:3], v[0:3], shared_limit
// CHECK: v_wmma_bf16_16x16x16_bf16 v[0:3], v[0:3], v[0:3], -16 ; encoding: [0x00,0x40,0x43,0xcc,0x00,0x01,0x42,0x1b]
v_wmma_bf16_16x16x16_bf16 v[0:3], v[0:3], v[0:3], 0xfff0
// CHECK: v_fmamk_f64 v[8:9], 0x3ff80000, 0x3ff80000, v[2:3] ; encoding: [0xfe,0x04,0x10,0x46,0x00,0x00,0x00,0x00,0x00,0x00,0xf8,0x3f]
v_fmamk_f64 v[8:9], 1.5, 1.5, v[2:3]
// CHECK: v_fmaak_f64 v[8:9], 0x123456789a, v[2:3], 0x123456789a ; encoding: [0xfe,0x04,0x10,0x48,0x9a,0x78,0x56,0x34,0x12,0x00,0x00,0x00]
v_fmaak_f64 v[8:9], 0x123456789a, v[2:3], 0x123456789a
// CHECK: v_fmamk_f64 v[8:9], lit64(0x64), lit64(0x64), v[2:3] ; encoding: [0xfe,0x04,0x10,0x46,0x64,0x00,0x00,0x00,0x00,0x00,0x00,0x00]
v_fmamk_f64 v[8:9], lit64(100), lit64(100), v[2:3]
// CHECK: v_fmamk_f64 v[8:9], v[0:1], lit(0x6400000000), v[2:3] ; encoding: [0x00,0x05,0x10,0x46,0x00,0x00,0x00,0x00,0x64,0x00,0x00,0x00]
v_fmamk_f64 v[8:9], v[0:1], lit(100), v[2:3]
// CHECK: v_cos_bf16_e32 v4, 0x8040 ; encoding: [0xff,0xfe,0x08,0x7e,0x40,0x80,0x00,0x00]
v_cos_bf16 v4, neg(64)
// CHECK: v_fma_mix_f32_bf16_e64_dpp v0, v1, v2, 0.15915494 dpp8:[0,0,0,0,0,0,0,0]
v_fma_mix_f32_bf16_e64_dpp v0, v1, v2, 0.15915494 dpp8:[0,0,0,0,0,0,0,0]
// CHECK: v_dual_mul_f32 v0, 0x80000064, v1 :: v_dual_sub_f32 v9, v4, v2
v_dual_mul_f32 v0, neg(100), v1 :: v_dual_sub_f32 v9, v4, v2
// The implicit vcc and the one named are the same value.
// CHECK: v_div_fmas_f64 v[92:93], 0x1, vcc, v[114:115]
v_div_fmas_f64 v[92:93], 0x100000000, [vcc_lo,vcc_hi], v[114:115]
