/* verify_vector.c - rules of the vector dialect that are not in its rows. */
#include "xegpu/verifier.h"

#include <string.h>

static bool same_tail(og_mlir_type big, og_mlir_type small) { /* whether big's shape ends with small's */
  uint32_t rank = small->kind == OG_MLIR_VECTOR ? small->int_count : 0;
  return rank <= big->int_count &&
         (!rank || memcmp(big->ints + big->int_count - rank, small->ints, rank * sizeof *small->ints) == 0);
}

static bool check_position(struct og_mlir_verifier *v, const struct og_mlir_op *op, og_mlir_type vector,
                           og_mlir_type part) {
  og_mlir_attr at = og_mlir_find(op, "static_position");
  if (at->int_count > vector->int_count)
    return og_mlir_wrong(v, op, "expected position attribute of rank no greater than %svector rank",
                         op->row->id == OG_MLIR_OP_INSERT ? "dest " : "");
  for (uint32_t i = 0; i < at->int_count; i++)
    if (at->ints[i] != OG_MLIR_DYNAMIC && (at->ints[i] < -1 || at->ints[i] >= vector->ints[i]))
      return og_mlir_wrong(v, op,
                           "expected position attribute #%u to be a non-negative integer smaller than the "
                           "corresponding %svector dimension",
                           i + 1, op->row->id == OG_MLIR_OP_INSERT ? "dest " : "");
  uint32_t rank = part->kind == OG_MLIR_VECTOR ? part->int_count : 0, left = vector->int_count - at->int_count;
  if (!same_tail(vector, part) || (rank != left && !(rank == 1 && left == 0 && part->ints[0] == 1)))
    return og_mlir_wrong(v, op, "expected '%s' to have the shape of '%s' behind the position", og_mlir_words(v, part),
                         og_mlir_words(v, vector));
  return true;
}

static bool check_shape_cast(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
  if (from->parts[0] != to->parts[0])
    return og_mlir_wrong(v, op, "has different source and result element types");
  return og_mlir_elements(from) == og_mlir_elements(to) ||
         og_mlir_wrong(v, op, "has different source and result element counts");
}

static bool check_bitcast(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
  bool fine = from->int_count == to->int_count;
  for (uint32_t i = 0; fine && i + 1 < from->int_count; i++)
    fine = from->ints[i] == to->ints[i];
  if (!fine)
    return og_mlir_wrong(v, op, "failed to verify that all of {source, result} have same rank");
  return og_mlir_elements(from) * og_mlir_bits(from->parts[0]) == og_mlir_elements(to) * og_mlir_bits(to->parts[0]) ||
         og_mlir_wrong(v, op, "source/result bitwidth of the minor 1-D vectors must be equal");
}

static bool check_broadcast(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
  if (from->kind != OG_MLIR_VECTOR)
    return true;
  if (from->int_count > to->int_count)
    return og_mlir_wrong(v, op, "source rank higher than destination rank");
  for (uint32_t i = 0; i < from->int_count; i++) {
    int64_t a = from->ints[from->int_count - 1 - i], b = to->ints[to->int_count - 1 - i];
    if (a != b && a != 1)
      return og_mlir_wrong(v, op, "dimension mismatch (%lld vs. %lld)", (long long)a, (long long)b);
  }
  return true;
}

static bool check_transpose(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
  og_mlir_attr order = og_mlir_find(op, "permutation");
  uint32_t seen = 0;
  if (from->int_count != to->int_count)
    return og_mlir_wrong(v, op, "vector result rank mismatch: %u", to->int_count);
  if (order->int_count != from->int_count)
    return og_mlir_wrong(v, op, "transposition length mismatch: %u", order->int_count);
  for (uint32_t i = 0; i < order->int_count; i++) {
    int64_t at = order->ints[i];
    if (at < 0 || at >= (int64_t)from->int_count)
      return og_mlir_wrong(v, op, "transposition index out of range: %lld", (long long)at);
    if (seen >> at & 1)
      return og_mlir_wrong(v, op, "duplicate position index: %lld", (long long)at);
    seen |= 1u << at;
    if (to->ints[i] != from->ints[at])
      return og_mlir_wrong(v, op, "dimension size mismatch at: %lld", (long long)at);
  }
  return true;
}

static bool check_slice(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_attr offsets = og_mlir_find(op, "offsets"), sizes = og_mlir_find(op, "sizes"),
               strides = og_mlir_find(op, "strides");
  bool insert = op->row->id == OG_MLIR_OP_INSERT_SLICE;
  og_mlir_type big = op->operands[insert ? 1 : 0]->type, small = insert ? op->operands[0]->type : op->results[0].type;
  if (strides->part_count > offsets->part_count && !insert)
    return og_mlir_wrong(v, op, "expected offsets, sizes and strides attributes of same size");
  if (offsets->part_count > big->int_count || (sizes && sizes->part_count != offsets->part_count) ||
      (insert && offsets->part_count != big->int_count))
    return og_mlir_wrong(v, op,
                         insert ? "expected offsets of same size as destination vector rank"
                                : "expected offsets, sizes and strides attributes of same size");
  if (insert && (strides->part_count != small->int_count || small->int_count > big->int_count))
    return og_mlir_wrong(v, op, "expected strides of same size as source vector rank");
  uint32_t shift = insert ? big->int_count - small->int_count : 0;
  if (!insert && small->int_count != big->int_count)
    return og_mlir_wrong(v, op, "expected result of the source's rank");
  for (uint32_t i = 0; i < offsets->part_count; i++) {
    if (offsets->parts[i]->kind != OG_MLIR_INT)
      return og_mlir_wrong(v, op, "attribute 'offsets' failed to satisfy constraint: 64-bit integer array attribute");
    int64_t offset = offsets->parts[i]->ints[0], size = i < shift ? 1 : small->ints[i - shift];
    if (sizes && (sizes->parts[i]->kind != OG_MLIR_INT || sizes->parts[i]->ints[0] != size))
      return og_mlir_wrong(v, op, "expected result type to be the slice's");
    if (offset < 0 || offset + size > big->ints[i])
      return og_mlir_wrong(v, op, "expected sum(offsets, sizes) dimension %u to be confined to [1, %lld)", i,
                           (long long)big->ints[i] + 1);
  }
  for (uint32_t i = 0; i < strides->part_count; i++)
    if (strides->parts[i]->kind != OG_MLIR_INT || strides->parts[i]->ints[0] != 1)
      return og_mlir_wrong(v, op, "expected strides to be confined to [1, 2)");
  for (uint32_t i = offsets->part_count; !insert && i < big->int_count; i++)
    if (small->ints[i] != big->ints[i])
      return og_mlir_wrong(v, op, "expected result type to be the slice's");
  return true;
}

static bool check_reduction(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  static const char *const ints[] = {"minui", "minsi", "maxui", "maxsi", "and", "or", "xor"};
  static const char *const floats[] = {"minnumf", "maxnumf", "minimumf", "maximumf"};
  og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
  struct og_text kind = og_mlir_find(op, "kind")->text;
  bool is_float = og_mlir_is_float(from->parts[0]), fine = true;
  for (size_t i = 0; i < OG_COUNT(ints); i++)
    fine &= !is_float || !og_text_is(kind, ints[i]);
  for (size_t i = 0; i < OG_COUNT(floats); i++)
    fine &= is_float || !og_text_is(kind, floats[i]);
  if (!fine)
    return og_mlir_wrong(v, op, "unsupported reduction type '%s' for kind '%.*s'", og_mlir_words(v, from->parts[0]),
                         OG_TEXT_ARGS(kind));
  if (op->row->id == OG_MLIR_OP_REDUCTION)
    return from->int_count <= 1 || og_mlir_wrong(v, op, "unsupported reduction rank: %u", from->int_count);
  og_mlir_attr dims = og_mlir_find(op, "reduction_dims");
  uint32_t reduced = 0, at = 0;
  for (uint32_t i = 0; i < dims->int_count; i++)
    reduced |= dims->ints[i] >= 0 && dims->ints[i] < (int64_t)from->int_count ? 1u << dims->ints[i] : 1u << 31;
  bool all = __builtin_popcount(reduced) == (int)from->int_count;
  fine = !(reduced >> 31) && og_mlir_element(to) == from->parts[0] &&
         (all ? to->kind != OG_MLIR_VECTOR || to->int_count == 0 : to->kind == OG_MLIR_VECTOR);
  for (uint32_t i = 0; fine && !all && i < from->int_count; i++)
    if (!(reduced >> i & 1))
      fine = at < to->int_count && to->ints[at++] == from->ints[i];
  return (fine && (all || at == to->int_count)) ||
         og_mlir_wrong(v, op, "destination type '%s' is incompatible with source type '%s'", og_mlir_words(v, to),
                       og_mlir_words(v, from));
}

static bool check_memory(struct og_mlir_verifier *v, const struct og_mlir_op *op, og_mlir_type vector,
                         const char *base) {
  og_mlir_type memref = og_mlir_operand(op, base)->type;
  uint32_t count;
  og_mlir_group(op, "indices", &count);
  if (!og_mlir_is_shaped(memref))
    return og_mlir_wrong(v, op, "requires memref or ranked tensor type");
  if (memref->parts[0] != vector->parts[0] && memref->parts[0]->kind != OG_MLIR_VECTOR)
    return og_mlir_wrong(v, op, "base and result element types should match");
  return count == memref->int_count || og_mlir_wrong(v, op, "requires %u indices", memref->int_count);
}

bool og_mlir_verify_vector(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  switch (op->row->id) {
  case OG_MLIR_OP_EXTRACT: return check_position(v, op, op->operands[0]->type, op->results[0].type);
  case OG_MLIR_OP_INSERT: return check_position(v, op, op->operands[1]->type, op->operands[0]->type);
  case OG_MLIR_OP_SHAPE_CAST: return check_shape_cast(v, op);
  case OG_MLIR_OP_VECTOR_BITCAST: return check_bitcast(v, op);
  case OG_MLIR_OP_BROADCAST: return check_broadcast(v, op);
  case OG_MLIR_OP_TRANSPOSE: return check_transpose(v, op);
  case OG_MLIR_OP_EXTRACT_SLICE:
  case OG_MLIR_OP_INSERT_SLICE: return check_slice(v, op);
  case OG_MLIR_OP_REDUCTION:
  case OG_MLIR_OP_MULTI_REDUCTION: return check_reduction(v, op);
  case OG_MLIR_OP_FROM_ELEMENTS:
    return (int64_t)op->operand_count == og_mlir_elements(op->results[0].type) ||
           og_mlir_wrong(v, op, "number of operands and types do not match: got %u operands and %lld types",
                         op->operand_count, (long long)og_mlir_elements(op->results[0].type));
  case OG_MLIR_OP_VECTOR_LOAD: return check_memory(v, op, op->results[0].type, "base");
  case OG_MLIR_OP_VECTOR_STORE:
  case OG_MLIR_OP_TRANSFER_WRITE: return check_memory(v, op, op->operands[0]->type, "base");
  case OG_MLIR_OP_TRANSFER_READ: return check_memory(v, op, op->results[0].type, "base");
  default: return true;
  }
}
