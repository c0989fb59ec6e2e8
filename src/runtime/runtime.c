/* runtime.c - from a dispatch packet to the machine: finds the kernel behind it, checks what it asks for, runs it. */
#include "runtime/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GROUP = 1024 };

struct og_runtime *og_runtime_new(void) {
  struct og_runtime *runtime = calloc(1, sizeof *runtime);
  if (!runtime)
    return NULL;
  pthread_mutex_init(&runtime->lock, NULL);
  pthread_mutex_init(&runtime->running, NULL);
  runtime->map = og_memory_map_new();
  runtime->machine = runtime->map ? og_machine_new(runtime->map) : NULL;
  if (!runtime->machine) {
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
  if (runtime->machine)
    og_machine_free(runtime->machine);
  og_memory_map_free(runtime->map);
  pthread_mutex_destroy(&runtime->running);
  pthread_mutex_destroy(&runtime->lock);
  free(runtime);
}

void og_runtime_set_options(struct og_runtime *runtime, const struct og_run_options *options) {
  pthread_mutex_lock(&runtime->lock);
  runtime->options = *options;
  pthread_mutex_unlock(&runtime->lock);
}

void og_runtime_last_dispatch(struct og_runtime *runtime, struct og_dispatch_record *record) {
  pthread_mutex_lock(&runtime->lock);
  *record = runtime->last;
  pthread_mutex_unlock(&runtime->lock);
}

struct og_queue *og_runtime_queue(struct og_runtime *runtime, uint32_t size) {
  pthread_mutex_lock(&runtime->lock);
  uint64_t id = runtime->queues++;
  pthread_mutex_unlock(&runtime->lock);
  struct og_queue *queue = og_queue_new(&(struct og_queue_options){
      .size = size,
      .dispatcher = og_runtime_dispatch,
      .context = runtime,
      .group_aperture = (uint64_t)OG_SHARED_APERTURE << 32,
      .private_aperture = (uint64_t)OG_PRIVATE_APERTURE << 32,
      .id = id,
  });
  size_t bytes = 0;
  void *memory = queue ? og_queue_memory(queue, &bytes) : NULL;
  if (queue && !og_memory_share(runtime, memory, bytes, OG_MEMORY_READ | OG_MEMORY_WRITE)) {
    og_queue_free(queue);
    return NULL;
  }
  return queue;
}

void og_runtime_queue_free(struct og_runtime *runtime, struct og_queue *queue) {
  if (!queue)
    return;
  size_t bytes;
  og_queue_cancel(queue);
  og_memory_unshare(runtime, og_queue_memory(queue, &bytes));
  og_queue_free(queue);
}

/* ---- one dispatch ------------------------------------------------------------------------------------------------ */

/* The packet is wrong: says how. */
static bool OG_PRINTF(2, 3) refuse(struct og_dispatch_record *record, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(record->fault.what, sizeof record->fault.what, format, args);
  va_end(args);
  return false;
}

/* The fields of a kernel descriptor; the executor's names for the bits are the descriptor's. */
static void read_descriptor(const uint8_t *kernel_object, struct og_dispatch *dispatch) {
  dispatch->entry = (uintptr_t)kernel_object + og_load64(kernel_object + 16);
  dispatch->rsrc3 = og_load32(kernel_object + 44);
  dispatch->rsrc1 = og_load32(kernel_object + 48);
  dispatch->rsrc2 = og_load32(kernel_object + 52);
  dispatch->properties = og_load16(kernel_object + 56);
  dispatch->kernarg_preload = og_load16(kernel_object + 58);
}

/* amd_kernel_code_t of code object V2. */
static void read_kernel_code(const uint8_t *kernel_object, struct og_dispatch *dispatch) {
  dispatch->entry = (uintptr_t)kernel_object + og_load64(kernel_object + 16);
  dispatch->rsrc1 = og_load32(kernel_object + 48);
  dispatch->rsrc2 = og_load32(kernel_object + 52);
  dispatch->properties = og_load32(kernel_object + 56) & 0xffff;
}

static bool read_kernel(const struct og_executable *executable, uint64_t kernel_object, struct og_dispatch *dispatch,
                        struct og_dispatch_record *record) {
  size_t needed = executable->version == 2 ? 256 : 64;
  if (kernel_object - executable->start > executable->size - needed)
    return refuse(record, "no kernel object at 0x%llx", (unsigned long long)kernel_object);
  const uint8_t *bytes = (const uint8_t *)(uintptr_t)kernel_object;
  if (executable->version == 2)
    read_kernel_code(bytes, dispatch);
  else
    read_descriptor(bytes, dispatch);
  dispatch->program = executable->program;
  if (!og_program_at(executable->program, dispatch->entry))
    return refuse(record, "the kernel object at 0x%llx has its entry outside the code",
                  (unsigned long long)kernel_object);
  return true;
}

static bool read_packet(const struct og_dispatch_packet *packet, const struct og_target *target,
                        struct og_dispatch *dispatch, struct og_dispatch_record *record) {
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
  if (items > MAX_GROUP)
    return refuse(record, "work-group of %llu work-items; at most %d are possible", (unsigned long long)items,
                  MAX_GROUP);
  if (packet->group_bytes > target->processor->lds_bytes)
    return refuse(record, "%u bytes of LDS asked for; %s has %u", packet->group_bytes, target->processor->name,
                  target->processor->lds_bytes);
  dispatch->group_bytes = packet->group_bytes;
  dispatch->private_bytes = packet->private_bytes;
  dispatch->kernarg = packet->kernarg;
  dispatch->packet = (uintptr_t)packet;
  return true;
}

static const struct og_executable *find_executable(struct og_runtime *runtime, uint64_t address) {
  const struct og_executable *found = runtime->executables;
  while (found && address - found->start >= found->size)
    found = found->next;
  return found;
}

bool og_runtime_dispatch(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet, uint64_t index,
                         const int *cancel) {
  struct og_runtime *runtime = context;
  struct og_dispatch_record record = {0};
  pthread_mutex_lock(&runtime->lock);
  const struct og_executable *executable = find_executable(runtime, packet->kernel_object);
  struct og_run_options options = runtime->options;
  pthread_mutex_unlock(&runtime->lock);
  struct og_dispatch dispatch = {
      .queue = (uintptr_t)og_queue_record(queue), .id = index, .threads = options.threads, .schedule = options.schedule,
      .seed = options.seed, .abort = cancel, .count = options.count, .observer = options.observer,
  };
  bool fine = executable
                  ? read_kernel(executable, packet->kernel_object, &dispatch, &record) &&
                        read_packet(packet, &executable->target, &dispatch, &record)
                  : refuse(&record, "no code object is loaded at 0x%llx", (unsigned long long)packet->kernel_object);
  if (fine) {
    record.ran = true;
    record.wave_size = executable->target.processor->major >= 10 && (dispatch.properties & OG_KERNEL_WAVE32) ? 32 : 64;
    pthread_mutex_lock(&runtime->running);
    fine = og_dispatch_run(runtime->machine, &dispatch, &record.stats, &record.fault);
    pthread_mutex_unlock(&runtime->running);
  }
  record.fine = fine;
  pthread_mutex_lock(&runtime->lock);
  runtime->last = record;
  pthread_mutex_unlock(&runtime->lock);
  return fine;
}
