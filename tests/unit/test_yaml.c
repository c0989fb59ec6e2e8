/* test_yaml.c - the reader of plain YAML yields the tree that libyaml yields, places of errors included, or nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "object/metadata/yaml.h"

enum { DOCUMENTS = 4000 };

static void trees_are_equal(const struct og_node *a, const struct og_node *b, const char *text) {
  uint32_t items = a->kind == OG_NODE_MAP ? 2 * a->count : a->kind == OG_NODE_LIST ? a->count : 0;
  bool same = a->kind == b->kind && a->range.offset == b->range.offset && a->range.size == b->range.size;
  if (same && (a->kind == OG_NODE_LIST || a->kind == OG_NODE_MAP))
    same = a->count == b->count;
  else if (same && a->kind == OG_NODE_STRING)
    same = og_text_equal(a->text, b->text) && strlen(a->text.data) == a->text.size;
  else if (same && a->kind == OG_NODE_BOOL)
    same = a->boolean == b->boolean;
  else if (same)
    same = a->unsigned_integer == b->unsigned_integer;
  if (!same)
    fail_msg("kinds %d and %d, places %u+%u and %u+%u of:\n%s", a->kind, b->kind, a->range.offset, a->range.size,
             b->range.offset, b->range.size, text);
  for (uint32_t i = 0; i < items; i++)
    trees_are_equal(&a->items[i], &b->items[i], text);
}

/* Whether the plain reader took it. A comment after the document makes og_metadata_from_yaml ask libyaml. */
static bool reads_alike(const char *text) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  char *commented = og_arena_printf(arena, "%s# for libyaml\n", text);
  struct og_source source = {.name = "y", .text = commented, .size = strlen(commented)};
  struct og_range within = {&source, 0, (uint32_t)source.size};
  struct og_node *plain = og_yaml_plain(arena, og_text(text), within);
  assert_null(og_yaml_plain(arena, og_text(commented), within));
  if (plain) {
    struct og_node *other = og_metadata_from_yaml(arena, og_text(commented), within, diagnostics);
    if (!other)
      fail_msg("libyaml refuses:\n%s", text);
    trees_are_equal(plain, other, text);
  }
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return plain != NULL;
}

static void put_indent(struct og_buffer *out, int indent) {
  for (int i = 0; i < indent; i++)
    og_buffer_u8(out, ' ');
}

static void put_scalar(struct og_buffer *out) {
  static const char *const scalars[] = {
      "0",       "17",       "0x1f",    "-5",    "1.5",     "true",       "false",   "null",      "~",        "global",
      ".name",   "'quoted'", "'it''s'", "''",    "by_value", "a b  c",    "x ",      "a:b",       "inf",      "nan",
      "1e3",     "007",      "0b11",    "'12'",  "'true'",  "- 1",        "a: b",    "[ 1, 2 ]",  "!str 5",   "\"d\"",
      "a # b",   "a#b",      "-",       "--x",   "/x",      "\xc3\xa9",   "{}",      "&a",        "*a",       "|",
      "0o17",    ".5",       "..",      "...",   "---",     "'a' b",      "9999999999999999999999", "i8", "n", "'open"};
  og_buffer_text(out, scalars[(size_t)rand() % (rand() % 4 ? 25 : OG_COUNT(scalars))]);
}

static void put_block(struct og_buffer *out, int indent, int depth);

static void put_value(struct og_buffer *out, int indent, int depth, bool behind_dash) {
  if (depth < 4 && rand() % 3 == 0) {
    if (!behind_dash) {
      og_buffer_text(out, "\n");
      put_indent(out, indent + 2);
    }
    put_block(out, indent + 2, depth + 1);
  } else {
    put_scalar(out);
    og_buffer_text(out, rand() % 200 ? "\n" : "\n\n");
  }
}

/* Mostly as LLVM lays it out. */
static void put_block(struct og_buffer *out, int indent, int depth) {
  static const char *const keys[] = {".args", ".name", "amdhsa.version", "1", "true", "Size", "a-b", "'k'", "x.y_z"};
  int count = 1 + rand() % 3;
  bool list = rand() % 2;
  for (int i = 0; i < count; i++) {
    if (i)
      put_indent(out, indent + (rand() % 300 == 0));
    if (list) {
      og_buffer_text(out, "- ");
      put_value(out, indent, depth, true);
    } else {
      og_buffer_printf(out, "%s:%s", keys[(size_t)rand() % (rand() % 20 ? 6 : OG_COUNT(keys))], rand() % 2 ? " " : "   ");
      put_value(out, indent, depth, false);
    }
  }
}

static void random_documents_read_alike(void **state) {
  (void)state;
  unsigned taken = 0;
  srand(1);
  for (unsigned i = 0; i < DOCUMENTS; i++) {
    struct og_buffer text = {0};
    og_buffer_text(&text, rand() % 4 ? "---\n" : "");
    put_block(&text, 0, 0);
    og_buffer_text(&text, rand() % 4 ? "...\n" : "");
    og_buffer_u8(&text, 0);
    taken += reads_alike((const char *)text.data);
    og_buffer_free(&text);
  }
  assert_true(taken > DOCUMENTS / 10);
}

static void what_llvm_writes_is_plain(void **state) {
  (void)state;
  assert_true(reads_alike("---\namdhsa.kernels:\n  - .agpr_count:     0\n    .args:\n      - .address_space:  global\n"
                          "        .offset:         0\n      - .size:           4\n        .value_kind:     by_value\n"
                          "    .name:           'k-1'\n    .reqd_workgroup_size:\n      - 64\n      - 2\n      - 1\n"
                          "amdhsa.target:   'amdgcn-amd-amdhsa--gfx90a:xnack+'\namdhsa.version:\n  - 1\n  - 2\n...\n\n"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_documents_read_alike),
      cmocka_unit_test(what_llvm_writes_is_plain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
