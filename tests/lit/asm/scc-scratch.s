// A load to LDS may have as many operands: scc is a modifier there, which only gfx90a has.
// RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx1030 %s 2>&1 | FileCheck %s
// CHECK: :4:29: error: scc modifier is not supported on this GPU
scratch_load_dword v1, off, scc
