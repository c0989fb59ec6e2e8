; Version 3 of code objects: asked for by the module; its metadata name no target, the header's flags are of on and off alone.
; RUN: %offgrid cc -mcpu=gfx906 -mattr=+xnack %s -o %t.co
; RUN: %offgrid readobj -h -n %t.co | FileCheck %s
; RUN: %offgrid run %t.co --kernel k --grid 2 --group 1 --arg out:%t.out:8 --arg i32:7
; RUN: od -An -td4 -v %t.out | FileCheck %s --check-prefix=OUT
; RUN: %not %offgrid cc -mcpu=gfx906 -mcode-object-version=2 %s -o %t.2 2>&1 | FileCheck %s --check-prefix=TWO
; CHECK: ABIVersion: 1
; CHECK: EF_AMDGPU_FEATURE_XNACK_V3
; CHECK-NOT: amdhsa.target
; CHECK: amdhsa.version:
; CHECK-NEXT: - 1
; CHECK-NEXT: - 0
; OUT: 8 8
; TWO: code object versions 3 to 6 are made, not '2'; version 2 has an amd_kernel_code_t
target triple = "amdgcn-amd-amdhsa"
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare i32 @llvm.amdgcn.workgroup.id.x()
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %id = call i32 @llvm.amdgcn.workgroup.id.x()
  %i = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %offset = load i32, ptr addrspace(4) %i
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %id
  %v = add i32 %n, %offset
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %at
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdgpu_code_object_version", i32 300}
