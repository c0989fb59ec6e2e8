/* conditions.c - conditional assembly: .if and its kin. */
#include "asm/internal.h"

#include <string.h>

enum { MAX_CONDITIONS = 10000 };

enum {
  IF = OG_IF_NUMBER_FIRST,
  IF_EQ,
  IF_GE,
  IF_GT,
  IF_LE,
  IF_LT,
  IF_DEF,
  IF_NDEF,
  IF_BLANK,
  IF_NOT_BLANK,
  IF_SAME,
  IF_DIFFERENT,
  IF_STRINGS_EQUAL,
  IF_STRINGS_DIFFER,
  ELSE_IF,
  ELSE,
  END_IF
};

static bool compare_number(struct og_asm *as, int kind, bool *out) {
  int64_t v;
  if (!og_asm_parse_absolute(as, &v))
    return false;
  *out = kind == IF      ? v != 0
         : kind == IF_EQ ? v == 0
         : kind == IF_GE ? v >= 0
         : kind == IF_GT ? v > 0
         : kind == IF_LE ? v <= 0
                         : v < 0;
  return og_asm_expect_end(as);
}

static struct og_text until(struct og_asm *as, const char *stops) {
  const char *start = og_asm_at(as), *p = start;
  while (*p && *p != '\n' && *p != '\r' && *p != ';' && !strchr(stops, *p))
    p++;
  as->p = p;
  while (p > start && (p[-1] == ' ' || p[-1] == '\t'))
    p--;
  return (struct og_text){start, (size_t)(p - start)};
}

static const char *const string_names[] = {[IF_STRINGS_EQUAL] = ".ifeqs", [IF_STRINGS_DIFFER] = ".ifnes"};

static bool string_parameter(struct og_asm *as, int kind, struct og_text *out) {
  if (*og_asm_at(as) != '"')
    return og_asm_error(as, as->p, 1, "expected string parameter for '%s' directive", string_names[kind]);
  return og_asm_plain_string(as, out);
}

static bool condition(struct og_asm *as, int kind, bool *out) {
  struct og_text a, b;
  switch (kind) {
  case IF_DEF:
  case IF_NDEF: {
    if (!og_name_start(*og_asm_at(as)) && *as->p != '"')
      return og_asm_error(as, as->p, 1, "expected identifier after '.ifdef'");
    if (!og_asm_name(as, &a))
      return false;
    const struct og_asm_symbol *s = og_asm_find_symbol(as, a);
    *out = (s && s->kind != OG_SYMBOL_UNDEFINED) == (kind == IF_DEF);
    return og_asm_expect_end(as);
  }
  case IF_BLANK:
  case IF_NOT_BLANK: *out = (until(as, "").size == 0) == (kind == IF_BLANK); return true;
  case IF_SAME:
  case IF_DIFFERENT:
    a = until(as, ",");
    if (!og_asm_comma(as))
      return false;
    b = until(as, "");
    *out = og_text_equal(a, b) == (kind == IF_SAME);
    return true;
  case IF_STRINGS_EQUAL:
  case IF_STRINGS_DIFFER:
    if (!string_parameter(as, kind, &a))
      return false;
    if (!og_asm_accept(as, ','))
      return og_asm_error(as, as->p, 1, "expected comma after first string for '%s' directive", string_names[kind]);
    if (!string_parameter(as, kind, &b))
      return false;
    *out = og_text_equal(a, b) == (kind == IF_STRINGS_EQUAL);
    return true;
  default: return compare_number(as, kind, out);
  }
}

static bool conditional(struct og_asm *as, const char *at, int kind) {
  if (as->conditions.count >= MAX_CONDITIONS)
    return as->stopped = true,
           og_asm_error(as, at, 3, "conditions are nested more than %d levels deep", MAX_CONDITIONS);
  bool skipping = og_asm_skipping(as), met = false;
  struct og_condition c = {.range = og_asm_range(as, at, at + strcspn(at, " \t\n"))};
  bool ok = skipping || condition(as, kind, &met);
  c.taken = !skipping && ok && met;
  c.met = skipping || !ok || met; /* no branch of a condition in skipped text is ever taken */
  *OG_PUSH(as->arena, &as->conditions) = c;
  return ok;
}

static bool alternative(struct og_asm *as, const char *at, int kind) {
  const char *name = kind == ELSE ? ".else" : kind == ELSE_IF ? ".elseif" : ".endif";
  if (as->conditions.count <= as->input->condition_depth)
    return og_asm_error(as, at, strlen(name), "Encountered a %s that doesn't follow %s", name,
                        kind == END_IF ? "an .if or .else"
                        : kind == ELSE ? " an .if or an .elseif"
                                       : "an .if or  an .elseif");
  struct og_condition *c = &as->conditions.items[as->conditions.count - 1];
  if (kind == END_IF) {
    as->conditions.count--;
    return true;
  }
  if (c->in_else)
    return og_asm_error(as, at, strlen(name), "Encountered a %s that doesn't follow%s an .if or%s an .elseif", name,
                        kind == ELSE ? " " : "", kind == ELSE ? "" : " ");
  c->in_else = kind == ELSE;
  bool met = !c->met, ok = true;
  c->taken = false;
  if (!met && kind == ELSE_IF)
    as->p += strcspn(as->p, "\n"); /* the condition of a branch that is not taken may be anything */
  if (met && kind == ELSE_IF) {
    c->taken = true; /* while the condition is read */
    ok = compare_number(as, IF, &met);
    c = &as->conditions.items[as->conditions.count - 1];
    met = met && ok;
  } else if (kind == ELSE_IF) {
    as->p += strcspn(as->p, "\n;"); /* an earlier branch was taken: the condition is not read */
  }
  c->taken = met;
  c->met |= met || !ok;
  return ok;
}

const struct og_directive_row og_condition_directives[] = {
    {".if", conditional, IF},
    {".ifne", conditional, IF},
    {".ifeq", conditional, IF_EQ},
    {".ifge", conditional, IF_GE},
    {".ifgt", conditional, IF_GT},
    {".ifle", conditional, IF_LE},
    {".iflt", conditional, IF_LT},
    {".ifdef", conditional, IF_DEF},
    {".ifndef", conditional, IF_NDEF},
    {".ifnotdef", conditional, IF_NDEF},
    {".ifb", conditional, IF_BLANK},
    {".ifnb", conditional, IF_NOT_BLANK},
    {".ifc", conditional, IF_SAME},
    {".ifnc", conditional, IF_DIFFERENT},
    {".ifeqs", conditional, IF_STRINGS_EQUAL | OG_LEAVES_REST},
    {".ifnes", conditional, IF_STRINGS_DIFFER | OG_LEAVES_REST},
    {".elseif", alternative, ELSE_IF},
    {".else", alternative, ELSE},
    {".endif", alternative, END_IF},
    {NULL, NULL, 0},
};
