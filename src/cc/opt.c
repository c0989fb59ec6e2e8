/* opt.c - the passes over the IR, in their order: over what kernels call first, so that what is put in place of a call
 * is small already, then over the kernels. */
#include "cc/opt.h"

static const struct {
  const char *name;
  void (*run)(struct cc_opt *o);
} passes[] = {
    {"inline", cc_inline},      {"expand", cc_expand}, {"promote", cc_promote}, {"scalarize", cc_scalarize},
    {"simplify", cc_simplify},  {"prune", cc_prune},   {"simplify2", cc_simplify}, {"cse", cc_cse},
    {"prune2", cc_prune},       {"hoist", cc_hoist},
};

bool cc_is_opt_pass(struct og_text name) {
  for (unsigned k = 0; k < OG_COUNT(passes); k++)
    if (og_text_is(name, passes[k].name))
      return true;
  return false;
}

enum { AMDGPU_KERNEL = 91, DEEPEST = 200 };

struct order {
  struct og_ir_module *m;
  struct og_arena *arena;
  bool *seen;                    /* by global */
  OG_VECTOR(uint32_t) functions; /* callees first */
};

static void visit(struct order *k, uint32_t global, unsigned depth) {
  const struct og_ir_function *f = k->m->globals.items[global].function;
  if (k->seen[global] || depth > DEEPEST)
    return;
  k->seen[global] = true;
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first; i; i = f->insts.items[i].next) {
      if (f->insts.items[i].opcode != OG_IR_CALL)
        continue;
      const struct og_ir_global *callee = cc_callee(k->m, f, &f->insts.items[i]);
      if (callee)
        visit(k, (uint32_t)(callee - k->m->globals.items), depth + 1);
    }
  *OG_PUSH(k->arena, &k->functions) = global;
}

/* Whether it still calls itself: then it is called for real. */
static bool calls_itself(const struct og_ir_module *m, const struct og_ir_function *f) {
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first; i; i = f->insts.items[i].next)
      if (f->insts.items[i].opcode == OG_IR_CALL && cc_callee(m, f, &f->insts.items[i]))
        return true;
  return false;
}

void cc_optimize(struct og_arena *arena, struct og_ir_module *m, const char *print_after, struct og_buffer *print) {
  struct order order = {.m = m, .arena = arena, .seen = OG_NEW_ARRAY(arena, bool, m->globals.count + 1)};
  for (uint32_t n = 0; n < m->functions.count; n++) {
    const struct og_ir_global *g = &m->globals.items[m->functions.items[n]];
    if (g->function && g->function->blocks.count && g->function->convention == AMDGPU_KERNEL)
      visit(&order, m->functions.items[n], 0);
  }
  for (uint32_t n = 0; n < order.functions.count; n++) {
    uint32_t global = order.functions.items[n]; /* passes may add globals, which then move */
    struct cc_opt o = {.m = m, .f = m->globals.items[global].function};
    for (unsigned p = 0; p < OG_COUNT(passes); p++) {
      o.arena = og_arena_new();
      passes[p].run(&o);
      og_arena_free(o.arena);
      m->globals.items[global].function = o.f;
      if (print_after && og_text_is(og_text(passes[p].name), print_after) && n + 1 == order.functions.count)
        og_ir_print(m, print);
    }
    o.f->flattened = o.f->convention != AMDGPU_KERNEL && !calls_itself(m, o.f);
  }
}
