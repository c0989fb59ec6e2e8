# What the instruction holds itself has no sign but its own: signs around it are an error, never lost.
# RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx1250 -show-encoding %s 2>&1 | FileCheck --implicit-check-not=encoding %s

# CHECK: :[[#@LINE+1]]:7: error: not a valid operand.
s_nop |1|
# CHECK: :[[#@LINE+1]]:16: error: not a valid operand.
s_movk_i32 s0, abs(1)
# CHECK: :[[#@LINE+1]]:10: error: not a valid operand.
s_branch -|1|
# CHECK: :[[#@LINE+1]]:45: error: not a valid operand.
s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE), neg(1)
# CHECK: :[[#@LINE+1]]:25: error: not a valid operand.
s_fmaak_f32 s0, s1, s2, -abs(lit(2.0))
# CHECK: :[[#@LINE+1]]:25: error: not a valid operand.
v_fmaak_f32 v0, v1, v2, neg(1.0)
# CHECK: :[[#@LINE+1]]:29: error: not a valid operand.
v_fmamk_f64 v[0:1], v[2:3], |2.0|, v[4:5]
# CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: not a valid operand.
v_dual_fmaak_f32 v0, v1, v2, neg(2) :: v_dual_mul_f32 v3, v4, v5
