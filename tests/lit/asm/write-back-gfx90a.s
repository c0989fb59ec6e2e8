// The bits of gfx90a's buffer_wbl2 have no text; on gfx942 they have.
// RUN: not %offgrid mc -arch=amdgcn -mcpu=gfx90a -show-encoding %s 2>&1 | FileCheck %s
// RUN: %offgrid mc -arch=amdgcn -mcpu=gfx942 -show-encoding --defsym=GFX942=1 %s | FileCheck --check-prefix=GFX942 %s
.ifndef GFX942
// CHECK-DAG: buffer_wbl2 {{.*}}[0x00,0x00,0xa0,0xe0,0x00,0x00,0x00,0x00]
buffer_wbl2
// CHECK-DAG: [[#@LINE+1]]:13: error: invalid operand for instruction
buffer_wbl2 scc
// CHECK-DAG: [[#@LINE+1]]:13: error: invalid operand for instruction
buffer_wbl2 glc
.else
// GFX942: buffer_wbl2 sc0 sc1
buffer_wbl2 sc1 sc0
.endif
