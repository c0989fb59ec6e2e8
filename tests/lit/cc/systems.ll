; Operating systems other than HSA: arguments, traps, private memory; what loaders read is in the oracle test cc_object.
; RUN: %offgrid llc -mtriple=amdgcn-mesa-mesa3d -mcpu=gfx803 -filetype=obj %s -o %t.o && %offgrid ld -shared %t.o -o %t.mesa
; RUN: %offgrid run %t.mesa --kernel k --grid 3 --group 3 --arg out:%t.out:12 --arg i32:4
; RUN: od -An -td4 -v %t.out | FileCheck %s --check-prefix=OUT
; RUN: %offgrid llc -mtriple=amdgcn-mesa-mesa3d -mcpu=gfx900 -filetype=obj %s -o %t.o && %offgrid ld -shared %t.o -o %t.mesa
; RUN: %offgrid run %t.mesa --kernel k --grid 3 --group 3 --arg out:%t.out:12 --arg i32:4
; RUN: od -An -td4 -v %t.out | FileCheck %s --check-prefix=OUT
; OUT: 4 5 6
; RUN: %offgrid llc -mtriple=amdgcn-unknown-linux -mcpu=gfx1100 %s -o - | FileCheck %s --check-prefix=NONE
; NONE-LABEL: {{^}}k:
; NONE: s_load_{{b32|b64|b128}} {{.*}}, 0x24
; NONE: s_endpgm
; NONE-NOT: s_trap
; NONE: s_endpgm
; RUN: %not %offgrid llc -mtriple=amdgcn-amd-amdpal -mcpu=gfx900 %s -o - 2>&1 | FileCheck %s --check-prefix=PAL
; PAL: error: not compiled yet: private memory of gfx900 without HSA or mesa3d
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.trap()
declare void @llvm.debugtrap()
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %room = alloca [4 x i32], align 4, addrspace(5)
  %at = getelementptr i32, ptr addrspace(5) %room, i32 %id
  %sum = add i32 %n, %id
  store volatile i32 %sum, ptr addrspace(5) %at
  %bad = icmp eq i32 %n, 5
  br i1 %bad, label %stop, label %go
stop:
  call void @llvm.trap()
  unreachable
go:
  call void @llvm.debugtrap()
  %v = load volatile i32, ptr addrspace(5) %at
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %id
  store i32 %v, ptr addrspace(1) %q
  ret void
}
