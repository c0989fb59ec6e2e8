/* key.h - all that the result of an action depends on. */
#pragma once

#include "comgr/bytes.h"
#include "comgr/comgr.h"

/* Writes the key of an action. False if its result may depend on more than can be told: such an action is not cached.
 * The key is for the caller to free in any case. */
bool og_comgr_key(struct comgr_bytes *key, int kind, amd_comgr_action_info_t info, amd_comgr_data_set_t input);
