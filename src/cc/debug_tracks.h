/* debug_tracks.h - the values of variables in registers. Debug records, which the passes over the IR leave in their
 * places, are taken out of the function before code is made of it (debug_records.c); the registers of the values that
 * they name are followed (debug_tracks.c); and ranges of the code say where these hold a variable (debug_values.c).
 * Nothing of this exists if the IR has no debug information. */
#ifndef OG_CC_DEBUG_TRACKS_H
#define OG_CC_DEBUG_TRACKS_H

#include "cc/object.h"

/* ---- debug_records.c: the values of variables in the IR
 * ----------------------------------------------------------- */

/* Up to 32 bits of a variable's value. */
struct cc_record_part {
  og_ir_ref ref;    /* OG_IR_NONE: unknown */
  uint32_t index;   /* which of the value's parts */
  uint8_t bytes;    /* how many of the variable */
  uint8_t argument; /* if the value is computed: the operand of its expression that this belongs to */
};

/* From its place on, a variable or some bits of it have this value. */
struct cc_record {
  uint32_t block, order;       /* it stands behind so many instructions of that block */
  uint64_t variable, location; /* 1 + their metadata */
  uint32_t offset, size;       /* bits of the variable; size 0: all of it */
  uint32_t first, parts;       /* parts 0: its value is unknown */
  uint32_t operations, length; /* numbers of its expression; length 0: it is the value itself */
};

struct cc_records {
  uint32_t *order; /* by IR record: its number in its block, from 1 on; 0: it is in no block */
  OG_VECTOR(struct cc_record) list;
  OG_VECTOR(struct cc_record_part) parts;
  OG_VECTOR(uint64_t) operations; /* of DWARF with LLVM's DW_OP_LLVM_arg */
};

/* Takes the debug records out of a function; NULL: there are none. */
struct cc_records *cc_take_records(struct og_arena *arena, const struct og_ir_module *m, const struct og_ir_global *g);

enum { CC_OP_ARGUMENT = 0x1005 }; /* DW_OP_LLVM_arg */

/* ---- debug_tracks.c: the registers of these values
 * ---------------------------------------------------------------- */

struct cc_tracks {
  const struct cc_records *records;
  OG_VECTOR(struct cc_operand) places; /* by part, then by phi: its register, or a constant; passes that rename
                                          registers rename them here, too */
  uint32_t *writer;  /* by part: the IR record whose instructions write its register; 0: none */
  uint32_t *phi;     /* by part: 1 + the number of the phi that has this register; 0: none */
  uint32_t *phi_at;  /* by phi: the node at whose beginning its register has the value */
  uint32_t phis;
  struct cc_inst *insts; /* the code before dual instructions are made */
  uint32_t *first, *second; /* by instruction now: 1 + those that it was made of; 0: itself, none */
  uint32_t *at;      /* by instruction: its offset in the code */
  struct cc_holds *holds;
};

/* dual.c: instruction `at` moves to `to`; instruction `second` becomes part of `at`. */
void cc_track_place(struct cc_function *c, uint32_t to, uint32_t at);
void cc_track_pair(struct cc_function *c, uint32_t at, uint32_t second);

/* What each followed register holds at each place: the number of the phi or instruction that wrote it last on every
 * path. */
struct cc_holds {
  const struct cc_function *c;
  uint32_t count;       /* registers that are followed */
  uint16_t *number[CC_FILES]; /* by physical register: 1 + its number; 0: not followed */
  uint16_t *slot_number;      /* by dword of the frame: the same */
  uint32_t *in;         /* by position and number: at its beginning */
  uint32_t *now;        /* by number: at this point of the walk */
  uint32_t *position;   /* by instruction before pairing */
  uint32_t *passing;    /* by instruction: bits for dwords that its IR record writes again */
  uint32_t *writers;    /* by dword of all registers: how many instructions write it */
  uint32_t *base;       /* by register: the place of its first dword in `writers` */
  uint32_t *phis_at, *next_phi; /* by position: 1 + its first phi; by phi: the next */
};
/* 1 + a register's number; 0 or NULL: it is not followed. */
uint16_t *cc_number_of(const struct cc_holds *h, struct cc_operand o, unsigned dword);
void cc_find_holds(struct cc_function *c, struct cc_holds *h); /* kept in `tracks` from cc_track_code() on */
/* The walk: a block begins; an instruction (before pairing) has run, and `changed` gets the numbers that it wrote. */
void cc_enter_holds(struct cc_holds *h, uint32_t position);
typedef void cc_hold_changed(void *context, uint32_t number);
void cc_run_holds(struct cc_holds *h, uint32_t inst, cc_hold_changed *changed, void *context);
/* Whether a part's register holds it at this point of the walk. */
bool cc_is_held(const struct cc_holds *h, uint32_t part, uint32_t position);

/* ---- debug_values.c: ranges of the code, and where variables are in each
 * ------------------------------------------- */

void cc_debug_find_values(struct cc_object *o, struct cc_function *c, struct cc_debug_function *f, uint32_t size);

#endif
