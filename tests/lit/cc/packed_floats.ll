; Two operations on floats are one where registers lie side by side: halves in any order, signs, a constant for both. The results
; are those of a processor that has no such instructions.
; RUN: %offgrid cc -mcpu=gfx90a %s -o %t.90a
; RUN: %offgrid dis %t.90a | FileCheck %s
; RUN: %offgrid lint --waits %t.90a
; RUN: %offgrid cc -mcpu=gfx906 %s -o %t.906
; RUN: %offgrid dis %t.906 | FileCheck %s --check-prefix=NONE
; RUN: %python -c "import struct; print(end='', file=open('%t.in', 'w')); open('%t.in', 'wb').write(struct.pack('<256f', *[(k * 37 % 101 - 50) / 7 for k in range(256)]))"
; RUN: cp %t.in %t.one
; RUN: cp %t.in %t.two
; RUN: %offgrid run %t.90a --kernel k --grid 64 --group 64 --arg inout:%t.one
; RUN: %offgrid run %t.906 --kernel k --grid 64 --group 64 --arg inout:%t.two
; RUN: cmp %t.one %t.two
; RUN: not cmp -s %t.one %t.in
target triple = "amdgcn-amd-amdhsa"

; CHECK: v_pk_mul_f32
; CHECK: v_pk_fma_f32
; CHECK: v_pk_add_f32 {{.*}} neg_lo:[0,1] neg_hi:[0,1]
; CHECK: v_pk_fma_f32 {{.*}} 2.0, {{.*}} op_sel_hi:[1,0,0]
; NONE-NOT: v_pk
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr <4 x float>, ptr addrspace(1) %p, i32 %id
  %x = load <4 x float>, ptr addrspace(1) %at
  %y = fmul <4 x float> %x, %x
  %turned = shufflevector <4 x float> %x, <4 x float> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %z = call <4 x float> @llvm.fma.v4f32(<4 x float> %y, <4 x float> %turned, <4 x float> %x)
  %d = fsub <4 x float> %z, %y
  %r = call <4 x float> @llvm.fma.v4f32(<4 x float> %d, <4 x float> <float 2.0, float 2.0, float 2.0, float 2.0>, <4 x float> %turned)
  store <4 x float> %r, ptr addrspace(1) %at
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
