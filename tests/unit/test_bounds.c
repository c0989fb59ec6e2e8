/* test_bounds.c - memory is bounded by the size of the input times a constant: of the assembler by what is allocated
 * for each byte of a source, of the disassemblers by text that leaves as it is made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "asm/asm.h"
#include "inspect/disassemble.h"
#include "inspect/objdump.h"
#include "target_fixture.h"

enum { COUNT = 60000, DRAINED = 256 << 10, FIXED = 1 << 20 /* directives, forms */ };

static struct og_object *assemble(struct og_arena *arena, const struct og_buffer *source) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_asm_options options = {.target = target_of("gfx900"), .code_object_version = 6};
  struct og_object *object = og_assemble(arena, &options, "x.s", (const char *)source->data, source->size, diagnostics);
  assert_int_equal(og_diagnostics_count(diagnostics), 0);
  og_diagnostics_free(diagnostics);
  assert_non_null(object);
  return object;
}

/* COUNT lines that `format` makes of their number and the next one. */
static void write_lines(struct og_buffer *source, const char *format) {
  for (unsigned i = 0; i < COUNT; i++) {
    char line[128];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(line, sizeof line, format, i, i + 1);
#pragma GCC diagnostic pop
    og_buffer_text(source, line);
  }
}

static void takes_at_most(unsigned times, const char *format, const char *last) {
  struct og_buffer source = {0};
  struct og_arena *arena = og_arena_new();
  write_lines(&source, format);
  og_buffer_text(&source, last);
  assemble(arena, &source);
  size_t used = og_arena_used(arena);
  if (used > times * source.size + FIXED)
    fail_msg("%zu bytes for a source of %zu: %s", used, source.size, format);
  og_arena_free(arena);
  og_buffer_free(&source);
}

static void sources_of_instructions(void **state) {
  (void)state;
  takes_at_most(1, "v_add_f32_e32 v1, s2, v3\n", "");
  takes_at_most(2, "s_mov_b32 s1, 0x%08x\n", "");
  takes_at_most(1, "s_nop 0 // %u is told here\n", "");
  takes_at_most(1, ".long %u, %u\n", "");
  takes_at_most(1, ".if %u\n.endif\n", "");
}

static void sources_of_symbols(void **state) {
  (void)state;
  takes_at_most(8, "label_%u:\n  s_nop 0\n", "");
  takes_at_most(14, "l%u: s_branch l%u\n", "l60000:\n");
  takes_at_most(8, ".set value_%u, %u\n", "");
  takes_at_most(20, ".long undefined_%u\n", "");
  takes_at_most(38, ".section .s%u,\"a\"\n", "");
}

/* Pieces whose size is known only at the end. */
static void values_of_later_labels(void **state) {
  (void)state;
  takes_at_most(13, "l%u: .uleb128 l60000-l%u\n", "l60000:\n");
}

static void what_macros_make(void **state) {
  (void)state;
  takes_at_most(12, ".ifndef m%u\n.macro m%u a\n.long \\a\n.endm\n.endif\n", "m1 2\n");
}

/* The most memory that the text of a source's code takes on its way to a file. */
static size_t text_of(const struct og_buffer *source, bool as_source) {
  struct og_arena *arena = og_arena_new();
  const struct og_object *object = assemble(arena, source);
  FILE *sink = fopen("/dev/null", "wb");
  assert_non_null(sink);
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer text = {.sink = sink};
  if (as_source)
    assert_true(og_disassemble_object(object, &(struct og_dis_options){0}, &text, diagnostics));
  else
    assert_true(og_objdump_code(object, &(struct og_objdump_options){0}, &text, diagnostics));
  size_t most = text.capacity;
  fclose(sink);
  og_diagnostics_free(diagnostics);
  og_buffer_free(&text);
  og_arena_free(arena);
  return most;
}

static void text_leaves_as_it_is_made(void **state) {
  (void)state;
  struct og_buffer source = {0};
  write_lines(&source, "1: v_mul_f32_e32 v1, 0x%08x, v3\ns_mov_b32 s1, 0x%08x\ns_branch 1b\n.long 0xffffffff\n");
  assert_true(text_of(&source, false) <= DRAINED);
  og_buffer_free(&source);
}

/* As a source it leaves section by section, because labels are set in behind; of large ones as it is made. */
static void text_leaves_by_section(void **state) {
  (void)state;
  enum { CODE = 24 * COUNT, TEXT_MOST = 16 /* for a byte of code */ };
  struct og_buffer source = {0};
  write_lines(&source, "1: v_mul_f32_e32 v1, 0x%08x, v3\ns_mov_b32 s1, 0x%08x\ns_branch 1b\n.long 0xffffffff\n");
  assert_true(text_of(&source, true) <= TEXT_MOST * CODE);
  og_buffer_text(&source, ".fill 2000000, 4, 0xbf800000\n");
  assert_true(text_of(&source, true) <= DRAINED);
  og_buffer_free(&source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sources_of_instructions),     cmocka_unit_test(sources_of_symbols),
      cmocka_unit_test(values_of_later_labels), cmocka_unit_test(what_macros_make),
      cmocka_unit_test(text_leaves_as_it_is_made),   cmocka_unit_test(text_leaves_by_section),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
