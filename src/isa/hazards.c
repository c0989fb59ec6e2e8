/* hazards.c - the lines of hazards.def, and which instructions they are about. */
#include "isa/hazard_names.h"
#include "isa/matrix.h"
#include "isa/rows.h"

/* ---- the table --------------------------------------------------------------------------------------------------- */

const struct og_hazard og_hazard_table[] = {
#define HAZARD(name, where, first, how, what, second, second_how, registers, cure, amount, ends)                       \
  {name, where, first, second, ends, how, second_how, what, OG_HAZARD_##registers, OG_HAZARD_##cure, amount},
#include "isa/hazards.def"
};
const unsigned og_hazard_count = OG_COUNT(og_hazard_table);
_Static_assert(OG_COUNT(og_hazard_table) <= OG_HAZARDS_MOST, "a bit for each");
enum { SDWA_DWORD = 6, NSA_LONG = 16, OFFSET_BITS = 6, DEPCTR_BITS = 0xffff };
enum { LAST_OF_8_BITS = 1 };

/* ---- classes ----------------------------------------------------------------------------------------------------- */

unsigned og_form_passes(const struct og_form *form) {
  switch ((enum og_latency_class)form->latency) {
  case OG_LATENCY_MFMA_2: return 2;
  case OG_LATENCY_MFMA_4: return 4;
  case OG_LATENCY_MFMA_8: return 8;
  case OG_LATENCY_MFMA_16: return 16;
  default: return 0;
  }
}

static uint64_t matrix_class(const struct og_form *form) {
  const struct og_matrix *matrix = og_form_matrix(form);
  bool slow = form->latency == OG_LATENCY_WMMA_SLOW;
  unsigned passes = og_form_passes(form);
  switch ((enum og_matrix_kind)matrix->kind) {
  case OG_MATRIX_WMMA:
    return matrix->a == OG_ELEMENT_F32 || matrix->a == OG_ELEMENT_F64 ? BIT(WMMA_OTHER) : slow ? WMMA16 : WMMA8;
  case OG_MATRIX_SWMMAC: return slow ? SWMMAC16 : SWMMAC8;
  case OG_MATRIX_SMFMAC: break;
  case OG_MATRIX_MFMA:
    if (matrix->a == OG_ELEMENT_F64)
      return matrix->m == 4 ? DGEMM4 : DGEMM16;
    if (matrix->a == OG_ELEMENT_F32)
      return passes == 2 ? SGEMM2 : BIT(SGEMM_MORE);
    break;
  case OG_MATRIX_NONE: return ALU;
  }
  return passes == 2 ? XDL2 : BIT(XDL_MORE);
}

static uint64_t valu_class(const struct og_form *form) {
  if (form->row == OG_ROW_V_ACCVGPR_READ_B32 || form->row == OG_ROW_V_ACCVGPR_WRITE_B32)
    return form->row == OG_ROW_V_ACCVGPR_READ_B32 ? ACC_READ : ACC_WRITE;
  if (og_form_matrix(form)->kind != OG_MATRIX_NONE)
    return matrix_class(form);
  return form->issue == OG_ISSUE_TRANS ? TRANS : form->traits & OG_TRAIT_DOT ? DOT : ALU;
}

static uint64_t issue_class(const struct og_form *form) {
  const struct og_memory *memory = og_form_memory(form);
  switch ((enum og_issue)form->issue) {
  case OG_ISSUE_VALU:
  case OG_ISSUE_TRANS:
  case OG_ISSUE_MATRIX: return valu_class(form);
  case OG_ISSUE_SALU: return SALU;
  case OG_ISSUE_SMEM: return SMEM | (memory->space == OG_IN_BUFFER ? SBUFFER : 0);
  case OG_ISSUE_VMEM:
  case OG_ISSUE_FLAT: return VMEM | (form->encoding == OG_ENC_FLAT ? 0 : NOT_FLAT);
  case OG_ISSUE_LDS: return LDS;
  case OG_ISSUE_EXPORT: return BIT(EXPORT);
  case OG_ISSUE_BRANCH: return BIT(BRANCHES);
  default: return 0;
  }
}

static uint64_t row_class(unsigned row) {
  switch (row) {
  case OG_ROW_V_READLANE_B32: return READLANE | LANES;
  case OG_ROW_V_READFIRSTLANE_B32: return READLANE;
  case OG_ROW_V_WRITELANE_B32: return LANES;
  case OG_ROW_V_DIV_FMAS_F32:
  case OG_ROW_V_DIV_FMAS_F64: return FMAS | MASKED;
  case OG_ROW_V_CNDMASK_B32:
  case OG_ROW_V_CNDMASK_B16:
  case OG_ROW_V_ADDC_CO_U32:
  case OG_ROW_V_SUBB_CO_U32:
  case OG_ROW_V_SUBBREV_CO_U32: return MASKED;
  case OG_ROW_V_FMA_F64:
  case OG_ROW_V_FMAC_F64: return FMA64;
  case OG_ROW_S_SETREG_B32:
  case OG_ROW_S_SETREG_IMM32_B32: return SETREG;
  case OG_ROW_S_GETREG_B32: return GETREG;
  case OG_ROW_S_DENORM_MODE: return DENORM;
  case OG_ROW_DS_ATOMIC_ASYNC_BARRIER_ARRIVE_B64: return ARRIVAL;
  case OG_ROW_V_PERMLANE16_B32:
  case OG_ROW_V_PERMLANEX16_B32:
  case OG_ROW_V_PERMLANE16_VAR_B32:
  case OG_ROW_V_PERMLANEX16_VAR_B32:
  case OG_ROW_V_PERMLANE16_SWAP_B32:
  case OG_ROW_V_PERMLANE32_SWAP_B32:
  case OG_ROW_V_PERMLANE64_B32:
  case OG_ROW_V_PERMLANE_BCAST_B32:
  case OG_ROW_V_PERMLANE_UP_B32:
  case OG_ROW_V_PERMLANE_DOWN_B32:
  case OG_ROW_V_PERMLANE_XOR_B32:
  case OG_ROW_V_PERMLANE_IDX_GEN_B32: return PERMLANE;
  default: return 0;
  }
}

/* Instructions that use M0. */
static uint64_t m0_class(const struct og_form *form, unsigned implicit_reads) {
  const struct og_memory *memory = og_form_memory(form);
  uint64_t out = memory->space == OG_IN_GDS || memory->space == OG_IN_GWS ? MESSAGE : 0;
  if (!(implicit_reads & OG_IMPLICIT_M0))
    return out;
  if (form->issue == OG_ISSUE_MESSAGE)
    out |= MESSAGE;
  if (og_is_valu(issue_class(form)) || form->row == OG_ROW_DS_READ_ADDTID_B32 ||
      form->row == OG_ROW_DS_WRITE_ADDTID_B32)
    out |= INTERP;
  return out | (og_transfers_lds(memory) ? LDS_DMA : 0);
}

uint64_t og_form_hazard_classes(const struct og_isa *isa, const struct og_form *form) {
  (void)isa;
  const struct og_memory *memory = og_form_memory(form);
  uint64_t out = issue_class(form) | row_class(form->row) | m0_class(form, form->reads);
  if (form->variant >= OG_VARIANT_DPP16)
    out |= DPP;
  if (og_is_valu(out) && form->writes & OG_IMPLICIT_EXEC)
    out |= CMPX;
  if (memory->access == OG_MOVES_ATOMIC && memory->number == OG_VALUE_FLOAT)
    out |= FLOAT_ATOMIC;
  return out;
}

/* From gfx7 on: data that a store reads late; for buffers only without a register in SOFFSET. */
static bool is_wide_store(const struct og_inst *inst, const struct og_memory *memory) {
  const struct og_operand *data = og_operand(inst, OG_ROLE_VDATA), *offset = og_operand(inst, OG_ROLE_SOFFSET);
  bool stores = memory->access == OG_MOVES_STORE || memory->access == OG_MOVES_ATOMIC;
  bool buffer = inst->encoding == OG_ENC_MUBUF || inst->encoding == OG_ENC_MTBUF;
  return stores && data && data->dwords > 2 && (buffer || inst->encoding == OG_ENC_FLAT) &&
         !(buffer && offset && (offset->kind == OG_OPERAND_SGPR || offset->kind == OG_OPERAND_SPECIAL));
}

static bool is_part(const struct og_inst *inst, const struct og_effects *effects) {
  for (unsigned i = 0; i < effects->write_count; i++)
    if (effects->writes[i].kind == OG_OPERAND_VGPR && effects->writes[i].bytes != 15)
      return true;
  return inst->variant == OG_VARIANT_SDWA && inst->mod[OG_MOD_DST_SEL] != SDWA_DWORD;
}

static bool writes_scalars(const struct og_effects *effects) {
  for (unsigned i = 0; i < effects->write_count; i++)
    if (effects->writes[i].kind == OG_OPERAND_SGPR ||
        (effects->writes[i].kind == OG_OPERAND_SPECIAL && effects->writes[i].reg <= OG_SPECIAL_EXEC_HI))
      return true;
  return false;
}

static uint64_t wait_class(const struct og_isa *isa, const struct og_inst *inst) {
  uint8_t limits[OG_COUNTERS];
  if (!og_inst_wait(isa, inst, limits))
    return 0;
  bool all = inst->row == OG_ROW_S_WAITCNT && inst->operand_count && !inst->operands[0].value;
  return COUNTS | (all ? WAIT_ALL : 0) | (limits[__builtin_ctz(OG_COUNTER_LGKM)] == 0 ? WAIT_LGKM : 0) |
         (limits[__builtin_ctz(OG_COUNTER_VS)] == 0 ? WAIT_VS : 0);
}

/* Where a modifier chooses the matrices' format, 8-bit ones take twice the time. */
static bool is_slower(const struct og_inst *inst, const struct og_matrix *matrix) {
  bool later = matrix->kind == OG_MATRIX_WMMA;
  return matrix->a == OG_ELEMENT_F8F6F4 && (inst->mod[later ? OG_MOD_MATRIX_A_FMT : OG_MOD_CBSZ] <= LAST_OF_8_BITS ||
                                            inst->mod[later ? OG_MOD_MATRIX_B_FMT : OG_MOD_BLGP] <= LAST_OF_8_BITS);
}

static uint64_t classes_of(const struct og_isa *isa, const struct og_inst *inst, const struct og_effects *effects) {
  const struct og_form *form = og_form(isa, inst->form);
  uint64_t out = og_form_hazard_classes(isa, form) | m0_class(form, effects->implicit_reads) | wait_class(isa, inst);
  bool valu = og_is_valu(out), buffer = inst->encoding == OG_ENC_MUBUF || inst->encoding == OG_ENC_MTBUF;
  if (out & WMMA8 && is_slower(inst, og_form_matrix(form)))
    out ^= WMMA8 | WMMA16;
  return out | (inst->variant >= OG_VARIANT_DPP16 ? DPP : 0) | (is_wide_store(inst, og_form_memory(form)) ? WIDE : 0) |
         (valu && is_part(inst, effects) ? PARTIAL : 0) | (valu && writes_scalars(effects) ? VALU_SCALAR : 0) |
         (inst->encoding == OG_ENC_MIMG && inst->size >= NSA_LONG ? LONG_NSA : 0) |
         (buffer && inst->mod[OG_MOD_OFFSET] & OFFSET_BITS ? OFFSET_246 : 0);
}

/* ---- one instruction --------------------------------------------------------------------------------------------- */

static unsigned states_of(const struct og_inst *inst) {
  return inst->row == OG_ROW_S_NOP && inst->operand_count ? 1 + (unsigned)(inst->operands[0].value & 15) : 1;
}

static bool is_scalar(const struct og_use *use) {
  return use->kind == OG_OPERAND_SGPR || (use->kind == OG_OPERAND_SPECIAL && use->reg <= OG_SPECIAL_VCC_HI);
}

static bool touches_scalars(const struct og_effects *effects) {
  bool any = false;
  for (unsigned i = 0; i < effects->read_count; i++)
    any |= is_scalar(&effects->reads[i]);
  for (unsigned i = 0; i < effects->write_count; i++)
    any |= is_scalar(&effects->writes[i]);
  return any;
}

static bool is_cure(const struct og_hazard *h, const struct og_inst *inst) {
  bool depctr = h->cure == OG_HAZARD_DEPCTR || h->cure == OG_HAZARD_DEPCTR_SOON || h->cure == OG_HAZARD_DEPCTR_BEHIND;
  return depctr && inst->row == OG_ROW_S_WAITCNT_DEPCTR && inst->operand_count &&
         !(inst->operands[0].value & ~(uint64_t)h->amount & DEPCTR_BITS);
}

/* How far behind the instruction the line still applies. */
static void note_reach(const struct og_hazard *h, struct og_hazards *out) {
  int most = h->amount + (h->cure == OG_HAZARD_PASSES ? out->passes : 0);
  switch ((enum og_hazard_cure)h->cure) {
  case OG_HAZARD_STATES:
  case OG_HAZARD_PASSES: out->states_most = (uint8_t)OG_MAX((int)out->states_most, most); break;
  case OG_HAZARD_VALUS: out->valus_most = (uint8_t)OG_MAX((int)out->valus_most, most); break;
  case OG_HAZARD_DEPCTR_SOON: out->valus_most = (uint8_t)OG_MAX((int)out->valus_most, (int)OG_HAZARD_SOON_VALUS); break;
  default: out->unlimited = true;
  }
}

void og_inst_hazards(const struct og_isa *isa, const struct og_inst *inst, const struct og_effects *effects,
                     struct og_hazards *out) {
  const struct og_form *form = og_form(isa, inst->form);
  bool slower = is_slower(inst, og_form_matrix(form));
  *out = (struct og_hazards){.states = (uint8_t)states_of(inst),
                             .row = inst->row,
                             .passes = (uint8_t)(og_form_passes(form) << slower),
                             .classes = classes_of(isa, inst, effects)};
  for (unsigned n = 0; n < OG_COUNT(og_hazard_table); n++) {
    const struct og_hazard *h = &og_hazard_table[n];
    if (!og_hazard_is_of(h, isa))
      continue;
    bool first = out->classes & h->first, second = out->classes & h->second;
    out->ends[n / 64] |= (uint64_t)(out->classes & h->ends || is_cure(h, inst)) << n % 64;
    if (h->cure == OG_HAZARD_DEPCTR_BEHIND) {
      out->behind |= touches_scalars(effects) || out->classes & h->ends || is_cure(h, inst);
      continue;
    }
    out->first[n / 64] |= (uint64_t)first << n % 64;
    out->second[n / 64] |= (uint64_t)second << n % 64;
    if (first)
      note_reach(h, out);
  }
}
