/* pools.c - memory pools of the AMD extension and HSA's regions, which are the same objects. All memory is the host's;
 * what a kernel may touch is in the runtime's memory map. */
#include <string.h>
#include <unistd.h>

#include "hsa/internal.h"
#include "hsa/vmem.h"

enum { GRANULE = 4096, GLOBAL_FLAGS = 7 };

static void add_pool(struct og_hsa_agent *agent, hsa_amd_segment_t segment, uint32_t flags, uint64_t size) {
  agent->pools[agent->pool_count++] =
      (struct og_hsa_pool){.agent = agent, .segment = segment, .flags = flags, .size = size};
}

/* In the order in which the driver lists them. */
void og_hsa_add_pools(struct og_hsa_agent *agent) {
  uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  enum {
    FINE = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
    COARSE = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED,
    KERNARG = HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT
  };
  if (!agent->target.processor) {
    add_pool(agent, HSA_AMD_SEGMENT_GLOBAL, FINE, memory);
    add_pool(agent, HSA_AMD_SEGMENT_GLOBAL, FINE | KERNARG, memory);
    add_pool(agent, HSA_AMD_SEGMENT_GLOBAL, COARSE, memory);
    return;
  }
  add_pool(agent, HSA_AMD_SEGMENT_GLOBAL, COARSE, memory);
  add_pool(agent, HSA_AMD_SEGMENT_GLOBAL, FINE, memory);
  add_pool(agent, HSA_AMD_SEGMENT_GROUP, 0, agent->target.processor->lds_bytes);
}

struct og_hsa_pool *og_hsa_pool(uint64_t handle) {
  for (uint32_t i = 0; i < og_hsa.agent_count; i++)
    for (uint32_t k = 0; k < og_hsa.agents[i].pool_count; k++)
      if (handle == (uintptr_t)&og_hsa.agents[i].pools[k])
        return &og_hsa.agents[i].pools[k];
  return NULL;
}

static bool is_global(const struct og_hsa_pool *pool) {
  return pool->segment == HSA_AMD_SEGMENT_GLOBAL;
}

/* ---- pools ------------------------------------------------------------------------------------------------------- */

hsa_status_t hsa_amd_agent_iterate_memory_pools(hsa_agent_t handle,
                                                hsa_status_t (*callback)(hsa_amd_memory_pool_t pool, void *data),
                                                void *data) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *agent = og_hsa_agent(handle);
  OG_HSA_NEED(agent, HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(callback);
  hsa_status_t status = HSA_STATUS_SUCCESS;
  for (uint32_t i = 0; i < agent->pool_count && status == HSA_STATUS_SUCCESS; i++)
    status = callback((hsa_amd_memory_pool_t){(uintptr_t)&agent->pools[i]}, data);
  return status;
}

hsa_status_t hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t handle, hsa_amd_memory_pool_info_t attribute,
                                          void *value) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_pool *pool = og_hsa_pool(handle.handle);
  OG_HSA_NEED(pool, (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  OG_HSA_NEED_ARGUMENT(value);
  switch ((unsigned)attribute) {
  case HSA_AMD_MEMORY_POOL_INFO_SEGMENT: return OG_HSA_PUT(hsa_amd_segment_t, pool->segment);
  case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS: return OG_HSA_PUT(uint32_t, pool->flags);
  case HSA_AMD_MEMORY_POOL_INFO_SIZE: return OG_HSA_PUT(size_t, pool->size);
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED: return OG_HSA_PUT(bool, is_global(pool));
  case OG_HSA_POOL_RECOMMENDED_GRANULE:
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT: return OG_HSA_PUT(size_t, is_global(pool) ? GRANULE : 0);
  case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
    return OG_HSA_PUT(bool, is_global(pool) && !pool->agent->target.processor);
  case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE: return OG_HSA_PUT(size_t, is_global(pool) ? pool->size : 0);
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t og_hsa_allocate(const struct og_hsa_pool *pool, size_t size, void **memory) {
  OG_HSA_NEED(is_global(pool) && size <= pool->size, HSA_STATUS_ERROR_INVALID_ALLOCATION);
  size_t reach = og_hsa_checks() ? size : og_align_up(size, GRANULE);
  size = og_align_up(size, GRANULE);
  void *made = og_memory_new(og_hsa.runtime, reach, GRANULE, OG_MEMORY_READ | OG_MEMORY_WRITE);
  OG_HSA_NEED(made, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  struct og_hsa_range range = {
      .base = (uintptr_t)made, .size = size, .host = made, .mapped = size, .type = HSA_EXT_POINTER_TYPE_HSA,
      .owner = pool->agent, .pool = pool, .accessible = 1ull << pool->agent->node,
  };
  if (!og_hsa_range_add(&range)) {
    og_memory_free(og_hsa.runtime, made);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  if (pool->agent->target.processor)
    og_hsa_check_allocated(made, reach);
  *memory = made;
  return HSA_STATUS_SUCCESS;
}

/* Frees only what og_hsa_allocate() made; an address inside an allocation does not count. */
hsa_status_t og_hsa_release(void *memory) {
  struct og_hsa_range range;
  bool found = og_hsa_range_find((uintptr_t)memory, &range);
  OG_HSA_NEED(found && range.base == (uintptr_t)memory && range.type == HSA_EXT_POINTER_TYPE_HSA,
              HSA_STATUS_ERROR_INVALID_ALLOCATION);
  og_hsa_say_farewell(range.base, true);
  og_hsa_forget_export(memory);
  og_hsa_range_remove(range.base, &range);
  og_memory_free(og_hsa.runtime, memory);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t handle, size_t size, uint32_t flags, void **memory) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_pool *pool = og_hsa_pool(handle.handle);
  OG_HSA_NEED_ARGUMENT(size && memory && flags == 0);
  OG_HSA_NEED(pool, (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  return og_hsa_allocate(pool, size, memory);
}

hsa_status_t hsa_amd_memory_pool_free(void *memory) {
  OG_HSA_NEED_OPEN();
  return memory ? og_hsa_release(memory) : HSA_STATUS_SUCCESS;
}

/* Everybody may access fine-grained memory of the host. Other memory is its agent's, until
 * hsa_amd_agents_allow_access. */
static hsa_amd_memory_pool_access_t access_of(const struct og_hsa_agent *agent, const struct og_hsa_pool *pool) {
  if (pool->agent == agent)
    return HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT;
  if (!is_global(pool))
    return HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
  return !pool->agent->target.processor && pool->flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED
             ? HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT
             : HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT;
}

hsa_status_t hsa_amd_agent_memory_pool_get_info(hsa_agent_t agent_handle, hsa_amd_memory_pool_t pool_handle,
                                                hsa_amd_agent_memory_pool_info_t attribute, void *value) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *agent = og_hsa_agent(agent_handle);
  const struct og_hsa_pool *pool = og_hsa_pool(pool_handle.handle);
  OG_HSA_NEED_ARGUMENT(value);
  OG_HSA_NEED(agent, HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED(pool, (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  hsa_amd_memory_pool_access_t access = access_of(agent, pool);
  uint32_t hops = pool->agent != agent && access != HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
  switch (attribute) {
  case HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS: return OG_HSA_PUT(hsa_amd_memory_pool_access_t, access);
  case HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS: return OG_HSA_PUT(uint32_t, hops);
  case HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO:
    if (hops)
      *(hsa_amd_memory_pool_link_info_t *)value = (hsa_amd_memory_pool_link_info_t){
          .atomic_support_32bit = true, .atomic_support_64bit = true, .coherent_support = true,
          .link_type = HSA_AMD_LINK_INFO_TYPE_PCIE, .numa_distance = 20};
    return HSA_STATUS_SUCCESS;
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* ---- regions ----------------------------------------------------------------------------------------------------- */

/* An agent's own, and those of the host that kernels can access without being allowed to. */
hsa_status_t hsa_agent_iterate_regions(hsa_agent_t handle, hsa_status_t (*callback)(hsa_region_t region, void *data),
                                       void *data) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_agent *agent = og_hsa_agent(handle);
  OG_HSA_NEED(agent, HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(callback);
  const struct og_hsa_agent *const both[] = {agent, &og_hsa.agents[0]};
  hsa_status_t status = HSA_STATUS_SUCCESS;
  for (int a = 0; a < (agent == both[1] ? 1 : 2); a++)
    for (uint32_t i = 0; i < both[a]->pool_count && status == HSA_STATUS_SUCCESS; i++)
      if (access_of(agent, &both[a]->pools[i]) == HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT)
        status = callback((hsa_region_t){(uintptr_t)&both[a]->pools[i]}, data);
  return status;
}

hsa_status_t hsa_region_get_info(hsa_region_t handle, hsa_region_info_t attribute, void *value) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_pool *pool = og_hsa_pool(handle.handle);
  OG_HSA_NEED(pool, HSA_STATUS_ERROR_INVALID_REGION);
  OG_HSA_NEED_ARGUMENT(value);
  switch ((unsigned)attribute) {
  case HSA_REGION_INFO_SEGMENT:
    return OG_HSA_PUT(hsa_region_segment_t, is_global(pool) ? HSA_REGION_SEGMENT_GLOBAL : HSA_REGION_SEGMENT_GROUP);
  case HSA_REGION_INFO_GLOBAL_FLAGS: return OG_HSA_PUT(uint32_t, pool->flags);
  case HSA_REGION_INFO_SIZE: return OG_HSA_PUT(size_t, pool->size);
  case HSA_REGION_INFO_ALLOC_MAX_SIZE: return OG_HSA_PUT(size_t, is_global(pool) ? pool->size : 0);
  case HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE: return OG_HSA_PUT(uint32_t, UINT32_MAX);
  case HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED: return OG_HSA_PUT(bool, is_global(pool));
  case HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE:
  case HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT: return OG_HSA_PUT(size_t, is_global(pool) ? GRANULE : 0);
  case HSA_AMD_REGION_INFO_HOST_ACCESSIBLE: return OG_HSA_PUT(bool, is_global(pool));
  case HSA_AMD_REGION_INFO_BASE: return OG_HSA_PUT(uint64_t, 0); /* a pool's memory may be anywhere */
  case HSA_AMD_REGION_INFO_BUS_WIDTH: return OG_HSA_PUT(uint32_t, 4096);
  case HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY: return OG_HSA_PUT(uint32_t, OG_HSA_CLOCK_MHZ);
  default: return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t hsa_memory_allocate(hsa_region_t region, size_t size, void **memory) {
  OG_HSA_NEED_OPEN();
  const struct og_hsa_pool *pool = og_hsa_pool(region.handle);
  OG_HSA_NEED_ARGUMENT(size && memory);
  OG_HSA_NEED(pool, HSA_STATUS_ERROR_INVALID_REGION);
  return og_hsa_allocate(pool, size, memory);
}

hsa_status_t hsa_memory_free(void *memory) {
  OG_HSA_NEED_OPEN();
  return memory ? og_hsa_release(memory) : HSA_STATUS_SUCCESS;
}

/* There is only one memory, so its owner changes nothing. */
hsa_status_t hsa_memory_assign_agent(void *memory, hsa_agent_t agent, hsa_access_permission_t access) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(memory && access >= HSA_ACCESS_PERMISSION_RO && access <= HSA_ACCESS_PERMISSION_RW);
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_pool_can_migrate(hsa_amd_memory_pool_t from, hsa_amd_memory_pool_t to, bool *result) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(result);
  OG_HSA_NEED(og_hsa_pool(from.handle) && og_hsa_pool(to.handle), (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  *result = false;
  return HSA_STATUS_SUCCESS;
}

/* All memory is coherent, whatever type a program sets. */
hsa_status_t hsa_amd_coherency_get_type(hsa_agent_t agent, hsa_amd_coherency_type_t *type) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(type);
  *type = HSA_AMD_COHERENCY_TYPE_COHERENT;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_coherency_set_type(hsa_agent_t agent, hsa_amd_coherency_type_t type) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(type == HSA_AMD_COHERENCY_TYPE_COHERENT || type == HSA_AMD_COHERENCY_TYPE_NONCOHERENT);
  return HSA_STATUS_SUCCESS;
}
