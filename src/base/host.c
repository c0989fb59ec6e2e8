/* host.c - the level of the vector instructions: what the processor has, or less; and the clock. */
#include "base/base.h"
#include "base/host.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

bool og_host_level_parse(const char *text, enum og_host_level *level) {
  static const char *const names[] = {
      [OG_HOST_BASELINE] = "baseline", [OG_HOST_AVX2] = "avx2", [OG_HOST_AVX512] = "avx512"};
  for (size_t i = 0; i < OG_COUNT(names); i++)
    if (strcmp(text, names[i]) == 0) {
      *level = (enum og_host_level)i;
      return true;
    }
  return false;
}

/* x86-64-v4, x86-64-v3, or neither. */
static enum og_host_level processor_level(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
      !__builtin_cpu_supports("bmi2"))
    return OG_HOST_BASELINE;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
    return OG_HOST_AVX512;
  return OG_HOST_AVX2;
#else
  return OG_HOST_BASELINE;
#endif
}

enum og_host_level og_host_level(void) {
  enum og_host_level best = processor_level(), asked;
  const char *text = getenv("OFFGRID_HOST");
  return text && og_host_level_parse(text, &asked) && asked < best ? asked : best;
}

uint64_t og_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
