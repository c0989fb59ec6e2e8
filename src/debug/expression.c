/* expression.c - what users write of registers, lanes, memory and variables: C's operators over numbers of all types.
 *
 *   $v3  $v3[5]  $s[4:5]  $exec  $pc      registers; of a vector register the lane's, or that of a given lane
 *   $lane  $wave  $group  $gx $gy $gz  $n  where it stands; $n: instructions since the beginning
 *   $arg0                                  arguments of the kernel
 *   f32($v3)  i16(x)                       the same bits as another type
 *   lds.f32[64]  global.u32[$arg0]  scratch.u8[4]   memory, by address in bytes
 *   name  name[3]  name->member  *name     variables of the program; a symbol is its address
 *   any(x)  all(x)                         over the lanes that are on */
#include "debug/expression.h"

#include <stdarg.h>
#include <string.h>

/* ---- reading ----------------------------------------------------------------------------------------------------- */

bool og_expression_wrong(struct og_expression *reader, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!*reader->why)
    vsnprintf(reader->why, reader->why_size, format, args);
  va_end(args);
  return false;
}

void og_expression_skip(struct og_expression *reader) {
  while (*reader->at == ' ' || *reader->at == '\t')
    reader->at++;
}

bool og_expression_take(struct og_expression *reader, const char *word) {
  og_expression_skip(reader);
  size_t size = strlen(word);
  if (strncmp(reader->at, word, size) != 0)
    return false;
  reader->at += size;
  return true;
}

bool og_expression_expect(struct og_expression *reader, const char *word) {
  return og_expression_take(reader, word) ||
         og_expression_wrong(reader, "'%s' is expected at '%.20s'", word, *reader->at ? reader->at : "the end");
}

/* ---- operators --------------------------------------------------------------------------------------------------- */

static double real(const struct og_value *value) {
  return og_numeral_is_float(value->type)    ? value->f
         : og_numeral_is_signed(value->type) ? (double)value->i
                                             : (double)value->u;
}

static struct og_value whole(uint64_t bits, const struct og_value *a, const struct og_value *b) {
  bool is_unsigned = (!og_numeral_is_signed(a->type) && og_numeral_size(a->type) == 8) ||
                     (!og_numeral_is_signed(b->type) && og_numeral_size(b->type) == 8);
  return is_unsigned ? og_unsigned_value(bits) : og_signed_value(bits);
}

static bool unary(struct og_expression *reader, struct og_value *value) {
  if (reader->nesting > OG_NESTING_MOST)
    return og_expression_wrong(reader, "the expression is nested too deeply");
  og_expression_skip(reader);
  char sign = *reader->at;
  if (!sign || !strchr("-!~*&+", sign))
    return og_expression_operand(reader, value);
  reader->at++;
  reader->nesting++;
  bool fine = unary(reader, value);
  reader->nesting--;
  if (!fine)
    return false;
  bool per_lane = value->per_lane, is_float = og_numeral_is_float(value->type);
  switch (sign) {
  case '*': return og_value_element(reader, 0, value);
  case '&':
    if (!value->has_place || value->place.is_register)
      return og_expression_wrong(reader, "it has no address");
    *value = og_unsigned_value(value->place.address);
    break;
  case '-':
    *value = is_float ? (struct og_value){.type = value->type, .f = -value->f} : og_signed_value(-value->u);
    break;
  case '!': *value = og_signed_value(is_float ? value->f == 0 : value->u == 0); break;
  case '~':
    if (is_float)
      return og_expression_wrong(reader, "'~' of a float");
    *value = whole(~value->u, value, value);
    break;
  default: break;
  }
  value->per_lane = per_lane;
  return true;
}

enum operator{ MUL, DIV, MOD, ADD, SUB, SHL, SHR, LE, GE, LT, GT, EQ, NE, AND, XOR, OR, LAND, LOR };

/* Longer ones first. */
static const struct {
  const char *text;
  enum operator what;
  unsigned level;
} operators[] = {{"<<", SHL, 7},  {">>", SHR, 7}, {"<=", LE, 6}, {">=", GE, 6}, {"==", EQ, 5}, {"!=", NE, 5},
                 {"&&", LAND, 1}, {"||", LOR, 0}, {"<", LT, 6},  {">", GT, 6},  {"*", MUL, 9}, {"/", DIV, 9},
                 {"%", MOD, 9},   {"+", ADD, 8},  {"-", SUB, 8}, {"&", AND, 4}, {"^", XOR, 3}, {"|", OR, 2}};

static bool on_floats(struct og_expression *reader, enum operator what, double a, double b, struct og_value *out) {
  switch (what) {
  case MUL: *out = (struct og_value){.type = OG_AS_F64, .f = a * b}; return true;
  case DIV: *out = (struct og_value){.type = OG_AS_F64, .f = a / b}; return true;
  case ADD: *out = (struct og_value){.type = OG_AS_F64, .f = a + b}; return true;
  case SUB: *out = (struct og_value){.type = OG_AS_F64, .f = a - b}; return true;
  case LE: *out = og_signed_value(a <= b); return true;
  case GE: *out = og_signed_value(a >= b); return true;
  case LT: *out = og_signed_value(a < b); return true;
  case GT: *out = og_signed_value(a > b); return true;
  case EQ: *out = og_signed_value(a == b); return true;
  case NE: *out = og_signed_value(a != b); return true;
  case LAND: *out = og_signed_value(a != 0 && b != 0); return true;
  case LOR: *out = og_signed_value(a != 0 || b != 0); return true;
  default: return og_expression_wrong(reader, "the operator is for whole numbers");
  }
}

/* Signed as in C, but where one side is a whole 64-bit unsigned number. */
static bool on_integers(struct og_expression *reader, enum operator what, const struct og_value *a,
                        const struct og_value *b, struct og_value *out) {
  uint64_t x = a->u, y = b->u;
  bool is_unsigned = whole(0, a, b).type == OG_AS_U64;
  bool less = is_unsigned ? x < y : (int64_t)x < (int64_t)y;
  uint64_t result = 0;
  switch (what) {
  case MUL: result = x * y; break;
  case DIV:
  case MOD:
    if (y == 0)
      return og_expression_wrong(reader, "division by zero");
    if (is_unsigned || (int64_t)y == -1)
      result = is_unsigned ? (what == DIV ? x / y : x % y) : what == DIV ? -x : 0;
    else
      result = (uint64_t)(what == DIV ? (int64_t)x / (int64_t)y : (int64_t)x % (int64_t)y);
    break;
  case ADD: result = x + y; break;
  case SUB: result = x - y; break;
  case SHL: result = y < 64 ? x << y : 0; break;
  case SHR: result = y > 63 ? 0 : is_unsigned ? x >> y : (uint64_t)((int64_t)x >> y); break;
  case AND: result = x & y; break;
  case XOR: result = x ^ y; break;
  case OR: result = x | y; break;
  case LE: *out = og_signed_value(less || x == y); return true;
  case GE: *out = og_signed_value(!less); return true;
  case LT: *out = og_signed_value(less); return true;
  case GT: *out = og_signed_value(!less && x != y); return true;
  case EQ: *out = og_signed_value(x == y); return true;
  case NE: *out = og_signed_value(x != y); return true;
  case LAND: *out = og_signed_value(x && y); return true;
  case LOR: *out = og_signed_value(x || y); return true;
  }
  *out = whole(result, a, b);
  return true;
}

static bool binary(struct og_expression *reader, unsigned level, struct og_value *left) {
  if (!unary(reader, left))
    return false;
  for (;;) {
    og_expression_skip(reader);
    size_t i = 0;
    while (i < OG_COUNT(operators) && strncmp(reader->at, operators[i].text, strlen(operators[i].text)) != 0)
      i++;
    if (i == OG_COUNT(operators) || operators[i].level < level)
      return true;
    reader->at += strlen(operators[i].text);
    struct og_value right, result;
    if (!binary(reader, operators[i].level + 1, &right))
      return false;
    bool floats = og_numeral_is_float(left->type) || og_numeral_is_float(right.type);
    if (floats ? !on_floats(reader, operators[i].what, real(left), real(&right), &result)
               : !on_integers(reader, operators[i].what, left, &right, &result))
      return false;
    result.per_lane = left->per_lane || right.per_lane;
    *left = result;
  }
}

bool og_expression_value(struct og_expression *reader, struct og_value *value) {
  if (++reader->nesting > OG_NESTING_MOST)
    return og_expression_wrong(reader, "the expression is nested too deeply");
  bool fine = binary(reader, 0, value);
  reader->nesting--;
  return fine;
}

bool og_evaluate(const struct og_context *context, const char *text, const char **rest, struct og_value *value,
                 char *why, size_t why_size) {
  struct og_expression reader = {.context = context, .at = text, .why = why, .why_size = why_size};
  *why = 0;
  *value = (struct og_value){0};
  if (!og_expression_value(&reader, value))
    return false;
  og_expression_skip(&reader);
  if (rest)
    *rest = reader.at;
  return rest || !*reader.at || og_expression_wrong(&reader, "the end is expected at '%.20s'", reader.at);
}

bool og_debug_holds(struct og_debug *debug, struct og_wave *wave, const char *condition) {
  uint64_t exec = og_exec(wave) & (wave->wave_size == 32 ? UINT32_MAX : UINT64_MAX);
  char why[160];
  if (!exec)
    exec = 1;
  for (; exec; exec &= exec - 1) {
    struct og_context context = {debug, wave, (unsigned)__builtin_ctzll(exec)};
    struct og_value value;
    if (!og_evaluate(&context, condition, NULL, &value, why, sizeof why))
      return true;
    if (og_numeral_is_float(value.type) ? value.f != 0 : value.u != 0)
      return true;
    if (!value.per_lane)
      return false;
  }
  return false;
}
