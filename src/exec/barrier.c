/* barrier.c - barriers of work-groups: s_barrier, which all live waves must reach; split barriers (signal and wait), and
 * named barriers with members of their own (RDNA4 ISA, 5.7; "CDNA5" ISA, 5.6). Clusters are not made, so theirs do
 * nothing. */
#include "exec/barrier.h"

#include <string.h>

#include "exec/lane.h"
#include "exec/scalar.h"

enum { GROUP = -1 }; /* the work-group's barrier; -2 is the trap handlers', -3 and -4 are the cluster's */

/* A wave without others has no barrier to wait at. */
static bool is_alone(const struct og_wave *wave) {
  return wave->group == NULL || wave->group->wave_count <= 1;
}

void og_barriers_start(struct og_group *group, unsigned named) {
  memset(group->barriers, 0, sizeof group->barriers);
  group->named_barriers = (uint8_t)OG_MIN(named, (unsigned)OG_NAMED_BARRIERS);
  group->barriers[0].members = (uint8_t)group->wave_count;
}

/* ---- completion -------------------------------------------------------------------------------------------------- */

/* Number 0 is the work-group's. Those who have joined a named barrier hear of it. */
static void complete(struct og_group *group, unsigned number) {
  struct og_barrier *barrier = &group->barriers[number];
  unsigned members = number == 0 ? group->live : barrier->members;
  if (barrier->signals == 0 || barrier->signals < members)
    return;
  barrier->signals = 0;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    struct og_wave *wave = og_group_wave(group, i);
    if (wave->state != OG_WAVE_ENDED && (number == 0 || wave->named_barrier == number))
      wave->barriers_done |= number == 0 ? 2u : 1u;
  }
}

void og_barriers_left(struct og_group *group) {
  complete(group, 0);
}

static bool waits(const struct og_wave *wave) {
  return wave->state == OG_WAVE_BARRIER;
}

bool og_barriers_full(const struct og_group *group) {
  enum { THE_GROUPS = 2 };
  uint32_t count = 0;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    const struct og_wave *wave = og_group_wave(group, i);
    count += waits(wave) && (!wave->awaited || wave->awaited == THE_GROUPS);
  }
  return count > 0 && count == group->live;
}

bool og_barriers_open(struct og_group *group) {
  uint32_t whole = 0, waiting = 0, opened = 0;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    struct og_wave *wave = og_group_wave(group, i);
    waiting += waits(wave);
    whole += waits(wave) && !wave->awaited;
    if (!waits(wave) || !(wave->awaited & wave->barriers_done))
      continue;
    wave->barriers_done &= ~(uint32_t)wave->awaited;
    wave->awaited = 0;
    wave->state = OG_WAVE_READY;
    opened++;
  }
  for (uint32_t i = 0; whole == group->live && i < group->wave_count; i++)
    if (waits(og_group_wave(group, i)))
      og_group_wave(group, i)->state = OG_WAVE_READY, opened++;
  return waiting == 0 || opened > 0 || waiting < group->live;
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* The barrier that an operand names: a constant, or M0, which has the count of a named one's members as well. */
struct named {
  int number;
  unsigned members; /* 0: as before */
};
static struct named barrier_of(struct og_wave *wave, const struct og_operation *op) {
  if (op->s[0] != OG_AT_S(OG_S_M0))
    return (struct named){(int)op->constant[0], 0};
  u32 m0 = wave->s[OG_S_M0];
  return (struct named){(int)(m0 & 31), m0 >> 16 & 127};
}

/* NULL: there is none, or programs may not use it; the instruction then does nothing. */
static struct og_barrier *find(struct og_wave *wave, int number) {
  if (is_alone(wave))
    return NULL;
  struct og_group *group = wave->group;
  return number == GROUP ? &group->barriers[0] : number > 0 && number <= group->named_barriers ? &group->barriers[number] : NULL;
}

static bool signal(struct og_wave *wave, const struct og_operation *op) {
  struct named named = barrier_of(wave, op);
  struct og_barrier *barrier = find(wave, named.number);
  if (!barrier)
    return false;
  if (named.members && named.number > 0)
    barrier->members = (uint8_t)named.members;
  bool is_first = barrier->signals == 0;
  barrier->signals++;
  complete(wave->group, named.number > 0 ? (unsigned)named.number : 0);
  return is_first;
}

const struct og_operation *og_barrier_signal(struct og_wave *wave, const struct og_operation *op) {
  signal(wave, op);
  return og_next(op);
}

/* Where the instruction does nothing SCC stays. */
const struct og_operation *og_barrier_signal_isfirst(struct og_wave *wave, const struct og_operation *op) {
  bool is_there = find(wave, barrier_of(wave, op).number) != NULL, is_first = signal(wave, op);
  if (is_there)
    wave->s[OG_S_SCC] = is_first;
  return og_next(op);
}

const struct og_operation *og_barrier_wait(struct og_wave *wave, const struct og_operation *op) {
  int number = (int16_t)op->constant[2];
  uint8_t bit = number == GROUP ? 2 : 1;
  bool is_there = number == GROUP || (number >= 0 && wave->named_barrier != 0);
  if (is_alone(wave) || !is_there)
    return og_next(op);
  if (wave->barriers_done & bit) {
    wave->barriers_done &= ~(uint32_t)bit;
    return og_next(op);
  }
  wave->awaited = bit;
  return og_wave_stop(wave, op, OG_WAVE_BARRIER);
}

const struct og_operation *og_barrier_state(struct og_wave *wave, const struct og_operation *op) {
  int number = barrier_of(wave, op).number;
  const struct og_barrier *barrier = find(wave, number);
  u32 state = 0;
  if (barrier) {
    u32 members = number == GROUP ? wave->group->live : barrier->members;
    state = 1 | members << 4 | (u32)barrier->signals << 16 | (u32)wave->group->named_barriers / 4 << 24;
  }
  og_write_scalar32(wave, op->d, state);
  return og_next(op);
}

const struct og_operation *og_barrier_init(struct og_wave *wave, const struct og_operation *op) {
  struct named named = barrier_of(wave, op);
  struct og_barrier *barrier = named.number > 0 ? find(wave, named.number) : NULL;
  named.members = wave->s[OG_S_M0] >> 16 & 127; /* wherever the number stands */
  if (barrier && named.members)
    barrier->members = (uint8_t)named.members;
  if (barrier)
    barrier->signals = 0;
  return og_next(op);
}

const struct og_operation *og_barrier_join(struct og_wave *wave, const struct og_operation *op) {
  int number = barrier_of(wave, op).number;
  if (number == 0 || (number > 0 && find(wave, number))) {
    wave->named_barrier = (uint8_t)number;
    wave->barriers_done &= ~1u;
  }
  return og_next(op);
}

const struct og_operation *og_barrier_leave(struct og_wave *wave, const struct og_operation *op) {
  unsigned number = wave->named_barrier;
  struct og_barrier *barrier = number ? find(wave, (int)number) : NULL;
  wave->s[OG_S_SCC] = 0;
  if (barrier) {
    wave->named_barrier = 0;
    if (barrier->members)
      barrier->members--;
    wave->s[OG_S_SCC] = barrier->members == 0;
    complete(wave->group, number);
  }
  return og_next(op);
}
