// Kernel descriptors: objdump prints them as llvm-objdump does, and what dis prints of them both assemblers read back.
// DEFINE: %{processor} =
// DEFINE: %{define} =
// DEFINE: %{feature} =
// DEFINE: %{check} = llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=%{processor} %{define} -filetype=obj %s -o %t.o && \
// DEFINE:   llvm-objdump -D -j .rodata %t.o > %t.llvm.txt && %offgrid objdump -D -j .rodata %t.o | diff %t.llvm.txt - && \
// DEFINE:   %offgrid dis %t.o -o %t.s && %offgrid as %t.s -o %t.ours.o && \
// DEFINE:   llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=%{processor} %{feature} -filetype=obj %t.s -o %t.theirs.o && \
// DEFINE:   llvm-objdump -s -j .rodata %t.o | tail -n +3 > %t.1.txt && \
// DEFINE:   llvm-objdump -s -j .rodata %t.ours.o | tail -n +3 | diff %t.1.txt - && \
// DEFINE:   llvm-objdump -s -j .rodata %t.theirs.o | tail -n +3 | diff %t.1.txt -
// REDEFINE: %{processor} = gfx803
// RUN: %{check}
// REDEFINE: %{processor} = gfx900
// RUN: %{check}
// REDEFINE: %{define} = -mattr=+xnack
// REDEFINE: %{feature} = %{define}
// RUN: %{check}
// REDEFINE: %{define} = -mattr=-xnack --amdhsa-code-object-version=4
// RUN: %{check}
// REDEFINE: %{processor} = gfx1010
// REDEFINE: %{define} =
// REDEFINE: %{feature} =
// RUN: %{check}
// REDEFINE: %{processor} = gfx1030
// REDEFINE: %{define} = -mattr=+wavefrontsize64
// REDEFINE: %{feature} = %{define}
// RUN: %{check}
// REDEFINE: %{processor} = gfx1100
// REDEFINE: %{define} =
// REDEFINE: %{feature} =
// RUN: %{check}
// REDEFINE: %{processor} = gfx1200
// RUN: %{check}
// REDEFINE: %{define} = -defsym=PRELOAD=1
// REDEFINE: %{processor} = gfx1250
// RUN: %{check}
// REDEFINE: %{define} = -defsym=PRELOAD=1 -defsym=ACCUMULATORS=1
// REDEFINE: %{processor} = gfx90a
// RUN: %{check}
// REDEFINE: %{processor} = gfx942
// RUN: %{check}
.macro descriptor name, sgprs, preload=, accumulators=
  .rodata
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_next_free_vgpr 41
    .amdhsa_next_free_sgpr \sgprs
    .amdhsa_float_round_mode_32 2
    .amdhsa_exception_int_div_zero 1
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    \preload
    \accumulators
  .end_amdhsa_kernel
.endm
small:
large:
  s_endpgm
.ifdef ACCUMULATORS
descriptor small, 8, ".amdhsa_user_sgpr_kernarg_preload_length 3", ".amdhsa_accum_offset 8"
descriptor large, 102, ".amdhsa_user_sgpr_kernarg_preload_offset 2", ".amdhsa_accum_offset 16"
.else
.ifdef PRELOAD
descriptor small, 8, ".amdhsa_user_sgpr_kernarg_preload_length 3"
.else
descriptor small, 8
.endif
descriptor large, 102
.endif
