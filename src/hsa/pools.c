/* pools.c - memory pools of the AMD extension and HSA's regions, which are the same objects. */
#include "hsa/internal.h"

struct og_hsa_pool *og_hsa_pool(uint64_t handle) {
  for (uint32_t i = 0; i < og_hsa.agent_count; i++)
    for (uint32_t k = 0; k < og_hsa.agents[i].pool_count; k++)
      if (handle == (uintptr_t)&og_hsa.agents[i].pools[k])
        return &og_hsa.agents[i].pools[k];
  return NULL;
}
