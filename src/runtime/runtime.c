/* runtime.c - from a dispatch packet to the machine: finds the kernel that it names, checks what it asks for, and runs
 * it. */
#include "runtime/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"

struct og_runtime *og_runtime_new(void) {
  struct og_runtime *runtime = calloc(1, sizeof *runtime);
  if (!runtime)
    return NULL;
  pthread_mutex_init(&runtime->lock, NULL);
  runtime->map = og_memory_map_new();
  if (!runtime->map) {
    og_runtime_free(runtime);
    return NULL;
  }
  return runtime;
}

void og_runtime_free(struct og_runtime *runtime) {
  if (!runtime)
    return;
  while (runtime->executables)
    og_unload(runtime->executables);
  og_memory_free_all(runtime);
  for (size_t i = 0; i < runtime->idle_machine_count; i++)
    og_machine_free(runtime->idle_machines[i]);
  free(runtime->idle_machines);
  og_memory_map_free(runtime->map);
  og_host_memory_free(runtime->host_memory);
  pthread_mutex_destroy(&runtime->lock);
  free(runtime);
}

unsigned og_runtime_processors(void) { return og_host_processors(); }

void og_runtime_set_options(struct og_runtime *runtime, const struct og_run_options *options) {
  pthread_mutex_lock(&runtime->lock);
  runtime->options = *options;
  pthread_mutex_unlock(&runtime->lock);
}

const struct og_memory_map *og_runtime_map(const struct og_runtime *runtime) { return runtime->map; }

void og_runtime_set_services(struct og_runtime *runtime, struct og_services *services) {
  runtime->services = services;
}

void og_runtime_last_dispatch(struct og_runtime *runtime, struct og_dispatch_record *record) {
  pthread_mutex_lock(&runtime->lock);
  *record = runtime->last;
  pthread_mutex_unlock(&runtime->lock);
}

static bool reaches(void *context, uint64_t address, uint64_t size, bool write) {
  const struct og_runtime *runtime = context;
  return og_memory_map_holds(runtime->map, address, size, OG_MEMORY_READ | (write ? OG_MEMORY_WRITE : 0));
}

struct og_interrupts *og_runtime_interrupts(struct og_runtime *runtime) {
  return &runtime->interrupts;
}

/* The context of a queue's dispatcher. */
struct dispatcher {
  struct og_runtime *runtime;
  struct og_runtime_queue_options options;
  uint64_t units;            /* atomic */
  enum og_priority priority; /* atomic */
};

static struct dispatcher *dispatcher_of(const struct og_queue *queue) {
  return og_queue_context(queue);
}

void og_runtime_queue_set_units(struct og_queue *queue, uint64_t units) {
  __atomic_store_n(&dispatcher_of(queue)->units, units, __ATOMIC_RELAXED);
}

void og_runtime_queue_set_priority(struct og_queue *queue, enum og_priority priority) {
  __atomic_store_n(&dispatcher_of(queue)->priority, priority, __ATOMIC_RELAXED);
}

static bool dispatch(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet,
                     const uint8_t cluster[3], uint64_t slot, uint64_t index, const int *cancel);

static bool dispatcher_reaches(void *context, uint64_t address, uint64_t size, bool write) {
  const struct dispatcher *dispatcher = context;
  return reaches(dispatcher->runtime, address, size, write);
}

struct og_queue *og_runtime_queue_new(struct og_runtime *runtime, const struct og_runtime_queue_options *options) {
  struct dispatcher *dispatcher = calloc(1, sizeof *dispatcher);
  if (!dispatcher)
    return NULL;
  *dispatcher = (struct dispatcher){.runtime = runtime, .options = *options, .priority = OG_PRIORITY_NORMAL};
  pthread_mutex_lock(&runtime->lock);
  uint64_t id = runtime->queues++;
  pthread_mutex_unlock(&runtime->lock);
  struct og_queue *queue = og_queue_new(&(struct og_queue_options){
      .size = options->size,
      .type = options->type,
      .doorbell = options->doorbell,
      .units = options->units,
      .waves_per_unit = options->waves_per_unit,
      .interrupts = &runtime->interrupts,
      .running = &runtime->running,
      .stopped = options->stopped,
      .packet = options->packet,
      .watch_context = options->context,
      .dispatcher = dispatch,
      .reaches = dispatcher_reaches,
      .context = dispatcher,
      .group_aperture = (uint64_t)OG_SHARED_APERTURE << 32,
      .private_aperture = (uint64_t)OG_PRIVATE_APERTURE << 32,
      .id = id,
  });
  size_t bytes = 0;
  void *memory = queue ? og_queue_memory(queue, &bytes) : NULL;
  if (queue && og_memory_share(runtime, memory, bytes, OG_MEMORY_READ | OG_MEMORY_WRITE))
    return queue;
  og_queue_free(queue);
  free(dispatcher);
  return NULL;
}

struct og_queue *og_runtime_queue(struct og_runtime *runtime, uint32_t size) {
  return og_runtime_queue_new(runtime, &(struct og_runtime_queue_options){.size = size});
}

void og_runtime_queue_free(struct og_runtime *runtime, struct og_queue *queue) {
  if (!queue)
    return;
  size_t bytes;
  struct dispatcher *dispatcher = dispatcher_of(queue);
  og_queue_cancel(queue);
  og_memory_unshare(runtime, og_queue_memory(queue, &bytes));
  og_queue_free(queue);
  free(dispatcher);
}

/* ---- machines ---------------------------------------------------------------------------------------------------- */

/* A machine that no dispatch uses, else a new one; NULL: memory is short. */
static struct og_machine *take_machine(struct og_runtime *runtime) {
  struct og_machine *machine = NULL;
  pthread_mutex_lock(&runtime->lock);
  if (runtime->idle_machine_count) {
    machine = runtime->idle_machines[--runtime->idle_machine_count];
  } else {
    struct og_machine **room =
        realloc(runtime->idle_machines, (runtime->machine_count + 1) * sizeof(struct og_machine *));
    if (room) {
      runtime->idle_machines = room;
      machine = og_machine_new(runtime->map);
      runtime->machine_count += machine != NULL;
    }
  }
  pthread_mutex_unlock(&runtime->lock);
  return machine;
}

static void give_machine_back(struct og_runtime *runtime, struct og_machine *machine) {
  pthread_mutex_lock(&runtime->lock);
  runtime->idle_machines[runtime->idle_machine_count++] = machine;
  pthread_mutex_unlock(&runtime->lock);
}

/* ---- one dispatch ------------------------------------------------------------------------------------------------ */

/* Records how the packet is wrong. */
static bool OG_PRINTF(2, 3) refuse(struct og_dispatch_record *record, const char *format, ...) {
  record->fault = (struct og_fault){.kind = OG_FAULT_PACKET};
  va_list args;
  va_start(args, format);
  vsnprintf(record->fault.what, sizeof record->fault.what, format, args);
  va_end(args);
  return false;
}

/* Reads the kernel's descriptor from memory, where it is relocated. */
static bool read_kernel(const struct og_executable *executable, uint64_t kernel_object, struct og_dispatch *dispatch,
                        struct og_dispatch_record *record) {
  bool kernel_code = executable->version == 2;
  size_t needed = kernel_code ? OG_KERNEL_CODE_SIZE : OG_DESCRIPTOR_SIZE;
  uint8_t descriptor[OG_DESCRIPTOR_SIZE];
  if (executable->size < needed || kernel_object - executable->start > executable->size - needed)
    return refuse(record, "no kernel object at 0x%llx", (unsigned long long)kernel_object);
  const uint8_t *bytes = (const uint8_t *)(uintptr_t)kernel_object;
  if (kernel_code)
    og_kernel_code_to_descriptor(bytes, descriptor);
  else
    memcpy(descriptor, bytes, sizeof descriptor);
  const struct og_processor *processor = executable->target.processor;
  og_initial_state_read(&executable->target, descriptor, kernel_code, &dispatch->start);
  dispatch->entry = kernel_object + og_load64(descriptor + OG_KD_WORD_ENTRY);
  dispatch->program = og_executable_program(executable, dispatch->start.wave_size);
  if (!dispatch->program)
    return refuse(record, "the kernel is for waves of %u; %s has only waves of %u", dispatch->start.wave_size,
                  processor->name, 96 - dispatch->start.wave_size);
  if (!og_program_at(dispatch->program, dispatch->entry))
    return refuse(record, "the kernel object at 0x%llx has its entry outside the code",
                  (unsigned long long)kernel_object);
  return true;
}

/* Checks the work-group's size against what the compiler assumed. */
static bool check_group(const struct og_kernel *kernel, const struct og_dispatch *dispatch, uint64_t items,
                        struct og_dispatch_record *record) {
  const uint32_t *group = dispatch->group, *required = kernel->reqd_workgroup_size;
  if (kernel->max_flat_workgroup_size && items > kernel->max_flat_workgroup_size)
    return refuse(record, "work-group of %llu work-items; the kernel is made for at most %u (max_flat_workgroup_size)",
                  (unsigned long long)items, kernel->max_flat_workgroup_size);
  if (required[0] && (group[0] != required[0] || group[1] != required[1] || group[2] != required[2]))
    return refuse(record, "work-group of %ux%ux%u work-items; the kernel requires %ux%ux%u (reqd_workgroup_size)",
                  group[0], group[1], group[2], required[0], required[1], required[2]);
  return true;
}

/* Takes the clusters' size from the packet, else from the run's options, else from the kernel's metadata. It must fit a
 * size in the metadata: code compiled for one finds its place by it. */
static bool read_clusters(const uint8_t packet[3], const struct og_run_options *options, const struct og_kernel *kernel,
                          struct og_dispatch *dispatch, struct og_dispatch_record *record) {
  const uint32_t *made = kernel->cluster_dims, *asked = dispatch->cluster;
  bool fixed = made[0] > 0 && made[0] <= OG_CLUSTER_MAX; /* larger: made for any size */
  for (int i = 0; i < 3; i++)
    dispatch->cluster[i] = packet ? packet[i] : options->cluster[0] ? options->cluster[i] : fixed ? made[i] : 0;
  for (int i = 0; i < 3 && fixed; i++)
    if (OG_MAX(asked[i], 1u) != made[i])
      return refuse(record, "clusters of %ux%ux%u work-groups; the kernel is made for %ux%ux%u (cluster_dims)",
                    OG_MAX(asked[0], 1u), OG_MAX(asked[1], 1u), OG_MAX(asked[2], 1u), made[0], made[1], made[2]);
  return true;
}

static bool read_handler(const struct og_executable *executable, uint64_t entry, uint64_t memory,
                         struct og_dispatch *dispatch, struct og_dispatch_record *record) {
  dispatch->handler = og_executable_program(executable, dispatch->start.wave_size);
  dispatch->handler_entry = entry;
  dispatch->handler_memory = memory;
  const struct og_processor *processor = dispatch->program->target.processor;
  return (dispatch->handler && executable->target.processor == processor) ||
         refuse(record, "the trap handler is for %s; the kernel for waves of %u of %s",
                executable->target.processor->name, dispatch->start.wave_size, processor->name);
}

static bool read_packet(const struct og_dispatch_packet *packet, const struct og_target *target,
                        const struct og_kernel *kernel, struct og_dispatch *dispatch,
                        struct og_dispatch_record *record) {
  uint64_t items = 1;
  for (int i = 0; i < 3; i++) {
    dispatch->grid[i] = i < (packet->setup & 3) ? packet->grid[i] : 1;
    dispatch->group[i] = i < (packet->setup & 3) ? packet->group[i] : 1;
    if (dispatch->grid[i] == 0 || dispatch->group[i] == 0)
      return refuse(record, "%s size 0 in dimension %c", dispatch->grid[i] ? "work-group" : "grid", 'x' + i);
    items *= dispatch->group[i];
  }
  if ((packet->setup & 3) == 0)
    return refuse(record, "a dispatch of 0 dimensions");
  if (items > OG_WORKGROUP_MAX)
    return refuse(record, "work-group of %llu work-items; at most %d are possible", (unsigned long long)items,
                  OG_WORKGROUP_MAX);
  if (packet->group_bytes > target->processor->lds_bytes)
    return refuse(record, "%u bytes of LDS asked for; %s has %u", packet->group_bytes, target->processor->name,
                  target->processor->lds_bytes);
  dispatch->group_bytes = packet->group_bytes;
  dispatch->private_bytes = packet->private_bytes;
  dispatch->kernarg = packet->kernarg;
  return check_group(kernel, dispatch, items, record);
}

void og_runtime_set_trap_handler(struct og_runtime *runtime, const struct og_executable *executable, uint64_t entry,
                                 uint64_t memory) {
  pthread_mutex_lock(&runtime->lock);
  runtime->handler = executable;
  runtime->handler_entry = entry;
  runtime->handler_memory = memory;
  pthread_mutex_unlock(&runtime->lock);
}

static void interrupt_host(void *context) {
  struct og_runtime *runtime = context;
  og_interrupts_raise(&runtime->interrupts);
}

/* Counts a dispatch of that priority as running (`by` 1) or as ended (-1). */
static void note_running(struct og_runtime *runtime, enum og_priority priority, unsigned by) {
  __atomic_fetch_add(&runtime->running, by, __ATOMIC_RELAXED);
  for (unsigned lower = 0; lower < (unsigned)priority; lower++)
    __atomic_fetch_add(&runtime->ahead[lower], by, __ATOMIC_RELAXED);
}

static bool run_on_machine(struct og_runtime *runtime, enum og_priority priority, const struct og_dispatch *dispatch,
                           struct og_dispatch_record *record) {
  struct og_machine *machine = take_machine(runtime);
  if (!machine)
    return refuse(record, "out of memory for a machine");
  record->ran = true;
  record->wave_size = dispatch->start.wave_size;
  note_running(runtime, priority, 1);
  bool fine = og_dispatch_run(machine, dispatch, &record->stats, &record->fault);
  note_running(runtime, priority, -1u);
  give_machine_back(runtime, machine);
  og_interrupts_raise(&runtime->interrupts);
  return fine;
}

/* The dispatcher of all queues. */
static bool dispatch(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet,
                     const uint8_t cluster[3], uint64_t slot, uint64_t index, const int *cancel) {
  const struct dispatcher *dispatcher = context;
  struct og_runtime *runtime = dispatcher->runtime;
  const struct og_target *target = dispatcher->options.target;
  enum og_priority priority = __atomic_load_n(&dispatcher->priority, __ATOMIC_RELAXED);
  struct og_dispatch_record record = {.started = og_clock()};
  struct og_executable *executable = og_executable_hold(runtime, packet->kernel_object);
  pthread_mutex_lock(&runtime->lock);
  struct og_run_options options = runtime->options;
  const struct og_executable *handler = runtime->handler;
  const uint64_t entry = runtime->handler_entry, memory = runtime->handler_memory;
  pthread_mutex_unlock(&runtime->lock);
  const struct og_kernel *kernel = executable ? og_executable_kernel_at(executable, packet->kernel_object) : NULL;
  if (kernel && dispatcher->options.dispatching)
    dispatcher->options.dispatching(dispatcher->options.context, executable, kernel, packet, &options);
  struct og_dispatch run = {
      .queue = (uintptr_t)og_queue_record(queue), .packet = slot, .id = index, .threads = options.threads,
      .units = __atomic_load_n(&dispatcher->units, __ATOMIC_RELAXED), .ahead = &runtime->ahead[priority],
      .schedule = options.schedule, .seed = options.seed, .abort = cancel, .count = options.count,
      .deadline = options.timeout ? record.started + options.timeout : 0, .interrupt = interrupt_host,
      .interrupt_context = runtime, .clock = options.clock, .progress = options.progress, .observer = options.observer,
      .observer_of = options.observer_of, .observer_context = options.observer_context,
  };
  bool fine = false;
  if (!kernel)
    refuse(&record, "no kernel object is loaded at 0x%llx", (unsigned long long)packet->kernel_object);
  else if (target && executable->target.processor != target->processor)
    refuse(&record, "the kernel is for %s; the queue is %s's", executable->target.processor->name,
           target->processor->name);
  else
    fine = read_kernel(executable, packet->kernel_object, &run, &record) &&
           read_packet(packet, &executable->target, kernel, &run, &record) &&
           read_clusters(cluster, &options, kernel, &run, &record) &&
           (!handler || read_handler(handler, entry, memory, &run, &record)) &&
           run_on_machine(runtime, priority, &run, &record);
  record.fine = fine;
  record.ended = og_clock();
  pthread_mutex_lock(&runtime->lock);
  runtime->last = record;
  pthread_mutex_unlock(&runtime->lock);
  if (dispatcher->options.dispatched)
    dispatcher->options.dispatched(dispatcher->options.context, executable, kernel, packet, &record);
  if (executable)
    og_executable_let_go(executable);
  return fine || options.outlast;
}

/* ---- one packet of the host's ------------------------------------------------------------------------------------ */

bool og_ended_from_outside(const struct og_dispatch_record *record) {
  return !record->ran || record->fine || record->fault.kind == OG_FAULT_STOPPED ||
         record->fault.kind == OG_FAULT_PACKET;
}

/* Says why the dispatch is not done: for a reason of its own, else for one of the queue. */
static bool failed(const struct og_queue *queue, bool wanting, struct og_dispatch_record *record) {
  const char *error = og_queue_error(queue);
  if (record->ended && !record->fine)
    return false;
  record->fine = false;
  if (wanting)
    return refuse(record, "the kernel took a slot of its queue and wrote no packet to it");
  return refuse(record, "%s", error ? error : "stopped before it came to its end: out of time");
}

bool og_runtime_run(struct og_runtime *runtime, struct og_queue *queue, const union og_packet *packet,
                    uint64_t deadline, const int *interrupted, struct og_dispatch_record *record) {
  enum { LOOK = 10000000 /* nanoseconds between looks at the clock and at *interrupted */ };
  pthread_mutex_lock(&runtime->lock);
  runtime->last = (struct og_dispatch_record){0};
  pthread_mutex_unlock(&runtime->lock);
  enum og_queue_state state = og_queue_submit(queue, packet) ? OG_QUEUE_BUSY : OG_QUEUE_STOPPED;
  bool wanting = false;
  while (state != OG_QUEUE_IDLE && state != OG_QUEUE_STOPPED) {
    wanting |= state == OG_QUEUE_WANTING;
    if (wanting || og_clock() >= deadline || (interrupted && __atomic_load_n(interrupted, __ATOMIC_ACQUIRE)))
      og_queue_cancel(queue);
    state = og_queue_wait(queue, LOOK);
  }
  og_runtime_last_dispatch(runtime, record);
  return (state == OG_QUEUE_IDLE && record->fine) || failed(queue, wanting, record);
}
