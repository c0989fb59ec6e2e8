/* opt.h - passes over the IR of one function, before instructions are made of it. */
#ifndef OG_CC_OPT_H
#define OG_CC_OPT_H

#include "cc/cc.h"

struct og_isa;

struct cc_opt {
  struct og_arena *arena; /* for what a pass needs while it runs */
  struct og_ir_module *m;
  struct og_ir_function *f;
  const struct og_isa *isa;
};

/* ---- graph.c: the blocks that can be reached --------------------------------------------------------------------- */

enum { CC_UNREACHED = UINT32_MAX };

struct cc_graph {
  uint32_t count;            /* blocks that are reached */
  uint32_t *order, *number;  /* reverse postorder; its inverse, or CC_UNREACHED */
  uint32_t *pred_at, *preds; /* blocks before block b: preds[pred_at[b]] to preds[pred_at[b + 1] - 1] */
  uint32_t *dominator;       /* immediate, by block; of the entry itself */
};
void cc_graph(struct og_arena *arena, const struct og_ir_function *f, struct cc_graph *g);
/* By block: 1 + the header of the innermost loop around it; a header's own is itself. 0: none. NULL: the flow is not
 * reducible. */
uint32_t *cc_loop_headers(struct og_arena *arena, const struct og_ir_function *f, const struct cc_graph *g,
                          uint32_t **outer);

void cc_relax(struct og_arena *arena, struct og_ir_module *m, const struct og_isa *isa); /* constrained.c */

/* ---- edit.c: changing a function --------------------------------------------------------------------------------- */

/* A new instruction before another one (0: at the end of `block`), made for `origin`. */
uint32_t cc_insert(struct cc_opt *o, uint32_t block, uint32_t before, uint8_t opcode, og_ir_type type,
                   uint32_t operands, uint32_t origin);
static inline void cc_set(struct og_ir_function *f, uint32_t record, uint32_t index, og_ir_ref ref) {
  f->operands.items[f->insts.items[record].first + index] = ref;
}
/* Whether an instruction may be removed if its result is not read, and whether it may run where it did not before. */
bool cc_has_effects(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i);
bool cc_may_move(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i);
/* The function that a call names; NULL: none, or none with a body. */
const struct og_ir_global *cc_callee(const struct og_ir_module *m, const struct og_ir_function *f,
                                     const struct og_ir_inst *call);
/* Whether a function is called that is not an intrinsic: of this module, or what a pointer says. */
bool cc_is_real_call(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i);
/* opt.c: whether there is such a call */
bool cc_calls_still(const struct og_ir_module *m, const struct og_ir_function *f);
/* Its name, "" if it has none. */
struct og_text cc_callee_name(const struct og_ir_module *m, const struct og_ir_function *f,
                              const struct og_ir_inst *call);
/* A function of that name, which is declared where there is none. */
og_ir_ref cc_declare(struct cc_opt *o, struct og_text name, og_ir_type result, const og_ir_type *types, uint32_t count);
/* A call of it before another instruction (0: at the end of `block`), made for `origin`. */
uint32_t cc_insert_call(struct cc_opt *o, uint32_t block, uint32_t before, const char *name, og_ir_type result,
                        const og_ir_ref *arguments, uint32_t count, uint32_t origin);
/* Private memory for a type, at the function's start. */
uint32_t cc_insert_room(struct cc_opt *o, og_ir_type type, uint64_t align);
/* Moves what follows an instruction in its block to a new block, which is returned; the old one has no end then. */
uint32_t cc_split_block(struct cc_opt *o, uint32_t at);
/* A jump at the end of a block, and one that a condition decides. */
uint32_t cc_go(struct cc_opt *o, uint32_t from, uint32_t to, uint32_t origin);
void cc_go_if(struct cc_opt *o, uint32_t from, og_ir_ref condition, uint32_t to, uint32_t otherwise, uint32_t origin);
/* What is attached to an instruction as `kind`: its metadata, by number; UINT32_MAX: nothing. */
uint32_t cc_attachment(const struct og_ir_module *m, uint32_t attachments, const char *kind);
/* A type as names of intrinsics have it behind a dot. */
const char *cc_type_name(const struct og_ir_module *m, og_ir_type type);

/* turns.c: a call that runs in a loop, for some lanes after the others. */
struct cc_turns {
  struct og_ir_uses uses;
  uint32_t head, body, latch, after; /* where a lane finds out whether it is its turn; with the call; behind both;
                                        behind all */
};
/* Takes the call out of its block, which goes on to the head; what it reads is made there. */
void cc_begin_turns(struct cc_opt *o, uint32_t call, struct cc_turns *t);
/* Puts it into the body; `mine`: a lane's turn has come. Who read its result reads that of the lane's turn. */
void cc_end_turns(struct cc_opt *o, uint32_t call, const struct cc_turns *t, og_ir_ref mine);
/* What has been replaced by what: follows chains. */
static inline og_ir_ref cc_now(const og_ir_ref *with, og_ir_ref ref) {
  while (og_ir_space(ref) == OG_IR_LOCAL && with[og_ir_index(ref)])
    ref = with[og_ir_index(ref)];
  return ref;
}
/* Puts what stands for it now in place of each of an instruction's operands, or of all of the function's. */
static inline void cc_renew(struct og_ir_function *f, const struct og_ir_inst *i, const og_ir_ref *with) {
  for (uint32_t n = 0; n < i->operands; n++)
    f->operands.items[i->first + n] = cc_now(with, f->operands.items[i->first + n]);
}
static inline void cc_renew_all(struct og_ir_function *f, const og_ir_ref *with) {
  for (uint32_t n = 0; n < f->operands.count; n++)
    f->operands.items[n] = cc_now(with, f->operands.items[n]);
}
/* The same of the first `count` records alone, once; NULL: of none. */
static inline void cc_replace(struct og_ir_function *f, const og_ir_ref *with, uint32_t count) {
  for (uint32_t n = 0; with && n < f->operands.count; n++) {
    og_ir_ref *ref = &f->operands.items[n];
    if (og_ir_space(*ref) == OG_IR_LOCAL && og_ir_index(*ref) < count && with[og_ir_index(*ref)])
      *ref = with[og_ir_index(*ref)];
  }
}

/* ---- passes ------------------------------------------------------------------------------------------------------ */

void cc_inline(struct cc_opt *o);    /* inline.c: bodies in place of calls */
/* The function with one more argument, before or behind the others, and nothing inlined yet; its record. */
uint32_t cc_add_argument(struct cc_opt *o, og_ir_type type, bool first);
void cc_constants(struct cc_opt *o); /* constants.c: expressions over addresses become instructions */
void cc_expand(struct cc_opt *o);    /* expand.c: copies and fills of memory become loads and stores */
/* expand_atomic.c: an atomic operation becomes a loop where there is no instruction; its value then. */
bool cc_expand_atomic(struct cc_opt *o, uint32_t record, og_ir_ref *with);
bool cc_expand_swap(struct cc_opt *o, uint32_t record, og_ir_ref *with); /* the same of a comparison and exchange */
/* expand_control.c: lanes that are killed return; what only tells of convergence goes. */
void cc_expand_control(struct cc_opt *o, uint32_t call);
/* expand_wide.c: a comparison of wide integers becomes one of halves, a division of odd sizes one of 64 bits. */
bool cc_expand_wide(struct cc_opt *o, uint32_t record, og_ir_ref *with);
/* expand_bits.c: a vector of bits becomes a number where it is taken for one, and in memory, and back. */
bool cc_expand_bits(struct cc_opt *o, uint32_t record, og_ir_ref *with);
/* expand_aggregate.c: a load or store of a struct or array becomes those of its parts. */
bool cc_expand_aggregate(struct cc_opt *o, uint32_t record, og_ir_ref *with);
void cc_scalarize(struct cc_opt *o); /* scalarize.c: operations on vectors become operations on elements */
void cc_fat_pointers(struct cc_opt *o); /* fat.c: pointers with a resource become two values, accesses by them
                                           intrinsics */
void cc_unroll(struct cc_opt *o);    /* unroll.c: loops that index values by their counter become straight code */
void cc_promote(struct cc_opt *o);   /* promote.c: private memory becomes values */
void cc_simplify(struct cc_opt *o);  /* simplify.c: what is known is not computed; branches that are never taken go */
void cc_offsets(struct cc_opt *o);   /* offsets.c: constants that are added to an index leave it */
void cc_cse(struct cc_opt *o);       /* cse.c: nothing is computed twice */
void cc_loads(struct cc_opt *o);     /* loads.c: nothing is loaded that a block has loaded or stored before */
void cc_hoist(struct cc_opt *o);     /* hoist.c: what a loop does not change is computed before it */
void cc_reduce(struct cc_opt *o);    /* reduce.c: a loop that is entered at several places gets one entry */
void cc_prune(struct cc_opt *o);     /* prune.c: unused instructions and blocks go, straight lines become one block */
void cc_prepare_waterfalls(struct cc_opt *o); /* waterfall.c: declares what cc_waterfall() calls */
void cc_prepare_calls(struct cc_opt *o); /* returns.c: one return, one callee at a time */
/* fold.c: what an instruction's value is known to be, or OG_IR_NONE. */
bool cc_compares(unsigned predicate, uint64_t x, uint64_t y, unsigned bits); /* integers */
og_ir_ref cc_fold(struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i);

/* passing.c: results of many registers and what is passed by value go through memory. */
void cc_pass_by_memory(struct og_arena *arena, struct og_ir_module *m);
/* variadics.c: a variable number of arguments becomes a pointer to them. */
void cc_pass_variadics(struct og_arena *arena, struct og_ir_module *m);
/* allocas.c: sizes that only running tells become bytes, the same for all lanes; functions give the stack back. */
bool cc_is_dynamic(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i);
void cc_size_allocas(struct og_arena *arena, struct og_ir_module *m);
/* widen.c: integers of 65 to 128 bits that are not dwords; what needs a loop or a body. */
void cc_widen_integers(struct og_ir_module *m);
/* library.c: bodies of intrinsics that are expressed by others, before all passes. */
bool cc_library(struct og_ir_module *m, const struct og_isa *isa, struct og_diagnostics *diagnostics);

/* opt.c: all of them over what the kernels call and over the kernels, callees first. */
struct cc_order {
  OG_VECTOR(uint32_t) functions; /* globals: the functions that are called for real, callees first, then the kernels */
};
void cc_optimize(struct og_arena *arena, struct og_arena *passing, struct og_ir_module *m, const struct og_isa *isa,
                 const struct og_cc_options *options, struct cc_order *order);
bool cc_is_opt_pass(struct og_text name);

#endif
