/* data.c - directives that lay bytes: numbers, text, fills. */
#include "asm/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static const char *const value_names[9] = {[1] = ".byte", [2] = ".short", [4] = ".long", [8] = ".quad"};

/* A .loc applies to the next data or instruction; alignment and space do not use it up. */
static void end_loc(struct og_asm *as) {
  if (as->debug.pending)
    og_asm_note_line(as);
}

bool og_asm_emit_data(struct og_asm *as, const void *bytes, size_t size) {
  end_loc(as);
  return og_asm_emit(as, bytes, size);
}

static bool number(struct og_asm *as, const char *at, int size) {
  uint8_t bytes[8];
  struct og_operand_value v;
  if (!og_asm_parse_value(as, &v))
    return false;
  if (!v.expr && size < 8 && (v.value < -(INT64_C(1) << (size * 8 - 1)) || v.value >= INT64_C(1) << (size * 8)))
    return og_asm_refuse(as, at, "out of range literal value");
  og_asm_list(as, "\t%s\t%s\n", value_names[size], og_asm_listed(as, v));
  if (v.expr)
    og_asm_emit_fixup(as, (unsigned)size, OG_FIXUP_DATA, og_asm_here(as), v.expr, og_asm_range(as, at, as->p));
  og_store64(bytes, v.expr ? 0 : (uint64_t)v.value);
  return og_asm_emit_data(as, bytes, (size_t)size);
}

/* 128 bits: hexadecimal of any length up to that, other bases up to 64 bits. */
OG_DIRECTIVE(octa) {
  uint64_t low = 0, high = 0;
  if (as->p[0] == '0' && (as->p[1] | 32) == 'x') {
    for (as->p += 2; og_digit_value(*as->p) < 16; as->p++) {
      if (high >> 60)
        return og_asm_refuse(as, at, "out of range literal value");
      high = high << 4 | low >> 60;
      low = low << 4 | (unsigned)og_digit_value(*as->p);
    }
  } else if (!og_is_digit(*as->p) || !og_asm_integer(as, &low)) {
    return og_asm_error(as, at, 1, "unknown token in expression");
  }
  uint8_t bytes[16];
  og_store64(bytes, low);
  og_store64(bytes + 8, high);
  og_asm_list(as, "\t.quad\t%lld\n\t.quad\t%lld\n", (long long)low, (long long)high);
  return og_asm_emit_data(as, bytes, 16);
}

static bool real(struct og_asm *as, double *out) {
  bool negative = *og_asm_at(as) == '-';
  as->p += *as->p == '-' || *as->p == '+';
  struct og_text word = og_name_start(*as->p) && *as->p != '.' ? og_asm_word(as) : (struct og_text){0};
  if (word.size && (!strncasecmp(word.data, "infinity", 8) || !strncasecmp(word.data, "inf", 3))) {
    *out = __builtin_inf();
  } else if (word.size && !strncasecmp(word.data, "nan", 3)) {
    memset(out, 0xff, sizeof *out); /* every bit of the fraction, as LLVM has it */
    *out = __builtin_copysign(*out, 1.0);
  } else {
    char *end;
    if (word.size || !(og_is_digit(*as->p) || *as->p == '.'))
      return og_asm_error(as, word.size ? word.data : as->p, 1,
                          word.size ? "invalid floating point literal" : "unexpected token in directive");
    *out = strtod(as->p, &end);
    if (end == as->p)
      return og_asm_error(as, as->p, 1, "invalid floating point literal");
    as->p = end;
  }
  if (negative)
    *out = -*out;
  return true;
}

/* `size` bytes of the eight, the others 0. */
static void store_real(double value, int size, uint8_t bytes[8]) {
  float f = (float)value;
  uint32_t bits = 0;
  memcpy(&bits, &f, sizeof bits);
  if (value != value) /* narrowing keeps the upper bits of the fraction only */
    bits = 0x7fffffff | (__builtin_signbit(value) ? 0x80000000u : 0);
  if (size == 8)
    memcpy(bytes, &value, 8);
  else
    og_store64(bytes, bits);
}

static void list_numbers(struct og_asm *as, int64_t count, uint64_t value, int size) {
  for (; og_asm_listing(as) && count > 0; count--)
    og_asm_list(as, "\t%s\t%lld\n", value_names[size], (long long)value);
}

static bool one_real(struct og_asm *as, const char *at, int size) {
  (void)at;
  double d;
  uint8_t bytes[8];
  if (!real(as, &d))
    return false;
  store_real(d, size, bytes);
  list_numbers(as, 1, og_load64(bytes), size);
  return og_asm_emit_data(as, bytes, (size_t)size);
}

bool og_asm_optional(struct og_asm *as, int64_t *out, const char **at) {
  if (!og_asm_accept(as, ','))
    return true;
  *at = og_asm_at(as);
  return og_asm_parse_absolute(as, out);
}

/* A value that may be known only after layout: its symbols are then listed where they are defined, as LLVM does. */
bool og_asm_late_value(struct og_asm *as, struct og_operand_value *out) {
  uint32_t known = as->symbol_order.count;
  if (!og_asm_parse_value(as, out))
    return false;
  og_asm_pass_over(as, known);
  return true;
}

size_t og_asm_leb128(uint8_t *bytes, int64_t value, bool is_signed, size_t least) {
  size_t n = 0;
  for (bool more = true; more;) {
    uint8_t byte = value & 0x7f;
    value = is_signed ? value >> 7 : (int64_t)((uint64_t)value >> 7);
    more = is_signed ? !((value == 0 && !(byte & 0x40)) || (value == -1 && (byte & 0x40))) : value != 0;
    more |= n + 1 < least;
    bytes[n++] = byte | (more ? 0x80 : 0);
  }
  return n;
}

/* A value that depends on later labels is filled in at the end, in as many bytes as it then needs. */
static bool later_leb128(struct og_asm *as, const struct og_expr *expr, const char *start, bool is_signed) {
  struct og_chunk *chunk = as->chunk;
  if (chunk->section->type == SHT_NOBITS)
    return og_asm_error(as, start, 0, "SHT_NOBITS section '%s' cannot have non-zero initializers",
                        chunk->section->name);
  og_asm_list(as, "\t.%cleb128 %s\n", is_signed ? 's' : 'u',
              og_asm_listed(as, (struct og_operand_value){.expr = expr}));
  struct og_break *b = og_asm_break(as, OG_BREAK_LEB128, expr, og_asm_range(as, start, as->p), NULL, 0);
  if (b)
    b->is_signed = is_signed;
  return b != NULL;
}

static bool leb128(struct og_asm *as, const char *at, int is_signed) {
  struct og_operand_value v;
  if (!og_asm_late_value(as, &v))
    return false;
  if (v.expr && (og_asm_listing(as) || !og_asm_evaluate_absolute(as, v.expr, &v.value)))
    return later_leb128(as, v.expr, at, is_signed);
  uint8_t bytes[10];
  size_t n = og_asm_leb128(bytes, v.value, is_signed, 1);
  og_asm_list_bytes(as, bytes, n);
  return og_asm_emit_data(as, bytes, n);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static bool ascii(struct og_asm *as, const char *at, int zero) {
  (void)at;
  struct og_text text;
  do {
    if (!og_asm_string(as, &text))
      return false;
    og_asm_list_bytes(as, text.data, text.size);
    if (!og_asm_emit_data(as, text.data, text.size))
      return false;
  } while (!zero && *og_asm_at(as) == '"');
  if (zero)
    og_asm_list(as, "\t.byte\t0\n");
  return !zero || og_asm_emit(as, NULL, 1);
}

OG_DIRECTIVE(base64) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  struct og_text text;
  if (!og_asm_string(as, &text))
    return false;
  bool valid = text.size % 4 == 0;
  size_t from = as->chunk->bytes.size;
  size_t pad = text.size && text.data[text.size - 1] == '=' ? 1 + (text.data[text.size - 2] == '=') : 0;
  for (size_t i = 0; valid && i < text.size; i += 4) {
    uint32_t group = 0;
    bool last = i + 4 == text.size;
    for (size_t k = 0; k < 4; k++) {
      const char *digit = last && k >= 4 - pad ? digits : memchr(digits, text.data[i + k], 64);
      valid = valid && digit;
      group = group << 6 | (digit ? (uint32_t)(digit - digits) : 0);
    }
    uint8_t bytes[3] = {(uint8_t)(group >> 16), (uint8_t)(group >> 8), (uint8_t)group};
    if (valid && !og_asm_emit_data(as, bytes, last ? 3 - pad : 3))
      return false;
  }
  if (!valid || !text.size)
    return og_asm_refuse(as, at, "failed to base64 decode string data");
  if (as->chunk->section->type != SHT_NOBITS)
    og_asm_list_bytes(as, as->chunk->bytes.data + from, as->chunk->bytes.size - from);
  return true;
}

/* ---- fills ------------------------------------------------------------------------------------------------------- */

bool og_asm_repeat(struct og_asm *as, const char *at, int64_t count, const uint8_t *bytes, size_t size) {
  if (count < 0)
    return og_asm_warning(as, at, 0, "'%s' directive with negative repeat count has no effect", ".fill"), true;
  if ((uint64_t)count > OG_ASM_BYTES_MOST / OG_MAX(size, 1u) && as->chunk->section->type != SHT_NOBITS)
    return og_asm_error(as, at, 0, "fill of %lld times %zu bytes is larger than %d MiB", (long long)count, size,
                        OG_ASM_BYTES_MOST >> 20);
  if ((uint64_t)count > (UINT64_C(1) << 46) / OG_MAX(size, 1u))
    return og_asm_error(as, at, 0, "fill of %lld times %zu bytes is larger than an address space", (long long)count,
                        size);
  uint8_t block[256] = {0}; /* holds whole repetitions, for one has 16 bytes at most */
  size_t left = (size_t)count * size, each = size ? OG_MIN(sizeof block / size * size, left) : 0;
  if (!memcmp(bytes, block, size))
    return og_asm_emit(as, NULL, left);
  memcpy(block, bytes, size);
  for (size_t filled = size; filled < each; filled *= 2)
    memcpy(block + filled, block, OG_MIN(filled, each - filled));
  for (; left; left -= OG_MIN(left, each))
    if (!og_asm_emit(as, block, OG_MIN(left, each)))
      return false;
  return true;
}

OG_DIRECTIVE(fill) {
  struct og_operand_value count;
  int64_t size = 1, value = 0;
  const char *size_at = at = og_asm_at(as), *value_at = NULL;
  if (!og_asm_late_value(as, &count))
    return false;
  struct og_range range = og_asm_range(as, at, as->p);
  if (!og_asm_optional(as, &size, &size_at) || !og_asm_optional(as, &value, &value_at))
    return false;
  if (size < 0)
    return og_asm_warning(as, size_at, 1, "'.fill' directive with negative size has no effect"), true;
  if (size > 8) {
    og_asm_warning(as, size_at, 1, "'.fill' directive with size greater than 8 has been truncated to 8");
    size = 8;
  }
  if (size > 4 && (value < 0 || value > UINT32_MAX))
    og_asm_warning(as, value_at, 1, "'.fill' directive pattern has been truncated to 32-bits");
  uint8_t bytes[8] = {0};
  og_store32(bytes, (uint32_t)value);
  og_asm_list(as, "\t.fill\t%s, %lld, 0x%x\n", og_asm_listed(as, count), (long long)size, (unsigned)value);
  if ((count.expr || count.value > 0) && size > 0)
    end_loc(as);
  return count.expr ? og_asm_break(as, OG_BREAK_FILL, count.expr, range, bytes, (size_t)size) != NULL
                    : og_asm_repeat(as, at, count.value, bytes, (size_t)size);
}

static bool space(struct og_asm *as, const char *at, int fill_allowed) {
  struct og_operand_value count;
  int64_t value = 0;
  const char *start = og_asm_at(as);
  if (!og_asm_late_value(as, &count))
    return false;
  struct og_range range = og_asm_range(as, start, as->p);
  if (fill_allowed && og_asm_accept(as, ',') && !og_asm_parse_absolute(as, &value))
    return false;
  if (count.expr || count.value)
    og_asm_list(as, value ? "\t.zero\t%s,%lld\n" : "\t.zero\t%s\n", og_asm_listed(as, count), (long long)value);
  uint8_t byte = (uint8_t)value;
  if (count.expr)
    return og_asm_break(as, OG_BREAK_FILL, count.expr, range, &byte, 1) != NULL;
  if (count.value < 0)
    return og_asm_refuse(as, start, "invalid number of bytes");
  return og_asm_repeat(as, at, count.value, &byte, 1);
}

/* .dcb.X COUNT, VALUE: the same value so many times; .ds.X COUNT: so many zeros of that size. */
static bool repeated_value(struct og_asm *as, const char *at, int size) {
  int64_t count, value = 0;
  if (!og_asm_parse_absolute(as, &count) || (size < 16 && !og_asm_comma(as)))
    return false;
  const char *start = og_asm_at(as);
  if (size < 16 && !og_asm_parse_absolute(as, &value))
    return false;
  if (size < 8 && (value < -(INT64_C(1) << (size * 8 - 1)) || value >= INT64_C(1) << (size * 8)))
    return og_asm_refuse(as, start, "literal value out of range for directive");
  uint8_t bytes[8];
  og_store64(bytes, (uint64_t)value);
  if (size < 16)
    list_numbers(as, count, (uint64_t)value, size);
  for (int64_t i = 0; size >= 16 && og_asm_listing(as) && i < count; i++)
    og_asm_list(as, "\t.zero\t%d\n", size - 16);
  return size < 16 ? og_asm_repeat(as, at, count, bytes, (size_t)size)
                   : og_asm_repeat(as, at, count, (const uint8_t[12]){0}, (size_t)size - 16);
}

static bool repeated_real(struct og_asm *as, const char *at, int size) {
  int64_t count;
  double d;
  if (!og_asm_parse_absolute(as, &count) || !og_asm_comma(as) || !real(as, &d))
    return false;
  uint8_t bytes[8];
  store_real(d, size, bytes);
  list_numbers(as, count, og_load64(bytes), size);
  return og_asm_repeat(as, at, count, bytes, (size_t)size);
}

OG_DIRECTIVE(no_long_double) {
  return og_asm_error(as, at, strcspn(at, " \t\n"), "%.*s not currently supported for this target",
                      (int)strcspn(at, " \t\n"), at);
}

const struct og_directive_row og_data_directives[] = {{".byte", number, OG_EACH | 1},
                                                      {".short", number, OG_EACH | 2},
                                                      {".value", number, OG_EACH | 2},
                                                      {".2byte", number, OG_EACH | 2},
                                                      {".hword", number, OG_EACH | 2},
                                                      {".long", number, OG_EACH | 4},
                                                      {".int", number, OG_EACH | 4},
                                                      {".4byte", number, OG_EACH | 4},
                                                      {".quad", number, OG_EACH | 8},
                                                      {".8byte", number, OG_EACH | 8},
                                                      {".dc", number, OG_EACH | 2},
                                                      {".dc.b", number, OG_EACH | 1},
                                                      {".dc.w", number, OG_EACH | 2},
                                                      {".dc.l", number, OG_EACH | 4},
                                                      {".dc.a", number, OG_EACH | 8},
                                                      {".octa", octa, OG_EACH},
                                                      {".float", one_real, OG_EACH | 4},
                                                      {".single", one_real, OG_EACH | 4},
                                                      {".dc.s", one_real, OG_EACH | 4},
                                                      {".double", one_real, OG_EACH | 8},
                                                      {".dc.d", one_real, OG_EACH | 8},
                                                      {".uleb128", leb128, OG_EACH},
                                                      {".sleb128", leb128, OG_EACH | 1},
                                                      {".ascii", ascii, OG_EACH},
                                                      {".asciz", ascii, OG_EACH | 1},
                                                      {".string", ascii, OG_EACH | 1},
                                                      {".fill", fill, 0},
                                                      {".zero", space, 1},
                                                      {".skip", space, 1},
                                                      {".space", space, 1},
                                                      {".dcb", repeated_value, 2},
                                                      {".dcb.b", repeated_value, 1},
                                                      {".dcb.w", repeated_value, 2},
                                                      {".dcb.l", repeated_value, 4},
                                                      {".dcb.s", repeated_real, 4},
                                                      {".dcb.d", repeated_real, 8},
                                                      {".dc.x", no_long_double, 0},
                                                      {".dcb.x", no_long_double, 0},
                                                      {".ds", repeated_value, 16 + 2},
                                                      {".ds.b", repeated_value, 16 + 1},
                                                      {".ds.w", repeated_value, 16 + 2},
                                                      {".ds.l", repeated_value, 16 + 4},
                                                      {".ds.s", repeated_value, 16 + 4},
                                                      {".ds.d", repeated_value, 16 + 8},
                                                      {".ds.p", repeated_value, 16 + 12},
                                                      {".ds.x", repeated_value, 16 + 12},
                                                      {".base64", base64, OG_EACH},
                                                      {NULL, NULL, 0}};
