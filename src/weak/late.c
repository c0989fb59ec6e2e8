/* late.c - what the executor does at once (scalar loads, images, scratch, messages), which counters count as they do all
 * else. Of its results the wave is given the registers' old values back, and the new ones when it has waited, or by chance
 * before. */
#include "weak/inside.h"

#include <stdlib.h>
#include <string.h>

/* Exchanges the values that are kept with those in the wave's registers. */
static void exchange(struct og_weak_pending *p) {
  unsigned row = 0, scalar = 0;
  for (unsigned i = 0; i < p->known->results; i++) {
    const struct og_weak_registers *r = &p->known->result[i];
    uint32_t *at = og_at(p->wave, r->at);
    for (unsigned d = 0; d < r->dwords; d++) {
      if (!r->vector) {
        uint32_t value = at[d];
        at[d] = p->value.scalar[scalar], p->value.scalar[scalar++] = value;
        continue;
      }
      for (unsigned lane = 0; lane < OG_LANES; lane++) {
        uint32_t value = at[d * OG_LANES + lane];
        p->lanes |= (uint64_t)(value != p->value.row[row][lane]) << lane;
        at[d * OG_LANES + lane] = p->value.row[row][lane], p->value.row[row][lane] = value;
      }
      row++;
    }
  }
}

void og_weak_deliver(const struct og_weak_pending *p) {
  unsigned row = 0, scalar = 0;
  for (unsigned i = 0; i < p->known->results; i++) {
    const struct og_weak_registers *r = &p->known->result[i];
    uint32_t *at = og_at(p->wave, r->at);
    for (unsigned d = 0; d < r->dwords; d++) {
      if (!r->vector) {
        at[d] = p->value.scalar[scalar++];
        continue;
      }
      for (uint64_t left = p->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        at[d * OG_LANES + lane] = p->value.row[row][lane];
      }
      row++;
    }
  }
}

static void keep(struct og_weak_pending *p) {
  unsigned row = 0, scalar = 0;
  for (unsigned i = 0; i < p->known->results; i++) {
    const struct og_weak_registers *r = &p->known->result[i];
    const uint32_t *at = og_at(p->wave, r->at);
    for (unsigned d = 0; d < r->dwords; d++)
      if (r->vector)
        memcpy(p->value.row[row++], at + d * OG_LANES, sizeof p->value.row[0]);
      else
        p->value.scalar[scalar++] = at[d];
  }
}

void og_weak_begin_late(struct og_weak_execution *w, struct og_wave *wave, const struct og_operation *op,
                        const struct og_weak_known *known) {
  struct og_weak_pending *p = w->spare;
  if (p)
    w->spare = p->next;
  else
    p = og_checked_realloc(NULL, sizeof *p);
  p->wave = wave, p->op = op, p->known = known, p->next = NULL;
  p->lanes = og_exec(wave);
  keep(p);
  w->late = p;
}

void og_weak_end_late(struct og_weak_execution *w) {
  struct og_weak_pending *p = w->late;
  w->late = NULL;
  if (!p)
    return;
  bool deferred = w->issuing[0] || w->issuing[1]; /* then it has not been done at once */
  if (!deferred && p->wave->state != OG_WAVE_FAULT) {
    struct og_weak_pending *issued = og_weak_issue(w, p->wave, p->op, p->known, OG_SPACE_GLOBAL, 0);
    issued->lanes = p->lanes;
    if (p->known->late) {
      memcpy(&issued->value, &p->value, sizeof p->value);
      exchange(issued);
      w->issuing[0] = issued;
    } else {
      og_weak_perform(w, issued);
    }
  }
  p->next = w->spare;
  w->spare = p;
}
