/* nans.c - which NaN is the result of float arithmetic on several NaNs. The host prefers one operand, and the compiler
 * that built the interpreter's handlers was free to exchange those of sums and products. So each handler is tested with
 * distinguishable NaNs, and compiled code uses its operand order. */
#include "tier/rows.h"

#include <string.h>

/* A NaN and 1 as sources are; of doubles, their upper halves: a NaN's lower half tells which it is. */
struct kind {
  uint32_t nan, one, mask;
};
static const struct kind floats = {0x7fc00001, 0x3f800000, UINT32_MAX}, halves = {0x7e01, 0x3c00, 0xffff},
                         doubles = {0x7ff80000, 0x3ff00000, UINT32_MAX};
enum { ROW_OF_RESULT = 6 /* sources have two each */ };

/* Which of two sources it is, in all lanes; -1: neither. */
static int winner(struct og_unit *unit, const struct og_item *item, og_handler *handler, unsigned a, unsigned b) {
  struct og_wave *wave = unit->scratch;
  struct og_operation op = *item->does;
  bool reads_result = item->types->flags & OG_VECTOR_READS_D, wide = item->types->result == OG_AS_F64;
  const struct kind *kind = wide ? &doubles : item->types->result == OG_AS_F16 ? &halves : &floats;
  for (unsigned i = 0; i < 3; i++) {
    bool nan = i == a || i == b;
    uint32_t row = i == 2 && reads_result ? ROW_OF_RESULT : 2 * i, top = nan ? kind->nan + (wide ? 0 : i) : kind->one;
    uint32_t low = wide ? (nan ? 1 + i : 0) : top;
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      wave->v[row][lane] = low, wave->v[row + 1][lane] = top;
    bool vector = handler == unit->program->variant->handlers[item->types - og_vector_rows].all_vector ||
                  og_is_vector_place(op.s[i]);
    op.s[i] = vector ? OG_AT_V(row) : OG_AT_S(OG_S_ZERO);
    op.constant[i] = vector ? 0 : wide ? (uint64_t)top << 32 | low : low;
  }
  op.d = OG_AT_V(ROW_OF_RESULT);
  handler(wave, &op);
  const uint32_t *result = wave->v[ROW_OF_RESULT];
  for (unsigned lane = 1; lane < OG_LANES; lane++)
    if ((result[lane] ^ result[0]) & kind->mask)
      return -1;
  uint32_t which = (result[0] & kind->mask) - (wide ? 1 : kind->nan);
  return which == a || which == b ? (int)which : -1;
}

static bool find_order(struct og_unit *unit, struct og_item *item, og_handler *handler) {
  bool product = false, sum = false, fused = false, difference = false, reversed = false;
  for (const struct step *step = item->row->steps; step < item->row->steps + STEPS_MOST; step++) {
    product |= step->what == MUL_F, sum |= step->what == ADD_F,
        fused |= step->what == FMA_F || step->what == DIVIDE_FMAS;
    product |= step->what == MUL_D, sum |= step->what == ADD_D,
        fused |= step->what == FMA_D || step->what == DIVIDE_FMAS_D;
    difference |= step->what == SUB_F, reversed |= step->what == SUB_F && step->first == S1;
    reversed |= step->what == WIDEN && step->to == T0 && step->second == S1;
  }
  if (!product && !sum && !fused && !difference)
    return true;
  int first = winner(unit, item, handler, 0, 1);
  if (first < 0 || (difference && first != reversed))
    return false;
  item->swaps = item->addend_first = first == 1; /* the latter of sums of halves, which are of T0 and T1 */
  if (!fused && !(product && sum))
    return true;
  int of_0 = winner(unit, item, handler, 0, 2), of_1 = winner(unit, item, handler, 1, 2);
  item->addend_first = of_0 == 2;
  return (of_0 == 0 && of_1 == 1) || (of_0 == 2 && of_1 == 2 && !fused);
}

/* Whether the host's three forms of a fused product prefer the same of several NaNs. */
#if defined __x86_64__
__attribute__((target("fma"))) bool og_fma_forms_agree(void) {
  for (unsigned nans = 1; nans < 8; nans++) {
    float value[3], forms[3];
    for (unsigned i = 0; i < 3; i++) {
      uint32_t bits = nans >> i & 1 ? floats.nan + i : floats.one;
      memcpy(&value[i], &bits, sizeof bits);
    }
    forms[0] = value[2], forms[1] = value[0], forms[2] = value[1];
    __asm__("vfmadd231ss %2, %1, %0" : "+x"(forms[0]) : "x"(value[0]), "x"(value[1]));
    __asm__("vfmadd132ss %2, %1, %0" : "+x"(forms[1]) : "x"(value[2]), "x"(value[1]));
    __asm__("vfmadd213ss %2, %1, %0" : "+x"(forms[2]) : "x"(value[0]), "x"(value[2]));
    if (memcmp(&forms[0], &forms[1], sizeof forms[0]) != 0 || memcmp(&forms[0], &forms[2], sizeof forms[0]) != 0)
      return false;
  }
  return true;
}
#else
bool og_fma_forms_agree(void) { return false; }
#endif

/* Which of a row's handlers it is. */
static unsigned shape_of(const struct og_vector_handlers *handlers, og_handler *handler) {
  return handler == handlers->scalar_0 ? 1 : handler == handlers->scalar_1 ? 2 : handler == handlers->scalar_2 ? 3 : 0;
}

bool og_find_nan_order(struct og_unit *unit, struct og_item *item, og_handler *handler) {
  size_t row = (size_t)(item->types - og_vector_rows);
  struct og_nan_order *order =
      &unit->nan_orders[OG_SHAPES * row + shape_of(&unit->program->variant->handlers[row], handler)];
  if (!order->asked) {
    order->asked = true;
    order->known = find_order(unit, item, handler);
    order->swaps = item->swaps, order->addend_first = item->addend_first;
  }
  item->swaps = order->swaps, item->addend_first = order->addend_first;
  return order->known;
}
