// VGPRs behind a wave's own that both halves of a wave of 64 lanes reach: what one half writes the other reads, the upper half
// writes last, and reads what the lower one has written.
// RUN: %offgrid as -mcpu=gfx1030 -mattr=+wavefrontsize64 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid info %t.co | FileCheck --check-prefix=INFO %s
// INFO: uses        8 VGPRs and 8 that halves of a wave share, 8 SGPRs
// RUN: %offgrid run %t.co --kernel k --grid 64 --group 64 --arg out:%t.bin:1280
// RUN: od -A n -t u4 -w256 -v %t.bin | awk '{ print $1, $2, $32, $33, $34, $64 }' | FileCheck %s
// RUN: %offgrid run %t.co --kernel k --grid 64 --group 64 --arg out:%t.counted:1280 --stats > /dev/null && cmp %t.bin %t.counted
// RUN: %offgrid check %t.co --kernel k --grid 64 --group 64 --arg out:%t.checked:1280 && cmp %t.bin %t.checked

// The lower half reads what the upper one wrote, and the upper one too.
// CHECK: 32 33 63 32 33 63
// All lanes write: the upper half is the last.
// CHECK-NEXT: 132 133 163 132 133 163
// A sum is done for the lower half, then for the upper one: of lane 1 it is 133 + 1 + 33.
// CHECK-NEXT: 164 167 257 164 167 257
// Only rows 0 and 1, by DPP.
// CHECK-NEXT: 0 1 31 0 1 31
// v_writelane_b32 writes one lane: of both halves.
// CHECK-NEXT: 7 1 31 7 1 31

.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
.amdhsa_code_object_version 5
.text
.globl k
.p2align 8
.type k,@function
.macro show reg, at
  v_mov_b32 v2, \reg
  global_store_dword v1, v2, s[0:1] offset:\at
.endm
k:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  s_mov_b32 exec_lo, 0
  v_mov_b32 v8, v0
  s_mov_b32 exec_lo, -1
  s_waitcnt lgkmcnt(0)
  show v8, 0
  v_add_nc_u32 v8, 0x64, v0
  show v8, 256
  v_add_nc_u32 v8, v8, v0
  show v8, 512
  v_mov_b32_dpp v8, v0 quad_perm:[0,1,2,3] row_mask:0x3 bank_mask:0xf
  show v8, 768
  v_writelane_b32 v8, 7, 32
  show v8, 1024
  s_endpgm
.Lk:
.size k, .Lk - k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 8
  .amdhsa_shared_vgpr_count 1
  .amdhsa_wavefront_size32 0
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
    - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
.end_amdgpu_metadata
