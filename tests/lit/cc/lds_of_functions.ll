; LDS of functions is counted in kernels that call, and not in others: it costs these waves on hardware.
; RUN: %offgrid llc -mcpu=gfx900 -o - %s | FileCheck %s
target triple = "amdgcn-amd-amdhsa"
@table = internal addrspace(3) global [256 x i32] poison, align 4
@own = internal addrspace(3) global [4 x i32] poison, align 4

define void @writes(i32 %at) noinline {
  %p = getelementptr [256 x i32], ptr addrspace(3) @table, i32 0, i32 %at
  store volatile i32 1, ptr addrspace(3) %p
  ret void
}

; CHECK: .group_segment_fixed_size: 16
; CHECK: .name: {{ *}}alone
define amdgpu_kernel void @alone(i32 %at) {
  %p = getelementptr [4 x i32], ptr addrspace(3) @own, i32 0, i32 %at
  store volatile i32 1, ptr addrspace(3) %p
  ret void
}

; CHECK: .group_segment_fixed_size: 1024
; CHECK: .name: {{ *}}calls
define amdgpu_kernel void @calls(ptr addrspace(1) %p) {
  %f = load ptr, ptr addrspace(1) %p
  call void %f(i32 3)
  ret void
}
