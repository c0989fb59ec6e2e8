// Checkers beside a weak memory: an index that a missing invalidate leaves stale leads behind the buffer, on some schedules
// only; the shortest that shows that finding is found, told, written and replayed.
// RUN: printf '\000\000\001\000' > %t.index
// RUN: %offgrid check %s --grid 64 --group 32 --arg in:%t.index --arg buf:64 --arg buf:64 --only=bounds 2>&1 | count 0
// RUN: not %offgrid check %s --grid 64 --group 32 --arg in:%t.index --arg buf:64 --arg buf:64 --memory=weak:1 --memory-shrink --memory-record=%t.schedule > %t.out 2>&1
// RUN: FileCheck --check-prefix=SHRUNK %s < %t.out
// RUN: FileCheck --check-prefix=FOUND %s < %t.out
// SHRUNK: schedule shrunk from {{[0-9]+}} choices to 1:
// SHRUNK: 'global_load_dword v3, v0, s[4:5]': finds what its cache has from
// FOUND: follow+0x{{[0-9a-f]+}}{{.*}} 'global_load_dword v4, v3, s[6:7]' faults: {{.*}} [bounds]
// RUN: not %offgrid check %s --grid 64 --group 32 --arg in:%t.index --arg buf:64 --arg buf:64 --memory=weak:replay=%t.schedule --only=bounds 2>&1 | FileCheck --check-prefix=FOUND %s

// A finding that is asked for: races are told on a strong memory, too, so that no choice is needed.
// RUN: not %offgrid check %s --grid 64 --group 32 --arg in:%t.index --arg buf:64 --arg buf:64 --memory=weak:1 --memory-shrink=races --json 2> %t.errors | FileCheck --check-prefix=RACES %s
// RACES: {{^}}{"findings":[{{.*}}],"schedule":["schedule shrunk from {{[0-9]+}} choices to 0:"]}{{$}}
// RUN: not %offgrid check %s --grid 64 --group 32 --arg in:%t.index --arg buf:64 --arg buf:64 --memory=weak:1 '--memory-shrink=bounds nowhere' 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: --memory-shrink: this schedule shows no finding of these; try other seeds
// RUN: not %offgrid check %s --grid 64 --group 32 --arg in:%t.index --arg buf:64 --arg buf:64 --memory=weak:1 '--memory-shrink=rases *' 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN-NOT: finding
// UNKNOWN: error: --memory-shrink: 'rases' is no checker of AMD kernels; there are waits, divergence, bounds, uninit, races, hazards, async and numbers
// UNKNOWN-NOT: finding
// RUN: not %offgrid check %s --grid 64 --group 32 --arg in:%t.index --arg buf:64 --arg buf:64 --memory=weak:1 --only=bounds --memory-shrink=races 2>&1 | FileCheck --check-prefix=UNWATCHED %s
// UNWATCHED: error: --memory-shrink: 'races' is not among the checkers that watch
// RUN: not %offgrid run %s --grid 64 --group 32 --memory=weak:1 --memory-shrink=races 2>&1 | FileCheck --check-prefix=USAGE %s
// USAGE: --memory-shrink=FINDING is an option of 'offgrid check'
.amdgcn_target "amdgcn-amd-amdhsa--gfx906"

// The first work-group makes the index 0 and sets a flag; the second waits for the flag and reads by the index.
.text
.globl follow
.p2align 8
.type follow,@function
follow:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_mov_b32 v0, 0
  s_mov_b64 exec, 1
  s_waitcnt lgkmcnt(0)
  s_cmp_lg_u32 s2, 0
  s_cbranch_scc1 reader
  v_mov_b32 v1, 1
  global_store_dword v0, v0, s[4:5]
  s_waitcnt vmcnt(0)
  global_atomic_add v0, v1, s[8:9]
  s_endpgm
reader:
  global_load_dword v2, v0, s[8:9] glc
  s_waitcnt vmcnt(0)
  v_cmp_eq_u32 vcc, 0, v2
  s_cbranch_vccnz reader
  global_load_dword v3, v0, s[4:5]
  s_waitcnt vmcnt(0)
  global_load_dword v4, v3, s[6:7]
  s_waitcnt vmcnt(0)
  s_endpgm
.size follow, .-follow
.rodata
.p2align 6
.amdhsa_kernel follow
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: follow
    .symbol: follow.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global }
...
.end_amdgpu_metadata
