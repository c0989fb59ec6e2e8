/* Memory of the program's own that it did not register: a fault that says so, or reached with OFFGRID_HOST_MEMORY. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "packets.h"

static const char source[] =
    KERNEL("add", ARGUMENTS "  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  v_mov_b32 v2, 1\n  s_mov_b64 exec, 1\n"
                            "  global_load_dword v3, v[0:1], off\n  s_waitcnt vmcnt(0)\n  v_add_u32 v2, v2, v3\n"
                            "  global_store_dword v[0:1], v2, off\n");

static hsa_kernel_dispatch_packet_t add_to(uint32_t *word) {
  uint64_t *arguments = memory(64);
  arguments[0] = (uintptr_t)word;
  return packet_of(kernel("add"), arguments);
}

/* What the library writes to standard error while a packet fails. */
static void expect_message(const hsa_kernel_dispatch_packet_t *packet, const char *text) {
  char written[4096] = "";
  int pipes[2], old = dup(STDERR_FILENO);
  assert_int_equal(pipe(pipes), 0);
  dup2(pipes[1], STDERR_FILENO);
  expect_failure(packet, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
  dup2(old, STDERR_FILENO);
  close(pipes[1]);
  close(old);
  assert_true(read(pipes[0], written, sizeof written - 1) > 0);
  close(pipes[0]);
  assert_non_null(strstr(written, text));
}

static void memory_that_nobody_registered_is_a_fault_that_says_so(void **state) {
  (void)state;
  uint32_t *word = calloc(1, 64);
  setenv("OFFGRID_LOG", "errors", 1);
  unsetenv("OFFGRID_HOST_MEMORY");
  open_kernels(source);
  hsa_kernel_dispatch_packet_t packet = add_to(word);
  expect_message(&packet, "it is the host's own memory, not registered: OFFGRID_HOST_MEMORY=1 lets kernels reach it");
  packet = add_to((uint32_t *)(uintptr_t)0x1000);
  expect_message(&packet, "outside every buffer");
  assert_int_equal(*word, 0);
  close_kernels();
  free(word);
}

static void with_the_option_kernels_reach_what_is_mapped(void **state) {
  (void)state;
  static uint32_t in_data;
  uint32_t on_stack = 41, *word = calloc(1, 64);
  static const uint32_t constant = 7;
  setenv("OFFGRID_HOST_MEMORY", "1", 1);
  open_kernels(source);
  hsa_queue_t *queue = new_queue(64);
  hsa_signal_t done = new_signal(3);
  uint32_t *const words[] = {word, &in_data, &on_stack};
  for (int i = 0; i < 3; i++) {
    hsa_kernel_dispatch_packet_t packet = add_to(words[i]);
    packet.completion_signal = done;
    enqueue(queue, &packet);
  }
  assert_int_equal(wait_zero(done), 0);
  assert_int_equal(*word, 1);
  assert_int_equal(in_data, 1);
  assert_int_equal(*(volatile uint32_t *)&on_stack, 42);
  uint32_t *late = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  hsa_kernel_dispatch_packet_t packet = add_to(late);
  packet.completion_signal = done;
  hsa_signal_store_relaxed(done, 1);
  enqueue(queue, &packet);
  assert_int_equal(wait_zero(done), 0);
  assert_int_equal(*late, 1);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(done));
  packet = add_to((uint32_t *)(uintptr_t)&constant); /* read-only stays read-only */
  packet.completion_signal.handle = 0;
  expect_failure(&packet, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
  assert_int_equal(constant, 7);
  bool accessible = false;
  WORKS(hsa_system_get_info((hsa_system_info_t)HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT, &accessible));
  assert_true(accessible);
  close_kernels();
  munmap(late, 4096);
  free(word);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_that_nobody_registered_is_a_fault_that_says_so),
      cmocka_unit_test(with_the_option_kernels_reach_what_is_mapped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
