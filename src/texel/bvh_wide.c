/* bvh_wide.c - gfx12's wide tests: eight boxes, pairs of triangles of compressed trees, instances, two nodes at
 * once. */
#include "texel/bvh.h"

#include "base/floats.h"
#include "texel/bvh_parts.h"

#include <math.h>
#include <string.h>

enum { ADDRESS_LOW = 3, ADDRESS_END = 54 };

static uint64_t flags_of(uint64_t base) { return base >> ADDRESS_END << ADDRESS_END; }
static uint64_t address_bits(uint64_t base) { return (base ^ flags_of(base)) & ~7ull; }

void og_ray_invert(struct og_ray *ray) {
  for (unsigned i = 0; i < 3; i++)
    ray->inverse[i] = 1 / (double)ray->direction[i];
}

static uint32_t rounded(double value) { return og_bits_of_float((float)value); }

static void set_all(uint32_t *words, uint32_t value, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    words[i] = value;
}

/* ---- eight quantized boxes --------------------------------------------------------------------------------------- */

/* A child: three words. Coordinates of 12 bits count from the origin on in 4096ths of the exponent's power of two; the
 * upper ones mean the end of their step. A child's pointer follows from how many nodes those before it have. */
struct quantized {
  const uint8_t *origin; /* three floats; behind them the exponents, a byte each, and how many children there are */
  const uint8_t *children;
  uint32_t boxes, others; /* pointers to the first child of each kind */
};

static void read_child(const struct quantized *q, unsigned i, struct og_bvh_child *child, uint8_t *mask) {
  enum { STEPS = 12, BIAS = 127 };
  uint32_t words[3];
  memcpy(words, q->children + 12 * i, sizeof words);
  const uint32_t low[3] = {words[0], words[0] >> 12, words[1]}, high[3] = {words[1] >> 12, words[2], words[2] >> 12};
  for (unsigned j = 0; j < 3; j++) {
    double origin = (double)og_float_of_bits(og_load32(q->origin + 4 * j));
    int scale = q->origin[12 + j] - BIAS - STEPS;
    child->low[j] = origin + ldexp(low[j] & 0xfff, scale);
    child->high[j] = origin + ldexp((high[j] & 0xfff) + 1, scale);
  }
  child->only = words[0] >> 24 & 15;
  *mask = (uint8_t)(words[1] >> 24);
}

static void read_quantized(struct quantized q, unsigned most, uint8_t mask, struct og_bvh_child *children) {
  unsigned count = (q.origin[15] >> 4u) + 1u; /* more than there may be: none, as RADV writes empty trees */
  for (unsigned i = 0; i < OG_BVH_CHILDREN_MOST; i++) {
    children[i] = (struct og_bvh_child){.pointer = OG_BVH_INVALID};
    if (i >= count || count > most)
      continue;
    uint8_t seen;
    read_child(&q, i, &children[i], &seen);
    uint32_t word = og_load32(q.children + 12 * i + 8), type = word >> 24 & 15;
    uint32_t *next = type == OG_BVH_BOX ? &q.boxes : &q.others;
    if (seen & mask)
      children[i].pointer = *next | type;
    *next += word >> 28 << 4;
  }
}

static const char *meet_eight(const struct og_bvh_query *query, const uint8_t *node, uint32_t results[8]) {
  enum { ORIGIN = 12, ORIENTATION = 28, CHILDREN = 32, NOT_TURNED = 0x7f };
  struct og_bvh_child children[OG_BVH_CHILDREN_MOST];
  if ((og_load32(node + ORIENTATION) & NOT_TURNED) != NOT_TURNED)
    return "boxes turned by one of the hardware's own matrices";
  struct quantized q = {node + ORIGIN, node + CHILDREN, og_load32(node), og_load32(node + 4)};
  read_quantized(q, 8, query->mask, children);
  if (query->bvh->has_flags)
    og_bvh_cull(query->base, children, 8);
  og_bvh_meet(query->bvh, children, 8, true, &query->ray, results);
  return NULL;
}

/* ---- instances --------------------------------------------------------------------------------------------------- */

/* Rows of a matrix of 3 by 4, the base of the tree below, where it begins, what the program wants back and the mask. */
enum { BELOW = 48, ROOT = 56, USER = 60, BOXES = 64, BOX_CHILDREN = 80 };

static void transform(struct og_ray *ray, const uint8_t *node) {
  float rows[3][4];
  struct og_ray old = *ray;
  memcpy(rows, node, sizeof rows);
  for (unsigned i = 0; i < 3; i++) {
    double origin = (double)rows[i][3], direction = 0;
    for (unsigned j = 0; j < 3; j++) {
      origin += (double)rows[i][j] * (double)old.origin[j];
      direction += (double)rows[i][j] * (double)old.direction[j];
    }
    ray->origin[i] = (float)origin, ray->direction[i] = (float)direction;
  }
  og_ray_invert(ray);
}

/* What a ray forces comes before what an instance forces; other flags add up. */
static uint64_t base_below(uint64_t base, uint64_t below) {
  uint64_t forces = 3ull << OG_BVH_FORCE_OPAQUE, flags = flags_of(below);
  if (base & forces)
    flags &= ~forces;
  return address_bits(below) | flags | flags_of(base);
}

/* Of compressed trees four quantized boxes follow, and their pointers come back as bytes. */
static void enter_instance(struct og_bvh_query *query, const uint8_t *node, uint32_t results[8]) {
  uint64_t below = og_load64(node + BELOW);
  uint32_t user = og_load32(node + USER), next = OG_BVH_INVALID;
  bool skipped = og_bvh_flag(below, OG_BVH_SKIP_TRIANGLES) ? og_bvh_flag(query->base, OG_BVH_SKIP_PROCEDURAL)
                                                           : og_bvh_flag(query->base, OG_BVH_SKIP_TRIANGLES);
  if (user >> 24 & query->mask && !(skipped && query->bvh->has_flags)) {
    transform(&query->ray, node);
    next = og_load32(node + ROOT);
    if (query->bvh->compressed) {
      struct og_bvh_child children[OG_BVH_CHILDREN_MOST];
      struct quantized q = {node + BOXES, node + BOX_CHILDREN, 0, 0};
      uint32_t pointers[4];
      read_quantized(q, 4, query->mask, children);
      og_bvh_meet(query->bvh, children, 4, true, &query->ray, pointers);
      next = 0;
      for (unsigned i = 0; i < 4; i++)
        next |= (pointers[i] & 0xff) << 8 * i;
    }
  }
  uint64_t base = base_below(query->base, below);
  results[0] = results[1] = results[4] = results[5] = 0;
  results[2] = (uint32_t)base, results[3] = (uint32_t)(base >> 32);
  results[6] = user & 0xffffff, results[7] = next;
}

/* ---- pairs of triangles, packed ---------------------------------------------------------------------------------- */

/* 1024 bits: a header, what the vertices' floats begin with, how they go on, numbers of triangles and of geometries up
 * and down from a bit in the middle, and from the end on down 29 bits for each pair. */
enum { HEADER = 52, PAIR = 29, NODE = 1024, NO_VERTEX = 15 };

struct packed {
  const uint8_t *node;
  unsigned length[3], zeros, prefix[3], middle;
  struct number {
    unsigned first, more;
  } triangles, geometries; /* bits of the first one, and of the others */
};

static uint32_t bits_at(const uint8_t *node, unsigned at, unsigned count) {
  uint64_t value = 0;
  if (count == 0 || at > NODE || count > NODE - at)
    return 0;
  unsigned byte = at / 8;
  memcpy(&value, node + byte, OG_MIN(8, NODE / 8 - byte));
  return (uint32_t)(value >> at % 8 & ((1ull << count) - 1));
}

static struct packed read_packed(const uint8_t *node) {
  struct packed p = {.node = node, .zeros = bits_at(node, 15, 5), .middle = bits_at(node, 42, 10)};
  p.geometries = (struct number){2 * bits_at(node, 20, 4), 2 * bits_at(node, 24, 4)};
  p.triangles = (struct number){bits_at(node, 32, 5), bits_at(node, 37, 5)};
  for (unsigned i = 0, at = HEADER; i < 3; i++) {
    p.length[i] = bits_at(node, 5 * i, 5) + 1;
    unsigned rest = p.zeros + p.length[i], width = rest < 32 ? 32 - rest : 0;
    p.prefix[i] = width ? bits_at(node, at, width) << rest : 0;
    at += width;
  }
  return p;
}

static void read_vertex(const struct packed *p, unsigned index, float vertex[3]) {
  unsigned widths = 3 * 32, lengths = p->length[0] + p->length[1] + p->length[2];
  unsigned prefixes = widths - 3 * p->zeros - lengths, at = HEADER + prefixes + index * lengths;
  for (unsigned i = 0; i < 3; i++) {
    vertex[i] = og_float_of_bits(p->prefix[i] | bits_at(p->node, at, p->length[i]) << p->zeros);
    at += p->length[i];
  }
}

/* Numbers of fewer bits than the first one take its upper bits. */
static uint32_t read_number(const struct packed *p, struct number number, bool down, unsigned index) {
  uint32_t first = bits_at(p->node, down ? p->middle - number.first : p->middle, number.first);
  if (index == 0)
    return first;
  unsigned at =
      down ? p->middle - number.first - index * number.more : p->middle + number.first + (index - 1) * number.more;
  uint32_t more = bits_at(p->node, at, number.more);
  return number.more >= number.first ? more : more | (first >> number.more << number.more);
}

static void meet_one(const struct og_bvh_query *query, const struct packed *p, uint32_t pair, unsigned which,
                     uint32_t number, uint32_t results[4]) {
  /* The second triangle stands in the lower bits: two sides, opaque, three vertices of four bits. */
  uint32_t own = pair >> (which ? 1 : 15);
  unsigned vertex[3] = {own >> 2 & 15, own >> 6 & 15, own >> 10 & 15};
  if (vertex[0] == NO_VERTEX && vertex[1] == NO_VERTEX) {
    set_all(results, OG_BVH_INVALID, 3);
    results[3] = number << 1;
    return;
  }
  float vertices[3][3];
  for (unsigned i = 0; i < 3; i++)
    read_vertex(p, vertex[i], vertices[i]);
  struct og_bvh_hit hit = og_bvh_meet_triangle(vertices, &query->ray);
  bool opaque = own >> 1 & 1, back = hit.denominator < 0;
  if (query->bvh->has_flags) {
    hit = og_bvh_culled(query->base, hit, opaque, own & 1);
    back = hit.denominator < 0;
  }
  results[0] = rounded(hit.distance / hit.denominator);
  results[1] = rounded(fabs(hit.i / hit.denominator));
  results[2] = rounded(fabs(hit.j / hit.denominator)) | (uint32_t)opaque << 31;
  results[3] = number << 1 | back;
}

/* Two triangles, and whether the walk goes on with the next pair, the next node or not at all. */
static const char *meet_pair(const struct og_bvh_query *query, const uint8_t *node,
                             uint32_t results[OG_BVH_WIDE_RESULTS]) {
  enum { SAME_NODE, NEXT_NODE, STOP = 3 };
  unsigned type = query->offsets[0] & 15, index = (type & 3) | (type & 8) >> 1, pairs = bits_at(node, 28, 3) + 1;
  uint32_t pair = bits_at(node, NODE - PAIR * (index + 1), PAIR);
  struct packed p = read_packed(node);
  if (bits_at(node, 31, 1))
    return "triangles with vertices of 16 bits";
  meet_one(query, &p, pair, 0, read_number(&p, p.triangles, false, 2 * index), results);
  if (pair >> 3 & 0xfff) {
    meet_one(query, &p, pair, 1, read_number(&p, p.triangles, false, 2 * index + 1), results + 4);
  } else {
    results[4] = og_bits_of_float(INFINITY);
    results[5] = results[6] = og_bits_of_float(1.0f);
    results[7] = 0;
  }
  unsigned goes = pair & 1 ? STOP : index + 1 == pairs ? NEXT_NODE : SAME_NODE;
  for (unsigned i = 0; i < 2; i++)
    results[8 + i] = read_number(&p, p.geometries, true, 2 * index + i) << 2 | goes;
  return NULL;
}

/* ---- two nodes --------------------------------------------------------------------------------------------------- */

static bool is_instance(const struct og_bvh_query *query, uint32_t offset) {
  return query->bvh->instances && (offset & 7) == OG_BVH_INSTANCE && offset != OG_BVH_INVALID;
}

uint64_t og_bvh_dual_node(const struct og_bvh_query *query, unsigned which, unsigned *bytes) {
  uint32_t offset = query->offsets[which];
  if (offset == OG_BVH_INVALID || !is_instance(query, offset))
    return og_bvh_node(query->bvh, offset == OG_BVH_INVALID ? offset : address_bits(query->base) + offset, bytes);
  uint64_t address = og_bvh_node(query->bvh, (address_bits(query->base) + offset) ^ OG_BVH_INSTANCE, bytes);
  *bytes = *bytes && which == 0 ? 64 : 0; /* of two nodes the first alone may be one */
  return address;
}

void og_bvh_dual_intersect(struct og_bvh_query *query, const uint8_t *const nodes[2], const unsigned bytes[2],
                           uint32_t results[OG_BVH_WIDE_RESULTS]) {
  enum { GEOMETRY = 56 };
  const struct og_bvh *bvh = query->bvh;
  set_all(results, OG_BVH_INVALID, OG_BVH_WIDE_RESULTS);
  if (bytes[0] && is_instance(query, query->offsets[0])) {
    if (!is_instance(query, query->offsets[1]))
      enter_instance(query, nodes[0], results);
    return;
  }
  unsigned types[2] = {query->offsets[0] & 7, query->offsets[1] & 7};
  bool boxes = bytes[0] && bytes[1] && types[0] > OG_BVH_TRIANGLE_3 && types[1] > OG_BVH_TRIANGLE_3;
  if (boxes && bvh->sorts && bvh->sorts_wide) {
    struct og_bvh_child children[OG_BVH_CHILDREN_MOST];
    for (unsigned i = 0; i < 2; i++)
      og_bvh_read_boxes(bvh, types[i], nodes[i], children + 4 * i);
    if (bvh->has_flags)
      og_bvh_cull(query->base, children, 8);
    og_bvh_meet(bvh, children, 8, false, &query->ray, results);
    return;
  }
  for (unsigned i = 0; i < 2; i++) {
    og_bvh_intersect(bvh, flags_of(query->base) | query->offsets[i], nodes[i], bytes[i], &query->ray, results + 4 * i);
    if (bytes[i] && types[i] <= OG_BVH_TRIANGLE_3)
      results[8 + i] = og_load32(nodes[i] + GEOMETRY);
  }
}

/* ---- one node ---------------------------------------------------------------------------------------------------- */

/* What is not compressed: two nodes of boxes that follow each other, or one or two triangles of a node. */
enum plain_type { PLAIN_ONE, PLAIN_PAIR, PLAIN_BOXES, PLAIN_SMALL_BOXES };

uint64_t og_bvh8_node(const struct og_bvh_query *query, unsigned *bytes) {
  uint32_t offset = query->offsets[0], type = offset & 7;
  bool compressed = query->bvh->compressed;
  *bytes = compressed || type == PLAIN_SMALL_BOXES ? 128 : type == PLAIN_BOXES ? 256 : type == OG_BVH_BOX ? 128 : 64;
  if (offset == OG_BVH_INVALID || type == OG_BVH_USER || (type == OG_BVH_INSTANCE && !query->bvh->instances) ||
      (compressed && type == OG_BVH_BOX_SMALL))
    *bytes = 0;
  unsigned first;
  uint64_t at = address_bits(query->base) + (compressed ? offset & ~15u : offset & ~7u);
  uint64_t address = og_bvh_node(query->bvh, at, &first);
  if (*bytes > 64 && first)
    og_bvh_node(query->bvh, at + ((*bytes - 64) >> ADDRESS_LOW), &first); /* its end is in the tree, too */
  *bytes = first ? *bytes : 0;
  return address;
}

static void meet_plain(struct og_bvh_query *query, const uint8_t *node, uint32_t results[OG_BVH_WIDE_RESULTS]) {
  uint32_t offset = query->offsets[0], type = offset & 7;
  if (type == PLAIN_BOXES || type == PLAIN_SMALL_BOXES) {
    unsigned kind = type == PLAIN_BOXES ? OG_BVH_BOX : OG_BVH_BOX_SMALL;
    struct og_bvh_child children[OG_BVH_CHILDREN_MOST];
    for (unsigned i = 0; i < 2; i++)
      og_bvh_read_boxes(query->bvh, kind, node + i * (type == PLAIN_BOXES ? 128 : 64), children + 4 * i);
    if (query->bvh->has_flags)
      og_bvh_cull(query->base, children, 8);
    og_bvh_meet(query->bvh, children, 8, true, &query->ray, results);
    return;
  }
  struct og_bvh_query two = *query;
  const uint8_t *const nodes[2] = {node, node};
  unsigned bytes[2] = {64, type == PLAIN_PAIR ? 64 : 0};
  two.offsets[0] = type == PLAIN_PAIR ? offset - 1 : offset;
  two.offsets[1] = type == PLAIN_PAIR ? offset : OG_BVH_INVALID;
  og_bvh_dual_intersect(&two, nodes, bytes, results);
  query->ray = two.ray;
}

const char *og_bvh8_intersect(struct og_bvh_query *query, const uint8_t *node, unsigned bytes,
                              uint32_t results[OG_BVH_WIDE_RESULTS]) {
  unsigned type = query->offsets[0] & 7;
  set_all(results, OG_BVH_INVALID, OG_BVH_WIDE_RESULTS);
  if (bytes == 0)
    return NULL;
  if (!query->bvh->compressed)
    meet_plain(query, node, results);
  else if (type == OG_BVH_BOX)
    return meet_eight(query, node, results);
  else if (type == OG_BVH_INSTANCE)
    enter_instance(query, node, results);
  else
    return meet_pair(query, node, results);
  return NULL;
}
