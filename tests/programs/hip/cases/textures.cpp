// Textures: arrays of one and two dimensions, linear memory, addressing and filtering.
__global__ void sample_2d(hipTextureObject_t texture, float *out, int width, float scale, float shift) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * width + x] = tex2D<float>(texture, x * scale + shift, y * scale + shift);
}
static hipTextureObject_t texture_of(hipArray_t array, hipTextureFilterMode filter, hipTextureAddressMode beyond) {
  hipResourceDesc resource = {};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  hipTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = beyond;
  how.filterMode = filter;
  how.readMode = hipReadModeElementType;
  hipTextureObject_t texture = nullptr;
  return hipCreateTextureObject(&texture, &resource, &how, nullptr) == hipSuccess ? texture : nullptr;
}

CASE(textures_are_read_and_filtered) {
  const int n = 16;
  std::vector<float> in(n * n);
  for (int i = 0; i < n * n; i++)
    in[i] = (float)(i % n + 10 * (i / n));
  hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  hipArray_t array;
  GOOD(hipMallocArray(&array, &format, n, n, 0));
  GOOD(hipMemcpy2DToArray(array, 0, 0, in.data(), n * 4, n * 4, n, hipMemcpyHostToDevice));
  on_device<float> out(n * n);
  hipTextureObject_t points = texture_of(array, hipFilterModePoint, hipAddressModeClamp);
  EXPECT(points);
  sample_2d<<<n, n>>>(points, out.data, n, 1.0f, 0.5f);
  EXPECT(out.read() == in);
  sample_2d<<<n, n>>>(points, out.data, n, 1.0f, -3.5f); // the edge goes on
  std::vector<float> got = out.read();
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      EXPECT(got[y * n + x] == (x < 4 ? 0 : x - 4) + 10 * (y < 4 ? 0 : y - 4));
  hipTextureObject_t linear = texture_of(array, hipFilterModeLinear, hipAddressModeClamp);
  EXPECT(linear);
  sample_2d<<<n - 1, n - 1>>>(linear, out.data, n, 1.0f, 1.0f); // between four
  got = out.read();
  for (int y = 0; y < n - 1; y++)
    for (int x = 0; x < n - 1; x++)
      EXPECT(got[y * n + x] > x + 0.5f + 10 * (y + 0.5f) - 0.1f && got[y * n + x] < x + 0.5f + 10 * (y + 0.5f) + 0.1f);
  GOOD(hipDestroyTextureObject(points));
  GOOD(hipDestroyTextureObject(linear));
  GOOD(hipFreeArray(array));
}
