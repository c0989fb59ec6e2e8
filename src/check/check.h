/* check.h - what finds a kernel's mistakes while it runs: observers of waves, their findings, and who asked for which. */
#ifndef OG_CHECK_H
#define OG_CHECK_H

#include "runtime/arguments.h"
#include "runtime/loader.h"
#include "runtime/runtime.h"

enum og_checker {
  OG_CHECK_WAITS = 1,      /* registers touched while a memory operation still fills or reads them */
  OG_CHECK_DIVERGENCE = 2, /* barriers that not all lanes of a wave, or different ones that waves of a group come to */
  OG_CHECK_BOUNDS = 4,     /* memory beyond what was allocated, asked for or described */
  OG_CHECK_UNINIT = 8,     /* values that nothing defined and something depends on */
  OG_CHECK_RACES = 16,     /* accesses of different waves that nothing orders */
  OG_CHECK_HAZARDS = 32,   /* instructions that follow one another too soon */
  OG_CHECK_ASYNC = 64,     /* LDS touched while transfers between it and memory own it */
  OG_CHECK_ALL = 127,
  /* Of those who name it only: */
  OG_CHECK_NUMBERS = 128, /* NaNs, infinities, flushed denormals, conversions out of range */
};

/* "waits,races" to enum og_checker; 0 where a name is none, which `*wrong` then is. */
unsigned og_check_names(const char *names, struct og_text *wrong);

/* The checkers that a pattern with wildcards names; 0: none is called so. */
unsigned og_check_matching(struct og_text pattern);

struct og_check;

/* Watches dispatches of one kernel with that many threads. */
struct og_check *og_check_new(const struct og_executable *executable, const struct og_kernel *kernel, unsigned checkers,
                              unsigned threads);
void og_check_free(struct og_check *check); /* NULL is fine */
/* What a dispatch faulted of, as a finding where a checker is responsible; false: none is, and the fault stands. */
bool og_check_fault(struct og_check *check, const struct og_fault *fault);
/* Memory that nothing is to have written: uninit tells of dispatches with og_check_fresh_memory() that depend on it. */
void og_check_make_fresh(void *memory, size_t size);
void og_check_fresh_memory(struct og_check *check);
/* As HIP has it: work-items that have returned need not come to barriers. */
void og_check_may_return(struct og_check *check);
/* "waits, divergence, ...", for messages. */
void og_check_list(struct og_buffer *out);
/* Objects of LDS: what none of them has belongs to nobody. Named by "NAME:OFFSET:SIZE" (false: it is not that), or else those
 * that debug information tells; and those that pointers to dynamic LDS among the arguments stand for, with what the kernel
 * itself declares as one, if it is not known better, and `extra` bytes at the end. */
bool og_check_lds_object_text(struct og_check *check, const char *text);
void og_check_lds_objects(struct og_check *check, const struct og_argument *arguments, uint32_t count, const void *kernarg,
                          uint32_t group_bytes, uint32_t extra);
/* Those that debug information tells, if it does, with dynamic LDS behind them where the dispatch has more than the kernel declares. */
void og_check_told_lds(struct og_check *check, uint32_t group_bytes);
/* Sets the observers of dispatches with these options. */
void og_check_watch(struct og_check *check, struct og_run_options *options);
/* Findings that lines of this text allow are not told: "CHECKER PLACE" each, as in "waits k+0x40", both with wildcards; #
 * begins a comment. False with a diagnostic. */
bool og_check_allow(struct og_check *check, const char *file, struct og_text text, struct og_diagnostics *diagnostics);
/* Numbers that stand for findings, the same of each run: of those that "CHECKER" or "CHECKER PLACE" (with wildcards) names, or
 * NULL, all. How many, up to `most`. */
uint32_t og_check_findings(struct og_check *check, const char *which, uint64_t numbers[], uint32_t most);
/* Each finding as an error, repeated ones as one; with `json`, one object of all of them, too. Yields their count. */
size_t og_check_tell(struct og_check *check, struct og_diagnostics *diagnostics, struct og_buffer *json);

#endif
