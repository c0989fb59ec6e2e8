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
.rodata
.p2align 6
.amdhsa_kernel store
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 5
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: store
    .symbol: store.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 5
    .vgpr_count: 2
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: value, .offset: 8, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
