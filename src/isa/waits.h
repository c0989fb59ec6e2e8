/* waits.h - what instructions wait for: counters, the order in which memory operations end, the registers they hold
 * until then. The facts are in waits.def. */
#ifndef OG_ISA_WAITS_H
#define OG_ISA_WAITS_H

#include "isa/effects.h"

/* A counter by number: its bit in enum og_counter. */
enum { OG_COUNTERS = 13, OG_NO_LIMIT = 255 };

const char *og_counter_name(unsigned counter); /* "vmcnt" */
/* How many operations it can count; 0 where the generation has no such counter. */
unsigned og_counter_most(const struct og_isa *isa, unsigned counter);

/* What an instruction waits for: each counter has fallen to that limit before it goes on; OG_NO_LIMIT: it does not
 * wait. False where it waits for none. */
bool og_inst_wait(const struct og_isa *isa, const struct og_inst *inst, uint8_t limits[OG_COUNTERS]);
/* Whether a row's instructions wait for counters, whatever their operands are. */
bool og_row_waits(unsigned row);

enum og_transfer_kind {
  OG_TRANSFER_NONE, OG_TRANSFER_SCALAR, OG_TRANSFER_MESSAGE, OG_TRANSFER_LDS, OG_TRANSFER_GDS, OG_TRANSFER_FLAT,
  OG_TRANSFER_VECTOR, OG_TRANSFER_SAMPLE, OG_TRANSFER_RAY, OG_TRANSFER_TENSOR, OG_TRANSFER_EXPORT,
  OG_TRANSFER_PARAMETER,
};

enum og_holds { OG_HOLDS_NOTHING, OG_HOLDS_RESULTS, OG_HOLDS_SOURCES };

/* An operation that raises counters. It has ended when all those that hold results have fallen behind it; its sources
 * are free then, or when the counter that holds them has. */
struct og_transfer {
  uint8_t kind, count; /* enum og_transfer_kind */
  uint16_t uncertain;  /* enum og_counter: raised too, but they may say nothing about its end */
  struct og_raised {
    uint8_t counter;
    uint8_t order; /* those of one order and counter end in issue order; 0: in any order */
    uint8_t holds; /* enum og_holds */
  } raised[5];
};

/* The parts of a kernel's set-up that matter here. */
struct og_wait_mode {
  bool unordered; /* gfx10 and gfx11 without MEM_ORDERED: samples overtake loads */
  bool split;     /* gfx90a with TG_SPLIT: there is no LDS that flat operations could lead to */
};

void og_inst_transfer(const struct og_isa *isa, const struct og_inst *inst, const struct og_effects *effects,
                      const struct og_wait_mode *mode, struct og_transfer *transfer);
/* The state at a function's entry: all that its caller may have left outstanding, each with its counter. */
void og_caller_transfer(const struct og_isa *isa, struct og_transfer *transfer);
/* Whether the second, issued after the first, also fills its registers after it. `pending`: a bit for each counter that
 * has not fallen behind the first yet. */
bool og_fills_in_order(const struct og_isa *isa, const struct og_transfer *first, unsigned pending,
                       const struct og_transfer *second);
/* Whether an operand's register is one that the counter holds until it has been read. */
bool og_holds_source(const struct og_inst *inst, const struct og_use *use, unsigned counter);

#endif
