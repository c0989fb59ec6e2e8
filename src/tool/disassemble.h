/* disassemble.h - what `dis` and `mc` share. */
#ifndef OG_TOOL_DISASSEMBLE_H
#define OG_TOOL_DISASSEMBLE_H

#include "tool/assemble.h"

/* `mc -disassemble` and `dis --hex`: turns bytes written as text into instructions. Returns the exit code. */
int og_disassemble_bytes(const struct og_assemble_arguments *a);

#endif
