// Compiled code runs strips of lanes one after the other; the fault is still the first of the program's order.
// Past the end of a buffer that leaves room in its last page: what stands behind a page may be another buffer.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %not %offgrid run %t.co --no-compile --kernel straight --grid 64 --group 64 --arg buf:65248 2>&1 | FileCheck --check-prefix=STRAIGHT %s
// RUN: %not env OFFGRID_COMPILE=always %offgrid run %t.co --kernel straight --grid 64 --group 64 --arg buf:65248 2>&1 | FileCheck --check-prefix=STRAIGHT %s
// RUN: %not env OFFGRID_COMPILE=always OFFGRID_HOST=avx2 %offgrid run %t.co --kernel straight --grid 64 --group 64 --arg buf:65248 2>&1 | FileCheck --check-prefix=STRAIGHT %s
// STRAIGHT: read of 4 bytes by lane 42 is outside every buffer: 128 bytes past the end of the buffer of 65248 bytes{{.*}}at straight+0x3{{.}} 'global_load_dword v5, v3

// RUN: %not %offgrid run %t.co --no-compile --kernel rounds --grid 64 --group 64 --arg buf:65248 2>&1 | FileCheck --check-prefix=ROUNDS %s
// RUN: %not env OFFGRID_COMPILE=always %offgrid run %t.co --kernel rounds --grid 64 --group 64 --arg buf:65248 2>&1 | FileCheck --check-prefix=ROUNDS %s
// RUN: %not env OFFGRID_COMPILE=always OFFGRID_HOST=avx2 %offgrid run %t.co --kernel rounds --grid 64 --group 64 --arg buf:65248 2>&1 | FileCheck --check-prefix=ROUNDS %s
// ROUNDS: read of 4 bytes by lane 40 is outside every buffer: 40 bytes past the end of the buffer of 65248 bytes

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl straight
.p2align 8
.type straight,@function
straight: // lane 42 goes astray first, lane 3 in the load behind it
  s_load_dwordx2 s[12:13], s[4:5], 0x0
  v_lshlrev_b32 v1, 2, v0
  v_mov_b32 v2, 0xff60
  v_cmp_eq_u32_e64 vcc, 42, v0
  v_cndmask_b32_e64 v3, v1, v2, vcc
  v_cmp_eq_u32_e64 vcc, 3, v0
  v_cndmask_b32_e64 v4, v1, v2, vcc
  s_waitcnt lgkmcnt(0)
  global_load_dword v5, v3, s[12:13]
  s_waitcnt vmcnt(0)
  global_load_dword v6, v4, s[12:13]
  s_endpgm
.size straight, .-straight

.globl rounds
.p2align 8
.type rounds,@function
rounds: // lane 40 in the third round, lane 1 in the fifth; whether lanes go on stands in vcc, which each round makes anew
  s_load_dwordx2 s[12:13], s[4:5], 0x0
  v_lshlrev_b32 v1, 2, v0
  v_mov_b32 v2, 0xfe88
  v_cmp_eq_u32_e64 vcc, 40, v0
  v_cndmask_b32_e64 v1, v1, v2, vcc
  v_mov_b32 v2, 0xfe08
  v_cmp_eq_u32_e64 vcc, 1, v0
  v_cndmask_b32_e64 v1, v1, v2, vcc
  v_mov_b32 v2, 0
  v_mov_b32 v3, 64
  v_mov_b32 v5, 0
  s_movk_i32 s14, 8
  v_cmp_lt_u32_e64 s[0:1], 0, v3
  s_waitcnt lgkmcnt(0)
round:
  global_load_dword v4, v1, s[12:13]
  v_cndmask_b32_e64 v5, v2, v3, s[0:1]
  v_add_u32 v1, v1, v5
  v_cmp_ge_u32_e64 s[0:1], v1, v2
  s_waitcnt vmcnt(0)
  s_sub_i32 s14, s14, 1
  s_cmp_lg_u32 s14, 0
  s_cbranch_scc1 round
  s_endpgm
.size rounds, .-rounds

.rodata
.p2align 6
.amdhsa_kernel straight
  .amdhsa_user_sgpr_dispatch_ptr 1
  .amdhsa_user_sgpr_queue_ptr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.rodata
.p2align 6
.amdhsa_kernel rounds
  .amdhsa_user_sgpr_dispatch_ptr 1
  .amdhsa_user_sgpr_queue_ptr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
