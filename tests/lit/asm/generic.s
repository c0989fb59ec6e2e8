// Generic processors lack what not all that they stand for have.
// RUN: not %offgrid mc -arch=amdgcn -mcpu=gfx9-generic %s 2>&1 >/dev/null | FileCheck --check-prefix=GFX9 %s
// RUN: not %offgrid mc -arch=amdgcn -mcpu=gfx9-4-generic --defsym=GFX9_4=1 %s 2>&1 >/dev/null | FileCheck --check-prefix=GFX9-4 %s
// RUN: %offgrid mc -arch=amdgcn -mcpu=gfx942 --defsym=GFX9_4=1 %s
.ifndef GFX9_4
// GFX9: [[#@LINE+1]]:1: error: instruction not supported on this GPU (gfx9-generic): {{.*}}: gfx9-generic is without mad-mix-insts
v_mad_mix_f32 v0, v1, v2, v3
.else
// GFX9-4: [[#@LINE+1]]:1: error: instruction not supported on this GPU (gfx9-4-generic): {{.*}}: gfx9-4-generic is without fp8-conversion-insts
v_cvt_f32_fp8 v0, v1
// GFX9-4: [[#@LINE+1]]:1: error: instruction not supported on this GPU (gfx9-4-generic): {{.*}}: gfx9-4-generic is without fp8-insts
v_mfma_f32_16x16x32_fp8_bf8 v[0:3], v[8:9], a[4:5], v[0:3]
// GFX9-4: [[#@LINE+1]]:1: error: instruction not supported on this GPU (gfx9-4-generic): {{.*}}: gfx9-4-generic is without xf32-insts
v_mfma_f32_16x16x8_xf32 v[0:3], v[2:3], v[4:5], v[0:3]
// GFX9-4-NOT: error:
v_fma_mix_f32 v0, v1, v2, v3
.endif
