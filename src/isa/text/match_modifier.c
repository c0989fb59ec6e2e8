/* match_modifier.c - whether a form takes the modifiers that the text names, and the values of those that it does
 * not name. */
#include "isa/text/forms.h"

#include <string.h>

/* NULL where the form has no bits for it. */
static inline const struct og_mod_slot *modifier_slot(const struct og_candidate *c, unsigned mod) {
  unsigned number = c->code->mods->slots[mod];
  return number ? &og_mods(c->shape)[number - 1] : NULL;
}

unsigned og_offset_width(const struct og_inst_reader *in, const struct og_candidate *c, bool *is_signed) {
  const struct og_mod_slot *slot = og_mod_slot_of(c->shape, OG_MOD_OFFSET);
  const struct og_slot *operand = og_slot_of(c->shape, OG_ROLE_OFFSET);
  unsigned width = !slot && operand ? og_slot_width(operand) : 0, major = in->target->processor->major;
  for (unsigned i = 0; slot && i < OG_COUNT(slot->pieces); i++)
    width += slot->pieces[i].width;
  bool buffer = og_is_scalar_buffer(c->form, c->shape);
  *is_signed = false;
  if (c->encoding == OG_ENC_FLAT) {
    *is_signed = slot && slot->style == OG_STYLE_SIGNED;
    return width - (!*is_signed && width > 1);
  }
  if (c->encoding != OG_ENC_SMEM || major < 9)
    return width;
  *is_signed = !buffer;
  return !buffer ? width : major < 12 ? OG_MIN(width, 20u) : 23;
}

const char *og_offset_fault(struct og_inst_reader *in, const struct og_candidate *c, int32_t value) {
  unsigned width = c->code->offset_width;
  bool is_signed = c->code->offset_signed;
  if (!width || width == 32)
    return NULL;
  int64_t least = is_signed ? -(INT64_C(1) << (width - 1)) : 0;
  if (value >= least && value < least + (INT64_C(1) << width))
    return NULL;
  return og_arena_printf(in->arena, "expected a%s %u-bit %s offset%s", width == 8 ? "n" : "", width,
                         is_signed ? "signed" : "unsigned", width == 23 ? " for buffer ops" : "");
}

static bool holds_in_pieces(const struct og_mod_slot *slot, int32_t value) {
  uint64_t mask = 0;
  for (unsigned i = 0; i < OG_COUNT(slot->pieces) && slot->pieces[i].width; i++)
    mask |= ((UINT64_C(1) << slot->pieces[i].width) - 1) << slot->pieces[i].to;
  return (!mask && slot->mod != OG_MOD_CPOL) || !((uint64_t)(uint32_t)value & ~mask);
}

/* Whether the form can hold the value; most have one field, from bit 0 on. */
static inline bool holds(const struct og_mod_slot *slot, int32_t value) {
  return (!slot->pieces[0].to && !((uint64_t)(uint32_t)value >> slot->pieces[0].width)) || holds_in_pieces(slot, value);
}

static bool chooses_result_half(const struct og_shape *shape) {
  OG_FOR_SLOTS(slot, shape)
    for (unsigned k = 0; k < OG_COUNT(slot->modifiers); k++)
      if (slot->modifiers[k].width && slot->modifiers[k].to == 3)
        return true;
  return false;
}

/* op_sel as written has the destination's bit behind the sources'; ours is always bit 3.
 * Forms without that bit ignore it. */
static int32_t op_sel_value(const struct og_form *form, const struct og_shape *shape, int32_t value) {
  if (shape->flags & OG_SHAPE_OP_SEL_HI) /* none for the destination */
    return value;
  int sources = shape->flags / OG_SHAPE_SOURCES;
  OG_FOR_SLOTS(slot, shape)
    if (slot->role >= OG_ROLE_SRC0 && slot->role <= OG_ROLE_SRC2 && slot->takes != OG_TAKES_VCC)
      sources = OG_MAX(sources, slot->role - OG_ROLE_SRC0 + 1);
  bool printed = form->traits & OG_TRAIT_LLVM_RESULT_SEL;
  if (form->encoding == OG_ENC_VOP3 && og_slot_of(shape, OG_ROLE_ATTR)) /* it is the second source */
    value &= ~2;
  bool result = value >> sources & 1 && (printed || chooses_result_half(shape));
  return (value & ((1 << sources) - 1)) | result << 3;
}

/* op_sel and op_sel_hi of a matrix's two scales: absent ones choose the lowest byte. */
static bool chooses_scales(const struct og_shape *shape) { return og_slot_of(shape, OG_ROLE_SCALE0) != NULL; }

static const char *wrong_cache_policy(const struct og_inst_reader *in, const struct og_candidate *c, int32_t value) {
  enum og_generation g = in->target->processor->generation;
  if (c->form->encoding == OG_ENC_SMEM)
    return "invalid cache policy for SMEM instruction";
  if (c->form->row_flags & OG_FLAG_ATOMIC && value & OG_CPOL_GLC && in->target->processor->major < 12)
    return g == OG_GFX942 || g == OG_GFX950 ? "instruction must not use sc0" : "instruction must not use glc";
  return "invalid operand for instruction";
}

static const uint8_t defaults[64] = {
    [OG_MOD_ROW_MASK] = 15, [OG_MOD_BANK_MASK] = 15, [OG_MOD_DST_SEL] = 6,   [OG_MOD_DST_UNUSED] = 2,
    [OG_MOD_SRC0_SEL] = 6,  [OG_MOD_SRC1_SEL] = 6,   [OG_MOD_OP_SEL_HI] = 7, [OG_MOD_FORMAT] = 1};
static const uint64_t has_default = OG_BIT(OG_MOD_ROW_MASK) | OG_BIT(OG_MOD_BANK_MASK) | OG_BIT(OG_MOD_DST_SEL) |
                                    OG_BIT(OG_MOD_DST_UNUSED) | OG_BIT(OG_MOD_SRC0_SEL) | OG_BIT(OG_MOD_SRC1_SEL) |
                                    OG_BIT(OG_MOD_OP_SEL_HI) | OG_BIT(OG_MOD_FORMAT);

void og_default_modifiers(const struct og_candidate *c, uint64_t given, int32_t mod[OG_MOD_COUNT]) {
  for (uint64_t left = has_default & c->accepts & ~given; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    if (i != OG_MOD_OP_SEL_HI || (!(c->shape->flags & OG_SHAPE_MIX) && !chooses_scales(c->shape)))
      mod[i] = defaults[i];
  }
}

bool og_is_bare(const struct og_candidate *c) {
  return !(c->accepts & has_default) && !c->requires && !c->forces_glc && c->form->variant != OG_VARIANT_DPP16 &&
         c->form->variant != OG_VARIANT_DPP8;
}

static void encode_defaults(const struct og_candidate *c, uint64_t given, struct og_match *m) {
  for (uint64_t left = has_default & c->accepts & ~given & ~og_source_modifiers; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    const struct og_mod_slot *slot = modifier_slot(c, i);
    og_scatter(m->code, slot->pieces, OG_COUNT(slot->pieces), defaults[i]);
  }
}

/* Modifiers of which the form decides what a value means. */
static const uint64_t by_form = OG_BIT(OG_MOD_CPOL) | OG_BIT(OG_MOD_OP_SEL) | OG_BIT(OG_MOD_OP_SEL_HI) |
                                OG_BIT(OG_MOD_FORMAT) | OG_BIT(OG_MOD_OFFSET);

/* The value of one of these as the form holds it, and in *value as it is encoded; or why the form does not take it. */
static const char *value_by_form(struct og_inst_reader *in, const struct og_candidate *c,
                                 const struct og_mod_slot *slot, unsigned mod, int32_t *value) {
  int32_t chosen;
  switch (mod) {
  case OG_MOD_OFFSET:
    if (slot->style != OG_STYLE_SWIZZLE)
      return og_offset_fault(in, c, *value);
    return *value < 0 || *value > UINT16_MAX ? "expected a 16-bit offset" : NULL;
  case OG_MOD_CPOL:
    *value &= ~OG_CPOL_MARKS;
    chosen = *value & ~(c->forces_glc ? OG_CPOL_GLC : 0);
    return slot && !holds(slot, chosen) ? wrong_cache_policy(in, c, chosen) : NULL;
  case OG_MOD_FORMAT:
    if (*value & (OG_FORMAT_HAS_DATA | OG_FORMAT_HAS_NUMBER))
      *value = (*value & 0x7f) | !(*value & OG_FORMAT_HAS_DATA);
    break;
  case OG_MOD_OP_SEL:
    *value = slot ? op_sel_value(c->form, c->shape, *value) : *value;
    /* fall through */
  default: *value &= chooses_scales(c->shape) ? 3 : -1; break;
  }
  return slot && !holds(slot, *value) ? "invalid operand for instruction" : NULL;
}

bool og_match_modifiers(struct og_inst_reader *in, const struct og_candidate *c, const struct og_inst_text *text,
                        struct og_match *m, struct og_failure *f) {
  unsigned progress = text->operand_count + 1, place = 0;
  const struct og_text_modifier *before = NULL;
  for (const struct og_text_modifier *t = text->modifiers, *end = t + text->modifier_count; t < end; t++) {
    progress++;
    if (!og_has(c->written, t->mod))
      return og_fail(f, progress, t->at, t->end,
                     t->mod == OG_MOD_DPP_CTRL || t->mod == OG_MOD_ROW_MASK || t->mod == OG_MOD_BANK_MASK ||
                             t->mod == OG_MOD_BOUND_CTRL
                         ? "not a valid operand."
                         : "invalid operand for instruction");
    const struct og_mod_slot *slot = modifier_slot(c, t->mod);
    int32_t value = t->value;
    const char *wrong = og_has(by_form, t->mod)      ? value_by_form(in, c, slot, t->mod, &value)
                        : slot && !holds(slot, value) ? "invalid operand for instruction"
                                                      : NULL;
    if (wrong) {
      bool swizzle = t->mod == OG_MOD_OFFSET && slot->style == OG_STYLE_SWIZZLE;
      return og_fail(f, progress + 50, t->at + (swizzle ? strcspn(t->at, ":") + 1 : 0), t->end, wrong);
    }
    m->inst.mod[t->mod] = value;
    if (m->direct && slot)
      og_scatter(m->code, slot->pieces, OG_COUNT(slot->pieces), (uint64_t)(int64_t)value);
    unsigned own = c->code->mods->order[t->mod];
    if (own && own < place)
      return og_fail(f, progress + 50, t->at, t->end,
                     og_arena_printf(in->arena, "invalid operand for instruction: must stand before %.*s",
                                     (int)strcspn(before->at, ": \t\n"), before->at));
    before = own ? t : before;
    place = own ? own : place;
  }
  uint64_t given = text->given;
  if (c->requires & ~given)
    return og_fail(f, 0, NULL, NULL, "too few operands for instruction");
  if (c->forces_glc && !(m->inst.mod[OG_MOD_CPOL] & OG_CPOL_GLC))
    return og_fail(f, progress, NULL, NULL,
                   in->target->processor->major >= 12 ? "instruction must use th:TH_ATOMIC_RETURN"
                   : in->target->processor->generation == OG_GFX942 || in->target->processor->generation == OG_GFX950
                       ? "instruction must use sc0"
                       : "instruction must use glc");
  if ((c->form->variant == OG_VARIANT_DPP16 && !og_has(given, OG_MOD_DPP_CTRL)) ||
      (c->form->variant == OG_VARIANT_DPP8 && !og_has(given, OG_MOD_DPP8)))
    return og_fail(f, 0, NULL, NULL, "too few operands for instruction");
  og_default_modifiers(c, given, m->inst.mod);
  if (m->direct)
    encode_defaults(c, given, m);
  return true;
}

/* From gfx11 on op_sel follows from the halves that the operands name, and may not contradict them.
   Interpolation does not print the implied op_sel. */
bool og_match_halves(const struct og_candidate *c, const struct og_inst_text *text, struct og_match *m,
                     struct og_failure *f) {
  bool vop3 = c->form->encoding == OG_ENC_VOP3;
  if ((!vop3 && c->form->encoding != OG_ENC_VINTERP) || !modifier_slot(c, OG_MOD_OP_SEL))
    return true;
  const struct og_text_modifier *given = og_modifier_text(text, OG_MOD_OP_SEL);
  int32_t bits = m->inst.mod[OG_MOD_OP_SEL];
  for (unsigned i = 0; i < c->count && i < text->operand_count; i++) {
    const struct og_text_operand *t = &text->operands[i];
    const struct og_slot *slot = c->places[i].slot;
    if (!slot || !(slot->flags & OG_SLOT_HALF) || !t->half)
      continue;
    bool result = slot->role == OG_ROLE_VDST,
         added_to = result && slot->flags & OG_SLOT_READ && c->shape->flags / OG_SHAPE_SOURCES == 3;
    int32_t own = result ? 8 | added_to << 2 : 1 << og_source_index(slot->role);
    bool high = t->flags & OG_HALF_HI;
    if (given && given->value && (bits & own) != (high ? own : 0))
      return og_fail(f, 100, t->at, t->end, "op_sel operand conflicts with 16-bit operand suffix");
    m->inst.mod[OG_MOD_OP_SEL] |= high && vop3 ? own : 0;
  }
  return true;
}
