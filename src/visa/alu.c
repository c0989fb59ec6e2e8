/* alu.c - picks the arithmetic compiled for the processor at hand. */
#include "visa/alu.h"

const uint8_t og_alu_sizes[OG_ALU_TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};

extern const struct og_alu og_alu_baseline;
#if defined(__x86_64__)
extern const struct og_alu og_alu_avx2, og_alu_avx512;
#endif

const struct og_alu *og_alu_table(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
    return &og_alu_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return &og_alu_avx2;
#endif
  return &og_alu_baseline;
}
