// RUN: not %offgrid mc -arch=amdgcn -mcpu=gfx90a -show-encoding %s 2>&1 | FileCheck --implicit-check-not=error: %s
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: DP ALU dpp only supports row_newbcast
v_ceil_f64_dpp v[2:3], v[4:5] row_shl:1 row_mask:0xf bank_mask:0xf
v_ceil_f64_dpp v[2:3], v[4:5] row_newbcast:1 row_mask:0xf bank_mask:0xf
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: invalid operand for instruction: must stand before glc
buffer_load_dword v1, off, s[0:3], 0 glc offset:4
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: not a valid operand.: row_share is not on gfx90a
v_mov_b32_dpp v0, v1 row_share:1 row_mask:0xf bank_mask:0xf
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: gds modifier is not supported on this GPU
ds_add_u32 v0, v1 gds
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: dlc modifier is not supported on this GPU
global_load_dword v0, v[2:3], off dlc
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: source 2 operand must not partially overlap with dst
v_mfma_f32_32x32x4bf16 a[0:15], v8, v162, a[2:17]
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: image data size does not match
image_store v[20:23], v[2:3], s[4:11] dmask:0x7
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: invalid operand for instruction
s_atomic_add m0, s[4:5], s3 glc
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: invalid operand for instruction
v_mov_b32 v0, 1e300
// Modifiers stand behind all operands.
// CHECK: :[[@LINE+1]]:22: error: invalid operand for instruction
v_add_f32_e64 v0, v1 clamp, v2
// CHECK: :[[@LINE+1]]:16: error: not a valid operand.
ds_read_b32 v0 offset:4 v1
// CHECK: :[[@LINE+1]]:40: error: not a valid operand.
tbuffer_load_format_x v0, off, s[0:3], format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT], s4
tbuffer_load_format_x v0, off, s[0:3], dfmt:1, nfmt:2, s4
