/* occupancy.c - waves per SIMD that registers and LDS allow. Register files and granules: the ISA manuals' chapters on
 * shader state; barriers per compute unit: those on work-groups. */
#include "object/info.h"

enum { BARRIERS_PER_CU = 16, DEFAULT_WORKGROUP = 1024 };

static uint32_t divide_up(uint32_t a, uint32_t b) {
  return (a + b - 1) / b;
}

static bool has(const struct og_target *target, const char *feature) {
  return og_has_feature(&target->features, og_find_feature(og_text(feature)));
}

static uint32_t by_vgprs(const struct og_target *target, const struct og_kernel *kernel, bool wave32) {
  const struct og_processor *p = target->processor;
  uint32_t total = p->vgprs_total, granule = p->vgpr_granule;
  if (has(target, "1_5xvgprs"))
    total = total / 2 * 3, granule = granule / 2 * 3;
  if (wave32 && p->major >= 10)
    total *= 2, granule *= 2;
  uint32_t used = kernel->vgpr_count ? kernel->vgpr_count : og_kd_vgpr_count(target, kernel->descriptor);
  if (kernel->agpr_count && !p->unified_vgprs)
    used = OG_MAX(used, kernel->agpr_count);
  uint32_t allocated = OG_MIN(OG_MAX(used, 1), total + 1) + granule - 1; /* metadata may say anything */
  allocated -= allocated % granule;
  return total / allocated;
}

/* gfx10 and later give every wave all SGPRs. */
static uint32_t by_sgprs(const struct og_target *target, const struct og_kernel *kernel) {
  const struct og_processor *p = target->processor;
  if (p->major >= 10 || !p->sgprs_total)
    return p->waves_per_simd;
  uint32_t used = kernel->sgpr_count ? kernel->sgpr_count : og_kd_sgpr_count(target, kernel->descriptor);
  used = OG_MIN(used, p->sgprs_total + 1u); /* metadata may say anything */
  return p->sgprs_total / OG_MAX(p->major < 8 ? (uint32_t)og_align_up(used, 8) : used, 1);
}

/* Work-groups reside whole on a compute unit (on both of a WGP in its mode), and those of
 * several waves need a barrier each. */
static uint32_t by_groups(const struct og_target *target, const struct og_kernel *kernel, uint32_t size, uint32_t lds) {
  const struct og_processor *p = target->processor;
  lds = OG_MIN(lds, 2 * p->lds_bytes + 1); /* metadata may say anything */
  bool pair = p->major >= 10 && og_kd_get(kernel->descriptor, OG_KD_WGP_MODE);
  uint32_t simds = p->simds_per_cu * (pair ? 2 : 1), slots = simds * p->waves_per_simd;
  uint32_t waves = divide_up(size, kernel->wavefront_size == 32 ? 32 : 64), groups = slots / waves;
  if (waves > 1)
    groups = OG_MIN(groups, (uint32_t)BARRIERS_PER_CU * (pair ? 2 : 1));
  if (lds)
    groups = OG_MIN(groups, p->lds_bytes * (pair ? 2 : 1) / (divide_up(lds, p->lds_granule) * p->lds_granule));
  return divide_up(groups * waves, simds);
}

/* The better of the smallest and the largest work-group that the kernel allows. */
static uint32_t by_allowed_groups(const struct og_target *target, const struct og_kernel *kernel, uint32_t size,
                                  uint32_t lds) {
  const uint32_t *required = kernel->reqd_workgroup_size;
  uint64_t product = (uint64_t)required[0] * OG_MAX(required[1], 1) * OG_MAX(required[2], 1);
  if (!size && product && product <= DEFAULT_WORKGROUP)
    size = (uint32_t)product;
  if (size)
    return by_groups(target, kernel, OG_MIN(size, (uint32_t)DEFAULT_WORKGROUP), lds);
  uint32_t largest = kernel->max_flat_workgroup_size;
  if (!largest || largest > DEFAULT_WORKGROUP)
    largest = DEFAULT_WORKGROUP;
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
  o.by_vgprs = OG_MIN(by_vgprs(target, kernel, kernel->wavefront_size == 32), o.most);
  o.by_sgprs = OG_MIN(by_sgprs(target, kernel), o.most);
  o.by_groups = by_allowed_groups(target, kernel, workgroup_size, 0);
  o.by_lds = by_allowed_groups(target, kernel, workgroup_size, kernel->group_size);
  o.waves = OG_MIN(o.by_vgprs, OG_MIN(o.by_sgprs, o.by_lds));
  o.limit = limit_of(&o);
  return o;
}
