/* profile_internal.h - the profile, line by line, as its printers go through it. */
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
  uint32_t word;     /* of an instruction: in the program */
  uint16_t vector_live, scalar_live; /* registers that hold what is read later, when the instruction begins */
  struct og_profile_counts counts;
};

/* Instructions that run one after another, all of them if the first does. */
struct og_profile_block {
  uint32_t first, last; /* in `lines` */
  int32_t next, target; /* blocks that it goes on to and branches to; -1: none */
};

/* A wave's instructions without another's between them; times are wave instructions of the host's thread. */
struct og_profile_span {
  uint32_t group[3], wave;
  uint64_t from, to;
};
enum { OG_PROFILE_SPANS = 4096 }; /* of each thread: the first ones are kept */
struct og_profile_timeline {
  struct og_profile_span *items;
  uint32_t count;
  uint64_t now;
  const struct og_wave *running; /* who has the last span, or NULL */
};

struct og_profile {
  struct og_arena *arena;
  const struct og_executable *executable;
  const struct og_kernel *kernel;
  const struct og_program *program;
  struct og_lines *source;
  unsigned threads;
  struct og_profile_watch *watches; /* one per thread */
  struct og_profile_timeline *timelines; /* one per thread */
  struct og_profile_counts *sums;   /* by word of the code, once collected */
  OG_VECTOR(struct og_profile_line) lines;
  OG_VECTOR(struct og_profile_block) blocks;
  struct og_profile_counts total;
};

/* Fills in `lines` and `total`. */
void og_profile_collect(struct og_profile *profile);
/* And with them `blocks` and what is live. */
void og_profile_flow(struct og_profile *profile);

/* Text in a page. */
void og_page_text(struct og_buffer *out, const char *text);
/* Parts of the page. */
void og_page_blocks(struct og_buffer *out, const struct og_profile *profile);
void og_page_waves(struct og_buffer *out, const struct og_profile *profile);

#endif
