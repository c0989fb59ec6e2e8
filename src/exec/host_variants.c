/* host_variants.c - the host instruction sets that vector and memory handlers are compiled for, best first (see
 * build.cmake). */
#include "base/host.h"
#include "exec/memory.h"
#include "exec/vector.h"

extern const struct og_vector_variant og_vector_variant_v4, og_vector_variant_v3, og_vector_variant_base;
const struct og_vector_variant *const og_vector_variants[] = {
#ifdef OG_HAS_AVX512
    &og_vector_variant_v4,
#endif
#ifdef OG_HAS_AVX2
    &og_vector_variant_v3,
#endif
    &og_vector_variant_base};
const size_t og_vector_variant_count = OG_COUNT(og_vector_variants);

const struct og_memory_handlers *og_host_memory_handlers(void) {
#ifdef OG_HAS_AVX512
  if (og_host_level() >= OG_HOST_AVX512)
    return &og_memory_handlers_v4;
#endif
#ifdef OG_HAS_AVX2
  if (og_host_level() >= OG_HOST_AVX2)
    return &og_memory_handlers_v3;
#endif
  return &og_memory_handlers_base;
}
