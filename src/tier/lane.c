/* lane.c - scalars that are one lane of a VGPR: the first active one, or one that is named. They stand between
 * stretches, for each of a strip's lanes may be the one. */
#include "tier/unit.h"

#include "isa/rows.h"

bool og_recognize_lane_read(struct og_item *item) {
  const struct og_operation *op = item->op;
  bool first = op->row == OG_ROW_V_READFIRSTLANE_B32;
  if ((!first && op->row != OG_ROW_V_READLANE_B32) || !og_is_vector_place(op->s[0]) || op->d >= OG_AT_S(OG_S_EXEC) ||
      (!first && op->s[1] >= OG_AT_S(OG_S_COUNT)))
    return false;
  item->kind = OG_ITEM_LANE;
  return true;
}

void og_emit_lane_read(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  const struct og_operation *op = item->op;
  struct og_place in_rcx = og_place_register(OG_RCX), in_rdx = og_place_register(OG_RDX);
  unsigned lanes = unit->wave32 ? 32 : 64;
  if (op->row == OG_ROW_V_READFIRSTLANE_B32) { /* of none, lane 0 */
    og_emit_general(e, false, 0x33, OG_RDX, in_rdx);
    og_emit_general(e, !unit->wave32, 0x1bc, OG_RCX, og_in_wave(OG_AT_S(OG_S_EXEC))); /* bsf */
    og_emit_general(e, false, 0x144, OG_RCX, in_rdx);                                 /* cmove */
  } else if (op->s[1] == OG_AT_S(OG_S_ZERO)) {
    og_emit_load_constant(e, OG_RCX, op->constant[1] & (lanes - 1));
  } else {
    og_emit_general(e, false, 0x8b, OG_RCX, og_in_wave(op->s[1]));
    og_emit_immediate(e, false, 4, in_rcx, lanes - 1);
  }
  og_emit_general(e, false, 0xc1, 4, in_rcx), og_emit_byte(e, 2); /* bytes */
  og_emit_general(e, false, 0x8b, OG_RAX, og_place_memory(OG_RBX, OG_RCX, OG_AT_V(og_vgpr_of(op->s[0]))));
  og_emit_general(e, false, 0x89, OG_RAX, og_in_wave(op->d));
}
