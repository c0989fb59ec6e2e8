/* dpas.c - lowers products of tiles to vISA: instructions of up to 8 rows, 16 columns and the depth of a register, for
 * parts of larger matrices. */
#include "xegpu/lower/visa.h"
#include "xegpu/maps.h"

/* rows x columns elements from one on, of a matrix that is `pitch` wide, as a variable of their own. */
static struct og_xv_ref part_of(struct og_xv *x, struct og_xv_ref from, uint32_t first, uint32_t rows, uint32_t columns,
                                uint32_t pitch) {
  if (columns == pitch && first * og_xv_sizes[from.type] % OG_XV_GRF == 0 && first == 0)
    return from;
  struct og_xv_ref to = og_xv_new(x, from.type, rows * columns);
  for (uint32_t r = 0; r < rows; r++)
    og_xv_move(x, og_xv_at(to, r * columns), og_xv_at(from, first + r * pitch), columns);
  return to;
}

/* B as [k/f][n][f], from plain rows. */
static struct og_xv_ref interleaved(struct og_xv *x, struct og_xv_ref from, uint32_t k, uint32_t n, uint32_t factor) {
  struct og_xv_ref to = og_xv_new(x, from.type, k * n);
  uint32_t *map = OG_NEW_ARRAY(x->arena, uint32_t, k * n);
  for (uint32_t at = 0, r = 0; r < k; r += factor)
    for (uint32_t c = 0; c < n; c++)
      for (uint32_t g = 0; g < factor; g++)
        map[at++] = (r + g) * n + c;
  og_xv_permute(x, to, from, map, k * n);
  return to;
}

static const char *precision(og_mlir_type element) {
  switch (element->kind) {
  case OG_MLIR_F16: return "hf";
  case OG_MLIR_BF16: return "bf";
  case OG_MLIR_TF32: return "tf32";
  default: return element->ints[1] == OG_MLIR_UNSIGNED ? "u8" : "s8";
  }
}

/* A variable filled up to whole registers. */
static struct og_xv_ref padded(struct og_xv *x, struct og_xv_ref from, uint32_t count) {
  uint32_t all = (uint32_t)og_align_up(count * og_xv_sizes[from.type], OG_XV_GRF) / og_xv_sizes[from.type];
  struct og_xv_ref whole = og_xv_register(x, from, count);
  if (all == count)
    return whole;
  struct og_xv_ref to = og_xv_new(x, from.type, all);
  og_xv_move(x, to, whole, count);
  return to;
}

/* An operand as rows x columns elements in order, which it is already, or of which the lanes have fragments. */
static bool matrix_of(struct og_xv *x, struct og_mlir_op *op, uint32_t index, uint32_t rows, uint32_t columns,
                      struct og_xv_ref *to) {
  uint32_t each, *map;
  *to = og_xv_value(x, op->operands[index]);
  if (!x->lanes)
    return *to = og_xv_register(x, *to, rows * columns), true;
  map = og_mlir_dpas_map(x->arena, op, index, rows, columns, &each);
  if (!map || each * OG_XV_LANES != rows * columns)
    return og_xv_refuse(x, op, "the lanes' fragments make no product of matrices");
  *to = og_xv_collect(x, *to, map, each);
  return true;
}

bool og_xv_dpas(struct og_xv *x, struct og_mlir_op *op) {
  og_mlir_type a = op->operands[0]->type, b = op->operands[1]->type, r = op->results[0].type;
  if (a->parts[0]->kind == OG_MLIR_F32 || a->parts[0]->kind == OG_MLIR_F64)
    return og_xv_refuse(x, op, "the hardware multiplies matrices of f16, bf16, tf32 and 8-bit integers");
  if (a->kind != OG_MLIR_VECTOR || x->lanes != og_mlir_is_of_lanes(op) ||
      (!x->lanes && (r->int_count != 2 || r->ints[1] % 16)))
    return og_xv_refuse(x, op, "results that are not of 16 columns");
  /* with fragments a lane has a column of the result */
  uint32_t m = x->lanes ? og_mlir_count(r) : (uint32_t)r->ints[0],
           n = x->lanes ? OG_XV_LANES : (uint32_t)r->ints[1], k = og_xv_count(x, a) / OG_MAX(m, 1u);
  bool vnni = b->int_count == 3 && !x->lanes;
  struct og_xv_ref left = og_xv_value(x, op->operands[0]), right;
  uint32_t size = og_xv_sizes[left.type], factor = 4 / size, depth = 8 * factor;
  if (size > 4 || k % depth || og_xv_count(x, b) != k * n || m * k != og_xv_count(x, a) ||
      (vnni && b->ints[2] != factor))
    return og_xv_refuse(x, op, "sizes that are no multiples of what the instruction takes");
  bool is_int = left.type == OG_XV_B;
  if (!matrix_of(x, op, 0, m, k, &left) || !matrix_of(x, op, 1, k, n, &right))
    return false;
  if (!vnni && factor > 1)
    right = interleaved(x, right, k, n, factor);
  struct og_xv_ref result = og_xv_result(x, &op->results[0]), start = {0};
  bool has_start = op->operand_count > 2;
  if (has_start && !matrix_of(x, op, 2, m, n, &start))
    return false;
  bool narrow = result.type == OG_XV_HF || result.type == OG_XV_BF;
  /* sums are computed in f and rounded once at the end */
  uint8_t sum_type = is_int ? OG_XV_D : OG_XV_F;
  const char *names = precision(a->parts[0]), *weights = precision(b->parts[0]);
  for (uint32_t row = 0, rows; row < m; row += rows) {
    rows = OG_MIN(m - row, 8u);
    for (uint32_t column = 0; column < n; column += 16) {
      bool whole = n == 16 && m <= 8 && !narrow;
      struct og_xv_ref sum = whole ? result : og_xv_new(x, sum_type, rows * 16);
      const char *source = "%null.0";
      if (has_start) {
        struct og_xv_ref part = whole ? start : og_xv_new(x, sum_type, rows * 16);
        for (uint32_t q = 0; !whole && q < rows; q++)
          og_xv_move(x, og_xv_at(part, q * 16), og_xv_at(start, (row + q) * n + column), 16);
        source = og_arena_printf(x->arena, "V%u.0", part.variable);
      }
      for (uint32_t inner = 0; inner < k; inner += depth) {
        struct og_xv_ref activations = padded(x, part_of(x, left, row * k + inner, rows, depth, k), rows * depth),
                         matrix = part_of(x, right, inner * n + column * factor, 8, 16 * factor, n * factor);
        matrix = og_xv_view(x, matrix, OG_XV_UD), activations = og_xv_view(x, activations, OG_XV_UD);
        og_xv_line(x, "dpas.%s.%s.8.%u (M1_NM, 16) V%u.0 %s V%u.0 V%u(0,0)", weights, names, rows, sum.variable, source,
                   matrix.variable, activations.variable);
        source = og_arena_printf(x->arena, "V%u.0", sum.variable);
      }
      for (uint32_t q = 0; !whole && q < rows; q++)
        og_xv_move(x, og_xv_at(result, (row + q) * n + column), og_xv_at(sum, q * 16), 16);
    }
  }
  return true;
}
