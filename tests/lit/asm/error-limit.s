// A flood of errors in repetitions ends soon: after 10,000 of them nothing more is read.
// RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx900 -filetype=null %s 2>%t.err
// RUN: grep -c ' error: ' %t.err | FileCheck %s
// CHECK: {{^}}10000{{$}}
.rept 1000000
.rept 1000
v_bad
.endr
.endr
