// Lanes read lanes: some are not active, addresses wrap and have an offset, and each host level does it its own way.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: env OFFGRID_HOST=baseline %offgrid run %t.co --kernel read --grid 64 --group 64 --arg out:%t.1:256 && od -v -An -tu4 -w32 %t.1 | FileCheck %s
// RUN: env OFFGRID_HOST=avx2 %offgrid run %t.co --kernel read --grid 64 --group 64 --arg out:%t.2:256 && cmp %t.1 %t.2
// RUN: env OFFGRID_HOST=avx512 %offgrid run %t.co --kernel read --grid 64 --group 64 --arg out:%t.3:256 && cmp %t.1 %t.3
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --kernel read --grid 64 --group 64 --arg out:%t.4:256 && cmp %t.1 %t.4
// Lane i has 1000 + i; lanes but 8 to 11 and 62 read lane 5 i + 2, modulo 64: 8 to 11 and 62 have nothing to read, and keep 7.
// CHECK: 1002 1007 1012 1017 1022 1027 1032 1037
// CHECK-NEXT: 7 7 7 7 0 1003 0 1013
// CHECK-NEXT: 1018 1023 1028 1033 1038 1043 1048 1053
// CHECK-NEXT: 1058 1063 1004 0 1014 1019 1024 1029
// CHECK-NEXT: 1034 1039 1044 1049 1054 1059 1000 1005
// CHECK-NEXT: 0 1015 1020 1025 1030 1035 1040 1045
// CHECK-NEXT: 1050 1055 1060 1001 1006 0 1016 1021
// CHECK-NEXT: 1026 1031 1036 1041 1046 1051 7 1061
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel read
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.text
.globl read
.p2align 8
.type read,@function
read:
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  v_add_u32_e32 v1, 0x3e8, v0
  v_mul_u32_u24_e32 v2, 20, v0
  v_mov_b32_e32 v3, 7
  v_lshlrev_b32_e32 v4, 2, v0
  s_mov_b32 exec_lo, 0xfffff0ff
  s_mov_b32 exec_hi, 0xbfffffff
  ds_bpermute_b32 v3, v2, v1 offset:8
  s_mov_b64 exec, -1
  s_waitcnt lgkmcnt(0)
  global_store_dword v4, v3, s[8:9]
  s_endpgm
