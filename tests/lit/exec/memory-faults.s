// What memory instructions may not do ends the dispatch, with the place, the instruction and the address.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co

// RUN: %not %offgrid run %t.co --kernel lds_far --grid 64 --group 64 --arg buf:64 2>&1 | FileCheck --check-prefix=LDS_FAR %s
// LDS_FAR: error: kernel 'lds_far': LDS read of 4 bytes by lane 0 is out of range: the work-group has 512 bytes, at lds_far+0x8 'ds_read_b32 v2, v1', address 0x1fe

// RUN: %not %offgrid run %t.co --kernel lds_flat --grid 64 --group 64 --arg buf:64 2>&1 | FileCheck --check-prefix=LDS_FLAT %s
// LDS_FLAT: error: kernel 'lds_flat': LDS write of 4 bytes by lane 0 is out of range: the work-group has 512 bytes, at lds_flat+0x{{[0-9a-f]+}} 'flat_store_dword v[0:1], v0', address 0x200

// RUN: %not %offgrid run %t.co --kernel scratch_far --grid 64 --group 64 --arg buf:64 2>&1 | FileCheck --check-prefix=SCRATCH_FAR %s
// SCRATCH_FAR: error: kernel 'scratch_far': scratch read of 4 bytes by lane 0 is out of range: a work-item has 64 bytes, at scratch_far+0x{{[0-9a-f]+}} 'scratch_load_dword v2, v1, off', address 0x40

// RUN: %not %offgrid run %t.co --kernel odd_atomic --grid 64 --group 64 --arg buf:64 2>&1 | FileCheck --check-prefix=ODD_ATOMIC %s
// ODD_ATOMIC: error: kernel 'odd_atomic': atomic of 4 bytes in memory by lane 0 is misaligned, at odd_atomic+0x{{[0-9a-f]+}} 'global_atomic_add v0, v0, s[2:3]', address 0x

// RUN: %not %offgrid run %t.co --kernel own_code --grid 64 --group 64 --arg buf:64 2>&1 | FileCheck --check-prefix=OWN_CODE %s
// OWN_CODE: error: kernel 'own_code': write of 4 bytes by lane 0 is outside every buffer: the buffer of {{[0-9]+}} bytes at 0x{{[0-9a-f]+}} is read-only, at own_code+0x8 'global_store_dword v0, v0, s[2:3]', address 0x

// RUN: %not %offgrid run %t.co --kernel scalar_far --grid 64 --group 64 --arg buf:64 2>&1 | FileCheck --check-prefix=SCALAR_FAR %s
// SCALAR_FAR: error: kernel 'scalar_far': scalar read of 8 bytes is outside every buffer: {{.*}} at scalar_far+0x{{[0-9a-f]+}} 's_load_dwordx2 s[2:3], s[2:3], 0x80', address 0x

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.macro kernel name, lds=0, scratch=0
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel \name
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size \lds
  .amdhsa_private_segment_fixed_size \scratch
  .amdhsa_user_sgpr_flat_scratch_init !!\scratch
  .amdhsa_system_sgpr_private_segment_wavefront_offset !!\scratch
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.text
.globl \name
.p2align 8
.type \name,@function
\name:
.endm

kernel lds_far, lds=512 // LDS beyond what the group has
  v_mov_b32_e32 v1, 0x1fe
  ds_read_b32 v2, v1
  s_endpgm

kernel lds_flat, lds=512 // the same through the aperture
  s_mov_b64 s[4:5], src_shared_base
  v_mov_b32_e32 v0, 0x200
  v_mov_b32_e32 v1, s5
  flat_store_dword v[0:1], v0
  s_endpgm

kernel scratch_far, scratch=64 // scratch beyond a work-item's
  s_add_u32 flat_scratch_lo, s2, s5
  s_addc_u32 flat_scratch_hi, s3, 0
  v_mov_b32_e32 v1, 64
  scratch_load_dword v2, v1, off
  s_endpgm

kernel odd_atomic // misaligned
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_mov_b32_e32 v0, 2
  s_waitcnt lgkmcnt(0)
  global_atomic_add v0, v0, s[2:3]
  s_endpgm

kernel own_code // code is read-only
  s_getpc_b64 s[2:3]
  v_mov_b32_e32 v0, 0
  global_store_dword v0, v0, s[2:3]
  s_endpgm

kernel scalar_far // scalar loads
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_load_dwordx2 s[2:3], s[2:3], 0x80
  s_endpgm
