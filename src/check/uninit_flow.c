/* uninit_flow.c - the uninit checker's facts about an instruction: its registers, and how undefined bits flow. */
#include "check/uninit.h"
#include "isa/rows.h"

/* The index of a special register in og_wave.s; those whose bits are not followed have that of OG_S_ZERO, which stays
 * defined. */
static uint16_t special_place(unsigned special) {
  switch ((enum og_special)special) {
  case OG_SPECIAL_VCC_LO: return OG_S_VCC;
  case OG_SPECIAL_VCC_HI: return OG_S_VCC + 1;
  case OG_SPECIAL_EXEC_LO: return OG_S_EXEC;
  case OG_SPECIAL_EXEC_HI: return OG_S_EXEC + 1;
  case OG_SPECIAL_M0: return OG_S_M0;
  case OG_SPECIAL_SCC: return OG_S_SCC;
  default: return OG_S_ZERO;
  }
}

static struct og_uninit_use place(const struct og_inst *inst, const struct og_use *use) {
  struct og_uninit_use out = {.dwords = use->dwords, .bytes = use->bytes, .at = use->reg, .operand = use->operand};
  switch ((enum og_operand_kind)use->kind) {
  case OG_OPERAND_VGPR: out.vector = true; break;
  case OG_OPERAND_AGPR: out.vector = true, out.at = (uint16_t)(256 + use->reg); break;
  case OG_OPERAND_TTMP: out.at = (uint16_t)(OG_S_TTMP + use->reg); break;
  case OG_OPERAND_SPECIAL: out.at = special_place(use->reg); break;
  default: break;
  }
  if (use->operand < 0)
    return out;
  enum og_role role = (enum og_role)inst->operands[use->operand].role;
  bool tensor = inst->row == OG_ROW_TENSOR_LOAD_TO_LDS || inst->row == OG_ROW_TENSOR_STORE_FROM_LDS;
  if (role >= OG_ROLE_VADDR1 && role <= OG_ROLE_VADDR12) /* the last groups of a tensor's descriptor may be unused */
    out.address = role == OG_ROLE_VADDR1 || !tensor;
  switch (role) {
  case OG_ROLE_VADDR:
  case OG_ROLE_SADDR:
  case OG_ROLE_SRSRC:
  case OG_ROLE_SOFFSET:
  case OG_ROLE_SBASE:
  case OG_ROLE_SSAMP: out.address = true; break;
  default: break;
  }
  return out;
}

static bool is_compare(const struct og_inst *inst, const struct og_effects *effects) {
  if (inst->encoding == OG_ENC_SOPC || inst->encoding == OG_ENC_VOPC)
    return true;
  const struct og_use *only = &effects->writes[0];
  if (effects->write_count != 1 || only->kind == OG_OPERAND_VGPR || only->kind == OG_OPERAND_AGPR)
    return false;
  if (inst->encoding == OG_ENC_SOPK) /* s_cmpk */
    return only->kind == OG_OPERAND_SPECIAL && only->reg == OG_SPECIAL_SCC;
  return inst->encoding == OG_ENC_VOP3 && inst->row != OG_ROW_V_READLANE_B32 && inst->row != OG_ROW_V_READFIRSTLANE_B32;
}

static enum og_uninit_way way_of(const struct og_watch *watch, const struct og_known *known) {
  const struct og_form *form = og_form(watch->isa, known->inst->form);
  if (known->plain)
    return OG_UNINIT_MOVE;
  if (known->memory->space != OG_IN_NOTHING && known->memory->space != OG_IN_LANES)
    return OG_UNINIT_FETCH;
  if (form->row_flags & (OG_FLAG_BRANCH | OG_FLAG_CALL | OG_FLAG_RETURN | OG_FLAG_TERMINATOR))
    return OG_UNINIT_BRANCH;
  if (known->relative)
    return OG_UNINIT_INDEXED;
  switch ((enum og_issue)known->effects->issue) {
  case OG_ISSUE_SALU:
  case OG_ISSUE_VALU:
  case OG_ISSUE_TRANS:
  case OG_ISSUE_MATRIX: break;
  case OG_ISSUE_LDS:
    if (known->memory->space == OG_IN_LANES)
      break;
    return OG_UNINIT_FETCH;
  case OG_ISSUE_INTERNAL: return OG_UNINIT_PASS;
  default: return OG_UNINIT_FETCH;
  }
  if (known->inst->row == OG_ROW_S_SET_GPR_IDX_ON || known->inst->row == OG_ROW_S_SET_GPR_IDX_IDX ||
      known->inst->row == OG_ROW_S_SET_GPR_IDX_MODE)
    return OG_UNINIT_INDEX;
  if (known->effects->implicit_writes & OG_IMPLICIT_MODE || !known->effects->write_count)
    return OG_UNINIT_PASS;
  return is_compare(known->inst, known->effects) ? OG_UNINIT_COMPARE : OG_UNINIT_COMPUTE;
}

/* EXEC is never left undefined. */
static void mark(struct og_check_marks *marks, const struct og_uninit_use *use) {
  if (!use->vector && (use->at == OG_S_EXEC || use->at == OG_S_EXEC + 1))
    return;
  for (unsigned d = 0; d < use->dwords; d++)
    if (use->vector)
      marks->vector |= og_check_mark(use->at + d);
    else
      og_uninit_mark_scalar(marks, use->at + d);
}

/* Whether its results are defined if its sources are. */
static bool is_defining(const struct og_known *known) {
  switch ((enum og_uninit_way)known->flow->way) {
  case OG_UNINIT_COMPUTE: case OG_UNINIT_COMPARE: case OG_UNINIT_MOVE: case OG_UNINIT_FETCH: case OG_UNINIT_BRANCH:
    return !known->relative && !known->returns;
  default: return false;
  }
}

static void list_uses(struct og_uninit_flow *flow, const struct og_inst *inst, const struct og_effects *effects) {
  flow->read_count = effects->read_count;
  for (unsigned i = 0; i < effects->read_count; i++)
    flow->reads[i] = place(inst, &effects->reads[i]);
  flow->write_count = effects->write_count;
  for (unsigned i = 0; i < effects->write_count; i++)
    flow->writes[i] = place(inst, &effects->writes[i]);
}

bool og_uninit_indexed(const struct og_wave *wave, const struct og_known *known, struct og_uninit_flow *flow,
                       uint32_t *deciding) {
  struct og_effects now;
  if (!og_check_indexed(wave, known, &now, deciding))
    return false;
  *flow = *known->flow;
  list_uses(flow, known->inst, &now);
  if (flow->way == OG_UNINIT_INDEXED)
    flow->way = OG_UNINIT_COMPUTE;
  unsigned kept = 0;
  for (unsigned i = 0; i < flow->read_count; i++)
    if (flow->reads[i].at != OG_S_M0 || flow->reads[i].vector ||
        flow->reads[i].operand >= 0) /* others are asked for by `deciding` */
      flow->reads[kept++] = flow->reads[i];
  flow->read_count = (uint8_t)kept;
  return true;
}

static struct og_check_marks without(const struct og_check_marks *some, const struct og_check_marks *those) {
  return (struct og_check_marks){some->vector & ~those->vector,
                                 {some->scalar[0] & ~those->scalar[0], some->scalar[1] & ~those->scalar[1]}};
}

static void add(struct og_check_marks *to, const struct og_check_marks *more) {
  to->vector |= more->vector, to->scalar[0] |= more->scalar[0], to->scalar[1] |= more->scalar[1];
}

/* A stretch must have each mark for one register only, and no change of EXEC, after which other lanes are on. */
void og_check_uninit_stretch(const struct og_watch *watch, struct og_known *first, const struct og_known *next) {
  if (first == next) {
    first->stretch.needs = first->stretch.defines = (struct og_check_marks){0};
    first->stretch.defining =
        watch->start->vgprs + watch->start->shared_vgprs <= 64 && !watch->start->agprs && first->flow;
  }
  if (!first->stretch.defining)
    return;
  struct og_check_marks needs = without(&next->needs, &first->stretch.defines),
                        defines = without(&next->uninit, &next->needs);
  add(&first->stretch.needs, &needs);
  add(&first->stretch.defines, &defines);
  first->stretch.defining = next->flow && !next->flow->writes_exec;
}

void og_check_uninit_flow(struct og_watch *watch, struct og_known *known) {
  struct og_uninit_flow *flow = OG_NEW(watch->arena, struct og_uninit_flow);
  unsigned results = 0;
  flow->way = (uint8_t)way_of(watch, known);
  list_uses(flow, known->inst, known->effects);
  for (unsigned i = 0; i < flow->write_count; i++) {
    const struct og_uninit_use *use = &flow->writes[i];
    flow->writes_exec |= !use->vector && use->at <= OG_S_EXEC + 1 && use->at + use->dwords > OG_S_EXEC;
    results += use->dwords;
  }
  flow->by_lane = known->vector;
  flow->of_lane = known->inst->row == OG_ROW_V_READLANE_B32 || known->inst->row == OG_ROW_V_WRITELANE_B32;
  flow->too_many = results > OG_PROBED_MOST;
  for (unsigned i = 0; i < flow->read_count; i++)
    mark(&known->uninit, &flow->reads[i]);
  known->needs = known->uninit;
  for (unsigned i = 0; i < flow->write_count; i++) {
    mark(&known->uninit, &flow->writes[i]);
    if (flow->writes[i].vector && flow->writes[i].bytes != 15)
      mark(&known->needs, &flow->writes[i]);
  }
  if (flow->way == OG_UNINIT_INDEXED)
    known->uninit = og_everything_marked;
  known->flow = flow;
  if (!is_defining(known))
    known->needs = og_everything_marked;
}
