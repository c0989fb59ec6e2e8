// What is wrong, where, and several times in one run; wording as LLVM's where it has one.
// RUN: %not %offgrid as -mcpu=gfx900 %s -o %t.o 2>&1 | FileCheck %s

// CHECK: [[@LINE+1]]:1: error: invalid instruction, did you mean: v_add_f32
v_ad_f32 v0, v1, v2
// CHECK: [[@LINE+1]]:19: error: invalid operand (violates constant bus restrictions)
v_add_f32 v0, s0, s1
// CHECK: [[@LINE+1]]:1: error: too few operands for instruction
v_add_f32 v0
// CHECK: [[@LINE+1]]:23: error: invalid operand for instruction
v_add_f32 v0, v1, v2, v3
// CHECK: [[@LINE+1]]:11: error: invalid register alignment
s_mov_b64 s[1:2], 0
// CHECK: [[@LINE+1]]:11: error: register index is out of range
v_mov_b32 v256, 0
// CHECK: [[@LINE+1]]:11: error: s104 register not available on this GPU
s_mov_b32 s104, 0
// CHECK: [[@LINE+1]]:28: error: expected a 12-bit unsigned offset
flat_load_dword v0, v[0:1] offset:-1
// CHECK: [[@LINE+1]]:20: error: expected a 16-bit unsigned offset
ds_read_b32 v0, v1 offset:65536
// CHECK: [[@LINE+1]]:17: error: too large value for vmcnt
s_waitcnt vmcnt(64)
// CHECK: [[@LINE+1]]:18: error: literal operands are not supported
v_pk_add_u16 v0, 0x3c00, v1
// CHECK: [[@LINE+1]]:1: error: e32 variant of this instruction is not supported
v_mad_f32_e32 v0, v1, v2, v3
// CHECK: [[@LINE+1]]:1: error: instruction not supported on this GPU (gfx900): v_dot2c_f32_f16; exists on gfx908
v_dot2c_f32_f16 v0, v1, v2
// CHECK: [[@LINE+1]]:1: error: unknown directive
.nonsense 1
// CHECK: [[@LINE+1]]:9: error: division by zero
.long 1 / 0
// CHECK: <instantiation>:1:1: error: invalid instruction
// CHECK: [[@LINE+4]]:1: note: while in macro instantiation
.macro broken
no_such_thing
.endm
broken
// CHECK: [[@LINE+2]]:1: error: unmatched .ifs or .elses
.if 1
