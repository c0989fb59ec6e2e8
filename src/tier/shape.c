/* shape.c - numbers of shapes: slots that have them, sources, pairs of 64 bits, addresses. What is foreseen (without
 * code) and what is emitted go through the same functions. */
#include "tier/numbers.h"

#include "exec/modifiers.h"

static const struct og_place in_rax = {.kind = OG_PLACE_REGISTER, .reg = OG_RAX},
                             in_rcx = {.kind = OG_PLACE_REGISTER, .reg = OG_RCX},
                             in_rdx = {.kind = OG_PLACE_REGISTER, .reg = OG_RDX};

/* ---- slots ------------------------------------------------------------------------------------------------------- */

unsigned og_use_slot(struct og_shapes *s, unsigned vgpr) {
  if (!s->slot[vgpr]) {
    if (s->slot_count == OG_SHAPE_SLOTS) {
      s->failed = true;
      return 0;
    }
    s->slot_uses[s->slot_count] = 0;
    s->slot[vgpr] = (uint8_t)++s->slot_count;
  }
  s->slot_uses[s->slot[vgpr] - 1]++;
  return s->slot[vgpr] - 1u;
}

struct og_place og_slot_place(const struct og_unit *unit, unsigned vgpr) {
  unsigned number = unit->shapes.slot[vgpr] - 1u;
  int reg = unit->shapes.slot_register[number];
  return reg >= 0 ? og_place_register((unsigned)reg) : og_place_memory(OG_RSP, -1, OG_FRAME_SHAPES + 8 * number);
}

static struct og_place pair_place(unsigned number) {
  return og_place_memory(OG_RSP, -1, OG_FRAME_SHAPES + 8 * (OG_SHAPE_SLOTS + number));
}

void og_jump_torn(struct og_unit *unit, unsigned condition) {
  struct og_shapes *s = &unit->shapes;
  if (s->jump_count == OG_SHAPE_JUMPS)
    unit->code.full = true;
  else
    s->jumps[s->jump_count++] = og_emit_jump(&unit->code, condition);
}

/* The lower half in this slot does not wrap from lane to lane. */
void og_check_wrap(struct og_unit *unit, unsigned slot_vgpr, uint32_t step) {
  if (!step)
    return;
  og_emit_immediate(&unit->code, false, 7, og_slot_place(unit, slot_vgpr), UINT32_MAX - og_reach(&unit->shapes, step));
  og_jump_torn(unit, 0x87);
}

/* ---- sources ----------------------------------------------------------------------------------------------------- */

bool og_find_source(struct og_unit *unit, const struct og_item *item, unsigned i, unsigned high,
                    struct og_shape_source *source) {
  const struct og_operation *op = item->does;
  if (item->modifiers && (item->modifiers->flags[i] || item->modifiers->select[i] < OG_SELECT_DWORD))
    return false;
  *source = (struct og_shape_source){.kind = OG_SOURCE_IS_SCALAR, .at = op->s[i] + 4 * high};
  if (og_is_vector_place(op->s[i])) {
    source->kind = OG_SOURCE_IS_VGPR;
    source->at = og_vgpr_of(op->s[i]) + high;
    source->shape = unit->shapes.now[source->at];
    return source->shape.kind != OG_SHAPE_NONE;
  }
  if (op->s[i] == OG_AT_S(OG_S_ZERO)) {
    source->kind = OG_SOURCE_IS_CONSTANT;
    source->at = (uint32_t)(op->constant[i] >> (32 * high));
  }
  return true;
}

static unsigned slot_vgpr(const struct og_shape_source *source) {
  return source->at - (source->shape.kind == OG_SHAPE_HIGH ? 1 : 0);
}
/* Notes that code will want its slot. */
void og_want_source(struct og_unit *unit, const struct og_shape_source *source) {
  if (source->kind == OG_SOURCE_IS_VGPR && !source->shape.zero && !unit->shapes.emits)
    og_use_slot(&unit->shapes, slot_vgpr(source));
}

void og_want_shape(struct og_unit *unit, unsigned vgpr) {
  struct og_shape_source source = {.kind = OG_SOURCE_IS_VGPR, .at = vgpr, .shape = unit->shapes.now[vgpr]};
  if (source.shape.kind != OG_SHAPE_NONE)
    og_want_source(unit, &source);
}

void og_load_number(struct og_unit *unit, enum og_gpr to, const struct og_shape_source *source) {
  struct og_encoder *e = &unit->code;
  if (og_is_constant(source) || og_is_zero(source)) {
    og_emit_load_constant(e, to, og_is_zero(source) ? 0 : source->at);
  } else if (source->kind == OG_SOURCE_IS_SCALAR) {
    og_emit_general(e, false, 0x8b, to, og_in_wave(source->at));
  } else if (source->shape.kind == OG_SHAPE_HIGH) {
    og_check_wrap(unit, slot_vgpr(source), source->shape.step);
    og_emit_general(e, true, 0x8b, to, og_slot_place(unit, slot_vgpr(source)));
    og_emit_general(e, true, 0xc1, 5, og_place_register(to)), og_emit_byte(e, 32);
  } else {
    og_emit_general(e, false, 0x8b, to, og_slot_place(unit, source->at));
  }
}
void og_emit_shape_base(struct og_unit *unit, enum og_gpr to, unsigned vgpr) {
  struct og_shape_source source = {.kind = OG_SOURCE_IS_VGPR, .at = vgpr, .shape = unit->shapes.now[vgpr]};
  og_load_number(unit, to, &source);
}

/* `to` = opcode(to, source). */
void og_apply_number(struct og_unit *unit, unsigned opcode, enum og_gpr to, const struct og_shape_source *source) {
  struct og_encoder *e = &unit->code;
  if ((og_is_constant(source) || og_is_zero(source)) && opcode < 0x40) {
    og_emit_immediate(e, false, opcode >> 3, og_place_register(to), og_is_zero(source) ? 0 : source->at);
  } else if (source->kind == OG_SOURCE_IS_SCALAR) {
    og_emit_general(e, false, opcode, to, og_in_wave(source->at));
  } else if (source->kind == OG_SOURCE_IS_VGPR && !og_is_zero(source) && source->shape.kind != OG_SHAPE_HIGH) {
    og_emit_general(e, false, opcode, to, og_slot_place(unit, source->at));
  } else {
    og_load_number(unit, OG_RDX, source);
    og_emit_general(e, false, opcode, to, in_rdx);
  }
}

/* ---- pairs of sources -------------------------------------------------------------------------------------------- */

static bool stays(const struct og_unit *unit, const struct og_shape_source *source) {
  if (source->kind == OG_SOURCE_IS_SCALAR)
    return unit->hoisted || !(unit->shapes.scalars_written[source->at / 256] & (uint64_t)1 << (source->at / 4 % 64));
  return og_is_constant(source) || (!unit->written[source->at] && source->shape.kind == OG_SHAPE_ONE);
}
/* A pair that is worked out once: its number, or -1. */
int og_find_lasting_pair(struct og_unit *unit, const struct og_shape_pair *pair) {
  struct og_shapes *s = &unit->shapes;
  if (!stays(unit, &pair->low) || !stays(unit, &pair->high) || og_step_of(&pair->low) || og_step_of(&pair->high))
    return -1;
  for (unsigned i = 0; i < s->pair_count; i++)
    if (s->pairs[i].low.kind == pair->low.kind && s->pairs[i].low.at == pair->low.at &&
        s->pairs[i].high.kind == pair->high.kind && s->pairs[i].high.at == pair->high.at)
      return (int)i;
  if (s->emits || s->pair_count == OG_SHAPE_PAIRS)
    return -1;
  s->pairs[s->pair_count] = *pair;
  return (int)s->pair_count++;
}

void og_want_pair(struct og_unit *unit, const struct og_shape_pair *pair) {
  og_want_source(unit, &pair->low), og_want_source(unit, &pair->high);
  if (!og_is_whole(pair))
    og_find_lasting_pair(unit, pair);
}

static void load_parts(struct og_unit *unit, enum og_gpr to, const struct og_shape_pair *pair) {
  struct og_encoder *e = &unit->code;
  if (og_step_of(&pair->low))
    og_check_wrap(unit, pair->low.at, og_step_of(&pair->low));
  og_load_number(unit, to, &pair->low);
  if (og_is_zero(&pair->high))
    return;
  og_load_number(unit, OG_RDX, &pair->high);
  og_emit_general(e, true, 0xc1, 4, in_rdx), og_emit_byte(e, 32);
  og_emit_general(e, true, 0x0b, to, in_rdx);
}
/* Where a pair is, or RCX, which it is brought to. */
struct og_place og_place_pair(struct og_unit *unit, const struct og_shape_pair *pair) {
  int number = og_is_whole(pair) ? -1 : og_find_lasting_pair(unit, pair);
  if (og_is_whole(pair))
    return og_slot_place(unit, pair->low.at);
  if (number >= 0)
    return pair_place((unsigned)number);
  load_parts(unit, OG_RCX, pair);
  return in_rcx;
}
void og_load_pair(struct og_unit *unit, enum og_gpr to, const struct og_shape_pair *pair) {
  struct og_shapes *s = &unit->shapes;
  if (to == OG_RAX && og_is_whole(pair) && s->rax_at == unit->code.at && s->rax_vgpr == pair->low.at)
    return;
  if (og_is_whole(pair) || og_find_lasting_pair(unit, pair) >= 0)
    og_emit_general(&unit->code, true, 0x8b, to, og_place_pair(unit, pair));
  else
    load_parts(unit, to, pair);
}

/* At the begin of a strip, slots loaded. */
void og_emit_shape_pairs(struct og_unit *unit) {
  for (unsigned i = 0; i < unit->shapes.pair_count; i++) {
    load_parts(unit, OG_RAX, &unit->shapes.pairs[i]);
    og_emit_general(&unit->code, true, 0x89, OG_RAX, pair_place(i));
  }
}

static bool find_address(struct og_unit *unit, const struct og_item *item, struct og_shape_pair *pair) {
  unsigned vgpr = og_vgpr_of(item->op->s[0]);
  struct og_shape_source *halves[] = {&pair->low, &pair->high};
  for (unsigned i = 0; i < 2; i++)
    *halves[i] =
        (struct og_shape_source){.kind = OG_SOURCE_IS_VGPR, .at = vgpr + i, .shape = unit->shapes.now[vgpr + i]};
  if (!og_has_lane_addresses(item->access))
    pair->high = (struct og_shape_source){.kind = OG_SOURCE_IS_CONSTANT};
  return pair->low.shape.kind != OG_SHAPE_NONE &&
         (og_is_constant(&pair->high) || (pair->high.shape.kind != OG_SHAPE_NONE && og_has_pair_shape(pair)));
}
bool og_has_shaped_address(struct og_unit *unit, const struct og_item *item, uint32_t *step) {
  struct og_shape_pair pair;
  if (item->write || !find_address(unit, item, &pair))
    return false;
  *step = og_step_of(&pair.low);
  return true;
}
void og_want_address(struct og_unit *unit, const struct og_item *item) {
  struct og_shape_pair pair;
  find_address(unit, item, &pair);
  og_want_pair(unit, &pair);
}
/* RAX: the first lane's address, of LDS its VGPR. */
void og_emit_shaped_address(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  const struct og_operation *op = item->op;
  struct og_shape_pair pair;
  find_address(unit, item, &pair);
  og_load_pair(unit, OG_RAX, &pair);
  if (item->access->addressing == OG_ADDRESS_LDS)
    return;
  if (!og_has_lane_addresses(item->access) && op->s[1] == OG_AT_S(OG_S_ZERO)) {
    og_emit_load_constant(e, OG_RCX, op->constant[1]);
    og_emit_general(e, true, 0x03, OG_RAX, in_rcx);
  } else if (!og_has_lane_addresses(item->access)) {
    og_emit_general(e, true, 0x03, OG_RAX, og_in_wave(op->s[1]));
  }
  if (op->constant[0])
    og_emit_immediate(e, true, 0, in_rax, (uint32_t)op->constant[0]);
}
