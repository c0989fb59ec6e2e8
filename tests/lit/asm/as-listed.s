// Object and listing are llvm-mc's, byte for byte: what directives say, empty lines, names and strings in quotes, line tables, probes.
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.o
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.llvm.o
// RUN: cmp %t.o %t.llvm.o
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 %s > %t.listing
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 %s | diff - %t.listing

.amdgcn_target "amdgcn-amd-amdhsa--gfx900" .long 0

.print "on standard output\t"
.set here, later
there = later + 3
.equ five, 5
.type "q s",@function
.type "q s",@object
"a\"b\\c":
.ident "a\"b\t"
.version "1\t2"
.comm twice, 4
.comm twice, 4
.lcomm inside, 12
.weakref alias, elsewhere
.long alias
.internal seen
.size seen, 3|4
.size unseen, .-unknown
.type seen, @common
.amdgpu_lds unused, 8, 16
.memtag .Lx
.section .preinit_array
.section ".a-b","a"
.cfi_sections .sframe
.if 0

.ifeqs "a\'", "a\'"
.endif
.endif
.ifeqs "a\'", "a\'"
.byte 1
.endif

.data
.float nan, -nan, inf
.double nan
.dcb.s 2, 1.5
.dcb.d 2, -2.25
.dcb.w 2, -3
.ds.p 2
.fill 2, 4, -1
.zero 0
.p2align 3, , 8
.p2align 4, 3, 16
.zero 4
.p2alignl 4, 7
.align32 4
. = . + 4
.org 200
.reloc 4, R_AMDGPU_NONE
.symver seen, other@V1, remove
.text
.p2align 3
.p2alignl 3
.p2align 4, 0
.macro m a

  .byte \a
.endm
m 1
.irpc x, 12
.byte \x
.endr

k:
.amdhsa_kernel outside
  .amdhsa_group_segment_fixed_size size_of_lds + 4
  .amdhsa_next_free_vgpr alignto(3, 8)
  .amdhsa_next_free_sgpr occupancy(8, 4, 8, 8, 10, 0, 3)
.end_amdhsa_kernel .byte 7
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 1
    .vgpr_count: 2
    .max_flat_workgroup_size: 256
...
.end_amdgpu_metadata

.p2align 2
.loc_label .Lfirst
.file 1 "folder/a.c"
.file 2 "folder" "b\tc.c"
s_nop 0
.loc 1 1
.loc_label second
s_nop 0
.loc 1 1 5 prologue_end is_stmt 0
s_nop 0
.loc 2 100 5 discriminator 3 isa 2
s_nop 0
.loc_label .Lthird
.long second, .Lthird - 4

inner:
.pseudoprobe 2 1 0 0 k
s_nop 0
.pseudoprobe 2 300 0 4 7 k
.pseudoprobe 1 1 0 0 inner
.pseudoprobe 7 1 2 0 @ 2:3 k
.pseudoprobe 8 2 0 1 @ 2:3 @ 7:1 k
.pseudoprobe 7 2 0 0 @ 2:3 k
.section .other,"axG",@progbits,group,comdat
grouped:
s_nop 0
.pseudoprobe 3 1 0 0 grouped
# 12 "file"
.byte 2
