/* promote.c - private memory becomes values: those bytes of an alloca that are always read and written as the same
 * whole, at known places. Phis are put where different values meet and one of them is needed (Cytron et al.,
 * Efficiently Computing Static Single Assignment Form; pruned by liveness). */
#include "cc/opt.h"

#include "cc/machine.h"

#include <stdlib.h>

enum { MOST_VARIABLES = 1 << 20, DEEPEST = 64 };

struct access {
  uint32_t record, alloca_record;
  uint64_t offset, size;
};

struct phi {
  uint32_t record, variable, filled;
};

struct promotion {
  struct cc_opt *o;
  struct og_ir_uses uses;
  OG_VECTOR(struct access) accesses; /* of one alloca while it is looked at */
  OG_VECTOR(og_ir_type) types;       /* by variable, from 1 on */
  uint32_t *variable;                /* by record of a load, a store or a new phi: its variable; 0: none */
  uint32_t records;                  /* so many records have an entry in `variable` */
  OG_VECTOR(struct phi) phis;
  bool keeps; /* the source's variables stay, since a debugger looks for them there */
  struct cc_graph g;
  uint32_t *frontier_at, *frontier; /* by block */
};

static og_ir_type accessed(const struct promotion *p, uint32_t record) {
  const struct og_ir_inst *i = &p->o->f->insts.items[record];
  return i->opcode == OG_IR_LOAD ? i->type : og_ir_type_of_ref(p->o->m, p->o->f, og_ir_operand(p->o->f, i, 0));
}

static bool is_value(const struct og_ir_module *m, og_ir_type type) {
  uint8_t kind = og_ir_kind(m, type);
  return kind != OG_IR_ARRAY && kind != OG_IR_STRUCT && cc_bits(m, og_ir_scalar(m, type));
}

/* Whether the bits of one type may be taken as the other. */
static bool converts(const struct og_ir_module *m, og_ir_type a, og_ir_type b) {
  if (a == b)
    return true;
  bool pointers =
      og_ir_kind(m, og_ir_scalar(m, a)) == OG_IR_POINTER || og_ir_kind(m, og_ir_scalar(m, b)) == OG_IR_POINTER;
  uint64_t x = og_ir_is_vector(m, a) ? og_ir_type_of(m, a)->count : 1,
           y = og_ir_is_vector(m, b) ? og_ir_type_of(m, b)->count : 1;
  bool scalars = !og_ir_is_vector(m, a) && !og_ir_is_vector(m, b) && og_ir_kind(m, a) != og_ir_kind(m, b) &&
                 !og_ir_is_float(m, a) && !og_ir_is_float(m, b); /* a pointer and an integer */
  return (!pointers || scalars) && x * cc_bits(m, og_ir_scalar(m, a)) == y * cc_bits(m, og_ir_scalar(m, b));
}

/* Finds all accesses by a pointer into an alloca; false: some use cannot be followed. */
static bool collect(struct promotion *p, uint32_t root, uint32_t pointer, uint64_t offset, unsigned depth) {
  struct og_ir_function *f = p->o->f;
  if (depth > DEEPEST)
    return false;
  for (uint32_t place = p->uses.head[pointer]; place; place = p->uses.next[place]) {
    uint32_t user = p->uses.user[place];
    const struct og_ir_inst *i = &f->insts.items[user];
    struct og_text name;
    int64_t more = 0;
    switch (og_ir_opcodes[i->opcode].shape) {
    case OG_IR_SHAPE_DEBUG:
      if (p->keeps && i->opcode == OG_IR_DBG_DECLARE)
        return false;
      continue;
    case OG_IR_SHAPE_LOAD:
    case OG_IR_SHAPE_STORE:
      if (i->flags & (OG_IR_F_ATOMIC | OG_IR_F_VOLATILE) || (i->opcode == OG_IR_STORE && place == i->first))
        return false;
      *OG_PUSH(p->o->arena, &p->accesses) =
          (struct access){user, root, offset, cc_store_size(p->o->m, accessed(p, user))};
      continue;
    case OG_IR_SHAPE_GETELEMENTPTR:
      if (place != i->first || !cc_constant_offset(p->o->m, f, user, &more) || (int64_t)offset + more < 0 ||
          !collect(p, root, user, offset + (uint64_t)more, depth + 1))
        return false;
      continue;
    case OG_IR_SHAPE_CAST:
      if ((i->opcode != OG_IR_ADDRSPACECAST && i->opcode != OG_IR_BITCAST) ||
          !collect(p, root, user, offset, depth + 1))
        return false;
      continue;
    case OG_IR_SHAPE_CALL:
      name = cc_callee_name(p->o->m, f, i);
      if (og_text_skip(&name, "llvm.lifetime."))
        continue;
      return false;
    default: return false;
    }
  }
  return true;
}

static int by_offset(const void *a, const void *b) {
  const struct access *x = a, *y = b;
  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  return x->size > y->size ? -1 : x->size < y->size;
}

/* Accesses that overlap belong together: they are one variable if all are of the same bytes. */
static void make_variables(struct promotion *p, uint32_t from) {
  const struct og_ir_module *m = p->o->m;
  struct access *list = p->accesses.items;
  if (p->accesses.count == from)
    return; /* the alloca is not used */
  qsort(list + from, p->accesses.count - from, sizeof *list, by_offset);
  for (uint32_t k = from, end; k < p->accesses.count; k = end) {
    uint64_t past = list[k].offset + list[k].size;
    og_ir_type type = accessed(p, list[k].record);
    bool whole = list[k].size && is_value(m, type);
    for (end = k + 1; end < p->accesses.count && list[end].offset < past; end++) {
      og_ir_type other = accessed(p, list[end].record);
      whole &= list[end].offset == list[k].offset && list[end].size == list[k].size && is_value(m, other) &&
               converts(m, type, other);
      past = OG_MAX(past, list[end].offset + list[end].size);
    }
    if (!whole || p->types.count >= MOST_VARIABLES)
      continue;
    for (uint32_t n = k; n < end; n++)
      p->variable[list[n].record] = p->types.count;
    *OG_PUSH(p->o->arena, &p->types) = type;
  }
}

static void find_variables(struct promotion *p) {
  struct og_ir_function *f = p->o->f;
  for (uint32_t i = f->blocks.items[0].first; i; i = f->insts.items[i].next) {
    uint32_t from = p->accesses.count;
    if (f->insts.items[i].opcode != OG_IR_ALLOCA)
      continue;
    if (collect(p, i, i, 0, 0))
      make_variables(p, from);
    p->accesses.count = from;
  }
}

/* ---- phis -------------------------------------------------------------------------------------------------------- */

/* By block: its dominance frontier, the blocks just beyond those that it dominates (Cooper, Harvey and Kennedy). */
static void find_frontiers(struct promotion *p) {
  const struct cc_graph *g = &p->g;
  uint32_t n = p->o->f->blocks.count;
  p->frontier_at = OG_NEW_ARRAY(p->o->arena, uint32_t, n + 2);
  for (int round = 0; round < 2; round++) {
    uint32_t *last = OG_NEW_ARRAY(p->o->arena, uint32_t, n + 1); /* 1 + the block that was added last */
    for (uint32_t k = 0; k < g->count; k++) {
      uint32_t b = g->order[k];
      if (g->pred_at[b + 1] - g->pred_at[b] < 2)
        continue;
      for (uint32_t at = g->pred_at[b]; at < g->pred_at[b + 1]; at++)
        for (uint32_t up = g->preds[at]; up != g->dominator[b] && last[up] != 1 + b; up = g->dominator[up]) {
          last[up] = 1 + b;
          if (round)
            p->frontier[--p->frontier_at[up]] = b;
          else
            p->frontier_at[up]++;
        }
    }
    if (round)
      break;
    for (uint32_t b = 1; b <= n; b++)
      p->frontier_at[b] += p->frontier_at[b - 1];
    p->frontier = OG_NEW_ARRAY(p->o->arena, uint32_t, p->frontier_at[n] + 1);
  }
}

struct sites { /* of a variable: the blocks that write it, and those that read it before they write it */
  OG_VECTOR(uint32_t) writes, reads;
};

static struct sites *find_sites(struct promotion *p) {
  struct og_ir_function *f = p->o->f;
  struct sites *sites = OG_NEW_ARRAY(p->o->arena, struct sites, p->types.count);
  uint32_t *written = OG_NEW_ARRAY(p->o->arena, uint32_t, p->types.count); /* 1 + the last block that writes it */
  for (uint32_t k = 0; k < p->g.count; k++) {
    uint32_t b = p->g.order[k];
    for (uint32_t i = f->blocks.items[b].first; i; i = f->insts.items[i].next) {
      uint32_t v = i < p->records ? p->variable[i] : 0;
      if (!v || written[v] == 1 + b)
        continue;
      if (f->insts.items[i].opcode == OG_IR_LOAD) {
        *OG_PUSH(p->o->arena, &sites[v].reads) = b;
      } else {
        written[v] = 1 + b;
        *OG_PUSH(p->o->arena, &sites[v].writes) = b;
      }
    }
  }
  return sites;
}

struct marks { /* by block: the last variable for which it was marked */
  uint32_t *live, *phi, *writes, *open;
};

/* A phi with room for each predecessor; values are filled in while they are found. */
static uint32_t place_phi(struct promotion *p, uint32_t block, uint32_t v) {
  uint32_t preds = p->g.pred_at[block + 1] - p->g.pred_at[block], first = p->o->f->blocks.items[block].first;
  uint32_t phi = cc_insert(p->o, block, first, OG_IR_PHI, p->types.items[v], 2 * preds, first);
  p->o->f->insts.items[phi].location = 0;
  return phi;
}

static void place_phis(struct promotion *p, struct marks *marks, const struct sites *s, uint32_t v) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < s->writes.count; k++)
    marks->writes[s->writes.items[k]] = v;
  for (uint32_t k = 0; k < s->reads.count; k++)
    if (marks->live[s->reads.items[k]] != v)
      marks->live[s->reads.items[k]] = v, marks->open[count++] = s->reads.items[k];
  while (count) {
    uint32_t b = marks->open[--count];
    for (uint32_t at = p->g.pred_at[b]; at < p->g.pred_at[b + 1]; at++) {
      uint32_t from = p->g.preds[at];
      if (marks->live[from] != v && marks->writes[from] != v)
        marks->live[from] = v, marks->open[count++] = from;
    }
  }
  for (uint32_t k = 0; k < s->writes.count; k++)
    marks->open[count++] = s->writes.items[k];
  while (count) {
    uint32_t b = marks->open[--count];
    for (uint32_t k = p->frontier_at[b]; k < p->frontier_at[b + 1]; k++) {
      uint32_t at = p->frontier[k];
      if (marks->phi[at] == v || marks->live[at] != v)
        continue;
      marks->phi[at] = v;
      *OG_PUSH(p->o->arena, &p->phis) = (struct phi){place_phi(p, at, v), v, 0};
      if (marks->writes[at] != v)
        marks->writes[at] = v, marks->open[count++] = at;
    }
  }
}

/* ---- variables become values
 * -------------------------------------------------------------------------------------- */

struct renaming {
  struct promotion *p;
  og_ir_ref *with;  /* by record of a load: its value */
  og_ir_ref *value; /* by variable: its value now */
  uint32_t *phi_of; /* by record of a new phi: 1 + its number in p->phis */
  OG_VECTOR(struct {
    uint32_t variable;
    og_ir_ref value;
  })
  undo;
};

static og_ir_ref convert(struct promotion *p, og_ir_ref value, og_ir_type type, uint32_t before) {
  og_ir_type from = og_ir_type_of_ref(p->o->m, p->o->f, value);
  if (from == type)
    return value;
  uint8_t opcode = og_ir_kind(p->o->m, type) == OG_IR_POINTER   ? OG_IR_INTTOPTR
                   : og_ir_kind(p->o->m, from) == OG_IR_POINTER ? OG_IR_PTRTOINT
                                                                : OG_IR_BITCAST;
  uint32_t cast = cc_insert(p->o, 0, before, opcode, type, 1, before);
  cc_set(p->o->f, cast, 0, value);
  return cast;
}

static og_ir_ref undefined(struct promotion *p, uint32_t v) {
  return og_ir_constant(p->o->m, (struct og_ir_constant){.kind = OG_IR_C_UNDEF, .type = p->types.items[v]}, NULL);
}

static void set_value(struct renaming *r, uint32_t v, og_ir_ref value) {
  *OG_PUSH(r->p->o->arena, &r->undo) = (__typeof__(*r->undo.items)){v, r->value[v]};
  r->value[v] = value;
}

static struct phi *phi_at(struct renaming *r, uint32_t record) {
  uint32_t number = r->phi_of[record - r->p->records];
  return number ? &r->p->phis.items[number - 1] : NULL;
}

static og_ir_ref now(const struct renaming *r, og_ir_ref ref) {
  while (og_ir_space(ref) == OG_IR_LOCAL && og_ir_index(ref) < r->p->records && r->with[og_ir_index(ref)])
    ref = r->with[og_ir_index(ref)];
  return ref;
}

static void rename_block(struct renaming *r, uint32_t b, uint32_t last_phi) {
  struct promotion *p = r->p;
  struct og_ir_function *f = p->o->f;
  for (uint32_t i = f->blocks.items[b].first, next; i; i = next) {
    next = f->insts.items[i].next;
    if (i >= p->records && i < last_phi) {
      struct phi *phi = phi_at(r, i);
      if (phi)
        set_value(r, phi->variable, i);
      continue;
    }
    uint32_t v = i < p->records ? p->variable[i] : 0;
    if (!v)
      continue;
    if (f->insts.items[i].opcode == OG_IR_LOAD) {
      og_ir_ref old = r->value[v] ? r->value[v] : undefined(p, v);
      r->with[i] = convert(p, now(r, old), f->insts.items[i].type, i);
    } else {
      set_value(r, v, convert(p, now(r, og_ir_operand(f, &f->insts.items[i], 0)), p->types.items[v], i));
    }
    og_ir_remove(f, i);
  }
  const struct og_ir_inst *last = &f->insts.items[f->blocks.items[b].last];
  for (uint32_t n = 0; n < last->operands; n++) {
    og_ir_ref to = og_ir_operand(f, last, n);
    if (og_ir_space(to) != OG_IR_BLOCK)
      continue;
    for (uint32_t i = f->blocks.items[og_ir_index(to)].first; i && i >= p->records && i < last_phi;
         i = f->insts.items[i].next) {
      struct phi *phi = phi_at(r, i);
      if (!phi)
        continue;
      cc_set(f, i, phi->filled, r->value[phi->variable] ? r->value[phi->variable] : undefined(p, phi->variable));
      cc_set(f, i, phi->filled + 1, OG_IR_BLOCK | b);
      phi->filled += 2;
    }
  }
}

/* Walks down the tree of dominators. */
static void rename_all(struct renaming *r) {
  struct promotion *p = r->p;
  struct og_ir_function *f = p->o->f;
  uint32_t n = f->blocks.count, depth = 0, last_phi = f->insts.count;
  uint32_t *child = OG_NEW_ARRAY(p->o->arena, uint32_t, n + 1), *sibling = OG_NEW_ARRAY(p->o->arena, uint32_t, n + 1);
  struct frame {
    uint32_t next, undo;
  } *stack = OG_NEW_ARRAY(p->o->arena, struct frame, n + 1);
  for (uint32_t k = p->g.count; k-- > 1;) {
    uint32_t b = p->g.order[k], up = p->g.dominator[b];
    sibling[b] = child[up], child[up] = 1 + b;
  }
  stack[depth++] = (struct frame){1, 0};
  bool entered = false;
  for (uint32_t b = 0; depth;) {
    struct frame *top = &stack[depth - 1];
    if (!entered) {
      rename_block(r, b, last_phi);
      top->next = child[b];
      entered = true;
    }
    if (top->next) {
      b = top->next - 1;
      top->next = sibling[b];
      stack[depth++] = (struct frame){0, r->undo.count};
      entered = false;
      continue;
    }
    while (r->undo.count > top->undo) {
      r->undo.count--;
      r->value[r->undo.items[r->undo.count].variable] = r->undo.items[r->undo.count].value;
    }
    depth--;
  }
}

void cc_promote(struct cc_opt *o) {
  struct promotion p = {.o = o, .keeps = cc_has_attribute(o->m, o->f, OG_IR_A_OPT_NONE)};
  og_ir_build_uses(o->arena, o->f, &p.uses);
  OG_PUSH(o->arena, &p.types);
  p.records = o->f->insts.count;
  p.variable = OG_NEW_ARRAY(o->arena, uint32_t, p.records);
  find_variables(&p);
  if (p.types.count == 1)
    return;
  cc_graph(o->arena, o->f, &p.g);
  find_frontiers(&p);
  uint32_t n = o->f->blocks.count + 1;
  struct marks marks = {OG_NEW_ARRAY(o->arena, uint32_t, n), OG_NEW_ARRAY(o->arena, uint32_t, n),
                        OG_NEW_ARRAY(o->arena, uint32_t, n), OG_NEW_ARRAY(o->arena, uint32_t, 2 * n)};
  struct sites *sites = find_sites(&p);
  for (uint32_t v = 1; v < p.types.count; v++)
    if (sites[v].reads.count) /* else no block reads what another one writes */
      place_phis(&p, &marks, &sites[v], v);
  struct renaming r = {.p = &p};
  r.with = OG_NEW_ARRAY(o->arena, og_ir_ref, p.records);
  r.value = OG_NEW_ARRAY(o->arena, og_ir_ref, p.types.count);
  r.phi_of = OG_NEW_ARRAY(o->arena, uint32_t, o->f->insts.count - p.records + 1);
  for (uint32_t k = 0; k < p.phis.count; k++)
    r.phi_of[p.phis.items[k].record - p.records] = 1 + k;
  rename_all(&r);
  for (uint32_t k = 0; k < o->f->operands.count; k++)
    o->f->operands.items[k] = now(&r, o->f->operands.items[k]);
}
