// Walks through trees of boxes and triangles with the instructions for rays: each work-item has a ray, and tells the
// nearest triangle's distance, its weights I and J, and its node.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef uint uint10 __attribute__((ext_vector_type(10)));

struct hit {
  float distance, i, j;
  uint node;
};

#define NONE 0xffffffffu
#define EMPTY 0xfffffffeu
#define IS_TRIANGLE(node) (((node) & 7) < 4)
#define ENTRIES 16

static struct hit nearer(struct hit best, uint4 result, uint node) {
  float over = as_float(result.y), distance = as_float(result.x) / over;
  if (distance < best.distance)
    best = (struct hit){distance, as_float(result.z) / over, as_float(result.w) / over, node};
  return best;
}

#define WALK(test)                                                                                                    \
  {                                                                                                                   \
    uint stack[64], top = 0, node = root;                                                                             \
    for (;;) {                                                                                                        \
      uint4 result = test;                                                                                            \
      if (IS_TRIANGLE(node))                                                                                          \
        best = nearer(best, result, node);                                                                            \
      else                                                                                                            \
        for (int k = 3; k >= 0; k--)                                                                                  \
          if (result[k] != NONE)                                                                                      \
            stack[top++] = result[k];                                                                                 \
      if (top == 0)                                                                                                   \
        break;                                                                                                        \
      node = stack[--top];                                                                                            \
    }                                                                                                                 \
  }

#define BEGIN                                                                                                         \
  uint id = get_global_id(0);                                                                                         \
  float4 origin = rays[id].lo, direction = rays[id].hi, inverse = 1.0f / direction;                                   \
  struct hit best = {origin.w, 0, 0, NONE};                                                                           \
  ulong base = (ulong)nodes >> 3;

#define ARGUMENTS                                                                                                     \
  global const uchar *nodes, uint root, uint4 tree, global const float8 *rays, global struct hit *hits

kernel void walk(ARGUMENTS) {
  BEGIN
  WALK(__builtin_amdgcn_image_bvh_intersect_ray_l(base + node, best.distance, origin, direction, inverse, tree))
  hits[id] = best;
}

// Directions and their inverses fit into halves here.
kernel void walk_halves(ARGUMENTS) {
  BEGIN
  half4 short_direction = convert_half4(direction), short_inverse = convert_half4(inverse);
  WALK(__builtin_amdgcn_image_bvh_intersect_ray_lh(base + node, best.distance, origin, short_direction, short_inverse,
                                                   tree))
  hits[id] = best;
}

// The resource has the tree's address.
kernel void walk_short(ARGUMENTS) {
  BEGIN
  tree.x = (uint)((ulong)nodes >> 8), tree.y |= (uint)((ulong)nodes >> 40);
  WALK(__builtin_amdgcn_image_bvh_intersect_ray(node, best.distance, origin, direction, inverse, tree))
  hits[id] = best;
}

kernel void walk_short_halves(ARGUMENTS) {
  BEGIN
  tree.x = (uint)((ulong)nodes >> 8), tree.y |= (uint)((ulong)nodes >> 40);
  half4 short_direction = convert_half4(direction), short_inverse = convert_half4(inverse);
  WALK(__builtin_amdgcn_image_bvh_intersect_ray_h(node, best.distance, origin, short_direction, short_inverse, tree))
  hits[id] = best;
}

#ifdef STACK11
kernel void walk_stack(ARGUMENTS) {
  BEGIN
  local uint stack[ENTRIES * 32];
  uint node = root, at = ((uint)(size_t)stack / 4 + get_local_id(0)) << 18;
  while (node != EMPTY) {
    uint4 result = __builtin_amdgcn_image_bvh_intersect_ray_l(base + node, best.distance, origin, direction, inverse, tree);
    if (IS_TRIANGLE(node))
      best = nearer(best, result, node);
    uint2 next = __builtin_amdgcn_ds_bvh_stack_rtn(at, IS_TRIANGLE(node) ? EMPTY : NONE, result, 1 << 12);
    node = next.x, at = next.y;
  }
  hits[id] = best;
}
#endif

#ifdef STACK12
#define SKIP 0xfffffff9u
#define SKIP_0_TO_3 0xfffffffdu
#define SKIP_4_TO_7 0xfffffffbu

kernel void walk_stack(ARGUMENTS) {
  BEGIN
  local uint stack[ENTRIES * 32];
  uint node = root, at = ((uint)(size_t)stack / 4 + get_local_id(0)) << 15;
  while (node != EMPTY) {
    uint4 result = __builtin_amdgcn_image_bvh_intersect_ray_l(base + node, best.distance, origin, direction, inverse, tree);
    if (IS_TRIANGLE(node)) {
      best = nearer(best, result, node);
      result = (uint4)(NONE, NONE, NONE, SKIP);
    }
    uint2 next = __builtin_amdgcn_ds_bvh_stack_push4_pop1_rtn(at, NONE, result, ENTRIES);
    node = next.x, at = next.y;
  }
  hits[id] = best;
}

// Two nodes at once.
kernel void walk_two(ARGUMENTS) {
  BEGIN
  local uint stack[ENTRIES * 32];
  uint2 two = (uint2)(root, NONE);
  uint at = ((uint)(size_t)stack / 4 + get_local_id(0)) << 15;
  float3 from = origin.xyz, along = direction.xyz;
  while (two.x != EMPTY) {
    uint10 r = __builtin_amdgcn_image_bvh_dual_intersect_ray(base, best.distance, 0xff, from, along, two, tree, &from,
                                                              &along);
    uint8 data = r.s01234567;
    if (IS_TRIANGLE(two.x)) {
      best = nearer(best, data.lo, two.x);
      data.s3 = SKIP_0_TO_3;
    }
    if (IS_TRIANGLE(two.y)) {
      best = nearer(best, data.hi, two.y);
      data.s7 = SKIP_4_TO_7;
    }
    ulong2 next = __builtin_amdgcn_ds_bvh_stack_push8_pop2_rtn(at, NONE, data, ENTRIES);
    two = as_uint2(next.x), at = (uint)next.y;
  }
  hits[id] = best;
}

// Pairs of triangles in packed nodes: distances and weights come divided.
static struct hit nearer_of_two(struct hit best, uint10 r) {
  for (uint k = 0; k < 2; k++)
    if (as_float(r[4 * k]) < best.distance)
      best = (struct hit){as_float(r[4 * k]), as_float(r[4 * k + 1]), as_float(r[4 * k + 2] & 0x7fffffff),
                          r[4 * k + 3] >> 1 | r[8 + k] >> 2 << 16};
  return best;
}

// Follows a range of pairs; each has a number in its pointer, in bits 0, 1 and 3.
static uint next_pair(uint node, uint goes) {
  uint pair = (node & 3) | (node & 8) >> 1;
  if (goes == 3)
    return NONE;
  pair = goes ? 0 : pair + 1;
  return ((node & ~15u) + (goes ? 16 : 0)) | (pair & 3) | (pair & 4) << 1;
}

// Compressed trees, with instances on the way.
kernel void walk_eight(ARGUMENTS) {
  BEGIN
  uint stack[64], top = 0, node = root, leave = 0;
  ulong top_base = base;
  float3 from = origin.xyz, along = direction.xyz;
  for (;;) {
    uint10 r = __builtin_amdgcn_image_bvh8_intersect_ray(base, best.distance, 0x0f, from, along, node, tree, &from, &along);
    if ((node & 7) == 6) {
      if (r.s7 != NONE) {
        leave = top;
        base = top_base + (r.s2 | (ulong)r.s3 << 32); // the file knows its own places only
        for (int k = 3; k >= 0; k--)
          if ((r.s7 >> 8 * k & 0xff) != 0xff)
            stack[top++] = r.s7 >> 8 * k & 0xff;
        if (top == leave)
          base = top_base, from = origin.xyz, along = direction.xyz;
      }
    } else if (IS_TRIANGLE(node)) {
      best = nearer_of_two(best, r);
      uint next = next_pair(node, r.s8 & 3);
      if (next != NONE)
        stack[top++] = next;
    } else {
      for (int k = 7; k >= 0; k--)
        if (r[k] != NONE)
          stack[top++] = r[k];
    }
    if (top == 0)
      break;
    if (base != top_base && top == leave)
      base = top_base, from = origin.xyz, along = direction.xyz;
    node = stack[--top];
  }
  hits[id] = best;
}

// The same without instances, with the stack in LDS.
kernel void walk_eight_stack(ARGUMENTS) {
  BEGIN
  local uint stack[ENTRIES * 32];
  uint node = root, at = ((uint)(size_t)stack / 4 + get_local_id(0)) << 15;
  float3 from = origin.xyz, along = direction.xyz;
  while (node != EMPTY) {
    uint10 r = __builtin_amdgcn_image_bvh8_intersect_ray(base, best.distance, 0xff, from, along, node, tree, &from, &along);
    uint8 data = r.s01234567;
    if (IS_TRIANGLE(node)) {
      best = nearer_of_two(best, r);
      uint next = next_pair(node, r.s8 & 3);
      data = (uint8)(next, NONE, NONE, NONE, NONE, NONE, NONE, next == NONE ? SKIP : NONE);
    }
    uint2 next = __builtin_amdgcn_ds_bvh_stack_push8_pop1_rtn(at, NONE, data, ENTRIES);
    node = next.x, at = next.y;
  }
  hits[id] = best;
}
#endif
