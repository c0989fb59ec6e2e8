// Lowered to vISA, what tells the lanes of a subgroup apart is refused by name, at its place.
// RUN: %not %offgrid cc %s --kernel=shuffle 2>&1 | FileCheck %s --check-prefix=SHUFFLE
// RUN: %not %offgrid cc %s --kernel=lane 2>&1 | FileCheck %s --check-prefix=LANE
// RUN: %not %offgrid cc %s --kernel=element 2>&1 | FileCheck %s --check-prefix=ELEMENT
gpu.module @m {
  gpu.func @shuffle(%C: memref<16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %v = memref.load %C[%c0] : memref<16xf32>
    %one = arith.constant 1 : i32
    %width = arith.constant 16 : i32
    // SHUFFLE: lanes_refused.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'gpu.shuffle' op is not lowered: where lanes have fragments of tiles
    %s, %in = gpu.shuffle xor %v, %one, %width : f32
    memref.store %s, %C[%c0] : memref<16xf32>
    gpu.return
  }
  gpu.func @lane(%A: memref<8x16xf32>, %C: memref<16xindex>) kernel {
    %t = xegpu.create_nd_tdesc %A : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
    // LANE: lanes_refused.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'gpu.lane_id' op is not lowered
    %l = gpu.lane_id
    memref.store %l, %C[%l] : memref<16xindex>
    gpu.return
  }
  gpu.func @element(%A: memref<8x16xf32>, %C: memref<16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %t = xegpu.create_nd_tdesc %A : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
    // ELEMENT: lanes_refused.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'vector.extract' op is not lowered
    %e = vector.extract %v[0] : f32 from vector<8xf32>
    memref.store %e, %C[%c0] : memref<16xf32>
    gpu.return
  }
}
