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
       store = flags & OG_FLAG_STORE && (!(flags & OG_FLAG_LOAD) || strstr(w->form->name, "_store_"));
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
      {0x101, 0x10f, "row_shl:"}, {0x111, 0x11f, "row_shr:"}, {0x121, 0x12f, "row_ror:"},
  };
  static const struct {
    uint16_t value;
    const char *name;
  } singles[] = {
      {0x130, "wave_shl:1"}, {0x134, "wave_rol:1"}, {0x138, "wave_shr:1"}, {0x13c, "wave_ror:1"},
      {0x140, "row_mirror"}, {0x141, "row_half_mirror"}, {0x142, "row_bcast:15"}, {0x143, "row_bcast:31"},
  };
  bool wide = false;
  for (unsigned i = 0; i < w->inst->operand_count; i++)
    wide |= w->inst->operands[i].dwords == 2 && w->inst->operands[i].kind == OG_OPERAND_VGPR;
  if (w->isa->gfx90a && wide && (value < 0x150 || value > 0x15f)) {
    og_put(w, "/* DP ALU dpp only supports row_newbcast */");
    return;
  }
  static const char *const shifts_gone[] = {
      "/* wave_shl is not supported starting from GFX10 */", "/* wave_rol is not supported starting from GFX10 */",
      "/* wave_shr is not supported starting from GFX10 */", "/* wave_ror is not supported starting from GFX10 */"};
  if (value <= 0xff) {
    og_put_format(w, "quad_perm:[%u,%u,%u,%u]", value & 3, value >> 2 & 3, value >> 4 & 3, value >> 6 & 3);
    return;
  }
  for (size_t i = 0; i < OG_COUNT(ranges); i++)
    if (value >= ranges[i].first && value <= ranges[i].last) {
      og_put(w, ranges[i].name);
      og_put_number(w, value & 15);
      return;
    }
  for (size_t i = 0; i < OG_COUNT(singles); i++)
    if (value == singles[i].value && (value >= 0x140 ? value < 0x142 || !w->isa->gfx10 : !w->isa->gfx10)) {
      og_put(w, singles[i].name);
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
               ? "/* row_newbcast/row_share is not supported on ASICs earlier than GFX90A/GFX10 */"
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
  if (w->form->encoding == OG_ENC_SMEM) {
    og_put(w, " offset:");
    og_put_signed_hex(w, value);
    return;
  }
  if (!value)
    return;
  og_put(w, " offset:");
  og_put_signed(w, value);
}

/* One bit per source, and one for the destination where op_sel reaches it. */
static void put_bits(struct og_writer *w, const char *name, unsigned bits, unsigned standard, bool with_destination) {
  unsigned sources = 0;
  for (unsigned i = 0; i < w->shape->slot_count; i++)
    if (w->shape->slots[i].modifiers[0].width || w->shape->flags & OG_SHAPE_PACKED)
      sources = OG_MAX(sources, w->shape->slots[i].role == OG_ROLE_SRC2   ? 3u
                                : w->shape->slots[i].role == OG_ROLE_SRC1 ? 2u
                                                                          : 1u);
  sources = OG_MAX(sources, (unsigned)w->shape->flags / OG_SHAPE_SOURCES);
  if (strncmp(w->form->name, "v_permlane", 10) == 0)
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

static void put_word(struct og_writer *w, int32_t value, const char *word) {
  if (value)
    og_put(w, word);
}

static void put_valued(struct og_writer *w, const char *name, int32_t value) {
  if (value)
    og_put(w, name), og_put_number(w, (unsigned)value);
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

void og_put_modifier(struct og_writer *w, const struct og_mod_slot *slot) {
  static const char *const formats[] = {"MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6",
                                        "MATRIX_FMT_FP4"};
  static const char *const scales[] = {"MATRIX_SCALE_ROW0", "MATRIX_SCALE_ROW1"};
  static const char *const scale_formats[] = {"MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3"};
  int32_t value = w->inst->mod[slot->mod];
  switch ((enum og_mod)slot->mod) {
  case OG_MOD_CLAMP: put_word(w, value, " clamp"); break;
  case OG_MOD_OMOD:
    if (value)
      og_put(w, value == 1 ? " mul:2" : value == 2 ? " mul:4" : " div:2");
    break;
  case OG_MOD_OP_SEL:
    put_bits(w, " op_sel:[", (unsigned)value, 0,
             !(w->shape->flags & OG_SHAPE_OP_SEL_HI) &&
                 (og_operand(w->inst, OG_ROLE_VDST) ||
                  (w->form->variant == OG_VARIANT_NONE && og_operand(w->inst, OG_ROLE_SDST))));
    break;
  case OG_MOD_OP_SEL_HI:
    put_bits(w, " op_sel_hi:[", (unsigned)value, w->shape->flags & OG_SHAPE_MIX ? 0 : 7, false);
    break;
  case OG_MOD_NEG_LO: put_bits(w, " neg_lo:[", (unsigned)value, 0, false); break;
  case OG_MOD_NEG_HI: put_bits(w, " neg_hi:[", (unsigned)value, 0, false); break;
  case OG_MOD_DPP_CTRL: put_dpp_ctrl(w, (unsigned)value); break;
  case OG_MOD_ROW_MASK: og_put(w, " row_mask:"), og_put_hex(w, (unsigned)value); break;
  case OG_MOD_BANK_MASK: og_put(w, " bank_mask:"), og_put_hex(w, (unsigned)value); break;
  case OG_MOD_BOUND_CTRL: put_word(w, value, " bound_ctrl:1"); break;
  case OG_MOD_FI: put_word(w, value, " fi:1"); break;
  case OG_MOD_DST_SEL: put_sdwa_select(w, "dst_sel:", (unsigned)value); break;
  case OG_MOD_SRC0_SEL: put_sdwa_select(w, "src0_sel:", (unsigned)value); break;
  case OG_MOD_SRC1_SEL: put_sdwa_select(w, "src1_sel:", (unsigned)value); break;
  case OG_MOD_DST_UNUSED:
    og_put(w, value == 0   ? "dst_unused:UNUSED_PAD"
           : value == 1 ? "dst_unused:UNUSED_SEXT"
           : value == 2 ? "dst_unused:UNUSED_PRESERVE"
                        : "dst_unused:UNUSED_PAD");
    break;
  case OG_MOD_OFFSET:
    if (slot->style == OG_STYLE_SWIZZLE)
      put_swizzle(w, (unsigned)value);
    else
      put_offset(w, value);
    break;
  case OG_MOD_OFFSET0:
    if (value)
      og_put(w, " offset0:"), og_put_number(w, (unsigned)value);
    break;
  case OG_MOD_OFFSET1:
    if (value)
      og_put(w, " offset1:"), og_put_number(w, (unsigned)value);
    break;
  case OG_MOD_GDS: put_word(w, value && !w->isa->gfx90a, " gds"); break;
  case OG_MOD_CPOL: put_cpol(w, (unsigned)value); break;
  case OG_MOD_DMASK:
    if (value)
      og_put(w, " dmask:"), og_put_hex(w, (unsigned)value);
    break;
  case OG_MOD_UNORM: put_word(w, value, " unorm"); break;
  case OG_MOD_DA: put_word(w, value, " da"); break;
  case OG_MOD_R128: put_word(w, value, w->isa->generation >= OG_GFX900 && !w->isa->gfx10 ? " a16" : " r128"); break;
  case OG_MOD_A16: put_word(w, value, " a16"); break;
  case OG_MOD_D16: put_word(w, value, " d16"); break;
  case OG_MOD_TFE: put_word(w, value, " tfe"); break;
  case OG_MOD_LWE: put_word(w, value, " lwe"); break;
  case OG_MOD_FORMAT: put_format_modifier(w, (unsigned)value); break;
  case OG_MOD_COMPR: put_word(w, value, " compr"); break;
  case OG_MOD_VM: put_word(w, value, " vm"); break;
  case OG_MOD_HIGH: put_word(w, value, " high"); break;
  case OG_MOD_DIM: {
    static const char *const dims[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
    og_put(w, " dim:SQ_RSRC_IMG_"), og_put(w, dims[value & 7]);
    break;
  }
  case OG_MOD_DPP8:
    og_put_format(w, "dpp8:[%d,%d,%d,%d,%d,%d,%d,%d]", value & 7, value >> 3 & 7, value >> 6 & 7, value >> 9 & 7,
               value >> 12 & 7, value >> 15 & 7, value >> 18 & 7, value >> 21 & 7);
    break;
  case OG_MOD_CBSZ: put_valued(w, " cbsz:", value); break;
  case OG_MOD_ABID: put_valued(w, " abid:", value); break;
  case OG_MOD_BLGP:
    if (value && w->isa->gfx940 && strstr(w->form->name, "_f64_"))
      og_put_format(w, " neg:[%d,%d,%d]", value & 1, value >> 1 & 1, value >> 2 & 1);
    else
      put_valued(w, " blgp:", value);
    break;
  case OG_MOD_INDEX_KEY: put_valued(w, " index_key:", value); break;
  case OG_MOD_MATRIX_A_FMT: put_matrix(w, " matrix_a_fmt:", formats, 5, value); break;
  case OG_MOD_MATRIX_B_FMT: put_matrix(w, " matrix_b_fmt:", formats, 5, value); break;
  case OG_MOD_MATRIX_A_SCALE: put_matrix(w, " matrix_a_scale:", scales, 2, value); break;
  case OG_MOD_MATRIX_B_SCALE: put_matrix(w, " matrix_b_scale:", scales, 2, value); break;
  case OG_MOD_MATRIX_A_SCALE_FMT: put_matrix(w, " matrix_a_scale_fmt:", scale_formats, 3, value); break;
  case OG_MOD_MATRIX_B_SCALE_FMT: put_matrix(w, " matrix_b_scale_fmt:", scale_formats, 3, value); break;
  case OG_MOD_MATRIX_A_REUSE: put_word(w, value, " matrix_a_reuse"); break;
  case OG_MOD_MATRIX_B_REUSE: put_word(w, value, " matrix_b_reuse"); break;
  case OG_MOD_BYTE_SEL: put_valued(w, " byte_sel:", value); break;
  case OG_MOD_SCALE_SEL: put_valued(w, " scale_sel:", value); break;
  case OG_MOD_WAIT_EXP: og_put(w, " wait_exp:"), og_put_number(w, (unsigned)value); break;
  case OG_MOD_WAIT_VDST:
    og_put(w, w->isa->gfx12 ? " wait_va_vdst:" : " wait_vdst:"), og_put_number(w, (unsigned)value);
    break;
  case OG_MOD_WAIT_VM_VSRC: og_put(w, " wait_vm_vsrc:"), og_put_number(w, (unsigned)value); break;
  case OG_MOD_BITOP3:
    if (value) {
      og_put(w, " bitop3:");
      if (value <= 10)
        og_put_number(w, (unsigned)value);
      else
        og_put_hex(w, (unsigned)value);
    }
    break;
  default: break;
  }
}
