; What is done to a float's sign is a modifier of what reads it; before gfx10 not where a literal stands beside it.
; RUN: %offgrid llc -mcpu=gfx900 -o - %s | FileCheck %s --check-prefixes=CHECK,GFX9
; RUN: %offgrid llc -mcpu=gfx1030 -o - %s | FileCheck %s --check-prefixes=CHECK,GFX10
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.fabs.f32(float)
declare half @llvm.fabs.f16(half)

; CHECK-LABEL: floats:
; CHECK-NOT: v_xor_b32
; CHECK-NOT: v_and_b32
; CHECK: v_fma_f32 v{{[0-9]+}}, -v[[X:[0-9]+]], -|v[[X]]|, |v[[X]]|
; CHECK: s_endpgm
define amdgpu_kernel void @floats(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr float, ptr addrspace(1) %p, i32 %t
  %h = getelementptr float, ptr addrspace(1) %q, i32 %t
  %x = load float, ptr addrspace(1) %g
  %n = fneg float %x
  %a = call float @llvm.fabs.f32(float %n)
  %b = fneg float %a
  %r = call float @llvm.fma.f32(float %n, float %b, float %a)
  store float %r, ptr addrspace(1) %h
  ret void
}

; CHECK-LABEL: halves:
; CHECK-NOT: v_and_b32
; CHECK: v_mul_f16{{.*}}, |v{{[0-9]+}}|
; CHECK: s_endpgm
define amdgpu_kernel void @halves(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr half, ptr addrspace(1) %p, i32 %t
  %h = getelementptr half, ptr addrspace(1) %q, i32 %t
  %x = load half, ptr addrspace(1) %g
  %a = call half @llvm.fabs.f16(half %x)
  %r = fmul half %x, %a
  store half %r, ptr addrspace(1) %h
  ret void
}

; CHECK-LABEL: literal:
; GFX9: v_xor_b32
; GFX10-NOT: v_xor_b32
; CHECK: s_endpgm
define amdgpu_kernel void @literal(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr float, ptr addrspace(1) %p, i32 %t
  %h = getelementptr float, ptr addrspace(1) %q, i32 %t
  %x = load float, ptr addrspace(1) %g
  %n = fneg float %x
  %r = fadd float %n, 0x40091EB860000000
  store float %r, ptr addrspace(1) %h
  ret void
}

; One index for several arrays is extended and multiplied once.
; CHECK-LABEL: index:
; CHECK: v_lshlrev_b64
; CHECK-NOT: v_lshlrev_b64
; CHECK: s_endpgm
define amdgpu_kernel void @index(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %s = sub i32 %t, %n
  %i = sext i32 %s to i64
  %g = getelementptr float, ptr addrspace(1) %p, i64 %i
  %h = getelementptr float, ptr addrspace(1) %q, i64 %i
  %x = load float, ptr addrspace(1) %g
  store float %x, ptr addrspace(1) %h
  ret void
}
