/* comment.c - address and words in hexadecimal, without formatting calls: every instruction has them. */
#include "inspect/comment.h"

#include <string.h>

#define PAIR(n) {"0123456789ABCDEF"[(n) >> 4], "0123456789ABCDEF"[(n) & 15]},
#define PAIRS_4(n) PAIR(n) PAIR((n) + 1) PAIR((n) + 2) PAIR((n) + 3)
#define PAIRS_16(n) PAIRS_4(n) PAIRS_4((n) + 4) PAIRS_4((n) + 8) PAIRS_4((n) + 12)
#define PAIRS_64(n) PAIRS_16(n) PAIRS_16((n) + 16) PAIRS_16((n) + 32) PAIRS_16((n) + 48)
static const char pairs[256][2] = {PAIRS_64(0) PAIRS_64(64) PAIRS_64(128) PAIRS_64(192)};

static inline char *hex8(char *at, unsigned value) { return (char *)memcpy(at, pairs[value & 255], 2) + 2; }
static inline char *hex32(char *at, uint32_t value) {
  return hex8(hex8(hex8(hex8(at, value >> 24), value >> 16), value >> 8), value);
}

void og_comment(struct og_buffer *out, size_t start, unsigned column, const uint64_t *address, const uint8_t *code,
                size_t size) {
  char *from = og_buffer_room(out, column + 128), *at = from;
  size_t used = out->size - start;
  if (used < column) {
    static const char spaces[] = "                                ";
    for (size_t i = 0; i < column - used; i += 32)
      memcpy(at + i, spaces, 32);
    at += column - used;
  }
  *at++ = '/';
  *at++ = '/';
  if (address) {
    *at++ = ' ';
    at = *address >> 48 ? hex32(at, (uint32_t)(*address >> 32))
                        : hex8(hex8(at, *address >> 40 & 255), *address >> 32 & 255);
    at = hex32(at, (uint32_t)*address);
    *at++ = ':';
  }
  size_t words = OG_MIN(size / 4, 8u);
  for (size_t i = 0; i < words; i++) {
    *at++ = ' ';
    at = hex32(at, og_load32(code + 4 * i));
  }
  for (size_t i = 0; size < 4 && i < size; i++) {
    *at++ = ' ';
    at = hex8(at, code[i]);
  }
  out->size += (size_t)(at - from);
}
