/* waterfall.c - instructions that take a resource, a sampler or an offset from scalar registers, though lanes differ in
 * it. A loop takes the first lane's value and runs the instruction for all lanes with the same value, until no lane is
 * left. It is made in the IR, once it is known which values lanes differ in. */
#include "cc/buffer.h"
#include "cc/opt.h"

enum { MOST = 4 };

static const char *const first_of = "llvm.amdgcn.readfirstlane.i32";

static unsigned scalar_arguments(const struct og_ir_module *m, const struct og_ir_function *f,
                                 const struct og_ir_inst *i, uint32_t arguments[MOST]) {
  struct og_text name = i->opcode == OG_IR_CALL ? cc_callee_name(m, f, i) : (struct og_text){0};
  unsigned count = name.size ? cc_buffer_scalar_arguments(name, arguments) : 0;
  return count || !name.size ? count : cc_image_scalar_arguments(m, f, i, name, arguments);
}

void cc_prepare_waterfalls(struct cc_opt *o) {
  og_ir_type word = og_ir_integer(o->m, 32);
  uint32_t arguments[MOST];
  for (uint32_t b = 0; b < o->f->blocks.count; b++)
    for (uint32_t i = o->f->blocks.items[b].first; i; i = o->f->insts.items[i].next)
      if (scalar_arguments(o->m, o->f, &o->f->insts.items[i], arguments)) {
        cc_declare(o, og_text(first_of), word, &word, 1);
        return;
      }
}

/* The arguments of a call that must be scalar but differ between lanes. */
static unsigned find(const struct cc_function *c, const struct og_ir_inst *i, uint32_t arguments[MOST]) {
  unsigned count = scalar_arguments(c->m, c->f, i, arguments), kept = 0;
  for (unsigned k = 0; k < count; k++) {
    og_ir_ref ref = arguments[k] + 1 < i->operands ? og_ir_operand(c->f, i, 1 + arguments[k]) : OG_IR_NONE;
    if (og_ir_space(ref) == OG_IR_LOCAL && c->values[og_ir_index(ref)].differs)
      arguments[kept++] = arguments[k];
  }
  return kept;
}

static uint32_t unary(struct cc_opt *o, uint32_t block, uint8_t opcode, og_ir_type type, og_ir_ref a, uint32_t origin) {
  uint32_t i = cc_insert(o, block, 0, opcode, type, 1, origin);
  cc_set(o->f, i, 0, a);
  return i;
}

static uint32_t first_lane(struct cc_opt *o, uint32_t block, og_ir_ref value, uint32_t origin) {
  return cc_insert_call(o, block, 0, first_of, og_ir_integer(o->m, 32), &value, 1, origin);
}

struct fall {
  struct cc_opt *o;
  uint32_t call, block; /* block: where lanes are compared */
  og_ir_ref same;       /* that a lane has the first one's values; OG_IR_NONE: nothing is compared yet */
};

/* The first lane's value. Each lane's words are also compared with it. */
static og_ir_ref first(struct fall *w, og_ir_ref value) {
  struct cc_opt *o = w->o;
  struct og_ir_module *m = o->m;
  og_ir_type type = og_ir_type_of_ref(m, o->f, value), word = og_ir_integer(m, 32), bit = og_ir_integer(m, 1);
  uint32_t count = cc_parts(m, type);
  og_ir_type words = count > 1 ? og_ir_sequence(m, OG_IR_VECTOR, word, count) : word;
  bool pointer = og_ir_kind(m, type) == OG_IR_POINTER;
  og_ir_ref now = pointer ? unary(o, w->block, OG_IR_PTRTOINT, og_ir_integer(m, 32 * count), value, w->call) : value;
  if (og_ir_type_of_ref(m, o->f, now) != words)
    now = unary(o, w->block, OG_IR_BITCAST, words, now, w->call);
  og_ir_ref all = og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_UNDEF, .type = words}, NULL);
  for (uint32_t k = 0; k < count; k++) {
    og_ir_ref place = og_ir_number(m, word, k), mine = now;
    if (count > 1) {
      mine = cc_insert(o, w->block, 0, OG_IR_EXTRACTELEMENT, word, 2, w->call);
      cc_set(o->f, mine, 0, now), cc_set(o->f, mine, 1, place);
    }
    og_ir_ref theirs = first_lane(o, w->block, mine, w->call);
    uint32_t equal = cc_insert(o, w->block, 0, OG_IR_ICMP, bit, 2, w->call);
    o->f->insts.items[equal].sub = OG_IR_EQ;
    cc_set(o->f, equal, 0, mine), cc_set(o->f, equal, 1, theirs);
    if (w->same == OG_IR_NONE) {
      w->same = equal;
    } else {
      uint32_t both = cc_insert(o, w->block, 0, OG_IR_AND, bit, 2, w->call);
      cc_set(o->f, both, 0, w->same), cc_set(o->f, both, 1, equal);
      w->same = both;
    }
    if (count == 1) {
      all = theirs;
      continue;
    }
    uint32_t next = cc_insert(o, w->block, 0, OG_IR_INSERTELEMENT, words, 3, w->call);
    cc_set(o->f, next, 0, all), cc_set(o->f, next, 1, theirs), cc_set(o->f, next, 2, place);
    all = next;
  }
  if (words == type)
    return all;
  if (!pointer)
    return unary(o, w->block, OG_IR_BITCAST, type, all, w->call);
  all = unary(o, w->block, OG_IR_BITCAST, og_ir_integer(m, 32 * count), all, w->call);
  return unary(o, w->block, OG_IR_INTTOPTR, type, all, w->call);
}

static void make_loop(struct cc_opt *o, uint32_t call, const uint32_t *arguments, unsigned count) {
  struct og_ir_function *f = o->f;
  struct cc_turns turns;
  cc_begin_turns(o, call, &turns);
  struct fall w = {o, call, turns.head, OG_IR_NONE};
  for (unsigned k = 0; k < count; k++)
    cc_set(f, call, 1 + arguments[k], first(&w, og_ir_operand(f, &f->insts.items[call], 1 + arguments[k])));
  cc_end_turns(o, call, &turns, w.same);
}

bool cc_waterfall(struct cc_function *c) {
  struct cc_opt o = {.arena = c->arena, .m = c->m, .f = c->f, .isa = c->isa};
  struct found {
    uint32_t call, arguments[MOST];
    unsigned count;
  } found;
  OG_VECTOR(struct found) all = {0};
  for (uint32_t b = 0; b < c->f->blocks.count; b++)
    for (uint32_t i = c->f->blocks.items[b].first; i && c->nodes.items[c->node_of[b]].position != CC_NO_NODE;
         i = c->f->insts.items[i].next) {
      found.call = i, found.count = find(c, &c->f->insts.items[i], found.arguments);
      if (found.count)
        *OG_PUSH(c->arena, &all) = found;
    }
  for (uint32_t k = 0; k < all.count; k++)
    make_loop(&o, all.items[k].call, all.items[k].arguments, all.items[k].count);
  if (!all.count)
    return true;
  c->nodes.count = c->loops.count = 0;
  c->positions = 0;
  return cc_flow(c) && cc_places(c);
}
