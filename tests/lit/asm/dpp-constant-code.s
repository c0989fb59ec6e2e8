# DPP of what adds to its result: code 255 of source 1 is no literal, so the next instruction begins behind twelve bytes.
# RUN: %offgrid mc -disassemble -triple=amdgcn -mcpu=gfx1100 %s | FileCheck %s
# RUN: %offgrid mc -disassemble -triple=amdgcn -mcpu=gfx1200 %s | FileCheck %s
# RUN: %offgrid mc -disassemble -triple=amdgcn -mcpu=gfx1250 %s | FileCheck %s

# CHECK: v_fmac_f32_e64_dpp v207, |v112|, 0xff mul:2 quad_perm:[3,1,0,3] row_mask:0x1 bank_mask:0xb
# CHECK-NEXT: v_mov_b32_e32 v1, v2
0xcf,0x51,0x2b,0xd5,0xfa,0xfe,0xfd,0x0b,0x70,0xc7,0x62,0x1b, 0x02,0x03,0x02,0x7e
# CHECK-NEXT: v_fmac_f16_e64_dpp v67{{(\.l)?}}, |v176{{(\.l)?}}|, 0xff clamp mul:2 quad_perm:[3,1,0,1] row_mask:0x6 bank_mask:0xb
# CHECK-NEXT: v_mov_b32_e32 v3, v4
0x43,0x81,0x36,0xd5,0xfa,0xfe,0xa5,0x0e,0xb0,0x47,0x72,0x6b, 0x04,0x03,0x06,0x7e
