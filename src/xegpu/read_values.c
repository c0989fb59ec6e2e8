/* read_values.c - the reader's values: names, uses before and after their definition, types that follow from rules. */
#include "xegpu/reader.h"

#include <stdlib.h>
#include <string.h>

bool og_mlir_read_use(struct og_mlir_reader *r, og_mlir_uses *uses) {
  if (og_mlir_at(r) != OG_MLIR_TOK_VALUE)
    return og_mlir_fail(r, "expected SSA operand");
  struct og_mlir_use use = {r->lexer.text, 0, og_mlir_here(r)};
  og_mlir_next(r);
  int64_t count = 1;
  if (og_mlir_at(r) == OG_MLIR_TOK_ATTR && r->lexer.text.data[0] >= '0' && r->lexer.text.data[0] <= '9') {
    use.number = (uint32_t)strtoul(r->lexer.text.data, NULL, 10);
    og_mlir_next(r);
  } else if (r->spelling == OG_MLIR_RFC && og_mlir_at(r) == ':' && r->lexer.at < r->lexer.end &&
             r->lexer.at == r->lexer.token + 1 && *r->lexer.at >= '0' && *r->lexer.at <= '9') {
    og_mlir_next(r); /* the RFC's %offsets:2 are both results */
    if (!og_mlir_read_i64(r, &count))
      return false;
    if (count < 1 || count > OG_MLIR_RANK_MOST)
      return og_mlir_fail_at(r, use.offset, "expected a number of values from 1 to %d", OG_MLIR_RANK_MOST);
  }
  for (int64_t i = 0; i < count; i++, use.number++)
    *OG_PUSH(r->arena, uses) = use;
  return true;
}

bool og_mlir_read_uses(struct og_mlir_reader *r, og_mlir_uses *uses) {
  if (og_mlir_at(r) != OG_MLIR_TOK_VALUE)
    return true;
  do
    if (!og_mlir_read_use(r, uses))
      return false;
  while (og_mlir_take(r, ','));
  return true;
}

static bool bind(struct og_mlir_reader *r, const struct og_mlir_binding *binding, const struct og_mlir_use *use,
                 og_mlir_type type, struct og_mlir_value **slot) {
  if (use->number >= binding->count)
    return og_mlir_fail_at(r, use->offset, "reference to invalid result number");
  *slot = binding->values[use->number];
  if (!*slot || !(*slot)->type || !type || (*slot)->type == type)
    return true; /* nothing is known about one that was not understood */
  og_mlir_fail_at(r, use->offset, "use of value '%%%.*s' expects different type than prior uses: '%s' vs '%s'",
                  OG_TEXT_ARGS(use->name), og_mlir_type_text(r, type), og_mlir_type_text(r, (*slot)->type));
  og_report(r->diagnostics, OG_SEVERITY_NOTE, (struct og_range){&r->m->source, binding->offset, 1}, "prior use here");
  return false;
}

bool og_mlir_resolve(struct og_mlir_reader *r, const struct og_mlir_use *use, og_mlir_type type,
                     struct og_mlir_value **slot) {
  const struct og_mlir_binding *binding = og_map_get(&r->scope->names, use->name);
  if (binding && binding->visible)
    return bind(r, binding, use, type, slot);
  *OG_PUSH(r->arena, &r->scope->pending) = (struct og_mlir_pending){slot, *use, type};
  return true;
}

/* Settles uses of values that the ending region has defined; with `all` none may be left. */
bool og_mlir_settle(struct og_mlir_reader *r, bool all) {
  uint32_t kept = 0;
  bool ok = true;
  for (uint32_t i = 0; i < r->scope->pending.count; i++) {
    struct og_mlir_pending *p = &r->scope->pending.items[i];
    const struct og_mlir_binding *binding = og_map_get(&r->scope->names, p->use.name);
    if (binding && binding->visible)
      ok &= bind(r, binding, &p->use, p->type, p->slot);
    else if (all)
      ok = og_mlir_fail_at(r, p->use.offset, "use of undeclared SSA value name");
    else
      r->scope->pending.items[kept++] = *p;
  }
  r->scope->pending.count = kept;
  return ok;
}

bool og_mlir_define(struct og_mlir_reader *r, struct og_text name, struct og_mlir_value **values, uint32_t count,
                    uint32_t offset) {
  void **slot = og_map_at(r->arena, &r->scope->names, name);
  struct og_mlir_binding *binding = *slot;
  if (binding && binding->visible) {
    og_mlir_fail_at(r, offset, "redefinition of SSA value '%%%.*s'", OG_TEXT_ARGS(name));
    og_report(r->diagnostics, OG_SEVERITY_NOTE, (struct og_range){&r->m->source, binding->offset, 1},
              "previously defined here");
    return false;
  }
  if (!binding)
    *slot = binding = OG_NEW(r->arena, struct og_mlir_binding);
  *binding = (struct og_mlir_binding){values, count, offset, true};
  *OG_PUSH(r->arena, &r->visible) = binding;
  return true;
}

static bool is_number(struct og_text name) { return name.size && name.data[0] >= '0' && name.data[0] <= '9'; }

struct og_mlir_value *og_mlir_define_argument(struct og_mlir_reader *r, struct og_mlir_block *block,
                                              struct og_text name, og_mlir_type type, uint32_t offset) {
  struct og_mlir_value *value = OG_NEW(r->arena, struct og_mlir_value);
  *value = (struct og_mlir_value){.type = type,
                                  .block = block,
                                  .index = block->argument_count,
                                  .offset = offset,
                                  .name = is_number(name) ? (struct og_text){0} : name};
  block->arguments = og_arena_grow(r->arena, block->arguments, block->argument_count * sizeof value,
                                   (block->argument_count + 1) * sizeof value);
  block->arguments[block->argument_count++] = value;
  struct og_mlir_value **values = OG_NEW(r->arena, struct og_mlir_value *);
  *values = value;
  return !name.size || og_mlir_define(r, name, values, 1, offset) ? value : NULL;
}

/* ---- an operation's end: types, operands, results ---------------------------------------------------------------- */

void og_mlir_set(struct og_mlir_reader *r, struct og_mlir_state *s, const char *name, og_mlir_attr value) {
  struct og_text text = og_mlir_intern_text(r, og_text(name));
  for (uint32_t i = 0; i < s->attributes.count; i++)
    if (og_text_equal(s->attributes.items[i].name, text)) {
      s->attributes.items[i].value = value;
      return;
    }
  *OG_PUSH(r->arena, &s->attributes) = (struct og_mlir_named){text, value};
}

/* vector.shuffle: as many parts of the first vector as the mask has numbers. */
static og_mlir_type shuffled(struct og_mlir_reader *r, const struct og_mlir_state *s, og_mlir_type type) {
  int64_t shape[OG_MLIR_RANK_MOST];
  og_mlir_attr mask = NULL;
  for (uint32_t i = 0; i < s->attributes.count; i++)
    if (og_text_is(s->attributes.items[i].name, "mask"))
      mask = s->attributes.items[i].value;
  if (!mask || mask->kind != OG_MLIR_DENSE_ARRAY || type->kind != OG_MLIR_VECTOR || type->int_count > OG_MLIR_RANK_MOST)
    return NULL;
  memcpy(shape, type->ints, type->int_count * sizeof *shape);
  shape[0] = mask->int_count;
  return og_mlir_shaped(r->in, OG_MLIR_VECTOR, shape, OG_MAX(type->int_count, 1u), type->parts[0], NULL, NULL);
}

/* The type that a group's rule derives from another group's; NULL: it is not known yet. */
static og_mlir_type infer(struct og_mlir_reader *r, struct og_mlir_state *s, struct og_text rule) {
  const char *open = memchr(rule.data, '(', rule.size);
  struct og_text name = open ? (struct og_text){open + 1, (size_t)(rule.data + rule.size - open - 2)} : rule;
  int group = og_mlir_row_group_index(s->row, name);
  if (group < 0 || !s->types[group].count)
    return NULL;
  og_mlir_type type = s->types[group].items[0];
  if (!open)
    return type;
  if (*rule.data == 'e')
    return og_mlir_element(type);
  if (*rule.data == 's')
    return shuffled(r, s, type);
  og_mlir_type i1 = og_mlir_integer(r->in, 1, OG_MLIR_SIGNLESS);
  if (type->kind != OG_MLIR_VECTOR && type->kind != OG_MLIR_TENSOR)
    return i1;
  struct og_mlir_node like = *type;
  const struct og_mlir_node *parts[] = {i1, type->part_count > 1 ? type->parts[1] : NULL};
  like.parts = parts;
  return og_mlir_intern(r->in, &like);
}

static og_mlir_type buildable(struct og_mlir_reader *r, uint8_t constraint) {
  switch (constraint) {
  case OG_MLIR_C_Index: return og_mlir_simple(r->in, OG_MLIR_INDEX);
  case OG_MLIR_C_I1: return og_mlir_integer(r->in, 1, OG_MLIR_SIGNLESS);
  case OG_MLIR_C_I8: return og_mlir_integer(r->in, 8, OG_MLIR_SIGNLESS);
  case OG_MLIR_C_I32: return og_mlir_integer(r->in, 32, OG_MLIR_SIGNLESS);
  case OG_MLIR_C_Nbarrier: return og_mlir_simple(r->in, OG_MLIR_NBARRIER);
  case OG_MLIR_C_AsyncToken: return og_mlir_text(r->in, OG_MLIR_DIALECT_TYPE, OG_TEXT("gpu.async.token"));
  default: return NULL;
  }
}

/* Gives groups without types those that rules derive. */
static void infer_types(struct og_mlir_reader *r, struct og_mlir_state *s) {
  const struct og_mlir_row *row = s->row;
  uint32_t groups = row->operand_groups + row->result_groups;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t g = 0; g < groups; g++) {
      bool result = g >= row->operand_groups;
      const struct og_mlir_group *group = result ? &row->results[g - row->operand_groups] : &row->operands[g];
      uint32_t wanted = !result ? s->uses[g].count : group->arity == OG_MLIR_ONE;
      if (s->types[g].count || !wanted)
        continue;
      og_mlir_type type = group->infer.size ? infer(r, s, group->infer) : buildable(r, group->constraint);
      for (uint32_t other = 0; !type && row->traits & OG_MLIR_T_SAME && other < groups; other++)
        if (s->types[other].count)
          type = s->types[other].items[0];
      for (uint32_t i = 0; type && i < wanted; i++)
        *OG_PUSH(r->arena, &s->types[g]) = type;
      changed |= type != NULL;
    }
  }
}

static bool check_counts(struct og_mlir_reader *r, struct og_mlir_state *s) {
  const struct og_mlir_row *row = s->row;
  for (uint32_t g = 0; g < row->operand_groups; g++)
    if (s->uses[g].count != s->types[g].count)
      return og_mlir_fail_at(r, s->offset, "number of operands and types do not match: got %u operands and %u types",
                             s->uses[g].count, s->types[g].count);
  return true;
}

struct og_mlir_op *og_mlir_finish(struct og_mlir_reader *r, struct og_mlir_state *s) {
  const struct og_mlir_row *row = s->row;
  infer_types(r, s);
  if (!check_counts(r, s))
    return NULL;
  struct og_mlir_op *op = OG_NEW(r->arena, struct og_mlir_op);
  op->row = row;
  op->offset = s->offset;
  op->size = s->size;
  op->attributes = s->attributes.items;
  op->attribute_count = s->attributes.count;
  op->successors = s->successors.items;
  op->successor_count = s->successors.count;
  op->region_count = s->regions.count;
  op->regions = OG_NEW_ARRAY(r->arena, struct og_mlir_region, s->regions.count + 1);
  for (uint32_t i = 0; i < s->regions.count; i++) {
    op->regions[i] = *s->regions.items[i];
    for (struct og_mlir_block *b = op->regions[i].first; b; b = b->next)
      b->region = &op->regions[i];
    op->regions[i].op = op;
  }
  for (uint32_t g = 0; g < row->operand_groups; g++)
    op->operand_count += s->uses[g].count;
  op->operands = OG_NEW_ARRAY(r->arena, struct og_mlir_value *, op->operand_count + 1);
  for (uint32_t g = 0, at = 0; g < row->operand_groups; g++) {
    op->segments[g] = (uint16_t)OG_MIN(s->uses[g].count, UINT16_MAX);
    for (uint32_t i = 0; i < s->uses[g].count; i++, at++)
      if (!og_mlir_resolve(r, &s->uses[g].items[i], s->types[g].items[i], &op->operands[at]))
        return NULL;
  }
  for (uint32_t g = 0; g < row->result_groups; g++)
    op->result_count += s->types[row->operand_groups + g].count;
  op->results = OG_NEW_ARRAY(r->arena, struct og_mlir_value, op->result_count + 1);
  for (uint32_t g = 0, at = 0; g < row->result_groups; g++)
    for (uint32_t i = 0; i < s->types[row->operand_groups + g].count; i++, at++)
      op->results[at] = (struct og_mlir_value){
          .type = s->types[row->operand_groups + g].items[i], .op = op, .index = at, .offset = s->offset};
  return op;
}

bool og_mlir_name_results(struct og_mlir_reader *r, struct og_mlir_state *s, struct og_mlir_op *op) {
  uint32_t named = 0, at = 0;
  for (uint32_t i = 0; i < s->names.count; i++)
    named += s->names.items[i].number;
  if (s->names.count && named != op->result_count)
    return op->result_count == 0
               ? og_mlir_fail_at(r, s->names.items[0].offset, "cannot name an operation with no results")
               : og_mlir_fail_at(r, s->names.items[0].offset,
                                 "operation defines %u results but was provided %u to bind", op->result_count, named);
  for (uint32_t i = 0; i < s->names.count; i++) {
    const struct og_mlir_use *name = &s->names.items[i];
    struct og_mlir_value **values = OG_NEW_ARRAY(r->arena, struct og_mlir_value *, name->number + 1);
    for (uint32_t k = 0; k < name->number; k++, at++) {
      values[k] = &op->results[at];
      op->results[at].offset = name->offset;
      if (s->names.count == op->result_count && !is_number(name->name))
        op->results[at].name = name->name;
    }
    if (!og_mlir_define(r, name->name, values, name->number, name->offset))
      return false;
  }
  return true;
}
