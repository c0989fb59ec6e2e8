/* check_scalar.h - compares scalar registers, SCC, EXEC and MODE with the reference's, and where branches lead. */
#ifndef OG_VALUES_CHECK_SCALAR_H
#define OG_VALUES_CHECK_SCALAR_H

#include "values/check.h"

#include "values/check_vector.h"
#include "values/scalar.h"

/* Floats compute as the vector instruction of that name does. */
static const struct row *float_row(const char *name) {
  static const char *const others[][2] = {{"s_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32"},
                                          {"s_cvt_hi_f32_f16", "v_cvt_f32_f16"}};
  char vector[40];
  bool ignored;
  snprintf(vector, sizeof vector, "v_%s", name + (strncmp(name, "v_s_", 4) == 0 ? 4 : 2));
  for (size_t i = 0; i < OG_COUNT(others); i++)
    if (strcmp(name, others[i][0]) == 0)
      snprintf(vector, sizeof vector, "%s", others[i][1]);
  return strstr(name, "f16") || strstr(name, "f32") ? find_row(vector, &ignored) : NULL;
}

static void put_scalar(struct og_wave *w, const struct machine *m, const struct og_operand *o, uint64_t value,
                       bool wide) {
  unsigned at = OG_S_SINK;
  if (o->kind == OG_OPERAND_SGPR)
    at = o->reg;
  else if (o->kind == OG_OPERAND_TTMP)
    at = OG_S_TTMP + o->reg;
  else if (o->reg <= OG_SPECIAL_M0)
    at = o->reg == OG_SPECIAL_M0        ? OG_S_M0
         : o->reg >= OG_SPECIAL_EXEC_LO ? OG_S_EXEC + (o->reg - OG_SPECIAL_EXEC_LO)
                                        : OG_S_VCC + o->reg;
  (void)m;
  w->s[at] = (uint32_t)value;
  if (wide)
    w->s[at + 1] = (uint32_t)(value >> 32);
}

static const struct og_operand *scalar_result_of(const struct og_inst *inst) {
  const struct og_operand *sdst = og_operand(inst, OG_ROLE_SDST);
  return sdst ? sdst : og_operand(inst, OG_ROLE_VDST);
}

static bool compare_scalars(const struct machine *m, const struct og_wave *want, unsigned scc) {
  for (unsigned i = 0; i < OG_S_SCC; i++)
    if (wave->s[i] != want->s[i]) {
      complain(m->inst->row, "s%u is %x, expected %x", i, wave->s[i], want->s[i]);
      return true;
    }
  if (wave->s[OG_S_SCC] != scc)
    complain(m->inst->row, "SCC is %u", wave->s[OG_S_SCC]);
  return true;
}

static bool compare_scalar_float(const struct machine *m, const struct row *row, struct og_wave *want) {
  const struct og_inst *inst = m->inst;
  const struct og_operand *sdst = scalar_result_of(inst);
  struct sources sources;
  struct input in = {.row = row, .mode = m->mode};
  bool known = true, high = strstr(og_row_name(inst->row), "_hi_") != NULL;
  if (!find_sources(inst, row, &sources))
    return false;
  for (unsigned i = 0; i < 3 && row->source[i] && known; i++) {
    const struct og_operand *o = sources.of[i];
    enum type t = (enum type)row->source[i];
    uint64_t x = low_bits(operand_bits(m, o, t, 0, &known) >> 16 * high, types[t].bits),
             sign = (uint64_t)1 << (types[t].bits - 1);
    x = (o->flags & OG_ABS ? x & ~sign : x) ^ (o->flags & OG_NEG ? sign : 0);
    put_number(&in, i, t, x, &in.bits[i], &in.whole[i], &in.real[i]);
  }
  if (sdst && row->result && known)
    put_number(&in, 0, (enum type)row->result, low_bits(scalar_bits(m, sdst, &known), types[row->result].bits), &in.old,
               &in.old_whole, &in.old_real);
  if (!known)
    return false;
  struct outcome value = finish(&in, inst, row->compute(&in));
  if (row->result == NONE)
    return compare_scalars(m, want, in.carry_out);
  struct machine now = *m;
  now.wave = wave;
  uint64_t got = scalar_bits(&now, sdst, &known) & UINT32_MAX;
  if (sdst->kind == OG_OPERAND_SPECIAL && sdst->reg == OG_SPECIAL_NULL)
    return false;
  if (!is_right((enum type)row->result, &value, got) || got != low_bits(got, types[row->result].bits))
    complain(inst->row, "%llx and %llx (%llx) give %llx, expected %llx", (unsigned long long)in.bits[0],
             (unsigned long long)in.bits[1], (unsigned long long)in.old, (unsigned long long)got,
             (unsigned long long)value.bits);
  put_scalar(want, m, sdst, got, false);
  return compare_scalars(m, want, before->s[OG_S_SCC]);
}

/* What changes nothing that a wave can see: waits, hints, caches. */
static bool is_inert(const char *name) {
  static const char *const names[] = {
      "s_nop",        "s_wait",      "s_clause",        "s_delay_alu",       "s_inst_prefetch", "s_gl1_inv",
      "s_icache_inv", "s_dcache_",   "s_setprio",       "s_incperflevel",    "s_decperflevel",  "s_ttracedata",
      "s_wakeup",     "s_version",   "s_prefetch",      "s_buffer_prefetch", "s_sleep",         "s_monitor_sleep",
      "v_nop",        "v_pipeflush", "v_clrexcp",       "buffer_wb",         "buffer_inv",      "buffer_gl",
      "global_inv",   "global_wb",   "global_prefetch", "flat_prefetch",     "ds_nop",          "s_cbranch_cdbg",
      "s_atc_probe"};
  for (size_t i = 0; i < OG_COUNT(names); i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}
static bool compare_inert(const struct og_inst *inst) {
  bool same = memcmp(wave->s, before->s, OG_S_SINK * sizeof wave->s[0]) == 0 && wave->mode == before->mode;
  for (unsigned k = 0; k < 2 * VECTORS; k++)
    same = same && memcmp(vector_at(wave, k), vector_at(before, k), sizeof wave->v[0]) == 0;
  if (!same || memcmp(memory, memory_before, MEMORY) || memcmp(lds, lds_before, LDS))
    complain(inst->row, "it changes registers or memory");
  return true;
}

static bool compare_scalar(const struct og_inst *inst) {
  static struct og_wave want;
  const char *name = og_row_name(inst->row);
  struct machine m = {inst, before, program->target.processor->major, isa->wave, before->mode, 0};
  const struct row *floats = float_row(name);
  const struct scalar_row *row = NULL;
  memcpy(want.s, before->s, sizeof want.s);
  if (floats)
    return compare_scalar_float(&m, floats, &want);
  for (size_t i = 0; i < OG_COUNT(scalar_rows); i++)
    if (strcmp(scalar_rows[i].name, name) == 0)
      row = &scalar_rows[i];
  if (!row)
    return false;
  const struct og_operand *s0 = og_operand(inst, OG_ROLE_SRC0), *s1 = og_operand(inst, OG_ROLE_SRC1);
  const struct og_operand *sdst = scalar_result_of(inst), *simm = og_operand(inst, OG_ROLE_SIMM);
  bool known = true, known_too = true, known_old = true;
  struct scalar_state in = {.exec = og_load64(&before->s[OG_S_EXEC]), .scc = before->s[OG_S_SCC], .mode = before->mode};
  unsigned wide = row->masks ? row->bits : 0;
  if (wide == 32 || isa->wave == 32) /* the upper half of EXEC is none in waves of 32 */
    in.exec &= UINT32_MAX;
  if (row->source[0] && s0)
    in.a = low_bits(operand_bits(&m, s0,
                                 row->source[0] < 64   ? U32
                                 : strstr(name, "i64") ? I64
                                                       : U64,
                                 0, &known),
                    row->source[0]);
  if (row->source[1] && s1)
    in.b = low_bits(operand_bits(&m, s1, row->source[1] == 64 ? U64 : U32, 0, &known_too), row->source[1]);
  if (sdst)
    in.old = low_bits(scalar_bits(&m, sdst, &known_old), row->bits ? row->bits : 32);
  if (!known || !known_too || (sdst && !known_old) ||
      (sdst && sdst->kind == OG_OPERAND_SPECIAL && sdst->reg > OG_SPECIAL_M0))
    return false;
  in.sa = as_signed(in.a, row->source[0]), in.sb = as_signed(in.b, row->source[1]);
  in.k = simm ? (int16_t)simm->value : 0;
  struct scalar_result out;
  row->compute(&in, &out);
  if (row->masks && sdst->kind == OG_OPERAND_SPECIAL &&
      (sdst->reg == OG_SPECIAL_EXEC_LO || sdst->reg == OG_SPECIAL_EXEC_HI))
    return false;
  if (row->masks)
    put_scalar(&want, &m, &(struct og_operand){.kind = OG_OPERAND_SPECIAL, .reg = OG_SPECIAL_EXEC_LO}, out.exec,
               row->bits == 64);
  if (row->bits)
    put_scalar(&want, &m, sdst, out.value, row->bits == 64);
  return compare_scalars(&m, &want, out.scc);
}

static bool is_scalar(const struct og_inst *inst) {
  return inst->encoding <= OG_ENC_SOPP || strncmp(og_row_name(inst->row), "v_s_", 4) == 0;
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

enum { AHEAD = 5 /* words from the instruction's end, where there is nothing to execute either */ };

/* Gives a branch a target in the code, where the wave then stops. */
static void aim(struct og_inst *inst) {
  const struct og_operand *to = og_branch_operand(isa, inst), *s0 = og_operand(inst, OG_ROLE_SRC0);
  const char *name = og_row_name(inst->row);
  if (to) {
    uint8_t bytes[32];
    inst->operands[to - inst->operands].value = AHEAD;
    memset(bytes, 0xff, sizeof bytes);
    if (og_encode(isa, inst, bytes) == 4)
      memcpy(code, bytes, 4);
  } else if ((strcmp(name, "s_setpc_b64") == 0 || strcmp(name, "s_swappc_b64") == 0) && s0->kind == OG_OPERAND_SGPR) {
    og_store64(&wave->s[s0->reg], (uintptr_t)code + 4 + 4 * AHEAD);
  }
}

/* s_round_mode and s_denorm_mode put four bits into MODE. */
static bool compare_mode(const struct og_inst *inst) {
  const char *name = og_row_name(inst->row);
  unsigned shift = strcmp(name, "s_denorm_mode") == 0 ? 4 : 0;
  const struct og_operand *simm = og_operand(inst, OG_ROLE_SIMM);
  if ((!shift && strcmp(name, "s_round_mode") != 0) || !simm)
    return false;
  uint32_t want = (before->mode & ~(15u << shift)) | ((uint32_t)simm->value & 15) << shift;
  if (wave->mode != want)
    complain(inst->row, "MODE is %x, expected %x", wave->mode, want);
  return true;
}

static bool compare_branch(const struct og_inst *inst) {
  const char *name = og_row_name(inst->row);
  const struct og_operand *s0 = og_operand(inst, OG_ROLE_SRC0), *sdst = scalar_result_of(inst);
  uint64_t here = (uintptr_t)code + inst->size, there = here + 4 * AHEAD;
  uint64_t vcc = low_bits(og_load64(&before->s[OG_S_VCC]), isa->wave),
           exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  bool scc = before->s[OG_S_SCC], jumps = strcmp(name, "s_setpc_b64") == 0 || strcmp(name, "s_swappc_b64") == 0;
  bool taken = jumps || !strcmp(name, "s_branch") || !strcmp(name, "s_call_b64") ||
               (!strcmp(name, "s_cbranch_scc0") && !scc) || (!strcmp(name, "s_cbranch_scc1") && scc) ||
               (!strcmp(name, "s_cbranch_vccz") && !vcc) || (!strcmp(name, "s_cbranch_vccnz") && vcc) ||
               (!strcmp(name, "s_cbranch_execz") && !exec) || (!strcmp(name, "s_cbranch_execnz") && exec);
  bool links = !strcmp(name, "s_call_b64") || !strcmp(name, "s_swappc_b64") || !strcmp(name, "s_getpc_b64");
  bool plain =
      strncmp(name, "s_cbranch_", 10) == 0 && (strstr(name, "scc") || strstr(name, "vcc") || strstr(name, "exec"));
  if (!taken && !links && !plain)
    return false;
  if ((jumps && s0->kind != OG_OPERAND_SGPR) || (links && sdst->kind != OG_OPERAND_SGPR))
    return false;
  uint64_t at =
      wave->state == OG_WAVE_FAULT ? wave->fault.pc : og_pc(program, wave->resume); /* a branch ends its turn */
  if (at != (taken ? there : here))
    complain(inst->row, "it goes on %lld bytes behind, expected %lld", (long long)(at - here),
             (long long)(taken ? there - here : 0));
  if (links && og_load64(&wave->s[sdst->reg]) != here)
    complain(inst->row, "it has another address than its own end");
  return true;
}

#endif
