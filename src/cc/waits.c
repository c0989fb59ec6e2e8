/* waits.c - where the code must wait for memory. Each counter counts the operations that raise it. For each register
 * the counter's number at its last operation is kept: its age says how many younger operations may still be
 * outstanding. Where paths meet, the youngest operation counts, and this is repeated until nothing changes (user guide,
 * "Memory Model"; ISA manuals, "Manually Inserted Wait States"). A counter whose operations end out of order is waited
 * for as a whole: that is so with scalar memory, and before gfx10 with accesses that may be to LDS or to memory. X is
 * gfx1250's counter of registers that memory operations have still to read: they read them again if an address must be
 * translated anew. gfx6 has no VS; in its place expcnt counts data that stores have still to read. What is pending
 * besides registers (asyncmarks, LDS that transfers fill) has places behind the registers': waits_places.c. */
#include "cc/waits.h"

#include <stddef.h>
#include <string.h>

/* gfx12 counts samples and rays apart from other loads. Here they are counted together, and end in any order. */
enum { SEPARATE = OG_COUNTER_SAMPLE | OG_COUNTER_BVH };

struct pending {
  uint32_t issued[COUNTERS];           /* how many, at least */
  uint32_t oldest[COUNTERS];           /* this operation and all before it have ended */
  uint32_t translated[ASYNC];          /* X's number that the last of VM and of VS had: its end tells of those before */
  bool unordered[X];                   /* its operations end in any order: LGKM with scalar memory, flat ones */
  bool x_scalar, x_vector;             /* kinds of operations that X counts now; it never counts both at once */
  bool marked;                         /* an asyncmark may have been passed */
  uint32_t *score[COUNTERS];           /* by place: number of the last operation for it; 0: none */
};

/* The places of a function: registers, those of each file behind those of the file before, then `beside`. */
struct layout {
  unsigned begin[CC_FILES], registers, counters; /* registers: how many places there are */
  struct cc_wait_places beside;
  bool images;         /* images are accessed */
  unsigned of_results; /* the first counters, of registers that are filled; the others: still to be read */
};

static struct layout lay_out(struct cc_function *c) {
  unsigned used[CC_FILES] = {0};
  struct layout l = {.counters = c->isa->gfx1250 ? COUNTERS : ASYNC,
                     .of_results = c->isa->generation < OG_GFX7 ? VS : c->isa->gfx1250 ? X : ASYNC};
  for (uint32_t i = 0; i < c->insts.count; i++) {
    const struct cc_inst *inst = &c->insts.items[i];
    l.images |= inst->row != CC_ROW_WAIT_ALL && og_form(c->isa, inst->form)->encoding == OG_ENC_MIMG;
    c->separate_counters |= inst->row != CC_ROW_WAIT_ALL && og_form(c->isa, inst->form)->counters & SEPARATE;
    for (unsigned o = 0; o < inst->operands; o++) {
      struct cc_operand op = c->operands.items[inst->first + o];
      if (op.kind != CC_REG)
        continue;
      const struct cc_reg *r = &c->regs.items[op.value];
      used[r->file] = OG_MAX(used[r->file], r->physical + op.sub + (unsigned)op.dwords);
    }
  }
  for (unsigned f = 0; f < CC_FILES; f++)
    l.begin[f] = l.registers, l.registers += used[f];
  l.registers += cc_find_wait_places(c, &l.beside, l.registers);
  return l;
}

static void begin(const struct cc_function *c, const struct layout *l, struct pending *p) {
  uint32_t *scores = OG_NEW_ARRAY(c->arena, uint32_t, (size_t)l->counters * l->registers + 1);
  for (unsigned k = 0; k < l->counters; k++)
    p->score[k] = scores + (size_t)k * l->registers;
}

static void copy(const struct layout *l, struct pending *to, const struct pending *from) {
  uint32_t *scores = to->score[0];
  memcpy(scores, from->score[0], sizeof *scores * l->counters * l->registers);
  memcpy(to, from, offsetof(struct pending, score));
}

/* Whether an access may be to LDS or to memory. Before gfx9 flat instructions also access global memory. */
static bool may_be_either(const struct cc_function *c, const struct cc_inst *i) {
  const struct og_form *form = og_form(c->isa, i->form);
  const struct og_ir_inst *record = &c->f->insts.items[i->record];
  unsigned both = OG_COUNTER_LGKM | OG_COUNTER_DS;
  if (!(form->counters & both) ||
      !(form->counters & (OG_COUNTER_VM | OG_COUNTER_LOAD | OG_COUNTER_VS | OG_COUNTER_STORE)))
    return false;
  bool stores = record->opcode == OG_IR_STORE;
  if (!stores && record->opcode != OG_IR_LOAD && record->opcode != OG_IR_ATOMICRMW && record->opcode != OG_IR_CMPXCHG)
    return true;
  og_ir_type pointer = og_ir_type_of_ref(c->m, c->f, og_ir_operand(c->f, record, stores));
  return og_ir_type_of(c->m, pointer)->count == 0;
}

/* The counters that an instruction raises. */
static unsigned raises(const struct cc_function *c, const struct cc_inst *i) {
  const struct og_form *form = og_form(c->isa, i->form);
  unsigned counters = form->counters, raised = 0;
  raised |= counters & (OG_COUNTER_VM | OG_COUNTER_LOAD | SEPARATE) ? 1u << VM : 0;
  raised |= counters & (OG_COUNTER_LGKM | OG_COUNTER_DS | OG_COUNTER_KM) ? 1u << LGKM : 0;
  raised |= counters & (OG_COUNTER_VS | OG_COUNTER_STORE) ? 1u << VS : 0;
  bool reads_late = form->encoding == OG_ENC_MUBUF || form->encoding == OG_ENC_MTBUF || form->encoding == OG_ENC_MIMG;
  if (c->isa->generation < OG_GFX7 && reads_late && counters & OG_COUNTER_EXP)
    raised |= 1u << VS;
  raised |= counters & OG_COUNTER_ASYNC ? 1u << ASYNC : 0;
  raised |= counters & OG_COUNTER_TENSOR ? 1u << TENSOR : 0;
  if (raised >> LGKM & raised >> VM & 1 && !may_be_either(c, i)) /* it does not access LDS */
    raised &= ~(1u << LGKM);
  raised |= counters & OG_COUNTER_X ? 1u << X : 0;
  return raised;
}

static unsigned place(const struct cc_function *c, const struct layout *l, struct cc_operand o) {
  const struct cc_reg *r = &c->regs.items[o.value];
  return l->begin[r->file] + r->physical + o.sub;
}

static unsigned most(const struct cc_function *c, unsigned counter) {
  if (c->isa->generation < OG_GFX7 && counter == VS)
    return 7;
  return counter == LGKM ? (c->isa->gfx10 ? 63 : 15) : c->isa->generation >= OG_GFX900 ? 63 : 15;
}

/* Whether an instruction that fills half a register certainly comes after those that fill the register now. Before
 * gfx12 that holds for loads if there are none of images, and for loads from LDS. */
static bool fills_in_order(const struct cc_function *c, const struct layout *l, const struct pending *p,
                           const struct cc_inst *i, unsigned counter) {
  /* other instructions read the tied register */
  bool fills = og_form_memory(og_form(c->isa, i->form))->access == OG_MOVES_LOAD;
  return fills && i->tied && counter < VS && !c->isa->gfx12 && !l->images && raises(c, i) == 1u << counter &&
         !p->unordered[counter];
}

/* How many operations of each counter may stay outstanding; most() or more: any number. */
static void needs(const struct cc_function *c, const struct layout *l, const struct pending *p, const struct cc_inst *i,
                  uint32_t need[COUNTERS]) {
  for (unsigned k = 0; k < COUNTERS; k++)
    need[k] = UINT32_MAX;
  struct cc_place_use uses[CC_USES_MOST];
  unsigned count = cc_places_read(c, &l->beside, i, uses);
  for (unsigned u = 0; u < count; u++)
    for (unsigned k = 0; k < l->of_results; k++)
      if (uses[u].counters >> k & 1 && p->score[k][uses[u].place] > p->oldest[k])
        need[k] = OG_MIN(need[k], p->unordered[k] ? 0 : p->issued[k] - p->score[k][uses[u].place]);
  if (i->row == CC_ROW_WAIT_ALL)
    return;
  for (unsigned o = 0; o < i->operands; o++) {
    struct cc_operand op = c->operands.items[i->first + o];
    if (op.kind != CC_REG)
      continue;
    for (unsigned d = 0; d < op.dwords; d++)
      /* registers that are still to be read may be read */
      for (unsigned k = 0; k < (o < i->defs ? l->counters : l->of_results); k++) {
        uint32_t score = p->score[k][place(c, l, op) + d];
        bool whole = k < X ? p->unordered[k] : p->x_scalar;
        bool behind = (o < i->defs || o == i->tied) && fills_in_order(c, l, p, i, k);
        if (score > p->oldest[k] && !behind)
          need[k] = OG_MIN(need[k], whole ? 0 : p->issued[k] - score);
      }
  }
}

/* What an instruction that waits says itself; encode.c packs s_waitcnt in the same way. If operations end in any order,
 * only a wait for all tells anything. gfx12 has two counters for scalar memory and LDS, which are one here: a wait for
 * LDS alone tells something only if nothing else is pending. */
static void waited(const struct cc_function *c, const struct layout *l, const struct pending *p,
                   const struct cc_inst *i, uint32_t need[COUNTERS]) {
  uint32_t said[COUNTERS];
  uint32_t bits = i->operands ? c->operands.items[i->first].value & 0xffff : 0;
  memset(said, 0xff, sizeof said);
  switch (i->text ? CC_ROW_WAIT_ALL : i->row) {
  case OG_ROW_S_WAITCNT:
    said[VM] = c->isa->gfx11 ? bits >> 10 : (bits & 15) | (c->isa->generation >= OG_GFX900 ? bits >> 10 & 48 : 0);
    said[LGKM] = c->isa->gfx11 ? bits >> 4 & 63 : bits >> 8 & (c->isa->gfx10 ? 63 : 15);
    break;
  case OG_ROW_S_WAIT_LOADCNT: said[VM] = bits; break;
  case OG_ROW_S_WAIT_STORECNT: said[VS] = bits; break;
  case OG_ROW_S_WAIT_DSCNT: said[LGKM] = p->unordered[LGKM] ? UINT32_MAX : bits; break;
  default: return;
  }
  for (unsigned k = 0; k < l->of_results; k++)
    if (said[k] < most(c, k) && (!said[k] || !p->unordered[k]))
      need[k] = OG_MIN(need[k], said[k]);
}

/* Operations that have ended have read their registers, and so has all vector memory before them. */
static void end_translation(struct pending *p) {
  bool ended[X], all = true;
  for (unsigned k = 0; k < X; k++)
    all &= ended[k] = p->oldest[k] == p->issued[k];
  if (p->oldest[X] == p->issued[X] || all || (!p->x_vector && ended[LGKM]))
    p->oldest[X] = p->issued[X], p->x_scalar = p->x_vector = false;
  for (unsigned k = 0; k < ASYNC && !p->x_scalar; k++)
    p->oldest[X] = ended[k] ? OG_MAX(p->oldest[X], p->translated[k]) : p->oldest[X];
}

/* Passes an asyncmark: those before it are older by one now. */
static void pass_mark(const struct layout *l, struct pending *p) {
  unsigned marks = l->beside.marks, count = l->beside.mark_count;
  for (unsigned k = 0; k < l->of_results && count; k++) {
    memmove(&p->score[k][marks + 1], &p->score[k][marks], (count - 1) * sizeof *p->score[k]);
    p->score[k][marks] = p->score[k][l->beside.last];
  }
  p->marked = true;
}

/* A callee may have begun asynchronous operations, which marks behind the call stand for. They are younger than all
 * known ones, so they get the last number. */
static void pass_call(const struct cc_function *c, const struct layout *l, struct pending *p) {
  for (unsigned k = c->isa->gfx1250 ? ASYNC : VM; k < (c->isa->gfx1250 ? X : LGKM); k++) {
    p->issued[k] += p->issued[k] == p->oldest[k];
    p->score[k][l->beside.last] = p->issued[k];
  }
}

/* Raises one counter for an instruction, and notes it for the registers that it is about. */
static void raise_counter(const struct cc_function *c, const struct layout *l, struct pending *p,
                          const struct cc_inst *i, unsigned k, unsigned raised) {
  p->issued[k]++;
  if (k == LGKM && (og_form(c->isa, i->form)->issue == OG_ISSUE_SMEM || i->row == OG_ROW_S_SENDMSG))
    p->unordered[k] = true;
  if (k < ASYNC && !c->isa->gfx10 && may_be_either(c, i))
    p->unordered[k] = true;
  if (k == ASYNC && raised >> LGKM & 1) /* arrivals at a barrier in LDS have no known order with transfers */
    p->unordered[k] = true;
  if (k == VM && og_form(c->isa, i->form)->counters & SEPARATE)
    p->unordered[k] = true;
  bool read = k >= l->of_results;
  for (unsigned o = read ? i->defs : 0; o < (read ? i->operands : i->defs); o++) {
    if (read && k == VS && o != (i->tied ? i->tied : 0)) /* only the data are read late */
      continue;
    struct cc_operand op = c->operands.items[i->first + o];
    for (unsigned d = 0; op.kind == CC_REG && d < op.dwords; d++)
      p->score[k][place(c, l, op) + d] = p->issued[k];
  }
}

static void apply(const struct cc_function *c, const struct layout *l, struct pending *p, const struct cc_inst *i,
                  const uint32_t need[COUNTERS]) {
  unsigned counters = l->counters;
  for (unsigned k = 0; k < counters; k++)
    if (need[k] != UINT32_MAX && p->issued[k] >= need[k]) {
      p->oldest[k] = OG_MAX(p->oldest[k], p->issued[k] - need[k]);
      if (k < X && need[k] == 0)
        p->unordered[k] = false;
    }
  if (counters > X)
    end_translation(p);
  if (l->of_results == VS && p->oldest[VM] == p->issued[VM]) /* a store that has ended has read its data */
    p->oldest[VS] = p->issued[VS];
  if (i->row == CC_ROW_WAIT_ALL) {
    if (i->policy == MARK)
      pass_mark(l, p);
    return;
  }
  if (i->row == OG_ROW_S_SWAPPC_B64 && l->beside.mark_count)
    pass_call(c, l, p);
  unsigned raised = raises(c, i);
  if (raised >> X & 1) {
    bool scalar = og_form(c->isa, i->form)->issue == OG_ISSUE_SMEM;
    if (scalar ? !p->x_scalar : !p->x_vector) /* hardware waits before it counts the other kind */
      p->oldest[X] = p->issued[X];
    p->x_scalar = scalar, p->x_vector = !scalar;
  }
  for (unsigned k = 0; k < counters; k++)
    if (raised >> k & 1)
      raise_counter(c, l, p, i, k, raised);
  for (unsigned k = 0; k < ASYNC && raised >> X & 1; k++)
    if (raised >> k & 1 && k != LGKM)
      p->translated[k] = p->issued[X];
  struct cc_place_use uses[CC_USES_MOST];
  unsigned count = raised ? cc_places_written(c, &l->beside, i, raised, uses) : 0;
  for (unsigned u = 0; u < count; u++)
    for (unsigned k = 0; k < counters; k++)
      if (uses[u].counters >> k & 1)
        p->score[k][uses[u].place] = p->issued[k];
}

/* Joins `from` into `to`; true if that changes it. */
static bool join(const struct layout *l, struct pending *to, const struct pending *from, bool first) {
  if (first) {
    copy(l, to, from);
    return true;
  }
  bool changed = false;
  for (unsigned k = 0; k < l->counters; k++) {
    uint32_t out_to = to->issued[k] - to->oldest[k], out_from = from->issued[k] - from->oldest[k];
    if (out_from > out_to) { /* more operations may be outstanding */
      uint32_t more = out_from - out_to;
      to->issued[k] += more;
      for (unsigned r = 0; k == X && r < ASYNC; r++)
        to->translated[r] += to->translated[r] ? more : 0;
      for (unsigned r = 0; r < l->registers; r++)
        if (to->score[k][r] > to->oldest[k])
          to->score[k][r] += more;
      changed = true;
    }
    for (unsigned r = 0; r < l->registers; r++)
      if (from->score[k][r] > from->oldest[k]) {
        uint32_t age = from->issued[k] - from->score[k][r], score = to->issued[k] - age;
        if (score > to->score[k][r] || to->score[k][r] <= to->oldest[k]) {
          changed |= to->score[k][r] != score;
          to->score[k][r] = score;
        }
      }
  }
  for (unsigned k = 0; k < X; k++)
    changed |= from->unordered[k] && !to->unordered[k], to->unordered[k] |= from->unordered[k];
  changed |= (from->x_scalar && !to->x_scalar) || (from->x_vector && !to->x_vector);
  to->x_scalar |= from->x_scalar, to->x_vector |= from->x_vector;
  changed |= from->marked && !to->marked, to->marked |= from->marked;
  for (unsigned k = 0; k < ASYNC; k++) {
    uint32_t age = from->issued[X] - from->translated[k];
    uint32_t translated = from->translated[k] && age < to->issued[X] ? to->issued[X] - age : 0;
    changed |= translated < to->translated[k];
    to->translated[k] = OG_MIN(to->translated[k], translated);
  }
  return changed;
}

/* Numbers grow in each round, so they are counted anew; ages beyond what a counter can tell apart are cut. */
static void rebase(const struct layout *l, struct pending *p) {
  for (unsigned k = 0; k < l->counters; k++) {
    uint32_t least = p->issued[k] > 128 && p->issued[k] - 128 > p->oldest[k] ? p->issued[k] - 128 : p->oldest[k];
    for (unsigned r = 0; r < l->registers; r++)
      p->score[k][r] = p->score[k][r] <= p->oldest[k] ? 0 : OG_MAX(p->score[k][r], least + 1) - least;
    for (unsigned r = 0; k == X && r < ASYNC; r++)
      p->translated[r] = p->translated[r] > least ? p->translated[r] - least : 0;
    p->issued[k] -= least;
    p->oldest[k] = 0;
  }
}

static void pass_on(const struct layout *l, struct pending *in, bool *reached, bool *again, uint32_t to,
                    const struct pending *p) {
  if (join(l, &in[to], p, !reached[to]))
    again[to] = true;
  reached[to] = true;
}

/* Finds what an instruction waits for, and what is pending behind it. */
static void pass_inst(struct cc_function *c, const struct layout *l, struct pending *p, uint32_t inst) {
  uint32_t need[COUNTERS];
  uint64_t packed = 0;
  needs(c, l, p, &c->insts.items[inst], need);
  for (unsigned k = 0; k < l->counters; k++) {
    if (need[k] >= most(c, k)) /* so many can never be outstanding */
      need[k] = UINT32_MAX;
    packed |= (uint64_t)(need[k] == UINT32_MAX ? 0 : 1 + need[k]) << 8 * k;
  }
  c->waits[inst] = packed;
  waited(c, l, p, &c->insts.items[inst], need);
  apply(c, l, p, &c->insts.items[inst], need);
}

/* A function's sequence of marks begins empty, whatever marks its callers have (AMDGPU Asynchronous Operations,
 * "Function Calls"). To wait for theirs is a mistake. */
static void warn_of_waits(struct cc_function *c, const bool *marked) {
  for (uint32_t k = 0; k < c->insts.count && c->is_function; k++) {
    const struct cc_inst *i = &c->insts.items[k];
    if (i->row != CC_ROW_WAIT_ALL || i->policy != WAIT_FOR_MARK || marked[k])
      continue;
    struct og_text name = c->m->names.items[c->global->name];
    static const char *const text = "in function '%.*s': no asyncmark of the function reaches wait.asyncmark, which "
                                    "waits for nothing: marks of its callers are not seen";
    if (c->m->source && i->record < c->f->places.count)
      og_report(c->diagnostics, OG_SEVERITY_WARNING,
                (struct og_range){c->m->source, c->f->places.items[i->record], 0}, text, OG_TEXT_ARGS(name));
    else
      og_warning_in(c->diagnostics, c->m->file, text, OG_TEXT_ARGS(name));
  }
}

bool cc_waits(struct cc_function *c) {
  c->waits = OG_NEW_ARRAY(c->arena, uint64_t, c->insts.count + 1);
  const struct layout layout = lay_out(c), *l = &layout;
  struct pending *in = OG_NEW_ARRAY(c->arena, struct pending, c->positions), *p = OG_NEW(c->arena, struct pending);
  struct pending *sent = OG_NEW(c->arena, struct pending);
  for (uint32_t at = 0; at < c->positions; at++)
    begin(c, l, &in[at]);
  begin(c, l, p), begin(c, l, sent);
  bool *reached = OG_NEW_ARRAY(c->arena, bool, c->positions), *again = OG_NEW_ARRAY(c->arena, bool, c->positions);
  bool *marked = OG_NEW_ARRAY(c->arena, bool, c->insts.count + 1); /* by instruction: a mark may have been passed */
  reached[0] = again[0] = true;
  for (unsigned k = 0; k < (c->isa->gfx10 ? ASYNC : VS) && c->is_function; k++)
    in[0].issued[k] = in[0].score[k][l->beside.ordered] = 1; /* the caller's, which the first instruction waits for */
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t at = 0; at < c->positions; at++) {
      if (!again[at])
        continue;
      again[at] = false, changed = true;
      const struct cc_node *n = &c->nodes.items[c->layout[at]];
      copy(l, p, &in[at]);
      bool falls = true;
      for (uint32_t k = n->first; k < n->end; k++) {
        const struct cc_inst *i = &c->insts.items[k];
        marked[k] = p->marked;
        pass_inst(c, l, p, k);
        if (i->row == CC_ROW_WAIT_ALL)
          continue;
        if (cc_is_jump(i)) {
          copy(l, sent, p);
          rebase(l, sent);
          pass_on(l, in, reached, again, (uint32_t)i->offset, sent);
          falls = i->row != OG_ROW_S_BRANCH;
        }
      }
      if (falls && at + 1 < c->positions && n->succs) {
        rebase(l, p);
        pass_on(l, in, reached, again, at + 1, p);
      }
    }
  }
  warn_of_waits(c, marked);
  return true;
}
