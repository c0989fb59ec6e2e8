/* msb.c - which field of MODE.VGPR_MSB has the high bits of an operand ("CDNA5" ISA, 3.3.2.3; LLVM's operands of
 * v_fmamk, whose constant stands in source 1's place). */
#include "isa/msb.h"

enum og_msb og_msb_of(const struct og_inst *inst, const struct og_operand *operand) {
  if (inst->encoding == OG_ENC_VOP3P && inst->operands[0].role == OG_ROLE_SRC0) /* v_wmma_ld_scale_*, of v0 to v255 */
    return OG_MSB_NONE;
  bool memory = inst->encoding == OG_ENC_DS || inst->encoding == OG_ENC_FLAT;
  switch ((enum og_role)operand->role) {
  case OG_ROLE_VDST: case OG_ROLE_VDST_Y: return OG_MSB_DST;
  case OG_ROLE_SRC0: case OG_ROLE_SRC0_Y: case OG_ROLE_VADDR: return OG_MSB_SRC0;
  case OG_ROLE_SRC1: case OG_ROLE_SRC1_Y:
    return operand > inst->operands && operand[-1].role == OG_ROLE_SIMM ? OG_MSB_SRC2 : OG_MSB_SRC1;
  case OG_ROLE_SRC2: case OG_ROLE_SRC2_Y: case OG_ROLE_DATA1: return OG_MSB_SRC2;
  case OG_ROLE_VDATA: return memory ? OG_MSB_SRC1 : OG_MSB_DST;
  default: return OG_MSB_NONE; /* scales of matrices */
  }
}
