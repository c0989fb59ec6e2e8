/* host_memory.c - finds out which memory of the process is mapped, for memory that nobody registered. */
#include "runtime/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct range {
  uint64_t start, end;
  unsigned access;
};

/* The process's memory map as of the last time an address was not found. If the program unmaps memory while a kernel
 * uses it, the process ends. */
struct og_host_memory {
  pthread_mutex_t lock;
  struct range *ranges; /* ordered by start; neighbours with the same access are joined */
  size_t count, capacity;
};

static bool append(struct og_host_memory *memory, const struct range *range) {
  struct range *last = memory->count ? &memory->ranges[memory->count - 1] : NULL;
  if (last && last->end == range->start && last->access == range->access)
    return last->end = range->end, true;
  if (memory->count == memory->capacity) {
    size_t capacity = OG_MAX(2 * memory->capacity, (size_t)64);
    struct range *grown = realloc(memory->ranges, capacity * sizeof *grown);
    if (!grown)
      return false;
    memory->ranges = grown;
    memory->capacity = capacity;
  }
  memory->ranges[memory->count++] = *range;
  return true;
}

static void read_maps(struct og_host_memory *memory) {
  char line[512], access[5];
  struct range range;
  FILE *file = fopen("/proc/self/maps", "re");
  memory->count = 0;
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &range.start, &range.end, access) != 3 || access[0] != 'r')
      continue;
    range.access = OG_MEMORY_READ | (access[1] == 'w' ? OG_MEMORY_WRITE : 0);
    if (!append(memory, &range))
      break;
  }
  if (file)
    fclose(file);
}

static const struct range *holding(const struct og_host_memory *memory, uint64_t address) {
  size_t low = 0, high = memory->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (memory->ranges[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low && address < memory->ranges[low - 1].end ? &memory->ranges[low - 1] : NULL;
}

static bool find(void *context, uint64_t address, uint64_t *start, uint64_t *size, unsigned *access) {
  struct og_host_memory *memory = context;
  pthread_mutex_lock(&memory->lock);
  const struct range *range = holding(memory, address);
  if (!range) {
    read_maps(memory);
    range = holding(memory, address);
  }
  if (range) {
    *start = range->start;
    *size = range->end - range->start;
    *access = range->access;
  }
  pthread_mutex_unlock(&memory->lock);
  return range;
}

void og_memory_reach_host(struct og_runtime *runtime, bool reached, const char *hint) {
  if (!runtime->host_memory) {
    runtime->host_memory = calloc(1, sizeof *runtime->host_memory);
    if (!runtime->host_memory)
      return;
    pthread_mutex_init(&runtime->host_memory->lock, NULL);
  }
  og_memory_map_set_foreign(runtime->map, &(struct og_foreign_memory){find, runtime->host_memory, reached, hint});
}

void og_host_memory_free(struct og_host_memory *memory) {
  if (!memory)
    return;
  pthread_mutex_destroy(&memory->lock);
  free(memory->ranges);
  free(memory);
}
