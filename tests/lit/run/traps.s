// Trap handlers of the user's own (Inputs/trap_handler.s) on each generation: s_trap, exceptions, TTMP registers, TMA, the
// way back. `out` has what the handler counted, what it saw of exceptions, SCC and VCC as they were.
// RUN: printf '\7\0\0\0' > %t.tma
// RUN: %offgrid as -mcpu=gfx803 -D GENERATION=8 %s -o %t.8.o && %offgrid as -mcpu=gfx803 -D GENERATION=8 %S/Inputs/trap_handler.s -o %t.8.h.o
// RUN: %offgrid as -mcpu=gfx906 -D GENERATION=9 %s -o %t.9.o && %offgrid as -mcpu=gfx906 -D GENERATION=9 %S/Inputs/trap_handler.s -o %t.9.h.o
// RUN: %offgrid as -mcpu=gfx1030 -D GENERATION=10 %s -o %t.10.o && %offgrid as -mcpu=gfx1030 -D GENERATION=10 %S/Inputs/trap_handler.s -o %t.10.h.o
// RUN: %offgrid as -mcpu=gfx1100 -D GENERATION=11 %s -o %t.11.o && %offgrid as -mcpu=gfx1100 -D GENERATION=11 %S/Inputs/trap_handler.s -o %t.11.h.o
// RUN: %offgrid as -mcpu=gfx1200 -D GENERATION=12 %s -o %t.12.o && %offgrid as -mcpu=gfx1200 -D GENERATION=12 %S/Inputs/trap_handler.s -o %t.12.h.o
// RUN: %offgrid as -mcpu=gfx1250 -D GENERATION=12 %s -o %t.125.o && %offgrid as -mcpu=gfx1250 -D GENERATION=12 %S/Inputs/trap_handler.s -o %t.125.h.o

// s_trap 1, 2, 3 and 7: four times a million, 13 ten thousands, four times the 7 of TMA's buffer; SCC and VCC are kept.
// RUN: %offgrid run %t.8.o --kernel called --grid 32 --group 32 --trap-handler %t.8.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=CALLED %s
// RUN: %offgrid run %t.9.o --kernel called --grid 32 --group 32 --trap-handler %t.9.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=CALLED %s
// RUN: %offgrid run %t.10.o --kernel called --grid 32 --group 32 --trap-handler %t.10.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=CALLED %s
// RUN: %offgrid run %t.11.o --kernel called --grid 32 --group 32 --trap-handler %t.11.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=CALLED %s
// RUN: %offgrid run %t.12.o --kernel called --grid 32 --group 32 --trap-handler %t.12.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=CALLED %s
// RUN: %offgrid run %t.125.o --kernel called --grid 32 --group 32 --trap-handler %t.125.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=CALLED %s
// CALLED: 4130028 0 1 9

// The same with statistics, a trace and a checker watching: none of them sees the handler.
// RUN: %offgrid run %t.9.o --kernel called --grid 32 --group 32 --trap-handler %t.9.h.o --tma in:%t.tma --arg out:%t.bin:16 --trace=%t.trace --stats
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=CALLED %s
// RUN: FileCheck --check-prefix=TRACE --implicit-check-not=s_rfe %s < %t.trace
// TRACE: s_trap 1
// TRACE: s_trap 2
// RUN: %offgrid check %t.9.o --kernel called --grid 32 --group 32 --trap-handler %t.9.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=CALLED %s

// Division by 0 and overflow are enabled, inexact and invalid results are not: two exceptions lead to the handler, which sees
// in the end what there were.
// RUN: %offgrid run %t.8.o --kernel raised --grid 32 --group 32 --trap-handler %t.8.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=RAISED %s
// RUN: %offgrid run %t.9.o --kernel raised --grid 32 --group 32 --trap-handler %t.9.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=RAISED %s
// RUN: %offgrid run %t.11.o --kernel raised --grid 32 --group 32 --trap-handler %t.11.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=RAISED %s
// RUN: %offgrid run %t.12.o --kernel raised --grid 32 --group 32 --trap-handler %t.12.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=RAISED %s
// RUN: %offgrid run %t.125.o --kernel raised --grid 32 --group 32 --trap-handler %t.125.h.o --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -td4 %t.bin | FileCheck --check-prefix=RAISED %s
// RAISED: 2000014 45 1 9

// An illegal instruction leads there, too: as another flag.
// RUN: %offgrid run %t.9.o --kernel illegal --grid 32 --group 32 --trap-handler %t.9.h.o:skips --tma in:%t.tma --arg out:%t.bin:16 2>&1 | FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: od -An -v -tx4 %t.bin | FileCheck --check-prefix=ILLEGAL9 %s
// RUN: %offgrid run %t.12.o --kernel illegal --grid 32 --group 32 --trap-handler %t.12.h.o:skips --tma in:%t.tma --arg out:%t.bin:16
// RUN: od -An -v -tx4 %t.bin | FileCheck --check-prefix=ILLEGAL12 %s
// QUIET-NOT: error
// ILLEGAL9: 00000000 00000800
// ILLEGAL12: 00000000 00000040

// Without a handler it stays as it was.
// RUN: %offgrid run %t.9.o --kernel raised --grid 32 --group 32 --arg out:%t.bin:16
// RUN: %not %offgrid run %t.9.o --kernel called --grid 32 --group 32 --arg out:%t.bin:16 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: kernel 'called': trap 1: debugtrap 0, and no debugger

// RUN: %not %offgrid run %t.9.o --kernel called --grid 32 --group 32 --trap-handler %t.9.h.o:halts --arg out:%t.bin:16 2>&1 | FileCheck --check-prefix=HALTS %s
// HALTS: error: kernel 'called': the trap handler halts the wave, and nothing would wake it
// RUN: %not %offgrid run %t.9.o --kernel called --grid 32 --group 32 --trap-handler %t.9.h.o:nests --arg out:%t.bin:16 2>&1 | FileCheck --check-prefix=NESTS %s
// NESTS: error: kernel 'called': trap 2 within the trap handler
// RUN: %not %offgrid run %t.9.o --kernel returns --grid 32 --group 32 --arg out:%t.bin:16 2>&1 | FileCheck --check-prefix=RETURNS %s
// RETURNS: error: kernel 'returns': a return from a trap handler, and the wave is in none
// RUN: %not %offgrid run %t.9.o --kernel called --grid 32 --group 32 --trap-handler %t.9.h.o:nowhere --arg out:%t.bin:16 2>&1 | FileCheck --check-prefix=NOWHERE %s
// NOWHERE: error: no symbol 'nowhere' for the trap handler
// RUN: %not %offgrid run %t.9.o --kernel called --grid 32 --group 32 --trap-handler %t.10.h.o --arg out:%t.bin:16 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: {{error: .*gfx1030}}
// RUN: %not %offgrid run %t.9.o --kernel called --grid 32 --group 32 --tma in:%t.tma --arg out:%t.bin:16 2>&1 | FileCheck --check-prefix=ALONE %s
// ALONE: --tma needs --trap-handler

.macro kernel name
  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 16
    .amdhsa_next_free_sgpr 32
    .amdhsa_exception_fp_ieee_div_zero 1
    .amdhsa_exception_fp_ieee_overflow 1
  .end_amdhsa_kernel
  .text
  .p2align 8
\name:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_mov_b32 s4, 0
  s_mov_b32 s5, 0
  s_mov_b32 vcc_lo, 9
  s_cmp_eq_u32 s4, 0
.endm
// What is stored: TTMP4, TTMP5, SCC, VCC.
.macro end
  s_cselect_b32 s6, 1, 0
  v_mov_b32 v2, ttmp4
  v_mov_b32 v3, s4
  v_mov_b32 v4, s6
  v_mov_b32 v5, vcc_lo
.if GENERATION >= 12
  s_wait_kmcnt 0
.else
  s_waitcnt lgkmcnt(0)
.endif
.if GENERATION == 8
  v_mov_b32 v6, s2
  v_mov_b32 v7, s3
  flat_store_dwordx4 v[6:7], v[2:5]
.else
  v_mov_b32 v6, 0
  global_store_dwordx4 v6, v[2:5], s[2:3]
.endif
  s_endpgm
.endm
.text
kernel called
  s_trap 1
  s_trap 2
  s_trap 3
  s_trap 7
  end

kernel raised
  v_mov_b32 v1, 0
  v_mov_b32 v2, 0x7f000000
  v_mov_b32 v3, 1.0
  s_mov_b32 exec_lo, 1
  v_mov_b32 v3, 0x33000000       // of an active lane, and none that the others have
  v_add_f32 v4, 1.0, v3          // inexact
  v_rcp_f32 v4, v1               // division by 0
  v_mul_f32 v4, v2, v2           // overflow
  v_sqrt_f32 v4, -1.0            // invalid
  s_mov_b32 exec_lo, -1
.if GENERATION >= 12
  s_getreg_b32 s4, hwreg(HW_REG_EXCP_FLAG_USER)
.else
  s_getreg_b32 s4, hwreg(HW_REG_TRAPSTS)
.endif
  end

kernel illegal
  .long 0xffffffff
  s_mov_b32 s4, ttmp5
  end
.if GENERATION == 9
kernel returns
  s_rfe_b64 s[0:1]
.endif
