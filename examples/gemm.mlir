// C = A by B: one subgroup's tile of 8x16 by 16x16 bfloats, in the spelling of MLIR 22.
gpu.module @m {
  gpu.func @gemm(%A: memref<8x16xbf16>, %B: memref<16x16xbf16>, %C: memref<8x16xf32>) kernel {
    %a = xegpu.create_nd_tdesc %A : memref<8x16xbf16> -> !xegpu.tensor_desc<8x16xbf16>
    %b = xegpu.create_nd_tdesc %B : memref<16x16xbf16> -> !xegpu.tensor_desc<16x16xbf16>
    %c = xegpu.create_nd_tdesc %C : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %va = xegpu.load_nd %a[0, 0] : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
    %vb = xegpu.load_nd %b[0, 0] <{packed}> : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
    %d = xegpu.dpas %va, %vb : vector<8x16xbf16>, vector<8x16x2xbf16> -> vector<8x16xf32>
    xegpu.store_nd %d, %c[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
