// lit() keeps a value that could be an inline constant a literal, both ways.
// RUN: %offgrid as -mcpu=gfx900 --show-encoding %s -o - | FileCheck %s
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid dis %t.o | FileCheck --check-prefix=BACK %s
// BACK: v_add_f32_e32 v0, lit(0x3f800000), v1
// BACK-NEXT: v_add_f32_e32 v0, 1.0, v1
// BACK-NEXT: v_add_f16_e32 v0, lit(0x3c00), v1
// BACK-NEXT: s_mov_b32 s0, lit(0x25)
// BACK-NEXT: s_mov_b32 s0, 37
// CHECK: v_add_f32_e32 v0, lit(0x3f800000), v1 {{.*}}encoding: [0xff,0x02,0x00,0x02,0x00,0x00,0x80,0x3f]
v_add_f32 v0, lit(0x3f800000), v1
// CHECK: v_add_f32_e32 v0, 1.0, v1 {{.*}}encoding: [0xf2,0x02,0x00,0x02]
v_add_f32 v0, 1.0, v1
// CHECK: v_add_f16_e32 v0, lit(0x3c00), v1 {{.*}}encoding: [0xff,0x02,0x00,0x3e,0x00,0x3c,0x00,0x00]
v_add_f16 v0, lit(0x3c00), v1
// CHECK: s_mov_b32 s0, lit(0x25) {{.*}}encoding: [0xff,0x00,0x80,0xbe,0x25,0x00,0x00,0x00]
s_mov_b32 s0, lit(37)
// CHECK: s_mov_b32 s0, 37 {{.*}}encoding: [0xa5,0x00,0x80,0xbe]
s_mov_b32 s0, 37
