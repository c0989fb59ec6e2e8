; Arithmetic that says how it rounds and which exceptions count is plain arithmetic where that is how kernels run; what rounds
; otherwise is refused by its name.
; RUN: %offgrid llc -mcpu=gfx900 %s -o - | FileCheck %s
; RUN: sed 's/round.dynamic/round.upward/' %s > %t.ll
; RUN: %not %offgrid llc -mcpu=gfx900 %t.ll -o - 2>&1 | FileCheck %s --check-prefix=UPWARD
; CHECK: v_add_f32
; CHECK: v_sqrt_f32
; CHECK: v_cmp_nlt_f32
; UPWARD: error: not compiled yet: the intrinsic 'llvm.experimental.constrained.fadd.f32'
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr float, ptr addrspace(1) %p, i32 %id
  %x = load float, ptr addrspace(1) %at
  %a = call float @llvm.experimental.constrained.fadd.f32(float %x, float 3.0, metadata !"round.dynamic", metadata !"fpexcept.strict")
  %b = call float @llvm.experimental.constrained.sqrt.f32(float %a, metadata !"round.tonearest", metadata !"fpexcept.ignore")
  %c = call i1 @llvm.experimental.constrained.fcmp.f32(float %b, float %x, metadata !"uge", metadata !"fpexcept.strict")
  %d = select i1 %c, float %b, float 7.0
  store float %d, ptr addrspace(1) %at
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)
declare float @llvm.experimental.constrained.sqrt.f32(float, metadata, metadata)
declare i1 @llvm.experimental.constrained.fcmp.f32(float, float, metadata, metadata)
