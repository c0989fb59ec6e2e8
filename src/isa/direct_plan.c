/* direct_plan.c - plans for printing a form's code in one step: the text between its parts, and where each part's bits
 * are. */
#include "isa/direct.h"
#include "isa/rules.h"

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

/* Forms whose parts depend on one another, or whose decoding needs more than the shape. */
static bool is_direct(const struct og_form *form, const struct og_shape *shape) {
  switch (form->encoding) {
  case OG_ENC_MIMG: case OG_ENC_EXP: case OG_ENC_VOPD: case OG_ENC_VINTERP: return false;
  case OG_ENC_VOP3P:
    if (form->traits & OG_TRAIT_MFMA || __builtin_popcount(og_slots(shape)[1].sizes) == 3)
      return false;
    break;
  }
  OG_FOR_SLOTS(slot, shape)
    if ((slot->takes == OG_TAKES_BRANCH && shape->slot_count > 1) || slot->takes == OG_TAKES_OFF ||
        (slot->takes == OG_TAKES_KIMM && form->size > 8))
      return false;
  OG_FOR_MODS(mod, shape)
    if (is_selection(mod) && mod->pieces[0].width)
      return false;
  return (form->variant == OG_VARIANT_NONE || (form->variant == OG_VARIANT_SDWA && shape->slot_count)) &&
         form->size <= 16 && !(form->row_flags & OG_FLAG_GWS);
}

/* What a source's modifier bits must be: no choice of halves. An operand's signs are printed if `signs` says so. */
static void check_selections(const struct og_shape *shape, const struct og_slot *slot, bool signs,
                             struct og_plan_part *part, struct og_plan *plan) {
  for (unsigned i = 0; i < OG_COUNT(slot->modifiers) && slot->modifiers[i].width; i++)
    for (unsigned k = 0; k < slot->modifiers[i].width; k++) {
      unsigned at = slot->modifiers[i].at + k, to = slot->modifiers[i].to + k;
      if (to < 2 && signs) {
        *(to ? &part->abs : &part->neg) = (uint8_t)at;
        set_bits(part->others, at, 1);
        continue;
      }
      set_bits(plan->checked, at, 1);
      if (to == 3 && shape->flags & OG_SHAPE_OP_SEL_HI && !(shape->flags & OG_SHAPE_MIX))
        set_bits(plan->usual, at, 1);
    }
}

static struct og_plan_name *names_of(struct og_printer *p, const struct og_plan_key *key) {
  unsigned hash = key->flags * 3 + key->sizes * 5 + key->dwords * 7u + key->type * 11u + key->role * 13u +
                  key->takes * 17u + key->encoding * 19u + key->lead[0];
  struct og_plan_names **head = &p->names[hash % OG_COUNT(p->names)];
  for (struct og_plan_names *names = *head; names; names = names->next)
    if (!memcmp(&names->key, key, sizeof *key))
      return names->items;
  struct og_plan_names *names = og_plan_alloc(p, sizeof *names + key->count * sizeof *names->items);
  names->next = *head;
  names->key = *key;
  *head = names;
  return names->items;
}

/* Where the part's bits are. False: not in one word from a byte on. */
static bool plan_field(const struct og_piece pieces[2], struct og_plan_part *part) {
  const struct og_piece *piece = &pieces[0];
  part->number = (uint32_t)(UINT64_C(1) << OG_MIN(piece->width, 32u)) - 1;
  part->byte = piece->at / 8, part->shift = piece->at % 8;
  return !piece->to && !pieces[1].width && part->shift + piece->width <= 32;
}

/* What texts of the short and long encodings of the vector ALU, or of the scalar ALU, have in common. */
static void share_names(const struct og_form *form, const struct og_slot *slot, struct og_plan_key *key) {
  bool scalar = form->encoding <= OG_ENC_SOPC,
       vector = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOP3 && slot->type < OG_TYPE_V2I16,
       lanes = slot->takes >= OG_TAKES_SGPR && slot->takes <= OG_TAKES_SGPR_LITERAL; /* of source 2: a mask */
  if (!scalar && !vector)
    return;
  key->encoding = scalar ? OG_ENC_SOP1 : OG_ENC_VOP1;
  if (form->suffix != OG_SUFFIX_E64_DPP &&
      (slot->role == OG_ROLE_SRC1 || (slot->role == OG_ROLE_SRC2 && !lanes)))
    key->role = OG_ROLE_SRC0;
}

/* The table for what is written of the operand without signs, and before it. */
static void plan_names(struct og_printer *p, const struct og_form *form, const struct og_slot *slot, bool first,
                       struct og_plan_part *part) {
  struct og_plan_key key;
  memset(&key, 0, sizeof key); /* all bytes are compared */
  if (!first) /* where what stands before it follows the mnemonic */
    memcpy(key.lead, part->lead, part->lead_size);
  key.dwords = part->dwords, key.last = part->last, key.odd = part->odd, key.vectors = part->vectors;
  key.count = (uint16_t)(1u << part->width);
  if (!key.vectors || part->width > 8) {
    key.flags = slot->flags & ~(uint32_t)(OG_SLOT_NEG_ABS | OG_SLOT_LONG_SIGNS | OG_SLOT_LANE);
    key.sizes = slot->sizes, key.traits = form->traits & (OG_TRAIT_WAIT | OG_TRAIT_LLVM_ODD);
    key.takes = slot->takes, key.type = slot->type, key.role = slot->role;
    key.width = part->width, key.to = part->to, key.encoding = form->encoding;
    key.suffix = form->suffix == OG_SUFFIX_E64_DPP;
    share_names(form, slot, &key);
  }
  part->names = names_of(p, &key);
  part->mask = part->number;
}

static void plan_operand(struct og_printer *p, const struct og_form *form, const struct og_shape *shape,
                         const struct og_slot *slot, struct og_plan *plan, struct og_plan_part *part) {
  const struct og_isa *isa = p->isa;
  unsigned takes = slot->takes, dwords = og_dwords(isa, slot), width = slot->pieces[0].width;
  bool whole = !(slot->flags & (OG_SLOT_HALF | OG_SLOT_ONLY_M0)), plain = whole && !slot->pieces[1].width,
       scalar = takes >= OG_TAKES_SGPR && takes <= OG_TAKES_VGPR_SGPR_LITERAL,
       constant = takes >= OG_TAKES_SGPR_INLINE && takes <= OG_TAKES_VGPR_LITERAL && takes != OG_TAKES_AGPR_INLINE,
       vector = takes == OG_TAKES_VGPR || (constant && takes >= OG_TAKES_VGPR_SGPR_INLINE);
  part->kind = takes == OG_TAKES_OFFSET ? OFFSET : OPERAND;
  part->width = (uint8_t)width, part->to = slot->pieces[0].to;
  part->sign = slot->flags & OG_SLOT_SIGNED && width ? UINT32_C(1) << (og_slot_width(slot) - 1) : 0;
  part->dwords = (uint8_t)dwords, part->align = dwords <= 2 ? (uint8_t)OG_MAX(dwords, 1u) : 4;
  part->last = (uint16_t)((slot->flags & OG_SLOT_LOW ? 128u : 256u) - OG_MAX(dwords, 1u));
  part->odd = !(isa->gfx90a || isa->gfx1250) || dwords <= 1 || slot->flags & OG_SLOT_ODD;
  part->vectors = plain && vector && (width == 9 || (width == 8 && takes == OG_TAKES_VGPR)) && !part->to;
  part->scalars = plain && scalar && dwords != 3 && !(slot->flags & (OG_SLOT_ONLY_VGPR | OG_SLOT_LDS)) &&
                  form->suffix != OG_SUFFIX_E64_DPP && form->variant == OG_VARIANT_NONE && width <= 9 &&
                  !(form->encoding == OG_ENC_SOPK && form->traits & OG_TRAIT_WAIT) &&
                  !(isa->generation == OG_GFX908 && form->encoding == OG_ENC_VOP3P);
  part->on_bus = !(slot->flags & OG_SLOT_WRITE) && takes != OG_TAKES_VCC;
  if (whole && width == 8 && !part->to && slot->pieces[1].width == 1 &&
      (form->variant == OG_VARIANT_SDWA
           ? vector && slot->pieces[1].to == 8
           : (takes == OG_TAKES_VGPR_AGPR || takes == OG_TAKES_VGPR) && slot->pieces[1].to == 9))
    part->other = slot->pieces[1].at, part->vectors = true, set_bits(part->others, part->other, 1);
  check_selections(shape, slot, !(shape->flags & OG_SHAPE_PACKED) && slot->flags & OG_SLOT_NEG_ABS, part, plan);
  plan->direct &= plan_field(slot->pieces, part) || part->kind != OFFSET;
  if (form->variant == OG_VARIANT_SDWA && slot->role == OG_ROLE_SDST) /* several codes are VCC */
    plan->direct &= !p->faithful;
  if (part->kind == OPERAND && (part->vectors || part->scalars) && width <= 9) {
    plan_names(p, form, slot, part == plan->parts, part);
    part->kind = NAMED;
  }
}

/* Numbers of scalar instructions: their text depends on no other bits. */
static void plan_immediate(struct og_printer *p, const struct og_form *form, const struct og_slot *slot,
                           struct og_plan_part *part) {
  unsigned takes = slot->takes, width = slot->pieces[0].width;
  bool number = takes == OG_TAKES_IMM || takes == OG_TAKES_SIMM ||
                (takes >= OG_TAKES_HWREG && takes <= OG_TAKES_ENDPGM);
  if (!number || (form->encoding != OG_ENC_SOPP && form->encoding != OG_ENC_SOPK) || part->to || width > 16 || !width ||
      slot->pieces[1].width || slot->modifiers[0].width)
    return;
  part->kind = IMMEDIATE;
  part->texts = og_plan_alloc(p, sizeof(struct og_plan_text) << TEXTS_LOG2);
  plan_field(slot->pieces, part);
}

/* A number that always reads back, with a word before it. */
static const char *number_word(const struct og_printer *p, const struct og_form *form, const struct og_mod_slot *slot) {
  bool flat = form->encoding == OG_ENC_FLAT, said = p->isa->generation >= OG_GFX900 &&
       slot->style == OG_STYLE_SIGNED && !(form->row_flags & OG_FLAG_ATOMIC),
       plain = slot->style != OG_STYLE_SWIZZLE && form->encoding != OG_ENC_SMEM && (!p->faithful || !flat || said);
  return slot->mod == OG_MOD_OFFSET && plain ? " offset:"
         : slot->mod == OG_MOD_OFFSET0       ? " offset0:"
         : slot->mod == OG_MOD_OFFSET1       ? " offset1:" : NULL;
}

/* Whether nothing is written where its bits are 0. */
static bool is_silent(const struct og_form *form, const struct og_mod_slot *slot) {
  bool offset = slot->mod == OG_MOD_OFFSET && form->encoding != OG_ENC_SMEM && slot->style != OG_STYLE_SWIZZLE;
  return slot->style != OG_STYLE_RETURN && (og_is_silent(slot->mod) || offset);
}

/* False if the modifier's value does not have bits of its own. */
static bool plan_modifier(struct og_printer *p, const struct og_form *form, const struct og_mod_slot *slot,
                          struct og_plan_part *part) {
  const struct og_piece *piece = &slot->pieces[0];
  part->silent = is_silent(form, slot);
  part->names = part->silent ? &p->nothing : &p->untold;
  part->kind = MODIFIER;
  if (slot->mod >= OG_MOD_DST_SEL && slot->mod <= OG_MOD_SRC1_SEL)
    part->texts = p->selections[slot->mod - OG_MOD_DST_SEL], plan_field(slot->pieces, part);
  set_pieces(part->others, slot->pieces, OG_COUNT(slot->pieces));
  const char *word = number_word(p, form, slot);
  if (word && part->silent && plan_field(slot->pieces, part)) {
    part->kind = NUMBER;
    memcpy(part->lead, word, part->lead_size = (uint8_t)strlen(word));
    part->sign = slot->style == OG_STYLE_SIGNED ? UINT32_C(1) << (piece->width - 1) : 0;
  }
  return piece->width && slot->style != OG_STYLE_FI8;
}

/* How many scalar values its operands may read. */
static unsigned bus_of(const struct og_isa *isa, const struct og_form *form) {
  bool limited = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOP3P;
  return limited ? og_free_scalars(isa, form) : UINT8_MAX;
}

/* Words become a table of one name; what is silent at the end is left out while its bits are 0. */
static void plan_ends(struct og_printer *p, struct og_plan *plan) {
  for (struct og_plan_part *part = plan->parts, *end = part + plan->count; part < end; part++) {
    if (part->kind == WORDS && part->lead_size <= TEXT_SIZE) {
      part->names = og_plan_alloc(p, sizeof *part->names);
      memcpy(part->names->text, part->lead, TEXT_SIZE);
      part->names->size = part->lead_size, part->names->told = IS_TOLD;
    } else if (!part->names) {
      part->names = &p->untold;
    }
    plan->quiet[0] |= part->others[0], plan->quiet[1] |= part->others[1];
  }
  plan->loud = plan->count;
  while (plan->loud && plan->parts[plan->loud - 1].silent)
    plan->loud--;
}

/* The text before the first part always follows the mnemonic. */
static void plan_name(const struct og_form *form, struct og_plan *plan) {
  char text[OG_TEXT_ROOM];
  size_t size = (size_t)(og_put_name(text, form) - text);
  struct og_plan_part *first = plan->parts;
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
                          const struct og_slot *slot, struct og_plan_part *part, struct og_plan *plan) {
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
                       struct og_plan *plan) {
  struct og_plan_part *part = plan->parts;
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
      if (slot->takes == OG_TAKES_VCC && !slot->modifiers[0].width) {
        plan_constant(p, form, shape, slot, part, plan);
      } else {
        plan_operand(p, form, shape, slot, plan, part);
        plan_immediate(p, form, slot, part++);
      }
    } else {
      const struct og_mod_slot *slot = &og_mods(shape)[part->index = (uint8_t)(*++program - 1)];
      set_pieces(known, slot->pieces, OG_COUNT(slot->pieces));
      if (is_selection(slot)) /* as usual, so nothing is written */
        continue;
      if (part->lead_size && is_silent(form, slot)) /* which goes before it all the same */
        part[1].index = part->index, part++;
      plan->direct &= plan_modifier(p, form, slot, part++);
    }
    plan->direct &= part < plan->parts + PARTS_MOST;
  }
  part += part->lead_size != 0;
  plan->direct &= operands == shape->slot_count;
  plan->count = (uint8_t)(part - plan->parts);
  for (unsigned i = 0; p->faithful && i < 2; i++) { /* bits that belong to no part are as the encoder leaves them */
    uint64_t own = form->size * 8 >= 64 * (i + 1) ? UINT64_MAX
                   : form->size * 8 > 64 * i      ? (UINT64_C(1) << form->size * 8 % 64) - 1
                                                  : 0;
    plan->checked[i] |= own & ~known[i];
    plan->usual[i] |= form->value[i] & own & ~known[i];
  }
}

struct og_plan *og_plan_of(struct og_printer *p, unsigned id) {
  const struct og_form *form = og_form(p->isa, id);
  const struct og_shape *shape = og_shape(p->isa, form);
  const size_t most = sizeof(struct og_plan) + (PARTS_MOST + 1) * sizeof(struct og_plan_part);
  struct og_plan *plan = p->room = p->room ? p->room : og_plan_alloc(p, most); /* zeros */
  plan->direct = is_direct(form, shape) && (!p->faithful || og_form_is_said(p->isa, form));
  plan->bus = (uint8_t)bus_of(p->isa, form);
  plan->form = form, plan->size = form->size;
  plan->literal_ok = form->literal_ok && form->size <= 8 && !og_slot_of(shape, OG_ROLE_SIMM);
  if (plan->direct) {
    plan_parts(p, form, shape, plan);
    plan_name(form, plan);
    plan_ends(p, plan);
  }
  size_t size = sizeof *plan + (plan->direct ? plan->count : 0u) * sizeof(struct og_plan_part);
  p->plans[id] = memcpy(og_plan_alloc(p, size), plan, size);
  memset(plan, 0, plan->direct ? size + sizeof(struct og_plan_part) : most);
  return p->plans[id];
}
