/* agents.c - agents: the CPU, and a GPU for each processor that OFFGRID_GPU names. */
#include "hsa/internal.h"

struct og_hsa_agent *og_hsa_agent(hsa_agent_t handle) {
  for (uint32_t i = 0; i < og_hsa.agent_count; i++)
    if (handle.handle == (uintptr_t)&og_hsa.agents[i])
      return &og_hsa.agents[i];
  return NULL;
}

hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void *data), void *data) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(callback);
  hsa_status_t status = HSA_STATUS_SUCCESS;
  for (uint32_t i = 0; i < og_hsa.agent_count && status == HSA_STATUS_SUCCESS; i++)
    status = callback(og_hsa_agent_handle(&og_hsa.agents[i]), data);
  return status;
}
