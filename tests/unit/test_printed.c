/* test_printed.c - what kernels print: messages and records as they should be, cut short, and of random bytes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "runtime/printed.h"

static void expect_text(struct og_buffer *out, const char *text) {
  og_buffer_append(out, "", 1);
  assert_string_equal((const char *)out->data, text);
  og_buffer_free(out);
}

static size_t put_string(uint64_t *words, const char *string) {
  memcpy(words, string, strlen(string) + 1);
  return strlen(string) / 8 + 1;
}

static size_t make_message(uint64_t *words) {
  double half = 0.5;
  size_t n = 0;
  memset(words, 0xff, 64 * sizeof *words);
  words[n++] = 1;
  n += put_string(words + n, "%-*d|%s|%.3f|%c|%hhx|%%\n");
  words[n++] = 4;
  words[n++] = (uint64_t)-7;
  n += put_string(words + n, "exactly8");
  memcpy(&words[n++], &half, 8);
  words[n++] = 'z';
  words[n++] = 0x1ff;
  return n;
}

static void messages_are_printed_and_cut_ones_refused(void **state) {
  (void)state;
  uint64_t words[64];
  size_t count = make_message(words);
  struct og_buffer out = {0};
  bool to_stderr = false;
  assert_true(og_print_message(words, count, &to_stderr, &out));
  assert_true(to_stderr);
  expect_text(&out, "-7  |exactly8|0.500|z|ff|%\n");
  for (size_t i = 0; i < count; i++) {
    uint64_t *cut = malloc(OG_MAX(i, (size_t)1) * 8);
    memcpy(cut, words, i * 8);
    assert_false(og_print_message(cut, i, &to_stderr, &out));
    og_buffer_free(&out);
    free(cut);
  }
}

static struct og_code_object code_with(struct og_arena *arena, const char *const *formats, uint32_t count) {
  struct og_node *root = OG_NEW(arena, struct og_node);
  root->kind = OG_NODE_MAP;
  struct og_node *list = og_node_add(arena, root, "amdhsa.printf");
  *list = (struct og_node){.kind = OG_NODE_LIST, .items = OG_NEW_ARRAY(arena, struct og_node, count), .count = count};
  for (uint32_t i = 0; i < count; i++)
    list->items[i] = (struct og_node){.kind = OG_NODE_STRING, .text = og_text(formats[i])};
  return (struct og_code_object){.version = 5, .metadata = root};
}

static const char *const formats[] = {"1:4:4:4:8:16:a\\72 %d %s %f %v4hd\\n\\\\", "7:0:none\\t", "9:2:4:4:%*d", "bad",
                                      "3:9:1:"};

static void records_are_printed(void **state) {
  (void)state;
  struct og_arena *arena = og_arena_new();
  struct og_code_object code = code_with(arena, formats, OG_COUNT(formats));
  uint8_t buffer[128] = {0};
  const uint32_t records[] = {1, 41, 0x006b6f, 0, 0x3fe00000 /* 0.5 */, 1, (uint32_t)-2, 3, 4, 7, 9, 3, 5};
  struct og_buffer out = {0};
  uint32_t size = sizeof records;
  memcpy(buffer, &size, 4);
  memcpy(buffer + OG_PRINTF_FIRST, records, sizeof records);
  og_print_buffer(&code, buffer, sizeof buffer, &out);
  expect_text(&out, "a: 41 ok 0.500000 1,-2,3,4\n\\none\t  5");
  size -= 4;
  memcpy(buffer, &size, 4);
  og_print_buffer(&code, buffer, sizeof buffer, &out);
  assert_non_null(memmem(out.data, out.size, "is no record", 12));
  og_buffer_free(&out);
  og_arena_free(arena);
}

static void random_bytes_do_no_harm(void **state) {
  (void)state;
  struct og_arena *arena = og_arena_new();
  struct og_code_object code = code_with(arena, formats, OG_COUNT(formats));
  srand(1);
  for (int i = 0; i < 20000; i++) {
    size_t size = OG_PRINTF_FIRST + (size_t)rand() % 64;
    uint8_t *bytes = malloc(OG_MAX(size, (size_t)8));
    for (size_t k = 0; k < size; k++)
      bytes[k] = (uint8_t)(rand() % 3 ? rand() % 10 : rand());
    struct og_buffer out = {0};
    bool to_stderr;
    og_print_buffer(&code, bytes, size, &out);
    static const char sprinkled[] = "%s%*.*lld%n%%.9999999999f%-+ #0c%p%a%v9999d";
    for (size_t k = 8; k < size; k++)
      if (rand() % 2)
        bytes[k] = (uint8_t)sprinkled[(size_t)rand() % sizeof sprinkled];
    og_print_message((const uint64_t *)(void *)bytes, size / 8, &to_stderr, &out);
    og_buffer_free(&out);
    free(bytes);
  }
  og_arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_are_printed_and_cut_ones_refused),
      cmocka_unit_test(records_are_printed),
      cmocka_unit_test(random_bytes_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
