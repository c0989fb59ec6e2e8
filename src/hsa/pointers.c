/* pointers.c - what is known about an address: whose memory it is, the program's data for it, callbacks for when it is
 * freed. */
#include <stdlib.h>
#include <string.h>

#include "hsa/internal.h"

/* By either address of locked memory. */
static bool find(const void *pointer, struct og_hsa_range *range) {
  uint64_t locked = og_hsa_locked_address(pointer);
  return og_hsa_range_find((uintptr_t)pointer, range) || (locked && og_hsa_range_find(locked, range));
}

static hsa_status_t list_agents(uint64_t mask, void *(*allocate)(size_t), uint32_t *count, hsa_agent_t **agents) {
  *count = (uint32_t)__builtin_popcountll(mask);
  *agents = allocate(*count * sizeof **agents);
  OG_HSA_NEED(*agents, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  for (uint32_t node = 0, at = 0; node < og_hsa.agent_count; node++)
    if (mask >> node & 1)
      (*agents)[at++] = og_hsa_agent_handle(&og_hsa.agents[node]);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_pointer_info(const void *pointer, hsa_amd_pointer_info_t *info, void *(*allocate)(size_t),
                                  uint32_t *count, hsa_agent_t **agents) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(pointer && info && info->size);
  struct og_hsa_range range;
  hsa_amd_pointer_info_t told = {.type = HSA_EXT_POINTER_TYPE_UNKNOWN};
  bool known = find(pointer, &range);
  if (known)
    told = (hsa_amd_pointer_info_t){
        .type = range.type,
        .agentBaseAddress = (void *)(uintptr_t)range.base,
        .hostBaseAddress = range.host,
        .sizeInBytes = range.size,
        .userData = range.userdata,
        .agentOwner = range.owner ? og_hsa_agent_handle(range.owner) : (hsa_agent_t){0},
        .global_flags = range.pool ? range.pool->flags : (uint32_t)HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
    };
  told.size = OG_MIN(info->size, (uint32_t)sizeof told); /* the caller's may be of an older version, and shorter */
  memcpy(info, &told, told.size);
  if (!allocate || !count || !agents)
    return HSA_STATUS_SUCCESS;
  *count = 0;
  *agents = NULL;
  return known ? list_agents(range.accessible, allocate, count, agents) : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_pointer_info_set_userdata(const void *pointer, void *userdata) {
  OG_HSA_NEED_OPEN();
  struct og_hsa_range range;
  OG_HSA_NEED_ARGUMENT(pointer && find(pointer, &range) && og_hsa_range_set_userdata(range.base, userdata));
  return HSA_STATUS_SUCCESS;
}

/* There is only one memory, and kernels can access all that any agent may: this only changes what pointer_info says. */
hsa_status_t hsa_amd_agents_allow_access(uint32_t count, const hsa_agent_t *agents, const uint32_t *flags,
                                         const void *pointer) {
  uint64_t mask;
  struct og_hsa_range range;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(count && agents && !flags && pointer);
  hsa_status_t status = og_hsa_agent_mask(agents, count, &mask);
  OG_HSA_NEED(status == HSA_STATUS_SUCCESS, status);
  OG_HSA_NEED_ARGUMENT(find(pointer, &range));
  og_hsa_range_allow(range.base, mask | (range.owner ? 1ull << range.owner->node : 0));
  return HSA_STATUS_SUCCESS;
}

/* There is no other memory to migrate to, as hsa_amd_memory_pool_can_migrate says. */
hsa_status_t hsa_amd_memory_migrate(const void *pointer, hsa_amd_memory_pool_t pool, uint32_t flags) {
  struct og_hsa_range range;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(pointer && flags == 0 && find(pointer, &range));
  OG_HSA_NEED(og_hsa_pool(pool.handle), (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  return range.pool == og_hsa_pool(pool.handle) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

/* ---- callbacks for when memory is freed
 * ---------------------------------------------------------------------------- */

struct og_hsa_farewell {
  struct og_hsa_farewell *next;
  uint64_t base;
  void *pointer;
  hsa_amd_deallocation_callback_t call;
  void *data;
};

hsa_status_t hsa_amd_register_deallocation_callback(void *pointer, hsa_amd_deallocation_callback_t call, void *data) {
  struct og_hsa_range range;
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(pointer && call);
  OG_HSA_NEED(og_hsa_range_find((uintptr_t)pointer, &range) && range.type == HSA_EXT_POINTER_TYPE_HSA,
              HSA_STATUS_ERROR_INVALID_ALLOCATION);
  struct og_hsa_farewell *farewell = malloc(sizeof *farewell);
  OG_HSA_NEED(farewell, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  pthread_mutex_lock(&og_hsa.memory_lock);
  *farewell = (struct og_hsa_farewell){og_hsa.farewells, range.base, pointer, call, data};
  og_hsa.farewells = farewell;
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return HSA_STATUS_SUCCESS;
}

/* Takes out the first that matches: any of an allocation (call NULL), or that of one function. */
static struct og_hsa_farewell *take(uint64_t base, const void *pointer, hsa_amd_deallocation_callback_t call) {
  pthread_mutex_lock(&og_hsa.memory_lock);
  struct og_hsa_farewell **link = &og_hsa.farewells;
  while (*link && (call ? (*link)->pointer != pointer || (*link)->call != call : (*link)->base != base))
    link = &(*link)->next;
  struct og_hsa_farewell *found = *link;
  if (found)
    *link = found->next;
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return found;
}

hsa_status_t hsa_amd_deregister_deallocation_callback(void *pointer, hsa_amd_deallocation_callback_t call) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(pointer && call);
  struct og_hsa_farewell *found = take(0, pointer, call);
  OG_HSA_NEED_ARGUMENT(found);
  free(found);
  return HSA_STATUS_SUCCESS;
}

void og_hsa_say_farewell(uint64_t base, bool call) {
  for (struct og_hsa_farewell *found; (found = take(base, NULL, NULL)) != NULL; free(found))
    if (call)
      found->call(found->pointer, found->data);
}

void og_hsa_farewells_close(void) {
  while (og_hsa.farewells)
    og_hsa_say_farewell(og_hsa.farewells->base, false);
}
