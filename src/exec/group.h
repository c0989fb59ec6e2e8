/* group.h - a work-group on its compute unit, as dispatcher and memory handlers see it. Internal to src/exec. */
#ifndef OG_GROUP_H
#define OG_GROUP_H

#include "exec/dispatch.h"

/* A stretch of memory that a kernel may touch. */
struct og_window {
  uint64_t start, size;
  uint64_t shift; /* to the host's address: 0 but for aliases */
};

/* Per host thread: the last region of each memory instruction, so that the map is rarely searched. Indexed by the
 * operation's place in the code. */
enum { OG_WINDOWS = 128, OG_CONFLICTS = 512 };
/* Bank conflicts that an LDS instruction counted last, and for which addresses: they seldom change. */
struct og_conflicts {
  const struct og_operation *op;
  uint64_t exec, count;
  uint32_t address[OG_LANES];
};

struct og_windows {
  struct og_window read[OG_WINDOWS], write[OG_WINDOWS];
  struct og_conflicts conflicts[OG_CONFLICTS];
};

/* How many waves have to signal, and how many have: "CDNA5" ISA, 5.6.1. */
struct og_barrier {
  uint8_t members, signals;
};
enum { OG_NAMED_BARRIERS = 16 };
/* A bit of og_wave.barriers_done for each barrier that a wave may wait for: "CDNA5" ISA, S_BARRIER_WAIT. */
enum og_barrier_bit {
  OG_BARRIER_NAMED = 1,
  OG_BARRIER_GROUP = 2,
  OG_BARRIER_GROUP_TRAP = 4,
  OG_BARRIER_CLUSTER = 8,
  OG_BARRIER_CLUSTER_TRAP = 16
};

/* Work-groups that run together, all by one host thread ("CDNA5" ISA, 2.3). */
struct og_cluster {
  uint32_t count;      /* work-groups */
  uint32_t held;       /* of them are resident */
  uint32_t live;       /* of them have waves that have not ended: the members of the cluster's barriers */
  uint32_t signals[2]; /* of the cluster's barrier, of that of its trap handlers */
  struct og_group *groups[OG_CLUSTER_MAX];
};

struct og_group {
  const struct og_memory_map *map;
  uint32_t id[3];
  uint32_t index;      /* place among the dispatch's groups, x fastest */
  uint32_t extent[3];  /* work-items in each dimension; the grid's last groups may have fewer than the others */
  uint32_t items;      /* in all */
  uint32_t wave_count;
  uint32_t launched;   /* how many groups, or clusters, were launched before it */
  uint32_t live;       /* waves that have not ended */
  uint32_t rounds;     /* in a row in which all waves only looped or waited */
  uint32_t apart, apart_next; /* rounds until compiled code is to take all waves along again, now and the next time it
                                 cannot: run.c */
  uint32_t max_waves, lds_capacity; /* what is allocated */
  uint8_t *waves;
  struct og_cluster *cluster; /* NULL: it is in none */
  uint32_t told[3];           /* what waves find as its id: that of the cluster, where there is one */
  uint32_t place[3], flat;    /* in the cluster; x fastest */
  uint8_t trap_signals;       /* of the barrier of the work-group's trap handlers */
  struct og_barrier barriers[1 + OG_NAMED_BARRIERS]; /* the work-group's, whose members are the live waves; named
                                                        ones */
  uint8_t named_barriers; /* that the work-group has */
  struct og_gws *gws;  /* the machine's; NULL: none */
  struct og_gds *gds;  /* so */
  uint8_t *lds;        /* with OG_LDS_MARGIN spare bytes on either side */
  const struct og_dispatch *dispatch;
  const int *abort, *stop; /* waves stop when either is not 0, read atomically; either may be NULL */
};

enum {
  OG_LDS_MARGIN = 256, /* vector loads may read that far outside */
  /* From wave to wave. A cache line more than the size, lest the same register of all falls in the same cache set. */
  OG_WAVE_STRIDE = sizeof(struct og_wave) + 64
};

static inline struct og_wave *og_group_wave(const struct og_group *group, uint32_t i) {
  return (struct og_wave *)(void *)(group->waves + (size_t)i * OG_WAVE_STRIDE);
}
static inline struct og_wave *og_wave_behind(struct og_wave *wave) {
  return (struct og_wave *)(void *)((uint8_t *)wave + OG_WAVE_STRIDE);
}
static inline uint32_t og_wave_number(const struct og_group *group, const struct og_wave *wave) {
  return (uint32_t)((size_t)((const uint8_t *)wave - group->waves) / OG_WAVE_STRIDE);
}

/* The region that holds all of [address, address + size), with that access; false: there is none. */
bool og_memory_map_find(const struct og_memory_map *map, uint64_t address, uint64_t size, unsigned access,
                        struct og_window *window);
/* The regions near an address that is in none, for the fault's text. */
void og_memory_map_describe(const struct og_memory_map *map, uint64_t address, uint64_t size, char *text,
                            size_t text_size);

#endif
