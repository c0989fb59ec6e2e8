/* queue.c - the ring and its packet processor. Packets are processed in order, each to its end, so the barrier bit
   asks for nothing more; the fences of a header are the host's. */
#include "runtime/queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { POLL = 1000000 /* nanoseconds between looks at the cancellation */ };

struct og_queue {
  struct og_queue_record *record;
  union og_packet *ring;
  struct og_signal doorbell;
  struct og_queue_options options;
  size_t mapped;
  pthread_t thread;
  int cancelled; /* read by the dispatcher while it runs */
  bool stopped;
};

static bool cancelled(const struct og_queue *queue) {
  return __atomic_load_n(&queue->cancelled, __ATOMIC_ACQUIRE);
}

bool og_queue_stopped(const struct og_queue *queue) {
  return __atomic_load_n(&queue->stopped, __ATOMIC_ACQUIRE);
}

struct og_queue_record *og_queue_record(struct og_queue *queue) {
  return queue->record;
}

void *og_queue_memory(struct og_queue *queue, size_t *size) {
  *size = queue->mapped;
  return queue->record;
}

/* Whether the packet's dependencies let it go: all zero for AND, one zero for OR (none named: both go). */
static bool dependencies_hold(const struct og_barrier_packet *packet, bool all) {
  bool named = false, zero = false, other = false;
  for (size_t i = 0; i < OG_COUNT(packet->dependencies); i++) {
    const struct og_signal *signal = (const void *)(uintptr_t)packet->dependencies[i];
    if (!signal)
      continue;
    named = true;
    if (og_signal_load(signal) == 0)
      zero = true;
    else
      other = true;
  }
  return !named || (all ? !other : zero);
}

static void wait_for_dependencies(struct og_queue *queue, const struct og_barrier_packet *packet, bool all) {
  struct timespec pause = {0, 20000};
  while (!dependencies_hold(packet, all) && !cancelled(queue))
    nanosleep(&pause, NULL);
}

/* Does what the packet asks for; false when the queue has to stop. */
static bool process(struct og_queue *queue, const union og_packet *packet, uint64_t index) {
  unsigned type = packet->dispatch.header & OG_HEADER_TYPE;
  struct og_signal *completion = (void *)(uintptr_t)packet->dispatch.completion;
  uint64_t start = og_clock();
  bool fine = true;
  switch (type) {
  case OG_PACKET_DISPATCH:
    fine = queue->options.dispatcher(queue->options.context, queue, &packet->dispatch, index, &queue->cancelled);
    break;
  case OG_PACKET_BARRIER_AND:
  case OG_PACKET_BARRIER_OR:
    wait_for_dependencies(queue, &packet->barrier, type == OG_PACKET_BARRIER_AND);
    break;
  default: /* agent dispatch and vendor packets: nothing to do on this agent */
    break;
  }
  if (fine && !cancelled(queue) && completion) {
    completion->start = start;
    completion->end = og_clock();
    og_signal_add(completion, -1);
  }
  return fine && !cancelled(queue);
}

static void *processor(void *argument) {
  struct og_queue *queue = argument;
  struct og_queue_record *record = queue->record;
  int64_t rung = -1;
  while (!cancelled(queue)) {
    uint64_t index = record->read_index;
    union og_packet *slot = &queue->ring[index & (record->size - 1)];
    uint32_t first = __atomic_load_n(&slot->first, __ATOMIC_ACQUIRE);
    if ((first & OG_HEADER_TYPE) == OG_PACKET_INVALID ||
        index >= __atomic_load_n(&record->write_index, __ATOMIC_ACQUIRE)) {
      rung = og_signal_wait(&queue->doorbell, OG_CONDITION_NE, rung, POLL);
      continue;
    }
    if (!process(queue, slot, index))
      break;
    __atomic_store_n(&slot->first, OG_PACKET_INVALID, __ATOMIC_RELEASE);
    __atomic_store_n(&record->read_index, index + 1, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&queue->stopped, true, __ATOMIC_RELEASE);
  return NULL;
}

static struct og_queue *allocate(const struct og_queue_options *options) {
  if (options->size == 0 || (options->size & (options->size - 1)) != 0)
    return NULL;
  struct og_queue *queue = aligned_alloc(64, og_align_up(sizeof *queue, 64));
  if (!queue)
    return NULL;
  *queue = (struct og_queue){.options = *options};
  queue->mapped = sizeof *queue->record + options->size * sizeof *queue->ring;
  void *memory = mmap(NULL, queue->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    free(queue);
    return NULL;
  }
  queue->record = memory;
  queue->ring = (void *)((char *)memory + sizeof *queue->record);
  return queue;
}

struct og_queue *og_queue_new(const struct og_queue_options *options) {
  struct og_queue *queue = allocate(options);
  if (!queue)
    return NULL;
  og_signal_init(&queue->doorbell, -1);
  *queue->record = (struct og_queue_record){
      .features = 1, /* kernel dispatch */
      .base = (uintptr_t)queue->ring,
      .doorbell = (uintptr_t)&queue->doorbell,
      .size = options->size,
      .id = options->id,
      .group_aperture_hi = (uint32_t)(options->group_aperture >> 32),
      .private_aperture_hi = (uint32_t)(options->private_aperture >> 32),
      .read_index_offset = offsetof(struct og_queue_record, read_index),
  };
  for (uint32_t i = 0; i < options->size; i++)
    queue->ring[i].first = OG_PACKET_INVALID;
  if (pthread_create(&queue->thread, NULL, processor, queue) != 0) {
    munmap(queue->record, queue->mapped);
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
  og_signal_store(&queue->doorbell, INT64_MIN); /* so that the processor looks */
  pthread_join(queue->thread, NULL);
  munmap(queue->record, queue->mapped);
  free(queue);
}

bool og_queue_submit(struct og_queue *queue, const union og_packet *packet) {
  struct og_queue_record *record = queue->record;
  uint64_t index = __atomic_fetch_add(&record->write_index, 1, __ATOMIC_ACQ_REL);
  struct timespec pause = {0, 20000};
  while (index - __atomic_load_n(&record->read_index, __ATOMIC_ACQUIRE) >= record->size) {
    if (og_queue_stopped(queue))
      return false;
    nanosleep(&pause, NULL);
  }
  union og_packet *slot = &queue->ring[index & (record->size - 1)];
  memcpy((char *)slot + sizeof slot->first, (const char *)packet + sizeof packet->first,
         sizeof *packet - sizeof packet->first);
  __atomic_store_n(&slot->first, packet->first, __ATOMIC_RELEASE);
  og_signal_store(&queue->doorbell, (int64_t)index);
  return !og_queue_stopped(queue);
}
