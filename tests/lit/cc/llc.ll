; llc's spelling: assembly that assembles to the object it makes, named after the input or written to standard output.
; RUN: %offgrid llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 < %s | FileCheck %s
; RUN: %offgrid llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -O3 -verify-machineinstrs -filetype=obj %s -o %t.o
; RUN: %offgrid llc -mtriple amdgcn-amd-amdhsa -mcpu gfx900 -filetype asm %s -o %t.s
; RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %t.s -o %t.again.o
; RUN: %offgrid ld %t.o -o %t.co
; RUN: %offgrid ld %t.again.o -o %t.again.co
; RUN: cmp %t.co %t.again.co
; RUN: %offgrid lint %t.co
; RUN: %offgrid llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1200 -o - %s | FileCheck %s --check-prefix=GFX12
; RUN: cp %s %t.named.ll
; RUN: %offgrid llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 %t.named.ll
; RUN: cmp %t.s %t.named.s
; RUN: %offgrid llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -amdhsa-code-object-version=6 -filetype=obj %s -o %t.6.o
; RUN: %offgrid info %t.6.o | FileCheck %s --check-prefix=SIX
; RUN: %not %offgrid llc -mcpu=gfx900 -filetype=null %s 2>&1 | FileCheck %s --check-prefix=TYPE
; RUN: %not %offgrid llc -mcpu=gfx900 -global-isel %s 2>&1 | FileCheck %s --check-prefix=OPTION
; CHECK-LABEL: twice:
; CHECK: v_lshlrev_b32_e32 v0, 1, v0
; CHECK: s_setpc_b64
; CHECK-LABEL: add:
; CHECK: s_load_dwordx2
; CHECK: global_load_dword v{{[0-9]+}}, v{{[0-9]+}}, s[
; CHECK: s_endpgm
; CHECK: .kernarg_segment_size: 8
; GFX12: global_load_b32
; SIX: code object V6
; TYPE: offgrid llc: -filetype is 'asm' or 'obj', not 'null'
; OPTION: offgrid llc: unknown option '-global-isel'
define amdgpu_kernel void @add(ptr addrspace(1) %data) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %wide = zext i32 %id to i64
  %at = getelementptr i32, ptr addrspace(1) %data, i64 %wide
  %old = load i32, ptr addrspace(1) %at
  %new = add i32 %old, 1
  store i32 %new, ptr addrspace(1) %at
  ret void
}
define i32 @twice(i32 %x) {
  %y = mul i32 %x, 2
  ret i32 %y
}
declare i32 @llvm.amdgcn.workitem.id.x()
