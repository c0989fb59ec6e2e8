/* shared.c - memory that several processes have: in files without a name, which end with the last process that has
 * them. */
#include "runtime/internal.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_fully(int file, const uint8_t *bytes, size_t size) {
  while (size) {
    ssize_t written = write(file, bytes, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes += written;
    size -= (size_t)written;
  }
  return true;
}

/* Replaces the memory's pages by the file's, at the same addresses. Whatever is written meanwhile is lost; a program
 * that shares an allocation must not let anyone write to it. */
int og_memory_export(struct og_runtime *runtime, void *memory) {
  void *base;
  size_t size;
  if (!og_memory_find(runtime, memory, &base, &size) || base != memory)
    return -1;
  size_t mapped = og_align_up(size, OG_PAGE);
  int file = memfd_create("offgrid", MFD_CLOEXEC);
  if (file < 0)
    return -1;
  if (write_fully(file, memory, mapped) &&
      mmap(memory, mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED)
    return file;
  close(file);
  return -1;
}

void *og_memory_import(struct og_runtime *runtime, int file, size_t size) {
  struct stat status;
  if (size == 0 || fstat(file, &status) != 0 || status.st_size < 0 || (size_t)status.st_size < size)
    return NULL;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    return NULL;
  if (og_memory_share(runtime, memory, size, OG_MEMORY_READ | OG_MEMORY_WRITE))
    return memory;
  munmap(memory, size);
  return NULL;
}

void og_memory_forget(struct og_runtime *runtime, void *memory, size_t size) {
  og_memory_unshare(runtime, memory);
  munmap(memory, size);
}
