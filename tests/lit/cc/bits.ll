; Vectors of bits as numbers and back, as clang compares vectors, and in memory.
; RUN: %offgrid cc -mcpu=gfx900 %s -o %t.co
; RUN: %offgrid run %t.co --kernel k --grid 16 --group 16 --arg out:%t.out:64 --arg buf:16
; RUN: od -An -w36 -N36 -tu4 %t.out | FileCheck %s
; CHECK: 0 {{ *}}257 {{ *}}259 {{ *}}519 {{ *}}271 {{ *}}543 {{ *}}575 {{ *}}895 {{ *}}511
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i8 @llvm.vector.reduce.add.v8i8(<8 x i8>)
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %one = insertelement <8 x i32> poison, i32 %t, i32 0
  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  %more = icmp ugt <8 x i32> %all, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %at = getelementptr i8, ptr addrspace(1) %q, i32 %t
  store <8 x i1> %more, ptr addrspace(1) %at
  %again = load <8 x i1>, ptr addrspace(1) %at
  %mask = bitcast <8 x i1> %again to i8
  %byte = trunc i32 %t to i8
  %bits = bitcast i8 %byte to <8 x i1>
  %each = zext <8 x i1> %bits to <8 x i8>
  %count = call i8 @llvm.vector.reduce.add.v8i8(<8 x i8> %each)
  %low = zext i8 %mask to i32
  %high = zext i8 %count to i32
  %up = shl i32 %high, 8
  %sum = or i32 %low, %up
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %sum, ptr addrspace(1) %to
  ret void
}
