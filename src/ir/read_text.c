/* read_text.c - IR's text: the module's level, and what the reader's other files use. */
#include "ir/reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- errors: the first one ends the reading ---- */

bool og_ir_fail(struct og_ir_reader *r, og_ir_place place, const char *format, ...) {
  if (r->failed)
    return false;
  r->failed = true;
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  struct og_range range = {&r->source, (uint32_t)(place - r->source.text), 0};
  r->lexer.at = r->lexer.end; /* nothing more to read */
  r->lexer.kind = OG_IR_T_END;
  return og_error(r->diagnostics, range, "%s", message);
}

bool og_ir_fail_here(struct og_ir_reader *r, const char *message) {
  const char *said = r->lexer.kind == OG_IR_T_WRONG ? r->lexer.error : message;
  return og_ir_fail(r, og_ir_here(r), "%s", said);
}

bool og_ir_expect(struct og_ir_reader *r, uint8_t kind, const char *message) {
  return og_ir_take(r, kind) || og_ir_fail_here(r, message);
}

bool og_ir_expect_word(struct og_ir_reader *r, const char *word) {
  if (og_ir_take_word(r, word))
    return true;
  char message[64];
  snprintf(message, sizeof message, "expected '%s'", word);
  return og_ir_fail_here(r, message);
}

bool og_ir_enter(struct og_ir_reader *r) {
  return ++r->depth < OG_IR_DEEPEST ||
         og_ir_fail(r, og_ir_here(r), "nested too deeply: more than %d levels", OG_IR_DEEPEST);
}

const char *og_ir_type_text(struct og_ir_reader *r, og_ir_type type) {
  struct og_buffer text = {0};
  og_ir_print_type(r->m, type, &text);
  const char *copy = og_arena_copy(r->arena, (const char *)text.data, OG_MIN(text.size, 200u));
  og_buffer_free(&text);
  return copy;
}

/* ---- small things ---- */

int64_t og_ir_take_class(struct og_ir_reader *r, enum og_ir_words class) {
  if (r->lexer.kind != OG_IR_T_WORD)
    return -1;
  int64_t number = og_ir_word(r->words, class, r->lexer.text);
  if (number >= 0)
    og_ir_next(r);
  return number;
}

bool og_ir_read_u64(struct og_ir_reader *r, uint64_t *value) {
  if (og_ir_at(r) != OG_IR_T_INTEGER || r->lexer.negative || r->lexer.large)
    return og_ir_fail_here(r, "expected integer");
  *value = r->lexer.number;
  og_ir_next(r);
  return true;
}

bool og_ir_read_u32(struct og_ir_reader *r, uint32_t *value) {
  og_ir_place place = og_ir_here(r);
  uint64_t wide = 0;
  if (!og_ir_read_u64(r, &wide))
    return false;
  *value = (uint32_t)wide;
  return wide <= UINT32_MAX || og_ir_fail(r, place, "expected 32-bit integer (too large)");
}

bool og_ir_read_string(struct og_ir_reader *r, struct og_text *text) {
  *text = r->lexer.text;
  return og_ir_expect(r, OG_IR_T_STRING, "expected string constant");
}

bool og_ir_read_align(struct og_ir_reader *r, uint8_t *align) {
  bool brackets = og_ir_take(r, '(');
  og_ir_place place = og_ir_here(r);
  uint64_t value = 0;
  if (!og_ir_read_u64(r, &value))
    return false;
  if (!value || (value & (value - 1)))
    return og_ir_fail(r, place, "alignment is not a power of two");
  if (value > (uint64_t)1 << 32)
    return og_ir_fail(r, place, "huge alignments are not supported yet");
  *align = (uint8_t)(1 + __builtin_ctzll(value));
  return !brackets || og_ir_expect(r, ')', "expected ')'");
}

/* Most numbers are dense: small ones are in a vector, others in a map. */
enum { DENSE_BEYOND = 4096 };
struct numbers {
  uint32_t *items, count, capacity;
};

uint32_t og_ir_get_number(struct og_ir_reader *r, const void *vector, char mark, uint32_t number) {
  const struct numbers *numbers = vector;
  if (number < numbers->count)
    return numbers->items[number];
  if (!r->numbered.count)
    return 0;
  char key[16];
  int size = snprintf(key, sizeof key, "%c%u", mark, number);
  return (uint32_t)(uintptr_t)og_map_get(&r->numbered, (struct og_text){key, (size_t)size});
}

void og_ir_set_number(struct og_ir_reader *r, void *vector, char mark, uint32_t number, uint32_t value) {
  struct numbers *numbers = vector;
  if (number < numbers->count || number < numbers->count * 2 + DENSE_BEYOND) {
    uint32_t old = numbers->count;
    while (number >= numbers->count) {
      if (numbers->count == numbers->capacity)
        numbers->items = og_vector_grow(r->arena, numbers->items, &numbers->capacity, sizeof *numbers->items);
      numbers->items[numbers->count++] = 0;
    }
    if (r->numbered.count) /* one from the map may be small enough now */
      for (uint32_t i = old; i < numbers->count; i++) {
        char key[16];
        int size = snprintf(key, sizeof key, "%c%u", mark, i);
        numbers->items[i] = (uint32_t)(uintptr_t)og_map_get(&r->numbered, (struct og_text){key, (size_t)size});
      }
    numbers->items[number] = value;
    return;
  }
  char *key = og_arena_printf(r->arena, "%c%u", mark, number);
  *og_map_at(r->arena, &r->numbered, og_text(key)) = (void *)(uintptr_t)value;
}

uint32_t og_ir_take_list(struct og_ir_reader *r, uint32_t from, uint32_t per) {
  uint32_t count = r->stack.count - from;
  if (!count)
    return 0;
  uint32_t place = og_ir_pool(r->m, count + 1);
  r->m->pool.items[place] = count / per;
  memcpy(r->m->pool.items + place + 1, r->stack.items + from, count * sizeof(uint32_t));
  r->stack.count = from;
  if (per == 2) /* attachments, sorted by kind: few, most of them in order already */
    for (uint32_t i = 1; i < count / 2; i++)
      for (uint32_t *at = r->m->pool.items + place + 1 + i * 2; at > r->m->pool.items + place + 1 && at[-2] > at[0];
           at -= 2) {
        uint32_t kind = at[0], node = at[1];
        at[0] = at[-2], at[1] = at[-1];
        at[-2] = kind, at[-1] = node;
      }
  return place;
}

/* ---- the data layout: which address spaces have names ---- */

static void read_layout(struct og_ir_reader *r) {
  const char *at = r->m->layout.data, *end = at + r->m->layout.size;
  while (at < end) {
    char letter = *at;
    if ((letter == 'A' || letter == 'P' || letter == 'G') && at + 1 < end && at[1] >= '0' && at[1] <= '9') {
      uint32_t space = 0;
      for (const char *p = at + 1; p < end && *p >= '0' && *p <= '9' && space < 1 << 24; p++)
        space = space * 10 + (uint32_t)(*p - '0');
      *(letter == 'A' ? &r->alloca_space : letter == 'P' ? &r->program_space : &r->globals_space) = space;
    }
    const char *dash = memchr(at, '-', (size_t)(end - at));
    at = dash ? dash + 1 : end;
  }
}

/* ---- top-level entities ---- */

static bool read_target(struct og_ir_reader *r) {
  og_ir_next(r);
  struct og_ir_module *m = r->m;
  if (og_ir_take_word(r, "triple")) {
    m->has_triple = true;
    return og_ir_expect(r, '=', "expected '=' after target triple") && og_ir_read_string(r, &m->triple);
  }
  if (!og_ir_take_word(r, "datalayout"))
    return og_ir_fail_here(r, "unknown target property");
  m->has_layout = true;
  if (!og_ir_expect(r, '=', "expected '=' after target datalayout") || !og_ir_read_string(r, &m->layout))
    return false;
  read_layout(r);
  return true;
}

static bool read_source_name(struct og_ir_reader *r) {
  og_ir_next(r);
  r->m->has_source_name = true;
  return og_ir_expect(r, '=', "expected '=' after source_filename") && og_ir_read_string(r, &r->m->source_name);
}

static bool read_assembly(struct og_ir_reader *r) {
  og_ir_next(r);
  struct og_text text;
  if (!og_ir_expect_word(r, "asm") || !og_ir_read_string(r, &text))
    return false;
  *OG_PUSH(r->arena, &r->m->assembly) = text;
  return true;
}

static bool read_comdat(struct og_ir_reader *r) {
  struct og_text name = r->lexer.text;
  og_ir_place place = og_ir_here(r);
  og_ir_next(r);
  if (!og_ir_expect(r, '=', "expected '=' here") || !og_ir_expect_word(r, "comdat"))
    return false;
  int64_t selection = og_ir_take_class(r, OG_IR_W_COMDAT);
  if (selection < 0)
    return og_ir_fail_here(r, "unknown selection kind");
  void **slot = og_map_at(r->arena, &r->comdat_names, name);
  if (!*slot) {
    OG_PUSH(r->arena, &r->m->comdats)->name = og_ir_name(r->m, name);
    *slot = (void *)(uintptr_t)r->m->comdats.count;
  }
  struct og_ir_comdat *comdat = &r->m->comdats.items[(uintptr_t)*slot - 1];
  if (comdat->selection)
    return og_ir_fail(r, place, "redefinition of comdat '$%.*s'", OG_TEXT_ARGS(name));
  comdat->selection = (uint8_t)selection;
  return true;
}

/* `uselistorder type value, { 1, 0 }`, which is ignored. Its list is the first one in braces that begins with a number:
 * braces of types and of constants begin with a type. */
bool og_ir_skip_use_list(struct og_ir_reader *r) {
  bool is_list = false;
  while (!is_list || og_ir_at(r) != '}') {
    if (og_ir_at(r) == OG_IR_T_END || og_ir_at(r) == OG_IR_T_WRONG)
      return og_ir_fail_here(r, "expected '}' here");
    bool begins = og_ir_take(r, '{');
    if (!begins)
      og_ir_next(r);
    is_list |= begins && og_ir_at(r) == OG_IR_T_INTEGER;
  }
  og_ir_next(r);
  return true;
}

static bool read_entity(struct og_ir_reader *r) {
  switch (og_ir_at(r)) {
  case OG_IR_T_GLOBAL:
  case OG_IR_T_GLOBAL_NUMBER: return og_ir_read_global(r);
  case OG_IR_T_LOCAL:
  case OG_IR_T_LOCAL_NUMBER: return og_ir_define_type(r);
  case OG_IR_T_COMDAT: return read_comdat(r);
  case OG_IR_T_METADATA_NUMBER: return og_ir_define_metadata(r);
  case OG_IR_T_METADATA: return og_ir_define_named_metadata(r);
  case OG_IR_T_WORD: break;
  default: return og_ir_fail_here(r, "expected top-level entity");
  }
  if (og_ir_at_word(r, "define") || og_ir_at_word(r, "declare"))
    return og_ir_read_function(r, r->lexer.text.data[2] == 'f');
  if (og_ir_at_word(r, "attributes"))
    return og_ir_define_group(r);
  if (og_ir_at_word(r, "target"))
    return read_target(r);
  if (og_ir_at_word(r, "source_filename"))
    return read_source_name(r);
  if (og_ir_at_word(r, "module"))
    return read_assembly(r);
  if (og_ir_at_word(r, "uselistorder") || og_ir_at_word(r, "uselistorder_bb"))
    return og_ir_skip_use_list(r);
  return og_ir_fail_here(r, "expected top-level entity");
}

/* ---- names that were used must be defined ------------------------------------------------------------------------ */

static bool check_globals(struct og_ir_reader *r) {
  for (uint32_t i = 0; i < r->m->globals.count; i++) {
    const struct og_ir_global *g = &r->m->globals.items[i];
    if (g->kind == OG_IR_UNKNOWN)
      return og_ir_fail(r, r->global_places.items[i], "use of undefined value '@%.*s'",
                        OG_TEXT_ARGS(r->m->names.items[g->name]));
  }
  for (uint32_t i = 0; i < r->m->comdats.count; i++)
    if (!r->m->comdats.items[i].selection)
      return og_ir_fail(r, r->source.text, "use of undefined comdat '$%.*s'",
                        OG_TEXT_ARGS(r->m->names.items[r->m->comdats.items[i].name]));
  return true;
}

static bool check_metadata(struct og_ir_reader *r) {
  for (uint32_t i = 0; i < r->metadata_places.count; i++)
    if (r->m->metadata.items[i].kind == OG_IR_M_UNDEFINED)
      return og_ir_fail(r, r->metadata_places.items[i], "use of undefined metadata '!%d'",
                        atoi(r->metadata_places.items[i] + 1));
  return true;
}

static bool find_blocks(struct og_ir_reader *r) {
  for (uint32_t i = 0; i < r->pending_blocks.count; i++) {
    const struct og_ir_pending_block *p = &r->pending_blocks.items[i];
    struct og_ir_constant *c = &r->m->constants.items[p->constant];
    const struct og_ir_function *f = r->m->globals.items[c->value >> 32].function;
    uint32_t block = 0, number = f ? f->arguments : 0;
    for (; f && block < f->blocks.count; block++) {
      struct og_text name = r->m->names.items[f->blocks.items[block].name];
      if (p->numbered ? !f->blocks.items[block].name && number == p->number
                      : f->blocks.items[block].name && og_text_equal(name, p->name))
        break;
      number += !f->blocks.items[block].name;
      for (uint32_t at = f->blocks.items[block].first; at; at = f->insts.items[at].next)
        number += !f->insts.items[at].name && f->insts.items[at].type != OG_IR_VOID;
    }
    if (!f || block == f->blocks.count)
      return og_ir_fail(r, p->place, "referenced value is not a basic block");
    c->value |= block;
  }
  return true;
}

static bool read_all(struct og_ir_reader *r) {
  og_ir_next(r);
  while (og_ir_at(r) != OG_IR_T_END)
    if (!read_entity(r))
      return false;
  return !r->failed && og_ir_check_types(r) && check_globals(r) && check_metadata(r) && og_ir_resolve_groups(r) &&
         find_blocks(r);
}

static bool read_bounded(struct og_ir_reader *r) {
  struct og_arena *words = og_arena_new();
  r->words = og_ir_words_new(words);
  r->scratch = og_arena_new();
  bool ok = read_all(r);
  og_arena_free(words);
  og_arena_free(r->scratch);
  return ok;
}

bool og_ir_read_more(struct og_ir_module *m, const char *text, size_t size, struct og_diagnostics *diagnostics) {
  struct og_ir_reader r = {.arena = m->arena, .diagnostics = diagnostics, .m = m, .more = true};
  r.source = (struct og_source){.name = m->file, .text = text, .size = size};
  r.lexer = (struct og_ir_lexer){.start = text, .at = text, .end = text + size, .arena = m->arena, .token = text};
  for (uint32_t i = 0; i < m->globals.count; i++) {
    *OG_PUSH(m->arena, &r.global_places) = text;
    if (m->globals.items[i].function && m->globals.items[i].name)
      *og_map_at(m->arena, &r.global_names, m->names.items[m->globals.items[i].name]) = (void *)(uintptr_t)(i + 1);
  }
  return read_bounded(&r);
}

struct og_ir_module *og_ir_read_text(struct og_arena *arena, const char *file, const char *text, size_t size,
                                     struct og_diagnostics *diagnostics) {
  struct og_ir_reader reader = {.arena = arena, .diagnostics = diagnostics};
  struct og_ir_reader *r = &reader;
  r->m = og_ir_module_new(arena, file);
  r->source = (struct og_source){.name = file, .text = text, .size = size};
  struct og_source *kept = OG_NEW(arena, struct og_source);
  *kept = r->source;
  r->m->source = kept;
  r->lexer = (struct og_ir_lexer){.start = text, .at = text, .end = text + size, .arena = arena, .token = text};
  return read_bounded(r) ? r->m : NULL;
}
