/* fresh.c - global memory that nothing has written since it was allocated. It is filled with a pattern that depends on
 * the address, and eight bytes that still hold the pattern count as never written. So neither copies nor writes of the
 * host have to be followed. */
#include "check/uninit.h"
#include "exec/memory.h"

#include <string.h>

/* To write this pattern by chance a program would have to guess 64 bits. */
static uint64_t pattern(uint64_t address) {
  uint64_t x = (address ^ 0x6f6666677269642eu) * 0x9e3779b97f4a7c15u;
  return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
}

void og_check_make_fresh(void *memory, size_t size) {
  uint64_t *words = memory;
  for (size_t i = 0; i < size / 8; i++)
    words[i] = pattern((uintptr_t)&words[i]);
}

/* The bits of up to eight bytes that nothing has written. */
uint64_t og_check_fresh_bits(const struct og_wave *wave, struct og_window *window, uint64_t address, unsigned size) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < size;) {
    uint64_t at = (address + i) & ~7ull, word;
    unsigned skip = (unsigned)(address + i - at), part = OG_MIN(8 - skip, size - i);
    if (!og_window_holds(window, at, 8) && !og_memory_map_find(wave->group->map, at, 8, OG_MEMORY_READ, window))
      return bits;
    memcpy(&word, (const void *)(uintptr_t)(at + window->shift), sizeof word);
    if (word == pattern(at + window->shift))
      bits |= (part == 8 ? UINT64_MAX : (1ull << 8 * part) - 1) << 8 * i;
    i += part;
  }
  return bits;
}
