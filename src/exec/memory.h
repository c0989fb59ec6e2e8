/* memory.h - how one memory instruction reaches memory. Internal to src/exec.
 *
 * `og_prepare_memory` fills struct og_memory_op and picks a handler. Fast handlers (transfer_ops.h) take many lanes at
 * a time and know the common shapes: all lanes at one place, lanes side by side. Other cases they pass, lane by
 * lane, to the careful path (careful.c), which handles everything, faults, and informs the observer. */
#ifndef OG_MEMORY_H
#define OG_MEMORY_H

#include "base/float_control.h"
#include "exec/group.h"
#include "isa/effects.h"

/* Where the address comes from. `s[i]`, `constant[i]`: of struct og_operation. */
enum og_addressing {
  OG_ADDRESS_LDS,     /* s[0]: VGPR; constant[0]: offset */
  OG_ADDRESS_GLOBAL,  /* s[0]: VGPR pair; constant[0]: offset, signed */
  OG_ADDRESS_SADDR,   /* s[0]: VGPR, 32 bits; s[1] with constant[1]: 64-bit scalar; constant[0]: offset, signed */
  OG_ADDRESS_FLAT,    /* as GLOBAL, but the apertures lead to LDS and scratch */
  OG_ADDRESS_SCRATCH, /* s[0]: VGPR or zeros; s[1] with constant[1]: 32-bit scalar; constant[0]: offset, signed */
  OG_ADDRESS_BUFFER,  /* s[0]: VGPRs; s[1]: V#; s[2] with constant[2]: soffset; constant[0]: offset */
  OG_ADDRESSINGS
};

/* What one lane moves. The small ones fill a register, or half of one, and come before OG_WIDTH_32. */
enum og_width {
  OG_WIDTH_U8, OG_WIDTH_I8, OG_WIDTH_U16, OG_WIDTH_I16,
  OG_WIDTH_U8_LOW, OG_WIDTH_U8_HIGH, OG_WIDTH_I8_LOW, OG_WIDTH_I8_HIGH, OG_WIDTH_16_LOW, OG_WIDTH_16_HIGH,
  OG_WIDTH_32, OG_WIDTH_64, OG_WIDTH_96, OG_WIDTH_128,
  OG_WIDTH_PAIR_32, OG_WIDTH_PAIR_64, /* DS: two places */
  OG_WIDTH_BLOCK,                     /* registers that M0 chooses */
  OG_WIDTHS
};

struct og_memory_op {
  uint8_t addressing, width;
  uint8_t bytes;        /* of one piece, in memory */
  uint8_t pieces;       /* 2 for pairs */
  uint32_t piece[2];    /* byte offsets of the pieces, 0 unless a pair */
  bool has_vaddr;       /* SCRATCH */
  bool offen, idxen;    /* BUFFER */
  bool by_lane;         /* global: four times the lane's number in the place of a register */
  bool addr64;          /* BUFFER of gfx6 and gfx7: 64-bit addresses, not held against the V# */
  bool to_lds;          /* loads that fill LDS at M0 instead of registers, and stores of what stands there */
  bool beside;          /* between memory and LDS, at addresses that lanes have */
  bool returns;         /* atomics that yield the old value */
  bool gds_counts;      /* append and consume in the global data share */
  bool typed;           /* MTBUF: `format` counts, not the V#'s */
  bool d16;             /* formatted: components of 16 bits, two to a register or */
  bool unpacked;        /* in one each */
  uint8_t components;   /* formatted: how many; else 0 */
  uint8_t format;       /* as in OG_MOD_FORMAT */
  const struct og_atomic *atomic;
  uint32_t data;        /* atomics: place of the data; transfers to and from LDS: of addresses there; tfe: of the
                           status */
  const char *name;     /* mnemonic, for faults */
  /* Addresses that are worked out into registers first (gfx12.5: scale_offset, signed offsets). */
  og_handler *inner;    /* goes on with them */
  og_handler *unicast;  /* loads of clusters: what they do once their mask is in order */
  uint32_t offsets;     /* place of the lanes' offsets */
  uint8_t scale;        /* of these */
  uint8_t element;      /* transposing loads: bits that lanes exchange */
};

/* Whether rows of so many bytes, one from each place of a pair on, would meet: then the order in which lanes write
 * shows. */
static inline bool og_rows_meet(const struct og_memory_op *access, uint32_t bytes) {
  uint32_t a = access->piece[0], b = access->piece[1];
  return (a > b ? a - b : b - a) < bytes;
}

/* Handlers for one kind of host CPU. */
struct og_memory_handlers {
  og_handler *load[OG_ADDRESSINGS][OG_WIDTHS], *store[OG_ADDRESSINGS][OG_WIDTHS];
};
extern const struct og_memory_handlers og_memory_handlers_base;
#if defined __x86_64__
extern const struct og_memory_handlers og_memory_handlers_v3, og_memory_handlers_v4;
#endif
/* The best that og_host_level() allows. */
const struct og_memory_handlers *og_host_memory_handlers(void);

/* Active lanes. */
static inline uint64_t og_active(const struct og_wave *wave) {
  return og_exec(wave) & (wave->wave_size == 32 ? UINT32_MAX : UINT64_MAX);
}

/* Base of the wave's scratch for flat and scratch instructions. gfx10 keeps it in hardware registers that s_setreg
 * writes; before, and where the hardware sets it up, it is the FLAT_SCRATCH pair. */
static inline uint64_t og_flat_scratch(const struct og_wave *wave) {
  enum og_generation generation = wave->program->target.processor->generation;
  enum { HWREG_FLAT_SCR_LO = 20, HWREG_FLAT_SCR_HI = 21 };
  if (__builtin_expect(generation >= OG_GFX10_1 && generation < OG_GFX11, 0))
    return wave->hwreg[HWREG_FLAT_SCR_LO] | (uint64_t)wave->hwreg[HWREG_FLAT_SCR_HI] << 32;
  if (__builtin_expect(generation < OG_GFX900, 0)) /* a lane's size, and 256ths of the wave's offset */
    return wave->hidden_private_base + ((uint64_t)wave->s[OG_S_FLAT_SCRATCH + 1] << 8);
  return og_load64(&wave->s[OG_S_FLAT_SCRATCH]);
}

/* What gfx12.5 adds a lane's private offset to for a flat address, with the lane's number from bit 52 on: a mark in
 * bits 63:58, and how many dwords a lane has before the wave's ("CDNA5" ISA, 10.2.1). */
enum { OG_SCRATCH_MARK = 1 };
static inline uint64_t og_flat_scratch_base(const struct og_wave *wave) {
  return (uint64_t)OG_SCRATCH_MARK << 58 | (uint64_t)(uintptr_t)wave->scratch >> 7 << 2;
}

/* Where LDS ends for an instruction: at the work-group's size, and up to gfx8 at M0's limit if that is less. */
static inline uint32_t og_lds_limit(const struct og_wave *wave) {
  return OG_MIN(wave->lds_size, wave->s[OG_S_M0] | ~wave->lds_limited);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

static inline struct og_window *og_window_of(struct og_wave *wave, const struct og_operation *op, bool write) {
  unsigned at = ((uintptr_t)op / sizeof *op) % OG_WINDOWS;
  return write ? &wave->windows->write[at] : &wave->windows->read[at];
}
static inline bool og_window_holds(const struct og_window *window, uint64_t address, uint64_t size) {
  uint64_t offset = address - window->start;
  return offset < window->size && size <= window->size - offset;
}
/* Whether a kernel may touch these bytes; brings the window there. */
bool og_window_move(struct og_wave *wave, struct og_window *window, uint64_t address, uint64_t size, bool write);

/* ---- the careful way --------------------------------------------------------------------------------------------- */

/* One lane's place: global and LDS addresses are plain; scratch addresses are offsets from `base`, swizzled. */
struct og_lane_place {
  enum og_space space;
  uint64_t address;
  uint64_t base;      /* of scratch */
  bool outside;       /* of the V# or of M0's limit: loads yield 0, stores are dropped */
};

/* Of an operation with `inner`: brings the addresses where og_lane_place looks for them. */
void og_work_out_addresses(struct og_wave *wave, const struct og_operation *op);
/* Where a lane's access goes; `piece` as in struct og_memory_op. */
struct og_lane_place og_lane_place(struct og_wave *wave, const struct og_operation *op, unsigned lane, unsigned piece);
/* A place in LDS that M0 may limit. */
struct og_lane_place og_lds_place(const struct og_wave *wave, uint32_t address, unsigned bytes);
/* Moves a lane's bytes. False: there was a fault. */
bool og_lane_read(struct og_wave *wave, const struct og_operation *op, unsigned lane, const struct og_lane_place *place,
                  void *bytes, unsigned size);
bool og_lane_write(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                   const struct og_lane_place *place, const void *bytes, unsigned size);
/* Whether an atomic of `size` bytes is; else there was a fault. */
bool og_lane_aligned(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                     const struct og_lane_place *place, unsigned size);
/* The host's address of a lane's aligned 4 or 8 bytes, not of scratch, for atomics; NULL: there was a fault. */
void *og_lane_pointer(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                      const struct og_lane_place *place, unsigned size);

/* Loads or stores for the lanes given. False: there was a fault, and the handler returns &og_stop. */
bool og_careful_load(struct og_wave *wave, const struct og_operation *op, uint64_t lanes);
bool og_careful_store(struct og_wave *wave, const struct og_operation *op, uint64_t lanes);

/* Where a lane's part of LDS begins, of a load that fills LDS or a store that takes from it. */
uint32_t og_own_part(const struct og_wave *wave, const struct og_operation *op, unsigned lane);
/* A lane's dwords, of a load that fills LDS. False: there was a fault. */
bool og_fill_lds(struct og_wave *wave, const struct og_operation *op, unsigned lane, const uint8_t *bytes);

/* How a buffer's accesses are checked; the first four as gfx10 to gfx12 encode them. */
enum og_bounds { OG_BOUNDS_STRUCTURED, OG_BOUNDS_INDEX, OG_BOUNDS_EMPTY, OG_BOUNDS_RAW, OG_BOUNDS_BYTES,
                OG_BOUNDS_NONE };

/* V#: a buffer's resource descriptor. */
struct og_resource {
  uint64_t base, records;
  uint32_t stride;
  bool swizzle, add_tid;
  bool whole_offset;                /* gfx12.5: the scalar offset is held against the bounds and swizzled, too */
  uint8_t out_of_bounds;            /* OOB_SELECT, from gfx10: enum og_bounds */
  uint32_t index_stride, element_size;
  uint32_t format;                  /* data format | number format << 4 up to gfx9, unified format later */
  uint8_t select[4];                /* destination component selects */
};
struct og_resource og_resource_decode_wide(const uint32_t words[4]);

/* Inline: callers need only a few of the fields, at each access of a buffer. */
static inline struct og_resource og_resource_decode(const struct og_wave *wave, const uint32_t words[4]) {
  enum og_generation generation = wave->program->target.processor->generation;
  if (generation >= OG_GFX1250)
    return og_resource_decode_wide(words);
  struct og_resource v = {
      .base = (words[1] & 0xffffull) << 32 | words[0],
      .stride = words[1] >> 16 & 0x3fff,
      .records = words[2],
      .swizzle = words[1] >> 31,
      .add_tid = words[3] >> 23 & 1,
      .index_stride = 8u << (words[3] >> 21 & 3),
      .element_size = 4,
      .select = {words[3] & 7, words[3] >> 3 & 7, words[3] >> 6 & 7, words[3] >> 9 & 7},
  };
  if (generation < OG_GFX10_1) {
    uint32_t data = words[3] >> 15 & 0xf, number = words[3] >> 12 & 7;
    v.format = data | number << 4;
    if (v.add_tid)
      v.stride |= data << 14;
    if (generation < OG_GFX900)
      v.element_size = 2u << (words[3] >> 19 & 3);
    return v;
  }
  v.format = words[3] >> 12 & (generation >= OG_GFX11 ? 0x3f : 0x7f);
  if (generation >= OG_GFX11) {
    uint32_t swizzle = words[1] >> 30; /* 0 none, 1 4 bytes, 2 8 bytes, 3 16 bytes */
    v.swizzle = swizzle != 0;
    v.element_size = 2u << OG_MAX(swizzle, 1u);
  }
  v.out_of_bounds = words[3] >> 28 & 3;
  return v;
}

/* ---- handlers that are not in og_memory_handlers ----------------------------------------------------------------- */

og_handler og_careful_load_handler, og_careful_store_handler, og_format_load, og_format_store, og_atomic_handler;
/* What does that to so many bits of memory; NULL if it is not executed. */
const struct og_atomic *og_find_atomic(enum og_memory_operation operation, enum og_value number, unsigned bits);
unsigned og_atomic_bytes(const struct og_atomic *atomic);
unsigned og_atomic_operands(const struct og_atomic *atomic);
/* An operand of 4 or 8 bytes in a lane's registers. */
uint64_t og_atomic_data(struct og_wave *wave, uint32_t at, unsigned lane, unsigned bytes);
/* On aligned memory; yields the old value. Operands in the instruction's order. */
uint64_t og_atomic_apply(struct og_wave *wave, const struct og_atomic *atomic, enum og_space space, void *at,
                         uint64_t data, uint64_t other);
/* Of a scalar load of dwords from s[0] + constant[0] + the 32 bits of s[1] and constant[1], without the two low bits:
 * how many there are. 0: it is another handler. */
unsigned og_scalar_load_dwords(og_handler *handler);
bool og_prepare_scalar_memory(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                              struct og_operation *op); /* smem.c */
/* ds.c. false: it is none of those; or op->handler is set, and an operand does not fit. */
bool og_prepare_cross_lane(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                           struct og_operation *op);

/* transpose.c: of elements of so many bits; 0: it exchanges none. */
og_handler og_transposing_load;
unsigned og_transposed_bits(const struct og_memory *facts);
/* lds_transfer.c */
og_handler og_load_to_lds, og_store_from_lds, og_load_block, og_store_block, og_barrier_arrive_handler;
bool og_prepare_barrier_arrive(const struct og_inst *inst, struct og_operation *op, struct og_memory_op *access);
/* Counts a barrier in LDS down; `old`: what stood there. False: there was a fault. */
bool og_barrier_arrive(struct og_wave *wave, const struct og_operation *op, unsigned lane, uint32_t address,
                       uint32_t update, uint64_t *old);
/* export.c */
bool og_prepare_export(struct og_program *program, const struct og_inst *inst, struct og_operation *op);
/* interpolate.c: reads of LDS without an address; what M0 names for all lanes (false: there was a fault) */
bool og_prepare_lds_direct(const struct og_inst *inst, struct og_operation *op);
bool og_lds_direct(struct og_wave *wave, const struct og_operation *op, uint32_t *value);
/* lds_transfer.c: a multicast load for the work-groups of `mask`. Each of them has to ask for itself and gets what it
 * asked for, so that the mask changes nothing but the traffic ("CDNA5" ISA, 10.7). False: there was a fault, as the
 * mask is wrong. */
bool og_multicast_mask(struct og_wave *wave, const struct og_operation *op, const char *name, uint32_t mask);
og_handler og_multicast_load;
/* tensor.c */
bool og_prepare_tensor(const struct og_inst *inst, const struct og_memory *facts, struct og_operation *op);

/* Texel conversion and filters round to nearest and keep denormals, whatever MODE says for arithmetic. */
static inline const struct og_operation *og_outside_mode(struct og_wave *wave, const struct og_operation *op,
                                                         og_handler *inner) {
  uint32_t neutral = og_float_control(0, 3);
  og_change_float_control(wave->float_control_32, neutral);
  const struct og_operation *next = inner(wave, op);
  og_change_float_control(neutral, wave->float_control_32);
  return next;
}

/* Counts an access of `size` bytes by each of the lanes. */
void og_count_access(struct og_wave *wave, enum og_space space, bool write, uint64_t lanes, unsigned size);
/* Counts LDS bank conflicts. */
void og_count_conflicts(struct og_wave *wave, const struct og_operation *op);

#endif
