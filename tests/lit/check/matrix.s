// Products of matrices: with lanes off, whose registers they take whatever EXEC says, and of accumulators that were never
// written. Nothing is said of the right one.
// RUN: %offgrid as %s -o %t.o
// RUN: %offgrid ld %t.o -o %t.co
// RUN: not %offgrid check %t.co --kernel lanes_off --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=LANES_OFF %s
// RUN: not %offgrid check %t.co --kernel accumulator --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=ACCUMULATOR %s
// RUN: %offgrid check %t.co --kernel fine --grid 64 --group 64 --arg buf:256 2>&1 | count 0

// LANES_OFF: error: kernel 'lanes_off': {{.*}}'v_mfma_f32_4x4x1f32 a[0:3], v1, v1, a[0:3]' takes all lanes, and is reached by 32 of the wave's 64 (work-group 0,0,0, wave 0, lane 32) [divergence]
// LANES_OFF-NOT: error
// ACCUMULATOR: error: kernel 'accumulator': {{.*}}writes a value to global memory that nothing has defined: it comes from a3, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// ACCUMULATOR-NOT: error

.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.macro kernel name, accumulators, lanes
.text
.globl \name
.p2align 8
.type \name,@function
\name:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
  v_mov_b32_e32 v1, 1.0
  .set number, 0
  .rept \accumulators
  v_accvgpr_write_b32 a[number], 0
  .set number, number+1
  .endr
  s_mov_b64 s[2:3], \lanes
  s_mov_b64 exec, s[2:3]
  s_nop 7
  v_mfma_f32_4x4x1f32 a[0:3], v1, v1, a[0:3]
  s_mov_b64 exec, -1
  s_nop 7
  s_nop 7
  v_accvgpr_read_b32 v2, a3
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v2, s[0:1]
  s_endpgm
.Lend_\name:
  .size \name, .Lend_\name-\name
.rodata
.p2align 6
.amdhsa_kernel \name
  .amdhsa_next_free_vgpr 8
  .amdhsa_accum_offset 4
  .amdhsa_next_free_sgpr 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.endm
kernel lanes_off, 4, 0xffffffff
kernel accumulator, 3, -1
kernel fine, 4, -1

.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx90a
amdhsa.kernels:
  - .name: lanes_off
    .symbol: lanes_off.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 8
    .agpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: accumulator
    .symbol: accumulator.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 8
    .agpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: fine
    .symbol: fine.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 8
    .agpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata
