/* exec.h - a decoded module: functions as arrays of operations with handlers, whose operands are places in a frame. */
#ifndef OG_XEGPU_EXEC_H
#define OG_XEGPU_EXEC_H

#include "base/floats.h"
#include "xegpu/run.h"
#include "xegpu/table.h"

/* ---- values in a frame ------------------------------------------------------------------------------------------- */

/* Elements of scalars and vectors, as they are in memory; an i1 is a byte. */
enum og_xe_type {
  OG_XE_I1,
  OG_XE_I8,
  OG_XE_I16,
  OG_XE_I32,
  OG_XE_I64,
  OG_XE_F16,
  OG_XE_BF16,
  OG_XE_F32,
  OG_XE_F64,
  OG_XE_TYPES
};
extern const uint8_t og_xe_sizes[OG_XE_TYPES];

struct og_xe_memory { /* an allocation */
  struct og_xe_memory *next;
  uint8_t *data;
  uint64_t size;
  struct og_xe_shadow *shadow; /* for `check`: who accessed each byte last */
  bool freed, owned, filled;   /* filled: all of it was written when it was made */
};
struct og_xe_memref {
  struct og_xe_memory *memory;
  uint8_t *base;
  int64_t offset, rank; /* in elements */
  int64_t sizes[];      /* `rank` sizes, then `rank` strides */
};
struct og_xe_unranked {
  const struct og_xe_memref *memref;
};
struct og_xe_tile { /* an nd descriptor */
  struct og_xe_memory *memory;
  uint8_t *base;
  int64_t rank; /* of the base: offsets, shape, strides, the outermost first */
  int64_t offsets[OG_MLIR_RANK_MOST], shape[OG_MLIR_RANK_MOST], strides[OG_MLIR_RANK_MOST];
};
struct og_xe_points { /* a scattered one */
  struct og_xe_memory *memory;
  uint8_t *base;
  int64_t count, offsets[];
};
struct og_xe_barrier {
  int32_t id, participants;
};

/* ---- decoded code ------------------------------------------------------------------------------------------------ */

struct og_xe_thread;
struct og_xe_inst;
typedef const struct og_xe_inst *(*og_xe_handler)(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f);

struct og_xe_inst {
  og_xe_handler run;
  uint32_t to, a, b, c; /* places in the frame */
  uint32_t count;       /* elements, or bytes */
  uint8_t type, type2, sub;
  int32_t jump;     /* from this one */
  const void *data; /* other things that the handler needs */
  const struct og_mlir_op *op;
};

struct og_xe_code { /* a function, or a launch's body */
  const struct og_mlir_op *op;
  struct og_xe_inst *insts;
  uint32_t inst_count, frame_size, argument_count, shared_count;
  uint32_t *arguments;  /* places */
  const uint8_t *image; /* the frame at its start, with the constants */
  uint32_t lanes;       /* of a kernel: how many gpu threads one thread here stands for; see og_xe_lanes */
  bool fragments;       /* a thread is one lane of a subgroup */
};

/* ---- threads ----------------------------------------------------------------------------------------------------- */

enum og_xe_state { OG_XE_READY, OG_XE_AT_BARRIER, OG_XE_AT_NBARRIER, OG_XE_COLLECTING, OG_XE_DONE };
struct og_xe_frame {
  const struct og_xe_code *code;
  const struct og_xe_inst *at;
  uint8_t *bytes;
};
enum { OG_XE_CALLS_MOST = 64, OG_XE_NBARRIERS = 32, OG_XE_SUBGROUP = 16, OG_XE_SLM_BYTES = 128 << 10 };

struct og_xe_group {
  int64_t id[3], size[3], grid[3];
  struct og_xe_thread *threads;
  uint32_t thread_count, waiting, done;
  uint32_t serial, phase; /* number among all groups; how many barriers it has passed */
  struct {
    uint32_t arrived, generation, members;
  } nbarriers[OG_XE_NBARRIERS];
  struct og_xe_memory slm;
  uint64_t slm_used;
  struct {
    const struct og_xe_inst *of;
    struct og_xe_memory *memory;
  } * shared; /* allocations of the group */
  uint32_t shared_count;
};
struct og_xe_thread {
  struct og_xe_machine *machine;
  struct og_xe_group *group; /* NULL: it is the host's */
  enum og_xe_state state;
  uint32_t index, lane, awaited; /* number in the group; in its subgroup; nbarrier's generation */
  int32_t barrier;
  int64_t id[3];
  uint32_t depth;
  struct og_xe_frame frames[OG_XE_CALLS_MOST];
};

struct og_xe_machine {
  const struct og_mlir_module *module;
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_mlir_run *run;
  struct og_xe_memory *memories;
  uint64_t bytes, deadline;
  bool failed, atomics; /* atomics: this launch has used some */
  uint32_t launches, group_count;
  OG_VECTOR(struct og_xe_code *) codes;
  struct {
    const struct og_mlir_op *op;
    struct og_xe_memory *memory;
  } * globals;
  uint32_t global_count;
};

/* Reports a fault of the operation; returns NULL, which ends the thread. */
const struct og_xe_inst *og_xe_fault(struct og_xe_thread *t, const struct og_xe_inst *i, const char *format, ...)
    OG_PRINTF(3, 4);
struct og_xe_memory *og_xe_allocate(struct og_xe_machine *m, uint64_t size); /* NULL: too much */
/* The allocation that an address is in, or NULL. */
struct og_xe_memory *og_xe_find(struct og_xe_machine *m, struct og_xe_group *group, uint64_t address);
static inline bool og_xe_inside(const struct og_xe_memory *m, const uint8_t *at, uint64_t size) {
  return m && !m->freed && at >= m->data && size <= m->size && (uint64_t)(at - m->data) <= m->size - size;
}

/* Starts the clock of a run; frees what the machine allocated before. */
void og_xe_start_clock(struct og_xe_machine *m);
void og_xe_end(struct og_xe_machine *m);

/* For `check`: an access to bytes of a memory; false: a fault. */
enum og_xe_touch { OG_XE_READ, OG_XE_WRITE, OG_XE_ATOMIC };
bool og_xe_touch_checked(struct og_xe_thread *t, const struct og_xe_inst *i, struct og_xe_memory *memory,
                         const uint8_t *at, uint64_t size, enum og_xe_touch how);
void og_xe_forget(struct og_xe_memory *memory);
static inline bool og_xe_touch(struct og_xe_thread *t, const struct og_xe_inst *i, struct og_xe_memory *memory,
                               const uint8_t *at, uint64_t size, enum og_xe_touch how) {
  return !t->machine->run->check || og_xe_touch_checked(t, i, memory, at, size, how);
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

struct og_xe_decoder {
  struct og_xe_machine *m;
  struct og_xe_code *code;
  OG_VECTOR(struct og_xe_inst) insts;
  OG_VECTOR(uint8_t) image;
  uint32_t frame_size;
  bool kernel, failed;
};
bool og_xe_scalar(og_mlir_type type, uint8_t *to); /* of a scalar or an element; false: it cannot be executed */
uint64_t og_xe_size(og_mlir_type type);            /* bytes in a frame; 0: it cannot be executed */
uint32_t og_xe_place(struct og_xe_decoder *d, struct og_mlir_value *value);
uint32_t og_xe_room(struct og_xe_decoder *d, uint64_t size);
struct og_xe_inst *og_xe_emit(struct og_xe_decoder *d, const struct og_mlir_op *op, og_xe_handler run);
bool og_xe_refuse(struct og_xe_decoder *d, const struct og_mlir_op *op, const char *why);
bool og_xe_decode_region(struct og_xe_decoder *d, struct og_mlir_region *region);
struct og_xe_code *og_xe_decode(struct og_xe_machine *m, const struct og_mlir_op *function);
struct og_xe_code *og_xe_decode_body(struct og_xe_decoder *outer, const struct og_mlir_op *launch);
bool og_xe_decode_control(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known);
/* For each family: true with `known` false if the operation does not belong to it. */
bool og_xe_decode_arith(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known);
bool og_xe_decode_vector(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known);
bool og_xe_decode_memory(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known);
bool og_xe_decode_launch(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known);
bool og_xe_decode_sync(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known);
bool og_xe_decode_tile(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known);
bool og_xe_decode_matrix(struct og_xe_decoder *d, struct og_mlir_op *op);
bool og_xe_decode_scatter(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known);
bool og_xe_put_constant(struct og_xe_decoder *d, uint32_t place, og_mlir_attr value);
const struct og_xe_inst *og_xe_copy(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f);

og_mlir_type og_xe_tile_type(const struct og_mlir_op *op);
bool og_xe_decode_dpas(struct og_xe_decoder *d, struct og_mlir_op *op);

/* ---- running ----------------------------------------------------------------------------------------------------- */

bool og_xe_grid(struct og_xe_thread *host, const struct og_xe_inst *i, struct og_xe_code *code, const int64_t grid[3],
                const int64_t size[3], const uint8_t *const *arguments, const uint32_t *sizes, uint32_t count,
                const uint8_t *frame);
bool og_xe_run_thread(struct og_xe_thread *t); /* runs until it waits or ends; false: a fault */
bool og_xe_host_call(struct og_xe_thread *t, const struct og_xe_inst *i, struct og_text name, uint8_t *f, bool *known);

static inline int64_t og_xe_index(const uint8_t *f, uint32_t at) {
  int64_t value;
  __builtin_memcpy(&value, f + at, 8);
  return value;
}

/* Numbers of an operation's list: some are constants, the others are operands of a group. */
struct og_xe_numbers {
  uint32_t count;
  int64_t constants[OG_MLIR_RANK_MOST];
  uint32_t places[OG_MLIR_RANK_MOST];
};
/* False: there are too many, or they do not fit together. */
bool og_xe_read_numbers(struct og_xe_decoder *d, const struct og_mlir_op *op, const char *constants, const char *group,
                        struct og_xe_numbers *to);
static inline int64_t og_xe_number_at(const struct og_xe_numbers *n, const uint8_t *f, uint32_t k) {
  return n->constants[k] == OG_MLIR_DYNAMIC ? og_xe_index(f, n->places[k]) : n->constants[k];
}
static inline void og_xe_set_index(uint8_t *f, uint32_t at, int64_t value) { __builtin_memcpy(f + at, &value, 8); }
/* Elements as floats and back. */
void og_xe_to_floats(uint8_t type, const void *from, float *to, uint32_t count);
void og_xe_from_floats(uint8_t type, const float *from, void *to, uint32_t count);
double og_xe_number(uint8_t type, const void *at);
int64_t og_xe_integer(uint8_t type, const void *at); /* with its sign */

#endif
