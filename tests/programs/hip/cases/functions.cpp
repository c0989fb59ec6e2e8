// What C++ brings: calls, recursion, function pointers, virtual functions, printf, clocks; halves and mathematics.
#include <cmath>
#include <hip/hip_fp16.h>
__device__ __attribute__((noinline)) int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void recurse(int *out) { out[threadIdx.x] = ackermann(2, threadIdx.x % 8); }
CASE(recursion_grows_the_stack) {
  on_device<int> out(64);
  recurse<<<1, 64>>>(out.data);
  std::vector<int> got = out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(got[i] == 2 * (i % 8) + 3);
}

struct shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~shape() {}
};
struct square : shape {
  float side;
  __device__ explicit square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct triangle : shape {
  float base, height;
  __device__ triangle(float b, float h) : base(b), height(h) {}
  __device__ float area() const override { return base * height / 2; }
};
__global__ void areas(float *out) {
  square s(threadIdx.x);
  triangle t(threadIdx.x, 3);
  const shape *one = threadIdx.x & 1 ? (const shape *)&s : &t;
  out[threadIdx.x] = one->area();
}
CASE(virtual_functions_are_found_per_lane) {
  on_device<float> out(64);
  areas<<<1, 64>>>(out.data);
  std::vector<float> got = out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(got[i] == (i & 1 ? (float)(i * i) : i * 1.5f));
}

__global__ void say(int n) {
  if (threadIdx.x < 3)
    printf("lane %d of %d says %s %.2f %c %llx\n", (int)threadIdx.x, n, "hello", threadIdx.x * 1.5, 'x', 0x123456789abcull);
}
CASE(printf_reaches_the_hosts_output) { // the test's driver reads what is printed
  say<<<1, 8>>>(8);
  GOOD(hipDeviceSynchronize());
}

__global__ void clocks(long long *out) {
  long long start = clock64();
  out[1] = (long long)__builtin_readcyclecounter();
  int x = 1;
  for (int i = 0; i < 100; i++)
    x = x * 3 + 1, __builtin_amdgcn_sched_barrier(0);
  out[2] = x;
  out[0] = clock64() - start;
}
CASE(clocks_advance) {
  on_device<long long> out(3);
  clocks<<<1, 1>>>(out.data);
  GOOD(hipDeviceSynchronize());
  EXPECT(out.read()[0] > 0);
}

__global__ void mathematics(const double *x, double *out, float *narrow, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *mine = out + 8 * i;
  mine[0] = sin(x[i]), mine[1] = exp(x[i]), mine[2] = log(fabs(x[i]) + 1), mine[3] = pow(fabs(x[i]), 1.3);
  mine[4] = erf(x[i]), mine[5] = tgamma(fabs(x[i]) + 0.5), mine[6] = cbrt(x[i]), mine[7] = atan2(x[i], 2.0);
  float f = (float)x[i], *small = narrow + 4 * i;
  small[0] = sinf(f), small[1] = expf(f), small[2] = f / 3.0f, small[3] = sqrtf(fabsf(f));
}
static bool near(double got, double want, double ulps) {
  return fabs(got - want) <= ulps * 2.3e-16 * fmax(fabs(want), 1e-300);
}
CASE(mathematics_are_the_hosts_within_ulps) {
  const int n = 300;
  std::vector<double> in(n);
  for (int i = 0; i < n; i++)
    in[i] = (i - 150) * 0.0973 + 0.001;
  on_device<double> x(in), out(8 * n);
  on_device<float> narrow(4 * n);
  mathematics<<<5, 64>>>(x.data, out.data, narrow.data, n);
  std::vector<double> got = out.read();
  std::vector<float> small = narrow.read();
  for (int i = 0; i < n; i++) {
    double v = in[i], *g = &got[8 * i];
    EXPECT(near(g[0], sin(v), 4) && near(g[1], exp(v), 4) && near(g[2], log(fabs(v) + 1), 4));
    EXPECT(near(g[3], pow(fabs(v), 1.3), 16) && near(g[4], erf(v), 16) && near(g[5], tgamma(fabs(v) + 0.5), 32));
    EXPECT(near(g[6], cbrt(v), 4) && near(g[7], atan2(v, 2.0), 8));
    float f = (float)v, *s = &small[4 * i];
    EXPECT(fabsf(s[0] - sinf(f)) <= 4e-7f && fabsf(s[1] - expf(f)) <= 4e-7f * expf(f));
    EXPECT(fabsf(s[2] - f / 3.0f) <= 4e-7f * fabsf(f) && fabsf(s[3] - sqrtf(fabsf(f))) <= 4e-7f * sqrtf(fabsf(f)));
  }
}

__global__ void halves(const __half *a, const __half *b, __half *out) {
  int i = threadIdx.x;
  out[3 * i] = __hadd(a[i], b[i]), out[3 * i + 1] = __hmul(a[i], b[i]), out[3 * i + 2] = __hfma(a[i], b[i], a[i]);
}
CASE(halves_round_once) {
  std::vector<__half> a(64), b(64);
  for (int i = 0; i < 64; i++)
    a[i] = __float2half(i * 0.25f), b[i] = __float2half(3.0f - i * 0.125f);
  on_device<__half> x(a), y(b), out(192);
  halves<<<1, 64>>>(x.data, y.data, out.data);
  std::vector<__half> got = out.read();
  for (int i = 0; i < 64; i++) {
    float p = i * 0.25f, q = 3.0f - i * 0.125f;
    EXPECT(__half2float(got[3 * i]) == __half2float(__float2half(p + q)));
    EXPECT(__half2float(got[3 * i + 1]) == __half2float(__float2half(p * q)));
    EXPECT(__half2float(got[3 * i + 2]) == __half2float(__float2half(p * q + p)));
  }
}

__global__ void private_arrays(int *out, int n) {
  int data[64];
  for (int i = 0; i < 64; i++)
    data[(i * 7 + threadIdx.x) % 64] = i;
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 31 + data[(i * i + threadIdx.x) % 64];
  out[threadIdx.x] = sum;
}
CASE(private_arrays_are_each_lanes_own) {
  on_device<int> out(256);
  private_arrays<<<1, 256>>>(out.data, 100);
  std::vector<int> got = out.read();
  for (int t = 0; t < 256; t++) {
    unsigned data[64], sum = 0;
    for (int i = 0; i < 64; i++)
      data[(i * 7 + t) % 64] = i;
    for (int i = 0; i < 100; i++)
      sum = sum * 31 + data[(i * i + t) % 64];
    EXPECT(got[t] == (int)sum);
  }
}
