/* race.c - races between threads. For each byte of memory the last writer is remembered, and two threads that have read
   it since. An access that no barrier orders after these is a finding if one of the two writes and they are not both
   atomic. Threads of a group are ordered by vector clocks, which barriers pass on, and atomics on the same place.
   Groups are ordered only by atomics on the same place, and only as a whole: what a group does after its atomic counts
   as done before. */
#include "base/vector_clock.h"
#include "visa/exec/check.h"

#include <stdlib.h>
#include <string.h>

enum {
  PAGE = 1 << 12,
  BUCKETS = 1 << 14,
  CLOCK_LIMIT = (1 << 14) - 1,
  SITE_LIMIT = (1 << 17) - 1,
  THREAD_LIMIT = (1 << 12) - 1,
  GROUP_LIMIT = (1 << 20) - 1,
  LOCATION_BUDGET = 256 << 20, /* bytes for places that atomics touched; beyond that nothing is reported */
};

/* One access; 0: there was none. */
struct access {
  uint64_t group : 20, thread : 12, clock : 14, atomic : 1, site : 17;
};

struct cell {
  struct access write, read[2]; /* readers are different threads */
};

struct page {
  uintptr_t number;
  struct page *next;
  struct cell cells[PAGE];
};

/* A place that atomics accessed: the next atomic on it is ordered after these. */
struct location {
  uintptr_t address;
  struct location *next;
  uint32_t group;   /* the group whose clocks these are */
  uint32_t *clocks; /* by thread of that group */
  uint64_t *groups; /* a bit for each group */
};

struct og_vx_races {
  struct og_arena *arena;
  uint64_t group_count;
  uint32_t thread_capacity;
  uint32_t *clocks; /* thread t's view of thread u, at t * capacity + u */
  uint32_t *signals[OG_VX_NAMED_BARRIERS],
      *passed[OG_VX_NAMED_BARRIERS];        /* of threads that have come; of those of the last completion */
  uint64_t *acquired;                       /* groups that this one is ordered after */
  OG_VECTOR(const struct og_vx_op *) sites; /* operations that accessed memory; [0] is none */
  OG_VECTOR(const struct og_vx_program *) programs;
  struct og_map site_map;
  struct page *pages[BUCKETS], *last;
  struct location *locations[BUCKETS];
  uint64_t location_bytes;
};

/* Words for a bit for each group; 0 if there are too many groups to tell them apart. */
static uint64_t group_words(const struct og_vx_races *races) {
  return races->group_count > GROUP_LIMIT ? 0 : (races->group_count + 63) / 64;
}

struct og_vx_races *og_vx_races_new(struct og_arena *arena, uint64_t group_count, uint32_t thread_capacity) {
  struct og_vx_races *races = OG_NEW(arena, struct og_vx_races);
  races->arena = arena;
  races->group_count = group_count;
  races->thread_capacity = thread_capacity;
  races->clocks = OG_NEW_ARRAY(arena, uint32_t, (size_t)thread_capacity * thread_capacity);
  races->acquired = OG_NEW_ARRAY(arena, uint64_t, group_words(races));
  *OG_PUSH(arena, &races->sites) = NULL;
  *OG_PUSH(arena, &races->programs) = NULL;
  return races;
}

void og_vx_races_free(struct og_vx_races *races) {
  for (uint32_t i = 0; races && i < BUCKETS; i++)
    for (struct page *page = races->pages[i], *next; page; page = next) {
      next = page->next;
      free(page);
    }
}

static uint32_t *view(struct og_vx_races *races, uint32_t thread) {
  return races->clocks + (size_t)thread * races->thread_capacity;
}

void og_vx_races_start_group(struct og_vx_races *races) {
  uint32_t count = races->thread_capacity;
  memset(races->clocks, 0, sizeof(uint32_t) * count * count);
  memset(races->acquired, 0, sizeof(uint64_t) * group_words(races));
  for (uint32_t i = 0; i < count; i++)
    view(races, i)[i] = 1;
  for (uint32_t i = 0; i < OG_VX_NAMED_BARRIERS; i++) {
    if (races->signals[i])
      memset(races->signals[i], 0, sizeof(uint32_t) * count);
    if (races->passed[i])
      memset(races->passed[i], 0, sizeof(uint32_t) * count);
  }
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

void og_vx_race_signal(struct og_vx_thread *thread, uint32_t barrier, bool producer, bool complete) {
  struct og_vx_races *races = thread->check->races;
  uint32_t count = races->thread_capacity, *own = view(races, thread->index);
  if (!races->signals[barrier]) {
    races->signals[barrier] = OG_NEW_ARRAY(races->arena, uint32_t, count);
    races->passed[barrier] = OG_NEW_ARRAY(races->arena, uint32_t, count);
  }
  if (producer) {
    og_clock_join(races->signals[barrier], own, count);
    own[thread->index]++;
  }
  if (complete) {
    memcpy(races->passed[barrier], races->signals[barrier], sizeof(uint32_t) * count);
    memset(races->signals[barrier], 0, sizeof(uint32_t) * count);
  }
}

void og_vx_race_wait(struct og_vx_thread *thread, uint32_t barrier) {
  struct og_vx_races *races = thread->check->races;
  if (races->passed[barrier])
    og_clock_join(view(races, thread->index), races->passed[barrier], races->thread_capacity);
}

/* ---- atomics ----------------------------------------------------------------------------------------------------- */

static struct location *find_location(struct og_vx_races *races, const uint8_t *memory) {
  uintptr_t address = (uintptr_t)memory;
  struct location **bucket = &races->locations[address / 4 % BUCKETS], *location = *bucket;
  while (location && location->address != address)
    location = location->next;
  if (location || races->location_bytes > LOCATION_BUDGET)
    return location;
  races->location_bytes += sizeof(uint32_t) * races->thread_capacity + sizeof(uint64_t) * group_words(races);
  location = OG_NEW(races->arena, struct location);
  *location = (struct location){.address = address,
                                .next = *bucket,
                                .clocks = OG_NEW_ARRAY(races->arena, uint32_t, races->thread_capacity),
                                .groups = OG_NEW_ARRAY(races->arena, uint64_t, group_words(races))};
  return *bucket = location;
}

/* The atomic comes after all that accessed the place before, and before all that will. */
static void pass_through(struct og_vx_thread *thread, const uint8_t *memory) {
  struct og_vx_races *races = thread->check->races;
  struct location *location = find_location(races, memory);
  uint32_t count = races->thread_capacity, *own = view(races, thread->index), group = thread->group->index;
  if (!location)
    return;
  if (location->group == group)
    og_clock_join(own, location->clocks, count);
  else
    memset(location->clocks, 0, sizeof(uint32_t) * count);
  location->group = group;
  og_clock_join(location->clocks, own, count);
  own[thread->index]++;
  for (uint64_t i = 0; i < group_words(races); i++)
    location->groups[i] = races->acquired[i] |= location->groups[i];
  location->groups[group / 64] |= 1ull << group % 64;
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

static struct page *find_page(struct og_vx_races *races, uintptr_t number) {
  if (races->last && races->last->number == number)
    return races->last;
  struct page **bucket = &races->pages[number % BUCKETS], *page = *bucket;
  while (page && page->number != number)
    page = page->next;
  if (!page && (page = calloc(1, sizeof *page))) {
    page->number = number;
    page->next = *bucket;
    *bucket = page;
  }
  return races->last = page;
}

/* The operation's number, for cells. */
static uint32_t find_site(struct og_vx_thread *thread, struct og_vx_races *races) {
  const struct og_vx_op *op = thread->check->op;
  struct og_text key = {(const char *)&op, sizeof op};
  uintptr_t site = (uintptr_t)og_map_get(&races->site_map, key);
  if (site)
    return (uint32_t)site;
  site = races->sites.count;
  *OG_PUSH(races->arena, &races->sites) = op;
  *OG_PUSH(races->arena, &races->programs) = thread->program;
  key.data = og_arena_copy(races->arena, key.data, key.size);
  *og_map_at(races->arena, &races->site_map, key) = (void *)site;
  return (uint32_t)OG_MIN(site, (uintptr_t)SITE_LIMIT);
}

static bool is_slm(const struct og_vx_thread *thread, const uint8_t *memory) {
  return memory >= thread->group->slm && memory < thread->group->slm + thread->group->slm_size;
}

/* Whether an access happened before what the thread does now, or the thread did it itself. */
static bool ordered(struct og_vx_thread *thread, const struct access *access, bool slm) {
  struct og_vx_races *races = thread->check->races;
  uint32_t group = thread->group->index & GROUP_LIMIT;
  if (!access->site || (access->group != group && slm)) /* each group has its own shared memory */
    return true;
  if (access->group != group)
    return races->acquired[access->group / 64] >> access->group % 64 & 1;
  return access->thread == (thread->index & THREAD_LIMIT) ||
         view(races, thread->index)[access->thread] >= access->clock;
}

static void tell(struct og_vx_thread *thread, const uint8_t *memory, const struct access *mine,
                 const struct access *other, bool writes, bool other_writes) {
  struct og_vx_races *races = thread->check->races;
  const struct og_vx_op *op = races->sites.items[OG_MIN((uint32_t)other->site, races->sites.count - 1)];
  const struct og_vx_program *program = races->programs.items[OG_MIN((uint32_t)other->site, races->sites.count - 1)];
  bool slm = is_slm(thread, memory);
  char who[32], where[32];
  if (other->group == mine->group)
    snprintf(who, sizeof who, "thread %u", (uint32_t)other->thread);
  else
    snprintf(who, sizeof who, "group %u", (uint32_t)other->group);
  if (op->inst->line)
    snprintf(where, sizeof where, "line %u", op->inst->line);
  else
    snprintf(where, sizeof where, "operation %td", op - program->ops);
  og_vx_find(thread, thread->check->op, OG_VX_RACE,
             "race: this %s of %s 0x%llx is not ordered after the %s by %s at %s",
             mine->atomic ? "atomic"
             : writes     ? "write"
                          : "read",
             slm ? "SLM offset" : "address",
             (unsigned long long)(slm ? (uintptr_t)(memory - thread->group->slm) : (uintptr_t)memory),
             other->atomic  ? "atomic"
             : other_writes ? "write"
                            : "read",
             who, where);
}

static void put_read(struct cell *cell, const struct access *mine) {
  struct access *read = cell->read;
  bool first = !read[0].site || (read[0].group == mine->group && read[0].thread == mine->thread);
  read[first ? 0 : 1] = *mine;
}

/* Compares an access with what the cell remembers, which then remembers this one. Reads beside atomics are not
   reported: compilers make plain loads of atomic ones. */
static void access_cell(struct og_vx_thread *thread, const uint8_t *memory, struct cell *cell,
                        const struct access *mine, bool writes, bool slm) {
  bool may = (mine->atomic || !writes) && cell->write.atomic;
  if (!may && !ordered(thread, &cell->write, slm))
    tell(thread, memory, mine, &cell->write, writes, true);
  for (uint32_t i = 0; writes && !mine->atomic && i < 2; i++)
    if (!cell->read[i].atomic && !ordered(thread, &cell->read[i], slm))
      tell(thread, memory, mine, &cell->read[i], writes, false);
  if (writes)
    *cell = (struct cell){.write = *mine};
  else
    put_read(cell, mine);
}

void og_vx_race_access(struct og_vx_thread *thread, const uint8_t *memory, uint32_t size, enum og_vx_access access) {
  struct og_vx_races *races = thread->check->races;
  bool slm = is_slm(thread, memory), atomic = access >= OG_VX_ATOMIC_READ;
  if (races->location_bytes > LOCATION_BUDGET || races->group_count > GROUP_LIMIT)
    return;
  if (atomic)
    pass_through(thread, memory);
  struct access mine = {.group = thread->group->index & GROUP_LIMIT,
                        .thread = thread->index & THREAD_LIMIT,
                        .clock = OG_MIN(view(races, thread->index)[thread->index] - atomic, (uint32_t)CLOCK_LIMIT) &
                                 CLOCK_LIMIT,
                        .atomic = atomic,
                        .site = find_site(thread, races) & SITE_LIMIT};
  for (uint32_t i = 0; i < size; i++) {
    uintptr_t at = (uintptr_t)memory + i;
    struct page *page = find_page(races, at / PAGE);
    if (page)
      access_cell(thread, memory + i, &page->cells[at % PAGE], &mine,
                  access == OG_VX_WRITE || access == OG_VX_ATOMIC_WRITE, slm);
  }
}
