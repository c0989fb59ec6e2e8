/* shape.h - VGPRs whose lanes of a strip are base + step * lane: kept as one number each, through the arithmetic that
 * leads to addresses. Internal to src/tier.
 *
 * The shapes are predicted from the wave that runs when the code is made; code checks the VGPRs that a strip begins
 * with, and all that could break a shape (a lower half that wraps in some lanes only). If a check fails, the strip runs
 * the general code for lanes. */
#ifndef OG_TIER_SHAPE_H
#define OG_TIER_SHAPE_H

#include "exec/exec.h"

enum {
  OG_SHAPE_SLOTS = 24,
  OG_SHAPE_PAIRS = 8,
  OG_SHAPE_LIMITS = 8,
  OG_SHAPE_STEP_MOST = 1 << 12,
  OG_SHAPE_JUMPS = 512,
  OG_SHAPE_ITEMS = 600
};

enum og_shape_kind {
  OG_SHAPE_NONE, /* the VGPR itself has the lanes */
  OG_SHAPE_ONE,  /* 32 bits, modulo 2^32, in its slot's lower half */
  OG_SHAPE_LOW,  /* of 64 bits in its slot, and */
  OG_SHAPE_HIGH, /* the upper half, in the slot of the VGPR before it */
};
struct og_lane_shape {
  uint8_t kind;
  bool zero;     /* it is 0 in all lanes: no slot has it */
  uint32_t step; /* of LOW and HIGH: of the 64 bits */
};

/* What an item is on numbers, told by its row. */
enum og_shaping {
  OG_SHAPING_NONE,
  OG_SHAPING_MOVE,
  OG_SHAPING_ADD,
  OG_SHAPING_SUB,
  OG_SHAPING_SUBREV,
  OG_SHAPING_ADD3,
  OG_SHAPING_SHIFT_LEFT,
  OG_SHAPING_SHIFT_SIGNED,
  OG_SHAPING_SHIFT_ADD,
  OG_SHAPING_ADD_SHIFT,
  OG_SHAPING_MUL,
  OG_SHAPING_AND,
  OG_SHAPING_OR,
  OG_SHAPING_XOR,
  OG_SHAPING_SHIFT_LEFT_64,
  OG_SHAPING_ADD_CO,
  OG_SHAPING_ADDC,
};

/* A source of 32 bits: a constant, a scalar, or a VGPR that has a shape. */
struct og_shape_source {
  enum { OG_SOURCE_IS_CONSTANT, OG_SOURCE_IS_SCALAR, OG_SOURCE_IS_VGPR } kind;
  uint32_t at; /* the constant, the scalar's place, the VGPR */
  struct og_lane_shape shape;
};
struct og_shape_pair {
  struct og_shape_source low, high;
};

struct og_item;
struct og_shapes {
  const struct og_item *first; /* of the stretch */
  unsigned lanes, halves;      /* of a strip, and vectors that it is */
  bool emits;                  /* code is made, not only foreseen */
  bool failed;                 /* there is no room */
  bool sure;                   /* nothing can be in the way once the shapes that strips begin with are as foreseen */
  bool scalar[OG_SHAPE_ITEMS]; /* which of the unit's items are done on numbers */
  struct og_lane_shape now[OG_VGPRS + 1], entry[OG_VGPRS + 1];
  bool vector_has_it[OG_VGPRS]; /* the VGPR has its lanes, too */
  bool needed[OG_VGPRS + 1];    /* an address comes from it */
  uint8_t slot[OG_VGPRS];       /* its number + 1 */
  uint16_t slot_uses[OG_SHAPE_SLOTS];
  int8_t slot_register[OG_SHAPE_SLOTS]; /* -1: the frame has it */
  unsigned slot_count;
  struct og_shape_pair pairs[OG_SHAPE_PAIRS]; /* of 64 bits that stay as they are, behind the slots */
  unsigned pair_count;
  struct og_shape_limit { /* of loads in loops: how far into its window one may begin, behind the pairs */
    const struct og_item *item;
    uint32_t bytes;
  } limits[OG_SHAPE_LIMITS];
  unsigned limit_count;
  unsigned row_count; /* loads of dwords of global memory that are side by side */
  unsigned rax_vgpr; /* RAX has what the slot of that VGPR has, */
  uint32_t rax_at;   /* if no code came since */
  uint64_t scalars_written[3];
  uint32_t lds_end[OG_VGPRS];                 /* of unchanged LDS addresses: how far accesses go beyond them */
  uint32_t jumps[OG_SHAPE_JUMPS], jump_count; /* where a shape is torn apart */
};

#endif
