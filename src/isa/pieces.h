/* pieces.h - fields in an instruction's words: runs of bits, read and written. */
#ifndef OG_ISA_PIECES_H
#define OG_ISA_PIECES_H

#include "isa/isa.h"

/* The instruction as little-endian words: 160 bits at most, plus one word so that runs may cross word boundaries. */
enum { OG_WORDS = 4 };
static inline uint64_t og_bits(const uint64_t *words, unsigned at, unsigned width) {
  uint64_t bits = words[at >> 6] >> (at & 63);
  if ((at & 63) + width > 64)
    bits |= words[(at >> 6) + 1] << (64 - (at & 63));
  return width >= 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}
/* Most fields are one run. */
static inline uint64_t og_gather(const uint64_t *words, const struct og_piece *pieces, unsigned count) {
  uint64_t value = og_bits(words, pieces[0].at, pieces[0].width) << pieces[0].to;
  for (unsigned i = 1; i < count && pieces[i].width; i++)
    value |= og_bits(words, pieces[i].at, pieces[i].width) << pieces[i].to;
  return value;
}

static inline void og_put_piece(uint64_t *words, struct og_piece piece, uint64_t value) {
  unsigned at = piece.at & 63;
  uint64_t bits = value >> piece.to & UINT64_MAX >> (64 - piece.width);
  words[piece.at >> 6] |= bits << at;
  if (at + piece.width > 64)
    words[(piece.at >> 6) + 1] |= bits >> (64 - at);
}

/* Most modifiers are 0. */
static inline bool og_scatter(uint64_t *words, const struct og_piece *pieces, unsigned count, uint64_t value) {
  if (value)
    for (unsigned i = 0; i < count && pieces[i].width; i++)
      og_put_piece(words, pieces[i], value);
  return true;
}

#endif
