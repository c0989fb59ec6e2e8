/* halves.c - arithmetic on 16-bit floats, on registers of a strip: as numbers of 32 bits, which hold sums and products
 * of halves so exactly that rounding once more is right. For denormals the modes are to be the usual ones: to the
 * nearest, nothing flushed. Fused sums of products are faster in their handlers. */
#include "tier/unit.h"

enum { CURRENT_ROUNDING = 4 };
enum {
  AND = OG_VEX(1, 1, 0, 0xdb),
  OR = OG_VEX(1, 1, 0, 0xeb),
  XOR = OG_VEX(1, 1, 0, 0xef)
};

void og_emit_widen(struct og_unit *unit, unsigned to, unsigned from) {
  struct og_encoder *e = &unit->code;
  if (e->wide) { /* VPMOVDW */
    og_emit_registers(unit, OG_VEX(2, 2, 0, 0x33), from, 0, to);
  } else { /* VEXTRACTI128 and VPACKUSDW */
    og_emit_with_constant(unit, AND, to, from, 0xffff);
    og_emit_registers(unit, OG_VEX(1, 3, 0, 0x39), to, 0, OG_CO_LANES), og_emit_byte(e, 1);
    og_emit_vector_low(e, OG_VEX(1, 2, 0, 0x2b), to, to, og_place_register(OG_CO_LANES));
  }
  og_emit_registers(unit, OG_VEX(1, 2, 0, 0x13), to, 0, to); /* VCVTPH2PS */
}

void og_emit_narrow(struct og_unit *unit, unsigned to, unsigned from) {
  /* VCVTPS2PH */
  og_emit_registers(unit, OG_VEX(1, 3, 0, 0x1d), from, 0, to), og_emit_byte(&unit->code, CURRENT_ROUNDING);
  /* VPMOVZXWD */
  og_emit_registers(unit, OG_VEX(1, 2, 0, 0x33), to, 0, to);
}

void og_emit_half_of(struct og_unit *unit, unsigned to, unsigned from, bool high, bool negated) {
  if (high)
    og_emit_shift(unit, OG_SHIFT_RIGHT, to, from, 16);
  else
    og_emit_with_constant(unit, AND, to, from, 0xffff);
  if (negated)
    og_emit_with_constant(unit, XOR, to, to, 0x8000);
}

/* The low half waits in the frame. */
static struct og_place waiting(void) { return og_place_memory(OG_RSP, -1, OG_FRAME_ROWS); }

void og_emit_low_half(struct og_unit *unit) { og_emit_store(unit, waiting(), OG_T0); }
void og_emit_join_halves(struct og_unit *unit) {
  og_emit_shift(unit, OG_SHIFT_LEFT, OG_T0, OG_T0, 16);
  og_emit_vector(&unit->code, OR, OG_T0, OG_T0, waiting(), 0, false);
}
