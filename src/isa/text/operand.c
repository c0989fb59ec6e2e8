/* operand.c - reads one operand: a register, or constants and expressions, with sign and absolute value. */
#include "isa/text/parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- constants --------------------------------------------------------------------------------------------------- */

static bool real_constant(struct og_inst_reader *in, bool negative, struct og_text_operand *out) {
  char *end;
  double value = strtod(in->p, &end);
  if (end == in->p)
    return og_in_error(in, in->p, 1, "invalid floating point literal");
  in->p = end;
  out->kind = OG_TEXT_REAL;
  out->real = negative ? -value : value;
  return true;
}

static bool closed(struct og_inst_reader *in) {
  return og_in_expect(in, ')', "expected closing parentheses");
}

/* The content of lit() must have a value by now. */
static bool known_literal(struct og_inst_reader *in, struct og_text_operand *out) {
  size_t size = (size_t)(in->p - out->at);
  return out->kind != OG_TEXT_EXPR || og_in_error(in, out->at, size, "expected an absolute expression");
}

bool og_read_number(struct og_inst_reader *in, bool in_bars, struct og_text_operand *out) {
  const char *wide = og_after_opening(in->p, "lit64"), *inside = wide ? wide : og_after_opening(in->p, "lit");
  if (!out->literal && inside) {
    out->literal = true;
    out->wide_literal = wide != NULL;
    out->literal_at = in->p;
    in->p = inside;
    out->at = og_in_at(in);
    return og_read_number(in, false, out) && known_literal(in, out) && closed(in);
  }
  if (og_word_at(in->p, "lit") || og_word_at(in->p, "lit64"))
    return og_in_error(in, in->p, 3, "expected left paren after lit");
  const char *p = in->p;
  bool negative = *p == '-';
  const char *behind = negative ? p + 1 + strspn(p + 1, " \t") : p;
  if (og_is_real(behind)) {
    in->p = behind;
    return real_constant(in, negative, out);
  }
  out->kind = OG_TEXT_INTEGER;
  struct og_operand_value v;
  out->twice_negative = negative && *behind == '-';
  if (!og_in_expression(in, in_bars ? OG_EXPRESSION_PRIMARY : OG_EXPRESSION_UNFOLDED, &v))
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

/* The operand inside the signs, where errors point: a register or a constant. */
static bool unsigned_operand(struct og_inst_reader *in, bool in_bars, struct og_text_operand *out) {
  bool ok = true;
  og_in_space(in);
  if (og_read_register(in, out, &ok))
    return ok;
  out->at = in->p;
  return og_read_number(in, in_bars, out);
}

static bool absolute(struct og_inst_reader *in, struct og_text_operand *out) {
  if (*in->p == '|') {
    in->p++;
    if (!unsigned_operand(in, true, out))
      return false;
    if (!og_in_expect(in, '|', "expected vertical bar"))
      return false;
  } else {
    in->p = og_after_opening(in->p, "abs");
    if (!unsigned_operand(in, false, out) || !closed(in))
      return false;
  }
  out->flags |= OG_ABS;
  return true;
}

static bool maybe_absolute(struct og_inst_reader *in, struct og_text_operand *out) {
  return *og_in_at(in) == '|' || og_after_opening(in->p, "abs") ? absolute(in, out) : unsigned_operand(in, false, out);
}

static bool signed_operand(struct og_inst_reader *in, struct og_text_operand *out) {
  const char *inside;
  if (og_name_start(*in->p) && *in->p != 'n' && *in->p != 's' && *in->p != 'a') /* neg, sext, abs */
    return unsigned_operand(in, false, out);
  if ((inside = og_after_opening(in->p, "neg"))) {
    in->p = inside;
    if (!maybe_absolute(in, out) || !closed(in))
      return false;
    out->flags |= OG_NEG;
    return true;
  }
  if ((inside = og_after_opening(in->p, "sext"))) {
    in->p = inside;
    if (!unsigned_operand(in, false, out) || !closed(in))
      return false;
    out->flags |= OG_SEXT;
    return true;
  }
  if (*in->p == '-') { /* of a register or an absolute value; else the constant's own */
    const char *sign = in->p;
    bool ok = true;
    in->p++;
    if (*og_in_at(in) == '|' || og_after_opening(in->p, "abs") || og_after_opening(in->p, "lit") ||
        og_after_opening(in->p, "lit64")) {
      ok = maybe_absolute(in, out);
      out->flags |= OG_NEG;
      out->minus_literal = out->literal && !(out->flags & OG_ABS);
      return ok;
    }
    if (og_read_register(in, out, &ok)) {
      out->flags |= OG_NEG;
      return ok;
    }
    in->p = sign;
  }
  if (*in->p == '|' || og_after_opening(in->p, "abs"))
    return absolute(in, out);
  out->bare_sign = og_word_at(in->p, "abs") || og_word_at(in->p, "neg") || og_word_at(in->p, "sext");
  return unsigned_operand(in, false, out);
}

/* ---- classes of registers ---------------------------------------------------------------------------------------- */

const uint8_t og_vector_classes[33] = {[1] = 1, [2] = 5, [3] = 9, [4] = 13, [8] = 17, [16] = 21, [32] = 25};
enum { SCALARS = 32, NAMED = 40 };
const uint8_t og_scalar_classes[33] = {[1] = SCALARS + 1, [2] = SCALARS + 2, [3] = SCALARS + 3,  [4] = SCALARS + 4,
                                       [8] = SCALARS + 5, [16] = SCALARS + 6, [32] = SCALARS + 7};

static uint8_t register_class(const struct og_text_operand *t) {
  if (t->kind != OG_TEXT_REGISTER || t->flags || t->half || t->is_list || t->dwords >= OG_COUNT(og_scalar_classes))
    return 0;
  switch (t->register_kind) {
  case OG_OPERAND_VGPR: return og_vector_class(t->reg, t->dwords);
  case OG_OPERAND_SGPR: return og_scalar_classes[t->dwords];
  case OG_OPERAND_SPECIAL: return t->reg <= OG_SPECIAL_NULL ? (uint8_t)(NAMED + t->reg * 2 + (t->dwords == 2)) : 0;
  default: return 0;
  }
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

/* attr12.w: two operands in one word; the channel goes to bits 8 and up. */
static bool attribute(struct og_inst_reader *in, struct og_text_operand *out) {
  static const char channels[] = "xyzw";
  int number;
  const char *end = in->p;
  if (strncmp(in->p, "attr", 4))
    return og_in_error(in, in->p, 1, "invalid interpolation attribute");
  if ((number = og_small_number(in->p + 4, &end)) < 0)
    return og_in_error(in, in->p, 4, "invalid or missing interpolation attribute number");
  const char *channel = *end == '.' && end[1] ? strchr(channels, end[1]) : NULL;
  if (!channel || og_name_char(end[2]))
    return og_in_error(in, in->p, (size_t)(end - in->p), "invalid or missing interpolation attribute channel");
  if (number > 32)
    return og_in_error(in, in->p, (size_t)(end - in->p), "out of bounds interpolation attribute number");
  in->p = end + 2;
  out->value = number | (int64_t)(channel - channels) << 8;
  return true;
}

static bool interpolation_slot(struct og_inst_reader *in, struct og_text_operand *out) {
  static const char *const slots[] = {"p10", "p20", "p0"};
  for (int i = 0; i < 3; i++)
    if (og_word_at(in->p, slots[i])) {
      in->p += strlen(slots[i]);
      out->value = i;
      return true;
    }
  return og_in_error(in, in->p, 1, "invalid interpolation slot");
}

static bool special(struct og_inst_reader *in, enum og_takes takes, struct og_text_operand *out, bool *ok) {
  out->kind = OG_TEXT_SPECIAL;
  switch (takes) {
  case OG_TAKES_HWREG: *ok = og_read_hwreg(in, &out->value); return true;
  case OG_TAKES_SENDMSG: *ok = og_read_sendmsg(in, &out->value); return true;
  case OG_TAKES_WAITCNT: *ok = og_read_waitcnt(in, &out->value); return true;
  case OG_TAKES_GPR_IDX_MODE: *ok = og_read_gpr_idx(in, &out->value); return true;
  case OG_TAKES_DELAY_ALU: *ok = og_read_delay_alu(in, &out->value); return true;
  case OG_TAKES_DEPCTR: *ok = og_read_depctr(in, &out->value); return true;
  case OG_TAKES_EXP_TARGET: *ok = og_read_exp_target(in, &out->value); return true;
  case OG_TAKES_ATTR: *ok = attribute(in, out); return true;
  case OG_TAKES_INTERP_SLOT: *ok = interpolation_slot(in, out); return true;
  default: return false;
  }
}

/* What the functions of names above came to where no symbol counted, by the rest of the line, within which they ended:
 * compilers write few. The line is copied, as the text that it stood in may be gone by the next time. */
enum { KNOWN = 256, KNOWN_LINE = 44 };
struct og_known_operand {
  const struct og_isa *isa;
  int64_t value;
  uint8_t takes, size, line_size; /* bytes of the operand, and of the rest of the line with it */
  char line[KNOWN_LINE];
};

static bool known_special(struct og_inst_reader *in, enum og_takes takes, struct og_text_operand *out, bool *ok) {
  if (takes > OG_TAKES_DELAY_ALU)
    return special(in, takes, out, ok);
  struct og_text line = {in->p, (size_t)(strchrnul(in->p, '\n') - in->p)};
  if (!in->known)
    in->known = OG_NEW_ARRAY(in->arena, struct og_known_operand, KNOWN);
  struct og_known_operand *known = &in->known[og_hash(line.data, line.size) % KNOWN];
  if (known->isa == in->isa && known->takes == takes &&
      og_text_equal((struct og_text){known->line, known->line_size}, line)) {
    in->p += known->size;
    out->kind = OG_TEXT_SPECIAL;
    out->value = known->value;
    return true;
  }
  uint32_t expressions = in->expressions;
  if (!special(in, takes, out, ok))
    return false;
  size_t size = (size_t)(in->p - line.data);
  if (*ok && in->expressions == expressions && size <= line.size && line.size <= KNOWN_LINE) {
    *known = (struct og_known_operand){in->isa, out->value, (uint8_t)takes, (uint8_t)size, (uint8_t)line.size, {0}};
    memcpy(known->line, line.data, line.size);
  }
  return true;
}

/* Operands other than a plain register or number. */
static bool other_operand(struct og_inst_reader *in, enum og_takes takes, struct og_text_operand *out) {
  bool ok = true;
  if (takes >= OG_TAKES_HWREG && known_special(in, takes, out, &ok)) {
    out->end = in->p;
    return ok;
  }
  if (og_word_at(in->p, "off")) {
    in->p += 3;
    out->kind = OG_TEXT_OFF;
  } else if (*in->p == 's' || *in->p == 't' || !og_read_named_register(in, out, &ok)) { /* vcc and exec, mostly */
    ok = signed_operand(in, out);
  }
  out->class = register_class(out);
  out->end = in->p;
  return ok;
}

bool og_read_operand(struct og_inst_reader *in, enum og_takes takes, struct og_text_operand *out) {
  *out = (struct og_text_operand){.at = in->p};
  if (takes >= OG_TAKES_HWREG)
    return other_operand(in, takes, out);
  if (!og_plain_register(in, out)) {
    const char *end = *in->p <= '9' ? og_plain_number(in->p, &out->value) : NULL;
    if (!end)
      return other_operand(in, takes, out);
    in->p = end;
    out->kind = OG_TEXT_INTEGER;
    out->class = (uint64_t)out->value <= OG_SMALL_MOST ? OG_CLASS_SMALL : 0;
  }
  out->end = in->p;
  return true;
}
