// `check` tells races between subgroups and reads of memory that nothing wrote; what is ordered by barriers is silent.
// RUN: %not %offgrid check %s --kernel race --grid 32 --group 32 --arg out:%t:128 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: %offgrid run %s --kernel race --grid 32 --group 32 --arg out:%t:128
// RUN: %not %offgrid check %s --kernel groups --grid 32 --group 16 --arg out:%t:128 2>&1 | FileCheck %s --check-prefix=GROUPS
// RUN: %not %offgrid check %s --kernel unwritten --grid 16 --group 16 --arg out:%t:128 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: %offgrid check %s --kernel ordered --grid 32 --group 32 --arg out:%t:128
// RUN: %offgrid check %s --kernel atomics --grid 32 --group 16 --arg out:%t:128
gpu.module @m {
  gpu.func @race(%A: memref<32xf32>) kernel {
    %c16 = arith.constant 16 : index
    %v = arith.constant dense<1.0> : vector<16xf32>
    %slm = memref.alloca() : memref<32xf32, 3>
    %c0 = arith.constant 0 : index
    %x = gpu.thread_id x
    vector.store %v, %slm[%c0] : memref<32xf32, 3>, vector<16xf32>
    %w = vector.load %slm[%c0] : memref<32xf32, 3>, vector<16xf32>
    %t = xegpu.create_nd_tdesc %A : memref<32xf32> -> !xegpu.tensor_desc<16xf32>
    xegpu.store_nd %w, %t[%x] : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    // RACE: error: 'vector.store' op races: byte 0 of the memory was written by subgroup 0 of the same work-group, in phase 0 without a barrier between
    gpu.return
  }
  gpu.func @groups(%A: memref<32xf32>) kernel {
    %v = arith.constant dense<1.0> : vector<16xf32>
    %t = xegpu.create_nd_tdesc %A : memref<32xf32> -> !xegpu.tensor_desc<16xf32>
    xegpu.store_nd %v, %t[8] : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    // GROUPS: error: 'xegpu.store_nd' op races: byte 32 of the memory was written by subgroup 0 of another work-group, number 0 without a barrier between
    // GROUPS: note: in work-group [1, 0, 0], thread [0, 0, 0]
    gpu.return
  }
  gpu.func @unwritten(%A: memref<32xf32>) kernel {
    %c0 = arith.constant 0 : index
    %slm = memref.alloca() : memref<32xf32, 3>
    %w = vector.load %slm[%c0] : memref<32xf32, 3>, vector<16xf32>
    // UNWRITTEN: error: 'vector.load' op reads byte 0 of memory that nothing wrote
    %t = xegpu.create_nd_tdesc %A : memref<32xf32> -> !xegpu.tensor_desc<16xf32>
    xegpu.store_nd %w, %t[0] : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
  gpu.func @ordered(%A: memref<32xf32>) kernel {
    %c16 = arith.constant 16 : index
    %v = arith.constant dense<1.0> : vector<16xf32>
    %slm = memref.alloca() : memref<32xf32, 3>
    %x = gpu.thread_id x
    vector.store %v, %slm[%x] : memref<32xf32, 3>, vector<16xf32>
    gpu.barrier
    %other = arith.subi %c16, %x : index
    %w = vector.load %slm[%other] : memref<32xf32, 3>, vector<16xf32>
    %t = xegpu.create_nd_tdesc %A : memref<32xf32> -> !xegpu.tensor_desc<16xf32>
    xegpu.store_nd %w, %t[%x] : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
  gpu.func @atomics(%A: memref<32xf32>) kernel {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    %r = memref.atomic_rmw addf %f, %A[%c0] : (f32, memref<32xf32>) -> f32
    %t = xegpu.create_nd_tdesc %A : memref<32xf32> -> !xegpu.tensor_desc<16xf32>
    xegpu.prefetch_nd %t[0] : !xegpu.tensor_desc<16xf32>
    gpu.return
  }
}
