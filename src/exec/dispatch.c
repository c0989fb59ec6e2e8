/* dispatch.c - runs a grid: work-groups over host threads, waves of a group in turn, barriers, time slices.
 *
 * A host thread runs work-groups one after another. Only if none of them makes progress does it start more beside them,
 * so that kernels whose work-groups wait for one another finish as on hardware, where many are resident. A wave counts
 * as waiting when it sleeps (s_sleep), when it loops for long, or, certainly and quickly detected, when it polls: its
 * registers are the same as a time slice ago, so only a change in memory can end the loop. */
#include "exec/barrier.h"
#include "exec/gws.h"
#include "exec/launch.h"
#include "exec/team.h"
#include "exec/turn.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/float_control.h"
#include "base/host.h"

enum {
  /* Taken branches that a wave may make before others have their turn. They divide by many small numbers: so a wave
   * in a loop of a few branches is at the same place after each slice. */
  SLICE = 20160,
  FIRST_SLICE = 60,   /* at first, doubled each time, in a dispatch where waves have been seen to poll */
  SPIN_SLICE = 1920,  /* when it seems to wait for something */
  POLL_SLICE = 2,     /* when it polls */
  SPIN_ROUNDS = 4,    /* slices without progress after which a group counts as spinning */
  POLL_MISSES = 12,   /* slices in a row with new register values, after which a wave no longer counts as polling */
  YIELD_AFTER = 16,   /* rounds over all resident groups in which all only waited */
  REST_AFTER = 256,
  FIRST_REST = 100, LONGEST_REST = 100000, /* nanoseconds; the first more with each round */
  LONGEST_WAY = 10000000, /* nanoseconds that a dispatch gives way at a time */
  UNITS = 64,
  MAX_WAVES = 2560,   /* resident at a time: 64 compute units of 40 */
  MAX_SCRATCH = 1 << 30, /* bytes of scratch for all resident waves, but at least one group per thread */
};

struct og_machine {
  struct og_memory_map *map;
  struct og_gws gws;
  struct og_gds gds;
  pthread_mutex_t lock;   /* of what follows */
  struct worker *workers; /* one dispatch's at a time, as is the team */
  unsigned worker_count;
  struct og_team *team;   /* of threads beside the one that runs the dispatch */
  struct og_wave *common; /* one dispatch's at a time: og_launch.common */
  struct slot *spare;     /* groups' memory not in use */
  uint8_t *scratch;       /* one dispatch's at a time; NULL while it is in use */
  uint64_t scratch_size;
};

/* Whether a wave polls, and how long it may run: found out from the sums of its registers at the ends of its slices.
 * The sum it is held against is replaced after 1, 2, 4, 8... slices, so that any loop is found. */
struct pace {
  uint64_t seen;
  uint32_t slices, missed;
  uint32_t slice;
  bool polls;
};

/* Memory of one resident group. */
struct slot {
  struct og_group group;
  struct pace *paces; /* of each wave */
  bool paced;         /* they are not all as at the start */
  struct slot *next;
};

struct run {
  struct og_machine *machine;
  const struct og_dispatch *dispatch;
  struct og_launch launch;
  uint64_t max_groups; /* resident per thread */
  uint64_t next;       /* group to bring in, or cluster; atomic */
  int stop;            /* atomic: a fault or abort happened */
  pthread_mutex_t lock; /* of what follows */
  struct og_fault fault;
  bool failed;
  unsigned threads;    /* of the host */
  unsigned finished, waiting; /* of them: that have no group left; whose waves all waited for their turn to count
                                 when */
  uint64_t turns;             /* so many had passed */
  uint64_t waves; /* brought in, of threads that have finished */
  struct og_counts counts;
  struct og_standing stood[OG_STANDINGS];
  uint32_t stood_count;
  uint64_t stood_elsewhere;
};

struct worker {
  struct run *run;
  unsigned number;
  bool random_order; /* OG_SCHEDULE_RANDOM */
  uint64_t random;
  uint32_t float_control; /* in force in this thread */
  bool polled; /* a wave has been seen to poll */
  struct slot **resident; /* max_groups of them; scratch of the i-th wave of slot s is fixed by both */
  uint32_t count;
  uint64_t waves; /* brought in so far */
  uint64_t waited_at; /* 0, or one more than the turns that had passed when all its waves waited for theirs */
  struct slot *spare; /* of the group that ended last, for the next one; or NULL */
  const struct og_observer *observer; /* or NULL */
  bool plain;                         /* nothing is wanted that og_run_to_barriers() leaves out */
  struct og_windows windows;
  struct og_counts counts;
};

/* ---- memory of groups and scratch -------------------------------------------------------------------------------- */

/* Pages of zeros: registers are cleared at launch as far as they are allocated, and the others are read, too. */
static void *waves_new(uint32_t count) {
  void *pages =
      mmap(NULL, (size_t)OG_WAVE_STRIDE * count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages != MAP_FAILED ? pages : NULL;
}
static void waves_free(void *waves, uint32_t count) {
  if (waves != NULL)
    munmap(waves, (size_t)OG_WAVE_STRIDE * count);
}

struct og_machine *og_machine_new(struct og_memory_map *map) {
  struct og_machine *machine = aligned_alloc(64, sizeof *machine);
  if (machine == NULL)
    return NULL;
  memset(machine, 0, sizeof *machine);
  machine->map = map;
  machine->team = og_team_new();
  machine->common = waves_new(1);
  if (machine->team == NULL || machine->common == NULL) {
    if (machine->team != NULL)
      og_team_free(machine->team);
    waves_free(machine->common, 1);
    free(machine);
    return NULL;
  }
  og_launch_numbers(machine->common);
  pthread_mutex_init(&machine->lock, NULL);
  pthread_mutex_init(&machine->gds.mutex, NULL);
  return machine;
}

static void slot_free(struct slot *slot) {
  free(slot->paces);
  waves_free(slot->group.waves, slot->group.max_waves);
  free(slot->group.lds - (slot->group.lds != NULL ? OG_LDS_MARGIN : 0));
  free(slot);
}

static void scratch_unmap(struct og_machine *machine, uint8_t *scratch, uint64_t size) {
  og_memory_map_remove(machine->map, (uintptr_t)scratch);
  munmap(scratch, size);
}

void og_machine_free(struct og_machine *machine) {
  if (machine == NULL)
    return;
  og_team_free(machine->team);
  while (machine->spare != NULL) {
    struct slot *next = machine->spare->next;
    slot_free(machine->spare);
    machine->spare = next;
  }
  if (machine->scratch != NULL)
    scratch_unmap(machine, machine->scratch, machine->scratch_size);
  free(machine->workers);
  waves_free(machine->common, 1);
  pthread_mutex_destroy(&machine->lock);
  pthread_mutex_destroy(&machine->gds.mutex);
  free(machine);
}

static struct slot *slot_new(struct og_machine *machine, uint32_t waves, uint32_t lds_bytes) {
  struct slot *slot = calloc(1, sizeof *slot);
  if (slot == NULL)
    return NULL;
  struct og_group *group = &slot->group;
  group->map = machine->map;
  group->gws = &machine->gws;
  group->gds = &machine->gds;
  group->max_waves = waves;
  group->lds_capacity = (uint32_t)og_align_up(lds_bytes, 4096);
  group->waves = waves_new(waves);
  group->lds = aligned_alloc(64, group->lds_capacity + 2 * OG_LDS_MARGIN);
  slot->paces = calloc(waves, sizeof *slot->paces);
  group->lds += group->lds != NULL ? OG_LDS_MARGIN : 0;
  if (group->waves == NULL || group->lds == NULL || slot->paces == NULL) {
    slot_free(slot);
    return NULL;
  }
  return slot;
}

/* A spare one that is large enough, else a new one. */
static struct slot *slot_get(struct og_machine *machine, uint32_t waves, uint32_t lds_bytes) {
  pthread_mutex_lock(&machine->lock);
  struct slot **at = &machine->spare, *slot = NULL;
  while (*at != NULL && ((*at)->group.max_waves < waves || (*at)->group.lds_capacity < lds_bytes))
    at = &(*at)->next;
  if (*at != NULL) {
    slot = *at;
    *at = slot->next;
  }
  pthread_mutex_unlock(&machine->lock);
  return slot != NULL ? slot : slot_new(machine, waves, lds_bytes);
}

static void slot_put(struct og_machine *machine, struct slot *slot) {
  pthread_mutex_lock(&machine->lock);
  slot->next = machine->spare;
  machine->spare = slot;
  pthread_mutex_unlock(&machine->lock);
}

/* The machine's scratch if it is free and large enough, else a new one; pages come when touched. It is memory like any
 * other: GCC's kernels reach their stacks by its global address. */
static bool scratch_get(struct run *run, uint64_t size, uint64_t *got) {
  struct og_machine *machine = run->machine;
  uint8_t *memory = NULL;
  pthread_mutex_lock(&machine->lock);
  if (machine->scratch != NULL && machine->scratch_size >= size) {
    memory = machine->scratch;
    size = machine->scratch_size;
    machine->scratch = NULL;
  }
  pthread_mutex_unlock(&machine->lock);
  if (memory == NULL) {
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return false;
    og_memory_map_add(machine->map, (uintptr_t)memory, size, OG_MEMORY_READ | OG_MEMORY_WRITE);
  }
  run->launch.scratch = memory;
  *got = size;
  return true;
}

static void scratch_put(struct run *run, uint64_t size) {
  struct og_machine *machine = run->machine;
  uint8_t *drop = run->launch.scratch;
  pthread_mutex_lock(&machine->lock);
  if (machine->scratch == NULL || machine->scratch_size < size) {
    uint8_t *mine = drop;
    uint64_t my_size = size;
    drop = machine->scratch;
    size = machine->scratch_size;
    machine->scratch = mine;
    machine->scratch_size = my_size;
  }
  pthread_mutex_unlock(&machine->lock);
  if (drop != NULL)
    scratch_unmap(machine, drop, size);
}

/* ---- faults and counts ------------------------------------------------------------------------------------------- */

static void stop_with(struct run *run, const struct og_fault *fault) {
  pthread_mutex_lock(&run->lock);
  if (!run->failed) {
    run->failed = true;
    run->fault = *fault;
  }
  pthread_mutex_unlock(&run->lock);
  __atomic_store_n(&run->stop, 1, __ATOMIC_RELAXED);
}

static void OG_PRINTF(3, 4) stop_wave(struct run *run, struct og_wave *wave, const char *format, ...) {
  struct og_fault fault = wave->fault;
  if (format != NULL) {
    va_list args;
    va_start(args, format);
    fault = (struct og_fault){.kind = OG_FAULT_STOPPED,
                              .pc = wave->state == OG_WAVE_ENDED ? 0 : og_pc(wave->program, wave->resume)};
    vsnprintf(fault.what, sizeof fault.what, format, args);
    va_end(args);
  }
  fault.has_wave = true;
  memcpy(fault.group, wave->group->id, sizeof fault.group);
  fault.wave = wave->id;
  if (wave->observer != NULL && wave->observer->fault != NULL)
    wave->observer->fault(wave->observer->context, wave, &fault);
  stop_with(run, &fault);
}

/* The places of the waves of a group that does not end. */
static void note_standing(struct run *run, const struct og_group *group) {
  pthread_mutex_lock(&run->lock);
  for (uint32_t i = 0; i < group->wave_count; i++) {
    const struct og_wave *wave = og_group_wave(group, i);
    if (wave->state == OG_WAVE_ENDED)
      continue;
    struct og_standing place = {.pc = og_pc(wave->program, wave->resume), .state = wave->state, .wave = wave->id};
    memcpy(place.group, group->id, sizeof place.group);
    uint32_t at = 0;
    while (at < run->stood_count && (run->stood[at].pc != place.pc || run->stood[at].state != place.state))
      at++;
    if (at == OG_STANDINGS) {
      run->stood_elsewhere++;
      continue;
    }
    if (at == run->stood_count)
      run->stood[run->stood_count++] = place;
    run->stood[at].waves++;
  }
  pthread_mutex_unlock(&run->lock);
}

static void stop_machine(struct run *run, const char *what) {
  struct og_fault fault = {.kind = OG_FAULT_RESOURCES};
  snprintf(fault.what, sizeof fault.what, "%s", what);
  stop_with(run, &fault);
}

_Static_assert(sizeof(struct og_counts) % sizeof(uint64_t) == 0, "og_counts is summed as 64-bit numbers");

/* ---- one group --------------------------------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static bool is_random(const struct worker *worker) { return worker->random_order; }

static uint32_t slice(struct worker *worker, const struct og_group *group, const struct pace *pace) {
  if (__builtin_expect(is_random(worker), 0))
    return (uint32_t)(draw(&worker->random) % (pace->polls ? POLL_SLICE : 256)) + 1;
  if (__builtin_expect(pace->polls, 0))
    return POLL_SLICE;
  return OG_MIN(pace->slice, group->rounds < SPIN_ROUNDS ? (uint32_t)SLICE : (uint32_t)SPIN_SLICE);
}

static void start_pace(const struct worker *worker, struct pace *pace) {
  *pace = (struct pace){.slice = worker->polled ? FIRST_SLICE : SLICE};
}

/* A checksum of the wave's state without memory. Equal sums count as equal states: a mistake costs one turn. */
static uint64_t sum_registers(const struct worker *worker, const struct og_wave *wave) {
  enum { COLUMNS = 16 };
  const uint32_t *files[] = {wave->s, wave->v[0]};
  const size_t sizes[] = {OG_COUNT(wave->s), worker->run->launch.vgprs * OG_LANES};
  uint32_t sum[COLUMNS] = {0}, sums[COLUMNS] = {0};
  for (size_t f = 0; f < OG_COUNT(files); f++)
    for (size_t i = 0; i + COLUMNS <= sizes[f]; i += COLUMNS)
      for (size_t k = 0; k < COLUMNS; k++) {
        sum[k] += files[f][i + k];
        sums[k] += sum[k];
      }
  uint64_t all = (uintptr_t)wave->resume;
  for (size_t k = 0; k < COLUMNS; k++)
    all = all * 0x9e3779b97f4a7c15u + ((uint64_t)sums[k] << 32 | sum[k]);
  return all;
}

/* At the end of a slice that brought the wave to no barrier. */
static void keep_pace(struct worker *worker, const struct og_wave *wave, struct pace *pace) {
  uint64_t sum = sum_registers(worker, wave);
  pace->missed = sum == pace->seen ? 0 : pace->missed + 1;
  if (pace->missed == 0) {
    pace->polls = worker->polled = true;
  } else if (!pace->polls || pace->missed > POLL_MISSES) {
    pace->slice = pace->polls ? FIRST_SLICE : OG_MIN(2 * pace->slice, (uint32_t)SLICE);
    pace->polls = false;
  }
  pace->slices++;
  if ((pace->slices & (pace->slices - 1)) == 0)
    pace->seen = sum;
}

static bool has_to_stop(const struct og_dispatch *dispatch) {
  return (dispatch->abort != NULL && __atomic_load_n(dispatch->abort, __ATOMIC_RELAXED) != 0) ||
         (dispatch->deadline != 0 && og_clock() >= dispatch->deadline);
}

static bool is_out_of_time(struct run *run, struct og_wave *wave) {
  if (__builtin_expect(!has_to_stop(run->dispatch), 1))
    return false;
  stop_wave(run, wave, "stopped before it came to its end: out of time");
  return true;
}

/* What a wave's turn came to. */
enum turn { TURN_FAULT, TURN_SPENT, TURN_WAITED, TURN_ADVANCED };

static enum turn end_turn(struct worker *worker, struct slot *slot, uint32_t number) {
  struct run *run = worker->run;
  struct og_group *group = &slot->group;
  struct og_wave *wave = og_group_wave(group, number);
  struct pace *pace = &slot->paces[number];
  if (wave->state != OG_WAVE_FAULT && is_out_of_time(run, wave))
    return TURN_FAULT;
  switch ((enum og_wave_state)wave->state) {
  case OG_WAVE_ENDED:
    group->live--;
    og_barriers_left(group);
    if (worker->observer != NULL && worker->observer->end != NULL)
      worker->observer->end(worker->observer->context, wave);
    if (wave->verdict == OG_STOP_HERE) {
      stop_wave(run, wave, "stopped by its observer");
      return TURN_FAULT;
    }
    return TURN_ADVANCED;
  case OG_WAVE_BARRIER:
    if (pace->slices) /* else it is as at the start */
      start_pace(worker, pace);
    if (wave->counts != NULL)
      wave->counts->events.barriers++;
    return TURN_ADVANCED;
  case OG_WAVE_FAULT:
    stop_wave(run, wave, NULL);
    return TURN_FAULT;
  case OG_WAVE_READY:
    keep_pace(worker, wave, pace);
    slot->paced = true;
    break;
  case OG_WAVE_SLEEPING:
    return TURN_WAITED;
  }
  return pace->polls ? TURN_WAITED : TURN_SPENT;
}

static enum turn run_wave(struct worker *worker, struct slot *slot, uint32_t number) {
  struct og_wave *wave = og_group_wave(&slot->group, number);
  wave->budget = slice(worker, &slot->group, &slot->paces[number]) - 1; /* the branch behind them gives way */
  if (worker->observer != NULL) /* whose own floats are the host's */
    og_wave_run(wave);
  else
    og_wave_run_under(wave, &worker->float_control);
  return end_turn(worker, slot, number);
}

static bool can_run(const struct og_wave *wave) {
  return wave->state == OG_WAVE_READY || wave->state == OG_WAVE_SLEEPING;
}

static struct og_wave *first_waiting(const struct og_group *group) {
  uint32_t i = 0;
  while (og_group_wave(group, i)->state != OG_WAVE_BARRIER)
    i++;
  return og_group_wave(group, i);
}

/* One that has not ended, if there is one. */
static struct og_wave *first_live(const struct og_group *group) {
  uint32_t i = 0;
  while (i + 1 < group->wave_count && og_group_wave(group, i)->state == OG_WAVE_ENDED)
    i++;
  return og_group_wave(group, i);
}

/* What the turns of a group's waves came to. */
struct round {
  bool advanced, waited;
};

/* Whether all waves have the same, longest slice, and nothing comes between their turns. */
static bool is_quick(const struct worker *worker, const struct slot *slot) {
  return worker->plain && !worker->polled && !slot->paced && slot->group.rounds < SPIN_ROUNDS;
}

/* From number `from` on, turns that lead to barriers or to waves' ends, as most do. Yields the wave whose turn came to
 * something else, which *turn says, or how many waves there are. */
static uint32_t run_quickly(struct worker *worker, struct slot *slot, uint32_t from, struct round *round,
                            enum turn *turn) {
  bool some = false;
  uint32_t number = og_run_to_barriers(&slot->group, from, SLICE - 1, &worker->float_control, &some);
  round->advanced |= some;
  if (number < slot->group.wave_count)
    *turn = end_turn(worker, slot, number);
  else if (some && is_out_of_time(worker->run, first_live(&slot->group)))
    *turn = TURN_FAULT;
  return number;
}

/* One turn of each wave. False: stop. */
static bool run_round(struct worker *worker, struct slot *slot, struct round *round) {
  const struct og_group *group = &slot->group;
  uint32_t first = is_random(worker) ? (uint32_t)(draw(&worker->random) % group->wave_count) : 0;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    uint32_t number = first + i < group->wave_count ? first + i : first + i - group->wave_count;
    enum turn turn = TURN_ADVANCED;
    if (is_quick(worker, slot))
      i = run_quickly(worker, slot, i, round, &turn);
    else if (can_run(og_group_wave(group, number)))
      turn = run_wave(worker, slot, number);
    else
      continue;
    if (turn == TURN_FAULT || __atomic_load_n(&worker->run->stop, __ATOMIC_RELAXED))
      return false;
    round->advanced |= turn == TURN_ADVANCED && i < group->wave_count;
    round->waited |= turn == TURN_WAITED;
  }
  return true;
}

/* One turn of each wave, then the barrier, on and on until the group has ended or no wave advances. False: stop. */
static bool run_group(struct worker *worker, struct slot *slot) {
  struct og_group *group = &slot->group;
  while (group->live > 0) {
    struct round round = {false, false};
    if (!run_round(worker, slot, &round))
      return false;
    if (worker->observer != NULL && worker->observer->barrier != NULL && og_barriers_full(group))
      worker->observer->barrier(worker->observer->context, group);
    if (!og_barriers_open(group)) {
      stop_wave(worker->run, first_waiting(group),
                "waits at a barrier as all waves of its %s do, and none of them can complete one",
                group->cluster != NULL ? "cluster" : "work-group");
      return false;
    }
    if (!round.advanced) {
      group->rounds += round.waited ? SPIN_ROUNDS : 1;
      break;
    }
    group->rounds = 0;
    if (is_random(worker))
      break;
  }
  return true;
}

/* ---- one host thread --------------------------------------------------------------------------------------------- */

/* The index-th group, or cluster, of the random order: a Feistel network over the next power of four, repeated while
 * the result is out of range. So an order of any length needs no memory. */
static uint64_t shuffled(const struct run *run, uint64_t index) {
  uint64_t count = run->launch.group_count / run->launch.cluster_groups;
  unsigned half = 1;
  while (half < 16 && count > 1ull << 2 * half)
    half++;
  const uint64_t mask = (1ull << half) - 1;
  do {
    uint64_t left = index >> half, right = index & mask;
    for (uint64_t round = 0; round < 4; round++) {
      uint64_t state = run->dispatch->seed + (round << 32 | right) * 0x2545f4914f6cdd1du;
      uint64_t mixed = left ^ (draw(&state) & mask);
      left = right;
      right = mixed;
    }
    index = left << half | right;
  } while (index >= count);
  return index;
}

static void prepare_wave(struct worker *worker, const struct og_group *group, uint32_t id, uint64_t place) {
  struct run *run = worker->run;
  struct og_wave *wave = og_group_wave(group, id);
  og_launch_wave(&run->launch, group, id, place, wave);
  wave->group = (struct og_group *)group;
  wave->lds = group->lds;
  wave->windows = &worker->windows;
  wave->counts = run->dispatch->count ? &worker->counts : NULL;
  wave->observer = worker->observer;
}

/* A group: its place among the clusters' and its own in its cluster, which is NULL where there are none. */
struct place {
  uint64_t launched, index;
  uint32_t flat;
  struct og_cluster *cluster;
};

static bool bring_group_in(struct worker *worker, struct place place) {
  struct run *run = worker->run;
  const struct og_launch *launch = &run->launch;
  uint32_t at = 0; /* a free place: its number fixes the scratch */
  while (worker->resident[at] != NULL)
    at++;
  struct slot *slot = worker->spare;
  worker->spare = NULL;
  if (slot == NULL && (slot = slot_get(run->machine, launch->waves_per_group, launch->lds_bytes)) == NULL) {
    stop_machine(run, "out of memory for a work-group's registers and LDS");
    return false;
  }
  worker->resident[at] = slot;
  worker->count++;
  struct og_group *group = &slot->group;
  og_launch_group(launch, group, place.index, place.flat);
  group->launched = (uint32_t)place.launched;
  group->cluster = place.cluster;
  if (place.cluster != NULL) {
    place.cluster->groups[place.flat] = group;
    place.cluster->held++;
  }
  group->dispatch = run->dispatch;
  group->abort = run->dispatch->abort;
  group->stop = &run->stop;
  worker->waves += group->wave_count;
  memset(group->lds, 0, launch->lds_bytes);
  if (worker->observer != NULL && worker->observer->group_begin != NULL)
    worker->observer->group_begin(worker->observer->context, group);
  slot->paced = false;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    start_pace(worker, &slot->paces[i]);
    prepare_wave(worker, group, i, worker->number * run->max_groups + at);
    if (worker->observer != NULL && worker->observer->begin != NULL)
      worker->observer->begin(worker->observer->context, og_group_wave(group, i));
  }
  return true;
}

/* The group's memory is for others. The last of a cluster takes that along. */
static void leave_cluster(struct og_group *group) {
  struct og_cluster *cluster = group->cluster;
  group->cluster = NULL;
  if (cluster == NULL)
    return;
  cluster->groups[group->flat] = NULL;
  if (--cluster->held == 0)
    free(cluster);
}

/* Brings the next group in, or cluster of them; false: there is none, or no memory. */
static bool bring_in(struct worker *worker) {
  struct run *run = worker->run;
  const uint32_t count = run->launch.cluster_groups;
  struct place place = {.launched = __atomic_fetch_add(&run->next, 1, __ATOMIC_RELAXED)};
  if ((place.launched + 1) * count > run->launch.group_count) /* without a division */
    return false;
  place.index = is_random(worker) ? shuffled(run, place.launched) : place.launched;
  if (count == 1)
    return bring_group_in(worker, place);
  struct og_cluster *cluster = calloc(1, sizeof *cluster);
  if (cluster == NULL) {
    stop_machine(run, "out of memory for a cluster");
    return false;
  }
  cluster->count = cluster->live = count;
  place.cluster = cluster;
  for (; place.flat < count; place.flat++)
    if (!bring_group_in(worker, place)) {
      if (place.flat == 0)
        free(cluster);
      return false;
    }
  return true;
}

/* Whether there is room for what bring_in() brings. */
static bool has_room(const struct worker *worker) {
  return worker->count + worker->run->launch.cluster_groups <= worker->run->max_groups;
}

/* Runs each resident group once; false: stop. Sets *spinning if none of them got anywhere for a while. */
static bool run_resident(struct worker *worker, bool *spinning) {
  struct run *run = worker->run;
  uint32_t left = worker->count;
  *spinning = true;
  for (uint32_t i = 0; left > 0; i++) {
    struct slot *slot = worker->resident[i];
    if (slot == NULL)
      continue;
    left--;
    if (!run_group(worker, slot))
      return false;
    *spinning &= slot->group.live > 0 && slot->group.rounds >= SPIN_ROUNDS;
    if (slot->group.live == 0) {
      if (worker->observer != NULL && worker->observer->group_end != NULL)
        worker->observer->group_end(worker->observer->context, &slot->group);
      if (run->dispatch->progress != NULL)
        __atomic_fetch_add(&run->dispatch->progress->done, 1, __ATOMIC_RELAXED);
      leave_cluster(&slot->group);
      worker->resident[i] = NULL;
      worker->count--;
      if (worker->spare != NULL)
        slot_put(run->machine, worker->spare);
      worker->spare = slot;
    }
  }
  return true;
}

/* All resident groups wait for other threads or the host. So this thread yields, longer each time. */
static void rest(unsigned rounds) {
  if (rounds > REST_AFTER)
    nanosleep(&(struct timespec){0, (long)OG_MIN((rounds - REST_AFTER) * (unsigned)FIRST_REST, (unsigned)LONGEST_REST)},
              NULL);
  else if (rounds > YIELD_AFTER)
    sched_yield();
}

/* Yields the host to dispatches of higher priority: four fifths of the time. They may wait for this one, so it
 * continues. */
static void give_way(const struct run *run, uint64_t *since) {
  const unsigned *ahead = run->dispatch->ahead;
  if (ahead == NULL || __atomic_load_n(ahead, __ATOMIC_RELAXED) == 0)
    return;
  uint64_t now = og_clock(), pause = OG_MIN(4 * (now - *since), (uint64_t)LONGEST_WAY);
  nanosleep(&(struct timespec){0, (long)pause}, NULL);
  *since = now + pause;
}

/* Whether all there is waits for its turn to count; *first: a wave of them. */
static bool all_wait_in_order(const struct worker *worker, struct og_wave **first) {
  *first = NULL;
  for (uint64_t i = 0; i < worker->run->max_groups; i++)
    for (uint32_t k = 0; worker->resident[i] != NULL && k < worker->resident[i]->group.wave_count; k++) {
      struct og_wave *wave = og_group_wave(&worker->resident[i]->group, k);
      if (wave->state == OG_WAVE_ENDED)
        continue;
      if (!wave->waits_order && wave->state != OG_WAVE_BARRIER)
        return false;
      *first = *first == NULL && wave->waits_order ? wave : *first;
    }
  return *first != NULL;
}

/* All resident waves have tried since so many turns had passed, and perhaps no other has since. If that is so of all
 * threads, nobody's turn comes any more. */
static void find_lost_turn(struct worker *worker, uint64_t turns) {
  struct run *run = worker->run;
  struct og_wave *first;
  if (!all_wait_in_order(worker, &first) || __atomic_load_n(&run->machine->gds.turns, __ATOMIC_ACQUIRE) != turns)
    return;
  pthread_mutex_lock(&run->lock);
  if (run->turns != turns) {
    run->turns = turns;
    run->waiting = 0;
  }
  run->waiting += worker->waited_at != turns + 1;
  worker->waited_at = turns + 1;
  bool lost = run->waiting + run->finished == run->threads;
  pthread_mutex_unlock(&run->lock);
  if (lost)
    stop_wave(run, first, "waits for turn %u to count, which no wave passes on",
              first->s[OG_S_M0] & ((1u << OG_ORDER_BITS) - 1));
}

static void work(struct worker *worker) {
  struct run *run = worker->run;
  uint64_t since = run->dispatch->ahead != NULL ? og_clock() : 0;
  unsigned rounds = 0; /* in a row in which all there is waited */
  uint64_t wanted = is_random(worker) ? OG_MIN(run->max_groups, 4u) : 1;
  const uint64_t least = wanted;
  for (bool more = true; !__atomic_load_n(&run->stop, __ATOMIC_RELAXED);) {
    while (more && worker->count < wanted && has_room(worker))
      more = bring_in(worker);
    if (worker->count == 0)
      break;
    bool spinning;
    uint64_t turns = __atomic_load_n(&run->machine->gds.turns, __ATOMIC_ACQUIRE);
    if (!run_resident(worker, &spinning))
      break;
    if (spinning && (!more || !has_room(worker)))
      find_lost_turn(worker, turns);
    rounds = spinning && (!more || !has_room(worker)) ? rounds + 1 : 0;
    rest(rounds);
    give_way(run, &since);
    wanted = spinning ? OG_MIN(2 * wanted, run->max_groups) : OG_MAX(least, OG_MIN(wanted, (uint64_t)worker->count));
  }
  pthread_mutex_lock(&run->lock);
  run->finished++;
  run->waves += worker->waves;
  run->waiting -= worker->waited_at == run->turns + 1;
  pthread_mutex_unlock(&run->lock);
  for (uint64_t i = 0; i < run->max_groups; i++)
    if (worker->resident[i] != NULL) {
      note_standing(run, &worker->resident[i]->group);
      leave_cluster(&worker->resident[i]->group);
      slot_put(run->machine, worker->resident[i]);
    }
  if (worker->spare != NULL)
    slot_put(run->machine, worker->spare);
  if (!run->dispatch->count)
    return;
  pthread_mutex_lock(&run->lock);
  og_statistics_add(&run->counts, &worker->counts, sizeof(struct og_counts));
  pthread_mutex_unlock(&run->lock);
}

static void work_as(void *context, unsigned number) {
  struct worker *worker = (struct worker *)context + number;
  uint32_t host = worker->float_control = og_get_float_control();
  work(worker);
  og_change_float_control(worker->float_control, host);
}

/* They are large, so they are kept; where accesses went in the dispatch before is forgotten. */
static struct worker *workers_get(struct og_machine *machine, unsigned count) {
  if (machine->worker_count < count) {
    free(machine->workers);
    machine->workers = calloc(count, sizeof *machine->workers);
    machine->worker_count = machine->workers != NULL ? count : 0;
  }
  return machine->workers;
}

static void worker_start(struct worker *worker, struct run *run, unsigned number, struct slot **resident) {
  struct og_windows *windows = &worker->windows;
  worker->run = run;
  worker->number = number;
  worker->observer = run->dispatch->observer_of != NULL
                         ? run->dispatch->observer_of(run->dispatch->observer_context, number)
                         : run->dispatch->observer;
  worker->random_order = run->dispatch->schedule == OG_SCHEDULE_RANDOM;
  worker->plain = worker->observer == NULL && !run->dispatch->count && run->dispatch->handler == NULL &&
                  !og_launch_shares_vgprs(&run->launch) && !worker->random_order;
  worker->random = run->dispatch->seed * 0x2545f4914f6cdd1du + number;
  worker->polled = false;
  worker->resident = resident;
  worker->count = 0;
  worker->waves = 0;
  worker->waited_at = 0;
  worker->spare = NULL;
  memset(windows->read, 0, sizeof windows->read);
  memset(windows->write, 0, sizeof windows->write);
  if (run->dispatch->count) {
    memset(windows->conflicts, 0, sizeof windows->conflicts);
    worker->counts = (struct og_counts){0};
  }
}

static void run_threads(struct run *run, unsigned threads) {
  struct worker *workers = workers_get(run->machine, threads);
  struct slot **resident = calloc(threads * run->max_groups, sizeof *resident);
  if (workers == NULL || resident == NULL) {
    stop_machine(run, "out of memory for host threads");
  } else {
    for (unsigned i = 0; i < threads; i++)
      worker_start(&workers[i], run, i, resident + i * run->max_groups);
    og_team_run(run->machine->team, threads, work_as, workers);
  }
  free(resident);
}

/* ---- the dispatch ------------------------------------------------------------------------------------------------ */

static unsigned count_units(const struct og_dispatch *dispatch) {
  return dispatch->units ? (unsigned)__builtin_popcountll(dispatch->units) : UNITS;
}

/* As many groups as fit a large processor, less if their scratch would be too much. */
static uint64_t groups_per_thread(const struct og_launch *launch, unsigned threads) {
  uint64_t groups = MAX_WAVES / UNITS * count_units(launch->dispatch) / launch->waves_per_group;
  uint64_t group_scratch = launch->wave_scratch * launch->waves_per_group;
  if (group_scratch > 0)
    groups = OG_MIN(groups, MAX_SCRATCH / group_scratch);
  groups = OG_MIN(groups, launch->group_count);
  return OG_MAX(groups / threads, launch->cluster_groups);
}

static bool can_preload(const struct run *run) {
  const struct og_initial_state *start = &run->dispatch->start;
  unsigned count = start->inputs[OG_INPUT_KERNARG_PRELOAD].count;
  return count == 0 || og_memory_map_holds(run->machine->map, run->dispatch->kernarg + start->preload_offset, 4 * count,
                                           OG_MEMORY_READ);
}

static void run_all(struct run *run) {
  unsigned threads =
      (unsigned)OG_MIN(OG_MAX(run->dispatch->threads, 1u), run->launch.group_count / run->launch.cluster_groups);
  threads = OG_MIN(threads, count_units(run->dispatch));
  if (run->dispatch->observer != NULL)
    threads = 1;
  run->max_groups = groups_per_thread(&run->launch, threads);
  run->threads = threads;
  og_gds_start(&run->machine->gds);
  uint64_t scratch = run->launch.wave_scratch * run->launch.waves_per_group * run->max_groups * threads;
  if (!can_preload(run))
    stop_machine(run, "the kernel's arguments to preload are outside every buffer");
  else if (scratch > UINT32_MAX)
    stop_machine(run, "the work-group's scratch is more than 32-bit offsets reach");
  else if (scratch > 0 && !scratch_get(run, scratch, &scratch))
    stop_machine(run, "out of memory for scratch");
  if (!run->failed) {
    og_launch_registers(&run->launch, run->machine->common);
    run_threads(run, threads);
  }
  if (run->launch.scratch != NULL)
    scratch_put(run, scratch);
}

bool og_dispatch_run(struct og_machine *machine, const struct og_dispatch *dispatch, struct og_dispatch_stats *stats,
                     struct og_fault *fault) {
  struct run run = {.machine = machine, .dispatch = dispatch};
  *stats = (struct og_dispatch_stats){0};
  if (!og_launch_check(&run.launch, dispatch, fault))
    return false;
  pthread_mutex_init(&run.lock, NULL);
  if (dispatch->progress != NULL) {
    __atomic_store_n(&dispatch->progress->done, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&dispatch->progress->groups, run.launch.group_count, __ATOMIC_RELAXED);
  }
  run_all(&run);
  pthread_mutex_destroy(&run.lock);
  stats->groups = run.launch.group_count;
  stats->waves = run.waves;
  stats->counts = run.counts;
  memcpy(stats->stood, run.stood, sizeof stats->stood);
  stats->stood_count = run.stood_count;
  stats->stood_elsewhere = run.stood_elsewhere;
  if (run.failed)
    *fault = run.fault;
  return !run.failed;
}
