; Until gfx8 the trap handler wants the queue's address in s[0:1]: an input of its own, or from version 5 on an implicit argument.
; RUN: %offgrid cc -mcpu=gfx803 -mcode-object-version=4 %s -o %t.4
; RUN: %offgrid dis %t.4 | FileCheck %s --check-prefixes=BOTH,FOUR
; RUN: %offgrid cc -mcpu=gfx803 -mcode-object-version=5 %s -o %t.5
; RUN: %offgrid dis %t.5 | FileCheck %s --check-prefixes=BOTH,FIVE
; RUN: %offgrid cc -mcpu=gfx906 %s -o %t.9
; RUN: %offgrid dis %t.9 | FileCheck %s --check-prefix=NINE
; RUN: %offgrid lint %t.4
; RUN: %offgrid lint %t.5
target triple = "amdgcn-amd-amdhsa"

; BOTH: {{^}}k:
; FIVE: s_load_dwordx2 [[QUEUE:s\[[0-9:]+\]]], {{.*}}0xc8
; FOUR: s_mov_b32 s0, s6
; FOUR: s_mov_b32 s1, s7
; BOTH: s_trap 2
; NINE: {{^}}k:
; NINE-NOT: 0xc8
; NINE: s_trap 2
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %bad = icmp sgt i32 %id, %n
  br i1 %bad, label %stop, label %go
stop:
  call void @llvm.trap()
  unreachable
go:
  store i32 %id, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.trap()
