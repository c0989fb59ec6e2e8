/* lines.c - which source line an instruction came from: of the sources themselves (-g), or as
 * .file and .loc say (compilers). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/internal.h"
#include "object/debug/dwarf.h"

enum { MOST_FILES = 0xffff };

/* ---- -g: the sources themselves ---------------------------------------------------------------------------------- */

/* The innermost text that is a file: what macros and repetitions make belongs to the line that used them. */
static const struct og_source *place(const struct og_asm *as, uint32_t *offset) {
  const struct og_input *input = as->input;
  *offset = (uint32_t)(as->statement - input->source->text);
  for (; input->outer && input->source->name[0] == '<'; input = input->outer)
    *offset = input->source->included_at;
  return input->source;
}

static uint32_t file_of(struct og_asm *as, const struct og_source *source) {
  for (uint32_t i = 0; i < as->debug.sources.count; i++)
    if (strcmp(as->debug.sources.items[i]->name, source->name) == 0)
      return i;
  *OG_PUSH(as->arena, &as->debug.sources) = source;
  return as->debug.sources.count - 1;
}

static void note_source(struct og_asm *as, struct og_line *line) {
  struct og_debug *d = &as->debug;
  uint32_t offset;
  const struct og_source *source = place(as, &offset);
  if (source != d->source)
    d->file = file_of(as, source);
  if (source != d->source || offset < d->offset)
    d->line = d->offset = 0;
  d->source = source;
  for (const char *p; (p = memchr(source->text + d->offset, '\n', offset - d->offset)); d->line++)
    d->offset = (uint32_t)(p + 1 - source->text);
  line->file = d->file;
  line->line = d->line + 1;
}

/* At the source's end. */
void og_asm_check_files(struct og_asm *as) {
  for (uint32_t i = 1; i < as->debug.files.count; i++)
    if (!as->debug.files.items[i].given)
      og_asm_error(as, as->p, 0, "unassigned file number: %u for .file directives", i);
}

void og_asm_note_line(struct og_asm *as) {
  struct og_debug *d = &as->debug;
  if (!d->pending && !as->options->debug)
    return;
  struct og_line *line = OG_PUSH(as->arena, &as->debug.lines);
  *line = d->loc;
  line->chunk = as->chunk;
  line->offset = og_asm_here(as);
  if (!d->pending)
    note_source(as, line);
  d->pending = false;
  d->loc.discriminator = 0;
  d->loc.flags &= OG_LINE_NOT_STATEMENT; /* the others hold for one row */
}

/* ---- .file N and .loc -------------------------------------------------------------------------------------------- */

static struct og_text here(struct og_asm *as) {
  char *path = getcwd(NULL, 0);
  struct og_text text = path ? og_text(og_arena_copy(as->arena, path, strlen(path))) : OG_TEXT(".");
  free(path);
  return text;
}

/* The first is the compiler's own directory, which only .file 0 gives. */
static uint32_t directory_of(struct og_asm *as, struct og_text name) {
  for (uint32_t i = !as->debug.has_root; i < as->debug.directories.count; i++)
    if (og_text_equal(as->debug.directories.items[i], name))
      return i;
  *OG_PUSH(as->arena, &as->debug.directories) = name;
  return as->debug.directories.count - 1;
}

static bool read_md5(struct og_asm *as, struct og_line_file *file) {
  const char *at = og_asm_at(as);
  as->p += as->p[0] == '0' && (as->p[1] | 0x20) == 'x' ? 2 : 0;
  for (; og_digit_value(*as->p) < 16; as->p++) { /* a number of 128 bits: digits move in from the right */
    for (size_t i = 0; i < sizeof file->md5; i++)
      file->md5[i] =
          (uint8_t)(file->md5[i] << 4 | (i + 1 < sizeof file->md5 ? file->md5[i + 1] >> 4 : og_digit_value(*as->p)));
    file->has_md5 = true;
  }
  return file->has_md5 || og_asm_error(as, at, 1, "MD5 checksum specified, but no number");
}

static bool read_source(struct og_asm *as, struct og_line_file *file) {
  file->has_source = og_asm_string(as, &file->source);
  return file->has_source;
}

static bool unexpected(struct og_asm *as, struct og_text word) {
  return og_asm_error(as, word.data, word.size, "unexpected token in '.file' directive");
}

/* "a/b.c" without a directory of its own is b.c in a. */
static void split_path(struct og_text *name, struct og_text *directory) {
  const char *slash = memrchr(name->data, '/', name->size);
  size_t size = slash ? (size_t)(slash - name->data) : 0;
  if (!slash || size + 1 == name->size)
    return;
  *directory = (struct og_text){name->data, OG_MAX(size, 1u)};
  *name = (struct og_text){slash + 1, name->size - size - 1};
}

static void list_file(struct og_asm *as, uint64_t number, const struct og_line_file *file, struct og_text directory) {
  og_asm_list(as, "\t.file\t%llu ", (unsigned long long)number);
  if (directory.size && (!number || file->directory))
    og_asm_list_string(as, directory), og_asm_list(as, " ");
  og_asm_list_string(as, file->name);
  for (size_t i = 0; file->has_md5 && i < sizeof file->md5; i++)
    og_asm_list(as, i ? "%02x" : " md5 0x%02x", file->md5[i]);
  if (file->has_source)
    og_asm_list(as, " source "), og_asm_list_string(as, file->source);
  og_asm_list(as, "\n");
}

bool og_asm_numbered_file(struct og_asm *as, const char *at) {
  uint64_t number;
  struct og_text first, word;
  if (!og_is_digit(*as->p))
    return og_asm_error(as, as->p, 1, "expected string or a file's number");
  if (!og_asm_integer(as, &number) || number > MOST_FILES)
    return og_asm_error(as, as->p, 1, "file number is 0 to %d", MOST_FILES);
  if (as->options->debug)
    return og_asm_error(
        as, at, 5,
        "input can't have .file dwarf directives when -g is used to generate dwarf debug info for assembly code");
  if (!og_asm_string(as, &first))
    return false;
  struct og_line_file file = {.given = true, .name = first};
  og_asm_space(as);
  struct og_text directory = {0};
  bool two = *as->p == '"';
  if (two && !og_asm_string(as, &file.name))
    return false;
  if (two)
    directory = first;
  else if (number)
    split_path(&file.name, &directory);
  if (!as->debug.directories.count)
    *OG_PUSH(as->arena, &as->debug.directories) = number == 0 && directory.size ? directory : here(as);
  else if (number == 0 && directory.size)
    as->debug.directories.items[0] = directory;
  as->debug.has_root |= number == 0;
  if (directory.size)
    file.directory = directory_of(as, directory);
  for (og_asm_space(as); (word = og_asm_word(as)).size; og_asm_space(as))
    if (!(og_text_is(word, "md5")      ? read_md5(as, &file)
          : og_text_is(word, "source") ? read_source(as, &file)
                                       : unexpected(as, word)))
      return false;
  if (!og_asm_end(as, "unexpected token in '.file' directive"))
    return false;
  while (as->debug.files.count <= number)
    OG_PUSH(as->arena, &as->debug.files);
  if (as->debug.files.items[number].given && number)
    return og_asm_error(as, at, 5, "file number already allocated");
  as->debug.files.items[number] = file;
  if (og_asm_listing(as))
    list_file(as, number, &file, directory);
  return true;
}

static const struct {
  const char *name;
  uint8_t flag;
} flags[] = {{"basic_block", OG_LINE_BASIC_BLOCK},
             {"prologue_end", OG_LINE_PROLOGUE_END},
             {"epilogue_begin", OG_LINE_EPILOGUE_BEGIN}};

static bool read_option(struct og_asm *as, struct og_text word, struct og_line *loc) {
  for (size_t i = 0; i < OG_COUNT(flags); i++)
    if (og_text_is(word, flags[i].name)) {
      loc->flags |= flags[i].flag;
      return true;
    }
  int64_t value;
  bool statement = og_text_is(word, "is_stmt"), discriminator = og_text_is(word, "discriminator"),
       isa = og_text_is(word, "isa");
  if (!statement && !discriminator && !isa && !og_text_is(word, "view"))
    return og_asm_error(as, word.data, word.size, "unknown sub-directive in '.loc' directive");
  const char *value_at = og_asm_at(as);
  if (!og_asm_parse_absolute(as, &value))
    return false;
  if (statement && value != 0 && value != 1)
    return og_asm_error(as, value_at, 1, "is_stmt value not 0 or 1");
  if (isa && value < 0)
    return og_asm_error(as, value_at, 1, "isa number less than zero");
  if (statement)
    loc->flags = (uint8_t)((loc->flags & ~OG_LINE_NOT_STATEMENT) | (value ? 0 : OG_LINE_NOT_STATEMENT));
  if (discriminator)
    loc->discriminator = (uint32_t)value;
  if (isa)
    loc->isa = (uint32_t)value;
  return true;
}

static void list_loc(struct og_asm *as, const struct og_line *loc, bool was_statement) {
  bool is_statement = !(loc->flags & OG_LINE_NOT_STATEMENT);
  struct og_buffer text = {0};
  og_buffer_printf(&text, "%u %u %u", loc->file, loc->line, loc->column);
  for (size_t i = 0; i < OG_COUNT(flags); i++)
    if (loc->flags & flags[i].flag)
      og_buffer_printf(&text, " %s", flags[i].name);
  if (is_statement != was_statement)
    og_buffer_printf(&text, " is_stmt %d", is_statement);
  if (loc->isa)
    og_buffer_printf(&text, " isa %u", loc->isa);
  if (loc->discriminator)
    og_buffer_printf(&text, " discriminator %u", loc->discriminator);
  int column = 16 + (int)text.size; /* ".loc" between two tabs */
  og_asm_list(as, "\t.loc\t%.*s%*s; %s:%u:%u\n", (int)text.size, (const char *)text.data, OG_MAX(48 - column, 1), "",
              "", loc->line, loc->column);
  og_buffer_free(&text);
}

/* .loc FILE LINE [COLUMN] [options] */
bool og_asm_loc(struct og_asm *as, const char *at, int arg) {
  (void)at, (void)arg;
  struct og_line loc = {.flags = as->debug.loc.flags & OG_LINE_NOT_STATEMENT};
  uint64_t numbers[3] = {0};
  int count = 0;
  const char *first = og_asm_at(as);
  for (; count < 3 && og_is_digit(*as->p); og_asm_space(as))
    if (!og_asm_integer(as, &numbers[count]) || numbers[count++] > UINT32_MAX / 2)
      return og_asm_error(as, as->p, 1, "number too large in '.loc' directive");
  if (count == 0)
    return og_asm_error(as, as->p, 1, "expected integer: the file's number");
  if (numbers[0] >= as->debug.files.count || !as->debug.files.items[numbers[0]].given)
    return og_asm_error(as, first, 1,
                        numbers[0] ? "unassigned file number in '.loc' directive"
                                   : "file number less than one in '.loc' directive");
  if (count < 2 && !og_asm_at_end(as))
    return og_asm_error(as, as->p, 1, "unexpected token in '.loc' directive");
  struct og_text word;
  for (; (word = og_asm_word(as)).size; og_asm_space(as))
    if (!read_option(as, word, &loc))
      return false;
  if (!og_asm_at_end(as))
    return og_asm_error(as, as->p, 1, "unexpected token in '.loc' directive");
  if (as->debug.pending) /* no instruction came since the last one: it has a row of its own */
    og_asm_note_line(as);
  loc.file = (uint32_t)numbers[0], loc.line = (uint32_t)numbers[1], loc.column = (uint32_t)numbers[2];
  bool was_statement = !(as->debug.loc.flags & OG_LINE_NOT_STATEMENT);
  as->debug.loc = loc;
  as->debug.pending = true;
  if (og_asm_listing(as))
    list_loc(as, &loc, was_statement);
  return og_asm_expect_end(as);
}

/* .loc_label NAME: a place in the line table, which begins a sequence there. */
bool og_asm_loc_label(struct og_asm *as, const char *at, int arg) {
  (void)at, (void)arg;
  struct og_text name;
  const char *start = og_asm_at(as);
  if (!og_asm_name(as, &name) || !og_asm_expect_end(as))
    return false;
  struct og_asm_symbol *s = og_asm_late_symbol(as, name);
  if (s->kind != OG_SYMBOL_UNDEFINED || s->in_lines)
    return og_asm_error(as, start, name.size, "symbol '%.*s' is already defined", OG_TEXT_ARGS(name));
  s->in_lines = true;
  *OG_PUSH(as->arena, &as->debug.lines) = (struct og_line){.chunk = as->chunk, .offset = og_asm_here(as), .label = s};
  if (og_asm_listing(as)) {
    og_asm_temporary(as);
    og_asm_list(as, ".loc_label\t%.*s\n", OG_TEXT_ARGS(og_asm_quoted(as, name)));
  }
  return true;
}

/* ---- into the object --------------------------------------------------------------------------------------------- */

static void add_sources(struct og_asm *as, struct og_line_table *table) {
  *OG_PUSH(as->arena, &table->directories) = here(as);
  for (uint32_t i = 0; i < as->debug.sources.count; i++) {
    const struct og_source *source = as->debug.sources.items[i];
    struct og_text text = {source->text, source->size};
    *OG_PUSH(as->arena, &table->files) =
        (struct og_line_file){.name = og_text(source->name), .has_source = as->options->embed_source, .source = text};
  }
}

static void add_files(struct og_asm *as, struct og_line_table *table) {
  struct og_line_file root = {.name = og_text(as->object->name)};
  for (uint32_t i = 0; i < as->debug.directories.count; i++)
    *OG_PUSH(as->arena, &table->directories) = as->debug.directories.items[i];
  for (uint32_t i = 0; i < as->debug.files.count; i++)
    *OG_PUSH(as->arena, &table->files) = as->debug.files.items[i].given ? as->debug.files.items[i] : root;
}

static void place_labels(struct og_asm *as, const struct og_line_table *table) {
  for (uint32_t i = 0; i < as->debug.lines.count; i++) {
    struct og_asm_symbol *s = as->debug.lines.items[i].label;
    if (!s)
      continue;
    s->value = (int64_t)table->rows.items[i].at;
    struct og_symbol *out = s->index ? &as->object->symbols.items[s->index] : NULL;
    if (out)
      out->section = og_object_find_section(as->object, ".debug_line"), out->value = (uint64_t)s->value;
  }
}

void og_asm_add_lines(struct og_asm *as) {
  bool own = as->options->debug;
  int version = as->options->dwarf_version ? as->options->dwarf_version : 4;
  struct og_line_table table = {.arena = as->arena, .version = own || as->debug.has_root ? 5 : version};
  if (!as->debug.lines.count && !as->debug.files.count)
    return;
  (own ? add_sources : add_files)(as, &table);
  for (uint32_t i = 0; i < as->debug.lines.count; i++) {
    const struct og_line *line = &as->debug.lines.items[i];
    *OG_PUSH(as->arena, &table.rows) = (struct og_line_row){.section = line->chunk->section->index,
                                                            .offset = og_asm_offset(line->chunk, line->offset),
                                                            .file = line->file,
                                                            .line = line->line,
                                                            .column = line->column,
                                                            .discriminator = line->discriminator,
                                                            .isa = line->isa,
                                                            .flags = line->flags,
                                                            .is_label = line->label != NULL};
  }
  og_dwarf_write_lines(as->object, &table);
  place_labels(as, &table);
  if (own)
    og_dwarf_write_unit(as->object, &table);
}
