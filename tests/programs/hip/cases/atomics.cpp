// Atomics: every operation in global memory and in LDS, at device and system scope.
__global__ void all_atomics(int *i, unsigned *u, float *f, double *d, unsigned long long *l) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&i[0], 1);
  atomicSub(&i[1], 2);
  atomicMin(&i[2], -at);
  atomicMax(&i[3], at);
  atomicAnd(&u[0], ~(1u << (at % 16)));
  atomicOr(&u[1], 1u << (at % 32));
  atomicXor(&u[2], 1u << (at % 31));
  atomicInc(&u[3], 99);
  atomicDec(&u[4], 99);
  atomicExch(&u[5], 123);
  atomicMax(&u[6], (unsigned)at + 0x80000000u);
  atomicAdd(&f[0], 0.5f);
  atomicAdd(&d[0], 0.25);
  atomicAdd(&l[0], 1ull << 33);
  atomicMax(&l[1], (unsigned long long)at << 40);
  atomicCAS(&l[2], 0ull, 5ull);
}

CASE(atomics_of_every_kind_add_up) {
  const int n = 1000;
  on_device<int> i(std::vector<int>(4, 0));
  on_device<unsigned> u(std::vector<unsigned>{~0u, 0, 0, 0, 0, 0, 0});
  on_device<float> f(std::vector<float>(1, 0));
  on_device<double> d(std::vector<double>(1, 0));
  on_device<unsigned long long> l(std::vector<unsigned long long>(3, 0));
  all_atomics<<<10, 100>>>(i.data, u.data, f.data, d.data, l.data);
  GOOD(hipDeviceSynchronize());
  std::vector<int> is = i.read();
  std::vector<unsigned> us = u.read();
  std::vector<unsigned long long> ls = l.read();
  EXPECT(is[0] == n && is[1] == -2 * n && is[2] == 1 - n && is[3] == n - 1);
  unsigned odd = 0;
  for (int at = 0; at < n; at++)
    odd ^= 1u << (at % 31);
  EXPECT(us[0] == 0xffff0000 && us[1] == ~0u && us[2] == odd);
  EXPECT(us[3] == n % 100 && us[4] == 0 && us[5] == 123 && us[6] == 0x80000000u + n - 1);
  EXPECT(f.read()[0] == 500 && d.read()[0] == 250);
  EXPECT(ls[0] == (unsigned long long)n << 33 && ls[1] == (unsigned long long)(n - 1) << 40 && ls[2] == 5);
}

__global__ void histogram(const unsigned char *data, int n, int *bins) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
CASE(a_histogram_in_lds_counts_all) {
  std::vector<unsigned char> in(100000);
  std::vector<int> want(256);
  for (size_t i = 0; i < in.size(); i++)
    want[in[i] = (unsigned char)(i * i >> 3)]++;
  on_device<unsigned char> data(in);
  on_device<int> bins(std::vector<int>(256, 0));
  histogram<<<13, 256>>>(data.data, (int)in.size(), bins.data);
  EXPECT(bins.read() == want);
}

__global__ void count_system(int *host) { atomicAdd_system(host, 1); }
CASE(system_atomics_meet_the_hosts) {
  int *host;
  GOOD(hipHostMalloc((void **)&host, 64, 0));
  *host = 0;
  count_system<<<100, 64>>>(host);
  for (int i = 0; i < 1000; i++)
    __atomic_fetch_add(host, 1, __ATOMIC_SEQ_CST);
  GOOD(hipDeviceSynchronize());
  EXPECT(*host == 7400);
  GOOD(hipHostFree(host));
}

// The last group to come sums what the others left: __threadfence and a counter.
__device__ unsigned arrived;
__global__ void last_one_sums(const int *in, int *parts, int *out) {
  __shared__ bool last;
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&parts[blockIdx.x], value);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      sum += ((volatile int *)parts)[i];
    *out = sum;
  }
}
CASE(the_last_group_sees_what_all_wrote) {
  on_device<int> in(std::vector<int>(64 * 128, 3)), parts(std::vector<int>(64, 0)), out(std::vector<int>(1, 0));
  last_one_sums<<<64, 128>>>(in.data, parts.data, out.data);
  EXPECT(out.read()[0] == 3 * 64 * 128);
}
