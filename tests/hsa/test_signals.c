/* Signals: values, waits of one and of several, groups, handlers on a thread of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>
#include <time.h>

#define OK(call) assert_int_equal(call, HSA_STATUS_SUCCESS)

static int open_library(void **state) {
  (void)state;
  return hsa_init() != HSA_STATUS_SUCCESS;
}

static int close_library(void **state) {
  (void)state;
  return hsa_shut_down() != HSA_STATUS_SUCCESS;
}

static hsa_signal_t new_signal(hsa_signal_value_t value) {
  hsa_signal_t signal = {0};
  OK(hsa_signal_create(value, 0, NULL, &signal));
  assert_int_not_equal(signal.handle, 0);
  return signal;
}

static void a_signal_is_an_amd_signal(void **state) {
  (void)state;
  hsa_signal_t signal = new_signal(7);
  amd_signal_t *object = (amd_signal_t *)signal.handle;
  assert_int_equal(signal.handle % 64, 0);
  assert_int_equal(object->kind, AMD_SIGNAL_KIND_USER);
  assert_int_equal(object->value, 7);
  assert_int_not_equal(object->event_mailbox_ptr, 0);
  assert_int_not_equal(object->event_id, 0);
  volatile hsa_signal_value_t *value = NULL;
  OK(hsa_amd_signal_value_pointer(signal, &value));
  assert_ptr_equal((void *)value, (void *)&object->value);
  OK(hsa_signal_destroy(signal));
  assert_int_equal(hsa_signal_destroy(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
  OK(hsa_amd_signal_create(1, 0, NULL, HSA_AMD_SIGNAL_AMD_GPU_ONLY, &signal));
  assert_int_equal(((amd_signal_t *)signal.handle)->event_mailbox_ptr, 0); /* nobody to interrupt */
  OK(hsa_signal_destroy(signal));
  assert_int_equal(hsa_amd_signal_create(1, 0, NULL, 64, &signal), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

/* Each operation in each memory order: from 12, with 10, the value that follows. */
#define EACH_ORDER(name, expected)                                                                        \
  do {                                                                                                    \
    void (*all[])(hsa_signal_t, hsa_signal_value_t) = {                                                   \
        hsa_signal_##name##_relaxed, hsa_signal_##name##_acquire, hsa_signal_##name##_scacquire,          \
        hsa_signal_##name##_release, hsa_signal_##name##_screlease, hsa_signal_##name##_acq_rel,          \
        hsa_signal_##name##_scacq_screl};                                                                 \
    for (int i = 0; i < 7; i++) {                                                                         \
      hsa_signal_silent_store_relaxed(signal, 12);                                                        \
      all[i](signal, 10);                                                                                 \
      assert_int_equal(hsa_signal_load_scacquire(signal), expected);                                      \
    }                                                                                                     \
  } while (0)

static void every_operation_does_what_it_says(void **state) {
  (void)state;
  hsa_signal_t signal = new_signal(0);
  EACH_ORDER(add, 22);
  EACH_ORDER(subtract, 2);
  EACH_ORDER(and, 8);
  EACH_ORDER(or, 14);
  EACH_ORDER(xor, 6);
  hsa_signal_store_screlease(signal, 5);
  assert_int_equal(hsa_signal_exchange_acq_rel(signal, 6), 5);
  assert_int_equal(hsa_signal_cas_scacq_screl(signal, 5, 9), 6);
  assert_int_equal(hsa_signal_load_relaxed(signal), 6);
  assert_int_equal(hsa_signal_cas_relaxed(signal, 6, 9), 6);
  assert_int_equal(hsa_signal_load_acquire(signal), 9);
  OK(hsa_signal_destroy(signal));
}

static void a_wait_ends_when_its_time_is_over(void **state) {
  (void)state;
  hsa_signal_t signal = new_signal(1);
  assert_int_equal(hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, 0, 0, HSA_WAIT_STATE_ACTIVE), 1);
  assert_int_equal(hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, 3000000, HSA_WAIT_STATE_BLOCKED), 1);
  assert_int_equal(hsa_signal_wait_relaxed(signal, HSA_SIGNAL_CONDITION_GTE, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED), 1);
  OK(hsa_signal_destroy(signal));
}

static void *count_down(void *argument) {
  hsa_signal_t *signals = argument;
  for (int i = 0; i < 2000; i++)
    hsa_signal_subtract_screlease(signals[i % 2], 1);
  return NULL;
}

static void waiters_wake_when_others_change_the_value(void **state) {
  (void)state;
  hsa_signal_t signals[2] = {new_signal(1000), new_signal(1000)};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, count_down, signals), 0);
  for (int i = 0; i < 2; i++)
    assert_int_equal(hsa_signal_wait_scacquire(signals[i], HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX,
                                               HSA_WAIT_STATE_BLOCKED), 0);
  pthread_join(thread, NULL);
  for (int i = 0; i < 2; i++)
    OK(hsa_signal_destroy(signals[i]));
}

enum { MANY = 200 };

static void *store_to_last(void *argument) {
  nanosleep(&(struct timespec){0, 5000000}, NULL);
  hsa_signal_store_relaxed(((hsa_signal_t *)argument)[MANY - 1], 3);
  return NULL;
}

static void wait_any_yields_the_first_that_holds(void **state) {
  (void)state;
  hsa_signal_t signals[MANY];
  hsa_signal_condition_t conditions[MANY];
  hsa_signal_value_t values[MANY], value = 0;
  for (int i = 0; i < MANY; i++) {
    signals[i] = new_signal(1);
    conditions[i] = HSA_SIGNAL_CONDITION_GTE;
    values[i] = 2;
  }
  assert_int_equal(hsa_amd_signal_wait_any(MANY, signals, conditions, values, 1000, HSA_WAIT_STATE_BLOCKED, &value),
                   UINT32_MAX);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, store_to_last, signals), 0);
  assert_int_equal(hsa_amd_signal_wait_any(MANY, signals, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED,
                                           &value), MANY - 1);
  assert_int_equal(value, 3);
  pthread_join(thread, NULL);
  hsa_signal_group_t group;
  hsa_signal_t found = {0};
  OK(hsa_signal_group_create(MANY, signals, 0, NULL, &group));
  OK(hsa_signal_group_wait_any_scacquire(group, conditions, values, HSA_WAIT_STATE_BLOCKED, &found, &value));
  assert_int_equal(found.handle, signals[MANY - 1].handle);
  OK(hsa_signal_group_destroy(group));
  for (int i = 0; i < MANY; i++)
    OK(hsa_signal_destroy(signals[i]));
}

struct calls {
  pthread_t thread;
  hsa_signal_t done;
  int left;
};

static bool count_call(hsa_signal_value_t value, void *data) {
  struct calls *calls = data;
  calls->thread = pthread_self();
  assert_true(value >= 5);
  bool again = --calls->left > 0;
  hsa_signal_subtract_screlease(calls->done, 1);
  return again;
}

static void handlers_run_on_another_thread_until_they_say_no(void **state) {
  (void)state;
  hsa_signal_t signal = new_signal(0);
  struct calls calls = {.done = new_signal(3), .left = 3};
  OK(hsa_amd_signal_async_handler(signal, HSA_SIGNAL_CONDITION_GTE, 5, count_call, &calls));
  assert_int_equal(hsa_signal_wait_scacquire(calls.done, HSA_SIGNAL_CONDITION_LT, 3, 1000000, HSA_WAIT_STATE_BLOCKED),
                   3);
  hsa_signal_store_screlease(signal, 6);
  assert_int_equal(hsa_signal_wait_scacquire(calls.done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX,
                                             HSA_WAIT_STATE_BLOCKED), 0);
  assert_false(pthread_equal(calls.thread, pthread_self()));
  OK(hsa_signal_destroy(signal));
  OK(hsa_signal_destroy(calls.done));
}

static void one_less(void *data) {
  hsa_signal_subtract_screlease(*(hsa_signal_t *)data, 1);
}

static void functions_run_asynchronously(void **state) {
  (void)state;
  hsa_signal_t done = new_signal(100);
  for (int i = 0; i < 100; i++)
    OK(hsa_amd_async_function(one_less, &done));
  assert_int_equal(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED), 0);
  OK(hsa_signal_destroy(done));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_signal_is_an_amd_signal),
      cmocka_unit_test(every_operation_does_what_it_says),
      cmocka_unit_test(a_wait_ends_when_its_time_is_over),
      cmocka_unit_test(waiters_wake_when_others_change_the_value),
      cmocka_unit_test(wait_any_yields_the_first_that_holds),
      cmocka_unit_test(handlers_run_on_another_thread_until_they_say_no),
      cmocka_unit_test(functions_run_asynchronously),
  };
  return cmocka_run_group_tests(tests, open_library, close_library);
}
