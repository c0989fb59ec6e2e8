/* read_control.c - the reader's operations with a syntax of their own: scf's loops, gpu's launches. */
#include "xegpu/reader.h"

static og_mlir_type index_type(struct og_mlir_reader *r) { return og_mlir_simple(r->in, OG_MLIR_INDEX); }

static bool push_type(struct og_mlir_reader *r, og_mlir_types *types, og_mlir_type type) {
  *OG_PUSH(r->arena, types) = type;
  return true;
}

/* (%a = %x, …): names of a region's arguments and their first values. */
static bool read_assignments(struct og_mlir_reader *r, og_mlir_uses *names, og_mlir_uses *values) {
  if (!og_mlir_expect(r, '('))
    return false;
  if (og_mlir_take(r, ')'))
    return true;
  do
    if (!og_mlir_read_use(r, names) || !og_mlir_expect(r, '=') || !og_mlir_read_use(r, values))
      return false;
  while (og_mlir_take(r, ','));
  return og_mlir_expect(r, ')');
}

static struct og_mlir_region *last_region(struct og_mlir_state *s) { return s->regions.items[s->regions.count - 1]; }

static bool read_body(struct og_mlir_reader *r, struct og_mlir_state *s, const struct og_mlir_arguments *arguments,
                      const char *terminator) {
  return og_mlir_read_region(r, s, arguments) && og_mlir_end_region(r, last_region(s), terminator);
}

static bool read_end_dictionary(struct og_mlir_reader *r, struct og_mlir_state *s) {
  return og_mlir_at(r) != '{' || og_mlir_read_dictionary(r, s);
}

/* scf.for %i = %a to %b step %c iter_args(%x = %y) -> (types) : type { … } */
static bool read_for(struct og_mlir_reader *r, struct og_mlir_state *s) {
  struct og_mlir_arguments arguments = {0};
  if (og_mlir_take_word(r, "unsigned"))
    og_mlir_set(r, s, "unsignedCmp", og_mlir_text(r->in, OG_MLIR_UNIT, (struct og_text){0}));
  if (!og_mlir_read_use(r, &arguments.names) || !og_mlir_expect(r, '=') || !og_mlir_read_use(r, &s->uses[0]) ||
      !og_mlir_expect_word(r, "to") || !og_mlir_read_use(r, &s->uses[1]) || !og_mlir_expect_word(r, "step") ||
      !og_mlir_read_use(r, &s->uses[2]))
    return false;
  push_type(r, &arguments.types, index_type(r));
  if (og_mlir_take_word(r, "iter_args")) {
    og_mlir_types *types = &s->types[4];
    if (!read_assignments(r, &arguments.names, &s->uses[3]) || !og_mlir_expect(r, OG_MLIR_TOK_ARROW) ||
        !og_mlir_read_arrow_types(r, types))
      return false;
    if (types->count != s->uses[3].count)
      return og_mlir_fail(r, "mismatch in number of loop-carried values and defined values");
    for (uint32_t i = 0; i < types->count; i++) {
      push_type(r, &s->types[3], types->items[i]);
      push_type(r, &arguments.types, types->items[i]);
    }
  }
  if (og_mlir_take(r, ':') && !(arguments.types.items[0] = og_mlir_read_type(r)))
    return false;
  for (int i = 0; i < 3; i++)
    push_type(r, &s->types[i], arguments.types.items[0]);
  return read_body(r, s, &arguments, "scf.yield") && read_end_dictionary(r, s);
}

static bool read_if(struct og_mlir_reader *r, struct og_mlir_state *s) {
  if (!og_mlir_read_use(r, &s->uses[0]))
    return false;
  if (og_mlir_take(r, OG_MLIR_TOK_ARROW) && !og_mlir_read_arrow_types(r, &s->types[1]))
    return false;
  if (!read_body(r, s, NULL, "scf.yield"))
    return false;
  if (og_mlir_take_word(r, "else")) {
    if (!read_body(r, s, NULL, "scf.yield"))
      return false;
  } else {
    *OG_PUSH(r->arena, &s->regions) = OG_NEW(r->arena, struct og_mlir_region);
  }
  return read_end_dictionary(r, s);
}

/* scf.while (%a = %x) : (types) -> types { … } do { … } */
static bool read_while(struct og_mlir_reader *r, struct og_mlir_state *s) {
  struct og_mlir_arguments arguments = {0};
  og_mlir_types inputs = {0};
  if (og_mlir_at(r) == '(' && !read_assignments(r, &arguments.names, &s->uses[0]))
    return false;
  if (!og_mlir_expect(r, ':') || !og_mlir_read_functional(r, &inputs, &s->types[1]))
    return false;
  if (inputs.count != s->uses[0].count)
    return og_mlir_fail(r, "expected as many input types as operands (expected %u got %u)", s->uses[0].count,
                        inputs.count);
  for (uint32_t i = 0; i < inputs.count; i++) {
    push_type(r, &s->types[0], inputs.items[i]);
    push_type(r, &arguments.types, inputs.items[i]);
  }
  return og_mlir_read_region(r, s, &arguments) && og_mlir_expect_word(r, "do") && read_body(r, s, NULL, "scf.yield") &&
         (!og_mlir_take_word(r, "attributes") || og_mlir_read_dictionary(r, s));
}

static bool read_use_list(struct og_mlir_reader *r, og_mlir_uses *uses) {
  return og_mlir_expect(r, '(') && og_mlir_read_uses(r, uses) && og_mlir_expect(r, ')');
}

static bool read_parallel(struct og_mlir_reader *r, struct og_mlir_state *s) {
  struct og_mlir_arguments arguments = {0};
  if (!read_use_list(r, &arguments.names) || !og_mlir_expect(r, '=') || !read_use_list(r, &s->uses[0]) ||
      !og_mlir_expect_word(r, "to") || !read_use_list(r, &s->uses[1]) || !og_mlir_expect_word(r, "step") ||
      !read_use_list(r, &s->uses[2]))
    return false;
  for (uint32_t i = 0; i < arguments.names.count; i++)
    push_type(r, &arguments.types, index_type(r));
  if (s->uses[0].count != arguments.names.count || s->uses[1].count != arguments.names.count ||
      s->uses[2].count != arguments.names.count)
    return og_mlir_fail(r, "expected as many bounds and steps as induction variables");
  return read_body(r, s, &arguments, "scf.reduce") && read_end_dictionary(r, s);
}

/* ---- gpu --------------------------------------------------------------------------------------------------------- */

/* async [%a, %b]: yields a token, and waits for others. */
static bool read_async(struct og_mlir_reader *r, struct og_mlir_state *s) {
  int group = og_mlir_row_group_index(s->row, OG_TEXT("asyncToken"));
  if (og_mlir_take_word(r, "async"))
    push_type(r, &s->types[group], og_mlir_text(r->in, OG_MLIR_DIALECT_TYPE, OG_TEXT("gpu.async.token")));
  else if (s->names.count && s->row->id == OG_MLIR_OP_LAUNCH_FUNC)
    return og_mlir_fail(r, "needs to be named when marked 'async'");
  if (og_mlir_at(r) != '[')
    return true;
  og_mlir_next(r);
  return og_mlir_read_uses(r, &s->uses[0]) && og_mlir_expect(r, ']');
}

/* blocks(%x, %y, %z) in (%gx = %a, …) */
static bool read_sizes(struct og_mlir_reader *r, struct og_mlir_state *s, const char *word, uint32_t group,
                       og_mlir_uses *ids, og_mlir_uses *sizes) {
  og_mlir_uses values = {0};
  uint32_t before = ids->count;
  if (!og_mlir_expect_word(r, word) || !read_use_list(r, ids) || !og_mlir_expect_word(r, "in") ||
      !read_assignments(r, sizes, &values))
    return false;
  if (values.count != 3 || ids->count - before != 3)
    return og_mlir_fail(r, "expected three sizes and three ids");
  for (uint32_t i = 0; i < 3; i++)
    *OG_PUSH(r->arena, &s->uses[group + i]) = values.items[i];
  return true;
}

static bool read_launch_attributions(struct og_mlir_reader *r, struct og_mlir_state *s, struct og_mlir_arguments *to) {
  static const char *const words[] = {"workgroup", "private"};
  for (int w = 0; w < 2; w++) {
    struct og_mlir_arguments more = {0};
    og_mlir_types dictionaries = {0};
    bool named;
    if (!og_mlir_take_word(r, words[w]))
      continue;
    if (!og_mlir_read_parameters(r, &more, &named, &dictionaries))
      return false;
    if (!named)
      return og_mlir_fail(r, "expected SSA identifier");
    for (uint32_t i = 0; i < more.names.count; i++) {
      *OG_PUSH(r->arena, &to->names) = more.names.items[i];
      *OG_PUSH(r->arena, &to->types) = more.types.items[i];
    }
    if (w == 0)
      og_mlir_set(r, s, "workgroup_attributions",
                  og_mlir_int(r->in, more.names.count, og_mlir_integer(r->in, 64, OG_MLIR_SIGNLESS)));
  }
  return true;
}

static bool read_launch(struct og_mlir_reader *r, struct og_mlir_state *s) {
  struct og_mlir_arguments arguments = {0};
  og_mlir_uses sizes = {0};
  if (!read_async(r, s) || !read_sizes(r, s, "blocks", 1, &arguments.names, &sizes) ||
      !read_sizes(r, s, "threads", 4, &arguments.names, &sizes))
    return false;
  for (uint32_t i = 0; i < 6; i++)
    *OG_PUSH(r->arena, &arguments.names) = sizes.items[i];
  for (uint32_t i = 0; i < 12; i++)
    push_type(r, &arguments.types, index_type(r));
  if (og_mlir_take_word(r, "dynamic_shared_memory_size") && !og_mlir_read_use(r, &s->uses[10]))
    return false;
  return read_launch_attributions(r, s, &arguments) && og_mlir_read_region(r, s, &arguments) &&
         read_end_dictionary(r, s);
}

static bool read_three(struct og_mlir_reader *r, struct og_mlir_state *s, const char *word, uint32_t group) {
  og_mlir_uses uses = {0};
  if (!og_mlir_expect_word(r, word) || !og_mlir_expect_word(r, "in") || !read_use_list(r, &uses))
    return false;
  if (uses.count != 3)
    return og_mlir_fail(r, "expected three sizes");
  for (uint32_t i = 0; i < 3; i++)
    *OG_PUSH(r->arena, &s->uses[group + i]) = uses.items[i];
  return true;
}

static bool read_launch_arguments(struct og_mlir_reader *r, struct og_mlir_state *s) {
  if (!og_mlir_take_word(r, "args"))
    return true;
  if (!og_mlir_expect(r, '('))
    return false;
  if (og_mlir_take(r, ')'))
    return true;
  do {
    og_mlir_type type = og_mlir_read_use(r, &s->uses[11]) && og_mlir_expect(r, ':') ? og_mlir_read_type(r) : NULL;
    if (!type)
      return false;
    push_type(r, &s->types[11], type);
  } while (og_mlir_take(r, ','));
  return og_mlir_expect(r, ')');
}

static bool read_launch_func(struct og_mlir_reader *r, struct og_mlir_state *s) {
  if (!read_async(r, s))
    return false;
  if (og_mlir_at(r) != OG_MLIR_TOK_SYMBOL)
    return og_mlir_fail(r, "expected '@'-identifier");
  og_mlir_attr kernel = og_mlir_read_attr(r, NULL);
  if (!kernel)
    return false;
  og_mlir_set(r, s, "kernel", kernel);
  bool clusters = og_mlir_at_word(r, "clusters");
  if ((clusters && !read_three(r, s, "clusters", 7)) || !read_three(r, s, "blocks", 1) ||
      !read_three(r, s, "threads", 4))
    return false;
  og_mlir_type type = index_type(r);
  if (og_mlir_take(r, ':') && !(type = og_mlir_read_type(r)))
    return false;
  for (uint32_t g = 1; g < 10; g++)
    if (s->uses[g].count)
      push_type(r, &s->types[g], type);
  if (og_mlir_take_word(r, "dynamic_shared_memory_size") && !og_mlir_read_use(r, &s->uses[10]))
    return false;
  return read_launch_arguments(r, s) && read_end_dictionary(r, s);
}

bool og_mlir_read_custom_control(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t custom) {
  switch (custom) {
  case OG_MLIR_X_for: return read_for(r, s);
  case OG_MLIR_X_if: return read_if(r, s);
  case OG_MLIR_X_while: return read_while(r, s);
  case OG_MLIR_X_parallel: return read_parallel(r, s);
  case OG_MLIR_X_async: return read_async(r, s);
  case OG_MLIR_X_launch: return read_launch(r, s);
  case OG_MLIR_X_launch_func: return read_launch_func(r, s);
  case OG_MLIR_X_reduce_body: return og_mlir_read_region(r, s, NULL);
  default: return og_mlir_fail(r, "'%s' is not read in this form", s->row->name);
  }
}
