// libraries.cpp - rocPRIM's device-wide algorithms against the standard library, rocRAND against its own code on the host.
#define FQUALIFIERS __forceinline__ __host__ __device__
#include "cases.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <rocprim/rocprim.hpp>
#include <rocrand/rocrand.h>
#include <rocrand/rocrand_kernel.h>
#include <rocrand/rocrand_mtgp32_11213.h>
#include <rocrand/rocrand_sobol32_precomputed.h>
#include <rocrand/rocrand_sobol64_precomputed.h>

// Item counts: less than a wave, some groups, up to what the environment variable ITEMS says.
static std::vector<size_t> sizes() {
  const char *most = getenv("ITEMS");
  return {37, 5000, most ? (size_t)atoll(most) : 300000};
}
static std::vector<unsigned> numbers(size_t n, unsigned seed) {
  std::vector<unsigned> out(n);
  for (unsigned &x : out)
    x = seed = seed * 1664525 + 1013904223, x ^= x >> 15;
  return out;
}

// Calls `algorithm(temporary, bytes)` for the size of its memory, then with that memory.
template <typename F> static hipError_t with_temporary(F algorithm) {
  size_t bytes = 0;
  hipError_t error = algorithm(nullptr, bytes);
  if (error != hipSuccess)
    return error;
  on_device<char> memory(bytes ? bytes : 1);
  error = algorithm(memory.data, bytes);
  return error != hipSuccess ? error : hipDeviceSynchronize();
}

CASE(rocprim_reduces) {
  for (size_t n : sizes()) {
    std::vector<unsigned> in = numbers(n, 1);
    on_device<unsigned> data(in), out(1);
    GOOD(with_temporary([&](void *t, size_t &b) {
      return rocprim::reduce(t, b, data.data, out.data, 0u, n, rocprim::plus<unsigned>());
    }));
    EXPECT(out.read()[0] == std::accumulate(in.begin(), in.end(), 0u));
    GOOD(with_temporary([&](void *t, size_t &b) {
      return rocprim::reduce(t, b, data.data, out.data, 0u, n, rocprim::maximum<unsigned>());
    }));
    EXPECT(out.read()[0] == *std::max_element(in.begin(), in.end()));
  }
}

CASE(rocprim_scans) {
  for (size_t n : sizes()) {
    std::vector<unsigned> in = numbers(n, 2), want(n);
    on_device<unsigned> data(in), out(n);
    GOOD(with_temporary([&](void *t, size_t &b) {
      return rocprim::inclusive_scan(t, b, data.data, out.data, n, rocprim::plus<unsigned>());
    }));
    std::partial_sum(in.begin(), in.end(), want.begin());
    EXPECT(out.read() == want);
    GOOD(with_temporary([&](void *t, size_t &b) {
      return rocprim::exclusive_scan(t, b, data.data, out.data, 5u, n, rocprim::plus<unsigned>());
    }));
    for (size_t i = n; i-- > 0;)
      want[i] = (i ? want[i - 1] : 0) + 5;
    EXPECT(out.read() == want);
  }
}

CASE(rocprim_sorts) {
  for (size_t n : sizes()) {
    std::vector<unsigned> keys = numbers(n, 3), values(n);
    std::iota(values.begin(), values.end(), 0u);
    for (unsigned &k : keys)
      k %= 100003; // many equal: order of values is kept
    on_device<unsigned> ki(keys), ko(n), vi(values), vo(n);
    GOOD(with_temporary([&](void *t, size_t &b) {
      return rocprim::radix_sort_pairs(t, b, ki.data, ko.data, vi.data, vo.data, n);
    }));
    std::stable_sort(values.begin(), values.end(), [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
    EXPECT(vo.read() == values);
    std::vector<float> floats(n);
    for (size_t i = 0; i < n; i++)
      floats[i] = (float)(int)numbers(1, (unsigned)i)[0];
    on_device<float> fi(floats), fo(n);
    GOOD(with_temporary([&](void *t, size_t &b) { return rocprim::radix_sort_keys_desc(t, b, fi.data, fo.data, n); }));
    std::sort(floats.begin(), floats.end(), std::greater<float>());
    EXPECT(fo.read() == floats);
  }
}

struct is_third {
  __device__ __host__ bool operator()(unsigned x) const { return x % 3 == 0; }
};
CASE(rocprim_selects_and_partitions) {
  for (size_t n : sizes()) {
    std::vector<unsigned> in = numbers(n, 4), want;
    on_device<unsigned> data(in), out(n), count(1);
    GOOD(with_temporary([&](void *t, size_t &b) {
      return rocprim::select(t, b, data.data, out.data, count.data, n, is_third());
    }));
    std::copy_if(in.begin(), in.end(), std::back_inserter(want), is_third());
    std::vector<unsigned> got = out.read();
    EXPECT(count.read()[0] == want.size() && std::equal(want.begin(), want.end(), got.begin()));
    GOOD(with_temporary([&](void *t, size_t &b) {
      return rocprim::partition(t, b, data.data, out.data, count.data, n, is_third());
    }));
    got = out.read();
    EXPECT(count.read()[0] == want.size() && std::equal(want.begin(), want.end(), got.begin()));
    std::sort(got.begin(), got.end());
    std::sort(in.begin(), in.end());
    EXPECT(got == in);
  }
}

// Each lane's generator, on the device and on the host.
template <typename State> __host__ __device__ static void draw(unsigned lane, unsigned *bits, float *floats) {
  State state;
  rocrand_init(1234, lane, lane * 3, &state);
  for (int i = 0; i < 5; i++)
    bits[i] = rocrand(&state);
  floats[0] = rocrand_uniform(&state);
  floats[1] = rocrand_normal(&state);
}
template <typename State> __global__ void draw_all(unsigned *bits, float *floats) {
  unsigned lane = blockIdx.x * blockDim.x + threadIdx.x;
  draw<State>(lane, bits + 5 * lane, floats + 2 * lane);
}
template <typename State> static void compare_draws() {
  const unsigned n = 512;
  on_device<unsigned> bits(5 * n);
  on_device<float> floats(2 * n);
  draw_all<State><<<n / 128, 128>>>(bits.data, floats.data);
  GOOD(hipDeviceSynchronize());
  std::vector<unsigned> got = bits.read();
  std::vector<float> real = floats.read();
  for (unsigned lane = 0; lane < n; lane++) {
    unsigned want[5];
    float want_real[2];
    draw<State>(lane, want, want_real);
    EXPECT(std::equal(want, want + 5, &got[5 * lane]));
    EXPECT(real[2 * lane] == want_real[0] && std::fabs(real[2 * lane + 1] - want_real[1]) < 1e-4f);
  }
}
CASE(rocrand_xorwow_is_the_hosts) { compare_draws<rocrand_state_xorwow>(); }
CASE(rocrand_mrg32k3a_is_the_hosts) { compare_draws<rocrand_state_mrg32k3a>(); }
CASE(rocrand_philox_is_the_hosts) { compare_draws<rocrand_state_philox4x32_10>(); }

// Quasi-random numbers: every lane has a dimension of its own and skips some numbers.
template <typename State, typename Vector> __global__ void draw_quasi(const Vector *vectors, unsigned bits, Vector *out) {
  unsigned lane = blockIdx.x * blockDim.x + threadIdx.x;
  State state;
  rocrand_init(vectors + bits * lane, lane * 3, &state);
  for (int i = 0; i < 5; i++)
    out[5 * lane + i] = rocrand(&state);
}
template <typename State, typename Vector> static void compare_quasi(const Vector *vectors) {
  const unsigned n = 256, bits = 8 * sizeof(Vector);
  on_device<Vector> directions(std::vector<Vector>(vectors, vectors + n * bits)), out(5 * n);
  draw_quasi<State><<<n / 64, 64>>>(directions.data, bits, out.data);
  GOOD(hipDeviceSynchronize());
  std::vector<Vector> got = out.read();
  for (unsigned lane = 0; lane < n; lane++) {
    State state;
    rocrand_init(vectors + bits * lane, lane * 3, &state);
    for (int i = 0; i < 5; i++)
      EXPECT(got[5 * lane + i] == rocrand(&state));
  }
}
CASE(rocrand_sobol32_is_the_hosts) { compare_quasi<rocrand_state_sobol32>(h_sobol32_direction_vectors); }
CASE(rocrand_sobol64_is_the_hosts) { compare_quasi<rocrand_state_sobol64>(h_sobol64_direction_vectors); }

// MTGP32 computes on the device alone; here its recursion once more, one number at a time (Saito and Matsumoto, "Variants
// of Mersenne Twister Suitable for Graphic Processors", 2013).
__global__ void draw_mtgp32(rocrand_state_mtgp32 *states, unsigned *out, unsigned rounds) {
  __shared__ rocrand_state_mtgp32 state;
  rocrand_mtgp32_block_copy(states + blockIdx.x, &state);
  for (unsigned i = 0; i < rounds; i++)
    out[(blockIdx.x * rounds + i) * blockDim.x + threadIdx.x] = rocrand(&state);
}
static unsigned mtgp32(const mtgp32_params_fast_t &p, std::vector<unsigned> &words) {
  size_t at = words.size() - 351; // words of state: the exponent 11213 in 32 bits each
  unsigned x = (words[at] & p.mask) ^ words[at + 1];
  x ^= x << p.sh1;
  unsigned y = x ^ (words[at + p.pos] >> p.sh2), t = words[at + p.pos - 1];
  words.push_back(y ^ p.tbl[y & 15]);
  t ^= t >> 16;
  t ^= t >> 8;
  return words.back() ^ p.tmp_tbl[t & 15];
}
CASE(rocrand_mtgp32_is_its_recursion) {
  const unsigned blocks = 8, threads = 256, rounds = 5;
  rocrand_state_mtgp32 *states;
  GOOD(hipMalloc(&states, blocks * sizeof *states));
  EXPECT(rocrand_make_state_mtgp32(states, mtgp32dc_params_fast_11213, blocks, 99) == ROCRAND_STATUS_SUCCESS);
  on_device<unsigned> out(blocks * threads * rounds);
  draw_mtgp32<<<blocks, threads>>>(states, out.data, rounds);
  GOOD(hipDeviceSynchronize());
  std::vector<unsigned> got = out.read();
  for (unsigned block = 0, i = 0; block < blocks; block++) {
    std::vector<unsigned> words(351);
    rocrand_device::rocrand_mtgp32_init_state(words.data(), &mtgp32dc_params_fast_11213[block], 99 + block + 1);
    for (unsigned k = 0; k < threads * rounds; k++, i++)
      EXPECT(got[i] == mtgp32(mtgp32dc_params_fast_11213[block], words));
  }
  GOOD(hipFree(states));
}

// What the library's own kernels generate: uniform, not twice the same, and again the same for the same seed.
CASE(rocrand_generators_are_uniform_and_reproducible) {
  static const rocrand_rng_type types[] = {ROCRAND_RNG_PSEUDO_XORWOW,         ROCRAND_RNG_PSEUDO_MRG32K3A,
                                           ROCRAND_RNG_PSEUDO_MTGP32,         ROCRAND_RNG_PSEUDO_PHILOX4_32_10,
                                           ROCRAND_RNG_QUASI_SOBOL32};
  const size_t n = 1 << 16;
  for (rocrand_rng_type type : types) {
    std::vector<float> first;
    for (int round = 0; round < 2; round++) {
      rocrand_generator generator;
      EXPECT(rocrand_create_generator(&generator, type) == ROCRAND_STATUS_SUCCESS);
      if (type < ROCRAND_RNG_QUASI_DEFAULT)
        EXPECT(rocrand_set_seed(generator, 99) == ROCRAND_STATUS_SUCCESS);
      on_device<float> data(n);
      EXPECT(rocrand_generate_uniform(generator, data.data, n) == ROCRAND_STATUS_SUCCESS);
      GOOD(hipDeviceSynchronize());
      std::vector<float> got = data.read();
      double sum = 0, squares = 0;
      for (float x : got) {
        EXPECT(x > 0 && x <= 1);
        sum += x, squares += (double)x * x;
      }
      EXPECT(std::fabs(sum / n - 0.5) < 0.01 && std::fabs(squares / n - 1 / 3.0) < 0.01);
      EXPECT(round == 0 || got == first);
      first = got;
      EXPECT(rocrand_generate_normal(generator, data.data, n, 2.0f, 3.0f) == ROCRAND_STATUS_SUCCESS);
      double mean = 0;
      for (float x : data.read())
        mean += x;
      EXPECT(std::fabs(mean / n - 2) < 0.1);
      EXPECT(rocrand_destroy_generator(generator) == ROCRAND_STATUS_SUCCESS);
    }
  }
}

int main(int argc, char **argv) { return run_cases(argc, argv); }
