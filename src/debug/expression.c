/* expression.c - what users write of registers, lanes, memory and variables: C's operators over numbers of all types.
 *
 *   $v3  $v3[5]  $s[4:5]  $exec  $pc      registers; of a vector register the lane's, or that of a given lane
 *   $lane  $wave  $group  $gx $gy $gz  $n  where it stands; $n: instructions since the beginning
 *   $arg0                                  arguments of the kernel
 *   f32($v3)  i16(x)                       the same bits as another type
 *   lds.f32[64]  global.u32[$arg0]  scratch.u8[4]   memory, by address in bytes
 *   name  name[3]  name->member  *name     variables of the program; a symbol is its address
 *   any(x)  all(x)                         over the lanes that are on */
#include "debug/value.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NESTING_MOST = 64 };

struct reader {
  const struct og_context *context;
  const char *at;
  char *why;
  size_t why_size;
  unsigned nesting;
};

static bool OG_PRINTF(2, 3) wrong(struct reader *reader, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!*reader->why)
    vsnprintf(reader->why, reader->why_size, format, args);
  va_end(args);
  return false;
}

static void skip_blanks(struct reader *reader) {
  while (*reader->at == ' ' || *reader->at == '\t')
    reader->at++;
}

static bool take(struct reader *reader, const char *word) {
  skip_blanks(reader);
  size_t size = strlen(word);
  if (strncmp(reader->at, word, size) != 0)
    return false;
  reader->at += size;
  return true;
}

static bool expect(struct reader *reader, const char *word) {
  return take(reader, word) || wrong(reader, "'%s' is expected at '%.20s'", word, *reader->at ? reader->at : "the end");
}

static struct og_text word_at(const char *at) {
  size_t size = 0;
  while (isalnum((unsigned char)at[size]) || at[size] == '_')
    size++;
  return (struct og_text){at, size};
}

static struct og_value number(uint64_t bits) { return (struct og_value){.type = OG_AS_I64, .u = bits}; }
static struct og_value unsigned_number(uint64_t bits) { return (struct og_value){.type = OG_AS_U64, .u = bits}; }

static bool expression(struct reader *reader, struct og_value *value);

static bool index_value(struct reader *reader, uint64_t *index) {
  struct og_value value;
  if (!expression(reader, &value))
    return false;
  *index = value.u;
  return !og_numeral_is_float(value.type) || wrong(reader, "a whole number is expected in []");
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* The number that stands at value->place. */
static bool load_place(struct reader *reader, enum og_numeral type, struct og_value *value) {
  uint8_t bytes[OG_WATCH_MOST] = {0};
  struct og_watched place = value->place;
  bool per_lane = value->per_lane;
  if (!og_watched_read(reader->context->debug, &place, bytes))
    return wrong(reader, place.space == OG_SPACE_LDS       ? "0x%llx is not in the work-group's LDS"
                         : place.space == OG_SPACE_SCRATCH ? "0x%llx is not in the work-item's scratch"
                                                           : "0x%llx is in no buffer that kernels may read",
                 (unsigned long long)place.address);
  *value = og_value_load(type, bytes);
  value->place = place;
  value->has_place = true;
  value->per_lane = per_lane;
  return true;
}

static bool at_memory(struct reader *reader, enum og_space space, enum og_numeral type, uint64_t address, bool per_lane,
                      struct og_value *value) {
  const struct og_context *context = reader->context;
  if (!context->wave && space != OG_SPACE_GLOBAL)
    return wrong(reader, "no wave is there, so neither is its %s", space == OG_SPACE_LDS ? "LDS" : "scratch");
  *value = (struct og_value){.per_lane = per_lane || space == OG_SPACE_SCRATCH};
  value->place = (struct og_watched){.space = space, .lane = context->lane, .address = address,
                                     .size = og_numeral_size(type), .one_lane = true};
  if (context->wave)
    value->place.owner = og_wave_name(context->wave);
  return load_place(reader, type, value);
}

/* ---- registers --------------------------------------------------------------------------------------------------- */

static bool at_register(struct reader *reader, struct og_register reg, struct og_value *value) {
  const struct og_context *context = reader->context;
  bool vector = reg.kind == OG_REGISTER_VECTOR, one = false;
  uint64_t lane = context->lane;
  if (vector && *reader->at == '[') {
    reader->at++;
    one = true;
    if (!index_value(reader, &lane) || !expect(reader, "]"))
      return false;
    if (lane >= context->wave->wave_size)
      return wrong(reader, "lane %llu: waves have %u", (unsigned long long)lane, context->wave->wave_size);
  }
  if (reg.dwords > 2)
    return wrong(reader, "one register or two are expected: more are no number");
  *value = (struct og_value){.per_lane = vector && !one};
  value->place = (struct og_watched){.is_register = true, .reg = reg, .one_lane = true, .lane = (unsigned)lane,
                                     .owner = og_wave_name(context->wave), .size = 4u * reg.dwords};
  return load_place(reader, reg.dwords == 2 ? OG_AS_U64 : OG_AS_U32, value);
}

/* "s[4:5]" behind its letter. */
static bool register_range(struct reader *reader, struct og_text letter, struct og_register *reg) {
  char name[8];
  uint64_t first, last;
  if (*reader->at != '[' || letter.size != 1 || !strchr("sva", *letter.data))
    return false;
  const char *start = reader->at++;
  if (!index_value(reader, &first))
    return false;
  last = first;
  if (take(reader, ":") && !index_value(reader, &last))
    return false;
  snprintf(name, sizeof name, "%c%u", *letter.data, (unsigned)(first & 0xfff));
  if (!expect(reader, "]") || last < first || last - first > 1 ||
      !og_register_find(reader->context->wave, og_text(name), reg))
    return wrong(reader, "no registers '%.12s'", start - 1);
  reg->dwords = (uint8_t)(last - first + 1);
  return true;
}

static bool kernel_argument(struct reader *reader, struct og_text name, struct og_value *value) {
  const struct og_debug_target *target = &reader->context->debug->target;
  uint64_t which = strtoull(name.data + 3, NULL, 10);
  uint32_t seen = 0;
  for (uint32_t i = 0; i < target->kernel->arg_count; i++) {
    const struct og_kernel_arg *arg = &target->kernel->args[i];
    if (og_kernel_arg_hidden(arg) || seen++ != which)
      continue;
    uint64_t bits = 0;
    memcpy(&bits, (const uint8_t *)target->kernarg + arg->offset, OG_MIN(arg->size, 8u));
    *value = arg->size <= 4 ? (struct og_value){.type = OG_AS_U32, .u = bits} : unsigned_number(bits);
    return true;
  }
  return wrong(reader, "no argument '%.*s': the metadata tells of %u", OG_TEXT_ARGS(name), seen);
}

/* Behind the '$'. */
static bool dollar(struct reader *reader, struct og_value *value) {
  const struct og_context *context = reader->context;
  const struct og_wave *wave = context->wave;
  struct og_text name = word_at(reader->at);
  reader->at += name.size;
  if (og_text_is(name, "n"))
    return *value = unsigned_number(context->debug->position), true;
  if (name.size > 3 && strncmp(name.data, "arg", 3) == 0 && isdigit((unsigned char)name.data[3]))
    return kernel_argument(reader, name, value);
  if (!wave)
    return wrong(reader, "no wave is there: the kernel does not run");
  struct og_register reg;
  if (og_text_is(name, "pc")) {
    *value = unsigned_number(og_debug_pc(context->debug, wave));
  } else if (og_text_is(name, "lane")) {
    *value = number(context->lane);
    value->per_lane = true;
  } else if (og_text_is(name, "wave")) {
    *value = number(wave->id);
  } else if (og_text_is(name, "group")) {
    *value = number(wave->group->index);
  } else if (name.size == 2 && name.data[0] == 'g' && name.data[1] >= 'x' && name.data[1] <= 'z') {
    *value = number(wave->group->id[name.data[1] - 'x']);
  } else if (register_range(reader, name, &reg) || og_register_find(wave, name, &reg)) {
    return at_register(reader, reg, value);
  } else {
    return wrong(reader, "no register '$%.*s'", OG_TEXT_ARGS(name));
  }
  return true;
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

/* What a value of that shape is, at an address. */
static bool at_shape(struct reader *reader, Dwarf_Die *shape, enum og_space space, uint64_t address, bool per_lane,
                     struct og_value *value) {
  enum og_numeral type;
  struct og_value found = {.type = OG_AS_U64, .has_shape = true, .shape = *shape, .per_lane = per_lane, .has_place = true};
  found.size = (uint32_t)OG_MIN(og_shape_size(shape), sizeof found.bytes);
  found.place = (struct og_watched){.space = space, .lane = reader->context->lane, .address = address, .one_lane = true,
                                    .size = found.size};
  if (reader->context->wave)
    found.place.owner = og_wave_name(reader->context->wave);
  if (!og_watched_read(reader->context->debug, &found.place, found.bytes))
    return wrong(reader, "0x%llx cannot be read", (unsigned long long)address);
  if (og_shape_number(shape, &type)) {
    struct og_value loaded = og_value_load(type, found.bytes);
    found.type = type;
    found.u = loaded.u;
  } else {
    memcpy(&found.u, found.bytes, OG_MIN(found.size, 8u));
  }
  *value = found;
  return true;
}

/* Pointers of 4 bytes lead to LDS, or to scratch where that is where they stand... the debug information of OpenCL does
 * not say; of 8 they are flat. */
static bool element(struct reader *reader, uint64_t index, struct og_value *value) {
  Dwarf_Die shape = value->shape, inner;
  bool pointer;
  uint64_t count;
  if (!value->has_shape || !og_shape_element(&shape, &inner, &pointer, &count))
    return wrong(reader, "neither array nor pointer");
  uint64_t size = og_shape_size(&inner);
  if (pointer) {
    enum og_space space = og_shape_size(&shape) == 4 ? OG_SPACE_LDS : OG_SPACE_GLOBAL;
    return at_shape(reader, &inner, space, value->u + index * size, value->per_lane, value);
  }
  if (index >= count)
    return wrong(reader, "element %llu of %llu", (unsigned long long)index, (unsigned long long)count);
  if (!value->has_place || value->place.is_register)
    return wrong(reader, "the array is in no memory");
  return at_shape(reader, &inner, value->place.space, value->place.address + index * size, value->per_lane, value);
}

static bool member(struct reader *reader, bool arrow, struct og_value *value) {
  skip_blanks(reader);
  struct og_text name = word_at(reader->at);
  Dwarf_Die type;
  uint64_t offset;
  reader->at += name.size;
  if (arrow && !element(reader, 0, value))
    return false;
  Dwarf_Die shape = value->shape;
  if (!value->has_shape || !og_shape_member(&shape, name, &type, &offset))
    return wrong(reader, "no member '%.*s'", OG_TEXT_ARGS(name));
  if (!value->has_place || value->place.is_register)
    return wrong(reader, "the struct is in no memory");
  return at_shape(reader, &type, value->place.space, value->place.address + offset, value->per_lane, value);
}

static bool variable(struct reader *reader, struct og_text name, struct og_value *value) {
  enum { MOST = 128 };
  struct og_variable *variables = calloc(MOST, sizeof *variables);
  uint32_t count = variables ? og_variables(reader->context, variables, MOST) : 0, i = 0;
  while (i < count && !og_text_is(name, variables[i].name))
    i++;
  bool fine = false, found = i < count;
  if (found)
    fine = og_variable_value(reader->context, &variables[i], value) ||
           wrong(reader, "'%.*s' has no place here: it was optimised away", OG_TEXT_ARGS(name));
  free(variables);
  uint64_t address, size;
  struct og_register reg;
  if (found)
    return fine;
  if (reader->context->wave && og_register_find(reader->context->wave, name, &reg))
    return at_register(reader, reg, value);
  if (og_executable_symbol(reader->context->debug->target.executable, name, &address, &size))
    return *value = unsigned_number(address), true;
  return wrong(reader, "no variable, register or symbol '%.*s'", OG_TEXT_ARGS(name));
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* "lds.f32[ADDRESS]" behind "lds". */
static bool memory(struct reader *reader, enum og_space space, struct og_value *value) {
  struct og_value address;
  enum og_numeral type = OG_AS_U32;
  if (take(reader, ".")) {
    struct og_text name = word_at(reader->at);
    if (!og_numeral_find(name, &type))
      return wrong(reader, "no type '%.*s': u8, i16, f32 and so on are there", OG_TEXT_ARGS(name));
    reader->at += name.size;
  }
  if (!expect(reader, "[") || !expression(reader, &address) || !expect(reader, "]"))
    return false;
  return at_memory(reader, space, type, address.u, address.per_lane, value);
}

static bool cast(struct reader *reader, enum og_numeral type, struct og_value *value) {
  struct og_value inner;
  uint8_t bytes[8];
  if (!expect(reader, "(") || !expression(reader, &inner) || !expect(reader, ")"))
    return false;
  og_value_store(&inner, inner.type, bytes);
  if (!inner.has_place && og_numeral_is_float(type) != og_numeral_is_float(inner.type))
    og_value_store(&inner, type, bytes); /* a number that was worked out is converted */
  *value = og_value_load(type, bytes);
  value->per_lane = inner.per_lane;
  value->has_place = inner.has_place && inner.place.size >= og_numeral_size(type);
  value->place = inner.place;
  return true;
}

/* Over the lanes that are on. */
static bool over_lanes(struct reader *reader, bool all, struct og_value *value) {
  const struct og_context *context = reader->context;
  uint64_t exec = context->wave ? og_exec(context->wave) : 1;
  const char *start = reader->at;
  bool result = all;
  if (context->wave && context->wave->wave_size == 32)
    exec &= UINT32_MAX;
  for (unsigned lane = 0; lane < 64; lane++) {
    if (!(exec >> lane & 1))
      continue;
    struct og_context inner = *context;
    struct reader again = *reader;
    struct og_value one;
    inner.lane = lane;
    again.context = &inner;
    again.at = start;
    if (!expect(&again, "(") || !expression(&again, &one) || !expect(&again, ")"))
      return false;
    bool holds = og_numeral_is_float(one.type) ? one.f != 0 : one.u != 0;
    result = all ? result && holds : result || holds;
    reader->at = again.at;
  }
  *value = number(result);
  return exec != 0 || wrong(reader, "no lane is on");
}

static bool literal(struct reader *reader, struct og_value *value) {
  char *whole, *real;
  uint64_t bits = strtoull(reader->at, &whole, 0);
  double fraction = strtod(reader->at, &real);
  bool hex = reader->at[0] == '0' && (reader->at[1] | 32) == 'x';
  if (real > whole && !hex) {
    *value = (struct og_value){.type = OG_AS_F64, .f = fraction};
    reader->at = real;
  } else {
    *value = number(bits);
    reader->at = whole;
  }
  if (*reader->at == 'f' || *reader->at == 'u' || *reader->at == 'U')
    reader->at++;
  return true;
}

static bool word(struct reader *reader, struct og_value *value) {
  static const struct { const char *name; enum og_space space; } spaces[] = {
      {"lds", OG_SPACE_LDS}, {"global", OG_SPACE_GLOBAL}, {"scratch", OG_SPACE_SCRATCH}};
  struct og_text name = word_at(reader->at);
  const char *behind = reader->at + name.size;
  enum og_numeral type;
  for (size_t i = 0; i < OG_COUNT(spaces); i++)
    if (og_text_is(name, spaces[i].name) && (*behind == '.' || *behind == '[')) {
      reader->at = behind;
      return memory(reader, spaces[i].space, value);
    }
  if (!name.size)
    return wrong(reader, *reader->at ? "a value is expected at '%.20s'" : "a value is expected%s", reader->at);
  reader->at = behind;
  if (*behind == '(' && og_numeral_find(name, &type))
    return cast(reader, type, value);
  if (*behind == '(' && (og_text_is(name, "any") || og_text_is(name, "all")))
    return over_lanes(reader, *name.data == 'a' && name.data[1] == 'l', value);
  return variable(reader, name, value);
}

static bool primary(struct reader *reader, struct og_value *value) {
  skip_blanks(reader);
  bool fine;
  if (*reader->at == '(') {
    reader->at++;
    fine = expression(reader, value) && expect(reader, ")");
  } else if (*reader->at == '$') {
    reader->at++;
    fine = dollar(reader, value);
  } else if (isdigit((unsigned char)*reader->at) || (*reader->at == '.' && isdigit((unsigned char)reader->at[1]))) {
    fine = literal(reader, value);
  } else {
    fine = word(reader, value);
  }
  for (uint64_t index; fine;) {
    if (value->has_shape && take(reader, "["))
      fine = index_value(reader, &index) && expect(reader, "]") && element(reader, index, value);
    else if (value->has_shape && take(reader, "->"))
      fine = member(reader, true, value);
    else if (value->has_shape && take(reader, "."))
      fine = member(reader, false, value);
    else
      break;
  }
  return fine;
}

/* ---- operators --------------------------------------------------------------------------------------------------- */

static double real(const struct og_value *value) {
  return og_numeral_is_float(value->type) ? value->f : og_numeral_is_signed(value->type) ? (double)value->i : (double)value->u;
}

static struct og_value whole(uint64_t bits, const struct og_value *a, const struct og_value *b) {
  bool is_unsigned = (!og_numeral_is_signed(a->type) && og_numeral_size(a->type) == 8) ||
                     (!og_numeral_is_signed(b->type) && og_numeral_size(b->type) == 8);
  return is_unsigned ? unsigned_number(bits) : number(bits);
}

static bool unary(struct reader *reader, struct og_value *value) {
  if (reader->nesting > NESTING_MOST)
    return wrong(reader, "the expression is nested too deeply");
  skip_blanks(reader);
  char sign = *reader->at;
  if (!sign || !strchr("-!~*&+", sign))
    return primary(reader, value);
  reader->at++;
  reader->nesting++;
  bool fine = unary(reader, value);
  reader->nesting--;
  if (!fine)
    return false;
  bool per_lane = value->per_lane, is_float = og_numeral_is_float(value->type);
  switch (sign) {
  case '*': return element(reader, 0, value);
  case '&':
    if (!value->has_place || value->place.is_register)
      return wrong(reader, "it has no address");
    *value = unsigned_number(value->place.address);
    break;
  case '-': *value = is_float ? (struct og_value){.type = value->type, .f = -value->f} : number(-value->u); break;
  case '!': *value = number(is_float ? value->f == 0 : value->u == 0); break;
  case '~':
    if (is_float)
      return wrong(reader, "'~' of a float");
    *value = whole(~value->u, value, value);
    break;
  default: break;
  }
  value->per_lane = per_lane;
  return true;
}

enum operator { MUL, DIV, MOD, ADD, SUB, SHL, SHR, LE, GE, LT, GT, EQ, NE, AND, XOR, OR, LAND, LOR };

/* Longer ones first. */
static const struct { const char *text; enum operator what; unsigned level; } operators[] = {
    {"<<", SHL, 7}, {">>", SHR, 7}, {"<=", LE, 6}, {">=", GE, 6}, {"==", EQ, 5}, {"!=", NE, 5}, {"&&", LAND, 1},
    {"||", LOR, 0}, {"<", LT, 6},   {">", GT, 6},  {"*", MUL, 9}, {"/", DIV, 9}, {"%", MOD, 9}, {"+", ADD, 8},
    {"-", SUB, 8},  {"&", AND, 4},  {"^", XOR, 3}, {"|", OR, 2}};

static bool on_floats(struct reader *reader, enum operator what, double a, double b, struct og_value *out) {
  switch (what) {
  case MUL: *out = (struct og_value){.type = OG_AS_F64, .f = a * b}; return true;
  case DIV: *out = (struct og_value){.type = OG_AS_F64, .f = a / b}; return true;
  case ADD: *out = (struct og_value){.type = OG_AS_F64, .f = a + b}; return true;
  case SUB: *out = (struct og_value){.type = OG_AS_F64, .f = a - b}; return true;
  case LE: *out = number(a <= b); return true;
  case GE: *out = number(a >= b); return true;
  case LT: *out = number(a < b); return true;
  case GT: *out = number(a > b); return true;
  case EQ: *out = number(a == b); return true;
  case NE: *out = number(a != b); return true;
  case LAND: *out = number(a != 0 && b != 0); return true;
  case LOR: *out = number(a != 0 || b != 0); return true;
  default: return wrong(reader, "the operator is for whole numbers");
  }
}

/* Signed as in C, but where one side is a whole 64-bit unsigned number. */
static bool on_integers(struct reader *reader, enum operator what, const struct og_value *a, const struct og_value *b,
                        struct og_value *out) {
  uint64_t x = a->u, y = b->u;
  bool is_unsigned = whole(0, a, b).type == OG_AS_U64;
  bool less = is_unsigned ? x < y : (int64_t)x < (int64_t)y;
  uint64_t result = 0;
  switch (what) {
  case MUL: result = x * y; break;
  case DIV: case MOD:
    if (y == 0)
      return wrong(reader, "division by zero");
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
  case LE: *out = number(less || x == y); return true;
  case GE: *out = number(!less); return true;
  case LT: *out = number(less); return true;
  case GT: *out = number(!less && x != y); return true;
  case EQ: *out = number(x == y); return true;
  case NE: *out = number(x != y); return true;
  case LAND: *out = number(x && y); return true;
  case LOR: *out = number(x || y); return true;
  }
  *out = whole(result, a, b);
  return true;
}

static bool binary(struct reader *reader, unsigned level, struct og_value *left) {
  if (!unary(reader, left))
    return false;
  for (;;) {
    skip_blanks(reader);
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

static bool expression(struct reader *reader, struct og_value *value) {
  if (++reader->nesting > NESTING_MOST)
    return wrong(reader, "the expression is nested too deeply");
  bool fine = binary(reader, 0, value);
  reader->nesting--;
  return fine;
}

bool og_evaluate(const struct og_context *context, const char *text, const char **rest, struct og_value *value,
                 char *why, size_t why_size) {
  struct reader reader = {.context = context, .at = text, .why = why, .why_size = why_size};
  *why = 0;
  *value = (struct og_value){0};
  if (!expression(&reader, value))
    return false;
  skip_blanks(&reader);
  if (rest)
    *rest = reader.at;
  return rest || !*reader.at || wrong(&reader, "the end is expected at '%.20s'", reader.at);
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
