/* alias.c - gives host memory another address for kernels: the addresses are reserved, and lead to the host's
 * memory. */
#include "runtime/internal.h"

#include <sys/mman.h>

static size_t reserved_size(uint64_t address, size_t size) {
  return og_align_up(address % OG_PAGE + size, OG_PAGE);
}

void *og_memory_alias(struct og_runtime *runtime, void *host, size_t size, unsigned access) {
  uint64_t within = (uintptr_t)host % OG_PAGE;
  if (size == 0 || size > SIZE_MAX / 4)
    return NULL;
  uint8_t *reserved =
      mmap(NULL, reserved_size(within, size), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED)
    return NULL;
  if (og_memory_map_add_alias(runtime->map, (uintptr_t)reserved + within, size, access, host))
    return reserved + within;
  munmap(reserved, reserved_size(within, size));
  return NULL;
}

void og_memory_unalias(struct og_runtime *runtime, void *alias, size_t size) {
  og_memory_map_remove(runtime->map, (uintptr_t)alias);
  munmap((uint8_t *)alias - (uintptr_t)alias % OG_PAGE, reserved_size((uintptr_t)alias, size));
}
