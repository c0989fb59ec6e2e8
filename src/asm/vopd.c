/* vopd.c - two instructions in one: their names. */
#include "asm/operand.h"

#include <string.h>
#include <strings.h>

/* The name of the second half: behind "::" in the statement. Yields its place, or NULL where there is no "::". */
static const char *second_half(const struct og_asm *as) {
  for (const char *p = as->p; *p && *p != '\n' && *p != ';' && !(p[0] == '/' && p[1] == '/'); p++)
    if (p[0] == ':' && p[1] == ':')
      return p + 2 + strspn(p + 2, " \t");
  return NULL;
}

/* The first half's name may end in _e32, which says nothing. */
struct og_text og_asm_first_half(struct og_text name) {
  bool suffix = name.size > 11 && (name.data[2] | 32) == 'd' && !strncasecmp(name.data, "v_dual_", 7) &&
                !strncasecmp(name.data + name.size - 4, "_e32", 4);
  return (struct og_text){name.data, name.size - (suffix ? 4 : 0)};
}

bool og_asm_pair_name(struct og_asm *as, struct og_text mnemonic, struct og_text *pair) {
  const char *second = second_half(as), *end = second;
  if (!second)
    return og_asm_error(as, mnemonic.data, mnemonic.size, "too few operands for instruction");
  while (og_asm_name_char(*end))
    end++;
  if (end == second)
    return og_asm_error(as, second, 1, "expected a VOPDY instruction after ::");
  const char *name = og_arena_printf(as->arena, "%.*s :: %.*s", OG_TEXT_ARGS(mnemonic), (int)(end - second), second);
  *pair = og_text(name);
  return true;
}

bool og_asm_pair_unknown(struct og_asm *as, struct og_text mnemonic) {
  const char *second = second_half(as);
  size_t size = strcspn(second, " \t\n");
  if (size > 7 && og_find_row((struct og_text){second, size}) >= 0 && !memcmp(second, "v_dual_", 7))
    return og_asm_error(as, mnemonic.data, mnemonic.size, "operands are not valid for this GPU or mode");
  return og_asm_error(as, second, OG_MAX(size, 1u), "invalid VOPDY instruction");
}
