// Clusters of work-groups on gfx1250 ("CDNA5" ISA, 2.3, 5.6.6, 10.7): where a wave finds its place, barriers of clusters,
// loads for several work-groups, and what is refused.
// RUN: %offgrid as -mcpu=gfx1250 %s -o %t.o

// A grid of 4x4x2 work-groups in clusters of 2x2x2: cluster, place in it, sizes less one, number in the cluster.
// RUN: %offgrid run %t.o --kernel places --grid 128,4,2 --group 32 --cluster 2,2,2 --arg out:%t.bin:1024
// RUN: od -An -v -tx4 -w32 %t.bin | FileCheck --check-prefix=PLACES %s
// PLACES:      00000000 00000000 07111000 00000000 00000001 00000000 00000000 00000000
// PLACES-NEXT: 00000000 00000000 07111001 00000001 00000001 00000001 00000000 00000000
// PLACES-NEXT: 00000001 00000000 07111000 00000000 00000001 00000002 00000000 00000000
// PLACES-NEXT: 00000001 00000000 07111001 00000001 00000001 00000003 00000000 00000000
// PLACES-NEXT: 00000000 00000000 07111010 00000002 00000001 00000000 00000001 00000000
// PLACES:      00000000 00000001 07111000 00000000 00000001 00000000 00000002 00000000
// PLACES:      00000001 00000001 07111111 00000007 00000001 00000003 00000003 00000001

// Without clusters TTMP6 is 0 and the ids are the work-group's own.
// RUN: %offgrid run %t.o --kernel places --grid 128 --group 32 --arg out:%t.bin:128
// RUN: od -An -v -tx4 -w32 %t.bin | FileCheck --check-prefix=ALONE %s
// ALONE:      00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
// ALONE-NEXT: 00000001 00000000 00000000 00000000 00000000 00000001 00000000 00000000

// Each work-group sums what the four of its cluster have stored before the barrier, twice.
// RUN: %offgrid run %t.o --kernel sums --grid 1024 --group 64 --cluster 4 --arg out:%t.bin:192
// RUN: od -An -v -td4 -w64 %t.bin | FileCheck --check-prefix=SUMS %s
// RUN: %offgrid run %t.o --kernel sums --grid 1024 --group 64 --cluster 4 --threads 2 --schedule=random:3 --arg out:%t.bin:192
// RUN: od -An -v -td4 -w64 %t.bin | FileCheck --check-prefix=SUMS %s
// SUMS: 10 10 10 10 26 26 26 26 42 42 42 42 58 58 58 58

// The first to signal is told so, once in each cluster; one that has ended is not waited for.
// RUN: %offgrid run %t.o --kernel first --grid 256 --group 32 --cluster 4 --arg out:%t.bin:8
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=FIRST %s
// FIRST: 2 6

// What a message tells of the barrier: valid, four members, two signals.
// RUN: %offgrid run %t.o --kernel state --grid 128 --group 32 --cluster 4 --arg out:%t.bin:4
// RUN: od -An -v -tx4 %t.bin | FileCheck --check-prefix=STATE %s
// STATE: 00020041

// A load for all work-groups of the mask: each that asks gets it, in its registers and its LDS.
// RUN: %offgrid run %t.o --kernel multicast --grid 128 --group 32 --cluster 2 --arg out:%t.bin:512
// RUN: od -An -v -td4 -w32 %t.bin | uniq -c | FileCheck --check-prefix=MULTICAST %s
// MULTICAST: 16 {{ *}}3{{ *}}4{{ *}}5{{ *}}6{{ *}}7{{ *}}8{{ *}}9{{ *}}10
// RUN: %not %offgrid run %t.o --kernel left_out --grid 64 --group 32 --cluster 2 --arg out:%t.bin:4 2>&1 | FileCheck --check-prefix=OUT %s
// OUT: error: kernel 'left_out': cluster_load_b32 for the work-groups of mask 0x1, among which work-group 1 of the cluster, which asks, is not

// RUN: %not %offgrid run %t.o --kernel stuck --grid 64 --group 32 --cluster 2 2>&1 | FileCheck --check-prefix=STUCK %s
// STUCK: error: kernel 'stuck': waits at a barrier as all waves of its cluster do, and none of them can complete one
// RUN: %not %offgrid run %t.o --kernel places --grid 96 --group 32 --cluster 2 --arg out:%t.bin:1024 2>&1 | FileCheck --check-prefix=WHOLE %s
// WHOLE: error: kernel 'places': grid of 3x1x1 work-groups; clusters of 2x1x1 do not fill it
// RUN: %not %offgrid run %t.o --kernel places --grid 2048 --group 32 --cluster 16,2 --arg out:%t.bin:1024 2>&1 | FileCheck --check-prefix=MANY %s
// MANY: error: kernel 'places': clusters of 16x2x1 work-groups; at most 16 are possible
// RUN: %not %offgrid run %t.o --kernel places --grid 2048 --group 32 --cluster 0 --arg out:%t.bin:1024 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: offgrid run: --cluster: '0': expected X[,Y[,Z]], work-groups of a cluster in each dimension, at most 16 in all

// Metadata says what clusters a kernel is made for; another size is refused.
// RUN: %offgrid run %t.o --kernel made --grid 128 --group 32 --arg out:%t.bin:128
// RUN: od -An -v -tx4 -w32 %t.bin | FileCheck --check-prefix=MADE %s
// MADE:      00000000 00000000 01001000
// MADE-NEXT: 00000000 00000000 01001001
// MADE-NEXT: 00000001 00000000 01001000
// RUN: %not %offgrid run %t.o --kernel made --grid 128 --group 32 --cluster 4 --arg out:%t.bin:128 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: error: kernel 'made': clusters of 4x1x1 work-groups; the kernel is made for 2x1x1 (cluster_dims)
.text
.macro kernel name, lds=0
  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_system_sgpr_workgroup_id_y 1
    .amdhsa_system_sgpr_workgroup_id_z 1
    .amdhsa_group_segment_fixed_size \lds
    .amdhsa_next_free_vgpr 16
    .amdhsa_next_free_sgpr 32
  .end_amdhsa_kernel
  .text
  .p2align 8
\name:
  s_load_b64 s[2:3], s[0:1], 0x0
  v_and_b32 v0, 0x3ff, v0
  // s[4:6]: the cluster's id, s[7:9] the place in it, s[10:12] the work-group's id
  s_mov_b32 s4, ttmp9
  s_and_b32 s5, ttmp7, 0xffff
  s_lshr_b32 s6, ttmp7, 16
  s_bfe_u32 s7, ttmp6, 0x40000
  s_bfe_u32 s8, ttmp6, 0x40004
  s_bfe_u32 s9, ttmp6, 0x40008
  s_bfe_u32 s10, ttmp6, 0x4000c
  s_bfe_u32 s11, ttmp6, 0x40010
  s_bfe_u32 s12, ttmp6, 0x40014
  s_add_co_i32 s10, s10, 1
  s_add_co_i32 s11, s11, 1
  s_add_co_i32 s12, s12, 1
  s_mul_i32 s10, s10, s4
  s_mul_i32 s11, s11, s5
  s_mul_i32 s12, s12, s6
  s_add_co_i32 s10, s10, s7
  s_add_co_i32 s11, s11, s8
  s_add_co_i32 s12, s12, s9
  s_wait_kmcnt 0
.endm
.macro told
  // eight dwords at the work-group's place among 4x4: cluster x, y and z, TTMP6, number in the cluster, whether in one, ids
  s_getreg_b32 s13, hwreg(HW_REG_IB_STS2, 21, 4)
  s_getreg_b32 s14, hwreg(HW_REG_IB_STS2, 6, 4)
  s_min_u32 s14, s14, 1
  s_lshl_b32 s15, s12, 2
  s_add_co_i32 s15, s15, s11
  s_lshl_b32 s15, s15, 2
  s_add_co_i32 s15, s15, s10
  s_lshl_b32 s15, s15, 5
  s_lshl_b32 s6, s6, 8
  s_or_b32 s5, s5, s6
  v_mov_b32 v1, s15
  v_mov_b32 v2, s4
  v_mov_b32 v3, s5
  v_mov_b32 v4, ttmp6
  v_mov_b32 v5, s13
  v_mov_b32 v6, s14
  v_mov_b32 v7, s10
  v_mov_b32 v8, s11
  v_mov_b32 v9, s12
  global_store_b128 v1, v[2:5], s[2:3]
  global_store_b128 v1, v[6:9], s[2:3] offset:16
  s_endpgm
.endm
kernel places
  told
kernel made
  told

// Two barriers: after the first all have stored, after the second all have read, so that the second sum is of new values.
kernel sums
  s_lshl_b32 s16, s10, 2
  v_mov_b32 v1, s16
  s_add_co_i32 s17, s10, 1
  v_mov_b32 v2, s17
  s_lshl_b32 s18, s4, 4
  v_mov_b32 v3, s18
  s_mov_b32 s20, 2
again:
  global_store_b32 v1, v2, s[2:3] offset:64
  s_barrier_signal -1
  s_barrier_wait -1
  v_cmp_eq_u32 vcc_lo, 0, v0
  s_cbranch_vccz others                // a wave of the work-group signals for it
  s_barrier_signal -3
others:
  s_barrier_wait -3
  global_load_b128 v[4:7], v3, s[2:3] offset:64
  s_wait_loadcnt 0
  v_add3_u32 v4, v4, v5, v6
  v_add_nc_u32 v4, v4, v7
  s_barrier_signal -1
  s_barrier_wait -1
  s_cbranch_vccz waits
  s_barrier_signal -3
waits:
  s_barrier_wait -3
  s_add_co_i32 s20, s20, -1
  s_cmp_lg_u32 s20, 0
  s_cbranch_scc1 again
  global_store_b32 v1, v4, s[2:3]
  s_endpgm

kernel first
  v_mov_b32 v1, 0
  v_mov_b32 v2, 1
  s_mov_b32 exec_lo, 1
  s_cmp_eq_u32 s7, 3
  s_cbranch_scc1 ends
  s_barrier_signal_isfirst -3
  s_cbranch_scc0 later
  global_atomic_add_u32 v1, v2, s[2:3]
later:
  s_barrier_wait -3
  global_atomic_add_u32 v1, v2, s[2:3] offset:4
ends:
  s_endpgm

kernel state
  s_cmp_lt_u32 s7, 2
  s_cbranch_scc0 3f
  s_barrier_signal -3
3:
  s_cmp_eq_u32 s7, 3
  s_cbranch_scc0 4f
  v_mov_b32 v1, 0
5:
  s_sendmsg_rtn_b32 s16, sendmsg(MSG_RTN_GET_CLUSTER_BARRIER_STATE)
  s_wait_kmcnt 0
  s_lshr_b32 s17, s16, 16
  s_cmp_lg_u32 s17, 2
  s_cbranch_scc1 5b
  v_mov_b32 v2, s16
  global_store_b32 v1, v2, s[2:3]
  s_barrier_signal -3
  s_barrier_signal -3
4:
  s_barrier_wait -3
  s_endpgm

kernel multicast, 2048
  s_mov_b32 m0, 3
  s_getpc_b64 s[16:17]
  s_add_co_u32 s16, s16, numbers-.
  s_add_co_ci_u32 s17, s17, 0
  v_lshlrev_b32 v1, 2, v0
  v_and_b32 v2, 28, v1
  cluster_load_b32 v3, v2, s[16:17]
  cluster_load_async_to_lds_b32 v1, v2, s[16:17]
  s_wait_loadcnt 0
  s_wait_asynccnt 0
  ds_load_b32 v4, v1
  s_wait_dscnt 0
  v_cmp_eq_u32 vcc_lo, v3, v4
  v_cndmask_b32 v4, 0, v4, vcc_lo
  s_lshl_b32 s18, s10, 7
  v_add_nc_u32 v1, s18, v1
  global_store_b32 v1, v4, s[2:3]
  s_endpgm
.p2align 2
numbers:
  .long 3, 4, 5, 6, 7, 8, 9, 10

kernel left_out
  s_mov_b32 m0, 1
  v_mov_b32 v1, 0
  cluster_load_b32 v3, v1, s[2:3]
  s_endpgm
kernel stuck
  s_barrier_wait -3
  s_endpgm

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: places
    .symbol: places.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: sums
    .symbol: sums.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: first
    .symbol: first.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: state
    .symbol: state.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: multicast
    .symbol: multicast.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 2048
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: left_out
    .symbol: left_out.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: stuck
    .symbol: stuck.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
  - .name: made
    .symbol: made.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .cluster_dims: [2, 1, 1]
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
