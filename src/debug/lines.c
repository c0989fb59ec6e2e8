/* lines.c - line tables of all units in one array by address; texts of files when they are first wanted. */
#include "debug/lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

struct row {
  uint64_t address;
  const char *file; /* one pointer for one name; NULL: the sequence ends */
  unsigned line, column;
  bool statement, body; /* body: behind a function's prologue */
};

struct file {
  const char *name, *directory;
  const char *path; /* where it was found */
  bool tried;
  struct og_buffer text;
  OG_VECTOR(size_t) starts;
};

struct og_lines {
  struct og_arena *arena;
  struct og_dwarf *dwarf;
  OG_VECTOR(struct row) rows;
  OG_VECTOR(struct file *) files;
};

static struct file *find_file(struct og_lines *lines, const char *name, const char *directory) {
  for (uint32_t i = 0; i < lines->files.count; i++)
    if (strcmp(lines->files.items[i]->name, name) == 0)
      return lines->files.items[i];
  struct file *file = OG_NEW(lines->arena, struct file);
  *file = (struct file){.name = name, .directory = directory, .path = name};
  *OG_PUSH(lines->arena, &lines->files) = file;
  return file;
}

static void add_unit(struct og_lines *lines, Dwarf_Die *unit) {
  Dwarf_Lines *table;
  Dwarf_Attribute attribute;
  size_t count;
  if (dwarf_getsrclines(unit, &table, &count) != 0)
    return;
  const char *directory = dwarf_attr(unit, DW_AT_comp_dir, &attribute) ? dwarf_formstring(&attribute) : NULL;
  for (size_t i = 0; i < count; i++) {
    Dwarf_Line *one = dwarf_onesrcline(table, i);
    Dwarf_Addr address;
    int line = 0, column = 0;
    bool end = false, statement = false, body = false;
    if (dwarf_lineaddr(one, &address) != 0 || dwarf_lineno(one, &line) != 0)
      continue;
    dwarf_linecol(one, &column);
    dwarf_lineendsequence(one, &end);
    dwarf_linebeginstatement(one, &statement);
    dwarf_lineprologueend(one, &body);
    const char *name = dwarf_linesrc(one, NULL, NULL);
    const char *file = end || !name ? NULL : find_file(lines, name, directory)->name;
    *OG_PUSH(lines->arena, &lines->rows) =
        (struct row){address, file, (unsigned)line, (unsigned)column, statement, body};
  }
}

/* By address; the end of a sequence before what starts there. */
static int compare_rows(const void *a, const void *b) {
  const struct row *x = a, *y = b;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return (x->file != NULL) - (y->file != NULL);
}

struct og_lines *og_lines_new(const struct og_object *object) {
  struct og_arena *arena = og_arena_new();
  struct og_lines *lines = OG_NEW(arena, struct og_lines);
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  lines->arena = arena;
  lines->dwarf = og_dwarf_open_object(object);
  while (lines->dwarf && dwarf_get_units(og_dwarf_handle(lines->dwarf), unit, &unit, NULL, NULL, &die, NULL) == 0)
    add_unit(lines, &die);
  if (lines->rows.count)
    qsort(lines->rows.items, lines->rows.count, sizeof *lines->rows.items, compare_rows);
  return lines;
}

void og_lines_free(struct og_lines *lines) {
  if (!lines)
    return;
  for (uint32_t i = 0; i < lines->files.count; i++)
    og_buffer_free(&lines->files.items[i]->text);
  og_dwarf_close(lines->dwarf);
  og_arena_free(lines->arena);
}

struct og_dwarf *og_lines_dwarf(const struct og_lines *lines) {
  return lines->dwarf;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

/* The last row at or before the address; NULL: none, or between sequences. */
static const struct row *row_at(const struct og_lines *lines, uint64_t address) {
  uint32_t low = 0, high = lines->rows.count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (lines->rows.items[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && lines->rows.items[low - 1].file ? &lines->rows.items[low - 1] : NULL;
}

struct og_line og_lines_at(const struct og_lines *lines, uint64_t address) {
  const struct row *row = row_at(lines, address);
  while (row && row->line == 0) /* of no line, so of the one before */
    row = row > lines->rows.items && row[-1].file ? row - 1 : NULL;
  return row ? (struct og_line){row->file, row->line, row->column} : (struct og_line){0};
}

static bool is_named(const char *file, const char *end) {
  size_t size = strlen(file), tail = strlen(end);
  return size >= tail && strcmp(file + size - tail, end) == 0 &&
         (size == tail || *end == '/' || file[size - tail - 1] == '/');
}

static const char *choose_file(const struct og_lines *lines, const char *name, uint64_t near) {
  struct og_line here = og_lines_at(lines, near);
  if (!name)
    return here.file ? here.file : lines->files.count ? lines->files.items[0]->name : NULL;
  for (uint32_t i = 0; i < lines->files.count; i++)
    if (is_named(lines->files.items[i]->name, name) || is_named(name, lines->files.items[i]->name))
      return lines->files.items[i]->name;
  return NULL;
}

uint32_t og_lines_find(const struct og_lines *lines, const char *name, unsigned line, uint64_t near,
                       uint64_t *addresses, uint32_t most, struct og_line *found) {
  const char *file = choose_file(lines, name, near);
  unsigned best = 0;
  for (uint32_t i = 0; file && i < lines->rows.count; i++) {
    const struct row *row = &lines->rows.items[i];
    if (row->file == file && row->line >= line && row->statement && (!best || row->line < best))
      best = row->line;
  }
  uint32_t count = 0;
  bool inside = false;
  for (uint32_t i = 0; best && i < lines->rows.count; i++) {
    const struct row *row = &lines->rows.items[i];
    bool here = row->file == file && row->line == best;
    bool empty = i + 1 < lines->rows.count && row[1].address == row->address; /* covers no code */
    if (here && !empty && !inside && row->statement && count < most)
      addresses[count++] = row->address;
    inside = !empty ? here : inside;
  }
  *found = (struct og_line){file, best, 0};
  return count;
}

uint64_t og_lines_body(const struct og_lines *lines, uint64_t start, uint64_t size) {
  for (uint32_t i = 0; i < lines->rows.count; i++) {
    const struct row *row = &lines->rows.items[i];
    if (row->body && row->address >= start && row->address - start < size)
      return row->address;
  }
  return start;
}

bool og_lines_are_code(const char *file) {
  size_t size = file ? strlen(file) : 0;
  return size > 2 && file[size - 2] == '.' && (file[size - 1] | 32) == 's';
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static bool try_path(struct file *file, const char *path) {
  struct og_diagnostics *unheard = og_diagnostics_new();
  bool fine = og_read_file(path, &file->text, unheard);
  og_diagnostics_free(unheard);
  if (fine)
    file->path = path;
  return fine;
}

static void read_text(struct og_lines *lines, struct file *file) {
  file->tried = true;
  if (!try_path(file, file->name) &&
      !(file->directory && *file->name != '/' &&
        try_path(file, og_arena_printf(lines->arena, "%s/%s", file->directory, file->name))) &&
      !try_path(file, og_file_name(file->name)))
    return;
  *OG_PUSH(lines->arena, &file->starts) = 0;
  for (size_t i = 0; i < file->text.size; i++)
    if (file->text.data[i] == '\n')
      *OG_PUSH(lines->arena, &file->starts) = i + 1;
}

static struct file *read_file(struct og_lines *lines, const char *name) {
  for (uint32_t i = 0; i < lines->files.count; i++)
    if (strcmp(lines->files.items[i]->name, name) == 0) {
      if (!lines->files.items[i]->tried)
        read_text(lines, lines->files.items[i]);
      return lines->files.items[i];
    }
  return NULL;
}

struct og_text og_lines_text(struct og_lines *lines, const char *name, unsigned line) {
  const struct file *file = name ? read_file(lines, name) : NULL;
  if (!file || line == 0 || line > file->starts.count)
    return (struct og_text){0};
  size_t start = file->starts.items[line - 1];
  size_t end = line < file->starts.count ? file->starts.items[line] - 1 : file->text.size;
  while (end > start && (file->text.data[end - 1] == '\r' || file->text.data[end - 1] == '\n'))
    end--;
  if (start >= file->text.size)
    return (struct og_text){0};
  return (struct og_text){(const char *)file->text.data + start, end - start};
}

const char *og_lines_path(struct og_lines *lines, const char *name) {
  const struct file *file = read_file(lines, name);
  return file ? file->path : name;
}
