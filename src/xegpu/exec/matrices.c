/* matrices.c - matrices in shared memory: descriptors, loads and stores. */
#include "xegpu/exec/exec.h"
#include "xegpu/maps.h"

#include <string.h>

static const struct og_xe_inst *create(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  const struct og_xe_memref *from = (const struct og_xe_memref *)(f + i->a);
  struct og_xe_memref *to = (struct og_xe_memref *)(f + i->to);
  og_mlir_type type = i->op->results[0].type;
  to->memory = from->memory;
  to->base = from->base + from->offset * (int64_t)og_xe_sizes[i->type];
  to->offset = 0;
  to->rank = type->int_count;
  for (uint32_t k = 0; k < type->int_count; k++) {
    to->sizes[k] = type->ints[k];
    to->sizes[to->rank + k] = og_mlir_matrix_stride(type, k);
  }
  return i + 1;
}

struct matrix {
  uint32_t count, places[OG_MLIR_RANK_MOST];
  int64_t constants[OG_MLIR_RANK_MOST];
  uint32_t columns, elements, size;
};

static const struct og_xe_inst *move(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct matrix *x = i->data;
  const struct og_xe_memref *m = (const struct og_xe_memref *)(f + i->a);
  int64_t start[2] = {0};
  for (uint32_t k = 0; k < 2; k++)
    start[k] = x->constants[k] == OG_MLIR_DYNAMIC ? og_xe_index(f, x->places[k]) : x->constants[k];
  for (uint32_t k = 0; k < x->elements; k++) {
    int64_t row = start[0] + k / x->columns, column = start[1] + k % x->columns;
    uint8_t *at = m->base + (row * m->sizes[2] + column * m->sizes[3]) * x->size;
    if (row < 0 || column < 0 || row >= m->sizes[0] || column >= m->sizes[1] || !og_xe_inside(m->memory, at, x->size))
      return og_xe_fault(t, i, "element [%lld, %lld] is outside of the matrix", (long long)row, (long long)column);
    if (!og_xe_touch(t, i, m->memory, at, x->size, i->sub ? OG_XE_WRITE : OG_XE_READ))
      return NULL;
    if (i->sub)
      memcpy(at, f + i->to + k * x->size, x->size);
    else
      memcpy(f + i->to + k * x->size, at, x->size);
  }
  return i + 1;
}

static bool decode_matrix(struct og_xe_decoder *d, struct og_mlir_op *op) {
  bool write = op->row->id == OG_MLIR_OP_STORE_MATRIX;
  struct og_mlir_value *desc = og_mlir_operand(op, "mem_desc"), *value = write ? op->operands[0] : &op->results[0];
  struct matrix *x = OG_NEW(d->m->arena, struct matrix);
  og_mlir_attr given = og_mlir_find(op, "const_offsets");
  struct og_xe_inst inst = {.run = move, .op = op, .data = x, .sub = write};
  uint32_t count, next = 0;
  struct og_mlir_value **values = og_mlir_group(op, "offsets", &count);
  og_mlir_attr layout = desc->type->parts[1];
  if (given->int_count != 2 || desc->type->int_count != 2 || !og_xe_scalar(desc->type, &inst.type) ||
      og_mlir_field(layout, "block"))
    return og_xe_refuse(d, op, "matrices of more than two dimensions, or in blocks, are not executed");
  for (uint32_t k = 0; k < 2; k++) {
    x->constants[k] = given->ints[k];
    if (given->ints[k] == OG_MLIR_DYNAMIC && next < count)
      x->places[k] = og_xe_place(d, values[next++]);
  }
  x->elements = value->type->kind == OG_MLIR_VECTOR ? (uint32_t)og_mlir_elements(value->type) : 1;
  x->columns = value->type->kind == OG_MLIR_VECTOR ? (uint32_t)value->type->ints[value->type->int_count - 1] : 1;
  x->size = og_xe_sizes[inst.type];
  inst.a = og_xe_place(d, desc);
  inst.to = og_xe_place(d, value);
  *og_xe_emit(d, op, move) = inst;
  return true;
}

static bool decode_create(struct og_xe_decoder *d, struct og_mlir_op *op) {
  uint32_t a = og_xe_place(d, op->operands[0]), to = og_xe_place(d, &op->results[0]);
  struct og_xe_inst *inst = og_xe_emit(d, op, create);
  inst->a = a, inst->to = to;
  return og_xe_scalar(op->operands[0]->type, &inst->type);
}

bool og_xe_decode_matrix(struct og_xe_decoder *d, struct og_mlir_op *op) {
  return op->row->id == OG_MLIR_OP_CREATE_MEM_DESC ? decode_create(d, op) : decode_matrix(d, op);
}
