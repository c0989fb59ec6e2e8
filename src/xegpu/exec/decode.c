/* decode.c - makes code of functions and of launches' bodies: places for values, constants, loops and branches as
 * jumps. */
#include "xegpu/exec/exec.h"
#include "xegpu/verifier.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, FRAME_MOST = 64 << 20 };

/* ---- places ------------------------------------------------------------------------------------------------------ */

bool og_xe_scalar(og_mlir_type type, uint8_t *to) {
  type = og_mlir_element(type);
  switch (type->kind) {
  case OG_MLIR_INDEX: return *to = OG_XE_I64, true;
  case OG_MLIR_F16: return *to = OG_XE_F16, true;
  case OG_MLIR_BF16: return *to = OG_XE_BF16, true;
  case OG_MLIR_F32:
  case OG_MLIR_TF32: return *to = OG_XE_F32, true;
  case OG_MLIR_F64: return *to = OG_XE_F64, true;
  case OG_MLIR_INTEGER:
    switch (type->ints[0]) {
    case 1: return *to = OG_XE_I1, true;
    case 8: return *to = OG_XE_I8, true;
    case 16: return *to = OG_XE_I16, true;
    case 32: return *to = OG_XE_I32, true;
    case 64: return *to = OG_XE_I64, true;
    }
  }
  return false;
}

uint64_t og_xe_size(og_mlir_type type) {
  uint8_t scalar;
  switch (type->kind) {
  case OG_MLIR_VECTOR: {
    int64_t elements = og_mlir_elements(type);
    return og_xe_scalar(type, &scalar) && elements > 0 && elements < FRAME_MOST && !type->flags
               ? (uint64_t)elements * og_xe_sizes[scalar]
               : 0;
  }
  case OG_MLIR_MEMREF:
    return og_xe_scalar(type, &scalar) ? sizeof(struct og_xe_memref) + 16 * (uint64_t)OG_MAX(type->int_count, 1u) : 0;
  case OG_MLIR_UNRANKED_MEMREF: return sizeof(struct og_xe_unranked);
  case OG_MLIR_TENSOR_DESC: return OG_MAX(sizeof(struct og_xe_tile), sizeof(struct og_xe_points) + 8 * 1024);
  case OG_MLIR_MEM_DESC: return sizeof(struct og_xe_memref) + 16 * (uint64_t)OG_MAX(type->int_count, 1u);
  case OG_MLIR_NBARRIER: return sizeof(struct og_xe_barrier);
  case OG_MLIR_DIALECT_TYPE: return 1; /* a token */
  default: return og_xe_scalar(type, &scalar) ? og_xe_sizes[scalar] : 0;
  }
}

uint32_t og_xe_room(struct og_xe_decoder *d, uint64_t size) {
  uint64_t at = og_align_up(d->frame_size, ALIGN);
  if (at + size > FRAME_MOST) {
    d->failed = true;
    return 0;
  }
  d->frame_size = (uint32_t)(at + size);
  return (uint32_t)at;
}

/* The place of a value, which is chosen when it is first mentioned. value->slot is 1 + place / ALIGN. */
uint32_t og_xe_place(struct og_xe_decoder *d, struct og_mlir_value *value) {
  if (!value->slot) {
    uint64_t size = og_xe_size(value->type);
    if (!size)
      og_xe_refuse(d, value->op ? value->op : d->code->op, "values of this type are not executed");
    value->slot = 1 + og_xe_room(d, size) / ALIGN;
  }
  return (value->slot - 1) * ALIGN;
}

struct og_xe_inst *og_xe_emit(struct og_xe_decoder *d, const struct og_mlir_op *op, og_xe_handler run) {
  struct og_xe_inst *inst = OG_PUSH(d->m->arena, &d->insts);
  *inst = (struct og_xe_inst){.run = run, .op = op};
  return inst;
}

bool og_xe_refuse(struct og_xe_decoder *d, const struct og_mlir_op *op, const char *why) {
  if (!d->failed)
    og_error(d->m->diagnostics, (struct og_range){&d->m->module->source, op->offset, op->size},
             "'%s' op is not executed: %s", op->row->name, why);
  d->failed = true;
  return false;
}

bool og_xe_put_constant(struct og_xe_decoder *d, uint32_t place, og_mlir_attr value) {
  og_mlir_type type = value->kind == OG_MLIR_INT || value->kind == OG_MLIR_FLOAT || value->kind == OG_MLIR_DENSE
                          ? value->parts[0]
                          : NULL;
  uint8_t scalar;
  if (!type || !og_xe_scalar(type, &scalar) || !og_xe_size(type) || d->failed)
    return false;
  uint32_t size = og_xe_sizes[scalar];
  uint64_t bytes = og_xe_size(type);
  while (d->image.count < place + bytes)
    *OG_PUSH(d->m->arena, &d->image) = 0;
  uint8_t *to = d->image.items + place;
  if (value->kind == OG_MLIR_INT) {
    int64_t bits = scalar == OG_XE_I1 ? value->ints[0] & 1 : value->ints[0];
    memcpy(to, &bits, size);
  } else if (value->kind == OG_MLIR_FLOAT) {
    double number;
    memcpy(&number, value->ints, 8);
    float narrow = (float)number;
    if (value->flags || scalar == OG_XE_F64)
      memcpy(to, value->ints, size);
    else if (scalar == OG_XE_F16)
      og_store16(to, og_double_to_half(number));
    else
      og_xe_from_floats(scalar, &narrow, to, 1);
  } else {
    for (uint64_t i = 0; i < bytes; i += size)
      memcpy(to + i, value->text.data + (value->text.size == size ? 0 : i), size);
  }
  return true;
}

/* ---- jumps ------------------------------------------------------------------------------------------------------- */

static const struct og_xe_inst *jump(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t, (void)f;
  return i + i->jump;
}

static const struct og_xe_inst *jump_unless(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  return f[i->a] & 1 ? i + 1 : i + i->jump;
}

/* type: OG_XE_I64 or another width; sub: unsigned. */
static const struct og_xe_inst *loop_test(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  if (i->type == OG_XE_I64 && !i->sub)
    return og_xe_index(f, i->a) < og_xe_index(f, i->b) ? i + 1 : i + i->jump;
  int64_t a = og_xe_integer(i->type, f + i->a), b = og_xe_integer(i->type, f + i->b);
  bool less = i->sub ? (uint64_t)a < (uint64_t)b : a < b;
  return less ? i + 1 : i + i->jump;
}

static const struct og_xe_inst *loop_next(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  int64_t step = og_xe_integer(i->type, f + i->b), value;
  if (step <= 0)
    return og_xe_fault(t, i, "the loop's step is %lld, but must be positive", (long long)step);
  if (__builtin_add_overflow(og_xe_integer(i->type, f + i->a), step, &value))
    value = INT64_MAX;
  memcpy(f + i->a, &value, og_xe_sizes[i->type]);
  return i + i->jump;
}

static const struct og_xe_inst *assertion(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  og_mlir_attr message = og_mlir_find(i->op, "msg");
  return f[i->a] & 1 ? i + 1 : og_xe_fault(t, i, "assertion failed: %.*s", OG_TEXT_ARGS(message->text));
}

static void emit_copy(struct og_xe_decoder *d, const struct og_mlir_op *op, uint32_t from, uint32_t to,
                      og_mlir_type type) {
  if (from == to)
    return;
  struct og_xe_inst *inst = og_xe_emit(d, op, og_xe_copy);
  inst->a = from;
  inst->to = to;
  inst->count = (uint32_t)og_xe_size(type);
}

/* Copies as if all happened at once: if one's target is another's source, it goes through a place between. */
static void emit_copies(struct og_xe_decoder *d, const struct og_mlir_op *op, struct og_mlir_value **from,
                        struct og_mlir_value **to, uint32_t count) {
  uint32_t *between = OG_NEW_ARRAY(d->m->arena, uint32_t, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    between[i] = og_xe_place(d, from[i]);
    bool clash = false;
    for (uint32_t k = 0; k < i; k++)
      clash |= og_xe_place(d, to[k]) == between[i];
    if (clash) {
      uint32_t place = og_xe_room(d, og_xe_size(from[i]->type));
      emit_copy(d, op, between[i], place, from[i]->type);
      between[i] = place;
    }
  }
  /* sources that another copy overwrites were saved above */
  for (uint32_t i = 0; i < count; i++)
    emit_copy(d, op, between[i], og_xe_place(d, to[i]), to[i]->type);
}

static struct og_mlir_value **results_of(struct og_xe_decoder *d, struct og_mlir_op *op) {
  struct og_mlir_value **values = OG_NEW_ARRAY(d->m->arena, struct og_mlir_value *, op->result_count + 1);
  for (uint32_t i = 0; i < op->result_count; i++)
    values[i] = &op->results[i];
  return values;
}

static uint32_t emit_jump(struct og_xe_decoder *d, const struct og_mlir_op *op, og_xe_handler run) {
  og_xe_emit(d, op, run);
  return d->insts.count - 1;
}

static void land(struct og_xe_decoder *d, uint32_t from) {
  d->insts.items[from].jump = (int32_t)(d->insts.count - from);
}
static void land_at(struct og_xe_decoder *d, uint32_t from, uint32_t to) {
  d->insts.items[from].jump = (int32_t)to - (int32_t)from;
}

static bool decode_for(struct og_xe_decoder *d, struct og_mlir_op *op) {
  struct og_mlir_block *body = op->regions[0].first;
  uint8_t type;
  if (!og_xe_scalar(op->operands[0]->type, &type))
    return og_xe_refuse(d, op, "loops of this type are not executed");
  for (uint32_t i = 0; i < op->result_count; i++) { /* a result has the place of its argument */
    og_xe_place(d, body->arguments[i + 1]);
    op->results[i].slot = body->arguments[i + 1]->slot;
  }
  emit_copy(d, op, og_xe_place(d, op->operands[0]), og_xe_place(d, body->arguments[0]), op->operands[0]->type);
  emit_copies(d, op, op->operands + 3, body->arguments + 1, op->result_count);
  uint32_t test = emit_jump(d, op, loop_test);
  d->insts.items[test].a = og_xe_place(d, body->arguments[0]);
  d->insts.items[test].b = og_xe_place(d, op->operands[1]);
  d->insts.items[test].type = type;
  d->insts.items[test].sub = og_mlir_find(op, "unsignedCmp") != NULL;
  if (!og_xe_decode_region(d, &op->regions[0]))
    return false;
  emit_copies(d, op, body->last->operands, body->arguments + 1, op->result_count);
  uint32_t next = emit_jump(d, op, loop_next);
  d->insts.items[next].a = og_xe_place(d, body->arguments[0]);
  d->insts.items[next].b = og_xe_place(d, op->operands[2]);
  d->insts.items[next].type = type;
  land_at(d, next, test);
  land(d, test);
  return !d->failed;
}

static bool decode_if(struct og_xe_decoder *d, struct og_mlir_op *op) {
  uint32_t test = emit_jump(d, op, jump_unless), end = UINT32_MAX;
  d->insts.items[test].a = og_xe_place(d, op->operands[0]);
  for (int i = 0; i < 2; i++) {
    struct og_mlir_region *region = &op->regions[i];
    if (i == 1)
      land(d, test);
    if (region->first && !og_xe_decode_region(d, region))
      return false;
    if (region->first)
      emit_copies(d, op, region->last->last->operands, results_of(d, op), op->result_count);
    if (i == 0) {
      end = emit_jump(d, op, jump);
    }
  }
  land(d, end);
  return !d->failed;
}

static bool decode_while(struct og_xe_decoder *d, struct og_mlir_op *op) {
  struct og_mlir_block *before = op->regions[0].first, *after = op->regions[1].first;
  const struct og_mlir_op *condition = before->last;
  emit_copies(d, op, op->operands, before->arguments, before->argument_count);
  uint32_t start = d->insts.count;
  if (!og_xe_decode_region(d, &op->regions[0]))
    return false;
  emit_copies(d, op, condition->operands + 1, results_of(d, op), op->result_count);
  uint32_t test = emit_jump(d, op, jump_unless);
  d->insts.items[test].a = og_xe_place(d, condition->operands[0]);
  emit_copies(d, op, results_of(d, op), after->arguments, after->argument_count);
  if (!og_xe_decode_region(d, &op->regions[1]))
    return false;
  emit_copies(d, op, after->last->operands, before->arguments, before->argument_count);
  land_at(d, emit_jump(d, op, jump), start);
  land(d, test);
  return !d->failed;
}

/* A loop within each other one. */
static bool decode_parallel(struct og_xe_decoder *d, struct og_mlir_op *op) {
  struct og_mlir_block *body = op->regions[0].first;
  uint32_t rank = body->argument_count, tests[OG_MLIR_RANK_MOST];
  if (op->result_count || rank > OG_MLIR_RANK_MOST || op->operand_count != 3 * rank)
    return og_xe_refuse(d, op, "parallel reductions are not executed");
  for (uint32_t i = 0; i < rank; i++) {
    emit_copy(d, op, og_xe_place(d, op->operands[i]), og_xe_place(d, body->arguments[i]), op->operands[i]->type);
    tests[i] = emit_jump(d, op, loop_test);
    d->insts.items[tests[i]].a = og_xe_place(d, body->arguments[i]);
    d->insts.items[tests[i]].b = og_xe_place(d, op->operands[rank + i]);
    d->insts.items[tests[i]].type = OG_XE_I64;
  }
  if (!og_xe_decode_region(d, &op->regions[0]))
    return false;
  for (uint32_t i = rank; i-- > 0;) {
    uint32_t next = emit_jump(d, op, loop_next);
    d->insts.items[next].a = og_xe_place(d, body->arguments[i]);
    d->insts.items[next].b = og_xe_place(d, op->operands[2 * rank + i]);
    d->insts.items[next].type = OG_XE_I64;
    land_at(d, next, tests[i]);
    land(d, tests[i]);
  }
  return !d->failed;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

struct call {
  struct og_text name;
  const struct og_mlir_op *callee;
  struct og_xe_code *code;
  uint32_t *arguments, *results; /* places in the caller's frame */
  uint32_t argument_count, result_count;
};

static const struct og_xe_inst *call(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  struct call *c = (struct call *)i->data;
  bool known = false;
  if (!c->callee->regions[0].first)
    return og_xe_host_call(t, i, c->name, f, &known) ? i + 1
           : known                                   ? NULL
                   : og_xe_fault(t, i, "the function @%.*s has no body, and is none that is known here",
                                 OG_TEXT_ARGS(c->name));
  if (!c->code)
    c->code = og_xe_decode(t->machine, c->callee);
  if (!c->code)
    return t->machine->failed = true, NULL;
  if (t->depth == OG_XE_CALLS_MOST)
    return og_xe_fault(t, i, "more than %d calls in each other", OG_XE_CALLS_MOST);
  struct og_xe_frame *frame = &t->frames[t->depth++];
  t->frames[t->depth - 2].at = i + 1;
  *frame = (struct og_xe_frame){c->code, c->code->insts, og_checked_realloc(NULL, c->code->frame_size + 64)};
  memcpy(frame->bytes, c->code->image, c->code->frame_size);
  for (uint32_t k = 0; k < c->argument_count; k++)
    memcpy(frame->bytes + c->code->arguments[k], f + c->arguments[k], og_xe_size(i->op->operands[k]->type));
  return frame->at;
}

static const struct og_xe_inst *leave(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  if (--t->depth == 0) {
    t->state = OG_XE_DONE;
    return NULL;
  }
  struct og_xe_frame *caller = &t->frames[t->depth - 1];
  const struct call *c = caller->at[-1].data;
  const uint32_t *places = i->data;
  for (uint32_t k = 0; k < c->result_count; k++)
    memcpy(caller->bytes + c->results[k], f + places[k], og_xe_size(i->op->operands[k]->type));
  free(f);
  return caller->at;
}

static uint32_t *places_of(struct og_xe_decoder *d, struct og_mlir_value **values, uint32_t count) {
  uint32_t *places = OG_NEW_ARRAY(d->m->arena, uint32_t, count + 1);
  for (uint32_t i = 0; i < count; i++)
    places[i] = og_xe_place(d, values[i]);
  return places;
}

static bool decode_call(struct og_xe_decoder *d, struct og_mlir_op *op) {
  struct call *c = OG_NEW(d->m->arena, struct call);
  og_mlir_attr callee = og_mlir_find(op, "callee");
  *c = (struct call){.name = callee->text,
                     .callee = og_mlir_symbol(op, callee),
                     .argument_count = op->operand_count,
                     .result_count = op->result_count};
  c->arguments = places_of(d, op->operands, op->operand_count);
  c->results = places_of(d, results_of(d, op), op->result_count);
  if (!c->callee)
    return og_xe_refuse(d, op, "there is no such function");
  og_xe_emit(d, op, call)->data = c;
  return true;
}

static bool decode_leave(struct og_xe_decoder *d, struct og_mlir_op *op) {
  uint32_t *places = places_of(d, op->operands, op->operand_count);
  og_xe_emit(d, op, leave)->data = places;
  return true;
}

bool og_xe_decode_control(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_FOR: return decode_for(d, op);
  case OG_MLIR_OP_IF: return decode_if(d, op);
  case OG_MLIR_OP_WHILE: return decode_while(d, op);
  case OG_MLIR_OP_PARALLEL: return decode_parallel(d, op);
  case OG_MLIR_OP_CALL: return decode_call(d, op);
  case OG_MLIR_OP_RETURN:
  case OG_MLIR_OP_GPU_RETURN:
  case OG_MLIR_OP_GPU_TERMINATOR: return decode_leave(d, op);
  case OG_MLIR_OP_ASSERT: {
    uint32_t place = og_xe_place(d, op->operands[0]);
    og_xe_emit(d, op, assertion)->a = place;
    return true;
  }
  case OG_MLIR_OP_YIELD: /* the operation around it copies its operands */
  case OG_MLIR_OP_CONDITION:
  case OG_MLIR_OP_SCF_REDUCE: return true;
  default: return !(*known = false);
  }
}

/* ---- regions ----------------------------------------------------------------------------------------------------- */

struct landing {
  uint32_t from;
  struct og_mlir_block *to;
};

static bool decode_op(struct og_xe_decoder *d, struct og_mlir_op *op) {
  if (strncmp(op->row->name, "xegpu.", 6) == 0)
    d->code->lanes = 1; /* it has tiles */
  static bool (*const families[])(struct og_xe_decoder *, struct og_mlir_op *, bool *) = {
      og_xe_decode_control, og_xe_decode_arith, og_xe_decode_vector, og_xe_decode_memory,
      og_xe_decode_launch,  og_xe_decode_sync,  og_xe_decode_tile,   og_xe_decode_scatter};
  for (size_t i = 0; i < OG_COUNT(families); i++) {
    bool known;
    if (!families[i](d, op, &known))
      return false;
    if (known)
      return !d->failed;
  }
  return og_xe_refuse(d, op, "it is read and checked only");
}

bool og_xe_decode_region(struct og_xe_decoder *d, struct og_mlir_region *region) {
  OG_VECTOR(struct landing) landings = {0};
  uint32_t count = 0;
  for (struct og_mlir_block *b = region->first; b; b = b->next)
    b->number = count++;
  uint32_t *starts = OG_NEW_ARRAY(d->m->arena, uint32_t, count + 1);
  for (struct og_mlir_block *b = region->first; b; b = b->next) {
    starts[b->number] = d->insts.count;
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      if (op->row->id != OG_MLIR_OP_BR && op->row->id != OG_MLIR_OP_COND_BR) {
        if (!decode_op(d, op))
          return false;
        continue;
      }
      bool two = op->row->id == OG_MLIR_OP_COND_BR;
      struct og_mlir_value **values = op->operands + two;
      uint32_t test = two ? emit_jump(d, op, jump_unless) : 0;
      if (two)
        d->insts.items[test].a = og_xe_place(d, op->operands[0]);
      for (uint32_t i = 0; i < op->successor_count; i++) {
        uint32_t operands = op->segments[two ? i + 1 : 0];
        if (i)
          land(d, test);
        emit_copies(d, op, values, op->successors[i].block->arguments, operands);
        *OG_PUSH(d->m->arena, &landings) = (struct landing){emit_jump(d, op, jump), op->successors[i].block};
        values += operands;
      }
    }
  }
  for (uint32_t i = 0; i < landings.count; i++)
    land_at(d, landings.items[i].from, starts[landings.items[i].to->number]);
  return !d->failed;
}

static struct og_xe_code *finish(struct og_xe_decoder *d) {
  struct og_xe_code *code = d->code;
  code->insts = d->insts.items;
  code->inst_count = d->insts.count;
  code->frame_size = (uint32_t)og_align_up(d->frame_size + 1, ALIGN);
  uint8_t *image = og_arena_alloc(d->m->arena, code->frame_size);
  if (d->image.count)
    memcpy(image, d->image.items, d->image.count);
  code->image = image;
  return code;
}

struct og_xe_code *og_xe_decode(struct og_xe_machine *m, const struct og_mlir_op *function) {
  for (uint32_t i = 0; i < m->codes.count; i++)
    if (m->codes.items[i]->op == function)
      return m->codes.items[i];
  struct og_xe_code *code = OG_NEW(m->arena, struct og_xe_code);
  struct og_xe_decoder d = {.m = m, .code = code, .kernel = function->row->id == OG_MLIR_OP_GPU_FUNC};
  struct og_mlir_block *entry = function->regions[0].first;
  code->op = function;
  og_mlir_forget_slots((struct og_mlir_region *)&function->regions[0]); /* another run's, or the printer's */
  code->argument_count = entry->argument_count;
  code->arguments = places_of(&d, entry->arguments, entry->argument_count);
  if (!og_xe_decode_region(&d, (struct og_mlir_region *)&function->regions[0]) || d.failed) {
    if (!og_diagnostics_errors(m->diagnostics))
      og_xe_refuse(&(struct og_xe_decoder){.m = m}, function, "its values take too much room");
    return NULL;
  }
  *OG_PUSH(m->arena, &m->codes) = finish(&d);
  return code;
}

/* The body of a launch: its frame begins as a copy of the frame around it, whose values the body may use. */
struct og_xe_code *og_xe_decode_body(struct og_xe_decoder *outer, const struct og_mlir_op *launch) {
  struct og_xe_code *code = OG_NEW(outer->m->arena, struct og_xe_code);
  struct og_xe_decoder d = {.m = outer->m, .code = code, .kernel = true, .frame_size = outer->frame_size};
  struct og_mlir_block *entry = launch->regions[0].first;
  code->op = launch;
  for (uint32_t i = 0; i < outer->image.count; i++)
    *OG_PUSH(d.m->arena, &d.image) = outer->image.items[i];
  code->argument_count = entry->argument_count;
  code->arguments = places_of(&d, entry->arguments, entry->argument_count);
  bool ok = og_xe_decode_region(&d, (struct og_mlir_region *)&launch->regions[0]) && !d.failed;
  outer->failed |= d.failed;
  outer->frame_size = OG_MAX(outer->frame_size, d.frame_size); /* it adds places of its own */
  return ok ? finish(&d) : NULL;
}

bool og_xe_read_numbers(struct og_xe_decoder *d, const struct og_mlir_op *op, const char *constants, const char *group,
                        struct og_xe_numbers *to) {
  og_mlir_attr given = og_mlir_find(op, constants);
  uint32_t count, next = 0;
  struct og_mlir_value **values = og_mlir_group(op, group, &count);
  to->count = given ? given->int_count : count;
  if (to->count > OG_MLIR_RANK_MOST)
    return false;
  for (uint32_t k = 0; k < to->count; k++) {
    to->constants[k] = given ? given->ints[k] : OG_MLIR_DYNAMIC;
    if (to->constants[k] != OG_MLIR_DYNAMIC)
      continue;
    if (next == count)
      return false;
    to->places[k] = og_xe_place(d, values[next++]);
  }
  return true;
}
