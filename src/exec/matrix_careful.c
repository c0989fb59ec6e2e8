/* matrix_careful.c - one element of a product of matrices, whatever its factors are: infinities, NaN, magnitudes so far
 * apart that vector code could not sum them exactly. */
#include <math.h>

#include "exec/lane.h"
#include "exec/matrix.h"

/* A sum of doubles that stays exact: parts that do not overlap, the smallest first (Shewchuk, "Adaptive Precision
 * Floating-Point Arithmetic", 1997). */
struct exact_sum {
  double part[OG_MATRIX_GROUP + 2];
  unsigned count;
};

static void add_exactly(struct exact_sum *sum, double x) {
  unsigned kept = 0;
  for (unsigned i = 0; i < sum->count; i++) {
    double y = sum->part[i], s = x + y, rest_y = s - x, error = (x - (s - rest_y)) + (y - rest_y);
    if (error != 0)
      sum->part[kept++] = error;
    x = s;
  }
  sum->part[kept++] = x;
  sum->count = kept;
}

/* With all that is below a double's last bit told by that bit, so that rounding once more is right. */
static double rounded_to_odd(const struct exact_sum *sum) {
  double top = 0, rest = 0;
  for (unsigned i = sum->count; i-- > 0 && rest == 0;) { /* the upper ones may be 0, or end above the next one */
    double y = sum->part[i], s = top + y, other = s - top;
    rest = (top - (s - other)) + (y - other);
    top = s;
  }
  uint64_t bits = bits_of_f64(top);
  if (rest == 0 || bits & 1 || top == 0)
    return top;
  return f64_of_bits((rest > 0) == (top > 0) ? bits + 1 : bits - 1);
}

/* The exponent of a factor; denormals have the smallest normal one. */
static int exponent_of(const struct og_matrix_side *m, float x) {
  return OG_MAX(ilogbf(x), m->least_exponent);
}

static float sum_truncated(const struct og_matrix_plan *plan, const float *a, const float *b, unsigned count, float c) {
  bool alternate = plan->sum == OG_SUM_ALTERNATE;
  double sums[2] = {0, 0};
  int tops[2] = {-1000, -1000};
  for (unsigned i = 0; i < count; i++) { /* a product of 0 counts as one of 2^-126 */
    int e = a[i] == 0 || b[i] == 0 ? -126 : exponent_of(&plan->a, a[i]) + exponent_of(&plan->b, b[i]);
    tops[i & alternate] = OG_MAX(tops[i & alternate], e);
  }
  for (unsigned i = 0; i < count; i++)
    sums[i & alternate] += trunc(ldexp((double)a[i] * b[i], 24 - tops[i & alternate]));
  int top = alternate ? OG_MAX(tops[0], tops[1]) : tops[0];
  double sum = sums[0];
  if (alternate)
    sum = trunc(ldexp(sums[0], tops[0] - top)) + trunc(ldexp(sums[1], tops[1] - top));
  int top_c = c == 0 ? -126 : OG_MAX(ilogbf(c), -126), all = OG_MAX(top, top_c);
  double products = ldexp(sum, 7 + top - all), other = ldexp((double)c, 24 - all);
  products = alternate ? trunc(products) : floor(products), other = alternate ? trunc(other) : floor(other);
  return (float)ldexp(products + 128 * other, all - 31);
}

static float sum_exact(const float *a, const float *b, unsigned count, double scale, float c) {
  struct exact_sum sum = {{0}, 1};
  for (unsigned i = 0; i < count; i++)
    add_exactly(&sum, (double)a[i] * b[i] * (scale == 0 ? 1 : scale));
  if (scale == 0) /* which has the products' sign */
    return (float)(rounded_to_odd(&sum) * scale + c);
  add_exactly(&sum, c);
  return (float)rounded_to_odd(&sum);
}

static float flush(float x) { return fabsf(x) < 0x1p-126f ? x * 0.0f : x; }

static float sum_pairwise(const float *a, const float *b, unsigned count, float c) {
  float p[4] = {0};
  for (unsigned i = 0; i < count; i++)
    p[i] = flush(a[i] * b[i]);
  float sum = flush(p[0] + p[1]);
  if (count == 4)
    sum = flush(sum + flush(p[2] + p[3]));
  return flush(c + sum);
}

/* In fixed point a product beyond f32 is infinite; what is summed exactly has no such bound. */
static bool is_special(const float *a, const float *b, unsigned count, bool fixed, double scale, float c,
                       float *result) {
  double sum = c;
  for (unsigned i = 0; i < count; i++) {
    double product = (double)a[i] * b[i];
    sum += (fixed ? (double)(float)product : product) * scale;
  }
  *result = (float)sum;
  return !isfinite(sum);
}

float og_matrix_careful(const struct og_matrix_plan *plan, const float *a, const float *b, unsigned depth,
                        const double *scale, float c) {
  for (unsigned i = 0; i < depth; i += plan->group) {
    unsigned count = OG_MIN((unsigned)plan->group, depth - i);
    double factor = scale ? scale[i / plan->group] : 1;
    bool fixed = plan->sum == OG_SUM_TRUNCATED || plan->sum == OG_SUM_ALTERNATE;
    float special;
    if (plan->sum == OG_SUM_FUSED)
      c = fmaf(a[i], b[i], c);
    else if (plan->sum == OG_SUM_PAIRWISE)
      c = sum_pairwise(a + i, b + i, count, c);
    else if (is_special(a + i, b + i, count, fixed, factor, c, &special))
      c = special;
    else if (fixed)
      c = sum_truncated(plan, a + i, b + i, count, c);
    else
      c = sum_exact(a + i, b + i, count, factor, c);
  }
  return c;
}
