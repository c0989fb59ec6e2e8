/* OFFGRID_CHECK=races: kernels, copies and the host that touch the same memory are told of where neither signal nor
 * barrier bit orders them, or fences do not reach; nothing is said where they do. Each case runs in a process of its
 * own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "packets.h"

#define KERNEL_942(name, body)                                                                                       \
  ".text\n.globl " name "\n.p2align 8\n.type " name ",@function\n" name ":\n"                                         \
  "  s_load_dwordx4 s[4:7], s[0:1], 0x0\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n"            \
  "  v_mov_b32 v4, s6\n  v_mov_b32 v5, s7\n  v_mov_b32 v2, 5\n  s_mov_b64 exec, 1\n" body                             \
  "  s_endpgm\n.size " name ", .-" name "\n.rodata\n.p2align 6\n.amdhsa_kernel " name "\n  .amdhsa_next_free_vgpr 8\n" \
  "  .amdhsa_accum_offset 8\n  .amdhsa_next_free_sgpr 16\n  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\n"

/* The first argument is a word, the second a flag. */
static const char source[] =
    KERNEL_942("write", "  global_store_dword v[0:1], v2, off\n")
    KERNEL_942("change", "  global_load_dword v3, v[0:1], off\n  s_waitcnt vmcnt(0)\n  v_add_u32 v3, 1, v3\n"
                         "  global_store_dword v[0:1], v3, off\n")
    KERNEL_942("read", "  global_load_dword v3, v[0:1], off\n  s_waitcnt vmcnt(0)\n")
    KERNEL_942("agent", "  global_atomic_add v[0:1], v2, off\n  s_waitcnt vmcnt(0)\n")
    KERNEL_942("system", "  global_atomic_add v[0:1], v2, off sc1\n  s_waitcnt vmcnt(0)\n")
    KERNEL_942("agreed", "  global_store_dword v[0:1], v2, off\n  s_waitcnt vmcnt(0)\n  global_atomic_add v[4:5], v2, off sc1\n"
                         "  s_waitcnt vmcnt(0)\n");

enum { BARRIER = 1 << 8, FROM_AGENT = 1 << 9, FROM_ALL = 2 << 9, TO_AGENT = 1 << 11, TO_ALL = 2 << 11,
      ALL = FROM_ALL | TO_ALL };

static hsa_queue_t *queues[2]; /* of either agent where there are two */
static hsa_agent_t agent_of[2];
static uint32_t *word, *fine, host[4];
static uint64_t *arguments;
static hsa_signal_t done, signals[4]; /* of the last packet, of all */
static unsigned signal_count;

/* The agent's first pool is coarse-grained, the second fine-grained. */
static hsa_status_t keep_pools(hsa_amd_memory_pool_t pool, void *data) {
  hsa_amd_memory_pool_t **next = data;
  *(*next)++ = pool;
  return HSA_STATUS_SUCCESS;
}

static void begin(unsigned agents) {
  hsa_amd_memory_pool_t pools[8], *next = pools;
  setenv("OFFGRID_CHECK", "races", 1);
  setenv("OFFGRID_LOG", "errors", 1);
  setenv("OFFGRID_GPU", "gfx942,gfx942", 1);
  open_kernels_for("gfx942", agents, source);
  WORKS(hsa_amd_agent_iterate_memory_pools(gpus[0], keep_pools, &next));
  WORKS(hsa_amd_memory_pool_allocate(pools[0], 4096, 0, (void **)&word));
  WORKS(hsa_amd_memory_pool_allocate(pools[1], 4096, 0, (void **)&fine));
  for (unsigned i = 0; i < 2; i++) {
    agent_of[i] = gpus[i % agents];
    WORKS(hsa_queue_create(agent_of[i], 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queues[i]));
  }
  arguments = memory(64);
  arguments[0] = (uintptr_t)word;
  arguments[1] = (uintptr_t)(fine + 64);
}

/* A packet with a signal of its own. */
static void run_on(unsigned queue, const char *name, unsigned bits) {
  hsa_kernel_dispatch_packet_t packet = packet_of(kernel_on(agent_of[queue], name), arguments);
  packet.header |= (uint16_t)bits;
  packet.completion_signal = signals[signal_count++] = done = new_signal(1);
  enqueue(queues[queue], &packet);
}

static void await(unsigned queue, unsigned bits) {
  hsa_barrier_and_packet_t packet = {.header = HSA_PACKET_TYPE_BARRIER_AND, .dep_signal = {done}};
  packet.header |= (uint16_t)bits;
  enqueue(queues[queue], &packet);
}

static void end(void) {
  for (unsigned i = 0; i < signal_count; i++)
    wait_zero(signals[i]);
  WORKS(hsa_queue_destroy(queues[0])); /* with its barrier packets */
  WORKS(hsa_queue_destroy(queues[1]));
  close_kernels();
}

/* ---- the cases --------------------------------------------------------------------------------------------------- */

static void two_queues(void) { run_on(0, "write", ALL), run_on(1, "write", ALL); }
static void two_queues_one_reads(void) { run_on(0, "write", ALL), run_on(1, "read", ALL); }
static void two_queues_read(void) { run_on(0, "read", ALL), run_on(1, "read", ALL); }
static void two_queues_and_a_signal(void) { run_on(0, "write", ALL), await(1, ALL), run_on(1, "change", ALL); }
static void two_queues_and_the_host(void) { run_on(0, "write", ALL), wait_zero(done), run_on(1, "change", ALL); }
static void a_signal_without_fences(void) { run_on(0, "write", 0), await(1, 0), run_on(1, "change", 0); }
static void fences_of_a_barrier(void) {
  run_on(0, "write", 0);
  await(0, BARRIER | TO_ALL);
  wait_zero(done);
  WORKS(hsa_memory_copy(host, word, 4)); /* behind the kernel, but perhaps not behind the barrier */
}
static void one_queue(void) { run_on(0, "write", ALL), run_on(0, "write", ALL); }
static void one_queue_and_barrier_bit(void) { run_on(0, "write", TO_AGENT), run_on(0, "change", BARRIER | FROM_AGENT); }
static void no_acquire(void) { run_on(0, "write", TO_AGENT), run_on(0, "change", BARRIER); }
static void no_release(void) { run_on(0, "write", 0), run_on(0, "change", BARRIER | FROM_AGENT); }
static void acquired_by_another(void) {
  run_on(0, "write", TO_AGENT);
  await(0, BARRIER | FROM_AGENT);
  run_on(0, "change", BARRIER);
}
static void host_does_not_wait(void) { run_on(0, "write", ALL), WORKS(hsa_memory_copy(host, word, 4)); }
static void host_writes_what_is_read(void) { run_on(0, "read", ALL), WORKS(hsa_amd_memory_fill(word, 1, 4)); }
static void host_waits(void) {
  run_on(0, "write", ALL);
  wait_zero(done);
  WORKS(hsa_memory_copy(host, word, 4));
}
static void host_waits_without_release(void) {
  run_on(0, "write", TO_AGENT);
  wait_zero(done);
  WORKS(hsa_memory_copy(host, word, 4));
}
static void host_before(void) { WORKS(hsa_amd_memory_fill(word, 1, 4)), run_on(0, "read", FROM_ALL); }
static void host_before_without_acquire(void) { WORKS(hsa_amd_memory_fill(word, 1, 4)), run_on(0, "read", FROM_AGENT); }
static void host_uses_the_signal_again(void) {
  run_on(0, "write", ALL);
  wait_zero(done);
  hsa_signal_store_relaxed(done, 0); /* as programs that use a signal again */
  WORKS(hsa_memory_copy(host, word, 4));
}
static void host_agrees_by_memory(void) { run_on(0, "agreed", ALL), WORKS(hsa_memory_copy(host, word, 4)); }
static void copy(bool behind) {
  run_on(0, "write", ALL);
  hsa_signal_t copied = new_signal(1);
  WORKS(hsa_amd_memory_async_copy(host, gpus[0], word, gpus[0], 4, behind, behind ? &done : NULL, copied));
  wait_zero(copied);
}
static void copy_behind_a_signal(void) { copy(true); }
static void copy_at_once(void) { copy(false); }
static void two_agents(const char *name, const void *where) {
  arguments[0] = (uintptr_t)where;
  run_on(0, name, ALL), run_on(1, name, ALL);
}
static void two_agents_write(void) { two_agents("write", fine); }
static void two_agents_and_a_signal(void) { two_queues_and_a_signal(); }
static void two_agents_and_agents_fences(void) {
  run_on(0, "write", TO_AGENT), await(1, FROM_AGENT), run_on(1, "change", FROM_AGENT);
}
static void two_agents_of_agents_scope(void) { two_agents("agent", fine); }
static void two_agents_of_systems_scope(void) { two_agents("system", fine); }
static void two_agents_coarse(void) { two_agents("system", word); }
static void one_agent_of_agents_scope(void) { two_agents("agent", word); }
static void agreed(void) { two_agents("agreed", word); }

#define ORDERS "and no signal or barrier bit orders the two"
#define FENCES(scope) "and no release and acquire fences of the " scope "'s scope stand between them"
static const struct {
  const char *name;
  void (*run)(void);
  const char *found; /* NULL: nothing */
  unsigned agents;
} cases[] = {
#define CASE(name, found, agents) {#name, name, found, agents}
    CASE(two_queues, ORDERS, 1),
    CASE(two_queues_one_reads, ORDERS, 1),
    CASE(two_queues_read, NULL, 1),
    CASE(two_queues_and_a_signal, NULL, 1),
    CASE(two_queues_and_the_host, NULL, 1),
    CASE(a_signal_without_fences, FENCES("agent"), 1),
    CASE(fences_of_a_barrier, FENCES("system"), 1),
    CASE(one_queue, ORDERS, 1),
    CASE(one_queue_and_barrier_bit, NULL, 1),
    CASE(no_acquire, FENCES("agent"), 1),
    CASE(no_release, FENCES("agent"), 1),
    CASE(acquired_by_another, NULL, 1),
    CASE(host_does_not_wait, ORDERS, 1),
    CASE(host_writes_what_is_read, ORDERS, 1),
    CASE(host_waits, NULL, 1),
    CASE(host_waits_without_release, FENCES("system"), 1),
    CASE(host_before, NULL, 1),
    CASE(host_before_without_acquire, FENCES("system"), 1),
    CASE(host_uses_the_signal_again, NULL, 1),
    CASE(host_agrees_by_memory, NULL, 1),
    CASE(copy_behind_a_signal, NULL, 1),
    CASE(copy_at_once, ORDERS, 1),
    CASE(two_agents_write, ORDERS, 2),
    CASE(two_agents_and_a_signal, NULL, 2),
    CASE(two_agents_and_agents_fences, FENCES("system"), 2),
    CASE(two_agents_of_agents_scope, "which are of two agents, by atomics of less than the system's scope", 2),
    CASE(two_agents_of_systems_scope, NULL, 2),
    CASE(two_agents_coarse, "which are of two agents, in coarse-grained memory", 2),
    CASE(one_agent_of_agents_scope, NULL, 1),
    CASE(agreed, NULL, 1),
};

/* What a case writes to stderr. */
static void run_case(size_t i, char *written, size_t size) {
  int ends[2], status;
  size_t got = 0;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    begin(cases[i].agents);
    cases[i].run();
    end();
    _exit(0);
  }
  close(ends[1]);
  for (ssize_t more = 1; more > 0 && got < size - 1; got += (size_t)(more > 0 ? more : 0))
    more = read(ends[0], written + got, size - 1 - got);
  written[got] = 0;
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

static void races_are_told_and_nothing_else(void **state) {
  (void)state;
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char written[8192];
    run_case(i, written, sizeof written);
    bool fine = cases[i].found ? strstr(written, cases[i].found) && strstr(written, "[races]") : !*written;
    wrong += !fine;
    if (!fine)
      printf("%s: expected %s\n%s\n", cases[i].name, cases[i].found ? cases[i].found : "nothing", written);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(races_are_told_and_nothing_else)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
