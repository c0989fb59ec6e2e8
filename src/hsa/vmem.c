/* vmem.c - addresses that are reserved first and get memory later. The memory is a file without a name, so a piece of
 * it can be at several addresses and in several processes. Kernels can access it if a GPU was given access; the host
 * can access whatever anybody may. */
#include "hsa/vmem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hsa/internal.h"

enum { PAGE = 4096, KINDS = 4 /* of hsa_access_permission_t */ };

/* A piece of memory; its handle is the address. */
struct piece {
  struct piece *next;
  unsigned users; /* how many handles and mappings use it */
  int file;
  size_t size;
  const struct og_hsa_pool *pool; /* NULL: it came from another process */
  hsa_amd_memory_type_t type;
};

struct reserved {
  struct reserved *next;
  uint8_t *start;
  size_t size;
};

struct mapped {
  struct mapped *next;
  uint8_t *start;
  size_t size;
  struct piece *piece;
  hsa_access_permission_t access[OG_HSA_AGENTS];
  bool shared; /* kernels can access it */
};

struct og_hsa_vmem {
  struct piece *pieces;
  struct reserved *reserved;
  struct mapped *mapped;
};

/* Everything below is under og_hsa.memory_lock. */
static struct og_hsa_vmem *all(void) {
  if (!og_hsa.vmem)
    og_hsa.vmem = calloc(1, sizeof *og_hsa.vmem);
  return og_hsa.vmem;
}

static void let_go(struct piece *piece) {
  if (--piece->users)
    return;
  struct piece **link = &og_hsa.vmem->pieces;
  while (*link != piece)
    link = &(*link)->next;
  *link = piece->next;
  close(piece->file);
  free(piece);
}

static struct piece *find_piece(hsa_amd_vmem_alloc_handle_t handle) {
  struct piece *piece = og_hsa.vmem ? og_hsa.vmem->pieces : NULL;
  while (piece && (uintptr_t)piece != handle.handle)
    piece = piece->next;
  return piece;
}

static struct mapped *mapped_at(const void *address) {
  struct mapped *mapped = og_hsa.vmem ? og_hsa.vmem->mapped : NULL;
  while (mapped && (size_t)((const uint8_t *)address - mapped->start) >= mapped->size)
    mapped = mapped->next;
  return mapped;
}

/* Whether a range is within reserved addresses, and overlaps nothing that is mapped. */
static bool is_free(const uint8_t *start, size_t size) {
  const struct reserved *r = og_hsa.vmem ? og_hsa.vmem->reserved : NULL;
  while (r && !((size_t)(start - r->start) < r->size && size <= r->size - (size_t)(start - r->start)))
    r = r->next;
  const struct mapped *m = r ? og_hsa.vmem->mapped : NULL;
  while (m && (start + size <= m->start || m->start + m->size <= start))
    m = m->next;
  return r && !m;
}

/* The address space stays reserved. */
static void unmap(struct mapped **link) {
  struct mapped *mapped = *link;
  struct og_hsa_range range;
  *link = mapped->next;
  if (mapped->shared)
    og_memory_unshare(og_hsa.runtime, mapped->start);
  og_hsa_range_remove((uintptr_t)mapped->start, &range);
  mmap(mapped->start, mapped->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  let_go(mapped->piece);
  free(mapped);
}

void og_hsa_vmem_close(void) {
  struct og_hsa_vmem *vmem = og_hsa.vmem;
  if (!vmem)
    return;
  while (vmem->mapped)
    unmap(&vmem->mapped);
  for (struct reserved *r = vmem->reserved, *next; r; r = next) {
    next = r->next;
    munmap(r->start, r->size);
    free(r);
  }
  for (struct piece *piece = vmem->pieces, *next; piece; piece = next) {
    next = piece->next;
    close(piece->file);
    free(piece);
  }
  free(vmem);
  og_hsa.vmem = NULL;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static void *reserve(size_t size, uint64_t address, uint64_t alignment) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  size_t room = alignment > PAGE ? size + alignment : size;
  uint8_t *raw = mmap((void *)(uintptr_t)address, room, PROT_NONE, flags, -1, 0);
  if (raw == MAP_FAILED)
    return NULL;
  uint8_t *start = (uint8_t *)(uintptr_t)og_align_up((uintptr_t)raw, OG_MAX(alignment, (uint64_t)PAGE));
  if (start > raw)
    munmap(raw, (size_t)(start - raw));
  if (start + size < raw + room)
    munmap(start + size, (size_t)(raw + room - start - size));
  return start;
}

hsa_status_t hsa_amd_vmem_address_reserve_align(void **va, size_t size, uint64_t address, uint64_t alignment,
                                                uint64_t flags) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(va && size && size % PAGE == 0 && size <= SIZE_MAX / 4 && (alignment & (alignment - 1)) == 0 &&
                       alignment <= SIZE_MAX / 4);
  (void)flags; /* whether the driver registers it: there is no driver */
  struct reserved *made = calloc(1, sizeof *made);
  void *start = made ? reserve(size, address, alignment) : NULL;
  pthread_mutex_lock(&og_hsa.memory_lock);
  struct og_hsa_vmem *vmem = start ? all() : NULL;
  if (vmem) {
    *made = (struct reserved){vmem->reserved, start, size};
    vmem->reserved = made;
  }
  pthread_mutex_unlock(&og_hsa.memory_lock);
  if (!vmem) {
    if (start)
      munmap(start, size);
    free(made);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  *va = start;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_vmem_address_reserve(void **va, size_t size, uint64_t address, uint64_t flags) {
  return hsa_amd_vmem_address_reserve_align(va, size, address, 0, flags);
}

/* Frees a whole reservation in which nothing is mapped any more. */
hsa_status_t hsa_amd_vmem_address_free(void *va, size_t size) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(va && size);
  pthread_mutex_lock(&og_hsa.memory_lock);
  struct reserved **link = og_hsa.vmem ? &og_hsa.vmem->reserved : NULL, *found;
  while (link && *link && ((*link)->start != va || (*link)->size != size))
    link = &(*link)->next;
  found = link ? *link : NULL;
  bool is_used = found && !is_free(va, size);
  if (found && !is_used) {
    *link = found->next;
    munmap(found->start, found->size);
    free(found);
  }
  pthread_mutex_unlock(&og_hsa.memory_lock);
  OG_HSA_NEED(found, HSA_STATUS_ERROR_INVALID_ALLOCATION);
  return is_used ? HSA_STATUS_ERROR_RESOURCE_FREE : HSA_STATUS_SUCCESS;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Takes ownership of the file. */
static hsa_status_t keep_piece(struct piece piece, hsa_amd_vmem_alloc_handle_t *handle) {
  struct piece *made = piece.file >= 0 ? malloc(sizeof *made) : NULL;
  pthread_mutex_lock(&og_hsa.memory_lock);
  struct og_hsa_vmem *vmem = made ? all() : NULL;
  if (vmem) {
    piece.next = vmem->pieces;
    piece.users = 1;
    *made = piece;
    vmem->pieces = made;
  }
  pthread_mutex_unlock(&og_hsa.memory_lock);
  if (!vmem) {
    if (piece.file >= 0)
      close(piece.file);
    free(made);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  handle->handle = (uintptr_t)made;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t pool_handle, size_t size, hsa_amd_memory_type_t type,
                                        uint64_t flags, hsa_amd_vmem_alloc_handle_t *handle) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_pool *pool = og_hsa_pool(pool_handle.handle);
  OG_HSA_NEED(pool, (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  OG_HSA_NEED_ARGUMENT(size && size % PAGE == 0 && type <= MEMORY_TYPE_PINNED && flags == 0 && handle);
  OG_HSA_NEED(pool->segment == HSA_AMD_SEGMENT_GLOBAL && size <= pool->size, HSA_STATUS_ERROR_INVALID_ALLOCATION);
  int file = memfd_create("offgrid", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, (off_t)size) != 0) {
    close(file);
    file = -1;
  }
  return keep_piece((struct piece){.file = file, .size = size, .pool = pool, .type = type}, handle);
}

hsa_status_t hsa_amd_vmem_handle_release(hsa_amd_vmem_alloc_handle_t handle) {
  OG_HSA_NEED_OPEN();
  pthread_mutex_lock(&og_hsa.memory_lock);
  struct piece *piece = find_piece(handle);
  if (piece)
    let_go(piece);
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return piece ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

/* For another process, or for this one. The caller closes the file. */
hsa_status_t hsa_amd_vmem_export_shareable_handle(int *file, hsa_amd_vmem_alloc_handle_t handle, uint64_t flags) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(file && flags == 0);
  pthread_mutex_lock(&og_hsa.memory_lock);
  const struct piece *piece = find_piece(handle);
  int copy = piece ? fcntl(piece->file, F_DUPFD_CLOEXEC, 0) : -1;
  pthread_mutex_unlock(&og_hsa.memory_lock);
  OG_HSA_NEED(piece, HSA_STATUS_ERROR_INVALID_ALLOCATION);
  OG_HSA_NEED(copy >= 0, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  *file = copy;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_vmem_import_shareable_handle(int file, hsa_amd_vmem_alloc_handle_t *handle) {
  struct stat status;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(handle && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0);
  return keep_piece((struct piece){.file = fcntl(file, F_DUPFD_CLOEXEC, 0), .size = (size_t)status.st_size}, handle);
}

hsa_status_t hsa_amd_vmem_retain_alloc_handle(hsa_amd_vmem_alloc_handle_t *handle, void *address) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(handle && address);
  pthread_mutex_lock(&og_hsa.memory_lock);
  const struct mapped *mapped = mapped_at(address);
  if (mapped) {
    mapped->piece->users++;
    handle->handle = (uintptr_t)mapped->piece;
  }
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return mapped ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

/* An imported piece belongs to no pool here. */
hsa_status_t hsa_amd_vmem_get_alloc_properties_from_handle(hsa_amd_vmem_alloc_handle_t handle,
                                                           hsa_amd_memory_pool_t *pool, hsa_amd_memory_type_t *type) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(pool && type);
  pthread_mutex_lock(&og_hsa.memory_lock);
  const struct piece *piece = find_piece(handle);
  if (piece) {
    pool->handle = (uintptr_t)piece->pool;
    *type = piece->type;
  }
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return piece ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

/* ---- memory at addresses ----------------------------------------------------------------------------------------- */

/* At first nobody may access it. */
static hsa_status_t map(uint8_t *start, size_t size, size_t offset, struct piece *piece) {
  OG_HSA_NEED(piece, HSA_STATUS_ERROR_INVALID_ALLOCATION);
  OG_HSA_NEED_ARGUMENT(offset <= piece->size && size <= piece->size - offset && is_free(start, size));
  struct mapped *made = calloc(1, sizeof *made);
  const struct og_hsa_agent *owner = piece->pool ? piece->pool->agent : &og_hsa.agents[0];
  struct og_hsa_range range = {.base = (uintptr_t)start,
                               .size = size,
                               .host = start,
                               .mapped = size,
                               .type = (hsa_amd_pointer_type_t)OG_HSA_POINTER_MAPPED,
                               .owner = owner,
                               .pool = piece->pool};
  if (!made || !og_hsa_range_add(&range)) {
    free(made);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  if (mmap(start, size, PROT_NONE, MAP_SHARED | MAP_FIXED, piece->file, (off_t)offset) == MAP_FAILED) {
    og_hsa_range_remove(range.base, &range);
    free(made);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  *made = (struct mapped){og_hsa.vmem->mapped, start, size, piece, {0}, false};
  og_hsa.vmem->mapped = made;
  piece->users++;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_vmem_map(void *va, size_t size, size_t in_offset, hsa_amd_vmem_alloc_handle_t handle,
                              uint64_t flags) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(va && size && size % PAGE == 0 && (uintptr_t)va % PAGE == 0 && in_offset % PAGE == 0 &&
                       flags == 0);
  pthread_mutex_lock(&og_hsa.memory_lock);
  hsa_status_t status = map(va, size, in_offset, find_piece(handle));
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return status;
}

/* Unmaps all that one call mapped. */
hsa_status_t hsa_amd_vmem_unmap(void *va, size_t size) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(va && size);
  pthread_mutex_lock(&og_hsa.memory_lock);
  struct mapped **link = og_hsa.vmem ? &og_hsa.vmem->mapped : NULL;
  while (link && *link && ((*link)->start != va || (*link)->size != size))
    link = &(*link)->next;
  bool found = link && *link;
  if (found)
    unmap(link);
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return found ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

static unsigned access_of(hsa_access_permission_t permission) {
  static const unsigned accesses[KINDS] = {0, OG_MEMORY_READ, OG_MEMORY_WRITE, OG_MEMORY_READ | OG_MEMORY_WRITE};
  return accesses[permission];
}

/* Gives kernels what a GPU may access, and the process what anybody may. */
static bool apply(struct mapped *mapped) {
  unsigned kernels = 0, everybody = 0;
  uint64_t agents = 0;
  for (uint32_t i = 0; i < og_hsa.agent_count; i++) {
    unsigned access = access_of(mapped->access[i]);
    everybody |= access;
    kernels |= og_hsa.agents[i].target.processor ? access : 0;
    agents |= (uint64_t)(access != 0) << i;
  }
  if (mapped->shared)
    og_memory_unshare(og_hsa.runtime, mapped->start);
  mapped->shared = kernels && og_memory_share(og_hsa.runtime, mapped->start, mapped->size, kernels);
  og_hsa_range_allow((uintptr_t)mapped->start, agents);
  int protection = (everybody ? PROT_READ : 0) | (everybody & OG_MEMORY_WRITE ? PROT_WRITE : 0);
  return mprotect(mapped->start, mapped->size, protection) == 0 && (!kernels || mapped->shared);
}

/* Sets access for all that is mapped in the range, which must begin and end where a mapping does. */
static hsa_status_t set_access(const uint8_t *start, size_t size, const hsa_amd_memory_access_desc_t *list,
                               size_t count) {
  for (const uint8_t *at = start; at < start + size;) {
    struct mapped *mapped = mapped_at(at);
    OG_HSA_NEED(mapped && at == mapped->start && mapped->size <= size - (size_t)(at - start),
                HSA_STATUS_ERROR_INVALID_ALLOCATION);
    at += mapped->size;
  }
  for (const uint8_t *at = start; at < start + size;) {
    struct mapped *mapped = mapped_at(at);
    for (size_t i = 0; i < count; i++)
      mapped->access[og_hsa_agent(list[i].agent_handle)->node] = list[i].permissions;
    OG_HSA_NEED(apply(mapped), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    at += mapped->size;
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_vmem_set_access(void *va, size_t size, const hsa_amd_memory_access_desc_t *list, size_t count) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(va && size && list && count && (uintptr_t)va <= UINTPTR_MAX - size);
  for (size_t i = 0; i < count; i++) {
    OG_HSA_NEED(og_hsa_agent(list[i].agent_handle), HSA_STATUS_ERROR_INVALID_AGENT);
    OG_HSA_NEED_ARGUMENT((unsigned)list[i].permissions < KINDS);
  }
  pthread_mutex_lock(&og_hsa.memory_lock);
  hsa_status_t status = set_access(va, size, list, count);
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return status;
}

hsa_status_t hsa_amd_vmem_get_access(void *va, hsa_access_permission_t *permissions, hsa_agent_t agent_handle) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *agent = og_hsa_agent(agent_handle);
  OG_HSA_NEED(agent, HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(va && permissions);
  pthread_mutex_lock(&og_hsa.memory_lock);
  const struct mapped *mapped = mapped_at(va);
  if (mapped)
    *permissions = mapped->access[agent->node];
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return mapped ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}
