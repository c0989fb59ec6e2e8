/* verify_rfc.c - rules of the RFC, which apply to its spelling and to the first implementation's. Each error names the
 * RFC's section about the operation or attribute. */
#include "xegpu/verifier.h"

#include <string.h>

static bool is_vc(const struct og_mlir_op *op) {
  og_mlir_attr mode = og_mlir_find(op, "mode");
  return mode && og_text_is(mode->text, "vc");
}

static og_mlir_type operand_type(const struct og_mlir_op *op, const char *name) {
  struct og_mlir_value *value = og_mlir_operand(op, name);
  return value ? value->type : NULL;
}

static og_mlir_type descriptor(const struct og_mlir_op *op) {
  og_mlir_type type = operand_type(op, "TensorDesc");
  type = type ? type : operand_type(op, "tensorDesc");
  return type                                                                   ? type
         : op->result_count && op->results[0].type->kind == OG_MLIR_TENSOR_DESC ? op->results[0].type
                                                                                : NULL;
}

static og_mlir_attr field(og_mlir_type t, const char *name) { return og_mlir_field(t->parts[1], name); }

static bool same_shape(og_mlir_type t, const int64_t *shape, uint32_t rank) {
  return t->kind == OG_MLIR_VECTOR && t->int_count == rank && memcmp(t->ints, shape, rank * sizeof *shape) == 0;
}

static bool check_result(struct og_mlir_verifier *v, const struct og_mlir_op *op, og_mlir_type value,
                         const int64_t *shape, uint32_t rank, const char *section) {
  return same_shape(value, shape, rank) ||
         og_mlir_wrong(v, op, "expects a vector of shape %s, but got '%s' (RFC: %s)",
                       og_mlir_shape_words(v, shape, rank), og_mlir_words(v, value), section);
}

/* wi_layout x wi_data must divide the shape in each dimension, and must not be larger. */
static bool check_map(struct og_mlir_verifier *v, const struct og_mlir_op *op, og_mlir_type t) {
  og_mlir_attr map = t->parts[2], layout = og_mlir_field(map, "wi_layout"), data = og_mlir_field(map, "wi_data");
  if (!map)
    return true;
  if (is_vc(op))
    return og_mlir_wrong(v, op, "sg_map should not be presented in the tensor_desc when VC mode is on (RFC: mode)");
  if (!layout || !data || layout->int_count != 2 || data->int_count != 2)
    return og_mlir_wrong(v, op, "sg_map needs wi_layout and wi_data of two dimensions (RFC: sg_map)");
  if (t->int_count == 1 && (layout->ints[0] != 1 || data->ints[0] != 1))
    return og_mlir_wrong(
        v, op, "the outer dimension of wi_layout and wi_data must be 1 for a 1D tensor_desc (RFC: create_nd_tdesc)");
  for (uint32_t i = 0; i < 2; i++)
    if (layout->ints[i] < 1 || data->ints[i] < 1 || layout->ints[i] > 1024 || data->ints[i] > 1024)
      return og_mlir_wrong(v, op, "wi_layout and wi_data must be positive (RFC: sg_map)");
  for (uint32_t i = 0; i < t->int_count && t->int_count <= 2; i++) {
    uint32_t k = i + 2 - t->int_count;
    int64_t size = layout->ints[k] * data->ints[k];
    if (t->ints[i] % size || t->ints[i] < size)
      return og_mlir_wrong(
          v, op, "the size %lld of dimension %u must be divisible by wi_layout x wi_data = %lld (RFC: sg_map)",
          (long long)t->ints[i], i, (long long)size);
  }
  return true;
}

static bool check_descriptor(struct og_mlir_verifier *v, const struct og_mlir_op *op, bool scattered) {
  og_mlir_type t = descriptor(op);
  og_mlir_attr boundary = field(t, "boundary_check"), array = field(t, "array_length");
  if (og_mlir_is_scattered(t) != scattered)
    return og_mlir_wrong(v, op, scattered ? "Expects a scattered TensorDesc." : "Expects a non-scattered TensorDesc.");
  for (uint32_t i = 0; i < t->int_count; i++)
    if (t->ints[i] < 1)
      return og_mlir_wrong(v, op, "the tensor_desc's sizes must be known at the compile-time and positive (RFC: %s)",
                           scattered ? "create_tdesc" : "create_nd_tdesc");
  if (t->int_count > 2)
    return og_mlir_wrong(v, op, "tensor_desc of more than two dimensions (RFC: create_nd_tdesc)");
  if (!scattered && t->int_count == 1 && boundary && boundary->ints[0])
    return og_mlir_wrong(v, op, "boundary_check must be false for a 1D tensor_desc (RFC: create_nd_tdesc)");
  if (array && array->ints[0] < 1)
    return og_mlir_wrong(v, op, "array_length must be positive (RFC: create_nd_tdesc)");
  return check_map(v, op, t);
}

static bool must_be_vc(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  return is_vc(op) || og_mlir_wrong(v, op, "is VC mode only: {mode = vc} is expected (RFC: %s)", op->row->name + 6);
}

/* ---- cache hints ------------------------------------------------------------------------------------------------- */

/* Which combinations of L1 and L3 hints LSC messages of PVC have. */
static bool check_pair(struct og_mlir_verifier *v, const struct og_mlir_op *op, bool write) {
  static const char *const reads[][2] = {
      {"uncached", "uncached"},  {"uncached", "cached"},  {"cached", "uncached"},       {"cached", "cached"},
      {"streaming", "uncached"}, {"streaming", "cached"}, {"read_invalidate", "cached"}};
  static const char *const writes[][2] = {{"uncached", "uncached"},      {"uncached", "write_back"},
                                          {"write_through", "uncached"}, {"write_through", "write_back"},
                                          {"streaming", "uncached"},     {"streaming", "write_back"},
                                          {"write_back", "write_back"}};
  og_mlir_attr l1 = og_mlir_find(op, "L1_hint"), l3 = og_mlir_find(op, "L3_hint");
  if (!l1 || !l3)
    return true;
  for (size_t i = 0; i < 7; i++)
    if (og_text_is(l1->text, write ? writes[i][0] : reads[i][0]) &&
        og_text_is(l3->text, write ? writes[i][1] : reads[i][1]))
      return true;
  return og_mlir_wrong(v, op, "no target combines L1_hint = %.*s with L3_hint = %.*s (RFC: load_nd)",
                       OG_TEXT_ARGS(l1->text), OG_TEXT_ARGS(l3->text));
}

static bool check_hints(struct og_mlir_verifier *v, const struct og_mlir_op *op, bool write) {
  return og_mlir_verify_hints(v, op, write) && check_pair(v, op, write);
}

/* ---- nd operations ----------------------------------------------------------------------------------------------- */

static bool check_create_nd(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type source = operand_type(op, "source"), t = op->results[0].type;
  if (source->kind == OG_MLIR_MEMREF && source->parts[0] != t->parts[0])
    return og_mlir_wrong(v, op, "TensorDesc should have the same element type with the source if it is a memref.");
  if (source->kind == OG_MLIR_MEMREF && t->int_count > source->int_count)
    return og_mlir_wrong(v, op, "tensor_desc has more dimensions than the memref (RFC: create_nd_tdesc)");
  og_mlir_attr boundary = field(t, "boundary_check");
  if (t->int_count == 1 && source->kind != OG_MLIR_MEMREF && !(boundary && !boundary->ints[0]))
    return og_mlir_wrong(v, op, "boundary_check must be false for a 1D tensor_desc (RFC: create_nd_tdesc)");
  return check_descriptor(v, op, false);
}

/* One work item's share of a tile: wi_data's inner dimension stays, rounds come before it. */
static void share_of(og_mlir_type t, int64_t *shape) {
  og_mlir_attr layout = og_mlir_field(t->parts[2], "wi_layout"), data = og_mlir_field(t->parts[2], "wi_data");
  int64_t inner = data->ints[1], elements = og_mlir_elements(t) / (layout->ints[0] * layout->ints[1]);
  int64_t packed = data->ints[0] > 1 ? data->ints[0] : inner;
  shape[0] = elements / packed;
  shape[1] = packed;
}

static bool check_load_nd(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type t = descriptor(op), value = op->results[0].type;
  og_mlir_attr transpose = og_mlir_find(op, "transpose"), vnni = og_mlir_find(op, "vnni_axis"),
               unit = og_mlir_find(op, "transpose_bit_width"), array = field(t, "array_length");
  uint32_t bits = og_mlir_bits(t->parts[0]), rank = t->int_count;
  int64_t factor = bits && bits < 32 ? 32 / bits : 1, shape[4] = {0};
  if (!check_descriptor(v, op, false) || !check_hints(v, op, false))
    return false;
  if (vnni && transpose)
    return og_mlir_wrong(v, op, "VNNI transformation and transpose can not be combined (RFC: load_nd)");
  if (vnni && (factor == 1 || rank != 2))
    return og_mlir_wrong(v, op, "vnni_axis is for two-dimensional tiles of low-precision types (RFC: load_nd)");
  if (vnni && (vnni->ints[0] < 0 || vnni->ints[0] > 1))
    return og_mlir_wrong(v, op, "vnni_axis must be 0 or 1 (RFC: load_nd)");
  if (unit && (!is_vc(op) || !transpose))
    return og_mlir_wrong(v, op,
                         !is_vc(op) ? "transpose_bit_width is vc mode only (RFC: load_nd)"
                                    : "transpose_bit_width needs transpose (RFC: load_nd)");
  if (transpose && (rank != 2 || transpose->int_count != 2 || transpose->ints[0] != 1 || transpose->ints[1] != 0))
    return og_mlir_wrong(v, op, "transpose must be [1, 0] of a 2D tensor_desc (RFC: load_nd)");
  memcpy(shape, t->ints, rank * sizeof *shape);
  if (vnni && shape[vnni->ints[0]] % factor)
    return og_mlir_wrong(v, op, "dimension %lld must be divisible by the VNNI factor %lld (RFC: load_nd)",
                         (long long)vnni->ints[0], (long long)factor);
  if (t->parts[2] && vnni && vnni->ints[0] == 0 && og_mlir_field(t->parts[2], "wi_data")->ints[0] != factor)
    return og_mlir_wrong(v, op,
                         "the wi_data size along the vnni_axis must match with the size required to pack the data into "
                         "32 bits, %lld (RFC: load_nd)",
                         (long long)factor);
  int64_t group = unit ? unit->ints[0] / (bits ? bits : 1) : 1;
  if (unit && (group < 1 || unit->ints[0] % bits || shape[1] % group))
    return og_mlir_wrong(
        v, op, "transpose_bit_width must be a multiple of the element's size that divides a row (RFC: load_nd)");
  if (transpose) {
    int64_t rows = shape[0];
    shape[0] = shape[1] / group;
    shape[1] = rows * group;
  }
  if (vnni) {
    shape[vnni->ints[0]] /= factor;
    shape[rank++] = factor;
  }
  if (array && array->ints[0] > 1 && rank < 4) {
    memmove(shape + 1, shape, rank++ * sizeof *shape);
    shape[0] = array->ints[0];
  }
  if (t->parts[2]) {
    int64_t own[2];
    share_of(t, own);
    if (value->kind == OG_MLIR_VECTOR && og_mlir_elements(value) == own[0] * own[1])
      return true;
  }
  return check_result(v, op, value, shape, rank, "load_nd");
}

static bool check_store_nd(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type t = descriptor(op), value = operand_type(op, "value");
  if (!check_descriptor(v, op, false) || !check_hints(v, op, true))
    return false;
  if (t->parts[2]) {
    int64_t own[2];
    share_of(t, own);
    if (value->kind == OG_MLIR_VECTOR && og_mlir_elements(value) == own[0] * own[1])
      return true;
  }
  return check_result(v, op, value, t->ints, t->int_count, "store_nd");
}

static bool check_dpas(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type a = op->operands[0]->type, b = op->operands[1]->type, d = op->results[0].type;
  uint32_t bits = og_mlir_bits(a->parts[0]);
  int64_t factor = bits && bits < 32 ? 32 / bits : 1;
  bool is_int = a->parts[0]->kind == OG_MLIR_INTEGER;
  if (op->operand_count > 2 && op->operands[2]->type != d)
    return og_mlir_wrong(v, op,
                         "Accumulator and Result for dpas op should have the same type (both shape and element type).");
  if (bits > 32 || (is_int && bits > 8))
    return og_mlir_wrong(v, op, "no target multiplies matrices of '%s' (RFC: dpas)", og_mlir_words(v, a->parts[0]));
  if (is_int != (d->parts[0]->kind == OG_MLIR_INTEGER))
    return og_mlir_wrong(v, op, "the result's element type '%s' does not go with '%s' (RFC: dpas)",
                         og_mlir_words(v, d->parts[0]), og_mlir_words(v, a->parts[0]));
  if (!is_vc(op)) /* fragments, whose matrix follows from the loads */
    return true;
  uint32_t rank = factor > 1 ? 3 : 2;
  if (a->int_count != rank || b->int_count != rank)
    return og_mlir_wrong(v, op, "operands of %u-bit elements must be %uD vectors (RFC: dpas)", bits, rank);
  if (rank == 3 && (a->ints[2] != factor || b->ints[2] != factor))
    return og_mlir_wrong(v, op, "the third dimension must hold %lld elements, which fit 32 bits (RFC: dpas)",
                         (long long)factor);
  if (a->ints[1] != b->ints[0])
    return og_mlir_wrong(v, op, "K-dimension mismatch.");
  if (a->ints[0] != d->ints[0])
    return og_mlir_wrong(v, op, "M-dimension mismatch.");
  if (b->ints[1] != d->ints[1])
    return og_mlir_wrong(v, op, "N-dimension mismatch.");
  if (a->ints[0] > 8 || a->ints[1] != 8 || (d->ints[1] != 16 && d->ints[1] != 8))
    return og_mlir_wrong(v, op,
                         "the sizes must be the instruction's: M up to 8, K of 8 x 32 bits, N of 16 or 8, but are "
                         "%lldx%lldx%lld (RFC: dpas)",
                         (long long)d->ints[0], (long long)d->ints[1], (long long)(a->ints[1] * factor));
  return true;
}

/* ---- scattered operations ---------------------------------------------------------------------------------------- */

static bool check_lanes(struct og_mlir_verifier *v, const struct og_mlir_op *op, int64_t lanes) {
  return (lanes >= 1 && lanes <= 32 && !(lanes & (lanes - 1))) ||
         og_mlir_wrong(v, op, "the number of work items can be 1, 2, 4, 8, 16, 32, but is %lld (RFC: create_tdesc)",
                       (long long)lanes);
}

static bool check_create(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type t = op->results[0].type, offsets = operand_type(op, "offsets");
  og_mlir_attr given = og_mlir_find(op, "chunk_size_per_lane");
  given = given ? given : field(t, "chunk_size_per_lane");
  int64_t chunk = given ? given->ints[0] : 1, lanes = offsets->kind == OG_MLIR_VECTOR ? og_mlir_elements(offsets) : 1;
  if (!must_be_vc(v, op) || !check_descriptor(v, op, true) || !check_lanes(v, op, lanes))
    return false;
  if (chunk != 1 && chunk != 2 && chunk != 3 && chunk != 4 && chunk != 8)
    return og_mlir_wrong(v, op, "chunk_size_per_lane can be 1, 2, 3, 4, 8, but is %lld (RFC: create_tdesc)",
                         (long long)chunk);
  int64_t shape[2] = {lanes, chunk};
  uint32_t rank = chunk > 1 ? 2 : 1;
  return (t->int_count == rank && memcmp(t->ints, shape, rank * sizeof *shape) == 0) ||
         og_mlir_wrong(v, op, "Incorrect TensorDesc shape. Expected is %s", og_mlir_shape_words(v, shape, rank));
}

static bool check_mask(struct og_mlir_verifier *v, const struct og_mlir_op *op, og_mlir_type t) {
  og_mlir_type mask = operand_type(op, "mask");
  int64_t lanes = mask->kind == OG_MLIR_VECTOR ? mask->ints[0] : 1;
  if ((mask->kind == OG_MLIR_VECTOR && mask->int_count != 1) || lanes != t->ints[0])
    return og_mlir_wrong(
        v, op, "the mask applies to the first dimension, which has %lld lanes, but is '%s' (RFC: load_gather)",
        (long long)t->ints[0], og_mlir_words(v, mask));
  return true;
}

static bool check_gather(struct og_mlir_verifier *v, const struct og_mlir_op *op, og_mlir_type value, bool write) {
  og_mlir_type t = descriptor(op);
  og_mlir_attr transpose = og_mlir_find(op, "transpose");
  if (!must_be_vc(v, op) || !check_descriptor(v, op, true) || !check_hints(v, op, write) || !check_mask(v, op, t))
    return false;
  if (t->int_count == 1)
    return transpose ? og_mlir_wrong(v, op, "transpose needs a chunk dimension (RFC: load_gather)")
                     : check_result(v, op, value, t->ints, 1, "load_gather");
  if (transpose && (transpose->int_count != 2 || transpose->ints[0] != 1 || transpose->ints[1] != 0))
    return og_mlir_wrong(v, op, "transpose must be [1, 0] (RFC: load_gather)");
  int64_t turned[2] = {t->ints[1], t->ints[0]};
  return check_result(v, op, value, transpose ? turned : t->ints, 2, "load_gather");
}

/* ---- barriers, fences -------------------------------------------------------------------------------------------- */

static const int64_t *constant_of(const struct og_mlir_value *value) {
  og_mlir_attr attr = value->op && value->op->row->id == OG_MLIR_OP_CONSTANT ? og_mlir_find(value->op, "value") : NULL;
  return attr && attr->kind == OG_MLIR_INT ? attr->ints : NULL;
}

static bool check_barrier(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  const int64_t *id = constant_of(op->operands[0]),
                *count = op->operand_count > 1 ? constant_of(op->operands[1]) : NULL;
  bool alloc = op->row->id == OG_MLIR_OP_ALLOC_NBARRIER;
  if (id && (*id < 0 || *id > 31 + alloc))
    return og_mlir_wrong(v, op,
                         alloc
                             ? "a work-group has up to 32 named barriers, but %lld are asked for (RFC: alloc_nbarrier)"
                             : "barrier ids go from 0 to 31, but this is %lld (RFC: init_nbarrier)",
                         (long long)*id);
  return !count || *count > 0 ||
         og_mlir_wrong(v, op, "the number of participants must be positive (RFC: init_nbarrier)");
}

static bool check_word(struct og_mlir_verifier *v, const struct og_mlir_op *op, const char *name, const char *a,
                       const char *b, const char *c) {
  og_mlir_attr attr = og_mlir_find(op, name);
  if (!attr)
    return true;
  bool fine = attr->kind == OG_MLIR_ENUM || attr->kind == OG_MLIR_STRING;
  fine = fine && (og_text_is(attr->text, a) || og_text_is(attr->text, b) || og_text_is(attr->text, c));
  return fine || og_mlir_wrong(v, op, "%s must be %s or %s (RFC: %s)", name, a, b, op->row->name + 6);
}

bool og_mlir_verify_rfc(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_attr mode = og_mlir_find(op, "mode");
  if (mode && !og_text_is(mode->text, "vc") && !og_text_is(mode->text, "simt"))
    return og_mlir_wrong(v, op, "mode must be simt or vc (RFC: mode)");
  switch (op->row->id) {
  case OG_MLIR_OP_CREATE_ND: return check_create_nd(v, op);
  case OG_MLIR_OP_LOAD_ND: return check_load_nd(v, op);
  case OG_MLIR_OP_STORE_ND: return check_store_nd(v, op);
  case OG_MLIR_OP_PREFETCH_ND: return check_descriptor(v, op, false) && check_hints(v, op, false);
  case OG_MLIR_OP_UPDATE_ND: {
    og_mlir_attr given = og_mlir_find(op, "const_offsets");
    uint32_t count = given ? given->int_count : op->segments[1], rank = descriptor(op)->int_count;
    return check_descriptor(v, op, false) && (count == rank || og_mlir_wrong(v, op, "Invalid number of offsets."));
  }
  case OG_MLIR_OP_CREATE: return check_create(v, op);
  case OG_MLIR_OP_PREFETCH: return must_be_vc(v, op) && check_descriptor(v, op, true) && check_hints(v, op, false);
  case OG_MLIR_OP_UPDATE: return must_be_vc(v, op) && check_descriptor(v, op, true);
  case OG_MLIR_OP_LOAD_GATHER: return check_gather(v, op, op->results[0].type, false);
  case OG_MLIR_OP_STORE_SCATTER: return check_gather(v, op, operand_type(op, "value"), true);
  case OG_MLIR_OP_ATOMIC:
    return must_be_vc(v, op) && check_descriptor(v, op, true) && check_mask(v, op, descriptor(op));
  case OG_MLIR_OP_DPAS: return check_dpas(v, op);
  case OG_MLIR_OP_ALLOC_NBARRIER:
  case OG_MLIR_OP_INIT_NBARRIER: return check_barrier(v, op);
  case OG_MLIR_OP_FENCE:
    return check_word(v, op, "memory_kind", "global", "shared", "slm") &&
           check_word(v, op, "scope", "workgroup", "gpu", "gpu");
  case OG_MLIR_OP_COMPILE_HINT:
    return check_word(v, op, "hint", "schedule_barrier", "scheduling_barrier", "schedule_barrier");
  default: return true;
  }
}
