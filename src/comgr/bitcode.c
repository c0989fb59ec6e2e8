/* bitcode.c - looks through LLVM bitcode for inline assembly that reads files, which generating code does. */
#include "comgr/bitcode.h"

#include <string.h>

/* Beginnings of directives that read a file, or that could put the name of such a directive together. */
static const char *const directives[] = {".inc", ".irp", ".mac"};

enum { DIRECTIVES = sizeof directives / sizeof *directives, CHARACTER_BITS = 12, PATTERN_BITS = 4 * CHARACTER_BITS };

/* Assembly stands in bitcode as numbers in chunks of 6 bits, of which 5 are the number's, lowest first, and the last
 * says whether more follow: two chunks for a character, anywhere in the stream of bits. */
static uint64_t pattern(const char *text) {
  uint64_t bits = 0;
  for (size_t i = strlen(text); i-- > 0; ) {
    uint64_t character = (unsigned char)text[i];
    bits = bits << CHARACTER_BITS | character >> 5 << 6 | 0x20 | (character & 0x1f);
  }
  return bits;
}

bool og_comgr_is_plain_bitcode(struct comgr_rest bitcode) {
  uint64_t patterns[DIRECTIVES];
  for (size_t i = 0; i < DIRECTIVES; i++)
    patterns[i] = pattern(directives[i]);
  for (size_t at = 0; at + PATTERN_BITS / 8 <= bitcode.size; at++) {
    uint64_t bits = 0;
    size_t left = bitcode.size - at;
    memcpy(&bits, bitcode.bytes + at, left < sizeof bits ? left : sizeof bits);
    for (int shift = 0; shift < 8; shift++)
      for (size_t i = 0; i < DIRECTIVES; i++)
        if (((bits >> shift) & ((1ull << PATTERN_BITS) - 1)) == patterns[i])
          return false;
  }
  return true;
}
