/* variadics.c - functions with a variable number of arguments take a pointer instead. The caller puts the arguments
 * side by side in its private memory, each at a multiple of 4 bytes, as LLVM's pass expand-variadics does. A va_list is
 * a pointer to the next of them. */
#include "cc/machine.h"
#include "cc/opt.h"

enum { PRIVATE = 5, SLOT_ALIGN = 4 };

struct passing {
  struct cc_opt o;
  uint32_t record; /* the call that is replaced */
};

static uint32_t insert(struct passing *p, uint8_t opcode, og_ir_type type, uint32_t operands) {
  return cc_insert(&p->o, p->o.f->insts.items[p->record].block, p->record, opcode, type, operands, p->record);
}

static void store(struct passing *p, og_ir_ref value, og_ir_ref to, unsigned align) {
  uint32_t i = insert(p, OG_IR_STORE, OG_IR_VOID, 2);
  p->o.f->insts.items[i].sub = (uint8_t)(1 + __builtin_ctz(align));
  cc_set(p->o.f, i, 0, value), cc_set(p->o.f, i, 1, to);
}

/* Attributes of a function, its result and so many parameters, for one with one more parameter. */
static uint32_t attributes_of_fixed(struct og_ir_module *m, uint32_t attributes, uint32_t parameters) {
  if (!attributes)
    return 0;
  uint32_t *sets = OG_NEW_ARRAY(m->arena, uint32_t, parameters + 3);
  for (uint32_t k = 0; k < parameters + 2; k++)
    sets[k] = m->pool.items[attributes + k];
  return og_ir_pool_list(m, sets, parameters + 3);
}

/* A function's type with a pointer in place of the variable arguments. */
static og_ir_type fixed_type(struct og_ir_module *m, og_ir_type type) {
  const struct og_ir_type_record t = *og_ir_type_of(m, type);
  og_ir_type *parameters = OG_NEW_ARRAY(m->arena, og_ir_type, t.parts);
  for (uint32_t k = 0; k + 1 < t.parts; k++)
    parameters[k] = m->pool.items[t.first + 1 + k];
  parameters[t.parts - 1] = og_ir_pointer(m, 0);
  return og_ir_function_type(m, m->pool.items[t.first], parameters, t.parts, false);
}

static og_ir_ref place_in(struct passing *p, og_ir_ref buffer, uint64_t at) {
  uint32_t i = insert(p, OG_IR_GETELEMENTPTR, og_ir_pointer(p->o.m, PRIVATE), 2);
  p->o.f->insts.items[i].extra = og_ir_integer(p->o.m, 8);
  cc_set(p->o.f, i, 0, buffer), cc_set(p->o.f, i, 1, og_ir_number(p->o.m, og_ir_integer(p->o.m, 32), at));
  return i;
}

static void put(struct passing *p, og_ir_ref value, og_ir_type by_value, og_ir_ref to) {
  struct cc_opt *o = &p->o;
  if (by_value == OG_IR_NONE) {
    store(p, value, to, SLOT_ALIGN);
    return;
  }
  bool is_private = og_ir_type_of(o->m, og_ir_type_of_ref(o->m, o->f, value))->count == PRIVATE;
  og_ir_ref size = og_ir_number(o->m, og_ir_integer(o->m, 64), cc_size_of(o->m, by_value));
  cc_insert_call(o, o->f->insts.items[p->record].block, p->record,
                 is_private ? "llvm.memcpy.p5.p5.i64" : "llvm.memcpy.p5.p0.i64", OG_IR_VOID,
                 (og_ir_ref[]){to, value, size, og_ir_number(o->m, og_ir_integer(o->m, 1), 0)}, 4, p->record);
}

/* Stores all arguments behind the fixed ones; returns the pointer to them. */
static og_ir_ref pass(struct passing *p, const struct og_ir_inst *i, const struct og_ir_call *call, uint32_t fixed) {
  struct cc_opt *o = &p->o;
  uint64_t *at = OG_NEW_ARRAY(o->arena, uint64_t, call->arguments + 1), size = 0;
  og_ir_type *by_value = OG_NEW_ARRAY(o->arena, og_ir_type, call->arguments + 1);
  for (uint32_t k = fixed; k < call->arguments; k++) {
    if (!cc_parameter_type(o->m, call->attributes, k, OG_IR_A_BYVAL, &by_value[k]))
      by_value[k] = OG_IR_NONE;
    og_ir_type type =
        by_value[k] == OG_IR_NONE ? og_ir_type_of_ref(o->m, o->f, og_ir_operand(o->f, i, 1 + k)) : by_value[k];
    at[k] = og_align_up(size, SLOT_ALIGN);
    size = at[k] + cc_size_of(o->m, type);
  }
  og_ir_type bytes = og_ir_sequence(o->m, OG_IR_ARRAY, og_ir_integer(o->m, 8), OG_MAX(size, 1u));
  og_ir_ref buffer = cc_insert_room(o, bytes, SLOT_ALIGN);
  for (uint32_t k = fixed; k < call->arguments; k++)
    put(p, og_ir_operand(o->f, i, 1 + k), by_value[k], place_in(p, buffer, at[k]));
  uint32_t flat = insert(p, OG_IR_ADDRSPACECAST, og_ir_pointer(o->m, 0), 1);
  cc_set(o->f, flat, 0, buffer);
  return flat;
}

/* Returns the call that replaces this one. */
static uint32_t call_with_pointer(struct passing *p) {
  struct cc_opt *o = &p->o;
  const struct og_ir_inst i = o->f->insts.items[p->record];
  struct og_ir_call call = o->f->calls.items[i.extra];
  uint32_t fixed = og_ir_type_of(o->m, call.function_type)->parts - 1;
  og_ir_ref pointer = pass(p, &i, &call, fixed);
  uint32_t n = insert(p, OG_IR_CALL, i.type, 2 + fixed);
  call.attributes = attributes_of_fixed(o->m, call.attributes, fixed);
  call.function_type = fixed_type(o->m, call.function_type), call.arguments = fixed + 1;
  struct og_ir_inst *new = &o->f->insts.items[n];
  new->sub = i.sub, new->flags = i.flags, new->attachments = i.attachments, new->extra = o->f->calls.count;
  *OG_PUSH(o->m->arena, &o->f->calls) = call;
  for (uint32_t k = 0; k <= fixed; k++)
    cc_set(o->f, n, k, og_ir_operand(o->f, &i, k));
  cc_set(o->f, n, 1 + fixed, pointer);
  og_ir_remove(o->f, p->record);
  return n;
}

static bool has_pointers(const struct cc_opt *o, const struct og_ir_inst *i, uint32_t count) {
  for (uint32_t k = 1; k <= count && k < i->operands; k++)
    if (og_ir_kind(o->m, og_ir_type_of_ref(o->m, o->f, og_ir_operand(o->f, i, k))) != OG_IR_POINTER)
      return false;
  return i->operands > count;
}

/* Replaces an intrinsic about a va_list; `list`: the function's own; 0: it has none. */
static void replace_intrinsic(struct passing *p, struct og_text name, uint32_t list) {
  struct cc_opt *o = &p->o;
  const struct og_ir_inst i = o->f->insts.items[p->record];
  og_ir_type pointer = og_ir_pointer(o->m, 0);
  if (og_text_skip(&name, "llvm.va_start.") && list && has_pointers(o, &i, 1)) {
    store(p, list, og_ir_operand(o->f, &i, 1), SLOT_ALIGN);
  } else if (og_text_skip(&name, "llvm.va_copy.") && has_pointers(o, &i, 2)) {
    uint32_t load = insert(p, OG_IR_LOAD, pointer, 1);
    o->f->insts.items[load].sub = 1 + 2;
    cc_set(o->f, load, 0, og_ir_operand(o->f, &i, 2));
    store(p, load, og_ir_operand(o->f, &i, 1), SLOT_ALIGN);
  } else if (!og_text_skip(&name, "llvm.va_end.")) {
    return;
  }
  og_ir_remove(o->f, p->record);
}

static void rewrite(struct passing *p, uint32_t list) {
  struct og_ir_function *f = p->o.f;
  uint32_t old = f->insts.count;
  og_ir_ref *with = NULL; /* by record: its replacement */
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first, next; i; i = next) {
      next = f->insts.items[i].next, p->record = i;
      if (f->insts.items[i].opcode != OG_IR_CALL)
        continue;
      struct og_text name = cc_callee_name(p->o.m, f, &f->insts.items[i]), rest = name;
      if (og_text_skip(&rest, "llvm.")) {
        replace_intrinsic(p, name, list);
      } else if (og_ir_type_of(p->o.m, f->calls.items[f->insts.items[i].extra].function_type)->variadic) {
        with = with ? with : OG_NEW_ARRAY(p->o.arena, og_ir_ref, old);
        with[i] = call_with_pointer(p);
      }
    }
  cc_replace(f, with, old);
}

void cc_pass_variadics(struct og_arena *arena, struct og_ir_module *m) {
  for (uint32_t n = 0; n < m->functions.count; n++) {
    uint32_t global = m->functions.items[n], list = 0; /* globals move when one is declared */
    struct passing p = {.o = {.arena = arena, .m = m, .f = m->globals.items[global].function}};
    if (!p.o.f->blocks.count)
      continue;
    if (og_ir_type_of(m, m->globals.items[global].type)->variadic && p.o.f->convention != OG_IR_KERNEL) {
      uint32_t attributes = attributes_of_fixed(m, p.o.f->attributes, p.o.f->arguments);
      list = cc_add_argument(&p.o, og_ir_pointer(m, 0), false);
      p.o.f->attributes = attributes;
      m->globals.items[global].function = p.o.f;
      m->globals.items[global].type = fixed_type(m, m->globals.items[global].type);
    }
    rewrite(&p, list);
  }
}
