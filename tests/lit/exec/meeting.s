// Work-groups that wait for one another all come to their end, however they are scheduled.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel busy --grid 6400 --group 128 --arg out:%t.1:4 && od -An -tu4 %t.1 | FileCheck %s
// RUN: %offgrid run %t.co --kernel sleeping --grid 6400 --group 128 --arg out:%t.2:4 && od -An -tu4 %t.2 | FileCheck %s
// RUN: %offgrid run %t.co --kernel busy --grid 6400 --group 128 --threads 2 --arg out:%t.3:4 && od -An -tu4 %t.3 | FileCheck %s
// RUN: %offgrid run %t.co --kernel busy --grid 6400 --group 128 --schedule=random:7 --arg out:%t.4:4 && od -An -tu4 %t.4 | FileCheck %s
// CHECK: 100
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.macro meet name, pause // 50 groups of two waves; each wave adds one and waits for the sum
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel \name
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.text
.globl \name
.p2align 8
.type \name,@function
\name:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_mov_b64 exec, 1
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 1
  s_waitcnt lgkmcnt(0)
  global_atomic_add v1, v2, s[2:3]
\name\()_again:
  \pause
  global_load_dword v3, v1, s[2:3] glc
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s4, v3
  s_cmp_lt_u32 s4, 100
  s_cbranch_scc1 \name\()_again
  s_barrier
  s_endpgm
.endm

meet busy, "s_nop 0"
meet sleeping, "s_sleep 1"
