; A permutation of lanes stays under the condition that says which lanes are on: of two equal ones, one in a branch, none goes.
; RUN: %offgrid llc -mcpu=gfx1100 %s -o - | FileCheck %s
; CHECK: v_permlane16_b32
; CHECK: s_and{{.*}}_b32 exec
; CHECK: v_permlane16_b32
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %id
  %a = call i32 @llvm.amdgcn.permlane16.i32(i32 %id, i32 %id, i32 1, i32 2, i1 false, i1 false)
  store i32 %a, ptr addrspace(1) %at
  %some = icmp ult i32 %id, 7
  br i1 %some, label %then, label %end
then:
  %b = call i32 @llvm.amdgcn.permlane16.i32(i32 %id, i32 %id, i32 1, i32 2, i1 false, i1 false)
  %c = mul i32 %b, 77
  store i32 %c, ptr addrspace(1) %at
  br label %end
end:
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.permlane16.i32(i32, i32, i32, i32, i1, i1)
