/* occupancy.c - waves per SIMD that registers and LDS allow. Register files and granules: the ISA manuals' chapters on
 * shader state; barriers per compute unit: those on work-groups. */
#include "object/code/occupancy.h"

enum { BARRIERS_PER_CU = 16 };

static uint32_t divide_up(uint32_t a, uint32_t b) {
  return (a + b - 1) / b;
}

static uint32_t by_vgprs(const struct og_target *target, const struct og_kernel *kernel, unsigned wave_size) {
  uint32_t total = og_vgprs_total(target, wave_size), granule = og_vgpr_granule(target, wave_size);
  uint32_t used = kernel->vgpr_count ? kernel->vgpr_count : kernel->start.vgprs_total;
  if (kernel->agpr_count && !target->processor->unified_vgprs)
    used = OG_MAX(used, kernel->agpr_count);
  uint32_t allocated = OG_MIN(OG_MAX(used, 1), total + 1) + granule - 1; /* metadata may say anything */
  allocated -= allocated % granule;
  return total / allocated;
}

/* gfx10 and later give every wave all SGPRs. */
static uint32_t by_sgprs(const struct og_target *target, const struct og_kernel *kernel) {
  const struct og_processor *p = target->processor;
  if (!p->sgprs_counted_by)
    return p->waves_per_simd;
  uint32_t used = kernel->sgpr_count ? kernel->sgpr_count : kernel->start.sgprs;
  used = OG_MIN(used, p->sgprs_total + 1u); /* metadata may say anything */
  return p->sgprs_total / OG_MAX(p->major < 8 ? (uint32_t)og_align_up(used, 8) : used, 1);
}

/* Work-groups reside whole on a compute unit (on both of a WGP in its mode), and those of
 * several waves need a barrier each. */
static uint32_t by_groups(const struct og_target *target, const struct og_kernel *kernel, uint32_t size, uint32_t lds) {
  const struct og_processor *p = target->processor;
  lds = OG_MIN(lds, 2 * p->lds_bytes + 1); /* metadata may say anything */
  bool pair = kernel->start.wgp_mode;
  uint32_t simds = p->simds_per_cu * (pair ? 2 : 1), slots = simds * p->waves_per_simd;
  uint32_t waves = divide_up(size, kernel->wavefront_size == 32 ? 32 : 64), groups = slots / waves;
  if (waves > 1)
    groups = OG_MIN(groups, (uint32_t)BARRIERS_PER_CU * (pair ? 2 : 1));
  if (lds)
    groups = OG_MIN(groups, p->lds_bytes * (pair ? 2 : 1) / og_allocated_lds(target, lds));
  return divide_up(groups * waves, simds);
}

/* The better of the smallest and the largest work-group that the kernel allows. */
static uint32_t by_allowed_groups(const struct og_target *target, const struct og_kernel *kernel, uint32_t size,
                                  uint32_t lds) {
  const uint32_t *required = kernel->reqd_workgroup_size;
  uint64_t product = (uint64_t)required[0] * OG_MAX(required[1], 1) * OG_MAX(required[2], 1);
  if (!size && product && product <= OG_WORKGROUP_MAX)
    size = (uint32_t)product;
  if (size)
    return by_groups(target, kernel, OG_MIN(size, (uint32_t)OG_WORKGROUP_MAX), lds);
  uint32_t largest = kernel->max_flat_workgroup_size;
  if (!largest || largest > OG_WORKGROUP_MAX)
    largest = OG_WORKGROUP_MAX;
  return OG_MAX(by_groups(target, kernel, 1, lds), by_groups(target, kernel, largest, lds));
}

static const char *limit_of(const struct og_occupancy *o) {
  return o->waves == o->most        ? "none"
         : o->waves == o->by_vgprs  ? "VGPRs"
         : o->waves == o->by_sgprs  ? "SGPRs"
         : o->waves == o->by_groups ? "work-group"
                                    : "LDS";
}

struct og_occupancy og_kernel_occupancy(const struct og_target *target, const struct og_kernel *kernel,
                                        uint32_t workgroup_size) {
  struct og_occupancy o = {.most = target->processor->waves_per_simd};
  o.by_vgprs = OG_MIN(by_vgprs(target, kernel, kernel->wavefront_size), o.most);
  o.by_sgprs = OG_MIN(by_sgprs(target, kernel), o.most);
  o.by_groups = by_allowed_groups(target, kernel, workgroup_size, 0);
  o.by_lds = by_allowed_groups(target, kernel, workgroup_size, kernel->group_size);
  o.waves = OG_MIN(o.by_vgprs, OG_MIN(o.by_sgprs, o.by_lds));
  o.limit = limit_of(&o);
  return o;
}
