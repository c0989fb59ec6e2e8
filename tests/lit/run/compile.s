// Compiled code: the same results, counts and faults, in the sandbox and beside observers.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --no-compile --kernel sum --grid 300 --group 100 --arg out:%t.1:1200 --arg buf:4096
// RUN: %offgrid run %t.co --compile --kernel sum --grid 300 --group 100 --arg out:%t.2:1200 --arg buf:4096 && cmp %t.1 %t.2
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --kernel sum --grid 300 --group 100 --arg out:%t.3:1200 --arg buf:4096 && cmp %t.1 %t.3
// RUN: env OFFGRID_COMPILE=always OFFGRID_HOST=avx2 %offgrid run %t.co --threads 2 --kernel sum --grid 300 --group 100 --arg out:%t.4:1200 --arg buf:4096 && cmp %t.1 %t.4
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --threads 3 --kernel sum --grid 3000 --group 100 --arg buf:12000 --arg buf:4096
// RUN: od -An -v -tu4 -w4 %t.1 | sort -n | uniq -c | FileCheck %s
// CHECK: 1 30
// CHECK-NEXT: 1 40
// CHECK: 1 3020

// Code for what was seen alone, and compiled anew for what comes later.
// RUN: env OFFGRID_COMPILE=seen %offgrid run %t.co --kernel sum --grid 300 --group 100 --arg out:%t.9:1200 --arg buf:4096 && cmp %t.1 %t.9

// How much was compiled.
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --compile-stats --kernel sum --grid 300 --group 100 --arg buf:1200 --arg buf:4096 | FileCheck --check-prefix=COMPILED %s
// COMPILED: compiled: {{[1-9][0-9]*}} operations in {{[1-9][0-9]*}} blocks, {{[1-9][0-9]*}} bytes of host code, {{[0-9.]+}} ms, {{[0-9.]+}} us each
// RUN: %offgrid run %t.co --compile-stats --no-compile --kernel sum --grid 300 --group 100 --arg buf:1200 --arg buf:4096 | FileCheck --check-prefix=NONE %s
// NONE: compiled: 0 operations in 0 blocks, 0 bytes of host code, 0.000 ms, 0.00 us each

// RUN: %not %offgrid run %t.co --compile-stats --stats=json --kernel sum --grid 300 --group 100 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: --compile-stats and --stats cannot be combined: what is counted is interpreted

// Statistics count what is interpreted.
// RUN: %offgrid run %t.co --stats --no-compile --kernel sum --grid 300 --group 100 --arg buf:1200 --arg buf:4096 | grep -v "instructions/s" | sed "s/, [0-9.]* s$//" > %t.5
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --stats --kernel sum --grid 300 --group 100 --arg buf:1200 --arg buf:4096 | grep -v "instructions/s" | sed "s/, [0-9.]* s$//" > %t.6
// RUN: diff %t.5 %t.6
// RUN: env OFFGRID_COMPILE=always %offgrid check %t.co --kernel sum --grid 300 --group 100 --arg buf:1200 --arg buf:4096

// The fault names the same lane, place and address where one access alone goes astray.
// RUN: %not %offgrid run %t.co --no-compile --kernel sum --grid 300 --group 100 --arg buf:1200 --arg u64:8192 2>&1 | sed 's/[0-9]\{12,\}//; s/0x[0-9a-f]\{8,\}//g; s/buffer of [0-9]* bytes//' > %t.7
// RUN: %not env OFFGRID_COMPILE=always %offgrid run %t.co --kernel sum --grid 300 --group 100 --arg buf:1200 --arg u64:8192 2>&1 | sed 's/[0-9]\{12,\}//; s/0x[0-9a-f]\{8,\}//g; s/buffer of [0-9]* bytes//' > %t.8
// RUN: diff %t.7 %t.8 && FileCheck --check-prefix=FAULT %s < %t.8
// FAULT: error: kernel 'sum': read of 4 bytes by lane {{[0-9]+}} is outside every buffer:{{.*}}at sum+0x{{.*}}global_load_dword

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl sum
.p2align 8
.type sum,@function
sum: // ten times the item, ten rounds of what a buffer of zeros holds, and 3 each round
  s_load_dwordx4 s[8:11], s[4:5], 0x0
  s_mul_i32 s6, s6, 100
  v_add_u32 v5, s6, v0
  v_lshlrev_b32 v1, 2, v0
  v_lshlrev_b32 v6, 2, v5
  v_mov_b32 v2, 0
  s_movk_i32 s12, 10
  s_mov_b32 s13, 0
  s_waitcnt lgkmcnt(0)
round:
  v_add_u32 v3, s13, v1
  global_load_dword v4, v3, s[10:11]
  s_add_i32 s13, s13, 16
  s_waitcnt vmcnt(0)
  v_add3_u32 v2, v2, v5, v4
  v_add_u32 v2, 3, v2
  s_sub_i32 s12, s12, 1
  s_cmp_lg_u32 s12, 0
  s_cbranch_scc1 round
  global_store_dword v6, v2, s[8:9]
  s_endpgm
.size sum, .-sum
.rodata
.p2align 6
.amdhsa_kernel sum
  .amdhsa_user_sgpr_dispatch_ptr 1
  .amdhsa_user_sgpr_queue_ptr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: sum
    .symbol: sum.kd
    .kernarg_segment_size: 16
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
