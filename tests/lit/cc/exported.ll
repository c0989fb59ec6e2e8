; Variables that the host finds by name are there, though no kernel names them, and so are the functions that they lead to.
; RUN: %offgrid cc -mcpu=gfx906 %s -o %t.co
; RUN: llvm-nm -D %t.co | FileCheck %s
; RUN: llvm-nm %t.co | FileCheck %s --check-prefix=ALL
; RUN: %offgrid lint %t.co
target triple = "amdgcn-amd-amdhsa"

; CHECK-NOT: kept_in
; CHECK-DAG: V mode
; CHECK-DAG: D settings
; CHECK-DAG: B zeros
; CHECK-DAG: {{[BV]}} anything
; CHECK-DAG: D table
; ALL: t called
@mode = weak addrspace(1) constant i8 3
@settings = addrspace(4) externally_initialized global [2 x i32] [i32 1, i32 2]
@zeros = addrspace(1) global [16 x i32] zeroinitializer
@anything = weak addrspace(4) global i32 undef
@table = addrspace(1) global ptr @called
@kept_in = internal addrspace(1) global i32 5
@lds = addrspace(3) global i32 undef

define internal i32 @called(i32 %x) noinline {
  %y = mul i32 %x, 3
  ret i32 %y
}
define amdgpu_kernel void @k() {
  ret void
}
