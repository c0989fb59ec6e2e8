/* copy.c - makes copies in a thread of its own, each as soon as its dependencies are met. */
#include "runtime/copy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 256 << 10 /* so many bytes are copied sooner than a thread wakes up */ };

struct job {
  struct job *next;
  struct og_copy copy;
  struct og_signal *completion;
  size_t count;
  struct og_signal *dependencies[];
};

struct og_copies {
  struct og_interrupts *interrupts;
  struct og_copies_watch watch;
  pthread_mutex_t lock; /* guards the fields up to `waiting` */
  pthread_t thread;
  bool running, stop;
  struct job *added, **last_added;
  struct og_signal control; /* its value counts what was added */
  struct job *waiting;      /* used by the thread alone */
};

void og_copy_run(const struct og_copy *copy) {
  for (size_t z = 0; z < copy->depth; z++)
    for (size_t y = 0; y < copy->height; y++)
      memmove(copy->to + z * copy->to_slice + y * copy->to_pitch,
              copy->from + z * copy->from_slice + y * copy->from_pitch, copy->width);
}

/* The first dependency that is not 0 yet; NULL: all are 0, or one has failed (*failed). */
static struct og_signal *missing(struct og_signal *const dependencies[], size_t count, bool *failed) {
  for (size_t i = 0; i < count; i++) {
    int64_t value = og_signal_load(dependencies[i]);
    *failed |= value < 0;
    if (value != 0)
      return *failed ? NULL : dependencies[i];
  }
  return NULL;
}

static void finish(const struct og_copies *copies, const struct og_copy *copy, struct og_signal *const dependencies[],
                   size_t count, bool failed, struct og_signal *completion) {
  if (copies->watch.begins)
    copies->watch.begins(copy, dependencies, count);
  uint64_t start = og_clock();
  if (!failed)
    og_copy_run(copy);
  uint64_t end = og_clock();
  if (copies->watch.ends)
    copies->watch.ends(copy, start, end, completion, failed);
  if (!completion)
    return;
  og_signal_set_times(completion, start, end);
  if (failed)
    og_signal_store(completion, -1);
  else
    og_signal_add(completion, -1);
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

/* Runs what is ready. Returns how many signals the other copies wait for, with the first OG_WAIT_SIGNALS in
 * `signals`. */
static size_t run_ready(struct og_copies *copies, struct og_signal *signals[], int64_t seen[]) {
  size_t count = 0;
  for (struct job **link = &copies->waiting; *link;) {
    struct job *job = *link;
    bool failed = false;
    struct og_signal *signal = missing(job->dependencies, job->count, &failed);
    if (!signal) {
      *link = job->next;
      finish(copies, &job->copy, job->dependencies, job->count, failed, job->completion);
      free(job);
      continue;
    }
    if (count < OG_WAIT_SIGNALS - 1) {
      seen[count] = og_signal_load(signal);
      signals[count++] = signal;
    }
    link = &job->next;
  }
  return count;
}

/* Moves the copies that were added to the end of those that wait; false: the thread has to end. */
static bool take_added(struct og_copies *copies, int64_t *control) {
  struct job **end = &copies->waiting;
  while (*end)
    end = &(*end)->next;
  pthread_mutex_lock(&copies->lock);
  *end = copies->added;
  copies->added = NULL;
  copies->last_added = &copies->added;
  *control = og_signal_load(&copies->control);
  bool stop = copies->stop;
  pthread_mutex_unlock(&copies->lock);
  return !stop;
}

static void *run(void *context) {
  struct og_copies *copies = context;
  struct og_signal *signals[OG_WAIT_SIGNALS];
  int64_t seen[OG_WAIT_SIGNALS], control;
  struct og_waiter waiter = {0};
  while (take_added(copies, &control)) {
    uint32_t raised = copies->interrupts ? __atomic_load_n(&copies->interrupts->count, __ATOMIC_ACQUIRE) : 0;
    size_t count = run_ready(copies, signals, seen);
    signals[count] = &copies->control;
    seen[count++] = control;
    if (count == 1) { /* only the next copy is waited for, and it wakes this thread: no need to poll */
      og_signal_wait(&copies->control, OG_CONDITION_NE, control, UINT64_MAX);
      waiter = (struct og_waiter){0};
    } else {
      og_wait_once(&waiter, signals, seen, count, copies->interrupts, raised, UINT64_MAX);
    }
  }
  return NULL;
}

struct og_copies *og_copies_new(struct og_interrupts *interrupts, const struct og_copies_watch *watch) {
  struct og_copies *copies = aligned_alloc(64, og_align_up(sizeof *copies, 64));
  if (!copies)
    return NULL;
  *copies = (struct og_copies){.interrupts = interrupts, .watch = *watch};
  copies->last_added = &copies->added;
  og_signal_init(&copies->control, 0);
  pthread_mutex_init(&copies->lock, NULL);
  return copies;
}

static void free_jobs(struct job *job) {
  while (job) {
    struct job *next = job->next;
    free(job);
    job = next;
  }
}

void og_copies_free(struct og_copies *copies) {
  if (!copies)
    return;
  pthread_mutex_lock(&copies->lock);
  copies->stop = true;
  pthread_mutex_unlock(&copies->lock);
  if (copies->running) {
    og_signal_add(&copies->control, 1);
    pthread_join(copies->thread, NULL);
  }
  free_jobs(copies->waiting);
  free_jobs(copies->added);
  pthread_mutex_destroy(&copies->lock);
  free(copies);
}

static bool enqueue(struct og_copies *copies, struct job *job) {
  pthread_mutex_lock(&copies->lock);
  if (!copies->running)
    copies->running = pthread_create(&copies->thread, NULL, run, copies) == 0;
  bool fine = copies->running;
  if (fine) {
    *copies->last_added = job;
    copies->last_added = &job->next;
    og_signal_add(&copies->control, 1);
  }
  pthread_mutex_unlock(&copies->lock);
  return fine;
}

bool og_copies_submit(struct og_copies *copies, const struct og_copy *copy, struct og_signal *const dependencies[],
                      size_t count, struct og_signal *completion) {
  bool failed = false, small = copy->width * copy->height * copy->depth <= AT_ONCE;
  if (small && !missing(dependencies, count, &failed)) {
    finish(copies, copy, dependencies, count, failed, completion);
    return true;
  }
  struct job *job = malloc(sizeof *job + count * sizeof *job->dependencies);
  if (!job)
    return false;
  *job = (struct job){.copy = *copy, .completion = completion, .count = count};
  for (size_t i = 0; i < count; i++) /* an array of length 0 is not allowed */
    job->dependencies[i] = dependencies[i];
  if (enqueue(copies, job))
    return true;
  free(job);
  return false;
}
