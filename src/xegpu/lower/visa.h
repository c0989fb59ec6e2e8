/* visa.h - shared by the files that lower to vISA. A thread is a subgroup: scalars are one element, vectors are whole.
 * Every instruction ignores the channel mask (M1_NM), and so has a width of its own. */
#ifndef OG_XEGPU_LOWER_VISA_H
#define OG_XEGPU_LOWER_VISA_H

#include "xegpu/exec/exec.h"
#include "xegpu/lower/lower.h"

enum { OG_XV_GRF = 64, OG_XV_LANES = 16, OG_XV_SLM_BYTES = 64 << 10 };

/* vISA's types: first those of enum og_xe_type in its order, with signed integers, where a truth value is a word of 0
 * or 1. */
enum og_xv_type {
  OG_XV_BOOL, /* uw */
  OG_XV_B,
  OG_XV_W,
  OG_XV_D,
  OG_XV_Q,
  OG_XV_HF,
  OG_XV_BF,
  OG_XV_F,
  OG_XV_DF,
  OG_XV_UB,
  OG_XV_UW,
  OG_XV_UD,
  OG_XV_UQ,
  OG_XV_TYPES
};
extern const char *const og_xv_names[OG_XV_TYPES];
extern const uint8_t og_xv_sizes[OG_XV_TYPES];

/* Elements of a variable from `first` on, `stride` apart (0: one for all channels); or a number for all. */
struct og_xv_ref {
  uint32_t variable, first;
  uint8_t type, stride;
  bool immediate, negated;
  uint64_t bits;
};

struct og_xv_memref {
  struct og_xv_ref base; /* address of the first element in bytes: uq; in shared memory ud */
  struct og_xv_ref sizes[OG_MLIR_RANK_MOST], strides[OG_MLIR_RANK_MOST]; /* q, in elements */
  uint32_t rank;
  bool slm, aligned; /* aligned: the base is, to 64 bytes */
};

enum og_xv_kind { OG_XV_NOTHING, OG_XV_ELEMENTS, OG_XV_MEMREF, OG_XV_TILE, OG_XV_POINTS, OG_XV_BARRIER };
struct og_xv_place { /* of a value */
  uint8_t kind;
  uint32_t count;       /* elements, or lanes of points */
  struct og_xv_ref ref; /* elements; a tile's payload (d x 8); addresses of points; id of a barrier */
  struct og_xv_ref participants;
  const struct og_xv_memref *memref; /* MEMREF; of a TILE: the one that it was made of */
  bool slm, unbounded, regular;      /* TILE: it has no shape; it fits the block messages as far as is known */
};

struct og_xv_variable {
  uint32_t base, bytes;        /* the variable it is an alias of, or itself */
  uint32_t views[OG_XV_TYPES]; /* of a base: its aliases by type; 0: none yet */
};

struct og_xv {
  const struct og_mlir_module *module;
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  const struct og_mlir_op *kernel;
  struct og_buffer declarations, entry, body; /* `entry`: code that runs once at the start */
  OG_VECTOR(struct og_xv_place) places;       /* value->slot is 1 + the index */
  OG_VECTOR(struct og_xv_variable) variables;
  uint32_t labels, predicates, slm_used;
  uint32_t iota; /* 1 + the variable that holds 0 to 15 as dwords */
  bool vc;       /* each thread of the launch is a subgroup */
  bool lanes;    /* its lanes have fragments of tiles */
  bool failed, in_entry, asks_group_count;
  uint32_t group_count_at; /* in the payload */
  struct og_xv_ref header, local_ids[3], group_count;
};

/* ---- values.c: variables, operands, instructions ---- */

bool og_xv_refuse(struct og_xv *x, const struct og_mlir_op *op, const char *why);
struct og_xv_place *og_xv_place(struct og_xv *x, struct og_mlir_value *value); /* what stands for a value; never NULL */
struct og_xv_ref og_xv_new(struct og_xv *x, uint8_t type, uint32_t count); /* a variable, whole registers if it can */
/* The bytes from its first element on, as elements of another type; one part of each element, 0 being the lowest. */
struct og_xv_ref og_xv_view(struct og_xv *x, struct og_xv_ref ref, uint8_t type);
struct og_xv_ref og_xv_part(struct og_xv *x, struct og_xv_ref ref, uint8_t type, uint32_t part);
struct og_xv_ref og_xv_at(struct og_xv_ref ref, uint32_t element);     /* from an element on */
struct og_xv_ref og_xv_scalar(struct og_xv_ref ref, uint32_t element); /* one element for all channels */
struct og_xv_ref og_xv_number(uint8_t type, uint64_t bits);
struct og_xv_ref og_xv_register(struct og_xv *x, struct og_xv_ref ref,
                                uint32_t count);                             /* in a variable from its start */
struct og_xv_ref og_xv_value(struct og_xv *x, struct og_mlir_value *value);  /* elements of a scalar or vector */
struct og_xv_ref og_xv_result(struct og_xv *x, struct og_mlir_value *value); /* a variable for it */
void og_xv_set(struct og_xv *x, struct og_mlir_value *value, struct og_xv_ref ref);
uint32_t og_xv_count(const struct og_xv *x, og_mlir_type type); /* elements; those of all lanes of fragments */

struct og_buffer *og_xv_out(struct og_xv *x);
void og_xv_line(struct og_xv *x, const char *format, ...) OG_PRINTF(2, 3);
/* An operation on `count` elements, in as few instructions as registers allow; NULL: it has no such source. */
void og_xv_apply(struct og_xv *x, const char *mnemonic, struct og_xv_ref to, uint32_t count, const struct og_xv_ref *a,
                 const struct og_xv_ref *b, const struct og_xv_ref *c);
void og_xv_move(struct og_xv *x, struct og_xv_ref to, struct og_xv_ref from, uint32_t count);
void og_xv_compare(struct og_xv *x, const char *relation, struct og_xv_ref to, uint32_t count, struct og_xv_ref a,
                   struct og_xv_ref b); /* truth values */
/* to = condition ? a : b, element by element. */
void og_xv_choose(struct og_xv *x, struct og_xv_ref to, uint32_t count, struct og_xv_ref condition, struct og_xv_ref a,
                  struct og_xv_ref b);
uint32_t og_xv_predicate(struct og_xv *x, struct og_xv_ref truth,
                         uint32_t count); /* of up to 32 truth values; its number */
/* to[k] = from[map[k]]; where the map has UINT32_MAX nothing is written. */
void og_xv_permute(struct og_xv *x, struct og_xv_ref to, struct og_xv_ref from, const uint32_t *map, uint32_t count);
void og_xv_put_source(struct og_xv *x, struct og_buffer *out, struct og_xv_ref ref, uint32_t element, uint32_t width);
void og_xv_put_target(struct og_buffer *out, struct og_xv_ref ref, uint32_t element);
const char *og_xv_operand(struct og_xv *x, struct og_xv_ref ref); /* one element as text, as messages take it */
void og_xv_jump(struct og_xv *x, uint32_t label, uint32_t predicate, bool unless); /* predicate 0: always */
void og_xv_label(struct og_xv *x, uint32_t label);

/* ---- numbers.c: 64-bit integers, folded if they are known -------------------------------------------------------- */

struct og_xv_ref og_xv_add(struct og_xv *x, struct og_xv_ref a, struct og_xv_ref b, uint32_t count);
struct og_xv_ref og_xv_multiply(struct og_xv *x, struct og_xv_ref a, struct og_xv_ref b, uint32_t count);
struct og_xv_ref og_xv_index(struct og_xv *x, struct og_xv_ref ref, uint32_t count); /* sign-extended to q */
void og_xv_multiply_into(struct og_xv *x, struct og_xv_ref to, struct og_xv_ref a, struct og_xv_ref b, uint32_t count);
/* Quotient and rest of integers of any width, rounded towards zero; `is_signed` says how they are read. */
void og_xv_divide(struct og_xv *x, struct og_xv_ref a, struct og_xv_ref b, uint32_t count, bool is_signed,
                  struct og_xv_ref *quotient, struct og_xv_ref *rest);
/* Numbers of an operation's list, constants or operands. */
uint32_t og_xv_list(struct og_xv *x, const struct og_mlir_op *op, const char *constants, const char *group,
                    struct og_xv_ref *to);

/* ---- families: true with `known` false if the operation does not belong to it ------------------------------------ */

bool og_xv_region(struct og_xv *x, struct og_mlir_region *region);
bool og_xv_control(struct og_xv *x, struct og_mlir_op *op, bool *known);
bool og_xv_arith(struct og_xv *x, struct og_mlir_op *op, bool *known);
bool og_xv_float(struct og_xv *x, struct og_mlir_op *op, bool *known);
bool og_xv_vector(struct og_xv *x, struct og_mlir_op *op, bool *known);
bool og_xv_memory(struct og_xv *x, struct og_mlir_op *op, bool *known);
bool og_xv_gpu(struct og_xv *x, struct og_mlir_op *op, bool *known);
bool og_xv_tile(struct og_xv *x, struct og_mlir_op *op, bool *known);
bool og_xv_scatter(struct og_xv *x, struct og_mlir_op *op, bool *known);
bool og_xv_dpas(struct og_xv *x, struct og_mlir_op *op);

void og_xv_combine(struct og_xv *x, uint8_t kind, struct og_xv_ref to, uint32_t count, struct og_xv_ref a,
                   struct og_xv_ref b); /* to = a (kind of vector.reduction) b */

/* ---- lanes.c: fragments; map: as from og_mlir_lane_map(), `each` for a lane -------------------------------------- */

void og_xv_hand_out(struct og_xv *x, struct og_xv_ref to, struct og_xv_ref tile, const uint32_t *map, uint32_t each);
struct og_xv_ref og_xv_collect(struct og_xv *x, struct og_xv_ref fragments, const uint32_t *map, uint32_t each);
bool og_xv_is_of_one_lane(const struct og_mlir_op *op);

/* ---- memory.c: loads and stores of up to 16 channels ---- */

struct og_xv_message {
  struct og_xv_ref addresses;   /* uq, or ud of shared memory */
  uint32_t channels, predicate; /* 0: all */
  int32_t offset;
  bool slm;
};
void og_xv_load(struct og_xv *x, const struct og_xv_message *m, struct og_xv_ref to); /* to: any stride */
void og_xv_store(struct og_xv *x, const struct og_xv_message *m, struct og_xv_ref from);
struct og_xv_ref og_xv_iota(struct og_xv *x); /* 0 to 15, d */
const char *og_xv_space(bool slm);            /* ".ugm" or ".slm" */
struct og_xv_ref og_xv_address(struct og_xv *x, const struct og_xv_memref *m, struct og_mlir_value **indices,
                               uint32_t size); /* of an element; indices NULL: the first */
struct og_xv_memref *og_xv_memref_of(struct og_xv *x, struct og_mlir_value *value); /* NULL: it is no memref */

#endif
