/* source_text.c - a source's text: large files are mapped, which costs a third of reading them, all others are read. */
#include "tool/source_text.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, LARGE = 256 << 10 };

/* A page is gone that the file had when it was mapped: nothing is written by then that would have to be removed. */
static void became_shorter(int number) {
  static const char message[] = "error: the source became shorter while it was read\n";
  (void)number;
  _exit(write(STDERR_FILENO, message, sizeof message - 1) < 0 ? 2 : 1);
}

/* Maps a file that leaves room in its last page for a NUL. That is written, and so this page is ours alone: the text
 * ends there even if the file grows. */
static bool map(struct og_source_text *text, int fd) {
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < LARGE ||
      status.st_size > OG_FILE_MOST || status.st_size % PAGE == 0 || sysconf(_SC_PAGESIZE) < PAGE)
    return false;
  size_t size = (size_t)status.st_size;
  char *mapped = mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  if (mapped == MAP_FAILED)
    return false;
  struct sigaction action = {.sa_handler = became_shorter};
  sigaction(SIGBUS, &action, NULL);
  mapped[size] = 0;
  text->data = text->mapped = mapped;
  text->size = size;
  return true;
}

bool og_source_text_open(struct og_source_text *text, const char *path, struct og_diagnostics *diagnostics) {
  *text = (struct og_source_text){0};
  bool standard = path[0] == '-' && !path[1];
  int fd = standard ? -1 : open(path, O_RDONLY | O_CLOEXEC); /* what cannot be opened is told of below */
  bool mapped = map(text, fd);
  if (fd >= 0)
    close(fd);
  if (mapped)
    return true;
  bool read = og_read_file(path, &text->copy, diagnostics);
  text->data = (const char *)text->copy.data;
  text->size = text->copy.size;
  return read;
}

void og_source_text_close(struct og_source_text *text) {
  if (text->mapped)
    munmap(text->mapped, text->size + 1);
  og_buffer_free(&text->copy);
}
