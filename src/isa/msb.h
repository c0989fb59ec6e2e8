/* msb.h - registers beyond v255 (gfx12.5): the high bits of an instruction's vector registers stand in
 * MODE.VGPR_MSB. */
#ifndef OG_ISA_MSB_H
#define OG_ISA_MSB_H

#include "isa/isa.h"

enum og_msb { OG_MSB_DST, OG_MSB_SRC0, OG_MSB_SRC1, OG_MSB_SRC2, OG_MSB_NONE }; /* in the order of MODE */

/* Which of MODE's fields has the high bits of an operand of the instruction. */
enum og_msb og_msb_of(const struct og_inst *inst, const struct og_operand *operand);
/* Two bits of the field in s_set_vgpr_msb's immediate, {dst, src2, src1, src0}. */
static inline unsigned og_msb_set(unsigned immediate, enum og_msb field) {
  return field == OG_MSB_NONE ? 0 : immediate >> (field == OG_MSB_DST ? 6 : 2 * (field - 1)) & 3;
}

#endif
