/* digest.c - MD5 (RFC 1321), for names that compilers know functions by, and SHA-1 (FIPS 180-4), for build ids. */
#include "base/base.h"

#include <string.h>

static uint32_t rotate(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

/* All in blocks of 64 bytes, a one and zeros after it, then its size in bits, in the digest's order of bytes. */
static void digest_blocks(void (*block)(uint32_t *h, const uint8_t *p), uint32_t *h, const uint8_t *p, size_t size,
                          bool is_big_endian) {
  size_t left = size;
  for (; left >= 64; left -= 64, p += 64)
    block(h, p);
  uint8_t tail[128] = {0};
  size_t tail_size = left < 56 ? 64 : 128;
  uint64_t bits = (uint64_t)size * 8;
  if (left)
    memcpy(tail, p, left);
  tail[left] = 0x80;
  og_store64(tail + tail_size - 8, is_big_endian ? __builtin_bswap64(bits) : bits);
  for (size_t i = 0; i < tail_size; i += 64)
    block(h, tail + i);
}

/* RFC 1321, section 3.4: the four rounds. */
static void md5_block(uint32_t *h, const uint8_t *p) {
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
  digest_blocks(md5_block, h, data, size, false);
  for (int i = 0; i < 4; i++)
    og_store32(digest + 4 * i, h[i]);
}

static uint32_t big_endian(const uint8_t *p) { return __builtin_bswap32(og_load32(p)); }

/* FIPS 180-4, section 6.1.2. */
static void sha1_block(uint32_t *h, const uint8_t *p) {
  uint32_t w[80];
  for (int i = 0; i < 80; i++)
    w[i] = i < 16 ? big_endian(p + 4 * i) : rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int i = 0; i < 80; i++) {
    uint32_t f = i < 20 ? (b & c) | (~b & d) : i >= 40 && i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
    uint32_t k = i < 20 ? 0x5a827999 : i < 40 ? 0x6ed9eba1 : i < 60 ? 0x8f1bbcdc : 0xca62c1d6;
    uint32_t next = rotate(a, 5) + f + e + k + w[i];
    e = d, d = c, c = rotate(b, 30), b = a, a = next;
  }
  h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

void og_sha1(const void *data, size_t size, uint8_t digest[20]) {
  uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  digest_blocks(sha1_block, h, data, size, true);
  for (int i = 0; i < 5; i++)
    og_store32(digest + 4 * i, __builtin_bswap32(h[i]));
}
