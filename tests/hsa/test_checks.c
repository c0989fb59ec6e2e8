/* OFFGRID_CHECK: what kernels do wrong is told, once, and they run on; objects of LDS are those that debug information
 * tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "../lds_overrun.h"
#include "offgrid.h"
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

/* What is written to stderr from here on, */
static int saved, pipes[2];
static void open_written(void) {
  saved = dup(STDERR_FILENO);
  setenv("OFFGRID_CHECK", "all", 1);
  setenv("OFFGRID_LOG", "errors", 1);
  assert_int_equal(pipe(pipes), 0);
  dup2(pipes[1], STDERR_FILENO);
}
/* up to here. */
static void close_written(char written[static 4096]) {
  memset(written, 0, 4096);
  dup2(saved, STDERR_FILENO);
  close(pipes[1]);
  close(saved);
  ssize_t size = read(pipes[0], written, 4095);
  assert_true(size >= 0);
  close(pipes[0]);
}

static void findings_are_told_once(void **state) {
  (void)state;
  char written[4096];
  open_written();
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
  close_written(written);
  const char *found = strstr(written, "'v_add_u32_e32 v2, 1, v2' reads v2");
  assert_non_null(found);
  assert_non_null(strstr(written, "[waits]"));
  assert_null(strstr(found + 1, "'v_add_u32_e32 v2, 1, v2' reads v2"));
  assert_null(strstr(written, "patient"));
}

/* So many bytes of LDS beside the kernel's own, and an index to store at. */
static void dispatch_lds(hsa_queue_t *queue, const char *name, uint32_t own, uint32_t more, int index) {
  int *arguments = memory(64);
  *arguments = index;
  hsa_signal_t done = new_signal(1);
  hsa_kernel_dispatch_packet_t packet = packet_of(kernel(name), arguments);
  packet.group_segment_size = own + more;
  packet.completion_signal = done;
  enqueue(queue, &packet);
  assert_int_equal(wait_zero(done), 0);
  WORKS(hsa_signal_destroy(done));
}

static void debug_information_tells_objects_of_lds(void **state) {
  (void)state;
  static char written[4096];
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_bytes code;
  assert_true(og_compile_ir(lds_overrun, sizeof lds_overrun - 1, "gfx906", NULL, &code, diagnostics));
  open_written();
  open_code(1, code.data, code.size);
  hsa_queue_t *queue = new_queue(64);
  dispatch_lds(queue, "own", 512, 0, 62);
  dispatch_lds(queue, "dynamic", 256, 64, 15);
  fflush(stderr);
  fprintf(stderr, "right until here\n");
  for (int i = 0; i < 2; i++)
    dispatch_lds(queue, "own", 512, 0, 63);
  dispatch_lds(queue, "dynamic", 256, 62, 15);
  WORKS(hsa_queue_destroy(queue));
  close_kernels();
  close_written(written);
  og_bytes_free(&code);
  og_diagnostics_free(diagnostics);
  assert_ptr_equal(strstr(written, "right"), written);
  const char *found = strstr(written, "of LDS, which no object has: 0 bytes behind the end of 'first' (");
  assert_non_null(found);
  assert_null(strstr(found + 1, "of LDS, which"));
  assert_non_null(
      strstr(written, "of LDS, of which the work-group has 318 bytes: 0 bytes behind the end of 'dynamic LDS' ("));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(findings_are_told_once),
                                     cmocka_unit_test(debug_information_tells_objects_of_lds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
