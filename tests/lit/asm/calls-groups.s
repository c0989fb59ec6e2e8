// Who calls whom, groups that are no COMDAT, weak references and names on condition: text and object as LLVM's.
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 %s | FileCheck --check-prefix=TEXT %s
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o %t.o %s
// RUN: llvm-readelf -aW %t.o | FileCheck %s
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o %t.llvm.o %s
// RUN: cmp %t.o %t.llvm.o
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 %s | grep -v '^$' > %t.llvm.s
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 %s | grep -v '^$' | diff - %t.llvm.s
.globl caller
caller:
  s_nop 0
.Lhere:
  s_nop 1
.cg_profile caller, callee, 32
.cg_profile caller, .Lhere, 0x100000000ff
.section one,"aG",@progbits,signature
.byte 1
.section one,"aG",@progbits,signature
.section two,"aG",@progbits,signature,comdat
.quad outside
.section one,"aG",@progbits,other,comdat
.byte 2
.weak_reference maybe, perhaps
.lto_set_conditional alias, target
.lto_set_conditional absent, nowhere
target:
// TEXT: .cg_profile caller, callee, 32
// TEXT: .section one,"aG",@progbits,signature{{$}}
// TEXT-NEXT: .byte 1
// TEXT-NEXT: .section two,"aG",@progbits,signature,comdat
// TEXT: .weak perhaps
// TEXT: .lto_set_conditional alias, target
// CHECK: .llvm.call-graph-profile LLVM_CALL_GRAPH_PROFILE
// CHECK: alias
// CHECK-NOT: absent
// CHECK: (unknown) group section {{.*}} [signature] contains 3 sections
// CHECK: COMDAT group section {{.*}} [other] contains 1 sections
