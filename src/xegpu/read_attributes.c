/* read_attributes.c - the reader's attributes: builtin ones, dictionaries, those of dialects. */
#include "xegpu/reader.h"

#include <stdlib.h>
#include <string.h>

static og_mlir_type i64_of(struct og_mlir_reader *r) { return og_mlir_integer(r->in, 64, OG_MLIR_SIGNLESS); }

static og_mlir_attr node(struct og_mlir_reader *r, enum og_mlir_kind kind, struct og_text text,
                         const struct og_mlir_node *const *parts, uint32_t count) {
  return og_mlir_intern(
      r->in, &(struct og_mlir_node){.kind = (uint8_t)kind, .text = text, .parts = parts, .part_count = count});
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static og_mlir_attr float_attr(struct og_mlir_reader *r, double value, og_mlir_type type) {
  int64_t bits;
  memcpy(&bits, &value, 8);
  return og_mlir_intern(
      r->in,
      &(struct og_mlir_node){.kind = OG_MLIR_FLOAT, .int_count = 1, .ints = &bits, .part_count = 1, .parts = &type});
}

static og_mlir_attr read_number(struct og_mlir_reader *r, og_mlir_type type) {
  uint32_t offset = og_mlir_here(r);
  bool negative = og_mlir_take(r, '-'), hex = false;
  double real = 0;
  int64_t whole = 0;
  bool is_float = og_mlir_at(r) == OG_MLIR_TOK_FLOAT;
  if (is_float) {
    char text[400];
    snprintf(text, sizeof text, "%.*s", (int)OG_MIN(r->lexer.text.size, sizeof text - 1), r->lexer.text.data);
    real = strtod(text, NULL);
    og_mlir_next(r);
  } else {
    hex = og_mlir_at(r) == OG_MLIR_TOK_INT && r->lexer.text.size > 2 && r->lexer.text.data[1] == 'x';
    if (!og_mlir_read_i64(r, &whole))
      return NULL;
  }
  if (!type) {
    type = is_float ? og_mlir_simple(r->in, OG_MLIR_F64) : i64_of(r);
    if (og_mlir_take(r, ':') && !(type = og_mlir_read_type(r)))
      return NULL;
  }
  if (og_mlir_is_float(type)) {
    if (hex && !is_float) {
      int64_t bits = whole;
      return og_mlir_intern(
          r->in,
          &(struct og_mlir_node){
              .kind = OG_MLIR_FLOAT, .flags = 1, .int_count = 1, .ints = &bits, .part_count = 1, .parts = &type});
    }
    if (!is_float)
      return og_mlir_fail_at(r, offset, "expected floating point literal"), NULL;
    return float_attr(r, negative ? -real : real, type);
  }
  if (is_float)
    return og_mlir_fail_at(r, offset, "floating point value not valid for specified type"), NULL;
  if (type->kind != OG_MLIR_INTEGER && type->kind != OG_MLIR_INDEX)
    return og_mlir_fail_at(r, offset, "integer literal not valid for specified type"), NULL;
  uint32_t width = og_mlir_bits(type);
  if (negative)
    whole = (int64_t)(0 - (uint64_t)whole);
  if (width < 64) {
    bool fits = negative ? whole >= -(INT64_C(1) << (width - (width > 0)))
                         : whole >= 0 && (uint64_t)whole < (UINT64_C(1) << width);
    if (width && !negative && type->kind == OG_MLIR_INTEGER && type->ints[1] == OG_MLIR_SIGNED)
      fits = whole < (INT64_C(1) << (width - 1));
    if (!fits)
      return og_mlir_fail_at(r, offset, "integer constant out of range for attribute"), NULL;
    if (width && !negative && type->ints[1] == OG_MLIR_SIGNLESS && width > 1 && whole >> (width - 1))
      whole -= INT64_C(1) << width; /* kept with its sign */
  }
  return og_mlir_int(r->in, whole, type);
}

og_mlir_attr og_mlir_read_int_list(struct og_mlir_reader *r, int64_t width) {
  OG_VECTOR(int64_t) values = {0};
  if (!og_mlir_expect(r, '['))
    return NULL;
  if (!og_mlir_take(r, ']')) {
    do
      if (!og_mlir_read_i64(r, OG_PUSH(r->arena, &values)))
        return NULL;
    while (og_mlir_take(r, ','));
    if (!og_mlir_expect(r, ']'))
      return NULL;
  }
  og_mlir_type type = og_mlir_integer(r->in, width, OG_MLIR_SIGNLESS);
  return og_mlir_intern(r->in, &(struct og_mlir_node){.kind = OG_MLIR_DENSE_ARRAY,
                                                      .int_count = values.count,
                                                      .ints = values.items,
                                                      .part_count = 1,
                                                      .parts = &type});
}

/* array<i64: 1, 2> */
static og_mlir_attr read_array(struct og_mlir_reader *r) {
  OG_VECTOR(int64_t) values = {0};
  og_mlir_next(r);
  og_mlir_type type = og_mlir_expect(r, '<') ? og_mlir_read_type(r) : NULL;
  if (!type)
    return NULL;
  if (type->kind != OG_MLIR_INTEGER && !og_mlir_is_float(type))
    return og_mlir_fail(r, "expected integer or float type"), NULL;
  if (og_mlir_take(r, ':'))
    do {
      int64_t value = og_mlir_at_word(r, "true");
      if (og_mlir_at_word(r, "true") || og_mlir_at_word(r, "false")) {
        og_mlir_next(r);
      } else {
        og_mlir_attr number = read_number(r, type);
        if (!number)
          return NULL;
        value = number->ints[0];
      }
      *OG_PUSH(r->arena, &values) = value;
    } while (og_mlir_take(r, ','));
  if (!og_mlir_expect(r, '>'))
    return NULL;
  return og_mlir_intern(r->in, &(struct og_mlir_node){.kind = OG_MLIR_DENSE_ARRAY,
                                                      .int_count = values.count,
                                                      .ints = values.items,
                                                      .part_count = 1,
                                                      .parts = &type});
}

/* ---- builtin attributes ------------------------------------------------------------------------------------------ */

static og_mlir_attr read_symbol(struct og_mlir_reader *r) {
  OG_VECTOR(const struct og_mlir_node *) nested = {0};
  struct og_text root = r->lexer.text;
  og_mlir_next(r);
  while (og_mlir_take(r, OG_MLIR_TOK_COLONS)) {
    if (og_mlir_at(r) != OG_MLIR_TOK_SYMBOL)
      return og_mlir_fail(r, "expected nested symbol reference identifier"), NULL;
    *OG_PUSH(r->arena, &nested) = og_mlir_text(r->in, OG_MLIR_SYMBOL, r->lexer.text);
    og_mlir_next(r);
  }
  return node(r, OG_MLIR_SYMBOL, root, nested.items, nested.count);
}

static og_mlir_attr read_list(struct og_mlir_reader *r) {
  OG_VECTOR(const struct og_mlir_node *) parts = {0};
  og_mlir_next(r);
  if (!og_mlir_take(r, ']')) {
    do {
      og_mlir_attr part = og_mlir_read_attr(r, NULL);
      if (!part)
        return NULL;
      *OG_PUSH(r->arena, &parts) = part;
    } while (og_mlir_take(r, ','));
    if (!og_mlir_expect(r, ']'))
      return NULL;
  }
  return node(r, OG_MLIR_ARRAY, (struct og_text){0}, parts.items, parts.count);
}

static int by_name(const void *a, const void *b) {
  const struct og_mlir_named *x = a, *y = b;
  int order = memcmp(x->name.data, y->name.data, OG_MIN(x->name.size, y->name.size));
  return order ? order : (x->name.size > y->name.size) - (x->name.size < y->name.size);
}

static og_mlir_attr read_dictionary_attr(struct og_mlir_reader *r) {
  struct og_mlir_state s = {0};
  OG_VECTOR(const struct og_mlir_node *) parts = {0};
  if (!og_mlir_read_dictionary(r, &s))
    return NULL;
  if (s.attributes.count)
    qsort(s.attributes.items, s.attributes.count, sizeof *s.attributes.items, by_name);
  for (uint32_t i = 0; i < s.attributes.count; i++) {
    *OG_PUSH(r->arena, &parts) = og_mlir_text(r->in, OG_MLIR_STRING, s.attributes.items[i].name);
    *OG_PUSH(r->arena, &parts) = s.attributes.items[i].value;
  }
  return node(r, OG_MLIR_DICTIONARY, (struct og_text){0}, parts.items, parts.count);
}

/* strided<[1, ?], offset: ?> */
static og_mlir_attr read_strided(struct og_mlir_reader *r) {
  OG_VECTOR(int64_t) ints = {0};
  *OG_PUSH(r->arena, &ints) = 0;
  og_mlir_next(r);
  if (!og_mlir_expect(r, '<') || !og_mlir_expect(r, '['))
    return NULL;
  if (!og_mlir_take(r, ']')) {
    do {
      int64_t *value = OG_PUSH(r->arena, &ints);
      if (og_mlir_take(r, '?'))
        *value = OG_MLIR_DYNAMIC;
      else if (!og_mlir_read_i64(r, value))
        return NULL;
    } while (og_mlir_take(r, ','));
    if (!og_mlir_expect(r, ']'))
      return NULL;
  }
  if (og_mlir_take(r, ',')) {
    if (!og_mlir_expect_word(r, "offset") || !og_mlir_expect(r, ':'))
      return NULL;
    if (og_mlir_take(r, '?'))
      ints.items[0] = OG_MLIR_DYNAMIC;
    else if (!og_mlir_read_i64(r, &ints.items[0]))
      return NULL;
  }
  if (!og_mlir_expect(r, '>'))
    return NULL;
  return og_mlir_intern(r->in,
                        &(struct og_mlir_node){.kind = OG_MLIR_STRIDED, .int_count = ints.count, .ints = ints.items});
}

static og_mlir_attr read_text_attr(struct og_mlir_reader *r, enum og_mlir_kind kind) {
  og_mlir_next(r);
  struct og_text text = og_mlir_at(r) == '<' ? og_mlir_balanced_text(r) : (struct og_text){0};
  return text.size ? og_mlir_text(r->in, kind, (struct og_text){text.data + 1, text.size - 2})
                   : (og_mlir_fail(r, "expected '<'"), NULL);
}

static og_mlir_attr read_string(struct og_mlir_reader *r) {
  struct og_text text = r->lexer.text;
  og_mlir_next(r);
  return og_mlir_text(r->in, OG_MLIR_STRING, text);
}

static og_mlir_attr read_word_attr(struct og_mlir_reader *r, og_mlir_type known) {
  og_mlir_type i1 = og_mlir_integer(r->in, 1, OG_MLIR_SIGNLESS);
  if (og_mlir_at_word(r, "dense"))
    return og_mlir_read_dense(r, known);
  if (og_mlir_at_word(r, "array"))
    return read_array(r);
  if (og_mlir_at_word(r, "affine_map"))
    return read_text_attr(r, OG_MLIR_AFFINE_MAP);
  if (og_mlir_at_word(r, "strided"))
    return read_strided(r);
  if (og_mlir_take_word(r, "unit"))
    return node(r, OG_MLIR_UNIT, (struct og_text){0}, NULL, 0);
  if (og_mlir_at_word(r, "true") || og_mlir_at_word(r, "false")) {
    int64_t value = og_mlir_at_word(r, "true");
    og_mlir_next(r);
    return og_mlir_int(r->in, value, i1);
  }
  og_mlir_type type = og_mlir_read_type(r);
  return type ? node(r, OG_MLIR_TYPE, (struct og_text){0}, &type, 1) : NULL;
}

og_mlir_attr og_mlir_read_attr(struct og_mlir_reader *r, og_mlir_type type) {
  if (!og_mlir_enter(r))
    return NULL;
  og_mlir_attr attr = NULL;
  bool rfc = r->spelling == OG_MLIR_RFC && (og_mlir_at(r) == OG_MLIR_TOK_WORD || og_mlir_at(r) == OG_MLIR_TOK_TYPE) &&
             (og_text_is(r->lexer.text, "xegpu.sg_map") || og_text_is(r->lexer.text, "xegpu.tdesc_attr"));
  switch (rfc ? OG_MLIR_TOK_ATTR : og_mlir_at(r)) { /* which the RFC writes without #, or with ! */
  case '-':
  case OG_MLIR_TOK_INT:
  case OG_MLIR_TOK_FLOAT: attr = read_number(r, type); break;
  case OG_MLIR_TOK_STRING: attr = read_string(r); break;
  case OG_MLIR_TOK_SYMBOL: attr = read_symbol(r); break;
  case '[': attr = read_list(r); break;
  case '{': attr = read_dictionary_attr(r); break;
  case OG_MLIR_TOK_ATTR: attr = og_mlir_read_dialect_attr(r); break;
  case OG_MLIR_TOK_WORD:
  case OG_MLIR_TOK_TYPE:
  case '(': attr = read_word_attr(r, type); break;
  default: og_mlir_fail(r, "expected attribute value");
  }
  r->depth--;
  return attr;
}

/* ---- dictionaries of operations ---------------------------------------------------------------------------------- */

/* Whether a bare word stands for an enum's value here: `{mode = vc, L1_hint = cached}`. */
static og_mlir_attr bare_keyword(struct og_mlir_reader *r, const struct og_mlir_state *s, struct og_text name) {
  int index = s->row ? og_mlir_row_attribute_index(s->row, name) : -1;
  if (index < 0 || og_mlir_at(r) != OG_MLIR_TOK_WORD || r->spelling > OG_MLIR_FIRST || og_mlir_at_word(r, "true") ||
      og_mlir_at_word(r, "false") || og_mlir_at_word(r, "array"))
    return NULL;
  const char *enum_name;
  bool number;
  og_mlir_keywords(s->row->attributes[index].kind, &enum_name, &number);
  struct og_text keyword = r->lexer.text;
  if (og_text_is(keyword, "read_invaldiate")) /* as the RFC spells it */
    keyword = OG_TEXT("read_invalidate");
  og_mlir_next(r);
  return og_mlir_enum(r->in, enum_name ? enum_name : "xegpu.keyword", keyword);
}

static og_mlir_attr read_entry_value(struct og_mlir_reader *r, const struct og_mlir_state *s, struct og_text name) {
  int index = s->row ? og_mlir_row_attribute_index(s->row, name) : -1;
  og_mlir_attr keyword = bare_keyword(r, s, name);
  if (keyword)
    return keyword;
  if (index >= 0 && s->row->attributes[index].kind == OG_MLIR_A_i64s && r->spelling <= OG_MLIR_FIRST &&
      og_mlir_at(r) == '[')
    return og_mlir_read_int_list(r, 64); /* transpose = [1, 0] */
  if (index >= 0 && s->row->attributes[index].kind == OG_MLIR_A_hint && r->spelling <= OG_MLIR_FIRST &&
      og_mlir_at(r) == OG_MLIR_TOK_STRING) {
    struct og_text text = r->lexer.text;
    og_mlir_next(r);
    return og_mlir_enum(r->in, "xegpu.cache_hint", text);
  }
  og_mlir_attr value = og_mlir_read_attr(r, NULL);
  if (value && value->kind == OG_MLIR_INT && index >= 0 && s->row->attributes[index].kind == OG_MLIR_A_i32 &&
      r->spelling <= OG_MLIR_FIRST)
    return og_mlir_int(r->in, value->ints[0],
                       og_mlir_integer(r->in, 32, OG_MLIR_SIGNLESS)); /* for these the type is not written */
  return value;
}

bool og_mlir_read_dictionary(struct og_mlir_reader *r, struct og_mlir_state *s) {
  if (!og_mlir_expect(r, '{'))
    return false;
  uint32_t first = s->attributes.count;
  while (og_mlir_at(r) != '}') {
    struct og_text name = r->lexer.text;
    uint32_t offset = og_mlir_here(r);
    if ((og_mlir_at(r) != OG_MLIR_TOK_WORD && og_mlir_at(r) != OG_MLIR_TOK_STRING) || !name.size)
      return og_mlir_fail(r, "expected attribute name");
    name = og_mlir_intern_text(r, name);
    og_mlir_next(r);
    for (uint32_t i = first; i < s->attributes.count; i++)
      if (og_text_equal(s->attributes.items[i].name, name))
        return og_mlir_fail_at(r, offset, "duplicate key '%.*s' in dictionary attribute", OG_TEXT_ARGS(name));
    og_mlir_attr value = node(r, OG_MLIR_UNIT, (struct og_text){0}, NULL, 0);
    if (og_mlir_take(r, '=') && !(value = read_entry_value(r, s, name)))
      return false;
    *OG_PUSH(r->arena, &s->attributes) = (struct og_mlir_named){name, value};
    if (!og_mlir_take(r, ',') || (r->spelling == OG_MLIR_RFC && og_mlir_at(r) == '}'))
      break;
    if (og_mlir_at(r) == '}')
      return og_mlir_fail(r, "expected attribute name");
  }
  return og_mlir_expect(r, '}');
}

/* Skips loc(…). */
bool og_mlir_read_location(struct og_mlir_reader *r) {
  if (og_mlir_at(r) != '(')
    return og_mlir_expect(r, '(');
  return og_mlir_balanced_text(r).size;
}
