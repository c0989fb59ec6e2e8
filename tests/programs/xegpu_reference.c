/* xegpu_reference.c - what xegpu.py's kernels should compute, in doubles: loops as a textbook has them. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* c (m x n) = a (m x k) by b (k x n); of whole numbers exact. */
void matmul(const double *a, const double *b, double *c, long m, long n, long k) {
  for (long i = 0; i < m * n; i++)
    c[i] = 0;
  for (long i = 0; i < m; i++)
    for (long q = 0; q < k; q++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * k + q] * b[q * n + j];
}

/* Of each row of a (m x n). */
void softmax(const double *a, double *c, long m, long n) {
  for (long i = 0; i < m; i++) {
    double most = -INFINITY, sum = 0;
    for (long j = 0; j < n; j++)
      most = fmax(most, a[i * n + j]);
    for (long j = 0; j < n; j++)
      sum += c[i * n + j] = exp(a[i * n + j] - most);
    for (long j = 0; j < n; j++)
      c[i * n + j] /= sum;
  }
}

/* The sums of a's columns, the largest of each of its rows, the sum of all (m x n). */
void reduction(const double *a, double *columns, double *largest, double *all, long m, long n) {
  *all = 0;
  for (long j = 0; j < n; j++)
    columns[j] = 0;
  for (long i = 0; i < m; i++) {
    largest[i] = -INFINITY;
    for (long j = 0; j < n; j++) {
      columns[j] += a[i * n + j];
      largest[i] = fmax(largest[i], a[i * n + j]);
      *all += a[i * n + j];
    }
  }
}

/* softmax(q k') v: m queries, n keys and values, each of `depth` numbers. */
void attention(const double *q, const double *k, const double *v, double *o, long m, long n, long depth) {
  double *turned = malloc(sizeof *turned * (size_t)(n * depth)), *scores = malloc(sizeof *scores * (size_t)(m * n));
  for (long j = 0; j < n; j++)
    for (long d = 0; d < depth; d++)
      turned[d * n + j] = k[j * depth + d];
  matmul(q, turned, scores, m, n, depth);
  softmax(scores, scores, m, n);
  matmul(scores, v, o, m, depth, n);
  free(turned);
  free(scores);
}

static inline float of_bf16(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

/* What a run's time is held against: n x n matrices of bfloats, in blocks of 64. */
void blocked(const uint16_t *restrict a, const uint16_t *restrict b, float *restrict c, long n) {
  enum { BLOCK = 64 };
  memset(c, 0, sizeof *c * (size_t)(n * n));
  for (long ii = 0; ii < n; ii += BLOCK)
    for (long qq = 0; qq < n; qq += BLOCK)
      for (long jj = 0; jj < n; jj += BLOCK)
        for (long i = ii; i < ii + BLOCK; i++)
          for (long q = qq; q < qq + BLOCK; q++)
            for (long j = jj; j < jj + BLOCK; j++)
              c[i * n + j] += of_bf16(a[i * n + q]) * of_bf16(b[q * n + j]);
}
