// What is known of LDS is kept in parts of 256 bytes: bytes just before a part's end that nothing wrote, and such that
// a store ended with.
// RUN: %offgrid as %s -o %t.o
// RUN: not %offgrid check %t.o --kernel undefined --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck %s
// RUN: %offgrid check %t.o --kernel written --grid 64 --group 64 --arg buf:256 2>&1 | count 0

// CHECK: error: kernel 'undefined': {{.*}}'global_store_dword v2, v1, s[0:1]'{{.*}}[uninit]

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl undefined
.p2align 8
.type undefined,@function
undefined:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v2, 2, v0
  v_mov_b32_e32 v3, 0
  ds_read_u8 v1, v3 offset:253
  s_waitcnt lgkmcnt(0)
  global_store_dword v2, v1, s[0:1]
  s_endpgm
.Lend:
  .size undefined, .Lend-undefined

.globl written
.p2align 8
.type written,@function
written:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v2, 2, v0
  ds_write_b8 v0, v0 offset:190
  ds_write_b8 v0, v0 offset:254
  ds_read_u8 v1, v0 offset:250
  s_waitcnt lgkmcnt(0)
  global_store_dword v2, v1, s[0:1]
  s_endpgm
.Lend_written:
  .size written, .Lend_written-written

.rodata
.p2align 6
.macro descriptor name
.amdhsa_kernel \name
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.endm
descriptor undefined
descriptor written
