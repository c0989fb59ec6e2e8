/* constants.c - constant expressions over addresses become instructions before those that read them. Only constant
 * distances from a global stay, which instructions can take like its address. */
#include "cc/machine.h"
#include "cc/opt.h"

enum { DEEPEST = 32 };

static bool is_distance(const struct og_ir_module *m, og_ir_ref ref, unsigned depth) {
  if (og_ir_space(ref) != OG_IR_CONSTANT || depth > DEEPEST)
    return false;
  const struct og_ir_constant *k = og_ir_constant_of(m, ref);
  uint64_t number;
  if (k->kind != OG_IR_C_EXPRESSION)
    return true;
  if (k->opcode != OG_IR_GETELEMENTPTR)
    return false;
  for (uint32_t i = 1; i < k->parts; i++)
    if (!cc_is_number(m, m->pool.items[k->first + i], &number))
      return false;
  return is_distance(m, m->pool.items[k->first], depth + 1);
}

/* Whether it is an expression that takes instructions, or contains one. */
static bool is_computed(const struct og_ir_module *m, og_ir_ref ref, unsigned depth) {
  if (og_ir_space(ref) != OG_IR_CONSTANT || depth > DEEPEST)
    return false;
  const struct og_ir_constant *k = og_ir_constant_of(m, ref);
  if (k->kind == OG_IR_C_EXPRESSION)
    return !is_distance(m, ref, 0);
  if (k->kind != OG_IR_C_AGGREGATE)
    return false;
  for (uint32_t i = 0; i < k->parts; i++)
    if (is_computed(m, m->pool.items[k->first + i], depth + 1))
      return true;
  return false;
}

/* Makes an aggregate of its elements, one after the other. */
static og_ir_ref make(struct cc_opt *o, uint32_t before, og_ir_ref ref, unsigned depth);

static og_ir_ref make_aggregate(struct cc_opt *o, uint32_t before, og_ir_ref ref, unsigned depth) {
  const struct og_ir_constant k = *og_ir_constant_of(o->m, ref);
  bool vector = og_ir_is_vector(o->m, k.type);
  og_ir_ref all = og_ir_constant(o->m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = k.type}, NULL);
  for (uint32_t i = 0; i < k.parts; i++) {
    og_ir_ref part = make(o, before, o->m->pool.items[k.first + i], depth + 1);
    uint32_t block = o->f->insts.items[before].block;
    uint32_t n =
        cc_insert(o, block, before, vector ? OG_IR_INSERTELEMENT : OG_IR_INSERTVALUE, k.type, vector ? 3 : 2, before);
    cc_set(o->f, n, 0, all), cc_set(o->f, n, 1, part);
    if (vector)
      cc_set(o->f, n, 2, og_ir_number(o->m, og_ir_integer(o->m, 32), i));
    else
      o->f->insts.items[n].extra = og_ir_pool_list(o->m, (uint32_t[]){1, i}, 2);
    all = n;
  }
  return all;
}

static og_ir_ref make(struct cc_opt *o, uint32_t before, og_ir_ref ref, unsigned depth) {
  if (!is_computed(o->m, ref, 0) || depth > DEEPEST)
    return ref;
  const struct og_ir_constant k = *og_ir_constant_of(o->m, ref);
  if (k.kind == OG_IR_C_AGGREGATE)
    return make_aggregate(o, before, ref, depth);
  og_ir_ref *parts = OG_NEW_ARRAY(o->arena, og_ir_ref, k.parts + 1);
  for (uint32_t i = 0; i < k.parts; i++)
    parts[i] = make(o, before, o->m->pool.items[k.first + i], depth + 1);
  uint32_t n = cc_insert(o, o->f->insts.items[before].block, before, k.opcode, k.type, k.parts, before);
  for (uint32_t i = 0; i < k.parts; i++)
    cc_set(o->f, n, i, parts[i]);
  o->f->insts.items[n].flags = k.flags;
  if (k.opcode == OG_IR_GETELEMENTPTR)
    o->f->insts.items[n].extra = (uint32_t)k.value;
  if (k.opcode == OG_IR_ICMP || k.opcode == OG_IR_FCMP)
    o->f->insts.items[n].sub = (uint8_t)k.value;
  return n;
}

/* A pointer without its cast to flat memory: it is accessed in its own address space. */
static og_ir_ref without_cast(const struct og_ir_module *m, og_ir_ref ref) {
  const struct og_ir_constant *k = og_ir_space(ref) == OG_IR_CONSTANT ? og_ir_constant_of(m, ref) : NULL;
  bool cast = k && k->kind == OG_IR_C_EXPRESSION && k->opcode == OG_IR_ADDRSPACECAST && !og_ir_is_vector(m, k->type) &&
              og_ir_type_of(m, k->type)->count == 0;
  return cast ? m->pool.items[k->first] : ref;
}

void cc_constants(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  uint32_t old = f->insts.count;
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first; i; i = f->insts.items[i].next) {
      const struct og_ir_inst inst = f->insts.items[i];
      if (i >= old || og_ir_opcodes[inst.opcode].shape == OG_IR_SHAPE_DEBUG)
        continue;
      for (uint32_t k = 0; k < inst.operands; k++) {
        og_ir_ref ref = og_ir_operand(f, &inst, k);
        bool address =
            (inst.opcode == OG_IR_STORE && k == 1) ||
            (k == 0 && (inst.opcode == OG_IR_LOAD || inst.opcode == OG_IR_ATOMICRMW || inst.opcode == OG_IR_CMPXCHG));
        if (address)
          ref = without_cast(o->m, ref);
        uint32_t before = i;
        if (inst.opcode == OG_IR_PHI && k % 2 == 0 && is_computed(o->m, ref, 0)) /* where the edge begins */
          before = f->blocks.items[og_ir_index(og_ir_operand(f, &inst, k + 1))].last;
        cc_set(f, i, k, make(o, before, ref, 0));
      }
    }
}
