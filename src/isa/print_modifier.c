/* print_modifier.c - modifiers as text: cache policy, DPP, SDWA, offsets, formats, and
 * those that are a word or a number. */
#include "isa/names.h"
#include "isa/print.h"

/* gfx12: temporal hint in bits 0..2, scope in 3..4, nv in 5, scale_offset in 11. */
static void put_hint(struct og_writer *w, unsigned hint, unsigned scope) {
  static const char *const loads[] = {"",           "LOAD_NT",    "LOAD_HT",    "LOAD_LU",
                                      "LOAD_NT_RT", "LOAD_RT_NT", "LOAD_NT_HT", "0x7"};
  static const char *const stores[] = {
      "", "STORE_NT", "STORE_HT", "STORE_WB", "STORE_NT_RT", "STORE_RT_NT", "STORE_NT_HT", "STORE_NT_WB"};
  static const char *const atomics[] = {"",
                                        "ATOMIC_RETURN",
                                        "ATOMIC_NT",
                                        "ATOMIC_NT_RETURN",
                                        "ATOMIC_CASCADE_RT",
                                        "ATOMIC_CASCADE_RT",
                                        "ATOMIC_CASCADE_NT",
                                        "ATOMIC_CASCADE_NT"};
  unsigned flags = w->form->row_flags;
  bool atomic = flags & OG_FLAG_ATOMIC,
       store = flags & OG_FLAG_STORE && (!(flags & OG_FLAG_LOAD) || w->form->traits & OG_TRAIT_FROM_LDS);
  og_put(w, hint == 7 && !atomic && !store ? " th:" : " th:TH_");
  if (atomic)
    if (hint & 4 && scope < 2)
      og_put(w, "ATOMIC_"), og_put_hex(w, hint);
    else
      og_put(w, atomics[hint]);
  else if (hint == 3 && scope == 3)
    og_put(w, store ? "STORE_BYPASS" : "LOAD_BYPASS");
  else
    og_put(w, (store ? stores : loads)[hint]);
}

static void put_hint_and_scope(struct og_writer *w, unsigned value) {
  static const char *const scopes[] = {"", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"};
  if (value & OG_CPOL_SCALE_OFFSET)
    og_put(w, " scale_offset");
  if (value & 7)
    put_hint(w, value & 7, value >> 3 & 3);
  og_put(w, scopes[value >> 3 & 3]);
  if (value & OG_CPOL_NV)
    og_put(w, " nv");
}

static void put_cpol(struct og_writer *w, unsigned value) {
  if (w->isa->gfx12) {
    put_hint_and_scope(w, value);
    return;
  }
  if (value & OG_CPOL_GLC)
    og_put(w, w->isa->gfx940 && w->form->encoding != OG_ENC_SMEM ? " sc0" : " glc");
  if (value & OG_CPOL_SLC)
    og_put(w, w->isa->gfx940 ? " nt" : " slc");
  if (value & OG_CPOL_DLC && w->isa->gfx10)
    og_put(w, " dlc");
  if (value & OG_CPOL_SCC && w->isa->gfx90a)
    og_put(w, w->isa->gfx940 ? " sc1" : " scc");
}

static void put_dpp_ctrl(struct og_writer *w, unsigned value) {
  static const struct {
    uint16_t first, last;
    const char *name;
  } ranges[] = {
      {0x101, 0x10f, "row_shl:"},   {0x111, 0x11f, "row_shr:"},   {0x121, 0x12f, "row_ror:"},
      {0x140, 0x140, "row_mirror"}, {0x141, 0x141, "row_half_mirror"}, /* those after it do not exist from gfx10 on */
      {0x130, 0x130, "wave_shl:1"}, {0x134, 0x134, "wave_rol:1"}, {0x138, 0x138, "wave_shr:1"},
      {0x13c, 0x13c, "wave_ror:1"}, {0x142, 0x142, "row_bcast:15"}, {0x143, 0x143, "row_bcast:31"},
  };
  bool wide = false;
  for (unsigned i = 0; i < w->inst->operand_count; i++)
    wide |= w->inst->operands[i].dwords == 2 && w->inst->operands[i].kind == OG_OPERAND_VGPR;
  /* These comments begin with a blank of their own. */
  if (w->isa->gfx90a && wide && (value < 0x150 || value > 0x15f)) {
    og_put(w, " /* DP ALU dpp only supports row_newbcast */");
    return;
  }
  wide |= (w->form->traits & OG_TRAIT_DOUBLE_ALU) != 0;
  if (w->isa->generation == OG_GFX1251 && wide && (value < 0x150 || value > 0x15f)) {
    og_put(w, " /* DP ALU dpp only supports row_share */");
    return;
  }
  static const char *const shifts_gone[] = {
      "/* wave_shl is not supported starting from GFX10 */", "/* wave_rol is not supported starting from GFX10 */",
      "/* wave_shr is not supported starting from GFX10 */", "/* wave_ror is not supported starting from GFX10 */"};
  if (value <= 0xff) {
    og_put_format(w, "quad_perm:[%u,%u,%u,%u]", value & 3, value >> 2 & 3, value >> 4 & 3, value >> 6 & 3);
    return;
  }
  for (size_t i = 0; i < (w->isa->gfx10 ? 5 : OG_COUNT(ranges)); i++)
    if (value >= ranges[i].first && value <= ranges[i].last) {
      og_put(w, ranges[i].name);
      if (ranges[i].first < ranges[i].last)
        og_put_number(w, value & 15);
      return;
    }
  if (value >= 0x150 && value <= 0x15f && (w->isa->gfx90a || w->isa->gfx10)) {
    og_put(w, w->isa->gfx90a ? "row_newbcast:" : "row_share:");
    og_put_number(w, value & 15);
  } else if (value >= 0x160 && value <= 0x16f && w->isa->gfx10) {
    og_put(w, "row_xmask:");
    og_put_number(w, value & 15);
  } else {
    og_put(w, w->isa->gfx10 && value >= 0x130 && value <= 0x13c && value % 4 == 0 ? shifts_gone[(value - 0x130) / 4]
           : w->isa->gfx10 && (value == 0x142 || value == 0x143)
               ? "/* row_bcast is not supported starting from GFX10 */"
           : value >= 0x160 && value <= 0x16f ? "/* row_xmask is not supported on ASICs earlier than GFX10 */"
           : value >= 0x150 && value <= 0x15f
               ? " /* row_newbcast/row_share is not supported on ASICs earlier than GFX90A/GFX10 */"
               : "/* Invalid dpp_ctrl value */");
  }
}

static void put_sdwa_select(struct og_writer *w, const char *name, unsigned value) {
  static const char *const names[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "?"};
  og_put(w, name);
  og_put(w, names[value & 7]);
}

static void put_swizzle_mask(struct og_writer *w, unsigned value) {
  unsigned and = value & 31, or = value >> 5 & 31, xor = value >> 10 & 31;
  unsigned group = 32 - and;
  if (and == 31 && or == 0 && __builtin_popcount(xor) == 1) {
    og_put_format(w, "swizzle(SWAP,%u)", xor);
  } else if (and == 31 && or == 0 && xor > 0 && __builtin_popcount(xor + 1) == 1) {
    og_put_format(w, "swizzle(REVERSE,%u)", xor + 1);
  } else if (group > 1 && __builtin_popcount(group) == 1 && or < group && xor == 0) {
    og_put_format(w, "swizzle(BROADCAST,%u,%u)", group, or);
  } else {
    og_put(w, "swizzle(BITMASK_PERM,\"");
    for (unsigned bit = 16; bit; bit >>= 1) {
      bool zero = ((0 | or) ^ xor) & bit, one = ((and | or) ^ xor) & bit;
      og_put(w, zero == one ? (zero ? "1" : "0") : zero ? "i" : "p");
    }
    og_put(w, "\")");
  }
}

static void put_swizzle(struct og_writer *w, unsigned value) {
  if (!value)
    return;
  og_put(w, " offset:");
  if (w->isa->generation >= OG_GFX900 && value >= 0xe000)
    og_put_format(w, "swizzle(FFT,%u)", value & 31);
  else if (w->isa->generation >= OG_GFX900 && value >= 0xc000)
    og_put_format(w, "swizzle(ROTATE,%u,%u)", value >> 10 & 1, value >> 5 & 31);
  else if ((value & 0xff00) == 0x8000)
    og_put_format(w, "swizzle(QUAD_PERM,%u,%u,%u,%u)", value & 3, value >> 2 & 3, value >> 4 & 3, value >> 6 & 3);
  else if (!(value & 0x8000))
    put_swizzle_mask(w, value);
  else
    og_put_number(w, value);
}

static void put_unified_format(struct og_writer *w, unsigned value) {
  const char *name = og_name_of(w->isa, OG_NAMES_UNIFIED_FORMAT, value);
  if (name)
    og_put(w, " format:["), og_put(w, name), og_put(w, "]");
  else
    og_put(w, " format:"), og_put_number(w, value);
}

static void put_format_modifier(struct og_writer *w, unsigned value) {
  if (value == 1) /* the default */
    return;
  if (w->isa->gfx10) {
    put_unified_format(w, value);
    return;
  }
  const char *data = og_name_of(w->isa, OG_NAMES_DATA_FORMAT, value & 15);
  const char *number = og_name_of(w->isa, OG_NAMES_NUMBER_FORMAT, value >> 4);
  og_put(w, " format:[");
  if ((value & 15) != 1)
    og_put(w, data);
  if ((value & 15) != 1 && value >> 4)
    og_put(w, ",");
  if (value >> 4)
    og_put(w, number);
  og_put(w, "]");
}

static void put_offset(struct og_writer *w, int32_t value) {
  bool scalar = w->form->encoding == OG_ENC_SMEM;
  if (value || scalar)
    og_put(w, " offset:");
  if (scalar)
    og_put_signed_hex(w, value);
  else if (value)
    og_put_signed(w, value);
}

/* One bit per source, and one for the destination where op_sel reaches it. */
static void put_bits(struct og_writer *w, const char *name, unsigned bits, unsigned standard, bool with_destination) {
  unsigned sources = 0;
  for (unsigned i = 0; i < w->shape->slot_count; i++)
    if (og_slots(w->shape)[i].modifiers[0].width || w->shape->flags & OG_SHAPE_PACKED)
      sources = OG_MAX(sources, og_slots(w->shape)[i].role == OG_ROLE_SRC2   ? 3u
                                : og_slots(w->shape)[i].role == OG_ROLE_SRC1 ? 2u
                                                                          : 1u);
  sources = OG_MAX(sources, (unsigned)w->shape->flags / OG_SHAPE_SOURCES);
  if (w->form->traits & OG_TRAIT_LANE_CONTROLS)
    sources = 2, with_destination = false;
  unsigned mask = (1u << sources) - 1;
  if ((bits & mask) == (standard & mask) && !(with_destination && bits & 8))
    return;
  og_put(w, name);
  for (unsigned i = 0; i < sources; i++)
    og_put(w, i ? bits >> i & 1 ? ",1" : ",0" : bits & 1 ? "1" : "0");
  if (with_destination)
    og_put(w, bits & 8 ? ",1" : ",0");
  og_put(w, "]");
}

/* Modifiers that are a word, or a name and a number; the rest has a function of its own. */
enum style { OTHER, WORD, NUMBER, HEX, EVEN_0 = 8 /* with the others: a value of 0 is written too */ };
static const struct {
  const char *text;
  uint8_t style;
} simple[OG_MOD_COUNT] = {
    [OG_MOD_CLAMP] = {" clamp", WORD},
    [OG_MOD_ROW_MASK] = {" row_mask:", HEX | EVEN_0},
    [OG_MOD_BANK_MASK] = {" bank_mask:", HEX | EVEN_0},
    [OG_MOD_BOUND_CTRL] = {" bound_ctrl:1", WORD},
    [OG_MOD_FI] = {" fi:1", WORD},
    [OG_MOD_OFFSET0] = {" offset0:", NUMBER},
    [OG_MOD_OFFSET1] = {" offset1:", NUMBER},
    [OG_MOD_DMASK] = {" dmask:", HEX},
    [OG_MOD_UNORM] = {" unorm", WORD},
    [OG_MOD_DA] = {" da", WORD},
    [OG_MOD_A16] = {" a16", WORD},
    [OG_MOD_D16] = {" d16", WORD},
    [OG_MOD_TFE] = {" tfe", WORD},
    [OG_MOD_LWE] = {" lwe", WORD},
    [OG_MOD_COMPR] = {" compr", WORD},
    [OG_MOD_VM] = {" vm", WORD},
    [OG_MOD_HIGH] = {" high", WORD},
    [OG_MOD_CBSZ] = {" cbsz:", NUMBER},
    [OG_MOD_ABID] = {" abid:", NUMBER},
    [OG_MOD_INDEX_KEY] = {" index_key:", NUMBER},
    [OG_MOD_MATRIX_A_REUSE] = {" matrix_a_reuse", WORD},
    [OG_MOD_MATRIX_B_REUSE] = {" matrix_b_reuse", WORD},
    [OG_MOD_BYTE_SEL] = {" byte_sel:", NUMBER},
    [OG_MOD_SCALE_SEL] = {" scale_sel:", NUMBER},
    [OG_MOD_WAIT_EXP] = {" wait_exp:", NUMBER | EVEN_0},
    [OG_MOD_WAIT_VM_VSRC] = {" wait_vm_vsrc:", NUMBER | EVEN_0},
};

static void put_simple(struct og_writer *w, enum og_mod mod, uint32_t value) {
  unsigned style = simple[mod].style;
  if (!value && !(style & EVEN_0))
    return;
  og_put(w, simple[mod].text);
  if ((style & ~EVEN_0) == NUMBER)
    og_put_number(w, value);
  else if ((style & ~EVEN_0) == HEX)
    og_put_hex(w, value);
}

/* One of `count` names, the first being the default; other values as they are. */
static void put_matrix(struct og_writer *w, const char *name, const char *const *names, int32_t count, int32_t value) {
  if (!value)
    return;
  og_put(w, name);
  if (value < count)
    og_put(w, names[value]);
  else
    og_put_number(w, (uint32_t)value);
}

static void put_matrix_format(struct og_writer *w, const char *name, int32_t value) {
  static const char *const formats[] = {"MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6",
                                        "MATRIX_FMT_FP4"};
  put_matrix(w, name, formats, OG_COUNT(formats), value);
}

static void put_matrix_scale(struct og_writer *w, const char *name, int32_t value) {
  static const char *const scales[] = {"MATRIX_SCALE_ROW0", "MATRIX_SCALE_ROW1"};
  put_matrix(w, name, scales, OG_COUNT(scales), value);
}

static void put_matrix_scale_format(struct og_writer *w, const char *name, int32_t value) {
  static const char *const formats[] = {"MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3"};
  put_matrix(w, name, formats, OG_COUNT(formats), value);
}

/* From gfx940 on the field holds signs of sources, for doubles. */
static void put_blgp(struct og_writer *w, unsigned value) {
  if (!value)
    return;
  if (w->isa->gfx940 && og_multiplies_doubles(w->shape)) {
    og_put_format(w, " neg:[%u,%u,%u]", value & 1, value >> 1 & 1, value >> 2 & 1);
  } else {
    og_put(w, " blgp:");
    og_put_number(w, value);
  }
}

static void put_bitop3(struct og_writer *w, unsigned value) {
  if (!value)
    return;
  og_put(w, " bitop3:");
  if (value <= 10)
    og_put_number(w, value);
  else
    og_put_hex(w, value);
}

static bool op_sel_has_destination(const struct og_writer *w) {
  return !(w->shape->flags & OG_SHAPE_OP_SEL_HI) &&
         (og_operand(w->inst, OG_ROLE_VDST) ||
          (w->form->variant == OG_VARIANT_NONE && og_operand(w->inst, OG_ROLE_SDST)));
}

void og_put_modifier(struct og_writer *w, const struct og_mod_slot *slot) {
  static const char *const multipliers[] = {"", " mul:2", " mul:4", " div:2"};
  static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "UNUSED_PAD"};
  static const char *const dims[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
  int32_t value = w->inst->mod[slot->mod];
  unsigned bits = (unsigned)value;
  if (simple[slot->mod].style) {
    put_simple(w, slot->mod, bits);
    return;
  }
  switch ((enum og_mod)slot->mod) {
  case OG_MOD_OMOD: og_put(w, multipliers[value & 3]); break;
  case OG_MOD_OP_SEL: put_bits(w, " op_sel:[", bits, 0, op_sel_has_destination(w)); break;
  case OG_MOD_OP_SEL_HI: put_bits(w, " op_sel_hi:[", bits, w->shape->flags & OG_SHAPE_MIX ? 0 : 7, false); break;
  case OG_MOD_NEG_LO: put_bits(w, " neg_lo:[", bits, 0, false); break;
  case OG_MOD_NEG_HI: put_bits(w, " neg_hi:[", bits, 0, false); break;
  case OG_MOD_DPP_CTRL: put_dpp_ctrl(w, bits); break;
  case OG_MOD_DPP8:
    og_put_format(w, "dpp8:[%u,%u,%u,%u,%u,%u,%u,%u]", bits & 7, bits >> 3 & 7, bits >> 6 & 7, bits >> 9 & 7,
                  bits >> 12 & 7, bits >> 15 & 7, bits >> 18 & 7, bits >> 21 & 7);
    break;
  case OG_MOD_DST_SEL: put_sdwa_select(w, "dst_sel:", bits); break;
  case OG_MOD_SRC0_SEL: put_sdwa_select(w, "src0_sel:", bits); break;
  case OG_MOD_SRC1_SEL: put_sdwa_select(w, "src1_sel:", bits); break;
  case OG_MOD_DST_UNUSED: og_put(w, "dst_unused:"), og_put(w, unused[value & 3]); break;
  case OG_MOD_OFFSET: slot->style == OG_STYLE_SWIZZLE ? put_swizzle(w, bits) : put_offset(w, value); break;
  case OG_MOD_GDS: og_put(w, value && !w->isa->gfx90a ? " gds" : ""); break;
  case OG_MOD_CPOL: put_cpol(w, bits); break;
  case OG_MOD_R128:
    og_put(w, !value ? "" : w->isa->generation >= OG_GFX900 && !w->isa->gfx10 ? " a16" : " r128");
    break;
  case OG_MOD_FORMAT: put_format_modifier(w, bits); break;
  case OG_MOD_DIM: og_put(w, " dim:SQ_RSRC_IMG_"), og_put(w, dims[value & 7]); break;
  case OG_MOD_BLGP: put_blgp(w, bits); break;
  case OG_MOD_MATRIX_A_FMT: put_matrix_format(w, " matrix_a_fmt:", value); break;
  case OG_MOD_MATRIX_B_FMT: put_matrix_format(w, " matrix_b_fmt:", value); break;
  case OG_MOD_MATRIX_A_SCALE: put_matrix_scale(w, " matrix_a_scale:", value); break;
  case OG_MOD_MATRIX_B_SCALE: put_matrix_scale(w, " matrix_b_scale:", value); break;
  case OG_MOD_MATRIX_A_SCALE_FMT: put_matrix_scale_format(w, " matrix_a_scale_fmt:", value); break;
  case OG_MOD_MATRIX_B_SCALE_FMT: put_matrix_scale_format(w, " matrix_b_scale_fmt:", value); break;
  case OG_MOD_WAIT_VDST: og_put(w, w->isa->gfx12 ? " wait_va_vdst:" : " wait_vdst:"), og_put_number(w, bits); break;
  case OG_MOD_BITOP3: put_bitop3(w, bits); break;
  default: break;
  }
}
