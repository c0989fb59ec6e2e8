/* read_values.c - values in IR's text: numbers, aggregates, names of globals and locals. */
#include "ir/reader.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBER_BITS = 1 << 16 }; /* of an integer that is written out */

/* ---- numbers ---- */

/* words = words * factor + addend; the carry that falls out. */
static uint32_t multiply_add(uint32_t *words, uint32_t count, uint32_t factor, uint32_t addend) {
  uint64_t carry = addend;
  for (uint32_t i = 0; i < count; i++) {
    carry += (uint64_t)words[i] * factor;
    words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return (uint32_t)carry;
}

static void negate(uint32_t *words, uint32_t count) {
  uint64_t carry = 1;
  for (uint32_t i = 0; i < count; i++) {
    carry += (uint32_t)~words[i];
    words[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

static unsigned digit_of(char c) { return (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10); }

/* Whether words, an unsigned number, fit into `bits`: as they are, or if `negative` with the sign changed. */
static bool fits(const uint32_t *words, uint32_t count, uint32_t bits, bool negative) {
  uint32_t top = 0, lower = 0; /* how many bits the number takes; whether others than its topmost are set */
  for (uint32_t i = 0; i < count; i++)
    if (words[i]) {
      top = i * 32 + 32 - (uint32_t)__builtin_clz(words[i]);
      lower = (lower != 0 || (words[i] & (words[i] - 1))) || top == 0;
    }
  if (!negative)
    return top <= bits;
  bool power = true;
  for (uint32_t i = 0, ones = 0; i < count; i++)
    power = power && (ones += (uint32_t)__builtin_popcount(words[i])) <= 1;
  return top < bits || (top == bits && power);
}

bool og_ir_read_integer(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  const struct og_ir_lexer *l = &r->lexer;
  uint64_t bits = og_ir_type_of(r->m, type)->count;
  if (!l->large && bits <= 64) {
    uint64_t most = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    if (l->negative ? l->number > most / 2 + 1 : l->number > most)
      return og_ir_fail_here(r, "integer constant must have type that fits it");
    *ref = og_ir_number(r->m, type, (l->negative ? -l->number : l->number) & most);
    og_ir_next(r);
    return true;
  }
  bool hex = l->text.size > 2 && l->text.data[1] == '0' && l->text.data[2] == 'x',
       is_signed = hex && *l->text.data == 's';
  struct og_text digits = hex ? (struct og_text){l->text.data + 3, l->text.size - 3} : l->text;
  if (bits > MOST_NUMBER_BITS || digits.size > MOST_NUMBER_BITS / 3)
    return og_ir_fail_here(r, "integers of more than 65536 bits are not handled");
  uint32_t count = (uint32_t)(OG_MAX((uint64_t)digits.size * 4, bits) + 63) / 32;
  uint32_t *words = calloc(count, sizeof *words);
  if (!words)
    return og_ir_fail_here(r, "no memory for an integer");
  for (size_t i = 0; i < digits.size; i++)
    multiply_add(words, count, hex ? 16 : 10, digit_of(digits.data[i]));
  bool fit = fits(words, count, (uint32_t)bits, l->negative);
  if (l->negative)
    negate(words, count);
  if (is_signed && digits.size && digit_of(digits.data[0]) >= 8) /* extended by its own sign bit */
    for (uint64_t bit = digits.size * 4; bit < (uint64_t)count * 32; bit++)
      words[bit / 32] |= 1u << bit % 32;
  if (fit || is_signed)
    *ref = og_ir_wide(r->m, type, words, count);
  free(words);
  if (!fit && !is_signed)
    return og_ir_fail_here(r, "integer constant must have type that fits it");
  og_ir_next(r);
  return true;
}

/* A double as the bits of a float; false: it is not exact. NaNs keep their upper bits, also signalling ones. */
static bool to_float(uint64_t bits, uint32_t *result) {
  uint64_t fraction = bits & 0xfffffffffffff;
  uint32_t sign = (uint32_t)(bits >> 63) << 31;
  if ((bits >> 52 & 0x7ff) == 0x7ff) {
    *result = sign | 0x7f800000 | (uint32_t)(fraction >> 29);
    return !(fraction & 0x1fffffff);
  }
  double value;
  memcpy(&value, &bits, 8);
  float narrow = (float)value;
  memcpy(result, &narrow, 4);
  return (double)narrow == value;
}

/* The same for half (10, 5) and bfloat (7, 8): exact conversion by hand. */
static bool to_small(uint64_t bits, unsigned fraction_bits, unsigned exponent_bits, uint32_t *result) {
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023, bias = (1 << (exponent_bits - 1)) - 1;
  uint64_t fraction = bits & 0xfffffffffffff;
  uint32_t sign = (uint32_t)(bits >> 63) << (fraction_bits + exponent_bits);
  uint32_t most = ((1u << exponent_bits) - 1) << fraction_bits;
  *result = sign;
  if (!(bits << 1))
    return true;
  if (exponent == 1024) {
    *result |= most | (uint32_t)(fraction >> (52 - fraction_bits));
    return !(fraction & (((uint64_t)1 << (52 - fraction_bits)) - 1));
  }
  unsigned drop = 52 - fraction_bits;
  if (exponent < 1 - bias) { /* a subnormal */
    int more = 1 - bias - exponent;
    if (more > (int)fraction_bits + 1)
      return false;
    fraction |= (uint64_t)1 << 52;
    drop += (unsigned)more;
    *result |= (uint32_t)(fraction >> drop);
    return drop < 64 && !(fraction & (((uint64_t)1 << drop) - 1));
  }
  *result |= ((uint32_t)(exponent + bias) << fraction_bits) + (uint32_t)(fraction >> drop);
  return exponent <= bias && !(fraction & (((uint64_t)1 << drop) - 1));
}

static bool from_double(struct og_ir_reader *r, og_ir_type type, uint64_t bits, og_ir_ref *ref) {
  uint32_t narrow = 0;
  bool exact = false;
  switch (og_ir_kind(r->m, type)) {
  case OG_IR_DOUBLE: *ref = og_ir_number(r->m, type, bits); return true;
  case OG_IR_FLOAT: exact = to_float(bits, &narrow); break;
  case OG_IR_HALF: exact = to_small(bits, 10, 5, &narrow); break;
  case OG_IR_BFLOAT: exact = to_small(bits, 7, 8, &narrow); break;
  default: break;
  }
  if (!exact)
    return og_ir_fail_here(r, "floating point constant invalid for type");
  *ref = og_ir_number(r->m, type, narrow);
  return true;
}

/* 0x and K, L, M, H, R: the bits of the type itself. */
static bool raw_float(struct og_ir_reader *r, og_ir_type type, char letter, struct og_text digits, og_ir_ref *ref) {
  static const struct {
    char letter;
    uint8_t kind;
  } letters[] = {
      {'H', OG_IR_HALF}, {'R', OG_IR_BFLOAT}, {'K', OG_IR_X86_FP80}, {'L', OG_IR_FP128}, {'M', OG_IR_PPC_FP128}};
  uint8_t kind = 0;
  for (size_t i = 0; i < OG_COUNT(letters); i++)
    kind = letters[i].letter == letter ? letters[i].kind : kind;
  if (kind != og_ir_kind(r->m, type))
    return og_ir_fail_here(r, "floating point constant does not have type");
  unsigned bits = og_ir_float_bits(kind);
  uint32_t words[4] = {0};
  if (digits.size > bits / 4)
    return og_ir_fail_here(r, "constant bigger than 128 bits detected");
  if (kind == OG_IR_FP128 || kind == OG_IR_PPC_FP128) { /* the lower half is written first */
    for (size_t i = 0; i < digits.size; i++)
      multiply_add(words + (i < 16 ? 0 : 2), 2, 16, digit_of(digits.data[i]));
  } else {
    for (size_t i = 0; i < digits.size; i++)
      multiply_add(words, 4, 16, digit_of(digits.data[i]));
  }
  *ref = og_ir_wide(r->m, type, words, 4);
  return true;
}

bool og_ir_read_float(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  struct og_text text = r->lexer.text;
  if (!og_ir_is_float(r->m, type))
    return og_ir_fail_here(r, "floating point constant invalid for type");
  bool hex = text.size > 2 && text.data[1] == 'x';
  bool ok;
  if (hex && !(text.data[2] >= '0' && text.data[2] <= '9') && memchr("KLMHR", text.data[2], 5)) {
    ok = raw_float(r, type, text.data[2], (struct og_text){text.data + 3, text.size - 3}, ref);
  } else if (hex) {
    uint64_t bits = 0;
    for (size_t i = 2; i < text.size; i++)
      bits = bits << 4 | digit_of(text.data[i]);
    if (text.size > 18)
      return og_ir_fail_here(r, "constant bigger than 64 bits detected");
    ok = from_double(r, type, bits, ref);
  } else {
    char copy[512]; /* strtod() needs an end; no longer number is in use */
    if (text.size >= sizeof copy)
      return og_ir_fail_here(r, "floating point constant is too long");
    memcpy(copy, text.data, text.size);
    copy[text.size] = 0;
    double value = strtod(copy, NULL);
    uint64_t bits;
    memcpy(&bits, &value, 8);
    ok = from_double(r, type, bits, ref);
  }
  if (ok)
    og_ir_next(r);
  return ok;
}

/* ---- names ---- */

bool og_ir_read_global_ref(struct og_ir_reader *r, uint32_t space, og_ir_ref *ref) {
  bool numbered = og_ir_at(r) == OG_IR_T_GLOBAL_NUMBER;
  uint32_t number = (uint32_t)r->lexer.number, known;
  void **slot = numbered ? NULL : og_map_at(r->arena, &r->global_names, r->lexer.text);
  known = numbered ? og_ir_get_number(r, &r->global_numbers, '@', number) : (uint32_t)(uintptr_t)*slot;
  if (!known) {
    struct og_text name = r->lexer.text;
    og_ir_new_global(r->m, og_ir_name(r->m, name), space);
    known = r->m->globals.count;
    *OG_PUSH(r->arena, &r->global_places) = og_ir_here(r);
    if (numbered)
      og_ir_set_number(r, &r->global_numbers, '@', number, known);
    else
      *slot = (void *)(uintptr_t)known;
  }
  *ref = r->m->globals.items[known - 1].self;
  return true;
}

static bool global(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  og_ir_place place = og_ir_here(r);
  struct og_text text = {place, 0};
  if (og_ir_kind(r->m, type) != OG_IR_POINTER)
    return og_ir_fail_here(r, "global variable reference must have pointer type");
  if (!og_ir_read_global_ref(r, (uint32_t)og_ir_type_of(r->m, type)->count, ref))
    return false;
  og_ir_next(r);
  text.size = (size_t)(r->lexer.token - place);
  og_ir_type is = og_ir_constant_of(r->m, *ref)->type;
  while (text.size && (text.data[text.size - 1] == ' ' || text.data[text.size - 1] == ','))
    text.size--;
  return is == type || og_ir_fail(r, place, "'@%.*s' defined with type '%s' but expected '%s'",
                                  OG_TEXT_ARGS(r->m->names.items[og_ir_global_of(r->m, *ref)->name]),
                                  og_ir_type_text(r, is), og_ir_type_text(r, type));
}

static og_ir_ref forward(struct og_ir_reader *r, og_ir_type type) {
  struct og_ir_forward *f = OG_PUSH(r->arena, &r->forwards);
  *f = (struct og_ir_forward){.name = r->lexer.text, .type = type, .ref = OG_IR_NONE, .place = og_ir_here(r)};
  return OG_IR_FORWARD | (r->forwards.count - 1);
}

bool og_ir_read_local(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  bool numbered = og_ir_at(r) == OG_IR_T_LOCAL_NUMBER;
  uint32_t number = (uint32_t)r->lexer.number;
  if (!r->f)
    return og_ir_fail_here(r, "invalid use of function-local name");
  void **slot = numbered ? NULL : og_map_at(r->scratch, &r->locals, r->lexer.text);
  uint32_t known = numbered ? og_ir_get_number(r, &r->local_numbers, '%', number) : (uint32_t)(uintptr_t)*slot;
  if (!known) {
    *ref = forward(r, type);
    if (numbered)
      og_ir_set_number(r, &r->local_numbers, '%', number, *ref + 1);
    else
      *slot = (void *)(uintptr_t)(*ref + 1);
    og_ir_next(r);
    return true;
  }
  *ref = known - 1;
  bool waiting = og_ir_space(*ref) == OG_IR_LOCAL && *ref & OG_IR_FORWARD;
  og_ir_type is = waiting ? r->forwards.items[*ref & ~OG_IR_FORWARD].type : og_ir_type_of_ref(r->m, r->f, *ref);
  if (is != type)
    return type == OG_IR_LABEL
               ? og_ir_fail(r, og_ir_here(r), "'%%%.*s' is not a basic block", OG_TEXT_ARGS(r->lexer.text))
               : og_ir_fail(r, og_ir_here(r), "'%%%.*s' defined with type '%s' but expected '%s'",
                            OG_TEXT_ARGS(r->lexer.text), og_ir_type_text(r, is), og_ir_type_text(r, type));
  og_ir_next(r);
  return true;
}

/* ---- aggregates ---- */

/* Elements up to `close`, which is taken; they are on the stack from `from` on. */
static bool elements(struct og_ir_reader *r, og_ir_type of, uint8_t close, uint32_t from) {
  const struct og_ir_type_record *t = og_ir_type_of(r->m, of);
  uint64_t expected = t->kind == OG_IR_STRUCT ? t->parts : t->count;
  if (og_ir_at(r) != close)
    do {
      og_ir_place place = og_ir_here(r);
      og_ir_type type;
      og_ir_ref ref;
      if (!og_ir_read_type(r, &type, false))
        return false;
      uint32_t index = r->stack.count - from;
      if (index >= expected || type != og_ir_element(r->m, of, index))
        return og_ir_fail(r, place, index >= expected ? "initializer with struct type has wrong # elements"
                                                      : "element %u of the initializer doesn't match its type", index);
      if (!og_ir_read_constant(r, type, &ref))
        return false;
      og_ir_stack(r, ref);
    } while (og_ir_take(r, ','));
  if (r->stack.count - from != expected)
    return og_ir_fail_here(r, "initializer has the wrong number of elements");
  return og_ir_expect(r, close, "expected end of constant");
}

static bool aggregate(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  uint8_t kind = og_ir_kind(r->m, type), open = og_ir_at(r);
  bool right = open == '[' ? kind == OG_IR_ARRAY : kind == OG_IR_STRUCT || (open == '<' && og_ir_is_vector(r->m, type));
  if (!right)
    return og_ir_fail(r, og_ir_here(r), "constant expression type mismatch: got an aggregate but expected '%s'",
                      og_ir_type_text(r, type));
  uint32_t from = r->stack.count;
  og_ir_next(r);
  bool packed = open == '<' && og_ir_take(r, '{');
  if (kind == OG_IR_STRUCT && (open == '<') != packed)
    return og_ir_fail_here(r, "expected '{' in packed struct");
  if (!og_ir_enter(r) ||
      !elements(r, type, packed ? '}' : open == '[' ? ']' : open == '{' ? '}' : '>', from) ||
      (packed && !og_ir_expect(r, '>', "expected '>' in packed struct")))
    return false;
  r->depth--;
  *ref = og_ir_aggregate(r->m, type, r->stack.items + from, r->stack.count - from);
  r->stack.count = from;
  return true;
}

static bool bytes(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  og_ir_place place = og_ir_here(r);
  struct og_text text;
  og_ir_next(r);
  if (!og_ir_read_string(r, &text))
    return false;
  const struct og_ir_type_record *t = og_ir_type_of(r->m, type);
  if (t->kind != OG_IR_ARRAY || t->count != text.size || og_ir_type_of(r->m, og_ir_part(r->m, type, 0))->count != 8)
    return og_ir_fail(r, place, "constant expression type mismatch: got type '[%zu x i8]' but expected '%s'", text.size,
                      og_ir_type_text(r, type));
  *ref = og_ir_bytes(r->m, type, text);
  return true;
}

static bool splat(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  og_ir_next(r);
  og_ir_place place = og_ir_here(r);
  og_ir_type element;
  if (!og_ir_is_vector(r->m, type))
    return og_ir_fail_here(r, "vector constant must have vector type");
  if (!og_ir_expect(r, '(', "expected '(' after vector splat") || !og_ir_read_typed(r, &element, ref) ||
      !og_ir_expect(r, ')', "expected ')' at end of vector splat"))
    return false;
  if (element != og_ir_part(r->m, type, 0) || og_ir_space(*ref) != OG_IR_CONSTANT)
    return og_ir_fail(r, place, "constant expression type mismatch: got a splat of '%s' but expected '%s'",
                      og_ir_type_text(r, element), og_ir_type_text(r, type));
  uint8_t kind = og_ir_constant_of(r->m, *ref)->kind;
  if (kind == OG_IR_C_UNDEF || kind == OG_IR_C_POISON)
    *ref = og_ir_constant(r->m, (struct og_ir_constant){.kind = kind, .type = type}, NULL);
  else if (*ref == og_ir_zero(r->m, element))
    *ref = og_ir_zero(r->m, type);
  else
    *ref = og_ir_constant(r->m, (struct og_ir_constant){.kind = OG_IR_C_SPLAT, .type = type, .parts = 1}, ref);
  return true;
}

/* ---- words: true, null, undef … ---- */

static bool plain(struct og_ir_reader *r, enum og_ir_constant_kind kind, og_ir_type type, og_ir_ref *ref) {
  if (type == OG_IR_VOID || type == OG_IR_LABEL || og_ir_kind(r->m, type) == OG_IR_FUNCTION)
    return og_ir_fail_here(r, kind == OG_IR_C_UNDEF ? "invalid type for undef constant" : "invalid type for constant");
  og_ir_next(r);
  *ref = og_ir_constant(r->m, (struct og_ir_constant){.kind = (uint8_t)kind, .type = type}, NULL);
  return true;
}

static bool word(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  struct og_text text = r->lexer.text;
  const struct og_ir_type_record *t = og_ir_type_of(r->m, type);
  switch (*text.data) {
  case 'p':
    if (og_text_is(text, "poison"))
      return plain(r, OG_IR_C_POISON, type, ref);
    break;
  case 'u':
    if (og_text_is(text, "undef"))
      return plain(r, OG_IR_C_UNDEF, type, ref);
    break;
  case 't':
  case 'f':
    if (og_text_is(text, "true") || og_text_is(text, "false")) {
      if (t->kind != OG_IR_INTEGER || t->count != 1)
        return og_ir_fail(r, og_ir_here(r), "constant expression type mismatch: got type 'i1' but expected '%s'",
                          og_ir_type_text(r, type));
      *ref = og_ir_number(r->m, type, *text.data == 't');
      og_ir_next(r);
      return true;
    }
    break;
  case 'n':
    if (og_text_is(text, "null")) {
      if (t->kind != OG_IR_POINTER)
        return og_ir_fail_here(r, "null must be a pointer type");
      return plain(r, OG_IR_C_ZERO, type, ref);
    }
    if (og_text_is(text, "none")) {
      if (t->kind != OG_IR_TOKEN)
        return og_ir_fail_here(r, "invalid type for none constant");
      return plain(r, OG_IR_C_ZERO, type, ref);
    }
    break;
  case 'z':
    if (og_text_is(text, "zeroinitializer")) {
      if (type <= OG_IR_X86_AMX || t->kind == OG_IR_FUNCTION || (t->kind == OG_IR_STRUCT && t->opaque))
        return og_ir_fail_here(r, "invalid type for null constant");
      *ref = og_ir_zero(r->m, type);
      og_ir_next(r);
      return true;
    }
    break;
  case 'c':
    if (text.size == 1 && r->lexer.at < r->lexer.end && *r->lexer.at == '"')
      return bytes(r, type, ref);
    break;
  case 's':
    if (og_text_is(text, "splat"))
      return splat(r, type, ref);
    break;
  }
  return og_ir_read_expression(r, type, ref);
}

bool og_ir_read_value(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  switch (og_ir_at(r)) {
  case OG_IR_T_LOCAL:
  case OG_IR_T_LOCAL_NUMBER: return og_ir_read_local(r, type, ref);
  case OG_IR_T_GLOBAL:
  case OG_IR_T_GLOBAL_NUMBER: return global(r, type, ref);
  case OG_IR_T_INTEGER:
    if (og_ir_kind(r->m, type) != OG_IR_INTEGER)
      return og_ir_fail_here(r, "integer constant must have integer type");
    return og_ir_read_integer(r, type, ref);
  case OG_IR_T_FLOAT: return og_ir_read_float(r, type, ref);
  case OG_IR_T_WORD: return word(r, type, ref);
  case '[':
  case '{':
  case '<': return aggregate(r, type, ref);
  default: return og_ir_fail_here(r, "expected value token");
  }
}

bool og_ir_read_constant(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref) {
  og_ir_place place = og_ir_here(r);
  if (!og_ir_read_value(r, type, ref))
    return false;
  return og_ir_space(*ref) == OG_IR_CONSTANT || og_ir_fail(r, place, "expected constant");
}

bool og_ir_read_typed(struct og_ir_reader *r, og_ir_type *type, og_ir_ref *ref) {
  return og_ir_read_type(r, type, false) && og_ir_read_value(r, *type, ref);
}
