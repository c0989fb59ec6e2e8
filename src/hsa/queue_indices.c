/* queue_indices.c - the read and write index of a queue, which are fields of the queue itself. All accesses are
 * sequentially consistent, which is what every memory order asks for or less. */
#include <hsa/amd_hsa_queue.h>

#include "hsa/internal.h"

static volatile uint64_t *read_index(const hsa_queue_t *queue) {
  return &((amd_queue_t *)(uintptr_t)queue)->read_dispatch_id;
}

static volatile uint64_t *write_index(const hsa_queue_t *queue) {
  return &((amd_queue_t *)(uintptr_t)queue)->write_dispatch_id;
}

#define LOAD(order)                                                            \
  uint64_t hsa_queue_load_read_index_##order(const hsa_queue_t *queue) {       \
    return __atomic_load_n(read_index(queue), __ATOMIC_SEQ_CST);               \
  }                                                                            \
  uint64_t hsa_queue_load_write_index_##order(const hsa_queue_t *queue) {      \
    return __atomic_load_n(write_index(queue), __ATOMIC_SEQ_CST);              \
  }
LOAD(relaxed) LOAD(acquire) LOAD(scacquire)

#define STORE(order)                                                                      \
  void hsa_queue_store_read_index_##order(const hsa_queue_t *queue, uint64_t value) {     \
    __atomic_store_n(read_index(queue), value, __ATOMIC_SEQ_CST);                         \
  }                                                                                       \
  void hsa_queue_store_write_index_##order(const hsa_queue_t *queue, uint64_t value) {    \
    __atomic_store_n(write_index(queue), value, __ATOMIC_SEQ_CST);                        \
  }
STORE(relaxed) STORE(release) STORE(screlease)

#define CHANGE(order)                                                                                         \
  uint64_t hsa_queue_add_write_index_##order(const hsa_queue_t *queue, uint64_t value) {                      \
    return __atomic_fetch_add(write_index(queue), value, __ATOMIC_SEQ_CST);                                   \
  }                                                                                                           \
  uint64_t hsa_queue_cas_write_index_##order(const hsa_queue_t *queue, uint64_t expected, uint64_t value) {   \
    __atomic_compare_exchange_n(write_index(queue), &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                                          \
  }
CHANGE(relaxed) CHANGE(acquire) CHANGE(scacquire) CHANGE(release) CHANGE(screlease) CHANGE(acq_rel) CHANGE(scacq_screl)
