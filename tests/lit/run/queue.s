// Kernels reach their own AQL queue: they may enqueue packets, and what they write there gets no further than what they
// could write themselves.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co

// A kernel that enqueues itself until it has run five times: the run is over when the last of them is.
// RUN: %offgrid run %t.co --kernel again --grid 1 --group 1 --arg out:%t.bin:8 --arg u32:5
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=AGAIN %s
// AGAIN: 5
// One that never ends.
// RUN: %not %offgrid run %t.co --kernel again --grid 1 --group 1 --arg buf:8 --arg u32:0xffffffff --timeout 0.2 2>&1 | FileCheck --check-prefix=FEED %s
// FEED: error: kernel 'again': still running after 0.2 seconds (--timeout)

// A completion signal, then a dependency, that is the host's: of barrier-AND, agent dispatch, barrier-OR.
// RUN: %not %offgrid run %t.co --kernel put --grid 1 --group 1 --arg struct:03000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000041414141 --arg u64:2 2>&1 | FileCheck --check-prefix=COMPLETE %s
// RUN: %not %offgrid run %t.co --kernel put --grid 1 --group 1 --arg struct:04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000041414141 --arg u64:2 2>&1 | FileCheck --check-prefix=COMPLETE %s
// RUN: %not %offgrid run %t.co --kernel put --grid 1 --group 1 --arg struct:05000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000041414141 --arg u64:2 2>&1 | FileCheck --check-prefix=COMPLETE %s
// COMPLETE: error: kernel 'put': packet 1 of the queue names 0x4141414100000000 as its completion signal, which is not memory that kernels may write
// RUN: %not %offgrid run %t.co --kernel put --grid 1 --group 1 --arg struct:03000000000000000000424242420000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 --arg u64:2 2>&1 | FileCheck --check-prefix=DEPEND %s
// RUN: %not %offgrid run %t.co --kernel put --grid 1 --group 1 --arg struct:05000000000000000000424242420000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 --arg u64:2 2>&1 | FileCheck --check-prefix=DEPEND %s
// DEPEND: error: kernel 'put': packet 1 of the queue names 0x424242420000 as its dependency signal, which is not memory that kernels may read

// A dispatch of what is no kernel object; a packet of no type; indices that cannot be; a slot without a packet.
// RUN: %not %offgrid run %t.co --kernel put --grid 1 --group 1 --arg struct:02000100010001000100000001000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 --arg u64:2 2>&1 | FileCheck --check-prefix=OBJECT %s
// OBJECT: error: kernel 'put': no kernel object is loaded at 0x0
// RUN: %not %offgrid run %t.co --kernel put --grid 1 --group 1 --arg struct:4d000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 --arg u64:2 2>&1 | FileCheck --check-prefix=TYPE %s
// TYPE: error: kernel 'put': packet 1 of the queue is of type 77, which does not exist
// RUN: %not %offgrid run %t.co --kernel put --grid 1 --group 1 --arg struct:01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 --arg u64:0x1000000000000 2>&1 | FileCheck --check-prefix=FAR %s
// FAR: error: kernel 'put': the write index of the queue is far beyond its read index {{[01]}}; the queue holds 64 packets
// RUN: %not %offgrid run %t.co --kernel put --grid 1 --group 1 --arg struct:01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 --arg u64:0 2>&1 | FileCheck --check-prefix=BELOW %s
// BELOW: error: kernel 'put': the write index of the queue is below its read index 1
// RUN: %not %offgrid run %t.co --kernel put --grid 1 --group 1 --arg struct:01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 --arg u64:9 2>&1 | FileCheck --check-prefix=WANT %s
// WANT: error: kernel 'put': the kernel took a slot of its queue and wrote no packet to it

// Sizes of a dispatch of the kernel itself, as the kernel may write them: 0 dimensions, 4 of them, a grid of 0, a group
// of 0, one too large, scratch and LDS of 2^32 - 1.
// RUN: %not %offgrid run %t.co --kernel shape --grid 1 --group 1 --arg u32:0 --arg u32:0x00000002 2>&1 | FileCheck --check-prefix=DIMENSIONS %s
// DIMENSIONS: error: kernel 'shape': a dispatch of 0 dimensions
// RUN: %not %offgrid run %t.co --kernel shape --grid 1 --group 1 --arg u32:12 --arg u32:0 2>&1 | FileCheck --check-prefix=GRID %s
// GRID: error: kernel 'shape': grid size 0 in dimension x
// RUN: %not %offgrid run %t.co --kernel shape --grid 1 --group 1 --arg u32:4 --arg u32:0 2>&1 | FileCheck --check-prefix=GROUP %s
// GROUP: error: kernel 'shape': work-group size 0 in dimension x
// RUN: %not %offgrid run %t.co --kernel shape --grid 1 --group 1 --arg u32:4 --arg u32:0xffff 2>&1 | FileCheck --check-prefix=LARGE %s
// LARGE: error: kernel 'shape': work-group of 65535 work-items; at most 1024 are possible
// RUN: %not %offgrid run %t.co --kernel shape --grid 1 --group 1 --arg u32:24 --arg u32:0xffffffff 2>&1 | FileCheck --check-prefix=SCRATCH %s
// SCRATCH: error: kernel 'shape': 4294967295 bytes of scratch for each work-item wanted; gfx900 has at most 131056
// RUN: %not %offgrid run %t.co --kernel shape --grid 1 --group 1 --arg u32:28 --arg u32:0xffffffff 2>&1 | FileCheck --check-prefix=LDS %s
// LDS: error: kernel 'shape': 4294967295 bytes of LDS asked for; gfx900 has 65536

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.macro begin name
.text
.globl \name
.p2align 8
.type \name,@function
\name:
.endm

.macro end name
  s_waitcnt vmcnt(0)
  s_endpgm
.L\name:
.size \name, .L\name-\name
.rodata
.p2align 6
.amdhsa_kernel \name
  .amdhsa_user_sgpr_dispatch_ptr 1
  .amdhsa_user_sgpr_queue_ptr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 48
.end_amdhsa_kernel
.endm

// s[6:7]: the slot after the kernel's own; v0 is 0. s[0:1] dispatch packet, s[2:3] queue, s[4:5] arguments.
.macro next_slot
  v_mov_b32 v0, 0
  s_load_dwordx2 s[6:7], s[2:3], 0x8     // ring
  s_load_dword s8, s[2:3], 0x18          // size
  s_load_dword s9, s[2:3], 0x80          // read index: this packet's
  s_waitcnt lgkmcnt(0)
  s_add_u32 s9, s9, 1
  s_add_u32 s10, s9, 1                   // the write index after the next packet
  s_sub_u32 s8, s8, 1
  s_and_b32 s9, s9, s8
  s_lshl_b32 s9, s9, 6
  s_add_u32 s6, s6, s9
  s_addc_u32 s7, s7, 0
.endm

// Stores s[16:31] there as a packet, its header last, and s[10:11] as the write index.
.macro put_packet
  .irp i, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0
  v_mov_b32 v1, s[16+\i]
  global_store_dword v0, v1, s[6:7] offset:4*\i
  .endr
  v_mov_b32 v1, s10
  v_mov_b32 v2, s11
  global_store_dwordx2 v0, v[1:2], s[2:3] offset:56
.endm

begin put // (packet, write index)
  next_slot
  s_load_dwordx16 s[16:31], s[4:5], 0x0
  s_load_dwordx2 s[10:11], s[4:5], 0x40
  s_waitcnt lgkmcnt(0)
  put_packet
end put

begin again // (counter, how often)
  next_slot
  s_load_dwordx16 s[16:31], s[0:1], 0x0
  s_load_dwordx4 s[12:15], s[4:5], 0x0
  s_mov_b32 s11, 0
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v1, 1
  global_atomic_add v1, v0, v1, s[12:13] glc
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s12, v1
  s_add_u32 s12, s12, 1
  s_cmp_ge_u32 s12, s14
  s_cbranch_scc1 .Ldone
  put_packet
.Ldone:
end again

begin shape // (offset in the packet, value): itself again, so changed
  next_slot
  s_load_dwordx16 s[16:31], s[0:1], 0x0
  s_load_dwordx2 s[12:13], s[4:5], 0x0
  s_mov_b32 s11, 0
  s_waitcnt lgkmcnt(0)
  s_lshr_b32 s12, s12, 2
  s_mov_b32 m0, s12
  s_movreld_b32 s16, s13
  put_packet
end shape

.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - {.name: put, .symbol: put.kd, .kernarg_segment_size: 72, .kernarg_segment_align: 8, .group_segment_fixed_size: 0,
     .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 48, .vgpr_count: 16, .max_flat_workgroup_size: 1024,
     .args: [{.offset: 0, .size: 64, .value_kind: by_value}, {.offset: 64, .size: 8, .value_kind: by_value}]}
  - {.name: again, .symbol: again.kd, .kernarg_segment_size: 16, .kernarg_segment_align: 8, .group_segment_fixed_size: 0,
     .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 48, .vgpr_count: 16, .max_flat_workgroup_size: 1024,
     .args: [{.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}, {.offset: 8, .size: 4, .value_kind: by_value}]}
  - {.name: shape, .symbol: shape.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .group_segment_fixed_size: 0,
     .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 48, .vgpr_count: 16, .max_flat_workgroup_size: 1024,
     .args: [{.offset: 0, .size: 4, .value_kind: by_value}, {.offset: 4, .size: 4, .value_kind: by_value}]}
...
.end_amdgpu_metadata
