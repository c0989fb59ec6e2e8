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

/* A file beside the one that it will be. */
static int open_beside(struct og_output *output) {
  size_t size = strlen(output->path);
  output->beside = og_checked_realloc(NULL, size + sizeof ".XXXXXX");
  memcpy(output->beside, output->path, size);
  memcpy(output->beside + size, ".XXXXXX", sizeof ".XXXXXX");
  return mkostemp(output->beside, O_CLOEXEC);
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
  free(output->beside);
  return false;
}

bool og_output_close(struct og_output *output, bool keep, struct og_diagnostics *diagnostics) {
  bool standard = output->file == stdout, ok = !ferror(output->file) && fflush(output->file) == 0;
  mode_t mask = umask(0);
  umask(mask);
  if (output->beside)
    ok = fchmod(fileno(output->file), 0666 & ~mask) == 0 && ok;
  if (!standard)
    ok = fclose(output->file) == 0 && ok;
  if (output->beside && ok && keep)
    ok = rename(output->beside, output->path) == 0;
  int reason = errno;
  if (output->beside && !(ok && keep))
    unlink(output->beside);
  const char *name = standard ? "<stdout>" : output->path;
  bool plain = !output->beside;
  free(output->beside);
  return ok || og_error_in(diagnostics, name, plain ? "%s" : "cannot write: %s", strerror(reason));
}

bool og_write_file(const char *path, const void *data, size_t size, struct og_diagnostics *diagnostics) {
  struct og_output output;
  if (!og_output_open(&output, path, diagnostics))
    return false;
  if (size) /* fwrite's source may not be NULL even then */
    fwrite(data, 1, size, output.file);
  return og_output_close(&output, true, diagnostics);
}
