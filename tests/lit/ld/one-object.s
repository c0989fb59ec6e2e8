// One object becomes a code object that LLVM's reader accepts, with its kernel exported and its addresses right.
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.o
// RUN: %offgrid ld %t.o -o %t.hsaco
// RUN: llvm-readelf -a %t.hsaco 2>&1 | FileCheck %s
// RUN: llvm-readelf -x .data %t.hsaco | FileCheck --check-prefix=DATA %s
// RUN: llvm-objdump -d %t.hsaco | FileCheck --check-prefix=CODE %s

// CHECK-NOT: warning
// CHECK: OS/ABI: {{.*}}AMDGPU - HSA
// CHECK: Type: {{.*}}DYN
// CHECK: LOAD {{.*}} R 0x1000
// CHECK: LOAD {{.*}} R E 0x1000
// CHECK: LOAD {{.*}} RW 0x1000
// CHECK: RELACOUNT) 3
// CHECK-DAG: R_AMDGPU_RELATIVE64
// CHECK: Symbol table '.dynsym' contains 4 entries
// CHECK-DAG: OBJECT GLOBAL {{.*}} k.kd
// CHECK-DAG: FUNC GLOBAL {{.*}} k
// CHECK-DAG: OBJECT GLOBAL {{.*}} table
// CHECK: Symbol table '.symtab'
// CHECK: LOCAL HIDDEN {{.*}} hidden

// DATA: Hex dump of section '.data'
// DATA-NEXT: 00000000 00000000 08000000 00000000

// CODE: <k>:
// CODE: s_getpc_b64 s[0:1]
// CODE-NEXT: s_add_u32 s0, s0,
// CODE-NEXT: s_addc_u32 s1, s1, lit(0x0)
// CODE: s_branch hidden

  .text
  .globl k
  .p2align 8
  .type k,@function
k:
  s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, table@gotpcrel32@lo+4
  s_addc_u32 s1, s1, table@gotpcrel32@hi+12
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  s_branch hidden
  s_endpgm
  .section .text.hidden,"ax",@progbits
  .hidden hidden
  .globl hidden
hidden:
  s_endpgm

  .data
  .globl table
  .type table,@object
  .p2align 3
table:
  .quad table
  .quad 8
  .quad k

  .rodata
  .p2align 6
  .amdhsa_kernel k
    .amdhsa_next_free_vgpr 1
    .amdhsa_next_free_sgpr 2
  .end_amdhsa_kernel
