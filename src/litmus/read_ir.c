/* read_ir.c - reads threads in LLVM IR: a module whose functions P0, P1 and so on have the locations as parameters and
 * return what they have loaded. The compiler makes machine code of it, which is then decoded as in other forms. */
#include "cc/cc.h"
#include "litmus/reader.h"
#include "object/elf/elf.h"

#include <ctype.h>
#include <string.h>

/* Where the module ends: at the first line that begins another part of the test. */
static const char *end_of_module(const struct og_litmus_reader *in) {
  static const char *const words[] = {"exists", "~exists", "forall", "forbidden", "scopes"};
  for (const char *line = in->p; line < in->end;) {
    for (size_t i = 0; i < OG_COUNT(words); i++) {
      size_t size = strlen(words[i]);
      if ((size_t)(in->end - line) > size && !memcmp(line, words[i], size) && !isalnum((unsigned char)line[size]))
        return line;
    }
    const char *next = memchr(line, '\n', (size_t)(in->end - line));
    line = next ? next + 1 : in->end;
  }
  return in->end;
}

static unsigned count_words(const char *from, const char *to, const char *word) {
  unsigned count = 0;
  size_t size = strlen(word);
  for (; (size_t)(to - from) >= size && from < to; from++)
    count += !memcmp(from, word, size);
  return count;
}

static bool holds(const char *from, const char *to, const char *word) { return count_words(from, to, word) > 0; }

/* Reads "ptr addrspace(1) %x": the next registers of the call hold the location's address. */
static bool read_parameter(struct og_litmus_reader *in, struct og_litmus_thread *thread, const char *from,
                           const char *to, unsigned *number) {
  const char *name = to;
  while (name > from && name[-1] != '%')
    name--;
  while (to > name && isspace((unsigned char)to[-1]))
    to--;
  if (name == from || !holds(from, to, "ptr"))
    return og_litmus_error(in, from, "parameters of a litmus test in IR are pointers, named as the locations are");
  bool local = holds(from, name, "addrspace(3)");
  int place = og_litmus_place_named(in, (struct og_text){name, (size_t)(to - name)}, true);
  if (place < 0)
    return false;
  in->test->place[place].local |= local;
  for (unsigned half = 0; half < (local ? 1u : 2u); half++) {
    int r = og_litmus_register(thread, OG_OPERAND_VGPR, (*number)++);
    if (r >= 0) /* for now the place's number: its address is known when all locations are */
      thread->reg[r].initial = (uint32_t)place << 1 | half;
  }
  return true;
}

/* Reads "define { i32, i32 } @P1(ptr addrspace(1) %x, ...)": what registers hold at the start, and the results. */
static bool read_define(struct og_litmus_reader *in, const char *from, const char *to) {
  const char *at = memchr(from, '@', (size_t)(to - from)), *open = at ? memchr(at, '(', (size_t)(to - at)) : NULL;
  if (!open || open - at < 3 || at[1] != 'P' || !isdigit((unsigned char)at[2]) || open - at != 3)
    return true; /* another function, which threads may call */
  unsigned t = (unsigned)(at[2] - '0'), number = 0;
  if (t >= OG_LITMUS_THREADS)
    return og_litmus_error(in, at, "a litmus test has at most %d threads", OG_LITMUS_THREADS);
  in->test->threads = OG_MAX(in->test->threads, t + 1);
  in->draft[t].results = count_words(from, at, "i8") + count_words(from, at, "i16") + count_words(from, at, "i32") +
                         2 * count_words(from, at, "i64");
  for (const char *p = open + 1; p < to && *p != ')';) {
    const char *end = p;
    for (unsigned depth = 0; end < to && (depth || (*end != ',' && *end != ')')); end++)
      depth += (*end == '(') - (unsigned)(*end == ')');
    if (!read_parameter(in, &in->test->thread[t], p, end, &number))
      return false;
    p = end + (end < to && *end == ',');
  }
  return true;
}

static void set_addresses(struct og_litmus_test *test) {
  for (unsigned t = 0; t < test->threads; t++)
    for (unsigned r = 0; r < test->thread[t].registers; r++) {
      uint32_t what = test->thread[t].reg[r].initial;
      test->thread[t].reg[r].initial = (uint32_t)(og_litmus_address(test, what >> 1) >> (what & 1 ? 32 : 0));
    }
}

/* Decodes the function's code, given up to the end of its section; it ends where it returns. */
static bool decode_thread(struct og_litmus_reader *in, const struct og_object *object, unsigned t) {
  char name[4] = {'P', (char)('0' + t), 0};
  for (uint32_t i = 0; i < object->symbols.count; i++) {
    const struct og_symbol *symbol = &object->symbols.items[i];
    if (strcmp(symbol->name, name) != 0 || symbol->section >= object->sections.count)
      continue;
    const struct og_section *section = &object->sections.items[symbol->section];
    return symbol->value < section->size &&
           og_litmus_decode(in->arena, in->test, &in->test->thread[t], in->source.name, section->data + symbol->value,
                            section->size - symbol->value, in->diagnostics);
  }
  return og_litmus_error(in, in->source.text, "the module has no function @P%u", t);
}

bool og_litmus_read_ir(struct og_litmus_reader *in) {
  const char *end = end_of_module(in);
  struct og_buffer text = {0}, code = {0};
  for (const char *c = in->source.text; c < in->p; c++)
    if (*c == '\n')
      og_buffer_u8(&text, '\n'); /* empty lines in front, so that errors have the file's line numbers */
  og_buffer_append(&text, in->p, (size_t)(end - in->p));
  const char *copy = og_arena_copy(in->arena, (const char *)text.data, text.size);
  for (const char *line = in->p; line < end;) {
    const char *next = memchr(line, '\n', (size_t)(end - line));
    next = next ? next + 1 : end;
    if (next - line > 7 && !memcmp(line, "define ", 7) && !read_define(in, line, next))
      return false;
    line = next;
  }
  in->p = end;
  set_addresses(in->test);
  struct og_ir_module *module = og_ir_read_text(in->arena, in->source.name, copy, text.size, in->diagnostics);
  /* without dual instructions, whose moves would not be found */
  struct og_cc_options options = {.relocatable = true, .functions = true, .singly = true};
  bool fine = module && og_ir_verify(module, in->diagnostics) &&
              og_cc_compile(in->arena, module, &in->test->target, &options, &code, in->diagnostics);
  const void *bytes = fine ? og_arena_copy(in->arena, (const char *)code.data, code.size) : NULL;
  struct og_object *object =
      fine ? og_object_read(in->arena, in->source.name, bytes, code.size, in->diagnostics) : NULL;
  fine = object != NULL;
  for (unsigned t = 0; t < in->test->threads && fine; t++)
    fine = decode_thread(in, object, t);
  og_buffer_free(&text);
  og_buffer_free(&code);
  return fine;
}
