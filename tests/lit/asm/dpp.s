// Which DPP controls a generation has, and which of them its 64-bit operands take.
// RUN: not %offgrid mc -mcpu=gfx900 -show-encoding %s 2>&1 >/dev/null | FileCheck --check-prefix=GFX9 %s
// RUN: not %offgrid mc -mcpu=gfx90a -show-encoding %s 2>&1 >/dev/null | FileCheck --check-prefix=GFX90A %s
// RUN: not %offgrid mc -mcpu=gfx1030 -show-encoding %s 2>&1 >/dev/null | FileCheck --check-prefix=GFX10 %s
// RUN: not %offgrid mc -mcpu=gfx900 -show-encoding %s 2>/dev/null | FileCheck --check-prefix=CODE %s

v_cvt_f64_f32_dpp v[92:93], v118 quad_perm:[1,1,0,0] row_mask:0xf bank_mask:0xf
// CODE: encoding: [0xfa,0x20,0xb8,0x7e,0x76,0x05,0x00,0xff]
// GFX90A: [[#@LINE-2]]:34: error: DP ALU dpp only supports row_newbcast

v_cvt_f32_f64_dpp v5, v[2:3] row_shl:1 row_mask:0xf bank_mask:0xf
// GFX9: [[#@LINE-1]]:23: error: invalid operand for instruction
// GFX90A: [[#@LINE-2]]:30: error: DP ALU dpp only supports row_newbcast

v_mov_b32_dpp v5, v2 row_newbcast:1 row_mask:0xf bank_mask:0xf
// GFX9: [[#@LINE-1]]:22: error: not a valid operand.
// GFX10: [[#@LINE-2]]:22: error: not a valid operand.

v_mov_b32_dpp v5, v2 row_share:1 row_mask:0xf bank_mask:0xf
// GFX9: [[#@LINE-1]]:22: error: not a valid operand.
// GFX90A: [[#@LINE-2]]:22: error: not a valid operand.

v_mov_b32_dpp v5, v2 row_bcast:15 row_mask:0xf bank_mask:0xf
// GFX10: [[#@LINE-1]]:22: error: not a valid operand.
