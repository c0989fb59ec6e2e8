/* gds.c - the global data share: LDS instructions with the gds bit, on memory that all work-groups share (Vega ISA,
 * 10.5 and 12.14). M0 has a base in its upper half and a size in its lower one; what lies beyond reads as 0 and is not
 * written. And counters on which waves wait for their turn. */
#include "exec/gws.h"

#include <string.h>

#include "exec/modifiers.h"
#include "exec/place.h"

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

static bool has_global_data(const struct og_program *program) {
  enum og_generation generation = program->target.processor->generation;
  return generation < OG_GFX12 && (generation < OG_GFX90A || generation >= OG_GFX10_1);
}

bool og_prepare_gds(struct og_program *program, bool counts, struct og_operation *op) {
  struct og_memory_op *access = OG_NEW(program->arena, struct og_memory_op);
  if (!has_global_data(program))
    return og_refuse(program, "gds");
  *access = *(const struct og_memory_op *)op->detail;
  access->inner = op->handler;
  access->gds_counts = counts;
  op->detail = access;
  op->handler = on_global_data;
  return true;
}

/* ---- ordered counters -------------------------------------------------------------------------------------------- */

/* As LLVM's llvm.amdgcn.ds.ordered.add and .swap have it: M0 is the address and below it the wave's number in the
 * order; the offset is the counter's index in bits 7:2, which counts for the address, too, then flags, and from gfx10
 * on how many dwords there are less one, each of an active lane. Up to gfx9 the first active lane has the value, and
 * all get the old one. */
enum { RELEASES = 1 << 8, SWAPS = 1 << 12, DWORDS = 14 /* bit */ };

static const struct og_operation *wait_for_turn(struct og_wave *wave, const struct og_operation *op) {
  wave->waits_order = true;
  wave->state = OG_WAVE_SLEEPING;
  wave->resume = op;
  return &og_stop;
}

static uint32_t count_one(struct og_gds *gds, uint32_t address, uint32_t value, bool swaps) {
  if (address > OG_GDS_BYTES - 4)
    return 0;
  uint8_t *at = gds->memory + OG_LDS_MARGIN + address;
  uint32_t old = og_load32(at);
  og_store32(at, swaps ? value : old + value);
  return old;
}

static void count(struct og_wave *wave, const struct og_operation *op, struct og_gds *gds) {
  uint32_t bits = (uint32_t)op->constant[0], address = (wave->s[OG_S_M0] >> 16) + (bits & 0xfc),
           *to = og_at(wave, op->d);
  const uint32_t *values = og_at(wave, op->s[0]);
  uint64_t lanes = og_active(wave);
  bool late = wave->program->target.processor->generation >= OG_GFX10_1, swaps = bits & SWAPS;
  if (!late && lanes) {
    uint32_t old = count_one(gds, address, values[__builtin_ctzll(lanes)], swaps);
    for (; lanes; lanes &= lanes - 1)
      to[__builtin_ctzll(lanes)] = old;
  }
  for (unsigned left = (bits >> DWORDS & 3) + 1; left && lanes; left--, lanes &= lanes - 1, address += 4) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    to[lane] = count_one(gds, address, values[lane], swaps);
  }
}

static const struct og_operation *ordered_count(struct og_wave *wave, const struct og_operation *op) {
  struct og_gds *gds = wave->group ? wave->group->gds : NULL;
  uint32_t bits = (uint32_t)op->constant[0], mask = (1u << OG_ORDER_BITS) - 1;
  if (!gds)
    return og_wave_fault(wave, op, "the global data share outside of a dispatch");
  pthread_mutex_lock(&gds->mutex);
  uint32_t *turn = &gds->turn[bits >> 2 & (OG_ORDERED_COUNTERS - 1)];
  bool mine = *turn == (wave->s[OG_S_M0] & mask);
  if (mine)
    count(wave, op, gds);
  if (mine && bits & RELEASES) {
    *turn = (*turn + 1) & mask;
    __atomic_fetch_add(&gds->turns, 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&gds->mutex);
  wave->waits_order = false;
  return mine ? og_next(op) : wait_for_turn(wave, op);
}

bool og_prepare_ordered_count(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  if (!has_global_data(program))
    return og_refuse(program, "gds");
  op->handler = ordered_count;
  op->constant[0] = (uint32_t)inst->mod[OG_MOD_OFFSET] & 0xffff;
  return og_place_vector(og_operand(inst, OG_ROLE_VDST), 1, &op->d) &&
         og_place_vector(og_operand(inst, OG_ROLE_VADDR), 1, &op->s[0]);
}

void og_gds_start(struct og_gds *gds) {
  memset(gds->turn, 0, sizeof gds->turn);
  gds->turns = 0;
}
