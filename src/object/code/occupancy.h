/* occupancy.h - how many waves a kernel lets run. */
#ifndef OG_OCCUPANCY_H
#define OG_OCCUPANCY_H

#include "object/code/code_object.h"

/* Waves per SIMD that fit, as each resource limits them. */
struct og_occupancy {
  uint32_t waves;  /* the least of the others */
  uint32_t most;   /* the processor's limit */
  uint32_t by_vgprs, by_sgprs;
  uint32_t by_groups; /* since work-groups reside whole */
  uint32_t by_lds;    /* and with their LDS */
  const char *limit;  /* "VGPRs", "SGPRs", "work-group", "LDS" or "none" */
};
/* For a work-group of `workgroup_size` work-items; 0: of the size that the kernel requires, else the better of the
 * smallest and the largest that it allows. */
struct og_occupancy og_kernel_occupancy(const struct og_target *target, const struct og_kernel *kernel,
                                        uint32_t workgroup_size);

#endif
