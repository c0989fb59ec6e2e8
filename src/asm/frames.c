/* frames.c - .cfi_* directives: how to unwind a procedure (DWARF 5, section 6.4); frame_sections.c writes it. */
#include "asm/frames.h"

#include <string.h>

/* ---- what a directive adds --------------------------------------------------------------------------------------- */

static struct og_asm_frame *open_frame(struct og_asm *as, const char *at) {
  if (as->frame)
    return as->frame;
  og_asm_error(as, at, strcspn(at, " \t\r\n"),
               "this directive must appear between .cfi_startproc and .cfi_endproc directives");
  return NULL;
}

/* A rule applies from the place where it is written; its distance from the last one is known after layout. */
static void advance(struct og_asm *as, struct og_asm_frame *f) {
  if (as->chunk == f->chunk)
    *OG_PUSH(as->arena, &f->marks) = (struct og_asm_frame_mark){.at = f->rules.size, .place = og_asm_here(as)};
}

/* DWARF numbers, as the AMDGPU guide's "Register Identifier" gives them. */
static int64_t dwarf_register(const struct og_asm *as, const struct og_operand *r) {
  bool wave32 = as->target.wave_size == 32;
  if (r->kind == OG_OPERAND_SPECIAL)
    return r->reg == OG_SPECIAL_EXEC_LO ? (r->dwords == 2 ? 17 : 1) : -1;
  switch (r->dwords > 1 ? OG_OPERAND_NONE : r->kind) {
  case OG_OPERAND_SGPR: return r->reg < 64 ? 32 + r->reg : 1088 + r->reg - 64;
  case OG_OPERAND_VGPR: return (wave32 ? 1536 : 2560) + r->reg;
  case OG_OPERAND_AGPR: return (wave32 ? 2048 : 3072) + r->reg;
  default: return -1;
  }
}

static bool reg(struct og_asm *as, int64_t *out) {
  struct og_operand r;
  bool ok;
  og_asm_space(as);
  if (og_is_digit(*as->p) || *as->p == '-')
    return og_asm_parse_absolute(as, out);
  as->reader.p = as->p;
  bool found = og_name_start(*as->p) && og_register_from_text(&as->reader, &r, &ok);
  as->p = as->reader.p;
  if (!found)
    return og_asm_error(as, as->p, 1, og_name_start(*as->p) ? "invalid register name"
                                                                : "expected a register or a list of registers");
  *out = dwarf_register(as, &r);
  return ok;
}

static bool second(struct og_asm *as, int64_t *out) { return og_asm_comma(as) && og_asm_parse_absolute(as, out); }

static bool of_6_bits(int64_t number) { return number >= 0 && number < 64; }

static void register_rule(struct og_buffer *out, uint8_t code, int64_t number) {
  og_buffer_u8(out, code);
  og_buffer_uleb(out, (uint32_t)number);
}

/* Rules have a separate code for negative offsets. */
static void factored(struct og_buffer *out, int64_t offset) {
  int64_t units = offset / DATA_ALIGNMENT;
  if (units < 0)
    og_buffer_sleb(out, units);
  else
    og_buffer_uleb(out, (uint64_t)units);
}

static void offset_rule(struct og_buffer *out, int64_t number, int64_t offset) {
  bool back = offset / DATA_ALIGNMENT < 0;
  if (!back && of_6_bits(number))
    og_buffer_u8(out, (uint8_t)(0x80 | number));
  else
    register_rule(out, back ? 0x11 : 0x05, number);
  factored(out, offset);
}

enum rule {
  DEF_CFA, DEF_CFA_REGISTER, DEF_CFA_OFFSET, ADJUST_CFA_OFFSET, DEF_ASPACE_CFA, OFFSET, REL_OFFSET, VAL_OFFSET,
  REMEMBER, RESTORE_STATE, SAME_VALUE, RESTORE, UNDEFINED, REGISTER, WINDOW_SAVE
};
static const struct {
  const char *name;
  uint8_t code, arguments;
  bool has_register;
} rules[] = {
    [DEF_CFA] = {".cfi_def_cfa", 0x0c, 2, true},
    [DEF_CFA_REGISTER] = {".cfi_def_cfa_register", 0x0d, 1, true},
    [DEF_CFA_OFFSET] = {".cfi_def_cfa_offset", 0x0e, 1, false},
    [ADJUST_CFA_OFFSET] = {".cfi_adjust_cfa_offset", 0x0e, 1, false},
    [DEF_ASPACE_CFA] = {".cfi_llvm_def_aspace_cfa", 0x30, 3, true},
    [OFFSET] = {".cfi_offset", 0, 2, true},
    [REL_OFFSET] = {".cfi_rel_offset", 0, 2, true},
    [VAL_OFFSET] = {".cfi_val_offset", 0x14, 2, true},
    [REMEMBER] = {".cfi_remember_state", 0x0a, 0, false},
    [RESTORE_STATE] = {".cfi_restore_state", 0x0b, 0, false},
    [SAME_VALUE] = {".cfi_same_value", 0x08, 1, true},
    [RESTORE] = {".cfi_restore", 0x06, 1, true},
    [UNDEFINED] = {".cfi_undefined", 0x07, 1, true},
    [REGISTER] = {".cfi_register", 0x09, 2, true},
    [WINDOW_SAVE] = {".cfi_window_save", 0x2d, 0, false},
};

static void put_rule(struct og_asm_frame *f, enum rule which, const int64_t *v) {
  struct og_buffer *out = &f->rules;
  switch (which) {
  case OFFSET: offset_rule(out, v[0], v[1]); return;
  case REL_OFFSET: offset_rule(out, v[0], v[1] - f->cfa_offset); return;
  case VAL_OFFSET:
    register_rule(out, v[1] < 0 ? 0x15 : 0x14, v[0]);
    factored(out, v[1]);
    return;
  case RESTORE:
    if (of_6_bits(v[0])) {
      og_buffer_u8(out, (uint8_t)(0xc0 | v[0]));
      return;
    }
    break;
  case DEF_CFA: case DEF_ASPACE_CFA: f->cfa_offset = v[1]; break;
  case DEF_CFA_OFFSET: f->cfa_offset = v[0]; break;
  case ADJUST_CFA_OFFSET:
    f->cfa_offset += v[0];
    og_buffer_u8(out, rules[which].code);
    og_buffer_uleb(out, (uint64_t)f->cfa_offset);
    return;
  default: break;
  }
  og_buffer_u8(out, rules[which].code);
  for (unsigned i = 0; i < rules[which].arguments; i++)
    og_buffer_uleb(out, i == 0 && rules[which].has_register ? (uint32_t)v[i] : (uint64_t)v[i]);
}

static bool rule(struct og_asm *as, const char *at, int which) {
  int64_t v[3] = {0};
  struct og_asm_frame *f = open_frame(as, at);
  for (unsigned i = 0; i < rules[which].arguments; i++) {
    bool ok = i == 0 ? (rules[which].has_register ? reg(as, &v[0]) : og_asm_parse_absolute(as, &v[0])) :
              i == 1 && which == REGISTER ? og_asm_comma(as) && reg(as, &v[1]) : second(as, &v[i]);
    if (!ok)
      return false;
  }
  if (!f)
    return false;
  advance(as, f);
  put_rule(f, (enum rule)which, v);
  og_asm_list(as, "\t%s", rules[which].name);
  for (unsigned i = 0; i < rules[which].arguments; i++)
    og_asm_list(as, "%s%lld", i ? ", " : " ", (long long)v[i]);
  og_asm_list(as, "\n");
  return true;
}

OG_DIRECTIVE(escape) {
  struct og_asm_frame *f = open_frame(as, at);
  int64_t byte;
  if (!f)
    return false;
  advance(as, f);
  og_asm_list(as, "\t.cfi_escape ");
  bool more = false;
  do {
    if (!og_asm_parse_absolute(as, &byte))
      return false;
    og_buffer_u8(&f->rules, (uint8_t)byte);
    og_asm_list(as, "%s0x%02x", more ? ", " : "", (unsigned)(byte & 255));
    more = true;
  } while (og_asm_accept(as, ','));
  og_asm_list(as, "\n");
  return true;
}

OG_DIRECTIVE(label) {
  struct og_text name;
  struct og_asm_frame *f = open_frame(as, at);
  if (!f || !og_asm_name(as, &name))
    return false;
  advance(as, f);
  *OG_PUSH(as->arena, &f->marks) =
      (struct og_asm_frame_mark){.at = f->rules.size, .symbol = og_asm_symbol(as, name)};
  og_asm_list(as, "\t.cfi_label %.*s\n", OG_TEXT_ARGS(name));
  return true;
}

/* ---- procedures -------------------------------------------------------------------------------------------------- */

OG_DIRECTIVE(start) {
  const char *word_at = og_asm_at(as);
  bool simple = !og_asm_at_end(as);
  if (simple && !og_text_is(og_asm_word(as), "simple"))
    return og_asm_error(as, word_at, OG_MAX((size_t)(as->p - word_at), 1u),
                        "unexpected token: expected 'simple' or the line's end");
  if (as->frame)
    return og_asm_error(as, at, 14, "starting new .cfi frame before finishing the previous one");
  struct og_asm_frame *f = OG_NEW(as->arena, struct og_asm_frame);
  *f = (struct og_asm_frame){.chunk = as->chunk,
                             .simple = simple,
                             .return_column = PC_REGISTER,
                             .personality_encoding = NO_ENCODING,
                             .lsda_encoding = NO_ENCODING,
                             .range = og_asm_range(as, at, at + 14)};
  f->begin = og_asm_place(as);
  *OG_PUSH(as->arena, &as->frames) = as->frame = f;
  og_asm_list(as, "\t.cfi_startproc%s\n", simple ? " simple" : "");
  return true;
}

OG_DIRECTIVE(finish) {
  struct og_asm_frame *f = open_frame(as, at);
  if (!f)
    return false;
  f->end = as->chunk == f->chunk ? og_asm_here(as) : (uint64_t)f->begin->value;
  as->frame = NULL;
  og_asm_list(as, "\t.cfi_endproc\n");
  return true;
}

OG_DIRECTIVE(sections) {
  static const struct { uint8_t flag; const char *name; } names[] = {
      {OG_FRAMES_EH, ".eh_frame"}, {OG_FRAMES_DEBUG, ".debug_frame"}, {OG_FRAMES_SFRAME, ".sframe"}};
  as->frame_sections = OG_FRAMES_CHOSEN;
  og_asm_space(as);
  while (!og_asm_at_end(as)) {
    struct og_text name = og_asm_word(as);
    if (!name.size)
      return og_asm_error(as, as->p, 1, "expected .eh_frame, .debug_frame, or .sframe");
    for (size_t i = 0; i < OG_COUNT(names); i++)
      as->frame_sections |= og_text_is(name, names[i].name) ? names[i].flag : 0;
    if (!og_asm_accept(as, ','))
      break;
    og_asm_space(as);
  }
  const char *between = "";
  og_asm_list(as, "\t.cfi_sections ");
  for (size_t i = 0; i < OG_COUNT(names); i++)
    if (as->frame_sections & names[i].flag)
      og_asm_list(as, "%s%s", between, names[i].name), between = ", ";
  og_asm_list(as, "\n");
  return true;
}

static bool valid_encoding(int64_t e) {
  int64_t format = e & 15, application = e & 0x70;
  return e == ENCODING_OMIT ||
         (e >= 0 && e < 256 && (format == 0 || (format >= 2 && format <= 4) || (format >= 10 && format <= 12)) &&
          (application == 0 || application == 0x10));
}

static bool handler(struct og_asm *as, const char *at, int is_lsda) {
  struct og_asm_frame *f = open_frame(as, at);
  int64_t encoding;
  struct og_text name = {0};
  if (!og_asm_parse_absolute(as, &encoding))
    return false;
  if (!valid_encoding(encoding))
    return og_asm_error(as, as->p, 0, "unsupported encoding.");
  if (encoding != ENCODING_OMIT && (!og_asm_comma(as) || !og_asm_name(as, &name)))
    return false;
  if (!f)
    return false;
  if (encoding == ENCODING_OMIT)
    return true;
  if (is_lsda)
    f->lsda = name, f->lsda_encoding = (int16_t)encoding;
  else
    f->personality = name, f->personality_encoding = (int16_t)encoding;
  og_asm_list(as, "\t%s %lld, %.*s\n", is_lsda ? ".cfi_lsda" : ".cfi_personality", (long long)encoding,
              OG_TEXT_ARGS(name));
  return true;
}

OG_DIRECTIVE(return_column) {
  int64_t number;
  struct og_asm_frame *f = open_frame(as, at);
  if (!reg(as, &number) || !f)
    return false;
  f->return_column = (uint32_t)number;
  og_asm_list(as, "\t.cfi_return_column %lld\n", (long long)number);
  return true;
}

OG_DIRECTIVE(signal_frame) {
  struct og_asm_frame *f = open_frame(as, at);
  if (!f)
    return false;
  f->signal = true;
  og_asm_list(as, "\t.cfi_signal_frame\n");
  return true;
}

const struct og_directive_row og_frame_directives[] = {
    {".cfi_sections", sections, 0},
    {".cfi_startproc", start, 0},
    {".cfi_endproc", finish, 0},
    {".cfi_personality", handler, 0},
    {".cfi_lsda", handler, 1},
    {".cfi_return_column", return_column, 0},
    {".cfi_signal_frame", signal_frame, 0},
    {".cfi_escape", escape, 0},
    {".cfi_label", label, 0},
    {".cfi_def_cfa", rule, DEF_CFA},
    {".cfi_def_cfa_register", rule, DEF_CFA_REGISTER},
    {".cfi_def_cfa_offset", rule, DEF_CFA_OFFSET},
    {".cfi_adjust_cfa_offset", rule, ADJUST_CFA_OFFSET},
    {".cfi_llvm_def_aspace_cfa", rule, DEF_ASPACE_CFA},
    {".cfi_offset", rule, OFFSET},
    {".cfi_rel_offset", rule, REL_OFFSET},
    {".cfi_val_offset", rule, VAL_OFFSET},
    {".cfi_remember_state", rule, REMEMBER},
    {".cfi_restore_state", rule, RESTORE_STATE},
    {".cfi_same_value", rule, SAME_VALUE},
    {".cfi_restore", rule, RESTORE},
    {".cfi_undefined", rule, UNDEFINED},
    {".cfi_register", rule, REGISTER},
    {".cfi_window_save", rule, WINDOW_SAVE},
    {NULL, NULL, 0},
};
