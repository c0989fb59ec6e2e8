/* Eight threads make, use and destroy at once what the library hands out: queues, signals, executables, memory, locks,
 * copies, handlers, masks. For ThreadSanitizer, too. OFFGRID_STRESS says how often. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <hsa/hsa_ext_image.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <pthread.h>

#include "packets.h"

enum { THREADS = 8, WORDS = 1024 };

/* Stores its second argument to where the first leads. */
static const char source[] =
    KERNEL("store", ARGUMENTS "  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  v_mov_b32 v2, s6\n  s_mov_b64 exec, 1\n"
                              "  global_store_dword v[0:1], v2, off\n");

static struct og_buffer code;
static hsa_agent_t cpu;
static hsa_amd_memory_pool_t pool;
static hsa_queue_t *shared_queue;
static hsa_signal_t shared_signal;

struct thread {
  pthread_t id;
  unsigned number, rounds;
  uint32_t handled; /* atomic */
};

static hsa_status_t keep_cpu(hsa_agent_t agent, void *data) {
  hsa_device_type_t type;
  WORKS(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_CPU)
    *(hsa_agent_t *)data = agent;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t keep_pool(hsa_amd_memory_pool_t found, void *data) {
  *(hsa_amd_memory_pool_t *)data = found;
  return HSA_STATUS_INFO_BREAK;
}

static bool count_handled(hsa_signal_value_t value, void *data) {
  (void)value;
  __atomic_fetch_add((uint32_t *)data, 1, __ATOMIC_SEQ_CST);
  return false;
}

static void count_job(void *data) { __atomic_fetch_add((uint32_t *)data, 1, __ATOMIC_SEQ_CST); }

static hsa_status_t hear(const hsa_amd_event_t *event, void *data) {
  (void)event, (void)data;
  return HSA_STATUS_SUCCESS;
}

static void ignore(hsa_status_t status, hsa_queue_t *queue, void *data) {
  (void)status, (void)queue;
  __atomic_fetch_add((uint32_t *)data, 1, __ATOMIC_SEQ_CST);
}

/* A kernel of an executable of its own, on a queue of its own and on the one that all have. */
static void run_kernels(struct thread *thread, uint32_t *to) {
  hsa_executable_t own;
  hsa_code_object_reader_t reader;
  hsa_executable_symbol_t symbol;
  hsa_queue_t *queue = NULL;
  uint64_t object = 0, *arguments = memory(64);
  hsa_signal_t done = new_signal(2);
  WORKS(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &own));
  WORKS(hsa_code_object_reader_create_from_memory(code.data, code.size, &reader));
  WORKS(hsa_executable_load_agent_code_object(own, gpus[0], reader, NULL, NULL));
  WORKS(hsa_executable_freeze(own, NULL));
  WORKS(hsa_code_object_reader_destroy(reader));
  WORKS(hsa_executable_get_symbol_by_name(own, "store.kd", &gpus[0], &symbol));
  WORKS(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));
  WORKS(hsa_queue_create(gpus[0], 64, HSA_QUEUE_TYPE_MULTI, ignore, &thread->handled, UINT32_MAX, UINT32_MAX, &queue));
  arguments[0] = (uintptr_t)to;
  arguments[1] = thread->number + 1;
  dispatch(queue, object, arguments, done);
  dispatch(shared_queue, object, arguments, done);
  uint32_t mask[2] = {1u << thread->number, 0};
  WORKS(hsa_amd_queue_cu_set_mask(shared_queue, 64, mask));
  WORKS(hsa_amd_queue_cu_get_mask(shared_queue, 64, mask));
  WORKS(hsa_amd_queue_set_priority(shared_queue, (hsa_amd_queue_priority_t)(thread->number % 3)));
  WORKS(hsa_amd_profiling_set_profiler_enabled(shared_queue, thread->number % 2));
  assert_int_equal(wait_zero(done), 0);
  assert_int_equal(__atomic_load_n(to, __ATOMIC_ACQUIRE), thread->number + 1);
  hsa_amd_profiling_dispatch_time_t time;
  WORKS(hsa_amd_profiling_get_dispatch_time(gpus[0], done, &time));
  assert_true(time.start <= time.end);
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_executable_destroy(own));
  WORKS(hsa_signal_destroy(done));
  WORKS(hsa_memory_free(arguments));
}

/* A copy behind a signal that this thread sets, one at once; a handler of its end. */
static void copy_and_handle(struct thread *thread, uint32_t *from, uint32_t *to) {
  hsa_signal_t go = new_signal(1), done = new_signal(2);
  uint32_t before = __atomic_load_n(&thread->handled, __ATOMIC_SEQ_CST);
  WORKS(hsa_amd_signal_async_handler(done, HSA_SIGNAL_CONDITION_EQ, 0, count_handled, &thread->handled));
  WORKS(hsa_amd_async_function(count_job, &thread->handled));
  WORKS(hsa_amd_memory_fill(from, thread->number, WORDS));
  WORKS(hsa_amd_memory_async_copy(to, gpus[0], from, cpu, 4 * WORDS, 1, &go, done));
  WORKS(hsa_amd_memory_async_copy(from, gpus[0], from, cpu, 4, 0, NULL, done));
  hsa_signal_store_screlease(go, 0);
  assert_int_equal(wait_zero(done), 0);
  assert_int_equal(to[WORDS - 1], thread->number);
  while (__atomic_load_n(&thread->handled, __ATOMIC_SEQ_CST) < before + 2)
    sched_yield();
  WORKS(hsa_signal_destroy(go));
  WORKS(hsa_signal_destroy(done));
}

static void look_up(void *memory_of_pool) {
  void *host = aligned_alloc(4096, 4096), *alias = NULL;
  hsa_amd_pointer_info_t info = {.size = sizeof info};
  hsa_amd_svm_attribute_pair_t pair = {HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 1};
  WORKS(hsa_amd_memory_lock(host, 4096, NULL, 0, &alias));
  WORKS(hsa_amd_pointer_info(alias, &info, NULL, NULL, NULL));
  assert_ptr_equal(info.hostBaseAddress, host);
  WORKS(hsa_amd_pointer_info(memory_of_pool, &info, NULL, NULL, NULL));
  assert_ptr_equal(info.agentBaseAddress, memory_of_pool);
  WORKS(hsa_amd_agents_allow_access(1, gpus, NULL, memory_of_pool));
  WORKS(hsa_amd_pointer_info_set_userdata(memory_of_pool, host));
  WORKS(hsa_amd_svm_attributes_set(memory_of_pool, 64, &pair, 1));
  WORKS(hsa_amd_svm_attributes_get(memory_of_pool, 64, &pair, 1));
  WORKS(hsa_amd_memory_unlock(host));
  free(host);
}

/* Handles of other kinds: exported memory and signals, registered memory, soft queues, images, the loader's list. */
static hsa_status_t count_executable(hsa_executable_t found, void *data) {
  (void)found;
  ++*(unsigned *)data;
  return HSA_STATUS_SUCCESS;
}

static void use_handles(void *memory_of_pool, const hsa_ven_amd_loader_1_03_pfn_t *loader) {
  hsa_amd_ipc_memory_t shared;
  hsa_amd_ipc_signal_t shared_handle;
  hsa_signal_t ipc, attached_signal, doorbell = new_signal(0);
  hsa_queue_t *soft;
  void *attached, *host = aligned_alloc(4096, 4096);
  unsigned executables = 0;
  WORKS(hsa_amd_ipc_memory_create(memory_of_pool, 4 * WORDS, &shared));
  WORKS(hsa_amd_ipc_memory_attach(&shared, 4 * WORDS, 0, NULL, &attached));
  WORKS(hsa_amd_ipc_memory_detach(attached));
  WORKS(hsa_amd_signal_create(1, 0, NULL, HSA_AMD_SIGNAL_IPC, &ipc));
  WORKS(hsa_amd_ipc_signal_create(ipc, &shared_handle));
  WORKS(hsa_amd_ipc_signal_attach(&shared_handle, &attached_signal));
  hsa_signal_store_screlease(attached_signal, 2);
  assert_int_equal(hsa_signal_load_scacquire(ipc), 2);
  WORKS(hsa_signal_destroy(attached_signal));
  WORKS(hsa_signal_destroy(ipc));
  WORKS(hsa_memory_register(host, 4096));
  WORKS(hsa_memory_deregister(host, 4096));
  WORKS(hsa_soft_queue_create(kernarg, 16, HSA_QUEUE_TYPE_SINGLE, HSA_QUEUE_FEATURE_AGENT_DISPATCH, doorbell, &soft));
  WORKS(hsa_queue_destroy(soft));
  WORKS(hsa_signal_destroy(doorbell));
  WORKS(loader->hsa_ven_amd_loader_iterate_executables(count_executable, &executables));
  assert_true(executables >= 1);
  free(host);
}

static void use_image(void *data) {
  const hsa_ext_image_descriptor_t descriptor = {.geometry = HSA_EXT_IMAGE_GEOMETRY_2D,
                                                 .width = 16,
                                                 .height = 16,
                                                 .format = {.channel_type = HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8,
                                                            .channel_order = HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA}};
  hsa_ext_image_t image;
  WORKS(hsa_ext_image_create(gpus[0], &descriptor, data, HSA_ACCESS_PERMISSION_RW, &image));
  WORKS(hsa_ext_image_destroy(gpus[0], image));
}

static void *use_all(void *argument) {
  struct thread *thread = argument;
  hsa_ven_amd_loader_1_03_pfn_t loader;
  WORKS(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof loader, &loader));
  for (unsigned i = 0; i < thread->rounds; i++) {
    uint32_t *from = NULL, *to = NULL;
    WORKS(hsa_init());
    WORKS(hsa_amd_memory_pool_allocate(pool, 4 * WORDS, 0, (void **)&from));
    WORKS(hsa_amd_memory_pool_allocate(pool, 4 * WORDS, 0, (void **)&to));
    copy_and_handle(thread, from, to);
    run_kernels(thread, to);
    look_up(to);
    use_handles(from, &loader);
    use_image(to);
    hsa_amd_register_system_event_handler(hear, thread);
    hsa_signal_add_screlease(shared_signal, 1);
    WORKS(hsa_amd_memory_pool_free(from));
    WORKS(hsa_amd_memory_pool_free(to));
    WORKS(hsa_shut_down());
  }
  return NULL;
}

static void threads_do_not_disturb_each_other(void **state) {
  (void)state;
  const char *count = getenv("OFFGRID_STRESS");
  struct thread threads[THREADS];
  open_kernels(source);
  code = code_of("amdgcn-amd-amdhsa--gfx906", 4, source);
  WORKS(hsa_iterate_agents(keep_cpu, &cpu));
  hsa_amd_agent_iterate_memory_pools(gpus[0], keep_pool, &pool);
  shared_queue = new_queue(64);
  shared_signal = new_signal(0);
  for (unsigned i = 0; i < THREADS; i++) {
    threads[i] = (struct thread){.number = i, .rounds = count ? (unsigned)atoi(count) : 20};
    assert_int_equal(pthread_create(&threads[i].id, NULL, use_all, &threads[i]), 0);
  }
  int64_t all = (int64_t)threads[0].rounds * THREADS;
  assert_int_equal(
      hsa_signal_wait_scacquire(shared_signal, HSA_SIGNAL_CONDITION_EQ, all, UINT64_MAX, HSA_WAIT_STATE_BLOCKED), all);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i].id, NULL);
  WORKS(hsa_signal_destroy(shared_signal));
  WORKS(hsa_queue_destroy(shared_queue));
  og_buffer_free(&code);
  close_kernels();
}

/* Each opens and closes the library, so that some find it open and some do not. */
static void *open_and_close(void *argument) {
  for (unsigned i = 0; i < 50; i++) {
    hsa_signal_t signal;
    WORKS(hsa_init());
    WORKS(hsa_signal_create(i, 0, NULL, &signal));
    assert_int_equal(hsa_signal_load_relaxed(signal), i);
    WORKS(hsa_signal_destroy(signal));
    WORKS(hsa_shut_down());
  }
  return argument;
}

static void the_library_is_opened_and_closed_by_all(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, open_and_close, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_do_not_disturb_each_other),
      cmocka_unit_test(the_library_is_opened_and_closed_by_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
