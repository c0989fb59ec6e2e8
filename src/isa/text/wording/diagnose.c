/* diagnose.c - what is amiss with an instruction that fits no form, in the words and at the place of LLVM's assembler.
   Only read where an instruction is refused: it reads the statement again as LLVM's parser does, operand by operand,
   each by what the mnemonic's forms may have at that place; then tells how far the forms of the last encoding came. */
#include "isa/text/forms.h"

#include <string.h>

enum { MOST_FORMALS = 40, MOST_PARSED = 64 };
enum result { PARSED, NO_MATCH, FAILED };

/* What a form asks for at one place of its text. */
enum formal_kind { FORMAL_SLOT, FORMAL_MODIFIER, FORMAL_WORD, FORMAL_OFF, FORMAL_BRACKET };
struct formal {
  uint8_t kind, index; /* of the slot; enum og_mod; the bracket */
  bool optional;
};

/* One operand as LLVM counts them: modifiers and brackets are operands too. */
struct parsed {
  uint8_t kind, index; /* FORMAL_SLOT: any register or constant; else as above */
  struct og_text_operand text;
};

struct reading {
  struct og_inst_reader *in;
  struct og_text base; /* mnemonic without suffix */
  bool is_image;
  uint8_t format;             /* of a typed buffer: read before the scalar offset, or behind it */
  unsigned count, wave_size;  /* of the forms being compared */
  const char *late, *late_at; /* what LLVM finds only once a form fits, and the operand */
  struct parsed items[MOST_PARSED];
};

/* What the mnemonic's forms on this target may have at one place. */
struct place {
  uint64_t modifiers; /* set of enum og_mod */
  uint64_t takes;     /* set of enum og_takes */
  bool signs, extends, off;
};

/* ---- forms as lists ---------------------------------------------------------------------------------------------- */

static unsigned word_formal(struct og_text word, struct formal *out) {
  int mod = og_word_modifier(word);
  if (og_text_is(word, "off"))
    return *out = (struct formal){FORMAL_OFF, 0, false}, 1;
  if (mod >= 0)
    return *out = (struct formal){FORMAL_WORD, (uint8_t)mod, false}, 1;
  return 0;
}

static unsigned formals_of(const struct og_form *form, const struct og_shape *shape, struct formal *out) {
  unsigned count = 0;
  for (const char *p = og_program(shape); *p && count < MOST_FORMALS;) {
    if (*p == 1) {
      const struct og_slot *slot = &og_slots(shape)[(unsigned char)p[1] - 1u];
      bool optional = slot->takes == OG_TAKES_ENDPGM || (slot->takes == OG_TAKES_VCC && form->encoding == OG_ENC_VOPC);
      out[count++] = (struct formal){FORMAL_SLOT, (uint8_t)(p[1] - 1), optional};
      p += 2;
    } else if (*p == 2) {
      uint8_t mod = og_mods(shape)[(unsigned char)p[1] - 1u].mod;
      out[count++] = (struct formal){FORMAL_MODIFIER, mod, mod != OG_MOD_DPP_CTRL && mod != OG_MOD_DPP8};
      p += 2;
    } else if (og_name_start(*p)) {
      const char *start = p;
      p = og_after_name(p);
      count += word_formal((struct og_text){start, (size_t)(p - start)}, &out[count]);
    } else {
      if (*p == '[' || *p == ']')
        out[count++] = (struct formal){FORMAL_BRACKET, (uint8_t)*p, false};
      p++;
    }
  }
  return count;
}

static void add_form(struct place *place, const struct og_form *form, const struct og_shape *shape, unsigned at) {
  struct formal formals[MOST_FORMALS];
  unsigned count = formals_of(form, shape, formals), optional = 0;
  for (unsigned i = 0; i < count; i++) {
    const struct formal *f = &formals[i];
    bool here = at + optional >= i && at <= i; /* optional ones before it may be left out */
    optional += f->optional;
    if (!here)
      continue;
    place->off |= f->kind == FORMAL_OFF;
    if (f->kind == FORMAL_MODIFIER || f->kind == FORMAL_WORD)
      place->modifiers |= OG_BIT(f->index);
    if (f->kind != FORMAL_SLOT)
      continue;
    const struct og_slot *slot = &og_slots(shape)[f->index];
    place->takes |= UINT64_C(1) << slot->takes;
    place->signs |= slot->flags & OG_SLOT_NEG_ABS;
    place->extends |= (slot->flags & OG_SLOT_SEXT) != 0;
  }
}

static bool on_target(const struct og_inst_reader *in, const struct og_form *form) {
  return og_form_fits(in->isa, form);
}

static struct place place_at(const struct reading *r, unsigned at) {
  struct place place = {0};
  const struct og_isa *isa = r->in->isa;
  const uint16_t *forms;
  size_t count = og_find_forms(isa, r->base, &forms);
  for (size_t i = 0; i < count; i++) {
    const struct og_form *form = og_form(isa, forms[i]);
    if (on_target(r->in, form))
      add_form(&place, form, og_shape(isa, form), at);
  }
  return place;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Takes the word if it stands at the cursor. */
static bool take_word(struct og_inst_reader *in, const char *word) {
  if (!og_word_at(in->p, word))
    return false;
  in->p += strlen(word);
  og_in_space(in);
  return true;
}

static bool take(struct og_inst_reader *in, char c, const char *message) {
  if (og_in_accept(in, c))
    return og_in_space(in), true;
  return og_in_error(in, in->p, 1, "%s", message);
}

static bool is_bar(const char *p) { return p[0] == '|' && p[1] != '|'; }

static bool is_function(const char *p) {
  return og_after_opening(p, "abs") || og_after_opening(p, "neg") || og_after_opening(p, "sext");
}

static bool is_register(struct og_inst_reader *in, const char *p) {
  if (*p == '[')
    return true;
  const char *before = in->p;
  size_t errors = og_diagnostics_count(in->diagnostics);
  struct og_text_operand ignored = {0};
  bool ok;
  in->p = p;
  bool found = og_read_register(in, &ignored, &ok);
  in->p = before;
  og_diagnostics_remove(in->diagnostics, errors, og_diagnostics_count(in->diagnostics));
  return found;
}

/* abs(...), neg(...), sext(...), |...|, -reg, -|...|, -abs(...), name:...: no constant begins like that. */
static bool is_modifier(struct og_inst_reader *in) {
  const char *p = in->p, *next = og_after_blanks(p + 1);
  if (*p == '-')
    return is_bar(next) || is_function(next) || is_register(in, next);
  return is_bar(p) || is_function(p) || (og_name_start(*p) && *og_after_blanks(og_after_name(p)) == ':');
}

static enum result register_or_constant(struct og_inst_reader *in, bool in_bars, struct og_text_operand *out) {
  bool ok;
  const char *at = in->p;
  if (og_read_register(in, out, &ok)) {
    out->at = at;
    out->end = in->p;
    return ok ? PARSED : FAILED;
  }
  if (is_modifier(in))
    return NO_MATCH;
  out->at = at;
  if ((og_word_at(at, "lit") || og_word_at(at, "lit64")) && *og_after_name(at) == '(')
    out->at = og_after_blanks(og_after_name(at) + 1);
  if (!og_read_number(in, in_bars, out))
    return FAILED;
  out->end = in->p;
  return PARSED;
}

static bool known_value(struct og_inst_reader *in, struct og_text_operand *t) {
  int64_t value;
  if (t->kind != OG_TEXT_EXPR)
    return true;
  if (!in->language->evaluate(in->context, t->expr, &value))
    return og_in_error(in, t->at, (size_t)(t->end - t->at), "expected an absolute expression");
  t->kind = OG_TEXT_INTEGER;
  t->value = value;
  return true;
}

/* A sign before a register or an absolute value; before a number it is the number's. */
static bool take_sign(struct og_inst_reader *in) {
  const char *next = og_after_blanks(in->p + 1);
  if (*in->p != '-' || !(is_bar(next) || og_word_at(next, "abs") || is_register(in, next)))
    return false;
  in->p++;
  og_in_space(in);
  return true;
}

static enum result signed_operand(struct og_inst_reader *in, struct og_text_operand *out) {
  if (in->p[0] == '-' && in->p[1] == '-')
    return og_in_error(in, in->p, 1, "invalid syntax, expected 'neg' modifier"), FAILED;
  bool minus = take_sign(in), neg, abs, bar;
  const char *at = in->p;
  if ((neg = take_word(in, "neg")) && minus)
    return og_in_error(in, at, 3, "expected register or immediate"), FAILED;
  if (neg && !take(in, '(', "expected left paren after neg"))
    return FAILED;
  if ((abs = take_word(in, "abs")) && !take(in, '(', "expected left paren after abs"))
    return FAILED;
  at = in->p;
  if ((bar = is_bar(in->p))) {
    in->p++;
    og_in_space(in);
    if (abs)
      return og_in_error(in, at, 1, "expected register or immediate"), FAILED;
  }
  enum result r = register_or_constant(in, bar, out);
  if (r != PARSED)
    return minus || neg || abs || bar ? FAILED : r;
  if ((bar && !take(in, '|', "expected vertical bar")) || (abs && !take(in, ')', "expected closing parentheses")) ||
      (neg && !take(in, ')', "expected closing parentheses")))
    return FAILED;
  out->flags |= (minus || neg ? OG_NEG : 0) | (bar || abs ? OG_ABS : 0);
  return (!(minus || neg || abs || bar) && !out->literal) || known_value(in, out) ? PARSED : FAILED;
}

static enum result extended_operand(struct og_inst_reader *in, struct og_text_operand *out) {
  bool sext = take_word(in, "sext");
  if (sext && !take(in, '(', "expected left paren after sext"))
    return FAILED;
  enum result r = register_or_constant(in, false, out);
  if (r != PARSED)
    return sext ? FAILED : r;
  if (sext && !take(in, ')', "expected closing parentheses"))
    return FAILED;
  out->flags |= sext ? OG_SEXT : 0;
  return !sext || known_value(in, out) ? PARSED : FAILED;
}

static enum result branch_target(struct og_inst_reader *in, struct og_text_operand *out) {
  enum result r = register_or_constant(in, false, out);
  if (r == PARSED && out->kind == OG_TEXT_EXPR && !in->language->is_symbol(out->expr))
    return og_in_error(in, out->at, (size_t)(out->end - out->at), "expected an absolute expression or a label"), PARSED;
  if (r == PARSED && out->kind == OG_TEXT_INTEGER && (out->value < -0x8000 || out->value > 0xffff))
    return og_in_error(in, out->at, (size_t)(out->end - out->at), "expected a 16-bit signed jump offset"), PARSED;
  return r;
}

enum { FORMAT_BEFORE = 1, FORMAT_BEHIND };

/* dfmt and nfmt, or format: before the scalar offset as a part of it, behind it as a modifier. */
static enum result format(struct reading *r, const struct place *place) {
  struct og_inst_reader *in = r->in;
  const char *at = in->p;
  struct og_inst_text text = {0};
  bool behind = og_has(place->modifiers, OG_MOD_FORMAT), ok = true, flag;
  struct place next = place_at(r, r->count + 1);
  if (r->format == FORMAT_BEHIND || (!behind && !og_has(next.modifiers, OG_MOD_FORMAT)))
    return NO_MATCH;
  if (r->format == FORMAT_BEFORE && !behind)
    return og_in_error(in, at, 1, "invalid operand for instruction"), FAILED;
  if (behind ? *at != 'f' : (*at == 'f') != (in->target->processor->major >= 10))
    return NO_MATCH;
  if (r->format)
    return og_in_error(in, at, 1, "duplicate format"), FAILED;
  r->format = behind ? FORMAT_BEHIND : FORMAT_BEFORE;
  while (og_read_modifier(in, &text, &ok) && ok && *at != 'f') { /* dfmt and nfmt, with a comma or without */
    const char *end = in->p;
    og_in_accept(in, ',');
    og_in_space(in);
    if (og_modifier_at(in, &flag) == OG_MOD_FORMAT)
      continue;
    in->p = end;
    break;
  }
  if (ok && behind) {
    struct parsed *item = &r->items[r->count++];
    *item = (struct parsed){.kind = FORMAL_MODIFIER, .index = OG_MOD_FORMAT, .text.at = at};
  }
  return ok ? PARSED : FAILED;
}

static enum result modifier(struct reading *r, const struct place *place) {
  struct og_inst_reader *in = r->in;
  struct og_inst_text text = {0};
  bool flag, ok = true;
  const char *at = in->p;
  int mod = og_modifier_at(in, &flag);
  if (mod == OG_MOD_FORMAT)
    return format(r, place);
  if (mod < 0 || !og_has(place->modifiers, (unsigned)mod))
    return NO_MATCH;
  if (flag && *og_after_blanks(og_after_name(in->p)) == ':')
    in->p = og_after_name(in->p); /* the flag; the colon is the next operand's */
  else if (!og_read_modifier(in, &text, &ok))
    return NO_MATCH;
  for (og_in_space(in); ok && mod == OG_MOD_CPOL && og_modifier_at(in, &flag) == mod; og_in_space(in))
    if (!og_read_modifier(in, &text, &ok))
      break;
  struct parsed *item = &r->items[r->count++];
  memset(item, 0, sizeof *item);
  item->kind = FORMAL_MODIFIER;
  item->index = (uint8_t)mod;
  item->text.at = at;
  return ok ? PARSED : FAILED;
}

/* hwreg(...), sendmsg(...) and their kin. */
static bool special_at(const struct place *place, enum og_takes *takes) {
  for (unsigned t = OG_TAKES_HWREG; t <= OG_TAKES_ATTR; t++)
    if (place->takes >> t & 1 && t != OG_TAKES_ENDPGM) {
      *takes = (enum og_takes)t;
      return true;
    }
  return false;
}

static enum result operand(struct reading *r) {
  struct og_inst_reader *in = r->in;
  struct place place = place_at(r, r->count);
  enum og_takes takes;
  enum result found = og_name_start(*in->p) ? modifier(r, &place) : NO_MATCH;
  if (found != NO_MATCH)
    return found;
  struct parsed *item = &r->items[r->count];
  memset(item, 0, sizeof *item);
  item->kind = FORMAL_SLOT;
  item->text.at = in->p;
  if (place.off && take_word(in, "off")) {
    item->kind = FORMAL_OFF;
    found = PARSED;
  } else if (special_at(&place, &takes)) {
    found = og_read_operand(in, takes, &item->text) ? PARSED : FAILED;
  } else if (place.takes >> OG_TAKES_BRANCH & 1) {
    found = branch_target(in, &item->text);
  } else if (place.signs) {
    found = signed_operand(in, &item->text);
  } else if (place.extends) {
    found = extended_operand(in, &item->text);
  } else {
    found = register_or_constant(in, false, &item->text);
  }
  r->count += found == PARSED;
  return found;
}

static bool bracket(struct reading *r, unsigned at, char c, const char *place) {
  memmove(&r->items[at + 1], &r->items[at], (r->count - at) * sizeof r->items[0]);
  memset(&r->items[at], 0, sizeof r->items[0]);
  r->items[at].kind = FORMAL_BRACKET;
  r->items[at].index = (uint8_t)c;
  r->items[at].text.at = place;
  r->count++;
  return true;
}

/* Registers of an image's address, which need not follow each other. */
static enum result address_list(struct reading *r) {
  struct og_inst_reader *in = r->in;
  const char *open = in->p++;
  unsigned first = r->count;
  for (;;) {
    struct parsed *item = &r->items[r->count];
    bool ok;
    og_in_space(in);
    memset(item, 0, sizeof *item);
    const char *at = in->p;
    if (!og_read_register(in, &item->text, &ok))
      return og_in_error(in, at, 1, "expected a register"), FAILED;
    if (!ok)
      return FAILED;
    item->text.at = at;
    if (++r->count + 3 >= MOST_PARSED)
      return NO_MATCH;
    const char *close = (og_in_space(in), in->p);
    if (og_in_accept(in, ']'))
      return r->count - first < 2 || (bracket(r, first, '[', open) && bracket(r, r->count, ']', close)) ? PARSED
                                                                                                        : FAILED;
    if (!take(in, ',', "expected a comma or a closing square bracket"))
      return FAILED;
  }
}

/* The whole statement. False where it said what is wrong. */
static bool read_statement(struct reading *r) {
  struct og_inst_reader *in = r->in;
  for (og_in_space(in); !og_in_at_end(in); og_in_space(in)) {
    if (r->count + 3 >= MOST_PARSED || (in->p[0] == ':' && in->p[1] == ':')) /* as of a pair: told already */
      return false;
    size_t before = og_diagnostics_count(in->diagnostics);
    enum result found = r->is_image && r->count == 1 && *in->p == '[' ? address_list(r) : operand(r);
    if (found != PARSED) {
      og_in_space(in);
      if (og_diagnostics_count(in->diagnostics) == before)
        og_in_error(in, in->p, OG_MAX((size_t)(og_after_name(in->p) - in->p), 1u),
                    found == FAILED ? "failed parsing operand." : "not a valid operand.");
      return false;
    }
    og_in_accept(in, ',');
  }
  return true;
}

/* ---- matching ---------------------------------------------------------------------------------------------------- */

static bool takes_item(struct reading *r, const struct og_form *form, const struct og_shape *shape,
                       const struct formal *f, const struct parsed *item) {
  if (f->kind != FORMAL_SLOT || item->kind != FORMAL_SLOT)
    return (f->kind == item->kind || (f->kind == FORMAL_WORD && item->kind == FORMAL_MODIFIER)) &&
           f->index == item->index;
  struct og_match m = {0};
  const struct og_slot *slot = &og_slots(shape)[f->index];
  bool vector = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOP3;
  bool mask = slot->flags & OG_SLOT_WAVE || (vector && slot->takes == OG_TAKES_SGPR && slot->dwords == 2);
  if (mask && item->text.kind == OG_TEXT_REGISTER && item->text.dwords &&
      item->text.dwords != r->in->target->wave_size / 32 && !r->in->target->mixed_waves)
    return false;
  bool accumulator = item->text.kind == OG_TEXT_REGISTER && item->text.register_kind == OG_OPERAND_AGPR;
  if (accumulator && slot->takes == OG_TAKES_VGPR_AGPR && !r->in->has.vgpr_align2)
    return false;
  if (slot->takes ==
      OG_TAKES_VCC) /* its name tells the wave size of the form, the classes of masks that of the target */
    return item->text.kind == OG_TEXT_REGISTER && item->text.register_kind == OG_OPERAND_SPECIAL && !item->text.flags &&
           item->text.reg == OG_SPECIAL_VCC_LO && item->text.dwords == r->wave_size / 32;
  const char *wrong = og_match_operand(r->in, form, slot, &item->text, &m);
  if (wrong && form->variant != OG_VARIANT_NONE && !strcmp(wrong, "literal operands are not supported"))
    return false;
  if (wrong)
    r->late = wrong, r->late_at = og_has_prefix(wrong, "lit64") ? item->text.literal_at : item->text.at;
  return !wrong || (strcmp(wrong, "invalid operand for instruction") && strcmp(wrong, "not a valid operand.") &&
                    strcmp(wrong, "expected absolute expression") && strcmp(wrong, "expected left paren"));
}

/* How many of the text's operands the form takes; all of them and one more where that is not enough. */
static unsigned reach(struct reading *r, const struct og_form *form, const struct og_shape *shape, bool *fits) {
  struct formal formals[MOST_FORMALS];
  unsigned count = formals_of(form, shape, formals), at = 0;
  *fits = false;
  r->late = NULL;
  for (unsigned i = 0; i < count; i++) {
    if (at == r->count) {
      if (formals[i].optional)
        return *fits = true, at;
      return at;
    }
    if (takes_item(r, form, shape, &formals[i], &r->items[at]))
      at++;
    else if (!formals[i].optional)
      return at;
  }
  *fits = at == r->count;
  return at;
}

/* LLVM's tables, in the order it tries them. */
enum { TABLE_PLAIN, TABLE_VOP3, TABLE_SDWA, TABLE_SDWA9, TABLE_DPP, TABLE_VOP3_DPP, TABLES };

static unsigned table_of(const struct og_form *form, enum og_generation generation) {
  if (form->variant == OG_VARIANT_SDWA)
    return generation <= OG_GFX8 ? TABLE_SDWA : TABLE_SDWA9;
  if (form->variant != OG_VARIANT_NONE)
    return form->suffix == OG_SUFFIX_E64_DPP ? TABLE_VOP3_DPP : TABLE_DPP;
  return form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_VOP3P ? TABLE_VOP3 : TABLE_PLAIN;
}

/* Those in which it looks for names with that suffix. */
static const uint8_t tables_of[] = {[OG_SUFFIX_NONE] = (1 << TABLES) - 1,
                                    [OG_SUFFIX_E32] = 1 << TABLE_PLAIN,
                                    [OG_SUFFIX_E64] = 1 << TABLE_VOP3,
                                    [OG_SUFFIX_SDWA] = 1 << TABLE_SDWA | 1 << TABLE_SDWA9,
                                    [OG_SUFFIX_DPP] = 1 << TABLE_DPP,
                                    [OG_SUFFIX_E64_DPP] = 1 << TABLE_VOP3_DPP};

struct reached {
  bool any, fits, fits_elsewhere;
  const char *late, *late_at; /* of the form that fits */
  unsigned farthest;
};

/* Forms of other generations and wave sizes count as well, as LLVM has one table for all. */
static void match_forms(struct reading *r, enum og_generation generation, const struct og_isa *isa,
                        struct reached reached[TABLES]) {
  struct og_inst_reader *in = r->in;
  const struct og_isa *target_isa = in->isa;
  bool own = isa == target_isa;
  const uint16_t *forms;
  size_t count = og_find_forms(isa, r->base, &forms);
  in->isa = isa;
  for (size_t i = 0; i < count; i++) {
    const struct og_form *form = og_form(isa, forms[i]);
    struct reached *to = &reached[table_of(form, generation)];
    bool fits;
    unsigned at = reach(r, form, og_shape(isa, form), &fits);
    to->any = true;
    if (fits && own && on_target(in, form))
      to->fits = true, to->late = r->late, to->late_at = r->late_at;
    else if (fits)
      to->fits_elsewhere = true;
    else
      to->farthest = OG_MAX(to->farthest, at);
  }
  in->isa = target_isa;
}

static void match(struct reading *r, unsigned tables, struct og_text mnemonic) {
  struct reached reached[TABLES] = {0};
  const struct reached *last = NULL;
  bool elsewhere = false;
  for (unsigned g = OG_R600 + 1; g < OG_GENERATION_COUNT; g++)
    for (r->wave_size = 32; r->wave_size <= 64; r->wave_size += 32) {
      const struct og_target *target = r->in->target;
      bool own = g == target->processor->generation && r->wave_size == target->wave_size;
      const struct og_isa *isa = own ? r->in->isa : og_isa_of((enum og_generation)g, r->wave_size);
      if (isa && (own || r->wave_size == 64 || isa != og_isa_of((enum og_generation)g, 64)))
        match_forms(r, (enum og_generation)g, isa, reached);
    }
  for (unsigned t = 0; t < TABLES; t++) {
    if (!(tables >> t & 1) || !reached[t].any)
      continue;
    if (reached[t].fits && reached[t].late && og_has_prefix(reached[t].late, "lit"))
      og_in_error(r->in, reached[t].late_at, 1, "%s", reached[t].late);
    if (reached[t].fits)
      return; /* else it is a rule of the whole instruction that refused it */
    elsewhere |= reached[t].fits_elsewhere;
    last = &reached[t];
  }
  if (!last)
    return;
  if (elsewhere)
    og_in_error(r->in, mnemonic.data, mnemonic.size, "operands are not valid for this GPU or mode");
  else if (last->farthest >= r->count)
    og_in_error(r->in, mnemonic.data, mnemonic.size, "too few operands for instruction");
  else
    og_in_error(r->in, r->items[last->farthest].text.at, 1, "invalid operand for instruction");
}

/* The same at the same place, and the reason behind it. */
static bool tells_more(const struct og_diagnostic *ours, const struct og_diagnostic *theirs) {
  return theirs && ours->line == theirs->line && ours->column == theirs->column &&
         og_has_prefix(ours->message, theirs->message);
}

void og_diagnose_refusal(struct og_inst_reader *in, struct og_text mnemonic, const char *operands, size_t before) {
  size_t ours = og_diagnostics_count(in->diagnostics);
  const char *end = in->p;
  struct og_text base;
  unsigned tables = tables_of[og_split_suffix(og_lower_case(in, mnemonic), &base)];
  struct reading r = {.in = in, .base = base};
  r.is_image = base.size > 6 && !memcmp(base.data, "image_", 6) && in->target->processor->major >= 10;
  in->p = operands;
  in->spread_lists = false;
  if (read_statement(&r) && og_diagnostics_count(in->diagnostics) == ours)
    match(&r, tables, mnemonic);
  size_t count = og_diagnostics_count(in->diagnostics);
  if (tells_more(og_diagnostics_at(in->diagnostics, before), og_diagnostics_at(in->diagnostics, ours)))
    og_diagnostics_remove(in->diagnostics, ours, count);
  else if (count > ours)
    og_diagnostics_remove(in->diagnostics, before, ours);
  in->p = end;
}
