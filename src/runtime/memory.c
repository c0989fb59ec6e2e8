/* memory.c - memory for kernels: own mappings, entered in the machine's map with their exact sizes. */
#include "runtime/internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIGNALS_PER_SLAB = 256 };

/* Reserves addresses with room for the alignment and releases the excess at both ends. */
uint8_t *og_map_pages(size_t size, size_t alignment) {
  if (size > SIZE_MAX / 4 || alignment > SIZE_MAX / 4 || (alignment & (alignment - 1)) != 0)
    return NULL;
  size_t room = alignment > OG_PAGE ? size + alignment : size;
  uint8_t *raw = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED)
    return NULL;
  if (room == size)
    return raw;
  uint8_t *base = (uint8_t *)(uintptr_t)og_align_up((uintptr_t)raw, alignment);
  if (base > raw)
    munmap(raw, (size_t)(base - raw));
  if (base + size < raw + room)
    munmap(base + size, (size_t)(raw + room - base - size));
  return base;
}

/* The size of the red zone: as large as the allocation, within limits. Addresses cost nothing. */
static size_t red_zone(size_t size, size_t alignment) {
  enum { LEAST = 1 << 16, MOST = 1 << 30 };
  return og_align_up(OG_MIN(OG_MAX(size, (size_t)LEAST), (size_t)MOST), OG_MAX(alignment, (size_t)OG_PAGE));
}

static void unmap(const struct og_allocation *allocation) {
  munmap(allocation->base - allocation->zone, allocation->mapped + 2 * allocation->zone);
}

void og_memory_guard(struct og_runtime *runtime) { runtime->guards = true; }

/* Whether an allocation gets large pages, which are faster to get than many small ones, and columns of an array faster
 * to walk. None does that would fill a good part of the system's memory: perhaps little of it is ever touched. */
static bool is_large(size_t size) {
  long pages = size >= OG_LARGE_PAGE ? sysconf(_SC_PHYS_PAGES) : 0;
  return pages > 0 && size / OG_PAGE <= (size_t)pages / 4;
}

void *og_memory_new(struct og_runtime *runtime, size_t size, size_t alignment, unsigned access) {
  if (size == 0 || size > SIZE_MAX / 4)
    return NULL;
  struct og_allocation *allocation = calloc(1, sizeof *allocation);
  if (!allocation)
    return NULL;
  bool large = is_large(size);
  alignment = large ? OG_MAX(alignment, (size_t)OG_LARGE_PAGE) : alignment;
  allocation->size = size;
  allocation->mapped = og_align_up(size, OG_PAGE);
  allocation->zone = runtime->guards ? red_zone(size, alignment) : 0;
  allocation->base = og_map_pages(allocation->mapped + 2 * allocation->zone, alignment);
  if (allocation->base)
    allocation->base += allocation->zone;
  if (!allocation->base || !og_memory_map_add(runtime->map, (uintptr_t)allocation->base, size, access)) {
    if (allocation->base)
      unmap(allocation);
    free(allocation);
    return NULL;
  }
  if (large) /* where that does nothing, nothing is lost */
    madvise(allocation->base, allocation->mapped, MADV_HUGEPAGE);
  pthread_mutex_lock(&runtime->lock);
  allocation->next = runtime->allocations;
  runtime->allocations = allocation;
  pthread_mutex_unlock(&runtime->lock);
  return allocation->base;
}

/* Frees the memory. The addresses of a guarded allocation stay reserved, and the map marks them as freed. */
static void release(struct og_runtime *runtime, struct og_allocation *allocation) {
  og_memory_map_remove(runtime->map, (uintptr_t)allocation->base);
  if (allocation->zone && madvise(allocation->base, allocation->mapped, MADV_DONTNEED) == 0 &&
      og_memory_map_add(runtime->map, (uintptr_t)allocation->base, allocation->size, OG_MEMORY_FREED)) {
    pthread_mutex_lock(&runtime->lock);
    allocation->next = runtime->freed;
    runtime->freed = allocation;
    pthread_mutex_unlock(&runtime->lock);
    return;
  }
  unmap(allocation);
  free(allocation);
}

bool og_memory_free(struct og_runtime *runtime, void *memory) {
  pthread_mutex_lock(&runtime->lock);
  struct og_allocation **link = &runtime->allocations;
  while (*link && (*link)->base != memory)
    link = &(*link)->next;
  struct og_allocation *found = *link;
  if (found)
    *link = found->next;
  pthread_mutex_unlock(&runtime->lock);
  if (found)
    release(runtime, found);
  return found != NULL;
}

void og_memory_free_all(struct og_runtime *runtime) {
  while (runtime->allocations) {
    struct og_allocation *next = runtime->allocations->next;
    release(runtime, runtime->allocations);
    runtime->allocations = next;
  }
  for (struct og_allocation *next; runtime->freed; runtime->freed = next) {
    next = runtime->freed->next;
    og_memory_map_remove(runtime->map, (uintptr_t)runtime->freed->base);
    unmap(runtime->freed);
    free(runtime->freed);
  }
  free(runtime->free_signals);
  runtime->free_signals = NULL;
  runtime->free_signal_count = runtime->signal_count = 0;
}

bool og_memory_find(struct og_runtime *runtime, const void *address, void **base, size_t *size) {
  bool found = false;
  pthread_mutex_lock(&runtime->lock);
  for (struct og_allocation *a = runtime->allocations; a && !found; a = a->next)
    if ((uintptr_t)address - (uintptr_t)a->base < a->size) {
      *base = a->base;
      *size = a->size;
      found = true;
    }
  pthread_mutex_unlock(&runtime->lock);
  return found;
}

bool og_memory_share(struct og_runtime *runtime, void *memory, size_t size, unsigned access) {
  return og_memory_map_add(runtime->map, (uintptr_t)memory, size, access);
}

bool og_memory_unshare(struct og_runtime *runtime, void *memory) {
  return og_memory_map_remove(runtime->map, (uintptr_t)memory);
}

static bool add_slab(struct og_runtime *runtime) {
  struct og_signal *slab =
      og_memory_new(runtime, SIGNALS_PER_SLAB * sizeof *slab, sizeof *slab, OG_MEMORY_READ | OG_MEMORY_WRITE);
  if (!slab)
    return false;
  pthread_mutex_lock(&runtime->lock);
  size_t count = runtime->signal_count + SIGNALS_PER_SLAB;
  struct og_signal **grown = realloc(runtime->free_signals, count * sizeof(struct og_signal *));
  if (grown) {
    runtime->free_signals = grown;
    runtime->signal_count = count;
    for (int i = 0; i < SIGNALS_PER_SLAB; i++)
      grown[runtime->free_signal_count++] = &slab[i];
  }
  pthread_mutex_unlock(&runtime->lock);
  if (!grown)
    og_memory_free(runtime, slab);
  return grown != NULL;
}

struct og_signal *og_signal_new(struct og_runtime *runtime, int64_t value) {
  for (;;) {
    pthread_mutex_lock(&runtime->lock);
    struct og_signal *signal =
        runtime->free_signal_count ? runtime->free_signals[--runtime->free_signal_count] : NULL;
    pthread_mutex_unlock(&runtime->lock);
    if (signal) {
      og_signal_init(signal, value);
      return signal;
    }
    if (!add_slab(runtime))
      return NULL;
  }
}

void og_signal_free(struct og_runtime *runtime, struct og_signal *signal) {
  if (!signal)
    return;
  pthread_mutex_lock(&runtime->lock);
  __atomic_store_n(&signal->kind, 0, __ATOMIC_RELEASE);
  if (runtime->free_signal_count < runtime->signal_count)
    runtime->free_signals[runtime->free_signal_count++] = signal;
  pthread_mutex_unlock(&runtime->lock);
}
