/* statistics.h - what a dispatch did, printed for people and for programs: the same table and the same JSON for every machine. */
#ifndef OG_STATISTICS_H
#define OG_STATISTICS_H

#include "base/base.h"

/* A machine's words for the same things. */
struct og_statistics_words {
  const char *threads, *instructions, *lanes, *shared; /* "waves", "wave instructions", "active lanes / lanes", "LDS" */
  const char *const *classes, *const *spaces;
  int class_count, space_count;
};

/* One dispatch; arrays in the order of the words. */
struct og_statistics {
  const struct og_statistics_words *words;
  const char *kernel;
  double seconds;
  uint64_t groups, threads, instructions;
  uint32_t thread_size;
  const uint64_t *by_class, *bytes_read, *bytes_written;
  uint64_t lanes, lane_slots; /* that worked, and all */
  uint64_t bank_conflicts, barriers, atomics;
};

void og_statistics_print(const struct og_statistics *statistics, struct og_buffer *out);
void og_statistics_print_json(const struct og_statistics *statistics, struct og_buffer *out); /* one object, no line's end */

#endif
