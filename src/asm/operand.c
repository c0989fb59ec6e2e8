/* operand.c - reads one operand: registers in all their spellings, constants, expressions, sign and absolute value. */
#include "asm/operand.h"

#include <stdlib.h>
#include <string.h>

enum { SGPRS_LEAST = 102 }; /* that every processor has */

/* ---- registers --------------------------------------------------------------------------------------------------- */

static const struct special_name {
  const char *name;
  uint8_t special, dwords; /* dwords 0: as many as wanted */
} special_names[] = {
    {"vcc", OG_SPECIAL_VCC_LO, 2},
    {"vcc_lo", OG_SPECIAL_VCC_LO, 1},
    {"vcc_hi", OG_SPECIAL_VCC_HI, 1},
    {"exec", OG_SPECIAL_EXEC_LO, 2},
    {"exec_lo", OG_SPECIAL_EXEC_LO, 1},
    {"exec_hi", OG_SPECIAL_EXEC_HI, 1},
    {"m0", OG_SPECIAL_M0, 1},
    {"null", OG_SPECIAL_NULL, 0},
    {"flat_scratch", OG_SPECIAL_FLAT_SCRATCH_LO, 2},
    {"flat_scratch_lo", OG_SPECIAL_FLAT_SCRATCH_LO, 1},
    {"flat_scratch_hi", OG_SPECIAL_FLAT_SCRATCH_HI, 1},
    {"xnack_mask", OG_SPECIAL_XNACK_MASK_LO, 2},
    {"xnack_mask_lo", OG_SPECIAL_XNACK_MASK_LO, 1},
    {"xnack_mask_hi", OG_SPECIAL_XNACK_MASK_HI, 1},
    {"tba", OG_SPECIAL_TBA_LO, 2},
    {"tba_lo", OG_SPECIAL_TBA_LO, 1},
    {"tba_hi", OG_SPECIAL_TBA_HI, 1},
    {"tma", OG_SPECIAL_TMA_LO, 2},
    {"tma_lo", OG_SPECIAL_TMA_LO, 1},
    {"tma_hi", OG_SPECIAL_TMA_HI, 1},
    {"src_shared_base", OG_SPECIAL_SHARED_BASE, 0},
    {"shared_base", OG_SPECIAL_SHARED_BASE, 0},
    {"src_shared_limit", OG_SPECIAL_SHARED_LIMIT, 0},
    {"shared_limit", OG_SPECIAL_SHARED_LIMIT, 0},
    {"src_private_base", OG_SPECIAL_PRIVATE_BASE, 0},
    {"private_base", OG_SPECIAL_PRIVATE_BASE, 0},
    {"src_private_limit", OG_SPECIAL_PRIVATE_LIMIT, 0},
    {"private_limit", OG_SPECIAL_PRIVATE_LIMIT, 0},
    {"src_pops_exiting_wave_id", OG_SPECIAL_POPS_EXITING_WAVE_ID, 0},
    {"pops_exiting_wave_id", OG_SPECIAL_POPS_EXITING_WAVE_ID, 0},
    {"src_vccz", OG_SPECIAL_VCCZ, 0},
    {"vccz", OG_SPECIAL_VCCZ, 0},
    {"src_execz", OG_SPECIAL_EXECZ, 0},
    {"execz", OG_SPECIAL_EXECZ, 0},
    {"src_scc", OG_SPECIAL_SCC, 0},
    {"scc", OG_SPECIAL_SCC, 0},
    {"src_lds_direct", OG_SPECIAL_LDS_DIRECT, 1},
    {"lds_direct", OG_SPECIAL_LDS_DIRECT, 1},
    {"src_flat_scratch_base_lo", OG_SPECIAL_FLAT_SCRATCH_BASE_LO, 0},
    {"src_flat_scratch_base_hi", OG_SPECIAL_FLAT_SCRATCH_BASE_HI, 0},
};

static bool special_exists(const struct og_asm *as, unsigned special) {
  const struct og_processor *p = as->target.processor;
  unsigned major = p->major;
  switch (special) {
  case OG_SPECIAL_NULL: return major >= 10;
  case OG_SPECIAL_FLAT_SCRATCH_LO: case OG_SPECIAL_FLAT_SCRATCH_HI: return major >= 7 && major <= 9;
  case OG_SPECIAL_XNACK_MASK_LO:
  case OG_SPECIAL_XNACK_MASK_HI: return (major == 8 || major == 9) && as->target.xnack != OG_UNSUPPORTED;
  case OG_SPECIAL_TBA_LO: case OG_SPECIAL_TBA_HI: case OG_SPECIAL_TMA_LO: case OG_SPECIAL_TMA_HI: return major <= 8;
  case OG_SPECIAL_SHARED_BASE:
  case OG_SPECIAL_SHARED_LIMIT:
  case OG_SPECIAL_PRIVATE_BASE:
  case OG_SPECIAL_PRIVATE_LIMIT: return major >= 9;
  case OG_SPECIAL_POPS_EXITING_WAVE_ID: return major == 9 || major == 10;
  case OG_SPECIAL_VCCZ: case OG_SPECIAL_EXECZ: return major <= 10;
  case OG_SPECIAL_FLAT_SCRATCH_BASE_LO: case OG_SPECIAL_FLAT_SCRATCH_BASE_HI: return p->generation >= OG_GFX1250;
  default: return true;
  }
}

static bool in_range(struct og_asm *as, const struct og_text_operand *r) {
  unsigned last = r->reg + OG_MAX(r->dwords, 1u);
  size_t size = (size_t)(as->p - r->at);
  switch (r->register_kind) {
  case OG_OPERAND_SGPR:
    if (last > OG_SGPRS_MOST)
      return og_asm_error(as, r->at, size, "register index is out of range");
    if (last > og_sgpr_count(as->isa))
      return og_asm_error(as, r->at, size, "%.*s register not available on this GPU", (int)size, r->at);
    break;
  case OG_OPERAND_TTMP:
    if (last > og_ttmp_count(as->isa))
      return og_asm_error(as, r->at, size, "register index is out of range");
    break;
  default: /* from gfx1250 on a tuple may reach into the registers that s_set_vgpr_msb opens */
    if ((as->target.processor->generation >= OG_GFX1250 ? r->reg + 1u : last) > OG_VECTOR_REGISTERS)
      return og_asm_error(as, r->at, size, "register index is out of range");
    return true;
  }
  unsigned alignment =
      r->dwords >= 4 || r->dwords == 3 ? 4 : r->dwords; /* scalar tuples begin at a multiple of 2 or 4 */
  return r->reg % OG_MAX(alignment, 1u) == 0 || og_asm_error(as, r->at, size, "invalid register alignment");
}

/* "[first]", "[first:last]" behind v, s, a or ttmp. */
static bool register_range(struct og_asm *as, struct og_text_operand *out) {
  int64_t first, last;
  as->p++;
  og_asm_space(as);
  const char *at = as->p, *second = at;
  if (!og_asm_parse_absolute(as, &first))
    return false;
  last = first;
  if (og_asm_accept(as, ':')) {
    og_asm_space(as);
    second = as->p;
    if (!og_asm_parse_absolute(as, &last))
      return false;
  }
  if (!og_asm_accept(as, ']'))
    return og_asm_error(as, as->p, 1, "expected a closing square bracket");
  if (first < 0 || first > UINT32_MAX || last < 0 || last > UINT32_MAX) {
    at = first < 0 || first > UINT32_MAX ? at : second;
    return og_asm_error(as, at, (size_t)(as->p - at), "invalid register index");
  }
  if (last < first)
    return og_asm_error(as, at, (size_t)(as->p - at), "first register index should not exceed second index");
  int64_t size = last - first + 1;
  if (out->register_kind == OG_OPERAND_SGPR || out->register_kind == OG_OPERAND_TTMP)
    if (first % (size > 2 ? 4 : size))
      return og_asm_error(as, out->at, (size_t)(as->p - out->at), "invalid register alignment");
  if (size > 12 && size != 16 && size != 32)
    return og_asm_error(as, out->at, (size_t)(as->p - out->at), "invalid or unsupported register size");
  if (last > 1023)
    return og_asm_error(as, out->at, (size_t)(as->p - out->at), "register index is out of range");
  out->reg = (uint16_t)first;
  out->dwords = (uint8_t)(last - first + 1);
  return true;
}

/* Decimal digits at p; -1 if there are none or too many. */
static int small_number(const char *p, const char **end) {
  int value = 0;
  const char *start = p;
  for (; og_asm_digit(*p) && p - start < 5; p++)
    value = value * 10 + (*p - '0');
  *end = p;
  return p == start ? -1 : value;
}

/* ".l" or ".h" at p, which moves behind it. */
static void half_of(const char **p, struct og_text_operand *out) {
  const char *at = *p;
  if (*at != '.' || (at[1] != 'l' && at[1] != 'h') || og_asm_name_char(at[2]))
    return;
  out->half = true;
  out->flags = at[1] == 'h' ? OG_HALF_HI : 0;
  *p = at + 2;
}

static bool numbered(struct og_asm *as, const char *digits, unsigned kind, struct og_text_operand *out, bool *ok) {
  const char *end;
  int number;
  out->register_kind = (uint8_t)kind;
  if (*digits == '[') {
    as->p = digits;
    *ok = register_range(as, out) && in_range(as, out);
    if (*ok && out->dwords == 1)
      half_of(&as->p, out);
    return true;
  }
  number = small_number(digits, &end);
  if (number < 0)
    return false;
  half_of(&end, out);
  if (og_asm_name_char(*end) || *end == '@') /* a symbol's name, perhaps with a specifier: s1@rel32@lo */
    return false;
  as->p = end;
  out->reg = (uint16_t)number;
  out->dwords = 1;
  *ok = in_range(as, out);
  return true;
}

static bool special_register(struct og_asm *as, struct og_text_operand *out, bool *ok) {
  const char *start = as->p, *end = start;
  while (og_asm_name_char(*end))
    end++;
  if (*end == '@')
    return false;
  size_t size = (size_t)(end - start);
  for (size_t i = 0; i < OG_COUNT(special_names); i++) {
    const struct special_name *s = &special_names[i];
    if (s->name[0] != *start || strlen(s->name) != size || memcmp(s->name, start, size))
      continue;
    as->p = end;
    out->register_kind = OG_OPERAND_SPECIAL;
    out->reg = s->special;
    out->dwords = s->dwords;
    const char *full = i && special_names[i - 1].special == s->special && s->special >= OG_SPECIAL_SHARED_BASE
                           ? special_names[i - 1].name
                           : s->name;
    *ok = special_exists(as, s->special) ||
          og_asm_error(as, start, size,
                       s->special == OG_SPECIAL_NULL ? "'%s' operand is not supported on this GPU"
                                                     : "%s register not available on this GPU",
                       full);
    return true;
  }
  return false;
}

/* What stands in a list where no register does. */
static bool no_register(struct og_asm *as) {
  const char *p = as->p, *end = p + strcspn(p, "vsat");
  if (!og_asm_name_start(*p))
    return og_asm_error(as, p, 1, "expected a register or a list of registers");
  size_t prefix = !strncmp(p, "ttmp", 4) ? 4 : !strncmp(p, "acc", 3) ? 3 : end == p && *p != 't' ? 1 : 0;
  struct og_text word = og_asm_word(as);
  if (!prefix)
    return og_asm_error(as, p, word.size, "invalid register name");
  if (word.size > prefix)
    return og_asm_error(as, p, word.size, "invalid register index");
  og_asm_space(as);
  return og_asm_error(as, as->p, 1, "missing register index");
}

/* Adds one register to a list. */
static bool add_to_list(struct og_asm *as, const struct og_text_operand *r, struct og_text_list *list,
                        struct og_text_operand *out) {
  size_t size = (size_t)(as->p - r->at);
  if (list->count >= OG_COUNT(list->registers))
    return og_asm_error(as, r->at, size, "too many registers in a list");
  if (!as->spread_lists && r->dwords > 1)
    return og_asm_error(as, r->at, size, "expected a single 32-bit register");
  bool special = r->register_kind == OG_OPERAND_SPECIAL;
  if (list->count == 0) {
    out->register_kind = r->register_kind;
    out->reg = r->reg;
  } else if (r->register_kind != out->register_kind) {
    return og_asm_error(as, r->at, size, "registers in a list must be of the same kind");
  } else if (r->reg != out->reg + out->dwords) {
    if (!as->spread_lists || r->register_kind != OG_OPERAND_VGPR)
      return og_asm_error(as, r->at, size, special ? "register does not fit in the list"
                                                   : "registers in a list must have consecutive indices");
    out->is_list = true;
  }
  list->dwords[list->count] = r->dwords;
  list->registers[list->count++] = r->reg;
  out->dwords = (uint8_t)(out->dwords + OG_MAX(r->dwords, 1u));
  return true;
}

enum { LISTS = 8 }; /* in one another */

/* One register of a list, which may stand in brackets itself. */
static bool list_member(struct og_asm *as, struct og_text_operand *out, bool *ok) {
  bool spreads = as->spread_lists, nested = *as->p == '[';
  if (nested && as->list_depth == LISTS)
    return false;
  as->list_depth++;
  as->spread_lists = spreads && !nested;
  bool found = og_asm_register(as, out, ok);
  as->spread_lists = spreads;
  as->list_depth--;
  return found;
}

/* "[v0, v1]" are neighbours that make one tuple; only image addresses may be any registers. */
static bool register_list(struct og_asm *as, struct og_text_operand *out) {
  if (!as->lists)
    as->lists = OG_NEW_ARRAY(as->arena, struct og_text_list, LISTS + 1);
  struct og_text_list *list = &as->lists[as->list_depth];
  as->p++;
  list->count = 0;
  out->list = list;
  do {
    struct og_text_operand r = {0};
    bool ok = true;
    og_asm_space(as);
    if (!list_member(as, &r, &ok))
      return no_register(as);
    if (!ok || !add_to_list(as, &r, list, out))
      return false;
  } while (og_asm_accept(as, ','));
  if (!og_asm_accept(as, ']'))
    return og_asm_error(as, as->p, 1, "expected a comma or a closing square bracket");
  return out->is_list || out->register_kind == OG_OPERAND_SPECIAL || in_range(as, out);
}

bool og_asm_register(struct og_asm *as, struct og_text_operand *out, bool *ok) {
  const char *p = as->p;
  out->kind = OG_TEXT_REGISTER;
  out->at = p;
  *ok = true;
  switch (*p) {
  case 'v':
    if ((og_asm_digit(p[1]) || p[1] == '[') && numbered(as, p + 1, OG_OPERAND_VGPR, out, ok))
      return true;
    break;
  case 's':
    if ((og_asm_digit(p[1]) || p[1] == '[') && numbered(as, p + 1, OG_OPERAND_SGPR, out, ok))
      return true;
    break;
  case 'a':
    if ((og_asm_digit(p[1]) || p[1] == '[') && numbered(as, p + 1, OG_OPERAND_AGPR, out, ok))
      return true;
    if (p[1] == 'c' && p[2] == 'c' && numbered(as, p + 3, OG_OPERAND_AGPR, out, ok))
      return true;
    break;
  case 't':
    if (!strncmp(p, "ttmp", 4) && numbered(as, p + 4, OG_OPERAND_TTMP, out, ok))
      return true;
    break;
  case '[': *ok = register_list(as, out); return true;
  default: break;
  }
  return og_asm_name_start(*p) && special_register(as, out, ok);
}

/* ---- constants --------------------------------------------------------------------------------------------------- */

static bool real_constant(struct og_asm *as, bool negative, struct og_text_operand *out) {
  char *end;
  double value = strtod(as->p, &end);
  if (end == as->p)
    return og_asm_error(as, as->p, 1, "invalid floating point literal");
  as->p = end;
  out->kind = OG_TEXT_REAL;
  out->real = negative ? -value : value;
  return true;
}

static bool word_is(const struct og_asm *as, const char *word) {
  size_t size = strlen(word);
  return *as->p == *word && !strncmp(as->p, word, size) && !og_asm_name_char(as->p[size]);
}

/* Behind "word(" at the cursor, blanks before the parenthesis or none; NULL where it does not stand. */
static const char *wrapped(const struct og_asm *as, const char *word) {
  size_t size = strlen(word);
  if (*as->p != *word || strncmp(as->p, word, size))
    return NULL;
  const char *p = as->p + size + strspn(as->p + size, " \t");
  return *p == '(' ? p + 1 : NULL;
}

static bool closed(struct og_asm *as) {
  return og_asm_accept(as, ')') || og_asm_error(as, as->p, 1, "expected closing parentheses");
}

/* What stands in lit() has a value by now. */
static bool known_literal(struct og_asm *as, struct og_text_operand *out) {
  size_t size = (size_t)(as->p - out->at);
  return out->kind != OG_TEXT_EXPR || og_asm_error(as, out->at, size, "expected an absolute expression");
}

bool og_asm_number(struct og_asm *as, bool in_bars, struct og_text_operand *out) {
  const char *wide = wrapped(as, "lit64"), *inside = wide ? wide : wrapped(as, "lit");
  if (!out->literal && inside) {
    out->literal = true;
    out->wide_literal = wide != NULL;
    out->literal_at = as->p;
    as->p = inside;
    og_asm_space(as);
    out->at = as->p;
    return og_asm_number(as, false, out) && known_literal(as, out) && closed(as);
  }
  if (word_is(as, "lit") || word_is(as, "lit64"))
    return og_asm_error(as, as->p, 3, "expected left paren after lit");
  const char *p = as->p;
  bool negative = *p == '-';
  const char *behind = negative ? p + 1 + strspn(p + 1, " \t") : p;
  if (og_asm_is_real(behind)) {
    as->p = behind;
    return real_constant(as, negative, out);
  }
  out->kind = OG_TEXT_INTEGER;
  struct og_operand_value v;
  out->twice_negative = negative && *behind == '-';
  if (!(in_bars ? og_asm_parse_primary(as, &v) : og_asm_parse_unfolded(as, &v)))
    return false;
  if (v.expr) {
    out->kind = OG_TEXT_EXPR;
    out->expr = v.expr;
  } else {
    out->value = v.value;
  }
  return true;
}

/* ---- signs ------------------------------------------------------------------------------------------------------- */

/* What stands inside signs, and is the place that errors name: a register or a constant. */
static bool unsigned_operand(struct og_asm *as, bool in_bars, struct og_text_operand *out) {
  bool ok = true;
  og_asm_space(as);
  if (og_asm_register(as, out, &ok))
    return ok;
  out->at = as->p;
  return og_asm_number(as, in_bars, out);
}

static bool absolute(struct og_asm *as, struct og_text_operand *out) {
  if (*as->p == '|') {
    as->p++;
    if (!unsigned_operand(as, true, out))
      return false;
    if (!og_asm_accept(as, '|'))
      return og_asm_error(as, as->p, 1, "expected vertical bar");
  } else {
    as->p = wrapped(as, "abs");
    if (!unsigned_operand(as, false, out) || !closed(as))
      return false;
  }
  out->flags |= OG_ABS;
  return true;
}

static bool maybe_absolute(struct og_asm *as, struct og_text_operand *out) {
  og_asm_space(as);
  return *as->p == '|' || wrapped(as, "abs") ? absolute(as, out) : unsigned_operand(as, false, out);
}

static bool signed_operand(struct og_asm *as, struct og_text_operand *out) {
  const char *inside;
  if ((inside = wrapped(as, "neg"))) {
    as->p = inside;
    if (!maybe_absolute(as, out) || !closed(as))
      return false;
    out->flags |= OG_NEG;
    return true;
  }
  if ((inside = wrapped(as, "sext"))) {
    as->p = inside;
    if (!unsigned_operand(as, false, out) || !closed(as))
      return false;
    out->flags |= OG_SEXT;
    return true;
  }
  if (*as->p == '-') { /* of a register or an absolute value; else the constant's own */
    const char *sign = as->p;
    bool ok = true;
    as->p++;
    og_asm_space(as);
    if (*as->p == '|' || wrapped(as, "abs") || wrapped(as, "lit") || wrapped(as, "lit64")) {
      ok = maybe_absolute(as, out);
      out->flags |= OG_NEG;
      out->minus_literal = out->literal && !(out->flags & OG_ABS);
      return ok;
    }
    if (og_asm_register(as, out, &ok)) {
      out->flags |= OG_NEG;
      return ok;
    }
    as->p = sign;
  }
  if (*as->p == '|' || wrapped(as, "abs"))
    return absolute(as, out);
  out->bare_sign = word_is(as, "abs") || word_is(as, "neg") || word_is(as, "sext");
  return unsigned_operand(as, false, out);
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

/* attr12.w: two operands in one word; the channel goes to bits 8 and up. */
static bool attribute(struct og_asm *as, struct og_text_operand *out) {
  static const char channels[] = "xyzw";
  int number;
  const char *end = as->p;
  if (strncmp(as->p, "attr", 4))
    return og_asm_error(as, as->p, 1, "invalid interpolation attribute");
  if ((number = small_number(as->p + 4, &end)) < 0)
    return og_asm_error(as, as->p, 4, "invalid or missing interpolation attribute number");
  const char *channel = *end == '.' && end[1] ? strchr(channels, end[1]) : NULL;
  if (!channel || og_asm_name_char(end[2]))
    return og_asm_error(as, as->p, (size_t)(end - as->p), "invalid or missing interpolation attribute channel");
  if (number > 32)
    return og_asm_error(as, as->p, (size_t)(end - as->p), "out of bounds interpolation attribute number");
  as->p = end + 2;
  out->value = number | (int64_t)(channel - channels) << 8;
  return true;
}

static bool interpolation_slot(struct og_asm *as, struct og_text_operand *out) {
  static const char *const slots[] = {"p10", "p20", "p0"};
  for (int i = 0; i < 3; i++)
    if (word_is(as, slots[i])) {
      as->p += strlen(slots[i]);
      out->value = i;
      return true;
    }
  return og_asm_error(as, as->p, 1, "invalid interpolation slot");
}

static bool special(struct og_asm *as, enum og_takes takes, struct og_text_operand *out, bool *ok) {
  out->kind = OG_TEXT_SPECIAL;
  switch (takes) {
  case OG_TAKES_HWREG: *ok = og_asm_hwreg(as, &out->value); return true;
  case OG_TAKES_SENDMSG: *ok = og_asm_sendmsg(as, &out->value); return true;
  case OG_TAKES_WAITCNT: *ok = og_asm_waitcnt(as, &out->value); return true;
  case OG_TAKES_GPR_IDX_MODE: *ok = og_asm_gpr_idx(as, &out->value); return true;
  case OG_TAKES_DELAY_ALU: *ok = og_asm_delay_alu(as, &out->value); return true;
  case OG_TAKES_DEPCTR: *ok = og_asm_depctr(as, &out->value); return true;
  case OG_TAKES_EXP_TARGET: *ok = og_asm_exp_target(as, &out->value); return true;
  case OG_TAKES_ATTR: *ok = attribute(as, out); return true;
  case OG_TAKES_INTERP_SLOT: *ok = interpolation_slot(as, out); return true;
  default: return false;
  }
}

/* The number at p, of at most three digits, 999 where none is. Yields where the text goes on. */
static inline const char *short_number(const char *p, unsigned *out) {
  unsigned digit = (unsigned)*p - '0', value = digit;
  if (digit <= 9) {
    if ((digit = (unsigned)p[1] - '0') <= 9 && value) {
      value = value * 10 + digit, p++;
      if ((digit = (unsigned)p[1] - '0') <= 9)
        value = value * 10 + digit, p++;
    }
    p++;
  } else {
    value = 999;
  }
  *out = value;
  return p;
}

/* Most operands are v1 and s[2:3] and their like, of numbers that every processor has. */
static bool plain_register(struct og_asm *as, struct og_text_operand *out) {
  const char *p = as->p;
  bool vector = *p == 'v', range = p[1] == '[';
  if (!vector && *p != 's')
    return false;
  p += 1 + range;
  unsigned first, last;
  p = short_number(p, &first);
  last = first;
  if (range) {
    if (*p != ':')
      return false;
    p = short_number(p + 1, &last);
    if (last < first || *p++ != ']')
      return false;
  }
  unsigned dwords = last - first + 1;
  if (last >= (vector ? OG_VECTOR_REGISTERS : SGPRS_LEAST) || og_asm_name_char(*p) || *p == '@' ||
      (dwords > 12 && dwords != 16 && dwords != 32) || (!vector && first & (dwords > 2 ? 3 : dwords - 1)))
    return false;
  as->p = p;
  out->register_kind = vector ? OG_OPERAND_VGPR : OG_OPERAND_SGPR;
  out->reg = (uint16_t)first;
  out->dwords = (uint8_t)dwords;
  return true;
}

/* Registers that no form tells apart: of one kind and size, alike in whether their number is even and whether it is below
 * 128. 1 to 63; 0 where what was read is no such register alone. */
static inline uint8_t register_class(const struct og_text_operand *t) {
  static const uint8_t sizes[33] = {[1] = 1, [2] = 2, [3] = 3, [4] = 4, [8] = 5, [16] = 6, [32] = 7};
  enum { SCALARS = 32, NAMED = 40 };
  if (t->flags || t->half || t->is_list || t->dwords >= OG_COUNT(sizes))
    return 0;
  switch (t->register_kind) {
  case OG_OPERAND_VGPR:
    return sizes[t->dwords] ? (uint8_t)(sizes[t->dwords] * 4 + (t->reg >= 128) * 2 + (t->reg & 1) - 3) : 0;
  case OG_OPERAND_SGPR: return sizes[t->dwords] ? (uint8_t)(SCALARS + sizes[t->dwords]) : 0;
  case OG_OPERAND_SPECIAL:
    return t->reg <= OG_SPECIAL_NULL ? (uint8_t)(NAMED + t->reg * 2 + (t->dwords == 2)) : 0;
  default: return 0;
  }
}

/* All that is more than a register or a number. */
static bool other_operand(struct og_asm *as, enum og_takes takes, struct og_text_operand *out) {
  bool ok = true;
  if (takes >= OG_TAKES_HWREG && special(as, takes, out, &ok)) {
    out->end = as->p;
    return ok;
  }
  if (word_is(as, "off")) {
    as->p += 3;
    out->kind = OG_TEXT_OFF;
  } else {
    ok = signed_operand(as, out);
  }
  out->class = out->kind == OG_TEXT_REGISTER ? register_class(out) : 0;
  out->end = as->p;
  return ok;
}

bool og_asm_operand(struct og_asm *as, enum og_takes takes, struct og_text_operand *out) {
  *out = (struct og_text_operand){.at = as->p};
  if (takes >= OG_TAKES_HWREG)
    return other_operand(as, takes, out);
  const char *behind;
  if (plain_register(as, out)) {
    out->kind = OG_TEXT_REGISTER;
    out->class = register_class(out);
  } else if ((*as->p <= '9') && (behind = og_asm_plain_number(as->p, &out->value))) {
    as->p = behind;
    out->kind = OG_TEXT_INTEGER;
  } else {
    return other_operand(as, takes, out);
  }
  out->end = as->p;
  return true;
}
