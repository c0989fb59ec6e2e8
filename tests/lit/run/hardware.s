// What depends on the generation: clocks, where LDS ends, how far ds_bpermute reaches, flags as operands. Each kernel
// stores one dword a lane.
// RUN: %offgrid as -mcpu=gfx803 -D GENERATION=8 %s -o %t.8.o && %offgrid as -mcpu=gfx900 -DGENERATION=9 %s -o %t.9.o
// RUN: %offgrid as -mcpu=gfx1030 -mattr=+wavefrontsize64 -D GENERATION=10 %s -o %t.10.o
// RUN: %offgrid as -mcpu=gfx1100 -mattr=+wavefrontsize64 -D GENERATION=11 %s -o %t.11.o

// Up to gfx8, M0 limits LDS: beyond it loads yield 0 and stores are dropped. Here the limit is 128 of 256 bytes.
// RUN: %offgrid run %t.8.o --kernel limit --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq -c | FileCheck --check-prefix=LIMIT8 %s
// LIMIT8: 32 0
// LIMIT8-NEXT: 32 7
// RUN: %offgrid run %t.9.o --kernel limit --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq -c | FileCheck --check-prefix=LIMIT9 %s
// LIMIT9: 64 7

// It limits flat accesses to LDS and operations from LDS to LDS, too.
// RUN: %offgrid run %t.8.o --kernel flat_limit --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq -c | FileCheck --check-prefix=FLAT8 %s
// FLAT8: 32 7
// FLAT8-NEXT: 32 20
// RUN: %offgrid run %t.9.o --kernel flat_limit --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq -c | FileCheck --check-prefix=FLAT9 %s
// FLAT9: 64 20
// RUN: %offgrid run %t.8.o --kernel src2_limit --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq -c | FileCheck --check-prefix=SRC8 %s
// SRC8: 48 3
// SRC8-NEXT: 16 6
// RUN: %offgrid run %t.9.o --kernel src2_limit --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq -c | FileCheck --check-prefix=SRC9 %s
// SRC9: 16 3
// SRC9-NEXT: 48 6

// LDS is allocated in granules, of 512 bytes there: 260 bytes reach to byte 512 and no further.
// RUN: %offgrid run %t.9.o --kernel granule --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq -c | FileCheck --check-prefix=GRANULE %s
// GRANULE: 64 7
// RUN: %not %offgrid run %t.9.o --kernel beyond --grid 64 --group 64 --arg out:%t.bin:256 2>&1 | FileCheck --check-prefix=BEYOND %s
// BEYOND: error: kernel 'beyond': LDS write of 4 bytes by lane 0 is out of range: the work-group has 512 bytes

// A wave of 64 lanes: from gfx10 on ds_bpermute_b32 stays within 32 of them.
// RUN: %offgrid run %t.9.o --kernel reach --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w128 %t.bin | FileCheck --check-prefix=REACH9 %s
// REACH9: 40 40 40
// REACH9: 40 40 40
// RUN: %offgrid run %t.10.o --kernel reach --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w128 %t.bin | FileCheck --check-prefix=REACH10 %s
// REACH10: 8 8 8
// REACH10: 40 40 40

// Waiting for time to pass ends.
// RUN: %offgrid run %t.9.o --kernel wait --grid 64 --group 64 --arg out:%t.bin:256
// RUN: %offgrid run %t.10.o --kernel wait --grid 64 --group 64 --arg out:%t.bin:256
// RUN: %offgrid run %t.11.o --kernel wait --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq -c | FileCheck --check-prefix=WAITED %s
// WAITED: 64 1

// RUN: %offgrid run %t.9.o --kernel flags --grid 64 --group 64 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w4 %t.bin | sort -n | uniq -c | FileCheck --check-prefix=FLAGS %s
// FLAGS: 64 21

// What is not executed is refused by name.
// RUN: %not %offgrid run %t.9.o --kernel direct --grid 64 --group 64 --arg out:%t.bin:256 2>&1 | FileCheck --check-prefix=DIRECT %s
// DIRECT: error: kernel 'direct': a direct read of LDS with the reserved type 7 in M0, at {{.*}} 'v_mov_b32_e32 v1, src_lds_direct'
// RUN: %not %offgrid run %t.9.o --kernel sorted --grid 64 --group 64 --arg out:%t.bin:256 2>&1 | FileCheck --check-prefix=SORTED %s
// SORTED: error: kernel 'sorted': v_screen_partition_4se_b32 is not executed yet, at {{.*}} 'v_screen_partition_4se_b32_e32 v1, v0'

// v0 is four times the lane's number, s[2:3] the output; what is in v1 in the end is stored there.
.macro begin
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_mov_b32 m0, -1
  v_lshlrev_b32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
.endm
.macro end
.if GENERATION == 8
  v_mov_b32 v3, s3
  v_add_u32 v2, vcc, s2, v0
  v_addc_u32 v3, vcc, 0, v3, vcc
  flat_store_dword v[2:3], v1
.else
  global_store_dword v0, v1, s[2:3]
.endif
  s_endpgm
.endm
.macro kernel name, lds=0, queue=0
  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_user_sgpr_queue_ptr \queue
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_group_segment_fixed_size \lds
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 16
  .end_amdhsa_kernel
  .text
  .p2align 8
\name:
.endm
.text
kernel limit, 256
  begin
  v_mov_b32 v1, 7
  s_movk_i32 m0, 128
  ds_write_b32 v0, v1
  s_waitcnt lgkmcnt(0)
  s_mov_b32 m0, -1
  ds_read_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  end
.if GENERATION <= 9
kernel flat_limit, 256, 1
  s_load_dword s4, s[0:1], 0x40 // amd_queue_t.group_segment_aperture_base_hi
  s_mov_b64 s[0:1], s[2:3]
  begin
  v_mov_b32 v1, 7
  ds_write_b32 v0, v1
  v_mov_b32 v4, v0
  v_mov_b32 v5, s4
  v_mov_b32 v1, 9
  v_mov_b32 v6, 1
  s_movk_i32 m0, 128
  s_waitcnt lgkmcnt(0)
  flat_store_dword v[4:5], v1
  s_waitcnt vmcnt(0) lgkmcnt(0)
  flat_atomic_add v[4:5], v6
  s_waitcnt vmcnt(0) lgkmcnt(0)
  flat_load_dword v1, v[4:5]
  s_mov_b32 m0, -1
  ds_read_b32 v6, v0
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_mad_u32_u24 v1, v1, 1, v6
  end
kernel src2_limit, 256
  begin
  v_mov_b32 v1, 3
  ds_write_b32 v0, v1
  s_waitcnt lgkmcnt(0)
  s_movk_i32 m0, 128
  ds_add_src2_u32 v0 offset:16 // 64 bytes behind
  s_waitcnt lgkmcnt(0)
  s_mov_b32 m0, -1
  ds_read_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  end
.endif
kernel granule, 260
  begin
  v_mov_b32 v1, 7
  ds_write_b32 v0, v1 offset:256
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v1, v0 offset:256
  s_waitcnt lgkmcnt(0)
  end
kernel beyond, 260
  begin
  ds_write_b32 v0, v0 offset:512
  end
kernel reach
  begin
  v_lshrrev_b32 v1, 2, v0
  v_mov_b32 v2, 40*4
  ds_bpermute_b32 v1, v2, v1
  s_waitcnt lgkmcnt(0)
  end
kernel wait
  begin
  s_mov_b32 s8, 0
.if GENERATION == 11
  s_sendmsg_rtn_b64 s[4:5], sendmsg(MSG_RTN_GET_REALTIME)
1:
  s_sendmsg_rtn_b64 s[6:7], sendmsg(MSG_RTN_GET_REALTIME)
  s_waitcnt lgkmcnt(0)
  s_sub_u32 s6, s6, s4
  s_cmp_lt_u32 s6, 10
  s_cbranch_scc1 1b
.endif
.if GENERATION >= 10
  s_getreg_b32 s4, hwreg(HW_REG_SHADER_CYCLES)
2:
  s_getreg_b32 s6, hwreg(HW_REG_SHADER_CYCLES)
  s_sub_u32 s6, s6, s4
  s_and_b32 s6, s6, 0xfffff
  s_cmp_lt_u32 s6, 100
  s_cbranch_scc1 2b
.else
  s_memtime s[4:5]
3:
  s_memtime s[6:7]
  s_waitcnt lgkmcnt(0)
  s_sub_u32 s6, s6, s4
  s_cmp_lt_u32 s6, 100
  s_cbranch_scc1 3b
.endif
  v_mov_b32 v1, 1
  end
.if GENERATION == 9
kernel flags
  begin
  s_mov_b64 vcc, 0
  s_add_u32 s4, src_vccz, 10
  s_mov_b64 vcc, 1
  s_add_u32 s4, src_vccz, s4
  v_mov_b32 v1, src_execz
  v_add_u32 v1, s4, v1
  s_cmp_eq_u32 s4, 11
  v_add_u32 v1, src_scc, v1
  v_add_u32 v1, 9, v1
  end
kernel direct
  begin
  s_mov_b32 m0, -1
  v_mov_b32 v1, src_lds_direct
  end
kernel sorted
  begin
  v_screen_partition_4se_b32 v1, v0
  end
.endif
