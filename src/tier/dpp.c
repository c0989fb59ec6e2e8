/* dpp.c - DPP where lanes come from their own strip, in each strip in the same way: one permutation of the source, and
 * lanes that write. Where lanes are not active, which are no sources either, the interpreter's handler does the
 * strip. */
#include "tier/rows.h"

bool og_is_dpp(const struct og_item *item) {
  return item->kind == OG_ITEM_VECTOR && item->modifiers && item->modifiers->dpp;
}

static unsigned lanes_of(const struct og_unit *unit) { return og_strip_bytes(unit) / 4; }

/* All strips' masks are alike: that one. */
static bool find_strip_mask(const struct og_unit *unit, uint64_t mask, uint32_t *strip) {
  unsigned lanes = lanes_of(unit);
  *strip = (uint32_t)(mask & ((1u << lanes) - 1));
  for (unsigned first = 0; first < OG_LANES; first += lanes)
    if ((mask >> first & ((1u << lanes) - 1)) != *strip)
      return false;
  return true;
}

static uint32_t existing(const struct og_unit *unit, const struct og_item *item) {
  return (uint32_t)(item->modifiers->dpp_exists & ((1u << lanes_of(unit)) - 1));
}
/* Lanes of a strip that write. */
static uint32_t written(const struct og_unit *unit, const struct og_item *item) {
  const struct og_modifiers *m = item->modifiers;
  return (uint32_t)(m->dpp_enabled & ((1u << lanes_of(unit)) - 1)) &
         (m->bound_ctrl ? UINT32_MAX : existing(unit, item));
}

/* The handler does its strip under an EXEC that is cut down to it. */
static bool reads_exec(const struct og_item *item) {
  for (int i = 0; i < 3; i++)
    if (item->types->source[i] != OG_AS_NONE && item->does->s[i] + 8 - OG_AT_S(OG_S_EXEC) < 16)
      return true;
  return false;
}

bool og_recognize_dpp(const struct og_unit *unit, const struct og_item *item) {
  const struct og_modifiers *m = item->modifiers;
  uint32_t mask;
  unsigned lanes = lanes_of(unit);
  if (item->types->flags & (OG_VECTOR_CARRY_OUT | OG_VECTOR_CARRY_IN) ||
      og_as_is_64((enum og_as)item->types->source[0]) || !og_is_vector_place(item->does->s[0]) || reads_exec(item) ||
      m->packed || m->writes_mask || m->dst_select != OG_SELECT_DWORD || m->clamp || m->omod ||
      !find_strip_mask(unit, m->dpp_exists, &mask) || !find_strip_mask(unit, m->dpp_enabled, &mask))
    return false;
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    if (m->dpp_exists >> lane & 1 && m->dpp_from[lane] != lane / lanes * lanes + m->dpp_from[lane % lanes])
      return false;
  for (unsigned lane = 0; lane < lanes; lane++)
    if (m->dpp_from[lane] >= lanes)
      return false;
  return true;
}

bool og_keeps_lanes(const struct og_unit *unit, const struct og_item *item) {
  return og_is_dpp(item) && written(unit, item) != (1u << lanes_of(unit)) - 1;
}

void og_emit_dpp_source(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  unsigned lanes = lanes_of(unit), vgpr = og_vgpr_of(item->does->s[0]);
  uint32_t from[16], there[16];
  for (unsigned i = 0; i < 16; i++) {
    from[i] = item->modifiers->dpp_from[i % lanes];
    there[i] = existing(unit, item) >> i % lanes & 1 ? UINT32_MAX : 0;
  }
  struct og_place source = unit->host[vgpr] ? og_place_register(unit->host[vgpr]) : og_home(unit, vgpr);
  og_emit_load(unit, OG_P0, og_constant_row(e, from));
  og_emit_vector(e, OG_VEX(1, 2, 0, 0x36), OG_P0, OG_P0, source, 0, false); /* VPERMD */
  if (existing(unit, item) != (1u << lanes) - 1)
    og_emit_vector(e, OG_VEX(1, 1, 0, 0xdb), OG_P0, OG_P0, og_constant_row(e, there), 0, false);
}

void og_emit_dpp(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  unsigned lanes = lanes_of(unit);
  if (unit->masked) {
    og_emit_strip_call(unit, item);
    return;
  }
  uint32_t row[16], mask = written(unit, item);
  unit->masked = og_keeps_lanes(unit, item); /* as if these were the active ones */
  for (unsigned i = 0; i < 16; i++)
    row[i] = mask >> i % lanes & 1 ? UINT32_MAX : 0;
  if (unit->masked && e->wide) { /* KMOVW */
    og_emit_load_constant(e, OG_RAX, mask);
    og_emit_k(unit, 0x92, OG_K_EXEC, 0, og_place_register(OG_RAX), false);
  } else if (unit->masked) {
    og_emit_load(unit, OG_EXEC_LANES, og_constant_row(e, row));
  }
  og_emit_plain_vector_item(unit, item);
  unit->masked = false;
}
