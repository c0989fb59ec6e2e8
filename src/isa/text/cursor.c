/* cursor.c - reads names, numbers and comments at a place in assembly text. */
#include "isa/text/cursor.h"

#include <string.h>

const uint8_t og_name_characters[256] = {['a' ... 'z'] = OG_NAME_START | OG_NAME_CHAR,
                                         ['A' ... 'Z'] = OG_NAME_START | OG_NAME_CHAR,
                                         ['_'] = OG_NAME_START | OG_NAME_CHAR,
                                         ['.'] = OG_NAME_START | OG_NAME_CHAR,
                                         ['$'] = OG_NAME_START | OG_NAME_CHAR,
                                         ['0' ... '9'] = OG_NAME_CHAR,
                                         ['?'] = OG_NAME_CHAR,
                                         [','] = OG_NUMBER_END,
                                         [':'] = OG_NUMBER_END,
                                         [']'] = OG_NUMBER_END,
                                         [')'] = OG_NUMBER_END,
                                         ['\n'] = OG_NUMBER_END | OG_MAY_END,
                                         [';'] = OG_NUMBER_END | OG_MAY_END,
                                         ['\0'] = OG_NUMBER_END | OG_MAY_END,
                                         ['\r'] = OG_MAY_END,
                                         ['/'] = OG_MAY_END};

int og_digit_value(char c) {
  return og_is_digit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'z' ? (c | 32) - 'a' + 10 : 99;
}

const char *og_after_opening(const char *p, const char *word) {
  if (!og_word_at(p, word))
    return NULL;
  p = og_after_blanks(p + strlen(word));
  return *p == '(' ? p + 1 : NULL;
}

const char *og_after_comments(const char *p, const char **open) {
  while (p[0] == '/' && p[1] == '*') {
    const char *end = strstr(p + 2, "*/");
    if (!end)
      return *open = p, p + strlen(p);
    p = og_after_blanks(end + 2);
  }
  return p;
}

bool og_is_real(const char *p) {
  if (*p == '0' && (p[1] | 32) == 'x') {
    p += 2;
    while (og_is_digit(*p) || ((*p | 32) >= 'a' && (*p | 32) <= 'f'))
      p++;
    return *p == '.' || (*p | 32) == 'p';
  }
  const char *start = p;
  while (og_is_digit(*p))
    p++;
  if (*p == '.' && (p > start || og_is_digit(p[1])))
    return true;
  return p > start && (*p | 32) == 'e' && (og_is_digit(p[1]) || ((p[1] == '-' || p[1] == '+') && og_is_digit(p[2])));
}

const char *og_plain_number(const char *p, int64_t *out) {
  bool negative = *p == '-';
  p += negative;
  const char *start = p;
  uint64_t value = 0;
  if (*p == '0' && p[1] == 'x') {
    start = p += 2;
    for (int d; (d = og_digit_value(*p)) < 16 && p - start < 15; p++)
      value = value << 4 | (unsigned)d;
  } else {
    while (og_is_digit(*p) && p - start < 15)
      value = value * 10 + (unsigned)(*p++ - '0');
    if (*start == '0' && p > start + 1) /* octal */
      return NULL;
  }
  if (p == start)
    return NULL;
  bool blank = *p == ' ' || *p == '\t';
  p = og_after_blanks(p);
  if (!(og_name_characters[(uint8_t)*p] & OG_NUMBER_END) && !(blank && og_name_start(*p)))
    return NULL;
  *out = (int64_t)(negative ? 0 - value : value);
  return p;
}
