/* amd_dpas.c - products of matrices by MFMA and WMMA; operands and sums go to the lanes that need them through LDS. */
#include "xegpu/lower/amd.h"
#include "xegpu/maps.h"

#include <string.h>

/* The instruction for a type: how many elements along k a lane has and all lanes have, and in which form. */
struct product {
  const char *name, *packed, *sum; /* types of an operand and of the sum */
  uint32_t own, depth, sums;
};

static bool pick(const struct og_xa *x, og_mlir_type element, struct product *p) {
  static const struct product mfma[] = {{"mfma.f32.16x16x16f16", "<4 x half>", "<4 x float>", 4, 16, 4},
                                        {"mfma.f32.16x16x16bf16.1k", "<4 x i16>", "<4 x float>", 4, 16, 4},
                                        {"mfma.i32.16x16x16i8", "i32", "<4 x i32>", 4, 16, 4},
                                        {"mfma.i32.16x16x32.i8", "i64", "<4 x i32>", 8, 32, 4},
                                        {"mfma.f32.16x16x4f32", "float", "<4 x float>", 1, 4, 4}};
  static const struct product wmma[] = {{"wmma.f32.16x16x16.f16.v8f32.v16f16", "<16 x half>", "<8 x float>", 16, 16, 8},
                                        {"wmma.f32.16x16x16.bf16.v8f32.v16i16", "<16 x i16>", "<8 x float>", 16, 16, 8},
                                        {"wmma.i32.16x16x16.iu8.v8i32.v4i32", "<4 x i32>", "<8 x i32>", 16, 16, 8}};
  switch (element->kind) {
  case OG_MLIR_F16: *p = x->wmma ? wmma[0] : mfma[0]; return true;
  case OG_MLIR_BF16: *p = x->wmma ? wmma[1] : mfma[1]; return true;
  case OG_MLIR_F32: /* the instruction multiplies all of its bits */
  case OG_MLIR_TF32: *p = mfma[4]; return !x->wmma;
  case OG_MLIR_INTEGER:
    *p = x->wmma ? wmma[2] : x->deep_int8 ? mfma[3] : mfma[2];
    return element->ints[0] == 8 && (x->wmma || element->ints[1] != OG_MLIR_UNSIGNED);
  default: return false;
  }
}

/* From k on, the elements of A's row or B's column lane % 16 that a lane needs. `packed`: B's VNNI factor; 0: A. */
static const char *operand(struct og_xa *x, const struct product *p, uint8_t type, const char *line, const char *k0,
                           uint32_t k, uint32_t rows, uint32_t columns, uint32_t packed) {
  const char *list = type == OG_XE_I8 ? og_xa_text(x, "<%u x i8>", p->own) : p->packed, *all = "undef", *value = NULL;
  for (uint32_t i = 0; i < p->own; i++) {
    const char *at = og_xa_emit(x, "add i32 %s, %u", k0, k + i), *index;
    if (!packed)
      index = og_xa_emit(x, "add i32 %s, %s", og_xa_emit(x, "mul i32 %s, %u", line, columns), at);
    else /* [k / f][column][k % f] */
      index =
          og_xa_emit(x, "add i32 %s, %s",
                     og_xa_emit(x, "mul i32 %s, %u", og_xa_emit(x, "udiv i32 %s, %u", at, packed), columns * packed),
                     og_xa_emit(x, "add i32 %s, %s", og_xa_emit(x, "mul i32 %s, %u", line, packed),
                                og_xa_emit(x, "urem i32 %s, %u", at, packed)));
    value = og_xa_fetch(x, type, index);
    if (!packed && rows < 16) { /* A's rows beyond the last are zero */
      const char *in = og_xa_emit(x, "icmp ult i32 %s, %u", line, rows);
      value = og_xa_emit(x, "select i1 %s, %s %s, %s zeroinitializer", in, og_xa_type(type), value, og_xa_type(type));
    }
    if (p->own > 1)
      all = og_xa_emit(x, "insertelement %s %s, %s %s, i32 %u", list, all, og_xa_type(type), value, i);
  }
  if (p->own == 1)
    return value;
  return strcmp(list, p->packed) == 0 ? all : og_xa_emit(x, "bitcast %s %s to %s", list, all, p->packed);
}

/* The number, in a 16 x n matrix, of the element of the sum that is in a lane's i-th place. */
static const char *sum_index(struct og_xa *x, uint32_t i, uint32_t n, uint32_t column) {
  const char *upper = og_xa_emit(x, "lshr i32 %%lane, 4"), *low = og_xa_emit(x, "and i32 %%lane, 15");
  const char *row = x->wmma ? og_xa_emit(x, "add i32 %s, %u", upper, 2 * i)
                            : og_xa_emit(x, "add i32 %s, %u", og_xa_emit(x, "shl i32 %s, 2", upper), i);
  return og_xa_emit(x, "add i32 %s, %s", og_xa_emit(x, "mul i32 %s, %u", row, n),
                    og_xa_emit(x, "add i32 %s, %u", low, column));
}

/* Writes a lane's fragment, an operand of dpas, to the places of the matrix's elements; and reads one from there. */
static bool spread(struct og_xa *x, struct og_mlir_op *op, uint32_t index, const struct og_xa_value *v, uint32_t rows,
                   uint32_t columns) {
  uint32_t each, *map = x->lanes ? og_mlir_dpas_map(x->arena, op, index, rows, columns, &each) : NULL;
  if (!x->lanes)
    return og_xa_spread(x, v), true;
  if (!map || each != v->count)
    return og_xa_refuse(x, op, "the lanes' fragments make no product of matrices");
  const char *table = og_xa_table(x, map, each * OG_MLIR_SUBGROUP),
             *first = og_xa_emit(x, "mul i32 %%lane16, %u", each);
  x->scratch = OG_MAX(x->scratch, rows * columns * og_xe_sizes[v->type]);
  og_xa_settle(x);
  for (uint32_t i = 0; i < each; i++)
    og_xa_put(x, v->type, og_xa_look_up(x, table, og_xa_emit(x, "add i32 %s, %u", first, i)), v->names[i]);
  og_xa_settle(x);
  return true;
}

/* A product of up to 16 rows from `row` on: A and the sum are read there, and the sum is written there. */
bool og_xa_dpas(struct og_xa *x, struct og_mlir_op *op) {
  og_mlir_type a = op->operands[0]->type, b = op->operands[1]->type, r = op->results[0].type;
  struct product p;
  uint32_t all = x->lanes ? OG_MLIR_SUBGROUP : 1, m = x->lanes ? og_mlir_count(r) : (uint32_t)r->ints[0],
           n = x->lanes            ? OG_MLIR_SUBGROUP
               : r->int_count == 2 ? (uint32_t)r->ints[1]
                                   : 0,
           k = og_mlir_count(a) * all / OG_MAX(m, 1u);
  if (!n || n % 16 || m > 16 || og_mlir_count(b) * all != k * n || m * k != og_mlir_count(a) * all ||
      !pick(x, a->parts[0], &p) || k % p.depth || x->lanes != og_mlir_is_of_lanes(op))
    return og_xa_refuse(x, op, "matrices of this type or size");
  struct og_xa_value va = *og_xa_elements(x, op->operands[0]), vb = *og_xa_elements(x, op->operands[1]),
                     v = og_xa_new(x, r);
  bool is_int = va.type == OG_XE_I8;
  uint8_t sum_type = is_int ? OG_XE_I32 : OG_XE_F32;
  uint32_t groups = k / p.depth, columns = n / 16, factor = b->int_count == 3 && !x->lanes ? (uint32_t)b->ints[2] : 1;
  const char *line = og_xa_emit(x, "and i32 %%lane, 15"),
             *k0 = x->wmma ? "0" : og_xa_emit(x, "mul i32 %s, %u", og_xa_emit(x, "lshr i32 %%lane, 4"), p.own);
  const char **left = OG_NEW_ARRAY(x->arena, const char *, groups),
             **right = OG_NEW_ARRAY(x->arena, const char *, groups *columns),
             **sums = OG_NEW_ARRAY(x->arena, const char *, columns);
  if (!spread(x, op, 0, &va, m, k))
    return false;
  x->scratch = OG_MAX(x->scratch, 16 * k * og_xe_sizes[va.type]); /* rows beyond the last are read, too */
  for (uint32_t g = 0; g < groups; g++)
    left[g] = operand(x, &p, va.type, line, k0, g * p.depth, m, k, 0);
  if (!spread(x, op, 1, &vb, k, n))
    return false;
  for (uint32_t c = 0; c < columns; c++)
    for (uint32_t g = 0; g < groups; g++)
      right[c * groups + g] =
          operand(x, &p, vb.type, og_xa_emit(x, "add i32 %s, %u", line, c * 16), k0, g * p.depth, k, n, factor);
  struct og_xa_value start = v;
  if (op->operand_count > 2) {
    start = *og_xa_elements(x, op->operands[2]);
    if (!spread(x, op, 2, &start, m, n))
      return false;
  }
  x->scratch = OG_MAX(x->scratch, 16 * n * 4);
  for (uint32_t c = 0; c < columns; c++) {
    sums[c] = "zeroinitializer";
    for (uint32_t i = 0; op->operand_count > 2 && i < p.sums; i++) {
      const char *value = og_xa_fetch(x, start.type, sum_index(x, i, n, c * 16));
      if (start.type != sum_type)
        value = og_xa_to_float(x, start.type, value);
      sums[c] = og_xa_emit(x, "insertelement %s %s, %s %s, i32 %u", p.sum, i ? sums[c] : "undef", og_xa_type(sum_type),
                           value, i);
    }
    for (uint32_t g = 0; g < groups; g++) {
      const char *arguments =
          x->wmma && is_int ? og_xa_text(x, "i1 %s, %s %s, i1 %s, %s %s, %s %s, i1 false",
                                         a->parts[0]->ints[1] == OG_MLIR_UNSIGNED ? "false" : "true", p.packed, left[g],
                                         b->parts[0]->ints[1] == OG_MLIR_UNSIGNED ? "false" : "true", p.packed,
                                         right[c * groups + g], p.sum, sums[c])
                            : og_xa_text(x, "%s %s, %s %s, %s %s%s", p.packed, left[g], p.packed, right[c * groups + g],
                                         p.sum, sums[c], x->wmma ? "" : ", i32 0, i32 0, i32 0");
      sums[c] = og_xa_emit(x, "call %s @llvm.amdgcn.%s(%s)", p.sum, p.name, arguments);
    }
  }
  og_xa_settle(x);
  for (uint32_t c = 0; c < columns; c++)
    for (uint32_t i = 0; i < p.sums; i++)
      og_xa_put(x, sum_type, sum_index(x, i, n, c * 16),
                og_xa_emit(x, "extractelement %s %s, i32 %u", p.sum, sums[c], i));
  og_xa_settle(x);
  for (uint32_t i = 0; i < v.parts; i++) {
    v.names[i] =
        og_xa_fetch(x, sum_type, x->lanes ? og_xa_emit(x, "add i32 %%lane16, %u", i * n) : og_xa_element(x, i));
    if (v.type != sum_type)
      v.names[i] = og_xa_from_float(x, v.type, v.names[i]);
  }
  og_xa_set(x, &op->results[0], v);
  return true;
}
