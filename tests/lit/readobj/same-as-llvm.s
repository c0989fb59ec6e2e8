// Every table in both styles, byte for byte as LLVM prints it, of an object and of a linked code object.
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx90a -mattr=+xnack,-sramecc -filetype=obj %s -o %t.o
// RUN: %offgrid ld --build-id --allow-undefined %t.o -o %t.hsaco
// RUN: llvm-readobj -h -S -l -d -r -s --dyn-syms -n %t.o > %t.llvm
// RUN: %offgrid readobj -h -S -l -d -r -s --dyn-syms -n %t.o > %t.ours
// RUN: diff %t.llvm %t.ours
// RUN: llvm-readobj -hSl -d -r -s --dyn-syms -n -x .data -p .strtab %t.hsaco > %t.llvm
// RUN: %offgrid readobj -hSl -d -r -s --dyn-syms -n -x .data -p .strtab %t.hsaco > %t.ours
// RUN: diff %t.llvm %t.ours
// RUN: llvm-readobj --all %t.o %t.hsaco > %t.llvm
// RUN: %offgrid readobj --all %t.o %t.hsaco > %t.ours
// RUN: diff %t.llvm %t.ours
// RUN: llvm-readelf --all %t.o %t.hsaco > %t.llvm
// RUN: %offgrid readobj --elf-output-style=GNU --all %t.o %t.hsaco > %t.ours
// RUN: diff %t.llvm %t.ours
// RUN: llvm-readelf -h -S -l -d -r -s -n %t.o > %t.llvm
// RUN: %offgrid readobj --elf-output-style=GNU -h -S -l -d -r -s -n %t.o > %t.ours
// RUN: diff %t.llvm %t.ours
// RUN: llvm-readelf -h -S -l -d -r -s -n %t.hsaco > %t.llvm
// RUN: %offgrid readobj --elf-output-style=GNU -h -S -l -d -r -s -n %t.hsaco > %t.ours
// RUN: diff %t.llvm %t.ours

  .text
  .globl k
  .protected k
  .p2align 8
  .type k,@function
k:
  s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, away@gotpcrel32@lo+4
  s_addc_u32 s1, s1, away@gotpcrel32@hi+12
  s_endpgm
.Lend:
  .size k, .Lend-k
  .section .text.group,"axG",@progbits,shared,comdat
  .weak shared
shared:
  s_setpc_b64 s[30:31]
  .section .strings,"aMS",@progbits,1
  .asciz "hello"
  .data
  .quad k+8
  .quad shared
  .bss
  .globl b
  .hidden b
  .type b,@object
  .size b, 12
b:
  .space 12
  .globl absolute
  .set absolute, 77
  .comm common,8,8
  .globl lds
  .amdgpu_lds lds, 64, 16
  .rodata
  .p2align 6
  .amdhsa_kernel k
    .amdhsa_next_free_vgpr 40
    .amdhsa_next_free_sgpr 10
    .amdhsa_accum_offset 20
  .end_amdhsa_kernel
  .amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 12
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 40
    .max_flat_workgroup_size: 256
  .end_amdgpu_metadata
