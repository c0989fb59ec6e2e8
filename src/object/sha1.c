/* sha1.c - SHA-1 (FIPS 180-4), for build ids. */
#include "object/internal.h"

#include <string.h>

static uint32_t rotate(uint32_t x, unsigned n) {
  return x << n | x >> (32 - n);
}

static uint32_t big_endian(const uint8_t *p) {
  return __builtin_bswap32(og_load32(p));
}

static void block(uint32_t h[5], const uint8_t *p) {
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
  const uint8_t *p = data;
  size_t left = size;
  for (; left >= 64; left -= 64, p += 64)
    block(h, p);
  uint8_t tail[128] = {0};
  size_t tail_size = left < 56 ? 64 : 128;
  memcpy(tail, p, left);
  tail[left] = 0x80;
  og_store64(tail + tail_size - 8, __builtin_bswap64((uint64_t)size * 8));
  for (size_t i = 0; i < tail_size; i += 64)
    block(h, tail + i);
  for (int i = 0; i < 5; i++)
    og_store32(digest + 4 * i, __builtin_bswap32(h[i]));
}
