/* cluster.c - makes one access of several to neighbouring memory. Scalar loads are of memory that nothing in the kernel
 * changes; they move to where their addresses are known, so that they are waited for together, and those side by side
 * become one. Vector loads from one address with different offsets join the first of them, stores the last, if no
 * access between could meet them. */
#include "cc/address.h"
#include "cc/alias.h"
#include "cc/debug_tracks.h"

#include <stdlib.h>

enum { NEAR = 64, MOST_SCALARS = 48 }; /* accesses looked at together; dwords that move up in a block */
enum { PASSED = 8 };                   /* stores that loads may go past */

struct access {
  uint32_t inst, place; /* where it moves to */
  int32_t offset;
  uint8_t dwords;
};

struct state {
  struct cc_function *c;
  uint32_t *to;  /* by register: the one that it has become part of, */
  uint8_t *sub;  /* and the dword of that where it begins */
  uint8_t *writes;
  bool *gone;    /* by instruction */
  uint32_t *extra, *extras; /* by instruction: accesses that now stand before it */
  OG_VECTOR(uint32_t) order;
  OG_VECTOR(struct access) scalars;
};

static operand *operands_of(const struct state *s, uint32_t inst) {
  return &s->c->operands.items[s->c->insts.items[inst].first];
}

static int by_place(const void *a, const void *b, void *context) {
  const struct state *s = context;
  const struct access *x = a, *y = b;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  operand p = operands_of(s, x->inst)[1], q = operands_of(s, y->inst)[1];
  if (p.value != q.value || p.sub != q.sub)
    return p.value != q.value ? (p.value < q.value ? -1 : 1) : p.sub < q.sub ? -1 : 1;
  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  return x->inst < y->inst ? -1 : 1;
}

static unsigned scalar_dwords(unsigned row) {
  switch (row) {
  case OG_ROW_S_LOAD_DWORD: return 1;
  case OG_ROW_S_LOAD_DWORDX2: return 2;
  case OG_ROW_S_LOAD_DWORDX4: return 4;
  case OG_ROW_S_LOAD_DWORDX8: return 8;
  case OG_ROW_S_LOAD_DWORDX16: return 16;
  default: return 0;
  }
}

/* `from` becomes dwords of another register, from `sub` on. */
static void become(struct state *s, operand from, operand to, unsigned sub) {
  s->to[from.value] = to.value;
  s->sub[from.value] = (uint8_t)sub;
}

/* Makes as few loads as possible of the scalar loads from `first` to `end`, which have one address and rising
 * offsets. */
static void load_scalars(struct state *s, const struct access *list, uint32_t count) {
  static const uint16_t rows[] = {OG_ROW_S_LOAD_DWORD, OG_ROW_S_LOAD_DWORDX2, OG_ROW_S_LOAD_DWORDX4,
                                  OG_ROW_S_LOAD_DWORDX8, OG_ROW_S_LOAD_DWORDX16};
  struct cc_function *c = s->c;
  for (uint32_t k = 0; k < count;) {
    uint32_t fit = 1, log = 0;
    int32_t end = list[k].offset + 4 * list[k].dwords;
    while (1u << log < list[k].dwords)
      log++;
    uint32_t last = k + 1;
    for (int32_t reach = end; last < count && list[last].offset <= reach; last++) { /* side by side or the same */
      int32_t place = (list[last].offset - list[k].offset) / 4;
      unsigned align = list[last].dwords >= 4 ? 4 : list[last].dwords;
      int32_t until = list[last].offset + 4 * list[last].dwords;
      reach = OG_MAX(reach, until);
      if (list[last].offset % 4 || (unsigned)place % align || (reach - list[k].offset) / 4 > 16)
        break;
      int32_t dwords = (reach - list[k].offset) / 4;
      if (!(dwords & (dwords - 1))) /* a number of dwords that an instruction can load */
        fit = last + 1 - k, log = (uint32_t)__builtin_ctz((unsigned)dwords);
    }
    uint32_t first = list[k].inst;
    if (fit > 1) {
      operand to = cc_temp(c, CC_S, 1u << log), list_of[2] = {to, operands_of(s, first)[1]};
      uint32_t record = c->insts.items[first].record;
      struct cc_inst *load = &c->insts.items[first];
      for (uint32_t n = k; n < k + fit; n++) {
        become(s, operands_of(s, list[n].inst)[0], to, (unsigned)(list[n].offset - list[k].offset) / 4);
        s->gone[list[n].inst] = true;
      }
      load->row = rows[log], load->first = c->operands.count, load->record = record;
      *OG_PUSH(c->arena, &c->operands) = list_of[0];
      *OG_PUSH(c->arena, &c->operands) = list_of[1];
    }
    *OG_PUSH(c->arena, &s->order) = first;
    k += fit;
  }
}

/* Where a block's own code begins: behind the code that joins lanes. */
static uint32_t body(const struct cc_function *c, const struct cc_node *n) {
  uint32_t k = n->first;
  while (k < n->end && n->waits && k < n->first + 2 &&
         (c->insts.items[k].row == OG_ROW_S_CBRANCH_EXECZ || c->insts.items[k].row == OG_ROW_S_OR_B64 ||
          c->insts.items[k].row == OG_ROW_S_OR_B32))
    k++;
  return k;
}

/* Whether an instruction sets where the wave's scratch is: a value that is loaded earlier could not be spilled
 * there. */
static bool sets_scratch(const struct cc_function *c, const struct cc_inst *i) {
  const operand *to = &c->operands.items[i->first];
  if (i->row == OG_ROW_S_SETREG_B32)
    return true;
  return i->defs && (to->kind == CC_REG ? c->regs.items[to->value].physical != CC_NO_REGISTER
                                        : to->kind == CC_SPECIAL && (to->value == OG_SPECIAL_FLAT_SCRATCH_LO ||
                                                                     to->value == OG_SPECIAL_FLAT_SCRATCH_HI));
}

static void find_scalars(struct state *s, const struct cc_node *n, uint32_t *made) {
  struct cc_function *c = s->c;
  uint32_t least = body(c, n), dwords = 0;
  if (c->is_function && n == &c->nodes.items[c->layout[0]]) /* behind the wait for what the caller has left pending */
    least = OG_MAX(least, n->first + 1);
  s->scalars.count = 0;
  for (uint32_t k = n->first; k < n->end; k++) {
    const struct cc_inst *i = &c->insts.items[k];
    unsigned size = scalar_dwords(i->row);
    if (i->row == OG_ROW_S_SWAPPC_B64 || i->row == OG_ROW_S_SETPC_B64)
      least = k + 1, dwords = 0;
    else if (sets_scratch(c, i))
      least = k + 1;
    for (unsigned o = 0; o < i->defs && i->row != CC_ROW_WAIT_ALL; o++)
      if (c->operands.items[i->first + o].kind == CC_REG)
        made[c->operands.items[i->first + o].value] = 1 + k;
    if (!size || dwords + size > MOST_SCALARS)
      continue;
    operand to = operands_of(s, k)[0], base = operands_of(s, k)[1];
    if (base.kind != CC_REG || to.kind != CC_REG || s->writes[to.value] != 1 || s->writes[base.value] > 2 ||
        c->regs.items[to.value].physical != CC_NO_REGISTER || to.value == base.value)
      continue;
    dwords += size;
    uint32_t ready = made[base.value] > n->first ? OG_MAX(made[base.value], least) : least;
    *OG_PUSH(c->arena, &s->scalars) = (struct access){k, ready, i->offset, (uint8_t)size};
    s->gone[k] = true;
  }
  if (s->scalars.count)
    qsort_r(s->scalars.items, s->scalars.count, sizeof *s->scalars.items, by_place, s);
}

static void order_block(struct state *s, struct cc_node *n, uint32_t *made) {
  struct cc_function *c = s->c;
  uint32_t at = 0, first = s->order.count;
  find_scalars(s, n, made);
  for (uint32_t k = n->first; k <= n->end; k++) {
    while (at < s->scalars.count && s->scalars.items[at].place == k) {
      uint32_t end = at + 1;
      operand base = operands_of(s, s->scalars.items[at].inst)[1];
      while (end < s->scalars.count && s->scalars.items[end].place == k) {
        operand other = operands_of(s, s->scalars.items[end].inst)[1];
        if (other.value != base.value || other.sub != base.sub)
          break;
        end++;
      }
      load_scalars(s, s->scalars.items + at, end - at);
      at = end;
    }
    for (uint32_t e = 0; k < n->end && e < s->extras[k]; e++)
      *OG_PUSH(c->arena, &s->order) = s->extra[k] + e;
    if (k < n->end && !s->gone[k])
      *OG_PUSH(c->arena, &s->order) = k;
  }
  n->first = first, n->end = s->order.count;
}

static inline void now(const struct state *s, uint32_t regs, operand *o) {
  while (o->kind == CC_REG && o->value < regs && s->to[o->value])
    o->sub = (uint8_t)(o->sub + s->sub[o->value]), o->value = s->to[o->value];
}

static void rename_all(struct state *s, uint32_t regs) {
  struct cc_function *c = s->c;
  for (uint32_t k = 0; k < c->operands.count; k++)
    now(s, regs, &c->operands.items[k]);
  for (uint32_t k = 0; c->tracks && k < c->tracks->places.count; k++)
    now(s, regs, &c->tracks->places.items[k]);
  for (uint32_t r = 1; r < c->regs.count; r++)
    if (c->regs.items[r].hint < regs && s->to[c->regs.items[r].hint])
      c->regs.items[r].hint = s->to[c->regs.items[r].hint];
}

/* ---- vector memory ----------------------------------------------------------------------------------------------- */

enum { GLOBALS, LOCALS };

static const struct kind {
  uint16_t row;
  uint8_t where, dwords;
  bool stores;
} kinds[] = {
    {OG_ROW_GLOBAL_LOAD_DWORD, GLOBALS, 1, false},    {OG_ROW_GLOBAL_LOAD_DWORDX2, GLOBALS, 2, false},
    {OG_ROW_GLOBAL_LOAD_DWORDX3, GLOBALS, 3, false},  {OG_ROW_GLOBAL_STORE_DWORD, GLOBALS, 1, true},
    {OG_ROW_GLOBAL_STORE_DWORDX2, GLOBALS, 2, true},  {OG_ROW_GLOBAL_STORE_DWORDX3, GLOBALS, 3, true},
    {OG_ROW_DS_READ_B32, LOCALS, 1, false},           {OG_ROW_DS_READ_B64, LOCALS, 2, false},
    {OG_ROW_DS_WRITE_B32, LOCALS, 1, true},           {OG_ROW_DS_WRITE_B64, LOCALS, 2, true},
};

static const struct kind *kind_of(const struct cc_inst *i) {
  for (unsigned k = 0; k < OG_COUNT(kinds); k++)
    if (kinds[k].row == i->row)
      return i->policy || i->keep ? NULL : &kinds[k];
  return NULL;
}

/* The place of the data among the operands, and that of the address. */
static unsigned datum(const struct kind *kind) { return kind->stores; }
static unsigned address(const struct kind *kind) { return !kind->stores; }

static bool same_address(const struct state *s, uint32_t a, uint32_t b, const struct kind *kind) {
  const struct cc_inst *x = &s->c->insts.items[a], *y = &s->c->insts.items[b];
  if (x->operands != y->operands || !cc_same(operands_of(s, a)[address(kind)], operands_of(s, b)[address(kind)]))
    return false;
  return x->operands < 3 || cc_same(operands_of(s, a)[2], operands_of(s, b)[2]);
}

static int by_offset(const void *a, const void *b) {
  const struct access *x = a, *y = b;
  return x->offset != y->offset ? (x->offset < y->offset ? -1 : 1) : x->inst < y->inst ? -1 : x->inst > y->inst;
}

/* Makes one access of `count`, which stands at `place`. */
static void join(struct state *s, const struct access *list, uint32_t count, unsigned row, int32_t offset,
                 uint32_t place, const struct kind *kind, bool mixed) {
  struct cc_function *c = s->c;
  unsigned dwords = 0, at = 0, operands = 0;
  bool two = kind->where == LOCALS && kind->stores; /* the instruction takes two data */
  for (uint32_t k = 0; k < count; k++)
    dwords += list[k].dwords;
  const struct cc_inst old = c->insts.items[place];
  operand data = two ? cc_constant(0) : cc_temp(c, CC_V, dwords), all[6];
  all[operands++] = kind->stores ? operands_of(s, place)[0] : data;
  all[operands++] = kind->stores ? data : operands_of(s, place)[1];
  if (old.operands > 2)
    all[operands++] = operands_of(s, place)[2];
  s->extra[place] = c->insts.count;
  for (uint32_t k = 0; k < count; k++) {
    operand mine = operands_of(s, list[k].inst)[datum(kind)];
    if (two)
      all[1 + k] = mine, operands = 2 + k;
    for (unsigned d = 0; d < list[k].dwords && kind->stores && !two; d++)
      cc_emit(c, OG_ROW_V_MOV_B32, 1, 2, (operand[]){cc_part_of(data, at + d, 1), cc_part_of(mine, d, 1)})->record =
          old.record;
    if (!kind->stores)
      become(s, mine, data, at);
    at += list[k].dwords;
    s->gone[list[k].inst] = true;
  }
  s->extras[place] = c->insts.count - s->extra[place];
  struct cc_inst *now = &c->insts.items[place];
  now->mixed = mixed;
  now->row = (uint16_t)row, now->offset = offset, now->first = c->operands.count, now->operands = (uint8_t)operands;
  for (unsigned k = 0; k < operands; k++)
    *OG_PUSH(c->arena, &c->operands) = all[k];
  s->gone[place] = false;
}

struct group {
  struct access list[NEAR];
  uint32_t count;
  const struct kind *kind;
  uint32_t passed[PASSED]; /* of loads: the stores since the first one, which further loads would pass */
  uint32_t passes;
  bool mixed; /* others may meet these accesses though they cannot meet the first one */
};

/* Whether the first accesses of a list may be one instruction: its row, and its offset as that row counts it. */
static bool may_join(const struct state *s, const struct access *list, uint32_t count, const struct kind *kind,
                     unsigned *row, int32_t *offset) {
  static const uint16_t wide[2][5] = {
      {0, 0, OG_ROW_GLOBAL_LOAD_DWORDX2, OG_ROW_GLOBAL_LOAD_DWORDX3, OG_ROW_GLOBAL_LOAD_DWORDX4},
      {0, 0, OG_ROW_GLOBAL_STORE_DWORDX2, OG_ROW_GLOBAL_STORE_DWORDX3, OG_ROW_GLOBAL_STORE_DWORDX4}};
  bool even = s->c->isa->gfx90a || s->c->isa->gfx1250;
  unsigned dwords = 0;
  *offset = list[0].offset;
  if (kind->where == LOCALS) {
    int32_t each = 4 * list[0].dwords, last = list[1].offset;
    if (count != 2 || list[0].dwords != list[1].dwords || *offset % each || last % each || last / each > 255 ||
        last == *offset)
      return false;
    *offset = *offset / each | last / each << 8;
    *row = kind->stores ? (each == 4 ? OG_ROW_DS_WRITE2_B32 : OG_ROW_DS_WRITE2_B64)
                        : (each == 4 ? OG_ROW_DS_READ2_B32 : OG_ROW_DS_READ2_B64);
    return cc_has_row(s->c, *row);
  }
  for (uint32_t k = 0; k < count; k++) {
    if (list[k].offset != *offset + 4 * (int32_t)dwords || (even && list[k].dwords > 1 && dwords % 2))
      return false;
    dwords += list[k].dwords;
  }
  if (dwords < 2 || dwords > 4)
    return false;
  *row = wide[kind->stores][dwords];
  return cc_has_row(s->c, *row);
}

static void close_group(struct state *s, struct group *g) {
  qsort(g->list, g->count, sizeof *g->list, by_offset);
  for (uint32_t k = 0; k < g->count;) {
    uint32_t count = OG_MIN(4u, g->count - k), place = g->list[k].inst;
    unsigned row = 0;
    int32_t offset = 0;
    while (count > 1 && !may_join(s, g->list + k, count, g->kind, &row, &offset))
      count--;
    for (uint32_t n = k; n < k + count; n++)
      place = g->kind->stores ? OG_MAX(place, g->list[n].inst) : OG_MIN(place, g->list[n].inst);
    if (count > 1)
      join(s, g->list + k, count, row, offset, place, g->kind, g->mixed);
    k += count;
  }
  g->count = g->passes = 0;
  g->mixed = false;
}

enum { GROUPS = 8 };

/* Closes the groups that an instruction ends: those of loads, of stores. */
static void close(struct state *s, struct group *groups, bool loads, bool stores) {
  for (unsigned g = 0; g < GROUPS; g++)
    if (groups[g].count && (groups[g].kind->stores ? stores : loads))
      close_group(s, &groups[g]);
}

static bool overlaps(const struct group *g, int32_t offset, unsigned dwords) {
  for (uint32_t k = 0; k < g->count; k++)
    if (offset < g->list[k].offset + 4 * (int32_t)g->list[k].dwords && g->list[k].offset < offset + 4 * (int32_t)dwords)
      return true;
  return false;
}

static bool may_meet(const struct state *s, const struct group *g, uint32_t inst) {
  const struct cc_inst *insts = s->c->insts.items;
  return g->mixed || cc_insts_may_meet(s->c, &insts[g->list[0].inst], &insts[inst]);
}

/* Whether a load would go past a store that it may meet. */
static bool passes_any(const struct state *s, const struct group *g, uint32_t load) {
  for (uint32_t k = 0; k < g->passes; k++)
    if (cc_insts_may_meet(s->c, &s->c->insts.items[g->passed[k]], &s->c->insts.items[load]))
      return true;
  return false;
}

/* Tells a group of the same kind of memory about an access that does not become part of it. */
static void see(struct state *s, struct group *g, uint32_t inst, const struct kind *kind) {
  if (g->kind->stores && may_meet(s, g, inst)) /* the access may be to the same memory */
    close_group(s, g);
  else if (!g->kind->stores && kind->stores && g->passes < PASSED)
    g->passed[g->passes++] = inst;
  else if (!g->kind->stores && kind->stores)
    close_group(s, g);
}

static void add(struct state *s, struct group *groups, uint32_t inst, const struct kind *kind) {
  struct group *to = NULL;
  for (unsigned g = 0; g < GROUPS; g++) {
    if (!groups[g].count || groups[g].kind->where != kind->where)
      continue;
    bool fits = !to && groups[g].kind->stores == kind->stores && groups[g].count < NEAR &&
                same_address(s, groups[g].list[0].inst, inst, kind) &&
                (kind->stores || !passes_any(s, &groups[g], inst));
    if (!fits)
      see(s, &groups[g], inst, kind);
    else if (kind->stores && overlaps(&groups[g], s->c->insts.items[inst].offset, kind->dwords))
      close_group(s, to = &groups[g]); /* two stores to one place keep their order */
    else
      to = &groups[g];
  }
  for (unsigned g = 0; g < GROUPS && !to; g++)
    to = groups[g].count ? NULL : &groups[g];
  if (!to)
    close_group(s, to = &groups[inst % GROUPS]);
  const struct cc_inst *insts = s->c->insts.items;
  to->mixed |= to->count && !cc_meets_alike(s->c->m, s->c->f, insts[to->list[0].inst].record, insts[inst].record);
  to->kind = kind;
  to->list[to->count++] = (struct access){inst, 0, s->c->insts.items[inst].offset, kind->dwords};
}

/* Whether a group reads or writes a register that is about to be written, and so must not pass this instruction. */
static bool names(const struct state *s, const struct group *g, uint32_t reg) {
  for (uint32_t k = 0; k < g->count; k++)
    for (unsigned o = 0; o < s->c->insts.items[g->list[k].inst].operands; o++)
      if (operands_of(s, g->list[k].inst)[o].kind == CC_REG && operands_of(s, g->list[k].inst)[o].value == reg)
        return true;
  return false;
}

/* `groups` must be empty; they are empty again at the end. */
static void join_block(struct state *s, struct group *groups, const struct cc_node *n) {
  struct cc_function *c = s->c;
  for (uint32_t k = n->first; k < n->end; k++) {
    const struct cc_inst i = c->insts.items[k];
    if (i.row == CC_ROW_WAIT_ALL || i.row == CC_ROW_ASSEMBLY || i.row == OG_ROW_S_SWAPPC_B64) {
      close(s, groups, true, true);
      continue;
    }
    if (!cc_has_row(c, i.row))
      continue;
    const struct og_form *form = og_form(c->isa, c->forms[i.row][0]);
    const struct kind *kind = kind_of(&i);
    bool once = kind && (kind->stores || (s->writes[operands_of(s, k)[0].value] == 1 &&
                                          !c->regs.items[operands_of(s, k)[0].value].whole));
    for (unsigned o = 0; o < i.defs; o++) {
      operand def = operands_of(s, k)[o];
      for (unsigned g = 0; g < GROUPS && def.kind == CC_REG && s->writes[def.value] > 1; g++)
        if (groups[g].count && names(s, &groups[g], def.value))
          close_group(s, &groups[g]);
    }
    if (once)
      add(s, groups, k, kind);
    else if (form->row_flags & (OG_FLAG_STORE | OG_FLAG_ATOMIC | OG_FLAG_SIDE_EFFECTS | OG_FLAG_CALL))
      close(s, groups, true, true);
    else if (form->counters && form->issue != OG_ISSUE_SMEM)
      close(s, groups, false, true);
  }
  close(s, groups, true, true);
}

bool cc_cluster(struct cc_function *c) {
  struct state s = {.c = c};
  uint32_t insts = c->insts.count, regs = c->regs.count;
  s.to = OG_NEW_ARRAY(c->arena, uint32_t, regs), s.sub = OG_NEW_ARRAY(c->arena, uint8_t, regs);
  s.writes = OG_NEW_ARRAY(c->arena, uint8_t, regs);
  s.gone = OG_NEW_ARRAY(c->arena, bool, insts + 1);
  s.extra = OG_NEW_ARRAY(c->arena, uint32_t, insts + 1), s.extras = OG_NEW_ARRAY(c->arena, uint32_t, insts + 1);
  for (uint32_t k = 0; k < insts; k++)
    for (unsigned o = 0; o < c->insts.items[k].defs; o++) {
      operand def = c->operands.items[c->insts.items[k].first + o];
      if (def.kind == CC_REG && s.writes[def.value] < 9)
        s.writes[def.value]++;
    }
  struct group *groups = OG_NEW_ARRAY(c->arena, struct group, GROUPS);
  for (uint32_t p = 0; p < c->positions; p++)
    join_block(&s, groups, &c->nodes.items[c->layout[p]]);
  uint32_t *made = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count); /* of what was joined, too */
  for (uint32_t p = 0; p < c->positions; p++)
    order_block(&s, &c->nodes.items[c->layout[p]], made);
  struct cc_inst *all = OG_NEW_ARRAY(c->arena, struct cc_inst, s.order.count + 1);
  for (uint32_t k = 0; k < s.order.count; k++)
    all[k] = c->insts.items[s.order.items[k]];
  c->insts.items = all, c->insts.count = c->insts.capacity = s.order.count;
  rename_all(&s, regs);
  return true;
}
