/* read_types.c - types in IR's text. Typed pointers, as LLVM up to 15 writes them, are read as `ptr`. */
#include "ir/reader.h"

static og_ir_type integer(struct og_ir_reader *r, uint32_t bits) {
  if (bits >= OG_COUNT(r->integers))
    return og_ir_integer(r->m, bits);
  if (!r->integers[bits])
    r->integers[bits] = og_ir_integer(r->m, bits);
  return r->integers[bits];
}

static og_ir_type pointer(struct og_ir_reader *r, uint32_t space) {
  if (space >= OG_COUNT(r->pointers))
    return og_ir_pointer(r->m, space);
  if (!r->pointers[space])
    r->pointers[space] = og_ir_pointer(r->m, space);
  return r->pointers[space];
}

bool og_ir_read_address_space(struct og_ir_reader *r, uint32_t *space, uint32_t otherwise) {
  *space = otherwise;
  if (!og_ir_take_word(r, "addrspace"))
    return true;
  if (!og_ir_expect(r, '(', "expected '(' in address space"))
    return false;
  og_ir_place place = og_ir_here(r);
  if (og_ir_at(r) == OG_IR_T_STRING) { /* a named one, by the data layout */
    struct og_text name = r->lexer.text;
    if (og_text_is(name, "A"))
      *space = r->alloca_space;
    else if (og_text_is(name, "G"))
      *space = r->globals_space;
    else if (og_text_is(name, "P"))
      *space = r->program_space;
    else
      return og_ir_fail(r, place, "invalid symbolic addrspace '%.*s'", OG_TEXT_ARGS(name));
    og_ir_next(r);
  } else if (!og_ir_read_u32(r, space)) {
    return false;
  }
  if (*space >= 1 << 24)
    return og_ir_fail(r, place, "invalid address space, must be a 24-bit integer");
  return og_ir_expect(r, ')', "expected ')' in address space");
}

/* iN; false: the word is something else. */
static bool integer_bits(struct og_text word, uint64_t *bits) {
  *bits = 0;
  for (size_t i = 1; i < word.size; i++) {
    if (word.data[i] < '0' || word.data[i] > '9')
      return false;
    *bits = OG_MIN(*bits * 10 + (uint64_t)(word.data[i] - '0'), (uint64_t)1 << 40);
  }
  return word.size > 1 && word.data[0] == 'i';
}

/* ---- identified structs ---- */

static og_ir_type named(struct og_ir_reader *r) {
  bool numbered = og_ir_at(r) == OG_IR_T_LOCAL_NUMBER;
  uint32_t number = (uint32_t)r->lexer.number;
  struct og_text name = r->lexer.text;
  void **slot = numbered ? NULL : og_map_at(r->arena, &r->type_names, name);
  uint32_t known = numbered ? og_ir_get_number(r, &r->type_numbers, 'T', number) : (uint32_t)(uintptr_t)*slot;
  if (known)
    return known - 1;
  og_ir_type type = og_ir_identified(r->m, numbered ? 0 : og_ir_name(r->m, name));
  if (numbered)
    og_ir_set_number(r, &r->type_numbers, 'T', number, type + 1);
  else
    *slot = (void *)(uintptr_t)(type + 1);
  while (r->type_places.count <= type)
    *OG_PUSH(r->arena, &r->type_places) = NULL;
  r->type_places.items[type] = og_ir_here(r);
  return type;
}

/* Elements up to a closing bracket, which is taken; leaves `count` numbers on the stack. */
static bool elements(struct og_ir_reader *r, uint32_t *count) {
  uint32_t from = r->stack.count;
  if (!og_ir_take(r, '}'))
    do {
      og_ir_place place = og_ir_here(r);
      og_ir_type element;
      if (!og_ir_read_type(r, &element, false))
        return false;
      uint8_t kind = og_ir_kind(r->m, element);
      if (kind <= OG_IR_TOKEN || kind == OG_IR_FUNCTION)
        return og_ir_fail(r, place, "invalid element type for struct");
      og_ir_stack(r, element);
    } while (og_ir_take(r, ','));
  *count = r->stack.count - from;
  return *count == 0 ? true : og_ir_expect(r, '}', "expected '}' at end of struct");
}

static bool read_struct(struct og_ir_reader *r, bool packed, og_ir_type *type) {
  uint32_t count, from = r->stack.count;
  og_ir_next(r);
  if (!elements(r, &count))
    return false;
  *type = og_ir_struct(r->m, r->stack.items + from, count, packed);
  r->stack.count = from;
  return true;
}

bool og_ir_define_type(struct og_ir_reader *r) {
  og_ir_place place = og_ir_here(r);
  bool numbered = og_ir_at(r) == OG_IR_T_LOCAL_NUMBER;
  if (numbered && r->lexer.number < r->next_type)
    return og_ir_fail(r, place, "type expected to be numbered '%%%u' or greater", r->next_type);
  if (numbered)
    r->next_type = (uint32_t)r->lexer.number + 1;
  og_ir_type type = named(r);
  og_ir_next(r);
  if (!og_ir_expect(r, '=', "expected '=' after name") || !og_ir_expect_word(r, "type"))
    return false;
  if (!r->type_places.items[type])
    return og_ir_fail(r, place, "redefinition of type");
  r->type_places.items[type] = NULL;
  if (og_ir_take_word(r, "opaque"))
    return true;
  bool packed = og_ir_at(r) == '<';
  og_ir_place body = og_ir_here(r);
  if (packed)
    og_ir_next(r);
  if (og_ir_at(r) != '{')
    return og_ir_fail(r, body, "forward references to non-struct type");
  og_ir_next(r);
  uint32_t count, from = r->stack.count;
  if (!elements(r, &count) || (packed && !og_ir_expect(r, '>', "expected '>' in packed struct")))
    return false;
  og_ir_set_body(r->m, type, r->stack.items + from, count, packed);
  r->stack.count = from;
  return true;
}

/* ---- sequences, functions, target types ---- */

static bool sequence(struct og_ir_reader *r, bool vector, og_ir_type *type) {
  bool scalable = vector && og_ir_take_word(r, "vscale");
  if (scalable && !og_ir_expect_word(r, "x"))
    return false;
  og_ir_place place = og_ir_here(r);
  uint64_t count;
  if (og_ir_at(r) != OG_IR_T_INTEGER || r->lexer.negative || r->lexer.large)
    return og_ir_fail_here(r, "expected number in address space");
  if (!og_ir_read_u64(r, &count) || !og_ir_expect_word(r, "x"))
    return false;
  og_ir_place at = og_ir_here(r);
  og_ir_type element;
  if (!og_ir_read_type(r, &element, false))
    return false;
  if (!og_ir_expect(r, vector ? '>' : ']', "expected end of sequential type"))
    return false;
  uint8_t kind = og_ir_kind(r->m, element);
  if (!vector) {
    if (kind <= OG_IR_TOKEN || kind == OG_IR_FUNCTION)
      return og_ir_fail(r, at, "invalid array element type");
    *type = og_ir_sequence(r->m, OG_IR_ARRAY, element, count);
    return true;
  }
  if (!count)
    return og_ir_fail(r, place, "zero element vector is illegal");
  if (count > UINT32_MAX)
    return og_ir_fail(r, place, "size too large for vector");
  if (kind != OG_IR_INTEGER && kind != OG_IR_POINTER && !og_ir_is_float(r->m, element))
    return og_ir_fail(r, at, "invalid vector element type");
  *type = og_ir_sequence(r->m, scalable ? OG_IR_SCALABLE : OG_IR_VECTOR, element, count);
  return true;
}

static bool target_type(struct og_ir_reader *r, og_ir_type *type) {
  struct og_text name;
  og_ir_next(r);
  if (!og_ir_expect(r, '(', "expected '(' in target extension type") || !og_ir_read_string(r, &name))
    return false;
  uint32_t from = r->stack.count, types = 0, numbers = 0;
  while (og_ir_take(r, ',')) {
    uint32_t part;
    bool number = og_ir_at(r) == OG_IR_T_INTEGER;
    if (!number && numbers)
      return og_ir_fail_here(r, "expected uint32 param");
    if (number ? !og_ir_read_u32(r, &part) : !og_ir_read_type(r, &part, true))
      return false;
    og_ir_stack(r, part);
    *(number ? &numbers : &types) += 1;
  }
  if (!og_ir_expect(r, ')', "expected ')' in target extension type"))
    return false;
  *type = og_ir_target_type(r->m, name, r->stack.items + from, types, r->stack.items + from + types, numbers);
  r->stack.count = from;
  return true;
}

static bool function_type(struct og_ir_reader *r, og_ir_type *type) {
  uint32_t from = r->stack.count;
  bool variadic = false;
  og_ir_next(r);
  while (og_ir_at(r) != ')') {
    if (og_ir_take(r, OG_IR_T_ELLIPSIS)) {
      variadic = true;
      break;
    }
    og_ir_place place = og_ir_here(r);
    og_ir_type parameter;
    if (!og_ir_read_type(r, &parameter, false))
      return false;
    if (og_ir_kind(r->m, parameter) == OG_IR_FUNCTION)
      return og_ir_fail(r, place, "invalid type for function argument");
    og_ir_stack(r, parameter);
    if (!og_ir_take(r, ','))
      break;
  }
  if (!og_ir_expect(r, ')', "expected ')' at end of argument list"))
    return false;
  *type = og_ir_function_type(r->m, *type, r->stack.items + from, r->stack.count - from, variadic);
  r->stack.count = from;
  return true;
}

static bool simple(struct og_ir_reader *r, og_ir_type *type) {
  uint64_t bits;
  if (integer_bits(r->lexer.text, &bits)) {
    if (!bits || bits > OG_IR_MOST_BITS)
      return og_ir_fail_here(r, "bitwidth for integer type out of range");
    *type = integer(r, (uint32_t)bits);
    og_ir_next(r);
    return true;
  }
  if (og_ir_take_word(r, "ptr")) {
    uint32_t space;
    if (!og_ir_read_address_space(r, &space, 0))
      return false;
    *type = pointer(r, space);
    return og_ir_at(r) != '*' || og_ir_fail_here(r, "ptr* is invalid - use ptr instead");
  }
  if (og_ir_at_word(r, "target"))
    return target_type(r, type);
  int64_t word = og_ir_take_class(r, OG_IR_W_TYPE);
  *type = (og_ir_type)word;
  return word >= 0 || og_ir_fail_here(r, "expected type");
}

static bool beginning(struct og_ir_reader *r, og_ir_type *type) {
  switch (og_ir_at(r)) {
  case OG_IR_T_WORD: return simple(r, type);
  case OG_IR_T_LOCAL:
  case OG_IR_T_LOCAL_NUMBER:
    *type = named(r);
    og_ir_next(r);
    return true;
  case '{': return read_struct(r, false, type);
  case '[': og_ir_next(r); return sequence(r, false, type);
  case '<':
    og_ir_next(r);
    if (og_ir_at(r) == '{')
      return read_struct(r, true, type) && og_ir_expect(r, '>', "expected '>' at end of packed struct");
    return sequence(r, true, type);
  default: return og_ir_fail_here(r, "expected type");
  }
}

bool og_ir_read_type(struct og_ir_reader *r, og_ir_type *type, bool allow_void) {
  og_ir_place place = og_ir_here(r);
  if (!og_ir_enter(r) || !beginning(r, type))
    return false;
  for (;; allow_void = allow_void && *type == OG_IR_VOID) {
    bool spaced = og_ir_at_word(r, "addrspace") && og_ir_kind(r->m, *type) != OG_IR_POINTER;
    if (og_ir_at(r) == '*' || spaced) { /* a typed pointer */
      uint32_t space;
      if (*type == OG_IR_VOID || *type == OG_IR_LABEL || *type == OG_IR_METADATA_TYPE)
        return og_ir_fail_here(r, *type == OG_IR_VOID ? "pointers to void are invalid - use i8* instead"
                                                      : "pointer to this type is invalid");
      if (!og_ir_read_address_space(r, &space, 0) || !og_ir_expect(r, '*', "expected '*' in address space"))
        return false;
      *type = pointer(r, space);
    } else if (og_ir_at_word(r, "addrspace")) { /* T addrspace(1)* addrspace(3)* */
      const char *ahead = r->lexer.at;
      while (ahead < r->lexer.end && *ahead != ')' && *ahead != '\n')
        ahead++;
      if (ahead + 1 >= r->lexer.end || ahead[1] != '*')
        break;
      uint32_t space;
      if (!og_ir_read_address_space(r, &space, 0) || !og_ir_expect(r, '*', "expected '*' in address space"))
        return false;
      *type = pointer(r, space);
    } else if (og_ir_at(r) == '(') {
      if (*type == OG_IR_LABEL || *type == OG_IR_METADATA_TYPE || og_ir_kind(r->m, *type) == OG_IR_FUNCTION)
        return og_ir_fail_here(r, "invalid function return type");
      if (!function_type(r, type))
        return false;
    } else {
      break;
    }
  }
  r->depth--;
  return allow_void || *type != OG_IR_VOID || og_ir_fail(r, place, "void type only allowed for function results");
}

/* ---- no struct may contain itself: one walk down each ------------------------------------------------------------ */

enum { NEW, OPEN, CLOSED };

static bool walk(struct og_ir_reader *r, uint8_t *states, og_ir_type type, unsigned depth) {
  const struct og_ir_type_record *t = og_ir_type_of(r->m, type);
  if ((t->kind != OG_IR_STRUCT && t->kind != OG_IR_ARRAY) || states[type] == CLOSED)
    return true;
  if (states[type] == OPEN || depth > 4 * OG_IR_DEEPEST)
    return false;
  states[type] = OPEN;
  for (uint32_t i = 0; i < t->parts; i++)
    if (!walk(r, states, og_ir_part(r->m, type, i), depth + 1))
      return false;
  states[type] = CLOSED;
  return true;
}

bool og_ir_check_types(struct og_ir_reader *r) {
  uint8_t *states = OG_NEW_ARRAY(r->scratch, uint8_t, r->m->types.count);
  for (uint32_t i = 0; i < r->m->types.count; i++) {
    const struct og_ir_type_record *type = &r->m->types.items[i];
    if (i < r->type_places.count && type->identified && r->type_places.items[i])
      return og_ir_fail(r, r->type_places.items[i], "use of undefined type '%s'", og_ir_type_text(r, i));
    if (type->identified && !walk(r, states, i, 0))
      return og_ir_fail(r, r->source.text, "identified structure type '%s' is recursive", og_ir_type_text(r, i) + 1);
  }
  return true;
}
