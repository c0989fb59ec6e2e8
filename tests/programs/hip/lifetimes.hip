// Mistakes with memory's bounds and life, of which each run makes the one that its argument says.
#include <cstdio>
#include <cstring>
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h> // which needs the other one

__global__ void add(int *to, const int *from) { to[threadIdx.x] += from[threadIdx.x]; }
__global__ void choose(int *to, const int *from) {
  if (from[threadIdx.x] > 5)
    to[threadIdx.x] = 3;
}
__global__ void times(int *to, const int *by) { to[threadIdx.x] *= *by; }
__global__ void fill(int *to) { to[threadIdx.x] = threadIdx.x; }
__global__ void pass(char *to, const char *from) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void turn(int *to, int *by, int sync) {
  by[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (sync)
    cooperative_groups::this_grid().sync();
  int other = by[(1 - blockIdx.x) * 64 + threadIdx.x];
  if (blockIdx.x == 0)
    to[threadIdx.x] = other;
}

int main(int, char **argv) {
  auto is = [&](const char *name) { return !strcmp(argv[1], name); };
  int *a, *b, host[64] = {1, 2, 3};
  if (hipMalloc(&a, 256) || hipMalloc(&b, 256))
    return 1;
  fill<<<1, 64>>>(a);
  if (is("copied"))
    (void)hipMemcpy(b, host, sizeof host, hipMemcpyHostToDevice);
  else if (is("copied_on_device"))
    (void)hipMemcpy(b, a, 256, hipMemcpyDeviceToDevice);
  else if (is("set"))
    (void)hipMemset(b, 0, 256);
  else if (is("half"))
    (void)hipMemset(b, 0, 128);
  else if (!is("fresh") && !is("fresh_branch") && !is("fresh_bytes") && !is("fresh_scalar"))
    fill<<<1, 64>>>(b);
  (void)hipDeviceSynchronize();
  if (is("freed"))
    (void)hipFree(b);
  if (is("grid") || is("grid_without_sync")) {
    int sync = is("grid"), *to = nullptr, *by = nullptr;
    (void)hipMalloc(&to, 256), (void)hipMalloc(&by, 512), (void)hipMemset(by, 0, 512);
    void *arguments[] = {&to, &by, &sync};
    (void)hipLaunchCooperativeKernel((void *)turn, dim3(2), dim3(64), arguments, 0, 0);
  } else if (is("fresh_branch"))
    choose<<<1, 64>>>(a, b);
  else if (is("fresh_scalar") || is("scalar"))
    times<<<1, 64>>>(a, b);
  else if (is("fresh_bytes"))
    pass<<<1, 64>>>((char *)a, (const char *)b);
  else
    add<<<1, 64>>>(a, b + (is("behind") ? 16 : is("before") ? -64 : 0));
  (void)hipDeviceSynchronize();
  (void)hipMemcpy(host, a, 256, hipMemcpyDeviceToHost);
  printf("ran\n");
}
