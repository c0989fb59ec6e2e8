/* vector.c - vector operations of one strip of lanes: rows.def's steps with a block's registers in host registers. */
#include "tier/rows.h"

#include <string.h>

#include "exec/modifiers.h"

/* ---- the table --------------------------------------------------------------------------------------------------- */

static const struct {
  uint32_t instruction;
  bool broadcasts; /* its last operand may be one dword for all lanes */
} host_steps[] = {
#define X(name, instruction, broadcasts) {instruction, broadcasts},
    STEPS(X)
#undef X
};
static const uint32_t constants[] = {[N3] = 3,
                                     [N1] = 1,
                                     [N6] = 6,
                                     [N8] = 8,
                                     [N15] = 15,
                                     [N16] = 16,
                                     [N22] = 22,
                                     [N23] = 23,
                                     [N24] = 24,
                                     [N31] = 31,
                                     [N32] = 32,
                                     [N63] = 63,
                                     [LOW8] = 255,
                                     [LOW16] = 0xffff,
                                     [LOW24] = 0xffffff,
                                     [ONES] = UINT32_MAX,
                                     [SIGN] = 0x80000000,
                                     [SIZE] = 0x7fffffff,
                                     [EXPONENT] = 0x7f800000,
                                     [ONE_F] = 0x3f800000,
                                     [SIGN16] = 0x8000,
                                     [NOT_SIGN16] = 0xffff7fff,
                                     [QUIET] = 0x400000,
                                     [LEAST_NORMAL] = 0x800000};

/* MOVE to NONE is no step. */
static bool is_end(const struct step *step) { return step->what == MOVE && step->to == NONE; }
static const struct step *next_step(const struct og_lane_code *row, const struct step *step) {
  step = step ? step + 1 : row->steps;
  return step == row->steps + STEPS_MOST || is_end(step) ? NULL : step;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

void og_emit_load(struct og_unit *unit, unsigned reg, struct og_place from) {
  og_emit_vector(&unit->code, OG_VEX(0, 1, 0, 0x10), reg, 0, from, 0, false);
}
void og_emit_store(struct og_unit *unit, struct og_place to, unsigned reg) {
  og_emit_vector(&unit->code, OG_VEX(0, 1, 0, 0x11), reg, 0, to, 0, false);
}
static void emit_broadcast(struct og_unit *unit, unsigned reg, struct og_place from) {
  from.broadcast = false;
  og_emit_vector(&unit->code, OG_VEX(1, 2, 0, 0x58), reg, 0, from, 0, false);
}

static unsigned source_index(enum operand operand) { return operand >= S0H ? operand - S0H : operand - S0; }
static bool is_source(enum operand operand) { return operand >= S0 && operand <= S2H; }

static struct og_place vgpr_place(const struct og_unit *unit, unsigned vgpr) {
  return unit->host[vgpr] ? og_place_register(unit->host[vgpr]) : og_home(unit, vgpr);
}

/* One dword for all lanes: as it is where the instruction takes that, else in `reg`. */
static struct og_place spread(struct og_unit *unit, struct og_place from, bool broadcasts, unsigned reg) {
  if (unit->code.wide && broadcasts) {
    from.broadcast = true;
    return from;
  }
  emit_broadcast(unit, reg, from);
  return og_place_register(reg);
}

/* Of a scalar: as it was before the stretch. */
static struct og_place scalar_place(const struct og_unit *unit, uint32_t offset) {
  bool kept = unit->before != OG_NO_CARRY && offset - unit->before < (unit->wave32 ? 4 : 8);
  return kept ? og_before_place((offset - unit->before) / 4) : og_in_wave(offset);
}

static struct og_place source_place(struct og_unit *unit, const struct og_item *item, enum operand operand,
                                    bool broadcasts) {
  const struct og_operation *op = item->does;
  unsigned i = source_index(operand), high = operand >= S0H ? 1 : 0;
  if (unit->prepared[i])
    return og_place_register(OG_P0 + i);
  if (og_is_vector_place(op->s[i]))
    return vgpr_place(unit, og_vgpr_of(op->s[i]) + high);
  struct og_place from = op->s[i] == OG_AT_S(OG_S_ZERO)
                             ? og_constant_place(&unit->code, (uint32_t)(op->constant[i] >> (32 * high)))
                             : scalar_place(unit, op->s[i] + 4 * high);
  return spread(unit, from, broadcasts, OG_P0 + i);
}

struct og_place og_place_of(struct og_unit *unit, const struct og_item *item, enum operand operand,
                                bool broadcasts) {
  if (is_source(operand))
    return source_place(unit, item, operand, broadcasts);
  if (operand == OLD)
    return vgpr_place(unit, og_vgpr_of(item->does->d));
  bool temporary = operand >= T0 && operand <= T2;
  if (temporary && !unit->known[operand - T0])
    return og_place_register(OG_T0 + operand - T0);
  uint32_t row[16], value = temporary ? unit->value[operand - T0] : operand == ODD ? 0 : constants[operand];
  for (unsigned i = 0; i < 16; i++)
    row[i] = operand == ODD ? (i & 1 ? UINT32_MAX : 0) : value;
  if (unit->code.wide && broadcasts && operand != ODD)
    return og_constant_lanes(&unit->code, value);
  return og_constant_row(&unit->code, row);
}

unsigned og_register_of(struct og_unit *unit, const struct og_item *item, enum operand operand, unsigned spare) {
  struct og_place place = og_place_of(unit, item, operand, false);
  if (place.kind == OG_PLACE_REGISTER)
    return place.reg;
  bool temporary = operand >= T0 && operand <= T2; /* that holds a constant: the others may be in use */
  unsigned reg = is_source(operand) ? OG_P0 + source_index(operand) : temporary ? OG_T0 + operand - T0 : spare;
  og_emit_load(unit, reg, place);
  return reg;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

struct og_result og_result_of(struct og_unit *unit, const struct og_item *item, enum operand to) {
  if (to >= T0 && to <= T2)
    return (struct og_result){.reg = OG_T0 + to - T0};
  unsigned vgpr = og_vgpr_of(item->does->d) + (to == DH ? 1 : 0), host = unit->host[vgpr];
  if (host && (!unit->masked || unit->code.wide))
    return (struct og_result){.reg = host, .mask = unit->masked ? OG_K_EXEC : 0, .vgpr = vgpr};
  return (struct og_result){.reg = to == DH ? OG_T1 : OG_T0, .moves = true, .vgpr = vgpr};
}

void og_finish_result(struct og_unit *unit, const struct og_result *result) {
  if (!result->moves)
    return;
  unsigned host = unit->host[result->vgpr];
  if (host) /* 256 bits, masked: VBLENDVPS */
    og_emit_vector(&unit->code, OG_VEX(1, 3, 0, 0x4a), host, host, og_place_register(result->reg), 0, false),
        og_emit_byte(&unit->code, OG_EXEC_LANES << 4);
  else if (!unit->masked || unit->code.wide)
    og_emit_vector(&unit->code, OG_VEX(0, 1, 0, 0x11), result->reg, 0, og_home(unit, result->vgpr),
                   unit->masked ? OG_K_EXEC : 0, false);
  else /* VMASKMOVPS */
    og_emit_vector(&unit->code, OG_VEX(1, 2, 0, 0x2e), result->reg, OG_EXEC_LANES, og_home(unit, result->vgpr), 0, false);
}

/* ---- masks ------------------------------------------------------------------------------------------------------- */

struct og_place og_mask_place(const struct og_unit *unit, uint32_t offset) {
  return og_place_memory(OG_RBX, OG_R13, offset + unit->half);
}

void og_emit_k(struct og_unit *unit, unsigned opcode, unsigned reg, unsigned first, struct og_place last,
                   bool two) {
  struct og_encoder *e = &unit->code;
  bool wide = e->wide;
  e->wide = false;
  if (two)
    og_emit_vector(e, OG_VEX(0, 1, 0, opcode), reg, first, last, 0, false);
  else
    og_emit_vector_low(e, OG_VEX(0, 1, 0, opcode), reg, first, last);
  e->wide = wide;
}

static void load_carry(struct og_unit *unit, uint32_t offset) {
  if (unit->code.wide) {
    struct og_place known = og_place_register(OG_K_CO);
    og_emit_k(unit, 0x90, OG_K_CI, 0, unit->carry == offset ? known : og_mask_place(unit, offset), false);
    return;
  }
  static const uint32_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  struct og_place row = og_constant_row(&unit->code, bits), lanes = og_place_register(OG_CI_LANES);
  og_emit_general(&unit->code, false, 0x1b6, OG_RAX, og_mask_place(unit, offset)); /* movzx of a byte */
  og_emit_vector_low(&unit->code, OG_VEX(1, 1, 0, 0x6e), OG_CI_LANES, 0, og_place_register(OG_RAX));
  emit_broadcast(unit, OG_CI_LANES, lanes);
  og_emit_vector(&unit->code, OG_VEX(1, 1, 0, 0xdb), OG_CI_LANES, OG_CI_LANES, row, 0, false);
  og_emit_vector(&unit->code, OG_VEX(1, 1, 0, 0x76), OG_CI_LANES, OG_CI_LANES, row, 0, false);
}

static void store_carry(struct og_unit *unit, uint32_t offset) {
  if (unit->code.wide) {
    og_emit_k(unit, 0x91, OG_K_CO, 0, og_mask_place(unit, offset), false);
    return;
  }
  if (unit->masked)
    og_emit_vector(&unit->code, OG_VEX(1, 1, 0, 0xdb), OG_CO_LANES, OG_CO_LANES, og_place_register(OG_EXEC_LANES), 0,
                   false);
  og_emit_vector(&unit->code, OG_VEX(0, 1, 0, 0x50), OG_RAX, 0, og_place_register(OG_CO_LANES), 0, false);
  og_emit_general(&unit->code, false, 0x88, OG_RAX, og_mask_place(unit, offset));
}

/* first < second, of unsigned numbers; 256 bits: lanes into `lanes`, which is neither. */
static void emit_below(struct og_unit *unit, unsigned k, unsigned lanes, unsigned first, struct og_place second,
                       unsigned mask) {
  struct og_encoder *e = &unit->code;
  if (e->wide) {
    og_emit_vector(e, OG_VEX(1, 3, 0, 0x1e), k, first, second, mask, false);
    og_emit_byte(e, 1);
    return;
  }
  og_emit_vector(e, OG_VEX(1, 2, 0, 0x3f), lanes, first, second, 0, false); /* not max(first, second) == first */
  og_emit_vector(e, OG_VEX(1, 1, 0, 0x76), lanes, lanes, og_place_register(first), 0, false);
  og_emit_vector(e, OG_VEX(1, 1, 0, 0xef), lanes, lanes, og_constant_lanes(e, UINT32_MAX), 0, false);
}

static void emit_compare(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  unsigned predicate = item->row->predicate, mask = unit->masked ? OG_K_EXEC : 0;
  unsigned first = og_register_of(unit, item, step->first, OG_T0);
  if (step->what == COMPARE_F) {
    struct og_place second = og_place_of(unit, item, step->second, true);
    og_emit_vector(e, OG_VEX(0, 1, 0, 0xc2), e->wide ? OG_K_CO : OG_CO_LANES, first, second, e->wide ? mask : 0, false);
    og_emit_byte(e, predicate);
    return;
  }
  if (e->wide) {
    struct og_place second = og_place_of(unit, item, step->second, true);
    og_emit_vector(e, OG_VEX(1, 3, 0, step->what == COMPARE_I ? 0x1f : 0x1e), OG_K_CO, first, second, mask, false);
    og_emit_byte(e, predicate);
    return;
  }
  unsigned second = og_register_of(unit, item, step->second, OG_T1);
  bool is_signed = step->what == COMPARE_I, equality = predicate == 0 || predicate == 4;
  if (!is_signed && !equality) { /* as signed ones, the highest bit flipped */
    struct og_place sign = og_place_of(unit, item, SIGN, false);
    og_emit_vector(e, OG_VEX(1, 1, 0, 0xef), OG_T0, first, sign, 0, false);
    og_emit_vector(e, OG_VEX(1, 1, 0, 0xef), OG_T1, second, sign, 0, false);
    first = OG_T0, second = OG_T1;
  }
  bool swaps = predicate == 1 || predicate == 5, inverts = predicate == 4 || predicate == 2 || predicate == 5;
  og_emit_vector(e, OG_VEX(1, 1, 0, equality ? 0x76 : 0x66), OG_CO_LANES, swaps ? second : first,
                 og_place_register(swaps ? first : second), 0, false);
  if (inverts)
    og_emit_vector(e, OG_VEX(1, 1, 0, 0xef), OG_CO_LANES, OG_CO_LANES, og_place_of(unit, item, ONES, false), 0, false);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

void og_emit_fma(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  struct og_result result = og_result_of(unit, item, D);
  unsigned first = og_register_of(unit, item, item->swaps ? S1 : S0, OG_T1);
  struct og_place second = og_place_of(unit, item, item->swaps ? S0 : S1, true), addend = og_place_of(unit, item, step->to, false);
  bool in_place = addend.kind == OG_PLACE_REGISTER && addend.reg == result.reg && !result.moves;
  bool apart = first != result.reg && !(second.kind == OG_PLACE_REGISTER && second.reg == result.reg) && !result.mask;
  unsigned reg = in_place || (apart && !result.moves) ? result.reg : OG_T0;
  if (!in_place)
    og_emit_load(unit, reg, addend);
  og_emit_vector(e, host_steps[FMA_F].instruction, reg, first, second, in_place ? result.mask : 0, false);
  if (reg != result.reg)
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x10), result.reg, 0, og_place_register(reg), result.mask, false);
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

/* A carry is -1 in lanes. */
static void emit_carry(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  unsigned to = OG_T0 + step->to - T0, from = og_register_of(unit, item, step->second, OG_T0);
  struct og_place lanes = e->wide ? og_place_of(unit, item, ONES, true) : og_place_register(OG_CI_LANES);
  if (e->wide && to != from)
    og_emit_load(unit, to, og_place_register(from));
  og_emit_vector(e, host_steps[step->what].instruction, to, from, lanes, e->wide ? OG_K_CI : 0, false);
}

static void emit_select(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  struct og_result result = og_result_of(unit, item, step->to);
  unsigned first = og_register_of(unit, item, step->first, OG_T0);
  struct og_place second = og_place_of(unit, item, step->second, true);
  if (e->wide) {
    unsigned to = result.mask ? OG_T0 : result.reg;
    og_emit_vector(e, OG_VEX(1, 2, 0, 0x64), to, first, second, OG_K_CI, false); /* VPBLENDMD */
    if (to != result.reg)
      og_emit_vector(e, OG_VEX(0, 1, 0, 0x10), result.reg, 0, og_place_register(to), result.mask, false);
  } else {
    og_emit_vector(e, OG_VEX(1, 3, 0, 0x4a), result.reg, first, second, 0, false);
    og_emit_byte(e, OG_CI_LANES << 4);
  }
  og_finish_result(unit, &result);
}

/* The constant that an operand is; false: it is none. */
static bool constant_of(const struct og_unit *unit, const struct og_item *item, enum operand operand, uint32_t *value) {
  if (operand >= T0 && operand <= T2) {
    *value = unit->value[operand - T0];
    return unit->known[operand - T0];
  }
  if (operand >= N3 && operand < ODD) {
    *value = constants[operand];
    return true;
  }
  if (operand < S0 || operand > S2 || unit->prepared[operand - S0] || item->does->s[operand - S0] != OG_AT_S(OG_S_ZERO))
    return false;
  *value = (uint32_t)item->does->constant[operand - S0];
  return true;
}

/* Steps on constants are done now, and those left out that change nothing. */
static bool fold(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  uint32_t first, second;
  if (step->to < T0 || step->to > T2 || !constant_of(unit, item, step->second, &second))
    return false;
  unsigned to = step->to - T0;
  if (step->what == OR && second == 0 && step->first == step->to)
    return true;
  if ((step->what == SHIFT_LEFT || step->what == SHIFT_RIGHT) && second > 31) {
    unit->known[to] = true;
    unit->value[to] = 0;
    return true;
  }
  if ((step->what != AND && step->what != SUB) || !constant_of(unit, item, step->first, &first))
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

static void emit_step(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  switch (step->what) {
  case FMA_F: og_emit_fma(unit, item, step); return;
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
  case SUB_CARRY: emit_carry(unit, item, step); return;
  case SELECT: emit_select(unit, item, step); return;
  case RANGE: og_emit_range(unit, item, step); return;
  case COMPARE_I:
  case COMPARE_U:
  case COMPARE_F: emit_compare(unit, item, step); return;
  case BELOW: { /* what is spare is not T2, which has lanes with 256 bits */
    unsigned first = og_register_of(unit, item, step->first, OG_P1);
    bool in = step->to == CI;
    emit_below(unit, in ? OG_K_CI : OG_K_CO, in ? OG_CI_LANES : OG_CO_LANES, first,
               og_place_of(unit, item, step->second, true), unit->masked && !in ? OG_K_EXEC : 0);
    return;
  }
  case OR_BELOW: {
    unsigned first = og_register_of(unit, item, step->first, OG_P1);
    struct og_place second = og_place_of(unit, item, step->second, true);
    emit_below(unit, OG_K_TEMPORARY, OG_CI_LANES, first, second, unit->masked ? OG_K_EXEC : 0);
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

/* VPSLLD and its kin, by their digit. */
static void shift_by(struct og_unit *unit, unsigned digit, unsigned to, unsigned from, unsigned distance) {
  og_emit_vector(&unit->code, OG_VEX(1, 1, 0, 0x72), digit, to, og_place_register(from), 0, false);
  og_emit_byte(&unit->code, distance);
}

/* The byte or half of each lane that SDWA names, as og_prepare_source() has it. */
static void select_part(struct og_unit *unit, unsigned to, unsigned from, unsigned select, bool sign_extends) {
  unsigned width = select < OG_SELECT_WORD0 ? 8 : 16, shift = width == 8 ? 8 * select : 16 * (select - OG_SELECT_WORD0);
  shift_by(unit, 6, to, from, 32 - width - shift);
  shift_by(unit, sign_extends ? 4 : 2, to, to, 32 - width);
}

/* Parts of sources and sources with neg or abs, into registers of their own. */
static void prepare_sources(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  memset(unit->prepared, 0, sizeof unit->prepared);
  for (unsigned i = 0; item->modifiers && i < 3; i++) {
    unsigned flags = item->modifiers->flags[i], select = item->modifiers->select[i];
    enum og_as source = (enum og_as)item->types->source[i];
    if (source == OG_AS_NONE || og_as_is_64(source) || (!(flags & (OG_NEG | OG_ABS)) && select >= OG_SELECT_DWORD))
      continue;
    bool half = og_as_is_16((enum og_as)item->modifiers->type[i]);
    unsigned from = og_register_of(unit, item, S0 + i, OG_P0 + i);
    if (select < OG_SELECT_DWORD) {
      select_part(unit, OG_P0 + i, from, select, flags & OG_SEXT);
      from = OG_P0 + i;
    }
    if (flags & OG_ABS) {
      struct og_place size = og_place_of(unit, item, half ? NOT_SIGN16 : SIZE, true);
      og_emit_vector(e, host_steps[AND].instruction, OG_P0 + i, from, size, 0, false);
      from = OG_P0 + i;
    }
    if (flags & OG_NEG) {
      struct og_place sign = og_place_of(unit, item, half ? SIGN16 : SIGN, true);
      og_emit_vector(e, host_steps[XOR].instruction, OG_P0 + i, from, sign, 0, false);
    }
    unit->prepared[i] = true;
  }
}

/* Who wants the mask that an item writes: nobody, before it is written anew; those that find it in k1; others. */
enum wanted { WANTED_NOT, WANTED_SOON, WANTED_LATER };
static enum wanted carry_wanted(const struct og_unit *unit, const struct og_item *item) {
  enum wanted wanted = WANTED_NOT;
  bool in_register = unit->code.wide;
  for (const struct og_item *next = item + 1; next < unit->stretch_end; next++) {
    if (next->kind != OG_ITEM_VECTOR)
      continue;
    if (og_mask_read(next) == item->does->d2) {
      if (!in_register || !(next->types->flags & OG_VECTOR_CARRY_IN))
        return WANTED_LATER;
      wanted = WANTED_SOON;
    }
    if (next->types->flags & OG_VECTOR_CARRY_OUT && next->does->d2 == item->does->d2)
      return wanted;
    in_register &= !(next->types->flags & OG_VECTOR_CARRY_OUT);
  }
  return WANTED_LATER;
}

uint32_t og_mask_read(const struct og_item *item) {
  return item->types->flags & OG_VECTOR_CARRY_IN                                                ? item->does->s[2]
         : item->row->steps[0].what == DIVIDE_FMAS || item->row->steps[0].what == DIVIDE_FMAS_D ? OG_AT_S(OG_S_VCC)
                                                                                                : OG_NO_CARRY;
}

bool og_carry_is_wanted(const struct og_unit *unit, const struct og_item *item) {
  return carry_wanted(unit, item) != WANTED_NOT;
}

static void emit_steps(struct og_unit *unit, const struct og_item *item, enum wanted wanted) {
  memset(unit->known, 0, sizeof unit->known);
  for (const struct step *step = NULL; (step = next_step(item->row, step));) {
    uint32_t distance;
    bool to_carry = step->to == CO;
    if (fold(unit, item, step) || (to_carry && wanted == WANTED_NOT))
      continue;
    if (is_shift(step) && constant_of(unit, item, step->second, &distance))
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
    emit_steps(unit, item, WANTED_NOT);
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
  bool makes_carry = item->types->flags & OG_VECTOR_CARRY_OUT;
  enum wanted wanted = makes_carry ? carry_wanted(unit, item) : WANTED_NOT;
  if (item->modifiers && item->modifiers->packed) {
    emit_packed(unit, item);
    return;
  }
  prepare_sources(unit, item);
  if (item->types->flags & OG_VECTOR_CARRY_IN)
    load_carry(unit, item->does->s[2]);
  emit_steps(unit, item, wanted);
  if (item->row->steps[0].what == DIVIDE_SCALE ||
      item->row->steps[0].what == DIVIDE_SCALE_D) { /* its mask is where it belongs */
    unit->carry = unit->carry == item->does->d2 ? OG_NO_CARRY : unit->carry;
    return;
  }
  if (makes_carry)
    unit->carry = unit->code.wide && wanted != WANTED_NOT ? item->does->d2 : OG_NO_CARRY;
  if (wanted == WANTED_LATER)
    store_carry(unit, item->does->d2);
}
