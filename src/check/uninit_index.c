/* uninit_index.c - the registers that an instruction touches this time where an index in M0 picks them: under VGPR indexing
 * (s_set_gpr_idx_on), v_movrel*, v_swaprel_b32, s_movrel*. */
#include "check/uninit.h"
#include "isa/rows.h"

/* The bits of M0 that are added to the numbers of the first operand's register and of the second's. */
static const struct relative {
  uint16_t row;
  uint32_t bits[2];
} relatives[] = {
    {OG_ROW_V_MOVRELS_B32, {0, UINT32_MAX}},          {OG_ROW_V_MOVRELD_B32, {UINT32_MAX, 0}},
    {OG_ROW_V_MOVRELSD_B32, {UINT32_MAX, UINT32_MAX}}, {OG_ROW_V_MOVRELSD_2_B32, {0x3ff0000, 0xff}},
    {OG_ROW_V_SWAPREL_B32, {0x3ff0000, 0x3ff}},       {OG_ROW_S_MOVRELS_B32, {0, UINT32_MAX}},
    {OG_ROW_S_MOVRELS_B64, {0, UINT32_MAX}},          {OG_ROW_S_MOVRELD_B32, {UINT32_MAX, 0}},
    {OG_ROW_S_MOVRELD_B64, {UINT32_MAX, 0}},          {OG_ROW_S_MOVRELSD_2_B32, {0x3ff0000, 0x3ff}},
};

enum { INDEX = 0xff, INDEXES_SRC0 = 1 << 12, INDEXES_DST = 1 << 15 };

static const struct relative *relative_of(const struct og_known *known) {
  for (unsigned i = 0; i < sizeof relatives / sizeof *relatives; i++)
    if (relatives[i].row == known->inst->row)
      return &relatives[i];
  return NULL;
}

/* The bits of M0 that move an operand's register; 0: it is the one that stands in the code. */
static uint32_t moves(const struct og_wave *wave, const struct og_known *known, const struct relative *relative, int operand) {
  if (operand < 0)
    return 0;
  if (relative)
    return operand < 2 ? relative->bits[operand] : 0;
  uint32_t which;
  switch ((enum og_role)known->inst->operands[operand].role) {
  case OG_ROLE_VDST: which = INDEXES_DST; break;
  case OG_ROLE_SRC0: which = INDEXES_SRC0; break;
  case OG_ROLE_SRC1: which = INDEXES_SRC0 << 1; break;
  case OG_ROLE_SRC2: which = INDEXES_SRC0 << 2; break;
  default: which = 0; break;
  }
  return wave->s[OG_S_M0] & which ? INDEX : 0;
}

/* False: there is no such register, and the instruction faults. */
static bool move(const struct og_wave *wave, struct og_uninit_use *use, uint32_t bits) {
  uint64_t at = bits ? use->at + (uint64_t)((wave->s[OG_S_M0] & bits) >> __builtin_ctz(bits)) : use->at;
  if (use->vector && bits && at + use->dwords > 256)
    return false;
  use->at = !use->vector && bits && at >= OG_S_VCC ? OG_S_SINK : (uint16_t)at;
  return true;
}

bool og_uninit_index(const struct og_wave *wave, const struct og_known *known, struct og_uninit_flow *flow, uint32_t *deciding) {
  const struct relative *relative = relative_of(known);
  const struct og_uninit_flow *still = known->flow;
  if (!relative && still->way == OG_UNINIT_INDEXED)
    return false;
  *flow = *still;
  *deciding = 0;
  flow->read_count = flow->write_count = 0;
  for (unsigned i = 0; i < still->read_count + still->write_count; i++) {
    bool read = i < still->read_count;
    struct og_uninit_use use = read ? still->reads[i] : still->writes[i - still->read_count];
    uint32_t bits = use.vector || relative ? moves(wave, known, relative, use.operand) : 0;
    *deciding |= bits;
    if (!move(wave, &use, bits))
      return false;
    if (!read || (relative && !use.operand && !still->write_count)) /* s_movreld_*'s is no result in the tables */
      flow->writes[flow->write_count++] = use;
    else if (use.at != OG_S_M0 || use.operand >= 0) /* which is asked about by `deciding` */
      flow->reads[flow->read_count++] = use;
  }
  if (still->way == OG_UNINIT_INDEXED)
    flow->way = OG_UNINIT_COMPUTE;
  return true;
}
