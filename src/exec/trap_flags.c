/* trap_flags.c - exceptions of floats in f32 and f64: of sums and products as the host's arithmetic raises them, of
 * reciprocals and roots by operand and result. Other instructions raise none. */
#include "exec/trap_flags.h"

#include <string.h>

#include "base/float_control.h"
#include "exec/lane_small.h"
#include "exec/memory.h"
#include "isa/rows.h"

enum kind { NONE, ARITHMETIC, RECIPROCAL, ROOT, RECIPROCAL_ROOT, INTEGER_RECIPROCAL };
struct operation {
  enum kind kind;
  bool wide; /* f64 */
};

static struct operation operation_of(unsigned row) {
  switch (row) {
  case OG_ROW_V_ADD_F32: case OG_ROW_V_SUB_F32: case OG_ROW_V_SUBREV_F32: case OG_ROW_V_MUL_F32: case OG_ROW_V_MAC_F32:
  case OG_ROW_V_MAD_F32: case OG_ROW_V_FMA_F32: case OG_ROW_V_FMAC_F32:
    return (struct operation){ARITHMETIC, false};
  case OG_ROW_V_ADD_F64: case OG_ROW_V_MUL_F64: case OG_ROW_V_FMA_F64: case OG_ROW_V_FMAC_F64:
    return (struct operation){ARITHMETIC, true};
  case OG_ROW_V_RCP_F32: return (struct operation){RECIPROCAL, false};
  case OG_ROW_V_RCP_F64: return (struct operation){RECIPROCAL, true};
  case OG_ROW_V_RCP_IFLAG_F32: return (struct operation){INTEGER_RECIPROCAL, false};
  case OG_ROW_V_SQRT_F32: return (struct operation){ROOT, false};
  case OG_ROW_V_SQRT_F64: return (struct operation){ROOT, true};
  case OG_ROW_V_RSQ_F32: return (struct operation){RECIPROCAL_ROOT, false};
  case OG_ROW_V_RSQ_F64: return (struct operation){RECIPROCAL_ROOT, true};
  default: return (struct operation){NONE, false};
  }
}

/* ---- reciprocals and roots --------------------------------------------------------------------------------------- */

/* A float's exponent and fraction, without the sign, as the wider format has it. */
static u64 magnitude(u64 bits, bool wide) { return wide ? bits & INT64_MAX : bits & INT32_MAX; }
static u64 infinity(bool wide) { return wide ? (u64)0x7ff << 52 : 0x7f800000; }
static bool is_nan(u64 bits, bool wide) { return magnitude(bits, wide) > infinity(wide); }
static bool is_signalling(u64 bits, bool wide) { return is_nan(bits, wide) && !(bits >> (wide ? 51 : 22) & 1); }

/* Modifiers of the operand change its sign alone, and what it is can be told without. */
static u32 raised_by(struct operation operation, u64 from, u64 to) {
  bool wide = operation.wide, infinite = magnitude(to, wide) == infinity(wide);
  if (is_signalling(from, wide) || (is_nan(to, wide) && !is_nan(from, wide)))
    return OG_FLAG_INVALID;
  bool small = magnitude(from, wide) < (wide ? (u64)1 << 52 : 1u << 23); /* 0, or a denormal that counts as 0 */
  if (!small || !infinite || operation.kind == ROOT)
    return 0;
  return operation.kind == INTEGER_RECIPROCAL ? OG_FLAG_INTEGER : OG_FLAG_DIVISION;
}

static u64 lane_of(struct og_wave *wave, u32 place, unsigned lane, u64 constant, bool wide) {
  if (place < OG_AT_V(0))
    return (wide ? og_load64(og_at(wave, place)) : *og_at(wave, place)) + constant;
  const u32 *row = og_at(wave, place) + lane;
  return wide ? row[0] | (u64)row[OG_LANES] << 32 : row[0];
}

static u32 raised_by_results(struct og_wave *wave, const struct og_operation *op, const u64 from[OG_LANES],
                             struct operation operation) {
  u32 raised = 0;
  for (u64 lanes = og_active(wave); lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    raised |= raised_by(operation, from[lane], lane_of(wave, op->d, lane, 0, operation.wide));
  }
  return raised;
}

/* ---- sums and products: a rehearsal in which all lanes have operands of active ones ------------------------------ */

enum { PLACES = 4 /* three sources and the destination */, ROWS = 2 };

static void fill_inactive(u32 row[OG_LANES], u64 active) {
  u32 value = row[__builtin_ctzll(active)];
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    row[lane] = active >> lane & 1 ? row[lane] : value;
}

static u32 rehearse(struct og_wave *wave, const struct og_operation *op, og_handler *handler, bool wide) {
  const u32 places[PLACES] = {op->s[0], op->s[1], op->s[2], op->d};
  u32 saved[PLACES][ROWS][OG_LANES], flags, control = wave->float_control_32;
  const unsigned rows = wide ? 2 : 1;
  u64 active = og_active(wave);
  if (!active)
    return 0;
  for (unsigned i = 0; i < PLACES; i++) /* all before any changes: they may be the same */
    if (places[i] >= OG_AT_V(0))
      memcpy(saved[i], og_at(wave, places[i]), rows * sizeof saved[i][0]);
  for (unsigned i = 0; i < PLACES; i++)
    for (unsigned row = 0; row < rows && places[i] >= OG_AT_V(0); row++)
      fill_inactive(og_at(wave, places[i]) + row * OG_LANES, active);
  if (wide) /* the handler changes the host's control where they differ, and flags are lost with that */
    wave->float_control_32 = wave->float_control_64;
  og_set_float_control(wave->float_control_32);
  handler(wave, op);
  flags = og_get_float_control() & OG_FLOAT_FLAGS;
  wave->float_control_32 = control;
  og_set_float_control(control);
  for (unsigned i = PLACES; i-- > 0;)
    if (places[i] >= OG_AT_V(0))
      memcpy(og_at(wave, places[i]), saved[i], rows * sizeof saved[i][0]);
  return flags;
}

const struct og_operation *og_with_float_flags(struct og_wave *wave, const struct og_operation *op, og_handler *handler,
                                               u32 *raised) {
  struct operation operation = operation_of(op->class == OG_CLASS_VALU ? op->row : OG_ROW_S_NOP);
  if (operation.kind == NONE)
    return handler(wave, op);
  if (operation.kind == ARITHMETIC) {
    *raised |= rehearse(wave, op, handler, operation.wide);
    return handler(wave, op);
  }
  u64 from[OG_LANES];
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    from[lane] = lane_of(wave, op->s[0], lane, op->constant[0], operation.wide);
  const struct og_operation *next = handler(wave, op);
  *raised |= raised_by_results(wave, op, from, operation);
  return next;
}
