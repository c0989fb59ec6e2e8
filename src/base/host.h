/* host.h - the host: which of its vector instructions the executors may use, and its clock. */
#ifndef OG_BASE_HOST_H
#define OG_BASE_HOST_H

#include <stdbool.h>
#include <stdint.h>

enum og_host_level { OG_HOST_BASELINE, OG_HOST_AVX2, OG_HOST_AVX512 };

/* What vector code is compiled for in this build, beside the plainest host (OG_HOST_LEVELS of CMakeLists.txt). */
#if defined __x86_64__ && !defined OG_WITHOUT_AVX512
#define OG_HAS_AVX512
#endif
#if defined __x86_64__ && !defined OG_WITHOUT_AVX2
#define OG_HAS_AVX2
#endif

/* The best that this processor has, or less where the environment variable OFFGRID_HOST says baseline, avx2 or
 * avx512. */
enum og_host_level og_host_level(void);
/* Is this a value that OFFGRID_HOST takes? */
bool og_host_level_parse(const char *text, enum og_host_level *level);

/* How many processors this thread may run on: a container, or taskset, may leave fewer than there are. */
unsigned og_host_processors(void);

/* Tells the processor that this thread spins. */
static inline void og_spin(void) {
#if defined __x86_64__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

/* Nanoseconds since some fixed moment. */
uint64_t og_clock(void);

#endif
