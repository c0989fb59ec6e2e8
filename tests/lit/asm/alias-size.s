// An alias has the size of what it stands for, or of the nearest name in its chain that has one, and the stronger type.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid readobj --symbols %t.o | FileCheck %s
.globl f
.type f,@function
f:
  s_endpgm
.size f, 4
.set alias, f
.set behind, f+4
.set object, f
.type object,@object
.set shorter, f
.size shorter, 1
.set chained, shorter
.set early, late
.type late,@object
late:
  .long 0
.size late, 4
.set number, 5
.set redefined, f
.set redefined, late
// CHECK: Name: alias
// CHECK: Size: 4
// CHECK: Type: Function
// CHECK: Name: behind
// CHECK: Size: 4
// CHECK: Name: object
// CHECK: Size: 4
// CHECK: Type: Function
// CHECK: Name: shorter
// CHECK: Size: 1
// CHECK: Name: chained
// CHECK: Size: 1
// CHECK: Name: early
// CHECK: Size: 4
// CHECK: Type: Object
// CHECK: Name: number
// CHECK: Size: 0
// CHECK: Name: redefined
// CHECK: Size: 4
// CHECK: Type: Object
