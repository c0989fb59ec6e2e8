/* hazards.c - which instructions the lines of wait_states.def are about, and whether two of them meet. */
#include "isa/hazards.h"
#include "isa/rows.h"

enum kind {
  VALU,
  SALU,
  SMEM,
  SBUFFER,
  VMEM,
  TRANS,
  PLAIN,    /* VALU, but TRANS */
  LANE,     /* reads a lane that a scalar register says */
  READLANE, /* reads lanes */
  FMAS,
  DPP,
  SETREG,
  GETREG,
  MESSAGE, /* and what else goes by M0 outside the wave: GDS, GWS */
  INTERP,  /* and relative moves */
  LDS_DMA, /* between memory and LDS at M0 */
  WIDE,    /* stores more than 64 bits of a lane, and is the earlier one */
  PART,    /* writes a part of its register */
};
enum { SDWA_DWORD = 6 };
enum what { SGPR, VGPR, VCC, EXEC, M0, MODE };

static const struct {
  uint32_t where;
  uint8_t writer, what, reader, states;
} hazards[] = {
#define HAZARD(where, writer, what, reader, states) {OG_##where, writer, what, reader, states},
#include "isa/wait_states.def"
};
_Static_assert(OG_COUNT(hazards) <= OG_HAZARDS_MOST, "a bit for each");

static bool is_valu(unsigned issue) {
  return issue == OG_ISSUE_VALU || issue == OG_ISSUE_TRANS || issue == OG_ISSUE_MATRIX;
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

static bool is(const struct og_isa *isa, const struct og_inst *inst, const struct og_effects *effects, enum kind kind) {
  const struct og_form *form = og_form(isa, inst->form);
  const struct og_memory *memory = og_form_memory(form);
  unsigned issue = form->issue;
  switch (kind) {
  case VALU: return is_valu(issue);
  case PLAIN: return is_valu(issue) && issue != OG_ISSUE_TRANS;
  case TRANS: return issue == OG_ISSUE_TRANS;
  case SALU: return issue == OG_ISSUE_SALU;
  case SMEM: return issue == OG_ISSUE_SMEM;
  case SBUFFER: return issue == OG_ISSUE_SMEM && memory->space == OG_IN_BUFFER;
  case VMEM: return issue == OG_ISSUE_VMEM || issue == OG_ISSUE_FLAT;
  case LANE: return inst->row == OG_ROW_V_READLANE_B32 || inst->row == OG_ROW_V_WRITELANE_B32;
  case READLANE: return inst->row == OG_ROW_V_READLANE_B32 || inst->row == OG_ROW_V_READFIRSTLANE_B32;
  case FMAS: return inst->row == OG_ROW_V_DIV_FMAS_F32 || inst->row == OG_ROW_V_DIV_FMAS_F64;
  case DPP: return inst->variant >= OG_VARIANT_DPP16;
  case SETREG: return inst->row == OG_ROW_S_SETREG_B32 || inst->row == OG_ROW_S_SETREG_IMM32_B32;
  case GETREG: return inst->row == OG_ROW_S_GETREG_B32;
  case MESSAGE:
    return (issue == OG_ISSUE_MESSAGE && effects->implicit_reads & OG_IMPLICIT_M0) || memory->space == OG_IN_GDS ||
           memory->space == OG_IN_GWS;
  case INTERP: return is_valu(issue) && effects->implicit_reads & OG_IMPLICIT_M0;
  case LDS_DMA: return memory->lds && effects->implicit_reads & OG_IMPLICIT_M0;
  case WIDE: return is_wide_store(inst, memory);
  case PART: return is_valu(issue) && is_part(inst, effects);
  }
  return false;
}

static unsigned states_of(const struct og_inst *inst) {
  return inst->row == OG_ROW_S_NOP && inst->operand_count ? 1 + (unsigned)(inst->operands[0].value & 15) : 1;
}

static uint16_t lane_of(const struct og_inst *inst) {
  const struct og_operand *lane = og_operand(inst, OG_ROLE_SRC1);
  bool special = lane && lane->kind == OG_OPERAND_SPECIAL, scalar = lane && lane->kind == OG_OPERAND_SGPR;
  return (uint16_t)(special ? OG_PLACE_SPECIAL + lane->reg : scalar ? OG_PLACE_SGPR + lane->reg : OG_PLACES);
}

static void note_data(const struct og_inst *inst, struct og_hazards *out) {
  const struct og_operand *data = og_operand(inst, OG_ROLE_VDATA);
  if (!data || (data->kind != OG_OPERAND_VGPR && data->kind != OG_OPERAND_AGPR))
    return;
  out->data = (uint16_t)((data->kind == OG_OPERAND_AGPR ? OG_PLACE_AGPR : OG_PLACE_VGPR) + data->reg);
  out->data_count = data->dwords;
}

void og_inst_hazards(const struct og_isa *isa, const struct og_inst *inst, const struct og_effects *effects,
                     struct og_hazards *out) {
  *out = (struct og_hazards){.states = (uint8_t)states_of(inst), .lane = lane_of(inst)};
  note_data(inst, out);
  for (unsigned h = 0; h < OG_COUNT(hazards); h++) {
    if (!(hazards[h].where >> isa->generation & 1))
      continue;
    bool reversed = hazards[h].reader == WIDE; /* it reads, then another writes */
    bool writes = is(isa, inst, effects, (enum kind)hazards[h].writer);
    bool reads = is(isa, inst, effects, (enum kind)hazards[h].reader);
    out->first |= (uint32_t)(reversed ? reads : writes) << h;
    out->second |= (uint32_t)(reversed ? writes : reads) << h;
  }
}

/* Whether a register is of the kind that a hazard is about. */
static bool fits(unsigned place, enum what what) {
  unsigned special = place - OG_PLACE_SPECIAL;
  switch (what) {
  case VGPR: return place < OG_PLACE_SGPR;
  case SGPR:
    return (place >= OG_PLACE_SGPR && place < OG_PLACE_SPECIAL) ||
           (place >= OG_PLACE_SPECIAL && (special == OG_SPECIAL_VCC_LO || special == OG_SPECIAL_VCC_HI));
  case VCC: return place >= OG_PLACE_SPECIAL && (special == OG_SPECIAL_VCC_LO || special == OG_SPECIAL_VCC_HI);
  case EXEC: return place >= OG_PLACE_SPECIAL && (special == OG_SPECIAL_EXEC_LO || special == OG_SPECIAL_EXEC_HI);
  case M0: return place == OG_PLACE_SPECIAL + OG_SPECIAL_M0;
  default: return false;
  }
}

/* A register of that kind that one writes and the other reads. */
static bool meet(const struct og_touch *writes, unsigned write_count, const struct og_touch *reads, unsigned read_count,
                 enum what what, uint16_t *place) {
  for (unsigned i = 0; i < write_count; i++)
    for (unsigned k = 0; writes[i].writes && k < read_count; k++) {
      unsigned from = OG_MAX(writes[i].first, reads[k].first);
      unsigned to = OG_MIN(writes[i].first + writes[i].count, reads[k].first + reads[k].count);
      if (reads[k].writes || reads[k].kept || from >= to || !fits(from, what))
        continue;
      *place = (uint16_t)from;
      return true;
    }
  return false;
}

unsigned og_hazard_between(const struct og_hazards *first, const struct og_touch *touches, unsigned count,
                           const struct og_hazards *second, const struct og_touch *later, unsigned later_count,
                           uint16_t *place) {
  unsigned most = 0;
  for (uint32_t both = first->first & second->second; both; both &= both - 1) {
    unsigned h = (unsigned)__builtin_ctz(both);
    uint16_t at = OG_PLACES;
    bool reversed = hazards[h].reader == WIDE;
    bool together = hazards[h].what == MODE;
    if (reversed) {
      const struct og_touch data = {.first = first->data, .count = first->data_count};
      together = meet(later, later_count, &data, 1, VGPR, &at);
    } else if (hazards[h].reader == LANE) {
      const struct og_touch lane = {.first = second->lane, .count = 1};
      together = meet(touches, count, &lane, 1, SGPR, &at);
    } else if (!together) {
      together = meet(touches, count, later, later_count, (enum what)hazards[h].what, &at);
    }
    if (!together || hazards[h].states <= most)
      continue;
    most = hazards[h].states;
    *place = at;
  }
  return most;
}
