/* bvh_parts.h - boxes and triangles as a ray meets them, whatever node they come from. Internal to src/texel. */
#ifndef OG_BVH_PARTS_H
#define OG_BVH_PARTS_H

#include "texel/bvh.h"

enum { OG_BVH_INVALID = 0xffffffffu, OG_BVH_CHILDREN_MOST = 8 };

/* One child of a box node. */
struct og_bvh_child {
  uint32_t pointer; /* OG_BVH_INVALID: there is none */
  uint8_t only;     /* what is below it: 1 opaque, 2 not opaque, 4 triangles, 8 procedural primitives alone */
  double low[3], high[3];
};

static inline bool og_bvh_flag(uint64_t pointer, enum og_bvh_flag flag) { return pointer >> flag & 1; }

/* Four children of a box node that is not quantized. */
void og_bvh_read_boxes(const struct og_bvh *bvh, unsigned type, const uint8_t *node, struct og_bvh_child children[4]);
/* Takes away the children that flags of the pointer cull. */
void og_bvh_cull(uint64_t pointer, struct og_bvh_child *children, unsigned count);
/* The pointers of the children that the ray meets, in order, then OG_BVH_INVALID. Of neighbours with the same pointer
 * one stays where `once`. */
void og_bvh_meet(const struct og_bvh *bvh, const struct og_bvh_child *children, unsigned count, bool once,
                 const struct og_ray *ray, uint32_t *pointers);

/* A ray's way to a triangle and its place there are `distance`, `i` and `j` over `denominator`: negative, where its
 * back is seen. A miss is infinity over 1. */
struct og_bvh_hit {
  bool hit;
  double distance, denominator, i, j;
};
struct og_bvh_hit og_bvh_meet_triangle(const float vertices[3][3], const struct og_ray *ray);
extern const struct og_bvh_hit og_bvh_miss;
/* A miss, where flags of the pointer cull it; turned around, where they say so. */
struct og_bvh_hit og_bvh_culled(uint64_t pointer, struct og_bvh_hit hit, bool opaque, bool double_sided);

#endif
