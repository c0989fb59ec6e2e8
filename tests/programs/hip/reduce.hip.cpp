// Templates, LDS of fixed and of dynamic size, barriers, shuffles, cooperative loops.
#include <hip/hip_runtime.h>

extern "C" __global__ void nothing() {}

template <typename T, int Size> __global__ void __launch_bounds__(Size) reduce(const T *in, T *out, int n) {
  __shared__ T part[Size];
  T sum = 0;
  for (int i = blockIdx.x * Size + threadIdx.x; i < n; i += gridDim.x * Size)
    sum += in[i];
  part[threadIdx.x] = sum;
  for (int step = Size / 2; step; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step)
      part[threadIdx.x] += part[threadIdx.x + step];
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

template <typename T> __global__ void scan(T *data) {
  extern __shared__ char memory[];
  T *shared = (T *)memory;
  T value = data[threadIdx.x];
  for (int step = 1; step < warpSize; step *= 2) {
    T other = __shfl_up(value, step);
    if (threadIdx.x % warpSize >= step)
      value += other;
  }
  shared[threadIdx.x] = value;
  __syncthreads();
  data[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

int main() {
  void *memory;
  if (hipMalloc(&memory, 1 << 16) != hipSuccess)
    return 1;
  reduce<int, 64><<<1, 64>>>((int *)memory, (int *)memory, 100);
  reduce<double, 256><<<2, 256>>>((double *)memory, (double *)memory, 100);
  scan<int><<<1, 128, 512>>>((int *)memory);
  scan<float><<<1, 128, 512>>>((float *)memory);
  nothing<<<1, 1>>>();
  return hipDeviceSynchronize() != hipSuccess;
}
