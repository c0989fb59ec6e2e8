; A kernel becomes a linked code object: descriptor, metadata, code that waits for its memory and skips what no lane runs.
; RUN: %offgrid cc -mcpu=gfx900 %s -o %t.co
; RUN: %offgrid dis %t.co | FileCheck %s
; RUN: %offgrid lint %t.co
; RUN: %offgrid run %t.co --kernel add --grid 8 --group 8 --arg buf:64 --arg i32:5
; Bitcode gives the same.
; RUN: llvm-as %s -o %t.bc
; RUN: %offgrid cc -mcpu=gfx900 %t.bc -o %t.bc.co
; RUN: cmp %t.co %t.bc.co
; Relocatable, for the linker.
; RUN: %offgrid cc -mcpu=gfx900 -c %s -o %t.o
; RUN: %offgrid ld %t.o -o %t.linked
; RUN: cmp %t.co %t.linked
; Each pass can be seen.
; RUN: %offgrid cc -mcpu=gfx900 -print-after=select %s -o %t.co 2>&1 | FileCheck %s --check-prefix=SELECT
target triple = "amdgcn-amd-amdhsa"

; CHECK: .kernarg_segment_size: 12
; CHECK: s_load_dwordx2 [[DATA:s\[[0-9:]+\]]], s[0:1], 0x0
; CHECK: v_cmp_lt_i32
; CHECK: s_and_b64 exec, exec
; CHECK-NEXT: s_cbranch_execz
; CHECK: global_load_dword [[OLD:v[0-9]+]]
; CHECK: s_waitcnt vmcnt(0)
; CHECK-NEXT: v_add_u32_e32 {{v[0-9]+}}, 1, [[OLD]]
; CHECK: global_store_dword
; CHECK: s_endpgm
; SELECT: add:
; SELECT: block 0: -> 1 -> {{[0-9]+}} divergent
; SELECT: v_cmp_lt_i32 %s
define amdgpu_kernel void @add(ptr addrspace(1) %data, i32 %n) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %inside = icmp slt i32 %id, %n
  br i1 %inside, label %then, label %end
then:
  %at = getelementptr i32, ptr addrspace(1) %data, i32 %id
  %old = load i32, ptr addrspace(1) %at
  %new = add i32 %old, 1
  store i32 %new, ptr addrspace(1) %at
  br label %end
end:
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
