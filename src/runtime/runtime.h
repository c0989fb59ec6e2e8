/* runtime.h - HSA's services inside this process: memory, queues, code loaded from code objects, dispatches.
 *
 * A runtime owns the memory kernels may touch, the machine that runs them and what is loaded. All calls may come
 * from any thread. Failures are reported in the diagnostics given, or in the runtime's fault after a dispatch. */
#ifndef OG_RUNTIME_H
#define OG_RUNTIME_H

#include "exec/dispatch.h"
#include "runtime/queue.h"
#include "target/target.h"
#include "tier/tier.h"

struct og_runtime;
struct og_services;
struct og_executable;

/* How dispatches run; may be changed between them. */
struct og_run_options {
  unsigned threads; /* 0 means 1 */
  enum og_schedule schedule;
  uint64_t seed;
  enum og_compile compile; /* for code that is loaded from now on */
  bool count; /* fill in the counts of og_dispatch_record */
  uint64_t timeout; /* nanoseconds that one dispatch may take; 0: any time */
  const uint64_t *clock;          /* this and the next: as in og_dispatch */
  struct og_progress *progress;
  uint32_t cluster[3];            /* a cluster's work-groups; [0] 0: as the packet or the kernel's metadata say */
  uint32_t lds_gap;               /* unused bytes in front of each dynamic object of LDS, if there is room */
  bool outlast;                   /* a dispatch that fails does not stop its queue */
  const struct og_observer *observer;
  const struct og_observer *(*observer_of)(void *context, unsigned thread);
  void *observer_context;
};

struct og_runtime *og_runtime_new(void); /* NULL: memory is short. */
/* Free the queues first: they use what this releases. */
void og_runtime_free(struct og_runtime *runtime);
/* How many of the host's processors dispatches may use. */
unsigned og_runtime_processors(void);
void og_runtime_set_options(struct og_runtime *runtime, const struct og_run_options *options);
/* The services for kernels whose arguments are made from now on (services.h); NULL: none. */
void og_runtime_set_services(struct og_runtime *runtime, struct og_services *services);

/* Gives dispatches from now on a trap handler: the code at `entry` of an executable that has to outlive them; it finds
 * `memory` in TMA. NULL: none. */
void og_runtime_set_trap_handler(struct og_runtime *runtime, const struct og_executable *executable, uint64_t entry,
                                 uint64_t memory);

/* The memory that kernels may touch. */
const struct og_memory_map *og_runtime_map(const struct og_runtime *runtime);

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Allocates zeroed memory that kernels may read and write, at an address aligned to `alignment` (a power of two; at
 * least a page). Kernels fault beyond `size`, rounded up to a cache line of 64 bytes. NULL: memory is short, or size is
 * 0. */
void *og_memory_new(struct og_runtime *runtime, size_t size, size_t alignment, unsigned access);
/* From now on, allocations have red zones on both sides, and addresses of freed ones are not used again: kernels that
 * go astray fault. */
void og_memory_guard(struct og_runtime *runtime);
/* False: the memory is not from og_memory_new. */
bool og_memory_free(struct og_runtime *runtime, void *memory);
/* The allocation that holds `address`; false: there is none. */
bool og_memory_find(struct og_runtime *runtime, const void *address, void **base, size_t *size);
/* Lets kernels touch the caller's own memory, or ends that. */
bool og_memory_share(struct og_runtime *runtime, void *memory, size_t size, unsigned access);
bool og_memory_unshare(struct og_runtime *runtime, void *memory);
/* Lets kernels touch host memory at another address than the host's; returns that address. NULL: addresses are
 * short. */
void *og_memory_alias(struct og_runtime *runtime, void *host, size_t size, unsigned access);
void og_memory_unalias(struct og_runtime *runtime, void *alias, size_t size);
/* Whether kernels reach all memory of the process, as with XNACK; if not, `hint` is added to faults there. To be called
 * before dispatches. */
void og_memory_reach_host(struct og_runtime *runtime, bool reached, const char *hint);
/* Changes memory from og_memory_new so that other processes can have it too. Returns a file for them to import, which
 * the caller closes; -1: `memory` is not from there, or the system refused. */
int og_memory_export(struct og_runtime *runtime, void *memory);
/* Maps the first `size` bytes of such a file, of this process or another; og_memory_forget() ends it. NULL: the file is
 * shorter, or the system refused. */
void *og_memory_import(struct og_runtime *runtime, int file, size_t size);
void og_memory_forget(struct og_runtime *runtime, void *memory, size_t size);

/* A signal in memory that kernels reach. */
struct og_signal *og_signal_new(struct og_runtime *runtime, int64_t value);
void og_signal_free(struct og_runtime *runtime, struct og_signal *signal);

/* ---- queues ------------------------------------------------------------------------------------------------------ */

struct og_kernel;

/* The result of a dispatch. */
struct og_dispatch_record {
  bool fine;
  bool ran; /* false: the packet itself was wrong; fault.what says how */
  uint8_t wave_size;
  uint64_t started, ended; /* nanoseconds of og_clock() */
  struct og_dispatch_stats stats;
  struct og_fault fault;
};

/* Called at the end of each dispatch, by the queue's own thread, before the completion signal. Executable and kernel
 * are NULL if the packet names none. */
typedef void og_dispatched(void *context, const struct og_executable *executable, const struct og_kernel *kernel,
                           const struct og_dispatch_packet *packet, const struct og_dispatch_record *record);

/* Called before each dispatch whose kernel was found, by the same thread; it may change how this dispatch runs. */
typedef void og_dispatching(void *context, const struct og_executable *executable, const struct og_kernel *kernel,
                            const struct og_dispatch_packet *packet, struct og_run_options *options);

struct og_runtime_queue_options {
  uint32_t size; /* packets, a power of two */
  uint32_t type; /* this and the next: as in og_queue_options */
  enum og_doorbell doorbell;
  uint32_t units, waves_per_unit;
  const struct og_target *target; /* the agent: kernels for other processors are refused. NULL: none are */
  og_dispatching *dispatching;    /* may be NULL, as may those that follow */
  og_dispatched *dispatched;
  og_stopped *stopped;
  og_packet_watch *packet;
  void *context;                  /* for all of them */
};
/* Makes a queue; its dispatches run beside those of other queues. */
struct og_queue *og_runtime_queue_new(struct og_runtime *runtime, const struct og_runtime_queue_options *options);
/* One bit for each of the 64 compute units that the queue's dispatches may use; 0: all. They run on no more host
 * threads than that. */
void og_runtime_queue_set_units(struct og_queue *queue, uint64_t units);
enum og_priority { OG_PRIORITY_LOW, OG_PRIORITY_NORMAL, OG_PRIORITY_HIGH, OG_PRIORITY_COUNT };
/* While dispatches of queues with higher priority run, those with lower get a fifth of the time at most. At first the
 * priority is normal. */
void og_runtime_queue_set_priority(struct og_queue *queue, enum og_priority priority);
/* The same with a size alone. */
struct og_queue *og_runtime_queue(struct og_runtime *runtime, uint32_t size);
void og_runtime_queue_free(struct og_runtime *runtime, struct og_queue *queue);
/* What kernels raise when they interrupt the host or end, for threads that wait for them. */
struct og_interrupts *og_runtime_interrupts(struct og_runtime *runtime);

/* The last dispatch that ended, whichever queue it was on. */
void og_runtime_last_dispatch(struct og_runtime *runtime, struct og_dispatch_record *record);

/* Submits a packet to a queue that nobody else fills, and waits until it is done and everything its kernels have
 * enqueued is too. After the deadline (of og_clock(); UINT64_MAX: none), or when *interrupted is not 0 (NULL: nobody
 * interrupts), the queue is cancelled. *record describes the last dispatch; false: its fault says why. */
bool og_runtime_run(struct og_runtime *runtime, struct og_queue *queue, const union og_packet *packet,
                    uint64_t deadline, const int *interrupted, struct og_dispatch_record *record);

/* Whether a dispatch that failed was ended by a deadline, a user or its queue, rather than by what its kernel did. */
bool og_ended_from_outside(const struct og_dispatch_record *record);

#endif
