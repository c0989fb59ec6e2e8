// `run`, `ld` and `objdump` take what carries code objects: bundles, and host files with a bundle in .hip_fatbin.
// RUN: %offgrid as -mcpu=gfx900 --defsym VALUE=900 %s -o %t.1.o && %offgrid ld %t.1.o -o %t.1.co
// RUN: %offgrid as -mcpu=gfx1030 --defsym VALUE=1030 %s -o %t.2.o && %offgrid ld %t.2.o -o %t.2.co
// RUN: %offgrid as -mcpu=gfx900 --defsym VALUE=7 --defsym OTHER=1 %s -o %t.3.o && %offgrid ld %t.3.o -o %t.3.co
// RUN: llvm-mc -triple x86_64-linux-gnu -filetype=obj /dev/null -o %t.host.o
// RUN: clang-offload-bundler-22 -type=bc -targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx900 -input=%t.host.o -input=%t.1.co -output=%t.one
// RUN: clang-offload-bundler-22 -type=bc -targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx900,hipv4-amdgcn-amd-amdhsa--gfx1030 -input=%t.host.o -input=%t.1.co -input=%t.2.co -output=%t.two
// RUN: clang-offload-bundler-22 -type=bc -bundle-align=4096 -targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx900 -input=%t.host.o -input=%t.3.co -output=%t.other
// RUN: cat %t.other %t.two > %t.sources

// One kernel in one code object: nothing has to be named.
// RUN: %offgrid run %t.one --grid 1 --group 1 --arg out:%t.out:4 && od -A n -t d4 %t.out | FileCheck --check-prefix=GFX900 %s
// RUN: %offgrid run %t.two -mcpu=gfx1030 --grid 1 --group 1 --arg out:%t.out:4 && od -A n -t d4 %t.out | FileCheck --check-prefix=GFX1030 %s
// RUN: %offgrid run %t.two -mcpu=hipv4-amdgcn-amd-amdhsa--gfx900 --grid 1 --group 1 --arg out:%t.out:4 && od -A n -t d4 %t.out | FileCheck --check-prefix=GFX900 %s
// RUN: %not %offgrid run %t.two --grid 1 --group 1 --arg out:%t.out:4 2>&1 | FileCheck --check-prefix=WHICH %s
// GFX900: 900
// GFX1030: 1030
// WHICH: .two: error: code objects for 2 targets inside; -mcpu=PROCESSOR or the end of its id chooses one of: hipv4-amdgcn-amd-amdhsa--gfx900, hipv4-amdgcn-amd-amdhsa--gfx1030

// A host file with a bundle for each of its sources, aligned to pages: the kernel's name finds the code object, in C++, too.
// RUN: llvm-objcopy-22 --add-section .hip_fatbin=%t.sources %t.host.o %t.program
// RUN: %offgrid run %t.program -mcpu=gfx900 --kernel 'other(int*)' --grid 1 --group 1 --arg out:%t.out:4 && od -A n -t d4 %t.out | FileCheck --check-prefix=OTHER %s
// RUN: %offgrid run %t.program -mcpu=gfx900 --kernel k --grid 1 --group 1 --arg out:%t.out:4 && od -A n -t d4 %t.out | FileCheck --check-prefix=GFX900 %s
// RUN: %not %offgrid run %t.program -mcpu=gfx900 --grid 1 --group 1 2>&1 | FileCheck --check-prefix=SEVERAL %s
// OTHER: 7
// SEVERAL: .program: error: --kernel NAME is expected; there are _Z5otherPi, _Z1kPi

// Objects that are not linked yet, each in a section of its own: `run` and `ld` link them.
// RUN: clang-offload-bundler-22 -type=o -targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa--gfx900,hip-amdgcn-amd-amdhsa--gfx1030 -input=%t.host.o -input=%t.1.o -input=%t.2.o -output=%t.object.o
// RUN: %offgrid run %t.object.o -mcpu=gfx900 --grid 1 --group 1 --arg out:%t.out:4 && od -A n -t d4 %t.out | FileCheck --check-prefix=GFX900 %s
// RUN: %offgrid ld -mcpu=gfx900 %t.object.o %t.3.o -o %t.linked && %offgrid info %t.linked | FileCheck --check-prefix=LINKED %s
// RUN: %offgrid ld -mcpu=gfx1030 %t.object.o -o %t.linked && cmp %t.linked %t.2.co
// RUN: %not %offgrid ld %t.object.o -o %t.linked 2>&1 | FileCheck --check-prefix=CHOOSE %s
// RUN: %not %offgrid ld -mcpu=gfx900 %t.two -o %t.linked 2>&1 | FileCheck --check-prefix=ALREADY %s
// LINKED: kernel _Z1kPi
// LINKED: kernel _Z5otherPi
// CHOOSE: error: code objects for 2 targets inside; -mcpu=PROCESSOR
// ALREADY: error: ELF type is 3, expected a relocatable object

// `objdump` prints all.
// RUN: %offgrid objdump -d %t.program | FileCheck --check-prefix=CODE %s
// CODE: .program(hipv4-amdgcn-amd-amdhsa--gfx900): file format elf64-amdgpu
// CODE: <_Z5otherPi>:
// CODE: .program(hipv4-amdgcn-amd-amdhsa--gfx900): file format elf64-amdgpu
// CODE: v_mov_b32_e32 v1, 0x384
// CODE: .program(hipv4-amdgcn-amd-amdhsa--gfx1030): file format elf64-amdgpu
// CODE: v_mov_b32_e32 v1, 0x406

// Nothing inside, or nothing compiled.
// RUN: %not %offgrid run %t.host.o --grid 1 --group 1 2>&1 | FileCheck --check-prefix=NOTHING %s
// RUN: printf 'BC\300\336....' > %t.bc
// RUN: clang-offload-bundler-22 -type=bc -targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa--gfx900 -input=%t.host.o -input=%t.bc -output=%t.bitcode
// RUN: %not %offgrid run %t.bitcode --grid 1 --group 1 2>&1 | FileCheck --check-prefix=BITCODE %s
// NOTHING: .host.o: error: no device code inside
// BITCODE: .bitcode: error: the device code inside is LLVM bitcode

.macro kernel name
.text
.globl \name
.p2align 8
.type \name,@function
\name:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_mov_b32_e32 v0, 0
  v_mov_b32_e32 v1, VALUE
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[0:1]
  s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel \name
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.endm
.ifdef OTHER
kernel _Z5otherPi
.amdgpu_metadata
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: _Z5otherPi
    .symbol: _Z5otherPi.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 2
    .max_flat_workgroup_size: 256
    .args:
      - .size: 8
        .offset: 0
        .value_kind: global_buffer
        .address_space: global
.end_amdgpu_metadata
.else
kernel _Z1kPi
.amdgpu_metadata
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: _Z1kPi
    .symbol: _Z1kPi.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 2
    .max_flat_workgroup_size: 256
    .args:
      - .size: 8
        .offset: 0
        .value_kind: global_buffer
        .address_space: global
.end_amdgpu_metadata
.endif
