/* instruction.c - a statement to struct og_inst: which form of a mnemonic the operands fit. */
#include "isa/text/forms.h"

#include <string.h>
#include <strings.h>

/* ---- from text to a form ----------------------------------------------------------------------------------------- */

static void add_vcc(const struct og_inst_reader *in, const struct og_slot *slot, struct og_inst *inst) {
  inst->operands[inst->operand_count++] = (struct og_operand){.role = slot->role,
                                                              .kind = OG_OPERAND_SPECIAL,
                                                              .reg = OG_SPECIAL_VCC_LO,
                                                              .dwords = in->own_isa.wave == 32 ? 1 : 2};
}

/* A short comparison that does not name its result: no signs of constants. Where the second source may have signs, LLVM
 * takes "row_mirror" behind it for a source. */
static const char *wrong_comparison(const struct og_candidate *c, const struct og_inst_text *text,
                                    const struct og_text_operand *t) {
  if (c->form->variant == OG_VARIANT_NONE)
    return t->flags & (OG_NEG | OG_ABS | OG_SEXT) ? "not a valid operand." : NULL;
  const struct og_text_modifier *m = text->modifiers;
  bool word = text->modifier_count && m->mod == OG_MOD_DPP_CTRL && !memchr(m->at, ':', (size_t)(m->end - m->at));
  return word && c->places[1].slot->flags & OG_SLOT_NEG_ABS ? "invalid operand for instruction" : NULL;
}

/* A literal whose 32 bits stand behind the code of its form. */
static bool is_behind_code(const struct og_candidate *c, const struct og_operand *o) {
  return o->reg == OG_LITERAL && (c->form->size == 4 || c->encoding == OG_ENC_VOP3);
}

/* Whether the operand's flags are signs that have bits of their own. */
static bool has_own_signs(const struct og_candidate *c, const struct og_place *place, const struct og_operand *o) {
  return !(o->flags & ~(OG_NEG | OG_ABS)) && o->kind != OG_OPERAND_LITERAL && !(c->shape->flags & OG_SHAPE_PACKED) &&
         !(place->slot->flags & OG_SLOT_SEXT);
}

/* Writes a register's number where the form has one run of bits for it. */
static inline void encode_register(const struct og_place *place, const struct og_operand *o, struct og_match *m) {
  unsigned code = o->reg + (o->kind == OG_OPERAND_VGPR ? place->vector : 0u);
  m->code[place->word] |= (uint64_t)(code >> place->to) << place->at;
}

/* The same for what may be no register; codes that are too large lose their upper bits, as in LLVM. */
static bool encode_source(const struct og_inst_reader *in, const struct og_candidate *c,
                             const struct og_place *place, const struct og_operand *o, struct og_match *m) {
  int code = -1;
  if (place->word != OG_NO_FIELD && !(o->flags & OG_HALF_HI) && o->kind != OG_OPERAND_AGPR)
    code = o->kind == OG_OPERAND_VGPR ? o->reg + place->vector : og_operand_code(in->isa, o);
  if (code < 0)
    return og_encode_operand(in->isa, c->form, place->slot, o, m->code);
  og_put_piece(m->code, place->slot->pieces[0], (uint64_t)code);
  return true;
}

/* Writes the code of an operand that is no plain register. */
static void encode_operand(const struct og_inst_reader *in, const struct og_candidate *c, const struct og_place *place,
                           const struct og_operand *o, struct og_match *m) {
  bool literal = o->kind == OG_OPERAND_LITERAL;
  m->direct = m->direct && (!o->flags || has_own_signs(c, place, o)) && (!literal || is_behind_code(c, o)) &&
              encode_source(in, c, place, o, m);
  if (o->flags && m->direct)
    og_scatter(m->code, place->slot->modifiers, OG_COUNT(place->slot->modifiers), o->flags);
  if (!literal || m->has_literal)
    return;
  bool half = place->slot->type == OG_TYPE_F16 || place->slot->type == OG_TYPE_BF16;
  m->has_literal = true;
  m->literal = (uint32_t)o->value & (half ? 0xffff : UINT32_MAX);
}

/* The usual operand of a class. */
static inline struct og_operand usual_operand(const struct og_place *place, const struct og_text_operand *t) {
  if (t->class == OG_CLASS_SMALL)
    return (struct og_operand){.role = place->role,
                               .kind = OG_OPERAND_INLINE,
                               .reg = (uint16_t)(OG_CODE_0 + t->value),
                               .value = (uint64_t)t->value};
  return (struct og_operand){.role = place->role,
                             .kind = t->register_kind,
                             .reg = t->reg,
                             .dwords = t->dwords ? t->dwords : place->dwords};
}

/* What the tables say about an operand; for registers the answer is remembered by class, and for small numbers where
 * they are constants, not fields of so many bits. */
static const char *match_by_tables(struct og_inst_reader *in, const struct og_candidate *c, struct og_place *place,
                                   const struct og_text_operand *t, uint64_t class, struct og_match *m) {
  unsigned before = m->inst.operand_count;
  const struct og_operand *o = &m->inst.operands[before], usual = usual_operand(place, t);
  if (!place->slot)
    return t->kind == OG_TEXT_OFF ? NULL : og_no_operand;
  if (!t->class || (t->class == OG_CLASS_SMALL && place->takes >= OG_TAKES_VCC))
    class = 0;
  const char *wrong = og_match_operand(in, c->form, place->slot, t, m);
  if (wrong == og_no_operand)
    place->refused |= class;
  if (wrong)
    return wrong;
  if (place->takes == OG_TAKES_OFFSET) {
    uint64_t offset = (uint64_t)(int64_t)m->inst.mod[OG_MOD_OFFSET];
    og_scatter(m->code, place->slot->pieces, OG_COUNT(place->slot->pieces), offset);
    return og_offset_fault(in, c, m->inst.mod[OG_MOD_OFFSET]);
  }
  if (class && o->kind == usual.kind && o->reg == usual.reg && o->dwords == usual.dwords && !o->flags &&
      o->value == usual.value)
    place->taken |= class;
  m->direct &= !t->half && m->inst.operand_count == before + 1;
  encode_operand(in, c, place, o, m);
  return NULL;
}

/* Whether the form takes the operand at that place, and as what. */
static inline const char *match_place(struct og_inst_reader *in, const struct og_candidate *c, struct og_place *place,
                                      const struct og_text_operand *t, struct og_match *m) {
  uint64_t class = UINT64_C(1) << t->class;
  if (class & place->taken) {
    struct og_operand *o = &m->inst.operands[m->inst.operand_count++];
    *o = usual_operand(place, t);
    if (place->word != OG_NO_FIELD && o->kind != OG_OPERAND_SPECIAL)
      encode_register(place, o, m);
    else
      encode_operand(in, c, place, o, m);
    return NULL;
  }
  return class & place->refused ? og_no_operand : match_by_tables(in, c, place, t, class, m);
}

static bool refuse_operand(const struct og_candidate *c, unsigned place, const struct og_text_operand *t,
                           const char *wrong, struct og_failure *f) {
  if (og_has_prefix(wrong, "src1 "))
    return og_fail(f, place + 1, NULL, NULL, wrong);
  bool offset = c->places[place].takes == OG_TAKES_OFFSET &&
                (og_has_prefix(wrong, "expected a ") || og_has_prefix(wrong, "expected an ")); /* of so many bits */
  return og_fail(f, place + (offset ? 100 : 1), og_has_prefix(wrong, "lit64") ? t->literal_at : t->at, t->end, wrong);
}

/* Operands that the text leaves out, from `place` on. */
static bool add_left_out(const struct og_inst_reader *in, const struct og_candidate *c, unsigned place,
                         struct og_match *m, struct og_failure *f) {
  for (unsigned i = place; i < c->count; i++) {
    const struct og_slot *slot = c->places[i].slot;
    if (slot && og_may_be_left_out(in, c->form, slot))
      add_vcc(in, slot, &m->inst);
    else if (slot && slot->takes == OG_TAKES_ENDPGM)
      m->inst.operands[m->inst.operand_count++] = (struct og_operand){.role = slot->role, .kind = OG_OPERAND_IMMEDIATE};
    else
      return og_fail(f, i, NULL, NULL, "too few operands for instruction");
  }
  for (unsigned i = 0; c->left_out == OG_TAKES_VCC && i < c->shape->slot_count; i++)
    if (og_slots(c->shape)[i].takes == OG_TAKES_VCC)
      add_vcc(in, &og_slots(c->shape)[i], &m->inst);
  return true;
}

/* Before the first operand: the form's code without any, and no modifiers. */
static void begin_match(const struct og_candidate *c, struct og_match *m) {
  volatile size_t mods = sizeof m->inst.mod; /* gcc writes "rep stos" where it knows the size: slower than the call */
  memset(m->inst.mod, 0, mods);
  m->inst.operand_count = 0;
  m->expr = NULL;
  m->wide_real = m->has_literal = false;
  m->direct = c->direct;
  memcpy(m->code, c->code->words, sizeof c->code->words);
  m->code[2] = m->code[3] = 0;
}

/* Behind the last operand. */
static bool end_match(struct og_inst_reader *in, const struct og_candidate *c, const struct og_inst_text *text,
                      struct og_match *m, struct og_failure *f) {
  if ((text->operand_count < c->count || c->left_out == OG_TAKES_VCC) &&
      !add_left_out(in, c, text->operand_count, m, f))
    return false;
  m->direct = m->direct && !(text->given & og_source_modifiers);
  m->inst.form = c->id;
  m->inst.row = c->form->row;
  m->inst.encoding = (uint8_t)c->encoding;
  m->inst.variant = c->form->variant;
  bool bare = c->bare && !text->modifier_count;
  return (bare || og_match_modifiers(in, c, text, m, f)) && (m->direct || og_match_halves(c, text, m, f));
}

static bool match_operands(struct og_inst_reader *in, const struct og_candidate *c, const struct og_inst_text *text,
                           struct og_match *m, struct og_failure *f) {
  begin_match(c, m);
  if (text->addresses != (c->addresses ? c->addresses + 1u : 0u))
    return og_fail(f, 1, text->operands[1].at, text->operands[1].end, "invalid operand for instruction");
  const struct og_text_operand *t = text->operands, *end = t + OG_MIN(text->operand_count, c->count);
  for (struct og_place *place = c->places; t < end; place++, t++) {
    const char *wrong = match_place(in, c, place, t, m);
    wrong = wrong || !c->compares ? wrong : wrong_comparison(c, text, t);
    if (wrong)
      return refuse_operand(c, (unsigned)(place - c->places), t, wrong, f);
  }
  return text->operand_count <= c->count ||
         og_fail(f, c->count + 1u, t->at, t->end, "invalid operand for instruction");
}

/* A compressed export has two registers, written twice each; the first and the third count. */
static void finish_export(struct og_match *m) {
  struct og_operand *sources = &m->inst.operands[1];
  for (unsigned i = 0; m->inst.mod[OG_MOD_COMPR] && i < 4; i += 2) {
    sources[i + 1].kind = sources[i].kind;
    sources[i + 1].reg = sources[i].reg;
  }
}

/* ---- reading a statement ----------------------------------------------------------------------------------------- */

/* "scc" is a modifier where a form of the mnemonic may have one at that place: behind the
 * fewer operands of loads to LDS. */
static bool scc_is_modifier(const struct og_inst_reader *in, const struct og_mnemonic *mnemonic, unsigned place) {
  const struct og_candidate *guide = &mnemonic->candidates[0];
  const struct og_slot *first = &og_slots(guide->shape)[0];
  enum og_generation generation = in->target->processor->generation;
  if (in->target->processor->major > 11)
    return false;
  if (guide->form->encoding == OG_ENC_SMEM)
    return first->takes == OG_TAKES_SGPR && (first->role == OG_ROLE_SDATA || first->role == OG_ROLE_SDST);
  for (uint32_t i = 0; i < mnemonic->count && generation != OG_GFX942 && generation != OG_GFX950; i++)
    if (in->target->processor->major < 11 && place == mnemonic->candidates[i].count &&
        og_has(mnemonic->candidates[i].requires, OG_MOD_LDS))
      return true;
  return false;
}

/* Names that are both a register and a modifier: read as a register while operands are missing. */
static bool is_register_too(const struct og_inst_reader *in, const struct og_mnemonic *mnemonic,
                            const struct og_inst_text *text) {
  unsigned place = text->operand_count;
  if (*in->p != 'a' && *in->p != 's')
    return false;
  bool a16 = !strncmp(in->p, "a16", 3);
  if ((!a16 && strncmp(in->p, "scc", 3)) || og_name_char(in->p[3]))
    return false;
  bool missing = false;
  for (uint32_t i = 0; i < mnemonic->count; i++) {
    const struct og_candidate *c = &mnemonic->candidates[i]; /* with as many addresses, each an operand */
    missing |= place < c->count && text->addresses == (c->addresses ? c->addresses + 1u : 0u);
  }
  return missing && (a16 || !scc_is_modifier(in, mnemonic, place));
}

/* "::" and the name behind it, which is known already, with a comma or without; allowed once, in a pair. */
static bool skip_second_name(struct og_inst_reader *in, bool allowed) {
  const char *colons = in->p;
  in->p += 2;
  og_in_space(in);
  if (og_in_at_end(in))
    return og_in_error(in, in->p, 1, "expected a VOPDY instruction after ::");
  if (!allowed)
    return og_in_error(in, colons, 2, "invalid operand for instruction");
  og_in_word(in);
  og_in_accept(in, ',');
  return true;
}

/* A name before "::" is read as one of a modifier. */
static bool is_named(const struct og_text_operand *t) {
  if (t->kind == OG_TEXT_REGISTER || !og_name_start(*t->at))
    return false;
  const char *end = t->at;
  while (og_name_char(*end) || *end == '@')
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

/* Operands come before modifiers, except the format of typed buffers, which as a number may precede their last
 * operand; `first` is the first modifier of a pair's half. */
static bool in_order(struct og_inst_reader *in, const struct og_inst_text *text, unsigned first) {
  enum { BEFORE_SOFFSET = 3 };
  for (unsigned i = first; i < text->modifier_count; i++) {
    const struct og_text_modifier *m = &text->modifiers[i];
    bool number = m->mod == OG_MOD_FORMAT && m->end[-1] != ']';
    if (!number || text->operand_count != BEFORE_SOFFSET)
      return og_in_error(in, m->at, 1, "invalid operand for instruction");
  }
  return true;
}

/* While a statement is read. */
struct reading {
  const struct og_mnemonic *mnemonic;
  const struct og_candidate *guide; /* its first form, */
  struct og_match *match;           /* which is matched at once while the text fits it: most texts do */
  bool fits;
  bool first_half; /* of a pair */
  bool of_image;   /* whose address may be spread over registers */
  bool comma;      /* was just read */
  unsigned first_modifier;
};

static bool next_operand(struct og_inst_reader *in, struct reading *r, struct og_inst_text *text) {
  unsigned at = text->operand_count;
  if (at == OG_TEXT_OPERANDS)
    return og_in_error(in, in->p, 1, "invalid operand for instruction");
  struct og_place *place = at < r->guide->count ? &r->guide->places[at] : NULL;
  struct og_text_operand *t = &text->operands[at];
  if ((text->modifier_count && !in_order(in, text, r->first_modifier)) ||
      !og_read_operand(in, place ? place->takes : OG_TAKES_NONE, t))
    return false;
  text->operand_count++;
  bool is_register = t->kind == OG_TEXT_REGISTER;
  text->scalars += !is_register || (t->register_kind != OG_OPERAND_VGPR && t->register_kind != OG_OPERAND_AGPR);
  text->watched |= t->flags & OG_ABS ||
                   (is_register && t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_LDS_DIRECT);
  r->fits = r->fits && place && !match_place(in, r->guide, place, t, r->match);
  return true;
}

/* A modifier, or an operand that may be anything. */
static bool next_part(struct og_inst_reader *in, struct reading *r, struct og_inst_text *text) {
  bool ok, spreads = in->spread_lists = r->of_image && text->operand_count == 1; /* the address */
  bool is_register = (r->comma || !text->modifier_count) && is_register_too(in, r->mnemonic, text);
  if (!is_register && (text->operand_count || r->guide->count == 0) && og_name_start(*in->p) &&
      og_read_modifier(in, text, &ok))
    return ok;
  if (!next_operand(in, r, text))
    return false;
  struct og_text_operand *t = &text->operands[text->operand_count - 1];
  bool spread = spreads && t->kind == OG_TEXT_REGISTER && t->register_kind == OG_OPERAND_VGPR && t->list &&
                t->list->count > 1;
  return !spread || spread_addresses(text) ||
         og_in_error(in, t->at, (size_t)(t->end - t->at), "too many registers in a list");
}

/* The same for what stands in most texts: a plain register, of a class that the form has taken at this place before if
 * the text has fitted so far. False: it is something else, and the cursor stays. */
static inline bool known_register(struct og_inst_reader *in, struct reading *r, struct og_inst_text *text) {
  unsigned at = text->operand_count;
  struct og_text_operand *t = &text->operands[at];
  const char *start = in->p;
  if ((*start != 'v' && *start != 's') || at >= r->guide->count || text->modifier_count)
    return false;
  const struct og_place *place = &r->guide->places[at];
  if (place->takes >= OG_TAKES_HWREG)
    return false;
  *t = (struct og_text_operand){.at = start};
  if (!og_plain_register(in, t))
    return false;
  if (r->fits && (!(place->taken >> t->class & 1) || place->word == OG_NO_FIELD))
    return in->p = start, false;
  t->end = in->p;
  text->operand_count = at + 1;
  text->scalars += t->register_kind != OG_OPERAND_VGPR;
  if (!r->fits)
    return true;
  struct og_operand *o = &r->match->inst.operands[r->match->inst.operand_count++];
  *o = (struct og_operand){.role = place->role, .kind = t->register_kind, .reg = t->reg, .dwords = t->dwords};
  encode_register(place, o, r->match);
  return true;
}

static bool read_text(struct og_inst_reader *in, struct reading *r, struct og_inst_text *text) {
  in->scalar_memory = r->guide->encoding == OG_ENC_SMEM;
  in->wave_sync = r->mnemonic->wave_sync;
  text->operand_count = text->modifier_count = text->addresses = 0;
  text->given = text->scalars = text->watched = 0;
  for (og_in_space(in); !og_in_at_end(in);) {
    if (in->p[0] == ':' && in->p[1] == ':') {
      if (!skip_second_name(in, r->first_half))
        return false;
      r->first_half = false;
      r->first_modifier = text->modifier_count;
      og_in_space(in);
      continue;
    }
    bool known = known_register(in, r, text),
         is_register = !known && (*in->p == 'v' || *in->p == 's') && (og_is_digit(in->p[1]) || in->p[1] == '[');
    if (!known && !(is_register ? next_operand(in, r, text) : next_part(in, r, text)))
      return false;
    if (*in->p != ',')
      og_in_space(in);
    r->comma = *in->p == ',';
    if (r->comma) {
      in->p++;
      og_in_space(in);
    } else if (*in->p == ':' && text->operand_count && is_named(&text->operands[text->operand_count - 1])) {
      return og_in_error(in, text->operands[text->operand_count - 1].at, 1, "not a valid operand.");
    }
  }
  return true;
}

static bool report(struct og_inst_reader *in, struct og_text mnemonic, const struct og_failure *f) {
  if (!f->at)
    return og_in_error(in, mnemonic.data, mnemonic.size, "%s", f->message ? f->message : "invalid instruction");
  return og_in_error(in, f->at, (size_t)(f->end - f->at), "%s", f->message);
}

/* Whether each half of a pair has as many operands as the form's. */
static bool halves_fit(const struct og_inst_reader *in, const struct og_candidate *c, const struct og_inst_text *text,
                       struct og_failure *f) {
  const struct og_text_operand *t = text->operands;
  unsigned first_half = 0, before = 0;
  while (first_half < c->count && c->places[first_half].role != OG_ROLE_VDST_Y)
    first_half++;
  while (before < text->operand_count && t[before].at < in->colons)
    before++;
  if (before < first_half)
    return og_fail(f, before + 1, in->colons, in->colons + 2, og_no_operand);
  return before == first_half || og_fail(f, first_half + 1, t[first_half].at, t[first_half].end, og_no_operand);
}

static bool pair_allowed(struct og_inst_reader *in, const struct og_candidate *c, const struct og_inst_text *text,
                         const struct og_match *m, struct og_failure *f) {
  unsigned at;
  if (!halves_fit(in, c, text, f))
    return false;
  const char *fault = og_pair_fault(in->isa, &m->inst, m->expr != NULL, &at);
  return !fault || og_fail(f, 200 - c->form->size, text->operands[at].at, text->operands[at].end, fault);
}

/* A pair whose constants have signs is VOPD3 rather than VOPD, which applies the signs to the constants; LLVM decides
 * by the first half, and a move has no signs. */
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

/* The first form from `first` on that takes the text, with *m filled; NULL if none does. The reason is known only if
 * `every` form is tried. */
static const struct og_candidate *fitting(struct og_inst_reader *in, const struct og_mnemonic *found,
                                          const struct og_inst_text *text, unsigned first, bool has_signs, bool every,
                                          struct og_match *m, struct og_failure *failure) {
  bool backwards = has_signs && found->candidates[0].form->literal_ok;
  for (uint32_t i = first; i < found->count; i++) {
    const struct og_candidate *c = &found->candidates[backwards ? found->count - 1 - i : i];
    if (every ? c->encoding == OG_ENC_VOPD && !halves_fit(in, c, text, failure) : !may_fit(c, text))
      continue;
    if (!match_operands(in, c, text, m, failure) || !end_match(in, c, text, m, failure))
      continue;
    if (c->encoding == OG_ENC_EXP)
      finish_export(m);
    if (c->encoding != OG_ENC_VOPD || pair_allowed(in, c, text, m, failure))
      return c;
    if (has_signs)
      break;
  }
  return NULL;
}

static bool encode(struct og_inst_reader *in, const struct og_candidate *c, struct og_match *m,
                   struct og_text mnemonic) {
  m->inst.size = m->direct ? (uint8_t)(c->form->size + (m->has_literal ? 4 : 0))
                           : (uint8_t)og_encode(in->isa, &m->inst, (uint8_t *)m->code);
  if (m->direct && m->has_literal)
    og_store32((uint8_t *)m->code + c->form->size, m->literal);
  m->branch = m->expr && og_operand(&m->inst, OG_ROLE_SIMM) && c->form->size == 4 && c->encoding != OG_ENC_VOP2;
  return m->inst.size ||
         og_in_error(in, mnemonic.data, mnemonic.size, "operands do not fit the encoding of %s", og_form_name(c->form));
}

/* Reads the operands and finds the form that takes them. */
static bool instruction(struct og_inst_reader *in, const struct og_mnemonic *found, struct og_text mnemonic, bool pair,
                        struct og_match *m) {
  struct og_inst_text text;
  struct og_failure failure = {0};
  const struct og_candidate *c = &found->candidates[0];
  const char *operands = in->p;
  size_t before = og_diagnostics_count(in->diagnostics);
  struct reading r = {.mnemonic = found,
                      .guide = c,
                      .match = m,
                      .fits = c->at_once,
                      .first_half = c->encoding == OG_ENC_VOPD,
                      .of_image = c->encoding == OG_ENC_MIMG && in->target->processor->major >= 10};
  begin_match(c, m);
  bool read = read_text(in, &r, &text), has_signs = read && pair && signed_pair(found, &text);
  if (!read || !r.fits || !may_fit(c, &text) || !end_match(in, c, &text, m, &failure))
    c = read ? fitting(in, found, &text, c->at_once, has_signs, false, m, &failure) : NULL;
  if (read && !c && found->brought) {
    in->isa = found->brought->isa;
    c = fitting(in, found->brought, &text, 0, has_signs, false, m, &failure);
    in->isa = c ? in->isa : found->isa;
  }
  m->isa = in->isa;
  if (c) {
    unsigned rules = og_rules_left(in, c, &text, m);
    if (rules && !og_obeys_rules(in, c, &text, m, rules))
      return false;
    if (m->wide_real)
      og_in_warning(in, mnemonic.data,
                    "Can't encode literal as exact 64-bit floating-point operand. Low 32-bits will be set to zero");
    return encode(in, c, m, mnemonic);
  }
  if (read) {
    failure = (struct og_failure){0};
    fitting(in, found, &text, 0, has_signs, true, m, &failure);
    report(in, mnemonic, &failure);
  }
  if (!pair)
    og_diagnose_refusal(in, mnemonic, operands, before);
  return false;
}

bool og_inst_from_text(struct og_inst_reader *in, struct og_text mnemonic, struct og_match *out) {
  if (!in->isa)
    return og_in_error(in, mnemonic.data, mnemonic.size, "there are no instruction tables for %s",
                       in->target->processor->name);
  in->mnemonic = mnemonic.data;
  char room[OG_PAIR_ROOM];
  struct og_text name = mnemonic, first = {0};
  if (mnemonic.size > 6 && (mnemonic.data[2] | 32) == 'd') /* "v_dual_", perhaps */
    first = og_first_half(mnemonic);
  bool pair = first.size && og_find_mnemonic(in, first)->begins_pair;
  if (pair && in->target->wave_size == 64)
    return og_in_error(in, mnemonic.data, mnemonic.size, "instruction requires wavesize=32");
  if (pair && !og_pair_name(in, first, room, &name))
    return false;
  struct og_mnemonic *found = og_find_mnemonic(in, name);
  if (!found->count)
    return pair ? og_unknown_pair(in, mnemonic) : og_unknown_mnemonic(in, mnemonic);
  const struct og_isa *own = in->isa;
  in->isa = found->isa; /* another generation's if a feature added it */
  bool ok = instruction(in, found, mnemonic, pair, out);
  in->isa = own;
  return ok;
}
