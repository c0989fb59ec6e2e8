// cases.h - what the HIP programs share: a case is a function that says whether it found what it expected. `run_cases`
// runs those that the arguments name, all plain ones if there are none.
#pragma once
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

enum kind { PLAIN, ALONE, DEADLY }; // run by name only: what leaves HIP not as it was, what ends the process
struct test_case {
  const char *name;
  void (*run)();
  kind ends;
};
inline std::vector<test_case> &cases() {
  static std::vector<test_case> all;
  return all;
}
inline int &failures() {
  static int count = 0;
  return count;
}
struct registration {
  registration(const char *name, void (*run)(), kind ends = PLAIN) { cases().push_back({name, run, ends}); }
};
// Those that the arguments name; --list tells which there are.
inline int run_cases(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "--list")) {
    for (const test_case &c : cases())
      printf("%s%s\n", c.name, c.ends == DEADLY ? " deadly" : c.ends == ALONE ? " alone" : "");
    return 0;
  }
  setbuf(stdout, nullptr);
  int failed = 0;
  for (const test_case &c : cases()) {
    bool named = false;
    for (int i = 1; i < argc; i++)
      named |= !strcmp(argv[i], c.name);
    if (!named && (argc > 1 || c.ends != PLAIN))
      continue;
    int before = failures();
    c.run();
    printf("%s: %s\n", c.name, failures() > before ? "FAIL" : "PASS");
    failed += failures() > before;
  }
  return failed != 0;
}
#define CASE(name, ...)                                                          \
  static void name();                                                            \
  static const registration registration_of_##name(#name, name, ##__VA_ARGS__); \
  static void name()

#define EXPECT(condition)                                                               \
  do                                                                                    \
    if (!(condition)) {                                                                 \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), failures()++;              \
      return;                                                                           \
    }                                                                                   \
  while (0)
#define GOOD(call)                                                                                            \
  do {                                                                                                        \
    hipError_t error_of_call = (call);                                                                        \
    if (error_of_call != hipSuccess) {                                                                        \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorName(error_of_call)), failures()++;     \
      return;                                                                                                 \
    }                                                                                                         \
  } while (0)

// Device memory of `count` elements that ends with its scope.
template <typename T> struct on_device {
  T *data = nullptr;
  size_t count;
  explicit on_device(size_t n) : count(n) { (void)hipMalloc((void **)&data, n * sizeof(T)); }
  explicit on_device(const std::vector<T> &from) : on_device(from.size()) {
    (void)hipMemcpy(data, from.data(), count * sizeof(T), hipMemcpyHostToDevice);
  }
  ~on_device() { (void)hipFree(data); }
  std::vector<T> read() const {
    std::vector<T> to(count);
    (void)hipMemcpy(to.data(), data, count * sizeof(T), hipMemcpyDeviceToHost);
    return to;
  }
  on_device(const on_device &) = delete;
};

__global__ void add_to_each(int *data, int n, int what) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += what;
}
