// What directives refuse, where and in which words, as llvm-mc; and where a preprocessor says a line is from.
// RUN: %not %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.o 2>&1 | grep -o '^[^ ]*: error: .*' > %t.ours
// RUN: %not llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.llvm.o 2>&1 | grep -o '^[^ ]*: error: .*' | diff - %t.ours

.set d, u@rel32@lo
.globl .Ly
.comm w, 3
.local w
.irpc x,1 2
.endr
.irpc x,
.endr
.rept 1
.long \@
.endr
.string "a" "b"
.p2align 3,,0
.private_extern foo
.cold foo
.code16gcc
.octa 1 2
.lto_discard a b
.no_dead_strip a b
.stabs "x", 1, 2, 3, 4
.loc_label
.pseudoprobe 1 x
.section .linked, "ao", @progbits, nowhere
.section .linked bar
.subsection 1 2
.float "x"
.double -
.type x, @bad
.ident "x" 1
.lcomm y, 1, 4
.set z, 1
.equiv z, 2
.align -1
.ascii "\q"
.file 1 "x" "y" "z"
.file 1 "x"
.loc 1 1 -1
.loc 1 1 1 is_stmt 2
.loc 1 1 1 isa -1
.macro mixed a b
.long \a
.endm
mixed a=1, 2
.macro m
.endm x
# 14 "x.c"
.bad
# 20 is a comment
.bad
.file 3 "a.c"
