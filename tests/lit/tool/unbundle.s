// Everything that clang-offload-bundler makes of a host object and two code objects gives them back.
// RUN: llvm-mc -triple x86_64-linux-gnu -filetype=obj /dev/null -o %t.host.o
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.1.o
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx906 -mattr=+xnack -filetype=obj %s -o %t.2.o
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: clang-offload-bundler-22 -type=bc -targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa--gfx900,hipv4-amdgcn-amd-amdhsa--gfx906:xnack+ -input=%t.host.o -input=%t.1.o -input=%t.2.o -output=%t.plain -bundle-align=4096
// RUN: clang-offload-bundler-22 -type=bc -compress -targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa--gfx900,hipv4-amdgcn-amd-amdhsa--gfx906:xnack+ -input=%t.host.o -input=%t.1.o -input=%t.2.o -output=%t.packed
// RUN: clang-offload-bundler-22 -type=o -targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa--gfx900,hipv4-amdgcn-amd-amdhsa--gfx906:xnack+ -input=%t.host.o -input=%t.1.o -input=%t.2.o -output=%t.object.o
// RUN: %offgrid unbundle %t.plain -o %t.d | FileCheck %s
// RUN: cmp %t.1.o %t.d/1-hip-amdgcn-amd-amdhsa--gfx900.hsaco
// RUN: cmp %t.2.o %t.d/2-hipv4-amdgcn-amd-amdhsa--gfx906_xnack+.hsaco
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %offgrid unbundle %t.packed -o %t.d | FileCheck %s
// RUN: cmp %t.1.o %t.d/1-hip-amdgcn-amd-amdhsa--gfx900.hsaco
// RUN: cmp %t.2.o %t.d/2-hipv4-amdgcn-amd-amdhsa--gfx906_xnack+.hsaco
// In an object each has a section of its own.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %offgrid unbundle %t.object.o -o %t.d | FileCheck --check-prefix=OBJECT %s
// RUN: cmp %t.1.o %t.d/1-hip-amdgcn-amd-amdhsa--gfx900.hsaco
// RUN: cmp %t.2.o %t.d/2-hipv4-amdgcn-amd-amdhsa--gfx906_xnack+.hsaco
// RUN: %offgrid info %t.object.o | FileCheck --check-prefix=INFO %s

// CHECK: 0-host-x86_64-unknown-linux-gnu-.hsaco
// CHECK: hip-amdgcn-amd-amdhsa--gfx900,
// CHECK: hipv4-amdgcn-amd-amdhsa--gfx906:xnack+,
// OBJECT: hip-amdgcn-amd-amdhsa--gfx900,
// OBJECT: hipv4-amdgcn-amd-amdhsa--gfx906:xnack+,
// INFO: target amdgcn-amd-amdhsa--gfx900
// INFO: target amdgcn-amd-amdhsa--gfx906:xnack+
s_endpgm
