/* test_mapped.c - files of all sizes have their bytes and a NUL behind, mapped or read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mapped.h"

/* A path, to be freed, of a file of so many bytes. */
static char *file_of(size_t size) {
  char *path = strdup("/tmp/mapped.XXXXXX");
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  uint8_t *bytes = malloc(size + 1);
  for (size_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)(i % 251 + 1);
  assert_int_equal(write(fd, bytes, size), (ssize_t)size);
  close(fd);
  free(bytes);
  return path;
}

static void bytes_are_those_of_the_file(void **unused) {
  (void)unused;
  const size_t sizes[] = {0, 1, 4095, 4096, 65535, 65536, 65537, 128 << 10, (128 << 10) + 4095};
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  bool mapped = false;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char *path = file_of(sizes[i]);
    struct og_mapped_file file;
    assert_true(og_map_file(path, &file, diagnostics));
    assert_int_equal(file.bytes.size, sizes[i]);
    for (size_t k = 0; k < sizes[i]; k++)
      assert_int_equal(file.bytes.data[k], k % 251 + 1);
    assert_int_equal(file.bytes.data[sizes[i]], 0);
    mapped |= file.mapped;
    og_mapped_file_free(&file);
    assert_null(file.bytes.data);
    unlink(path);
    free(path);
  }
  assert_true(mapped);
  assert_int_equal(og_diagnostics_count(diagnostics), 0);
  og_diagnostics_free(diagnostics);
}

static void what_is_no_file_gives_an_error(void **unused) {
  (void)unused;
  const char *const paths[] = {"/nonexistent/file", "/"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    struct og_mapped_file file;
    assert_false(og_map_file(paths[i], &file, diagnostics));
    assert_int_equal(og_diagnostics_errors(diagnostics), 1);
    og_mapped_file_free(&file);
    og_diagnostics_free(diagnostics);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_are_those_of_the_file),
                                     cmocka_unit_test(what_is_no_file_gives_an_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
