/* alu.c - chooses the arithmetic that was compiled for this host. */
#include "visa/alu/alu.h"
#include "base/host.h"

const uint8_t og_alu_sizes[OG_ALU_TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};

extern const struct og_alu og_alu_avx512, og_alu_avx2, og_alu_baseline;

const struct og_alu *og_alu_table(void) {
#ifdef OG_HAS_AVX512
  if (og_host_level() >= OG_HOST_AVX512)
    return &og_alu_avx512;
#endif
#ifdef OG_HAS_AVX2
  if (og_host_level() >= OG_HOST_AVX2)
    return &og_alu_avx2;
#endif
  return &og_alu_baseline;
}
