/* places.c - in which kind of registers values stand: values that are equal in all lanes and have scalar instructions
 * in scalar ones, all others in vector registers; conditions that lanes differ in as masks. It assumes the best and
 * goes on until nothing changes. Divergence by joins of paths: Rosemann, Moll and Hack, An Abstract Interpretation for
 * SPMD Divergence on Reducible Control Flow Graphs. */
#include "cc/address.h"
#include "cc/buffer.h"
#include "cc/opt.h"

static bool is_i1(const struct cc_function *c, og_ir_type type) {
  const struct og_ir_type_record *t = og_ir_type_of(c->m, type);
  return t->kind == OG_IR_INTEGER && t->count == 1;
}

static uint8_t place_of(const struct cc_function *c, og_ir_ref ref) {
  return og_ir_space(ref) == OG_IR_LOCAL ? c->values[og_ir_index(ref)].place : CC_SCALAR;
}

/* Whether a load can be a scalar memory instruction: whole dwords of memory that is not written while the kernel
 * runs. */
static bool is_scalar_load(const struct cc_function *c, const struct og_ir_inst *i) {
  const struct og_ir_type_record *p = og_ir_type_of(c->m, og_ir_type_of_ref(c->m, c->f, og_ir_operand(c->f, i, 0)));
  uint64_t size = cc_store_size(c->m, i->type), align = i->sub ? 1u << (i->sub - 1) : cc_align_of(c->m, i->type);
  if (i->flags & (OG_IR_F_ATOMIC | OG_IR_F_VOLATILE))
    return false;
  int64_t offset; /* bytes within a dword of the arguments, which are aligned */
  if (size < 4 && cc_is_argument(c, og_ir_operand(c->f, i, 0), &offset) && (uint64_t)offset % 4 + size <= 4)
    return true;
  if (align < 4 || (p->count != 4 && p->count != 1) ||
      (size % 4 && size > 4) || (size % 4 && og_ir_is_vector(c->m, i->type)))
    return false;
  if (p->count == 4)
    return true;
  return cc_attachment(c->m, i->attachments, "amdgpu.noclobber") != UINT32_MAX ||
         cc_attachment(c->m, i->attachments, "invariant.load") != UINT32_MAX;
}

/* Whether there are scalar instructions for it, if its operands are scalar. */
static bool has_scalar_form(const struct cc_function *c, const struct og_ir_inst *i) {
  og_ir_type scalar = og_ir_scalar(c->m, i->type);
  unsigned bits = cc_bits(c->m, scalar);
  switch (i->opcode) {
  case OG_IR_ARGUMENT:
  case OG_IR_PHI:
  case OG_IR_FREEZE:
  case OG_IR_BITCAST:
  case OG_IR_PTRTOINT:
  case OG_IR_PTRTOADDR:
  case OG_IR_INTTOPTR:
  case OG_IR_EXTRACTVALUE:
  case OG_IR_INSERTVALUE:
  case OG_IR_SHUFFLEVECTOR:
  case OG_IR_GETELEMENTPTR:
  case OG_IR_ZEXT:
  case OG_IR_SEXT:
  case OG_IR_SELECT: return true;
  case OG_IR_ADD:
  case OG_IR_SUB:
  case OG_IR_AND:
  case OG_IR_OR:
  case OG_IR_XOR: return bits <= 64;
  case OG_IR_TRUNC:
  case OG_IR_ALLOCA: return true;
  case OG_IR_SHL:
  case OG_IR_LSHR:
  case OG_IR_ASHR: return bits <= 64;
  case OG_IR_MUL: return bits <= 32;
  case OG_IR_EXTRACTELEMENT: return og_ir_space(og_ir_operand(c->f, i, 1)) == OG_IR_CONSTANT;
  case OG_IR_INSERTELEMENT: return og_ir_space(og_ir_operand(c->f, i, 2)) == OG_IR_CONSTANT;
  case OG_IR_ICMP: {
    og_ir_type type = og_ir_type_of_ref(c->m, c->f, og_ir_operand(c->f, i, 0));
    return !og_ir_is_vector(c->m, i->type) && cc_bits(c->m, type) <= 32 && cc_bits(c->m, type) > 1;
  }
  case OG_IR_ADDRSPACECAST: /* the same bits */
    return bits == cc_bits(c->m, og_ir_scalar(c->m, og_ir_type_of_ref(c->m, c->f, og_ir_operand(c->f, i, 0))));
  case OG_IR_LOAD: return is_scalar_load(c, i);
  case OG_IR_CALL: return cc_intrinsic_is_scalar(c, i);
  default: return false;
  }
}

static uint8_t place_for(const struct cc_function *c, const struct og_ir_inst *i, uint8_t old) {
  bool scalar = has_scalar_form(c, i), call = i->opcode == OG_IR_CALL;
  bool looks = call ? cc_passes_on(cc_called(c, i)) || cc_follows_arguments(c, i) : i->opcode != OG_IR_ALLOCA;
  for (uint32_t k = 0; k < i->operands && scalar && looks; k++) {
    og_ir_ref ref = og_ir_operand(c->f, i, k);
    if (og_ir_space(ref) != OG_IR_LOCAL)
      continue;
    uint8_t place = place_of(c, ref);
    scalar = place == CC_SCALAR || place == CC_UNSEEN;
  }
  if (scalar && old <= CC_SCALAR)
    return CC_SCALAR;
  return is_i1(c, i->type) && i->opcode != OG_IR_PHI && old != CC_VECTOR ? CC_MASK : CC_VECTOR;
}

/* Whether a value may be different in each lane: if an operand may be, or if it asks which lane it is in. A load from
 * one address gives all lanes the same, except from private memory; intrinsics that are not known may give each lane
 * another value. */
static bool may_differ(const struct cc_function *c, const struct og_ir_inst *i) {
  enum { OF_FLAT = 0, OF_PRIVATE = 5 };
  static const char *const of_lanes[] = {"llvm.amdgcn.workitem.id", "llvm.amdgcn.mbcnt"};
  struct og_text name = i->opcode == OG_IR_CALL ? cc_called(c, i) : (struct og_text){0};
  if (i->opcode == OG_IR_ATOMICRMW || i->opcode == OG_IR_CMPXCHG)
    return true;
  if (i->opcode == OG_IR_LOAD) {
    unsigned space = cc_space_of(c, og_ir_operand(c->f, i, 0));
    if (space == OF_FLAT || space == OF_PRIVATE || i->flags & (OG_IR_F_ATOMIC | OG_IR_F_VOLATILE))
      return true;
  }
  if (i->opcode == OG_IR_CALL && !cc_follows_arguments(c, i) && !cc_may_move(c->m, c->f, i))
    return true;
  for (unsigned k = 0; k < OG_COUNT(of_lanes) && name.size; k++) {
    struct og_text rest = name;
    if (og_text_skip(&rest, of_lanes[k]))
      return true;
  }
  for (uint32_t k = 0; k < i->operands; k++) {
    og_ir_ref ref = og_ir_operand(c->f, i, k);
    if (og_ir_space(ref) == OG_IR_LOCAL && c->values[og_ir_index(ref)].differs)
      return true;
  }
  return false;
}

/* ---- lanes that part --------------------------------------------------------------------------------------------- */

struct parting {
  struct cc_function *c;
  uint32_t *label; /* by position: 0, or 1 + the node where paths to here parted or joined last */
  bool *joined;    /* by node: lanes reach it by different paths */
  bool changed;
};

static void reach(struct parting *p, uint32_t node, uint32_t label, uint32_t *open, uint32_t *last) {
  uint32_t at = p->c->nodes.items[node].position;
  if (!p->label[at]) {
    p->label[at] = label;
    ++*open;
    *last = OG_MAX(*last, at);
  } else if (p->label[at] != label) {
    p->label[at] = 1 + node; /* paths join: from here on they have its label */
    if (!p->joined[node])
      p->joined[node] = p->changed = true;
  }
}

static bool is_inside(const struct cc_function *c, uint32_t node, uint32_t loop) {
  uint32_t l = c->nodes.items[node].loop;
  while (l && l != loop)
    l = c->loops.items[l].parent;
  return l == loop;
}

/* The next step of a switch; CC_NO_NODE: there is none. */
static uint32_t next_step(const struct cc_function *c, uint32_t node) {
  const struct cc_node *n = &c->nodes.items[node], *next = &c->nodes.items[n->succ[1]];
  bool is_step = n->match_ref != OG_IR_NONE && next->block == CC_NO_NODE && next->match_ref == n->match_ref;
  return is_step ? n->succ[1] : CC_NO_NODE;
}

/* Follows the paths that part at `node` (at all steps of a switch), or where lanes leave `loop`, which then is
 * divergent, up to where all paths have met. */
static void part(struct parting *p, uint32_t node, uint32_t loop) {
  struct cc_function *c = p->c;
  uint32_t open = 0, last = 0, from, home = loop ? c->loops.items[loop].parent : c->nodes.items[node].loop;
  uint32_t seen = 0; /* the label of paths that leave home or go round it */
  bool differ = false;
  if (loop) {
    uint32_t first = c->nodes.items[c->loops.items[loop].header].position;
    from = c->loops.items[loop].last + 1;
    for (uint32_t at = first; at < from; at++) {
      const struct cc_node *n = &c->nodes.items[c->layout[at]];
      for (uint32_t s = 0; s < n->succs; s++)
        if (!is_inside(c, n->succ[s], loop)) {
          if (home && !is_inside(c, n->succ[s], home)) { /* it leaves the loop around this one, too */
            differ |= seen && seen != 1 + c->layout[at];
            seen = 1 + c->layout[at];
          } else {
            reach(p, n->succ[s], 1 + c->layout[at], &open, &last);
          }
        }
    }
  } else {
    from = c->nodes.items[node].position + 1;
    for (uint32_t step = node, next; step != CC_NO_NODE; step = next) {
      next = next_step(c, step);
      c->nodes.items[step].divergent = true;
      for (uint32_t s = 0; s < 2; s++) {
        uint32_t to = c->nodes.items[step].succ[s], label = 1 + step + c->nodes.count * (1 + s);
        if (s && next != CC_NO_NODE)
          continue;
        if (home && (!is_inside(c, to, home) || to == c->loops.items[home].header)) {
          differ |= seen && seen != label;
          seen = label;
        } else {
          reach(p, to, label, &open, &last);
        }
      }
    }
  }
  uint32_t at = from;
  for (; at <= last; at++) {
    uint32_t label = p->label[at];
    if (!label)
      continue;
    p->label[at] = 0;
    open--;
    if (!open && !seen)
      continue; /* all paths have met here; later labels are cleared below */
    const struct cc_node *n = &c->nodes.items[c->layout[at]];
    for (uint32_t s = 0; s < n->succs; s++) {
      uint32_t to = n->succ[s];
      if (home && (!is_inside(c, to, home) || to == c->loops.items[home].header)) {
        differ |= seen && seen != label;
        seen = label;
      } else if (c->nodes.items[to].position > at) { /* not the way back of an inner loop */
        reach(p, to, label, &open, &last);
      }
    }
  }
  if (differ && !c->loops.items[home].divergent) {
    c->loops.items[home].divergent = p->changed = true;
    part(p, 0, home);
  }
}

/* Whether a value leaves a loop in different iterations of its lanes. */
static bool leaves_loop(const struct cc_function *c, uint32_t record, uint32_t user_block) {
  uint32_t node = c->node_of[c->f->insts.items[record].block];
  for (uint32_t l = c->nodes.items[node].loop; l; l = c->loops.items[l].parent)
    if (c->loops.items[l].divergent && !is_inside(c, c->node_of[user_block], l))
      return true;
  return false;
}

/* Such a value is each lane's own. So is that from which it is computed as an address or by a sign in the loop, since
 * instructions look through these. */
static void keep_apart(struct parting *p, uint32_t record, uint32_t user_block) {
  struct cc_function *c = p->c;
  for (;;) {
    const struct og_ir_inst *i = &c->f->insts.items[record];
    struct cc_value *v = &c->values[record];
    if (v->leaves || record <= c->f->arguments || !leaves_loop(c, record, user_block))
      return;
    v->place = CC_VECTOR, v->leaves = v->differs = p->changed = true;
    if ((i->opcode != OG_IR_GETELEMENTPTR && i->opcode != OG_IR_FNEG) ||
        og_ir_space(og_ir_operand(c->f, i, 0)) != OG_IR_LOCAL)
      return;
    record = og_ir_index(og_ir_operand(c->f, i, 0));
  }
}

static void visit(struct parting *p, uint32_t record) {
  struct cc_function *c = p->c;
  const struct og_ir_inst *i = &c->f->insts.items[record];
  struct cc_value *v = &c->values[record];
  uint8_t old = v->place, now = place_for(c, i, old);
  bool joins = i->opcode == OG_IR_PHI && p->joined[c->node_of[i->block]];
  if (i->opcode == OG_IR_PHI) { /* a loop's header: its edges may join in the latch or the entry before it */
    const struct cc_loop *l = &c->loops.items[c->nodes.items[c->node_of[i->block]].loop];
    if (l != c->loops.items && l->header == c->node_of[i->block] &&
        (p->joined[l->latch] || (l->entry != CC_NO_NODE && p->joined[l->entry])))
      joins = true;
  }
  if (joins)
    now = CC_VECTOR;
  for (uint32_t k = 0; k < i->operands; k++) {
    og_ir_ref ref = og_ir_operand(c->f, i, k);
    if (og_ir_space(ref) != OG_IR_LOCAL || og_ir_index(ref) <= c->f->arguments)
      continue;
    if (c->loops.count > 1)
      keep_apart(p, og_ir_index(ref), i->block);
  }
  bool differs = now != CC_SCALAR && (v->differs || joins || may_differ(c, i));
  if (now != old || differs != v->differs) {
    v->place = now, v->differs = differs;
    p->changed = true;
  }
}

bool cc_places(struct cc_function *c) {
  struct parting p = {.c = c, .changed = true};
  p.label = OG_NEW_ARRAY(c->arena, uint32_t, c->nodes.count + 1);
  p.joined = OG_NEW_ARRAY(c->arena, bool, c->nodes.count);
  c->values = OG_NEW_ARRAY(c->arena, struct cc_value, c->f->insts.count);
  for (uint32_t i = 1; i <= c->f->arguments; i++)
    c->values[i].place = c->is_function ? CC_VECTOR : CC_SCALAR, c->values[i].differs = c->is_function;
  while (p.changed) {
    p.changed = false;
    for (uint32_t at = 0; at < c->positions; at++) {
      uint32_t node = c->layout[at];
      struct cc_node *n = &c->nodes.items[node];
      if (n->block != CC_NO_NODE)
        for (uint32_t i = c->f->blocks.items[n->block].first; i; i = c->f->insts.items[i].next)
          visit(&p, i);
      if (n->succs == 2 && !n->divergent &&
          og_ir_space(n->match_ref != OG_IR_NONE ? n->match_ref : n->condition) == OG_IR_LOCAL &&
          place_of(c, n->match_ref != OG_IR_NONE ? n->match_ref : n->condition) > CC_SCALAR) {
        n->divergent = p.changed = true;
        part(&p, node, 0);
      }
    }
  }
  return true;
}
