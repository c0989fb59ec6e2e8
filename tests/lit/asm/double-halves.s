# 32 bits are the high half of a double, of a negative number too, where its source takes literals and stands under no sign.
# RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx900 -show-encoding %s 2>&1 | FileCheck --check-prefixes=ALL,GFX9 %s
# RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx90a -show-encoding %s 2>&1 | FileCheck --check-prefixes=ALL,MATRIX %s
# RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx1250 -show-encoding %s 2>&1 | FileCheck --check-prefixes=ALL,PAIR %s

# GFX9-DAG: v_add_f64 v[0:1], 1.0, v[2:3] ; encoding: [0x00,0x00,0x80,0xd2,0xf2,0x04,0x02,0x00]
v_add_f64 v[0:1], 0x3ff00000, v[2:3]
# GFX9-DAG: v_add_f64 v[0:1], -4.0, v[2:3] ; encoding: [0x00,0x00,0x80,0xd2,0xf7,0x04,0x02,0x00]
v_add_f64 v[0:1], -0x3ff00000, v[2:3]
# ALL-DAG: v_ceil_f64_e32 v[0:1], -2.0 ;
v_ceil_f64 v[0:1], -0x40000000
# ALL-DAG: v_ceil_f64_e64 v[0:1], -2.0 ;
v_ceil_f64_e64 v[0:1], -(0x40000000)
# ALL-DAG: v_cmp_eq_f64_e32 vcc{{(_lo)?}}, -1.0, v[2:3] ;
v_cmp_eq_f64_e32 -0x40100000, v[2:3]
# ALL-DAG: v_ceil_f64_e64 v[0:1], |1.0| ;
v_ceil_f64 v[0:1], |0x3ff0000000000000|
# ALL-DAG: v_ceil_f64_e64 v[0:1], neg(17) ;
v_ceil_f64 v[0:1], neg(--17)

# ALL-DAG: :[[#@LINE+1]]:22: error: invalid operand for instruction
v_ceil_f64 v[0:1], -|0x3ff00000|
# ALL-DAG: :[[#@LINE+1]]:24: error: invalid operand for instruction
v_ceil_f64 v[0:1], abs(0x3ff00000)
# ALL-DAG: :[[#@LINE+1]]:28: error: invalid operand for instruction
v_ceil_f64_e64 v[0:1], neg(0x40000000)
# ALL-DAG: :[[#@LINE+1]]:{{.*}}error:
v_add_f64 v[0:1], v[2:3], |0x3ff00000|
# ALL-DAG: :[[#@LINE+1]]:20: error: invalid syntax, expected 'neg' modifier
v_ceil_f64 v[0:1], --17

# MATRIX-DAG: v_mfma_f64_4x4x4f64 a[0:1], v[0:1], a[2:3], 1.0
v_mfma_f64_4x4x4f64 a[0:1], v[0:1], a[2:3], 1.0
# MATRIX-DAG: :[[#@LINE+1]]:{{.*}}error:
v_mfma_f64_4x4x4f64 a[0:1], v[0:1], a[2:3], 0x3ff00000
# PAIR-DAG: v_dual_add_f64 v[4:5], -4.0, v[0:1] :: v_dual_max_i32 v1, v4, v2
v_dual_add_f64 v[4:5], -4.0, v[0:1] :: v_dual_max_i32 v1, v4, v2
# PAIR-DAG: :[[#@LINE+1]]:24: error: invalid operand for instruction
v_dual_add_f64 v[4:5], 0xc0100000, v[0:1] :: v_dual_max_i32 v1, v4, v2
