/* cc.c - compiles a module: runs the passes in their order on each function and kernel, and makes one code object of
 * all. */
#include "cc/cc.h"

#include "base/arena.h"
#include "cc/assembly.h"
#include "cc/calls.h"
#include "cc/object.h"
#include "cc/opt.h"
#include "cc/debug_tracks.h"
#include "ir/words.h"

#include <string.h>

/* In this order. */
static const struct {
  const char *name;
  bool (*run)(struct cc_function *c);
} passes[] = {
    {"flow", cc_flow},                                       /* blocks, loops, order of the code */
    {"places", cc_places},                                   /* which values are scalar, where lanes diverge */
    {"waterfall", cc_waterfall},                             /* a loop where lanes differ in a resource */
    {"inputs", cc_inputs},                                   /* what the kernel asks for at its start */
    {"control", cc_control},                                 /* where lanes wait for one another */
    {"select", cc_select},                                   /* instructions */
    {"combine", cc_combine},                                 /* makes one instruction of several */
    {"dead", cc_dead},                                       /* removes unused ones */
    {"values", cc_track_values},                             /* finds the registers that debug records mean */
    {"cluster", cc_cluster},                                 /* makes one access of neighbours */
    {"coalesce", cc_coalesce},                               /* removes copies */
    {"schedule", cc_schedule},                               /* an order that hides latencies */
    {"registers", cc_registers},                             /* gives registers their numbers */
    {"frame", cc_frame},                                     /* saves and restores what the caller needs */
    {"jumps", cc_jumps},                                     /* removes branches that are not needed */
    {"assembly", cc_assemble},                               /* inline assembly */
    {"forms", cc_choose_forms},                              /* chooses each instruction's encoding */
    {"holds", cc_track_code},                                /* finds what registers hold where, for debug records */
    {"dual", cc_dual},                                       /* makes one instruction of two */
    {"waits", cc_waits},                                     /* waits for memory */
    {"hazards", cc_hazards},                                 /* for hazards that hardware leaves to the code */
    {"clauses", cc_clauses},                                 /* keeps memory instructions together */
    {"delays", cc_delays},                                   /* says how far back sources were computed */
};

bool og_cc_is_pass(struct og_text name) {
  for (unsigned i = 0; i < OG_COUNT(passes); i++)
    if (og_text_is(name, passes[i].name))
      return true;
  return cc_is_opt_pass(name);
}

bool og_cc_takes_version(const char *text, struct og_cc_options *options) {
  options->code_object_version = *text - '0';
  return *text >= '3' && *text <= '6' && !text[1];
}

const char *og_cc_why_not_version(const char *text) {
  return strcmp(text, "2") == 0
             ? "; version 2 has an amd_kernel_code_t before each kernel and notes that no loader reads "
               "any more: `offgrid as` assembles it"
             : "";
}

struct compiler {
  struct og_arena *arena;
  struct og_ir_module *m;
  const struct og_target *target;
  const struct og_isa *isa;
  const struct og_cc_options *options;
  struct og_diagnostics *diagnostics;
  struct cc_workshop shop;
  struct cc_usage *usage;          /* by global: what functions need that have been compiled */
  struct cc_usage all;             /* the most that any of them needs, for calls by pointer */
  uint64_t hidden_reads;           /* parts of the implicit arguments that any function reads */
  uint32_t *lds_offset, lds_size;  /* variables that functions use; they stand in every kernel that calls */
};

static void more_registers(struct cc_usage *u, const struct cc_usage *theirs) {
  u->sgprs = OG_MAX(u->sgprs, theirs->sgprs), u->vgprs = OG_MAX(u->vgprs, theirs->vgprs);
  u->agprs = OG_MAX(u->agprs, theirs->agprs);
}

/* Adds what a kernel or function calls to what it needs itself. If it is not known what is called, or a function calls
 * itself, the runtime chooses the size of the stack. */
static void add_usage(struct compiler *k, struct cc_function *c) {
  enum { UNKNOWN_STACK = 16384, ASSUMED_ALLOCAS = 4096 };
  struct cc_usage u = {c->sgprs, c->vgprs, c->agprs, (uint32_t)og_align_up(c->scratch_size, 16), c->moves_stack, false,
                       true};
  uint32_t below = 0;
  for (uint32_t n = 0; n < c->callees.count; n++) {
    const struct og_ir_global *g = c->callees.items[n];
    const struct cc_usage *theirs = g ? &k->usage[g - k->m->globals.items] : NULL;
    bool known = theirs && theirs->known;
    if (!known) { /* what the largest function needs: kernels are compiled last */
      theirs = &k->all;
      u.dynamic = true;
    }
    more_registers(&u, theirs);
    u.dynamic |= theirs->dynamic, u.grows |= theirs->grows;
    below = OG_MAX(below, known ? theirs->scratch : 0);
  }
  u.scratch += below;
  if (c->is_function) {
    k->usage[c->global - k->m->globals.items] = u;
    more_registers(&k->all, &u), k->all.grows |= u.grows;
    k->hidden_reads |= c->hidden_reads;
    return;
  }
  if (u.dynamic)
    more_registers(&u, &k->all), u.scratch += UNKNOWN_STACK;
  c->sgprs = u.sgprs, c->vgprs = u.vgprs, c->agprs = u.agprs, c->dynamic_stack = u.dynamic || u.grows;
  c->scratch_total = u.scratch;
  if (u.grows) /* as LLVM has it: from version 5 on the runtime sees that the stack is dynamic and adds to it */
    c->scratch_total = OG_MAX(c->scratch_total, 16u) + (c->version < 5 ? ASSUMED_ALLOCAS : 0);
}

/* If registers do not suffice, these are tried one after the other. */
enum attempt { PLAIN, IN_ORDER, ACCUMULATORS, SCRATCH };

/* Names the convention of shaders and chains, whose arguments come in registers that their drivers set; NULL for
 * others. */
static const char *foreign_convention(unsigned convention) {
  const char *name = og_ir_word_for(OG_IR_W_CONVENTION, convention);
  struct og_text rest = og_text(name ? name : "");
  bool amdgpu = og_text_skip(&rest, "amdgpu_") && convention != OG_IR_KERNEL;
  return amdgpu && !og_text_skip(&rest, "gfx") ? name : NULL; /* amdgpu_gfx is for functions */
}

static bool compile(struct compiler *k, struct cc_object *object, const struct og_ir_global *global,
                    const struct cc_records *records, enum attempt attempt) {
  struct og_arena *arena = k->shop.arena;
  struct cc_function c = {.arena = arena,
                          .shop = &k->shop,
                          .forms = k->shop.forms,
                          .form_counts = k->shop.form_counts,
                          .variant_counts = k->shop.variant_counts,
                          .m = k->m,
                          .f = global->function,
                          .global = global,
                          .target = cc_target_of(arena, k->m, global->function, k->target),
                          .isa = k->isa,
                          .version = object->version,
                          .diagnostics = k->diagnostics,
                          .spills = attempt == SCRATCH,
                          .keeps_order = attempt != PLAIN,
                          .hidden_called = k->hidden_reads,
                          .singly = k->options->singly,
                          .older_memory = k->options->older_memory,
                          .lds_gap = k->options->lds_gap,
                          .frame_gap = k->options->frame_gap,
                          .is_function = global->function->convention != OG_IR_KERNEL,
                          .mask_dwords = (uint8_t)(k->isa->wave / 32)};
  struct og_buffer code = {0};
  const char *foreign = foreign_convention(global->function->convention);
  bool ok = !foreign || cc_refuse(&c, "the calling convention %s", foreign);
  c.lds_offset = OG_NEW_ARRAY(arena, uint32_t, k->m->globals.count + 1);
  if (c.is_function || cc_calls_still(k->m, c.f)) { /* a kernel that calls nothing has only its own variables */
    memcpy(c.lds_offset, k->lds_offset, k->m->globals.count * sizeof *c.lds_offset);
    c.lds_size = k->lds_size;
  }
  c.addresses = OG_NEW_ARRAY(arena, struct cc_known_address, k->m->globals.count + 1);
  OG_PUSH(arena, &c.regs);
  if (records) {
    c.tracks = OG_NEW(arena, struct cc_tracks);
    c.tracks->records = records;
  }
  bool chooses = k->isa->gfx90a; /* here sums of matrices may stand in either file */
  c.accumulates = k->isa->generation == OG_GFX908 || (chooses && attempt > IN_ORDER);
  for (unsigned i = 0; i < OG_COUNT(passes) && ok; i++) {
    ok = passes[i].run(&c) && !c.failed;
    if (k->options->print_after && og_text_is(og_text(passes[i].name), k->options->print_after) && ok)
      cc_print(&c, k->options->print);
  }
  static const char *const files[CC_FILES] = {"scalar", "vector", "accumulation"};
  bool again = c.is_short && attempt != SCRATCH;
  if (again)
    attempt = c.is_scheduled ? IN_ORDER : attempt < ACCUMULATORS && chooses && c.has_matrices ? ACCUMULATORS : SCRATCH;
  else if (c.is_short)
    ok = cc_refuse(&c, "more %s registers than %s has at once (spilling)", files[c.short_of],
                   k->target->processor->name);
  if (ok) {
    cc_encode(&c, &code);
    add_usage(k, &c);
    ok = !c.failed && cc_object_add(object, &c, &code);
  }
  og_buffer_free(&code);
  og_arena_reset(arena);
  return again ? compile(k, object, global, records, attempt) : ok;
}

static void open_shop(struct cc_workshop *shop, struct og_arena *module) {
  *shop = (struct cc_workshop){
      .arena = og_arena_within(module), .liveness = {og_arena_new(), og_arena_new()}, .module = module};
  shop->forms = OG_NEW_ARRAY(module, const uint16_t *, OG_ROW_COUNT);
  shop->form_counts = OG_NEW_ARRAY(module, uint16_t, OG_ROW_COUNT);
  shop->variant_counts = OG_NEW_ARRAY(module, uint16_t, OG_ROW_COUNT);
}

static void close_shop(struct cc_workshop *shop) {
  og_arena_free(shop->arena);
  og_arena_free(shop->liveness[0]), og_arena_free(shop->liveness[1]);
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
          (og_text_is(m->names.items[name->first], "amdhsa_code_object_version") ||
           og_text_is(m->names.items[name->first], "amdgpu_code_object_version")))
        return (int)(og_ir_constant_of(m, value->first)->value / 100);
    }
  }
  return 5;
}

/* LDS variables that called functions use stand at the same place in every kernel. */
static bool place_shared_lds(struct compiler *k, const struct cc_order *order) {
  struct cc_function c = {.arena = k->arena, .m = k->m, .target = k->target, .diagnostics = k->diagnostics,
                          .lds_gap = k->options->lds_gap, .is_function = true};
  c.lds_offset = k->lds_offset = OG_NEW_ARRAY(k->arena, uint32_t, k->m->globals.count + 1);
  for (uint32_t n = 0; n < order->functions.count && !c.failed; n++) {
    c.global = &k->m->globals.items[order->functions.items[n]], c.f = c.global->function;
    if (c.f->convention != OG_IR_KERNEL)
      cc_use_lds(&c);
  }
  k->lds_size = c.lds_size;
  return !c.failed;
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
  int version = options->code_object_version ? options->code_object_version : module_version(m);
  if (target->os != OG_OS_AMDHSA)
    version = 4; /* those objects name no version, and what version 5 adds to the implicit arguments is HSA's */
  if (version < 3 || version > 6)
    return og_error_in(diagnostics, m->file, "not compiled: code object version %d (3 to 6 are)%s", version,
                       og_cc_why_not_version(version == 2 ? "2" : ""));
  if (options->older_memory && (k.isa->generation < OG_GFX7 || k.isa->generation >= OG_GFX900))
    return og_error_in(diagnostics, m->file, "the older memory model is that of gfx7 and gfx8, not of %s",
                       target->processor->name);
  struct cc_order order = {0};
  cc_relax(arena, m, k.isa);
  cc_pass_variadics(arena, m);
  cc_pass_by_memory(arena, m);
  cc_size_allocas(arena, m);
  if (!cc_library(m, k.isa, diagnostics))
    return false;
  open_shop(&k.shop, arena);
  cc_optimize(arena, k.shop.arena, m, k.isa, options, &order);
  k.shop.simple = OG_NEW_ARRAY(arena, uint16_t, m->globals.count + 1);
  k.usage = OG_NEW_ARRAY(arena, struct cc_usage, m->globals.count + 1);
  struct cc_object object;
  cc_object_begin(&object, arena, target, version);
  const struct cc_records **records = OG_NEW_ARRAY(arena, const struct cc_records *, order.functions.count + 1);
  for (uint32_t n = 0; n < order.functions.count; n++)
    records[n] = cc_take_records(arena, m, &m->globals.items[order.functions.items[n]]);
  bool ok = place_shared_lds(&k, &order);
  for (uint32_t n = 0; n < 2 * order.functions.count && ok; n++) { /* functions first: kernels add their needs */
    const struct og_ir_global *g = &m->globals.items[order.functions.items[n % order.functions.count]];
    if ((g->function->convention == OG_IR_KERNEL) == (n >= order.functions.count))
      ok = compile(&k, &object, g, records[n % order.functions.count], PLAIN);
  }
  close_shop(&k.shop);
  for (uint32_t n = 0; n < m->globals.count && ok; n++)
    ok = !cc_is_exported(m, &m->globals.items[n]) || cc_global_symbol(&object, m, n, diagnostics);
  ok = ok && cc_object_end(&object, m, options->relocatable, out, diagnostics);
  cc_object_free(&object);
  return ok;
}
