/* jumps.c - removes branches that are not needed: those to another branch, to what comes next anyway, and out of a loop
 * and back. */
#include "cc/select.h"

static struct cc_node *at(const struct cc_function *c, uint32_t position) {
  return &c->nodes.items[c->layout[position]];
}
static bool is_empty(const struct cc_function *c, uint32_t p) { return at(c, p)->first == at(c, p)->end; }

static uint32_t not_empty(const struct cc_function *c, uint32_t p) {
  while (p + 1 < c->positions && is_empty(c, p))
    p++;
  return p;
}

/* Whether a block is only a branch, and where that leads. */
static bool is_branch(const struct cc_function *c, uint32_t p, uint32_t *to) {
  const struct cc_node *n = at(c, p);
  if (n->end != n->first + 1 || c->insts.items[n->first].row != OG_ROW_S_BRANCH)
    return false;
  *to = (uint32_t)c->insts.items[n->first].offset;
  return true;
}

static uint32_t destination(const struct cc_function *c, uint32_t p) {
  uint32_t to;
  for (unsigned steps = 0; steps < 16; steps++) {
    p = not_empty(c, p);
    if (!is_branch(c, p, &to) || to == p)
      break;
    p = to;
  }
  return p;
}

static unsigned opposite(unsigned row) {
  switch (row) {
  case OG_ROW_S_CBRANCH_SCC0: return OG_ROW_S_CBRANCH_SCC1;
  case OG_ROW_S_CBRANCH_SCC1: return OG_ROW_S_CBRANCH_SCC0;
  case OG_ROW_S_CBRANCH_EXECZ: return OG_ROW_S_CBRANCH_EXECNZ;
  default: return 0;
  }
}

bool cc_jumps(struct cc_function *c) {
  for (uint32_t k = 0; k < c->insts.count; k++)
    if (cc_is_jump(&c->insts.items[k]))
      c->insts.items[k].offset = (int32_t)destination(c, (uint32_t)c->insts.items[k].offset);
  for (uint32_t p = 0; p + 1 < c->positions; p++) {
    struct cc_node *n = at(c, p);
    if (n->first == n->end)
      continue;
    struct cc_inst *last = &c->insts.items[n->end - 1];
    uint32_t next = not_empty(c, p + 1), to;
    /* a branch around another one that nothing else reaches: the opposite condition goes there itself */
    if (opposite(last->row) && is_branch(c, next, &to) && next + 1 < c->positions &&
        (uint32_t)last->offset == not_empty(c, next + 1)) {
      last->row = (uint16_t)opposite(last->row), last->offset = (int32_t)to;
      at(c, next)->end = at(c, next)->first;
    }
    if (last->row == OG_ROW_S_BRANCH && (uint32_t)last->offset == not_empty(c, p + 1))
      n->end--;
  }
  uint32_t kept = 0;
  for (uint32_t p = 0; p < c->positions; p++) {
    struct cc_node *n = at(c, p);
    uint32_t first = kept;
    for (uint32_t k = n->first; k < n->end; k++)
      c->insts.items[kept++] = c->insts.items[k];
    n->first = first, n->end = kept;
  }
  c->insts.count = kept;
  return true;
}
