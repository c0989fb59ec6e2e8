; What is read is printed as LLVM 22 prints it: names, numbers, constants, flags, attributes, metadata.
; RUN: %offgrid cc -emit-llvm -S %s -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll
; The same from bitcode.
; RUN: llvm-as %t.ll -o %t.bc
; RUN: %offgrid cc -emit-llvm -S %t.bc -o - | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK: %pair = type { i32, float }
%pair = type { i32, float }

; CHECK: @number = addrspace(4) constant <4 x i32> splat (i32 3), align 16
@number = addrspace(4) constant <4 x i32> <i32 3, i32 3, i32 3, i32 3>, align 16
; CHECK: @text = internal addrspace(4) constant [5 x i8] c"a\22b\0A\00"
@text = internal addrspace(4) constant [5 x i8] c"a\22b\0A\00"
; CHECK: @wide = global i128 -170141183460469231731687303715884105728
@wide = global i128 170141183460469231731687303715884105728
; CHECK: @half = global half 0xH3E00
@half = global half 1.5
; CHECK: @third = global double 0x3FD5555555555555
@third = global double 0x3FD5555555555555
; CHECK: @there = global ptr addrspace(4) getelementptr inbounds ([5 x i8], ptr addrspace(4) @text, i64 0, i64 2)
@there = global ptr addrspace(4) getelementptr inbounds ([5 x i8], ptr addrspace(4) @text, i64 0, i64 2)

; CHECK: ; Function Attrs: convergent nounwind
; CHECK-NEXT: define amdgpu_kernel void @kernel(ptr addrspace(1) noalias captures(none) %out, i32 %0) #0 {
define amdgpu_kernel void @kernel(i32 addrspace(1)* nocapture noalias %out, i32) #0 {
; CHECK-NEXT: entry:
entry:
; CHECK-NEXT: %1 = add nuw nsw i32 %0, 1
  %1 = add nuw nsw i32 %0, 1
; CHECK-NEXT: %slot = alloca %pair, align 8, addrspace(5)
  %slot = alloca %pair, align 8, addrspace(5)
; CHECK-NEXT: %2 = atomicrmw volatile fadd ptr addrspace(1) %out, float 1.000000e+00 syncscope("agent-one-as") monotonic, align 4, !amdgpu.no.remote.memory !1
  %2 = atomicrmw volatile fadd ptr addrspace(1) %out, float 1.0 syncscope("agent-one-as") monotonic, align 4, !amdgpu.no.remote.memory !7
; CHECK-NEXT: br label %loop
  br label %loop
; CHECK: loop: ; preds = %loop, %entry
loop:
; CHECK-NEXT: %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
; CHECK-NEXT: %next = add i32 %i, 1
  %next = add i32 %i, 1
; CHECK-NEXT: %done = icmp samesign uge i32 %next, %1
  %done = icmp samesign uge i32 %next, %1
; CHECK-NEXT: br i1 %done, label %exit, label %loop, !llvm.loop !2
  br i1 %done, label %exit, label %loop, !llvm.loop !9
; CHECK: exit: ; preds = %loop
exit:
; CHECK-NEXT: %3 = call i32 asm sideeffect "s_mov_b32 $0, 0", "=s"()
  %3 = call i32 asm sideeffect "s_mov_b32 $0, 0", "=s"()
; CHECK-NEXT: ret void
  ret void
}

; CHECK: attributes #0 = { convergent nounwind "amdgpu-flat-work-group-size"="1,256" }
attributes #0 = { nounwind convergent "amdgpu-flat-work-group-size"="1,256" }

; CHECK: !llvm.module.flags = !{!0}
!llvm.module.flags = !{!3}
; CHECK: !0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!3 = !{i32 1, !"amdhsa_code_object_version", i32 600}
; CHECK: !1 = !{}
!7 = !{}
; CHECK: !2 = distinct !{!2, !3}
!9 = distinct !{!9, !10}
; CHECK: !3 = !{!"llvm.loop.mustprogress"}
!10 = !{!"llvm.loop.mustprogress"}
