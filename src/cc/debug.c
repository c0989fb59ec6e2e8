/* debug.c - DWARF of what is compiled, from the IR's !dbg: lines, functions, and where which are inlined. */
#include "cc/object.h"
#include "ir/words.h"
#include "object/debug/dwarf.h"
#include "object/debug/writer.h"

#include <string.h>

/* DWARF 5, section 7.5. */
enum {
  TAG_COMPILE_UNIT = 0x11, TAG_INLINED = 0x1d, TAG_SUBPROGRAM = 0x2e,
  AT_NAME = 0x03, AT_STMT_LIST = 0x10, AT_LOW_PC = 0x11, AT_HIGH_PC = 0x12, AT_LANGUAGE = 0x13, AT_COMP_DIR = 0x1b,
  AT_INLINE = 0x20, AT_PRODUCER = 0x25, AT_ORIGIN = 0x31, AT_DECL_FILE = 0x3a, AT_DECL_LINE = 0x3b, AT_EXTERNAL = 0x3f,
  AT_CALL_COLUMN = 0x57, AT_CALL_FILE = 0x58, AT_CALL_LINE = 0x59, AT_LINKAGE_NAME = 0x6e,
  FORM_ADDR = 0x01, FORM_DATA2 = 0x05, FORM_DATA4 = 0x06, FORM_STRING = 0x08, FORM_DATA1 = 0x0b, FORM_UDATA = 0x0f,
  FORM_REF4 = 0x13, FORM_SEC_OFFSET = 0x17, FORM_FLAG_PRESENT = 0x19,
  UT_COMPILE = 1, INLINED = 1,
};
enum { UNIT = 1, FUNCTION, ABSTRACT, INLINE }; /* kinds of entries */

static const uint8_t abbreviations[] = {
    UNIT, TAG_COMPILE_UNIT, true, AT_PRODUCER, FORM_STRING, AT_LANGUAGE, FORM_DATA2, AT_NAME, FORM_STRING,
    AT_STMT_LIST, FORM_SEC_OFFSET, AT_COMP_DIR, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, 0, 0,
    FUNCTION, TAG_SUBPROGRAM, true, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, AT_NAME, FORM_STRING,
    AT_LINKAGE_NAME, FORM_STRING, AT_DECL_FILE, FORM_UDATA, AT_DECL_LINE, FORM_UDATA, AT_EXTERNAL, FORM_FLAG_PRESENT,
    0, 0,
    ABSTRACT, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRING, AT_LINKAGE_NAME, FORM_STRING, AT_DECL_FILE, FORM_UDATA,
    AT_DECL_LINE, FORM_UDATA, AT_INLINE, FORM_DATA1, 0, 0,
    INLINE, TAG_INLINED, true, AT_ORIGIN, FORM_REF4, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, AT_CALL_FILE,
    FORM_UDATA, AT_CALL_LINE, FORM_UDATA, AT_CALL_COLUMN, FORM_UDATA, 0, 0,
    0,
};

enum { DEEPEST = 64 };

struct unit {
  struct cc_object *o;
  const struct og_ir_module *m;
  struct og_line_table table;
  uint32_t *file_of;  /* by metadata: 1 + the file's number */
  uint32_t *abstract; /* by metadata: where the entry of an inlined function stands in the unit */
  struct og_dwarf_writer info;
  uint32_t text; /* the section */
};

/* A field of a node; 0: it is not there. `node` is 1 + the metadata, as fields name them. */
static uint64_t field(const struct og_ir_module *m, uint64_t node, const char *name) {
  if (!node || node > m->metadata.count)
    return 0;
  const struct og_ir_metadata *n = &m->metadata.items[node - 1];
  const struct og_ir_node_row *row = n->kind > OG_IR_M_EXPRESSION ? og_ir_node_row(n->kind) : NULL;
  for (uint32_t i = 0; row && i < n->parts && row->fields[i].name; i++)
    if (strcmp(row->fields[i].name, name) == 0)
      return m->fields.items[n->first + i];
  return 0;
}

static struct og_text text_field(const struct og_ir_module *m, uint64_t node, const char *name) {
  uint64_t value = field(m, node, name);
  return value && m->metadata.items[value - 1].kind == OG_IR_M_STRING ? m->names.items[m->metadata.items[value - 1].first]
                                                                      : OG_TEXT("");
}

static bool is_kind(const struct og_ir_module *m, uint64_t node, unsigned kind) {
  return node && node <= m->metadata.count && m->metadata.items[node - 1].kind == kind;
}

/* The function that a place is written in. */
static uint64_t function_of(const struct og_ir_module *m, uint64_t scope) {
  for (unsigned depth = 0; depth < 1000 && scope && !is_kind(m, scope, OG_IR_M_SUBPROGRAM); depth++)
    scope = field(m, scope, "scope");
  return is_kind(m, scope, OG_IR_M_SUBPROGRAM) ? scope : 0;
}

static uint32_t file_number(struct unit *u, uint64_t scope) {
  uint64_t file = field(u->m, scope, "file");
  for (unsigned depth = 0; depth < 1000 && scope && !file; depth++)
    scope = field(u->m, scope, "scope"), file = field(u->m, scope, "file");
  if (!is_kind(u->m, file, OG_IR_M_FILE))
    return 0;
  if (!u->file_of[file - 1]) {
    struct og_text directory = text_field(u->m, file, "directory");
    uint32_t d = 0;
    while (d < u->table.directories.count && !og_text_equal(u->table.directories.items[d], directory))
      d++;
    if (d == u->table.directories.count)
      *OG_PUSH(u->o->arena, &u->table.directories) = directory;
    *OG_PUSH(u->o->arena, &u->table.files) =
        (struct og_line_file){.name = text_field(u->m, file, "filename"), .directory = d, .given = true};
    u->file_of[file - 1] = u->table.files.count;
  }
  return u->file_of[file - 1] - 1;
}

static void put_name(struct unit *u, uint64_t function) {
  struct og_text name = text_field(u->m, function, "name"), linkage = text_field(u->m, function, "linkageName");
  og_dwarf_string(&u->info.bytes, name);
  og_dwarf_string(&u->info.bytes, linkage.size ? linkage : name);
  og_buffer_uleb(&u->info.bytes, file_number(u, function));
  og_buffer_uleb(&u->info.bytes, field(u->m, function, "line"));
}

static void put_range(struct unit *u, uint64_t from, uint64_t to) {
  og_dwarf_reference(&u->info, u->text, from, true);
  og_buffer_u32(&u->info.bytes, (uint32_t)(to - from));
}

/* The places that lead to a line, the outermost first: each but the last is a call that was replaced. */
static unsigned chain(const struct og_ir_module *m, uint64_t location, uint64_t list[DEEPEST]) {
  unsigned count = 0;
  for (uint64_t at = location; at && count < DEEPEST; at = field(m, at, "inlinedAt"))
    list[count++] = at;
  for (unsigned k = 0; k < count / 2; k++) {
    uint64_t swap = list[k];
    list[k] = list[count - 1 - k], list[count - 1 - k] = swap;
  }
  return count;
}

/* Every function that is inlined somewhere has an entry before those that name it. */
static void put_abstract(struct unit *u, const struct cc_debug_function *f) {
  for (uint32_t k = 0; k < f->count; k++) {
    uint64_t list[DEEPEST];
    unsigned count = chain(u->m, f->lines[k].location, list);
    for (unsigned n = 1; n < count; n++) {
      uint64_t function = function_of(u->m, field(u->m, list[n], "scope"));
      if (!function || u->abstract[function - 1])
        continue;
      u->abstract[function - 1] = (uint32_t)u->info.bytes.size;
      og_buffer_uleb(&u->info.bytes, ABSTRACT);
      put_name(u, function);
      og_buffer_u8(&u->info.bytes, INLINED);
    }
  }
}

/* Lines from `first` on that have the same calls up to `depth`: where they end. */
static uint32_t same_until(const struct unit *u, const struct cc_debug_function *f, uint32_t first, unsigned depth) {
  uint64_t mine[DEEPEST], other[DEEPEST];
  unsigned count = chain(u->m, f->lines[first].location, mine);
  uint32_t k = first + 1;
  for (; k < f->count; k++)
    if (chain(u->m, f->lines[k].location, other) <= depth + 1 || count <= depth + 1 ||
        memcmp(mine, other, (depth + 1) * sizeof *mine) != 0)
      break;
  return k;
}

static void put_inlined(struct unit *u, const struct cc_debug_function *f, uint32_t first, uint32_t end, unsigned depth) {
  for (uint32_t k = first; k < end;) {
    uint64_t list[DEEPEST];
    unsigned count = chain(u->m, f->lines[k].location, list);
    uint64_t function = count > depth + 1 ? function_of(u->m, field(u->m, list[depth + 1], "scope")) : 0;
    if (!function || !u->abstract[function - 1]) {
      k++;
      continue;
    }
    uint32_t until = OG_MIN(same_until(u, f, k, depth), end);
    og_buffer_uleb(&u->info.bytes, INLINE);
    og_buffer_u32(&u->info.bytes, u->abstract[function - 1]);
    put_range(u, f->at + f->lines[k].at, f->at + (until < f->count ? f->lines[until].at : f->size));
    og_buffer_uleb(&u->info.bytes, file_number(u, field(u->m, list[depth], "scope")));
    og_buffer_uleb(&u->info.bytes, field(u->m, list[depth], "line"));
    og_buffer_uleb(&u->info.bytes, field(u->m, list[depth], "column"));
    put_inlined(u, f, k, until, depth + 1);
    og_buffer_u8(&u->info.bytes, 0);
    k = until;
  }
}

static void put_unit(struct unit *u, uint64_t unit) {
  struct cc_object *o = u->o;
  struct og_dwarf_writer kinds = og_dwarf_begin(o->elf, ".debug_abbrev", false);
  og_buffer_append(&kinds.bytes, abbreviations, sizeof abbreviations);
  u->info = og_dwarf_begin(o->elf, ".debug_info", false);
  uint32_t lines = og_object_find_section(o->elf, ".debug_line");
  if (!lines) /* its contents follow when all files are known */
    lines = og_object_add_section(o->elf, ".debug_line", SHT_PROGBITS, 0, 1);
  struct og_buffer *out = &u->info.bytes;
  size_t length = og_dwarf_begin_length(&u->info);
  og_buffer_u16(out, 5);
  og_buffer_u8(out, UT_COMPILE);
  og_buffer_u8(out, 8);
  og_dwarf_reference(&u->info, kinds.section, 0, false);
  og_buffer_uleb(out, UNIT);
  og_dwarf_string(out, text_field(u->m, unit, "producer"));
  og_buffer_u16(out, (uint16_t)field(u->m, unit, "language"));
  og_dwarf_string(out, u->table.files.items[0].name);
  og_dwarf_reference(&u->info, lines, 0, false);
  og_dwarf_string(out, u->table.directories.items[0]);
  put_range(u, 0, o->text.size);
  for (uint32_t k = 0; k < o->debugged.count; k++)
    put_abstract(u, &o->debugged.items[k]);
  for (uint32_t k = 0; k < o->debugged.count; k++) {
    const struct cc_debug_function *f = &o->debugged.items[k];
    og_buffer_uleb(out, FUNCTION);
    put_range(u, f->at, f->at + f->size);
    put_name(u, f->function);
    put_inlined(u, f, 0, f->count, 0);
    og_buffer_u8(out, 0);
  }
  og_buffer_u8(out, 0);
  og_dwarf_end_length(&u->info, length);
  og_dwarf_finish(&kinds);
  og_dwarf_finish(&u->info);
}

/* The function's own node, which its definition is marked with. */
static uint64_t subprogram(const struct og_ir_module *m, const struct og_ir_global *g) {
  const uint32_t *list = &m->pool.items[g->attachments];
  for (uint32_t k = 0; g->attachments && k < list[0]; k++)
    if (og_text_is(m->kinds.items[list[1 + 2 * k]], "dbg"))
      return 1 + (uint64_t)list[2 + 2 * k];
  return 0;
}

void cc_debug_add(struct cc_object *o, const struct cc_function *c, uint64_t at, uint64_t size) {
  uint64_t function = subprogram(c->m, c->global);
  if (!is_kind(c->m, function, OG_IR_M_SUBPROGRAM) || !is_kind(c->m, field(c->m, function, "unit"), OG_IR_M_COMPILE_UNIT))
    return;
  struct cc_line *lines = OG_NEW_ARRAY(o->arena, struct cc_line, c->lines.count + 1);
  if (c->lines.count)
    memcpy(lines, c->lines.items, c->lines.count * sizeof *lines);
  *OG_PUSH(o->arena, &o->debugged) =
      (struct cc_debug_function){.function = function, .at = at, .size = size, .lines = lines, .count = c->lines.count};
}

void cc_debug_end(struct cc_object *o, const struct og_ir_module *m) {
  if (!o->debugged.count)
    return;
  struct unit u = {.o = o, .m = m, .table = {.arena = o->arena, .version = 5}, .text = o->text_section};
  uint64_t unit = field(m, o->debugged.items[0].function, "unit");
  u.file_of = OG_NEW_ARRAY(o->arena, uint32_t, m->metadata.count + 1);
  u.abstract = OG_NEW_ARRAY(o->arena, uint32_t, m->metadata.count + 1);
  file_number(&u, unit);
  if (!u.table.files.count)
    return;
  put_unit(&u, unit);
  for (uint32_t k = 0; k < o->debugged.count; k++) {
    const struct cc_debug_function *f = &o->debugged.items[k];
    uint64_t opens = field(m, f->function, "scopeLine");
    *OG_PUSH(o->arena, &u.table.rows) =
        (struct og_line_row){.section = o->text_section,
                             .offset = f->at,
                             .file = file_number(&u, f->function),
                             .line = (uint32_t)(opens ? opens : field(m, f->function, "line"))};
    for (uint32_t n = 0; n < f->count; n++) {
      const struct cc_line *line = &f->lines[n];
      *OG_PUSH(o->arena, &u.table.rows) =
          (struct og_line_row){.section = o->text_section,
                               .offset = f->at + line->at,
                               .file = file_number(&u, field(m, line->location, "scope")),
                               .line = (uint32_t)field(m, line->location, "line"),
                               .column = (uint32_t)field(m, line->location, "column")};
    }
  }
  og_dwarf_write_lines(o->elf, &u.table);
}
