// Wrong use gets the error that HIP documents, and what follows works.
CASE(wrong_calls_are_refused) {
  int count;
  GOOD(hipGetDeviceCount(&count));
  EXPECT(hipSetDevice(count) == hipErrorInvalidDevice);
  EXPECT(hipMalloc(nullptr, 16) == hipErrorInvalidValue);
  int local;
  EXPECT(hipFree(&local) != hipSuccess);
  EXPECT(hipMemcpy(nullptr, &local, 4, hipMemcpyHostToDevice) == hipErrorInvalidValue);
  (void)hipGetLastError();
  EXPECT(hipGetLastError() == hipSuccess);
}

CASE(too_large_launches_are_refused) {
  on_device<int> data(64);
  add_to_each<<<1, 2048>>>(data.data, 64, 1);
  EXPECT(hipGetLastError() != hipSuccess);
  EXPECT(hipGetLastError() == hipSuccess);
  add_to_each<<<1, 64, 1 << 20>>>(data.data, 64, 1); // LDS
  EXPECT(hipGetLastError() != hipSuccess);
  add_to_each<<<1, 64>>>(data.data, 64, 1);
  GOOD(hipGetLastError());
  GOOD(hipDeviceSynchronize());
}

CASE(memory_runs_out_with_an_error) {
  void *data = nullptr;
  EXPECT(hipMalloc(&data, (size_t)1 << 50) == hipErrorOutOfMemory);
  (void)hipGetLastError();
  GOOD(hipMalloc(&data, 1 << 20));
  GOOD(hipFree(data));
}

CASE(no_module_is_loaded_from_garbage) {
  hipModule_t module;
  std::vector<char> garbage(4096, 0x5a);
  EXPECT(hipModuleLoadData(&module, garbage.data()) != hipSuccess);
  (void)hipGetLastError();
  EXPECT(hipModuleLoad(&module, "/no/such/file.co") != hipSuccess);
  (void)hipGetLastError();
}
