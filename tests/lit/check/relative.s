// Registers relative to M0 (v_movrel*, v_swaprel_b32, s_movrel*): a write defines the one that M0 picks and no other, a
// read may find it undefined, and so may M0 be. Nothing is said of the right ones.
// RUN: %offgrid as -D CASE=1 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=2 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=3 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=BESIDE %s
// RUN: %offgrid as -D CASE=4 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=5 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=UNWRITTEN %s
// RUN: %offgrid as -D CASE=6 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=7 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=8 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=9 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=AWAY %s
// RUN: %offgrid as -D CASE=10 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=INDEX %s
// RUN: %offgrid as -D CASE=11 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=12 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=SCALAR_BESIDE %s
// RUN: %offgrid as -D CASE=13 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=14 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=15 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=SCALAR_UNWRITTEN %s
// RUN: %offgrid as -D CASE=16 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0

// BESIDE: {{.*}}nothing has defined: it comes from v4, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// BESIDE-NOT: error
// UNWRITTEN: {{.*}}nothing has defined: it comes from v7, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// UNWRITTEN-NOT: error
// AWAY: {{.*}}nothing has defined: it comes from v5, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// AWAY-NOT: error
// INDEX: {{.*}}'v_movrels_b32_e32 v1, v0' picks a register by a value that nothing has defined: it comes from s3, which was never written (work-group 0,0,0, wave 0) [uninit]
// INDEX-NOT: error
// SCALAR_BESIDE: {{.*}}nothing has defined: it comes from s8, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// SCALAR_BESIDE-NOT: error
// SCALAR_UNWRITTEN: {{.*}}nothing has defined: it comes from s9, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// SCALAR_UNWRITTEN-NOT: error

.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
.if CASE == 1 // WRITTEN
  s_mov_b32 m0, 3
  v_movreld_b32_e32 v4, 1.0
  v_mov_b32_e32 v1, v7
.elseif CASE == 2 // BASE_FIRST
  v_mov_b32_e32 v4, 1.0
  s_mov_b32 m0, 3
  v_movreld_b32_e32 v4, 1.0
  v_mov_b32_e32 v1, v7
.elseif CASE == 3 // BESIDE
  s_mov_b32 m0, 3
  v_movreld_b32_e32 v4, 1.0
  v_mov_b32_e32 v1, v4
.elseif CASE == 4 // READ
  v_mov_b32_e32 v6, 1.0
  s_mov_b32 m0, 2
  v_movrels_b32_e32 v1, v4
.elseif CASE == 5 // UNWRITTEN
  v_mov_b32_e32 v4, 1.0
  s_mov_b32 m0, 3
  v_movrels_b32_e32 v1, v4
.elseif CASE == 6 // BOTH
  v_mov_b32_e32 v6, 1.0
  s_mov_b32 m0, 1
  v_movrelsd_b32_e32 v3, v5
  v_mov_b32_e32 v1, v4
.elseif CASE == 7 // EACH
  v_mov_b32_e32 v6, 1.0
  s_mov_b32 m0, 0x20001
  v_movrelsd_2_b32_e32 v3, v5
  v_mov_b32_e32 v1, v5
.elseif CASE == 8 // SWAPPED
  v_mov_b32_e32 v6, 1.0
  s_mov_b32 m0, 0x20001
  v_swaprel_b32 v3, v5
  v_mov_b32_e32 v1, v5
.elseif CASE == 9 // AWAY
  v_mov_b32_e32 v6, 1.0
  s_mov_b32 m0, 0x20001
  v_swaprel_b32 v3, v5
  v_mov_b32_e32 v1, v6
.elseif CASE == 10 // INDEX
  s_mov_b32 m0, s3
  v_movrels_b32_e32 v1, v0
.elseif CASE == 11 // SCALAR
  s_mov_b32 m0, 1
  s_movreld_b32 s8, 1
  v_mov_b32_e32 v1, s9
.elseif CASE == 12 // SCALAR_BESIDE
  s_mov_b32 m0, 1
  s_movreld_b32 s8, 1
  v_mov_b32_e32 v1, s8
.elseif CASE == 13 // SCALAR_PAIR
  s_mov_b32 m0, 1
  s_movreld_b64 s[8:9], 1
  v_mov_b32_e32 v1, s10
.elseif CASE == 14 // SCALAR_READ
  s_mov_b64 s[10:11], 1
  s_mov_b32 m0, 2
  s_movrels_b64 s[4:5], s[8:9]
  v_mov_b32_e32 v1, s5
.elseif CASE == 15 // SCALAR_UNWRITTEN
  s_mov_b32 s8, 1
  s_mov_b32 m0, 1
  s_movrels_b32 s4, s8
  v_mov_b32_e32 v1, s4
.elseif CASE == 16 // SCALAR_EACH
  s_mov_b32 s9, 1
  s_mov_b32 m0, 0x20001
  s_movrelsd_2_b32 s10, s8
  v_mov_b32_e32 v1, s12
.endif
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[0:1]
  s_endpgm
.Lk:
  .size k, .Lk-k

.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_wavefront_size32 0
.end_amdhsa_kernel

.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx1030
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata
