/* ipc.c - memory and signals that processes share. A handle says which process has the file, and its descriptor there;
 * another process opens it by way of /proc. Nothing has a name that could be left behind. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hsa/internal.h"

enum { MAGIC_MEMORY = 0x6d67666f, MAGIC_SIGNAL = 0x7367666f, SIGNAL_BYTES = 4096 };

/* The contents of a handle's 32 bytes. */
struct handle {
  uint32_t magic;
  int32_t process, file;
  uint32_t reserved;
  uint64_t size, inode;
};
_Static_assert(sizeof(struct handle) == sizeof(hsa_amd_ipc_memory_t), "a handle fills what the header gives it");

/* An allocation that was exported, or a signal that has a page of its own. */
struct og_hsa_shared {
  struct og_hsa_shared *next;
  void *memory;
  int file;
  bool is_signal;
};

static struct og_hsa_shared *find(const void *memory) {
  struct og_hsa_shared *shared = og_hsa.shared;
  while (shared && shared->memory != memory)
    shared = shared->next;
  return shared;
}

/* Takes ownership of the file; false: no memory is left. */
static bool keep(void *memory, int file, bool is_signal) {
  struct og_hsa_shared *shared = malloc(sizeof *shared);
  if (!shared)
    return false;
  *shared = (struct og_hsa_shared){NULL, memory, file, is_signal};
  pthread_mutex_lock(&og_hsa.memory_lock);
  shared->next = og_hsa.shared;
  __atomic_store_n(&og_hsa.shared, shared, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return true;
}

/* Forgets shared memory; returns whether it was shared. */
static bool forget(const void *memory) {
  if (!__atomic_load_n(&og_hsa.shared, __ATOMIC_ACQUIRE)) /* the usual case */
    return false;
  pthread_mutex_lock(&og_hsa.memory_lock);
  struct og_hsa_shared **link = &og_hsa.shared, *found;
  while (*link && (*link)->memory != memory)
    link = &(*link)->next;
  found = *link;
  if (found)
    __atomic_store_n(link, found->next, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&og_hsa.memory_lock);
  if (!found)
    return false;
  if (found->is_signal)
    og_memory_forget(og_hsa.runtime, found->memory, SIGNAL_BYTES);
  close(found->file);
  free(found);
  return true;
}

void og_hsa_shared_close(void) {
  while (og_hsa.shared)
    forget(og_hsa.shared->memory);
}

void og_hsa_forget_export(const void *memory) {
  forget(memory);
}

static bool describe(uint32_t magic, int file, uint64_t size, hsa_amd_ipc_memory_t *out) {
  struct stat status;
  if (fstat(file, &status) != 0)
    return false;
  struct handle handle = {magic, getpid(), file, 0, size, status.st_ino};
  memcpy(out, &handle, sizeof handle);
  return true;
}

/* Opens the file that a handle names; -1: its process or the file no longer exists. */
static int open_handle(const hsa_amd_ipc_memory_t *in, uint32_t magic, uint64_t *size) {
  struct handle handle;
  struct stat status;
  char path[64];
  memcpy(&handle, in, sizeof handle);
  snprintf(path, sizeof path, "/proc/%d/fd/%d", handle.process, handle.file);
  int file = handle.magic == magic ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file >= 0 && (fstat(file, &status) != 0 || status.st_ino != handle.inode || !S_ISREG(status.st_mode))) {
    close(file);
    return -1;
  }
  *size = handle.size;
  return file;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* The file of an allocation, which gets one when it is asked for. */
static int file_of(void *memory) {
  pthread_mutex_lock(&og_hsa.memory_lock);
  const struct og_hsa_shared *shared = find(memory);
  int file = shared ? shared->file : -1;
  pthread_mutex_unlock(&og_hsa.memory_lock);
  if (file >= 0)
    return file;
  file = og_memory_export(og_hsa.runtime, memory);
  if (file >= 0 && !keep(memory, file, false)) {
    close(file);
    return -1;
  }
  return file;
}

hsa_status_t hsa_amd_ipc_memory_create(void *memory, size_t size, hsa_amd_ipc_memory_t *handle) {
  struct og_hsa_range range;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(memory && size && handle);
  OG_HSA_NEED_ARGUMENT(og_hsa_range_find((uintptr_t)memory, &range) && range.base == (uintptr_t)memory &&
                       range.type == HSA_EXT_POINTER_TYPE_HSA && size <= range.size);
  int file = file_of(memory);
  OG_HSA_NEED(file >= 0 && describe(MAGIC_MEMORY, file, size, handle), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_ipc_memory_attach(const hsa_amd_ipc_memory_t *handle, size_t size, uint32_t count,
                                       const hsa_agent_t *agents, void **memory) {
  uint64_t mask, there;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(handle && size && memory && (count == 0) == (agents == NULL));
  hsa_status_t status = og_hsa_agent_mask(agents, count, &mask);
  OG_HSA_NEED(status == HSA_STATUS_SUCCESS, status);
  int file = open_handle(handle, MAGIC_MEMORY, &there);
  OG_HSA_NEED_ARGUMENT(file >= 0);
  void *mapped = size == there ? og_memory_import(og_hsa.runtime, file, size) : NULL;
  close(file); /* the mapping keeps the file open */
  OG_HSA_NEED_ARGUMENT(size == there);
  OG_HSA_NEED(mapped, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  struct og_hsa_range range = {.base = (uintptr_t)mapped, .size = size, .host = mapped, .mapped = size,
                               .type = HSA_EXT_POINTER_TYPE_IPC, .owner = &og_hsa.agents[0], .accessible = mask | 1};
  if (!og_hsa_range_add(&range)) {
    og_memory_forget(og_hsa.runtime, mapped, size);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  *memory = mapped;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_ipc_memory_detach(void *memory) {
  struct og_hsa_range range;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(og_hsa_range_find((uintptr_t)memory, &range) && range.base == (uintptr_t)memory &&
                       range.type == HSA_EXT_POINTER_TYPE_IPC);
  og_hsa_range_remove(range.base, &range);
  og_memory_forget(og_hsa.runtime, memory, range.size);
  return HSA_STATUS_SUCCESS;
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

/* Takes ownership of the file. */
static struct og_signal *map_signal(int file) {
  struct og_signal *signal = og_memory_import(og_hsa.runtime, file, SIGNAL_BYTES);
  if (signal && keep(signal, file, true))
    return signal;
  if (signal)
    og_memory_forget(og_hsa.runtime, signal, SIGNAL_BYTES);
  close(file);
  return NULL;
}

struct og_signal *og_hsa_shared_signal(int64_t value) {
  int file = memfd_create("offgrid signal", MFD_CLOEXEC);
  if (file < 0)
    return NULL;
  if (ftruncate(file, SIGNAL_BYTES) != 0) {
    close(file);
    return NULL;
  }
  struct og_signal *signal = map_signal(file);
  if (signal)
    og_signal_init(signal, value);
  return signal;
}

bool og_hsa_shared_signal_end(struct og_signal *signal) {
  return forget(signal);
}

hsa_status_t hsa_amd_ipc_signal_create(hsa_signal_t signal, hsa_amd_ipc_signal_t *handle) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(handle);
  OG_HSA_NEED(signal.handle, HSA_STATUS_ERROR_INVALID_SIGNAL);
  pthread_mutex_lock(&og_hsa.memory_lock);
  const struct og_hsa_shared *shared = find((const void *)(uintptr_t)signal.handle);
  bool fine = shared && shared->is_signal && describe(MAGIC_SIGNAL, shared->file, SIGNAL_BYTES, handle);
  pthread_mutex_unlock(&og_hsa.memory_lock);
  OG_HSA_NEED_ARGUMENT(fine); /* made without HSA_AMD_SIGNAL_IPC */
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_ipc_signal_attach(const hsa_amd_ipc_signal_t *handle, hsa_signal_t *signal) {
  uint64_t size;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(handle && signal);
  int file = open_handle(handle, MAGIC_SIGNAL, &size);
  OG_HSA_NEED_ARGUMENT(file >= 0);
  signal->handle = (uintptr_t)map_signal(file);
  return signal->handle ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}
