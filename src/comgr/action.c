/* action.c - amd_comgr_do_action: gives what was made before from the same, or has it made and keeps it. */
#include <stdlib.h>

#include "comgr/comgr.h"
#include "comgr/key.h"
#include "comgr/sets.h"
#include "comgr/store.h"

static bool do_from_store(const struct comgr_bytes *key, amd_comgr_data_set_t result) {
  struct comgr_entry entry;
  if (!og_comgr_load(&entry, key))
    return false;
  bool good = og_comgr_set_from_bytes(result, entry.value);
  og_comgr_unload(&entry);
  return good;
}

static void keep(const struct comgr_bytes *key, amd_comgr_data_set_t result) {
  struct comgr_bytes value = {0};
  if (og_comgr_set_to_bytes(result, &value))
    og_comgr_save(key, &value);
  free(value.bytes);
}

COMGR_EXPORT int amd_comgr_do_action(int kind, amd_comgr_action_info_t info, amd_comgr_data_set_t input,
                                     amd_comgr_data_set_t result) {
  struct comgr_bytes key = {0};
  bool cached = og_comgr_is_empty(result) && og_comgr_key(&key, kind, info, input);
  int status = COMGR_SUCCESS;
  if (!cached || !do_from_store(&key, result)) {
    status = COMGR_REAL(amd_comgr_do_action)(kind, info, input, result);
    if (cached && status == COMGR_SUCCESS)
      keep(&key, result);
  }
  free(key.bytes);
  return status;
}
