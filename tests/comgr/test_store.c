/* test_store.c - entries are found again by their very key, and only if they are whole and nobody else could have
 * written them; the oldest go first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "comgr/store.h"

static char folder[64], file[512];

static struct comgr_bytes block(const char *text, size_t size) {
  struct comgr_bytes bytes = {0};
  memset(og_comgr_new_block(&bytes, size), 'x', size);
  memcpy(bytes.bytes + sizeof(uint64_t), text, strlen(text));
  return bytes;
}

static void save(const char *key, const char *value, size_t size) {
  struct comgr_bytes its_key = block(key, 64), its_value = block(value, size);
  og_comgr_save(&its_key, &its_value);
  free(its_key.bytes);
  free(its_value.bytes);
}

/* Whether a key has this value. */
static bool has(const char *key, const char *value) {
  struct comgr_bytes its_key = block(key, 64), its_value = block(value, 100);
  struct comgr_entry entry;
  bool found = og_comgr_load(&entry, &its_key);
  if (found) {
    assert_int_equal(entry.value.size, its_value.size);
    assert_memory_equal(entry.value.bytes, its_value.bytes, its_value.size);
    og_comgr_unload(&entry);
  }
  free(its_key.bytes);
  free(its_value.bytes);
  return found;
}

/* Counts the files, and leaves one's path in `file`. */
static size_t count(void) {
  size_t files = 0;
  DIR *list = opendir(folder);
  for (struct dirent *item; list && (item = readdir(list)); )
    if (*item->d_name != '.') {
      files++;
      snprintf(file, sizeof file, "%s/%s", folder, item->d_name);
    }
  if (list)
    closedir(list);
  return files;
}

static int set_up(void **state) {
  (void)state;
  strcpy(folder, "/tmp/offgrid-comgr-XXXXXX");
  assert_non_null(mkdtemp(folder));
  strcat(folder, "/a/b");
  return setenv("OFFGRID_CACHE", folder, true);
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  folder[strlen("/tmp/offgrid-comgr-XXXXXX")] = 0;
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static void kept(void **state) {
  (void)state;
  assert_false(has("a", "1"));
  save("a", "1", 100);
  save("b", "2", 100);
  assert_true(has("a", "1"));
  assert_true(has("b", "2"));
  assert_false(has("c", "3"));
  save("a", "3", 100);
  assert_true(has("a", "3"));
  assert_int_equal(count(), 2);
  struct stat status;
  assert_int_equal(stat(folder, &status), 0);
  assert_int_equal(status.st_mode & 0777, 0700);
}

/* Each byte of an entry is turned, and each length is tried. */
static void damaged(void **state) {
  (void)state;
  save("a", "1", 100);
  assert_int_equal(count(), 1);
  char bytes[1024];
  int descriptor = open(file, O_RDWR);
  ssize_t size = read(descriptor, bytes, sizeof bytes);
  assert_in_range(size, 100, sizeof bytes - 1);
  for (ssize_t i = 0; i < size; i++) {
    char turned = (char)(bytes[i] ^ 1 << i % 8);
    assert_int_equal(pwrite(descriptor, &turned, 1, i), 1);
    assert_false(has("a", "1"));
    assert_int_equal(pwrite(descriptor, &bytes[i], 1, i), 1);
    assert_true(has("a", "1"));
  }
  for (ssize_t cut = size - 1; cut >= 0; cut--) {
    assert_int_equal(ftruncate(descriptor, cut), 0);
    assert_false(has("a", "1"));
  }
  close(descriptor);
  save("a", "1", 100);
  assert_true(has("a", "1"));
}

static void foreign(void **state) {
  (void)state;
  save("a", "1", 100);
  assert_int_equal(count(), 1);
  chmod(file, 0666);
  assert_false(has("a", "1"));
  chmod(file, 0600);
  if (geteuid() == 0) {
    assert_int_equal(chown(file, 1, 1), 0);
    assert_false(has("a", "1"));
    assert_int_equal(chown(file, 0, 0), 0);
  }
  assert_true(has("a", "1"));
  chmod(folder, 0777);
  assert_false(has("a", "1"));
  save("b", "2", 100);
  chmod(folder, 0700);
  assert_false(has("b", "2"));
  char moved[128];
  snprintf(moved, sizeof moved, "%s/moved", folder);
  assert_int_equal(rename(file, moved), 0);
  assert_int_equal(symlink(moved, file), 0);
  assert_false(has("a", "1"));
}

/* A pipe in an entry's place does not make anybody wait. */
static void no_file(void **state) {
  (void)state;
  save("a", "1", 100);
  assert_int_equal(count(), 1);
  unlink(file);
  assert_int_equal(mkfifo(file, 0600), 0);
  assert_false(has("a", "1"));
  save("a", "1", 100);
  assert_true(has("a", "1"));
}

static void off(void **state) {
  (void)state;
  setenv("OFFGRID_CACHE", "0", true);
  save("a", "1", 100);
  assert_false(has("a", "1"));
  assert_int_equal(access("0", F_OK), -1);
  setenv("OFFGRID_CACHE", "/dev/null/folder", true);
  save("a", "1", 100);
  assert_false(has("a", "1"));
}

/* By default the folder is in one of these. */
static void places(void **state) {
  (void)state;
  char home[64], path[128];
  snprintf(home, sizeof home, "%.25s", folder);
  unsetenv("OFFGRID_CACHE");
  setenv("XDG_CACHE_HOME", "relative", true);
  setenv("HOME", home, true);
  save("a", "1", 100);
  snprintf(path, sizeof path, "%s/.cache/offgrid", home);
  assert_int_equal(access(path, F_OK), 0);
  snprintf(path, sizeof path, "%s/caches", home);
  setenv("XDG_CACHE_HOME", path, true);
  assert_false(has("a", "1"));
  save("a", "1", 100);
  snprintf(path, sizeof path, "%s/caches/offgrid", home);
  assert_int_equal(access(path, F_OK), 0);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  assert_false(has("a", "1"));
  save("a", "1", 100);
}

/* 256 entries: of 300, the first is still there because it was used. What a killed process left goes, and a file that
 * is being written does not. */
static void bounded_entries(void **state) {
  (void)state;
  char key[16], left[128], fresh[128];
  save("0", "0", 100);
  snprintf(left, sizeof left, "%s/comgr-0123.1.1.tmp", folder);
  snprintf(fresh, sizeof fresh, "%s/comgr-0124.1.1.tmp", folder);
  close(open(left, O_WRONLY | O_CREAT, 0600));
  close(open(fresh, O_WRONLY | O_CREAT, 0600));
  utimensat(AT_FDCWD, left, (struct timespec[]){{1, 0}, {1, 0}}, 0);
  for (int i = 1; i < 300; i++) {
    snprintf(key, sizeof key, "%d", i);
    save(key, key, 100);
    usleep(5000); /* files' times are that coarse */
    assert_true(has("0", "0"));
  }
  assert_int_equal(count(), 257);
  assert_int_equal(access(left, F_OK), -1);
  assert_int_equal(access(fresh, F_OK), 0);
  assert_false(has("1", "1"));
  assert_true(has("299", "299"));
}

/* 256 MB: of 12 entries of 30 MB, 8 stay; one of 33 MB is none. */
static void bounded_bytes(void **state) {
  (void)state;
  char key[16];
  for (int i = 0; i < 12; i++) {
    snprintf(key, sizeof key, "%d", i);
    save(key, key, 30 << 20);
  }
  assert_int_equal(count(), 8);
  save("large", "large", 33 << 20);
  assert_false(has("large", "large"));
  assert_int_equal(count(), 8);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(kept), TEST(damaged), TEST(foreign), TEST(no_file), TEST(off), TEST(places), TEST(bounded_entries),
      TEST(bounded_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
