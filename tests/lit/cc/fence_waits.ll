; A work-group's fence waits for LDS only where one vector cache serves all its waves, and for all memory in WGP mode.
; RUN: %offgrid cc -mcpu=gfx900 %s -o %t.co
; RUN: %offgrid dis %t.co | FileCheck --check-prefix=LDS %s
; RUN: %offgrid cc -mcpu=gfx1030 %s -o %t.co
; RUN: %offgrid dis %t.co | FileCheck --check-prefix=ALL %s
; LDS: global_store_dword
; LDS-NOT: vmcnt
; LDS: s_waitcnt lgkmcnt(0)
; LDS-NOT: vmcnt
; LDS: ds_write_b32
; ALL: global_store_dword
; ALL: ds_write_b32
; ALL: s_waitcnt_vscnt null, 0x0
; ALL: ds_write_b32
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(3) %l) {
  store i32 1, ptr addrspace(1) %p
  store i32 1, ptr addrspace(3) %l
  fence syncscope("workgroup") release
  store atomic i32 2, ptr addrspace(3) %l syncscope("workgroup") monotonic, align 4
  ret void
}
