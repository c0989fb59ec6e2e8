// What another spelling has no words for is told at its place, several at once; what it says with more operations becomes those.
// RUN: not %offgrid opt --spelling=first %s 2>&1 | FileCheck --check-prefix=FIRST --implicit-check-not=error: %s
// RUN: not %offgrid opt --spelling=19 %s 2>&1 | FileCheck --check-prefix=OLD --implicit-check-not=error: %s
// RUN: sed '/NOT-OLD/d' %s > %t.mlir && %offgrid opt --spelling=first %t.mlir | FileCheck %s
// RUN: %offgrid opt --spelling=rfc %t.mlir | FileCheck --check-prefix=RFC %s
// RUN: %offgrid opt --spelling=19 %t.mlir | FileCheck --check-prefix=MLIR19 %s
gpu.module @k {
  gpu.func @f(%A: memref<16x16xf16>, %B: memref<256xf32>, %o: vector<16xindex>, %m: vector<16xi1>, %i: index) kernel {
    %slm = memref.alloca() : memref<512xi8, 3>
    // FIRST: [[#@LINE+2]]:12: error: 'xegpu.create_mem_desc' op has no counterpart in spelling first: it has no such operation
    // OLD: [[#@LINE+1]]:12: error: 'xegpu.create_mem_desc' op has no counterpart in spelling 19: it has no such operation
    %mem = xegpu.create_mem_desc %slm : memref<512xi8, 3> -> !xegpu.mem_desc<16x16xf16> // NOT-OLD
    // FIRST: [[#@LINE+2]]:10: error: 'xegpu.create_nd_tdesc' op has no counterpart in spelling first: the layout of its tiles
    // OLD: [[#@LINE+1]]:10: error: 'xegpu.create_nd_tdesc' op has no counterpart in spelling 19: the layout of its tiles
    %l = xegpu.create_nd_tdesc %A : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>> // NOT-OLD
    // CHECK: kernel attributes {intel_reqd_sub_group_size = 16 : i32}
    // CHECK: %a = xegpu.create_nd_tdesc %A[0, 0] {mode = vc} : memref<16x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    // RFC: XeGPU.create_nd_tdesc %A, %{{.*}}, %{{.*}} {mode = vc} : memref<16x16xf16>, index, index into !xegpu.tensor_desc<8x16xf16>
    %a = xegpu.create_nd_tdesc %A : memref<16x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    // CHECK: %[[U:.*]] = xegpu.update_nd_offset %a, [%i, 8] {mode = vc}
    // CHECK: %v = xegpu.load_nd %[[U]] {L1_hint = cached, mode = vc}
    // RFC: XeGPU.load_nd %{{.*}} {L1_hint = cached, mode = vc} : !xegpu.tensor_desc<8x16xf16> into vector<8x16xf16>
    // MLIR19: %[[U:.*]] = xegpu.update_nd_offset %a, [%i, 8] : !xegpu.tensor_desc<8x16xf16>
    // MLIR19: xegpu.load_nd %[[U]] <{l1_hint = #xegpu.cache_hint<cached>}>
    %v = xegpu.load_nd %a[%i, 8] <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    // CHECK: %b = xegpu.load_nd %a {vnni_axis = 0 : i64, mode = vc}
    %b = xegpu.load_nd %a[0, 0] <{packed}> : !xegpu.tensor_desc<8x16xf16> -> vector<4x16x2xf16>
    // CHECK: %[[D:.*]] = xegpu.create_tdesc %B, %o {{{.*}}chunk_size_per_lane = 4 : i64{{.*}}} : memref<256xf32>, vector<16xindex> -> !xegpu.tensor_desc<16x4xf32, #xegpu.tdesc_attr<scattered = true>>
    // CHECK: xegpu.load %[[D]], %m {mode = vc}
    // RFC: XeGPU.load_gather
    // MLIR19-COUNT-16: vector.extract %o
    // MLIR19: xegpu.create_tdesc %B [{{.*}}] {chunk_size = 4 : i64}
    %g = xegpu.load %B[%o], %m <{chunk_size = 4}> : memref<256xf32>, vector<16xindex>, vector<16xi1> -> vector<16x4xf32>
    // CHECK: xegpu.alloc_nbarrier %{{.*}} : i8
    xegpu.alloc_nbarrier 4
    // CHECK: xegpu.fence {memory_kind = shared, scope = workgroup}
    xegpu.fence memory_kind = slm, fence_scope = workgroup
    gpu.return
  }
}
