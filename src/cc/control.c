/* control.c - control flow by EXEC. Code runs in the order of the layout. Where lanes diverge, some go on and the
 * others wait: the block that these will enter has a mask of them, which is joined to EXEC there. A block is skipped if
 * no lane enters it, so code always runs for some lane. A branch that all lanes take together is a machine branch,
 * unless it would jump over a block where lanes wait: then these lanes wait, too. So any reducible graph becomes code,
 * and lanes meet again as early as the layout allows. */
#include "cc/calls.h"

#include <stdlib.h>

static struct cc_node *at(const struct cc_function *c, uint32_t position) {
  return &c->nodes.items[c->layout[position]];
}

/* ---- which block lanes wait at next ------------------------------------------------------------------------------ */

/* A tree over positions, whose leaves begin at `leaves`. Each node stands for a part of the code and holds the first
 * block from whose end on lanes may wait at some block of that part; UINT32_MAX: none wait there. */
static void set_waiting(struct cc_function *c, uint32_t p, uint32_t from) {
  for (uint32_t k = c->leaves + p; k && c->waiting[k] > from; k /= 2)
    c->waiting[k] = from;
}

static void make_waiting(struct cc_function *c) {
  for (c->leaves = 1; c->leaves < c->positions;)
    c->leaves *= 2;
  c->waiting = OG_NEW_ARRAY(c->arena, uint32_t, 2 * c->leaves);
  for (uint32_t k = 0; k < 2 * c->leaves; k++)
    c->waiting[k] = UINT32_MAX;
}

/* The first position behind `p` where lanes may wait that left the code by the end of `from`; if there is none, the
 * last position. */
static uint32_t first_waiting(const struct cc_function *c, uint32_t p, uint32_t from) {
  uint32_t k = c->leaves + p;
  do { /* up, to a later part of the code that has one */
    while (k & 1)
      k /= 2;
    if (!k)
      return OG_MAX(p + 1, c->positions - 1);
    k++;
  } while (c->waiting[k] > from);
  while (k < c->leaves) /* down, to the first one in that part */
    k = 2 * k + (c->waiting[2 * k] > from);
  return k - c->leaves;
}

/* The next place where lanes may wait while code at `p` runs; the place where the code goes on if no lane enters
 * `p`. */
static uint32_t next_waiting(const struct cc_function *c, uint32_t p) { return first_waiting(c, p, p); }
static uint32_t skipped_to(const struct cc_function *c, uint32_t p) { return first_waiting(c, p, p - 1); }

/* Whether no lanes wait at blocks between the two places while code at the first one runs. */
static bool may_jump(const struct cc_function *c, uint32_t from, uint32_t to) {
  return from + 1 >= to || next_waiting(c, from) >= to;
}

/* From the end of `from` on, lanes may wait at `to`; if `from` is in a loop that they leave, from its first block
 * on. */
static bool deposit(struct cc_function *c, uint32_t from, uint32_t to) {
  struct cc_node *n = at(c, to);
  if (c->layout[to] == c->exit)
    return false; /* at the exit lanes are done and do not wait */
  uint32_t first = from;
  for (uint32_t l = at(c, from)->loop; l; l = c->loops.items[l].parent) {
    uint32_t header = c->nodes.items[c->loops.items[l].header].position;
    if (to < header || to > c->loops.items[l].last)
      first = header;
  }
  if (n->waits && n->waits_from <= first)
    return false;
  n->waits = true;
  n->waits_from = first;
  set_waiting(c, to, first);
  return true;
}

static bool settle(struct cc_function *c, uint32_t p) {
  struct cc_node *n = at(c, p);
  uint32_t to[2] = {0, 0};
  bool changed = false;
  for (uint32_t s = 0; s < n->succs; s++)
    to[s] = c->nodes.items[n->succ[s]].position;
  if (n->succs == 1) {
    if (to[0] > p + 1 && !may_jump(c, p, to[0]))
      changed = deposit(c, p, to[0]);
    return changed;
  }
  if (n->succs == 2 && !n->parts && (n->divergent || !may_jump(c, p, to[0]) || !may_jump(c, p, to[1])))
    n->parts = changed = true;
  if (n->parts)
    for (uint32_t s = 0; s < 2; s++)
      if (to[s] != p + 1)
        changed |= deposit(c, p, to[s]);
  return changed;
}

/* Whether all lanes of the dominator meet here again, so that there is at least one: no edge leads into or out of the
 * blocks between, except from the dominator and to this block. */
static bool all_meet(const struct cc_function *c, const struct cc_node *n) {
  uint32_t first = c->nodes.items[n->dominator].position;
  if (n->loop && &c->nodes.items[c->loops.items[n->loop].header] == n)
    return false;
  for (uint32_t p = first; p < n->position; p++) {
    const struct cc_node *between = at(c, p);
    uint32_t from = c->nodes.items[between->dominator].position;
    if (p > first && (from < first || from >= n->position))
      return false;
    for (uint32_t s = 0; s < between->succs; s++) {
      uint32_t to = c->nodes.items[between->succ[s]].position;
      if (to <= first || to > n->position)
        return false;
    }
  }
  return true;
}

/* ---- where masks begin ------------------------------------------------------------------------------------------- */

struct jump {
  uint32_t from, to;
};

static uint32_t collect_jumps(const struct cc_function *c, struct jump *jumps) {
  uint32_t count = 0;
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = at(c, p);
    uint32_t next = next_waiting(c, p);
    if (n->waits && p && !all_meet(c, n))
      jumps[count++] = (struct jump){p - 1, skipped_to(c, p)}; /* jumps before the block does anything */
    if (n->succs)
      jumps[count++] = (struct jump){p, next};
    for (uint32_t s = 0; s < n->succs; s++)
      jumps[count++] = (struct jump){p, c->nodes.items[n->succ[s]].position};
  }
  return count;
}

static int by_target(const void *a, const void *b) {
  const struct jump *x = a, *y = b;
  return x->to != y->to ? (x->to < y->to ? -1 : 1) : 0;
}

/* A tree over positions, each node for a part of the code. Notes `least` for a range of positions; the least value
 * noted for a position is the minimum over the parts that contain it. */
static void note_least(const struct cc_function *c, uint32_t *tree, uint32_t from, uint32_t end, uint32_t least) {
  for (uint32_t a = c->leaves + from, b = c->leaves + end; a < b; a /= 2, b /= 2) {
    if (a & 1)
      tree[a] = OG_MIN(tree[a], least), a++;
    if (b & 1)
      b--, tree[b] = OG_MIN(tree[b], least);
  }
}

static uint32_t least_at(const struct cc_function *c, const uint32_t *tree, uint32_t p) {
  uint32_t least = p;
  for (uint32_t k = c->leaves + p; k; k /= 2)
    least = OG_MIN(least, tree[k]);
  return least;
}

/* A block's mask begins at the end of the last block before lanes wait for it that the code cannot jump over. Only
 * jumps that lead at most to the waiting block can do so; they are added as that place moves on. */
static void find_starts(struct cc_function *c) {
  struct jump *jumps = OG_NEW_ARRAY(c->arena, struct jump, 4 * c->positions);
  uint32_t count = collect_jumps(c, jumps), added = 0;
  uint32_t *least = OG_NEW_ARRAY(c->arena, uint32_t, 2 * c->leaves); /* by part: the first jump over it */
  qsort(jumps, count, sizeof *jumps, by_target);
  for (uint32_t k = 0; k < 2 * c->leaves; k++)
    least[k] = UINT32_MAX;
  for (uint32_t p = 0; p < c->positions; p++) {
    struct cc_node *n = at(c, p);
    for (; added < count && jumps[added].to <= p; added++)
      note_least(c, least, jumps[added].from + 1, jumps[added].to, jumps[added].from);
    if (!n->waits)
      continue;
    uint32_t start = n->waits_from;
    bool header = false; /* a loop's header: the mask must begin before the loop */
    for (uint32_t l = at(c, start)->loop; l; l = c->loops.items[l].parent)
      header |= c->nodes.items[c->loops.items[l].header].position == start && c->loops.items[l].last < p;
    start -= header;
    for (uint32_t before = start + 1; start < before;)
      before = start, start = least_at(c, least, start);
    n->mask = cc_new_reg(c, CC_S, c->mask_dwords);
    n->mask_from = start;
    n->next_from = at(c, start)->masks_here;
    at(c, start)->masks_here = 1 + p;
  }
}

bool cc_control(struct cc_function *c) {
  make_waiting(c);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t p = 0; p < c->positions; p++)
      changed |= settle(c, p);
  }
  find_starts(c);
  return true;
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

static struct cc_operand exec(const struct cc_function *c) { return cc_special(OG_SPECIAL_EXEC_LO, c->mask_dwords); }
static struct cc_operand mask_of(const struct cc_function *c, const struct cc_node *n) {
  return (struct cc_operand){CC_REG, 0, 0, c->mask_dwords, n->mask};
}

static void masks(struct cc_function *c, unsigned row32, unsigned row64, struct cc_operand to, struct cc_operand a,
                  struct cc_operand b) {
  cc_emit(c, c->mask_dwords == 2 ? row64 : row32, 1, 3, (struct cc_operand[]){to, a, b});
}

static void move_mask(struct cc_function *c, struct cc_operand to, struct cc_operand from) {
  cc_emit(c, c->mask_dwords == 2 ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32, 1, 2, (struct cc_operand[]){to, from});
}

static void branch(struct cc_function *c, unsigned row, uint32_t position) {
  cc_emit(c, row, 0, 0, NULL)->offset = (int32_t)position;
}

void cc_enter_node(struct cc_function *c, uint32_t node) {
  struct cc_node *n = &c->nodes.items[node];
  n->first = c->insts.count;
  if (!n->waits)
    return;
  masks(c, OG_ROW_S_OR_B32, OG_ROW_S_OR_B64, exec(c), exec(c), mask_of(c, n));
  n->skips = !all_meet(c, n);
  if (!n->skips)
    return;
  n->skip = skipped_to(c, n->position);
  branch(c, OG_ROW_S_CBRANCH_EXECZ, n->skip);
}

/* Adds lanes of EXEC to those that wait at `to`: all, or those with `condition` or (`inverted`) without it. */
static void wait_at(struct cc_function *c, uint32_t from, uint32_t to, const struct cc_operand *condition,
                    bool inverted) {
  const struct cc_node *n = at(c, to);
  if (c->layout[to] == c->exit)
    return;
  struct cc_operand mask = mask_of(c, n);
  bool begins = n->mask_from == from, first = begins && !(at(c, from)->begun == 1 + to);
  if (begins)
    at(c, from)->begun = 1 + to;
  struct cc_operand lanes = first && condition ? mask : exec(c);
  if (condition) {
    if (!first)
      lanes = cc_temp(c, CC_S, c->mask_dwords);
    if (inverted)
      masks(c, OG_ROW_S_ANDN2_B32, OG_ROW_S_ANDN2_B64, lanes, exec(c), *condition);
    else
      masks(c, OG_ROW_S_AND_B32, OG_ROW_S_AND_B64, lanes, exec(c), *condition);
  }
  if (!first)
    masks(c, OG_ROW_S_OR_B32, OG_ROW_S_OR_B64, mask, mask, lanes);
  else if (!condition)
    move_mask(c, mask, lanes);
}

/* No lane goes on here: the code continues where lanes wait next. */
static void go_on(struct cc_function *c, uint32_t p) {
  uint32_t next = next_waiting(c, p);
  if (c->layout[next] != c->exit)
    move_mask(c, exec(c), cc_constant(0));
  if (next != p + 1)
    branch(c, OG_ROW_S_BRANCH, next);
}

static bool goes_to(const struct cc_function *c, const struct cc_node *n, uint32_t position) {
  for (uint32_t s = 0; s < n->succs; s++)
    if (c->nodes.items[n->succ[s]].position == position &&
        (n->parts || (n->succs == 1 && position > n->position + 1 && !may_jump(c, n->position, position))))
      return position != n->position + 1;
  return false;
}

static void skip_if_none(struct cc_function *c, uint32_t p) {
  uint32_t next = next_waiting(c, p);
  if (next != p + 1)
    branch(c, OG_ROW_S_CBRANCH_EXECZ, next);
}

/* One instruction both saves EXEC as the mask and parts the lanes, if one way leads to the next block and the other to
 * where all lanes of this block meet: then the mask may hold all of them. */
static bool saves_exec(struct cc_function *c, const struct cc_node *n, uint32_t yes, uint32_t no,
                       struct cc_operand condition) {
  uint32_t p = n->position, meet = yes == p + 1 ? no : yes;
  const struct cc_node *m = at(c, meet);
  bool wide = c->mask_dwords == 2;
  unsigned row = yes == p + 1 ? (wide ? OG_ROW_S_AND_SAVEEXEC_B64 : OG_ROW_S_AND_SAVEEXEC_B32)
                              : (wide ? OG_ROW_S_ANDN1_SAVEEXEC_B64 : OG_ROW_S_ANDN1_SAVEEXEC_B32);
  if ((yes != p + 1 && no != p + 1) || meet == p + 1 || !m->waits || m->mask_from != p || at(c, p)->begun == 1 + meet ||
      c->layout[meet] == c->exit || c->nodes.items[m->dominator].position != p || !all_meet(c, m) ||
      !cc_has_row(c, row))
    return false;
  at(c, p)->begun = 1 + meet;
  cc_emit(c, row, 1, 2, (struct cc_operand[]){mask_of(c, m), condition});
  skip_if_none(c, p);
  return true;
}

static void leave_parted(struct cc_function *c, struct cc_node *n, struct cc_operand condition) {
  uint32_t p = n->position, yes = c->nodes.items[n->succ[0]].position, no = c->nodes.items[n->succ[1]].position;
  if (saves_exec(c, n, yes, no, condition))
    return;
  if (yes != p + 1)
    wait_at(c, p, yes, &condition, false);
  if (no != p + 1)
    wait_at(c, p, no, &condition, true);
  if (yes != p + 1 && no != p + 1) {
    go_on(c, p);
    return;
  }
  if (yes == p + 1)
    masks(c, OG_ROW_S_AND_B32, OG_ROW_S_AND_B64, exec(c), exec(c), condition);
  else
    masks(c, OG_ROW_S_ANDN2_B32, OG_ROW_S_ANDN2_B64, exec(c), exec(c), condition);
  skip_if_none(c, p);
}

void cc_leave_node(struct cc_function *c, uint32_t node) {
  struct cc_node *n = &c->nodes.items[node];
  uint32_t p = n->position;
  for (uint32_t m = n->masks_here; m; m = at(c, m - 1)->next_from)
    if (!goes_to(c, n, m - 1))
      move_mask(c, mask_of(c, at(c, m - 1)), cc_constant(0));
  n = &c->nodes.items[node];
  if (n->succs == 0 && c->is_function) {
    cc_leave_function(c);
  } else if (n->succs == 0) {
    cc_emit(c, OG_ROW_S_ENDPGM, 0, 1, (struct cc_operand[]){cc_constant(0)});
  } else if (n->succs == 1) {
    uint32_t to = c->nodes.items[n->succ[0]].position;
    if (to != p + 1 && (to <= p || may_jump(c, p, to))) {
      branch(c, OG_ROW_S_BRANCH, to);
    } else if (to != p + 1) {
      wait_at(c, p, to, NULL, false);
      go_on(c, p);
    }
  } else if (n->parts) {
    leave_parted(c, n, cc_condition_mask(c, node));
  } else {
    uint32_t yes = c->nodes.items[n->succ[0]].position, no = c->nodes.items[n->succ[1]].position;
    bool sense = cc_condition_scc(c, node);
    if (yes == p + 1)
      branch(c, sense ? OG_ROW_S_CBRANCH_SCC0 : OG_ROW_S_CBRANCH_SCC1, no);
    else
      branch(c, sense ? OG_ROW_S_CBRANCH_SCC1 : OG_ROW_S_CBRANCH_SCC0, yes);
    if (yes != p + 1 && no != p + 1)
      branch(c, OG_ROW_S_BRANCH, no);
  }
  c->nodes.items[node].end = c->insts.count;
}
