/* verify_xegpu.c - rules of the dialect as MLIR 19 and 22 check them, in their words. */
#include "xegpu/verifier.h"

#include <string.h>

static og_mlir_type type_of(const struct og_mlir_op *op, const char *group) {
  struct og_mlir_value *value = og_mlir_operand(op, group);
  return value ? value->type : NULL;
}

static og_mlir_type descriptor(const struct og_mlir_op *op) {
  static const char *const names[] = {"TensorDesc", "tensorDesc", "source", "dest"};
  for (size_t i = 0; i < OG_COUNT(names); i++) {
    og_mlir_type type = type_of(op, names[i]);
    if (type && type->kind == OG_MLIR_TENSOR_DESC)
      return type;
  }
  return op->result_count && op->results[0].type->kind == OG_MLIR_TENSOR_DESC ? op->results[0].type : NULL;
}

static int64_t field(og_mlir_type t, const char *name, int64_t otherwise) {
  og_mlir_attr value = og_mlir_field(t->parts[1], name);
  return value ? value->ints[0] : otherwise;
}

bool og_mlir_verify_hints(struct og_mlir_verifier *v, const struct og_mlir_op *op, bool write) {
  static const char *const names[] = {"l1_hint", "l2_hint", "l3_hint", "L1_hint", "L2_hint",
                                      "L3_hint", "L1",      "L2",      "L3"};
  static const char *const reads[] = {"cached", "uncached", "streaming", "read_invalidate"};
  static const char *const writes[] = {"cached", "uncached", "write_back", "write_through"};
  for (size_t i = 0; i < OG_COUNT(names); i++) {
    og_mlir_attr hint = og_mlir_find(op, names[i]);
    bool fine = !hint || (write && v->m->spelling <= OG_MLIR_FIRST && og_text_is(hint->text, "streaming"));
    for (size_t k = 0; !fine && k < 4; k++)
      fine = og_text_is(hint->text, write ? writes[k] : reads[k]);
    if (!fine)
      return og_mlir_wrong(v, op, "invalid %s: #xegpu.cache_hint<%.*s>", names[i], OG_TEXT_ARGS(hint->text));
  }
  return true;
}

/* ---- MLIR 22 ----------------------------------------------------------------------------------------------------- */

static uint32_t offset_count(const struct og_mlir_op *op, const char *constants, const char *group) {
  og_mlir_attr attr = og_mlir_find(op, constants);
  uint32_t count;
  og_mlir_group(op, group, &count);
  return attr ? attr->int_count : count;
}

static int64_t memory_space(og_mlir_type source) {
  og_mlir_attr space = source->kind == OG_MLIR_MEMREF ? source->parts[2] : NULL;
  if (!space)
    return 0;
  if (space->kind == OG_MLIR_INT)
    return space->ints[0];
  return (space->kind == OG_MLIR_ENUM && og_text_is(space->text, "slm")) ||
                 (space->kind == OG_MLIR_DIALECT_ATTR && og_text_is(space->text, "gpu.address_space<workgroup>"))
             ? 3
             : 0;
}

static bool check_space(struct og_mlir_verifier *v, const struct og_mlir_op *op, og_mlir_type source,
                        og_mlir_type tdesc) {
  og_mlir_attr space = og_mlir_field(tdesc->parts[1], "memory_space");
  int64_t a = memory_space(source), b = space && og_text_is(space->text, "slm") ? 3 : 0;
  return a == b ||
         og_mlir_wrong(v, op, "Memory space mismatch. Source: %lld, TensorDesc: %lld", (long long)a, (long long)b);
}

/* Whether a descriptor's layout distributes its shape evenly, level by level. */
static bool distributes(og_mlir_attr layout, const int64_t *shape, uint32_t rank) {
  int64_t left[OG_MLIR_RANK_MOST];
  if (og_text_is(layout->text, "xegpu.slice"))
    return true;
  memcpy(left, shape, rank * sizeof *shape);
  static const char *const levels[][2] = {{"sg_layout", "sg_data"}, {NULL, "inst_data"}, {"lane_layout", "lane_data"}};
  for (int level = 0; level < 3; level++) {
    og_mlir_attr across = levels[level][0] ? og_mlir_field(layout, levels[level][0]) : NULL,
                 data = og_mlir_field(layout, levels[level][1]);
    if ((across && across->int_count != rank) || (data && data->int_count != rank))
      return !across && !data;
    for (uint32_t i = 0; i < rank && (across || data); i++) {
      int64_t n = across ? across->ints[i] : 1, d = data ? data->ints[i] : 0;
      if (n <= 0 || d < 0 || (data && d == 0))
        return false;
      if (!data) { /* evenly */
        if (left[i] % n)
          return false;
        left[i] /= n;
        continue;
      }
      if (left[i] % d || ((left[i] / d) % n && (level == 2 || n % (left[i] / d))))
        return false; /* subgroups may have data in common, lanes must have their own */
      left[i] = level == 2 ? left[i] : d;
    }
  }
  return true;
}

static bool check_layout(struct og_mlir_verifier *v, const struct og_mlir_op *op, og_mlir_type tdesc) {
  og_mlir_attr layout = tdesc->parts[2];
  return !layout || distributes(layout, tdesc->ints, tdesc->int_count) ||
         og_mlir_wrong(v, op, "cannot distribute %s using %s", og_mlir_shape_words(v, tdesc->ints, tdesc->int_count),
                       og_mlir_words(v, layout));
}

static bool check_create_nd(struct og_mlir_verifier *v, const struct og_mlir_op *op, bool new) {
  og_mlir_type source = type_of(op, "source"), tdesc = op->results[0].type;
  uint32_t offsets = offset_count(op, "const_offsets", "offsets"), shape = offset_count(op, "const_shape", "shape"),
           strides = offset_count(op, "const_strides", "strides");
  bool memref = source->kind == OG_MLIR_MEMREF;
  uint32_t dynamic = 0;
  for (uint32_t i = 0; memref && i < source->int_count; i++)
    dynamic += source->ints[i] == OG_MLIR_DYNAMIC;
  if (!new && !shape && dynamic)
    return og_mlir_wrong(v, op, "expected %u dynamic size values", dynamic);
  uint32_t rank = memref ? source->int_count : OG_MAX(offsets, shape);
  if (new && !check_space(v, op, source, tdesc))
    return false;
  if ((shape && shape != rank) || (strides && strides != rank) || (offsets && offsets != rank) ||
      (!memref && (!shape || !strides)))
    return og_mlir_wrong(v, op,
                         new ? "Expecting the rank of shape, strides, offsets, and source (if source is a memref) "
                               "should match with each other."
                             : "Expecting the rank of shape, strides, offsets, source memref type (if source is a "
                               "memref) and TensorDesc should match with each other. They currenlty are 2D.");
  if (!new && (rank != tdesc->int_count || offsets != rank))
    return og_mlir_wrong(v, op,
                         "Expecting the rank of shape, strides, offsets, source memref type (if source is a memref) "
                         "and TensorDesc should match with each other. They currenlty are 2D.");
  if (new && tdesc->int_count > rank)
    return og_mlir_wrong(
        v, op,
        "Expecting the TensorDesc rank is not greater than the ranks of shape, strides, offsets or the memref source.");
  if (memref && source->parts[0] != tdesc->parts[0])
    return og_mlir_wrong(v, op, "TensorDesc should have the same element type with the source if it is a memref.");
  if (og_mlir_is_scattered(tdesc))
    return og_mlir_wrong(v, op, "Expects a non-scattered TensorDesc.");
  return !new || check_layout(v, op, tdesc);
}

static bool check_nd_offsets(struct og_mlir_verifier *v, const struct og_mlir_op *op, og_mlir_type tdesc) {
  uint32_t count = offset_count(op, "const_offsets", "offsets");
  return !count || count == tdesc->int_count ||
         og_mlir_wrong(v, op, "Mismatched ranks between offsets and tensor descriptor");
}

static bool simt_fits(struct og_mlir_verifier *v, const struct og_mlir_op *op, og_mlir_type value, og_mlir_type tdesc,
                      int64_t elements, const char *what) {
  if (tdesc->parts[2])
    return og_mlir_wrong(v, op, "TensorDesc doesn't need LayoutAttr for SIMT code");
  return elements % og_mlir_elements(value) == 0 ||
         og_mlir_wrong(v, op, "%s shape %s is not a valid distribution for tensor descriptor '%s'", what,
                       og_mlir_shape_words(v, value->ints, value->int_count), og_mlir_words(v, tdesc));
}

static bool check_load_nd(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type tdesc = descriptor(op), value = op->results[0].type;
  int64_t shape[OG_MLIR_RANK_MOST + 2], turned[OG_MLIR_RANK_MOST], elements, array = field(tdesc, "array_length", 1);
  uint32_t rank = tdesc->int_count;
  if (og_mlir_is_scattered(tdesc))
    return og_mlir_wrong(v, op, "Expects a non-scattered TensorDesc.");
  if (!og_mlir_verify_hints(v, op, false))
    return false;
  elements = og_mlir_elements(tdesc) * array;
  if (og_mlir_elements(value) < elements && value->int_count == 1)
    return simt_fits(v, op, value, tdesc, elements, "Result"); /* upstream does not check its offsets */
  memcpy(shape, tdesc->ints, rank * sizeof *shape);
  og_mlir_attr transpose = og_mlir_find(op, "transpose");
  bool valid = transpose && transpose->int_count == rank;
  for (uint32_t i = 0; valid && i < rank; i++)
    valid = transpose->ints[i] >= 0 && transpose->ints[i] < (int64_t)rank;
  for (uint32_t i = 0; valid && i < rank; i++)
    turned[i] = shape[transpose->ints[i]];
  if (valid)
    memcpy(shape, turned, rank * sizeof *shape);
  if (og_mlir_find(op, "packed") && rank == 2) {
    int64_t factor = value->ints[value->int_count - 1];
    shape[0] /= factor;
    shape[rank++] = factor;
  }
  if (array > 1) {
    memmove(shape + 1, shape, rank++ * sizeof *shape);
    shape[0] = array;
  }
  if (rank != value->int_count || memcmp(shape, value->ints, rank * sizeof *shape))
    return og_mlir_wrong(v, op, "Result shape %s is not consistent with tensor descriptor '%s'",
                         og_mlir_shape_words(v, value->ints, value->int_count), og_mlir_words(v, tdesc));
  return check_nd_offsets(v, op, tdesc);
}

static bool check_store_nd(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type tdesc = descriptor(op), value = type_of(op, "value");
  if (og_mlir_is_scattered(tdesc))
    return og_mlir_wrong(v, op, "Expects a non-scattered TensorDesc.");
  if (!og_mlir_verify_hints(v, op, true))
    return false;
  if (field(tdesc, "array_length", 1) > 1)
    return og_mlir_wrong(v, op, "array length is not supported by store_nd.");
  if (value->int_count == 1 && og_mlir_elements(value) < og_mlir_elements(tdesc))
    return simt_fits(v, op, value, tdesc, og_mlir_elements(tdesc), "Value");
  if (value->int_count != tdesc->int_count || memcmp(value->ints, tdesc->ints, value->int_count * sizeof *value->ints))
    return og_mlir_wrong(v, op, "Value shape %s is not consistent with tensor descriptor '%s'",
                         og_mlir_shape_words(v, value->ints, value->int_count), og_mlir_words(v, tdesc));
  return check_nd_offsets(v, op, tdesc);
}

static bool check_create(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type source = type_of(op, "source"), offsets = type_of(op, "offsets"), tdesc = op->results[0].type;
  if (!og_mlir_is_scattered(tdesc))
    return og_mlir_wrong(v, op, "Expects a scattered TensorDesc.");
  if (!check_space(v, op, source, tdesc))
    return false;
  int64_t chunk = field(tdesc, "chunk_size", 1), shape[2] = {og_mlir_elements(offsets), chunk};
  uint32_t rank = chunk > 1 ? 2 : 1;
  if (tdesc->int_count != rank || memcmp(tdesc->ints, shape, rank * sizeof *shape))
    return og_mlir_wrong(v, op, "Incorrect TensorDesc shape. Expected is %s", og_mlir_shape_words(v, shape, rank));
  return check_layout(v, op, tdesc);
}

static bool check_gather(struct og_mlir_verifier *v, const struct og_mlir_op *op, og_mlir_type value,
                         og_mlir_type place, bool write) {
  og_mlir_type mask = type_of(op, "mask"), offsets = type_of(op, "offsets");
  if (!og_mlir_verify_hints(v, op, write))
    return false;
  bool tdesc = place->kind == OG_MLIR_TENSOR_DESC;
  if (tdesc && !og_mlir_is_scattered(place))
    return og_mlir_wrong(v, op, "Expects a scattered TensorDesc.");
  if (tdesc == (offsets != NULL))
    return og_mlir_wrong(v, op, tdesc ? "offsets not allowed." : "Expects offsets.");
  int64_t chunk = tdesc ? field(place, "chunk_size", 1) : 1;
  og_mlir_attr given = og_mlir_find(op, "chunk_size");
  chunk = given ? given->ints[0] : chunk;
  if (value->kind != OG_MLIR_VECTOR)
    return tdesc        ? og_mlir_wrong(v, op, "Expecting a vector type result.")
           : chunk != 1 ? og_mlir_wrong(v, op, "Expecting chunk size == 1 for scalar result")
                        : true;
  og_mlir_type element = place->kind == OG_MLIR_INTEGER ? value->parts[0] : og_mlir_element(place);
  if (value->parts[0] != element)
    return og_mlir_wrong(v, op,
                         tdesc ? "Value should have the same element type as TensorDesc."
                               : "Value should have the same element type as the source.");
  if (mask->kind != OG_MLIR_VECTOR)
    return !tdesc || og_mlir_wrong(v, op, "dim-0 of the Mask and TensorDesc should be the same.");
  if (tdesc && (mask->int_count != 1 || mask->ints[0] != place->ints[0]))
    return og_mlir_wrong(v, op, "Mask should match TensorDesc except the chunk size dim.");
  if (value->int_count == 1 && og_mlir_elements(value) == chunk && tdesc) { /* one lane's share */
    return !place->parts[2] || og_mlir_wrong(v, op, "TensorDesc doesn't need LayoutAttr for SIMT code");
  }
  if (tdesc && (value->int_count != place->int_count ||
                memcmp(value->ints, place->ints, value->int_count * sizeof *value->ints)))
    return og_mlir_wrong(v, op,
                         "Value shape %s is neither a valid distribution for SIMT nor consistent with the tensor "
                         "descriptor for SIMD '%s'",
                         og_mlir_shape_words(v, value->ints, value->int_count), og_mlir_words(v, place));
  if (tdesc)
    return true;
  if (value->int_count == 1 && mask->kind == OG_MLIR_VECTOR && og_mlir_elements(mask) == 1)
    return og_mlir_elements(value) == chunk ||
           og_mlir_wrong(v, op, "Mask should match value except the chunk size dim.");
  uint32_t rank = mask->int_count + (chunk > 1);
  if (value->int_count != rank || memcmp(value->ints, mask->ints, mask->int_count * sizeof *mask->ints) ||
      (chunk > 1 && value->ints[rank - 1] != chunk))
    return og_mlir_wrong(v, op, "Mask should match value except the chunk size dim.");
  return true;
}

static bool check_prefetch(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type source = type_of(op, "source"), offsets = type_of(op, "offsets");
  source = source ? source : descriptor(op);
  if (source->kind == OG_MLIR_TENSOR_DESC && !og_mlir_is_scattered(source))
    return og_mlir_wrong(v, op, "Expects a scattered TensorDesc.");
  if (v->m->spelling == OG_MLIR_22 && (source->kind == OG_MLIR_TENSOR_DESC) == (offsets != NULL))
    return og_mlir_wrong(v, op, offsets ? "offsets not allowed." : "Expects offsets.");
  og_mlir_attr align = og_mlir_find(op, "offset_align_byte");
  if (align && source->kind != OG_MLIR_INTEGER)
    return og_mlir_wrong(v, op, "offset_align_byte is allowed only with integer source.");
  if (source->kind == OG_MLIR_INTEGER && !align)
    return og_mlir_wrong(v, op, "offset_align_byte is required with integer source.");
  return og_mlir_verify_hints(v, op, false);
}

static bool check_dpas(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type a = op->operands[0]->type, b = op->operands[1]->type, d = op->results[0].type;
  if (op->operand_count > 2 && op->operands[2]->type != d)
    return og_mlir_wrong(v, op, "Expecting the acc type to be the same as result.");
  if (a->int_count == 1 && b->int_count == 1 && d->int_count == 1) {
    uint32_t bits = og_mlir_bits(b->parts[0]), factor = bits < 32 ? 32 / bits : 1;
    return og_mlir_elements(b) % factor == 0 ||
           og_mlir_wrong(v, op, "Expecting B operand to be a multiple of 32 bits.");
  }
  if (a->int_count != 2 || (b->int_count != 2 && b->int_count != 3) || d->int_count != 2)
    return og_mlir_wrong(v, op,
                         "expecting lhs and result to be a 2D vector, and rhs to be either 2D or 3D (packed) vector.");
  int64_t k = b->int_count == 3 ? b->ints[0] * b->ints[2] : b->ints[0];
  if (k != a->ints[1])
    return og_mlir_wrong(v, op, "K-dimension mismatch.");
  if (a->ints[0] != d->ints[0])
    return og_mlir_wrong(v, op, "M-dimension mismatch.");
  return b->ints[1] == d->ints[1] || og_mlir_wrong(v, op, "N-dimension mismatch.");
}

static bool check_matrix(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type desc = type_of(op, "mem_desc"), data = op->result_count ? op->results[0].type : type_of(op, "data");
  if (desc->int_count != 2)
    return og_mlir_wrong(v, op, "mem_desc must be 2D");
  if (data->kind != OG_MLIR_VECTOR)
    return !og_mlir_find(op, "subgroup_block_io") ||
           og_mlir_wrong(v, op, "subgroup_block_io are only allowed when result is a vector");
  if (data->int_count == 2 && (data->ints[0] > desc->ints[0] || data->ints[1] > desc->ints[1]))
    return og_mlir_wrong(v, op, "data shape must not exceed mem_desc shape.");
  return true;
}

static bool check_convert(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_attr from = og_mlir_find(op, "input_layout"), to = og_mlir_find(op, "target_layout");
  og_mlir_type type = op->results[0].type;
  bool groups = og_mlir_field(from, "sg_layout") && og_mlir_field(to, "sg_layout");
  bool lanes = !og_mlir_field(from, "sg_layout") && !og_mlir_field(to, "sg_layout");
  if (!groups && !lanes && from->part_count && !og_text_is(from->text, "xegpu.slice") &&
      !og_text_is(to->text, "xegpu.slice"))
    return og_mlir_wrong(v, op, "expected input layout and target layout be WgLayout or SgLayout at the same time.");
  if (!distributes(from, type->ints, type->int_count))
    return og_mlir_wrong(v, op, "invalid input layout, data cannot be evenly distributed.");
  return distributes(to, type->ints, type->int_count) ||
         og_mlir_wrong(v, op, "invalid target layout, data cannot be evenly distributed.");
}

bool og_mlir_verify_xegpu22(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type tdesc = descriptor(op);
  switch (op->row->id) {
  case OG_MLIR_OP_CREATE_ND: return check_create_nd(v, op, true);
  case OG_MLIR_OP_PREFETCH_ND:
    return (!og_mlir_is_scattered(tdesc) || og_mlir_wrong(v, op, "Expects a non-scattered TensorDesc.")) &&
           og_mlir_verify_hints(v, op, false) && check_nd_offsets(v, op, tdesc);
  case OG_MLIR_OP_LOAD_ND: return check_load_nd(v, op);
  case OG_MLIR_OP_STORE_ND: return check_store_nd(v, op);
  case OG_MLIR_OP_UPDATE_ND:
    if (og_mlir_is_scattered(tdesc))
      return og_mlir_wrong(v, op, "Expects a non-scattered TensorDesc.");
    return offset_count(op, "const_offsets", "offsets") == tdesc->int_count ||
           og_mlir_wrong(v, op, "Invalid number of offsets.");
  case OG_MLIR_OP_CREATE: return check_create(v, op);
  case OG_MLIR_OP_PREFETCH: return check_prefetch(v, op);
  case OG_MLIR_OP_LOAD_GATHER: return check_gather(v, op, op->results[0].type, type_of(op, "source"), false);
  case OG_MLIR_OP_STORE_SCATTER: return check_gather(v, op, type_of(op, "value"), type_of(op, "dest"), true);
  case OG_MLIR_OP_UPDATE:
    if (!og_mlir_is_scattered(tdesc))
      return og_mlir_wrong(v, op, "Expects a scattered TensorDesc.");
    return og_mlir_elements(type_of(op, "offsets")) == tdesc->ints[0] ||
           og_mlir_wrong(v, op, "Offsets should match TensorDesc except the chunk size dim.");
  case OG_MLIR_OP_DPAS: return check_dpas(v, op);
  case OG_MLIR_OP_LOAD_MATRIX:
  case OG_MLIR_OP_STORE_MATRIX: return check_matrix(v, op);
  case OG_MLIR_OP_CONVERT_LAYOUT: return check_convert(v, op);
  default: return true;
  }
}

/* ---- MLIR 19 ----------------------------------------------------------------------------------------------------- */

static bool check_shape19(struct og_mlir_verifier *v, const struct og_mlir_op *op, const int64_t *shape,
                          uint32_t rank) {
  og_mlir_type value = op->results[0].type;
  if (value->kind == OG_MLIR_VECTOR && value->int_count == rank && !memcmp(shape, value->ints, rank * sizeof *shape))
    return true;
  return og_mlir_wrong(
      v, op, "Result shape doesn't match TensorDesc shape.The expected shape is %s. But the given shape is %s.",
      og_mlir_shape_words(v, shape, rank),
      og_mlir_shape_words(v, value->ints, value->kind == OG_MLIR_VECTOR ? value->int_count : 0));
}

static bool check_load19(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type tdesc = descriptor(op), value = op->results[0].type;
  bool gather = op->row->id == OG_MLIR_OP_LOAD_GATHER;
  int64_t shape[OG_MLIR_RANK_MOST + 2], turned[OG_MLIR_RANK_MOST];
  uint32_t rank = tdesc->int_count;
  if (!gather && rank != 2)
    return og_mlir_wrong(v, op, "Expecting a 2D TensorDesc.");
  if (gather != og_mlir_is_scattered(tdesc))
    return og_mlir_wrong(v, op, gather ? "Expects a scattered TensorDesc." : "Expects a non-scattered TensorDesc.");
  if (value->kind != OG_MLIR_VECTOR)
    return og_mlir_wrong(v, op, "Invalid result, it should be a VectorType.");
  if (!og_mlir_verify_hints(v, op, false))
    return false;
  og_mlir_type mask = type_of(op, "mask");
  if (gather && (mask->kind == OG_MLIR_VECTOR ? mask->ints[0] : 1) != tdesc->ints[0])
    return og_mlir_wrong(v, op, "dim-0 of the Mask and TensorDesc should be the same.");
  memcpy(shape, tdesc->ints, rank * sizeof *shape);
  og_mlir_attr transpose = og_mlir_find(op, "transpose"), vnni = og_mlir_find(op, "vnni_axis");
  if (transpose) {
    if (transpose->int_count != rank && !gather)
      return true; /* mlir-opt warns, but accepts it */
    for (uint32_t i = 0; i < rank; i++)
      if (i >= transpose->int_count || transpose->ints[i] < 0 || transpose->ints[i] >= (int64_t)rank)
        return check_shape19(v, op, shape, rank);
      else
        turned[i] = shape[transpose->ints[i]];
    memcpy(shape, turned, rank * sizeof *shape);
  }
  if (vnni && vnni->ints[0] >= 0 && vnni->ints[0] < (int64_t)rank) {
    int64_t factor = value->ints[value->int_count - 1];
    shape[vnni->ints[0]] /= factor;
    shape[rank++] = factor;
  }
  int64_t array = field(tdesc, "array_length", 1);
  if (array > 1 && !gather) {
    memmove(shape + 1, shape, rank++ * sizeof *shape);
    shape[0] = array;
  }
  return check_shape19(v, op, shape, rank);
}

static bool check_create19(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type tdesc = op->results[0].type, source = type_of(op, "source");
  og_mlir_attr given = og_mlir_find(op, "chunk_size");
  int64_t chunk = given ? given->ints[0] : 1, shape[2] = {offset_count(op, "const_offsets", "offsets"), chunk};
  uint32_t rank = chunk != 1 ? 2 : 1;
  if (source->kind == OG_MLIR_MEMREF && source->int_count > 1)
    return og_mlir_wrong(v, op, "Expecting the source is a 1D memref or pointer (uint64_t).");
  if (!og_mlir_is_scattered(tdesc))
    return og_mlir_wrong(v, op, "Expects a scattered TensorDesc.");
  return (tdesc->int_count == rank && !memcmp(tdesc->ints, shape, rank * sizeof *shape)) ||
         og_mlir_wrong(v, op, "Incorrect TensorDesc shape. Expected is %s", og_mlir_shape_words(v, shape, rank));
}

bool og_mlir_verify_xegpu19(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type tdesc = descriptor(op);
  switch (op->row->id) {
  case OG_MLIR_OP_CREATE_ND: return check_create_nd(v, op, false);
  case OG_MLIR_OP_PREFETCH_ND:
    return (!og_mlir_is_scattered(tdesc) || og_mlir_wrong(v, op, "Expects a non-scattered TensorDesc.")) &&
           og_mlir_verify_hints(v, op, false);
  case OG_MLIR_OP_LOAD_ND:
  case OG_MLIR_OP_LOAD_GATHER: return check_load19(v, op);
  case OG_MLIR_OP_STORE_ND:
    if (tdesc->int_count != 2)
      return og_mlir_wrong(v, op, "Expecting a 2D TensorDesc.");
    return (!og_mlir_is_scattered(tdesc) || og_mlir_wrong(v, op, "Expects a non-scattered TensorDesc.")) &&
           og_mlir_verify_hints(v, op, true);
  case OG_MLIR_OP_STORE_SCATTER:
    if (!og_mlir_is_scattered(tdesc))
      return og_mlir_wrong(v, op, "Expects a scattered TensorDesc.");
    og_mlir_type mask = type_of(op, "mask");
    if (!og_mlir_verify_hints(v, op, true))
      return false;
    return (mask->kind == OG_MLIR_VECTOR ? mask->ints[0] : 1) == tdesc->ints[0] ||
           og_mlir_wrong(v, op, "dim-0 of the Mask and TensorDesc should be the same.");
  case OG_MLIR_OP_UPDATE_ND:
    if (og_mlir_is_scattered(tdesc))
      return og_mlir_wrong(v, op, "Expects a non-scattered TensorDesc.");
    return offset_count(op, "const_offsets", "offsets") == tdesc->int_count ||
           og_mlir_wrong(v, op, "Invalid number of offsets.");
  case OG_MLIR_OP_CREATE: return check_create19(v, op);
  case OG_MLIR_OP_PREFETCH:
    return (og_mlir_is_scattered(tdesc) || og_mlir_wrong(v, op, "Expects a scattered TensorDesc.")) &&
           og_mlir_verify_hints(v, op, false);
  case OG_MLIR_OP_DPAS: {
    og_mlir_type a = op->operands[0]->type, b = op->operands[1]->type;
    if (a->int_count != b->int_count || a->int_count != 3)
      return og_mlir_wrong(v, op, "lhs and rhs rank does not match for dpas op, or their rank is not 3.");
    if (a->ints[1] != b->ints[0] || a->ints[2] != b->ints[2])
      return og_mlir_wrong(v, op, "K-dimension or vnni-factor mismatch.");
    return op->operand_count < 3 || op->operands[2]->type == op->results[0].type ||
           og_mlir_wrong(v, op,
                         "Accumulator and Result for dpas op should have the same type (both shape and element type).");
  }
  default: return true;
  }
}
