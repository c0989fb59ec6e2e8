/* dispatch.h - from a kernel and a grid to waves: what the command processor and the dispatch controller do.
 *
 * The caller (runtime) owns queues, packets and kernel objects; here stand the machine that has compute units, the
 * memory kernels may touch, and one call that runs a dispatch to its end. */
#ifndef OG_DISPATCH_H
#define OG_DISPATCH_H

#include "exec/exec.h"
#include "target/initial_state.h"

/* ---- memory: which of the process's addresses a kernel may touch ------------------------------------------------- */

/* Regions that do not overlap. May be changed by any thread at any time, also during a dispatch; a region must not
 * be removed while a kernel that uses it runs. */
struct og_memory_map;

enum { OG_MEMORY_READ = 1, OG_MEMORY_WRITE = 2, OG_MEMORY_FREED = 0 /* no access: a fault says why */ };

struct og_memory_map *og_memory_map_new(void);
void og_memory_map_free(struct og_memory_map *map); /* NULL is allowed */
/* false: it overlaps a region, or is empty. */
bool og_memory_map_add(struct og_memory_map *map, uint64_t start, uint64_t size, unsigned access);
/* The same for memory of the host's at another address, which kernels reach at `start`. */
bool og_memory_map_add_alias(struct og_memory_map *map, uint64_t start, uint64_t size, unsigned access,
                             const void *host);
/* `start` as given to add; false: there is none. */
bool og_memory_map_remove(struct og_memory_map *map, uint64_t start);
/* Memory that was never added. `find` yields what holds the address; false: nothing is there. It is called without the
 * map's lock, by any thread. */
struct og_foreign_memory {
  bool (*find)(void *context, uint64_t address, uint64_t *start, uint64_t *size, unsigned *access);
  void *context;
  bool reached;     /* kernels may touch it, as with XNACK; else faults mention it: */
  const char *hint; /* how to make it accessible */
};
/* before dispatches */
void og_memory_map_set_foreign(struct og_memory_map *map, const struct og_foreign_memory *foreign);
/* Whether one region holds all of [address, address + size) with that access, at the host's own address. */
bool og_memory_map_holds(const struct og_memory_map *map, uint64_t address, uint64_t size, unsigned access);

/* ---- the machine ------------------------------------------------------------------------------------------------- */

/* Compute units: memory of resident waves and their LDS and scratch, kept from one dispatch to the next. */
struct og_machine;

struct og_machine *og_machine_new(struct og_memory_map *map); /* does not own the map */
void og_machine_free(struct og_machine *machine);

/* Flat addresses of LDS and scratch: the upper 32 bits. What src_shared_base, src_private_base and
 * amd_queue_t.{group,private}_segment_aperture_base_hi hold. */
enum { OG_SHARED_APERTURE = 0x00010000, OG_PRIVATE_APERTURE = 0x00020000 };

enum og_schedule {
  OG_SCHEDULE_ROUND_ROBIN, /* work-groups in order, x fastest; waves of a group in turn */
  OG_SCHEDULE_RANDOM,      /* order of groups and of waves, and their time slices, drawn from `seed` */
};

/* A dispatch's progress: read by other threads, so all of it is atomic. */
struct og_progress {
  uint64_t groups, done; /* in all, and of them ended */
};

enum { OG_CLUSTER_MAX = 16 /* work-groups */ };

struct og_dispatch {
  struct og_program *program; /* the code object's code, operations decoded so far included; for waves of the
                               * kernel's size */
  uint64_t entry;             /* address of the kernel's code; start.entry_skip bytes on it begins */
  struct og_initial_state start; /* what the kernel's descriptor says */

  uint32_t grid[3];           /* work-items, each at least 1; need not be multiples of the group */
  uint32_t group[3];          /* each at least 1 */
  uint32_t cluster[3];        /* work-groups of a cluster; all 0, or one in all: there are none */
  struct og_program *handler; /* the trap handler's code, for waves of this size; NULL: there is none */
  uint64_t handler_entry, handler_memory; /* TBA, TMA */
  uint64_t kernarg;           /* address of the arguments */
  uint64_t packet;            /* address of the 64-byte AQL packet */
  uint64_t queue;             /* address of the amd_queue_t */
  uint64_t id;                /* dispatch id: the packet's number in its queue */
  uint32_t group_bytes;       /* LDS, static and dynamic */
  uint32_t private_bytes;     /* scratch of one work-item */

  unsigned threads;           /* 0 is 1; with more, work-groups spread over host threads */
  uint64_t units;             /* a bit for each of the 64 compute units that may be used; 0: all */
  const unsigned *ahead;      /* how many dispatches run that go before this one, read atomically; NULL: none does */
  enum og_schedule schedule;
  uint64_t seed;
  const int *abort;           /* read atomically now and then; not 0: stop with a fault (timeout). May be NULL */
  uint64_t deadline;          /* of og_clock(); behind it, stop with a fault. 0: none */
  void (*interrupt)(void *context); /* a wave interrupts the host (s_sendmsg); by any thread. May be NULL */
  void *interrupt_context;
  bool count;                 /* fill in stats->counts */
  const uint64_t *clock;      /* what waves read for time, in nanoseconds, so that a run can be repeated; NULL: the
                                 host's */
  struct og_progress *progress; /* or NULL */
  const struct og_observer *observer; /* or NULL; only with one thread */
  /* With several threads: the observer of each, by its number below `threads`. Or NULL. */
  const struct og_observer *(*observer_of)(void *context, unsigned thread);
  void *observer_context;
};

/* Waves at one place when a dispatch was ended from outside. */
struct og_standing {
  uint64_t pc;
  uint32_t state; /* enum og_wave_state */
  uint32_t waves;
  uint32_t group[3], wave; /* the first of them */
};
enum { OG_STANDINGS = 16 };

struct og_dispatch_stats {
  uint64_t groups, waves;
  struct og_counts counts; /* zero unless asked for */
  struct og_standing stood[OG_STANDINGS]; /* that had begun and not ended */
  uint32_t stood_count;
  uint64_t stood_elsewhere; /* waves, where there are more places */
};

/* Runs to the end. false: *fault tells why (og_fault.pc is 0 where the dispatch itself is at fault). */
bool og_dispatch_run(struct og_machine *machine, const struct og_dispatch *dispatch, struct og_dispatch_stats *stats,
                     struct og_fault *fault);

#endif
