// Names in code: where branches lead to, several at one place, data between instructions, a descriptor of version 2.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o
// RUN: %offgrid objdump -d %t.o | FileCheck %s
// CHECK: <first>:
// CHECK-NEXT: s_branch loop // 000000000000: BF820000{{$}}
// CHECK: <loop>:
// CHECK-NEXT: s_cbranch_scc0 3 // 000000000004: BF840003 <table+0xc>
// CHECK: <table>:
// CHECK-NEXT: 8: 6f 66 66 67 72 69 64 00 offgrid.

// RUN: %offgrid objdump -d --symbolize-operands %t.o | FileCheck --check-prefix=LABELS %s
// LABELS: <loop>:
// LABELS-NEXT: s_cbranch_scc0 L1 // 000000000004: BF840003{{$}}
// LABELS: <L1>:
// LABELS-NEXT: s_branch L0

// RUN: %offgrid objdump -d -h -t --adjust-vma=0x1000 %t.o | FileCheck --check-prefix=MOVED %s
// MOVED: .text {{.*}} 0000000000001000 TEXT
// MOVED: 0000000000001004 l .text {{.*}} loop
// MOVED: 0000000000001000 <first>:
// MOVED-NEXT: s_branch 0 // 000000001000: BF820000 <loop>
// RUN: %not %offgrid objdump -d --adjust-vma=x %t.o 2>&1 | FileCheck --check-prefix=NUMBER %s
// NUMBER: --adjust-vma takes a number, not 'x'

// RUN: %offgrid objdump -d --disassemble-symbols=also,absent %t.o 2>&1 | FileCheck --check-prefix=ASKED %s
// ASKED-DAG: <also>:
// ASKED-DAG: warning: {{.*}}: failed to disassemble missing symbol absent
// ASKED-NOT: <loop>

// A kernel of version 2 has a header of 256 bytes, whatever else is named there.
// RUN: %offgrid as -mcpu=gfx900 --defsym OLD=1 %s -o %t.2.o && %offgrid objdump -d %t.2.o | FileCheck --check-prefix=OLD %s
// OLD: 0000000000000000 <kernel_alias>:
// OLD-NEXT: s_endpgm // 000000000100: BF810000
.text
.ifdef OLD
.hsa_code_object_version 2,1
.hsa_code_object_isa 9,0,0,"AMD","AMDGPU"
.amdgpu_hsa_kernel kernel
kernel:
kernel_alias:
.amd_kernel_code_t
  wavefront_sgpr_count = 8
.end_amd_kernel_code_t
s_endpgm
.else
.type also,@function
also:
.type first,@function
first:
  s_branch loop
loop:
  s_cbranch_scc0 .Lbehind
.type table,@object
table: .asciz "offgrid"
  .long 0
.Lbehind:
  s_branch first
.endif
