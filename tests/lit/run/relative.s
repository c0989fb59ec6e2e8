// Moves from and to registers that M0 chooses, with modifiers (DPP, SDWA) - what v_mov_b32 of those registers does with them. Both
// results of each lane are stored side by side; equal pairs and the sum of all are counted.
// RUN: %offgrid as -mcpu=gfx1030 -D SDWA=1 %s -o %t.10.o && %offgrid as -mcpu=gfx1100 -D SDWA=0 %s -o %t.11.o
// RUN: %offgrid run %t.10.o --kernel dpp --grid 32 --group 32 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w8 %t.bin | awk '{ same += $1 == $2; sum += $1 } END { print same, sum }' | FileCheck --check-prefix=DPP %s
// RUN: %offgrid run %t.11.o --kernel dpp --grid 32 --group 32 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w8 %t.bin | awk '{ same += $1 == $2; sum += $1 } END { print same, sum }' | FileCheck --check-prefix=DPP %s
// DPP: 32 {{[1-9][0-9]+}}
// RUN: %offgrid run %t.10.o --kernel sdwa --grid 32 --group 32 --arg out:%t.bin:256
// RUN: od -An -v -td4 -w8 %t.bin | awk '{ same += $1 == $2; sum += $1 } END { print same, sum }' | FileCheck --check-prefix=SDWA %s
// SDWA: 32 {{[1-9][0-9]+}}
// RUN: %not %offgrid run %t.10.o --kernel beyond --grid 32 --group 32 --arg out:%t.bin:256 2>&1 | FileCheck --check-prefix=BEYOND %s
// BEYOND: error: kernel 'beyond': VGPR index in m0 (0x400) is out of range

.macro kernel name
  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 32
    .amdhsa_next_free_sgpr 16
  .end_amdhsa_kernel
  .text
  .p2align 8
\name:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_and_b32 v0, 0x3ff, v0
  v_mul_u32_u24 v8, 0x10101, v0    // v8, v9, v11 and v12: of the lane's number, all different
  v_add_nc_u32 v9, 0x305, v8
  v_add_nc_u32 v11, 0x4307, v8
  v_mul_u32_u24 v12, 0x1003, v0
  v_mov_b32 v16, 77
  v_mov_b32 v17, 78
  v_mov_b32 v18, 77
  v_mov_b32 v19, 78
  s_mov_b32 m0, 3
  s_waitcnt lgkmcnt(0)
.endm
.macro end
  v_lshlrev_b32 v0, 3, v0
  global_store_dwordx2 v0, v[2:3], s[2:3]
  s_endpgm
.endm
.text
kernel dpp
  v_movrels_b32_dpp v2, v8 quad_perm:[3,0,2,1] row_mask:0xf bank_mask:0xf      // v11
  v_mov_b32_dpp v3, v11 quad_perm:[3,0,2,1] row_mask:0xf bank_mask:0xf
  v_movreld_b32_dpp v13, v9 row_shr:1 row_mask:0xf bank_mask:0xf               // v16, of which lanes keep what they have
  v_mov_b32_dpp v18, v9 row_shr:1 row_mask:0xf bank_mask:0xf
  v_movrelsd_b32_dpp v14, v9 row_ror:5 row_mask:0x5 bank_mask:0xb              // v17 from v12
  v_mov_b32_dpp v19, v12 row_ror:5 row_mask:0x5 bank_mask:0xb
  v_add3_u32 v2, v2, v16, v17
  v_add3_u32 v3, v3, v18, v19
  end
.if SDWA
kernel sdwa
  v_movrels_b32_sdwa v2, v8 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_mov_b32_sdwa v3, v11 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_1
  v_movreld_b32_sdwa v13, v9 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
  v_mov_b32_sdwa v18, v9 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
  v_add_nc_u32 v2, v2, v16
  v_add_nc_u32 v3, v3, v18
  end
.endif
kernel beyond
  s_movk_i32 m0, 0x400
  v_movrels_b32_dpp v2, v8 quad_perm:[3,0,2,1] row_mask:0xf bank_mask:0xf
  end
