/* test_visa_print.c - a printf buffer that the kernel filled with anything: what is no record is told, nothing else. */
#include "visa/host/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ROOM = 256 };
static uint8_t strings[] = "%d %s|\0%999999999.999999999f%hhhhhhlllv99d%\0text";

static void print(const uint8_t *bytes, size_t size, struct og_buffer *out) {
  struct og_arena *arena = og_arena_new();
  struct og_zebin zebin = {0};
  *OG_PUSH(arena, &zebin.sections) = (struct og_zebin_data){.bytes = strings, .size = sizeof strings};
  uint8_t *exact = malloc(size); /* so that a sanitizer sees what leaves it */
  memcpy(exact, bytes, size);
  og_visa_printed(&zebin, exact, size, out);
  free(exact);
  og_arena_free(arena);
}

static uint8_t *put(uint8_t *to, uint64_t value, size_t size) {
  memcpy(to, &value, size);
  return to + size;
}

static void records_are_printed_one_after_the_other(void **state) {
  (void)state;
  uint8_t bytes[ROOM] = {0}, *to = bytes + 4;
  struct og_buffer out = {0};
  for (int i = 0; i < 2; i++) {
    to = put(to, (uintptr_t)strings, 8);
    to = put(put(to, 3, 4), (uint32_t)(7 - 10 * i), 4);
    to = put(put(to, 5, 4), (uintptr_t)strings + sizeof strings - 5, 8);
  }
  put(bytes, (uint64_t)(to - bytes), 4);
  print(bytes, sizeof bytes, &out);
  assert_int_equal(out.size, strlen("7 text|-3 text|"));
  assert_memory_equal(out.data, "7 text|-3 text|", out.size);
  og_buffer_free(&out);
}

static void what_is_no_record_ends_the_text(void **state) {
  (void)state;
  srand(1);
  for (int round = 0; round < 20000; round++) {
    uint8_t bytes[ROOM];
    struct og_buffer out = {0};
    for (size_t i = 0; i < sizeof bytes; i++)
      bytes[i] = (uint8_t)(rand() % 3 ? rand() % 16 : rand());
    size_t size = 8 + (size_t)rand() % (sizeof bytes - 8);
    put(bytes, rand() % 2 ? size : (uint64_t)rand(), 4);
    if (size >= 12)
      put(bytes + 4, (uintptr_t)strings + (uint64_t)rand() % (sizeof strings + 8), 8);
    print(bytes, size, &out);
    og_buffer_free(&out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_are_printed_one_after_the_other),
      cmocka_unit_test(what_is_no_record_ends_the_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
