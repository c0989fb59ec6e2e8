/* faithful.c - whether an instruction's text reads back to its code, by the tables: encoding gives the same bits, the
 * form takes the operands, the text says all of each modifier, and no form that is tried earlier has the same text. In
 * doubt the answer is no, and disassemblers write words. */
#include <stdio.h>
#include <string.h>

#include "isa/internal.h"
#include "isa/rules.h"

static bool is_image(const struct og_form *form) { return form->encoding == OG_ENC_MIMG; }

static bool is_vector(const struct og_operand *o) { return o->kind == OG_OPERAND_VGPR || o->kind == OG_OPERAND_AGPR; }

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static bool special_is_taken(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                             const struct og_operand *o) {
  bool exec = o->reg == OG_SPECIAL_EXEC_LO || o->reg == OG_SPECIAL_EXEC_HI, m0 = o->reg == OG_SPECIAL_M0,
       null = o->reg == OG_SPECIAL_NULL,
       constants = slot->takes >= OG_TAKES_SGPR_INLINE && slot->takes <= OG_TAKES_VGPR_LITERAL;
  bool xnack = o->reg == OG_SPECIAL_XNACK_MASK_LO || o->reg == OG_SPECIAL_XNACK_MASK_HI; /* the processor decides */
  if (!og_special_exists(isa, o->reg) || xnack || o->reg == OG_SPECIAL_LDS_DIRECT)
    return false;
  if (o->reg >= OG_SPECIAL_SHARED_BASE && (!constants || slot->flags & OG_SLOT_WRITE))
    return false;
  if (m0 ? slot->flags & OG_SLOT_NO_M0 : slot->flags & OG_SLOT_ONLY_M0)
    return false;
  if (exec && slot->flags & OG_SLOT_NO_EXEC)
    return false;
  if (null && (slot->flags & OG_SLOT_NO_NULL || is_image(form) ||
               (o->dwords > 2 && (slot->role == OG_ROLE_SRSRC || slot->role == OG_ROLE_SBASE))))
    return false;
  return !(form->encoding == OG_ENC_FLAT && (o->reg == OG_SPECIAL_EXEC_HI || (m0 && o->dwords > 1)));
}

/* Values that are written as a literal and read back as one with the same bits. */
static bool literal_is_said(const struct og_isa *isa, const struct og_slot *slot, const struct og_operand *o) {
  bool half = slot->type == OG_TYPE_F16 || slot->type == OG_TYPE_BF16 || slot->type == OG_TYPE_I16,
       wide = slot->type == OG_TYPE_F64 || slot->type == OG_TYPE_I64;
  if (wide && isa->gfx1250 && o->reg == OG_LITERAL)
    return o->value <= INT32_MAX;
  if (wide && o->flags & (OG_NEG | OG_ABS))
    return false;
  return half ? o->value <= UINT16_MAX : wide || o->reg != OG_LITERAL64;
}

static bool target_exists(const struct og_isa *isa, uint64_t target) {
  return target <= 9 || (target >= 12 && target <= 15) || (isa->gfx10 && (target == 16 || target == 20)) ||
         (isa->gfx11 && (target == 21 || target == 22)) || (!isa->gfx11 && target >= 32 && target <= 63);
}

static bool immediate_is_said(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                              uint64_t value) {
  if (form->encoding == OG_ENC_SOPK && form->size == 8 && og_slot_width(slot) == 32 &&
      og_inline_code(isa, value, OG_TYPE_F32) >= OG_CODE_REAL)
    return false;
  switch (slot->takes) {
  case OG_TAKES_WAITCNT:
    return !(value & ~(isa->gfx11                      ? 0xfff7u
                       : isa->gfx10                    ? 0xff7fu
                       : isa->generation >= OG_GFX900 ? 0xcf7fu
                                                       : 0xf7fu));
  case OG_TAKES_DELAY_ALU: return value <= 0x7ff;
  case OG_TAKES_SENDMSG: return !(value & ~(isa->gfx11 ? 0xffu : 0x37fu));
  case OG_TAKES_GPR_IDX_MODE: return value <= 15;
  case OG_TAKES_INTERP_SLOT: return value <= 2;
  case OG_TAKES_ATTR: return value <= 32;
  case OG_TAKES_EXP_TARGET: return target_exists(isa, value);
  case OG_TAKES_KIMM: /* a number of 32 bits is read as the upper half of 64 */
    return slot->dwords == 2 ? !(uint32_t)value || (value >> 32 && (int64_t)value != (int32_t)value)
                             : slot->type != OG_TYPE_F16 || value <= UINT16_MAX;
  default: return true;
  }
}

/* Constants that read as literals, or not at all. */
static bool inline_is_said(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                           unsigned code) {
  bool real = code >= OG_CODE_REAL, pi = code == OG_CODE_1_OVER_2PI;
  switch (slot->type) {
  case OG_TYPE_V2F16_LITERAL: return false;
  case OG_TYPE_I16: return !real;
  case OG_TYPE_V2F16: case OG_TYPE_V2F16_SPLAT:
    return form->encoding != OG_ENC_VOP2 || !(isa->gfx11 ? real : pi);
  case OG_TYPE_BF16: case OG_TYPE_V2BF16:
    return !pi || (form->variant == OG_VARIANT_NONE && form->encoding != OG_ENC_VOPD);
  default: return !pi || !(slot->flags & OG_SLOT_INTEGER);
  }
}

static bool operand_is_said(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                            const struct og_operand *o) {
  bool vector = is_vector(o);
  switch (o->kind) {
  case OG_OPERAND_SGPR:
    if (o->reg + OG_MAX(o->dwords, 1u) > isa->sgprs)
      return false;
    break;
  case OG_OPERAND_SPECIAL:
    if (!special_is_taken(isa, form, slot, o))
      return false;
    break;
  case OG_OPERAND_INLINE:
    if (!inline_is_said(isa, form, slot, o->reg))
      return false;
    break;
  case OG_OPERAND_TTMP:
    if (o->reg + OG_MAX(o->dwords, 1u) > og_ttmps(isa))
      return false;
    break;
  case OG_OPERAND_LITERAL: return form->literal_ok && literal_is_said(isa, slot, o);
  case OG_OPERAND_IMMEDIATE: return immediate_is_said(isa, form, slot, o->value);
  case OG_OPERAND_OFF: return !o->reg;
  default: break;
  }
  if (slot->flags & OG_SLOT_ONLY_VGPR && o->kind != OG_OPERAND_VGPR)
    return false;
  if (form->encoding == OG_ENC_SOPK && form->traits & OG_TRAIT_WAIT && isa->gfx11)
    return o->kind == OG_OPERAND_SPECIAL && o->reg == OG_SPECIAL_NULL;
  if (form->row_flags & OG_FLAG_GWS && isa->gfx90a && vector && o->reg & 1)
    return false;
  if (isa->generation == OG_GFX908 && form->encoding == OG_ENC_VOP3P && slot->role == OG_ROLE_SRC0 && !vector &&
      o->kind != OG_OPERAND_INLINE && og_slots(&og_shapes[form->shape])[0].takes == OG_TAKES_AGPR)
    return false;
  if (slot->flags & OG_SLOT_ONLY_M0 && o->kind != OG_OPERAND_SPECIAL && o->kind != OG_OPERAND_INLINE)
    return false;
  if (!vector && form->suffix == OG_SUFFIX_E64_DPP && slot->role == OG_ROLE_SRC1)
    return isa->generation > OG_GFX11; /* see the features */
  return !(form->variant == OG_VARIANT_SDWA && !vector && isa->generation == OG_GFX8 &&
           !(slot->flags & OG_SLOT_WRITE) && slot->takes != OG_TAKES_VCC);
}

/* ---- modifiers --------------------------------------------------------------------------------------------------- */

static bool dpp_control_exists(const struct og_isa *isa, const struct og_inst *inst, unsigned control) {
  bool wide = false;
  for (unsigned i = isa->gfx90a ? 0 : 1; i < inst->operand_count; i++)
    wide |= is_vector(&inst->operands[i]) && inst->operands[i].dwords > 1;
  if (wide && !isa->gfx10 && !isa->gfx90a)
    return false;
  if (wide && (isa->gfx90a || isa->gfx1250))
    return control >= 0x150 && control <= 0x15f;
  unsigned kind = control >> 4, lane = control & 15;
  switch (kind) {
  case 0x10: case 0x11: case 0x12: return lane;
  case 0x13: return !isa->gfx10 && lane % 4 == 0;
  case 0x14: return lane < (isa->gfx10 ? 2 : 4);
  case 0x15: return isa->gfx90a || isa->gfx10;
  case 0x16: return isa->gfx10;
  default: return kind < 0x10;
  }
}

/* gfx12's hints: for atomics those that do not cascade, for scalar loads the first four. */
static bool hint_is_said(const struct og_isa *isa, const struct og_form *form, const struct og_shape *shape,
                         uint32_t value) {
  uint32_t hint = value & 7, most = form->row_flags & OG_FLAG_ATOMIC || form->encoding == OG_ENC_SMEM ? 3 : 6;
  if (value & OG_CPOL_NV && !isa->gfx1250)
    return false;
  if (value & OG_CPOL_SCALE_OFFSET && (!isa->gfx1250 || !og_scales_offset(form, shape)))
    return false;
  return hint <= most && !(hint == 3 && form->row_flags & OG_FLAG_ATOMIC && (value >> 3 & 3) == 3);
}

static bool policy_is_said(const struct og_isa *isa, const struct og_form *form, const struct og_shape *shape,
                           uint32_t value, int32_t offset) {
  if (isa->gfx12)
    return hint_is_said(isa, form, shape, value);
  uint32_t printed = OG_CPOL_GLC | OG_CPOL_SLC | (isa->gfx10 ? OG_CPOL_DLC : 0) | (isa->gfx90a ? OG_CPOL_SCC : 0);
  bool is_first = form->encoding == OG_ENC_FLAT && form->row_flags & OG_FLAG_ATOMIC && !isa->gfx940 &&
                  (value & ~(uint32_t)OG_CPOL_DLC) == OG_CPOL_SCC && !offset; /* a register's name, too */
  return !(value & ~printed) && !is_first;
}

/* What ds_swizzle_b32 does with the lanes, and which bits the name of that mode does not express. */
static bool swizzle_is_said(const struct og_isa *isa, uint32_t value) {
  uint32_t and = value & 31, or = value >> 5 & 31, xor = value >> 10 & 31;
  if (isa->generation >= OG_GFX900 && value >= 0xc000)
    return !(value & ~(value >= 0xe000 ? 0xe01fu : 0xc7e0u));
  return value & 0x8000 || (!(or & and) && !(xor & ~and));
}

/* Scalar memory: instructions that count from a buffer's start; flat memory: one bit less if the offset has no
 * sign. */
static bool offset_is_said(const struct og_isa *isa, const struct og_form *form, const struct og_piece *piece,
                           bool is_signed, int32_t value) {
  const struct og_shape *shape = &og_shapes[form->shape];
  if (form->encoding == OG_ENC_FLAT)
    return !value || (isa->generation >= OG_GFX900 && (is_signed || value < 1 << (piece->to + piece->width - 1)));
  if (form->encoding != OG_ENC_SMEM)
    return true;
  return piece->width == 32 ? (uint32_t)value > UINT8_MAX : value >= 0 || !og_is_scalar_buffer(form, shape);
}

bool og_offset_is_said(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                       int32_t value) {
  return offset_is_said(isa, form, &slot->pieces[0], true, value);
}

static bool is_printed(const struct og_shape *shape, const struct og_mod_slot *slot) {
  const char *program = og_program(shape);
  while (*program && !(program[0] == 2 && program[1] == slot - og_mods(shape) + 1))
    program++;
  return *program;
}

/* Halves, which some instructions cannot choose. */
static bool selection_is_said(const struct og_isa *isa, const struct og_inst *inst, const struct og_form *form,
                              const struct og_shape *shape, bool printed) {
  int32_t low = inst->mod[OG_MOD_OP_SEL], high = inst->mod[OG_MOD_OP_SEL_HI];
  bool packed = form->encoding == OG_ENC_VOP3P;
  if (form->traits & OG_TRAIT_LANE_CONTROLS)
    return !(low & ~3);
  if (form->traits & OG_TRAIT_DOT && (isa->gfx940 || !packed))
    if (packed ? low : low & 3)
      return false;
  for (unsigned i = 0, next = 0; i < shape->slot_count; i++) {
    const struct og_slot *slot = &og_slots(shape)[i];
    const struct og_operand *o = slot->takes == OG_TAKES_OFFSET ? NULL : &inst->operands[next++];
    bool added_to = o && slot->role == OG_ROLE_VDST && slot->flags & OG_SLOT_HALF && slot->flags & OG_SLOT_READ;
    if (added_to && low & 8 && !(low & 4))
      return false;
    bool source = o && slot->role >= OG_ROLE_SRC0 && slot->role <= OG_ROLE_SRC2;
    if (source && form->traits & OG_TRAIT_DOT && isa->gfx940 && packed && !(high >> og_source_index(slot->role) & 1))
      return false;
    bool chosen = source && o->kind != OG_OPERAND_VGPR;
    if (chosen && !printed && slot->flags & OG_SLOT_HALF && low >> og_source_index(slot->role) & 1)
      return false;
    if (chosen && isa->gfx12 && slot->type == OG_TYPE_V2F32 && (low | high) >> og_source_index(slot->role) & 1)
      return false;
  }
  return true;
}

bool og_modifier_is_said(const struct og_isa *isa, const struct og_inst *inst, const struct og_form *form,
                         const struct og_mod_slot *slot) {
  const struct og_shape *shape = &og_shapes[form->shape];
  int32_t value = inst->mod[slot->mod];
  switch (slot->mod) {
  case OG_MOD_CPOL:
    if (value && !is_printed(shape, slot)) /* gfx90a's buffer_wbl2 */
      return false;
    return policy_is_said(isa, form, shape, (uint32_t)value, inst->mod[OG_MOD_OFFSET]);
  case OG_MOD_DPP_CTRL: return dpp_control_exists(isa, inst, (uint32_t)value);
  case OG_MOD_DST_UNUSED: return value < 3;
  case OG_MOD_MATRIX_A_FMT: case OG_MOD_MATRIX_B_FMT: return value <= 4;
  case OG_MOD_MATRIX_A_SCALE: case OG_MOD_MATRIX_B_SCALE: return value <= 1;
  case OG_MOD_MATRIX_A_SCALE_FMT: case OG_MOD_MATRIX_B_SCALE_FMT: return value <= 2;
  case OG_MOD_GDS: return !value || !isa->gfx90a;
  case OG_MOD_OFFSET:
    return slot->style == OG_STYLE_SWIZZLE
               ? swizzle_is_said(isa, (uint32_t)value)
               : offset_is_said(isa, form, &slot->pieces[0], slot->style == OG_STYLE_SIGNED, value);
  case OG_MOD_CLAMP: return !value || isa->generation >= OG_GFX8 || !og_has_integer_result(shape);
  case OG_MOD_OP_SEL: case OG_MOD_OP_SEL_HI: return selection_is_said(isa, inst, form, shape, is_printed(shape, slot));
  default: return true;
  }
}

/* ---- the instruction as a whole ---------------------------------------------------------------------------------- */

/* How many scalar values an instruction of the vector ALU may read. */
static bool within_constant_bus(const struct og_isa *isa, const struct og_inst *inst, const struct og_form *form,
                                const struct og_shape *shape) {
  if (form->encoding < OG_ENC_VOP1 || form->encoding > OG_ENC_VOP3P)
    return true;
  struct og_scalar_values values = og_implicit_scalar_values(isa, form);
  unsigned next = 0;
  OG_FOR_SLOTS(slot, shape) {
    if (slot->takes != OG_TAKES_OFFSET && !og_add_scalar_value(&values, slot, &inst->operands[next++]))
      return false;
  }
  return values.count <= values.most;
}

/* Data and addresses have as many registers as masks, dimension and kind ask for. */
static bool image_is_whole(const struct og_isa *isa, const struct og_inst *inst, const struct og_form *form) {
  const struct og_operand *data = og_operand(inst, OG_ROLE_VDATA);
  data = data ? data : og_operand(inst, OG_ROLE_VDST);
  unsigned dmask = (unsigned)inst->mod[OG_MOD_DMASK], places, held = og_image_addresses(inst, &places);
  bool atomic = form->row_flags & OG_FLAG_ATOMIC, gather = form->row_flags & OG_FLAG_GATHER4;
  if (form->counters & OG_COUNTER_TENSOR)
    return !inst->mod[OG_MOD_R128];
  if (!data)
    return false;
  if ((atomic && dmask != 1 && dmask != 3 && dmask != 15) || (gather && __builtin_popcount(dmask) != 1))
    return false;
  if (form->address & OG_IMAGE_RAY)
    return isa->gfx12 || held == og_ray_address_words(form, inst->mod[OG_MOD_A16]); /* gfx12 fixes each part's size */
  if (data->dwords != og_image_data_words(isa, form, inst) || (inst->mod[OG_MOD_D16] && isa->generation < OG_GFX8))
    return false;
  if (!isa->gfx10)
    return true;
  unsigned words = og_image_address_words(form, (unsigned)inst->mod[OG_MOD_DIM], inst->mod[OG_MOD_A16] != 0);
  if (form->traits & OG_TRAIT_MSAA && inst->mod[OG_MOD_DIM] < 6)
    return false;
  return held == words || (places == 1 && held == 16 && words > 12);
}

/* Large matrices are written while they are read: the addend is the result itself or shares nothing with it. */
static bool matrix_is_apart(const struct og_isa *isa, const struct og_inst *inst, const struct og_form *form) {
  const struct og_operand *a = og_operand(inst, OG_ROLE_SRC2);
  if (form->traits & OG_TRAIT_MFMA && isa->generation == OG_GFX908 && a && a->kind == OG_OPERAND_INLINE)
    return false;
  return !(form->traits & OG_TRAIT_MFMA) || !og_matrix_overlaps(inst);
}

static bool is_whole_number(enum og_type type) {
  return type == OG_TYPE_B32 || type == OG_TYPE_I32 || type == OG_TYPE_I64;
}

/* A literal that is read twice is written twice. */
static bool literals_agree(const struct og_inst *inst, const struct og_shape *shape) {
  const struct og_slot *first = NULL;
  unsigned next = 0;
  OG_FOR_SLOTS(slot, shape) {
    if (slot->takes == OG_TAKES_OFFSET)
      continue;
    const struct og_operand *o = &inst->operands[next++];
    if (o->kind != OG_OPERAND_LITERAL && slot->takes != OG_TAKES_KIMM)
      continue;
    if (first && slot->takes == OG_TAKES_KIMM && slot->dwords == 2)
      return false; /* one is the upper half of 64 bits, the other may be a constant of fewer */
    bool same = !first || (first->type == slot->type && first->dwords == slot->dwords);
    if (!same && !(is_whole_number(first->type) && is_whole_number(slot->type)))
      return false;
    first = slot;
  }
  return true;
}

static bool has_fixed_policy(const struct og_shape *shape) {
  OG_FOR_MODS(mod, shape)
    if (mod->style == OG_STYLE_RETURN)
      return true;
  return false;
}

/* Whether two forms may have the same text: the same parts with the same kinds of operands. */
static bool alike(const struct og_shape *a, const struct og_shape *b) {
  if (a->slot_count != b->slot_count || a->program != b->program ||
      has_fixed_policy(a) != has_fixed_policy(b))
    return false;
  for (unsigned i = 0; i < a->slot_count; i++) {
    const struct og_slot *x = &og_slots(a)[i], *y = &og_slots(b)[i];
    bool word = x->pieces[0].width == 32 || y->pieces[0].width == 32; /* gfx7's offset, which is large then */
    if (word || x->takes != y->takes || (x->sizes && !(x->sizes & y->sizes)))
      return false;
  }
  return true;
}

/* Whether a form that is tried before may take the text. */
static bool is_shadowed(const struct og_isa *isa, const struct og_form *form, const struct og_shape *shape) {
  const uint16_t *forms;
  size_t count = og_find_forms(isa, og_text(og_form_name(form)), &forms);
  for (size_t i = 0; i < count && og_form(isa, forms[i]) != form; i++) {
    const struct og_form *other = og_form(isa, forms[i]);
    const struct og_shape *its = &og_shapes[other->shape];
    bool shorter = form->suffix == OG_SUFFIX_NONE && form->encoding != OG_ENC_SMEM && other->size < form->size &&
                   its->slot_count == shape->slot_count;
    if (og_is_here(isa, other) && other->variant == form->variant &&
        (shorter || (other->suffix == form->suffix && alike(its, shape))))
      return true;
  }
  return false;
}

/* Whether the same text may be a pair in two words, whose results are an even and an odd register. */
static bool may_be_short(const struct og_isa *isa, const struct og_inst *inst, const struct og_form *form) {
  const struct og_operand *x = og_operand(inst, OG_ROLE_VDST), *y = og_operand(inst, OG_ROLE_VDST_Y);
  if (x && y && !((x->reg ^ y->reg) & 1))
    return false;
  const uint16_t *forms;
  size_t count = og_find_pairs(isa, form->row, form->second, &forms);
  for (size_t i = 0; i < count; i++)
    if (og_form(isa, forms[i])->size == 8 && og_is_here(isa, og_form(isa, forms[i])))
      return true;
  return false;
}

/* On gfx1250 a pair may have two encodings: the longer one says more, or is taken for its first half. */
static bool pair_is_said(const struct og_isa *isa, const struct og_inst *inst, const struct og_form *form) {
  unsigned at;
  bool longer = form->size == 12 && !form->literal_ok, says_more = false;
  for (unsigned i = 0; i < inst->operand_count; i++)
    says_more |= (inst->operands[i].flags & OG_NEG && is_vector(&inst->operands[i])) || inst->operands[i].dwords > 1 ||
                 inst->operands[i].role == OG_ROLE_SRC2 || inst->operands[i].role == OG_ROLE_SRC2_Y;
  if (isa->gfx1250 && (longer ? !says_more && may_be_short(isa, inst, form) : form->traits & OG_TRAIT_LLVM_WIDE_FIRST))
    return false;
  return !og_pair_fault(isa, inst, false, &at);
}

/* A store has no TFE, though there are bits for it. */
static bool stores_status(const struct og_isa *isa, const struct og_form *form) {
  unsigned tfe = isa->gfx12 ? 22 : isa->gfx11 ? 53 : 55;
  return (form->encoding == OG_ENC_MUBUF || form->encoding == OG_ENC_MTBUF) &&
         (form->row_flags & (OG_FLAG_LOAD | OG_FLAG_STORE)) == OG_FLAG_STORE &&
         form->value[0] >> tfe & 1;
}

/* A compressed export has both channels of a register or none. */
static bool export_is_said(const struct og_inst *inst) {
  for (unsigned i = 1; inst->mod[OG_MOD_COMPR] && i + 1 < inst->operand_count; i += 2)
    if (inst->operands[i].kind != inst->operands[i + 1].kind)
      return false;
  return true;
}

static bool parts_are_said(const struct og_isa *isa, const struct og_inst *inst, const struct og_form *form,
                           const struct og_shape *shape) {
  unsigned next = 0;
  if (!shape->slot_count && form->variant != OG_VARIANT_NONE)
    return false; /* v_nop */
  OG_FOR_SLOTS(slot, shape) {
    if (slot->takes == OG_TAKES_OFFSET ? !og_offset_is_said(isa, form, slot, inst->mod[OG_MOD_OFFSET])
                                       : !operand_is_said(isa, form, slot, &inst->operands[next++]))
      return false;
  }
  OG_FOR_MODS(mod, shape)
    if (!og_modifier_is_said(isa, inst, form, mod))
      return false;
  return true;
}

bool og_form_is_said(const struct og_isa *isa, const struct og_form *form) {
  return !stores_status(isa, form) && !is_shadowed(isa, form, &og_shapes[form->shape]);
}

bool og_operand_is_said(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                        const struct og_operand *o, uint64_t bits) {
  bool aligned = o->kind == OG_OPERAND_SGPR    ? bits == o->reg
                 : o->kind == OG_OPERAND_TTMP ? bits == isa->ttmp + o->reg
                                              : o->kind != OG_OPERAND_SPECIAL || slot->takes == OG_TAKES_VCC ||
                                                    bits == (uint64_t)og_special_code(isa, o->reg);
  return aligned && !og_operand_fault(isa, form, slot, o) && operand_is_said(isa, form, slot, o);
}

bool og_reads_back(const struct og_isa *isa, const struct og_inst *inst, const uint8_t *code) {
  const struct og_form *form = og_form(isa, inst->form);
  const struct og_shape *shape = &og_shapes[form->shape];
  uint8_t again[32];
  char why[64];
  return og_encode(isa, inst, again) == inst->size && !memcmp(again, code, inst->size) &&
         og_inst_valid(isa, inst, why, sizeof why) && parts_are_said(isa, inst, form, shape) &&
         within_constant_bus(isa, inst, form, shape) && literals_agree(inst, shape) &&
         (!is_image(form) || image_is_whole(isa, inst, form)) && matrix_is_apart(isa, inst, form) &&
         (form->encoding != OG_ENC_EXP || export_is_said(inst)) &&
         (form->encoding != OG_ENC_VOPD || pair_is_said(isa, inst, form)) && og_form_is_said(isa, form);
}
