/* unroll.c - loops of one block become straight code if they run a known number of times and index values by their
 * counter. The indices are then constants, and what would have to be looked for among registers has a known place. */
#include "cc/alias.h"
#include "cc/machine.h"
#include "cc/opt.h"

enum { MOST_TRIPS = 256, MOST_INSTRUCTIONS = 3000 };

struct loop {
  uint32_t block, exit, size, trips;
};

/* Whether it indexes a vector or private array by something that is known only when it runs. */
static bool indexes(const struct cc_opt *o, const struct og_ir_inst *i) {
  const struct og_ir_function *f = o->f;
  switch (i->opcode) {
  case OG_IR_EXTRACTELEMENT: return og_ir_space(og_ir_operand(f, i, 1)) == OG_IR_LOCAL;
  case OG_IR_INSERTELEMENT: return og_ir_space(og_ir_operand(f, i, 2)) == OG_IR_LOCAL;
  case OG_IR_GETELEMENTPTR:
    return og_ir_type_of(o->m, i->type)->count == 5 && og_ir_space(og_ir_operand(f, i, i->operands - 1)) == OG_IR_LOCAL;
  default: return false;
  }
}

static og_ir_ref incoming(const struct og_ir_function *f, uint32_t phi, uint32_t block, bool from_it) {
  const struct og_ir_inst *i = &f->insts.items[phi];
  for (uint32_t n = 0; n < i->operands; n += 2)
    if ((og_ir_index(og_ir_operand(f, i, n + 1)) == block) == from_it)
      return og_ir_operand(f, i, n);
  return OG_IR_NONE;
}

/* How often the loop runs: its counter begins with a number, grows by one, and is compared with one. 0: unknown. */
static uint32_t count_trips(const struct cc_opt *o, uint32_t block, bool leaves_if) {
  const struct og_ir_function *f = o->f;
  const struct og_ir_inst *last = &f->insts.items[f->blocks.items[block].last];
  og_ir_ref condition = og_ir_operand(f, last, 0);
  if (og_ir_space(condition) != OG_IR_LOCAL || f->insts.items[og_ir_index(condition)].opcode != OG_IR_ICMP)
    return 0;
  const struct og_ir_inst *compare = &f->insts.items[og_ir_index(condition)];
  og_ir_ref tested = og_ir_operand(f, compare, 0);
  uint64_t limit, value, step;
  if (!cc_is_number(o->m, og_ir_operand(f, compare, 1), &limit) || og_ir_space(tested) != OG_IR_LOCAL)
    return 0;
  const struct og_ir_inst *i = &f->insts.items[og_ir_index(tested)];
  bool before = i->opcode == OG_IR_PHI && i->block == block;
  og_ir_ref next = before ? incoming(f, og_ir_index(tested), block, true) : tested;
  if (og_ir_space(next) != OG_IR_LOCAL || f->insts.items[og_ir_index(next)].opcode != OG_IR_ADD)
    return 0;
  const struct og_ir_inst *add = &f->insts.items[og_ir_index(next)];
  og_ir_ref phi = og_ir_operand(f, add, 0);
  unsigned bits = cc_bits(o->m, add->type);
  if (og_ir_space(phi) != OG_IR_LOCAL || f->insts.items[og_ir_index(phi)].opcode != OG_IR_PHI ||
      f->insts.items[og_ir_index(phi)].block != block || incoming(f, og_ir_index(phi), block, true) != next ||
      (before && tested != phi) || !cc_is_number(o->m, og_ir_operand(f, add, 1), &step) ||
      !cc_is_number(o->m, incoming(f, og_ir_index(phi), block, false), &value) || bits > 64)
    return 0;
  uint64_t ones = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  for (uint32_t trips = 1; trips <= MOST_TRIPS; trips++) {
    uint64_t then = (value + step) & ones;
    if (cc_compares(compare->sub - (unsigned)OG_IR_EQ, before ? value : then, limit, bits) == leaves_if)
      return trips;
    value = then;
  }
  return 0;
}

static bool look_at(const struct cc_opt *o, uint32_t block, struct loop *l) {
  const struct og_ir_function *f = o->f;
  *l = (struct loop){.block = block};
  const struct og_ir_inst *last = &f->insts.items[f->blocks.items[block].last];
  if (last->opcode != OG_IR_BR || last->operands != 3)
    return false;
  uint32_t yes = og_ir_index(og_ir_operand(f, last, 1)), no = og_ir_index(og_ir_operand(f, last, 2));
  if ((yes == block) == (no == block))
    return false;
  bool worth = false;
  for (uint32_t i = f->blocks.items[block].first; i; i = f->insts.items[i].next) {
    worth |= indexes(o, &f->insts.items[i]);
    l->size += og_ir_opcodes[f->insts.items[i].opcode].shape != OG_IR_SHAPE_DEBUG;
  }
  if (!worth)
    return false;
  for (uint32_t i = f->blocks.items[block].first; f->insts.items[i].opcode == OG_IR_PHI; i = f->insts.items[i].next)
    if (f->insts.items[i].operands != 4)
      return false;
  l->exit = yes == block ? no : yes;
  l->trips = count_trips(o, block, yes != block);
  return l->trips && (uint64_t)l->trips * l->size <= MOST_INSTRUCTIONS;
}

static void unroll(struct cc_opt *o, const struct loop *l, og_ir_ref *with) {
  struct og_ir_function *f = o->f;
  uint32_t first = f->blocks.items[l->block].first, last = f->blocks.items[l->block].last, old = f->insts.count;
  og_ir_ref *now = OG_NEW_ARRAY(o->arena, og_ir_ref, old), *then = OG_NEW_ARRAY(o->arena, og_ir_ref, old);
  for (uint32_t trip = 0; trip < l->trips; trip++) {
    for (uint32_t i = first; f->insts.items[i].opcode == OG_IR_PHI; i = f->insts.items[i].next) {
      og_ir_ref from = incoming(f, i, l->block, trip > 0);
      then[i] = trip && og_ir_space(from) == OG_IR_LOCAL && now[og_ir_index(from)] ? now[og_ir_index(from)] : from;
    }
    for (uint32_t i = first; i != last; i = f->insts.items[i].next) {
      if (f->insts.items[i].opcode == OG_IR_PHI) {
        now[i] = then[i];
        continue;
      }
      if (i >= old)
        break; /* the rest are copies */
      const struct og_ir_inst from = f->insts.items[i];
      uint32_t copy = cc_insert(o, l->block, last, from.opcode, from.type, from.operands, i);
      struct og_ir_inst *to = &f->insts.items[copy];
      to->sub = from.sub, to->flags = from.flags, to->extra = from.extra,
      to->attachments = cc_without_scopes(o->m, from.attachments);
      for (uint32_t n = 0; n < from.operands; n++) {
        og_ir_ref ref = og_ir_operand(f, &from, n);
        cc_set(f, copy, n, og_ir_space(ref) == OG_IR_LOCAL && now[og_ir_index(ref)] ? now[og_ir_index(ref)] : ref);
      }
      now[i] = copy;
    }
  }
  for (uint32_t i = first, next; i < old && i != last; i = next) {
    next = f->insts.items[i].next;
    with[i] = now[i];
    og_ir_remove(f, i);
  }
  f->insts.items[last].operands = 1;
  cc_set(f, last, 0, OG_IR_BLOCK | l->exit);
}

void cc_unroll(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  for (uint32_t b = 0; b < f->blocks.count; b++) {
    struct loop l;
    if (!f->blocks.items[b].first || !look_at(o, b, &l))
      continue;
    uint32_t old = f->insts.count;
    og_ir_ref *with = OG_NEW_ARRAY(o->arena, og_ir_ref, old);
    unroll(o, &l, with);
    for (uint32_t k = 0; k < f->operands.count; k++)
      if (og_ir_space(f->operands.items[k]) == OG_IR_LOCAL && og_ir_index(f->operands.items[k]) < old &&
          with[og_ir_index(f->operands.items[k])])
        f->operands.items[k] = with[og_ir_index(f->operands.items[k])];
  }
}
