/* constrained.c - arithmetic that says how it rounds and which exceptions count (llvm.experimental.constrained.*,
 * llvm.fptrunc.round) becomes plain arithmetic if it asks for what kernels do anyway: no traps, and rounding to nearest
 * or as the mode says. Other calls stay, and are refused by their name. */
#include "cc/opt.h"
#include "ir/words.h"

static const struct operation {
  const char *name;
  uint8_t opcode;
} operations[] = {{"fadd.", OG_IR_FADD},       {"fsub.", OG_IR_FSUB},     {"fmul.", OG_IR_FMUL},
                  {"fdiv.", OG_IR_FDIV},       {"frem.", OG_IR_FREM},     {"fptosi.", OG_IR_FPTOSI},
                  {"fptoui.", OG_IR_FPTOUI},   {"sitofp.", OG_IR_SITOFP}, {"uitofp.", OG_IR_UITOFP},
                  {"fptrunc.", OG_IR_FPTRUNC}, {"fpext.", OG_IR_FPEXT},   {"fcmp.", OG_IR_FCMP},
                  {"fcmps.", OG_IR_FCMP}};

/* The text of a metadata argument. */
static struct og_text words_of(const struct og_ir_module *m, og_ir_ref ref) {
  const struct og_ir_metadata *node = &m->metadata.items[og_ir_index(ref)];
  return node->kind == OG_IR_M_STRING ? m->names.items[node->first] : (struct og_text){0};
}

static int predicate_of(struct og_text words) {
  enum { PREDICATES = 16 };
  for (unsigned k = 0; k < PREDICATES; k++)
    if (og_text_is(words, og_ir_word_for(OG_IR_W_FCMP, k)))
      return (int)k;
  return -1;
}

/* Whether kernels do what the call asks for anyway; the predicate of a comparison goes to `sub`. */
static bool holds(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i,
                  uint32_t values, uint8_t *sub) {
  for (uint32_t a = 1 + values; a < i->operands; a++) {
    struct og_text words = words_of(m, og_ir_operand(f, i, a)), rest = words;
    int predicate = predicate_of(words);
    if (predicate >= 0)
      *sub = (uint8_t)predicate;
    else if (!og_text_skip(&rest, "fpexcept.") && !og_text_is(words, "round.tonearest") &&
             !og_text_is(words, "round.dynamic"))
      return false;
  }
  return true;
}

static void call_plain(struct cc_opt *o, struct og_ir_inst *i, struct og_text rest, uint32_t values) {
  char name[96];
  og_ir_type types[4];
  int size = snprintf(name, sizeof name, "llvm.%.*s", OG_TEXT_ARGS(rest));
  for (uint32_t a = 0; a < values; a++)
    types[a] = og_ir_type_of_ref(o->m, o->f, og_ir_operand(o->f, i, 1 + a));
  og_ir_type result = i->type;
  og_ir_ref callee = cc_declare(o, (struct og_text){name, (size_t)size}, result, types, values);
  uint32_t first = i->first;
  i->operands = 1 + values, i->extra = o->f->calls.count;
  *OG_PUSH(o->m->arena, &o->f->calls) = (struct og_ir_call){
      .function_type = og_ir_function_type(o->m, result, types, values, false), .arguments = values};
  o->f->operands.items[first] = callee;
}

static void relax(struct cc_opt *o, uint32_t record) {
  struct og_ir_inst *i = &o->f->insts.items[record];
  struct og_text rest = cc_callee_name(o->m, o->f, i);
  bool rounds = og_text_skip(&rest, "llvm.fptrunc.round."),
       constrained = og_text_skip(&rest, "llvm.experimental.constrained.");
  uint32_t values = 0;
  uint8_t sub = 0;
  if (!rounds && !constrained)
    return;
  while (1 + values < i->operands && og_ir_space(og_ir_operand(o->f, i, 1 + values)) != OG_IR_METADATA)
    values++;
  if (values > 3 || rest.size > 80 || !holds(o->m, o->f, i, values, &sub))
    return;
  for (unsigned k = 0; k < OG_COUNT(operations); k++) {
    struct og_text name = rest;
    if (!rounds && !og_text_skip(&name, operations[k].name))
      continue;
    i->opcode = rounds ? OG_IR_FPTRUNC : operations[k].opcode;
    i->first++, i->operands = values; /* the callee was the first operand */
    i->sub = sub, i->flags = 0, i->extra = 0;
    return;
  }
  call_plain(o, i, rest, values);
}

void cc_relax(struct og_arena *arena, struct og_ir_module *m, const struct og_isa *isa) {
  for (uint32_t n = 0; n < m->functions.count; n++) {
    struct cc_opt o = {.arena = arena, .m = m, .f = m->globals.items[m->functions.items[n]].function, .isa = isa};
    for (uint32_t b = 0; b < o.f->blocks.count; b++)
      for (uint32_t r = o.f->blocks.items[b].first; r; r = o.f->insts.items[r].next)
        if (o.f->insts.items[r].opcode == OG_IR_CALL)
          relax(&o, r);
  }
}
