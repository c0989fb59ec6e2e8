/* yaml_direct.c - metadata as compilers write it, from YAML to MessagePack in one pass, without a tree: the known keys
 * of V3 and later in ascending order, with plain values that obey the rules. All else it leaves to libyaml and
 * metadata.c, so it reports no errors. */
#include "object/metadata/keys.h"
#include "object/metadata/yaml.h"

#include <string.h>
#include <strings.h>

enum { KINDS_MOST = 64 };
struct direct {
  const char *p, *end; /* a line's end stands before `end` */
  int64_t indent;      /* of the line in hand; -1 past the document */
  uint8_t *out;        /* has room: nothing takes more than twice the bytes of its text */
  int version;
  uint32_t required[OG_LEVEL_NONE]; /* sets of the numbers of keys */
  uint8_t next[OG_LEVEL_NONE][OG_KEYS_MOST + 1]; /* which key came behind which, plus one: mostly it comes again */
  uint8_t kind, behind[KINDS_MOST]; /* the last value kind, and which came behind which: mostly it comes again */
};

/* Goes to where the next line's text begins, from a line's end. False where only libyaml knows how to go on. */
static bool next_line(struct direct *d) {
  const char *line = ++d->p, *p = line;
  if (p == d->end)
    return d->indent = -1, true;
  while (*p == ' ')
    p++;
  d->p = p;
  d->indent = p - line;
  if (*p != '.' || p[1] != '.' || p != line)
    return *p != '\n';
  d->indent = -1;
  for (p += 2 + (p[2] == '.'); p < d->end && (*p == ' ' || *p == '\n');)
    p++;
  return p == d->end && line[2] == '.';
}

/* ---- scalars: each ends with its line ---------------------------------------------------------------------------- */

static void put_number(struct direct *d, uint64_t value) {
  unsigned bytes = 1, tag = 0xcc;
  for (; bytes < 8 && value >> 8 * bytes; bytes *= 2)
    tag++;
  if (value < 128) {
    *d->out++ = (uint8_t)value;
    return;
  }
  *d->out++ = (uint8_t)tag;
  while (bytes--)
    *d->out++ = (uint8_t)(value >> 8 * bytes);
}

/* In decimal digits, so many that it always fits. */
static bool number(struct direct *d, uint64_t *value) {
  enum { DIGITS = 18 };
  const char *start = d->p, *p = start;
  unsigned digit;
  for (*value = 0; (digit = (unsigned)(uint8_t)*p - '0') <= 9 && p - start < DIGITS; p++)
    *value = *value * 10 + digit;
  d->p = p;
  if (*p != '\n' || p == start || (*start == '0' && p > start + 1))
    return false;
  put_number(d, *value);
  return true;
}

static bool boolean(struct direct *d) {
  const char *p = d->p;
  bool yes = *p == 't';
  if (strncmp(p, yes ? "true\n" : "false\n", yes ? 5 : 6))
    return false;
  *d->out++ = yes ? 0xc3 : 0xc2;
  d->p = p + (yes ? 4 : 5);
  return true;
}

/* Characters that need no quotes in a plain word: no colon, which may end a key, and no '#'. */
static const uint8_t plain_characters[256] = {
    [' ' ... '"'] = 1, ['$' ... '/'] = 1, ['0' ... '9'] = 1, [';' ... '~'] = 1};

/* Whether it is surely no number, and neither true nor false; without quotes, no infinity either. */
static bool is_string(struct og_text word, bool quoted) {
  char first = *word.data;
  if (first >= '0' && first <= '9')
    return quoted && memchr(word.data, ':', word.size); /* of printf */
  bool letter = (first | 32) >= 'a' && (first | 32) <= 'z', special = first == 't' || first == 'f';
  if (special && (og_text_is(word, "true") || og_text_is(word, "false")))
    return false;
  if (quoted)
    return first != '-';
  if ((first | 32) == 'n' && !strncasecmp(word.data, "nan", 3))
    return word.size > 3 && word.data[3] != '(';
  if ((first | 32) == 'i' && !strncasecmp(word.data, "inf", 3))
    return word.size != 3 && (word.size != 8 || strncasecmp(word.data, "infinity", 8));
  return letter || first == '_' || (first == '.' && word.size > 1 && (word.data[1] < '0' || word.data[1] > '9'));
}

/* Between single quotes, or as it stands. */
static bool text(struct direct *d, struct og_text *word) {
  const char *p = d->p;
  bool quoted = *p == '\'';
  if (quoted) {
    *word = (struct og_text){++p, 0};
    while (*p != '\'' && *p >= ' ' && *p < 0x7f) /* negative ones are beyond ASCII */
      p++;
    word->size = (size_t)(p - word->data);
    if (*p != '\'' || p[1] != '\n')
      return false;
    d->p = p + 1;
  } else {
    while (plain_characters[(uint8_t)*p] || (*p == ':' && p[1] != ' ' && p[1] != '\n'))
      p++;
    *word = (struct og_text){d->p, (size_t)(p - d->p)};
    d->p = p;
    if (*p != '\n' || p[-1] == ' ')
      return false;
  }
  return word->size && is_string(*word, quoted);
}

static void put_text(struct direct *d, struct og_text word) {
  unsigned bytes = word.size < 32 ? 0 : word.size < 256 ? 1 : word.size < 65536 ? 2 : 4;
  *d->out++ = (uint8_t)(bytes ? 0xd9 + bytes / 2 : 0xa0 | word.size);
  while (bytes--)
    *d->out++ = (uint8_t)(word.size >> 8 * bytes);
  memcpy(d->out, word.data, word.size);
  d->out += word.size;
}

/* Whether so many bytes are the same; most keys and kinds have 4 to 32. */
static inline bool same(const char *a, const char *b, size_t size) {
  if (size - 4 <= 4)
    return og_load32(a) == og_load32(b) && og_load32(a + size - 4) == og_load32(b + size - 4);
  if (size - 8 <= 24) {
    size_t second = OG_MIN(size - 8, 8u), third = size - 8 - second;
    return !((og_load64(a) ^ og_load64(b)) | (og_load64(a + second) ^ og_load64(b + second)) |
             (og_load64(a + third) ^ og_load64(b + third)) | (og_load64(a + size - 8) ^ og_load64(b + size - 8)));
  }
  return !memcmp(a, b, size);
}

/* A value kind that the version has. */
static bool value_kind(struct direct *d, struct og_text *word) {
  uint8_t *expected = &d->behind[d->kind];
  const struct og_value_kind *kind = &og_value_kinds[*expected];
  *word = (struct og_text){d->p, kind->size};
  if (kind->size < d->end - d->p && same(d->p, kind->name, kind->size) && d->p[kind->size] == '\n') {
    d->p += word->size;
  } else {
    if (!text(d, word))
      return false;
    for (kind = og_value_kinds; kind->name && !og_text_is(*word, kind->name);)
      kind++;
    if (!kind->name || kind - og_value_kinds >= KINDS_MOST)
      return false;
    *expected = (uint8_t)(kind - og_value_kinds);
  }
  d->kind = *expected;
  return d->version >= kind->since;
}

static bool is_one_of(struct og_text word, const char *const *words) {
  while (*words && !og_text_is(word, *words))
    words++;
  return *words;
}

/* ---- collections ------------------------------------------------------------------------------------------------- */

/* The count of what was written behind `at`, where one byte stands for it. */
static void put_count(struct direct *d, uint8_t *at, unsigned short_tag, unsigned tag, uint32_t count) {
  unsigned bytes = count < 16 ? 0 : count < 65536 ? 2 : 4;
  memmove(at + 1 + bytes, at + 1, (size_t)(d->out - at - 1));
  d->out += bytes;
  *at++ = (uint8_t)(bytes ? tag + bytes / 4 : short_tag | count);
  while (bytes--)
    *at++ = (uint8_t)(count >> 8 * bytes);
}

static bool map(struct direct *d, enum og_level level, int64_t column);

static bool item(struct direct *d, const struct og_metadata_key *key, int64_t column) {
  struct og_text word;
  uint64_t value;
  switch (key->shape) {
  case OG_SHAPE_MAPS: return map(d, key->inner, column);
  case OG_SHAPE_STRINGS:
    if (!text(d, &word))
      return false;
    put_text(d, word);
    return next_line(d);
  default: return number(d, &value) && next_line(d);
  }
}

/* A list, whose dashes stand in the next line and those behind it. */
static bool list(struct direct *d, const struct og_metadata_key *key, int64_t outer) {
  uint8_t *at = d->out++;
  uint32_t count = 0, wanted = key->shape == OG_SHAPE_TWO_NUMBERS ? 2 : key->shape == OG_SHAPE_THREE_NUMBERS ? 3 : 0;
  if (*d->p != '\n' || !next_line(d))
    return false;
  int64_t column = d->indent;
  for (; d->indent == column && column > outer; count++) {
    if (d->p[0] != '-' || d->p[1] != ' ' || d->p[2] == ' ')
      return false;
    d->p += 2;
    if (!item(d, key, column + 2))
      return false;
  }
  if (!count || d->indent > outer || (wanted && count != wanted))
    return false;
  put_count(d, at, 0x90, 0xdc, count);
  return true;
}

/* Whether that key stands at the cursor. */
static inline bool stands(const struct direct *d, const struct og_metadata_key *key) {
  const char *colon = d->p + key->size;
  return colon < d->end && same(d->p, key->name, key->size) && *colon == ':' && (colon[1] == ' ' || colon[1] == '\n');
}

/* The key at the cursor, which moves to its value. It is copied with what stands behind it: there is room, and the size
 * is known when compiling. */
static void put_key(struct direct *d, const struct og_metadata_key *key) {
  enum { COPIED = 32 };
  if (key->size < COPIED && d->end - d->p >= COPIED) {
    *d->out++ = (uint8_t)(0xa0 | key->size);
    memcpy(d->out, d->p, COPIED);
    d->out += key->size;
  } else {
    put_text(d, (struct og_text){key->name, key->size});
  }
  const char *p = d->p + key->size + 1;
  while (d->end - p >= 8 && og_load64(p) == 0x2020202020202020)
    p += 8;
  while (*p == ' ')
    p++;
  d->p = p;
}

/* Of the key at the cursor its number in the level; the count where it is none, or sorts before the last one. */
static size_t key_number(struct direct *d, enum og_level level, size_t last) {
  const struct og_metadata_key *keys = og_key_levels[level].keys;
  size_t count = og_key_levels[level].count, i = d->next[level][last];
  if (i && stands(d, &keys[i - 1]))
    return i - 1;
  for (i = 0; i < count && !stands(d, &keys[i]);)
    i++;
  if (i < count && last < count && strcmp(keys[last].name, keys[i].name) >= 0)
    return count;
  d->next[level][last] = (uint8_t)(i < count ? i + 1 : 0);
  return i;
}

static bool value(struct direct *d, const struct og_metadata_key *key, int64_t column) {
  struct og_text word;
  uint64_t n;
  switch (key->shape) {
  case OG_SHAPE_WORD:
  case OG_SHAPE_VALUE_KIND:
    if (key->shape == OG_SHAPE_VALUE_KIND ? !value_kind(d, &word)
                                          : !text(d, &word) || (key->words && !is_one_of(word, key->words)))
      return false;
    put_text(d, word);
    break;
  case OG_SHAPE_UNSIGNED:
    if (!number(d, &n))
      return false;
    break;
  case OG_SHAPE_POWER_OF_TWO:
    if (!number(d, &n) || !n || n & (n - 1))
      return false;
    break;
  case OG_SHAPE_BOOLEAN:
    if (!boolean(d))
      return false;
    break;
  case OG_SHAPE_MAP: return false; /* of V2 alone */
  default: return list(d, key, column);
  }
  return next_line(d) && d->indent <= column;
}

/* The keys and values that stand in that column, of which the first is at the cursor. */
static bool map(struct direct *d, enum og_level level, int64_t column) {
  const struct og_key_level *l = &og_key_levels[level];
  uint8_t *at = d->out++;
  uint32_t count = 0, seen = 0;
  size_t last = l->count;
  do {
    size_t number = key_number(d, level, last);
    if (number == l->count)
      return false;
    const struct og_metadata_key *key = &l->keys[last = number];
    put_key(d, key);
    if (!value(d, key, column))
      return false;
    seen |= 1u << number;
    count++;
  } while (d->indent == column);
  put_count(d, at, 0x80, 0xde, count);
  return d->indent < column && !(d->required[level] & ~seen);
}

bool og_metadata_direct(struct og_text yaml, int version, struct og_buffer *out) {
  enum { ROOM = 64 };
  if (version < 3 || !yaml.size || yaml.data[yaml.size - 1] != '\n' || !og_buffer_reserve(out, 2 * yaml.size + ROOM))
    return false;
  struct direct d = {.p = yaml.data, .end = yaml.data + yaml.size, .out = out->data + out->size, .version = version};
  for (size_t level = 0; level < OG_LEVEL_NONE; level++)
    for (size_t i = 0; i < og_key_levels[level].count; i++)
      d.required[level] |= (uint32_t)og_key_levels[level].keys[i].required << i;
  if (yaml.size > 4 && !memcmp(d.p, "---\n", 4))
    d.p += 4;
  if (!map(&d, OG_LEVEL_ROOT, 0) || d.indent >= 0)
    return false;
  *d.out = 0;
  out->size = (size_t)(d.out - out->data);
  return true;
}
