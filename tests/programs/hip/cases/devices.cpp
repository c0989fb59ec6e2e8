// Several devices: each has its memory and its work; copies and access between them. With one device, what it tells.
CASE(a_device_tells_what_it_is) {
  int count;
  GOOD(hipGetDeviceCount(&count));
  EXPECT(count >= 1);
  hipDeviceProp_t p;
  GOOD(hipGetDeviceProperties(&p, 0));
  EXPECT(!strncmp(p.gcnArchName, "gfx", 3));
  EXPECT(p.warpSize == 32 || p.warpSize == 64);
  EXPECT(p.maxThreadsPerBlock == 1024 && p.sharedMemPerBlock == 65536 && p.multiProcessorCount > 0);
  EXPECT(p.totalGlobalMem > (size_t)1 << 28 && p.clockRate > 0 && p.major >= 8);
}

CASE(each_device_has_its_own_memory_and_work) {
  int count;
  GOOD(hipGetDeviceCount(&count));
  std::vector<int *> data(count);
  for (int d = 0; d < count; d++) {
    GOOD(hipSetDevice(d));
    GOOD(hipMalloc((void **)&data[d], 4096));
    GOOD(hipMemset(data[d], 0, 4096));
    add_to_each<<<4, 256>>>(data[d], 1024, d + 1);
  }
  for (int d = 0; d < count; d++) {
    GOOD(hipSetDevice(d));
    GOOD(hipDeviceSynchronize());
    int got[1024], now;
    GOOD(hipGetDevice(&now));
    EXPECT(now == d);
    GOOD(hipMemcpy(got, data[d], 4096, hipMemcpyDeviceToHost));
    for (int x : got)
      EXPECT(x == d + 1);
    GOOD(hipFree(data[d]));
  }
  GOOD(hipSetDevice(0));
}

CASE(devices_copy_to_and_reach_each_other) {
  int count, can = 0;
  GOOD(hipGetDeviceCount(&count));
  if (count < 2)
    return;
  int *a, *b, got[256];
  GOOD(hipSetDevice(0));
  GOOD(hipMalloc((void **)&a, 1024));
  GOOD(hipMemset(a, 0, 1024));
  add_to_each<<<1, 256>>>(a, 256, 9);
  GOOD(hipDeviceSynchronize());
  GOOD(hipSetDevice(1));
  GOOD(hipMalloc((void **)&b, 1024));
  GOOD(hipMemcpyPeer(b, 1, a, 0, 1024));
  GOOD(hipMemcpy(got, b, 1024, hipMemcpyDeviceToHost));
  for (int x : got)
    EXPECT(x == 9);
  GOOD(hipDeviceCanAccessPeer(&can, 1, 0));
  EXPECT(can);
  GOOD(hipDeviceEnablePeerAccess(0, 0));
  add_to_each<<<1, 256>>>(a, 256, 1); // device 1 in device 0's memory
  GOOD(hipDeviceSynchronize());
  GOOD(hipMemcpy(got, a, 1024, hipMemcpyDeviceToHost));
  for (int x : got)
    EXPECT(x == 10);
  GOOD(hipDeviceDisablePeerAccess(0));
  GOOD(hipFree(b));
  GOOD(hipSetDevice(0));
  GOOD(hipFree(a));
}
