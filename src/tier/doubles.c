/* doubles.c - doubles, and floats to integers. A strip's doubles are two registers, each with two of every four lanes. */
#include "tier/unit.h"

enum { AND = OG_VEX(1, 1, 0, 0xdb), XOR = OG_VEX(1, 1, 0, 0xef), COMPARE_F = OG_VEX(0, 1, 0, 0xc2) };

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
    og_emit_vector(e, OG_VEX(0, 1, 0, part ? 0x15 : 0x14), to, low, high ? og_place_register(high) : og_home(unit, vgpr + 1), 0,
                   false);
  } else if (op->s[i] == OG_AT_S(OG_S_ZERO)) {
    og_emit_load(unit, to, pairs(unit, (uint32_t)op->constant[i], (uint32_t)(op->constant[i] >> 32)));
  } else { /* VBROADCASTSD */
    og_emit_vector(e, OG_VEX_W1(1, 2, 0x19), to, 0, og_in_wave(op->s[i]), 0, false);
  }
  if (flags & OG_ABS)
    og_emit_vector(e, AND, to, to, pairs(unit, UINT32_MAX, 0x7fffffff), 0, false);
  if (flags & OG_NEG)
    og_emit_vector(e, XOR, to, to, pairs(unit, 0, 0x80000000), 0, false);
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
  for (unsigned high = 0; high < 2; high++) { /* VSHUFPS */
    og_emit_vector(e, OG_VEX(0, 1, 0, 0xc6), OG_T0 + high, OG_P0, og_place_register(OG_P1), 0, false);
    og_emit_byte(e, high ? 0xdd : 0x88);
  }
}

void og_emit_to_integer(struct og_unit *unit, unsigned to, unsigned from) {
  enum { UNORDERED = 3, ORDERED = 7, AT_LEAST = 13 };
  struct og_encoder *e = &unit->code;
  unsigned lanes = e->wide ? OG_K_TEMPORARY : OG_T2, mask = e->wide ? OG_K_TEMPORARY : 0;
  struct og_place itself = og_place_register(from);
  og_emit_vector(e, OG_VEX(2, 1, 0, 0x5b), to, 0, itself, 0, false); /* VCVTTPS2DQ */
  og_emit_vector(e, COMPARE_F, lanes, from, pairs(unit, 0x4f000000, 0x4f000000), 0, false), og_emit_byte(e, AT_LEAST);
  og_emit_vector(e, XOR, to, to, e->wide ? pairs(unit, UINT32_MAX, UINT32_MAX) : og_place_register(OG_T2), mask, false);
  og_emit_vector(e, COMPARE_F, lanes, from, itself, 0, false), og_emit_byte(e, e->wide ? UNORDERED : ORDERED);
  og_emit_vector(e, e->wide ? XOR : AND, to, to, og_place_register(e->wide ? to : OG_T2), mask, false);
}
