/* test_base.c - arenas, buffers, maps, diagnostics and the host. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/host.h"

static void arena_allocations_are_zeroed_and_aligned(void **state) {
  (void)state;
  struct og_arena *arena = og_arena_new();
  for (int i = 1; i < 3000; i++) {
    uint8_t *p = og_arena_alloc(arena, (size_t)i);
    assert_int_equal((uintptr_t)p % 16, 0);
    for (int j = 0; j < i; j++)
      assert_int_equal(p[j], 0);
    memset(p, 0xff, (size_t)i);
  }
  og_arena_free(arena);
}

static void vector_keeps_its_items_when_it_grows(void **state) {
  (void)state;
  struct og_arena *arena = og_arena_new();
  OG_VECTOR(int) numbers = {0};
  for (int i = 0; i < 10000; i++) {
    *OG_PUSH(arena, &numbers) = i;
    if (i % 7 == 0)
      og_arena_alloc(arena, 24); /* so that growing in place is not always possible */
  }
  for (int i = 0; i < 10000; i++)
    assert_int_equal(numbers.items[i], i);
  og_arena_free(arena);
}

/* RFC 1321, appendix A.5; FIPS 180-4's examples. */
static void digests_are_as_their_standards_say(void **state) {
  (void)state;
  static const struct {
    const char *text, *md5, *sha1;
  } tests[] = {
      {"", "d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
      {"abc", "900150983cd24fb0d6963f7d28e17f72", "a9993e364706816aba3e25717850c26c9cd0d89d"},
      {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
       "57edf4a22be3c955ac49da2e2107b67a", "50abf5706a150990a08b2c5ea40fa0e585554732"}};
  for (size_t i = 0; i < OG_COUNT(tests); i++) {
    uint8_t md5[16], sha1[20];
    char text[41];
    og_md5(tests[i].text, strlen(tests[i].text), md5);
    og_sha1(tests[i].text, strlen(tests[i].text), sha1);
    for (int k = 0; k < 16; k++)
      snprintf(text + 2 * k, 3, "%02x", md5[k]);
    assert_string_equal(text, tests[i].md5);
    for (int k = 0; k < 20; k++)
      snprintf(text + 2 * k, 3, "%02x", sha1[k]);
    assert_string_equal(text, tests[i].sha1);
  }
}

static void map_finds_what_was_put_and_nothing_else(void **state) {
  (void)state;
  struct og_arena *arena = og_arena_new();
  struct og_map map = {0};
  assert_null(og_map_get(&map, OG_TEXT("nothing")));
  for (uintptr_t i = 1; i < 5000; i++)
    *og_map_at(arena, &map, og_text(og_arena_printf(arena, "key%zu", (size_t)i))) = (void *)i;
  for (uintptr_t i = 1; i < 5000; i++)
    assert_ptr_equal(og_map_get(&map, og_text(og_arena_printf(arena, "key%zu", (size_t)i))), (void *)i);
  assert_null(og_map_get(&map, OG_TEXT("key5000")));
  og_arena_free(arena);
}

static void diagnostic_points_at_the_place_with_a_caret(void **state) {
  (void)state;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  const char *text = "first\n\tv_add_f32 v0, v1\nlast";
  struct og_source source = {.name = "k.s", .text = text, .size = strlen(text)};
  assert_false(og_error(diagnostics, (struct og_range){&source, 17, 2}, "expected %s", "an operand"));
  struct og_buffer out = {0};
  og_diagnostic_print(og_diagnostics_at(diagnostics, 0), false, &out);
  assert_string_equal((char *)out.data, "k.s:2:12: error: expected an operand\n\tv_add_f32 v0, v1\n\t          ^~\n");
  assert_int_equal(og_diagnostics_errors(diagnostics), 1);
  og_buffer_free(&out);
  og_diagnostics_free(diagnostics);
}

static void names_in_messages_do_not_move_the_cursor(void **state) {
  (void)state;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  og_error_in(diagnostics, "k.o", "no kernel '%s'", "a\033[31m\r\x7f\tb");
  assert_string_equal(og_diagnostics_text(diagnostics, 0), "k.o: error: no kernel 'a\\x1b[31m\\x0d\\x7f\tb'\n");
  og_diagnostics_free(diagnostics);
}

static void json_strings_are_escaped(void **state) {
  (void)state;
  struct og_buffer out = {0};
  og_buffer_json(&out, "a\"b\\c\n\x01", 7);
  assert_string_equal((char *)out.data, "\"a\\\"b\\\\c\\n\\u0001\"");
  og_buffer_free(&out);
}

/* Names in files may hold any bytes; a reader of JSON refuses what is no UTF-8. */
static void json_strings_are_utf8(void **state) {
  (void)state;
  static const struct {
    const char *text, *json;
  } cases[] = {{"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\""},
               {"a\xff\x80z", "\"a\\ufffd\\ufffdz\""},          /* never, and without a first byte */
               {"\xe2\x82", "\"\\ufffd\\ufffd\""},             /* cut off */
               {"\xc0\xaf", "\"\\ufffd\\ufffd\""},             /* longer than need be */
               {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""}, /* a surrogate */
               {"\xc2\x9b", "\"\\u009b\""}};                   /* an order to a terminal */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct og_buffer out = {0};
    og_buffer_json(&out, cases[i].text, strlen(cases[i].text));
    assert_string_equal((char *)out.data, cases[i].json);
    og_buffer_free(&out);
  }
}

/* As taskset or a container may have it. */
static void processors_are_those_that_the_thread_may_run_on(void **state) {
  (void)state;
  cpu_set_t all, one;
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  assert_int_equal(og_host_processors(), CPU_COUNT(&all));
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
    if (CPU_ISSET(i, &all))
      CPU_SET(i, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  assert_int_equal(og_host_processors(), 1);
  assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arena_allocations_are_zeroed_and_aligned),
      cmocka_unit_test(vector_keeps_its_items_when_it_grows),
      cmocka_unit_test(digests_are_as_their_standards_say),
      cmocka_unit_test(map_finds_what_was_put_and_nothing_else),
      cmocka_unit_test(diagnostic_points_at_the_place_with_a_caret),
      cmocka_unit_test(names_in_messages_do_not_move_the_cursor),
      cmocka_unit_test(json_strings_are_escaped),
      cmocka_unit_test(json_strings_are_utf8),
      cmocka_unit_test(processors_are_those_that_the_thread_may_run_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
