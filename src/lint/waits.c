/* waits.c - data flow of outstanding memory operations over a function's blocks. Where paths join, an operation is
 * outstanding if it is so on one of them, and what is issued behind it is the least that any of them issues. */
#include "lint/waits.h"

#include <string.h>

/* ---- one operation ----------------------------------------------------------------------------------------------- */

const struct og_transfer *og_waits_transfer(const struct og_waits *waits, uint32_t op) {
  return op == waits->flow->steps.count ? &waits->caller : &waits->flow->steps.items[op].transfer;
}

struct og_pending og_waits_issued(const struct og_waits *waits, uint32_t op) {
  struct og_pending pending;
  og_pending_issued(&pending, og_waits_transfer(waits, op), op);
  pending.lanes = op == waits->flow->steps.count ? OG_LANES_UNKNOWN : OG_LANES_WITHIN;
  return pending;
}

static const struct og_touch *touches_of(const struct og_waits *waits, uint32_t step) {
  return &waits->flow->touches.items[waits->flow->steps.items[step].touch];
}

static bool wait_for(const struct og_waits *waits, struct og_pending *pending, uint32_t step) {
  struct og_limits limits = waits->flow->limits.items[waits->flow->steps.items[step].wait];
  if (waits->off_counter != OG_NO_COUNTER && waits->off_step == step)
    limits.most[waits->off_counter] = OG_NO_LIMIT;
  return og_pending_wait(og_waits_transfer(waits, pending->op), pending, limits.most);
}

/* Which lanes the operation has, compared with EXEC, after EXEC has changed. */
static uint8_t lanes_after(uint8_t lanes, enum og_exec_change change) {
  if (change == OG_EXEC_STAYS || (change == OG_EXEC_SHRINKS && lanes == OG_LANES_APART))
    return lanes;
  return change == OG_EXEC_TURNS && lanes == OG_LANES_WITHIN ? OG_LANES_APART : OG_LANES_UNKNOWN;
}

bool og_waits_pass(const struct og_waits *waits, struct og_pending *pending, uint32_t number) {
  const struct og_step *step = &waits->flow->steps.items[number];
  const struct og_transfer *transfer = og_waits_transfer(waits, pending->op);
  uint8_t implied = waits->implied[number];
  if (step->flags & OG_STEP_CALLS || pending->op == number)
    return false; /* a function returns with nothing outstanding; what is issued again is a new operation */
  pending->lanes = lanes_after(pending->lanes, step->exec);
  if (implied != OG_NO_LIMIT && !og_pending_translated(transfer, pending, implied))
    return false;
  if (step->flags & OG_STEP_WAITS && !wait_for(waits, pending, number))
    return false;
  return !step->transfer.count || og_pending_behind(transfer, pending, waits->most, &step->transfer);
}

/* ---- clashes ----------------------------------------------------------------------------------------------------- */

static bool is_general(uint16_t place) {
  return place < OG_PLACE_TTMP || (place >= OG_PLACE_SPECIAL && place <= OG_PLACE_SPECIAL + OG_SPECIAL_VCC_HI);
}

static enum og_clash_kind clash_with_caller(const struct og_touch *touch, bool results, uint16_t *place) {
  *place = touch->first;
  if (!is_general(touch->first))
    return OG_CLASH_NONE;
  if (results)
    return touch->writes ? OG_CLASH_WRITE : OG_CLASH_READ;
  return touch->writes && touch->first < OG_PLACE_AGPR ? OG_CLASH_SOURCE : OG_CLASH_NONE;
}

bool og_waits_fills(const struct og_waits *waits, const struct og_pending *pending) {
  if (!og_pending_fills(og_waits_transfer(waits, pending->op), pending))
    return false;
  if (pending->op == waits->flow->steps.count)
    return true;
  const struct og_step *op = &waits->flow->steps.items[pending->op];
  for (uint32_t i = 0; i < op->touch_count; i++)
    if (waits->flow->touches.items[op->touch + i].writes)
      return true;
  return false;
}

static enum og_clash_kind clash_of_touch(const struct og_waits *waits, const struct og_pending *pending,
                                         const struct og_step *step, const struct og_touch *touch, uint16_t *place) {
  const struct og_transfer *transfer = og_waits_transfer(waits, pending->op);
  if (pending->op == waits->flow->steps.count)
    return clash_with_caller(touch, og_pending_fills(transfer, pending), place);
  if (pending->lanes == OG_LANES_APART && touch->first < OG_PLACE_SGPR && !(step->flags & OG_STEP_ALL_LANES))
    return OG_CLASH_NONE; /* the two have different lanes of the register */
  return og_pending_clash(waits->flow->isa, transfer, pending, touches_of(waits, pending->op),
                          waits->flow->steps.items[pending->op].touch_count, &step->transfer, touch, place);
}

enum og_clash_kind og_waits_clash(const struct og_waits *waits, const struct og_pending *pending, uint32_t number,
                                  uint16_t *place) {
  const struct og_step *step = &waits->flow->steps.items[number];
  enum og_clash_kind kind = OG_CLASH_NONE;
  struct og_pending waited = *pending;
  if (step->flags & OG_STEP_WAITS && step->touch_count) { /* v_interp_* wait before they read */
    if (!wait_for(waits, &waited, number))
      return OG_CLASH_NONE;
    pending = &waited;
  }
  for (uint32_t i = 0; i < step->touch_count && kind == OG_CLASH_NONE; i++)
    kind = clash_of_touch(waits, pending, step, &waits->flow->touches.items[step->touch + i], place);
  bool leaves =
      step->flags & OG_STEP_RETURNS || (step->flags & OG_STEP_CALLS && waits->flow->by_gcc); /* nobody waits there */
  if (kind == OG_CLASH_NONE && leaves && og_waits_fills(waits, pending))
    kind = OG_CLASH_RETURN;
  return kind;
}

/* ---- sets of operations ------------------------------------------------------------------------------------------ */

static void reserve(struct og_waits *waits, struct og_pendings *set, uint32_t count) {
  if (set->capacity >= count)
    return;
  struct og_pending *items = OG_NEW_ARRAY(waits->arena, struct og_pending, count * 2);
  if (set->count)
    memcpy(items, set->items, set->count * sizeof *items);
  set->items = items;
  set->capacity = count * 2;
}

static void copy_set(struct og_waits *waits, struct og_pendings *to, const struct og_pendings *from) {
  reserve(waits, to, from->count);
  if (from->count)
    memcpy(to->items, from->items, from->count * sizeof *to->items);
  to->count = from->count;
}

static void insert(struct og_waits *waits, struct og_pendings *set, struct og_pending pending) {
  reserve(waits, set, set->count + 1);
  uint32_t at = set->count;
  for (; at && set->items[at - 1].op > pending.op; at--)
    set->items[at] = set->items[at - 1];
  set->items[at] = pending;
  set->count++;
}

static bool weaken(struct og_pending *to, const struct og_pending *from) {
  struct og_pending old = *to;
  for (unsigned i = 0; i < OG_RAISED_MOST; i++)
    if (from->pending >> i & 1)
      to->behind[i] = to->pending >> i & 1 ? OG_MIN(to->behind[i], from->behind[i]) : from->behind[i];
  to->pending |= from->pending;
  to->lanes = to->lanes == from->lanes ? to->lanes : OG_LANES_UNKNOWN;
  to->loads = OG_MIN(to->loads, from->loads);
  to->stores = OG_MIN(to->stores, from->stores);
  return memcmp(&old, to, sizeof old) != 0;
}

/* Adds what is outstanding on another path; true if that changed the set. */
static bool join(struct og_waits *waits, struct og_pendings *to, const struct og_pendings *from) {
  bool changed = !to->reached;
  uint32_t at = 0;
  to->reached = true;
  for (uint32_t i = 0; i < from->count; i++) {
    while (at < to->count && to->items[at].op < from->items[i].op)
      at++;
    if (at < to->count && to->items[at].op == from->items[i].op) {
      changed |= weaken(&to->items[at], &from->items[i]);
    } else {
      insert(waits, to, from->items[i]);
      changed = true;
    }
  }
  return changed;
}

/* The value to which xcnt has to fall before the step is issued: og_pending_implies(). */
static uint8_t implied_by(const struct og_waits *waits, const struct og_pendings *set, uint32_t number) {
  const struct og_step *step = &waits->flow->steps.items[number];
  uint8_t limit = OG_NO_LIMIT;
  for (uint32_t i = 0; i < set->count; i++) {
    if (set->items[i].op == waits->flow->steps.count)
      continue;
    const struct og_step *op = &waits->flow->steps.items[set->items[i].op];
    uint8_t one = og_pending_implies(&op->transfer, &set->items[i], touches_of(waits, set->items[i].op),
                                     op->touch_count, &step->transfer, touches_of(waits, number), step->touch_count);
    limit = OG_MIN(limit, one);
  }
  return limit;
}

static void pass(struct og_waits *waits, struct og_pendings *set, uint32_t step) {
  const struct og_step *s = &waits->flow->steps.items[step];
  uint32_t kept = 0;
  if (!s->transfer.count && s->exec == OG_EXEC_STAYS && !(s->flags & (OG_STEP_WAITS | OG_STEP_CALLS)))
    return;
  waits->implied[step] = waits->flow->isa->gfx1250 ? implied_by(waits, set, step) : OG_NO_LIMIT;
  for (uint32_t i = 0; i < set->count; i++)
    if (og_waits_pass(waits, &set->items[i], step))
      set->items[kept++] = set->items[i];
  set->count = kept;
  if (s->transfer.count)
    insert(waits, set, og_waits_issued(waits, step));
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static void make_blocks(struct og_waits *waits) {
  struct og_flow *flow = waits->flow;
  waits->block_of = OG_NEW_ARRAY(waits->arena, uint32_t, flow->steps.count);
  for (uint32_t i = 0; i < flow->steps.count; i++) {
    if (!i || flow->steps.items[i].flags & OG_STEP_LEADS)
      OG_PUSH(waits->arena, &waits->blocks)->first = i;
    waits->block_of[i] = waits->blocks.count - 1;
    waits->blocks.items[waits->blocks.count - 1].last = i;
  }
  for (uint32_t i = 0; i < waits->blocks.count; i++) {
    struct og_block *block = &waits->blocks.items[i];
    const struct og_step *last = &flow->steps.items[block->last];
    block->next[0] = last->flags & OG_STEP_GOES_ON ? (int32_t)i + 1 : -1;
    block->next[1] = last->target >= 0 ? (int32_t)waits->block_of[last->target] : -1;
  }
}

void og_waits_make(struct og_waits *waits, struct og_flow *flow, bool is_kernel) {
  *waits = (struct og_waits){.flow = flow, .arena = flow->arena, .is_kernel = is_kernel, .off_counter = OG_NO_COUNTER};
  for (unsigned i = 0; i < OG_COUNTERS; i++)
    waits->most[i] = (uint8_t)og_counter_most(flow->isa, i);
  waits->implied = OG_NEW_ARRAY(flow->arena, uint8_t, flow->steps.count);
  memset(waits->implied, OG_NO_LIMIT, flow->steps.count);
  if (!is_kernel)
    og_caller_transfer(flow->isa, &waits->caller);
  make_blocks(waits);
}

void og_waits_solve(struct og_waits *waits) {
  struct og_pendings now = {0};
  for (uint32_t i = 0; i < waits->blocks.count; i++)
    waits->blocks.items[i].in.count = 0, waits->blocks.items[i].in.reached = false;
  struct og_block *first = &waits->blocks.items[waits->block_of[waits->flow->first]];
  first->in.reached = first->waiting = true;
  if (waits->caller.count)
    insert(waits, &first->in, og_waits_issued(waits, waits->flow->steps.count));
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < waits->blocks.count; i++) {
      struct og_block *block = &waits->blocks.items[i];
      if (!block->waiting)
        continue;
      block->waiting = false;
      copy_set(waits, &now, &block->in);
      for (uint32_t step = block->first; step <= block->last; step++)
        pass(waits, &now, step);
      for (unsigned k = 0; k < 2; k++) {
        struct og_block *next = block->next[k] >= 0 ? &waits->blocks.items[block->next[k]] : NULL;
        if (next && join(waits, &next->in, &now))
          next->waiting = again = true;
      }
    }
  }
}

const struct og_pendings *og_waits_before(struct og_waits *waits, uint32_t step, struct og_pendings *room) {
  const struct og_block *block = &waits->blocks.items[waits->block_of[step]];
  copy_set(waits, room, &block->in);
  for (uint32_t i = block->first; i < step; i++)
    pass(waits, room, i);
  return room;
}

/* ---- all clashes ------------------------------------------------------------------------------------------------- */

void og_waits_clashes(struct og_waits *waits, struct og_clashes *clashes) {
  struct og_pendings now = {0};
  for (uint32_t i = 0; i < waits->blocks.count; i++) {
    const struct og_block *block = &waits->blocks.items[i];
    if (!block->in.reached)
      continue;
    copy_set(waits, &now, &block->in);
    for (uint32_t step = block->first; step <= block->last; step++) {
      uint16_t place = 0;
      for (uint32_t k = 0; k < now.count; k++) {
        enum og_clash_kind kind = og_waits_clash(waits, &now.items[k], step, &place);
        if (kind != OG_CLASH_NONE)
          *OG_PUSH(waits->arena, &clashes->items) =
              (struct og_clash){now.items[k].op, step, (uint8_t)kind, place, now.items[k]};
      }
      pass(waits, &now, step);
    }
  }
}
