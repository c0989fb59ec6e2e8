// Checkers on code that no compiler would make: transfers to LDS that are not waited for, scalar loads of what the wave
// wrote, buffers beyond their descriptor, wait states, registers that were never written. Each finding comes from one
// checker, and the right code has none.
// RUN: %offgrid as %s -o %t.o
// RUN: %offgrid ld %t.o -o %t.co
// RUN: not %offgrid check %t.co --kernel async_unwaited --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=ASYNC_UNWAITED %s
// RUN: %offgrid check %t.co --kernel async_waited --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: not %offgrid check %t.co --kernel scalar_stale --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=SCALAR_STALE %s
// RUN: %offgrid check %t.co --kernel scalar_fresh --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: not %offgrid check %t.co --kernel beyond_descriptor --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=BEYOND_DESCRIPTOR %s
// RUN: not %offgrid check %t.co --kernel too_soon --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=TOO_SOON %s
// RUN: %offgrid check %t.co --kernel soon_enough --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: not %offgrid check %t.co --kernel never_written --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=NEVER_WRITTEN %s
// RUN: not %offgrid lint --waits %t.co 2>&1 | FileCheck --check-prefix=LINT %s

// ASYNC_UNWAITED: error: kernel 'async_unwaited': {{.*}}'ds_read_b32 v1, v0' reads 0x0 of LDS while async_unwaited+{{.*}} still fills it; waiting for vmcnt(0) before would do (work-group 0,0,0, wave 0, lane 0) [async]
// ASYNC_UNWAITED-NOT: error
// SCALAR_STALE: error: kernel 'scalar_stale': {{.*}}'s_load_dword s2, s[0:1], 0x8' reads by way of the scalar cache while scalar_stale+{{.*}} wrote there, and the scalar cache has not been invalidated since (work-group 0,0,0, wave 0) [races]
// SCALAR_STALE-NOT: error
// BEYOND_DESCRIPTOR: error: kernel 'beyond_descriptor': {{.*}}reads beyond the buffer that its descriptor says; hardware yields 0 (work-group 0,0,0, wave 0, lane 32) [bounds]
// BEYOND_DESCRIPTOR-NOT: error
// TOO_SOON: error: kernel 'too_soon': {{.*}}'v_readlane_b32 s5, v0, s4' comes too soon for s4 (VALU's SGPR to a lane) while too_soon+{{.*}} is before it; s_nop 1 between them would do (work-group 0,0,0, wave 0) [hazards]
// TOO_SOON-NOT: error
// NEVER_WRITTEN: error: kernel 'never_written': {{.*}}'s_and_saveexec_b64 s[2:3], vcc' lets lanes go on by a value that nothing has defined: it comes from v2, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// NEVER_WRITTEN-NOT: error
// LINT: error: kernel 'too_soon': 'v_readlane_b32 s5, v0, s4' at too_soon+{{.*}} comes too soon behind 'v_readfirstlane_b32 s4, v0' at too_soon+0x0, for s4 (VALU's SGPR to a lane); s_nop 1 would do [OG505]
// LINT-NOT: OG505

.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl async_unwaited
.p2align 8
.type async_unwaited,@function
async_unwaited:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
  s_mov_b32 m0, 0
  s_waitcnt lgkmcnt(0)
  global_load_lds_dword v0, s[0:1]
  ds_read_b32 v1, v0
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_store_dword v0, v1, s[0:1]
  s_endpgm
.Lasync_unwaited:
  .size async_unwaited, .Lasync_unwaited-async_unwaited

.globl async_waited
.p2align 8
.type async_waited,@function
async_waited:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
  s_mov_b32 m0, 0
  s_waitcnt lgkmcnt(0)
  global_load_lds_dword v0, s[0:1]
  s_waitcnt vmcnt(0)
  ds_read_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[0:1]
  s_endpgm
.Lasync_waited:
  .size async_waited, .Lasync_waited-async_waited

.globl scalar_stale
.p2align 8
.type scalar_stale,@function
scalar_stale:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v0, s[0:1]
  s_waitcnt vmcnt(0)
  s_load_dword s2, s[0:1], 0x8
  s_waitcnt lgkmcnt(0)
  s_endpgm
.Lscalar_stale:
  .size scalar_stale, .Lscalar_stale-scalar_stale

.globl scalar_fresh
.p2align 8
.type scalar_fresh,@function
scalar_fresh:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v0, s[0:1]
  s_waitcnt vmcnt(0)
  s_dcache_inv
  s_load_dword s2, s[0:1], 0x8
  s_waitcnt lgkmcnt(0)
  s_endpgm
.Lscalar_fresh:
  .size scalar_fresh, .Lscalar_fresh-scalar_fresh

.globl beyond_descriptor
.p2align 8
.type beyond_descriptor,@function
beyond_descriptor:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_mov_b32 s6, 128
  s_mov_b32 s7, 0x24000
  v_lshlrev_b32_e32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  buffer_load_dword v1, v0, s[4:7], 0 offen
  s_waitcnt vmcnt(0)
  s_endpgm
.Lbeyond_descriptor:
  .size beyond_descriptor, .Lbeyond_descriptor-beyond_descriptor

.globl too_soon
.p2align 8
.type too_soon,@function
too_soon:
  v_readfirstlane_b32 s4, v0
  s_nop 1
  v_readlane_b32 s5, v0, s4
  s_endpgm
.Ltoo_soon:
  .size too_soon, .Ltoo_soon-too_soon

.globl soon_enough
.p2align 8
.type soon_enough,@function
soon_enough:
  v_readfirstlane_b32 s4, v0
  s_nop 3
  v_readlane_b32 s5, v0, s4
  s_endpgm
.Lsoon_enough:
  .size soon_enough, .Lsoon_enough-soon_enough

.globl never_written
.p2align 8
.type never_written,@function
never_written:
  v_cmp_eq_u32_e32 vcc, 3, v2
  s_and_saveexec_b64 s[2:3], vcc
  s_endpgm
.Lnever_written:
  .size never_written, .Lnever_written-never_written

.rodata
.p2align 6
.amdhsa_kernel async_unwaited
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
  .amdhsa_accum_offset 4
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 256
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel async_waited
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
  .amdhsa_accum_offset 4
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 256
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel scalar_stale
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
  .amdhsa_accum_offset 4
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 256
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel scalar_fresh
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
  .amdhsa_accum_offset 4
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 256
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel beyond_descriptor
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
  .amdhsa_accum_offset 4
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 256
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel too_soon
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
  .amdhsa_accum_offset 4
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 256
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel soon_enough
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
  .amdhsa_accum_offset 4
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 256
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel never_written
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
  .amdhsa_accum_offset 4
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 256
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: async_unwaited
    .symbol: async_unwaited.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: async_waited
    .symbol: async_waited.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: scalar_stale
    .symbol: scalar_stale.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: scalar_fresh
    .symbol: scalar_fresh.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: beyond_descriptor
    .symbol: beyond_descriptor.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: too_soon
    .symbol: too_soon.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: soon_enough
    .symbol: soon_enough.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: never_written
    .symbol: never_written.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata
