/* packets.h - what tests of queues share: kernels loaded on the first GPU, memory, signals, packets. */
#ifndef TESTS_HSA_PACKETS_H
#define TESTS_HSA_PACKETS_H

#include <hsa/amd_hsa_queue.h>
#include <hsa/hsa_ext_amd.h>
#include <string.h>

#include "code.h"

#define KERNEL(name, body)                                                                                           \
  ".text\n.globl " name "\n.p2align 8\n.type " name ",@function\n" name ":\n" body "  s_endpgm\n.size " name ", .-"  \
  name "\n.rodata\n.p2align 6\n.amdhsa_kernel " name "\n  .amdhsa_next_free_vgpr 8\n"                                \
  "  .amdhsa_next_free_sgpr 16\n  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\n"
#define ARGUMENTS "  s_load_dwordx4 s[4:7], s[0:1], 0x0\n  s_waitcnt lgkmcnt(0)\n"

static hsa_agent_t gpus[16];
static hsa_executable_t executable;
static hsa_region_t kernarg;

static inline hsa_status_t keep_kernarg(hsa_region_t region, void *data) {
  uint32_t flags;
  WORKS(hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags));
  if (flags & HSA_REGION_GLOBAL_FLAG_KERNARG)
    *(hsa_region_t *)data = region;
  return HSA_STATUS_SUCCESS;
}

/* Kernels of a code object for so many agents. */
static inline void open_code(unsigned agents, const void *code, size_t size) {
  hsa_code_object_reader_t reader;
  WORKS(hsa_init());
  find_gpus(gpus);
  WORKS(hsa_agent_iterate_regions(gpus[0], keep_kernarg, &kernarg));
  WORKS(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable));
  WORKS(hsa_code_object_reader_create_from_memory(code, size, &reader));
  for (unsigned i = 0; i < agents; i++)
    WORKS(hsa_executable_load_agent_code_object(executable, gpus[i], reader, NULL, NULL));
  WORKS(hsa_executable_freeze(executable, NULL));
  WORKS(hsa_code_object_reader_destroy(reader));
}

/* Kernels of a source for so many agents of a processor. */
static inline void open_kernels_for(const char *processor, unsigned agents, const char *source) {
  char target[64];
  snprintf(target, sizeof target, "amdgcn-amd-amdhsa--%s", processor);
  struct og_buffer code = code_of(target, 4, source);
  open_code(agents, code.data, code.size);
  og_buffer_free(&code);
}

static inline void open_kernels(const char *source) { open_kernels_for("gfx906", 1, source); }

static inline void close_kernels(void) {
  WORKS(hsa_executable_destroy(executable));
  WORKS(hsa_shut_down());
}

static inline hsa_signal_t new_signal(hsa_signal_value_t value) {
  hsa_signal_t signal = {0};
  WORKS(hsa_signal_create(value, 0, NULL, &signal));
  return signal;
}

static inline int64_t wait_zero(hsa_signal_t signal) {
  return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
}

static inline uint64_t kernel_on(hsa_agent_t agent, const char *name) {
  hsa_executable_symbol_t symbol;
  uint64_t object = 0;
  char descriptor[64];
  snprintf(descriptor, sizeof descriptor, "%s.kd", name);
  WORKS(hsa_executable_get_symbol_by_name(executable, descriptor, &agent, &symbol));
  WORKS(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));
  return object;
}

static inline uint64_t kernel(const char *name) { return kernel_on(gpus[0], name); }

static inline void *memory(size_t size) {
  void *address = NULL;
  WORKS(hsa_memory_allocate(kernarg, size, &address));
  return address;
}

/* Writes a packet behind its header, then the header, then rings. */
static inline void enqueue(hsa_queue_t *queue, const void *packet) {
  uint64_t index = hsa_queue_add_write_index_scacq_screl(queue, 1);
  while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size)
    continue;
  char *slot = (char *)queue->base_address + index % queue->size * 64;
  memcpy(slot + 4, (const char *)packet + 4, 60);
  __atomic_store_n((uint32_t *)(void *)slot, *(const uint32_t *)packet, __ATOMIC_RELEASE);
  hsa_signal_store_screlease(queue->doorbell_signal, (int64_t)index);
}

/* One work-group of a wave of 64. */
static inline hsa_kernel_dispatch_packet_t packet_of(uint64_t object, void *arguments) {
  return (hsa_kernel_dispatch_packet_t){
      .header = HSA_PACKET_TYPE_KERNEL_DISPATCH, .setup = 1, .workgroup_size_x = 64, .workgroup_size_y = 1,
      .workgroup_size_z = 1, .grid_size_x = 64, .grid_size_y = 1, .grid_size_z = 1, .kernel_object = object,
      .kernarg_address = arguments};
}

static inline void dispatch(hsa_queue_t *queue, uint64_t object, void *arguments, hsa_signal_t completion) {
  hsa_kernel_dispatch_packet_t packet = packet_of(object, arguments);
  packet.completion_signal = completion;
  enqueue(queue, &packet);
}

static inline hsa_queue_t *new_queue(uint32_t size) {
  hsa_queue_t *queue = NULL;
  WORKS(hsa_queue_create(gpus[0], size, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue));
  return queue;
}

/* ---- packets that stop their queue ------------------------------------------------------------------------------- */

struct failure {
  hsa_signal_t told;
  hsa_status_t status;
  hsa_queue_t *queue;
};

static inline void keep_failure(hsa_status_t status, hsa_queue_t *queue, void *data) {
  struct failure *failure = data;
  failure->status = status;
  failure->queue = queue;
  hsa_signal_store_screlease(failure->told, 0);
}

static inline void expect_failure(const void *packet, hsa_status_t expected) {
  struct failure failure = {.told = new_signal(1)};
  hsa_queue_t *queue;
  WORKS(hsa_queue_create(gpus[0], 64, HSA_QUEUE_TYPE_MULTI, keep_failure, &failure, 0, 0, &queue));
  enqueue(queue, packet);
  assert_int_equal(wait_zero(failure.told), 0);
  assert_int_equal(failure.status, expected);
  assert_ptr_equal(failure.queue, queue);
  hsa_signal_t inactive = ((amd_queue_t *)(void *)queue)->queue_inactive_signal;
  assert_int_equal(hsa_signal_load_relaxed(inactive), expected);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_signal_destroy(failure.told));
}

#endif
