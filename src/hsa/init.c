/* init.c - the one runtime of the process: hsa_init counts its users, hsa_shut_down ends it. */
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hsa/internal.h"
#include "runtime/copy.h"

struct og_hsa og_hsa = {.lock = PTHREAD_MUTEX_INITIALIZER,
                        .code_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                        .memory_lock = PTHREAD_MUTEX_INITIALIZER,
                        .handlers_lock = PTHREAD_MUTEX_INITIALIZER,
                        .queues_lock = PTHREAD_RWLOCK_INITIALIZER};

/* Debuggers look here for the list of loaded code objects; it is always empty. */
struct r_debug _amdgpu_r_debug;

/* Queues are closed first, since their processors use all the rest. */
static void close_runtime(void) {
  og_hsa_queues_close();
  og_hsa_handlers_close();
  og_copies_free(og_hsa.copies);
  og_hsa.copies = NULL;
  og_hsa_orders_close();
  og_hsa_code_close();
  og_hsa_locked_close();
  og_hsa_farewells_close();
  og_hsa_shared_close();
  og_hsa_vmem_close();
  og_hsa_attributes_close();
  og_hsa_images_close();
  og_hsa_ranges_close();
  og_runtime_free(og_hsa.runtime);
  og_hsa.runtime = NULL;
  og_hsa.event_handler = NULL;
}

static bool make_mailbox(void) {
  og_hsa.mailbox = og_memory_new(og_hsa.runtime, sizeof *og_hsa.mailbox, OG_HSA_CACHE_LINE,
                                 OG_MEMORY_READ | OG_MEMORY_WRITE);
  return og_hsa.mailbox != NULL;
}

/* OFFGRID_HOST_MEMORY: kernels may access memory that no program has registered. */
static void set_host_memory(void) {
  const char *wanted = getenv("OFFGRID_HOST_MEMORY");
  og_hsa.reaches_host = wanted && *wanted && strcmp(wanted, "0") != 0;
  og_memory_reach_host(og_hsa.runtime, og_hsa.reaches_host, "OFFGRID_HOST_MEMORY=1 lets kernels reach it");
}

/* OFFGRID_THREADS: host threads for each dispatch; by default as many as the processors that we may run on.
 * OFFGRID_TIMEOUT: seconds that a dispatch may take. */
static void set_run_options(void) {
  const char *threads = getenv("OFFGRID_THREADS"), *timeout = getenv("OFFGRID_TIMEOUT");
  long wanted = threads ? strtol(threads, NULL, 10) : (long)og_runtime_processors();
  double seconds = timeout ? strtod(timeout, NULL) : 0;
  og_runtime_set_options(og_hsa.runtime, &(struct og_run_options){
      .threads = (unsigned)OG_MAX(OG_MIN(wanted, 256), 1),
      .timeout = seconds > 0 ? (uint64_t)OG_MIN(seconds * 1e9, 9e18) : 0});
}

static hsa_status_t open_runtime(void) {
  og_hsa_log_open();
  og_hsa_profile_open();
  og_hsa_checks_open();
  og_hsa_orders_open();
  if (!og_hsa_make_agents())
    return HSA_STATUS_ERROR;
  og_hsa.runtime = og_runtime_new();
  if (og_hsa.runtime && og_hsa_ranges_open() && make_mailbox()) {
    set_run_options();
    set_host_memory();
    if (og_hsa_checks())
      og_memory_guard(og_hsa.runtime);
    return HSA_STATUS_SUCCESS;
  }
  close_runtime();
  return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

static void note_exit(void) {
  __atomic_store_n(&og_hsa.exiting, true, __ATOMIC_RELEASE);
}

/* Once the process runs its exit handlers, a runtime that was open before can no longer be used: LLVM's OpenMP plugin
 * calls hsa_init after its own destructors, and would write to memory that these freed if that did not fail. */
hsa_status_t hsa_init(void) {
  hsa_status_t status = HSA_STATUS_SUCCESS;
  pthread_mutex_lock(&og_hsa.lock);
  if (!og_hsa.awaits_exit)
    og_hsa.awaits_exit = atexit(note_exit) == 0;
  if (og_hsa.references == INT32_MAX)
    status = HSA_STATUS_ERROR_REFCOUNT_OVERFLOW;
  else if (__atomic_load_n(&og_hsa.exiting, __ATOMIC_ACQUIRE))
    status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  else if (og_hsa.references == 0)
    status = open_runtime();
  if (status == HSA_STATUS_SUCCESS)
    __atomic_fetch_add(&og_hsa.references, 1, __ATOMIC_ACQ_REL);
  pthread_mutex_unlock(&og_hsa.lock);
  return status;
}

hsa_status_t hsa_shut_down(void) {
  pthread_mutex_lock(&og_hsa.lock);
  bool open = og_hsa_is_open();
  if (open && __atomic_sub_fetch(&og_hsa.references, 1, __ATOMIC_ACQ_REL) == 0)
    close_runtime();
  pthread_mutex_unlock(&og_hsa.lock);
  return open ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_NOT_INITIALIZED;
}

static const struct {
  hsa_status_t status;
  const char *text;
} statuses[] = {
#define STATUS(name, text) {(hsa_status_t)HSA_STATUS_##name, "HSA_STATUS_" #name ": " text}
    STATUS(SUCCESS, "The function has been executed successfully."),
    STATUS(INFO_BREAK, "A traversal over a list of elements has been interrupted by the application."),
    STATUS(ERROR, "A generic error has occurred."),
    STATUS(ERROR_INVALID_ARGUMENT, "One of the actual arguments does not meet a precondition."),
    STATUS(ERROR_INVALID_QUEUE_CREATION, "The requested queue creation is not valid."),
    STATUS(ERROR_INVALID_ALLOCATION, "The requested allocation is not valid."),
    STATUS(ERROR_INVALID_AGENT, "The agent is invalid."),
    STATUS(ERROR_INVALID_REGION, "The memory region is invalid."),
    STATUS(ERROR_INVALID_SIGNAL, "The signal is invalid."),
    STATUS(ERROR_INVALID_QUEUE, "The queue is invalid."),
    STATUS(ERROR_OUT_OF_RESOURCES, "The runtime failed to allocate the necessary resources."),
    STATUS(ERROR_INVALID_PACKET_FORMAT, "The AQL packet is malformed."),
    STATUS(ERROR_RESOURCE_FREE, "An error has been detected while releasing a resource."),
    STATUS(ERROR_NOT_INITIALIZED, "The HSA runtime has not been initialized."),
    STATUS(ERROR_REFCOUNT_OVERFLOW, "The maximum reference count for the object has been reached."),
    STATUS(ERROR_INCOMPATIBLE_ARGUMENTS, "The arguments passed to a function are not compatible."),
    STATUS(ERROR_INVALID_INDEX, "The index is invalid."),
    STATUS(ERROR_INVALID_ISA, "The instruction set architecture is invalid."),
    STATUS(ERROR_INVALID_ISA_NAME, "The instruction set architecture name is invalid."),
    STATUS(ERROR_INVALID_CODE_OBJECT, "The code object is invalid."),
    STATUS(ERROR_INVALID_EXECUTABLE, "The executable is invalid."),
    STATUS(ERROR_FROZEN_EXECUTABLE, "The executable is frozen."),
    STATUS(ERROR_INVALID_SYMBOL_NAME, "There is no symbol with the given name."),
    STATUS(ERROR_VARIABLE_ALREADY_DEFINED, "The variable is already defined."),
    STATUS(ERROR_VARIABLE_UNDEFINED, "The variable is undefined."),
    STATUS(ERROR_EXCEPTION, "An HSAIL operation resulted in a hardware exception."),
    STATUS(ERROR_INVALID_CODE_SYMBOL, "The code object symbol is invalid."),
    STATUS(ERROR_INVALID_EXECUTABLE_SYMBOL, "The executable symbol is invalid."),
    STATUS(ERROR_INVALID_FILE, "The file descriptor is invalid."),
    STATUS(ERROR_INVALID_CODE_OBJECT_READER, "The code object reader is invalid."),
    STATUS(ERROR_INVALID_CACHE, "The cache is invalid."),
    STATUS(ERROR_INVALID_WAVEFRONT, "The wavefront is invalid."),
    STATUS(ERROR_INVALID_SIGNAL_GROUP, "The signal group is invalid."),
    STATUS(ERROR_INVALID_RUNTIME_STATE, "The HSA runtime is not in the configuration state."),
    STATUS(ERROR_FATAL, "The queue received an error that may require process termination."),
    STATUS(ERROR_INVALID_MEMORY_POOL, "The memory pool is invalid."),
    STATUS(ERROR_MEMORY_APERTURE_VIOLATION, "The agent attempted to access memory beyond the largest legal address."),
    STATUS(ERROR_ILLEGAL_INSTRUCTION, "The agent executed an invalid shader instruction."),
    STATUS(ERROR_MEMORY_FAULT, "The agent attempted to access an inaccessible address."),
    STATUS(CU_MASK_REDUCED, "The CU mask was successfully set but the mask attempted to enable a CU which was "
                            "disabled for the process."),
#undef STATUS
};

hsa_status_t hsa_status_string(hsa_status_t status, const char **text) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(text);
  for (size_t i = 0; i < OG_COUNT(statuses); i++)
    if (statuses[i].status == status) {
      *text = statuses[i].text;
      return HSA_STATUS_SUCCESS;
    }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
