/* indexed.c - which registers an instruction accesses this time if an index in M0 selects them: under VGPR indexing
 * (s_set_gpr_idx_on), and v_movrel*, v_swaprel_b32, s_movrel*. */
#include "check/internal.h"
#include "exec/vector.h"
#include "isa/rows.h"

/* Which bits of M0 are added to the register numbers of the first operand and of the second. */
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

static bool is_vector(const struct og_use *use) { return use->kind == OG_OPERAND_VGPR || use->kind == OG_OPERAND_AGPR; }

/* The bits of M0 that are added to an operand's register number; 0: none are. */
static uint32_t moves(const struct og_wave *wave, const struct og_known *known, const struct relative *relative,
                      const struct og_use *use) {
  if (use->operand < 0 || !(relative || is_vector(use)))
    return 0;
  if (relative)
    return use->operand < 2 ? relative->bits[use->operand] : 0;
  uint32_t which;
  switch ((enum og_role)known->inst->operands[use->operand].role) {
  case OG_ROLE_VDST: which = INDEXES_DST; break;
  case OG_ROLE_SRC0: which = INDEXES_SRC0; break;
  case OG_ROLE_SRC1: which = INDEXES_SRC0 << 1; break;
  case OG_ROLE_SRC2: which = INDEXES_SRC0 << 2; break;
  default: which = 0; break;
  }
  return wave->s[OG_S_M0] & which ? INDEX : 0;
}

enum moved { FINE, NOWHERE, FAULTS };

/* Adds M0's index to a register's number. A scalar register beyond the last does not exist; a vector register beyond
 * the last faults. */
static enum moved move(const struct og_wave *wave, struct og_use *use, uint32_t bits) {
  if (!bits)
    return FINE;
  uint64_t at = use->reg + (uint64_t)((wave->s[OG_S_M0] & bits) >> __builtin_ctz(bits));
  if (is_vector(use) ? use->kind == OG_OPERAND_AGPR || at + use->dwords > 256 : at >= OG_S_VCC)
    return is_vector(use) ? FAULTS : NOWHERE;
  use->reg = (uint16_t)at;
  return FINE;
}

bool og_check_indexed(const struct og_wave *wave, const struct og_known *known, struct og_effects *now,
                      uint32_t *deciding) {
  const struct relative *relative = relative_of(known);
  const struct og_effects *still = known->effects;
  if (!relative && known->relative)
    return false;
  *now = *still;
  *deciding = 0;
  now->read_count = now->write_count = 0;
  for (unsigned i = 0; i < still->read_count + still->write_count; i++) {
    bool read = i < still->read_count;
    struct og_use use = read ? still->reads[i] : still->writes[i - still->read_count];
    uint32_t bits = moves(wave, known, relative, &use);
    enum moved moved = move(wave, &use, bits);
    *deciding |= bits;
    if (moved == FAULTS)
      return false;
    if (moved == NOWHERE)
      continue;
    if (!read || (relative && !use.operand && !still->write_count)) /* in the tables s_movreld_* has no result */
      now->writes[now->write_count++] = use;
    else
      now->reads[now->read_count++] = use;
  }
  return true;
}

bool og_check_indexed_operation(const struct og_wave *wave, const struct og_operation *op, const struct og_known *known,
                                struct og_operation *moved) {
  if (!known->relative)
    return og_operation_indexed(wave, op, moved);
  *moved = og_operation_copy(op); /* this handler uses M0 itself */
  return true;
}
