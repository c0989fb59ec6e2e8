/* effects.h - what an instruction touches: registers, memory, counters. What the tables say about a form's memory, and
 * what follows from it for one decoded instruction. */
#ifndef OG_ISA_EFFECTS_H
#define OG_ISA_EFFECTS_H

#include "isa/isa.h"

/* ---- memory: what a form says ------------------------------------------------------------------------------------ */

enum og_memory_space {
  OG_IN_NOTHING,
  OG_IN_GLOBAL, OG_IN_FLAT, /* flat: an address that may lead to global memory, LDS or scratch */
  OG_IN_SCRATCH,
  OG_IN_BUFFER, OG_IN_TYPED, /* memory by a resource; typed: the instruction says the format */
  OG_IN_IMAGE,
  OG_IN_LDS, OG_IN_GDS,
  OG_IN_GWS, OG_IN_GS_REG, /* barriers and semaphores of all the GPU, its ordering registers */
  OG_IN_LANES,             /* no memory: other lanes, by way of LDS hardware */
  OG_IN_CODE,              /* instructions */
  OG_IN_CLUSTER,           /* global memory, loaded for several work-groups at once */
};

enum og_memory_access {
  OG_MOVES_NOTHING, /* prefetches, probes; `operation` says what */
  OG_MOVES_LOAD, OG_MOVES_STORE, OG_MOVES_ATOMIC, OG_MOVES_QUERY, OG_MOVES_SYNC,
};

/* What an atomic does, or why an access is not a plain one. */
enum og_memory_operation {
  OG_DOES_NOTHING,
  OG_DOES_ADD, OG_DOES_SUB, OG_DOES_RSUB, OG_DOES_SUB_CLAMP, OG_DOES_COND_SUB, OG_DOES_INC, OG_DOES_DEC, OG_DOES_WRAP,
  OG_DOES_MIN, OG_DOES_MAX, OG_DOES_AND, OG_DOES_OR, OG_DOES_XOR, OG_DOES_MASK_OR, OG_DOES_SWAP, OG_DOES_SWAP_IF,
  OG_DOES_CMPSWAP, OG_DOES_CMPST, /* data: the new value, then the one to compare with; the other way round */
  OG_DOES_ORDERED_ADD, OG_DOES_APPEND, OG_DOES_CONSUME, OG_DOES_ORDERED_COUNT, OG_DOES_BARRIER_ARRIVE,
  OG_DOES_BVH_STACK,
  OG_DOES_PREFETCH, OG_DOES_PROBE, OG_DOES_DISCARD, OG_DOES_PERMUTE, OG_DOES_SWIZZLE,
  OG_DOES_MONITOR, /* loads, and monitors the address */
  OG_DOES_TRANSPOSE4, OG_DOES_TRANSPOSE6, OG_DOES_TRANSPOSE8, OG_DOES_TRANSPOSE16, /* lanes exchange elements */
  OG_DOES_TENSOR_SAVE,
  OG_DOES_BARRIER, OG_DOES_INIT, OG_DOES_SEMA_BR, OG_DOES_SEMA_P, OG_DOES_SEMA_V, OG_DOES_SEMA_RELEASE_ALL,
};

/* How memory is read as numbers: what an atomic computes with, how a small load fills its register. */
enum og_value {
  OG_VALUE_BITS, OG_VALUE_UNSIGNED, OG_VALUE_SIGNED, OG_VALUE_FLOAT, OG_VALUE_PACKED_F16, OG_VALUE_PACKED_BF16,
  OG_VALUE_FORMAT, /* the resource or the instruction has a format */
};

enum og_part { OG_PART_ALL, OG_PART_LOW, OG_PART_HIGH };

struct og_memory {
  uint8_t space, access, operation, number; /* enum og_memory_space, og_memory_access, og_memory_operation, og_value */
  uint8_t part;       /* enum og_part: of the register, that holds the data */
  bool lds;           /* the other side is LDS, not registers */
  bool d16;           /* components have 16 bits in registers, two in each unless og_unpacked_d16() says otherwise */
  uint8_t components; /* OG_VALUE_FORMAT: how many are converted */
  uint8_t count;      /* accesses: 2 where there are two offsets */
  uint8_t stride;     /* elements per unit of those offsets */
  uint16_t bits;      /* of one access of a lane; 0: the format says */
};

/* How a form accesses memory; `space` is OG_IN_NOTHING if it does not. */
const struct og_memory *og_form_memory(const struct og_form *form);

/* Whether it moves data between LDS and memory; ds_*_src2_* have both in LDS. */
static inline bool og_transfers_lds(const struct og_memory *memory) {
  return memory->lds && memory->space != OG_IN_LDS;
}

/* ---- issue ------------------------------------------------------------------------------------------------------- */

/* The unit that an instruction is issued to: og_form.issue. */
enum og_issue {
  OG_ISSUE_INTERNAL, /* no unit: waits, hints, priorities */
  OG_ISSUE_SALU, OG_ISSUE_BRANCH, OG_ISSUE_MESSAGE,
  OG_ISSUE_VALU, OG_ISSUE_TRANS, OG_ISSUE_MATRIX, /* trans: the transcendental part of the VALU */
  OG_ISSUE_SMEM, OG_ISSUE_VMEM, OG_ISSUE_FLAT, OG_ISSUE_LDS, OG_ISSUE_EXPORT,
};

/* ---- effects ----------------------------------------------------------------------------------------------------- */

/* Which parts a write may leave unchanged. */
enum og_keeps {
  OG_KEEPS_INACTIVE = 1, /* lanes that EXEC has off */
  OG_KEEPS_SOME = 2,     /* more lanes, or, under a condition, all: the old value is also listed as read */
};

/* Consecutive registers that are read or written. */
struct og_use {
  uint8_t kind;    /* enum og_operand_kind: VGPR, AGPR, SGPR, TTMP or SPECIAL */
  uint8_t dwords;
  uint16_t reg;    /* the first; of SPECIAL enum og_special */
  uint8_t bytes;   /* of each dword, a bit each: 15 all, 3 the low half, 12 the high one */
  uint8_t keeps;   /* enum og_keeps; of reads 0 */
  int8_t operand;  /* its index in og_inst.operands; -1: implicit, in neither the text nor the bits */
};

enum { OG_READS_MOST = 28, OG_WRITES_MOST = 8 };

/* All that an instruction touches. Bytes that a write does not name keep their value and count as read; lanes that EXEC
 * disables keep theirs too, but do not count. Instructions under VGPR indexing (s_set_gpr_idx_on) touch other
 * registers. */
struct og_effects {
  uint8_t read_count, write_count;
  struct og_use reads[OG_READS_MOST], writes[OG_WRITES_MOST];
  uint8_t implicit_reads, implicit_writes; /* enum og_implicit; registers among them are also in the lists */
  uint8_t issue;                           /* enum og_issue */
  uint16_t counters;                       /* enum og_counter: raised, with these modifiers */
  uint16_t loads_from, stores_to;          /* a bit each: 1 << enum og_memory_space */
  uint16_t bytes;                          /* that a lane (of scalar memory, the wave) moves; 0: unknown, or nothing */
};

/* The effects of a decoded instruction. False if there are others that only running it can tell: registers named
 * by M0, a stack or a mask in M0 (OG_FLAG_RELATIVE). */
bool og_inst_effects(const struct og_isa *isa, const struct og_inst *inst, struct og_effects *effects);

/* Whether it also reads or writes VGPRs in lanes that EXEC has off: lanes of others, matrices, what knows no EXEC. */
bool og_touches_all_lanes(const struct og_isa *isa, const struct og_inst *inst);

#endif
