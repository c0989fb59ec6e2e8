/* exec.h - the vISA executor from the inside. A program is a kernel that was decoded once into operations with resolved
   operands; a thread is one hardware thread of SIMD channels that runs it. Only for visa/; the tool uses visa/run.h. */
#ifndef OG_VISA_EXEC_H
#define OG_VISA_EXEC_H

#include "base/base.h"
#include "visa/alu/alu.h"
#include "visa/image.h"
#include "visa/run.h"

enum {
  OG_VX_CHANNELS = 32,
  OG_VX_OPERAND_BYTES = OG_VX_CHANNELS * 8,
  OG_VX_SURFACES = 256,
  OG_VX_NAMED_BARRIERS = 32,
  OG_VX_WAITS_FOR_PARTNER = OG_VX_NAMED_BARRIERS, /* a value of waiting_for: the other thread of a pair */
  OG_VX_SAMPLERS = 16,
  OG_VX_REACHES = 8
};

/* Limits of a kernel: a file that exceeds one is refused with an error. */
enum {
  OG_VX_VARIABLES_MOST = 1 << 24, /* bytes of a kernel's or function's general variables */
  OG_VX_CONSTANTS_MOST = 1 << 28, /* bytes of its immediates, one element for each channel */
  OG_VX_CALLS_MOST = 1 << 28      /* bytes for the calls of functions, for all threads of a group */
};

struct og_vx_thread;
struct og_vx_op;
struct og_vx_check; /* check.h */

/* Runs one operation; returns the next one, or NULL if the thread stops (its state says why). */
typedef const struct og_vx_op *og_vx_handler(struct og_vx_thread *thread, const struct og_vx_op *op);

enum og_vx_source_kind {
  OG_VX_DIRECT,   /* contiguous bytes, used in place */
  OG_VX_SCALAR,   /* one element for all channels */
  OG_VX_REGION,   /* <vertical; width, horizontal> */
  OG_VX_INDIRECT, /* address elements say where the region, or each of its rows, begins */
};

enum { OG_VX_REGISTERS, OG_VX_CONSTANTS }; /* what a direct operand's offset counts from */
enum { OG_VX_NEGATE = 1, OG_VX_ABSOLUTE = 2, OG_VX_INVERT = 4 };

struct og_vx_source {
  uint8_t kind, type, size_log2, modifiers;
  uint8_t base;
  bool multi_address;
  uint8_t vertical, width, horizontal; /* in elements */
  uint32_t offset;                     /* bytes */
  uint32_t address;                    /* INDIRECT: index of the first address element */
  int32_t displacement;                /* INDIRECT: bytes */
  uint8_t wide;                        /* the type in which it is used */
  og_alu_fn *convert;                  /* to `wide`, or NULL */
  og_alu_fn *negate, *absolute, *invert; /* in `wide`, or NULL */
};

struct og_vx_destination {
  uint8_t type, size_log2, stride; /* in elements */
  bool indirect, direct;           /* direct: results may be written in place when all channels are enabled */
  bool mode;                       /* the control register: writing it sets rounding and denormals */
  uint32_t offset, address;
  int32_t displacement;
  og_alu_fn *convert; /* from the operation's type, or NULL */
  og_alu_fn *clamp;   /* before it, or NULL */
};

enum { OG_VX_PREDICATE_NONE, OG_VX_PREDICATE_EACH, OG_VX_PREDICATE_ANY, OG_VX_PREDICATE_ALL };

enum og_vx_space {
  OG_VX_FLAT,    /* memory of the process, as far as the dispatch shares it */
  OG_VX_SLM,
  OG_VX_SCRATCH,
  OG_VX_SURFACE, /* an entry of the binding table, from a surface variable */
  OG_VX_TABLE,   /* an entry of the binding table, from a scalar */
  OG_VX_BINDLESS /* the offset of a surface state, from a scalar */
};

enum og_vx_atomic {
  OG_VX_ATOMIC_ADD, OG_VX_ATOMIC_SUB, OG_VX_ATOMIC_INC, OG_VX_ATOMIC_DEC, OG_VX_ATOMIC_SMIN, OG_VX_ATOMIC_SMAX,
  OG_VX_ATOMIC_UMIN, OG_VX_ATOMIC_UMAX, OG_VX_ATOMIC_CAS, OG_VX_ATOMIC_AND, OG_VX_ATOMIC_OR, OG_VX_ATOMIC_XOR,
  OG_VX_ATOMIC_LOAD, OG_VX_ATOMIC_STORE, OG_VX_ATOMIC_FADD, OG_VX_ATOMIC_FSUB, OG_VX_ATOMIC_FMIN,
  OG_VX_ATOMIC_FMAX, OG_VX_ATOMIC_FCAS, OG_VX_ATOMIC_PREDEC
};

enum { OG_VX_NO_DATA = UINT32_MAX }; /* the null register */

/* Registers of an image message's parameters, by their places in memory_offset: u, v, r, then these. */
enum { OG_VX_PARAMETER_REFERENCE = 3, OG_VX_PARAMETER_SAMPLE = 3, OG_VX_PARAMETER_OFFSETS = 4, OG_VX_PARAMETERS = 6 };
/* What a sampler message does, in the operation's `kind`: a sum of these for samples, one of these for loads. */
enum { OG_VX_SAMPLE_COMPARE = 1, OG_VX_SAMPLE_GATHER = 2, OG_VX_SAMPLE_OFFSETS = 4, OG_VX_SAMPLE_LEVEL = 8 };
enum { OG_VX_LOAD_TEXEL, OG_VX_LOAD_SAMPLE, OG_VX_LOAD_MCS };

/* A memory message. Channel i's component j moves between memory at address[i] + memory_offset[j] and the registers at
   data + register_offset[j] + i * channel_step. In a message about an image, `components` is a mask of R G B A;
   memory_offset has the registers of parameters (OG_VX_NO_DATA: the parameter is 0), whose elements have address_size
   bytes; channel_step is the distance from one component's data to the next's, container the bytes of an element, data2
   the sampler variable's number among the surfaces. */
struct og_vx_message {
  uint8_t space;
  uint8_t address_size; /* bytes of one address element */
  uint8_t size, container; /* bytes in memory; bytes in a register, which are zero extended if they are more */
  uint8_t components;
  uint8_t atomic;
  bool store, null_mask;
  uint32_t surface; /* SURFACE: the variable's number */
  uint32_t addresses, scale;
  uint32_t data, data1, data2; /* data1, data2: operands of an atomic */
  uint32_t channel_step;
  uint32_t block; /* bytes of a block message */
  int64_t immediate;
  uint32_t memory_offset[8], register_offset[8];
  /* 2D blocks: */
  uint8_t blocks, block_width, block_height;
  bool transpose, vnni;
  bool strided;       /* one address, and the distance of the channels */
  bool dwords;        /* whole dwords at unscaled 32-bit offsets, components side by side */
  bool scaled_global; /* the global offset, too, counts elements */
};

/* Addresses made of 32-bit indices, base + (index << shift) in 64 bits, with the message that uses them. They are run
   at once if all channels are enabled, and if nobody else reads the values between. */
struct og_vx_chain {
  uint32_t index, base; /* places of the indices, and of the single address that is added */
  uint8_t base_in;      /* OG_VX_REGISTERS or OG_VX_CONSTANTS */
  uint8_t length;       /* operations, of which the message is the last */
  bool store;
  uint32_t data;
  struct og_alu_shape shape;
};

/* The largest index of a chain from an address on, as it was found last. */
struct og_vx_reach {
  const struct og_vx_op *op; /* NULL: nothing was found yet */
  uint64_t base;
  uint32_t most;
};

struct og_vx_op {
  og_vx_handler *run;
  og_alu_fn *alu;
  uint64_t needs; /* channels that must be on so that all of its own run; more than there are if it has a predicate */
  /* For operands in place, beside their full description: the places of sources and result. */
  uint32_t in[3], out;
  uint8_t in_base[3], out_log2;
  uint8_t exec_size, mask_offset;
  bool no_mask;
  uint8_t predicate_mode;
  bool predicate_inverse;
  bool uniform; /* a branch of execution size 1: all channels follow the predicate's first one */
  uint16_t predicate;
  uint32_t full; /* exec_size ones */
  uint32_t extra; /* the ALU function's last argument */
  uint8_t source_count;
  og_alu_fn *alu2; /* the second result of addc, subb, madw */
  struct og_vx_destination destination, destination2;
  struct og_vx_source *source; /* source_count of them */
  struct og_vx_message *message;
  uint32_t target;     /* branches: index of an operation */
  const struct og_vx_program *callee; /* fcall */
  uint32_t *targets;   /* switchjmp */
  uint32_t predicate_destination, predicate_source, predicate_source2;
  og_vx_handler *single;            /* `run` for this operation alone */
  const struct og_vx_chain *chain;  /* or NULL: the chain that `run` runs */
  uint32_t number;                  /* by which it is found among operations of the kernel and its functions */
  bool conflicts;                   /* bank conflicts in shared memory are counted */
  uint8_t kind;  /* a handler's own distinction */
  uint8_t class; /* enum og_visa_class */
  const struct og_visa_inst *inst; /* the instruction that it was made of */
};

struct og_vx_program {
  const char *kernel_name, *file;
  const struct og_source *source; /* or NULL */
  const struct og_visa_kernel *kernel;
  const struct og_visa_layout *layout; /* or NULL: to be guessed */
  struct og_zebin *zebin;              /* or NULL */
  struct og_vx_op *ops;
  uint32_t op_count;
  uint8_t *constants; /* immediates, one element for each channel */
  uint32_t constant_size;
  uint32_t register_size; /* bytes of a thread's variables */
  uint32_t predicate_count, address_count, surface_count;
  uint32_t simd_size, grf_size;
  uint32_t cr0, r0; /* offsets of these variables */
  uint32_t hw_id, sr0, ce0, group_id[3];
  const uint32_t *places; /* of general variables, by index */
  int platform;
  uint32_t shared_size;   /* bytes of predefined variables at the beginning, which callers and callees have in common */
  const struct og_vx_functions *functions;
};

/* Functions that are called by address; an address is FUNCTION_FIRST + index * FUNCTION_STEP. */
enum { OG_VX_FUNCTION_FIRST = 0x7f000000, OG_VX_FUNCTION_STEP = 64 };
struct og_vx_functions {
  OG_VECTOR(struct og_vx_program *) items;
};

/* Memory that flat addresses may access. Compilers read whole dwords and vectors if a part of one is asked for, which
   hardware allows: reads may go on to the next multiple of 64 bytes. */
enum { OG_VX_READ_GRAIN = 64 };
struct og_vx_range {
  uint64_t base, size, readable;
  bool writable;
};

struct og_vx_surface {
  uint8_t *base;
  uint64_t size, readable;
  bool writable;
};

/* It is complete when so many producers and consumers have arrived; most threads are both. */
struct og_vx_barrier {
  uint32_t producers, consumers; /* how many have arrived */
  uint32_t generation;           /* how often it was complete */
};

/* What threads of a group have in common. */
struct og_vx_group {
  const struct og_vx_range *ranges;
  uint32_t range_count;
  struct og_vx_surface surfaces[OG_VX_SURFACES];
  const struct og_visa_image *images[OG_VX_SURFACES]; /* NULL: the surface is no image */
  const struct og_visa_sampler *samplers[OG_VX_SAMPLERS];
  uint8_t *slm;
  uint64_t slm_size;
  uint32_t id[3], index; /* of the grid */
  uint32_t thread_count, alive;
  struct og_vx_thread *threads;
  bool concurrent; /* other groups run at the same time */
  uint32_t mode;   /* of the control register, as set on the host's thread now; OG_VX_OWN_MODE: the process's own */
  struct og_vx_barrier barriers[OG_VX_NAMED_BARRIERS];
  uint64_t call_bytes; /* in use for calls of functions */
};

enum og_vx_state { OG_VX_RUNNING, OG_VX_WAITING, OG_VX_DONE, OG_VX_FAULT, OG_VX_INTERRUPTED };

struct og_vx_wait {
  uint32_t op, channels;
};

/* The variable that an address element points into, from where to where in the registers; 0, 0: unknown. */
struct og_vx_bounds {
  uint32_t low, high;
};

/* Where a call returns to. A function that is called by address has its own variables: then `program` and the rest are
   the caller's. */
struct og_vx_frame {
  uint32_t return_op, channels, call_mask, wait_base;
  const struct og_vx_program *program; /* NULL: a subroutine of the same program */
  uint8_t *registers; /* and the rest of its state, see og_vx_set_state */
};

enum { OG_VX_CALL_DEPTH = 256, OG_VX_WAITS = 1024 };

struct og_vx_thread {
  uint8_t *base[2]; /* OG_VX_REGISTERS, OG_VX_CONSTANTS */
  uint32_t channels; /* the execution mask */
  uint32_t call_mask;
  uint32_t *predicates;
  uint32_t *addresses;
  uint32_t *surfaces; /* values of surface variables, then of sampler variables */
  uint32_t wait_count, wait_base, frame_count;
  uint32_t range; /* the range that an access was in last */
  struct og_vx_reach reaches[OG_VX_REACHES]; /* by the number of a chain's first operation */
  const struct og_vx_program *program;
  const struct og_alu *alu;
  struct og_vx_group *group;
  uint8_t *scratch;
  uint64_t scratch_size;
  uint32_t mode; /* of the control register, as written last; OG_VX_OWN_MODE: not yet */
  uint32_t index;                /* in its group */
  struct og_visa_counts *counts; /* or NULL */
  uint64_t *runs;                /* with counts: by an operation's number: how often it ran for all channels */
  FILE *trace;                   /* or NULL: where each instruction is written to */
  struct og_vx_check *check; /* or NULL: undefined behaviour is an error, and this checks for it */
  struct og_vx_defined {
    uint8_t *registers; /* 1 for each byte that holds a value */
    uint32_t *predicates;
    uint8_t *addresses;
  } defined;
  uint32_t dispatched; /* the channels with which it was started */
  struct og_vx_bounds *bounds;   /* if undefined behaviour is an error: for each address element */
  uint32_t waiting_for, wait_generation[OG_VX_NAMED_BARRIERS];
  enum og_vx_state state;
  const struct og_vx_op *next;
  uint64_t instructions;
  uint64_t budget; /* how many operations it may run before it is interrupted */
  struct og_vx_wait waits[OG_VX_WAITS];
  struct og_vx_frame frames[OG_VX_CALL_DEPTH];
  char fault[256];
};

/* The channels for which the operation is enabled, from bit 0 on (EvaluateChEn in the chapter on operands). */
static inline uint32_t og_vx_predicate_bits(const struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t bits = thread->predicates[op->predicate] >> op->mask_offset & op->full;
  if (op->predicate_mode == OG_VX_PREDICATE_ANY)
    bits = bits ? op->full : 0;
  else if (op->predicate_mode == OG_VX_PREDICATE_ALL)
    bits = bits == op->full ? op->full : 0;
  return op->predicate_inverse ? ~bits & op->full : bits;
}

static inline uint32_t og_vx_mask(const struct og_vx_thread *thread, const struct og_vx_op *op) {
  return op->no_mask ? op->full : thread->channels >> op->mask_offset & op->full;
}

/* Whether it is enabled for all its channels; false for anything with a predicate, since it looks only once. */
static inline bool og_vx_all(const struct og_vx_thread *thread, const struct og_vx_op *op) {
  return (thread->channels & op->needs) == op->needs;
}

static inline uint32_t og_vx_enabled(const struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t mask = og_vx_mask(thread, op);
  if (op->predicate_mode != OG_VX_PREDICATE_NONE)
    mask &= og_vx_predicate_bits(thread, op);
  return mask;
}

/* Sets the enabled channels' bits of the predicate that an operation writes. */
static inline void og_vx_set_predicate(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t bits,
                                       uint32_t enabled) {
  uint32_t *to = &thread->predicates[op->predicate_destination];
  *to = (*to & ~(enabled << op->mask_offset)) | (bits & enabled) << op->mask_offset;
}

/* The operand's elements in its wide type: in place, or gathered into `room` (OG_VX_OPERAND_BYTES, aligned to 64).
   NULL: a fault. */
const void *og_vx_fetch(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_source *source,
                          uint32_t count, void *room);
/* Writes enabled channels; `values` are in the operation's type. false: a fault. */
bool og_vx_store(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_destination *destination,
                   const void *values, uint32_t enabled);
/* An unsigned scalar operand. */
uint64_t og_vx_scalar(struct og_vx_thread *thread, const struct og_vx_op *op, const struct og_vx_source *source);
/* Stops the thread; returns NULL. */
const struct og_vx_op *og_vx_fault(struct og_vx_thread *thread, const struct og_vx_op *op, const char *format, ...)
    OG_PRINTF(3, 4);

/* Bytes for a program's registers, predicates, addresses and surfaces; sets the thread's pointers into such memory. */
size_t og_vx_state_size(const struct og_vx_program *program, bool check);
void og_vx_set_state(struct og_vx_thread *thread, const struct og_vx_program *program, uint8_t *memory);
/* Frees the memory of calls that an unfinished thread is in. */
void og_vx_unwind(struct og_vx_thread *thread);

/* A line about an operation that is about to run: group and thread, channels, place, text. */
void og_vx_trace(const struct og_vx_thread *thread, const struct og_vx_op *op);
/* Runs until the thread stops, or until the budget is used up: then it is interrupted, and may go on. */
void og_vx_thread_run(struct og_vx_thread *thread);
/* Sets rounding and denormals by the thread's control register. */
enum { OG_VX_OWN_MODE = UINT32_MAX };
void og_vx_mode_apply(struct og_vx_thread *thread);

/* Handlers (exec.c). */
og_vx_handler og_vx_run_alu, og_vx_run_alu1, og_vx_run_alu2, og_vx_run_alu3, og_vx_run_add_scalars,
    og_vx_run_two_results, og_vx_run_select, og_vx_run_compare, og_vx_run_compare_store, og_vx_run_predicate_logic,
    og_vx_run_setp, og_vx_run_move_predicate, og_vx_run_address, og_vx_run_move_address, og_vx_run_move_surface,
    og_vx_run_goto_forward, og_vx_run_goto_backward, og_vx_run_join, og_vx_run_jump, og_vx_run_switch, og_vx_run_call,
    og_vx_run_function_call, og_vx_run_return, og_vx_run_barrier, og_vx_run_named_signal, og_vx_run_named_wait,
    og_vx_run_end, og_vx_run_sum_of_products, og_vx_run_insert, og_vx_run_compare2;
/* (memory.c) */
og_vx_handler og_vx_run_gather, og_vx_run_gather_flat, og_vx_run_shared_dwords, og_vx_run_block, og_vx_run_atomic,
    og_vx_run_block2d;
/* (chain.c) */
og_vx_handler og_vx_run_chain;
uint32_t og_vx_dpas_activation_bytes(const struct og_vx_message *message);
uint32_t og_vx_dpas_weight_bytes(const struct og_vx_message *message, uint32_t channels, uint32_t grf_size);
uint32_t og_vx_block2d_bytes(const struct og_vx_message *message, uint32_t grf_size);
uint64_t og_vx_atomic(const struct og_vx_thread *thread, const struct og_vx_message *message, uint8_t *memory,
                      uint32_t channel);
/* (image.c) */
og_vx_handler og_vx_run_typed, og_vx_run_typed_atomic, og_vx_run_image_load, og_vx_run_image_sample,
    og_vx_run_image_info, og_vx_run_media;
/* (special.c) */
og_vx_handler og_vx_run_absolute_differences, og_vx_run_line, og_vx_run_small_float, og_vx_run_stochastic,
    og_vx_run_add3_overflow, og_vx_run_math_macro;
/* (dpas.c) */
og_vx_handler og_vx_run_dpas, og_vx_run_dpasw;

#endif
