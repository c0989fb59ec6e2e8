; What a scalar register holds in a loop is each lane's own behind it, where lanes leave in different rounds: through freeze,
; an address and a base that further rounds move on.
; RUN: %offgrid cc -mcpu=gfx900 %s -o %t.co
; RUN: %offgrid run %t.co --kernel k --grid 4 --group 4 --arg out:%t.out:32
; RUN: od -An -v -td4 -w16 %t.out | FileCheck %s
; RUN: %offgrid cc -mcpu=gfx1100 %s -o %t.co
; RUN: %offgrid run %t.co --kernel k --grid 4 --group 4 --arg out:%t.out:32
; RUN: od -An -v -td4 -w16 %t.out | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK: 0 1 2 3
; CHECK-NEXT: 8 7 6 5
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %end = getelementptr i32, ptr addrspace(1) %out, i32 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %row = phi ptr addrspace(1) [ %end, %entry ], [ %after, %more ]
  %f = freeze i32 %i
  %here = getelementptr i32, ptr addrspace(1) %row, i32 0
  %left = icmp uge i32 %i, %id
  br i1 %left, label %out1, label %more
more:
  %next = add i32 %i, 1
  %after = getelementptr i32, ptr addrspace(1) %row, i32 1
  br label %loop
out1:
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %f, ptr addrspace(1) %at
  %value = sub i32 8, %f
  store i32 %value, ptr addrspace(1) %here
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
