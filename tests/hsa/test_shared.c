/* Memory and signals of several processes, SVM attributes. The other process is this program again: the runtime's
 * threads do not come along through fork(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <hsa/hsa_ext_amd.h>

#include "pools.h"

enum { SIZE = 100000 };

struct message {
  hsa_amd_ipc_memory_t memory;
  hsa_amd_ipc_signal_t signal;
};

static hsa_signal_t shared_signal(hsa_signal_value_t value) {
  hsa_signal_t signal;
  WORKS(hsa_amd_signal_create(value, 0, NULL, HSA_AMD_SIGNAL_IPC, &signal));
  return signal;
}

static hsa_signal_value_t wait_for(hsa_signal_t signal, hsa_signal_value_t value) {
  return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, value, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
}

/* The other process: reads handles from standard input, adds 1 to each byte, counts the signal down. */
static int other_process(void) {
  struct message message;
  uint8_t *memory;
  hsa_signal_t signal;
  if (fread(&message, sizeof message, 1, stdin) != 1 || hsa_init() != HSA_STATUS_SUCCESS)
    return 1;
  if (hsa_amd_ipc_memory_attach(&message.memory, SIZE, 0, NULL, (void **)&memory) != HSA_STATUS_SUCCESS)
    return 2;
  if (hsa_amd_ipc_signal_attach(&message.signal, &signal) != HSA_STATUS_SUCCESS)
    return 3;
  hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, 2, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  for (int i = 0; i < SIZE; i++)
    memory[i]++;
  hsa_signal_subtract_screlease(signal, 1);
  if (hsa_amd_ipc_memory_detach(memory) != HSA_STATUS_SUCCESS || hsa_signal_destroy(signal) != HSA_STATUS_SUCCESS)
    return 4;
  return hsa_shut_down() == HSA_STATUS_SUCCESS ? 0 : 5;
}

static FILE *start_other(pid_t *process) {
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  *process = fork();
  if (*process == 0) {
    dup2(pipes[0], STDIN_FILENO);
    close(pipes[1]);
    execl("/proc/self/exe", "hsa_shared", "other", NULL);
    _exit(9);
  }
  close(pipes[0]);
  return fdopen(pipes[1], "w");
}

static void another_process_has_the_same_memory_and_signal(void **state) {
  (void)state;
  uint8_t *memory;
  pid_t process;
  int status;
  WORKS(hsa_amd_memory_pool_allocate(pool, SIZE, 0, (void **)&memory));
  memset(memory, 5, SIZE); /* what was there stays there */
  hsa_signal_t signal = shared_signal(3);
  struct message message;
  WORKS(hsa_amd_ipc_memory_create(memory, SIZE, &message.memory));
  WORKS(hsa_amd_ipc_signal_create(signal, &message.signal));
  FILE *other = start_other(&process);
  assert_int_equal(fwrite(&message, sizeof message, 1, other), 1);
  fclose(other);
  memory[SIZE - 1] = 100;
  hsa_signal_store_screlease(signal, 2);
  wait_for(signal, 1);
  for (int i = 0; i < SIZE - 1; i++)
    if (memory[i] != 6)
      fail_msg("byte %d is %u", i, memory[i]);
  assert_int_equal(memory[SIZE - 1], 101);
  assert_int_equal(waitpid(process, &status, 0), process);
  assert_int_equal(status, 0);
  WORKS(hsa_signal_destroy(signal));
  WORKS(hsa_amd_memory_pool_free(memory));
}

static void this_process_may_attach_as_well(void **state) {
  (void)state;
  uint32_t *memory, *again;
  hsa_amd_ipc_memory_t handle, second;
  hsa_amd_pointer_info_t info = {.size = sizeof info};
  WORKS(hsa_amd_memory_pool_allocate(pool, SIZE, 0, (void **)&memory));
  WORKS(hsa_amd_ipc_memory_create(memory, SIZE, &handle));
  WORKS(hsa_amd_ipc_memory_create(memory, SIZE, &second));
  assert_memory_equal(&handle, &second, sizeof handle);
  WORKS(hsa_amd_ipc_memory_attach(&handle, SIZE, 1, gpus, (void **)&again));
  memory[7] = 8;
  assert_ptr_not_equal(memory, again);
  assert_int_equal(again[7], 8);
  WORKS(hsa_amd_pointer_info(again + 7, &info, NULL, NULL, NULL));
  assert_int_equal(info.type, HSA_EXT_POINTER_TYPE_IPC);
  assert_int_equal(info.sizeInBytes, SIZE);
  assert_int_equal(hsa_amd_ipc_memory_detach(again + 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_memory_pool_free(again), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  WORKS(hsa_amd_memory_pool_free(memory)); /* who attached keeps it */
  assert_int_equal(again[7], 8);
  WORKS(hsa_amd_ipc_memory_detach(again));
  assert_int_equal(hsa_amd_ipc_memory_detach(again), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_ipc_memory_attach(&handle, SIZE, 0, NULL, (void **)&again),
                   HSA_STATUS_ERROR_INVALID_ARGUMENT); /* it is gone */
}

static void wrong_handles_are_errors(void **state) {
  (void)state;
  uint8_t *memory;
  hsa_amd_ipc_memory_t handle, damaged;
  hsa_signal_t plain, attached;
  WORKS(hsa_amd_memory_pool_allocate(pool, SIZE, 0, (void **)&memory));
  WORKS(hsa_amd_ipc_memory_create(memory, SIZE, &handle));
  void *at;
  for (unsigned i = 0; i < 8; i++)
    if (i != 3) { /* that is padding */
      damaged = handle;
      damaged.handle[i] ^= 0x1001;
      assert_int_equal(hsa_amd_ipc_memory_attach(&damaged, SIZE, 0, NULL, &at), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    }
  assert_int_equal(hsa_amd_ipc_memory_attach(&handle, SIZE + 1, 0, NULL, &at), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_ipc_signal_attach(&handle, &attached), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_ipc_memory_create(memory + 1, 1, &damaged), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_ipc_memory_create(&handle, 1, &damaged), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_ipc_memory_create(memory, 2 * SIZE, &damaged), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_signal_create(1, 0, NULL, &plain));
  assert_int_equal(hsa_amd_ipc_signal_create(plain, &damaged), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_signal_destroy(plain));
  WORKS(hsa_amd_memory_pool_free(memory));
}

static void ranges_keep_their_attributes(void **state) {
  (void)state;
  uint8_t *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  hsa_amd_svm_attribute_pair_t set[] = {{HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 1},
                                        {HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, gpus[1].handle},
                                        {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE, gpus[0].handle}};
  hsa_amd_svm_attribute_pair_t get[] = {{HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 0},
                                        {HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, 0},
                                        {HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpus[0].handle},
                                        {HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpus[1].handle},
                                        {HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0}};
  WORKS(hsa_amd_svm_attributes_set(memory, 8192, set, 3));
  hsa_signal_t done;
  WORKS(hsa_signal_create(1, 0, NULL, &done));
  WORKS(hsa_amd_svm_prefetch_async(memory, 8192, gpus[1], 0, NULL, done));
  wait_for(done, 0);
  WORKS(hsa_signal_destroy(done));
  WORKS(hsa_amd_svm_attributes_get(memory, 8192, get, 5));
  assert_int_equal(get[0].value, 1);
  assert_int_equal(get[1].value, gpus[1].handle);
  assert_int_equal(get[2].attribute, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE);
  assert_int_equal(get[3].attribute, HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
  assert_int_equal(get[4].value, gpus[1].handle);
  set[0].value = 0;
  WORKS(hsa_amd_svm_attributes_set(memory, 4096, set, 1));
  WORKS(hsa_amd_svm_attributes_get(memory, 4096, get, 1));
  assert_int_equal(get[0].value, 0);
  WORKS(hsa_amd_svm_attributes_get(memory + 4096, 4096, get, 1));
  assert_int_equal(get[0].value, 1);
  hsa_amd_svm_attribute_pair_t wrong[] = {{HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0}, {99, 0},
                                          {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, 5},
                                          {HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpus[0].handle}};
  for (size_t i = 0; i < OG_COUNT(wrong); i++)
    assert_int_equal(hsa_amd_svm_attributes_set(memory, 4096, &wrong[i], 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_svm_attributes_get(memory, 0, get, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_amd_svm_attributes_get(memory, 4096, &wrong[1], 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

int main(int argc, char **argv) {
  (void)argv;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(another_process_has_the_same_memory_and_signal),
      cmocka_unit_test(this_process_may_attach_as_well),
      cmocka_unit_test(wrong_handles_are_errors),
      cmocka_unit_test(ranges_keep_their_attributes),
  };
  return argc > 1 ? other_process() : cmocka_run_group_tests(tests, open_runtime, close_runtime);
}
