// What -mattr takes away is refused, by name of the feature.
// RUN: not %offgrid mc -mcpu=gfx906 -mattr=-dot1-insts,-sdwa,-vop3p -mattr=-s-memtime-inst %s 2>&1 >/dev/null | FileCheck %s
// RUN: %offgrid mc -mcpu=gfx906 -show-encoding %s | FileCheck --check-prefix=ALL %s

v_dot4_i32_i8 v0, v1, v2, v3
// CHECK: [[#@LINE-1]]:1: error: instruction not supported on this GPU ({{.*}}): {{.*}}: -mattr takes away dot1-insts
// ALL: v_dot4_i32_i8
v_mov_b32_sdwa v0, v1 src0_sel:BYTE_0
// CHECK: [[#@LINE-1]]:1: error: sdwa variant of this instruction is not supported
v_pk_add_f16 v0, v1, v2
// CHECK: [[#@LINE-1]]:1: error: instruction not supported on this GPU ({{.*}}): {{.*}}: -mattr takes away vop3p
s_memtime s[0:1]
// CHECK: [[#@LINE-1]]:1: error: instruction not supported on this GPU ({{.*}}): {{.*}}: -mattr takes away s-memtime-inst
s_memrealtime s[0:1]
// CHECK-NOT: error:
// ALL: s_memrealtime
