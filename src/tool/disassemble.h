/* disassemble.h - what `dis` and `mc` share. */
#ifndef OG_TOOL_DISASSEMBLE_H
#define OG_TOOL_DISASSEMBLE_H

#include "tool/assemble.h"

/* `mc -disassemble` and `dis --hex`: bytes as text to instructions. Yields the exit code. */
int og_disassemble_bytes(const struct og_assemble_arguments *a);

#endif
