/* test_strings.c - the string table: each name is found where its offset says, names share their tails, and the order
 * depends on the names alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "object/elf/strings.h"

enum { COUNT = 3000, LONGEST = 40 };

/* Descending by the reversed strings, told in the plainest way. */
static int by_tail(const void *left, const void *right) {
  const char *a = *(const char *const *)left, *b = *(const char *const *)right;
  size_t i = strlen(a), k = strlen(b);
  while (i > 0 && k > 0 && a[i - 1] == b[k - 1])
    i--, k--;
  return (k ? (unsigned char)b[k - 1] : -1) - (i ? (unsigned char)a[i - 1] : -1);
}

/* The table as a plain sort makes it. */
static void write_plainly(const char *const *names, size_t count, struct og_buffer *out) {
  const char **sorted = malloc((count + 1) * sizeof *sorted), *above = "";
  memcpy(sorted, names, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_tail);
  og_buffer_u8(out, 0);
  for (size_t i = 0; i < count; i++) {
    size_t size = strlen(sorted[i]), more = strlen(above);
    if (more >= size && strcmp(above + more - size, sorted[i]) == 0)
      continue;
    og_buffer_append(out, sorted[i], size + 1);
    above = sorted[i];
  }
  free(sorted);
}

static void holds_as_a_plain_sort_does(const char *const *names, size_t count) {
  struct og_arena *arena = og_arena_new();
  struct og_strings strings = {.arena = arena};
  struct og_buffer table = {0}, plain = {0};
  for (size_t i = 0; i < count; i++)
    assert_int_equal(og_strings_add(&strings, names[i]), i);
  og_strings_write(&strings, &table);
  write_plainly(names, count, &plain);
  assert_int_equal(table.size, plain.size);
  assert_memory_equal(table.data, plain.data, plain.size);
  for (uint32_t i = 0; i < count; i++)
    assert_string_equal((const char *)table.data + og_string_offset(&strings, i), names[i]);
  og_buffer_free(&table);
  og_buffer_free(&plain);
  og_arena_free(arena);
}

static void random_names_share_their_tails(void **state) {
  (void)state;
  static char text[COUNT][LONGEST + 1];
  static const char *names[COUNT];
  for (unsigned letters = 1; letters <= 26; letters += 5) { /* few letters: many tails and equal names */
    srand(letters);
    for (size_t i = 0; i < COUNT; i++) {
      size_t size = (size_t)rand() % LONGEST;
      for (size_t k = 0; k < size; k++)
        text[i][k] = (char)('a' + rand() % (int)letters);
      text[i][size] = 0;
      names[i] = text[i];
    }
    holds_as_a_plain_sort_does(names, COUNT);
  }
}

static void edges_of_the_eight_bytes(void **state) {
  (void)state;
  static const char *const names[] = {"12345678",         "x12345678", "2345678", "", "1234567812345678", "8",
                                      "212345678",        "y12345678", "12345678", "\xff\xff\xff\xff\xff\xff\xff\xff",
                                      "\xff\xff\xff\xff", "345678",    "9",       "98"};
  for (size_t count = 0; count <= OG_COUNT(names); count++)
    holds_as_a_plain_sort_does(names, count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_names_share_their_tails),
      cmocka_unit_test(edges_of_the_eight_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
