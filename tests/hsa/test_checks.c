/* OFFGRID_CHECK: a kernel that uses a register before its load is waited for is told of, once, and runs on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "packets.h"

static const char source[] = KERNEL("hasty", ARGUMENTS "  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  s_mov_b64 exec, 1\n"
                                                       "  global_load_dword v2, v[0:1], off\n  v_add_u32 v2, 1, v2\n"
                                                       "  global_store_dword v[0:1], v2, off\n")
    KERNEL("patient", ARGUMENTS "  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  s_mov_b64 exec, 1\n"
                                "  global_load_dword v2, v[0:1], off\n  s_waitcnt vmcnt(0)\n  v_add_u32 v2, 1, v2\n"
                                "  global_store_dword v[0:1], v2, off\n");

/* Behind what came before in its queue. */
static void dispatch_behind(hsa_queue_t *queue, const char *name, void *arguments, hsa_signal_t completion) {
  hsa_kernel_dispatch_packet_t packet = packet_of(kernel(name), arguments);
  packet.header |= 1 << HSA_PACKET_HEADER_BARRIER | HSA_FENCE_SCOPE_AGENT << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                   HSA_FENCE_SCOPE_AGENT << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
  packet.completion_signal = completion;
  enqueue(queue, &packet);
}

static void findings_are_told_once(void **state) {
  (void)state;
  char written[4096] = "";
  int pipes[2], old = dup(STDERR_FILENO);
  setenv("OFFGRID_CHECK", "all", 1);
  setenv("OFFGRID_LOG", "errors", 1);
  assert_int_equal(pipe(pipes), 0);
  dup2(pipes[1], STDERR_FILENO);
  open_kernels(source);
  hsa_queue_t *queues[] = {new_queue(64), new_queue(64)};
  hsa_signal_t done = new_signal(6);
  uint64_t *arguments[] = {memory(64), memory(64)}; /* each queue writes a word of its own */
  arguments[0][0] = (uintptr_t)memory(64);
  arguments[1][0] = (uintptr_t)memory(64);
  for (int i = 0; i < 3; i++) {
    dispatch_behind(queues[i % 2], "hasty", arguments[i % 2], done);
    dispatch_behind(queues[i % 2], "patient", arguments[i % 2], done);
  }
  assert_int_equal(wait_zero(done), 0);
  WORKS(hsa_queue_destroy(queues[0]));
  WORKS(hsa_queue_destroy(queues[1]));
  WORKS(hsa_signal_destroy(done));
  close_kernels();
  dup2(old, STDERR_FILENO);
  close(pipes[1]);
  close(old);
  assert_true(read(pipes[0], written, sizeof written - 1) > 0);
  close(pipes[0]);
  const char *found = strstr(written, "'v_add_u32_e32 v2, 1, v2' reads v2");
  assert_non_null(found);
  assert_non_null(strstr(written, "[waits]"));
  assert_null(strstr(found + 1, "'v_add_u32_e32 v2, 1, v2' reads v2"));
  assert_null(strstr(written, "patient"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(findings_are_told_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
