/* Locked and registered memory, what is said of an address, access, callbacks when memory goes; and that a kernel
 * reaches locked memory at the address that the lock gave it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <hsa/hsa_ext_amd.h>

#include "pools.h"

enum { SIZE = 10000 };

static hsa_amd_pointer_info_t info_of(const void *pointer) {
  hsa_amd_pointer_info_t info = {.size = sizeof info};
  WORKS(hsa_amd_pointer_info(pointer, &info, NULL, NULL, NULL));
  return info;
}

static void locked_memory_has_two_addresses(void **state) {
  (void)state;
  uint8_t *host = malloc(SIZE), *at, *again, copy[16];
  memset(host, 1, SIZE);
  WORKS(hsa_amd_memory_lock(host, SIZE, gpus, 1, (void **)&at));
  assert_ptr_not_equal(at, host);
  const uint8_t *both[] = {host, at};
  for (int i = 0; i < 2; i++) {
    hsa_amd_pointer_info_t info = info_of(both[i] + 100);
    assert_int_equal(info.type, HSA_EXT_POINTER_TYPE_LOCKED);
    assert_ptr_equal(info.hostBaseAddress, host);
    assert_ptr_equal(info.agentBaseAddress, at);
    assert_int_equal(info.sizeInBytes, SIZE);
  }
  host[50] = 9;
  WORKS(hsa_memory_copy(copy, at + 50, 1)); /* the library takes either */
  assert_int_equal(copy[0], 9);
  WORKS(hsa_memory_copy(at + SIZE - 1, copy, 1));
  assert_int_equal(host[SIZE - 1], 9);
  assert_int_equal(hsa_memory_copy(at + SIZE - 1, copy, 2), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_amd_memory_lock(host, SIZE, NULL, 0, (void **)&again)); /* locks nest */
  assert_ptr_not_equal(again, at);
  WORKS(hsa_amd_memory_unlock(host));
  assert_int_equal(info_of(host).type, HSA_EXT_POINTER_TYPE_LOCKED);
  WORKS(hsa_amd_memory_unlock(host));
  assert_int_equal(info_of(host).type, HSA_EXT_POINTER_TYPE_UNKNOWN);
  assert_int_equal(info_of(at).type, HSA_EXT_POINTER_TYPE_UNKNOWN);
  assert_int_equal(hsa_amd_memory_unlock(host), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_memory_lock(NULL, 1, NULL, 0, (void **)&at), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_memory_lock(host, SIZE, &(hsa_agent_t){5}, 1, (void **)&at), HSA_STATUS_ERROR_INVALID_AGENT);
  assert_int_equal(hsa_amd_memory_lock_to_pool(host, SIZE, gpus, 1, pool, 0, (void **)&at),
                   (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL); /* a GPU's */
  WORKS(hsa_memory_register(host, SIZE));
  WORKS(hsa_memory_register(host + 10, 20));
  WORKS(hsa_memory_deregister(host + 10, 20));
  WORKS(hsa_memory_deregister(host, SIZE));
  free(host);
}

static void pools_memory_is_known_by_every_address_in_it(void **state) {
  (void)state;
  uint8_t *memory;
  WORKS(hsa_amd_memory_pool_allocate(pool, SIZE, 0, (void **)&memory));
  hsa_amd_pointer_info_t info = info_of(memory + SIZE - 1);
  assert_int_equal(info.type, HSA_EXT_POINTER_TYPE_HSA);
  assert_ptr_equal(info.agentBaseAddress, memory);
  assert_int_equal(info.agentOwner.handle, gpus[0].handle);
  assert_true(info.sizeInBytes >= SIZE);
  uint32_t count;
  hsa_agent_t *agents;
  WORKS(hsa_amd_pointer_info(memory, &info, malloc, &count, &agents));
  assert_int_equal(count, 1);
  assert_int_equal(agents[0].handle, gpus[0].handle);
  free(agents);
  WORKS(hsa_amd_agents_allow_access(1, &gpus[1], NULL, memory));
  WORKS(hsa_amd_pointer_info(memory, &info, malloc, &count, &agents));
  assert_int_equal(count, 2);
  free(agents);
  assert_int_equal(hsa_amd_agents_allow_access(1, &gpus[1], NULL, &info), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_agents_allow_access(0, &gpus[1], NULL, memory), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_amd_pointer_info_set_userdata(memory, &count));
  assert_ptr_equal(info_of(memory).userData, &count);
  assert_int_equal(hsa_amd_pointer_info_set_userdata(&count, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  struct {
    hsa_amd_pointer_info_t info;
    uint8_t behind;
  } old = {.info.size = offsetof(hsa_amd_pointer_info_t, userData), .behind = 1};
  memset(&old.info.userData, 0x77, sizeof old.info - offsetof(hsa_amd_pointer_info_t, userData));
  WORKS(hsa_amd_pointer_info(memory, &old.info, NULL, NULL, NULL)); /* a shorter struct stays within its size */
  assert_int_equal(old.info.size, offsetof(hsa_amd_pointer_info_t, userData));
  assert_int_equal(old.info.global_flags, 0x77777777);
  bool can = true;
  WORKS(hsa_amd_memory_pool_can_migrate(pool, pool, &can));
  WORKS(hsa_amd_memory_migrate(memory, pool, 0));
  WORKS(hsa_amd_memory_pool_free(memory));
  assert_int_equal(info_of(memory).type, HSA_EXT_POINTER_TYPE_UNKNOWN);
}

static void say(void *pointer, void *data) {
  *(void **)data = pointer;
}

static void who_asked_hears_when_memory_goes(void **state) {
  (void)state;
  uint8_t *memory;
  void *first = NULL, *second = NULL, *third = NULL;
  WORKS(hsa_amd_memory_pool_allocate(pool, SIZE, 0, (void **)&memory));
  WORKS(hsa_amd_register_deallocation_callback(memory, say, &first));
  WORKS(hsa_amd_register_deallocation_callback(memory + 8, say, &second));
  WORKS(hsa_amd_register_deallocation_callback(memory + 16, say, &third));
  WORKS(hsa_amd_deregister_deallocation_callback(memory + 16, say));
  assert_int_equal(hsa_amd_deregister_deallocation_callback(memory + 16, say), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_register_deallocation_callback(&memory, say, &third), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  WORKS(hsa_amd_memory_pool_free(memory));
  assert_ptr_equal(first, memory);
  assert_ptr_equal(second, memory + 8);
  assert_null(third);
}

/* The kernel adds 1 to the dwords at the address in its arguments, one for each lane. */
static const char kernel[] =
    ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n"
    "  s_load_dwordx2 s[0:1], s[4:5], 0x0\n  v_lshlrev_b32_e32 v0, 2, v0\n  s_waitcnt lgkmcnt(0)\n"
    "  v_mov_b32_e32 v2, s1\n  v_add_co_u32_e32 v1, vcc, s0, v0\n  v_addc_co_u32_e32 v2, vcc, 0, v2, vcc\n"
    "  global_load_dword v3, v[1:2], off\n  s_waitcnt vmcnt(0)\n  v_add_u32_e32 v3, 1, v3\n"
    "  global_store_dword v[1:2], v3, off\n  s_endpgm\n.Lend:\n.size k, .Lend-k\n"
    ".rodata\n.p2align 6\n.amdhsa_kernel k\n  .amdhsa_next_free_vgpr 8\n  .amdhsa_next_free_sgpr 16\n"
    "  .amdhsa_user_sgpr_dispatch_ptr 1\n  .amdhsa_user_sgpr_queue_ptr 1\n  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
    "  .amdhsa_kernarg_size 8\n.end_amdhsa_kernel\n";

static void run(hsa_queue_t *queue, uint64_t object, void *arguments) {
  hsa_signal_t done;
  WORKS(hsa_signal_create(1, 0, NULL, &done));
  uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
  hsa_kernel_dispatch_packet_t *packet = (hsa_kernel_dispatch_packet_t *)queue->base_address + index % queue->size;
  memset(packet, 0, sizeof *packet);
  packet->setup = 1;
  packet->workgroup_size_x = packet->grid_size_x = 64;
  packet->workgroup_size_y = packet->workgroup_size_z = packet->grid_size_y = packet->grid_size_z = 1;
  packet->kernel_object = object;
  packet->kernarg_address = arguments;
  packet->completion_signal = done;
  __atomic_store_n((uint32_t *)packet, HSA_PACKET_TYPE_KERNEL_DISPATCH | 1u << 16, __ATOMIC_RELEASE);
  hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
  hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  WORKS(hsa_signal_destroy(done));
}

static void kernels_reach_locked_and_registered_memory(void **state) {
  (void)state;
  struct og_buffer code = code_of("gfx906", 4, kernel);
  hsa_code_object_reader_t reader;
  hsa_executable_t executable;
  hsa_executable_symbol_t symbol;
  hsa_queue_t *queue;
  uint64_t object;
  void **arguments;
  uint32_t *host = calloc(200, 4), *at;
  WORKS(hsa_code_object_reader_create_from_memory(code.data, code.size, &reader));
  WORKS(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable));
  WORKS(hsa_executable_load_agent_code_object(executable, gpus[0], reader, NULL, NULL));
  WORKS(hsa_executable_freeze(executable, NULL));
  WORKS(hsa_executable_get_symbol_by_name(executable, "k.kd", &gpus[0], &symbol));
  WORKS(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));
  WORKS(hsa_queue_create(gpus[0], 64, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, 0, 0, &queue));
  WORKS(hsa_amd_memory_pool_allocate(pool, 64, 0, (void **)&arguments));
  WORKS(hsa_amd_memory_lock(host, 800, gpus, 1, (void **)&at));
  for (int i = 0; i < 100; i++) {
    arguments[0] = at + i;
    run(queue, object, arguments);
  }
  arguments[0] = host; /* the same memory */
  run(queue, object, arguments);
  assert_int_equal(host[63], 65);
  assert_int_equal(host[162], 1);
  assert_int_equal(host[163], 0);
  WORKS(hsa_amd_memory_unlock(host));
  WORKS(hsa_memory_register(host, 800));
  run(queue, object, arguments);
  assert_int_equal(host[63], 66);
  WORKS(hsa_memory_deregister(host, 800));
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_executable_destroy(executable));
  WORKS(hsa_code_object_reader_destroy(reader));
  WORKS(hsa_amd_memory_pool_free(arguments));
  free(host);
  og_buffer_free(&code);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(locked_memory_has_two_addresses),
      cmocka_unit_test(pools_memory_is_known_by_every_address_in_it),
      cmocka_unit_test(who_asked_hears_when_memory_goes),
      cmocka_unit_test(kernels_reach_locked_and_registered_memory),
  };
  return cmocka_run_group_tests(tests, open_runtime, close_runtime);
}
