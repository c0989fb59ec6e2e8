/* yaml_plain.c - the YAML that compilers write, in one pass over the text: block maps and lists, whose scalars are plain
 * or in single quotes and end in their line. Whatever else it meets it leaves to libyaml, so it knows no errors. */
#include <string.h>

#include "object/metadata/yaml.h"

struct reader {
  struct og_arena *arena;
  char *start, *p, *end; /* a copy of the text: scalars stay in it, a NUL after each */
  int64_t indent;        /* of the line in hand; -1 past the document */
  struct og_range within;
  size_t budget;
  OG_VECTOR(struct og_node) open; /* items of the collections that are being read */
};

static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\0'; }

/* What may stand in a key, and what stands in a plain scalar for itself: no colon, which may end a key, and no '#'. */
enum { KEY = 1, TEXT = 2 };
static const uint8_t characters[256] = {
    [' '] = TEXT,           ['!' ... '"'] = TEXT,       ['$' ... '-'] = TEXT, ['.'] = KEY | TEXT,
    ['/'] = TEXT,           ['0' ... '9'] = KEY | TEXT, [';' ... '@'] = TEXT, ['A' ... 'Z'] = KEY | TEXT,
    ['[' ... '^'] = TEXT,   ['_'] = KEY | TEXT,         ['`'] = TEXT,         ['a' ... 'z'] = KEY | TEXT,
    ['{' ... '~'] = TEXT};

static bool is_key(char c) { return characters[(uint8_t)c] & KEY; }

static bool only_blanks(const char *p) {
  while (*p == ' ' || *p == '\n')
    p++;
  return !*p;
}

/* Goes to where the next line's text begins, from a line's end. False where only libyaml knows how to go on. */
static bool next_line(struct reader *r) {
  if (r->p < r->end)
    r->p++;
  const char *line = r->p;
  while (*r->p == ' ')
    r->p++;
  r->indent = r->p - line;
  if (r->p == r->end)
    return r->indent = -1, true;
  if (r->indent == 0 && strncmp(r->p, "...", 3) == 0)
    return r->indent = -1, only_blanks(r->p + 3);
  return *r->p != '\n';
}

static void set_range(const struct reader *r, struct og_node *node, const char *at, size_t size) {
  node->range = r->within;
  node->range.offset += (uint32_t)(at - r->start);
  node->range.size = (uint32_t)OG_MAX(size, (size_t)1);
}

/* Ends in its line; a quote in it is written twice. The cursor is left at the line's end. */
static bool quoted(struct reader *r, struct og_node *node) {
  char *start = r->p, *to = start + 1, *p = to;
  for (; *p != '\'' || p[1] == '\''; p++) {
    if (*p < ' ' || *p == 0x7f) /* negative ones are beyond ASCII */
      return false;
    p += *p == '\'';
    *to++ = *p;
  }
  set_range(r, node, start, (size_t)(p + 1 - start));
  for (p++; *p == ' '; p++)
    ;
  *node = (struct og_node){.kind = OG_NODE_STRING, .range = node->range, .text = {start + 1, (size_t)(to - start - 1)}};
  r->p = p;
  if (*p != '\n' && p != r->end)
    return false;
  *to = 0;
  og_yaml_classify(node, false);
  return true;
}

static bool plain(struct reader *r, struct og_node *node) {
  char *start = r->p, *p = start;
  if (!is_key(*p) && *p != '/' && (*p != '-' || is_blank(p[1])))
    return false;
  while (characters[(uint8_t)*p] & TEXT || (*p == ':' && !is_blank(p[1])))
    p++;
  if (*p != '\n' && p != r->end)
    return false;
  char *last = p - 1;
  while (*last == ' ')
    last--;
  size_t size = (size_t)(last + 1 - start);
  *node = (struct og_node){.kind = OG_NODE_STRING, .text = {start, size}};
  set_range(r, node, start, size);
  r->p = p;
  if (last + 1 < p) /* else what ends the line is made a NUL once that is behind us */
    last[1] = 0;
  return true;
}

/* The cursor is at the scalar; goes to the next line, which may not go on with it. */
static bool scalar(struct reader *r, struct og_node *node, int64_t column) {
  bool is_plain = *r->p != '\'';
  if (!(is_plain ? plain(r, node) : quoted(r, node)))
    return false;
  char *line_end = r->p;
  if (!next_line(r) || r->indent > column)
    return false;
  *line_end = 0;
  if (is_plain)
    og_yaml_classify(node, true);
  return true;
}

/* Size of the key that stands at the cursor, or 0. */
static size_t key_size(const struct reader *r) {
  enum { LONGEST = 512 };
  const char *p = r->p;
  while (is_key(*p))
    p++;
  return *p == ':' && is_blank(p[1]) && p - r->p < LONGEST ? (size_t)(p - r->p) : 0;
}

static bool at_item(const struct reader *r) { return *r->p == '-' && r->p[1] == ' '; }

static bool block(struct reader *r, struct og_node *node, int64_t column, int depth);

static bool push(struct reader *r, const struct og_node *item) {
  *OG_PUSH(r->arena, &r->open) = *item;
  return r->budget-- > 0;
}

/* One item of a list, at its dash. */
static bool item(struct reader *r, int64_t column, int depth) {
  struct og_node node;
  const char *dash = r->p++;
  while (*r->p == ' ')
    r->p++;
  int64_t inner = column + (r->p - dash);
  bool good = at_item(r) || key_size(r) ? block(r, &node, inner, depth) : scalar(r, &node, column);
  return good && push(r, &node);
}

/* A key and its value. */
static bool pair(struct reader *r, int64_t column, int depth) {
  struct og_node key = {.kind = OG_NODE_STRING, .text = {r->p, key_size(r)}}, value;
  if (!key.text.size)
    return false;
  char *colon = r->p + key.text.size;
  set_range(r, &key, r->p, key.text.size);
  for (r->p = colon + 1; *r->p == ' '; r->p++)
    ;
  *colon = 0;
  og_yaml_classify(&key, true);
  if (!push(r, &key))
    return false;
  bool good = *r->p == '\n' ? next_line(r) && r->indent > column && block(r, &value, r->indent, depth)
                            : scalar(r, &value, column);
  return good && push(r, &value);
}

/* A list or a map whose items stand in that column, with the cursor at the first. */
static bool block(struct reader *r, struct og_node *node, int64_t column, int depth) {
  bool list = at_item(r);
  uint32_t first = r->open.count;
  if (depth >= OG_YAML_DEPTH_MOST)
    return false;
  *node = (struct og_node){.kind = list ? OG_NODE_LIST : OG_NODE_MAP};
  set_range(r, node, r->p, 1);
  do
    if (!(list ? at_item(r) && item(r, column, depth + 1) : pair(r, column, depth + 1)))
      return false;
  while (r->indent == column);
  if (r->indent > column)
    return false;
  uint32_t count = r->open.count - first;
  node->items = OG_NEW_ARRAY(r->arena, struct og_node, count);
  memcpy(node->items, &r->open.items[first], count * sizeof *node->items);
  node->count = list ? count : count / 2;
  r->open.count = first;
  return true;
}

struct og_node *og_yaml_plain(struct og_arena *arena, struct og_text text, struct og_range within) {
  struct reader r = {.arena = arena, .within = within, .budget = og_yaml_budget(text)};
  r.start = r.p = og_arena_copy(arena, text.data, text.size);
  r.end = r.p + text.size;
  struct og_node *root = OG_NEW(arena, struct og_node);
  if (strncmp(r.p, "---\n", 4) == 0)
    r.p += 4;
  if (memchr(r.start, 0, text.size) || (!at_item(&r) && !key_size(&r)))
    return NULL;
  return block(&r, root, 0, 0) && r.indent < 0 ? root : NULL;
}
