/* convert.h - conversions from and to floats of few bits. */
#ifndef OG_EXEC_CONVERT_H
#define OG_EXEC_CONVERT_H

#include "exec/exec.h"

/* Fills in an operation; false where the instruction is none of these, or program->refused says why not. */
bool og_prepare_conversion(struct og_program *program, const struct og_inst *inst, struct og_operation *op);

#endif
