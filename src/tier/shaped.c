/* shaped.c - the version of a stretch in which addresses are numbers of a strip: the check of the shapes that it begins
 * with, loads, and the way out where a shape is torn apart or memory is out of the window. Strips are of 16 lanes where
 * that can be, with 256 bits two vectors. */
#include "tier/numbers.h"

#include <string.h>

enum { AT_DATA = OG_P2, MISSES_OF_TORN = 16 };

static const struct og_place in_rax = {.kind = OG_PLACE_REGISTER, .reg = OG_RAX},
                             in_rcx = {.kind = OG_PLACE_REGISTER, .reg = OG_RCX},
                             in_rdx = {.kind = OG_PLACE_REGISTER, .reg = OG_RDX},
                             in_r12 = {.kind = OG_PLACE_REGISTER, .reg = OG_R12};

/* i * step, of the half's lanes. */
static struct og_place steps(struct og_unit *unit, uint32_t step) {
  uint32_t row[16];
  for (unsigned i = 0; i < 16; i++)
    row[i] = i * step;
  struct og_place place = og_constant_row(&unit->code, row);
  place.offset += 8 * (int)unit->half;
  return place;
}

/* ---- lanes from numbers ------------------------------------------------------------------------------------------ */

static bool has_number(const struct og_unit *unit, unsigned vgpr) {
  return unit->shapes.now[vgpr].kind != OG_SHAPE_NONE && !unit->shapes.vector_has_it[vgpr] && unit->written[vgpr];
}

/* Brings a VGPR's lanes to where they belong. */
static void bring_lanes(struct og_unit *unit, unsigned vgpr) {
  struct og_encoder *e = &unit->code;
  struct og_shapes *s = &unit->shapes;
  if (!has_number(unit, vgpr))
    return;
  uint32_t step = s->now[vgpr].kind == OG_SHAPE_HIGH ? 0 : s->now[vgpr].step;
  og_emit_shape_base(unit, OG_RAX, vgpr);
  og_emit_vector_low(e, OG_VEX(1, 1, 0, 0x6e), OG_T1, 0, in_rax);
  og_emit_vector(e, OG_VEX(1, 2, 0, 0x58), OG_T1, 0, og_place_register(OG_T1), 0, false);
  for (unsigned h = 0; h < s->halves; h++) {
    og_set_half(unit, h);
    unsigned reg = unit->host[vgpr] ? unit->host[vgpr] : step ? OG_T0 : OG_T1;
    if (step)
      og_emit_vector(e, OG_VEX(1, 1, 0, 0xfe), reg, OG_T1, steps(unit, step), 0, false);
    else if (reg != OG_T1)
      og_emit_vector(e, OG_VEX(0, 1, 0, 0x10), reg, 0, og_place_register(OG_T1), 0, false);
    if (!unit->host[vgpr])
      og_emit_store(unit, og_home(unit, vgpr), reg);
  }
  og_set_half(unit, 0);
  s->vector_has_it[vgpr] = true;
}

static void bring_read(struct og_unit *unit, unsigned vgpr, unsigned how) {
  if (how & 2)
    bring_lanes(unit, vgpr);
}

/* ---- the begin of a strip ---------------------------------------------------------------------------------------- */

/* Compares a VGPR's lanes with the shape foreseen: k3, or OG_P1, has those that are alike. Its slot gets the first
 * one. */
static void check_shape(struct og_unit *unit, unsigned vgpr, bool first) {
  struct og_encoder *e = &unit->code;
  const struct og_lane_shape *shape = &unit->shapes.entry[vgpr];
  for (unsigned h = 0; h < unit->shapes.halves; h++) {
    og_set_half(unit, h);
    og_emit_load(unit, OG_T0, og_home(unit, vgpr));
    if (h == 0 && !shape->zero)
      og_emit_vector_low(e, OG_VEX(1, 1, 0, 0x7e), OG_T0, 0, og_slot_place(unit, vgpr));
    if (h == 0 && !shape->zero)
      og_emit_vector(e, OG_VEX(1, 2, 0, 0x58), OG_T1, 0, og_place_register(OG_T0), 0, false);
    struct og_place wanted = shape->zero ? steps(unit, 0) : og_place_register(OG_T1);
    if (shape->step) {
      og_emit_vector(e, OG_VEX(1, 1, 0, 0xfe), OG_T2, OG_T1, steps(unit, shape->step), 0, false);
      wanted = og_place_register(OG_T2);
    }
    bool alone = first && h == 0;
    unsigned to = e->wide ? OG_K_TEMPORARY : alone ? OG_P1 : OG_P0;
    og_emit_vector(e, OG_VEX(1, 1, 0, 0x76), to, OG_T0, wanted, e->wide && !alone ? OG_K_TEMPORARY : 0, false);
    if (!e->wide && !alone)
      og_emit_vector(e, OG_VEX(1, 1, 0, 0xdb), OG_P1, OG_P1, og_place_register(OG_P0), 0, false);
  }
  og_set_half(unit, 0);
}

static uint32_t jump_unless_all(struct og_unit *unit) {
  struct og_encoder *e = &unit->code;
  if (!e->wide) {
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x50), OG_RAX, 0, og_place_register(OG_P1), 0, false);
    og_emit_immediate(e, false, 7, in_rax, 0xff);
    return og_emit_jump(e, 0x85);
  }
  e->wide = false; /* KORTESTW */
  og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x98), OG_K_TEMPORARY, 0, og_place_register(OG_K_TEMPORARY));
  e->wide = true;
  return og_emit_jump(e, 0x83);
}

/* Whether LDS has all bytes from RAX on. */
static uint32_t jump_unless_in_lds(struct og_unit *unit, uint32_t bytes) {
  struct og_encoder *e = &unit->code;
  og_emit_general(e, true, 0x8b, OG_RDX, in_rax);
  og_emit_immediate(e, true, 0, in_rdx, bytes);
  og_emit_general(e, false, 0x8b, OG_RCX, og_in_wave((uint32_t)offsetof(struct og_wave, lds_size)));
  og_emit_general(e, true, 0x3b, OG_RDX, in_rcx);
  return og_emit_jump(e, 0x87);
}

/* Jumps where the strip is not as foreseen. */
struct jumps {
  uint32_t at[OG_SHAPE_SLOTS * 4], count;
};
static void add_jump(struct og_unit *unit, struct jumps *jumps, uint32_t jump) {
  if (jumps->count == OG_COUNT(jumps->at))
    unit->code.full = true;
  else
    jumps->at[jumps->count++] = jump;
}
static void land(struct og_unit *unit, const struct jumps *jumps) {
  for (uint32_t i = 0; i < jumps->count; i++)
    og_emit_land(&unit->code, jumps->at[i]);
}

static void check_entry(struct og_unit *unit, struct jumps *missed) {
  struct og_shapes *s = &unit->shapes;
  bool first = true;
  for (unsigned i = 0; i < unit->touched_count; i++)
    if (s->entry[unit->touched[i]].kind != OG_SHAPE_NONE &&
        (s->entry[unit->touched[i]].zero || s->slot[unit->touched[i]])) {
      check_shape(unit, unit->touched[i], first);
      first = false;
    }
  if (!first)
    add_jump(unit, missed, jump_unless_all(unit));
  for (unsigned i = 0; i < unit->touched_count; i++) {
    unsigned v = unit->touched[i];
    if (s->lds_end[v] == 0 || unit->written[v])
      continue;
    og_emit_shape_base(unit, OG_RAX, v);
    add_jump(unit, missed, jump_unless_in_lds(unit, og_reach(s, s->entry[v].step) + s->lds_end[v]));
  }
}

/* A load whose address was out of reach, and how VGPRs stood that it is of. */
struct slow_load {
  const struct og_item *item;
  struct og_lane_shape address[3];
  bool vector_has_it[2];
  uint32_t jumps[2], jump_count, back;
};
/* ---- windows -----------------------------------------------------------------------------------------------------
 *
 * In a loop, what does not change from round to round is worked out before it, and anew where a window has moved. */

static struct og_place limit_place(unsigned number, uint32_t lower) {
  return og_place_memory(OG_RSP, -1, OG_FRAME_SHAPES + 8 * (OG_SHAPE_SLOTS + OG_SHAPE_PAIRS + number) + lower);
}

void og_emit_shape_limits(struct og_unit *unit, uint32_t lower) {
  struct og_encoder *e = &unit->code;
  for (unsigned i = 0; i < unit->shapes.limit_count; i++) {
    const struct og_shape_limit *limit = &unit->shapes.limits[i];
    og_emit_general(e, true, 0x8b, OG_RDX, og_window_place(limit->item, offsetof(struct og_window, size)));
    og_emit_load_constant(e, OG_RSI, 0);
    og_emit_immediate(e, true, 5, in_rdx, limit->bytes - 1);
    og_emit_general(e, true, 0x142, OG_RDX, og_place_register(OG_RSI)); /* cmovb: the window is too small */
    og_emit_general(e, true, 0x89, OG_RDX, limit_place(i, lower));
  }
}

/* Brings RAX to the host's; jumps where that is out of the window. */
static void check_window(struct og_unit *unit, const struct og_item *item, uint32_t bytes, struct slow_load *slow) {
  struct og_encoder *e = &unit->code;
  unsigned number = 0;
  while (number < unit->shapes.limit_count && unit->shapes.limits[number].item != item)
    number++;
  if (number == unit->shapes.limit_count) {
    slow->jump_count = og_emit_check_window(unit, item, bytes, slow->jumps);
    return;
  }
  og_emit_general(e, true, 0x8b, OG_RDX, in_rax);
  og_emit_general(e, true, 0x2b, OG_RDX, og_window_place(item, offsetof(struct og_window, start)));
  og_emit_general(e, true, 0x3b, OG_RDX, limit_place(number, 0));
  slow->jumps[slow->jump_count++] = og_emit_jump(e, 0x83);
  og_emit_general(e, true, 0x03, OG_RAX, og_window_place(item, offsetof(struct og_window, shift)));
}

/* ---- loads ------------------------------------------------------------------------------------------------------- */

enum { SLOW_MOST = 128 };

static void load_strided(struct og_unit *unit, unsigned to, uint32_t offset, uint32_t step) {
  struct og_encoder *e = &unit->code;
  if (e->wide) {
    e->wide = false; /* KXNORW */
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x46), OG_K_TEMPORARY, OG_K_TEMPORARY, og_place_register(OG_K_TEMPORARY), 0,
                   false);
    e->wide = true;
    og_emit_load(unit, OG_T1, steps(unit, step));
    og_emit_vector(e, OG_VEX(1, 2, 0, 0x90), to, 0, og_place_memory(OG_RAX, OG_T1, offset), OG_K_TEMPORARY, false);
    return;
  }
  for (unsigned lane = 0; lane < 8; lane++) { /* VMOVD, VPINSRD */
    struct og_place at = og_place_memory(OG_RAX, -1, offset + (8 * unit->half + lane) * step);
    unsigned half = lane < 4 ? OG_T0 : OG_T1;
    if (lane % 4 == 0)
      og_emit_vector_low(e, OG_VEX(1, 1, 0, 0x6e), half, 0, at);
    else
      og_emit_vector_low(e, OG_VEX(1, 3, 0, 0x22), half, half, at), og_emit_byte(e, lane % 4);
  }
  og_emit_vector(e, OG_VEX(1, 3, 0, 0x38), to, OG_T0, og_place_register(OG_T1), 0, false); /* VINSERTI128 */
  og_emit_byte(e, 1);
}

static void load_dword(struct og_unit *unit, unsigned vgpr, struct og_place at, uint32_t step) {
  for (unsigned h = 0; h < unit->shapes.halves; h++) {
    og_set_half(unit, h);
    unsigned to = unit->host[vgpr] ? unit->host[vgpr] : AT_DATA;
    struct og_place row = at;
    row.offset += 32 * (int)h;
    if (step == 0)
      og_emit_vector(&unit->code, OG_VEX(1, 2, 0, 0x58), to, 0, at, 0, false);
    else if (step == 4)
      og_emit_load(unit, to, row);
    else
      load_strided(unit, to, (uint32_t)at.offset, step);
    if (!unit->host[vgpr])
      og_emit_store(unit, og_home(unit, vgpr), to);
  }
  og_set_half(unit, 0);
}

/* Where lanes of LDS begin, checked. */
static struct og_place place_in_lds(struct og_unit *unit, const struct og_item *item, uint32_t step,
                                    struct slow_load *slow) {
  struct og_encoder *e = &unit->code;
  unsigned vgpr = og_vgpr_of(item->op->s[0]);
  uint32_t add = (uint32_t)item->op->constant[0];
  bool known = !unit->written[vgpr], zero = unit->shapes.now[vgpr].zero;
  if (known && !zero && og_slot_place(unit, vgpr).kind == OG_PLACE_REGISTER && (step == 0 || step == 4))
    return og_place_memory(OG_R15, og_slot_place(unit, vgpr).reg, add);
  if (known)
    og_emit_shape_base(unit, OG_RAX, vgpr);
  else
    og_emit_shaped_address(unit, item);
  if (!known)
    slow->jumps[slow->jump_count++] =
        jump_unless_in_lds(unit, og_reach(&unit->shapes, step) + add + og_access_end(item->access));
  og_emit_general(e, true, 0x03, OG_RAX, og_place_register(OG_R15));
  return og_place_memory(OG_RAX, -1, add);
}

static void emit_load(struct og_unit *unit, const struct og_item *item, struct slow_load *slow) {
  const struct og_memory_op *access = item->access;
  struct og_shapes *s = &unit->shapes;
  unsigned vgpr = og_vgpr_of(item->op->s[0]);
  uint32_t step = 0;
  struct og_place at = og_place_memory(OG_RAX, -1, 0);
  *slow = (struct slow_load){.item = item};
  memcpy(slow->address, s->now + vgpr, 2 * sizeof s->now[0]);
  memcpy(slow->vector_has_it, s->vector_has_it + vgpr, 2 * sizeof s->vector_has_it[0]);
  if (!og_has_shaped_address(unit, item, &step))
    unit->code.full = true;
  if (access->addressing == OG_ADDRESS_LDS) {
    at = place_in_lds(unit, item, step, slow);
  } else {
    og_emit_shaped_address(unit, item);
    check_window(unit, item, og_reach(s, step) + og_access_end(access), slow);
    if (step == 4 && s->limit_count == 0) /* no loop, which has a way of its own */
      og_emit_prefetch(unit, at);
  }
  for (unsigned p = 0; p < og_access_pieces(access); p++)
    for (unsigned d = 0; d < og_access_dwords(access); d++) {
      struct og_place dword = at;
      dword.offset += (int)((og_access_pieces(access) > 1 ? access->piece[p] : 0) + 4 * d);
      load_dword(unit, og_access_vgpr(item, p, d), dword, step);
    }
  slow->back = unit->code.at;
}

/* The interpreter does it, and moves the window. */
static void emit_slow_load(struct og_unit *unit, const struct slow_load *slow) {
  struct og_encoder *e = &unit->code;
  struct og_shapes *s = &unit->shapes;
  unsigned vgpr = og_vgpr_of(slow->item->op->s[0]);
  if (slow->jump_count == 0)
    return;
  for (uint32_t i = 0; i < slow->jump_count; i++)
    og_emit_land(e, slow->jumps[i]);
  for (unsigned i = 0; i < (og_has_lane_addresses(slow->item->access) ? 2u : 1u); i++) {
    if (i == 0) {
      memcpy(s->now + vgpr, slow->address, 2 * sizeof s->now[0]);
      memcpy(s->vector_has_it + vgpr, slow->vector_has_it, 2 * sizeof s->vector_has_it[0]);
    }
    bring_lanes(unit, vgpr + i);
  }
  og_emit_move_call(unit, slow->item);
  og_emit_jump_to(e, 0, slow->back);
}

/* ---- a strip ----------------------------------------------------------------------------------------------------- */

static uint32_t emit_item(struct og_unit *unit, const struct og_item *item, struct slow_load *slow) {
  bool scalar = unit->shapes.scalar[item - unit->items];
  if (item->kind == OG_ITEM_SCALAR) {
    if (item != unit->loop_test && !unit->hoisted)
      og_emit_scalar_item(unit, item);
    return 0;
  }
  if (item->kind == OG_ITEM_NOTHING)
    return 0;
  if (item->kind == OG_ITEM_VECTOR && scalar) {
    if (!og_shape_item(unit, item))
      unit->code.full = true; /* it was foreseen otherwise */
    return 0;
  }
  uint32_t slow_count = 0;
  if (item->kind == OG_ITEM_MEMORY && scalar) {
    og_begin_half(unit, item, 0);
    emit_load(unit, item, slow);
    slow_count = 1;
  } else {
    og_visit_vgprs(unit, item, bring_read);
    for (unsigned h = 0; item->kind == OG_ITEM_VECTOR && h < unit->shapes.halves; h++) {
      og_begin_half(unit, item, h);
      og_emit_vector_item(unit, item);
    }
    og_set_half(unit, 0);
    if (item->kind == OG_ITEM_MEMORY)
      og_emit_memory_item(unit, item);
  }
  og_unshape_results(unit, item);
  return slow_count;
}

static void copy_saved_halves(struct og_unit *unit, bool back) {
  for (unsigned h = 0; h < unit->shapes.halves; h++) {
    og_set_half(unit, h);
    og_copy_saved(unit, back);
  }
  og_set_half(unit, 0);
}

static void begin_walk(struct og_unit *unit) {
  struct og_shapes *s = &unit->shapes;
  s->emits = true;
  s->jump_count = 0;
  s->rax_at = UINT32_MAX;
  for (unsigned i = 0; i < unit->touched_count; i++) {
    unsigned v = unit->touched[i];
    s->now[v] = s->entry[v], s->now[v + 1] = s->entry[v + 1];
    s->vector_has_it[v] = false;
  }
}

/* Where a shape was torn apart: the strip begins anew, with lanes as they come; alone, all of the stretch does, as the
 * interpreter does it. */
static void emit_torn(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept,
                      const struct jumps *missed, bool alone) {
  struct og_encoder *e = &unit->code;
  for (uint32_t i = 0; i < unit->shapes.jump_count; i++)
    og_emit_land(e, unit->shapes.jumps[i]);
  copy_saved_halves(unit, true);
  if (alone) {
    land(unit, missed);
    unit->missed_strip = og_emit_missed(unit, OG_MISSES_SHAPES);
    return;
  }
  og_emit_immediate(e, false, 0, og_misses_place(unit, OG_MISSES_SHAPES), MISSES_OF_TORN);
  og_copy_kept(unit, kept, kept->strips, true);
  if (stretch->branch)
    og_copy_budget(unit, true);
  uint32_t over = og_emit_jump(e, 0);
  land(unit, missed);
  og_emit_immediate(e, false, 0, og_misses_place(unit, OG_MISSES_SHAPES), 1);
  og_emit_land(e, over);
}

bool og_emit_shaped(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept) {
  struct og_encoder *e = &unit->code;
  struct og_shapes *s = &unit->shapes;
  uint32_t strip;
  struct jumps missed = {.count = 0}, other = {.count = 0};
  struct slow_load slow[SLOW_MOST];
  uint32_t slow_count = 0;
  bool alone = og_is_alone(unit, OG_MISSES_SHAPES);
  begin_walk(unit);
  og_allocate(unit, stretch, true);
  if (!alone) {
    og_emit_immediate(e, false, 7, og_misses_place(unit, OG_MISSES_SHAPES), OG_MISSES_MOST);
    add_jump(unit, &other, og_emit_jump(e, 0x83));
  }
  if (s->halves == 2 && !alone) { /* the second half of such a strip */
    og_emit_general(e, false, 0xf7, 0, in_r12), og_emit_u32(e, 32);
    add_jump(unit, &other, og_emit_jump(e, 0x85));
  }
  og_emit_move_routine(unit, true);
  strip = e->at; /* where others of this version need no look at what is before */
  check_entry(unit, &missed);
  og_emit_shape_pairs(unit);
  og_emit_shape_limits(unit, 0);
  if (stretch->branch)
    og_emit_set_stopped(unit, 0);
  og_load_held(unit, true);
  copy_saved_halves(unit, false);
  uint32_t head = e->at;
  unit->carry = OG_NO_CARRY;
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    if (slow_count == SLOW_MOST) {
      e->full = true;
      break;
    }
    slow_count += emit_item(unit, &unit->items[i], &slow[slow_count]);
  }
  for (unsigned i = 0; stretch->branch && i < unit->touched_count; i++) { /* the next round reads lanes */
    unsigned v = unit->touched[i];
    if (unit->read_first[v] && s->entry[v].kind == OG_SHAPE_NONE)
      bring_lanes(unit, v);
  }
  if (stretch->branch)
    og_emit_loop_branch(unit, stretch, head);
  for (unsigned i = 0; i < unit->touched_count; i++)
    bring_lanes(unit, unit->touched[i]);
  og_store_held(unit);
  og_add_end(unit, og_emit_next_strip(unit, stretch, kept, s->lanes, strip));
  for (uint32_t i = 0; i < slow_count; i++)
    emit_slow_load(unit, &slow[i]);
  emit_torn(unit, stretch, kept, &missed, alone);
  land(unit, &other);
  return alone;
}

/* ---- nothing in the way ------------------------------------------------------------------------------------------
 *
 * Where addresses of LDS are all that shapes are of, and none is made in the stretch, all of its strips can be looked
 * at before the first one is done. None of them needs to be kept then, for nothing is ever done anew. */

void og_emit_sure_load(struct og_unit *unit, const struct og_item *item) {
  struct slow_load slow;
  emit_load(unit, item, &slow);
}

/* The next strip, at `strip`, if there is one. */
static void emit_to_next(struct og_unit *unit, uint32_t strip) {
  og_emit_immediate(&unit->code, false, 0, in_r12, 4 * unit->shapes.lanes);
  og_emit_immediate(&unit->code, false, 7, in_r12, unit->wave32 ? 128 : 256);
  og_emit_jump_to(&unit->code, 0x82, strip);
}

/* Slots get what the strip's first lane has. */
static void load_slots(struct og_unit *unit) {
  struct og_encoder *e = &unit->code;
  for (unsigned i = 0; i < unit->touched_count; i++) {
    unsigned v = unit->touched[i];
    if (unit->shapes.entry[v].kind == OG_SHAPE_NONE || unit->shapes.entry[v].zero || !unit->shapes.slot[v])
      continue;
    struct og_place slot = og_slot_place(unit, v);
    unsigned reg = slot.kind == OG_PLACE_REGISTER ? slot.reg : OG_RAX;
    og_emit_general(e, false, 0x8b, reg, og_home(unit, v));
    if (slot.kind != OG_PLACE_REGISTER)
      og_emit_general(e, false, 0x89, reg, slot);
  }
}

bool og_emit_sure(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept) {
  struct og_encoder *e = &unit->code;
  struct jumps missed = {.count = 0};
  struct slow_load slow;
  bool alone = og_is_alone(unit, OG_MISSES_SHAPES);
  uint32_t other = 0;
  begin_walk(unit);
  if (!alone) {
    og_emit_immediate(e, false, 7, og_misses_place(unit, OG_MISSES_SHAPES), OG_MISSES_MOST);
    other = og_emit_jump(e, 0x83);
  }
  uint32_t check = e->at;
  check_entry(unit, &missed);
  emit_to_next(unit, check);
  og_emit_general(e, false, 0x33, OG_R12, in_r12);
  og_allocate(unit, stretch, true);
  uint32_t strip = e->at;
  load_slots(unit);
  og_load_held(unit, false);
  unit->carry = OG_NO_CARRY;
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    emit_item(unit, &unit->items[i], &slow);
  og_store_held(unit);
  og_end_halves(unit);
  og_add_end(unit, og_emit_next_strip(unit, stretch, kept, unit->shapes.lanes, strip));
  land(unit, &missed);
  if (alone) {
    unit->missed = og_emit_missed(unit, OG_MISSES_SHAPES);
    return true;
  }
  og_emit_general(e, false, 0x33, OG_R12, in_r12);
  og_emit_immediate(e, false, 0, og_misses_place(unit, OG_MISSES_SHAPES), 1);
  og_emit_land(e, other);
  return false;
}
