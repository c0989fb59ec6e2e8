/* read_operand.c - operands of the text: regions, immediates, addresses, variables of every class. */
#include "visa/text/reader.h"

#include <stdlib.h>
#include <string.h>

static bool region_value(struct og_visa_reader *r, uint8_t *out) {
  int64_t value;
  if (!og_visa_number(r, 254, "region parameter", &value))
    return false;
  *out = (uint8_t)value;
  return true;
}

/* Reads <h>, <w,h> or <v;w,h>. */
static bool region(struct og_visa_reader *r, struct og_visa_operand *operand) {
  uint8_t first;
  operand->vertical = operand->width = OG_VISA_STRIDE_NONE;
  if (!og_visa_expect(r, '<', "and a region") || !region_value(r, &first))
    return false;
  if (take(r, ';')) {
    operand->vertical = first;
    if (!region_value(r, &first) || !og_visa_expect(r, ',', "between width and horizontal stride"))
      return false;
    operand->width = first;
    if (!region_value(r, &first))
      return false;
  } else if (take(r, ',')) {
    operand->width = first;
    if (!region_value(r, &first))
      return false;
  }
  operand->horizontal = first;
  return og_visa_expect(r, '>', "of the region");
}

static bool read_type(struct og_visa_reader *r, uint8_t *type) {
  const char *from = r->p;
  if (!og_visa_expect(r, ':', "and a type"))
    return false;
  char lower[8] = "";
  struct og_text word = og_visa_word(r);
  for (size_t i = 0; i < word.size && i < sizeof lower - 1; i++)
    lower[i] = word.data[i] | 32;
  for (unsigned i = 0; i < OG_VISA_TYPE_COUNT && word.size < sizeof lower; i++)
    if (strcmp(lower, og_visa_types[i].name) == 0) {
      *type = (uint8_t)i;
      return true;
    }
  return og_visa_fail(r, from, "'%.*s' is no type", OG_TEXT_ARGS(word));
}

const struct og_visa_symbol *og_visa_symbol(struct og_visa_reader *r, struct og_text name) {
  return og_map_get(&r->symbols, name);
}

bool og_visa_undeclared(struct og_visa_reader *r, struct og_text name) {
  r->p = name.data + name.size;
  if (!name.size)
    return og_visa_fail(r, name.data, "expected an operand");
  return og_visa_fail(r, name.data, "'%.*s' is not declared", OG_TEXT_ARGS(name));
}

/* (A(k), offset) after "r[" */
static bool indirect(struct og_visa_reader *r, struct og_visa_operand *operand) {
  r->p += 2;
  struct og_text name = og_visa_word(r);
  const struct og_visa_symbol *symbol = og_visa_symbol(r, name);
  if (!symbol)
    return og_visa_undeclared(r, name);
  if (symbol->class != 'A')
    return og_visa_fail(r, name.data, "'%.*s' is not an address variable", OG_TEXT_ARGS(name));
  operand->kind = OG_VISA_INDIRECT;
  operand->variable = symbol->index;
  int64_t value;
  if (!og_visa_expect(r, '(', "and the address element") || !og_visa_number(r, 255, "address element", &value) ||
      !og_visa_expect(r, ')', "after the address element"))
    return false;
  operand->column = (uint16_t)value;
  if (take(r, ',')) {
    const char *from = r->p;
    if (!og_visa_expression(r, false, &value))
      return false;
    if (value < INT16_MIN || value > INT16_MAX)
      return og_visa_fail(r, from, "indirect offset %lld does not fit 16 bits", (long long)value);
    operand->offset = (int32_t)value;
  }
  return og_visa_expect(r, ']', "of the indirect operand") && region(r, operand) && read_type(r, &operand->type);
}

/* &V or &V[offset] */
static bool address_of(struct og_visa_reader *r, struct og_visa_operand *operand) {
  r->p++;
  struct og_text name = og_visa_word(r);
  const struct og_visa_symbol *symbol = og_visa_symbol(r, name);
  if (!symbol)
    return og_visa_undeclared(r, name);
  if (symbol->class != 'G' && symbol->class != 'T' && symbol->class != 'S')
    return og_visa_fail(r, name.data, "'%.*s' has no address", OG_TEXT_ARGS(name));
  operand->kind = OG_VISA_ADDRESS_OF;
  operand->state_class = (uint8_t)symbol->class;
  operand->variable = symbol->index;
  operand->type = OG_VISA_UW;
  if (!take(r, '['))
    return true;
  const char *from = r->p;
  int64_t value;
  if (!og_visa_expression(r, false, &value))
    return false;
  if (value < INT16_MIN || value > INT16_MAX)
    return og_visa_fail(r, from, "offset %lld does not fit 16 bits", (long long)value);
  operand->offset = (int32_t)value;
  return og_visa_expect(r, ']', "after the offset");
}

/* 1.5:f and 1e+3:df; the digits before the dot have been seen. */
static bool float_literal(struct og_visa_reader *r, const char *from, bool negative, struct og_visa_operand *operand) {
  char text[64];
  size_t size = 0;
  while (r->p < r->end && (is_digit(*r->p) || *r->p == '.' || (*r->p | 32) == 'e' ||
                           ((*r->p == '+' || *r->p == '-') && size && (text[size - 1] | 32) == 'e'))) {
    if (size == sizeof text - 1)
      return og_visa_fail(r, from, "number is too long");
    text[size++] = *r->p++;
  }
  text[size] = 0;
  char *end;
  double value = strtod(text, &end);
  if (*end || !read_type(r, &operand->type))
    return og_visa_fail(r, from, "'%s' is no floating-point number", text);
  if (negative)
    value = -value;
  if (operand->type == OG_VISA_DF) {
    memcpy(&operand->bits, &value, 8);
    return true;
  }
  if (operand->type != OG_VISA_F)
    return og_visa_fail(r, from, "a number with a fraction has type f or df");
  float single = strtof(text, NULL);
  uint32_t bits;
  memcpy(&bits, &single, 4);
  operand->bits = bits ^ (negative ? 1u << 31 : 0);
  return true;
}

static bool immediate(struct og_visa_reader *r, struct og_visa_operand *operand) {
  const char *from = r->p;
  operand->kind = OG_VISA_IMMEDIATE;
  const char *p = from + (peek(r) == '-');
  bool negative = p != from;
  while (p < r->end && is_digit(*p))
    p++;
  if (p < r->end && p > from && is_digit(p[-1]) &&
      (*p == '.' || ((*p | 32) == 'e' && p + 1 < r->end && (p[1] == '+' || p[1] == '-')))) {
    r->p += negative;
    return float_literal(r, from, negative, operand);
  }
  int64_t value;
  if (!og_visa_unary(r, &value) || !read_type(r, &operand->type))
    return false;
  operand->bits = (uint64_t)value;
  if (operand->type == OG_VISA_BOOL)
    return og_visa_fail(r, from, "an immediate cannot be a bool");
  if (operand->type == OG_VISA_HF && (uint64_t)value > 0xffff)
    return og_visa_fail(r, from, "number does not fit a half");
  if (og_visa_types[operand->type].size < 8) {
    if (value < INT32_MIN || value > (int64_t)UINT32_MAX)
      return og_visa_fail(r, from, "number does not fit type %s", og_visa_types[operand->type].name);
    operand->bits = (uint32_t)value;
  }
  return true;
}

/* Reads (row, column), or as much of it as is there. */
static bool origin(struct og_visa_reader *r, struct og_visa_operand *operand) {
  if (!take(r, '('))
    return true;
  int64_t value;
  if (!og_visa_number(r, 255, "row", &value) || !og_visa_expect(r, ',', "between row and column"))
    return false;
  operand->row = (uint8_t)value;
  if (!og_visa_number(r, 255, "column", &value))
    return false;
  operand->column = (uint16_t)value;
  return og_visa_expect(r, ')', "after the column");
}

static bool element_index(struct og_visa_reader *r, struct og_visa_operand *operand) {
  int64_t value;
  if (!og_visa_expect(r, '(', "and the element") || !og_visa_number(r, 255, "element", &value))
    return false;
  operand->column = (uint16_t)value;
  return og_visa_expect(r, ')', "after the element");
}

/* A variable of any class and what may follow its name. */
static bool variable(struct og_visa_reader *r, char letter, struct og_visa_operand *operand) {
  struct og_text name = og_visa_word(r);
  const struct og_visa_symbol *symbol = og_visa_symbol(r, name);
  if (!symbol)
    return og_visa_undeclared(r, name);
  operand->variable = symbol->index;
  switch (symbol->class) {
  case 'G':
    operand->kind = OG_VISA_GENERAL;
    operand->type = r->kernel->general.items[symbol->index].type;
    if (letter == 'v') { /* a register in a message's address: scalar, no region */
      operand->vertical = operand->horizontal = 0;
      operand->width = 1;
      return origin(r, operand);
    }
    return origin(r, operand) && region(r, operand);
  case 'P':
    operand->kind = OG_VISA_PREDICATE;
    operand->type = OG_VISA_BOOL;
    operand->predicate.variable = (uint16_t)symbol->index;
    return true;
  case 'A':
    operand->kind = OG_VISA_ADDRESS;
    operand->type = OG_VISA_UW;
    if (!element_index(r, operand) || !og_visa_expect(r, '<', "and the width") || !region_value(r, &operand->width))
      return false;
    return og_visa_expect(r, '>', "after the width");
  default:
    operand->kind = OG_VISA_STATE;
    operand->state_class = (uint8_t)symbol->class;
    operand->type = OG_VISA_UD;
    return element_index(r, operand);
  }
}

static bool modifier(struct og_visa_reader *r, struct og_visa_operand *operand) {
  static const struct {
    char text[8];
    uint8_t modifier;
  } modifiers[] = {{"(-)", OG_VISA_MODIFIER_NEG},
                   {"(abs)", OG_VISA_MODIFIER_ABS},
                   {"(-abs)", OG_VISA_MODIFIER_NEG_ABS},
                   {"(~)", OG_VISA_MODIFIER_NOT}};
  for (size_t i = 0; i < OG_COUNT(modifiers); i++) {
    size_t size = strlen(modifiers[i].text);
    if ((size_t)(r->end - r->p) >= size && memcmp(r->p, modifiers[i].text, size) == 0) {
      r->p += size;
      operand->modifier = modifiers[i].modifier;
      skip(r);
      return true;
    }
  }
  return false;
}

static bool vector(struct og_visa_reader *r, char letter, struct og_visa_operand *operand) {
  char c = peek(r);
  if (letter != 'D' && letter != 'Q' && letter != 'A') {
    if (c == '(' && modifier(r, operand))
      c = peek(r);
    else if (is_digit(c) || c == '-' || c == '(' || c == '~' || c == '!')
      return immediate(r, operand);
    if (c == '&')
      return address_of(r, operand);
    if (c == '%' && peek_at(r, 1) == 's' && (r->end - r->p) > 7 && memcmp(r->p, "%sizeof", 7) == 0)
      return immediate(r, operand);
  }
  if (c == 'r' && peek_at(r, 1) == '[')
    return indirect(r, operand);
  return variable(r, letter, operand);
}

/* V.offset; a message's payload may leave the offset out. */
static bool raw(struct og_visa_reader *r, struct og_visa_operand *operand) {
  struct og_text name = og_visa_word(r);
  const struct og_visa_symbol *symbol = og_visa_symbol(r, name);
  if (!symbol)
    return og_visa_undeclared(r, name);
  if (symbol->class != 'G')
    return og_visa_fail(r, name.data, "'%.*s' is not a general variable", OG_TEXT_ARGS(name));
  operand->kind = OG_VISA_RAW;
  operand->variable = symbol->index;
  operand->type = r->kernel->general.items[symbol->index].type;
  if (peek(r) != '.' || (!is_digit(peek_at(r, 1)) && peek_at(r, 1) != '('))
    return true;
  r->p++;
  const char *from = r->p;
  int64_t offset;
  if (!og_visa_unary(r, &offset))
    return false;
  if (offset < 0 || offset > 0xffff)
    return og_visa_fail(r, from, "raw offset %lld is not in 0..65535", (long long)offset);
  if (offset && symbol->index == OG_VISA_V_NULL)
    return og_visa_fail(r, from, "%%null has offset 0 only");
  operand->offset = (int32_t)offset;
  return true;
}

static bool state(struct og_visa_reader *r, char class, struct og_visa_operand *operand) {
  struct og_text name = og_visa_word(r);
  const struct og_visa_symbol *symbol = og_visa_symbol(r, name);
  if (!symbol)
    return og_visa_undeclared(r, name);
  if (symbol->class != class)
    return og_visa_fail(r, name.data, "'%.*s' is not a %s variable", OG_TEXT_ARGS(name),
                        class == 'T' ? "surface" : "sampler");
  *operand = (struct og_visa_operand){
      .kind = OG_VISA_STATE, .state_class = (uint8_t) class, .type = OG_VISA_UD, .variable = symbol->index};
  return true;
}

static bool read_by_letter(struct og_visa_reader *r, char letter, struct og_visa_operand *operand) {
  switch (letter) {
  case 'R': return raw(r, operand);
  case 'T':
  case 'M': return state(r, letter == 'T' ? 'T' : 'S', operand);
  case 'L': {
    struct og_text name = og_visa_name(r, "a label");
    *operand = (struct og_visa_operand){.kind = OG_VISA_LABEL};
    if (name.size)
      operand->variable = og_visa_label_index(r, name);
    return !r->failed;
  }
  case 'N': {
    struct og_text name = og_visa_name(r, "a function's name");
    *operand = (struct og_visa_operand){.kind = OG_VISA_VALUE};
    if (name.size)
      operand->bits = og_visa_intern(r, name);
    return !r->failed;
  }
  default: return vector(r, letter, operand);
  }
}

bool og_visa_read_operand(struct og_visa_reader *r, char letter, unsigned flags, struct og_visa_operand *operand) {
  skip(r);
  const char *from = r->p;
  bool good = read_by_letter(r, letter, operand);
  operand->at = place(r, from);
  operand->size = (uint32_t)(r->p - from);
  if (!good)
    return og_visa_fail(r, from, "bad operand");
  (void)flags;
  return true;
}
