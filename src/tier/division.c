/* division.c - the steps of a division of 32-bit floats that take care of what Newton's steps cannot do. Where a strip's lanes
 * are plain, which is nearly always, nothing needs care; the handler does a strip in which one is not.
 *
 * Plain are numerators of exponents 24 to 254, or zeros, and denominators of 1 to 252 whose exponents are -125 to 95 apart:
 * neither is NaN, infinite or denormal, neither 1 / denominator nor the quotient is denormal, and nothing is scaled. */
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

bool og_is_division(const struct og_item *item) {
  return item->kind != OG_ITEM_MEMORY && item->row && item->row->steps[0].what >= DIVIDE_SCALE &&
         item->row->steps[0].what <= DIVIDE_FIXUP;
}

/* The handler does its strip under an EXEC that is cut down to it. */
static bool reads_exec(const struct og_operation *op) {
  for (int i = 0; i < 3; i++)
    if (op->s[i] - OG_AT_S(OG_S_EXEC) < 8)
      return true;
  return false;
}

bool og_recognize_division(struct og_unit *unit, const struct og_item *item) {
  const struct og_operation *op = item->does;
  unsigned what = item->row->steps[0].what;
  bool scales_one = op->s[0] == op->s[1] || op->s[0] == op->s[2];
  unit->keyed = true;
  return !item->modifiers && !reads_exec(op) && (unit->mode & OG_MODE_DENORM_32) == OG_MODE_DENORM_32 &&
         (what != DIVIDE_SCALE || (scales_one && op->s[0] != OG_AT_S(OG_S_ZERO)));
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
    og_emit_vector(e, OG_VEX(2, 2, 0, 0x27), OG_K_TEMPORARY, lanes, og_constant_lanes(e, 1u << 31), unit->masked ? OG_K_EXEC : 0, false);
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

/* The jump where an active lane is not plain; all temporary registers but OG_P1 and OG_P2 are spent. */
static uint32_t jump_unless_plain(struct og_unit *unit, unsigned numerator, unsigned denominator) {
  enum { N = OG_T0, SPARE = OG_T1, HIGH = OG_T2, APART = OG_CO_LANES, LOW = OG_P0 };
  find_zeros(unit, SPARE, numerator);
  og_emit_with_constant(unit, AND_I, SPARE, SPARE, 127); /* as if they were near 1 */
  og_emit_with_constant(unit, AND_I, N, numerator, INT32_MAX);
  og_emit_shift(unit, OG_SHIFT_RIGHT, N, N, 23);
  og_emit_registers(unit, OR_I, N, N, SPARE);
  og_emit_with_constant(unit, AND_I, HIGH, denominator, INT32_MAX);
  og_emit_shift(unit, OG_SHIFT_RIGHT, HIGH, HIGH, 23);
  og_emit_registers(unit, SUB_I, APART, N, HIGH);
  og_emit_with_constant(unit, ADD_I, LOW, HIGH, (uint32_t)-253); /* negative where it is not too large */
  og_emit_with_constant(unit, ADD_I, HIGH, HIGH, (uint32_t)-1);  /* not so where it is large enough */
  og_emit_with_constant(unit, ADD_I, SPARE, N, (uint32_t)-255);
  og_emit_registers(unit, AND_I, LOW, LOW, SPARE);
  og_emit_with_constant(unit, ADD_I, N, N, (uint32_t)-24);
  og_emit_registers(unit, OR_I, HIGH, HIGH, N);
  og_emit_with_constant(unit, ADD_I, SPARE, APART, (uint32_t)-96);
  og_emit_registers(unit, AND_I, LOW, LOW, SPARE);
  og_emit_with_constant(unit, ADD_I, APART, APART, 125);
  og_emit_registers(unit, OR_I, HIGH, HIGH, APART);
  og_emit_registers(unit, ANDN_I, HIGH, HIGH, LOW);
  return jump_unless_negative(unit, HIGH);
}

static void set_result(struct og_unit *unit, const struct og_item *item, unsigned from) {
  struct og_result result = og_result_of(unit, item, D);
  if (result.reg != from)
    og_emit_vector(&unit->code, OG_VEX(0, 1, 0, 0x10), result.reg, 0, og_place_register(from), result.mask, false);
  og_finish_result(unit, &result);
}

/* Nothing is scaled, and nothing is to be scaled back; of zeros comes a NaN. */
static void emit_scale(struct og_unit *unit, const struct og_item *item, unsigned numerator, unsigned denominator) {
  struct og_encoder *e = &unit->code;
  unsigned scaled = item->does->s[0] == item->does->s[1] ? denominator : numerator;
  find_zeros(unit, OG_T1, numerator);
  og_emit_registers(unit, ANDN_I, OG_T0, OG_T1, scaled);
  og_emit_with_constant(unit, AND_I, OG_T1, OG_T1, 0xffc00000);
  og_emit_registers(unit, OR_I, OG_T0, OG_T0, OG_T1);
  set_result(unit, item, OG_T0);
  og_emit_general(e, false, 0x33, OG_RAX, og_place_register(OG_RAX));
  if (e->wide)
    og_emit_byte(e, 0x66); /* a word */
  og_emit_general(e, false, e->wide ? 0x89 : 0x88, OG_RAX, og_mask_place(unit, item->does->d2));
}

/* The quotient with the sign that it must have; of a zero, zero. */
static void emit_fixup(struct og_unit *unit, const struct og_item *item, unsigned numerator, unsigned denominator) {
  unsigned quotient = og_register_of(unit, item, S0, OG_P0);
  find_zeros(unit, OG_T1, numerator);
  og_emit_with_constant(unit, AND_I, OG_T0, quotient, INT32_MAX);
  og_emit_registers(unit, ANDN_I, OG_T0, OG_T1, OG_T0);
  og_emit_registers(unit, XOR_I, OG_T1, numerator, denominator);
  og_emit_with_constant(unit, AND_I, OG_T1, OG_T1, 1u << 31);
  og_emit_registers(unit, OR_I, OG_T0, OG_T0, OG_T1);
  set_result(unit, item, OG_T0);
}

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
  } else {
    unsigned denominator = og_register_of(unit, item, step->first, OG_P1);
    unsigned numerator = og_register_of(unit, item, step->second, OG_P2);
    slow = jump_unless_plain(unit, numerator, denominator);
    (step->what == DIVIDE_SCALE ? emit_scale : emit_fixup)(unit, item, numerator, denominator);
  }
  uint32_t done = og_emit_jump(e, 0);
  og_emit_land(e, slow);
  og_emit_strip_call(unit, item);
  og_emit_land(e, done);
}
