// A .loc before amd_kernel_code_t is that structure's, as of data.
// RUN: %offgrid as -mcpu=gfx900 -mcode-object-version=2 %s -o %t.o && llvm-dwarfdump --debug-line %t.o | FileCheck %s
.hsa_code_object_version 2,1
.hsa_code_object_isa
.file 1 "a.cl"
.amdgpu_hsa_kernel k
k:
.loc 1 9 0
.amd_kernel_code_t
.end_amd_kernel_code_t
.loc 1 10 0
s_endpgm
// CHECK: 0x0000000000000000{{ +}}9{{ +}}0
// CHECK: 0x0000000000000100{{ +}}10{{ +}}0
