// Registers that VGPR indexing picks: a write defines that one and no other, a read may find it undefined, and so may
// the index be. Nothing is said of the right ones.
// RUN: %offgrid as -D CASE=1 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=2 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=3 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=BESIDE %s
// RUN: %offgrid as -D CASE=4 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=BASE %s
// RUN: %offgrid as -D CASE=5 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=HALF %s
// RUN: %offgrid as -D CASE=6 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=7 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=UNWRITTEN %s
// RUN: %offgrid as -D CASE=8 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=SECOND %s
// RUN: %offgrid as -D CASE=9 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=10 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=COMPARED %s
// RUN: %offgrid as -D CASE=11 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=12 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=13 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=MODE %s
// RUN: %offgrid as -D CASE=14 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=INDEX %s
// RUN: %offgrid as -D CASE=15 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0

// BESIDE: {{.*}}nothing has defined: it comes from v6, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// BESIDE-NOT: error
// BASE: {{.*}}nothing has defined: it comes from v4, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// BASE-NOT: error
// HALF: {{.*}}nothing has defined: it comes from v7, which was never written (work-group 0,0,0, wave 0, lane 32) [uninit]
// HALF-NOT: error
// UNWRITTEN: {{.*}}nothing has defined: it comes from v7, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// UNWRITTEN-NOT: error
// SECOND: {{.*}}nothing has defined: it comes from v7, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// SECOND-NOT: error
// COMPARED: {{.*}}nothing has defined: it comes from v7, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// COMPARED-NOT: error
// MODE: {{.*}}nothing has defined: it comes from v1, which was never written (work-group 0,0,0, wave 0, lane 0) [uninit]
// MODE-NOT: error
// INDEX: {{.*}}'v_mov_b32_e32 v1, v0' picks a register by a value that nothing has defined: it comes from s3, which was never written (work-group 0,0,0, wave 0) [uninit]
// INDEX-NOT: error

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
.if CASE == 1 // WRITTEN
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(DST)
  v_mov_b32_e32 v4, 1.0
  s_set_gpr_idx_off
  v_mov_b32_e32 v1, v7
.elseif CASE == 2 // BASE_FIRST
  v_mov_b32_e32 v4, 1.0
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(DST)
  v_mov_b32_e32 v4, 1.0
  s_set_gpr_idx_off
  v_mov_b32_e32 v1, v7
.elseif CASE == 3 // BESIDE
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(DST)
  v_mov_b32_e32 v4, 1.0
  s_set_gpr_idx_off
  v_mov_b32_e32 v1, v6
.elseif CASE == 4 // BASE
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(DST)
  v_mov_b32_e32 v4, 1.0
  s_set_gpr_idx_off
  v_mov_b32_e32 v1, v4
.elseif CASE == 5 // HALF
  s_mov_b64 s[4:5], exec
  s_mov_b32 exec_hi, 0
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(DST)
  v_mov_b32_e32 v4, 1.0
  s_set_gpr_idx_off
  s_mov_b64 exec, s[4:5]
  v_mov_b32_e32 v1, v7
.elseif CASE == 6 // READ
  v_mov_b32_e32 v6, 1.0
  s_mov_b32 s2, 2
  s_set_gpr_idx_on s2, gpr_idx(SRC0)
  v_mov_b32_e32 v1, v4
  s_set_gpr_idx_off
.elseif CASE == 7 // UNWRITTEN
  v_mov_b32_e32 v4, 1.0
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC0)
  v_mov_b32_e32 v1, v4
  s_set_gpr_idx_off
.elseif CASE == 8 // SECOND
  v_mov_b32_e32 v4, 1.0
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC1)
  v_add_u32_e32 v1, v4, v4
  s_set_gpr_idx_off
.elseif CASE == 9 // MASKED
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC1)
  v_and_b32_e32 v1, 0, v4
  s_set_gpr_idx_off
.elseif CASE == 10 // COMPARED
  v_mov_b32_e32 v4, 1.0
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC0)
  v_cmp_eq_u32_e32 vcc, v4, v0
  s_set_gpr_idx_off
  v_cndmask_b32_e64 v1, 0, 1, vcc
.elseif CASE == 11 // COPIED
  v_mov_b32_e32 v6, 1.0
  s_mov_b32 s2, 1
  s_set_gpr_idx_on s2, gpr_idx(SRC0,DST)
  v_mov_b32_e32 v3, v5
  s_set_gpr_idx_off
  v_mov_b32_e32 v1, v4
.elseif CASE == 12 // LATER
  v_mov_b32_e32 v6, 1.0
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC0)
  s_mov_b32 s2, 2
  s_set_gpr_idx_idx s2
  v_mov_b32_e32 v1, v4
  s_set_gpr_idx_off
.elseif CASE == 13 // MODE
  v_mov_b32_e32 v4, 1.0
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC0)
  s_set_gpr_idx_mode gpr_idx(DST)
  v_mov_b32_e32 v1, v4
  s_set_gpr_idx_off
.elseif CASE == 14 // INDEX
  s_set_gpr_idx_on s3, gpr_idx(SRC0)
  v_mov_b32_e32 v1, v0
  s_set_gpr_idx_off
.elseif CASE == 15 // NOT_INDEXED
  v_mov_b32_e32 v1, 1.0
  s_set_gpr_idx_on s3, gpr_idx(SRC1)
  v_mov_b32_e32 v2, v0
  s_set_gpr_idx_off
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
.end_amdhsa_kernel

.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
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
