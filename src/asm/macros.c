/* macros.c - macros and repetitions. Expansion is text: a macro's body becomes a new input. */
#include "asm/instruction.h"

#include <string.h>

enum { MAX_EXPANSION = 1 << 26, MAX_EXPANSIONS = 1 << 21 };

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static struct og_text line_word(const char *p) {
  p = og_after_blanks(p);
  return (struct og_text){p, og_name_start(*p) ? (size_t)(og_after_name(p) - p) : 0};
}

static bool is_any(struct og_text word, const char *const *names) {
  for (; *names; names++)
    if (og_text_is(word, *names))
      return true;
  return false;
}

/* From the next line to the line that ends the body; the cursor goes to that line's end. */
static bool take_body(struct og_asm *as, const char *at, const char *const *openers, const char *const *closers,
                      struct og_text *body) {
  og_asm_skip_line(as);
  const char *start = as->p;
  unsigned depth = 0;
  while (*as->p) {
    const char *line = as->p;
    struct og_text word = line_word(line);
    if (is_any(word, openers)) {
      depth++;
    } else if (is_any(word, closers) && depth-- == 0) {
      *body = (struct og_text){start, (size_t)(line - start)};
      as->p = word.data + word.size;
      return true;
    }
    as->p = line + strcspn(line, "\n");
    as->p += *as->p == '\n';
  }
  return og_asm_error(as, at, 1, "no matching '%s' in definition", closers[0]);
}

/* ---- macros ------------------------------------------------------------------------------------------------------ */

static const char *const macro_openers[] = {".macro", NULL}, *const macro_closers[] = {".endmacro", ".endm", NULL};
static const char *const repeat_openers[] = {".rep", ".rept", ".irp", ".irpc", NULL};
static const char *const repeat_closers[] = {".endr", NULL};

/* One argument: up to a comma or a blank that no operator spans, parentheses and strings kept whole. */
static bool argument(struct og_asm *as, bool rest_of_line, bool keep_quotes, struct og_text *out) {
  const char *start = og_asm_at(as), *p = start;
  bool quoted = false;
  while (rest_of_line && !og_ends_statement(p))
    p++;
  for (unsigned depth = 0; !og_ends_statement(p); p++) {
    if (*p == '(') {
      depth++;
    } else if (*p == ')') {
      depth -= depth != 0;
    } else if (*p == '"') {
      quoted = true;
      for (p++; *p != '"'; p++) {
        if (!*p || *p == '\n')
          return og_asm_error(as, start, 1, "unterminated string constant");
        p += *p == '\\' && p[1] && p[1] != '\n';
      }
    } else if (depth == 0 && *p == ',') {
      break;
    } else if (depth == 0 && (*p == ' ' || *p == '\t')) {
      const char *next = og_after_blanks(p);
      if (!*next || !strchr("+-*/.=|^&!<>~", *next) || (*next == '.' && og_name_char(next[1])) ||
          (*next == '/' && (next[1] == '/' || next[1] == '*')))
        break;
      p = og_after_blanks(next + 1) - 1;
    }
  }
  as->p = p;
  while (p > start && (p[-1] == ' ' || p[-1] == '\t'))
    p--;
  *out = (struct og_text){start, (size_t)(p - start)};
  if (quoted && !keep_quotes) {
    char *text = og_arena_alloc(as->arena, out->size + 1), *to = text;
    for (size_t i = 0; i < out->size; i++)
      if (start[i] != '"')
        *to++ = start[i];
    *out = (struct og_text){text, (size_t)(to - text)};
  }
  return true;
}

/* In .altmacro mode: %EXPRESSION stands for its value, <TEXT> for the text, in which !
 * takes the next character as it is. */
static bool alternate_argument(struct og_asm *as, struct og_text *out) {
  if (*as->p == '%') {
    int64_t value;
    as->p++;
    if (!og_asm_parse_absolute(as, &value))
      return false;
    *out = og_text(og_arena_printf(as->arena, "%lld", (long long)value));
    return true;
  }
  const char *start = as->p++;
  char *text = og_arena_alloc(as->arena, strcspn(start, "\n") + 1), *to = text;
  for (; *as->p != '>'; as->p++) {
    as->p += *as->p == '!' && as->p[1] && as->p[1] != '\n';
    if (!*as->p || *as->p == '\n')
      return og_asm_error(as, start, 1, "no matching '>' in a macro argument");
    *to++ = *as->p;
  }
  as->p++;
  *out = (struct og_text){text, (size_t)(to - text)};
  return true;
}

static bool parameters(struct og_asm *as, struct og_macro *macro) {
  OG_VECTOR(struct og_macro_parameter) list = {0};
  for (og_asm_space(as); !og_asm_at_end(as); og_asm_accept(as, ','), og_asm_space(as)) {
    if (list.count && list.items[list.count - 1].vararg)
      return og_asm_error(as, as->p, 1, "vararg parameter '%.*s' should be the last parameter",
                          OG_TEXT_ARGS(list.items[list.count - 1].name));
    struct og_text name = og_asm_word(as);
    if (!name.size)
      return og_asm_error(as, as->p, 1, "expected identifier in '.macro' directive");
    for (uint32_t i = 0; i < list.count; i++)
      if (og_text_equal(list.items[i].name, name))
        return og_asm_error(as, name.data + name.size, 1, "macro '%.*s' has multiple parameters named '%.*s'",
                            OG_TEXT_ARGS(macro->name), OG_TEXT_ARGS(name));
    struct og_macro_parameter *p = OG_PUSH(as->arena, &list);
    p->name = name;
    if (*as->p == ':') {
      as->p++;
      struct og_text qualifier = og_asm_word(as);
      p->required = og_text_is(qualifier, "req");
      p->vararg = og_text_is(qualifier, "vararg");
      if (!p->required && !p->vararg)
        return og_asm_error(as, qualifier.data, qualifier.size,
                            "%.*s is not a valid parameter qualifier for '%.*s' in macro '%.*s'",
                            OG_TEXT_ARGS(qualifier), OG_TEXT_ARGS(name), OG_TEXT_ARGS(macro->name));
    }
    if (og_asm_accept(as, '=') && !argument(as, false, false, &p->default_value))
      return false;
  }
  macro->parameters = list.items;
  macro->parameter_count = list.count;
  return true;
}

OG_DIRECTIVE(define_macro) {
  struct og_macro *macro = OG_NEW(as->arena, struct og_macro);
  macro->name = og_asm_word(as);
  if (!macro->name.size)
    return og_asm_error(as, as->p, 1, "expected identifier in '.macro' directive");
  og_asm_accept(as, ',');
  if (!parameters(as, macro) || !take_body(as, at, macro_openers, macro_closers, &macro->body))
    return false;
  if (!og_asm_end(as, "unexpected token in '.endm' directive"))
    return false;
  void **slot = og_map_at(as->arena, &as->macros, macro->name);
  if (*slot && !((struct og_macro *)*slot)->purged)
    return og_asm_error(as, at, 6, "macro '%.*s' is already defined", OG_TEXT_ARGS(macro->name));
  *slot = macro;
  return true;
}

OG_DIRECTIVE(purge_macro) {
  do {
    struct og_text name = og_asm_word(as);
    struct og_macro *macro = og_map_get(&as->macros, name);
    if (!name.size)
      return og_asm_error(as, as->p, 1, "expected identifier in '.purgem' directive");
    if (!macro || macro->purged)
      return og_asm_error(as, at, 7, "macro '%.*s' is not defined", OG_TEXT_ARGS(name));
    macro->purged = true;
  } while (og_asm_accept(as, ','));
  return true;
}

/* .altmacro: parameters are replaced where they stand as words, without a backslash. */
static const char *substitute_words(struct og_asm *as, struct og_text body, const struct og_macro_parameter *parameters,
                                    const struct og_text *args, uint32_t count, const char **end) {
  struct og_buffer out = {0};
  for (const char *p = body.data, *stop = p + body.size; p < stop;) {
    const char *start = p++;
    if (og_name_char(*start)) {
      while (p < stop && og_name_char(*p))
        p++;
      uint32_t i = 0;
      while (i < count && (!og_text_equal(parameters[i].name, (struct og_text){start, (size_t)(p - start)}) ||
                           (start > body.data && start[-1] == '\\')))
        i++;
      if (i < count) {
        og_buffer_append(&out, args[i].data, args[i].size);
        continue;
      }
    }
    og_buffer_append(&out, start, (size_t)(p - start));
  }
  const char *text = og_arena_copy(as->arena, (const char *)out.data, out.size);
  *end = text + out.size;
  og_buffer_free(&out);
  return text;
}

/* Copies `body` with \name, \@ (expansions of any macro so far), \+ (of this one) and \() replaced. */
static void substitute(struct og_asm *as, struct og_text body, const struct og_macro_parameter *parameters,
                       const struct og_text *args, uint32_t count, uint32_t turn, struct og_buffer *out) {
  bool plain = !parameters && !args; /* .rept: it has no number of its own */
  const char *p = body.data, *end = p + body.size;
  if (as->alternate_macros && count)
    p = body.data = substitute_words(as, body, parameters, args, count, &end);
  while (p < end) {
    const char *slash = memchr(p, '\\', (size_t)(end - p));
    const char *stop = slash ? slash : end;
    og_buffer_append(out, p, (size_t)(stop - p));
    p = stop;
    if (p == end)
      return;
    bool numbered = p + 1 < end && (p[1] == '+' || (p[1] == '@' && !plain));
    if (numbered) {
      og_buffer_printf(out, "%u", p[1] == '+' ? turn : as->macro_count);
      p += 2;
      continue;
    }
    if (p + 2 < end && p[1] == '(' && p[2] == ')') {
      p += 3;
      continue;
    }
    const char *name = p + 1;
    size_t size = 0;
    while (name + size < end && og_name_char(name[size]) && name[size] != '?')
      size++;
    uint32_t i = 0;
    while (i < count && !og_text_equal(parameters[i].name, (struct og_text){name, size}))
      i++;
    if (i < count)
      og_buffer_append(out, args[i].data, args[i].size);
    else
      og_buffer_append(out, p, 1 + size);
    p = name + size;
  }
}

/* The text becomes an input of its own, behind the statement. */
static bool instantiate(struct og_asm *as, struct og_buffer *text) {
  as->expanded_bytes += text->size;
  bool ok = as->expanded_bytes <= MAX_EXPANSION && ++as->expansions <= MAX_EXPANSIONS;
  if (ok) {
    char *copy = og_arena_copy(as->arena, (const char *)text->data, text->size);
    og_asm_skip_line(as);
    ok = og_asm_push_input(as, "<instantiation>", copy, text->size, true);
  } else {
    as->stopped = true;
    og_asm_error(as, as->statement, 0, "macros expand to more than %d MiB or %d times", MAX_EXPANSION >> 20,
                 MAX_EXPANSIONS);
  }
  og_buffer_free(text);
  return ok;
}

static bool bind_arguments(struct og_asm *as, const struct og_macro *macro, struct og_text *args, bool *given) {
  uint32_t next = 0;
  bool keywords = false; /* behind one there are no others */
  for (og_asm_space(as); !og_asm_at_end(as); og_asm_space(as)) {
    uint32_t index = next;
    const char *start = as->p;
    struct og_text name = og_asm_word(as);
    og_asm_space(as);
    bool keyword = name.size && *as->p == '=' && as->p[1] != '=';
    if (keywords && !keyword)
      return og_asm_error(as, start, 1, "cannot mix positional and keyword arguments");
    keywords = keyword;
    if (keyword) {
      as->p++;
      for (index = 0; index < macro->parameter_count && !og_text_equal(macro->parameters[index].name, name); index++)
        ;
      if (index == macro->parameter_count)
        return og_asm_error(as, start, name.size, "parameter named '%.*s' does not exist for macro '%.*s'",
                            OG_TEXT_ARGS(name), OG_TEXT_ARGS(macro->name));
    } else {
      as->p = start;
      if (index >= macro->parameter_count)
        return og_asm_error(as, start, 1, "too many positional arguments");
    }
    bool vararg = macro->parameters[index].vararg;
    struct og_text value;
    bool alternate = as->alternate_macros && !vararg && (*as->p == '%' || *as->p == '<');
    if (alternate ? !alternate_argument(as, &value) : !argument(as, vararg, vararg, &value))
      return false;
    if (value.size || keyword)
      args[index] = value, given[index] = true;
    next = index + 1;
    og_asm_accept(as, ',');
  }
  for (uint32_t i = 0; i < macro->parameter_count; i++) {
    if (given[i])
      continue;
    if (macro->parameters[i].required)
      return og_asm_error(as, as->p, 1, "missing value for required parameter '%.*s' in macro '%.*s'",
                          OG_TEXT_ARGS(macro->parameters[i].name), OG_TEXT_ARGS(macro->name));
    args[i] = macro->parameters[i].default_value;
  }
  return true;
}

bool og_asm_run_macro(struct og_asm *as, struct og_macro *macro) {
  struct og_text *args = OG_NEW_ARRAY(as->arena, struct og_text, macro->parameter_count + 1);
  bool *given = OG_NEW_ARRAY(as->arena, bool, macro->parameter_count + 1);
  if (!bind_arguments(as, macro, args, given))
    return false;
  struct og_buffer text = {0};
  substitute(as, macro->body, macro->parameters, args, macro->parameter_count, macro->expansions++, &text);
  as->macro_count++;
  return instantiate(as, &text);
}

/* Leaves the innermost macro. */
OG_DIRECTIVE(exit_macro) {
  if (!as->input->is_macro)
    return og_asm_error(as, at, 6, "unexpected '.exitm' in file, no current macro definition");
  as->conditions.count = as->input->condition_depth;
  as->p = as->input->source->text + as->input->source->size;
  return true;
}

static bool alternate_mode(struct og_asm *as, const char *at, int on) {
  (void)at;
  as->alternate_macros = on;
  return true;
}

OG_DIRECTIVE(stray_end) {
  int size = (int)strcspn(at, " \t\n\r;");
  og_asm_space(as);
  if (!og_asm_at_end(as) && strncmp(at, ".endr", 5))
    return og_asm_error(as, as->p, 1, "unexpected token in '%.*s' directive", size, at);
  return og_asm_error(as, as->p, 1,
                      !strncmp(at, ".endr", 5) ? "unmatched '%.*s' directive"
                                               : "unexpected '%.*s' in file, no current macro definition",
                      size, at);
}

/* ---- repetitions ------------------------------------------------------------------------------------------------- */

static bool within_limit(struct og_asm *as, const char *at, uint64_t count, size_t size) {
  return count <= MAX_EXPANSION / OG_MAX(size, 1u) ||
         og_asm_error(as, at, 5, "repetition expands to more than %d MiB", MAX_EXPANSION >> 20);
}

OG_DIRECTIVE(repeat) {
  int64_t count;
  const char *count_at = og_asm_at(as);
  struct og_operand_value v;
  if (!og_asm_parse_value(as, &v))
    return false;
  count = v.value;
  if (v.expr && !og_asm_evaluate_absolute(as, v.expr, &count))
    return og_asm_refuse(as, count_at, "unexpected token in '%.*s' directive", (int)strcspn(at, " \t\n"), at);
  if (count < 0)
    return og_asm_refuse(as, count_at, "Count is negative");
  struct og_text body;
  if (!og_asm_expect_end(as) || !take_body(as, at, repeat_openers, repeat_closers, &body) ||
      !within_limit(as, at, (uint64_t)count, body.size))
    return false;
  struct og_buffer text = {0};
  for (int64_t i = 0; i < count; i++) {
    substitute(as, body, NULL, NULL, 0, (uint32_t)i, &text);
    as->macro_count++;
  }
  return instantiate(as, &text);
}

/* What .irpc goes through: a word, a number, a string or one sign, and nothing else. */
static bool one_token(struct og_asm *as, struct og_text *out) {
  const char *start = og_asm_at(as);
  if (*start == '"' && !og_asm_plain_string(as, out))
    return false;
  if (*start != '"') {
    as->p = og_after_name(as->p);
    as->p += as->p == start && !og_asm_at_end(as);
    *out = (struct og_text){start, (size_t)(as->p - start)};
  }
  const char *behind = as->p;
  og_asm_space(as);
  if (behind != start && og_asm_at_end(as))
    return true;
  as->p += strcspn(as->p, "\n;"); /* LLVM points at the line's end */
  return og_asm_error(as, as->p, 0, "unexpected token in '.irpc' directive");
}

static bool iterate(struct og_asm *as, const char *at, int characters) {
  struct og_macro_parameter parameter = {.name = og_asm_word(as)};
  if (!parameter.name.size)
    return og_asm_error(as, as->p, 1, "expected identifier in '%s' directive", characters ? ".irpc" : ".irp");
  if (!og_asm_comma(as))
    return false;
  OG_VECTOR(struct og_text) list = {0};
  struct og_text value;
  for (og_asm_space(as); !characters && !og_asm_at_end(as); og_asm_space(as), og_asm_accept(as, ',')) {
    if (!argument(as, false, false, &value))
      return false;
    *OG_PUSH(as->arena, &list) = value;
  }
  if (characters && !one_token(as, &value))
    return false;
  for (size_t i = 0; characters && i < value.size; i++)
    *OG_PUSH(as->arena, &list) = (struct og_text){value.data + i, 1};
  struct og_text body;
  if (!take_body(as, at, repeat_openers, repeat_closers, &body) || !within_limit(as, at, list.count, body.size))
    return false;
  struct og_buffer text = {0};
  for (uint32_t i = 0; i < list.count; i++) {
    substitute(as, body, &parameter, &list.items[i], 1, i, &text);
    as->macro_count++;
  }
  return instantiate(as, &text);
}

const struct og_directive_row og_macro_directives[] = {
    {".macro", define_macro, OG_LEAVES_REST},
    {".endm", stray_end, 0},
    {".endmacro", stray_end, 0},
    {".purgem", purge_macro, 0},
    {".exitm", exit_macro, 0},
    {".altmacro", alternate_mode, 1},
    {".noaltmacro", alternate_mode, 0},
    {".rept", repeat, 0},
    {".rep", repeat, 0},
    {".irp", iterate, 0},
    {".irpc", iterate, 1},
    {".endr", stray_end, 0},
    {NULL, NULL, 0},
};
