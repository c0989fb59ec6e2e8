// Words that one generation's memories know and another's do not, and matrices' two names of one field.
// RUN: %offgrid mc -mcpu=gfx942 -show-encoding %s | FileCheck %s
// RUN: not %offgrid mc -mcpu=gfx942 -defsym BAD=1 %s 2>&1 >/dev/null | FileCheck --check-prefix=BAD %s

s_load_dword s0, s[2:3], 0 glc
// CHECK: s_load_dword s0, s[2:3], 0x0 glc ; encoding: [0x01,0x00,0x03,0xc0,0x00,0x00,0x00,0x00]
v_mfma_f64_16x16x4_f64 a[0:7], v[8:9], v[148:149], a[102:109] neg:[1,0,0]
// CHECK: v_mfma_f64_16x16x4_f64 {{.*}} neg:[1,0,0]
.ifdef BAD
s_load_dword s0, s[2:3], 0 sc0
// BAD: [[#@LINE-1]]:28: error: invalid operand for instruction
s_load_dword s0, s[2:3], 0 nt
// BAD: [[#@LINE-1]]:28: error:
global_atomic_add v[0:1], v2, off sc0
// BAD: [[#@LINE-1]]:35: error: instruction must not use sc0
v_mfma_f64_16x16x4_f64 a[0:7], v[8:9], v[148:149], a[102:109] blgp:7
// BAD: [[#@LINE-1]]:63: error: invalid modifier: blgp is not supported
v_mfma_f32_32x32x2_f32 a[0:15], v0, v1, a[16:31] neg:[1,0,0]
// BAD: [[#@LINE-1]]:50: error: invalid modifier: neg is not supported
ds_gws_barrier v1 gds
// BAD: [[#@LINE-1]]:16: error: vgpr must be even aligned
v_mov_b32_dpp v0, v1 row_shl:16
// BAD: [[#@LINE-1]]:30: error: invalid row_shl value: expected 1 to 15
.endif
