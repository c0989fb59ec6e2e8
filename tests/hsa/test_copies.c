/* Copies at once and behind signals, boxes, fills: what is copied, when, and what wrong arguments get. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <hsa/hsa_ext_amd.h>

#include "code.h"

enum { SMALL = 1000, LARGE = 3 << 20, FOREVER = -1 };

static hsa_agent_t gpus[16];

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

static hsa_signal_t new_signal(hsa_signal_value_t value) {
  hsa_signal_t signal;
  WORKS(hsa_signal_create(value, 0, NULL, &signal));
  return signal;
}

static hsa_signal_value_t wait_below(hsa_signal_t signal, hsa_signal_value_t value) {
  return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, value, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
}

static void memory_is_copied_and_filled(void **state) {
  (void)state;
  uint8_t from[SMALL], to[SMALL] = {0};
  uint32_t words[8] = {0};
  for (int i = 0; i < SMALL; i++)
    from[i] = (uint8_t)(i * 7);
  WORKS(hsa_memory_copy(to, from, SMALL));
  assert_memory_equal(to, from, SMALL);
  WORKS(hsa_memory_copy(NULL, NULL, 0));
  assert_int_equal(hsa_memory_copy(NULL, from, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_amd_memory_fill(words + 1, 0xabcd1234, 6));
  assert_int_equal(words[0] | words[7], 0);
  for (int i = 1; i < 7; i++)
    assert_int_equal(words[i], 0xabcd1234);
  assert_int_equal(hsa_amd_memory_fill((uint8_t *)words + 1, 0, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_memory_fill(NULL, 0, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

static void a_copy_counts_its_signal_down_and_says_when(void **state) {
  (void)state;
  static const size_t sizes[] = {1, SMALL, LARGE};
  for (size_t i = 0; i < OG_COUNT(sizes); i++) {
    uint8_t *from = malloc(sizes[i]), *to = calloc(1, sizes[i]);
    memset(from, 0x5a, sizes[i]);
    hsa_signal_t done = new_signal(3);
    WORKS(hsa_amd_profiling_async_copy_enable(true));
    WORKS(hsa_amd_memory_async_copy(to, gpus[0], from, gpus[1], sizes[i], 0, NULL, done));
    assert_int_equal(wait_below(done, 3), 2);
    assert_memory_equal(from, to, sizes[i]);
    hsa_amd_profiling_async_copy_time_t time;
    WORKS(hsa_amd_profiling_get_async_copy_time(done, &time));
    assert_true(time.start != 0 && time.start <= time.end);
    WORKS(hsa_signal_destroy(done));
    free(from);
    free(to);
  }
}

static void a_copy_waits_for_all_it_depends_on(void **state) {
  (void)state;
  uint64_t from = 1, to = 0, other_from = 2, other_to = 0;
  hsa_signal_t needs[3] = {new_signal(1), new_signal(0), new_signal(2)}, done = new_signal(1), other = new_signal(1);
  WORKS(hsa_amd_memory_async_copy(&to, gpus[0], &from, gpus[0], 8, 3, needs, done));
  WORKS(hsa_amd_memory_async_copy(&other_to, gpus[0], &other_from, gpus[0], 8, 1, &needs[2], other));
  hsa_signal_subtract_relaxed(needs[2], 2); /* what came later does not wait for what came first */
  wait_below(other, 1);
  assert_int_equal(other_to, 2);
  assert_int_equal(hsa_signal_load_scacquire(done), 1);
  from = 9;
  hsa_signal_store_screlease(needs[0], 0);
  wait_below(done, 1);
  assert_int_equal(to, 9);
  for (int i = 0; i < 3; i++)
    WORKS(hsa_signal_destroy(needs[i]));
  WORKS(hsa_signal_destroy(done));
  WORKS(hsa_signal_destroy(other));
}

static void copies_follow_each_other_by_signals(void **state) {
  (void)state;
  enum { CHAIN = 200 };
  uint64_t cells[CHAIN + 1] = {77};
  hsa_signal_t signals[CHAIN];
  for (int i = 0; i < CHAIN; i++)
    signals[i] = new_signal(1);
  for (int i = CHAIN - 1; i >= 0; i--) /* the last first: each waits, more than a sleeper looks at */
    WORKS(hsa_amd_memory_async_copy(&cells[i + 1], gpus[0], &cells[i], gpus[0], 8, i > 0, i ? &signals[i - 1] : NULL,
                                    signals[i]));
  wait_below(signals[CHAIN - 1], 1);
  assert_int_equal(cells[CHAIN], 77);
  for (int i = 0; i < CHAIN; i++)
    WORKS(hsa_signal_destroy(signals[i]));
}

static void what_depends_on_a_failure_fails(void **state) {
  (void)state;
  uint64_t from = 1, to = 0;
  hsa_signal_t need = new_signal(1), done = new_signal(1);
  WORKS(hsa_amd_memory_async_copy(&to, gpus[0], &from, gpus[0], 8, 1, &need, done));
  hsa_signal_store_screlease(need, -1);
  assert_int_equal(wait_below(done, 1), -1);
  assert_int_equal(to, 0);
  WORKS(hsa_signal_destroy(need));
  WORKS(hsa_signal_destroy(done));
}

static void boxes_are_copied(void **state) {
  (void)state;
  enum { PITCH = 40, SLICE = 400, TO_PITCH = 16, TO_SLICE = 64, X = 5, Y = 3, Z = 2 };
  uint8_t from[SLICE * 4], to[TO_SLICE * 4] = {0}, expected[TO_SLICE * 4] = {0};
  for (size_t i = 0; i < sizeof from; i++)
    from[i] = (uint8_t)(i % 251 + 1);
  for (int z = 0; z < Z; z++)
    for (int y = 0; y < Y; y++)
      for (int x = 0; x < X; x++)
        expected[(z + 1) * TO_SLICE + y * TO_PITCH + x + 3] = from[(z + 2) * SLICE + (y + 4) * PITCH + x + 7];
  hsa_pitched_ptr_t to_pointer = {to, TO_PITCH, TO_SLICE}, from_pointer = {from, PITCH, SLICE};
  hsa_dim3_t to_offset = {3, 0, 1}, from_offset = {7, 4, 2}, range = {X, Y, Z}, huge = {1, UINT32_MAX, UINT32_MAX};
  hsa_signal_t done = new_signal(1);
  WORKS(hsa_amd_memory_async_copy_rect(&to_pointer, &to_offset, &from_pointer, &from_offset, &range, gpus[0],
                                       hsaDeviceToDevice, 0, NULL, done));
  wait_below(done, 1);
  assert_memory_equal(to, expected, sizeof to);
  hsa_pitched_ptr_t wrapping = {to, SIZE_MAX, SIZE_MAX};
  assert_int_equal(hsa_amd_memory_async_copy_rect(&wrapping, &to_offset, &from_pointer, &from_offset, &huge, gpus[0],
                                                  hsaDeviceToDevice, 0, NULL, done), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_memory_async_copy_rect(&to_pointer, &to_offset, &from_pointer, &from_offset, &range,
                                                  (hsa_agent_t){1}, hsaDeviceToDevice, 0, NULL, done),
                   HSA_STATUS_ERROR_INVALID_AGENT);
  WORKS(hsa_signal_destroy(done));
}

static hsa_status_t keep_pool(hsa_amd_memory_pool_t pool, void *data) {
  *(hsa_amd_memory_pool_t *)data = pool;
  return HSA_STATUS_INFO_BREAK;
}

static void copies_beyond_an_allocation_are_errors(void **state) {
  (void)state;
  hsa_amd_memory_pool_t pool;
  uint8_t *memory, byte = 0;
  assert_int_equal(hsa_amd_agent_iterate_memory_pools(gpus[0], keep_pool, &pool), HSA_STATUS_INFO_BREAK);
  WORKS(hsa_amd_memory_pool_allocate(pool, 4096, 0, (void **)&memory));
  uint8_t *host = calloc(1, 8192);
  hsa_signal_t done = new_signal(1);
  WORKS(hsa_memory_copy(memory, host, 4096));
  assert_int_equal(hsa_memory_copy(memory, host, 4097), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_memory_copy(host, memory + 1, 4096), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_memory_async_copy(memory + 1, gpus[0], host, gpus[0], 4096, 0, NULL, done),
                   HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_memory_fill(memory, 0, 1025), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_memory_async_copy(memory, (hsa_agent_t){0}, &byte, gpus[0], 1, 0, NULL, done),
                   HSA_STATUS_ERROR_INVALID_AGENT);
  assert_int_equal(hsa_amd_memory_async_copy(memory, gpus[0], &byte, gpus[0], 1, 1, NULL, done),
                   HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_signal_load_scacquire(done), 1);
  WORKS(hsa_signal_destroy(done));
  WORKS(hsa_amd_memory_pool_free(memory));
  free(host);
}

enum { THREADS = 4, ROUNDS = 300 };

static void *copy_much(void *data) {
  uint32_t seed = (uint32_t)(uintptr_t)data;
  uint8_t *from = malloc(LARGE), *to = malloc(LARGE);
  for (int round = 0; round < ROUNDS; round++) {
    seed = seed * 1664525 + 1013904223;
    size_t size = (seed >> 8) % (round % 50 == 0 ? LARGE : 5000) + 1;
    hsa_signal_t need = new_signal(1), done = new_signal(1);
    memset(from, round, size);
    hsa_amd_memory_async_copy(to, gpus[0], from, gpus[0], size, 1, &need, done);
    hsa_signal_store_screlease(need, 0);
    wait_below(done, 1);
    if (memcmp(from, to, size) != 0)
      abort();
    hsa_signal_destroy(need);
    hsa_signal_destroy(done);
  }
  free(from);
  free(to);
  return NULL;
}

static void threads_copy_beside_each_other(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, copy_much, (void *)(uintptr_t)(i + 1)), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void copies_that_wait_end_with_the_runtime(void **state) {
  (void)state;
  uint64_t from = 1, to = 0;
  hsa_signal_t never = new_signal(1);
  WORKS(hsa_amd_memory_async_copy(&to, gpus[0], &from, gpus[0], 8, 1, &never, (hsa_signal_t){0}));
  WORKS(hsa_shut_down());
  assert_int_equal(to, 0);
  WORKS(hsa_init());
  find_gpus(gpus);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_copied_and_filled),
      cmocka_unit_test(a_copy_counts_its_signal_down_and_says_when),
      cmocka_unit_test(a_copy_waits_for_all_it_depends_on),
      cmocka_unit_test(copies_follow_each_other_by_signals),
      cmocka_unit_test(what_depends_on_a_failure_fails),
      cmocka_unit_test(boxes_are_copied),
      cmocka_unit_test(copies_beyond_an_allocation_are_errors),
      cmocka_unit_test(threads_copy_beside_each_other),
      cmocka_unit_test(copies_that_wait_end_with_the_runtime),
  };
  return cmocka_run_group_tests(tests, open_runtime, close_runtime);
}
