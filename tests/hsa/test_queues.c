/* Queues: their layout, kernels run from packets, barriers of all kinds, queues beside each other, kernels that wait
 * for the host, faults told to the callback, overhead printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>

#include "packets.h"

/* `meet` counts the first word up and waits until the other is not 0; `answer` waits for a value and interrupts the
 * host, as a hostcall does. */
static const char source[] =
    KERNEL("empty", "")
    KERNEL("count", ARGUMENTS
           "  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  v_mov_b32 v2, 1\n"
           "  s_mov_b64 exec, 1\n  global_atomic_add v[0:1], v2, off\n")
    KERNEL("meet", ARGUMENTS
           "  s_mov_b64 exec, 1\n  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  v_mov_b32 v2, 1\n"
           "  v_mov_b32 v4, s6\n  v_mov_b32 v5, s7\n  global_atomic_add v[0:1], v2, off\n"
           "0:\n  s_sleep 1\n  global_load_dword v3, v[4:5], off glc\n  s_waitcnt vmcnt(0)\n"
           "  v_cmp_eq_u32 vcc, 0, v3\n  s_cbranch_vccnz 0b\n")
    KERNEL("answer", ARGUMENTS
           "  s_mov_b64 exec, 1\n  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  v_mov_b32 v4, s6\n  v_mov_b32 v5, s7\n"
           "  v_mov_b32 v2, 1\n  v_mov_b32 v3, 0\n"
           "  global_atomic_add_x2 v[0:1], v[2:3], off offset:8\n  s_mov_b32 m0, 1\n  s_sendmsg sendmsg(MSG_INTERRUPT)\n"
           "1:\n  s_sleep 4\n  global_load_dword v6, v[4:5], off offset:8 glc\n  s_waitcnt vmcnt(0)\n"
           "  v_cmp_eq_u32 vcc, 0, v6\n  s_cbranch_vccnz 1b\n")
    KERNEL("stray", "  v_mov_b32 v0, 0x1000\n  v_mov_b32 v1, 0\n  global_load_dword v2, v[0:1], off\n")
    KERNEL("gives_up", "  s_trap 2\n")
    KERNEL("illegal", "  .long 0xbfff0000\n")
    KERNEL("endless", "2:\n  s_branch 2b\n");

static int open_runtime(void **state) {
  (void)state;
  open_kernels(source);
  return 0;
}

static int close_runtime(void **state) {
  (void)state;
  close_kernels();
  return 0;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void a_queue_is_an_amd_queue(void **state) {
  (void)state;
  hsa_queue_t *handle = new_queue(128);
  amd_queue_t *queue = (amd_queue_t *)(void *)handle;
  assert_int_equal((uintptr_t)queue % 64, 0);
  assert_int_equal((uintptr_t)queue >> 32, ((uintptr_t)(queue + 1) - 1) >> 32);
  assert_int_equal(handle->size, 128);
  assert_int_equal(handle->type, HSA_QUEUE_TYPE_MULTI);
  assert_int_equal(handle->features, HSA_QUEUE_FEATURE_KERNEL_DISPATCH);
  assert_int_equal((uintptr_t)handle->base_address % 64, 0);
  assert_int_equal(queue->read_dispatch_id, 0);
  assert_int_equal(queue->write_dispatch_id, 0);
  assert_int_equal(queue->max_cu_id, 63);
  assert_int_equal(queue->max_wave_id, 39);
  assert_int_not_equal(queue->group_segment_aperture_base_hi, queue->private_segment_aperture_base_hi);
  assert_int_equal(queue->read_dispatch_id_field_base_byte_offset, offsetof(amd_queue_t, read_dispatch_id));
  assert_int_equal(queue->queue_properties & AMD_QUEUE_PROPERTIES_IS_PTR64, AMD_QUEUE_PROPERTIES_IS_PTR64);
  amd_signal_t *doorbell = (amd_signal_t *)handle->doorbell_signal.handle;
  assert_int_equal(doorbell->kind, AMD_SIGNAL_KIND_DOORBELL);
  assert_ptr_equal(doorbell->queue_ptr, queue);
  assert_non_null((void *)(uintptr_t)doorbell->hardware_doorbell_ptr);
  WORKS(hsa_queue_destroy(handle));
  assert_int_equal(hsa_queue_destroy(handle), HSA_STATUS_ERROR_INVALID_QUEUE);
}

/* The doorbell's object is in memory that kernels write. */
static void what_a_kernel_wrote_to_a_doorbell_leads_nowhere(void **state) {
  (void)state;
  hsa_queue_t *queue = new_queue(64);
  amd_signal_t *doorbell = (amd_signal_t *)queue->doorbell_signal.handle;
  hsa_signal_t done = new_signal(1);
  doorbell->value = 0x1000; /* where nothing is */
  dispatch(queue, kernel("empty"), NULL, done);
  assert_int_equal(wait_zero(done), 0);
  doorbell->kind = 77;
  hsa_signal_store_relaxed(done, 1);
  dispatch(queue, kernel("empty"), NULL, done);
  assert_int_equal(wait_zero(done), 0);
  doorbell->kind = AMD_SIGNAL_KIND_USER; /* a store goes into the object, and the packet is found all the same */
  hsa_signal_store_relaxed(done, 1);
  dispatch(queue, kernel("empty"), NULL, done);
  assert_int_equal(wait_zero(done), 0);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(done));
}

static void wrong_queues_are_refused(void **state) {
  (void)state;
  hsa_queue_t *queue;
  assert_int_equal(hsa_queue_create(gpus[0], 100, 0, NULL, NULL, 0, 0, &queue), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_queue_create(gpus[0], 64, 7, NULL, NULL, 0, 0, &queue), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_queue_create(gpus[0], 64, 0, NULL, NULL, 0, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_queue_create((hsa_agent_t){1}, 64, 0, NULL, NULL, 0, 0, &queue), HSA_STATUS_ERROR_INVALID_AGENT);
}

static void kernels_run_in_order_and_their_times_are_kept(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  hsa_queue_t *queue = new_queue(64);
  uint64_t object = kernel("count"), before, after;
  uint32_t *counter = memory(64);
  uint64_t *arguments = memory(64);
  arguments[0] = (uintptr_t)counter;
  hsa_signal_t done = new_signal(COUNT);
  WORKS(hsa_amd_profiling_set_profiler_enabled(queue, 1));
  WORKS(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &before));
  for (int i = 0; i < COUNT; i++)
    dispatch(queue, object, arguments, done);
  assert_int_equal(wait_zero(done), 0);
  WORKS(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &after));
  assert_int_equal(*counter, COUNT);
  assert_int_equal(hsa_queue_load_write_index_relaxed(queue), COUNT);
  hsa_amd_profiling_dispatch_time_t time;
  WORKS(hsa_amd_profiling_get_dispatch_time(gpus[0], done, &time));
  assert_true(before <= time.start && time.start <= time.end && time.end <= after);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(done));
  WORKS(hsa_memory_free(counter));
  WORKS(hsa_memory_free(arguments));
}

/* A barrier of each kind lets nothing behind it go before its dependency holds. */
static void barriers_wait_for_their_signals(void **state) {
  (void)state;
  hsa_queue_t *queue = new_queue(64);
  for (int kind = 0; kind < 3; kind++) {
    hsa_signal_t first = new_signal(1), second = new_signal(1), done = new_signal(1);
    hsa_barrier_and_packet_t and = {.header = HSA_PACKET_TYPE_BARRIER_AND, .dep_signal = {first, {0}, second},
                                    .completion_signal = done};
    hsa_barrier_or_packet_t or = {.header = HSA_PACKET_TYPE_BARRIER_OR, .dep_signal = {first, {0}, second},
                                  .completion_signal = done};
    hsa_amd_barrier_value_packet_t value = {
        .header = {.header = HSA_PACKET_TYPE_VENDOR_SPECIFIC, .AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE},
        .signal = second, .value = 4, .mask = 6, .cond = HSA_SIGNAL_CONDITION_EQ, .completion_signal = done};
    enqueue(queue, kind == 0 ? (void *)&and : kind == 1 ? (void *)&or : (void *)&value);
    if (kind == 0)
      hsa_signal_store_relaxed(first, 0);
    assert_int_equal(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, 10000000, HSA_WAIT_STATE_BLOCKED), 1);
    hsa_signal_store_relaxed(second, kind == 2 ? 5 : 0);
    assert_int_equal(wait_zero(done), 0);
    hsa_signal_t all[] = {first, second, done};
    for (int i = 0; i < 3; i++)
      WORKS(hsa_signal_destroy(all[i]));
  }
  WORKS(hsa_queue_destroy(queue));
}

static void kernels_of_two_queues_wait_for_each_other(void **state) {
  (void)state;
  hsa_queue_t *queues[2] = {new_queue(64), new_queue(64)};
  uint32_t *words = memory(256);
  uint64_t *arguments = memory(256);
  hsa_signal_t done = new_signal(2);
  for (int i = 0; i < 2; i++) {
    arguments[8 * i] = (uintptr_t)&words[16 * i];
    arguments[8 * i + 1] = (uintptr_t)&words[16 * !i];
    dispatch(queues[i], kernel("meet"), &arguments[8 * i], done);
  }
  assert_int_equal(wait_zero(done), 0);
  for (int i = 0; i < 2; i++)
    WORKS(hsa_queue_destroy(queues[i]));
  WORKS(hsa_signal_destroy(done));
  WORKS(hsa_memory_free(words));
  WORKS(hsa_memory_free(arguments));
}

/* The kernel counts one signal up, as device code does, and waits for the host to answer in another. */
static void a_kernel_and_the_host_answer_each_other(void **state) {
  (void)state;
  hsa_queue_t *queue = new_queue(64);
  hsa_signal_t asked = new_signal(0), answered = new_signal(0), done = new_signal(1);
  uint64_t *arguments = memory(64);
  arguments[0] = asked.handle;
  arguments[1] = answered.handle;
  dispatch(queue, kernel("answer"), arguments, done);
  assert_int_equal(hsa_signal_wait_scacquire(asked, HSA_SIGNAL_CONDITION_NE, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED), 1);
  assert_int_equal(hsa_signal_load_relaxed(done), 1);
  hsa_signal_store_screlease(answered, 1);
  assert_int_equal(wait_zero(done), 0);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_memory_free(arguments));
}

static void failures_are_told_with_their_status(void **state) {
  (void)state;
  static const struct {
    const char *kernel;
    hsa_status_t status;
  } faults[] = {{"stray", (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT},
                {"gives_up", HSA_STATUS_ERROR_EXCEPTION},
                {"illegal", (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION}};
  hsa_kernel_dispatch_packet_t packet = packet_of(0, NULL);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    packet.kernel_object = kernel(faults[i].kernel);
    expect_failure(&packet, faults[i].status);
  }
  packet.workgroup_size_x = 2048;
  packet.kernel_object = kernel("empty");
  expect_failure(&packet, HSA_STATUS_ERROR_INVALID_ARGUMENT);
  packet.workgroup_size_x = 64;
  packet.kernel_object = 64;
  expect_failure(&packet, HSA_STATUS_ERROR_INVALID_ARGUMENT);
  packet.header = 0x17;
  expect_failure(&packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
}

static void a_queue_made_inactive_ends_what_runs(void **state) {
  (void)state;
  hsa_queue_t *queue = new_queue(64);
  hsa_signal_t done = new_signal(1);
  dispatch(queue, kernel("endless"), NULL, done);
  assert_int_equal(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, 5000000, HSA_WAIT_STATE_BLOCKED), 1);
  WORKS(hsa_queue_inactivate(queue));
  assert_int_equal(hsa_signal_load_relaxed(done), 1);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(done));
}

static void soft_queues_are_the_programs_own(void **state) {
  (void)state;
  hsa_signal_t doorbell = new_signal(-1);
  hsa_queue_t *queue;
  WORKS(hsa_soft_queue_create(kernarg, 16, HSA_QUEUE_TYPE_SINGLE, HSA_QUEUE_FEATURE_AGENT_DISPATCH, doorbell, &queue));
  hsa_agent_dispatch_packet_t packet = {.header = HSA_PACKET_TYPE_AGENT_DISPATCH, .type = 0x1234};
  enqueue(queue, &packet);
  assert_int_equal(hsa_signal_load_relaxed(doorbell), 0);
  assert_int_equal(((hsa_agent_dispatch_packet_t *)queue->base_address)->type, 0x1234);
  assert_int_equal(hsa_queue_load_read_index_relaxed(queue), 0);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(doorbell));
}

static void masks_of_compute_units_are_kept(void **state) {
  (void)state;
  hsa_queue_t *queue = new_queue(64);
  uint32_t mask[3] = {0x0f0f0f0f, 1, 1}, read[2];
  WORKS(hsa_amd_queue_cu_set_mask(queue, 64, mask));
  WORKS(hsa_amd_queue_cu_get_mask(queue, 64, read));
  assert_memory_equal(mask, read, sizeof read);
  assert_int_equal(hsa_amd_queue_cu_set_mask(queue, 96, mask), HSA_STATUS_CU_MASK_REDUCED);
  assert_int_equal(hsa_amd_queue_cu_set_mask(queue, 33, mask), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_amd_queue_set_priority(queue, HSA_AMD_QUEUE_PRIORITY_HIGH));
  WORKS(hsa_queue_destroy(queue));
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Prints what an empty kernel takes from doorbell to completion; the best of many, as others use the machine, too. */
static void overhead_is_printed(void **state) {
  (void)state;
  hsa_queue_t *queue = new_queue(64);
  uint64_t object = kernel("empty");
  hsa_signal_t done = new_signal(1);
  double best = 1, start, all = seconds();
  enum { ROUNDS = 2000 };
  for (int i = 0; i < ROUNDS; i++) {
    hsa_signal_store_relaxed(done, 1);
    start = seconds();
    dispatch(queue, object, NULL, done);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_ACTIVE);
    double taken = seconds() - start;
    best = taken < best ? taken : best;
  }
  print_message("empty kernel, doorbell to completion: best %.2f us, mean %.2f us\n", best * 1e6,
                (seconds() - all) * 1e6 / ROUNDS);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(done));
}

/* With OFFGRID_TIMEOUT set: an endless kernel ends by itself, with an error. */
static void out_of_time_is_a_failure(void **state) {
  (void)state;
  hsa_kernel_dispatch_packet_t packet = packet_of(kernel("endless"), NULL);
  expect_failure(&packet, HSA_STATUS_ERROR);
}

int main(int argc, char **argv) {
  (void)argv;
  const struct CMUnitTest endless[] = {cmocka_unit_test(out_of_time_is_a_failure)};
  if (argc > 1)
    return cmocka_run_group_tests(endless, open_runtime, close_runtime);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_queue_is_an_amd_queue),
      cmocka_unit_test(what_a_kernel_wrote_to_a_doorbell_leads_nowhere),
      cmocka_unit_test(wrong_queues_are_refused),
      cmocka_unit_test(kernels_run_in_order_and_their_times_are_kept),
      cmocka_unit_test(barriers_wait_for_their_signals),
      cmocka_unit_test(kernels_of_two_queues_wait_for_each_other),
      cmocka_unit_test(a_kernel_and_the_host_answer_each_other),
      cmocka_unit_test(failures_are_told_with_their_status),
      cmocka_unit_test(a_queue_made_inactive_ends_what_runs),
      cmocka_unit_test(soft_queues_are_the_programs_own),
      cmocka_unit_test(masks_of_compute_units_are_kept),
      cmocka_unit_test(overhead_is_printed),
  };
  return cmocka_run_group_tests(tests, open_runtime, close_runtime);
}
