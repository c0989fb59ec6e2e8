/* infer.h - the layout of a thread's payload without a zebin. */
#ifndef OG_VISA_INFER_H
#define OG_VISA_INFER_H

#include "visa/exec/exec.h"

/* The general variable that an input fills; NULL for surfaces and samplers. */
const struct og_visa_variable *og_visa_input_variable(const struct og_vx_program *program,
                                                      const struct og_visa_input *input);
bool og_visa_is_local_id(const struct og_vx_program *program, const struct og_visa_input *input, uint32_t simd);
/* NULL with a diagnostic if the inputs do not say enough. */
struct og_visa_layout *og_visa_infer_layout(struct og_arena *arena, const struct og_vx_program *program,
                                            const struct og_visa_dispatch *dispatch, uint32_t simd,
                                            struct og_diagnostics *diagnostics);

#endif
