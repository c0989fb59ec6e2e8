/* mapped.c - large files in memory without a copy. */
#include "base/mapped.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Only a file that does not fill its last page leaves room for a NUL. */
static bool can_map(const struct stat *status) {
  enum { FIRST = 64 << 10 /* mapping costs more than copying below */ };
  return S_ISREG(status->st_mode) && status->st_size >= FIRST && status->st_size <= OG_FILE_MOST &&
         status->st_size % sysconf(_SC_PAGESIZE);
}

bool og_map_file(const char *path, struct og_mapped_file *file, struct og_diagnostics *diagnostics) {
  *file = (struct og_mapped_file){0};
  bool standard = path[0] == '-' && !path[1];
  int fd = standard ? -1 : open(path, O_RDONLY | O_CLOEXEC); /* what cannot be opened is told of below */
  struct stat status;
  if (fd >= 0 && fstat(fd, &status) == 0 && can_map(&status)) {
    size_t size = (size_t)status.st_size;
    uint8_t *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    file->mapped = data != MAP_FAILED;
    if (file->mapped) {
      data[size] = 0; /* which makes the last page ours: the bytes end there even if the file grows */
      file->bytes = (struct og_buffer){.data = data, .size = size, .capacity = size};
    }
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
