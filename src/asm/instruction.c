/* instruction.c - instruction text to struct og_inst to bytes: which form of a mnemonic the operands fit. */
#include "asm/instruction.h"

#include <string.h>
#include <strings.h>

/* ---- from text to a form ----------------------------------------------------------------------------------------- */

static void add_vcc(const struct og_asm *as, const struct og_slot *slot, struct og_inst *inst) {
  inst->operands[inst->operand_count++] = (struct og_operand){.role = slot->role,
                                                              .kind = OG_OPERAND_SPECIAL,
                                                              .reg = OG_SPECIAL_VCC_LO,
                                                              .dwords = as->own_isa.wave == 32 ? 1 : 2};
}

/* A short comparison that does not name its result: no signs of constants. Where the second source may have signs, LLVM
 * takes "row_mirror" behind it for a source. */
static const char *wrong_comparison(const struct og_candidate *c, const struct og_inst_text *text,
                                    const struct og_text_operand *t) {
  if (c->encoding != OG_ENC_VOPC || c->left_out != OG_TAKES_VCC)
    return NULL;
  if (c->form->variant == OG_VARIANT_NONE)
    return t->flags & (OG_NEG | OG_ABS | OG_SEXT) ? "not a valid operand." : NULL;
  const struct og_text_modifier *m = text->modifiers;
  bool word = text->modifier_count && m->mod == OG_MOD_DPP_CTRL && !memchr(m->at, ':', (size_t)(m->end - m->at));
  return word && c->places[1].slot->flags & OG_SLOT_NEG_ABS ? "invalid operand for instruction" : NULL;
}

/* Whether the form takes the operand at that place, and as what. */
static const char *match_place(struct og_asm *as, const struct og_candidate *c, unsigned place,
                               const struct og_text_operand *t, struct og_match *m) {
  uint64_t class = t->class ? UINT64_C(1) << t->class : 0;
  if (class & c->places[place].taken) {
    m->inst.operands[m->inst.operand_count++] =
        (struct og_operand){.role = c->places[place].role,
                            .kind = t->register_kind,
                            .reg = t->reg,
                            .dwords = t->dwords ? t->dwords : (uint8_t)og_slot_dwords(as->isa, c->places[place].slot)};
    return NULL;
  }
  if (class & c->places[place].refused)
    return og_no_operand;
  unsigned before = m->inst.operand_count;
  const char *wrong = og_asm_match_operand(as, c->form, c->places[place].slot, t, m);
  if (wrong == og_no_operand)
    c->places[place].refused |= class;
  else if (!wrong && c->places[place].takes < OG_TAKES_VCC && m->inst.operand_count == before + 1)
    c->places[place].taken |= class;
  return wrong;
}

static bool match_operands(struct og_asm *as, const struct og_candidate *c, const struct og_inst_text *text,
                           struct og_match *m, struct og_failure *f) {
  m->inst.operand_count = 0;
  m->expr = NULL;
  m->wide_real = false;
  if (text->addresses != (c->addresses ? c->addresses + 1u : 0u))
    return og_fail(f, 1, text->operands[1].at, text->operands[1].end, "invalid operand for instruction");
  for (unsigned i = 0; i < c->count; i++) {
    const struct og_slot *slot = c->places[i].slot;
    if (i >= text->operand_count) {
      if (slot && og_may_be_left_out(as, c->form, slot)) {
        add_vcc(as, slot, &m->inst);
        continue;
      }
      if (!slot || slot->takes != OG_TAKES_ENDPGM)
        return og_fail(f, i, NULL, NULL, "too few operands for instruction");
      m->inst.operands[m->inst.operand_count++] = (struct og_operand){.role = slot->role, .kind = OG_OPERAND_IMMEDIATE};
      continue;
    }
    const struct og_text_operand *t = &text->operands[i];
    const char *wrong = slot ? match_place(as, c, i, t, m) : t->kind == OG_TEXT_OFF ? NULL : og_no_operand;
    if (!wrong && c->places[i].takes == OG_TAKES_OFFSET &&
        (wrong = og_asm_offset_fault(as, c, m->inst.mod[OG_MOD_OFFSET])))
      return og_fail(f, i + 100, t->at, t->end, wrong);
    wrong = wrong ? wrong : wrong_comparison(c, text, t);
    if (wrong && og_has_prefix(wrong, "src1 "))
      return og_fail(f, i + 1, NULL, NULL, wrong);
    if (wrong)
      return og_fail(f, i + 1, og_has_prefix(wrong, "lit64") ? t->literal_at : t->at, t->end, wrong);
  }
  if (text->operand_count > c->count) {
    const struct og_text_operand *t = &text->operands[c->count];
    return og_fail(f, c->count + 1u, t->at, t->end, "invalid operand for instruction");
  }
  for (unsigned i = 0; c->left_out == OG_TAKES_VCC && i < c->shape->slot_count; i++)
    if (og_slots(c->shape)[i].takes == OG_TAKES_VCC)
      add_vcc(as, &og_slots(c->shape)[i], &m->inst);
  m->inst.form = c->id;
  m->inst.row = c->form->row;
  m->inst.encoding = (uint8_t)c->encoding;
  m->inst.variant = c->form->variant;
  return true;
}

/* A compressed export has two registers, written twice each; the first and the third count. */
static void finish_export(struct og_match *m) {
  struct og_operand *sources = &m->inst.operands[1];
  for (unsigned i = 0; m->inst.mod[OG_MOD_COMPR] && i < 4; i += 2) {
    sources[i + 1].kind = sources[i].kind;
    sources[i + 1].reg = sources[i].reg;
  }
}

/* Symbols that follow the registers used: one more than the highest. */
void og_asm_use_registers(struct og_asm *as, enum og_operand_kind kind, int64_t end) {
  struct og_asm_symbol *s = kind == OG_OPERAND_VGPR || kind == OG_OPERAND_AGPR ? as->next_free_vgpr
                            : kind == OG_OPERAND_SGPR                          ? as->next_free_sgpr
                                                                               : NULL;
  if (s && !s->expr && s->value < end)
    s->value = end;
}

/* ---- from text to bytes ------------------------------------------------------------------------------------------ */

/* "scc" is a modifier where a form of the mnemonic may have one at that place: behind the
 * fewer operands of loads to LDS. */
static bool scc_is_modifier(const struct og_asm *as, const struct og_mnemonic *mnemonic, unsigned place) {
  const struct og_candidate *guide = &mnemonic->candidates[0];
  const struct og_slot *first = &og_slots(guide->shape)[0];
  enum og_generation generation = as->target.processor->generation;
  if (as->target.processor->major > 11)
    return false;
  if (guide->form->encoding == OG_ENC_SMEM)
    return first->takes == OG_TAKES_SGPR && (first->role == OG_ROLE_SDATA || first->role == OG_ROLE_SDST);
  for (uint32_t i = 0; i < mnemonic->count && generation != OG_GFX942 && generation != OG_GFX950; i++)
    if (as->target.processor->major < 11 && place == mnemonic->candidates[i].count &&
        og_has(mnemonic->candidates[i].requires, OG_MOD_LDS))
      return true;
  return false;
}

/* The names of a register and of a modifier: a register while operands are missing. */
static bool is_register_too(const struct og_asm *as, const struct og_mnemonic *mnemonic,
                            const struct og_inst_text *text) {
  unsigned place = text->operand_count;
  if (*as->p != 'a' && *as->p != 's')
    return false;
  bool a16 = !strncmp(as->p, "a16", 3);
  if ((!a16 && strncmp(as->p, "scc", 3)) || og_asm_name_char(as->p[3]))
    return false;
  bool missing = false;
  for (uint32_t i = 0; i < mnemonic->count; i++) {
    const struct og_candidate *c = &mnemonic->candidates[i]; /* with as many addresses, each an operand */
    missing |= place < c->count && text->addresses == (c->addresses ? c->addresses + 1u : 0u);
  }
  return missing && (a16 || !scc_is_modifier(as, mnemonic, place));
}

/* "::" and the name behind it, which is known already, with a comma or without; allowed once, in a pair. */
static bool skip_second_name(struct og_asm *as, bool allowed) {
  const char *colons = as->p;
  as->p += 2;
  og_asm_space(as);
  if (og_asm_at_end(as))
    return og_asm_error(as, as->p, 1, "expected a VOPDY instruction after ::");
  if (!allowed)
    return og_asm_error(as, colons, 2, "invalid operand for instruction");
  og_asm_word(as);
  og_asm_accept(as, ',');
  return true;
}

/* A name before "::" is read as one of a modifier. */
static bool is_named(const struct og_text_operand *t) {
  if (t->kind == OG_TEXT_REGISTER || !og_asm_name_start(*t->at))
    return false;
  const char *end = t->at;
  while (og_asm_name_char(*end) || *end == '@')
    end++;
  return end >= t->end - strspn(end, " \t");
}

/* Image addresses that need not follow each other: an operand for each. */
static bool spread_addresses(struct og_inst_text *text) {
  struct og_text_operand whole = text->operands[text->operand_count - 1];
  const struct og_text_list *list = whole.list;
  if (list->count + text->operand_count > OG_TEXT_OPERANDS)
    return false;
  text->addresses = list->count;
  text->operand_count--;
  for (unsigned i = 0; i < list->count; i++) {
    struct og_text_operand *t = &text->operands[text->operand_count++];
    *t = whole;
    t->is_list = false;
    t->list = NULL;
    t->reg = list->registers[i];
    t->dwords = list->dwords[i];
  }
  return true;
}

/* Operands stand before modifiers, but for the format of typed buffers, which may stand before their last operand as a
 * number; `first` is the first modifier of a pair's half. */
static bool in_order(struct og_asm *as, const struct og_inst_text *text, unsigned first) {
  enum { BEFORE_SOFFSET = 3 };
  for (unsigned i = first; i < text->modifier_count; i++) {
    const struct og_text_modifier *m = &text->modifiers[i];
    bool number = m->mod == OG_MOD_FORMAT && m->end[-1] != ']';
    if (!number || text->operand_count != BEFORE_SOFFSET)
      return og_asm_error(as, m->at, 1, "invalid operand for instruction");
  }
  return true;
}

static bool read_text(struct og_asm *as, const struct og_mnemonic *mnemonic, struct og_inst_text *text) {
  const struct og_candidate *guide = &mnemonic->candidates[0];
  as->scalar_memory = guide->encoding == OG_ENC_SMEM;
  as->wave_sync = mnemonic->wave_sync;
  text->operand_count = text->modifier_count = text->addresses = 0;
  text->given = 0;
  text->plain = true;
  unsigned first_modifier = 0;
  bool first_half = guide->encoding == OG_ENC_VOPD, comma = false,
       of_image = guide->encoding == OG_ENC_MIMG && as->target.processor->major >= 10;
  __builtin_prefetch(guide->form); /* which are far away, and needed once the text is read */
  __builtin_prefetch(og_slots(guide->shape));
  for (og_asm_space(as); !og_asm_at_end(as);) {
    bool ok;
    if (as->p[0] == ':' && as->p[1] == ':') {
      if (!skip_second_name(as, first_half))
        return false;
      first_half = false;
      first_modifier = text->modifier_count;
      og_asm_space(as);
      continue;
    }
    bool spreads = as->spread_lists = of_image && text->operand_count == 1; /* the address */
    bool is_register =
        (*as->p == 'v' || *as->p == 's') && (og_asm_digit(as->p[1]) || as->p[1] == '['); /* most words are */
    is_register = is_register || ((comma || !text->modifier_count) && is_register_too(as, mnemonic, text));
    if (!is_register && (text->operand_count || guide->count == 0) && og_asm_name_start(*as->p) &&
        og_asm_modifier(as, text, &ok)) {
      if (!ok)
        return false;
    } else {
      if (text->operand_count == OG_TEXT_OPERANDS)
        return og_asm_error(as, as->p, 1, "invalid operand for instruction");
      enum og_takes takes = text->operand_count < guide->count ? guide->places[text->operand_count].takes : OG_TAKES_NONE;
      struct og_text_operand *t = &text->operands[text->operand_count];
      if (!in_order(as, text, first_modifier) || !og_asm_operand(as, takes, t))
        return false;
      text->operand_count++;
      text->plain &= t->class || ((t->kind == OG_TEXT_INTEGER || t->kind == OG_TEXT_REAL) && !t->flags);
      if (spreads && t->kind == OG_TEXT_REGISTER && t->register_kind == OG_OPERAND_VGPR && t->list && t->list->count > 1 &&
          !spread_addresses(text))
        return og_asm_error(as, t->at, (size_t)(t->end - t->at), "too many registers in a list");
    }
    og_asm_space(as);
    if (*as->p == ':' && text->operand_count && is_named(&text->operands[text->operand_count - 1]))
      return og_asm_error(as, text->operands[text->operand_count - 1].at, 1, "not a valid operand.");
    comma = *as->p == ',';
    if (comma) {
      as->p++;
      og_asm_space(as);
    }
  }
  return true;
}

static bool report(struct og_asm *as, struct og_text mnemonic, const struct og_failure *f) {
  if (!f->at)
    return og_asm_error(as, mnemonic.data, mnemonic.size, "%s", f->message ? f->message : "invalid instruction");
  return og_asm_error(as, f->at, (size_t)(f->end - f->at), "%s", f->message);
}

/* The s_nop behind a branch that the pass before found to need one. */
static bool pad_branch(struct og_asm *as, bool to_label, const uint8_t *branch) {
  static const uint8_t nop[] = {0, 0, 0x80, 0xbf};
  uint32_t fixup = as->fixups.count - 1;
  bool padded = to_label && fixup < as->padded_before_count && as->padded_before[fixup] &&
                og_asm_pads_branches(as, og_load32(branch));
  return !padded || og_asm_emit(as, nop, sizeof nop);
}

static bool emit(struct og_asm *as, const struct og_candidate *c, struct og_match *m, struct og_text mnemonic) {
  uint8_t bytes[32];
  size_t size = og_encode(as->isa, &m->inst, bytes);
  if (!size)
    return og_asm_error(as, mnemonic.data, mnemonic.size, "operands do not fit the encoding of %s", og_form_name(c->form));
  m->inst.size = (uint8_t)size;
  if (as->options->listing)
    og_asm_list_instruction(as, m, bytes, size);
  if (m->expr) {
    bool branch = og_operand(&m->inst, OG_ROLE_SIMM) && c->form->size == 4 && m->inst.encoding != OG_ENC_VOP2;
    struct og_range range = og_asm_range(as, m->expr_operand->at, m->expr_operand->end);
    og_asm_emit_fixup(as, branch ? 2 : m->literal_size,
                      branch                 ? OG_FIXUP_BRANCH
                      : m->literal_size == 8 ? OG_FIXUP_DATA
                                             : OG_FIXUP_PCREL,
                      og_asm_here(as) + (branch ? 0 : size - m->literal_size), m->expr, range);
  }
  for (unsigned i = 0; i < m->inst.operand_count; i++)
    og_asm_use_registers(as, m->inst.operands[i].kind, m->inst.operands[i].reg + OG_MAX(m->inst.operands[i].dwords, 1));
  og_asm_note_line(as);
  return og_asm_emit(as, bytes, size) && pad_branch(as, m->expr != NULL, bytes);
}

/* A first half of VOPD that the processor has, in any case of letters. */
static bool is_pair(struct og_asm *as, struct og_text mnemonic) {
  if (mnemonic.size < 7 || (mnemonic.data[2] | 32) != 'd' || strncasecmp(mnemonic.data, "v_dual_", 7))
    return false;
  const struct og_isa *isa = as->isa;
  for (unsigned i = og_form_count(isa); i-- > 0 && og_form(isa, i)->encoding == OG_ENC_VOPD;) { /* they stand last */
    const char *name = og_form_name(og_form(isa, i));
    if (strlen(name) == mnemonic.size && !strncasecmp(mnemonic.data, name, mnemonic.size))
      return true;
  }
  return false;
}

static bool pair_allowed(struct og_asm *as, const struct og_candidate *c, const struct og_inst_text *text,
                         const struct og_match *m, struct og_failure *f) {
  unsigned at;
  const char *fault = og_pair_fault(as->isa, &m->inst, m->expr != NULL, &at);
  return !fault || og_fail(f, 200 - c->form->size, text->operands[at].at, text->operands[at].end, fault);
}

/* A pair whose constants have signs is VOPD3 before it is VOPD, which takes the signs into the constants; LLVM goes by
 * the first half, and a move has no signs. */
static bool signed_pair(const struct og_mnemonic *found, const struct og_inst_text *text) {
  bool any = false, moves = !og_slot_of(found->candidates[0].shape, OG_ROLE_SRC1);
  for (unsigned i = 0; !moves && i < text->operand_count; i++)
    any |= (text->operands[i].flags & (OG_NEG | OG_ABS)) != 0;
  return any;
}

/* Whether the form is worth trying: it has the modifiers that are written, and as many operands. */
static bool may_fit(const struct og_candidate *c, const struct og_inst_text *text) {
  return !((text->given & ~c->written) | (c->requires & ~text->given)) && text->operand_count <= c->count &&
         text->operand_count >= c->least;
}

/* The first form that takes the text, with *m filled; NULL if none does. Why is only told where `every` form is tried. */
static const struct og_candidate *fitting(struct og_asm *as, const struct og_mnemonic *found,
                                          const struct og_inst_text *text, bool has_signs, bool every,
                                          struct og_match *m, struct og_failure *failure) {
  bool backwards = has_signs && found->candidates[0].form->literal_ok, clean = false;
  for (uint32_t i = 0; i < found->count; i++) {
    const struct og_candidate *c = &found->candidates[backwards ? found->count - 1 - i : i];
    if (!every && !may_fit(c, text))
      continue;
    if (!clean)
      memset(m->inst.mod, 0, sizeof m->inst.mod);
    if (!match_operands(as, c, text, m, failure)) {
      clean = !m->inst.mod[OG_MOD_OFFSET]; /* which may stand among the operands */
      continue;
    }
    clean = false;
    if (!og_asm_match_modifiers(as, c, text, m, failure) || !og_asm_match_halves(c, text, m, failure))
      continue;
    if (c->encoding == OG_ENC_EXP)
      finish_export(m);
    if (c->encoding != OG_ENC_VOPD || pair_allowed(as, c, text, m, failure))
      return c;
    if (has_signs)
      break;
  }
  return NULL;
}

/* Reads the operands and finds the form that takes them. */
static bool instruction(struct og_asm *as, const struct og_mnemonic *found, struct og_text mnemonic, bool pair) {
  struct og_inst_text text;
  struct og_match m;
  struct og_failure failure = {0};
  const char *operands = as->p;
  size_t before = og_diagnostics_count(as->diagnostics);
  bool read = read_text(as, found, &text), has_signs = read && pair && signed_pair(found, &text);
  const struct og_candidate *c = read ? fitting(as, found, &text, has_signs, false, &m, &failure) : NULL;
  if (c) {
    if (!og_asm_obeys_rules(as, c, &text, &m))
      return false;
    if (m.wide_real)
      og_asm_warning(as, mnemonic.data, 0,
                     "Can't encode literal as exact 64-bit floating-point operand. Low 32-bits will be set to zero");
    return emit(as, c, &m, mnemonic);
  }
  if (read) {
    failure = (struct og_failure){0};
    fitting(as, found, &text, has_signs, true, &m, &failure);
    report(as, mnemonic, &failure);
  }
  if (!pair)
    og_asm_diagnose(as, mnemonic, operands, before);
  return false;
}

bool og_asm_instruction(struct og_asm *as, struct og_text mnemonic) {
  if (!as->isa)
    return og_asm_error(as, mnemonic.data, mnemonic.size, "there are no instruction tables for %s",
                        as->target.processor->name);
  as->mnemonic = mnemonic.data;
  struct og_text name = mnemonic, first = og_asm_first_half(mnemonic);
  bool pair = is_pair(as, first);
  if (pair && as->target.wave_size == 64)
    return og_asm_error(as, mnemonic.data, mnemonic.size, "instruction requires wavesize=32");
  if (pair && !og_asm_pair_name(as, first, &name))
    return false;
  struct og_mnemonic *found = og_asm_find_mnemonic(as, name);
  if (!found->count)
    return pair ? og_asm_pair_unknown(as, mnemonic) : og_asm_unknown_mnemonic(as, mnemonic);
  const struct og_isa *own = as->isa;
  as->isa = found->isa; /* another's where a feature brought it */
  bool ok = instruction(as, found, mnemonic, pair);
  as->isa = own;
  return ok;
}
