/* exports.c - which symbols `offgrid ld` exports: --version-script, --dynamic-list and --exclude-libs. */
#include "object/link/linker.h"

#include <fnmatch.h>
#include <string.h>

struct pattern {
  struct og_text text;
  bool wild, local;
};

struct script {
  struct linker *ld;
  const struct og_source *source;
  size_t at;
  struct og_text token; /* size 0: the end */
  bool quoted;
  OG_VECTOR(struct pattern) patterns;
};

static bool fail(struct script *s, const char *expected) {
  size_t offset = (size_t)(s->token.data - s->source->text) - s->quoted;
  return og_error(s->ld->diagnostics, (struct og_range){s->source, (uint32_t)offset, (uint32_t)s->token.size},
                  "expected %s", expected);
}

/* Blanks and comments are passed over; a token is one of "{};:" or a run of other letters, or stands in quotes. */
static void next(struct script *s) {
  const char *text = s->source->text;
  const size_t size = s->source->size;
  for (;; s->at++) {
    while (s->at < size && (text[s->at] == ' ' || (text[s->at] >= '\t' && text[s->at] <= '\r')))
      s->at++;
    if (s->at < size && text[s->at] == '#') {
      while (s->at < size && text[s->at] != '\n')
        s->at++;
    } else if (s->at + 1 < size && text[s->at] == '/' && text[s->at + 1] == '*') {
      const char *end = memmem(text + s->at + 2, size - s->at - 2, "*/", 2);
      s->at = end ? (size_t)(end + 1 - text) : size;
    } else {
      break;
    }
  }
  size_t start = s->at;
  s->quoted = s->at < size && text[s->at] == '"';
  if (s->quoted) {
    const char *end = memchr(text + s->at + 1, '"', size - s->at - 1);
    size_t stop = end ? (size_t)(end - text) : size;
    s->token = (struct og_text){text + start + 1, stop - start - 1};
    s->at = OG_MIN(stop + 1, size);
    return;
  }
  while (s->at < size && !strchr(" \t\r\n\v\f{};\"", text[s->at]) && (text[s->at] != ':' || text[s->at + 1] == ':' ||
                                                                   (s->at > start && text[s->at - 1] == ':')))
    s->at++;
  if (s->at == start && s->at < size)
    s->at++;
  s->token = (struct og_text){text + start, s->at - start};
}

static bool is(const struct script *s, const char *token) { return !s->quoted && og_text_is(s->token, token); }

/* Takes `token` if it comes next. */
static bool accept(struct script *s, const char *token) {
  if (!is(s, token))
    return false;
  next(s);
  return true;
}

static bool parse_pattern(struct script *s, bool local) {
  bool end = !s->quoted && (!s->token.size || strchr("{};:", s->token.data[0]));
  if (end)
    return fail(s, "a symbol, a pattern or '}'");
  if (is(s, "extern"))
    return fail(s, "patterns of plain names: 'extern' blocks are not read");
  bool wild = !s->quoted && (memchr(s->token.data, '*', s->token.size) || memchr(s->token.data, '?', s->token.size) ||
                             memchr(s->token.data, '[', s->token.size));
  *OG_PUSH(s->ld->arena, &s->patterns) = (struct pattern){s->token, wild, local};
  next(s);
  return accept(s, ";") || is(s, "}") || fail(s, "';'");
}

static bool parse_block(struct script *s) {
  bool local = false;
  if (!accept(s, "{"))
    return fail(s, "'{'");
  while (!is(s, "}")) {
    bool label = is(s, "local") || is(s, "global");
    size_t at = s->at;
    struct og_text token = s->token;
    if (label) {
      bool is_local = is(s, "local");
      next(s);
      if (accept(s, ":")) {
        local = is_local;
        continue;
      }
      s->at = at, s->token = token; /* a symbol of that name */
    }
    if (!parse_pattern(s, local))
      return false;
  }
  next(s);
  return accept(s, ";") || fail(s, "';'");
}

/* One block without a name: nothing that loads code objects looks at versions. */
static bool parse(struct script *s) {
  next(s);
  if (!is(s, "{"))
    return fail(s, "'{': names of versions are not written into code objects, only what is global and local counts");
  return parse_block(s) && (!s->token.size || fail(s, "the end of the file: one block without a name"));
}

static bool matches(const struct pattern *p, const char *name) {
  if (!p->wild)
    return og_text_is(p->text, name);
  char pattern[1024];
  if (p->text.size >= sizeof pattern)
    return false;
  memcpy(pattern, p->text.data, p->text.size);
  pattern[p->text.size] = 0;
  return fnmatch(pattern, name, 0) == 0;
}

/* As lld: names before patterns, "*" last, and among these what is global before what is local. */
static unsigned precedence(const struct pattern *p) {
  return !p->wild ? 4 : 2 * !og_text_is(p->text, "*") + !p->local;
}

static bool apply_version_script(struct script *s) {
  struct linker *ld = s->ld;
  bool good = true;
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    struct ld_symbol *symbol = ld->symbols.items[i];
    const struct pattern *best = NULL;
    for (uint32_t k = 0; k < s->patterns.count; k++)
      if (matches(&s->patterns.items[k], symbol->name) &&
          (!best || precedence(&s->patterns.items[k]) > precedence(best)))
        best = &s->patterns.items[k];
    symbol->not_exported |= best && best->local && symbol->state != LD_UNDEFINED;
  }
  for (uint32_t k = 0; k < s->patterns.count && !ld->options->undefined_version; k++) {
    const struct pattern *p = &s->patterns.items[k];
    const struct ld_symbol *known = og_map_get(&ld->names, p->text);
    if (!p->wild && !p->local && (!known || known->state == LD_UNDEFINED))
      good = og_error_in(ld->diagnostics, s->source->name,
                         "version script assignment of 'global' to symbol '%.*s' failed: symbol not defined",
                         OG_TEXT_ARGS(p->text));
  }
  return good;
}

bool ld_choose_exports(struct linker *ld) {
  const struct og_link_options *options = ld->options;
  for (uint32_t i = 0; i < ld->symbols.count; i++) {
    struct ld_symbol *s = ld->symbols.items[i];
    s->not_exported = s->state != LD_UNDEFINED && !s->fixed && s->object->excluded; /* --defsym's are no archive's */
  }
  bool good = true;
  /* A dynamic list adds to what is exported, which is all, and takes nothing away. */
  for (const struct og_source *const *list = options->dynamic_lists; list && *list; list++) {
    struct script s = {.ld = ld, .source = *list};
    good &= parse(&s);
  }
  struct script s = {.ld = ld, .source = options->version_script};
  return (!s.source || (parse(&s) && apply_version_script(&s))) && good;
}
