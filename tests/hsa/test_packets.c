/* Packets: what kernels see of their compute units, priorities, scratch by the packet's word, agent dispatches that a
 * kernel gives the host, commands of the packet processor (PM4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "packets.h"

#define SCRATCH_KERNEL(name, body)                                                                                     \
  ".text\n.globl " name "\n.p2align 8\n.type " name ",@function\n" name ":\n" body "  s_endpgm\n.size " name           \
  ", .-" name "\n.rodata\n.p2align 6\n.amdhsa_kernel " name "\n  .amdhsa_next_free_vgpr 8\n"                           \
  "  .amdhsa_next_free_sgpr 16\n  .amdhsa_user_sgpr_private_segment_buffer 1\n"                                        \
  "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n"                                                                        \
  "  .amdhsa_system_sgpr_private_segment_wavefront_offset 1\n  .amdhsa_uses_dynamic_stack 1\n.end_amdhsa_kernel\n"

/* `where` stores HW_ID for each work-group. `ask` writes an agent dispatch into a slot, rings, waits for the answer and
 * counts it up. `deep` writes and reads a word of scratch 4000 bytes deep. */
static const char source[] = KERNEL("where", ARGUMENTS
                                    "  s_getreg_b32 s8, hwreg(HW_REG_HW_ID)\n  s_lshl_b32 s9, s2, 2\n"
                                    "  s_add_u32 s4, s4, s9\n  s_addc_u32 s5, s5, 0\n"
                                    "  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  v_mov_b32 v2, s8\n  s_mov_b64 exec, 1\n"
                                    "  global_store_dword v[0:1], v2, off\n")
    KERNEL("meet", ARGUMENTS "  s_mov_b64 exec, 1\n  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  v_mov_b32 v2, 1\n"
                             "  v_mov_b32 v4, s6\n  v_mov_b32 v5, s7\n  global_atomic_add v[0:1], v2, off\n"
                             "0:\n  s_sleep 1\n  global_load_dword v3, v[4:5], off glc\n  s_waitcnt vmcnt(0)\n"
                             "  v_cmp_eq_u32 vcc, 0, v3\n  s_cbranch_vccnz 0b\n")
        KERNEL("ask", ARGUMENTS
               "  s_load_dwordx2 s[8:9], s[0:1], 0x10\n  s_waitcnt lgkmcnt(0)\n  s_mov_b64 exec, 1\n"
               "  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  v_mov_b32 v2, 41\n  v_mov_b32 v3, 0\n"
               "  global_store_dwordx2 v[0:1], v[2:3], off offset:16\n  v_mov_b32 v2, s8\n  v_mov_b32 v3, s9\n"
               "  global_store_dwordx2 v[0:1], v[2:3], off offset:8\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v2, 0x12340004\n"
               "  global_store_dword v[0:1], v2, off\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v4, s6\n  v_mov_b32 v5, s7\n"
               "  v_mov_b32 v2, 0\n  v_mov_b32 v3, 0\n  global_atomic_swap_x2 v[4:5], v[2:3], off offset:8\n"
               "  s_mov_b32 m0, 1\n  s_sendmsg sendmsg(MSG_INTERRUPT)\n  v_mov_b32 v4, s8\n  v_mov_b32 v5, s9\n"
               "1:\n  s_sleep 4\n  global_load_dword v6, v[4:5], off glc\n  s_waitcnt vmcnt(0)\n"
               "  v_cmp_eq_u32 vcc, 0, v6\n  s_cbranch_vccnz 1b\n"
               "  v_add_u32 v6, 1, v6\n  global_store_dword v[4:5], v6, off\n")
            SCRATCH_KERNEL("deep",
                           "  s_load_dwordx2 s[8:9], s[4:5], 0x0\n  s_waitcnt lgkmcnt(0)\n  v_add_u32 v1, 7, v0\n"
                           "  buffer_store_dword v1, off, s[0:3], s7 offset:4000\n  s_waitcnt vmcnt(0)\n"
                           "  buffer_load_dword v2, off, s[0:3], s7 offset:4000\n  s_waitcnt vmcnt(0)\n"
                           "  v_lshlrev_b32 v3, 2, v0\n  global_store_dword v3, v2, s[8:9]\n")
                KERNEL("debugtrap", "  v_mov_b32 v0, 5\n  s_trap 1\n") KERNEL("breakpoint", "  s_trap 3\n");

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

/* ---- compute units, priorities, scratch -------------------------------------------------------------------------- */

/* The unit as the mask counts it: its place in its engine, whose number is lowest. */
static unsigned unit_of(uint32_t hw_id) { return (hw_id >> 8 & 15) * 4 + (hw_id >> 13 & 3); }

static void work_groups_run_on_the_units_of_the_mask(void **state) {
  (void)state;
  enum { GROUPS = 256 };
  hsa_queue_t *queue = new_queue(64);
  hsa_signal_t done = new_signal(1);
  uint32_t *found = memory(4 * GROUPS), mask[2] = {0x00010020, 0x80000000};
  uint64_t *arguments = memory(64), seen = 0;
  WORKS(hsa_amd_queue_cu_set_mask(queue, 64, mask));
  arguments[0] = (uintptr_t)found;
  hsa_kernel_dispatch_packet_t packet = packet_of(kernel("where"), arguments);
  packet.grid_size_x = 64 * GROUPS;
  packet.completion_signal = done;
  enqueue(queue, &packet);
  assert_int_equal(wait_zero(done), 0);
  for (int i = 0; i < GROUPS; i++)
    seen |= 1ull << unit_of(found[i]);
  assert_int_equal(seen & ~(mask[0] | (uint64_t)mask[1] << 32), 0);
  mask[0] = mask[1] = 0;
  assert_int_equal(hsa_amd_queue_cu_set_mask(queue, 64, mask), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_amd_queue_cu_set_mask(queue, 0, NULL));
  WORKS(hsa_amd_queue_cu_get_mask(queue, 64, mask));
  assert_int_equal(mask[0] & mask[1], UINT32_MAX);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(done));
}

/* The lower one gives way to the higher one, which waits for it. */
static void queues_of_all_priorities_wait_for_each_other(void **state) {
  (void)state;
  hsa_queue_t *queues[3];
  hsa_signal_t done = new_signal(3);
  uint32_t *words = memory(64);
  for (int i = 0; i < 3; i++) {
    uint64_t *arguments = memory(64);
    arguments[0] = (uintptr_t)&words[i];
    arguments[1] = (uintptr_t)&words[(i + 1) % 3];
    queues[i] = new_queue(64);
    WORKS(hsa_amd_queue_set_priority(queues[i], (hsa_amd_queue_priority_t)i));
    dispatch(queues[i], kernel("meet"), arguments, done);
  }
  assert_int_equal(wait_zero(done), 0);
  assert_int_equal(hsa_amd_queue_set_priority(queues[0], 3), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  for (int i = 0; i < 3; i++)
    WORKS(hsa_queue_destroy(queues[i]));
  WORKS(hsa_signal_destroy(done));
}

/* As for a call stack that the compiler could not count: the packet says more than the kernel does. */
static void scratch_is_as_large_as_the_packet_says(void **state) {
  (void)state;
  hsa_queue_t *queue = new_queue(64);
  hsa_signal_t done = new_signal(1);
  uint32_t *found = memory(4 * 64);
  uint64_t *arguments = memory(64);
  arguments[0] = (uintptr_t)found;
  hsa_kernel_dispatch_packet_t packet = packet_of(kernel("deep"), arguments);
  for (uint32_t size = 4096; size <= 65536; size <<= 4) {
    packet.private_segment_size = size;
    packet.completion_signal = done;
    hsa_signal_store_relaxed(done, 1);
    enqueue(queue, &packet);
    assert_int_equal(wait_zero(done), 0);
    for (uint32_t i = 0; i < 64; i++)
      assert_int_equal(found[i], i + 7);
  }
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(done));
}

static void traps_of_debuggers(void **state) {
  (void)state;
  hsa_queue_t *queue = new_queue(64);
  hsa_signal_t done = new_signal(1);
  dispatch(queue, kernel("breakpoint"), NULL, done); /* goes on, as there is no debugger */
  assert_int_equal(wait_zero(done), 0);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(done));
  hsa_kernel_dispatch_packet_t packet = packet_of(kernel("debugtrap"), NULL);
  expect_failure(&packet, HSA_STATUS_ERROR_EXCEPTION);
}

/* ---- agent dispatches -------------------------------------------------------------------------------------------- */

static void a_kernel_asks_the_host_by_an_agent_dispatch(void **state) {
  (void)state;
  hsa_queue_t *queue = new_queue(64), *services;
  hsa_signal_t doorbell = new_signal(-1), done = new_signal(1);
  WORKS(
      hsa_soft_queue_create(kernarg, 16, HSA_QUEUE_TYPE_MULTI, HSA_QUEUE_FEATURE_AGENT_DISPATCH, doorbell, &services));
  hsa_agent_dispatch_packet_t *slot = services->base_address;
  uint32_t *answer = memory(64);
  uint64_t *arguments = memory(64);
  arguments[0] = (uintptr_t)slot;
  arguments[1] = doorbell.handle;
  arguments[2] = (uintptr_t)answer;
  dispatch(queue, kernel("ask"), arguments, done);
  assert_int_equal(wait_zero(doorbell), 0);
  assert_int_equal(slot->header & 0xff, HSA_PACKET_TYPE_AGENT_DISPATCH);
  assert_int_equal(slot->type, 0x1234);
  assert_ptr_equal(slot->return_address, answer);
  __atomic_store_n((uint32_t *)slot->return_address, (uint32_t)slot->arg[0] + 1, __ATOMIC_RELEASE);
  assert_int_equal(wait_zero(done), 0);
  assert_int_equal(*answer, 43);
  WORKS(hsa_queue_destroy(services));
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(doorbell));
  WORKS(hsa_signal_destroy(done));
  hsa_agent_dispatch_packet_t packet = {.header = HSA_PACKET_TYPE_AGENT_DISPATCH, .type = 1};
  expect_failure(&packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT); /* a GPU takes none */
}

/* ---- PM4 --------------------------------------------------------------------------------------------------------- */

#define COMMAND(opcode, words) (3u << 30 | (uint32_t)((words)-1) << 16 | (opcode) << 8)
#define ADDRESS(p) (uint32_t)(uintptr_t)(p), (uint32_t)((uintptr_t)(p) >> 32)
enum {
  NOP = 0x10,
  WRITE_DATA = 0x37,
  WAIT_MEMORY = 0x3c,
  INDIRECT_BUFFER = 0x3f,
  COPY_DATA = 0x40,
  RELEASE_MEM = 0x49,
  DMA_DATA = 0x50,
  ACQUIRE_MEM = 0x58,
  SET_SH_REG = 0x76
};

struct pm4_packet {
  uint16_t header, format;
  uint32_t jump[4], words_after, reserved[8];
  hsa_signal_t completion;
};

static struct pm4_packet pm4(const uint32_t *commands, size_t words) {
  return (struct pm4_packet){.header = HSA_PACKET_TYPE_VENDOR_SPECIFIC,
                             .format = 1,
                             .words_after = 10,
                             .jump = {COMMAND(INDIRECT_BUFFER, 3), ADDRESS(commands), (uint32_t)words | 1 << 23}};
}

static void commands_write_copy_fill_and_wait(void **state) {
  (void)state;
  hsa_queue_t *queue = new_queue(64);
  uint32_t *data = memory(4096), *commands = memory(4096), *inner = memory(4096);
  uint64_t *end = (uint64_t *)(void *)(data + 100);
  const uint32_t nested[] = {COMMAND(WRITE_DATA, 4), 5 << 8, ADDRESS(&data[50]), 77};
  memcpy(inner, nested, sizeof nested);
  const uint32_t list[] = {COMMAND(ACQUIRE_MEM, 6),
                           0,
                           0,
                           0,
                           0,
                           0,
                           0,
                           COMMAND(NOP, 0x4000),
                           2u << 30,
                           COMMAND(SET_SH_REG, 2),
                           0x204,
                           64,
                           COMMAND(WRITE_DATA, 5),
                           5 << 8 | 1 << 20,
                           ADDRESS(&data[0]),
                           11,
                           12,
                           COMMAND(COPY_DATA, 5),
                           1 | 5 << 8 | 1 << 16,
                           ADDRESS(&data[0]),
                           ADDRESS(&data[2]),
                           COMMAND(COPY_DATA, 5),
                           5 | 5 << 8,
                           13,
                           0,
                           ADDRESS(&data[4]),
                           COMMAND(DMA_DATA, 6),
                           2u << 29,
                           0x01020304,
                           0,
                           ADDRESS(&data[16]),
                           10,
                           COMMAND(DMA_DATA, 6),
                           0,
                           ADDRESS(&data[0]),
                           ADDRESS(&data[32]),
                           12,
                           COMMAND(INDIRECT_BUFFER, 3),
                           ADDRESS(inner),
                           sizeof nested / 4,
                           COMMAND(WAIT_MEMORY, 6),
                           3 | 1 << 4,
                           ADDRESS(&data[64]),
                           5,
                           0xff,
                           4,
                           COMMAND(RELEASE_MEM, 7),
                           0x14,
                           2u << 29,
                           ADDRESS(end),
                           0x89abcdef,
                           0x01234567,
                           0,
                           COMMAND(RELEASE_MEM, 7),
                           0x14,
                           3u << 29,
                           ADDRESS(end + 1),
                           0,
                           0,
                           0};
  memcpy(commands, list, sizeof list);
  struct pm4_packet packet = pm4(commands, sizeof list / 4);
  packet.completion = new_signal(1);
  enqueue(queue, &packet);
  while (__atomic_load_n(&data[50], __ATOMIC_ACQUIRE) != 77) /* and there it waits */
    continue;
  assert_int_equal(hsa_signal_load_scacquire(packet.completion), 1);
  assert_int_equal(end[0], 0);
  __atomic_store_n(&data[64], 0x105, __ATOMIC_RELEASE);
  assert_int_equal(wait_zero(packet.completion), 0);
  const uint32_t first[] = {11, 12, 11, 12, 13, 0}, filled[] = {0x01020304, 0x01020304, 0x0304, 0};
  assert_memory_equal(data, first, sizeof first);
  assert_memory_equal(&data[16], filled, sizeof filled);
  assert_memory_equal(&data[32], first, 12);
  assert_int_equal(data[35], 0);
  assert_int_equal(end[0], 0x0123456789abcdef);
  uint64_t now;
  WORKS(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &now));
  assert_true(end[1] && end[1] <= now / 10);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(packet.completion));
}

static void wrong_commands_stop_the_queue(void **state) {
  (void)state;
  uint32_t *commands = memory(4096);
  const uint32_t wrong[][6] = {{COMMAND(0x7f, 1)},                             /* no command */
                               {COMMAND(WRITE_DATA, 3000)},                    /* cut short */
                               {COMMAND(WRITE_DATA, 2)},                       /* too short */
                               {COMMAND(WRITE_DATA, 4), 5 << 8, 0x1000, 0, 1}, /* to where nothing is */
                               {COMMAND(WRITE_DATA, 4), 5 << 8, ADDRESS((char *)commands + 2), 1}, /* not aligned */
                               {COMMAND(INDIRECT_BUFFER, 3), 0x1000, 0, 4},         /* from where nothing is */
                               {COMMAND(INDIRECT_BUFFER, 3), ADDRESS(commands), 6}, /* leads to itself */
                               {0x12345678}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    memcpy(commands, wrong[i], sizeof wrong[i]);
    struct pm4_packet packet = pm4(commands, 6);
    expect_failure(&packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
  }
  struct pm4_packet packet = pm4(commands, 6);
  packet.jump[0] = COMMAND(NOP, 3);
  expect_failure(&packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(work_groups_run_on_the_units_of_the_mask),
      cmocka_unit_test(queues_of_all_priorities_wait_for_each_other),
      cmocka_unit_test(scratch_is_as_large_as_the_packet_says),
      cmocka_unit_test(traps_of_debuggers),
      cmocka_unit_test(a_kernel_asks_the_host_by_an_agent_dispatch),
      cmocka_unit_test(commands_write_copy_fill_and_wait),
      cmocka_unit_test(wrong_commands_stop_the_queue),
  };
  return cmocka_run_group_tests(tests, open_runtime, close_runtime);
}
