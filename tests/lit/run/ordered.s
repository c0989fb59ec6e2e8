// Counting in the order in which waves are launched: ds_ordered_count in the global data share up to gfx11, by a number that
// WORKGROUP_INFO has and M0 hands over; global_atomic_ordered_add_b64 on gfx12, in memory.
// RUN: %offgrid as -mcpu=gfx803 -D GENERATION=8 %s -o %t.8.o && %offgrid as -mcpu=gfx906 -D GENERATION=9 %s -o %t.9.o
// RUN: %offgrid as -mcpu=gfx1030 -D GENERATION=10 %s -o %t.10.o && %offgrid as -mcpu=gfx1100 -D GENERATION=11 %s -o %t.11.o
// RUN: %offgrid as -mcpu=gfx1200 -D GENERATION=12 %s -o %t.12.o

// Each work-group adds its number and one; what it gets is the sum of those before it.
// RUN: %offgrid run %t.9.o --kernel sums --grid 512 --group 64 --arg out:%t.bin:32
// RUN: od -An -v -td4 -w32 %t.bin | FileCheck --check-prefix=SUMS %s
// RUN: %offgrid run %t.9.o --kernel sums --grid 512 --group 64 --threads 2 --arg out:%t.bin:32
// RUN: od -An -v -td4 -w32 %t.bin | FileCheck --check-prefix=SUMS %s
// RUN: %offgrid run %t.10.o --kernel sums --grid 256 --group 32 --arg out:%t.bin:32
// RUN: od -An -v -td4 -w32 %t.bin | FileCheck --check-prefix=SUMS %s
// RUN: %offgrid run %t.11.o --kernel sums --grid 256 --group 32 --threads 2 --arg out:%t.bin:32
// RUN: od -An -v -td4 -w32 %t.bin | FileCheck --check-prefix=SUMS %s
// RUN: %offgrid run %t.12.o --kernel sums --grid 256 --group 32 --arg out:%t.bin:96
// RUN: od -An -v -td4 -w32 %t.bin | FileCheck --check-prefix=SUMS %s
// RUN: %offgrid run %t.12.o --kernel sums --grid 256 --group 32 --threads 2 --schedule=random:2 --arg out:%t.bin:96
// RUN: od -An -v -td4 -w32 %t.bin | FileCheck --check-prefix=SUMS %s
// SUMS: 0 1 3 6 10 15 21 28

// Those that run before their turn wait for it, however the work-groups are shuffled: more of them than are resident at once,
// and than the numbers reach, each counts once.
// RUN: %offgrid run %t.9.o --kernel ones --grid 320000 --group 64 --schedule=random:5 --arg out:%t.bin:20000
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq | FileCheck --check-prefix=ONES %s
// RUN: %offgrid run %t.9.o --kernel ones --grid 320000 --group 64 --threads 2 --schedule=random:5 --arg out:%t.bin:20000
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq | FileCheck --check-prefix=ONES %s
// ONES: 0
// ONES-NEXT: 1
// ONES: 4998
// ONES-NEXT: 4999
// ONES-NOT: {{.}}

// From gfx10 on up to four dwords, each of a lane; a swap yields what was there.
// RUN: %offgrid run %t.11.o --kernel dwords --grid 96 --group 32 --arg out:%t.bin:48
// RUN: od -An -v -td4 -w16 %t.bin | FileCheck --check-prefix=DWORDS %s
// DWORDS:      0 0 0 0
// DWORDS-NEXT: 10 11 12 13
// DWORDS-NEXT: 20 22 24 26

// Two counts in one turn: only the second passes it on.
// RUN: %offgrid run %t.8.o --kernel twice --grid 256 --group 64 --arg out:%t.bin:16
// RUN: od -An -v -td4 -w16 %t.bin | FileCheck --check-prefix=TWICE %s
// TWICE: 1 3 5 7

// A turn that nobody passes on is an error, not a run without end.
// RUN: %not %offgrid run %t.9.o --kernel lost --grid 512 --group 64 --arg out:%t.bin:32 2>&1 | FileCheck --check-prefix=LOST %s
// RUN: %not %offgrid run %t.9.o --kernel lost --grid 512 --group 64 --threads 2 --schedule=random:5 --arg out:%t.bin:32 2>&1 | FileCheck --check-prefix=LOST %s
// LOST: error: kernel 'lost': waits for turn {{[1-8]}} to count, which no wave passes on

.macro kernel name
  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_system_sgpr_workgroup_id_x 1
    .amdhsa_system_sgpr_workgroup_info 1
    .amdhsa_next_free_vgpr 16
    .amdhsa_next_free_sgpr 32
  .end_amdhsa_kernel
  .text
  .p2align 8
\name:
.if GENERATION < 12
  s_mov_b32 s8, s2                 // the work-group's number
  s_bfe_u32 s9, s3, 0xc0006        // the wave's in the order
.else
  s_mov_b32 s8, ttmp9
.endif
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_and_b32 v0, 0x3ff, v0
.if GENERATION >= 12
  s_wait_kmcnt 0
.else
  s_waitcnt lgkmcnt(0)
.endif
  s_lshl_b32 s10, s8, 2
  s_add_u32 s4, s4, s10
  s_addc_u32 s5, s5, 0
.endm
.macro end value
.if GENERATION == 8
  v_mov_b32 v6, s4
  v_mov_b32 v7, s5
  flat_store_dword v[6:7], \value
.else
  v_mov_b32 v6, 0
  global_store_dword v6, \value, s[4:5]
.endif
  s_endpgm
.endm
.macro count result, value, offset
  ds_ordered_count \result, \value offset:\offset gds
  s_waitcnt lgkmcnt(0)
.endm
.text
.if GENERATION < 12
kernel sums
  s_add_u32 s11, s8, 1
  v_mov_b32 v1, s11
  s_or_b32 m0, s9, 64 << 16
  count v2, v1, 772
.if GENERATION >= 10
  s_mov_b32 exec_lo, 1             // only the first lane has the sum
.endif
  end v2
kernel ones
  v_mov_b32 v1, 1
  s_mov_b32 m0, s9
  count v2, v1, 772
  end v2
kernel twice
  v_mov_b32 v1, 1
  s_mov_b32 m0, s9
  count v2, v1, 4
  count v2, v1, 772
  end v2
kernel lost
  v_mov_b32 v1, 1
  s_add_u32 m0, s9, 1
  count v2, v1, 772
  end v2
.if GENERATION >= 10
kernel dwords
  s_mul_i32 s10, s8, 12            // sixteen bytes apart, of which four are added already
  s_add_u32 s4, s4, s10
  s_addc_u32 s5, s5, 0
  v_add_nc_u32 v1, 10, v0
  s_mov_b32 m0, s9
  s_mov_b32 exec_lo, 15
  count v2, v1, 772+(3<<14)
  v_lshlrev_b32 v6, 2, v0
  global_store_dword v6, v2, s[4:5]
  s_endpgm
.endif
.else
kernel sums
  s_add_co_u32 s11, s8, 1
  s_sub_co_u32 s6, s4, s10
  s_sub_co_ci_u32 s7, s5, 0
  v_mov_b32 v1, s8
  v_mov_b32 v2, s11
  v_mov_b32 v3, 0
  s_mov_b32 exec_lo, 1
again:
  global_atomic_ordered_add_b64 v[4:5], v3, v[1:2], s[6:7] offset:64 th:TH_ATOMIC_RETURN
  s_wait_loadcnt 0
  v_cmp_eq_u32 vcc_lo, v4, v1
  s_cbranch_vccz again
  end v5
.endif
