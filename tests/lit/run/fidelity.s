// --stats tells whether hardware computes the same bits, and where not, which instructions it computes within which error.
// RUN: %offgrid run %s --kernel plain --grid 64 --group 64 --stats | FileCheck %s --check-prefix=PLAIN
// PLAIN: atomics
// PLAIN-NEXT: fidelity exact
// PLAIN-NOT: ulp
// RUN: %offgrid run %s --kernel near --grid 64 --group 64 --stats | FileCheck %s --check-prefix=NEAR
// NEAR: fidelity approximate
// NEAR-NEXT: v_rcp_f32: 1 ulp
// NEAR-NEXT: v_sin_f16: not documented
// NEAR-NEXT: v_mfma_f32_16x16x32_f16: order and rounding of sums not documented
// NEAR-NOT: {{.}}
// RUN: %offgrid run %s --kernel near --grid 64 --group 64 --stats=json | FileCheck %s --check-prefix=JSON
// JSON: "fidelity":"approximate","approximations":{"v_rcp_f32":"1 ulp","v_sin_f16":"not documented",
.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.text
.macro kernel name
.globl \name
.p2align 8
.type \name,@function
\name:
.endm
kernel plain
  v_fma_f32 v1, v0, v0, v0
  v_mfma_f32_16x16x4_f32 v[4:7], v1, v1, v[4:7]
  v_mfma_i32_16x16x64_i8 v[4:7], v[8:11], v[8:11], v[4:7]
  s_endpgm
kernel near
  v_rcp_f32 v1, v0
  v_rcp_f32_e64 v1, -v0
  v_sin_f16 v1, v0
  v_mfma_f32_16x16x32_f16 v[4:7], v[8:11], v[8:11], v[4:7]
  s_endpgm
.rodata
.macro descriptor name
.p2align 6
.amdhsa_kernel \name
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 8
  .amdhsa_accum_offset 16
.end_amdhsa_kernel
.endm
descriptor plain
descriptor near
