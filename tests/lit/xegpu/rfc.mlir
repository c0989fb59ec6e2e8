// Every example of the RFC, in its words: read, checked, printed in its spelling, and read again as the same.
// RUN: %offgrid opt %s -o %t
// RUN: %offgrid opt --input-spelling=rfc %t | diff %t -
// RUN: FileCheck %s --input-file %t
// CHECK: XeGPU.load_nd {{.*}} {L1_hint = uncached, L3_hint = uncached, mode = vc} : !xegpu.tensor_desc<8x16xbf16> into vector<8x16xbf16>
// CHECK: XeGPU.atomic_rmw "addi"
#sg_map_a = #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 2]>
#sg_map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#sg_map_c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#tdesc_attr1 = #xegpu.tdesc_attr<memory_scope = slm, boundary_check = false, sg = #sg_map_c>
#tdesc_attr2 = #xegpu.tdesc_attr<memory_scope = slm, boundary_check = false>
#scattered = #xegpu.tdesc_attr<scattered = true>
#tdesc_attr = #xegpu.tdesc_attr<memory_scope = slm, scattered = true>
gpu.module @k {
  gpu.func @f(%mem_addr: uint64, %mref: memref<1024x1024xbf16>, %fref: memref<1024x1024xf32>, %offset: index, %mask: vector<16xi1>, %voff: Vector<16 x index>, %n: i8) {
    %offsets:2 = scf.for %i = %offset to %offset step %offset iter_args(%a = %offset, %b = %offset) -> (index, index) { scf.yield %a, %b : index, index }
    %base_shape:2 = scf.for %i = %offset to %offset step %offset iter_args(%a = %offset, %b = %offset) -> (index, index) { scf.yield %a, %b : index, index }
    %base_stride:2 = scf.for %i = %offset to %offset step %offset iter_args(%a = %offset, %b = %offset) -> (index, index) { scf.yield %a, %b : index, index }
    %tdesc1 = XeGPU.create_nd_tdesc %mem_addr, %offsets:2, %base_shape:2,%base_stride:2
		: uint64, index, index, index, index, index, index
     	into tensor_desc<8x16xbf16, #sg_map_a>
    %tdesc2 = XeGPU.create_nd_tdesc %mem_addr, %offsets:2, %base_shape:2,%base_stride:2 {mode =vc}
		: uint64, index, index, index, index, index, index
     	into tensor_desc<8x16xbf16>
    %tdesc3 = XeGPU.create_nd_tdesc %mem_addr, %offsets:2, %base_shape:2,%base_stride:2 {mode =vc}
		: uint64, index, index, index, index, index, index
     	into tensor_desc<8x16xbf16, array_length=2>
    %tdesc4 = XeGPU.create_nd_tdesc %mref, %offsets:2 : memref<1024x1024xbf16>, index, index into tensor_desc<8x16xbf16, #sg_map_a>
    %tdesc5 = XeGPU.create_nd_tdesc  %mref, %offsets:2 {mode =vc} : memref<1024x1024xbf16>, index, index into tensor_desc<8x16xbf16>
    %tdesc6 = XeGPU.create_nd_tdesc %mem_addr, %offset : uint64, index into tensor_desc<16xbf16, #tdesc_attr1>
    %tdesc7 = XeGPU.create_nd_tdesc %mem_addr, %offset {mode = vc} : uint64, index into tensor_desc<16xbf16, #tdesc_attr2>
    %r1 = XeGPU.load_nd %tdesc1 {L1_hint = uncached, L3_hint = uncached} : tensor_desc<8x16xbf16, #sg_map_a> into vector<4x2xbf16>
    %r2 = XeGPU.load_nd %tdesc2 {L1_hint = uncached, L3_hint = uncached, mode = vc} : tensor_desc<8x16xbf16> into vector<8x16xbf16>
    %tf = XeGPU.create_nd_tdesc %mem_addr, %offsets:2, %base_shape:2,%base_stride:2 {mode = vc} : uint64, index, index, index, index, index, index into tensor_desc<8x16xf32>
    %at = XeGPU.load_nd %tf {transpose = [1,0], mode = vc} : tile<8x16xf32> into vector<16x8xf32>
    %tb = XeGPU.create_nd_tdesc %mem_addr, %offsets:2, %base_shape:2,%base_stride:2 {mode = vc} : uint64, index, index, index, index, index, index into tensor_desc<16x16xbf16>
    %bt = XeGPU.load_nd %tb {vnni_axis = 0, mode = vc} : tile<16x16xbf16> into vector<8x16x2xbf16>
    %ab = XeGPU.load_nd %tdesc2 {vnni_axis = 1, mode = vc} : tile<8x16xbf16> into vector<8x8x2xbf16>
    %tt = XeGPU.create_nd_tdesc %mem_addr, %offsets:2, %base_shape:2,%base_stride:2 {mode = vc} : uint64, index, index, index, index, index, index into tensor_desc<32x16xf16>
    %t32 = XeGPU.load_nd %tt {transpose = [1, 0], transpose_bit_width = 32, mode = vc} : tile<32x16xf16> into vector<8x64xf16>
    %bt2 = vector.shape_cast %t32 :  vector<8x64xf16> into vector<8x32x2xf16>
    %c = XeGPU.dpas %ab, %bt {mode = vc} : vector<8x8x2xbf16>, vector<8x16x2xbf16> into vector<8x16xfloat>
    %c2 = XeGPU.dpas %c, %ab, %bt {mode = vc} : vector<8x16xfloat>, vector<8x8x2xbf16>, vector<8x16x2xbf16> -> vector<8x16xfloat>
    XeGPU.store_nd %r2, %tdesc2 {mode = vc} : vector<8x16xbf16>, tensor_desc<8x16xbf16>
    XeGPU.prefetch_nd %tdesc1: tensor_desc<8x16xbf16, #sg_map_a>
    XeGPU.prefetch_nd %tdesc2 {mode = vc} : tensor_desc<8x16xbf16>
    %u = XeGpu.update_nd_offset %tdesc1, %offsets:2 : tensor_desc<8x16xbf16, #sg_map_a>, index, index into tensor_desc<8x16xbf16, #sg_map_a>
    %s0 = XeGPU.create_tdesc %mem_addr, %voff {mode = vc} : uint64, Vector<16 x index>, into tensor_desc<16 x uint8, #scattered>
    %s1 = XeGPU.create_tdesc %mem_addr, %voff {chunk_size_per_lane=8, mode = vc} : uint64, vector<16xindex> into tensor_desc<16x8xuint16, #tdesc_attr>
    %g0 = XeGPU.load_gather %s0, %mask {L1_hint = cached, L2_hint = uncached, mode = vc} : tensor_desc<16xuint8, #Scattered>, vector<16xi1> into vector<16xuint8>
    %g1 = XeGPU.load_gather %s1, %mask {L1 = cached, L2 = uncached, transpose=[1,0], mode = vc} : tensor_desc<16x8xuint16, #tdesc_attr>, vector<16xi1> -> vector<8x16xuint16>
    XeGPU.store_scatter %g0, %s0, %mask {mode = vc} : vector<16xuint8>, vector<16xi1>, tensor_desc<16xuint8, #scattered>
    XeGPU.prefetch %s0 {mode = vc} : tensor_desc<16xuint8, #scattered>
    %u2 = XeGpu.update_offsets %s0, %voff {mode = vc} : tensor_desc<16xuint8, #scattered>, vector<16xindex>, into tensor_desc<16xuint8, #scattered>
    %ret_value = XeGPU.atomic_rmw "addi" %g0, %s0, %mask {mode = vc} : vector<16xuint8>, tensor_desc<16xuint8, #scattered>, vector<16xi1> to vector<16xuint8>
    // with the lanes' shares
    %ta = XeGPU.create_nd_tdesc %mref, %offsets:2 : memref<1024x1024xbf16>, index, index into tensor_desc<8x16xbf16, #sg_map_a>
    %tb2 = XeGPU.create_nd_tdesc %mref, %offsets:2 : memref<1024x1024xbf16>, index, index into tensor_desc<16x16xbf16, #sg_map_b>
    %tc = XeGPU.create_nd_tdesc %fref, %offsets:2 : memref<1024x1024xf32>, index, index into tensor_desc<8x16xf32, #sg_map_c>
    %sa = XeGPU.load_nd %ta : tensor_desc<8x16xbf16, #sg_map_a> into vector<4x2xbf16>
    %sb = XeGPU.load_nd %tb2 {vnni_axis = 0} : tile<16x16xbf16, #sg_map_b> into vector<8x2xbf16>
    %sc = XeGPU.dpas %sa, %sb : vector<4x2xbf16>, vector<8x2xbf16> into vector<8x1xfloat>
    XeGPU.store_nd %sc, %tc: vector<8x1xfp32>, tensor_desc<8x16xfp32, #sg_map_c>
    XeGPU.prefetch_nd %tdesc6: tensor_desc<16xbf16, #tdesc_attr1>
    XeGPU.prefetch_nd %tdesc7 {mode = vc} : tensor_desc<16xbf16, #tdesc_attr2>
    %u3 = XeGpu.update_nd_offset %tdesc2, %offsets:2 {mode = vc} : tensor_desc<8x16xbf16>, index, index into tensor_desc<8x16xbf16>
    XeGPU.alloc_nbarrier %n: i8
    %nbarrier = XeGPU.init_nbarrier %n, %n : i8, i8 into nbarrier
    XeGPU.nbarrier_arrive %nbarrier
    XeGPU.nbarrier_wait %nbarrier
    XeGPU.fence {scope = "gpu",  memory_kind = "global", }
    XeGPU.compile_hint {hint=schedule_barrier}
    gpu.return
  }
}
