/* inline.c - replaces calls by the bodies of functions, for every function of the module that does not call itself. The
 * caller is built anew, block by block: a call ends its block, the body's blocks follow, and its returns join in the
 * block where the caller goes on. Allocas of a constant size move to the entry, so that they stay parts of the
 * frame. */
#include "cc/alias.h"
#include "cc/machine.h"
#include "cc/opt.h"

#include <string.h>

enum { MOST_INSTRUCTIONS = 1 << 20 }; /* of a function: further calls stay calls */

struct clone {
  struct cc_opt *o;
  const struct og_ir_function *from; /* the function that is copied now, */
  og_ir_ref *map;                    /* by its record: the copy, */
  uint32_t *begins, *ends;           /* by its block: the first and last block of the copy */
  uint32_t call;                     /* !dbg of the call that is replaced; 0: none */
  bool is_copy;                      /* it copies a body, of which there may be other copies */
  uint32_t *moved;                   /* by metadata: a place in the body, as one inlined at the call */
  uint32_t places;
};

static bool is_inlined(const struct clone *c, const struct og_ir_inst *i) {
  if (i->opcode != OG_IR_CALL)
    return false;
  const struct og_ir_global *g = cc_callee(c->o->m, c->from, i);
  if (!g || !g->function->flattened || g->function == c->from)
    return false;
  const struct og_ir_call *call = &c->from->calls.items[i->extra];
  if (call->function_type != g->type || call->arguments != g->function->arguments ||
      og_ir_type_of(c->o->m, call->function_type)->variadic)
    return false;
  return c->o->f->insts.count + g->function->insts.count < MOST_INSTRUCTIONS;
}

/* A place in the body, as one that is inlined at the call. */
static uint32_t seen_from_call(struct clone *c, uint32_t location, unsigned depth) {
  enum { INLINED_AT = 3, FIELDS = 7 }; /* of a DILocation (metadata.def) */
  struct og_ir_module *m = c->o->m;
  if (!location || !c->call || depth > 64)
    return location;
  if (!c->moved) {
    c->places = m->metadata.count;
    c->moved = OG_NEW_ARRAY(c->o->arena, uint32_t, c->places);
  }
  const struct og_ir_metadata *old = &m->metadata.items[location - 1];
  if (location > c->places || old->kind != OG_IR_M_LOCATION || old->parts != FIELDS)
    return location;
  if (c->moved[location - 1])
    return c->moved[location - 1];
  uint64_t fields[FIELDS];
  memcpy(fields, m->fields.items + old->first, sizeof fields);
  fields[INLINED_AT] = fields[INLINED_AT] ? seen_from_call(c, (uint32_t)fields[INLINED_AT], depth + 1) : c->call;
  uint32_t node = og_ir_metadata_new(m, OG_IR_M_LOCATION);
  og_ir_metadata_fields(m, node, OG_IR_M_LOCATION, fields, FIELDS);
  return c->moved[location - 1] = 1 + node;
}

/* Copies an instruction's record and operands; the operands are translated once all instructions are copied. */
static uint32_t copy(struct clone *c, uint32_t record, uint32_t block) {
  struct cc_opt *o = c->o;
  const struct og_ir_inst i = c->from->insts.items[record];
  uint32_t to = og_ir_append(o->m, o->f, block, i.opcode, i.type, i.operands);
  struct og_ir_inst *n = &o->f->insts.items[to];
  n->sub = i.sub, n->flags = i.flags, n->extra = i.extra, n->name = 0;
  n->location = seen_from_call(c, i.location, 0);
  n->attachments = c->is_copy ? cc_without_scopes(o->m, i.attachments) : i.attachments;
  if (i.operands)
    memcpy(&o->f->operands.items[n->first], &c->from->operands.items[i.first], i.operands * sizeof(og_ir_ref));
  if (i.opcode == OG_IR_CALL) {
    n->extra = o->f->calls.count;
    *OG_PUSH(o->m->arena, &o->f->calls) = c->from->calls.items[i.extra];
  }
  if (record < c->from->places.count)
    while (o->f->places.count <= to)
      *OG_PUSH(o->m->arena, &o->f->places) = c->from->places.items[record];
  return to;
}

static og_ir_ref poison(struct og_ir_module *m, og_ir_type type) {
  return og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = type}, NULL);
}

static void translate(struct clone *c, uint32_t record) {
  const struct og_ir_inst *i = &c->o->f->insts.items[record];
  for (uint32_t k = 0; k < i->operands; k++) {
    og_ir_ref *ref = &c->o->f->operands.items[i->first + k];
    if (og_ir_space(*ref) == OG_IR_LOCAL) /* values of blocks that are never reached have no copy */
      *ref = c->map[og_ir_index(*ref)] ? c->map[og_ir_index(*ref)]
                                       : poison(c->o->m, c->from->insts.items[og_ir_index(*ref)].type);
    else if (og_ir_space(*ref) == OG_IR_BLOCK)
      *ref = OG_IR_BLOCK | (i->opcode == OG_IR_PHI ? c->ends : c->begins)[og_ir_index(*ref)];
  }
}

struct returned {
  og_ir_ref value;
  uint32_t block;
};
typedef OG_VECTOR(struct returned) returned_list;

/* Copies a body in which nothing is left to inline, as blocks behind those that there are. Its returns are listed in
 * `returns` and not copied. */
static uint32_t copy_body(struct clone *caller, const struct og_ir_function *body, uint32_t call,
                          const og_ir_ref *arguments, returned_list *returns) {
  struct cc_opt *o = caller->o;
  struct clone c = {.o = o, .from = body, .call = call, .is_copy = true};
  c.map = OG_NEW_ARRAY(o->arena, og_ir_ref, body->insts.count);
  c.begins = c.ends = OG_NEW_ARRAY(o->arena, uint32_t, body->blocks.count);
  for (uint32_t k = 0; k < body->arguments; k++)
    c.map[1 + k] = arguments[k];
  for (uint32_t b = 0; b < body->blocks.count; b++)
    c.begins[b] = og_ir_add_block(o->m, o->f, 0);
  OG_VECTOR(uint32_t) made = {0};
  for (uint32_t b = 0; b < body->blocks.count; b++)
    for (uint32_t i = body->blocks.items[b].first; i; i = body->insts.items[i].next) {
      const struct og_ir_inst *inst = &body->insts.items[i];
      if (inst->opcode == OG_IR_RET) {
        *OG_PUSH(o->arena, returns) =
            (struct returned){inst->operands ? og_ir_operand(body, inst, 0) : OG_IR_NONE, c.begins[b]};
        continue;
      }
      bool still = inst->opcode == OG_IR_ALLOCA && b == 0 &&
                   (!inst->operands || og_ir_space(og_ir_operand(body, inst, 0)) == OG_IR_CONSTANT);
      uint32_t first = o->f->blocks.items[0].first, to = copy(&c, i, still ? (first ? UINT32_MAX : 0) : c.begins[b]);
      if (still && first)
        og_ir_insert_before(o->f, to, first);
      c.map[i] = to;
      *OG_PUSH(o->arena, &made) = to;
    }
  for (uint32_t k = 0; k < made.count; k++)
    translate(&c, made.items[k]);
  for (uint32_t k = 0; k < returns->count; k++)
    if (og_ir_space(returns->items[k].value) == OG_IR_LOCAL)
      returns->items[k].value = c.map[og_ir_index(returns->items[k].value)];
  return c.begins[0];
}

static void branch_to(struct cc_opt *o, uint32_t block, uint32_t to) {
  uint32_t br = og_ir_append(o->m, o->f, block, OG_IR_BR, OG_IR_VOID, 1);
  cc_set(o->f, br, 0, OG_IR_BLOCK | to);
}

/* Inlines a call; returns the block where the caller goes on. */
static uint32_t expand(struct clone *c, uint32_t record, uint32_t block) {
  struct cc_opt *o = c->o;
  const struct og_ir_inst i = c->from->insts.items[record];
  const struct og_ir_function *body = cc_callee(o->m, c->from, &i)->function;
  const struct og_ir_call call = c->from->calls.items[i.extra];
  og_ir_ref *arguments = OG_NEW_ARRAY(o->arena, og_ir_ref, call.arguments + 1);
  for (uint32_t k = 0; k < call.arguments; k++) {
    og_ir_ref ref = og_ir_operand(c->from, &i, 1 + k);
    arguments[k] = og_ir_space(ref) == OG_IR_LOCAL ? c->map[og_ir_index(ref)] : ref;
  }
  returned_list returns = {0};
  uint32_t entry = copy_body(c, body, i.location, arguments, &returns), on = og_ir_add_block(o->m, o->f, 0);
  branch_to(o, block, entry);
  for (uint32_t k = 0; k < returns.count; k++)
    branch_to(o, returns.items[k].block, on);
  if (i.type == OG_IR_VOID)
    return on;
  if (returns.count == 1) {
    c->map[record] = returns.items[0].value;
  } else if (!returns.count) {
    c->map[record] = poison(o->m, i.type);
  } else {
    uint32_t phi = og_ir_append(o->m, o->f, on, OG_IR_PHI, i.type, 2 * returns.count);
    for (uint32_t k = 0; k < returns.count; k++) {
      cc_set(o->f, phi, 2 * k, returns.items[k].value);
      cc_set(o->f, phi, 2 * k + 1, OG_IR_BLOCK | returns.items[k].block);
    }
    c->map[record] = phi;
  }
  return on;
}

/* Builds the function anew with calls inlined; if `more` is a type, with one more argument of it before or behind the
 * others. */
static void rebuild(struct cc_opt *o, og_ir_type more, bool first) {
  struct og_ir_function *old = o->f;
  struct clone c = {.o = o, .from = old};
  struct og_ir_function *f = o->f = og_ir_new_function(o->m);
  f->convention = old->convention, f->attributes = old->attributes, f->arguments = old->arguments;
  c.map = OG_NEW_ARRAY(o->arena, og_ir_ref, old->insts.count);
  c.begins = OG_NEW_ARRAY(o->arena, uint32_t, old->blocks.count);
  c.ends = OG_NEW_ARRAY(o->arena, uint32_t, old->blocks.count);
  if (old->places.count)
    OG_PUSH(o->m->arena, &f->places);
  f->arguments += more != OG_IR_VOID;
  if (more != OG_IR_VOID && first)
    og_ir_append(o->m, f, UINT32_MAX, OG_IR_ARGUMENT, more, 0);
  for (uint32_t a = 1; a <= old->arguments; a++) {
    c.map[a] = copy(&c, a, UINT32_MAX);
    f->insts.items[og_ir_index(c.map[a])].name = old->insts.items[a].name;
  }
  if (more != OG_IR_VOID && !first)
    og_ir_append(o->m, f, UINT32_MAX, OG_IR_ARGUMENT, more, 0);
  OG_VECTOR(uint32_t) made = {0};
  for (uint32_t b = 0; b < old->blocks.count; b++)
    c.begins[b] = og_ir_add_block(o->m, f, old->blocks.items[b].name);
  /* In this order definitions come before what reads them, which a call's arguments need. */
  struct cc_graph g;
  cc_graph(o->arena, old, &g);
  for (uint32_t k = 0; k < g.count; k++) {
    uint32_t b = g.order[k], block = c.begins[b];
    for (uint32_t i = old->blocks.items[b].first; i; i = old->insts.items[i].next) {
      if (is_inlined(&c, &old->insts.items[i])) {
        block = expand(&c, i, block);
        continue;
      }
      c.map[i] = copy(&c, i, block);
      *OG_PUSH(o->arena, &made) = c.map[i];
    }
    c.ends[b] = block;
  }
  for (uint32_t b = 0; b < old->blocks.count; b++)
    if (g.number[b] == CC_UNREACHED)
      og_ir_append(o->m, f, c.begins[b], OG_IR_UNREACHABLE, OG_IR_VOID, 0), c.ends[b] = c.begins[b];
  for (uint32_t k = 0; k < made.count; k++)
    translate(&c, made.items[k]);
}

void cc_inline(struct cc_opt *o) {
  const struct og_ir_function *f = o->f;
  struct clone c = {.o = o, .from = f};
  bool any = false;
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first; i && !any; i = f->insts.items[i].next)
      any = is_inlined(&c, &f->insts.items[i]);
  if (any)
    rebuild(o, OG_IR_VOID, false);
}

uint32_t cc_add_argument(struct cc_opt *o, og_ir_type type, bool first) {
  rebuild(o, type, first);
  return first ? 1 : o->f->arguments;
}
