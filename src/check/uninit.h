/* uninit.h - undefined bits: for each bit of registers, LDS and private memory, whether nothing has defined it. */
#ifndef OG_CHECK_UNINIT_H
#define OG_CHECK_UNINIT_H

#include "check/internal.h"

/* Registers side by side, where the emulated wave keeps them. */
struct og_uninit_use {
  bool vector;
  uint8_t dwords;
  uint16_t at;   /* index of og_wave.v or og_wave.s */
  uint8_t bytes; /* as in struct og_use */
  bool address;  /* it says which memory is accessed */
  int8_t operand; /* as in struct og_use */
};

enum og_uninit_way {
  OG_UNINIT_PASS,    /* no register or memory that is followed */
  OG_UNINIT_COMPUTE, /* the effect of sources on results is found by running it */
  OG_UNINIT_COMPARE, /* a bit for each lane, undefined if any source is */
  OG_UNINIT_MOVE,    /* a plain memory instruction */
  OG_UNINIT_FETCH,   /* another memory instruction: its results count as defined */
  OG_UNINIT_BRANCH,
  OG_UNINIT_INDEXED, /* M0 selects registers, whatever registers the code names */
  OG_UNINIT_INDEX,   /* sets in M0 which registers VGPR indexing selects */
};

struct og_uninit_flow {
  uint8_t way; /* enum og_uninit_way */
  uint8_t read_count, write_count;
  bool by_lane; /* comparisons: a bit for each lane */
  bool writes_exec;
  bool of_lane;  /* v_readlane_b32, v_writelane_b32 */
  bool too_many; /* it has more results than can be kept */
  struct og_uninit_use reads[OG_READS_MOST], writes[OG_WRITES_MOST];
};

/* Where undefined bits come from. 0: nowhere. Up to OG_ORIGIN_MEMORY: a register that was never written, for vectors 1
 * + its index in og_wave.v, for scalars OG_VGPRS + 1 + its index in og_wave.s. Beyond: the word of an instruction that
 * loaded them. */
enum { OG_ORIGIN_MEMORY = 1 << 12 };

/* The mark of a scalar register. SCC has the mark of TTMP0, which is never undefined. */
static inline unsigned og_uninit_scalar_bit(unsigned at) { return at < 128 ? at : 108; }
static inline void og_uninit_mark_scalar(struct og_check_marks *marks, unsigned at) {
  marks->scalar[og_uninit_scalar_bit(at) / 64] |= 1ull << og_uninit_scalar_bit(at) % 64;
}

enum { OG_PROBED_MOST = 64 };
/* A spare wave in which computations are repeated, and the results. */
struct og_probe {
  struct og_wave wave;
  uint32_t first[OG_PROBED_MOST][OG_LANES], changed[OG_PROBED_MOST][OG_LANES]; /* by register of the result */
};

enum { OG_UNINIT_ROWS = OG_VGPRS + 10 };
struct og_uninit_wave {
  uint32_t s[OG_S_COUNT], origin_s[OG_S_COUNT];
  struct og_check_marks marks; /* of registers with undefined bits */
  uint64_t whole[OG_UNINIT_ROWS / 64 + 1]; /* a bit for each row of `v` that counts as all ones, whatever it holds */
  uint32_t scratch_top;        /* nothing has been written from there on */
  uint32_t stack_scale;        /* the unit of the stack pointer, in bytes of a lane; 0: no access has shown it yet */
  bool frames_ended;           /* a function has returned */
  uint32_t rows;               /* rows from there on are never undefined */
  /* The fields above begin anew with each wave; of those below only as much as the kernel uses. */
  uint32_t origin_v[OG_UNINIT_ROWS];
  uint64_t lanes_v[OG_UNINIT_ROWS]; /* lanes with undefined bits; for other lanes `v` does not count */
  uint32_t *scratch;           /* by dword and lane */
  uint32_t scratch_size;       /* bytes of each lane for which there is room */
  _Alignas(64) uint32_t v[OG_UNINIT_ROWS][OG_LANES];
};

/* Whether the instruction may access undefined registers. */
static inline bool og_uninit_may(const struct og_uninit_wave *state, const struct og_known *known) {
  return og_check_common(&known->uninit, &state->marks);
}
static inline bool og_uninit_is_whole(const struct og_uninit_wave *state, unsigned row) {
  return state->whole[row / 64] >> row % 64 & 1;
}
/* The undefined bits of a lane in a row. */
static inline uint32_t og_uninit_bits(const struct og_uninit_wave *state, unsigned row, unsigned lane) {
  return !(state->lanes_v[row] >> lane & 1) ? 0 : og_uninit_is_whole(state, row) ? UINT32_MAX : state->v[row][lane];
}

/* uninit_flow.c: the flow of what an instruction accesses this time if an index in M0 selects it, as from
 * og_check_indexed(). The index itself is not listed as read. */
bool og_uninit_indexed(const struct og_wave *wave, const struct og_known *known, struct og_uninit_flow *flow,
                       uint32_t *deciding);
/* uninit_memory.c: loads, stores, atomics. */
void og_uninit_memory_begin(struct og_watch *watch, struct og_wave *wave, struct og_check_wave *state);
void og_uninit_move(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known, struct og_places *places);
/* uninit_memory.c: when a function returns, what is above the stack pointer was its own. */
void og_uninit_end_frame(struct og_wave *wave);
/* fresh.c */
uint64_t og_check_fresh_bits(const struct og_wave *wave, struct og_window *window, uint64_t address, unsigned size);
/* uninit.c: reports that something depends on undefined bits with that origin. */
void og_uninit_tell(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op, uint32_t origin,
                    int lane, const char *does);
/* Updates lanes_v by a tidy row; `origin` is used if some lanes have undefined bits. */
void og_uninit_settle(struct og_uninit_wave *state, unsigned row, uint32_t origin);
/* Makes a row tidy: lanes without undefined bits have zeros there. */
void og_uninit_tidy(struct og_uninit_wave *state, unsigned row);
/* The lane that v_readlane_b32 and v_writelane_b32 select. */
static inline unsigned og_uninit_lane(struct og_wave *wave, const struct og_operation *op) {
  return og_scalar32(wave, op, 1) & (wave->wave_size - 1u);
}
/* Makes a result defined in active lanes. */
void og_uninit_define(struct og_uninit_wave *state, const struct og_wave *wave, const struct og_uninit_use *use);

#endif
