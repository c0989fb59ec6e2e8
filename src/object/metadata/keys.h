/* keys.h - the keys of metadata, as the tables in keys.c tell them. */
#ifndef OG_METADATA_KEYS_H
#define OG_METADATA_KEYS_H

#include "object/metadata/metadata.h"

/* What a key's value is. */
enum og_key_shape {
  OG_SHAPE_WORD,
  OG_SHAPE_VALUE_KIND,
  OG_SHAPE_UNSIGNED,
  OG_SHAPE_POWER_OF_TWO,
  OG_SHAPE_BOOLEAN,
  OG_SHAPE_STRINGS,
  OG_SHAPE_TWO_NUMBERS,
  OG_SHAPE_THREE_NUMBERS,
  OG_SHAPE_NUMBERS,
  OG_SHAPE_MAP,
  OG_SHAPE_MAPS,
};

/* The maps that there are, of versions from 3 on and of version 2. */
enum og_level {
  OG_LEVEL_ROOT,
  OG_LEVEL_KERNEL,
  OG_LEVEL_ARG,
  OG_LEVEL_ROOT_V2,
  OG_LEVEL_KERNEL_V2,
  OG_LEVEL_ATTRS_V2,
  OG_LEVEL_ARG_V2,
  OG_LEVEL_CODE_PROPS_V2,
  OG_LEVEL_DEBUG_PROPS_V2,
  OG_LEVEL_NONE,
};

struct og_metadata_key {
  const char *name;
  uint8_t size; /* of the name */
  enum og_key_shape shape;
  bool required;
  const char *const *words;       /* that a WORD may be; NULL: any */
  enum og_level inner; /* of MAP and MAPS */
};

enum { OG_KEYS_MOST = 32 }; /* of a level */
struct og_key_level {
  const struct og_metadata_key *keys;
  size_t count;
};
extern const struct og_key_level og_key_levels[OG_LEVEL_NONE];

static inline bool og_is_key(const struct og_metadata_key *key, struct og_text text) {
  return key->size == text.size && !__builtin_memcmp(key->name, text.data, text.size);
}

#endif
