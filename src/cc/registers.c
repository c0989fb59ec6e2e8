/* registers.c - gives registers their numbers. Each is live from the first to the last place where liveness.c found it
 * so, in the order of the code. Those that begin first get the lowest numbers that are free (linear scan: Poletto and
 * Sarkar), or the number of the register from which they are copied. */
#include "cc/calls.h"
#include "cc/liveness.h"

#include <stdlib.h>

static int by_start(const void *a, const void *b, void *context) {
  const struct cc_reg *regs = context, *x = &regs[*(const uint32_t *)a], *y = &regs[*(const uint32_t *)b];
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

static unsigned alignment(const struct cc_function *c, const struct cc_reg *r) {
  if (r->file == CC_S)
    return r->dwords >= 3 ? 4 : r->dwords;
  return r->dwords > 1 && (c->isa->gfx90a || c->isa->gfx1250) ? 2 : 1;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

struct file {
  uint32_t busy[512];  /* by number: until when it is taken */
  uint32_t owner[512]; /* by which register; 0: none that may be spilled */
  uint32_t fixed[512]; /* by number: 1 + the next in `list` of the registers that must have it */
  unsigned limit;
  bool has_spilled;
};

struct fixed {
  uint32_t reg, next;
};

struct assignment {
  struct cc_function *c;
  struct file files[CC_FILES];
  OG_VECTOR(struct fixed) list;
  OG_VECTOR(uint32_t) calls; /* by rising numbers of instructions */
  OG_VECTOR(uint32_t) spilled;
};

static bool crosses_call(const struct assignment *a, const struct cc_reg *r) {
  uint32_t low = 0, high = a->calls.count;
  while (low < high) { /* the first call behind the register's beginning */
    uint32_t middle = (low + high) / 2;
    if (2 * a->calls.items[middle] > r->start)
      high = middle;
    else
      low = middle + 1;
  }
  return low < a->calls.count && 2 * a->calls.items[low] + 1 < r->end;
}

/* Whether a register may have a number. If it is live across a call, it needs a number that calls preserve. In a
 * function only those may have a number that the caller counts on whose lanes are saved. */
static bool is_allowed(const struct cc_function *c, const struct cc_reg *r, bool crosses, unsigned number) {
  if (!c->is_function && !c->has_calls)
    return true;
  if (r->file == CC_A) /* calls preserve none of these */
    return !crosses;
  if (r->whole)
    return cc_is_preserved(CC_V, number);
  if (r->file == CC_S && number == CC_S_STACK)
    return false;
  if (c->is_function)
    return !crosses && (r->file == CC_S ? number < CC_S_SAVED_EXEC : !cc_is_preserved(CC_V, number));
  return !crosses || cc_is_preserved(r->file, number);
}

/* Whether a register may have the numbers from `at` on, as far as calls and registers with a fixed number allow. */
static bool is_possible(struct assignment *a, struct file *f, unsigned at, const struct cc_reg *r, bool crosses) {
  for (unsigned k = 0; k < r->dwords; k++) {
    if (!is_allowed(a->c, r, crosses, at + k))
      return false;
    while (f->fixed[at + k] && a->c->regs.items[a->list.items[f->fixed[at + k] - 1].reg].end < r->start)
      f->fixed[at + k] = a->list.items[f->fixed[at + k] - 1].next; /* over: no later one begins before this one */
    if (f->fixed[at + k] && a->c->regs.items[a->list.items[f->fixed[at + k] - 1].reg].start <= r->end)
      return false;
  }
  return true;
}

/* Whether the numbers from `at` on are free. A value may take the number of one that is read for the last time where
 * this one is written. */
static bool is_free(struct assignment *a, struct file *f, unsigned at, const struct cc_reg *r, bool crosses) {
  for (unsigned k = 0; k < r->dwords; k++)
    if (f->busy[at + k] >= r->start && f->busy[at + k])
      return false;
  return is_possible(a, f, at, r, crosses);
}

static void occupy(struct assignment *a, uint32_t number, unsigned at) {
  struct cc_reg *r = &a->c->regs.items[number];
  struct file *f = &a->files[r->file];
  uint16_t *taken = (uint16_t *const[]){&a->c->sgprs, &a->c->vgprs, &a->c->agprs}[r->file];
  r->physical = (uint16_t)at;
  *taken = (uint16_t)OG_MAX(*taken, at + r->dwords);
  for (unsigned d = 0; d < r->dwords; d++) {
    f->busy[at + d] = OG_MAX(r->end, r->start + 1);
    f->owner[at + d] = r->temporary || (r->whole && !r->wave) ? 0 : number;
  }
}

static void give_up(struct assignment *a, uint32_t number) {
  struct cc_reg *r = &a->c->regs.items[number];
  struct file *f = &a->files[r->file];
  *OG_PUSH(a->c->arena, &a->spilled) = number;
  f->has_spilled = true;
  for (unsigned k = 0; k < OG_COUNT(f->owner); k++)
    if (f->owner[k] == number)
      f->owner[k] = 0, f->busy[k] = 0;
}

/* Where spilling the registers that are there costs least, and what that costs; false: it is possible nowhere. */
static bool cheapest(struct assignment *a, const struct cc_reg *r, unsigned step, unsigned *at, float *cost) {
  struct file *f = &a->files[r->file];
  bool found = false, crosses = crosses_call(a, r);
  for (unsigned first = 0; first + r->dwords <= f->limit; first += step) {
    float sum = 0;
    bool possible = is_possible(a, f, first, r, crosses);
    for (unsigned k = 0; k < r->dwords && possible; k++) {
      if (f->busy[first + k] < r->start || !f->busy[first + k])
        continue;
      uint32_t owner = f->owner[first + k];
      possible = owner;
      if (owner && !(k && f->owner[first + k - 1] == owner))
        sum += a->c->regs.items[owner].cost;
    }
    if (possible && (!found || sum < *cost))
      found = true, *cost = sum, *at = first;
  }
  return found;
}

static bool make_room(struct assignment *a, uint32_t number, unsigned step) {
  struct cc_reg *r = &a->c->regs.items[number];
  struct file *f = &a->files[r->file];
  unsigned at = 0;
  float cost = 0;
  bool found = cheapest(a, r, step, &at, &cost);
  if (!r->temporary && (!r->whole || r->wave) && (!found || r->cost <= cost)) {
    *OG_PUSH(a->c->arena, &a->spilled) = number;
    f->has_spilled = true;
    return true;
  }
  if (!found)
    return false;
  for (unsigned k = 0; k < r->dwords; k++)
    if (f->owner[at + k] && f->busy[at + k] >= r->start)
      give_up(a, f->owner[at + k]);
  occupy(a, number, at);
  return true;
}

static bool place(struct assignment *a, uint32_t number) {
  struct cc_function *c = a->c;
  struct cc_reg *r = &c->regs.items[number];
  struct file *f = &a->files[r->file];
  unsigned step = alignment(c, r), at = f->limit;
  const struct cc_reg *hint = r->hint ? &c->regs.items[r->hint] : NULL;
  bool crosses = crosses_call(a, r);
  if (hint && hint->physical != CC_NO_REGISTER && hint->dwords == r->dwords && hint->file == r->file &&
      hint->start != UINT32_MAX && hint->physical + r->dwords <= f->limit &&
      is_free(a, f, hint->physical, r, crosses))
    at = hint->physical;
  else
    for (at = 0; at + r->dwords <= f->limit && !is_free(a, f, at, r, crosses);)
      at += step;
  if (at + r->dwords > f->limit)
    return make_room(a, number, step);
  occupy(a, number, at);
  return true;
}

static bool assign(struct assignment *a) {
  struct cc_function *c = a->c;
  uint32_t *order = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count), count = 0, fixed = 0;
  uint32_t *fixed_ones = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count);
  for (uint32_t k = 0; k < c->insts.count && c->has_calls; k++)
    if (c->insts.items[k].row == OG_ROW_S_SWAPPC_B64)
      *OG_PUSH(c->arena, &a->calls) = k;
  unsigned limits[CC_FILES];
  cc_register_limits(c, limits);
  for (unsigned f = 0; f < CC_FILES; f++)
    a->files[f].limit = limits[f];
  c->sgprs = c->vgprs = c->agprs = 0;
  for (uint32_t r = 1; r < c->regs.count; r++) {
    struct cc_reg *reg = &c->regs.items[r];
    if (reg->whole && (reg->start != UINT32_MAX || reg->input))
      reg->start = 0, reg->end = 2 * c->insts.count + 1;
    if (reg->start == UINT32_MAX) {
      if (!reg->input)
        reg->physical = 0;
      continue;
    }
    if (!reg->input) {
      reg->physical = CC_NO_REGISTER;
      order[count++] = r;
      continue;
    }
    fixed_ones[fixed++] = r;
    uint16_t *taken = reg->file == CC_S ? &c->sgprs : &c->vgprs;
    *taken = (uint16_t)OG_MAX(*taken, reg->physical + reg->dwords);
  }
  qsort_r(fixed_ones, fixed, sizeof *order, by_start, c->regs.items);
  while (fixed-- > 0)
    for (unsigned k = 0; k < c->regs.items[fixed_ones[fixed]].dwords; k++) {
      struct cc_reg *reg = &c->regs.items[fixed_ones[fixed]];
      *OG_PUSH(c->arena, &a->list) = (struct fixed){fixed_ones[fixed], a->files[reg->file].fixed[reg->physical + k]};
      a->files[reg->file].fixed[reg->physical + k] = a->list.count;
    }
  qsort_r(order, count, sizeof *order, by_start, c->regs.items);
  for (uint32_t k = 0; k < count; k++)
    if (!place(a, order[k])) {
      c->short_of = c->regs.items[order[k]].file;
      return false;
    }
  return true;
}

static void find_costs(struct cc_function *c) {
  for (uint32_t r = 0; r < c->regs.count; r++)
    c->regs.items[r].cost = 0;
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    float weight = 1;
    for (uint32_t depth = n->loop ? c->loops.items[n->loop].depth : 0; depth && weight < 1e9f; depth--)
      weight *= 8;
    for (uint32_t k = n->first; k < n->end; k++)
      for (unsigned o = 0; o < c->insts.items[k].operands; o++) {
        struct cc_operand op = c->operands.items[c->insts.items[k].first + o];
        if (op.kind == CC_REG)
          c->regs.items[op.value].cost += weight;
      }
  }
  for (uint32_t r = 1; r < c->regs.count; r++)
    if (c->regs.items[r].start != UINT32_MAX)
      c->regs.items[r].cost /= (float)(c->regs.items[r].end - c->regs.items[r].start + 1);
}

/* Whether the vector registers that do not fit have room in accumulation registers, even if each needs a number of its
 * own. If the others may go to scratch, as many as have room. With calls there is no room, since these do not preserve
 * accumulation registers. */
static bool promise_accumulators(struct assignment *a) {
  struct cc_function *c = a->c;
  uint32_t dwords = 0;
  bool whole = false; /* lanes that are off must keep what such a register holds for them */
  for (uint32_t k = 0; k < a->spilled.count; k++) {
    dwords += c->regs.items[a->spilled.items[k]].file == CC_V ? c->regs.items[a->spilled.items[k]].dwords : 0;
    whole |= c->regs.items[a->spilled.items[k]].whole;
  }
  bool may = !whole && !c->is_function && !c->has_calls && (!c->isa->gfx90a || c->accumulates || !c->has_matrices) &&
             !a->files[CC_A].has_spilled;
  uint32_t room = may && a->files[CC_A].limit > c->agprs ? a->files[CC_A].limit - c->agprs : 0;
  c->homes_left = room >= dwords || c->spills ? OG_MIN(room, dwords) : 0;
  return may && room >= dwords;
}

/* Registers that are written with lanes on that were off must have numbers that nothing else has. Those that live in
 * one block share a few. */
static void share_whole(struct cc_function *c) {
  uint32_t count = c->regs.count, *first = OG_NEW_ARRAY(c->arena, uint32_t, count),
           *last = OG_NEW_ARRAY(c->arena, uint32_t, count);
  uint32_t *block = OG_NEW_ARRAY(c->arena, uint32_t, count), *as = OG_NEW_ARRAY(c->arena, uint32_t, count);
  OG_VECTOR(uint32_t) pool = {0};
  for (unsigned pass = 0; pass < 2; pass++)
    for (uint32_t p = 0; p < c->positions; p++)
      for (uint32_t k = c->nodes.items[c->layout[p]].first; k < c->nodes.items[c->layout[p]].end; k++)
        for (unsigned o = c->insts.items[k].operands; o-- > 0;) { /* an instruction reads before it writes */
          struct cc_operand *op = &c->operands.items[c->insts.items[k].first + o];
          if (op->kind != CC_REG || op->value >= count)
            continue;
          uint32_t r = op->value;
          const struct cc_reg *reg = &c->regs.items[r];
          if (!reg->whole || reg->file != CC_V || reg->dwords != 1 || reg->physical != CC_NO_REGISTER)
            continue;
          if (!pass) {
            bool reads = !first[r] && o >= c->insts.items[k].defs;
            first[r] = first[r] ? first[r] : 1 + k, last[r] = 1 + k;
            block[r] = !reads && (!block[r] || block[r] == 1 + p) ? 1 + p : UINT32_MAX;
            continue;
          }
          for (uint32_t n = 0; n < pool.count && !as[r] && block[r] != UINT32_MAX; n++)
            if (last[pool.items[n]] < 1 + k && c->regs.items[pool.items[n]].temporary == reg->temporary)
              as[r] = pool.items[n], last[as[r]] = last[r];
          if (!as[r] && block[r] != UINT32_MAX)
            as[r] = *OG_PUSH(c->arena, &pool) = r;
          op->value = as[r] ? as[r] : r;
        }
}

bool cc_registers(struct cc_function *c) {
  enum { MOST_ROUNDS = 32 };
  for (uint32_t r = 1; r < c->regs.count; r++)
    c->regs.items[r].input = c->regs.items[r].physical != CC_NO_REGISTER;
  for (unsigned round = 0; round < MOST_ROUNDS; round++) {
    if (c->modes)
      share_whole(c);
    struct assignment *a = OG_NEW(c->arena, struct assignment);
    a->c = c;
    struct cc_liveness l;
    if (!c->has_intervals) {
      cc_find_liveness(c, &l);
      cc_free_liveness(&l);
    }
    c->has_intervals = false;
    find_costs(c);
    bool ok = assign(a);
    if (ok && !a->spilled.count)
      return true;
    c->is_short = true; /* it must be compiled once more, with more room */
    if (!ok && !a->spilled.count)
      return false;
    bool fits = a->files[CC_V].has_spilled && promise_accumulators(a);
    if (!c->spills && (a->files[CC_A].has_spilled || (a->files[CC_V].has_spilled && !fits)))
      return false;
    if (!cc_spill(c, a->spilled.items, a->spilled.count))
      return false;
    c->is_short = false;
  }
  c->is_short = true;
  return false;
}
