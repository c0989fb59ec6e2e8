// Matrices with scales: the bytes of the scales are the lowest unless chosen, and sources may overlap the result.
// RUN: %offgrid mc -arch=amdgcn -mcpu=gfx950 -show-encoding %s | FileCheck %s
// CHECK: v0, v1 op_sel_hi:[0,0,0] {{.*}}[0x00,0x00,0xac,0xd3,0x00,0x03,0x02,0x00,0x00,0x08,0xae,0xd3,0x02,0x11,0x02,0x1c]
v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], a[2:9], a[8:15], v[0:15], v0, v1
// CHECK: v0, v1 op_sel:[1,1,0] op_sel_hi:[0,1,0] {{.*}}[0x00,0x18,0xac,0xd3,0x00,0x03,0x02,0x10,0x00,0x08,0xad,0xd3,0x02,0x11,0x02,0x1c]
v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], a[2:9], a[8:15], v[0:3], v0, v1 op_sel:[1,1,1] op_sel_hi:[0,1,1]
// CHECK: v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[0:7], a[8:15], v[8:23]
v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[0:7], a[8:15], v[8:23]
