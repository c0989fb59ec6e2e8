// --stats=json is one object with an entry for each dispatch; --repeat makes several.
// RUN: %offgrid run %s --kernel count --grid 100 --group 64 --arg buf:4 --repeat 2 --stats=json | python3 -m json.tool --compact | FileCheck %s
// CHECK: {"processor":"gfx900","threads":1,"dispatches":[{"kernel":"count","seconds":{{[0-9.e-]+}},"groups":2,"waves":2,"wave_size":64,"wave_instructions":12,
// CHECK-SAME: "instructions":{"salu":0,"valu":4,"smem":2,"vmem":2,"lds":0,"flat":0,"branch":0,"other":4}
// CHECK-SAME: "atomics":100,"fidelity":"exact","approximations":{}}
// CHECK-SAME: {"kernel":"count"
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl count
.p2align 8
.type count,@function
count:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_mov_b32_e32 v0, 0
  v_mov_b32_e32 v1, 1
  s_waitcnt lgkmcnt(0)
  global_atomic_add v0, v1, s[2:3]
  s_endpgm

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel count
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 4
.end_amdhsa_kernel
