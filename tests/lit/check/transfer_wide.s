// Three dwords for each lane stand 16 bytes apart in LDS: the last lane's, too, are still being filled.
// RUN: %offgrid as %s -o %t.o
// RUN: not %offgrid check %t.o --kernel k --grid 64 --group 64 --arg buf:1024 2>&1 | FileCheck %s

// CHECK: error: kernel 'k': {{.*}}'ds_read_b32 v1, v1' reads 0x3f0 of LDS while k+{{.*}}'global_load_lds_dwordx3 v0, s[0:1]' still fills it; waiting for vmcnt(0) before would do (work-group 0,0,0, wave 0, lane 63) [async]
// CHECK-NOT: error

.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 3, v0
  v_lshlrev_b32_e32 v1, 1, v0
  s_mov_b32 m0, 0
  s_waitcnt lgkmcnt(0)
  global_load_lds_dwordx3 v0, s[0:1]
  v_cmp_eq_u32_e32 vcc, 0x3f0, v1
  s_and_saveexec_b64 s[2:3], vcc
  ds_read_b32 v1, v1
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_store_dword v0, v1, s[0:1]
  s_endpgm
.Lend:
  .size k, .Lend-k

.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 2048
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 4
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
