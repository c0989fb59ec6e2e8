/* reader.c - the reader of instructions for a target, and its tables of words, numbers and the language's symbols. */
#include "isa/text/parts.h"

#include <stdarg.h>

static bool has(const struct og_target *target, const char *feature) {
  return og_has_feature(&target->features, og_find_feature(og_text(feature)));
}

/* Modifiers that some form refuses on the target: see wrong_modifier() in rules.c. */
static uint64_t ruled_modifiers(const struct og_target *target) {
  unsigned major = target->processor->major;
  return OG_BIT(OG_MOD_NEG_LO) | OG_BIT(OG_MOD_NEG_HI) | OG_BIT(OG_MOD_BLGP) | OG_BIT(OG_MOD_OP_SEL) |
         OG_BIT(OG_MOD_OP_SEL_HI) | OG_BIT(OG_MOD_R128) | (major >= 12 ? OG_BIT(OG_MOD_CPOL) : 0) |
         (major < 10 ? OG_BIT(OG_MOD_FORMAT) : 0) | (major < 8 ? OG_BIT(OG_MOD_D16) : 0) |
         (has(target, "gds") ? 0 : OG_BIT(OG_MOD_GDS)) | (has(target, "int-clamp-insts") ? 0 : OG_BIT(OG_MOD_CLAMP)) |
         (has(target, "flat-inst-offsets") ? 0 : OG_BIT(OG_MOD_OFFSET));
}

void og_inst_reader_begin(struct og_inst_reader *in, const struct og_target *target, struct og_arena *arena,
                          struct og_diagnostics *diagnostics, const struct og_language *language, void *context) {
  *in = (struct og_inst_reader){
      .arena = arena, .diagnostics = diagnostics, .target = target, .language = language, .context = context};
  in->isa = og_isa_for(target, &in->own_isa);
  if (target->mixed_waves && target->processor->generation >= OG_GFX1250)
    in->own_isa.wave = 64; /* how LLVM prints VCC that the code implies */
  og_brought_by(target, false, &in->brought);
  in->has.vgpr_align2 = has(target, "vgpr-align2");
  in->has.dpp_64bit = has(target, "dpp-64bit");
  in->has.mfma_inline_literal_bug = has(target, "mfma-inline-literal-bug");
  in->has.dpp_src1_sgpr = has(target, "dpp-src1-sgpr");
  in->has.inv_2pi_inline_imm = has(target, "inv-2pi-inline-imm");
  in->ruled = ruled_modifiers(target);
}

bool og_in_error(struct og_inst_reader *in, const char *at, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  in->language->report(in->context, OG_SEVERITY_ERROR, at, size, og_arena_vprintf(in->arena, format, args));
  va_end(args);
  return false;
}

void og_in_warning(struct og_inst_reader *in, const char *at, const char *message) {
  in->language->report(in->context, OG_SEVERITY_WARNING, at, 0, message);
}

void og_in_comments(struct og_inst_reader *in) {
  const char *open = NULL;
  in->p = og_after_comments(in->p, &open);
  if (open)
    og_in_error(in, open, 2, "unterminated comment");
}

bool og_in_string(struct og_inst_reader *in, struct og_text *out) {
  return in->language->string(in->context, &in->p, out);
}

bool og_in_expression(struct og_inst_reader *in, enum og_expression kind, struct og_operand_value *out) {
  const char *end = kind == OG_EXPRESSION_PRIMARY ? NULL : og_plain_number(in->p, &out->value);
  in->expressions += !end;
  if (!end)
    return in->language->parse(in->context, kind, &in->p, out);
  in->p = end;
  out->expr = NULL;
  return true;
}

bool og_in_absolute(struct og_inst_reader *in, int64_t *out) {
  struct og_operand_value v;
  const char *end = og_plain_number(og_in_at(in), out);
  in->expressions += !end;
  if (end)
    return in->p = end, true;
  return in->language->parse(in->context, OG_EXPRESSION_ABSOLUTE, &in->p, &v) && (*out = v.value, true);
}
