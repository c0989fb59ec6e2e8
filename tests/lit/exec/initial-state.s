// What registers hold when a kernel starts, where generations differ.
// RUN: %offgrid as -mcpu=gfx90a -D PACKED=1 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel k --grid 4,2 --group 4,2 --arg out:%t.x:32 && od -An -v -tx4 -w32 %t.x | FileCheck %s --check-prefix=X
// RUN: %offgrid as -mcpu=gfx1100 -D PACKED=1 -D ITEMS=0 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel k --grid 4,2 --group 4,2 --arg out:%t.x:32 && od -An -v -tx4 -w32 %t.x | FileCheck %s --check-prefix=X
// RUN: %offgrid as -mcpu=gfx1100 -D PACKED=1 -D ITEMS=1 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel k --grid 4,2 --group 4,2 --arg out:%t.x:32 && od -An -v -tx4 -w32 %t.x | FileCheck %s --check-prefix=XY
// Work-items whose kernel asks for x alone find x in v0, whatever the group's shape; else y stands above it.
//  X: 00000000 00000001 00000002 00000003 00000000 00000001 00000002 00000003
// XY: 00000000 00000001 00000002 00000003 00000400 00000401 00000402 00000403

// After all user SGPRs stands the work-group info: waves of the group. gfx12.5 has 32 of them, and six bits to say so.
// RUN: %offgrid as -mcpu=gfx1200 -D INFO=16 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel k --grid 96 --group 96 --arg out:%t.x:4 && od -An -v -tx4 %t.x | FileCheck %s --check-prefix=WAVES
// RUN: %offgrid as -mcpu=gfx1250 -D INFO=32 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel k --grid 96 --group 96 --arg out:%t.x:4 && od -An -v -tx4 %t.x | FileCheck %s --check-prefix=WAVES
// RUN: %offgrid info %t.co | FileCheck %s --check-prefix=SAID
// WAVES: 00000003
//  SAID: registers {{.*}}s[0:1] kernarg segment pointer, {{.*}}s32 work-group info, ttmp8[29:25] wave id in the work-group

// A kernel that preloads arguments starts after the 256 bytes that load them where nothing preloads.
// RUN: %offgrid as -mcpu=gfx942 -D PRELOAD=1 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel k --grid 1 --group 1 --arg out:%t.x:4 --arg i32:42 && od -An -v -td4 %t.x | FileCheck %s --check-prefix=FORTYTWO
// FORTYTWO: 42

// gfx12.5 has no waves of 64.
// RUN: %offgrid as -mcpu=gfx1250 -D INFO=32 -D WAVE64=1 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: not %offgrid run %t.co --kernel k --grid 96 --group 96 --arg out:%t.x:4 2>&1 | FileCheck %s --check-prefix=NO64
// NO64: waves of 64; gfx1250 has only waves of 32
.text
.globl k
.p2align 8
.type k,@function
k:
.ifdef PACKED
.if .amdgcn.gfx_generation_number >= 10
  s_load_b64 s[4:5], s[0:1], 0x0
  v_mbcnt_lo_u32_b32 v2, -1, 0
  v_lshlrev_b32_e32 v2, 2, v2
  s_waitcnt lgkmcnt(0)
  global_store_b32 v2, v0, s[4:5]
.else
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mbcnt_lo_u32_b32 v2, -1, 0
  v_lshlrev_b32_e32 v2, 2, v2
  s_waitcnt lgkmcnt(0)
  global_store_dword v2, v0, s[4:5]
.endif
  s_endpgm
.endif
.ifdef INFO
  s_load_b64 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v0, s[INFO]
  s_wait_kmcnt 0x0
  global_store_b32 v1, v0, s[4:5]
  s_endpgm
.endif
.ifdef PRELOAD
  s_trap 2
  .p2align 8
  v_mov_b32_e32 v0, 0
  v_mov_b32_e32 v1, s4
  global_store_dword v0, v1, s[2:3]
  s_endpgm
.endif

.section .rodata,"a",@progbits
.p2align 6
.macro descriptor first, value, second, other
.amdhsa_kernel k
  .amdhsa_kernarg_size 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 40
  .amdhsa_\first \value
  .amdhsa_\second \other
.end_amdhsa_kernel
.endm
.ifdef PRELOAD
  descriptor accum_offset, 4, user_sgpr_kernarg_preload_length, 3
.elseif .amdgcn.gfx_generation_number == 9
  descriptor accum_offset, 4, system_vgpr_workitem_id, 0
.endif
.ifdef ITEMS
  descriptor system_vgpr_workitem_id, ITEMS, system_sgpr_workgroup_id_y, 0
.endif
.ifdef INFO
.ifdef WAVE64
  descriptor wavefront_size32, 0, system_sgpr_workgroup_info, 1
.else
  descriptor user_sgpr_count, INFO, system_sgpr_workgroup_info, 1
.endif
.endif

.ifdef PRELOAD
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 40
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.name: v, .size: 4, .offset: 8, .value_kind: by_value}
...
.end_amdgpu_metadata
.else
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 40
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
.endif
