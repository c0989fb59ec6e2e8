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
  size_t zone; /* of red on either side */
};

struct og_runtime {
  struct og_memory_map *map;
  struct og_interrupts interrupts; /* raised by kernels */
  unsigned running;        /* dispatches; atomic */
  unsigned ahead[OG_PRIORITY_COUNT]; /* of those that run, how many are of a higher priority; atomic */
  struct og_host_memory *host_memory; /* host_memory.c; NULL: nobody asked */
  struct og_services *services; /* the caller's, or NULL */
  pthread_mutex_t lock; /* guards what follows */
  struct og_machine **idle_machines; /* a dispatch has one to itself; room for all there are */
  size_t idle_machine_count, machine_count;
  struct og_allocation *allocations;
  struct og_allocation *freed; /* whose addresses are kept, so that who still uses them is found */
  bool guards;                 /* allocations stand apart, and freed ones are kept */
  struct og_signal **free_signals; /* a stack with room for all there are; kernels write signals, but not this */
  size_t free_signal_count, signal_count;
  struct og_executable *executables;
  struct og_run_options options;
  const struct og_executable *handler; /* of traps, or NULL; where in it, and TMA */
  uint64_t handler_entry, handler_memory;
  struct og_dispatch_record last;
  uint64_t queues; /* made so far: their ids */
};

enum { OG_PAGE = 4096 };

/* Zeroed addresses, aligned to `alignment` or a page; munmap() gives them back. NULL: memory is short. */
uint8_t *og_map_pages(size_t size, size_t alignment);
void og_memory_free_all(struct og_runtime *runtime);
void og_host_memory_free(struct og_host_memory *memory); /* NULL is fine */

#endif
