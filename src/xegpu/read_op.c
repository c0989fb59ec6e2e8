/* read_op.c - the reader's operations: names of results, rows, the generic form. */
#include "xegpu/reader.h"

#include <string.h>

void og_mlir_add_op(struct og_mlir_block *block, struct og_mlir_op *op) {
  op->block = block;
  if (block->last)
    block->last->next = op;
  else
    block->first = op;
  block->last = op;
}

/* %a, %b:2 = */
static bool read_result_names(struct og_mlir_reader *r, struct og_mlir_state *s) {
  if (og_mlir_at(r) != OG_MLIR_TOK_VALUE)
    return true;
  do {
    if (og_mlir_at(r) != OG_MLIR_TOK_VALUE)
      return og_mlir_fail(r, "expected valid ssa identifier");
    struct og_mlir_use *name = OG_PUSH(r->arena, &s->names);
    *name = (struct og_mlir_use){r->lexer.text, 1, og_mlir_here(r)};
    og_mlir_next(r);
    int64_t count = 1;
    if (og_mlir_take(r, ':') && !og_mlir_read_i64(r, &count))
      return false;
    if (count < 1 || count > 4096)
      return og_mlir_fail_at(r, name->offset, "expected named operation to have at least 1 result");
    name->number = (uint32_t)count;
  } while (og_mlir_take(r, ','));
  return og_mlir_take(r, '=') || og_mlir_fail(r, "expected '=' after SSA name");
}

/* The name as the table has it: XeGPU.update_offsets is xegpu.update_offset. */
static struct og_text canonical_name(struct og_mlir_reader *r, struct og_text name) {
  static const struct {
    const char *from, *to;
  } others[] = {{"update_offsets", "xegpu.update_offset"},
                {"load_gather", "xegpu.load_gather"},
                {"load", "xegpu.load_gather"},
                {"store", "xegpu.store_scatter"},
                {"creat_nbarrier", "xegpu.alloc_nbarrier"},
                {"create_nbarrier", "xegpu.init_nbarrier"}};
  if (r->spelling == OG_MLIR_RFC && name.size > 6 && strncasecmp(name.data, "xegpu.", 6) == 0) {
    struct og_text rest = {name.data + 6, name.size - 6};
    for (size_t i = 0; i < OG_COUNT(others); i++)
      if (og_text_is(rest, others[i].from))
        return og_text(others[i].to);
    char *lower = og_arena_copy(r->arena, name.data, name.size);
    memcpy(lower, "xegpu.", 6);
    return (struct og_text){lower, name.size};
  }
  if (memchr(name.data, '.', name.size))
    return name;
  const char *dialect = og_text_is(name, "module") || og_text_is(name, "unrealized_conversion_cast") ? "builtin"
                        : r->dialect                                                                 ? r->dialect
                                                                                                     : "builtin";
  return og_text(og_arena_printf(r->arena, "%s.%.*s", dialect, OG_TEXT_ARGS(name)));
}

static bool find_row(struct og_mlir_reader *r, struct og_mlir_state *s, struct og_text name, bool custom) {
  struct og_text whole = canonical_name(r, name);
  s->row = og_mlir_row_find(r->m->table, r->spelling, whole);
  if (s->row)
    return true;
  for (int other = 0; other < OG_MLIR_SPELLINGS; other++)
    if (og_mlir_row_find(r->m->table, (enum og_mlir_spelling)other, whole))
      return og_mlir_fail_at(r, s->offset, "operation '%.*s' is not of this spelling of XeGPU (%s), but of %s",
                             OG_TEXT_ARGS(whole), og_mlir_spelling_names[r->spelling], og_mlir_spelling_names[other]);
  return custom && !memchr(name.data, '.', name.size)
             ? og_mlir_fail_at(r, s->offset, "custom op '%.*s' is unknown (tried '%.*s' as well)", OG_TEXT_ARGS(name),
                               OG_TEXT_ARGS(whole))
             : og_mlir_fail_at(r, s->offset, "custom op '%.*s' is unknown", OG_TEXT_ARGS(whole));
}

/* Puts the operands of the generic form into their groups. */
static bool split_groups(struct og_mlir_reader *r, struct og_mlir_state *s, const og_mlir_uses *uses,
                         const og_mlir_types *types, const og_mlir_types *results) {
  const struct og_mlir_row *row = s->row;
  og_mlir_attr sizes = NULL;
  for (uint32_t i = 0; i < s->attributes.count; i++)
    if (og_text_is(s->attributes.items[i].name, "operandSegmentSizes")) {
      sizes = s->attributes.items[i].value;
      s->attributes.items[i] = s->attributes.items[--s->attributes.count];
      break;
    }
  if (row->traits & OG_MLIR_T_SEGMENTS &&
      (!sizes || sizes->kind != OG_MLIR_DENSE_ARRAY || sizes->int_count != row->operand_groups))
    return og_mlir_fail_at(r, s->offset,
                           "'%s' op operand count does not match with the total size (0) specified in "
                           "attribute 'operandSegmentSizes'",
                           row->name);
  if (uses->count != types->count)
    return og_mlir_fail_at(r, s->offset, "expected %u operand type%s but had %u", uses->count,
                           uses->count == 1 ? "" : "s", types->count);
  uint32_t fixed = 0, at = 0, flexible = 0;
  for (uint32_t g = 0; g < row->operand_groups; g++)
    fixed += row->operands[g].arity == OG_MLIR_ONE, flexible += row->operands[g].arity != OG_MLIR_ONE;
  for (uint32_t g = 0; g < row->operand_groups; g++) {
    int64_t count = row->operands[g].arity == OG_MLIR_ONE ? 1 : (int64_t)uses->count - fixed;
    if (row->traits & OG_MLIR_T_SEGMENTS)
      count = sizes->ints[g];
    else if (flexible > 1 && row->operands[g].arity == OG_MLIR_VARIADIC)
      count = OG_MAX(count, 0); /* the first takes all: only `offsets` before optional ones is such */
    if (count < 0 || (uint64_t)count > uses->count - at)
      return og_mlir_fail_at(r, s->offset, "'%s' op expected %u operands, but found %u", row->name, fixed, uses->count);
    for (int64_t i = 0; i < count; i++, at++) {
      *OG_PUSH(r->arena, &s->uses[g]) = uses->items[at];
      *OG_PUSH(r->arena, &s->types[g]) = types->items[at];
    }
  }
  if (at != uses->count)
    return og_mlir_fail_at(r, s->offset, "'%s' op expected %u operands, but found %u", row->name, at, uses->count);
  at = 0;
  for (uint32_t g = 0; g < row->result_groups; g++) {
    uint32_t left = results->count - at, later = row->result_groups - g - 1;
    uint32_t count = row->results[g].arity == OG_MLIR_ONE        ? OG_MIN(left, 1u)
                     : row->results[g].arity == OG_MLIR_OPTIONAL ? OG_MIN(left, 1u)
                                                                 : left - OG_MIN(left, later);
    for (uint32_t i = 0; i < count; i++)
      *OG_PUSH(r->arena, &s->types[row->operand_groups + g]) = results->items[at++];
    if (!count && row->results[g].arity == OG_MLIR_ONE)
      at = UINT32_MAX;
    if (at == UINT32_MAX)
      break;
  }
  return at == results->count || og_mlir_fail_at(r, s->offset, "'%s' op requires %u result%s", row->name,
                                                 row->result_groups, row->result_groups == 1 ? "" : "s");
}

/* "name"(%a) [^bb] <{…}> ({…}) {…} : (types) -> types */
static bool read_generic(struct og_mlir_reader *r, struct og_mlir_state *s) {
  og_mlir_uses uses = {0};
  og_mlir_types types = {0}, results = {0};
  if (!find_row(r, s, r->lexer.text, false))
    return false;
  og_mlir_next(r);
  if (!og_mlir_expect(r, '(') || !og_mlir_read_uses(r, &uses) || !og_mlir_expect(r, ')'))
    return false;
  if (og_mlir_take(r, '[')) {
    do
      if (!og_mlir_read_successor(r, s, false))
        return false;
    while (og_mlir_take(r, ','));
    if (!og_mlir_expect(r, ']'))
      return false;
  }
  if (og_mlir_take(r, '<') && (!og_mlir_read_dictionary(r, s) || !og_mlir_expect(r, '>')))
    return false;
  if (og_mlir_take(r, '(')) {
    do
      if (!og_mlir_read_region(r, s, NULL))
        return false;
    while (og_mlir_take(r, ','));
    if (!og_mlir_expect(r, ')'))
      return false;
  }
  if (og_mlir_at(r) == '{' && !og_mlir_read_dictionary(r, s))
    return false;
  return og_mlir_expect(r, ':') && og_mlir_read_functional(r, &types, &results) &&
         split_groups(r, s, &uses, &types, &results);
}

struct og_mlir_op *og_mlir_read_op(struct og_mlir_reader *r, struct og_mlir_block *block) {
  struct og_mlir_state s = {.offset = og_mlir_here(r)};
  if (!read_result_names(r, &s))
    return NULL;
  s.offset = og_mlir_here(r);
  s.size = (uint32_t)(r->lexer.at - r->lexer.token);
  bool ok;
  if (og_mlir_at(r) == OG_MLIR_TOK_STRING) {
    ok = read_generic(r, &s);
  } else if (og_mlir_at(r) == OG_MLIR_TOK_WORD) {
    ok = find_row(r, &s, r->lexer.text, true);
    if (ok) {
      og_mlir_next(r);
      ok = s.row->custom ? og_mlir_read_custom(r, &s, (uint8_t)(s.row->custom - 1)) : og_mlir_read_format(r, &s);
    }
  } else {
    ok = og_mlir_fail(r, "expected operation name in quotes");
  }
  if (ok && og_mlir_take_word(r, "loc"))
    ok = og_mlir_read_location(r);
  struct og_mlir_op *op = ok ? og_mlir_finish(r, &s) : NULL;
  if (!op || !og_mlir_name_results(r, &s, op)) {
    for (uint32_t i = 0; i < s.names.count; i++) { /* so that their uses are no second error */
      struct og_mlir_value **none = OG_NEW_ARRAY(r->arena, struct og_mlir_value *, s.names.items[i].number + 1);
      const struct og_mlir_binding *binding = og_map_get(&r->scope->names, s.names.items[i].name);
      if (!binding || !binding->visible)
        og_mlir_define(r, s.names.items[i].name, none, s.names.items[i].number, s.names.items[i].offset);
    }
    return NULL;
  }
  og_mlir_add_op(block, op);
  return op;
}
