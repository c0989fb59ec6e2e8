// What one object leaves open (xnack any) another may settle; what they contradict each other in is an error.
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx90a -defsym=N=1 -filetype=obj %s -o %t.any.o
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx90a -mattr=+xnack -defsym=N=2 -filetype=obj %s -o %t.on.o
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx90a -mattr=-xnack,+sramecc -defsym=N=3 -filetype=obj %s -o %t.off.o
// RUN: %offgrid ld %t.any.o %t.on.o -o %t.co && llvm-readelf -h %t.co | FileCheck --check-prefix=ON %s
// RUN: %offgrid ld %t.on.o %t.any.o -o %t.co && llvm-readelf -h %t.co | FileCheck --check-prefix=ON %s
// RUN: %offgrid ld %t.any.o %t.off.o -o %t.co && llvm-readelf -h %t.co | FileCheck --check-prefix=OFF %s
// RUN: %offgrid ld -r %t.any.o %t.off.o -o %t.o && llvm-readelf -h %t.o | FileCheck --check-prefix=OFF %s
// RUN: %not %offgrid ld %t.any.o %t.on.o %t.off.o -o %t.co 2>&1 | FileCheck --check-prefix=BOTH %s
// ON: Flags: {{.*}}gfx90a, xnack+, sramecc
// OFF: Flags: {{.*}}gfx90a, xnack-, sramecc+
// BOTH: off.o: error: incompatible xnack: e_flags
.if N == 1
a: s_nop 0
.endif
s_endpgm
