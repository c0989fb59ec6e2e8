/* Addresses reserved first and backed later: what is mapped where, by whom it is reached, twice mapped, passed on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "hsa/vmem.h"
#include "packets.h"

enum { SIZE = 1 << 16 };
static hsa_amd_memory_pool_t pool;
static hsa_agent_t cpu;

static const char source[] =
    KERNEL("add", ARGUMENTS "  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  v_mov_b32 v2, 1\n  s_mov_b64 exec, 1\n"
                            "  global_load_dword v3, v[0:1], off\n  s_waitcnt vmcnt(0)\n  v_add_u32 v2, v2, v3\n"
                            "  global_store_dword v[0:1], v2, off\n");

static hsa_status_t keep_pool(hsa_amd_memory_pool_t found, void *data) {
  *(hsa_amd_memory_pool_t *)data = found;
  return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t keep_cpu(hsa_agent_t agent, void *data) {
  hsa_device_type_t type;
  WORKS(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_CPU)
    *(hsa_agent_t *)data = agent;
  return HSA_STATUS_SUCCESS;
}

static int open_runtime(void **state) {
  (void)state;
  open_kernels(source);
  WORKS(hsa_iterate_agents(keep_cpu, &cpu));
  hsa_amd_agent_iterate_memory_pools(gpus[0], keep_pool, &pool);
  return 0;
}

static int close_runtime(void **state) {
  (void)state;
  close_kernels();
  return 0;
}

static hsa_kernel_dispatch_packet_t add_to(void *word) {
  uint64_t *arguments = memory(64);
  arguments[0] = (uintptr_t)word;
  return packet_of(kernel("add"), arguments);
}

static void run_add(void *word) {
  hsa_queue_t *queue = new_queue(64);
  hsa_kernel_dispatch_packet_t packet = add_to(word);
  packet.completion_signal = new_signal(1);
  enqueue(queue, &packet);
  assert_int_equal(wait_zero(packet.completion_signal), 0);
  WORKS(hsa_signal_destroy(packet.completion_signal));
  WORKS(hsa_queue_destroy(queue));
}

static void allow(void *at, size_t size, hsa_access_permission_t host, hsa_access_permission_t device) {
  hsa_amd_memory_access_desc_t list[] = {{host, cpu}, {device, gpus[0]}};
  WORKS(hsa_amd_vmem_set_access(at, size, list, 2));
}

static void memory_is_mapped_where_it_was_reserved(void **state) {
  (void)state;
  char *at;
  bool supported = false;
  hsa_amd_vmem_alloc_handle_t first, second, same;
  hsa_access_permission_t access;
  WORKS(hsa_system_get_info((hsa_system_info_t)OG_HSA_INFO_VIRTUAL_MEMORY, &supported));
  assert_true(supported);
  WORKS(hsa_amd_vmem_address_reserve_align((void **)&at, 4 * SIZE, 0, 1 << 21, 0));
  assert_int_equal((uintptr_t)at % (1 << 21), 0);
  WORKS(hsa_amd_vmem_handle_create(pool, SIZE, MEMORY_TYPE_NONE, 0, &first));
  WORKS(hsa_amd_vmem_handle_create(pool, 2 * SIZE, MEMORY_TYPE_PINNED, 0, &second));
  WORKS(hsa_amd_vmem_map(at, SIZE, 0, first, 0));
  WORKS(hsa_amd_vmem_map(at + SIZE, 2 * SIZE, 0, second, 0));
  allow(at, 3 * SIZE, HSA_ACCESS_PERMISSION_RW, HSA_ACCESS_PERMISSION_RW);
  WORKS(hsa_amd_vmem_get_access(at + SIZE + 5, &access, gpus[0]));
  assert_int_equal(access, HSA_ACCESS_PERMISSION_RW);
  memset(at, 0, 3 * SIZE);
  run_add(at);
  run_add(at + SIZE);
  assert_int_equal(*(int *)(void *)at, 1);
  WORKS(hsa_memory_copy(at + 3 * SIZE - 4, at, 4));
  assert_int_equal(at[3 * SIZE - 4], 1);
  hsa_amd_pointer_info_t info = {.size = sizeof info};
  WORKS(hsa_amd_pointer_info(at + 100, &info, NULL, NULL, NULL));
  assert_int_equal(info.type, OG_HSA_POINTER_MAPPED);
  assert_int_equal(info.sizeInBytes, SIZE);
  WORKS(hsa_amd_vmem_retain_alloc_handle(&same, at + 10));
  assert_int_equal(same.handle, first.handle);
  hsa_amd_memory_pool_t its_pool;
  hsa_amd_memory_type_t type;
  WORKS(hsa_amd_vmem_get_alloc_properties_from_handle(second, &its_pool, &type));
  assert_int_equal(its_pool.handle, pool.handle);
  assert_int_equal(type, MEMORY_TYPE_PINNED);
  assert_int_equal(hsa_amd_vmem_address_free(at, 4 * SIZE), HSA_STATUS_ERROR_RESOURCE_FREE);
  /* The memory lives on where its handle does, and comes back elsewhere. */
  WORKS(hsa_amd_vmem_unmap(at, SIZE));
  WORKS(hsa_amd_vmem_map(at + 3 * SIZE, SIZE, 0, first, 0));
  allow(at + 3 * SIZE, SIZE, HSA_ACCESS_PERMISSION_RO, HSA_ACCESS_PERMISSION_RW);
  assert_int_equal(*(int *)(void *)(at + 3 * SIZE), 1);
  hsa_kernel_dispatch_packet_t gone = add_to(at);
  expect_failure(&gone, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
  WORKS(hsa_amd_vmem_unmap(at + 3 * SIZE, SIZE));
  WORKS(hsa_amd_vmem_unmap(at + SIZE, 2 * SIZE));
  WORKS(hsa_amd_vmem_handle_release(first));
  WORKS(hsa_amd_vmem_handle_release(same));
  WORKS(hsa_amd_vmem_handle_release(second));
  assert_int_equal(hsa_amd_vmem_handle_release(second), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  WORKS(hsa_amd_vmem_address_free(at, 4 * SIZE));
  assert_int_equal(hsa_amd_vmem_address_free(at, 4 * SIZE), HSA_STATUS_ERROR_INVALID_ALLOCATION);
}

static void kernels_reach_what_a_gpu_was_allowed(void **state) {
  (void)state;
  char *at;
  hsa_amd_vmem_alloc_handle_t handle;
  WORKS(hsa_amd_vmem_address_reserve((void **)&at, SIZE, 0, 0));
  WORKS(hsa_amd_vmem_handle_create(pool, SIZE, MEMORY_TYPE_NONE, 0, &handle));
  WORKS(hsa_amd_vmem_map(at, SIZE, 0, handle, 0));
  hsa_kernel_dispatch_packet_t packet = add_to(at);
  const hsa_access_permission_t none = (hsa_access_permission_t)0;
  expect_failure(&packet, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
  allow(at, SIZE, HSA_ACCESS_PERMISSION_RW, none);
  expect_failure(&packet, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
  allow(at, SIZE, HSA_ACCESS_PERMISSION_RW, HSA_ACCESS_PERMISSION_RO);
  expect_failure(&packet, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
  allow(at, SIZE, none, HSA_ACCESS_PERMISSION_RW);
  run_add(at);
  allow(at, SIZE, HSA_ACCESS_PERMISSION_RO, none);
  assert_int_equal(*at, 1);
  WORKS(hsa_amd_vmem_handle_release(handle)); /* what is mapped keeps it */
  assert_int_equal(*at, 1);
  WORKS(hsa_amd_vmem_unmap(at, SIZE));
  WORKS(hsa_amd_vmem_address_free(at, SIZE));
}

/* By a file that a child inherits, as a driver's is passed. */
static void memory_is_passed_to_other_processes(void **state) {
  (void)state;
  int file, status, pipes[2];
  char *at, ready = 1;
  hsa_amd_vmem_alloc_handle_t handle, imported;
  WORKS(hsa_amd_vmem_handle_create(pool, SIZE, MEMORY_TYPE_NONE, 0, &handle));
  WORKS(hsa_amd_vmem_export_shareable_handle(&file, handle, 0));
  WORKS(hsa_amd_vmem_import_shareable_handle(file, &imported)); /* here as well: the same memory twice */
  WORKS(hsa_amd_vmem_address_reserve((void **)&at, 2 * SIZE, 0, 0));
  WORKS(hsa_amd_vmem_map(at, SIZE, 0, handle, 0));
  WORKS(hsa_amd_vmem_map(at + SIZE, SIZE, 0, imported, 0));
  allow(at, 2 * SIZE, HSA_ACCESS_PERMISSION_RW, HSA_ACCESS_PERMISSION_RW);
  run_add(at + SIZE);
  assert_int_equal(*at, 1);
  assert_int_equal(pipe(pipes), 0);
  pid_t child = fork();
  if (child == 0) { /* the library does not live on in a child: the file does */
    int value = 0;
    _exit(read(pipes[0], &ready, 1) == 1 && pread(file, &value, 4, 0) == 4 && value == 1 &&
                  pwrite(file, &(int){77}, 4, 0) == 4
              ? 0
              : 1);
  }
  assert_int_equal(write(pipes[1], &ready, 1), 1);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(*at, 77);
  close(file);
  close(pipes[0]);
  close(pipes[1]);
  WORKS(hsa_amd_vmem_unmap(at, SIZE)); /* the rest goes with the library */
}

static void wrong_calls_are_refused(void **state) {
  (void)state;
  char *at;
  void *unused, *elsewhere = (void *)(uintptr_t)(1 << 24);
  hsa_amd_vmem_alloc_handle_t handle, none = {0};
  hsa_access_permission_t access;
  hsa_amd_memory_access_desc_t list = {HSA_ACCESS_PERMISSION_RW, gpus[0]}, nobody = {HSA_ACCESS_PERMISSION_RW, {3}};
  assert_int_equal(hsa_amd_vmem_address_reserve(&unused, 5, 0, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_vmem_address_reserve_align(&unused, SIZE, 0, 3, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_amd_vmem_address_reserve((void **)&at, SIZE, 0, 0));
  WORKS(hsa_amd_vmem_handle_create(pool, SIZE, MEMORY_TYPE_NONE, 0, &handle));
  assert_int_equal(hsa_amd_vmem_handle_create(pool, 10, MEMORY_TYPE_NONE, 0, &none), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_vmem_map(at, SIZE, 0, none, 0), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  assert_int_equal(hsa_amd_vmem_map(at, 2 * SIZE, 0, handle, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_vmem_map(at, SIZE, 4096, handle, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_vmem_map(elsewhere, SIZE, 0, handle, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_vmem_set_access(at, SIZE, &list, 1), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  WORKS(hsa_amd_vmem_map(at, SIZE, 0, handle, 0));
  assert_int_equal(hsa_amd_vmem_map(at, 4096, 0, handle, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_vmem_set_access(at, SIZE, &nobody, 1), HSA_STATUS_ERROR_INVALID_AGENT);
  assert_int_equal(hsa_amd_vmem_get_access(elsewhere, &access, gpus[0]), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  assert_int_equal(hsa_amd_memory_pool_free(at), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  assert_int_equal(hsa_amd_vmem_import_shareable_handle(-1, &none), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_amd_vmem_unmap(at, SIZE));
  WORKS(hsa_amd_vmem_handle_release(handle));
  WORKS(hsa_amd_vmem_address_free(at, SIZE));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_mapped_where_it_was_reserved),
      cmocka_unit_test(kernels_reach_what_a_gpu_was_allowed),
      cmocka_unit_test(memory_is_passed_to_other_processes),
      cmocka_unit_test(wrong_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, open_runtime, close_runtime);
}
