/* msgpack.c - metadata as MessagePack: https://github.com/msgpack/msgpack/blob/master/spec.md. */
#include "object/metadata/metadata.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* A tag, and the lowest 1, 2, 4 or 8 bytes of a number behind it, the highest first. */
static void put_tagged(struct og_buffer *out, unsigned tag, unsigned width, uint64_t value) {
  uint8_t bytes[9] = {(uint8_t)tag};
  og_store64(bytes + 1, __builtin_bswap64(value << (64 - 8 * (1u << width))));
  og_buffer_append(out, bytes, 1 + (1u << width));
}

/* Logarithm of the least bytes that hold it. */
static unsigned width_of(uint64_t value) {
  return value <= UINT8_MAX ? 0 : value <= UINT16_MAX ? 1 : value <= UINT32_MAX ? 2 : 3;
}

static void write_integer(struct og_buffer *out, bool negative, uint64_t value) {
  if (negative ? value >= UINT64_MAX - 31 : value < 128)
    og_buffer_u8(out, (uint8_t)value);
  else if (negative)
    put_tagged(out, 0xd0 + width_of(2 * ~value), width_of(2 * ~value), value);
  else
    put_tagged(out, 0xcc + width_of(value), width_of(value), value);
}

/* What begins a text or a collection: small sizes stand in the tag, others have a tag for each width from `least` on. */
static void write_size(struct og_buffer *out, unsigned small, unsigned small_most, unsigned tag, unsigned least,
                       uint64_t size) {
  unsigned width = OG_MAX(width_of(size), least);
  if (size <= small_most && small)
    og_buffer_u8(out, (uint8_t)(small | size));
  else
    put_tagged(out, tag + width - least, width, size);
}

static void write_real(struct og_buffer *out, double value) {
  float single = (float)value;
  uint32_t bits;
  uint64_t bits64;
  memcpy(&bits, &single, sizeof bits);
  memcpy(&bits64, &value, sizeof bits64);
  bool is_single = (double)single == value && value - value == 0;
  put_tagged(out, is_single ? 0xca : 0xcb, is_single ? 2 : 3, is_single ? bits : bits64);
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

static void write_node(struct og_arena *arena, struct og_buffer *out, const struct og_node *node);

static bool is_sorted(const struct og_node *map) {
  for (uint32_t i = 1; i < map->count; i++)
    if (compare_keys(&map->items[2 * i - 2], &map->items[2 * i]) > 0)
      return false;
  return true;
}

static void write_map(struct og_arena *arena, struct og_buffer *out, const struct og_node *node) {
  struct og_node *pairs = node->items;
  if (!is_sorted(node)) { /* as compilers do not write them */
    pairs = OG_NEW_ARRAY(arena, struct og_node, 2 * (size_t)node->count);
    memcpy(pairs, node->items, sizeof *pairs * 2 * node->count);
    qsort(pairs, node->count, 2 * sizeof *pairs, compare_keys);
  }
  write_size(out, 0x80, 15, 0xde, 1, node->count);
  for (uint32_t i = 0; i < 2 * node->count; i++)
    write_node(arena, out, &pairs[i]);
}

static void write_node(struct og_arena *arena, struct og_buffer *out, const struct og_node *node) {
  switch (node->kind) {
  case OG_NODE_NIL: og_buffer_u8(out, 0xc0); break;
  case OG_NODE_BOOL: og_buffer_u8(out, node->boolean ? 0xc3 : 0xc2); break;
  case OG_NODE_INT: write_integer(out, node->integer < 0, (uint64_t)node->integer); break;
  case OG_NODE_UINT: write_integer(out, false, node->unsigned_integer); break;
  case OG_NODE_FLOAT: write_real(out, node->real); break;
  case OG_NODE_STRING:
  case OG_NODE_BINARY:
    if (node->kind == OG_NODE_STRING)
      write_size(out, 0xa0, 31, 0xd9, 0, node->text.size);
    else
      write_size(out, 0, 0, 0xc4, 0, node->text.size);
    og_buffer_append(out, node->text.data, node->text.size);
    break;
  case OG_NODE_LIST:
    write_size(out, 0x90, 15, 0xdc, 1, node->count);
    for (uint32_t i = 0; i < node->count; i++)
      write_node(arena, out, &node->items[i]);
    break;
  case OG_NODE_MAP: write_map(arena, out, node); break;
  }
}

void og_metadata_to_msgpack(const struct og_node *root, struct og_buffer *out) {
  struct og_arena *arena = og_arena_new();
  write_node(arena, out, root);
  og_arena_free(arena);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct unpacker {
  struct og_arena *arena;
  const char *name;
  const uint8_t *start, *at, *end;
  size_t budget; /* of nodes, each many bytes, of which one byte can make one */
  struct og_text kept[128]; /* texts that were copied, by a hash: keys and kinds of arguments come again and again */
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
  unsigned hash = size ? (unsigned)size * 5 + (uint8_t)data[size - 1] * 7 + (uint8_t)data[size / 2] * 3 : 0;
  struct og_text *kept = &u->kept[hash % OG_COUNT(u->kept)];
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
  uint64_t tag = 0, size = 0;
  if (depth > MAX_DEPTH)
    return fail(u, "nested deeper than 64 levels");
  if (!take(u, 1, &tag))
    return false;
  if (tag < 0x80)
    return *node = (struct og_node){.kind = OG_NODE_UINT, .unsigned_integer = tag}, true;
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
  case 0xdc: case 0xdd: return take(u, 2u << (tag - 0xdc), &size) && read_items(u, OG_NODE_LIST, size, node, depth);
  case 0xde: case 0xdf: return take(u, 2u << (tag - 0xde), &size) && read_items(u, OG_NODE_MAP, size, node, depth);
  }
  if (tag >= 0xca && tag <= 0xd3)
    return read_number(u, (uint8_t)tag, node);
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
      fail(&u, "something stands after the document");
      return NULL;
    }
  return root;
}
