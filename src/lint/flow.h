/* flow.h - a function's instructions and the paths through them, for analyses of all paths. */
#ifndef OG_LINT_FLOW_H
#define OG_LINT_FLOW_H

#include "isa/hazards.h"
#include "isa/outstanding.h"
#include "lint/scalars.h"

enum og_step_flag {
  OG_STEP_LEADS = 1,   /* other steps than the one before lead here */
  OG_STEP_GOES_ON = 2, /* to the step behind it */
  OG_STEP_CALLS = 4, OG_STEP_RETURNS = 8, OG_STEP_WAITS = 16,
  OG_STEP_ALL_LANES = 32, /* also touches lanes that EXEC has off */
};

/* What a step does to EXEC. */
enum og_exec_change {
  OG_EXEC_STAYS,
  OG_EXEC_SHRINKS, /* no lane is on that was not */
  OG_EXEC_TURNS,   /* no lane is on that was: an else part begins */
  OG_EXEC_CHANGES,
};

struct og_step {
  uint64_t pc;
  uint32_t touch, touch_count; /* in og_flow.touches */
  int32_t target;              /* step that it branches to; -1: none */
  uint32_t wait;               /* OG_STEP_WAITS: in og_flow.limits */
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
  bool by_gcc; /* its convention of calls, not LLVM's: what holds the address to return to, and who waits */
  uint64_t entry, start, end; /* where it begins to run; the function's bounds */
  OG_VECTOR(struct og_step) steps; /* by address */
  OG_VECTOR(struct og_touch) touches;
  OG_VECTOR(struct og_limits) limits;
  OG_VECTOR(uint64_t) calls; /* functions that are called by known addresses */
  uint32_t first;     /* the step at `entry` */
  uint16_t uncertain; /* enum og_counter: raised by what may do nothing of that kind (flat operations on gfx7 and
                         gfx8) */
};

/* Follows a function from its entry; calls lead on to what stands behind them. Code that does not decode ends a path.
 * False where nothing does. */
bool og_flow_make(struct og_flow *flow, const struct og_wait_mode *mode);
/* The bounds of the function that an address is in: of a symbol where one covers it, else of the section. */
void og_function_bounds(const struct og_object *elf, const struct og_section *section, uint64_t address,
                        uint64_t *start, uint64_t *end);
/* Whether the flow never goes on after it. */
bool og_flow_leaves(const struct og_inst *inst, const struct og_form *form);

#endif
