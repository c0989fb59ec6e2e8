/* test_queue.c - signals, the AQL ring, barrier packets, cancellation; with a dispatcher that only counts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <pthread.h>
#include <time.h>

#include "runtime/queue.h"

enum { FOREVER = 60 };
#define SECONDS(n) ((uint64_t)(n) * 1000000000u)

struct log {
  uint64_t dispatched, order_errors;
  bool fail;
};

static bool count_dispatch(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet,
                           uint64_t index, const int *cancel) {
  struct log *log = context;
  (void)queue, (void)cancel;
  log->order_errors += packet->kernel_object != index;
  log->dispatched++;
  return !log->fail;
}

static bool spin_until_cancelled(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet,
                                 uint64_t index, const int *cancel) {
  (void)context, (void)queue, (void)packet, (void)index;
  while (!__atomic_load_n(cancel, __ATOMIC_ACQUIRE))
    continue;
  return false;
}

static struct og_queue *new_queue(uint32_t size, og_dispatcher *dispatcher, struct log *log) {
  struct og_queue *queue =
      og_queue_new(&(struct og_queue_options){.size = size, .dispatcher = dispatcher, .context = log});
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets_are_processed_in_order_and_the_ring_is_reused),
      cmocka_unit_test(barrier_and_waits_for_all_signals),
      cmocka_unit_test(barrier_or_waits_for_one_signal),
      cmocka_unit_test(failed_dispatch_stops_the_queue_and_completes_nothing),
      cmocka_unit_test(cancelling_ends_a_running_dispatch),
      cmocka_unit_test(queue_of_a_size_that_is_no_power_of_two_is_refused),
      cmocka_unit_test(several_producers_share_a_queue),
      cmocka_unit_test(signal_operations_yield_the_value_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
