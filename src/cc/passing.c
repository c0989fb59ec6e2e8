/* passing.c - what calls pass through memory: a result of more registers than there are for results, which goes where a
 * first argument points (as in LLVM's code); and copies of what is passed by value, so that the callee may write to
 * them. */
#include "cc/calls.h"
#include "cc/machine.h"
#include "cc/opt.h"

enum { PRIVATE = 5 };

static bool is_large(const struct og_ir_module *m, og_ir_type type) {
  return type != OG_IR_VOID && cc_parts(m, type) > CC_RETURN_REGISTERS;
}

static uint32_t access(struct cc_opt *o, uint32_t before, uint8_t opcode, og_ir_type type, og_ir_ref a, og_ir_ref b) {
  uint32_t i = cc_insert(o, o->f->insts.items[before].block, before, opcode, type, b == OG_IR_NONE ? 1 : 2, before);
  o->f->insts.items[i].sub = 1 + 2;
  cc_set(o->f, i, 0, a);
  if (b != OG_IR_NONE)
    cc_set(o->f, i, 1, b);
  return i;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* A function's type without the result, and with a pointer first. */
static og_ir_type pointer_first(struct og_ir_module *m, og_ir_type type) {
  const struct og_ir_type_record t = *og_ir_type_of(m, type);
  og_ir_type *parameters = OG_NEW_ARRAY(m->arena, og_ir_type, t.parts);
  parameters[0] = og_ir_pointer(m, PRIVATE);
  for (uint32_t k = 1; k < t.parts; k++)
    parameters[k] = m->pool.items[t.first + k];
  return og_ir_function_type(m, OG_IR_VOID, parameters, t.parts, false);
}

/* Attributes of a function or call with so many parameters, for one without a result and with one more parameter before
 * them. */
static uint32_t attributes_behind(struct og_ir_module *m, uint32_t attributes, uint32_t parameters) {
  if (!attributes)
    return 0;
  uint32_t *sets = OG_NEW_ARRAY(m->arena, uint32_t, parameters + 3);
  sets[0] = m->pool.items[attributes];
  for (uint32_t k = 0; k < parameters; k++)
    sets[3 + k] = m->pool.items[attributes + 2 + k];
  return og_ir_pool_list(m, sets, parameters + 3);
}

static void return_by_memory(struct cc_opt *o, uint32_t global) {
  struct og_ir_module *m = o->m;
  uint32_t attributes = attributes_behind(m, o->f->attributes, o->f->arguments);
  og_ir_ref to = cc_add_argument(o, og_ir_pointer(m, PRIVATE), true);
  struct og_ir_function *f = o->f;
  f->attributes = attributes;
  m->globals.items[global].function = f;
  m->globals.items[global].type = pointer_first(m, m->globals.items[global].type);
  for (uint32_t b = 0; b < f->blocks.count; b++) {
    uint32_t last = f->blocks.items[b].last;
    if (!last || f->insts.items[last].opcode != OG_IR_RET)
      continue;
    access(o, last, OG_IR_STORE, OG_IR_VOID, og_ir_operand(f, &f->insts.items[last], 0), to);
    f->insts.items[last].operands = 0;
  }
}

/* Returns the value that replaces the call's result. */
static og_ir_ref call_by_memory(struct cc_opt *o, uint32_t record) {
  struct og_ir_function *f = o->f;
  const struct og_ir_inst i = f->insts.items[record];
  struct og_ir_call call = f->calls.items[i.extra];
  uint32_t room = cc_insert_room(o, i.type, OG_MAX(cc_align_of(o->m, i.type), 4u));
  uint32_t n = cc_insert(o, i.block, record, OG_IR_CALL, OG_IR_VOID, i.operands + 1, record);
  call.attributes = attributes_behind(o->m, call.attributes, call.arguments);
  call.function_type = pointer_first(o->m, call.function_type), call.arguments++;
  struct og_ir_inst *new = &f->insts.items[n];
  new->sub = i.sub, new->attachments = i.attachments, new->extra = f->calls.count;
  *OG_PUSH(o->m->arena, &f->calls) = call;
  cc_set(f, n, 0, og_ir_operand(f, &i, 0)), cc_set(f, n, 1, room);
  for (uint32_t k = 1; k < i.operands; k++)
    cc_set(f, n, 1 + k, og_ir_operand(f, &i, k));
  og_ir_ref value = access(o, record, OG_IR_LOAD, i.type, room, OG_IR_NONE);
  og_ir_remove(f, record);
  return value;
}

/* ---- by value ---------------------------------------------------------------------------------------------------- */

static void copy_arguments(struct cc_opt *o, uint32_t record) {
  struct og_ir_module *m = o->m;
  struct og_ir_call call = o->f->calls.items[o->f->insts.items[record].extra];
  og_ir_type type;
  for (uint32_t k = 0; k < call.arguments; k++) {
    if (!cc_parameter_type(m, call.attributes, k, OG_IR_A_BYVAL, &type))
      continue;
    og_ir_ref from = og_ir_operand(o->f, &o->f->insts.items[record], 1 + k);
    og_ir_ref room = cc_insert_room(o, type, OG_MAX(cc_align_of(m, type), 4u));
    og_ir_ref size = og_ir_number(m, og_ir_integer(m, 64), cc_size_of(m, type)),
              no = og_ir_number(m, og_ir_integer(m, 1), 0);
    cc_insert_call(o, o->f->insts.items[record].block, record, "llvm.memcpy.p5.p5.i64", OG_IR_VOID,
                   (og_ir_ref[]){room, from, size, no}, 4, record);
    cc_set(o->f, record, 1 + k, room);
  }
}

static void rewrite_calls(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  uint32_t old = f->insts.count;
  og_ir_ref *with = NULL; /* by record: its replacement */
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first, next; i; i = next) {
      next = f->insts.items[i].next;
      if (!cc_is_real_call(o->m, f, &f->insts.items[i]))
        continue;
      copy_arguments(o, i);
      if (!is_large(o->m, f->insts.items[i].type))
        continue;
      with = with ? with : OG_NEW_ARRAY(o->arena, og_ir_ref, old);
      with[i] = call_by_memory(o, i);
    }
  cc_replace(f, with, old);
}

void cc_pass_by_memory(struct og_arena *arena, struct og_ir_module *m) {
  for (uint32_t n = 0; n < m->functions.count; n++) {
    uint32_t global = m->functions.items[n];
    struct cc_opt o = {.arena = arena, .m = m, .f = m->globals.items[global].function};
    if (!o.f->blocks.count)
      continue;
    if (o.f->convention != OG_IR_KERNEL &&
        is_large(m, m->pool.items[og_ir_type_of(m, m->globals.items[global].type)->first]))
      return_by_memory(&o, global);
    rewrite_calls(&o);
  }
}
