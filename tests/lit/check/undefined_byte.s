// A byte of LDS that nothing wrote, just before a multiple of 256 bytes: what is known of LDS is kept in such parts.
// RUN: %offgrid as %s -o %t.o
// RUN: not %offgrid check %t.o --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck %s

// CHECK: error: kernel 'k': {{.*}}'global_store_dword v2, v1, s[0:1]'{{.*}}[uninit]

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v2, 2, v0
  v_mov_b32_e32 v3, 0
  ds_read_u8 v1, v3 offset:253
  s_waitcnt lgkmcnt(0)
  global_store_dword v2, v1, s[0:1]
  s_endpgm
.Lend:
  .size k, .Lend-k

.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
