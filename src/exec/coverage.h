/* coverage.h - asks which instructions the executor can run, without running any. */
#ifndef OG_EXEC_COVERAGE_H
#define OG_EXEC_COVERAGE_H

#include "isa/isa.h"
#include "target/target.h"

struct og_gap {
  const char *name;     /* as the assembler calls it, with no suffix */
  const char *encoding; /* "MIMG" */
  const char *with;     /* the modifier, operand or kind of form that is refused; NULL: the instruction itself is */
  const char *why;      /* the reason, as half a sentence */
};

struct og_coverage {
  unsigned forms, executed; /* forms that the processor has; those that execute, if not with every modifier */
  unsigned gap_count;
  const struct og_gap *gaps; /* in the order of the tables, each once */
};

/* Tries every form of a processor, without modifiers and with each one. false: it has no tables, or memory is short. */
bool og_coverage(const struct og_target *target, struct og_arena *arena, struct og_coverage *coverage);

#endif
