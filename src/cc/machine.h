/* machine.h - a function while it is compiled: its blocks, where its values are to stand, machine instructions over
 * registers that have no numbers yet. Passes are listed in the order in which cc.c runs them. */
#ifndef OG_CC_MACHINE_H
#define OG_CC_MACHINE_H

#include "cc/cc.h"
#include "isa/effects.h"
#include "isa/isa.h"
#include "isa/rows.h"
#include "target/initial_state.h"

/* ---- registers and instructions ---------------------------------------------------------------------------------- */

enum { CC_S, CC_V, CC_A, CC_FILES }; /* files: scalar, vector and accumulation registers */
enum { CC_NO_REGISTER = 0xffff };
enum { CC_LDS_DYNAMIC = UINT32_MAX };

struct cc_reg {
  uint8_t file, dwords;
  uint8_t known;       /* only this many of its lowest bits may be set; 0: any may */
  bool input;          /* it has a fixed number from the beginning */
  bool temporary;      /* made to hold a spilled one for a moment: it is not spilled itself */
  bool whole;          /* live everywhere, since its lanes hold scalar registers; */
  bool wave;           /* or written with lanes on that were off: such a one may be spilled */
  float cost;          /* of spilling it: times it is read or written, more in loops, over the time that it is live */
  bool many;           /* written at several places, since it stands for a phi */
  uint16_t physical;   /* its first number, given by registers.c, or fixed before */
  uint32_t of;         /* the register whose bits it has; 0: none; */
  uint8_t of_sub, of_bit; /* which dword of that, from which bit on: 8, 16 or 24 */
  uint32_t hint;       /* a register that it is copied to or from; 0: none */
  uint32_t start, end; /* where it is live: 2 * instruction, + 1 where it is written */
};

enum cc_operand_kind { CC_NONE, CC_REG, CC_CONST, CC_SPECIAL, CC_TTMP, CC_ADDRESS, CC_FRAME, CC_SLOT };

struct cc_operand {
  uint8_t kind, flags; /* flags: enum og_operand_flags */
  uint8_t sub, dwords; /* of a register: the first of its dwords, and how many */
  uint32_t value; /* number of the register; bits of the constant; enum og_special; of CC_ADDRESS the global (its
                     distance from here: `sub` 0 the low half, 1 the high one); of CC_FRAME, which is the size of the
                     frame, nothing; of CC_SLOT, a spilled value that is tracked, its dword of the frame */
};

/* Whether two operands are the same register, constant or place; modifiers do not matter. */
static inline bool cc_same(struct cc_operand a, struct cc_operand b) {
  return a.kind == b.kind && a.value == b.value && a.sub == b.sub;
}

struct cc_inst {
  uint16_t row, form;
  uint8_t defs, operands; /* results stand first */
  uint8_t policy;         /* enum og_cpol */
  uint8_t variant;        /* enum og_variant: SDWA, DPP */
  uint8_t implicit;       /* of a call: its results behind the first, its operands behind the first source */
  bool keep;              /* it stays even if its result is not read (volatile) */
  bool early;             /* it writes results before it has read all: no source may have a result's register, */
  uint8_t tied;           /* but this operand, which has the result's register (and the next operand that of a further
                             result): its number, 0: none */
  uint32_t text;          /* of inline assembly: 1 + the instruction in the function's `texts`; 0: none */
  uint16_t slot;          /* 1 + the dword of the frame to which it spills; 0: it does not spill */
  bool mixed;             /* it does what several accesses of the IR did; `record` is one of them */
  uint8_t mods;           /* how many modifiers, from `first_mod` on in the function's */
  uint32_t first_mod;
  uint32_t first;         /* of its operands, in the function's */
  int32_t offset;         /* of its address; of a branch, the target's position */
  uint32_t record;        /* of the IR: the instruction that it was made for */
};

struct cc_mod {
  uint8_t mod; /* enum og_mod */
  int32_t value;
};

struct cc_home {
  uint32_t record;   /* an alloca */
  uint32_t at, size; /* its place in the frame */
};

struct cc_reference {
  uint32_t offset; /* of the 32 bits in the code that hold it */
  uint32_t global;
  bool high;
  uint32_t addend;
};

struct cc_line {
  uint32_t at;       /* in the code */
  uint32_t location; /* 1 + the metadata of the place that is in effect from here on */
};

/* ---- control flow ------------------------------------------------------------------------------------------------ */

enum { CC_NO_NODE = UINT32_MAX };

struct cc_node {
  uint32_t block;      /* of the IR; CC_NO_NODE: none, it was put in to hold copies or to join edges */
  og_ir_ref condition; /* if there are two successors: the first is for true; OG_IR_NONE: there is only one, or none */
  uint64_t match;      /* unused */
  og_ir_ref match_ref; /* of a switch's step: compared with `condition`, which is a number; OG_IR_NONE: that is an i1 */
  uint32_t succ[2], succs;
  uint32_t copies_from, copies_to; /* IR blocks: at the end here phis of the latter get what comes from the former */
  uint32_t position;               /* in the layout; CC_NO_NODE: unreachable */
  uint32_t loop;                   /* the innermost, 0: none */
  uint32_t dominator;
  bool divergent; /* lanes diverge at its end */
  /* control.c */
  bool parts;                     /* some lanes wait at its end while others go on */
  bool waits;                     /* lanes may wait to enter: `mask` says which */
  uint32_t mask;                  /* a register */
  uint32_t waits_from;            /* position of the first block from whose end on some may wait */
  uint32_t mask_from;             /* position of the block at whose end the mask begins */
  uint32_t masks_here, next_from; /* 1 + position: the first mask that begins here; the next there */
  uint32_t begun;                 /* 1 + position of the mask that lanes began last, here */
  bool skips;                     /* if lanes wait for it: perhaps none enters it, */
  uint32_t skip;                  /* and the code then goes on at this position */
  /* machine instructions */
  uint32_t first, end; /* from `first` to before `end` */
};

struct cc_loop {
  uint32_t header, latch, parent, depth; /* header, latch: nodes; parent: a loop */
  uint32_t entry;                        /* a node before the header on all ways into it, or CC_NO_NODE */
  uint32_t blocks;                       /* how many, with those of inner loops */
  uint32_t last;                         /* position of its last block, which is the latch */
  bool divergent;                        /* lanes leave it in different iterations */
};

/* ---- values ------------------------------------------------------------------------------------------------------ */

enum cc_place {
  CC_UNSEEN,
  CC_SCALAR, /* scalar registers; an i1 is 0 or 1 */
  CC_VECTOR, /* vector registers; an i1 is 0 or 1 */
  CC_MASK,   /* an i1: a bit for each lane, in scalar registers */
};

struct cc_value {
  uint8_t place;  /* enum cc_place */
  bool made;      /* its parts are there */
  bool packed;    /* of a phi: each of its registers holds two elements of 16 bits */
  bool deferred;  /* a comparison that is computed where it is used */
  bool differs;   /* it may be another one in each lane; else it is the same in all, though perhaps in vector
                     registers */
  bool leaves;    /* it leaves a loop that lanes leave in different rounds: it must not be in a scalar register, which a
                     further round would overwrite */
  uint32_t first; /* in the function's parts: 32 bits each, smaller elements one each */
  uint32_t count;
  uint32_t split; /* of a pointer: 1 + its number in the function's splits; 0: none */
};

/* A pointer as global memory instructions take it: a base that is the same in all lanes, and 32 bits of each lane. */
struct cc_split {
  struct cc_operand base, offset;
};

/* Registers and private memory that a function needs, including all that it calls. */
struct cc_usage {
  uint16_t sgprs, vgprs, agprs;
  uint32_t scratch;
  bool grows;   /* its stack may grow while it runs */
  bool dynamic; /* the size of its stack is not known */
  bool known;
};

/* What is kept from one function of a module to the next, so that it is made only once. */
struct cc_workshop {
  struct og_arena *arena;         /* of the function that is being compiled */
  struct og_arena *liveness[2];   /* liveness.c's */
  struct og_arena *module;        /* for what follows: */
  const uint16_t **forms;         /* by row: its forms on this processor, with two counts: */
  uint16_t *form_counts, *variant_counts; /* plain ones, and those of SDWA and DPP behind them */
  uint16_t *simple;               /* by global: 1 + the line of intrinsics.def for calls of it, or 1 + the number of
                                     lines if there is none; 0: not looked up */
  struct cc_pairs *pairs;         /* dual.c: which pairs of instructions can be one; NULL: not looked up */
};

struct cc_function {
  struct og_arena *arena;
  struct cc_workshop *shop;
  struct og_ir_module *m;
  struct og_ir_function *f;
  const struct og_ir_global *global;
  const struct og_target *target;
  const struct og_isa *isa;
  int version; /* of the code object */
  struct og_diagnostics *diagnostics;
  bool failed;
  bool older_memory; /* memory is ordered by the older ABI's tables */
  uint8_t denormals, denormals_f32; /* as MODE has them: 1 keeps those of operands, 2 of results; of 16 and 64 bits, of
                                       32 bits */
  bool ieee, dx10_clamp;            /* MODE's bits */
  uint32_t record;  /* the IR instruction that is being compiled, for errors */

  OG_VECTOR(struct cc_node) nodes; /* [0] is the entry */
  OG_VECTOR(struct cc_loop) loops; /* [0] is unused */
  uint32_t *layout, positions;     /* nodes in the order of the code */
  uint32_t *node_of;               /* by IR block: the node that begins it */
  uint32_t *end_of;                /* by IR block: the node that ends it; nodes of edges follow that */
  uint32_t exit;                   /* the node that ends the kernel */
  uint32_t *waiting, leaves;       /* where lanes wait: a tree over positions, control.c */
  uint32_t *loop_of;               /* by IR block: 1 + the header of its loop; 0: none */

  struct cc_value *values; /* by IR record */
  bool *used;              /* by IR record: something reads it */
  OG_VECTOR(struct cc_operand) parts;
  OG_VECTOR(struct cc_split) splits;

  OG_VECTOR(struct cc_reg) regs; /* [0] is unused */
  OG_VECTOR(struct cc_inst) insts;
  OG_VECTOR(struct cc_operand) operands;
  OG_VECTOR(struct cc_mod) mods;
  OG_VECTOR(struct og_inst) texts;

  /* what the kernel asks for */
  uint8_t descriptor[OG_DESCRIPTOR_SIZE];
  struct og_initial_state state;
  struct cc_operand inputs[OG_INPUT_COUNT];
  struct cc_operand whole_memory; /* before gfx7: a resource for all memory, for buffer instructions */
  uint32_t *argument_offset; /* by argument: its place in the kernarg segment */
  uint32_t kernarg_explicit, kernarg_size;
  bool hidden;          /* there are arguments that the compiler adds; */
  uint64_t hidden_reads; /* a bit for each 8 bytes of them that may be read, */
  uint64_t hidden_called; /* and for each that called functions may read */
  uint32_t *lds_offset; /* by global: 1 + its place; CC_LDS_DYNAMIC until the others are placed */
  uint32_t lds_dynamic; /* alignment of LDS whose size the launch says; 0: there is none */
  uint32_t named_barriers;
  uint32_t lds_size, lds_gap, scratch_size; /* lds_gap: the least number of bytes between variables */
  uint32_t frame_gap;                       /* bytes behind each of `homes` */
  uint32_t stack_arguments;                 /* of a function: bytes at the beginning of its frame */
  OG_VECTOR(struct cc_reference) references; /* places in the code that name globals */
  OG_VECTOR(struct cc_line) lines;           /* by rising places in the code */
  OG_VECTOR(struct cc_home) homes;           /* of allocas */
  uint32_t counted_from;                     /* the end of the last s_getpc, from which distances of globals count */
  uint32_t node;                             /* the one whose instructions are being made */
  struct cc_known_address {
    uint32_t node; /* 1 + the node in which it was made */
    struct cc_operand at;
  } * addresses;          /* by global */
  struct cc_kept {
    uint32_t node; /* 1 + the node in which it was made */
    struct cc_operand of, at;
  } kept[8], widened[8];  /* copies of numbers and scalar registers; bfloats as floats; */
  unsigned next_kept, next_widened; /* the oldest is replaced */
  struct cc_resource {
    uint32_t node; /* 1 + the node in which it was put together */
    og_ir_ref of;
    struct cc_operand at;
  } resources[8]; /* of buffers and images; the oldest is replaced */
  unsigned next_resource;
  struct cc_scaled { /* what addresses of several arrays have in common: an index, extended, times the elements' size */
    uint32_t node;   /* 1 + the node in which it was made */
    og_ir_ref index;
    uint64_t each;
    uint8_t file;
    bool wide;
    struct cc_operand out[2];
  } scaled[8];
  unsigned next_scaled;
  uint16_t sgprs, vgprs, agprs; /* how many it takes */
  bool is_short;          /* there are not enough registers */
  uint8_t short_of;       /* of this file */
  bool keeps_order, is_scheduled; /* scheduling is not tried; it has moved some */
  uint64_t stalls[2];     /* cycles in which all blocks, run once, would wait for results: in the order that was made,
                             and in the final one */
  bool has_intervals;     /* `start` and `end` of registers hold for the code as it is */
  bool *begins;           /* by instruction: it begins a block */
  uint8_t mask_dwords;    /* dwords of a mask of lanes: 2 in waves of 64 */
  uint8_t *modes, mode;   /* by record: which lanes compute it, NULL: always those that are on; now */
  struct cc_operand lanes_on; /* EXEC before other lanes were turned on */
  bool singly;            /* makes no dual instructions */
  bool is_function, has_calls;          /* it is called by others; it calls others */
  OG_VECTOR(const struct og_ir_global *) callees; /* NULL: one that is called by pointer */
  struct cc_operand stack, next_stack;  /* the frame's place (s32), and that of the next callee's frame */
  bool moves_stack;                     /* it may grow: then s33 is the frame's place, s32 the end */
  struct cc_operand stack_end, callers_frame;
  struct cc_operand implicit_arguments; /* of a function: where they are */
  struct cc_operand return_address, saved_exec, results[32];
  uint32_t result_count;
  uint32_t scratch_total; /* of a kernel, including what it calls */
  bool dynamic_stack;
  uint32_t sgprs_spilled, vgprs_spilled;
  bool has_matrices;
  bool fixes_registers; /* inline assembly names some registers by number */
  bool accumulates;       /* sums of matrix instructions stand in accumulation registers */
  uint32_t homes_left;     /* how many accumulation registers may hold vector registers that do not fit */
  bool spills;            /* it may spill registers to scratch, and so asks for scratch */
  bool scratch;           /* it has private memory */
  bool flat_private;      /* flat instructions may access private memory */
  const uint16_t **forms; /* the workshop's */
  uint16_t *form_counts, *variant_counts;
  bool separate_counters; /* gfx12: some loads are samples or rays, which are counted apart */
  uint64_t *waits; /* waits.c, by instruction: what to wait for before it */
  uint8_t *nops;    /* hazards.c, by instruction: wait states before it; from gfx10 on vector instructions */
  uint8_t *cures;   /* what else it needs before it, */
  uint16_t *depctr; /* and which counters s_waitcnt_depctr waits for */
  uint8_t *clauses; /* clauses.c, by instruction: how many next ones s_clause keeps with it */
  uint16_t *delays; /* delays.c, by instruction: what s_delay_alu before it says; 0: nothing */
  struct cc_tracks *tracks; /* debug_tracks.h: the registers that debug records mean; NULL: there are no records */
};

/* Reports an error at the instruction that is being compiled, one for each function. Returns false. */
bool cc_refuse(struct cc_function *c, const char *format, ...) OG_PRINTF(2, 3);

/* machine.c: making instructions */
uint32_t cc_new_reg(struct cc_function *c, unsigned file, unsigned dwords);
struct cc_operand cc_temp(struct cc_function *c, unsigned file, unsigned dwords);
struct cc_inst *cc_emit(struct cc_function *c, unsigned row, unsigned defs, unsigned operands,
                        const struct cc_operand *list);
/* Makes all instructions anew, block by block: `each` gets an old one and emits what replaces it. */
typedef bool cc_rewriter(struct cc_function *c, const struct cc_inst *old, void *context);
bool cc_rewrite(struct cc_function *c, cc_rewriter *each, void *context);
static inline struct cc_operand cc_constant(uint32_t bits) { return (struct cc_operand){CC_CONST, 0, 0, 1, bits}; }
static inline struct cc_operand cc_special(enum og_special s, unsigned dwords) {
  return (struct cc_operand){CC_SPECIAL, 0, 0, (uint8_t)dwords, s};
}
static inline struct cc_operand cc_part_of(struct cc_operand o, unsigned sub, unsigned dwords) {
  if (o.kind == CC_REG) {
    o.sub = (uint8_t)(o.sub + sub);
    o.dwords = (uint8_t)dwords;
  } else if (o.kind == CC_SPECIAL) {
    o.value += sub, o.dwords = (uint8_t)dwords;
  }
  return o;
}
static inline bool cc_is_vector(const struct cc_function *c, struct cc_operand o) {
  return o.kind == CC_REG && c->regs.items[o.value].file == CC_V;
}
static inline bool cc_is_accumulator(const struct cc_function *c, struct cc_operand o) {
  return o.kind == CC_REG && c->regs.items[o.value].file == CC_A;
}
static inline bool cc_is_scalar_reg(const struct cc_function *c, struct cc_operand o) {
  return (o.kind == CC_REG && c->regs.items[o.value].file == CC_S) || o.kind == CC_SPECIAL;
}
/* Adds a modifier to the instruction that was made last. */
void cc_modify(struct cc_function *c, struct cc_inst *i, unsigned mod, int32_t value);
/* Whether two accesses may be to the same memory, as far as the IR says. */
bool cc_insts_may_meet(const struct cc_function *c, const struct cc_inst *a, const struct cc_inst *b);
bool cc_is_inline(uint32_t bits);
void cc_find_forms(const struct cc_function *c, unsigned row); /* fills `forms` */
static inline bool cc_has_row(const struct cc_function *c, unsigned row) {
  if (!c->forms[row])
    cc_find_forms(c, row);
  return c->form_counts[row] > 0;
}
/* The slot of a row's operand (results first) in its form of 64 bits; NULL: there is none. */
const struct og_slot *cc_long_slot(const struct cc_function *c, unsigned row, unsigned operand);
/* Vector registers as descriptors count them, which includes accumulation registers; where those begin. */
uint32_t cc_vector_registers(const struct cc_function *c);
uint32_t cc_accumulator_offset(const struct cc_function *c);
/* Chooses the form of each instruction by its operands. */
bool cc_choose_forms(struct cc_function *c);
bool cc_choose_form(struct cc_function *c, struct cc_inst *i); /* of one; false: it has none that takes its operands */
void cc_fill(const struct cc_function *c, const struct cc_inst *i, struct og_inst *inst);
void cc_print_inst(const struct cc_function *c, uint32_t number, struct og_buffer *out);
void cc_print(const struct cc_function *c, struct og_buffer *out);

/* types.c: sizes, and how many parts a type has */
uint64_t cc_size_of(const struct og_ir_module *m, og_ir_type type);
uint64_t cc_align_of(const struct og_ir_module *m, og_ir_type type);
uint64_t cc_store_size(const struct og_ir_module *m, og_ir_type type); /* without padding at the end */
uint64_t cc_field_offset(const struct og_ir_module *m, og_ir_type type, uint64_t index);
unsigned cc_bits(const struct og_ir_module *m, og_ir_type scalar); /* of an integer, float or pointer */
uint32_t cc_parts(const struct og_ir_module *m, og_ir_type type);
static inline bool cc_is_number(const struct og_ir_module *m, og_ir_ref ref, uint64_t *value) {
  if (og_ir_space(ref) != OG_IR_CONSTANT)
    return false;
  const struct og_ir_constant *k = og_ir_constant_of(m, ref);
  *value = k->kind == OG_IR_C_NUMBER ? k->value : 0;
  return k->kind == OG_IR_C_NUMBER || k->kind == OG_IR_C_ZERO;
}
/* address.c: a pointer without the constant offsets in it, which are added to `offset`; the offset of a getelementptr,
 * if it is constant. */
og_ir_ref cc_base(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref ref, int64_t *offset);
bool cc_constant_offset(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref ref, int64_t *offset);
/* The type in a parameter's attribute of this kind, such as `byval`; parameters count from 0. */
bool cc_parameter_type(const struct og_ir_module *m, uint32_t attributes, uint32_t parameter, unsigned kind,
                       og_ir_type *type);
struct og_text cc_attribute(const struct og_ir_module *m, const struct og_ir_function *f, const char *key);
/* of enum og_ir_attribute_kind */
bool cc_has_attribute(const struct og_ir_module *m, const struct og_ir_function *f, unsigned kind);

/* The passes. */
bool cc_flow(struct cc_function *c);    /* flow.c: blocks, loops, layout */
bool cc_places(struct cc_function *c);  /* places.c: uniformity, and where values stand */
bool cc_waterfall(struct cc_function *c); /* waterfall.c: loops where lanes differ in a resource */
bool cc_control(struct cc_function *c); /* control.c: which lanes wait where */
void cc_use_lds(struct cc_function *c); /* gives the LDS variables that a function names their places */
bool cc_inputs(struct cc_function *c);  /* inputs.c: what a kernel starts with; arguments, LDS */
og_ir_type cc_argument_type(const struct cc_function *c, uint32_t argument); /* of a kernel, in memory */
bool cc_select(struct cc_function *c);  /* select.c: instructions */
bool cc_combine(struct cc_function *c); /* combine.c: makes one instruction of several */
bool cc_dead(struct cc_function *c);    /* dead.c: removes instructions whose results are not read */
bool cc_is_short(const struct cc_function *c, unsigned row);   /* one with 32 bits, which takes literals */
bool cc_track_values(struct cc_function *c);                   /* debug_tracks.c: where values of records are, */
bool cc_track_code(struct cc_function *c);                     /* and what registers hold in the code */
bool cc_cluster(struct cc_function *c);                        /* cluster.c: makes one access of neighbours */
bool cc_coalesce(struct cc_function *c);                       /* coalesce.c: removes copies that are not needed */
bool cc_schedule(struct cc_function *c);                       /* schedule.c: an order that hides latencies */
bool cc_registers(struct cc_function *c);                      /* registers.c */
/* limits.c: how many registers of each file may be taken; the size of the largest work-group */
void cc_register_limits(const struct cc_function *c, unsigned limit[CC_FILES]);
uint32_t cc_work_group_size(const struct cc_function *c);
/* Lowers limits to what still allows as many waves on a SIMD as `need` registers do. */
void cc_limits_of_waves(const struct cc_function *c, const unsigned need[CC_FILES], unsigned limit[CC_FILES]);
/* spill.c: moves these registers' values elsewhere; sorts the list */
bool cc_spill(struct cc_function *c, uint32_t *registers, uint32_t count);
bool cc_jumps(struct cc_function *c);                          /* jumps.c: removes branches that are not needed */
bool cc_dual(struct cc_function *c);                           /* dual.c: makes one instruction of two */
bool cc_waits(struct cc_function *c);                          /* waits.c, */
bool cc_hazards(struct cc_function *c);                        /* hazards.c */
bool cc_clauses(struct cc_function *c);                        /* clauses.c */
bool cc_delays(struct cc_function *c);                         /* delays.c */
enum { CC_DELAY_SKIP_AT = 4, CC_DELAY_SKIPS = 7 }; /* the field for the distance of the second of two */
/* hazards.c: whether s_waitcnt_depctr stands before an instruction; `null_move`: a move to null does */
bool cc_is_cured(const struct cc_function *c, uint32_t inst, bool *null_move);
bool cc_waits_for_stores(const struct cc_function *c, uint32_t inst); /* by s_waitcnt_vscnt before it */
void cc_encode(struct cc_function *c, struct og_buffer *code); /* encode.c */

/* Whether it is a jump to another block of the kernel, whose position is its offset. */
static inline bool cc_is_jump(const struct cc_inst *i) {
  return i->row == OG_ROW_S_BRANCH || i->row == OG_ROW_S_CBRANCH_EXECZ || i->row == OG_ROW_S_CBRANCH_EXECNZ ||
         i->row == OG_ROW_S_CBRANCH_SCC0 || i->row == OG_ROW_S_CBRANCH_SCC1;
}

/* control.c: called at a node's beginning and end while instructions are made */
void cc_enter_node(struct cc_function *c, uint32_t node);
void cc_leave_node(struct cc_function *c, uint32_t node);
/* select.c: a node's condition as a mask; or in SCC, then false: it is true where SCC is 0 */
struct cc_operand cc_condition_mask(struct cc_function *c, uint32_t node);
bool cc_condition_scc(struct cc_function *c, uint32_t node);

#endif
