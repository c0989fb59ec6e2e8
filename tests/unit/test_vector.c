/* What vector instructions compute: values worked out by hand from the ISA manual, on every host instruction set. */
#include "wave_fixture.h"

struct expectation {
  const char *name;
  uint32_t mode;
  uint64_t a, b, c, result;
};
#define NAN_Q 0x7fc00000
#define NAN_S 0x7fa00000
#define INF 0x7f800000
#if defined __aarch64__ /* the NaN that the host's arithmetic makes: docs/exactness.md */
#define ARISEN 0x7fc00000
#else
#define ARISEN 0xffc00000
#endif

static const struct expectation expectations[] = {
    /* 32-bit float: rounding, denormals by mode */
    {"v_add_f32", IEEE_MODE, 0x3f800000, 0x33800000, 0, 0x3f800000},     /* 1 + 2^-24: tie to even */
    {"v_add_f32", IEEE_MODE | 1, 0x3f800000, 0x33800000, 0, 0x3f800001}, /* towards +inf */
    {"v_add_f32", IEEE_MODE | 2, 0xbf800000, 0xb3800000, 0, 0xbf800001}, /* towards -inf */
    {"v_add_f32", IEEE_MODE | 3, 0x3f800001, 0x337fffff, 0, 0x3f800001}, /* towards zero */
    {"v_add_f32", IEEE_MODE, 0x00000001, 0x00000001, 0, 0x00000002},
    {"v_add_f32", FLUSH_MODE, 0x00000001, 0x00000001, 0, 0},
    {"v_mul_f32", FLUSH_MODE, 0x00800000, 0x3f000000, 0, 0}, /* denormal result */
    {"v_mul_f32", IEEE_MODE, 0x00800000, 0x3f000000, 0, 0x00400000},
    {"v_add_f32", IEEE_MODE, INF, 0xff800000, 0, ARISEN},
    {"v_sub_f32", IEEE_MODE, 0x40400000, 0x3f800000, 0, 0x40000000},
    {"v_subrev_f32", IEEE_MODE, 0x40400000, 0x3f800000, 0, 0xc0000000},
    {"v_mul_legacy_f32", IEEE_MODE, 0, INF, 0, 0},
    {"v_fma_f32", IEEE_MODE, 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000}, /* exact product: 2^-46 is left */
    {"v_mad_f32", IEEE_MODE, 0x3f800001, 0x3f800001, 0xbf800002, 0},          /* product rounded first */
    {"v_mad_f32", IEEE_MODE, 0x00000001, 0x3f800000, 0x00000001, 0},          /* flushes in any mode */
    {"v_min_f32", IEEE_MODE, NAN_Q, 0x3f800000, 0, 0x3f800000},
    {"v_min_f32", IEEE_MODE, NAN_S, 0x3f800000, 0, 0x7fe00000},
    {"v_min_f32", PLAIN_MODE, NAN_S, 0x3f800000, 0, 0x3f800000},
    {"v_min_f32", IEEE_MODE, 0, 0x80000000, 0, 0x80000000},
    {"v_max_f32", IEEE_MODE, 0x80000000, 0, 0, 0},
    {"v_max_f32", IEEE_MODE, 0xbf800000, 0xc0000000, 0, 0xbf800000},
    {"v_max_f32", FLUSH_MODE, 0x80000001, 0x80000002, 0, 0x80000000},
    {"v_med3_f32", IEEE_MODE, 0x40400000, 0x3f800000, 0x40000000, 0x40000000},
    {"v_med3_f32", IEEE_MODE, NAN_Q, 0x3f800000, 0x40000000, 0x3f800000},
    {"v_floor_f32", IEEE_MODE, 0xbfc00000, 0, 0, 0xc0000000},
    {"v_ceil_f32", IEEE_MODE, 0xbf000000, 0, 0, 0x80000000},
    {"v_rndne_f32", IEEE_MODE, 0x40200000, 0, 0, 0x40000000},     /* 2.5 -> 2 */
    {"v_rndne_f32", IEEE_MODE | 3, 0x40600000, 0, 0, 0x40800000}, /* 3.5 -> 4 whatever the mode */
    {"v_rndne_f32", IEEE_MODE, 0xbf000000, 0, 0, 0x80000000},
    {"v_fract_f32", IEEE_MODE, 0xbe800000, 0, 0, 0x3f400000},
    {"v_fract_f32", IEEE_MODE, 0xb0000000, 0, 0, 0x3f7fffff}, /* never 1 */
    {"v_exp_f32", IEEE_MODE, 0xff800000, 0, 0, 0},
    {"v_exp_f32", IEEE_MODE, 0x80000000, 0, 0, 0x3f800000},
    {"v_exp_f32", IEEE_MODE, INF, 0, 0, INF},
    {"v_exp_f32", IEEE_MODE, 0x40a00000, 0, 0, 0x42000000},
    {"v_log_f32", IEEE_MODE, 0xbf800000, 0, 0, 0xffc00000},
    {"v_log_f32", IEEE_MODE, 0x80000000, 0, 0, 0xff800000},
    {"v_log_f32", IEEE_MODE, 0x3f800000, 0, 0, 0},
    {"v_log_f32", IEEE_MODE, 0x42000000, 0, 0, 0x40a00000},
    {"v_cos_f32", IEEE_MODE | 3, 0, 0, 0, 0x3f800000},
    {"v_cos_f32", IEEE_MODE | 3, 0x43808000, 0, 0, 0x3f800000}, /* 257 turns: as of 0 */
    {"v_rcp_f32", IEEE_MODE, 0xff800000, 0, 0, 0x80000000},
    {"v_rcp_f32", IEEE_MODE, 0xc0000000, 0, 0, 0xbf000000},
    {"v_rcp_f32", IEEE_MODE, 0x80000000, 0, 0, 0xff800000},
    {"v_rsq_f32", IEEE_MODE, 0x80000000, 0, 0, 0xff800000},
    {"v_rsq_f32", IEEE_MODE, 0x40800000, 0, 0, 0x3f000000},
    {"v_rsq_f32", IEEE_MODE, 0xff800000, 0, 0, ARISEN},
    {"v_sqrt_f32", IEEE_MODE, 0x80000000, 0, 0, 0x80000000},
    {"v_sqrt_f32", IEEE_MODE, 0x40800000, 0, 0, 0x40000000},
    {"v_sin_f32", IEEE_MODE, 0xff7fffff, 0, 0, 0},
    {"v_sin_f32", IEEE_MODE, 0x80000000, 0, 0, 0x80000000},
    {"v_sin_f32", IEEE_MODE, 0x3e800000, 0, 0, 0x3f800000},
    {"v_sin_f32", IEEE_MODE, INF, 0, 0, 0xffc00000},
    {"v_sin_f32", IEEE_MODE, 0xbe800000, 0, 0, 0xbf800000},
    {"v_sin_f32", IEEE_MODE, 0x3f400000, 0, 0, 0xbf800000},
    {"v_cos_f32", IEEE_MODE, 0x80000000, 0, 0, 0x3f800000},
    {"v_cos_f32", IEEE_MODE, 0x3e800000, 0, 0, 0},
    {"v_cos_f32", IEEE_MODE, 0xff7fffff, 0, 0, 0x3f800000},
    {"v_cos_f32", IEEE_MODE, 0x3f000000, 0, 0, 0xbf800000},
    {"v_ldexp_f32", IEEE_MODE, 0x3f800000, 10, 0, 0x44800000},
    {"v_ldexp_f32", IEEE_MODE, 0x3f800000, 0x80000000, 0, 0},
    {"v_ldexp_f32", IEEE_MODE, 0x3f800000, 0x7fffffff, 0, INF},
    {"v_ldexp_f32", IEEE_MODE, 0x3f800000, (uint32_t)-149, 0, 1},
    {"v_ldexp_f32", IEEE_MODE, 1, 149, 0, 0x3f800000},
    {"v_frexp_exp_i32_f32", IEEE_MODE, 0x41000000, 0, 0, 4},
    {"v_frexp_exp_i32_f32", IEEE_MODE, INF, 0, 0, 0},
    {"v_frexp_exp_i32_f32", IEEE_MODE, 1, 0, 0, (uint32_t)-148},
    {"v_frexp_exp_i32_f32", IEEE_MODE, 0, 0, 0, 0},
    {"v_frexp_mant_f32", IEEE_MODE, 0xc1000000, 0, 0, 0xbf000000},
    {"v_frexp_mant_f32", IEEE_MODE, 3, 0, 0, 0x3f400000},
    {"v_cubeid_f32", IEEE_MODE, 0x3f800000, 0x3f800000, 0xbf800000, 0x40a00000},
    {"v_cubema_f32", IEEE_MODE, 0x40000000, 0x3f800000, 0x3f800000, 0x40800000},
    /* conversions */
    {"v_cvt_i32_f32", IEEE_MODE, 0xbfe00000, 0, 0, 0xffffffff},
    {"v_cvt_i32_f32", IEEE_MODE, NAN_Q, 0, 0, 0},
    {"v_cvt_i32_f32", IEEE_MODE, 0x4f000000, 0, 0, 0x7fffffff},
    {"v_cvt_i32_f32", IEEE_MODE, 0xff800000, 0, 0, 0x80000000},
    {"v_cvt_u32_f32", IEEE_MODE, 0xbf800000, 0, 0, 0},
    {"v_cvt_u32_f32", IEEE_MODE, 0x4f800000, 0, 0, 0xffffffff},
    {"v_cvt_u32_f32", IEEE_MODE, 0x4f7fffff, 0, 0, 0xffffff00},
    {"v_cvt_f32_u32", IEEE_MODE, 0xffffffff, 0, 0, 0x4f800000},
    {"v_cvt_f32_i32", IEEE_MODE, 0x80000000, 0, 0, 0xcf000000},
    {"v_cvt_rpi_i32_f32", IEEE_MODE, 0xbfc00000, 0, 0, 0xffffffff},
    {"v_cvt_flr_i32_f32", IEEE_MODE, 0xbf000000, 0, 0, 0xffffffff},
    {"v_cvt_f32_ubyte2", IEEE_MODE, 0x00ff0000, 0, 0, 0x437f0000},
    {"v_cvt_off_f32_i4", IEEE_MODE, 8, 0, 0, 0xbf000000},
    {"v_cvt_off_f32_i4", IEEE_MODE, 7, 0, 0, 0x3ee00000},
    {"v_cvt_f16_f32", IEEE_MODE, 0x477ff000, 0, 0, 0x7c00},
    {"v_cvt_f16_f32", IEEE_MODE | 0xc, 0x477ff000, 0, 0, 0x7bff},
    {"v_cvt_f16_f32", IEEE_MODE, 0x33800000, 0, 0, 1},
    {"v_cvt_f16_f32", 0x230, 0x33800000, 0, 0, 0},
    {"v_cvt_f32_f16", IEEE_MODE, 0xabcd0001, 0, 0, 0x33800000},
    {"v_cvt_pkrtz_f16_f32", IEEE_MODE, 0x3f801fff, 0xc77ff000, 0, 0xfbff3c00},
    {"v_cvt_pkrtz_f16_f32", IEEE_MODE, 0x387fffff, INF, 0, 0x7c0003ff},
    {"v_cvt_pk_i16_i32", IEEE_MODE, 100000, (uint32_t)-100000, 0, 0x80007fff},
    {"v_cvt_pk_u16_u32", IEEE_MODE, 65536, 5, 0, 0x0005ffff},
    {"v_cvt_pk_u8_f32", IEEE_MODE, 0x43000000, 2, 0x11223344, 0x11803344},
    {"v_cvt_pk_u8_f32", IEEE_MODE, 0x44000000, 3, 0x11223344, 0xff223344},
    {"v_cvt_pknorm_i16_f32", IEEE_MODE, 0x3f800000, 0xc0000000, 0, 0x80017fff},
    {"v_cvt_pknorm_u16_f32", IEEE_MODE, 0x3f800000, 0xc0000000, 0, 0x0000ffff},
    {"v_sat_pk_u8_i16", IEEE_MODE, 0x012cffff, 0, 0, 0xff00},
    {"v_cvt_f64_f32", IEEE_MODE, 0x3fc00000, 0, 0, 0x3ff8000000000000},
    {"v_cvt_f32_f64", IEEE_MODE, 0x3ff0000010000000, 0, 0, 0x3f800000},
    {"v_cvt_f32_f64", IEEE_MODE, 0x3ff0000010000001, 0, 0, 0x3f800001},
    {"v_cvt_i32_f64", IEEE_MODE, 0xc1e0000000100000, 0, 0, 0x80000000}, /* -2^31 - 0.5 */
    {"v_cvt_u32_f64", IEEE_MODE, 0x41efffffffffffff, 0, 0, 0xffffffff},
    {"v_cvt_u32_f64", IEEE_MODE, 0xbfe0000000000000, 0, 0, 0},
    {"v_cvt_f64_u32", IEEE_MODE, 0xffffffff, 0, 0, 0x41efffffffe00000},
    /* 64-bit float */
    {"v_add_f64", IEEE_MODE, 0x3ff0000000000000, 0x3ca0000000000000, 0, 0x3ff0000000000000},
    {"v_add_f64", IEEE_MODE | 4, 0x3ff0000000000000, 0x3ca0000000000000, 0, 0x3ff0000000000001},
    {"v_add_f64", IEEE_MODE | 3, 0x3ff0000000000000, 0x3cb0000000000000, 0, 0x3ff0000000000001}, /* only f32's mode */
    {"v_mul_f64", IEEE_MODE, 0x0010000000000000, 0x3fe0000000000000, 0, 0x0008000000000000},
    {"v_mul_f64", 0x230, 0x0010000000000000, 0x3fe0000000000000, 0, 0},
    {"v_fma_f64", IEEE_MODE, 0x3ff0000000000001, 0x3ff0000000000001, 0xbff0000000000002, 0x3970000000000000},
    {"v_min_f64", IEEE_MODE, 0x7ff8000000000000, 0x4000000000000000, 0, 0x4000000000000000},
    {"v_max_f64", IEEE_MODE, 0x8000000000000000, 0, 0, 0},
    {"v_rndne_f64", IEEE_MODE, 0x4004000000000000, 0, 0, 0x4000000000000000},
    {"v_ldexp_f64", IEEE_MODE, 0x3ff0000000000000, (uint32_t)-1074, 0, 1},
    {"v_ldexp_f64", IEEE_MODE, 1, 1074, 0, 0x3ff0000000000000},
    {"v_ldexp_f64", IEEE_MODE, 0x3ff8000000000000, (uint32_t)-1074, 0, 2},
    {"v_ldexp_f64", IEEE_MODE, 0x3ff0000000000000, 1024, 0, 0x7ff0000000000000},
    {"v_ldexp_f64", IEEE_MODE, 0xbff0000000000000, 0x80000000, 0, 0x8000000000000000},
    {"v_frexp_exp_i32_f64", IEEE_MODE, 1, 0, 0, (uint32_t)-1073},
    {"v_frexp_mant_f64", IEEE_MODE, 3, 0, 0, 0x3fe8000000000000},
    {"v_trig_preop_f64", IEEE_MODE, 0x3ff0000000000000, 0, 0, 0x3fe45f306dc9c882},
    /* 16-bit float: high half zeroed, or kept */
    {"v_mul_f16", IEEE_MODE | OG_MODE_FP16_OVFL, 0x7b00, 0xc400, 0, 0xfbff}, /* overflow */
    {"v_mul_f16", IEEE_MODE, 0x7b00, 0xc400, 0, 0xfc00},
    {"v_mul_f16", IEEE_MODE | OG_MODE_FP16_OVFL, 0x7c00, 0x4400, 0, 0x7c00}, /* infinite before */
    {"v_rcp_f16", IEEE_MODE | OG_MODE_FP16_OVFL, 0x8000, 0, 0, 0xfc00},
    {"v_rcp_f16", IEEE_MODE | OG_MODE_FP16_OVFL, 0x0001, 0, 0, 0x7bff},
    {"v_mad_legacy_f16", IEEE_MODE | OG_MODE_FP16_OVFL, 0x7b00, 0x7b00, 0xfbff, 0}, /* the product, too */
    {"v_cvt_f16_f32", IEEE_MODE | OG_MODE_FP16_OVFL, 0x49800000, 0, 0, 0x7bff},
    {"v_cvt_f16_f32", IEEE_MODE | OG_MODE_FP16_OVFL, 0xff800000, 0, 0, 0xfc00},
    {"v_add_f16", IEEE_MODE, 0xdead3c00, 0xbeef3c00, 0, 0x4000},
    {"v_mul_f16", IEEE_MODE, 0x7bff, 0x4000, 0, 0x7c00},
    {"v_fma_f16", IEEE_MODE, 0x3c01, 0x3c01, 0xbc02, 0x77770010}, /* 2^-20 */
    {"v_rcp_f16", IEEE_MODE, 0xc000, 0, 0, 0xb800},
    {"v_sqrt_f16", IEEE_MODE, 0x4400, 0, 0, 0x4000},
    {"v_rsq_f16", IEEE_MODE, 0x8000, 0, 0, 0xfc00},
    {"v_log_f16", IEEE_MODE, 0xbc00, 0, 0, 0xfe00},
    {"v_exp_f16", IEEE_MODE, 0xfc00, 0, 0, 0},
    {"v_sin_f16", IEEE_MODE, 0x3400, 0, 0, 0x3c00},
    {"v_cos_f16", IEEE_MODE, 0x3400, 0, 0, 0},
    {"v_sin_f16", IEEE_MODE, 0xfbff, 0, 0, 0},
    {"v_ldexp_f16", IEEE_MODE, 0x3c00, 0xffe8, 0, 1},
    {"v_frexp_exp_i16_f16", IEEE_MODE, 1, 0, 0, 0xffe9},
    {"v_frexp_mant_f16", IEEE_MODE, 1, 0, 0, 0x3800},
    {"v_cvt_u16_f16", IEEE_MODE, 0x7c00, 0, 0, 0xffff},
    {"v_cvt_i16_f16", IEEE_MODE, 0xfc00, 0, 0, 0x8000},
    {"v_cvt_f16_u16", IEEE_MODE, 0xffff, 0, 0, 0x7c00},
    {"v_cvt_f16_i16", IEEE_MODE, 0xffff, 0, 0, 0xbc00},
    {"v_cvt_norm_i16_f16", IEEE_MODE, 0xbc00, 0, 0, 0x8001},
    {"v_cvt_norm_u16_f16", IEEE_MODE, 0x3800, 0, 0, 0x8000},
    {"v_pack_b32_f16", IEEE_MODE, 0x11112222, 0x33334444, 0, 0x44442222},
    {"v_mad_u16", IEEE_MODE, 300, 300, 5, 0x77775f95},
    {"v_mad_legacy_u16", IEEE_MODE, 300, 300, 5, 0x5f95},
    /* integers */
    {"v_mul_hi_i32", IEEE_MODE, 0x80000000, 0x80000000, 0, 0x40000000},
    {"v_mul_hi_u32", IEEE_MODE, 0xffffffff, 0xffffffff, 0, 0xfffffffe},
    {"v_mul_i32_i24", IEEE_MODE, 0xff800000, 2, 0, 0xff000000},
    {"v_mul_hi_i32_i24", IEEE_MODE, 0x00800000, 0x00800000, 0, 0x4000},
    {"v_mul_u32_u24", IEEE_MODE, 0xff000003, 5, 0, 15},
    {"v_mad_u32_u24", IEEE_MODE, 0xff000003, 5, 1, 16},
    {"v_mad_i32_i24", IEEE_MODE, 0x00ffffff, 3, 1, (uint32_t)-2},
    {"v_mul_hi_u32_u24", IEEE_MODE, 0xffffff, 0xffffff, 0, 0xffff},
    {"v_mad_u64_u32", IEEE_MODE, 0xffffffff, 0xffffffff, 1, 0xfffffffe00000002},
    {"v_mad_i64_i32", IEEE_MODE, 0xffffffff, 5, 7, 2},
    {"v_add3_u32", IEEE_MODE, 0xffffffff, 1, 5, 5},
    {"v_lshl_add_u32", IEEE_MODE, 1, 33, 5, 7},
    {"v_add_lshl_u32", IEEE_MODE, 1, 2, 32 + 4, 48},
    {"v_xad_u32", IEEE_MODE, 6, 3, 10, 15},
    {"v_lshlrev_b32", IEEE_MODE, 36, 1, 0, 16},
    {"v_ashrrev_i32", IEEE_MODE, 63, 0x80000000, 0, 0xffffffff},
    {"v_lshrrev_b32", IEEE_MODE, 31, 0x80000000, 0, 1},
    {"v_lshlrev_b64", IEEE_MODE, 68, 1, 0, 16},
    {"v_ashrrev_i64", IEEE_MODE, 63, 0x8000000000000000, 0, ~(uint64_t)0},
    {"v_lshrrev_b64", IEEE_MODE, 4, 0x100000000, 0, 0x10000000},
    {"v_bfe_u32", IEEE_MODE, 0xabcd1234, 8, 8, 0x12},
    {"v_bfe_u32", IEEE_MODE, 0xabcd1234, 0, 32, 0},
    {"v_bfe_i32", IEEE_MODE, 0x0000f000, 12, 4, 0xffffffff},
    {"v_bfe_i32", IEEE_MODE, 0x0000f000, 12, 0, 0},
    {"v_bfe_u32", IEEE_MODE, 0xf0000000, 28, 31, 15},
    {"v_bfe_i32", IEEE_MODE, 0xf0000000, 28, 31, 0xffffffff},
    {"v_bfi_b32", IEEE_MODE, 0xff00ff00, 0x12345678, 0x9abcdef0, 0x12bc56f0},
    {"v_bfm_b32", IEEE_MODE, 4, 8, 0, 0xf00},
    {"v_bfm_b32", IEEE_MODE, 32, 8, 0, 0},
    {"v_bfrev_b32", IEEE_MODE, 0x00000001, 0, 0, 0x80000000},
    {"v_bcnt_u32_b32", IEEE_MODE, 0xf0f0f0f0, 3, 0, 19},
    {"v_ffbh_u32", IEEE_MODE, 0x100000ff, 0, 0, 3},
    {"v_ffbh_u32", IEEE_MODE, 0, 0, 0, 0xffffffff},
    {"v_ffbh_u32", IEEE_MODE, 0xffffffff, 0, 0, 0},
    {"v_ffbh_u32", IEEE_MODE | 1, 0x7fffffff, 0, 0, 1}, /* rounded upwards a power of two */
    {"v_ffbh_u32", IEEE_MODE, 1, 0, 0, 31},
    {"v_ffbl_b32", IEEE_MODE, 0xff000008, 0, 0, 3},
    {"v_ffbl_b32", IEEE_MODE, 0x80000000, 0, 0, 31},
    {"v_ffbl_b32", IEEE_MODE, 0, 0, 0, 0xffffffff},
    {"v_ffbh_i32", IEEE_MODE, 0xffff0000, 0, 0, 16},
    {"v_ffbh_i32", IEEE_MODE, 0x40000000, 0, 0, 1},
    {"v_ffbh_i32", IEEE_MODE, 0xffffffff, 0, 0, 0xffffffff},
    {"v_alignbit_b32", IEEE_MODE, 0x11223344, 0x55667788, 40, 0x44556677},
    {"v_alignbyte_b32", IEEE_MODE, 0x11223344, 0x55667788, 3, 0x22334455},
    {"v_perm_b32", IEEE_MODE, 0x11223384, 0x55667788, 0x0c0d0400, 0x00ff8488},
    {"v_perm_b32", IEEE_MODE, 0x80223344, 0x0566f788, 0x0b0a0908, 0xff0000ff},
    {"v_sad_u8", IEEE_MODE, 0x01020304, 0x04030201, 10, 18},
    {"v_sad_hi_u8", IEEE_MODE, 0x01020304, 0x04030201, 10, 0x8000a},
    {"v_sad_u16", IEEE_MODE, 0x00010005, 0x00030001, 1, 7},
    {"v_sad_u32", IEEE_MODE, 1, 0xffffffff, 1, 0xffffffff},
    {"v_msad_u8", IEEE_MODE, 0x01020304, 0x04030001, 10, 17},
    {"v_qsad_pk_u16_u8", IEEE_MODE, 0x0000000001010101, 0x01010101, 0, 0x0003000200010000},
    {"v_mqsad_pk_u16_u8", IEEE_MODE, 0x0000000001010101, 0x01000101, 0xffff000000000001, 0x0001000100010001},
    /* Half way between two results, but for a number so far below that no double holds all of the sum. */
    {"v_dot2_bf16_bf16", IEEE_MODE, 0x3b803f80, 0x3f803f80, 0x0d80, 0x3f81},
    {"v_dot2_f16_f16", IEEE_MODE, 0x00017800, 0x00013c00, 0x4c00, 0x7801},
    {"v_dot2_f16_f16", IEEE_MODE, 0x00002488, 0x00002710, 0x3c00, 0x3c01},
    {"v_dot2_f16_f16", IEEE_MODE, 0x3c013c00, 0x8ffe3c01, 0, 0x3c01},
    {"v_dot2_f16_f16", IEEE_MODE, 0x80008000, 0x3c003c00, 0x8000, 0x8000},
    {"v_pk_fma_bf16", IEEE_MODE, 0x3f813f81, 0x3fc03fc0, 0x8d808d80, 0x3fc13fc1},
    {"v_dot4_f32_fp8_fp8", IEEE_MODE, 0x00000001, 0x00000001, 0, 0x36800000},
    {"v_dot4_f32_fp8_fp8", IEEE_MODE, 0x0000007f, 0x38383838, 0x3f800000, 0x7fc00000},
    {"v_dot4_f32_fp8_fp8", IEEE_MODE, 0x007e017e, 0x00fe017e, 0, 0x36800000}, /* which f32 lose beside 448^2 */
    {"v_dot4_f32_fp8_fp8", IEEE_MODE, 0x80808080, 0x38383838, 0x80000000, 0},
    {"v_dot4_f32_fp8_bf8", IEEE_MODE, 0x38000000, 0xfd000000, 0, 0xffc00000},
    {"v_dot4_f32_bf8_bf8", IEEE_MODE, 0x00007c01, 0x00003c01, 0x3f800000, 0x7f800000},
    {"v_lerp_u8", IEEE_MODE, 0x01020304, 0x02020202, 0x01000001, 0x02020203},
    {"v_med3_i32", IEEE_MODE, (uint32_t)-5, 3, 1, 1},
    {"v_med3_u32", IEEE_MODE, (uint32_t)-5, 3, 1, 3},
    {"v_min3_i32", IEEE_MODE, (uint32_t)-5, 3, 1, (uint32_t)-5},
    {"v_max3_u32", IEEE_MODE, (uint32_t)-5, 3, 1, (uint32_t)-5},
    {"v_mbcnt_lo_u32_b32", IEEE_MODE, 0xffffffff, 0, 0, 32},
    {"v_mbcnt_hi_u32_b32", IEEE_MODE, 0xffffffff, 32, 0, 37},
    {"v_mul_lo_u16", IEEE_MODE, 0x10003, 0x10005, 0, 15},
    {"v_lshlrev_b16", IEEE_MODE, 17, 3, 0, 6},
    {"v_ashrrev_i16", IEEE_MODE, 4, 0x8000, 0, 0xf800},
    {"v_min_i16", IEEE_MODE, 0x8000, 1, 0, 0x8000},
    {"v_mad_i32_i16", IEEE_MODE, 0xffff, 3, 5, 2},
    {"v_mad_u32_u16", IEEE_MODE, 0xffff, 3, 5, 196610},
    /* packed */
    {"v_pk_add_f16", IEEE_MODE, 0x3c004000, 0x40003c00, 0, 0x42004200},
    {"v_pk_fma_f16", IEEE_MODE, 0x40004200, 0x3c003c00, 0x3c00bc00, 0x42004000},
    /* Half way between two halves, but for what f32 have no room for. */
    {"v_pk_fma_f16", IEEE_MODE, 0x3c013c01, 0x8ffe0ffe, 0xbc013c01, 0xbc013c01},
    {"v_pk_fma_f16", IEEE_MODE, 0x2488a488, 0x27102710, 0x3c00bc00, 0x3c01bc01},
    {"v_mad_f16", IEEE_MODE, 0x3bff, 0x0400, 0, 0x77770400}, /* rounded to what is no denormal */
    {"v_mad_f16", IEEE_MODE, 0x3bfe, 0x0400, 0, 0x77770000},
    {"v_pk_add_u16", IEEE_MODE, 0xffff0001, 0x00020003, 0, 0x00010004},
    {"v_pk_mad_i16", IEEE_MODE, 0xffff0002, 0x00030003, 0x00010001, 0xfffe0007},
    {"v_pk_lshlrev_b16", IEEE_MODE, 0x00010011, 0x00020004, 0, 0x00040008},
    {"v_pk_ashrrev_i16", IEEE_MODE, 0x00010004, 0x80008000, 0, 0xc000f800},
    {"v_pk_max_i16", IEEE_MODE, 0xffff7fff, 0x00010002, 0, 0x00017fff},
    /* comparisons */
    {"v_cmp_lt_f32", IEEE_MODE, 0x3f800000, 0x40000000, 0, 1},
    {"v_cmp_lt_f32", IEEE_MODE, NAN_Q, 0x40000000, 0, 0},
    {"v_cmp_nlt_f32", IEEE_MODE, NAN_Q, 0x40000000, 0, 1},
    {"v_cmp_lg_f32", IEEE_MODE, NAN_Q, 0, 0, 0},
    {"v_cmp_neq_f32", IEEE_MODE, NAN_Q, 0, 0, 1},
    {"v_cmp_u_f32", IEEE_MODE, NAN_Q, 0, 0, 1},
    {"v_cmp_o_f32", IEEE_MODE, INF, 0, 0, 1},
    {"v_cmp_eq_f32", IEEE_MODE, 0, 0x80000000, 0, 1},
    {"v_cmp_eq_f32", FLUSH_MODE, 0, 1, 0, 1},
    {"v_cmp_eq_f32", IEEE_MODE, 0, 1, 0, 0},
    {"v_cmp_lt_i32", IEEE_MODE, 0xffffffff, 0, 0, 1},
    {"v_cmp_lt_u32", IEEE_MODE, 0xffffffff, 0, 0, 0},
    {"v_cmp_lt_i64", IEEE_MODE, ~(uint64_t)0, 0, 0, 1},
    {"v_cmp_gt_u64", IEEE_MODE, 0x100000000, 0xffffffff, 0, 1},
    {"v_cmp_lt_i16", IEEE_MODE, 0x7fff8000, 0, 0, 1},
    {"v_cmp_ge_f64", IEEE_MODE, 0x7ff0000000000000, 0x7ff0000000000000, 0, 1},
    {"v_cmp_lt_f16", IEEE_MODE, 0x3c00, 0x4000, 0, 1},
    {"v_cmp_t_u32", IEEE_MODE, 0, 0, 0, 1},
    {"v_cmp_f_i64", IEEE_MODE, 0, 0, 0, 0},
    {"v_cmp_class_f32", IEEE_MODE, NAN_S, 1, 0, 1},
    {"v_cmp_class_f32", IEEE_MODE, NAN_S, 2, 0, 0},
    {"v_cmp_class_f32", IEEE_MODE, 0xff800000, 4, 0, 1},
    {"v_cmp_class_f32", IEEE_MODE, 0x80000001, 0x10, 0, 1},
    {"v_cmp_class_f32", IEEE_MODE, 0x80000000, 0x20, 0, 1},
    {"v_cmp_class_f32", IEEE_MODE, 0x3f800000, 0x100, 0, 1},
    {"v_cmp_class_f64", IEEE_MODE, 0x7ff0000000000000, 0x200, 0, 1},
    {"v_cmp_class_f16", IEEE_MODE, 0x0001, 0x80, 0, 1},
    {"v_cmp_class_f16", IEEE_MODE, 0x8001, 0x80, 0, 0},
    /* division's helpers */
    {"v_div_fixup_f32", IEEE_MODE, 0x3f800000, 0, 0, 0xffc00000},
    {"v_div_fixup_f32", IEEE_MODE, 0x3f800000, 0x80000000, 0x3f800000, 0xff800000},
    {"v_div_fixup_f32", IEEE_MODE, 0xbf800000, 0x3f800000, 0x3f800000, 0x3f800000},
    {"v_div_fixup_f32", IEEE_MODE, 0x3f800000, INF, 0xbf800000, 0x80000000},
    {"v_div_fixup_f64", IEEE_MODE, 0x3ff0000000000000, 0, 0x3ff0000000000000, 0x7ff0000000000000},
    {"v_div_scale_f32", IEEE_MODE, 0x3f800000, 0x3f800000, 0x40000000, 0x3f800000},
    {"v_div_scale_f32", IEEE_MODE, 0x00000001, 0x00000001, 0x3f800000, 0x15000000},
};

static void instructions_compute_what_the_manual_says(void **state) {
  (void)state;
  int failures = 0;
  for (size_t k = 0; k < og_vector_variant_count; k++) {
    program->variant = og_vector_variants[k];
    if (!program->variant->usable())
      continue;
    for (size_t i = 0; i < OG_COUNT(expectations); i++) {
      const struct expectation *e = &expectations[i];
      wave->mode = e->mode;
      memset(wave->v[V_RESULT], 0x77, sizeof(wave->v[0]));
      uint64_t result = compute(e->name, e->a, e->b, e->c);
      failures += result != e->result;
      if (result != e->result)
        print_error("%s %s mode %x: %llx %llx %llx gives %llx, expected %llx\n", program->variant->name, e->name,
                    e->mode, (unsigned long long)e->a, (unsigned long long)e->b, (unsigned long long)e->c,
                    (unsigned long long)result, (unsigned long long)e->result);
    }
  }
  assert_int_equal(failures, 0);
}

static void inactive_lanes_keep_their_registers(void **state) {
  (void)state;
  const uint64_t exec = 0xf0f0123456789abc;
  for (size_t k = 0; k < og_vector_row_count; k++) {
    const char *name = og_row_name(og_vector_rows[k].row);
    set_exec(exec);
    memset(wave->v[V_RESULT], 0x5a, 4 * sizeof(wave->v[0]));
    compute(name, 3, 5, 7);
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      if (!(exec >> lane & 1))
        for (unsigned d = 0; d < 4; d++)
          assert_int_equal(wave->v[V_RESULT + d][lane], 0x5a5a5a5a);
    if (og_vector_rows[k].flags & OG_VECTOR_CARRY_OUT)
      assert_int_equal(og_load64(&wave->s[S_MASK]) & ~exec, 0);
  }
}

static void compares_write_exec_when_they_are_v_cmpx(void **state) {
  (void)state;
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    put(V_SOURCE, lane, lane), put(V_SOURCE + 4, lane, 10);
  set_exec(0xffff);
  struct og_inst inst = vector_inst("v_cmp_lt_u32");
  execute("v_cmpx_lt_u32", &inst);
  assert_int_equal(og_load64(&wave->s[S_MASK]), 0x3ff);
  assert_int_equal(og_exec(wave), 0x3ff);
  assert_int_equal(wave->lanes[9], 0xffffffff);
  assert_int_equal(wave->lanes[10], 0);
}

static void truth_tables_are_looked_up_bit_by_bit(void **state) {
  (void)state;
  struct og_inst inst = vector_inst("v_bitop3_b32");
  put(V_SOURCE, 3, 0xf0f0f0f0), put(V_SOURCE + 4, 3, 0xcccccccc), put(V_SOURCE + 8, 3, 0xaaaaaaaa);
  for (unsigned table = 0; table < 256; table++) {
    inst.mod[OG_MOD_BITOP3] = (int32_t)table;
    execute("v_bitop3_b32", &inst);
    assert_int_equal(wave->v[V_RESULT][3], table * 0x01010101);
  }
  inst = vector_inst("v_dual_bitop2_b32");
  inst.mod[OG_MOD_BITOP3] = 0x14; /* exclusive or */
  execute("v_dual_bitop2_b32", &inst);
  assert_int_equal(wave->v[V_RESULT][3], 0x3c3c3c3c);
}

static void carries_go_in_and_out(void **state) {
  (void)state;
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    put(V_SOURCE, lane, 0xffffffff), put(V_SOURCE + 4, lane, 0);
  og_store64(&wave->s[S_CARRY], 0xaaaaaaaaaaaaaaaa);
  struct og_inst inst = vector_inst("v_addc_co_u32");
  execute("v_addc_co_u32", &inst);
  assert_int_equal(og_load64(&wave->s[S_MASK]), 0xaaaaaaaaaaaaaaaa);
  assert_int_equal(wave->v[V_RESULT][0], 0xffffffff);
  assert_int_equal(wave->v[V_RESULT][1], 0);
  inst = vector_inst("v_subb_co_u32");
  put(V_SOURCE, 1, 5), put(V_SOURCE + 4, 1, 5);
  execute("v_subb_co_u32", &inst);
  assert_int_equal(wave->v[V_RESULT][1], 0xffffffff);
  assert_int_equal(og_load64(&wave->s[S_MASK]) & 3, 2);
  inst = vector_inst("v_cndmask_b32");
  execute("v_cndmask_b32", &inst);
  assert_int_equal(wave->v[V_RESULT][0], 0xffffffff);
  assert_int_equal(wave->v[V_RESULT][3], 0);
}

static void accumulators_are_read_whole(void **state) {
  (void)state;
  put(V_SOURCE, 7, 0x4000000000000000), put(V_SOURCE + 4, 7, 0x4008000000000000), put(V_RESULT, 7, 0x3ff8000000000000);
  struct og_inst inst = vector_inst("v_fmac_f64");
  execute("v_fmac_f64", &inst);
  assert_int_equal(get(V_RESULT, 7, true), 0x401e000000000000); /* 2 * 3 + 1.5 */
}

static void modifiers_change_sources_and_results(void **state) {
  (void)state;
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    put(V_SOURCE, lane, 0xbf800000), put(V_SOURCE + 4, lane, 0x40000000); /* -1, 2 */
  struct og_inst inst = vector_inst("v_add_f32");
  operand_of(&inst, OG_ROLE_SRC0)->flags = OG_ABS | OG_NEG;
  operand_of(&inst, OG_ROLE_SRC1)->flags = OG_NEG;
  execute("v_add_f32", &inst);
  assert_int_equal(wave->v[V_RESULT][5], 0xc0400000); /* -|-1| + -2 */
  inst.mod[OG_MOD_CLAMP] = 1;
  execute("v_add_f32", &inst);
  assert_int_equal(wave->v[V_RESULT][5], 0);
  inst = vector_inst("v_add_f32");
  inst.mod[OG_MOD_OMOD] = 3;
  execute("v_add_f32", &inst);
  assert_int_equal(wave->v[V_RESULT][5], 0x3f800000); /* ignored: IEEE mode, denormals kept */
  wave->mode = 0xc0;
  execute("v_add_f32", &inst);
  assert_int_equal(wave->v[V_RESULT][5], 0x3f000000);
  inst = vector_inst("v_add_u32");
  inst.mod[OG_MOD_CLAMP] = 1;
  execute("v_add_u32", &inst);
  assert_int_equal(wave->v[V_RESULT][5], 0xff800000);
  inst = vector_inst("v_add_i32");
  inst.mod[OG_MOD_CLAMP] = 1;
  put(V_SOURCE, 5, 0x7fffffff);
  execute("v_add_i32", &inst);
  assert_int_equal(wave->v[V_RESULT][5], 0x7fffffff);
  inst = vector_inst("v_add_f16"); /* high halves by op_sel, into the high half */
  put(V_SOURCE, 5, 0x3c000000), put(V_SOURCE + 4, 5, 0x40000000), put(V_RESULT, 5, 0x1234);
  inst.mod[OG_MOD_OP_SEL] = 1 | 2 | 8;
  execute("v_add_f16", &inst);
  assert_int_equal(wave->v[V_RESULT][5], 0x42001234);
}

static void sub_dwords_are_selected_and_inserted(void **state) {
  (void)state;
  put(V_SOURCE, 9, 0x12fe5678), put(V_SOURCE + 4, 9, 0x11), put(V_RESULT, 9, 0xaabbccdd);
  struct og_inst inst = vector_inst("v_add_u32");
  inst.encoding = OG_ENC_VOP2;
  inst.variant = OG_VARIANT_SDWA;
  inst.mod[OG_MOD_SRC0_SEL] = 2;
  operand_of(&inst, OG_ROLE_SRC0)->flags = OG_SEXT;
  inst.mod[OG_MOD_SRC1_SEL] = 6;
  inst.mod[OG_MOD_DST_SEL] = 1;
  inst.mod[OG_MOD_DST_UNUSED] = 2; /* preserve */
  execute("v_add_u32", &inst);
  assert_int_equal(wave->v[V_RESULT][9], 0xaabb0fdd); /* -2 + 0x11 */
  inst.mod[OG_MOD_DST_UNUSED] = 0;
  execute("v_add_u32", &inst);
  assert_int_equal(wave->v[V_RESULT][9], 0x00000f00);
  inst.mod[OG_MOD_SRC1_SEL] = 0;
  put(V_SOURCE + 4, 9, 0);
  inst.mod[OG_MOD_DST_UNUSED] = 1; /* sign extend */
  execute("v_add_u32", &inst);
  assert_int_equal(wave->v[V_RESULT][9], 0xfffffe00);
}

static uint32_t dpp(int control, int row_mask, int bank_mask, int bound_ctrl, unsigned lane) {
  for (unsigned i = 0; i < OG_LANES; i++)
    put(V_SOURCE, i, i + 100), put(V_RESULT, i, 7);
  struct og_inst inst = vector_inst("v_mov_b32");
  inst.encoding = OG_ENC_VOP1;
  inst.variant = OG_VARIANT_DPP16;
  inst.mod[OG_MOD_DPP_CTRL] = control;
  inst.mod[OG_MOD_ROW_MASK] = row_mask;
  inst.mod[OG_MOD_BANK_MASK] = bank_mask;
  inst.mod[OG_MOD_BOUND_CTRL] = bound_ctrl;
  execute("v_mov_b32", &inst);
  return wave->v[V_RESULT][lane];
}
static void dpp_moves_data_between_lanes(void **state) {
  (void)state;
  assert_int_equal(dpp(0x1b, 15, 15, 0, 4), 107);  /* quad_perm:[3,2,1,0] */
  assert_int_equal(dpp(0x101, 15, 15, 0, 16), 117); /* row_shl:1 */
  assert_int_equal(dpp(0x101, 15, 15, 0, 15), 7);   /* nothing to read: not written */
  assert_int_equal(dpp(0x101, 15, 15, 1, 15), 0);   /* bound_ctrl: zero */
  assert_int_equal(dpp(0x112, 15, 15, 0, 18), 116);  /* row_shr:2 */
  assert_int_equal(dpp(0x121, 15, 15, 0, 16), 131);  /* row_ror:1 */
  assert_int_equal(dpp(0x130, 15, 15, 0, 15), 116);  /* wave_shl:1 */
  assert_int_equal(dpp(0x134, 15, 15, 0, 63), 100);  /* wave_rol:1 */
  assert_int_equal(dpp(0x138, 15, 15, 0, 16), 115);  /* wave_shr:1 */
  assert_int_equal(dpp(0x13c, 15, 15, 0, 0), 163);   /* wave_ror:1 */
  assert_int_equal(dpp(0x140, 15, 15, 0, 17), 130);  /* row_mirror */
  assert_int_equal(dpp(0x141, 15, 15, 0, 17), 122);  /* row_half_mirror */
  assert_int_equal(dpp(0x142, 15, 15, 0, 20), 115);  /* row_bcast:15 */
  assert_int_equal(dpp(0x142, 15, 15, 0, 5), 7);
  assert_int_equal(dpp(0x143, 15, 15, 0, 40), 131);  /* row_bcast:31 */
  assert_int_equal(dpp(0x1b, 13, 15, 0, 20), 7);     /* row 1 masked off */
  assert_int_equal(dpp(0x1b, 15, 13, 0, 20), 7);     /* bank 1 masked off */
  set_exec(~((uint64_t)1 << 17));
  assert_int_equal(dpp(0x101, 15, 15, 0, 16), 7);    /* source lane inactive */
  assert_int_equal(dpp(0x101, 15, 15, 1, 16), 0);
}

static void lanes_are_read_and_written_by_number(void **state) {
  (void)state;
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    put(V_SOURCE, lane, 1000 + lane);
  set_exec(0xff00);
  struct og_inst inst = {.encoding = OG_ENC_VOP1};
  add_operand(&inst, sgpr(OG_ROLE_SDST, 30));
  add_operand(&inst, vgpr(OG_ROLE_SRC0, V_SOURCE));
  execute("v_readfirstlane_b32", &inst);
  assert_int_equal(wave->s[30], 1008);
  add_operand(&inst, constant(OG_ROLE_SRC1, 67));
  execute("v_readlane_b32", &inst);
  assert_int_equal(wave->s[30], 1003);
  inst = (struct og_inst){.encoding = OG_ENC_VOP3};
  add_operand(&inst, vgpr(OG_ROLE_VDST, V_SOURCE));
  add_operand(&inst, constant(OG_ROLE_SRC0, 42));
  add_operand(&inst, constant(OG_ROLE_SRC1, 3));
  execute("v_writelane_b32", &inst);
  assert_int_equal(wave->v[V_SOURCE][3], 42);
}

/* How a compiler divides: scale, reciprocal, Newton's steps, fmas, fixup. Must give the correctly rounded quotient. */
static void fma_step(int *slot, const char *name, unsigned d, int a, int b, int c, unsigned flags_a) {
  struct og_inst inst = {.encoding = OG_ENC_VOP3};
  add_operand(&inst, vgpr(OG_ROLE_VDST, d));
  static const int roles[3] = {OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2};
  int sources[3] = {a, b, c};
  for (int i = 0; i < 3; i++)
    if (sources[i] >= 0)
      add_operand(&inst, vgpr(roles[i], (unsigned)sources[i]));
    else if (sources[i] == -2)
      add_operand(&inst, constant(roles[i], 0x3f800000));
  inst.operands[1].flags = (uint8_t)flags_a;
  if (strstr(name, "div_scale")) {
    inst.operands[3 + 1] = special(OG_ROLE_SDST, OG_SPECIAL_VCC_LO);
    inst.operand_count = 5;
  }
  prepare_at(name, &inst, (unsigned)(*slot)++);
}
static void divisions_are_correctly_rounded(void **state) {
  (void)state;
  static const float special_values[] = {1,        3,        0x1p-149f, 0x1.8p-127f, 0x1p-126f, 0x1.fffffep127f,
                                         0x1p127f, 0x1p100f, 0x1p-100f, 7e-40f,      1.5e30f,   0x1.000002p0f};
  int slot = 0;
  fma_step(&slot, "v_div_scale_f32", 20, 1, 1, 0, 0);           /* d = scaled denominator */
  fma_step(&slot, "v_div_scale_f32", 21, 0, 1, 0, 0);           /* n = scaled numerator; VCC */
  fma_step(&slot, "v_rcp_f32", 22, 20, -1, -1, 0);
  fma_step(&slot, "v_fma_f32", 23, 20, 22, -2, OG_NEG);         /* e = 1 - d r */
  fma_step(&slot, "v_fma_f32", 22, 23, 22, 22, 0);              /* r += e r */
  fma_step(&slot, "v_mul_f32", 24, 21, 22, -1, 0);              /* q = n r */
  fma_step(&slot, "v_fma_f32", 25, 20, 24, 21, OG_NEG);         /* n - d q */
  fma_step(&slot, "v_fma_f32", 24, 25, 22, 24, 0);
  fma_step(&slot, "v_fma_f32", 25, 20, 24, 21, OG_NEG);
  fma_step(&slot, "v_div_fmas_f32", 26, 25, 22, 24, 0);
  fma_step(&slot, "v_div_fixup_f32", 27, 26, 1, 0, 0);
  srand(7);
  for (int round = 0; round < 3000; round++) {
    for (unsigned lane = 0; lane < OG_LANES; lane++) {
      uint32_t a = (uint32_t)rand() << 16 ^ (uint32_t)rand(), b = (uint32_t)rand() << 16 ^ (uint32_t)rand();
      if (round < 12 && lane < 12)
        memcpy(&a, &special_values[round], 4), memcpy(&b, &special_values[lane], 4);
      if ((a & 0x7fffffff) > 0x7f800000 || (b & 0x7fffffff) > 0x7f800000)
        a = 0x3f800000, b = 0x40400000;
      put(0, lane, a), put(1, lane, b);
    }
    uint32_t a[OG_LANES], b[OG_LANES];
    memcpy(a, wave->v[0], sizeof(a)), memcpy(b, wave->v[1], sizeof(b));
    run((unsigned)slot);
    for (unsigned lane = 0; lane < OG_LANES; lane++) {
      float x, y, q, result;
      memcpy(&x, &a[lane], 4), memcpy(&y, &b[lane], 4), memcpy(&result, &wave->v[27][lane], 4);
      volatile float quotient = x / y;
      q = quotient;
      if (memcmp(&q, &result, 4) != 0 && !(q != q && result != result))
        fail_msg("%a / %a gives %a, expected %a", (double)x, (double)y, (double)result, (double)q);
    }
  }
}

static uint64_t random64(void) {
  static const uint64_t special_values[] = {0,
                                            1,
                                            0x80000000,
                                            0x7fffffff,
                                            0xffffffff,
                                            0x3f800000,
                                            0x7f800000,
                                            0xff800000,
                                            0x7fc00000,
                                            0x00800000,
                                            0x00000001,
                                            0x3ff0000000000000,
                                            0x7ff0000000000000,
                                            0xfff0000000000000,
                                            0x8000000000000000,
                                            0x7c003c00,
                                            0xfc00bc00,
                                            0x80008001,
                                            31,
                                            32,
                                            33,
                                            63,
                                            64,
                                            0xffff,
                                            0x8000,
                                            0x10000,
                                            0x0010000000000000,
                                            0x43e0000000000000,
                                            0x41e0000000000000,
                                            0xc1e0000000000000};
  uint64_t r = (uint64_t)rand() << 62 ^ (uint64_t)rand() << 31 ^ (uint64_t)rand();
  switch (rand() % 4) {
  case 0: return special_values[(uint64_t)rand() % OG_COUNT(special_values)];
  case 1: return r & 0x00ffffff00ffffff;
  default: return r;
  }
}

static bool is_bfloat_nan(uint64_t bits) {
  return (bits & 0x7fff) > 0x7f80;
}

static bool both_nan(const struct og_vector_row *row, uint64_t a, uint64_t b) {
  enum og_as type = (enum og_as)row->result;
  if (strstr(og_row_name(row->row), "bf16"))
    return (a % 65536 == b % 65536 || (is_bfloat_nan(a) && is_bfloat_nan(b))) &&
           (a >> 16 == b >> 16 || (is_bfloat_nan(a >> 16) && is_bfloat_nan(b >> 16)));
  if (type == OG_AS_F32)
    return (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000;
  if (type == OG_AS_F64)
    return a << 1 > (uint64_t)0xffe << 52 && b << 1 > (uint64_t)0xffe << 52;
  return type == OG_AS_F16;
}

/* Registers, scalars, constants: whatever handler it takes, and on whatever host, the bits are the same (of two NaN
 * operands either may come through). */
static void every_host_and_every_operand_shape_agree(void **state) {
  (void)state;
  unsigned seed = 20240601;
  srand(seed);
  print_message("seed %u\n", seed);
  static uint32_t expected[2][OG_LANES];
  for (size_t k = 0; k < og_vector_row_count; k++) {
    const struct og_vector_row *row = &og_vector_rows[k];
    const char *name = og_row_name(row->row);
    bool wide = og_as_is_64((enum og_as)row->result);
    for (int round = 0; round < 8; round++) {
      bool uniform = round % 2;
      wave->mode = (uint32_t[]){IEEE_MODE, FLUSH_MODE, IEEE_MODE | 0xf, 0x3f0}[round / 2];
      uint64_t values[3] = {random64(), random64(), random64()};
      for (unsigned lane = 0; lane < OG_LANES; lane++)
        for (unsigned i = 0; i < 3; i++)
          put(V_SOURCE + 4 * i, lane, uniform ? values[i] : random64());
      for (unsigned i = 0; i < 3; i++)
        og_store64(&wave->s[40 + 2 * i], values[i]);
      set_exec(random64() | 1);
      og_store64(&wave->s[S_CARRY], random64());
      uint64_t carry = random64(), mask = 0;
      og_set_s64(wave, OG_S_VCC, carry);
      bool first = true;
      for (size_t variant = 0; variant < og_vector_variant_count; variant++) {
        program->variant = og_vector_variants[variant];
        if (!program->variant->usable())
          continue;
        for (unsigned shape = 0; shape < (uniform ? 8u : 1u); shape++) {
          struct og_inst inst = vector_inst(name);
          static const int roles[3] = {OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2};
          for (int i = 0; i < 3; i++)
            if (shape >> i & 1 && row->source[i] != OG_AS_NONE)
              *operand_of(&inst, roles[i]) = sgpr(roles[i], 40 + 2 * (unsigned)i);
          memset(wave->v[V_RESULT], 0x33, 2 * sizeof(wave->v[0]));
          execute(name, &inst);
          if (first) {
            memcpy(expected, wave->v[V_RESULT], sizeof(expected));
            mask = og_load64(&wave->s[S_MASK]);
            first = false;
          }
          for (unsigned lane = 0; lane < OG_LANES; lane++) {
            uint64_t got = get(V_RESULT, lane, wide),
                     want = expected[0][lane] | (wide ? (uint64_t)expected[1][lane] << 32 : 0);
            if (got != want && !both_nan(row, got, want))
              fail_msg("%s on %s, shape %u, lane %u, mode %x: %llx, elsewhere %llx", name, program->variant->name,
                       shape, lane, wave->mode, (unsigned long long)got, (unsigned long long)want);
          }
          if (row->flags & OG_VECTOR_CARRY_OUT && og_load64(&wave->s[S_MASK]) != mask)
            fail_msg("%s on %s, shape %u: another mask", name, program->variant->name, shape);
        }
      }
    }
  }
}

/* Numbers that need no care: floats of all widths, near 1. */
static uint64_t plain64(void) {
  const uint64_t r = (uint64_t)rand() << 62 ^ (uint64_t)rand() << 31 ^ (uint64_t)rand();
  return (r & 0x83ff83ff83ff83ff) | 0x3c003c003c003c00;
}

/* Handlers look whether no lane needs care: a lane gets the same where another one does, and where it alone does. */
static void compare_beside_others(const struct og_vector_row *row) {
  const char *name = og_row_name(row->row);
  const struct og_inst inst = vector_inst(name);
  static uint32_t results[2][2][OG_LANES];
  uint64_t masks[2] = {0};
  for (int careful = 0; careful < 2; careful++) {
    for (unsigned i = 0; i < 3; i++)
      put(V_SOURCE + 4 * i, 0, careful ? 0x7ff97e017fc17e01 : 0x3c013c013c013c01);
    memset(wave->v[V_RESULT], 0x33, sizeof(results[0]));
    execute(name, &inst);
    memcpy(results[careful], wave->v[V_RESULT], sizeof(results[0]));
    if (row->flags & OG_VECTOR_CARRY_OUT)
      masks[careful] = og_load64(&wave->s[S_MASK]);
  }
  for (unsigned lane = 1; lane < OG_LANES; lane++)
    if (results[0][0][lane] != results[1][0][lane] || results[0][1][lane] != results[1][1][lane] ||
        (masks[0] ^ masks[1]) >> lane & 1)
      fail_msg("%s on %s, mode %x, lane %u: %x%08x, beside a NaN %x%08x", name, program->variant->name, wave->mode,
               lane, results[0][1][lane], results[0][0][lane], results[1][1][lane], results[1][0][lane]);
}

static void lanes_do_not_depend_on_each_other(void **state) {
  (void)state;
  srand(20240602);
  og_store64(&wave->s[S_CARRY], 0);
  og_set_s64(wave, OG_S_VCC, 0);
  for (int round = 0; round < 64; round++) {
    for (size_t k = 0; k < og_vector_row_count; k++) {
      wave->mode = (uint32_t[]){IEEE_MODE, FLUSH_MODE, PLAIN_MODE, 0x300 | ((uint32_t)rand() & 0xff)}[round % 4];
      for (unsigned lane = 1; lane < OG_LANES; lane++)
        for (unsigned i = 0; i < 3; i++)
          put(V_SOURCE + 4 * i, lane, plain64());
      if (round >= 16)
        put(V_SOURCE + 4 * ((unsigned)rand() % 3), 1 + (unsigned)rand() % (OG_LANES - 1), random64() << (rand() & 32));
      for (size_t variant = 0; variant < og_vector_variant_count; variant++) {
        program->variant = og_vector_variants[variant];
        if (program->variant->usable())
          compare_beside_others(&og_vector_rows[k]);
      }
    }
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, wave_setup, wave_teardown)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(instructions_compute_what_the_manual_says),
      TEST(inactive_lanes_keep_their_registers),
      TEST(compares_write_exec_when_they_are_v_cmpx),
      TEST(truth_tables_are_looked_up_bit_by_bit),
      TEST(carries_go_in_and_out),
      TEST(accumulators_are_read_whole),
      TEST(modifiers_change_sources_and_results),
      TEST(sub_dwords_are_selected_and_inserted),
      TEST(dpp_moves_data_between_lanes),
      TEST(lanes_are_read_and_written_by_number),
      TEST(divisions_are_correctly_rounded),
      TEST(every_host_and_every_operand_shape_agree),
      TEST(lanes_do_not_depend_on_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
