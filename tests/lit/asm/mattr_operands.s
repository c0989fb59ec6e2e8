// Features that speak of operands are obeyed, what says which generation a processor is of is refused, and what a
// feature brings is disassembled too.
// RUN: not %offgrid mc -mcpu=gfx900 -mattr=+vgpr-align2,-gds,-flat-inst-offsets %s 2>&1 >/dev/null | FileCheck %s
// RUN: %offgrid mc -mcpu=gfx900 -mattr=+dot10-insts -show-encoding %s | FileCheck --check-prefix=ALL %s
// RUN: not %offgrid mc -mcpu=gfx900 -mattr=+gfx10-insts %s 2>&1 | FileCheck --check-prefix=BUILT %s
// RUN: not %offgrid mc -mcpu=gfx900 -mattr=-GFX9 %s 2>&1 | FileCheck --check-prefix=TAKEN %s
// RUN: %offgrid mc -mcpu=gfx900 -mattr=+gfx9,-gfx10 /dev/null
// RUN: echo 0x00,0x40,0xa3,0xd3,0x01,0x05,0x0e,0x1c > %t
// RUN: %offgrid mc -disassemble -mcpu=gfx900 -mattr=+dot10-insts %t | FileCheck --check-prefix=BROUGHT %s
// RUN: %offgrid mc -disassemble -mcpu=gfx900 %t 2>&1 | FileCheck --check-prefix=UNKNOWN %s

// BUILT: error: -mattr=+gfx10-insts is not supported: the instruction tables of gfx900 are made without it
// TAKEN: error: -mattr=-gfx9 is not supported: the instruction tables of gfx900 are made with it
// BROUGHT: v_dot2_f32_f16 v0, v1, v2, v3
// UNKNOWN: invalid instruction encoding

v_add_f64 v[2:3], v[2:3], v[5:6]
// CHECK: [[#@LINE-1]]:1: error: invalid register class: vgpr tuples must be 64 bit aligned
ds_add_u32 v0, v1 gds
// CHECK: [[#@LINE-1]]:19: error: gds modifier is not supported on this GPU
flat_load_dword v0, v[2:3] offset:4
// CHECK: [[#@LINE-1]]:{{[0-9]+}}: error: flat offset modifier is not supported on this GPU
v_add_f64 v[2:3], v[2:3], v[4:5]
// CHECK-NOT: error:
// ALL: v_add_f64 v[2:3], v[2:3], v[5:6]
// ALL: gds
// ALL: offset:4
