// The registers of a PAL pipeline's metadata by name, in both its notes, which are llvm-mc's.
// RUN: %offgrid as -triple=amdgcn-amd-amdpal -mcpu=gfx900 %s -o %t.o
// RUN: llvm-mc -triple amdgcn-amd-amdpal -mcpu=gfx900 -filetype=obj %s -o %t.llvm.o
// RUN: cmp %t.o %t.llvm.o
// RUN: %offgrid info %t.o | FileCheck %s
// RUN: %offgrid info --json %t.o | %python -c "import json,sys; c=json.load(sys.stdin); print(*(r for r in c['pal_registers']), sep='\n')" | FileCheck --check-prefix=JSON %s
// What llvm-mc prints, with names in the keys, makes the same object.
// RUN: llvm-mc -triple amdgcn-amd-amdpal -mcpu=gfx900 %s -o %t.printed.s
// RUN: FileCheck --check-prefix=NAMES %s < %t.printed.s
// RUN: %offgrid mc -triple=amdgcn-amd-amdpal -mcpu=gfx900 %s -o %t.listed.s && cmp %t.listed.s %t.printed.s
// RUN: %offgrid as -triple=amdgcn-amd-amdpal -mcpu=gfx900 %t.printed.s -o %t.again.o
// RUN: cmp %t.again.o %t.o
// The older note: registers ascending, values of one register or'ed, over all directives, and those of a document before.
// RUN: %offgrid as -triple=amdgcn-amd-amdpal -mcpu=gfx900 -D OLDER %s -o %t.older.o
// RUN: llvm-mc -triple amdgcn-amd-amdpal -mcpu=gfx900 -filetype=obj --defsym OLDER=1 %s -o %t.older.llvm.o
// RUN: cmp %t.older.o %t.older.llvm.o
// RUN: %offgrid info %t.older.o | FileCheck --check-prefix=OLDER %s
// RUN: %offgrid as -triple=amdgcn-amd-amdpal -mcpu=gfx900 -D OLDER --show-encoding %s | FileCheck --check-prefix=LIST %s
// RUN: not %offgrid as -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -D OLDER %s -o %t.none.o 2>&1 | FileCheck --check-prefix=HSA %s

// CHECK: .note AMDGPU NT_AMDGPU_METADATA
// CHECK: PAL registers
// CHECK-NEXT: 0x2c0c = 0x10000000 SPI_SHADER_USER_DATA_PS_0 global internal table
// CHECK-NEXT: 0x2c2b = 0x00000000 SPI_SHADER_USER_DATA_PS_31 as the pipeline maps it
// CHECK-NEXT: 0x2c2c = 0x00000000{{$}}
// CHECK-NEXT: 0x2d4d = 0x00000003 SPI_SHADER_USER_DATA_LS_1 as the pipeline maps it
// CHECK-NEXT: 0x2e12 = 0x002c0042 COMPUTE_PGM_RSRC1{{$}}
// CHECK-NEXT: 0x2e40 = 0x10000000 COMPUTE_USER_DATA_0 global internal table
// CHECK-NEXT: 0x2e41 = 0x10000001 COMPUTE_USER_DATA_1 per-shader internal table
// CHECK-NEXT: 0x2e42 = 0x00000000 COMPUTE_USER_DATA_2 application's user data
// CHECK-NEXT: 0x2e4b = 0x00000009 COMPUTE_USER_DATA_11 application's user data
// CHECK-NEXT: 0x2e4c = 0x10000002 COMPUTE_USER_DATA_12 spill table
// CHECK-NEXT: 0x2e4e = 0x00000000 COMPUTE_USER_DATA_14 thread group count
// CHECK-NEXT: 0x2e4f = 0x00000000 COMPUTE_USER_DATA_15 GDS range
// CHECK-NEXT: 0x2e50 = 0x00000000 COMPUTE_USER_DATA_16{{ *$}}

// JSON: {'register': 11276, 'value': 268435456, 'stage': 'SPI_SHADER_USER_DATA_PS', 'index': 0, 'use': 'global internal table'}
// JSON: {'register': 11794, 'value': 2883650, 'name': 'COMPUTE_PGM_RSRC1'}

// NAMES: '0x2c0c (SPI_SHADER_USER_DATA_PS_0)'
// NAMES: '0x2c2b (SPI_SHADER_USER_DATA_PS_31)'
// NAMES: '0x2d4d (SPI_SHADER_USER_DATA_LS_1)'
// NAMES: '0x2e4f (COMPUTE_USER_DATA_15)'

// OLDER: .note AMD NT_AMD_PAL_METADATA
// OLDER: 0x2c0c = 0x10000005 SPI_SHADER_USER_DATA_PS_0
// OLDER: 0x2e12 = 0x002c0043
// OLDER: 0x2e48 = 0x00000003 COMPUTE_USER_DATA_8 application's user data
// OLDER: 0x10000033 = 0x00000007
// LIST: .amd_amdgpu_pal_metadata 0x2c0c,0x10000005,0x2c2b,0x0,
// HSA: error: .amd_amdgpu_pal_metadata directive is not available on non-amdpal OSes

.amdgpu_pal_metadata
---
amdpal.version: [2, 1]
amdpal.pipelines:
  - .name: first
    .registers:
      0x2e12: 0x2c0042
      0x2e40: 0x10000000
      0x2e41: 0x10000001
      0x2e42: 0
      0x2e4b: 9
      0x2e4c: 0x10000002
      0x2e4e: 0
      0x2e4f: 0
      0x2e50: 0
      0x2c0c: 0x10000000
      0x2c2b: 0
      0x2c2c: 0
      0x2d4d: 3
  - .name: second
...
.end_amdgpu_pal_metadata
.ifdef OLDER
.amd_amdgpu_pal_metadata 0x10000033, 7, 0x2e12, 1, 0x2e48, 1
.amd_amdgpu_pal_metadata 0x2c0c, 5, 0x2e48, 2
.endif
