; What a loop's rounds have in common is each lane's own behind the loop, where lanes leave it in different rounds: also what is
; only another name of it (freeze), and the pointer that a constant offset is added to.
; RUN: %offgrid cc -mcpu=gfx900 %s -o %t.co && %offgrid lint --waits %t.co
; RUN: %offgrid run %t.co --kernel k --grid 8 --group 8 --arg out:%t.x:32 && od -An -v -td4 -w32 %t.x | FileCheck %s
; RUN: %offgrid cc -mcpu=gfx700 %s -o %t.co
; RUN: %offgrid run %t.co --kernel k --grid 8 --group 8 --arg out:%t.x:32 && od -An -v -td4 -w32 %t.x | FileCheck %s
; RUN: %offgrid cc -mcpu=gfx1100 %s -o %t.co
; RUN: %offgrid run %t.co --kernel k --grid 8 --group 8 --arg out:%t.x:32 && od -An -v -td4 -w32 %t.x | FileCheck %s
; CHECK: 11 1012 2013 3014 4015 5016 6017 7018
target triple = "amdgcn-amd-amdhsa"
@table = internal addrspace(1) constant [9 x i32] [i32 0, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18]
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %id
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %in, %next ]
  %q = phi ptr addrspace(1) [ @table, %entry ], [ %qn, %next ]
  %f = freeze i32 %i
  %behind = getelementptr i32, ptr addrspace(1) %q, i32 5
  %c = icmp eq i32 %id, %i
  br i1 %c, label %out, label %next
next:
  %in = add i32 %i, 1
  %qn = getelementptr i32, ptr addrspace(1) %q, i32 1
  %m = icmp ult i32 %in, 8
  br i1 %m, label %loop, label %end
out:
  %first = getelementptr i32, ptr addrspace(1) %behind, i32 -4
  %v = load i32, ptr addrspace(1) %first
  %s = mul i32 %f, 1000
  %t = add i32 %s, %v
  store i32 %t, ptr addrspace(1) %at
  ret void
end:
  ret void
}
