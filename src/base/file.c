/* file.c - whole files in, whole files out. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool og_read_file(const char *path, struct og_buffer *out, struct og_diagnostics *diagnostics) {
  bool standard = strcmp(path, "-") == 0;
  int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return og_error_in(diagnostics, path, "%s", strerror(errno));
  struct stat status;
  size_t room = 64 * 1024;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    room = (size_t)status.st_size + 1; /* one read gets everything, the next sees the end */
  ssize_t got;
  do {
    got = read(fd, og_buffer_room(out, room), room);
    out->size += (size_t)OG_MAX(got, (ssize_t)0);
    room = out->capacity - out->size > 1 ? out->capacity - out->size - 1 : 64 * 1024;
  } while (got > 0 || (got < 0 && errno == EINTR));
  int reason = errno;
  if (!standard)
    close(fd);
  if (got < 0)
    return og_error_in(diagnostics, path, "%s", strerror(reason));
  og_buffer_u8(out, 0); /* a NUL behind the bytes, not counted */
  out->size--;
  return true;
}

static bool write_all(int fd, const uint8_t *data, size_t size) {
  while (size) {
    ssize_t put = write(fd, data, size);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return false;
    data += put;
    size -= (size_t)put;
  }
  return true;
}

bool og_write_file(const char *path, const void *data, size_t size, struct og_diagnostics *diagnostics) {
  if (strcmp(path, "-") == 0)
    return write_all(STDOUT_FILENO, data, size) || og_error_in(diagnostics, "<stdout>", "%s", strerror(errno));
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) { /* /dev/null, a pipe: cannot be renamed over */
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write_all(fd, data, size);
    int reason = errno;
    if (fd >= 0)
      close(fd);
    return ok || og_error_in(diagnostics, path, "%s", strerror(reason));
  }
  struct og_arena *arena = og_arena_new();
  char *beside = og_arena_printf(arena, "%s.XXXXXX", path);
  int fd = mkostemp(beside, O_CLOEXEC);
  mode_t mask = umask(0);
  umask(mask);
  bool ok = fd >= 0 && write_all(fd, data, size) && fchmod(fd, 0666 & ~mask) == 0;
  if (fd >= 0)
    ok = close(fd) == 0 && ok;
  ok = ok && rename(beside, path) == 0;
  int reason = errno;
  if (!ok && fd >= 0)
    unlink(beside);
  og_arena_free(arena);
  return ok || og_error_in(diagnostics, path, "cannot write: %s", strerror(reason));
}
