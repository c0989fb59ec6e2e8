/* mapped.c - large files in memory without a copy. */
#include "base/mapped.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The rest of its last page is zeros, so only a file that does not fill it has a NUL behind. */
static bool can_map(const struct stat *status) {
  enum { FIRST = 64 << 10 /* mapping costs more than copying below */ };
  return S_ISREG(status->st_mode) && status->st_size >= FIRST && status->st_size <= OG_FILE_MOST &&
         status->st_size % sysconf(_SC_PAGESIZE);
}

bool og_map_file(const char *path, struct og_mapped_file *file, struct og_diagnostics *diagnostics) {
  *file = (struct og_mapped_file){0};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (fd >= 0 && fstat(fd, &status) == 0 && can_map(&status)) {
    size_t size = (size_t)status.st_size;
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    file->mapped = data != MAP_FAILED;
    if (file->mapped)
      file->bytes = (struct og_buffer){.data = data, .size = size, .capacity = size};
  }
  if (fd >= 0)
    close(fd);
  return file->mapped || og_read_file(path, &file->bytes, diagnostics);
}

void og_mapped_file_free(struct og_mapped_file *file) {
  if (file->mapped)
    munmap(file->bytes.data, file->bytes.size);
  else
    og_buffer_free(&file->bytes);
  *file = (struct og_mapped_file){0};
}
