/* special.c - operands written as functions of names: hwreg, sendmsg, counters, gpr_idx, delay_alu, depctr, swizzle. */
#include "isa/text/parts.h"
#include "isa/names.h"

#include <string.h>

/* "name(" at the cursor, which moves behind it. */
static bool function(struct og_inst_reader *in, const char *name) {
  const char *inside = og_after_opening(in->p, name);
  in->p = inside ? inside : in->p;
  return inside != NULL;
}

/* A name and a parenthesis. */
static bool is_call(const struct og_inst_reader *in) {
  return og_name_start(*in->p) && *og_after_blanks(og_after_short_name(in->p, in->wide)) == '(';
}

static bool close(struct og_inst_reader *in) {
  return og_in_expect(in, ')', "expected a closing parenthesis");
}

static bool number(struct og_inst_reader *in, int64_t low, int64_t high, const char *message, int64_t *out) {
  const char *at = og_in_at(in);
  if (!og_in_absolute(in, out))
    return false;
  return (*out >= low && *out <= high) || og_in_refuse(in, at, "%s", message);
}

/* What is said of a name: that others have, that nobody has. */
static const char *wrong_name(enum og_name_table table, struct og_text name) {
  bool elsewhere = og_is_name_anywhere(table, name);
  switch (table) {
  case OG_NAMES_HWREG:
    return elsewhere ? "invalid hardware register: not supported on this GPU"
                     : "expected a register name or an absolute expression";
  case OG_NAMES_MESSAGE:
    return elsewhere ? "specified message id is not supported on this GPU"
                     : "expected a message name or an absolute expression";
  default:
    return og_is_name_anywhere(OG_NAMES_GS_OP, name) || og_is_name_anywhere(OG_NAMES_SYSTEM_OP, name)
               ? "invalid operation id"
               : "expected an operation name or an absolute expression";
  }
}

/* A name of the table, or a number. */
static bool named(struct og_inst_reader *in, enum og_name_table table, int64_t high, const char *message, bool *is_name,
                  int64_t *out) {
  const char *at = og_in_at(in);
  *is_name = false;
  if (og_name_start(*in->p)) {
    struct og_text word = og_in_word(in);
    int value = og_value_of(in->isa, table, word);
    if (value >= 0)
      return *out = value, *is_name = true, true;
    in->p = at;
    if (!in->language->knows_symbol(in->context, word))
      return og_in_error(in, at, word.size, "%s", wrong_name(table, word));
  }
  return number(in, 0, high, message, out);
}

/* A number where none of the functions stands; `macro` is what might. */
static bool plain(struct og_inst_reader *in, const char *macro, int64_t low, int64_t high, const char *message,
                  int64_t *out) {
  const char *at = in->p;
  struct og_operand_value v;
  if (!og_in_expression(in, OG_EXPRESSION_VALUE, &v))
    return false;
  *out = v.value;
  if (v.expr && !in->language->evaluate(in->context, v.expr, out))
    return og_in_refuse(in, at,
                       macro ? "expected a %s or an absolute expression" : "expected absolute expression", macro);
  return (*out >= low && *out <= high) || og_in_refuse(in, at, "%s", message);
}

/* The same of 16 bits. */
static bool plain16(struct og_inst_reader *in, const char *macro, int64_t low, int64_t *out) {
  return plain(in, macro, low, 0xffff, "invalid immediate: only 16-bit values are legal", out) &&
         (*out &= 0xffff, true);
}

/* {id: 1, offset: 0, size: 32}: numbers in any order, the last two may be left out. */
static bool hwreg_fields(struct og_inst_reader *in, int64_t *out) {
  int64_t id = -1, offset = 0, width = 32;
  struct og_text before[3];
  unsigned count = 0;
  if (og_in_accept(in, '}'))
    return *out = (width - 1) << 11, true;
  do {
    const char *at = og_in_at(in);
    struct og_text field = og_in_word(in);
    bool ok;
    if (!og_in_expect(in, ':', "expected a colon"))
      return false;
    for (unsigned i = 0; i < count; i++)
      if (before[i].size == field.size && !memcmp(before[i].data, field.data, field.size))
        return og_in_error(in, at, field.size, "duplicate field");
    if (count < OG_COUNT(before))
      before[count++] = field;
    if (og_text_is(field, "id"))
      ok = number(in, 0, 63, "invalid hardware register: only 6-bit values are legal", &id);
    else if (og_text_is(field, "offset"))
      ok = number(in, 0, 31, "invalid bit offset: only 5-bit values are legal", &offset);
    else if (og_text_is(field, "size"))
      ok = number(in, 1, 32, "invalid bitfield width: only values from 1 to 32 are legal", &width);
    else
      ok = og_in_error(in, at, OG_MAX(field.size, 1u), "unknown field");
    if (!ok)
      return false;
  } while (og_in_accept(in, ','));
  *out = OG_MAX(id, 0) | offset << 6 | (width - 1) << 11;
  return og_in_expect(in, '}', "expected '}'");
}

bool og_read_hwreg(struct og_inst_reader *in, int64_t *out) {
  if (og_in_accept(in, '{'))
    return hwreg_fields(in, out);
  if (!function(in, "hwreg"))
    return plain16(in, "hwreg macro, structured immediate", 0, out);
  int64_t id, offset = 0, width = 32;
  bool is_name;
  if (!named(in, OG_NAMES_HWREG, 63, "invalid hardware register: only 6-bit values are legal", &is_name, &id))
    return false;
  if (og_in_accept(in, ',')) {
    if (!number(in, 0, 31, "invalid bit offset: only 5-bit values are legal", &offset) ||
        !og_in_expect(in, ',', "expected comma") ||
        !number(in, 1, 32, "invalid bitfield width: only values from 1 to 32 are legal", &width))
      return false;
  }
  *out = id | offset << 6 | (width - 1) << 11;
  return close(in);
}

bool og_read_sendmsg(struct og_inst_reader *in, int64_t *out) {
  if (!function(in, "sendmsg"))
    return plain16(in, "sendmsg macro", 0, out);
  bool wide = in->target->processor->major >= 11, is_name, op_name = false;
  int64_t id, op = 0, stream = 0;
  const char *at = og_in_at(in), *id_at = at;
  if (!named(in, OG_NAMES_MESSAGE, wide ? 255 : 15, "invalid message id", &is_name, &id))
    return false;
  bool gs = !wide && (id == 2 || id == 3), system = id == 15, has_op = false;
  enum og_name_table ops = system ? OG_NAMES_SYSTEM_OP : OG_NAMES_GS_OP;
  if (og_in_accept(in, ',')) {
    has_op = true;
    at = og_in_at(in);
    if (!named(in, ops, 7, "invalid operation id", &op_name, &op))
      return false;
    if (is_name && !gs && !system)
      return og_in_refuse(in, at, "message does not support operations");
    if (is_name && (!og_name_of(in->isa, ops, (unsigned)op) || (id == 2 && op == 0)))
      return og_in_refuse(in, at, "invalid operation id");
    if (og_in_accept(in, ',')) {
      at = og_in_at(in);
      if (!number(in, 0, 3, "invalid message stream id", &stream))
        return false;
      if (is_name && (!gs || op == 0))
        return og_in_refuse(in, at, "message operation does not support streams");
    }
  }
  if (is_name && (gs || system) && !has_op)
    return og_in_error(in, id_at, 1, "missing message operation");
  *out = id | op << 4 | stream << 8;
  return close(in);
}

/* ---- s_waitcnt --------------------------------------------------------------------------------------------------- */

struct counter {
  const char *name;
  unsigned at, width, high_at, high_width; /* vmcnt stands in two places on gfx9 and gfx10 */
};

static struct counter counter_of(const struct og_inst_reader *in, unsigned index) {
  unsigned major = in->target->processor->major;
  switch (index) {
  case 0:
    return major >= 11 ? (struct counter){"vmcnt", 10, 6, 0, 0}
                       : (struct counter){"vmcnt", 0, 4, 14, major >= 9 ? 2 : 0};
  case 1: return major >= 11 ? (struct counter){"expcnt", 0, 3, 0, 0} : (struct counter){"expcnt", 4, 3, 0, 0};
  default:
    return major >= 11 ? (struct counter){"lgkmcnt", 4, 6, 0, 0}
                       : (struct counter){"lgkmcnt", 8, major >= 10 ? 6 : 4, 0, 0};
  }
}

/* Behind a counter: whether another follows, with & or a comma between them or without. */
static bool another(struct og_inst_reader *in) {
  bool joined = og_in_accept(in, '&') || og_in_accept(in, ',');
  og_in_space(in);
  return joined || !og_in_at_end(in);
}

/* "name(" */
static bool opened(struct og_inst_reader *in, const char *message, struct og_text *name) {
  *name = og_in_word(in);
  return (name->size || og_in_error(in, name->data, 1, "%s", message)) &&
         og_in_expect(in, '(', "expected a left parenthesis");
}

static bool one_counter(struct og_inst_reader *in, int64_t *value) {
  struct og_text word;
  if (!opened(in, "expected a counter name", &word))
    return false;
  bool saturate = word.size > 4 && !memcmp(word.data + word.size - 4, "_sat", 4);
  struct og_text name = {word.data, word.size - (saturate ? 4u : 0u)};
  for (unsigned i = 0; i < 3; i++) {
    struct counter c = counter_of(in, i);
    if (!og_text_is(name, c.name))
      continue;
    const char *at = og_in_at(in);
    int64_t n, most = (INT64_C(1) << (c.width + c.high_width)) - 1;
    if (!og_in_absolute(in, &n))
      return false;
    if (n < 0 || n > most) {
      if (!saturate)
        return og_in_refuse(in, at, "too large value for %s", c.name);
      n = most;
    }
    *value &= ~(((INT64_C(1) << c.width) - 1) << c.at | ((INT64_C(1) << c.high_width) - 1) << c.high_at);
    *value |= (n & ((INT64_C(1) << c.width) - 1)) << c.at | n >> c.width << c.high_at;
    return close(in);
  }
  return og_in_error(in, word.data, word.size, "invalid counter name %.*s", OG_TEXT_ARGS(word));
}

bool og_read_waitcnt(struct og_inst_reader *in, int64_t *out) {
  if (!is_call(in))
    return plain16(in, NULL, -0x8000, out);
  *out = 0;
  for (unsigned i = 0; i < 3; i++) { /* what is not named does not wait */
    struct counter c = counter_of(in, i);
    *out |= ((INT64_C(1) << c.width) - 1) << c.at | ((INT64_C(1) << c.high_width) - 1) << c.high_at;
  }
  do {
    if (!one_counter(in, out))
      return false;
  } while (another(in));
  return true;
}

/* ---- others ------------------------------------------------------------------------------------------------------ */

bool og_read_gpr_idx(struct og_inst_reader *in, int64_t *out) {
  static const char *const names[] = {"SRC0", "SRC1", "SRC2", "DST"};
  if (!function(in, "gpr_idx"))
    return plain(in, "gpr_idx macro", 0, 15, "invalid immediate: only 4-bit values are legal", out);
  *out = 0;
  if (og_in_accept(in, ')'))
    return true;
  do {
    const char *at = og_in_at(in);
    struct og_text word = og_in_word(in);
    int bit = -1;
    for (int i = 0; i < 4; i++)
      if (og_text_is(word, names[i]))
        bit = i;
    if (bit < 0)
      return og_in_error(in, at, OG_MAX(word.size, 1u),
                         *out ? "expected a VGPR index mode" : "expected a VGPR index mode or a closing parenthesis");
    if (*out >> bit & 1)
      return og_in_error(in, at, word.size, "duplicate VGPR index mode");
    *out |= 1 << bit;
  } while (og_in_accept(in, ','));
  return og_in_expect(in, ')', "expected a comma or a closing parenthesis");
}

bool og_read_delay_alu(struct og_inst_reader *in, int64_t *out) {
  if (!is_call(in))
    return plain16(in, NULL, -0x8000, out);
  *out = 0;
  do {
    struct og_text field, word;
    if (!opened(in, "expected a field name", &field))
      return false;
    word = og_in_word(in);
    if (!word.size)
      return og_in_error(in, word.data, 1, "expected a value name");
    bool id = field.size == 7 && !memcmp(field.data, "instid", 6),
         skip = field.size == 8 && !memcmp(field.data, "instskip", 8);
    int shift = skip ? 4 : id && field.data[6] == '0' ? 0 : id && field.data[6] == '1' ? 7 : -1;
    if (shift < 0)
      return og_in_error(in, field.data, field.size, "invalid field name %.*s", OG_TEXT_ARGS(field));
    int value = og_value_of(in->isa, shift == 4 ? OG_NAMES_DELAY_SKIP : OG_NAMES_DELAY, word);
    if (value < 0)
      return og_in_error(in, word.data, word.size, "invalid value name %.*s", OG_TEXT_ARGS(word));
    if (!og_in_expect(in, ')', "expected a right parenthesis"))
      return false;
    *out |= (int64_t)value << shift;
  } while (og_in_accept(in, '|'));
  return true;
}

/* A counter's field and its value; `seen` are the bits of those before. */
static bool one_depctr(struct og_inst_reader *in, int64_t *seen, int64_t *out) {
  struct og_text word;
  int64_t n;
  if (!opened(in, "expected a counter name", &word) || !og_in_absolute(in, &n))
    return false;
  const struct og_wait_field *field = og_depctr_fields, *end = field + OG_DEPCTR_FIELDS;
  while (field < end && !og_text_is(word, field->name))
    field++;
  if (field == end || (unsigned)in->target->processor->generation < field->first)
    return og_in_error(in, word.data, word.size,
                       field == end ? "invalid counter name %.*s" : "%.*s is not supported on this GPU",
                       OG_TEXT_ARGS(word));
  int64_t most = (INT64_C(1) << field->width) - 1;
  if (*seen & most << field->at)
    return og_in_error(in, word.data, word.size, "duplicate counter name %.*s", OG_TEXT_ARGS(word));
  if (n < 0 || n > most)
    return og_in_error(in, word.data, word.size, "invalid value for %.*s", OG_TEXT_ARGS(word));
  *seen |= most << field->at;
  *out = (*out & ~(most << field->at)) | n << field->at;
  return close(in);
}

bool og_read_depctr(struct og_inst_reader *in, int64_t *out) {
  int64_t seen = 0;
  if (!is_call(in))
    return plain16(in, NULL, -0x8000, out);
  *out = og_depctr_mask(in->isa); /* what is not named does not wait */
  do {
    if (!one_depctr(in, &seen, out))
      return false;
  } while (another(in));
  return true;
}

bool og_read_exp_target(struct og_inst_reader *in, int64_t *out) {
  const char *at = in->p;
  struct og_text word = og_in_word(in);
  int value = og_value_of(in->isa, OG_NAMES_EXPORT, word);
  if (value < 0) {
    in->p = at;
    return og_in_error(in, at, OG_MAX(word.size, 1u),
                       og_is_name_anywhere(OG_NAMES_EXPORT, word) ? "exp target is not supported on this GPU"
                                                                  : "invalid exp target");
  }
  *out = value;
  return true;
}

/* ---- ds_swizzle_b32's offset ------------------------------------------------------------------------------------- */

enum { LANES = 32 };

static bool comma(struct og_inst_reader *in) { return og_in_expect(in, ',', "expected a comma"); }

static bool power_of_two(struct og_inst_reader *in, int64_t low, int64_t high, int64_t *out) {
  if (!comma(in))
    return false;
  const char *at = og_in_at(in);
  if (!number(in, low, high,
              high == LANES ? "group size must be in the interval [2,32]" : "group size must be in the interval [1,16]",
              out))
    return false;
  return !(*out & (*out - 1)) || og_in_refuse(in, at, "group size must be a power of two");
}

static bool bitmask(struct og_inst_reader *in, int64_t *out) {
  struct og_text text;
  if (!comma(in))
    return false;
  const char *at = og_in_at(in);
  if (!og_in_string(in, &text))
    return false;
  if (text.size != 5)
    return og_in_error(in, at, 1, "expected a 5-character mask");
  unsigned and = 0, or = 0, xor = 0;
  for (unsigned i = 0; i < 5; i++) {
    unsigned bit = 16u >> i;
    switch (text.data[i]) {
    case '0': break;
    case '1': or |= bit; break;
    case 'p': and |= bit; break;
    case 'i': and |= bit, xor |= bit; break;
    default: return og_in_error(in, at, 1, "invalid mask: only '0', '1', 'p' and 'i' are legal");
    }
  }
  *out = and | or << 5 | xor << 10;
  return true;
}

static bool swizzle_arguments(struct og_inst_reader *in, struct og_text mode, const char *at, int64_t *out) {
  int64_t a, b;
  if (og_text_is(mode, "QUAD_PERM")) {
    *out = 0x8000;
    for (int i = 0; i < 4; i++) {
      if (!comma(in) || !number(in, 0, 3, "expected a 2-bit lane id", &a))
        return false;
      *out |= a << (2 * i);
    }
    return true;
  }
  if (og_text_is(mode, "BITMASK_PERM"))
    return bitmask(in, out);
  if (og_text_is(mode, "BROADCAST")) {
    if (!power_of_two(in, 2, LANES, &a) || !comma(in) ||
        !number(in, 0, a - 1, "lane id must be in the interval [0,group size - 1]", &b))
      return false;
    *out = (LANES - a) | b << 5;
    return true;
  }
  if (og_text_is(mode, "REVERSE"))
    return power_of_two(in, 2, LANES, &a) && (*out = 31 | (a - 1) << 10, true);
  if (og_text_is(mode, "SWAP"))
    return power_of_two(in, 1, 16, &a) && (*out = 31 | a << 10, true);
  bool fft = og_text_is(mode, "FFT");
  if ((fft || og_text_is(mode, "ROTATE")) && in->target->processor->major < 9)
    return og_in_error(in, in->p, 1, "%s mode swizzle not supported on this GPU", fft ? "FFT" : "Rotate");
  if (fft)
    return comma(in) && number(in, 0, 31, "FFT swizzle must be in the interval [0,31]", &a) &&
           (*out = 0xe000 | a, true);
  if (og_text_is(mode, "ROTATE")) {
    if (!comma(in) || !number(in, 0, 1, "direction must be 0 (left) or 1 (right)", &a) || !comma(in) ||
        !number(in, 0, 31, "number of threads to rotate must be in the interval [0,31]", &b))
      return false;
    *out = 0xc000 | a << 10 | b << 5;
    return true;
  }
  return og_in_error(in, at, OG_MAX(mode.size, 1u), "expected a swizzle mode");
}

bool og_read_swizzle(struct og_inst_reader *in, int64_t *out) {
  if (!function(in, "swizzle"))
    return plain(in, "swizzle macro", 0, 0xffff, "expected a 16-bit offset", out);
  const char *at = og_in_at(in);
  return swizzle_arguments(in, og_in_word(in), at, out) && close(in);
}
