/* numbers.h - what shapes' arithmetic is made of: sources, pairs of them, slots. Internal to src/tier. */
#ifndef OG_TIER_NUMBERS_H
#define OG_TIER_NUMBERS_H

#include "tier/unit.h"

/* From the first lane to the last one. */
static inline uint32_t og_reach(const struct og_shapes *s, uint32_t step) { return (s->lanes - 1) * step; }

static inline bool og_is_constant(const struct og_shape_source *source) {
  return source->kind == OG_SOURCE_IS_CONSTANT;
}
/* Of HIGH all lanes are alike, or code checks that. */
static inline uint32_t og_step_of(const struct og_shape_source *source) {
  return source->shape.kind == OG_SHAPE_HIGH ? 0 : source->shape.step;
}
static inline bool og_is_zero(const struct og_shape_source *source) {
  return og_is_constant(source) ? source->at == 0 : source->kind == OG_SOURCE_IS_VGPR && source->shape.zero;
}

static inline bool og_is_whole(const struct og_shape_pair *pair) {
  return pair->low.kind == OG_SOURCE_IS_VGPR && pair->high.kind == OG_SOURCE_IS_VGPR &&
         pair->low.shape.kind == OG_SHAPE_LOW && pair->high.shape.kind == OG_SHAPE_HIGH &&
         pair->high.at == pair->low.at + 1;
}
static inline bool og_has_pair_shape(const struct og_shape_pair *pair) {
  return og_is_whole(pair) || og_step_of(&pair->high) == 0;
}

/* The slot's number; it is given one while shapes are foreseen. */
unsigned og_use_slot(struct og_shapes *s, unsigned vgpr);
/* Jumps, by condition, to where the strip begins anew; where the lower half in this slot wraps from lane to lane. */
void og_jump_torn(struct og_unit *unit, unsigned condition);
void og_check_wrap(struct og_unit *unit, unsigned slot_vgpr, uint32_t step);
/* False: it is of lanes that have no shape. */
bool og_find_source(struct og_unit *unit, const struct og_item *item, unsigned i, unsigned high,
                    struct og_shape_source *source);
/* Notes that code will want what they have in slots. */
void og_want_source(struct og_unit *unit, const struct og_shape_source *source);
void og_want_pair(struct og_unit *unit, const struct og_shape_pair *pair);
/* To a register, of 32 bits; `to` = opcode(to, source). RDX may be spent. */
void og_load_number(struct og_unit *unit, enum og_gpr to, const struct og_shape_source *source);
void og_apply_number(struct og_unit *unit, unsigned opcode, enum og_gpr to, const struct og_shape_source *source);
/* The number of a pair that is worked out once for a strip, or -1. */
int og_find_lasting_pair(struct og_unit *unit, const struct og_shape_pair *pair);
/* To a register; or where it is, or RCX, which it is brought to. */
void og_load_pair(struct og_unit *unit, enum og_gpr to, const struct og_shape_pair *pair);
struct og_place og_place_pair(struct og_unit *unit, const struct og_shape_pair *pair);

#endif
