/* test_yaml.c - metadata read without a tree becomes what libyaml, the rules and the writer of MessagePack make of it,
 * or is left to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "object/metadata/keys.h"
#include "object/metadata/yaml.h"

enum { DOCUMENTS = 6000 };

/* Whether it was read without a tree; then the bytes are the tree's. */
static bool reads_alike(const char *text, int version) {
  struct og_buffer direct = {0}, wanted = {0};
  og_buffer_text(&direct, "before");
  og_buffer_text(&wanted, "before");
  bool taken = og_metadata_direct(og_text(text), version, &direct);
  if (taken) {
    struct og_arena *arena = og_arena_new();
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    struct og_source source = {.name = "y", .text = text, .size = strlen(text)};
    struct og_node *root =
        og_metadata_from_yaml(arena, og_text(text), (struct og_range){&source, 0, (uint32_t)source.size}, diagnostics);
    if (!root || !og_metadata_verify(root, version, "y", diagnostics))
      fail_msg("%s, version %d:\n%s", og_diagnostics_text(diagnostics, 0), version, text);
    og_metadata_to_msgpack(root, &wanted);
    og_diagnostics_free(diagnostics);
    og_arena_free(arena);
  }
  if (direct.size != wanted.size || memcmp(direct.data, wanted.data, wanted.size))
    fail_msg("other bytes, version %d:\n%s", version, text);
  og_buffer_free(&direct);
  og_buffer_free(&wanted);
  return taken;
}

static const char *one_of(const char *const *words, size_t count) { return words[(size_t)rand() % count]; }
#define ONE_OF(words) one_of(words, OG_COUNT(words))

static void put_indent(struct og_buffer *out, int indent) {
  while (indent-- > 0)
    og_buffer_u8(out, ' ');
}

static void put_word(struct og_buffer *out) {
  static const char *const words[] = {"out",       "index",    "nano", "k.kd",      "'k-1'",  "'1:1:4:%d\\n'",
                                      "_Z3fooPf",
                                      "true_name", "OpenCL C", "a:b",  "infinite"};
  static const char *const odd[] = {"0x1f", "-5",   "1.5",  "true",  "'true'", "null",  "~",   "'12'",     "inf",
                                    "nan",  "NaN",  "Inf",  "''",    "'it''s'", "x ",   ".5",  "infinity", "nan(x)",
                                    "a #b", "a#b",  "[1]",  "!str 5", "\"d\"",  "{}",   "&a",  "*a",       "|",
                                    "'a' b", "'0'", "'-1'", "\xc3\xa9", "- 1",  "a: b", "..",  "---",      "007"};
  og_buffer_text(out, rand() % 60 ? ONE_OF(words) : ONE_OF(odd));
}

static void put_number(struct og_buffer *out) {
  static const uint64_t most[] = {2, 16, 33, 128, 300, 70000, UINT64_C(5000000000), UINT64_MAX / 30};
  og_buffer_printf(out, "%llu", (unsigned long long)(((uint64_t)rand() << 31 | (unsigned)rand()) % most[rand() % 8]));
}

static void put_map(struct og_buffer *out, enum og_level level, int indent);

static void put_list(struct og_buffer *out, const struct og_metadata_key *key, int indent) {
  int count = key->shape == OG_SHAPE_THREE_NUMBERS ? 3
              : key->shape == OG_SHAPE_TWO_NUMBERS ? 2
                                                   : 1 + rand() % (rand() % 8 ? 3 : 18);
  for (int i = 0; i < count + (rand() % 400 == 0); i++) {
    put_indent(out, indent);
    og_buffer_text(out, "- ");
    if (key->shape == OG_SHAPE_MAPS) {
      put_map(out, key->inner, indent + 2);
      continue;
    }
    key->shape == OG_SHAPE_STRINGS ? put_word(out) : put_number(out);
    og_buffer_text(out, "\n");
  }
}

static void put_value(struct og_buffer *out, const struct og_metadata_key *key, int indent) {
  if (key->shape >= OG_SHAPE_STRINGS) {
    og_buffer_text(out, rand() % 400 ? "\n" : " \n");
    put_list(out, key, indent + (rand() % 400 ? 2 : 0));
    return;
  }
  put_indent(out, 1 + rand() % 3);
  switch (rand() % 400 ? key->shape : OG_SHAPE_WORD) {
  case OG_SHAPE_WORD:
    rand() % 100 && key->words ? og_buffer_text(out, key->words[rand() % 3]) : put_word(out);
    break;
  case OG_SHAPE_VALUE_KIND: og_buffer_text(out, og_value_kinds[rand() % 31].name); break;
  case OG_SHAPE_POWER_OF_TWO: og_buffer_printf(out, "%u", rand() % 400 ? 1u << rand() % 31 : 3u); break;
  case OG_SHAPE_BOOLEAN: og_buffer_text(out, rand() % 2 ? "true" : "false"); break;
  default: put_number(out); break;
  }
  og_buffer_text(out, rand() % 2000 ? "\n" : "\n\n");
}

/* Some of the level's keys, sorted; the first one behind a dash or at the text's begin. */
static void put_map(struct og_buffer *out, enum og_level level, int indent) {
  const struct og_key_level *l = &og_key_levels[level];
  const char *last = "";
  for (size_t i = 0; i < l->count; i++) {
    const struct og_metadata_key *key = NULL;
    for (size_t k = 0; k < l->count; k++)
      if (strcmp(l->keys[k].name, last) > 0 && (!key || strcmp(l->keys[k].name, key->name) < 0))
        key = &l->keys[k];
    bool first = !*last;
    last = key->name;
    if (rand() % (key->required ? 1000 : 2) == 0 && !first)
      continue;
    put_indent(out, first ? 0 : indent + (rand() % 1000 == 0));
    og_buffer_printf(out, "%s%s", key->name, rand() % 2000 ? ":" : "");
    put_value(out, key, indent);
  }
}

/* One character or line of the text is another one. */
static void damage(struct og_buffer *text) {
  static const char characters[] = " \n:-'.#0atx\t%,";
  size_t at = (size_t)rand() % text->size;
  if (rand() % 2)
    text->data[at] = (uint8_t)characters[(size_t)rand() % (sizeof characters - 1)];
  else if (at + 1 < text->size)
    memmove(&text->data[at], &text->data[at + 1], text->size - at), text->size--;
}

static void random_documents_read_alike(void **state) {
  (void)state;
  unsigned taken = 0, damaged = 0;
  srand(1);
  for (unsigned i = 0; i < DOCUMENTS; i++) {
    struct og_buffer text = {0};
    og_buffer_text(&text, rand() % 4 ? "---\n" : "");
    put_map(&text, OG_LEVEL_ROOT, 0);
    og_buffer_text(&text, rand() % 4 ? "...\n" : "");
    og_buffer_text(&text, rand() % 4 ? "" : "\n");
    int version = 2 + rand() % 5;
    taken += reads_alike((const char *)text.data, version);
    damage(&text);
    damaged += reads_alike((const char *)text.data, version);
    og_buffer_free(&text);
  }
  if (taken < DOCUMENTS / 5 || damaged < DOCUMENTS / 50)
    fail_msg("only %u documents were taken, and %u damaged ones", taken, damaged);
}

static void what_llvm_writes_is_taken(void **state) {
  (void)state;
  const char *text =
      "---\namdhsa.kernels:\n  - .agpr_count:     0\n    .args:\n      - .address_space:  global\n"
      "        .name:           index\n        .offset:         0\n        .size:           8\n"
      "        .value_kind:     global_buffer\n      - .offset:         8\n        .size:           4\n"
      "        .value_kind:     hidden_block_count_x\n    .group_segment_fixed_size: 0\n"
      "    .kernarg_segment_align: 8\n    .kernarg_segment_size: 288\n    .language:       OpenCL C\n"
      "    .language_version:\n      - 2\n      - 0\n    .max_flat_workgroup_size: 1024\n    .name:           'k-1'\n"
      "    .private_segment_fixed_size: 0\n    .sgpr_count:     10\n    .sgpr_spill_count: 0\n"
      "    .symbol:         'k-1.kd'\n    .uses_dynamic_stack: false\n    .vgpr_count:     3\n"
      "    .vgpr_spill_count: 0\n    .wavefront_size: 64\namdhsa.printf:\n  - '1:1:4:%d\\n'\n"
      "amdhsa.target:   'amdgcn-amd-amdhsa--gfx90a:xnack+'\namdhsa.version:\n  - 1\n  - 2\n...\n\n";
  assert_true(reads_alike(text, 5));
  assert_false(reads_alike(text, 4)); /* which has no block counts */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_documents_read_alike),
      cmocka_unit_test(what_llvm_writes_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
