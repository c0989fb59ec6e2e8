/* msgpack.c - metadata as MessagePack. Writing goes through msgpack-c; reading is done here, since msgpack-c allocates
 * by the counts a file claims before it has seen the elements. */
#include "object/metadata/metadata.h"

#include <msgpack.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static int append(void *out, const char *data, size_t size) {
  og_buffer_append(out, data, size);
  return 0;
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

static void write_node(struct og_arena *arena, msgpack_packer *packer, const struct og_node *node);

static bool is_sorted(const struct og_node *map) {
  for (uint32_t i = 1; i < map->count; i++)
    if (compare_keys(&map->items[2 * i - 2], &map->items[2 * i]) > 0)
      return false;
  return true;
}

static void write_map(struct og_arena *arena, msgpack_packer *packer, const struct og_node *node) {
  msgpack_pack_map(packer, node->count);
  if (is_sorted(node)) { /* as compilers write them */
    for (uint32_t i = 0; i < 2 * node->count; i++)
      write_node(arena, packer, &node->items[i]);
    return;
  }
  struct og_node *pairs = OG_NEW_ARRAY(arena, struct og_node, 2 * (size_t)node->count);
  memcpy(pairs, node->items, sizeof *pairs * 2 * node->count);
  qsort(pairs, node->count, 2 * sizeof *pairs, compare_keys);
  for (uint32_t i = 0; i < 2 * node->count; i++)
    write_node(arena, packer, &pairs[i]);
}

static void write_node(struct og_arena *arena, msgpack_packer *packer, const struct og_node *node) {
  switch (node->kind) {
  case OG_NODE_NIL: msgpack_pack_nil(packer); break;
  case OG_NODE_BOOL: node->boolean ? msgpack_pack_true(packer) : msgpack_pack_false(packer); break;
  case OG_NODE_INT: msgpack_pack_int64(packer, node->integer); break;
  case OG_NODE_UINT: msgpack_pack_uint64(packer, node->unsigned_integer); break;
  case OG_NODE_FLOAT:
    if ((double)(float)node->real == node->real && node->real - node->real == 0)
      msgpack_pack_float(packer, (float)node->real);
    else
      msgpack_pack_double(packer, node->real);
    break;
  case OG_NODE_STRING: msgpack_pack_str_with_body(packer, node->text.data, node->text.size); break;
  case OG_NODE_BINARY: msgpack_pack_bin_with_body(packer, node->text.data, node->text.size); break;
  case OG_NODE_LIST:
    msgpack_pack_array(packer, node->count);
    for (uint32_t i = 0; i < node->count; i++)
      write_node(arena, packer, &node->items[i]);
    break;
  case OG_NODE_MAP:
    if (node->count)
      write_map(arena, packer, node);
    else
      msgpack_pack_map(packer, 0);
    break;
  }
}

void og_metadata_to_msgpack(const struct og_node *root, struct og_buffer *out) {
  msgpack_packer packer;
  msgpack_packer_init(&packer, out, append);
  struct og_arena *arena = og_arena_new();
  write_node(arena, &packer, root);
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
