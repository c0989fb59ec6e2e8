# Words for signs are taken where another encoding of the instruction has them, as its row says, and not elsewhere.
# RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx908 -show-encoding %s 2>&1 | FileCheck %s

# CHECK-DAG: :[[#@LINE+1]]:30: error: not a valid operand.
v_cmp_class_f64 vcc, v[0:1], sext(1)
# CHECK-DAG: :[[#@LINE+1]]:20: error: not a valid operand.
v_dot4c_i32_i8 v0, sext(1), v1
# CHECK-DAG: v_mov_b32_e32 v0, 1
v_mov_b32 v0, sext(1)
# CHECK-DAG: v_dot2c_f32_f16_e32 v0, 0x8001, v1
v_dot2c_f32_f16 v0, neg(1), v1
# CHECK-DAG: :[[#@LINE+1]]:11: error: invalid operand for instruction
v_add_f32 --1, v1, v2
