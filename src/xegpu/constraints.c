/* constraints.c - what operands' and results' types must be. */
#include "xegpu/table.h"

static bool is_signless(og_mlir_type t) { return t->kind == OG_MLIR_INTEGER && t->ints[1] == OG_MLIR_SIGNLESS; }

/* The element type of an elementwise operation's operand: a scalar, vector or tensor. */
static og_mlir_type like(og_mlir_type t) {
  return t->kind == OG_MLIR_VECTOR || t->kind == OG_MLIR_TENSOR ? t->parts[0] : t;
}

/* Upstream's XeGPU scalars: i1 i4 i8 … i64 in all signs, f16, f32, f64, bf16, tf32. */
static bool is_scalar(og_mlir_type t, bool nibbles) {
  if (t->kind >= OG_MLIR_F16 && t->kind <= OG_MLIR_F64)
    return true;
  if (t->kind != OG_MLIR_INTEGER)
    return false;
  int64_t w = t->ints[0];
  return w == 1 || w == 8 || w == 16 || w == 32 || w == 64 || (nibbles && w == 4 && is_signless(t));
}

static bool is_pointer(og_mlir_type t) {
  return t->kind == OG_MLIR_INTEGER && (t->ints[0] == 64 || t->ints[0] == 32) && t->ints[1] != OG_MLIR_SIGNED;
}

static bool is_vector_of(og_mlir_type t, uint32_t least, uint32_t most, bool nibbles) {
  return t->kind == OG_MLIR_VECTOR && t->int_count >= least && t->int_count <= most && is_scalar(t->parts[0], nibbles);
}

static bool is_fixed(og_mlir_type t) { return t->kind == OG_MLIR_VECTOR && !t->flags; }

static bool is_fixed_of(og_mlir_type t, enum og_mlir_kind kind, int64_t width) {
  return is_fixed(t) && t->int_count > 0 && t->parts[0]->kind == kind &&
         (kind != OG_MLIR_INTEGER || og_mlir_is_integer(t->parts[0], width));
}

static bool is_memref_of_scalars(og_mlir_type t, uint32_t least, uint32_t most, bool nibbles) {
  return t->kind == OG_MLIR_MEMREF && t->int_count >= least && t->int_count <= most && is_scalar(t->parts[0], nibbles);
}

static bool is_shared(og_mlir_type t) {
  og_mlir_attr space = t->kind == OG_MLIR_MEMREF ? t->parts[2] : NULL;
  if (!space)
    return false;
  if (space->kind == OG_MLIR_INT)
    return space->ints[0] == 3;
  return (space->kind == OG_MLIR_ENUM && og_text_is(space->text, "slm")) ||
         (space->kind == OG_MLIR_DIALECT_ATTR && og_text_is(space->text, "gpu.address_space<workgroup>"));
}

static bool is_plain(og_mlir_type t, uint8_t c) {
  switch (c) {
  case OG_MLIR_C_IntLike: return is_signless(like(t)) || like(t)->kind == OG_MLIR_INDEX;
  case OG_MLIR_C_FixedIntLike: return is_signless(like(t));
  case OG_MLIR_C_FloatLike: return og_mlir_is_float(like(t));
  case OG_MLIR_C_BoolLike: return is_signless(like(t)) && like(t)->ints[0] == 1;
  case OG_MLIR_C_IndexCastLike:
    t = t->kind == OG_MLIR_MEMREF ? t->parts[0] : like(t);
    return is_signless(t) || t->kind == OG_MLIR_INDEX;
  case OG_MLIR_C_BitcastLike:
    t = t->kind == OG_MLIR_MEMREF ? t->parts[0] : like(t);
    return is_signless(t) || og_mlir_is_float(t) || t->kind == OG_MLIR_INDEX;
  case OG_MLIR_C_IntOrFloat: return is_signless(t) || og_mlir_is_float(t);
  case OG_MLIR_C_VectorOrScalar:
    return is_signless(t) || og_mlir_is_float(t) ||
           (is_fixed(t) && t->int_count == 1 && (is_signless(t->parts[0]) || og_mlir_is_float(t->parts[0])));
  default: return true;
  }
}

static bool is_of_xegpu(og_mlir_type t, uint8_t c) {
  switch (c) {
  case OG_MLIR_C_NdBase: return is_memref_of_scalars(t, 1, OG_MLIR_RANK_MOST, true) || is_pointer(t);
  case OG_MLIR_C_NdBase19: return is_memref_of_scalars(t, 1, 2, false) || is_pointer(t);
  case OG_MLIR_C_ScatterBase: return is_memref_of_scalars(t, 1, 1, true) || is_pointer(t);
  case OG_MLIR_C_ScatterSource:
    return t->kind == OG_MLIR_TENSOR_DESC || is_memref_of_scalars(t, 1, 1, true) || is_pointer(t);
  case OG_MLIR_C_SharedMemRef:
    return is_memref_of_scalars(t, 1, 2, true) && is_shared(t) && og_mlir_elements(t) != OG_MLIR_DYNAMIC;
  case OG_MLIR_C_OffsetsOrIndex: return t->kind == OG_MLIR_INDEX || is_fixed_of(t, OG_MLIR_INDEX, 0);
  case OG_MLIR_C_Offsets: return is_fixed_of(t, OG_MLIR_INDEX, 0);
  case OG_MLIR_C_MaskOrI1: return og_mlir_is_integer(t, 1) || is_fixed_of(t, OG_MLIR_INTEGER, 1);
  case OG_MLIR_C_Mask: return is_fixed_of(t, OG_MLIR_INTEGER, 1);
  case OG_MLIR_C_Mask19:
    return og_mlir_is_integer(t, 1) ||
           (t->kind == OG_MLIR_VECTOR && t->int_count >= 1 && t->int_count <= 2 && og_mlir_is_integer(t->parts[0], 1));
  case OG_MLIR_C_Value: return is_fixed(t) && is_vector_of(t, 1, OG_MLIR_RANK_MOST, true);
  case OG_MLIR_C_ValueOrScalar:
    return is_scalar(t, true) || (is_fixed(t) && is_vector_of(t, 1, OG_MLIR_RANK_MOST, true));
  case OG_MLIR_C_Value19: return is_scalar(t, false) || is_vector_of(t, 1, 4, false);
  case OG_MLIR_C_Dpas: return is_fixed(t) && is_vector_of(t, 1, 3, true);
  case OG_MLIR_C_DpasResult: return is_fixed(t) && is_vector_of(t, 1, 2, true);
  case OG_MLIR_C_Dpas19: return is_vector_of(t, 2, 3, false);
  case OG_MLIR_C_Vector2D: return is_vector_of(t, 2, 2, false);
  default: return true;
  }
}

bool og_mlir_satisfies(og_mlir_type t, uint8_t c) {
  switch (c) {
  case OG_MLIR_C_Index: return t->kind == OG_MLIR_INDEX;
  case OG_MLIR_C_I1: return og_mlir_is_integer(t, 1) && is_signless(t);
  case OG_MLIR_C_I8: return og_mlir_is_integer(t, 8) && is_signless(t);
  case OG_MLIR_C_I32: return og_mlir_is_integer(t, 32) && is_signless(t);
  case OG_MLIR_C_I64: return og_mlir_is_integer(t, 64) && is_signless(t);
  case OG_MLIR_C_LaunchIndex:
    return t->kind == OG_MLIR_INDEX || (is_signless(t) && (t->ints[0] == 32 || t->ints[0] == 64));
  case OG_MLIR_C_SignlessInt: return is_signless(t);
  case OG_MLIR_C_AnyInt: return t->kind == OG_MLIR_INTEGER;
  case OG_MLIR_C_MemRef: return t->kind == OG_MLIR_MEMREF;
  case OG_MLIR_C_UnrankedMemRef: return t->kind == OG_MLIR_UNRANKED_MEMREF;
  case OG_MLIR_C_AnyMemRef: return t->kind == OG_MLIR_MEMREF || t->kind == OG_MLIR_UNRANKED_MEMREF;
  case OG_MLIR_C_Vector: return t->kind == OG_MLIR_VECTOR;
  case OG_MLIR_C_MaskVector: return t->kind == OG_MLIR_VECTOR && og_mlir_is_integer(t->parts[0], 1);
  case OG_MLIR_C_AsyncToken: return t->kind == OG_MLIR_DIALECT_TYPE && og_text_is(t->text, "gpu.async.token");
  case OG_MLIR_C_TensorDesc: return t->kind == OG_MLIR_TENSOR_DESC;
  case OG_MLIR_C_MemDesc: return t->kind == OG_MLIR_MEM_DESC;
  case OG_MLIR_C_Nbarrier: return t->kind == OG_MLIR_NBARRIER;
  default: return is_plain(t, c) && is_of_xegpu(t, c);
  }
}
