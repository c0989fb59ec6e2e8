/* value.c - numbers of all types: from bytes, to bytes, in words. */
#include "debug/value.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/floats.h"

static const struct {
  const char *name, *other;
  uint8_t size;
} types[OG_NUMERALS] = {
    [OG_AS_U8] = {"u8", "uchar", 1},      [OG_AS_I8] = {"i8", "char", 1},    [OG_AS_U16] = {"u16", "ushort", 2},
    [OG_AS_I16] = {"i16", "short", 2},    [OG_AS_U32] = {"u32", "uint", 4},  [OG_AS_I32] = {"i32", "int", 4},
    [OG_AS_U64] = {"u64", "ulong", 8},    [OG_AS_I64] = {"i64", "long", 8},  [OG_AS_F16] = {"f16", "half", 2},
    [OG_AS_BF16] = {"bf16", "bfloat", 2}, [OG_AS_F32] = {"f32", "float", 4}, [OG_AS_F64] = {"f64", "double", 8},
};

bool og_numeral_find(struct og_text name, enum og_numeral *type) {
  for (unsigned i = 0; i < OG_NUMERALS; i++)
    if (og_text_is(name, types[i].name) || og_text_is(name, types[i].other)) {
      *type = (enum og_numeral)i;
      return true;
    }
  return false;
}

const char *og_numeral_name(enum og_numeral type) { return types[type].name; }
unsigned og_numeral_size(enum og_numeral type) { return types[type].size; }

struct og_value og_value_load(enum og_numeral type, const void *bytes) {
  struct og_value value = {.type = type};
  uint64_t bits = 0;
  memcpy(&bits, bytes, types[type].size);
  switch (type) {
  case OG_AS_I8: value.i = (int8_t)bits; break;
  case OG_AS_I16: value.i = (int16_t)bits; break;
  case OG_AS_I32: value.i = (int32_t)bits; break;
  case OG_AS_F16: value.f = (double)og_half_to_float((uint16_t)bits); break;
  case OG_AS_BF16:
  case OG_AS_F32: {
    uint32_t word = type == OG_AS_BF16 ? (uint32_t)bits << 16 : (uint32_t)bits;
    float number;
    memcpy(&number, &word, 4);
    value.f = (double)number;
    break;
  }
  case OG_AS_F64: memcpy(&value.f, &bits, 8); break;
  default: value.u = bits; break;
  }
  return value;
}

static double as_double(const struct og_value *value) {
  return og_numeral_is_float(value->type)    ? value->f
         : og_numeral_is_signed(value->type) ? (double)value->i
                                             : (double)value->u;
}

static uint64_t as_bits(const struct og_value *value) {
  if (!og_numeral_is_float(value->type))
    return value->u;
  return isnan(value->f) ? 0
         : value->f < 0  ? (uint64_t)(int64_t)fmax(value->f, -0x1p63)
                         : (uint64_t)fmin(value->f, 0x1.fffffffffffffp63);
}

void og_value_store(const struct og_value *value, enum og_numeral type, uint8_t bytes[8]) {
  float number = (float)as_double(value);
  double wide = as_double(value);
  uint32_t word;
  memcpy(&word, &number, 4);
  switch (type) {
  case OG_AS_F16: og_store64(bytes, og_double_to_half(wide)); break;
  case OG_AS_BF16: og_store64(bytes, (word + 0x7fff + (word >> 16 & 1)) >> 16); break;
  case OG_AS_F32: og_store64(bytes, word); break;
  case OG_AS_F64: memcpy(bytes, &wide, 8); break;
  default: og_store64(bytes, as_bits(value)); break;
  }
}

/* ---- in words ---------------------------------------------------------------------------------------------------- */

/* As few digits as tell the number from others of its type. */
static void print_float(enum og_numeral type, double number, struct og_buffer *out) {
  static const uint8_t least[] = {[OG_AS_F16] = 4, [OG_AS_BF16] = 3, [OG_AS_F32] = 6, [OG_AS_F64] = 15};
  static const uint8_t most[] = {[OG_AS_F16] = 5, [OG_AS_BF16] = 4, [OG_AS_F32] = 9, [OG_AS_F64] = 17};
  char text[280];
  struct og_value value = {.type = type, .f = number};
  uint8_t bits[8], again[8];
  og_value_store(&value, type, bits);
  for (int digits = least[type]; digits <= most[type]; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, number);
    struct og_value read = {.type = type, .f = strtod(text, NULL)};
    og_value_store(&read, type, again);
    if (memcmp(bits, again, 8) == 0)
      break;
  }
  og_buffer_text(out, text);
}

static void print_bits(uint64_t bits, unsigned count, struct og_buffer *out) {
  for (unsigned i = count; i-- > 0;)
    og_buffer_u8(out, '0' + (bits >> i & 1));
}

void og_value_print(const struct og_value *value, char format, struct og_buffer *out) {
  unsigned size = types[value->type].size;
  uint8_t bytes[8];
  og_value_store(value, value->type, bytes);
  uint64_t bits = og_load64(bytes) & (size == 8 ? UINT64_MAX : (1ull << 8 * size) - 1);
  int64_t number = (int64_t)(bits << (64 - 8 * size)) >> (64 - 8 * size);
  switch (format) {
  case 'x': og_buffer_printf(out, "0x%0*llx", 2 * (int)size, (unsigned long long)bits); return;
  case 'a': og_buffer_printf(out, "0x%llx", (unsigned long long)bits); return;
  case 'd': og_buffer_printf(out, "%lld", (long long)number); return;
  case 'u': og_buffer_printf(out, "%llu", (unsigned long long)bits); return;
  case 't': print_bits(bits, 8 * size, out); return;
  case 'c':
    og_buffer_printf(out, isprint((int)(bits & 255)) ? "%lld '%c'" : "%lld", (long long)number, (char)bits);
    return;
  case 'f':
    if (!og_numeral_is_float(value->type) && size >= 2) {
      struct og_value read = og_value_load(size == 2 ? OG_AS_F16 : size == 4 ? OG_AS_F32 : OG_AS_F64, bytes);
      print_float(read.type, read.f, out);
      return;
    }
    break;
  default: break;
  }
  if (og_numeral_is_float(value->type))
    print_float(value->type, value->f, out);
  else if (og_numeral_is_signed(value->type))
    og_buffer_printf(out, "%lld", (long long)value->i);
  else
    og_buffer_printf(out, "%llu", (unsigned long long)value->u);
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

enum { DEPTH_MOST = 6, ELEMENTS_MOST = 64 };

static void print_shape(Dwarf_Die *shape, const uint8_t *bytes, uint64_t size, char format, unsigned depth,
                        struct og_buffer *out);

static void print_members(Dwarf_Die *shape, const uint8_t *bytes, uint64_t size, char format, unsigned depth,
                          struct og_buffer *out) {
  Dwarf_Die member, type;
  const char *between = "{";
  unsigned left = ELEMENTS_MOST;
  for (bool more = dwarf_child(shape, &member) == 0; more; more = og_die_next(&member, &left)) {
    const char *name = dwarf_diename(&member);
    uint64_t offset;
    if (!name || !og_shape_member(shape, og_text(name), &type, &offset) || offset > size)
      continue;
    og_buffer_printf(out, "%s%s = ", between, name);
    print_shape(&type, bytes + offset, size - offset, format, depth + 1, out);
    between = ", ";
  }
  og_buffer_text(out, *between == '{' ? "{}" : "}");
}

static void print_elements(Dwarf_Die *element, uint64_t count, const uint8_t *bytes, uint64_t size, char format,
                           unsigned depth, struct og_buffer *out) {
  uint64_t each = og_shape_size(element), i = 0;
  og_buffer_u8(out, '{');
  for (; each && i < count && i < ELEMENTS_MOST && (i + 1) * each <= size; i++) {
    og_buffer_text(out, i ? ", " : "");
    print_shape(element, bytes + i * each, each, format, depth + 1, out);
  }
  og_buffer_text(out, i < count ? ", ...}" : "}");
}

static void print_shape(Dwarf_Die *shape, const uint8_t *bytes, uint64_t size, char format, unsigned depth,
                        struct og_buffer *out) {
  enum og_numeral type;
  Dwarf_Die element;
  bool pointer;
  uint64_t count;
  if (depth > DEPTH_MOST) {
    og_buffer_text(out, "...");
  } else if (og_shape_number(shape, &type) && og_numeral_size(type) <= size) {
    struct og_value value = og_value_load(type, bytes);
    og_value_print(&value, format, out);
  } else if (og_shape_element(shape, &element, &pointer, &count) && pointer) {
    uint64_t address = 0, wide = og_shape_size(shape);
    memcpy(&address, bytes, OG_MIN(OG_MIN(wide ? wide : 8, size), 8u));
    og_buffer_printf(out, "0x%llx", (unsigned long long)address);
  } else if (og_shape_element(shape, &element, &pointer, &count)) {
    print_elements(&element, count, bytes, size, format, depth, out);
  } else {
    print_members(shape, bytes, size, format, depth, out);
  }
}

void og_value_print_whole(const struct og_value *value, char format, struct og_buffer *out) {
  Dwarf_Die shape = value->shape;
  if (value->has_shape)
    print_shape(&shape, value->bytes, value->size, format, 0, out);
  else
    og_value_print(value, format, out);
}
