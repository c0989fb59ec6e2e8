/* cursor.h - characters, names and plain numbers of assembly text. Texts end in a NUL. */
#ifndef OG_CURSOR_H
#define OG_CURSOR_H

#include "base/base.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { OG_NAME_START = 1, OG_NAME_CHAR = 2, OG_NUMBER_END = 4, OG_MAY_END = 8 };
extern const uint8_t og_name_characters[256]; /* sets of these */
static inline bool og_name_start(char c) { return og_name_characters[(uint8_t)c] & OG_NAME_START; }
static inline bool og_name_char(char c) { return og_name_characters[(uint8_t)c] & OG_NAME_CHAR; }
static inline bool og_is_digit(char c) { return c >= '0' && c <= '9'; }
int og_digit_value(char c); /* of any base up to 36; 99 if it is no digit */

/* Where the text goes on after the blanks, the name or the comments at p, if any are there. */
static inline const char *og_after_blanks(const char *p) {
  while (*p == ' ' || *p == '\t')
    p++;
  return p;
}
/* The same, and whether a comment may stand there: mostly one blank or none stands before a letter or a digit. */
static inline const char *og_after_blank(const char *p, bool *comment) {
  p += *p == ' ';
  *comment = false;
  if ((uint8_t)*p > '/')
    return p;
  p = og_after_blanks(p);
  *comment = *p == '/';
  return p;
}
static inline const char *og_after_name(const char *p) {
  while (og_name_char(*p))
    p++;
  return p;
}
/* The same at places before `wide`, where OG_WIDE characters can be read at once: loops over names of any length are
 * what a processor predicts worst. */
enum { OG_WIDE = 32 };
#ifdef __SSE2__
static inline uint32_t og_name_bits(const char *p) {
  __m128i c = _mm_loadu_si128((const __m128i *)p), digit = _mm_sub_epi8(c, _mm_set1_epi8('0')),
          letter = _mm_sub_epi8(_mm_or_si128(c, _mm_set1_epi8(32)), _mm_set1_epi8('a'));
  __m128i plain = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(25)), letter),
                               _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit));
  __m128i others =
      _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8('_')), _mm_cmpeq_epi8(c, _mm_set1_epi8('.'))),
                   _mm_or_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8('$')), _mm_cmpeq_epi8(c, _mm_set1_epi8('?'))));
  return (uint32_t)_mm_movemask_epi8(_mm_or_si128(plain, others));
}
#endif
/* The same for names that mostly have less than half as many. */
static inline const char *og_after_short_name(const char *p, const char *wide) {
#ifdef __SSE2__
  for (; p < wide; p += OG_WIDE / 2) {
    uint32_t ends = ~og_name_bits(p) & 0xffff;
    if (ends)
      return p + __builtin_ctz(ends);
  }
#endif
  (void)wide;
  return og_after_name(p);
}
static inline const char *og_after_wide_name(const char *p, const char *wide) {
#ifdef __SSE2__
  for (; p < wide; p += OG_WIDE) {
    uint32_t ends = ~(og_name_bits(p) | og_name_bits(p + OG_WIDE / 2) << OG_WIDE / 2);
    if (ends)
      return p + __builtin_ctz(ends);
  }
#endif
  (void)wide;
  return og_after_name(p);
}
/* The same as og_text_equal() for names, most of which have 8 to 24 characters: memcmp branches on the size. */
static inline bool og_name_equal(struct og_text a, struct og_text b) {
  if (a.size != b.size || a.size < 8 || a.size > 24)
    return og_text_equal(a, b);
  size_t middle = a.size / 2 - 4, last = a.size - 8;
  return !((og_load64(a.data) ^ og_load64(b.data)) | (og_load64(a.data + middle) ^ og_load64(b.data + middle)) |
           (og_load64(a.data + last) ^ og_load64(b.data + last)));
}
/* Whether that word is at p; the place after the word and "(", NULL if these are not at p. */
static inline bool og_word_at(const char *p, const char *word) {
  size_t size = __builtin_strlen(word);
  return *p == *word && !__builtin_strncmp(p, word, size) && !og_name_char(p[size]);
}
const char *og_after_opening(const char *p, const char *word);
/* Comments between slashes, and blanks after them. If one does not end: the text's end, and *open is where it
 * begins. */
const char *og_after_comments(const char *p, const char **open);
/* End of statement: line end, text end or a comment to the line's end. */
static inline bool og_ends_statement(const char *p) {
  return og_name_characters[(uint8_t)*p] & OG_MAY_END && (*p != '/' || p[1] == '/');
}

/* Most values are a few digits that nothing continues: yields the place after them and blanks; NULL if anything else is
 * at p. */
const char *og_plain_number(const char *p, int64_t *out);
/* A number with a fraction or an exponent stands at p. */
bool og_is_real(const char *p);

#endif
