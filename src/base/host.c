/* host.c - the level of the vector instructions: what the processor has, or less; and the clock. */
#include "base/base.h"
#include "base/host.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* x86-64-v4, x86-64-v3, or neither (Intel's manual, volume 1, chapters 14 and 15: "Detection"). The compiler's own
 * functions for this ask the processor some twenty times when any program starts, which takes long on a virtual
 * machine. */
static enum og_host_level processor_level(void) {
#if defined(__x86_64__)
  enum { YMM = 0x06, ZMM = 0xe6 }; /* registers that the system saves */
  const unsigned avx2 = bit_AVX2 | bit_BMI | bit_BMI2,
                 avx512 = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL | bit_AVX512CD;
  unsigned a, b, c, d, saved;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_FMA))
    return OG_HOST_BASELINE;
  __asm__("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (saved & YMM) != YMM || (b & avx2) != avx2)
    return OG_HOST_BASELINE;
  return (saved & ZMM) == ZMM && (b & avx512) == avx512 ? OG_HOST_AVX512 : OG_HOST_AVX2;
#else
  return OG_HOST_BASELINE;
#endif
}

/* The processor is asked once: a hypervisor answers, which takes microseconds. */
static enum og_host_level known_level(void) {
  static int known; /* one more than the level, or 0 */
  int level = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (level == 0) {
    level = (int)processor_level() + 1;
    __atomic_store_n(&known, level, __ATOMIC_RELAXED);
  }
  return (enum og_host_level)(level - 1);
}

enum og_host_level og_host_level(void) {
  enum og_host_level best = known_level(), asked;
  const char *text = getenv("OFFGRID_HOST");
  return text && og_host_level_parse(text, &asked) && asked < best ? asked : best;
}

uint64_t og_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

unsigned og_host_processors(void) {
  cpu_set_t set;
  long count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (unsigned)count : 1;
}
