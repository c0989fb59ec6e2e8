// SIMT mode: lanes have fragments of tiles by sg_map; dpas takes those of all sixteen. A is all 2s but for one row, B the unit matrix.
// RUN: %offgrid run %s | FileCheck %s
// RUN: %offgrid opt --spelling=rfc %s -o %t.rfc.mlir && %offgrid run %t.rfc.mlir | FileCheck %s
// RUN: %offgrid opt --spelling=22 %s -o %t.22.mlir && %offgrid run %t.22.mlir | FileCheck %s
// RUN: not %offgrid opt --spelling=19 %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: simt.mlir:[[#]]:13: error: 'xegpu.create_nd_tdesc' op has no counterpart in spelling 19: the layout of its tiles cannot be written
#a = #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 2]>
#b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
module attributes {gpu.container_module} {
  func.func private @printMemrefF32(memref<*xf32>)
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>)
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %A = memref.alloc() : memref<8x16xbf16>
    %B = memref.alloc() : memref<16x16xbf16>
    %C = memref.alloc() : memref<8x16xf32>
    %R = memref.alloc() : memref<8x16xf32>
    %one = arith.constant 1.0 : bf16
    scf.for %i = %c0 to %c16 step %c1 {
      memref.store %one, %B[%i, %i] : memref<16x16xbf16>
    }
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c16 step %c1 {
        %r = arith.muli %i, %c16 : index
        %s = arith.addi %r, %j : index
        %n = arith.index_cast %s : index to i32
        %f = arith.sitofp %n : i32 to bf16
        memref.store %f, %A[%i, %j] : memref<8x16xbf16>
        %g = arith.sitofp %n : i32 to f32
        memref.store %g, %R[%i, %j] : memref<8x16xf32>
      }
    }
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%A : memref<8x16xbf16>, %B : memref<16x16xbf16>, %C : memref<8x16xf32>)
    %p = memref.cast %C : memref<8x16xf32> to memref<*xf32>
    %q = memref.cast %R : memref<8x16xf32> to memref<*xf32>
    call @printAllcloseF32(%p, %q) : (memref<*xf32>, memref<*xf32>) -> ()
    // CHECK: [ALLCLOSE: TRUE]
    return
  }
  gpu.module @k {
    gpu.func @f(%A: memref<8x16xbf16>, %B: memref<16x16xbf16>, %C: memref<8x16xf32>) kernel {
      %ta = xegpu.create_nd_tdesc %A[0, 0] : memref<8x16xbf16> -> !xegpu.tensor_desc<8x16xbf16, #a>
      %tb = xegpu.create_nd_tdesc %B[0, 0] : memref<16x16xbf16> -> !xegpu.tensor_desc<16x16xbf16, #b>
      %tc = xegpu.create_nd_tdesc %C[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #c>
      %a = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xbf16, #a> -> vector<4x2xbf16>
      %b = xegpu.load_nd %tb {vnni_axis = 0} : !xegpu.tensor_desc<16x16xbf16, #b> -> vector<8x2xbf16>
      %c = xegpu.dpas %a, %b : vector<4x2xbf16>, vector<8x2xbf16> -> vector<8x1xf32>
      xegpu.store_nd %c, %tc : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32, #c>
      gpu.return
    }
  }
}
