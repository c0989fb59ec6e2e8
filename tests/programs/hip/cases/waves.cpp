// What lanes of a wave tell each other, and bit intrinsics.
__global__ void shuffles(int *out) {
  int lane = threadIdx.x % warpSize, *mine = out + 6 * threadIdx.x;
  mine[0] = __shfl(lane * 3, 5);
  mine[1] = __shfl_up(lane, 1);
  mine[2] = __shfl_down(lane, 2);
  mine[3] = __shfl_xor(lane, 7);
  mine[4] = __shfl(lane, (lane + 1) % 8, 8);
  mine[5] = (int)__shfl_xor((double)lane + 0.5, 1);
}
CASE(shuffles_move_values_between_lanes) {
  int warp;
  GOOD(hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0));
  on_device<int> out(6 * 128);
  shuffles<<<1, 128>>>(out.data);
  std::vector<int> got = out.read();
  for (int i = 0; i < 128; i++) {
    int lane = i % warp;
    const int *mine = &got[6 * i];
    EXPECT(mine[0] == 15 && mine[1] == (lane ? lane - 1 : 0));
    EXPECT(mine[2] == (lane + 2 < warp ? lane + 2 : lane) && mine[3] == (lane ^ 7));
    EXPECT(mine[4] == lane / 8 * 8 + (lane + 1) % 8 && mine[5] == (lane ^ 1));
  }
}

__global__ void votes(unsigned long long *out) {
  unsigned lane = threadIdx.x % warpSize;
  if (threadIdx.x < 40) // part of a wave
    out[threadIdx.x] = __ballot(lane % 3 == 0) ^ (unsigned long long)(__any(lane == 2) + 2 * __all(lane < 64)) << 62;
  if (lane == 0)
    out[64 + threadIdx.x / warpSize] = __popcll(__ballot(1));
}
CASE(votes_count_active_lanes_only) {
  int warp;
  GOOD(hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0));
  on_device<unsigned long long> out(std::vector<unsigned long long>(68, 0));
  votes<<<1, 64>>>(out.data);
  std::vector<unsigned long long> got = out.read();
  unsigned long long want = 0;
  for (int i = 0; i < (warp == 64 ? 40 : 32); i += 3)
    want |= 1ull << i;
  EXPECT(got[0] == (want ^ 3ull << 62));
  EXPECT(got[64] == 1);
}

__global__ void bits(const unsigned long long *in, int *out) {
  unsigned long long x = in[threadIdx.x];
  int *mine = out + 8 * threadIdx.x;
  mine[0] = __popcll(x), mine[1] = __clzll(x), mine[2] = __ffsll(x), mine[3] = (int)__brev((unsigned)x);
  mine[4] = (int)__byte_perm((unsigned)x, (unsigned)(x >> 32), 0x5140), mine[5] = (int)__umulhi((unsigned)x, 0x12345678);
  mine[6] = (int)__funnelshift_l((unsigned)x, (unsigned)(x >> 32), 5), mine[7] = (int)__mul24((int)x, 3);
}
static unsigned reversed(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; i++)
    r |= (x >> i & 1) << (31 - i);
  return r;
}
CASE(bit_intrinsics_are_the_hosts) {
  std::vector<unsigned long long> in = {1, 0x8000000000000000, 0x123456789abcdef0, ~0ull, 0xf0f0, 0x100000000};
  on_device<unsigned long long> data(in);
  on_device<int> out(8 * in.size());
  bits<<<1, (unsigned)in.size()>>>(data.data, out.data);
  std::vector<int> got = out.read();
  for (size_t i = 0; i < in.size(); i++) {
    unsigned long long x = in[i];
    unsigned lo = (unsigned)x, hi = (unsigned)(x >> 32);
    const int *mine = &got[8 * i];
    EXPECT(mine[0] == __builtin_popcountll(x) && mine[1] == __builtin_clzll(x) && mine[2] == __builtin_ffsll((long long)x));
    EXPECT((unsigned)mine[3] == reversed(lo));
    EXPECT((unsigned)mine[4] == ((lo & 255) | (hi & 255) << 8 | (lo >> 8 & 255) << 16 | (hi >> 8 & 255) << 24));
    EXPECT((unsigned)mine[5] == (unsigned)((unsigned long long)lo * 0x12345678 >> 32));
    EXPECT((unsigned)mine[6] == (hi << 5 | lo >> 27));
    EXPECT(mine[7] == ((int)(lo << 8) >> 8) * 3);
  }
}
