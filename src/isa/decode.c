/* decode.c - bits to struct og_inst, by the tables. */
#include <string.h>

#include "isa/internal.h"
#include "isa/rules.h"

/* A scalar operand of `dwords` registers that starts at `code`; LLVM ignores the low bits of
 * misaligned tuples, and so do we. */
static bool scalar_register(const struct og_isa *isa, unsigned code, unsigned dwords, struct og_operand *operand) {
  unsigned align = dwords == 1 ? 1 : dwords == 2 ? 2 : 4;
  dwords = dwords > 16 ? 16 : dwords == 6 ? 5 : dwords; /* for vector registers: the tuples that LLVM reads */
  operand->dwords = (uint8_t)dwords;
  unsigned first = code & ~(align - 1);
  if (code < isa->sgprs) {
    operand->kind = OG_OPERAND_SGPR;
    operand->reg = (uint16_t)first;
    operand->value = isa->marks ? code - first : 0;
    return first + dwords <= OG_SGPRS_MOST;
  }
  if (code >= isa->ttmp && code < isa->ttmp + og_ttmps(isa)) {
    first = (code - isa->ttmp) & ~(align - 1);
    dwords = dwords == 3 && isa->marks ? 8 : dwords; /* LLVM has no tuples of three, and reads eight */
    operand->kind = OG_OPERAND_TTMP;
    operand->dwords = (uint8_t)dwords;
    operand->reg = (uint16_t)first;
    operand->value = isa->marks ? code - isa->ttmp - first : 0;
    return first + dwords <= 16 && dwords != 3;
  }
  operand->kind = OG_OPERAND_SPECIAL;
  operand->reg = (uint16_t)og_special_of(isa, code, dwords);
  return operand->reg != OG_SPECIAL_COUNT;
}

/* Whether a short encoding that also names halves has that vector register. LLVM reads sources past v127 and tuples
 * past v255, but no results past them. */
static bool is_low_enough(const struct og_isa *isa, const struct og_slot *slot, unsigned code) {
  return !(slot->flags & OG_SLOT_LOW && code & 128) || (isa->marks && !(slot->flags & OG_SLOT_WRITE));
}

/* A 9-bit source (8-bit for scalar instructions); bit 9 chooses AGPRs. Literals are read by the caller. */
static bool source(const struct og_isa *isa, const struct og_slot *slot, unsigned code, struct og_operand *operand) {
  if (code & OG_CODE_VECTOR) {
    operand->kind = code & 512 ? OG_OPERAND_AGPR : OG_OPERAND_VGPR;
    operand->reg = (uint16_t)(code & 255);
    operand->dwords = og_dwords(isa, slot);
    if (operand->kind == OG_OPERAND_VGPR)
      return is_low_enough(isa, slot, code);
    return operand->reg + operand->dwords <= OG_VECTOR_REGISTERS;
  }
  code &= 255;
  if ((code >= OG_CODE_0 && code <= OG_CODE_MINUS_16) ||
      (code >= OG_CODE_REAL && code <= OG_CODE_1_OVER_2PI)) {
    if (code == OG_CODE_1_OVER_2PI && isa->generation < OG_GFX8)
      return false;
    operand->kind = OG_OPERAND_INLINE;
    operand->reg = (uint16_t)code;
    operand->value = og_inline_value(code, slot->type);
    return true;
  }
  if (code == OG_LITERAL || (code == OG_LITERAL64 && isa->gfx1250)) {
    operand->kind = OG_OPERAND_LITERAL;
    operand->reg = (uint16_t)code;
    return true;
  }
  return scalar_register(isa, code, og_dwords(isa, slot), operand);
}

static bool vector(const struct og_isa *isa, const struct og_slot *slot, unsigned code, bool accumulation,
                   struct og_operand *operand) {
  operand->kind = accumulation ? OG_OPERAND_AGPR : OG_OPERAND_VGPR;
  operand->reg = (uint16_t)(code & 255);
  operand->dwords = og_dwords(isa, slot);
  return accumulation ? operand->reg + operand->dwords <= OG_VECTOR_REGISTERS : is_low_enough(isa, slot, code);
}

bool og_decode_slot(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                        const uint64_t *words, struct og_inst *inst) {
  struct og_operand *operand = &inst->operands[inst->operand_count];
  if (slot->takes == OG_TAKES_OFFSET) {
    uint32_t offset = (uint32_t)og_gather(words, slot->pieces, 2);
    inst->mod[OG_MOD_OFFSET] =
        slot->flags & OG_SLOT_SIGNED ? og_sign_extend(offset, og_slot_width(slot)) : (int32_t)offset;
    return true;
  }
  uint64_t field = og_gather(words, slot->pieces, 2);
  uint32_t code = (uint32_t)field;
  memset(operand, 0, sizeof(*operand));
  operand->role = slot->role;
  inst->operand_count++;
  switch (slot->takes) {
  case OG_TAKES_VGPR: case OG_TAKES_AGPR: case OG_TAKES_VGPR_AGPR: {
    if (form->variant == OG_VARIANT_SDWA && slot->role != OG_ROLE_VDST)
      return code & 256 ? source(isa, slot, code & 255, operand) : vector(isa, slot, code, false, operand);
    if (og_names_any_source(slot) && (form->encoding != OG_ENC_VINTERP || !(slot->flags & OG_SLOT_HALF)))
      return source(isa, slot, code | (slot->takes == OG_TAKES_AGPR ? 512 : 0), operand);
    return vector(isa, slot, code, slot->takes == OG_TAKES_AGPR || (code & 512), operand);
  }
  case OG_TAKES_SGPR:
    if (og_slot_width(slot) >= 8 && slot->role == OG_ROLE_SDST && form->variant == OG_VARIANT_SDWA) {
      /* VOPC SDWA: bit 7 says that a register is named, else VCC. */
      operand->kind = OG_OPERAND_SPECIAL;
      operand->reg = OG_SPECIAL_VCC_LO;
      operand->dwords = og_dwords(isa, slot);
      return !(code & 128) || scalar_register(isa, code & 127, og_dwords(isa, slot), operand);
    }
    return source(isa, slot, code, operand);
  case OG_TAKES_VCC:
    operand->kind = OG_OPERAND_SPECIAL;
    operand->reg = OG_SPECIAL_VCC_LO;
    operand->dwords = isa->wave == 32 ? 1 : 2;
    return true;
  case OG_TAKES_SGPR_INLINE:
  case OG_TAKES_SGPR_LITERAL:
  case OG_TAKES_VGPR_SGPR_INLINE:
  case OG_TAKES_VGPR_SGPR_LITERAL:
  case OG_TAKES_VGPR_INLINE: case OG_TAKES_AGPR_INLINE: case OG_TAKES_VGPR_LITERAL:
    if (form->variant == OG_VARIANT_SDWA) /* bit 8 set: scalar */
      return code & 256 ? source(isa, slot, code & 255, operand) && operand->kind != OG_OPERAND_LITERAL
                        : vector(isa, slot, code, false, operand);
    if (slot->takes == OG_TAKES_AGPR_INLINE)
      code |= 512;
    return source(isa, slot, code, operand);
  case OG_TAKES_SIMM: case OG_TAKES_BRANCH:
    operand->kind = OG_OPERAND_IMMEDIATE;
    operand->value = (uint64_t)(int64_t)(int16_t)code;
    return true;
  default:
    operand->kind = OG_OPERAND_IMMEDIATE;
    operand->value = field;
    return true;
  }
}

/* Source modifiers become flags of the operand or bits of the packed modifiers. */
static void decode_modifiers(const struct og_shape *shape, const struct og_slot *slot, unsigned index, uint32_t bits,
                             struct og_operand *operand, struct og_inst *inst) {
  if (shape->flags & OG_SHAPE_PACKED) {
    inst->mod[OG_MOD_NEG_LO] |= (int32_t)(bits & 1) << index;
    inst->mod[OG_MOD_NEG_HI] |= (int32_t)(bits >> 1 & 1) << index;
  } else if (slot->flags & OG_SLOT_SEXT) {
    operand->flags |= bits & 16 ? OG_SEXT : 0;
  } else {
    operand->flags |= slot->flags & OG_SLOT_NEG_ABS ? (uint8_t)(bits & 3) : 0;
  }
  if (shape->flags & OG_SHAPE_OP_SEL_HI) {
    inst->mod[OG_MOD_OP_SEL] |= (int32_t)(bits >> 2 & 1) << index;
    inst->mod[OG_MOD_OP_SEL_HI] |= (int32_t)(bits >> 3 & 1) << index;
  } else if (shape->flags & OG_SHAPE_OP_SEL) {
    inst->mod[OG_MOD_OP_SEL] |= (int32_t)(bits >> 2 & 1) << index;
    inst->mod[OG_MOD_OP_SEL] |= index == 0 ? (int32_t)(bits >> 3 & 1) << 3 : 0;
  }
}

unsigned og_image_address_words(const struct og_form *form, unsigned dim, bool a16) {
  static const uint8_t coordinates[] = {1, 2, 3, 3, 2, 3, 3, 4}, gradients[] = {2, 4, 6, 4, 2, 4, 4, 4};
  unsigned has = form->address, parts = has & OG_IMAGE_NO_COORDINATES ? 0 : coordinates[dim & 7],
           before = has & (OG_IMAGE_OFFSET | OG_IMAGE_BIAS | OG_IMAGE_COMPARE),
           behind = has & (OG_IMAGE_LOD | OG_IMAGE_MIP | OG_IMAGE_CLAMP), slopes = gradients[dim & 7];
  parts += (unsigned)__builtin_popcount(behind);
  unsigned words = (unsigned)__builtin_popcount(before) + (a16 ? (parts + 1) / 2 : parts);
  if (has & OG_IMAGE_DERIVATIVES)
    words += has & OG_IMAGE_G16 ? (slopes / 2 + 1) / 2 * 2 : slopes;
  return words;
}

static unsigned address_count(const struct og_shape *shape) {
  unsigned count = 0;
  OG_FOR_SLOTS(slot, shape)
    count += og_is_image_address(slot->role);
  return count;
}

/* The form like `form` with another number of addresses, or NULL. Forms of a row stand together. */
static const struct og_form *with_addresses(const struct og_isa *isa, const struct og_form *form, unsigned count) {
  const struct og_tables *tables = og_all_tables[isa->generation];
  const struct og_shape *shape = &og_shapes[form->shape];
  unsigned others = shape->slot_count - address_count(shape);
  const struct og_form *first = form, *end = tables->forms + tables->form_count;
  while (first > tables->forms && first[-1].row == form->row)
    first--;
  for (const struct og_form *other = first; other < end && other->row == form->row; other++) {
    const struct og_shape *candidate = &og_shapes[other->shape];
    unsigned addresses = address_count(candidate);
    if (addresses == count && candidate->slot_count - addresses == others && other->encoding == form->encoding)
      if (count > 1 || isa->gfx12) /* a lone address stands in the first words */
        return other;
  }
  return NULL;
}

static bool fits(const struct og_slot *slot, const struct og_operand *operand, unsigned dwords) {
  return operand->dwords == dwords ||
         (dwords >= 1 && dwords <= 32 && slot->sizes >> (dwords - 1) & 1 &&
          operand->reg + dwords <= OG_VECTOR_REGISTERS);
}

static struct og_operand *last_address(const struct og_shape *shape, struct og_inst *inst,
                                       const struct og_slot **slot) {
  for (unsigned i = shape->slot_count; i-- > 0;)
    if (og_is_image_address(og_slots(shape)[i].role)) {
      *slot = &og_slots(shape)[i];
      return &inst->operands[i];
    }
  return NULL;
}

static bool decode_form(const struct og_isa *isa, const struct og_form *form, const uint64_t *words,
                        const uint8_t *code, size_t size, struct og_inst *inst);

/* Gives data and addresses as many registers as dmask, dim and similar fields ask for. Without such a
   form or register all stays as decoded, as in LLVM. From gfx10 on the dimension says how
   many address words there are. */
static void size_image(const struct og_isa *isa, const struct og_form *form, const uint64_t *words, const uint8_t *code,
                       size_t size, struct og_inst *inst) {
  const struct og_shape *shape = &og_shapes[form->shape];
  bool dim = og_mod_slot_of(shape, OG_MOD_DIM), other = false;
  unsigned addresses = address_count(shape), last = 0;
  if (dim) {
    last = og_image_address_words(form, (unsigned)inst->mod[OG_MOD_DIM], inst->mod[OG_MOD_A16]);
    if (addresses > 1 || isa->gfx12) {
      if (last < addresses) {
        other = true;
        if (!(form = with_addresses(isa, form, last)))
          return;
        shape = &og_shapes[form->shape];
      }
      last = last < addresses ? 1 : last - addresses + 1;
    } else if (last > 12) {
      last = 16;
    }
  }
  struct og_inst sized = *inst;
  if (other && !decode_form(isa, form, words, code, size, &sized))
    return;
  const struct og_slot *slot = NULL;
  struct og_operand *operand = last_address(shape, &sized, &slot);
  if (last && operand) {
    if (!fits(slot, operand, last))
      return;
    operand->dwords = (uint8_t)last;
  }
  unsigned data = og_image_data_words(isa, form, inst);
  for (unsigned i = 0; i < sized.operand_count; i++) {
    operand = &sized.operands[i];
    if (operand->role != OG_ROLE_VDATA && operand->role != OG_ROLE_VDST)
      continue;
    if (!fits(&og_slots(shape)[i], operand, data) || (isa->gfx90a && data > 1 && operand->reg & 1))
      return;
    operand->dwords = (uint8_t)data;
  }
  sized.form = (uint16_t)(form - og_all_tables[isa->generation]->forms);
  sized.size = inst->size;
  *inst = sized;
}

/* Buffers' addressing modes: these bits are fixed in a form, so no modifier reads them. */
static void decode_buffer_modes(const struct og_isa *isa, const uint64_t *words, struct og_inst *inst) {
  unsigned offen = isa->gfx12 ? 62 : isa->gfx11 ? 54 : 12;
  inst->mod[OG_MOD_OFFEN] = words[0] >> offen & 1;
  inst->mod[OG_MOD_IDXEN] = words[0] >> (offen + 1) & 1;
  inst->mod[OG_MOD_ADDR64] = isa->generation <= OG_GFX7 && (words[0] >> 15 & 1);
  inst->mod[OG_MOD_LDS] = inst->encoding == OG_ENC_MUBUF && isa->generation < OG_GFX11 && (words[0] >> 16 & 1);
}

/* Registers of 8-, 6- or 4-bit matrices, by their formats. Only vector registers hold them; disassemblers read others
 * too. */
static bool size_matrices(const struct og_isa *isa, const struct og_shape *shape, struct og_inst *inst) {
  const int32_t formats[] = {inst->mod[OG_MOD_CBSZ] | inst->mod[OG_MOD_MATRIX_A_FMT],
                             inst->mod[OG_MOD_BLGP] | inst->mod[OG_MOD_MATRIX_B_FMT]};
  bool known = !isa->gfx12 || (formats[0] <= 4 && formats[1] <= 4); /* else LLVM takes both for 8-bit ones */
  for (unsigned i = 1; i < 3; i++) {
    struct og_operand *operand = &inst->operands[i];
    unsigned dwords = og_slots(shape)[i].dwords;
    if (operand->kind != OG_OPERAND_VGPR && operand->kind != OG_OPERAND_AGPR && !isa->marks)
      return false;
    int32_t format = known ? formats[i - 1] : 0;
    if (operand->kind == OG_OPERAND_INLINE) { /* LLVM reads it as a register with the number 0 */
      operand->value = format >= 2 && format <= 4 ? 0 : operand->value;
      continue;
    }
    operand->dwords = (uint8_t)(format == 2 || format == 3 ? dwords / 4 * 3 : format == 4 ? dwords / 2 : dwords);
  }
  return true;
}

/* One destination of VOPD is even, the other odd: the second's lowest bit is not encoded. */
static void decode_pair(const struct og_shape *shape, struct og_inst *inst) {
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (og_slots(shape)[i].role == OG_ROLE_VDST_Y && og_slots(shape)[i].pieces[0].to == 1)
      inst->operands[i].reg |= !(inst->operands[0].reg & 1);
}

/* Disabled channels are "off"; compressed exports name two registers, each for two channels. */
static void decode_export(struct og_inst *inst) {
  struct og_operand *sources = &inst->operands[1];
  for (unsigned i = 4; i-- > 0;) {
    if (inst->mod[OG_MOD_COMPR])
      sources[i].reg = sources[i / 2].reg;
    if (!(inst->mod[OG_MOD_EN] >> i & 1))
      sources[i].kind = OG_OPERAND_OFF;
  }
}

/* Halves of 16-bit registers: bit 7 of the short encodings, op_sel of the long ones. */
static void decode_halves(const struct og_form *form, const struct og_shape *shape, struct og_inst *inst) {
  bool wide = form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_VOP3P || form->encoding == OG_ENC_VINTERP;
  unsigned at = 0;
  OG_FOR_SLOTS(slot, shape) {
    if (slot->takes == OG_TAKES_OFFSET)
      continue;
    struct og_operand *operand = &inst->operands[at++];
    if (!(slot->flags & OG_SLOT_HALF) || operand->kind != OG_OPERAND_VGPR)
      continue;
    if (!wide) {
      og_choose_half(operand);
    } else if (slot->role == OG_ROLE_VDST) {
      operand->flags |= inst->mod[OG_MOD_OP_SEL] & 8 ? OG_HALF_HI : 0;
    } else {
      operand->flags |= inst->mod[OG_MOD_OP_SEL] >> og_source_index(slot->role) & 1 ? OG_HALF_HI : 0;
    }
  }
}

/* VOPD3 has no 64-bit literals; LLVM's disassembler reads them from the middle of the instruction. */
static void read_inner_literals(const struct og_form *form, const uint8_t *code, struct og_inst *inst) {
  const struct og_slot *slots = og_slots(&og_shapes[form->shape]);
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->operands[i].kind == OG_OPERAND_LITERAL) {
      bool wide = slots[i].dwords == 2;
      inst->operands[i].value = wide ? og_load64(code + 4) : og_load32(code + 4);
      inst->operands[i].reg = wide ? inst->operands[i].reg : OG_LITERAL;
    }
}

/* With DPP, an instruction that adds to its result has no literal: LLVM reads one in other DPP forms, but here takes
 * source 1's code as the constant. */
static bool has_no_literal(const struct og_form *form, struct og_inst *inst) {
  const struct og_slot *slots = og_slots(&og_shapes[form->shape]);
  if (form->suffix != OG_SUFFIX_E64_DPP || form->encoding != OG_ENC_VOP3 || slots[0].type != slots[1].type ||
      (slots[0].flags & (OG_SLOT_READ | OG_SLOT_WRITE)) != (OG_SLOT_READ | OG_SLOT_WRITE))
    return false;
  inst->operands[2].value = inst->operands[2].reg;
  inst->operands[2].reg = OG_LITERAL;
  return true;
}

/* The literal behind the instruction; a constant of its own (KIMM) is the literal too. LLVM reads literals
 * in more forms than take them. */
static bool read_literal(const struct og_isa *isa, const struct og_form *form, bool wide, const uint8_t *code,
                         size_t size, struct og_inst *inst) {
  if (has_no_literal(form, inst))
    return true;
  if (wide && isa->marks && form->encoding == OG_ENC_VOPD && form->size == 12) {
    read_inner_literals(form, code, inst);
    return true;
  }
  const struct og_operand *constant = og_operand(inst, OG_ROLE_SIMM);
  bool shared = constant && form->literal_ok && form->size >= 8;
  bool double_constant = form->encoding == OG_ENC_VOP2 && form->size == 12; /* v_fmaak_f64, v_fmamk_f64 */
  if (wide && (form->variant != OG_VARIANT_NONE || ((shared || form->size == 12) && !double_constant)))
    return false;
  bool anywhere = (isa->gfx10 && (form->encoding != OG_ENC_SOP1 || wide)) || isa->generation == OG_GFX950;
  anywhere |= isa->marks && form->variant == OG_VARIANT_NONE &&
              (form->encoding == OG_ENC_SOP1 || form->encoding == OG_ENC_SOP2 || form->encoding == OG_ENC_VOP1);
  if ((!form->literal_ok && !anywhere) || form->size > 12)
    return false;
  inst->size = (uint8_t)(form->size + (shared ? 0 : wide ? 8 : 4));
  if (size < inst->size)
    return false;
  uint64_t value = shared ? constant->value : wide ? og_load64(code + form->size) : og_load32(code + form->size);
  bool plain = double_constant && value >> 32 && og_inline_code(isa, value, OG_TYPE_F64) < 0;
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->operands[i].kind == OG_OPERAND_LITERAL) {
      inst->operands[i].value = value;
      inst->operands[i].flags |= plain && inst->operands[i].reg == OG_LITERAL64 ? OG_PLAIN : 0;
    }
  return true;
}

static bool decode_form(const struct og_isa *isa, const struct og_form *form, const uint64_t *words,
                        const uint8_t *code, size_t size, struct og_inst *inst) {
  const struct og_shape *shape = &og_shapes[form->shape];
  size_t mods = sizeof(inst->mod);
  __asm__("" : "+r"(mods)); /* the library's memset is faster than the string instruction for a known size */
  memset(inst->mod, 0, mods);
  inst->row = form->row;
  inst->encoding = form->encoding;
  inst->variant = form->variant;
  inst->size = form->size;
  inst->operand_count = 0;
  unsigned literal = 0;
  OG_FOR_SLOTS(slot, shape) {
    if (!og_decode_slot(isa, form, slot, words, inst))
      return false;
    if (slot->takes == OG_TAKES_OFFSET)
      continue;
    struct og_operand *operand = &inst->operands[inst->operand_count - 1];
    if (operand->kind == OG_OPERAND_LITERAL && literal != OG_LITERAL64)
      literal = operand->reg;
    if (slot->modifiers[0].width)
      decode_modifiers(shape, slot, og_source_index(slot->role), (uint32_t)og_gather(words, slot->modifiers, 4),
                       operand, inst);
  }
  OG_FOR_MODS(mod, shape) {
    if (mod->pieces[0].width || mod->style == OG_STYLE_RETURN)
      inst->mod[mod->mod] |= og_modifier_value(mod, words);
    if (mod->style == OG_STYLE_FI8 && (uint32_t)(inst->mod[mod->mod] -= 0xe9) > 1)
      return false;
  }
  if (form->encoding == OG_ENC_MUBUF || form->encoding == OG_ENC_MTBUF)
    decode_buffer_modes(isa, words, inst);
  if (literal && !read_literal(isa, form, literal == OG_LITERAL64, code, size, inst))
    return false;
  if (form->variant == OG_VARIANT_SDWA &&
      (inst->mod[OG_MOD_DST_SEL] == 7 || inst->mod[OG_MOD_SRC0_SEL] == 7 || inst->mod[OG_MOD_SRC1_SEL] == 7))
    return false;
  if (form->encoding == OG_ENC_EXP)
    decode_export(inst);
  else if (form->encoding == OG_ENC_VOPD)
    decode_pair(shape, inst);
  else if (form->encoding == OG_ENC_VOP3P && __builtin_popcount(og_slots(shape)[1].sizes) == 3)
    return size_matrices(isa, shape, inst);
  if (isa->gfx11)
    decode_halves(form, shape, inst);
  return true;
}

size_t og_decode(const struct og_isa *isa, const uint8_t *code, size_t size, struct og_inst *inst) {
  uint64_t words[OG_WORDS];
  if (size < 4)
    return 0;
  og_load_words(code, size, words);
  const struct og_tables *tables = og_all_tables[isa->generation];
  for (const uint16_t *id = og_candidates(tables, words); *id != OG_NO_FORM; id++) {
    const struct og_form *form = &tables->forms[*id];
    if (!og_has_bits(form, words))
      continue;
    if (size < form->size || !og_is_here(isa, form))
      continue;
    inst->form = *id;
    if (decode_form(isa, form, words, code, size, inst)) {
      if (form->encoding == OG_ENC_MIMG)
        size_image(isa, form, words, code, size, inst);
      return inst->size;
    }
    if (form->size == 16 && isa->gfx1250)
      return 0; /* a scaled matrix instruction with a wrong source: LLVM does not read its first half either */
  }
  return 0;
}

const struct og_operand *og_branch_operand(const struct og_isa *isa, const struct og_inst *inst) {
  if (inst->encoding != OG_ENC_SOPP && inst->encoding != OG_ENC_SOPK)
    return NULL;
  const struct og_shape *shape = &og_shapes[og_all_tables[isa->generation]->forms[inst->form].shape];
  return shape->slot_count && og_slots(shape)[shape->slot_count - 1].takes == OG_TAKES_BRANCH
             ? &inst->operands[inst->operand_count - 1] : NULL;
}
