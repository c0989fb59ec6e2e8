// RUN: %offgrid mc -arch=amdgcn -mcpu=gfx900 -show-encoding %s | FileCheck %s
// RUN: %offgrid mc -arch=amdgcn -mcpu=gfx1030 -show-encoding --defsym=GFX10=1 %s | FileCheck --check-prefix=GFX10 %s
.ifndef GFX10
// op_sel's last bit is the destination's
// CHECK: v_pack_b32_f16 v0, v1, v2 op_sel:[0,0,1] ; encoding: [0x00,0x40,0xa0,0xd2,0x01,0x05,0x02,0x00]
v_pack_b32_f16 v0, v1, v2 op_sel:[0,0,1]
// CHECK: v_cvt_f64_f32_dpp v[92:93], v118 quad_perm:[1,1,0,0] row_mask:0xf bank_mask:0xf ; encoding: [0xfa,0x20,0xb8,0x7e,0x76,0x05,0x00,0xff]
v_cvt_f64_f32_dpp v[92:93], v118 quad_perm:[1,1,0,0] row_mask:0xf bank_mask:0xf
// CHECK: s_load_dword s0, s[2:3], 0x0
s_load_dword s0, s[2:3]
// CHECK: v_add_f32_e32 v0, 0x80001234, v1
v_add_f32 v0, -|0x1234|, v1
// CHECK: v_exp_f32_e64 v0, |v1|{{ *}};
v_exp_f32_e64 v0, abs(v1) noclamp
// CHECK: s_branch -1
s_branch -1
// symbols may be called what modifiers are
// CHECK: s_add_u32 s0, s0, lds@rel32@lo+4
s_add_u32 s0, s0, lds@rel32@lo+4
// CHECK: v_mov_b32_e32 v0, clamp+1
v_mov_b32 v0, clamp+1
// CHECK: v_mov_b32_e32 v0, lit(0x3fc00000)
v_mov_b32 v0, lit(1.5)
.else
// bound_ctrl:0 means 1 before gfx11
// GFX10: v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
v_mov_b32_dpp v0, v1 row_shl:1 bound_ctrl:0
// GFX10: tbuffer_load_format_x v0, off, s[0:3], s0 format:[BUF_FMT_32_UINT]
tbuffer_load_format_x v0, off, s[0:3], s0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT]
// GFX10: s_setreg_b32 hwreg(HW_REG_STATUS, 3, 5), s0
s_setreg_b32 {id: 2, offset: 3, size: 5}, s0
// image addresses one by one
// GFX10: image_sample v[0:3], [v0, v4], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D ; encoding: [0x0a,0x0f,0x80,0xf0,0x00,0x00,0x40,0x00,0x04,0x00,0x00,0x00]
image_sample v[0:3], [v0, v4], s[0:7], s[8:11] dmask:0xf dim:2D
// GFX10: v_max_i16 v0, v1, v2 op_sel:[0,0,1] ; encoding: [0x00,0x40,0x0a,0xd7,0x01,0x05,0x02,0x00]
v_max_i16 v0, v1, v2 op_sel:[0,0,1]
.endif
