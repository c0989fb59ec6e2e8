/* division.c - the steps of a float division that handle cases beyond Newton's steps. If all lanes of a strip are
 * plain, which is nearly always so, there are none; the handler executes any other strip.
 *
 * Plain are numerators of exponents 24 to 254, or zeros, and denominators of 1 to 252 whose exponents are -125 to 95
 * apart (doubles: 54 to 2046, 1 to 2044, -1021 to 767): neither is NaN, infinite or denormal, neither 1 / denominator
 * nor the quotient is denormal, and nothing is scaled. Of doubles the upper dwords tell all but whether they are
 * zeros. */
#include "tier/rows.h"

#include "exec/exec.h"

enum {
  AND_I = OG_VEX(1, 1, 0, 0xdb),
  ANDN_I = OG_VEX(1, 1, 0, 0xdf),
  OR_I = OG_VEX(1, 1, 0, 0xeb),
  XOR_I = OG_VEX(1, 1, 0, 0xef),
  ADD_I = OG_VEX(1, 1, 0, 0xfe),
  SUB_I = OG_VEX(1, 1, 0, 0xfa)
};

static const struct limits {
  unsigned mantissa, one; /* bits of it in the dword that has the exponent; the exponent of 1 */
  unsigned least, beyond, denominator_beyond, apart_beyond, apart_least; /* the last: how much less */
} floats = {23, 127, 24, 255, 253, 96, 125}, doubles = {20, 1023, 54, 2047, 2045, 768, 1021};

bool og_is_division(const struct og_item *item) {
  return item->kind != OG_ITEM_MEMORY && item->row && item->row->steps[0].what >= DIVIDE_SCALE &&
         item->row->steps[0].what <= DIVIDE_FIXUP_D;
}
static bool is_double(const struct og_item *item) { return item->row->steps[0].what >= DIVIDE_SCALE_D; }

/* The handler does its strip under an EXEC that is cut down to it. */
static bool reads_exec(const struct og_operation *op) {
  for (int i = 0; i < 3; i++)
    if (op->s[i] - OG_AT_S(OG_S_EXEC) < 8)
      return true;
  return false;
}

/* Whether two sources are the same number. */
static bool is_same(const struct og_item *item, unsigned a, unsigned b) {
  const struct og_operation *op = item->does;
  const struct og_modifiers *m = item->modifiers;
  return op->s[a] == op->s[b] && (op->s[a] != OG_AT_S(OG_S_ZERO) || op->constant[a] == op->constant[b]) &&
         (!m || (m->flags[a] == m->flags[b] && m->select[a] == m->select[b]));
}

bool og_recognize_division(struct og_unit *unit, const struct og_item *item) {
  unsigned what = item->row->steps[0].what;
  uint32_t needed = OG_MODE_DENORM_32 | (is_double(item) ? OG_MODE_DENORM_16_64 : 0);
  unit->keyed = true;
  return !reads_exec(item->does) && (unit->mode & needed) == needed &&
         ((what != DIVIDE_SCALE && what != DIVIDE_SCALE_D) || is_same(item, 0, 1) || is_same(item, 0, 2));
}

/* All ones where the number is 0. */
static void find_zeros(struct og_unit *unit, unsigned to, unsigned number) {
  og_emit_with_constant(unit, AND_I, to, number, INT32_MAX);
  og_emit_with_constant(unit, ADD_I, to, to, UINT32_MAX);
  og_emit_shift(unit, OG_SHIFT_ARITHMETIC, to, to, 31);
}

/* The jump where an active lane has no sign. */
static uint32_t jump_unless_negative(struct og_unit *unit, unsigned lanes) {
  struct og_encoder *e = &unit->code;
  struct og_place in_rax = og_place_register(OG_RAX);
  if (e->wide) { /* VPTESTNMD, KORTESTW */
    og_emit_vector(e, OG_VEX(2, 2, 0, 0x27), OG_K_TEMPORARY, lanes, og_constant_lanes(e, 1u << 31),
                   unit->masked ? OG_K_EXEC : 0, false);
    og_emit_k(unit, 0x98, OG_K_TEMPORARY, 0, og_place_register(OG_K_TEMPORARY), false);
    return og_emit_jump(e, 0x85);
  }
  if (unit->masked) { /* active, and no sign: none */
    og_emit_registers(unit, ANDN_I, lanes, lanes, OG_EXEC_LANES);
    og_emit_vector(e, OG_VEX(0, 1, 0, 0x50), OG_RAX, 0, og_place_register(lanes), 0, false);
    og_emit_general(e, false, 0x85, OG_RAX, in_rax);
    return og_emit_jump(e, 0x85);
  }
  og_emit_vector(e, OG_VEX(0, 1, 0, 0x50), OG_RAX, 0, og_place_register(lanes), 0, false);
  og_emit_immediate(e, false, 7, in_rax, 0xff);
  return og_emit_jump(e, 0x85);
}

/* The jump where an active lane is not plain, T1 having the zeros; of the temporary registers P1 and P2 are left. */
static uint32_t jump_unless_plain(struct og_unit *unit, const struct limits *limits, unsigned numerator,
                                  unsigned denominator) {
  enum { N = OG_T0, ZEROS = OG_T1, SPARE = OG_T1, HIGH = OG_T2, APART = OG_CO_LANES, LOW = OG_P0 };
  og_emit_with_constant(unit, AND_I, SPARE, ZEROS, limits->one); /* as if they were near 1 */
  og_emit_with_constant(unit, AND_I, N, numerator, INT32_MAX);
  og_emit_shift(unit, OG_SHIFT_RIGHT, N, N, limits->mantissa);
  og_emit_registers(unit, OR_I, N, N, SPARE);
  og_emit_with_constant(unit, AND_I, HIGH, denominator, INT32_MAX);
  og_emit_shift(unit, OG_SHIFT_RIGHT, HIGH, HIGH, limits->mantissa);
  og_emit_registers(unit, SUB_I, APART, N, HIGH);
  og_emit_with_constant(unit, ADD_I, LOW, HIGH, -limits->denominator_beyond); /* negative where it is not too large */
  og_emit_with_constant(unit, ADD_I, HIGH, HIGH, (uint32_t)-1);  /* not so where it is large enough */
  og_emit_with_constant(unit, ADD_I, SPARE, N, -limits->beyond);
  og_emit_registers(unit, AND_I, LOW, LOW, SPARE);
  og_emit_with_constant(unit, ADD_I, N, N, -limits->least);
  og_emit_registers(unit, OR_I, HIGH, HIGH, N);
  og_emit_with_constant(unit, ADD_I, SPARE, APART, -limits->apart_beyond);
  og_emit_registers(unit, AND_I, LOW, LOW, SPARE);
  og_emit_with_constant(unit, ADD_I, APART, APART, limits->apart_least);
  og_emit_registers(unit, OR_I, HIGH, HIGH, APART);
  og_emit_registers(unit, ANDN_I, HIGH, HIGH, LOW);
  return jump_unless_negative(unit, HIGH);
}

static void set_result(struct og_unit *unit, const struct og_item *item, enum operand to, unsigned from) {
  struct og_result result = og_result_of(unit, item, to);
  if (result.reg != from)
    og_emit_vector(&unit->code, OG_VEX(0, 1, 0, 0x10), result.reg, 0, og_place_register(from), result.mask, false);
  og_finish_result(unit, &result);
}

/* No lane's result is to be scaled back. */
static void clear_mask(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  og_emit_general(e, false, 0x33, OG_RAX, og_place_register(OG_RAX));
  if (e->wide)
    og_emit_byte(e, 0x66); /* a word */
  og_emit_general(e, false, e->wide ? 0x89 : 0x88, OG_RAX, og_mask_place(unit, item->does->d2));
}

/* ---- of 32 bits -------------------------------------------------------------------------------------------------- */

/* Nothing is scaled; of zeros comes a NaN. */
static void emit_scale(struct og_unit *unit, const struct og_item *item, unsigned numerator, unsigned denominator) {
  unsigned scaled = is_same(item, 0, 1) ? denominator : numerator;
  find_zeros(unit, OG_T1, numerator);
  og_emit_registers(unit, ANDN_I, OG_T0, OG_T1, scaled);
  og_emit_with_constant(unit, AND_I, OG_T1, OG_T1, 0xffc00000);
  og_emit_registers(unit, OR_I, OG_T0, OG_T0, OG_T1);
  set_result(unit, item, D, OG_T0);
  clear_mask(unit, item);
}

/* The quotient with the sign that it must have, whatever modifiers say of its own; of a zero, zero. */
static void emit_fixup(struct og_unit *unit, const struct og_item *item, unsigned numerator, unsigned denominator) {
  unit->prepared[0] = false;
  unsigned quotient = og_register_of(unit, item, S0, OG_P0);
  find_zeros(unit, OG_T1, numerator);
  og_emit_with_constant(unit, AND_I, OG_T0, quotient, INT32_MAX);
  og_emit_registers(unit, ANDN_I, OG_T0, OG_T1, OG_T0);
  og_emit_registers(unit, XOR_I, OG_T1, numerator, denominator);
  og_emit_with_constant(unit, AND_I, OG_T1, OG_T1, 1u << 31);
  og_emit_registers(unit, OR_I, OG_T0, OG_T0, OG_T1);
  set_result(unit, item, D, OG_T0);
}

/* ---- of 64 bits -------------------------------------------------------------------------------------------------- */

/* One dword of a source, with its modifiers. */
static void load_dword(struct og_unit *unit, const struct og_item *item, unsigned source, bool high, unsigned to) {
  const struct og_operation *op = item->does;
  unsigned flags = high && item->modifiers ? item->modifiers->flags[source] : 0;
  if (og_is_vector_place(op->s[source])) {
    unsigned vgpr = og_vgpr_of(op->s[source]) + high;
    og_emit_load(unit, to, unit->host[vgpr] ? og_place_register(unit->host[vgpr]) : og_home(unit, vgpr));
  } else { /* VBROADCASTSS */
    struct og_place from = op->s[source] == OG_AT_S(OG_S_ZERO)
                               ? og_constant_place(&unit->code, (uint32_t)(op->constant[source] >> (32 * high)))
                               : og_in_wave(op->s[source] + 4 * high);
    og_emit_vector(&unit->code, OG_VEX(1, 2, 0, 0x18), to, 0, from, 0, false);
  }
  if (flags & OG_ABS)
    og_emit_with_constant(unit, AND_I, to, to, INT32_MAX);
  if (flags & OG_NEG)
    og_emit_with_constant(unit, XOR_I, to, to, 1u << 31);
}

/* All ones where the numerator is 0: its upper dword is in P2; T0 is spent. */
static void find_double_zeros(struct og_unit *unit, const struct og_item *item, unsigned to) {
  load_dword(unit, item, 2, false, OG_T0);
  og_emit_with_constant(unit, AND_I, to, OG_T0, 1);
  og_emit_shift(unit, OG_SHIFT_RIGHT, OG_T0, OG_T0, 1);
  og_emit_registers(unit, OR_I, to, to, OG_T0);
  og_emit_registers(unit, OR_I, to, to, OG_P2);
  find_zeros(unit, to, to);
}

static void emit_scale_double(struct og_unit *unit, const struct og_item *item) {
  unsigned source = is_same(item, 0, 1) ? 1 : 2;
  find_double_zeros(unit, item, OG_T2);
  load_dword(unit, item, source, false, OG_T0);
  og_emit_registers(unit, ANDN_I, OG_T0, OG_T2, OG_T0);
  og_emit_registers(unit, ANDN_I, OG_T1, OG_T2, source == 1 ? OG_P1 : OG_P2);
  og_emit_with_constant(unit, AND_I, OG_T2, OG_T2, 0xfff80000);
  og_emit_registers(unit, OR_I, OG_T1, OG_T1, OG_T2);
  set_result(unit, item, D, OG_T0);
  set_result(unit, item, DH, OG_T1);
  clear_mask(unit, item);
}

static void emit_fixup_double(struct og_unit *unit, const struct og_item *item) {
  find_double_zeros(unit, item, OG_T2);
  load_dword(unit, item, 0, true, OG_T1);
  og_emit_with_constant(unit, AND_I, OG_T1, OG_T1, INT32_MAX);
  og_emit_registers(unit, ANDN_I, OG_T1, OG_T2, OG_T1);
  og_emit_registers(unit, XOR_I, OG_P1, OG_P1, OG_P2);
  og_emit_with_constant(unit, AND_I, OG_P1, OG_P1, 1u << 31);
  og_emit_registers(unit, OR_I, OG_T1, OG_T1, OG_P1);
  load_dword(unit, item, 0, false, OG_T0);
  og_emit_registers(unit, ANDN_I, OG_T0, OG_T2, OG_T0);
  set_result(unit, item, D, OG_T0);
  set_result(unit, item, DH, OG_T1);
}

/* The jump where the handler has to do it. */
static uint32_t emit_doubles(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  load_dword(unit, item, 1, true, OG_P1);
  load_dword(unit, item, 2, true, OG_P2);
  find_double_zeros(unit, item, OG_T1);
  uint32_t slow = jump_unless_plain(unit, &doubles, OG_P2, OG_P1);
  (step->what == DIVIDE_SCALE_D ? emit_scale_double : emit_fixup_double)(unit, item);
  return slow;
}

/* ---- each of them ------------------------------------------------------------------------------------------------ */

/* The jump where a result of an active lane is to be scaled back. */
static uint32_t jump_if_asked(struct og_unit *unit) {
  struct og_encoder *e = &unit->code;
  unsigned movzx = e->wide ? 0x1b7 : 0x1b6;
  og_emit_general(e, false, movzx, OG_RAX, og_mask_place(unit, OG_AT_S(OG_S_VCC)));
  if (unit->masked) {
    og_emit_general(e, false, movzx, OG_RCX, og_mask_place(unit, OG_AT_S(OG_S_EXEC)));
    og_emit_general(e, false, 0x23, OG_RAX, og_place_register(OG_RCX));
  }
  og_emit_general(e, false, 0x85, OG_RAX, og_place_register(OG_RAX));
  return og_emit_jump(e, 0x85);
}

void og_emit_division(struct og_unit *unit, const struct og_item *item, const struct step *step) {
  struct og_encoder *e = &unit->code;
  uint32_t slow;
  if (step->what == DIVIDE_FMAS) {
    slow = jump_if_asked(unit);
    og_emit_fma(unit, item, step);
  } else if (step->what == DIVIDE_FMAS_D) {
    slow = jump_if_asked(unit);
    og_emit_double(unit, item, OG_VEX(1, 2, 1, 0xb8));
    set_result(unit, item, D, OG_T0);
    set_result(unit, item, DH, OG_T1);
  } else if (is_double(item)) {
    slow = emit_doubles(unit, item, step);
  } else {
    unsigned denominator = og_register_of(unit, item, step->first, OG_P1);
    unsigned numerator = og_register_of(unit, item, step->second, OG_P2);
    find_zeros(unit, OG_T1, numerator);
    slow = jump_unless_plain(unit, &floats, numerator, denominator);
    (step->what == DIVIDE_SCALE ? emit_scale : emit_fixup)(unit, item, numerator, denominator);
  }
  uint32_t done = og_emit_jump(e, 0);
  og_emit_land(e, slow);
  og_emit_strip_call(unit, item);
  og_emit_land(e, done);
}
