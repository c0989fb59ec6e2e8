/* bitcode.h - what the code of LLVM bitcode reads beside itself. */
#pragma once

#include "comgr/bytes.h"

/* Whether no inline assembly in it reads a file. */
bool og_comgr_is_plain_bitcode(struct comgr_rest bitcode);
