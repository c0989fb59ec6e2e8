; Of two stores to one place the later one stays the later one, though neighbours become one.
; RUN: %offgrid llc -mcpu=gfx900 -o - %s | %FileCheck %s
; RUN: %offgrid llc -mcpu=gfx1030 -o - %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: again:
; CHECK: global_store_dwordx2 v{{.*}} offset:20
; CHECK-NOT: offset:24
; CHECK: s_endpgm
define amdgpu_kernel void @again(ptr addrspace(1) %p, i32 %a, i32 %b, i32 %c) {
  %q = getelementptr i8, ptr addrspace(1) %p, i32 20
  %r = getelementptr i8, ptr addrspace(1) %p, i32 24
  store i32 %c, ptr addrspace(1) %q
  store i32 %b, ptr addrspace(1) %r
  ret void
}

; CHECK-LABEL: overlap:
; CHECK: global_store_dword v{{.*}} offset:24
; CHECK: global_store_dwordx2 v{{.*}} offset:20
; CHECK: s_endpgm
define amdgpu_kernel void @overlap(ptr addrspace(1) %p, i32 %a, i32 %b, i32 %c) {
  %q = getelementptr i8, ptr addrspace(1) %p, i32 20
  %r = getelementptr i8, ptr addrspace(1) %p, i32 24
  store i32 %a, ptr addrspace(1) %r
  store i32 %b, ptr addrspace(1) %r
  store i32 %c, ptr addrspace(1) %q
  ret void
}
