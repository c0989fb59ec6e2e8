/* gws.c - global wave sync: the barriers and semaphores that waves of all work-groups share (Vega ISA, 12.14:
 * DS_GWS_*). Cooperative kernels of HIP meet at them. A wave that has to wait sleeps at its instruction and repeats
 * it. */
#include "exec/gws.h"

#include "exec/place.h"

/* A resource's state, in one word that changes atomically. */
static uint64_t joined(uint32_t counter, uint32_t turn) { return (uint64_t)turn << 32 | counter; }
static uint32_t counter_of(uint64_t state) { return (uint32_t)state; }
static uint32_t turn_of(uint64_t state) { return (uint32_t)(state >> 32); }

/* DATA of the first active lane; 0 for what has no data. */
static uint32_t value(struct og_wave *wave, const struct og_operation *op) {
  uint64_t lanes = og_active(wave);
  return lanes ? og_at(wave, op->s[1])[__builtin_ctzll(lanes)] : 0;
}

static const struct og_operation *wait_here(struct og_wave *wave, const struct og_operation *op, uint32_t turn) {
  wave->waits_gws = true;
  wave->gws_turn = turn;
  wave->state = OG_WAVE_SLEEPING;
  wave->resume = op;
  return &og_stop;
}

static const struct og_operation *go_on(struct og_wave *wave, const struct og_operation *op) {
  wave->waits_gws = false;
  return og_next(op);
}

/* The counter says how many are missing besides this one; the last one sets it for the next round. */
static const struct og_operation *barrier(struct og_wave *wave, const struct og_operation *op, uint64_t *resource) {
  uint64_t state = __atomic_load_n(resource, __ATOMIC_ACQUIRE), next;
  if (wave->waits_gws)
    return turn_of(state) != wave->gws_turn ? go_on(wave, op) : wait_here(wave, op, wave->gws_turn);
  do
    next = counter_of(state) ? state - 1 : joined(value(wave, op), turn_of(state) + 1);
  while (!__atomic_compare_exchange_n(resource, &state, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return counter_of(state) ? wait_here(wave, op, turn_of(state)) : go_on(wave, op);
}

/* Waits until the counter is above 0 and takes one, or until all that wait are let go. */
static const struct og_operation *take(struct og_wave *wave, const struct og_operation *op, uint64_t *resource) {
  uint64_t state = __atomic_load_n(resource, __ATOMIC_ACQUIRE);
  if (wave->waits_gws && turn_of(state) != wave->gws_turn)
    return go_on(wave, op);
  do
    if (!counter_of(state))
      return wait_here(wave, op, wave->waits_gws ? wave->gws_turn : turn_of(state));
  while (!__atomic_compare_exchange_n(resource, &state, state - 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return go_on(wave, op);
}

static const struct og_operation *gws(struct og_wave *wave, const struct og_operation *op) {
  if (!wave->group || !wave->group->gws)
    return og_wave_fault(wave, op, "global wave sync outside of a dispatch");
  uint32_t number = ((wave->s[OG_S_M0] >> 16) + (uint32_t)op->constant[0]) % OG_GWS_COUNT;
  uint64_t *resource = &wave->group->gws->resource[number];
  switch (op->constant[1]) {
  case OG_DOES_BARRIER: return barrier(wave, op, resource);
  case OG_DOES_SEMA_P: return take(wave, op, resource);
  case OG_DOES_INIT: __atomic_store_n(resource, joined(value(wave, op), 0), __ATOMIC_RELEASE); break;
  case OG_DOES_SEMA_V: __atomic_fetch_add(resource, 1, __ATOMIC_ACQ_REL); break;
  case OG_DOES_SEMA_BR: __atomic_fetch_add(resource, value(wave, op), __ATOMIC_ACQ_REL); break;
  default: __atomic_fetch_add(resource, (uint64_t)1 << 32, __ATOMIC_ACQ_REL); break; /* lets all go that wait */
  }
  return og_next(op);
}

bool og_prepare_gws(const struct og_inst *inst, const struct og_memory *facts, struct og_operation *op) {
  op->handler = gws;
  op->constant[0] = (uint32_t)inst->mod[OG_MOD_OFFSET] & 0xffff;
  op->constant[1] = facts->operation;
  op->s[1] = OG_AT_S(OG_S_ZERO);
  const struct og_operand *data = og_operand(inst, OG_ROLE_VDATA);
  return !data || og_place_vector(data, 1, &op->s[1]);
}
