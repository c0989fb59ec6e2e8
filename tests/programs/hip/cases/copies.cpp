// Copies and fills: linear, pitched, three-dimensional, between devices' parts, of every element size.
CASE(fills_take_bytes_and_words) {
  on_device<unsigned> data(1000);
  GOOD(hipMemset(data.data, 0xa5, 4000));
  for (unsigned x : data.read())
    EXPECT(x == 0xa5a5a5a5);
  GOOD(hipMemsetD32((hipDeviceptr_t)(data.data + 1), 0x12345678, 900));
  GOOD(hipMemsetD16((hipDeviceptr_t)(data.data + 950), 0x4321, 3));
  GOOD(hipMemsetD8((hipDeviceptr_t)(data.data + 990), 7, 5));
  std::vector<unsigned> got = data.read();
  for (int i = 0; i < 1000; i++) {
    unsigned want = i >= 1 && i < 901 ? 0x12345678
                    : i == 950        ? 0x43214321
                    : i == 951        ? 0xa5a54321
                    : i == 990        ? 0x07070707
                    : i == 991        ? 0xa5a5a507
                                      : 0xa5a5a5a5;
    EXPECT(got[i] == want);
  }
}

CASE(odd_sizes_and_offsets_are_copied_exactly) {
  std::vector<unsigned char> in(5000), out(5000);
  for (size_t i = 0; i < in.size(); i++)
    in[i] = (unsigned char)(i * 7 + i / 256);
  on_device<unsigned char> a(5000), b(5000);
  static const size_t sizes[] = {1, 2, 3, 7, 31, 64, 65, 1023, 4097};
  for (size_t size : sizes)
    for (size_t at : {0, 1, 5, 16}) {
      GOOD(hipMemset(b.data, 0xee, 5000));
      GOOD(hipMemcpy(a.data + at, in.data() + 3, size, hipMemcpyHostToDevice));
      GOOD(hipMemcpy(b.data + 2 * at + 1, a.data + at, size, hipMemcpyDeviceToDevice));
      GOOD(hipMemcpy(out.data(), b.data, 5000, hipMemcpyDeviceToHost));
      EXPECT(!memcmp(out.data() + 2 * at + 1, in.data() + 3, size));
      EXPECT(out[2 * at] == 0xee && out[2 * at + 1 + size] == 0xee);
    }
}

CASE(pitched_rows_are_copied_apart) {
  const int width = 100, height = 37;
  int *data;
  size_t pitch;
  GOOD(hipMallocPitch((void **)&data, &pitch, width * sizeof(int), height));
  EXPECT(pitch >= width * sizeof(int));
  std::vector<int> in(width * height), out(width * height, -1);
  for (int i = 0; i < width * height; i++)
    in[i] = i * 3;
  GOOD(hipMemset2D(data, pitch, 0xff, pitch, height));
  GOOD(hipMemcpy2D(data, pitch, in.data(), width * 4, width * 4, height, hipMemcpyHostToDevice));
  for (int y = 0; y < height; y++) {
    int row[width];
    GOOD(hipMemcpy(row, (char *)data + y * pitch, sizeof row, hipMemcpyDeviceToHost));
    EXPECT(!memcmp(row, &in[y * width], sizeof row));
  }
  GOOD(hipMemcpy2D(out.data(), width * 4, data, pitch, width * 4, height, hipMemcpyDeviceToHost));
  EXPECT(in == out);
  GOOD(hipMemset2D((char *)data + 40, pitch, 1, 80, 5));
  GOOD(hipMemcpy2D(out.data(), width * 4, data, pitch, width * 4, height, hipMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      EXPECT(out[y * width + x] == (y < 5 && x >= 10 && x < 30 ? 0x01010101 : in[y * width + x]));
  GOOD(hipFree(data));
}

CASE(boxes_are_copied) {
  hipExtent extent = make_hipExtent(20 * sizeof(int), 10, 6);
  hipPitchedPtr box;
  GOOD(hipMalloc3D(&box, extent));
  std::vector<int> in(20 * 10 * 6), out(20 * 10 * 6);
  for (size_t i = 0; i < in.size(); i++)
    in[i] = (int)i;
  hipMemcpy3DParms to = {};
  to.srcPtr = make_hipPitchedPtr(in.data(), 80, 20, 10);
  to.dstPtr = box;
  to.extent = extent;
  to.kind = hipMemcpyHostToDevice;
  GOOD(hipMemcpy3D(&to));
  hipMemcpy3DParms back = {};
  back.srcPtr = box;
  back.dstPtr = make_hipPitchedPtr(out.data(), 80, 20, 10);
  back.extent = extent;
  back.kind = hipMemcpyDeviceToHost;
  GOOD(hipMemcpy3D(&back));
  EXPECT(in == out);
  GOOD(hipFree(box.ptr));
}

CASE(large_copies_go_both_ways) {
  const size_t n = 3 << 20;
  std::vector<int> in(n), out(n);
  for (size_t i = 0; i < n; i++)
    in[i] = (int)(i * 2654435761u);
  on_device<int> data(in);
  EXPECT(data.read() == in);
}
