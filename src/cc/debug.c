/* debug.c - DWARF of compiled code, from the IR's !dbg: lines, functions, which of them are inlined where, and the
 * blocks and variables of each (debug_types.c writes variables and types). */
#include "cc/debug.h"
#include "cc/debug_tracks.h"
#include "ir/words.h"

#include <string.h>

enum { DEEPEST = 64, UT_COMPILE = 1, INLINED = 1 };

uint64_t cc_debug_field(const struct og_ir_module *m, uint64_t node, const char *name) {
  if (!node || node > m->metadata.count)
    return 0;
  const struct og_ir_metadata *n = &m->metadata.items[node - 1];
  const struct og_ir_node_row *row = n->kind > OG_IR_M_EXPRESSION ? og_ir_node_row(n->kind) : NULL;
  for (uint32_t i = 0; row && i < n->parts && row->fields[i].name; i++)
    if (strcmp(row->fields[i].name, name) == 0)
      return m->fields.items[n->first + i];
  return 0;
}

struct og_text cc_debug_text(const struct og_ir_module *m, uint64_t node, const char *name) {
  uint64_t value = cc_debug_field(m, node, name);
  return value && m->metadata.items[value - 1].kind == OG_IR_M_STRING
             ? m->names.items[m->metadata.items[value - 1].first]
             : OG_TEXT("");
}

bool cc_debug_is(const struct og_ir_module *m, uint64_t node, unsigned kind) {
  return node && node <= m->metadata.count && m->metadata.items[node - 1].kind == kind;
}

/* The function that a place in the source belongs to. */
static uint64_t function_of(const struct og_ir_module *m, uint64_t scope) {
  for (unsigned depth = 0; depth < 1000 && scope && !cc_debug_is(m, scope, OG_IR_M_SUBPROGRAM); depth++)
    scope = cc_debug_field(m, scope, "scope");
  return cc_debug_is(m, scope, OG_IR_M_SUBPROGRAM) ? scope : 0;
}

uint32_t cc_debug_file(struct cc_debug_unit *u, uint64_t scope) {
  uint64_t file = cc_debug_field(u->m, scope, "file");
  for (unsigned depth = 0; depth < 1000 && scope && !file; depth++)
    scope = cc_debug_field(u->m, scope, "scope"), file = cc_debug_field(u->m, scope, "file");
  if (!cc_debug_is(u->m, file, OG_IR_M_FILE))
    return 0;
  if (!u->file_of[file - 1]) {
    struct og_text directory = cc_debug_text(u->m, file, "directory");
    uint32_t d = 0;
    while (d < u->table.directories.count && !og_text_equal(u->table.directories.items[d], directory))
      d++;
    if (d == u->table.directories.count)
      *OG_PUSH(u->o->arena, &u->table.directories) = directory;
    *OG_PUSH(u->o->arena, &u->table.files) =
        (struct og_line_file){.name = cc_debug_text(u->m, file, "filename"), .directory = d, .given = true};
    u->file_of[file - 1] = u->table.files.count;
  }
  return u->file_of[file - 1] - 1;
}

static void put_name(struct cc_debug_unit *u, uint64_t function) {
  struct og_text name = cc_debug_text(u->m, function, "name"), linkage = cc_debug_text(u->m, function, "linkageName");
  og_dwarf_string(&u->info.bytes, name);
  og_dwarf_string(&u->info.bytes, linkage.size ? linkage : name);
  og_buffer_uleb(&u->info.bytes, cc_debug_file(u, function));
  og_buffer_uleb(&u->info.bytes, cc_debug_field(u->m, function, "line"));
}

static void put_range(struct cc_debug_unit *u, uint64_t from, uint64_t to) {
  og_dwarf_reference(&u->info, u->text, from, true);
  og_buffer_u32(&u->info.bytes, (uint32_t)(to - from));
}

/* One of the scopes around a line, listed from the function's body inwards: bodies inlined by a call, and blocks that
 * have variables. */
struct around {
  uint64_t node; /* the function's, or the block's */
  uint64_t call; /* the place of the call; 0: it is a block */
};

static unsigned add_blocks(const struct cc_debug_unit *u, uint64_t scope, struct around *list, unsigned count) {
  unsigned first = count;
  for (unsigned depth = 0; depth < 1000 && scope && !cc_debug_is(u->m, scope, OG_IR_M_SUBPROGRAM); depth++) {
    if (u->has_variables[scope - 1] && count < DEEPEST)
      list[count++] = (struct around){scope, 0};
    scope = cc_debug_field(u->m, scope, "scope");
  }
  for (unsigned k = 0; k < (count - first) / 2; k++) {
    struct around swap = list[first + k];
    list[first + k] = list[count - 1 - k], list[count - 1 - k] = swap;
  }
  return count;
}

static unsigned find_around(const struct cc_debug_unit *u, uint64_t location, struct around list[DEEPEST]) {
  uint64_t places[DEEPEST];
  unsigned calls = 0, count = 0;
  for (uint64_t at = location; at && calls < DEEPEST; at = cc_debug_field(u->m, at, "inlinedAt"))
    places[calls++] = at;
  for (unsigned k = calls; k-- > 0;) {
    uint64_t scope = cc_debug_field(u->m, places[k], "scope");
    if (k + 1 < calls && count < DEEPEST)
      list[count++] = (struct around){function_of(u->m, scope), places[k + 1]};
    count = add_blocks(u, scope, list, count);
  }
  return count;
}

/* ---- scopes ------------------------------------------------------------------------------------------------------ */

struct scope_key {
  uint64_t parent, node, call;
};

static uint32_t find_scope(struct cc_debug_unit *u, struct cc_debug_scopes *s, struct og_map *index, uint32_t parent,
                           struct around a) {
  struct og_arena *arena = u->o->arena;
  struct scope_key key = {parent, a.node, a.call};
  void **known =
      og_map_at(arena, index, (struct og_text){og_arena_copy(arena, (const char *)&key, sizeof key), sizeof key});
  if (!*known) {
    struct cc_debug_scope *child = OG_PUSH(arena, &s->list);
    *child = (struct cc_debug_scope){.node = a.node, .call = a.call, .parent = parent};
    *known = (void *)(uintptr_t)s->list.count;
    struct cc_debug_scope *p = &s->list.items[parent];
    *(p->last ? &s->list.items[p->last].next : &p->first) = s->list.count - 1;
    p->last = s->list.count - 1;
  }
  return (uint32_t)(uintptr_t)*known - 1;
}

/* The scope in a function's tree that a place in the source belongs to; 0: the function itself. */
static uint32_t scope_of(struct cc_debug_unit *u, struct cc_debug_scopes *s, struct og_map *index, uint64_t location) {
  struct around list[DEEPEST];
  uint32_t at = 0;
  if (!location || location > u->m->metadata.count)
    return 0;
  if (s->of[location])
    return s->of[location] - 1;
  unsigned count = find_around(u, location, list);
  for (unsigned n = 0; n < count && (!list[n].call || list[n].node); n++)
    at = find_scope(u, s, index, at, list[n]);
  s->of[location] = 1 + at;
  *OG_PUSH(u->o->arena, &s->known) = (uint32_t)location;
  return at;
}

static void add_stretch(struct cc_debug_unit *u, struct cc_debug_scope *s, uint64_t from, uint64_t to) {
  struct cc_debug_stretch *last = s->stretches.count ? &s->stretches.items[s->stretches.count - 1] : NULL;
  if (last && last->to == from)
    last->to = to;
  else if (to > from)
    *OG_PUSH(u->o->arena, &s->stretches) = (struct cc_debug_stretch){from, to};
}

/* Builds a function's tree of scopes: inlined bodies, and blocks. */
static void find_scopes(struct cc_debug_unit *u, struct cc_debug_function *f) {
  struct cc_debug_scopes *s = &f->scopes;
  struct og_map index = {0};
  s->of = u->scope_of;
  OG_PUSH(u->o->arena, &s->list)->node = f->function;
  for (uint32_t k = 0; k < f->count; k++)
    for (uint32_t at = scope_of(u, s, &index, f->lines[k].location); at; at = s->list.items[at].parent)
      add_stretch(u, &s->list.items[at], f->at + f->lines[k].at,
                  f->at + (k + 1 < f->count ? f->lines[k + 1].at : f->size));
  for (uint32_t k = 0; k < f->variable_count; k++) {
    uint32_t at = scope_of(u, s, &index, f->variables[k].location);
    if (at || function_of(u->m, f->variables[k].node) == f->function)
      *OG_PUSH(u->o->arena, &s->list.items[at].variables) = k;
  }
  for (uint32_t k = 0; k < s->known.count; k++)
    s->of[s->known.items[k]] = 0;
}

/* Every inlined function has an abstract entry, before the entries that refer to it. */
static void put_abstract(struct cc_debug_unit *u, const struct cc_debug_function *f) {
  for (uint32_t k = 1; k < f->scopes.list.count; k++) {
    uint64_t function = f->scopes.list.items[k].node;
    if (!f->scopes.list.items[k].call || u->abstract[function - 1])
      continue;
    u->abstract[function - 1] = (uint32_t)u->info.bytes.size;
    og_buffer_uleb(&u->info.bytes, CC_DEBUG_ABSTRACT);
    put_name(u, function);
    og_buffer_u8(&u->info.bytes, INLINED);
  }
}

/* The variables that belong to this scope itself. */
static void put_variables(struct cc_debug_unit *u, const struct cc_debug_function *f, const struct cc_debug_scope *s) {
  for (uint32_t k = 0; k < f->static_count; k++)
    if (f->statics[k].node && cc_debug_field(u->m, f->statics[k].node, "scope") == s->node)
      cc_debug_put_static(u, &f->statics[k]);
  for (uint32_t k = 0; k < s->variables.count; k++)
    cc_debug_put_variable(u, f, &f->variables[s->variables.items[k]]);
}

static void put_scope(struct cc_debug_unit *u, const struct cc_debug_function *f, uint32_t number) {
  const struct cc_debug_scope *s = &f->scopes.list.items[number];
  bool one = s->stretches.count == 1;
  if (!s->stretches.count) /* no code of it is left */
    return;
  og_buffer_uleb(&u->info.bytes, s->call ? (one ? CC_DEBUG_INLINE : CC_DEBUG_INLINE_PARTS)
                                 : one   ? CC_DEBUG_BLOCK
                                         : CC_DEBUG_BLOCK_PARTS);
  if (s->call)
    og_buffer_u32(&u->info.bytes, u->abstract[s->node - 1]);
  if (one)
    put_range(u, s->stretches.items[0].from, s->stretches.items[0].to);
  else
    cc_debug_put_stretches(u, s->stretches.items, s->stretches.count);
  if (s->call) {
    og_buffer_uleb(&u->info.bytes, cc_debug_file(u, cc_debug_field(u->m, s->call, "scope")));
    og_buffer_uleb(&u->info.bytes, cc_debug_field(u->m, s->call, "line"));
    og_buffer_uleb(&u->info.bytes, cc_debug_field(u->m, s->call, "column"));
  }
  put_variables(u, f, s);
  for (uint32_t child = s->first; child; child = f->scopes.list.items[child].next)
    put_scope(u, f, child);
  og_buffer_u8(&u->info.bytes, 0);
}

/* A kernel lists all objects in its LDS, so that a reader knows that the bytes between belong to none. */
static void put_other_lds(struct cc_debug_unit *u, const struct cc_debug_function *f) {
  for (uint32_t k = 0; k < f->static_count && !f->frame; k++)
    if (!f->statics[k].put)
      cc_debug_put_static(u, &f->statics[k]);
}

static void put_unit(struct cc_debug_unit *u, uint64_t unit) {
  struct cc_object *o = u->o;
  struct og_dwarf_writer kinds = og_dwarf_begin(o->elf, ".debug_abbrev", false);
  cc_debug_put_abbreviations(&kinds.bytes);
  u->info = og_dwarf_begin(o->elf, ".debug_info", false);
  uint32_t lines = og_object_find_section(o->elf, ".debug_line");
  if (!lines) /* its contents follow when all files are known */
    lines = og_object_add_section(o->elf, ".debug_line", SHT_PROGBITS, 0, 1);
  struct og_buffer *out = &u->info.bytes;
  size_t start = u->info.bytes.size, length = og_dwarf_begin_length(&u->info);
  og_buffer_u16(out, 5);
  og_buffer_u8(out, UT_COMPILE);
  og_buffer_u8(out, 8);
  og_dwarf_reference(&u->info, kinds.section, 0, false);
  og_buffer_uleb(out, CC_DEBUG_UNIT);
  og_dwarf_string(out, cc_debug_text(u->m, unit, "producer"));
  og_buffer_u16(out, (uint16_t)cc_debug_field(u->m, unit, "language"));
  og_dwarf_string(out, u->table.files.items[0].name);
  og_dwarf_reference(&u->info, lines, 0, false);
  og_dwarf_string(out, u->table.directories.items[0]);
  put_range(u, 0, o->text.size);
  cc_debug_begin_lists(u);
  for (uint32_t k = 0; k < o->debugged.count; k++) {
    find_scopes(u, &o->debugged.items[k]);
    put_abstract(u, &o->debugged.items[k]);
  }
  for (uint32_t k = 0; k < o->debugged.count; k++) {
    const struct cc_debug_function *f = &o->debugged.items[k];
    og_buffer_uleb(out, CC_DEBUG_FUNCTION);
    put_range(u, f->at, f->at + f->size);
    put_name(u, f->function);
    put_variables(u, f, &f->scopes.list.items[0]);
    for (uint32_t child = f->scopes.list.items[0].first; child; child = f->scopes.list.items[child].next)
      put_scope(u, f, child);
    put_other_lds(u, f);
    for (uint32_t n = 0; n < f->home_count; n++)
      cc_debug_put_home(u, f, &f->homes[n]);
    og_buffer_u8(out, 0);
  }
  cc_debug_put_globals(u);
  cc_debug_put_types(u, start);
  og_buffer_u8(out, 0);
  og_dwarf_end_length(&u->info, length);
  og_dwarf_finish(&kinds);
  og_dwarf_finish(&u->info);
  cc_debug_end_lists(u);
}

uint64_t cc_debug_attached(const struct og_ir_module *m, const struct og_ir_global *g, unsigned kind) {
  const uint32_t *list = &m->pool.items[g->attachments];
  for (uint32_t k = 0; g->attachments && k < list[0]; k++)
    if (og_text_is(m->kinds.items[list[1 + 2 * k]], "dbg") && cc_debug_is(m, 1 + (uint64_t)list[2 + 2 * k], kind))
      return 1 + (uint64_t)list[2 + 2 * k];
  return 0;
}

void cc_debug_add(struct cc_object *o, struct cc_function *c, uint64_t at, uint64_t size) {
  uint64_t function = cc_debug_attached(c->m, c->global, OG_IR_M_SUBPROGRAM);
  if (!function || !cc_debug_is(c->m, cc_debug_field(c->m, function, "unit"), OG_IR_M_COMPILE_UNIT))
    return;
  struct cc_line *lines = OG_NEW_ARRAY(o->arena, struct cc_line, c->lines.count + 1);
  if (c->lines.count)
    memcpy(lines, c->lines.items, c->lines.count * sizeof *lines);
  struct cc_debug_function *f = OG_PUSH(o->arena, &o->debugged);
  *f =
      (struct cc_debug_function){.function = function, .at = at, .size = size, .lines = lines, .count = c->lines.count};
  cc_debug_find_variables(o, c, f);
  cc_debug_find_homes(o, c, f);
  cc_debug_find_values(o, c, f, (uint32_t)size);
  cc_debug_find_statics(o, c, f);
}

void cc_debug_end(struct cc_object *o, const struct og_ir_module *m) {
  if (!o->debugged.count)
    return;
  struct cc_debug_unit u = {.o = o, .m = m, .table = {.arena = o->arena, .version = 5}, .text = o->text_section};
  uint64_t unit = cc_debug_field(m, o->debugged.items[0].function, "unit");
  u.file_of = OG_NEW_ARRAY(o->arena, uint32_t, m->metadata.count + 1);
  u.abstract = OG_NEW_ARRAY(o->arena, uint32_t, m->metadata.count + 1);
  u.type_at = OG_NEW_ARRAY(o->arena, uint32_t, m->metadata.count + 1);
  u.scope_of = OG_NEW_ARRAY(o->arena, uint32_t, m->metadata.count + 1);
  u.has_variables = OG_NEW_ARRAY(o->arena, bool, m->metadata.count + 1);
  for (uint32_t k = 0; k < o->debugged.count; k++)
    for (uint32_t n = 0; n < o->debugged.items[k].variable_count; n++) {
      uint64_t scope = cc_debug_field(m, o->debugged.items[k].variables[n].node, "scope");
      if (cc_debug_is(m, scope, OG_IR_M_LEXICAL_BLOCK))
        u.has_variables[scope - 1] = true;
    }
  for (uint32_t k = 0; k < o->debugged.count; k++)
    for (uint32_t n = 0; n < o->debugged.items[k].static_count; n++) {
      uint64_t scope = cc_debug_field(m, o->debugged.items[k].statics[n].node, "scope");
      if (cc_debug_is(m, scope, OG_IR_M_LEXICAL_BLOCK))
        u.has_variables[scope - 1] = true;
    }
  cc_debug_file(&u, unit);
  if (!u.table.files.count)
    return;
  put_unit(&u, unit);
  for (uint32_t k = 0; k < o->debugged.count; k++) {
    const struct cc_debug_function *f = &o->debugged.items[k];
    uint64_t opens = cc_debug_field(m, f->function, "scopeLine");
    *OG_PUSH(o->arena, &u.table.rows) =
        (struct og_line_row){.section = o->text_section,
                             .offset = f->at,
                             .file = cc_debug_file(&u, f->function),
                             .line = (uint32_t)(opens ? opens : cc_debug_field(m, f->function, "line"))};
    for (uint32_t n = 0; n < f->count; n++) {
      const struct cc_line *line = &f->lines[n];
      *OG_PUSH(o->arena, &u.table.rows) =
          (struct og_line_row){.section = o->text_section,
                               .offset = f->at + line->at,
                               .file = cc_debug_file(&u, cc_debug_field(m, line->location, "scope")),
                               .line = (uint32_t)cc_debug_field(m, line->location, "line"),
                               .column = (uint32_t)cc_debug_field(m, line->location, "column")};
    }
  }
  og_dwarf_write_lines(o->elf, &u.table);
}
