/* test_queue.c - signals, the AQL ring, barrier packets, cancellation, and what kernels may write into the memory that
 * they share with the packet processor; with dispatchers that stand for kernels. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "runtime/queue.h"

enum { FOREVER = 60 };
#define SECONDS(n) ((uint64_t)(n) * 1000000000u)

struct log {
  uint64_t dispatched, order_errors;
  bool fail;
};

static bool count_dispatch(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet,
                           const uint8_t cluster[3], uint64_t slot, uint64_t index, const int *cancel) {
  (void)cluster;
  struct log *log = context;
  (void)queue, (void)slot, (void)cancel;
  log->order_errors += packet->kernel_object != index;
  log->dispatched++;
  return !log->fail;
}

static bool spin_until_cancelled(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet,
                                 const uint8_t cluster[3], uint64_t slot, uint64_t index, const int *cancel) {
  (void)cluster;
  (void)context, (void)queue, (void)packet, (void)slot, (void)index;
  while (!__atomic_load_n(cancel, __ATOMIC_ACQUIRE))
    continue;
  return false;
}

/* The one piece of memory that the host has to itself. */
static struct og_signal private;

static bool reaches_all_but_private(void *context, uint64_t address, uint64_t size, bool write) {
  (void)context, (void)write;
  return address + size <= (uintptr_t)&private || address >= (uintptr_t)(&private + 1);
}

static struct og_queue *new_queue(uint32_t size, og_dispatcher *dispatcher, struct log *log) {
  struct og_queue *queue = og_queue_new(&(struct og_queue_options){
      .size = size, .dispatcher = dispatcher, .reaches = reaches_all_but_private, .context = log});
  assert_non_null(queue);
  return queue;
}

static union og_packet dispatch_packet(uint64_t object, struct og_signal *completion) {
  return (union og_packet){.dispatch = {.header = OG_PACKET_DISPATCH, .setup = 1, .kernel_object = object,
                                        .completion = (uintptr_t)completion}};
}

static void packets_are_processed_in_order_and_the_ring_is_reused(void **state) {
  (void)state;
  struct log log = {0};
  struct og_queue *queue = new_queue(8, count_dispatch, &log);
  struct og_signal done;
  og_signal_init(&done, 1000);
  for (uint64_t i = 0; i < 1000; i++) {
    union og_packet packet = dispatch_packet(i, &done);
    assert_true(og_queue_submit(queue, &packet));
  }
  assert_int_equal(og_signal_wait(&done, OG_CONDITION_EQ, 0, SECONDS(FOREVER)), 0);
  assert_int_equal(log.dispatched, 1000);
  assert_int_equal(log.order_errors, 0);
  assert_int_equal(og_queue_record(queue)->write_index, 1000);
  assert_true(done.end >= done.start);
  og_queue_free(queue);
}

/* Kernels ring by a store through the pointer in the doorbell; up to gfx8 the host keeps the highest index as well. */
static void doorbells_of_hardware_ring_through_their_pointer(void **state) {
  (void)state;
  const enum og_doorbell kinds[] = {OG_DOORBELL_HARDWARE, OG_DOORBELL_LEGACY};
  for (size_t i = 0; i < OG_COUNT(kinds); i++) {
    struct log log = {0};
    struct og_queue *queue = og_queue_new(&(struct og_queue_options){.size = 8,
                                                                     .dispatcher = count_dispatch,
                                                                     .reaches = reaches_all_but_private,
                                                                     .context = &log,
                                                                     .doorbell = kinds[i]});
    struct og_queue_record *record = og_queue_record(queue);
    struct og_signal *doorbell = (struct og_signal *)(uintptr_t)record->doorbell, done;
    assert_int_equal(doorbell->kind, kinds[i]);
    assert_int_equal(doorbell->queue, (uintptr_t)record);
    og_signal_init(&done, 2);
    union og_packet packet = dispatch_packet(0, &done), *ring = (union og_packet *)(uintptr_t)record->base;
    assert_true(og_queue_submit(queue, &packet));
    assert_int_equal(record->max_legacy_doorbell, kinds[i] == OG_DOORBELL_LEGACY);
    packet.dispatch.kernel_object = 1;
    memcpy((char *)&ring[1] + 4, (char *)&packet + 4, sizeof packet - 4);
    __atomic_store_n(&ring[1].first, packet.first, __ATOMIC_RELEASE);
    __atomic_store_n(&record->write_index, 2, __ATOMIC_RELEASE);
    __atomic_store_n((uint64_t *)(uintptr_t)doorbell->value, 1, __ATOMIC_RELEASE);
    assert_int_equal(og_signal_wait(&done, OG_CONDITION_EQ, 0, SECONDS(FOREVER)), 0);
    assert_int_equal(log.order_errors, 0);
    og_queue_free(queue);
  }
}

/* A barrier on two signals is done once the second is 0, and not before, whatever the first is. */
static void barrier_waits_for_second(uint16_t header, int64_t first_value) {
  struct log log = {0};
  struct og_queue *queue = new_queue(8, count_dispatch, &log);
  struct og_signal first, second, done;
  og_signal_init(&first, 1);
  og_signal_init(&second, 1);
  og_signal_init(&done, 1);
  union og_packet barrier = {.barrier = {.header = header, .completion = (uintptr_t)&done,
                                         .dependencies = {(uintptr_t)&first, 0, (uintptr_t)&second}}};
  assert_true(og_queue_submit(queue, &barrier));
  og_signal_store(&first, first_value);
  assert_int_equal(og_signal_wait(&done, OG_CONDITION_EQ, 0, SECONDS(1) / 50), 1);
  og_signal_store(&second, 0);
  assert_int_equal(og_signal_wait(&done, OG_CONDITION_EQ, 0, SECONDS(FOREVER)), 0);
  og_queue_free(queue);
}

static void barrier_and_waits_for_all_signals(void **state) {
  (void)state;
  barrier_waits_for_second(OG_PACKET_BARRIER_AND, 0);
}

static void barrier_or_waits_for_one_signal(void **state) {
  (void)state;
  barrier_waits_for_second(OG_PACKET_BARRIER_OR, 1);
}

static void wait_until_stopped(const struct og_queue *queue) {
  while (!og_queue_stopped(queue))
    nanosleep(&(struct timespec){0, 100000}, NULL);
}

static void failed_dispatch_stops_the_queue_and_completes_nothing(void **state) {
  (void)state;
  struct log log = {.fail = true};
  struct og_queue *queue = new_queue(8, count_dispatch, &log);
  struct og_signal done;
  og_signal_init(&done, 1);
  union og_packet packet = dispatch_packet(0, &done);
  og_queue_submit(queue, &packet);
  wait_until_stopped(queue);
  assert_int_equal(og_signal_load(&done), 1);
  assert_false(og_queue_submit(queue, &packet));
  og_queue_free(queue);
}

static void cancelling_ends_a_running_dispatch(void **state) {
  (void)state;
  struct og_queue *queue = new_queue(8, spin_until_cancelled, NULL);
  struct og_signal done;
  og_signal_init(&done, 1);
  union og_packet packet = dispatch_packet(0, &done);
  og_queue_submit(queue, &packet);
  og_queue_cancel(queue);
  wait_until_stopped(queue);
  og_queue_free(queue);
}

static void queue_of_a_size_that_is_no_power_of_two_is_refused(void **state) {
  (void)state;
  assert_null(og_queue_new(&(struct og_queue_options){.size = 12, .dispatcher = count_dispatch}));
  assert_null(og_queue_new(&(struct og_queue_options){.size = 0, .dispatcher = count_dispatch}));
}

static void *produce(void *argument) {
  struct og_queue *queue = ((void **)argument)[0];
  struct og_signal *done = ((void **)argument)[1];
  for (int i = 0; i < 500; i++) {
    union og_packet packet = dispatch_packet(0, done);
    og_queue_submit(queue, &packet);
  }
  return NULL;
}

static void several_producers_share_a_queue(void **state) {
  (void)state;
  struct log log = {0};
  struct og_queue *queue = new_queue(16, count_dispatch, &log);
  struct og_signal done;
  og_signal_init(&done, 1500);
  void *shared[2] = {queue, &done};
  pthread_t producers[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&producers[i], NULL, produce, shared);
  for (int i = 0; i < 3; i++)
    pthread_join(producers[i], NULL);
  assert_int_equal(og_signal_wait(&done, OG_CONDITION_EQ, 0, SECONDS(FOREVER)), 0);
  assert_int_equal(log.dispatched, 1500);
  og_queue_free(queue);
}

static void signal_operations_yield_the_value_before(void **state) {
  (void)state;
  struct og_signal signal;
  og_signal_init(&signal, 12);
  assert_int_equal(og_signal_add(&signal, 3), 12);
  assert_int_equal(og_signal_and(&signal, 6), 15);
  assert_int_equal(og_signal_or(&signal, 1), 6);
  assert_int_equal(og_signal_xor(&signal, 2), 7);
  assert_int_equal(og_signal_compare_exchange(&signal, 4, 9), 5);
  assert_int_equal(og_signal_compare_exchange(&signal, 5, 9), 5);
  assert_int_equal(og_signal_exchange(&signal, -1), 9);
  assert_int_equal(og_signal_wait(&signal, OG_CONDITION_LT, 0, 0), -1);
  assert_int_equal(og_signal_wait(&signal, OG_CONDITION_GE, 0, 1000), -1);
}

/* ---- what kernels may write -------------------------------------------------------------------------------------- */

/* Submits the packet and yields what the queue has to say to it; the private signal stays as it is. */
static const char *error_of(const union og_packet *packet) {
  static char error[200];
  struct log log = {0};
  struct og_queue *queue = new_queue(8, count_dispatch, &log);
  og_signal_init(&private, 7);
  const struct og_signal before = private;
  og_queue_submit(queue, packet);
  wait_until_stopped(queue);
  assert_non_null(og_queue_error(queue));
  strcpy(error, og_queue_error(queue));
  assert_memory_equal(&private, &before, sizeof private);
  assert_int_equal(log.dispatched, 0);
  assert_int_equal(og_queue_wait(queue, SECONDS(FOREVER)), OG_QUEUE_STOPPED);
  og_queue_free(queue);
  return error;
}

static void completion_signals_that_kernels_cannot_write_stop_the_queue(void **state) {
  (void)state;
  static const uint16_t types[] = {OG_PACKET_VENDOR, OG_PACKET_DISPATCH, OG_PACKET_BARRIER_AND, OG_PACKET_AGENT,
                                   OG_PACKET_BARRIER_OR};
  struct og_signal fine[2];
  const uint64_t addresses[] = {(uintptr_t)&private, (uintptr_t)&private - 8, (uintptr_t)&private + 56,
                                (uintptr_t)fine + 4, UINT64_MAX, 1};
  for (size_t t = 0; t < OG_COUNT(types); t++)
    for (size_t a = 0; a < OG_COUNT(addresses); a++) {
      union og_packet packet = {.dispatch = {.header = types[t], .completion = addresses[a]}};
      assert_non_null(
          strstr(error_of(&packet), "as its completion signal, which is not memory that kernels may write"));
    }
}

static void dependencies_that_kernels_cannot_read_stop_the_queue(void **state) {
  (void)state;
  struct og_signal fine;
  og_signal_init(&fine, 0);
  for (int type = 0; type < 2; type++)
    for (int i = 0; i < 5; i++) {
      union og_packet packet = {.barrier = {.header = type ? OG_PACKET_BARRIER_OR : OG_PACKET_BARRIER_AND}};
      for (int k = 0; k < 5; k++)
        packet.barrier.dependencies[k] = k == i ? (uintptr_t)&private : (uintptr_t)&fine;
      assert_non_null(strstr(error_of(&packet), "as its dependency signal, which is not memory that kernels may read"));
    }
}

static bool keep_clusters(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet,
                          const uint8_t cluster[3], uint64_t slot, uint64_t index, const int *cancel) {
  (void)queue, (void)slot, (void)index, (void)cancel;
  struct log *log = context;
  static const uint32_t grid[3] = {5 * 4 * 32, 3 * 2, 2};
  static const uint16_t group[3] = {32, 2, 1};
  log->dispatched += cluster && memcmp(cluster, (const uint8_t[]){4, 1, 2}, 3) == 0 && packet->setup == 3 &&
                     memcmp(packet->grid, grid, sizeof grid) == 0 && memcmp(packet->group, group, sizeof group) == 0 &&
                     packet->group_bytes == 7 && packet->private_bytes == 8 && packet->kernel_object == 9 &&
                     packet->kernarg == 10;
  return true;
}

static void packet_of_clusters_waits_for_its_dependency_and_is_a_dispatch(void **state) {
  (void)state;
  struct log log = {0};
  struct og_queue *queue = new_queue(8, keep_clusters, &log);
  struct og_signal dependency, done;
  og_signal_init(&dependency, 1);
  og_signal_init(&done, 1);
  union og_packet packet = {.clusters = {
      .header = OG_PACKET_VENDOR, .format = OG_VENDOR_DISPATCH, .setup = 3, .group = {32, 2, 1}, .clusters_x = 5,
      .clusters_y = 3, .clusters_z = 1, .cluster = {4, 1, 2}, .private_bytes = 8, .group_bytes = 7, .kernel_object = 9,
      .kernarg = 10, .dependency = (uintptr_t)&dependency, .completion = (uintptr_t)&done}};
  assert_true(og_queue_submit(queue, &packet));
  assert_int_equal(og_queue_wait(queue, SECONDS(1) / 50), OG_QUEUE_BUSY);
  og_signal_add(&dependency, -1);
  assert_int_equal(og_signal_wait(&done, OG_CONDITION_EQ, 0, SECONDS(FOREVER)), 0);
  og_queue_free(queue);
  assert_int_equal(log.dispatched, 1);
  packet.clusters.clusters_x = UINT32_MAX;
  packet.clusters.completion = packet.clusters.dependency = 0;
  assert_non_null(strstr(error_of(&packet), "a grid of more than 2^32 - 1 work-items in dimension x"));
}

static void packets_of_types_that_do_not_exist_stop_the_queue(void **state) {
  (void)state;
  for (unsigned type = OG_PACKET_BARRIER_OR + 1; type < 256; type += 31) {
    union og_packet packet = {.dispatch = {.header = (uint16_t)type}};
    assert_non_null(strstr(error_of(&packet), "which does not exist"));
  }
}

/* A kernel that rewrites the packet it was started by, as soon as it runs. */
static bool rewrite_own_packet(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet,
                               const uint8_t cluster[3], uint64_t slot, uint64_t index, const int *cancel) {
  (void)cluster;
  (void)context, (void)queue, (void)index, (void)cancel;
  struct og_dispatch_packet *own = (void *)(uintptr_t)slot;
  assert_int_equal(own->completion, packet->completion);
  memset(own, 0xff, sizeof *own);
  own->completion = (uintptr_t)&private;
  return packet->completion != own->completion;
}

static void packet_is_read_once(void **state) {
  (void)state;
  struct og_queue *queue = new_queue(8, rewrite_own_packet, NULL);
  struct og_signal done;
  og_signal_init(&done, 1);
  og_signal_init(&private, 7);
  union og_packet packet = dispatch_packet(0, &done);
  og_queue_submit(queue, &packet);
  assert_int_equal(og_queue_wait(queue, SECONDS(FOREVER)), OG_QUEUE_IDLE);
  assert_int_equal(og_signal_load(&done), 0);
  assert_int_equal(og_signal_load(&private), 7);
  og_queue_free(queue);
}

/* A kernel that overwrites all of the queue's record but for the write index. */
static bool rewrite_record(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet,
                           const uint8_t cluster[3], uint64_t slot, uint64_t index, const int *cancel) {
  (void)cluster;
  (void)packet, (void)slot, (void)index, (void)cancel;
  uint64_t *words = (uint64_t *)(void *)og_queue_record(queue);
  uint64_t value = ++((struct log *)context)->dispatched * 0x0101010101010101u;
  for (size_t i = 0; i < sizeof(struct og_queue_record) / sizeof *words; i++)
    if (i != offsetof(struct og_queue_record, write_index) / sizeof *words)
      __atomic_store_n(&words[i], value, __ATOMIC_RELAXED);
  return true;
}

static void record_that_kernels_write_is_not_trusted(void **state) {
  (void)state;
  struct log log = {.dispatched = 0x40};
  struct og_queue *queue = new_queue(8, rewrite_record, &log);
  for (uint64_t i = 0; i < 100; i++) {
    union og_packet packet = dispatch_packet(i, NULL);
    assert_true(og_queue_submit(queue, &packet));
    assert_int_equal(og_queue_wait(queue, SECONDS(FOREVER)), OG_QUEUE_IDLE);
  }
  assert_int_equal(log.dispatched, 0x40 + 100);
  og_queue_free(queue);
}

static void indices_that_cannot_be_stop_the_queue(void **state) {
  (void)state;
  static const uint64_t indices[] = {0, 1ull << 20, 1ull << 32, 1ull << 63, UINT64_MAX};
  for (size_t i = 0; i < OG_COUNT(indices); i++) {
    struct log log = {0};
    struct og_queue *queue = new_queue(8, count_dispatch, &log);
    union og_packet packet = dispatch_packet(0, NULL);
    og_queue_submit(queue, &packet);
    og_queue_wait(queue, SECONDS(FOREVER));
    __atomic_store_n(&og_queue_record(queue)->write_index, indices[i], __ATOMIC_RELEASE);
    wait_until_stopped(queue);
    assert_non_null(strstr(og_queue_error(queue), indices[i] - 1 > INT64_MAX ? "is below its read index 1"
                                                                            : "is far beyond its read index 1"));
    og_queue_free(queue);
  }
}

static void slot_taken_and_never_written_is_told_apart(void **state) {
  (void)state;
  struct log log = {0};
  struct og_queue *queue = new_queue(8, count_dispatch, &log);
  assert_int_equal(og_queue_wait(queue, SECONDS(FOREVER)), OG_QUEUE_IDLE);
  __atomic_fetch_add(&og_queue_record(queue)->write_index, 1, __ATOMIC_ACQ_REL);
  assert_int_equal(og_queue_wait(queue, SECONDS(FOREVER)), OG_QUEUE_WANTING);
  og_queue_free(queue);
}

/* A kernel that enqueues itself again, `left` times, as user-mode queues allow: no call of the host's is needed. */
static bool enqueue_again(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet,
                          const uint8_t cluster[3], uint64_t slot, uint64_t index, const int *cancel) {
  (void)cluster;
  (void)slot, (void)cancel;
  struct log *log = context;
  struct og_queue_record *record = og_queue_record(queue);
  if (++log->dispatched == 1000 && !log->fail)
    return true;
  union og_packet *next = (union og_packet *)(uintptr_t)record->base + (index + 1) % record->size;
  const union og_packet *own = (const void *)packet;
  for (size_t i = OG_COUNT(own->words); i-- > 0;) /* the header last */
    __atomic_store_n(&next->words[i], own->words[i], __ATOMIC_RELEASE);
  __atomic_store_n(&record->write_index, index + 2, __ATOMIC_RELEASE);
  return true;
}

static void waiting_includes_what_kernels_enqueue(void **state) {
  (void)state;
  struct log log = {0};
  struct og_queue *queue = new_queue(8, enqueue_again, &log);
  union og_packet packet = dispatch_packet(0, NULL);
  og_queue_submit(queue, &packet);
  assert_int_equal(og_queue_wait(queue, SECONDS(FOREVER)), OG_QUEUE_IDLE);
  assert_int_equal(log.dispatched, 1000);
  og_queue_free(queue);
}

static void queue_that_feeds_itself_ends_when_cancelled(void **state) {
  (void)state;
  struct log log = {.fail = true};
  struct og_queue *queue = new_queue(8, enqueue_again, &log);
  union og_packet packet = dispatch_packet(0, NULL);
  og_queue_submit(queue, &packet);
  assert_int_equal(og_queue_wait(queue, SECONDS(1) / 100), OG_QUEUE_BUSY);
  og_queue_cancel(queue);
  assert_int_equal(og_queue_wait(queue, SECONDS(FOREVER)), OG_QUEUE_STOPPED);
  og_queue_free(queue);
}

/* The owner re-initialises a signal as soon as it is 0: the packet processor must not look at it any more. */
static void completed_signal_is_its_owners_again(void **state) {
  (void)state;
  struct log log = {0};
  struct og_queue *queue = new_queue(8, count_dispatch, &log);
  struct og_signal done;
  for (uint64_t i = 0; i < 2000; i++) {
    memset(&done, 0xee, sizeof done);
    og_signal_init(&done, 1);
    union og_packet packet = dispatch_packet(i, &done);
    assert_true(og_queue_submit(queue, &packet));
    assert_int_equal(og_signal_wait(&done, OG_CONDITION_EQ, 0, SECONDS(FOREVER)), 0);
  }
  og_queue_free(queue);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets_are_processed_in_order_and_the_ring_is_reused),
      cmocka_unit_test(doorbells_of_hardware_ring_through_their_pointer),
      cmocka_unit_test(barrier_and_waits_for_all_signals),
      cmocka_unit_test(barrier_or_waits_for_one_signal),
      cmocka_unit_test(failed_dispatch_stops_the_queue_and_completes_nothing),
      cmocka_unit_test(cancelling_ends_a_running_dispatch),
      cmocka_unit_test(queue_of_a_size_that_is_no_power_of_two_is_refused),
      cmocka_unit_test(several_producers_share_a_queue),
      cmocka_unit_test(signal_operations_yield_the_value_before),
      cmocka_unit_test(completion_signals_that_kernels_cannot_write_stop_the_queue),
      cmocka_unit_test(dependencies_that_kernels_cannot_read_stop_the_queue),
      cmocka_unit_test(packets_of_types_that_do_not_exist_stop_the_queue),
      cmocka_unit_test(packet_is_read_once),
      cmocka_unit_test(record_that_kernels_write_is_not_trusted),
      cmocka_unit_test(packet_of_clusters_waits_for_its_dependency_and_is_a_dispatch),
      cmocka_unit_test(indices_that_cannot_be_stop_the_queue),
      cmocka_unit_test(slot_taken_and_never_written_is_told_apart),
      cmocka_unit_test(waiting_includes_what_kernels_enqueue),
      cmocka_unit_test(queue_that_feeds_itself_ends_when_cancelled),
      cmocka_unit_test(completed_signal_is_its_owners_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
