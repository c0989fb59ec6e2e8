/* waits_path.c - one operation's path, from its issue to its conflict with another instruction. */
#include "lint/waits.h"

#include <string.h>

enum { NODES_MOST = 20000 };

struct node {
  uint32_t step;   /* where the walk of the block begins */
  int32_t parent;  /* -1: the first */
  struct og_pending pending;
};

struct search {
  struct og_waits *waits;
  OG_VECTOR(struct node) nodes;
  int32_t *newest;    /* for each block the last node that begins at its start; -1: none */
  OG_VECTOR(int32_t) older; /* for each node the one before it of the same block */
};

/* Whether the block was begun before with at least as much outstanding: then this time would find nothing new. */
static bool seen(const struct search *s, uint32_t block, const struct og_pending *pending) {
  for (int32_t n = s->newest[block]; n >= 0; n = s->older.items[n]) {
    const struct og_pending *other = &s->nodes.items[n].pending;
    bool covers = (pending->pending & ~other->pending) == 0 &&
                  (other->lanes == pending->lanes || other->lanes == OG_LANES_UNKNOWN);
    for (unsigned i = 0; i < OG_RAISED_MOST; i++)
      covers &= !(pending->pending >> i & 1) || other->behind[i] <= pending->behind[i];
    if (covers && other->loads <= pending->loads && other->stores <= pending->stores)
      return true;
  }
  return false;
}

static void add_node(struct search *s, uint32_t step, int32_t parent, struct og_pending pending) {
  uint32_t block = s->waits->block_of[step];
  bool whole = step == s->waits->blocks.items[block].first;
  if (whole && seen(s, block, &pending))
    return;
  *OG_PUSH(s->waits->arena, &s->older) = whole ? s->newest[block] : -1;
  if (whole)
    s->newest[block] = (int32_t)s->nodes.count;
  *OG_PUSH(s->waits->arena, &s->nodes) = (struct node){step, parent, pending};
}

static void begin(struct search *s, struct og_waits *waits) {
  *s = (struct search){.waits = waits, .newest = OG_NEW_ARRAY(waits->arena, int32_t, waits->blocks.count)};
  for (uint32_t i = 0; i < waits->blocks.count; i++)
    s->newest[i] = -1;
}

static void tell(struct search *s, int32_t node, uint32_t end, struct og_way *way) {
  uint32_t count = 0;
  for (int32_t n = node; n >= 0; n = s->nodes.items[n].parent)
    count++;
  OG_RESERVE(s->waits->arena, &way->blocks, count);
  way->blocks.count = count;
  for (int32_t n = node; n >= 0; n = s->nodes.items[n].parent)
    way->blocks.items[--count] = s->waits->block_of[s->nodes.items[n].step];
  way->found = true;
  way->end = end;
}

static void go_on(struct search *s, const struct og_block *block, int32_t node, struct og_pending pending) {
  for (unsigned k = 0; k < 2; k++)
    if (block->next[k] >= 0)
      add_node(s, s->waits->blocks.items[block->next[k]].first, node, pending);
}

void og_waits_way(struct og_waits *waits, uint32_t op, uint32_t end, struct og_way *way) {
  struct search s;
  begin(&s, waits);
  *way = (struct og_way){0};
  bool caller = op == waits->flow->steps.count;
  const struct og_block *home = &waits->blocks.items[waits->block_of[caller ? waits->flow->first : op]];
  if (caller)
    add_node(&s, waits->flow->first, -1, og_waits_issued(waits, op));
  else if (op < home->last)
    add_node(&s, op + 1, -1, og_waits_issued(waits, op));
  else
    go_on(&s, home, -1, og_waits_issued(waits, op));
  for (int32_t n = 0; n < (int32_t)s.nodes.count; n++) {
    struct og_pending pending = s.nodes.items[n].pending;
    const struct og_block *block = &waits->blocks.items[waits->block_of[s.nodes.items[n].step]];
    bool out = true;
    for (uint32_t step = s.nodes.items[n].step; step <= block->last && out; step++) {
      way->kind = step == end ? og_waits_clash(waits, &pending, step, &way->place) : OG_CLASH_NONE;
      if (way->kind != OG_CLASH_NONE) {
        tell(&s, n, end, way);
        return;
      }
      out = og_waits_pass(waits, &pending, step);
    }
    if (out)
      go_on(&s, block, n, pending);
    way->given_up = s.nodes.count > NODES_MOST;
    if (way->given_up)
      return;
  }
}

void og_waits_next(struct og_waits *waits, struct og_pending from_here, uint32_t from, struct og_way *way) {
  struct search s;
  bool ended = false;
  begin(&s, waits);
  *way = (struct og_way){0};
  add_node(&s, from, -1, from_here);
  for (int32_t n = 0; n < (int32_t)s.nodes.count && s.nodes.count <= NODES_MOST; n++) {
    struct og_pending pending = s.nodes.items[n].pending;
    const struct og_block *block = &waits->blocks.items[waits->block_of[s.nodes.items[n].step]];
    bool out = true;
    for (uint32_t step = s.nodes.items[n].step; step <= block->last && out; step++) {
      out = og_waits_pass(waits, &pending, step);
      if (!out && !ended) {
        ended = true;
        tell(&s, n, step, way);
      }
    }
    if (out)
      go_on(&s, block, n, pending);
  }
}
