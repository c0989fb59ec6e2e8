/* statistics.h - what a dispatch did, for people and for programs: the same table and JSON for every machine. */
#ifndef OG_STATISTICS_H
#define OG_STATISTICS_H

#include "base/base.h"

/* A machine's words for the same things. */
struct og_statistics_words {
  const char *threads, *instructions, *lanes, *shared; /* "waves", "wave instructions", "active lanes / lanes", "LDS" */
  const char *const *classes, *const *spaces;
  int class_count, space_count;
};

/* What every machine counts beside instructions and bytes. */
struct og_events {
  uint64_t lanes, lane_slots; /* that worked, over all vector instructions, and what it would be were all enabled */
  uint64_t bank_conflicts;    /* cycles of shared memory beyond the first of each access */
  uint64_t barriers, atomics;
};

/* An instruction that hardware computes within an error, and that error. */
struct og_approximation {
  const char *name, *bound;
};

/* One dispatch; arrays in the order of the words. */
struct og_statistics_view {
  const struct og_statistics_words *words;
  const char *kernel;
  double seconds;
  uint64_t groups, threads, instructions;
  uint32_t thread_size;
  const uint64_t *by_class, *bytes_read, *bytes_written;
  struct og_events events;
  const struct og_approximation *approximations; /* NULL: the machine does not tell */
  size_t approximation_count;
};

/* Adds counts to their sums: structs of `size` bytes that hold 64-bit numbers and nothing else. */
void og_statistics_add(void *sums, const void *counts, size_t size);
void og_statistics_print(const struct og_statistics_view *statistics, struct og_buffer *out);
void og_statistics_print_json(const struct og_statistics_view *statistics,
                              struct og_buffer *out); /* one object, no line's end */

#endif
