// The first implementation's spelling, VC mode: padding beyond the base, VNNI, transposition by 32 bits, gathers with masks and chunks,
// atomics, named barriers and shared memory.
// RUN: %offgrid run %s | FileCheck %s
// RUN: %offgrid opt --spelling=rfc %s -o %t.rfc.mlir && %offgrid run %t.rfc.mlir | FileCheck %s
// RUN: %offgrid opt --spelling=19 %s -o %t.19.mlir && %offgrid run %t.19.mlir | FileCheck %s
// RUN: %offgrid opt --spelling=22 %s -o %t.22.mlir && %offgrid run %t.22.mlir | FileCheck %s
// RUN: %offgrid opt %s -o %t && %offgrid opt --input-spelling=first %t | diff %t -
module attributes {gpu.container_module} {
  func.func private @printMemrefF32(memref<*xf32>)
  func.func private @printMemrefI32(memref<*xi32>)
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c4 = arith.constant 4 : index
    %A = memref.alloc() : memref<3x5xf32>
    %P = memref.alloc() : memref<4x8xf32>
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %c5 step %c1 {
        %r = arith.muli %i, %c5 : index
        %s = arith.addi %r, %j : index
        %n = arith.index_cast %s : index to i32
        %f = arith.sitofp %n : i32 to f32
        memref.store %f, %A[%i, %j] : memref<3x5xf32>
      }
    }
    gpu.launch_func @k::@pad blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<3x5xf32>, %P : memref<4x8xf32>)
    %p = memref.cast %P : memref<4x8xf32> to memref<*xf32>
    call @printMemrefF32(%p) : (memref<*xf32>) -> ()
    // CHECK: 6,   7,   8,   9,   0,   0,   0,   0
    // CHECK-NEXT: 11,   12,   13,   14,   0,   0,   0,   0
    // CHECK-NEXT: 0,   0,   0,   0,   0,   0,   0,   0
    %I = memref.alloc() : memref<64xi32>
    gpu.launch_func @k::@scatter blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) args(%I : memref<64xi32>)
    %q = memref.cast %I : memref<64xi32> to memref<*xi32>
    call @printMemrefI32(%q) : (memref<*xi32>) -> ()
    // CHECK: [2,   0,   4,   0,   6,   0,   8,   0,   0,   0,
    %S = memref.alloc() : memref<4xi32>
    gpu.launch_func @k::@barriers blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%S : memref<4xi32>)
    %u = memref.cast %S : memref<4xi32> to memref<*xi32>
    call @printMemrefI32(%u) : (memref<*xi32>) -> ()
    // CHECK: [13,   12,   11,   10]
    return
  }
  gpu.module @k {
    gpu.func @pad(%A: memref<3x5xf32>, %P: memref<4x8xf32>) kernel attributes {VectorComputeFunctionINTEL} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = xegpu.create_nd_tdesc %A[%c0, %c0] {mode = vc} : memref<3x5xf32> -> !xegpu.tensor_desc<4x8xf32>
      %b = xegpu.update_nd_offset %a, [%c1, %c1] {mode = vc} : !xegpu.tensor_desc<4x8xf32> -> !xegpu.tensor_desc<4x8xf32>
      xegpu.prefetch_nd %b {mode = vc} : !xegpu.tensor_desc<4x8xf32>
      %v = xegpu.load_nd %b {mode = vc, transpose = [1, 0]} : !xegpu.tensor_desc<4x8xf32> -> vector<8x4xf32>
      %t = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
      %p = xegpu.create_nd_tdesc %P[0, 0] {mode = vc} : memref<4x8xf32> -> !xegpu.tensor_desc<4x8xf32>
      xegpu.store_nd %t, %p {mode = vc} : vector<4x8xf32>, !xegpu.tensor_desc<4x8xf32>
      gpu.return
    }
    gpu.func @scatter(%I: memref<64xi32>) kernel attributes {VectorComputeFunctionINTEL} {
      %o = arith.constant dense<[0, 2, 4, 6, 8, 10, 12, 1000000]> : vector<8xindex>
      %m = arith.constant dense<[true, true, true, true, false, false, false, false]> : vector<8xi1>
      %v = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, 8]> : vector<8xi32>
      %d = xegpu.create_tdesc %I, %o {mode = vc} : memref<64xi32>, vector<8xindex> -> !xegpu.tensor_desc<8xi32, #xegpu.scattered>
      %r = xegpu.atomic_rmw addi %d, %m, %v {mode = vc} : !xegpu.tensor_desc<8xi32, #xegpu.scattered>, vector<8xi1>, vector<8xi32> -> vector<8xi32>
      gpu.return
    }
    gpu.func @barriers(%S: memref<4xi32>) kernel attributes {VectorComputeFunctionINTEL} {
      %slm = memref.alloc() : memref<4xi32, 3>
      %x = gpu.thread_id x
      %c3 = arith.constant 3 : index
      %c10 = arith.constant 10 : i32
      %id = arith.constant 1 : i8
      %four = arith.constant 4 : i8
      xegpu.alloc_nbarrier %four : i8
      %n = xegpu.init_nbarrier %id, %four : i8, i8 -> !xegpu.nbarrier
      %xi = arith.index_cast %x : index to i32
      %v = arith.addi %xi, %c10 : i32
      memref.store %v, %slm[%x] : memref<4xi32, 3>
      xegpu.fence {scope = workgroup, memory_kind = shared}
      xegpu.nbarrier_arrive %n : !xegpu.nbarrier
      xegpu.nbarrier_wait %n : !xegpu.nbarrier
      %y = arith.subi %c3, %x : index
      %w = memref.load %slm[%y] : memref<4xi32, 3>
      gpu.barrier
      memref.store %w, %S[%x] : memref<4xi32>
      gpu.return
    }
  }
}
