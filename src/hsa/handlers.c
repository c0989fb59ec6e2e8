/* handlers.c - functions that programs want called: when a signal changes, when a queue fails, or at once. A thread of
 * the library calls them, which starts with the first one; never the caller's thread, since a handler may need its
 * locks. */
#include <stdlib.h>
#include <string.h>

#include "hsa/internal.h"

struct handler {
  struct og_signal *signal;
  enum og_condition condition;
  int64_t value;
  hsa_amd_signal_handler call;
  void *data;
};

struct job {
  struct job *next;
  void (*call)(void *data);
  void *data;
};

struct list {
  struct handler *items;
  size_t count, capacity;
};

struct og_hsa_handlers {
  pthread_t thread;
  struct og_signal control; /* its value counts what was added */
  pthread_mutex_t lock;     /* protects the rest */
  struct list added;
  struct job *first, **last;
  bool stop;
  /* Only used by the thread. */
  struct list active;
  struct og_signal **signals; /* room for active.capacity of them, and one */
  int64_t *seen;
};

static bool append(struct list *list, const struct handler *handlers, size_t count) {
  if (list->count + count > list->capacity) {
    size_t capacity = OG_MAX(2 * list->capacity, list->count + count);
    struct handler *items = realloc(list->items, capacity * sizeof *items);
    if (!items)
      return false;
    list->items = items;
    list->capacity = capacity;
  }
  if (count)
    memcpy(list->items + list->count, handlers, count * sizeof *handlers);
  list->count += count;
  return true;
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

/* Takes over what was added; returns jobs to do. */
static struct job *take_over(struct og_hsa_handlers *all, bool *stop) {
  pthread_mutex_lock(&all->lock);
  size_t count = all->active.count + all->added.count + 1;
  struct og_signal **signals = realloc(all->signals, count * sizeof(struct og_signal *));
  all->signals = signals ? signals : all->signals;
  int64_t *seen = realloc(all->seen, count * sizeof *seen);
  all->seen = seen ? seen : all->seen;
  if (signals && seen && append(&all->active, all->added.items, all->added.count))
    all->added.count = 0; /* if there is no memory now, they wait until there is */
  struct job *jobs = all->first;
  all->first = NULL;
  all->last = &all->first;
  *stop = all->stop;
  pthread_mutex_unlock(&all->lock);
  return jobs;
}

static void do_jobs(struct job *jobs) {
  while (jobs) {
    struct job *next = jobs->next;
    jobs->call(jobs->data);
    free(jobs);
    jobs = next;
  }
}

/* Calls handlers whose conditions hold. Those that want no more calls, or whose signal was destroyed, are removed. */
static bool call_handlers(struct og_hsa_handlers *all) {
  bool called = false;
  size_t kept = 0;
  for (size_t i = 0; i < all->active.count; i++) {
    struct handler *handler = &all->active.items[i];
    bool keep = __atomic_load_n(&handler->signal->kind, __ATOMIC_ACQUIRE) != 0;
    int64_t value = og_signal_load(handler->signal);
    if (keep && og_condition_holds(handler->condition, value, handler->value)) {
      called = true;
      og_hsa_sees(handler->signal);
      keep = handler->call(value, handler->data);
    }
    if (!keep)
      continue;
    all->active.items[kept] = *handler;
    all->signals[kept + 1] = handler->signal;
    all->seen[kept + 1] = value;
    kept++;
  }
  all->active.count = kept;
  return called;
}

static void *run(void *argument) {
  struct og_hsa_handlers *all = argument;
  struct og_waiter waiter = {0};
  struct og_interrupts *interrupts = og_runtime_interrupts(og_hsa.runtime);
  for (;;) {
    bool stop;
    int64_t control = og_signal_load(&all->control);
    uint32_t raised = __atomic_load_n(&interrupts->count, __ATOMIC_SEQ_CST);
    struct job *jobs = take_over(all, &stop);
    bool busy = jobs != NULL;
    do_jobs(jobs);
    if (stop)
      return NULL;
    busy |= call_handlers(all);
    if (busy) {
      waiter = (struct og_waiter){0};
      continue;
    }
    all->signals[0] = &all->control;
    all->seen[0] = control;
    og_wait_once(&waiter, all->signals, all->seen, all->active.count + 1, interrupts, raised, UINT64_MAX / 2);
  }
}

/* ---- called by other threads
 * -------------------------------------------------------------------------------------- */

static struct og_hsa_handlers *start(void) {
  struct og_hsa_handlers *all = calloc(1, sizeof *all);
  if (!all)
    return NULL;
  all->last = &all->first;
  all->signals = calloc(1, sizeof(struct og_signal *));
  all->seen = calloc(1, sizeof *all->seen);
  og_signal_init(&all->control, 0);
  pthread_mutex_init(&all->lock, NULL);
  if (all->signals && all->seen && pthread_create(&all->thread, NULL, run, all) == 0)
    return all;
  free(all->signals);
  free(all->seen);
  free(all);
  return NULL;
}

static struct og_hsa_handlers *started(void) {
  pthread_mutex_lock(&og_hsa.handlers_lock);
  if (!og_hsa.handlers)
    og_hsa.handlers = start();
  struct og_hsa_handlers *all = og_hsa.handlers;
  pthread_mutex_unlock(&og_hsa.handlers_lock);
  return all;
}

void og_hsa_handlers_close(void) {
  pthread_mutex_lock(&og_hsa.handlers_lock);
  struct og_hsa_handlers *all = og_hsa.handlers;
  og_hsa.handlers = NULL;
  pthread_mutex_unlock(&og_hsa.handlers_lock);
  if (!all)
    return;
  pthread_mutex_lock(&all->lock);
  all->stop = true;
  pthread_mutex_unlock(&all->lock);
  og_signal_add(&all->control, 1);
  pthread_join(all->thread, NULL);
  for (struct job *job = all->first, *next; job; job = next) {
    next = job->next;
    free(job);
  }
  pthread_mutex_destroy(&all->lock);
  free(all->added.items);
  free(all->active.items);
  free(all->signals);
  free(all->seen);
  free(all);
}

bool og_hsa_post(void (*call)(void *data), void *data) {
  struct og_hsa_handlers *all = started();
  struct job *job = calloc(1, sizeof *job);
  if (!all || !job) {
    free(job);
    return false;
  }
  *job = (struct job){.call = call, .data = data};
  pthread_mutex_lock(&all->lock);
  *all->last = job;
  all->last = &job->next;
  pthread_mutex_unlock(&all->lock);
  og_signal_add(&all->control, 1);
  return true;
}

hsa_status_t hsa_amd_async_function(void (*callback)(void *data), void *data) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(callback);
  return og_hsa_post(callback, data) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

hsa_status_t hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t condition,
                                          hsa_signal_value_t value, hsa_amd_signal_handler call, void *data) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(call && condition <= HSA_SIGNAL_CONDITION_GTE);
  OG_HSA_NEED(signal.handle, HSA_STATUS_ERROR_INVALID_SIGNAL);
  struct og_hsa_handlers *all = started();
  OG_HSA_NEED(all, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  struct handler handler = {(struct og_signal *)(uintptr_t)signal.handle, (enum og_condition)condition, value, call,
                            data};
  pthread_mutex_lock(&all->lock);
  bool fine = append(&all->added, &handler, 1);
  pthread_mutex_unlock(&all->lock);
  og_signal_add(&all->control, 1);
  return fine ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}
