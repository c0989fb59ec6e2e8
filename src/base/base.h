/* base.h - memory, bytes, text, diagnostics: the base of every layer. Knows nothing about GPUs. */
#ifndef OG_BASE_H
#define OG_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define OG_PRINTF(format_index, args_index) __attribute__((format(printf, format_index, args_index)))
#define OG_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define OG_MIN(a, b) ((a) < (b) ? (a) : (b))
#define OG_MAX(a, b) ((a) > (b) ? (a) : (b))
#define OG_STRING_(a) #a
#define OG_STRING(a) OG_STRING_(a) /* what a macro stands for, as text */

/* Round up to a power of two. */
static inline uint64_t og_align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/* ---- arena: many small allocations, one owner, one release -------------------------------------------------- */

struct og_arena;

struct og_arena *og_arena_new(void);
void og_arena_free(struct og_arena *arena); /* NULL is fine */
size_t og_arena_used(const struct og_arena *arena); /* bytes allocated from it */
void og_arena_reset(struct og_arena *arena); /* forgets everything, keeps one block for reuse */
/* Zeroed, aligned to 16 bytes, never NULL: when memory is exhausted the process ends (see docs/design.md). */
void *og_arena_alloc(struct og_arena *arena, size_t size);
/* realloc() that never yields NULL, for what stands in no arena. */
void *og_checked_realloc(void *old, size_t size);
/* Of which most will be used: in large pages if the system gives them, which are faster to get and to find. To be
 * freed; NULL: memory is short. */
void *og_large_pages(size_t size);
enum { OG_LARGE_PAGE = 2 << 20 };
/* Grows the allocation that `old` of `old_size` bytes is; in place if it was the last one. */
void *og_arena_grow(struct og_arena *arena, void *old, size_t old_size, size_t new_size);
char *og_arena_copy(struct og_arena *arena, const char *data, size_t size); /* adds a NUL after */
struct og_diagnostics;
/* The same of a whole input, which may be large. NULL with a diagnostic: memory is short. */
char *og_arena_copy_input(struct og_arena *arena, const char *name, const void *data, size_t size,
                          struct og_diagnostics *diagnostics);
char *og_arena_printf(struct og_arena *arena, const char *format, ...) OG_PRINTF(2, 3);
char *og_arena_vprintf(struct og_arena *arena, const char *format, va_list args);
#define OG_NEW(arena, type) ((type *)og_arena_alloc((arena), sizeof(type)))
#define OG_NEW_ARRAY(arena, type, count) ((type *)og_arena_alloc((arena), sizeof(type) * (size_t)(count)))

/* ---- vector: a growing array inside an arena ------------------------------------------------------------------ */

/* Declares `struct { T *items; uint32_t count, capacity; }`. */
#define OG_VECTOR(type) \
  struct {              \
    type *items;        \
    uint32_t count, capacity; \
  }
/* Appends one zeroed item and yields a pointer to it. */
#define OG_PUSH(arena, vector)                                                                                       \
  ((vector)->count == (vector)->capacity                                                                             \
       ? ((vector)->items = og_vector_grow((arena), (vector)->items, &(vector)->capacity, sizeof(*(vector)->items))) \
       : (vector)->items,                                                                                            \
   &(vector)->items[(vector)->count++])
/* Makes room for `more` items, where their number is known. */
#define OG_RESERVE(arena, vector, more)                                                                              \
  ((vector)->items = og_vector_reserve((arena), (vector)->items, (vector)->count, &(vector)->capacity, (more),        \
                                       sizeof *(vector)->items))
void *og_vector_reserve(struct og_arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t more,
                        size_t item_size);
void *og_vector_grow(struct og_arena *arena, void *items, uint32_t *capacity, size_t item_size);

/* ---- text: a view, not owned, not terminated ------------------------------------------------------------------ */

struct og_text {
  const char *data;
  size_t size;
};
#define OG_TEXT(literal) ((struct og_text){(literal), sizeof(literal) - 1})
#define OG_TEXT_ARGS(text) (int)(text).size, (text).data /* for "%.*s" */
static inline struct og_text og_text(const char *string) {
  return (struct og_text){string, __builtin_strlen(string)};
}
static inline bool og_text_equal(struct og_text a, struct og_text b) {
  return a.size == b.size && (a.size == 0 || __builtin_memcmp(a.data, b.data, a.size) == 0);
}
static inline bool og_text_is(struct og_text a, const char *string) {
  return a.size ? *a.data == *string && og_text_equal(a, og_text(string)) : !*string; /* most differ at once */
}
/* Edits, a changed letter counted as two, given up beyond `limit`. */
unsigned og_text_distance(struct og_text a, const char *b, unsigned limit);
/* Whether `text` starts with `prefix`; if so, moves it after that. */
static inline bool og_text_skip(struct og_text *text, const char *prefix) {
  size_t size = __builtin_strlen(prefix);
  if (text->size < size || __builtin_memcmp(text->data, prefix, size) != 0)
    return false;
  text->data += size;
  text->size -= size;
  return true;
}

/* ---- buffer: growing bytes on the heap -------------------------------------------------------------------------- */

struct og_buffer {
  uint8_t *data;
  size_t size, capacity;
  FILE *sink; /* where og_buffer_drain writes to, or NULL */
};

void og_buffer_free(struct og_buffer *buffer);
/* Writes the contents to the sink, if there is one and they are large: all but the last byte, which
 * writers of JSON inspect. */
void og_buffer_write_out(struct og_buffer *buffer);
static inline void og_buffer_drain(struct og_buffer *buffer) {
  enum { MUCH = 65536 };
  if (buffer->size >= MUCH && buffer->sink)
    og_buffer_write_out(buffer);
}
/* Makes room for `size` more bytes, where a size comes from input; false: there is no memory for them. */
bool og_buffer_reserve(struct og_buffer *buffer, size_t size);
/* `size` more bytes, zeroed; where they stand is valid until the next change. */
void *og_buffer_extend(struct og_buffer *buffer, size_t size);
/* Where `size` more bytes may be written, for a writer that adds what it wrote to `size` itself. */
void *og_buffer_grow(struct og_buffer *buffer, size_t size);
static inline void *og_buffer_room(struct og_buffer *buffer, size_t size) {
  return buffer->capacity - buffer->size > size ? buffer->data + buffer->size : og_buffer_grow(buffer, size);
}
static inline void og_buffer_append(struct og_buffer *buffer, const void *data, size_t size) {
  if (!size)
    return;
  char *to = (char *)__builtin_memcpy(og_buffer_room(buffer, size), data, size);
  to[size] = 0;
  buffer->size += size;
}
static inline void og_buffer_text(struct og_buffer *buffer, const char *string) {
  og_buffer_append(buffer, string, __builtin_strlen(string));
}
static inline void og_buffer_u8(struct og_buffer *buffer, uint8_t value) { og_buffer_append(buffer, &value, 1); }
void og_buffer_printf(struct og_buffer *buffer, const char *format, ...) OG_PRINTF(2, 3);
void og_buffer_decimal(struct og_buffer *buffer, uint64_t value);
void og_buffer_u16(struct og_buffer *buffer, uint16_t value); /* little endian, as all that follow */
void og_buffer_u32(struct og_buffer *buffer, uint32_t value);
void og_buffer_u64(struct og_buffer *buffer, uint64_t value);
void og_buffer_uleb(struct og_buffer *buffer, uint64_t value); /* LEB128 (DWARF 5, section 7.6) */
void og_buffer_sleb(struct og_buffer *buffer, int64_t value);
void og_buffer_align(struct og_buffer *buffer, size_t alignment, uint8_t fill);
/* Appends text of the input for people to read: terminal control characters, except those in `kept`, as \xNN. */
void og_buffer_printable(struct og_buffer *buffer, const void *text, size_t size, const char *kept);
/* Writes it as it is, but to a terminal with all that is no line end or tab so escaped. */
void og_write_text(const void *text, size_t size, FILE *stream);
/* Appends the text as a JSON string, quotes and escapes included; bytes that are no UTF-8 become U+FFFD. */
void og_buffer_json(struct og_buffer *buffer, const char *text, size_t size);

static inline uint16_t og_load16(const void *p) { uint16_t v; __builtin_memcpy(&v, p, 2); return v; }
static inline uint32_t og_load32(const void *p) { uint32_t v; __builtin_memcpy(&v, p, 4); return v; }
static inline uint64_t og_load64(const void *p) { uint64_t v; __builtin_memcpy(&v, p, 8); return v; }
static inline void og_store16(void *p, uint16_t v) { __builtin_memcpy(p, &v, 2); }
static inline void og_store32(void *p, uint32_t v) { __builtin_memcpy(p, &v, 4); }
static inline void og_store64(void *p, uint64_t v) { __builtin_memcpy(p, &v, 8); }

/* ---- map: text to pointer, in an arena --------------------------------------------------------------------------- */

struct og_map {
  struct og_map_slot *slots;
  uint32_t count, capacity;
};

void *og_map_get(const struct og_map *map, struct og_text key);                                    /* NULL if absent */
/* The slot's value to read or set; made with NULL if absent. The key's bytes must live as long as the map. */
void **og_map_at(struct og_arena *arena, struct og_map *map, struct og_text key);
uint64_t og_hash(const void *data, size_t size);

/* ---- diagnostics: errors as values ------------------------------------------------------------------------------- */

/* A text that positions refer to. */
struct og_source {
  const char *name; /* as the user wrote it; "<stdin>" for standard input */
  const char *text;
  size_t size;
  const struct og_source *included_from; /* or NULL */
  uint32_t included_at;                  /* offset in included_from */
  const char *marked_name;               /* of # LINE "FILE", which a preprocessor left last, or NULL */
  uint32_t marked_line, marked_at;       /* offset of that line */
};

enum og_severity { OG_SEVERITY_ERROR, OG_SEVERITY_WARNING, OG_SEVERITY_NOTE };

/* A place: source NULL means the whole input. */
struct og_range {
  const struct og_source *source;
  uint32_t offset, size;
};

struct og_diagnostic {
  enum og_severity severity;
  const char *file;            /* NULL when there is none */
  uint32_t line, column, size; /* from 1; line 0 when the position is not in a text; size of the underlined part */
  const char *source_line;     /* without its newline, of very long ones a piece; NULL when there is none */
  uint32_t source_from;        /* columns left out in front of it */
  const char *message;
  const char *code; /* of a rule that has one, as in OG501; NULL: it has none */
};

struct og_diagnostics;

/* Five of these are public: include/offgrid.h documents them. */
#define OG_EXPORT __attribute__((visibility("default")))
OG_EXPORT struct og_diagnostics *og_diagnostics_new(void);
OG_EXPORT void og_diagnostics_free(struct og_diagnostics *diagnostics);
OG_EXPORT const char *og_diagnostics_text(struct og_diagnostics *diagnostics, size_t index);
void og_report(struct og_diagnostics *diagnostics, enum og_severity severity, struct og_range range, const char *format,
               ...) OG_PRINTF(4, 5);
/* The same with the code of a rule that is broken; the code lives as long as the program. */
void og_report_rule(struct og_diagnostics *diagnostics, enum og_severity severity, struct og_range range,
                    const char *code, const char *format, ...) OG_PRINTF(5, 6);
/* An error; yields false so that `return og_error(...)` reads well. */
bool og_error(struct og_diagnostics *diagnostics, struct og_range range, const char *format, ...) OG_PRINTF(3, 4);
/* An error in a binary file or a whole input: only the file's name is known. */
bool og_error_in(struct og_diagnostics *diagnostics, const char *file, const char *format, ...) OG_PRINTF(3, 4);
void og_warning_in(struct og_diagnostics *diagnostics, const char *file, const char *format, ...) OG_PRINTF(3, 4);
OG_EXPORT size_t og_diagnostics_count(const struct og_diagnostics *diagnostics);
OG_EXPORT size_t og_diagnostics_errors(const struct og_diagnostics *diagnostics);
enum og_warnings { OG_WARNINGS_SHOWN, OG_WARNINGS_DROPPED, OG_WARNINGS_ARE_ERRORS };
/* What becomes of warnings from here on. */
void og_diagnostics_warnings(struct og_diagnostics *diagnostics, enum og_warnings warnings);
/* Takes back those from `first` up to `end`. */
void og_diagnostics_remove(struct og_diagnostics *diagnostics, size_t first, size_t end);
const struct og_diagnostic *og_diagnostics_at(const struct og_diagnostics *diagnostics, size_t index);
/* clang's style: file:line:col: error: message, the line, a caret. */
void og_diagnostic_print(const struct og_diagnostic *diagnostic, bool colour, struct og_buffer *out);
/* All of them as a list: [{"severity": "error", "file", "line", "column", "code", "message"}], without what is not
 * known. */
void og_diagnostics_json(const struct og_diagnostics *diagnostics, struct og_buffer *out);

/* ---- sums of bytes ----------------------------------------------------------------------------------------------- */

void og_md5(const void *data, size_t size, uint8_t digest[16]);
void og_sha1(const void *data, size_t size, uint8_t digest[20]);

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Input is read up to these sizes; endless input, such as /dev/zero, gives an error. */
enum { OG_FILE_MOST = 2047 << 20, OG_STREAM_MOST = 256 << 20 /* pipes and devices */ };
/* What stands behind a path's last slash. */
const char *og_file_name(const char *path);
/* Whole file, or standard input for "-", appended to `out`; false with a diagnostic. */
bool og_read_file(const char *path, struct og_buffer *out, struct og_diagnostics *diagnostics);
/* Written beside and renamed into place, where a symbolic link leads if it is one, so that a failure leaves nothing
 * half made; "-" is standard output. */
bool og_write_file(const char *path, const void *data, size_t size, struct og_diagnostics *diagnostics);
/* The same for a file that is written piece by piece, such as from a buffer whose sink it is. */
struct og_output {
  const char *path;
  char *target; /* behind symbolic links, which stay */
  char *beside; /* NULL: written in place */
  FILE *file;
};
bool og_output_open(struct og_output *output, const char *path, struct og_diagnostics *diagnostics);
bool og_output_close(struct og_output *output, bool keep, struct og_diagnostics *diagnostics);
/* The same in its steps, for one whose process may not name files any more by then (tool/keeper.h): the bytes are
 * written, the file comes to its place or is removed (asynchronous-signal-safe), names are freed and the error, if
 * there was one, reported. The first two yield 0 or an errno. */
int og_output_finish(struct og_output *output);
int og_output_place(const struct og_output *output, bool keep);
bool og_output_end(struct og_output *output, int reason, struct og_diagnostics *diagnostics);

#endif
