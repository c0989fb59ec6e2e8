/* check_lanes.h - compares what lanes read and write of one another's with the manuals' rules. */
#ifndef OG_VALUES_CHECK_LANES_H
#define OG_VALUES_CHECK_LANES_H

#include "values/check.h"

/* The lane that each lane's value comes from, -1: it stays as it is. */
static int permuted_lane(const struct machine *m, const char *name, unsigned lane, bool *known) {
  const struct og_inst *inst = m->inst;
  const struct og_operand *s1 = og_operand(inst, OG_ROLE_SRC1), *s2 = og_operand(inst, OG_ROLE_SRC2);
  bool known_low = true, known_high = true;
  uint64_t low = s1 ? operand_bits(m, s1, U32, lane, &known_low) & UINT32_MAX : 0;
  uint64_t high = s2 ? operand_bits(m, s2, U32, lane, &known_high) & UINT32_MAX : 0;
  bool across = strncmp(name, "v_permlanex16", 13) == 0, fi = inst->mod[OG_MOD_OP_SEL] & 1,
       zero = inst->mod[OG_MOD_OP_SEL] & 2;
  unsigned row = lane / 16 * 16, at;
  *known = known_low && known_high;
  if (strcmp(name, "v_permlane64_b32") == 0)
    return m->wave_size == 32 ? -1 : (int)(lane ^ 32);
  at = strstr(name, "_var") ? (unsigned)low & 15 : (unsigned)((low | high << 32) >> 4 * (lane % 16) & 15);
  at += across ? row ^ 16 : row;
  if (!fi && !(m->exec >> at & 1))
    return zero ? -2 : -1;
  return (int)at;
}

static uint32_t vector_source(const struct machine *m, const struct og_operand *o, unsigned lane, bool *known) {
  return (uint32_t)operand_bits(m, o, U32, lane, known);
}

static bool compare_lane_values(const struct machine *m, const struct og_operand *d, const uint32_t *want) {
  for (unsigned lane = 0; lane < m->wave_size; lane++)
    if (wave->v[d->reg][lane] != want[lane]) {
      complain(m->inst->row, "lane %u is %x, expected %x", lane, wave->v[d->reg][lane], want[lane]);
      break;
    }
  return true;
}

/* Results of several dwords that no row of vector.def has: four sums of differences to windows of eight bytes, and two
 * moves. */
static bool compare_wide(const struct og_inst *inst) {
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  bool sums = strcmp(og_row_name(inst->row), "v_mqsad_u32_u8") == 0, known = true, known_too = true;
  const struct og_operand *d = og_operand(inst, OG_ROLE_VDST), *s0 = og_operand(inst, OG_ROLE_SRC0),
                          *s1 = og_operand(inst, OG_ROLE_SRC1), *s2 = og_operand(inst, OG_ROLE_SRC2);
  if ((!sums && strcmp(og_row_name(inst->row), "v_pk_mov_b32") != 0) || inst->mod[OG_MOD_CLAMP])
    return false;
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  for (unsigned lane = 0; lane < isa->wave; lane++)
    for (unsigned k = 0; k < (sums ? 4 : 2); k++) {
      unsigned reg = d->reg + k + (d->kind == OG_OPERAND_AGPR ? 256u : 0);
      uint32_t want = before->v[reg][lane];
      if (m.exec >> lane & 1 && sums)
        want = (uint32_t)(differences(operand_bits(&m, s0, U64, lane, &known) >> 8 * k & UINT32_MAX,
                                      vector_source(&m, s1, lane, &known_too), 8, true) +
                          before->v[s2->reg + k][lane]);
      else if (m.exec >> lane & 1) /* op_sel chooses of both sources, the low result from the first */
        want = (uint32_t)(operand_bits(&m, k ? s1 : s0, U64, lane, &known) >>
                          (inst->mod[OG_MOD_OP_SEL] >> k & 1 ? 32 : 0));
      if (!known || !known_too)
        return false;
      if (wave->v[reg][lane] != want) {
        complain(inst->row, "lane %u's dword %u is %x, expected %x", lane, k, wave->v[reg][lane], want);
        return true;
      }
    }
  return true;
}

static bool compare_lanes(const struct og_inst *inst) {
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  const char *name = og_row_name(inst->row);
  const struct og_operand *d = og_operand(inst, OG_ROLE_VDST), *sdst = og_operand(inst, OG_ROLE_SDST);
  const struct og_operand *s0 = og_operand(inst, OG_ROLE_SRC0), *s1 = og_operand(inst, OG_ROLE_SRC1);
  bool known = true, reads = strncmp(name, "v_read", 6) == 0, swaps = strcmp(name, "v_swap_b32") == 0;
  uint32_t want[OG_LANES], other[OG_LANES];
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  if (reads) {
    unsigned lane = strstr(name, "first") ? (m.exec ? (unsigned)__builtin_ctzll(m.exec) : 0)
                                          : vector_source(&m, s1, 0, &known) & (isa->wave - 1);
    uint32_t value = known ? vector_source(&m, s0, lane, &known) : 0;
    struct machine now = m;
    now.wave = wave;
    const struct og_operand *to = sdst ? sdst : d;
    uint32_t got = to && known ? (uint32_t)scalar_bits(&now, to, &known) : 0;
    if (!to || !known || (to->kind == OG_OPERAND_SPECIAL && to->reg == OG_SPECIAL_NULL))
      return false;
    if (got != value)
      complain(inst->row, "lane %u's %x is read as %x", lane, value, got);
    return true;
  }
  if (!d || d->kind != OG_OPERAND_VGPR)
    return false;
  memcpy(want, before->v[d->reg], sizeof want);
  if (strcmp(name, "v_writelane_b32") == 0) {
    unsigned lane = vector_source(&m, s1, 0, &known) & (isa->wave - 1);
    want[lane] = known ? vector_source(&m, s0, 0, &known) : 0;
    return known && compare_lane_values(&m, d, want);
  }
  if (swaps) {
    memcpy(other, before->v[s0->reg], sizeof other);
    for (unsigned lane = 0; lane < isa->wave; lane++)
      if (m.exec >> lane & 1)
        want[lane] = before->v[s0->reg][lane], other[lane] = before->v[d->reg][lane];
    return d->reg != s0->reg && compare_lane_values(&m, d, want) && compare_lane_values(&m, s0, other);
  }
  if (strncmp(name, "v_permlane16_b32", 16) && strncmp(name, "v_permlanex16_b32", 17) &&
      strcmp(name, "v_permlane64_b32") && strcmp(name, "v_permlane16_var_b32") && strcmp(name, "v_permlanex16_var_b32"))
    return false;
  for (unsigned lane = 0; lane < isa->wave && known; lane++) {
    int from = m.exec >> lane & 1 ? permuted_lane(&m, name, lane, &known) : -1;
    if (!known)
      return false;
    want[lane] = from == -2 ? 0 : from == -1 ? want[lane] : vector_source(&m, s0, (unsigned)from, &known);
  }
  return known && compare_lane_values(&m, d, want);
}

#endif
