/* bvh.c - resources of trees; one node of four boxes or of up to four triangles against a ray. */
#include "texel/bvh.h"

#include "base/floats.h"
#include "texel/bvh_parts.h"

#include <string.h>

static uint64_t bits(const uint32_t words[4], unsigned first, unsigned count) {
  uint64_t value = words[first / 32] >> first % 32;
  if (first % 32 + count > 32)
    value |= (uint64_t)words[first / 32 + 1] << (32 - first % 32);
  return value & ((1ull << count) - 1);
}

/* gfx12's bit 115 stands in no manual; GPURT and RADV set it for compressed trees. */
struct og_bvh og_bvh_read(enum og_generation generation, const uint32_t words[4]) {
  bool is_11 = generation >= OG_GFX11, is_12 = generation >= OG_GFX12;
  return (struct og_bvh){
      .base = bits(words, 0, 40) << 8,
      .last = bits(words, 64, 42),
      .grow = (uint8_t)bits(words, 55, 8),
      .order = is_11 ? (uint8_t)bits(words, 53, 2) : OG_BVH_CLOSEST,
      .sorts = bits(words, 63, 1),
      .triangles_first = is_12 && bits(words, 52, 1),
      .barycentrics = bits(words, 120, 1),
      .has_flags = is_11 && bits(words, 119, 1),
      .compressed = is_12 && bits(words, 115, 1),
      .exponents = is_12 && bits(words, 116, 1),
      .sorts_wide = is_12 && bits(words, 117, 1),
      .instances = is_12 && bits(words, 118, 1),
  };
}

/* Addresses have 48 bits. */
uint64_t og_bvh_node(const struct og_bvh *bvh, uint64_t pointer, unsigned *bytes) {
  enum { SHIFT = 3 };
  uint64_t offset = (pointer & ~7ull) << SHIFT & 0xffffffffffff;
  unsigned type = pointer & 7;
  *bytes = type <= OG_BVH_BOX_SMALL ? 64 : type == OG_BVH_BOX ? 128 : 0;
  if (*bytes && (offset + *bytes - 1) / 64 > bvh->last)
    *bytes = 0;
  return (bvh->base + offset) & 0xffffffffffff;
}

/* ---- up to four triangles in a node ------------------------------------------------------------------------------ */

/* Five vertices of 12 bytes, of which each type takes three. In the word behind them each triangle has a byte: which
 * vertices I and J are the weights of, and bits. */
enum { TRIANGLE_BITS = 60, DOUBLE_SIDED = 16, FLIPS = 32, PROCEDURAL = 64, OPAQUE = 128 };

static void read_triangle(const uint8_t *node, unsigned type, float vertices[3][3]) {
  static const uint8_t taken[4][3] = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {2, 4, 0}};
  for (unsigned i = 0; i < 3; i++)
    memcpy(vertices[i], node + 12 * taken[type][i], sizeof vertices[i]);
}

static double weight(const struct og_bvh_hit *hit, unsigned vertex) {
  switch (vertex) {
  case 0: return hit->denominator - hit->i - hit->j;
  case 1: return hit->i;
  case 2: return hit->j;
  default: return 0;
  }
}

static uint32_t rounded(double value) { return og_bits_of_float((float)value); }

static void meet_triangle(const struct og_bvh *bvh, uint64_t pointer, const uint8_t *node, const struct og_ray *ray,
                          uint32_t result[4]) {
  unsigned type = pointer & 7;
  uint32_t word = og_load32(node + TRIANGLE_BITS);
  unsigned kind = word >> 8 * type & 0xff;
  float vertices[3][3];
  read_triangle(node, type, vertices);
  struct og_bvh_hit hit = og_bvh_meet_triangle(vertices, ray);
  if (bvh->has_flags && kind & PROCEDURAL)
    hit = og_bvh_miss;
  else if (bvh->has_flags)
    hit =
        og_bvh_culled(kind & FLIPS ? pointer ^ 1ull << OG_BVH_FLIP : pointer, hit, kind & OPAQUE, kind & DOUBLE_SIDED);
  result[0] = rounded(hit.distance);
  result[1] = rounded(hit.denominator);
  result[2] = bvh->barycentrics ? rounded(hit.hit ? weight(&hit, kind & 3) : 0) : word;
  result[3] = bvh->barycentrics ? rounded(hit.hit ? weight(&hit, kind >> 2 & 3) : 0) : hit.hit;
}

void og_bvh_intersect(const struct og_bvh *bvh, uint64_t pointer, const uint8_t *node, unsigned bytes,
                      const struct og_ray *ray, uint32_t result[4]) {
  unsigned type = pointer & 7;
  struct og_bvh_child children[4];
  if (bytes == 0) {
    memset(result, 0xff, 4 * sizeof *result);
  } else if (type <= OG_BVH_TRIANGLE_3) {
    meet_triangle(bvh, pointer, node, ray, result);
  } else {
    og_bvh_read_boxes(bvh, type, node, children);
    if (bvh->has_flags)
      og_bvh_cull(pointer, children, 4);
    og_bvh_meet(bvh, children, 4, false, ray, result);
  }
}
