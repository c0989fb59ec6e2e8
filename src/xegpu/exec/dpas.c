/* dpas.c - products of tiles: of whole ones, or of the fragments that a subgroup's lanes have. */
#include "xegpu/exec/exec.h"
#include "xegpu/maps.h"

#include <string.h>

struct dpas {
  uint32_t m, n, k;
  uint8_t in, out;
  bool b_packed, in_unsigned, is_int, short_fraction; /* short_fraction: tf32, of which 10 bits count */
  bool b_is_rows;                                     /* B is a plain k x n */
  uint32_t factor;
  const uint32_t *a_map, *b_map, *c_map; /* by lane and element: its place in the matrix; or NULL */
  uint32_t a_each, b_each, c_each;
};
enum { DPAS_MOST = 128 };

/* c += a b; each sum goes in the order of k, and every step is rounded. */
static void multiply(float *restrict c, const float *restrict a, const float *restrict b, uint32_t m, uint32_t n,
                     uint32_t k) {
  for (uint32_t r = 0; r < m; r++)
    for (uint32_t s = 0; s < k; s++) {
      float x = a[r * k + s];
      for (uint32_t q = 0; q < n; q++)
        c[r * n + q] += x * b[s * n + q];
    }
}

static void multiply_ints(int32_t *c, const uint8_t *a, const uint8_t *b, const struct dpas *x) {
  for (uint32_t r = 0; r < x->m; r++)
    for (uint32_t q = 0; q < x->n; q++) {
      uint32_t sum = (uint32_t)c[r * x->n + q];
      for (uint32_t s = 0; s < x->k; s++) {
        int32_t p = x->in_unsigned ? a[r * x->k + s] : (int8_t)a[r * x->k + s];
        int32_t w = x->in_unsigned ? b[s * x->n + q] : (int8_t)b[s * x->n + q];
        sum += (uint32_t)(p * w);
      }
      c[r * x->n + q] = (int32_t)sum;
    }
}

typedef float four __attribute__((vector_size(16)));

/* The same for the instruction's own width: two rows at a time, so that sums stay in registers. */
static void multiply_16(float *restrict c, const float *restrict a, const float *restrict b, uint32_t m, uint32_t k) {
  for (uint32_t r = 0; r < m; r += 2) {
    uint32_t second = r + 1 < m ? r + 1 : r;
    const float *p = a + r * k, *q = a + second * k;
    four x[4], y[4], row[4];
    memcpy(x, c + r * 16, sizeof x);
    memcpy(y, c + second * 16, sizeof y);
    four x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], y0 = y[0], y1 = y[1], y2 = y[2], y3 = y[3];
    for (uint32_t s = 0; s < k; s++) {
      memcpy(row, b + s * 16, sizeof row);
      x0 += p[s] * row[0], x1 += p[s] * row[1], x2 += p[s] * row[2], x3 += p[s] * row[3];
      y0 += q[s] * row[0], y1 += q[s] * row[1], y2 += q[s] * row[2], y3 += q[s] * row[3];
    }
    memcpy(c + r * 16, (four[4]){x0, x1, x2, x3}, sizeof x);
    memcpy(c + second * 16, (four[4]){y0, y1, y2, y3}, sizeof y);
  }
}

/* B from [k/f][n][f] to [k][n]. */
static void unpack(uint8_t *restrict to, const uint8_t *restrict from, uint32_t size, const struct dpas *x) {
  for (uint32_t s = 0; s < x->k; s += x->factor)
    for (uint32_t q = 0; q < x->n; q++)
      for (uint32_t g = 0; g < x->factor; g++, from += size)
        memcpy(to + ((s + g) * x->n + q) * size, from, size);
}

/* Pairs of bfloats: rows s and s + 1 of B are interleaved. */
static void unpack_bfloats(float *restrict to, const uint8_t *from, uint32_t n, uint32_t k) {
  for (uint32_t s = 0; s < k; s += 2, from += n * 4, to += 2 * n) {
    uint32_t pairs[DPAS_MOST], rows[2][DPAS_MOST];
    memcpy(pairs, from, n * 4);
    for (uint32_t q = 0; q < n; q++) {
      rows[0][q] = pairs[q] << 16;
      rows[1][q] = pairs[q] & 0xffff0000;
    }
    memcpy(to, rows[0], n * 4);
    memcpy(to + n, rows[1], n * 4);
  }
}

/* tf32: hardware ignores all bits of the fraction after the first 10. */
static void cut(float *values, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    values[k] = og_float_of_bits(og_bits_of_float(values[k]) & ~0x1fffu);
}

static void compute(const struct dpas *x, const uint8_t *a, const uint8_t *b, const uint8_t *c, uint8_t *to) {
  uint32_t in = og_xe_sizes[x->in];
  uint8_t rows[DPAS_MOST * DPAS_MOST * 4];
  bool pairs = x->b_packed && x->in == OG_XE_BF16 && x->factor == 2;
  if (x->b_packed && !pairs) {
    unpack(rows, b, in, x);
    b = rows;
  }
  if (x->is_int) {
    int32_t sums[DPAS_MOST * DPAS_MOST];
    memset(sums, 0, (size_t)x->m * x->n * 4);
    if (c)
      memcpy(sums, c, (size_t)x->m * x->n * 4);
    multiply_ints(sums, a, b, x);
    memcpy(to, sums, (size_t)x->m * x->n * 4);
    return;
  }
  float fa[DPAS_MOST * DPAS_MOST], fb[DPAS_MOST * DPAS_MOST], fc[DPAS_MOST * DPAS_MOST];
  og_xe_to_floats(x->in, a, fa, x->m * x->k);
  if (pairs)
    unpack_bfloats(fb, b, x->n, x->k);
  else
    og_xe_to_floats(x->in, b, fb, x->k * x->n);
  if (x->short_fraction) {
    cut(fa, x->m * x->k);
    cut(fb, x->k * x->n);
  }
  if (c)
    og_xe_to_floats(x->out, c, fc, x->m * x->n);
  else
    memset(fc, 0, (size_t)x->m * x->n * 4);
  if (x->n == 16)
    multiply_16(fc, fa, fb, x->m, x->k);
  else
    multiply(fc, fa, fb, x->m, x->n, x->k);
  og_xe_from_floats(x->out, fc, to, x->m * x->n);
}

static const struct og_xe_inst *dpas(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  compute(i->data, f + i->a, f + i->b, i->c == UINT32_MAX ? NULL : f + i->c, f + i->to);
  return i + 1;
}

static void gather(uint8_t *to, const uint32_t *map, uint32_t each, uint32_t size, struct og_xe_thread *first,
                   uint32_t place) {
  for (uint32_t lane = 0; lane < OG_XE_SUBGROUP; lane++) {
    const uint8_t *from = first[lane].frames[first[lane].depth - 1].bytes + place;
    for (uint32_t k = 0; k < each; k++)
      memcpy(to + map[lane * each + k] * size, from + k * size, size);
  }
}

/* A subgroup's lanes come here one after the other; the last one computes for all. */
static const struct og_xe_inst *dpas_lanes(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)f;
  const struct dpas *x = i->data;
  struct og_xe_thread *first = t - t->lane;
  uint8_t a[DPAS_MOST * DPAS_MOST * 4], b[DPAS_MOST * DPAS_MOST * 4], c[DPAS_MOST * DPAS_MOST * 4];
  if (t->group->thread_count - first->index < OG_XE_SUBGROUP)
    return og_xe_fault(t, i, "the subgroup has fewer than %d lanes", OG_XE_SUBGROUP);
  t->frames[t->depth - 1].at = i;
  t->state = OG_XE_COLLECTING;
  for (uint32_t lane = 0; lane < OG_XE_SUBGROUP; lane++)
    if (first[lane].state != OG_XE_COLLECTING || first[lane].frames[first[lane].depth - 1].at != i)
      return NULL;
  uint32_t in = og_xe_sizes[x->in], out = og_xe_sizes[x->out];
  gather(a, x->a_map, x->a_each, in, first, i->a);
  gather(b, x->b_map, x->b_each, in, first, i->b);
  if (i->c != UINT32_MAX)
    gather(c, x->c_map, x->c_each, out, first, i->c);
  compute(x, a, b, i->c == UINT32_MAX ? NULL : c, c);
  for (uint32_t lane = 0; lane < OG_XE_SUBGROUP; lane++) {
    struct og_xe_frame *frame = &first[lane].frames[first[lane].depth - 1];
    for (uint32_t k = 0; k < x->c_each; k++)
      memcpy(frame->bytes + i->to + k * out, c + x->c_map[lane * x->c_each + k] * out, out);
    frame->at = i + 1;
    first[lane].state = OG_XE_READY;
  }
  return t->frames[t->depth - 1].at;
}

static bool decode_fragments(struct og_xe_decoder *d, struct og_mlir_op *op, struct dpas *x) {
  og_mlir_type a = op->operands[0]->type, b = op->operands[1]->type, r = op->results[0].type;
  x->n = OG_XE_SUBGROUP;
  x->m = (uint32_t)og_mlir_elements(r);
  x->k = (uint32_t)(og_mlir_elements(b) * OG_XE_SUBGROUP / x->n);
  if (x->m > DPAS_MOST || x->k > DPAS_MOST || x->k * x->m != (uint32_t)og_mlir_elements(a) * OG_XE_SUBGROUP)
    return og_xe_refuse(d, op, "the lanes' fragments make no product of matrices");
  x->a_map = og_mlir_dpas_map(d->m->arena, op, 0, x->m, x->k, &x->a_each);
  x->b_map = og_mlir_dpas_map(d->m->arena, op, 1, x->k, x->n, &x->b_each);
  x->c_map = og_mlir_dpas_map(d->m->arena, op, 2, x->m, x->n, &x->c_each);
  d->code->fragments = true;
  return (x->a_map && x->b_map && x->c_map) || og_xe_refuse(d, op, "the lanes' fragments make no product of matrices");
}

bool og_xe_decode_dpas(struct og_xe_decoder *d, struct og_mlir_op *op) {
  struct dpas *x = OG_NEW(d->m->arena, struct dpas);
  og_mlir_type a = op->operands[0]->type, b = op->operands[1]->type, r = op->results[0].type;
  int64_t depth;
  if (!og_xe_scalar(a, &x->in) || !og_xe_scalar(r, &x->out))
    return og_xe_refuse(d, op, "matrices of this type are not executed");
  x->is_int = x->in < OG_XE_F16;
  x->short_fraction = a->parts[0]->kind == OG_MLIR_TF32;
  x->in_unsigned = x->is_int && a->parts[0]->ints[1] == OG_MLIR_UNSIGNED;
  if ((x->is_int && (x->in != OG_XE_I8 || x->out != OG_XE_I32)) ||
      (!x->is_int && (x->out < OG_XE_F16 || x->in == OG_XE_F64 || x->out == OG_XE_F64)))
    return og_xe_refuse(d, op, "matrices of these types are not executed");
  bool lanes = og_mlir_is_of_lanes(op);
  if (lanes) {
    if (!decode_fragments(d, op, x))
      return false;
  } else {
    x->m = (uint32_t)r->ints[0], x->n = (uint32_t)r->ints[1];
    depth = og_mlir_elements(a) / OG_MAX(r->ints[0], 1);
    x->b_packed = b->int_count == 3;
    x->factor = x->b_packed ? (uint32_t)b->ints[2] : 1;
    x->k = (uint32_t)OG_MIN(depth, 1 << 20);
    if (x->m > DPAS_MOST || x->n > DPAS_MOST || x->k > DPAS_MOST || og_mlir_elements(b) != (int64_t)x->k * x->n)
      return og_xe_refuse(d, op, "the sizes make no product of matrices of up to 128 x 128");
  }
  struct og_xe_inst inst = {.run = lanes ? dpas_lanes : dpas, .op = op, .data = x, .c = UINT32_MAX};
  inst.a = og_xe_place(d, op->operands[0]);
  inst.b = og_xe_place(d, op->operands[1]);
  if (op->operand_count > 2)
    inst.c = og_xe_place(d, op->operands[2]);
  inst.to = og_xe_place(d, &op->results[0]);
  *og_xe_emit(d, op, inst.run) = inst;
  return true;
}
