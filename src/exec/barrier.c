/* barrier.c - barriers of work-groups and clusters: s_barrier, which all live waves must reach; split barriers (signal
 * and wait), named barriers with members of their own, and those of trap handlers (RDNA4 ISA, 5.7; "CDNA5" ISA,
 * 5.6). */
#include "exec/barrier.h"

#include <string.h>

#include "exec/lane.h"
#include "exec/scalar.h"

/* Numbers in instructions; those above 0 are named. */
enum { NULL_BARRIER = 0, GROUP = -1, GROUP_TRAP = -2, CLUSTER = -3, CLUSTER_TRAP = -4 };

/* A wave without others has no barrier of the work-group to wait at. */
static bool is_alone(const struct og_wave *wave) {
  return wave->group == NULL || wave->group->wave_count <= 1;
}

/* Whether the barrier is there for the wave. What is not does nothing. */
static bool is_there(const struct og_wave *wave, int number) {
  switch (number) {
  case GROUP: return !is_alone(wave);
  case GROUP_TRAP: return !is_alone(wave) && wave->privileged;
  case CLUSTER: return wave->group && wave->group->cluster;
  case CLUSTER_TRAP: return wave->group && wave->group->cluster && wave->privileged;
  default: return !is_alone(wave) && number > 0 && number <= wave->group->named_barriers;
  }
}

/* Of og_wave.barriers_done, for a barrier that is there. */
static uint8_t bit_of(int number) {
  return (uint8_t)(number >= 0 ? (unsigned)OG_BARRIER_NAMED : 1u << -number);
}

void og_barriers_start(struct og_group *group, unsigned named) {
  memset(group->barriers, 0, sizeof group->barriers);
  group->named_barriers = (uint8_t)OG_MIN(named, (unsigned)OG_NAMED_BARRIERS);
  group->barriers[0].members = (uint8_t)group->wave_count;
  group->trap_signals = 0;
}

/* ---- completion -------------------------------------------------------------------------------------------------- */

/* Tells the waves of a work-group; of a named barrier those who have joined it. */
static void tell(struct og_group *group, int number) {
  for (uint32_t i = 0; i < group->wave_count; i++) {
    struct og_wave *wave = og_group_wave(group, i);
    if (wave->state != OG_WAVE_ENDED && (number < 0 || wave->named_barrier == number))
      wave->barriers_done |= bit_of(number);
  }
}

static void complete_cluster(struct og_cluster *cluster, int number) {
  uint32_t *signals = &cluster->signals[number == CLUSTER_TRAP];
  if (*signals == 0 || *signals < cluster->live)
    return;
  *signals = 0;
  for (uint32_t i = 0; i < cluster->count; i++)
    if (cluster->groups[i] && cluster->groups[i]->live > 0)
      tell(cluster->groups[i], number);
}

static void complete(struct og_group *group, int number) {
  if (number == CLUSTER || number == CLUSTER_TRAP) {
    complete_cluster(group->cluster, number);
    return;
  }
  uint8_t *signals = number == GROUP_TRAP ? &group->trap_signals : &group->barriers[number > 0 ? number : 0].signals;
  unsigned members = number > 0 ? group->barriers[number].members : group->live;
  if (*signals == 0 || *signals < members)
    return;
  *signals = 0;
  tell(group, number);
}

void og_barriers_left(struct og_group *group) {
  complete(group, GROUP);
  complete(group, GROUP_TRAP);
  if (!group->cluster || group->live > 0)
    return;
  group->cluster->live--;
  complete_cluster(group->cluster, CLUSTER);
  complete_cluster(group->cluster, CLUSTER_TRAP);
}

static bool waits(const struct og_wave *wave) {
  return wave->state == OG_WAVE_BARRIER;
}

bool og_barriers_full(const struct og_group *group) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    const struct og_wave *wave = og_group_wave(group, i);
    count += waits(wave) && (!wave->awaited || wave->awaited == OG_BARRIER_GROUP);
  }
  return count > 0 && count == group->live;
}

/* Whether any wave can run, now or when its work-group has its turn. */
static bool can_advance(const struct og_group *group) {
  uint32_t whole = 0;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    const struct og_wave *wave = og_group_wave(group, i);
    if (wave->state == OG_WAVE_READY || wave->state == OG_WAVE_SLEEPING ||
        (waits(wave) && wave->awaited & wave->barriers_done))
      return true;
    whole += waits(wave) && !wave->awaited;
  }
  return group->live > 0 && whole == group->live;
}

static bool cluster_can_advance(const struct og_cluster *cluster) {
  for (uint32_t i = 0; cluster && i < cluster->count; i++)
    if (cluster->groups[i] && can_advance(cluster->groups[i]))
      return true;
  return false;
}

/* The same where not all live waves wait at the work-group's s_barrier. */
static bool open_others(struct og_group *group) {
  uint32_t waiting = 0, opened = 0;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    struct og_wave *wave = og_group_wave(group, i);
    waiting += waits(wave);
    if (!waits(wave) || !(wave->awaited & wave->barriers_done))
      continue;
    wave->barriers_done &= ~(uint32_t)wave->awaited;
    wave->awaited = 0;
    wave->state = OG_WAVE_READY;
    opened++;
  }
  return waiting == 0 || opened > 0 || waiting < group->live || cluster_can_advance(group->cluster);
}

bool og_barriers_open(struct og_group *group) {
  uint32_t whole = 0;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    const struct og_wave *wave = og_group_wave(group, i);
    whole += waits(wave) && !wave->awaited;
  }
  if (whole < group->live)
    return open_others(group);
  for (uint32_t i = 0; i < group->wave_count; i++)
    if (waits(og_group_wave(group, i)))
      og_group_wave(group, i)->state = OG_WAVE_READY;
  return true;
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

/* NULL: there is none, or it is not to be changed. */
static struct og_barrier *find_named(struct og_wave *wave, int number) {
  return number > 0 && is_there(wave, number) ? &wave->group->barriers[number] : NULL;
}

/* One signal more; yields how many there were. */
static uint32_t count_signal(struct og_group *group, int number) {
  switch (number) {
  case CLUSTER: case CLUSTER_TRAP: return group->cluster->signals[number == CLUSTER_TRAP]++;
  case GROUP_TRAP: return group->trap_signals++;
  default: return group->barriers[number > 0 ? number : 0].signals++;
  }
}

static bool signal(struct og_wave *wave, const struct og_operation *op) {
  struct named named = barrier_of(wave, op);
  struct og_barrier *barrier = find_named(wave, named.number);
  if (!is_there(wave, named.number))
    return false;
  if (barrier && named.members)
    barrier->members = (uint8_t)named.members;
  bool is_first = count_signal(wave->group, named.number) == 0;
  complete(wave->group, named.number);
  return is_first;
}

const struct og_operation *og_barrier_signal(struct og_wave *wave, const struct og_operation *op) {
  signal(wave, op);
  return og_next(op);
}

/* Where the instruction does nothing SCC stays. */
const struct og_operation *og_barrier_signal_isfirst(struct og_wave *wave, const struct og_operation *op) {
  bool does = is_there(wave, barrier_of(wave, op).number), is_first = signal(wave, op);
  if (does)
    wave->s[OG_S_SCC] = is_first;
  return og_next(op);
}

const struct og_operation *og_barrier_wait(struct og_wave *wave, const struct og_operation *op) {
  int number = (int16_t)op->constant[2];
  if (number >= 0 ? is_alone(wave) || wave->named_barrier == NULL_BARRIER : !is_there(wave, number))
    return og_next(op);
  uint8_t bit = bit_of(number);
  if (wave->barriers_done & bit) {
    wave->barriers_done &= ~(uint32_t)bit;
    return og_next(op);
  }
  wave->awaited = bit;
  return og_wave_stop(wave, op, OG_WAVE_BARRIER);
}

/* Whether it is valid, members from bit 4 on, signals from 16 on: as trap handlers read it. */
static u32 state_of(u32 members, u32 signals) {
  return 1 | members << 4 | signals << 16;
}

const struct og_operation *og_barrier_state(struct og_wave *wave, const struct og_operation *op) {
  int number = barrier_of(wave, op).number;
  const struct og_barrier *barrier =
      number == GROUP && is_there(wave, GROUP) ? &wave->group->barriers[0] : find_named(wave, number);
  u32 state = 0;
  if (barrier)
    state = state_of(number == GROUP ? wave->group->live : barrier->members, barrier->signals) |
            (u32)wave->group->named_barriers / 4 << 24;
  og_write_scalar32(wave, op->d, state);
  return og_next(op);
}

u32 og_cluster_barrier_state(const struct og_wave *wave) {
  const struct og_cluster *cluster = wave->group ? wave->group->cluster : NULL;
  return cluster ? state_of(cluster->live, cluster->signals[0]) : 0;
}

const struct og_operation *og_barrier_init(struct og_wave *wave, const struct og_operation *op) {
  struct named named = barrier_of(wave, op);
  struct og_barrier *barrier = find_named(wave, named.number);
  named.members = wave->s[OG_S_M0] >> 16 & 127; /* wherever the number stands */
  if (barrier && named.members)
    barrier->members = (uint8_t)named.members;
  if (barrier)
    barrier->signals = 0;
  return og_next(op);
}

const struct og_operation *og_barrier_join(struct og_wave *wave, const struct og_operation *op) {
  int number = barrier_of(wave, op).number;
  if (number == NULL_BARRIER || find_named(wave, number)) {
    wave->named_barrier = (uint8_t)number;
    wave->barriers_done &= ~1u;
  }
  return og_next(op);
}

const struct og_operation *og_barrier_leave(struct og_wave *wave, const struct og_operation *op) {
  unsigned number = wave->named_barrier;
  struct og_barrier *barrier = find_named(wave, (int)number);
  wave->s[OG_S_SCC] = 0;
  if (barrier) {
    wave->named_barrier = 0;
    if (barrier->members)
      barrier->members--;
    wave->s[OG_S_SCC] = barrier->members == 0;
    complete(wave->group, (int)number);
  }
  return og_next(op);
}
