/* read_format.c - the reader's operations by the formats of ops.def. */
#include "xegpu/reader.h"

#include <string.h>

static bool read_element(struct og_mlir_reader *r, struct og_mlir_state *s, uint32_t *at);

static og_mlir_types *types_of(struct og_mlir_state *s, uint8_t group) { return &s->types[group]; }

/* A keyword of an enum kind as its attribute: a number where MLIR keeps one. */
static og_mlir_attr keyword_attr(struct og_mlir_reader *r, uint8_t kind) {
  const char *name;
  bool number;
  const char *keywords = og_mlir_keywords(kind, &name, &number);
  struct og_text word = r->lexer.text;
  int64_t index = 0;
  if (og_mlir_at(r) == OG_MLIR_TOK_WORD || og_mlir_at(r) == OG_MLIR_TOK_STRING)
    for (const char *at = keywords; *at; index++) {
      size_t size = strcspn(at, " ");
      if (og_text_equal((struct og_text){at, size}, word)) {
        og_mlir_next(r);
        return number ? og_mlir_int(r->in, index, og_mlir_integer(r->in, 64, OG_MLIR_SIGNLESS))
                      : og_mlir_enum(r->in, name, word);
      }
      at += size + (at[size] == ' ');
    }
  return og_mlir_fail(r, "expected string or keyword containing one of the following enum values: %s", keywords), NULL;
}

static og_mlir_attr read_value(struct og_mlir_reader *r, uint8_t kind) {
  const char *name;
  bool number;
  if (og_mlir_keywords(kind, &name, &number) &&
      (og_mlir_at(r) == OG_MLIR_TOK_WORD || og_mlir_at(r) == OG_MLIR_TOK_STRING || kind == OG_MLIR_A_combining))
    return keyword_attr(r, kind);
  switch (kind) {
  case OG_MLIR_A_i64: return og_mlir_read_attr(r, og_mlir_integer(r->in, 64, OG_MLIR_SIGNLESS));
  case OG_MLIR_A_i32: return og_mlir_read_attr(r, og_mlir_integer(r->in, 32, OG_MLIR_SIGNLESS));
  case OG_MLIR_A_index: return og_mlir_read_attr(r, og_mlir_simple(r->in, OG_MLIR_INDEX));
  case OG_MLIR_A_i64s: return og_mlir_read_int_list(r, 64);
  case OG_MLIR_A_i32s: return og_mlir_read_int_list(r, 32);
  case OG_MLIR_A_sym:
    if (og_mlir_at(r) != OG_MLIR_TOK_SYMBOL)
      return og_mlir_fail(r, "expected valid '@'-identifier for symbol name"), NULL;
    struct og_text text = r->lexer.text;
    og_mlir_next(r);
    return og_mlir_text(r->in, OG_MLIR_STRING, text);
  case OG_MLIR_A_ref:
  case OG_MLIR_A_flat:
    if (og_mlir_at(r) != OG_MLIR_TOK_SYMBOL)
      return og_mlir_fail(r, "expected '@'-identifier"), NULL;
    return og_mlir_read_attr(r, NULL);
  case OG_MLIR_A_str:
    if (og_mlir_at(r) != OG_MLIR_TOK_STRING)
      return og_mlir_fail(r, "expected string attribute"), NULL;
    return og_mlir_read_attr(r, NULL);
  default: return og_mlir_read_attr(r, NULL);
  }
}

bool og_mlir_read_attribute_of(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t index) {
  const struct og_mlir_row_attribute *attribute = &s->row->attributes[index];
  if (attribute->kind == OG_MLIR_A_unit) { /* the word before stands for it */
    og_mlir_set(r, s, og_arena_copy(r->arena, attribute->name.data, attribute->name.size),
                og_mlir_text(r->in, OG_MLIR_UNIT, (struct og_text){0}));
    return true;
  }
  og_mlir_attr value = read_value(r, attribute->kind);
  if (value)
    og_mlir_set(r, s, og_arena_copy(r->arena, attribute->name.data, attribute->name.size), value);
  return value;
}

/* [%a, 4, %b]: values, and numbers where they are known. */
static bool read_dynamic(struct og_mlir_reader *r, struct og_mlir_state *s, const struct og_mlir_element *e) {
  OG_VECTOR(int64_t) constants = {0};
  const char *name =
      og_arena_copy(r->arena, s->row->attributes[e->second].name.data, s->row->attributes[e->second].name.size);
  if (!og_mlir_expect(r, '['))
    return false;
  if (!og_mlir_take(r, ']')) {
    do {
      int64_t *constant = OG_PUSH(r->arena, &constants);
      *constant = OG_MLIR_DYNAMIC;
      if (og_mlir_at(r) == OG_MLIR_TOK_VALUE) {
        if (!og_mlir_read_use(r, &s->uses[e->index]))
          return false;
      } else if (og_mlir_at(r) != OG_MLIR_TOK_INT && og_mlir_at(r) != '-') {
        return og_mlir_fail(r, "expected SSA value or integer");
      } else if (!og_mlir_read_i64(r, constant)) {
        return false;
      }
    } while (og_mlir_take(r, ','));
    if (!og_mlir_expect(r, ']'))
      return false;
  }
  og_mlir_set(r, s, name, og_mlir_dense_i64(r->in, constants.items, constants.count));
  return true;
}

/* overflow<nsw, nuw> */
static bool read_flags(struct og_mlir_reader *r, struct og_mlir_state *s, const struct og_mlir_element *e) {
  const char *name;
  bool number;
  const struct og_mlir_row_attribute *attribute = &s->row->attributes[e->index];
  og_mlir_keywords(attribute->kind, &name, &number);
  struct og_text text = OG_TEXT("none");
  if (og_mlir_at_literal(r, e->text)) {
    og_mlir_next(r);
    if (og_mlir_at(r) != '<')
      return og_mlir_expect(r, '<');
    og_mlir_next(r);
    const char *from = r->lexer.token, *end = from;
    do {
      if (og_mlir_at(r) != OG_MLIR_TOK_WORD)
        return og_mlir_fail(r, "expected a flag");
      end = r->lexer.at;
      og_mlir_next(r);
    } while (og_mlir_take(r, ','));
    text = (struct og_text){from, (size_t)(end - from)};
    if (!og_mlir_expect(r, '>'))
      return false;
  }
  og_mlir_set(r, s, og_arena_copy(r->arena, attribute->name.data, attribute->name.size),
              og_mlir_enum(r->in, name, text));
  return true;
}

static bool read_types(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t group) {
  const struct og_mlir_group *g =
      group < s->row->operand_groups ? &s->row->operands[group] : &s->row->results[group - s->row->operand_groups];
  if (g->arity == OG_MLIR_VARIADIC)
    return og_mlir_read_type_list(r, types_of(s, group));
  og_mlir_type type = og_mlir_read_type(r);
  if (type)
    *OG_PUSH(r->arena, types_of(s, group)) = type;
  return type;
}

/* Types of all operands in their order, one list. */
static bool spread_types(struct og_mlir_reader *r, struct og_mlir_state *s, const og_mlir_types *types) {
  uint32_t at = 0, count = 0;
  for (uint32_t g = 0; g < s->row->operand_groups; g++)
    count += s->uses[g].count;
  if (count != types->count)
    return og_mlir_fail_at(r, s->offset, "number of operands and types do not match: got %u operands and %u types",
                           count, types->count);
  for (uint32_t g = 0; g < s->row->operand_groups; g++)
    for (uint32_t i = 0; i < s->uses[g].count; i++)
      *OG_PUSH(r->arena, types_of(s, (uint8_t)g)) = types->items[at++];
  return true;
}

static bool spread_results(struct og_mlir_reader *r, struct og_mlir_state *s, const og_mlir_types *types) {
  const struct og_mlir_row *row = s->row;
  if (row->result_groups == 0 ? types->count > 0
                              : row->results[0].arity != OG_MLIR_VARIADIC && types->count != row->result_groups)
    return og_mlir_fail_at(r, s->offset, "operation has %u result types where %u are expected", types->count,
                           row->result_groups);
  for (uint32_t i = 0; i < types->count; i++)
    *OG_PUSH(r->arena,
             types_of(s, (uint8_t)(row->operand_groups + (row->results[0].arity == OG_MLIR_VARIADIC ? 0 : i)))) =
        types->items[i];
  return true;
}

static bool read_all_types(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t kind) {
  og_mlir_types inputs = {0}, results = {0};
  if (kind == OG_MLIR_F_ALL_OPERAND_TYPES)
    return og_mlir_read_type_list(r, &inputs) && spread_types(r, s, &inputs);
  if (kind == OG_MLIR_F_ALL_RESULT_TYPES)
    return og_mlir_read_type_list(r, &results) && spread_results(r, s, &results);
  return og_mlir_read_functional(r, &inputs, &results) && spread_types(r, s, &inputs) && spread_results(r, s, &results);
}

static bool read_operand(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t group) {
  switch (s->row->operands[group].arity) {
  case OG_MLIR_VARIADIC: return og_mlir_read_uses(r, &s->uses[group]);
  case OG_MLIR_OPTIONAL: return og_mlir_at(r) != OG_MLIR_TOK_VALUE || og_mlir_read_use(r, &s->uses[group]);
  default: return og_mlir_read_use(r, &s->uses[group]);
  }
}

/* Whether an optional part is there: if its first element is. */
static bool is_there(const struct og_mlir_reader *r, const struct og_mlir_element *first) {
  if (first->kind == OG_MLIR_F_TIGHT)
    first++;
  switch (first->kind) {
  case OG_MLIR_F_LITERAL: return og_mlir_at_literal(r, first->text);
  case OG_MLIR_F_OPERAND: return og_mlir_at(r) == OG_MLIR_TOK_VALUE;
  case OG_MLIR_F_DYNAMIC: return og_mlir_at(r) == '[';
  case OG_MLIR_F_ATTRIBUTE: return og_mlir_at(r) == OG_MLIR_TOK_WORD;
  default: return false;
  }
}

static bool read_element(struct og_mlir_reader *r, struct og_mlir_state *s, uint32_t *at) {
  const struct og_mlir_element *e = &s->row->format[(*at)++];
  switch (e->kind) {
  case OG_MLIR_F_LITERAL:
    if (!og_mlir_at_literal(r, e->text) &&
        !(r->spelling == OG_MLIR_RFC && og_text_is(e->text, "into") &&
          (og_mlir_at(r) == OG_MLIR_TOK_ARROW || og_mlir_at_word(r, "to")))) /* the RFC has all three */
      return og_mlir_fail(r, "expected '%.*s'", OG_TEXT_ARGS(e->text));
    og_mlir_next(r);
    return true;
  case OG_MLIR_F_OPERAND: return read_operand(r, s, e->index);
  case OG_MLIR_F_ATTRIBUTE: return og_mlir_read_attribute_of(r, s, e->index);
  case OG_MLIR_F_ANGLED: {
    og_mlir_attr value = og_mlir_expect(r, '<') ? keyword_attr(r, s->row->attributes[e->index].kind) : NULL;
    if (value)
      og_mlir_set(r, s, og_arena_copy(r->arena, e->text.data, e->text.size), value);
    return value && og_mlir_expect(r, '>');
  }
  case OG_MLIR_F_TYPES: return read_types(r, s, e->index);
  case OG_MLIR_F_ALL_OPERAND_TYPES:
  case OG_MLIR_F_ALL_RESULT_TYPES:
  case OG_MLIR_F_FUNCTIONAL: return read_all_types(r, s, e->kind);
  case OG_MLIR_F_DICTIONARY: return og_mlir_at(r) != '{' || og_mlir_read_dictionary(r, s);
  case OG_MLIR_F_KEYWORD_DICTIONARY: return !og_mlir_take_word(r, "attributes") || og_mlir_read_dictionary(r, s);
  case OG_MLIR_F_PROPERTIES: return !og_mlir_take(r, '<') || (og_mlir_read_dictionary(r, s) && og_mlir_expect(r, '>'));
  case OG_MLIR_F_OPTIONAL_DYNAMIC: return og_mlir_at(r) != '[' || read_dynamic(r, s, e);
  case OG_MLIR_F_DYNAMIC: return read_dynamic(r, s, e);
  case OG_MLIR_F_FLAGS: return read_flags(r, s, e);
  case OG_MLIR_F_OPTION:
    if (!is_there(r, e + 1))
      return *at = e->second, true;
    while (*at < e->second)
      if (!read_element(r, s, at))
        return false;
    return true;
  case OG_MLIR_F_SUCCESSOR: return og_mlir_read_successor(r, s, true);
  case OG_MLIR_F_REGION: return og_mlir_read_region(r, s, NULL);
  case OG_MLIR_F_CUSTOM: return og_mlir_read_custom(r, s, e->index);
  default: return true;
  }
}

bool og_mlir_read_format(struct og_mlir_reader *r, struct og_mlir_state *s) {
  for (uint32_t at = 0; at < s->row->format_size;)
    if (!read_element(r, s, &at))
      return false;
  return true;
}
