/* lines.h - source lines of a code object, both ways, and their text. */
#ifndef OG_DEBUG_LINES_H
#define OG_DEBUG_LINES_H

#include "object/debug/dwarf.h"

/* No file (NULL): nothing is known. */
struct og_line {
  const char *file;
  unsigned line, column;
};

struct og_lines;

/* Of an object that is linked and stays; where it has no debug information there are just no lines. */
struct og_lines *og_lines_new(const struct og_object *object);
void og_lines_free(struct og_lines *lines);
struct og_dwarf *og_lines_dwarf(const struct og_lines *lines); /* or NULL */

/* The line that made the code at an address before loading. */
struct og_line og_lines_at(const struct og_lines *lines, uint64_t address);
/* Where the code of a line starts, or of the first one behind it that has code; addresses before loading, at most
 * `most`, and which line it is. `file`: the end of a path, NULL: of the file that `near` is in. 0: there is none. */
uint32_t og_lines_find(const struct og_lines *lines, const char *file, unsigned line, uint64_t near,
                       uint64_t *addresses, uint32_t most, struct og_line *found);
/* Where a function's code starts behind its prologue, as compilers mark it; `start` where nothing tells. */
uint64_t og_lines_body(const struct og_lines *lines, uint64_t start, uint64_t size);
static inline bool og_same_line(const struct og_line *a, const struct og_line *b) {
  return a->file == b->file && a->line == b->line;
}

/* Whether lines of the file are instructions themselves, by its name. */
bool og_lines_are_code(const char *file);

/* A line's text; size 0 and data NULL: the file cannot be read, or ends before. */
struct og_text og_lines_text(struct og_lines *lines, const char *file, unsigned line);
/* Where the file was found, or as it was named. */
const char *og_lines_path(struct og_lines *lines, const char *file);

#endif
