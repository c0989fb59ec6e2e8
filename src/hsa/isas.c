/* isas.c - instruction sets: one for each GPU agent, whose address is the handle. */
#include "hsa/internal.h"

struct og_hsa_agent *og_hsa_isa(hsa_isa_t handle) {
  struct og_hsa_agent *agent = og_hsa_agent((hsa_agent_t){handle.handle});
  return agent && agent->target.processor ? agent : NULL;
}
