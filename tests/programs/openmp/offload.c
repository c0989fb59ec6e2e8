// Teams, parallel loops, reductions, mapped arrays, device data and calls.
#include <math.h>
#include <stdio.h>

enum { N = 1000 };

#pragma omp declare target
static int table[4] = {1, 2, 3, 4};
__attribute__((noinline)) static int pick(int i) { return table[i & 3] * i; }
#pragma omp end declare target

int main(void) {
  static int in[N], out[N];
  static double roots[N];
  double sum = 0;
  for (int i = 0; i < N; i++)
    in[i] = i;
#pragma omp target teams distribute parallel for map(to : in) map(from : out)
  for (int i = 0; i < N; i++)
    out[i] = pick(in[i]) / (i + 1);
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : in) map(from : roots)
  for (int i = 0; i < N; i++) {
    roots[i] = sqrt(in[i]);
    sum += roots[i];
  }
  printf("%d %g\n", out[N - 1], sum);
  return 0;
}
