/* ds_bvh.c - ds_bvh_stack*: a lane's short stack in LDS of nodes that its ray is still to visit. "RDNA3" and "RDNA4"
 * ISA, 12.5.3 and the instructions; what they leave open is as RADV, which runs on it, relies on it
 * (docs/exactness.md).
 *
 * Entries of a stack stand 32 dwords apart, those of 32 lanes side by side. The stack is a ring: entries that are
 * pushed over others are lost, and who finds that out walks back by the nodes' parents. */
#include "exec/rays.h"

#include "exec/modifiers.h"
#include "exec/place.h"
#include "isa/rows.h"

enum {
  INVALID = 0xffffffffu,
  TERMINAL = 0xfffffffeu,    /* the stack is empty; as the last node visited, on gfx11: only pop */
  SKIP_LOWER = 0xfffffffdu,  /* gfx12, in the data: this one and all before it are nothing, */
  SKIP_UPPER = 0xfffffffbu,  /* those before it down to the fifth, */
  SKIP_ALL = 0xfffffff9u     /* all before it; what has been pushed already begins another tree */
};
enum { DATA_MOST = 8, ENTRY_STRIDE = 128 };

/* constant[0]: entries; constant[1]: words of data; d: what is popped; d2: address; s[0]: the last node; s[1]: data. */
struct stack {
  uint32_t base, entries;
  uint32_t index;            /* of the next to be pushed, in the ring */
  uint32_t valid;            /* how many there are; gfx11: all that were pushed, lost ones too */
  uint32_t above;            /* gfx12: of them how many come before those of the tree above */
  bool two_trees, overflowed, came_up;
};

static struct stack read_stack(bool is_12, uint32_t word, uint32_t entries) {
  struct stack s = {.entries = entries};
  if (!is_12) {
    s.base = word >> 18, s.valid = word & 0x3ffff, s.index = s.valid % entries;
    return s;
  }
  s.valid = word & 31, s.above = word >> 5 & 31, s.index = (word >> 10 & 31) % entries, s.base = word >> 15 & 0x3fff;
  s.overflowed = word >> 30 & 1;
  s.two_trees = word >> 29 & 1 && !(word >> 31);
  return s;
}

static uint32_t word_of(bool is_12, const struct stack *s) {
  if (!is_12)
    return s->base << 18 | (s->valid & 0x3ffff);
  return (s->valid & 31) | (s->above & 31) << 5 | s->index << 10 | s->base << 15 | (uint32_t)s->two_trees << 29 |
         (uint32_t)s->overflowed << 30 | (uint32_t)s->came_up << 31;
}

struct lane {
  struct og_wave *wave;
  const struct og_operation *op;
  unsigned number;
  bool is_12;
  struct stack stack;
};

static struct og_lane_place entry(const struct lane *lane) {
  uint32_t address = 4 * lane->stack.base + ENTRY_STRIDE * lane->stack.index;
  return (struct og_lane_place){.space = OG_SPACE_LDS, .address = address};
}

static bool push(struct lane *lane, uint32_t node) {
  struct stack *s = &lane->stack;
  struct og_lane_place place = entry(lane);
  if (!og_lane_write(lane->wave, lane->op, lane->number, &place, &node, 4))
    return false;
  s->index = (s->index + 1) % s->entries;
  uint32_t most = lane->is_12 ? OG_MIN(s->entries, 31u) : UINT32_MAX;
  s->overflowed |= s->valid >= most;
  s->valid = OG_MIN(s->valid + 1, most);
  s->above = s->two_trees ? OG_MIN(s->above + 1, most) : 0;
  return true;
}

static bool pop(struct lane *lane, uint32_t *node) {
  struct stack *s = &lane->stack;
  *node = s->overflowed ? INVALID : TERMINAL;
  if (s->valid == 0)
    return true;
  static const uint32_t invalid = INVALID;
  s->index = (s->index + s->entries - 1) % s->entries;
  s->valid--;
  if (s->two_trees && s->above == 0)
    s->two_trees = false, s->came_up = true;
  else if (s->two_trees)
    s->above--;
  struct og_lane_place place = entry(lane);
  return og_lane_read(lane->wave, lane->op, lane->number, &place, node, 4) &&
         og_lane_write(lane->wave, lane->op, lane->number, &place, &invalid, 4);
}

/* Pushes from the last word of data on down, that is from the farthest child on, all but the first; `skips`, where that
 * one is nothing either. False: there was a fault. */
static bool push_all(struct lane *lane, const uint32_t *data, unsigned count, uint32_t last, bool *skips) {
  unsigned pushed = 0;
  *skips = !lane->is_12 && last == TERMINAL;
  for (unsigned i = count; i-- > 1 && !*skips;) {
    uint32_t node = data[i * OG_LANES];
    if (node == INVALID)
      continue;
    if (lane->is_12 && node == SKIP_UPPER && i >= 4) {
      i = 4;
    } else if (lane->is_12 && (node == SKIP_LOWER || node == SKIP_ALL)) {
      *skips = true;
      if (node == SKIP_ALL && pushed)
        lane->stack.two_trees = true, lane->stack.above = pushed;
    } else if (node == last) { /* what comes before it has been visited, too */
      *skips = true;
    } else if (!push(lane, node)) {
      return false;
    } else {
      pushed++;
    }
  }
  return true;
}

static bool step(struct lane *lane) {
  struct og_wave *wave = lane->wave;
  const struct og_operation *op = lane->op;
  unsigned i = lane->number;
  uint32_t last = og_at(wave, op->s[0])[i], *to = og_at(wave, op->d) + i, results[2] = {INVALID, INVALID};
  const uint32_t *data = og_at(wave, op->s[1]) + i;
  bool skips, two = op->row == OG_ROW_DS_BVH_STACK_PUSH8_POP2_RTN_B64;
  if (!push_all(lane, data, (unsigned)op->constant[1], last, &skips))
    return false;
  bool marked = lane->is_12 && (data[0] == SKIP_LOWER || data[0] == SKIP_ALL);
  if (!skips && !marked && data[0] != INVALID && data[0] != last)
    results[0] = data[0];
  else if (!pop(lane, &results[0]))
    return false;
  if (two && lane->stack.valid && !lane->stack.came_up && !pop(lane, &results[1]))
    return false;
  to[0] = results[0];
  if (two)
    to[OG_LANES] = results[1];
  og_at(wave, op->d2)[i] = word_of(lane->is_12, &lane->stack);
  return true;
}

static const struct og_operation *bvh_stack(struct og_wave *wave, const struct og_operation *op) {
  bool is_12 = wave->program->target.processor->generation >= OG_GFX12;
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1) {
    unsigned i = (unsigned)__builtin_ctzll(lanes);
    struct lane lane = {wave, op, i, is_12, read_stack(is_12, og_at(wave, op->d2)[i], (uint32_t)op->constant[0])};
    if (!step(&lane))
      return &og_stop;
  }
  return og_next(op);
}

/* Sizes: gfx11 has two bits for 8, 16, 32 and 64 entries, gfx12 the number of them. */
bool og_prepare_bvh_stack(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  const struct og_operand *data = og_operand(inst, OG_ROLE_DATA1), *to = og_operand(inst, OG_ROLE_VDST);
  unsigned offset = (unsigned)inst->mod[OG_MOD_OFFSET] & 0xffff;
  if (program->target.processor->generation < OG_GFX12)
    op->constant[0] = 8u << (offset >> 12 & 3);
  else if (offset >> 8)
    return og_refuse(program, "primitive ranges");
  else
    op->constant[0] = offset & 31 ? offset & 31 : 32;
  op->constant[1] = data ? data->dwords : 0;
  op->handler = bvh_stack;
  return data && to && data->dwords <= DATA_MOST && og_place_vector(to, to->dwords, &op->d) &&
         og_place_vector(og_operand(inst, OG_ROLE_VADDR), 1, &op->d2) &&
         og_place_vector(og_operand(inst, OG_ROLE_VDATA), 1, &op->s[0]) &&
         og_place_vector(data, data->dwords, &op->s[1]);
}
