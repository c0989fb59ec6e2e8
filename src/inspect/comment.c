/* comment.c - comments for data and unusual instructions. */
#include "inspect/comment.h"

char *og_comment_odd(char *at, const uint8_t *code, size_t size) {
  size_t step = size < 4 ? 1 : 4;
  for (size_t i = 0; i + step <= OG_MIN(size, (size_t)32); i += step) {
    og_hex_digits text = og_hex(step == 1 ? (uint64_t)code[i] << 56 : (uint64_t)og_load32(code + i) << 32, 'A');
    *at = ' ';
    memcpy(at + 1, &text, 16);
    at += 1 + 2 * step;
  }
  return at;
}

void og_comment(struct og_buffer *out, size_t start, unsigned column, const uint64_t *address, const uint8_t *code,
                size_t size) {
  char *at = og_buffer_room(out, OG_COMMENT_ROOM);
  out->size = (size_t)(og_comment_at(at, out->size - start, column, address, code, size) - (char *)out->data);
}
