/* comment.h - the comment behind a disassembled instruction: its address and its words. Every instruction has one, so
 * it calls no formatting function and, for most, takes no branch. */
#ifndef OG_COMMENT_H
#define OG_COMMENT_H

#include <string.h>

#include "base/base.h"
#include "base/hex.h"

enum { OG_COMMENT_COLUMN_MOST = 64, OG_COMMENT_ROOM = 256 };

/* For other sizes than one word or two: writes the words, or the bytes of a partial one. */
char *og_comment_odd(char *at, const uint8_t *code, size_t size);

/* As og_comment(), if there is room for OG_COMMENT_ROOM characters after `used` characters of the line. Returns the
 * end. */
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
  if (address) { /* twelve digits, or more if the address has more */
    unsigned left_out = *address >> 48 ? 0 : 16;
    og_hex_digits text = og_hex(*address << left_out, 'A');
    memcpy(at + 1, &text, 16);
    at += 17 - left_out / 4;
    *at++ = ':';
  }
  if (size != 4 && size != 8)
    return og_comment_odd(at, code, size);
  /* both words are written; the second is cut off again if there is only one */
  og_hex_digits text = og_hex((uint64_t)og_load32(code) << 32 | og_load32(code + size - 4), 'A');
  at[0] = at[9] = ' ';
  memcpy(at + 1, &text, 8);
  memcpy(at + 10, (char *)&text + 8, 8);
  return at + size / 4 * 9;
}

/* Fills the line that begins at `start` with blanks up to `column`, then appends "//", the address, and the words in
 * upper case; a partial word as bytes. `address` NULL: no address; `size` 0: no words. */
void og_comment(struct og_buffer *out, size_t start, unsigned column, const uint64_t *address, const uint8_t *code,
                size_t size);

#endif
