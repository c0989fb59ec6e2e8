// op_sel follows from the halves that operands name, and may not contradict them. Whole registers may stand for halves, all or none.
// RUN: %offgrid as -mcpu=gfx1100 --show-encoding %s -o - | FileCheck %s
// RUN: %not %offgrid as -mcpu=gfx1100 -D WRONG=1 %s -o %t.o 2>&1 | FileCheck --check-prefix=WRONG %s
// CHECK: v_add_f16_e64 v1.l, v2.h, v3.l op_sel:[1,0,0] ; encoding: [0x01,0x08,0x32,0xd5,0x02,0x07,0x02,0x00]
v_add_f16_e64 v1.l, v2.h, v3.l
// CHECK: v_add_f16_e32 v1, v2, v3 ; encoding: [0x02,0x07,0x02,0x64]
v_add_f16 v1, v2, v3
// CHECK: v_fmac_f16_e64 v255, v2, v2 ; encoding: [0xff,0x00,0x36,0xd5,0x02,0x05,0x02,0x00]
v_fmac_f16 v255, v2, v2
.ifdef WRONG
// WRONG: :[[#@LINE+1]]:21: error: op_sel operand conflicts with 16-bit operand suffix
v_add_f16_e64 v1.l, v2.h, v3.l op_sel:[0,1,0]
// WRONG: :[[#@LINE+1]]:17: error: invalid operand for instruction
v_add_f16 v1.l, v2, v3.l
// WRONG: :[[#@LINE+1]]:11: error: invalid operand for instruction
v_mov_b16 v1, v2
// WRONG: :[[#@LINE+1]]:26: error: invalid operand for instruction
v_cvt_u32_u16_e64 v1, v2 op_sel:[1,0]
.endif
