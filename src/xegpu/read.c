/* read.c - reads the text of a module: aliases, which spelling it is, the top level. */
#include "xegpu/reader.h"

#include <string.h>

/* #name = attribute or !name = type */
static bool read_alias(struct og_mlir_reader *r) {
  bool type = og_mlir_at(r) == OG_MLIR_TOK_TYPE;
  struct og_text name = r->lexer.text;
  uint32_t offset = og_mlir_here(r);
  og_mlir_next(r);
  if (!og_mlir_expect(r, '='))
    return false;
  if (memchr(name.data, '.', name.size))
    return og_mlir_fail_at(r, offset,
                           type ? "type names with a '.' are reserved for dialect-defined names"
                                : "attribute names with a '.' are reserved for dialect-defined names");
  struct og_map *map = type ? &r->type_aliases : &r->attr_aliases;
  if (og_map_get(map, name))
    return og_mlir_fail_at(r, offset, "redefinition of %s alias id '%.*s'", type ? "type" : "attribute",
                           OG_TEXT_ARGS(name));
  if (!type && og_mlir_take_word(r, "loc"))
    return og_mlir_read_location(r);
  const struct og_mlir_node *node = type ? og_mlir_read_type(r) : og_mlir_read_attr(r, NULL);
  if (node)
    *og_map_at(r->arena, map, name) = (void *)node;
  return node;
}

static bool contains(const char *text, size_t size, const char *part) {
  return memmem(text, size, part, strlen(part)) != NULL;
}

/* The text with spaces in place of comments, so that words in these do not count. */
static const char *without_comments(struct og_arena *arena, const char *text, size_t size) {
  char *copy = og_arena_copy(arena, text, size);
  bool quoted = false;
  for (size_t i = 0; i < size; i++) {
    quoted = copy[i] == '"' ? !quoted : copy[i] != '\n' && quoted;
    if (!quoted && copy[i] == '/' && copy[i + 1] == '/')
      while (i < size && copy[i] != '\n')
        copy[i++] = ' ';
  }
  return copy;
}

/* Forms that only MLIR 19 has: lists of offsets in scattered descriptors, a dpas whose A has three dimensions. */
static bool has_forms_of_19(const char *text, size_t size) {
  const char *end = text + size, *at = text;
  while ((at = memmem(at, (size_t)(end - at), "xegpu.", 6))) {
    struct og_text rest = {at + 6, (size_t)(end - at) - 6};
    const char *line = memchr(rest.data, '\n', rest.size), *sign;
    rest.size = line ? (size_t)(line - rest.data) : rest.size;
    at += 6;
    if (og_text_skip(&rest, "create_tdesc ") || og_text_skip(&rest, "update_offset ")) {
      sign = memchr(rest.data, '[', rest.size);
      const char *types = memchr(rest.data, ':', rest.size);
      if (sign && (!types || sign < types))
        return true;
    } else if (og_text_skip(&rest, "create_nd_tdesc ")) {
      if (contains(rest.data, rest.size, "], ["))
        return true;
    } else if (og_text_skip(&rest, "dpas ") && (sign = memchr(rest.data, ':', rest.size))) {
      int dimensions = 0;
      for (sign++; sign < rest.data + rest.size && *sign != '>' && *sign != ','; sign++)
        dimensions += *sign == 'x' && sign[-1] >= '0' && sign[-1] <= '9';
      if (dimensions == 3)
        return true;
    }
  }
  return false;
}

/* The spelling, by forms that only one of them has. */
static enum og_mlir_spelling spelling_of(const char *text, size_t size) {
  static const struct {
    const char *mark;
    enum og_mlir_spelling spelling;
  } marks[] = {{"XeGPU.", OG_MLIR_RFC},
               {"XeGpu.", OG_MLIR_RFC},
               {"mode = vc", OG_MLIR_FIRST},
               {"mode=vc", OG_MLIR_FIRST},
               {"mode = simt", OG_MLIR_FIRST},
               {"xegpu.sg_map", OG_MLIR_FIRST},
               {"chunk_size_per_lane", OG_MLIR_FIRST},
               {"xegpu.scattered", OG_MLIR_FIRST},
               {"xegpu.tdesc_attr", OG_MLIR_19},
               {"vnni_axis", OG_MLIR_19},
               {"memory_scope", OG_MLIR_19}};
  for (size_t i = 0; i < OG_COUNT(marks); i++)
    if (contains(text, size, marks[i].mark))
      return marks[i].spelling;
  return has_forms_of_19(text, size) ? OG_MLIR_19 : OG_MLIR_22;
}

static bool read_top(struct og_mlir_reader *r, struct og_mlir_block *block) {
  bool ok = true;
  while (og_mlir_at(r) != OG_MLIR_TOK_END) {
    const char *from = r->lexer.token;
    bool alias = og_mlir_at(r) == OG_MLIR_TOK_ATTR || og_mlir_at(r) == OG_MLIR_TOK_TYPE;
    if (alias ? read_alias(r) : og_mlir_read_op(r, block) != NULL)
      continue;
    ok = false;
    if (og_diagnostics_errors(r->diagnostics) >= OG_MLIR_ERRORS_MOST)
      return false;
    while (og_mlir_recover(r, from) && og_mlir_at(r) == '}')
      og_mlir_next(r), from = r->lexer.token;
  }
  return og_mlir_settle(r, true) && ok;
}

struct og_mlir_module *og_mlir_read(struct og_arena *arena, const char *name, const void *text, size_t size,
                                    enum og_mlir_spelling spelling, struct og_diagnostics *diagnostics) {
  struct og_mlir_module *m = OG_NEW(arena, struct og_mlir_module);
  char *copy = og_arena_copy_input(arena, name, text, size, diagnostics);
  if (!copy)
    return NULL;
  m->arena = arena;
  m->source = (struct og_source){.name = name, .text = copy, .size = size};
  m->interner = og_mlir_interner_new(arena);
  m->table = og_mlir_table_new(arena);
  m->spelling = spelling == OG_MLIR_SPELLINGS ? spelling_of(without_comments(arena, copy, size), size) : spelling;
  struct og_mlir_scope scope = {0};
  struct og_map blocks = {0};
  struct og_mlir_region *region = OG_NEW(arena, struct og_mlir_region);
  struct og_mlir_block *block = OG_NEW(arena, struct og_mlir_block);
  og_mlir_append_block(region, block);
  struct og_mlir_reader r = {.m = m,
                             .arena = arena,
                             .in = m->interner,
                             .diagnostics = diagnostics,
                             .spelling = m->spelling,
                             .scope = &scope,
                             .blocks = &blocks,
                             .region = region,
                             .lexer = {.start = copy, .end = copy + size, .at = copy, .arena = arena}};
  og_mlir_next(&r);
  if (!read_top(&r, block))
    return NULL;
  if (block->first && !block->first->next && block->first->row->id == OG_MLIR_OP_MODULE) {
    m->op = block->first;
    m->op->block = NULL;
    return m;
  }
  struct og_mlir_state s = {.row = og_mlir_row_find(m->table, m->spelling, OG_TEXT("builtin.module"))};
  *OG_PUSH(arena, &s.regions) = region;
  m->op = og_mlir_finish(&r, &s);
  return m;
}
