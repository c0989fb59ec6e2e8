/* instruction.c - instructions in the language: their operands' expressions are read, their code is emitted. */
#include "asm/instruction.h"

#include <string.h>

/* ---- what the language does for the reader of instructions ------------------------------------------------------- */

/* Reads at *p with the assembler's own cursor. */
static bool parse(void *context, enum og_expression kind, const char **p, struct og_operand_value *out) {
  struct og_asm *as = context;
  bool ok = false;
  as->p = *p;
  switch (kind) {
  case OG_EXPRESSION_VALUE: ok = og_asm_parse_value(as, out); break;
  case OG_EXPRESSION_UNFOLDED: ok = og_asm_parse_unfolded(as, out); break;
  case OG_EXPRESSION_PRIMARY: ok = og_asm_parse_primary(as, out); break;
  case OG_EXPRESSION_ABSOLUTE:
    out->expr = NULL;
    ok = og_asm_parse_absolute(as, &out->value);
    break;
  }
  *p = as->p;
  return ok;
}

static bool string(void *context, const char **p, struct og_text *out) {
  struct og_asm *as = context;
  as->p = *p;
  bool ok = og_asm_string(as, out);
  *p = as->p;
  return ok;
}

static bool evaluate(void *context, const struct og_expr *expr, int64_t *out) {
  return og_asm_evaluate_absolute(context, expr, out);
}

static bool is_symbol(const struct og_expr *expr) { return expr->kind == OG_EXPR_SYMBOL; }

static bool knows_symbol(void *context, struct og_text name) { return og_asm_find_symbol(context, name) != NULL; }

static void report(void *context, enum og_severity severity, const char *at, size_t size, const char *message) {
  if (severity == OG_SEVERITY_ERROR)
    og_asm_error(context, at, size, "%s", message);
  else
    og_asm_warning(context, at, size, "%s", message);
}

void og_asm_begin_instructions(struct og_asm *as) {
  static const struct og_language language = {parse, string, evaluate, is_symbol, knows_symbol, report};
  og_inst_reader_begin(&as->reader, &as->target, as->arena, as->diagnostics, &language, as);
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

static void raise(struct og_asm_symbol *s, unsigned end) {
  if (s && !s->expr && s->value < end)
    s->value = end;
}

/* Symbols that follow the registers used: one more than the highest. */
static void use_registers(struct og_asm *as, const struct og_inst *inst) {
  uint16_t ends[OG_OPERAND_OFF + 1] = {0}; /* kinds come in any order, so they decide no branch */
  for (const struct og_operand *o = inst->operands, *end = o + inst->operand_count; o < end; o++) {
    uint16_t behind = (uint16_t)(o->reg + o->dwords);
    ends[o->kind] = OG_MAX(ends[o->kind], behind);
  }
  raise(as->next_free_vgpr, OG_MAX(ends[OG_OPERAND_VGPR], ends[OG_OPERAND_AGPR]));
  raise(as->next_free_sgpr, ends[OG_OPERAND_SGPR]);
}

/* gfx10.1 jumps to a wrong place at SOPP's branches over exactly 63 dwords: an s_nop behind them makes that 64. */
static bool pad_branch(struct og_asm *as, const struct og_match *m, uint32_t instruction) {
  static const uint8_t nop[] = {0, 0, 0x80, 0xbf};
  enum og_generation generation = as->target.processor->generation;
  bool faulty = generation == OG_GFX10_1 || generation == OG_GFX10_1_DL || generation == OG_GFX1013;
  if (!faulty || !m->expr || instruction >> 23 != 0x17f)
    return true;
  struct og_range range = og_asm_range(as, m->expr_at, m->expr_end);
  return og_asm_break(as, OG_BREAK_BRANCH, m->expr, range, nop, sizeof nop) != NULL;
}

static void fix_up(struct og_asm *as, const struct og_match *m) {
  struct og_range range = og_asm_range(as, m->expr_at, m->expr_end);
  enum og_fixup_kind kind = m->branch ? OG_FIXUP_BRANCH : m->literal_size == 8 ? OG_FIXUP_DATA : OG_FIXUP_PCREL;
  og_asm_emit_fixup(as, m->branch ? 2 : m->literal_size, kind,
                    og_asm_here(as) + (m->branch ? 0u : (size_t)m->inst.size - m->literal_size), m->expr, range);
}

/* Most code stands in sections with bytes: copied with what stands behind it, whose size the compiler knows. */
static bool emit(struct og_asm *as, const struct og_match *m) {
  struct og_buffer *out = &as->chunk->bytes;
  if (as->chunk->section->type == SHT_NOBITS || m->inst.size > OG_ASM_BYTES_MOST - as->emitted)
    return og_asm_emit(as, m->code, m->inst.size);
  uint8_t *to = memcpy(og_buffer_room(out, sizeof m->code), m->code, sizeof m->code);
  to[m->inst.size] = 0;
  out->size += m->inst.size;
  as->emitted += m->inst.size;
  return true;
}

bool og_asm_instruction(struct og_asm *as, struct og_text mnemonic) {
  struct og_match m;
  const uint8_t *bytes = (const uint8_t *)m.code;
  as->reader.p = as->p;
  bool ok = og_inst_from_text(&as->reader, mnemonic, &m);
  as->p = as->reader.p;
  if (!ok)
    return false;
  if (as->options->listing)
    og_asm_list_instruction(as, &m, bytes, m.inst.size);
  if (m.expr)
    fix_up(as, &m);
  use_registers(as, &m.inst);
  if (as->debug.pending || as->options->debug)
    og_asm_note_line(as);
  return emit(as, &m) && pad_branch(as, &m, og_load32(bytes));
}
