/* levels.h - loops over all lanes, compiled for each level of the host's vector instructions. The compiler's own means
 * (target_clones) ask the processor some twenty times at the start of every program, and do not know OFFGRID_HOST. */
#ifndef OG_CHECK_LEVELS_H
#define OG_CHECK_LEVELS_H

#include "base/host.h"

/* og_host_level(), asked once. */
enum og_host_level og_check_level(void);

/* Makes a static function from its type and name, its parameters, the same as arguments, and its body. */
#if defined OG_HAS_AVX512 && defined OG_HAS_AVX2
#define OG_CHECK_LANES(type, name, parameters, arguments, ...)                                                   \
  static inline __attribute__((always_inline)) type name##_body parameters __VA_ARGS__                           \
  __attribute__((target("arch=x86-64-v4"))) static type name##_avx512 parameters { return name##_body arguments; } \
  __attribute__((target("arch=x86-64-v3"))) static type name##_avx2 parameters { return name##_body arguments; }   \
  static type name##_baseline parameters { return name##_body arguments; }                                       \
  static inline type name parameters {                                                                           \
    enum og_host_level level = og_check_level();                                                                 \
    return level == OG_HOST_AVX512 ? name##_avx512 arguments                                                     \
           : level == OG_HOST_AVX2 ? name##_avx2 arguments                                                       \
                                   : name##_baseline arguments;                                                  \
  }
#else
#define OG_CHECK_LANES(type, name, parameters, arguments, ...) static type name parameters __VA_ARGS__
#endif

#endif
