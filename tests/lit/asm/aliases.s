// Names that other generations gave an instruction, and older spellings.
// RUN: %offgrid mc -mcpu=gfx1100 -show-encoding -defsym GFX11=1 %s | FileCheck --check-prefix=GFX11 %s
// RUN: %offgrid mc -mcpu=gfx942 -show-encoding -defsym GFX942=1 %s | FileCheck --check-prefix=GFX942 %s
// RUN: %offgrid mc -mcpu=gfx1200 -show-encoding -defsym GFX12=1 %s | FileCheck --check-prefix=GFX12 %s

.ifdef GFX11
global_load_dword v0, v[0:1], off
// GFX11: global_load_b32 v0, v[0:1], off ; encoding: [0x00,0x00,0x52,0xdc,0x00,0x00,0x7c,0x00]
v_add_u32 v0, v1, v2
// GFX11: v_add_nc_u32_e32 v0, v1, v2 ; encoding: [0x01,0x05,0x00,0x4a]
v_dot2c_f32_f16_dpp v0, v1, v2 row_shl:1
// GFX11: v_dot2acc_f32_f16_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf ; encoding: [0xfa,0x04,0x00,0x04,0x01,0x01,0x01,0xff]
v_dot4_i32_i8 v0, v1, v2, v3
// GFX11: v_dot4_i32_iu8 v0, v1, v2, v3 ; encoding: [0x00,0x40,0x16,0xcc,0x01,0x05,0x0e,0x1c]
.endif
.ifdef GFX942
v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]
// GFX942: v_mfma_f32_32x32x1_2b_f32 a[0:31], v0, v1, a[0:31] ; encoding: [0x00,0x80,0xc0,0xd3,0x00,0x03,0x02,0x04]
.endif
.ifdef GFX12
v_min_f64 v[0:1], v[2:3], v[4:5]
// GFX12: v_min_num_f64_e32 v[0:1], v[2:3], v[4:5] ; encoding: [0x02,0x09,0x00,0x1a]
v_max_f64 v[0:1], v[2:3], s[4:5]
// GFX12: v_max_num_f64_e64 v[0:1], v[2:3], s[4:5] ; encoding: [0x00,0x00,0x0e,0xd5,0x02,0x09,0x00,0x00]
.endif
