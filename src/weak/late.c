/* late.c - operations that the executor does at once (scalar loads, images, scratch, messages) but that counters count
 * like others. The wave's result registers get their old values back; the new ones come when the wave has waited for
 * them, or at a random time before. */
#include "weak/inside.h"

#include <stdlib.h>
#include <string.h>

enum way { KEEP, EXCHANGE, DELIVER };

/* Moves one register of all lanes, with the values kept for it. */
static void move_row(struct og_weak_pending *p, uint32_t *at, uint32_t *kept, enum way way) {
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    uint32_t value = at[lane];
    if (way == DELIVER ? p->lanes >> lane & 1 : way == EXCHANGE)
      at[lane] = kept[lane];
    if (way == EXCHANGE)
      p->lanes |= (uint64_t)(value != kept[lane]) << lane;
    if (way != DELIVER)
      kept[lane] = value;
  }
}

/* Goes over the wave's result registers and the values kept for them. KEEP copies the registers into the kept values;
 * EXCHANGE exchanges both and adds lanes whose value is new to p->lanes; DELIVER copies the kept values into the
 * registers, of vector registers only in p->lanes. */
static void move(struct og_weak_pending *p, enum way way) {
  unsigned row = 0, scalar = 0;
  for (unsigned i = 0; i < p->known->results; i++) {
    const struct og_weak_registers *r = &p->known->result[i];
    uint32_t *at = og_at(p->wave, r->at);
    for (unsigned d = 0; d < r->dwords; d++) {
      if (r->vector) {
        move_row(p, at + d * OG_LANES, p->value.row[row++], way);
        continue;
      }
      uint32_t value = at[d];
      if (way != KEEP)
        at[d] = p->value.scalar[scalar];
      if (way != DELIVER)
        p->value.scalar[scalar] = value;
      scalar++;
    }
  }
}

void og_weak_deliver(struct og_weak_pending *p) { move(p, DELIVER); }

void og_weak_begin_late(struct og_weak_execution *w, struct og_wave *wave, const struct og_operation *op,
                        const struct og_weak_known *known) {
  struct og_weak_pending *p = w->spare;
  if (p)
    w->spare = p->next;
  else
    p = og_checked_realloc(NULL, sizeof *p);
  p->wave = wave, p->op = op, p->known = known, p->next = NULL;
  p->lanes = og_exec(wave);
  move(p, KEEP);
  w->late = p;
}

void og_weak_end_late(struct og_weak_execution *w) {
  struct og_weak_pending *p = w->late;
  w->late = NULL;
  if (!p)
    return;
  bool deferred = w->issuing[0] || w->issuing[1]; /* then the executor has not done it at once */
  if (!deferred && p->wave->state != OG_WAVE_FAULT) {
    struct og_weak_pending *issued = og_weak_issue(w, p->wave, p->op, p->known, OG_SPACE_GLOBAL, 0);
    issued->lanes = p->lanes;
    if (p->known->late) {
      memcpy(&issued->value, &p->value, sizeof p->value);
      move(issued, EXCHANGE);
      w->issuing[0] = issued;
    } else {
      og_weak_perform(w, issued);
    }
  }
  p->next = w->spare;
  w->spare = p;
}
