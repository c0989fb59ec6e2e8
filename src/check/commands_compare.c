/* commands_compare.c - compares two commands' footprints for bytes that one writes and the other accesses. Atomics and
 * coherent accesses do not race with one another; between agents this needs system scope and fine-grained memory.
 * Commands that meet in such memory may synchronize by it, so nothing is reported about them. */
#include "check/commands_compare.h"

struct meeting {
  const struct og_commands_options *options;
  const struct og_footprint *mine, *others;
  const struct og_commands_party *me, *other;
  bool ended;
};

typedef bool visit(const struct meeting *m, const struct og_footprint_piece *a, const struct og_footprint_piece *b,
                   bool writes);

/* Calls a visitor for overlapping pieces of `a` (the command in question) and `b` until it returns true. `writes`: the
 * pieces of `a` are its writes. */
static bool each_overlap(const struct meeting *m, const struct og_footprint_pieces *a,
                         const struct og_footprint_pieces *b, bool writes, visit *call) {
  for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
    const struct og_footprint_piece *x = &a->items[i], *y = &b->items[k];
    if (x->start < y->end && y->start < x->end && call(m, x, y, writes))
      return true;
    if (x->end < y->end)
      i++;
    else
      k++;
  }
  return false;
}

static bool are_soft(const struct meeting *m, const struct og_footprint_piece *a, const struct og_footprint_piece *b) {
  unsigned both = a->flags & b->flags;
  if (!(both & OG_FOOTPRINT_SOFT) || m->me->agent == m->other->agent)
    return both & OG_FOOTPRINT_SOFT;
  return both & OG_FOOTPRINT_SYSTEM && m->options->is_fine(OG_MAX(a->start, b->start));
}

static bool meet(const struct meeting *m, const struct og_footprint_piece *a, const struct og_footprint_piece *b,
                 bool writes) {
  (void)writes;
  return are_soft(m, a, b);
}

/* Whether both change and see the same atomics. */
static bool may_agree(const struct meeting *m) {
  return each_overlap(m, &m->mine->writes, &m->others->writes, true, meet) ||
         each_overlap(m, &m->mine->writes, &m->others->reads, true, meet) ||
         each_overlap(m, &m->mine->reads, &m->others->writes, false, meet);
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

static const char *did(const struct og_footprint *footprint, const struct og_footprint_piece *piece) {
  for (uint32_t i = 0; i < footprint->writes.count; i++)
    if (&footprint->writes.items[i] == piece)
      return piece->flags & OG_FOOTPRINT_SOFT ? "atomically wrote" : "wrote";
  return piece->flags & OG_FOOTPRINT_SOFT ? "atomically read" : "read";
}

static void name(const struct og_footprint *footprint, const struct og_footprint_piece *piece, struct og_buffer *out) {
  const char *place = footprint->places.items[piece->place];
  og_buffer_printf(out, "%s%s%s", footprint->name, *place ? ": " : "", place);
}

static void packet(const struct og_commands_party *party, const char *before, struct og_buffer *out) {
  if (party->is_packet)
    og_buffer_printf(out, "%spacket %llu of queue %llu", before, (unsigned long long)party->index,
                     (unsigned long long)party->queue);
}

static const char *why(const struct meeting *m, const struct og_footprint_piece *a,
                       const struct og_footprint_piece *b) {
  if (a->flags & b->flags & OG_FOOTPRINT_SOFT)
    return a->flags & b->flags & OG_FOOTPRINT_SYSTEM
               ? "which are of two agents, in coarse-grained memory"
               : "which are of two agents, by atomics of less than the system's scope";
  if (!m->ended)
    return "and no signal or barrier bit orders the two";
  return m->me->agent && m->me->agent == m->other->agent
             ? "and no release and acquire fences of the agent's scope stand between them"
             : "and no release and acquire fences of the system's scope stand between them";
}

static bool tell(const struct meeting *m, const struct og_footprint_piece *a, const struct og_footprint_piece *b,
                 bool writes) {
  (void)writes;
  bool plain = !((a->flags | b->flags) & OG_FOOTPRINT_SOFT);
  const struct og_footprint_piece *hard = a->flags & OG_FOOTPRINT_SOFT ? b : a;
  const struct og_footprint *hards = hard == a ? m->mine : m->others;
  bool flag = !plain && !(a->flags & b->flags & OG_FOOTPRINT_SOFT) && /* one reads plainly, or one lane writes so */
              (hard->flags & OG_FOOTPRINT_SINGLE || *did(hards, hard) == 'r');
  if (are_soft(m, a, b) || flag)
    return false;
  struct og_buffer text = {0};
  name(m->mine, a, &text);
  og_buffer_printf(&text, " %s what ", did(m->mine, a));
  name(m->others, b, &text);
  og_buffer_printf(&text, " %s, %s", did(m->others, b), why(m, a, b));
  size_t size = text.size;
  uint64_t start = OG_MAX(a->start, b->start);
  og_buffer_printf(&text, " (%llu bytes at 0x%llx", (unsigned long long)(OG_MIN(a->end, b->end) - start),
                   (unsigned long long)start);
  packet(m->me, "; ", &text);
  packet(m->other, m->me->is_packet ? ", " : "; ", &text);
  og_buffer_text(&text, ") [races]");
  og_buffer_u8(&text, 0);
  m->options->tell((const char *)text.data, size);
  og_buffer_free(&text);
  return true;
}

void og_commands_party_of_kernel(const struct og_commands_options *options, const struct og_footprint *footprint,
                                 struct og_commands_party *party) {
  const struct og_footprint_pieces *both[] = {&footprint->reads, &footprint->writes};
  for (unsigned k = 0; k < 2 && party->agent; k++)
    for (uint32_t i = 0; i < both[k]->count && !party->talks; i++)
      party->talks = both[k]->items[i].flags & OG_FOOTPRINT_SOFT && options->is_fine(both[k]->items[i].start);
}

void og_commands_compare(const struct og_commands_options *options, const struct og_footprint *mine,
                         const struct og_commands_party *me, const struct og_footprint *others,
                         const struct og_commands_party *other, bool ended) {
  struct meeting m = {options, mine, others, me, other, ended};
  bool host = !me->agent || !other->agent;
  if (me->unasked || other->unasked || (!ended && (host ? me->talks || other->talks : may_agree(&m))))
    return;
  if (!each_overlap(&m, &mine->reads, &others->writes, false, tell) &&
      !each_overlap(&m, &mine->writes, &others->writes, true, tell) && !ended)
    each_overlap(&m, &mine->writes, &others->reads, true, tell);
}
