/* range.c - minimum and maximum of 32-bit floats, whose NaNs and zeros are not the host's. */
#include "tier/rows.h"

#include "isa/rows.h"

/* VRANGEPS, which gives way to numbers and quiets what signals. Of two NaNs the second comes through, or a first one
 * that signals, quieted; there processors are not of one mind, so it is made good. */
static void emit_range_wide(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  struct og_result result = og_result_of(unit, item, step->to);
  unsigned first = og_register_of(unit, item, step->first, OG_T0),
           second = og_register_of(unit, item, step->second, OG_T2);
  struct og_place second_place = og_place_register(second), quiet = og_constant_lanes(e, 0x400000);
  const uint32_t unordered = OG_VEX(0, 1, 0, 0xc2), or = OG_VEX(1, 1, 0, 0xeb);
  og_emit_vector(e, OG_VEX(1, 3, 0, 0x50), OG_T1, first, second_place, 0, false);
  og_emit_byte(e, item->row->row == OG_ROW_V_MAX_F32 ? 5 : 4);
  og_emit_vector(e, unordered, OG_K_TEMPORARY, first, second_place, 0, false), og_emit_byte(e, 3);
  og_emit_k(unit, 0x98, OG_K_TEMPORARY, 0, og_place_register(OG_K_TEMPORARY), false);
  uint32_t ordered = og_emit_jump(e, 0x84);
  og_emit_vector(e, unordered, OG_K_TEMPORARY, first, og_place_register(first), 0, false), og_emit_byte(e, 3);
  og_emit_vector(e, unordered, OG_K_TEMPORARY, second, second_place, OG_K_TEMPORARY, false), og_emit_byte(e, 3);
  og_emit_vector(e, or, OG_T1, second, quiet, OG_K_TEMPORARY, false);
  og_emit_vector(e, OG_VEX(1, 3, 0, 0x66), OG_K_TEMPORARY, 0, og_place_register(first), OG_K_TEMPORARY,
                 false); /* VFPCLASSPS */
  og_emit_byte(e, 0x80);
  og_emit_vector(e, or, OG_T1, first, quiet, OG_K_TEMPORARY, false);
  og_emit_land(e, ordered);
  og_emit_vector(e, OG_VEX(0, 1, 0, 0x10), result.reg, 0, og_place_register(OG_T1), result.mask, false);
  og_finish_result(unit, &result);
}

/* The same of 256 bits. The host's minimum is its second operand where numbers are equal or none: taken both ways, the
 * bits of both are joined, which is right of zeros of two signs. Lanes with NaNs are made good as the interpreter has
 * them. */
static void emit_range_narrow(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  bool max = item->row->row == OG_ROW_V_MAX_F32;
  const uint32_t best = OG_VEX(0, 1, 0, max ? 0x5f : 0x5d), unordered = OG_VEX(0, 1, 0, 0xc2),
                 blend = OG_VEX(1, 3, 0, 0x4a), join = OG_VEX(0, 1, 0, max ? 0x54 : 0x56);
  struct og_result result = og_result_of(unit, item, step->to);
  unsigned sources[2] = {og_register_of(unit, item, step->first, OG_T0),
                         og_register_of(unit, item, step->second, OG_T0)};
  struct og_place first = og_place_register(sources[0]), second = og_place_register(sources[1]);
  og_emit_vector(e, best, OG_T1, sources[0], second, 0, false);
  og_emit_vector(e, best, OG_T2, sources[1], first, 0, false);
  og_emit_vector(e, unordered, OG_CO_LANES, sources[0], second, 0, false), og_emit_byte(e, 3);
  og_emit_vector(e, OG_VEX(0, 1, 0, 0x50), OG_RAX, 0, og_place_register(OG_CO_LANES), 0, false);
  og_emit_general(e, false, 0x85, OG_RAX, og_place_register(OG_RAX));
  uint32_t ordered = og_emit_jump(e, 0x84);
  og_emit_vector(e, join, OG_T1, OG_T1, og_place_register(OG_T2), 0, false);
  for (unsigned i = 0; i < 2; i++) { /* a NaN gives way, the first one last */
    og_emit_vector(e, unordered, OG_CO_LANES, sources[1 - i], i ? first : second, 0, false), og_emit_byte(e, 3);
    og_emit_vector(e, blend, OG_T1, OG_T1, i ? second : first, 0, false), og_emit_fourth(e, OG_CO_LANES);
  }
  struct og_place quiet = og_place_of(unit, item, QUIET, false);
  /* but one that signals does not, the first one least */
  for (unsigned i = 0; i < 2 && unit->mode & OG_MODE_IEEE; i++) {
    struct og_place from = i ? first : second;
    og_emit_vector(e, unordered, OG_CO_LANES, sources[1 - i], from, 0, false), og_emit_byte(e, 3);
    /* the quiet bit as the sign */
    og_emit_vector(e, OG_VEX(1, 1, 0, 0x72), 6, OG_T2, from, 0, false), og_emit_byte(e, 9);
    og_emit_vector(e, OG_VEX(1, 1, 0, 0xdf), OG_CO_LANES, OG_T2, og_place_register(OG_CO_LANES), 0, false);
    og_emit_vector(e, OG_VEX(1, 1, 0, 0xeb), OG_T2, sources[1 - i], quiet, 0, false);
    og_emit_vector(e, blend, OG_T1, OG_T1, og_place_register(OG_T2), 0, false), og_emit_fourth(e, OG_CO_LANES);
  }
  og_emit_load(unit, result.reg, og_place_register(OG_T1));
  uint32_t done = og_emit_jump(e, 0);
  og_emit_land(e, ordered);
  og_emit_vector(e, join, result.reg, OG_T1, og_place_register(OG_T2), 0, false);
  og_emit_land(e, done);
  og_finish_result(unit, &result);
}

void og_emit_range(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  (unit->code.wide ? emit_range_wide : emit_range_narrow)(unit, item, step);
}
