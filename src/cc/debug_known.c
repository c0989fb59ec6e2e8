/* debug_known.c - the values of variables at the beginning of blocks: the record that holds on every path to there. A
 * variable is looked at between the first and the last block in which its scope has code. */
#include "cc/debug_values.h"

#include <string.h>

enum { MOST_STEPS = 1 << 22 }; /* blocks times variables: with more, nothing is passed from one block to the next */
enum { UNSEEN = UINT32_MAX - 1 };

struct scope_key {
  uint64_t scope, inlined_at;
};
struct extent {
  uint32_t first, last;
};

static struct og_text key_text(struct og_arena *arena, const void *key, size_t size) {
  return (struct og_text){og_arena_copy(arena, key, size), size};
}

/* ---- where scopes have code -------------------------------------------------------------------------------------- */

static void note_scope(struct cc_values *v, struct og_map *extents, uint64_t scope, uint64_t inlined_at, uint32_t p) {
  struct scope_key key = {scope, inlined_at};
  struct extent *known = og_map_get(extents, (struct og_text){(const char *)&key, sizeof key});
  if (!known) {
    known = OG_NEW(v->arena, struct extent);
    known->first = p;
    *og_map_at(v->arena, extents, key_text(v->arena, &key, sizeof key)) = known;
  }
  known->last = p;
}

static void note_location(struct cc_values *v, struct og_map *extents, uint64_t location, uint32_t p) {
  const struct og_ir_module *m = v->c->m;
  for (unsigned calls = 0; calls < 64 && cc_debug_is(m, location, OG_IR_M_LOCATION); calls++) {
    uint64_t inlined_at = cc_debug_field(m, location, "inlinedAt"), scope = cc_debug_field(m, location, "scope");
    for (unsigned depth = 0; depth < 64 && scope; depth++) {
      note_scope(v, extents, scope, inlined_at, p);
      if (cc_debug_is(m, scope, OG_IR_M_SUBPROGRAM))
        break;
      scope = cc_debug_field(m, scope, "scope");
    }
    location = inlined_at;
  }
}

/* Whether a block was added, and is not one of the IR. */
static bool is_between(const struct cc_function *c, uint32_t p) {
  return c->nodes.items[c->layout[p]].block == CC_NO_NODE;
}

static void find_extents(struct cc_values *v) {
  struct og_map extents = {0};
  uint32_t *last = OG_NEW_ARRAY(v->arena, uint32_t, v->c->m->metadata.count + 2); /* by location: 1 + where it was */
  for (uint32_t p = 0; p < v->c->positions; p++)
    for (uint32_t k = v->c->nodes.items[v->c->layout[p]].first; k < v->c->nodes.items[v->c->layout[p]].end; k++) {
      uint32_t location = v->c->f->insts.items[v->c->insts.items[k].record].location;
      if (!location || last[location] == 1 + p)
        continue;
      last[location] = 1 + p;
      note_location(v, &extents, location, p);
    }
  for (uint32_t n = 0; n < v->instances.count; n++) {
    struct cc_instance *i = &v->instances.items[n];
    struct scope_key key = {cc_debug_field(v->c->m, i->location, "scope"),
                            cc_debug_field(v->c->m, i->location, "inlinedAt")};
    const struct extent *known = og_map_get(&extents, (struct og_text){(const char *)&key, sizeof key});
    i->is_seen = known;
    if (known)
      i->first = known->first, i->last = known->last;
    while (known && i->last + 1 < v->c->positions && is_between(v->c, i->last + 1)) /* a loop's way back is one */
      i->last++;
    while (known && i->first && is_between(v->c, i->first - 1))
      i->first--;
  }
}

/* ---- which records say something of which bits
 * -------------------------------------------------------------------- */

static uint32_t find_instance(struct cc_values *v, struct og_map *index, const struct cc_record *r) {
  uint64_t key[2] = {r->variable, cc_debug_field(v->c->m, r->location, "inlinedAt")};
  void **known = og_map_at(v->arena, index, key_text(v->arena, key, sizeof key));
  if (!*known) {
    *OG_PUSH(v->arena, &v->instances) = (struct cc_instance){.variable = r->variable, .location = r->location};
    *known = (void *)(uintptr_t)v->instances.count;
  }
  return (uint32_t)(uintptr_t)*known - 1;
}

static uint32_t find_subject(struct cc_values *v, uint32_t instance, const struct cc_record *r) {
  struct cc_instance *i = &v->instances.items[instance];
  for (uint32_t k = 0; k < i->subjects.count; k++) {
    const struct cc_subject *s = &v->subjects.items[i->subjects.items[k]];
    if (s->offset == r->offset && s->size == r->size)
      return i->subjects.items[k];
  }
  *OG_PUSH(v->arena, &v->subjects) = (struct cc_subject){.instance = instance, .offset = r->offset, .size = r->size,
                                                         .now = CC_NOTHING, .shown = CC_NOTHING};
  *OG_PUSH(v->arena, &i->subjects) = v->subjects.count - 1;
  return v->subjects.count - 1;
}

/* The first record that says the same of the same bits of a variable. */
static uint32_t find_same(struct cc_values *v, struct og_map *index, uint32_t record) {
  const struct cc_record *r = &v->records->list.items[record];
  size_t parts = r->parts * sizeof(struct cc_record_part), operations = r->length * sizeof(uint64_t);
  char *key = og_arena_alloc(v->arena, sizeof(uint32_t) + parts + operations);
  memcpy(key, &v->subject_of[record], sizeof(uint32_t));
  if (parts)
    memcpy(key + sizeof(uint32_t), &v->records->parts.items[r->first], parts);
  if (operations)
    memcpy(key + sizeof(uint32_t) + parts, &v->records->operations.items[r->operations], operations);
  void **known = og_map_at(v->arena, index, (struct og_text){key, sizeof(uint32_t) + parts + operations});
  if (!*known)
    *known = (void *)(uintptr_t)(1 + record);
  return (uint32_t)(uintptr_t)*known - 1;
}

static void sort_records(struct cc_values *v) {
  const struct cc_function *c = v->c;
  struct og_map instances = {0}, same = {0};
  v->subject_of = OG_NEW_ARRAY(v->arena, uint32_t, v->records->list.count + 1),
  v->same = OG_NEW_ARRAY(v->arena, uint32_t, v->records->list.count + 1);
  v->at = OG_NEW_ARRAY(v->arena, struct cc_record_list, c->positions + 1);
  for (uint32_t k = 0; k < v->records->list.count; k++) {
    const struct cc_record *r = &v->records->list.items[k];
    v->subject_of[k] = find_subject(v, find_instance(v, &instances, r), r);
    v->same[k] = find_same(v, &same, k);
    uint32_t p = c->nodes.items[c->node_of[r->block]].position;
    if (p != CC_NO_NODE)
      *OG_PUSH(v->arena, &v->at[p].list) = k;
  }
  for (uint32_t p = 0; p < c->positions; p++)
    for (uint32_t k = 0; k < v->at[p].list.count; k++) {
      struct cc_instance *i = &v->instances.items[v->subjects.items[v->subject_of[v->at[p].list.items[k]]].instance];
      *OG_PUSH(v->arena, &i->records) = v->at[p].list.items[k];
    }
}

/* ---- from block to block ----------------------------------------------------------------------------------------- */

struct ways {
  uint32_t *at, *from; /* positions that lead to position p: from[at[p]] to from[at[p + 1] - 1] */
};

static void find_ways(const struct cc_values *v, struct ways *w) {
  const struct cc_function *c = v->c;
  w->at = OG_NEW_ARRAY(v->arena, uint32_t, c->positions + 2);
  for (unsigned fill = 0; fill < 2; fill++) {
    for (uint32_t p = 0; p < c->positions; p++) {
      const struct cc_node *n = &c->nodes.items[c->layout[p]];
      for (uint32_t s = 0; s < n->succs; s++) {
        uint32_t to = c->nodes.items[n->succ[s]].position;
        if (fill)
          w->from[w->at[to]++] = p;
        else
          w->at[to + 1]++;
      }
    }
    for (uint32_t p = 0; p < c->positions && !fill; p++)
      w->at[p + 1] += w->at[p];
    if (!fill)
      w->from = OG_NEW_ARRAY(v->arena, uint32_t, w->at[c->positions] + 1);
  }
  for (uint32_t p = c->positions; p > 0; p--)
    w->at[p] = w->at[p - 1];
  w->at[0] = 0;
}

/* The last record of each block for some bits; UNSEEN: none. */
static void find_last(const struct cc_values *v, const struct cc_subject *s, uint32_t *out) {
  const struct cc_instance *i = &v->instances.items[s->instance];
  for (uint32_t k = 0; k <= i->last - i->first; k++)
    out[k] = UNSEEN;
  for (uint32_t k = 0; k < i->records.count; k++) {
    uint32_t record = i->records.items[k], subject = v->subject_of[record];
    uint32_t p = v->c->nodes.items[v->c->node_of[v->records->list.items[record].block]].position;
    if (p < i->first || p > i->last || !cc_overlaps(&v->subjects.items[subject], s))
      continue;
    bool mine = &v->subjects.items[subject] == s && v->records->list.items[record].parts;
    out[p - i->first] = mine ? v->same[record] : CC_NOTHING;
  }
}

static uint32_t meet(uint32_t a, uint32_t b) { return a == b || b == UNSEEN ? a : a == UNSEEN ? b : CC_NOTHING; }

static void spread(struct cc_values *v, const struct ways *w, uint32_t subject, uint32_t *in, uint32_t *out) {
  const struct cc_subject *s = &v->subjects.items[subject];
  const struct cc_instance *i = &v->instances.items[s->instance];
  find_last(v, s, out);
  for (uint32_t k = 0; k <= i->last - i->first; k++)
    in[k] = i->first + k ? UNSEEN : CC_NOTHING;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t p = i->first; p <= i->last; p++) {
      uint32_t now = in[p - i->first];
      for (uint32_t k = w->at[p]; k < w->at[p + 1] && now != CC_NOTHING; k++) {
        bool inside = w->from[k] >= i->first && w->from[k] <= i->last;
        uint32_t from = w->from[k] - i->first;
        now = meet(now, !inside ? CC_NOTHING : out[from] == UNSEEN ? in[from] : out[from]);
      }
      again |= now != in[p - i->first];
      in[p - i->first] = now;
    }
  }
  for (uint32_t p = i->first; p <= i->last; p++)
    if (in[p - i->first] < UNSEEN)
      *OG_PUSH(v->arena, &v->in[p].list) = (struct cc_known){subject, in[p - i->first]};
}

void cc_find_known(struct cc_values *v) {
  struct ways w = {0};
  uint64_t steps = 0;
  sort_records(v);
  find_extents(v);
  find_ways(v, &w);
  v->in = OG_NEW_ARRAY(v->arena, struct cc_known_list, v->c->positions + 1);
  uint32_t *in = OG_NEW_ARRAY(v->arena, uint32_t, v->c->positions + 1),
           *out = OG_NEW_ARRAY(v->arena, uint32_t, v->c->positions + 1);
  for (uint32_t k = 0; k < v->subjects.count; k++) {
    const struct cc_instance *i = &v->instances.items[v->subjects.items[k].instance];
    steps += i->is_seen ? i->last - i->first + 1 : 0;
    if (i->is_seen && steps < MOST_STEPS)
      spread(v, &w, k, in, out);
  }
}
