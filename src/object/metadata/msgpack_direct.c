/* msgpack_direct.c - metadata as compilers write it, from MessagePack to YAML in one pass, without a tree: the known
 * keys of V3 and later in ascending order, with plain values that obey the rules, each in the fewest bytes. Everything
 * else is left to msgpack.c, metadata.c and yaml.c, so it reports no errors. */
#include "object/metadata/keys.h"
#include "object/metadata/yaml.h"

#include <string.h>

enum { LEVELS = OG_LEVEL_ARG + 1, LINE = 48, COLUMN = 16, KNOWN = 256, ROOM = 2 * LINE };
static const uint8_t indents[LEVELS] = {[OG_LEVEL_ROOT] = 0, [OG_LEVEL_KERNEL] = 4, [OG_LEVEL_ARG] = 8};

/* A line up to its value: blanks, the key, a colon, and what fills up to where a value stands. */
struct line {
  char text[LINE];
  uint8_t colon, size; /* up to the colon, and all of it */
};

struct direct {
  const uint8_t *p, *end;
  struct og_buffer *out;
  char *at; /* behind what is written, where there is room for ROOM characters when a line begins */
  int version;
  uint32_t required[LEVELS]; /* keys, as bits */
  struct line lines[LEVELS][OG_KEYS_MOST];
  uint8_t next[LEVELS][OG_KEYS_MOST + 1]; /* which key came behind which, plus one: mostly it comes again */
  struct {
    const struct og_metadata_key *key;
    struct og_text word; /* that the key may have, and that is written as it is */
  } known[KNOWN];        /* by a hash */
  struct og_buffer text; /* one that is not known, with a NUL */
};

static void prepare(struct direct *d) {
  for (unsigned level = 0; level < LEVELS; level++)
    for (unsigned i = 0; i < og_key_levels[level].count; i++) {
      const struct og_metadata_key *key = &og_key_levels[level].keys[i];
      struct line *line = &d->lines[level][i];
      d->required[level] |= (uint32_t)key->required << i;
      memset(line->text, ' ', LINE);
      memcpy(line->text + indents[level], key->name, key->size);
      line->colon = (uint8_t)(indents[level] + key->size + 1);
      line->text[line->colon - 1] = ':';
      line->size = (uint8_t)(line->colon + (key->size < COLUMN ? COLUMN - key->size : 1));
    }
}

/* ---- MessagePack, in the fewest bytes ---------------------------------------------------------------------------- */

/* A tag's argument of 1, 2, 4 or 8 bytes, which is too large for fewer and no smaller than `least`. */
static bool argument(struct direct *d, unsigned bytes, uint64_t least, uint64_t *value) {
  if ((size_t)(d->end - d->p) < bytes)
    return false;
  *value = 0;
  for (unsigned i = 0; i < bytes; i++)
    *value = *value << 8 | *d->p++;
  return *value >= least;
}

static bool number(struct direct *d, uint64_t *value) {
  uint8_t tag = d->p < d->end ? *d->p++ : 0xff;
  *value = tag;
  if (tag < 0x80)
    return true;
  unsigned bytes = 1u << (tag & 3);
  return tag >= 0xcc && tag <= 0xcf && argument(d, bytes, bytes == 1 ? 128 : UINT64_C(1) << 4 * bytes, value);
}

/* How many a list (0x90, 0xdc) or map (0x80, 0xde) holds. */
static bool count(struct direct *d, uint8_t few, uint8_t many, uint64_t *value) {
  uint8_t tag = d->p < d->end ? *d->p++ : 0xff;
  *value = tag & 15;
  if ((tag & 0xf0) == few)
    return true;
  return (tag == many || tag == many + 1) && argument(d, tag == many ? 2 : 4, tag == many ? 16 : 1 << 16, value);
}

static bool string(struct direct *d, struct og_text *text) {
  uint8_t tag = d->p < d->end ? *d->p++ : 0xff;
  uint64_t size = tag & 31;
  if ((tag & 0xe0) != 0xa0) {
    unsigned bytes = 1u << ((tag - 0xd9) & 3);
    if (tag < 0xd9 || tag > 0xdb || !argument(d, bytes, bytes == 1 ? 32 : UINT64_C(1) << 4 * bytes, &size))
      return false;
  }
  *text = (struct og_text){(const char *)d->p, size};
  if ((uint64_t)(d->end - d->p) < size)
    return false;
  d->p += size;
  return true;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Room for so many characters and the rest of a line. */
static inline void take_room(struct direct *d, size_t size) {
  d->out->size = (size_t)(d->at - (char *)d->out->data);
  d->at = og_buffer_room(d->out, size + ROOM);
}

static inline void put(struct direct *d, const char *text, size_t size) {
  memcpy(d->at, text, size);
  d->at += size;
}

static void put_number(struct direct *d, uint64_t value) {
  char digits[20], *first = digits + sizeof digits;
  do
    *--first = (char)('0' + value % 10);
  while (value /= 10);
  put(d, first, (size_t)(digits + sizeof digits - first));
}

static bool is_plain(struct og_text text) {
  bool plain = true;
  for (size_t i = 0; i < text.size; i++)
    plain &= (uint8_t)text.data[i] >= 32 && (uint8_t)text.data[i] < 127;
  return plain;
}

static bool may_have(const struct direct *d, const struct og_metadata_key *key, struct og_text word) {
  if (key->shape == OG_SHAPE_VALUE_KIND) {
    const struct og_value_kind *kind = og_value_kinds;
    while (kind->name && !og_text_is(word, kind->name))
      kind++;
    return kind->name && d->version >= kind->since;
  }
  const char *const *one = key->words;
  while (one && *one && !og_text_is(word, *one))
    one++;
  return !one || *one;
}

static bool put_string(struct direct *d, const struct og_metadata_key *key) {
  struct og_text word;
  if (!string(d, &word))
    return false;
  typeof(&d->known[0]) known = &d->known[og_word_hash(word) % KNOWN];
  if (known->key == key && og_text_equal(known->word, word)) {
    take_room(d, word.size);
    put(d, word.data, word.size);
    return true;
  }
  if (!is_plain(word) || !may_have(d, key, word))
    return false;
  d->text.size = 0;
  og_buffer_append(&d->text, word.data, word.size);
  og_buffer_u8(&d->text, 0);
  take_room(d, 0); /* tells the buffer what is there */
  if (og_yaml_print_string((struct og_text){(const char *)d->text.data, word.size}, d->out))
    known->key = key, known->word = word;
  d->at = og_buffer_room(d->out, ROOM);
  return true;
}

/* The beginning of an item's line. */
static void put_item(struct direct *d, enum og_level level) {
  static const char blanks[] = "            ";
  put(d, blanks, indents[level] + 2u);
  put(d, "- ", 2);
}

static bool put_map(struct direct *d, enum og_level level);

static bool put_list(struct direct *d, const struct og_metadata_key *key, enum og_level level,
                     const struct line *line) {
  uint64_t items, value;
  if (!count(d, 0x90, 0xdc, &items) || (key->shape == OG_SHAPE_TWO_NUMBERS && items != 2) ||
      (key->shape == OG_SHAPE_THREE_NUMBERS && items != 3))
    return false;
  if (!items) {
    put(d, line->text + line->colon, (size_t)(line->size - line->colon));
    put(d, "[]\n", 3);
    return true;
  }
  *d->at++ = '\n';
  for (uint64_t i = 0; i < items; i++) {
    if (key->shape == OG_SHAPE_MAPS) {
      if (!put_map(d, key->inner))
        return false;
      continue;
    }
    take_room(d, 0);
    put_item(d, level);
    if (key->shape == OG_SHAPE_STRINGS) {
      if (!put_string(d, key))
        return false;
    } else {
      if (!number(d, &value))
        return false;
      put_number(d, value);
    }
    *d->at++ = '\n';
  }
  return true;
}

static bool put_value(struct direct *d, const struct og_metadata_key *key) {
  uint64_t value;
  switch (key->shape) {
  case OG_SHAPE_WORD: case OG_SHAPE_VALUE_KIND: return put_string(d, key);
  case OG_SHAPE_UNSIGNED: case OG_SHAPE_POWER_OF_TWO:
    if (!number(d, &value) || (key->shape == OG_SHAPE_POWER_OF_TWO && (!value || value & (value - 1))))
      return false;
    put_number(d, value);
    return true;
  case OG_SHAPE_BOOLEAN:
    if (d->p == d->end || (*d->p & 0xfe) != 0xc2)
      return false;
    if (*d->p++ & 1)
      put(d, "true", 4);
    else
      put(d, "false", 5);
    return true;
  default: return false;
  }
}

/* ---- maps -------------------------------------------------------------------------------------------------------- */

/* Number of the key that comes next, plus one; `last` is that of the one before it, or 0. 0: it does not ascend, or is
 * none of the level's. */
static unsigned key_behind(struct direct *d, enum og_level level, unsigned last) {
  const struct og_key_level *of = &og_key_levels[level];
  uint8_t *next = &d->next[level][last];
  struct og_text name;
  if (!string(d, &name))
    return 0;
  if (*next && og_is_key(&of->keys[*next - 1], name))
    return *next;
  unsigned i = 0;
  while (i < of->count && !og_is_key(&of->keys[i], name))
    i++;
  if (i == of->count || (last && strcmp(of->keys[last - 1].name, of->keys[i].name) >= 0))
    return 0;
  return *next = (uint8_t)(i + 1);
}

/* Of a list's map the first line has a dash. */
static bool put_map(struct direct *d, enum og_level level) {
  uint64_t pairs;
  uint32_t found = 0;
  if (!count(d, 0x80, 0xde, &pairs))
    return false;
  for (unsigned last = 0, key; pairs--; last = key) {
    if (!(key = key_behind(d, level, last)))
      return false;
    const struct og_metadata_key *row = &og_key_levels[level].keys[key - 1];
    const struct line *line = &d->lines[level][key - 1];
    bool list = row->shape >= OG_SHAPE_STRINGS;
    found |= 1u << (key - 1);
    take_room(d, LINE);
    memcpy(d->at, line->text, LINE);
    if (!last && level != OG_LEVEL_ROOT)
      d->at[indents[level] - 2] = '-';
    d->at += list ? line->colon : line->size;
    if (list ? !put_list(d, row, level, line) : !put_value(d, row))
      return false;
    if (!list)
      *d->at++ = '\n';
  }
  return !(d->required[level] & ~found); /* which no empty map has */
}

bool og_metadata_print_direct(const void *bytes, size_t size, int code_object_version, struct og_buffer *out) {
  if (code_object_version < 3)
    return false;
  size_t start = out->size;
  struct direct d = {.p = bytes, .end = (const uint8_t *)bytes + size, .out = out, .version = code_object_version};
  prepare(&d);
  d.at = og_buffer_room(out, ROOM);
  put(&d, "---\n", 4);
  bool good = put_map(&d, OG_LEVEL_ROOT) && d.p == d.end;
  if (good)
    put(&d, "...\n", 5); /* with a NUL */
  out->size = good ? (size_t)(d.at - 1 - (char *)out->data) : start;
  og_buffer_free(&d.text);
  return good;
}
