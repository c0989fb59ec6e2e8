/* gds.c - the global data share: LDS instructions with the gds bit, on memory that all work-groups share (Vega ISA, 10.5 and
 * 12.14). M0 has a base in its upper half and a size in its lower one; what lies beyond reads as 0 and is not written. */
#include "exec/gws.h"

#include "exec/modifiers.h"

/* Does the instruction with GDS in the place of LDS, one wave at a time. */
static const struct og_operation *on_global_data(struct og_wave *wave, const struct og_operation *op) {
  struct og_gds *gds = wave->group ? wave->group->gds : NULL;
  const struct og_memory_op *access = op->detail;
  if (!gds)
    return og_wave_fault(wave, op, "the global data share outside of a dispatch");
  uint8_t *lds = wave->lds;
  uint32_t lds_size = wave->lds_size, limited = wave->lds_limited, m0 = wave->s[OG_S_M0];
  const struct og_observer *observer = wave->observer;
  uint32_t base = m0 >> 16, size = OG_MIN(m0 & 0xffff, OG_GDS_BYTES - base);
  wave->lds = gds->memory + OG_LDS_MARGIN + base;
  wave->lds_size = OG_GDS_BYTES - base;
  wave->lds_limited = ~0u;
  wave->s[OG_S_M0] = access->gds_counts ? 0 : size;
  wave->observer = NULL; /* who watches LDS would take it for that */
  pthread_mutex_lock(&gds->mutex);
  const struct og_operation *next = access->inner(wave, op);
  pthread_mutex_unlock(&gds->mutex);
  wave->lds = lds, wave->lds_size = lds_size, wave->lds_limited = limited, wave->s[OG_S_M0] = m0;
  wave->observer = observer;
  return next;
}

bool og_prepare_gds(struct og_program *program, bool counts, struct og_operation *op) {
  struct og_memory_op *access = OG_NEW(program->arena, struct og_memory_op);
  enum og_generation generation = program->target.processor->generation;
  if (generation >= OG_GFX12 || (generation >= OG_GFX90A && generation < OG_GFX10_1))
    return og_refuse(program, "gds");
  *access = *(const struct og_memory_op *)op->detail;
  access->inner = op->handler;
  access->gds_counts = counts;
  op->detail = access;
  op->handler = on_global_data;
  return true;
}
