// A GEMM of halves by nd tiles, VNNI B and dpas, against one computed by the host's loops; the upper left corner is printed.
// RUN: %offgrid run %s | FileCheck %s
// RUN: %offgrid check %s --stats | FileCheck %s --check-prefixes=CHECK,STATS
// CHECK: [ALLCLOSE: TRUE]
// CHECK: rank = 2 offset = 0 sizes = [2, 4] strides = [32, 1] data = 
// CHECK-NEXT: 1904,   1792,   1680,   1568
// CHECK-NEXT: 1792,   1680,   1568,   1456
// STATS: work-groups 8, threads 8
module @gemm attributes {gpu.container_module} {
  func.func private @printMemrefF32(memref<*xf32>)
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>)
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %A = memref.alloc() : memref<32x32xf16>
    %B = memref.alloc() : memref<32x32xf16>
    %C = memref.alloc() : memref<32x32xf32>
    %R = memref.alloc() : memref<32x32xf32>
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %s = arith.addi %i, %j : index
        %m = arith.remui %s, %c8 : index
        %mi = arith.index_cast %m : index to i32
        %mf = arith.sitofp %mi : i32 to f16
        memref.store %mf, %A[%i, %j] : memref<32x32xf16>
        %d = arith.subi %i, %j : index
        %di = arith.index_cast %d : index to i32
        %df = arith.sitofp %di : i32 to f16
        memref.store %df, %B[%i, %j] : memref<32x32xf16>
      }
    }
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %z = arith.constant 0.0 : f32
        %sum = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %z) -> (f32) {
          %a = memref.load %A[%i, %k] : memref<32x32xf16>
          %b = memref.load %B[%k, %j] : memref<32x32xf16>
          %ae = arith.extf %a : f16 to f32
          %be = arith.extf %b : f16 to f32
          %p = arith.mulf %ae, %be : f32
          %q = arith.addf %acc, %p : f32
          scf.yield %q : f32
        }
        memref.store %sum, %R[%i, %j] : memref<32x32xf32>
      }
    }
    %c4 = arith.constant 4 : index
    gpu.launch_func @kernel::@k blocks in (%c4, %c2, %c1) threads in (%c1, %c1, %c1) args(%A : memref<32x32xf16>, %B : memref<32x32xf16>, %C : memref<32x32xf32>)
    %cc = memref.cast %C : memref<32x32xf32> to memref<*xf32>
    %rr = memref.cast %R : memref<32x32xf32> to memref<*xf32>
    call @printAllcloseF32(%cc, %rr) : (memref<*xf32>, memref<*xf32>) -> ()
    %sv = memref.subview %C[0, 0] [2, 4] [1, 1] : memref<32x32xf32> to memref<2x4xf32, strided<[32, 1]>>
    %svc = memref.cast %sv : memref<2x4xf32, strided<[32, 1]>> to memref<*xf32>
    call @printMemrefF32(%svc) : (memref<*xf32>) -> ()
    return
  }
  gpu.module @kernel {
    gpu.func @k(%A: memref<32x32xf16>, %B: memref<32x32xf16>, %C: memref<32x32xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %i = arith.muli %bx, %c8 : index
      %j = arith.muli %by, %c16 : index
      %a = xegpu.create_nd_tdesc %A : memref<32x32xf16> -> !xegpu.tensor_desc<8x16xf16>
      %b = xegpu.create_nd_tdesc %B : memref<32x32xf16> -> !xegpu.tensor_desc<16x16xf16>
      %acc0 = arith.constant dense<0.0> : vector<8x16xf32>
      %r = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %acc0) -> (vector<8x16xf32>) {
        %va = xegpu.load_nd %a[%i, %k] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
        %vb = xegpu.load_nd %b[%k, %j] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
        %d = xegpu.dpas %va, %vb, %acc : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
        scf.yield %d : vector<8x16xf32>
      }
      %z = xegpu.create_nd_tdesc %C : memref<32x32xf32> -> !xegpu.tensor_desc<8x16xf32>
      xegpu.store_nd %r, %z[%i, %j] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
  }
}
