/* definitions.c - --defsym NAME=EXPRESSION: a symbol of the command line's own, a number or a distance from
 * another symbol. It overrides objects' definitions of that name. */
#include "object/link/linker.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100 };

/* A number, and the symbol that it is counted from or NULL. */
struct value {
  struct ld_symbol *symbol;
  uint64_t number;
  bool alias; /* nothing but the symbol: its type is taken over */
};

struct parser {
  struct linker *ld;
  const char *at;
  unsigned depth;
  const char *what; /* is wrong; NULL: nothing */
};

/* Where the symbols of the command line live. */
static struct ld_object *command_line(struct linker *ld) {
  if (!ld->command) {
    ld->command = OG_NEW(ld->arena, struct ld_object);
    ld->command->elf = OG_NEW(ld->arena, struct og_object);
    ld->command->elf->name = "--defsym";
  }
  return ld->command;
}

static struct value parse_sum(struct parser *p);

static bool is_name(int c, bool first) {
  return isalpha(c) || c == '_' || c == '.' || c == '$' || (!first && (isdigit(c) || c == '@'));
}

static void skip_blanks(struct parser *p) {
  while (isspace((unsigned char)*p->at))
    p->at++;
}

static struct value fail(struct parser *p, const char *what) {
  if (!p->what)
    p->what = what;
  return (struct value){0};
}

static struct value parse_name(struct parser *p) {
  const char *start = p->at;
  while (is_name((unsigned char)*p->at, p->at == start))
    p->at++;
  struct ld_object *home = command_line(p->ld);
  const char *name = og_arena_copy(p->ld->arena, start, (size_t)(p->at - start));
  struct ld_symbol *symbol = ld_symbol_named(p->ld, name, home);
  symbol->referenced = symbol->strong_reference = true;
  return (struct value){symbol, 0, true};
}

static struct value parse_term(struct parser *p) {
  skip_blanks(p);
  if (*p->at == '(') {
    p->at++;
    if (++p->depth > DEEPEST)
      return fail(p, "too many parentheses");
    struct value inside = parse_sum(p);
    p->depth--;
    skip_blanks(p);
    if (*p->at != ')')
      return fail(p, "expected ')'");
    p->at++;
    return inside;
  }
  if (is_name((unsigned char)*p->at, true))
    return parse_name(p);
  if (!isdigit((unsigned char)*p->at))
    return fail(p, "expected a number, a symbol or '('");
  char *end;
  errno = 0;
  struct value number = {NULL, strtoull(p->at, &end, 0), false};
  p->at = end;
  return errno ? fail(p, "the number does not fit 64 bits") : number;
}

static struct value parse_product(struct parser *p) {
  struct value left = parse_term(p);
  for (skip_blanks(p); !p->what && (*p->at == '*' || *p->at == '/'); skip_blanks(p)) {
    char operation = *p->at++;
    struct value right = parse_term(p);
    if (left.symbol || right.symbol)
      return fail(p, "a symbol's address is known only when loaded, and cannot be multiplied");
    if (operation == '/' && !right.number)
      return fail(p, "division by zero");
    left.number = operation == '*' ? left.number * right.number : left.number / (right.number | !right.number);
  }
  return left;
}

static struct value parse_sum(struct parser *p) {
  struct value left = parse_product(p);
  for (skip_blanks(p); !p->what && (*p->at == '+' || *p->at == '-'); skip_blanks(p)) {
    char operation = *p->at++;
    struct value right = parse_product(p);
    if (right.symbol && (left.symbol || operation == '-'))
      return fail(p, "expected one symbol at most, and no '-' before it");
    left.symbol = left.symbol ? left.symbol : right.symbol;
    left.alias = false;
    left.number += operation == '+' ? right.number : -right.number;
  }
  return left;
}

static bool start(struct linker *ld, const char *definition) {
  const char *equals = strchr(definition, '=');
  if (!equals || equals == definition)
    return og_error_in(ld->diagnostics, NULL, "--defsym %s: expected NAME=EXPRESSION", definition);
  const char *name = og_arena_copy(ld->arena, definition, (size_t)(equals - definition));
  struct parser p = {.ld = ld, .at = equals + 1};
  struct value value = parse_sum(&p);
  skip_blanks(&p);
  if (!p.what && *p.at)
    p.what = "expected '+', '-', '*', '/' or the end";
  if (p.what)
    return og_error_in(ld->diagnostics, NULL, "--defsym %s: %s at '%s'", definition, p.what, p.at);
  struct ld_symbol *symbol = ld_symbol_named(ld, name, command_line(ld));
  struct og_symbol *made = OG_NEW(ld->arena, struct og_symbol);
  *made = (struct og_symbol){name, value.number, 0, OG_SECTION_ABSOLUTE, STB_GLOBAL, STT_NOTYPE, STV_DEFAULT};
  symbol->object = command_line(ld);
  symbol->symbol = made;
  symbol->state = LD_ABSOLUTE;
  symbol->binding = STB_GLOBAL;
  symbol->fixed = true;
  symbol->base = value.symbol;
  symbol->alias = value.alias;
  return true;
}

bool ld_start_definitions(struct linker *ld) {
  bool good = true;
  for (const char *const *d = ld->options->definitions; d && *d; d++)
    good &= start(ld, *d);
  return good;
}

/* What a definition is counted from may be another definition. */
static bool finish(struct linker *ld, struct ld_symbol *symbol) {
  uint64_t distance = symbol->symbol->value;
  const struct ld_symbol *base = symbol->base;
  bool alias = symbol->alias;
  for (uint32_t steps = 0; base && base->fixed && base->base; base = base->base) {
    distance += base->symbol->value;
    alias &= base->alias;
    if (++steps > ld->symbols.count)
      return og_error_in(ld->diagnostics, NULL, "--defsym %s: defined by itself", symbol->name);
  }
  if (!base)
    return true;
  if (base->state != LD_DEFINED && base->state != LD_ABSOLUTE)
    return og_error_in(ld->diagnostics, NULL, "--defsym %s: %s '%s'", symbol->name,
                       base->state == LD_UNDEFINED ? "symbol not found:" : "the symbol is in no section", base->name);
  struct og_symbol *made = OG_NEW(ld->arena, struct og_symbol);
  *made = *symbol->symbol;
  made->value = base->symbol->value + distance;
  made->section = base->symbol->section;
  symbol->type = alias ? base->type : STT_NOTYPE;
  symbol->resolved = made;
  symbol->object = base->object;
  symbol->state = base->state;
  return true;
}

bool ld_finish_definitions(struct linker *ld) {
  bool good = true;
  for (uint32_t i = 0; i < ld->symbols.count; i++)
    if (ld->symbols.items[i]->fixed)
      good &= finish(ld, ld->symbols.items[i]);
  for (uint32_t i = 0; i < ld->symbols.count; i++)
    if (ld->symbols.items[i]->resolved)
      ld->symbols.items[i]->symbol = ld->symbols.items[i]->resolved;
  return good;
}
