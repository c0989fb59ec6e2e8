/* direct.c - code to text at once. Most instructions have operands and modifiers that are each told by bits of their
 * own; for their forms a plan is made when the first one comes: the text between the parts and where the bits of each
 * stand. Registers and small integers are then written from the bits. What else there is, such as a source of which
 * half is read, goes the long way through struct og_inst: og_print_code yields 0. */
#include "isa/print.h"

enum { LEAD = 12, PARTS_MOST = 24 };
enum kind { WORDS, OPERAND, OFFSET, MODIFIER };

struct part {
  char lead[LEAD]; /* text before it */
  uint8_t lead_size;
  uint8_t kind, index;     /* enum kind; slot or modifier of the shape */
  uint8_t at, width, to;   /* the operand's field */
  uint8_t neg, abs;        /* bits of its signs; 0: none */
  uint8_t dwords, align;   /* of scalar registers */
  uint16_t last;           /* vector register that it may begin at, of which it may be odd: */
  bool odd;
  bool vectors, scalars, integers; /* written from the bits */
  bool silent;             /* a modifier that is not written where it is 0 */
  bool on_bus;             /* counts as a value of the constant bus if it is scalar */
};

struct plan {
  uint64_t checked[2], usual[2]; /* bits that must be so */
  uint8_t count, bus;            /* how many more values the constant bus takes */
  bool direct;
  struct part parts[];
};

struct og_printer {
  struct og_arena *arena;
  const struct og_isa *isa;
  bool faithful;
  struct plan **plans; /* by form */
  struct og_inst inst; /* its modifiers are 0 but while one is written */
};

struct og_printer *og_printer_new(struct og_arena *arena, const struct og_isa *isa, bool faithful) {
  struct og_printer *p = OG_NEW(arena, struct og_printer);
  *p = (struct og_printer){.arena = arena, .isa = isa, .faithful = faithful};
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

static void plan_operand(const struct og_printer *p, const struct og_form *form, const struct og_shape *shape,
                         const struct og_slot *slot, struct part *part, struct plan *plan) {
  const struct og_isa *isa = p->isa;
  unsigned takes = slot->takes, dwords = og_dwords(isa, slot), width = slot->pieces[0].width;
  bool plain = !(slot->flags & (OG_SLOT_HALF | OG_SLOT_ONLY_M0 | OG_SLOT_LDS)) &&
               !slot->pieces[1].width && (slot->pieces[0].at & 63) + width <= 64,
       scalar = takes >= OG_TAKES_SGPR && takes <= OG_TAKES_VGPR_SGPR_LITERAL,
       constant = takes >= OG_TAKES_SGPR_INLINE && takes <= OG_TAKES_VGPR_LITERAL && takes != OG_TAKES_AGPR_INLINE,
       vector = takes == OG_TAKES_VGPR || (constant && takes >= OG_TAKES_VGPR_SGPR_INLINE);
  part->kind = slot->takes == OG_TAKES_OFFSET ? OFFSET : OPERAND;
  part->at = slot->pieces[0].at, part->width = (uint8_t)width, part->to = slot->pieces[0].to;
  part->dwords = (uint8_t)dwords, part->align = dwords <= 2 ? (uint8_t)OG_MAX(dwords, 1u) : 4;
  part->last = (uint16_t)((slot->flags & OG_SLOT_LOW ? 128u : 256u) - OG_MAX(dwords, 1u));
  part->odd = !(isa->gfx90a || isa->gfx1250) || dwords <= 1 || slot->flags & OG_SLOT_ODD;
  part->vectors = plain && vector && (width == 9 || (width == 8 && takes == OG_TAKES_VGPR)) && !part->to;
  part->scalars = plain && scalar && dwords != 3 && !(slot->flags & OG_SLOT_ONLY_VGPR) &&
                  form->suffix != OG_SUFFIX_E64_DPP && form->encoding != OG_ENC_SOPK && width <= 9 &&
                  !(isa->generation == OG_GFX908 && form->encoding == OG_ENC_VOP3P);
  part->integers = part->scalars && constant && slot->type != OG_TYPE_V2F16_LITERAL;
  part->on_bus = !(slot->flags & OG_SLOT_WRITE) && takes != OG_TAKES_VCC;
  check_selections(shape, slot, !(shape->flags & OG_SHAPE_PACKED) && slot->flags & OG_SLOT_NEG_ABS, part, plan);
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
  unsigned limit = isa->gfx10 && !(form->traits & OG_TRAIT_ONE_SCALAR) ? 2 : 1,
           used = !!(form->reads & OG_IMPLICIT_VCC) + !!(form->reads & OG_IMPLICIT_M0);
  return limit > used ? limit - used : 0;
}

static void add_lead(struct plan *plan, struct part *part, const char *text, size_t size) {
  plan->direct &= part->lead_size + size <= LEAD;
  if (plan->direct)
    memcpy(part->lead + part->lead_size, text, size);
  part->lead_size = (uint8_t)(part->lead_size + size);
}

static void plan_parts(const struct og_printer *p, const struct og_form *form, const struct og_shape *shape,
                       struct plan *plan) {
  struct part *part = plan->parts;
  unsigned operands = 0;
  uint64_t known[2] = {form->mask[0], form->mask[1]};
  for (const char *program = og_program(shape); *program && plan->direct; program++) {
    if (*program > 2) {
      if (part->lead_size == LEAD)
        part++;
      add_lead(plan, part, program, 1);
    } else if (*program == 1) {
      const struct og_slot *slot = &og_slots(shape)[part->index = (uint8_t)(*++program - 1)];
      set_pieces(known, slot->pieces, OG_COUNT(slot->pieces));
      set_pieces(known, slot->modifiers, OG_COUNT(slot->modifiers));
      plan_operand(p, form, shape, slot, part++, plan);
      operands++;
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
  struct plan *plan = og_arena_alloc(p->arena, sizeof *plan + (PARTS_MOST + 1) * sizeof(struct part));
  *plan = (struct plan){.direct = is_direct(form, shape) && (!p->faithful || og_form_is_said(p->isa, form)),
                        .bus = (uint8_t)bus_of(p->isa, form)};
  memset(plan->parts, 0, (PARTS_MOST + 1) * sizeof(struct part));
  if (plan->direct)
    plan_parts(p, form, shape, plan);
  return p->plans[id] = plan;
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

static bool put_parts(struct og_printer *p, const struct plan *plan, struct og_writer *w, const uint64_t *words,
                      const uint8_t *code, size_t size, size_t *used) {
  unsigned scalars = 0;
  char *at = w->at;
  for (const struct part *part = plan->parts, *end = part + plan->count; part < end; part++) {
    memcpy(at, part->lead, LEAD);
    at += part->lead_size;
    if (part->kind == OPERAND) {
      unsigned mask = (1u << (part->width & 15)) - 1, signs = 0,
               value = (unsigned)(words[part->at >> 6] >> (part->at & 63) & mask) << part->to;
      if (part->neg)
        signs = (unsigned)(words[part->neg >> 6] >> (part->neg & 63) & 1);
      if (part->abs)
        signs |= (unsigned)(words[part->abs >> 6] >> (part->abs & 63) & 1) << 1;
      char *next = put_plain(part, value, p->isa->sgprs, signs, at, &scalars);
      if (next) {
        at = next;
        continue;
      }
    }
    w->at = at;
    bool ok = part->kind == OPERAND    ? put_operand(p, w, part, words, code, size, used, &scalars)
              : part->kind == MODIFIER ? put_modifier(p, w, part, words)
              : part->kind == OFFSET   ? put_offset(p, w, part, words)
                                       : true;
    if (!ok)
      return false;
    at = w->at;
  }
  w->at = at;
  return !p->faithful || scalars <= plan->bus;
}

size_t og_print_code(struct og_printer *p, const uint8_t *code, size_t size, struct og_buffer *out) {
  uint64_t words[OG_WORDS];
  unsigned id = og_first_form(p->isa, code, size, words);
  if (id == OG_NO_FORM)
    return 0;
  const struct plan *plan = p->plans[id] ? p->plans[id] : make_plan(p, id);
  uint64_t other = ((words[0] ^ plan->usual[0]) & plan->checked[0]) | ((words[1] ^ plan->usual[1]) & plan->checked[1]);
  if (!plan->direct || other)
    return 0;
  const struct og_form *form = og_form(p->isa, id);
  struct og_writer w = {p->isa, &p->inst, form, &og_shapes[form->shape], NULL, out, NULL};
  w.at = og_put_name(og_buffer_room(out, OG_TEXT_ROOM), form);
  size_t used = form->size;
  bool done = put_parts(p, plan, &w, words, code, size, &used);
  p->inst.mod[OG_MOD_OFFSET] = 0;
  if (!done)
    return 0;
  out->size = (size_t)(w.at - (char *)out->data);
  return used;
}
