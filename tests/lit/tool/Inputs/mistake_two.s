.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl store
.p2align 8
.type store,@function
store:
  s_endpgm
.globl spin
.p2align 8
.type spin,@function
spin:
  s_branch spin
.rodata
.p2align 6
.amdhsa_kernel store
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 5
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel spin
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 5
.end_amdhsa_kernel
