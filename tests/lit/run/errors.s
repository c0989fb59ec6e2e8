// What a kernel or its caller can do wrong ends in one error that says where and what.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel store --grid 64 --group 64 --arg out:%t.bin:256 --arg u32:7
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq -c | FileCheck --check-prefix=STORED %s
// STORED: 64 7

// RUN: %not %offgrid run %t.co --kernel store --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck --check-prefix=COUNT %s
// COUNT: error: kernel 'store' takes 2 arguments (out: global_buffer, value: by_value 4 bytes), 1 given

// RUN: %not %offgrid run %t.co --kernel store --grid 64 --group 64 --arg buf:256 --arg i64:7 2>&1 | FileCheck --check-prefix=SIZE %s
// SIZE: error: argument 2 of kernel 'store', value is by_value of 4 bytes; i64:7 does not fit it

// RUN: %not %offgrid run %t.co --kernel store --grid 64 --group 64 --arg buf:256 --arg u8:300 2>&1 | FileCheck --check-prefix=RANGE %s
// RANGE: error: --arg u8:300: expected a number that fits u8

// RUN: %not %offgrid run %t.co --kernel store --grid 64 --group 64 --arg what:256 2>&1 | FileCheck --check-prefix=KIND %s
// KIND: error: --arg what:256: expected TYPE:NUMBER, struct:HEX, buf:BYTES, in:FILE, out:FILE:BYTES, inout:FILE or lds:BYTES

// RUN: %not %offgrid run %t.co --kernel stor --grid 64 --group 64 2>&1 | FileCheck --check-prefix=NAME %s
// NAME: error: no kernel 'stor'; there are store, spin

// RUN: %not %offgrid run %t.co --kernel store --grid 64 --group 64 --arg buf:128 --arg u32:7 2>&1 | FileCheck --check-prefix=WILD %s
// WILD: error: kernel 'store': {{.*}} at store+0x{{[0-9a-f]+}} 'global_store_dword v0, v1, s[2:3]', address 0x

// RUN: %not %offgrid run %t.co --kernel store --grid 4096 --group 2048 --arg buf:252 --arg u32:7 2>&1 | FileCheck --check-prefix=GROUP %s
// GROUP: error: kernel 'store': work-group of 2048 work-items; at most 1024 are possible

// RUN: %not %offgrid run %t.co --kernel store --grid 64 --group 64 --lds 70000 --arg buf:256 --arg u32:7 2>&1 | FileCheck --check-prefix=LDS %s
// LDS: error: kernel 'store': 70000 bytes of LDS asked for; gfx900 has 65536

// RUN: %not %offgrid run %t.co --kernel spin --grid 64 --group 64 --timeout 0.1 2>&1 | FileCheck --check-prefix=SPIN %s
// SPIN: error: kernel 'spin': still running after 0.1 seconds (--timeout)

// RUN: %not %offgrid run %t.co -mcpu=gfx906 --kernel spin --grid 64 --group 64 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: error: the code is for gfx900, not for gfx906

// RUN: %offgrid run %t.o --kernel store --grid 64 --group 64 --arg out:%t.bin:256 --arg u32:9
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq -c | FileCheck --check-prefix=LINKED %s
// LINKED: 64 9

// RUN: %not %offgrid run %t.co --kernel spin --grid 64,0 --group 64 2>&1 | FileCheck --check-prefix=ZERO %s
// ZERO: offgrid run: --grid: '64,0': expected X[,Y[,Z]], work-items in each dimension, 1 to 4294967295

// RUN: %not %offgrid run %t.co --grid 64 --group 64 2>&1 | FileCheck --check-prefix=MISSING %s
// MISSING: error: --kernel NAME is expected; there are store, spin

// RUN: %not %offgrid run /dev/null --kernel k --grid 64 --group 64 2>&1 | FileCheck --check-prefix=EMPTY %s
// EMPTY: /dev/null: error: expected a code object, AMDGPU assembly, or a file that carries code objects
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl store
.p2align 8
.type store,@function
store:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_load_dword s4, s[0:1], 0x8
  v_lshlrev_b32_e32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v1, s4
  global_store_dword v0, v1, s[2:3]
  s_endpgm
.globl spin
.p2align 8
.type spin,@function
spin:
  s_branch spin

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel store
  .amdhsa_kernarg_size 12
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 5
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel spin
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 1
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: store
    .symbol: store.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 11
    .vgpr_count: 2
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.name: value, .size: 4, .offset: 8, .value_kind: by_value}
  - .name: spin
    .symbol: spin.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 4
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 7
    .vgpr_count: 1
    .max_flat_workgroup_size: 1024
...
.end_amdgpu_metadata
