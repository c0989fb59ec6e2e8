/* rays.h - rays against trees, and the stacks of nodes in LDS. Internal to src/exec. */
#ifndef OG_EXEC_RAYS_H
#define OG_EXEC_RAYS_H

#include "exec/memory.h"

bool og_prepare_ray(struct og_program *program, const struct og_inst *inst, struct og_operation *op); /* rays.c */
/* What is not known of the results; NULL: it tests no ray. */
const char *og_ray_bound(const struct og_operation *op);
/* ds_bvh.c */
bool og_prepare_bvh_stack(struct og_program *program, const struct og_inst *inst, struct og_operation *op);

#endif
