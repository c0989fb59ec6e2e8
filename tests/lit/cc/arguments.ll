; Kernel arguments of odd sizes and at odd places, as they lie in the segment.
; RUN: %offgrid cc -mcpu=gfx803 %s -o %t.co && %offgrid lint --waits %t.co
; RUN: %offgrid run %t.co --kernel k --grid 1 --group 1 --arg out:%t.out:44 --arg struct:01efbeadde22110807060504030201 --arg struct:0102030405060708090a0b0cfd000000 --arg struct:1112131415000000 --arg struct:0100020003000400
; RUN: od -An -tx1 -v %t.out | FileCheck %s
; RUN: %offgrid cc -mcpu=gfx1100 %s -o %t.co
; RUN: %offgrid run %t.co --kernel k --grid 1 --group 1 --arg out:%t.out:44 --arg struct:01efbeadde22110807060504030201 --arg struct:0102030405060708090a0b0cfd000000 --arg struct:1112131415000000 --arg struct:0100020003000400
; RUN: od -An -tx1 -v %t.out | FileCheck %s
; CHECK: ef be ad de 08 07 06 05 04 03 02 01 22 11 00 00
; CHECK-NEXT: 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 00 00 00
; CHECK-NEXT: 11 12 13 14 01 00 00 00 04 00 00 00
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p, <{ i8, i32, i16, i64 }> %x, i100 %y, i33 %z, [4 x i16] %w) {
  %a = extractvalue <{ i8, i32, i16, i64 }> %x, 1
  store i32 %a, ptr addrspace(1) %p
  %p4 = getelementptr i8, ptr addrspace(1) %p, i32 4
  %b = extractvalue <{ i8, i32, i16, i64 }> %x, 3
  store i64 %b, ptr addrspace(1) %p4, align 4
  %p12 = getelementptr i8, ptr addrspace(1) %p, i32 12
  %c = extractvalue <{ i8, i32, i16, i64 }> %x, 2
  store i16 %c, ptr addrspace(1) %p12
  %p16 = getelementptr i8, ptr addrspace(1) %p, i32 16
  store i100 %y, ptr addrspace(1) %p16, align 4
  %p32 = getelementptr i8, ptr addrspace(1) %p, i32 32
  store i33 %z, ptr addrspace(1) %p32, align 4
  %p40 = getelementptr i8, ptr addrspace(1) %p, i32 40
  %d = extractvalue [4 x i16] %w, 3
  store i16 %d, ptr addrspace(1) %p40, align 4
  ret void
}
