/* signals.c - signals made and ended, doorbells, groups. */
#include "hsa/internal.h"

void og_hsa_signal_store(struct og_signal *signal, int64_t value) {
  og_signal_store(signal, value);
}

hsa_status_t hsa_signal_create(hsa_signal_value_t value, uint32_t consumer_count, const hsa_agent_t *consumers,
                               hsa_signal_t *signal) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(signal && (consumer_count == 0 || consumers));
  struct og_signal *made = og_signal_new(og_hsa.runtime, value);
  OG_HSA_NEED(made, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  signal->handle = (uintptr_t)made;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_destroy(hsa_signal_t signal) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT(signal.handle);
  og_signal_free(og_hsa.runtime, (struct og_signal *)(uintptr_t)signal.handle);
  return HSA_STATUS_SUCCESS;
}
