// What a wait or a cache operation is missing for shows on some seeds, in LDS, through the scalar cache, and where a result
// is used too soon; with it nothing does, on any. A schedule is shrunk to the choices that are needed, and told.
// RUN: bash -c 'for seed in {1..24}; do %offgrid run %s --kernel spaces --grid 128 --group 128 --arg out:%t.value:12 --memory=weak:$seed || exit 1; od -An -td4 %t.value; done' | sort -u | FileCheck --check-prefix=RIGHT %s
// RIGHT: 1 {{ *}}2 {{ *}}3
// RIGHT-NOT: {{[0-9]}}
// RUN: grep -v "for [L]DS" %s > %t.s
// RUN: bash -c 'for seed in {1..24}; do %offgrid run %t.s --kernel spaces --grid 128 --group 128 --arg out:%t.value:12 --memory=weak:$seed || exit 1; od -An -td4 %t.value; done' | sort -u | FileCheck --check-prefix=LDS %s
// LDS: 0 {{ *}}2 {{ *}}3
// LDS: 1 {{ *}}2 {{ *}}3
// RUN: grep -v "for the [s]calar cache" %s > %t.s
// RUN: bash -c 'for seed in {1..24}; do %offgrid run %t.s --kernel spaces --grid 128 --group 128 --arg out:%t.value:12 --memory=weak:$seed || exit 1; od -An -td4 %t.value; done' | sort -u | FileCheck --check-prefix=SCALAR %s
// SCALAR: 1 {{ *}}0 {{ *}}3
// SCALAR: 1 {{ *}}2 {{ *}}3
// RUN: grep -v "for the [r]esult" %s > %t.s
// RUN: bash -c 'for seed in {1..24}; do %offgrid run %t.s --kernel spaces --grid 128 --group 128 --arg out:%t.value:12 --memory=weak:$seed || exit 1; od -An -td4 %t.value; done' | sort -u | FileCheck --check-prefix=RESULT %s
// RESULT: 1 {{ *}}2 {{ *}}0
// RESULT: 1 {{ *}}2 {{ *}}3
// RUN: %offgrid run %t.s --kernel spaces --grid 128 --group 128 --arg out:%t.value:12 --memory=weak:1 --memory-shrink --threads=2 --memory-record=%t.schedule | FileCheck --check-prefix=SHRUNK %s
// SHRUNK: schedule shrunk from {{[0-9]+}} choices to 1:
// SHRUNK-NEXT: choice {{[0-9]+}}: work-group 0, wave {{[01]}}, code+0x{{.*}} 's_load_dword s9, s[0:1], 0x8': stays outstanding for {{[0-9]+}} instructions, unless something waits for it
// RUN: %offgrid run %t.s --kernel spaces --grid 128 --group 128 --arg out:%t.value:12 --memory=weak:replay=%t.schedule
// RUN: od -An -td4 %t.value | FileCheck --check-prefix=REPLAYED %s
// REPLAYED: 1 {{ *}}2 {{ *}}0
// RUN: not %offgrid run %s --kernel spaces --grid 128 --group 128 --arg out:%t.value:12 --memory=weak:1 --memory-shrink 2>&1 | FileCheck --check-prefix=NOTHING %s
// NOTHING: error: --memory-shrink: this schedule leaves the same values as a strong memory; try other seeds
// RUN: not %offgrid run %s --kernel spaces --grid 128 --group 128 --memory-shrink 2>&1 | FileCheck --check-prefix=USAGE %s
// USAGE: --memory-record, --memory-shrink and --memory-agents need --memory=weak

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl spaces
.p2align 8
.type spaces,@function
spaces:
  s_load_dwordx2 s[0:1], s[4:5], 0x0
  v_mov_b32 v10, 0
  v_mov_b32 v1, 1
  v_mov_b32 v2, 2
  v_mov_b32 v3, 3
  v_readfirstlane_b32 s8, v0
  s_mov_b32 s9, 0
  s_waitcnt lgkmcnt(0)
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 reader
  ; writer: 1 in LDS, 2 and 3 in memory
  ds_write_b32 v10, v1
  global_store_dword v10, v2, s[0:1] offset:4
  s_waitcnt lgkmcnt(0) ; for LDS
  s_waitcnt vmcnt(0)
  s_barrier
  s_endpgm
reader:
  s_load_dword s7, s[0:1], 0x4 ; what the scalar cache keeps
  global_store_dword v10, v3, s[0:1] offset:8
  s_waitcnt vmcnt(0) lgkmcnt(0)
  s_barrier
  ds_read_b32 v4, v10
  s_dcache_inv ; for the scalar cache
  s_load_dword s7, s[0:1], 0x4
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v5, s7
  s_load_dword s9, s[0:1], 0x8
  s_waitcnt lgkmcnt(0) ; for the result
  v_mov_b32 v6, s9
  s_waitcnt lgkmcnt(0)
  global_store_dword v10, v4, s[0:1]
  global_store_dword v10, v5, s[0:1] offset:4
  global_store_dword v10, v6, s[0:1] offset:8
  s_endpgm
.Lend:
.size spaces, .Lend-spaces
.rodata
.p2align 6
.amdhsa_kernel spaces
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_group_segment_fixed_size 64
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 0]
amdhsa.kernels:
  - .name: spaces
    .symbol: spaces.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 128
    .args:
      - {.address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}
.end_amdgpu_metadata
