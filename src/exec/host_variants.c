/* host_variants.c - the host instruction sets that vector handlers are compiled for, best first (see build.cmake). */
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
