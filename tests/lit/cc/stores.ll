; Of two stores to one place the later one stays the later one, though neighbours become one.
; RUN: %offgrid llc -mcpu=gfx900 -o - %s | FileCheck %s
; RUN: %offgrid llc -mcpu=gfx803 -o - %s | FileCheck %s --check-prefix=BYTES
; RUN: %offgrid llc -mcpu=gfx1030 -o - %s | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK-LABEL: neighbours:
; CHECK: global_store_dwordx2 {{.*}} offset:20
; CHECK-NOT: global_store
; CHECK: s_endpgm
define amdgpu_kernel void @neighbours(ptr addrspace(1) %in, ptr addrspace(1) %p) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %b = add i32 %id, 2
  %c = add i32 %id, 3
  %own = getelementptr [8 x i32], ptr addrspace(1) %p, i32 %id
  %q = getelementptr i8, ptr addrspace(1) %own, i32 20
  %r = getelementptr i8, ptr addrspace(1) %own, i32 24
  store i32 %b, ptr addrspace(1) %r
  store i32 %c, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: overlap:
; CHECK: global_store_dword {{.*}} offset:24
; CHECK: global_store_dwordx2 {{.*}} offset:20
; CHECK-NOT: global_store
; CHECK: s_endpgm
define amdgpu_kernel void @overlap(ptr addrspace(1) %in, ptr addrspace(1) %p) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = add i32 %id, 1
  %b = add i32 %id, 2
  %c = add i32 %id, 3
  %own = getelementptr [8 x i32], ptr addrspace(1) %p, i32 %id
  %q = getelementptr i8, ptr addrspace(1) %own, i32 20
  %r = getelementptr i8, ptr addrspace(1) %own, i32 24
  store i32 %a, ptr addrspace(1) %r
  store i32 %b, ptr addrspace(1) %r
  store i32 %c, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()

; Bytes of what is known to have none but the lowest are zero in a register, for stores take no constants; from gfx9 on
; dwords stand anywhere.
; BYTES-LABEL: narrow:
; BYTES: buffer_store_byte v{{[0-9]+}}, v{{[0-9]+}}, {{.*}} offen offset:1
; BYTES: s_endpgm
; CHECK-LABEL: narrow:
; CHECK: scratch_store_dword
; CHECK-NOT: scratch_store
; CHECK: s_endpgm
define amdgpu_kernel void @narrow(ptr addrspace(1) %p) {
  %private = alloca [16 x i8], align 4, addrspace(5)
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %x = and i32 %id, 15
  %at = getelementptr i8, ptr addrspace(5) %private, i32 %x
  store volatile i32 %x, ptr addrspace(5) %at, align 1
  %v = load volatile i32, ptr addrspace(5) %private, align 4
  store i32 %v, ptr addrspace(1) %p
  ret void
}
