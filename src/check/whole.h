/* whole.h - the check of one kernel: what watches its threads, what is allowed, what was found. */
#ifndef OG_CHECK_WHOLE_H
#define OG_CHECK_WHOLE_H

#include "check/internal.h"

struct og_check {
  struct og_arena *arena;
  const struct og_executable *executable;
  const struct og_kernel *kernel;
  unsigned checkers, threads;
  struct og_watch *watches;
  struct og_allowances allowed;
  OG_VECTOR(struct og_finding) findings;
  struct og_lds_objects objects;
};

#endif
