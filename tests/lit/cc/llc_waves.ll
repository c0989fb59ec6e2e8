; Assembly for waves of 64 on gfx10 and gfx11 is printed with their masks, and read again as such.
; RUN: %offgrid llc -mcpu=gfx1030 -mattr=+wavefrontsize64 %s -o %t.s
; RUN: FileCheck %s < %t.s
; RUN: %offgrid as -mcpu=gfx1030 -mattr=+wavefrontsize64 %t.s -o %t.again.o
; RUN: %offgrid llc -mcpu=gfx1100 -mattr=+wavefrontsize64 %s -o - | FileCheck %s
; RUN: %offgrid llc -mcpu=gfx1030 %s -o - | FileCheck --check-prefix=WAVE32 %s
; CHECK: v_add_co_ci_u32_e32 v{{[0-9]+}}, vcc, {{.*}}, vcc{{$}}
; CHECK-NOT: vcc_lo
; WAVE32: v_add_co_ci_u32_e32 v{{[0-9]+}}, vcc_lo, {{.*}}, vcc_lo{{$}}
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %q = getelementptr i64, ptr addrspace(1) %p, i32 3
  %v = load volatile i64, ptr addrspace(1) %p
  %w = load volatile i64, ptr addrspace(1) %q
  %s = add i64 %v, %w
  store i64 %s, ptr addrspace(1) %p
  ret void
}
