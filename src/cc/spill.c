/* spill.c - registers that do not fit. Their values stand in memory; those of vector registers in accumulation
 * registers if there is room; those of scalar registers in lanes of vector registers, and only if these do not suffice
 * in memory. They come into short-lived registers where they are read or written. A value that a lane writes goes to
 * that lane's memory, so lanes that are off keep theirs, as in a register. */
#include "cc/address.h"
#include "cc/calls.h"
#include "cc/debug_tracks.h"

#include <stdlib.h>

struct spiller {
  struct cc_function *c;
  uint32_t *place; /* by register: 1 + its first byte of scratch, or 1 + its first lane */
  uint32_t *home;  /* by register: the accumulation register that holds its value; 0: none */
  uint32_t registers;
  bool whole;                  /* lanes are on that were off (select_whole.c): new registers are for these alone */
  uint32_t lane_registers[64]; /* vector registers that hold scalar ones, wave_size each, */
  uint32_t lanes_most;         /* this many at most; the others stand in the first lane's scratch, */
  uint32_t far, by;            /* from `far` on, and go there through this register */
};

static uint32_t lane_register(struct spiller *s, uint32_t lane) {
  uint32_t *r = &s->lane_registers[lane / s->c->target->wave_size];
  if (!*r) {
    *r = cc_new_reg(s->c, CC_V, 1);
    s->c->regs.items[*r].whole = true;
  }
  return *r;
}

/* How many scalar registers may stand in lanes: some vector registers must be left for computing. */
static uint32_t most_lanes(const struct cc_function *c) {
  enum { LEFT = 24 };
  unsigned limits[CC_FILES], count = 0;
  cc_register_limits(c, limits);
  unsigned most = limits[CC_V] > 2 * LEFT ? limits[CC_V] - LEFT : limits[CC_V] / 2;
  for (unsigned n = 0; n < most; n++)
    count += !(c->is_function || c->has_calls) || cc_is_preserved(CC_V, n);
  return c->target->wave_size * OG_MIN(count, (unsigned)OG_COUNT(((struct spiller *)0)->lane_registers));
}

/* A place far off in a function's frame, counted as s32 counts. SCC is restored, since a later instruction may read
 * it. */
static operand far_frame(struct cc_function *c, uint32_t at) {
  operand scc = cc_temp(c, CC_S, 1), base = cc_temp(c, CC_S, 1);
  operand by = cc_constant(at * (cc_scratch_by_buffer(c) ? c->target->wave_size : 1));
  cc_emit(c, OG_ROW_S_CSELECT_B32, 1, 3, (operand[]){scc, cc_constant(1), cc_constant(0)});
  cc_emit(c, OG_ROW_S_ADD_U32, 1, 3, (operand[]){base, c->stack, by});
  cc_emit(c, OG_ROW_S_CMP_LG_U32, 0, 2, (operand[]){scc, cc_constant(0)});
  return base;
}

/* Moves a scalar register to or from the first lane's scratch, whatever lanes are on. SCC stays as it is. */
static void transfer_far(struct spiller *s, operand part, uint32_t at, bool store) {
  enum { NEAR_FRAME = 1024 };
  struct cc_function *c = s->c;
  unsigned move = c->mask_dwords == 2 ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32;
  operand exec = cc_special(OG_SPECIAL_EXEC_LO, c->mask_dwords), on = cc_temp(c, CC_S, c->mask_dwords),
          first = cc_constant(1);
  c->regs.items[on.value].temporary = true, first.dwords = c->mask_dwords;
  if (!s->by) {
    s->by = cc_new_reg(c, CC_V, 1);
    c->regs.items[s->by].whole = true;
  }
  struct cc_address a;
  operand list[5] = {{CC_REG, 0, 0, 1, s->by}};
  uint32_t first_new = c->regs.count, near = cc_scratch_by_buffer(c) ? at & 1023 : at;
  bool is_far = c->is_function && at >= NEAR_FRAME;
  operand base = c->is_function ? c->stack : (operand){CC_NONE, 0, 0, 0, 0};
  if (is_far)
    near = at & 1023, base = far_frame(c, at - near);
  if (store)
    cc_emit(c, OG_ROW_V_WRITELANE_B32, 1, 3, (operand[]){list[0], part, cc_constant(0)});
  cc_private_address(c, c->is_function ? c->stack : base, near, &a);
  for (unsigned n = 0; n < a.operands; n++)
    list[1 + n] = is_far && cc_same(a.at[n], c->stack) ? base : a.at[n];
  if (near != at && !is_far) /* a vector register might not have the address in the first lane */
    cc_move(c, list[a.operands] = cc_temp(c, CC_S, 1), cc_constant(at - near));
  while (first_new < c->regs.count)
    c->regs.items[first_new++].temporary = true;
  cc_emit(c, move, 1, 2, (operand[]){on, exec});
  cc_emit(c, move, 1, 2, (operand[]){exec, first});
  cc_emit(c, cc_memory_rows[cc_rows_of(&a)][store][2], !store, 1 + a.operands, list)->offset = (int32_t)a.offset;
  cc_emit(c, move, 1, 2, (operand[]){exec, on});
  if (!store)
    cc_emit(c, OG_ROW_V_READLANE_B32, 1, 3, (operand[]){part, list[0], cc_constant(0)});
}

/* Moves a register's dwords to or from where its value stands. */
static void transfer(struct spiller *s, operand o, operand temp, bool store) {
  struct cc_function *c = s->c;
  for (unsigned k = 0; k < o.dwords; k++) {
    uint32_t at = s->place[o.value] - 1;
    operand part = cc_part_of(temp, k, 1);
    part.flags = 0; /* its reader has these */
    if (s->home[o.value]) {
      operand home = {CC_REG, 0, (uint8_t)(o.sub + k), 1, s->home[o.value]};
      cc_move(c, store ? home : part, store ? part : home);
      continue;
    }
    if (c->regs.items[o.value].file == CC_S) {
      uint32_t lane = at + o.sub + k;
      if (lane >= s->lanes_most) {
        transfer_far(s, part, s->far + 4 * (lane - s->lanes_most), store);
        continue;
      }
      operand home = {CC_REG, 0, 0, 1, lane_register(s, lane)};
      operand number = cc_constant(lane % c->target->wave_size);
      if (store)
        cc_emit(c, OG_ROW_V_WRITELANE_B32, 1, 3, (operand[]){home, part, number});
      else
        cc_emit(c, OG_ROW_V_READLANE_B32, 1, 3, (operand[]){part, home, number});
      continue;
    }
    struct cc_address a;
    operand list[5], accumulator = part;
    unsigned count = 0;
    bool accumulates = cc_is_accumulator(c, part);
    if (accumulates) {
      part = (operand){CC_REG, 0, 0, 1, cc_new_reg(c, CC_V, 1)};
      c->regs.items[part.value].temporary = true;
    }
    if (accumulates && store)
      cc_move(c, part, accumulator);
    cc_private_address(c, c->is_function ? c->stack : (operand){CC_NONE, 0, 0, 0, 0}, at + 4 * (o.sub + k), &a);
    list[count++] = part;
    for (unsigned n = 0; n < a.operands; n++)
      list[count++] = a.at[n];
    struct cc_inst *i = cc_emit(c, cc_memory_rows[cc_rows_of(&a)][store][2], !store, count, list);
    uint32_t slot = 1 + at / 4 + o.sub + k;
    i->offset = (int32_t)a.offset, i->slot = store && slot <= UINT16_MAX ? (uint16_t)slot : 0;
    if (accumulates && !store)
      cc_move(c, accumulator, part);
  }
}

static bool writes_exec(const struct cc_function *c, const struct cc_inst *i) {
  return c->operands.items[i->first].kind == CC_SPECIAL && c->operands.items[i->first].value == OG_SPECIAL_EXEC_LO;
}

static bool rewrite(struct cc_function *c, const struct cc_inst *old, void *context) {
  struct spiller *s = context;
  struct cc_inst i = *old;
  operand before[96], after[96]; /* calls have the most operands */
  c->record = i.record;
  for (unsigned k = 0; k < i.operands; k++) {
    operand *o = &c->operands.items[i.first + k];
    before[k].kind = CC_NONE;
    if (o->kind != CC_REG || o->value >= s->registers || !s->place[o->value])
      continue;
    before[k] = *o;
    after[k] = (operand){CC_REG, o->flags, 0, o->dwords, 0};
    bool tied = i.tied && k == i.tied;
    unsigned with = 0;
    for (; (i.row == CC_ROW_ASSEMBLY || (i.tied && k > i.tied)) && k >= i.defs && !tied && with < i.defs; with += !tied)
      tied = before[with].kind == CC_REG && before[with].value == o->value;
    if (tied)
      after[k].value = after[with].value;
    for (unsigned n = 0; n < k && k >= i.defs && !after[k].value; n++) /* it is read twice */
      if (n >= i.defs && before[n].kind == CC_REG && before[n].value == o->value && before[n].sub == o->sub &&
          before[n].dwords == o->dwords)
        after[k].value = after[n].value;
    bool made = !after[k].value;
    if (made) {
      after[k].value = cc_new_reg(c, c->regs.items[before[k].value].file, o->dwords);
      c->regs.items[after[k].value].temporary = true;
      c->regs.items[after[k].value].whole = s->whole && c->regs.items[before[k].value].file == CC_V;
    }
    if (k >= i.defs && (made || tied))
      transfer(s, before[k], after[k], false);
  }
  for (unsigned k = 0; k < i.operands; k++)
    if (before[k].kind == CC_REG)
      c->operands.items[i.first + k] = after[k];
  *OG_PUSH(c->arena, &c->insts) = i;
  if (c->modes && i.defs &&
      (i.row == OG_ROW_S_OR_SAVEEXEC_B64 || i.row == OG_ROW_S_OR_SAVEEXEC_B32 || writes_exec(c, &i)))
    s->whole = i.row != OG_ROW_S_MOV_B64 && i.row != OG_ROW_S_MOV_B32;
  for (unsigned k = 0; k < i.defs; k++)
    if (before[k].kind == CC_REG)
      transfer(s, before[k], after[k], true);
  return true;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* Places of one size, as a heap with the one on top that is free first. */
struct slots {
  struct slot {
    uint32_t end, place; /* until when the value there is live */
  } *items;
  uint32_t count, capacity;
};

static void sink(struct slots *s, struct slot slot) {
  uint32_t at = 0;
  for (uint32_t child; (child = 2 * at + 1) < s->count; at = child) {
    child += child + 1 < s->count && s->items[child + 1].end < s->items[child].end;
    if (s->items[child].end >= slot.end)
      break;
    s->items[at] = s->items[child];
  }
  s->items[at] = slot;
}

static void rise(struct og_arena *arena, struct slots *s, struct slot slot) {
  uint32_t at = s->count;
  for (OG_PUSH(arena, s); at && s->items[(at - 1) / 2].end > slot.end; at = (at - 1) / 2)
    s->items[at] = s->items[(at - 1) / 2];
  s->items[at] = slot;
}

/* The place for a register's value: one whose value is no longer live, else a new one. */
static uint32_t take(struct og_arena *arena, struct slots *s, const struct cc_reg *r, uint32_t size, uint32_t *total) {
  if (s->count && s->items[0].end < r->start) {
    uint32_t place = s->items[0].place;
    sink(s, (struct slot){r->end, place});
    return place;
  }
  uint32_t place = *total;
  rise(arena, s, (struct slot){r->end, place});
  *total += size;
  return place;
}

static int by_start(const void *a, const void *b, void *context) {
  const struct cc_reg *regs = context, *x = &regs[*(const uint32_t *)a], *y = &regs[*(const uint32_t *)b];
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

static int by_cost(const void *a, const void *b, void *context) {
  const struct cc_reg *regs = context, *x = &regs[*(const uint32_t *)a], *y = &regs[*(const uint32_t *)b];
  if (x->cost != y->cost)
    return x->cost > y->cost ? -1 : 1;
  return by_start(a, b, context);
}

/* Chooses the vector registers whose values go to accumulation registers: the costliest, as far as there is room. */
static void give_homes(struct spiller *s, uint32_t *registers, uint32_t count) {
  struct cc_function *c = s->c;
  qsort_r(registers, count, sizeof *registers, by_cost, c->regs.items);
  for (uint32_t k = 0; k < count; k++) {
    const struct cc_reg r = c->regs.items[registers[k]];
    if (r.file != CC_V || r.whole || c->homes_left < r.dwords)
      continue;
    c->homes_left -= r.dwords;
    uint32_t home = cc_new_reg(c, CC_A, r.dwords);
    s->place[registers[k]] = 1, s->home[registers[k]] = home;
  }
}

/* Debug records now find values in their new places, except those in lanes. */
static void move_tracks(const struct spiller *s) {
  struct cc_tracks *t = s->c->tracks;
  for (uint32_t k = 0; t && k < t->places.count; k++) {
    operand *o = &t->places.items[k];
    if (o->kind != CC_REG || o->value >= s->registers || !s->place[o->value])
      continue;
    if (s->home[o->value])
      o->value = s->home[o->value];
    else if (s->c->regs.items[o->value].file == CC_S)
      o->kind = CC_NONE;
    else
      o->kind = CC_SLOT, o->value = (s->place[o->value] - 1) / 4 + o->sub, o->sub = 0;
  }
}

bool cc_spill(struct cc_function *c, uint32_t *registers, uint32_t count) {
  enum { MOST_DWORDS = 32 };
  struct spiller s = {.c = c, .registers = c->regs.count};
  struct slots lanes[MOST_DWORDS + 1] = {0}, memory[MOST_DWORDS + 1] = {0};
  s.place = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count), s.home = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count);
  uint32_t lane_count = 0;
  if (c->homes_left)
    give_homes(&s, registers, count);
  qsort_r(registers, count, sizeof *registers, by_start, c->regs.items);
  for (uint32_t k = 0; k < count; k++) {
    const struct cc_reg *r = &c->regs.items[registers[k]];
    if (r->file == CC_S) {
      s.place[registers[k]] = 1 + take(c->arena, &lanes[r->dwords], r, r->dwords, &lane_count);
      c->sgprs_spilled += r->dwords;
    } else if (!s.home[registers[k]]) {
      s.place[registers[k]] = 1 + take(c->arena, &memory[r->dwords], r, 4u * r->dwords, &c->scratch_size);
      c->vgprs_spilled += r->dwords;
    }
  }
  s.lanes_most = most_lanes(c), s.far = c->scratch_size;
  if (lane_count > s.lanes_most && !c->spills)
    return false; /* it must be compiled once more, with scratch */
  c->scratch_size += lane_count > s.lanes_most ? 4 * (lane_count - s.lanes_most) : 0;
  cc_rewrite(c, rewrite, &s);
  move_tracks(&s);
  return !c->failed;
}
