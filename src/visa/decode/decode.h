/* decode.h - makes a program that can run of a kernel. */
#ifndef OG_VISA_DECODE_H
#define OG_VISA_DECODE_H

#include "visa/exec/exec.h"
#include "visa/run.h"

/* Decodes a kernel and the functions that it may call. NULL with a diagnostic. */
struct og_vx_program *og_vx_decode(struct og_arena *arena, const struct og_visa_unit *units, uint32_t unit_count,
                                   const struct og_visa_kernel *kernel, int platform, struct og_zebin *zebin,
                                   struct og_diagnostics *diagnostics);

#endif
