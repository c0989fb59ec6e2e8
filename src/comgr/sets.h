/* sets.h - sets of data objects as bytes, and back. */
#pragma once

#include "comgr/bytes.h"
#include "comgr/comgr.h"

bool og_comgr_is_empty(amd_comgr_data_set_t set);

/* Each object's kind, name and bytes, in order. False if one cannot be read. */
bool og_comgr_set_to_bytes(amd_comgr_data_set_t set, struct comgr_bytes *to);

/* Makes the objects anew in an empty set, which stays empty if this fails. */
bool og_comgr_set_from_bytes(amd_comgr_data_set_t set, struct comgr_rest from);
