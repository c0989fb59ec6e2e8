/* frames.h - unwinding rules for addresses and registers. */
#ifndef OG_ASM_FRAMES_H
#define OG_ASM_FRAMES_H

#include "asm/internal.h"

enum { CODE_ALIGNMENT = 4, DATA_ALIGNMENT = 4, PC_REGISTER = 16 };
enum { ENCODING_OMIT = 0xff, ENCODING_PC_RELATIVE = 0x10, ENCODING_SDATA4 = 0x0b, NO_ENCODING = -1 };

#endif
