/* nans.c - whose NaN comes through float arithmetic where several sources are NaNs. The host lets one operand go before the
 * other, and the compiler that made the interpreter's handlers was free to exchange those of sums and products. So the handler
 * is asked, with NaNs that tell where they come from, and code has its operands in that order. */
#include "tier/rows.h"

enum { ROW_OF_RESULT = 3, NAN_OF = 0x7fc00001, ONE = 0x3f800000, HALF_NAN_OF = 0x7e01, HALF_ONE = 0x3c00 };

/* Which of two sources it is, in all lanes; -1: neither. */
static int winner(struct og_unit *unit, const struct og_item *item, og_handler *handler, unsigned a, unsigned b) {
  struct og_wave *wave = unit->scratch;
  struct og_operation op = *item->does;
  bool reads_result = item->types->flags & OG_VECTOR_READS_D, halves = item->types->result == OG_AS_F16;
  uint32_t nan_of = halves ? HALF_NAN_OF : NAN_OF, one = halves ? HALF_ONE : ONE, mask = halves ? 0xffff : UINT32_MAX;
  for (unsigned i = 0; i < 3; i++) {
    uint32_t value = i == a || i == b ? nan_of + i : one, row = i == 2 && reads_result ? ROW_OF_RESULT : i;
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      wave->v[row][lane] = value;
    bool vector = handler == unit->program->variant->handlers[item->types - og_vector_rows].all_vector || og_is_vector_place(op.s[i]);
    op.s[i] = vector ? OG_AT_V(i) : OG_AT_S(OG_S_ZERO);
    op.constant[i] = vector ? 0 : value;
  }
  op.d = OG_AT_V(ROW_OF_RESULT);
  handler(wave, &op);
  const uint32_t *result = wave->v[ROW_OF_RESULT];
  for (unsigned lane = 1; lane < OG_LANES; lane++)
    if ((result[lane] ^ result[0]) & mask)
      return -1;
  uint32_t which = (result[0] & mask) - nan_of;
  return which == a || which == b ? (int)which : -1;
}

static bool find_order(struct og_unit *unit, struct og_item *item, og_handler *handler) {
  bool product = false, sum = false, fused = false, difference = false, reversed = false;
  for (const struct step *step = item->row->steps; step < item->row->steps + STEPS_MOST; step++) {
    product |= step->what == MUL_F, sum |= step->what == ADD_F, fused |= step->what == FMA_F;
    product |= step->what == FMA_HALF, sum |= step->what == FMA_HALF;
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

/* Which of a row's handlers it is. */
static unsigned shape_of(const struct og_vector_handlers *handlers, og_handler *handler) {
  return handler == handlers->scalar_0 ? 1 : handler == handlers->scalar_1 ? 2 : handler == handlers->scalar_2 ? 3 : 0;
}

bool og_find_nan_order(struct og_unit *unit, struct og_item *item, og_handler *handler) {
  size_t row = (size_t)(item->types - og_vector_rows);
  struct og_nan_order *order = &unit->nan_orders[OG_SHAPES * row + shape_of(&unit->program->variant->handlers[row], handler)];
  if (!order->asked) {
    order->asked = true;
    order->known = find_order(unit, item, handler);
    order->swaps = item->swaps, order->addend_first = item->addend_first;
  }
  item->swaps = order->swaps, item->addend_first = order->addend_first;
  return order->known;
}
