// Errors stand where LLVM's assembler has them, in its words: what each place of a mnemonic's forms may hold decides.
// RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx900 %s 2>&1 >/dev/null | FileCheck --implicit-check-not=error: %s
v_add_f32 v0, v1
// CHECK: [[#@LINE-1]]:1: error: too few operands for instruction
v_add_f32 v0, s1, 0x12345678 row_shl:16
// CHECK: [[#@LINE-1]]:38: error: invalid row_shl value
v_add_f32 v0, -1+, v2
// CHECK: [[#@LINE-1]]:18: error: unknown token in expression
v_add_f32 v0, neg(v1, v2
// CHECK: [[#@LINE-1]]:21: error: expected closing parentheses
s_mov_b32 s0, |s1|
// CHECK: [[#@LINE-1]]:15: error: not a valid operand.
s_mov_b32 s0, s1 offset:4
// CHECK: [[#@LINE-1]]:18: error: not a valid operand.
s_mov_b32 s0, s1 glc
// CHECK: [[#@LINE-1]]:18: error: invalid operand for instruction
v_mov_b32 v0, [v1, v3]
// CHECK: [[#@LINE-1]]:20: error: registers in a list must have consecutive indices
v_mov_b32 v0, a1
// CHECK: [[#@LINE-1]]:15: error: invalid operand for instruction
v_min_f16 v0, v1, neg(|2.5|)
// CHECK: [[#@LINE-1]]:24: error: literal operands are not supported
v_pk_add_f16 v0, v1, v2 op_sel:[0,1
// CHECK: [[#@LINE-1]]:36: error: expected a comma
s_waitcnt vmcnt(0) foo
// CHECK: [[#@LINE-1]]:23: error: expected a left parenthesis
v_sub_f16 v0, v1, foo@bad
// CHECK: [[#@LINE-1]]:23: error: invalid variant 'bad'
V_ADD_F32_E32 v0, v1, v2 foo:1
// CHECK: [[#@LINE-1]]:26: error: not a valid operand.
V_ADD_F32_DPP v0, neg(v1), v2 row_mirror row_mask:16
// CHECK: [[#@LINE-1]]:42: error: invalid row_mask value.
s_branch 9f
// CHECK: [[#@LINE-1]]:10: error: directional label undefined
