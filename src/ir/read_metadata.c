/* read_metadata.c - metadata in IR's text: strings, tuples, nodes of debug information, attachments. */
#include "ir/reader.h"

#include <string.h>

static uint32_t numbered(struct og_ir_reader *r) {
  uint32_t number = (uint32_t)r->lexer.number;
  uint32_t known = og_ir_get_number(r, &r->metadata_numbers, '!', number);
  if (!known) {
    known = og_ir_metadata_new(r->m, OG_IR_M_UNDEFINED) + 1;
    og_ir_set_number(r, &r->metadata_numbers, '!', number, known);
    while (r->metadata_places.count < known)
      *OG_PUSH(r->arena, &r->metadata_places) = NULL;
    r->metadata_places.items[known - 1] = og_ir_here(r);
  }
  return known - 1;
}

/* ---- fields of debug information's nodes ---- */

/* DIFlagA | DIFlagB, or a number. */
static bool read_flags(struct og_ir_reader *r, enum og_ir_words class, uint64_t *value) {
  *value = 0;
  do {
    if (og_ir_at(r) == OG_IR_T_INTEGER) {
      uint32_t number;
      if (!og_ir_read_u32(r, &number))
        return false;
      *value |= number;
      continue;
    }
    int64_t flag = og_ir_take_class(r, class);
    if (flag < 0)
      return og_ir_fail_here(r, "expected debug info flag");
    *value |= (uint64_t)flag;
  } while (og_ir_take(r, '|'));
  return true;
}

static bool read_word_or_number(struct og_ir_reader *r, enum og_ir_words class, uint64_t *value) {
  if (og_ir_at(r) == OG_IR_T_INTEGER)
    return og_ir_read_u64(r, value);
  int64_t word = og_ir_take_class(r, class);
  *value = (uint64_t)word;
  return word >= 0 || og_ir_fail(r, og_ir_here(r), "invalid word '%.*s' in a field of debug information",
                                 OG_TEXT_ARGS(r->lexer.text));
}

static bool read_node_or_null(struct og_ir_reader *r, uint64_t *value) {
  uint32_t node;
  *value = 0;
  if (og_ir_take_word(r, "null"))
    return true;
  if (!og_ir_read_metadata(r, &node))
    return false;
  *value = (uint64_t)node + 1;
  return true;
}

static bool read_signed(struct og_ir_reader *r, uint64_t *value) {
  if (og_ir_at(r) != OG_IR_T_INTEGER || r->lexer.large)
    return og_ir_fail_here(r, "expected signed integer");
  *value = r->lexer.negative ? -r->lexer.number : r->lexer.number;
  og_ir_next(r);
  return true;
}

static bool read_field(struct og_ir_reader *r, uint8_t type, uint64_t *value) {
  struct og_text text;
  switch (type) {
  case OG_IR_FT_UNSIGNED: return og_ir_read_u64(r, value);
  case OG_IR_FT_PLUS_ONE:
    if (!og_ir_read_u64(r, value))
      return false;
    ++*value;
    return true;
  case OG_IR_FT_SIGNED: return read_signed(r, value);
  case OG_IR_FT_BOOL:
    *value = og_ir_at_word(r, "true");
    return og_ir_take_word(r, "true") || og_ir_take_word(r, "false") ||
           og_ir_fail_here(r, "expected 'true' or 'false'");
  case OG_IR_FT_NODE: return read_node_or_null(r, value);
  case OG_IR_FT_STRING:
    if (!og_ir_read_string(r, &text))
      return false;
    *value = text.size ? (uint64_t)og_ir_metadata_string(r->m, text) + 1 : 0;
    return true;
  case OG_IR_FT_BOUND: /* a number is an i64 */
    if (og_ir_at(r) != OG_IR_T_INTEGER)
      return read_node_or_null(r, value);
    if (!read_signed(r, value))
      return false;
    *value = (uint64_t)og_ir_metadata_value(r->m, og_ir_number(r->m, og_ir_integer(r->m, 64), *value)) + 1;
    return true;
  case OG_IR_FT_TAG: return read_word_or_number(r, OG_IR_W_TAG, value);
  case OG_IR_FT_ENCODING: return read_word_or_number(r, OG_IR_W_ENCODING, value);
  case OG_IR_FT_LANGUAGE: return read_word_or_number(r, OG_IR_W_LANGUAGE, value);
  case OG_IR_FT_CONVENTION: return read_word_or_number(r, OG_IR_W_CC, value);
  case OG_IR_FT_MACINFO: return read_word_or_number(r, OG_IR_W_MACINFO, value);
  case OG_IR_FT_CHECKSUM: return read_word_or_number(r, OG_IR_W_CHECKSUM, value);
  case OG_IR_FT_EMISSION: return read_word_or_number(r, OG_IR_W_EMISSION, value);
  case OG_IR_FT_NAME_TABLE: return read_word_or_number(r, OG_IR_W_NAME_TABLE, value);
  case OG_IR_FT_FLAGS: return read_flags(r, OG_IR_W_DI_FLAGS, value);
  default: return read_flags(r, OG_IR_W_SUBPROGRAM_FLAGS, value);
  }
}

/* Older versions had fields for what SPFlags say now: isLocal, isDefinition, isOptimized, virtuality. */
static bool old_subprogram_field(struct og_ir_reader *r, struct og_text name, uint64_t *flags, bool *taken) {
  static const struct {
    const char *name;
    unsigned flag;
  } fields[] = {{"isLocal", 4}, {"isDefinition", 8}, {"isOptimized", 16}};
  *taken = false;
  for (size_t i = 0; i < OG_COUNT(fields); i++)
    if (og_text_is(name, fields[i].name)) {
      *taken = true;
      *flags |= og_ir_at_word(r, "true") ? fields[i].flag : 0;
      return og_ir_take_word(r, "true") || og_ir_take_word(r, "false") ||
             og_ir_fail_here(r, "expected 'true' or 'false'");
    }
  return true;
}

static bool read_fields(struct og_ir_reader *r, uint8_t kind, uint64_t *values) {
  const struct og_ir_field *fields = og_ir_node_row(kind)->fields;
  uint32_t seen = 0;
  if (og_ir_take(r, ')'))
    return true;
  do {
    struct og_text name = r->lexer.text;
    og_ir_place place = og_ir_here(r);
    if (!og_ir_expect(r, OG_IR_T_LABEL, "expected field label here"))
      return false;
    unsigned i = 0;
    while (fields[i].name && !og_text_is(name, fields[i].name))
      i++;
    if (!fields[i].name) {
      bool taken = false;
      if (kind == OG_IR_M_SUBPROGRAM && !old_subprogram_field(r, name, &values[11], &taken))
        return false;
      if (!taken)
        return og_ir_fail(r, place, "invalid field '%.*s'", OG_TEXT_ARGS(name));
      continue;
    }
    if (seen & 1u << i)
      return og_ir_fail(r, place, "field '%.*s' cannot be specified more than once", OG_TEXT_ARGS(name));
    seen |= 1u << i;
    if (!read_field(r, fields[i].type, &values[i]))
      return false;
  } while (og_ir_take(r, ','));
  return og_ir_expect(r, ')', "expected ')' here");
}

static bool read_expression(struct og_ir_reader *r, uint32_t *node) {
  uint32_t from = r->stack.count;
  if (!og_ir_take(r, ')')) {
    do {
      uint64_t value = 0;
      if (og_ir_at(r) == OG_IR_T_WORD) {
        int64_t word = og_ir_word(r->words, OG_IR_W_OPERATION, r->lexer.text);
        if (word < 0)
          word = og_ir_word(r->words, OG_IR_W_ENCODING, r->lexer.text);
        if (word < 0)
          return og_ir_fail(r, og_ir_here(r), "invalid DWARF op '%.*s'", OG_TEXT_ARGS(r->lexer.text));
        value = (uint64_t)word;
        og_ir_next(r);
      } else if (!og_ir_read_u64(r, &value)) {
        return false;
      }
      og_ir_stack(r, (uint32_t)value);
      og_ir_stack(r, (uint32_t)(value >> 32));
    } while (og_ir_take(r, ','));
    if (!og_ir_expect(r, ')', "expected ')' here"))
      return false;
  }
  uint64_t values[64], *all = values;
  uint32_t count = (r->stack.count - from) / 2;
  if (count > OG_COUNT(values))
    all = OG_NEW_ARRAY(r->arena, uint64_t, count);
  for (uint32_t i = 0; i < count; i++)
    all[i] = r->stack.items[from + i * 2] | (uint64_t)r->stack.items[from + i * 2 + 1] << 32;
  r->stack.count = from;
  *node = og_ir_metadata_expression(r->m, all, count);
  return true;
}

/* !DIWhat(field: value, …); `into` is the numbered node that it defines, or UINT32_MAX. */
static bool read_special(struct og_ir_reader *r, bool distinct, uint32_t into, uint32_t *node) {
  og_ir_place place = og_ir_here(r);
  struct og_text name = r->lexer.text;
  og_ir_next(r);
  bool expression = og_text_is(name, "DIExpression");
  int64_t kind = expression ? OG_IR_M_EXPRESSION : og_ir_word(r->words, OG_IR_W_NODE, name);
  if (kind < 0)
    return og_ir_fail(r, place, og_text_is(name, "DIArgList") ? "expected DIArgList only as a debug record's value"
                                                              : "metadata '!%.*s' is not handled", OG_TEXT_ARGS(name));
  if (!og_ir_expect(r, '(', "expected '(' here"))
    return false;
  if (expression) {
    if (!read_expression(r, node))
      return false;
    if (into != UINT32_MAX) { /* the number is another name for the same node */
      r->m->metadata.items[into] = r->m->metadata.items[*node];
      *node = into;
    }
    return true;
  }
  const struct og_ir_field *fields = og_ir_node_row((uint8_t)kind)->fields;
  uint64_t values[32];
  uint32_t count = 0;
  for (; fields[count].name; count++)
    values[count] = og_ir_field_default(&fields[count]);
  if (!og_ir_enter(r) || !read_fields(r, (uint8_t)kind, values))
    return false;
  r->depth--;
  *node = into == UINT32_MAX ? og_ir_metadata_new(r->m, (enum og_ir_metadata_kind)kind) : into;
  og_ir_metadata_fields(r->m, *node, (enum og_ir_metadata_kind)kind, values, count);
  r->m->metadata.items[*node].distinct = distinct;
  return true;
}

/* !{…} at its brace. */
static bool read_tuple(struct og_ir_reader *r, bool distinct, uint32_t into, uint32_t *node) {
  uint32_t from = r->stack.count;
  og_ir_next(r);
  if (!og_ir_enter(r))
    return false;
  if (!og_ir_take(r, '}')) {
    do {
      uint64_t part;
      if (!read_node_or_null(r, &part))
        return false;
      og_ir_stack(r, (uint32_t)part);
    } while (og_ir_take(r, ','));
    if (!og_ir_expect(r, '}', "expected end of metadata node"))
      return false;
  }
  r->depth--;
  uint32_t count = r->stack.count - from;
  *node = into == UINT32_MAX ? og_ir_metadata_new(r->m, OG_IR_M_TUPLE) : into;
  uint32_t first = og_ir_pool_list(r->m, r->stack.items + from, count);
  r->m->metadata.items[*node] =
      (struct og_ir_metadata){.kind = OG_IR_M_TUPLE, .distinct = distinct, .first = first, .parts = count};
  r->stack.count = from;
  return true;
}

static bool read_value(struct og_ir_reader *r, uint32_t *node) {
  og_ir_type type;
  og_ir_ref ref;
  og_ir_place place = og_ir_here(r);
  if (!og_ir_read_type(r, &type, false))
    return false;
  if (type == OG_IR_METADATA_TYPE)
    return og_ir_fail(r, place, "invalid metadata-value-metadata roundtrip");
  if (!og_ir_read_constant(r, type, &ref))
    return false;
  *node = og_ir_metadata_value(r->m, ref);
  return true;
}

bool og_ir_read_metadata(struct og_ir_reader *r, uint32_t *node) {
  switch (og_ir_at(r)) {
  case OG_IR_T_METADATA_NUMBER:
    *node = numbered(r);
    og_ir_next(r);
    return true;
  case OG_IR_T_METADATA: return read_special(r, false, UINT32_MAX, node);
  case '!': {
    og_ir_next(r);
    if (og_ir_at(r) == '{')
      return read_tuple(r, false, UINT32_MAX, node);
    struct og_text text;
    if (!og_ir_read_string(r, &text))
      return false;
    *node = og_ir_metadata_string(r->m, text);
    return true;
  }
  default: return read_value(r, node);
  }
}

/* An argument of a call, or the place that a debug intrinsic describes: also a value of the function. */
bool og_ir_read_metadata_operand(struct og_ir_reader *r, og_ir_ref *ref) {
  uint8_t at = og_ir_at(r);
  if (at != '!' && at != OG_IR_T_METADATA && at != OG_IR_T_METADATA_NUMBER) {
    og_ir_type type;
    og_ir_place place = og_ir_here(r);
    if (!og_ir_read_typed(r, &type, ref))
      return false;
    if (og_ir_space(*ref) == OG_IR_LOCAL)
      return r->allow_local_metadata || og_ir_fail(r, place, "a value of the function as metadata is handled in debug "
                                                             "records alone");
    *ref = OG_IR_METADATA | og_ir_metadata_value(r->m, *ref);
    return true;
  }
  uint32_t node;
  if (!og_ir_read_metadata(r, &node))
    return false;
  *ref = OG_IR_METADATA | node;
  return true;
}

bool og_ir_define_metadata(struct og_ir_reader *r) {
  uint32_t node = numbered(r);
  if (r->m->metadata.items[node].kind != OG_IR_M_UNDEFINED)
    return og_ir_fail_here(r, "metadata id is already used");
  og_ir_next(r);
  if (!og_ir_expect(r, '=', "expected '=' here"))
    return false;
  if (og_ir_at(r) == OG_IR_T_WORD && !og_ir_at_word(r, "distinct"))
    return og_ir_fail_here(r, "unexpected type in metadata definition");
  bool distinct = og_ir_take_word(r, "distinct");
  uint32_t made;
  if (og_ir_at(r) == OG_IR_T_METADATA)
    return read_special(r, distinct, node, &made);
  if (!og_ir_expect(r, '!', "expected '!' here"))
    return false;
  if (og_ir_at(r) != '{')
    return og_ir_fail_here(r, "expected '{' here");
  return read_tuple(r, distinct, node, &made);
}

bool og_ir_define_named_metadata(struct og_ir_reader *r) {
  struct og_text name = r->lexer.text;
  uint32_t from = r->stack.count;
  og_ir_next(r);
  if (!og_ir_expect(r, '=', "expected '=' here") || !og_ir_expect(r, '!', "expected '!' here") ||
      !og_ir_expect(r, '{', "expected '{' here"))
    return false;
  if (!og_ir_take(r, '}')) {
    do {
      uint32_t node;
      if (og_ir_at(r) != OG_IR_T_METADATA_NUMBER && og_ir_at(r) != OG_IR_T_METADATA)
        return og_ir_fail_here(r, "expected '!' here");
      if (!og_ir_read_metadata(r, &node))
        return false;
      og_ir_stack(r, node);
    } while (og_ir_take(r, ','));
    if (!og_ir_expect(r, '}', "expected end of metadata node"))
      return false;
  }
  struct og_ir_named_metadata named = {.name = og_ir_name(r->m, name), .parts = r->stack.count - from};
  named.first = og_ir_pool_list(r->m, r->stack.items + from, named.parts);
  r->stack.count = from;
  *OG_PUSH(r->arena, &r->m->named_metadata) = named;
  return true;
}

/* ---- attachments ---- */

bool og_ir_read_attachments(struct og_ir_reader *r, uint32_t *location) {
  bool commas = location != NULL; /* of instructions */
  while (og_ir_at(r) == OG_IR_T_METADATA) {
    bool debug = og_text_is(r->lexer.text, "dbg");
    uint32_t kind = debug ? 0 : og_ir_metadata_kind(r->m, r->lexer.text), node;
    og_ir_next(r);
    if (!og_ir_read_metadata(r, &node))
      return false;
    if (debug && location) {
      *location = node + 1;
    } else {
      og_ir_stack(r, kind);
      og_ir_stack(r, node);
    }
    if (commas && !og_ir_take(r, ','))
      break;
  }
  return true;
}
