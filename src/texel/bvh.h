/* bvh.h - trees of boxes and triangles for rays: what their resources (T#) say, where nodes lie, and what meets a ray.
 * Knows no instruction.
 *
 * The ISA manuals have the resource and the results ("RDNA2" 8.2.10, "RDNA3" 9.5, "RDNA4" 10.9); what stands in nodes
 * is public in the drivers that write them, GPURT and RADV. docs/exactness.md has what nobody tells: how hardware
 * rounds. */
#ifndef OG_BVH_H
#define OG_BVH_H

#include "base/base.h"
#include "target/target.h"

/* A pointer to a node counts 8 bytes; its three lowest bits are the node's type, of compressed trees four. */
enum og_bvh_type {
  OG_BVH_TRIANGLE_0, OG_BVH_TRIANGLE_1, OG_BVH_TRIANGLE_2, OG_BVH_TRIANGLE_3,
  OG_BVH_BOX_SMALL,     /* four boxes in 64 bytes: of halves, or with one exponent for each coordinate */
  OG_BVH_BOX,           /* four boxes of floats, or eight quantized ones, in 128 bytes */
  OG_BVH_INSTANCE, OG_BVH_USER
};
enum { OG_BVH_NONE = -1, OG_BVH_NODE_BYTES_MOST = 256, OG_BVH_WIDE_RESULTS = 10 };

enum og_bvh_order { OG_BVH_CLOSEST, OG_BVH_LARGEST, OG_BVH_MIDPOINT };

struct og_bvh {
  uint64_t base, last; /* address; the last 64 bytes, counted */
  uint8_t grow;        /* what boxes are widened by: ULPs of half a float's */
  uint8_t order;       /* enum og_bvh_order, of children */
  bool sorts, sorts_wide, triangles_first;
  bool barycentrics;   /* results of triangles have them, not the triangle's number and whether it was hit */
  bool has_flags;      /* the highest bits of pointers cull */
  bool exponents;      /* small boxes have exponents */
  bool instances, compressed;
};
struct og_bvh og_bvh_read(enum og_generation generation, const uint32_t words[4]);

struct og_ray {
  float origin[3], direction[3];
  double inverse[3]; /* of the direction */
  float extent;
};

/* Bits of pointers to nodes and of instances, over the address. */
enum og_bvh_flag {
  OG_BVH_FORCE_OPAQUE = 54,
  OG_BVH_FORCE_NOT_OPAQUE,
  OG_BVH_NO_FACE_CULL,
  OG_BVH_FLIP,
  OG_BVH_CULL_BACK,
  OG_BVH_CULL_FRONT,
  OG_BVH_CULL_OPAQUE,
  OG_BVH_CULL_NOT_OPAQUE,
  OG_BVH_SKIP_TRIANGLES,
  OG_BVH_SKIP_PROCEDURAL
};

/* The node's address and size; 0 bytes: there is no node to read, of this type or beyond the tree's end. */
uint64_t og_bvh_node(const struct og_bvh *bvh, uint64_t pointer, unsigned *bytes);
/* Tests one node, of which `bytes` were read: of four boxes which are met, as pointers, in order; of a triangle as the
 * resource says. */
void og_bvh_intersect(const struct og_bvh *bvh, uint64_t pointer, const uint8_t *node, unsigned bytes,
                      const struct og_ray *ray, uint32_t result[4]);

/* gfx12's wide tests: `base` with flags, nodes as offsets to it. An instance changes the ray. */
struct og_bvh_query {
  const struct og_bvh *bvh;
  uint64_t base;
  uint32_t offsets[2];
  uint8_t mask;        /* of instances that are seen */
  struct og_ray ray;
};
/* The inverse of the direction. */
void og_ray_invert(struct og_ray *ray);
/* A node as image_bvh8_intersect_ray takes it. */
uint64_t og_bvh8_node(const struct og_bvh_query *query, unsigned *bytes);
/* NULL, or what is not known of the node, in words. */
const char *og_bvh8_intersect(struct og_bvh_query *query, const uint8_t *node, unsigned bytes,
                              uint32_t results[OG_BVH_WIDE_RESULTS]);
/* Two nodes, as image_bvh_dual_intersect_ray takes them. */
uint64_t og_bvh_dual_node(const struct og_bvh_query *query, unsigned which, unsigned *bytes);
void og_bvh_dual_intersect(struct og_bvh_query *query, const uint8_t *const nodes[2], const unsigned bytes[2],
                           uint32_t results[OG_BVH_WIDE_RESULTS]);

#endif
