// What `dis` takes for input, and what it says of the rest.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.1.o
// RUN: %offgrid as -mcpu=gfx906 -mattr=+xnack %s -o %t.2.o
// RUN: %offgrid as -mcpu=gfx906 -mattr=-xnack %s -o %t.3.o
// RUN: llvm-mc -triple x86_64-linux-gnu -filetype=obj /dev/null -o %t.host.o

// Machine code alone, of the processor named.
// RUN: llvm-objcopy-22 -O binary -j .text %t.1.o %t.bin
// RUN: %offgrid dis -mcpu=gfx900 %t.bin | FileCheck --check-prefix=CODE %s
// RUN: %offgrid dis -mcpu=gfx900 - < %t.bin | FileCheck --check-prefix=CODE %s
// RUN: %not %offgrid dis %t.bin 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// CODE: .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
// CODE: [[LABEL:.L[0-9]+_[0-9]+]]:
// CODE-NEXT: v_add_co_u32_e32 v1, vcc, v2, v3
// CODE-NEXT: s_branch [[LABEL]]
// UNKNOWN: .bin: error: no object and no offload bundle; -mcpu=PROCESSOR reads it as machine code

// An object as another processor would read it.
// RUN: %offgrid dis -mcpu=gfx803 %t.1.o | FileCheck --check-prefix=OTHER %s
// OTHER: .amdgcn_target "amdgcn-amd-amdhsa--gfx803"
// OTHER: v_add_u32_e32 v1, vcc, v2, v3

// One code object of a bundle.
// RUN: clang-offload-bundler-22 -type=bc -targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa--gfx900 -input=%t.host.o -input=%t.1.o -output=%t.one
// RUN: clang-offload-bundler-22 -type=bc -targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa--gfx900,hipv4-amdgcn-amd-amdhsa--gfx906:xnack+,hipv4-amdgcn-amd-amdhsa--gfx906:xnack- -input=%t.host.o -input=%t.1.o -input=%t.2.o -input=%t.3.o -output=%t.three
// RUN: %offgrid dis %t.one | FileCheck --check-prefix=GFX900 %s
// RUN: %offgrid dis -mcpu=gfx900 %t.three | FileCheck --check-prefix=GFX900 %s
// RUN: %offgrid dis -mcpu=gfx906:xnack- %t.three | FileCheck --check-prefix=GFX906 %s
// RUN: %not %offgrid dis %t.three 2>&1 | FileCheck --check-prefix=THREE %s
// RUN: %not %offgrid dis -mcpu=gfx906 %t.three 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: %not %offgrid dis -mcpu=gfx1030 %t.three 2>&1 | FileCheck --check-prefix=NONE %s
// GFX900: .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
// GFX906: .amdgcn_target "amdgcn-amd-amdhsa--gfx906:xnack-"
// THREE: error: code objects for 3 targets inside; {{.*}} chooses one of: hip-amdgcn-amd-amdhsa--gfx900, hipv4-amdgcn-amd-amdhsa--gfx906:xnack+, hipv4-amdgcn-amd-amdhsa--gfx906:xnack-
// TWO: error: code objects for 2 targets named gfx906 inside;
// NONE: error: code objects for 0 targets named gfx1030 inside;

// Sections of one name, merged ones of several entry sizes, arrays of constructors.
// RUN: %offgrid as -mcpu=gfx900 -defsym SECTIONS=1 %s -o %t.o
// RUN: %offgrid dis %t.o -o %t.s
// RUN: %offgrid as %t.s -o %t.again.o
// RUN: llvm-objdump -s -j .text.f -j .init_array %t.o | tail -n +3 > %t.txt
// RUN: llvm-objdump -s -j .text.f -j .init_array %t.again.o | tail -n +3 | diff %t.txt -

// Metadata that the assembler would refuse comes out as bytes, names in quotes where they must be.
// RUN: %offgrid as -mcpu=gfx900 -defsym DAMAGED=1 %s -o %t.o
// RUN: %offgrid dis %t.o -o %t.s
// RUN: %offgrid as %t.s -o %t.again.o
// RUN: llvm-objdump -s -j .note -j .rodata %t.o | tail -n +3 > %t.txt
// RUN: llvm-objdump -s -j .note -j .rodata %t.again.o | tail -n +3 | diff %t.txt -
// RUN: FileCheck --check-prefix=DAMAGED %s < %t.s
// DAMAGED: .amdhsa_kernel "a kernel"
// DAMAGED: .section .note,"a",@note

label:
  v_add_co_u32 v1, vcc, v2, v3
  s_branch label
.ifdef SECTIONS
.section .text.f,"ax",@progbits,unique,1
  s_nop 1
.section .text.f,"ax",@progbits,unique,2
  s_nop 2
.section .init_array,"aw",@init_array
  .quad label
.endif
.ifdef DAMAGED
"a kernel":
  s_endpgm
.rodata
.amdhsa_kernel "a kernel"
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 1
.end_amdhsa_kernel
.section .note,"a",@note
.p2align 2
.long 7, 4, 32
.asciz "AMDGPU"
.p2align 2
.byte 0x81, 0xa1, 0xff, 0x01
.endif
