/* vectors.c - operations that move elements of vectors. For each of them a list of where every element comes from is
 * made when it is decoded. */
#include "xegpu/exec/exec.h"
#include "xegpu/maps.h"

#include <string.h>

/* to[k] = a[map[k]]; type: bytes of an element. */
static const struct og_xe_inst *permute(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  const uint32_t *map = i->data;
  uint8_t *to = f + i->to;
  const uint8_t *from = f + i->a;
  switch (i->type) {
#define CASE(size, T)                                                                                                  \
  case size:                                                                                                           \
    for (uint32_t k = 0; k < i->count; k++)                                                                            \
      memcpy(to + k * size, from + map[k] * size, size);                                                               \
    break;
    CASE(1, uint8_t) CASE(2, uint16_t) CASE(4, uint32_t) CASE(8, uint64_t)
  }
  return i + 1;
}

/* to[map[k]] = a[k], into a copy of b of c bytes. */
static const struct og_xe_inst *scatter_into(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  const uint32_t *map = i->data;
  memmove(f + i->to, f + i->b, i->c);
  for (uint32_t k = 0; k < i->count; k++)
    memcpy(f + i->to + map[k] * i->type, f + i->a + k * i->type, i->type);
  return i + 1;
}

/* from_elements: places of scalars. */
static const struct og_xe_inst *collect(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  const uint32_t *places = i->data;
  for (uint32_t k = 0; k < i->count; k++)
    memcpy(f + i->to + k * i->type, f + places[k], i->type);
  return i + 1;
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

enum reduction {
  R_ADD,
  R_MUL,
  R_MINUI,
  R_MINSI,
  R_MINNUMF,
  R_MAXUI,
  R_MAXSI,
  R_MAXNUMF,
  R_AND,
  R_OR,
  R_XOR,
  R_MINIMUMF,
  R_MAXIMUMF
};

static double reduce_float(uint8_t kind, double x, double y) {
  bool nan = x != x || y != y;
  switch (kind) {
  case R_ADD: return x + y;
  case R_MUL: return x * y;
  case R_MINNUMF: return x != x ? y : y != y ? x : x < y ? x : y;
  case R_MAXNUMF: return x != x ? y : y != y ? x : x > y ? x : y;
  case R_MINIMUMF: return nan ? x + y : x < y ? x : y;
  default: return nan ? x + y : x > y ? x : y;
  }
}

static int64_t reduce_int(uint8_t kind, int64_t x, int64_t y, uint64_t mask) {
  uint64_t ux = (uint64_t)x & mask, uy = (uint64_t)y & mask;
  switch (kind) {
  case R_ADD: return (int64_t)((uint64_t)x + (uint64_t)y);
  case R_MUL: return (int64_t)((uint64_t)x * (uint64_t)y);
  case R_MINUI: return ux < uy ? x : y;
  case R_MINSI: return x < y ? x : y;
  case R_MAXUI: return ux > uy ? x : y;
  case R_MAXSI: return x > y ? x : y;
  case R_AND: return x & y;
  case R_OR: return x | y;
  default: return x ^ y;
  }
}

static void accumulate(uint8_t type, uint8_t kind, uint8_t *to, const uint8_t *from) {
  if (type < OG_XE_F16) {
    uint64_t mask = type == OG_XE_I1    ? 1
                    : type == OG_XE_I64 ? ~UINT64_C(0)
                                        : (UINT64_C(1) << og_xe_sizes[type] * 8) - 1;
    int64_t value = reduce_int(kind, og_xe_integer(type, to), og_xe_integer(type, from), mask);
    value &= type == OG_XE_I1 ? 1 : -1;
    memcpy(to, &value, og_xe_sizes[type]);
    return;
  }
  double value = reduce_float(kind, og_xe_number(type, to), og_xe_number(type, from));
  float narrow = (float)value;
  if (type == OG_XE_F64)
    memcpy(to, &value, 8);
  else
    og_xe_from_floats(type, &narrow, to, 1);
}

/* Each element k of a is added to to[map[k]], in order; `to` begins as a copy of b. */
static const struct og_xe_inst *reduce(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  const uint32_t *map = i->data;
  uint32_t size = og_xe_sizes[i->type];
  if (i->b != UINT32_MAX)
    memmove(f + i->to, f + i->b, i->c);
  else
    memcpy(f + i->to, f + i->a, size);
  if (i->type == OG_XE_F32 && i->sub == R_ADD) {
    float *to = (float *)(f + i->to);
    const float *from = (const float *)(f + i->a);
    for (uint32_t k = i->b == UINT32_MAX; k < i->count; k++)
      to[map[k]] += from[k];
    return i + 1;
  }
  for (uint32_t k = i->b == UINT32_MAX; k < i->count; k++)
    accumulate(i->type, i->sub, f + i->to + map[k] * size, f + i->a + k * size);
  return i + 1;
}

/* ---- maps -------------------------------------------------------------------------------------------------------- */

static struct og_xe_inst *emit_map(struct og_xe_decoder *d, struct og_mlir_op *op, og_xe_handler run,
                                   const uint32_t *map, uint32_t count, uint32_t from, uint32_t into) {
  uint8_t scalar = 0;
  if (!og_xe_scalar(op->results[0].type, &scalar)) {
    og_xe_refuse(d, op, "its elements' type is not executed");
    return NULL;
  }
  uint32_t a = og_xe_place(d, op->operands[from]), b = og_xe_place(d, op->operands[into]),
           to = og_xe_place(d, &op->results[0]);
  struct og_xe_inst *inst = og_xe_emit(d, op, run);
  inst->data = map;
  inst->count = count;
  inst->a = a;
  inst->b = b;
  inst->c = (uint32_t)og_xe_size(op->results[0].type);
  inst->to = to;
  inst->type = og_xe_sizes[scalar];
  return inst;
}

static bool decode_moved(struct og_xe_decoder *d, struct og_mlir_op *op) {
  og_mlir_type from = op->operands[0]->type;
  uint32_t count = og_mlir_count(op->results[0].type), *map = og_mlir_source_map(d->m->arena, op);
  if (op->row->id == OG_MLIR_OP_VECTOR_SHUFFLE) { /* both one after the other */
    uint64_t a = og_xe_size(from), b = og_xe_size(op->operands[1]->type);
    uint32_t both = og_xe_room(d, a + b), first = og_xe_place(d, op->operands[0]),
             second = og_xe_place(d, op->operands[1]);
    struct og_xe_inst *copy = og_xe_emit(d, op, og_xe_copy);
    copy->a = first, copy->to = both, copy->count = (uint32_t)a;
    copy = og_xe_emit(d, op, og_xe_copy);
    copy->a = second, copy->to = both + (uint32_t)a, copy->count = (uint32_t)b;
    struct og_xe_inst *inst = emit_map(d, op, permute, map, count, 0, 0);
    if (inst)
      inst->a = both;
    return inst;
  }
  return emit_map(d, op, permute, map, count, 0, 0);
}

static bool decode_insert_slice(struct og_xe_decoder *d, struct og_mlir_op *op) {
  return emit_map(d, op, scatter_into, og_mlir_insert_map(d->m->arena, op), og_mlir_count(op->operands[0]->type), 0, 1);
}

/* extract and insert: a part behind a position, whose numbers may be known only when it runs. */
struct position {
  int64_t constants[OG_MLIR_RANK_MOST], sizes[OG_MLIR_RANK_MOST];
  uint32_t places[OG_MLIR_RANK_MOST]; /* of those not known */
  uint32_t rank, part;                /* bytes of the part */
};

static bool locate(struct og_xe_thread *t, const struct og_xe_inst *i, const uint8_t *f, uint32_t *offset) {
  const struct position *p = i->data;
  int64_t flat = 0;
  for (uint32_t k = 0; k < p->rank; k++) {
    int64_t at = p->constants[k] == OG_MLIR_DYNAMIC ? og_xe_integer(i->type, f + p->places[k]) : p->constants[k];
    if (at < 0 || at >= p->sizes[k])
      return og_xe_fault(t, i, "position %lld is outside of dimension %u of size %lld", (long long)at, k,
                         (long long)p->sizes[k]),
             false;
    flat = flat * p->sizes[k] + at;
  }
  *offset = (uint32_t)flat * p->part;
  return true;
}

static const struct og_xe_inst *extract(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  uint32_t offset;
  if (!locate(t, i, f, &offset))
    return NULL;
  memcpy(f + i->to, f + i->a + offset, i->count);
  return i + 1;
}

static const struct og_xe_inst *insert(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  uint32_t offset;
  if (!locate(t, i, f, &offset))
    return NULL;
  memmove(f + i->to, f + i->b, i->c);
  memcpy(f + i->to + offset, f + i->a, i->count);
  return i + 1;
}

static bool decode_position(struct og_xe_decoder *d, struct og_mlir_op *op) {
  bool into = op->row->id == OG_MLIR_OP_INSERT || op->row->id == OG_MLIR_OP_INSERTELEMENT;
  og_mlir_attr given = og_mlir_find(op, "static_position");
  struct position *p = OG_NEW(d->m->arena, struct position);
  uint32_t next = into ? 2 : 1, left = 1;
  og_mlir_type whole = op->operands[into]->type, part = into ? op->operands[0]->type : op->results[0].type;
  uint8_t type = OG_XE_I64;
  p->rank = given ? given->int_count : op->operand_count - next;
  for (uint32_t k = 0; k < p->rank; k++) {
    p->constants[k] = given ? given->ints[k] : OG_MLIR_DYNAMIC;
    p->sizes[k] = k < whole->int_count ? whole->ints[k] : 1;
    if (p->constants[k] == OG_MLIR_DYNAMIC && next < op->operand_count) {
      og_xe_scalar(op->operands[next]->type, &type);
      p->places[k] = og_xe_place(d, op->operands[next++]);
    }
  }
  (void)left;
  p->part = (uint32_t)og_xe_size(part);
  uint32_t a = og_xe_place(d, op->operands[0]), b = og_xe_place(d, op->operands[into]),
           to = og_xe_place(d, &op->results[0]);
  struct og_xe_inst *inst = og_xe_emit(d, op, into ? insert : extract);
  inst->a = a, inst->b = b, inst->to = to;
  inst->c = (uint32_t)og_xe_size(op->results[0].type);
  inst->count = p->part;
  inst->type = type;
  inst->data = p;
  return p->part && !d->failed;
}

static bool decode_reduction(struct og_xe_decoder *d, struct og_mlir_op *op) {
  og_mlir_type from = op->operands[0]->type;
  uint32_t *map = og_mlir_target_map(d->m->arena, op), count = og_mlir_count(from);
  struct og_xe_inst *inst = emit_map(d, op, reduce, map, count, 0, op->operand_count - 1);
  if (!inst)
    return false;
  og_xe_scalar(from, &inst->type);
  if (op->operand_count < 2)
    inst->b = UINT32_MAX;
  inst->sub = og_mlir_combining(og_mlir_find(op, "kind")->text);
  return true;
}

/* create_mask, constant_mask: true where every index is below its bound. data: the type. */
static const struct og_xe_inst *make_mask(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  og_mlir_attr sizes = og_mlir_find(i->op, "mask_dim_sizes");
  og_mlir_type type = i->op->results[0].type;
  const uint32_t *places = i->data;
  for (uint32_t k = 0; k < i->count; k++) {
    int64_t at[OG_MLIR_RANK_MOST];
    bool in = true;
    og_mlir_indices(type, k, at);
    for (uint32_t d = 0; d < type->int_count; d++)
      in &= at[d] < (sizes ? sizes->ints[d] : og_xe_index(f, places[d]));
    f[i->to + k] = in;
  }
  return i + 1;
}

static bool decode_mask(struct og_xe_decoder *d, struct og_mlir_op *op) {
  og_mlir_attr sizes = og_mlir_find(op, "mask_dim_sizes");
  uint32_t *places = OG_NEW_ARRAY(d->m->arena, uint32_t, op->operand_count + 1), to = og_xe_place(d, &op->results[0]);
  if ((sizes ? sizes->int_count : op->operand_count) != op->results[0].type->int_count)
    return og_xe_refuse(d, op, "a bound for each dimension is expected");
  for (uint32_t i = 0; i < op->operand_count; i++)
    places[i] = og_xe_place(d, op->operands[i]);
  struct og_xe_inst *inst = og_xe_emit(d, op, make_mask);
  inst->to = to;
  inst->count = og_mlir_count(op->results[0].type);
  inst->data = places;
  return true;
}

static bool decode_step(struct og_xe_decoder *d, struct og_mlir_op *op) {
  uint32_t count = og_mlir_count(op->results[0].type), place = og_xe_place(d, &op->results[0]);
  while (d->image.count < place + count * 8)
    *OG_PUSH(d->m->arena, &d->image) = 0;
  for (int64_t k = 0; k < count; k++)
    memcpy(d->image.items + place + k * 8, &k, 8);
  return true;
}

static bool decode_collect(struct og_xe_decoder *d, struct og_mlir_op *op) {
  uint32_t *places = OG_NEW_ARRAY(d->m->arena, uint32_t, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; i++)
    places[i] = og_xe_place(d, op->operands[i]);
  return emit_map(d, op, collect, places, op->operand_count, 0, 0);
}

static bool decode_copy(struct og_xe_decoder *d, struct og_mlir_op *op) {
  uint32_t a = og_xe_place(d, op->operands[0]), to = og_xe_place(d, &op->results[0]);
  struct og_xe_inst *inst = og_xe_emit(d, op, og_xe_copy);
  inst->a = a, inst->to = to;
  inst->count = (uint32_t)OG_MIN(og_xe_size(op->operands[0]->type), og_xe_size(op->results[0].type));
  return inst->count;
}

bool og_xe_decode_vector(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_TRANSPOSE:
  case OG_MLIR_OP_EXTRACT_SLICE:
  case OG_MLIR_OP_BROADCAST:
  case OG_MLIR_OP_SPLAT:
  case OG_MLIR_OP_VECTOR_SHUFFLE: return decode_moved(d, op);
  case OG_MLIR_OP_INSERT_SLICE: return decode_insert_slice(d, op);
  case OG_MLIR_OP_EXTRACT:
  case OG_MLIR_OP_EXTRACTELEMENT:
  case OG_MLIR_OP_INSERT:
  case OG_MLIR_OP_INSERTELEMENT: return decode_position(d, op);
  case OG_MLIR_OP_REDUCTION:
  case OG_MLIR_OP_MULTI_REDUCTION: return decode_reduction(d, op);
  case OG_MLIR_OP_CREATE_MASK:
  case OG_MLIR_OP_CONSTANT_MASK: return decode_mask(d, op);
  case OG_MLIR_OP_STEP: return decode_step(d, op);
  case OG_MLIR_OP_FROM_ELEMENTS: return decode_collect(d, op);
  case OG_MLIR_OP_SHAPE_CAST:
  case OG_MLIR_OP_VECTOR_BITCAST:
  case OG_MLIR_OP_ARITH_BITCAST:
  case OG_MLIR_OP_CONVERT_LAYOUT: return decode_copy(d, op);
  default: return !(*known = false);
  }
}
