/* guard.h - gaps between threads' memory: a build with AddressSanitizer reports accesses to them. */
#ifndef OG_VISA_GUARD_H
#define OG_VISA_GUARD_H

#include <stddef.h>

enum { OG_VX_GUARD = 64 /* bytes of a gap, aligned to as many */ };

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OG_VX_GUARDED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define OG_VX_GUARDED 1
#endif

#ifdef OG_VX_GUARDED
#include <sanitizer/asan_interface.h>
static inline void og_vx_guard(void *gap) { __asan_poison_memory_region(gap, OG_VX_GUARD); }
/* Before memory with gaps goes back to the system. */
static inline void og_vx_unguard(void *memory, size_t size) { __asan_unpoison_memory_region(memory, size); }
#else
static inline void og_vx_guard(void *gap) { (void)gap; }
static inline void og_vx_unguard(void *memory, size_t size) { (void)memory, (void)size; }
#endif

#endif
