/* exec.h - what the hardware does: waves, lanes, registers, operations. Knows nothing about HSA objects or files.
 *
 * A program's code is decoded once, each word when it is first reached, into operations: a handler and operands
 * already resolved to places in the wave. The run loop calls one handler after another and never looks at bits. */
#ifndef OG_EXEC_H
#define OG_EXEC_H

#include <string.h>

#include "base/base.h"
#include "base/statistics.h"
#include "isa/isa.h"
#include "target/target.h"

enum {
  OG_LANES = 64,
  OG_VGPRS = 1024 /* v0..v255, then a0..a255 or, on gfx12.5, v256..v1023 */,
  OG_V_TEMPORARY = OG_VGPRS /* ten for handlers */
};

/* The scalar file: one flat array, so that every scalar source or destination is an index, whatever the
 * generation. SGPRs stand at their number; the rest has fixed places. 64-bit values are at even indices. */
enum og_scalar {
  OG_S_SGPR = 0,       /* s0..s105 */
  OG_S_VCC = 106,
  OG_S_TTMP = 108,     /* ttmp0..ttmp15 */
  OG_S_M0 = 124,
  OG_S_EXEC = 126,     /* after a write: og_exec_changed() */
  OG_S_FLAT_SCRATCH = 130,
  OG_S_XNACK_MASK = 132,
  OG_S_TBA = 134,
  OG_S_TMA = 136,
  OG_S_SHARED_BASE = 138,
  OG_S_SHARED_LIMIT = 140,
  OG_S_PRIVATE_BASE = 142,
  OG_S_PRIVATE_LIMIT = 144,
  OG_S_SCC = 146,      /* 0 or 1 */
  OG_S_SINK = 148,     /* sixteen dwords: destination of writes to null */
  OG_S_ZERO = 164,     /* as many, always 0: where constant operands and reads of null point */
  OG_S_VCCZ = 180,     /* 0 or 1, and 0 behind: brought up to date by operations that read them */
  OG_S_EXECZ = 182,
  OG_S_FLAT_SCRATCH_BASE = 184, /* gfx12.5: see flat_place() */
  OG_S_LDS_DIRECT = 186, /* what M0 names in LDS: brought up to date by operations that read it */
  OG_S_COUNT = 192
};

/* Hardware registers of s_getreg/s_setreg, by their number on gfx9 (SIMM16[5:0]). */
enum { OG_HWREG_MODE = 1, OG_HWREG_STATUS = 2, OG_HWREG_CYCLES = 29, OG_HWREG_CYCLES_HI = 30, OG_HWREG_COUNT = 64 };

/* MODE, as the hardware lays it out. */
enum og_mode {
  OG_MODE_ROUND_32 = 0x3,      /* 0 nearest even, 1 +inf, 2 -inf, 3 zero */
  OG_MODE_ROUND_16_64 = 0xc,
  OG_MODE_DENORM_32 = 0x30,    /* bit 4: keep inputs, bit 5: keep results */
  OG_MODE_DENORM_16_64 = 0xc0,
  OG_MODE_DX10_CLAMP = 0x100,  /* clamp turns NaN into 0 */
  OG_MODE_IEEE = 0x200,
  OG_MODE_VGPR_MSB = 0xff000,  /* gfx12.5: bits 9:8 of vector registers, by operand: og_program_with_msb() */
  OG_MODE_FP16_OVFL = 1 << 23, /* halves that overflow are the largest finite ones */
  OG_MODE_VSKIP = 1 << 28,
  OG_MODE_GPR_INDEX = 1 << 27, /* s_set_gpr_idx_on is in force; the index is in m0 */
};

enum og_wave_state {
  OG_WAVE_READY,   /* can run (also after its budget was used up) */
  OG_WAVE_BARRIER, /* waits for its work-group */
  OG_WAVE_SLEEPING, /* gave way: s_sleep, s_sethalt; run others first */
  OG_WAVE_ENDED,
  OG_WAVE_FAULT,   /* wave.fault tells */
};

struct og_wave;
struct og_operation;
struct og_program;
struct og_group; /* work-group: its waves, LDS, barriers (group.h) */

/* Executes one operation and yields the next one: og_next(op), a branch target, or &og_stop to leave the loop with
 * wave->state saying why and wave->resume where to go on. */
typedef const struct og_operation *og_handler(struct og_wave *wave, const struct og_operation *op);

enum og_class { /* for statistics */
  OG_CLASS_SALU, OG_CLASS_VALU, OG_CLASS_SMEM, OG_CLASS_VMEM, OG_CLASS_LDS, OG_CLASS_FLAT, OG_CLASS_BRANCH,
  OG_CLASS_OTHER, OG_CLASS_COUNT
};

/* One decoded instruction. There is one slot for each 4-byte word of the code; handler NULL: not yet decoded. */
struct og_operation {
  og_handler *handler;
  uint32_t d, d2;       /* destinations: byte offsets into struct og_wave; d2: SDST, carry out */
  uint32_t s[3];        /* sources: byte offsets into struct og_wave; OG_S_ZERO's for constants */
  uint16_t row;         /* OG_ROW_* */
  uint8_t words;        /* 4-byte words of code */
  uint8_t class;        /* enum og_class */
  uint64_t constant[3]; /* added to what a scalar source's place holds; memory handlers use it freely */
  const void *detail;   /* the handler's own, in the program's arena; or the branch target */
};

/* What it does; NULL until it is decoded. Other threads may decode it, or put compiled code there, meanwhile. */
static inline og_handler *og_handler_of(const struct og_operation *op) {
  return __atomic_load_n(&op->handler, __ATOMIC_ACQUIRE);
}

/* A copy to change, without the handler. Member by member: of a block the host would wait to read what it stored by
 * other pieces. */
static inline struct og_operation og_operation_copy(const struct og_operation *op) {
  return (struct og_operation){.d = op->d, .d2 = op->d2, .s = {op->s[0], op->s[1], op->s[2]}, .row = op->row,
                               .words = op->words, .class = op->class,
                               .constant = {op->constant[0], op->constant[1], op->constant[2]}, .detail = op->detail};
}

extern const struct og_operation og_stop;

static inline const struct og_operation *og_next(const struct og_operation *op) {
  return op + op->words;
}

enum og_fault_kind {
  OG_FAULT_INSTRUCTION, /* that cannot be decoded or executed, or not in this way */
  OG_FAULT_MEMORY,      /* has_address */
  OG_FAULT_TRAP,        /* the program's own */
  OG_FAULT_PACKET,      /* the dispatch asks for something impossible */
  OG_FAULT_RESOURCES,   /* memory of the host's is short */
  OG_FAULT_STOPPED,     /* from outside, or out of time */
};
struct og_fault {
  enum og_fault_kind kind;
  uint64_t pc;
  bool has_address, has_wave;
  bool illegal, violation; /* an illegal instruction; LDS out of range or misaligned: what trap handlers are told */
  uint64_t address;
  uint32_t group[3], wave; /* work-group, and the wave's number in it */
  char what[240]; /* "division trap", "global load outside every buffer", ... */
};

/* Counts of one wave, summed by the dispatcher; filled by the run loop with statistics only. */
struct og_counts {
  uint64_t instructions[OG_CLASS_COUNT];
  uint64_t bytes_read[4], bytes_written[4]; /* global, LDS, scratch, scalar */
  struct og_events events; /* lanes: over all VALU and vector memory instructions */
};

enum { OG_COPIED_SCALARS = 16 };

struct og_wave {
  /* What every handler uses. */
  _Alignas(64) uint32_t s[OG_S_COUNT];
  _Alignas(64) uint32_t lanes[OG_LANES]; /* EXEC again, ~0 or 0 per lane: the form vector code wants */
  uint64_t lanes_exec;                   /* the EXEC that they are of */
  struct og_program *program;
  const struct og_operation *resume; /* where the next og_wave_run starts */
  int64_t budget;                    /* taken branches left before the wave gives way */
  uint32_t state;                    /* enum og_wave_state */
  uint32_t followers;                /* so many waves behind it in the work-group may have their turns in the same run
                                        of compiled code, if those begin at the same operation (turn.h); else 0 */
  uint32_t mode;                     /* after a write: og_mode_changed() */
  uint32_t float_control_32,
      float_control_64;              /* the host's control word (x86 MXCSR) for 32-bit and for 16/64-bit floats */
  uint8_t wave_size;                 /* 64 or 32 */
  uint8_t active_lanes;              /* how many, as og_exec_changed found */
  /* The memory side's. */
  struct og_group *group;
  uint8_t *lds;
  uint32_t lds_size;
  uint32_t scratch_size;             /* bytes per lane */
  uint8_t *scratch;
  uint64_t hidden_private_base;      /* gfx7, gfx8: what FLAT_SCRATCH_HI counts from */
  uint32_t lds_limited;              /* ~0 where M0 limits LDS (up to gfx8), else 0: og_lds_limit() */
  struct og_windows *windows;        /* where this thread's last accesses went (memory.h) */
  struct og_counts *counts;          /* NULL: no statistics */
  const struct og_observer *observer; /* NULL: no observer */
  void *watched;                     /* the observer's own of this wave */
  uint32_t verdict;                  /* enum og_verdict: the observer's, until it is obeyed */
  uint32_t quiet;                    /* set by `instruction`: so many that follow it need not be told */
  /* Rarely used. */
  uint32_t hwreg[OG_HWREG_COUNT];    /* what s_getreg reads, but for MODE and STATUS */
  uint32_t id;                       /* number in its work-group */
  uint32_t barriers_done;            /* enum og_barrier_bit: complete, and not waited for yet */
  uint8_t named_barrier, awaited;    /* that it has joined; a bit of barriers_done that it waits for */
  bool privileged, halted;           /* in a trap handler; it halts the wave once that returns: trap.c, as what
                                        follows */
  struct og_program *interrupted;    /* what the handler returns to */
  const struct og_observer *set_aside; /* until then */
  uint32_t gws_turn;                 /* what lets a wave go that waits for global wave sync: gws.c */
  bool waits_gws, waits_order;       /* the latter: for its turn to count, gds.c */
  uint16_t shared_first, shared_end; /* VGPRs that the halves of a wave share, up to the end: shared_vgprs.c; 0: none */
  /* Not set at the start of a wave. */
  struct og_fault fault;
  uint32_t copied[OG_COPIED_SCALARS];    /* compiled code's: what operations read of scalars that are written
                                            meanwhile */
  /* Vector registers: v[n][lane]. AGPRs at 256. */
  _Alignas(64) uint32_t v[OG_VGPRS + 10][OG_LANES];
};

/* Byte offsets for struct og_operation. */
#define OG_AT_V(n) ((uint32_t)(offsetof(struct og_wave, v) + (n) * sizeof(uint32_t) * OG_LANES))
#define OG_AT_ROW ((uint32_t)sizeof(uint32_t) * OG_LANES) /* from one vector register to the next */
#define OG_AT_S(n) ((uint32_t)(offsetof(struct og_wave, s) + (n) * sizeof(uint32_t)))

/* A place in the wave by its byte offset. */
static inline uint32_t *og_at(struct og_wave *wave, uint32_t offset) {
  return (uint32_t *)(void *)((char *)wave + offset);
}
/* A scalar source (register or constant) of an operation. */
static inline uint32_t og_scalar32(struct og_wave *wave, const struct og_operation *op, int i) {
  return *og_at(wave, op->s[i]) + (uint32_t)op->constant[i];
}
static inline uint64_t og_scalar64(struct og_wave *wave, const struct og_operation *op, int i) {
  return og_load64(og_at(wave, op->s[i])) + op->constant[i];
}
static inline uint64_t og_exec(const struct og_wave *wave) { return og_load64(&wave->s[OG_S_EXEC]); }
static inline void og_set_s64(struct og_wave *wave, enum og_scalar at, uint64_t value) {
  og_store64(&wave->s[at], value);
}

/* Updates `lanes` from EXEC; call after every write of s[OG_S_EXEC..]. */
void og_exec_changed(struct og_wave *wave);
/* Brings the wave's float control words in line with `mode`; og_mode_changed: the host's, too. */
void og_mode_written(struct og_wave *wave);
void og_mode_changed(struct og_wave *wave);

/* ---- programs: code and its operations --------------------------------------------------------------------------- */

/* Replaces operations' handlers by compiled code (src/tier). `op->handler` may then be its own: run loops that look at
 * each operation ask for the plain one. */
struct og_compiler {
  void (*decoded)(struct og_program *program, const struct og_operation *op); /* under the program's lock */
  void (*reached)(struct og_program *program, const struct og_operation *op); /* a wave goes on there */
  og_handler *(*plain)(const struct og_program *program, const struct og_operation *op);
  void (*free)(struct og_program *program);
  const uint8_t *code; /* handlers that are compiled code stand there: that a wave goes on at such one need not be
                          told */
  size_t code_size;
};

static inline bool og_is_compiled(const struct og_compiler *compiler, og_handler *handler) {
  return (uintptr_t)handler - (uintptr_t)compiler->code < compiler->code_size;
}

/* What compiled code yields: what a handler does, and the wave that it ran last (og_wave.followers). */
struct og_compiled_end {
  const struct og_operation *next;
  struct og_wave *wave;
};

static inline struct og_compiled_end og_run_compiled(og_handler *compiled, struct og_wave *wave,
                                                     const struct og_operation *op) {
  union {
    og_handler *as_handler;
    struct og_compiled_end (*whole)(struct og_wave *wave, const struct og_operation *op);
  } code = {compiled};
  return code.whole(wave, op);
}

struct og_program {
  struct og_target target;
  const struct og_isa *isa; /* NULL until first asked for */
  struct og_isa own_isa;
  const uint8_t *code; /* relocated, at its final address, owned by the caller */
  size_t words;
  struct og_operation *operations; /* one per word and one behind the end */
  struct og_arena *arena;          /* details of operations; under `lock` */
  struct og_lock *lock;
  const struct og_vector_variant *variant; /* vector code for this machine */
  bool keeps_f32_denormals;        /* memory's float atomics do */
  struct og_flag_reader *flag_readers; /* decode.c */
  const char *refused;             /* what og_prepare_* cannot execute of an instruction; under `lock` */
  /* The same code under each other MODE.VGPR_MSB that a wave has come with: operations hold whole register numbers. */
  struct og_program *root, **with_msb; /* the one under 0, and its others */
  uint8_t msb;                         /* MODE.VGPR_MSB */
  const struct og_compiler *compiler;  /* NULL: there is none */
  struct og_tier *tier;                /* its own */
};

/* `code` is where it runs: its address is the pc. Size in bytes, a multiple of 4. NULL: memory is short. */
struct og_program *og_program_new(const struct og_target *target, const void *code, size_t size);
void og_program_free(struct og_program *program);
/* The program for waves with that MODE.VGPR_MSB; NULL: memory is short. */
struct og_program *og_program_with_msb(struct og_program *program, uint8_t msb);
/* Gives an instruction's vector registers their whole numbers under the program's MODE.VGPR_MSB. */
void og_program_add_msb(const struct og_program *program, struct og_inst *inst);

/* The operation at an address, or NULL when it is outside the code or not a multiple of 4. */
static inline const struct og_operation *og_program_at(const struct og_program *program, uint64_t pc) {
  uint64_t offset = pc - (uint64_t)(uintptr_t)program->code;
  return offset / 4 <= program->words && offset % 4 == 0 ? program->operations + offset / 4 : NULL;
}
static inline uint64_t og_pc(const struct og_program *program, const struct og_operation *op) {
  return (uint64_t)(uintptr_t)program->code + 4 * (uint64_t)(op - program->operations);
}

/* Fill handler, operands, class and detail from the decoded instruction; false when there are no semantics yet.
 * `op` is a draft with row and words filled in and all else zero, but for detail, which points to where the
 * operation will stand. Called under the program's lock. */
bool og_prepare_memory(struct og_program *program, const struct og_inst *inst,
                       struct og_operation *op); /* SMEM DS FLAT M*BUF MIMG EXP */
bool og_prepare_scalar(struct og_program *program, const struct og_inst *inst, struct og_operation *op); /* SOP* */
bool og_prepare_vector(struct og_program *program, const struct og_inst *inst, struct og_operation *op); /* VOP* */

/* ---- running ----------------------------------------------------------------------------------------------------- */

/* The hooks of `check`, tracing, the profile and the debugger; a NULL hook is not called. A wave's calls come from one
 * thread, with its floating-point modes in force, and find its registers and memory as hardware would have them:
 *   group_begin, group_end  LDS is clear and no wave has begun; all have ended
 *   begin, end              registers are as the first instruction finds them; the wave has ended
 *   instruction             before each one; wave->resume is brought to it. Where wave->quiet says so, not before all
 *   wait                    before one that waits for counters, after `instruction`
 *   access                  each lane's of a memory instruction, which then go lane by lane: the place is found and
 * within
 *                           reach, nothing has moved yet. Scalar ones are told with lane 0
 *   barrier                 all waves of the group stand at one, before it opens
 *   fault                   before a dispatch that cannot go on is torn down; also where time or the user ended it
 * Any of them may give its verdict on a wave with og_answer(); without, all goes on. */
enum og_verdict {
  OG_GO_ON,
  OG_SKIP,      /* by instruction, wait: it is not executed. By access: a load yields 0, a store or atomic is dropped;
                 * not of scalar accesses */
  OG_STOP_HERE, /* the dispatch ends with OG_FAULT_STOPPED, before the wave's next instruction */
};
enum og_space { OG_SPACE_GLOBAL, OG_SPACE_LDS, OG_SPACE_SCRATCH, OG_SPACE_SCALAR };
enum og_access { OG_ACCESS_READ = 1, OG_ACCESS_WRITE = 2, OG_ACCESS_ATOMIC = 4 };
struct og_observer {
  void *context;
  void (*begin)(void *context, struct og_wave *wave);
  void (*end)(void *context, struct og_wave *wave);
  void (*barrier)(void *context, struct og_group *group);
  void (*group_begin)(void *context, struct og_group *group);
  void (*group_end)(void *context, struct og_group *group);
  void (*fault)(void *context, struct og_wave *wave, const struct og_fault *fault);
  void (*wait)(void *context, struct og_wave *wave, const struct og_operation *op);
  void (*instruction)(void *context, struct og_wave *wave, const struct og_operation *op);
  void (*access)(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space, int access,
                 unsigned lane, uint64_t address, unsigned size);
  /* An active lane exports what is enabled of four values. */
  void (*exported)(void *context, struct og_wave *wave, const struct og_operation *op, unsigned target, unsigned lane,
                   unsigned enabled, const uint32_t values[4]);
  bool whole; /* `access` is not wanted of handlers that take many lanes at a time: `instruction` sees where these go */
};

static inline void og_answer(struct og_wave *wave, enum og_verdict verdict) { wave->verdict = verdict; }

/* Whether the access that was just reported must be skipped. */
static inline bool og_take_skip(struct og_wave *wave) {
  bool skip = wave->verdict == OG_SKIP;
  wave->verdict = skip ? OG_GO_ON : wave->verdict;
  return skip;
}

static inline bool og_sees_accesses(const struct og_wave *wave) {
  return __builtin_expect(wave->observer != NULL, 0) && wave->observer->access != NULL;
}
/* Whether it has to be lane by lane. */
static inline bool og_sees_lanes(const struct og_wave *wave) {
  return og_sees_accesses(wave) && !wave->observer->whole;
}

/* Runs from wave->resume until the wave stops (see og_wave_state) or its budget is used up: then it is READY still.
 * Counts and calls the observer when they are set. */
void og_wave_run(struct og_wave *wave);
/* The same, but the thread's float control is passed in *control before and after, because reading it is slow. */
void og_wave_run_under(struct og_wave *wave, uint32_t *control);

/* Stops the wave with a fault; a handler says `return og_wave_fault(...)`. */
const struct og_operation *og_wave_fault(struct og_wave *wave, const struct og_operation *op, const char *format, ...)
    OG_PRINTF(3, 4);
const struct og_operation *og_wave_fault_at(struct og_wave *wave, const struct og_operation *op, uint64_t address,
                                            const char *format, ...) OG_PRINTF(4, 5);
/* Leaves the loop in a state; the wave goes on behind `op`. */
static inline const struct og_operation *og_wave_stop(struct og_wave *wave, const struct og_operation *op,
                                                      enum og_wave_state state) {
  wave->state = state;
  wave->resume = og_next(op);
  return &og_stop;
}
/* A taken branch: counts down the budget. */
static inline const struct og_operation *og_branch(struct og_wave *wave, const struct og_operation *target) {
  if (__builtin_expect(--wave->budget >= 0, 1))
    return target;
  wave->resume = target;
  return &og_stop;
}

#endif
