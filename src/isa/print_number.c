/* print_number.c - numbers, inline constants and literals as text. */
#include <stdarg.h>
#include <stdio.h>

#include "base/hex.h"
#include "isa/print.h"

#define NUMBER(n)                                                                            \
  {'0' + ((n) >= 100 ? (n) / 100 : (n) >= 10 ? (n) / 10 : (n)) % 10,                         \
   '0' + ((n) >= 100 ? (n) / 10 : (n)) % 10, '0' + (n) % 10, (n) >= 100 ? 3 : (n) >= 10 ? 2 : 1},
#define NUMBERS_4(n) NUMBER(n) NUMBER((n) + 1) NUMBER((n) + 2) NUMBER((n) + 3)
#define NUMBERS_16(n) NUMBERS_4(n) NUMBERS_4((n) + 4) NUMBERS_4((n) + 8) NUMBERS_4((n) + 12)
#define NUMBERS_64(n) NUMBERS_16(n) NUMBERS_16((n) + 16) NUMBERS_16((n) + 32) NUMBERS_16((n) + 48)
const char og_small_numbers[256][4] = {NUMBERS_64(0) NUMBERS_64(64) NUMBERS_64(128) NUMBERS_64(192)};

char *og_number_text(char *at, uint32_t value) {
  if (value < 256)
    return og_small_number(at, value);
  char digits[10];
  unsigned count = 0;
  do
    digits[count++] = (char)('0' + value % 10);
  while (value /= 10);
  while (count)
    *at++ = digits[--count];
  return at;
}

void og_put_number(struct og_writer *w, uint32_t value) { w->at = og_number_text(w->at, value); }
void og_put_hex(struct og_writer *w, uint64_t value) {
  memcpy(w->at, "0x", 2);
  w->at = og_hex_text(w->at + 2, value, 'a');
}

void og_put_signed(struct og_writer *w, int64_t value) {
  if (value < 0)
    og_put(w, "-");
  og_put_number(w, (uint32_t)(value < 0 ? -value : value));
}

void og_put_signed_hex(struct og_writer *w, int64_t value) {
  if (value < 0)
    og_put(w, "-");
  og_put_hex(w, (uint64_t)(value < 0 ? -value : value));
}

void og_put_format(struct og_writer *w, const char *format, ...) {
  enum { LONGEST = 256 };
  va_list args;
  va_start(args, format);
  int count = vsnprintf(w->at, LONGEST, format, args);
  va_end(args);
  w->at += OG_MIN(count, LONGEST - 1);
}

void og_put_inline(struct og_writer *w, unsigned code, enum og_type type) {
  static const char *const names[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"};
  if (code <= OG_CODE_MINUS_16)
    og_put_signed(w, code <= OG_CODE_64 ? (int)code - OG_CODE_0 : OG_CODE_64 - (int)code);
  else if (type == OG_TYPE_I16 || type == OG_TYPE_V2F16_LITERAL)
    og_put_hex(w, og_inline_value(code, type));
  else if (code == OG_CODE_1_OVER_2PI && (type == OG_TYPE_F64 || type == OG_TYPE_I64))
    og_put(w, "0.15915494309189532");
  else
    og_put(w, names[code - OG_CODE_REAL]);
}

void og_put_lit(struct og_writer *w, const char *word, uint64_t value) {
  og_put(w, word);
  og_put_hex(w, value);
  og_put(w, ")");
}

void og_put_plain(struct og_writer *w, uint32_t value, enum og_type type) {
  int code = og_inline_code(w->isa, value, type);
  if (code >= 0)
    og_put_inline(w, (unsigned)code, type);
  else
    og_put_hex(w, type == OG_TYPE_F16 || type == OG_TYPE_I16 ? value & 0xffff : value);
}

/* Whether 64 bits are written in lit64(): if fewer bits would be enough. */
static bool needs_lit64(const struct og_writer *w, uint64_t value, enum og_type type) {
  bool wide = type == OG_TYPE_I64 || type == OG_TYPE_F64;
  return value >> 32 == 0 ||
         (wide && (og_inline_code(w->isa, value, type) >= 0 || (type == OG_TYPE_F64 && (uint32_t)value == 0)));
}

static void put_literal64(struct og_writer *w, uint64_t value, enum og_type type) {
  if (needs_lit64(w, value, type))
    og_put_lit(w, "lit64(", value);
  else if (type != OG_TYPE_I64 && type != OG_TYPE_F64)
    og_put_plain(w, (uint32_t)value, type); /* the rest is not read */
  else
    og_put_hex(w, value);
}

/* The inline constant that has a literal's value; -1 if none has. */
static int literal_code(const struct og_writer *w, const struct og_operand *operand, enum og_type type) {
  uint64_t value = operand->value;
  if (operand->reg != OG_LITERAL64)
    value = type == OG_TYPE_F64 ? value << 32 : type == OG_TYPE_I64 ? value : (uint32_t)value;
  return og_inline_code(w->isa, value, type);
}

/* Whether lit() would be needless, or the low half of a double. */
static bool needs_no_lit(const struct og_writer *w, enum og_type type) {
  return type == OG_TYPE_V2F16_LITERAL || (type == OG_TYPE_F64 && w->isa->gfx1250);
}

void og_put_literal(struct og_writer *w, const struct og_operand *operand, enum og_type type) {
  uint64_t value = operand->value;
  int code = literal_code(w, operand, type);
  if (operand->flags & OG_LIT)
    og_put_lit(w, operand->flags & OG_PLAIN ? "lit64(" : "lit(", value);
  else if (operand->flags &
           OG_PLAIN) /* a double beside the constant of v_fmamk_f64: the high half, if the rest is 0 */
    og_put_hex(w, type == OG_TYPE_F64 && !(uint32_t)value ? value >> 32 : value);
  else if (operand->reg == OG_LITERAL64)
    put_literal64(w, value, type);
  else if (code >= 0 && needs_no_lit(w, type))
    og_put_inline(w, (unsigned)code, type);
  else if (code >= 0)
    og_put_lit(w, "lit(", value);
  else
    og_put_hex(w, type == OG_TYPE_F16 || type == OG_TYPE_I16 ? value & 0xffff
               : type == OG_TYPE_I64                      ? value
                                                          : (uint32_t)value);
}

bool og_is_bare_constant(const struct og_writer *w, const struct og_operand *operand, enum og_type type) {
  if (operand->kind != OG_OPERAND_LITERAL || operand->flags & OG_LIT)
    return operand->kind == OG_OPERAND_INLINE;
  if (operand->reg == OG_LITERAL64 && !(operand->flags & OG_PLAIN))
    return !needs_lit64(w, operand->value, type);
  return literal_code(w, operand, type) < 0 || needs_no_lit(w, type);
}
