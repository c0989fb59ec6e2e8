// A fault names the operation, and which work-group and thread it was in.
// RUN: %not %offgrid run %s --kernel beyond 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: %not %offgrid run %s --kernel stride 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: %not %offgrid run %s --kernel line 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: %not %offgrid run %s --kernel twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %not %offgrid run %s --kernel stuck 2>&1 | FileCheck %s --check-prefix=STUCK
// RUN: %not %offgrid run %s --kernel zero 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: %not %offgrid run %s --kernel endless 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: %not %offgrid run %s --kernel far 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: %not %offgrid run %s --kernel for_ever --timeout 0.2 2>&1 | FileCheck %s --check-prefix=LATE
module attributes {gpu.container_module} {
  func.func @beyond() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %A = memref.alloc() : memref<16xf32>
    gpu.launch_func @k::@f blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<16xf32>)
    return
  }
  func.func @stride() {
    %c1 = arith.constant 1 : index
    %A = memref.alloc() : memref<32xf32>
    gpu.launch_func @k::@s blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<32xf32>, %c1 : index)
    return
  }
  func.func @line() {
    %c1 = arith.constant 1 : index
    %A = memref.alloc() : memref<12xf32>
    gpu.launch_func @k::@l blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<12xf32>)
    return
  }
  func.func @endless() {
    %A = memref.alloc() : memref<16xf32>
    // ENDLESS: error: 'memref.reinterpret_cast' op a size is negative or too large
    %v = memref.reinterpret_cast %A to offset: [0], sizes: [4294967296, 4294967296], strides: [0, 0] : memref<16xf32> to memref<4294967296x4294967296xf32, strided<[0, 0]>>
    memref.copy %v, %v : memref<4294967296x4294967296xf32, strided<[0, 0]>> to memref<4294967296x4294967296xf32, strided<[0, 0]>>
    return
  }
  func.func @far() {
    %far = arith.constant 9223372036854775807 : index
    %A = memref.alloc() : memref<16xf32>
    // FAR: error: 'memref.load' op index 9223372036854775807 is outside of dimension 0 of size 16
    %v = memref.load %A[%far] : memref<16xf32>
    return
  }
  func.func @twice() {
    %A = memref.alloc() : memref<16xf32>
    memref.dealloc %A : memref<16xf32>
    memref.dealloc %A : memref<16xf32>
    return
  }
  func.func @stuck() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func @k::@g blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1)
    return
  }
  func.func @zero() {
    %z = arith.constant 0 : i32
    %q = arith.divsi %z, %z : i32
    return
  }
  func.func @for_ever() {
    cf.br ^bb1
  ^bb1:
    cf.br ^bb1
  }
  gpu.module @k {
    gpu.func @f(%A: memref<16xf32>) kernel {
      %o = arith.constant dense<[0, 4, 8, 16]> : vector<4xindex>
      %m = arith.constant dense<true> : vector<4xi1>
      %v = xegpu.load %A[%o], %m : memref<16xf32>, vector<4xindex>, vector<4xi1> -> vector<4xf32>
      // BEYOND: faults.mlir:[[@LINE-1]]:12: error: 'xegpu.load' op lane 3's 1 elements at offset 16 are outside of the memory
      // BEYOND: note: in work-group [0, 0, 0], thread [0, 0, 0]
      gpu.return
    }
    gpu.func @s(%A: memref<32xf32>, %i: index) kernel {
      %two = arith.addi %i, %i : index
      %p = memref.extract_aligned_pointer_as_index %A : memref<32xf32> -> index
      %a = arith.index_cast %p : index to i64
      %t = xegpu.create_nd_tdesc %a, shape: [%two, %two], strides: [%two, %two] : i64 -> !xegpu.tensor_desc<2x2xf32>
      // STRIDE: error: 'xegpu.create_nd_tdesc' op the stride of the innermost dimension must be 1, but is 2 (RFC: create_nd_tdesc)
      gpu.return
    }
    gpu.func @l(%A: memref<12xf32>) kernel {
      %t = xegpu.create_nd_tdesc %A[0] : memref<12xf32> -> !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<boundary_check = false>>
      %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<boundary_check = false>> -> vector<16xf32>
      // LINE: error: 'xegpu.load_nd' op 64 bytes in row 0 from column 0 on are outside of the memory
      gpu.return
    }
    gpu.func @g() kernel {
      %id = arith.constant 0 : i8
      %three = arith.constant 3 : i8
      %n = xegpu.init_nbarrier %id, %three : i8, i8 -> !xegpu.nbarrier
      xegpu.nbarrier_arrive %n : !xegpu.nbarrier
      xegpu.nbarrier_wait %n : !xegpu.nbarrier
      // STUCK: faults.mlir:[[@LINE-1]]:7: error: 'xegpu.nbarrier_wait' op the threads of the work-group wait for one another for ever
      gpu.return
    }
  }
}
// TWICE: error: 'memref.dealloc' op the memory is freed twice
// ZERO: error: 'arith.divsi' op division by zero
// LATE: error: 'cf.br' op still running after 0.2 seconds (--timeout)
