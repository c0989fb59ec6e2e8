// Needs no headers of HIP: for compilers newer than the installed ones.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
struct dim3 {
  unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, unsigned long shared, void *stream);

__device__ int total;
extern "C" __global__ void nothing() {}
extern "C" __global__ void add(int *data, int n) {
  __shared__ int turned[64];
  int item = __builtin_amdgcn_workitem_id_x(), i = __builtin_amdgcn_workgroup_id_x() * 64 + item;
  turned[63 - item] = i < n ? data[i] : 0;
  __builtin_amdgcn_s_barrier();
  if (i < n)
    data[i] = turned[item] + __atomic_fetch_add(&total, n, __ATOMIC_RELAXED);
}
