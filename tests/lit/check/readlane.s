// v_readlane_b32 of a lane that is off: a function that saves and restores a register for the lanes that are on leaves what the
// others had, scalars kept in lanes among them; what was brought back to another register has nothing there.
// RUN: %offgrid as -D CASE=1 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=2 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=3 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck %s
// RUN: %offgrid as -D CASE=4 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck %s
// RUN: %offgrid as -D CASE=5 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0

// CHECK: writes a value to global memory that comes from a lane that was off, while {{.*}}'v_readlane_b32 s4, v{{[45]}}, 40' read it from a register that was last written without that lane (work-group 0,0,0, wave 0, lane 0) [divergence]
// CHECK-NOT: error

.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_and_b32_e32 v0, 0x3ff, v0
  v_lshlrev_b32_e32 v3, 2, v0
  v_mov_b32_e32 v4, v0
  v_mov_b32_e32 v5, v0
.if CASE == 1 // scalars in a lane
  v_writelane_b32 v4, 7, 40
.endif
  v_cmp_gt_u32_e32 vcc, 20, v0
  s_and_saveexec_b64 s[2:3], vcc
.if CASE == 5 // all lanes are on meanwhile
  v_mov_b32_e32 v4, v3
  s_or_saveexec_b64 s[6:7], -1
  v_mov_b32_e32 v4, v5
  s_mov_b64 exec, s[6:7]
.elseif CASE == 4
  v_mov_b32_e32 v4, v3
.endif
  scratch_store_dword off, v4, off offset:16
  v_mov_b32_e32 v4, 0
.if CASE == 3
  scratch_load_dword v5, off, off offset:16
.else
  scratch_load_dword v4, off, off offset:16
.endif
  s_waitcnt vmcnt(0) lgkmcnt(0)
.if CASE == 3
  v_readlane_b32 s4, v5, 40
.else
  v_readlane_b32 s4, v4, 40
.endif
  s_nop 4
  v_mov_b32_e32 v1, s4
  global_store_dword v3, v1, s[0:1]
  s_endpgm
.Lk:
  .size k, .Lk-k

.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_enable_private_segment 1
  .amdhsa_private_segment_fixed_size 32
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
.end_amdhsa_kernel

.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 32
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata
