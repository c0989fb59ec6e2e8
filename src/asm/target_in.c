/* target_in.c - which target a source names itself. */
#include "asm/asm.h"

#include <string.h>

struct og_text og_asm_target_in(const char *text, size_t size) {
  static const char directive[] = ".amdgcn_target";
  const char *at = size ? memmem(text, size, directive, sizeof directive - 1) : NULL;
  if (!at)
    return (struct og_text){0};
  const char *end = text + size, *open = memchr(at, '"', (size_t)(end - at));
  const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
  return close ? (struct og_text){open + 1, (size_t)(close - open - 1)} : (struct og_text){0};
}
