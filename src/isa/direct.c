/* direct.c - code to text at once. Most instructions have operands and modifiers that are each told by bits of their
 * own; for their forms a plan is made when the first one comes (direct_plan.c). What a register's or a constant's code
 * is called is looked up in a table that operands alike share; the text of waits and delays in one of each form. What
 * else there is, such as a source of which half is read, goes the long way through struct og_inst: og_print_code yields
 * 0. */
#include "isa/direct.h"

struct og_printer *og_printer_new(struct og_arena *arena, const struct og_isa *isa, bool faithful) {
  struct og_printer *p = OG_NEW(arena, struct og_printer);
  *p = (struct og_printer){.arena = arena, .isa = isa, .tables = og_all_tables[isa->generation], .faithful = faithful};
  p->plans = OG_NEW_ARRAY(arena, struct og_plan *, og_form_count(isa));
  return p;
}

/* What stands behind the instruction is read by it, too. */
static bool read_literal(const struct og_isa *isa, const struct og_form *form, struct og_operand *o,
                         const uint8_t *code, size_t size, size_t *used) {
  if (!form->literal_ok || o->reg != OG_LITERAL || *used != form->size ||
      size < form->size + 4u || form->size > 8 || (isa->gfx1250 && form->size == 12))
    return false;
  o->value = og_load32(code + form->size);
  *used += 4;
  return true;
}

/* 16 bits of a register of the short encodings: bit 7 is the half. */
static void choose_half(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                        struct og_operand *o) {
  bool narrow = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOPC;
  if (!isa->gfx11 || !narrow || !(slot->flags & OG_SLOT_HALF) || o->kind != OG_OPERAND_VGPR)
    return;
  o->flags |= o->reg & 128 ? OG_HALF_HI : 0;
  o->reg &= 127;
}

/* An operand that is none of the most frequent. */
static bool put_operand(struct og_printer *p, struct og_writer *w, const struct og_plan_part *part,
                        const uint64_t *words, const uint8_t *code, size_t size, size_t *used, unsigned *scalars) {
  const struct og_slot *slot = &og_slots(w->shape)[part->index];
  struct og_operand *o = &p->inst.operands[0];
  p->inst.operand_count = 0;
  if (!og_decode_slot(p->isa, w->form, slot, words, &p->inst) ||
      (o->kind == OG_OPERAND_LITERAL && !read_literal(p->isa, w->form, o, code, size, used)))
    return false;
  choose_half(p->isa, w->form, slot, o);
  o->flags |= (uint8_t)((part->neg ? og_bits(words, part->neg, 1) : 0) * OG_NEG |
                        (part->abs ? og_bits(words, part->abs, 1) : 0) * OG_ABS);
  *scalars += part->on_bus && (o->kind == OG_OPERAND_LITERAL || o->kind == OG_OPERAND_SGPR ||
                               o->kind == OG_OPERAND_TTMP || o->kind == OG_OPERAND_SPECIAL);
  if (o->value && (o->kind == OG_OPERAND_SGPR || o->kind == OG_OPERAND_TTMP)) /* there are warnings to give */
    return false;
  if (p->faithful && !og_operand_is_said(p->isa, w->form, slot, o, og_gather(words, slot->pieces, 2)))
    return false;
  og_put_source(w, slot, o);
  return true;
}

static bool put_modifier(struct og_printer *p, struct og_writer *w, const struct og_plan_part *part,
                         const uint64_t *words) {
  const struct og_mod_slot *slot = &og_mods(w->shape)[part->index];
  int32_t value = (int32_t)og_gather(words, slot->pieces, 4);
  if (slot->style == OG_STYLE_SIGNED)
    value = og_sign_extend((uint32_t)value, slot->pieces[0].to + slot->pieces[0].width);
  else if (slot->style == OG_STYLE_RETURN)
    value |= OG_CPOL_GLC;
  if (!value && part->silent)
    return true;
  p->inst.mod[slot->mod] = value;
  bool said = !p->faithful || og_modifier_is_said(p->isa, &p->inst, w->form, slot);
  if (said)
    og_put_modifier(w, slot);
  if (slot->mod != OG_MOD_OFFSET) /* which others ask for */
    p->inst.mod[slot->mod] = 0;
  return said;
}

static bool put_offset(struct og_printer *p, struct og_writer *w, const struct og_plan_part *part,
                       const uint64_t *words) {
  const struct og_slot *slot = &og_slots(w->shape)[part->index];
  p->inst.operand_count = 0;
  og_decode_slot(p->isa, w->form, slot, words, &p->inst);
  int32_t value = p->inst.mod[OG_MOD_OFFSET];
  if (p->faithful && !og_offset_is_said(p->isa, w->form, slot, value))
    return false;
  og_put_signed_hex(w, slot->pieces[0].width == 32 ? (int64_t)(uint32_t)value : value);
  return true;
}

static inline unsigned bits_of(const struct og_plan_field *field, const uint64_t *words) {
  return og_load32((const char *)words + field->byte) >> field->shift & field->mask;
}

static inline char *registers(char *at, char prefix, unsigned first, unsigned count) {
  *at++ = prefix;
  if (count <= 1)
    return og_small_number(at, first);
  *at++ = '[';
  at = og_small_number(at, first);
  *at++ = ':';
  at = og_small_number(at, first + count - 1);
  *at++ = ']';
  return at;
}

/* Behind the signs, which are registers' alone. Yields NULL for what is not written from the bits. */
static inline char *put_plain(const struct og_plan_part *part, unsigned value, unsigned sgprs, unsigned signs, char *at,
                              unsigned *scalars) {
  if (part->vectors && (value & 256 || part->width == 8)) {
    unsigned first = value & 255;
    if (first > part->last || (first & 1 && !part->odd))
      return NULL;
    if (signs & 1)
      *at++ = '-';
    if (signs & 2)
      *at++ = '|';
    at = registers(at, 'v', first, part->dwords);
  } else if (part->scalars && value + part->dwords <= sgprs && !(value & (part->align - 1u))) {
    if (signs & 1)
      *at++ = '-';
    if (signs & 2)
      *at++ = '|';
    at = registers(at, 's', value, part->dwords);
    *scalars += part->on_bus;
  } else if (part->integers && !signs && value - OG_CODE_0 <= OG_CODE_MINUS_16 - OG_CODE_0) {
    if (value > OG_CODE_64)
      *at++ = '-';
    return og_small_number(at, value > OG_CODE_64 ? value - OG_CODE_64 : value - OG_CODE_0);
  } else {
    return NULL;
  }
  if (signs & 2)
    *at++ = '|';
  return at;
}

static bool has_plain_literals(const struct og_slot *slot) {
  return slot->type == OG_TYPE_B32 || slot->type == OG_TYPE_I32 || slot->type == OG_TYPE_F32;
}

/* A literal where one was written before, of a value that is sure to be no inline constant: that is not small, and of
 * which, as of a real number, more than sign and exponent are set. */
static bool put_literal(struct og_writer *w, const struct og_plan_part *part, unsigned bits, unsigned signs,
                        const uint8_t *code, size_t size, size_t *used) {
  enum { ONE_OVER_2PI = 0x3e22f983 };
  if (!part->literal || bits != OG_LITERAL || signs || *used != w->form->size || size < *used + 4)
    return false;
  uint32_t value = og_load32(code + *used);
  if (value + 64 < 256 || !(value & 0x7fffff) || value == ONE_OVER_2PI)
    return false;
  *used += 4;
  og_put_hex(w, value);
  return true;
}

/* Remembers the text up to `end` for the value of an operand. */
static void learn(struct og_plan_name *name, const char *text, const char *end, bool on_bus) {
  size_t size = (size_t)(end - text);
  if (!size || size > sizeof name->text)
    return;
  memcpy(name->text, text, size);
  name->size = (uint8_t)size, name->told = IS_KNOWN + on_bus;
}

/* Bits beside an operand's field: of put_plain(), and what makes an accumulation register of it. */
static inline unsigned signs_of(const struct og_plan_part *part, const uint64_t *words) {
  return (part->neg ? (unsigned)og_bits(words, part->neg, 1) : 0) |
         (part->abs ? (unsigned)og_bits(words, part->abs, 1) << 1 : 0) |
         (part->acc ? (unsigned)og_bits(words, part->acc, 1) << 2 : 0);
}

/* An operand whose text is not in its table, or has signs; its lead stands there already. */
static bool put_new(struct og_printer *p, struct og_writer *w, struct og_plan_part *part, const uint64_t *words,
                    const uint8_t *code, size_t size, size_t *used, unsigned *scalars) {
  const char *from = w->at - part->lead_size;
  unsigned before = *scalars, bits = bits_of(&part->field, words), signs = signs_of(part, words);
  char *next = signs < 4 ? put_plain(part, bits << part->to, p->isa->sgprs, signs, w->at, scalars) : NULL;
  if (next) {
    w->at = next;
  } else if (put_literal(w, part, bits, signs, code, size, used)) {
    *scalars += part->on_bus;
    return true;
  } else {
    if (!put_operand(p, w, part, words, code, size, used, scalars))
      return false;
    unsigned kind = p->inst.operands[0].kind;
    part->literal |= kind == OG_OPERAND_LITERAL && has_plain_literals(&og_slots(w->shape)[part->index]);
    if (kind != OG_OPERAND_SPECIAL && kind != OG_OPERAND_INLINE && kind != OG_OPERAND_TTMP && kind != OG_OPERAND_SGPR)
      return true;
  }
  if (!signs)
    learn(&part->names[bits], from, w->at, *scalars != before);
  return true;
}

/* A number whose text is not in its table. */
static bool put_immediate(struct og_printer *p, struct og_writer *w, const struct og_plan_part *part,
                          const uint64_t *words, const uint8_t *code, size_t size, size_t *used, unsigned *scalars) {
  unsigned value = bits_of(&part->field, words);
  struct og_plan_text *known = &part->texts[og_plan_hash(value)];
  const char *from = w->at;
  if (!put_operand(p, w, part, words, code, size, used, scalars))
    return false;
  size_t written = (size_t)(w->at - from);
  if (written && written <= sizeof known->text) {
    memcpy(known->text, from, written);
    known->size = (uint8_t)written;
    known->value = (uint16_t)value;
  }
  return true;
}

static bool put_other(struct og_printer *p, struct og_writer *w, struct og_plan_part *part, const uint64_t *words,
                      const uint8_t *code, size_t size, size_t *used, unsigned *scalars) {
  switch ((enum og_plan_part_kind)part->kind) {
  case NAMED: return put_new(p, w, part, words, code, size, used, scalars);
  case IMMEDIATE: return put_immediate(p, w, part, words, code, size, used, scalars);
  case OPERAND: return put_operand(p, w, part, words, code, size, used, scalars);
  case OFFSET: return put_offset(p, w, part, words);
  case MODIFIER: return put_modifier(p, w, part, words);
  case WORDS: break;
  }
  return true;
}

static inline unsigned first_form(const struct og_isa *isa, const struct og_tables *tables, const uint64_t *words,
                                  size_t size) {
  const uint16_t *id = og_candidates(tables, words);
  while (*id != OG_NO_FORM && (!og_has_bits(&tables->forms[*id], words) || size < tables->forms[*id].size ||
                               !og_is_here(isa, &tables->forms[*id])))
    id++;
  return *id;
}

/* A part that was written before, from its table; false where that has nothing. */
static inline bool put_known(struct og_writer *w, const struct og_plan_part *part, const uint64_t *words,
                             unsigned *scalars) {
  if (part->kind == NAMED && !signs_of(part, words)) {
    const struct og_plan_name *name = &part->names[bits_of(&part->field, words)];
    memcpy(w->at, name, sizeof *name);
    w->at += name->size;
    *scalars += name->told % IS_KNOWN;
    return name->told;
  }
  return false;
}

/* The parts one by one. Yields the instruction's size, 0 where one is not told by bits of its own. */
static size_t put_parts(struct og_printer *p, unsigned id, const uint64_t *words, const uint8_t *code, size_t size,
                        struct og_buffer *out) {
  const struct og_form *form = &p->tables->forms[id];
  struct og_plan *plan = p->plans[id];
  size_t used = plan->size;
  unsigned scalars = 0;
  struct og_writer w = {p->isa, &p->inst, form, &og_shapes[form->shape], NULL, out, (char *)out->data + out->size};
  memcpy(w.at, plan->name, NAME);
  w.at += plan->name_size;
  for (struct og_plan_part *part = plan->parts, *end = part + plan->count; part < end && used; part++) {
    if (put_known(&w, part, words, &scalars))
      continue;
    memcpy(w.at, part->lead, LEAD);
    w.at += part->lead_size;
    if (!put_other(p, &w, part, words, code, size, &used, &scalars))
      used = 0;
  }
  p->inst.mod[OG_MOD_OFFSET] = 0;
  if (!used || (p->faithful && scalars > plan->bus))
    return 0;
  out->size = (size_t)(w.at - (char *)out->data);
  return used;
}

size_t og_print_code(struct og_printer *p, const uint8_t *code, size_t size, struct og_buffer *out) {
  uint64_t words[OG_WORDS];
  if (size < 4)
    return 0;
  og_load_words(code, size, words);
  unsigned id = first_form(p->isa, p->tables, words, size), told = 0;
  if (id == OG_NO_FORM)
    return 0;
  const struct og_plan *plan = p->plans[id] ? p->plans[id] : og_plan_of(p, id);
  uint64_t first = words[0] ^ plan->usual[0], second = words[1] ^ plan->usual[1];
  if (!plan->direct || (first & plan->checked[0]) | (second & plan->checked[1]))
    return 0;
  char *at = og_buffer_room(out, OG_TEXT_ROOM);
  memcpy(at, plan->name, NAME);
  at += plan->name_size;
  if (plan->texts) {
    unsigned value = words[0] & plan->text_mask;
    const struct og_plan_text *known = &plan->texts[og_plan_hash(value)];
    memcpy(at, known->text, sizeof known->text);
    if (!known->size || known->value != value)
      return put_parts(p, id, words, code, size, out);
    at += known->size;
  } else {
    if (plan->field_count == NO_FIELDS || (first & plan->quiet[0]) | (second & plan->quiet[1]))
      return put_parts(p, id, words, code, size, out);
    for (const struct og_plan_field *field = plan->fields, *end = field + plan->field_count; field < end; field++) {
      const struct og_plan_name *name = &field->names[bits_of(field, words)];
      memcpy(at, name, sizeof *name);
      at += name->size;
      told += name->told;
    }
    if (told / IS_KNOWN != plan->field_count)
      return put_parts(p, id, words, code, size, out);
    if (p->faithful && told % IS_KNOWN > plan->bus)
      return 0;
  }
  out->size = (size_t)(at - (char *)out->data);
  return plan->size;
}
