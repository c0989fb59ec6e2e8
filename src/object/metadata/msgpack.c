/* msgpack.c - metadata as MessagePack (github.com/msgpack/msgpack/blob/master/spec.md): each value in the fewest bytes
 * that hold it. Reading allocates no more than the elements that are there, whatever counts a file claims. */
#include "object/metadata/metadata.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* A tag, then the value in as many bytes, big endian. */
static void put(struct og_buffer *out, unsigned tag, unsigned bytes, uint64_t value) {
  uint64_t big = __builtin_bswap64(value);
  uint8_t *at = og_buffer_room(out, 1 + sizeof big);
  *at = (uint8_t)tag;
  memcpy(at + 1, (const uint8_t *)&big + sizeof big - bytes, bytes);
  at[1 + bytes] = 0;
  out->size += 1 + bytes;
}

/* A count or a number: in the tag itself below `few`, else behind one of the tags from `tag` on, of which the first has
 * `least` bytes and each next one twice as many. */
static void put_sized(struct og_buffer *out, unsigned short_tag, uint64_t few, unsigned tag, unsigned least,
                      uint64_t value) {
  unsigned bytes = least;
  if (value < few) {
    put(out, short_tag | (unsigned)value, 0, 0);
    return;
  }
  for (; bytes < 8 && value >> 8 * bytes; bytes *= 2)
    tag++;
  put(out, tag, bytes, value);
}

static void put_signed(struct og_buffer *out, int64_t value) {
  if (value >= 0)
    put_sized(out, 0, 128, 0xcc, 1, (uint64_t)value);
  else if (value >= -32)
    put(out, (uint8_t)value, 0, 0);
  else if (value >= INT8_MIN)
    put(out, 0xd0, 1, (uint64_t)value);
  else if (value >= INT16_MIN)
    put(out, 0xd1, 2, (uint64_t)value);
  else if (value >= INT32_MIN)
    put(out, 0xd2, 4, (uint64_t)value);
  else
    put(out, 0xd3, 8, (uint64_t)value);
}

static void put_real(struct og_buffer *out, double value) {
  float narrow = (float)value;
  uint32_t bits;
  uint64_t wide;
  memcpy(&bits, &narrow, sizeof bits);
  memcpy(&wide, &value, sizeof wide);
  if (narrow == value && value - value == 0)
    put(out, 0xca, 4, bits);
  else
    put(out, 0xcb, 8, wide);
}

/* As LLVM's document orders keys: by kind, then by value. */
static int compare_keys(const void *left, const void *right) {
  const struct og_node *a = left, *b = right;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  if (a->kind != OG_NODE_STRING && a->kind != OG_NODE_BINARY)
    return a->unsigned_integer < b->unsigned_integer ? -1 : a->unsigned_integer > b->unsigned_integer;
  int order = memcmp(a->text.data, b->text.data, OG_MIN(a->text.size, b->text.size));
  return order ? order : a->text.size < b->text.size ? -1 : a->text.size > b->text.size;
}

static void write_node(struct og_arena *arena, const struct og_node *node, struct og_buffer *out);

static bool is_sorted(const struct og_node *map) {
  for (uint32_t i = 1; i < map->count; i++)
    if (compare_keys(&map->items[2 * i - 2], &map->items[2 * i]) > 0)
      return false;
  return true;
}

static void write_map(struct og_arena *arena, const struct og_node *node, struct og_buffer *out) {
  const struct og_node *items = node->items;
  put_sized(out, 0x80, 16, 0xde, 2, node->count);
  if (!is_sorted(node)) { /* as compilers do not write them */
    struct og_node *pairs = OG_NEW_ARRAY(arena, struct og_node, 2 * (size_t)node->count);
    memcpy(pairs, items, sizeof *pairs * 2 * node->count);
    qsort(pairs, node->count, 2 * sizeof *pairs, compare_keys);
    items = pairs;
  }
  for (uint32_t i = 0; i < 2 * node->count; i++)
    write_node(arena, &items[i], out);
}

static void write_node(struct og_arena *arena, const struct og_node *node, struct og_buffer *out) {
  switch (node->kind) {
  case OG_NODE_NIL: put(out, 0xc0, 0, 0); break;
  case OG_NODE_BOOL: put(out, node->boolean ? 0xc3 : 0xc2, 0, 0); break;
  case OG_NODE_INT: put_signed(out, node->integer); break;
  case OG_NODE_UINT: put_sized(out, 0, 128, 0xcc, 1, node->unsigned_integer); break;
  case OG_NODE_FLOAT: put_real(out, node->real); break;
  case OG_NODE_STRING:
    put_sized(out, 0xa0, 32, 0xd9, 1, node->text.size);
    og_buffer_append(out, node->text.data, node->text.size);
    break;
  case OG_NODE_BINARY:
    put_sized(out, 0, 0, 0xc4, 1, node->text.size);
    og_buffer_append(out, node->text.data, node->text.size);
    break;
  case OG_NODE_LIST:
    put_sized(out, 0x90, 16, 0xdc, 2, node->count);
    for (uint32_t i = 0; i < node->count; i++)
      write_node(arena, &node->items[i], out);
    break;
  case OG_NODE_MAP: write_map(arena, node, out); break;
  }
}

void og_metadata_to_msgpack(const struct og_node *root, struct og_buffer *out) {
  struct og_arena *arena = og_arena_new();
  write_node(arena, root, out);
  og_arena_free(arena);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct unpacker {
  struct og_arena *arena;
  const char *name;
  const uint8_t *start, *at, *end;
  size_t budget; /* of nodes, each many bytes, of which one byte can make one */
  struct og_text kept[256]; /* texts that were copied, by a hash: keys and kinds of arguments come again and again */
  struct og_diagnostics *diagnostics;
};

static bool fail(struct unpacker *u, const char *what) {
  return og_error_in(u->diagnostics, u->name, "metadata: %s at byte %zu of the MessagePack document", what,
                     (size_t)(u->at - u->start));
}

/* Big endian, 1 to 8 bytes. */
static bool take(struct unpacker *u, unsigned bytes, uint64_t *value) {
  if ((size_t)(u->end - u->at) < bytes)
    return fail(u, "cut short");
  *value = 0;
  for (unsigned i = 0; i < bytes; i++)
    *value = *value << 8 | *u->at++;
  return true;
}

static bool read_text(struct unpacker *u, enum og_node_kind kind, uint64_t size, struct og_node *node) {
  if ((uint64_t)(u->end - u->at) < size)
    return fail(u, "string cut short");
  const char *data = (const char *)u->at;
  struct og_text *kept = &u->kept[og_word_hash((struct og_text){data, size}) % OG_COUNT(u->kept)];
  if (!kept->data || !og_text_equal(*kept, (struct og_text){data, size}))
    *kept = (struct og_text){og_arena_copy(u->arena, data, size), size};
  node->kind = kind;
  node->text = *kept;
  u->at += size;
  return true;
}

static bool read_value(struct unpacker *u, struct og_node *node, int depth);

static bool read_items(struct unpacker *u, enum og_node_kind kind, uint64_t count, struct og_node *node, int depth) {
  uint64_t elements = kind == OG_NODE_MAP ? 2 * count : count;
  if (elements > (uint64_t)(u->end - u->at))
    return fail(u, "more elements claimed than bytes are left");
  if (elements > u->budget)
    return fail(u, "too many elements for the document's size");
  u->budget -= elements;
  struct og_node *items = OG_NEW_ARRAY(u->arena, struct og_node, elements);
  for (uint64_t i = 0; i < elements; i++)
    if (!read_value(u, &items[i], depth + 1))
      return false;
  node->kind = kind;
  node->items = items;
  node->count = (uint32_t)count;
  return true;
}

static bool read_number(struct unpacker *u, uint8_t tag, struct og_node *node) {
  static const uint8_t bytes[] = {[0xca - 0xca] = 4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
  uint64_t value;
  unsigned size = bytes[tag - 0xca];
  if (!take(u, size, &value))
    return false;
  if (tag == 0xca) {
    uint32_t bits = (uint32_t)value;
    float f;
    memcpy(&f, &bits, sizeof f);
    *node = (struct og_node){.kind = OG_NODE_FLOAT, .real = f};
  } else if (tag == 0xcb) {
    *node = (struct og_node){.kind = OG_NODE_FLOAT};
    memcpy(&node->real, &value, sizeof node->real);
  } else if (tag <= 0xcf) {
    *node = (struct og_node){.kind = OG_NODE_UINT, .unsigned_integer = value};
  } else {
    uint64_t sign = 1ull << (8 * size - 1);
    *node = (struct og_node){.kind = OG_NODE_INT, .integer = (int64_t)((value ^ sign) - sign)};
  }
  return true;
}

static bool read_value(struct unpacker *u, struct og_node *node, int depth) {
  uint64_t size = 0;
  if (depth > MAX_DEPTH)
    return fail(u, "nested deeper than 64 levels");
  if (u->at == u->end)
    return fail(u, "cut short");
  uint8_t tag = *u->at++;
  if (tag < 0x80) {
    node->kind = OG_NODE_UINT;
    node->unsigned_integer = tag;
    return true;
  }
  if (tag >= 0xe0)
    return *node = (struct og_node){.kind = OG_NODE_INT, .integer = (int64_t)tag - 256}, true;
  if (tag < 0x90)
    return read_items(u, OG_NODE_MAP, tag & 15, node, depth);
  if (tag < 0xa0)
    return read_items(u, OG_NODE_LIST, tag & 15, node, depth);
  if (tag < 0xc0)
    return read_text(u, OG_NODE_STRING, tag & 31, node);
  switch (tag) {
  case 0xc0: return *node = (struct og_node){.kind = OG_NODE_NIL}, true;
  case 0xc2: case 0xc3: return *node = (struct og_node){.kind = OG_NODE_BOOL, .boolean = tag & 1}, true;
  case 0xc4:
  case 0xc5:
  case 0xc6: return take(u, 1u << (tag - 0xc4), &size) && read_text(u, OG_NODE_BINARY, size, node);
  case 0xd9:
  case 0xda:
  case 0xdb: return take(u, 1u << (tag - 0xd9), &size) && read_text(u, OG_NODE_STRING, size, node);
  case 0xdc: return take(u, 2, &size) && read_items(u, OG_NODE_LIST, size, node, depth);
  case 0xdd: return take(u, 4, &size) && read_items(u, OG_NODE_LIST, size, node, depth);
  case 0xde: return take(u, 2, &size) && read_items(u, OG_NODE_MAP, size, node, depth);
  case 0xdf: return take(u, 4, &size) && read_items(u, OG_NODE_MAP, size, node, depth);
  }
  if (tag >= 0xca && tag <= 0xd3)
    return read_number(u, tag, node);
  return fail(u, "unknown or extension type");
}

struct og_node *og_metadata_from_msgpack(struct og_arena *arena, const char *name, const void *bytes, size_t size,
                                         struct og_diagnostics *diagnostics) {
  enum { FREE_NODES = 65536 }; /* a map of registers has two bytes for each node, other documents more than four */
  size_t budget = 64 + size / 3 + OG_MIN(size / 3, FREE_NODES);
  struct unpacker u = {.arena = arena, .name = name, .start = bytes, .at = bytes, .end = (const uint8_t *)bytes + size,
                       .budget = budget, .diagnostics = diagnostics};
  struct og_node *root = OG_NEW(arena, struct og_node);
  if (!read_value(&u, root, 0))
    return NULL;
  for (; u.at < u.end; u.at++) /* padding of the note */
    if (*u.at) {
      fail(&u, "there is text after the end of the document");
      return NULL;
    }
  return root;
}
