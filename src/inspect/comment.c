/* comment.c - address and words in hexadecimal, without formatting calls and, for most instructions, without a branch:
 * every instruction has them. */
#include "inspect/comment.h"

#include <string.h>

typedef uint8_t og_hex_v16 __attribute__((vector_size(16)));

/* Sixteen digits in the order in which they stand, all at a time: each half byte in a byte of its own, then '0' to '9'
 * or 'A' to 'F'. */
static inline og_hex_v16 digits(uint64_t value) {
  typedef uint64_t pair __attribute__((vector_size(16)));
  og_hex_v16 bytes = (og_hex_v16)(pair){__builtin_bswap64(value), 0};
  og_hex_v16 halves = __builtin_shufflevector(bytes >> 4, bytes & 15, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22,
                                              7, 23);
  return halves + '0' + ((og_hex_v16)(halves > 9) & ('A' - '9' - 1));
}

/* Twelve digits, more where there are more. */
static inline char *put_address(char *at, uint64_t address) {
  unsigned left_out = address >> 48 ? 0 : 16;
  og_hex_v16 text = digits(address << left_out);
  return (char *)memcpy(at, &text, 16) + 16 - left_out / 4;
}

/* What is not one word or two. */
static char *put_odd(char *at, const uint8_t *code, size_t size) {
  size_t step = size < 4 ? 1 : 4;
  for (size_t i = 0; i + step <= OG_MIN(size, (size_t)32); i += step) {
    og_hex_v16 text = digits(step == 1 ? (uint64_t)code[i] << 56 : (uint64_t)og_load32(code + i) << 32);
    *at = ' ';
    memcpy(at + 1, &text, 16);
    at += 1 + 2 * step;
  }
  return at;
}

void og_comment(struct og_buffer *out, size_t start, unsigned column, const uint64_t *address, const uint8_t *code,
                size_t size) {
  static const char spaces[OG_COMMENT_COLUMN_MOST + 1] = "                                                                ";
  char *from = og_buffer_room(out, column + 128), *at = from;
  size_t used = out->size - start;
  if (used < column) {
    memcpy(at, spaces, OG_COMMENT_COLUMN_MOST);
    at += column - used;
  }
  at = (char *)memcpy(at, "//", 2) + 2;
  if (address) {
    *at++ = ' ';
    at = put_address(at, *address);
    *at++ = ':';
  }
  if (size == 4 || size == 8) { /* both words are written, and the second left out where there is none */
    og_hex_v16 text = digits((uint64_t)og_load32(code) << 32 | og_load32(code + size - 4));
    at[0] = at[9] = ' ';
    memcpy(at + 1, &text, 8);
    memcpy(at + 10, (char *)&text + 8, 8);
    at += size / 4 * 9;
  } else {
    at = put_odd(at, code, size);
  }
  out->size += (size_t)(at - from);
}
