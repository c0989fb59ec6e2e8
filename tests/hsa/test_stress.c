/* Eight threads fill four queues with kernels and with barriers on kernels of the queue before; no packet is lost and
 * none runs before what it depends on. The environment's OFFGRID_STRESS says how many packets each thread gives each
 * queue. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <pthread.h>

#include "packets.h"

enum { THREADS = 8, QUEUES = 4, SIGNALS = 64 /* of a thread: packets on their way */ };

/* Counts its thread's number up and keeps a fault where it is not what it should be: arguments are the number's address
 * and what stands there before. Packets of one thread depend on each other, so no two of them run at a time. */
static const char source[] =
    KERNEL("step", ARGUMENTS
           "  s_load_dword s8, s[0:1], 0x10\n  s_waitcnt lgkmcnt(0)\n  s_mov_b64 exec, 1\n"
           "  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  global_load_dword v2, v[0:1], off glc\n  s_waitcnt vmcnt(0)\n"
           "  v_cmp_eq_u32 vcc, s8, v2\n  s_cbranch_vccnz 0f\n  v_mov_b32 v2, 0x80000000\n"
           "0:\n  v_add_u32 v2, 1, v2\n  global_store_dword v[0:1], v2, off glc\n  s_waitcnt vmcnt(0)\n");

struct arguments {
  uint64_t number, unused;
  uint32_t before, padding[11];
};

struct thread {
  pthread_t id;
  hsa_queue_t **queues;
  uint64_t object;
  unsigned steps;
  uint32_t *number;
  struct arguments *arguments; /* SIGNALS of them */
  hsa_signal_t signals[SIGNALS];
};

/* Step i runs on queue i, behind a barrier on step i - 1, which ran on another. */
static void *fill(void *argument) {
  struct thread *thread = argument;
  for (unsigned i = 0; i < thread->steps; i++) {
    unsigned slot = i % SIGNALS;
    hsa_queue_t *queue = thread->queues[i % QUEUES];
    wait_zero(thread->signals[slot]); /* its last use, */
    wait_zero(thread->signals[(i + 1) % SIGNALS]); /* and that of the step behind, whose barrier looked at it */
    hsa_signal_store_relaxed(thread->signals[slot], 1);
    thread->arguments[slot] = (struct arguments){.number = (uintptr_t)thread->number, .before = i};
    if (i) {
      hsa_barrier_and_packet_t barrier = {.header = HSA_PACKET_TYPE_BARRIER_AND,
                                          .dep_signal = {thread->signals[(i - 1) % SIGNALS]}};
      enqueue(queue, &barrier);
    }
    dispatch(queue, thread->object, &thread->arguments[slot], thread->signals[slot]);
  }
  for (unsigned i = 0; i < SIGNALS; i++)
    wait_zero(thread->signals[i]);
  return NULL;
}

static void no_packet_is_lost_or_early(void **state) {
  (void)state;
  const char *count = getenv("OFFGRID_STRESS");
  unsigned steps = QUEUES / 2 * (count ? (unsigned)atoi(count) : 250); /* of two packets each */
  open_kernels(source);
  hsa_queue_t *queues[QUEUES];
  for (int i = 0; i < QUEUES; i++)
    queues[i] = new_queue(256);
  struct thread threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    struct thread *thread = &threads[i];
    *thread = (struct thread){.queues = queues, .object = kernel("step"), .steps = steps, .number = memory(64),
                              .arguments = memory(SIGNALS * sizeof(struct arguments))};
    for (int k = 0; k < SIGNALS; k++)
      thread->signals[k] = new_signal(0);
  }
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i].id, NULL, fill, &threads[i]), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i].id, NULL);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(*threads[i].number, steps);
  uint64_t packets = 0;
  for (int i = 0; i < QUEUES; i++)
    packets += hsa_queue_load_write_index_relaxed(queues[i]);
  assert_int_equal(packets, THREADS * (2 * steps - 1));
  for (int i = 0; i < QUEUES; i++)
    WORKS(hsa_queue_destroy(queues[i]));
  for (int i = 0; i < THREADS; i++) {
    for (int k = 0; k < SIGNALS; k++)
      WORKS(hsa_signal_destroy(threads[i].signals[k]));
    WORKS(hsa_memory_free(threads[i].arguments));
    WORKS(hsa_memory_free(threads[i].number));
  }
  close_kernels();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_packet_is_lost_or_early)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
