/* whole.h - one kernel's check: what its threads are watched with, what is allowed, what was found. */
#ifndef OG_CHECK_WHOLE_H
#define OG_CHECK_WHOLE_H

#include "check/internal.h"

struct og_allowed {
  const char *checker, *place;
};

struct og_check {
  struct og_arena *arena;
  const struct og_executable *executable;
  const struct og_kernel *kernel;
  unsigned checkers, threads;
  struct og_watch *watches;
  OG_VECTOR(struct og_allowed) allowed;
  OG_VECTOR(struct og_finding) findings;
  struct og_lds_objects objects;
};

/* names.c: of one checker; "" where there is none. */
const char *og_check_name(unsigned checker);

#endif
