/* internal.h - shared by the files of src/hsa: the one runtime of the process, its agents, pools and memory by address.
 *
 * A handle is the address of its object, or an index if objects are few and fixed. Each file has a function that turns
 * a handle into its object; NULL: there is none. The exported functions check their arguments, call src/runtime, and
 * translate its answer. Exported functions that do nothing here are in unsupported.def. */
#ifndef OG_HSA_INTERNAL_H
#define OG_HSA_INTERNAL_H

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>

#include "runtime/loader.h"
#include "runtime/runtime.h"

enum { OG_HSA_AGENTS = 17 /* a CPU, and GPUs of OFFGRID_GPU */, OG_HSA_POOLS = 4 /* of an agent */ };

struct og_hsa_agent;

/* A memory pool of the AMD extension, which is also a region of HSA's core: both handles are its address. */
struct og_hsa_pool {
  const struct og_hsa_agent *agent;
  hsa_amd_segment_t segment;
  uint32_t flags;  /* hsa_amd_memory_pool_global_flag_t, whose values are those of regions */
  uint64_t size;
};

/* An agent's handle is its address, and so is the handle of its ISA. */
struct og_hsa_agent {
  hsa_device_type_t type;
  uint32_t node;         /* its place in og_hsa.agents */
  struct og_target target; /* of a GPU; processor NULL: a CPU */
  uint32_t pool_count;
  struct og_hsa_pool pools[OG_HSA_POOLS];
};

/* Memory that the library gave out, or that it was told about. */
struct og_hsa_range {
  uint64_t base, size;            /* as kernels see it */
  void *host;                     /* as the host sees it: the same address, except for locked memory */
  uint64_t mapped;                /* bytes that *host takes up */
  hsa_amd_pointer_type_t type;
  const struct og_hsa_agent *owner;
  const struct og_hsa_pool *pool; /* NULL: locked, IPC or the like */
  uint64_t accessible;            /* bit i: the agent of node i may access it */
  void *userdata;
  void *detail;                   /* for use by the file that made it */
};

/* What there can only be once in a process, by the C API. */
struct og_hsa {
  pthread_mutex_t lock;    /* protects `references` and what is opened and closed with them */
  unsigned references;     /* calls of hsa_init without one of hsa_shut_down; atomic */
  bool awaits_exit, exiting; /* note_exit is registered; the process is running its exit handlers (atomic) */
  struct og_runtime *runtime;
  bool reaches_host;       /* kernels may access memory that nobody has registered */
  uint32_t agent_count;
  struct og_hsa_agent agents[OG_HSA_AGENTS]; /* the CPU first */
  struct og_hsa_range_table *ranges;
  pthread_mutex_t code_lock; /* protects the next two (code.h) */
  struct og_hsa_executable *executables;
  struct og_hsa_file *files; /* readers and code objects */
  pthread_mutex_t memory_lock;      /* protects the next seven */
  struct og_copies *copies;         /* NULL until the first copy */
  struct og_hsa_locked *locked;     /* locked.c */
  struct og_hsa_farewell *farewells; /* pointers.c */
  struct og_hsa_shared *shared;      /* ipc.c */
  struct og_hsa_attribute *attributes; /* svm.c: the newest first */
  struct og_hsa_image *images;         /* images.c */
  struct og_hsa_vmem *vmem;            /* vmem.c */
  pthread_mutex_t handlers_lock; /* protects the handlers, while they are made or ended */
  struct og_hsa_handlers *handlers; /* handlers of signals, and their thread; NULL until there is one */
  pthread_rwlock_t queues_lock;
  struct queue *queues;    /* queues.c */
  uint64_t *mailbox;       /* kernels write the events of signals there */
  hsa_amd_system_event_callback_t event_handler; /* NULL: none */
  void *event_data;
};
extern struct og_hsa og_hsa;

static inline bool og_hsa_is_open(void) {
  return __atomic_load_n(&og_hsa.references, __ATOMIC_ACQUIRE) != 0;
}

/* A call by the host, for the log and the timeline (profile.c). */
struct og_hsa_call {
  const char *name;
  uint64_t start; /* 0: neither is wanted */
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
/* From here to the function's return. */
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

/* Stores an attribute whose type the headers give: in `value` of a ..._get_info function. */
#define OG_HSA_PUT(type, what) (*(type *)value = (type)(what), HSA_STATUS_SUCCESS)
#define OG_HSA_PUT_STRUCT(type, ...) (*(type *)value = (type)__VA_ARGS__, HSA_STATUS_SUCCESS)
/* The same for a text of fixed size, filled up with NULs. */
hsa_status_t og_hsa_put_text(void *value, size_t size, const char *format, ...) OG_PRINTF(3, 4);

/* The machine that every GPU agent appears to be. */
enum {
  OG_HSA_COMPUTE_UNITS = 64, OG_HSA_CLOCK_MHZ = 1000 /* counted by s_memtime */, OG_HSA_SHADER_ENGINES = 4,
  OG_HSA_CACHE_LINE = 64, OG_HSA_QUEUE_MIN = 64, OG_HSA_QUEUE_MAX = 131072, OG_HSA_QUEUES = 128,
  OG_HSA_VERSION_MAJOR = 1, OG_HSA_VERSION_MINOR = 1
};
bool og_hsa_make_agents(void);
void og_hsa_add_pools(struct og_hsa_agent *agent);
uint32_t og_hsa_cache_size(const struct og_hsa_agent *agent, unsigned level); /* 0: no such cache */
bool og_hsa_has_fast_halves(const struct og_hsa_agent *agent);
unsigned og_hsa_waves_per_unit(const struct og_hsa_agent *agent);
/* A bit for each extension with a number below 1024, as attributes of that name (_INFO_EXTENSIONS) have it. */
void og_hsa_put_extensions(uint8_t bits[128]);

/* NULL: there is no such agent, pool or ISA. */
struct og_hsa_agent *og_hsa_agent(hsa_agent_t handle);
struct og_hsa_pool *og_hsa_pool(uint64_t handle);
struct og_hsa_agent *og_hsa_isa(hsa_isa_t handle); /* the first agent that has this ISA */
static inline hsa_agent_t og_hsa_agent_handle(const struct og_hsa_agent *agent) {
  return (hsa_agent_t){(uintptr_t)agent};
}

/* ---- signals.c --------------------------------------------------------------------------------------------------- */

/* The value stored to a doorbell goes to its queue. */
void og_hsa_signal_store(struct og_signal *signal, int64_t value);

/* ---- queues.c ---------------------------------------------------------------------------------------------------- */

/* Rings the queue with that doorbell; false: there is none. */
bool og_hsa_ring(const struct og_signal *doorbell, int64_t value);
void og_hsa_queues_close(void);

/* ---- checks.c: OFFGRID_CHECK ------------------------------------------------------------------------------------- */

struct og_check;
struct og_footprint;
void og_hsa_checks_open(void);
/* Whether dispatches are watched: then memory has red zones, is not used again once freed, and is known to be fresh. */
bool og_hsa_checks(void);
/* Called for device memory that has just been allocated. */
void og_hsa_check_allocated(void *memory, size_t size);
/* Begins to watch a dispatch; NULL: no checkers are wanted. */
struct og_check *og_hsa_check_begin(const struct og_executable *executable, const struct og_kernel *kernel,
                                    const struct og_dispatch_packet *packet, struct og_run_options *options);
/* Reports what was found; returns what the dispatch did to memory, if races are looked for. */
struct og_footprint *og_hsa_check_end(struct og_check *check, const struct og_dispatch_record *record);
bool og_hsa_checks_races(void);
/* Logs a finding, unless it was logged before; the first bytes of the text, so many, identify it. */
void og_hsa_check_tell(const char *text, size_t size);

/* ---- orders.c: what orders packets, copies and the host, if races are looked for
 * ------------------------------------ */

struct og_commands;
extern struct og_commands *og_hsa_orders; /* NULL: races are not looked for */
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
/* The host has read a signal; is about to change it, or to set it; the signal no longer exists. */
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
/* A queue is made (NULL: races are not looked for) or ended; its doorbell is rung; its packets. */
struct og_hsa_order *og_hsa_order_queue(uint64_t number, unsigned agent);
void og_hsa_order_queue_end(struct og_hsa_order *order);
void og_hsa_order_rung(struct og_hsa_order *order, const struct og_queue *queue);
void og_hsa_order_packet(struct og_hsa_order *order, const union og_packet *packet, uint64_t index, bool ended,
                         struct og_footprint *footprint);

/* ---- handlers.c -------------------------------------------------------------------------------------------------- */

/* Has the handlers' thread call a function; false: there is not enough memory, or no thread. */
bool og_hsa_post(void (*call)(void *data), void *data);
void og_hsa_handlers_close(void);

/* ---- pools.c ----------------------------------------------------------------------------------------------------- */

hsa_status_t og_hsa_allocate(const struct og_hsa_pool *pool, size_t size, void **memory);
hsa_status_t og_hsa_release(void *memory);

/* ---- copies.c ---------------------------------------------------------------------------------------------------- */

/* The host's address of `size` bytes; NULL: they do not end within the memory in which they begin. Memory that the
 * library does not know belongs to the program. */
void *og_hsa_host_of(const void *address, size_t size);
struct og_copy;
hsa_status_t og_hsa_submit_copy(const struct og_copy *copy, uint32_t count, const hsa_signal_t *dependencies,
                                hsa_signal_t completion);

/* ---- locked.c ---------------------------------------------------------------------------------------------------- */

uint64_t og_hsa_locked_address(const void *host); /* as kernels see it; 0: it is not locked */
/* A bit for each agent, by its node; no agents given: all. */
hsa_status_t og_hsa_agent_mask(const hsa_agent_t *agents, int64_t count, uint64_t *mask);
void og_hsa_locked_close(void);

/* ---- pointers.c -------------------------------------------------------------------------------------------------- */

/* Takes out the callbacks of an allocation that is freed, and calls them. */
void og_hsa_say_farewell(uint64_t base, bool call);
void og_hsa_farewells_close(void);

/* ---- ipc.c ------------------------------------------------------------------------------------------------------- */

void og_hsa_forget_export(const void *memory); /* called when an allocation is freed */
/* A signal that other processes can attach; NULL: the system refused it. */
struct og_signal *og_hsa_shared_signal(int64_t value);
bool og_hsa_shared_signal_end(struct og_signal *signal); /* false: it is not such a signal */
void og_hsa_shared_close(void);

/* ---- svm.c ------------------------------------------------------------------------------------------------------- */

bool og_hsa_note_prefetch(const void *memory, size_t size, hsa_agent_t agent);
void og_hsa_attributes_close(void);

/* ---- vmem.c ------------------------------------------------------------------------------------------------------ */

void og_hsa_vmem_close(void);

/* ---- images.c ---------------------------------------------------------------------------------------------------- */

void og_hsa_images_close(void);

/* ---- executables.c ----------------------------------------------------------------------------------------------- */

/* Called when nothing is loaded and no reader is open any more. */
void og_hsa_code_close(void);

/* ---- ranges.c: memory by address --------------------------------------------------------------------------------- */

bool og_hsa_ranges_open(void);
void og_hsa_ranges_close(void);
/* false: no memory is left, or it overlaps another. The range is copied. */
bool og_hsa_range_add(const struct og_hsa_range *range);
/* Copies the range that contains an address; false: there is none. */
bool og_hsa_range_find(uint64_t address, struct og_hsa_range *found);
/* Removes the range that begins there; false: there is none. */
bool og_hsa_range_remove(uint64_t base, struct og_hsa_range *removed);
/* Sets who may access the range that begins there; false: there is none. */
bool og_hsa_range_allow(uint64_t address, uint64_t agents);
bool og_hsa_range_set_userdata(uint64_t address, void *userdata);

/* ---- log.c: what OFFGRID_LOG asks for ---------------------------------------------------------------------------- */

/* OFFGRID_LOG says what is written to stderr, separated by commas: errors (the default), calls, dispatches, statistics
 * (a table at the end), all, none. */
enum og_hsa_log { OG_HSA_LOG_ERRORS = 1, OG_HSA_LOG_CALLS = 2, OG_HSA_LOG_DISPATCHES = 4, OG_HSA_LOG_STATISTICS = 8 };
void og_hsa_log_open(void);
bool og_hsa_logs(enum og_hsa_log what);
void og_hsa_log(enum og_hsa_log what, const char *format, ...) OG_PRINTF(2, 3);
void og_hsa_log_diagnostics(const struct og_diagnostics *diagnostics); /* errors */

/* ---- profile.c: how long things took ----------------------------------------------------------------------------- */

/* A dispatch or a copy, in nanoseconds of og_clock(). */
struct og_hsa_event {
  const char *name, *kind; /* kind: "dispatch", "copy", "call" */
  uint64_t start, end;
  uint64_t lane;           /* line in the timeline: a queue's number, that for copies, the calling thread's */
  uint64_t bytes;
};
void og_hsa_profile_open(void);
bool og_hsa_profiles(void); /* whether times are wanted */
void og_hsa_profile(const struct og_hsa_event *event);

#endif
