// Memory of every kind: device, pinned, registered, managed, symbols, pools; what pointers say of themselves.
CASE(device_memory_keeps_what_kernels_write) {
  const int n = 1000;
  std::vector<int> in(n);
  for (int i = 0; i < n; i++)
    in[i] = i;
  on_device<int> data(in);
  add_to_each<<<(n + 255) / 256, 256>>>(data.data, n, 7);
  GOOD(hipDeviceSynchronize());
  std::vector<int> out = data.read();
  for (int i = 0; i < n; i++)
    EXPECT(out[i] == i + 7);
}

CASE(pinned_memory_is_seen_by_kernels) {
  int *host, *device;
  GOOD(hipHostMalloc((void **)&host, 64 * sizeof(int), hipHostMallocMapped));
  for (int i = 0; i < 64; i++)
    host[i] = i;
  GOOD(hipHostGetDevicePointer((void **)&device, host, 0));
  add_to_each<<<1, 64>>>(device, 64, 100);
  GOOD(hipDeviceSynchronize());
  for (int i = 0; i < 64; i++)
    EXPECT(host[i] == i + 100);
  GOOD(hipHostFree(host));
}

CASE(registered_memory_is_seen_by_kernels) {
  std::vector<int> host(4096, 5);
  int *device;
  GOOD(hipHostRegister(host.data(), host.size() * sizeof(int), hipHostRegisterDefault));
  GOOD(hipHostGetDevicePointer((void **)&device, host.data(), 0));
  add_to_each<<<16, 256>>>(device, 4096, 1);
  GOOD(hipDeviceSynchronize());
  GOOD(hipHostUnregister(host.data()));
  for (int x : host)
    EXPECT(x == 6);
}

CASE(managed_memory_is_one_for_host_and_device) {
  int *data;
  GOOD(hipMallocManaged((void **)&data, 256 * sizeof(int)));
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 256; i++)
      data[i] = round * i;
    add_to_each<<<1, 256>>>(data, 256, round);
    GOOD(hipDeviceSynchronize());
    for (int i = 0; i < 256; i++)
      EXPECT(data[i] == round * i + round);
  }
  GOOD(hipFree(data));
}

__device__ int total;
__device__ int several[16];
__constant__ float weights[8];
__device__ __managed__ int shared_by_both = 3;
__global__ void use_symbols(float *out) {
  out[threadIdx.x] = weights[threadIdx.x] * 2 + several[threadIdx.x];
  atomicAdd(&total, several[threadIdx.x]);
}
__global__ void bump_managed() { shared_by_both += 39; }

CASE(symbols_are_written_and_read) {
  float w[8];
  int s[16], zero = 0, sum = -1;
  for (int i = 0; i < 16; i++)
    s[i] = i * i, w[i % 8] = 0.5f * (i % 8);
  GOOD(hipMemcpyToSymbol(HIP_SYMBOL(weights), w, sizeof w));
  GOOD(hipMemcpyToSymbol(HIP_SYMBOL(several), s, sizeof s));
  GOOD(hipMemcpyToSymbol(HIP_SYMBOL(total), &zero, sizeof zero));
  on_device<float> out(8);
  use_symbols<<<1, 8>>>(out.data);
  GOOD(hipMemcpyFromSymbol(&sum, HIP_SYMBOL(total), sizeof sum));
  EXPECT(sum == 140);
  std::vector<float> got = out.read();
  for (int i = 0; i < 8; i++)
    EXPECT(got[i] == (float)i + i * i);
  void *address;
  size_t size;
  GOOD(hipGetSymbolAddress(&address, HIP_SYMBOL(several)));
  GOOD(hipGetSymbolSize(&size, HIP_SYMBOL(several)));
  EXPECT(size == sizeof s);
  int third;
  GOOD(hipMemcpy(&third, (int *)address + 3, sizeof third, hipMemcpyDeviceToHost));
  EXPECT(third == 9);
}

CASE(managed_variables_are_one_for_host_and_device) {
  EXPECT(shared_by_both == 3);
  bump_managed<<<1, 1>>>();
  GOOD(hipDeviceSynchronize());
  EXPECT(shared_by_both == 42);
}

// HIP 5.2's hipStreamDestroy goes round a loop for ever where a pool has freed memory; here, and in what runs after.
CASE(pools_give_memory_in_stream_order, ALONE) {
  hipStream_t stream;
  GOOD(hipStreamCreate(&stream));
  std::vector<int> out(512);
  for (int round = 0; round < 4; round++) {
    int *data;
    GOOD(hipMallocAsync((void **)&data, 512 * sizeof(int), stream));
    GOOD(hipMemsetAsync(data, 0, 512 * sizeof(int), stream));
    add_to_each<<<2, 256, 0, stream>>>(data, 512, round);
    GOOD(hipMemcpyAsync(out.data(), data, 512 * sizeof(int), hipMemcpyDeviceToHost, stream));
    GOOD(hipFreeAsync(data, stream));
    GOOD(hipStreamSynchronize(stream));
    for (int x : out)
      EXPECT(x == round);
  }
}

CASE(pointers_say_what_they_are) {
  on_device<int> device(100);
  int *pinned;
  GOOD(hipHostMalloc((void **)&pinned, 400, 0));
  hipPointerAttribute_t a = {};
  GOOD(hipPointerGetAttributes(&a, device.data + 10));
  EXPECT(a.memoryType == hipMemoryTypeDevice && a.device == 0);
  GOOD(hipPointerGetAttributes(&a, pinned));
  EXPECT(a.memoryType == hipMemoryTypeHost);
  hipDeviceptr_t base;
  size_t size;
  GOOD(hipMemGetAddressRange(&base, &size, (hipDeviceptr_t)(device.data + 10)));
  EXPECT(base == (hipDeviceptr_t)device.data && size == 400);
  GOOD(hipHostFree(pinned));
}

CASE(what_is_free_becomes_less) {
  size_t before, after, all;
  GOOD(hipMemGetInfo(&before, &all));
  EXPECT(before <= all && all > (size_t)1 << 28);
  void *big;
  GOOD(hipMalloc(&big, 64 << 20));
  GOOD(hipMemGetInfo(&after, &all));
  EXPECT(after <= before - (64 << 20));
  GOOD(hipFree(big));
}

CASE(many_allocations_do_not_overlap) {
  std::vector<char *> all;
  for (int i = 0; i < 200; i++) {
    char *p;
    GOOD(hipMalloc((void **)&p, 1 + i * 37));
    GOOD(hipMemset(p, i, 1 + i * 37));
    all.push_back(p);
  }
  for (int i = 0; i < 200; i++) {
    std::vector<unsigned char> back(1 + i * 37);
    GOOD(hipMemcpy(back.data(), all[i], back.size(), hipMemcpyDeviceToHost));
    for (unsigned char c : back)
      EXPECT(c == i);
    GOOD(hipFree(all[i]));
  }
}
