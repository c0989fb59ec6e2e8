// What dis prints of objects for PAL, Mesa and no system reads back to the same file: notes, sections that are not
// loaded, amd_kernel_code_t, relocations without addends, symbols that stand in no section, sections of one name.
// RUN: llvm-mc -triple amdgcn-mesa-mesa3d -mcpu=gfx900 -defsym=MESA=1 -filetype=obj %s -o %t.mesa.o
// RUN: %offgrid as -triple amdgcn-mesa-mesa3d -mcpu=gfx900 -D MESA=1 %s -o %t.own.o
// RUN: cmp %t.mesa.o %t.own.o
// RUN: %offgrid dis %t.mesa.o -o %t.mesa.s
// RUN: FileCheck --check-prefixes=CHECK,MESA %s < %t.mesa.s
// RUN: %offgrid as %t.mesa.s -o %t.again.o
// RUN: llvm-readobj -n -x .mine -x .text -r %t.again.o | tail -n +3 > %t.again.txt
// RUN: llvm-readobj -n -x .mine -x .text -r %t.mesa.o | tail -n +3 | diff - %t.again.txt
// RUN: %offgrid lint %t.mesa.o
// RUN: llvm-mc -triple amdgcn-amd-amdpal -mcpu=gfx900 -mattr=-xnack -defsym=PAL=1 -filetype=obj %s -o %t.pal.o
// RUN: %offgrid as -triple amdgcn-amd-amdpal -mcpu=gfx900 -mattr=-xnack -D PAL=1 %s -o %t.own.o
// RUN: cmp %t.pal.o %t.own.o
// RUN: %offgrid dis %t.pal.o -o %t.pal.s
// RUN: FileCheck --check-prefixes=CHECK,PAL %s < %t.pal.s
// RUN: %offgrid as %t.pal.s -o %t.again.o
// RUN: llvm-readobj -h -n -x .mine -x .text -r %t.again.o | grep -v 'File:\|Offset:\|Count:\|Index:' > %t.again.txt
// RUN: llvm-readobj -h -n -x .mine -x .text -r %t.pal.o | grep -v 'File:\|Offset:\|Count:\|Index:' | diff - %t.again.txt

// MESA: .amdgcn_target "amdgcn-mesa-mesa3d--gfx900"
// PAL: .amdgcn_target "amdgcn-amd-amdpal--gfx900:xnack-"
// MESA: .amd_kernel_code_t
// MESA: granulated_lds_size = 3
// MESA: .end_amd_kernel_code_t
// CHECK: s_mov_b32 s0, far@abs32@lo+16
// CHECK: s_branch again
// CHECK: .section .mine,"",@progbits
// CHECK: .quad far+4886718345
// CHECK: .section .mine,"",@progbits,unique,
// MESA: .amd_amdgpu_isa "amdgcn-mesa-mesa3d--gfx900"
// PAL: .amd_amdgpu_pal_metadata 0x2c0a,0x21
// CHECK: .set number, 0x7

.text
.ifdef MESA
.amdgpu_hsa_kernel k
k:
.amd_kernel_code_t
  granulated_lds_size = 3
.end_amd_kernel_code_t
.endif
s_mov_b32 s0, far@abs32@lo+16
.globl again
again:
s_mov_b32 s1, s2@abs32@lo
s_branch again
s_endpgm
.section .mine,"",@progbits
.quad far+0x123456789
.long again - .
.section .mine,"",@progbits,unique,1
.long 5
inner:
.section .other,"",@progbits
.quad inner
.globl number
number = 7
.ifdef MESA
.amd_amdgpu_isa "amdgcn-mesa-mesa3d--gfx900"
.endif
.ifdef PAL
.amd_amdgpu_pal_metadata 0x2c0a,0x21
.endif
