/* uninit.c - values that nothing has defined. For each bit of a register a second bit says whether it is undefined. To
 * find the effect of undefined bits on a computation, it is repeated with these bits changed: result bits that change
 * are undefined. So and, shifts, selects, permutations, masks and sub-registers need no rules of their own. Uses that
 * depend on undefined bits are reported: branches, EXEC masks, addresses, stores to global memory. */
#include "check/uninit.h"
#include "exec/memory.h"
#include "isa/rows.h"

#include <string.h>

/* ---- at the start ------------------------------------------------------------------------------------------------ */

static void undefine(struct og_uninit_wave *state, unsigned row, unsigned count, uint64_t lanes) {
  for (unsigned i = row; i < row + count; i++) {
    state->origin_v[i] = i + 1, state->lanes_v[i] = lanes;
    state->whole[i / 64] |= 1ull << i % 64;
  }
}

static void define_inputs(struct og_uninit_wave *state, const struct og_initial_state *start) {
  memset(state->s, 0, start->user_sgprs * sizeof *state->s);
  for (unsigned i = 0; i < OG_INPUT_COUNT; i++) {
    const struct og_input_place *place = &start->inputs[i];
    for (unsigned k = 0; k < OG_MAX(place->count, 1u); k++)
      if (place->file == OG_FILE_SGPR)
        state->s[place->reg + k] = 0;
      else if (place->file == OG_FILE_VGPR)
        state->lanes_v[place->reg + k] = 0;
  }
}

const struct og_check_marks *og_check_uninit_marks(const struct og_check_wave *state) { return &state->uninit->marks; }

/* How each wave of the kernel begins, without `v`. */
static struct og_uninit_wave *make_start(const struct og_watch *watch, unsigned wave_size) {
  const struct og_initial_state *start = watch->start;
  struct og_uninit_wave *state = og_check_lines(watch->arena, offsetof(struct og_uninit_wave, v));
  memset(state->s, 0xff, OG_SGPRS_MOST * sizeof *state->s);
  state->s[OG_S_VCC] = state->s[OG_S_VCC + 1] = state->s[OG_S_M0] = UINT32_MAX;
  state->s[OG_S_SCC] = 1;
  for (unsigned i = 0; i < OG_S_COUNT; i++)
    state->origin_s[i] = OG_VGPRS + 11 + i;
  unsigned vgprs = OG_MIN(start->vgprs, (unsigned)OG_VGPRS); /* registers shared by the halves are not followed */
  uint64_t lanes = wave_size == 32 ? UINT32_MAX : UINT64_MAX;
  undefine(state, 0, vgprs, lanes);
  undefine(state, 256, OG_MIN(start->agprs, 256u), lanes);
  define_inputs(state, start);
  state->rows = start->agprs ? OG_MAX(256 + OG_MIN(start->agprs, 256u), vgprs) : vgprs;
  for (unsigned i = 0; i < state->rows; i++)
    state->marks.vector |= state->lanes_v[i] ? og_check_mark(i) : 0;
  for (unsigned i = 0; i < OG_S_SINK; i++)
    if (state->s[i])
      og_uninit_mark_scalar(&state->marks, i);
  return state;
}

void og_check_uninit_begin(struct og_watch *watch, struct og_wave *wave, struct og_check_wave *of) {
  if (!watch->uninit_start)
    watch->uninit_start = make_start(watch, wave->wave_size);
  if (!of->uninit)
    of->uninit = og_check_lines(watch->arena, sizeof *of->uninit);
  struct og_uninit_wave *state = of->uninit;
  const struct og_uninit_wave *start = watch->uninit_start;
  of->undefined = og_check_uninit_marks(of);
  og_check_copy(state, start, offsetof(struct og_uninit_wave, origin_v));
  og_check_copy(state->origin_v, start->origin_v, start->rows * sizeof *state->origin_v);
  og_check_copy(state->lanes_v, start->lanes_v, start->rows * sizeof *state->lanes_v);
  og_uninit_memory_begin(watch, wave, of);
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

static const char *name_of(struct og_watch *watch, uint32_t origin) {
  unsigned row = origin - 1, scalar = origin - OG_VGPRS - 11;
  if (row < OG_VGPRS + 10)
    return og_arena_printf(watch->arena, row >= 256 && watch->start->agprs ? "a%u" : "v%u",
                           row >= 256 && watch->start->agprs ? row - 256 : row);
  switch (scalar) {
  case OG_S_VCC:
  case OG_S_VCC + 1: return "vcc";
  case OG_S_M0: return "m0";
  case OG_S_SCC: return "scc";
  default: return og_arena_printf(watch->arena, "s%u", scalar);
  }
}

void og_uninit_tell(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op, uint32_t origin,
                    int lane, const char *does) {
  const struct og_operation *from = wave->program->operations + (origin - OG_ORIGIN_MEMORY);
  uint64_t other = origin >= OG_ORIGIN_MEMORY ? og_pc(wave->program, from) : 0;
  bool stale = other && og_check_known(watch, wave, from)->inst->row == OG_ROW_V_READLANE_B32; /* readlane.c */
  bool lanes = stale || (other && og_check_known(watch, wave, from)->names_lanes);
  struct og_finding *finding = og_check_find(watch, lanes ? OG_CHECK_DIVERGENCE : OG_CHECK_UNINIT, wave,
                                             og_pc(wave->program, op), other, lane);
  if (finding->does)
    return;
  if (lanes) {
    finding->does = og_arena_printf(watch->arena, "%s that comes from a lane that was off,", does);
    finding->while_ =
        stale ? "read it from a register that was last written without that lane" : "read it, and had 0 for it";
  } else if (other) {
    finding->does = og_arena_printf(watch->arena, "%s that nothing has defined,", does);
    finding->while_ =
        og_check_wave(wave)->uninit->frames_ended && og_check_known(watch, wave, from)->memory->space != OG_IN_LDS
            ? "loaded it from memory that nothing had written, or that was of a function that has returned"
            : "loaded it from memory that nothing had written";
  } else if (origin)
    finding->does =
        og_arena_printf(watch->arena, "%s that nothing has defined: it comes from %s, which was never written", does,
                        name_of(watch, origin));
  else
    finding->does = og_arena_printf(watch->arena, "%s that nothing has defined", does);
}

/* ---- sources ----------------------------------------------------------------------------------------------------- */

/* Whether a source has undefined bits in one of these lanes. */
static bool is_dirty(const struct og_uninit_wave *state, const struct og_uninit_use *use, uint64_t lanes) {
  uint64_t any = 0;
  if (use->vector)
    for (unsigned i = 0; i < use->dwords; i++)
      any |= state->lanes_v[use->at + i] & lanes;
  else
    for (unsigned i = 0; i < use->dwords; i++)
      any |= state->s[use->at + i];
  return any != 0;
}

static bool any_dirty(const struct og_uninit_wave *state, const struct og_uninit_use *uses, unsigned count,
                      uint64_t lanes) {
  for (unsigned i = 0; i < count; i++)
    if (is_dirty(state, &uses[i], lanes))
      return true;
  return false;
}

static uint32_t bits_of(unsigned bytes) {
  return (bytes & 1 ? 0xffu : 0) | (bytes & 2 ? 0xff00u : 0) | (bytes & 4 ? 0xff0000u : 0) |
         (bytes & 8 ? 0xff000000u : 0);
}

/* The active lanes in which a source has undefined bits; all lanes for a scalar; for a mask the lanes of its bits. */
static uint64_t undefined_lanes(const struct og_uninit_wave *state, const struct og_wave *wave,
                                const struct og_uninit_use *use) {
  uint64_t lanes = 0;
  for (unsigned d = 0; d < use->dwords; d++) {
    if (!use->vector) {
      lanes |= state->s[use->at + d] ? UINT64_MAX : 0;
      continue;
    }
    for (uint64_t left = state->lanes_v[use->at + d]; left; left &= left - 1) {
      unsigned i = (unsigned)__builtin_ctzll(left);
      lanes |= (uint64_t)((og_uninit_bits(state, use->at + d, i) & bits_of(use->bytes)) != 0) << i;
    }
  }
  return lanes & og_active(wave);
}

static uint32_t origin_of(const struct og_uninit_wave *state, const struct og_uninit_use *uses, unsigned count,
                          uint64_t lanes) {
  for (unsigned i = 0; i < count; i++)
    for (unsigned d = 0; d < uses[i].dwords; d++)
      if (uses[i].vector ? (state->lanes_v[uses[i].at + d] & lanes) != 0 : state->s[uses[i].at + d] != 0)
        return uses[i].vector ? state->origin_v[uses[i].at + d] : state->origin_s[uses[i].at + d];
  return 0;
}

/* Clears marks of registers that have been defined since. */
static void renew_marks(struct og_uninit_wave *state, const struct og_check_marks *touched) {
  for (uint64_t marks = touched->vector & state->marks.vector; marks; marks &= marks - 1) {
    unsigned bit = (unsigned)__builtin_ctzll(marks);
    uint64_t any = 0;
    for (unsigned row = bit; row < state->rows; row += 64)
      any |= state->lanes_v[row];
    state->marks.vector &= ~((uint64_t)!any << bit);
  }
  for (unsigned half = 0; half < 2; half++)
    for (uint64_t marks = touched->scalar[half] & state->marks.scalar[half]; marks; marks &= marks - 1) {
      unsigned bit = (unsigned)__builtin_ctzll(marks), at = 64 * half + bit;
      if (!state->s[at] && (at != og_uninit_scalar_bit(OG_S_SCC) || !state->s[OG_S_SCC]))
        state->marks.scalar[half] &= ~(1ull << bit);
    }
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

OG_CHECK_LANES(uint64_t, lanes_of, (const uint32_t *row), (row), {
  enum { TO_BYTE = 0x0102040810204080 }; /* multiplication collects the lowest bits of all bytes in the highest byte */
  uint8_t any[OG_LANES];
  uint64_t lanes = 0;
  for (unsigned i = 0; i < OG_LANES; i++)
    any[i] = row[i] != 0;
  for (unsigned i = 0; i < OG_LANES; i += 8)
    lanes |= og_load64(any + i) * TO_BYTE >> 56 << i;
  return lanes;
})

/* For rows that count as all ones: makes them so. */
OG_CHECK_LANES(void, keep_lanes, (uint32_t *row, uint64_t lanes, uint32_t ones), (row, lanes, ones), {
  for (unsigned half = 0; half < OG_LANES / 32; half++)
    for (unsigned i = 0; i < 32; i++)
      row[32 * half + i] = (row[32 * half + i] | ones) & (0 - ((uint32_t)(lanes >> 32 * half) >> i & 1));
})

void og_uninit_tidy(struct og_uninit_wave *state, unsigned row) {
  keep_lanes(state->v[row], state->lanes_v[row], og_uninit_is_whole(state, row) ? UINT32_MAX : 0);
  state->whole[row / 64] &= ~(1ull << row % 64);
}

void og_uninit_settle(struct og_uninit_wave *state, unsigned row, uint32_t origin) {
  state->lanes_v[row] = lanes_of(state->v[row]);
  if (state->lanes_v[row]) {
    state->origin_v[row] = origin;
    state->marks.vector |= og_check_mark(row);
  }
}

void og_uninit_define(struct og_uninit_wave *state, const struct og_wave *wave, const struct og_uninit_use *use) {
  for (unsigned d = 0; d < use->dwords; d++) {
    unsigned at = use->at + d;
    if (!use->vector) {
      state->s[at] = 0;
    } else if (use->bytes == 15) {
      state->lanes_v[at] &= ~og_active(wave);
    } else if (state->lanes_v[at]) {
      og_uninit_tidy(state, at);
      for (unsigned i = 0; i < OG_LANES; i++)
        state->v[at][i] &= ~(wave->lanes[i] & bits_of(use->bytes));
      og_uninit_settle(state, at, state->origin_v[at]);
    }
  }
}

/* EXEC never stays undefined: the instruction that made it so is reported. */
static void look_at_exec(struct og_watch *watch, struct og_uninit_wave *state, struct og_wave *wave,
                         const struct og_operation *op) {
  uint64_t exec = og_load64(&state->s[OG_S_EXEC]);
  if (wave->wave_size == 32)
    exec &= UINT32_MAX;
  if (exec)
    og_uninit_tell(watch, wave, op, state->origin_s[state->s[OG_S_EXEC] ? OG_S_EXEC : OG_S_EXEC + 1],
                   __builtin_ctzll(exec), "lets lanes go on by a value");
  state->s[OG_S_EXEC] = state->s[OG_S_EXEC + 1] = 0;
}

/* ---- computing --------------------------------------------------------------------------------------------------- */

enum { PROBES = 4 };

/* Values for undefined bits, for the i-th lane or register: all 0, all 1, then bits that look random. */
static inline uint32_t pattern(unsigned probe, unsigned i) {
  uint32_t ones = 0 - (uint32_t)(probe == 1), any = 0 - (uint32_t)(probe > 1);
  return ((((probe * 64 + i) * 0x9e3779b9u) ^ (i * 0x85ebca6bu) >> 3) & any) | ones;
}

OG_CHECK_LANES(void, fill_row,
               (uint32_t *restrict row, const uint32_t *restrict values, const uint32_t *restrict undefined,
                unsigned probe),
               (row, values, undefined, probe), {
                 for (unsigned i = 0; i < OG_LANES; i++)
                   row[i] = (values[i] & ~undefined[i]) | (pattern(probe, i) & undefined[i]);
               })

/* Copies the registers, with other values for undefined bits. */
static void fill(struct og_wave *probe, const struct og_wave *wave, const struct og_uninit_wave *state, unsigned number,
                 const struct og_uninit_use *uses, unsigned count) {
  for (unsigned u = 0; u < count; u++)
    for (unsigned d = 0; d < uses[u].dwords; d++) {
      unsigned at = uses[u].at + d;
      if (!uses[u].vector)
        probe->s[at] = (wave->s[at] & ~state->s[at]) | (pattern(number, at) & state->s[at]);
      else if (!state->lanes_v[at])
        memcpy(probe->v[at], wave->v[at], sizeof probe->v[at]);
      else
        fill_row(probe->v[at], wave->v[at], state->v[at], number);
    }
}

OG_CHECK_LANES(void, note_row, (const uint32_t *restrict now, uint32_t *restrict first, uint32_t *restrict changed),
               (now, first, changed), {
  for (unsigned i = 0; i < OG_LANES; i++)
    changed[i] |= now[i] ^ first[i];
})

static void note(const struct og_wave *probe, const struct og_uninit_use *use, uint32_t first[][OG_LANES],
                 uint32_t changed[][OG_LANES], unsigned number) {
  for (unsigned d = 0; d < use->dwords; d++) {
    const uint32_t *now = use->vector ? probe->v[use->at + d] : &probe->s[use->at + d];
    size_t size = (use->vector ? OG_LANES : 1) * sizeof *now;
    if (number == 0)
      memcpy(first[d], now, size), memset(changed[d], 0, size);
    else if (use->vector)
      note_row(now, first[d], changed[d]);
    else
      changed[d][0] |= now[0] ^ first[d][0];
  }
}

static void keep(struct og_uninit_wave *state, const struct og_uninit_use *use, uint32_t changed[][OG_LANES],
                 uint32_t origin) {
  for (unsigned d = 0; d < use->dwords; d++) {
    unsigned at = use->at + d;
    if (use->vector) {
      memcpy(state->v[at], changed[d], sizeof state->v[at]);
      state->whole[at / 64] &= ~(1ull << at % 64);
      og_uninit_settle(state, at, origin);
    } else if (at < OG_S_SINK) {
      state->s[at] = changed[d][0];
      state->origin_s[at] = origin;
      og_uninit_mark_scalar(&state->marks, at);
    }
  }
}

static void tidy(struct og_uninit_wave *state, const struct og_uninit_use *uses, unsigned count) {
  for (unsigned u = 0; u < count; u++)
    for (unsigned d = 0; uses[u].vector && d < uses[u].dwords; d++)
      og_uninit_tidy(state, uses[u].at + d);
}

/* Repeats an instruction with other values for undefined bits; `moved`: the operation on registers that M0 selects, or
 * `op` itself. */
static void compute(struct og_watch *watch, struct og_uninit_wave *state, struct og_wave *wave,
                    const struct og_operation *op, const struct og_operation *moved, const struct og_uninit_flow *flow,
                    uint64_t among) {
  static const size_t head = offsetof(struct og_wave, v);
  uint32_t origin = origin_of(state, flow->reads, flow->read_count, among);
  tidy(state, flow->reads, flow->read_count);
  tidy(state, flow->writes, flow->write_count);
  if (!watch->probe)
    watch->probe = og_check_lines(watch->arena, sizeof *watch->probe);
  struct og_probe *probe = watch->probe;
  memcpy(&probe->wave, wave, head);
  og_handler *handler = og_check_handler(wave, op);
  probe->wave.observer = NULL;
  probe->wave.counts = NULL;
  for (unsigned number = 0; number < PROBES; number++) {
    fill(&probe->wave, wave, state, number, flow->reads, flow->read_count);
    fill(&probe->wave, wave, state, number, flow->writes, flow->write_count);
    og_store64(&probe->wave.s[OG_S_EXEC], og_exec(wave));
    if (number && flow->writes_exec)
      og_exec_changed(&probe->wave);
    handler(&probe->wave, moved);
    unsigned row = 0;
    for (unsigned i = 0; i < flow->write_count; row += flow->writes[i].dwords, i++)
      note(&probe->wave, &flow->writes[i], probe->first + row, probe->changed + row, number);
  }
  unsigned row = 0;
  for (unsigned i = 0; i < flow->write_count; row += flow->writes[i].dwords, i++)
    keep(state, &flow->writes[i], probe->changed + row, origin);
}

/* A comparison, with one bit for each lane or one for all: any undefined source makes it undefined. */
static void compare(struct og_uninit_wave *state, const struct og_wave *wave, const struct og_uninit_flow *flow) {
  uint64_t lanes = 0;
  uint32_t origin = 0;
  for (unsigned i = 0; i < flow->read_count; i++) {
    const struct og_uninit_use *use = &flow->reads[i];
    uint64_t one = flow->by_lane ? undefined_lanes(state, wave, use) : is_dirty(state, use, UINT64_MAX) ? 1 : 0;
    if (one && !lanes)
      origin = origin_of(state, use, 1, UINT64_MAX);
    lanes |= one;
  }
  for (unsigned i = 0; i < flow->write_count; i++)
    for (unsigned d = 0; d < flow->writes[i].dwords && flow->writes[i].at != OG_S_ZERO; d++) {
      state->s[flow->writes[i].at + d] = (uint32_t)(lanes >> 32 * d);
      state->origin_s[flow->writes[i].at + d] = origin;
      og_uninit_mark_scalar(&state->marks, flow->writes[i].at + d);
    }
}

/* ---- what depends on them ---------------------------------------------------------------------------------------- */

static void branch(struct og_watch *watch, struct og_uninit_wave *state, struct og_wave *wave,
                   const struct og_operation *op, const struct og_uninit_flow *flow) {
  for (unsigned i = 0; i < flow->read_count; i++) {
    const struct og_uninit_use *use = &flow->reads[i];
    if (use->vector || !is_dirty(state, use, 0))
      continue;
    bool decided = false; /* a mask that certainly has a bit set is not 0 */
    for (unsigned d = 0; d < use->dwords && use->at == OG_S_VCC; d++)
      decided |= (wave->s[use->at + d] & ~state->s[use->at + d]) != 0;
    if (!decided)
      og_uninit_tell(watch, wave, op, origin_of(state, use, 1, 0), -1, "branches on a value");
    memset(&state->s[use->at], 0, use->dwords * sizeof *state->s); /* each is reported once */
  }
  for (unsigned i = 0; i < flow->write_count; i++)
    og_uninit_define(state, wave, &flow->writes[i]);
}

static void addresses(struct og_watch *watch, struct og_uninit_wave *state, struct og_wave *wave,
                      const struct og_operation *op, const struct og_known *known) {
  const struct og_uninit_flow *flow = known->flow;
  if (known->vector && !og_active(wave))
    return;
  for (unsigned i = 0; i < flow->read_count; i++) {
    const struct og_uninit_use *use = &flow->reads[i];
    if (!use->address || !is_dirty(state, use, og_active(wave)))
      continue;
    uint64_t lanes = known->vector ? undefined_lanes(state, wave, use) : 1;
    if (lanes)
      og_uninit_tell(watch, wave, op, origin_of(state, use, 1, lanes), use->vector ? __builtin_ctzll(lanes) : -1,
                     "goes to an address");
  }
}

/* Passes undefined bits from sources to results. */
static void follow(struct og_watch *watch, struct og_uninit_wave *state, struct og_wave *wave,
                   const struct og_operation *op, const struct og_operation *moved, const struct og_uninit_flow *flow,
                   uint64_t among) {
  if (flow->way == OG_UNINIT_COMPARE)
    compare(state, wave, flow);
  else if (!flow->too_many && any_dirty(state, flow->reads, flow->read_count, among))
    compute(watch, state, wave, op, moved, flow, among);
  else
    for (unsigned i = 0; i < flow->write_count; i++)
      og_uninit_define(state, wave, &flow->writes[i]);
}

/* Instructions whose registers M0 selects. The index must be defined, since otherwise any register might be
 * accessed. */
static void indexed(struct og_watch *watch, struct og_uninit_wave *state, struct og_wave *wave,
                    const struct og_operation *op, const struct og_known *known, uint64_t among) {
  struct og_uninit_flow flow;
  struct og_operation moved;
  uint32_t deciding;
  if (known->flow->way == OG_UNINIT_PASS || (known->vector && !og_active(wave) && !known->all_lanes))
    return;
  if (!og_uninit_indexed(wave, known, &flow, &deciding) || !og_check_indexed_operation(wave, op, known, &moved)) {
    for (unsigned i = 0; i < known->flow->write_count; i++)
      og_uninit_define(state, wave, &known->flow->writes[i]);
    return;
  }
  if (state->s[OG_S_M0] & deciding)
    og_uninit_tell(watch, wave, op, state->origin_s[OG_S_M0], -1, "picks a register by a value");
  state->s[OG_S_M0] &= ~deciding;
  follow(watch, state, wave, op, &moved, &flow, among);
}

/* s_set_gpr_idx_*: the index goes to bits 7:0 of M0; which operands are indexed, a constant, to bits 15:12. */
static void set_index(struct og_uninit_wave *state, const struct og_known *known) {
  const struct og_uninit_use *use = &known->flow->reads[0];
  uint32_t old = state->s[OG_S_M0];
  if (known->inst->row != OG_ROW_S_SET_GPR_IDX_IDX)
    state->s[OG_S_M0] &= ~0xf000u;
  if (known->inst->row == OG_ROW_S_SET_GPR_IDX_MODE)
    return;
  bool has = known->flow->read_count && use->operand >= 0;
  uint32_t index = !has ? 0 : (use->at == OG_S_M0 ? old : state->s[use->at]) & 0xff;
  if (index)
    state->origin_s[OG_S_M0] = state->origin_s[use->at];
  state->s[OG_S_M0] = (state->s[OG_S_M0] & ~0xffu) | index;
  og_uninit_mark_scalar(&state->marks, OG_S_M0);
}

bool og_check_uninit_define(struct og_wave *wave, const struct og_known *known) {
  const struct og_check_wave *of = og_check_wave(wave);
  struct og_uninit_wave *state = of->uninit;
  if (og_check_common(&known->needs, &state->marks) || of->indexes)
    return false;
  uint64_t exec = og_active(wave);
  if (known->vector && !exec && !known->all_lanes)
    return true;
  for (unsigned i = 0; i < known->flow->write_count; i++) {
    const struct og_uninit_use *use = &known->flow->writes[i];
    for (unsigned d = 0; d < use->dwords; d++)
      if (use->vector)
        state->lanes_v[use->at + d] &= ~exec;
      else
        state->s[use->at + d] = 0;
  }
  renew_marks(state, &known->uninit);
  return true;
}

bool og_check_uninit_define_all(struct og_wave *wave, const struct og_known *known) {
  struct og_uninit_wave *state = og_check_wave(wave)->uninit;
  const struct og_check_marks *defines = &known->stretch.defines;
  if (og_active(wave) != (wave->wave_size == 32 ? UINT32_MAX : UINT64_MAX))
    return false;
  for (uint64_t rows = state->marks.vector & defines->vector; rows; rows &= rows - 1)
    state->lanes_v[__builtin_ctzll(rows)] = 0;
  for (unsigned half = 0; half < 2; half++)
    for (uint64_t left = state->marks.scalar[half] & defines->scalar[half]; left; left &= left - 1) {
      unsigned at = 64 * half + (unsigned)__builtin_ctzll(left);
      state->s[at == og_uninit_scalar_bit(OG_S_SCC) ? OG_S_SCC : at] = 0;
      state->marks.scalar[half] &= ~(left & -left);
    }
  state->marks.vector &= ~defines->vector;
  return true;
}

/* v_readlane_b32 and v_writelane_b32 of defined lanes: scalars are often kept in lanes of a register whose other lanes
 * nothing defines. False: it is another case. */
static bool move_lane(struct og_uninit_wave *state, struct og_wave *wave, const struct og_operation *op,
                      const struct og_known *known) {
  const struct og_uninit_flow *flow = known->flow;
  uint64_t lane = 1ull << og_uninit_lane(wave, op);
  bool reads = !flow->writes[0].vector;
  for (unsigned i = 0; i < flow->read_count; i++)
    if (is_dirty(state, &flow->reads[i], reads ? lane : 0))
      return false;
  unsigned to = flow->writes[0].at;
  if (reads)
    state->s[to] = 0;
  else
    state->lanes_v[to] &= ~lane;
  if (reads || !state->lanes_v[to])
    renew_marks(state, &known->uninit);
  return true;
}

void og_check_uninit(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, struct og_places *places) {
  const struct og_uninit_flow *flow = known->flow;
  struct og_uninit_wave *state = og_check_wave(wave)->uninit;
  if (og_check_is_indexed(wave, op, known)) {
    indexed(watch, state, wave, op, known, known->all_lanes ? UINT64_MAX : og_active(wave));
    return;
  }
  if (flow->way == OG_UNINIT_PASS)
    return;
  if (known->returns)
    og_uninit_end_frame(wave);
  if (flow->way == OG_UNINIT_MOVE || flow->way == OG_UNINIT_FETCH) {
    if (og_uninit_may(state, known)) {
      addresses(watch, state, wave, op, known);
      renew_marks(state, &known->uninit);
    }
    if (places)
      og_uninit_move(watch, wave, op, known, places);
    else if (!known->vector || og_active(wave))
      for (unsigned i = 0; i < flow->write_count; i++)
        og_uninit_define(state, wave, &flow->writes[i]);
    return;
  }
  if (!og_uninit_may(state, known) || (flow->of_lane && move_lane(state, wave, op, known)))
    return;
  uint64_t among = known->all_lanes ? UINT64_MAX : og_active(wave);
  if (flow->way == OG_UNINIT_INDEX) {
    set_index(state, known);
    return;
  }
  if (!any_dirty(state, flow->reads, flow->read_count, among) &&
      !any_dirty(state, flow->writes, flow->write_count, among)) {
    renew_marks(state, &known->uninit);
    return;
  }
  if (flow->way == OG_UNINIT_BRANCH)
    branch(watch, state, wave, op, flow);
  else if (known->vector && !og_active(wave) && !known->all_lanes)
    return;
  else
    follow(watch, state, wave, op, op, flow, among);
  if (flow->writes_exec)
    look_at_exec(watch, state, wave, op);
}
