// Each work-group of 128 sums 128 floats in LDS, in steps of 64, 32 ... 1; the loop ends one step too early.
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl sum
.p2align 8
.type sum,@function
sum:
  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_lshl_b32 s7, s6, 7
  v_add_u32_e32 v1, s7, v0
  v_lshlrev_b32_e32 v1, 2, v1
  v_lshlrev_b32_e32 v2, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v3, v1, s[2:3]
  s_waitcnt vmcnt(0)
  ds_write_b32 v2, v3
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_movk_i32 s8, 64
loop:
  v_cmp_gt_u32_e32 vcc, s8, v0
  s_and_saveexec_b64 s[10:11], vcc
  s_lshl_b32 s9, s8, 2
  v_add_u32_e32 v4, s9, v2
  ds_read_b32 v5, v4
  ds_read_b32 v6, v2
  s_waitcnt lgkmcnt(0)
  v_add_f32_e32 v6, v6, v5
  ds_write_b32 v2, v6
  s_mov_b64 exec, s[10:11]
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_lshr_b32 s8, s8, 1
  s_cmp_gt_u32 s8, 1
  s_cbranch_scc1 loop
  v_cmp_eq_u32_e32 vcc, 0, v0
  s_and_saveexec_b64 s[10:11], vcc
  s_cbranch_execz done
  s_lshl_b32 s7, s6, 2
  v_mov_b32_e32 v1, s7
  ds_read_b32 v3, v2
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v3, s[0:1]
done:
  s_endpgm
.Lend:
.size sum, .Lend-sum

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel sum
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_kernarg_size 16
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 7
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: sum
    .symbol: sum.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 7
    .max_flat_workgroup_size: 128
    .args:
      - {.name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.name: in, .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
