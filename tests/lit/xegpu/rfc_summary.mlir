// The RFC's summary in its words, with mode = vc where its rules ask for it, and the examples with a map whose vectors are whole; aliases as it
// writes them. Left out are three of the table's lines: a missing %, and barriers by other operations' names.
// RUN: %offgrid opt %s -o %t
// RUN: %offgrid opt --input-spelling=rfc %t | diff %t -
#sg_map_a = xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 2]>
#sg_map_b = xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#sg_map = xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#sg_map_t = xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#tdesc_attr1 = !xegpu.tdesc_attr< memory_scope=slm, boundary_check=false, sg= #sg_map>
gpu.module @k {
  gpu.func @f(%mem_addr: int64, %mref: memref<1024x1024xbf16>, %fref: memref<1024x1024xf32>, %offset_x: index, %mask: vector<16xi1>, %offset: Vector<16 x index>, %n: Uint8_t, %value16: vector<16xbf16>,
      %vector_a: vector<8x8x2xbf16>, %vector_b: vector<8x16x2xbf16>, %c: vector<8x16xfloat>, %value: vector<8x16xbf16>) {
    %tile_offset:2 = scf.for %i = %offset_x to %offset_x step %offset_x iter_args(%a = %offset_x, %b = %offset_x) -> (index, index) { scf.yield %a, %b : index, index }
    %scatter_tdesc1 = XeGPU.create_tdesc %mem_addr, %offset {mode = vc}: int64, Vector<16 x index> -> tensor_desc<16 x bf16, #scattered, memory_scope=slm, chunk_size_per_lane=1>
    %scatter_tdesc2 = XeGPU.create_tdesc %mem_addr, %offset {mode = vc, chunk_size_per_lane = 8}: int64, Vector<16 x index> -> tensor_desc<16x8xbf16, #scattered>
    %scatter_mem2 = XeGPU.create_tdesc %mem_addr, %offset {mode = vc}: int64, Vector<16 x index> -> tensor_desc<16xbf16, #scattered>
    %result = XeGPU.load_gather %scatter_tdesc2, %mask {L1 = cached, L2 = uncached, transpose=[1,0], mode = vc} : tensor_desc<16x8xbf16, #Scattered>, vector<16xi1> -> vector<8x16xbf16>
    XeGPU.store_scatter %value16, %scatter_mem2, %mask {L1 = cached, L2 = uncached, mode = vc} : vector<16xbf16>, tensor_desc<16xbf16, #scattered>, vector<16xi1>
    %tdesc_updated = XeGpu.update_offset %scatter_mem2, %offset {mode = vc}: tensor_desc<16xbf16, #scattered>, vector<16x index> -> tensor_desc<16xbf16, #scattered>
    XeGPU.prefetch %scatter_mem2 {L1 = cached, L2 = uncached, mode = vc} : tensor_desc<16xbf16, #scattered>
    %ret_value = XeGPU.atomic_rmw "addf", %value16, %scatter_mem2, %mask {mode = vc} : vector<16xbf16>, tensor_desc<16xbf16, #scattered>, vector<16xi1> to vector<16xbf16>
    %tdesc2 = XeGPU.create_nd_tdesc %mem_addr, %tile_offset:2, %tile_offset:2,%tile_offset:2 {mode = vc}: int64, index, index, index, index, index, index -> tensor_desc<8x16xbf16, memory_scope=global>
    %r1 = XeGPU.load_nd %tdesc2 {L1_hint = uncached, L3_hint = uncached, mode = vc} : tensor_desc<8x16xbf16, memory_scope=global> -> vector<8x16xbf16>
    %vector_c = XeGPU.dpas %c, %vector_a, %vector_b {mode = vc}: vector<8x16xfloat>, vector<8x8x2xbf16>, vector<8x16x2xbf16> -> vector<8x16xfloat>
    XeGPU.store_nd %value, %tdesc2 {L1_hint = uncached, L3_hint = uncached, mode = vc} : vector<8x16xbf16>, tensor_desc<8x16xbf16, memory_scope=global>
    %tu = XeGpu.update_nd_offset %tdesc2, %offset_x, %offset_x {mode = vc}: tensor_desc<8x16xbf16, memory_scope=global>, index, index -> tensor_desc<8x16xbf16, memory_scope=global>
    XeGPU.prefetch_nd %tdesc2 {mode = vc}: tensor_desc<8x16xbf16, memory_scope=global>
    XeGPU.alloc_nbarrier %n: Uint8_t
    %nbarrier = XeGPU.init_nbarrier %n, %n : Uint8_t, Uint8_t -> !XeGPU.nbarrier
    XeGPU.nbarrier_arrive %nbarrier : !XeGPU.nbarrier
    XeGPU.nbarrier_wait %nbarrier : !XeGPU.nbarrier
    XeGPU.fence {scope = gpu, memory_kind = global}
    XeGPU.compile_hint {scheduling_barrier}
    // with the map, and whole vectors
    %ta = XeGPU.create_nd_tdesc %mref, %tile_offset:2 : memref<1024x1024xbf16>, index, index into tensor_desc<8x16xbf16, #sg_map_a>
    %tb = XeGPU.create_nd_tdesc %mref, %tile_offset:2 : memref<1024x1024xbf16>, index, index into tensor_desc<16x16xbf16, #sg_map_b>
    %tf = XeGPU.create_nd_tdesc %fref, %tile_offset:2 : memref<1024x1024xf32>, index, index into tensor_desc<8x16xf32, #sg_map>
    %at = XeGPU.load_nd %tf {transpose = [1,0]} : tile<8x16xf32, #sg_map> into vector<16x8xf32>
    %bt = XeGPU.load_nd %tb {vnni_axis = 0} : tile<16x16xbf16, #sg_map_b> into vector<8x16x2xbf16>
    %av = XeGPU.load_nd %ta {vnni_axis = 1} : tile<8x16xbf16, #sg_map_a> into vector<8x8x2xbf16>
    gpu.return
  }
}
