/* pools.h - what tests of memory share: the agents and the first GPU's first pool, while HSA is open. */
#ifndef TESTS_HSA_POOLS_H
#define TESTS_HSA_POOLS_H

#include <hsa/hsa_ext_amd.h>

#include "code.h"

static hsa_agent_t gpus[16];
static hsa_amd_memory_pool_t pool;

static inline hsa_status_t keep_pool(hsa_amd_memory_pool_t found, void *data) {
  *(hsa_amd_memory_pool_t *)data = found;
  return HSA_STATUS_INFO_BREAK;
}

static inline int open_runtime(void **state) {
  (void)state;
  WORKS(hsa_init());
  find_gpus(gpus);
  hsa_amd_agent_iterate_memory_pools(gpus[0], keep_pool, &pool);
  return 0;
}

static inline int close_runtime(void **state) {
  (void)state;
  WORKS(hsa_shut_down());
  return 0;
}

#endif
