/* hazards.c - which instructions the lines of hazards.def are about, and where two of them meet. */
#include "isa/hazards.h"
#include "isa/matrix.h"
#include "isa/rows.h"

#include <stdio.h>

/* ---- the table ----------------------------------------------------------------------------------------------------- */

#define BIT(name) (1ull << OG_HAZARD_BIT_##name)
/* Classes as hazards.def calls them. */
#define ALU BIT(ALU)
#define TRANS BIT(TRANS)
#define DOT BIT(DOT)
#define ACC_READ BIT(ACC_READ)
#define ACC_WRITE BIT(ACC_WRITE)
#define XDL2 BIT(XDL2)
#define XDL (XDL2 | BIT(XDL_MORE))
#define SGEMM2 BIT(SGEMM2)
#define SGEMM (SGEMM2 | BIT(SGEMM_MORE))
#define SMFMA (XDL | SGEMM)
#define DGEMM4 BIT(DGEMM4)
#define DGEMM16 BIT(DGEMM16)
#define DGEMM (DGEMM4 | DGEMM16)
#define MFMA (SMFMA | DGEMM)
#define WMMA8 BIT(WMMA8)
#define WMMA16 BIT(WMMA16)
#define SWMMAC8 BIT(SWMMAC8)
#define SWMMAC16 BIT(SWMMAC16)
#define XDL_WMMA (WMMA8 | WMMA16 | SWMMAC8 | SWMMAC16)
#define WMMA (XDL_WMMA | BIT(WMMA_OTHER))
#define VALU ((2ull << OG_HAZARD_BIT_SWMMAC16) - 1)
#define PLAIN (VALU & ~TRANS)
#define LEGACY (VALU & ~MFMA)
#define SALU BIT(SALU)
#define SMEM BIT(SMEM)
#define SBUFFER BIT(SBUFFER)
#define VMEM BIT(VMEM)
#define NOT_FLAT BIT(NOT_FLAT)
#define LDS BIT(LDS)
#define MEMORY (VMEM | LDS | BIT(EXPORT))
#define LANES BIT(LANES)
#define READLANE BIT(READLANE)
#define FMAS BIT(FMAS)
#define FMA64 BIT(FMA64)
#define DPP BIT(DPP)
#define SETREG BIT(SETREG)
#define GETREG BIT(GETREG)
#define PERMLANE BIT(PERMLANE)
#define CMPX BIT(CMPX)
#define DENORM BIT(DENORM)
#define MASKED BIT(MASKED)
#define MESSAGE BIT(MESSAGE)
#define INTERP BIT(INTERP)
#define LDS_DMA BIT(LDS_DMA)
#define WIDE BIT(WIDE)
#define PARTIAL BIT(PARTIAL)
#define VALU_SCALAR BIT(VALU_SCALAR)
#define LONG_NSA BIT(LONG_NSA)
#define OFFSET_246 BIT(OFFSET_246)
#define FLOAT_ATOMIC BIT(FLOAT_ATOMIC)
#define COUNTS BIT(COUNTS)
#define WAIT_ALL BIT(WAIT_ALL)
#define WAIT_LGKM BIT(WAIT_LGKM)
#define WAIT_VS BIT(WAIT_VS)
/* How registers are touched. */
enum {
  WRITES = OG_AS_RESULT, NAMED = OG_AS_NAMED, LANE = OG_AS_SRC1, DATA = OG_AS_DATA, MASK = OG_AS_SRC2 | OG_AS_UNSEEN, C = OG_AS_SRC2,
  AB = OG_AS_SRC0 | OG_AS_SRC1 | OG_AS_OTHER,
  READS = OG_AS_SRC0 | OG_AS_SRC1 | OG_AS_SRC2 | OG_AS_DATA | OG_AS_OTHER | OG_AS_UNSEEN,
};
enum { /* enum og_hazard_what */
  VGPR = OG_HAZARD_VGPR, AGPR = OG_HAZARD_AGPR, VECTOR = VGPR | AGPR, SGPRS = OG_HAZARD_SGPRS, VCC = OG_HAZARD_VCC,
  SGPR = SGPRS | VCC, EXEC = OG_HAZARD_EXEC, M0 = OG_HAZARD_M0, SCALAR = SGPR | EXEC | M0, MODE = OG_HAZARD_MODE,
  NOTHING = OG_HAZARD_NOTHING,
};
#define FROM(g) OG_FROM(g)
#define UNTIL(g) OG_UNTIL(g)
#define ONLY(g) (1u << OG_##g)
#define GFX8_9 (FROM(GFX8) & UNTIL(GFX950))
#define GFX9 (FROM(GFX900) & UNTIL(GFX950))
#define GFX7_90A (FROM(GFX7) & UNTIL(GFX90A))
#define GFX90A_942 (FROM(GFX90A) & UNTIL(GFX942))
#define GFX90A_950 (FROM(GFX90A) & UNTIL(GFX950))
#define GFX940 (FROM(GFX942) & UNTIL(GFX950))
#define GFX10 (FROM(GFX10_1) & UNTIL(GFX10_3))
#define GFX10_1X (FROM(GFX10_1) & UNTIL(GFX1013))
#define CMPX_PERMLANE (GFX10_1X | FROM(GFX11))
#define MASKS (OG_HAZARD_WAVE64 | ONLY(GFX11) | ONLY(GFX11_5))

const struct og_hazard og_hazard_table[] = {
#define HAZARD(name, where, first, how, what, second, second_how, registers, cure, amount, ends)                       \
  {name, where, first, second, ends, how, second_how, what, OG_HAZARD_##registers, OG_HAZARD_##cure, amount},
#include "isa/hazards.def"
};
const unsigned og_hazard_count = OG_COUNT(og_hazard_table);
_Static_assert(OG_COUNT(og_hazard_table) <= OG_HAZARDS_MOST, "a bit for each");
enum { SOON_VALUS = 6, SOON_TRANS = 2 }; /* DEPCTR_SOON */
enum { SDWA_DWORD = 6, NSA_LONG = 16, OFFSET_BITS = 6, DEPCTR_BITS = 0xffff };
enum { NUMBER_VCC = 106, LAST_OF_8_BITS = 1 };

/* ---- classes --------------------------------------------------------------------------------------------------------- */

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
  case OG_ISSUE_VALU: case OG_ISSUE_TRANS: case OG_ISSUE_MATRIX: return valu_class(form);
  case OG_ISSUE_SALU: return SALU;
  case OG_ISSUE_SMEM: return SMEM | (memory->space == OG_IN_BUFFER ? SBUFFER : 0);
  case OG_ISSUE_VMEM: case OG_ISSUE_FLAT: return VMEM | (form->encoding == OG_ENC_FLAT ? 0 : NOT_FLAT);
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
  case OG_ROW_V_DIV_FMAS_F32: case OG_ROW_V_DIV_FMAS_F64: return FMAS | MASKED;
  case OG_ROW_V_CNDMASK_B32: case OG_ROW_V_CNDMASK_B16: case OG_ROW_V_ADDC_CO_U32: case OG_ROW_V_SUBB_CO_U32:
  case OG_ROW_V_SUBBREV_CO_U32: return MASKED;
  case OG_ROW_V_FMA_F64: case OG_ROW_V_FMAC_F64: return FMA64;
  case OG_ROW_S_SETREG_B32: case OG_ROW_S_SETREG_IMM32_B32: return SETREG;
  case OG_ROW_S_GETREG_B32: return GETREG;
  case OG_ROW_S_DENORM_MODE: return DENORM;
  case OG_ROW_V_PERMLANE16_B32: case OG_ROW_V_PERMLANEX16_B32: case OG_ROW_V_PERMLANE16_VAR_B32:
  case OG_ROW_V_PERMLANEX16_VAR_B32: case OG_ROW_V_PERMLANE16_SWAP_B32: case OG_ROW_V_PERMLANE32_SWAP_B32:
  case OG_ROW_V_PERMLANE64_B32: case OG_ROW_V_PERMLANE_BCAST_B32: case OG_ROW_V_PERMLANE_UP_B32:
  case OG_ROW_V_PERMLANE_DOWN_B32: case OG_ROW_V_PERMLANE_XOR_B32: case OG_ROW_V_PERMLANE_IDX_GEN_B32: return PERMLANE;
  default: return 0;
  }
}

/* What goes by M0. */
static uint64_t m0_class(const struct og_form *form, unsigned implicit_reads) {
  const struct og_memory *memory = og_form_memory(form);
  uint64_t out = memory->space == OG_IN_GDS || memory->space == OG_IN_GWS ? MESSAGE : 0;
  if (!(implicit_reads & OG_IMPLICIT_M0))
    return out;
  if (form->issue == OG_ISSUE_MESSAGE)
    out |= MESSAGE;
  if (og_is_valu(issue_class(form)) || form->row == OG_ROW_DS_READ_ADDTID_B32 || form->row == OG_ROW_DS_WRITE_ADDTID_B32)
    out |= INTERP;
  return out | (memory->lds ? LDS_DMA : 0);
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

/* gfx7 on: data that a store reads late; of buffers only without a register in SOFFSET. */
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

/* Where a modifier says so of matrices of any format, those of 8 bits take twice the time. */
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

/* ---- one instruction --------------------------------------------------------------------------------------------------- */

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

/* How far behind the instruction the line still counts. */
static void note_reach(const struct og_hazard *h, struct og_hazards *out) {
  int most = h->amount + (h->cure == OG_HAZARD_PASSES ? out->passes : 0);
  switch ((enum og_hazard_cure)h->cure) {
  case OG_HAZARD_STATES: case OG_HAZARD_PASSES: out->states_most = (uint8_t)OG_MAX((int)out->states_most, most); break;
  case OG_HAZARD_VALUS: out->valus_most = (uint8_t)OG_MAX((int)out->valus_most, most); break;
  case OG_HAZARD_DEPCTR_SOON: out->valus_most = (uint8_t)OG_MAX((int)out->valus_most, (int)SOON_VALUS); break;
  default: out->unlimited = true;
  }
}

void og_inst_hazards(const struct og_isa *isa, const struct og_inst *inst, const struct og_effects *effects,
                     struct og_hazards *out) {
  const struct og_form *form = og_form(isa, inst->form);
  bool slower = is_slower(inst, og_form_matrix(form));
  *out = (struct og_hazards){.states = (uint8_t)states_of(inst), .row = inst->row,
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

/* ---- two of them -------------------------------------------------------------------------------------------------------- */

static unsigned what_is(unsigned place) {
  if (place < OG_PLACE_SGPR)
    return place < OG_PLACE_AGPR ? VGPR : AGPR;
  if (place < OG_PLACE_SPECIAL)
    return place < OG_PLACE_TTMP ? SGPRS : 0;
  switch (place - OG_PLACE_SPECIAL) {
  case OG_SPECIAL_VCC_LO: case OG_SPECIAL_VCC_HI: return VCC;
  case OG_SPECIAL_EXEC_LO: case OG_SPECIAL_EXEC_HI: return EXEC;
  case OG_SPECIAL_M0: return M0;
  default: return 0;
  }
}

static bool touches_meet(const struct og_hazard *h, const struct og_touch *a, const struct og_touch *b) {
  unsigned from = OG_MAX(a->first, b->first);
  unsigned to = OG_MIN(a->first + a->count, b->first + b->count);
  bool equal = a->first == b->first && a->count == b->count;
  return from < to && what_is(from) & h->what && (h->registers != OG_HAZARD_EQUAL || equal) &&
         (h->registers != OG_HAZARD_PART || !equal);
}

static bool registers_meet(const struct og_hazard *h, const struct og_hazard_way *way, const struct og_hazard_party *first,
                           const struct og_hazard_party *second, uint16_t *place) {
  *place = OG_PLACES;
  if (h->what & (MODE | NOTHING))
    return true;
  if (h->registers == OG_HAZARD_OTHER && first->hazards->row == second->hazards->row)
    return false;
  for (unsigned i = 0; i < first->count; i++)
    for (unsigned k = 0; first->touches[i].as & h->first_how && k < second->count; k++) {
      const struct og_touch *a = &first->touches[i], *b = &second->touches[k];
      bool over = a->writes && b->first < way->over_end && b->first + b->count > way->over;
      if (!(b->as & h->second_how) || b->kept || over || !touches_meet(h, a, b))
        continue;
      *place = OG_MAX(a->first, b->first);
      return true;
    }
  return false;
}

struct og_hazard_way og_hazard_begin(const struct og_hazards *first) {
  return (struct og_hazard_way){.alive = {first->first[0], first->first[1]}};
}

/* What of a line's demand has not passed; 0: all has. */
static int missing_of(const struct og_hazard *h, const struct og_hazard_way *way, const struct og_hazards *first) {
  switch ((enum og_hazard_cure)h->cure) {
  case OG_HAZARD_STATES: return h->amount - way->states;
  case OG_HAZARD_PASSES: return h->amount + first->passes - way->states;
  case OG_HAZARD_VALUS: return h->amount - way->valus;
  case OG_HAZARD_DEPCTR_SOON: return way->valus < SOON_VALUS && way->trans < SOON_TRANS;
  case OG_HAZARD_VSCNT: return way->branched;
  default: return 1;
  }
}

bool og_hazard_meets(const struct og_hazard_way *way, const struct og_hazard_party *first,
                     const struct og_hazard_party *second, struct og_hazard_gap *gap) {
  *gap = (struct og_hazard_gap){0};
  for (unsigned word = 0; word < OG_HAZARD_WORDS; word++)
    for (uint64_t both = way->alive[word] & second->hazards->second[word]; both; both &= both - 1) {
      const struct og_hazard *h = &og_hazard_table[64 * word + (unsigned)__builtin_ctzll(both)];
      int missing = missing_of(h, way, first->hazards);
      uint16_t place;
      if (missing <= (int)gap->missing || !registers_meet(h, way, first, second, &place))
        continue;
      *gap = (struct og_hazard_gap){h, (unsigned)missing, place};
    }
  return gap->hazard;
}

/* A matrix's results that the next one writes over: hardware keeps these two apart. */
static void note_overwritten(struct og_hazard_way *way, const struct og_hazard_party *first,
                             const struct og_hazard_party *passed) {
  if (!(first->hazards->classes & MFMA && passed->hazards->classes & MFMA))
    return;
  const struct og_hazard any = {.what = VECTOR};
  for (unsigned i = 0; i < first->count; i++)
    for (unsigned k = 0; first->touches[i].writes && k < passed->count; k++) {
      const struct og_touch *by = &passed->touches[k];
      if (!by->writes || !touches_meet(&any, &first->touches[i], by))
        continue;
      way->over = way->over_end ? OG_MIN(way->over, by->first) : by->first;
      way->over_end = OG_MAX(way->over_end, (uint16_t)(by->first + by->count));
    }
}

/* Lines about branches: what stands on one side of them is over where another of its kind comes. */
static void end_branches(struct og_hazard_way *way, const struct og_hazards *passed) {
  for (unsigned word = 0; word < OG_HAZARD_WORDS; word++)
    for (uint64_t rest = way->alive[word]; rest; rest &= rest - 1) {
      const struct og_hazard *h = &og_hazard_table[64 * word + (unsigned)__builtin_ctzll(rest)];
      if (h->cure == OG_HAZARD_VSCNT && passed->classes & (way->branched ? h->first | h->second : h->second))
        way->alive[word] &= ~(rest & -rest);
    }
}

bool og_hazard_pass(struct og_hazard_way *way, const struct og_hazard_party *first, const struct og_hazard_party *passed) {
  const struct og_hazards *by = passed->hazards;
  for (unsigned word = 0; word < OG_HAZARD_WORDS; word++)
    way->alive[word] &= ~by->ends[word];
  if (first->hazards->unlimited && by->classes & (VMEM | LDS))
    end_branches(way, by);
  note_overwritten(way, first, passed);
  way->states = (uint16_t)(way->states + by->states);
  way->valus = (uint8_t)OG_MIN(way->valus + og_is_valu(by->classes), 255);
  way->trans = (uint8_t)OG_MIN(way->trans + (by->classes & TRANS ? 1 : 0), 255);
  way->branched |= (by->classes & BIT(BRANCHES)) != 0;
  return (way->alive[0] | way->alive[1]) && (first->hazards->unlimited || way->states < first->hazards->states_most ||
                                            way->valus < first->hazards->valus_most);
}

/* ---- scalar registers that vector instructions have read --------------------------------------------------------------- */

static void add_scalars(const struct og_touch *touch, unsigned what, uint64_t set[2]) {
  for (unsigned k = touch->first; k < touch->first + touch->count; k++) {
    unsigned vcc = k - (OG_PLACE_SPECIAL + OG_SPECIAL_VCC_LO);
    unsigned number = k < OG_PLACE_SPECIAL ? k - OG_PLACE_SGPR : NUMBER_VCC + vcc;
    if (what_is(k) & what)
      set[number / 64] |= 1ull << number % 64;
  }
}

static void find_scalars(const struct og_hazard_party *inst, unsigned how, unsigned what, uint64_t set[2]) {
  set[0] = set[1] = 0;
  for (unsigned i = 0; i < inst->count; i++)
    if (inst->touches[i].as & how && inst->touches[i].first >= OG_PLACE_SGPR)
      add_scalars(&inst->touches[i], what, set);
}

static uint16_t first_place(const uint64_t set[2]) {
  unsigned number = set[0] ? (unsigned)__builtin_ctzll(set[0]) : 64 + (unsigned)__builtin_ctzll(set[1]);
  return (uint16_t)(number < NUMBER_VCC ? OG_PLACE_SGPR + number : OG_PLACE_SPECIAL + OG_SPECIAL_VCC_LO + number - NUMBER_VCC);
}

bool og_hazard_scalars(const struct og_isa *isa, const struct og_hazard_party *inst, struct og_hazard_scalars *scalars,
                       struct og_hazard_gap *gap) {
  const struct og_hazards *by = inst->hazards;
  bool valu = og_is_valu(by->classes), scalar = by->classes & SALU;
  unsigned line = 0;
  uint64_t reads[2], writes[2], armed[2] = {0, 0};
  *gap = (struct og_hazard_gap){0};
  find_scalars(inst, READS, SGPR, reads);
  if (isa->gfx12 && valu) /* what it reads itself counts before what it writes */
    scalars->read[0] |= reads[0], scalars->read[1] |= reads[1];
  for (unsigned n = 0; n < OG_COUNT(og_hazard_table); n++) {
    const struct og_hazard *h = &og_hazard_table[n];
    if (h->cure != OG_HAZARD_DEPCTR_BEHIND || !og_hazard_is_of(h, isa))
      continue;
    uint64_t *written = scalars->written[line++];
    bool by_scalar = h->second & SALU;
    const uint64_t both[2] = {written[0] & reads[0], written[1] & reads[1]};
    if ((both[0] | both[1]) && (valu || (scalar && by_scalar)))
      *gap = (struct og_hazard_gap){h, 1, first_place(both)};
    uint64_t kind[2];
    find_scalars(inst, READS, h->what, kind);
    /* The SALU waits for what vector instructions write where it reads such registers, whichever. */
    if (by->ends[n / 64] >> n % 64 & 1 || (scalar && !by_scalar && (kind[0] | kind[1])))
      written[0] = written[1] = 0;
    find_scalars(inst, WRITES, h->what, writes);
    bool second = by->classes & h->second;
    for (unsigned w = 0; w < 2; w++) {
      uint64_t pairs = scalars->read[w] | (scalars->read[w] & 0x5555555555555555u) << 1 | (scalars->read[w] >> 1 & 0x5555555555555555u);
      uint64_t known = h->first == MASKED ? scalars->read[w] : pairs; /* banks of two registers */
      written[w] = (written[w] & ~writes[w]) | (second ? writes[w] & known : 0);
    }
    if (by->classes & h->first) {
      uint64_t more[2];
      find_scalars(inst, h->first_how, SGPR, more);
      armed[0] |= more[0], armed[1] |= more[1];
    }
  }
  scalars->read[0] |= armed[0], scalars->read[1] |= armed[1];
  return gap->hazard;
}

/* ---- in words ------------------------------------------------------------------------------------------------------------ */

void og_hazard_advice(const struct og_isa *isa, const struct og_hazard_gap *gap, char advice[64]) {
  const char *depctr = isa->gfx12 ? "s_wait_alu" : "s_waitcnt_depctr";
  switch ((enum og_hazard_cure)gap->hazard->cure) {
  case OG_HAZARD_STATES: case OG_HAZARD_PASSES: snprintf(advice, 64, "s_nop %u would do", gap->missing - 1); return;
  case OG_HAZARD_VALUS:
    if (gap->hazard->second & PERMLANE)
      snprintf(advice, 64, "a vector instruction other than v_nop would do");
    else
      snprintf(advice, 64, "%u v_nop%s would do", gap->missing, gap->missing == 1 ? "" : "s");
    return;
  case OG_HAZARD_NULL_MOVE: snprintf(advice, 64, "s_mov_b32 null, 0 would do"); return;
  case OG_HAZARD_VSCNT: snprintf(advice, 64, "s_waitcnt_vscnt null, 0x0 would do"); return;
  default: snprintf(advice, 64, "%s 0x%x would do", depctr, (unsigned)gap->hazard->amount);
  }
}
