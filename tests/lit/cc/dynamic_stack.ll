; Private memory of a size that only running tells: s32 is the end of the stack, s33 a function's frame; the runtime learns of it.
; RUN: %offgrid cc -mcpu=gfx900 %s -o %t.9
; RUN: %offgrid dis %t.9 | FileCheck %s --check-prefixes=BOTH,FIVE
; RUN: %offgrid cc -mcpu=gfx803 -mcode-object-version=4 %s -o %t.8
; RUN: %offgrid dis %t.8 | FileCheck %s --check-prefixes=BOTH,BUFFER,FOUR
; RUN: %offgrid lint %t.9
; RUN: %offgrid lint %t.8
target triple = "amdgcn-amd-amdhsa"

; The runtime finds how much it is, before version 5 the compiler guesses as LLVM does.
; FIVE: .private_segment_fixed_size: 16
; FIVE: .uses_dynamic_stack: true
; FOUR: .private_segment_fixed_size: 4112

; BOTH: {{^}}itself:
; BOTH: s_mov_b32 s28, s33
; BOTH-NEXT: s_mov_b32 s33, s32
; BOTH: s_mov_b32 s32, s33
; BOTH-NEXT: s_mov_b32 s33, s28
; BOTH: s_setpc_b64 s[30:31]
define internal void @itself(i32 %n) {
  %a = alloca i32, i32 %n, align 4, addrspace(5)
  store volatile i32 %n, ptr addrspace(5) %a
  %done = icmp eq i32 %n, 0
  br i1 %done, label %end, label %more
more:
  %less = sub i32 %n, 1
  call void @itself(i32 %less)
  br label %end
end:
  ret void
}

; BOTH: {{^}}once:
; The frame's end first, then lanes' sizes: one round for each that is more than those before it.
; BOTH: s_mov_b32 s32, lit(0x0)
; BOTH: s_cmp_eq_u32
; BOTH: v_readlane_b32
; BOTH: s_and_b32 {{.*}}, -16
; BUFFER: s_lshl_b32 s32, {{.*}}, 6
; BOTH: s_endpgm
define amdgpu_kernel void @once(ptr addrspace(1) %p) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = alloca i32, i32 %id, align 4, addrspace(5)
  store volatile i32 %id, ptr addrspace(5) %a
  ret void
}

define amdgpu_kernel void @calls() {
  call void @itself(i32 3)
  ret void
}

; What stands in the first block is of the frame, though a body comes before it in place of a call.
; RUN: %offgrid dis %t.9 | FileCheck %s --check-prefix=STATIC
; STATIC: .name: still
; STATIC: .private_segment_fixed_size: 32
; STATIC: .uses_dynamic_stack: false
define internal i32 @bends(i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %a, label %b
a:
  call void @llvm.amdgcn.s.sleep(i32 1)
  br label %b
b:
  ret i32 %n
}
define amdgpu_kernel void @still(ptr addrspace(1) %p, i32 %n) {
  %m = call i32 @bends(i32 %n)
  %a = alloca [8 x i32], align 4, addrspace(5)
  %q = getelementptr i32, ptr addrspace(5) %a, i32 %m
  store volatile i32 %m, ptr addrspace(5) %q
  ret void
}
declare void @llvm.amdgcn.s.sleep(i32)
declare i32 @llvm.amdgcn.workitem.id.x()
