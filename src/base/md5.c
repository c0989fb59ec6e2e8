/* md5.c - MD5 (RFC 1321), for names that compilers know functions by. */
#include "base/base.h"

#include <string.h>

static uint32_t rotate(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

/* RFC 1321, section 3.4: the four rounds. */
static void block(uint32_t h[4], const uint8_t *p) {
  static const uint8_t turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  static const uint8_t step[4] = {1, 5, 3, 7}, first[4] = {0, 1, 5, 0};
  uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
  for (unsigned i = 0; i < 64; i++) {
    unsigned round = i / 16, word = (first[round] + i * step[round]) % 16;
    uint32_t f = round == 0   ? (b & c) | (~b & d)
                 : round == 1 ? (b & d) | (c & ~d)
                 : round == 2 ? b ^ c ^ d
                              : c ^ (b | ~d);
    double sine = __builtin_sin((double)(i + 1));
    uint32_t k = (uint32_t)((sine < 0 ? -sine : sine) * 4294967296.0);
    uint32_t next = b + rotate(a + f + k + og_load32(p + 4 * word), turns[round][i % 4]);
    a = d, d = c, c = b, b = next;
  }
  h[0] += a, h[1] += b, h[2] += c, h[3] += d;
}

void og_md5(const void *data, size_t size, uint8_t digest[16]) {
  uint32_t h[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const uint8_t *p = data;
  size_t left = size;
  for (; left >= 64; left -= 64, p += 64)
    block(h, p);
  uint8_t tail[128] = {0};
  size_t tail_size = left < 56 ? 64 : 128;
  memcpy(tail, p, left);
  tail[left] = 0x80;
  og_store64(tail + tail_size - 8, (uint64_t)size * 8);
  for (size_t i = 0; i < tail_size; i += 64)
    block(h, tail + i);
  for (int i = 0; i < 4; i++)
    og_store32(digest + 4 * i, h[i]);
}
