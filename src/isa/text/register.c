/* register.c - registers in all their spellings: by number, by name, as ranges and lists. */
#include "isa/text/parts.h"

#include <string.h>

static bool special_exists(const struct og_inst_reader *in, enum og_special special) {
  bool xnack = special == OG_SPECIAL_XNACK_MASK_LO || special == OG_SPECIAL_XNACK_MASK_HI;
  return og_special_exists(in->isa, special) && (!xnack || in->target->xnack != OG_UNSUPPORTED);
}

static bool in_range(struct og_inst_reader *in, const struct og_text_operand *r) {
  unsigned last = r->reg + OG_MAX(r->dwords, 1u);
  size_t size = (size_t)(in->p - r->at);
  switch (r->register_kind) {
  case OG_OPERAND_SGPR:
    if (last > OG_SGPRS_MOST)
      return og_in_error(in, r->at, size, "register index is out of range");
    if (last > og_sgpr_count(in->isa))
      return og_in_error(in, r->at, size, "%.*s register not available on this GPU", (int)size, r->at);
    break;
  case OG_OPERAND_TTMP:
    if (last > og_ttmp_count(in->isa))
      return og_in_error(in, r->at, size, "register index is out of range");
    break;
  default: /* from gfx1250 on a tuple may reach into the registers that s_set_vgpr_msb opens */
    if ((in->target->processor->generation >= OG_GFX1250 ? r->reg + 1u : last) > OG_VECTOR_REGISTERS)
      return og_in_error(in, r->at, size, "register index is out of range");
    return true;
  }
  unsigned alignment =
      r->dwords >= 4 || r->dwords == 3 ? 4 : r->dwords; /* scalar tuples begin at a multiple of 2 or 4 */
  return r->reg % OG_MAX(alignment, 1u) == 0 || og_in_error(in, r->at, size, "invalid register alignment");
}

/* "[first]", "[first:last]" behind v, s, a or ttmp. */
static bool register_range(struct og_inst_reader *in, struct og_text_operand *out) {
  int64_t first, last;
  in->p++;
  const char *at = og_in_at(in), *second = at;
  if (!og_in_absolute(in, &first))
    return false;
  last = first;
  if (og_in_accept(in, ':')) {
    second = og_in_at(in);
    if (!og_in_absolute(in, &last))
      return false;
  }
  if (!og_in_expect(in, ']', "expected a closing square bracket"))
    return false;
  if (first < 0 || first > UINT32_MAX || last < 0 || last > UINT32_MAX) {
    at = first < 0 || first > UINT32_MAX ? at : second;
    return og_in_refuse(in, at, "invalid register index");
  }
  if (last < first)
    return og_in_refuse(in, at, "first register index should not exceed second index");
  int64_t size = last - first + 1;
  if (out->register_kind == OG_OPERAND_SGPR || out->register_kind == OG_OPERAND_TTMP)
    if (first % (size > 2 ? 4 : size))
      return og_in_error(in, out->at, (size_t)(in->p - out->at), "invalid register alignment");
  if (size > 12 && size != 16 && size != 32)
    return og_in_error(in, out->at, (size_t)(in->p - out->at), "invalid or unsupported register size");
  if (last > 1023)
    return og_in_error(in, out->at, (size_t)(in->p - out->at), "register index is out of range");
  out->reg = (uint16_t)first;
  out->dwords = (uint8_t)(last - first + 1);
  return true;
}

int og_small_number(const char *p, const char **end) {
  int value = 0;
  const char *start = p;
  for (; og_is_digit(*p) && p - start < 5; p++)
    value = value * 10 + (*p - '0');
  *end = p;
  return p == start ? -1 : value;
}

static bool numbered(struct og_inst_reader *in, const char *digits, unsigned kind, struct og_text_operand *out,
                     bool *ok) {
  const char *end;
  int number;
  out->register_kind = (uint8_t)kind;
  if (*digits == '[') {
    in->p = digits;
    *ok = register_range(in, out) && in_range(in, out);
    if (*ok && out->dwords == 1)
      og_read_half(&in->p, out);
    return true;
  }
  number = og_small_number(digits, &end);
  if (number < 0)
    return false;
  og_read_half(&end, out);
  if (og_name_char(*end) || *end == '@') /* a symbol's name, perhaps with a specifier: s1@rel32@lo */
    return false;
  in->p = end;
  out->reg = (uint16_t)number;
  out->dwords = 1;
  *ok = in_range(in, out);
  return true;
}

bool og_read_named_register(struct og_inst_reader *in, struct og_text_operand *out, bool *ok) {
  const char *start = in->p, *end;
  if (*start < 'e' || *start > 'x') /* all names begin with letters between, compilers' labels do not */
    return false;
  end = og_after_short_name(start, in->wide);
  if (*end == '@' || (og_is_digit(end[-1]) && end > start + strlen("m0")))
    return false;
  struct og_text name = {start, (size_t)(end - start)};
  enum og_special special = og_find_special(name, &out->dwords);
  if (special == OG_SPECIAL_COUNT)
    return false;
  in->p = end;
  out->kind = OG_TEXT_REGISTER;
  out->register_kind = OG_OPERAND_SPECIAL;
  out->reg = special;
  *ok = special_exists(in, special) ||
        og_in_error(in, start, name.size,
                    special == OG_SPECIAL_NULL ? "'%s' operand is not supported on this GPU"
                                               : "%s register not available on this GPU",
                    og_special_name(special, out->dwords));
  return true;
}

/* What stands in a list where no register does. */
static bool no_register(struct og_inst_reader *in) {
  const char *p = in->p, *end = p + strcspn(p, "vsat");
  if (!og_name_start(*p))
    return og_in_error(in, p, 1, "expected a register or a list of registers");
  size_t prefix = !strncmp(p, "ttmp", 4) ? 4 : !strncmp(p, "acc", 3) ? 3 : end == p && *p != 't' ? 1 : 0;
  struct og_text word = og_in_word(in);
  if (!prefix)
    return og_in_error(in, p, word.size, "invalid register name");
  if (word.size > prefix)
    return og_in_error(in, p, word.size, "invalid register index");
  og_in_space(in);
  return og_in_error(in, in->p, 1, "missing register index");
}

/* Adds one register to a list. */
static bool add_to_list(struct og_inst_reader *in, const struct og_text_operand *r, struct og_text_list *list,
                        struct og_text_operand *out) {
  size_t size = (size_t)(in->p - r->at);
  if (list->count >= OG_COUNT(list->registers))
    return og_in_error(in, r->at, size, "too many registers in a list");
  if (!in->spread_lists && r->dwords > 1)
    return og_in_error(in, r->at, size, "expected a single 32-bit register");
  bool special = r->register_kind == OG_OPERAND_SPECIAL;
  if (list->count == 0) {
    out->register_kind = r->register_kind;
    out->reg = r->reg;
  } else if (r->register_kind != out->register_kind) {
    return og_in_error(in, r->at, size, "registers in a list must be of the same kind");
  } else if (r->reg != out->reg + out->dwords) {
    if (!in->spread_lists || r->register_kind != OG_OPERAND_VGPR)
      return og_in_error(in, r->at, size,
                         special ? "register does not fit in the list"
                                 : "registers in a list must have consecutive indices");
    out->is_list = true;
  }
  list->dwords[list->count] = r->dwords;
  list->registers[list->count++] = r->reg;
  out->dwords = (uint8_t)(out->dwords + OG_MAX(r->dwords, 1u));
  return true;
}

enum { LISTS = 8 }; /* in one another */

/* One register of a list, which may stand in brackets itself. */
static bool list_member(struct og_inst_reader *in, struct og_text_operand *out, bool *ok) {
  bool spreads = in->spread_lists, nested = *in->p == '[';
  if (nested && in->list_depth == LISTS)
    return false;
  in->list_depth++;
  in->spread_lists = spreads && !nested;
  bool found = og_read_register(in, out, ok);
  in->spread_lists = spreads;
  in->list_depth--;
  return found;
}

/* "[v0, v1]" are neighbours that make one tuple; only image addresses may be any registers. */
static bool register_list(struct og_inst_reader *in, struct og_text_operand *out) {
  if (!in->lists)
    in->lists = OG_NEW_ARRAY(in->arena, struct og_text_list, LISTS + 1);
  struct og_text_list *list = &in->lists[in->list_depth];
  in->p++;
  list->count = 0;
  out->list = list;
  do {
    struct og_text_operand r = {0};
    bool ok = true;
    og_in_space(in);
    if (!list_member(in, &r, &ok))
      return no_register(in);
    if (!ok || !add_to_list(in, &r, list, out))
      return false;
  } while (og_in_accept(in, ','));
  if (!og_in_expect(in, ']', "expected a comma or a closing square bracket"))
    return false;
  return out->is_list || out->register_kind == OG_OPERAND_SPECIAL || in_range(in, out);
}

bool og_read_register(struct og_inst_reader *in, struct og_text_operand *out, bool *ok) {
  const char *p = in->p, *digits = p + 1;
  unsigned kind = OG_OPERAND_NONE;
  out->kind = OG_TEXT_REGISTER;
  out->at = p;
  *ok = true;
  switch (*p) {
  case 'v': kind = OG_OPERAND_VGPR; break;
  case 's': kind = OG_OPERAND_SGPR; break;
  case 'a':
    kind = OG_OPERAND_AGPR;
    digits += p[1] == 'c' && p[2] == 'c' ? strlen("cc") : 0;
    break;
  case 't':
    if (!strncmp(p, "ttmp", 4))
      kind = OG_OPERAND_TTMP, digits = p + 4;
    break;
  case '[': *ok = register_list(in, out); return true;
  default: break;
  }
  if (kind != OG_OPERAND_NONE && (og_is_digit(*digits) || *digits == '[') && numbered(in, digits, kind, out, ok))
    return true;
  return og_read_named_register(in, out, ok);
}

bool og_register_from_text(struct og_inst_reader *in, struct og_operand *out, bool *ok) {
  struct og_text_operand t = {0};
  if (!og_read_register(in, &t, ok))
    return false;
  *out = (struct og_operand){.kind = t.register_kind, .reg = t.reg, .dwords = t.dwords};
  return true;
}
