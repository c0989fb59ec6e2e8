// Kernels to vISA and to LLVM IR, and one kernel launched without a host function.
// RUN: %offgrid cc %s --kernel=gemm | FileCheck %s --check-prefix=VISA
// VISA: .kernel "gemm"
// VISA: .kernel_attr SimdSize=16
// VISA: lsc_load_block2d.ugm (M1_NM, 1) {{V[0-9]+}}:d16.16x8nn flat[
// VISA: lsc_load_block2d.ugm (M1_NM, 1) {{V[0-9]+}}:d16.16x16nt flat[
// VISA: dpas.hf.hf.8.8 (M1_NM, 16)
// VISA: lsc_store_block2d.ugm (M1_NM, 1) flat[{{.*}}:d32.16x8nn
// RUN: %offgrid cc %s --kernel=gemm -mcpu=gfx942 -emit-llvm -S | FileCheck %s --check-prefixes=IR,MFMA
// RUN: %offgrid cc %s --kernel=gemm -mcpu=gfx1100 -emit-llvm -S | FileCheck %s --check-prefixes=IR,WMMA
// IR: define amdgpu_kernel void @gemm(ptr addrspace(1) %a0, ptr addrspace(1) %a1, ptr addrspace(1) %a2)
// MFMA: call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(
// WMMA: call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(
// RUN: %offgrid cc %s -o %t.visaasm && %offgrid lint -mcpu=pvc %t.visaasm
// RUN: %offgrid run %s --kernel scale --grid 32 --group 16 --arg out:%t.direct:128 --arg f32:1.5
// RUN: %offgrid run %t.visaasm --kernel scale --platform pvc --grid 32 --group 16 --arg out:%t.visa:128 --arg f32:1.5
// RUN: %offgrid cc %s --kernel=scale -mcpu=gfx90a -o %t.co
// RUN: %offgrid run %t.co --kernel scale --grid 128 --group 64 --arg out:%t.amd:128 --arg f32:1.5
// RUN: cmp %t.direct %t.visa && cmp %t.direct %t.amd
// RUN: od -An -v -tf4 -w16 %t.direct | FileCheck %s --check-prefix=VALUES
// VALUES: 0 1.5 3 4.5
// RUN: %not %offgrid cc %s --kernel=other 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: no kernel 'other'
// RUN: %not %offgrid cc %s --kernel=gemm -mcpu=gfx803 -o %t.co 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: -mcpu=gfx803: MLIR's kernels are lowered for pvc, gfx90a, gfx942 and gfx1100
// RUN: %not %offgrid run %s --kernel scale --grid 32 --group 16 --arg out:%t.direct:128 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: error: argument 2: expected a value of 4 bytes
// RUN: %not %offgrid run %s --grid 32 --group 16 --arg out:%t.direct:128 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: error: --kernel NAME is expected: there are 2 kernels
// RUN: %not %offgrid run %s --kernel scale --grid 40 --group 16 --arg out:%t.direct:128 --arg f32:1 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: error: the grid of an MLIR kernel is whole work-groups, without an offset
gpu.module @m {
  gpu.func @gemm(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) kernel {
    %a = xegpu.create_nd_tdesc %A : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
    %b = xegpu.create_nd_tdesc %B : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
    %c = xegpu.create_nd_tdesc %C : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %va = xegpu.load_nd %a[0, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %vb = xegpu.load_nd %b[0, 0] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
    %d = xegpu.dpas %va, %vb : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
    xegpu.store_nd %d, %c[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
  gpu.func @scale(%A: memref<32xf32>, %f: f32) kernel {
    %c16 = arith.constant 16 : index
    %x = gpu.block_id x
    %i = arith.muli %x, %c16 : index
    %t = xegpu.create_nd_tdesc %A[%i] : memref<32xf32> -> !xegpu.tensor_desc<16xf32>
    %n = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]> : vector<16xf32>
    %v = vector.broadcast %f : f32 to vector<16xf32>
    %r = arith.mulf %n, %v : vector<16xf32>
    xegpu.store_nd %r, %t : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
}
