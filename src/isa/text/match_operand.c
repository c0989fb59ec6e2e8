/* match_operand.c - whether an operand of a form takes what the text names: constants, registers, immediates. */
#include "isa/text/forms.h"
#include "base/floats.h"

#include <math.h>
#include <string.h>

const char og_no_operand[] = "invalid operand for instruction";

/* ---- constants --------------------------------------------------------------------------------------------------- */

static bool fits(int64_t value, unsigned bits) {
  return bits >= 64 || (value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << bits);
}

static unsigned type_bits(enum og_type type) {
  switch (type) {
  case OG_TYPE_I16:
  case OG_TYPE_F16:
  case OG_TYPE_BF16:
  case OG_TYPE_V2I16:
  case OG_TYPE_V2F16:
  case OG_TYPE_V2BF16: return 16;
  case OG_TYPE_I64:
  case OG_TYPE_F64: return 64;
  default: return 32;
  }
}

/* A real number's bits in that format. */
static uint64_t real_bits(double value, enum og_type type) {
  uint64_t bits64;
  uint32_t bits32;
  float single = (float)value;
  memcpy(&bits64, &value, 8);
  memcpy(&bits32, &single, 4);
  if (type == OG_TYPE_BF16 || type == OG_TYPE_V2BF16)
    return (bits32 + 0x7fff + (bits32 >> 16 & 1)) >> 16;
  unsigned bits = type == OG_TYPE_V2F16_SPLAT || type == OG_TYPE_V2F16_LITERAL ? 16 : type_bits(type);
  return bits == 64 ? bits64 : bits == 32 ? bits32 : og_double_to_half(value);
}

/* The same for a source: 1/(2*pi) as a float is the inline constant, though bf16 would round it up; LLVM does so
 * only where literals are allowed, and in DPP of mixed precision and of VOP3 dot products. */
static uint64_t source_bits(const struct og_inst_reader *in, const struct og_form *form, double value,
                            enum og_type type, unsigned takes) {
  bool short_float = type == OG_TYPE_BF16 || type == OG_TYPE_V2BF16,
       known = takes & OG_KINDS_LITERAL || og_shape(in->isa, form)->flags & OG_SHAPE_MIX ||
               (type == OG_TYPE_V2BF16 && form->encoding == OG_ENC_VOP3);
  return short_float && known && value == 0x1.45f306725feedp-3 ? 0x3e22 : real_bits(value, type);
}

/* Digits may be lost, but the number may not overflow, nor fall below the smallest normal number. */
static bool representable(double value, enum og_type type) {
  double magnitude = fabs(value);
  if (isinf(value)) /* too large for a double even */
    return true;
  switch (type_bits(type)) {
  case 64: return true;
  case 32:
    if (type == OG_TYPE_V2F32 || type == OG_TYPE_V2I32) /* LLVM checks it as a double */
      return true;
    if (type != OG_TYPE_V2F16_SPLAT)
      return magnitude >= 0x1p-126 ? magnitude < 0x1.ffffffp127 : (double)(float)value == value;
    /* fall through */
  default: /* a single bf16 has the limits of a half, as in LLVM */
    if (type == OG_TYPE_V2BF16)
      return magnitude >= 0x1p-126 ? magnitude < 0x1.ffp127 : ldexp(magnitude, 133) == floor(ldexp(magnitude, 133));
    return magnitude >= 0x1p-14 ? magnitude < 65520 : ldexp(magnitude, 24) == floor(ldexp(magnitude, 24));
  }
}

/* Source code of the inline constant with those bits; 0 if there is none. */
static unsigned inline_code(const struct og_inst_reader *in, uint64_t bits, enum og_type type, bool is_integer) {
  enum { F32, F16, F64, BF16, REALS = 8 };
  static const uint64_t reals[][REALS + 1] = { /* 0.5 -0.5 1 -1 2 -2 4 -4 and 1/(2*pi) */
      [F32] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000,
               0x3e22f983},
      [F16] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118},
      [F64] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x4000000000000000,
               0xc000000000000000, 0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882},
      [BF16] = {0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080, 0x3e22}};
  unsigned width = type_bits(type);
  if (type == OG_TYPE_V2F16_LITERAL)
    return 0;
  bool packed = type == OG_TYPE_V2F16 || type == OG_TYPE_V2BF16;
  int64_t value = width == 64 ? (int64_t)bits : width == 32 || packed ? (int32_t)bits : (int16_t)bits;
  if (value >= 0 && value <= 64)
    return OG_CODE_0 + (unsigned)value;
  if (value >= -16 && value < 0)
    return OG_CODE_64 + (unsigned)-value;
  if (width == 16 && is_integer && (type == OG_TYPE_I16 || type == OG_TYPE_V2I16))
    return 0;
  unsigned own = width == 32 ? F32 : width == 64 ? F64 : type == OG_TYPE_BF16 || type == OG_TYPE_V2BF16 ? BF16 : F16;
  bool splat = type == OG_TYPE_V2F16_SPLAT;
  for (unsigned i = 0; i < REALS; i++)
    if (bits == (splat ? reals[F16][i] * 0x10001 : reals[own][i]))
      return OG_CODE_REAL + i;
  return in->has.inv_2pi_inline_imm && bits == reals[own][REALS] ? OG_CODE_1_OVER_2PI : 0;
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

/* LLVM treats half of the scratch base as an ordinary register. */
static bool is_source_only(unsigned special, unsigned dwords) {
  bool scratch_base = special == OG_SPECIAL_FLAT_SCRATCH_BASE_LO || special == OG_SPECIAL_FLAT_SCRATCH_BASE_HI;
  return special >= OG_SPECIAL_SHARED_BASE && (!scratch_base || dwords > 1);
}

/* LLVM accepts read-only registers for every single scalar register, results included. */
static bool source_only_fits(const struct og_inst_reader *in, const struct og_form *form, const struct og_slot *slot,
                             unsigned special) {
  bool vector = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOP3P;
  if (special == OG_SPECIAL_LDS_DIRECT)
    return (vector && slot->role == OG_ROLE_SRC0 &&
            !(in->target->processor->major < 10 && form->encoding == OG_ENC_VOP3 &&
              !(og_kinds_taken(slot) & OG_KINDS_VECTOR))) ||
           (form->encoding == OG_ENC_VOPD && (slot->role == OG_ROLE_SRC0 || slot->role == OG_ROLE_SRC0_Y));
  if (og_kinds_taken(slot) & OG_KINDS_INLINE)
    return !(slot->flags & OG_SLOT_WRITE);
  bool in_vop3 = form->encoding == OG_ENC_VOP3, in_pair = form->encoding == OG_ENC_VOPD;
  return (in_vop3 && slot->role == OG_ROLE_SRC2) ||
         (in_pair && (slot->role == OG_ROLE_SRC2 || slot->role == OG_ROLE_SRC2_Y)) ||
         (special >= OG_SPECIAL_POPS_EXITING_WAVE_ID && (slot->dwords == 1 || (in_vop3 && slot->role == OG_ROLE_SDST)));
}

/* The scalar register or pair of a vector address. */
static bool address_fits(const struct og_slot *slot, unsigned special, unsigned dwords) {
  switch (special) {
  case OG_SPECIAL_EXEC_HI: return false;
  case OG_SPECIAL_EXEC_LO: return !(slot->flags & OG_SLOT_NO_EXEC);
  case OG_SPECIAL_NULL: return !(slot->flags & OG_SLOT_NO_NULL);
  case OG_SPECIAL_M0: return dwords == 1;
  default: return true;
  }
}

static bool match_register(const struct og_inst_reader *in, const struct og_form *form, const struct og_slot *slot,
                           const struct og_text_operand *t, struct og_operand *out) {
  unsigned set = og_kinds_taken(slot);
  bool vector = t->register_kind == OG_OPERAND_VGPR, accumulator = t->register_kind == OG_OPERAND_AGPR;
  unsigned own = og_slot_dwords(in->isa, slot);
  if (slot->flags & OG_SLOT_HALF &&
      set & OG_KINDS_INLINE) /* where a half may be a constant, it may be a scalar register */
    set |= OG_KINDS_SCALAR;
  bool matrix =
      form->encoding == OG_ENC_VOP3P && (slot->takes == OG_TAKES_VGPR_INLINE || slot->takes == OG_TAKES_AGPR_INLINE);
  if (matrix && slot->role == OG_ROLE_SRC2 && t->register_kind == OG_OPERAND_SPECIAL &&
      (t->reg >= OG_SPECIAL_SHARED_BASE || t->reg == OG_SPECIAL_NULL))
    set |= OG_KINDS_SCALAR; /* read as constants are */
  if (t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_LDS_DIRECT && slot->flags & OG_SLOT_LDS)
    set |= OG_KINDS_SCALAR;
  if (t->is_list || !(set >> t->register_kind & 1))
    return false;
  bool memory = form->encoding == OG_ENC_DS || form->encoding == OG_ENC_FLAT || form->encoding == OG_ENC_MUBUF;
  if (accumulator && memory && !in->own_isa.gfx90a)
    return false; /* if a feature adds the instruction */
  if (!(set & (OG_KINDS_SCALAR | OG_KINDS_INLINE)) && in->has.vgpr_align2 && og_is_odd_tuple(slot, t))
    return false;
  bool half = slot->flags & OG_SLOT_HALF && vector,
       narrow = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOPC;
  if (t->half != half)
    return false;
  if (((half && narrow) || slot->flags & OG_SLOT_LOW) && vector && t->reg >= 128)
    return false;
  if (t->register_kind == OG_OPERAND_SPECIAL && is_source_only(t->reg, own) &&
      !source_only_fits(in, form, slot, t->reg))
    return false;
  bool of_exec = t->register_kind == OG_OPERAND_SPECIAL && t->reg >= OG_SPECIAL_EXEC_LO && t->reg <= OG_SPECIAL_M0;
  if (form->encoding == OG_ENC_SMEM && slot->role != OG_ROLE_SBASE && slot->role != OG_ROLE_SOFFSET && of_exec)
    return false;
  bool null = t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_NULL;
  bool m0 = t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_M0;
  if (m0 ? slot->flags & OG_SLOT_NO_M0 : slot->flags & OG_SLOT_ONLY_M0)
    return false;
  if (of_exec && !m0 && slot->role == OG_ROLE_VDST && slot->flags & OG_SLOT_NO_EXEC)
    return false;
  if (null && own > 2 &&
      (slot->role == OG_ROLE_SRSRC || slot->role == OG_ROLE_SSAMP || slot->role == OG_ROLE_SBASE ||
       form->encoding == OG_ENC_MIMG))
    return false;
  if (!vector && slot->role == OG_ROLE_SRC1 && form->suffix == OG_SUFFIX_E64_DPP &&
      in->target->processor->major >= 11 && !in->has.dpp_src1_sgpr)
    return false;
  if (form->encoding == OG_ENC_FLAT && slot->role == OG_ROLE_SADDR && t->register_kind == OG_OPERAND_SPECIAL &&
      !address_fits(slot, t->reg, own))
    return false;
  if (form->variant == OG_VARIANT_SDWA && !vector && !(slot->flags & OG_SLOT_WRITE) && slot->takes != OG_TAKES_VCC &&
      in->target->processor->major == 8)
    return false;
  unsigned dwords = t->dwords ? t->dwords : own;
  bool any_mask = in->target->mixed_waves && dwords <= 2;
  if (slot->flags & OG_SLOT_WAVE ? dwords != own && !any_mask : slot->sizes && !(slot->sizes >> (dwords - 1) & 1))
    return false;
  out->kind = t->register_kind;
  out->reg = t->reg;
  out->dwords = (uint8_t)dwords;
  return true;
}

/* Short encodings have no sign modifiers: they become part of the constant. */
static uint64_t with_signs(uint64_t bits, uint8_t *flags, unsigned width) {
  uint64_t sign = UINT64_C(1) << (width - 1);
  if (*flags & OG_ABS)
    bits &= ~sign;
  if (*flags & OG_NEG)
    bits ^= sign;
  *flags &= (uint8_t) ~(OG_NEG | OG_ABS);
  return bits;
}

/* A source that SDWA extends; the other encodings of the instruction take the word too. */
static bool integer_vector(const struct og_form *form, const struct og_slot *slot) {
  bool compact = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOP3 && form->variant == OG_VARIANT_NONE;
  return form->traits & OG_TRAIT_SDWA && compact && form->suffix != OG_SUFFIX_NONE &&
         (slot->type == OG_TYPE_I16 || slot->type == OG_TYPE_I32 || slot->type == OG_TYPE_B32);
}

/* Pairs of integers read as 32 bits: LLVM accepts symbols for them, but not in VOP3P. */
static bool of_whole_words(const struct og_form *form, const struct og_slot *slot) {
  return slot->type == OG_TYPE_V2I16 && form->encoding != OG_ENC_VOP3P;
}

/* A source whose signs the large encoding has bits for; the short one applies them to constants, of two halves to the
 * low one. */
static bool has_signs(const struct og_slot *slot) { return slot->flags & (OG_SLOT_NEG_ABS | OG_SLOT_LONG_SIGNS); }

/* LLVM reads signs if a VOPD3 with the same first half has them at that place, and applies them to VOPD's
 * constants; in_any checks the pairs of all second halves. */
static bool pair_has_signs(const struct og_form *form, const struct og_slot *slot, bool in_any) {
  if (form->encoding != OG_ENC_VOPD || (!form->literal_ok && !in_any))
    return false;
  return slot->role == OG_ROLE_SRC0     ? form->literal_ok && form->traits & OG_TRAIT_LLVM_SIGNS_X
         : slot->role == OG_ROLE_SRC0_Y ? (form->traits & OG_TRAIT_LLVM_SIGNS_Y) != 0
                                        : false;
}

static bool takes_signs(const struct og_form *form, const struct og_slot *slot, const struct og_text_operand *t) {
  if (slot->flags & OG_SLOT_NEG_ABS)
    return true;
  bool constant = t->kind == OG_TEXT_REAL || (t->kind == OG_TEXT_INTEGER && slot->type != OG_TYPE_F64);
  return constant && !t->minus_literal && !(t->flags & OG_SEXT) &&
         (has_signs(slot) || pair_has_signs(form, slot, false));
}

/* Sources of 64 bits with a code of their own for literals as wide. */
static bool takes_literal64(const struct og_inst_reader *in, const struct og_form *form) {
  return in->target->processor->generation >= OG_GFX1250 && form->size == 4 && form->variant == OG_VARIANT_NONE;
}

/* An integer of 32 bits, negative or not, is the high half of a double: if the operand takes literals (matrices and
 * VOPD3 do not) and has no signs, which would not apply to that half. */
static bool is_high_half(const struct og_slot *slot, const struct og_text_operand *t) {
  return og_kinds_taken(slot) & OG_KINDS_LITERAL && !(t->flags & (OG_NEG | OG_ABS)) && fits(t->value, 32);
}

static bool match_wide_literal(const struct og_inst_reader *in, const struct og_form *form,
                               const struct og_text_operand *t, uint64_t bits, enum og_type type,
                               struct og_operand *out);

static const char *match_constant(struct og_inst_reader *in, const struct og_form *form, const struct og_slot *slot,
                                  const struct og_text_operand *t, struct og_operand *out, struct og_match *m) {
  enum og_type type = slot->type;
  if (slot->dwords == 1 && type_bits(type) == 64) /* a shift's count, say */
    type = type == OG_TYPE_F64 ? OG_TYPE_F32 : OG_TYPE_I32;
  if (type == OG_TYPE_V2I16) /* read as 32 bits */
    type = t->kind == OG_TEXT_REAL ? OG_TYPE_F32 : OG_TYPE_I32;
  unsigned set = og_kinds_taken(slot), width = type_bits(type);
  if (slot->role == OG_ROLE_SRC1 && form->suffix == OG_SUFFIX_E64_DPP && !in->has.dpp_src1_sgpr)
    return "src1 immediate operand invalid for instruction";
  if (!(set & OG_KINDS_INLINE) || (form->variant == OG_VARIANT_SDWA && in->target->processor->major == 8))
    return og_no_operand;
  uint64_t bits;
  if ((type == OG_TYPE_V2F16 || type == OG_TYPE_V2BF16) && form->encoding == OG_ENC_VOP3P &&
      form->variant != OG_VARIANT_NONE)
    type = type == OG_TYPE_V2F16 ? OG_TYPE_F16 : OG_TYPE_BF16; /* where literals may stand LLVM reads 32 bits */
  bool exponent = slot->flags & OG_SLOT_INTEGER;
  if (exponent && form->variant != OG_VARIANT_NONE && in->target->processor->major >= 12)
    type = OG_TYPE_I16;
  bool is_integer = t->kind == OG_TEXT_INTEGER, packed = type == OG_TYPE_V2F16 || type == OG_TYPE_V2BF16;
  if (is_integer) {
    if (width < 64 && !fits(t->value, packed ? 32 : width))
      return og_no_operand;
    bits = (uint64_t)t->value;
    bits = width == 64 ? bits : width == 32 || packed ? (uint32_t)bits : (uint16_t)bits;
  } else {
    bool as_float = type == OG_TYPE_V2F16 && form->encoding == OG_ENC_VOP3 && form->traits & OG_TRAIT_DOT &&
                    in->target->processor->major >= 11; /* halves lose more */
    if (!representable(t->real, as_float ? OG_TYPE_F32 : type))
      return og_no_operand;
    if (type == OG_TYPE_I16) /* as LLVM does: the low half counts */
      type = OG_TYPE_F32;
    bits = t->literal ? real_bits(t->real, type) : source_bits(in, form, t->real, type, set);
  }
  int64_t whole = t->value;
  if (out->flags & (OG_NEG | OG_ABS) && !(slot->flags & OG_SLOT_NEG_ABS)) {
    uint8_t flags = out->flags;
    whole = (int64_t)with_signs((uint64_t)whole, &flags, width);
    bits = with_signs(bits, &out->flags, width);
  }
  bool unsigned_half = is_integer && t->value > 64 && type == OG_TYPE_I16 && !exponent; /* 0xffff is not -1 there */
  if (is_integer && type == OG_TYPE_I16)
    bits = (uint32_t)t->value;
  unsigned code = t->literal || unsigned_half ? 0 : inline_code(in, bits, type, is_integer);
  if (!code && !t->literal && is_integer && type == OG_TYPE_F64 && is_high_half(slot, t))
    code = inline_code(in, bits << 32, type, true);
  bool extended = slot->type == OG_TYPE_F16 && slot->flags & OG_SLOT_SEXT; /* an integer, whatever its type */
  bool of_integers = slot->type == OG_TYPE_I16 || extended || exponent;
  if (code == OG_CODE_1_OVER_2PI && of_integers && form->variant != OG_VARIANT_NONE && !(slot->flags & OG_SLOT_NEG_ABS))
    return og_no_operand;
  if (code >= OG_CODE_REAL && extended && is_integer)
    return og_no_operand;
  if (code) {
    out->kind = OG_OPERAND_INLINE;
    out->reg = (uint16_t)code;
    out->value = bits;
    return NULL;
  }
  bool in_pair = form->encoding == OG_ENC_VOPD; /* LLVM applies signs to 64 bits, and a pair must hold them all */
  if (is_integer && in_pair && !fits(whole, 32))
    return og_no_operand;
  bool lost = width == 64 && is_integer && !fits(t->value, 32); /* no literal of 32 bits */
  if (lost && in->target->processor->generation < OG_GFX1250)
    return og_no_operand;
  if (is_integer && type == OG_TYPE_F64 && out->flags & (OG_NEG | OG_ABS)) /* whose sign it is the text does not tell */
    return og_no_operand;
  if (!(set & OG_KINDS_LITERAL) || !form->literal_ok)
    return form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_VOP3P ? "literal operands are not supported"
                                                                           : og_no_operand;
  if (width == 64 && !is_integer && type != OG_TYPE_F64)
    return og_no_operand;
  if (match_wide_literal(in, form, t, bits, type, out))
    return NULL;
  if (width == 64) {
    if (is_integer && type == OG_TYPE_F64 && !fits(t->value, 32) && (uint32_t)bits == 0 &&
        in->target->processor->generation >= OG_GFX1250)
      bits >>= 32;
    else if (is_integer && !fits(t->value, 32))
      return og_no_operand;
    if (!is_integer && type != OG_TYPE_F64)
      return og_no_operand;
    if (!is_integer) {
      m->wide_real |= (uint32_t)bits != 0;
      bits >>= 32;
    }
  }
  out->kind = OG_OPERAND_LITERAL;
  out->reg = OG_LITERAL;
  bool in_full = is_integer && (width == 64 ? type == OG_TYPE_I64 && in->target->processor->generation >= OG_GFX1250
                                            : t->literal || type == OG_TYPE_BF16);
  out->value = in_full ? (uint64_t)whole : (uint32_t)bits; /* as it is printed; 32 bits are encoded */
  out->flags |= t->wide_literal ? OG_LIT | OG_PLAIN : t->literal ? OG_LIT : 0; /* lit64() of 32 bits says nothing */
  return NULL;
}

/* A constant of 64 bits that the instruction holds itself: an integer of 32 bits is the high half. */
static uint64_t double_constant(const struct og_text_operand *t) {
  return t->kind == OG_TEXT_REAL ? real_bits(t->real, OG_TYPE_F64)
                                 : (uint64_t)t->value << (!t->wide_literal && fits(t->value, 32) ? 32 : 0);
}

/* The constant of v_fmamk_f64 and its kin, of 64 bits, is the literal of a source too. */
static void share_double(const struct og_text_operand *t, struct og_operand *out) {
  bool low_half = t->kind == OG_TEXT_INTEGER && t->literal && !t->wide_literal;
  out->value = low_half ? (uint32_t)t->value : double_constant(t);
}

/* Whether a 64-bit source needs a 64-bit literal: values that 32 bits cannot hold, lit() and lit64(). */
static bool is_wide(const struct og_text_operand *t, uint64_t bits, enum og_type type) {
  if (t->literal)
    return true;
  bool half = (uint32_t)bits == 0;
  if (t->kind != OG_TEXT_INTEGER)
    return !half;
  return type == OG_TYPE_F64 ? !fits(t->value, 32) && !half : (uint64_t)t->value >> 31 != 0;
}

/* From gfx1250 on there are literals of 64 bits. */
static bool match_wide_literal(const struct og_inst_reader *in, const struct og_form *form,
                               const struct og_text_operand *t, uint64_t bits, enum og_type type,
                               struct og_operand *out) {
  if (in->target->processor->generation < OG_GFX1250 || form->variant != OG_VARIANT_NONE || type_bits(type) != 64)
    return false;
  bool shared = form->size == 12 && form->encoding == OG_ENC_VOP2;
  bool fits_word = t->kind != OG_TEXT_INTEGER || fits(t->value, 32) || (type == OG_TYPE_F64 && !(uint32_t)bits) ||
                   inline_code(in, bits, type, true);
  if (!shared && (form->size == 12 || (form->size > 4 && (!t->literal || !fits_word)) || !is_wide(t, bits, type)))
    return false;
  out->kind = OG_OPERAND_LITERAL;
  out->reg = OG_LITERAL64;
  out->value = t->kind != OG_TEXT_INTEGER       ? bits
               : t->literal && !t->wide_literal ? (uint32_t)t->value
                                                : (uint64_t)t->value;
  if (shared)
    share_double(t, out);
  out->flags |= !t->literal ? OG_PLAIN : !t->wide_literal ? OG_LIT : OG_LIT | OG_PLAIN;
  return true;
}

/* Records the part of the code that is unknown until the language resolves it. */
static void bring_in(struct og_match *m, const struct og_text_operand *t) {
  m->expr = t->expr;
  m->expr_at = t->at;
  m->expr_end = t->end;
}

/* Immediates that the instruction holds itself. */
static const char *match_immediate(const struct og_inst_reader *in, const struct og_form *form,
                                   const struct og_slot *slot, const struct og_text_operand *t, struct og_operand *out,
                                   struct og_match *m) {
  out->kind = OG_OPERAND_IMMEDIATE;
  unsigned width = OG_MAX(og_slot_width(slot), 1u);
  switch (slot->takes) {
  case OG_TAKES_KIMM:
    out->flags = t->literal ? OG_LIT : 0;
    if (slot->dwords == 2 && (t->wide_literal || (!t->literal && t->kind == OG_TEXT_INTEGER)))
      out->flags |= OG_PLAIN;
    if (slot->dwords == 2 && (t->kind == OG_TEXT_REAL || t->kind == OG_TEXT_INTEGER))
      out->value = double_constant(t);
    else if (t->kind == OG_TEXT_REAL && representable(t->real, slot->type))
      out->value = real_bits(t->real, slot->type);
    else if (t->kind == OG_TEXT_INTEGER && fits(t->value, OG_MIN(type_bits(slot->type), 32u)))
      out->value = (uint64_t)t->value & (t->literal || type_bits(slot->type) == 16 ? UINT64_MAX : UINT32_MAX);
    else
      return og_no_operand;
    return NULL;
  case OG_TAKES_SIMM:
  case OG_TAKES_BRANCH:
    if (t->kind == OG_TEXT_EXPR && slot->takes == OG_TAKES_BRANCH)
      return bring_in(m, t), in->language->is_symbol(t->expr) ? NULL : "expected an absolute expression or a label";
    if (t->kind != OG_TEXT_INTEGER || !fits(t->value, 16))
      return slot->takes == OG_TAKES_BRANCH ? "expected a 16-bit signed jump offset" : og_no_operand;
    if (slot->takes == OG_TAKES_SIMM && t->value < 0 && !(slot->flags & OG_SLOT_SIGNED))
      return og_no_operand;
    out->value = (uint64_t)(int64_t)(int16_t)t->value;
    out->flags = slot->takes == OG_TAKES_BRANCH && t->value < 0 ? OG_NEG : 0;
    return NULL;
  default:
    if (slot->takes == OG_TAKES_ENDPGM && t->kind == OG_TEXT_REAL)
      return "expected a 16-bit value";
    if (t->kind != OG_TEXT_INTEGER && t->kind != OG_TEXT_SPECIAL)
      return og_no_operand;
    if (slot->takes == OG_TAKES_ENDPGM && (t->value < 0 || t->value > UINT16_MAX))
      return "expected a 16-bit value";
    if (!fits(t->value, width))
      return og_no_operand;
    bool keeps_sign = slot->takes == OG_TAKES_IMM && form->encoding != OG_ENC_SOPK; /* in the text */
    out->value = (uint64_t)t->value & (width >= 64 ? UINT64_MAX : keeps_sign ? UINT32_MAX : (UINT64_C(1) << width) - 1);
    out->flags = slot->takes == OG_TAKES_VERSION ? OG_LIT : 0;
    return NULL;
  }
}

const char *og_match_operand(struct og_inst_reader *in, const struct og_form *form, const struct og_slot *slot,
                             const struct og_text_operand *t, struct og_match *m) {
  struct og_text_operand known;
  if (t->kind == OG_TEXT_EXPR && slot->takes > OG_TAKES_VCC && slot->takes != OG_TAKES_BRANCH) {
    known = *t; /* all but literals must be known by now */
    known.kind = OG_TEXT_INTEGER;
    if (!in->language->evaluate(in->context, t->expr, &known.value))
      return "expected absolute expression";
    t = &known;
  }
  if (slot->takes == OG_TAKES_OFFSET) {
    if (t->flags & (OG_NEG | OG_ABS | OG_SEXT))
      return "not a valid operand.";
    if (t->kind != OG_TEXT_INTEGER && t->kind != OG_TEXT_REAL)
      return og_no_operand;
    bool zero = t->kind == OG_TEXT_REAL && t->real == 0 && !signbit(t->real); /* all its bits are */
    int64_t value = t->kind == OG_TEXT_INTEGER ? t->value : zero ? 0 : INT64_MAX;
    unsigned width = og_slot_width(slot);
    bool chooses_form = width == 8 || width == 32; /* on gfx6 and gfx7 */
    if (chooses_form && (value < 0 || value >= INT64_C(1) << width))
      return og_no_operand;
    m->inst.mod[OG_MOD_OFFSET] = (int32_t)(width == 32 ? value : OG_MAX(OG_MIN(value, INT32_MAX), INT32_MIN));
    return NULL;
  }
  struct og_operand *out = &m->inst.operands[m->inst.operand_count++];
  *out = (struct og_operand){.role = slot->role, .flags = t->flags};
  if (slot->takes == OG_TAKES_ATTR) {
    out->kind = OG_OPERAND_IMMEDIATE;
    out->value = (uint64_t)t->value & 255;
    m->inst.operands[m->inst.operand_count++] = (struct og_operand){
        .role = OG_ROLE_ATTR_CHANNEL, .kind = OG_OPERAND_IMMEDIATE, .value = (uint64_t)t->value >> 8};
    return t->kind == OG_TEXT_SPECIAL ? NULL : og_no_operand;
  }
  if (slot->takes == OG_TAKES_VCC) {
    out->kind = OG_OPERAND_SPECIAL;
    out->reg = OG_SPECIAL_VCC_LO;
    bool as_written = in->target->mixed_waves && form->variant != OG_VARIANT_NONE;
    out->dwords = as_written ? t->dwords : in->own_isa.wave == 32 ? 1 : 2;
    return t->kind == OG_TEXT_REGISTER && t->register_kind == OG_OPERAND_SPECIAL && t->reg == OG_SPECIAL_VCC_LO &&
                   (t->dwords == out->dwords || in->target->mixed_waves) && !t->flags
               ? NULL
               : og_no_operand;
  }
  if (slot->takes > OG_TAKES_VCC && slot->takes != OG_TAKES_OFF)
    return t->flags ? "not a valid operand." : match_immediate(in, form, slot, t, out, m);
  if (t->bare_sign && (*t->at == 's' ? slot->flags & OG_SLOT_SEXT || integer_vector(form, slot)
                                     : has_signs(slot) || pair_has_signs(form, slot, true)))
    return "expected left paren";
  if (t->wide_literal && has_signs(slot) && in->target->processor->generation < OG_GFX1250)
    return "lit64 is not supported on this GPU";
  if (t->twice_negative && !t->flags && !t->literal && (has_signs(slot) || pair_has_signs(form, slot, true)))
    return "invalid syntax, expected 'neg' modifier";
  bool whole =
      t->flags == OG_SEXT && (t->kind == OG_TEXT_INTEGER || t->kind == OG_TEXT_REAL) && integer_vector(form, slot);
  if (whole && !(slot->flags & OG_SLOT_SEXT))
    out->flags = 0; /* there is nothing to extend */
  else if ((t->flags & (OG_NEG | OG_ABS) && !takes_signs(form, slot, t)) ||
           (t->flags & OG_SEXT && !(slot->flags & OG_SLOT_SEXT)))
    return "not a valid operand.";
  switch (t->kind) {
  case OG_TEXT_REGISTER: return match_register(in, form, slot, t, out) ? NULL : og_no_operand;
  case OG_TEXT_INTEGER:
  case OG_TEXT_REAL: return match_constant(in, form, slot, t, out, m);
  case OG_TEXT_EXPR:
    if (!(og_kinds_taken(slot) & OG_KINDS_LITERAL) || !form->literal_ok || m->expr ||
        slot->flags & (OG_SLOT_NEG_ABS | OG_SLOT_SEXT) || slot->type == OG_TYPE_V2F32 || slot->type == OG_TYPE_V2I32 ||
        slot->type == OG_TYPE_V2F16_SPLAT || (type_bits(slot->type) == 16 && !of_whole_words(form, slot)))
      return og_no_operand;
    if (type_bits(slot->type) == 64 && slot->dwords != 1 &&
        !(takes_literal64(in, form) && form->encoding <= OG_ENC_SOPC))
      return og_no_operand;
    out->kind = OG_OPERAND_LITERAL;
    out->reg = type_bits(slot->type) == 64 && slot->dwords != 1 ? OG_LITERAL64 : OG_LITERAL;
    bring_in(m, t);
    m->literal_size = out->reg == OG_LITERAL64 ? 8 : 4;
    out->flags |= out->reg == OG_LITERAL64 ? OG_PLAIN : 0;
    return NULL;
  case OG_TEXT_OFF: out->kind = OG_OPERAND_OFF; return form->encoding == OG_ENC_EXP ? NULL : og_no_operand;
  default: return og_no_operand;
  }
}
