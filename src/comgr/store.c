/* store.c - one file for each entry, named by its key's hash, in a folder that nobody else may write to. A file is
 * trusted only if it is whole and holds the very key; where anything fails, there is no entry. */
#include "comgr/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A file: this number, the sum of what follows, the key as a block, the value. */
static const uint64_t MAGIC = 0x31726d676f63676f; /* "ogcomgr1" */

enum { MOST_ENTRIES = 256, OLD_SECONDS = 3600 };

static const uint64_t MOST_BYTES = 256u << 20, MOST_ENTRY_BYTES = 64u << 20;

#define PREFIX "comgr-"
#define TEMPORARY ".tmp" /* what follows a name while its file is written */

/* No two contents that differ in one word have the same sum: each step can be undone. Bytes are whole words. */
static uint64_t sum(uint64_t start, const char *bytes, size_t size) {
  for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, bytes + i, sizeof word);
    start = (start ^ word) * 0x9e3779b97f4a7c15;
    start ^= start >> 29;
  }
  return start;
}

static void name_entry(char name[NAME_MAX], const struct comgr_bytes *key) {
  snprintf(name, NAME_MAX, PREFIX "%016llx", (unsigned long long)sum(key->size, key->bytes, key->size));
}

static bool folder_name(char path[PATH_MAX]) {
  const char *own = secure_getenv("OFFGRID_CACHE"), *caches = secure_getenv("XDG_CACHE_HOME");
  const char *home = secure_getenv("HOME");
  int size = -1;
  if (own && *own)
    size = strcmp(own, "0") == 0 ? -1 : snprintf(path, PATH_MAX, "%s", own);
  else if (caches && *caches == '/')
    size = snprintf(path, PATH_MAX, "%s/offgrid", caches);
  else if (home && *home == '/')
    size = snprintf(path, PATH_MAX, "%s/.cache/offgrid", home);
  return size >= 0 && size < PATH_MAX;
}

static bool is_ours_alone(const struct stat *status) {
  return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

/* The folder's descriptor, or -1. Makes the folder if that is wanted. */
static int open_folder(bool make) {
  char path[PATH_MAX];
  if (!folder_name(path))
    return -1;
  for (char *slash = path + 1; make && slash; ) {
    slash = strchr(slash, '/');
    if (slash)
      *slash = 0;
    mkdir(path, 0700);
    if (slash)
      *slash++ = '/';
  }
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat status;
  if (folder >= 0 && (fstat(folder, &status) != 0 || !is_ours_alone(&status))) {
    close(folder);
    return -1;
  }
  return folder;
}

/* A file's bytes, for the caller to free: read and not mapped, since a file that is cut short would end the process. */
static char *read_entry(int folder, const char *name, size_t *size) {
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0)
    return NULL;
  struct stat status;
  char *bytes = NULL;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && is_ours_alone(&status) && status.st_size > 0 &&
      (uint64_t)status.st_size <= MOST_ENTRY_BYTES)
    bytes = malloc((size_t)status.st_size);
  *size = 0;
  while (bytes && *size < (size_t)status.st_size) {
    ssize_t read_now = read(file, bytes + *size, (size_t)status.st_size - *size);
    if (read_now <= 0)
      break;
    *size += (size_t)read_now;
  }
  close(file);
  return bytes;
}

static bool is_entry(struct comgr_rest file, const struct comgr_bytes *key, struct comgr_rest *value) {
  uint64_t magic, its_sum;
  struct comgr_rest its_key;
  if (!og_comgr_take_number(&file, &magic) || magic != MAGIC || !og_comgr_take_number(&file, &its_sum) ||
      !og_comgr_take_block(&file, &its_key) || its_key.size != key->size ||
      memcmp(its_key.bytes, key->bytes, key->size) != 0)
    return false;
  *value = file;
  return file.size % sizeof(uint64_t) == 0 && sum(file.size, file.bytes, file.size) == its_sum;
}

bool og_comgr_load(struct comgr_entry *entry, const struct comgr_bytes *key) {
  *entry = (struct comgr_entry){0};
  int folder = open_folder(false);
  if (folder < 0)
    return false;
  char name[NAME_MAX];
  name_entry(name, key);
  size_t size;
  entry->file = read_entry(folder, name, &size);
  bool good = entry->file && is_entry((struct comgr_rest){entry->file, size}, key, &entry->value);
  if (good)
    utimensat(folder, name, NULL, AT_SYMLINK_NOFOLLOW); /* the oldest are removed first, those in use stay */
  else
    og_comgr_unload(entry);
  close(folder);
  return good;
}

void og_comgr_unload(struct comgr_entry *entry) {
  free(entry->file);
  entry->file = NULL;
}

static bool write_all(int file, const char *bytes, size_t size) {
  while (size) {
    ssize_t written = write(file, bytes, size);
    if (written <= 0)
      return false;
    bytes += written;
    size -= (size_t)written;
  }
  return true;
}

/* Under a name of its own first, so that nobody finds half a file. */
static void write_entry(int folder, const char *name, const struct comgr_bytes *head, const struct comgr_bytes *value) {
  char temporary[NAME_MAX];
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  snprintf(temporary, sizeof temporary, "%.32s.%ld.%ld" TEMPORARY, name, (long)gettid(), now.tv_nsec);
  int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0)
    return;
  bool good = write_all(file, head->bytes, head->size) && write_all(file, value->bytes, value->size);
  good &= close(file) == 0;
  if (!good || renameat(folder, temporary, folder, name) != 0)
    unlinkat(folder, temporary, 0);
}

struct listed {
  char name[64];
  uint64_t bytes;
  struct timespec used;
};

static int by_use(const void *a, const void *b) {
  const struct timespec *first = &((const struct listed *)a)->used, *second = &((const struct listed *)b)->used;
  if (first->tv_sec != second->tv_sec)
    return first->tv_sec < second->tv_sec ? -1 : 1;
  return first->tv_nsec < second->tv_nsec ? -1 : first->tv_nsec > second->tv_nsec;
}

/* Lists what is an entry, and removes what processes that were killed have left. */
static size_t list_entries(DIR *folder, struct listed *list, size_t room) {
  size_t count = 0;
  for (struct dirent *item; count < room && (item = readdir(folder)); ) {
    struct listed *entry = &list[count];
    struct stat status;
    if (strncmp(item->d_name, PREFIX, strlen(PREFIX)) != 0 || strlen(item->d_name) >= sizeof entry->name ||
        fstatat(dirfd(folder), item->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    strcpy(entry->name, item->d_name);
    entry->bytes = (uint64_t)status.st_size;
    entry->used = status.st_mtim;
    if (!strstr(entry->name, TEMPORARY))
      count++;
    else if (status.st_mtim.tv_sec + OLD_SECONDS < time(NULL))
      unlinkat(dirfd(folder), entry->name, 0);
  }
  return count;
}

/* Removes the oldest entries. */
static void bound(int descriptor) {
  enum { ROOM = 2 * MOST_ENTRIES }; /* as many as there can be, and those that others are adding */
  struct listed *list = malloc(ROOM * sizeof *list);
  int copy = list ? openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  DIR *folder = copy >= 0 ? fdopendir(copy) : NULL;
  if (!folder && copy >= 0)
    close(copy);
  size_t count = folder ? list_entries(folder, list, ROOM) : 0;
  qsort(list, count, sizeof *list, by_use);
  uint64_t bytes = 0;
  for (size_t i = count; i-- > 0; ) { /* the youngest first */
    bytes += list[i].bytes;
    if (count - i > MOST_ENTRIES || bytes > MOST_BYTES)
      unlinkat(dirfd(folder), list[i].name, 0);
  }
  if (folder)
    closedir(folder);
  free(list);
}

void og_comgr_save(const struct comgr_bytes *key, const struct comgr_bytes *value) {
  if (key->size + value->size > MOST_ENTRY_BYTES / 2)
    return;
  int folder = open_folder(true);
  if (folder < 0)
    return;
  struct comgr_bytes head = {0};
  og_comgr_number(&head, MAGIC);
  og_comgr_number(&head, sum(value->size, value->bytes, value->size));
  og_comgr_block(&head, key->bytes, key->size);
  if (!head.failed) {
    char name[NAME_MAX];
    name_entry(name, key);
    write_entry(folder, name, &head, value);
    bound(folder);
  }
  free(head.bytes);
  close(folder);
}
