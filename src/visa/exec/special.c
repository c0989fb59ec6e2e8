/* special.c - instructions that look across channels or convert to formats no register type has. */
#include "visa/exec/exec.h"

#include <stdlib.h>
#include <string.h>

#include "base/floats.h"

#define ROOM(name) uint8_t name[OG_VX_OPERAND_BYTES] __attribute__((aligned(64)))

/* sad2, sad2add: the sum for a pair goes to its first channel; the second one's result is undefined, and is not
   written. */
const struct og_vx_op *og_vx_run_absolute_differences(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op) & 0x55555555;
  uint8_t rooms[3][OG_VX_OPERAND_BYTES] __attribute__((aligned(64)));
  const int64_t *in[3] = {NULL, NULL, NULL};
  int64_t out[OG_VX_CHANNELS] = {0};
  for (uint32_t i = 0; i < op->source_count; i++)
    if (!(in[i] = og_vx_fetch(thread, op, &op->source[i], op->exec_size, rooms[i])))
      return NULL;
  for (uint32_t i = 0; i < op->exec_size; i += 2)
    out[i] = llabs(in[0][i] - in[1][i]) + llabs(in[0][i + 1] - in[1][i + 1]) + (in[2] ? in[2][i] : 0);
  return og_vx_store(thread, op, &op->destination, out, enabled) ? op + 1 : NULL;
}

/* line: p * x + r; plane (`kind`): p * u + q * v + r, where u and v of each eight channels are in two registers of
   eight. p, q, r are elements 0, 1 and 3 of the first source. */
const struct og_vx_op *og_vx_run_line(struct og_vx_thread *thread, const struct og_vx_op *op) {
  ROOM(room0);
  ROOM(room1);
  const float *c = og_vx_fetch(thread, op, &op->source[0], 4, room0);
  const float *x =
      c ? og_vx_fetch(thread, op, &op->source[1], op->kind ? 2u * op->exec_size : op->exec_size, room1) : NULL;
  if (!x)
    return NULL;
  float out[OG_VX_CHANNELS];
  for (uint32_t i = 0; i < op->exec_size; i++) {
    const float *u = op->kind ? x + i / 8 * 16 + i % 8 : x + i;
    out[i] = c[0] * u[0] + (op->kind ? c[1] * u[8] : 0) + c[3];
  }
  return og_vx_store(thread, op, &op->destination, out, og_vx_enabled(thread, op)) ? op + 1 : NULL;
}

/* Rounds to 10 bits of fraction, ties to even; denormals become 0. */
static uint32_t to_tf32(uint32_t bits) {
  if ((bits & 0x7f800000) == 0x7f800000)
    return bits & 0x7fffff ? bits | 0x400000 : bits;
  if (!(bits & 0x7f800000))
    return bits & 0x80000000;
  return (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu;
}

static uint32_t convert_small(uint8_t kind, const uint8_t *values, uint32_t i) {
  switch (kind) {
  case 0: return og_float_to_half(og_small_to_float(&og_bf8_e5m2, values[i]), OG_ROUND_NEAREST);
  case 1: return og_float_to_small(&og_bf8_e5m2, og_half_to_float(og_load16(values + 2 * i)), false);
  case 2: return og_float_to_half(og_small_to_float(&og_fp8_e4m3, values[i]), OG_ROUND_NEAREST);
  case 3: return og_float_to_small(&og_fp8_e4m3, og_half_to_float(og_load16(values + 2 * i)), false);
  case 4: return og_load32(values + 4 * i);
  default: return to_tf32(og_load32(values + 4 * i));
  }
}

/* fcvt; `kind` is the pair of formats, see the decoder. */
const struct og_vx_op *og_vx_run_small_float(struct og_vx_thread *thread, const struct og_vx_op *op) {
  ROOM(room);
  ROOM(out);
  const uint8_t *values = og_vx_fetch(thread, op, &op->source[0], op->exec_size, room);
  if (!values)
    return NULL;
  for (uint32_t i = 0; i < op->exec_size; i++) {
    uint32_t result = convert_small(op->kind, values, i);
    memcpy(out + (i << op->destination.size_log2), &result, (size_t)1 << op->destination.size_log2);
  }
  return og_vx_store(thread, op, &op->destination, out, og_vx_enabled(thread, op)) ? op + 1 : NULL;
}

/* Adds a random number below the last bit that stays, then cuts off the rest. */
static uint16_t round_to_half(uint32_t bits, uint32_t noise) {
  if ((bits & 0x7f800000) != 0x7f800000)
    bits += noise & 0x1fff;
  bool overflow = (bits & 0x7fffffff) >= 0x47800000 && (bits & 0x7f800000) != 0x7f800000; /* 65536 */
  return overflow ? (uint16_t)(bits >> 16 & 0x8000) | 0x7c00 : og_float_to_half(og_float_of_bits(bits), OG_ROUND_ZERO);
}

static uint8_t round_to_bf8(uint16_t bits, uint32_t noise) {
  if ((bits & 0x7c00) == 0x7c00)
    return (uint8_t)(bits >> 8 | ((bits & 0x3ff) != 0 ? 2 : 0));
  return (uint8_t)((bits + (noise & 0xff)) >> 8); /* a carry into the exponent is the next power, at the end infinity */
}

/* srnd; `kind`: hf to bf8, else f to hf. */
const struct og_vx_op *og_vx_run_stochastic(struct og_vx_thread *thread, const struct og_vx_op *op) {
  ROOM(room0);
  ROOM(room1);
  ROOM(out);
  const uint8_t *values = og_vx_fetch(thread, op, &op->source[0], op->exec_size, room0);
  const uint32_t *noise = values ? og_vx_fetch(thread, op, &op->source[1], op->exec_size, room1) : NULL;
  if (!noise)
    return NULL;
  for (uint32_t i = 0; i < op->exec_size; i++)
    if (op->kind)
      out[i] = round_to_bf8(og_load16(values + 2 * i), noise[i]);
    else
      og_store16(out + 2 * i, round_to_half(og_load32(values + 4 * i), noise[i]));
  return og_vx_store(thread, op, &op->destination, out, og_vx_enabled(thread, op)) ? op + 1 : NULL;
}

static bool is_final(const uint8_t *value, bool wide) {
  if (wide) {
    uint64_t magnitude = og_load64(value) << 1;
    return magnitude == 0 || magnitude >= 0xffe0000000000000u;
  }
  uint32_t magnitude = og_load32(value) << 1;
  return magnitude == 0 || magnitude >= 0xff000000;
}

/* invm gives a quotient, rsqtm the reciprocal of a root. The predicate says where that is a zero, an infinity or a NaN,
   which needs no refinement. What the manual calls an approximation is the final result here. */
const struct og_vx_op *og_vx_run_math_macro(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op), final = 0, size = og_alu_sizes[op->source[0].wide];
  uint8_t rooms[2][OG_VX_OPERAND_BYTES] __attribute__((aligned(64)));
  ROOM(out);
  const void *in[2] = {NULL, NULL};
  for (uint32_t i = 0; i < op->source_count; i++)
    if (!(in[i] = og_vx_fetch(thread, op, &op->source[i], op->exec_size, rooms[i])))
      return NULL;
  op->alu(out, in[0], in[1], NULL, op->exec_size, 0);
  for (uint32_t i = 0; i < op->exec_size; i++)
    final |= (uint32_t)is_final(out + (size_t)i * size, size == 8) << i;
  og_vx_set_predicate(thread, op, final, enabled);
  return og_vx_store(thread, op, &op->destination, out, enabled) ? op + 1 : NULL;
}

/* add3.o: the sum of three; the predicate says for each channel whether the destination's type (`extra`: its bits;
   `kind`: signed) cannot hold it. */
const struct og_vx_op *og_vx_run_add3_overflow(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op), overflows = 0;
  uint8_t rooms[3][OG_VX_OPERAND_BYTES] __attribute__((aligned(64)));
  const int64_t *in[3];
  int64_t sums[OG_VX_CHANNELS], low = op->kind ? -(1ll << (op->extra - 1)) : 0, high = low + (1ll << op->extra);
  for (uint32_t i = 0; i < 3; i++)
    if (!(in[i] = og_vx_fetch(thread, op, &op->source[i], op->exec_size, rooms[i])))
      return NULL;
  for (uint32_t i = 0; i < op->exec_size; i++) {
    sums[i] = in[0][i] + in[1][i] + in[2][i];
    overflows |= (uint32_t)(sums[i] < low || sums[i] >= high) << i;
  }
  og_vx_set_predicate(thread, op, overflows, enabled);
  return og_vx_store(thread, op, &op->destination, sums, enabled) ? op + 1 : NULL;
}
