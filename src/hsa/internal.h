/* internal.h - what the files of src/hsa share: the process's one runtime, its agents, pools and memory by address.
 *
 * A handle is the address of the object that it names, or an index where objects are few and fixed; each file has one
 * function that turns a handle into its object, NULL where it names none. The exported functions check their arguments,
 * do what they do by calls of src/runtime, and translate the answer. Every one of them that has no function of its own
 * stands in unsupported.def. */
#ifndef OG_HSA_INTERNAL_H
#define OG_HSA_INTERNAL_H

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>

#include "runtime/loader.h"
#include "runtime/runtime.h"

enum { OG_HSA_AGENTS = 17 /* a CPU, and GPUs of OFFGRID_GPU */, OG_HSA_POOLS = 4 /* of an agent */ };

struct og_hsa_agent;

/* A memory pool of the AMD extension and, as well, a region of HSA's core: their handles are its address. */
struct og_hsa_pool {
  const struct og_hsa_agent *agent;
  hsa_amd_segment_t segment;
  uint32_t flags;  /* hsa_amd_memory_pool_global_flag_t, whose values are those of regions */
  uint64_t size;
};

/* An agent's handle is its address; so is its ISA's. */
struct og_hsa_agent {
  hsa_device_type_t type;
  uint32_t node;         /* its place in og_hsa.agents */
  struct og_target target; /* of a GPU; processor NULL: a CPU */
  uint32_t pool_count;
  struct og_hsa_pool pools[OG_HSA_POOLS];
};

/* Memory that the library handed out or was told of. */
struct og_hsa_range {
  uint64_t base, size;            /* as kernels see it */
  void *host;                     /* where the host sees it: the same but of locked memory */
  uint64_t mapped;                /* bytes that *host takes up */
  hsa_amd_pointer_type_t type;
  const struct og_hsa_agent *owner;
  const struct og_hsa_pool *pool; /* NULL: locked, IPC or the like */
  uint64_t accessible;            /* bit i: agent of node i was allowed access */
  void *userdata;
  void *detail;                   /* of who made it */
};

/* Everything that the C API forces to be one per process. */
struct og_hsa {
  pthread_mutex_t lock;    /* of references, and of what comes and goes with them */
  unsigned references;     /* hsa_init's without their hsa_shut_down; atomic */
  bool awaits_exit, exiting; /* note_exit is registered; the process runs its exit handlers (atomic) */
  struct og_runtime *runtime;
  bool reaches_host;       /* kernels reach memory that nobody registered */
  uint32_t agent_count;
  struct og_hsa_agent agents[OG_HSA_AGENTS]; /* the CPU first */
  struct og_hsa_range_table *ranges;
  pthread_mutex_t code_lock; /* of the next two (code.h) */
  struct og_hsa_executable *executables;
  struct og_hsa_file *files; /* readers and code objects */
  pthread_mutex_t memory_lock;      /* of the next seven */
  struct og_copies *copies;         /* NULL until the first copy */
  struct og_hsa_locked *locked;     /* locked.c */
  struct og_hsa_farewell *farewells; /* pointers.c */
  struct og_hsa_shared *shared;      /* ipc.c */
  struct og_hsa_attribute *attributes; /* svm.c: the newest first */
  struct og_hsa_image *images;         /* images.c */
  struct og_hsa_vmem *vmem;            /* vmem.c */
  pthread_mutex_t handlers_lock; /* of the handlers, here and at the end */
  struct og_hsa_handlers *handlers; /* of signals, and the thread that runs them; NULL until the first */
  pthread_rwlock_t queues_lock;
  struct queue *queues;    /* queues.c */
  uint64_t *mailbox;       /* where kernels write the events of signals */
  hsa_amd_system_event_callback_t event_handler; /* NULL: none */
  void *event_data;
};
extern struct og_hsa og_hsa;

static inline bool og_hsa_is_open(void) {
  return __atomic_load_n(&og_hsa.references, __ATOMIC_ACQUIRE) != 0;
}

/* A call of the host's, for the log and the timeline (profile.c). */
struct og_hsa_call {
  const char *name;
  uint64_t start; /* 0: nobody asked for either */
};
bool og_hsa_watches_calls(void);
void og_hsa_profile_call(const struct og_hsa_call *call);
static inline struct og_hsa_call og_hsa_call_begins(const char *name) {
  return (struct og_hsa_call){name, __builtin_expect(og_hsa_watches_calls(), 0) ? og_clock() : 0};
}
static inline void og_hsa_call_ends(const struct og_hsa_call *call) {
  if (__builtin_expect(call->start != 0, 0))
    og_hsa_profile_call(call);
}
/* From here to where the function returns. */
#define OG_HSA_CALL() \
  __attribute__((cleanup(og_hsa_call_ends), unused)) const struct og_hsa_call og_hsa_call = og_hsa_call_begins(__func__)

/* What nearly every exported function begins with. */
#define OG_HSA_NEED_OPEN() \
  OG_HSA_CALL();           \
  if (!og_hsa_is_open())   \
  return HSA_STATUS_ERROR_NOT_INITIALIZED
#define OG_HSA_NEED(condition, status) \
  do {                                 \
    if (!(condition))                  \
      return status;                   \
  } while (0)
#define OG_HSA_NEED_ARGUMENT(condition) OG_HSA_NEED(condition, HSA_STATUS_ERROR_INVALID_ARGUMENT)

/* Stores what an attribute is, whose type the headers give; for `value` of a ..._get_info function. */
#define OG_HSA_PUT(type, what) (*(type *)value = (type)(what), HSA_STATUS_SUCCESS)
#define OG_HSA_PUT_STRUCT(type, ...) (*(type *)value = (type)__VA_ARGS__, HSA_STATUS_SUCCESS)
/* The same for texts of a fixed size, filled up with NULs. */
hsa_status_t og_hsa_put_text(void *value, size_t size, const char *format, ...) OG_PRINTF(3, 4);

/* What the machine is that every GPU agent stands for. */
enum {
  OG_HSA_COMPUTE_UNITS = 64, OG_HSA_CLOCK_MHZ = 1000 /* s_memtime's */, OG_HSA_SHADER_ENGINES = 4,
  OG_HSA_CACHE_LINE = 64, OG_HSA_QUEUE_MIN = 64, OG_HSA_QUEUE_MAX = 131072, OG_HSA_QUEUES = 128,
  OG_HSA_VERSION_MAJOR = 1, OG_HSA_VERSION_MINOR = 1
};
bool og_hsa_make_agents(void);
void og_hsa_add_pools(struct og_hsa_agent *agent);
uint32_t og_hsa_cache_size(const struct og_hsa_agent *agent, unsigned level); /* 0: no such cache */
bool og_hsa_has_fast_halves(const struct og_hsa_agent *agent);
unsigned og_hsa_waves_per_unit(const struct og_hsa_agent *agent);
/* A bit for each extension of the numbers below 1024, as _INFO_EXTENSIONS have them. */
void og_hsa_put_extensions(uint8_t bits[128]);

/* NULL: no such agent, pool or ISA. */
struct og_hsa_agent *og_hsa_agent(hsa_agent_t handle);
struct og_hsa_pool *og_hsa_pool(uint64_t handle);
struct og_hsa_agent *og_hsa_isa(hsa_isa_t handle); /* the first agent that has it */
static inline hsa_agent_t og_hsa_agent_handle(const struct og_hsa_agent *agent) {
  return (hsa_agent_t){(uintptr_t)agent};
}

/* ---- signals.c --------------------------------------------------------------------------------------------------- */

/* A doorbell's value goes to its queue. */
void og_hsa_signal_store(struct og_signal *signal, int64_t value);

/* ---- queues.c ---------------------------------------------------------------------------------------------------- */

/* Rings the queue whose doorbell it is; false: there is none. */
bool og_hsa_ring(const struct og_signal *doorbell, int64_t value);
void og_hsa_queues_close(void);

/* ---- checks.c: OFFGRID_CHECK ------------------------------------------------------------------------------------- */

struct og_check;
struct og_footprint;
void og_hsa_checks_open(void);
/* Whether dispatches are watched: memory then has red zones, is not given again once freed, and is known while
 * fresh. */
bool og_hsa_checks(void);
/* Device memory that has just been allocated. */
void og_hsa_check_allocated(void *memory, size_t size);
/* Watches one dispatch; NULL: nobody asked for checkers. */
struct og_check *og_hsa_check_begin(const struct og_executable *executable, const struct og_kernel *kernel,
                                    const struct og_dispatch_packet *packet, struct og_run_options *options);
/* Tells what was found, and not before; yields what the dispatch did to memory, where somebody wants to know. */
struct og_footprint *og_hsa_check_end(struct og_check *check, const struct og_dispatch_record *record);
bool og_hsa_checks_races(void);
/* Logs a finding that was not told before; so many bytes of it tell what it is. */
void og_hsa_check_tell(const char *text, size_t size);

/* ---- orders.c: what orders packets, copies and the host, where races are looked for ------------------------------ */

struct og_commands;
extern struct og_commands *og_hsa_orders; /* NULL: nobody wants to know */
void og_hsa_orders_open(void);
void og_hsa_orders_close(void);
/* `from` NULL: nothing is read */
void og_hsa_order_host(const char *what, const void *to, const void *from, size_t size);
struct og_copy;
void *og_hsa_order_copy(void);
void og_hsa_order_copy_begins(const struct og_copy *copy, struct og_signal *const dependencies[], size_t count);
void og_hsa_order_copy_ends(const struct og_copy *copy, const struct og_signal *completion, bool failed);
void og_hsa_order_saw(const struct og_signal *signal);
void og_hsa_order_tells(const struct og_signal *signal, bool sets);
void og_hsa_order_forgets(const struct og_signal *signal);
/* The host has looked at a signal; is about to change it, or to set it; it is gone. */
static inline void og_hsa_sees(const struct og_signal *signal) {
  if (__builtin_expect(og_hsa_orders != NULL, 0))
    og_hsa_order_saw(signal);
}
static inline void og_hsa_tells(const struct og_signal *signal, bool sets) {
  if (__builtin_expect(og_hsa_orders != NULL, 0))
    og_hsa_order_tells(signal, sets);
}
static inline void og_hsa_forgets(const struct og_signal *signal) {
  if (__builtin_expect(og_hsa_orders != NULL, 0))
    og_hsa_order_forgets(signal);
}
/* Of a queue: made, NULL where nobody wants to know, and ended; rung; its packets. */
struct og_hsa_order *og_hsa_order_queue(uint64_t number, unsigned agent);
void og_hsa_order_queue_end(struct og_hsa_order *order);
void og_hsa_order_rung(struct og_hsa_order *order, const struct og_queue *queue);
void og_hsa_order_packet(struct og_hsa_order *order, const union og_packet *packet, uint64_t index, bool ended,
                         struct og_footprint *footprint);

/* ---- handlers.c -------------------------------------------------------------------------------------------------- */

/* Has a function called by the handlers' thread; false: memory or threads are short. */
bool og_hsa_post(void (*call)(void *data), void *data);
void og_hsa_handlers_close(void);

/* ---- pools.c ----------------------------------------------------------------------------------------------------- */

hsa_status_t og_hsa_allocate(const struct og_hsa_pool *pool, size_t size, void **memory);
hsa_status_t og_hsa_release(void *memory);

/* ---- copies.c ---------------------------------------------------------------------------------------------------- */

/* The host's address of `size` bytes; NULL: they go past the end of what they begin in. Memory that the library knows
 * nothing of is the program's own. */
void *og_hsa_host_of(const void *address, size_t size);
struct og_copy;
hsa_status_t og_hsa_submit_copy(const struct og_copy *copy, uint32_t count, const hsa_signal_t *dependencies,
                                hsa_signal_t completion);

/* ---- locked.c ---------------------------------------------------------------------------------------------------- */

uint64_t og_hsa_locked_address(const void *host); /* as kernels see it; 0: it is not locked */
/* A bit for each agent, by its node; for none given, of all. */
hsa_status_t og_hsa_agent_mask(const hsa_agent_t *agents, int64_t count, uint64_t *mask);
void og_hsa_locked_close(void);

/* ---- pointers.c -------------------------------------------------------------------------------------------------- */

/* Forgets the callbacks of an allocation that goes, and calls them. */
void og_hsa_say_farewell(uint64_t base, bool call);
void og_hsa_farewells_close(void);

/* ---- ipc.c ------------------------------------------------------------------------------------------------------- */

void og_hsa_forget_export(const void *memory); /* an allocation goes */
/* A signal that other processes can attach; NULL: the system refused. */
struct og_signal *og_hsa_shared_signal(int64_t value);
bool og_hsa_shared_signal_end(struct og_signal *signal); /* false: it is none of those */
void og_hsa_shared_close(void);

/* ---- svm.c ------------------------------------------------------------------------------------------------------- */

bool og_hsa_note_prefetch(const void *memory, size_t size, hsa_agent_t agent);
void og_hsa_attributes_close(void);

/* ---- vmem.c ------------------------------------------------------------------------------------------------------ */

void og_hsa_vmem_close(void);

/* ---- images.c ---------------------------------------------------------------------------------------------------- */

void og_hsa_images_close(void);

/* ---- executables.c ----------------------------------------------------------------------------------------------- */

/* Nothing is loaded any more, no reader open. */
void og_hsa_code_close(void);

/* ---- ranges.c: memory by address --------------------------------------------------------------------------------- */

bool og_hsa_ranges_open(void);
void og_hsa_ranges_close(void);
/* false: memory is short, or it overlaps another. The range is copied. */
bool og_hsa_range_add(const struct og_hsa_range *range);
/* The range that holds the address, copied; false: there is none. */
bool og_hsa_range_find(uint64_t address, struct og_hsa_range *found);
/* Takes out the range that begins there; false: there is none. */
bool og_hsa_range_remove(uint64_t base, struct og_hsa_range *removed);
/* Changes what is said of the range that begins there: true where there is one. */
bool og_hsa_range_allow(uint64_t address, uint64_t agents);
bool og_hsa_range_set_userdata(uint64_t address, void *userdata);

/* ---- log.c: what OFFGRID_LOG asks for ---------------------------------------------------------------------------- */

/* OFFGRID_LOG names what is written to stderr, with commas: errors (the default), calls, dispatches, statistics (a
 * table at the end), all, none. */
enum og_hsa_log { OG_HSA_LOG_ERRORS = 1, OG_HSA_LOG_CALLS = 2, OG_HSA_LOG_DISPATCHES = 4, OG_HSA_LOG_STATISTICS = 8 };
void og_hsa_log_open(void);
bool og_hsa_logs(enum og_hsa_log what);
void og_hsa_log(enum og_hsa_log what, const char *format, ...) OG_PRINTF(2, 3);
void og_hsa_log_diagnostics(const struct og_diagnostics *diagnostics); /* errors */

/* ---- profile.c: what things took --------------------------------------------------------------------------------- */

/* A dispatch or a copy, in nanoseconds of og_clock(). */
struct og_hsa_event {
  const char *name, *kind; /* kind: "dispatch", "copy", "call" */
  uint64_t start, end;
  uint64_t lane;           /* of the timeline: the queue's number, that of what copies, the calling thread's */
  uint64_t bytes;
};
void og_hsa_profile_open(void);
bool og_hsa_profiles(void); /* whether anybody wants to know */
void og_hsa_profile(const struct og_hsa_event *event);

#endif
