/* outstanding.h - a memory operation that may not have ended: registers that it holds, what ends it, what conflicts
 * with it. */
#ifndef OG_ISA_OUTSTANDING_H
#define OG_ISA_OUTSTANDING_H

#include "isa/waits.h"

#include <string.h>

/* Registers of all kinds under one numbering. */
enum {
  OG_PLACE_VGPR = 0, OG_PLACE_AGPR = 1024, OG_PLACE_SGPR = 2048, OG_PLACE_TTMP = 2176, OG_PLACE_SPECIAL = 2200,
  OG_PLACES = OG_PLACE_SPECIAL + OG_SPECIAL_COUNT
};

/* How an instruction touches registers. */
enum og_touch_as {
  OG_AS_RESULT = 1,  /* it writes them */
  OG_AS_SRC0 = 2, OG_AS_SRC1 = 4, OG_AS_SRC2 = 8, /* SRC2: for sparse matrices the addend */
  OG_AS_DATA = 16, OG_AS_OTHER = 32, OG_AS_UNSEEN = 64, /* unseen: not in the text */
  OG_AS_NAMED = 128,                              /* it writes them, and they are in the text */
};

/* Consecutive registers that an instruction touches. */
struct og_touch {
  uint16_t first, count; /* places */
  uint8_t bytes;         /* of each, a bit each */
  bool writes;
  bool kept;             /* read only because a load keeps the other half */
  bool held;             /* read late: a counter that holds sources holds these */
  uint8_t as;            /* enum og_touch_as */
};

enum { OG_TOUCHES_MOST = OG_READS_MOST + OG_WRITES_MOST };
unsigned og_inst_touches(const struct og_isa *isa, const struct og_inst *inst, const struct og_effects *effects,
                         const struct og_transfer *transfer, struct og_touch touches[OG_TOUCHES_MOST]);
/* "v3", "s12", "vcc" */
void og_place_name(unsigned place, char name[16]);

enum { OG_RAISED_MOST = 5 };

/* Which lanes an operation was issued for, of those that EXEC has on now. */
enum og_pending_lanes {
  OG_LANES_UNKNOWN,
  OG_LANES_WITHIN, /* they are all on */
  OG_LANES_APART,  /* they are all off: the other side of a condition runs */
};

struct og_pending {
  uint32_t op;                    /* the instruction that issued it, in the caller's numbering */
  uint8_t pending;                /* a bit for each of the transfer's counters that may not have fallen behind it yet */
  uint8_t behind[OG_RAISED_MOST]; /* operations of its order that were certainly issued after it */
  uint8_t lanes;                  /* enum og_pending_lanes, where the caller follows EXEC */
  uint8_t loads, stores;          /* of those that translate addresses, if it does: their end tells of its addresses */
};

static inline void og_pending_issued(struct og_pending *pending, const struct og_transfer *transfer, uint32_t op) {
  memset(pending, 0, sizeof *pending);
  pending->op = op;
  pending->pending = (uint8_t)((1u << transfer->count) - 1);
}
/* Applies a wait, or the issue of another operation, to an operation; false: nothing of it is outstanding any more.
 * `most` are the counters' capacities. */
bool og_pending_wait(const struct og_transfer *transfer, struct og_pending *pending, const uint8_t limits[OG_COUNTERS]);
bool og_pending_behind(const struct og_transfer *transfer, struct og_pending *pending, const uint8_t most[OG_COUNTERS],
                       const struct og_transfer *issued);
/* The same where xcnt is known to have fallen. */
bool og_pending_translated(const struct og_transfer *transfer, struct og_pending *pending, uint8_t limit);
/* gfx1250: the limit of xcnt that follows when an instruction is issued that fills registers the operation has yet to
 * read; OG_NO_LIMIT: none. */
uint8_t og_pending_implies(const struct og_transfer *transfer, const struct og_pending *pending,
                           const struct og_touch *held, unsigned held_count, const struct og_transfer *issued,
                           const struct og_touch *touches, unsigned count);
/* Whether it has yet to fill registers. */
bool og_pending_fills(const struct og_transfer *transfer, const struct og_pending *pending);

enum og_clash_kind { OG_CLASH_NONE, OG_CLASH_READ, OG_CLASH_WRITE, OG_CLASH_SOURCE, OG_CLASH_RETURN };

/* How an instruction that touches a register and raises `issued` conflicts with an operation with registers `held`;
 * `place` becomes the register. */
enum og_clash_kind og_pending_clash(const struct og_isa *isa, const struct og_transfer *transfer,
                                    const struct og_pending *pending, const struct og_touch *held, unsigned held_count,
                                    const struct og_transfer *issued, const struct og_touch *touch, uint16_t *place);

#endif
