/* unit.h - what is being compiled: a block's operations, the stretch of them that strips run now, registers. Internal
 * to src/tier.
 *
 * Compiled code keeps the wave in RBX, the strip's byte offset in a row of lanes in R12 and in a mask in R13, windows
 * in R14 and LDS in R15. Vector registers 0 to OG_TEMPORARIES - 1 are temporary, the others hold VGPRs; with 256 bits
 * the last one is EXEC in masked code, with 512 bits k7 is. Where temporaries are packed (held.c), these are numbers
 * that og_unit.names translates. */
#ifndef OG_TIER_UNIT_H
#define OG_TIER_UNIT_H

#include "exec/exec.h"
#include "exec/memory.h"
#include "exec/vector.h"
#include "tier/encode.h"
#include "tier/shape.h"

enum { OG_T0, OG_T1, OG_T2, OG_P0, OG_P1, OG_P2, OG_CO_LANES, OG_TEMPORARIES };
enum { OG_CI_LANES = OG_T2 };
enum {
  OG_K_CO = 1,
  OG_K_CI = 2,
  OG_K_TEMPORARY = 3,
  OG_K_SHAPE = 4,
  OG_K_EXEC = 7,
  OG_EXEC_LANES = 15 /* of 256 bits */
};
enum { OG_ITEMS_MOST = OG_SHAPE_ITEMS, OG_KEPT_MOST = OG_S_COUNT + 2, OG_PLACES = OG_VGPRS };
#define OG_NO_CARRY UINT32_MAX
/* What code foresees: shapes, and rows of the whole wave; it no longer does where so many misses were counted. */
enum { OG_MISSES_SHAPES, OG_MISSES_WHOLE, OG_MISSES, OG_MISSES_MOST = 4096 };
/* How EXEC was where an operation began: code is made for that, and the interpreter does the rest. */
enum { OG_SEEN_FULL = 1, OG_SEEN_PARTLY = 2, OG_SEEN_BOTH = OG_SEEN_FULL | OG_SEEN_PARTLY };

/* The frame of compiled code, from RSP: scalars as the stretch found them, a mask as it found it, numbers of shapes,
 * the caller's RSP; rows of a strip's lanes (offsets of an access, and 64 bits for each of two places), VGPRs as the
 * stretch found them. Rows are lines of the cache: what crosses them is slow to store, and very slow where pages
 * meet. */
#define OG_LINES(bytes) (((bytes) + 63) / 64 * 64)
enum {
  OG_SAVED_MOST = 128,
  OG_FRAME_MASK = 8 * OG_KEPT_MOST,
  OG_FRAME_SHAPES = OG_FRAME_MASK + 16,
  OG_FRAME_RSP = OG_FRAME_SHAPES + 8 * (OG_SHAPE_SLOTS + OG_SHAPE_PAIRS + OG_SHAPE_LIMITS),
  OG_FRAME_ROWS = OG_LINES(OG_FRAME_RSP + 8),
  OG_FRAME_VGPRS = OG_FRAME_ROWS + 64 + 2 * 128,
  OG_FRAME = OG_FRAME_VGPRS + OG_SAVED_MOST * 4 * OG_LANES
};

enum og_item_kind {
  OG_ITEM_NOTHING, /* waits and hints */
  OG_ITEM_VECTOR,
  OG_ITEM_SCALAR,
  OG_ITEM_MEMORY,
  OG_ITEM_CALL,   /* the interpreter's handler does it, for all lanes */
  OG_ITEM_EXEC,   /* a scalar one that writes EXEC */
  OG_ITEM_BRANCH, /* by SCC, VCC or EXEC */
  OG_ITEM_STOP,   /* the wave's end, or a barrier */
  OG_ITEM_LOAD,   /* a scalar one */
  OG_ITEM_LANE,   /* reads one lane of a VGPR */
};

struct og_lane_code;
struct og_scalar_code;

/* An operation, or half of a VOPD one. */
struct og_item {
  const struct og_operation *op;   /* where it stands */
  const struct og_operation *does; /* what it does: `op`, or the half */
  og_handler *handler;
  uint8_t kind;
  const struct og_lane_code *row;
  const struct og_vector_row *types;
  const struct og_scalar_code *scalar;
  const struct og_modifiers *modifiers; /* or NULL */
  const struct og_memory_op *access;
  bool write;
  uint8_t shaping; /* enum og_shaping: how it may be done on numbers of a strip */
  bool goes_back;  /* of a branch: what follows in the block is what it leads to */
  bool swaps, addend_first; /* whose NaN comes through: source 1's before source 0's; an addend's before a product's */
};

/* What nans.c found out of a handler. */
struct og_nan_order {
  bool asked, known, swaps, addend_first;
};
enum { OG_SHAPES = 4 /* of handlers of a row */ };

/* An item that is left to its handler, behind the block: jumps there, and where it goes on. */
struct og_cold {
  const struct og_item *item;
  uint32_t jumps[2], jump_count, back;
  bool lanes_stale;
};

/* An item that reads copies of scalars: the operation that has their places, and the one that it was. */
struct og_renamed {
  struct og_item *item;
  const struct og_operation *was;
  struct og_operation op;
};

struct og_unit {
  struct og_encoder code;
  struct og_program *program;
  struct og_wave *wave;    /* that came here */
  struct og_wave *scratch; /* for trying handlers out */
  struct og_nan_order *nan_orders; /* of each row's handlers */
  bool eager;              /* compiles what has not run yet */
  bool complete;           /* code for any EXEC, seen or not */
  bool fma_forms;          /* og_fma_forms_agree() */
  bool wave32;
  uint32_t mode; /* the wave's, and whether the code holds for that alone */
  bool keyed;
  struct og_item items[OG_ITEMS_MOST];
  uint32_t count;
  const struct og_operation *next; /* what follows the block */
  uint32_t emitted;                /* items that have code in it */
  /* The stretch. */
  bool masked, partly;           /* not all lanes need be active; nor are all of the strip's */
  unsigned half;                 /* of strips of two vectors: which one code is for */
  bool unrolled;                 /* strips follow each other in the code, without R12 and R13: */
  unsigned strip;                /* the number of that which code is for; else 0 */
  uint8_t hosts[2][OG_PLACES];   /* of each VGPR: its vector register; 0: it stays in memory */
  uint8_t *host;                 /* that of the half */
  uint16_t held[32], held_count; /* VGPRs with one */
  uint8_t names[32];             /* of vector registers, where temporaries are packed (held.c); of each item */
  uint8_t temporaries[OG_ITEMS_MOST];
  uint16_t touches[OG_PLACES];   /* how often items read or write each */
  uint16_t touched[OG_PLACES], touched_count; /* those of which that is not 0 */
  bool written[OG_PLACES], read_first[OG_PLACES];
  bool written_late[OG_PLACES], moved; /* its first write is not before the first access; there was one */
  uint32_t move_routine; /* where code starts that hands an access to the interpreter */
  const struct og_item *stretch_end;
  const struct og_item *loop_test; /* the comparison that a loop's branch does by itself; or NULL */
  uint32_t
      before;     /* a mask of which the stretch's one item reads what was there before: its place; OG_NO_CARRY: none */
  uint32_t carry; /* the place in the wave of the mask that is in k1, too; OG_NO_CARRY: none is (0 is s0's place) */
  bool hoisted;   /* its scalar operations are done before the strips */
  struct og_renamed renamed[OG_COPIED_SCALARS];
  uint32_t renamed_count, copied_count;
  bool known[3];  /* T0 to T2 would hold constants: `value` */
  uint32_t value[3];
  bool prepared[3];                                /* P0 to P2 hold the sources with their modifiers */
  uint32_t exits[OG_ITEMS_MOST * 4], exit_count;   /* jumps to the end, with RAX the next operation */
  uint32_t faults[OG_ITEMS_MOST * 3], fault_count; /* jumps to where the stretch is done anew */
  uint32_t ends[12], end_count;                    /* jumps behind the stretch */
  uint32_t missed;       /* the jump, where only scalars have been done, to where the interpreter does it; or 0 */
  uint32_t missed_strip; /* the same where strips were done, before the one at R12 */
  struct {
    const struct og_operation *target;
    uint32_t jump;
    bool lanes_stale; /* with those of the wave */
  } ahead[OG_ITEMS_MOST]; /* taken branches to what is yet to come, or not of the block */
  uint32_t ahead_count;
  struct og_cold cold[OG_ITEMS_MOST];
  uint32_t cold_count;
  bool lanes_stale; /* the wave's `lanes` and `active_lanes` may be of an EXEC before this one */
  struct og_shapes shapes;
  uint32_t *misses; /* OG_MISSES of them: how often what was foreseen was not so, more or less */
  uint16_t sought;  /* a VGPR that is looked for, */
  bool sought_is_written;
};

static inline bool og_is_vector_place(uint32_t offset) { return offset >= OG_AT_V(0) && offset < OG_AT_V(OG_PLACES); }
static inline unsigned og_vgpr_of(uint32_t offset) { return (offset - OG_AT_V(0)) / OG_AT_ROW; }
static inline unsigned og_strip_bytes(const struct og_unit *unit) { return unit->code.wide ? 64 : 32; }
static inline unsigned og_strip_count(const struct og_unit *unit) {
  return (unit->wave32 ? 128u : 256u) / og_strip_bytes(unit);
}
/* Whether it stands for itself, between stretches. */
static inline bool og_is_between(const struct og_item *item) { return item->kind >= OG_ITEM_CALL; }
/* The strip's part of a row of dwords. */
static inline struct og_place og_of_strip(const struct og_unit *unit, enum og_gpr base, uint32_t offset) {
  return og_place_memory(base, unit->unrolled ? -1 : OG_R12,
                         offset + og_strip_bytes(unit) * (unit->half + unit->strip));
}
static inline struct og_place og_home(const struct og_unit *unit, unsigned vgpr) {
  return og_of_strip(unit, OG_RBX, OG_AT_V(vgpr));
}
/* Of the strip's part of a mask. */
static inline struct og_place og_mask_place(const struct og_unit *unit, uint32_t offset) {
  return og_place_memory(OG_RBX, unit->unrolled ? -1 : OG_R13,
                         offset + og_strip_bytes(unit) / 32 * (unit->half + unit->strip));
}
static inline void og_set_half(struct og_unit *unit, unsigned half) {
  unit->half = half;
  unit->host = unit->hosts[half];
}
/* What a mask was before the stretch, which reads it as a scalar and writes it. */
static inline struct og_place og_before_place(unsigned dword) {
  return og_place_memory(OG_RSP, -1, OG_FRAME_MASK + 4 * dword);
}
static inline struct og_place og_in_wave(uint32_t offset) { return og_place_memory(OG_RBX, -1, offset); }
/* Where misses are counted; RAX is spent. */
static inline struct og_place og_misses_place(struct og_unit *unit, unsigned which) {
  og_emit_load_constant(&unit->code, OG_RAX, (uintptr_t)&unit->misses[which]);
  return og_place_memory(OG_RAX, -1, 0);
}

/* ---- recognize.c, vector.c, mask.c, operand.c ---- */
/* Whether strips can do it; fills in row and types. */
bool og_recognize_vector(struct og_unit *unit, struct og_item *item);
void og_emit_vector_item(struct og_unit *unit, const struct og_item *item);
/* The place of the mask that it reads lane by lane, OG_NO_CARRY: none. */
uint32_t og_mask_read(const struct og_item *item);
/* Whether a later one of the stretch reads the mask that it writes, or the mask is there at the end. */
bool og_carry_is_wanted(const struct og_unit *unit, const struct og_item *item);
/* Calls with each VGPR that an item reads or writes; written: 1, read: 2, of which partly written: 3. */
typedef void og_on_vgpr(struct og_unit *unit, unsigned vgpr, unsigned how);
void og_visit_vgprs(struct og_unit *unit, const struct og_item *item, og_on_vgpr *on);

void og_emit_load(struct og_unit *unit, unsigned reg, struct og_place from);
void og_emit_store(struct og_unit *unit, struct og_place to, unsigned reg);
/* Active lanes of a VGPR in memory get what a register has. That is spent, if it is a temporary one, else OG_T0. With
 * 256 bits no masked store is used: on some hosts it takes twenty steps, and a load waits until it is done. */
void og_merge_home(struct og_unit *unit, unsigned vgpr, unsigned reg);

/* An instruction on registers; with a constant in each lane; shifts of dwords by a constant. */
static inline void og_emit_registers(struct og_unit *unit, uint32_t instruction, unsigned to, unsigned first,
                                     unsigned last) {
  og_emit_vector(&unit->code, instruction, to, first, og_place_register(last), 0, false);
}
static inline void og_emit_with_constant(struct og_unit *unit, uint32_t instruction, unsigned to, unsigned first,
                                         uint32_t value) {
  og_emit_vector(&unit->code, instruction, to, first, og_constant_lanes(&unit->code, value), 0, false);
}
/* the digit of VPSRLD, VPSRAD, VPSLLD */
enum og_shift { OG_SHIFT_RIGHT = 2, OG_SHIFT_ARITHMETIC = 4, OG_SHIFT_LEFT = 6 };
static inline void og_emit_shift(struct og_unit *unit, enum og_shift way, unsigned to, unsigned from,
                                 unsigned distance) {
  og_emit_registers(unit, OG_VEX(1, 1, 0, 0x72), way, to, from);
  og_emit_byte(&unit->code, distance);
}

/* mask.c: eight lanes of all ones or none from a mask's byte; RCX is spent. */
void og_emit_mask_lanes(struct og_unit *unit, unsigned to, struct og_place bits);

/* The strip's active lanes, as bits. */
void og_emit_active(struct og_unit *unit, enum og_gpr to);

/* ---- halves.c: on temporary registers ---- */
/* Halves in dwords, whose upper parts do not matter, to floats of 32 bits; uses OG_CO_LANES. And back, with 0 above. */
void og_emit_widen(struct og_unit *unit, unsigned to, unsigned from);
void og_emit_narrow(struct og_unit *unit, unsigned to, unsigned from);
/* Packed operations: a source's half; T0 is the low result; T0, the high one, becomes both. */
void og_emit_half_of(struct og_unit *unit, unsigned to, unsigned from, bool high, bool negated);
void og_emit_low_half(struct og_unit *unit);
void og_emit_join_halves(struct og_unit *unit);

/* ---- doubles.c ---- */
/* The doubles' instruction on an item's sources: T0 gets the lower dwords, T1 the upper ones; uses all temporary
 * registers but OG_P2 and OG_CO_LANES. */
void og_emit_double(struct og_unit *unit, const struct og_item *item, uint32_t instruction);
/* Floats to i32 and u32, `from` being neither T2 nor `to`, which it uses: what is beyond becomes the greatest or least,
 * a NaN 0. And from u32; the latter two use OG_CO_LANES. */
void og_emit_to_integer(struct og_unit *unit, unsigned to, unsigned from);
void og_emit_to_unsigned(struct og_unit *unit, unsigned to, unsigned from);
void og_emit_from_unsigned(struct og_unit *unit, unsigned to, unsigned from);

/* ---- nans.c ---- */
bool og_fma_forms_agree(void);
/* Finds out whose NaN the handler lets through where several sources are NaNs. False: in no order that code can
 * have. */
bool og_find_nan_order(struct og_unit *unit, struct og_item *item, og_handler *handler);

/* ---- scalar.c ---- */
bool og_recognize_scalar(const struct og_unit *unit, struct og_item *item);
void og_emit_scalar_item(struct og_unit *unit, const struct og_item *item);
/* Flags as of SCC, compared with 0. */
void og_emit_compare_scc(struct og_unit *unit);
/* A comparison: its code, and the SETcc that SCC would be. */
bool og_is_scalar_test(const struct og_item *item);
unsigned og_emit_scalar_test(struct og_unit *unit, const struct og_item *item);
/* Dwords of the scalar file, as bits. */
struct og_scalar_set {
  uint64_t bits[3];
};
static inline void og_add_scalars(struct og_scalar_set *set, uint32_t offset, unsigned dwords) {
  for (unsigned i = offset / 4; i < offset / 4 + dwords && i < OG_S_COUNT; i++)
    set->bits[i / 64] |= (uint64_t)1 << (i % 64);
}
static inline void og_join_scalars(struct og_scalar_set *all, const struct og_scalar_set *more) {
  for (int i = 0; i < 3; i++)
    all->bits[i] |= more->bits[i];
}
static inline bool og_scalars_meet(const struct og_scalar_set *a, const struct og_scalar_set *b) {
  return ((a->bits[0] & b->bits[0]) | (a->bits[1] & b->bits[1]) | (a->bits[2] & b->bits[2])) != 0;
}
/* What an item reads, writes for all lanes, and writes lane by lane. */
void og_find_scalars(const struct og_unit *unit, const struct og_item *item, struct og_scalar_set *reads,
                     struct og_scalar_set *writes, struct og_scalar_set *masks);

/* ---- access.c, memory.c ---- */
bool og_recognize_memory(struct og_unit *unit, struct og_item *item);
void og_emit_memory_item(struct og_unit *unit, const struct og_item *item);
void og_visit_memory(struct og_unit *unit, const struct og_item *item, og_on_vgpr *on);
/* Loads of VGPRs: dwords of a piece, pieces, bytes from the address to behind the last one, the VGPR of a dword. */
unsigned og_access_dwords(const struct og_memory_op *access);
unsigned og_access_pieces(const struct og_memory_op *access);
bool og_writes_pair(const struct og_item *item);
uint32_t og_access_end(const struct og_memory_op *access);
unsigned og_access_vgpr(const struct og_item *item, unsigned piece, unsigned dword);
bool og_has_lane_addresses(const struct og_memory_op *access);
/* Whether `bytes` from RAX on are in the window; brings RAX to the host's. Yields how many jumps where they are not. */
unsigned og_emit_check_window(struct og_unit *unit, const struct og_item *item, uint32_t bytes, uint32_t jumps[2]);
/* Of a row of lanes: what follows far behind it. */
void og_emit_prefetch(struct og_unit *unit, struct og_place row);
struct og_place og_window_place(const struct og_item *item, size_t field);
/* The interpreter does the strip's part, by unit->move_routine; of an access, which may fault. */
void og_emit_strip_call(struct og_unit *unit, const struct og_item *item);
void og_emit_move_call(struct og_unit *unit, const struct og_item *item);

/* items[from..to), which strips may run one after the other. */
struct og_stretch {
  uint32_t from, to;
  const struct og_item *branch; /* behind them, back to the first; or NULL */
};

/* ---- held.c ---- */
/* Finds which VGPRs are touched, and how. */
void og_find_touched(struct og_unit *unit, const struct og_stretch *stretch);
/* Vector registers for the VGPRs that are used most; of the shaped version: by what it does on vectors. */
void og_allocate(struct og_unit *unit, const struct og_stretch *stretch, bool shaped);
/* The same of a loop without accesses, for two strips at a time; false: there are too few. */
bool og_allocate_two(struct og_unit *unit, const struct og_stretch *stretch);
/* 2, where code of an item is for two vectors, one after the other; begins it for one; ends what allocating began. */
unsigned og_halves(const struct og_unit *unit);
void og_begin_half(struct og_unit *unit, const struct og_item *item, unsigned half);
void og_end_halves(struct og_unit *unit);
void og_release(struct og_unit *unit, const struct og_stretch *stretch);
void og_load_held(struct og_unit *unit, bool all);
void og_store_held(struct og_unit *unit);
/* VGPRs of this strip, as they have to be where the stretch is done anew: to the frame or back. */
void og_copy_saved(struct og_unit *unit, bool back);

/* ---- foresee.c, shape.c, arithmetic.c, shaped.c ---- */
/* Whether a version of the stretch is worth it in which addresses are numbers of a strip; foresees their shapes. */
bool og_find_shapes(struct og_unit *unit, const struct og_stretch *stretch);
/* Does an item on numbers, if that can be: with `emits`, as code. */
bool og_shape_item(struct og_unit *unit, const struct og_item *item);
/* What has no numbers afterwards. */
void og_unshape_results(struct og_unit *unit, const struct og_item *item);
struct og_place og_slot_place(const struct og_unit *unit, unsigned vgpr);
/* The first lane's value of a VGPR that has a shape; pairs that stay; an access's first address: to a register. */
void og_emit_shape_base(struct og_unit *unit, enum og_gpr to, unsigned vgpr);
void og_want_shape(struct og_unit *unit, unsigned vgpr); /* code will */
void og_emit_shape_pairs(struct og_unit *unit);
bool og_has_shaped_address(struct og_unit *unit, const struct og_item *item, uint32_t *step);
void og_want_address(struct og_unit *unit, const struct og_item *item);
void og_emit_shaped_address(struct og_unit *unit, const struct og_item *item);
/* foresee.c */
bool og_is_shaped_load(const struct og_unit *unit, const struct og_item *item);
struct og_kept;
/* Where windows may be others now: RDX and RSI are spent, and RSP is so much lower. */
void og_emit_shape_limits(struct og_unit *unit, uint32_t lower);
/* Code of that version, from the begin of a strip: where shapes are not as foreseen, on behind it. True: it is alone,
 * and nothing comes there. */
bool og_emit_shaped(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept);
/* The same where that is sure: all strips are looked at before the first one is done. */
bool og_emit_sure(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept);
/* A load of such a stretch, for what registers it takes to be known. */
void og_emit_sure_load(struct og_unit *unit, const struct og_item *item);

/* ---- whole.c ---- */
/* Code of a stretch whose accesses are of dwords of LDS, side by side in all of the wave: where they are not, on behind
 * it. True: the interpreter is to do that, as it never was so, and nothing comes here. */
bool og_emit_whole(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept);

/* ---- stretch.c ---- */
/* What is written and was read before: what comes again has to find it as it was. */
struct og_kept {
  uint8_t scalars[OG_S_COUNT];
  unsigned strips; /* that many each strip finds as the first one did; */
  unsigned count;  /* all else that is written follows them: it goes back where the stretch is done anew */
};
void og_copy_kept(struct og_unit *unit, const struct og_kept *kept, unsigned count, bool back);
void og_copy_budget(struct og_unit *unit, bool back);
/* Of a loop: before each strip, and from its end to `head`, while there is a budget. */
void og_emit_set_stopped(struct og_unit *unit, uint32_t value);
void og_emit_loop_branch(struct og_unit *unit, const struct og_stretch *stretch, uint32_t head);
/* Whether items of the stretch may need the routine that follows. */
bool og_stretch_calls(const struct og_unit *unit, const struct og_stretch *stretch);
/* Whether what is foreseen needs no other version behind it: it has not failed yet. */
bool og_is_alone(const struct og_unit *unit, unsigned misses);
/* Counts a failure of what is alone; yields the jump for `missed` or `missed_strip`. */
uint32_t og_emit_missed(struct og_unit *unit, unsigned which);
/* A routine for what the interpreter does of a strip: RSI is the operation, RCX its handler. */
void og_emit_move_routine(struct og_unit *unit, bool shaped);
/* On to the next strip, of `lanes` lanes; yields the jump where there is none. */
uint32_t og_emit_next_strip(struct og_unit *unit, const struct og_stretch *stretch, const struct og_kept *kept,
                            unsigned lanes, uint32_t strip);
/* A scalar operation that each strip does. */
bool og_is_repeated(const struct og_unit *unit, const struct og_item *item);
/* Whether a loop over strips would be as much work as what they do. */
bool og_is_short(const struct og_unit *unit, const struct og_stretch *stretch);
/* A jump behind all versions of the stretch. */
void og_add_end(struct og_unit *unit, uint32_t jump);
void og_emit_stretch(struct og_unit *unit, const struct og_stretch *stretch);

/* ---- dpp.c ---- */
bool og_is_dpp(const struct og_item *item);

/* ---- hoist.c ---- */
/* Whether the stretch's scalar operations can be done before its strips; where they can, items are changed until it is
 * undone. */
bool og_find_hoisted(struct og_unit *unit, const struct og_stretch *stretch);
void og_undo_hoisting(struct og_unit *unit);
void og_emit_hoisted(struct og_unit *unit, const struct og_stretch *stretch);

/* ---- extent.c ---- */
/* Whether an item writes a mask over a scalar that it reads: a stretch for itself can keep what was there. */
bool og_reads_before(const struct og_item *item, const struct og_scalar_set *reads, const struct og_scalar_set *masks);
/* Where items end that strips may run one after the other, those from `from` on; as often as they like, if `loop`. */
uint32_t og_stretch_end(struct og_unit *unit, uint32_t from, bool loop);
/* ---- flow.c ---- */
bool og_recognize_branch(struct og_item *item);
/* What is between stretches: writes of EXEC, and branches; the block's begin is `start`, its code at `start_at`. */
void og_emit_exec_item(struct og_unit *unit, const struct og_item *item);
void og_emit_branch(struct og_unit *unit, const struct og_item *item, const struct og_operation *start,
                    uint32_t start_at);
/* Brings the other form of EXEC up to date, if code before may have left it behind: for handlers, and when the block is
 * left. */
void og_emit_fresh_lanes(struct og_unit *unit);
/* The wave stops, to go on at `op`. */
void og_emit_resume(struct og_unit *unit, const struct og_operation *op);
bool og_recognize_stop(struct og_item *item);
void og_emit_stop(struct og_unit *unit, const struct og_item *item, const struct og_operation *start,
                  uint32_t start_at);
/* Whether branches lead there that have been emitted; and lands them. */
bool og_is_ahead(const struct og_unit *unit, const struct og_operation *op);
void og_land_ahead(struct og_unit *unit, const struct og_operation *op);
/* Lets all others leave the block. */
void og_leave_ahead(struct og_unit *unit);

/* ---- constants.c ---- */
bool og_recognize_scalar_load(struct og_item *item);
void og_emit_scalar_load(struct og_unit *unit, const struct og_item *item);

/* ---- lane.c ---- */
bool og_recognize_lane_read(struct og_item *item);
void og_emit_lane_read(struct og_unit *unit, const struct og_item *item);

/* ---- block.c ---- */
/* Finds the operations of the block that starts at `op` and emits it. False: there is nothing worth it. */
bool og_compile_block(struct og_unit *unit, struct og_wave *wave, const struct og_operation *op);

/* Whether a branch is one that SCC alone decides. */
bool og_is_scalar_branch(const struct og_item *item);

/* ---- tier.c ---- */
/* Whether a block is known to begin there. */
bool og_tier_is_leader(const struct og_program *program, const struct og_operation *op);
/* How EXEC was seen to be where an operation begins: OG_SEEN_*; 0: the operation was not seen. */
unsigned og_tier_seen(const struct og_program *program, const struct og_operation *op);
/* The block at `start` has no code for the wave's EXEC at `op`; where that comes often, it is compiled anew. */
void og_tier_missed(struct og_wave *wave, const struct og_operation *op, const struct og_operation *start);
/* What a slot's operation did before it was counted or compiled. */
og_handler *og_tier_plain(const struct og_program *program, const struct og_operation *op);

#endif
