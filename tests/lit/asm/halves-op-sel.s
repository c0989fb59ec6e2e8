// op_sel follows from the halves that operands name, and may not contradict them.
// RUN: %offgrid as -mcpu=gfx1100 --show-encoding %s -o - | FileCheck %s
// RUN: %not %offgrid as -mcpu=gfx1100 -D WRONG=1 %s -o %t.o 2>&1 | FileCheck --check-prefix=WRONG %s
// CHECK: v_add_f16_e64 v1.l, v2.h, v3.l op_sel:[1,0,0] ; encoding: [0x01,0x08,0x32,0xd5,0x02,0x07,0x02,0x00]
v_add_f16_e64 v1.l, v2.h, v3.l
.ifdef WRONG
// WRONG: :[[#@LINE+1]]:21: error: op_sel operand conflicts with 16-bit operand suffix
v_add_f16_e64 v1.l, v2.h, v3.l op_sel:[0,1,0]
.endif
