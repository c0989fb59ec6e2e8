/* vopd.c - two instructions in one: their names. */
#include "isa/text/parts.h"

#include <string.h>
#include <strings.h>

const char *og_second_half(struct og_inst_reader *in) {
  const char *p = in->p;
  while (!og_ends_statement(p) && !(p[0] == ':' && p[1] == ':'))
    p++;
  in->colons = p;
  return *p == ':' ? og_after_blanks(p + 2) : NULL;
}

struct og_text og_first_half(struct og_text name) {
  if (name.size < 7 || strncasecmp(name.data, "v_dual_", 7))
    return (struct og_text){NULL, 0};
  bool suffix = name.size > 11 && !strncasecmp(name.data + name.size - 4, "_e32", 4);
  return (struct og_text){name.data, name.size - (suffix ? 4 : 0)};
}

bool og_begins_pair(const struct og_isa *isa, struct og_text name) {
  for (unsigned i = og_form_count(isa); i-- > 0 && og_form(isa, i)->encoding == OG_ENC_VOPD;) { /* they stand last */
    const char *form = og_form_name(og_form(isa, i));
    if (strlen(form) == name.size && !strncasecmp(name.data, form, name.size))
      return true;
  }
  return false;
}

bool og_pair_name(struct og_inst_reader *in, struct og_text first, char room[OG_PAIR_ROOM], struct og_text *pair) {
  const char *second = og_second_half(in), *end;
  if (!second)
    return og_in_error(in, first.data, first.size, "too few operands for instruction");
  end = og_after_name(second);
  if (end == second)
    return og_in_error(in, second, 1, "expected a VOPDY instruction after ::");
  size_t size = (size_t)(end - second), most = OG_PAIR_ROOM - first.size - 4; /* no name is so long */
  memcpy(room, first.data, first.size);
  memcpy(room + first.size, " :: ", 4);
  memcpy(room + first.size + 4, second, OG_MIN(size, most));
  *pair = (struct og_text){room, first.size + 4 + OG_MIN(size, most)};
  return true;
}
