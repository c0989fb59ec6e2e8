/* visa.c - lowers kernels to vISA: the frame of each, its inputs, control flow. */
#include "xegpu/lower/visa.h"
#include "xegpu/maps.h"
#include "xegpu/verifier.h"

#include <string.h>

/* ---- regions and control ----------------------------------------------------------------------------------------- */

/* Copies the source's variables to the target's; both are places of the same kind. */
static bool copy_place(struct og_xv *x, const struct og_mlir_op *op, struct og_xv_place *to,
                       const struct og_xv_place *from) {
  if (to->kind != from->kind || (to->kind != OG_XV_ELEMENTS && to->kind != OG_XV_TILE && to->kind != OG_XV_POINTS))
    return og_xv_refuse(x, op, "values of this kind are not carried round");
  if (to->kind == OG_XV_TILE && from->memref != to->memref && to->memref && to->memref->rank > 2)
    return og_xv_refuse(x, op, "descriptors of more than two dimensions are not exchanged for others");
  to->regular &= from->regular;
  bool same = to->ref.variable == from->ref.variable && !from->ref.immediate && to->ref.first == from->ref.first;
  if (!same)
    og_xv_move(x, to->ref, from->ref, to->count);
  return true;
}

/* New variables for a value that begins as a copy of another. */
static void make_like(struct og_xv *x, struct og_mlir_value *value, const struct og_xv_place *from) {
  struct og_xv_place copy = *from;
  copy.ref = og_xv_new(x, from->ref.type, from->count);
  *og_xv_place(x, value) = copy;
}

/* Copies as if all happened at once: a target that is also a later source goes through another variable. */
static bool copy_all(struct og_xv *x, const struct og_mlir_op *op, struct og_mlir_value **from,
                     struct og_mlir_value **to, uint32_t count) {
  struct og_xv_place *between = OG_NEW_ARRAY(x->arena, struct og_xv_place, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    between[i] = *og_xv_place(x, from[i]);
    bool clash = false;
    for (uint32_t k = 0; k < i; k++)
      clash |= !between[i].ref.immediate && og_xv_place(x, to[k])->ref.variable == between[i].ref.variable;
    if (clash) {
      between[i].ref = og_xv_new(x, between[i].ref.type, between[i].count);
      og_xv_move(x, between[i].ref, og_xv_place(x, from[i])->ref, between[i].count);
    }
  }
  for (uint32_t i = 0; i < count; i++)
    if (!copy_place(x, op, og_xv_place(x, to[i]), &between[i]))
      return false;
  return true;
}

static bool is_carried(struct og_xv *x, struct og_mlir_value *value) {
  uint8_t kind = og_xv_place(x, value)->kind;
  return kind == OG_XV_ELEMENTS || kind == OG_XV_TILE || kind == OG_XV_POINTS;
}

static bool lower_for(struct og_xv *x, struct og_mlir_op *op) {
  struct og_mlir_block *body = op->regions[0].first;
  uint32_t again = x->labels++, end = x->labels++, count = op->result_count;
  struct og_xv_ref bound = og_xv_value(x, op->operands[1]), step = og_xv_value(x, op->operands[2]);
  for (uint32_t i = 0; i <= count; i++) {
    struct og_mlir_value *init = i ? op->operands[2 + i] : op->operands[0];
    if (!is_carried(x, init))
      return og_xv_refuse(x, op, "values of this kind are not carried round a loop");
    struct og_xv_place from = *og_xv_place(x, init);
    make_like(x, body->arguments[i], &from);
    og_xv_move(x, og_xv_place(x, body->arguments[i])->ref, from.ref, from.count);
    if (i)
      *og_xv_place(x, &op->results[i - 1]) = *og_xv_place(x, body->arguments[i]);
  }
  struct og_xv_ref counter = og_xv_value(x, body->arguments[0]), truth = og_xv_new(x, OG_XV_BOOL, 1);
  if (og_mlir_find(op, "unsignedCmp"))
    return og_xv_refuse(x, op, "unsigned loops");
  og_xv_label(x, again);
  og_xv_compare(x, "lt", truth, 1, counter, bound);
  og_xv_jump(x, end, og_xv_predicate(x, truth, 1), true);
  if (!og_xv_region(x, &op->regions[0]) || !copy_all(x, op, body->last->operands, body->arguments + 1, count))
    return false;
  og_xv_apply(x, "add", counter, 1, &counter, &step, NULL);
  og_xv_jump(x, again, 0, false);
  og_xv_label(x, end);
  return !x->failed;
}

static bool lower_if(struct og_xv *x, struct og_mlir_op *op) {
  uint32_t other = x->labels++, end = x->labels++;
  og_xv_jump(x, other, og_xv_predicate(x, og_xv_value(x, op->operands[0]), 1), true);
  for (int i = 0; i < 2; i++) {
    struct og_mlir_region *region = &op->regions[i];
    if (i)
      og_xv_label(x, other);
    if (!region->first)
      continue;
    if (!og_xv_region(x, region))
      return false;
    for (uint32_t k = 0; k < op->result_count; k++) {
      struct og_mlir_value *from = region->last->last->operands[k];
      if (!is_carried(x, from))
        return og_xv_refuse(x, op, "results of this kind");
      struct og_xv_place place = *og_xv_place(x, from);
      if (!i)
        make_like(x, &op->results[k], &place);
      if (!copy_place(x, op, og_xv_place(x, &op->results[k]), &place))
        return false;
    }
    if (!i)
      og_xv_jump(x, end, 0, false);
  }
  og_xv_label(x, end);
  return !x->failed;
}

static bool lower_while(struct og_xv *x, struct og_mlir_op *op) {
  struct og_mlir_block *before = op->regions[0].first, *after = op->regions[1].first;
  uint32_t again = x->labels++, end = x->labels++;
  for (uint32_t i = 0; i < before->argument_count; i++) {
    if (!is_carried(x, op->operands[i]))
      return og_xv_refuse(x, op, "values of this kind are not carried round a loop");
    struct og_xv_place from = *og_xv_place(x, op->operands[i]);
    make_like(x, before->arguments[i], &from);
    og_xv_move(x, og_xv_place(x, before->arguments[i])->ref, from.ref, from.count);
  }
  og_xv_label(x, again);
  if (!og_xv_region(x, &op->regions[0]))
    return false;
  const struct og_mlir_op *condition = before->last;
  for (uint32_t i = 0; i < op->result_count; i++) {
    struct og_xv_place from = *og_xv_place(x, condition->operands[i + 1]);
    if (!is_carried(x, condition->operands[i + 1]))
      return og_xv_refuse(x, op, "values of this kind are not carried round a loop");
    make_like(x, &op->results[i], &from);
    og_xv_move(x, og_xv_place(x, &op->results[i])->ref, from.ref, from.count);
    *og_xv_place(x, after->arguments[i]) = *og_xv_place(x, &op->results[i]);
  }
  og_xv_jump(x, end, og_xv_predicate(x, og_xv_value(x, condition->operands[0]), 1), true);
  if (!og_xv_region(x, &op->regions[1]) ||
      !copy_all(x, op, after->last->operands, before->arguments, before->argument_count))
    return false;
  og_xv_jump(x, again, 0, false);
  og_xv_label(x, end);
  return !x->failed;
}

bool og_xv_control(struct og_xv *x, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_FOR: return lower_for(x, op);
  case OG_MLIR_OP_IF: return lower_if(x, op);
  case OG_MLIR_OP_WHILE: return lower_while(x, op);
  case OG_MLIR_OP_YIELD: /* the operation around it copies its operands */
  case OG_MLIR_OP_CONDITION: return true;
  case OG_MLIR_OP_GPU_RETURN:
  case OG_MLIR_OP_RETURN: og_xv_line(x, "ret (M1, 1)"); return true;
  default: return !(*known = false);
  }
}

static bool lower_op(struct og_xv *x, struct og_mlir_op *op) {
  static bool (*const families[])(struct og_xv *, struct og_mlir_op *, bool *) = {
      og_xv_control, og_xv_arith, og_xv_float, og_xv_vector, og_xv_memory, og_xv_gpu, og_xv_tile, og_xv_scatter};
  if (x->lanes && og_xv_is_of_one_lane(op))
    return og_xv_refuse(x, op, "where lanes have fragments of tiles");
  for (size_t i = 0; i < OG_COUNT(families); i++) {
    bool known;
    if (!families[i](x, op, &known))
      return false;
    if (known)
      return !x->failed;
  }
  return og_xv_refuse(x, op, "there is no vISA for it yet");
}

/* Blocks in their order; branches become jumps, and their operands are copied before. */
bool og_xv_region(struct og_xv *x, struct og_mlir_region *region) {
  uint32_t count = 0, labels;
  for (struct og_mlir_block *b = region->first; b; b = b->next)
    b->number = count++;
  labels = x->labels;
  x->labels += count > 1 ? count : 0;
  for (struct og_mlir_block *b = region->first; b; b = b->next) {
    if (count > 1)
      og_xv_label(x, labels + b->number);
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      if (op->row->id != OG_MLIR_OP_BR && op->row->id != OG_MLIR_OP_COND_BR) {
        if (!lower_op(x, op))
          return false;
        continue;
      }
      bool two = op->row->id == OG_MLIR_OP_COND_BR;
      uint32_t other = x->labels++;
      if (two)
        og_xv_jump(x, other, og_xv_predicate(x, og_xv_value(x, op->operands[0]), 1), true);
      struct og_mlir_value **values = op->operands + two;
      for (uint32_t i = 0; i < op->successor_count; i++) {
        struct og_mlir_block *to = op->successors[i].block;
        if (i)
          og_xv_label(x, other);
        for (uint32_t k = 0; k < to->argument_count; k++)
          if (og_xv_place(x, to->arguments[k])->kind == OG_XV_NOTHING) {
            struct og_xv_place from = *og_xv_place(x, values[k]);
            make_like(x, to->arguments[k], &from);
          }
        if (!copy_all(x, op, values, to->arguments, to->argument_count))
          return false;
        values += op->segments[two ? i + 1 : 0];
        og_xv_jump(x, labels + to->number, 0, false);
      }
    }
  }
  return !x->failed;
}

/* ---- a kernel ---------------------------------------------------------------------------------------------------- */

static bool is_shared(og_mlir_type t) {
  og_mlir_attr space = t->parts[2];
  return space && ((space->kind == OG_MLIR_INT && space->ints[0] == 3) ||
                   (space->kind == OG_MLIR_ENUM && og_text_is(space->text, "slm")) ||
                   (space->kind == OG_MLIR_DIALECT_ATTR && og_text_is(space->text, "gpu.address_space<workgroup>")));
}

struct input {
  struct og_xv_ref ref;
  uint32_t size;
};

/* Arguments: a memref is a pointer to its first element, then its dynamic sizes in order; else scalars. */
static bool declare_argument(struct og_xv *x, struct og_mlir_value *value, struct input *inputs, uint32_t *count) {
  og_mlir_type type = value->type;
  uint8_t scalar;
  if (type->kind != OG_MLIR_MEMREF) {
    if (type->kind == OG_MLIR_VECTOR || !og_xe_scalar(type, &scalar))
      return og_xv_refuse(x, x->kernel, "arguments of this type");
    og_xv_result(x, value);
    inputs[(*count)++] = (struct input){og_xv_place(x, value)->ref, og_xe_sizes[scalar]};
    return true;
  }
  struct og_xv_memref *m = OG_NEW(x->arena, struct og_xv_memref);
  int64_t strides[OG_MLIR_RANK_MOST], offset = 0;
  if (!og_mlir_strides(type, strides, &offset) || is_shared(type) || !og_xe_scalar(type, &scalar))
    return og_xv_refuse(x, x->kernel, "memrefs of this layout or space as arguments");
  m->base = og_xv_new(x, OG_XV_UQ, 1);
  inputs[(*count)++] = (struct input){m->base, 8};
  m->rank = type->int_count;
  struct og_xv_ref stride = og_xv_number(OG_XV_Q, 1);
  for (uint32_t k = 0; k < m->rank; k++) {
    m->sizes[k] = og_xv_number(OG_XV_Q, (uint64_t)type->ints[k]);
    if (type->ints[k] == OG_MLIR_DYNAMIC) {
      m->sizes[k] = og_xv_new(x, OG_XV_Q, 1);
      inputs[(*count)++] = (struct input){m->sizes[k], 8};
    }
  }
  x->in_entry = true;
  for (uint32_t k = m->rank; k-- > 0; stride = og_xv_multiply(x, stride, m->sizes[k], 1)) {
    if (type->parts[1] && strides[k] == OG_MLIR_DYNAMIC)
      return og_xv_refuse(x, x->kernel, "memrefs of dynamic strides as arguments");
    m->strides[k] = type->parts[1] ? og_xv_number(OG_XV_Q, (uint64_t)strides[k]) : stride;
  }
  x->in_entry = false;
  if (offset)
    return og_xv_refuse(x, x->kernel, "memrefs with an offset as arguments");
  m->aligned = true;
  *og_xv_place(x, value) = (struct og_xv_place){.kind = OG_XV_MEMREF, .memref = m};
  return true;
}

/* The payload as the compiler lays it out: local ids if threads have channels, header, pointers, values, the rest. */
static bool declare_inputs(struct og_xv *x, struct og_buffer *out) {
  struct og_mlir_block *entry = x->kernel->regions[0].first;
  struct input *inputs = OG_NEW_ARRAY(x->arena, struct input, entry->argument_count * (OG_MLIR_RANK_MOST + 1) + 1);
  uint32_t count = 0, at = OG_XV_GRF;
  for (uint32_t i = 0; i < entry->argument_count; i++)
    if (!declare_argument(x, entry->arguments[i], inputs, &count))
      return false;
  x->header = og_xv_new(x, OG_XV_D, 8);
  x->group_count = og_xv_new(x, OG_XV_D, 3);
  for (uint32_t k = 0; k < 3 && !x->vc; k++, at += OG_XV_GRF) {
    x->local_ids[k] = og_xv_new(x, OG_XV_UW, OG_XV_LANES);
    og_buffer_printf(out, ".input V%u offset=%u size=32\n", x->local_ids[k].variable, at);
  }
  og_buffer_printf(out, ".input V%u offset=%u size=32\n", x->header.variable, at);
  at += 32;
  for (int pointers = 1; pointers >= 0; pointers--)
    for (uint32_t i = 0; i < count; i++) {
      uint32_t size = inputs[i].size;
      if ((inputs[i].ref.type == OG_XV_UQ) != pointers)
        continue;
      at = (uint32_t)og_align_up(at, OG_MAX(size, 4u));
      og_buffer_printf(out, ".input V%u offset=%u size=%u\n", inputs[i].ref.variable, at, size);
      at += OG_MAX(size, 4u);
    }
  enum { TRIPLE = 12 };
  at = (uint32_t)og_align_up(at, 4);
  x->group_count_at = at % OG_XV_GRF + TRIPLE > OG_XV_GRF ? (uint32_t)og_align_up(at, OG_XV_GRF) : at;
  return true;
}

/* As when modules are run here, a thread is a subgroup if the kernel or its spelling says so, or if the width of its
 * launches is not a multiple of 16. */
static bool is_vc(const struct og_mlir_module *module, const struct og_mlir_op *kernel,
                  const struct og_mlir_region *region) {
  if (og_mlir_is_vc(module, kernel))
    return true;
  og_mlir_attr known = og_mlir_find(kernel, "known_block_size");
  if (known && known->int_count)
    return known->ints[0] % OG_XV_LANES;
  bool narrow = false;
  for (struct og_mlir_block *b = region->first; b; b = b->next)
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      if (op->row->id == OG_MLIR_OP_LAUNCH_FUNC && og_mlir_symbol(op, og_mlir_find(op, "kernel")) == kernel) {
        const struct og_mlir_value *width = og_mlir_operand(op, "blockSizeX");
        og_mlir_attr value = width->op ? og_mlir_find(width->op, "value") : NULL;
        narrow |= value && value->kind == OG_MLIR_INT && value->ints[0] % OG_XV_LANES;
      }
      for (uint32_t i = 0; i < op->region_count; i++)
        narrow |= is_vc(module, kernel, &op->regions[i]);
    }
  return narrow;
}

static bool lower_kernel(struct og_xv *x, struct og_buffer *out) {
  og_mlir_attr name = og_mlir_find(x->kernel, "sym_name");
  struct og_buffer inputs = {0};
  for (uint32_t i = 0; i < 32; i++) /* vISA numbers its own variables, too */
    *OG_PUSH(x->arena, &x->variables) = (struct og_xv_variable){0};
  og_mlir_forget_slots((struct og_mlir_region *)x->kernel->regions);
  bool ok = declare_inputs(x, &inputs) && og_xv_region(x, (struct og_mlir_region *)x->kernel->regions) && !x->failed;
  if (ok) {
    og_buffer_printf(out, ".version 4.1\n.kernel \"%.*s\"\n", OG_TEXT_ARGS(name->text));
    og_buffer_append(out, x->declarations.data, x->declarations.size);
    for (int i = 1; i <= 8; i++)
      og_buffer_printf(out, ".decl P%d v_type=P num_elts=32\n", i);
    og_buffer_append(out, inputs.data, inputs.size);
    if (x->asks_group_count)
      og_buffer_printf(out, ".implicit_GROUP_COUNT V%u offset=%u size=12\n", x->group_count.variable,
                       x->group_count_at);
    og_buffer_printf(out, ".kernel_attr Target=\"%s\"\n.kernel_attr SimdSize=%d\n", x->vc ? "cm" : "3d",
                     x->vc ? 1 : OG_XV_LANES);
    og_buffer_printf(out, ".kernel_attr SLMSize=%d\n", x->slm_used ? OG_XV_SLM_BYTES / 1024 : 0);
    og_buffer_printf(out, ".function \"%.*s_main\"\n\n%.*s_main:\n", OG_TEXT_ARGS(name->text),
                     OG_TEXT_ARGS(name->text));
    /* keeps denormals, as the host does */
    og_buffer_text(out, "    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud\n");
    og_buffer_append(out, x->entry.data, x->entry.size);
    og_buffer_append(out, x->body.data, x->body.size);
  }
  og_buffer_free(&inputs);
  og_buffer_free(&x->declarations);
  og_buffer_free(&x->entry);
  og_buffer_free(&x->body);
  return ok;
}

static bool lower_all(const struct og_mlir_module *module, const struct og_mlir_region *region, const char *name,
                      struct og_buffer *out, struct og_diagnostics *diagnostics, uint32_t *count) {
  bool ok = true;
  for (struct og_mlir_block *b = region->first; b; b = b->next)
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      if (op->row->id == OG_MLIR_OP_GPU_MODULE)
        ok &= lower_all(module, &op->regions[0], name, out, diagnostics, count);
      if (op->row->id != OG_MLIR_OP_GPU_FUNC || !op->regions[0].first ||
          (name && !og_text_is(og_mlir_find(op, "sym_name")->text, name)))
        continue;
      struct og_arena *arena = og_arena_new();
      struct og_xv x = {.module = module, .arena = arena, .diagnostics = diagnostics, .kernel = op};
      x.lanes = og_mlir_has_fragments(op->regions);
      x.vc = !x.lanes && is_vc(module, op, &module->op->regions[0]);
      ok &= lower_kernel(&x, out);
      og_mlir_forget_slots(op->regions);
      og_arena_free(arena);
      ++*count;
    }
  return ok;
}

bool og_mlir_lower_visa(const struct og_mlir_module *module, const char *name, struct og_buffer *out,
                        struct og_diagnostics *diagnostics) {
  uint32_t count = 0;
  bool ok = lower_all(module, &module->op->regions[0], name, out, diagnostics, &count);
  if (!count)
    return og_error_in(diagnostics, module->source.name, name ? "no kernel '%s'" : "there is no kernel in it%.0s",
                       name ? name : "");
  return ok;
}
