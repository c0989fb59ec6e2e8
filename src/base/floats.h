/* floats.h - small float formats <-> f32: halves, bfloats, fp8, bf8, fp6, bf6, fp4. Exact where the value fits. */
#ifndef OG_FLOATS_H
#define OG_FLOATS_H

#include <stdbool.h>
#include <stdint.h>

enum og_rounding { OG_ROUND_NEAREST, OG_ROUND_UP, OG_ROUND_DOWN, OG_ROUND_ZERO }; /* as MODE.fp_round numbers them */

static inline float og_float_of_bits(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}
static inline uint32_t og_bits_of_float(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, 4);
  return bits;
}

float og_half_to_float(uint16_t half);
uint16_t og_float_to_half(float value, enum og_rounding rounding); /* NaN payloads keep their upper bits, quieted */
uint16_t og_double_to_half(double value); /* nearest even, rounded once */
float og_bfloat_to_float(uint16_t bfloat);
uint16_t og_float_to_bfloat(float value); /* nearest even */

/* A float format of up to 8 bits: sign, exponent, mantissa. */
struct og_small_float {
  uint8_t exponent_bits, mantissa_bits;
  int8_t bias;
  bool infinities; /* the highest exponent means infinity and NaN, as in IEEE formats */
  uint8_t nan;     /* the only NaN, where there are no infinities; 0: there is none */
};
extern const struct og_small_float og_fp8_e4m3;      /* OCP E4M3FN: S.1111.111 is NaN */
extern const struct og_small_float og_bf8_e5m2;      /* OCP E5M2 */
extern const struct og_small_float og_fp8_e4m3_fnuz; /* gfx94x: bias 8, 0x80 is NaN, no -0 */
extern const struct og_small_float og_bf8_e5m2_fnuz; /* gfx94x: bias 16 */
extern const struct og_small_float og_fp6_e2m3;
extern const struct og_small_float og_bf6_e3m2;
extern const struct og_small_float og_fp4_e2m1;

float og_small_to_float(const struct og_small_float *format, uint8_t bits);
/* Nearest even; too large becomes the largest finite value when `saturate`, else infinity or NaN. */
uint8_t og_float_to_small(const struct og_small_float *format, float value, bool saturate);

#endif
