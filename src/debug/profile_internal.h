/* profile_internal.h - the profile, line by line, as its two printers go through it. */
#ifndef OG_DEBUG_PROFILE_INTERNAL_H
#define OG_DEBUG_PROFILE_INTERNAL_H

#include "debug/lines.h"
#include "debug/profile.h"

struct og_profile_counts {
  uint64_t executions, lanes, slots, bytes_read, bytes_written, conflicts;
};

/* A line of the listing: of source with the sums of the code that follows, or an instruction. */
struct og_profile_line {
  bool is_source;
  const char *file; /* of source; of an instruction where the source is assembly: not told twice */
  unsigned number;
  const char *text;  /* in the profile's arena, as `place` */
  const char *place; /* of an instruction: "k+0x40" */
  struct og_profile_counts counts;
};

struct og_profile {
  struct og_arena *arena;
  const struct og_executable *executable;
  const struct og_kernel *kernel;
  const struct og_program *program;
  struct og_lines *source;
  unsigned threads;
  struct og_profile_watch *watches; /* one per thread */
  struct og_profile_counts *sums;   /* by word of the code, once collected */
  OG_VECTOR(struct og_profile_line) lines;
  struct og_profile_counts total;
};

/* Fills in `lines` and `total`. */
void og_profile_collect(struct og_profile *profile);

#endif
