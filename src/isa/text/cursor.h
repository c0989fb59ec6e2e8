/* cursor.h - characters, names and plain numbers of assembly text. Texts end in a NUL. */
#ifndef OG_CURSOR_H
#define OG_CURSOR_H

#include "base/base.h"

enum { OG_NAME_START = 1, OG_NAME_CHAR = 2 };
extern const uint8_t og_name_characters[256];
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
static inline const char *og_after_name(const char *p) {
  while (og_name_char(*p))
    p++;
  return p;
}
/* Whether that word is at p; the place after the word and "(", NULL if these are not at p. */
bool og_word_at(const char *p, const char *word);
const char *og_after_opening(const char *p, const char *word);
/* Comments between slashes, and blanks after them. If one does not end: the text's end, and *open is where it begins. */
const char *og_after_comments(const char *p, const char **open);
/* End of statement: line end, text end or a comment to the line's end. */
static inline bool og_ends_statement(const char *p) {
  return *p == '\n' || *p == '\0' || *p == ';' || *p == '\r' || (*p == '/' && p[1] == '/');
}

/* Most values are a few digits that nothing continues: yields the place after them and blanks; NULL if anything else is
 * at p. */
const char *og_plain_number(const char *p, int64_t *out);
/* A number with a fraction or an exponent stands at p. */
bool og_is_real(const char *p);

#endif
