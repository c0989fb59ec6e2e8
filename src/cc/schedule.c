/* schedule.c - the order of instructions within a block, such that other work is done while memory and slow
 * instructions take their time, and loads are waited for together. A list scheduler (Gibbons and Muchnick) over
 * stretches of a block: of the instructions that may come next it takes the one from which the longest path leads on.
 * Latencies are those of the rows' classes (isa/latencies.isa). A new order is taken only if it stalls less and the
 * function's waves on a SIMD stay as many. */
#include "cc/schedule.h"

#include <string.h>

/* STRETCH: instructions that are ordered together; LOOKS: candidates that are compared; STORES: earlier stores that a
 * load is compared with; SLACK: registers left free, since numbers must be side by side. */
enum { STRETCH = 96, LOOKS = 12, STORES = 8, SLACK = 2 };
enum { NONE = UINT8_MAX };
enum { SPECIALS = CC_SPECIAL_RESOURCES };

struct edge {
  uint32_t next; /* 1 + the next edge of the same instruction */
  uint8_t to;
  bool data; /* it waits for the result, not only for the instruction */
};

struct step {
  uint32_t height, earliest, edges;
  uint16_t before; /* how many instructions must still come first */
  uint8_t last_store;
  struct cc_step is;
};

struct resource {
  uint32_t stretch; /* the stretch for which the rest is valid */
  uint32_t readers; /* 1 + the first in the list of readers since it was written */
  uint32_t ready;
  uint16_t total, left; /* how often the stretch names it; how often it is still to come */
  uint8_t writer;
  bool begun, scalar_load;
};

struct reader {
  uint32_t next;
  uint8_t by;
};

struct state {
  struct cc_function *c;
  struct cc_stepper stepper;
  struct resource *resources;
  uint32_t stretch, first, end; /* a stretch's number; its instructions from `first` to before `end` */
  uint32_t clock;
  struct step steps[STRETCH];
  uint8_t order[STRETCH], ready[STRETCH];
  unsigned ready_count;
  uint8_t last_store[CC_SPACES];
  uint32_t loads[CC_SPACES];
  OG_VECTOR(uint32_t) names; /* resources that each instruction reads, then those that it writes */
  OG_VECTOR(struct edge) edges;
  OG_VECTOR(struct reader) readers;
  int32_t *live_at, *most_at; /* by instruction and file: registers live before it, and while it runs */
  int32_t live[CC_FILES], limit[CC_FILES];
  struct cc_inst moved[STRETCH];
};

/* ---- what a stretch names --------------------------------------------------------------------------------------- */

static struct resource *resource_of(struct state *s, uint32_t name) {
  struct resource *r = &s->resources[name];
  if (r->stretch != s->stretch)
    *r = (struct resource){.stretch = s->stretch, .ready = r->ready, .writer = NONE};
  return r;
}

static void find_names(struct state *s) {
  s->names.count = 0;
  s->stretch++;
  for (uint32_t k = s->first; k < s->end; k++) {
    struct step *step = &s->steps[k - s->first];
    step->edges = step->before = 0, step->height = step->earliest = 0, step->last_store = NONE;
    OG_IR_RESERVE(s->c->arena, &s->names, CC_NAMES_MOST);
    step->is.names = s->names.count;
    cc_step_names(&s->stepper, &s->c->insts.items[k], &step->is, s->names.items + s->names.count);
    s->names.count += step->is.reads + step->is.writes;
    for (unsigned n = 0; n < step->is.reads + step->is.writes; n++) {
      struct resource *r = resource_of(s, s->names.items[step->is.names + n]);
      r->left = ++r->total;
    }
  }
}

/* ---- stalls and registers of an order --------------------------------------------------------------------------- */

/* Updates how many registers are live by an instruction; `peak`: while it runs. */
static void count_live(struct state *s, const struct step *step, int32_t live[CC_FILES], int32_t peak[CC_FILES]) {
  const uint32_t *names = s->names.items + step->is.names;
  int32_t idle[CC_FILES] = {0};
  for (unsigned n = 0; n < step->is.reads + step->is.writes; n++) {
    struct resource *r = &s->resources[names[n]];
    bool last = !--r->left;
    if (names[n] >= SPECIALS) {
      const struct cc_reg *reg = &s->c->regs.items[names[n] - SPECIALS];
      if (n >= step->is.reads && !r->begun && reg->start > 2 * s->first)
        live[reg->file] += reg->dwords;
      r->begun = true;
      if (last && reg->end < 2 * s->end)
        *(n < step->is.reads ? &live[reg->file] : &idle[reg->file]) -= reg->dwords;
    }
    if (last)
      r->left = r->total, r->begun = false;
  }
  for (unsigned f = 0; f < CC_FILES; f++)
    peak[f] = OG_MAX(peak[f], live[f]), live[f] += idle[f];
}

struct outcome {
  uint32_t stalls, cost;
  int32_t most[CC_FILES];
};

/* The stalls of an order. Scalar loads end in any order, so to wait for one is to wait for all. */
static struct outcome try_order(struct state *s, const uint8_t *order) {
  struct outcome found = {0};
  int32_t live[CC_FILES];
  memcpy(live, s->live, sizeof live);
  uint32_t now = s->clock, scalar = now, left = now;
  for (uint32_t k = 0; k < s->end - s->first; k++) {
    const struct step *step = &s->steps[order[k]];
    const uint32_t *names = s->names.items + step->is.names;
    uint32_t start = now;
    for (unsigned n = 0; n < step->is.reads; n++) {
      const struct resource *r = &s->resources[names[n]];
      start = OG_MAX(start, r->scalar_load ? scalar : r->ready);
    }
    found.stalls += start - now;
    now = start + step->is.issue;
    for (unsigned n = step->is.reads; n < step->is.reads + step->is.writes; n++) {
      struct resource *r = &s->resources[names[n]];
      r->ready = start + step->is.latency, r->scalar_load = step->is.scalar_load;
      left = OG_MAX(left, r->ready);
    }
    scalar = step->is.scalar_load ? start + step->is.latency : scalar;
    count_live(s, step, live, found.most);
  }
  left = OG_MAX(left, now);
  found.cost = now - s->clock + left - s->clock;
  s->clock = left;
  return found;
}

/* ---- what has to come before what ------------------------------------------------------------------------------- */

static void add_edge(struct state *s, unsigned from, unsigned to, bool data) {
  struct step *step = &s->steps[from];
  if (step->edges && s->edges.items[step->edges - 1].to == to) {
    s->edges.items[step->edges - 1].data |= data;
    return;
  }
  *OG_PUSH(s->c->arena, &s->edges) = (struct edge){step->edges, (uint8_t)to, data};
  step->edges = s->edges.count;
  s->steps[to].before++;
}

static void add_reader(struct state *s, uint32_t *list, unsigned by) {
  *OG_PUSH(s->c->arena, &s->readers) = (struct reader){*list, (uint8_t)by};
  *list = s->readers.count;
}

static void come_behind(struct state *s, uint32_t *list, unsigned k) {
  for (uint32_t n = *list; n; n = s->readers.items[n - 1].next)
    if (s->readers.items[n - 1].by != k)
      add_edge(s, s->readers.items[n - 1].by, k, false);
  *list = 0;
}

static void order_names(struct state *s, unsigned k) {
  const struct step *step = &s->steps[k];
  const uint32_t *names = s->names.items + step->is.names;
  for (unsigned n = 0; n < step->is.reads; n++) {
    struct resource *r = &s->resources[names[n]];
    if (r->writer != NONE)
      add_edge(s, r->writer, k, true);
    add_reader(s, &r->readers, k);
  }
  for (unsigned n = step->is.reads; n < step->is.reads + step->is.writes; n++) {
    struct resource *r = &s->resources[names[n]];
    if (r->writer != NONE && r->writer != k)
      add_edge(s, r->writer, k, false);
    come_behind(s, &r->readers, k);
    r->writer = (uint8_t)k;
  }
}

/* Whether a load and an earlier store use one address, unchanged between them, with offsets so different that they do
 * not meet. */
static bool have_other_offsets(const struct state *s, unsigned store, unsigned load) {
  const struct cc_inst *x = &s->c->insts.items[s->first + store], *y = &s->c->insts.items[s->first + load];
  const struct cc_step *a = &s->steps[store].is, *b = &s->steps[load].is;
  unsigned operands = y->operands - (y->tied != 0);
  if (!a->bytes || !b->bytes || a->spaces != b->spaces || x->operands != operands || x->operands < 2)
    return false;
  for (unsigned o = 1; o < operands;
       o++) { /* operands of a store: address, data, base; of a load: result, address, base */
    struct cc_operand p = s->c->operands.items[x->first + (o == 1 ? 0 : o)], q = s->c->operands.items[y->first + o];
    if (p.kind != q.kind || p.value != q.value || p.sub != q.sub || p.dwords != q.dwords)
      return false;
    if (q.kind == CC_REG && s->resources[SPECIALS + q.value].writer != NONE &&
        s->resources[SPECIALS + q.value].writer > store)
      return false;
  }
  return x->offset + (int32_t)a->bytes <= y->offset || y->offset + (int32_t)b->bytes <= x->offset;
}

/* Whether a load cannot meet an earlier store. */
static bool are_apart(const struct state *s, unsigned store, unsigned load) {
  const struct cc_inst *insts = &s->c->insts.items[s->first];
  unsigned spaces = s->steps[store].is.spaces;
  return !(spaces & (spaces - 1)) &&
         (have_other_offsets(s, store, load) || !cc_insts_may_meet(s->c, &insts[store], &insts[load]));
}

static void order_memory(struct state *s, unsigned k) {
  struct step *step = &s->steps[k];
  for (unsigned p = 0; p < CC_SPACES; p++) {
    if (!(step->is.spaces >> p & 1))
      continue;
    unsigned store = s->last_store[p], looks = 0;
    while (!step->is.stores && store != NONE && looks++ < STORES && are_apart(s, store, k))
      store = s->steps[store].last_store;
    if (store != NONE && store != k)
      add_edge(s, store, k, false);
    if (step->is.stores) {
      come_behind(s, &s->loads[p], k);
      step->last_store = s->last_store[p]; /* only loads of one space pass stores, so the last space's is enough */
      s->last_store[p] = (uint8_t)k;
    } else {
      add_reader(s, &s->loads[p], k);
    }
  }
}

static void find_edges(struct state *s) {
  unsigned count = s->end - s->first;
  s->edges.count = s->readers.count = 0;
  memset(s->last_store, NONE, sizeof s->last_store), memset(s->loads, 0, sizeof s->loads);
  for (unsigned k = 0; k < count; k++) {
    order_memory(s, k); /* before the instruction counts as writer of its registers */
    order_names(s, k);
  }
  for (unsigned k = count; k-- > 0;) {
    struct step *step = &s->steps[k];
    step->height = step->is.latency;
    for (uint32_t e = step->edges; e; e = s->edges.items[e - 1].next) {
      const struct edge *edge = &s->edges.items[e - 1];
      step->height = OG_MAX(step->height, (edge->data ? step->is.latency : 0u) + s->steps[edge->to].height);
    }
  }
}

/* ---- an order --------------------------------------------------------------------------------------------------- */

static void make_ready(struct state *s, unsigned k) {
  unsigned at = s->ready_count++;
  for (; at && (s->steps[s->ready[at - 1]].height < s->steps[k].height ||
                (s->steps[s->ready[at - 1]].height == s->steps[k].height && s->ready[at - 1] > k));
       at--)
    s->ready[at] = s->ready[at - 1];
  s->ready[at] = (uint8_t)k;
}

/* Whether more registers would be live than may be. */
static bool is_too_much(const struct state *s, const struct step *step, const int32_t live[CC_FILES]) {
  const uint32_t *names = s->names.items + step->is.names;
  int32_t more[CC_FILES] = {0};
  for (unsigned n = 0; n < step->is.reads + step->is.writes; n++) {
    if (names[n] < SPECIALS)
      continue;
    const struct resource *r = &s->resources[names[n]];
    const struct cc_reg *reg = &s->c->regs.items[names[n] - SPECIALS];
    if (n < step->is.reads && r->left == 1 && reg->end < 2 * s->end)
      more[reg->file] -= reg->dwords;
    else if (n >= step->is.reads && !r->begun && reg->start > 2 * s->first)
      more[reg->file] += reg->dwords;
  }
  bool much = false;
  for (unsigned f = 0; f < CC_FILES; f++)
    much |= more[f] > 0 && live[f] + more[f] > s->limit[f];
  return much;
}

/* The next of those that are ready: the first that need not wait, if it does not need too many registers. */
static unsigned choose(const struct state *s, uint32_t now, const int32_t live[CC_FILES]) {
  unsigned best = NONE, oldest = 0;
  uint32_t least = UINT32_MAX;
  for (unsigned r = 0; r < s->ready_count; r++) {
    const struct step *step = &s->steps[s->ready[r]];
    uint32_t stall = step->earliest > now ? step->earliest - now : 0;
    oldest = s->ready[r] < s->ready[oldest] ? r : oldest;
    if (r >= LOOKS || stall >= least || is_too_much(s, step, live))
      continue;
    best = r, least = stall;
    if (!stall)
      break;
  }
  return best == NONE ? oldest : best;
}

/* Makes the new order; false: it is the old one. */
static bool find_order(struct state *s) {
  unsigned count = s->end - s->first;
  bool changed = false;
  uint32_t now = 0;
  int32_t live[CC_FILES], peak[CC_FILES] = {0};
  memcpy(live, s->live, sizeof live);
  s->ready_count = 0;
  for (unsigned k = 0; k < count; k++)
    if (!s->steps[k].before)
      make_ready(s, k);
  for (unsigned done = 0; done < count; done++) {
    unsigned at = choose(s, now, live), k = s->ready[at];
    struct step *step = &s->steps[k];
    s->ready_count--;
    memmove(s->ready + at, s->ready + at + 1, s->ready_count - at);
    uint32_t start = OG_MAX(now, step->earliest);
    now = start + step->is.issue;
    s->order[done] = (uint8_t)k;
    changed |= k != done;
    count_live(s, step, live, peak);
    for (uint32_t e = step->edges; e; e = s->edges.items[e - 1].next) {
      const struct edge *edge = &s->edges.items[e - 1];
      struct step *to = &s->steps[edge->to];
      to->earliest = OG_MAX(to->earliest, edge->data ? start + step->is.latency : start);
      if (!--to->before)
        make_ready(s, edge->to);
    }
  }
  return changed;
}

/* Puts the instructions in their new order, and finds the intervals of their registers anew. */
static void take_order(struct state *s) {
  struct cc_function *c = s->c;
  unsigned count = s->end - s->first;
  memcpy(s->moved, c->insts.items + s->first, count * sizeof *s->moved);
  for (unsigned pass = 0; pass < 2; pass++) /* the first pass clears intervals that begin or end here */
    for (unsigned k = 0; k < count; k++) {
      const struct cc_inst *i = &s->moved[s->order[k]];
      c->insts.items[s->first + k] = *i;
      for (unsigned o = 0; o < i->operands; o++) {
        struct cc_operand op = c->operands.items[i->first + o];
        if (op.kind != CC_REG)
          continue;
        struct cc_reg *r = &c->regs.items[op.value];
        struct resource *known = &s->resources[SPECIALS + op.value];
        uint32_t at = 2 * (s->first + k) + (o < i->defs && !i->early);
        if (pass == 0 && known->writer != NONE - 1) {
          known->writer = NONE - 1; /* once for each register */
          known->begun = r->start > 2 * s->first && r->start < 2 * s->end, known->scalar_load = r->end < 2 * s->end;
          r->start = known->begun ? UINT32_MAX : r->start, r->end = known->scalar_load ? 0 : r->end;
        } else if (pass == 1) {
          r->start = known->begun ? OG_MIN(r->start, at) : r->start;
          r->end = known->scalar_load ? OG_MAX(r->end, at) : r->end;
        }
      }
    }
}

static void order_stretch(struct state *s, uint32_t first, uint32_t end) {
  static const uint8_t plain[STRETCH] = {
#define TEN(k) k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7, k + 8, k + 9
      TEN(0), TEN(10), TEN(20), TEN(30), TEN(40), TEN(50), TEN(60), TEN(70), TEN(80), 90, 91, 92, 93, 94, 95,
  };
  s->first = first, s->end = end;
  memcpy(s->live, s->live_at + (size_t)CC_FILES * first, sizeof s->live);
  find_names(s);
  struct outcome before = try_order(s, plain);
  s->c->stalls[0] += before.stalls, s->c->stalls[1] += before.stalls;
  if (!before.stalls)
    return;
  find_edges(s);
  if (!find_order(s))
    return;
  struct outcome after = try_order(s, s->order);
  bool fits = true;
  for (unsigned f = 0; f < CC_FILES; f++)
    fits &= after.most[f] <= OG_MAX(before.most[f], s->limit[f]);
  if (fits && after.cost < before.cost) {
    take_order(s);
    s->c->stalls[1] = s->c->stalls[1] + after.stalls - before.stalls;
    s->c->is_scheduled = true;
  }
}

/* ---- registers of the function ---------------------------------------------------------------------------------- */

static void find_pressure(struct state *s) {
  const struct cc_function *c = s->c;
  size_t size = (size_t)CC_FILES * (c->insts.count + 2);
  s->live_at = OG_NEW_ARRAY(c->arena, int32_t, size), s->most_at = OG_NEW_ARRAY(c->arena, int32_t, size);
  for (uint32_t n = 1; n < c->regs.count; n++) {
    const struct cc_reg *r = &c->regs.items[n];
    if (r->start == UINT32_MAX)
      continue;
    int32_t *live = s->live_at + r->file, *most = s->most_at + r->file;
    uint32_t last = c->insts.count + 1;
    live[CC_FILES * OG_MIN((r->start + 1) / 2, last)] += r->dwords;
    live[CC_FILES * OG_MIN(r->end / 2 + 1, last)] -= r->dwords;
    most[CC_FILES * OG_MIN(r->start / 2, last)] += r->dwords;
    most[CC_FILES * OG_MIN((r->end + 1) / 2, last)] -= r->dwords;
  }
  for (size_t k = CC_FILES; k < size; k++)
    s->live_at[k] += s->live_at[k - CC_FILES], s->most_at[k] += s->most_at[k - CC_FILES];
}

/* How many registers may be live so that no fewer waves fit than now; false: they do not fit as it is. */
static bool find_limits(struct state *s) {
  const struct cc_function *c = s->c;
  unsigned may[CC_FILES];
  int32_t most[CC_FILES] = {0};
  for (size_t k = 0; k < (size_t)CC_FILES * c->insts.count; k++)
    most[k % CC_FILES] = OG_MAX(most[k % CC_FILES], s->most_at[k]);
  cc_register_limits(c, may);
  cc_limits_of_waves(c, (const unsigned[]){(unsigned)most[CC_S], (unsigned)most[CC_V], (unsigned)most[CC_A]}, may);
  bool fits = true;
  for (unsigned f = 0; f < CC_FILES; f++) {
    fits &= most[f] <= (int32_t)may[f];
    s->limit[f] = OG_MAX((int32_t)may[f] - SLACK - (int32_t)may[f] / 16, most[f]);
  }
  s->limit[CC_A] = most[CC_A];
  return fits;
}

bool cc_schedule(struct cc_function *c) {
  struct cc_liveness l;
  cc_find_liveness(c, &l);
  cc_free_liveness(&l);
  c->has_intervals = true;
  if (c->keeps_order)
    return true;
  struct state *s = OG_NEW(c->arena, struct state);
  s->c = c;
  cc_begin_steps(&s->stepper, c);
  s->resources = OG_NEW_ARRAY(c->arena, struct resource, SPECIALS + c->regs.count);
  find_pressure(s);
  if (!find_limits(s))
    return true;
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    for (uint32_t first = n->first, end; first < n->end; first = OG_MAX(end, first + 1)) {
      for (end = first; end < n->end && end < first + STRETCH && cc_is_movable(&s->stepper, &c->insts.items[end]);)
        end++;
      if (end > first + 2)
        order_stretch(s, first, end);
    }
  }
  return true;
}
