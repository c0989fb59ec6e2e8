/* responses.c - replaces @FILE among a command's arguments by the arguments in that file, quoted as for a POSIX
 * shell. */
#include "tool/tool.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 20 };

typedef OG_VECTOR(char *) words;

char *og_next_word(struct og_arena *arena, const char **at) {
  const char *from = *at;
  while (isspace((unsigned char)*from))
    from++;
  if (!*from)
    return NULL;
  char *word = og_arena_alloc(arena, strlen(from) + 1), *to = word, quote = 0;
  for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
    if (*from == quote)
      quote = 0;
    else if (!quote && (*from == '"' || *from == '\''))
      quote = *from;
    else if (*from == '\\' && quote != '\'' && from[1])
      *to++ = *++from;
    else
      *to++ = *from;
  }
  *at = from;
  return word;
}

static bool expand(struct og_arena *arena, char *argument, unsigned depth, words *out,
                   struct og_diagnostics *diagnostics) {
  if (argument[0] != '@' || !argument[1]) {
    *OG_PUSH(arena, out) = argument;
    return true;
  }
  if (depth > DEEPEST)
    return og_error_in(diagnostics, argument + 1, "files of arguments name one another more than %d deep", DEEPEST);
  struct og_buffer file = {0};
  bool good = og_read_file(argument + 1, &file, diagnostics);
  const char *text = og_arena_copy(arena, (const char *)file.data, file.size);
  og_buffer_free(&file);
  for (char *word; good && (word = og_next_word(arena, &text));)
    good = expand(arena, word, depth + 1, out, diagnostics);
  return good;
}

int og_expand_responses(struct og_arena *arena, int argc, char **argv, char ***expanded,
                        struct og_diagnostics *diagnostics) {
  words out = {0};
  *OG_PUSH(arena, &out) = argv[0];
  for (int i = 1; i < argc; i++)
    if (!expand(arena, argv[i], 0, &out, diagnostics))
      return -1;
  int count = (int)out.count;
  *OG_PUSH(arena, &out) = NULL;
  *expanded = out.items;
  return count;
}
