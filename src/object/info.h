/* info.h - what a code object says, for people (text) and programs (JSON), and how many waves its kernels let run. */
#ifndef OG_INFO_H
#define OG_INFO_H

#include "object/object.h"

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

struct og_info_options {
  bool kernels_only;
  bool variables; /* that debug information names */
};
void og_info_text(const struct og_code_object *code, const struct og_info_options *options, struct og_buffer *out);
void og_info_json(const struct og_code_object *code, struct og_buffer *out); /* docs/info.schema.json */

#endif
