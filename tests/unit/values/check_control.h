/* check_control.h - compares what instructions do to a wave's own state: relative registers, MODE by its number, VGPR
 * indexing, forks and loops over half waves. */
#ifndef OG_VALUES_CHECK_CONTROL_H
#define OG_VALUES_CHECK_CONTROL_H

#include "values/check_lanes.h"
#include "values/check_scalar.h"

enum {
  HWREG_MODE = 1,
  MODE_BITS = 10 /* that all generations before gfx12 have */,
  MODE_INDEX = 27,
  MODE_VSKIP = 28,
  MODE_STACK = 29
};
enum { MOST_RELATIVE = 16 };

static bool is_row(const struct og_inst *inst, const char *name) { return strcmp(og_row_name(inst->row), name) == 0; }
static bool begins(const struct og_inst *inst, const char *name) {
  return strncmp(og_row_name(inst->row), name, strlen(name)) == 0;
}
static struct og_operand *own_operand(struct og_inst *inst, enum og_role role) {
  const struct og_operand *o = og_operand(inst, role);
  return o ? &inst->operands[o - inst->operands] : NULL;
}

/* Numbers that name something: part of MODE; registers and addresses that are there. */
static bool choose_control(struct og_inst *inst) {
  struct og_operand *simm = own_operand(inst, OG_ROLE_SIMM);
  if (simm && (begins(inst, "s_getreg") || begins(inst, "s_setreg"))) {
    unsigned offset = random32() % MODE_BITS, size = 1 + random32() % (MODE_BITS - offset);
    simm->value = HWREG_MODE | offset << 6 | (size - 1) << 11;
    return put_code(inst);
  }
  return true;
}

static void set_control(const struct og_inst *inst) {
  const struct og_operand *s0 = og_operand(inst, OG_ROLE_SRC0), *s1 = og_operand(inst, OG_ROLE_SRC1);
  bool two = strstr(og_row_name(inst->row), "_2_") || begins(inst, "v_swaprel"),
       even = strstr(og_row_name(inst->row), "_b64");
  if (begins(inst, "v_movrel") || begins(inst, "s_movrel") || begins(inst, "v_swaprel"))
    wave->s[OG_S_M0] = (random32() % MOST_RELATIVE & ~(unsigned)even) | (two ? random32() % MOST_RELATIVE << 16 : 0);
  if (is_row(inst, "s_cbranch_g_fork") && s1->kind == OG_OPERAND_SGPR)
    og_store64(&wave->s[s1->reg], (uintptr_t)code + 4 + 4 * AHEAD);
  if (is_row(inst, "s_add_pc_i64") && s0->kind == OG_OPERAND_SGPR)
    og_store64(&wave->s[s0->reg], 4 * AHEAD);
  if (is_row(inst, "s_cbranch_join")) {
    unsigned depth = 1 + random32() % 3;
    wave->mode |= depth << MODE_STACK;
    og_store64(&wave->s[4 * depth - 2], (uintptr_t)code + 4 + 4 * AHEAD);
    if (s0->kind == OG_OPERAND_SGPR && random32() % 2)
      wave->s[s0->reg] = depth;
  }
}

/* ---- relative registers: M0, or M0[9:0] and M0[25:16], away from where the text says ---------------------- */

static bool compare_relative_vectors(const struct machine *m) {
  const struct og_inst *inst = m->inst;
  uint32_t m0 = before->s[OG_S_M0];
  bool swaps = begins(inst, "v_swaprel"), two = swaps || strstr(og_row_name(inst->row), "_2_");
  bool from_there = !begins(inst, "v_movreld"), to_there = !begins(inst, "v_movrels_");
  struct og_operand s = *og_operand(inst, OG_ROLE_SRC0), d = *og_operand(inst, OG_ROLE_VDST);
  uint32_t want[OG_LANES], other[OG_LANES];
  bool known = true;
  s.reg = (uint16_t)(s.reg + (from_there ? two ? m0 & 1023 : m0 : 0));
  d.reg = (uint16_t)(d.reg + (to_there ? two ? m0 >> 16 & 1023 : m0 : 0));
  if (inst->variant != OG_VARIANT_NONE || (swaps && s.reg == d.reg))
    return false;
  for (unsigned lane = 0; lane < m->wave_size; lane++) {
    bool active = m->exec >> lane & 1;
    want[lane] = active ? vector_source(m, &s, lane, &known) : before->v[d.reg][lane];
    other[lane] = before->v[active ? d.reg : s.reg][lane];
  }
  return known && compare_lane_values(m, &d, want) && (!swaps || compare_lane_values(m, &s, other));
}

static bool compare_relative_scalars(const struct machine *m, struct og_wave *want) {
  const struct og_inst *inst = m->inst;
  uint32_t m0 = before->s[OG_S_M0];
  bool two = strstr(og_row_name(inst->row), "_2_"), wide = strstr(og_row_name(inst->row), "_b64"), known = true;
  struct og_operand s = *og_operand(inst, OG_ROLE_SRC0), d = *scalar_result_of(inst);
  bool from_there = !begins(inst, "s_movreld"), to_there = !begins(inst, "s_movrels_");
  if ((from_there && s.kind != OG_OPERAND_SGPR) || (to_there && d.kind != OG_OPERAND_SGPR) ||
      (d.kind == OG_OPERAND_SPECIAL && d.reg > OG_SPECIAL_M0))
    return false;
  s.reg = (uint16_t)(s.reg + (from_there ? two ? m0 & 1023 : m0 : 0));
  d.reg = (uint16_t)(d.reg + (to_there ? two ? m0 >> 16 & 1023 : m0 : 0));
  uint64_t value = operand_bits(m, &s, wide ? U64 : U32, 0, &known);
  put_scalar(want, m, &d, value, wide);
  return known && compare_scalars(m, want, before->s[OG_S_SCC]);
}

/* ---- MODE and M0 ------------------------------------------------------------------------------------------------- */

static bool same_mode(const struct og_inst *inst, uint32_t want) {
  uint32_t counted = isa->generation >= OG_GFX12 ? ~0x300u : ~0u; /* which has no such fields */
  if ((wave->mode ^ want) & counted)
    complain(inst->row, "MODE is %x, expected %x", wave->mode, want);
  return true;
}

static bool compare_hardware_register(const struct machine *m, struct og_wave *want) {
  const struct og_inst *inst = m->inst;
  const struct og_operand *simm = og_operand(inst, OG_ROLE_SIMM), *sdst = scalar_result_of(inst);
  unsigned field = (unsigned)simm->value, offset = field >> 6 & 31, size = (field >> 11 & 31) + 1;
  uint32_t mask = (uint32_t)low_bits(~(uint64_t)0, size);
  bool known = true;
  if (begins(inst, "s_getreg")) {
    if (isa->generation >= OG_GFX12 && (mask << offset & 0x300))
      return false;
    put_scalar(want, m, sdst, before->mode >> offset & mask, false);
    return (sdst->kind != OG_OPERAND_SPECIAL || sdst->reg <= OG_SPECIAL_M0) &&
           compare_scalars(m, want, before->s[OG_S_SCC]) && same_mode(inst, before->mode);
  }
  const struct og_operand *from = sdst;
  for (unsigned i = 0; i < inst->operand_count && !from; i++)
    if (inst->operands[i].role != OG_ROLE_SIMM || inst->operands[i].kind == OG_OPERAND_LITERAL)
      from = &inst->operands[i];
  uint32_t value = from ? (uint32_t)operand_bits(m, from, U32, 0, &known) : 0;
  return from && known && same_mode(inst, (before->mode & ~(mask << offset)) | (value & mask) << offset);
}

static bool compare_indexing(const struct machine *m, struct og_wave *want) {
  const struct og_inst *inst = m->inst;
  const struct og_operand *s0 = og_operand(inst, OG_ROLE_SRC0), *s1 = og_operand(inst, OG_ROLE_SRC1);
  const struct og_operand *simm = og_operand(inst, OG_ROLE_SIMM), *parts = s1 ? s1 : simm;
  bool on = is_row(inst, "s_set_gpr_idx_on"), off = is_row(inst, "s_set_gpr_idx_off"), known = true;
  uint32_t *m0 = &want->s[OG_S_M0], index = s0 ? (uint32_t)operand_bits(m, s0, U32, 0, &known) : 0;
  if (on || is_row(inst, "s_set_gpr_idx_idx"))
    *m0 = (*m0 & ~255u) | (index & 255);
  if (on || is_row(inst, "s_set_gpr_idx_mode"))
    *m0 = (*m0 & ~0xf000u) | ((uint32_t)parts->value & 15) << 12;
  uint32_t mode = on ? before->mode | 1u << MODE_INDEX : off ? before->mode & ~(1u << MODE_INDEX) : before->mode;
  return known && same_mode(inst, mode) && compare_scalars(m, want, before->s[OG_S_SCC]);
}

static bool compare_skip(const struct machine *m) {
  bool known = true, known_too = true;
  uint64_t x = operand_bits(m, og_operand(m->inst, OG_ROLE_SRC0), U32, 0, &known),
           n = operand_bits(m, og_operand(m->inst, OG_ROLE_SRC1), U32, 0, &known_too);
  return known && known_too && same_mode(m->inst, before->mode | (uint32_t)(x >> (n & 31) & 1) << MODE_VSKIP);
}

/* ---- where it goes on -------------------------------------------------------------------------------------------- */

static bool compare_place(const struct og_inst *inst, uint64_t want) {
  uint64_t at = wave->state == OG_WAVE_FAULT ? wave->fault.pc : og_pc(program, wave->resume);
  if (at != want)
    complain(inst->row, "it goes on %lld bytes behind", (long long)(at - (uintptr_t)code - inst->size));
  return true;
}
static void put_exec(struct og_wave *w, uint64_t exec) { og_store64(&w->s[OG_S_EXEC], exec); }

/* The smaller part goes first; the other one's lanes and place go on a stack of four SGPRs each, whose depth MODE has
 * ("Vega" ISA, S_CBRANCH_G_FORK). */
static bool compare_fork(const struct machine *m, struct og_wave *want, uint64_t there) {
  const struct og_inst *inst = m->inst;
  const struct og_operand *s0 =
      og_operand(inst, OG_ROLE_SRC0) ? og_operand(inst, OG_ROLE_SRC0) : scalar_result_of(inst);
  const struct og_operand *s1 = og_operand(inst, OG_ROLE_SRC1);
  bool known = true;
  uint64_t exec = og_load64(&before->s[OG_S_EXEC]), pass = operand_bits(m, s0, U64, 0, &known) & exec;
  uint64_t here = (uintptr_t)code + inst->size, fail = exec & ~pass;
  if (!known || (is_row(inst, "s_cbranch_g_fork") && s1->kind != OG_OPERAND_SGPR) || m->wave_size == 32)
    return false;
  if (pass == exec || fail == exec)
    return compare_place(inst, pass == exec ? there : here) && compare_scalars(m, want, before->s[OG_S_SCC]);
  bool fail_first = __builtin_popcountll(fail) < __builtin_popcountll(pass);
  og_store64(&want->s[0], fail_first ? pass : fail);
  og_store64(&want->s[2], fail_first ? there : here);
  put_exec(want, fail_first ? fail : pass);
  return same_mode(inst, before->mode + (1u << MODE_STACK)) && compare_place(inst, fail_first ? here : there) &&
         compare_scalars(m, want, before->s[OG_S_SCC]);
}

static bool compare_join(const struct machine *m, struct og_wave *want) {
  bool known = true;
  unsigned depth = before->mode >> MODE_STACK;
  uint64_t s0 = operand_bits(m, og_operand(m->inst, OG_ROLE_SRC0), U32, 0, &known) & UINT32_MAX;
  if (!known || m->wave_size == 32)
    return false;
  if (s0 == depth)
    return same_mode(m->inst, before->mode) && compare_place(m->inst, (uintptr_t)code + m->inst->size);
  put_exec(want, og_load64(&before->s[4 * depth - 4]));
  return same_mode(m->inst, before->mode - (1u << MODE_STACK)) &&
         compare_place(m->inst, og_load64(&before->s[4 * depth - 2])) && compare_scalars(m, want, before->s[OG_S_SCC]);
}

/* "RDNA1" ISA, S_SUBVECTOR_LOOP_BEGIN and _END: the register has the half that waits, or was. */
static bool compare_half_loop(const struct machine *m, struct og_wave *want, uint64_t there) {
  const struct og_inst *inst = m->inst;
  const struct og_operand *sdst = scalar_result_of(inst);
  uint64_t here = (uintptr_t)code + inst->size;
  uint32_t low = before->s[OG_S_EXEC], high = before->s[OG_S_EXEC + 1];
  bool known, begin = is_row(inst, "s_subvector_loop_begin"), jumps = begin && !low && !high;
  uint32_t kept = (uint32_t)scalar_bits(m, sdst, &known);
  if (!known || sdst->kind != OG_OPERAND_SGPR || m->wave_size == 32)
    return false;
  if (begin && !jumps) {
    put_scalar(want, m, sdst, low ? high : low, false);
    put_exec(want, low ? low : (uint64_t)high << 32);
  } else if (!begin && high) {
    put_exec(want, (uint64_t)high << 32 | kept);
  } else if (!begin && kept) {
    jumps = true;
    put_scalar(want, m, sdst, low, false);
    put_exec(want, (uint64_t)kept << 32);
  }
  return compare_place(inst, jumps ? there : here) && compare_scalars(m, want, before->s[OG_S_SCC]);
}

static bool compare_control(const struct og_inst *inst) {
  static struct og_wave want;
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  uint64_t there = (uintptr_t)code + 4 + 4 * AHEAD;
  m.exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  memcpy(want.s, before->s, sizeof want.s);
  if (begins(inst, "v_movrel") || begins(inst, "v_swaprel"))
    return compare_relative_vectors(&m);
  if (begins(inst, "s_movrel"))
    return compare_relative_scalars(&m, &want);
  if (begins(inst, "s_getreg") || begins(inst, "s_setreg"))
    return compare_hardware_register(&m, &want);
  if (begins(inst, "s_set_gpr_idx"))
    return compare_indexing(&m, &want);
  if (is_row(inst, "s_setvskip"))
    return compare_skip(&m);
  if (is_row(inst, "s_alloc_vgpr")) /* there are always enough */
    return compare_scalars(&m, &want, 1);
  if (is_row(inst, "s_add_pc_i64"))
    return og_operand(inst, OG_ROLE_SRC0)->kind == OG_OPERAND_SGPR &&
           compare_place(inst, (uintptr_t)code + inst->size + 4 * AHEAD);
  if (is_row(inst, "s_cbranch_g_fork") || is_row(inst, "s_cbranch_i_fork"))
    return compare_fork(&m, &want, there);
  if (is_row(inst, "s_cbranch_join"))
    return compare_join(&m, &want);
  return begins(inst, "s_subvector_loop") && compare_half_loop(&m, &want, there);
}

#endif
