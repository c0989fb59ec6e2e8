/* internal.h - what checkers share: facts about an instruction, a wave's state, findings. */
#ifndef OG_CHECK_INTERNAL_H
#define OG_CHECK_INTERNAL_H

#include "check/levels.h"
#include "check/check.h"
#include "exec/group.h"
#include "isa/hazards.h"
#include "isa/outstanding.h"

/* Checkers that need the addresses of memory instructions. */
enum { OG_CHECK_MEMORY = OG_CHECK_BOUNDS | OG_CHECK_UNINIT | OG_CHECK_RACES | OG_CHECK_ASYNC | OG_CHECK_NUMBERS };
/* Checkers that need to know the outstanding operations. */
enum { OG_CHECK_OUTSTANDING = OG_CHECK_WAITS | OG_CHECK_RACES | OG_CHECK_ASYNC };
/* Checkers that follow values, including those of disabled lanes. */
enum { OG_CHECK_LANES_KEPT = OG_CHECK_UNINIT | OG_CHECK_DIVERGENCE };

/* A set of registers that may contain more than it should: of vector ones by og_check_mark(); scalar ones are exact,
 * except SCC. */
struct og_check_marks {
  uint64_t vector, scalar[2];
};
static inline bool og_check_common(const struct og_check_marks *a, const struct og_check_marks *b) {
  return (a->vector & b->vector) | (a->scalar[0] & b->scalar[0]) | (a->scalar[1] & b->scalar[1]);
}

static const struct og_check_marks og_everything_marked = {UINT64_MAX, {UINT64_MAX, UINT64_MAX}};

/* Kinds of instructions that are quickly told apart for all checkers at once. */
enum og_check_kind {
  OG_CHECK_QUIET, /* it only reads and writes registers, or is not known yet */
  OG_CHECK_OTHER,
  OG_CHECK_WAIT,  /* it only waits */
  OG_CHECK_STAND, /* the barrier of a whole work-group */
  OG_CHECK_SWIFT, /* a plain load or store of LDS, which raises one counter in order */
};

/* The facts needed for every instruction; an array with an entry for each word of a program. */
struct og_glance {
  struct og_known *known;       /* NULL: the instruction has not run yet */
  struct og_check_marks uninit; /* the registers that it and its stretch access, for uninit, */
  uint64_t marks;               /* and by og_check_place_mark() */
  bool acts;                    /* it does more than read and write registers */
  uint8_t kind;                 /* enum og_check_kind */
  uint8_t hazard;               /* enum og_check_reach */
  uint8_t quiet;                /* number of instructions in the stretch behind it: consecutive, none acts */
  bool ends;                    /* the stretch is known up to its end */
  bool then_waits;              /* an OG_CHECK_WAIT comes next */
};

/* Facts about an instruction, found when it first runs. The most used ones come first. */
struct og_known {
  struct og_check_marks uninit; /* the registers that it alone accesses, */
  struct og_check_marks needs;  /* and those that must be defined so that its results are */
  uint64_t marks;
  const struct og_inst *inst; /* NULL: it cannot be decoded */
  uint64_t held;  /* marks of the registers that it uses until it has ended */
  struct {
    struct og_check_marks needs, defines; /* as `needs`; what is as a whole defined where all lanes are on */
    bool defining; /* the stretch may be treated as one: og_check_uninit_define_all() */
  } stretch; /* the same of it and its stretch, once the glance has that */
  bool acts;
  bool waits, barrier;
  bool parks;     /* sets EXEC to a constant */
  bool matrix;    /* multiplies matrices, in which all lanes take part whatever EXEC says */
  bool calls;     /* or returns */
  bool returns;   /* returns from a function, by the compilers' convention */
  bool vector;    /* does nothing if EXEC is 0 */
  bool plain;     /* a load, store or atomic whose lanes og_check_places() finds */
  uint8_t described; /* enum og_check_described: more than an address says where it goes */
  bool orders;    /* a wait, a barrier or an instruction for caches: races */
  bool names_lanes; /* its lanes name other lanes, which it reads: divergence */
  bool modes;       /* it may turn on VGPR indexing */
  bool counts_for_readlane; /* og_check_readlane() needs it */
  bool relative;    /* M0 selects registers, whatever registers the code names */
  uint8_t race_flags; /* enum og_race_flag, without those of lanes */
  uint8_t leads_to;   /* kinds of memory that it accesses while outstanding */
  struct og_transfer transfer;
  uint8_t limits[OG_COUNTERS];
  const struct og_memory *memory;
  const struct og_uninit_flow *flow; /* how undefined values pass through it; only for uninit and numbers */
  bool goes_on;   /* the next instruction in the code runs next, under the same modes */
  bool all_lanes; /* also touches lanes that EXEC disables */
  uint8_t touch_count;
  struct og_glance *glance;
  const struct og_effects *effects;
  struct og_hazards hazards;
  const struct og_hazard_behind *behind; /* hazards: what it may be too close to; NULL: nothing */
  const struct og_numbers_flow *numbers; /* only for numbers */
  struct og_touch touches[];
};

/* A bit for a register. Two instructions with no bit in common access different registers. */
static inline uint64_t og_check_mark(unsigned place) { return 1ull << place % 64; }
/* The same for the places of og_touch: scalar ones share the last bits. */
static inline uint64_t og_check_place_mark(unsigned place) {
  return place < OG_PLACE_SGPR ? 1ull << place % 48 : 1ull << (48 + place % 16);
}

/* LDS offsets in a register of a wave, with facts that are computed from them once. */
struct og_lds_base {
  uint64_t lanes;        /* lanes that were on */
  uint32_t least, most;  /* least and most of their offsets, */
  uint32_t low_bits;     /* and all offsets or-ed */
  uint32_t stride;       /* the distance from lane to lane, if the lanes that are on are the first ones; 0: unknown */
  uint32_t log, number;  /* where the races checker keeps it: number of the log and place in it */
  _Alignas(64) uint32_t offset[OG_LANES]; /* disabled lanes included */
};
enum { OG_LDS_BASES = 4 };

/* Where the lanes of a memory instruction go. */
struct og_places {
  uint64_t lanes[3];      /* by enum og_space, without scalar */
  uint64_t stack;         /* lanes that access scratch by an address in the wave's part of it, which `address` has */
  uint64_t others;        /* lanes in global memory that access another wave's part of scratch */
  uint64_t outside;       /* lanes beyond what a descriptor or M0 allows: they move nothing */
  unsigned size, pieces;  /* bytes of each piece */
  /* Every lane accesses LDS: its offset is in `base`, and each piece adds something. `local` has these offsets once
   * og_check_locals() has put them there, `address` once og_check_widen() has. */
  bool all_lds;
  struct og_lds_base *base;
  uint32_t add[2];
  _Alignas(64) uint32_t local[2][OG_LANES];
  uint64_t address[2][OG_LANES]; /* by piece; for LDS and scratch these are offsets */
};

/* What checkers keep of a work-group and of a wave. */
struct og_check_group {
  struct og_check_group *next;
  uint32_t users;          /* waves that have not ended */
  uint32_t lds_size;
  uint32_t *lds;           /* uninit: undefined bits of LDS; */
  uint64_t *lds_dirty;     /* by parts of OG_LDS_PART bytes: dwords that may have any, */
  uint32_t lds_dirty_count; /* and how many parts have some */
  struct og_race_group *race;
  struct og_arrival {
    uint32_t number; /* counts from 1: how often waves have come to the work-group's barrier */
    uint64_t pc;     /* where the first wave came */
  } arrivals[2];     /* of odd and even arrivals */
  bool parked;           /* a wave came there with lanes parked: waves are threads here, and synchronize as they like */
  uint32_t fewest, most; /* how often waves that have ended came, at least and at most */
  uint64_t stored, stored_without; /* the furthest stores of waves that came most often, and of the others */
};

/* Operations of a wave that have not ended; the memory is kept for another wave. */
struct og_lives {
  struct og_live *items; /* within `room`, behind those that have ended; waits.c */
  struct og_live *room;
  uint32_t count, capacity;
  uint64_t marks; /* of the registers that they use, and perhaps others */
  uint8_t kinds;  /* kinds of memory that they access */
  bool stream;    /* all raise only one and the same counter, either in order or not, and nothing else did. What came
                     after each is then its successors in `items`, so their `behind` is not counted yet. */
  uint8_t counter, order; /* of a stream: its counter, and whether it has an order */
};

enum { OG_LDS_PART = 256 /* 64 dwords */ };

struct og_check_wave {
  bool learns;       /* it passed a barrier: at its next instruction it learns what others did before */
  bool hazards_open; /* instructions are remembered that others may follow too soon */
  bool indexes;      /* VGPR indexing may be on, so every register is looked at */
  bool owns_lds;     /* async: outstanding operations own LDS */
  uint64_t held;     /* marks of the registers that outstanding operations use */
  const struct og_check_marks *undefined; /* registers that may be undefined; never NULL */
  struct og_lives *lives;
  struct og_race_wave *race;
  struct og_check_group *group;
  struct og_check_wave *next;
  struct og_hazard_wave *hazards;
  uint64_t items;    /* lanes that have a work-item */
  uint64_t gone;     /* lanes that did not come to a barrier, and may have returned, with its place */
  uint64_t gone_from;
  uint64_t parked;   /* divergence: lanes that a constant in EXEC turned off, all but one */
  uint32_t arrivals; /* divergence: how often it came to the work-group's barrier */
  uint64_t stored;   /* if work-items may return: the place of its furthest store */
  struct og_uninit_wave *uninit;
  struct og_numbers_wave *numbers;
  struct og_readlane_wave *readlane;
  struct og_check_calls *calls; /* bounds: made at the first call */
  struct og_lds_base *bases; /* by register modulo OG_LDS_BASES: most offsets are used more than once */
};

/* frames.c: frames of the functions that a wave is in, the outermost first. */
struct og_check_calls {
  uint32_t count;
  struct og_check_call {
    uint32_t base; /* where the frame begins, in bytes of a lane */
    const struct og_lds_objects *told; /* its objects, from there on; NULL: unknown */
  } items[64]; /* deeper calls are not followed */
};

/* An object in LDS, from one byte to before another. */
struct og_lds_object {
  const char *name;
  uint32_t first, end;
};
/* objects.c, for a list sorted by place: the first byte from `at` on that is outside all objects; says where such a
 * byte is, by the nearest object (there must be one). */
uint64_t og_objects_gap(const struct og_lds_object *objects, uint32_t count, uint64_t at);
const char *og_objects_nearest(struct og_arena *arena, const struct og_lds_object *objects, uint32_t count,
                               uint64_t at);

struct og_lds_objects {
  struct og_arena *arena;
  OG_VECTOR(struct og_lds_object) list; /* by place */
  bool named; /* the kernel's own are known */
};

/* One mistake, with where it was first seen. */
struct og_finding {
  uint16_t checker;         /* enum og_checker */
  uint64_t pc, other;       /* other: place of the other party; 0: there is none */
  const char *does, *while_; /* such as "reads v2", "still fills it" */
  const char *advice;       /* or "" */
  uint32_t group[3], wave;
  int lane;                 /* -1: no single lane */
  uint64_t count;
  uint64_t address;         /* of memory; only some findings have one */
  bool has_address, other_wave_known;
  uint32_t other_group, other_wave; /* the other group's number */
};

enum { OG_MSBS = 256 };

/* What watches the waves of one thread. */
struct og_watch {
  struct og_observer observer;
  struct og_check *check;
  struct og_arena *arena;
  const struct og_isa *isa;
  struct og_isa own_isa;
  unsigned checkers; /* enum og_checker */
  uint8_t most[OG_COUNTERS];
  struct og_wait_mode mode;
  const struct og_initial_state *start;
  size_t words;
  struct og_glance *glances[OG_MSBS]; /* by MODE.VGPR_MSB and word of the program */
  struct og_check_wave *spare;      /* states of waves that have ended, to be used again */
  struct og_check_group *spare_group;
  struct og_probe *probe;      /* of uninit, */
  struct og_uninit_wave *uninit_start; /* and how each wave begins; */
  struct og_wave *probes[2];   /* of numbers, */
  struct og_numbers *numbers;  /* and what it knows of memory */
  struct og_races *races; /* shared by all threads */
  uint64_t read_lanes[4]; /* vector registers that v_readlane_b32 reads somewhere in the code, by number modulo 256 */
  bool shared;            /* there are other threads */
  bool may_return;        /* work-items that return need not come to barriers */
  bool fresh;             /* uninit knows global memory that nothing has written (fresh.c) */
  const struct og_lds_object *objects; /* of LDS, by place; a byte outside all of them belongs to none */
  uint32_t object_count;               /* 0: unknown */
  const struct og_lds_object *frame; /* objects in the kernel's private memory, by place */
  uint32_t frame_count;   /* 0: unknown */
  const struct og_executable *executable;
  uint32_t arguments;     /* of the kernel, in bytes; 0: unknown */
  bool listed;            /* the code object also lists each of them */
  struct {
    uint64_t from; /* where they begin; 0: not looked at yet */
    uint32_t size; /* bytes of the same memory behind them, as many as count */
    bool alone;    /* nothing else is in these bytes */
  } behind;        /* arguments.c */
  struct og_race_chunk *chunks[4]; /* looked up most recently */
  uint32_t next_event, last_event; /* the next in this thread's block of events, and its last */
  struct og_arena *snapshots;      /* what waves knew when they wrote */
  struct og_places places;
  OG_VECTOR(struct og_finding) findings;
};

/* Zeroed memory for what vector code works on. */
static inline void *og_check_lines(struct og_arena *arena, size_t size) {
  return (void *)(uintptr_t)og_align_up((uintptr_t)og_arena_alloc(arena, size + 64), 64);
}

/* check.c: memset() and memcpy() for the beginning of waves and for barriers. Where compilers believe that they know
 * the size, they use REP STOS and REP MOVS, which are slow to start. */
void og_check_clear(void *to, size_t size);
void *og_check_copy(void *to, const void *from, size_t size);

static inline struct og_check_wave *og_check_wave(const struct og_wave *wave) { return wave->watched; }
/* Updates what outstanding operations use. */
static inline void og_check_hold(struct og_check_wave *state, uint64_t marks) {
  state->held = state->indexes ? UINT64_MAX : marks;
}

/* known.c */
const struct og_glance *og_check_know(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op);
static inline const struct og_glance *og_check_glance(struct og_watch *watch, struct og_wave *wave,
                                                      const struct og_operation *op) {
  const struct og_glance *glances = watch->glances[wave->program->msb];
  size_t word = (size_t)(op - wave->program->operations);
  return glances && glances[word].known ? &glances[word] : og_check_know(watch, wave, op);
}
static inline const struct og_known *og_check_known(struct og_watch *watch, struct og_wave *wave,
                                                    const struct og_operation *op) {
  return og_check_glance(watch, wave, op)->known;
}
/* The handler of this operation alone: compiled code would run others, too. */
static inline og_handler *og_check_handler(const struct og_wave *wave, const struct og_operation *op) {
  const struct og_compiler *compiler = wave->program->compiler;
  return compiler ? compiler->plain(wave->program, op) : og_handler_of(op);
}
/* watch.c: the observer of a thread's waves */
void og_check_observe(struct og_watch *watch);
/* The checker's finding about these two parties; a new one has no words yet. */
struct og_finding *og_check_find(struct og_watch *watch, enum og_checker checker, const struct og_wave *wave,
                                 uint64_t pc, uint64_t other, int lane);

/* places.c: whether an instruction is plain; where its active lanes go. */
bool og_check_is_plain(const struct og_inst *inst, const struct og_memory *memory);
void og_check_places(struct og_wave *wave, const struct og_operation *op, struct og_places *places);
/* The same for an LDS instruction whose lanes all access LDS at their addresses; false: use og_check_places(). */
bool og_check_lds_places(struct og_wave *wave, const struct og_operation *op, struct og_places *places);
void og_check_locals(struct og_places *places);
void og_check_widen(struct og_places *places);

/* Whether an address is in the scratch of a wave of this work-group. One work-group after another has the same
 * scratch. */
static inline bool og_check_is_stack(const struct og_wave *wave, uint64_t address) {
  const struct og_wave *first = og_group_wave(wave->group, 0),
                       *last = og_group_wave(wave->group, wave->group->wave_count - 1);
  uint64_t end = (uintptr_t)last->scratch + (uint64_t)wave->scratch_size * wave->wave_size;
  return wave->scratch && address >= (uintptr_t)first->scratch && address < end;
}

/* indexed.c */
/* Whether an index in M0 selects its registers. */
static inline bool og_check_is_indexed(const struct og_wave *wave, const struct og_operation *op,
                                       const struct og_known *known) {
  return known->relative || (wave->mode & OG_MODE_GPR_INDEX && op->class == OG_CLASS_VALU);
}
/* The registers that such an instruction accesses this time, and the bits of M0 that select them; false: unknown, or it
 * faults. */
bool og_check_indexed(const struct og_wave *wave, const struct og_known *known, struct og_effects *now,
                      uint32_t *deciding);
/* The operation on these registers; false: it faults. */
bool og_check_indexed_operation(const struct og_wave *wave, const struct og_operation *op, const struct og_known *known,
                                struct og_operation *moved);

/* waits.c */
void og_check_waits_begin(struct og_watch *watch, struct og_check_wave *state);
void og_check_waits(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known);
/* For OG_CHECK_SWIFT: records the operation if it continues the outstanding stream; false: use og_check_waits(). */
bool og_check_waits_swift(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                          const struct og_known *known);
/* Called when VGPR indexing is turned off. */
void og_check_waits_hold(struct og_check_wave *state);
/* Kinds of memory that the wave's outstanding operations access. */
enum { OG_OUTSTANDING_LDS = 1, OG_OUTSTANDING_MEMORY = 2 };
static inline unsigned og_check_outstanding(const struct og_check_wave *state) { return state->lives->kinds; }
/* For an instruction that only waits. */
void og_check_waits_waited(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                           const struct og_known *known);
uint8_t og_check_leads_to(const struct og_memory *memory);
/* Before an access to LDS: reports a transfer that still owns the bytes. */
void og_check_async(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known, struct og_places *places);
/* While an instruction that is not plain accesses LDS: notes what its transfer owns, and reports what others own. */
void og_check_owns(struct og_wave *wave, const struct og_operation *op, const struct og_known *known, uint64_t address,
                   unsigned size);
void og_check_async_beside(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                           const struct og_known *known, int how, unsigned lane, uint64_t address, unsigned size);
/* transfers.c: the same for all checkers except races */
void og_check_beside(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, int how, unsigned lane, uint64_t address, unsigned size);
/* races.c */
bool og_check_orders(const struct og_inst *inst, bool waits); /* whether it is a wait, a barrier or of caches */
uint8_t og_check_race_flags(const struct og_watch *watch, const struct og_known *known);
void og_check_races_begin(struct og_watch *watch, struct og_wave *wave, struct og_check_wave *state);
void og_check_races_end(struct og_watch *watch, struct og_check_group *group);
/* When the work-group's barrier opens, or else before the first instruction behind it (state->learns). */
void og_check_races_open(struct og_watch *watch, struct og_group *group);
void og_check_races_learn(struct og_watch *watch, struct og_wave *wave);
/* For each instruction; `places`: of plain ones. */
void og_check_races(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known, struct og_places *places);
/* For one access of an instruction that is not plain; scalar ones have OG_SPACE_SCALAR. */
void og_check_races_access(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                           const struct og_known *known, enum og_space space, int access, unsigned lane,
                           uint64_t address, unsigned size);
struct og_races *og_races_new(struct og_arena *arena);
/* check.c, for footprints: the first thread's watch (NULL: none); the place of a word in the program. */
const struct og_watch *og_check_first_watch(const struct og_check *check);
const char *og_check_kernel_name(const struct og_check *check);
void og_check_place(const struct og_check *check, uint32_t word, struct og_buffer *out);
void og_races_free(struct og_races *races); /* NULL is fine */
/* numbers.c */
void og_check_numbers_flow(struct og_watch *watch, struct og_known *known); /* known->numbers; behind known->flow */
void og_check_numbers_begin(struct og_watch *watch, struct og_check_wave *state);
void og_check_numbers(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                      const struct og_known *known, struct og_places *places);
/* hazards.c: whether on any path from an instruction another one follows too soon */
enum og_check_reach { OG_REACH_UNKNOWN, OG_REACH_NOTHING, OG_REACH_SOMETHING };
void og_check_hazards_behind(struct og_watch *watch, struct og_known *known); /* fills known->behind */
void og_check_hazards_begin(struct og_watch *watch, struct og_check_wave *state);
void og_check_hazards(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                      const struct og_known *known);
/* divergence.c */
uint64_t og_check_items_of(const struct og_wave *wave); /* the value for og_check_wave.items */
void og_check_parks(struct og_wave *wave, const struct og_known *known); /* finds known->parks */
bool og_check_comes_along(const struct og_wave *wave, const struct og_operation *op);
void og_check_divergence(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                         const struct og_known *known);
void og_check_back(struct og_watch *watch, const struct og_wave *wave); /* some lanes of state->gone are on again */
void og_check_stores(struct og_wave *wave, const struct og_operation *op); /* of stores, where work-items may return */
void og_check_divergence_end(struct og_watch *watch, const struct og_wave *wave); /* before it leaves its group */
/* arguments.c: for a work-group's first wave; for scalar loads while they run; for vector accesses close behind the
 * arguments; for a fault: words that name the arguments if nothing is nearer, or "". */
void og_check_arguments_begin(struct og_watch *watch, const struct og_wave *wave);
void og_check_arguments_scalar(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                               uint64_t address, unsigned size);
bool og_check_any_near(const uint64_t *address, uint64_t from);
static inline bool og_check_near_arguments(const struct og_watch *watch, const struct og_wave *wave,
                                           const struct og_places *places) {
  return places->lanes[OG_SPACE_GLOBAL] && watch->behind.size &&
         og_check_any_near(places->address[0], wave->group->dispatch->kernarg + watch->arguments - 16);
}
void og_check_arguments(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                        const struct og_known *known, const struct og_places *places);
const char *og_check_arguments_fault(struct og_watch *watch, const struct og_fault *fault);
/* scalar.c: a scalar load, while it runs */
void og_check_scalar(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, uint64_t address, unsigned size);
/* objects.c: the work of og_check_lds_object_text() and og_check_lds_objects() */
bool og_lds_objects_add_text(struct og_lds_objects *objects, const char *text);
/* Adds objects of debug information, but only if they reach to the end of what the kernel declares and do not
 * overlap. */
void og_lds_objects_add_told(struct og_lds_objects *objects, const struct og_executable *executable,
                             const struct og_kernel *kernel);
void og_lds_objects_add_arguments(struct og_lds_objects *objects, const struct og_kernel *kernel,
                                  const struct og_argument *arguments, uint32_t count, const void *kernarg,
                                  uint32_t group_bytes, uint32_t extra);
/* bounds.c */
/* Loads, stores and atomics whose descriptor also decides where their lanes go, and which are not plain. */
enum og_check_described { OG_UNDESCRIBED, OG_DESCRIBED_FORMAT, OG_DESCRIBED_IMAGE };
enum og_check_described og_check_described(const struct og_form *form, const struct og_inst *inst,
                                           const struct og_memory *memory);
void og_check_bounds_described(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                               const struct og_known *known);
/* Whether all lanes stay in one object of LDS, for each piece. */
bool og_check_within_object(const struct og_watch *watch, const struct og_places *places);
/* Whether there is nothing to check. A base outside LDS that an offset brings back must be checked. */
static inline bool og_check_within(const struct og_watch *watch, const struct og_wave *wave,
                                   const struct og_places *places) {
  uint32_t add = OG_MAX(places->add[0], places->add[places->pieces - 1]);
  if (places->all_lds && watch->object_count)
    return og_check_within_object(watch, places);
  if (places->all_lds)
    return (uint64_t)places->base->most + add + places->size <= wave->group->dispatch->group_bytes;
  return !(places->lanes[OG_SPACE_LDS] | places->outside);
}
/* An access beyond the work-group's LDS, or to bytes of no object. */
void og_check_bounds_lds(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op, bool writes,
                         uint64_t address, unsigned size, unsigned lane);
void og_check_bounds(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, struct og_places *places);
/* frames.c: takes what debug information says about private memory; follows calls and returns; checks an access to
 * private memory. */
void og_check_find_frame(struct og_watch *watch, const struct og_executable *executable,
                         const struct og_kernel *kernel);
void og_check_calls(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known);
void og_check_frame(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known, const struct og_places *places);
/* uninit.c, uninit_flow.c, uninit_memory.c */
void og_check_uninit_flow(struct og_watch *watch, struct og_known *known); /* fills known->flow and its marks */
/* Whether there may be undefined bits between the first and last place in LDS that lanes access. */
bool og_check_uninit_reached(const struct og_check_wave *of, const struct og_places *places);
/* Something has written LDS; whether some of it is undefined. */
void og_check_uninit_lds(const struct og_wave *wave, uint64_t address, unsigned size);
bool og_check_uninit_lds_bits(const struct og_wave *wave, uint64_t address, unsigned size);
/* Whether it must be checked because of the memory that it accesses. */
static inline bool og_check_uninit_memory(const struct og_watch *watch, const struct og_wave *wave,
                                          const struct og_known *known, const struct og_places *places) {
  return places->lanes[OG_SPACE_SCRATCH] | places->others ||
         (places->lanes[OG_SPACE_LDS] && og_check_wave(wave)->group->lds_dirty_count) ||
         (watch->fresh && known->memory->access != OG_MOVES_STORE);
}
void og_check_uninit_begin(struct og_watch *watch, struct og_wave *wave, struct og_check_wave *state);
/* If an instruction only computes or loads defined memory, and all that it needs is defined, its results are defined;
 * false: use og_check_uninit(). */
bool og_check_uninit_define(struct og_wave *wave, const struct og_known *known);
/* The same for a stretch with `defines`. */
static inline bool og_check_can_define(const struct og_known *known, const struct og_check_wave *state) {
  return known->stretch.defining && !state->indexes && !og_check_common(&known->stretch.needs, state->undefined);
}
bool og_check_uninit_define_all(struct og_wave *wave, const struct og_known *known); /* false: some lanes are off */
/* Begins a stretch, or adds an instruction to it. */
void og_check_uninit_stretch(const struct og_watch *watch, struct og_known *first, const struct og_known *next);
/* The same for a store of defined values to LDS, where og_check_uninit_reached(); false: nothing was done. */
bool og_check_uninit_store(const struct og_wave *wave, const struct og_places *places);
void og_check_uninit(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, struct og_places *places);
const struct og_check_marks *og_check_uninit_marks(const struct og_check_wave *state); /* of what is undefined */
/* lanes.c: for an instruction whose lanes name lanes to read; after og_check_uninit() */
bool og_check_names_lanes(const struct og_inst *inst);
void og_check_lanes_read(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                         const struct og_known *known);
/* readlane.c: for instructions that og_check_readlane_counts() names; only after og_check_uninit() */
void og_check_readlane_list(struct og_watch *watch, const struct og_program *program);
bool og_check_readlane_counts(const struct og_watch *watch, const struct og_known *known);
void og_check_readlane_begin(struct og_watch *watch, struct og_check_wave *state);
void og_check_readlane(struct og_wave *wave, const struct og_operation *op, const struct og_known *known,
                       const struct og_places *places);

#endif
