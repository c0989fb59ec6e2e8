/* device.c - og_device: memory, one loaded code object and one queue; dispatches run one after another. */
#include "api/device.h"
#include "api/module.h"
#include "runtime/arguments.h"
#include "runtime/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUEUE_PACKETS = 64 };

static bool new_queue(og_device *device, og_diagnostics *diagnostics) {
  device->queue = og_runtime_queue(device->runtime, QUEUE_PACKETS);
  return device->queue || og_error_in(diagnostics, NULL, "cannot make a queue: the host has no memory or threads left");
}

og_device *og_device_new(const og_module *module, og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new(); /* holds only the device, and ends with it */
  og_device *device = OG_NEW(arena, og_device);
  device->arena = arena;
  pthread_mutex_init(&device->lock, NULL);
  pthread_cond_init(&device->turn_ends, NULL);
  device->runtime = og_runtime_new();
  const struct og_object *elf = module->code->elf;
  if (device->runtime)
    device->executable = og_load(device->runtime, elf->name, elf->bytes, elf->size, diagnostics);
  if (device->executable && new_queue(device, diagnostics))
    return device;
  og_device_free(device);
  return NULL;
}

void og_device_free(og_device *device) {
  if (!device)
    return;
  if (device->queue)
    og_runtime_queue_free(device->runtime, device->queue);
  if (device->executable)
    og_unload(device->executable);
  if (device->runtime)
    og_runtime_free(device->runtime);
  pthread_mutex_destroy(&device->lock);
  pthread_cond_destroy(&device->turn_ends);
  og_arena_free(device->arena);
}

void *og_device_allocate(og_device *device, size_t size) {
  return og_memory_new(device->runtime, size, 4096, OG_MEMORY_READ | OG_MEMORY_WRITE);
}

void og_device_release(og_device *device, void *memory) {
  if (memory)
    og_memory_free(device->runtime, memory);
}

bool og_device_map(og_device *device, void *memory, size_t size) {
  return size > 0 && og_memory_share(device->runtime, memory, size, OG_MEMORY_READ | OG_MEMORY_WRITE);
}

bool og_device_unmap(og_device *device, void *memory) {
  void *base;
  size_t size;
  bool allocated = og_memory_find(device->runtime, memory, &base, &size);
  return !allocated && og_memory_unshare(device->runtime, memory);
}

void og_device_guard(og_device *device) { og_memory_guard(device->runtime); }

void og_device_cluster(og_device *device, uint32_t x, uint32_t y, uint32_t z) {
  memcpy(device->cluster, (const uint32_t[3]){x, y, z}, sizeof device->cluster);
}

/* Former handlers stay loaded until the device is freed: a dispatch may still be running one. */
bool og_device_trap_handler(og_device *device, const og_module *module, const char *symbol, void *memory,
                            og_diagnostics *diagnostics) {
  uint64_t entry, size;
  if (!module) {
    og_runtime_set_trap_handler(device->runtime, NULL, 0, 0);
    return true;
  }
  const struct og_object *elf = module->code->elf;
  struct og_executable *handler = og_load(device->runtime, elf->name, elf->bytes, elf->size, diagnostics);
  if (!handler)
    return false;
  if (!og_executable_symbol(handler, og_text(symbol), &entry, &size))
    return og_error_in(diagnostics, elf->name, "no symbol '%s' for the trap handler", symbol);
  og_runtime_set_trap_handler(device->runtime, handler, entry, (uintptr_t)memory);
  return true;
}

void og_device_stop(og_device *device) { __atomic_store_n(&device->stop, 1, __ATOMIC_RELEASE); }

static void read_statistics(const struct og_dispatch_record *record, og_statistics *to) {
  const uint64_t *classes = record->stats.counts.instructions;
  og_statistics out = {.seconds = (double)(record->ended - record->started) / 1e9,
                       .waves = record->stats.waves,
                       .salu = classes[OG_CLASS_SALU],
                       .valu = classes[OG_CLASS_VALU],
                       .smem = classes[OG_CLASS_SMEM],
                       .vmem = classes[OG_CLASS_VMEM],
                       .lds = classes[OG_CLASS_LDS],
                       .flat = classes[OG_CLASS_FLAT],
                       .branch = classes[OG_CLASS_BRANCH],
                       .other = classes[OG_CLASS_OTHER]};
  for (int i = 0; i < OG_CLASS_COUNT; i++)
    out.wave_instructions += classes[i];
  og_fill(to, &out, sizeof out);
}

/* Replaces a queue that a fault or a stop has ended, so that the device can be used again. */
static bool ready_queue(og_device *device, og_diagnostics *diagnostics) {
  if (!og_queue_stopped(device->queue))
    return true;
  og_runtime_queue_free(device->runtime, device->queue);
  return new_queue(device, diagnostics);
}

/* The number of bytes up to the end of the last explicit argument. */
static size_t explicit_size(const struct og_kernel *kernel) {
  size_t end = 0;
  for (uint32_t i = 0; i < kernel->arg_count; i++)
    if (!og_kernel_arg_hidden(&kernel->args[i]))
      end = OG_MAX(end, (size_t)kernel->args[i].offset + kernel->args[i].size);
  return end;
}

static bool check_launch(const og_device *device, const og_launch *launch, const struct og_kernel *kernel,
                         og_diagnostics *diagnostics) {
  const char *file = device->executable->code->elf->name;
  if (launch->grid[0] == 0)
    return og_error_in(diagnostics, file, "kernel '%s': the grid has 0 work-items in its first dimension",
                       kernel->name);
  if (launch->arguments_size < explicit_size(kernel))
    return og_error_in(diagnostics, file, "kernel '%s': %zu bytes of arguments given, %zu expected", kernel->name,
                       launch->arguments_size, explicit_size(kernel));
  return true;
}

/* What ended the dispatch, if it was not the kernel; NULL: it was. */
static const char *why_ended(og_device *device, const og_launch *launch, uint64_t deadline,
                             const struct og_dispatch_record *record, char *text, size_t size) {
  if (!og_ended_from_outside(record))
    return NULL;
  if (__atomic_load_n(&device->stop, __ATOMIC_ACQUIRE))
    return "stopped by og_device_stop";
  snprintf(text, size, "still running after %g seconds", launch->timeout);
  return og_clock() > deadline ? text : NULL;
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

uint64_t og_device_take_turn(og_device *device) {
  pthread_mutex_lock(&device->lock);
  uint64_t turn = device->next_turn++;
  pthread_mutex_unlock(&device->lock);
  return turn;
}

void og_device_await_turn(og_device *device, uint64_t turn) {
  pthread_mutex_lock(&device->lock);
  while (device->turn != turn)
    pthread_cond_wait(&device->turn_ends, &device->lock);
  pthread_mutex_unlock(&device->lock);
}

void og_device_end_turn(og_device *device) {
  pthread_mutex_lock(&device->lock);
  device->turn++;
  pthread_cond_broadcast(&device->turn_ends);
  pthread_mutex_unlock(&device->lock);
}

/* ---- dispatches -------------------------------------------------------------------------------------------------- */

const struct og_kernel *og_device_kernel(const og_device *device, const og_launch *launch,
                                         og_diagnostics *diagnostics) {
  const char *name = launch->kernel ? launch->kernel : "";
  const struct og_kernel *kernel = og_executable_kernel(device->executable, og_text(name));
  if (!kernel)
    og_error_in(diagnostics, device->executable->code->elf->name, "no kernel '%s'", name);
  return kernel && check_launch(device, launch, kernel, diagnostics) ? kernel : NULL;
}

static struct og_extent extent_of(const og_launch *launch) {
  struct og_extent extent = {.dimensions = 3};
  for (int i = 0; i < 3; i++) {
    extent.grid[i] = launch->grid[i] ? launch->grid[i] : 1;
    extent.group[i] = launch->group[i] ? launch->group[i] : 1;
    extent.offset[i] = launch->offset[i];
  }
  return extent;
}

bool og_device_dispatch(og_device *device, const og_launch *launch, const struct og_kernel *kernel,
                        const struct og_run_options *options, const struct og_excuse *excuse, og_statistics *statistics,
                        og_diagnostics *diagnostics) {
  struct og_extent extent = extent_of(launch);
  uint32_t lds = 0;
  size_t size = launch->arguments_size; /* a C struct may end in padding that the kernarg segment does not have */
  if (size <= og_align_up(kernel->kernarg_size, 8))
    size = OG_MIN(size, kernel->kernarg_size);
  if (!ready_queue(device, diagnostics))
    return false;
  struct og_run_options own = *options;
  memcpy(own.cluster, device->cluster, sizeof own.cluster);
  og_runtime_set_options(device->runtime, &own);
  void *kernarg = og_kernarg_from_bytes(device->runtime, device->executable, kernel, launch->arguments, size, &extent,
                                        device->queue, launch->dynamic_lds, &lds, diagnostics);
  if (!kernarg)
    return false;
  if (excuse)
    excuse->begins(excuse->context, lds);
  union og_packet packet = {0};
  og_dispatch_packet_init(&packet.dispatch, device->executable, kernel, &extent, kernarg, lds, NULL);
  uint64_t deadline = launch->timeout > 0 ? og_clock() + (uint64_t)fmin(launch->timeout * 1e9, 9e18) : UINT64_MAX;
  struct og_dispatch_record record;
  bool fine = og_runtime_run(device->runtime, device->queue, &packet, deadline, &device->stop, &record);
  if (statistics)
    read_statistics(&record, statistics);
  char late[64];
  if (!fine && !(excuse && excuse->takes(excuse->context, &record.fault)))
    og_report_fault(device->executable, kernel, &record,
                    why_ended(device, launch, deadline, &record, late, sizeof late), diagnostics);
  og_memory_free(device->runtime, kernarg);
  return fine;
}

bool og_device_run_now(og_device *device, const og_launch *launch, og_statistics *statistics,
                       og_diagnostics *diagnostics) {
  struct og_run_options options = {.threads = launch->threads, .count = statistics != NULL};
  struct og_watching watching;
  __atomic_store_n(&device->stop, 0, __ATOMIC_RELEASE);
  const struct og_kernel *kernel = og_device_kernel(device, launch, diagnostics);
  og_watch_launch(&watching, device, launch, &options);
  return kernel && og_device_dispatch(device, launch, kernel, &options, NULL, statistics, diagnostics);
}

bool og_device_run(og_device *device, const og_launch *launch, og_statistics *statistics, og_diagnostics *diagnostics) {
  og_device_await_turn(device, og_device_take_turn(device));
  bool fine = og_device_run_now(device, launch, statistics, diagnostics);
  og_device_end_turn(device);
  return fine;
}
