/* hex.h - sixteen hexadecimal digits at once, without formatting calls or a branch. */
#ifndef OG_HEX_H
#define OG_HEX_H

#include <stdint.h>

typedef int8_t og_hex_digits __attribute__((vector_size(16)));

/* In reading order: each half byte in a byte of its own, then '0' to '9' or letters, of which `ten` is the first. */
static inline og_hex_digits og_hex(uint64_t value, char ten) {
  typedef uint64_t pair __attribute__((vector_size(16)));
  typedef uint8_t bytes __attribute__((vector_size(16)));
  bytes b = (bytes)(pair){__builtin_bswap64(value), 0};
  og_hex_digits halves =
      (og_hex_digits)__builtin_shufflevector(b >> 4, b & 15, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  return halves + '0' + ((og_hex_digits)(halves > 9) & (char)(ten - '9' - 1));
}

/* Without leading zeros, where there is room for 16 characters. Yields the end. */
static inline char *og_hex_text(char *at, uint64_t value, char ten) {
  unsigned digits = value ? (67 - (unsigned)__builtin_clzll(value)) / 4 : 1;
  og_hex_digits text = og_hex(value << (64 - 4 * digits), ten);
  __builtin_memcpy(at, &text, 16);
  return at + digits;
}

#endif
