/* machine.h - a kernel while it is compiled: its blocks, where its values are to stand, machine instructions over
 * registers without number. Passes are listed in the order in which cc.c runs them. */
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
  uint8_t known;       /* bits that may be set, the lowest ones; 0: any */
  bool input;          /* it has its number from the beginning */
  bool temporary;      /* made for a spilled one: it stays */
  bool whole;          /* live everywhere: its lanes hold scalar registers, */
  bool wave;           /* or it is written when lanes are on that were off; then it may be spilled */
  float cost;          /* of spilling it: times it is read or written, more in loops, over the time that it is live */
  bool many;           /* written at several places: what a phi joins */
  uint16_t physical;   /* the first, once it has one: registers.c, or those that hold a wave's inputs */
  uint32_t of;         /* its lowest bits are those of that register, 0: of none, */
  uint8_t of_sub, of_bit; /* of that dword from that bit on: 8, 16 or 24 */
  uint32_t hint;       /* a register that it is copied to or from; 0: none */
  uint32_t start, end; /* places in the code between which it is live: 2 * instruction, + 1 where it is written */
};

enum cc_operand_kind { CC_NONE, CC_REG, CC_CONST, CC_SPECIAL, CC_TTMP, CC_ADDRESS, CC_FRAME, CC_SLOT };

struct cc_operand {
  uint8_t kind, flags; /* flags: enum og_operand_flags */
  uint8_t sub, dwords; /* of a register: which of its dwords */
  uint32_t value; /* number of the register, bits of the constant, enum og_special; of CC_ADDRESS the global, of whose
                     distance `sub` says which half; of CC_FRAME nothing: the size of the frame; of CC_SLOT, where a
                     spilled value is tracked, its dword of the frame */
};

/* Whether two operands are the same register, constant or place, whatever is done to its value when it is read. */
static inline bool cc_same(struct cc_operand a, struct cc_operand b) {
  return a.kind == b.kind && a.value == b.value && a.sub == b.sub;
}

struct cc_inst {
  uint16_t row, form;
  uint8_t defs, operands; /* results stand first */
  uint8_t policy;         /* enum og_cpol */
  uint8_t variant;        /* enum og_variant: SDWA, DPP */
  uint8_t implicit;       /* of a call: results behind the first, operands behind the first that it reads */
  bool keep;              /* volatile: it stays even if its result is not read */
  bool early;             /* its results are written while it still reads: they are in no register that it reads, */
  uint8_t tied;           /* but that of this operand, which is the result's (and a further result's behind it): its
                             number, 0: none */
  uint32_t text;          /* of inline assembly: 1 + what it says, in the function's texts; 0: none */
  uint16_t slot;          /* it spills a dword there: 1 + which of the frame; 0: it does not */
  bool mixed;             /* it accesses what several accesses of the IR name, of which `record` is one */
  uint8_t mods;           /* modifiers, from `first_mod` on in the function's */
  uint32_t first_mod;
  uint32_t first;         /* in the function's operands */
  int32_t offset;         /* of memory; of a branch, the block */
  uint32_t record;        /* of the IR: what it was made for */
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
  uint32_t offset; /* of the 32 bits in the code */
  uint32_t global;
  bool high;
  uint32_t addend;
};

struct cc_line {
  uint32_t at;       /* in the code */
  uint32_t location; /* 1 + the metadata: from here on */
};

/* ---- control flow ------------------------------------------------------------------------------------------------ */

enum { CC_NO_NODE = UINT32_MAX };

struct cc_node {
  uint32_t block;      /* of the IR; CC_NO_NODE: none, it only carries copies or joins edges */
  og_ir_ref condition; /* with two successors: true goes to the first; OG_IR_NONE: one, or none at the end */
  uint64_t match;      /* of a switch's step: the condition is a number that is compared with `match_ref` */
  og_ir_ref match_ref; /* OG_IR_NONE: the condition is an i1 */
  uint32_t succ[2], succs;
  uint32_t copies_from, copies_to; /* IR blocks: phis of the latter take what comes from the former, at the end here */
  uint32_t position;               /* in the layout; CC_NO_NODE: unreachable */
  uint32_t loop;                   /* the innermost, 0: none */
  uint32_t dominator;
  bool divergent; /* lanes part at its end */
  /* control.c */
  bool parts;                     /* lanes part here, or have to wait for others */
  bool waits;                     /* lanes may wait to enter: `mask` holds which */
  uint32_t mask;                  /* a register */
  uint32_t waits_from;            /* position of the block from whose end on some may wait */
  uint32_t mask_from;             /* position of the block at whose end the mask begins; */
  uint32_t masks_here, next_from; /* 1 + position of the first that begins here, the next one that begins there */
  uint32_t begun;                 /* 1 + position of the one that was begun last by lanes that wait */
  bool skips;                     /* if it waits: there may be no lane, */
  uint32_t skip;                  /* where the code goes on then: a position */
  /* machine.c: what was made of it */
  uint32_t first, end; /* instructions */
};

struct cc_loop {
  uint32_t header, latch, parent, depth; /* nodes; loops */
  uint32_t entry;                        /* the node that ways into it were led through, or CC_NO_NODE */
  uint32_t blocks;                       /* those of inner loops too */
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
  bool made;      /* parts are there */
  bool packed;    /* of a phi: its registers hold two elements of 16 bits */
  bool deferred;  /* a comparison that is made where it is used */
  bool differs;   /* lanes may have different ones; else it is the same in all though it may stand in vector
                     registers */
  bool leaves;    /* a loop, which lanes leave in different rounds: no scalar register that a further round writes has
                     it */
  uint32_t first; /* in the function's parts: 32 bits each, smaller elements one each */
  uint32_t count;
  uint32_t split; /* of a pointer: 1 + number in the function's splits; 0: none */
};

/* A pointer as global memory instructions take it: the same in all lanes, and 32 bits that each lane adds. */
struct cc_split {
  struct cc_operand base, offset;
};

/* Registers and private memory, those of all that is called included. */
struct cc_usage {
  uint16_t sgprs, vgprs, agprs;
  uint32_t scratch;
  bool grows;   /* the stack, while it runs */
  bool dynamic; /* unknown size */
  bool known;
};

/* What functions of a module are compiled with one after the other, so that none has to find it anew. */
struct cc_workshop {
  struct og_arena *arena;         /* of the function that is compiled */
  struct og_arena *liveness[2];   /* liveness.c's */
  struct og_arena *module;        /* of what follows: */
  const uint16_t **forms;         /* by row, of the generation, and how many */
  uint16_t *form_counts, *variant_counts; /* those of SDWA and DPP stand behind the others */
  uint16_t *simple;               /* by global: 1 + the line of intrinsics.def for calls of it, or how many there are;
                                     0: not looked up */
  struct cc_pairs *pairs;         /* which instructions two can be, dual.c; NULL: not looked up */
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
  bool older_memory; /* ordered by the older ABI's tables */
  uint8_t denormals, denormals_f32; /* as MODE has them: 1 of operands, 2 of results are kept; of 16 and 64 bits, of
                                       32 */
  bool ieee, dx10_clamp;            /* MODE's bits */
  uint32_t record;  /* that is being compiled, for errors */

  OG_VECTOR(struct cc_node) nodes; /* [0] is the entry */
  OG_VECTOR(struct cc_loop) loops; /* [0] is unused */
  uint32_t *layout, positions;     /* nodes in the order of the code */
  uint32_t *node_of;               /* by IR block: the node that begins it */
  uint32_t *end_of;                /* by IR block: the node where it ends, before edges' own nodes */
  uint32_t exit;                   /* the node that ends the kernel */
  uint32_t *waiting, leaves;       /* where lanes wait: a tree over positions, control.c */
  uint32_t *loop_of;               /* by IR block: 1 + the header of its loop; 0: none */

  struct cc_value *values; /* by record */
  bool *used;              /* by record: something reads it */
  OG_VECTOR(struct cc_operand) parts;
  OG_VECTOR(struct cc_split) splits;

  OG_VECTOR(struct cc_reg) regs; /* [0] is unused */
  OG_VECTOR(struct cc_inst) insts;
  OG_VECTOR(struct cc_operand) operands;
  OG_VECTOR(struct cc_mod) mods;
  OG_VECTOR(struct og_inst) texts;

  /* What the kernel asks for. */
  uint8_t descriptor[OG_DESCRIPTOR_SIZE];
  struct og_initial_state state;
  struct cc_operand inputs[OG_INPUT_COUNT];
  struct cc_operand whole_memory; /* before gfx7: the resource of all memory, for buffer instructions */
  uint32_t *argument_offset; /* by argument: in the kernarg segment */
  uint32_t kernarg_explicit, kernarg_size;
  bool hidden;          /* arguments that the compiler adds, */
  uint64_t hidden_reads; /* which 8 bytes of them may be read, */
  uint64_t hidden_called; /* and which by functions that are called */
  uint32_t *lds_offset; /* by global: 1 + its place, CC_LDS_DYNAMIC while others are placed */
  uint32_t lds_dynamic; /* alignment of LDS whose size the launch tells; 0: there is none */
  uint32_t named_barriers;
  uint32_t lds_size, lds_gap, scratch_size; /* lds_gap: bytes between variables, at least */
  uint32_t frame_gap;                       /* bytes behind each of `homes` */
  uint32_t stack_arguments;                 /* bytes of a function, where its frame begins */
  OG_VECTOR(struct cc_reference) references; /* in the code, to globals */
  OG_VECTOR(struct cc_line) lines;           /* by rising places */
  OG_VECTOR(struct cc_home) homes;           /* of allocas */
  uint32_t counted_from;                     /* the end of the last s_getpc, from which their distances count */
  uint32_t node;                             /* that is being selected */
  struct cc_known_address {
    uint32_t node; /* 1 + that in which it was made */
    struct cc_operand at;
  } * addresses;          /* by global */
  struct cc_kept {
    uint32_t node; /* 1 + that in which it was made */
    struct cc_operand of, at;
  } kept[8], widened[8];  /* copies of numbers and scalar registers, bfloats as floats, */
  unsigned next_kept, next_widened; /* of which the oldest goes */
  struct cc_resource {
    uint32_t node; /* 1 + that in which it was put together */
    og_ir_ref of;
    struct cc_operand at;
  } resources[8]; /* of buffers and images, of which the oldest goes */
  unsigned next_resource;
  struct cc_scaled { /* what is added to addresses of several arrays: an index, extended, times the elements' size */
    uint32_t node;   /* 1 + that in which it was made */
    og_ir_ref index;
    uint64_t each;
    uint8_t file;
    bool wide;
    struct cc_operand out[2];
  } scaled[8];
  unsigned next_scaled;
  uint16_t sgprs, vgprs, agprs; /* taken */
  bool is_short;          /* registers do not suffice, */
  uint8_t short_of;       /* those of this file */
  bool keeps_order, is_scheduled; /* instructions stay in the order in which they were made; some have moved */
  uint64_t stalls[2];     /* cycles that each block once would stand still, by latencies: as it was made, as it is
                             ordered */
  bool has_intervals;     /* `start` and `end` of registers hold for the code as it is */
  bool *begins;           /* by instruction: it is the first of a block */
  uint8_t mask_dwords;    /* 2 in waves of 64 */
  uint8_t *modes, mode;   /* by record: with which lanes on it is computed, NULL: those that are; now */
  struct cc_operand lanes_on; /* EXEC before it was changed for that */
  bool singly;            /* no two instructions are issued as one */
  bool is_function, has_calls;          /* it is called; it calls */
  OG_VECTOR(const struct og_ir_global *) callees; /* NULL: what a pointer says */
  struct cc_operand stack, next_stack;  /* where the frame is: s32, and what it will be in what is called next */
  bool moves_stack;                     /* while it runs: then s33 is where the frame is, s32 the end */
  struct cc_operand stack_end, callers_frame;
  struct cc_operand implicit_arguments; /* of a function: where they are */
  struct cc_operand return_address, saved_exec, results[32];
  uint32_t result_count;
  uint32_t scratch_total; /* of a kernel, with what it calls */
  bool dynamic_stack;
  uint32_t sgprs_spilled, vgprs_spilled;
  bool has_matrices;
  bool fixes_registers; /* inline assembly names some by number */
  bool accumulates;       /* what matrix instructions add up stands in accumulation registers */
  uint32_t homes_left;     /* so many accumulation registers may take what vector registers cannot hold */
  bool spills;            /* registers go to scratch, which it therefore asks for */
  bool scratch;           /* there is private memory */
  bool flat_private;      /* flat instructions reach private memory */
  const uint16_t **forms; /* the workshop's */
  uint16_t *form_counts, *variant_counts;
  bool separate_counters; /* samples or rays are counted apart from other loads: gfx12 */
  uint64_t *waits; /* by instruction: what to wait for before it, waits.c */
  uint8_t *nops;    /* by instruction: wait states before it, from gfx10 on vector instructions; hazards.c */
  uint8_t *cures;   /* what else is needed, */
  uint16_t *depctr; /* and the counters that s_waitcnt_depctr waits for */
  uint8_t *clauses; /* by instruction: how many behind it s_clause keeps with it, clauses.c */
  uint16_t *delays; /* by instruction: what s_delay_alu says before it, delays.c; 0: nothing */
  struct cc_tracks *tracks; /* the registers of what debug records name, debug_tracks.h; NULL: there are none */
};

/* An error at what is being compiled, once for a function; false. */
bool cc_refuse(struct cc_function *c, const char *format, ...) OG_PRINTF(2, 3);

/* machine.c: making instructions */
uint32_t cc_new_reg(struct cc_function *c, unsigned file, unsigned dwords);
struct cc_operand cc_temp(struct cc_function *c, unsigned file, unsigned dwords);
struct cc_inst *cc_emit(struct cc_function *c, unsigned row, unsigned defs, unsigned operands,
                        const struct cc_operand *list);
/* Makes all instructions anew, block by block: `each` gets the old ones and emits what stands in their place. */
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
/* A modifier of the instruction that was made last. */
void cc_modify(struct cc_function *c, struct cc_inst *i, unsigned mod, int32_t value);
/* Whether two accesses may be of the same memory, as far as the IR tells. */
bool cc_insts_may_meet(const struct cc_function *c, const struct cc_inst *a, const struct cc_inst *b);
bool cc_is_inline(uint32_t bits);
void cc_find_forms(const struct cc_function *c, unsigned row); /* into `forms` */
static inline bool cc_has_row(const struct cc_function *c, unsigned row) {
  if (!c->forms[row])
    cc_find_forms(c, row);
  return c->form_counts[row] > 0;
}
/* An operand of a row, results first, in its form of 64 bits; NULL: it has none. */
const struct og_slot *cc_long_slot(const struct cc_function *c, unsigned row, unsigned operand);
/* Vector registers as descriptors count them, with accumulation registers; where those begin among them. */
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
uint64_t cc_store_size(const struct og_ir_module *m, og_ir_type type); /* without what aligns the next */
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
/* address.c: a pointer without the constant offsets that are added to it; what a getelementptr adds if that is one. */
og_ir_ref cc_base(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref ref, int64_t *offset);
bool cc_constant_offset(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref ref, int64_t *offset);
/* The type in an attribute of a parameter (from 0 on): what `byval` and `byref` point to. */
bool cc_parameter_type(const struct og_ir_module *m, uint32_t attributes, uint32_t parameter, unsigned kind,
                       og_ir_type *type);
struct og_text cc_attribute(const struct og_ir_module *m, const struct og_ir_function *f, const char *key);
/* of enum og_ir_attribute_kind */
bool cc_has_attribute(const struct og_ir_module *m, const struct og_ir_function *f, unsigned kind);

/* The passes. */
bool cc_flow(struct cc_function *c);    /* flow.c: blocks, loops, layout */
bool cc_places(struct cc_function *c);  /* places.c: uniformity, and where values stand */
bool cc_waterfall(struct cc_function *c); /* waterfall.c: one resource at a time where lanes differ in it */
bool cc_control(struct cc_function *c); /* control.c: which lanes wait where */
void cc_use_lds(struct cc_function *c); /* gives LDS variables that it names their places */
bool cc_inputs(struct cc_function *c);  /* inputs.c: what a kernel starts with; arguments, LDS */
og_ir_type cc_argument_type(const struct cc_function *c, uint32_t argument); /* a kernel's, in memory */
bool cc_select(struct cc_function *c);  /* select.c: instructions */
bool cc_combine(struct cc_function *c); /* combine.c: several instructions that are one */
bool cc_dead(struct cc_function *c);    /* dead.c: removes those whose results are not read */
bool cc_is_short(const struct cc_function *c, unsigned row);   /* has an encoding of 32 bits, which takes literals */
bool cc_track_values(struct cc_function *c);                   /* debug_tracks.c: where what debug records name is, */
bool cc_track_code(struct cc_function *c);                     /* and what registers hold in the code */
bool cc_cluster(struct cc_function *c);                        /* cluster.c: accesses to neighbours are one */
bool cc_coalesce(struct cc_function *c);                       /* coalesce.c: without copies that are not needed */
bool cc_schedule(struct cc_function *c);                       /* schedule.c: an order that hides latencies */
bool cc_registers(struct cc_function *c);                      /* registers.c */
/* limits.c: so many of each file may be taken; the largest work-group */
void cc_register_limits(const struct cc_function *c, unsigned limit[CC_FILES]);
uint32_t cc_work_group_size(const struct cc_function *c);
/* So many that the function has as many waves on a SIMD as when it takes `need`; not more than they say before. */
void cc_limits_of_waves(const struct cc_function *c, const unsigned need[CC_FILES], unsigned limit[CC_FILES]);
/* spill.c: these registers' values go elsewhere; sorts them */
bool cc_spill(struct cc_function *c, uint32_t *registers, uint32_t count);
bool cc_jumps(struct cc_function *c);                          /* jumps.c: without branches that are not needed */
bool cc_dual(struct cc_function *c);                           /* dual.c: two instructions in one */
bool cc_waits(struct cc_function *c);                          /* waits.c, */
bool cc_hazards(struct cc_function *c);                        /* hazards.c */
bool cc_clauses(struct cc_function *c);                        /* clauses.c */
bool cc_delays(struct cc_function *c);                         /* delays.c */
enum { CC_DELAY_SKIP_AT = 4, CC_DELAY_SKIPS = 7 }; /* how many instructions on the second of two delays counts */
/* hazards.c: whether s_waitcnt_depctr stands before an instruction; a move to null before it */
bool cc_is_cured(const struct cc_function *c, uint32_t inst, bool *null_move);
bool cc_waits_for_stores(const struct cc_function *c, uint32_t inst); /* s_waitcnt_vscnt null, 0 before it */
void cc_encode(struct cc_function *c, struct og_buffer *code); /* encode.c */

/* Whether it goes to another block of the kernel: its offset says which. */
static inline bool cc_is_jump(const struct cc_inst *i) {
  return i->row == OG_ROW_S_BRANCH || i->row == OG_ROW_S_CBRANCH_EXECZ || i->row == OG_ROW_S_CBRANCH_EXECNZ ||
         i->row == OG_ROW_S_CBRANCH_SCC0 || i->row == OG_ROW_S_CBRANCH_SCC1;
}

/* control.c, while instructions are made */
void cc_enter_node(struct cc_function *c, uint32_t node);
void cc_leave_node(struct cc_function *c, uint32_t node);
/* select.c: a node's condition as a mask, or in SCC; false: SCC holds the opposite */
struct cc_operand cc_condition_mask(struct cc_function *c, uint32_t node);
bool cc_condition_scc(struct cc_function *c, uint32_t node);

#endif
