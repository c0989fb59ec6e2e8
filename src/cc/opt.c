/* opt.c - runs the passes over the IR in their order: first over the functions that kernels call, so that bodies are
 * small before they are inlined, then over the kernels. */
#include "cc/object.h"
#include "cc/opt.h"

static const struct {
  const char *name;
  void (*run)(struct cc_opt *o);
} passes[] = {
    {"inline", cc_inline},     {"constants", cc_constants}, {"expand", cc_expand},       {"unroll", cc_unroll},
          {"simplify", cc_simplify},
    {"promote", cc_promote},   {"scalarize", cc_scalarize}, {"fat", cc_fat_pointers},   {"simplify2", cc_simplify},
     {"prune", cc_prune},
    {"simplify3", cc_simplify}, {"offsets", cc_offsets},    {"cse", cc_cse},             {"loads", cc_loads},
    {"prune2", cc_prune},      {"hoist", cc_hoist},         {"reduce", cc_reduce},       {"calls", cc_prepare_calls},
    {"waterfalls", cc_prepare_waterfalls},
};

bool cc_is_opt_pass(struct og_text name) {
  for (unsigned k = 0; k < OG_COUNT(passes); k++)
    if (og_text_is(name, passes[k].name))
      return true;
  return false;
}

enum { DEEPEST = 200 };

struct order {
  struct og_ir_module *m;
  struct og_arena *arena;
  bool *seen;                    /* by global */
  OG_VECTOR(uint32_t) functions; /* callees before callers */
};

static void visit(struct order *k, uint32_t global, unsigned depth);

/* A function whose address is taken may be called, too. */
static void visit_constant(struct order *k, og_ir_ref ref, unsigned depth, unsigned deep) {
  const struct og_ir_constant *c = og_ir_constant_of(k->m, ref);
  if (deep > 16)
    return;
  if (c->kind == OG_IR_C_GLOBAL) {
    const struct og_ir_global *g = &k->m->globals.items[c->value];
    if (g->function && g->function->blocks.count)
      visit(k, (uint32_t)c->value, depth + 1);
    else if (g->value != OG_IR_NONE && !k->seen[c->value] && g->kind != OG_IR_UNKNOWN) {
      k->seen[c->value] = true;
      visit_constant(k, g->value, depth, deep + 1);
    }
  } else if (c->kind == OG_IR_C_EXPRESSION || c->kind == OG_IR_C_AGGREGATE || c->kind == OG_IR_C_SPLAT) {
    for (uint32_t i = 0; i < (c->kind == OG_IR_C_SPLAT ? 1 : c->parts); i++)
      visit_constant(k, k->m->pool.items[c->first + i], depth, deep + 1);
  }
}

static void visit(struct order *k, uint32_t global, unsigned depth) {
  const struct og_ir_function *f = k->m->globals.items[global].function;
  if (k->seen[global] || depth > DEEPEST)
    return;
  k->seen[global] = true;
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first; i; i = f->insts.items[i].next) {
      bool tells = og_ir_opcodes[f->insts.items[i].opcode].shape == OG_IR_SHAPE_DEBUG;
      for (uint32_t n = 0; n < f->insts.items[i].operands && !tells; n++) {
        og_ir_ref ref = og_ir_operand(f, &f->insts.items[i], n);
        if (og_ir_space(ref) == OG_IR_CONSTANT)
          visit_constant(k, ref, depth, 0);
      }
    }
  *OG_PUSH(k->arena, &k->functions) = global;
}

bool cc_calls_still(const struct og_ir_module *m, const struct og_ir_function *f) {
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first; i; i = f->insts.items[i].next)
      if (cc_is_real_call(m, f, &f->insts.items[i]))
        return true;
  return false;
}

/* Visits the functions where code is entered from outside. */
static void visit_entries(struct order *order, bool functions) {
  for (uint32_t n = 0; n < order->m->functions.count; n++) {
    const struct og_ir_global *g = &order->m->globals.items[order->m->functions.items[n]];
    bool entered = g->function && (g->function->convention == OG_IR_KERNEL ||
                                   (functions && g->linkage != OG_IR_INTERNAL && g->linkage != OG_IR_PRIVATE));
    if (entered && g->function->blocks.count)
      visit(order, order->m->functions.items[n], 0);
  }
  for (uint32_t n = 0; n < order->m->globals.count; n++) /* tables that others see may name functions, too */
    if (cc_is_exported(order->m, &order->m->globals.items[n]))
      visit_constant(order, order->m->globals.items[n].value, 0, 0);
}

void cc_optimize(struct og_arena *arena, struct og_arena *passing, struct og_ir_module *m, const struct og_isa *isa,
                 const struct og_cc_options *options, struct cc_order *after) {
  struct order order = {.m = m, .arena = arena, .seen = OG_NEW_ARRAY(arena, bool, m->globals.count + 1)};
  visit_entries(&order, options->functions);
  for (uint32_t n = 0; n < order.functions.count; n++) {
    uint32_t global = order.functions.items[n]; /* passes may add globals, and then the array moves */
    struct cc_opt o = {.arena = passing, .m = m, .f = m->globals.items[global].function, .isa = isa};
    for (unsigned p = 0; p < OG_COUNT(passes); p++) {
      og_arena_reset(o.arena);
      passes[p].run(&o);
      m->globals.items[global].function = o.f;
      if (options->print_after && og_text_is(og_text(passes[p].name), options->print_after) &&
          n + 1 == order.functions.count)
        og_ir_print(m, options->print);
    }
    o.f->flattened = o.f->convention != OG_IR_KERNEL && !cc_calls_still(m, o.f);
  }
  og_arena_reset(passing);
  struct order again = {.m = m, .arena = arena, .seen = OG_NEW_ARRAY(arena, bool, m->globals.count + 1)};
  visit_entries(&again, options->functions);
  for (uint32_t n = 0; n < again.functions.count; n++)
    *OG_PUSH(arena, &after->functions) = again.functions.items[n];
}
