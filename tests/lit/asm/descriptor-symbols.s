// Symbols stand in the order of their first use; the descriptor of gfx10 and later has no use for SGPR counts.
// RUN: %offgrid mc -mcpu=gfx1100 -filetype=obj %s -o %t.o && %offgrid readobj --symbols %t.o | FileCheck --check-prefix=LATER %s
// RUN: %offgrid mc -mcpu=gfx900 -filetype=obj %s -o %t.o && %offgrid readobj --symbols %t.o | FileCheck --check-prefix=FIRST %s
// LATER: Name: vgprs (
// LATER: Name: between (
// LATER: Name: sgprs (
// FIRST: Name: vgprs (
// FIRST: Name: sgprs (
// FIRST: Name: between (
k:
  s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr vgprs
  .amdhsa_next_free_sgpr sgprs
.end_amdhsa_kernel
.set vgprs, 8
.set between, 1
.set sgprs, 8
