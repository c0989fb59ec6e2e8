/* opt.h - passes over the IR of a function, before instructions are made of it. */
#ifndef OG_CC_OPT_H
#define OG_CC_OPT_H

#include "cc/cc.h"

struct og_isa;

struct cc_opt {
  struct og_arena *arena; /* for what a pass needs only while it runs */
  struct og_ir_module *m;
  struct og_ir_function *f;
  const struct og_isa *isa;
};

/* ---- graph.c: the blocks that can be reached --------------------------------------------------------------------- */

enum { CC_UNREACHED = UINT32_MAX };

struct cc_graph {
  uint32_t count;            /* blocks that can be reached */
  uint32_t *order, *number;  /* reverse postorder; by block its place there, or CC_UNREACHED */
  uint32_t *pred_at, *preds; /* predecessors of block b: preds[pred_at[b]] to preds[pred_at[b + 1] - 1] */
  uint32_t *dominator;       /* by block: its immediate dominator; the entry's is itself */
};
void cc_graph(struct og_arena *arena, const struct og_ir_function *f, struct cc_graph *g);
/* By block: 1 + the header of the innermost loop around it, of a header itself; 0: none. Returns NULL if the flow is
 * not reducible. */
uint32_t *cc_loop_headers(struct og_arena *arena, const struct og_ir_function *f, const struct cc_graph *g,
                          uint32_t **outer);

void cc_relax(struct og_arena *arena, struct og_ir_module *m, const struct og_isa *isa); /* constrained.c */

/* ---- edit.c: changing a function --------------------------------------------------------------------------------- */

/* A new instruction before `before` (0: at the end of `block`), made for the instruction `origin`. */
uint32_t cc_insert(struct cc_opt *o, uint32_t block, uint32_t before, uint8_t opcode, og_ir_type type,
                   uint32_t operands, uint32_t origin);
static inline void cc_set(struct og_ir_function *f, uint32_t record, uint32_t index, og_ir_ref ref) {
  f->operands.items[f->insts.items[record].first + index] = ref;
}
/* Whether an instruction must stay though its result is not read; whether it may run where it did not before. */
bool cc_has_effects(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i);
bool cc_may_move(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i);
/* The function that a call names, if it has a body; else NULL. */
const struct og_ir_global *cc_callee(const struct og_ir_module *m, const struct og_ir_function *f,
                                     const struct og_ir_inst *call);
/* Whether it calls a function that is not an intrinsic: one of this module, or one by pointer. */
bool cc_is_real_call(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i);
/* opt.c: whether a function has such a call */
bool cc_calls_still(const struct og_ir_module *m, const struct og_ir_function *f);
/* The name of the callee; "" if it has none. */
struct og_text cc_callee_name(const struct og_ir_module *m, const struct og_ir_function *f,
                              const struct og_ir_inst *call);
/* The function of that name; it is declared if there is none yet. */
og_ir_ref cc_declare(struct cc_opt *o, struct og_text name, og_ir_type result, const og_ir_type *types, uint32_t count);
/* A new call of that function before `before` (0: at the end of `block`), made for `origin`. */
uint32_t cc_insert_call(struct cc_opt *o, uint32_t block, uint32_t before, const char *name, og_ir_type result,
                        const og_ir_ref *arguments, uint32_t count, uint32_t origin);
/* Private memory for a type, at the function's start. */
uint32_t cc_insert_room(struct cc_opt *o, og_ir_type type, uint64_t align);
/* Moves what follows an instruction to a new block, and returns that. The old block then has no end. */
uint32_t cc_split_block(struct cc_opt *o, uint32_t at);
/* A jump at the end of a block; one with a condition. */
uint32_t cc_go(struct cc_opt *o, uint32_t from, uint32_t to, uint32_t origin);
void cc_go_if(struct cc_opt *o, uint32_t from, og_ir_ref condition, uint32_t to, uint32_t otherwise, uint32_t origin);
/* The number of the metadata that are attached as `kind`; UINT32_MAX: none. */
uint32_t cc_attachment(const struct og_ir_module *m, uint32_t attachments, const char *kind);
/* A type's name in the names of overloaded intrinsics. */
const char *cc_type_name(const struct og_ir_module *m, og_ir_type type);

/* turns.c: a loop around a call that runs it for some lanes after the others. */
struct cc_turns {
  struct og_ir_uses uses;
  uint32_t head, body, latch, after; /* head: finds the lanes whose turn it is; body: has the call; latch: behind both;
                                        after: behind the loop */
};
/* Takes a call out of its block, which now leads to the head. The condition is made in the head. */
void cc_begin_turns(struct cc_opt *o, uint32_t call, struct cc_turns *t);
/* Puts the call into the body; `mine`: whether it is a lane's turn. Readers of its result get that of the lane's
 * turn. */
void cc_end_turns(struct cc_opt *o, uint32_t call, const struct cc_turns *t, og_ir_ref mine);
/* What has replaced a value; replacements may have been replaced, too. */
static inline og_ir_ref cc_now(const og_ir_ref *with, og_ir_ref ref) {
  while (og_ir_space(ref) == OG_IR_LOCAL && with[og_ir_index(ref)])
    ref = with[og_ir_index(ref)];
  return ref;
}
/* Replaces the operands of an instruction, or of all of the function's, by what has replaced them. */
static inline void cc_renew(struct og_ir_function *f, const struct og_ir_inst *i, const og_ir_ref *with) {
  for (uint32_t n = 0; n < i->operands; n++)
    f->operands.items[i->first + n] = cc_now(with, f->operands.items[i->first + n]);
}
static inline void cc_renew_all(struct og_ir_function *f, const og_ir_ref *with) {
  for (uint32_t n = 0; n < f->operands.count; n++)
    f->operands.items[n] = cc_now(with, f->operands.items[n]);
}
/* The same for the first `count` records, and only one step; NULL: nothing was replaced. */
static inline void cc_replace(struct og_ir_function *f, const og_ir_ref *with, uint32_t count) {
  for (uint32_t n = 0; with && n < f->operands.count; n++) {
    og_ir_ref *ref = &f->operands.items[n];
    if (og_ir_space(*ref) == OG_IR_LOCAL && og_ir_index(*ref) < count && with[og_ir_index(*ref)])
      *ref = with[og_ir_index(*ref)];
  }
}

/* ---- passes
 * ------------------------------------------------------------------------------------------------------- */

void cc_inline(struct cc_opt *o);    /* inline.c: bodies in place of calls */
/* Adds an argument before or behind the others and inlines nothing yet. Returns its record. */
uint32_t cc_add_argument(struct cc_opt *o, og_ir_type type, bool first);
void cc_constants(struct cc_opt *o); /* constants.c: expressions over addresses become instructions */
void cc_expand(struct cc_opt *o);    /* expand.c: copies and fills of memory become loads and stores */
/* expand_atomic.c: an atomic operation without an instruction becomes a loop; `with` is its value then. */
bool cc_expand_atomic(struct cc_opt *o, uint32_t record, og_ir_ref *with);
bool cc_expand_swap(struct cc_opt *o, uint32_t record, og_ir_ref *with); /* the same of a comparison and exchange */
/* expand_control.c: lanes that are killed return; convergence control is dropped. */
void cc_expand_control(struct cc_opt *o, uint32_t call);
/* expand_wide.c: a comparison of wide integers becomes one of halves, a division of odd sizes one of 64 bits. */
bool cc_expand_wide(struct cc_opt *o, uint32_t record, og_ir_ref *with);
/* expand_bits.c: a vector of bits becomes a number in bit casts and in memory, and a number a vector. */
bool cc_expand_bits(struct cc_opt *o, uint32_t record, og_ir_ref *with);
/* expand_aggregate.c: a load or store of a struct or array becomes those of its parts. */
bool cc_expand_aggregate(struct cc_opt *o, uint32_t record, og_ir_ref *with);
void cc_scalarize(struct cc_opt *o); /* scalarize.c: operations on vectors become operations on elements */
void cc_fat_pointers(struct cc_opt *o); /* fat.c: pointers with a resource become two values, accesses by them
                                           intrinsics */
void cc_unroll(struct cc_opt *o);    /* unroll.c: loops that index values by their counter become straight code */
void cc_promote(struct cc_opt *o);   /* promote.c: private memory becomes values */
void cc_simplify(struct cc_opt *o);  /* simplify.c: replaces what is known, removes branches that are never taken */
void cc_offsets(struct cc_opt *o);   /* offsets.c: takes constants out of indices */
void cc_cse(struct cc_opt *o);       /* cse.c: computes nothing twice */
void cc_loads(struct cc_opt *o);     /* loads.c: loads nothing that its block has loaded or stored before */
void cc_hoist(struct cc_opt *o);     /* hoist.c: moves what a loop does not change before it */
void cc_reduce(struct cc_opt *o);    /* reduce.c: gives a loop with several entries one entry */
void cc_prune(struct cc_opt *o);     /* prune.c: removes unused code, joins blocks in a straight line */
void cc_prepare_waterfalls(struct cc_opt *o); /* waterfall.c: declares what cc_waterfall() calls */
void cc_prepare_calls(struct cc_opt *o); /* returns.c: one return, and one callee at a time */
/* fold.c: compares integers; finds the known value of an instruction, or OG_IR_NONE. */
bool cc_compares(unsigned predicate, uint64_t x, uint64_t y, unsigned bits);
og_ir_ref cc_fold(struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i);

/* passing.c: results of many registers and arguments by value go through memory. */
void cc_pass_by_memory(struct og_arena *arena, struct og_ir_module *m);
/* variadics.c: a variable number of arguments becomes a pointer to them. */
void cc_pass_variadics(struct og_arena *arena, struct og_ir_module *m);
/* allocas.c: sizes known only when they run are counted in bytes, alike for all lanes; functions give their stack
 * back. */
bool cc_is_dynamic(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i);
void cc_size_allocas(struct og_arena *arena, struct og_ir_module *m);
/* widen.c: integers of 65 to 128 bits that are not a number of dwords, and operations on them that need a loop or a
 * body. */
void cc_widen_integers(struct og_ir_module *m);
/* library.c: reads bodies of intrinsics that other operations express; before all passes. */
bool cc_library(struct og_ir_module *m, const struct og_isa *isa, struct og_diagnostics *diagnostics);

/* opt.c: runs all passes over the functions that kernels call and over the kernels. */
struct cc_order {
  OG_VECTOR(uint32_t) functions; /* globals: functions that are still called, callees first, then the kernels */
};
void cc_optimize(struct og_arena *arena, struct og_arena *passing, struct og_ir_module *m, const struct og_isa *isa,
                 const struct og_cc_options *options, struct cc_order *order);
bool cc_is_opt_pass(struct og_text name);

#endif
