/* flow.h - a function's instructions and the paths through them, for analyses of all paths. */
#ifndef OG_LINT_FLOW_H
#define OG_LINT_FLOW_H

#include "isa/hazards.h"
#include "isa/outstanding.h"
#include "lint/scalars.h"

enum og_step_flag {
  OG_STEP_LEADS = 1,   /* other steps than the one before lead here */
  OG_STEP_GOES_ON = 2, /* the step that follows in the code may run next */
  OG_STEP_CALLS = 4, OG_STEP_RETURNS = 8, OG_STEP_WAITS = 16,
  OG_STEP_ALL_LANES = 32, /* also touches lanes that EXEC has off */
};

/* What a step does to EXEC. */
enum og_exec_change {
  OG_EXEC_STAYS,
  OG_EXEC_SHRINKS, /* turns no lane on */
  OG_EXEC_TURNS,   /* only lanes run that did not before: an else part begins */
  OG_EXEC_CHANGES,
};

struct og_step {
  uint64_t pc;
  uint32_t touch, touch_count; /* in og_flow.touches */
  int32_t target;              /* the step that it branches to; -1: none */
  uint32_t wait;               /* with OG_STEP_WAITS: the index in og_flow.limits */
  uint8_t size, flags, exec;   /* enum og_step_flag, og_exec_change */
  struct og_transfer transfer;
  struct og_hazards hazards;
};

struct og_limits {
  uint8_t most[OG_COUNTERS];
};

struct og_flow {
  const struct og_isa *isa;
  const struct og_object *elf;
  const struct og_section *section;
  struct og_arena *arena;
  bool by_gcc; /* the code calls as GCC does, not LLVM: which registers hold the return address, and who waits */
  uint64_t entry, start, end; /* where it begins to run; the function's bounds */
  OG_VECTOR(struct og_step) steps; /* ordered by address */
  OG_VECTOR(struct og_touch) touches;
  OG_VECTOR(struct og_limits) limits;
  OG_VECTOR(uint64_t) calls; /* functions called at known addresses */
  uint32_t first;     /* the step at `entry` */
  uint16_t uncertain; /* bits of enum og_counter: counters that operations raise which may do nothing of that kind (flat
                         operations on gfx7 and gfx8) */
};

/* Follows a function from its entry; after a call it goes on with the instruction behind the call. Code that does not
 * decode ends a path. False if nothing at all decodes. */
bool og_flow_make(struct og_flow *flow, const struct og_wait_mode *mode);
/* The bounds of the function that holds an address: those of a symbol that covers it, else the section's. */
void og_function_bounds(const struct og_object *elf, const struct og_section *section, uint64_t address,
                        uint64_t *start, uint64_t *end);
/* Whether the instruction behind it never runs next. */
bool og_flow_leaves(const struct og_inst *inst, const struct og_form *form);

#endif
