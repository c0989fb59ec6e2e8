/* mask.c - masks of lanes: comparisons, carries, and choices by them. With 512 bits they are in k registers, else they
 * are lanes of all ones. */
#include "tier/rows.h"

void og_emit_k(struct og_unit *unit, unsigned opcode, unsigned reg, unsigned first, struct og_place last, bool two) {
  struct og_encoder *e = &unit->code;
  bool wide = e->wide;
  e->wide = false;
  if (two)
    og_emit_vector(e, OG_VEX(0, 1, 0, opcode), reg, first, last, 0, false);
  else
    og_emit_vector_low(e, OG_VEX(0, 1, 0, opcode), reg, first, last);
  e->wide = wide;
}

void og_emit_mask_lanes(struct og_unit *unit, unsigned to, struct og_place bits) {
  static const uint32_t each[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  struct og_place row = og_constant_row(&unit->code, each);
  og_emit_general(&unit->code, false, 0x1b6, OG_RCX, bits); /* movzx of a byte */
  og_emit_vector_low(&unit->code, OG_VEX(1, 1, 0, 0x6e), to, 0, og_place_register(OG_RCX));
  og_emit_broadcast(unit, to, og_place_register(to));
  og_emit_vector(&unit->code, OG_VEX(1, 1, 0, 0xdb), to, to, row, 0, false);
  og_emit_vector(&unit->code, OG_VEX(1, 1, 0, 0x76), to, to, row, 0, false);
}

void og_emit_active(struct og_unit *unit, enum og_gpr to) { /* movzx of a byte or a word */
  og_emit_general(&unit->code, false, unit->code.wide ? 0x1b7 : 0x1b6, to, og_mask_place(unit, OG_AT_S(OG_S_EXEC)));
}

/* 256 bits: whether the next item takes the mask that this one makes out of the register that it was made in. That
 * holds where nothing comes between and temporaries are where they were: in stretches with accesses, whose temporaries
 * are not packed, without a version on numbers. */
static bool hands_on_carry(const struct og_unit *unit, const struct og_item *item) {
  const struct og_item *next = item + 1;
  if (unit->code.wide || unit->shapes.emits || item < unit->shapes.first || next >= unit->stretch_end ||
      item->kind != OG_ITEM_VECTOR || next->kind != OG_ITEM_VECTOR || item->modifiers || next->modifiers ||
      og_is_division(item) || og_is_division(next) || !(item->types->flags & OG_VECTOR_CARRY_OUT) ||
      !(next->types->flags & OG_VECTOR_CARRY_IN) || next->does->s[2] != item->does->d2)
    return false;
  for (const struct og_item *later = next + 1; later < unit->stretch_end; later++)
    if (later->kind == OG_ITEM_MEMORY)
      return true;
  return false;
}

void og_load_carry(struct og_unit *unit, const struct og_item *item) {
  uint32_t offset = item->does->s[2];
  if (unit->code.wide) {
    struct og_place known = og_place_register(OG_K_CO);
    og_emit_k(unit, 0x90, OG_K_CI, 0, unit->carry == offset ? known : og_mask_place(unit, offset), false);
    return;
  }
  if (item > unit->items && hands_on_carry(unit, item - 1))
    og_emit_load(unit, OG_CI_LANES, og_place_register(OG_CO_LANES));
  else
    og_emit_mask_lanes(unit, OG_CI_LANES, og_mask_place(unit, offset));
}

void og_store_carry(struct og_unit *unit, uint32_t offset) {
  if (unit->code.wide) {
    og_emit_k(unit, 0x91, OG_K_CO, 0, og_mask_place(unit, offset), false);
    return;
  }
  if (unit->masked)
    og_emit_vector(&unit->code, OG_VEX(1, 1, 0, 0xdb), OG_CO_LANES, OG_CO_LANES, og_place_register(OG_EXEC_LANES), 0,
                   false);
  og_emit_vector(&unit->code, OG_VEX(0, 1, 0, 0x50), OG_RAX, 0, og_place_register(OG_CO_LANES), 0, false);
  og_emit_general(&unit->code, false, 0x88, OG_RAX, og_mask_place(unit, offset));
}

/* first < second, of unsigned numbers; 256 bits: lanes into `lanes`, which is neither. */
void og_emit_below(struct og_unit *unit, unsigned k, unsigned lanes, unsigned first, struct og_place second,
                   unsigned mask) {
  struct og_encoder *e = &unit->code;
  if (e->wide) {
    og_emit_vector(e, OG_VEX(1, 3, 0, 0x1e), k, first, second, mask, false);
    og_emit_byte(e, 1);
    return;
  }
  og_emit_vector(e, OG_VEX(1, 2, 0, 0x3f), lanes, first, second, 0, false); /* not max(first, second) == first */
  og_emit_vector(e, OG_VEX(1, 1, 0, 0x76), lanes, lanes, og_place_register(first), 0, false);
  og_emit_vector(e, OG_VEX(1, 1, 0, 0xef), lanes, lanes, og_constant_lanes(e, UINT32_MAX), 0, false);
}

static void invert(struct og_unit *unit, const struct og_item *item) {
  struct og_place ones = og_place_of(unit, item, ONES, false);
  og_emit_vector(&unit->code, OG_VEX(1, 1, 0, 0xef), OG_CO_LANES, OG_CO_LANES, ones, 0, false);
}

/* 256 bits: what is at most another number is the lesser of both, or that is the greater. Less than a constant is at
 * most one less than that. */
static void compare_unsigned(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  enum { LESSER = OG_VEX(1, 2, 0, 0x3b), GREATER = OG_VEX(1, 2, 0, 0x3f), EQUAL = OG_VEX(1, 1, 0, 0x76) };
  unsigned predicate = item->row->predicate;
  bool swaps = predicate == 5 || predicate == 6, strict = predicate == 1 || predicate == 6;
  enum operand lesser = swaps ? step->second : step->first, greater = swaps ? step->first : step->second;
  uint32_t value = 0;
  bool least = og_constant_of(unit, item, lesser, &value), most = !least && og_constant_of(unit, item, greater, &value);
  bool moves = strict && ((least && value < UINT32_MAX) || (most && value > 0)), inverts = strict && !moves;
  if (moves)
    value += least ? 1 : UINT32_MAX;
  if (inverts) { /* the other is at most that */
    enum operand other = lesser;
    bool was_least = least;
    lesser = greater, greater = other;
    least = most, most = was_least;
  }
  struct og_place constant = least || most ? og_constant_lanes(&unit->code, value) : og_place_register(0);
  unsigned from = og_register_of(unit, item, least ? greater : lesser, OG_T0);
  struct og_place with = least || most ? constant : og_place_register(og_register_of(unit, item, greater, OG_T1));
  og_emit_vector(&unit->code, least ? GREATER : LESSER, OG_CO_LANES, from, with, 0, false);
  og_emit_registers(unit, EQUAL, OG_CO_LANES, OG_CO_LANES, from);
  if (inverts)
    invert(unit, item);
}

static void compare_narrow(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  unsigned predicate = item->row->predicate;
  bool equality = predicate == 0 || predicate == 4;
  if (step->what == COMPARE_U && !equality) {
    compare_unsigned(unit, item, step);
    return;
  }
  unsigned first = og_register_of(unit, item, step->first, OG_T0);
  unsigned second = og_register_of(unit, item, step->second, OG_T1);
  bool swaps = predicate == 1 || predicate == 5;
  og_emit_registers(unit, OG_VEX(1, 1, 0, equality ? 0x76 : 0x66), OG_CO_LANES, swaps ? second : first,
                    swaps ? first : second);
  if (predicate == 4 || predicate == 2 || predicate == 5)
    invert(unit, item);
}

void og_emit_compare(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  unsigned predicate = item->row->predicate, mask = unit->masked ? OG_K_EXEC : 0;
  if (step->what != COMPARE_F && !e->wide) {
    compare_narrow(unit, item, step);
    return;
  }
  unsigned first = og_register_of(unit, item, step->first, OG_T0);
  if (step->what == COMPARE_F) {
    struct og_place second = og_place_of(unit, item, step->second, true);
    og_emit_vector(e, OG_VEX(0, 1, 0, 0xc2), e->wide ? OG_K_CO : OG_CO_LANES, first, second, e->wide ? mask : 0, false);
    og_emit_byte(e, predicate);
    return;
  }
  struct og_place second = og_place_of(unit, item, step->second, true);
  og_emit_vector(e, OG_VEX(1, 3, 0, step->what == COMPARE_I ? 0x1f : 0x1e), OG_K_CO, first, second, mask, false);
  og_emit_byte(e, predicate);
}

/* A carry is -1 in lanes. */
void og_emit_carry(struct og_unit *unit, const struct og_item *item, const struct step *step, uint32_t instruction) {
  struct og_encoder *e = &unit->code;
  unsigned to = OG_T0 + step->to - T0, from = og_register_of(unit, item, step->second, OG_T0);
  struct og_place lanes = e->wide ? og_place_of(unit, item, ONES, true) : og_place_register(OG_CI_LANES);
  if (e->wide && to != from)
    og_emit_load(unit, to, og_place_register(from));
  og_emit_vector(e, instruction, to, from, lanes, e->wide ? OG_K_CI : 0, false);
}

void og_emit_select(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  struct og_result result = og_result_of(unit, item, step->to);
  unsigned first = og_register_of(unit, item, step->first, OG_T0);
  struct og_place second = og_place_of(unit, item, step->second, true);
  if (e->wide) {
    unsigned to = result.mask ? OG_T0 : result.reg;
    og_emit_vector(e, OG_VEX(1, 2, 0, 0x64), to, first, second, OG_K_CI, false); /* VPBLENDMD */
    if (to != result.reg)
      og_emit_vector(e, OG_VEX(0, 1, 0, 0x10), result.reg, 0, og_place_register(to), result.mask, false);
  } else {
    og_emit_vector(e, OG_VEX(1, 3, 0, 0x4a), result.reg, first, second, 0, false);
    og_emit_fourth(e, OG_CI_LANES);
  }
  og_finish_result(unit, &result);
}

/* ---- who reads them ---------------------------------------------------------------------------------------------- */

enum og_wanted og_carry_wanted(const struct og_unit *unit, const struct og_item *item) {
  enum og_wanted wanted = OG_WANTED_NOT;
  bool wide = unit->code.wide, in_register = wide || hands_on_carry(unit, item);
  for (const struct og_item *next = item + 1; next < unit->stretch_end; next++) {
    if (next->kind != OG_ITEM_VECTOR)
      continue;
    if (og_mask_read(next) == item->does->d2) {
      if (!in_register || !(next->types->flags & OG_VECTOR_CARRY_IN))
        return OG_WANTED_LATER;
      wanted = OG_WANTED_SOON;
    }
    if (next->types->flags & OG_VECTOR_CARRY_OUT && next->does->d2 == item->does->d2)
      return wanted;
    in_register &= wide && !(next->types->flags & OG_VECTOR_CARRY_OUT);
  }
  return OG_WANTED_LATER;
}

uint32_t og_mask_read(const struct og_item *item) {
  return item->types->flags & OG_VECTOR_CARRY_IN                                                ? item->does->s[2]
         : item->row->steps[0].what == DIVIDE_FMAS || item->row->steps[0].what == DIVIDE_FMAS_D ? OG_AT_S(OG_S_VCC)
                                                                                                : OG_NO_CARRY;
}

bool og_carry_is_wanted(const struct og_unit *unit, const struct og_item *item) {
  return og_carry_wanted(unit, item) != OG_WANTED_NOT;
}
