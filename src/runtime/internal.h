/* internal.h - what the files of src/runtime share. */
#ifndef OG_RUNTIME_INTERNAL_H
#define OG_RUNTIME_INTERNAL_H

#include <pthread.h>

#include "runtime/loader.h"
#include "runtime/runtime.h"

struct og_allocation {
  struct og_allocation *next;
  uint8_t *base;
  size_t mapped, size;
  size_t zone; /* bytes of red zone on either side */
};

struct og_runtime {
  struct og_memory_map *map;
  struct og_interrupts interrupts; /* raised by kernels */
  unsigned running;        /* running dispatches; atomic */
  unsigned ahead[OG_PRIORITY_COUNT]; /* for each priority, how many running dispatches have a higher one; atomic */
  struct og_host_memory *host_memory; /* host_memory.c; NULL: not asked for */
  struct og_services *services; /* the caller's, or NULL */
  pthread_mutex_t lock; /* guards what follows */
  struct og_machine **idle_machines; /* those that no dispatch uses; with room for all that exist */
  size_t idle_machine_count, machine_count;
  struct og_allocation *allocations;
  struct og_allocation *freed; /* freed ones whose addresses stay reserved, so that their use is found */
  bool guards;                 /* allocations have red zones, and freed ones stay reserved */
  struct og_signal **free_signals; /* a stack with room for all that exist; kernels may write signals, but not this */
  size_t free_signal_count, signal_count;
  struct og_executable *executables;
  struct og_run_options options;
  const struct og_executable *handler; /* the trap handler's, or NULL; below, its entry and TMA */
  uint64_t handler_entry, handler_memory;
  struct og_dispatch_record last;
  uint64_t queues; /* how many were made: gives them ids */
};

enum { OG_PAGE = 4096 };

/* Maps zeroed pages, aligned to `alignment` or a page; munmap() gives them back. NULL: memory is short. */
uint8_t *og_map_pages(size_t size, size_t alignment);
void og_memory_free_all(struct og_runtime *runtime);
void og_host_memory_free(struct og_host_memory *memory); /* NULL is fine */

#endif
