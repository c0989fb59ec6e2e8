/* host_variants.c - the host instruction sets that vector and memory handlers are compiled for, best first (see
 * build.cmake). */
#include "base/host.h"
#include "exec/memory.h"
#include "exec/vector.h"

extern const struct og_vector_variant og_vector_variant_base;
#if defined __x86_64__
extern const struct og_vector_variant og_vector_variant_v4, og_vector_variant_v3;
const struct og_vector_variant *const og_vector_variants[] = {&og_vector_variant_v4, &og_vector_variant_v3,
                                                              &og_vector_variant_base};
#else
const struct og_vector_variant *const og_vector_variants[] = {&og_vector_variant_base};
#endif
const size_t og_vector_variant_count = OG_COUNT(og_vector_variants);

const struct og_memory_handlers *og_host_memory_handlers(void) {
#if defined __x86_64__
  switch (og_host_level()) {
  case OG_HOST_AVX512: return &og_memory_handlers_v4;
  case OG_HOST_AVX2: return &og_memory_handlers_v3;
  case OG_HOST_BASELINE: break;
  }
#endif
  return &og_memory_handlers_base;
}
