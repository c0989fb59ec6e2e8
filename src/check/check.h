/* check.h - finds a kernel's mistakes while it runs: observers of waves, their findings, and which checkers were asked
 * for. */
#ifndef OG_CHECK_H
#define OG_CHECK_H

#include "runtime/arguments.h"
#include "runtime/loader.h"
#include "runtime/runtime.h"

enum og_checker {
  OG_CHECK_WAITS = 1,      /* registers touched while a memory operation still fills or reads them */
  OG_CHECK_DIVERGENCE = 2, /* barriers that some lanes of a wave miss; waves of a group at different barriers */
  OG_CHECK_BOUNDS = 4,     /* accesses beyond allocated, requested or described memory */
  OG_CHECK_UNINIT = 8,     /* uses of values that nothing has defined */
  OG_CHECK_RACES = 16,     /* unordered accesses of different waves */
  OG_CHECK_HAZARDS = 32,   /* instructions that follow others too soon */
  OG_CHECK_ASYNC = 64,     /* LDS touched while transfers between it and memory own it */
  OG_CHECK_ALL = 127,
  /* Only if asked for by name: */
  OG_CHECK_NUMBERS = 128, /* NaNs, infinities, flushed denormals, conversions out of range */
};

/* "waits,races" to enum og_checker; 0 if a name is unknown, and `*wrong` is that name. */
unsigned og_check_names(const char *names, struct og_text *wrong);

/* The checkers that a pattern with wildcards names; 0: none. */
unsigned og_check_matching(struct og_text pattern);
const char *og_check_name(unsigned checker); /* the name of one checker; "" if there is none */

/* Findings to leave out. */
struct og_allowed {
  const char *checker, *place; /* patterns with wildcards */
};
struct og_allowances {
  struct og_arena *arena;
  OG_VECTOR(struct og_allowed) list;
};
/* Lines of "CHECKER PLACE", as in "waits k+0x40"; # begins a comment. False with a diagnostic. */
bool og_allowances_read(struct og_allowances *allowed, const char *file, struct og_text text,
                        struct og_diagnostics *diagnostics);
bool og_allowances_have(const struct og_allowances *allowed, const char *checker, const char *place);

struct og_check;

/* Watches dispatches of one kernel, which run on this many threads. */
struct og_check *og_check_new(const struct og_executable *executable, const struct og_kernel *kernel, unsigned checkers,
                              unsigned threads);
void og_check_free(struct og_check *check); /* NULL is fine */
/* Turns a dispatch's fault into a finding if one of the checkers covers it; false: the fault stays a fault. */
bool og_check_fault(struct og_check *check, const struct og_fault *fault);
/* Marks memory as unwritten: in dispatches with og_check_fresh_memory(), uninit reports uses of it. */
void og_check_make_fresh(void *memory, size_t size);
void og_check_fresh_memory(struct og_check *check);
/* As in HIP: work-items that have returned need not come to barriers. */
void og_check_may_return(struct og_check *check);
/* "waits, divergence, ...", for messages. */
void og_check_list(struct og_buffer *out);
/* LDS objects: bytes outside them belong to no object. A user names them by "NAME:OFFSET:SIZE" (false: wrong syntax).
 * Otherwise they come from debug information, and from pointers to dynamic LDS among the arguments. If nothing better
 * is known, all LDS that the kernel declares is one object; the last `extra` bytes are dynamic LDS. */
bool og_check_lds_object_text(struct og_check *check, const char *text);
void og_check_lds_objects(struct og_check *check, const struct og_argument *arguments, uint32_t count,
                          const void *kernarg, uint32_t group_bytes, uint32_t extra);
/* Takes the objects of debug information, if there are any; behind them dynamic LDS, if the dispatch has more than the
 * kernel declares. */
void og_check_told_lds(struct og_check *check, uint32_t group_bytes);
/* Sets the observers of dispatches with these options. */
void og_check_watch(struct og_check *check, struct og_run_options *options);
/* Leaves out findings that the lines of this text allow (og_allowances_read()). */
bool og_check_allow(struct og_check *check, const char *file, struct og_text text, struct og_diagnostics *diagnostics);
/* Numbers that identify findings and are the same in each run: of those that `which` names as "CHECKER" or "CHECKER
 * PLACE" with wildcards; NULL: of all. Returns how many there are, up to `most`. */
uint32_t og_check_findings(struct og_check *check, const char *which, uint64_t numbers[], uint32_t most);
/* Reports each finding as an error, repeated ones once; with `json`, also one object with all of them. Returns their
 * count. */
size_t og_check_tell(struct og_check *check, struct og_diagnostics *diagnostics, struct og_buffer *json);

#endif
