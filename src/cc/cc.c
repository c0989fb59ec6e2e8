/* cc.c - compiles a module: the passes in their order, kernel by kernel, and the code object of all. */
#include "cc/cc.h"

#include "cc/object.h"
#include "cc/opt.h"

enum { AMDGPU_KERNEL = 91 }; /* the calling convention */

/* In this order. */
static const struct {
  const char *name;
  bool (*run)(struct cc_function *c);
} passes[] = {
    {"flow", cc_flow},                                       /* blocks, loops, order of the code */
    {"places", cc_places},                                   /* which values are scalar, where lanes part */
    {"inputs", cc_inputs},                                   /* what the kernel asks for at its start */
    {"control", cc_control},                                 /* where lanes wait for one another */
    {"select", cc_select},                                   /* instructions */
    {"dead", cc_dead},                                       /* those that nobody needs go */
    {"registers", cc_registers}, {"forms", cc_choose_forms}, /* how each instruction is encoded */
    {"waits", cc_waits},                                     /* for memory */
    {"hazards", cc_hazards},                                 /* for what the hardware does not wait for */
};

bool og_cc_is_pass(struct og_text name) {
  for (unsigned i = 0; i < OG_COUNT(passes); i++)
    if (og_text_is(name, passes[i].name))
      return true;
  return cc_is_opt_pass(name);
}

struct compiler {
  struct og_arena *arena;
  struct og_ir_module *m;
  const struct og_target *target;
  const struct og_isa *isa;
  const struct og_cc_options *options;
  struct og_diagnostics *diagnostics;
  const uint16_t **forms; /* of all kernels */
  uint16_t *form_counts;
};

static bool compile(struct compiler *k, struct cc_object *object, const struct og_ir_global *global, bool spills) {
  struct og_arena *arena = og_arena_new();
  struct cc_function c = {.arena = arena,
                          .m = k->m,
                          .f = global->function,
                          .global = global,
                          .target = k->target,
                          .isa = k->isa,
                          .diagnostics = k->diagnostics,
                          .spills = spills,
                          .mask_dwords = (uint8_t)(k->isa->wave / 32)};
  struct og_buffer code = {0};
  bool ok = true, again = false;
  c.forms = OG_NEW_ARRAY(arena, const uint16_t *, OG_ROW_COUNT);
  c.form_counts = OG_NEW_ARRAY(arena, uint16_t, OG_ROW_COUNT);
  c.lds_offset = OG_NEW_ARRAY(arena, uint32_t, k->m->globals.count + 1);
  c.addresses = OG_NEW_ARRAY(arena, struct cc_known_address, k->m->globals.count + 1);
  OG_PUSH(arena, &c.regs);
  for (unsigned i = 0; i < OG_COUNT(passes) && ok; i++) {
    ok = passes[i].run(&c) && !c.failed;
    if (k->options->print_after && og_text_is(og_text(passes[i].name), k->options->print_after) && ok)
      cc_print(&c, k->options->print);
  }
  if (c.is_short && !spills)
    again = true;
  else if (c.is_short)
    ok = cc_refuse(&c, "more %s registers than %s has at once (spilling)", c.short_of == CC_S ? "scalar" : "vector",
                   k->target->processor->name);
  if (ok) {
    cc_encode(&c, &code);
    ok = !c.failed && cc_object_add(object, &c, &code);
  }
  og_buffer_free(&code);
  og_arena_free(arena);
  return again ? compile(k, object, global, true) : ok;
}

static int module_version(const struct og_ir_module *m) {
  for (uint32_t n = 0; n < m->named_metadata.count; n++) {
    const struct og_ir_named_metadata *flags = &m->named_metadata.items[n];
    if (!og_text_is(m->names.items[flags->name], "llvm.module.flags"))
      continue;
    for (uint32_t i = 0; i < flags->parts; i++) { /* behaviour, name, value */
      const struct og_ir_metadata *t = &m->metadata.items[m->pool.items[flags->first + i]];
      if (t->kind != OG_IR_M_TUPLE || t->parts != 3 || !m->pool.items[t->first + 1] || !m->pool.items[t->first + 2])
        continue;
      const struct og_ir_metadata *name = &m->metadata.items[m->pool.items[t->first + 1] - 1];
      const struct og_ir_metadata *value = &m->metadata.items[m->pool.items[t->first + 2] - 1];
      if (name->kind == OG_IR_M_STRING && value->kind == OG_IR_M_VALUE &&
          og_text_is(m->names.items[name->first], "amdhsa_code_object_version"))
        return (int)(og_ir_constant_of(m, value->first)->value / 100);
    }
  }
  return 5;
}

bool og_cc_compile(struct og_arena *arena, struct og_ir_module *m, const struct og_target *target,
                   const struct og_cc_options *options, struct og_buffer *out, struct og_diagnostics *diagnostics) {
  struct og_isa isa;
  struct compiler k = {.arena = arena, .m = m, .target = target, .options = options, .diagnostics = diagnostics};
  k.isa = og_isa_for(target, &isa);
  if (!k.isa)
    return og_error_in(diagnostics, m->file,
                       "no code is made for %s: its instruction set is not part of what offgrid knows",
                       target->processor->name);
  int version = module_version(m);
  if (version != 5 && version != 6)
    return og_error_in(diagnostics, m->file, "not compiled yet: code object version %d (5 and 6 are)", version);
  struct cc_object object;
  cc_object_begin(&object, arena, target, version);
  cc_optimize(arena, m, options->print_after, options->print);
  bool ok = true;
  for (uint32_t f = 0; f < m->functions.count && ok; f++) {
    const struct og_ir_global *g = &m->globals.items[m->functions.items[f]];
    if (g->function && g->function->blocks.count && g->function->convention == AMDGPU_KERNEL)
      ok = compile(&k, &object, g, false);
  }
  ok = ok && cc_object_end(&object, m, options->relocatable, out, diagnostics);
  cc_object_free(&object);
  return ok;
}
