/* limits.c - how many registers a function may take: few enough that the largest work-group that its attributes allow
 * fits on the SIMDs of a compute unit at once, and that as many waves fit on a SIMD as they ask for. */
#include "cc/object.h"

enum { CALLS_NEED = 56, FEWEST = 8 }; /* CALLS_NEED: the calling convention uses registers up to there */

uint32_t cc_work_group_size(const struct cc_function *c) {
  uint32_t number[2];
  unsigned count = cc_attribute_numbers(c, "amdgpu-flat-work-group-size", number, 2);
  uint32_t most = count ? number[count - 1] : 0;
  return most ? OG_MIN(most, (uint32_t)OG_WORKGROUP_MAX) : OG_WORKGROUP_MAX;
}

/* The waves that a SIMD must hold at once: its part of the largest work-group, which is spread over the SIMDs of a
 * compute unit (in WGP mode of two), or what the attributes ask for. */
static uint32_t waves(const struct cc_function *c) {
  const struct og_processor *p = c->target->processor;
  bool pair = p->cumode && !c->target->cumode;
  uint32_t size = c->target->wave_size, group = (cc_work_group_size(c) + size - 1) / size;
  uint32_t simds = p->simds_per_cu * (pair ? 2u : 1u);
  uint32_t asked[2], least = cc_attribute_numbers(c, "amdgpu-waves-per-eu", asked, 2) ? asked[0] : 1;
  return OG_MAX(OG_MAX((group + simds - 1) / simds, OG_MIN(least, (uint32_t)p->waves_per_simd)), 1u);
}

static unsigned at_most(const struct cc_function *c, const char *key, unsigned limit) {
  uint32_t number[2];
  unsigned count = cc_attribute_numbers(c, key, number, 2);
  return count && number[0] >= FEWEST ? OG_MIN(limit, number[0]) : limit;
}

void cc_register_limits(const struct cc_function *c, unsigned limit[CC_FILES]) {
  const struct og_processor *p = c->target->processor;
  uint32_t number = waves(c), granule = og_vgpr_granule(c->target, c->target->wave_size);
  uint32_t vectors = og_vgprs_total(c->target, c->target->wave_size) / number;
  vectors -= vectors % granule;
  limit[CC_V] = at_most(c, "amdgpu-num-vgpr", OG_MIN(OG_MIN((uint32_t)p->vgprs_max, 256u), vectors));
  limit[CC_A] = p->agprs_max;
  if (p->unified_vgprs) { /* both kinds are in one file */
    if (c->accumulates && c->has_matrices)
      limit[CC_V] = OG_MIN(limit[CC_V], vectors / 2);
    limit[CC_A] = OG_MIN(limit[CC_A], vectors - limit[CC_V]);
  } else {
    limit[CC_A] = OG_MIN(limit[CC_A], vectors);
  }
  limit[CC_A] = at_most(c, "amdgpu-num-vgpr", limit[CC_A]); /* the limit holds for each kind, as in llc */
  /* Before gfx8 VCC and flat_scratch take the last of 104 registers. */
  limit[CC_S] = OG_MIN(p->sgprs_max, c->isa->gfx10 ? 104u : c->isa->generation >= OG_GFX8 ? 102u : 100u);
  if (p->sgprs_counted_by) {
    uint32_t scalars = p->sgprs_total / number;
    scalars -= scalars % p->sgpr_granule + og_extra_sgprs(c->target, true, true, true);
    limit[CC_S] = OG_MIN(limit[CC_S], scalars);
  }
  limit[CC_S] = at_most(c, "amdgpu-num-sgpr", limit[CC_S]);
  uint32_t accumulators[2]; /* one number alone is the least there may be: clang says 0 where no assembly names any */
  if (cc_attribute_numbers(c, "amdgpu-agpr-alloc", accumulators, 2) == 2)
    limit[CC_A] = OG_MIN(limit[CC_A], accumulators[1]);
  for (unsigned f = CC_S; f <= CC_V && (c->has_calls || c->is_function); f++)
    limit[f] = OG_MAX(limit[f], CALLS_NEED);
}

void cc_limits_of_waves(const struct cc_function *c, const unsigned need[CC_FILES], unsigned limit[CC_FILES]) {
  const struct og_processor *p = c->target->processor;
  uint32_t granule = og_vgpr_granule(c->target, c->target->wave_size),
           total = og_vgprs_total(c->target, c->target->wave_size);
  uint32_t extra = og_extra_sgprs(c->target, true, true, true), number = p->waves_per_simd;
  if (c->has_calls || c->is_function || (need[CC_A] && p->unified_vgprs)) { /* others take some of the registers, too */
    for (unsigned f = 0; f < CC_FILES; f++)
      limit[f] = OG_MIN(limit[f], need[f]);
    return;
  }
  number = OG_MIN(number, total / (uint32_t)og_align_up(OG_MAX(need[CC_V], 1u), granule));
  if (p->sgprs_counted_by)
    number = OG_MIN(number, p->sgprs_total / (uint32_t)og_align_up(need[CC_S] + extra, p->sgpr_granule));
  number = OG_MAX(number, 1u);
  limit[CC_V] = OG_MIN(limit[CC_V], total / number / granule * granule);
  if (p->sgprs_counted_by)
    limit[CC_S] = OG_MIN(limit[CC_S], p->sgprs_total / number / p->sgpr_granule * p->sgpr_granule - extra);
}
