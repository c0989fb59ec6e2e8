// The offset of an asynchronous load counts in LDS, too; a byte is one byte there.
// RUN: %offgrid as %s -o %t.o
// RUN: not %offgrid check %t.o --kernel k --grid 32 --group 32 --arg buf:2048 2>&1 | FileCheck %s

// CHECK: error: kernel 'k': {{.*}}'ds_load_b32 v4, v0 offset:1024' reads 0x400 of LDS while k+{{.*}}'global_load_async_to_lds_b32 v0, v0, s[0:1] offset:1024' still fills it; waiting for asynccnt(1) before would do (work-group 0,0,0, wave 0, lane 0{{.*}}) [async]
// CHECK-NOT: error

.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_b64 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
  v_mov_b32 v2, 0
  v_mov_b32 v5, 0
  ds_store_b8 v0, v2 offset:1
  s_wait_kmcnt 0x0
  s_wait_dscnt 0x0
  global_load_async_to_lds_b32 v0, v0, s[0:1] offset:1024
  global_load_async_to_lds_b8 v0, v0, s[0:1]
  v_cmp_eq_u32 vcc_lo, 0x7c, v0
  v_mov_b32 v3, v0
  ds_load_b32 v4, v0 offset:1024
  s_and_saveexec_b32 s2, vcc_lo
  ds_load_u8 v5, v0 offset:1
  s_mov_b32 exec_lo, s2
  s_wait_dscnt 0x0
  s_wait_asynccnt 0x0
  global_store_b64 v3, v[4:5], s[0:1]
  s_endpgm
.Lend:
  .size k, .Lend-k

.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 2048
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
