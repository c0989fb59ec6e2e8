/* comment.h - the comment behind a disassembled instruction: its address and its words, without formatting calls and, for
 * most, without a branch: every instruction has one. */
#ifndef OG_COMMENT_H
#define OG_COMMENT_H

#include <string.h>

#include "base/base.h"

enum { OG_COMMENT_COLUMN_MOST = 64, OG_COMMENT_ROOM = 256 };

typedef int8_t og_hex_digits __attribute__((vector_size(16)));

/* Sixteen digits in reading order, all at once: each half byte in a byte of its own, then '0' to '9' or 'A' to 'F'. */
static inline og_hex_digits og_hex(uint64_t value) {
  typedef uint64_t pair __attribute__((vector_size(16)));
  typedef uint8_t bytes __attribute__((vector_size(16)));
  bytes b = (bytes)(pair){__builtin_bswap64(value), 0};
  og_hex_digits halves = (og_hex_digits)__builtin_shufflevector(b >> 4, b & 15, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21,
                                                                6, 22, 7, 23);
  return halves + '0' + ((og_hex_digits)(halves > 9) & ('A' - '9' - 1));
}

/* Sizes other than one word or two: words, or bytes of a partial one. */
char *og_comment_odd(char *at, const uint8_t *code, size_t size);

/* As og_comment(), where there is room for OG_COMMENT_ROOM characters behind `used` of the line. Yields the end. */
static inline char *og_comment_at(char *at, size_t used, unsigned column, const uint64_t *address, const uint8_t *code,
                                  size_t size) {
  static const char spaces[OG_COMMENT_COLUMN_MOST + 1] =
      "                                                                ";
  if (used < column) {
    memcpy(at, spaces, OG_COMMENT_COLUMN_MOST);
    at += column - used;
  }
  memcpy(at, "// ", 3);
  at += 2;
  if (address) { /* twelve digits, more where there are more */
    unsigned left_out = *address >> 48 ? 0 : 16;
    og_hex_digits text = og_hex(*address << left_out);
    memcpy(at + 1, &text, 16);
    at += 17 - left_out / 4;
    *at++ = ':';
  }
  if (size != 4 && size != 8)
    return og_comment_odd(at, code, size);
  /* Both words are written, and the second left out where there is none. */
  og_hex_digits text = og_hex((uint64_t)og_load32(code) << 32 | og_load32(code + size - 4));
  at[0] = at[9] = ' ';
  memcpy(at + 1, &text, 8);
  memcpy(at + 10, (char *)&text + 8, 8);
  return at + size / 4 * 9;
}

/* Fills the line that begins at `start` up to `column`, then appends "//", the address if there is one, and the words
 * in upper case; a partial word in bytes. `address` NULL: none; `size` 0: no words. */
void og_comment(struct og_buffer *out, size_t start, unsigned column, const uint64_t *address, const uint8_t *code,
                size_t size);

#endif
