// A whole scratch base goes by the name of its half, and is only read.
// RUN: %offgrid mc -mcpu=gfx1250 -show-encoding %s | FileCheck %s
// RUN: not %offgrid mc -mcpu=gfx1250 -defsym BAD=1 %s 2>&1 | FileCheck --check-prefix=BAD %s
.ifdef BAD
s_mov_b64 src_flat_scratch_base_lo, s[0:1]
// BAD: [[#@LINE-1]]:11: error: invalid operand for instruction
s_load_b64 s[0:1], src_flat_scratch_base_lo, 0x0
// BAD: [[#@LINE-1]]:20: error: invalid operand for instruction
.else
// CHECK: v_add_nc_u64_e32 v[4:5], src_flat_scratch_base_lo, v[2:3] ; encoding: [0xe6,0x04,0x08,0x50]
v_add_nc_u64_e32 v[4:5], src_flat_scratch_base_lo, v[2:3]
// CHECK: s_mov_b64 s[0:1], src_flat_scratch_base_hi ; encoding: [0xe7,0x01,0x80,0xbe]
s_mov_b64 s[0:1], src_flat_scratch_base_hi
// CHECK: s_mov_b32 src_flat_scratch_base_lo, s0 ; encoding: [0x00,0x00,0xe6,0xbe]
s_mov_b32 src_flat_scratch_base_lo, s0
.endif
