/* Operations on signals and on queues' indices in every memory order: each does what its name says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "packets.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int open_runtime(void **state) {
  (void)state;
  WORKS(hsa_init());
  find_gpus(gpus);
  return 0;
}

static int close_runtime(void **state) {
  (void)state;
  WORKS(hsa_shut_down());
  return 0;
}

/* 12 with 3 becomes the value. */
static const struct {
  void (*call)(hsa_signal_t signal, hsa_signal_value_t value);
  int64_t value;
} changes[] = {
    {hsa_signal_add_acq_rel, 15},       {hsa_signal_add_acquire, 15},         {hsa_signal_add_relaxed, 15},
    {hsa_signal_add_release, 15},       {hsa_signal_add_scacq_screl, 15},     {hsa_signal_add_scacquire, 15},
    {hsa_signal_add_screlease, 15},     {hsa_signal_and_acq_rel, 0},          {hsa_signal_and_acquire, 0},
    {hsa_signal_and_relaxed, 0},        {hsa_signal_and_release, 0},          {hsa_signal_and_scacq_screl, 0},
    {hsa_signal_and_scacquire, 0},      {hsa_signal_and_screlease, 0},        {hsa_signal_or_acq_rel, 15},
    {hsa_signal_or_acquire, 15},        {hsa_signal_or_relaxed, 15},          {hsa_signal_or_release, 15},
    {hsa_signal_or_scacq_screl, 15},    {hsa_signal_or_scacquire, 15},        {hsa_signal_or_screlease, 15},
    {hsa_signal_subtract_acq_rel, 9},   {hsa_signal_subtract_acquire, 9},     {hsa_signal_subtract_relaxed, 9},
    {hsa_signal_subtract_release, 9},   {hsa_signal_subtract_scacq_screl, 9}, {hsa_signal_subtract_scacquire, 9},
    {hsa_signal_subtract_screlease, 9}, {hsa_signal_xor_acq_rel, 15},         {hsa_signal_xor_acquire, 15},
    {hsa_signal_xor_relaxed, 15},       {hsa_signal_xor_release, 15},         {hsa_signal_xor_scacq_screl, 15},
    {hsa_signal_xor_scacquire, 15},     {hsa_signal_xor_screlease, 15}};
static void (*const stores[])(hsa_signal_t signal, hsa_signal_value_t value) = {
    hsa_signal_silent_store_relaxed, hsa_signal_silent_store_screlease, hsa_signal_store_relaxed,
    hsa_signal_store_release, hsa_signal_store_screlease};
static hsa_signal_value_t (*const loads[])(hsa_signal_t signal) = {hsa_signal_load_acquire, hsa_signal_load_relaxed,
                                                                   hsa_signal_load_scacquire};
static hsa_signal_value_t (*const exchanges[])(hsa_signal_t signal, hsa_signal_value_t value) = {
    hsa_signal_exchange_acq_rel,  hsa_signal_exchange_acquire,     hsa_signal_exchange_relaxed,
    hsa_signal_exchange_release,  hsa_signal_exchange_scacq_screl, hsa_signal_exchange_scacquire,
    hsa_signal_exchange_screlease};
static hsa_signal_value_t (*const compares[])(hsa_signal_t signal, hsa_signal_value_t expected,
                                              hsa_signal_value_t value) = {
    hsa_signal_cas_acq_rel,     hsa_signal_cas_acquire,   hsa_signal_cas_relaxed,  hsa_signal_cas_release,
    hsa_signal_cas_scacq_screl, hsa_signal_cas_scacquire, hsa_signal_cas_screlease};
static hsa_signal_value_t (*const waits[])(hsa_signal_t signal, hsa_signal_condition_t condition,
                                           hsa_signal_value_t compare, uint64_t timeout, hsa_wait_state_t state) = {
    hsa_signal_wait_acquire, hsa_signal_wait_relaxed, hsa_signal_wait_scacquire};

static void signals_change_in_every_order(void **state) {
  (void)state;
  hsa_signal_t signal = new_signal(0);
  for (size_t i = 0; i < COUNT(stores); i++) {
    stores[i](signal, (int64_t)i - 3);
    for (size_t k = 0; k < COUNT(loads); k++)
      assert_int_equal(loads[k](signal), (int64_t)i - 3);
  }
  for (size_t i = 0; i < COUNT(changes); i++) {
    hsa_signal_store_relaxed(signal, 12);
    changes[i].call(signal, 3);
    assert_int_equal(hsa_signal_load_relaxed(signal), changes[i].value);
  }
  for (size_t i = 0; i < COUNT(exchanges); i++) {
    hsa_signal_store_relaxed(signal, 12);
    assert_int_equal(exchanges[i](signal, INT64_MIN), 12);
    assert_int_equal(hsa_signal_load_relaxed(signal), INT64_MIN);
  }
  for (size_t i = 0; i < COUNT(compares); i++) {
    hsa_signal_store_relaxed(signal, 12);
    assert_int_equal(compares[i](signal, 11, 5), 12);
    assert_int_equal(compares[i](signal, 12, 5), 12);
    assert_int_equal(compares[i](signal, 12, 6), 5);
    assert_int_equal(hsa_signal_load_relaxed(signal), 5);
  }
  WORKS(hsa_signal_destroy(signal));
}

static void waits_end_by_value_or_time(void **state) {
  (void)state;
  hsa_signal_t signal = new_signal(5);
  static const struct {
    hsa_signal_condition_t condition;
    int64_t holds, fails;
  } conditions[] = {{HSA_SIGNAL_CONDITION_EQ, 5, 6},
                    {HSA_SIGNAL_CONDITION_NE, 6, 5},
                    {HSA_SIGNAL_CONDITION_LT, 6, 5},
                    {HSA_SIGNAL_CONDITION_GTE, 5, 6}};
  for (size_t i = 0; i < COUNT(waits); i++)
    for (size_t k = 0; k < COUNT(conditions); k++) {
      hsa_signal_condition_t condition = conditions[k].condition;
      assert_int_equal(waits[i](signal, condition, conditions[k].holds, UINT64_MAX, HSA_WAIT_STATE_BLOCKED), 5);
      assert_int_equal(waits[i](signal, condition, conditions[k].fails, 1000, HSA_WAIT_STATE_ACTIVE), 5);
    }
  WORKS(hsa_signal_destroy(signal));
}

static uint64_t (*const adds[])(const hsa_queue_t *queue, uint64_t value) = {
    hsa_queue_add_write_index_acq_rel,  hsa_queue_add_write_index_acquire,     hsa_queue_add_write_index_relaxed,
    hsa_queue_add_write_index_release,  hsa_queue_add_write_index_scacq_screl, hsa_queue_add_write_index_scacquire,
    hsa_queue_add_write_index_screlease};
static uint64_t (*const swaps[])(const hsa_queue_t *queue, uint64_t expected, uint64_t value) = {
    hsa_queue_cas_write_index_acq_rel,  hsa_queue_cas_write_index_acquire,     hsa_queue_cas_write_index_relaxed,
    hsa_queue_cas_write_index_release,  hsa_queue_cas_write_index_scacq_screl, hsa_queue_cas_write_index_scacquire,
    hsa_queue_cas_write_index_screlease};
static uint64_t (*const read_loads[])(const hsa_queue_t *queue) = {
    hsa_queue_load_read_index_acquire, hsa_queue_load_read_index_relaxed, hsa_queue_load_read_index_scacquire};
static uint64_t (*const write_loads[])(const hsa_queue_t *queue) = {
    hsa_queue_load_write_index_acquire, hsa_queue_load_write_index_relaxed, hsa_queue_load_write_index_scacquire};
static void (*const read_stores[])(const hsa_queue_t *queue, uint64_t value) = {
    hsa_queue_store_read_index_relaxed, hsa_queue_store_read_index_release, hsa_queue_store_read_index_screlease};
static void (*const write_stores[])(const hsa_queue_t *queue, uint64_t value) = {
    hsa_queue_store_write_index_relaxed, hsa_queue_store_write_index_release, hsa_queue_store_write_index_screlease};

/* Of a queue that the program serves itself: nobody else looks at its indices. */
static void indices_change_in_every_order(void **state) {
  (void)state;
  hsa_queue_t *queue;
  hsa_signal_t doorbell = new_signal(0);
  WORKS(hsa_agent_iterate_regions(gpus[0], keep_kernarg, &kernarg));
  WORKS(hsa_soft_queue_create(kernarg, 16, HSA_QUEUE_TYPE_MULTI, HSA_QUEUE_FEATURE_AGENT_DISPATCH, doorbell, &queue));
  for (size_t i = 0; i < COUNT(write_stores); i++) {
    write_stores[i](queue, 10 + i);
    for (size_t k = 0; k < COUNT(write_loads); k++)
      assert_int_equal(write_loads[k](queue), 10 + i);
  }
  for (size_t i = 0; i < COUNT(read_stores); i++) {
    read_stores[i](queue, 5 + i);
    for (size_t k = 0; k < COUNT(read_loads); k++)
      assert_int_equal(read_loads[k](queue), 5 + i);
  }
  for (size_t i = 0; i < COUNT(adds); i++) {
    hsa_queue_store_write_index_relaxed(queue, 100);
    assert_int_equal(adds[i](queue, 7), 100);
    assert_int_equal(hsa_queue_load_write_index_relaxed(queue), 107);
  }
  for (size_t i = 0; i < COUNT(swaps); i++) {
    hsa_queue_store_write_index_relaxed(queue, 100);
    assert_int_equal(swaps[i](queue, 99, 1), 100);
    assert_int_equal(swaps[i](queue, 100, 1), 100);
    assert_int_equal(hsa_queue_load_write_index_relaxed(queue), 1);
  }
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(doorbell));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(signals_change_in_every_order),
      cmocka_unit_test(waits_end_by_value_or_time),
      cmocka_unit_test(indices_change_in_every_order),
  };
  return cmocka_run_group_tests(tests, open_runtime, close_runtime);
}
