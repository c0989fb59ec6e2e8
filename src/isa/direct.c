/* direct.c - code to text in one step. In most instructions each operand and modifier has bits of its own; their
 * forms get a plan when the first one comes (direct_plan.c). The text of a register's or constant's code is
 * looked up in a table that similar operands share, the text of waits and delays in one table per form. All
 * else, such as a source that reads one half, goes the long way through struct og_inst: og_print_code yields 0. */
#include "isa/direct.h"

struct og_printer *og_printer_new(struct og_arena *arena, const struct og_isa *isa, bool faithful,
                                  const struct og_symbolizer *symbolizer) {
  struct og_printer *p = OG_NEW(arena, struct og_printer);
  *p = (struct og_printer){.arena = arena, .isa = isa, .tables = og_all_tables[isa->generation], .faithful = faithful,
                           .symbolizer = symbolizer, .nothing.told = IS_TOLD};
  p->plans = og_plan_alloc(p, og_form_count(isa) * sizeof *p->plans);
  return p;
}

/* The current instruction. */
struct call {
  uint64_t words[OG_WORDS];
  struct og_printer *p;
  struct og_writer w; /* all but `at` and `out` are set when the first part needs them */
  const struct og_plan *plan;
  const uint8_t *code;
  size_t size, used;
  unsigned scalars; /* values of the constant bus */
};

static inline uint32_t bits_of(const struct og_plan_part *part, const uint64_t *words, uint32_t mask) {
  return og_load32((const char *)words + part->byte) >> part->shift & mask;
}

static inline int32_t number_of(const struct og_plan_part *part, const uint64_t *words) {
  return (int32_t)((bits_of(part, words, part->number) ^ part->sign) - part->sign);
}

/* Bits outside an operand's field: its signs, and the bit that makes it an accumulation register, or a scalar one. */
enum { NEGATED = 1, ABSOLUTE = 2, IS_OTHER = 4 };
static inline unsigned signs_of(const struct og_plan_part *part, const uint64_t *words) {
  return (part->neg ? (unsigned)og_bits(words, part->neg, 1) : 0) |
         (part->abs ? (unsigned)og_bits(words, part->abs, 1) << 1 : 0) |
         (part->other ? (unsigned)og_bits(words, part->other, 1) << 2 : 0);
}

/* The literal behind the instruction, if it has one. */
static bool next_literal(const struct call *c, uint64_t *value) {
  if (!c->plan->literal_ok || c->used != c->plan->size || c->size < c->used + 4)
    return false;
  *value = og_load32(c->code + c->used);
  return true;
}

/* An operand of a less frequent kind. */
static bool put_operand(struct call *c, const struct og_plan_part *part) {
  const struct og_isa *isa = c->p->isa;
  const struct og_slot *slot = &og_slots(c->w.shape)[part->index];
  struct og_operand *o = &c->p->inst.operands[0];
  c->p->inst.operand_count = 0;
  if (!og_decode_slot(isa, c->w.form, slot, c->words, &c->p->inst) ||
      (o->kind == OG_OPERAND_LITERAL && (o->reg != OG_LITERAL || !next_literal(c, &o->value))))
    return false;
  c->used += o->kind == OG_OPERAND_LITERAL ? 4 : 0;
  if (isa->gfx11 && slot->flags & OG_SLOT_HALF && c->w.form->encoding <= OG_ENC_VOPC)
    og_choose_half(o);
  unsigned signs = signs_of(part, c->words);
  o->flags |= (uint8_t)((signs & NEGATED ? OG_NEG : 0) | (signs & ABSOLUTE ? OG_ABS : 0));
  c->scalars += part->on_bus && (o->kind == OG_OPERAND_LITERAL || o->kind == OG_OPERAND_SGPR ||
                                 o->kind == OG_OPERAND_TTMP || o->kind == OG_OPERAND_SPECIAL ||
                                 slot->takes == OG_TAKES_KIMM);
  if (o->value && (o->kind == OG_OPERAND_SGPR || o->kind == OG_OPERAND_TTMP)) /* there are warnings to give */
    return false;
  if (c->p->faithful && !og_operand_is_said(isa, c->w.form, slot, o, og_gather(c->words, slot->pieces, 2)))
    return false;
  og_put_source(&c->w, slot, o);
  return true;
}

static bool copy_text(struct call *c, const struct og_plan_text *text) {
  memcpy(c->w.at, text->text, sizeof text->text);
  c->w.at += text->size;
  return true;
}

/* What stands from `from` on, if it fits. */
static bool keep_text(const struct call *c, struct og_plan_text *text, const char *from, unsigned value) {
  size_t size = (size_t)(c->w.at - from);
  if (size && size <= sizeof text->text) {
    memcpy(text->text, from, size);
    text->size = (uint8_t)size, text->value = (uint16_t)value;
  }
  return true;
}

static bool put_modifier(struct call *c, const struct og_plan_part *part) {
  const struct og_mod_slot *slot = &og_mods(c->w.shape)[part->index];
  struct og_inst *inst = &c->p->inst;
  int32_t value = og_modifier_value(slot, c->words);
  if (!value && part->silent)
    return true;
  inst->mod[slot->mod] = value;
  bool said = !c->p->faithful || og_modifier_is_said(c->p->isa, inst, c->w.form, slot);
  if (said)
    og_put_modifier(&c->w, slot);
  if (slot->mod != OG_MOD_OFFSET)
    inst->mod[slot->mod] = 0;
  return said;
}

/* One of SDWA's: which part of a register is read or written, and what becomes of the rest. */
static bool put_selection(struct call *c, const struct og_plan_part *part) {
  enum { NO_SELECTION = 7 };
  unsigned value = bits_of(part, c->words, part->number);
  struct og_plan_text *known = &part->texts[value];
  const char *from = c->w.at;
  if (known->size)
    return copy_text(c, known);
  return value != NO_SELECTION && put_modifier(c, part) && keep_text(c, known, from, value);
}

static bool put_offset(struct call *c, const struct og_plan_part *part) {
  const struct og_slot *slot = &og_slots(c->w.shape)[part->index];
  int32_t value = number_of(part, c->words);
  if (c->p->faithful && !og_offset_is_said(c->p->isa, c->w.form, slot, value))
    return false;
  og_put_signed_hex(&c->w, part->width == 32 ? (int64_t)(uint32_t)value : value);
  return true;
}

/* Registers from their bits. False: they are none, or need more checks. */
static inline bool put_registers(struct call *c, const struct og_plan_part *part, unsigned value) {
  bool vector = part->vectors && (value & 256 || part->width == 8);
  unsigned first = vector ? value & 255 : value;
  if (vector ? first > part->last || (first & 1 && !part->odd)
             : !part->scalars || value + part->dwords > c->p->isa->sgprs || value & (part->align - 1u))
    return false;
  c->w.at = og_put_registers(c->w.at, vector ? 'v' : 's', first, part->dwords);
  c->scalars += !vector && part->on_bus;
  return true;
}

/* A literal where one was written before, with a value that cannot be an inline constant: it is not small, and it has
 * bits set below what would be the exponent of a real number. */
static bool put_literal(struct call *c, const struct og_plan_part *part, unsigned bits) {
  enum { ONE_OVER_2PI = 0x3e22f983 };
  uint64_t value;
  if (!part->literal || bits != OG_LITERAL || !next_literal(c, &value) || (uint32_t)value + 64 < 256 ||
      !(value & 0x7fffff) || value == ONE_OVER_2PI)
    return false;
  c->used += 4;
  c->scalars += part->on_bus;
  og_put_hex(&c->w, value);
  return true;
}

/* An operand whose text is not in its table; the text before it is already written. */
static bool put_new(struct call *c, struct og_plan_part *part, unsigned bits) {
  const char *from = c->w.at - part->lead_size;
  unsigned before = c->scalars;
  bool registers = put_registers(c, part, bits << part->to);
  if (!registers) {
    if (put_literal(c, part, bits))
      return true;
    if (!put_operand(c, part))
      return false;
    unsigned kind = c->p->inst.operands[0].kind, type = og_slots(c->w.shape)[part->index].type;
    part->literal |= kind == OG_OPERAND_LITERAL &&
                     (type == OG_TYPE_B32 || type == OG_TYPE_I32 || type == OG_TYPE_F32);
    if (kind != OG_OPERAND_SPECIAL && kind != OG_OPERAND_INLINE && kind != OG_OPERAND_TTMP && kind != OG_OPERAND_SGPR)
      return true;
  }
  size_t size = (size_t)(c->w.at - from);
  struct og_plan_name *name = &part->names[bits];
  if (size && size <= sizeof name->text) { /* to be looked up from now on */
    memcpy(name->text, from, size);
    name->size = (uint8_t)size;
    name->told = (uint8_t)(IS_TOLD | (registers ? IS_REGISTER : 0) | (c->scalars - before));
  }
  return true;
}

/* The same, or one with signs, which stand around the registers. */
static bool put_named(struct call *c, struct og_plan_part *part) {
  unsigned bits = bits_of(part, c->words, part->mask), signs = signs_of(part, c->words);
  const struct og_plan_name *name = &part->names[bits];
  if (!signs)
    return put_new(c, part, bits);
  if (!(name->told & IS_REGISTER) || signs & IS_OTHER)
    return put_operand(c, part);
  if (signs & NEGATED)
    og_put(&c->w, "-");
  if (signs & ABSOLUTE)
    og_put(&c->w, "|");
  og_put_bytes(&c->w, name->text + part->lead_size, name->size - (size_t)part->lead_size);
  if (signs & ABSOLUTE)
    og_put(&c->w, "|");
  c->scalars += name->told & ON_BUS;
  return true;
}

static inline struct og_plan_text *text_of(const struct og_plan_part *part, unsigned value) {
  return &part->texts[(value * 0x9e37u & 0xffff) >> (16 - TEXTS_LOG2)];
}

/* A number whose text is not in its table. */
static bool put_immediate(struct call *c, const struct og_plan_part *part) {
  unsigned value = bits_of(part, c->words, part->number);
  const char *from = c->w.at - part->lead_size;
  return put_operand(c, part) && keep_text(c, text_of(part, value), from, value);
}

/* Whatever has no name that is told. */
static __attribute__((noinline)) bool put_part(struct call *c, struct og_plan_part *part) {
  c->w.isa = c->p->isa, c->w.inst = &c->p->inst, c->w.form = c->plan->form;
  c->w.shape = &og_shapes[c->plan->form->shape], c->w.symbolizer = c->p->symbolizer;
  memcpy(c->w.at, part->lead, LEAD);
  c->w.at += part->lead_size;
  switch ((enum og_plan_part_kind)part->kind) {
  case NAMED: return put_named(c, part);
  case IMMEDIATE: return put_immediate(c, part);
  case OPERAND: return put_operand(c, part);
  case OFFSET: return put_offset(c, part);
  case NUMBER: og_put_signed(&c->w, number_of(part, c->words)); return true;
  case MODIFIER: return part->texts ? put_selection(c, part) : put_modifier(c, part);
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

/* Writes the parts from `at` on; yields the end, or NULL where one has no bits of its own. Where the code is `plain`,
 * the parts have no bits but those that are looked up. */
static inline __attribute__((always_inline)) char *put_parts(struct call *c, struct og_plan *plan, char *at,
                                                             unsigned count, bool plain) {
  const uint64_t *words = c->words;
  for (struct og_plan_part *part = plan->parts, *end = part + count; part < end; part++) {
    const struct og_plan_name *name = &part->names[bits_of(part, words, part->mask)];
    memcpy(at, name, sizeof *name);
    if (name->told && (plain || !((words[0] & part->others[0]) | (words[1] & part->others[1])))) {
      at += name->size;
      c->scalars += name->told & ON_BUS;
      continue;
    }
    if (part->kind == IMMEDIATE) {
      unsigned value = bits_of(part, words, part->number);
      const struct og_plan_text *text = text_of(part, value);
      if (text->size && text->value == value) {
        memcpy(at, text->text, sizeof text->text);
        at += text->size;
        continue;
      }
    }
    c->w.at = at;
    if (!put_part(c, part))
      return NULL;
    at = c->w.at;
  }
  return at;
}

size_t og_print_code(struct og_printer *p, const uint8_t *code, size_t size, struct og_buffer *out) {
  struct call c;
  if (size < 4)
    return 0;
  og_load_words(code, size, c.words);
  unsigned id = first_form(p->isa, p->tables, c.words, size);
  if (id == OG_NO_FORM)
    return 0;
  struct og_plan *plan = p->plans[id] ? p->plans[id] : og_plan_of(p, id);
  uint64_t first = c.words[0] ^ plan->usual[0], second = c.words[1] ^ plan->usual[1];
  if (!plan->direct || (first & plan->checked[0]) | (second & plan->checked[1]))
    return 0;
  char *at = og_buffer_room(out, OG_TEXT_ROOM);
  memcpy(at, plan->name, NAME);
  at += plan->name_size;
  p->inst.mod[OG_MOD_OFFSET] = 0;
  c.p = p, c.plan = plan, c.code = code, c.size = size, c.used = plan->size, c.scalars = 0, c.w.out = out;
  at = (first & plan->quiet[0]) | (second & plan->quiet[1]) ? put_parts(&c, plan, at, plan->count, false)
                                                            : put_parts(&c, plan, at, plan->loud, true);
  if (!at || (p->faithful && c.scalars > plan->bus))
    return 0;
  out->size = (size_t)(at - (char *)out->data);
  return c.used;
}
