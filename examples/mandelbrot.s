// mandelbrot.s - draws the Mandelbrot set into an array of RGBA pixels, one work-item each.
//
//   offgrid as examples/mandelbrot.s -o mandelbrot.o && offgrid ld mandelbrot.o -o mandelbrot.co
//   offgrid run mandelbrot.co --kernel mandelbrot --grid 1024,768 --group 64,4 \
//       --arg out:pixels:3145728 --arg u32:1024 --arg u32:768 --arg u32:256 --stats
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.amdhsa_code_object_version 5

.set LIMIT_R2, 0x43800000        // 256.0: a point this far out (squared) has escaped

.text
.globl mandelbrot
.p2align 8
.type mandelbrot,@function
mandelbrot:                      // s[0:1] kernarg, s2 and s3 work-group, v0 and v1 work-item
  s_load_dwordx2 s[4:5], s[0:1], 0x0    // pixels
  s_load_dwordx2 s[6:7], s[0:1], 0x8    // width, height
  s_load_dword s8, s[0:1], 0x10         // most iterations
  s_lshl_b32 s2, s2, 6                  // groups are 64 by 4
  s_lshl_b32 s3, s3, 2
  v_add_u32_e32 v0, s2, v0              // column
  v_add_u32_e32 v1, s3, v1              // row
  s_waitcnt lgkmcnt(0)

  // c = (-2.25 + 3 * column / width, -1.125 + 2.25 * row / height)
  v_cvt_f32_u32_e32 v2, v0
  v_cvt_f32_u32_e32 v3, v1
  v_cvt_f32_u32_e32 v4, s6
  v_cvt_f32_u32_e32 v5, s7
  v_rcp_f32_e32 v4, v4
  v_rcp_f32_e32 v5, v5
  v_mul_f32_e32 v2, v2, v4
  v_mul_f32_e32 v3, v3, v5
  s_mov_b32 s9, 0x40400000              // 3.0
  s_mov_b32 s10, 0x40100000             // 2.25
  v_mov_b32_e32 v6, 0xc0100000          // -2.25
  v_mov_b32_e32 v7, 0xbf900000          // -1.125
  v_fma_f32 v2, v2, s9, v6
  v_fma_f32 v3, v3, s10, v7

  v_mov_b32_e32 v4, 0                   // z = v4 + i v5
  v_mov_b32_e32 v5, 0
  v_mov_b32_e32 v9, 0                   // iterations
  s_mov_b32 s9, LIMIT_R2
  s_mov_b64 s[10:11], exec
  s_mov_b32 s12, 0
.Literate:
  v_mul_f32_e32 v6, v4, v4
  v_mul_f32_e32 v7, v5, v5
  v_add_f32_e32 v8, v6, v7              // |z| squared; stays with a lane that leaves
  v_cmp_gt_f32_e32 vcc, s9, v8
  s_and_b64 exec, exec, vcc
  s_cbranch_execz .Lescaped
  v_mul_f32_e32 v10, v4, v5
  v_sub_f32_e32 v4, v6, v7
  v_add_f32_e32 v4, v4, v2
  v_fma_f32 v5, v10, 2.0, v3
  v_add_u32_e32 v9, 1, v9
  s_add_u32 s12, s12, 1
  s_cmp_lt_u32 s12, s8
  s_cbranch_scc1 .Literate
.Lescaped:
  s_mov_b64 exec, s[10:11]

  // How far, in steps with a fraction: n + 2 - log2(log2 |z|^2); then three cosines of it, in turns.
  v_cvt_f32_u32_e32 v10, v9
  v_log_f32_e32 v11, v8
  v_log_f32_e32 v11, v11
  v_sub_f32_e32 v10, v10, v11
  v_add_f32_e32 v10, 2.0, v10
  v_max_f32_e32 v10, 0, v10
  v_sqrt_f32_e32 v10, v10
  v_mul_f32_e32 v10, 0x3e19999a, v10    // 0.15 turns for each
  v_add_f32_e32 v11, 0.5, v10           // red, green, blue: half a turn on, and a little apart
  v_add_f32_e32 v12, 0x3f19999a, v10
  v_add_f32_e32 v13, 0x3f333333, v10
  v_fract_f32_e32 v11, v11
  v_fract_f32_e32 v12, v12
  v_fract_f32_e32 v13, v13
  v_cos_f32_e32 v11, v11
  v_cos_f32_e32 v12, v12
  v_cos_f32_e32 v13, v13
  s_mov_b32 s9, 0x42fe0000              // 127.0
  v_mov_b32_e32 v14, 0x42fe0000
  v_fma_f32 v11, v11, s9, v14
  v_fma_f32 v12, v12, s9, v14
  v_fma_f32 v13, v13, s9, v14
  v_mov_b32_e32 v15, 0xff000000         // opaque black, where z never left
  v_cvt_pk_u8_f32 v16, v11, 0, v15
  v_cvt_pk_u8_f32 v16, v12, 1, v16
  v_cvt_pk_u8_f32 v16, v13, 2, v16
  v_cmp_gt_u32_e32 vcc, s8, v9
  v_cndmask_b32_e32 v16, v15, v16, vcc

  // pixels[row * width + column], where the pixel is in the picture
  v_cmp_gt_u32_e32 vcc, s6, v0
  v_cmp_gt_u32_e64 s[10:11], s7, v1
  s_and_b64 vcc, vcc, s[10:11]
  s_and_b64 exec, exec, vcc
  v_mul_lo_u32 v1, v1, s6
  v_add_u32_e32 v0, v1, v0
  v_mov_b32_e32 v1, 0
  v_lshlrev_b64 v[0:1], 2, v[0:1]
  v_mov_b32_e32 v2, s5
  v_add_co_u32_e32 v0, vcc, s4, v0
  v_addc_co_u32_e32 v1, vcc, v2, v1, vcc
  global_store_dword v[0:1], v16, off
  s_endpgm
.Lend:
.size mandelbrot, .Lend-mandelbrot

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel mandelbrot
  .amdhsa_kernarg_size 20
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_system_sgpr_workgroup_id_y 1
  .amdhsa_system_vgpr_workitem_id 1
  .amdhsa_next_free_vgpr 17
  .amdhsa_next_free_sgpr 13
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - .name: mandelbrot
    .symbol: mandelbrot.kd
    .kernarg_segment_size: 20
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 19
    .vgpr_count: 17
    .max_flat_workgroup_size: 256
    .args:
      - {.name: pixels, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.name: width, .size: 4, .offset: 8, .value_kind: by_value}
      - {.name: height, .size: 4, .offset: 12, .value_kind: by_value}
      - {.name: limit, .size: 4, .offset: 16, .value_kind: by_value}
...
.end_amdgpu_metadata
