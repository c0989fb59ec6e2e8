/* locked.c - memory of the program that it locks or registers for agents. Locked memory gets a second address, as if a
 * driver had mapped it for the agents; kernels can access it at the first address as well. */
#include <stdlib.h>

#include "hsa/internal.h"

enum { ACCESS = OG_MEMORY_READ | OG_MEMORY_WRITE };

struct og_hsa_locked {
  struct og_hsa_locked *next;
  uint8_t *host;
  size_t size;
  void *alias; /* the second address; NULL: it is registered, not locked */
  bool shared; /* by this lock kernels may access `host`: another lock may have allowed it already */
};

static void drop(struct og_hsa_locked *locked) {
  struct og_hsa_range range;
  if (locked->alias && og_hsa_range_remove((uintptr_t)locked->alias, &range))
    og_memory_unalias(og_hsa.runtime, locked->alias, locked->size);
  if (locked->shared)
    og_memory_unshare(og_hsa.runtime, locked->host);
  free(locked);
}

void og_hsa_locked_close(void) {
  while (og_hsa.locked) {
    struct og_hsa_locked *next = og_hsa.locked->next;
    drop(og_hsa.locked);
    og_hsa.locked = next;
  }
}

/* Takes out the newest one that begins there. */
static struct og_hsa_locked *take(const void *host, bool is_locked) {
  pthread_mutex_lock(&og_hsa.memory_lock);
  struct og_hsa_locked **link = &og_hsa.locked;
  while (*link && ((*link)->host != host || !(*link)->alias == is_locked))
    link = &(*link)->next;
  struct og_hsa_locked *found = *link;
  if (found)
    *link = found->next;
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return found;
}

static void keep(struct og_hsa_locked *locked) {
  locked->shared = og_memory_share(og_hsa.runtime, locked->host, locked->size, ACCESS);
  pthread_mutex_lock(&og_hsa.memory_lock);
  locked->next = og_hsa.locked;
  og_hsa.locked = locked;
  pthread_mutex_unlock(&og_hsa.memory_lock);
}

uint64_t og_hsa_locked_address(const void *host) {
  uint64_t address = 0;
  pthread_mutex_lock(&og_hsa.memory_lock);
  for (const struct og_hsa_locked *l = og_hsa.locked; l && !address; l = l->next)
    if (l->alias && (uintptr_t)host - (uintptr_t)l->host < l->size)
      address = (uintptr_t)l->alias + ((uintptr_t)host - (uintptr_t)l->host);
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return address;
}

/* *mask: a bit for each agent that is given; if none is, for all. */
hsa_status_t og_hsa_agent_mask(const hsa_agent_t *agents, int64_t count, uint64_t *mask) {
  *mask = agents && count > 0 ? 0 : (1ull << og_hsa.agent_count) - 1;
  OG_HSA_NEED_ARGUMENT((agents != NULL) == (count > 0));
  for (int64_t i = 0; i < count; i++) {
    const struct og_hsa_agent *agent = og_hsa_agent(agents[i]);
    OG_HSA_NEED(agent, HSA_STATUS_ERROR_INVALID_AGENT);
    *mask |= 1ull << agent->node;
  }
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t lock(void *host, size_t size, uint64_t mask, const struct og_hsa_pool *pool, void **agent_address) {
  struct og_hsa_locked *locked = calloc(1, sizeof *locked);
  void *alias = locked ? og_memory_alias(og_hsa.runtime, host, size, ACCESS) : NULL;
  struct og_hsa_range range = {.base = (uintptr_t)alias, .size = size, .host = host, .mapped = size,
                               .type = HSA_EXT_POINTER_TYPE_LOCKED, .owner = &og_hsa.agents[0], .pool = pool,
                               .accessible = mask | 1};
  if (!alias || !og_hsa_range_add(&range)) {
    if (alias)
      og_memory_unalias(og_hsa.runtime, alias, size);
    free(locked);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  *locked = (struct og_hsa_locked){.host = host, .size = size, .alias = alias};
  keep(locked);
  *agent_address = alias;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_lock(void *host, size_t size, hsa_agent_t *agents, int count, void **agent_address) {
  uint64_t mask;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(host && size && agent_address);
  *agent_address = NULL;
  hsa_status_t status = og_hsa_agent_mask(agents, count, &mask);
  return status == HSA_STATUS_SUCCESS ? lock(host, size, mask, NULL, agent_address) : status;
}

hsa_status_t hsa_amd_memory_lock_to_pool(void *host, size_t size, hsa_agent_t *agents, int count,
                                         hsa_amd_memory_pool_t pool_handle, uint32_t flags, void **agent_address) {
  uint64_t mask;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(host && size && agent_address && flags == 0);
  *agent_address = NULL;
  const struct og_hsa_pool *pool = og_hsa_pool(pool_handle.handle);
  OG_HSA_NEED(pool && !pool->agent->target.processor, (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  hsa_status_t status = og_hsa_agent_mask(agents, count, &mask);
  return status == HSA_STATUS_SUCCESS ? lock(host, size, mask, pool, agent_address) : status;
}

hsa_status_t hsa_amd_memory_unlock(void *host) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(host);
  struct og_hsa_locked *locked = take(host, true);
  OG_HSA_NEED_ARGUMENT(locked);
  drop(locked);
  return HSA_STATUS_SUCCESS;
}

/* Kernels can access registered memory at its address. Memory that they can access already may be registered, too. */
hsa_status_t hsa_memory_register(void *host, size_t size) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(host || size == 0);
  OG_HSA_NEED(size, HSA_STATUS_SUCCESS);
  struct og_hsa_locked *locked = calloc(1, sizeof *locked);
  OG_HSA_NEED(locked, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  *locked = (struct og_hsa_locked){.host = host, .size = size};
  keep(locked);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_memory_deregister(void *host, size_t size) {
  (void)size;
  OG_HSA_NEED_OPEN();
  struct og_hsa_locked *locked = host ? take(host, false) : NULL;
  if (locked)
    drop(locked);
  return HSA_STATUS_SUCCESS;
}
