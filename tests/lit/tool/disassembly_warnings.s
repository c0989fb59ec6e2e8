// What LLVM reads though no form takes it keeps its place and LLVM's words.
// RUN: %offgrid as -mcpu=gfx900 --defsym=GFX9=1 -o %t9.o %s
// RUN: %offgrid objdump -d %t9.o | FileCheck --check-prefix=GFX9 %s
// RUN: %offgrid as -mcpu=gfx1030 -o %t.o %s
// RUN: %offgrid objdump -d %t.o | FileCheck --check-prefix=GFX1030 %s
// RUN: echo "0x5f 0x2a 0x12 0xd4 0x1c 0x78 0xfa 0x41" > %t.txt
// RUN: %offgrid mc -disassemble -arch=amdgcn -mcpu=gfx1030 %t.txt 2>&1 | FileCheck --check-prefix=CMPX %s
.ifdef GFX9
// GFX9: s_cselect_b64 s[24:25], s[88:89], 16 {{ *}}// 000000000000: 85999059 ; Warning: SGPR_64: scalar reg isn't aligned 25Warning: SGPR_64: scalar reg isn't aligned 89
.long 0x85999059
// GFX9: s_atomic_cmpswap s[54:55], s[56:57], s56 glc {{ *}}// {{.*}} ; Warning: SGPR_64: scalar reg isn't aligned 55Warning: SGPR_64: scalar reg isn't aligned 55{{$}}
.long 0xc205addc, 0xcc0ec1b8
// GFX9: s_bitset0_b64 s[14:15], 7 {{ *}}// {{.*}} ; Warning: SGPR_64: scalar reg isn't aligned 15{{$}}
.long 0xbe8f1987
// The literal belongs to it.
// GFX9: s_cbranch_g_fork 0x3f800000, s[94:95] {{ *}}// {{.*}}: 948B5EFF 3F800000
.long 0x948b5eff, 0x3f800000
// GFX9-NEXT: s_endpgm
.else
// GFX1030: s_load_dwordx16 s[72:87]
.long 0xf4131211, 0xbf800000
// GFX1030: s_ff1_i32_b64 s5, s[2:3] {{ *}}// {{.*}} ; Warning: SGPR_64: scalar reg isn't aligned 3
.long 0xbe851403
.endif
s_endpgm
// CMPX-DAG: :1:1: warning: potentially undefined instruction encoding
// CMPX-DAG: v_cmpx_eq_f32_e64 s28, -|v60|
