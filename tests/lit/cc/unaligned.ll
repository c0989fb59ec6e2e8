; Dwords stand anywhere from gfx9 on: one access, not one for each byte; in LDS no larger ones. On gfx10.1 flat accesses
; of several dwords that are not aligned fail in LDS, and are split.
; RUN: %offgrid llc -mcpu=gfx900 -o - %s | FileCheck %s --check-prefixes=ALL,WIDE
; RUN: %offgrid llc -mcpu=gfx1030 -o - %s | FileCheck %s --check-prefixes=ALL,WIDE
; RUN: %offgrid llc -mcpu=gfx1010 -o - %s | FileCheck %s --check-prefixes=ALL,SPLIT
; RUN: %offgrid llc -mcpu=gfx803 -o - %s | FileCheck %s --check-prefix=OLD
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()

; ALL-LABEL: global:
; ALL: global_load_dwordx4
; ALL: global_store_dwordx4
; OLD-LABEL: global:
; OLD-COUNT-16: flat_load_ubyte
define amdgpu_kernel void @global(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i8, ptr addrspace(1) %p, i32 %t
  %x = load <8 x half>, ptr addrspace(1) %a, align 1
  store <8 x half> %x, ptr addrspace(1) %q, align 2
  ret void
}

; ALL-LABEL: local:
; ALL: ds_read_b32
; ALL-NOT: ds_write_b64
; ALL: ds_write2_b32
; OLD-LABEL: local:
; OLD: ds_read_u16
define amdgpu_kernel void @local(ptr addrspace(3) %p, ptr addrspace(3) %q) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i8, ptr addrspace(3) %p, i32 %t
  %x = load i32, ptr addrspace(3) %a, align 2
  %y = insertelement <2 x i32> poison, i32 %x, i32 0
  %z = insertelement <2 x i32> %y, i32 %t, i32 1
  store <2 x i32> %z, ptr addrspace(3) %q, align 1
  ret void
}

; WIDE-LABEL: flat:
; WIDE: flat_load_dwordx4
; SPLIT-LABEL: flat:
; SPLIT-COUNT-4: flat_load_dword v
; SPLIT-COUNT-2: flat_store_dwordx2
define amdgpu_kernel void @flat(ptr %p, ptr %q) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i32, ptr %p, i32 %t
  %x = load <4 x i32>, ptr %a, align 4
  store <4 x i32> %x, ptr %q, align 8
  ret void
}
