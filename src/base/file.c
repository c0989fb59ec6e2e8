/* file.c - whole files in, whole files out. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Appends what there is to read, at most `most` bytes; yields 0 or an errno, EFBIG where there is more. */
static int read_all(int fd, size_t expected, size_t most, struct og_buffer *out) {
  size_t start = out->size;
  for (size_t room = expected + 1;;) { /* one read gets everything, the next sees the end */
    if (!og_buffer_reserve(out, room))
      return ENOMEM;
    ssize_t got = read(fd, out->data + out->size, room);
    if (got < 0 && errno != EINTR)
      return errno;
    if (got == 0)
      return 0;
    out->size += (size_t)OG_MAX(got, (ssize_t)0);
    if (out->size - start > most)
      return EFBIG;
    room = out->capacity - out->size > 1 ? out->capacity - out->size - 1 : 64 * 1024;
  }
}

const char *og_file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool og_read_file(const char *path, struct og_buffer *out, struct og_diagnostics *diagnostics) {
  bool standard = strcmp(path, "-") == 0;
  int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return og_error_in(diagnostics, path, "%s", strerror(errno));
  struct stat status;
  bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  size_t most = regular ? OG_FILE_MOST : OG_STREAM_MOST;
  size_t expected = regular && status.st_size > 0 ? (size_t)status.st_size : 64 * 1024;
  int reason = regular && expected > most ? EFBIG : read_all(fd, expected, most, out);
  if (!standard)
    close(fd);
  if (reason == EFBIG)
    return og_error_in(diagnostics, path, "larger than %zu MiB, the most that is read of a %s", most >> 20,
                       regular ? "file" : "pipe or device");
  if (reason == ENOMEM && regular)
    return og_error_in(diagnostics, path, "no memory for %zu bytes", expected);
  if (reason)
    return og_error_in(diagnostics, path, "%s", strerror(reason));
  og_buffer_u8(out, 0); /* a NUL after the bytes, not counted */
  out->size--;
  return true;
}

/* Where the path leads when its last part is a symbolic link, which may point to what is not there yet; to be freed. */
static char *follow_links(const char *path) {
  enum { MOST_LINKS = 40 }; /* as the kernel follows */
  char *at = strdup(path), link[PATH_MAX];
  for (int i = 0; at && i < MOST_LINKS; i++) {
    ssize_t size = readlink(at, link, sizeof link);
    if (size <= 0 || size == sizeof link)
      break;
    const char *slash = strrchr(at, '/');
    size_t folder = slash && link[0] != '/' ? (size_t)(slash - at) + 1 : 0;
    char *next = og_checked_realloc(NULL, folder + (size_t)size + 1);
    memcpy(next, at, folder);
    memcpy(next + folder, link, (size_t)size);
    next[folder + (size_t)size] = 0;
    free(at);
    at = next;
  }
  return at;
}

/* A file beside the one that it will be. */
static int open_beside(struct og_output *output) {
  output->target = follow_links(output->path);
  size_t size = output->target ? strlen(output->target) : 0;
  output->beside = og_checked_realloc(NULL, size + sizeof ".XXXXXX");
  if (size)
    memcpy(output->beside, output->target, size);
  memcpy(output->beside + size, ".XXXXXX", sizeof ".XXXXXX");
  return size ? mkostemp(output->beside, O_CLOEXEC) : -1;
}

static void free_names(struct og_output *output) {
  free(output->target);
  free(output->beside);
}

bool og_output_open(struct og_output *output, const char *path, struct og_diagnostics *diagnostics) {
  *output = (struct og_output){.path = path, .file = stdout};
  if (strcmp(path, "-") == 0)
    return true;
  struct stat status;
  bool special = stat(path, &status) == 0 && !S_ISREG(status.st_mode); /* /dev/null, a pipe: cannot be renamed over */
  int fd = special ? open(path, O_WRONLY | O_CLOEXEC) : open_beside(output);
  output->file = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (output->file)
    return true;
  og_error_in(diagnostics, path, special ? "%s" : "cannot write: %s", strerror(errno));
  if (fd >= 0)
    close(fd);
  if (fd >= 0 && output->beside)
    unlink(output->beside);
  free_names(output);
  return false;
}

int og_output_finish(struct og_output *output) {
  bool ok = !ferror(output->file) && fflush(output->file) == 0;
  mode_t mask = umask(0);
  umask(mask);
  if (output->beside)
    ok = fchmod(fileno(output->file), 0666 & ~mask) == 0 && ok;
  int reason = ok ? 0 : errno ? errno : EIO;
  if (output->file != stdout) {
    if (fclose(output->file) != 0 && ok)
      reason = errno;
  } else if (!ok) { /* told of here, and no more at the program's end */
    __fpurge(stdout);
    clearerr(stdout);
  }
  return reason;
}

int og_output_place(const struct og_output *output, bool keep) {
  if (!output->beside || (keep && rename(output->beside, output->target) == 0))
    return 0;
  int reason = keep ? errno : 0;
  unlink(output->beside);
  return reason;
}

bool og_output_end(struct og_output *output, int reason, struct og_diagnostics *diagnostics) {
  const char *name = output->file == stdout ? "<stdout>" : output->path;
  bool plain = !output->beside;
  free_names(output);
  return reason == 0 || og_error_in(diagnostics, name, plain ? "%s" : "cannot write: %s", strerror(reason));
}

bool og_output_close(struct og_output *output, bool keep, struct og_diagnostics *diagnostics) {
  int reason = og_output_finish(output), placed = og_output_place(output, keep && reason == 0);
  return og_output_end(output, reason ? reason : placed, diagnostics);
}

bool og_write_file(const char *path, const void *data, size_t size, struct og_diagnostics *diagnostics) {
  struct og_output output;
  if (!og_output_open(&output, path, diagnostics))
    return false;
  if (size) /* fwrite's source may not be NULL even then */
    fwrite(data, 1, size, output.file);
  return og_output_close(&output, true, diagnostics);
}
