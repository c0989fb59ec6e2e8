// What processors of one generation do differently, and literals of 64 bits.
// RUN: %offgrid as -mcpu=gfx810 --show-encoding -D PACKED=1 %s -o - | FileCheck --check-prefix=PACKED %s
// RUN: %offgrid as -mcpu=gfx803 --show-encoding -D UNPACKED=1 %s -o - | FileCheck --check-prefix=UNPACKED %s
// RUN: %offgrid as -mcpu=gfx1250 --show-encoding -D WIDE=1 %s -o - | FileCheck --check-prefix=WIDE %s
// RUN: %offgrid as -mcpu=gfx942 --show-encoding -D SUMS=1 %s -o - | FileCheck --check-prefix=SUMS %s
// RUN: %not %offgrid as -mcpu=gfx1250 -D WRONG=1 %s -o %t.o 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: %not %offgrid as -mcpu=gfx950 -D MATRIX=1 %s -o %t.o 2>&1 | FileCheck --check-prefix=MATRIX %s
.ifdef PACKED
// PACKED: buffer_load_format_d16_xyzw v[0:1], off, s[0:3], s4 ; encoding: [0x00,0x00,0x2c,0xe0,0x00,0x00,0x00,0x04]
buffer_load_format_d16_xyzw v[0:1], off, s[0:3], s4
// PACKED: image_store v[2:3], v[8:10], s[0:7] dmask:0xf d16
image_store v[2:3], v[8:10], s[0:7] dmask:15 d16
.endif
.ifdef UNPACKED
// UNPACKED: buffer_load_format_d16_xyzw v[0:3], off, s[0:3], s4 ; encoding: [0x00,0x00,0x2c,0xe0,0x00,0x00,0x00,0x04]
buffer_load_format_d16_xyzw v[0:3], off, s[0:3], s4
.endif
// Not one of the instructions whose sources stand the other way round.
.ifdef UNPACKED
// UNPACKED: v_bfrev_b32_e32 v8, src_lds_direct ; encoding: [0xfe,0x58,0x10,0x7e]
v_bfrev_b32 v8, src_lds_direct
.endif
// A sum may be what hardware only reads; the third bit of op_sel is printed, but none of the encoding's.
.ifdef SUMS
// Signs of a constant in the short encoding go into its low half.
// SUMS: v_pk_fmac_f16_e32 v2, 0x3c00bc00, v255 ; encoding: [0xff,0xfe,0x05,0x78,0x00,0xbc,0x00,0x3c]
v_pk_fmac_f16 v2, neg(0x3c003c00), v255
// SUMS: v_pk_fmac_f16_e32 v2, -1.0, v255 ; encoding: [0xf3,0xfe,0x05,0x78]
v_pk_fmac_f16 v2, neg(1.0), v255
// SUMS: v_mfma_f32_4x4x1_16b_f32 a[0:3], v1, v4, src_vccz ; encoding: [0x00,0x80,0xc2,0xd3,0x01,0x09,0xee,0x03]
v_mfma_f32_4x4x1f32 a[0:3], v1, v4, src_vccz
// SUMS: v_pk_fmac_f16_e64 v0, v1, v2 op_sel:[0,1,1] ; encoding: [0x00,0x00,0x3c,0xd1,0x01,0x05,0x02,0x00]
v_pk_fmac_f16 v0, v1, v2 op_sel:[0,1,1]
.endif
.ifdef WIDE
// WIDE: v_max_i64 v[0:1], 0xffffffffffffffef, v[2:3] ; encoding: [0x00,0x00,0x1b,0xd7,0xff,0x04,0x02,0x00,0xef,0xff,0xff,0xff]
v_max_i64 v[0:1], -17, v[2:3]
// WIDE: v_rcp_f64_e64 v[0:1], 0x3fb99999 mul:2 ; encoding: [0x00,0x00,0xaf,0xd5,0xff,0x00,0x00,0x08,0x99,0x99,0xb9,0x3f]
v_rcp_f64 v[0:1], 0.1 mul:2
// WIDE: v_fma_mixlo_f16 v1, v2, 0x3e00, v3 ; encoding: [0x01,0x00,0x21,0xcc,0x02,0xff,0x0d,0x04,0x00,0x3e,0x00,0x00]
v_fma_mixlo_f16 v1, v2, 1.5, v3
// WIDE: flat_atomic_add_u32 v1, v2, exec
flat_atomic_add_u32 v1, v2, exec
.endif
.ifdef WRONG
// WRONG: :[[#@LINE+1]]:{{.*}}: error: invalid operand for instruction
v_max_u64 v[0:1], 0x123456789abcdef0, v[2:3]
// WRONG: :[[#@LINE+1]]:{{.*}}: error: scale_offset is not supported for this instruction
global_load_b32 v0, v[2:3], off scale_offset
// WRONG: :[[#@LINE+1]]:{{.*}}: error: scope and th combination is not valid
global_atomic_add_u32 v0, v1, s[2:3] th:TH_ATOMIC_NT_RETURN scope:SCOPE_SYS
// WRONG: :[[#@LINE+1]]:{{.*}}: error: invalid op_sel operand
v_pk_add_f32 v[0:1], v[2:3], s[0:1]
// WRONG: :[[#@LINE+1]]:{{.*}}: error: wrong register tuple size for MATRIX_FMT_FP8
v_wmma_f32_16x16x128_f8f6f4 v[176:183], v[2:13], v[0:11], v[176:183] matrix_b_fmt:MATRIX_FMT_FP6
.endif
.ifdef MATRIX
// MATRIX: :[[#@LINE+1]]:{{.*}}: error: wrong register tuple size for cbsz value 0
v_mfma_f32_16x16x128_f8f6f4 v[180:183], v[8:13], v[2:7], v[0:3]
.endif
