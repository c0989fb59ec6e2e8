/* nodes.c - makes types and attributes, each only once; answers questions about them. */
#include "xegpu/mlir.h"

#include <string.h>

struct og_mlir_interner {
  struct og_arena *arena;
  const struct og_mlir_node **slots;
  uint32_t count, capacity;
};

struct og_mlir_interner *og_mlir_interner_new(struct og_arena *arena) {
  struct og_mlir_interner *interner = OG_NEW(arena, struct og_mlir_interner);
  interner->arena = arena;
  interner->capacity = 256;
  interner->slots = OG_NEW_ARRAY(arena, const struct og_mlir_node *, interner->capacity);
  return interner;
}

static uint64_t hash_of(const struct og_mlir_node *n) {
  uint64_t hash = n->kind * 0x9e3779b97f4a7c15u + n->flags;
  hash ^= og_hash(n->text.data, n->text.size) * 31;
  hash ^= og_hash(n->ints, n->int_count * sizeof *n->ints) * 37;
  return hash ^ og_hash(n->parts, n->part_count * sizeof *n->parts) * 41;
}

static bool equal(const struct og_mlir_node *a, const struct og_mlir_node *b) {
  return a->kind == b->kind && a->flags == b->flags && a->int_count == b->int_count && a->part_count == b->part_count &&
         og_text_equal(a->text, b->text) &&
         (!a->int_count || memcmp(a->ints, b->ints, a->int_count * sizeof *a->ints) == 0) &&
         (!a->part_count || memcmp(a->parts, b->parts, a->part_count * sizeof *a->parts) == 0);
}

static const struct og_mlir_node **slot_of(const struct og_mlir_interner *interner, const struct og_mlir_node *like) {
  uint32_t mask = interner->capacity - 1, i = (uint32_t)(hash_of(like) >> 16) & mask;
  while (interner->slots[i] && !equal(interner->slots[i], like))
    i = (i + 1) & mask;
  return &interner->slots[i];
}

static void grow(struct og_mlir_interner *interner) {
  const struct og_mlir_node **old = interner->slots;
  uint32_t count = interner->capacity;
  interner->capacity *= 2;
  interner->slots = OG_NEW_ARRAY(interner->arena, const struct og_mlir_node *, interner->capacity);
  for (uint32_t i = 0; i < count; i++)
    if (old[i])
      *slot_of(interner, old[i]) = old[i];
}

const struct og_mlir_node *og_mlir_intern(struct og_mlir_interner *interner, const struct og_mlir_node *like) {
  const struct og_mlir_node **slot = slot_of(interner, like);
  if (*slot)
    return *slot;
  struct og_mlir_node *node = OG_NEW(interner->arena, struct og_mlir_node);
  *node = *like;
  if (like->text.size)
    node->text.data = og_arena_copy(interner->arena, like->text.data, like->text.size);
  if (like->int_count)
    node->ints =
        (const int64_t *)og_arena_copy(interner->arena, (const char *)like->ints, like->int_count * sizeof *like->ints);
  if (like->part_count)
    node->parts = (const struct og_mlir_node *const *)og_arena_copy(interner->arena, (const char *)like->parts,
                                                                    like->part_count * sizeof *like->parts);
  *slot = node;
  if (++interner->count * 2 > interner->capacity)
    grow(interner);
  return node;
}

og_mlir_type og_mlir_simple(struct og_mlir_interner *interner, enum og_mlir_kind kind) {
  return og_mlir_intern(interner, &(struct og_mlir_node){.kind = (uint8_t)kind});
}

og_mlir_type og_mlir_integer(struct og_mlir_interner *interner, int64_t width, enum og_mlir_sign sign) {
  int64_t ints[] = {width, sign};
  return og_mlir_intern(interner, &(struct og_mlir_node){.kind = OG_MLIR_INTEGER, .int_count = 2, .ints = ints});
}

og_mlir_type og_mlir_shaped(struct og_mlir_interner *interner, enum og_mlir_kind kind, const int64_t *shape,
                            uint32_t rank, og_mlir_type element, og_mlir_attr second, og_mlir_attr third) {
  const struct og_mlir_node *parts[] = {element, second, third};
  uint32_t count = kind == OG_MLIR_VECTOR ? 1 : kind == OG_MLIR_TENSOR || kind == OG_MLIR_MEM_DESC ? 2 : 3;
  return og_mlir_intern(
      interner, &(struct og_mlir_node){
                    .kind = (uint8_t)kind, .int_count = rank, .ints = shape, .part_count = count, .parts = parts});
}

og_mlir_type og_mlir_function(struct og_mlir_interner *interner, const og_mlir_type *types, uint32_t inputs,
                              uint32_t results) {
  int64_t count = inputs;
  return og_mlir_intern(
      interner,
      &(struct og_mlir_node){
          .kind = OG_MLIR_FUNCTION, .int_count = 1, .ints = &count, .part_count = inputs + results, .parts = types});
}

og_mlir_attr og_mlir_int(struct og_mlir_interner *interner, int64_t value, og_mlir_type type) {
  return og_mlir_intern(
      interner,
      &(struct og_mlir_node){.kind = OG_MLIR_INT, .int_count = 1, .ints = &value, .part_count = 1, .parts = &type});
}

og_mlir_attr og_mlir_text(struct og_mlir_interner *interner, enum og_mlir_kind kind, struct og_text text) {
  return og_mlir_intern(interner, &(struct og_mlir_node){.kind = (uint8_t)kind, .text = text});
}

og_mlir_attr og_mlir_enum(struct og_mlir_interner *interner, const char *name, struct og_text keyword) {
  og_mlir_attr of = og_mlir_text(interner, OG_MLIR_STRING, og_text(name));
  return og_mlir_intern(interner,
                        &(struct og_mlir_node){.kind = OG_MLIR_ENUM, .text = keyword, .part_count = 1, .parts = &of});
}

og_mlir_attr og_mlir_dense_i64(struct og_mlir_interner *interner, const int64_t *values, uint32_t count) {
  og_mlir_type type = og_mlir_integer(interner, 64, OG_MLIR_SIGNLESS);
  return og_mlir_intern(
      interner, &(struct og_mlir_node){
                    .kind = OG_MLIR_DENSE_ARRAY, .int_count = count, .ints = values, .part_count = 1, .parts = &type});
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

uint32_t og_mlir_bits(og_mlir_type t) {
  switch (t->kind) {
  case OG_MLIR_INTEGER: return (uint32_t)t->ints[0];
  case OG_MLIR_INDEX:
  case OG_MLIR_F64: return 64;
  case OG_MLIR_F16:
  case OG_MLIR_BF16: return 16;
  case OG_MLIR_TF32: /* kept in 32 bits; MLIR counts 19 */
  case OG_MLIR_F32: return 32;
  case OG_MLIR_OTHER_FLOAT:
    return og_text_is(t->text, "f80") ? 80 : og_text_is(t->text, "f128") ? 128 : (uint32_t)(t->text.data[1] - '0');
  default: return 0;
  }
}

int64_t og_mlir_elements(og_mlir_type t) {
  int64_t product = 1;
  for (uint32_t i = 0; i < t->int_count; i++)
    if (t->ints[i] == OG_MLIR_DYNAMIC || __builtin_mul_overflow(product, t->ints[i], &product))
      return OG_MLIR_DYNAMIC;
  return product;
}

bool og_mlir_strides(og_mlir_type memref, int64_t *strides, int64_t *offset) {
  og_mlir_attr layout = memref->parts[1];
  *offset = 0;
  if (layout && layout->kind == OG_MLIR_STRIDED) {
    *offset = layout->ints[0];
    for (uint32_t i = 0; i < memref->int_count; i++)
      strides[i] = layout->ints[1 + i];
    return true;
  }
  int64_t stride = 1;
  for (uint32_t i = memref->int_count; i-- > 0;) {
    strides[i] = stride;
    if (stride != OG_MLIR_DYNAMIC &&
        (memref->ints[i] == OG_MLIR_DYNAMIC || __builtin_mul_overflow(stride, memref->ints[i], &stride)))
      stride = OG_MLIR_DYNAMIC;
  }
  return !layout;
}

og_mlir_attr og_mlir_find(const struct og_mlir_op *op, const char *name) {
  for (uint32_t i = 0; i < op->attribute_count; i++)
    if (og_text_is(op->attributes[i].name, name))
      return op->attributes[i].value;
  return NULL;
}

og_mlir_attr og_mlir_field(og_mlir_attr of, const char *name) {
  for (uint32_t i = 0; of && i + 1 < of->part_count; i += 2)
    if (og_text_is(of->parts[i]->text, name))
      return of->parts[i + 1];
  return NULL;
}

bool og_mlir_is_slm(og_mlir_type t) {
  og_mlir_attr space = t->kind == OG_MLIR_TENSOR_DESC ? og_mlir_field(t->parts[1], "memory_scope") : NULL;
  space = space || t->kind != OG_MLIR_TENSOR_DESC ? space : og_mlir_field(t->parts[1], "memory_space");
  return space && og_text_is(space->text, "slm");
}

bool og_mlir_is_scattered(og_mlir_type t) {
  og_mlir_attr flag = og_mlir_field(t->parts[1], "scattered");
  return t->parts[1] && (og_text_is(t->parts[1]->text, "xegpu.scatter_tdesc_attr") || (flag && flag->ints[0]));
}

bool og_mlir_is_of_lanes(const struct og_mlir_op *dpas) {
  enum { SUBGROUP = 16 };
  og_mlir_type a = dpas->operands[0]->type, b = dpas->operands[1]->type, r = dpas->results[0].type;
  return r->int_count == 1 ||
         (r->ints[r->int_count - 1] == 1 && og_mlir_elements(a) * SUBGROUP == r->ints[0] * og_mlir_elements(b));
}

bool og_mlir_is_vc(const struct og_mlir_module *module, const struct og_mlir_op *kernel) {
  return og_mlir_find(kernel, "VectorComputeFunctionINTEL") ||
         (module->spelling <= OG_MLIR_FIRST && !og_mlir_find(kernel, "intel_reqd_sub_group_size"));
}

void og_mlir_indices(og_mlir_type t, uint32_t flat, int64_t *indices) {
  for (uint32_t d = og_mlir_rank(t); d-- > 0; flat /= (uint32_t)t->ints[d])
    indices[d] = flat % (uint32_t)t->ints[d];
}

uint32_t og_mlir_flat(og_mlir_type t, const int64_t *indices) {
  uint64_t flat = 0;
  for (uint32_t d = 0; d < og_mlir_rank(t); d++)
    flat = flat * (uint64_t)t->ints[d] + (uint64_t)indices[d];
  return (uint32_t)flat;
}

void og_mlir_forget_slots(struct og_mlir_region *region) {
  for (struct og_mlir_block *b = region->first; b; b = b->next) {
    for (uint32_t i = 0; i < b->argument_count; i++)
      b->arguments[i]->slot = 0;
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      for (uint32_t i = 0; i < op->result_count; i++)
        op->results[i].slot = 0;
      for (uint32_t i = 0; i < op->region_count; i++)
        og_mlir_forget_slots(&op->regions[i]);
    }
  }
}
