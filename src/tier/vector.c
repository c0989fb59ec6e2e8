/* vector.c - vector operations of one strip of lanes: rows.def's steps, one after the other. */
#include "tier/rows.h"

#include <string.h>

#include "exec/modifiers.h"
#include "isa/rows.h"

/* ---- the table --------------------------------------------------------------------------------------------------- */

static const struct {
  uint32_t instruction;
  bool broadcasts; /* its last operand may be one dword for all lanes */
} host_steps[] = {
#define X(name, instruction, broadcasts) {instruction, broadcasts},
    STEPS(X)
#undef X
};
/* MOVE to NONE is no step. */
static bool is_end(const struct step *step) { return step->what == MOVE && step->to == NONE; }
static const struct step *next_step(const struct og_lane_code *row, const struct step *step) {
  step = step ? step + 1 : row->steps;
  return step == row->steps + STEPS_MOST || is_end(step) ? NULL : step;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* The host has three forms, by which of the three the result replaces; the product's first factor is the same in all,
 * and so is which of several NaNs comes through (og_fma_forms_agree). */
enum {
  REPLACES_ADDEND = OG_VEX(1, 2, 0, 0xb8),
  REPLACES_FIRST = OG_VEX(1, 2, 0, 0x98),
  REPLACES_SECOND = OG_VEX(1, 2, 0, 0xa8)
};

void og_emit_fma(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  struct og_result result = og_result_of(unit, item, D);
  unsigned first = og_register_of(unit, item, item->swaps ? S1 : S0, OG_T1);
  struct og_place second = og_place_of(unit, item, item->swaps ? S0 : S1, true),
                  addend = og_place_of(unit, item, step->to, false);
  bool is_addend = addend.kind == OG_PLACE_REGISTER && addend.reg == result.reg,
       is_first = first == result.reg, is_second = second.kind == OG_PLACE_REGISTER && second.reg == result.reg;
  if (result.moves) {
    og_emit_load(unit, OG_T0, addend);
    og_emit_vector(e, REPLACES_ADDEND, OG_T0, first, second, 0, false);
    result.reg = OG_T0;
  } else if (is_addend) {
    og_emit_vector(e, REPLACES_ADDEND, result.reg, first, second, result.mask, false);
  } else if (is_first && unit->fma_forms) {
    unsigned other = og_register_of(unit, item, step->to, OG_T0);
    og_emit_vector(e, REPLACES_FIRST, result.reg, other, second, result.mask, false);
  } else if (is_second && unit->fma_forms) {
    og_emit_vector(e, REPLACES_SECOND, result.reg, first, addend, result.mask, false);
  } else {
    unsigned reg = is_first || is_second || result.mask ? OG_T0 : result.reg;
    og_emit_load(unit, reg, addend);
    og_emit_vector(e, REPLACES_ADDEND, reg, first, second, 0, false);
    if (reg != result.reg)
      og_emit_vector(e, OG_VEX(0, 1, 0, 0x10), result.reg, 0, og_place_register(reg), result.mask, false);
  }
  og_finish_result(unit, &result);
}

/* Denormals become zeros of their sign. */
static void emit_flush(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  struct og_result result = og_result_of(unit, item, step->to);
  unsigned from = og_register_of(unit, item, step->second, OG_P2); /* T2 has the exponent's bits of 256 */
  struct og_place exponent = og_place_of(unit, item, EXPONENT, true), sign = og_place_of(unit, item, SIGN, true);
  if (e->wide) {
    unsigned to = result.mask ? OG_T2 : result.reg;
    og_emit_vector(e, OG_VEX(2, 2, 0, 0x27), OG_K_TEMPORARY, from, exponent, 0,
                   false); /* none of the exponent's bits */
    if (to != from)
      og_emit_load(unit, to, og_place_register(from));
    og_emit_vector(e, host_steps[AND].instruction, to, from, sign, OG_K_TEMPORARY, false);
    if (to != result.reg)
      og_emit_vector(e, OG_VEX(0, 1, 0, 0x10), result.reg, 0, og_place_register(to), result.mask, false);
  } else {
    struct og_place size = og_place_of(unit, item, SIZE, false);
    og_emit_vector(e, host_steps[XOR].instruction, OG_CO_LANES, OG_CO_LANES, og_place_register(OG_CO_LANES), 0, false);
    og_emit_vector(e, host_steps[AND].instruction, OG_T2, from, exponent, 0, false);
    og_emit_vector(e, OG_VEX(1, 1, 0, 0x76), OG_CO_LANES, OG_CO_LANES, og_place_register(OG_T2), 0, false);
    og_emit_vector(e, host_steps[AND].instruction, OG_CO_LANES, OG_CO_LANES, size, 0, false);
    og_emit_vector(e, host_steps[ANDN].instruction, result.reg, OG_CO_LANES, og_place_register(from), 0, false);
  }
  og_finish_result(unit, &result);
}

/* Steps on constants are done now, and those left out that change nothing. */
static bool fold(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  uint32_t first, second;
  if (step->to < T0 || step->to > T2 || !og_constant_of(unit, item, step->second, &second))
    return false;
  unsigned to = step->to - T0;
  if (step->what == OR && second == 0 && step->first == step->to)
    return true;
  if ((step->what == SHIFT_LEFT || step->what == SHIFT_RIGHT) && second > 31) {
    unit->known[to] = true;
    unit->value[to] = 0;
    return true;
  }
  if ((step->what != AND && step->what != SUB) || !og_constant_of(unit, item, step->first, &first))
    return false;
  unit->known[to] = true;
  unit->value[to] = step->what == AND ? first & second : first - second;
  return true;
}

/* A shift whose distance was a constant, masked by the step before it: VPSLLD and its kin. */
static void emit_shift(struct og_unit *unit, const struct og_item *item, const struct step *step, uint32_t distance) {
  static const uint8_t digits[] = {[SHIFT_LEFT] = 6, [SHIFT_RIGHT] = 2, [SHIFT_ARITHMETIC] = 4};
  struct og_result result = og_result_of(unit, item, step->to);
  unsigned from = og_register_of(unit, item, step->first, result.moves ? OG_T0 : OG_T2);
  og_emit_vector(&unit->code, OG_VEX(1, 1, 0, 0x72), digits[step->what], result.reg, og_place_register(from),
                 result.mask, false);
  og_emit_byte(&unit->code, distance);
  og_finish_result(unit, &result);
}

static bool is_shift(const struct step *step) {
  return step->what == SHIFT_LEFT || step->what == SHIFT_RIGHT || step->what == SHIFT_ARITHMETIC;
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

/* Whether all lanes are counted, as code does that asks which lane it is. */
static bool counts_all(const struct og_item *item) {
  const struct og_operation *op = item->does;
  return item->row->steps[0].what == LANES_BELOW && !item->modifiers && op->s[0] == OG_AT_S(OG_S_ZERO) &&
         (uint32_t)op->constant[0] == UINT32_MAX;
}

/* T0: each lane's number of lanes below among the lower or the upper 32, or of a mask those bits. */
static void emit_lanes_below(struct og_unit *unit, const struct og_item *item) {
  static const uint32_t numbers[OG_LANES + 32] = {
#define FOUR(n) n, n + 1, n + 2, n + 3
#define SIXTEEN(n) FOUR(n), FOUR(n + 4), FOUR(n + 8), FOUR(n + 12)
      [32] = SIXTEEN(0), SIXTEEN(16), [64 ... OG_LANES + 31] = 32};
  static const uint32_t bits[OG_LANES + 32] = {
#define BELOW(n) (1u << (n)) - 1
#define FOUR_BELOW(n) BELOW(n), BELOW(n + 1), BELOW(n + 2), BELOW(n + 3)
#define SIXTEEN_BELOW(n) FOUR_BELOW(n), FOUR_BELOW(n + 4), FOUR_BELOW(n + 8), FOUR_BELOW(n + 12)
      [32] = SIXTEEN_BELOW(0), SIXTEEN_BELOW(16), [64 ... OG_LANES + 31] = UINT32_MAX};
  const bool upper = item->row->row == OG_ROW_V_MBCNT_HI_U32_B32; /* the same, 32 lanes later */
  const uint32_t *row = (counts_all(item) ? numbers : bits) + (upper ? 0 : 32);
  og_emit_load_constant(&unit->code, OG_RAX, (uintptr_t)row);
  og_emit_load(unit, OG_T0, og_of_strip(unit, OG_RAX, 0));
  if (!counts_all(item))
    og_emit_vector(&unit->code, host_steps[AND].instruction, OG_T0, OG_T0, og_place_of(unit, item, S0, true), 0, false);
}

/* T0: how many bits are set: of each four by a table (VPSHUFB), then sums of two, four and eight (VPADDB, VPMADDUBSW,
 * VPMADDWD). */
static void emit_count(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  uint32_t table[16];
  if (counts_all(item))
    return; /* they are numbers already */
  for (unsigned i = 0; i < OG_COUNT(table); i++) {
    static const uint32_t counts[4] = {0x02010100, 0x03020201, 0x03020201, 0x04030302};
    table[i] = counts[i % 4];
  }
  unsigned from = og_register_of(unit, item, step->second, OG_T0);
  og_emit_load(unit, OG_T2, og_constant_row(&unit->code, table));
  og_emit_with_constant(unit, host_steps[AND].instruction, OG_T1, from, 0x0f0f0f0f);
  og_emit_shift(unit, OG_SHIFT_RIGHT, OG_T0, from, 4);
  og_emit_with_constant(unit, host_steps[AND].instruction, OG_T0, OG_T0, 0x0f0f0f0f);
  og_emit_registers(unit, OG_VEX(1, 2, 0, 0x00), OG_T1, OG_T2, OG_T1);
  og_emit_registers(unit, OG_VEX(1, 2, 0, 0x00), OG_T0, OG_T2, OG_T0);
  og_emit_registers(unit, OG_VEX(1, 1, 0, 0xfc), OG_T0, OG_T0, OG_T1);
  struct og_place bytes = og_constant_repeated(&unit->code, 0x01010101),
                  words = og_constant_repeated(&unit->code, 0x00010001);
  og_emit_vector(&unit->code, OG_VEX(1, 2, 0, 0x04), OG_T0, OG_T0, bytes, 0, false);
  og_emit_vector(&unit->code, OG_VEX(1, 1, 0, 0xf5), OG_T0, OG_T0, words, 0, false);
}

static void emit_step(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  switch (step->what) {
  case FMA_F: og_emit_fma(unit, item, step); return;
  case LANES_BELOW: emit_lanes_below(unit, item); return;
  case COUNT: emit_count(unit, item, step); return;
  case FLUSH: emit_flush(unit, item, step); return;
  case WIDEN: {
    unsigned to = OG_T0 + step->to - T0;
    og_emit_widen(unit, to, og_register_of(unit, item, step->second, to));
    return;
  }
  case NARROW: og_emit_narrow(unit, OG_T0, og_register_of(unit, item, step->second, OG_T0)); return;
  case TO_INTEGER: og_emit_to_integer(unit, OG_T1, og_register_of(unit, item, step->second, OG_T0)); return;
  case ADD_D:
  case MUL_D:
  case FMA_D: og_emit_double(unit, item, host_steps[step->what].instruction); return;
  case DIVIDE_SCALE:
  case DIVIDE_FMAS:
  case DIVIDE_FIXUP:
  case DIVIDE_SCALE_D:
  case DIVIDE_FMAS_D:
  case DIVIDE_FIXUP_D: og_emit_division(unit, item, step); return;
  case RECIPROCAL_D:
  case ROOT_D:
  case ROUND_D:
  case RECIPROCAL_ROOT_D: og_emit_double_root(unit, item, step); return;
  case FROM_INTEGER_D:
  case FROM_FLOAT_D: og_emit_to_double(unit, item, host_steps[step->what].instruction); return;
  case TO_INTEGER_D:
  case TO_FLOAT_D:
    og_emit_from_double(unit, item, host_steps[step->what].instruction, step->what == TO_INTEGER_D);
    return;
  case COMPARE_D:
  case COMPARE_Q:
  case COMPARE_UQ: og_emit_compare_64(unit, item, step); return;
  case FROM_UNSIGNED: og_emit_from_unsigned(unit, OG_T1, og_register_of(unit, item, step->second, OG_T0)); return;
  case TO_UNSIGNED: og_emit_to_unsigned(unit, OG_T1, og_register_of(unit, item, step->second, OG_T0)); return;
  case ADD_CARRY:
  case SUB_CARRY: og_emit_carry(unit, item, step, host_steps[step->what].instruction); return;
  case SELECT: og_emit_select(unit, item, step); return;
  case RANGE: og_emit_range(unit, item, step); return;
  case COMPARE_I:
  case COMPARE_U:
  case COMPARE_F: og_emit_compare(unit, item, step); return;
  case BELOW: { /* what is spare is not T2, which has lanes with 256 bits */
    unsigned first = og_register_of(unit, item, step->first, OG_P1);
    bool in = step->to == CI;
    og_emit_below(unit, in ? OG_K_CI : OG_K_CO, in ? OG_CI_LANES : OG_CO_LANES, first,
                  og_place_of(unit, item, step->second, true), unit->masked && !in ? OG_K_EXEC : 0);
    return;
  }
  case OR_BELOW: {
    unsigned first = og_register_of(unit, item, step->first, OG_P1);
    struct og_place second = og_place_of(unit, item, step->second, true);
    og_emit_below(unit, OG_K_TEMPORARY, OG_CI_LANES, first, second, unit->masked ? OG_K_EXEC : 0);
    if (e->wide)
      og_emit_k(unit, 0x45, OG_K_CO, OG_K_CO, og_place_register(OG_K_TEMPORARY), true);
    else
      og_emit_vector(e, host_steps[OR].instruction, OG_CO_LANES, OG_CO_LANES, og_place_register(OG_CI_LANES), 0, false);
    return;
  }
  default: break;
  }
  struct og_result result = og_result_of(unit, item, step->to);
  uint32_t instruction = host_steps[step->what].instruction;
  bool broadcasts = host_steps[step->what].broadcasts;
  if (step->what == ODD_DOWN) { /* VPSRLQ by 32 */
    unsigned from = og_register_of(unit, item, step->second, result.reg);
    og_emit_vector(e, instruction, 2, result.reg, og_place_register(from), 0, false);
    og_emit_byte(e, 32);
    return;
  }
  if (step->what == ROUND) {
    unsigned to = result.mask ? OG_T0 : result.reg;
    og_emit_vector(e, instruction, to, 0, og_place_of(unit, item, step->second, false), 0, false);
    og_emit_byte(e, item->row->predicate);
    if (to != result.reg)
      og_emit_vector(e, OG_VEX(0, 1, 0, 0x10), result.reg, 0, og_place_register(to), result.mask, false);
    og_finish_result(unit, &result);
    return;
  }
  bool of_product = step->what == ADD_F && step->first != S0; /* v_mad_f32 and its kin */
  bool swaps = of_product ? item->addend_first : (step->what == MUL_F || step->what == ADD_F) && item->swaps;
  enum operand first_operand = swaps ? step->second : step->first, second_operand = swaps ? step->first : step->second;
  unsigned first = 0;
  if (first_operand != NONE)
    first = og_register_of(unit, item, first_operand, first_operand >= N3 && !result.moves ? result.reg : OG_T0);
  struct og_place second = og_place_of(unit, item, second_operand, broadcasts);
  if (step->what == MOVE && second.kind == OG_PLACE_REGISTER && second.reg == result.reg && !result.moves)
    return;
  if (step->what == MOVE && result.moves && second.kind == OG_PLACE_REGISTER)
    result.reg = second.reg; /* it is only stored */
  else
    og_emit_vector(e, instruction, result.reg, first, second, result.mask, false);
  og_finish_result(unit, &result);
}

static void emit_steps(struct og_unit *unit, const struct og_item *item, enum og_wanted wanted) {
  memset(unit->known, 0, sizeof unit->known);
  for (const struct step *step = NULL; (step = next_step(item->row, step));) {
    uint32_t distance;
    bool to_carry = step->to == CO;
    if (fold(unit, item, step) || (to_carry && wanted == OG_WANTED_NOT))
      continue;
    if (is_shift(step) && og_constant_of(unit, item, step->second, &distance))
      emit_shift(unit, item, step, OG_MIN(distance, 255u));
    else
      emit_step(unit, item, step);
    if (step->to >= T0 && step->to <= T2)
      unit->known[step->to - T0] = false;
  }
}

/* The low halves, then the high ones. */
static void emit_packed(struct og_unit *unit, const struct og_item *item) {
  const struct og_modifiers *m = item->modifiers;
  for (unsigned half = 0; half < 2; half++) {
    unsigned high = half ? m->op_sel_hi : m->op_sel, negated = half ? m->neg_hi : m->neg_lo;
    for (unsigned i = 0; i < 3; i++) {
      unit->prepared[i] = false;
      if (item->types->source[i] == OG_AS_NONE)
        continue;
      og_emit_half_of(unit, OG_P0 + i, og_register_of(unit, item, S0 + i, OG_P0 + i), high >> i & 1, negated >> i & 1);
      unit->prepared[i] = true;
    }
    emit_steps(unit, item, OG_WANTED_NOT);
    if (half == 0)
      og_emit_low_half(unit);
  }
  og_emit_join_halves(unit);
  struct og_result result = og_result_of(unit, item, D);
  if (!result.moves)
    og_emit_vector(&unit->code, OG_VEX(0, 1, 0, 0x10), result.reg, 0, og_place_register(OG_T0), result.mask, false);
  og_finish_result(unit, &result);
}

void og_emit_vector_item(struct og_unit *unit, const struct og_item *item) {
  (og_is_dpp(item) ? og_emit_dpp : og_emit_plain_vector_item)(unit, item);
}

void og_emit_plain_vector_item(struct og_unit *unit, const struct og_item *item) {
  bool makes_carry = item->types->flags & OG_VECTOR_CARRY_OUT;
  enum og_wanted wanted = makes_carry ? og_carry_wanted(unit, item) : OG_WANTED_NOT;
  if (item->modifiers && item->modifiers->packed) {
    emit_packed(unit, item);
    return;
  }
  og_prepare_sources(unit, item);
  if (item->types->flags & OG_VECTOR_CARRY_IN)
    og_load_carry(unit, item);
  emit_steps(unit, item, wanted);
  if (item->row->steps[0].what == DIVIDE_SCALE ||
      item->row->steps[0].what == DIVIDE_SCALE_D) { /* its mask is where it belongs */
    unit->carry = unit->carry == item->does->d2 ? OG_NO_CARRY : unit->carry;
    return;
  }
  if (makes_carry)
    unit->carry = unit->code.wide && wanted != OG_WANTED_NOT ? item->does->d2 : OG_NO_CARRY;
  if (wanted == OG_WANTED_LATER)
    og_store_carry(unit, item->does->d2);
}
