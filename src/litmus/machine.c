/* machine.c - issues and performs operations, and follows the counters that count them.
 *
 * An instruction that reaches memory is first issued: it queues behind its CU's operations on the same place (each
 * channel has a queue) and, in LDS, behind its wave's. Then, at any time, it is performed. */
#include "litmus/machine.h"

#include <string.h>

enum { LDS_APERTURE = 0x00010000 };

/* ---- where the threads are --------------------------------------------------------------------------------------- */

/* Threads are as far apart as their scopes let them be. Each agent has its L2. Each work-group has its shader array and
 * CU, and its L2 if an agent has several. In WGP mode the waves of a work-group are on two CUs in turn, with TgSplit
 * each on its own. */
static bool are_mates(const struct og_litmus_thread *a, const struct og_litmus_thread *b) {
  return a->group == b->group && a->agent == b->agent;
}

static uint8_t l2_of_thread(const struct og_litmus_machine *m, unsigned thread) {
  uint8_t node = m->node[thread];
  while (m->system.level[node] != OG_WEAK_L2)
    node = m->system.parent[node];
  return node;
}

static bool uses_scalar_cache(const struct og_litmus_thread *thread) {
  for (unsigned i = 0; i < thread->count; i++)
    if (thread->insts[i].weak.path == OG_WEAK_SCALAR && thread->insts[i].what != OG_LITMUS_NOTHING)
      return true;
  return false;
}

static void place_thread(struct og_litmus_machine *m, unsigned t, uint8_t behind[OG_LITMUS_THREADS],
                         uint8_t cu[OG_LITMUS_THREADS]) {
  const struct og_litmus_test *test = m->test;
  const struct og_litmus_thread *thread = &test->thread[t];
  unsigned l2 = OG_WEAK_NO_NODE, node = OG_WEAK_NO_NODE, mates = 0;
  behind[t] = OG_WEAK_NO_NODE;
  for (unsigned o = 0; o < t; o++) {
    if (test->thread[o].agent == thread->agent && !m->system.kind->many_l2)
      l2 = l2_of_thread(m, o);
    if (are_mates(&test->thread[o], thread))
      behind[t] = behind[o], mates++;
  }
  cu[t] = (uint8_t)(test->split ? mates : test->wgp ? mates % 2 : 0);
  for (unsigned o = 0; o < t; o++)
    if (are_mates(&test->thread[o], thread) && cu[o] == cu[t])
      node = m->node[o];
  if (behind[t] == OG_WEAK_NO_NODE) {
    if (l2 == OG_WEAK_NO_NODE)
      l2 = og_weak_add(&m->system, OG_WEAK_L2, OG_WEAK_NO_NODE);
    behind[t] = (uint8_t)(m->system.kind->gl1 ? og_weak_add(&m->system, OG_WEAK_GL1, l2) : l2);
  }
  m->node[t] = (uint8_t)(node != OG_WEAK_NO_NODE ? node : og_weak_add(&m->system, OG_WEAK_L0, behind[t]));
  m->scalar[t] = m->node[t];
  for (unsigned o = 0; o < t; o++) /* waves of a work-group share one scalar cache */
    if (uses_scalar_cache(thread) && are_mates(&test->thread[o], thread) && uses_scalar_cache(&test->thread[o]))
      m->scalar[t] = m->scalar[o];
  if (uses_scalar_cache(thread) && m->scalar[t] == m->node[t])
    m->scalar[t] = (uint8_t)og_weak_add(&m->system, OG_WEAK_L0, behind[t]);
}

void og_litmus_place_threads(struct og_litmus_machine *m) {
  uint8_t behind[OG_LITMUS_THREADS], cu[OG_LITMUS_THREADS];
  m->system.kind = og_weak_kind_of(m->test->isa, m->test->single);
  for (unsigned t = 0; t < m->test->threads; t++) {
    place_thread(m, t, behind, cu);
    for (unsigned o = 0; o < t; o++)
      if (m->node[o] == m->node[t] || m->scalar[o] == m->scalar[t])
        m->shared[o] = m->shared[t] = true;
  }
}

/* ---- counters ---------------------------------------------------------------------------------------------------- */

static bool is_local(const struct og_litmus_machine *m, const struct og_litmus_entry *e) {
  return e->place != OG_LITMUS_NO_PLACE && m->test->place[e->place].local;
}

static bool is_scalar(const struct og_litmus_machine *m, const struct og_litmus_entry *e) {
  return og_litmus_inst_of(m, e)->weak.path == OG_WEAK_SCALAR;
}

/* A scalar store counts as done when the scalar cache has taken it. The cache keeps it until it writes back, by itself
 * or by an instruction. */
static bool is_kept(const struct og_litmus_machine *m, const struct og_litmus_entry *e) {
  return is_scalar(m, e) && og_litmus_inst_of(m, e)->weak.operation == OG_WEAK_STORE;
}

/* Whether a counter still counts the operation: it is not done, or an earlier one of the same order is not. */
static bool is_counted(const struct og_litmus_machine *m, const struct og_litmus_state *state, unsigned at,
                       const struct og_raised *raised) {
  const struct og_litmus_entry *e = &state->entry[at];
  if (is_kept(m, e) || !og_weak_tells(&og_litmus_inst_of(m, e)->weak, raised->counter, is_local(m, e)))
    return false;
  if (!e->performed || raised->order == 0)
    return !e->performed;
  for (unsigned i = 0; i < at; i++) {
    const struct og_litmus_entry *before = &state->entry[i];
    if (before->thread != e->thread || before->performed || is_kept(m, before))
      continue;
    const struct og_transfer *transfer = &og_litmus_inst_of(m, before)->weak.transfer;
    for (unsigned r = 0; r < transfer->count; r++)
      if (transfer->raised[r].counter == raised->counter && transfer->raised[r].order == raised->order &&
          og_weak_tells(&og_litmus_inst_of(m, before)->weak, raised->counter, is_local(m, before)))
        return true;
  }
  return false;
}

static unsigned outstanding(const struct og_litmus_machine *m, const struct og_litmus_state *state, unsigned thread,
                            unsigned counter) {
  unsigned count = 0;
  for (unsigned i = 0; i < state->entries; i++) {
    if (state->entry[i].thread != thread)
      continue;
    const struct og_transfer *transfer = &og_litmus_inst_of(m, &state->entry[i])->weak.transfer;
    for (unsigned r = 0; r < transfer->count; r++)
      if (transfer->raised[r].counter == counter)
        count += is_counted(m, state, i, &transfer->raised[r]);
  }
  return count;
}

bool og_litmus_is_waiting(const struct og_litmus_machine *m, const struct og_litmus_state *state, unsigned thread,
                          const struct og_weak_inst *wait) {
  for (unsigned c = 0; c < OG_COUNTERS; c++)
    if (wait->limits[c] != OG_NO_LIMIT && outstanding(m, state, thread, c) > wait->limits[c])
      return true;
  return false;
}

/* Forgets operations that no counter counts any more. */
static void forget_done(const struct og_litmus_machine *m, struct og_litmus_state *state) {
  unsigned kept = 0;
  for (unsigned i = 0; i < state->entries; i++) {
    const struct og_transfer *transfer = &og_litmus_inst_of(m, &state->entry[i])->weak.transfer;
    bool counted = !state->entry[i].performed;
    for (unsigned r = 0; r < transfer->count && !counted; r++)
      counted = is_counted(m, state, i, &transfer->raised[r]);
    if (counted)
      state->entry[kept++] = state->entry[i]; /* still counted; so are the earlier operations because of which it is */
  }
  memset(&state->entry[kept], 0, (state->entries - kept) * sizeof state->entry[0]);
  state->entries = (uint8_t)kept;
}

/* ---- issue ------------------------------------------------------------------------------------------------------- */

uint32_t og_litmus_value(const struct og_litmus_state *state, unsigned thread, struct og_litmus_source source) {
  return source.constant ? source.value : state->reg[thread][source.value];
}

uint64_t og_litmus_address(const struct og_litmus_test *test, unsigned place) {
  return test->place[place].local ? (uint64_t)LDS_APERTURE << 32 | 16 * (place + 1u) : 4096 * (place + 1u);
}

enum { PLACE_BYTES = 8 };

/* The place that holds all of an aligned access; *shift becomes the access's first bit in it. */
static unsigned place_at(const struct og_litmus_machine *m, const struct og_litmus_state *state, unsigned thread,
                         const struct og_litmus_inst *inst, uint8_t *shift) {
  uint64_t address = state->reg[thread][inst->address[0]];
  bool lds = inst->weak.path == OG_WEAK_LDS;
  if (inst->wide)
    address |= (uint64_t)state->reg[thread][inst->address[1]] << 32;
  address += (uint64_t)(int64_t)inst->offset;
  for (unsigned p = 0; p < m->test->places; p++) {
    uint64_t there = og_litmus_address(m->test, p), within = address - (lds ? (uint32_t)there : there);
    if (within >= PLACE_BYTES || within % (inst->bits / 8u))
      continue;
    if (lds ? m->test->place[p].local : !m->test->place[p].local || inst->weak.path == OG_WEAK_FLAT) {
      *shift = (uint8_t)(8 * within);
      return p;
    }
  }
  return OG_LITMUS_NO_PLACE;
}

void og_litmus_issue(struct og_litmus_machine *m, struct og_litmus_state *state, unsigned thread) {
  const struct og_litmus_inst *inst = &m->test->thread[thread].insts[state->pc[thread]];
  struct og_litmus_entry e = {
      .thread = (uint8_t)thread, .inst = state->pc[thread]++, .place = OG_LITMUS_NO_PLACE, .node = m->node[thread]};
  if (inst->weak.path == OG_WEAK_SCALAR)
    e.node = m->scalar[thread];
  if (inst->what == OG_LITMUS_MEMORY &&
      (e.place = (uint8_t)place_at(m, state, thread, inst, &e.shift)) == OG_LITMUS_NO_PLACE) {
    m->fault = og_arena_printf(m->arena, "P%u: '%s' goes to no location of the test", thread, inst->text);
    return;
  }
  for (unsigned i = 0; i < 2; i++) {
    e.data[i] = inst->has_data[i] ? og_litmus_value(state, thread, inst->data[i][0]) : 0;
    if (inst->has_data[i] && inst->bits == 64)
      e.data[i] |= (uint64_t)og_litmus_value(state, thread, inst->data[i][1]) << 32;
  }
  unsigned at = state->entries++; /* operations of one cache stay together, so that equal states have equal bytes */
  while (at > 0 && state->entry[at - 1].node > e.node)
    state->entry[at] = state->entry[at - 1], at--;
  state->entry[at] = e;
}

/* ---- performing -------------------------------------------------------------------------------------------------- */

/* The newest store in the load's scalar cache, not written back yet, that has all bits of the load; NULL: none. */
static const struct og_litmus_entry *kept_for(const struct og_litmus_machine *m, const struct og_litmus_state *state,
                                              const struct og_litmus_entry *load) {
  if (!is_scalar(m, load) || og_litmus_inst_of(m, load)->weak.operation != OG_WEAK_LOAD)
    return NULL;
  for (const struct og_litmus_entry *e = load; e-- > state->entry;) {
    unsigned bits = og_litmus_inst_of(m, e)->bits;
    if (is_kept(m, e) && !e->performed && e->node == load->node && e->place == load->place)
      return e->shift <= load->shift && e->shift + bits >= load->shift + og_litmus_inst_of(m, load)->bits ? e : NULL;
  }
  return NULL;
}

/* Nothing before it is in its way. */
bool og_litmus_is_first(const struct og_litmus_machine *m, const struct og_litmus_state *state, unsigned at) {
  const struct og_litmus_entry *e = &state->entry[at];
  bool write_back = og_litmus_inst_of(m, e)->weak.operation == OG_WEAK_WRITE_BACK;
  bool finds_kept = kept_for(m, state, e) != NULL;
  for (unsigned i = 0; i < at; i++) {
    const struct og_litmus_entry *before = &state->entry[i];
    if (before->performed || before->node != e->node || (finds_kept && is_kept(m, before)))
      continue;
    if (is_local(m, e) ? is_local(m, before) && before->thread == e->thread
        : write_back   ? (before->thread == e->thread || is_scalar(m, e)) && !is_local(m, before) &&
                           og_litmus_inst_of(m, before)->weak.operation != OG_WEAK_LOAD
                     : before->place == e->place)
      return false;
  }
  return true;
}

static uint64_t modify(unsigned operation, uint64_t old, const uint64_t data[2]) {
  switch (operation) {
  case OG_DOES_ADD: return old + data[0];
  case OG_DOES_SUB: return old - data[0];
  case OG_DOES_AND: return old & data[0];
  case OG_DOES_OR: return old | data[0];
  case OG_DOES_XOR: return old ^ data[0];
  case OG_DOES_MIN: return OG_MIN(old, data[0]);
  case OG_DOES_MAX: return OG_MAX(old, data[0]);
  case OG_DOES_CMPSWAP: return old == data[1] ? data[0] : old;
  case OG_DOES_CMPST: return old == data[0] ? data[1] : old;
  default: return data[0]; /* OG_DOES_SWAP: assemble.c admits no others */
  }
}

/* Versions among which the operation has a choice; 1 where it has none. */
unsigned og_litmus_choices(const struct og_litmus_machine *m, const struct og_litmus_state *state,
                           const struct og_litmus_entry *e) {
  const struct og_weak_inst *weak = &og_litmus_inst_of(m, e)->weak;
  if (weak->operation != OG_WEAK_LOAD || is_local(m, e) || kept_for(m, state, e))
    return 1;
  return og_weak_choices(&m->system, &state->place[e->place], e->node, weak->reach);
}

void og_litmus_invalidate(const struct og_litmus_machine *m, struct og_litmus_state *state, unsigned thread,
                          const struct og_weak_inst *weak) {
  unsigned node = weak->path == OG_WEAK_SCALAR ? m->scalar[thread] : m->node[thread];
  for (unsigned p = 0; p < m->test->places; p++)
    for (int level = OG_WEAK_L2; level >= 0; level--)
      if (weak->levels >> level & 1)
        og_weak_invalidate(&m->system, &state->place[p], node, (enum og_weak_level)level);
}

static uint64_t mask_of(const struct og_litmus_inst *inst) { return UINT64_MAX >> (64 - inst->bits); }

/* Puts an access's bits into the place's value. */
static uint64_t merge(const struct og_litmus_inst *inst, const struct og_litmus_entry *e, uint64_t value,
                      uint64_t bits) {
  uint64_t mask = mask_of(inst) << e->shift;
  return (value & ~mask) | (bits << e->shift & mask);
}

static void give(struct og_litmus_state *state, const struct og_litmus_inst *inst, const struct og_litmus_entry *e,
                 uint64_t value) {
  uint64_t bits = value >> e->shift & mask_of(inst);
  if (inst->is_signed && bits >> (inst->bits - 1))
    bits |= ~mask_of(inst);
  state->reg[e->thread][inst->result[0]] = (uint32_t)bits;
  if (inst->bits == 64)
    state->reg[e->thread][inst->result[1]] = (uint32_t)(bits >> 32);
}

void og_litmus_perform(const struct og_litmus_machine *m, struct og_litmus_state *state, unsigned at,
                       unsigned version) {
  struct og_litmus_entry *e = &state->entry[at];
  const struct og_litmus_inst *inst = og_litmus_inst_of(m, e);
  struct og_weak_place *place = &state->place[e->place == OG_LITMUS_NO_PLACE ? 0 : e->place];
  bool local = is_local(m, e);
  const struct og_litmus_entry *kept = local ? NULL : kept_for(m, state, e);
  uint64_t old, new;
  switch ((enum og_weak_operation)inst->weak.operation) {
  case OG_WEAK_LOAD:
    if (kept) {
      give(state, inst, e, kept->data[0] << kept->shift);
      break;
    }
    if (!local)
      og_weak_found(&m->system, place, e->node, version);
    give(state, inst, e, place->value[local ? 0 : version]);
    break;
  case OG_WEAK_STORE:
    if (local)
      place->value[0] = merge(inst, e, place->value[0], e->data[0]);
    else
      og_weak_store(&m->system, place, e->node, inst->weak.reach,
                    merge(inst, e, place->value[place->newest], e->data[0])); /* keeps bytes beside them */
    break;
  case OG_WEAK_ATOMIC:
    old = place->value[local ? 0 : og_weak_latest(&m->system, place, e->node, inst->weak.reach)];
    new = merge(inst, e, old, modify(inst->atomic, old >> e->shift & mask_of(inst), e->data));
    if (local)
      place->value[0] = new;
    else
      og_weak_store(&m->system, place, e->node, inst->weak.reach, new);
    if (inst->has_result)
      give(state, inst, e, old);
    break;
  default: /* OG_WEAK_WRITE_BACK, followed by its invalidation */
    for (unsigned p = 0; p < m->test->places && !is_scalar(m, e); p++) /* scalar stores were made before */
      og_weak_write_back(&m->system, &state->place[p], e->node);
    og_litmus_invalidate(m, state, e->thread, &inst->weak);
    break;
  }
  e->performed = 1;
  e->data[0] = e->data[1] = 0; /* so that states which behave the same have the same bytes */
  forget_done(m, state);
}
