/* comment.h - the comment behind a disassembled instruction: its address and its words. */
#ifndef OG_COMMENT_H
#define OG_COMMENT_H

#include "base/base.h"

enum { OG_COMMENT_COLUMN_MOST = 64 };

/* Fills the line that begins at `start` up to `column`, then appends "//", the address if there is one, and the words
 * in upper case; what is less than a word, in bytes. `address` NULL: none; `size` 0: no words. */
void og_comment(struct og_buffer *out, size_t start, unsigned column, const uint64_t *address, const uint8_t *code,
                size_t size);

#endif
