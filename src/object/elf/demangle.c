/* demangle.c - C++ names in words. libiberty reads them; LLVM's tools, which our output is held against, say a few
 * things in other words. */
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "object/elf/elf.h"

/* "{lambda(int)#2}" is LLVM's 'lambda0'(int), "{unnamed type#1}" its 'unnamed': the first has no number. Yields what
 * follows, or NULL where none of them stands. */
static const char *put_unnamed(const char *at, struct og_buffer *out) {
  bool lambda = strncmp(at, "{lambda", 7) == 0;
  const char *end = lambda || strncmp(at, "{unnamed type", 13) == 0 ? strchr(at, '}') : NULL;
  const char *hash = end;
  while (hash && hash > at && *hash != '#')
    hash--;
  if (!end || *hash != '#')
    return NULL;
  unsigned long number = strtoul(hash + 1, NULL, 10);
  og_buffer_text(out, lambda ? "'lambda" : "'unnamed");
  if (number > 1)
    og_buffer_printf(out, "%lu", number - 2);
  og_buffer_u8(out, '\'');
  if (lambda)
    og_buffer_append(out, at + 7, (size_t)(hash - at) - 7);
  return end + 1;
}

static const char *put_other_word(const char *at, struct og_buffer *out) {
  static const struct { const char *theirs, *ours; } words[] = {{"decltype(nullptr)", "std::nullptr_t"},
                                                                {"decltype (", "decltype("}};
  for (size_t i = 0; i < OG_COUNT(words); i++) {
    size_t size = strlen(words[i].theirs);
    if (strncmp(at, words[i].theirs, size) == 0) {
      og_buffer_text(out, words[i].ours);
      return at + size;
    }
  }
  size_t digits = strncmp(at, "__vector(", 9) == 0 ? strspn(at + 9, "0123456789") : 0;
  if (!digits || at[9 + digits] != ')')
    return NULL;
  og_buffer_printf(out, "vector[%.*s]", (int)digits, at + 9);
  return at + 10 + digits;
}

static void put_words(const char *at, struct og_buffer *out) {
  while (*at) {
    const char *after = *at == '{' ? put_unnamed(at, out) : *at == 'd' || *at == '_' ? put_other_word(at, out) : NULL;
    if (after) {
      at = after;
      continue;
    }
    og_buffer_u8(out, (uint8_t)*at);
    at += at[0] == '>' && at[1] == ' ' && at[2] == '>' ? 2 : 1; /* a<b<c> > */
  }
}

const char *og_demangle(struct og_arena *arena, const char *name) {
  if (strncmp(name, "_Z", 2) != 0)
    return name;
  size_t size = strcspn(name, "."); /* compilers and kernel descriptors add ".kd" and the like */
  char *words = cplus_demangle_v3(og_arena_copy(arena, name, size), DMGL_PARAMS | DMGL_ANSI);
  if (!words)
    return name;
  struct og_buffer out = {0};
  put_words(words, &out);
  free(words);
  if (name[size])
    og_buffer_printf(&out, " (%s)", name + size);
  const char *text = og_arena_copy(arena, (const char *)out.data, out.size);
  og_buffer_free(&out);
  return text;
}
