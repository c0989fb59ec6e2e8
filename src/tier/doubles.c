/* doubles.c - doubles and other numbers of 64 bits, and floats to integers and back. A strip's numbers of 64 bits are
 * two registers, each with two of every four lanes. */
#include "tier/rows.h"

enum { AND_I = OG_VEX(1, 1, 0, 0xdb), XOR_I = OG_VEX(1, 1, 0, 0xef), FLOATS = OG_VEX(0, 1, 0, 0xc2) };

/* A row of sixteen dwords: two by turns. */
static struct og_place pairs(struct og_unit *unit, uint32_t low, uint32_t high) {
  uint32_t row[16];
  for (unsigned i = 0; i < OG_COUNT(row); i++)
    row[i] = i % 2 ? high : low;
  return og_constant_row(&unit->code, row);
}

/* The first or the second two of every four lanes of a source, with its modifiers, to `to`. */
static void gather(struct og_unit *unit, const struct og_item *item, unsigned i, unsigned part, unsigned to) {
  struct og_encoder *e = &unit->code;
  const struct og_operation *op = item->does;
  unsigned flags = item->modifiers ? item->modifiers->flags[i] : 0;
  if (og_is_vector_place(op->s[i])) { /* VUNPCKLPS, VUNPCKHPS */
    unsigned vgpr = og_vgpr_of(op->s[i]), low = unit->host[vgpr] ? unit->host[vgpr] : to, high = unit->host[vgpr + 1];
    if (low == to)
      og_emit_load(unit, to, og_home(unit, vgpr));
    og_emit_vector(e, OG_VEX(0, 1, 0, part ? 0x15 : 0x14), to, low,
                   high ? og_place_register(high) : og_home(unit, vgpr + 1), 0, false);
  } else if (op->s[i] == OG_AT_S(OG_S_ZERO)) {
    og_emit_load(unit, to, pairs(unit, (uint32_t)op->constant[i], (uint32_t)(op->constant[i] >> 32)));
  } else { /* VBROADCASTSD */
    og_emit_vector(e, OG_VEX_W1(1, 2, 0x19), to, 0, og_in_wave(op->s[i]), 0, false);
  }
  if (flags & OG_ABS)
    og_emit_vector(e, AND_I, to, to, pairs(unit, UINT32_MAX, 0x7fffffff), 0, false);
  if (flags & OG_NEG)
    og_emit_vector(e, XOR_I, to, to, pairs(unit, 0, 0x80000000), 0, false);
}

/* Dwords of both parts in the lanes' order, of P0 and P1: the lower or the upper ones (VSHUFPS). */
static void join(struct og_unit *unit, unsigned to, bool high) {
  og_emit_vector(&unit->code, OG_VEX(0, 1, 0, 0xc6), to, OG_P0, og_place_register(OG_P1), 0, false);
  og_emit_byte(&unit->code, high ? 0xdd : 0x88);
}
static void join_both(struct og_unit *unit) {
  join(unit, OG_T0, false);
  join(unit, OG_T1, true);
}

void og_emit_double(struct og_unit *unit, const struct og_item *item, uint32_t instruction) {
  struct og_encoder *e = &unit->code;
  bool fused = item->types->source[2] != OG_AS_NONE;
  unsigned first = item->swaps ? OG_T1 : OG_T0, second = item->swaps ? OG_T0 : OG_T1;
  for (unsigned part = 0; part < 2; part++) {
    for (unsigned i = 0; i < (fused ? 3 : 2); i++)
      gather(unit, item, i, part, OG_T0 + i);
    unsigned to = fused ? OG_T2 : OG_P0 + part;
    og_emit_vector(e, instruction, to, first, og_place_register(second), 0, false);
    if (fused)
      og_emit_load(unit, OG_P0 + part, og_place_register(to));
  }
  join_both(unit);
}

void og_emit_double_root(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  enum { ROOT = OG_VEX_W1(1, 1, 0x51), DIVIDE = OG_VEX_W1(1, 1, 0x5e) };
  for (unsigned part = 0; part < 2; part++) {
    unsigned to = OG_P0 + part;
    gather(unit, item, 0, part, OG_T0);
    if (step->what == ROUND_D) {
      og_emit_registers(unit, OG_VEX_W1(1, 3, 0x09), to, 0, OG_T0), og_emit_byte(&unit->code, item->row->predicate);
      continue;
    }
    if (step->what != RECIPROCAL_D)
      og_emit_registers(unit, ROOT, step->what == ROOT_D ? to : OG_T0, 0, OG_T0);
    if (step->what != ROOT_D) {
      og_emit_load(unit, OG_T1, pairs(unit, 0, 0x3ff00000));
      og_emit_registers(unit, DIVIDE, to, OG_T1, OG_T0);
    }
  }
  join_both(unit);
}

/* ---- conversions ------------------------------------------------------------------------------------------------- */

/* Numbers of 64 bits within a register: VPERMQ, by places or, in 256 bits, by a byte. */
static void turn(struct og_unit *unit, unsigned reg, const uint8_t places[8], unsigned narrow) {
  struct og_encoder *e = &unit->code;
  uint32_t row[16] = {0};
  for (unsigned i = 0; i < 8; i++)
    row[2 * i] = places[i];
  if (e->wide) {
    og_emit_load(unit, OG_P2, og_constant_row(e, row));
    og_emit_registers(unit, OG_VEX(1, 2, 1, 0x36), reg, OG_P2, reg);
  } else {
    og_emit_registers(unit, OG_VEX(1, 3, 1, 0x00), reg, 0, reg), og_emit_byte(e, narrow);
  }
}

/* The first half of the lanes, then the others, which are doubles in the lanes' order. */
void og_emit_to_double(struct og_unit *unit, const struct og_item *item, uint32_t instruction) {
  static const uint8_t places[8] = {0, 2, 4, 6, 1, 3, 5, 7};
  struct og_encoder *e = &unit->code;
  unsigned from = og_register_of(unit, item, S0, OG_P0);
  uint32_t extract = e->wide ? OG_VEX(1, 3, 1, 0x3b) : OG_VEX(1, 3, 0, 0x39); /* VEXTRACTI64X4, VEXTRACTI128 */
  og_emit_registers(unit, extract, from, 0, OG_P1), og_emit_byte(e, 1);
  og_emit_registers(unit, instruction, OG_P1, 0, OG_P1);
  og_emit_registers(unit, instruction, OG_P0, 0, from);
  join_both(unit);
  for (unsigned high = 0; high < 2; high++)
    turn(unit, OG_T0 + high, places, 0xd8);
}

void og_emit_from_double(struct og_unit *unit, const struct og_item *item, uint32_t instruction, bool saturates) {
  enum { ORDERED = 7, COMPARE = OG_VEX_W1(1, 1, 0xc2), LEAST = OG_VEX_W1(1, 1, 0x5d), GREATEST = 0x41dfffff };
  static const uint8_t places[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  struct og_encoder *e = &unit->code;
  uint32_t insert = e->wide ? OG_VEX(1, 3, 1, 0x3a) : OG_VEX(1, 3, 0, 0x38); /* VINSERTI64X4, VINSERTI128 */
  for (unsigned part = 0; part < 2; part++) {
    unsigned to = OG_P0 + part;
    gather(unit, item, 0, part, OG_T0);
    if (saturates) { /* a NaN becomes 0; what is too small becomes the least of itself */
      og_emit_registers(unit, COMPARE, e->wide ? OG_K_TEMPORARY : OG_T1, OG_T0, OG_T0), og_emit_byte(e, ORDERED);
      if (e->wide)
        og_emit_vector(e, OG_VEX_W1(1, 1, 0x10), OG_T0, 0, og_place_register(OG_T0), OG_K_TEMPORARY, true);
      else
        og_emit_registers(unit, AND_I, OG_T0, OG_T0, OG_T1);
      og_emit_vector(e, LEAST, OG_T0, OG_T0, pairs(unit, 0xffc00000, GREATEST), 0, false);
    }
    og_emit_registers(unit, instruction, to, 0, OG_T0);
  }
  og_emit_registers(unit, insert, OG_T0, OG_P0, OG_P1), og_emit_byte(e, 1);
  turn(unit, OG_T0, places, 0xd8);
}

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

/* One part's result in each of its dwords. */
static void compare_part_wide(struct og_unit *unit, unsigned to, const struct step *step, unsigned predicate) {
  struct og_encoder *e = &unit->code;
  uint32_t instruction = step->what == COMPARE_D   ? OG_VEX_W1(1, 1, 0xc2)
                         : step->what == COMPARE_Q ? OG_VEX_W1(1, 3, 0x1f)
                                                   : OG_VEX_W1(1, 3, 0x1e);
  og_emit_registers(unit, instruction, OG_K_TEMPORARY, OG_T0, OG_T1), og_emit_byte(e, predicate);
  og_emit_registers(unit, OG_VEX_W1(2, 2, 0x38), to, 0, OG_K_TEMPORARY); /* VPMOVM2Q */
}
/* Of integers: what the host has, equality and "greater than" of signed ones; the rest by exchange and negation. */
static bool is_equality(unsigned predicate) { return predicate == 0 || predicate == 4; }
static void compare_part_narrow(struct og_unit *unit, unsigned to, const struct step *step, unsigned predicate) {
  struct og_encoder *e = &unit->code;
  bool swaps = predicate == 1 || predicate == 5;
  if (step->what == COMPARE_D) {
    og_emit_registers(unit, OG_VEX_W1(1, 1, 0xc2), to, OG_T0, OG_T1), og_emit_byte(e, predicate);
    return;
  }
  if (step->what == COMPARE_UQ && !is_equality(predicate))
    for (unsigned i = 0; i < 2; i++)
      og_emit_vector(e, XOR_I, OG_T0 + i, OG_T0 + i, pairs(unit, 0, 0x80000000), 0, false);
  og_emit_registers(unit, OG_VEX(1, 2, 0, is_equality(predicate) ? 0x29 : 0x37), to, swaps ? OG_T1 : OG_T0,
                    swaps ? OG_T0 : OG_T1); /* VPCMPEQQ, VPCMPGTQ */
}

void og_emit_compare_64(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  unsigned predicate = item->row->predicate;
  for (unsigned part = 0; part < 2; part++) {
    gather(unit, item, 0, part, OG_T0);
    gather(unit, item, 1, part, OG_T1);
    (e->wide ? compare_part_wide : compare_part_narrow)(unit, OG_P0 + part, step, predicate);
  }
  if (e->wide) { /* VPTESTMD */
    join(unit, OG_P0, false);
    og_emit_vector(e, OG_VEX(1, 2, 0, 0x27), OG_K_CO, OG_P0, og_place_register(OG_P0), unit->masked ? OG_K_EXEC : 0,
                   false);
    return;
  }
  join(unit, OG_CO_LANES, false);
  if (step->what != COMPARE_D && (predicate == 4 || predicate == 2 || predicate == 5))
    og_emit_with_constant(unit, XOR_I, OG_CO_LANES, OG_CO_LANES, UINT32_MAX);
}

/* ---- floats and integers ----------------------------------------------------------------------------------------- */

void og_emit_to_integer(struct og_unit *unit, unsigned to, unsigned from) {
  enum { UNORDERED = 3, ORDERED = 7, AT_LEAST = 13 };
  struct og_encoder *e = &unit->code;
  unsigned lanes = e->wide ? OG_K_TEMPORARY : OG_T2, mask = e->wide ? OG_K_TEMPORARY : 0;
  struct og_place itself = og_place_register(from);
  og_emit_vector(e, OG_VEX(2, 1, 0, 0x5b), to, 0, itself, 0, false); /* VCVTTPS2DQ */
  og_emit_vector(e, FLOATS, lanes, from, pairs(unit, 0x4f000000, 0x4f000000), 0, false), og_emit_byte(e, AT_LEAST);
  og_emit_vector(e, XOR_I, to, to, e->wide ? pairs(unit, UINT32_MAX, UINT32_MAX) : og_place_register(OG_T2), mask,
                 false);
  og_emit_vector(e, FLOATS, lanes, from, itself, 0, false), og_emit_byte(e, e->wide ? UNORDERED : ORDERED);
  og_emit_vector(e, e->wide ? XOR_I : AND_I, to, to, og_place_register(e->wide ? to : OG_T2), mask, false);
}

void og_emit_to_unsigned(struct og_unit *unit, unsigned to, unsigned from) {
  enum {
    AT_LEAST = 13,
    OR_I = OG_VEX(1, 1, 0, 0xeb),
    SUBTRACT = OG_VEX(0, 1, 0, 0x5c),
    TRUNCATE = OG_VEX(2, 1, 0, 0x5b)
  };
  struct og_encoder *e = &unit->code;
  if (e->wide) { /* VCVTTPS2UDQ: what is too large becomes the greatest */
    og_emit_vector(e, FLOATS, OG_K_TEMPORARY, from, og_constant_lanes(e, 0), 0, false), og_emit_byte(e, AT_LEAST);
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x78), to, 0, og_place_register(from), OG_K_TEMPORARY, true);
    return;
  }
  og_emit_vector(e, FLOATS, OG_T2, from, og_constant_lanes(e, 0x4f000000), 0, false), og_emit_byte(e, AT_LEAST);
  og_emit_with_constant(unit, AND_I, to, OG_T2, 0x4f000000); /* 2^31, where that is in it */
  og_emit_registers(unit, SUBTRACT, to, from, to);
  og_emit_registers(unit, TRUNCATE, to, 0, to);
  og_emit_with_constant(unit, AND_I, OG_T2, OG_T2, 0x80000000);
  og_emit_registers(unit, XOR_I, to, to, OG_T2);
  og_emit_vector(e, FLOATS, OG_T2, from, og_constant_lanes(e, 0x4f800000), 0, false), og_emit_byte(e, AT_LEAST);
  og_emit_registers(unit, OR_I, to, to, OG_T2);
  og_emit_vector(e, FLOATS, OG_T2, from, og_constant_lanes(e, 0), 0, false), og_emit_byte(e, AT_LEAST);
  og_emit_registers(unit, AND_I, to, to, OG_T2);
}

/* In 256 bits both halves of 16 bits are exact, and their sum is rounded once. */
void og_emit_from_unsigned(struct og_unit *unit, unsigned to, unsigned from) {
  enum { CONVERT = OG_VEX(0, 1, 0, 0x5b), MULTIPLY = OG_VEX(0, 1, 0, 0x59), ADD_FLOATS = OG_VEX(0, 1, 0, 0x58) };
  if (unit->code.wide) { /* VCVTUDQ2PS */
    og_emit_registers(unit, OG_VEX(3, 1, 0, 0x7a), to, 0, from);
    return;
  }
  og_emit_with_constant(unit, AND_I, OG_T2, from, 0xffff);
  og_emit_shift(unit, OG_SHIFT_RIGHT, to, from, 16);
  og_emit_registers(unit, CONVERT, OG_T2, 0, OG_T2);
  og_emit_registers(unit, CONVERT, to, 0, to);
  og_emit_with_constant(unit, MULTIPLY, to, to, 0x47800000);
  og_emit_registers(unit, ADD_FLOATS, to, to, OG_T2);
}
