/* outstanding.c - one memory operation between its issue and its end. */
#include "isa/outstanding.h"
#include "isa/matrix.h"

#include <stdio.h>

/* ---- registers --------------------------------------------------------------------------------------------------- */

static struct og_touch touch_of(const struct og_use *use, bool writes, bool kept, bool held) {
  static const uint16_t bases[] = {[OG_OPERAND_VGPR] = OG_PLACE_VGPR, [OG_OPERAND_AGPR] = OG_PLACE_AGPR,
                                   [OG_OPERAND_SGPR] = OG_PLACE_SGPR, [OG_OPERAND_TTMP] = OG_PLACE_TTMP,
                                   [OG_OPERAND_SPECIAL] = OG_PLACE_SPECIAL};
  return (struct og_touch){
      (uint16_t)(bases[use->kind] + use->reg), use->dwords, use->bytes, writes, kept, held, OG_AS_RESULT};
}

static bool is_result(const struct og_effects *effects, const struct og_use *read) {
  for (unsigned i = 0; i < effects->write_count; i++)
    if (read->operand >= 0 && effects->writes[i].operand == read->operand)
      return true;
  return false;
}

/* How a source is read. Sparse matrices are added to their result and have an index as another source. */
static uint8_t read_as(const struct og_inst *inst, const struct og_use *read, bool result, enum og_matrix_kind kind) {
  bool sparse = kind == OG_MATRIX_SMFMAC || kind == OG_MATRIX_SWMMAC;
  if (read->operand < 0)
    return OG_AS_UNSEEN;
  switch ((enum og_role)inst->operands[read->operand].role) {
  case OG_ROLE_SRC0: return OG_AS_SRC0;
  case OG_ROLE_SRC1: return OG_AS_SRC1;
  case OG_ROLE_SRC2: return sparse ? OG_AS_OTHER : OG_AS_SRC2;
  case OG_ROLE_VDATA: return OG_AS_DATA;
  default: return sparse && result ? OG_AS_SRC2 : OG_AS_OTHER;
  }
}

unsigned og_inst_touches(const struct og_isa *isa, const struct og_inst *inst, const struct og_effects *effects,
                         const struct og_transfer *transfer, struct og_touch touches[OG_TOUCHES_MOST]) {
  const struct og_form *form = og_form(isa, inst->form);
  bool load = og_form_memory(form)->access == OG_MOVES_LOAD;
  enum og_matrix_kind kind = og_form_matrix(form)->kind;
  unsigned count = 0;
  for (unsigned i = 0; i < effects->read_count; i++) {
    bool held = false;
    for (unsigned k = 0; k < transfer->count; k++)
      held |= transfer->raised[k].holds == OG_HOLDS_SOURCES &&
              og_holds_source(inst, &effects->reads[i], transfer->raised[k].counter);
    bool result = is_result(effects, &effects->reads[i]);
    touches[count] = touch_of(&effects->reads[i], false, load && result, held);
    touches[count++].as = read_as(inst, &effects->reads[i], result, kind);
  }
  for (unsigned i = 0; i < effects->write_count; i++) {
    touches[count] = touch_of(&effects->writes[i], true, false, false);
    touches[count++].as |= effects->writes[i].operand >= 0 ? OG_AS_NAMED : 0;
  }
  return count;
}

void og_place_name(unsigned place, char name[16]) {
  static const char *const specials[] = {"vcc", "vcc_hi", "exec", "exec_hi", "m0"};
  unsigned special = place - OG_PLACE_SPECIAL;
  if (place < OG_PLACE_AGPR)
    snprintf(name, 16, "v%u", place - OG_PLACE_VGPR);
  else if (place < OG_PLACE_SGPR)
    snprintf(name, 16, "a%u", place - OG_PLACE_AGPR);
  else if (place < OG_PLACE_TTMP)
    snprintf(name, 16, "s%u", place - OG_PLACE_SGPR);
  else if (place < OG_PLACE_SPECIAL)
    snprintf(name, 16, "ttmp%u", place - OG_PLACE_TTMP);
  else
    snprintf(name, 16, "%s", special < OG_COUNT(specials) ? specials[special] : "a register");
}

/* ---- what ends an operation -------------------------------------------------------------------------------------- */

static unsigned holding(const struct og_transfer *transfer, enum og_holds holds) {
  unsigned mask = 0;
  for (unsigned i = 0; i < transfer->count; i++)
    mask |= (unsigned)(transfer->raised[i].holds == holds) << i;
  return mask;
}

/* Once results have arrived, sources have been read; before that only the sources' counter tells. */
static bool settle(const struct og_transfer *transfer, struct og_pending *pending) {
  unsigned results = holding(transfer, OG_HOLDS_RESULTS);
  if (results && !(pending->pending & results))
    pending->pending = 0;
  return pending->pending != 0;
}

static bool is_x(const struct og_raised *raised) { return 1u << raised->counter == OG_COUNTER_X; }

/* Vector memory translates addresses in order, so all addresses before an operation with results have been
 * translated. */
static bool later_one_ended(const struct og_pending *pending, const uint8_t limits[OG_COUNTERS]) {
  return limits[__builtin_ctz(OG_COUNTER_LOAD)] < pending->loads ||
         limits[__builtin_ctz(OG_COUNTER_STORE)] < pending->stores;
}

bool og_pending_wait(const struct og_transfer *transfer, struct og_pending *pending,
                     const uint8_t limits[OG_COUNTERS]) {
  for (unsigned i = 0; i < transfer->count; i++)
    if (limits[transfer->raised[i].counter] <= pending->behind[i] ||
        (is_x(&transfer->raised[i]) && later_one_ended(pending, limits)))
      pending->pending &= (uint8_t)~(1u << i);
  return settle(transfer, pending);
}

bool og_pending_translated(const struct og_transfer *transfer, struct og_pending *pending, uint8_t limit) {
  for (unsigned i = 0; i < transfer->count; i++)
    if (is_x(&transfer->raised[i]) && limit <= pending->behind[i])
      pending->pending &= (uint8_t)~(1u << i);
  return settle(transfer, pending);
}

static void count_translated(struct og_pending *pending, const struct og_transfer *issued) {
  for (unsigned i = 0; i < issued->count; i++) {
    unsigned counter = 1u << issued->raised[i].counter;
    pending->loads = (uint8_t)(pending->loads + (counter == OG_COUNTER_LOAD && pending->loads < OG_NO_LIMIT));
    pending->stores = (uint8_t)(pending->stores + (counter == OG_COUNTER_STORE && pending->stores < OG_NO_LIMIT));
  }
}

/* One more operation was issued. Operations beyond a counter's capacity have ended. Scalar and vector memory
 * never translate addresses at the same time: hardware waits (gfx1250). */
bool og_pending_behind(const struct og_transfer *transfer, struct og_pending *pending, const uint8_t most[OG_COUNTERS],
                       const struct og_transfer *issued) {
  for (unsigned i = 0; i < transfer->count; i++)
    for (unsigned j = 0; j < issued->count && pending->pending >> i & 1; j++) {
      const struct og_raised *mine = &transfer->raised[i], *its = &issued->raised[j];
      if (mine->counter != its->counter)
        continue;
      if (mine->order && mine->order == its->order && pending->behind[i] < OG_NO_LIMIT)
        pending->behind[i]++;
      if (pending->behind[i] >= most[mine->counter] || (is_x(mine) && mine->order != its->order))
        pending->pending &= (uint8_t)~(1u << i);
      if (is_x(mine))
        count_translated(pending, issued);
    }
  return settle(transfer, pending);
}

bool og_pending_fills(const struct og_transfer *transfer, const struct og_pending *pending) {
  return pending->pending & holding(transfer, OG_HOLDS_RESULTS);
}

/* ---- clashes ----------------------------------------------------------------------------------------------------- */

static bool overlap(const struct og_touch *a, const struct og_touch *b, uint16_t *place) {
  *place = OG_MAX(a->first, b->first);
  return a->bytes & b->bytes && *place < a->first + a->count && *place < b->first + b->count;
}

/* Whether both translate addresses, which happens in order: a result comes after its translation. */
static bool translated_in_order(const struct og_transfer *first, const struct og_transfer *second) {
  for (unsigned i = 0; i < first->count; i++)
    for (unsigned j = 0; j < second->count; j++)
      if (is_x(&first->raised[i]) && first->raised[i].counter == second->raised[j].counter &&
          first->raised[i].order && first->raised[i].order == second->raised[j].order)
        return true;
  return false;
}

enum og_clash_kind og_pending_clash(const struct og_isa *isa, const struct og_transfer *transfer,
                                    const struct og_pending *pending, const struct og_touch *held, unsigned held_count,
                                    const struct og_transfer *issued, const struct og_touch *touch, uint16_t *place) {
  bool results = og_pending_fills(transfer, pending);
  bool sources = pending->pending & holding(transfer, OG_HOLDS_SOURCES);
  for (unsigned i = 0; i < held_count; i++) {
    const struct og_touch *its = &held[i];
    if (its->writes && results && overlap(its, touch, place) &&
        !((touch->writes || touch->kept) && og_fills_in_order(isa, transfer, pending->pending, issued)))
      return touch->writes ? OG_CLASH_WRITE : OG_CLASH_READ;
    if (its->held && sources && touch->writes && overlap(its, touch, place) && !translated_in_order(transfer, issued))
      return OG_CLASH_SOURCE;
  }
  return OG_CLASH_NONE;
}

static bool refills(const struct og_touch *held, unsigned held_count, const struct og_touch *touches, unsigned count) {
  uint16_t place;
  for (unsigned i = 0; i < held_count; i++)
    for (unsigned j = 0; held[i].held && j < count; j++)
      if (touches[j].writes && overlap(&held[i], &touches[j], &place))
        return true;
  return false;
}

/* A load into registers that an earlier vector memory operation has yet to read comes after that operation's
 * translation. From there on LLVM takes the translation as ended, as if the load waited for it when issued. */
uint8_t og_pending_implies(const struct og_transfer *transfer, const struct og_pending *pending,
                           const struct og_touch *held, unsigned held_count, const struct og_transfer *issued,
                           const struct og_touch *touches, unsigned count) {
  for (unsigned k = 0; k < transfer->count; k++)
    if (pending->pending >> k & 1 && is_x(&transfer->raised[k]) && translated_in_order(transfer, issued) &&
        refills(held, held_count, touches, count))
      return pending->behind[k];
  return OG_NO_LIMIT;
}
