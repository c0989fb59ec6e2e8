// What `mc` prints of directives, blank lines and expressions is what llvm-mc prints, to the byte.
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -show-encoding %s > %t.llvm.txt
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -show-encoding %s | diff %t.llvm.txt -
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx1010 --amdhsa-code-object-version=4 -defsym=OTHER=1 %s > %t.llvm.txt
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx1010 --amdhsa-code-object-version=4 -defsym=OTHER=1 %s | diff %t.llvm.txt -
.file 0 "/d" "a.c"
.ifndef OTHER
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.amdhsa_code_object_version 6
.endif
s_nop 0


  
// c

; c
	// d
# e
s_nop 1 // x

.p2align 2

s_nop 3;s_nop 4
/* x */
/* y */ s_nop 5
l:

m: s_nop 0
s_nop 9
s_nop 8
s_nop 7
.amdhsa_kernel k
.amdhsa_next_free_vgpr 1
.amdhsa_next_free_sgpr 1
.end_amdhsa_kernel
s_nop 6
.macro q

s_nop 1
.endm
q
s_nop 2
.if 1

s_nop 3
.endif
.p2align 3
.p2alignl 3, 1, 4
.p2alignw 4, 2
.balignl 8, 3
.p2alignl 3
.p2alignl 7,,3
.data
.p2align 3
.p2align 4,1,2
.p2alignl 4
.p2alignw 3,,1
.text
.long aa-b+c
.long aa-(b+c)
.long (aa-b)*4
.long aa*4+b
.long (aa+b)<<2
.long -(aa-b)
.long (aa-b)-(c-d)
.long aa+b*c
.long (aa&b)|c
.long aa&(b|c)
.long (aa==b)&&c
.long aa<<b>>c
.long aa<<(b>>c)
.long ~aa+4
.long -aa
.long aa-b-c
.long aa/b/c
.long aa*b/c
.long aa/(b*c)
.long (aa+4)+b
.long 4+aa
.long -4+aa
.long aa-4
.long aa+(-4)
.long aa||b&&c
.long !aa
.long (aa^b)&c
.long aa+b+c+d
.long aa-b+4-2
f:
  s_nop 0
.Le:
.size f, .Le-f
.long .Le-f, .Le-f+4, 3+4
.set x, .Le-f
.long x
.type f,@function
.uleb128 .Le-f
.section ".note.GNU-stack","",@progbits
.section .text.more,"ax",@progbits
.loc 0 5 0
  s_nop 0
.loc 0 6 31 prologue_end
  s_nop 0
.loc 0 118 3 is_stmt 0
  s_endpgm
.loc 0 229 3 discriminator 7 isa 3
  s_endpgm
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
    .sgpr_count: 8
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
...
.end_amdgpu_metadata

.text
s_sleep -1
s_nop -16
s_mov_b32 s0, ext@abs32@lo
s_mov_b32 s0, ext@rel32@lo+4
s_mov_b32 s0, ext-4
s_branch ext
