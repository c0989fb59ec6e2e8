/* queues.c - user mode queues: an amd_queue_t and its ring, which the packet processor of src/runtime empties, or the
 * program itself (soft queues). A kernel may have written to a queue's record, so the library relies on a list of its
 * own. */
#include <hsa/amd_hsa_queue.h>
#include <stdlib.h>
#include <string.h>

#include "hsa/internal.h"
#include "runtime/report.h"

_Static_assert(sizeof(amd_queue_t) == sizeof(struct og_queue_record), "one layout, two names");
_Static_assert(offsetof(amd_queue_t, read_dispatch_id) == offsetof(struct og_queue_record, read_index), "the same");
_Static_assert(offsetof(amd_queue_t, queue_inactive_signal) == offsetof(struct og_queue_record, inactive_signal),
               "the same");

enum { MASK_WORDS = OG_HSA_COMPUTE_UNITS / 32 };

struct queue {
  struct queue *next;
  hsa_queue_t *handle;      /* the record */
  uint64_t doorbell;        /* address of the signal */
  struct og_queue *queue;   /* NULL: it is a soft queue */
  const struct og_hsa_agent *agent;
  uint64_t number;          /* the queue's id */
  struct og_signal *inactive;
  void (*callback)(hsa_status_t status, hsa_queue_t *queue, void *data);
  void *data;
  uint64_t units;           /* the CU mask; atomic */
  struct og_check *check;   /* of the running dispatch, or NULL */
  struct og_footprint *footprint; /* of the dispatch that has just ended, or NULL */
  struct og_hsa_order *order; /* NULL: races are not looked for */
  struct og_dispatch_record last; /* if the queue failed: why */
};

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static struct queue *find_locked(const hsa_queue_t *handle) {
  struct queue *queue = og_hsa.queues;
  while (queue && queue->handle != handle)
    queue = queue->next;
  return queue;
}

/* A queue may be used until it is destroyed. */
static struct queue *find(const hsa_queue_t *handle) {
  pthread_rwlock_rdlock(&og_hsa.queues_lock);
  struct queue *queue = find_locked(handle);
  pthread_rwlock_unlock(&og_hsa.queues_lock);
  return queue;
}

bool og_hsa_ring(const struct og_signal *doorbell, int64_t value) {
  pthread_rwlock_rdlock(&og_hsa.queues_lock);
  struct queue *queue = og_hsa.queues;
  while (queue && (queue->doorbell != (uintptr_t)doorbell || !queue->queue))
    queue = queue->next;
  if (queue && queue->order)
    og_hsa_order_rung(queue->order, queue->queue);
  if (queue)
    og_queue_ring(queue->queue, value);
  pthread_rwlock_unlock(&og_hsa.queues_lock);
  return queue != NULL;
}

static void enlist(struct queue *queue) {
  pthread_rwlock_wrlock(&og_hsa.queues_lock);
  queue->next = og_hsa.queues;
  og_hsa.queues = queue;
  pthread_rwlock_unlock(&og_hsa.queues_lock);
}

static struct queue *unlist(const hsa_queue_t *handle) {
  pthread_rwlock_wrlock(&og_hsa.queues_lock);
  struct queue **link = &og_hsa.queues;
  while (*link && handle && (*link)->handle != handle)
    link = &(*link)->next;
  struct queue *queue = *link;
  if (queue)
    *link = queue->next;
  pthread_rwlock_unlock(&og_hsa.queues_lock);
  return queue;
}

/* ---- failures
 * ----------------------------------------------------------------------------------------------------- */

static hsa_status_t status_of_fault(const struct og_fault *fault) {
  switch (fault->kind) {
  case OG_FAULT_INSTRUCTION: return (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION;
  case OG_FAULT_MEMORY: return (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT;
  case OG_FAULT_TRAP: return HSA_STATUS_ERROR_EXCEPTION;
  case OG_FAULT_PACKET: return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  case OG_FAULT_RESOURCES: return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  case OG_FAULT_STOPPED: return HSA_STATUS_ERROR;
  }
  return HSA_STATUS_ERROR;
}

static hsa_status_t status_of(const struct queue *queue) {
  switch (og_queue_failure(queue->queue)) {
  case OG_QUEUE_BAD_PACKET: return HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
  case OG_QUEUE_BAD_INDEX: return HSA_STATUS_ERROR_INVALID_QUEUE;
  case OG_QUEUE_BAD_DISPATCH: return status_of_fault(&queue->last.fault);
  case OG_QUEUE_CANCELLED:
  case OG_QUEUE_FINE: break;
  }
  return HSA_STATUS_ERROR;
}

struct failure {
  hsa_queue_t *handle;
  hsa_status_t status;
  void (*callback)(hsa_status_t status, hsa_queue_t *queue, void *data);
  void *data;
  bool is_event;
  hsa_amd_event_t event;
};

/* Whether somebody has registered for events of the system, and handles this one. */
static bool tell_system(const hsa_amd_event_t *event) {
  pthread_mutex_lock(&og_hsa.handlers_lock);
  hsa_amd_system_event_callback_t handler = og_hsa.event_handler;
  void *data = og_hsa.event_data;
  pthread_mutex_unlock(&og_hsa.handlers_lock);
  return handler && handler(event, data) == HSA_STATUS_SUCCESS;
}

/* Runs on the handlers' thread, so that the program may destroy the queue in its callback. Handlers of the system are
 * asked first. A fault that nobody handles ends the process, since its work would never be completed. */
static void tell(void *data) {
  struct failure *failure = data;
  if (!find(failure->handle)) { /* the program has destroyed the queue, and perhaps data that its callback needs */
    free(failure);
    return;
  }
  bool heard = failure->is_event && tell_system(&failure->event);
  if (failure->callback)
    failure->callback(failure->status, failure->handle, failure->data);
  else if (!heard)
    abort();
  free(failure);
}

static void stopped(void *context, struct og_queue *og_queue) {
  struct queue *queue = context;
  struct failure *failure = calloc(1, sizeof *failure);
  const struct og_fault *fault = &queue->last.fault;
  const char *error = og_queue_error(og_queue);
  if (error)
    og_hsa_log(OG_HSA_LOG_ERRORS, "%s", error);
  if (!failure)
    abort();
  *failure = (struct failure){.handle = queue->handle, .status = status_of(queue), .callback = queue->callback,
                              .data = queue->data};
  if (failure->status == (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT) {
    failure->is_event = true;
    failure->event = (hsa_amd_event_t){
        .event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT,
        .memory_fault = {.agent = og_hsa_agent_handle(queue->agent), .virtual_address = fault->address,
                         .fault_reason_mask = HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT}};
  }
  og_signal_store(queue->inactive, (int64_t)failure->status);
  if (!og_hsa_post(tell, failure))
    tell(failure);
}

static void log_fault(const struct og_executable *executable, const struct og_kernel *kernel,
                      const struct og_dispatch_record *record) {
  struct og_diagnostics *diagnostics = kernel ? og_diagnostics_new() : NULL;
  if (diagnostics)
    og_report_fault(executable, kernel, record, NULL, diagnostics);
  const char *text = diagnostics ? og_diagnostics_text(diagnostics, 0) : record->fault.what;
  og_hsa_log(OG_HSA_LOG_ERRORS, "%.*s", (int)strcspn(text, "\n"), text);
  og_diagnostics_free(diagnostics);
}

static void dispatching(void *context, const struct og_executable *executable, const struct og_kernel *kernel,
                        const struct og_dispatch_packet *packet, struct og_run_options *options) {
  struct queue *queue = context;
  queue->check = og_hsa_check_begin(executable, kernel, packet, options);
}

static void packet(void *context, const union og_packet *packet, uint64_t index, bool ended) {
  struct queue *queue = context;
  if (queue->order)
    og_hsa_order_packet(queue->order, packet, index, ended, queue->footprint);
  queue->footprint = NULL;
}

static void dispatched(void *context, const struct og_executable *executable, const struct og_kernel *kernel,
                       const struct og_dispatch_packet *packet, const struct og_dispatch_record *record) {
  struct queue *queue = context;
  queue->footprint = og_hsa_check_end(queue->check, record);
  queue->check = NULL;
  if (og_hsa_logs(OG_HSA_LOG_DISPATCHES))
    og_hsa_log(OG_HSA_LOG_DISPATCHES, "%s: %s: grid %ux%ux%u, work-groups of %ux%ux%u, %llu waves, %.3f ms",
               queue->agent->target.processor->name, kernel ? kernel->name : "no kernel", packet->grid[0],
               packet->grid[1], packet->grid[2], packet->group[0], packet->group[1], packet->group[2],
               (unsigned long long)record->stats.waves, (double)(record->ended - record->started) / 1e6);
  if (og_hsa_profiles())
    og_hsa_profile(&(struct og_hsa_event){.name = kernel ? kernel->name : "no kernel", .kind = "dispatch",
                                          .start = record->started, .end = record->ended, .lane = queue->number});
  if (record->fine)
    return;
  queue->last = *record;
  if (record->fault.kind != OG_FAULT_STOPPED || !og_queue_cancelled(queue->queue))
    log_fault(executable, kernel, record);
}

hsa_status_t hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback, void *data) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(callback);
  pthread_mutex_lock(&og_hsa.handlers_lock);
  og_hsa.event_data = data;
  og_hsa.event_handler = callback;
  pthread_mutex_unlock(&og_hsa.handlers_lock);
  return HSA_STATUS_SUCCESS;
}

/* ---- made and ended ---------------------------------------------------------------------------------------------- */

static bool is_size(uint32_t size) {
  return size != 0 && size <= OG_HSA_QUEUE_MAX && (size & (size - 1)) == 0;
}

/* Up to gfx8 doorbells have the older kind. */
static enum og_doorbell doorbell_kind(const struct og_hsa_agent *agent) {
  return agent->target.processor->major < 9 ? OG_DOORBELL_LEGACY : OG_DOORBELL_HARDWARE;
}

hsa_status_t hsa_queue_create(hsa_agent_t agent_handle, uint32_t size, hsa_queue_type32_t type,
                              void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data), void *data,
                              uint32_t private_segment_size, uint32_t group_segment_size, hsa_queue_t **handle) {
  (void)private_segment_size, (void)group_segment_size; /* scratch is made when a kernel asks for it */
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *agent = og_hsa_agent(agent_handle);
  OG_HSA_NEED(agent, HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(handle && is_size(size) && type <= HSA_QUEUE_TYPE_COOPERATIVE);
  OG_HSA_NEED(agent->target.processor, HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
  struct queue *queue = calloc(1, sizeof *queue);
  OG_HSA_NEED(queue, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  *queue = (struct queue){.agent = agent, .callback = callback, .data = data, .units = ~0ull};
  queue->inactive = og_signal_new(og_hsa.runtime, 0);
  if (queue->inactive)
    queue->queue = og_runtime_queue_new(og_hsa.runtime, &(struct og_runtime_queue_options){
        .size = size, .type = type, .doorbell = doorbell_kind(agent), .units = OG_HSA_COMPUTE_UNITS,
        .waves_per_unit = og_hsa_waves_per_unit(agent), .target = &agent->target, .dispatching = dispatching,
        .dispatched = dispatched,
        .stopped = stopped, .packet = og_hsa_orders ? packet : NULL, .context = queue});
  if (!queue->queue) {
    og_signal_free(og_hsa.runtime, queue->inactive);
    free(queue);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  struct og_queue_record *record = og_queue_record(queue->queue);
  record->inactive_signal = (uintptr_t)queue->inactive;
  queue->doorbell = record->doorbell;
  queue->number = record->id;
  queue->order = og_hsa_order_queue(queue->number, agent->node);
  queue->handle = (hsa_queue_t *)(void *)record;
  enlist(queue);
  *handle = queue->handle;
  return HSA_STATUS_SUCCESS;
}

/* Record and ring are in memory that kernels can access; only the program processes packets. */
hsa_status_t hsa_soft_queue_create(hsa_region_t region, uint32_t size, hsa_queue_type32_t type, uint32_t features,
                                   hsa_signal_t doorbell, hsa_queue_t **handle) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_pool *pool = og_hsa_pool(region.handle);
  OG_HSA_NEED(pool, HSA_STATUS_ERROR_INVALID_REGION);
  OG_HSA_NEED_ARGUMENT(handle && is_size(size) && type <= HSA_QUEUE_TYPE_SINGLE && doorbell.handle);
  struct queue *queue = calloc(1, sizeof *queue);
  void *memory;
  hsa_status_t status = queue ? og_hsa_allocate(pool, sizeof(struct og_queue_record) + size * sizeof(union og_packet),
                                                &memory)
                              : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  if (status != HSA_STATUS_SUCCESS) {
    free(queue);
    return status;
  }
  struct og_queue_record *record = memory;
  union og_packet *ring = (union og_packet *)(void *)(record + 1);
  *record = (struct og_queue_record){.type = type, .features = features, .base = (uintptr_t)ring,
                                     .doorbell = doorbell.handle, .size = size, .id = (uintptr_t)record,
                                     .read_index_offset = offsetof(struct og_queue_record, read_index)};
  for (uint32_t i = 0; i < size; i++)
    ring[i].first = OG_PACKET_INVALID;
  *queue = (struct queue){.handle = memory};
  enlist(queue);
  *handle = memory;
  return HSA_STATUS_SUCCESS;
}

static void release(struct queue *queue) {
  if (queue->queue) {
    og_runtime_queue_free(og_hsa.runtime, queue->queue);
    og_signal_free(og_hsa.runtime, queue->inactive);
    og_hsa_order_queue_end(queue->order);
  } else {
    og_hsa_release(queue->handle);
  }
  free(queue);
}

void og_hsa_queues_close(void) {
  for (struct queue *queue; (queue = unlist(NULL));)
    release(queue);
}

hsa_status_t hsa_queue_destroy(hsa_queue_t *handle) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(handle);
  struct queue *queue = unlist(handle);
  OG_HSA_NEED(queue, HSA_STATUS_ERROR_INVALID_QUEUE);
  release(queue);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_queue_inactivate(hsa_queue_t *handle) {
  OG_HSA_NEED_OPEN();
  const struct queue *queue = find(handle);
  OG_HSA_NEED(queue, HSA_STATUS_ERROR_INVALID_QUEUE);
  if (queue->queue) {
    og_queue_cancel(queue->queue);
    og_queue_ring(queue->queue, INT64_MIN); /* so that the processor sees it */
    while (!og_queue_stopped(queue->queue))
      og_queue_wait(queue->queue, 1000000);
  }
  return HSA_STATUS_SUCCESS;
}

/* ---- priorities, compute units, times ---------------------------------------------------------------------------- */

_Static_assert((int)OG_PRIORITY_LOW == HSA_AMD_QUEUE_PRIORITY_LOW &&
                   (int)OG_PRIORITY_HIGH == HSA_AMD_QUEUE_PRIORITY_HIGH,
               "one scale, two names");

hsa_status_t hsa_amd_queue_set_priority(hsa_queue_t *handle, hsa_amd_queue_priority_t priority) {
  OG_HSA_NEED_OPEN();
  const struct queue *queue = find(handle);
  OG_HSA_NEED(queue && queue->queue, HSA_STATUS_ERROR_INVALID_QUEUE);
  OG_HSA_NEED_ARGUMENT(priority <= HSA_AMD_QUEUE_PRIORITY_HIGH);
  og_runtime_queue_set_priority(queue->queue, (enum og_priority)priority);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_queue_cu_set_mask(const hsa_queue_t *handle, uint32_t bits, const uint32_t *mask) {
  OG_HSA_NEED_OPEN();
  struct queue *queue = find(handle);
  OG_HSA_NEED(queue && queue->queue, HSA_STATUS_ERROR_INVALID_QUEUE);
  OG_HSA_NEED_ARGUMENT(bits % 32 == 0 && (bits == 0 || mask));
  uint64_t units = bits == 0 ? ~0ull : 0; /* without a mask: all units again */
  for (uint32_t i = 0; i < OG_MIN(bits / 32, (uint32_t)MASK_WORDS); i++)
    units |= (uint64_t)mask[i] << 32 * i;
  OG_HSA_NEED_ARGUMENT(units);
  __atomic_store_n(&queue->units, units, __ATOMIC_RELAXED);
  og_runtime_queue_set_units(queue->queue, units);
  bool reduced = false;
  for (uint32_t i = MASK_WORDS; i < bits / 32; i++)
    reduced |= mask[i] != 0;
  return reduced ? (hsa_status_t)HSA_STATUS_CU_MASK_REDUCED : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_queue_cu_get_mask(const hsa_queue_t *handle, uint32_t bits, uint32_t *mask) {
  OG_HSA_NEED_OPEN();
  const struct queue *queue = find(handle);
  OG_HSA_NEED(queue && queue->queue, HSA_STATUS_ERROR_INVALID_QUEUE);
  OG_HSA_NEED_ARGUMENT(bits != 0 && bits % 32 == 0 && mask);
  uint64_t units = __atomic_load_n(&queue->units, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < bits / 32; i++)
    mask[i] = i < MASK_WORDS ? (uint32_t)(units >> 32 * i) : 0;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_set_profiler_enabled(hsa_queue_t *handle, int enable) {
  OG_HSA_NEED_OPEN();
  const struct queue *queue = find(handle);
  OG_HSA_NEED(queue && queue->queue, HSA_STATUS_ERROR_INVALID_QUEUE);
  uint32_t *properties = &((amd_queue_t *)(void *)handle)->queue_properties; /* times are always taken */
  if (enable)
    __atomic_fetch_or(properties, AMD_QUEUE_PROPERTIES_ENABLE_PROFILING, __ATOMIC_SEQ_CST);
  else
    __atomic_fetch_and(properties, ~(uint32_t)AMD_QUEUE_PROPERTIES_ENABLE_PROFILING, __ATOMIC_SEQ_CST);
  return HSA_STATUS_SUCCESS;
}
