/* constants.c - scalar loads, which stand between stretches: in the window of the one before they are host code;
 * elsewhere, and where they fault, the interpreter's handler does them, in code behind the block. */
#include "tier/unit.h"

bool og_recognize_scalar_load(struct og_item *item) {
  if (item->op->class != OG_CLASS_SMEM || og_scalar_load_dwords(item->handler) == 0)
    return false;
  item->kind = OG_ITEM_LOAD;
  return true;
}

/* So many bytes from RAX to the scalar file: 4 to 32 of them. */
static void copy(struct og_unit *unit, uint32_t to, uint32_t from, unsigned bytes) {
  struct og_encoder *e = &unit->code;
  struct og_place source = og_place_memory(OG_RAX, -1, from), place = og_in_wave(to);
  if (bytes <= 8) {
    og_emit_general(e, bytes == 8, 0x8b, OG_RCX, source);
    og_emit_general(e, bytes == 8, 0x89, OG_RCX, place);
  } else if (bytes == 16) {
    og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x10), OG_T0, 0, source);
    og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x11), OG_T0, 0, place);
  } else {
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x10), OG_T0, 0, source, 0, false);
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x11), OG_T0, 0, place, 0, false);
  }
}

void og_emit_scalar_load(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  const struct og_operation *op = item->op;
  unsigned left = 4 * og_scalar_load_dwords(item->handler);
  struct og_cold *cold = &unit->cold[unit->cold_count++];
  og_emit_general(e, true, 0x8b, OG_RAX, og_in_wave(op->s[0]));
  if (op->s[1] != OG_AT_S(OG_S_ZERO) || op->constant[1]) { /* 32 bits, with nothing above */
    og_emit_general(e, false, 0x8b, OG_RCX, og_in_wave(op->s[1]));
    if (op->constant[1])
      og_emit_immediate(e, false, 0, og_place_register(OG_RCX), (uint32_t)op->constant[1]);
    og_emit_general(e, true, 0x03, OG_RAX, og_place_register(OG_RCX));
  }
  if (op->constant[0] + (1u << 31) > UINT32_MAX) {
    og_emit_load_constant(e, OG_RCX, op->constant[0]);
    og_emit_general(e, true, 0x03, OG_RAX, og_place_register(OG_RCX));
  } else if (op->constant[0]) {
    og_emit_immediate(e, true, 0, og_place_register(OG_RAX), (uint32_t)op->constant[0]);
  }
  og_emit_immediate(e, true, 4, og_place_register(OG_RAX), ~3u);
  cold->item = item;
  cold->lanes_stale = unit->lanes_stale;
  cold->jump_count = og_emit_check_window(unit, item, left, cold->jumps);
  bool wide = e->wide;
  e->wide = false;
  for (uint32_t at = 0, bytes; left > 0; at += bytes, left -= bytes) {
    bytes = left >= 32 ? 32 : left >= 16 ? 16 : left >= 8 ? 8 : 4;
    copy(unit, op->d + at, at, bytes);
  }
  e->wide = wide;
  cold->back = e->at;
}
