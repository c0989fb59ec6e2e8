/* rules.c - rules for an instruction as a whole: the constant bus, sizes of images, pairs of registers. */
#include "isa/text/forms.h"

#include <string.h>

static bool operand_error(struct og_inst_reader *in, const struct og_text_operand *t, const char *message) {
  return og_in_error(in, t->at, (size_t)(t->end - t->at), "%s", message);
}

static bool modifier_error(struct og_inst_reader *in, const struct og_text_modifier *t, const char *message) {
  return og_in_error(in, t->at, (size_t)(t->end - t->at), "%s", message);
}

/* Whether what was read obeys a rule; an error otherwise. */
#define RULE(name)                                                                                                     \
  static bool name(struct og_inst_reader *in, const struct og_candidate *c,                                            \
                   __attribute__((unused)) const struct og_inst_text *text,                                            \
                   __attribute__((unused)) const struct og_match *m)

/* How many scalar values an instruction of the vector ALU may read. */
RULE(within_constant_bus) {
  struct og_scalar_values values = og_implicit_scalar_values(in->isa, c->form);
  const struct og_text_operand *first = NULL; /* that is too much */
  for (unsigned i = 0; i < c->count && i < text->operand_count && !first; i++) {
    const struct og_slot *slot = c->places[i].slot;
    const struct og_operand *o = slot ? og_operand(&m->inst, slot->role) : NULL;
    if (o && !og_add_scalar_value(&values, slot, o))
      first = &text->operands[i];
  }
  return !first || operand_error(in, first, "invalid operand (violates constant bus restrictions)");
}

static const struct og_text_operand *operand_text(const struct og_candidate *c, const struct og_inst_text *text,
                                                  enum og_role role) {
  for (unsigned i = 0; i < c->count && i < text->operand_count; i++)
    if (c->places[i].slot && c->places[i].role == role)
      return &text->operands[i];
  return &text->operands[0];
}

/* A vector ALU literal's identity by its text: for integers all 64 bits, so that 0xff9c
 * and -100 differ, as in LLVM. */
static uint64_t literal_value(const struct og_candidate *c, const struct og_text_operand *t,
                              const struct og_operand *o) {
  const struct og_slot *slot = og_slot_of(c->shape, o->role);
  bool wide = slot && slot->dwords > 1; /* of 64 bits: as encoded */
  bool as_written = c->form->encoding > OG_ENC_SOPC && !wide && t->kind == OG_TEXT_INTEGER &&
                    !(t->flags & ~o->flags & (OG_NEG | OG_ABS)); /* signs that went into the constant change it */
  return as_written ? (uint64_t)t->value : o->value;
}

/* Both halves of a pair may have a constant of their own, of one role; all operands stand in the text. */
static const struct og_text_operand *literal_text(const struct og_candidate *c, const struct og_inst_text *text,
                                                  const struct og_operand *o, unsigned place) {
  return c->encoding == OG_ENC_VOPD ? &text->operands[place] : operand_text(c, text, o->role);
}

RULE(one_literal) {
  const struct og_operand *first = NULL;
  unsigned first_at = 0;
  for (unsigned i = 0; i < m->inst.operand_count; i++) {
    const struct og_operand *o = &m->inst.operands[i];
    unsigned encoding = m->inst.encoding;
    bool constant =
        o->role == OG_ROLE_SIMM && (encoding == OG_ENC_VOP2 || encoding == OG_ENC_SOP2 || encoding == OG_ENC_VOPD);
    if (o->kind != OG_OPERAND_LITERAL && !constant)
      continue;
    if (first && (m->expr || literal_value(c, literal_text(c, text, first, first_at), first) !=
                                 literal_value(c, literal_text(c, text, o, i), o)))
      return operand_error(in, literal_text(c, text, o, i), "only one unique literal operand is allowed");
    first = o;
    first_at = i;
  }
  return true;
}

static const struct og_operand *image_data(const struct og_match *m) {
  const struct og_operand *data = og_operand(&m->inst, OG_ROLE_VDATA);
  return data ? data : og_operand(&m->inst, OG_ROLE_VDST); /* neither: "off", no result */
}

static unsigned enabled_components(const struct og_match *m) { return (unsigned)m->inst.mod[OG_MOD_DMASK] & 15; }

/* Image data has a register for each component that dmask enables, halved where packed, and one for TFE. */
RULE(image_size_fits) {
  const struct og_operand *data = image_data(m);
  if (c->form->encoding != OG_ENC_MIMG || !og_has(c->accepts, OG_MOD_DMASK) || !data || !data->dwords)
    return true;
  return data->dwords == og_image_data_words(in->isa, c->form, &m->inst) ||
         og_in_error(in, in->mnemonic, 1,
                     og_has(c->accepts, OG_MOD_D16) ? "image data size does not match dmask, d16 and tfe"
                                                    : "image data size does not match dmask and tfe");
}

/* Which components an atomic and a gather may name. */
RULE(image_mask_fits) {
  if (c->form->encoding != OG_ENC_MIMG || !og_has(c->accepts, OG_MOD_DMASK))
    return true;
  unsigned dmask = enabled_components(m);
  const struct og_operand *data = image_data(m);
  if ((!data || c->form->row_flags & OG_FLAG_ATOMIC) && dmask != 1 && dmask != 3 && dmask != 15)
    return og_in_error(in, in->mnemonic, 1, "invalid atomic image dmask");
  return !data || !data->dwords || !(c->form->row_flags & OG_FLAG_GATHER4) || __builtin_popcount(dmask) == 1 ||
         og_in_error(in, in->mnemonic, 1, "invalid image_gather dmask: only one bit must be set");
}

static bool is_ray(const struct og_candidate *c) {
  return c->form->address & OG_IMAGE_RAY && og_has(c->accepts, OG_MOD_A16);
}

RULE(image_dimension_fits) {
  if (c->form->encoding != OG_ENC_MIMG || in->target->processor->major < 10 || is_ray(c) ||
      !og_has(c->accepts, OG_MOD_DIM))
    return true;
  const struct og_text_modifier *dim = og_modifier_text(text, OG_MOD_DIM);
  if (!dim)
    return og_in_error(in, in->mnemonic, 1, "missing dim operand");
  return !(c->form->traits & OG_TRAIT_MSAA) || m->inst.mod[OG_MOD_DIM] >= 6 ||
         modifier_error(in, dim, "invalid dim; must be MSAA type");
}

RULE(image_address_fits) {
  bool ray = is_ray(c);
  if (c->form->encoding != OG_ENC_MIMG || in->target->processor->major < 10 ||
      (!ray && !og_has(c->accepts, OG_MOD_DIM)))
    return true;
  unsigned places, actual = og_image_addresses(&m->inst, &places),
           wanted = ray ? og_ray_address_words(c->form, m->inst.mod[OG_MOD_A16] != 0)
                                    : og_image_address_words(c->form, (unsigned)m->inst.mod[OG_MOD_DIM],
                                                             m->inst.mod[OG_MOD_A16] != 0);
  bool several = places > 1, sampled = og_operand(&m->inst, OG_ROLE_SSAMP) != NULL;
  if (!ray && several && wanted <= (in->target->processor->major >= 12 && sampled ? 4u : 5u))
    actual = places; /* LLVM looks at the size of the last only where it needs to hold more than one */
  if (!several && wanted > 12)
    wanted = 16;
  if (actual == wanted || (ray && !several && wanted > 8 && actual == 16) ||
      (!ray && !several && actual == 8 && wanted >= 5 && wanted <= 7))
    return true;
  return og_in_error(in, in->mnemonic, 1,
                     ray ? "image address size does not match a16" : "image address size does not match dim and a16");
}

RULE(tfe_makes_sense) {
  if (!m->inst.mod[OG_MOD_TFE] || (c->form->row_flags & (OG_FLAG_LOAD | OG_FLAG_STORE)) != OG_FLAG_STORE ||
      (c->form->encoding != OG_ENC_MUBUF && c->form->encoding != OG_ENC_MTBUF))
    return true;
  return modifier_error(in, og_modifier_text(text, OG_MOD_TFE), "TFE modifier has no meaning for store instructions");
}

static const char *wrong_hint(const struct og_candidate *c, int32_t value) {
  const struct og_form *form = c->form;
  int32_t hint = value & 7, scope = value >> 3 & 3;
  if (value & OG_CPOL_SCALE_OFFSET && !og_scales_offset(form, c->shape))
    return "scale_offset is not supported for this instruction";
  if (!hint || !(value & OG_TH_KINDS))
    return NULL;
  if (form->encoding == OG_ENC_SMEM && hint >= 4 && hint <= 6)
    return "invalid th value for SMEM instruction";
  if (hint == 3 && (scope == 3) != !!(value & OG_TH_BYPASS))
    return "scope and th combination is not valid";
  if (form->row_flags & OG_FLAG_ATOMIC)
    return value & OG_TH_ATOMIC ? NULL : "invalid th value for atomic instructions";
  if ((form->row_flags & (OG_FLAG_LOAD | OG_FLAG_STORE)) == OG_FLAG_STORE || form->traits & OG_TRAIT_FROM_LDS)
    return value & OG_TH_STORE ? NULL : "invalid th value for store instructions";
  return value & OG_TH_LOAD ? NULL : "invalid th value for load instructions";
}

/* Matrices and dot products of small floats and integers have signs for some of their sources only. */
static const char *wrong_negation(const struct og_candidate *c, const struct og_text_modifier *t) {
  unsigned bit = t->mod == OG_MOD_NEG_HI, given = 0, sources = 0;
  OG_FOR_SLOTS(slot, c->shape) {
    if (slot->role < OG_ROLE_SRC0 || slot->role > OG_ROLE_SRC2)
      continue;
    sources |= 1u << (slot->role - OG_ROLE_SRC0);
    for (unsigned k = 0; k < OG_COUNT(slot->modifiers); k++)
      if (slot->modifiers[k].width && slot->modifiers[k].to == bit)
        given |= 1u << (slot->role - OG_ROLE_SRC0);
  }
  return (unsigned)t->value & sources & ~given ? bit ? "invalid neg_hi operand" : "invalid neg_lo operand" : NULL;
}

/* Why the form or the processor has no such modifier, though the encoding has bits for it: of in->ruled. */
static const char *wrong_modifier(const struct og_inst_reader *in, const struct og_candidate *c,
                                  const struct og_inst_text *text, const struct og_text_modifier *t) {
  enum og_generation generation = in->target->processor->generation;
  bool dot = c->form->traits & OG_TRAIT_DOT, gfx940 = generation == OG_GFX942 || generation == OG_GFX950,
       negates = t->at[0] == 'n', in_parts = t->value & (OG_FORMAT_HAS_DATA | OG_FORMAT_HAS_NUMBER);
  switch (t->mod) {
  case OG_MOD_CPOL: return wrong_hint(c, t->value);
  case OG_MOD_NEG_LO:
  case OG_MOD_NEG_HI: return wrong_negation(c, t);
  case OG_MOD_BLGP:
    if (negates == (gfx940 && og_multiplies_doubles(c->shape)))
      return NULL;
    return negates ? "invalid modifier: neg is not supported" : "invalid modifier: blgp is not supported";
  case OG_MOD_OFFSET:
    return t->value && c->encoding == OG_ENC_FLAT ? "flat offset modifier is not supported on this GPU" : NULL;
  case OG_MOD_OP_SEL_HI: return t->value != 7 && dot && gfx940 ? "invalid op_sel operand" : NULL;
  case OG_MOD_OP_SEL:
    if (dot && ((t->value && gfx940) || (t->value & 3 && c->encoding == OG_ENC_VOP3))) /* both halves are read */
      return "invalid op_sel operand";
    if (!c->code->mods->order[OG_MOD_OP_SEL])
      return "not a valid operand."; /* the halves that the operands name tell it */
    return t->value & ~3 && c->form->traits & OG_TRAIT_LANE_CONTROLS ? "invalid op_sel operand" : NULL;
  case OG_MOD_GDS:
    return t->value && !(c->form->row_flags & OG_FLAG_GWS) ? "gds modifier is not supported on this GPU" : NULL;
  case OG_MOD_CLAMP:
    return t->value && og_has_integer_result(c->shape) ? "integer clamping is not supported on this GPU" : NULL;
  case OG_MOD_R128:
    return t->value && c->form->counters & OG_COUNTER_TENSOR ? "instruction must set modifier r128=0" : NULL;
  case OG_MOD_D16: return t->value ? "d16 modifier is not supported on this GPU" : NULL;
  case OG_MOD_FORMAT:
    if (!text->operand_count || in_parts != (t->at > text->operands[text->operand_count - 1].at))
      return NULL;
    return in_parts ? "not a valid operand.: dfmt and nfmt stand before the scalar offset"
                    : "not a valid operand.: format stands behind the scalar offset";
  default: return NULL;
  }
}

RULE(modifiers_allowed) {
  for (const struct og_text_modifier *t = text->modifiers, *end = t + text->modifier_count; t < end; t++) {
    const char *wrong = og_has(in->ruled, t->mod) ? wrong_modifier(in, c, text, t) : NULL;
    if (wrong)
      return modifier_error(in, t, wrong);
  }
  return true;
}

/* Large matrices are written while they are read: the addend must be the result itself or share nothing with it. */
RULE(matrix_apart) {
  bool checked = c->form->traits & OG_TRAIT_MFMA && !(c->form->traits & OG_TRAIT_ANY_FORMAT);
  return !checked || !og_matrix_overlaps(&m->inst) ||
         operand_error(in, operand_text(c, text, OG_ROLE_SRC2), "source 2 operand must not partially overlap with dst");
}

/* VOP3 with two results has no bits for it (gfx9 ISA manual, "VOP3B"). */
static bool lacks_abs(const struct og_form *form, const struct og_slot *slot) {
  bool abs = form->encoding != OG_ENC_VOP3;
  for (unsigned k = 0; k < OG_COUNT(slot->modifiers); k++)
    abs |= slot->modifiers[k].to <= 1 && slot->modifiers[k].to + slot->modifiers[k].width > 1;
  return !abs;
}

/* Rules about registers that are not in an operand's class. */
RULE(registers_allowed) {
  bool even = in->has.vgpr_align2;
  for (unsigned i = 0; i < c->count && i < text->operand_count; i++) {
    const struct og_text_operand *t = &text->operands[i];
    const struct og_slot *slot = c->places[i].slot;
    if (!slot)
      continue;
    if (t->flags & OG_ABS && lacks_abs(c->form, slot))
      return operand_error(in, t, "ABS not allowed in VOP3B instructions");
    bool constant = t->kind == OG_TEXT_INTEGER || t->kind == OG_TEXT_REAL;
    if (in->has.mfma_inline_literal_bug && constant && c->form->traits & OG_TRAIT_MFMA)
      return operand_error(in, t, "inline constants are not allowed for this operand");
    bool vgpr = t->kind == OG_TEXT_REGISTER && t->register_kind == OG_OPERAND_VGPR;
    if (slot->flags & OG_SLOT_ONLY_VGPR && !vgpr)
      return operand_error(in, t, "source operand must be a VGPR");
    if (t->kind != OG_TEXT_REGISTER)
      continue;
    if (i == 0 && c->form->encoding == OG_ENC_SOPK && c->form->traits & OG_TRAIT_WAIT &&
        !(t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_NULL) && in->target->processor->major >= 11)
      return operand_error(in, t, "src0 must be null");
    bool vector = t->register_kind == OG_OPERAND_VGPR || t->register_kind == OG_OPERAND_AGPR;
    if (in->isa->generation == OG_GFX908 && i == 1 && !vector && c->form->encoding == OG_ENC_VOP3P &&
        og_slots(c->shape)[0].takes == OG_TAKES_AGPR)
      return operand_error(in, t, "source operand must be either a VGPR or an inline constant");
    if (even && vector && t->reg & 1 && c->form->row_flags & OG_FLAG_GWS)
      return operand_error(in, t, "vgpr must be even aligned");
    if (even && og_is_odd_tuple(slot, t))
      return og_in_error(in, in->mnemonic, 1, "invalid register class: vgpr tuples must be 64 bit aligned");
    bool lds_direct = t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_LDS_DIRECT,
         older = in->target->processor->major <= 10 || c->form->encoding == OG_ENC_VOPD,
         reversed = c->form->traits & OG_TRAIT_REVERSED;
    if (lds_direct && (!older || in->isa->gfx90a))
      return operand_error(in, t, "lds_direct is not supported on this GPU");
    if (lds_direct && (reversed || c->form->variant == OG_VARIANT_SDWA))
      return operand_error(in, t, "lds_direct cannot be used with this instruction");
  }
  return true;
}

/* Matrices of 8, 6 and 4 bits have as many registers as the format of each asks for. */
RULE(matrix_sizes_fit) {
  static const uint8_t registers[8] = {8, 8, 6, 6, 4, 8, 8, 8};
  if (!(c->form->traits & OG_TRAIT_ANY_FORMAT))
    return true;
  bool wmma = og_has(c->accepts, OG_MOD_MATRIX_A_FMT);
  for (unsigned i = 0; i < 2; i++) {
    enum og_role role = i ? OG_ROLE_SRC1 : OG_ROLE_SRC0;
    enum og_mod mod = wmma ? OG_MOD_MATRIX_A_FMT + i : i ? OG_MOD_BLGP : OG_MOD_CBSZ;
    unsigned format = (unsigned)m->inst.mod[mod] & 7;
    const struct og_operand *o = og_operand(&m->inst, role);
    if (!o || o->dwords == registers[format] << wmma)
      continue;
    static const char *const formats[] = {"FP8", "BF8", "FP6", "BF6", "FP4", "5", "6", "7"};
    const struct og_text_operand *t = operand_text(c, text, role);
    size_t size = (size_t)(t->end - t->at);
    if (wmma)
      return og_in_error(in, t->at, size, "wrong register tuple size for MATRIX_FMT_%s", formats[format]);
    return og_in_error(in, t->at, size, "wrong register tuple size for %s value %u", i ? "blgp" : "cbsz", format);
  }
  return true;
}

/* Of a scalar pair only the first register is read, for both halves: op_sel and
 * op_sel_hi may not ask for the second. */
RULE(pairs_read_low) {
  if (in->target->processor->major < 12)
    return true;
  for (unsigned i = 0; i < c->count && i < text->operand_count; i++) {
    const struct og_slot *slot = c->places[i].slot;
    const struct og_text_operand *t = &text->operands[i];
    if (!slot || slot->type != OG_TYPE_V2F32 || t->kind != OG_TEXT_REGISTER || t->register_kind == OG_OPERAND_VGPR)
      continue;
    if ((t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_NULL) || t->register_kind == OG_OPERAND_TTMP)
      continue; /* LLVM does not count them among the scalar ones */
    if ((m->inst.mod[OG_MOD_OP_SEL] | m->inst.mod[OG_MOD_OP_SEL_HI]) >> og_source_index(slot->role) & 1)
      return operand_error(in, t, "invalid op_sel operand");
  }
  return true;
}

/* DPP of 64-bit operands: up to gfx908 no 64-bit source; with an ALU for doubles only row_newbcast (row_share) for
   these and for other instructions done there. */
RULE(wide_dpp_allowed) {
  unsigned major = in->target->processor->major;
  bool newbcast = in->has.dpp_64bit && major == 9, only_share = newbcast || (in->has.dpp_64bit && major >= 12);
  if (c->form->variant != OG_VARIANT_DPP16 || (major > 9 && !only_share))
    return true;
  for (unsigned i = 0; i < c->count && i < text->operand_count; i++) {
    const struct og_text_operand *t = &text->operands[i];
    bool wide = t->kind == OG_TEXT_REGISTER && t->register_kind == OG_OPERAND_VGPR && t->dwords > 1;
    if (!wide && !(c->form->traits & OG_TRAIT_DOUBLE_ALU))
      continue;
    if (!only_share && !(c->places[i].slot->flags & OG_SLOT_WRITE))
      return operand_error(in, t, "invalid operand for instruction");
    const struct og_text_modifier *control = og_modifier_text(text, OG_MOD_DPP_CTRL);
    if (only_share && control && (m->inst.mod[OG_MOD_DPP_CTRL] & 0x1f0) != 0x150)
      return modifier_error(in, control,
                            newbcast ? "DP ALU dpp only supports row_newbcast" : "DP ALU dpp only supports row_share");
  }
  return true;
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static bool is_vector(const struct og_inst_reader *in, const struct og_candidate *c) {
  (void)in;
  return c->encoding >= OG_ENC_VOP1 && c->encoding <= OG_ENC_VOP3P;
}

static bool has_two_constants(const struct og_inst_reader *in, const struct og_candidate *c) {
  (void)in;
  unsigned count = 0;
  OG_FOR_SLOTS(slot, c->shape) {
    count += slot->takes == OG_TAKES_SGPR_LITERAL || slot->takes == OG_TAKES_VGPR_SGPR_LITERAL ||
             slot->takes == OG_TAKES_VGPR_LITERAL || slot->role == OG_ROLE_SIMM;
  }
  return count > 1;
}

static bool is_dpp16(const struct og_inst_reader *in, const struct og_candidate *c) {
  (void)in;
  return c->form->variant == OG_VARIANT_DPP16;
}

/* Where rules ask for plain registers and constants, too. */
static bool watches_registers(const struct og_inst_reader *in, const struct og_candidate *c) {
  bool watches = in->has.vgpr_align2 || in->has.mfma_inline_literal_bug || in->isa->generation == OG_GFX908 ||
                 c->encoding == OG_ENC_SOPK;
  for (unsigned i = 0; i < c->count; i++)
    watches |= c->places[i].slot && c->places[i].slot->flags & OG_SLOT_ONLY_VGPR;
  return watches;
}

/* In the order of checking, each with the forms it may concern for any text; two also apply to other forms if the text
 * has modifiers or operands that are not plain. */
#define IMAGE (1u << OG_ENC_MIMG)
static const struct {
  bool (*obeyed)(struct og_inst_reader *in, const struct og_candidate *c, const struct og_inst_text *text,
                 const struct og_match *m);
  uint32_t encodings, traits; /* sets: those of either; and what the function says */
  bool (*concerns)(const struct og_inst_reader *in, const struct og_candidate *c);
} rules[] = {[OG_SCALARS_RULE] = {within_constant_bus, 0, 0, is_vector},
             [OG_LITERALS_RULE] = {one_literal, 0, 0, has_two_constants},
             {image_dimension_fits, IMAGE, 0, NULL},
             {image_size_fits, IMAGE, 0, NULL},
             {image_address_fits, IMAGE, 0, NULL},
             {image_mask_fits, IMAGE, 0, NULL},
             {tfe_makes_sense, 1u << OG_ENC_MUBUF | 1u << OG_ENC_MTBUF, 0, NULL},
             [OG_REGISTERS_RULE] = {registers_allowed, 0, 0, watches_registers},
             {wide_dpp_allowed, 0, 0, is_dpp16},
             [OG_MODIFIERS_RULE] = {modifiers_allowed, 0, 0, NULL},
             {matrix_apart, 0, OG_TRAIT_MFMA | OG_TRAIT_ANY_FORMAT, NULL},
             {matrix_sizes_fit, 0, OG_TRAIT_MFMA | OG_TRAIT_ANY_FORMAT, NULL},
             {pairs_read_low, 1u << OG_ENC_VOP3P, 0, NULL}};

uint16_t og_rules_of(const struct og_inst_reader *in, const struct og_candidate *c) {
  unsigned set = 0;
  for (unsigned i = 0; i < OG_COUNT(rules); i++)
    set |= (unsigned)(rules[i].encodings >> c->encoding & 1 || rules[i].traits & c->form->traits ||
                      (rules[i].concerns && rules[i].concerns(in, c)))
           << i;
  return (uint16_t)set;
}

bool og_obeys_rules(struct og_inst_reader *in, const struct og_candidate *c, const struct og_inst_text *text,
                    const struct og_match *m, unsigned left) {
  for (; left; left &= left - 1)
    if (!rules[__builtin_ctz(left)].obeyed(in, c, text, m))
      return false;
  return true;
}
