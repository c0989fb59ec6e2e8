// Kernels of both wave sizes in one code object: each is decoded as its own descriptor says, for results, traces and faults.
// RUN: %offgrid as -mcpu=gfx1100 -mattr=+wavefrontsize64 -D WIDE=1 %s -o %t.64.o
// RUN: %offgrid as -mcpu=gfx1100 -D WIDE=0 %s -o %t.32.o
// RUN: %offgrid ld %t.32.o %t.64.o -o %t.co
// RUN: %offgrid run %t.co --kernel wide --grid 64 --group 64 --arg out:%t.bin:4 --trace=%t.wide
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=WIDE %s
// RUN: FileCheck --check-prefix=WIDE-TRACE %s < %t.wide
// RUN: %offgrid run %t.co --kernel narrow --grid 64 --group 64 --arg out:%t.bin:4 --trace=%t.narrow
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=NARROW %s
// RUN: FileCheck --check-prefix=NARROW-TRACE %s < %t.narrow
// WIDE: 40
// WIDE-TRACE: v_cmp_gt_u32_e64 s[6:7], 40, v0
// NARROW: 32
// NARROW-TRACE: v_cmp_gt_u32_e64 s7, 40, v0

// Two in one are for waves of 32.
// RUN: %not %offgrid run %t.co --kernel wide_pair --grid 64 --group 64 --arg out:%t.bin:4 2>&1 \
// RUN:   | FileCheck --check-prefix=PAIR %s
// PAIR: error: kernel 'wide_pair': undecodable instruction 0xca

// Where a processor has but one size, a descriptor cannot ask for the other.
// RUN: %offgrid as -mcpu=gfx1250 -D WIDE=2 %s -o %t.1250.o
// RUN: %not %offgrid run %t.1250.o --kernel only --grid 64 --group 64 2>&1 | FileCheck --check-prefix=ONLY %s
// ONLY: error: kernel 'only': the kernel is for waves of 64; gfx1250 has only waves of 32
.macro kernel name, size=0
  .section .rodata,"a",@progbits
  .globl \name
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_wavefront_size32 \size
    .amdhsa_next_free_vgpr 16
    .amdhsa_next_free_sgpr 16
  .end_amdhsa_kernel
  .text
  .p2align 8
\name:
.endm
.text
.if WIDE == 1
  kernel wide
  s_load_b64 s[2:3], s[0:1], 0x0
  .long 0xd44c0007, 0x000200a8 // v_cmp_gt_u32_e64 s7, 40, v0 in waves of 32, s[6:7] here
  s_bcnt1_i32_b64 s4, s[6:7]
  v_mov_b32 v0, 0
  v_mov_b32 v1, s4
  s_waitcnt lgkmcnt(0)
  global_store_b32 v0, v1, s[2:3]
  s_endpgm
  kernel wide_pair
  .long 0xca100100, 0x01000102 // v_dual_mov_b32 v1, v0 :: v_dual_mov_b32 v0, v2
  s_endpgm
.elseif WIDE == 0
  kernel narrow, 1
  s_load_b64 s[2:3], s[0:1], 0x0
  v_cmp_gt_u32_e64 s7, 40, v0
  s_bcnt1_i32_b32 s4, s7
  v_mov_b32 v1, s4
  v_cmp_gt_u32_e64 vcc_lo, 1, v0
  v_mov_b32 v0, 0
  s_and_b32 exec_lo, exec_lo, vcc_lo // the first wave's first work-item
  s_waitcnt lgkmcnt(0)
  global_store_b32 v0, v1, s[2:3]
  s_endpgm
.else
  kernel only
  s_endpgm
.endif
