/* operands.c - what expressions are about: registers, memory, variables of the program, numbers. */
#include "debug/expression.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct og_text word_at(const char *at) {
  size_t size = 0;
  while (isalnum((unsigned char)at[size]) || at[size] == '_')
    size++;
  return (struct og_text){at, size};
}

static bool index_value(struct og_expression *reader, uint64_t *index) {
  struct og_value value;
  if (!og_expression_value(reader, &value))
    return false;
  *index = value.u;
  return !og_numeral_is_float(value.type) || og_expression_wrong(reader, "a whole number is expected in []");
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* The number that stands at value->place. */
static bool load_place(struct og_expression *reader, enum og_numeral type, struct og_value *value) {
  uint8_t bytes[OG_WATCH_MOST] = {0};
  struct og_watched place = value->place;
  bool per_lane = value->per_lane;
  if (!og_watched_read(reader->context->debug, &place, bytes))
    return og_expression_wrong(reader,
                               place.space == OG_SPACE_LDS       ? "0x%llx is not in the work-group's LDS"
                               : place.space == OG_SPACE_SCRATCH ? "0x%llx is not in the work-item's scratch"
                                                                 : "0x%llx is in no buffer that kernels may read",
                               (unsigned long long)place.address);
  *value = og_value_load(type, bytes);
  value->place = place;
  value->has_place = true;
  value->per_lane = per_lane;
  return true;
}

static bool at_memory(struct og_expression *reader, enum og_space space, enum og_numeral type, uint64_t address,
                      bool per_lane, struct og_value *value) {
  const struct og_context *context = reader->context;
  if (!context->wave && space != OG_SPACE_GLOBAL)
    return og_expression_wrong(reader, "no wave is there, so neither is its %s",
                               space == OG_SPACE_LDS ? "LDS" : "scratch");
  *value = (struct og_value){.per_lane = per_lane || space == OG_SPACE_SCRATCH};
  value->place = (struct og_watched){
      .space = space, .lane = context->lane, .address = address, .size = og_numeral_size(type), .one_lane = true};
  if (context->wave)
    value->place.owner = og_wave_name(context->wave);
  return load_place(reader, type, value);
}

/* ---- registers --------------------------------------------------------------------------------------------------- */

static bool at_register(struct og_expression *reader, struct og_register reg, struct og_value *value) {
  const struct og_context *context = reader->context;
  bool vector = reg.kind == OG_REGISTER_VECTOR, one = false;
  uint64_t lane = context->lane;
  if (vector && *reader->at == '[') {
    reader->at++;
    one = true;
    if (!index_value(reader, &lane) || !og_expression_expect(reader, "]"))
      return false;
    if (lane >= context->wave->wave_size)
      return og_expression_wrong(reader, "lane %llu: waves have %u", (unsigned long long)lane,
                                 context->wave->wave_size);
  }
  if (reg.dwords > 2)
    return og_expression_wrong(reader, "one register or two are expected: more are no number");
  *value = (struct og_value){.per_lane = vector && !one};
  value->place = (struct og_watched){.is_register = true,
                                     .reg = reg,
                                     .one_lane = true,
                                     .lane = (unsigned)lane,
                                     .owner = og_wave_name(context->wave),
                                     .size = 4u * reg.dwords};
  return load_place(reader, reg.dwords == 2 ? OG_AS_U64 : OG_AS_U32, value);
}

/* "s[4:5]" behind its letter. */
static bool register_range(struct og_expression *reader, struct og_text letter, struct og_register *reg) {
  char name[8];
  uint64_t first, last;
  if (*reader->at != '[' || letter.size != 1 || !strchr("sva", *letter.data))
    return false;
  const char *start = reader->at++;
  if (!index_value(reader, &first))
    return false;
  last = first;
  if (og_expression_take(reader, ":") && !index_value(reader, &last))
    return false;
  snprintf(name, sizeof name, "%c%u", *letter.data, (unsigned)(first & 0xfff));
  if (!og_expression_expect(reader, "]") || last < first || last - first > 1 ||
      !og_register_find(reader->context->wave, og_text(name), reg))
    return og_expression_wrong(reader, "no registers '%.12s'", start - 1);
  reg->dwords = (uint8_t)(last - first + 1);
  return true;
}

static bool kernel_argument(struct og_expression *reader, struct og_text name, struct og_value *value) {
  const struct og_debug_target *target = &reader->context->debug->target;
  uint64_t which = strtoull(name.data + 3, NULL, 10);
  uint32_t seen = 0;
  for (uint32_t i = 0; i < target->kernel->arg_count; i++) {
    const struct og_kernel_arg *arg = &target->kernel->args[i];
    if (og_kernel_arg_hidden(arg) || seen++ != which)
      continue;
    uint64_t bits = 0;
    memcpy(&bits, (const uint8_t *)target->kernarg + arg->offset, OG_MIN(arg->size, 8u));
    *value = arg->size <= 4 ? (struct og_value){.type = OG_AS_U32, .u = bits} : og_unsigned_value(bits);
    return true;
  }
  return og_expression_wrong(reader, "no argument '%.*s': the metadata tells of %u", OG_TEXT_ARGS(name), seen);
}

/* Behind the '$'. */
static bool dollar(struct og_expression *reader, struct og_value *value) {
  const struct og_context *context = reader->context;
  const struct og_wave *wave = context->wave;
  struct og_text name = word_at(reader->at);
  reader->at += name.size;
  if (og_text_is(name, "n"))
    return *value = og_unsigned_value(context->debug->position), true;
  if (name.size > 3 && strncmp(name.data, "arg", 3) == 0 && isdigit((unsigned char)name.data[3]))
    return kernel_argument(reader, name, value);
  if (!wave)
    return og_expression_wrong(reader, "no wave is there: the kernel does not run");
  struct og_register reg;
  if (og_text_is(name, "pc")) {
    *value = og_unsigned_value(og_debug_pc(context->debug, wave));
  } else if (og_text_is(name, "lane")) {
    *value = og_signed_value(context->lane);
    value->per_lane = true;
  } else if (og_text_is(name, "wave")) {
    *value = og_signed_value(wave->id);
  } else if (og_text_is(name, "group")) {
    *value = og_signed_value(wave->group->index);
  } else if (name.size == 2 && name.data[0] == 'g' && name.data[1] >= 'x' && name.data[1] <= 'z') {
    *value = og_signed_value(wave->group->id[name.data[1] - 'x']);
  } else if (register_range(reader, name, &reg) || og_register_find(wave, name, &reg)) {
    return at_register(reader, reg, value);
  } else {
    return og_expression_wrong(reader, "no register '$%.*s'", OG_TEXT_ARGS(name));
  }
  return true;
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

/* What a value of that shape is, at an address. */
static bool at_shape(struct og_expression *reader, Dwarf_Die *shape, enum og_space space, uint64_t address,
                     bool per_lane, struct og_value *value) {
  enum og_numeral type;
  struct og_value found = {
      .type = OG_AS_U64, .has_shape = true, .shape = *shape, .per_lane = per_lane, .has_place = true};
  found.size = (uint32_t)OG_MIN(og_shape_size(shape), sizeof found.bytes);
  found.place = (struct og_watched){
      .space = space, .lane = reader->context->lane, .address = address, .one_lane = true, .size = found.size};
  if (reader->context->wave)
    found.place.owner = og_wave_name(reader->context->wave);
  if (!og_watched_read(reader->context->debug, &found.place, found.bytes))
    return og_expression_wrong(reader, "0x%llx cannot be read", (unsigned long long)address);
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

/* Pointers of 4 bytes are taken to lead to LDS: the debug information of OpenCL does not say; of 8 they are flat. */
bool og_value_element(struct og_expression *reader, uint64_t index, struct og_value *value) {
  Dwarf_Die shape = value->shape, inner;
  bool pointer;
  uint64_t count;
  if (!value->has_shape || !og_shape_element(&shape, &inner, &pointer, &count))
    return og_expression_wrong(reader, "neither array nor pointer");
  uint64_t size = og_shape_size(&inner);
  if (pointer) {
    enum og_space space = og_shape_size(&shape) == 4 ? OG_SPACE_LDS : OG_SPACE_GLOBAL;
    return at_shape(reader, &inner, space, value->u + index * size, value->per_lane, value);
  }
  if (index >= count)
    return og_expression_wrong(reader, "element %llu of %llu", (unsigned long long)index, (unsigned long long)count);
  if (!value->has_place || value->place.is_register)
    return og_expression_wrong(reader, "the array is in no memory");
  return at_shape(reader, &inner, value->place.space, value->place.address + index * size, value->per_lane, value);
}

static bool member(struct og_expression *reader, bool arrow, struct og_value *value) {
  og_expression_skip(reader);
  struct og_text name = word_at(reader->at);
  Dwarf_Die type;
  uint64_t offset;
  reader->at += name.size;
  if (arrow && !og_value_element(reader, 0, value))
    return false;
  Dwarf_Die shape = value->shape;
  if (!value->has_shape || !og_shape_member(&shape, name, &type, &offset))
    return og_expression_wrong(reader, "no member '%.*s'", OG_TEXT_ARGS(name));
  if (!value->has_place || value->place.is_register)
    return og_expression_wrong(reader, "the struct is in no memory");
  return at_shape(reader, &type, value->place.space, value->place.address + offset, value->per_lane, value);
}

static bool variable(struct og_expression *reader, struct og_text name, struct og_value *value) {
  enum { MOST = 128 };
  struct og_variable *variables = calloc(MOST, sizeof *variables);
  uint32_t count = variables ? og_variables(reader->context, variables, MOST) : 0, i = 0;
  while (i < count && !og_text_is(name, variables[i].name))
    i++;
  bool fine = false, found = i < count;
  if (found)
    fine = og_variable_value(reader->context, &variables[i], value) ||
           og_expression_wrong(reader, "'%.*s' has no place here: it was optimised away", OG_TEXT_ARGS(name));
  free(variables);
  uint64_t address, size;
  struct og_register reg;
  if (found)
    return fine;
  if (reader->context->wave && og_register_find(reader->context->wave, name, &reg))
    return at_register(reader, reg, value);
  if (og_executable_symbol(reader->context->debug->target.executable, name, &address, &size))
    return *value = og_unsigned_value(address), true;
  return og_expression_wrong(reader, "no variable, register or symbol '%.*s'", OG_TEXT_ARGS(name));
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* "lds.f32[ADDRESS]" behind "lds". */
static bool memory(struct og_expression *reader, enum og_space space, struct og_value *value) {
  struct og_value address;
  enum og_numeral type = OG_AS_U32;
  if (og_expression_take(reader, ".")) {
    struct og_text name = word_at(reader->at);
    if (!og_numeral_find(name, &type))
      return og_expression_wrong(reader, "no type '%.*s': u8, i16, f32 and so on are there", OG_TEXT_ARGS(name));
    reader->at += name.size;
  }
  if (!og_expression_expect(reader, "[") || !og_expression_value(reader, &address) ||
      !og_expression_expect(reader, "]"))
    return false;
  return at_memory(reader, space, type, address.u, address.per_lane, value);
}

static bool cast(struct og_expression *reader, enum og_numeral type, struct og_value *value) {
  struct og_value inner;
  uint8_t bytes[8];
  if (!og_expression_expect(reader, "(") || !og_expression_value(reader, &inner) || !og_expression_expect(reader, ")"))
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
static bool over_lanes(struct og_expression *reader, bool all, struct og_value *value) {
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
    struct og_expression again = *reader;
    struct og_value one;
    inner.lane = lane;
    again.context = &inner;
    again.at = start;
    if (!og_expression_expect(&again, "(") || !og_expression_value(&again, &one) || !og_expression_expect(&again, ")"))
      return false;
    bool holds = og_numeral_is_float(one.type) ? one.f != 0 : one.u != 0;
    result = all ? result && holds : result || holds;
    reader->at = again.at;
  }
  *value = og_signed_value(result);
  return exec != 0 || og_expression_wrong(reader, "no lane is on");
}

static bool literal(struct og_expression *reader, struct og_value *value) {
  char *whole, *real;
  uint64_t bits = strtoull(reader->at, &whole, 0);
  double fraction = strtod(reader->at, &real);
  bool hex = reader->at[0] == '0' && (reader->at[1] | 32) == 'x';
  if (real > whole && !hex) {
    *value = (struct og_value){.type = OG_AS_F64, .f = fraction};
    reader->at = real;
  } else {
    *value = og_signed_value(bits);
    reader->at = whole;
  }
  if (*reader->at == 'f' || *reader->at == 'u' || *reader->at == 'U')
    reader->at++;
  return true;
}

static bool word(struct og_expression *reader, struct og_value *value) {
  static const struct {
    const char *name;
    enum og_space space;
  } spaces[] = {{"lds", OG_SPACE_LDS}, {"global", OG_SPACE_GLOBAL}, {"scratch", OG_SPACE_SCRATCH}};
  struct og_text name = word_at(reader->at);
  const char *behind = reader->at + name.size;
  enum og_numeral type;
  for (size_t i = 0; i < OG_COUNT(spaces); i++)
    if (og_text_is(name, spaces[i].name) && (*behind == '.' || *behind == '[')) {
      reader->at = behind;
      return memory(reader, spaces[i].space, value);
    }
  if (!name.size)
    return og_expression_wrong(reader, *reader->at ? "a value is expected at '%.20s'" : "a value is expected%s",
                               reader->at);
  reader->at = behind;
  if (*behind == '(' && og_numeral_find(name, &type))
    return cast(reader, type, value);
  if (*behind == '(' && (og_text_is(name, "any") || og_text_is(name, "all")))
    return over_lanes(reader, *name.data == 'a' && name.data[1] == 'l', value);
  return variable(reader, name, value);
}

bool og_expression_operand(struct og_expression *reader, struct og_value *value) {
  og_expression_skip(reader);
  bool fine;
  if (*reader->at == '(') {
    reader->at++;
    fine = og_expression_value(reader, value) && og_expression_expect(reader, ")");
  } else if (*reader->at == '$') {
    reader->at++;
    fine = dollar(reader, value);
  } else if (isdigit((unsigned char)*reader->at) || (*reader->at == '.' && isdigit((unsigned char)reader->at[1]))) {
    fine = literal(reader, value);
  } else {
    fine = word(reader, value);
  }
  for (uint64_t index; fine;) {
    if (value->has_shape && og_expression_take(reader, "["))
      fine = index_value(reader, &index) && og_expression_expect(reader, "]") && og_value_element(reader, index, value);
    else if (value->has_shape && og_expression_take(reader, "->"))
      fine = member(reader, true, value);
    else if (value->has_shape && og_expression_take(reader, "."))
      fine = member(reader, false, value);
    else
      break;
  }
  return fine;
}
