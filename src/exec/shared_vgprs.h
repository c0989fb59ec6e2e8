/* shared_vgprs.h - VGPRs that both halves of a wave of 64 lanes reach. */
#ifndef OG_EXEC_SHARED_VGPRS_H
#define OG_EXEC_SHARED_VGPRS_H

#include "exec/exec.h"

/* Does a vector operation of a wave that has such VGPRs, and yields what comes next. */
og_handler og_run_sharing;

#endif
