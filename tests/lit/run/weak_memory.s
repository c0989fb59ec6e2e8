// Message passing between work-groups: right on every seed; without the invalidate, or without the writer's wait, some seeds
// read what is stale. A schedule that was recorded does the same again.
// RUN: bash -c 'for seed in 1 2 3 4 5 6 7 8 9 10; do %offgrid run %s --kernel mp --grid 128 --group 64 --arg buf:512 --arg out:%t.value:4 --memory=weak:$seed || exit 1; od -An -td4 %t.value; done' | sort -u | FileCheck --check-prefix=RIGHT %s
// RUN: grep -v "buffer_wbinvl1_vo[l]" %s > %t.s
// RUN: bash -c 'for seed in 1 2 3 4 5 6 7 8 9 10; do %offgrid run %t.s --kernel mp --grid 128 --group 64 --arg buf:512 --arg out:%t.value:4 --memory=weak:$seed || exit 1; od -An -td4 %t.value; done' | sort -u | FileCheck --check-prefix=BOTH %s
// RUN: grep -v "the writer's [w]ait" %s > %t.s
// RUN: bash -c 'for seed in 1 2 3 10 15 27; do %offgrid run %t.s --kernel mp --grid 128 --group 64 --arg buf:512 --arg out:%t.value:4 --memory=weak:$seed || exit 1; od -An -td4 %t.value; done' | sort -u | FileCheck --check-prefix=BOTH %s
// RUN: %offgrid run %t.s --kernel mp --grid 128 --group 64 --arg buf:512 --arg out:%t.value:4 --memory=weak:10 --memory-record=%t.schedule
// RUN: %offgrid run %t.s --kernel mp --grid 128 --group 64 --arg buf:512 --arg out:%t.again:4 --memory=weak:replay=%t.schedule
// RUN: cmp %t.value %t.again
// RUN: not %offgrid run %t.s --kernel mp --grid 128 --group 64 --memory=strong 2>&1 | FileCheck --check-prefix=USAGE %s
// RIGHT-NOT: 0
// RIGHT: 42
// BOTH: 0
// BOTH-NEXT: 42
// USAGE: --memory: 'strong': expected weak, weak:SEED or weak:replay=FILE

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl mp
.p2align 8
.type mp,@function
mp:
  s_load_dwordx4 s[0:3], s[4:5], 0x0
  v_mov_b32 v10, 0
  s_waitcnt lgkmcnt(0)
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 reader
  ; writer: data at +0, flag at +256
  v_mov_b32 v0, 42
  v_mov_b32 v1, 1
  global_store_dword v10, v0, s[0:1]
  s_waitcnt vmcnt(0) ; the writer's wait
  global_store_dword v10, v1, s[0:1] offset:256
  s_endpgm
reader:
  global_load_dword v2, v10, s[0:1] offset:256 glc
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s8, v2
  s_cmp_eq_u32 s8, 0
  s_cbranch_scc1 reader
  buffer_wbinvl1_vol
  global_load_dword v3, v10, s[0:1]
  s_waitcnt vmcnt(0)
  global_store_dword v10, v3, s[2:3]
  s_endpgm
.Lend:
.size mp, .Lend-mp
.rodata
.p2align 6
.amdhsa_kernel mp
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
  .amdhsa_system_sgpr_workgroup_id_x 1
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 0]
amdhsa.kernels:
  - .name: mp
    .symbol: mp.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 64
    .args:
      - {.address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}
      - {.address_space: global, .offset: 8, .size: 8, .value_kind: global_buffer}
.end_amdgpu_metadata
