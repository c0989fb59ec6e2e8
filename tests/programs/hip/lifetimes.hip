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

struct table {
  int of[64];
};
__global__ void pick(int *to, table from, int step) { to[threadIdx.x] = from.of[threadIdx.x * step]; }

__global__ void meet_who_stay(int *to, unsigned n) {
  if (threadIdx.x >= n)
    return;
  __syncthreads();
  to[threadIdx.x] = threadIdx.x;
}
__global__ void meet_some(int *to, unsigned n) {
  if (threadIdx.x < n)
    __syncthreads();
  to[threadIdx.x] = threadIdx.x;
}

/* Waves of 32 and of 64: whole waves part. */
__global__ void meet_waves_who_stay(int *to, unsigned n) {
  __shared__ int number;
  if (threadIdx.x >= n)
    return;
  if (threadIdx.x == 0)
    number = 7;
  __syncthreads();
  to[threadIdx.x] = number;
}
__global__ void meet_some_waves(int *to, unsigned n) {
  if (threadIdx.x < n)
    __syncthreads();
  ((char *)to)[threadIdx.x] = 1;
}

__global__ void turn(int *to, int *by, int sync) {
  by[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (sync)
    cooperative_groups::this_grid().sync();
  int other = by[(1 - blockIdx.x) * 64 + threadIdx.x];
  if (blockIdx.x == 0)
    to[threadIdx.x] = other;
}

// Two streams that nothing but an event orders, and the host's copies.
static int use_streams(bool waits, bool host_waits) {
  int *a, *other, host[64];
  hipStream_t streams[2];
  hipEvent_t event;
  if (hipMalloc(&a, 256) || hipMalloc(&other, 256) || hipEventCreate(&event))
    return 1;
  (void)hipMemset(a, 0, 256), (void)hipMemset(other, 0, 256); // whichever stream comes first finds something
  (void)hipDeviceSynchronize();
  for (hipStream_t &stream : streams)
    (void)hipStreamCreateWithFlags(&stream, hipStreamNonBlocking);
  fill<<<1, 64, 0, streams[0]>>>(a);
  (void)hipEventRecord(event, streams[0]);
  if (waits)
    (void)hipStreamWaitEvent(streams[1], event, 0);
  if (host_waits) {
    fill<<<1, 64, 0, streams[1]>>>(other);
    add<<<1, 64, 0, streams[1]>>>(a, other);
    (void)hipStreamSynchronize(streams[1]);
  }
  (void)hipMemcpyAsync(host, a, 256, hipMemcpyDeviceToHost, streams[1]);
  (void)hipDeviceSynchronize();
  printf("ran\n");
  return 0;
}

int main(int, char **argv) {
  auto is = [&](const char *name) { return !strcmp(argv[1], name); };
  if (!strncmp(argv[1], "streams", 7))
    return use_streams(!strstr(argv[1], "unordered"), strstr(argv[1], "kernel") != nullptr);
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
  } else if (is("returned"))
    meet_who_stay<<<1, 64>>>(a, 32);
  else if (is("some_meet"))
    meet_some<<<1, 64>>>(a, 32);
  else if (is("waves_returned"))
    meet_waves_who_stay<<<1, 256>>>(a, 64);
  else if (is("some_waves_meet"))
    meet_some_waves<<<1, 256>>>(a, 64);
  else if (is("arguments") || is("arguments_behind"))
    pick<<<1, 64>>>(a, table{}, is("arguments") ? 1 : 5);
  else if (is("fresh_branch"))
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
