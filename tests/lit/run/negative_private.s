// Compilers fold offsets into accesses of scratch whose vaddr is negative in some lanes, each in its own: the sum wraps.
// RUN: %offgrid as -mcpu=gfx906 %s -o %t.o && %offgrid run %t.o --kernel stack --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w4 %t.bin | FileCheck %s
// CHECK: 100
// CHECK-NEXT: 101
// CHECK: 163
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel stack
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_private_segment_wavefront_offset 1
  .amdhsa_private_segment_fixed_size 160
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 32
.end_amdhsa_kernel
.text
.p2align 8
stack: // s[0:3] scratch, s[4:5] arguments, s6 group, s7 the wave's offset
  s_add_u32 s0, s0, s7
  s_addc_u32 s1, s1, 0
  s_load_dwordx2 s[8:9], s[4:5], 0x0
  v_and_b32_e32 v1, 7, v0
  v_lshlrev_b32_e32 v1, 2, v1
  v_subrev_u32_e32 v1, 40, v1 // -40 to -12
  v_add_u32_e32 v2, 100, v0
  buffer_store_dword v2, v1, s[0:3], 0 offen offset:136
  s_waitcnt vmcnt(0)
  buffer_load_dword v3, v1, s[0:3], 0 offen offset:136
  v_lshlrev_b32_e32 v4, 2, v0
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_store_dword v4, v3, s[8:9]
  s_endpgm
