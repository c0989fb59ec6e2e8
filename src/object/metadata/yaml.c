/* yaml.c - metadata as YAML: libyaml's events to the document tree, and the tree to text in LLVM's layout. */
#include "object/metadata/yaml.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct og_node *og_node_get(const struct og_node *map, const char *key) {
  if (!map || map->kind != OG_NODE_MAP)
    return NULL;
  for (uint32_t i = 0; i < map->count; i++)
    if (map->items[2 * i].kind == OG_NODE_STRING && og_text_is(map->items[2 * i].text, key))
      return &map->items[2 * i + 1];
  return NULL;
}

struct og_node *og_node_add(struct og_arena *arena, struct og_node *map, const char *key) {
  struct og_node *known = og_node_get(map, key);
  if (known)
    return known;
  struct og_node *items = OG_NEW_ARRAY(arena, struct og_node, 2 * ((size_t)map->count + 1));
  if (map->count)
    memcpy(items, map->items, 2 * (size_t)map->count * sizeof *items);
  items[2 * (size_t)map->count] = (struct og_node){.kind = OG_NODE_STRING, .text = og_text(key)};
  map->items = items;
  return &items[2 * (size_t)map->count++ + 1];
}

bool og_node_uint(const struct og_node *node, uint64_t *value) {
  if (!node || (node->kind != OG_NODE_UINT && node->kind != OG_NODE_INT))
    return false;
  *value = node->unsigned_integer;
  return true;
}

const char *og_node_string(const struct og_node *node, const char *otherwise) {
  return node && node->kind == OG_NODE_STRING ? node->text.data : otherwise;
}

/* ---- scalars ----------------------------------------------------------------------------------------------------- */

/* Digits as LLVM reads them: 0x, 0b, 0o and a leading 0 choose the base. */
static bool parse_unsigned(const char *s, uint64_t *value) {
  if (!isdigit((unsigned char)*s))
    return false;
  if (!s[1])
    return *value = (uint64_t)(*s - '0'), true;
  int base = 10;
  if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
    base = 16, s += 2;
  else if (s[0] == '0' && (s[1] == 'b' || s[1] == 'B'))
    base = 2, s += 2;
  else if (s[0] == '0' && s[1] == 'o')
    base = 8, s += 2;
  else if (s[0] == '0' && isdigit((unsigned char)s[1]))
    base = 8, s += 1;
  if (!isalnum((unsigned char)*s))
    return false;
  char *end;
  errno = 0;
  *value = strtoull(s, &end, base);
  return *end == 0 && errno == 0;
}

static bool parse_signed(const char *s, int64_t *value) {
  uint64_t magnitude;
  if (*s != '-' || !parse_unsigned(s + 1, &magnitude) || magnitude > (uint64_t)1 << 63)
    return false;
  *value = (int64_t)(0 - magnitude);
  return true;
}

static bool parse_real(const char *s, double *value) {
  static const char firsts[] = "0123456789+-iInN";
  if (!*s || (!strchr(firsts, *s) && !(*s == '.' && isdigit((unsigned char)s[1]))))
    return false; /* as most are told from numbers at once */
  char *end;
  *value = strtod(s, &end);
  return end != s && *end == 0 && !isspace((unsigned char)*s);
}

static bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* The type of a scalar's text if nothing says that it is a string; `plain` without quotes. */
static void classify(struct og_node *node, bool plain) {
  const char *s = node->text.data;
  uint64_t u;
  int64_t i;
  double d;
  if (is_word_start(*s) ? !strchr("tfiInN", *s) : *s == '.' && !isdigit((unsigned char)s[1]))
    return; /* as most: neither a number nor true, false, inf, nan */
  if (memchr(s, 0, node->text.size))
    return;
  if (parse_unsigned(s, &u))
    node->kind = OG_NODE_UINT, node->unsigned_integer = u;
  else if (parse_signed(s, &i))
    node->kind = OG_NODE_INT, node->integer = i;
  else if (strcmp(s, "true") == 0 || strcmp(s, "false") == 0)
    node->boolean = *s == 't', node->kind = OG_NODE_BOOL;
  else if (plain && parse_real(s, &d))
    node->kind = OG_NODE_FLOAT, node->real = d;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct yaml_reader {
  struct og_arena *arena;
  yaml_parser_t parser;
  struct og_range within;
  struct og_diagnostics *diagnostics;
  size_t budget; /* of nodes */
};

static struct og_range range_of(const struct yaml_reader *r, const yaml_event_t *event) {
  struct og_range range = r->within;
  range.offset += (uint32_t)event->start_mark.index;
  range.size = (uint32_t)OG_MAX(event->end_mark.index - event->start_mark.index, 1);
  return range;
}

static bool next_event(struct yaml_reader *r, yaml_event_t *event) {
  if (yaml_parser_parse(&r->parser, event))
    return true;
  struct og_range range = r->within;
  range.offset += (uint32_t)OG_MIN(r->parser.problem_mark.index, r->within.size);
  range.size = 1;
  return og_error(r->diagnostics, range, "metadata is no valid YAML: %s",
                  r->parser.problem ? r->parser.problem : "cannot be read");
}

static bool read_scalar(struct yaml_reader *r, const yaml_event_t *event, struct og_node *node) {
  const char *tag = (const char *)event->data.scalar.tag;
  node->kind = OG_NODE_STRING;
  node->text =
      (struct og_text){og_arena_copy(r->arena, (const char *)event->data.scalar.value, event->data.scalar.length),
                       event->data.scalar.length};
  if (!tag || strcmp(tag, "!") == 0 || strcmp(tag, "tag:yaml.org,2002:str") == 0)
    classify(node, event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE);
  else if (strcmp(tag, "!nil") == 0)
    node->kind = OG_NODE_NIL;
  else if (strcmp(tag, "!str") != 0)
    classify(node, true);
  return true;
}

static bool read_node(struct yaml_reader *r, const yaml_event_t *event, struct og_node *node, int depth);

static bool read_collection(struct yaml_reader *r, struct og_node *node, yaml_event_type_t end, int depth) {
  OG_VECTOR(struct og_node) items = {0};
  for (;;) {
    yaml_event_t event;
    if (!next_event(r, &event))
      return false;
    if (event.type == end) {
      yaml_event_delete(&event);
      break;
    }
    struct og_node item = {0};
    bool good = read_node(r, &event, &item, depth + 1);
    yaml_event_delete(&event);
    if (!good)
      return false;
    if (r->budget-- == 0)
      return og_error(r->diagnostics, item.range, "metadata has too many elements for its size");
    *OG_PUSH(r->arena, &items) = item;
  }
  node->items = items.items;
  node->count = node->kind == OG_NODE_MAP ? items.count / 2 : items.count;
  return true;
}

static bool read_node(struct yaml_reader *r, const yaml_event_t *event, struct og_node *node, int depth) {
  node->range = range_of(r, event);
  if (depth > OG_YAML_DEPTH_MOST)
    return og_error(r->diagnostics, node->range, "metadata is nested deeper than %d levels", OG_YAML_DEPTH_MOST);
  switch (event->type) {
  case YAML_SCALAR_EVENT: return read_scalar(r, event, node);
  case YAML_SEQUENCE_START_EVENT:
    node->kind = OG_NODE_LIST;
    return read_collection(r, node, YAML_SEQUENCE_END_EVENT, depth);
  case YAML_MAPPING_START_EVENT:
    node->kind = OG_NODE_MAP;
    return read_collection(r, node, YAML_MAPPING_END_EVENT, depth);
  case YAML_ALIAS_EVENT: return og_error(r->diagnostics, node->range, "aliases are not supported in metadata");
  default: return og_error(r->diagnostics, node->range, "expected a value");
  }
}

static struct og_node *read_document(struct yaml_reader *r) {
  struct og_node *root = NULL;
  for (;;) {
    yaml_event_t event;
    if (!next_event(r, &event))
      return NULL;
    yaml_event_type_t type = event.type;
    bool good = true;
    if (type != YAML_STREAM_START_EVENT && type != YAML_DOCUMENT_START_EVENT && type != YAML_DOCUMENT_END_EVENT &&
        type != YAML_STREAM_END_EVENT) {
      struct og_node *node = OG_NEW(r->arena, struct og_node);
      good = read_node(r, &event, node, 0);
      if (good && root)
        good = og_error(r->diagnostics, node->range, "metadata has more than one document");
      root = node;
    }
    yaml_event_delete(&event);
    if (!good)
      return NULL;
    if (type == YAML_STREAM_END_EVENT)
      break;
  }
  if (!root)
    og_error(r->diagnostics, r->within, "metadata is empty");
  return root;
}

struct og_node *og_metadata_from_yaml(struct og_arena *arena, struct og_text text, struct og_range within,
                                      struct og_diagnostics *diagnostics) {
  struct yaml_reader r = {
      .arena = arena, .within = within, .budget = og_yaml_budget(text), .diagnostics = diagnostics};
  if (!yaml_parser_initialize(&r.parser)) {
    og_error(diagnostics, within, "out of memory");
    return NULL;
  }
  yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&r.parser, (const unsigned char *)text.data, text.size);
  struct og_node *root = read_document(&r);
  yaml_parser_delete(&r.parser);
  return root;
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

enum quoting { QUOTE_NONE, QUOTE_SINGLE, QUOTE_DOUBLE };

static bool is_one_of(const char *s, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(s, words[i]) == 0)
      return true;
  return false;
}

static bool reads_as_other(const char *s) {
  static const char *const words[] = {"null", "Null", "NULL", "~", "true", "True", "TRUE", "false", "False", "FALSE"};
  uint64_t u;
  int64_t i;
  double d;
  return is_one_of(s, words, OG_COUNT(words)) || parse_unsigned(s, &u) || parse_signed(s, &i) ||
         (strpbrk(s, "0123456789.") && parse_real(s, &d));
}

static enum quoting quoting_of(struct og_text text) {
  if (text.size == 0)
    return QUOTE_SINGLE;
  enum quoting quoting = QUOTE_NONE;
  const unsigned char *s = (const unsigned char *)text.data;
  if (isspace(s[0]) || isspace(s[text.size - 1]) || strchr("-?:\\,[]{}#&*!|>'\"%@`", s[0]) || reads_as_other(text.data))
    quoting = QUOTE_SINGLE;
  for (size_t i = 0; i < text.size; i++) {
    if (isalnum(s[i]) || (s[i] && strchr("_-^., \t", s[i])))
      continue;
    if (s[i] < 0x20 || s[i] >= 0x7f)
      return QUOTE_DOUBLE;
    quoting = QUOTE_SINGLE;
  }
  return quoting;
}

static void print_double_quoted(struct og_text text, struct og_buffer *out) {
  static const char escapes[32] = {
      ['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r', [0x1b] = 'e'};
  og_buffer_u8(out, '"');
  for (size_t i = 0; i < text.size; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (c == 0)
      og_buffer_text(out, "\\0");
    else if (c < 0x20 && escapes[c])
      og_buffer_printf(out, "\\%c", escapes[c]);
    else if (c < 0x20 || c == 0x7f)
      og_buffer_printf(out, "\\x%02X", c);
    else if (c == '"' || c == '\\')
      og_buffer_printf(out, "\\%c", c);
    else
      og_buffer_u8(out, c);
  }
  og_buffer_u8(out, '"');
}

static void print_spaces(struct og_buffer *out, int count) {
  static const char spaces[] = "                                ";
  for (int some; count > 0; count -= some) {
    some = OG_MIN(count, 32);
    memcpy(og_buffer_room(out, 32), spaces, 32); /* of a known size */
    out->data[out->size += (size_t)some] = 0;
  }
}

/* Words that nothing else looks like, as nearly all are. */
static bool is_word(struct og_text text) {
  static const bool goes_on[256] = {
      ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true, ['.'] = true, ['-'] = true};
  const unsigned char *s = (const unsigned char *)text.data, *first = s + (*s == '.' || *s == '_');
  if (!isalpha(*first) || (first == s && strchr("nNtTfFiI", *s))) /* null, true, false, inf */
    return false;
  for (const unsigned char *end = s + text.size; ++s < end;)
    if (!goes_on[*s])
      return false;
  return true;
}

static void print_quoted(struct og_text text, struct og_buffer *out) {
  struct og_node again = {.kind = OG_NODE_STRING, .text = text};
  classify(&again, true);
  if (again.kind != OG_NODE_STRING)
    og_buffer_text(out, "!str ");
  switch (quoting_of(text)) {
  case QUOTE_NONE: og_buffer_append(out, text.data, text.size); return;
  case QUOTE_DOUBLE: print_double_quoted(text, out); return;
  case QUOTE_SINGLE: break;
  }
  og_buffer_u8(out, '\'');
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] == '\'')
      og_buffer_u8(out, '\'');
    og_buffer_u8(out, (uint8_t)text.data[i]);
  }
  og_buffer_u8(out, '\'');
}

bool og_yaml_print_string(struct og_text text, struct og_buffer *out) {
  bool word = is_word(text);
  if (word)
    og_buffer_append(out, text.data, text.size);
  else
    print_quoted(text, out);
  return word;
}

struct printer {
  struct og_buffer *out;
  bool flow_numbers, hex;
};

static void print_scalar(const struct printer *p, const struct og_node *node) {
  struct og_buffer *out = p->out;
  switch (node->kind) {
  case OG_NODE_NIL: og_buffer_text(out, "!nil ''"); break;
  case OG_NODE_BOOL: og_buffer_text(out, node->boolean ? "true" : "false"); break;
  case OG_NODE_INT: og_buffer_printf(out, "%lld", (long long)node->integer); break;
  case OG_NODE_UINT: og_buffer_decimal(out, node->unsigned_integer); break;
  case OG_NODE_FLOAT: og_buffer_printf(out, "%E", node->real); break;
  case OG_NODE_STRING: break; /* print_value() */
  case OG_NODE_BINARY: print_double_quoted(node->text, out); break;
  case OG_NODE_LIST: og_buffer_text(out, "[]"); break;
  case OG_NODE_MAP: og_buffer_text(out, "{}"); break;
  }
}

static bool is_block(const struct og_node *node) {
  return (node->kind == OG_NODE_LIST || node->kind == OG_NODE_MAP) && node->count;
}

static void print_value(const struct printer *p, const struct og_node *node) {
  if (node->kind == OG_NODE_STRING)
    og_yaml_print_string(node->text, p->out);
  else if (p->hex && node->kind == OG_NODE_UINT)
    og_buffer_printf(p->out, "%#llx", (unsigned long long)node->unsigned_integer);
  else
    print_scalar(p, node);
}

static bool print_flow(const struct printer *p, const struct og_node *node) {
  if (!p->flow_numbers || node->kind != OG_NODE_LIST || !node->count)
    return false;
  for (uint32_t i = 0; i < node->count; i++)
    if (node->items[i].kind != OG_NODE_UINT && node->items[i].kind != OG_NODE_INT)
      return false;
  for (uint32_t i = 0; i < node->count; i++) {
    og_buffer_text(p->out, i ? ", " : "[ ");
    print_scalar(p, &node->items[i]);
  }
  og_buffer_text(p->out, " ]");
  return true;
}

/* A block's first line goes on where the cursor is, its others are indented. */
static void print_block(const struct printer *p, const struct og_node *node, int indent) {
  enum { KEY_COLUMN = 16 };
  for (uint32_t i = 0; i < node->count; i++) {
    const struct og_node *value = &node->items[i];
    if (i)
      print_spaces(p->out, indent);
    if (node->kind == OG_NODE_LIST) {
      og_buffer_text(p->out, "- ");
      if (is_block(value)) {
        print_block(p, value, indent + 2);
        continue;
      }
    } else {
      size_t start = p->out->size;
      print_value(p, &node->items[2 * i]);
      int width = (int)(p->out->size - start);
      og_buffer_u8(p->out, ':');
      value = &node->items[2 * i + 1];
      if (is_block(value) &&
          !(p->flow_numbers && value->kind == OG_NODE_LIST && value->items[0].kind <= OG_NODE_UINT)) {
        og_buffer_u8(p->out, '\n');
        print_spaces(p->out, indent + 2);
        print_block(p, value, indent + 2);
        continue;
      }
      print_spaces(p->out, width < KEY_COLUMN ? KEY_COLUMN - width : 1);
    }
    if (!print_flow(p, value))
      print_value(p, value);
    og_buffer_u8(p->out, '\n');
  }
}

static void print_document(const struct printer *p, const struct og_node *root) {
  og_buffer_text(p->out, "---\n");
  if (is_block(root)) {
    print_block(p, root, 0);
  } else {
    print_value(p, root);
    og_buffer_u8(p->out, '\n');
  }
  og_buffer_text(p->out, "...\n");
}

void og_metadata_to_yaml(const struct og_node *root, int code_object_version, struct og_buffer *out) {
  print_document(&(struct printer){.out = out, .flow_numbers = code_object_version == 2}, root);
}

void og_metadata_to_hex_yaml(const struct og_node *root, struct og_buffer *out) {
  print_document(&(struct printer){.out = out, .hex = true}, root);
}
