/* arithmetic.c - which items can be done on one number for a strip, and their code. The same walk foresees (without
 * code) and emits. */
#include "tier/numbers.h"

#include <string.h>

static const struct og_place in_rax = {.kind = OG_PLACE_REGISTER, .reg = OG_RAX},
                             in_rcx = {.kind = OG_PLACE_REGISTER, .reg = OG_RCX};

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* The VGPR behind this one is the upper half of what its slot has: on its own from now on. */
static void part_halves(struct og_unit *unit, unsigned vgpr) {
  struct og_shapes *s = &unit->shapes;
  if (s->now[vgpr + 1].kind != OG_SHAPE_HIGH)
    return;
  struct og_shape_source high = {.kind = OG_SOURCE_IS_VGPR, .at = vgpr + 1, .shape = s->now[vgpr + 1]};
  og_want_source(unit, &high);
  if (!s->emits) {
    og_use_slot(s, vgpr + 1);
  } else {
    og_load_number(unit, OG_RAX, &high);
    og_emit_general(&unit->code, false, 0x89, OG_RAX, og_slot_place(unit, vgpr + 1));
  }
  s->now[vgpr + 1] = (struct og_lane_shape){.kind = OG_SHAPE_ONE};
}

/* RAX becomes the VGPR's slot's. */
static void put_slot(struct og_unit *unit, unsigned vgpr, bool wide) {
  if (unit->shapes.emits)
    og_emit_general(&unit->code, wide, 0x89, OG_RAX, og_slot_place(unit, vgpr));
  else
    og_use_slot(&unit->shapes, vgpr);
}
static void put_one(struct og_unit *unit, unsigned vgpr, uint32_t step) {
  struct og_shapes *s = &unit->shapes;
  part_halves(unit, vgpr); /* code has seen to that before RAX was worked out: by begin_result */
  put_slot(unit, vgpr, false);
  s->now[vgpr] = (struct og_lane_shape){.kind = OG_SHAPE_ONE, .step = step};
  s->vector_has_it[vgpr] = false;
}
static void put_whole(struct og_unit *unit, unsigned vgpr, uint32_t step) {
  struct og_shapes *s = &unit->shapes;
  put_slot(unit, vgpr, true);
  s->rax_vgpr = vgpr, s->rax_at = unit->code.at;
  s->now[vgpr] = (struct og_lane_shape){.kind = OG_SHAPE_LOW, .step = step};
  s->now[vgpr + 1] = (struct og_lane_shape){.kind = OG_SHAPE_HIGH, .step = step};
  s->vector_has_it[vgpr] = s->vector_has_it[vgpr + 1] = false;
}

static void unshape(struct og_unit *unit, unsigned vgpr, unsigned how) {
  struct og_shapes *s = &unit->shapes;
  if (!(how & 1))
    return;
  s->now[vgpr] = (struct og_lane_shape){.kind = OG_SHAPE_NONE};
}
void og_unshape_results(struct og_unit *unit, const struct og_item *item) { og_visit_vgprs(unit, item, unshape); }

/* ---- 32 bits ----------------------------------------------------------------------------------------------------- */

static uint32_t checked(uint64_t step, bool *ok) {
  *ok &= step <= OG_SHAPE_STEP_MOST;
  return (uint32_t)step;
}

/* The step of the result; false: it has none. */
static bool find_step(const struct og_item *item, const struct og_shape_source source[3], uint32_t *step) {
  uint64_t a = og_step_of(&source[0]), b = og_step_of(&source[1]), c = og_step_of(&source[2]);
  bool ok = true;
  switch ((enum og_shaping)item->shaping) {
  case OG_SHAPING_MOVE: *step = checked(a, &ok); break;
  case OG_SHAPING_ADD: *step = checked(a + b, &ok); break;
  case OG_SHAPING_SUB: *step = checked(a - b, &ok); break;
  case OG_SHAPING_SUBREV: *step = checked(b - a, &ok); break;
  case OG_SHAPING_ADD3: *step = checked(a + b + c, &ok); break;
  case OG_SHAPING_SHIFT_LEFT:
    ok = og_is_constant(&source[0]);
    *step = checked(b << (source[0].at & 31), &ok);
    break;
  case OG_SHAPING_SHIFT_SIGNED:
    ok = og_is_constant(&source[0]) && (b == 0 || (source[0].at & 31) == 31);
    *step = 0;
    break;
  case OG_SHAPING_SHIFT_ADD:
    ok = og_is_constant(&source[1]);
    *step = checked((a << (source[1].at & 31)) + c, &ok);
    break;
  case OG_SHAPING_ADD_SHIFT:
    ok = og_is_constant(&source[2]);
    *step = checked((a + b) << (source[2].at & 31), &ok);
    break;
  case OG_SHAPING_MUL:
    ok = (a == 0 && b == 0) || (og_is_constant(&source[0]) && source[0].at <= OG_SHAPE_STEP_MOST) ||
         (og_is_constant(&source[1]) && source[1].at <= OG_SHAPE_STEP_MOST);
    *step = a == 0 && b == 0 ? 0 : checked(a == 0 ? b * source[0].at : a * source[1].at, &ok);
    break;
  default: /* bits */ ok = a == 0 && b == 0; *step = 0;
  }
  return ok;
}

/* Into RAX. */
static void emit_32(struct og_unit *unit, const struct og_item *item, const struct og_shape_source source[3]) {
  struct og_encoder *e = &unit->code;
  enum og_shaping shaping = (enum og_shaping)item->shaping;
  bool second_first =
      shaping == OG_SHAPING_SUBREV || shaping == OG_SHAPING_SHIFT_LEFT || shaping == OG_SHAPING_SHIFT_SIGNED;
  og_load_number(unit, OG_RAX, &source[second_first ? 1 : 0]);
  switch (shaping) {
  case OG_SHAPING_ADD: og_apply_number(unit, 0x03, OG_RAX, &source[1]); break;
  case OG_SHAPING_SUB: og_apply_number(unit, 0x2b, OG_RAX, &source[1]); break;
  case OG_SHAPING_SUBREV: og_apply_number(unit, 0x2b, OG_RAX, &source[0]); break;
  case OG_SHAPING_ADD3:
    og_apply_number(unit, 0x03, OG_RAX, &source[1]), og_apply_number(unit, 0x03, OG_RAX, &source[2]);
    break;
  case OG_SHAPING_SHIFT_LEFT: og_emit_general(e, false, 0xc1, 4, in_rax), og_emit_byte(e, source[0].at & 31); break;
  case OG_SHAPING_SHIFT_SIGNED:
    if (og_step_of(&source[1])) { /* lanes have one sign */
      og_emit_general(e, false, 0x8b, OG_RCX, in_rax);
      og_emit_immediate(e, false, 0, in_rcx, og_reach(&unit->shapes, og_step_of(&source[1])));
      og_jump_torn(unit, 0x80);
      og_emit_general(e, false, 0x33, OG_RCX, in_rax);
      og_jump_torn(unit, 0x88);
    }
    og_emit_general(e, false, 0xc1, 7, in_rax), og_emit_byte(e, source[0].at & 31);
    break;
  case OG_SHAPING_SHIFT_ADD:
    og_emit_general(e, false, 0xc1, 4, in_rax), og_emit_byte(e, source[1].at & 31);
    og_apply_number(unit, 0x03, OG_RAX, &source[2]);
    break;
  case OG_SHAPING_ADD_SHIFT:
    og_apply_number(unit, 0x03, OG_RAX, &source[1]);
    og_emit_general(e, false, 0xc1, 4, in_rax), og_emit_byte(e, source[2].at & 31);
    break;
  case OG_SHAPING_MUL: og_apply_number(unit, 0x1af, OG_RAX, &source[1]); break;
  case OG_SHAPING_AND: og_apply_number(unit, 0x23, OG_RAX, &source[1]); break;
  case OG_SHAPING_OR: og_apply_number(unit, 0x0b, OG_RAX, &source[1]); break;
  case OG_SHAPING_XOR: og_apply_number(unit, 0x33, OG_RAX, &source[1]); break;
  default: break;
  }
}

static bool shape_32(struct og_unit *unit, const struct og_item *item) {
  struct og_shapes *s = &unit->shapes;
  struct og_shape_source source[3] = {{.kind = OG_SOURCE_IS_CONSTANT}};
  unsigned count = item->shaping == OG_SHAPING_MOVE ? 1
                   : item->shaping == OG_SHAPING_ADD3 || item->shaping == OG_SHAPING_SHIFT_ADD ||
                           item->shaping == OG_SHAPING_ADD_SHIFT
                       ? 3
                       : 2;
  unsigned to = og_vgpr_of(item->does->d);
  uint32_t step;
  for (unsigned i = 0; i < count; i++)
    if (!og_find_source(unit, item, i, 0, &source[i]))
      return false;
  if (!find_step(item, source, &step))
    return false;
  if (item->shaping == OG_SHAPING_MOVE && og_is_zero(&source[0])) {
    part_halves(unit, to);
    s->now[to] = (struct og_lane_shape){.kind = OG_SHAPE_ONE, .zero = true};
    s->vector_has_it[to] = false;
    return true;
  }
  part_halves(unit, to);
  for (unsigned i = 0; i < count; i++) {
    og_find_source(unit, item, i, 0, &source[i]); /* its place may be another now */
    og_want_source(unit, &source[i]);
  }
  bool in_place = item->shaping == OG_SHAPING_ADD && s->emits && source[0].kind != OG_SOURCE_IS_VGPR;
  if (in_place && source[1].kind == OG_SOURCE_IS_VGPR && source[1].at == to && !source[1].shape.zero &&
      source[1].shape.kind == OG_SHAPE_ONE && og_slot_place(unit, to).kind == OG_PLACE_REGISTER) {
    og_apply_number(unit, 0x03, (enum og_gpr)og_slot_place(unit, to).reg, &source[0]);
    s->now[to].step = step;
    s->vector_has_it[to] = false;
    return true;
  }
  if (s->emits)
    emit_32(unit, item, source);
  put_one(unit, to, step);
  return true;
}

/* ---- 64 bits ----------------------------------------------------------------------------------------------------- */

static bool shape_shift_64(struct og_unit *unit, const struct og_item *item) {
  struct og_shapes *s = &unit->shapes;
  struct og_shape_source distance;
  struct og_shape_pair pair;
  unsigned to = og_vgpr_of(item->does->d);
  bool ok = true;
  if (!og_find_source(unit, item, 0, 0, &distance) || !og_find_source(unit, item, 1, 0, &pair.low) ||
      !og_find_source(unit, item, 1, 1, &pair.high) || !og_is_constant(&distance) || (distance.at & 63) > 31 ||
      !og_has_pair_shape(&pair))
    return false;
  uint32_t step = checked((uint64_t)og_step_of(&pair.low) << (distance.at & 63), &ok);
  if (!ok)
    return false;
  og_want_pair(unit, &pair);
  part_halves(unit, to + 1);
  if (s->emits) {
    og_load_pair(unit, OG_RAX, &pair);
    og_emit_general(&unit->code, true, 0xc1, 4, in_rax), og_emit_byte(&unit->code, distance.at & 63);
  }
  put_whole(unit, to, step);
  return true;
}

/* The addition of the upper halves that follows one of the lower halves at once; NULL: there is none. */
static const struct og_item *find_upper(const struct og_unit *unit, const struct og_item *item) {
  const struct og_item *next = item + 1;
  while (next < unit->stretch_end && next->kind == OG_ITEM_NOTHING)
    next++;
  if (next >= unit->stretch_end || next->kind != OG_ITEM_VECTOR || next->shaping != OG_SHAPING_ADDC ||
      next->does->s[2] != item->does->d2)
    return NULL;
  return next;
}
static const struct og_item *find_lower(const struct og_unit *unit, const struct og_item *item) {
  const struct og_item *before = item - 1;
  while (before >= unit->shapes.first && before->kind == OG_ITEM_NOTHING)
    before--;
  return before >= unit->shapes.first && before->kind == OG_ITEM_VECTOR && before->shaping == OG_SHAPING_ADD_CO &&
                 find_upper(unit, before) == item
             ? before
             : NULL;
}

/* The two numbers that both add; false: they are not shaped. */
static bool find_addends(struct og_unit *unit, const struct og_item *lower, const struct og_item *upper,
                         struct og_shape_pair pairs[2]) {
  for (unsigned i = 0; i < 2; i++)
    if (!og_find_source(unit, lower, i, 0, &pairs[i].low) || !og_find_source(unit, upper, i, 0, &pairs[i].high) ||
        (og_is_vector_place(upper->does->s[i]) && upper->does->s[i] == lower->does->d))
      return false;
  struct og_shape_pair crossed[2] = {{pairs[0].low, pairs[1].high}, {pairs[1].low, pairs[0].high}};
  if (og_is_whole(&crossed[0]) || og_is_whole(&crossed[1]))
    memcpy(pairs, crossed, sizeof crossed);
  return og_has_pair_shape(&pairs[0]) && og_has_pair_shape(&pairs[1]);
}

/* CF, which all lanes have alike, to a mask. */
static void put_mask(struct og_unit *unit, uint32_t offset) {
  struct og_encoder *e = &unit->code;
  struct og_place mask = og_place_memory(OG_RBX, OG_R13, offset);
  og_emit_general(e, false, 0x1b, OG_RCX, in_rcx); /* sbb */
  if (unit->shapes.lanes == 8) {
    og_emit_general(e, false, 0x88, OG_RCX, mask);
  } else {
    og_emit_byte(e, 0x66);
    og_emit_general(e, false, 0x89, OG_RCX, mask);
  }
}

/* The mask of the lower halves, should it be wanted beyond the upper ones' addition. */
static void put_lower_mask(struct og_unit *unit, const struct og_shape_pair pairs[2], uint32_t step, uint32_t offset) {
  struct og_encoder *e = &unit->code;
  for (unsigned i = 0; i < 2; i++)
    if (og_step_of(&pairs[i].low))
      og_check_wrap(unit, pairs[i].low.at, og_step_of(&pairs[i].low));
  og_load_number(unit, OG_RAX, &pairs[0].low);
  og_load_number(unit, OG_RCX, &pairs[1].low);
  og_emit_general(e, true, 0x03, OG_RAX, in_rcx);
  if (step) { /* all carry, or none */
    og_emit_general(e, true, 0x8b, OG_RCX, in_rax);
    og_emit_immediate(e, true, 0, in_rcx, og_reach(&unit->shapes, step));
    og_emit_general(e, true, 0x33, OG_RCX, in_rax);
    og_emit_general(e, true, 0xc1, 5, in_rcx), og_emit_byte(e, 32);
    og_jump_torn(unit, 0x85);
  }
  og_emit_general(e, true, 0x1ba, 4, in_rax), og_emit_byte(e, 32); /* bt */
  put_mask(unit, offset);
}

static bool shape_sum_64(struct og_unit *unit, const struct og_item *lower, const struct og_item *upper) {
  struct og_shapes *s = &unit->shapes;
  struct og_encoder *e = &unit->code;
  struct og_shape_pair pairs[2];
  bool ok = true;
  if (!find_addends(unit, lower, upper, pairs))
    return false;
  uint32_t step = checked((uint64_t)og_step_of(&pairs[0].low) + og_step_of(&pairs[1].low), &ok);
  unsigned low = og_vgpr_of(lower->does->d), high = og_vgpr_of(upper->does->d);
  if (!ok || low == high)
    return false;
  const uint32_t sink = OG_AT_S(OG_S_SINK);
  bool lower_mask = lower->does->d2 != upper->does->d2 && lower->does->d2 != sink;
  bool upper_mask = upper->does->d2 != sink && og_carry_is_wanted(unit, upper);
  /* What is made separate has its place before RAX is used. */
  part_halves(unit, low + 1 == high ? high : low);
  if (low + 1 != high)
    part_halves(unit, high);
  find_addends(unit, lower, upper, pairs);
  og_want_pair(unit, &pairs[0]), og_want_pair(unit, &pairs[1]);
  if (s->emits) {
    if (lower_mask)
      put_lower_mask(unit, pairs, step, lower->does->d2);
    for (unsigned i = 0; upper_mask && i < 2; i++) /* all carry, or none: see below, too */
      if (og_is_whole(&pairs[i]) && og_step_of(&pairs[i].low)) {
        og_load_pair(unit, OG_RCX, &pairs[i]);
        og_emit_immediate(e, true, 0, in_rcx, og_reach(s, og_step_of(&pairs[i].low)));
        og_jump_torn(unit, 0x82);
      }
    unsigned first = og_is_whole(&pairs[0]) || og_find_lasting_pair(unit, &pairs[0]) >= 0 ? 1 : 0;
    og_load_pair(unit, OG_RAX, &pairs[first]);
    og_emit_general(e, true, 0x03, OG_RAX, og_place_pair(unit, &pairs[!first]));
    if (upper_mask)
      put_mask(unit, upper->does->d2);
    if (upper_mask && step) {
      og_emit_general(e, true, 0x8b, OG_RCX, in_rax);
      og_emit_immediate(e, true, 0, in_rcx, og_reach(s, step));
      og_jump_torn(unit, 0x82);
    }
    unit->carry = OG_NO_CARRY;
  }
  if (low + 1 == high) {
    put_whole(unit, low, step);
    return true;
  }
  if (s->emits) { /* apart */
    og_emit_general(e, true, 0x8b, OG_RCX, in_rax);
    og_emit_general(e, true, 0xc1, 5, in_rcx), og_emit_byte(e, 32);
    og_emit_general(e, false, 0x89, OG_RCX, og_slot_place(unit, high));
  } else {
    og_use_slot(s, high);
  }
  s->now[high] = (struct og_lane_shape){.kind = OG_SHAPE_ONE};
  s->vector_has_it[high] = false;
  put_one(unit, low, step);
  if (s->emits)
    og_check_wrap(unit, low, step);
  return true;
}

bool og_shape_item(struct og_unit *unit, const struct og_item *item) {
  const struct og_item *other;
  switch ((enum og_shaping)item->shaping) {
  case OG_SHAPING_NONE: return false;
  case OG_SHAPING_SHIFT_LEFT_64: return shape_shift_64(unit, item);
  case OG_SHAPING_ADD_CO: { /* done by the one that follows */
    struct og_shape_pair pairs[2];
    bool ok = true;
    other = find_upper(unit, item);
    if (!other || !find_addends(unit, item, other, pairs) || og_vgpr_of(item->does->d) == og_vgpr_of(other->does->d))
      return false;
    checked((uint64_t)og_step_of(&pairs[0].low) + og_step_of(&pairs[1].low), &ok);
    return ok;
  }
  case OG_SHAPING_ADDC:
    other = find_lower(unit, item);
    return other && unit->shapes.scalar[other - unit->items] && shape_sum_64(unit, other, item);
  default: return shape_32(unit, item);
  }
}
