/* uninit.h - undefined bits: of registers, LDS and private memory, a bit for each bit that nothing has defined. */
#ifndef OG_CHECK_UNINIT_H
#define OG_CHECK_UNINIT_H

#include "check/internal.h"

/* Registers side by side, where the machine keeps them. */
struct og_uninit_use {
  bool vector;
  uint8_t dwords;
  uint16_t at;   /* index of og_wave.v or og_wave.s */
  uint8_t bytes; /* as of struct og_use */
  bool address;  /* says where memory is */
  int8_t operand; /* as of struct og_use */
};

enum og_uninit_way {
  OG_UNINIT_PASS,    /* touches no followed state */
  OG_UNINIT_COMPUTE, /* what its results depend on is found by running it */
  OG_UNINIT_COMPARE, /* one bit per lane: undefined if any source is */
  OG_UNINIT_MOVE,    /* a plain memory instruction */
  OG_UNINIT_FETCH,   /* another one: its results count as defined */
  OG_UNINIT_BRANCH,
  OG_UNINIT_INDEXED, /* registers that M0 selects, whatever the code names */
  OG_UNINIT_INDEX,   /* sets in M0 which registers VGPR indexing selects */
};

struct og_uninit_flow {
  uint8_t way; /* enum og_uninit_way */
  uint8_t read_count, write_count;
  bool by_lane; /* of comparisons */
  bool writes_exec;
  bool of_lane;  /* v_readlane_b32, v_writelane_b32 */
  bool too_many; /* results to keep */
  struct og_uninit_use reads[OG_READS_MOST], writes[OG_WRITES_MOST];
};

/* Where undefined bits came from: 0 nowhere; up to OG_ORIGIN_MEMORY a register that was never written, by og_wave.v's
 * index plus one or, plus OG_VGPRS + 1, og_wave.s's; then an instruction that loaded them, by word. */
enum { OG_ORIGIN_MEMORY = 1 << 12 };

/* The mark of a scalar register: SCC has that of TTMP0, which is never undefined. */
static inline unsigned og_uninit_scalar_bit(unsigned at) { return at < 128 ? at : 108; }
static inline void og_uninit_mark_scalar(struct og_check_marks *marks, unsigned at) {
  marks->scalar[og_uninit_scalar_bit(at) / 64] |= 1ull << og_uninit_scalar_bit(at) % 64;
}

enum { OG_PROBED_MOST = 64 };
/* A scratch wave for repeated computation, and the results. */
struct og_probe {
  struct og_wave wave;
  uint32_t first[OG_PROBED_MOST][OG_LANES], changed[OG_PROBED_MOST][OG_LANES]; /* by register of the result */
};

enum { OG_UNINIT_ROWS = OG_VGPRS + 10 };
struct og_uninit_wave {
  uint32_t s[OG_S_COUNT], origin_s[OG_S_COUNT];
  struct og_check_marks marks; /* of dirty ones */
  uint64_t whole[OG_UNINIT_ROWS / 64 + 1]; /* a bit for each row of `v` that counts as all ones, whatever stands
                                              there */
  uint32_t scratch_top;        /* from there on nothing has been written */
  uint32_t stack_scale;        /* unit of the stack pointer, in bytes of a lane; 0: not known from any access */
  bool frames_ended;           /* functions have returned */
  uint32_t rows;               /* those behind them are never undefined */
  /* What is above is as at the beginning of another wave of the kernel; of these, what the kernel has: */
  uint32_t origin_v[OG_UNINIT_ROWS];
  uint64_t lanes_v[OG_UNINIT_ROWS]; /* lanes that have any; of others `v` counts for nothing */
  uint32_t *scratch;           /* by dword and lane */
  uint32_t scratch_size;       /* bytes of a lane that there is room for */
  _Alignas(64) uint32_t v[OG_UNINIT_ROWS][OG_LANES];
};

/* Whether the instruction may touch undefined registers. */
static inline bool og_uninit_may(const struct og_uninit_wave *state, const struct og_known *known) {
  return og_check_common(&known->uninit, &state->marks);
}
static inline bool og_uninit_is_whole(const struct og_uninit_wave *state, unsigned row) {
  return state->whole[row / 64] >> row % 64 & 1;
}
/* The undefined bits of a lane. */
static inline uint32_t og_uninit_bits(const struct og_uninit_wave *state, unsigned row, unsigned lane) {
  return !(state->lanes_v[row] >> lane & 1) ? 0 : og_uninit_is_whole(state, row) ? UINT32_MAX : state->v[row][lane];
}

/* uninit_flow.c: of what the instruction touches this time, where an index in M0 says it, as og_check_indexed() has it;
 * the index itself is not among what is read. */
bool og_uninit_indexed(const struct og_wave *wave, const struct og_known *known, struct og_uninit_flow *flow,
                       uint32_t *deciding);
/* uninit_memory.c: loads, stores, atomics. */
void og_uninit_memory_begin(struct og_watch *watch, struct og_wave *wave, struct og_check_wave *state);
void og_uninit_move(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known, struct og_places *places);
/* uninit_memory.c: a function returns: what is above the stack pointer was its own. */
void og_uninit_end_frame(struct og_wave *wave);
/* fresh.c */
uint64_t og_check_fresh_bits(const struct og_wave *wave, struct og_window *window, uint64_t address, unsigned size);
/* uninit.c: reports that something depends on undefined bits from there. */
void og_uninit_tell(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op, uint32_t origin,
                    int lane, const char *does);
/* Brings lanes_v in line with a row, which is tidy; `origin` counts where it has any. */
void og_uninit_settle(struct og_uninit_wave *state, unsigned row, uint32_t origin);
/* Lanes that have no undefined bits have zeros in the row. */
void og_uninit_tidy(struct og_uninit_wave *state, unsigned row);
/* The one that v_readlane_b32 and v_writelane_b32 take. */
static inline unsigned og_uninit_lane(struct og_wave *wave, const struct og_operation *op) {
  return og_scalar32(wave, op, 1) & (wave->wave_size - 1u);
}
/* A result's active lanes count as defined. */
void og_uninit_define(struct og_uninit_wave *state, const struct og_wave *wave, const struct og_uninit_use *use);

#endif
