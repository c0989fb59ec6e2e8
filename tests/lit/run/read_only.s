// Fields of eight bits could name what is only read as a result: SCC, apertures. No such instruction is run.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %not %offgrid run %t.co --kernel aperture --grid 64 --group 64 2>&1 | FileCheck --check-prefix=APERTURE %s
// RUN: %not %offgrid run %t.co --kernel condition --grid 64 --group 64 2>&1 | FileCheck --check-prefix=CONDITION %s
// APERTURE: error: kernel 'aperture': {{.*}}aperture+0x0
// CONDITION: error: kernel 'condition': {{.*}}condition+0x0

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl aperture
.p2align 8
.type aperture,@function
aperture:
  .long 0x7fd60500 // v_readfirstlane_b32 src_shared_base, v0
  s_endpgm
.globl condition
.p2align 8
.type condition,@function
condition:
  .long 0xd0ca00fd, 0x00020300 // v_cmp_eq_u32_e64 src_scc, v0, v1
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel aperture
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdhsa_kernel condition
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
