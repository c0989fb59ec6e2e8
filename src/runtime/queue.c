/* queue.c - the ring and its packet processor. Packets are processed in order and one after the other, so the barrier
 * bit needs nothing more; the fences in a header are those of the host's memory. */
#include "runtime/queue.h"
#include "runtime/pm4.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { IS_PTR64 = 2 /* amd_queue_properties_t: the large machine model */ };
enum {
  POLL = 1000000,   /* nanoseconds between looks for packets that kernels write: their doorbells wake no thread */
  IDLE = 20000000,  /* the same while no kernel runs */
  PRODUCERS = 65536 /* most producers that wait for a slot at once: an index further ahead is wrong */
};

/* What kernels see and may write: the host relies on nothing in it. */
struct shared {
  struct og_queue_record record;
  struct og_signal doorbell;
  struct og_signal bell; /* its value is the doorbell's hardware word, for doorbells that have one */
  union og_packet ring[];
};

/* What the host relies on. */
struct og_queue {
  struct shared *shared;
  struct og_queue_options options; /* the size is the ring's */
  size_t mapped;
  uint64_t read_index;
  struct og_signal *bell;    /* in shared memory; it has rung when its value has changed */
  unsigned watchers;         /* how many threads sleep on `progress`; atomic */
  struct og_signal progress; /* twice the number of packets processed so far, and 1 more while one is processed */
  pthread_t thread;
  int cancelled; /* the dispatcher reads it while it runs */
  bool stopped;
  enum og_queue_failure failure; /* written before `stopped` is */
  char error[200];
};

static bool cancelled(const struct og_queue *queue) {
  return __atomic_load_n(&queue->cancelled, __ATOMIC_ACQUIRE);
}

bool og_queue_cancelled(const struct og_queue *queue) {
  return cancelled(queue);
}

bool og_queue_stopped(const struct og_queue *queue) {
  return __atomic_load_n(&queue->stopped, __ATOMIC_ACQUIRE);
}

const char *og_queue_error(const struct og_queue *queue) {
  return og_queue_stopped(queue) && queue->error[0] ? queue->error : NULL;
}

enum og_queue_failure og_queue_failure(const struct og_queue *queue) {
  return og_queue_stopped(queue) ? queue->failure : OG_QUEUE_FINE;
}

struct og_queue_record *og_queue_record(struct og_queue *queue) {
  return &queue->shared->record;
}

void *og_queue_context(const struct og_queue *queue) {
  return queue->options.context;
}

void *og_queue_memory(struct og_queue *queue, size_t *size) {
  *size = queue->mapped;
  return queue->shared;
}

/* Wakes the threads that wait for progress; makes no system call if there are none. */
static void make_progress(struct og_queue *queue, int64_t by) {
  if (__atomic_load_n(&queue->watchers, __ATOMIC_SEQ_CST))
    og_signal_add(&queue->progress, by);
  else
    __atomic_fetch_add(&queue->progress.value, by, __ATOMIC_SEQ_CST);
}

/* ---- packets: copied, then checked ------------------------------------------------------------------------------- */

static bool OG_PRINTF(2, 3) wrong(struct og_queue *queue, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(queue->error, sizeof queue->error, format, args);
  va_end(args);
  queue->failure = OG_QUEUE_BAD_PACKET;
  return false;
}

static union og_packet *slot_of(const struct og_queue *queue, uint64_t index) {
  return &queue->shared->ring[index & (queue->options.size - 1)];
}

static uint64_t packets_ahead(const struct og_queue *queue) {
  return __atomic_load_n(&queue->shared->record.write_index, __ATOMIC_ACQUIRE) -
         __atomic_load_n(&queue->read_index, __ATOMIC_ACQUIRE);
}

/* Whether there is a packet in the slot; *first becomes its header, read once. */
static bool is_ready(const struct og_queue *queue, uint64_t index, uint32_t *first) {
  *first = __atomic_load_n(&slot_of(queue, index)->first, __ATOMIC_ACQUIRE);
  return (*first & OG_HEADER_TYPE) != OG_PACKET_INVALID && packets_ahead(queue) != 0;
}

bool og_queue_holds(const struct og_queue *queue, uint64_t index) {
  return index - __atomic_load_n(&queue->read_index, __ATOMIC_ACQUIRE) < queue->options.size &&
         (__atomic_load_n(&slot_of(queue, index)->first, __ATOMIC_ACQUIRE) & OG_HEADER_TYPE) != OG_PACKET_INVALID;
}

/* Reads each word once: if a kernel writes the slot meanwhile, the copy does not change. */
static union og_packet copy_packet(const union og_packet *slot, uint32_t first) {
  union og_packet packet;
  for (size_t i = 0; i < OG_COUNT(packet.words); i++)
    packet.words[i] = __atomic_load_n(&slot->words[i], __ATOMIC_RELAXED);
  packet.first = first;
  return packet;
}

/* The signal whose address a packet gives. NULL, with an error: kernels may not access that memory, so neither may the
 * host on their behalf. */
static struct og_signal *find_signal(struct og_queue *queue, uint64_t address, bool write, const char *what) {
  if (address % _Alignof(struct og_signal) == 0 &&
      queue->options.reaches(queue->options.context, address, sizeof(struct og_signal), write))
    return (struct og_signal *)(uintptr_t)address;
  wrong(queue, "packet %llu of the queue names 0x%llx as its %s signal, which is not memory that kernels may %s",
        (unsigned long long)queue->read_index, (unsigned long long)address, what, write ? "write" : "read");
  return NULL;
}

enum dependencies { HOLD_NOT, HOLD, WRONG };

/* Whether a barrier packet's dependencies are met: AND needs all to be 0, OR one. Without any both are met. */
static enum dependencies dependencies_hold(struct og_queue *queue, const struct og_barrier_packet *packet, bool all) {
  bool named = false, zero = false, other = false;
  for (size_t i = 0; i < OG_COUNT(packet->dependencies); i++) {
    if (!packet->dependencies[i])
      continue;
    const struct og_signal *signal = find_signal(queue, packet->dependencies[i], false, "dependency");
    if (!signal)
      return WRONG;
    named = true;
    if (og_signal_load(signal) == 0)
      zero = true;
    else
      other = true;
  }
  return !named || (all ? !other : zero) ? HOLD : HOLD_NOT;
}

/* Sleeps until one of the signals may have changed; true: the queue was cancelled. */
static bool wait_for_signals(const struct og_queue *queue, struct og_waiter *waiter, const uint64_t addresses[],
                             size_t count, uint32_t raised) {
  struct og_signal *signals[OG_COUNT(((struct og_barrier_packet *)0)->dependencies)];
  int64_t seen[OG_COUNT(signals)];
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (addresses[i]) {
      signals[n] = (struct og_signal *)(uintptr_t)addresses[i];
      seen[n] = og_signal_load(signals[n]);
      n++;
    }
  og_wait_once(waiter, signals, seen, n, queue->options.interrupts, raised, IDLE);
  return cancelled(queue);
}

static uint32_t raised_so_far(const struct og_queue *queue) {
  return queue->options.interrupts ? __atomic_load_n(&queue->options.interrupts->count, __ATOMIC_SEQ_CST) : 0;
}

static bool wait_for_dependencies(struct og_queue *queue, const struct og_barrier_packet *packet, bool all) {
  struct og_waiter waiter = {0};
  for (;;) {
    uint32_t raised = raised_so_far(queue);
    enum dependencies hold = dependencies_hold(queue, packet, all);
    if (hold != HOLD_NOT)
      return hold == HOLD;
    if (wait_for_signals(queue, &waiter, packet->dependencies, OG_COUNT(packet->dependencies), raised))
      return false;
  }
}

static bool wait_for_value(struct og_queue *queue, const struct og_barrier_value_packet *packet) {
  struct og_waiter waiter = {0};
  while (packet->signal) {
    uint32_t raised = raised_so_far(queue);
    const struct og_signal *signal = find_signal(queue, packet->signal, false, "barrier's");
    if (!signal)
      return false;
    if (packet->condition > OG_CONDITION_GE)
      return wrong(queue, "packet %llu of the queue waits for condition %u, which does not exist",
                   (unsigned long long)queue->read_index, packet->condition);
    if (og_condition_holds((enum og_condition)packet->condition, og_signal_load(signal) & packet->mask, packet->value))
      return true;
    if (wait_for_signals(queue, &waiter, &packet->signal, 1, raised))
      return false;
  }
  return true;
}

/* ---- the packet processor ---------------------------------------------------------------------------------------- */

static bool perform_pm4(struct og_queue *queue, const union og_packet *packet) {
  char error[160] = "";
  struct og_pm4 pm4 = {queue->options.reaches, queue->options.context, &queue->cancelled, error, sizeof error};
  struct og_pm4_packet words;
  memcpy(&words, packet, sizeof words);
  bool good = og_pm4_run(&pm4, &words);
  if (queue->options.interrupts)
    og_interrupts_raise(queue->options.interrupts); /* for threads that wait for what was written */
  return good || (*error && wrong(queue, "packet %llu of the queue: %s", (unsigned long long)queue->read_index, error));
}

static bool perform_dispatch(struct og_queue *queue, const struct og_dispatch_packet *packet,
                             const uint8_t cluster[3]) {
  const struct og_queue_options *options = &queue->options;
  uint64_t index = queue->read_index;
  if (options->dispatcher(options->context, queue, packet, cluster, (uintptr_t)slot_of(queue, index), index,
                          &queue->cancelled))
    return true;
  queue->failure = OG_QUEUE_BAD_DISPATCH;
  return false;
}

/* Runs the packet as a plain dispatch, whose grid is in work-items. */
static bool perform_clusters(struct og_queue *queue, const struct og_cluster_packet *packet) {
  const struct og_barrier_packet barrier = {.dependencies = {packet->dependency}};
  const uint32_t counts[3] = {packet->clusters_x, packet->clusters_y, packet->clusters_z};
  struct og_dispatch_packet plain = {
      .header = packet->header, .setup = packet->setup, .private_bytes = packet->private_bytes,
      .group_bytes = packet->group_bytes, .kernel_object = packet->kernel_object, .kernarg = packet->kernarg,
      .completion = packet->completion};
  for (int i = 0; i < 3; i++) {
    uint64_t items = (uint64_t)counts[i] * packet->cluster[i] * packet->group[i];
    if (items > UINT32_MAX)
      return wrong(queue, "packet %llu of the queue has a grid of more than 2^32 - 1 work-items in dimension %c",
                   (unsigned long long)queue->read_index, 'x' + i);
    plain.grid[i] = (uint32_t)items;
    plain.group[i] = packet->group[i];
  }
  return wait_for_dependencies(queue, &barrier, true) && perform_dispatch(queue, &plain, packet->cluster);
}

static bool perform_vendor(struct og_queue *queue, const union og_packet *packet) {
  switch (packet->barrier_value.format) {
  case OG_VENDOR_BARRIER_VALUE: return wait_for_value(queue, &packet->barrier_value);
  case OG_VENDOR_PM4: return perform_pm4(queue, packet);
  case OG_VENDOR_DISPATCH: return perform_clusters(queue, &packet->clusters);
  default:
    return wrong(queue, "packet %llu of the queue is a vendor's of format %u, which does not exist",
                 (unsigned long long)queue->read_index, packet->barrier_value.format);
  }
}

/* Executes the packet, without its completion signal; false if the queue has to stop. */
static bool perform(struct og_queue *queue, const union og_packet *packet) {
  unsigned type = packet->first & OG_HEADER_TYPE;
  switch (type) {
  case OG_PACKET_DISPATCH: return perform_dispatch(queue, &packet->dispatch, NULL);
  case OG_PACKET_BARRIER_AND:
  case OG_PACKET_BARRIER_OR:
    return wait_for_dependencies(queue, &packet->barrier, type == OG_PACKET_BARRIER_AND);
  case OG_PACKET_VENDOR: return perform_vendor(queue, packet);
  case OG_PACKET_AGENT: /* the queue's features say so, too; a program serves its own queues (hsa_soft_queue_create) */
    return wrong(queue, "packet %llu of the queue is an agent dispatch; the queue takes kernels, not those",
                 (unsigned long long)queue->read_index);
  default:
    return wrong(queue, "packet %llu of the queue is of type %u, which does not exist",
                 (unsigned long long)queue->read_index, type);
  }
}

static void tell_of(const struct og_queue *queue, const union og_packet *packet, bool ended) {
  if (queue->options.packet)
    queue->options.packet(queue->options.watch_context, packet, queue->read_index, ended);
}

/* Checks, executes and completes a packet. All packets have the completion signal in the same place. */
static bool process(struct og_queue *queue, const union og_packet *packet) {
  uint64_t completion = packet->dispatch.completion, start = og_clock();
  if (completion && !find_signal(queue, completion, true, "completion"))
    return false;
  tell_of(queue, packet, false);
  bool fine = perform(queue, packet) && !cancelled(queue);
  tell_of(queue, packet, true);
  if (!fine)
    return false;
  if (!completion)
    return true;
  struct og_signal *signal = find_signal(queue, completion, true, "completion"); /* its memory may be gone by now */
  if (!signal)
    return false;
  og_signal_set_times(signal, start, og_clock());
  og_signal_add(signal, -1);
  return true;
}

static bool process_next(struct og_queue *queue, uint32_t first) {
  uint64_t index = queue->read_index;
  union og_packet *slot = slot_of(queue, index), packet = copy_packet(slot, first);
  __atomic_fetch_add(&queue->progress.value, 1, __ATOMIC_SEQ_CST);
  if (!process(queue, &packet))
    return false;
  __atomic_store_n(&slot->first, OG_PACKET_INVALID, __ATOMIC_RELEASE);
  __atomic_store_n(&queue->shared->record.read_index, index + 1, __ATOMIC_RELEASE);
  __atomic_store_n(&queue->read_index, index + 1, __ATOMIC_RELEASE);
  make_progress(queue, 1);
  return true;
}

static bool is_index(const struct og_queue *queue, uint64_t ahead) {
  return ahead <= (uint64_t)queue->options.size + PRODUCERS;
}

static bool check_indices(struct og_queue *queue) {
  uint64_t ahead = packets_ahead(queue);
  if (is_index(queue, ahead))
    return true;
  wrong(queue, "the write index of the queue is %s its read index %llu; the queue holds %u packets",
        (int64_t)ahead < 0 ? "below" : "far beyond", (unsigned long long)queue->read_index, queue->options.size);
  queue->failure = OG_QUEUE_BAD_INDEX;
  return false;
}

/* Sleeps until the bell rings, or for a while. */
static void wait_for_bell(const struct og_queue *queue, int64_t *rung, struct og_waiter *waiter) {
  const unsigned *running = queue->options.running;
  bool kernels_run = !running || __atomic_load_n(running, __ATOMIC_RELAXED);
  int64_t seen = og_signal_load(queue->bell);
  if (seen == *rung)
    og_wait_once(waiter, &queue->bell, rung, 1, NULL, 0, kernels_run ? POLL : IDLE);
  *rung = seen;
}

static void *processor(void *argument) {
  struct og_queue *queue = argument;
  struct og_waiter waiter = {0};
  int64_t rung = 0;
  while (!cancelled(queue) && check_indices(queue)) {
    uint32_t first;
    if (!is_ready(queue, queue->read_index, &first)) {
      wait_for_bell(queue, &rung, &waiter);
    } else {
      if (!process_next(queue, first))
        break;
      waiter = (struct og_waiter){0};
    }
  }
  bool failed = !cancelled(queue);
  if (!failed)
    queue->failure = OG_QUEUE_CANCELLED;
  __atomic_store_n(&queue->stopped, true, __ATOMIC_RELEASE);
  og_signal_add(&queue->progress, 2); /* wakes those that wait, so that they see `stopped` */
  if (failed && queue->options.stopped)
    queue->options.stopped(queue->options.watch_context, queue);
  return NULL;
}

/* ---- the host's side --------------------------------------------------------------------------------------------- */

static struct og_queue *allocate(const struct og_queue_options *options) {
  if (options->size == 0 || (options->size & (options->size - 1)) != 0)
    return NULL;
  struct og_queue *queue = calloc(1, sizeof *queue);
  if (!queue)
    return NULL;
  queue->options = *options;
  queue->mapped = sizeof *queue->shared + options->size * sizeof *queue->shared->ring;
  void *memory = mmap(NULL, queue->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    free(queue);
    return NULL;
  }
  queue->shared = memory;
  return queue;
}

#define NEVER_RUNG (INT64_MIN + 1) /* a value nobody rings with, so that the first ring is seen as a change */

static void make_doorbell(struct og_queue *queue) {
  struct shared *shared = queue->shared;
  og_signal_init(&shared->doorbell, -1);
  queue->bell = &shared->doorbell;
  if (queue->options.doorbell == OG_DOORBELL_VALUE || queue->options.doorbell == 0)
    return;
  og_signal_init(&shared->bell, NEVER_RUNG); /* not -1, with which HIP rings for the first packet */
  queue->bell = &shared->bell;
  shared->doorbell.kind = queue->options.doorbell;
  shared->doorbell.value = (int64_t)(uintptr_t)&shared->bell.value;
  shared->doorbell.queue = (uintptr_t)&shared->record;
}

struct og_queue *og_queue_new(const struct og_queue_options *options) {
  struct og_queue *queue = allocate(options);
  if (!queue)
    return NULL;
  struct shared *shared = queue->shared;
  og_signal_init(&queue->progress, 0);
  make_doorbell(queue);
  shared->record = (struct og_queue_record){
      .type = options->type,
      .features = 1, /* kernel dispatch */
      .base = (uintptr_t)shared->ring,
      .doorbell = (uintptr_t)&shared->doorbell,
      .size = options->size,
      .id = options->id,
      .group_aperture_hi = (uint32_t)(options->group_aperture >> 32),
      .private_aperture_hi = (uint32_t)(options->private_aperture >> 32),
      .max_cu_id = options->units ? options->units - 1 : 0,
      .max_wave_id = options->waves_per_unit ? options->waves_per_unit - 1 : 0,
      .read_index_offset = offsetof(struct og_queue_record, read_index),
      .properties = IS_PTR64,
  };
  for (uint32_t i = 0; i < options->size; i++)
    shared->ring[i].first = OG_PACKET_INVALID;
  if (pthread_create(&queue->thread, NULL, processor, queue) != 0) {
    munmap(shared, queue->mapped);
    free(queue);
    return NULL;
  }
  return queue;
}

void og_queue_cancel(struct og_queue *queue) {
  __atomic_store_n(&queue->cancelled, 1, __ATOMIC_RELEASE);
}

void og_queue_free(struct og_queue *queue) {
  if (!queue)
    return;
  og_queue_cancel(queue);
  og_signal_store(queue->bell, INT64_MIN); /* wakes the processor, which sees `cancelled` */
  pthread_join(queue->thread, NULL);
  munmap(queue->shared, queue->mapped);
  free(queue);
}

void og_queue_ring(struct og_queue *queue, int64_t index) {
  if (queue->options.doorbell == OG_DOORBELL_LEGACY) { /* as kernels do, but without the lock, which they might keep */
    uint64_t *field = &queue->shared->record.max_legacy_doorbell, next = (uint64_t)index + 1;
    uint64_t old = __atomic_load_n(field, __ATOMIC_RELAXED);
    while (old < next && !__atomic_compare_exchange_n(field, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      continue;
  }
  og_signal_store(queue->bell, index);
}

bool og_queue_submit(struct og_queue *queue, const union og_packet *packet) {
  uint64_t index = __atomic_fetch_add(&queue->shared->record.write_index, 1, __ATOMIC_ACQ_REL);
  struct timespec pause = {0, 20000};
  while (index - __atomic_load_n(&queue->read_index, __ATOMIC_ACQUIRE) >= queue->options.size) {
    if (og_queue_stopped(queue))
      return false;
    nanosleep(&pause, NULL);
  }
  union og_packet *slot = slot_of(queue, index);
  memcpy((char *)slot + sizeof slot->first, (const char *)packet + sizeof packet->first,
         sizeof *packet - sizeof packet->first);
  __atomic_store_n(&slot->first, packet->first, __ATOMIC_RELEASE);
  og_queue_ring(queue, (int64_t)index);
  return !og_queue_stopped(queue);
}

/* Whether at one moment there was no packet to process, while the processor's progress was the given value. */
static enum og_queue_state idle_state(const struct og_queue *queue, int64_t progress) {
  if (progress % 2 != 0 || cancelled(queue))
    return OG_QUEUE_BUSY;
  uint32_t first;
  bool ready = is_ready(queue, __atomic_load_n(&queue->read_index, __ATOMIC_ACQUIRE), &first);
  uint64_t ahead = packets_ahead(queue);
  if (ready || !is_index(queue, ahead) || og_signal_load(&queue->progress) != progress)
    return OG_QUEUE_BUSY;
  return ahead != 0 ? OG_QUEUE_WANTING : OG_QUEUE_IDLE;
}

static enum og_queue_state watch(struct og_queue *queue, uint64_t nanoseconds) {
  uint64_t start = og_clock();
  for (;;) {
    int64_t seen = og_signal_load(&queue->progress);
    if (og_queue_stopped(queue))
      return OG_QUEUE_STOPPED;
    enum og_queue_state state = idle_state(queue, seen);
    if (state != OG_QUEUE_BUSY)
      return state;
    uint64_t passed = og_clock() - start;
    if (passed >= nanoseconds)
      return OG_QUEUE_BUSY;
    og_signal_wait(&queue->progress, OG_CONDITION_NE, seen, nanoseconds - passed);
  }
}

enum og_queue_state og_queue_wait(struct og_queue *queue, uint64_t nanoseconds) {
  __atomic_fetch_add(&queue->watchers, 1, __ATOMIC_SEQ_CST);
  enum og_queue_state state = watch(queue, nanoseconds);
  __atomic_fetch_sub(&queue->watchers, 1, __ATOMIC_SEQ_CST);
  return state;
}
