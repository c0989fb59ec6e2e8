// Memory ends with its last byte: a buffer's, a segment's. Instructions and arguments that no tool makes are told by name.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co

// RUN: %not %offgrid run %t.co --kernel behind --grid 1 --group 1 --arg buf:4 2>&1 | FileCheck --check-prefix=BUFFER %s
// BUFFER: error: kernel 'behind': write of 1 bytes by lane 0 is outside every buffer: it is the end of the buffer of 4 bytes at 0x{{[0-9a-f]+}}000, at behind+0x10 'global_store_byte v0, v0, s[2:3] offset:4', address 0x{{[0-9a-f]+}}004
// RUN: %offgrid run %t.co --kernel behind --grid 1 --group 1 --arg buf:5
// RUN: %not %offgrid run %t.co --kernel across --grid 1 --group 1 --arg buf:63 2>&1 | FileCheck --check-prefix=ACROSS %s
// ACROSS: error: kernel 'across': read of 4 bytes by lane 0 is outside every buffer: 60 bytes into the buffer of 63 bytes at
// RUN: %offgrid run %t.co --kernel across --grid 1 --group 1 --arg buf:64

// RUN: %not %offgrid run %t.co --kernel segment --grid 1 --group 1 --arg buf:4 2>&1 | FileCheck --check-prefix=SEGMENT %s
// SEGMENT: error: kernel 'segment': write of 1 bytes by lane 0 is outside every buffer: it is the end of the buffer of 13 bytes at

// RUN: %not %offgrid run %t.co --kernel illegal --grid 1 --group 1 --arg buf:4 2>&1 | FileCheck --check-prefix=ILLEGAL %s
// ILLEGAL: error: kernel 'illegal': illegal instruction: v_swap_b32: operand 2 is a scalar register, which it cannot be, at illegal+0x4 'v_swap_b32 v1, s0'

// RUN: %not %offgrid run %t.co --kernel lds_size --grid 1 --group 1 --arg lds:64 2>&1 | FileCheck --check-prefix=LDS_SIZE %s
// LDS_SIZE: error: argument 1 of kernel 'lds_size' is dynamic_shared_pointer of 1024 bytes; lds:64 does not fit it
// RUN: %not %offgrid run %t.co --kernel hidden_size --grid 1 --group 1 2>&1 | FileCheck --check-prefix=HIDDEN_SIZE %s
// HIDDEN_SIZE: error: hidden_block_count_x of kernel 'hidden_size' has 8 bytes; 4 expected
// RUN: %not %offgrid run %t.co --kernel hidden_place --grid 1 --group 1 2>&1 | FileCheck --check-prefix=HIDDEN_PLACE %s
// HIDDEN_PLACE: error: hidden_queue_ptr of kernel 'hidden_place' lies outside its kernarg segment of 12 bytes

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.macro kernel name
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
.endm

kernel behind
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_mov_b32_e32 v0, 0
  s_waitcnt lgkmcnt(0)
  global_store_byte v0, v0, s[2:3] offset:4
  s_endpgm

kernel across
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_mov_b32_e32 v0, 0
  s_waitcnt lgkmcnt(0)
  global_load_dword v1, v0, s[2:3] offset:60
  s_endpgm

kernel segment
  s_getpc_b64 s[2:3]
  s_add_u32 s2, s2, data@rel32@lo+4+13
  s_addc_u32 s3, s3, data@rel32@hi+12+13
  v_mov_b32_e32 v0, 0
  global_store_byte v0, v0, s[2:3]
  s_endpgm

kernel illegal
  s_nop 0
  .long 0x7e02a200
  s_endpgm

kernel lds_size
  s_endpgm
kernel hidden_size
  s_endpgm
kernel hidden_place
  s_endpgm

.data
data:
  .fill 13

.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - {.name: behind, .symbol: behind.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 4, .max_flat_workgroup_size: 64, .args: [{.offset: 0, .size: 8, .value_kind: global_buffer}]}
  - {.name: across, .symbol: across.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 4, .max_flat_workgroup_size: 64, .args: [{.offset: 0, .size: 8, .value_kind: global_buffer}]}
  - {.name: segment, .symbol: segment.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 4, .max_flat_workgroup_size: 64, .args: [{.offset: 0, .size: 8, .value_kind: global_buffer}]}
  - {.name: illegal, .symbol: illegal.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 4, .max_flat_workgroup_size: 64, .args: [{.offset: 0, .size: 8, .value_kind: global_buffer}]}
  - {.name: lds_size, .symbol: lds_size.kd, .kernarg_segment_size: 1032, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 4, .max_flat_workgroup_size: 64, .args: [{.offset: 8, .size: 1024, .value_kind: dynamic_shared_pointer, .pointee_align: 16}]}
  - {.name: hidden_size, .symbol: hidden_size.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 4, .max_flat_workgroup_size: 64, .args: [{.offset: 0, .size: 8, .value_kind: hidden_block_count_x}]}
  - {.name: hidden_place, .symbol: hidden_place.kd, .kernarg_segment_size: 12, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 4, .max_flat_workgroup_size: 64, .args: [{.offset: 8, .size: 8, .value_kind: hidden_queue_ptr}]}
...
.end_amdgpu_metadata
