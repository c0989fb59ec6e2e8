/* read_custom.c - the reader's operations with a syntax of their own: builtin, func, arith, memref, vector. */
#include "xegpu/reader.h"

#include <string.h>

static og_mlir_attr string_attr(struct og_mlir_reader *r, struct og_text text) {
  return og_mlir_text(r->in, OG_MLIR_STRING, text);
}
static og_mlir_attr unit_attr(struct og_mlir_reader *r) {
  return og_mlir_text(r->in, OG_MLIR_UNIT, (struct og_text){0});
}

static bool read_attributes_clause(struct og_mlir_reader *r, struct og_mlir_state *s) {
  return !og_mlir_take_word(r, "attributes") || og_mlir_read_dictionary(r, s);
}

static bool read_symbol_name(struct og_mlir_reader *r, struct og_mlir_state *s) {
  if (og_mlir_at(r) != OG_MLIR_TOK_SYMBOL)
    return og_mlir_fail(r, "expected valid '@'-identifier for symbol name");
  og_mlir_set(r, s, "sym_name", string_attr(r, r->lexer.text));
  og_mlir_next(r);
  return true;
}

static bool read_module(struct og_mlir_reader *r, struct og_mlir_state *s) {
  if (og_mlir_at(r) == OG_MLIR_TOK_SYMBOL && !read_symbol_name(r, s))
    return false;
  return read_attributes_clause(r, s) && og_mlir_read_region(r, s, NULL);
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static og_mlir_attr read_optional_dictionary(struct og_mlir_reader *r) {
  struct og_mlir_node empty = {.kind = OG_MLIR_DICTIONARY};
  return og_mlir_at(r) == '{' ? og_mlir_read_attr(r, NULL) : og_mlir_intern(r->in, &empty);
}

bool og_mlir_read_parameters(struct og_mlir_reader *r, struct og_mlir_arguments *arguments, bool *named,
                             og_mlir_types *dictionaries) {
  *named = false;
  if (!og_mlir_expect(r, '('))
    return false;
  if (og_mlir_take(r, ')'))
    return *named = true;
  do {
    struct og_mlir_use name = {r->lexer.text, 0, og_mlir_here(r)};
    bool has_name = og_mlir_take(r, OG_MLIR_TOK_VALUE);
    if (has_name) {
      *OG_PUSH(r->arena, &arguments->names) = name;
      if (!og_mlir_expect(r, ':'))
        return false;
    }
    if (arguments->types.count && *named != has_name)
      return og_mlir_fail(r, has_name ? "expected type instead of SSA identifier" : "expected SSA identifier");
    *named = has_name;
    og_mlir_type type = og_mlir_read_type(r);
    if (!type)
      return false;
    *OG_PUSH(r->arena, &arguments->types) = type;
    og_mlir_attr dictionary = read_optional_dictionary(r);
    if (!dictionary || (og_mlir_take_word(r, "loc") && !og_mlir_read_location(r)))
      return false;
    if (dictionaries)
      *OG_PUSH(r->arena, dictionaries) = dictionary;
  } while (og_mlir_take(r, ','));
  return og_mlir_expect(r, ')');
}

static bool read_result_types(struct og_mlir_reader *r, og_mlir_types *results, og_mlir_types *dictionaries) {
  if (!og_mlir_take(r, OG_MLIR_TOK_ARROW))
    return true;
  if (og_mlir_at(r) != '(')
    return og_mlir_read_arrow_types(r, results);
  og_mlir_next(r);
  if (og_mlir_take(r, ')'))
    return true;
  do {
    og_mlir_type type = og_mlir_read_type(r);
    og_mlir_attr dictionary = type ? read_optional_dictionary(r) : NULL;
    if (!dictionary)
      return false;
    *OG_PUSH(r->arena, results) = type;
    *OG_PUSH(r->arena, dictionaries) = dictionary;
  } while (og_mlir_take(r, ','));
  return og_mlir_expect(r, ')');
}

static void set_dictionaries(struct og_mlir_reader *r, struct og_mlir_state *s, const char *name,
                             const og_mlir_types *dictionaries) {
  bool any = false;
  for (uint32_t i = 0; i < dictionaries->count; i++)
    any |= dictionaries->items[i]->part_count > 0;
  if (any)
    og_mlir_set(r, s, name,
                og_mlir_intern(r->in, &(struct og_mlir_node){.kind = OG_MLIR_ARRAY,
                                                             .part_count = dictionaries->count,
                                                             .parts = dictionaries->items}));
}

static bool read_attributions(struct og_mlir_reader *r, struct og_mlir_state *s, const char *word,
                              struct og_mlir_arguments *arguments, const char *count_name) {
  struct og_mlir_arguments more = {0};
  og_mlir_types dictionaries = {0};
  bool named;
  if (!og_mlir_take_word(r, word))
    return true;
  if (!og_mlir_read_parameters(r, &more, &named, &dictionaries))
    return false;
  if (!named)
    return og_mlir_fail(r, "expected SSA identifier");
  for (uint32_t i = 0; i < more.names.count; i++) {
    *OG_PUSH(r->arena, &arguments->names) = more.names.items[i];
    *OG_PUSH(r->arena, &arguments->types) = more.types.items[i];
  }
  if (count_name)
    og_mlir_set(r, s, count_name, og_mlir_int(r->in, more.names.count, og_mlir_integer(r->in, 64, OG_MLIR_SIGNLESS)));
  return true;
}

static bool read_function(struct og_mlir_reader *r, struct og_mlir_state *s, bool gpu) {
  struct og_mlir_arguments arguments = {0};
  og_mlir_types dictionaries = {0}, results = {0}, result_dictionaries = {0}, all = {0};
  bool named;
  if (!gpu && (og_mlir_at_word(r, "private") || og_mlir_at_word(r, "public") || og_mlir_at_word(r, "nested"))) {
    og_mlir_set(r, s, "sym_visibility", string_attr(r, r->lexer.text));
    og_mlir_next(r);
  }
  if (!read_symbol_name(r, s) || !og_mlir_read_parameters(r, &arguments, &named, &dictionaries) ||
      !read_result_types(r, &results, &result_dictionaries))
    return false;
  uint32_t inputs = arguments.types.count;
  for (uint32_t i = 0; i < inputs; i++)
    *OG_PUSH(r->arena, &all) = arguments.types.items[i];
  for (uint32_t i = 0; i < results.count; i++)
    *OG_PUSH(r->arena, &all) = results.items[i];
  og_mlir_type type = og_mlir_function(r->in, all.items, inputs, results.count);
  og_mlir_set(r, s, "function_type",
              og_mlir_intern(r->in, &(struct og_mlir_node){.kind = OG_MLIR_TYPE, .part_count = 1, .parts = &type}));
  set_dictionaries(r, s, "arg_attrs", &dictionaries);
  set_dictionaries(r, s, "res_attrs", &result_dictionaries);
  if (gpu) {
    if (!read_attributions(r, s, "workgroup", &arguments, "workgroup_attributions") ||
        !read_attributions(r, s, "private", &arguments, NULL))
      return false;
    if (og_mlir_take_word(r, "kernel"))
      og_mlir_set(r, s, "gpu.kernel", unit_attr(r));
  }
  if (!read_attributes_clause(r, s))
    return false;
  if (og_mlir_at(r) == '{') {
    if (!named && inputs)
      return og_mlir_fail(r, "expected SSA identifier");
    uint32_t offset = og_mlir_here(r);
    if (!og_mlir_read_region(r, s, &arguments))
      return false;
    struct og_mlir_region *body = s->regions.items[s->regions.count - 1];
    return body->first->first || body->first->next || og_mlir_fail_at(r, offset, "expected non-empty function body");
  }
  if (gpu)
    return og_mlir_expect(r, '{');
  *OG_PUSH(r->arena, &s->regions) = OG_NEW(r->arena, struct og_mlir_region);
  return true;
}

/* ---- arith, memref, vector --------------------------------------------------------------------------------------- */

/* arith.constant {…} 4 : index */
static bool read_constant(struct og_mlir_reader *r, struct og_mlir_state *s) {
  if (og_mlir_at(r) == '{' && !og_mlir_read_dictionary(r, s))
    return false;
  uint32_t offset = og_mlir_here(r);
  og_mlir_attr value = og_mlir_read_attr(r, NULL);
  if (!value)
    return false;
  og_mlir_type type = value->kind == OG_MLIR_INT || value->kind == OG_MLIR_FLOAT || value->kind == OG_MLIR_DENSE
                          ? value->parts[0]
                          : NULL;
  if (!type)
    return og_mlir_fail_at(r, offset,
                           "'arith.constant' op attribute 'value' failed to satisfy constraint: a typed attribute");
  og_mlir_set(r, s, "value", value);
  *OG_PUSH(r->arena, &s->types[0]) = type;
  return true;
}

/* select %c, %a, %b : [type of %c,] type */
static bool read_select(struct og_mlir_reader *r, struct og_mlir_state *s) {
  for (int i = 0; i < 3; i++)
    if ((i && !og_mlir_expect(r, ',')) || !og_mlir_read_use(r, &s->uses[i]))
      return false;
  og_mlir_types types = {0};
  if ((og_mlir_at(r) == '{' && !og_mlir_read_dictionary(r, s)) || !og_mlir_expect(r, ':') ||
      !og_mlir_read_type_list(r, &types))
    return false;
  *OG_PUSH(r->arena, &s->types[0]) = types.count > 1 ? types.items[0] : og_mlir_integer(r->in, 1, OG_MLIR_SIGNLESS);
  *OG_PUSH(r->arena, &s->types[3]) = types.items[types.count > 1];
  return true;
}

/* memref.global "private" constant @name : type = value */
static bool read_global(struct og_mlir_reader *r, struct og_mlir_state *s) {
  if (og_mlir_at(r) == OG_MLIR_TOK_STRING) {
    og_mlir_set(r, s, "sym_visibility", string_attr(r, r->lexer.text));
    og_mlir_next(r);
  }
  if (og_mlir_take_word(r, "constant"))
    og_mlir_set(r, s, "constant", unit_attr(r));
  if (!read_symbol_name(r, s) || !og_mlir_expect(r, ':'))
    return false;
  og_mlir_type type = og_mlir_read_type(r);
  if (!type)
    return false;
  og_mlir_set(r, s, "type",
              og_mlir_intern(r->in, &(struct og_mlir_node){.kind = OG_MLIR_TYPE, .part_count = 1, .parts = &type}));
  if (og_mlir_take(r, '=')) {
    if (type->kind != OG_MLIR_MEMREF)
      return og_mlir_fail(r, "type should be static shaped memref");
    og_mlir_type tensor =
        og_mlir_shaped(r->in, OG_MLIR_TENSOR, type->ints, type->int_count, type->parts[0], NULL, NULL);
    og_mlir_attr value = og_mlir_take_word(r, "uninitialized") ? unit_attr(r) : og_mlir_read_attr(r, tensor);
    if (!value)
      return false;
    og_mlir_set(r, s, "initial_value", value);
  }
  return og_mlir_at(r) != '{' || og_mlir_read_dictionary(r, s);
}

/* transfer_read %m[%i], %pad[, %mask] {…} : memref, vector; transfer_write %v, %m[%i][, %mask] {…} : vector, memref */
static bool read_transfer(struct og_mlir_reader *r, struct og_mlir_state *s) {
  bool write = s->row->id == OG_MLIR_OP_TRANSFER_WRITE;
  og_mlir_types types = {0};
  uint32_t at = write;
  if (write && (!og_mlir_read_use(r, &s->uses[0]) || !og_mlir_expect(r, ',')))
    return false;
  if (!og_mlir_read_use(r, &s->uses[at]) || !og_mlir_expect(r, '[') || !og_mlir_read_uses(r, &s->uses[at + 1]) ||
      !og_mlir_expect(r, ']'))
    return false;
  if (!write && (!og_mlir_expect(r, ',') || !og_mlir_read_use(r, &s->uses[2])))
    return false;
  if (og_mlir_take(r, ',') && !og_mlir_read_use(r, &s->uses[3]))
    return false;
  if ((og_mlir_at(r) == '{' && !og_mlir_read_dictionary(r, s)) || !og_mlir_expect(r, ':'))
    return false;
  uint32_t offset = og_mlir_here(r);
  if (!og_mlir_read_type_list(r, &types))
    return false;
  if (types.count != 2)
    return og_mlir_fail_at(r, offset, "requires two types");
  og_mlir_type vector = types.items[!write], base = types.items[write];
  if (vector->kind != OG_MLIR_VECTOR)
    return og_mlir_fail_at(r, offset, "requires vector type");
  if (base->kind != OG_MLIR_MEMREF && base->kind != OG_MLIR_TENSOR)
    return og_mlir_fail_at(r, offset, "requires memref or ranked tensor type");
  *OG_PUSH(r->arena, &s->types[at]) = base;
  *OG_PUSH(r->arena, &s->types[write ? 0 : 4]) = vector;
  if (!write)
    *OG_PUSH(r->arena, &s->types[2]) = og_mlir_element(base);
  if (s->uses[3].count)
    *OG_PUSH(r->arena, &s->types[3]) = og_mlir_shaped(r->in, OG_MLIR_VECTOR, vector->ints, vector->int_count,
                                                      og_mlir_integer(r->in, 1, OG_MLIR_SIGNLESS), NULL, NULL);
  return true;
}

/* extractelement %v[%i : i32] : vector; insertelement %s, %v[%i : i32] : vector */
static bool read_position(struct og_mlir_reader *r, struct og_mlir_state *s) {
  uint32_t at = s->row->id == OG_MLIR_OP_INSERTELEMENT;
  if (at && (!og_mlir_read_use(r, &s->uses[0]) || !og_mlir_expect(r, ',')))
    return false;
  if (!og_mlir_read_use(r, &s->uses[at]) || !og_mlir_expect(r, '['))
    return false;
  if (og_mlir_at(r) == OG_MLIR_TOK_VALUE) {
    og_mlir_type type = og_mlir_read_use(r, &s->uses[at + 1]) && og_mlir_expect(r, ':') ? og_mlir_read_type(r) : NULL;
    if (!type)
      return false;
    *OG_PUSH(r->arena, &s->types[at + 1]) = type;
  }
  if (!og_mlir_expect(r, ']') || (og_mlir_at(r) == '{' && !og_mlir_read_dictionary(r, s)) || !og_mlir_expect(r, ':'))
    return false;
  og_mlir_type vector = og_mlir_read_type(r);
  if (vector)
    *OG_PUSH(r->arena, &s->types[at ? 3 : 0]) = vector;
  return vector;
}

/* gpu.module @m [#target, …] */
static bool read_targets(struct og_mlir_reader *r, struct og_mlir_state *s) {
  if (og_mlir_take(r, '<')) {
    og_mlir_attr handler = og_mlir_read_attr(r, NULL);
    if (!handler || !og_mlir_expect(r, '>'))
      return false;
    og_mlir_set(r, s, "offloadingHandler", handler);
  }
  if (og_mlir_at(r) != '[')
    return true;
  og_mlir_attr targets = og_mlir_read_attr(r, NULL);
  if (targets)
    og_mlir_set(r, s, "targets", targets);
  return targets;
}

bool og_mlir_read_custom(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t custom) {
  switch (custom) {
  case OG_MLIR_X_module: return read_module(r, s);
  case OG_MLIR_X_func:
  case OG_MLIR_X_gpu_func: return read_function(r, s, custom == OG_MLIR_X_gpu_func);
  case OG_MLIR_X_constant: return read_constant(r, s);
  case OG_MLIR_X_select: return s->row->id == OG_MLIR_OP_SCF_REDUCE || read_select(r, s);
  case OG_MLIR_X_global: return read_global(r, s);
  case OG_MLIR_X_transfer: return read_transfer(r, s);
  case OG_MLIR_X_dense_position: return read_position(r, s);
  case OG_MLIR_X_targets: return read_targets(r, s);
  case OG_MLIR_X_rfc_nd:
  case OG_MLIR_X_rfc_operands: return og_mlir_read_custom_rfc(r, s, custom);
  default: return og_mlir_read_custom_control(r, s, custom);
  }
}
