/* device.h - og_device and one dispatch on it. Several calls use it: to wait for a dispatch, watch it, check it, or run
 * it in the background. */
#ifndef OG_API_DEVICE_H
#define OG_API_DEVICE_H

#include "api/fill.h"

#include <pthread.h>

#include "runtime/runtime.h"

struct og_device {
  struct og_arena *arena;
  struct og_runtime *runtime;
  struct og_executable *executable;
  struct og_queue *queue;
  uint32_t cluster[3]; /* from og_device_cluster */
  int stop; /* atomic; og_device_stop was called */
  /* Dispatches take turns. */
  pthread_mutex_t lock;
  pthread_cond_t turn_ends;
  uint64_t next_turn, turn; /* the turn that is taken next; the turn that may run now */
};

/* A turn among the dispatches: taken, waited for, given back. */
uint64_t og_device_take_turn(og_device *device);
void og_device_await_turn(og_device *device, uint64_t turn);
void og_device_end_turn(og_device *device);

/* The launch's kernel, if the launch can be made; NULL with a diagnostic. */
const struct og_kernel *og_device_kernel(const og_device *device, const og_launch *launch, og_diagnostics *diagnostics);
/* Runs a dispatch in its turn and waits for it. Reports a failure, unless `excuse` takes it. `begins` is called before
 * it runs, with the LDS that a work-group has. */
struct og_excuse {
  bool (*takes)(void *context, const struct og_fault *fault);
  void (*begins)(void *context, uint32_t group_bytes);
  void *context;
};
bool og_device_dispatch(og_device *device, const og_launch *launch, const struct og_kernel *kernel,
                        const struct og_run_options *options, const struct og_excuse *excuse, og_statistics *statistics,
                        og_diagnostics *diagnostics);
/* All of og_device_run, to be called in the launch's turn. */
bool og_device_run_now(og_device *device, const og_launch *launch, og_statistics *statistics,
                       og_diagnostics *diagnostics);

/* Makes a launch's watcher an observer in `options`; without a watcher it sets nothing. `watching` has to live as long
 * as the run. */
struct og_watching {
  struct og_observer observer;
  og_watcher watcher;
  const struct og_executable *executable;
};
void og_watch_launch(struct og_watching *watching, const og_device *device, const og_launch *launch,
                     struct og_run_options *options);

#endif
