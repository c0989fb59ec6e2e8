// Registers in brackets and lists, as LLVM takes them.
// RUN: %offgrid mc -arch=amdgcn -mcpu=gfx1100 %s | FileCheck %s
// RUN: %offgrid mc -arch=amdgcn -mcpu=gfx1200 --defsym=GFX12=1 %s | FileCheck --check-prefix=GFX12 %s
.set five, 5
.ifndef GFX12
// CHECK: v_fract_f16_e32 v8.l, v1.h
v_fract_f16 v[8*2/2:8].l, v[ 1 : 1 ].h
// CHECK: v_lshlrev_b64 v[5:6], v2, s[4:5]
v_lshlrev_b64 v[five:five+1], v[1+1], [s[4], [s5]]
// CHECK: image_load v[0:3], [v4, v9], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D
image_load [v0,v1,v2,v3], [[v4], v[9]], [s0,s1,s2,s3,s4,s5,s6,s7] dmask:0xf dim:2D
// CHECK: v_mqsad_u32_u8 v[4:7], v[2:3], s0, v[4:7]
v_mqsad_u32_u8 v[4:7], v[2:3], s0, v[4:7]
.else
// GFX12: image_gather4_lz v[2:5], [v98, v6], s[8:15], s[4:7] dmask:0x2 dim:SQ_RSRC_IMG_2D
image_gather4_lz [v2, v3, v4, v5], [v98, v6], s[8:15], s[4:7] dmask:2 dim:2D
// GFX12: v_interp_p10_f16_f32 v4, v1, v3, v2 op_sel:[0,1,0,0]
v_interp_p10_f16_f32 v4, v1, v3, v2 op_sel:[0,1]
.endif
