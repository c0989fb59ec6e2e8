// The same text of a counter says the same again, but not where a symbol in it has changed, nor for another
// instruction, nor where it goes on in another line, behind a comment.
// RUN: %offgrid mc -mcpu=gfx1100 -show-encoding %s | FileCheck %s
.macro wait
s_waitcnt vmcnt(n)
.endm

.set n, 1
s_waitcnt vmcnt(n)
// CHECK: s_waitcnt vmcnt(1) ; encoding: [0xf7,0x07,0x89,0xbf]
wait
// CHECK: s_waitcnt vmcnt(1) ; encoding: [0xf7,0x07,0x89,0xbf]
s_waitcnt vmcnt(3)
// CHECK: s_waitcnt vmcnt(3) ; encoding: [0xf7,0x0f,0x89,0xbf]
.set n, 2
s_waitcnt vmcnt(n)
// CHECK: s_waitcnt vmcnt(2) ; encoding: [0xf7,0x0b,0x89,0xbf]
wait
// CHECK: s_waitcnt vmcnt(2) ; encoding: [0xf7,0x0b,0x89,0xbf]
s_waitcnt vmcnt(3)
// CHECK: s_waitcnt vmcnt(3) ; encoding: [0xf7,0x0f,0x89,0xbf]
s_waitcnt 3
// CHECK: s_waitcnt vmcnt(0) expcnt(3) lgkmcnt(0) ; encoding: [0x03,0x00,0x89,0xbf]
s_sendmsg 3
// CHECK: s_sendmsg sendmsg(MSG_DEALLOC_VGPRS) ; encoding: [0x03,0x00,0xb6,0xbf]
s_waitcnt_depctr 3
// CHECK: encoding: [0x03,0x00,0x88,0xbf]

s_waitcnt vmcnt(3) /*
*/ & lgkmcnt(0)
// CHECK: s_waitcnt vmcnt(3) lgkmcnt(0) ; encoding: [0x07,0x0c,0x89,0xbf]
s_waitcnt vmcnt(3) /*
*/ & lgkmcnt(1)
// CHECK: s_waitcnt vmcnt(3) lgkmcnt(1) ; encoding: [0x17,0x0c,0x89,0xbf]
s_waitcnt vmcnt(3) /*
*/
// CHECK: s_waitcnt vmcnt(3) ; encoding: [0xf7,0x0f,0x89,0xbf]
s_getreg_b32 s0, hwreg(/*
*/ 1)
// CHECK: s_getreg_b32 s0, hwreg(HW_REG_MODE) ; encoding: [0x01,0xf8,0x80,0xb8]
s_getreg_b32 s0, hwreg(/*
*/ 2)
// CHECK: s_getreg_b32 s0, hwreg(HW_REG_STATUS) ; encoding: [0x02,0xf8,0x80,0xb8]
