/* modifier.c - modifiers behind the operands: flags, name:value, name:[list]. */
#include "isa/text/parts.h"
#include "isa/names.h"
#include "texel/buffer_format.h"

#include <stdio.h>
#include <string.h>

enum style {
  STYLE_FLAG,   /* the word alone; value as given, or'ed in */
  STYLE_CPOL,   /* the same, into the cache policy */
  STYLE_NUMBER, /* name:number */
  STYLE_BITS,   /* name:[0,1,...] */
  STYLE_OMOD_MUL,
  STYLE_OMOD_DIV,
  STYLE_QUAD_PERM,
  STYLE_DPP8,
  STYLE_DPP_ROW,
  STYLE_DPP_BCAST,
  STYLE_DPP_ONE,
  STYLE_DPP_NEWBCAST,
  STYLE_BOUND_CTRL,
  STYLE_NAME, /* of a list */
  STYLE_OFFSET,
  STYLE_FORMAT,
  STYLE_DFMT,
  STYLE_NFMT,
  STYLE_DIM,
  STYLE_TH,
  STYLE_SCOPE,
  STYLE_A16,
};

enum { SELECTS, UNUSED, SCOPES, MATRIX_FORMATS, MATRIX_SCALES, SCALE_FORMATS };
static const char *const name_lists[][8] = { /* by value, NULL behind the last */
    [SELECTS] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"},
    [UNUSED] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"},
    [SCOPES] = {"SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"},
    [MATRIX_FORMATS] = {"MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6", "MATRIX_FMT_FP4"},
    [MATRIX_SCALES] = {"MATRIX_SCALE_ROW0", "MATRIX_SCALE_ROW1"},
    [SCALE_FORMATS] = {"MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3"},
};

static const struct modifier {
  const char *name;
  uint8_t mod, style;
  int32_t value; /* FLAG: value; NUMBER: largest; NAME, SCOPE: of which list; DPP: base */
} modifiers[] = {
    {"clamp", OG_MOD_CLAMP, STYLE_FLAG, 1},
    {"gds", OG_MOD_GDS, STYLE_FLAG, 1},
    {"offen", OG_MOD_OFFEN, STYLE_FLAG, 1},
    {"idxen", OG_MOD_IDXEN, STYLE_FLAG, 1},
    {"addr64", OG_MOD_ADDR64, STYLE_FLAG, 1},
    {"lds", OG_MOD_LDS, STYLE_FLAG, 1},
    {"tfe", OG_MOD_TFE, STYLE_FLAG, 1},
    {"lwe", OG_MOD_LWE, STYLE_FLAG, 1},
    {"unorm", OG_MOD_UNORM, STYLE_FLAG, 1},
    {"da", OG_MOD_DA, STYLE_FLAG, 1},
    {"r128", OG_MOD_R128, STYLE_FLAG, 1},
    {"a16", OG_MOD_A16, STYLE_A16, 1},
    {"d16", OG_MOD_D16, STYLE_FLAG, 1},
    {"compr", OG_MOD_COMPR, STYLE_FLAG, 1},
    {"done", OG_MOD_DONE, STYLE_FLAG, 1},
    {"vm", OG_MOD_VM, STYLE_FLAG, 1},
    {"high", OG_MOD_HIGH, STYLE_FLAG, 1},
    {"row_en", OG_MOD_ROW_EN, STYLE_FLAG, 1},
    {"nv", OG_MOD_CPOL, STYLE_CPOL, OG_CPOL_NV},
    {"scale_offset", OG_MOD_CPOL, STYLE_CPOL, OG_CPOL_SCALE_OFFSET},
    {"matrix_a_reuse", OG_MOD_MATRIX_A_REUSE, STYLE_FLAG, 1},
    {"matrix_b_reuse", OG_MOD_MATRIX_B_REUSE, STYLE_FLAG, 1},
    {"glc", OG_MOD_CPOL, STYLE_CPOL, OG_CPOL_GLC},
    {"slc", OG_MOD_CPOL, STYLE_CPOL, OG_CPOL_SLC},
    {"dlc", OG_MOD_CPOL, STYLE_CPOL, OG_CPOL_DLC},
    {"scc", OG_MOD_CPOL, STYLE_CPOL, OG_CPOL_SCC},
    {"sc0", OG_MOD_CPOL, STYLE_CPOL, OG_CPOL_GLC},
    {"nt", OG_MOD_CPOL, STYLE_CPOL, OG_CPOL_SLC},
    {"sc1", OG_MOD_CPOL, STYLE_CPOL, OG_CPOL_SCC},
    {"th", OG_MOD_CPOL, STYLE_TH, 0},
    {"scope", OG_MOD_CPOL, STYLE_SCOPE, SCOPES},
    {"offset", OG_MOD_OFFSET, STYLE_OFFSET, 0},
    {"offset0", OG_MOD_OFFSET0, STYLE_NUMBER, 255},
    {"offset1", OG_MOD_OFFSET1, STYLE_NUMBER, 255},
    {"dmask", OG_MOD_DMASK, STYLE_NUMBER, 15},
    {"dim", OG_MOD_DIM, STYLE_DIM, 0},
    {"format", OG_MOD_FORMAT, STYLE_FORMAT, 127},
    {"dfmt", OG_MOD_FORMAT, STYLE_DFMT, 15},
    {"nfmt", OG_MOD_FORMAT, STYLE_NFMT, 7},
    {"mul", OG_MOD_OMOD, STYLE_OMOD_MUL, 0},
    {"div", OG_MOD_OMOD, STYLE_OMOD_DIV, 0},
    {"op_sel", OG_MOD_OP_SEL, STYLE_BITS, 0},
    {"op_sel_hi", OG_MOD_OP_SEL_HI, STYLE_BITS, 0},
    {"neg_lo", OG_MOD_NEG_LO, STYLE_BITS, 0},
    {"neg_hi", OG_MOD_NEG_HI, STYLE_BITS, 0},
    {"neg", OG_MOD_BLGP, STYLE_BITS, 0},
    {"quad_perm", OG_MOD_DPP_CTRL, STYLE_QUAD_PERM, 0},
    {"dpp8", OG_MOD_DPP8, STYLE_DPP8, 0},
    {"row_shl", OG_MOD_DPP_CTRL, STYLE_DPP_ROW, 0x100},
    {"row_shr", OG_MOD_DPP_CTRL, STYLE_DPP_ROW, 0x110},
    {"row_ror", OG_MOD_DPP_CTRL, STYLE_DPP_ROW, 0x120},
    {"wave_shl", OG_MOD_DPP_CTRL, STYLE_DPP_ONE, 0x130},
    {"wave_rol", OG_MOD_DPP_CTRL, STYLE_DPP_ONE, 0x134},
    {"wave_shr", OG_MOD_DPP_CTRL, STYLE_DPP_ONE, 0x138},
    {"wave_ror", OG_MOD_DPP_CTRL, STYLE_DPP_ONE, 0x13c},
    {"row_mirror", OG_MOD_DPP_CTRL, STYLE_FLAG, 0x140},
    {"row_half_mirror", OG_MOD_DPP_CTRL, STYLE_FLAG, 0x141},
    {"row_bcast", OG_MOD_DPP_CTRL, STYLE_DPP_BCAST, 0},
    {"row_newbcast", OG_MOD_DPP_CTRL, STYLE_DPP_NEWBCAST, 0x150},
    {"row_share", OG_MOD_DPP_CTRL, STYLE_DPP_NEWBCAST, 0x150},
    {"row_xmask", OG_MOD_DPP_CTRL, STYLE_DPP_NEWBCAST, 0x160},
    {"row_mask", OG_MOD_ROW_MASK, STYLE_NUMBER, 15},
    {"bank_mask", OG_MOD_BANK_MASK, STYLE_NUMBER, 15},
    {"bound_ctrl", OG_MOD_BOUND_CTRL, STYLE_BOUND_CTRL, 0},
    {"fi", OG_MOD_FI, STYLE_NUMBER, 1},
    {"dst_sel", OG_MOD_DST_SEL, STYLE_NAME, SELECTS},
    {"src0_sel", OG_MOD_SRC0_SEL, STYLE_NAME, SELECTS},
    {"src1_sel", OG_MOD_SRC1_SEL, STYLE_NAME, SELECTS},
    {"dst_unused", OG_MOD_DST_UNUSED, STYLE_NAME, UNUSED},
    {"cbsz", OG_MOD_CBSZ, STYLE_NUMBER, 7},
    {"abid", OG_MOD_ABID, STYLE_NUMBER, 15},
    {"blgp", OG_MOD_BLGP, STYLE_NUMBER, 7},
    {"index_key", OG_MOD_INDEX_KEY, STYLE_NUMBER, 3},
    {"wait_vdst", OG_MOD_WAIT_VDST, STYLE_NUMBER, 15},
    {"wait_exp", OG_MOD_WAIT_EXP, STYLE_NUMBER, 7},
    {"wait_va_vdst", OG_MOD_WAIT_VDST, STYLE_NUMBER, 15},
    {"wait_vm_vsrc", OG_MOD_WAIT_VM_VSRC, STYLE_NUMBER, 1},
    {"byte_sel", OG_MOD_BYTE_SEL, STYLE_NUMBER, 3},
    {"bitop3", OG_MOD_BITOP3, STYLE_NUMBER, 255},
    {"scale_sel", OG_MOD_SCALE_SEL, STYLE_NUMBER, 15},
    {"matrix_a_fmt", OG_MOD_MATRIX_A_FMT, STYLE_NAME, MATRIX_FORMATS},
    {"matrix_b_fmt", OG_MOD_MATRIX_B_FMT, STYLE_NAME, MATRIX_FORMATS},
    {"matrix_a_scale", OG_MOD_MATRIX_A_SCALE, STYLE_NAME, MATRIX_SCALES},
    {"matrix_b_scale", OG_MOD_MATRIX_B_SCALE, STYLE_NAME, MATRIX_SCALES},
    {"matrix_a_scale_fmt", OG_MOD_MATRIX_A_SCALE_FMT, STYLE_NAME, SCALE_FORMATS},
    {"matrix_b_scale_fmt", OG_MOD_MATRIX_B_SCALE_FMT, STYLE_NAME, SCALE_FORMATS},
};

/* Whole numbers up to `high` in brackets; as many as `most`, or fewer where `any` says so. `name` is what errors call
 * the values; NULL for bits of lanes' numbers. */
static bool bracketed(struct og_inst_reader *in, bool any, unsigned most, int64_t high, const char *name,
                      int64_t *values, unsigned *count) {
  if (!og_in_accept(in, '['))
    return og_in_error(in, in->p, 1, any ? "expected a left square bracket" : "expected an opening square bracket");
  for (*count = 0;;) {
    const char *at = og_in_at(in);
    if (!og_in_absolute(in, &values[*count]))
      return false;
    if (values[*count] < 0 || values[*count] > high)
      return og_in_refuse(in, at, name        ? "invalid %s value."
                         : high == 7 ? "expected a 3-bit value"
                                     : "expected a 2-bit value",
                         name);
    ++*count;
    if ((any || *count == most) && og_in_accept(in, ']'))
      return true;
    if (*count == most)
      return og_in_error(in, in->p, 1, "expected a closing square bracket");
    if (!og_in_expect(in, ',', "expected a comma"))
      return false;
  }
}

/* The same side by side, of so many bits each. */
static bool packed(struct og_inst_reader *in, bool any, unsigned most, unsigned bits, const char *name, int32_t *out) {
  int64_t values[8];
  unsigned count = 0;
  if (!bracketed(in, any, most, (1 << bits) - 1, name, values, &count))
    return false;
  *out = 0;
  for (unsigned i = 0; i < count; i++)
    *out |= (int32_t)values[i] << (bits * i);
  return true;
}

/* The words and the place are llvm-mc's; what is expected is ours. */
static bool range_error(struct og_inst_reader *in, const struct modifier *m, const char *at, int64_t low,
                        int64_t high) {
  bool whole = m->style == STYLE_OMOD_MUL || m->style == STYLE_OMOD_DIV || m->style == STYLE_NUMBER ||
               m->style == STYLE_BOUND_CTRL;
  if (whole)
    at = in->modifier;
  if (low == high)
    return og_in_refuse(in, at, "invalid %s value%s: expected %lld", m->name, whole ? "." : "", (long long)low);
  return og_in_refuse(in, at, "invalid %s value%s: expected %lld to %lld", m->name,
                     whole ? "." : "", (long long)low, (long long)high);
}

static bool ranged(struct og_inst_reader *in, const struct modifier *m, int64_t low, int64_t high, int32_t *out) {
  int64_t value;
  const char *at = og_in_at(in);
  if (!og_in_absolute(in, &value))
    return false;
  if ((value < low || value > high) && m->mod == OG_MOD_FORMAT)
    return og_in_error(in, m->style == STYLE_FORMAT ? at : in->modifier, 1, "out of range %s", m->name);
  if (value < low || value > high)
    return range_error(in, m, at, low, high);
  *out = (int32_t)value;
  return true;
}

static bool one_of(struct og_inst_reader *in, const struct modifier *m, int32_t *out) {
  const char *const *names = name_lists[m->value];
  unsigned count = 0;
  while (names[count])
    count++;
  const char *at = og_in_at(in);
  if (!og_name_start(*at))
    return ranged(in, m, 0, (int64_t)count - 1, out);
  struct og_text word = og_in_word(in);
  for (unsigned i = 0; i < count; i++)
    if (og_text_is(word, names[i]))
      return *out = (int32_t)i, true;
  return og_in_error(in, at, OG_MAX(word.size, 1u), "invalid %s value", m->name);
}

/* 1D or SQ_RSRC_IMG_1D. */
static bool dimension(struct og_inst_reader *in, int32_t *out) {
  static const char *const names[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
  static const char prefix[] = "SQ_RSRC_IMG_";
  const char *start = og_in_at(in), *p = start;
  if (!strncmp(p, prefix, sizeof prefix - 1))
    p += sizeof prefix - 1;
  const char *end = og_after_name(p);
  for (unsigned i = 0; i < OG_COUNT(names); i++)
    if (og_text_is((struct og_text){p, (size_t)(end - p)}, names[i]))
      return in->p = end, *out = (int32_t)i, true;
  return og_in_error(in, start, OG_MAX((size_t)(end - start), 1u), "invalid dim value");
}

/* number, or [BUF_DATA_FORMAT_x], [BUF_NUM_FORMAT_y], both in any order, or a unified name. */
static bool format(struct og_inst_reader *in, const struct modifier *m, int32_t *out) {
  const struct og_isa *isa = in->isa;
  if (!og_in_accept(in, '['))
    return ranged(in, m, 0, m->value, out);
  int data = -1, number = -1, unified = -1;
  do {
    const char *at = og_in_at(in);
    struct og_text word = og_in_word(in);
    int d = -1, n = -1, u = -1;
    if (word.size > 9 && !memcmp(word.data, "BUF_DATA_", 9))
      d = og_value_of(isa, OG_NAMES_DATA_FORMAT, word);
    else if (word.size > 8 && !memcmp(word.data, "BUF_NUM_", 8))
      n = og_value_of(isa, OG_NAMES_NUMBER_FORMAT, word);
    else
      u = og_value_of(isa, OG_NAMES_UNIFIED_FORMAT, word);
    if (u < 0 && word.size > 8 && !memcmp(word.data, "BUF_FMT_", 8) && in->target->processor->major < 10)
      return og_in_error(in, at, word.size, "unified format is not supported on this GPU");
    bool second = data >= 0 || number >= 0; /* a unified name stands alone */
    if (d < 0 && n < 0 && (u < 0 || second))
      return og_in_error(in, at, OG_MAX(word.size, 1u), word.size ? "unsupported format" : "expected a format string");
    if ((d >= 0 && data >= 0) || (n >= 0 && number >= 0))
      return og_in_error(in, at, word.size, d >= 0 ? "duplicate data format" : "duplicate numeric format");
    data = d >= 0 ? d : data;
    number = n >= 0 ? n : number;
    unified = u >= 0 ? u : unified;
  } while (unified < 0 && og_in_accept(in, ','));
  if (unified < 0)
    unified =
        og_buffer_format_value(isa->generation, data >= 0 ? (unsigned)data : 1, number >= 0 ? (unsigned)number : 0);
  if (unified < 0)
    return og_in_refuse(in, in->modifier, "unsupported format");
  *out = unified;
  return og_in_expect(in, ']', "expected a closing square bracket");
}

/* Temporal hints: TH_ and what it is for, then the hint. */
static const struct {
  const char *name;
  uint8_t value;
  int32_t kinds;
} th_names[] = {
    {"DEFAULT", 0, OG_TH_LOAD | OG_TH_STORE | OG_TH_ATOMIC},
    {"LOAD_RT", 0, OG_TH_LOAD},
    {"LOAD_NT", 1, OG_TH_LOAD},
    {"LOAD_HT", 2, OG_TH_LOAD},
    {"LOAD_LU", 3, OG_TH_LOAD},
    {"LOAD_BYPASS", 3, OG_TH_LOAD | OG_TH_BYPASS},
    {"LOAD_NT_RT", 4, OG_TH_LOAD},
    {"LOAD_RT_NT", 5, OG_TH_LOAD},
    {"LOAD_NT_HT", 6, OG_TH_LOAD},
    {"STORE_RT", 0, OG_TH_STORE},
    {"STORE_NT", 1, OG_TH_STORE},
    {"STORE_HT", 2, OG_TH_STORE},
    {"STORE_WB", 3, OG_TH_STORE},
    {"STORE_BYPASS", 3, OG_TH_STORE | OG_TH_BYPASS},
    {"STORE_NT_RT", 4, OG_TH_STORE},
    {"STORE_RT_NT", 5, OG_TH_STORE},
    {"STORE_NT_HT", 6, OG_TH_STORE},
    {"STORE_NT_WB", 7, OG_TH_STORE},
    {"ATOMIC_RT", 0, OG_TH_ATOMIC},
    {"ATOMIC_RETURN", 1, OG_TH_ATOMIC},
    {"ATOMIC_RT_RETURN", 1, OG_TH_ATOMIC},
    {"ATOMIC_NT", 2, OG_TH_ATOMIC},
    {"ATOMIC_NT_RETURN", 3, OG_TH_ATOMIC},
    {"ATOMIC_CASCADE_RT", 4, OG_TH_ATOMIC},
    {"ATOMIC_CASCADE_NT", 6, OG_TH_ATOMIC},
};

static bool temporal_hint(struct og_inst_reader *in, int32_t *out) {
  const char *at = og_in_at(in);
  if (!og_name_start(*at))
    return og_in_error(in, at, 1, "expected an identifier");
  struct og_text word = og_in_word(in);
  for (size_t i = 0; word.size > 3 && !memcmp(word.data, "TH_", 3) && i < OG_COUNT(th_names); i++)
    if (og_text_is((struct og_text){word.data + 3, word.size - 3}, th_names[i].name))
      return *out = th_names[i].value | th_names[i].kinds, true;
  return og_in_error(in, at, word.size, "invalid th value");
}

/* Apart from its caller, which has less to save where a flag stands. */
static __attribute__((noinline)) bool value_of(struct og_inst_reader *in, const struct modifier *m, int32_t *out) {
  int64_t wide;
  const char *at;
  switch (m->style) {
  case STYLE_NUMBER: return ranged(in, m, 0, m->value, out);
  case STYLE_BITS: return packed(in, true, 4, 1, m->name, out);
  case STYLE_QUAD_PERM: return packed(in, false, 4, 2, NULL, out);
  case STYLE_DPP8: return packed(in, false, 8, 3, NULL, out);
  case STYLE_DPP_ROW: return ranged(in, m, 1, 15, out) && (*out |= m->value, true);
  case STYLE_DPP_NEWBCAST: return ranged(in, m, 0, 15, out) && (*out |= m->value, true);
  case STYLE_DPP_ONE: return ranged(in, m, 1, 1, out) && (*out = m->value, true);
  case STYLE_NAME: return one_of(in, m, out);
  case STYLE_FORMAT: return format(in, m, out);
  case STYLE_DFMT: return ranged(in, m, 0, 15, out) && (*out |= OG_FORMAT_HAS_DATA, true);
  case STYLE_NFMT: return ranged(in, m, 0, 7, out) && (*out = *out << 4 | OG_FORMAT_HAS_NUMBER, true);
  case STYLE_DIM: return dimension(in, out);
  case STYLE_TH: return temporal_hint(in, out);
  case STYLE_SCOPE: return one_of(in, m, out) && (*out = *out << 3 | OG_SCOPE_GIVEN, true);
  case STYLE_DPP_BCAST:
    at = og_in_at(in);
    if (!og_in_absolute(in, &wide))
      return false;
    *out = wide == 15 ? 0x142 : 0x143;
    return wide == 15 || wide == 31 || og_in_refuse(in, at, "invalid row_bcast value");
  case STYLE_BOUND_CTRL: /* 0 has always meant "write zero", as 1 does now; not from gfx11 on */
    return ranged(in, m, 0, 1, out) && (*out |= in->target->processor->major < 11, true);
  case STYLE_OMOD_MUL:
  case STYLE_OMOD_DIV:
    if (!ranged(in, m, 1, 4, out))
      return false;
    if (*out == 3 || (m->style == STYLE_OMOD_DIV && *out == 4))
      return og_in_refuse(in, in->modifier, "invalid %s value.", m->name);
    *out = m->style == STYLE_OMOD_DIV ? (*out == 2 ? 3 : 0) : *out == 4 ? 2 : *out - 1;
    return true;
  case STYLE_OFFSET:
    if (*og_in_at(in) == 's' && !strncmp(in->p, "swizzle", 7)) {
      if (!og_read_swizzle(in, &wide))
        return false;
    } else if (at = in->p, !og_in_absolute(in, &wide)) {
      return false;
    } else { /* no form has so many bits: its own error follows */
      wide = OG_MAX(OG_MIN(wide, INT32_MAX), INT32_MIN);
    }
    *out = (int32_t)wide;
    return true;
  default: return false;
  }
}

/* Words of one generation that mean something else on another. */
static uint8_t mod_of(const struct og_inst_reader *in, const struct modifier *m) {
  if (m->style == STYLE_A16 && in->target->processor->major < 10)
    return OG_MOD_R128; /* the same bit on gfx9 */
  return m->mod;
}

static bool is_flag(const struct modifier *m) {
  return m->style == STYLE_FLAG || m->style == STYLE_CPOL || m->style == STYLE_A16;
}

/* Words that are modifiers on some processors only. */
static bool is_known(const struct og_inst_reader *in, const struct modifier *m) {
  const struct og_processor *p = in->target->processor;
  bool gfx940 = p->generation == OG_GFX942 || p->generation == OG_GFX950, gfx90a = gfx940 || p->generation == OG_GFX90A;
  bool newer = m->name[0] == 'n' || (m->name[0] == 's' && m->name[1] == 'c' && m->name[2] != 'c');
  switch (m->style) {
  case STYLE_CPOL:
    if (m->value & (OG_CPOL_NV | OG_CPOL_SCALE_OFFSET))
      return p->generation >= OG_GFX1250;
    return p->major < 12 && newer == (gfx940 && !in->scalar_memory); /* scalar memory kept glc */
  case STYLE_NUMBER: return m->mod != OG_MOD_WAIT_VDST || (p->major >= 12) == !strcmp(m->name, "wait_va_vdst");
  case STYLE_DFMT:
  case STYLE_NFMT: return p->major < 10;
  case STYLE_TH:
  case STYLE_SCOPE: return p->major >= 12;
  case STYLE_DPP_ONE:
  case STYLE_DPP_BCAST: return p->major < 10;
  case STYLE_DPP_NEWBCAST: return strcmp(m->name, "row_newbcast") ? p->major >= 10 : gfx90a;
  default: return true;
  }
}

static bool is_supported(const struct og_inst_reader *in, const struct modifier *m) {
  const struct og_processor *p = in->target->processor;
  bool policy = m->style == STYLE_CPOL;
  return !((m->mod == OG_MOD_R128 && p->major == 9) || (m->style == STYLE_A16 && p->major < 9) ||
           (policy && m->value == OG_CPOL_DLC && (p->major < 10 || p->major > 11)) ||
           (policy && !strcmp(m->name, "scc") && p->generation != OG_GFX90A));
}

static bool on_this_processor(struct og_inst_reader *in, const struct modifier *m) {
  size_t size = (size_t)(in->p - in->modifier);
  if (!is_supported(in, m))
    return og_in_error(in, in->modifier, size, "%s modifier is not supported on this GPU", m->name);
  return is_known(in, m) || og_in_error(in, in->modifier, size, "not a valid operand.: %s is not on %s", m->name,
                                        in->target->processor->name);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* A word of the text and what it is on the target: a modifier's name, or a flag's with "no" before it. */
struct word {
  uint64_t first, last; /* eight characters; the short have their own and zeros, and zeros */
  const struct modifier *modifier;
  uint8_t size, mod;
  bool flag, negated;
  bool here[2]; /* the processor has it; [1] for scalar memory */
};
enum { WORDS = 512, MOST = 24 }; /* slots: four times as many as there are words; bytes of a name, with its NUL */
struct og_modifier_words {
  uint8_t slots[WORDS]; /* number + 1 of the word */
  uint32_t begin[32];   /* by a first letter, all modulo 32: set of the second ones */
  uint32_t count;
  struct word words[2 * OG_COUNT(modifiers)];
};

/* Of a name of so many characters, of which at least eight bytes can be read, what tells it apart, and its first
 * slot. */
static uint32_t first_slot(const char *name, size_t size, struct word *out) {
  bool longer = size >= 8;
  uint64_t known = longer ? UINT64_MAX : ~(UINT64_MAX << 8 * size);
  out->size = (uint8_t)OG_MIN(size, UINT8_MAX);
  out->first = og_load64(name) & known;
  out->last = longer ? og_load64(name + (longer ? size - 8 : 0)) : 0;
  return (uint32_t)((out->first * 0xff51afd7ed558ccdu ^ out->last * 0x9fb21c651e98df25u) >> 55); /* of WORDS */
}

static void add_word(struct og_inst_reader *in, const struct modifier *m, bool negated) {
  struct og_modifier_words *words = in->modifiers;
  struct word *word = &words->words[words->count++];
  char name[MOST] = {0};
  *word = (struct word){.modifier = m, .mod = mod_of(in, m), .flag = is_flag(m), .negated = negated};
  size_t size = (size_t)snprintf(name, sizeof name, "%s%s", negated ? "no" : "", m->name);
  bool scalar_memory = in->scalar_memory;
  for (unsigned i = 0; i < 2; i++) {
    in->scalar_memory = i;
    word->here[i] = is_supported(in, m) && is_known(in, m);
  }
  in->scalar_memory = scalar_memory;
  words->begin[name[0] & 31] |= UINT32_C(1) << (name[1] & 31);
  uint32_t slot = first_slot(name, size, word);
  while (words->slots[slot % WORDS])
    slot++;
  words->slots[slot % WORDS] = (uint8_t)words->count;
}

static void make_words(struct og_inst_reader *in) {
  in->modifiers = OG_NEW(in->arena, struct og_modifier_words);
  for (size_t i = 0; i < OG_COUNT(modifiers); i++) {
    add_word(in, &modifiers[i], false);
    if (is_flag(&modifiers[i]) && modifiers[i].mod != OG_MOD_DPP_CTRL)
      add_word(in, &modifiers[i], true);
  }
}

/* The word at the cursor, NULL if it is no modifier's; *end is after it. */
static inline __attribute__((always_inline)) const struct word *word_here(struct og_inst_reader *in, const char **end) {
  if (!in->modifiers)
    make_words(in);
  if (!(in->modifiers->begin[in->p[0] & 31] >> (in->p[1] & 31) & 1)) /* as vcc and exec */
    return NULL;
  *end = og_after_short_name(in->p, in->wide);
  size_t size = (size_t)(*end - in->p);
  struct word here;
  char copy[MOST];
  if (size >= sizeof copy)
    return NULL;
  const char *name = in->p < in->wide ? in->p : memcpy(copy, in->p, size);
  uint32_t slot = first_slot(name, size, &here);
  for (unsigned number; (number = in->modifiers->slots[slot % WORDS]) != 0; slot++) {
    const struct word *word = &in->modifiers->words[number - 1];
    if (word->first == here.first && word->last == here.last && word->size == size)
      return word;
  }
  return NULL;
}

int og_modifier_at(struct og_inst_reader *in, bool *flag) {
  const char *end;
  const struct word *word = word_here(in, &end);
  if (!word || !is_known(in, word->modifier))
    return -1;
  *flag = word->flag;
  return word->mod;
}

/* dfmt and nfmt stand side by side, each once. */
static bool joins_format(struct og_inst_reader *in, struct og_text_modifier *before, int32_t value, const char *at) {
  bool beside = before->end + strspn(before->end, " \t,") == at;
  if (beside && !(before->value & value & (OG_FORMAT_HAS_DATA | OG_FORMAT_HAS_NUMBER)) &&
      before->value & (OG_FORMAT_HAS_DATA | OG_FORMAT_HAS_NUMBER)) {
    before->end = in->p;
    return true;
  }
  return og_in_refuse(in, at, beside ? "invalid operand for instruction: duplicate format" : "not a valid operand.");
}

/* A modifier of a kind that was given already: words of the cache policy and the parts of a format form one. */
static bool joins_earlier(struct og_inst_reader *in, const struct modifier *m, const struct og_inst_text *text,
                          struct og_text_modifier *earlier, int32_t value, const char *at) {
  size_t size = (size_t)(in->p - at);
  if (m->style == STYLE_DFMT || m->style == STYLE_NFMT)
    return joins_format(in, earlier, value, at);
  if (earlier->mod != OG_MOD_CPOL)
    return og_in_error(in, at, size, "duplicate %s modifier", m->name);
  if (m->style == STYLE_CPOL && m->value & earlier->named)
    return og_in_error(in, at, size, "duplicate cache policy modifier");
  int32_t once = value & OG_CPOL_MARKS; /* a hint or a scope */
  if (once && earlier->value & (once & OG_SCOPE_GIVEN ? OG_SCOPE_GIVEN : OG_TH_KINDS))
    return og_in_error(in, at, size, "invalid operand for instruction: duplicate %s", m->name);
  bool beside = earlier == &text->modifiers[text->modifier_count - 1] &&
                !memchr(earlier->end, ',', (size_t)(at - earlier->end)); /* its words stand together */
  return beside || og_in_error(in, at, size, "invalid operand for instruction");
}

static bool goes_on_as_expression(char c) {
  return c == '@' || c == '+' || c == '-' || c == '*' || c == '%' || c == '&' || c == '^' || c == '<' || c == '>';
}

bool og_read_modifier(struct og_inst_reader *in, struct og_inst_text *text, bool *ok) {
  const char *at = in->p, *end;
  const struct word *word = word_here(in, &end);
  *ok = true;
  if (!word)
    return false;
  const struct modifier *m = word->modifier;
  const char *colon = og_after_blanks(end);
  /* A symbol of that name: "lds@rel32@lo+4". */
  if (word->flag == (*colon == ':') || (word->flag && (*end == '(' || goes_on_as_expression(*colon))))
    return false;
  int32_t value = word->negated ? 0 : m->value;
  in->p = end;
  in->modifier = at;
  if (!word->flag) {
    in->p = colon + 1;
    *ok = value_of(in, m, &value);
  }
  *ok = *ok && (word->here[in->scalar_memory] || on_this_processor(in, m));
  if (*ok && word->negated && word->mod == OG_MOD_GDS && in->wave_sync)
    *ok = og_in_error(in, at, (size_t)(end - at), "nogds is not allowed");
  int32_t named = m->style == STYLE_CPOL ? m->value : 0;
  if (og_has(text->given, word->mod)) {
    struct og_text_modifier *earlier = text->modifiers;
    while (earlier->mod != word->mod)
      earlier++;
    *ok = *ok && joins_earlier(in, m, text, earlier, value, at);
    earlier->value |= value;
    earlier->named |= named;
    return true;
  }
  if (text->modifier_count == OG_TEXT_MODIFIERS)
    return *ok = og_in_error(in, at, 1, "too many modifiers"), true;
  text->given |= OG_BIT(word->mod);
  text->modifiers[text->modifier_count++] =
      (struct og_text_modifier){.mod = word->mod, .value = value, .named = named, .at = at, .end = in->p};
  return true;
}
