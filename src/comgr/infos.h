/* infos.h - which of their texts action infos have been given. */
#pragma once

#include "comgr/comgr.h"

/* Each a bit. */
enum { COMGR_HAS_ISA_NAME = 1, COMGR_HAS_WORKING_DIRECTORY = 2 };

unsigned og_comgr_texts(amd_comgr_action_info_t info);
