/* metadata.c - checks metadata against the rules in the tables of keys; V2's order of keys. */
#include "object/metadata/keys.h"

#include <inttypes.h>
#include <string.h>

/* Number of the key in its level, which has `count` of them; the count where it is none of them. */
static size_t number_of_key(enum og_level level, const struct og_node *key) {
  const struct og_metadata_key *keys = og_key_levels[level].keys;
  size_t count = og_key_levels[level].count, i = 0;
  if (key->kind != OG_NODE_STRING)
    return count;
  while (i < count && !og_is_key(&keys[i], key->text))
    i++;
  return i;
}

const char *og_value_kind_name(const char *kind) {
  for (const struct og_value_kind *k = og_value_kinds; k->name; k++)
    if (strcmp(kind, k->name) == 0 || (k->name_v2 && strcmp(kind, k->name_v2) == 0))
      return k->name;
  return kind;
}

/* The last keys and words by position: maps repeat them in the same order, and share their bytes if MessagePack was
 * read. */
enum { PLACES = 256 };
struct places {
  uint8_t next[OG_LEVEL_NONE][OG_KEYS_MOST + 1]; /* which key came behind which */
  const char *keys[OG_LEVEL_NONE][OG_KEYS_MOST]; /* the bytes of each when it came last */
  uint8_t kinds[PLACES]; /* value kinds, by a hash */
};

/* One map of a list of them: a kernel, or an argument of one. */
struct verifier {
  int version;
  const char *file;
  const struct verifier *outer; /* the kernel's, of an argument; else NULL */
  const char *name;             /* the kernel's, or NULL */
  uint32_t number;
  bool is_kernel, is_argument;
  struct places *places;
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  size_t enough; /* errors: whoever reads them needs no more */
};

/* " of argument 2 of kernel 'x'" */
static const char *where(const struct verifier *v) {
  if (v->is_argument)
    return og_arena_printf(v->arena, " of argument %u%s", v->number, where(v->outer));
  if (!v->is_kernel)
    return "";
  return v->name ? og_arena_printf(v->arena, " of kernel '%s'", v->name)
                 : og_arena_printf(v->arena, " of kernel %u", v->number);
}

static bool report(const struct verifier *v, const struct og_node *node, const char *key, const char *expected) {
  if (node && node->range.source)
    return og_error(v->diagnostics, node->range, "metadata: '%s'%s: expected %s", key, where(v), expected);
  return og_error_in(v->diagnostics, v->file, "metadata: '%s'%s: expected %s", key, where(v), expected);
}

static const char *list_words(struct og_arena *arena, const char *const *words) {
  struct og_buffer text = {0};
  for (size_t i = 0; words[i]; i++)
    og_buffer_printf(&text, "%s'%s'", i ? ", " : "one of ", words[i]);
  const char *copy = og_arena_copy(arena, (const char *)text.data, text.size);
  og_buffer_free(&text);
  return copy;
}

static bool verify_map(const struct verifier *v, const struct og_node *map, const char *key_name, enum og_level level);

static bool verify_word(const struct verifier *v, const struct og_node *node, const struct og_metadata_key *key) {
  if (node->kind != OG_NODE_STRING)
    return report(v, node, key->name, "a string");
  if (!key->words)
    return true;
  for (const char *const *word = key->words; *word; word++)
    if (og_text_is(node->text, *word))
      return true;
  return report(v, node, key->name, list_words(v->arena, key->words));
}

static bool is_kind(const struct verifier *v, const struct og_value_kind *kind, struct og_text text) {
  const char *name = v->version == 2 ? kind->name_v2 : kind->name;
  return name && og_text_is(text, name);
}

/* NULL: none has that name. */
static const struct og_value_kind *value_kind(const struct verifier *v, struct og_text name) {
  uint8_t *place = &v->places->kinds[og_word_hash(name) % PLACES];
  const struct og_value_kind *kind = &og_value_kinds[*place];
  if (is_kind(v, kind, name))
    return kind;
  for (kind = og_value_kinds; kind->name && !is_kind(v, kind, name);)
    kind++;
  *place = kind->name ? (uint8_t)(kind - og_value_kinds) : *place;
  return kind->name ? kind : NULL;
}

static bool verify_value_kind(const struct verifier *v, const struct og_node *node, const struct og_metadata_key *key) {
  const struct og_value_kind *k = node->kind == OG_NODE_STRING ? value_kind(v, node->text) : NULL;
  if (k)
    return v->version >= k->since ||
           report(v, node, key->name,
                  og_arena_printf(v->arena, "a kind of this version: '%s' needs code object V%d",
                                  v->version == 2 ? k->name_v2 : k->name, k->since));
  return report(v, node, key->name,
                v->version == 2 ? "a value kind such as 'ByValue' or 'GlobalBuffer'"
                                : "a value kind such as 'by_value' or 'global_buffer'");
}

static bool verify_numbers(const struct verifier *v, const struct og_node *node, const struct og_metadata_key *key,
                           uint32_t count) {
  bool good = node->kind == OG_NODE_LIST && (node->count == count || !count);
  for (uint32_t i = 0; good && i < node->count; i++)
    good = node->items[i].kind == OG_NODE_UINT;
  return good || report(v, node, key->name,
                        count == 2   ? "a list of two integers"
                        : count == 3 ? "a list of three integers"
                                     : "a list of integers");
}

static bool verify_strings(const struct verifier *v, const struct og_node *node, const struct og_metadata_key *key) {
  bool good = node->kind == OG_NODE_LIST;
  for (uint32_t i = 0; good && i < node->count; i++)
    good = node->items[i].kind == OG_NODE_STRING;
  return good || report(v, node, key->name, "a list of strings");
}

static bool verify_maps(const struct verifier *v, const struct og_node *node, const struct og_metadata_key *key) {
  if (node->kind != OG_NODE_LIST)
    return report(v, node, key->name, "a list of maps");
  bool good = true;
  for (uint32_t i = 0; i < node->count && og_diagnostics_errors(v->diagnostics) < v->enough; i++) {
    struct verifier inner = *v;
    inner.outer = v;
    inner.number = i;
    inner.is_kernel = key->inner == OG_LEVEL_KERNEL || key->inner == OG_LEVEL_KERNEL_V2;
    inner.is_argument = !inner.is_kernel;
    if (inner.is_kernel)
      inner.name = og_node_string(og_node_get(&node->items[i], v->version == 2 ? "Name" : ".name"), NULL);
    good &= verify_map(&inner, &node->items[i], key->name, key->inner);
  }
  return good;
}

static bool verify_value(const struct verifier *v, const struct og_node *node, const struct og_metadata_key *key) {
  switch (key->shape) {
  case OG_SHAPE_WORD: return verify_word(v, node, key);
  case OG_SHAPE_VALUE_KIND: return verify_value_kind(v, node, key);
  case OG_SHAPE_UNSIGNED: return node->kind == OG_NODE_UINT || report(v, node, key->name, "a non-negative integer");
  case OG_SHAPE_POWER_OF_TWO:
    return (node->kind == OG_NODE_UINT && node->unsigned_integer &&
            !(node->unsigned_integer & (node->unsigned_integer - 1))) ||
           report(v, node, key->name, "a power of two");
  case OG_SHAPE_BOOLEAN: return node->kind == OG_NODE_BOOL || report(v, node, key->name, "true or false");
  case OG_SHAPE_STRINGS: return verify_strings(v, node, key);
  case OG_SHAPE_TWO_NUMBERS: return verify_numbers(v, node, key, 2);
  case OG_SHAPE_THREE_NUMBERS: return verify_numbers(v, node, key, 3);
  case OG_SHAPE_NUMBERS: return verify_numbers(v, node, key, 0);
  case OG_SHAPE_MAP: return verify_map(v, node, key->name, key->inner);
  case OG_SHAPE_MAPS: return verify_maps(v, node, key);
  }
  return false;
}

static bool known_key(enum og_level level, const struct og_node *node) {
  return node->kind == OG_NODE_STRING && (memchr(node->text.data, '.', node->text.size) /* a vendor's */
                                          || number_of_key(level, node) < og_key_levels[level].count);
}

/* The same as number_of_key(), of a key that comes behind one of that number. */
static size_t number_behind(struct places *places, enum og_level level, size_t last, const struct og_node *key) {
  uint8_t *next = &places->next[level][last];
  if (*next == og_key_levels[level].count || key->kind != OG_NODE_STRING ||
      og_key_levels[level].keys[*next].size != key->text.size)
    return *next = (uint8_t)number_of_key(level, key);
  const char **known = &places->keys[level][*next];
  if (*known != key->text.data && !og_is_key(&og_key_levels[level].keys[*next], key->text))
    return *next = (uint8_t)number_of_key(level, key);
  *known = key->text.data;
  return *next;
}

/* In V2 an unknown key without a vendor's prefix is a mistake; later versions leave all unknown keys alone. */
static bool verify_no_unknown(const struct verifier *v, const struct og_node *map, enum og_level level) {
  bool good = true;
  for (uint32_t i = 0; v->version == 2 && i < map->count; i++)
    if (!known_key(level, &map->items[2 * i]))
      good =
          report(v, &map->items[2 * i], og_node_string(&map->items[2 * i], "?"), "a known key, or a vendor's prefix");
  return good;
}

static bool verify_map(const struct verifier *v, const struct og_node *map, const char *key_name, enum og_level level) {
  if (map->kind != OG_NODE_MAP)
    return report(v, map, key_name, "a map");
  bool good = verify_no_unknown(v, map, level);
  const struct og_node *values[OG_KEYS_MOST + 1] = {NULL};
  size_t number = og_key_levels[level].count;
  for (uint32_t i = map->count; i-- > 0;) { /* of two the first counts */
    number = number_behind(v->places, level, number, &map->items[2 * i]);
    values[number] = &map->items[2 * i + 1];
  }
  for (size_t i = 0; i < og_key_levels[level].count; i++) {
    const struct og_metadata_key *key = &og_key_levels[level].keys[i];
    if (values[i])
      good &= verify_value(v, values[i], key);
    else if (key->required)
      good = report(v, map, key->name, "this required key, which is missing");
  }
  return good;
}

bool og_metadata_verify(const struct og_node *root, int code_object_version, const char *name,
                        struct og_diagnostics *diagnostics) {
  enum { ENOUGH = 1000 };
  size_t enough = og_diagnostics_errors(diagnostics) + ENOUGH;
  struct places places = {0};
  struct verifier v = {.version = code_object_version,
                       .file = name,
                       .places = &places,
                       .arena = og_arena_new(),
                       .diagnostics = diagnostics,
                       .enough = enough};
  bool good = verify_map(&v, root, "metadata", code_object_version == 2 ? OG_LEVEL_ROOT_V2 : OG_LEVEL_ROOT);
  og_arena_free(v.arena);
  return good;
}

/* ---- LLVM's order of keys in V2's text --------------------------------------------------------------------------- */

static void order_value(struct og_node *value, const struct og_metadata_key *key);

static void order_map(struct og_node *map, enum og_level level) {
  for (uint32_t i = 1; i < map->count; i++) { /* insertion: few keys, mostly in order */
    struct og_node pair[2] = {map->items[2 * i], map->items[2 * i + 1]};
    uint32_t at = i;
    for (; at > 0 && number_of_key(level, &map->items[2 * at - 2]) > number_of_key(level, &pair[0]); at--)
      memcpy(&map->items[2 * at], &map->items[2 * at - 2], sizeof pair);
    memcpy(&map->items[2 * at], pair, sizeof pair);
  }
  for (uint32_t i = 0; i < map->count; i++) {
    size_t rank = number_of_key(level, &map->items[2 * i]);
    if (rank < og_key_levels[level].count)
      order_value(&map->items[2 * i + 1], &og_key_levels[level].keys[rank]);
  }
}

static void order_value(struct og_node *value, const struct og_metadata_key *key) {
  if (key->shape == OG_SHAPE_MAP && value->kind == OG_NODE_MAP)
    order_map(value, key->inner);
  for (uint32_t i = 0; key->shape == OG_SHAPE_MAPS && value->kind == OG_NODE_LIST && i < value->count; i++)
    if (value->items[i].kind == OG_NODE_MAP)
      order_map(&value->items[i], key->inner);
}

void og_metadata_order_v2(struct og_node *root) {
  if (root->kind == OG_NODE_MAP)
    order_map(root, OG_LEVEL_ROOT_V2);
}
