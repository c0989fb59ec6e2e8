// Where M0 picks registers (VGPR indexing, v_movrel*, s_movrel*) waits, numbers and lanes that are off go by those that
// it picks this time, not by those that stand in the code. Nothing is said of the right ones.
// RUN: %offgrid as -D CASE=1 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --only=waits --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=2 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --only=waits --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=UNWAITED %s
// RUN: %offgrid as -D CASE=3 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --only=waits --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=OVERWRITTEN %s
// RUN: %offgrid as -D CASE=4 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --only=waits --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=5 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --only=waits --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=STILL %s
// RUN: %offgrid as -D CASE=6 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --only=waits --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=RELATIVE %s
// RUN: %offgrid as -D CASE=7 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --only=waits --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=8 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --only=waits --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=RELATIVE_WRITTEN %s
// RUN: %offgrid as -D CASE=9 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --only=waits --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=SCALAR %s
// RUN: %offgrid as -D CASE=10 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --only=numbers --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=INFINITE %s
// RUN: %offgrid as -D CASE=11 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --only=numbers --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid as -D CASE=12 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --only=numbers --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=PICKED %s
// RUN: %offgrid as -D CASE=13 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --only=numbers --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=PUT %s
// RUN: %offgrid as -D CASE=14 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --only=numbers --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=TOO_BIG %s
// RUN: %offgrid as -D CASE=15 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   not %offgrid check %t.co --only=uninit,divergence --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %offgrid as -D CASE=16 %s -o %t.o && %offgrid ld %t.o -o %t.co && \
// RUN:   %offgrid check %t.co --only=uninit,divergence --kernel k --grid 64 --group 64 --arg buf:256 2>&1 | count 0

// UNWAITED: {{.*}}'v_mov_b32_e32 v1, v4' reads v7 while {{.*}}'flat_load_dword v7, v[2:3]' still fills it{{.*}} [waits]
// UNWAITED-NOT: error
// OVERWRITTEN: {{.*}}'v_mov_b32_e32 v4, v0' writes v7 while {{.*}}'flat_load_dword v7, v[2:3]' still fills it{{.*}} [waits]
// OVERWRITTEN-NOT: error
// STILL: {{.*}}'v_mov_b32_e32 v1, v7' reads v7 while {{.*}}'flat_load_dword v7, v[2:3]' still fills it{{.*}} [waits]
// STILL-NOT: error
// RELATIVE: {{.*}}'v_movrels_b32_e32 v1, v4' reads v7 while {{.*}}'flat_load_dword v7, v[2:3]' still fills it{{.*}} [waits]
// RELATIVE-NOT: error
// RELATIVE_WRITTEN: {{.*}}'v_movreld_b32_e32 v4, v0' writes v7 while {{.*}}'flat_load_dword v7, v[2:3]' still fills it{{.*}} [waits]
// RELATIVE_WRITTEN-NOT: error
// SCALAR: {{.*}}'s_movrels_b32 s4, s5' reads s8 while {{.*}}'s_load_dword s8, s[0:1], 0x0' still fills it{{.*}} [waits]
// SCALAR-NOT: error
// INFINITE: {{.*}}'v_rcp_f32_e32 v1, v4' makes an infinity of finite numbers while {{.*}} writes it{{.*}} [numbers]
// INFINITE-NOT: error
// PICKED: {{.*}}'v_rcp_f32_e32 v6, v6' makes an infinity of finite numbers while {{.*}} writes it{{.*}} [numbers]
// PICKED-NOT: error
// PUT: {{.*}}'v_rcp_f32_e32 v4, v6' makes an infinity of finite numbers while {{.*}} writes it{{.*}} [numbers]
// PUT-NOT: error
// TOO_BIG: {{.*}}'v_cvt_u32_f32_e32 v1, v4' converts -1, which u32 cannot hold{{.*}} [numbers]
// TOO_BIG-NOT: error
// OFF: {{.*}}comes from a lane that was off,{{.*}}'v_mov_b32_dpp v4, v0{{.*}} [divergence]
// OFF-NOT: error

.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v4, 1.0
  v_mov_b32_e32 v5, 1.0
  v_mov_b32_e32 v6, 1.0
  v_mov_b32_e32 v7, 1.0
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v3, s1
  v_add_u32_e32 v2, vcc, s0, v0
  v_addc_u32_e32 v3, vcc, 0, v3, vcc
.if CASE == 1 // LOADED
  flat_load_dword v4, v[2:3]
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC0)
  v_mov_b32_e32 v1, v4
  s_set_gpr_idx_off
.elseif CASE == 2 // UNWAITED
  flat_load_dword v7, v[2:3]
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC0)
  v_mov_b32_e32 v1, v4
  s_set_gpr_idx_off
.elseif CASE == 3 // OVERWRITTEN
  flat_load_dword v7, v[2:3]
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(DST)
  v_mov_b32_e32 v4, v0
  s_set_gpr_idx_off
.elseif CASE == 4 // WAITED
  flat_load_dword v7, v[2:3]
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC0,DST)
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_mov_b32_e32 v5, v4
  s_set_gpr_idx_off
.elseif CASE == 5 // STILL
  flat_load_dword v7, v[2:3]
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC0)
  v_mov_b32_e32 v1, v5
  s_set_gpr_idx_off
  v_mov_b32_e32 v1, v7
.elseif CASE == 6 // RELATIVE
  flat_load_dword v7, v[2:3]
  s_mov_b32 m0, 3
  v_movrels_b32_e32 v1, v4
.elseif CASE == 7 // RELATIVE_BESIDE
  flat_load_dword v4, v[2:3]
  s_mov_b32 m0, 3
  v_movrels_b32_e32 v1, v4
.elseif CASE == 8 // RELATIVE_WRITTEN
  flat_load_dword v7, v[2:3]
  s_mov_b32 m0, 3
  v_movreld_b32_e32 v4, v0
.elseif CASE == 9 // SCALAR
  s_load_dword s8, s[0:1], 0x0
  s_mov_b32 m0, 3
  s_movrels_b32 s4, s5
.elseif CASE == 10 // INFINITE
  v_mov_b32_e32 v7, 0
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC0)
  v_rcp_f32_e32 v1, v4
  s_set_gpr_idx_off
.elseif CASE == 11 // FINITE
  v_mov_b32_e32 v4, 0
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC0)
  v_rcp_f32_e32 v1, v4
  s_set_gpr_idx_off
.elseif CASE == 12 // PICKED
  v_mov_b32_e32 v6, 0
  v_rcp_f32_e32 v6, v6
  s_mov_b32 m0, 2
  v_movrels_b32_e32 v1, v4
.elseif CASE == 13 // PUT
  v_mov_b32_e32 v6, 0
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(DST)
  v_rcp_f32_e32 v4, v6
  s_set_gpr_idx_off
  v_mov_b32_e32 v1, v7
.elseif CASE == 14 // TOO_BIG
  v_mov_b32_e32 v7, -1.0
  s_mov_b32 s2, 3
  s_set_gpr_idx_on s2, gpr_idx(SRC0)
  v_cvt_u32_f32_e32 v1, v4
  s_set_gpr_idx_off
.elseif CASE == 15 // OFF
  s_mov_b32 s2, 3
  s_mov_b32 s4, 0x00ff00ff
  s_mov_b32 s5, s4
  s_and_saveexec_b64 s[6:7], s[4:5]
  s_set_gpr_idx_on s2, gpr_idx(DST)
  v_mov_b32_dpp v4, v0 row_shl:4 row_mask:0xf bank_mask:0xf bound_ctrl:0
  s_set_gpr_idx_off
  v_mov_b32_e32 v1, v7
.elseif CASE == 16 // OFF_BESIDE
  v_mov_b32_e32 v7, 1.0
  v_mov_b32_e32 v1, 1.0
  s_mov_b32 s2, 3
  s_mov_b32 s4, 0x00ff00ff
  s_mov_b32 s5, s4
  s_and_saveexec_b64 s[6:7], s[4:5]
  s_set_gpr_idx_on s2, gpr_idx(DST)
  v_mov_b32_dpp v1, v0 row_shl:4 row_mask:0xf bank_mask:0xf bound_ctrl:0
  s_set_gpr_idx_off
.endif
  s_waitcnt vmcnt(0) lgkmcnt(0)
  flat_store_dword v[2:3], v1
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
amdhsa.target: amdgcn-amd-amdhsa--gfx803
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
