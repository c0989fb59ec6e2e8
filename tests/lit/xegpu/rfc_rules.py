"""Every rule that the RFC says with must, only or can not: an operation that breaks it, and the error, which names the section.
Two sentences can be broken only when running, in faults.mlir: the innermost stride must be 1, and an address of a 1D tensor_desc
must not lie out of its memory."""
import subprocess
import sys

HEAD = """// XeGPU. as the RFC spells it
#a = #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 2]>
#c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @k {
  gpu.func @f(%p: ui64, %i: index, %t: tensor_desc<16x16xbf16>, %f: tensor_desc<8x16xf32>, %m: tensor_desc<16x16xbf16, #c>, %v: vector<16x16xbf16>,
              %w: vector<8x16x2xbf16>, %o: vector<16xindex>, %o5: vector<5xindex>, %s: tensor_desc<16xui8, #scattered>,
              %s8: tensor_desc<16x8xui8, #scattered>, %k: vector<8xi1>, %k16: vector<16xi1>,
              %q: vector<16xui8>, %a8: vector<8x8x2xbf16>, %b4: vector<8x16x4xbf16>) {
"""
RULES = [
    ('sg_map', '%d = XeGPU.create_nd_tdesc %p, %i, %i, %i, %i, %i, %i : ui64, index, index, index, index, index, index into tensor_desc<8x24xbf16, #a>',
     'the size 24 of dimension 1 must be divisible by wi_layout x wi_data = 16 (RFC: sg_map)'),
    ('sg_map', '%d = XeGPU.create_nd_tdesc %p, %i, %i, %i, %i, %i, %i : ui64, index, index, index, index, index, index into tensor_desc<1x16xbf16, #a>',
     'the size 1 of dimension 0 must be divisible by wi_layout x wi_data = 2 (RFC: sg_map)'),
    ('mode', '%d = XeGPU.create_nd_tdesc %p, %i, %i, %i, %i, %i, %i {mode = vc} : ui64, index, index, index, index, index, index into tensor_desc<8x16xbf16, #a>',
     'sg_map should not be presented in the tensor_desc when VC mode is on (RFC: mode)'),
    ('create_nd_tdesc', '%d = XeGPU.create_nd_tdesc %p, %i, %i, %i, %i : ui64, index, index, index, index into tensor_desc<8x16xbf16>',
     "requires 2 offsets, 2 of the base's shape and 2 strides"),
    ('create_nd_tdesc', '%d = XeGPU.create_nd_tdesc %p, %i {mode = vc} : ui64, index into tensor_desc<16xbf16>',
     'boundary_check must be false for a 1D tensor_desc (RFC: create_nd_tdesc)'),
    ('create_nd_tdesc', '%d = XeGPU.create_nd_tdesc %p, %i : ui64, index into tensor_desc<16xbf16, #a, boundary_check = false>',
     'the outer dimension of wi_layout and wi_data must be 1 for a 1D tensor_desc (RFC: create_nd_tdesc)'),
    ('load_nd', '%r = XeGPU.load_nd %t {vnni_axis = 0, transpose = [1, 0], mode = vc} : tensor_desc<16x16xbf16> into vector<8x16x2xbf16>',
     'VNNI transformation and transpose can not be combined (RFC: load_nd)'),
    ('load_nd', '%r = XeGPU.load_nd %f {vnni_axis = 0, mode = vc} : tensor_desc<8x16xf32> into vector<8x16xf32>',
     'vnni_axis is for two-dimensional tiles of low-precision types (RFC: load_nd)'),
    ('load_nd', '%r = XeGPU.load_nd %t {transpose = [1, 0], transpose_bit_width = 32} : tensor_desc<16x16xbf16> into vector<8x32xbf16>',
     'transpose_bit_width is vc mode only (RFC: load_nd)'),
    ('load_nd', '%r = XeGPU.load_nd %m {vnni_axis = 0} : tensor_desc<16x16xbf16, #c> into vector<8x2xbf16>',
     'the wi_data size along the vnni_axis must match with the size required to pack the data into 32 bits, 2 (RFC: load_nd)'),
    ('load_nd', '%r = XeGPU.load_nd %t {mode = vc} : tensor_desc<16x16xbf16> into vector<8x16xbf16>',
     "expects a vector of shape [16, 16], but got 'vector<8x16xbf16>' (RFC: load_nd)"),
    ('load_nd', '%r = XeGPU.load_nd %t {L1_hint = write_back, mode = vc} : tensor_desc<16x16xbf16> into vector<16x16xbf16>',
     'invalid L1_hint: #xegpu.cache_hint<write_back>'),
    ('load_nd', '%r = XeGPU.load_nd %t {L1_hint = read_invalidate, L3_hint = uncached, mode = vc} : tensor_desc<16x16xbf16> into vector<16x16xbf16>',
     'no target combines L1_hint = read_invalidate with L3_hint = uncached (RFC: load_nd)'),
    ('store_nd', 'XeGPU.store_nd %v, %t {L1_hint = read_invalidate, mode = vc} : vector<16x16xbf16>, tensor_desc<16x16xbf16>',
     'invalid L1_hint: #xegpu.cache_hint<read_invalidate>'),
    ('dpas', '%r = XeGPU.dpas %v, %v {mode = vc} : vector<16x16xbf16>, vector<16x16xbf16> into vector<16x16xf32>',
     'operands of 16-bit elements must be 3D vectors (RFC: dpas)'),
    ('dpas', '%r = XeGPU.dpas %w, %w {mode = vc} : vector<8x16x2xbf16>, vector<8x16x2xbf16> into vector<8x16xf32>',
     'K-dimension mismatch.'),
    ('create_tdesc', '%d = XeGPU.create_tdesc %p, %o : ui64, vector<16xindex> into tensor_desc<16xui8, #scattered>',
     'is VC mode only: {mode = vc} is expected (RFC: create_tdesc)'),
    ('create_tdesc', '%d = XeGPU.create_tdesc %p, %o5 {mode = vc} : ui64, vector<5xindex> into tensor_desc<5xui8, #scattered>',
     'the number of work items can be 1, 2, 4, 8, 16, 32, but is 5 (RFC: create_tdesc)'),
    ('create_tdesc', '%d = XeGPU.create_tdesc %p, %o {chunk_size_per_lane = 5, mode = vc} : ui64, vector<16xindex> into tensor_desc<16x5xui8, #scattered>',
     'chunk_size_per_lane can be 1, 2, 3, 4, 8, but is 5 (RFC: create_tdesc)'),
    ('load_gather', '%r = XeGPU.load_gather %s, %k {mode = vc} : tensor_desc<16xui8, #scattered>, vector<8xi1> into vector<16xui8>',
     "the mask applies to the first dimension, which has 16 lanes, but is 'vector<8xi1>' (RFC: load_gather)"),
    ('load_gather', '%r = XeGPU.load_gather %s8, %k16 {mode = vc} : tensor_desc<16x8xui8, #scattered>, vector<16xi1> into vector<128xui8>',
     "expects a vector of shape [16, 8], but got 'vector<128xui8>' (RFC: load_gather)"),
    ('load_gather', '%r = XeGPU.load_gather %s, %k16 : tensor_desc<16xui8, #scattered>, vector<16xi1> into vector<16xui8>',
     'is VC mode only: {mode = vc} is expected (RFC: load_gather)'),
    ('prefetch', 'XeGPU.prefetch %s : tensor_desc<16xui8, #scattered>',
     'is VC mode only: {mode = vc} is expected (RFC: prefetch)'),
    ('store_scatter', 'XeGPU.store_scatter %q, %s, %k16 : vector<16xui8>, vector<16xi1>, tensor_desc<16xui8, #scattered>',
     'is VC mode only: {mode = vc} is expected (RFC: store_scatter)'),
    ('store_scatter', 'XeGPU.store_scatter %q, %s, %k {mode = vc} : vector<16xui8>, vector<8xi1>, tensor_desc<16xui8, #scattered>',
     'the mask applies to the first dimension, which has 16 lanes'),
    ('update_offset', '%u = XeGPU.update_offset %s, %o : tensor_desc<16xui8, #scattered>, vector<16xindex> into tensor_desc<16xui8, #scattered>',
     'is VC mode only: {mode = vc} is expected (RFC: update_offset)'),
    ('atomic_rmw', '%u = XeGPU.atomic_rmw "addi" %q, %s, %k16 : vector<16xui8>, tensor_desc<16xui8, #scattered>, vector<16xi1> to vector<16xui8>',
     'is VC mode only: {mode = vc} is expected (RFC: atomic_rmw)'),
    ('load_nd', '%r = XeGPU.load_nd %t {vnni_axis = 2, mode = vc} : tensor_desc<16x16xbf16> into vector<16x8x2xbf16>',
     'vnni_axis must be 0 or 1 (RFC: load_nd)'),
    ('load_nd', '%r = XeGPU.load_nd %t {transpose = [0, 1], mode = vc} : tensor_desc<16x16xbf16> into vector<16x16xbf16>',
     'transpose must be [1, 0] of a 2D tensor_desc (RFC: load_nd)'),
    ('load_nd', '%r = XeGPU.load_nd %t {transpose = [1, 0], transpose_bit_width = 24, mode = vc} : tensor_desc<16x16xbf16> into vector<16x16xbf16>',
     "transpose_bit_width must be a multiple of the element's size that divides a row (RFC: load_nd)"),
    ('dpas', '%r = XeGPU.dpas %w, %b4 {mode = vc} : vector<8x16x2xbf16>, vector<8x16x4xbf16> into vector<8x16xf32>',
     'the third dimension must hold 2 elements, which fit 32 bits (RFC: dpas)'),
    ('dpas', '%r = XeGPU.dpas %a8, %w {mode = vc} : vector<8x8x2xbf16>, vector<8x16x2xbf16> into vector<8x8xf32>',
     'N-dimension mismatch.'),
    ('alloc_nbarrier', '%n = arith.constant 40 : i8\n    XeGPU.alloc_nbarrier %n : i8',
     'a work-group has up to 32 named barriers, but 40 are asked for (RFC: alloc_nbarrier)'),
    ('init_nbarrier', '%n = arith.constant 0 : i8\n    %b = XeGPU.init_nbarrier %n, %n : i8, i8 into nbarrier',
     'the number of participants must be positive (RFC: init_nbarrier)'),
    ('init_nbarrier', '%n = arith.constant 40 : i8\n    %b = XeGPU.init_nbarrier %n, %n : i8, i8 into nbarrier',
     'barrier ids go from 0 to 31, but this is 40 (RFC: init_nbarrier)'),
    ('fence', 'XeGPU.fence {scope = "subgroup", memory_kind = "global"}',
     'scope must be workgroup or gpu (RFC: fence)'),
    ('fence', 'XeGPU.fence {scope = "gpu", memory_kind = "constant"}',
     'memory_kind must be global or shared (RFC: fence)'),
    ('create_nd_tdesc', '%d = XeGPU.create_nd_tdesc %p, %i, %i, %i, %i, %i, %i {mode = vc} : ui64, index, index, index, index, index, index into tensor_desc<?x16xbf16>',
     "the tensor_desc's sizes must be known at the compile-time and positive (RFC: create_nd_tdesc)"),
    ('create_tdesc', '%d = XeGPU.create_tdesc %p, %o {mode = vc} : ui64, vector<16xindex> into tensor_desc<?xui8, #scattered>',
     "the tensor_desc's sizes must be known at the compile-time and positive (RFC: create_tdesc)"),
    ('dpas', '%r = XeGPU.dpas %a8, %w {mode = vc} : vector<8x8x2xbf16>, vector<8x16x2xbf16> into vector<8x16x1xf32>', 'result #0 must be vector of XeGPU scalars of ranks 2'),
    ('load_nd', '%r = XeGPU.load_nd %s {mode = vc} : tensor_desc<16xui8, #scattered> into vector<16xui8>', 'Expects a non-scattered TensorDesc.'),
    ('mode', '%r = XeGPU.load_nd %t {mode = fast} : tensor_desc<16x16xbf16> into vector<16x16xbf16>', 'mode must be simt or vc (RFC: mode)'),
    ('prefetch_nd', 'XeGPU.prefetch_nd %t {L1_hint = write_back, mode = vc} : tensor_desc<16x16xbf16>', 'invalid L1_hint: #xegpu.cache_hint<write_back>'),
    ('update_nd_offset', '%u = XeGPU.update_nd_offset %t, %i {mode = vc} : tensor_desc<16x16xbf16>, index into tensor_desc<16x16xbf16>', 'Invalid number of offsets.'),
    ('compile_hint', 'XeGPU.compile_hint {hint=unroll}',
     'hint must be schedule_barrier or scheduling_barrier (RFC: compile_hint)'),
]

failed = 0
for section, operation, expected in RULES:
    run = subprocess.run([sys.argv[1], "opt", "-"], input=HEAD + "    " + operation + "\n    gpu.return\n  }\n}\n", capture_output=True, text=True, check=False)
    if run.returncode != 1 or expected not in run.stderr or run.stderr.count("error:") != 1:
        failed += 1
        print(f"{section}: {operation}\n  expected: {expected}\n  ended with {run.returncode}: {run.stderr}")
print(f"{len(RULES)} rules, {failed} not told")
sys.exit(failed != 0)
