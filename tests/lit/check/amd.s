// check on AMD kernels: a register read while it is still filled, a barrier that some lanes do not reach; each told once
// with its count, allowed by a file, as JSON; threads change nothing.
// RUN: %offgrid as -g %s -o %t.o
// RUN: %offgrid ld %t.o -o %t.co
// RUN: not %offgrid check %t.co --kernel k --grid 256 --group 128 --arg buf:2048 --only=waits,divergence 2>&1 | FileCheck %s
// RUN: not %offgrid check %t.co --kernel k --grid 256 --group 128 --arg buf:2048 --only=waits,divergence --threads 2 2>&1 | FileCheck %s
// RUN: not %offgrid check %t.co --kernel k --grid 256 --group 128 --arg buf:2048 --only=waits,divergence --json 2>%t.err | FileCheck --check-prefix=JSON %s
// RUN: echo "waits k+0x24 # known" > %t.allow
// RUN: not %offgrid check %t.co --kernel k --grid 256 --group 128 --arg buf:2048 --only=waits,divergence --allow %t.allow 2>&1 | FileCheck --check-prefix=ALLOWED %s
// RUN: %offgrid check %t.co --kernel k --grid 256 --group 128 --arg buf:2048 --allow %t.allow --only=waits
// RUN: %offgrid check %t.co --kernel quiet --grid 256 --group 128 --arg buf:2048 --only=waits,divergence
// RUN: echo "wats k+0x24" > %t.allow
// RUN: not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:2048 --only=waits,divergence --allow %t.allow 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: echo "waits" > %t.allow
// RUN: not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:2048 --only=waits,divergence --allow %t.allow 2>&1 | FileCheck --check-prefix=LINE %s
// RUN: not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:2048 --only=nothing 2>&1 | FileCheck --check-prefix=NAME %s

// CHECK: error: kernel 'k': k+0x24 'v_add_u32_e32 v3, v2, v1' ({{.*}}amd.s:[[#@LINE+22]]) reads v2 while k+0x18 'global_load_dword v2, v0, s[0:1] offset:4' ({{.*}}) still fills it; waiting for vmcnt(0) before would do (work-group {{[01]}},0,0, wave 0, lane 0; 4 times) [waits]
// CHECK: error: kernel 'k': k+0x2c 's_barrier' ({{.*}}) is reached by 4 of the wave's 64 lanes (work-group {{[01]}},0,0, wave 0, lane 4; 4 times) [divergence]
// CHECK-NOT: error
// JSON: {"findings":[{"checker":"waits","kernel":"k","message":"k+0x24 'v_add_u32_e32 v3, v2, v1' {{.*}}","place":"k+0x24","pc":{{[0-9]+}},"instruction":"v_add_u32_e32 v3, v2, v1","other_place":"k+0x18","other_pc":{{[0-9]+}},"other_instruction":"{{[^"]*}}","group":[0,0,0],"wave":0,"lane":0,"count":4},{"checker":"divergence",{{.*}}]}
// ALLOWED-NOT: [waits]
// ALLOWED: [divergence]
// UNKNOWN: line 1: 'wats' is no checker of AMD kernels; there are waits, divergence, bounds, uninit, races, hazards, async and numbers
// LINE: error: line 1: a checker and a place are expected, as in 'waits k+0x40'
// NAME: error: --only: 'nothing' is no checker of AMD kernels; there are waits, divergence, {{.*}}, async and numbers

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v1, v0, s[0:1]
  global_load_dword v2, v0, s[0:1] offset:4
  s_waitcnt vmcnt(1)
  v_add_u32_e32 v3, v2, v1
  s_mov_b64 exec, 15
  s_barrier
  s_mov_b64 exec, -1
  global_store_dword v0, v3, s[0:1]
  s_endpgm
.Lend:
  .size k, .Lend-k

.globl quiet
.p2align 8
.type quiet,@function
quiet: // the same load, but of lanes that the addition leaves out
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  s_mov_b64 exec, 15
  global_load_dword v2, v0, s[0:1]
  s_not_b64 exec, exec
  v_mov_b32_e32 v2, 7
  s_mov_b64 exec, -1
  s_waitcnt vmcnt(0)
  s_barrier
  global_store_dword v0, v2, s[0:1]
  s_endpgm
.Lquiet:
  .size quiet, .Lquiet-quiet
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
  .amdhsa_kernarg_size 8
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel quiet
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
  .amdhsa_kernarg_size 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: quiet
    .symbol: quiet.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata
