/* modifiers.c - refuses modifiers that no handler obeys. */
#include "exec/modifiers.h"

/* As the assembler spells them. */
static const char *const names[OG_MOD_COUNT] = {
    [OG_MOD_CLAMP] = "clamp", [OG_MOD_OMOD] = "omod", [OG_MOD_OP_SEL] = "op_sel", [OG_MOD_OP_SEL_HI] = "op_sel_hi",
    [OG_MOD_NEG_LO] = "neg_lo", [OG_MOD_NEG_HI] = "neg_hi", [OG_MOD_DPP_CTRL] = "dpp", [OG_MOD_ROW_MASK] = "row_mask",
    [OG_MOD_BANK_MASK] = "bank_mask", [OG_MOD_BOUND_CTRL] = "bound_ctrl", [OG_MOD_FI] = "fi", [OG_MOD_DPP8] = "dpp8",
    [OG_MOD_DST_SEL] = "dst_sel", [OG_MOD_DST_UNUSED] = "dst_unused", [OG_MOD_SRC0_SEL] = "src0_sel",
    [OG_MOD_SRC1_SEL] = "src1_sel", [OG_MOD_OFFSET] = "offset", [OG_MOD_OFFSET0] = "offset0",
    [OG_MOD_OFFSET1] = "offset1", [OG_MOD_GDS] = "gds", [OG_MOD_CPOL] = "cache policy", [OG_MOD_OFFEN] = "offen",
    [OG_MOD_IDXEN] = "idxen", [OG_MOD_ADDR64] = "addr64", [OG_MOD_LDS] = "lds", [OG_MOD_TFE] = "tfe",
    [OG_MOD_LWE] = "lwe", [OG_MOD_DMASK] = "dmask", [OG_MOD_UNORM] = "unorm", [OG_MOD_DA] = "da",
    [OG_MOD_R128] = "r128", [OG_MOD_A16] = "a16", [OG_MOD_D16] = "d16", [OG_MOD_DIM] = "dim",
    [OG_MOD_FORMAT] = "format", [OG_MOD_EN] = "en", [OG_MOD_COMPR] = "compr", [OG_MOD_DONE] = "done",
    [OG_MOD_VM] = "vm", [OG_MOD_ROW_EN] = "row_en", [OG_MOD_WAIT_VDST] = "wait_vdst",
    [OG_MOD_WAIT_VM_VSRC] = "wait_vm_vsrc", [OG_MOD_WAIT_EXP] = "wait_exp", [OG_MOD_CBSZ] = "cbsz",
    [OG_MOD_ABID] = "abid", [OG_MOD_BLGP] = "blgp", [OG_MOD_INDEX_KEY] = "index_key",
    [OG_MOD_BYTE_SEL] = "byte_sel", [OG_MOD_BITOP3] = "bitop3", [OG_MOD_HIGH] = "high", [OG_MOD_SWZ] = "swz",
    [OG_MOD_SCALE_SEL] = "scale_sel", [OG_MOD_MATRIX_A_FMT] = "matrix_a_fmt", [OG_MOD_MATRIX_B_FMT] = "matrix_b_fmt",
    [OG_MOD_MATRIX_A_SCALE] = "matrix_a_scale", [OG_MOD_MATRIX_B_SCALE] = "matrix_b_scale",
    [OG_MOD_MATRIX_A_SCALE_FMT] = "matrix_a_scale_fmt", [OG_MOD_MATRIX_B_SCALE_FMT] = "matrix_b_scale_fmt",
    [OG_MOD_MATRIX_A_REUSE] = "matrix_a_reuse", [OG_MOD_MATRIX_B_REUSE] = "matrix_b_reuse",
};

bool og_refuse(struct og_program *program, const char *what) {
  program->refused = what;
  return false;
}

bool og_obeys(struct og_program *program, const struct og_inst *inst, og_mod_set obeyed) {
  for (unsigned mod = 0; mod < OG_MOD_COUNT; mod++)
    if (inst->mod[mod] && !(obeyed >> mod & 1))
      return og_refuse(program, names[mod]);
  return true;
}

bool og_obeys_flags(struct og_program *program, const struct og_operand *operand, unsigned obeyed) {
  unsigned other = operand->flags & ~(obeyed | OG_LIT | OG_PLAIN);
  if (!other)
    return true;
  return og_refuse(program, other & OG_NEG   ? "neg"
                            : other & OG_ABS ? "abs"
                            : other & OG_SEXT ? "sext"
                                              : "a high half");
}
