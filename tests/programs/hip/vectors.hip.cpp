// Device globals, constants, atomics, math and half precision.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

__device__ unsigned long long calls;
__constant__ float weights[4] = {0.5f, 1.0f, 1.5f, 2.0f};

extern "C" __global__ void nothing() {}

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + weights[i & 3] * b[i];
    atomicAdd(&calls, 1ull);
  }
}

__global__ void functions(const double *in, double *out, float *narrow) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sin(in[i]) * exp(in[i]) + pow(in[i], 1.5);
  narrow[i] = sinf(narrow[i]) + sqrtf(narrow[i]) / narrow[i];
}

__global__ void halves(const __half2 *a, __half2 *b) { b[threadIdx.x] = __hfma2(a[threadIdx.x], b[threadIdx.x], a[0]); }

int main() {
  float *memory;
  if (hipMalloc(&memory, 4096) != hipSuccess)
    return 1;
  add<<<1, 64>>>(memory, memory, memory, 64);
  functions<<<1, 64>>>((double *)memory, (double *)memory, memory);
  halves<<<1, 64>>>((__half2 *)memory, (__half2 *)memory);
  nothing<<<1, 1>>>();
  return hipDeviceSynchronize() != hipSuccess;
}
