/* direct.c - code to text at once. Most instructions have operands and modifiers that are each told by bits of their
 * own; for their forms a plan is made when the first one comes: the text between the parts and where the bits of each
 * stand. What an operand's bits are called, of registers and constants, is looked up by them in a table that operands
 * alike share. What else there is, such as a source of which half is read, goes the long way through struct og_inst:
 * og_print_code yields 0. */
#include "isa/print.h"

enum { LEAD = 16, NAME = 48, PARTS_MOST = 24, CODES = 256 };
enum kind { WORDS, NAMED, OPERAND, OFFSET, MODIFIER };

/* Text of an operand without signs, copied as a whole; of size 0 until its value comes first. */
struct name {
  char text[15];
  uint8_t size; /* and ON_BUS for a value of the constant bus */
};
enum { ON_BUS = 16 };

/* What the text of a register or constant depends on beside its code: of vector registers `dwords`, `last` and `odd` alone. */
struct key {
  uint32_t flags, sizes, traits;
  uint16_t last;
  uint8_t odd, vectors;
  uint8_t takes, type, dwords, role, width, encoding, suffix, literal_ok;
};
struct names {
  struct names *next;
  struct key key;
  struct name items[CODES];
};

struct part {
  char lead[LEAD]; /* text before it */
  struct name *names[2]; /* by code, of scalars and constants, and of vector registers; NULL: not looked up */
  uint8_t lead_size;
  uint8_t kind, index;           /* enum kind; slot or modifier of the shape */
  uint8_t word, turn;            /* the operand's field: a word of the code, turned right, */
  uint16_t mask;                 /* masked */
  uint8_t width, to;
  uint8_t neg, abs;              /* bits of its signs; 0: none */
  uint8_t dwords, align;         /* of scalar registers */
  uint16_t last;                 /* vector register that it may begin at, of which it may be odd: */
  bool odd : 1;
  bool vectors : 1, scalars : 1, integers : 1; /* written from the bits */
  bool silent : 1;               /* a modifier that is not written where it is 0 */
  bool on_bus : 1;               /* counts as a value of the constant bus if it is scalar */
  bool accumulates : 1;          /* a bit of its own makes accumulation registers of vector registers */
};

struct plan {
  uint64_t checked[2], usual[2]; /* bits that must be so */
  uint64_t silent[2];            /* where these are 0, `quiet` parts are all that is written */
  char name[NAME];               /* and what stands before the first part */
  uint8_t name_size, size;
  uint8_t count, quiet, bus;     /* the last: how many more values the constant bus takes */
  bool direct;
  struct part parts[];           /* `count`, then the `quiet` ones */
};

struct og_printer {
  struct og_arena *arena;
  const struct og_isa *isa;
  const struct og_tables *tables;
  bool faithful;
  struct plan **plans; /* by form */
  struct names *names;
  struct og_inst inst; /* its modifiers are 0 but while one is written */
};

struct og_printer *og_printer_new(struct og_arena *arena, const struct og_isa *isa, bool faithful) {
  struct og_printer *p = OG_NEW(arena, struct og_printer);
  *p = (struct og_printer){.arena = arena, .isa = isa, .tables = og_all_tables[isa->generation], .faithful = faithful};
  p->plans = OG_NEW_ARRAY(arena, struct plan *, og_form_count(isa));
  return p;
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

static void set_bits(uint64_t words[2], unsigned at, unsigned width) {
  for (unsigned i = at; i < at + width && i < 128; i++)
    words[i >> 6] |= UINT64_C(1) << (i & 63);
}

static void set_pieces(uint64_t words[2], const struct og_piece *pieces, unsigned count) {
  for (unsigned i = 0; i < count && pieces[i].width; i++)
    set_bits(words, pieces[i].at, pieces[i].width);
}

/* Choices of halves and signs of packed sources, which stand with each source. */
static bool is_selection(const struct og_mod_slot *slot) {
  return slot->mod >= OG_MOD_OP_SEL && slot->mod <= OG_MOD_NEG_HI;
}

/* Forms whose parts hang on one another, or whose decoding knows more than the shape. */
static bool is_direct(const struct og_form *form, const struct og_shape *shape) {
  switch (form->encoding) {
  case OG_ENC_MIMG: case OG_ENC_EXP: case OG_ENC_VOPD: case OG_ENC_VINTERP: return false;
  case OG_ENC_VOP3P:
    if (form->traits & OG_TRAIT_MFMA || __builtin_popcount(og_slots(shape)[1].sizes) == 3)
      return false;
    break;
  }
  for (unsigned i = 0; i < shape->slot_count; i++) {
    unsigned takes = og_slots(shape)[i].takes;
    if (takes == OG_TAKES_BRANCH || takes == OG_TAKES_KIMM || takes == OG_TAKES_OFF)
      return false;
  }
  for (unsigned i = 0; i < shape->mod_count; i++)
    if (is_selection(&og_mods(shape)[i]) && og_mods(shape)[i].pieces[0].width)
      return false;
  return form->variant == OG_VARIANT_NONE && form->size <= 16 && !(form->row_flags & OG_FLAG_GWS);
}

/* What the modifiers' bits of a source must be: no choice of halves. Signs of an operand are written, if `signs` says
 * so. */
static void check_selections(const struct og_shape *shape, const struct og_slot *slot, bool signs, struct part *part,
                             struct plan *plan) {
  for (unsigned i = 0; i < OG_COUNT(slot->modifiers) && slot->modifiers[i].width; i++)
    for (unsigned k = 0; k < slot->modifiers[i].width; k++) {
      unsigned at = slot->modifiers[i].at + k, to = slot->modifiers[i].to + k;
      if (to < 2 && signs) {
        *(to ? &part->abs : &part->neg) = (uint8_t)at;
        continue;
      }
      set_bits(plan->checked, at, 1);
      if (to == 3 && shape->flags & OG_SHAPE_OP_SEL_HI && !(shape->flags & OG_SHAPE_MIX))
        set_bits(plan->usual, at, 1);
    }
}

static struct name *names_of(struct og_printer *p, const struct key *key) {
  for (struct names *names = p->names; names; names = names->next)
    if (!memcmp(&names->key, key, sizeof *key))
      return names->items;
  struct names *names = OG_NEW(p->arena, struct names);
  names->next = p->names;
  names->key = *key;
  p->names = names;
  return names->items;
}

/* Tables for what is written of the operand without signs. */
static void plan_names(struct og_printer *p, const struct og_form *form, const struct og_slot *slot, struct part *part) {
  struct key scalars, vectors;
  memset(&scalars, 0, sizeof scalars); /* all bytes are compared */
  memset(&vectors, 0, sizeof vectors);
  vectors.dwords = part->dwords, vectors.last = part->last, vectors.odd = part->odd, vectors.vectors = true;
  scalars.flags = slot->flags, scalars.sizes = slot->sizes, scalars.traits = form->traits;
  scalars.takes = slot->takes, scalars.type = slot->type, scalars.dwords = part->dwords, scalars.role = slot->role;
  scalars.width = part->width, scalars.encoding = form->encoding, scalars.suffix = form->suffix;
  scalars.literal_ok = form->literal_ok;
  bool only_vectors = (part->vectors && part->width == 8) || part->accumulates;
  if (!only_vectors)
    part->names[0] = names_of(p, &scalars);
  scalars.vectors = true; /* where the operand takes none: nothing is remembered */
  part->names[1] = names_of(p, part->vectors || part->accumulates ? &vectors : &scalars);
  if (only_vectors)
    part->names[0] = part->names[1];
}

static void plan_operand(struct og_printer *p, const struct og_form *form, const struct og_shape *shape,
                         const struct og_slot *slot, struct part *part, struct plan *plan) {
  const struct og_isa *isa = p->isa;
  unsigned takes = slot->takes, dwords = og_dwords(isa, slot), width = slot->pieces[0].width;
  bool whole = !(slot->flags & (OG_SLOT_HALF | OG_SLOT_ONLY_M0 | OG_SLOT_LDS)) && (slot->pieces[0].at & 63) + width <= 64,
       plain = whole && !slot->pieces[1].width,
       scalar = takes >= OG_TAKES_SGPR && takes <= OG_TAKES_VGPR_SGPR_LITERAL,
       constant = takes >= OG_TAKES_SGPR_INLINE && takes <= OG_TAKES_VGPR_LITERAL && takes != OG_TAKES_AGPR_INLINE,
       vector = takes == OG_TAKES_VGPR || (constant && takes >= OG_TAKES_VGPR_SGPR_INLINE);
  part->kind = slot->takes == OG_TAKES_OFFSET ? OFFSET : OPERAND;
  part->width = (uint8_t)width, part->to = slot->pieces[0].to;
  part->word = slot->pieces[0].at >> 6, part->turn = (slot->pieces[0].at - part->to) & 63;
  part->mask = (uint16_t)(((1u << (width & 15)) - 1) << (part->to & 15));
  part->dwords = (uint8_t)dwords, part->align = dwords <= 2 ? (uint8_t)OG_MAX(dwords, 1u) : 4;
  part->last = (uint16_t)((slot->flags & OG_SLOT_LOW ? 128u : 256u) - OG_MAX(dwords, 1u));
  part->odd = !(isa->gfx90a || isa->gfx1250) || dwords <= 1 || slot->flags & OG_SLOT_ODD;
  part->vectors = plain && vector && (width == 9 || (width == 8 && takes == OG_TAKES_VGPR)) && !part->to;
  part->scalars = plain && scalar && dwords != 3 && !(slot->flags & OG_SLOT_ONLY_VGPR) &&
                  form->suffix != OG_SUFFIX_E64_DPP && form->encoding != OG_ENC_SOPK && width <= 9 &&
                  !(isa->generation == OG_GFX908 && form->encoding == OG_ENC_VOP3P);
  part->integers = part->scalars && constant && slot->type != OG_TYPE_V2F16_LITERAL;
  part->on_bus = !(slot->flags & OG_SLOT_WRITE) && takes != OG_TAKES_VCC;
  part->accumulates = whole && takes == OG_TAKES_VGPR_AGPR && width == 8 && !part->to && slot->pieces[1].width == 1 &&
                      slot->pieces[1].to == 9;
  check_selections(shape, slot, !(shape->flags & OG_SHAPE_PACKED) && slot->flags & OG_SLOT_NEG_ABS, part, plan);
  if (part->kind == OPERAND && (part->vectors || part->scalars || part->accumulates) && width + part->to <= 9)
    plan_names(p, form, slot, part);
  if (part->names[0] && !part->neg && !part->abs && !part->accumulates)
    part->kind = NAMED;
}

/* False where the modifier's value is not told by bits of its own. */
static bool plan_modifier(const struct og_form *form, const struct og_mod_slot *slot, struct part *part) {
  part->kind = MODIFIER;
  part->silent = og_is_silent(slot->mod) || (slot->mod == OG_MOD_OFFSET && form->encoding != OG_ENC_SMEM &&
                                             slot->style != OG_STYLE_SWIZZLE);
  return slot->pieces[0].width && slot->style != OG_STYLE_FI8;
}

/* How many scalar values may be read beside those that no operand names. */
static unsigned bus_of(const struct og_isa *isa, const struct og_form *form) {
  if (form->encoding < OG_ENC_VOP1 || form->encoding > OG_ENC_VOP3P)
    return UINT8_MAX;
  unsigned limit = og_scalar_values_most(isa, form), used = !!(form->reads & OG_IMPLICIT_VCC) + !!(form->reads & OG_IMPLICIT_M0);
  return limit > used ? limit - used : 0;
}

/* The parts without those that write nothing where the bits of `silent` are 0: modifiers and signs. */
static void plan_quiet(const struct og_shape *shape, struct plan *plan) {
  struct part *quiet = plan->parts + plan->count;
  for (const struct part *part = plan->parts, *end = part + plan->count; part < end; part++) {
    const struct og_mod_slot *mod = &og_mods(shape)[part->index];
    if (part->kind == MODIFIER && part->silent && !part->lead_size && mod->style != OG_STYLE_RETURN) {
      set_pieces(plan->silent, mod->pieces, OG_COUNT(mod->pieces));
      continue;
    }
    *quiet = *part;
    if (part->kind == OPERAND && part->names[0]) {
      quiet->kind = NAMED;
      quiet->neg = quiet->abs = 0;
      quiet->vectors |= part->accumulates;
      set_bits(plan->silent, part->neg, part->neg != 0);
      set_bits(plan->silent, part->abs, part->abs != 0);
      if (part->accumulates)
        set_pieces(plan->silent, og_slots(shape)[part->index].pieces + 1, 1);
    }
    quiet++;
  }
  plan->quiet = (uint8_t)(quiet - plan->parts - plan->count);
}

/* What stands before the first part follows the mnemonic always. */
static void plan_name(const struct og_form *form, struct plan *plan) {
  char text[OG_TEXT_ROOM];
  size_t size = (size_t)(og_put_name(text, form) - text);
  struct part *first = plan->parts;
  if (plan->count && plan->direct) {
    memcpy(text + size, first->lead, first->lead_size);
    size += first->lead_size;
    first->lead_size = 0;
  }
  plan->direct &= size <= NAME;
  plan->name_size = (uint8_t)size;
  memcpy(plan->name, text, OG_MIN(size, (size_t)NAME));
}

/* An operand without bits, as VCC is, is always the same text. */
static void plan_constant(struct og_printer *p, const struct og_form *form, const struct og_shape *shape,
                          const struct og_slot *slot, struct part *part, struct plan *plan) {
  char text[OG_TEXT_ROOM];
  struct og_writer w = {p->isa, &p->inst, form, shape, NULL, NULL, text};
  p->inst.operand_count = 0;
  plan->direct &= og_decode_slot(p->isa, form, slot, form->value, &p->inst) &&
                  (!p->faithful || og_operand_is_said(p->isa, form, slot, &p->inst.operands[0], 0));
  og_put_source(&w, slot, &p->inst.operands[0]);
  size_t size = (size_t)(w.at - text);
  plan->direct &= part->lead_size + size <= LEAD;
  if (plan->direct)
    memcpy(part->lead + part->lead_size, text, size);
  part->lead_size = (uint8_t)(part->lead_size + size * plan->direct);
}

static void plan_parts(struct og_printer *p, const struct og_form *form, const struct og_shape *shape,
                       struct plan *plan) {
  struct part *part = plan->parts;
  unsigned operands = 0;
  uint64_t known[2] = {form->mask[0], form->mask[1]};
  for (const char *program = og_program(shape); *program && plan->direct; program++) {
    if (*program > 2) {
      if (part->lead_size == LEAD)
        part++;
      part->lead[part->lead_size++] = *program;
    } else if (*program == 1) {
      const struct og_slot *slot = &og_slots(shape)[part->index = (uint8_t)(*++program - 1)];
      set_pieces(known, slot->pieces, OG_COUNT(slot->pieces));
      set_pieces(known, slot->modifiers, OG_COUNT(slot->modifiers));
      operands++;
      if (slot->takes == OG_TAKES_VCC && !slot->modifiers[0].width)
        plan_constant(p, form, shape, slot, part, plan);
      else
        plan_operand(p, form, shape, slot, part++, plan);
    } else {
      const struct og_mod_slot *slot = &og_mods(shape)[part->index = (uint8_t)(*++program - 1)];
      set_pieces(known, slot->pieces, OG_COUNT(slot->pieces));
      if (is_selection(slot)) /* as usual, so nothing is written */
        continue;
      plan->direct &= plan_modifier(form, slot, part++);
    }
    plan->direct &= part < plan->parts + PARTS_MOST;
  }
  part += part->lead_size != 0;
  plan->direct &= operands == shape->slot_count;
  plan->count = (uint8_t)(part - plan->parts);
  for (unsigned i = 0; p->faithful && i < 2; i++) { /* bits that nothing tells are as encoding leaves them */
    uint64_t own = form->size * 8 >= 64 * (i + 1) ? UINT64_MAX
                   : form->size * 8 > 64 * i      ? (UINT64_C(1) << form->size * 8 % 64) - 1
                                                  : 0;
    plan->checked[i] |= own & ~known[i];
    plan->usual[i] |= form->value[i] & own & ~known[i];
  }
}

static const struct plan *make_plan(struct og_printer *p, unsigned id) {
  const struct og_form *form = og_form(p->isa, id);
  const struct og_shape *shape = og_shape(p->isa, form);
  struct {
    struct plan plan;
    struct part parts[2 * (PARTS_MOST + 1)];
  } room;
  struct plan *plan = &room.plan;
  memset(&room, 0, sizeof room);
  plan->direct = is_direct(form, shape) && (!p->faithful || og_form_is_said(p->isa, form));
  plan->bus = (uint8_t)bus_of(p->isa, form);
  plan->size = form->size;
  if (plan->direct) {
    plan_parts(p, form, shape, plan);
    plan_name(form, plan);
    plan_quiet(shape, plan);
  }
  size_t size = sizeof *plan + (plan->direct ? plan->count + plan->quiet : 0u) * sizeof(struct part);
  return p->plans[id] = memcpy(og_arena_alloc(p->arena, size), plan, size);
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

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
static bool put_operand(struct og_printer *p, struct og_writer *w, const struct part *part, const uint64_t *words,
                        const uint8_t *code, size_t size, size_t *used, unsigned *scalars) {
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
  if (p->faithful && !og_operand_is_said(p->isa, w->form, slot, o, og_gather(words, slot->pieces, 2)))
    return false;
  og_put_source(w, slot, o);
  return true;
}

static bool put_modifier(struct og_printer *p, struct og_writer *w, const struct part *part, const uint64_t *words) {
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

static bool put_offset(struct og_printer *p, struct og_writer *w, const struct part *part, const uint64_t *words) {
  const struct og_slot *slot = &og_slots(w->shape)[part->index];
  p->inst.operand_count = 0;
  og_decode_slot(p->isa, w->form, slot, words, &p->inst);
  int32_t value = p->inst.mod[OG_MOD_OFFSET];
  if (p->faithful && !og_offset_is_said(p->isa, w->form, slot, value))
    return false;
  og_put_signed_hex(w, slot->pieces[0].width == 32 ? (int64_t)(uint32_t)value : value);
  return true;
}

static inline unsigned field_of(const struct part *part, const uint64_t *words) {
  uint64_t word = words[part->word];
  return (unsigned)(word >> (part->turn & 63) | word << (-part->turn & 63)) & part->mask;
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
static inline char *put_plain(const struct part *part, unsigned value, unsigned sgprs, unsigned signs, char *at,
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

/* Remembers the text up to `end` for the value of an operand. */
static void learn(struct name *name, const char *text, const char *end, bool on_bus) {
  size_t size = (size_t)(end - text);
  if (!size || size > sizeof name->text)
    return;
  memcpy(name->text, text, size);
  name->size = (uint8_t)(size + (on_bus ? ON_BUS : 0));
}

/* An operand whose text is not in its table yet, or has signs. */
static bool put_new(struct og_printer *p, struct og_writer *w, const struct part *part, const uint64_t *words,
                    const uint8_t *code, size_t size, size_t *used, unsigned *scalars) {
  unsigned signs = 0, before = *scalars, value = field_of(part, words);
  struct name *name = part->kind == NAMED ? &part->names[value >> 8][value & 255] : NULL;
  if (part->neg)
    signs = (unsigned)og_bits(words, part->neg, 1);
  if (part->abs)
    signs |= (unsigned)og_bits(words, part->abs, 1) << 1;
  char *from = w->at, *next = put_plain(part, value, p->isa->sgprs, signs, from, scalars);
  if (next) {
    w->at = next;
  } else {
    if (!put_operand(p, w, part, words, code, size, used, scalars))
      return false;
    unsigned kind = p->inst.operands[0].kind;
    if (kind != OG_OPERAND_SPECIAL && kind != OG_OPERAND_INLINE && kind != OG_OPERAND_TTMP && kind != OG_OPERAND_SGPR)
      return true;
  }
  if (name)
    learn(name, from, w->at, *scalars != before);
  return true;
}

static bool put_other(struct og_printer *p, struct og_writer *w, const struct part *part, const uint64_t *words,
                      const uint8_t *code, size_t size, size_t *used, unsigned *scalars) {
  switch ((enum kind)part->kind) {
  case NAMED: return put_new(p, w, part, words, code, size, used, scalars);
  case OPERAND:
    return part->vectors || part->scalars ? put_new(p, w, part, words, code, size, used, scalars)
                                          : put_operand(p, w, part, words, code, size, used, scalars);
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

size_t og_print_code(struct og_printer *p, const uint8_t *code, size_t size, struct og_buffer *out) {
  uint64_t words[OG_WORDS];
  if (size < 4)
    return 0;
  og_load_words(code, size, words);
  unsigned id = first_form(p->isa, p->tables, words, size), scalars = 0;
  if (id == OG_NO_FORM)
    return 0;
  const struct plan *plan = p->plans[id] ? p->plans[id] : make_plan(p, id);
  uint64_t other = ((words[0] ^ plan->usual[0]) & plan->checked[0]) | ((words[1] ^ plan->usual[1]) & plan->checked[1]);
  if (!plan->direct || other)
    return 0;
  bool quiet = !((words[0] & plan->silent[0]) | (words[1] & plan->silent[1]));
  const struct part *part = plan->parts + (quiet ? plan->count : 0), *end = part + (quiet ? plan->quiet : plan->count);
  size_t used = plan->size;
  char *at = og_buffer_room(out, OG_TEXT_ROOM);
  memcpy(at, plan->name, NAME);
  at += plan->name_size;
  for (; part < end; part++) {
    memcpy(at, part->lead, LEAD);
    at += part->lead_size;
    if (part->kind == NAMED) {
      unsigned value = field_of(part, words);
      const struct name *name = &part->names[value >> 8][value & 255];
      if (name->size) {
        memcpy(at, name, sizeof *name);
        at += name->size % ON_BUS;
        scalars += name->size / ON_BUS;
        continue;
      }
    }
    const struct og_form *form = &p->tables->forms[id];
    struct og_writer w = {p->isa, &p->inst, form, &og_shapes[form->shape], NULL, out, at};
    if (!put_other(p, &w, part, words, code, size, &used, &scalars)) {
      p->inst.mod[OG_MOD_OFFSET] = 0;
      return 0;
    }
    at = w.at;
  }
  p->inst.mod[OG_MOD_OFFSET] = 0;
  if (p->faithful && scalars > plan->bus)
    return 0;
  out->size = (size_t)(at - (char *)out->data);
  return used;
}
