; Results that the next instructions read: told from gfx11 on, two at once where they are near.
; RUN: %offgrid llc -mcpu=gfx1100 %s -o - | FileCheck %s
; RUN: %offgrid llc -mcpu=gfx1030 %s -o - | FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: s_delay_alu

; CHECK-LABEL: chain:
; CHECK: s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
; CHECK-NEXT: v_add_nc_u32
; CHECK-NEXT: v_xor_b32
; CHECK-NOT: s_delay_alu
; CHECK: global_store
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @chain(ptr addrspace(1) %p, i32 %n) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %id
  %v = load i32, ptr addrspace(1) %at
  %a = mul i32 %v, %id
  %b = add i32 %a, %n
  %c = xor i32 %b, %id
  store i32 %c, ptr addrspace(1) %at
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
