/* halves.c - arithmetic on 16-bit floats, on registers of a strip: as numbers of 32 bits, which hold sums and products of halves
 * so exactly that rounding once more is right; a sum of a product is made odd first where it is not exact. For that and for
 * denormals the modes are to be the usual ones: to the nearest, nothing flushed. */
#include "tier/unit.h"

enum { CURRENT_ROUNDING = 4, NOT_EQUAL = 12 /* VCMPPS: false of NaNs */ };
enum {
  AND = OG_VEX(1, 1, 0, 0xdb),
  OR = OG_VEX(1, 1, 0, 0xeb),
  XOR = OG_VEX(1, 1, 0, 0xef),
  ADD = OG_VEX(1, 1, 0, 0xfe),
  EQUAL = OG_VEX(1, 1, 0, 0x76),
  ADD_F = OG_VEX(0, 1, 0, 0x58),
  SUB_F = OG_VEX(0, 1, 0, 0x5c),
  MUL_F = OG_VEX(0, 1, 0, 0x59),
  COMPARE_F = OG_VEX(0, 1, 0, 0xc2),
  SHIFT = OG_VEX(1, 1, 0, 0x72) /* by its digit */
};
enum digit { RIGHT = 2, ARITHMETIC = 4, LEFT = 6 };

static void vector(struct og_unit *unit, uint32_t instruction, unsigned to, unsigned first, unsigned second) {
  og_emit_vector(&unit->code, instruction, to, first, og_place_register(second), 0, false);
}
static void with_constant(struct og_unit *unit, uint32_t instruction, unsigned to, unsigned first, uint32_t value,
                          unsigned mask) {
  uint32_t row[16];
  for (unsigned i = 0; i < OG_COUNT(row); i++)
    row[i] = value;
  og_emit_vector(&unit->code, instruction, to, first, og_constant_row(&unit->code, row), mask, false);
}
static void shift(struct og_unit *unit, enum digit digit, unsigned to, unsigned from, unsigned distance) {
  vector(unit, SHIFT, digit, to, from);
  og_emit_byte(&unit->code, distance);
}

void og_emit_widen(struct og_unit *unit, unsigned to, unsigned from) {
  struct og_encoder *e = &unit->code;
  if (e->wide) { /* VPMOVDW */
    vector(unit, OG_VEX(2, 2, 0, 0x33), from, 0, to);
  } else { /* VEXTRACTI128 and VPACKUSDW */
    with_constant(unit, AND, to, from, 0xffff, 0);
    vector(unit, OG_VEX(1, 3, 0, 0x39), to, 0, OG_CO_LANES), og_emit_byte(e, 1);
    og_emit_vector_low(e, OG_VEX(1, 2, 0, 0x2b), to, to, og_place_register(OG_CO_LANES));
  }
  vector(unit, OG_VEX(1, 2, 0, 0x13), to, 0, to); /* VCVTPH2PS */
}

void og_emit_narrow(struct og_unit *unit, unsigned to, unsigned from) {
  vector(unit, OG_VEX(1, 3, 0, 0x1d), from, 0, to), og_emit_byte(&unit->code, CURRENT_ROUNDING); /* VCVTPS2PH */
  vector(unit, OG_VEX(1, 2, 0, 0x33), to, 0, to);                                               /* VPMOVZXWD */
}

/* What a sum of P0 and T2 in P1 lacks, which a float can hold: to CO_LANES. */
static void find_rest(struct og_unit *unit) {
  vector(unit, SUB_F, OG_P2, OG_P1, OG_P0);
  vector(unit, SUB_F, OG_CO_LANES, OG_P1, OG_P2);
  vector(unit, SUB_F, OG_CO_LANES, OG_P0, OG_CO_LANES);
  vector(unit, SUB_F, OG_P2, OG_T2, OG_P2);
  vector(unit, ADD_F, OG_CO_LANES, OG_CO_LANES, OG_P2);
}

void og_emit_half_fma(struct og_unit *unit, bool swaps, bool addend_first) {
  struct og_encoder *e = &unit->code;
  vector(unit, MUL_F, OG_P0, swaps ? OG_T1 : OG_T0, swaps ? OG_T0 : OG_T1);
  vector(unit, ADD_F, OG_P1, addend_first ? OG_T2 : OG_P0, addend_first ? OG_P0 : OG_T2);
  find_rest(unit);
  /* By one, away from zero where the rest has the sum's sign: inexact sums that are even alone. */
  vector(unit, XOR, OG_T1, OG_T1, OG_T1);
  vector(unit, XOR, OG_P2, OG_CO_LANES, OG_P1);
  shift(unit, ARITHMETIC, OG_P2, OG_P2, 31);
  with_constant(unit, OR, OG_P2, OG_P2, 1, 0);
  if (e->wide) {
    vector(unit, COMPARE_F, OG_K_TEMPORARY, OG_CO_LANES, OG_T1), og_emit_byte(e, NOT_EQUAL);
    with_constant(unit, OG_VEX(2, 2, 0, 0x27), OG_K_TEMPORARY, OG_P1, 1, OG_K_TEMPORARY); /* VPTESTNMD */
    og_emit_vector(e, ADD, OG_P1, OG_P1, og_place_register(OG_P2), OG_K_TEMPORARY, false);
  } else {
    vector(unit, COMPARE_F, OG_CO_LANES, OG_CO_LANES, OG_T1), og_emit_byte(e, NOT_EQUAL);
    with_constant(unit, AND, OG_T0, OG_P1, 1, 0);
    vector(unit, EQUAL, OG_T0, OG_T0, OG_T1);
    vector(unit, AND, OG_P2, OG_P2, OG_CO_LANES);
    vector(unit, AND, OG_P2, OG_P2, OG_T0);
    vector(unit, ADD, OG_P1, OG_P1, OG_P2);
  }
  og_emit_load(unit, OG_T0, og_place_register(OG_P1));
}

void og_emit_half_of(struct og_unit *unit, unsigned to, unsigned from, bool high, bool negated) {
  if (high)
    shift(unit, RIGHT, to, from, 16);
  else
    with_constant(unit, AND, to, from, 0xffff, 0);
  if (negated)
    with_constant(unit, XOR, to, to, 0x8000, 0);
}

/* The low half waits in the frame. */
static struct og_place waiting(void) { return og_place_memory(OG_RSP, -1, OG_FRAME_ROWS); }

void og_emit_low_half(struct og_unit *unit) { og_emit_store(unit, waiting(), OG_T0); }
void og_emit_join_halves(struct og_unit *unit) {
  shift(unit, LEFT, OG_T0, OG_T0, 16);
  og_emit_vector(&unit->code, OR, OG_T0, OG_T0, waiting(), 0, false);
}
