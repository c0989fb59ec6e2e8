/* pending.c - accesses that were issued: the order in which they may be performed, and what performing one does. */
#include "weak/inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- issue ------------------------------------------------------------------------------------------------------- */

static void set_aside(struct og_weak_execution *w, struct og_weak_pending *p) {
  p->next = w->spare;
  w->spare = p;
}

/* With NULL, the first queue that is free. A wave's `watched` cannot hold the queue: it may be another observer's. */
static struct og_weak_queue *find_queue(struct og_weak_execution *w, const struct og_wave *wave) {
  struct og_weak_queue *queue = w->recent && w->recent->wave == wave ? w->recent : w->queues;
  while (queue && queue->wave != wave)
    queue = queue->next;
  w->recent = queue ? queue : w->recent;
  return queue;
}

static struct og_weak_queue *queue_of(struct og_weak_execution *w, struct og_wave *wave) {
  struct og_weak_queue *queue = find_queue(w, wave);
  if (queue)
    return queue;
  queue = find_queue(w, NULL);
  if (!queue) {
    queue = og_checked_realloc(NULL, sizeof *queue);
    queue->next = w->queues;
    w->queues = queue;
  }
  queue->wave = wave;
  queue->first = queue->last = NULL;
  return queue;
}

struct og_weak_pending *og_weak_issue(struct og_weak_execution *w, struct og_wave *wave, const struct og_operation *op,
                                      const struct og_weak_known *known, unsigned space, int access) {
  struct og_weak_pending *p = w->spare;
  struct og_weak_queue *queue = queue_of(w, wave);
  if (p)
    w->spare = p->next;
  else
    p = og_checked_realloc(NULL, sizeof *p);
  if (w->count == w->capacity) {
    w->capacity = OG_MAX(2 * w->capacity, (size_t)16);
    w->pending = og_checked_realloc(w->pending, w->capacity * sizeof(void *));
  }
  w->pending[w->count++] = p;
  p->wave = wave, p->op = op, p->known = known, p->next = NULL;
  p->space = (uint8_t)space, p->access = (uint8_t)access, p->done = false, p->count = 0;
  p->node = (uint8_t)og_weak_node(w, wave, space == OG_SPACE_SCALAR);
  p->low = UINT64_MAX, p->high = 0, p->due = UINT64_MAX;
  if (queue->last)
    queue->last->next = p;
  else
    queue->first = p;
  queue->last = p;
  return p;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static bool shares_registers(const struct og_weak_known *a, const struct og_weak_known *b) {
  for (unsigned i = 0; i < a->results; i++)
    for (unsigned k = 0; k < b->results; k++) {
      const struct og_weak_registers *x = &a->result[i], *y = &b->result[k];
      uint32_t step = x->vector ? OG_AT_ROW : sizeof(uint32_t);
      if (x->vector == y->vector && x->at < y->at + y->dwords * step && y->at < x->at + x->dwords * step)
        return true;
    }
  return false;
}

static bool fills_in_order(const struct og_weak_pending *before, const struct og_weak_pending *p) {
  const struct og_transfer *first = &before->known->inst.transfer;
  unsigned pending = 0;
  for (unsigned r = 0; r < first->count; r++)
    pending |= 1u << first->raised[r].counter;
  return shares_registers(before->known, p->known) &&
         og_fills_in_order(p->wave->program->isa, first, pending, &p->known->inst.transfer);
}

/* Memory: each channel has a queue for each CU, so accesses of one CU that overlap keep their order. LDS: accesses of
 * one wave keep theirs, but a transfer into LDS waits only for those that it overlaps, and none waits for it. */
static bool must_precede(const struct og_weak_pending *before, const struct og_weak_pending *p) {
  if (before->wave == p->wave && p->wave && fills_in_order(before, p))
    return true;
  if (!before->access || !p->access || before->space != p->space)
    return false;
  bool overlaps = before->low < p->high && p->low < before->high;
  if (p->space != OG_SPACE_LDS)
    return before->node == p->node && overlaps;
  return before->wave == p->wave && !before->known->transfer && (overlaps || !p->known->transfer);
}

/* ---- performing -------------------------------------------------------------------------------------------------- */

enum { WINDOW = 24 /* bytes of the dwords that an access of 16 touches */ };

static bool is_lds(const struct og_weak_pending *p) { return p->space == OG_SPACE_LDS; }

static void load_piece(struct og_weak_execution *w, const struct og_weak_pending *p, const struct og_weak_piece *piece,
                       uint64_t time) {
  uint8_t bytes[16] = {0};
  const void *from = is_lds(p) ? p->wave->lds + piece->address
                               : og_deferred_place(w->current, piece->address, piece->size, false);
  if (from)
    memcpy(bytes, from, piece->size);
  if (from && !is_lds(p))
    og_weak_load(w, p->node, p->known->inst.reach, time, piece->address, bytes, piece->size);
  og_finish_load(p->wave, p->op, piece->lane, piece->piece, bytes);
}

/* Makes one lane's store or atomic. */
static void change(const struct og_weak_pending *p, const struct og_weak_piece *piece, void *at) {
  if (p->access & OG_ACCESS_ATOMIC)
    og_finish_atomic(p->wave, p->op, (enum og_space)p->space, piece->lane, at, piece->data, piece->other);
  else
    memcpy(at, piece->bytes, piece->size);
}

/* Gives an atomic the value that it goes on from, if an agent's L2 has something older than what was stored last. */
static void go_back(struct og_weak_execution *w, const struct og_weak_pending *p, uint64_t address, uint8_t *dwords,
                    size_t span) {
  for (size_t i = 0; i < span; i += 4)
    og_weak_go_back(w, p->node, p->known->inst.reach, address + i, dwords + i);
}

/* Compares the dwords around the bytes before and after; an aligned dword is within one region. */
static void change_memory(struct og_weak_execution *w, const struct og_weak_pending *p,
                          const struct og_weak_piece *piece) {
  uint8_t before[WINDOW] = {0}, after[WINDOW] = {0};
  uint8_t *at = og_deferred_place(w->current, piece->address, piece->size, true);
  if (!at)
    return;
  size_t lead = piece->address & 3, span = og_align_up(lead + piece->size, 4);
  memcpy(before, at - lead, span);
  if (p->access & OG_ACCESS_ATOMIC && w->agents > 1)
    go_back(w, p, piece->address - lead, at - lead, span);
  change(p, piece, at);
  memcpy(after, at - lead, span);
  og_weak_note(w, p, piece->address, before, after, piece->size);
}

static void perform_one(struct og_weak_execution *w, struct og_weak_pending *p) {
  bool load = p->access == OG_ACCESS_READ;
  if (!p->access) {
    og_weak_deliver(p);
    return;
  }
  uint64_t time = is_lds(p) ? 0 : load ? og_weak_choose_time(w, p->wave, p->op) : ++w->now;
  w->keeps = !is_lds(p) && !load && og_weak_keeps(w, p->wave, p->op);
  for (unsigned i = 0; i < p->count; i++)
    if (load)
      load_piece(w, p, &p->piece[i], time);
    else if (is_lds(p))
      change(p, &p->piece[i], p->wave->lds + p->piece[i].address);
    else
      change_memory(w, p, &p->piece[i]);
}

void og_weak_perform(struct og_weak_execution *w, struct og_weak_pending *p) {
  size_t at = 0;
  while (w->pending[at] != p)
    if (must_precede(w->pending[at], p))
      og_weak_perform(w, w->pending[at]), at = 0;
    else
      at++;
  memmove(w->pending + at, w->pending + at + 1, (w->count - at - 1) * sizeof *w->pending);
  w->count--;
  p->done = true;
  for (unsigned i = 0; i < OG_COUNT(w->issuing); i++)
    w->issuing[i] = w->issuing[i] == p ? NULL : w->issuing[i];
  perform_one(w, p);
  if (!p->wave)
    set_aside(w, p);
}

void og_weak_perform_all(struct og_weak_execution *w, const struct og_wave *wave, unsigned space) {
  for (size_t i = 0; i < w->count;)
    if (w->pending[i]->wave == wave && w->pending[i]->access && w->pending[i]->space == space)
      og_weak_perform(w, w->pending[i]), i = 0;
    else
      i++;
}

void og_weak_perform_near(struct og_weak_execution *w, unsigned node, uint64_t low, uint64_t high) {
  for (size_t i = 0; i < w->count;) {
    struct og_weak_pending *p = w->pending[i];
    if (p->access && p->space != OG_SPACE_LDS && p->node == node && p->low < high && low < p->high)
      og_weak_perform(w, p), i = 0;
    else
      i++;
  }
}

/* ---- counters ---------------------------------------------------------------------------------------------------- */

/* Whether it raises the counter. A scalar store does not: the scalar cache answers when it has the store, not when the
 * store has arrived. */
static bool raises(const struct og_weak_pending *p, unsigned counter, unsigned *order) {
  const struct og_transfer *transfer = &p->known->inst.transfer;
  for (unsigned r = 0; r < transfer->count && p->space != OG_SPACE_SCALAR; r++)
    if (transfer->raised[r].counter == counter && og_weak_tells(&p->known->inst, counter, is_lds(p))) {
      *order = transfer->raised[r].order;
      return true;
    }
  return false;
}

/* Removes operations from the front that are done: no counter counts them any more. */
static void let_go(struct og_weak_execution *w, struct og_weak_queue *queue) {
  while (queue->first && queue->first->done) {
    struct og_weak_pending *p = queue->first;
    queue->first = p->next;
    set_aside(w, p);
  }
  if (!queue->first)
    queue->last = NULL;
}

/* What a counter counts: the operations that are not done, and those that come after one of the same order that is not
 * done. */
static unsigned outstanding(const struct og_weak_queue *queue, unsigned counter, struct og_weak_pending **oldest) {
  unsigned count = 0, behind = 0, order = 0;
  *oldest = NULL;
  for (struct og_weak_pending *p = queue->first; p; p = p->next) {
    if (!raises(p, counter, &order))
      continue;
    if (!p->done && !*oldest)
      *oldest = p;
    if (!p->done && order)
      behind |= 1u << order;
    count += !p->done || (order && behind >> order & 1);
  }
  return count;
}

void og_weak_wait(struct og_weak_execution *w, const struct og_wave *wave, const struct og_weak_inst *inst) {
  struct og_weak_queue *queue = find_queue(w, wave);
  struct og_weak_pending *oldest;
  if (!queue)
    return;
  for (unsigned counter = 0; counter < OG_COUNTERS; counter++)
    while (inst->limits[counter] != OG_NO_LIMIT && outstanding(queue, counter, &oldest) > inst->limits[counter] &&
           oldest)
      og_weak_perform(w, oldest);
  let_go(w, queue);
}

/* ---- ends -------------------------------------------------------------------------------------------------------- */

void og_weak_leave(struct og_weak_execution *w, struct og_wave *wave) {
  struct og_weak_queue *queue = find_queue(w, wave);
  if (!queue)
    return;
  for (struct og_weak_pending *p = queue->first; p; p = p->next)
    if (!p->done && (p->access != OG_ACCESS_WRITE || is_lds(p)))
      og_weak_perform(w, p);
  for (struct og_weak_pending *p = queue->first, *next; p; p = next) {
    next = p->next;
    p->wave = NULL;
    if (p->done)
      set_aside(w, p);
  }
  queue->wave = NULL;
}

void og_weak_drop(struct og_weak_execution *w) {
  for (size_t i = 0; i < w->count; i++)
    if (!w->pending[i]->wave)
      set_aside(w, w->pending[i]);
  w->count = 0;
  for (struct og_weak_queue *queue = w->queues; queue; queue = queue->next) {
    for (struct og_weak_pending *p = queue->wave ? queue->first : NULL, *next; p; p = next) {
      next = p->next;
      set_aside(w, p);
    }
    queue->first = queue->last = NULL;
    queue->wave = NULL;
  }
  w->issuing[0] = w->issuing[1] = NULL;
}
