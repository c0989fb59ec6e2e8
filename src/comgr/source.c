/* source.c - looks through a source in OpenCL or HIP for what it may read beside itself. */
#include "comgr/source.h"

#include <string.h>

#include "comgr/comgr.h"
#include "comgr/object.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Words that ask for files or the clock wherever they stand. */
static const char *const asking[] = {
    "__DATE__", "__TIME__", "__TIMESTAMP__", "__has_embed", "__has_include", "__has_include_next",
};

/* Words that do so after "#". */
static const char *const directives[] = {
    "__include_macros", "embed", "import", "include", "include_next",
};

static bool is_among(const char *word, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(word, list[i]) == 0)
      return true;
  return false;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

static bool is_in_word(char c) {
  return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c & 0x80;
}

/* A backslash at a line's end, with blanks between or not, joins two lines anywhere, even within a word. */
static void skip_joints(struct comgr_rest *text) {
  while (text->size && *text->bytes == '\\') {
    size_t end = 1;
    while (end < text->size && is_blank(text->bytes[end]))
      end++;
    if (end == text->size || text->bytes[end] != '\n')
      return;
    text->bytes += end + 1;
    text->size -= end + 1;
  }
}

/* The next character, 0 at the end. */
static char peek(struct comgr_rest *text) {
  skip_joints(text);
  return text->size ? *text->bytes : 0;
}

static void advance(struct comgr_rest *text) {
  skip_joints(text);
  if (text->size) {
    text->bytes++;
    text->size--;
  }
}

/* Takes blanks and comments, which may stand between "#" and a directive and after it. */
static void skip_blanks(struct comgr_rest *text) {
  for (;;) {
    struct comgr_rest comment = *text;
    if (is_blank(peek(text))) {
      advance(text);
      continue;
    }
    advance(&comment);
    if (peek(text) != '/' || peek(&comment) != '*')
      return;
    advance(&comment);
    for (char last = 0; comment.size && !(last == '*' && peek(&comment) == '/'); advance(&comment))
      last = peek(&comment);
    advance(&comment);
    *text = comment;
  }
}

/* Takes a word, cut to what the lists' longest and one more need. */
static void take_word(struct comgr_rest *text, char word[32]) {
  size_t length = 0;
  for (; text->size && is_in_word(peek(text)); advance(text))
    if (length < 31)
      word[length++] = peek(text);
  word[length] = 0;
}

bool og_comgr_is_included(const char *name, size_t length, struct comgr_rest set) {
  struct comgr_object object;
  if (length == 0 || *name == '/' || memmem(name, length, "..", 2))
    return false;
  while (set.size && og_comgr_take_object(&set, &object))
    if (object.kind == COMGR_INCLUDE && object.name.size == length + 1 && memcmp(object.name.bytes, name, length) == 0)
      return true;
  return false;
}

/* Whether what follows `#include` is the name of an object in the set. */
static bool includes_an_object(struct comgr_rest *text, struct comgr_rest set) {
  skip_blanks(text);
  char quote = peek(text), name[256];
  if (quote != '"' && quote != '<')
    return false;
  quote = quote == '<' ? '>' : quote;
  size_t length = 0;
  for (advance(text); text->size && peek(text) != quote && peek(text) != '\n'; advance(text))
    if (length < sizeof name)
      name[length++] = peek(text);
  return peek(text) == quote && length < sizeof name && og_comgr_is_included(name, length, set);
}

bool og_comgr_is_plain_source(struct comgr_rest text, struct comgr_rest set) {
  while (text.size) {
    char c = peek(&text), word[32];
    if (is_in_word(c)) {
      take_word(&text, word);
      if (is_among(word, asking, COUNT(asking)))
        return false;
      continue;
    }
    advance(&text);
    /* Other spellings of "#" and of a backslash, which nobody uses. */
    if ((c == '%' && peek(&text) == ':') || (c == '?' && peek(&text) == '?'))
      return false;
    if (c != '#')
      continue;
    skip_blanks(&text);
    if (!is_in_word(peek(&text)))
      continue;
    take_word(&text, word);
    if (is_among(word, asking, COUNT(asking)) || (is_among(word, directives, COUNT(directives)) &&
                                                  (strcmp(word, "include") != 0 || !includes_an_object(&text, set))))
      return false;
  }
  return true;
}
