/* lanes.c - values from lanes that are off. ds_bpermute_b32 yields 0 for them, which nobody asks for who shuffles: what it
 * yields counts as undefined, so that it is told where something depends on it. */
#include "check/uninit.h"
#include "exec/memory.h"
#include "isa/rows.h"

bool og_check_names_lanes(const struct og_inst *inst) { return inst->row == OG_ROW_DS_BPERMUTE_B32; }

/* The lanes of a wave that those which an address can name are of: on gfx10 and gfx11 half a wave of 64. */
static unsigned among(const struct og_watch *watch, const struct og_wave *wave) {
  return watch->isa->gfx10 && !watch->isa->gfx12 ? 32 : wave->wave_size;
}

void og_check_lanes_read(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                         const struct og_known *known) {
  struct og_uninit_wave *state = og_check_wave(wave)->uninit;
  const uint32_t *address = og_at(wave, op->s[0]);
  unsigned mask = among(watch, wave) - 1, row = known->flow->writes[0].at;
  uint64_t off = 0, exec = og_active(wave);
  for (uint64_t left = ~exec ? exec : 0; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left), from = (i & ~mask) | ((address[i] + (uint32_t)op->constant[0]) / 4 & mask);
    off |= (uint64_t)!(exec >> from & 1) << i;
  }
  if (!off)
    return;
  og_uninit_tidy(state, row);
  for (uint64_t left = off; left; left &= left - 1)
    state->v[row][__builtin_ctzll(left)] = UINT32_MAX;
  og_uninit_settle(state, row, OG_ORIGIN_MEMORY + (uint32_t)(op - wave->program->operations));
}
