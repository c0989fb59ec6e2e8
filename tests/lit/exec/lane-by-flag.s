// The lane that v_readlane_b32 reads may be a flag's value, as it is at that time: interpreted and compiled.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: env OFFGRID_COMPILE=0 %offgrid run %t.co --kernel read --grid 64 --group 64 --arg out:%t.1:8 && od -v -An -tu4 -w8 %t.1 | FileCheck %s
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --kernel read --grid 64 --group 64 --arg out:%t.2:8 && cmp %t.1 %t.2
// CHECK: 1001 1000
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel read
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.text
.globl read
.p2align 8
.type read,@function
read:
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  v_add_u32_e32 v1, 0x3e8, v0
  s_mov_b64 vcc, 0
  v_readlane_b32 s4, v1, src_vccz
  s_mov_b64 vcc, 2
  v_readlane_b32 s5, v1, src_vccz
  v_mov_b32_e32 v2, s4
  v_mov_b32_e32 v3, s5
  v_mov_b32_e32 v4, 0
  s_waitcnt lgkmcnt(0)
  global_store_dwordx2 v4, v[2:3], s[8:9]
  s_endpgm
