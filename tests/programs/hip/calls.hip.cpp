// Calls that stay calls, recursion, function pointers, arrays in scratch with dynamic index, assert and printf.
#include <hip/hip_runtime.h>
#include <stdio.h>

extern "C" __global__ void nothing() {}

__device__ __attribute__((noinline)) int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __attribute__((noinline)) int twice(int x) { return 2 * x; }
__device__ __attribute__((noinline)) int thrice(int x) { return 3 * x; }
__device__ int (*const table[])(int) = {twice, thrice};

struct shape {
  int sides[24];
  __device__ virtual int area(int i) { return sides[i] * sides[(i + 1) % 24]; }
};
struct cube : shape {
  __device__ int area(int i) override { return 6 * shape::area(i); }
};

__global__ void dispatch(int *out, int n) {
  cube c;
  for (int i = 0; i < 24; i++)
    c.sides[i] = i * n;
  shape *s = &c;
  int i = threadIdx.x;
  out[i] = fibonacci(i % 8) + table[i & 1](i) + s->area(out[i] % 24);
}

__global__ void complain(int *out, int n) {
  if (out[threadIdx.x] < n)
    printf("item %d of %d\n", (int)threadIdx.x, n);
}

int main() {
  int *memory;
  if (hipMalloc(&memory, 4096) != hipSuccess)
    return 1;
  dispatch<<<1, 64>>>(memory, 3);
  complain<<<1, 64>>>(memory, 3);
  nothing<<<1, 1>>>();
  return hipDeviceSynchronize() != hipSuccess;
}
