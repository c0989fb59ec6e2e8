/* debug_values.c - the ranges of the code in which variables stand in registers. At an instruction, a variable has the
 * value that it has in the IR at that instruction, wherever scheduling has moved it: so a debugger sees at a line what
 * the line sees. A range names a place only while the registers hold the value that the record means. */
#include "cc/debug_values.h"

struct walk {
  struct cc_values *v;
  const struct cc_tracks *t;
  struct cc_holds *holds;
  OG_VECTOR(uint32_t) active, dirty; /* subjects */
  OG_VECTOR(struct cc_known) undo;   /* what subjects were before each record of the block, */
  OG_VECTOR(uint32_t) steps;         /* and where the entries of each record begin */
  struct cc_record_list *interested; /* by register: subjects whose record names it */
  uint32_t position, at;             /* where the walk is; its address in the code */
};

static void touch(struct walk *w, uint32_t subject) {
  struct cc_subject *s = &w->v->subjects.items[subject];
  if (!s->active)
    *OG_PUSH(w->v->arena, &w->active) = subject;
  if (!s->dirty)
    *OG_PUSH(w->v->arena, &w->dirty) = subject;
  s->active = s->dirty = true;
}

static void set_now(struct walk *w, uint32_t subject, uint32_t record) {
  w->v->subjects.items[subject].now = record, w->v->subjects.items[subject].missed = 0;
  touch(w, subject);
}

static void written(void *context, uint32_t number) {
  struct walk *w = context;
  for (uint32_t k = 0; k < w->interested[number].list.count; k++)
    touch(w, w->interested[number].list.items[k]);
  w->interested[number].list.count = 0;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static void step_forward(struct walk *w, uint32_t record) {
  const struct cc_instance *i = &w->v->instances.items[w->v->subjects.items[w->v->subject_of[record]].instance];
  uint32_t mine = w->v->subject_of[record];
  *OG_PUSH(w->v->arena, &w->steps) = w->undo.count;
  for (uint32_t k = 0; k < i->subjects.count; k++) {
    uint32_t subject = i->subjects.items[k];
    if (!cc_overlaps(&w->v->subjects.items[subject], &w->v->subjects.items[mine]))
      continue;
    *OG_PUSH(w->v->arena, &w->undo) = (struct cc_known){subject, w->v->subjects.items[subject].now};
    set_now(w, subject, subject == mine && w->v->records->list.items[record].parts ? w->v->same[record] : CC_NOTHING);
  }
}

static void step_back(struct walk *w) {
  uint32_t to = w->steps.items[--w->steps.count];
  while (w->undo.count > to) {
    struct cc_known last = w->undo.items[--w->undo.count];
    set_now(w, last.subject, last.record);
  }
}

/* Goes to the place in the IR behind so many instructions of the block. */
static void go_to(struct walk *w, uint32_t order) {
  const struct cc_record_list *here = &w->v->at[w->position];
  while (w->steps.count && w->v->records->list.items[here->list.items[w->steps.count - 1]].order >= order)
    step_back(w);
  while (w->steps.count < here->list.count && w->v->records->list.items[here->list.items[w->steps.count]].order < order)
    step_forward(w, here->list.items[w->steps.count]);
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

static void close_range(struct walk *w, struct cc_subject *s) {
  struct cc_found *last = s->ranges.count ? &s->ranges.items[s->ranges.count - 1] : NULL;
  if (s->shown != CC_NOTHING && w->at > s->since) {
    if (last && last->to == s->since && last->record == s->shown)
      last->to = w->at;
    else
      *OG_PUSH(w->v->arena, &s->ranges) = (struct cc_found){s->since, w->at, s->shown};
  }
  s->shown = CC_NOTHING;
}

/* Whether registers hold all that a record names. The question is asked again when these are written, but not for a
 * value that has been missing too often: one that the scheduler has moved comes soon. */
static bool is_there(struct walk *w, uint32_t subject, uint32_t record) {
  enum { MOST_MISSED = 16 };
  const struct cc_record *r = &w->v->records->list.items[record];
  bool all = r->parts;
  for (uint32_t k = r->first; k < r->first + r->parts && all; k++)
    all = cc_is_held(w->holds, k, w->position);
  uint32_t *missed = &w->v->subjects.items[subject].missed;
  *missed = all ? 0 : *missed + 1;
  for (uint32_t k = r->first; k < r->first + r->parts && *missed < MOST_MISSED; k++) {
    const uint16_t *number = cc_number_of(w->holds, w->t->places.items[k], 0);
    if (number && *number)
      *OG_PUSH(w->v->arena, &w->interested[*number - 1].list) = subject;
  }
  return all;
}

static void show(struct walk *w) {
  for (uint32_t k = 0; k < w->dirty.count; k++) {
    struct cc_subject *s = &w->v->subjects.items[w->dirty.items[k]];
    uint32_t now = s->now != CC_NOTHING && is_there(w, w->dirty.items[k], s->now) ? s->now : CC_NOTHING;
    s->dirty = false;
    if (now == s->shown)
      continue;
    close_range(w, s);
    s->shown = now, s->since = w->at;
  }
  w->dirty.count = 0;
}

static void begin_block(struct walk *w, uint32_t position) {
  w->position = position;
  cc_enter_holds(w->holds, position);
  w->steps.count = w->undo.count = 0;
  for (uint32_t k = 0; k < w->v->in[position].list.count; k++)
    set_now(w, w->v->in[position].list.items[k].subject, w->v->in[position].list.items[k].record);
}

static void end_block(struct walk *w, uint32_t address) {
  w->at = address;
  for (uint32_t k = 0; k < w->active.count; k++) {
    struct cc_subject *s = &w->v->subjects.items[w->active.items[k]];
    close_range(w, s);
    s->active = s->dirty = false, s->now = CC_NOTHING;
  }
  w->active.count = w->dirty.count = 0;
  for (uint32_t n = 0; n < w->holds->count; n++)
    w->interested[n].list.count = 0;
}

/* The place of an instruction in the IR's block. Those that are made for no instruction of it are copies at its end, or
 * stand where the one before them does. */
static uint32_t order_of(const struct walk *w, const struct cc_node *n, uint32_t inst, uint32_t before) {
  const struct cc_function *c = w->v->c;
  uint32_t record = c->insts.items[inst].record;
  const struct og_ir_inst *i = &c->f->insts.items[record];
  if (n->block == CC_NO_NODE || !record || !w->v->records->order[record])
    return before;
  if (i->block == n->block && i->opcode != OG_IR_PHI)
    return w->v->records->order[record];
  return i->opcode == OG_IR_PHI && (i->block != n->block || before) ? UINT32_MAX : before;
}

static void walk_block(struct walk *w, uint32_t position, uint32_t end) {
  const struct cc_function *c = w->v->c;
  const struct cc_node *n = &c->nodes.items[c->layout[position]];
  uint32_t order = 0;
  begin_block(w, position);
  for (uint32_t k = n->first; k < n->end; k++) {
    order = order_of(w, n, k, order);
    w->at = w->t->at[k];
    go_to(w, order);
    show(w);
    uint32_t first = w->t->first[k] ? w->t->first[k] - 1 : k;
    cc_run_holds(w->holds, first, written, w);
    if (w->t->second[k])
      cc_run_holds(w->holds, w->t->second[k] - 1, written, w);
  }
  end_block(w, end);
}

void cc_debug_find_values(struct cc_object *o, struct cc_function *c, struct cc_debug_function *f, uint32_t size) {
  if (!c->tracks)
    return;
  struct cc_values v = {.c = c, .f = f, .records = c->tracks->records, .arena = c->arena};
  struct walk w = {.v = &v, .t = c->tracks, .holds = c->tracks->holds};
  cc_find_known(&v);
  w.interested = OG_NEW_ARRAY(c->arena, struct cc_record_list, w.holds->count + 1);
  for (uint32_t p = 0; p < c->positions; p++) {
    uint32_t end = c->nodes.items[c->layout[p]].end;
    if (c->nodes.items[c->layout[p]].first < end)
      walk_block(&w, p, end < c->insts.count ? c->tracks->at[end] : size);
  }
  OG_VECTOR(struct cc_debug_variable) all = {0};
  for (uint32_t k = 0; k < f->variable_count; k++)
    *OG_PUSH(o->arena, &all) = f->variables[k];
  for (uint32_t k = 0; k < v.instances.count; k++) {
    struct cc_debug_variable *to = OG_PUSH(o->arena, &all);
    to->node = v.instances.items[k].variable, to->location = v.instances.items[k].location, to->in_registers = true;
    cc_put_ranges(o, &v, &v.instances.items[k], to);
  }
  f->variables = all.items, f->variable_count = all.count;
}
