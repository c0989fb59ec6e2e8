/* debug_tracks.c - the registers of the values that debug records name. After instruction selection it is known which
 * register holds each part of a value and which instructions write it; passes that rename registers update this. When
 * registers have their numbers, a data flow over the code finds which value each number holds: for a vector register
 * along the paths of a lane, for a scalar one along the paths of the code, since there a register that another side of
 * a branch writes is overwritten for all lanes. */
#include "cc/debug_tracks.h"

#include "cc/calls.h"

#include <string.h>

/* ---- values ------------------------------------------------------------------------------------------------------ */

static uint32_t *find_bases(const struct cc_function *c, uint32_t *dwords) {
  uint32_t *base = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count + 1);
  *dwords = 0;
  for (uint32_t r = 0; r < c->regs.count; r++)
    base[r] = *dwords, *dwords += c->regs.items[r].dwords;
  return base;
}

/* By dword: 1 + the position of the block whose instructions write it, and the record of the last of them; UINT32_MAX:
 * several blocks do. */
static void find_writers(const struct cc_function *c, const uint32_t *base, uint32_t *where, uint32_t *record) {
  for (uint32_t p = 0; p < c->positions; p++)
    for (uint32_t k = c->nodes.items[c->layout[p]].first; k < c->nodes.items[c->layout[p]].end; k++)
      for (unsigned o = 0; o < c->insts.items[k].defs; o++) {
        struct cc_operand op = c->operands.items[c->insts.items[k].first + o];
        for (unsigned d = 0; op.kind == CC_REG && d < op.dwords; d++) {
          uint32_t at = base[op.value] + op.sub + d;
          where[at] = where[at] && where[at] != 1 + p ? UINT32_MAX : 1 + p;
          record[at] = c->insts.items[k].record;
        }
      }
}

/* By register: 1 + the block whose phis it stands for. */
static uint32_t *find_phis(const struct cc_function *c) {
  uint32_t *block = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count + 1);
  for (uint32_t b = 0; b < c->f->blocks.count; b++)
    for (uint32_t i = c->f->blocks.items[b].first; i && c->f->insts.items[i].opcode == OG_IR_PHI;
         i = c->f->insts.items[i].next)
      for (uint32_t k = 0; k < c->values[i].count && c->values[i].made; k++) {
        struct cc_operand o = c->parts.items[c->values[i].first + k];
        if (o.kind == CC_REG && c->regs.items[o.value].many)
          block[o.value] = 1 + b;
      }
  return block;
}

static bool constant_part(const struct og_ir_module *m, og_ir_ref ref, uint32_t index, uint32_t *bits) {
  const struct og_ir_constant *k = og_ir_constant_of(m, ref);
  switch (k->kind) {
  case OG_IR_C_ZERO: *bits = 0; return true;
  case OG_IR_C_NUMBER: *bits = index < 2 ? (uint32_t)(k->value >> 32 * index) : 0; return true;
  case OG_IR_C_WIDE: *bits = index < k->parts ? m->pool.items[k->first + index] : 0; return true;
  case OG_IR_C_SPLAT:
  case OG_IR_C_AGGREGATE: {
    uint32_t each = OG_MAX(cc_parts(m, og_ir_part(m, k->type, 0)), 1u),
             part = k->kind == OG_IR_C_SPLAT ? 0 : index / each;
    bool inside = og_ir_kind(m, k->type) == OG_IR_VECTOR && (k->kind == OG_IR_C_SPLAT || part < k->parts);
    return inside && constant_part(m, m->pool.items[k->first + part], index % each, bits);
  }
  default: return false;
  }
}

static struct cc_operand place_of(const struct cc_function *c, const struct cc_record_part *part) {
  static const struct cc_operand none = {CC_NONE, 0, 0, 0, 0};
  uint32_t bits;
  if (part->ref == OG_IR_NONE)
    return none;
  if (og_ir_space(part->ref) == OG_IR_CONSTANT)
    return constant_part(c->m, part->ref, part->index, &bits) ? cc_constant(bits) : none;
  const struct cc_value *v = &c->values[og_ir_index(part->ref)];
  if (!v->made || v->place == CC_MASK || part->index >= v->count)
    return none;
  struct cc_operand o = c->parts.items[v->first + part->index];
  return (o.kind == CC_REG && !o.flags) || o.kind == CC_CONST ? o : none;
}

bool cc_track_values(struct cc_function *c) {
  struct cc_tracks *t = c->tracks;
  if (!t)
    return true;
  uint32_t dwords, parts = t->records->parts.count, *base = find_bases(c, &dwords), *phi_block = find_phis(c);
  uint32_t *where = OG_NEW_ARRAY(c->arena, uint32_t, dwords + 1),
           *record = OG_NEW_ARRAY(c->arena, uint32_t, dwords + 1);
  uint32_t *phi = OG_NEW_ARRAY(c->arena, uint32_t, dwords + 1);
  find_writers(c, base, where, record);
  t->writer = OG_NEW_ARRAY(c->arena, uint32_t, parts + 1), t->phi = OG_NEW_ARRAY(c->arena, uint32_t, parts + 1);
  t->phi_at = OG_NEW_ARRAY(c->arena, uint32_t, parts + 1);
  for (uint32_t k = 0; k < parts; k++)
    *OG_PUSH(c->arena, &t->places) = place_of(c, &t->records->parts.items[k]);
  for (uint32_t k = 0; k < parts; k++) {
    struct cc_operand *o = &t->places.items[k];
    if (o->kind != CC_REG)
      continue;
    uint32_t at = base[o->value] + o->sub;
    bool many = c->regs.items[o->value].many, input = c->regs.items[o->value].physical != CC_NO_REGISTER;
    if ((!where[at] && !input) || (many && !phi_block[o->value])) { /* such a part cannot be followed */
      o->kind = CC_NONE;
    } else if (many) {
      if (!phi[at]) {
        t->phi_at[t->phis] = c->node_of[phi_block[o->value] - 1];
        phi[at] = ++t->phis;
        struct cc_operand place = t->places.items[k];
        *OG_PUSH(c->arena, &t->places) = place;
      }
      t->phi[k] = phi[at];
    } else if (where[at] != UINT32_MAX) {
      t->writer[k] = record[at];
    }
  }
  return true;
}

/* ---- the code ---------------------------------------------------------------------------------------------------- */

bool cc_track_code(struct cc_function *c) {
  struct cc_tracks *t = c->tracks;
  if (!t)
    return true;
  t->insts = OG_NEW_ARRAY(c->arena, struct cc_inst, c->insts.count + 1);
  if (c->insts.count)
    memcpy(t->insts, c->insts.items, c->insts.count * sizeof *t->insts);
  t->first = OG_NEW_ARRAY(c->arena, uint32_t, c->insts.count + 1);
  t->second = OG_NEW_ARRAY(c->arena, uint32_t, c->insts.count + 1);
  t->at = OG_NEW_ARRAY(c->arena, uint32_t, c->insts.count + 1);
  t->holds = OG_NEW(c->arena, struct cc_holds);
  cc_find_holds(c, t->holds);
  return true;
}

void cc_track_pair(struct cc_function *c, uint32_t at, uint32_t second) {
  if (c->tracks)
    c->tracks->second[at] = 1 + second;
}

void cc_track_place(struct cc_function *c, uint32_t to, uint32_t at) {
  if (!c->tracks)
    return;
  c->tracks->first[to] = 1 + at;
  c->tracks->second[to] = c->tracks->second[at];
}

/* ---- what registers hold ----------------------------------------------------------------------------------------- */

/* Numbers for what a register holds: from FIRST_PHI on the phis, behind them 1 + the instruction that wrote it. */
enum { UNSEEN, MIXED, ENTRY, FIRST_PHI };

static bool physical(const struct cc_function *c, struct cc_operand o, unsigned dword, unsigned *number) {
  enum { MOST = 512 };
  if (o.kind != CC_REG || c->regs.items[o.value].physical == CC_NO_REGISTER)
    return false;
  *number = c->regs.items[o.value].physical + o.sub + dword;
  return *number < MOST;
}

uint16_t *cc_number_of(const struct cc_holds *h, struct cc_operand o, unsigned dword) {
  unsigned number;
  if (o.kind == CC_SLOT)
    return o.value < UINT16_MAX ? &h->slot_number[o.value] : NULL;
  return physical(h->c, o, dword, &number) ? &h->number[h->c->regs.items[o.value].file][number] : NULL;
}

/* The number of the frame's dword to which an instruction spills; NULL: it does not spill. */
static const uint16_t *number_of_slot(const struct cc_holds *h, const struct cc_inst *i) {
  return i->slot ? &h->slot_number[i->slot - 1] : NULL;
}

/* Whether a register keeps its value: calls leave those that they preserve, inline assembly none. */
static bool survives(const struct cc_holds *h, const struct cc_inst *i, unsigned file, unsigned number) {
  (void)h;
  return !i->text && (i->row != OG_ROW_S_SWAPPC_B64 || (file != CC_A && cc_is_preserved(file, number)));
}

static bool is_wild(const struct cc_inst *i) { return i->text || i->row == OG_ROW_S_SWAPPC_B64; }

static void lose(struct cc_holds *h, const struct cc_inst *i, uint32_t *to, cc_hold_changed *changed, void *context) {
  for (unsigned file = 0; file < CC_FILES; file++)
    for (unsigned n = 0; n < 512; n++)
      if (h->number[file][n] && !survives(h, i, file, n)) {
        to[h->number[file][n] - 1] = MIXED;
        if (changed)
          changed(context, h->number[file][n] - 1u);
      }
}

static void run(struct cc_holds *h, uint32_t inst, uint32_t *to, cc_hold_changed *changed, void *context) {
  const struct cc_function *c = h->c;
  const struct cc_inst *i = &c->tracks->insts[inst];
  unsigned dword = 0;
  if (is_wild(i))
    lose(h, i, to, changed, context);
  const uint16_t *slot = number_of_slot(h, i);
  if (slot && *slot) {
    to[*slot - 1] = h->passing[inst] & 1 ? MIXED : FIRST_PHI + c->tracks->phis + inst;
    if (changed)
      changed(context, *slot - 1u);
  }
  for (unsigned o = 0; o < i->defs; o++) {
    struct cc_operand op = c->operands.items[i->first + o];
    for (unsigned d = 0; op.kind == CC_REG && d < op.dwords; d++, dword++) {
      const uint16_t *number = cc_number_of(h, op, d);
      if (!number || !*number)
        continue;
      to[*number - 1] = dword < 32 && h->passing[inst] >> dword & 1 ? MIXED : FIRST_PHI + c->tracks->phis + inst;
      if (changed)
        changed(context, *number - 1u);
    }
  }
}

static void begin(struct cc_holds *h, uint32_t position, uint32_t *to) {
  const struct cc_tracks *t = h->c->tracks;
  for (uint32_t n = h->phis_at[position]; n; n = h->next_phi[n - 1]) {
    const uint16_t *number = cc_number_of(h, t->places.items[t->records->parts.count + n - 1], 0);
    if (number && *number)
      to[*number - 1] = FIRST_PHI + n - 1;
  }
}

void cc_enter_holds(struct cc_holds *h, uint32_t position) {
  memcpy(h->now, h->in + (size_t)position * h->count, h->count * sizeof *h->now);
  begin(h, position, h->now);
}

void cc_run_holds(struct cc_holds *h, uint32_t inst, cc_hold_changed *changed, void *context) {
  run(h, inst, h->now, changed, context);
}

static void number_registers(struct cc_holds *h) {
  const struct cc_tracks *t = h->c->tracks;
  for (unsigned file = 0; file < CC_FILES; file++)
    h->number[file] = OG_NEW_ARRAY(h->c->arena, uint16_t, 512);
  h->slot_number = OG_NEW_ARRAY(h->c->arena, uint16_t, OG_MIN(h->c->scratch_size / 4 + 1, (uint32_t)UINT16_MAX));
  for (uint32_t k = 0; k < t->places.count; k++) {
    uint16_t *number = cc_number_of(h, t->places.items[k], 0);
    if (number && !*number)
      *number = (uint16_t)++h->count;
  }
}

/* Notes whether the next instruction that writes this dword belongs to the same record as instruction `k`. */
static void note_passing(struct cc_holds *h, const struct cc_node *n, uint32_t k, uint32_t *next, unsigned dword) {
  const struct cc_inst *insts = h->c->insts.items;
  bool again = *next > n->first && *next <= n->end && insts[*next - 1].record == insts[k].record;
  h->passing[k] |= again && dword < 32 ? UINT32_C(1) << dword : 0;
  *next = 1 + k;
}

/* Finds the block of each instruction, and the dwords that its record writes again later in the block: until then they
 * hold an intermediate value, which has no name. */
static void find_passing(struct cc_holds *h) {
  const struct cc_function *c = h->c;
  uint32_t *next = OG_NEW_ARRAY(c->arena, uint32_t, h->count + 1); /* by number: 1 + its next writer */
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    for (uint32_t k = n->end; k-- > n->first;) {
      const struct cc_inst *i = &c->insts.items[k];
      unsigned dword = 0;
      const uint16_t *slot = number_of_slot(h, i);
      h->position[k] = p;
      if (slot && *slot)
        note_passing(h, n, k, &next[*slot], 0);
      for (unsigned o = 0; o < i->defs; o++) {
        struct cc_operand op = c->operands.items[i->first + o];
        for (unsigned d = 0; op.kind == CC_REG && d < op.dwords; d++, dword++) {
          const uint16_t *number = cc_number_of(h, op, d);
          h->writers[h->base[op.value] + op.sub + d]++;
          if (!number || !*number)
            continue;
          note_passing(h, n, k, &next[*number], dword);
        }
      }
    }
  }
}

struct edge {
  uint32_t from, next; /* 1 + the next edge to the same place */
  bool early;          /* it leaves before the block's end */
};

struct edges {
  OG_VECTOR(struct edge) list;
  uint32_t *into; /* by position: 1 + an edge that leads there */
};

static void add_edge(const struct cc_function *c, struct edges *e, uint32_t from, uint32_t to, bool early) {
  *OG_PUSH(c->arena, &e->list) = (struct edge){from, e->into[to], early};
  e->into[to] = e->list.count;
}

/* The paths of a lane, and those of the code. */
static void find_edges(const struct cc_function *c, struct edges *lanes, struct edges *code) {
  lanes->into = OG_NEW_ARRAY(c->arena, uint32_t, c->positions + 1),
  code->into = OG_NEW_ARRAY(c->arena, uint32_t, c->positions + 1);
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    for (uint32_t s = 0; s < n->succs; s++)
      add_edge(c, lanes, p, c->nodes.items[n->succ[s]].position, false);
    bool goes_on = true;
    for (uint32_t k = n->first; k < n->end; k++) {
      const struct cc_inst *i = &c->insts.items[k];
      if (cc_is_jump(i))
        add_edge(c, code, p, (uint32_t)i->offset, k + 1 < n->end);
      goes_on = i->row != OG_ROW_S_BRANCH && i->row != OG_ROW_S_ENDPGM && i->row != OG_ROW_S_SETPC_B64;
    }
    if (goes_on && p + 1 < c->positions)
      add_edge(c, code, p, p + 1, false);
  }
}

static uint32_t meet(uint32_t a, uint32_t b) { return a == b || b == UNSEEN ? a : a == UNSEEN ? b : MIXED; }

static bool join_ways(struct cc_holds *h, const struct edges *e, const uint32_t *made, uint32_t p, bool scalar,
                      const bool *is_scalar) {
  bool changed = false;
  uint32_t *in = h->in + (size_t)p * h->count;
  for (uint32_t n = e->into[p]; n; n = e->list.items[n - 1].next) {
    uint32_t from = e->list.items[n - 1].from;
    const uint32_t *theirs = h->in + (size_t)from * h->count, *out = made + (size_t)from * h->count;
    for (uint32_t k = 0; k < h->count; k++) {
      if (is_scalar[k] != scalar)
        continue;
      uint32_t with = out[k] ? out[k] : theirs[k], now = meet(in[k], with);
      if (e->list.items[n - 1].early)
        now = meet(now, theirs[k]);
      changed |= now != in[k];
      in[k] = now;
    }
  }
  return changed;
}

void cc_find_holds(struct cc_function *c, struct cc_holds *h) {
  const struct cc_tracks *t = c->tracks;
  uint32_t dwords;
  *h = (struct cc_holds){.c = c};
  number_registers(h);
  h->base = find_bases(c, &dwords);
  h->writers = OG_NEW_ARRAY(c->arena, uint32_t, dwords + 1);
  h->position = OG_NEW_ARRAY(c->arena, uint32_t, c->insts.count + 1),
  h->passing = OG_NEW_ARRAY(c->arena, uint32_t, c->insts.count + 1);
  h->in = OG_NEW_ARRAY(c->arena, uint32_t, (size_t)h->count * c->positions + 1),
  h->now = OG_NEW_ARRAY(c->arena, uint32_t, h->count + 1);
  h->phis_at = OG_NEW_ARRAY(c->arena, uint32_t, c->positions + 1),
  h->next_phi = OG_NEW_ARRAY(c->arena, uint32_t, t->phis + 1);
  for (uint32_t n = 0; n < t->phis; n++) {
    uint32_t p = c->nodes.items[t->phi_at[n]].position;
    if (p != CC_NO_NODE)
      h->next_phi[n] = h->phis_at[p], h->phis_at[p] = 1 + n;
  }
  find_passing(h);
  struct edges lanes = {0}, code = {0};
  find_edges(c, &lanes, &code);
  uint32_t *made = OG_NEW_ARRAY(c->arena, uint32_t, (size_t)h->count * c->positions + 1); /* 0: unchanged */
  bool *is_scalar = OG_NEW_ARRAY(c->arena, bool, h->count + 1);
  for (unsigned n = 0; n < 512; n++)
    if (h->number[CC_S][n])
      is_scalar[h->number[CC_S][n] - 1] = true;
  for (uint32_t p = 0; p < c->positions; p++) {
    begin(h, p, made + (size_t)p * h->count);
    for (uint32_t k = c->nodes.items[c->layout[p]].first; k < c->nodes.items[c->layout[p]].end; k++)
      run(h, k, made + (size_t)p * h->count, NULL, NULL);
  }
  for (uint32_t k = 0; k < h->count; k++)
    h->in[k] = ENTRY;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t p = 0; p < c->positions; p++) {
      again |= join_ways(h, &lanes, made, p, false, is_scalar);
      again |= join_ways(h, &code, made, p, true, is_scalar);
    }
  }
}

/* Whether lanes at `position` may have left a loop around the block `written` before other lanes ran it once more. */
static bool has_left(const struct cc_function *c, uint32_t written, uint32_t position) {
  for (uint32_t loop = c->nodes.items[c->layout[written]].loop; loop; loop = c->loops.items[loop].parent) {
    uint32_t around = c->nodes.items[c->layout[position]].loop;
    while (around && around != loop)
      around = c->loops.items[around].parent;
    if (!around && c->loops.items[loop].divergent)
      return true;
  }
  return false;
}

bool cc_is_held(const struct cc_holds *h, uint32_t part, uint32_t position) {
  const struct cc_function *c = h->c;
  const struct cc_tracks *t = c->tracks;
  struct cc_operand o = t->places.items[part];
  const uint16_t *number = cc_number_of(h, o, 0);
  bool scalar = o.kind == CC_REG && c->regs.items[o.value].file == CC_S;
  if (o.kind == CC_CONST || t->records->parts.items[part].ref == OG_IR_NONE)
    return true;
  if (!number || !*number)
    return false;
  uint32_t holds = h->now[*number - 1], writes = FIRST_PHI + t->phis;
  if (t->phi[part])
    return holds == FIRST_PHI + t->phi[part] - 1 &&
           !(scalar && has_left(c, c->nodes.items[t->phi_at[t->phi[part] - 1]].position, position));
  if (holds < writes)
    return holds == ENTRY && o.kind == CC_REG && c->regs.items[o.value].input;
  const struct cc_inst *i = &t->insts[holds - writes];
  bool mine = i->record == t->writer[part] && t->writer[part];
  if (o.kind == CC_SLOT)
    return mine;
  for (unsigned d = 0; d < i->defs; d++) {
    struct cc_operand to = c->operands.items[i->first + d];
    if (to.kind == CC_REG && to.value == o.value && to.sub <= o.sub && o.sub < to.sub + to.dwords)
      return (mine || h->writers[h->base[o.value] + o.sub] == 1) &&
             !(scalar && has_left(c, h->position[holds - writes], position));
  }
  return false;
}
