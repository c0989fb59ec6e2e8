/* read_region.c - the reader's regions and blocks, and where it goes on after an error. */
#include "xegpu/reader.h"

#include <string.h>

static struct og_mlir_block *block_named(struct og_mlir_reader *r, struct og_text name, uint32_t offset) {
  void **slot = og_map_at(r->arena, r->blocks, name);
  if (!*slot) {
    struct og_mlir_block *block = OG_NEW(r->arena, struct og_mlir_block);
    block->name = name;
    block->offset = offset;
    *slot = block;
  }
  return *slot;
}

void og_mlir_append_block(struct og_mlir_region *region, struct og_mlir_block *block) {
  block->region = region;
  block->number = region->last ? region->last->number + 1 : 0;
  if (region->last)
    region->last->next = block;
  else
    region->first = block;
  region->last = block;
}

bool og_mlir_read_successor(struct og_mlir_reader *r, struct og_mlir_state *s, bool typed) {
  if (og_mlir_at(r) != OG_MLIR_TOK_BLOCK)
    return og_mlir_fail(r, "expected block name");
  struct og_mlir_successor *to = OG_PUSH(r->arena, &s->successors);
  to->block = block_named(r, r->lexer.text, og_mlir_here(r));
  og_mlir_next(r);
  if (!typed || !og_mlir_take(r, '('))
    return true;
  uint32_t group = s->row->operand_groups - (s->row->id == OG_MLIR_OP_COND_BR ? 3 - s->successors.count : 1);
  return og_mlir_read_uses(r, &s->uses[group]) && og_mlir_expect(r, ':') &&
         og_mlir_read_type_list(r, &s->types[group]) && og_mlir_expect(r, ')');
}

/* ^name(%a : type, …): */
static struct og_mlir_block *read_label(struct og_mlir_reader *r, struct og_mlir_region *region) {
  struct og_mlir_block *block = block_named(r, r->lexer.text, og_mlir_here(r));
  if (block->region)
    return og_mlir_fail(r, "redefinition of block '^%.*s'", OG_TEXT_ARGS(block->name)), NULL;
  og_mlir_append_block(region, block);
  og_mlir_next(r);
  if (og_mlir_take(r, '(') && !og_mlir_take(r, ')')) {
    do {
      struct og_mlir_use name = {r->lexer.text, 0, og_mlir_here(r)};
      if (og_mlir_at(r) != OG_MLIR_TOK_VALUE)
        return og_mlir_fail(r, "expected SSA operand"), NULL;
      og_mlir_next(r);
      og_mlir_type type = og_mlir_expect(r, ':') ? og_mlir_read_type(r) : NULL;
      if (!type || (og_mlir_take_word(r, "loc") && !og_mlir_read_location(r)) ||
          !og_mlir_define_argument(r, block, name.name, type, name.offset))
        return NULL;
    } while (og_mlir_take(r, ','));
    if (!og_mlir_expect(r, ')'))
      return NULL;
  }
  return og_mlir_expect(r, ':') ? block : NULL;
}

/* After an error: goes to a line that may begin an operation, where `depth` braces are open. */
bool og_mlir_recover(struct og_mlir_reader *r, const char *from) {
  int depth = 0;
  for (const char *p = from; p < r->lexer.token; p++)
    depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
  const char *before = r->lexer.token;
  while (before > r->lexer.start && before[-1] != '\n' && (before[-1] == ' ' || before[-1] == '\t'))
    before--;
  bool first = before == r->lexer.start || before[-1] == '\n'; /* on its line */
  while (og_mlir_at(r) != OG_MLIR_TOK_END) {
    int kind = og_mlir_at(r);
    if (depth <= 0 && kind == '}')
      return true;
    if (depth <= 0 && first && r->lexer.token > from &&
        (kind == OG_MLIR_TOK_VALUE || kind == OG_MLIR_TOK_WORD || kind == OG_MLIR_TOK_BLOCK))
      return true;
    depth += kind == '{' ? 1 : kind == '}' ? -1 : 0;
    const char *end = r->lexer.at;
    og_mlir_next(r);
    first = memchr(end, '\n', (size_t)(r->lexer.token - end));
  }
  return false;
}

static bool read_blocks(struct og_mlir_reader *r, struct og_mlir_region *region, struct og_mlir_block *block) {
  bool ok = true;
  while (og_mlir_at(r) != '}') {
    if (og_mlir_at(r) == OG_MLIR_TOK_END)
      return ok && og_mlir_fail(r, "expected '}'");
    const char *from = r->lexer.token;
    if (og_mlir_at(r) == OG_MLIR_TOK_BLOCK) {
      struct og_mlir_block *next = read_label(r, region);
      if (next) {
        block = next;
        continue;
      }
    } else {
      if (!block)
        og_mlir_append_block(region, block = OG_NEW(r->arena, struct og_mlir_block));
      if (og_mlir_read_op(r, block))
        continue;
    }
    ok = false;
    if (og_diagnostics_errors(r->diagnostics) >= OG_MLIR_ERRORS_MOST || !og_mlir_recover(r, from))
      return false;
  }
  return ok;
}

bool og_mlir_read_region(struct og_mlir_reader *r, struct og_mlir_state *s, const struct og_mlir_arguments *arguments) {
  if (!og_mlir_enter(r) || !og_mlir_expect(r, '{'))
    return false;
  bool isolated = s->row->traits & OG_MLIR_T_ISOLATED;
  struct og_mlir_scope scope = {.outer = r->scope};
  struct og_map blocks = {0}, *outer_blocks = r->blocks;
  const char *outer_dialect = r->dialect;
  struct og_mlir_region *region = OG_NEW(r->arena, struct og_mlir_region), *outer_region = r->region;
  *OG_PUSH(r->arena, &s->regions) = region;
  uint32_t first_visible = r->visible.count;
  if (isolated)
    r->scope = &scope;
  r->blocks = &blocks;
  r->region = region;
  r->dialect = s->row->id == OG_MLIR_OP_FUNC ? "func" : s->row->id == OG_MLIR_OP_MODULE ? "builtin" : r->dialect;
  struct og_mlir_block *entry = NULL;
  bool ok = true;
  if (arguments) {
    og_mlir_append_block(region, entry = OG_NEW(r->arena, struct og_mlir_block));
    for (uint32_t i = 0; ok && i < arguments->names.count; i++)
      ok = og_mlir_define_argument(r, entry, arguments->names.items[i].name, arguments->types.items[i],
                                   arguments->names.items[i].offset);
  }
  ok = read_blocks(r, region, entry) && ok;
  ok = og_mlir_settle(r, isolated) && ok;
  for (uint32_t i = first_visible; i < r->visible.count; i++)
    r->visible.items[i]->visible = false;
  r->visible.count = first_visible;
  for (struct og_mlir_block *b = region->first; ok && b; b = b->next)
    for (struct og_mlir_op *op = b->first; op; op = op->next)
      for (uint32_t i = 0; i < op->successor_count; i++)
        if (!op->successors[i].block->region)
          ok = og_mlir_fail_at(r, op->successors[i].block->offset, "reference to an undefined block");
  r->scope = isolated ? scope.outer : r->scope;
  r->blocks = outer_blocks;
  r->region = outer_region;
  r->dialect = outer_dialect;
  r->depth--;
  return og_mlir_take(r, '}') ? ok : ok && og_mlir_fail(r, "expected '}'");
}

bool og_mlir_end_region(struct og_mlir_reader *r, struct og_mlir_region *region, const char *terminator) {
  if (!region->first)
    og_mlir_append_block(region, OG_NEW(r->arena, struct og_mlir_block));
  struct og_mlir_block *last = region->last;
  if (last->last && last->last->row->traits & OG_MLIR_T_TERMINATOR)
    return true;
  struct og_mlir_state s = {.offset = last->last ? last->last->offset : last->offset,
                            .row = og_mlir_row_find(r->m->table, r->spelling, og_text(terminator))};
  struct og_mlir_op *op = og_mlir_finish(r, &s);
  og_mlir_add_op(last, op);
  return true;
}
