/* bvh_parts.c - boxes and triangles against rays, in doubles; the order of children. */
#include "texel/bvh_parts.h"

#include "base/floats.h"

#include <math.h>
#include <string.h>

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

static float float_at(const uint8_t *at) { return og_float_of_bits(og_load32(at)); }
static float half_at(const uint8_t *at) { return og_half_to_float((uint16_t)(at[0] | at[1] << 8)); }

/* Pointers first, then six bounds for each child; behind those of floats what is below them, a byte each. */
static void read_plain(bool halves, const uint8_t *node, struct og_bvh_child children[4]) {
  for (unsigned i = 0; i < 4; i++) {
    struct og_bvh_child *child = &children[i];
    child->pointer = og_load32(node + 4 * i);
    child->only = halves ? 0 : node[112 + i] & 15;
    for (unsigned j = 0; j < 6; j++) {
      unsigned at = 6 * i + j;
      double bound = (double)(halves ? half_at(node + 16 + 2 * at) : float_at(node + 16 + 4 * at));
      *(j < 3 ? &child->low[j] : &child->high[j - 3]) = bound;
    }
  }
}

/* Of the 64 bytes of a small node. */
static uint32_t bits_at(const uint8_t *node, unsigned at, unsigned count) {
  uint64_t bits = 0;
  memcpy(&bits, node + at / 8, OG_MIN(4, 64 - at / 8));
  return (uint32_t)(bits >> at % 8) & ((1u << count) - 1);
}

enum { MANTISSA = 17, EXPONENT_BIAS = 127, INFINITE = 255 };

/* Sign and 17 bits of mantissa, the highest of which counts 2 to the exponent; rounded outwards, to the last float
 * before what one more would be. */
static double outward(uint32_t block, uint32_t exponent, bool up) {
  bool negative = block >> MANTISSA & 1;
  uint32_t mantissa = block & ((1u << MANTISSA) - 1);
  int scale = (int)exponent - EXPONENT_BIAS - (MANTISSA - 1);
  float value = ldexpf((float)mantissa, scale);
  if (up != negative && exponent != INFINITE)
    value = nextafterf(ldexpf((float)(mantissa + 1), scale), 0);
  return (double)(negative ? -value : value);
}

/* 64 bytes: the first child's address, the types, from which the other addresses follow, one exponent for each
 * coordinate, and 24 blocks. */
static void read_exponents(const uint8_t *node, struct og_bvh_child children[4]) {
  static const uint8_t types[4] = {29, 32, 35, 38}, exponents[3] = {56, 64, 72};
  enum { NO_CHILD = 2, TWICE_SMALL = 3, FLAGS = 41, BLOCKS = 80 };
  uint32_t base = bits_at(node, 0, 24) | bits_at(node, 24, 5) << 24;
  for (unsigned i = 0; i < 4; i++) {
    struct og_bvh_child *child = &children[i];
    unsigned type = bits_at(node, types[i], 3);
    child->pointer = type == NO_CHILD ? OG_BVH_INVALID : base << 3 | type;
    child->only = (uint8_t)bits_at(node, FLAGS + 4 * i, i == 3 ? 3 : 4);
    base += type == OG_BVH_INSTANCE || type == TWICE_SMALL ? 2 : 1;
    for (unsigned j = 0; j < 3; j++) {
      uint32_t exponent = bits_at(node, exponents[j], 8);
      unsigned at = BLOCKS + 18 * (6 * i + j);
      child->low[j] = outward(bits_at(node, at, 18), exponent, false);
      child->high[j] = outward(bits_at(node, at + 54, 18), exponent, true);
    }
  }
}

void og_bvh_read_boxes(const struct og_bvh *bvh, unsigned type, const uint8_t *node, struct og_bvh_child children[4]) {
  bool small = type == OG_BVH_BOX_SMALL;
  if (small && bvh->exponents)
    read_exponents(node, children);
  else
    read_plain(small, node, children);
}

void og_bvh_cull(uint64_t pointer, struct og_bvh_child *children, unsigned count) {
  bool opaque = og_bvh_flag(pointer, OG_BVH_FORCE_OPAQUE), not_opaque = og_bvh_flag(pointer, OG_BVH_FORCE_NOT_OPAQUE);
  for (unsigned i = 0; i < count; i++) {
    unsigned only = children[i].only;
    bool all = (only & 1 || opaque) && !not_opaque, none = (only & 2 || not_opaque) && !opaque;
    if ((all && og_bvh_flag(pointer, OG_BVH_CULL_OPAQUE)) || (none && og_bvh_flag(pointer, OG_BVH_CULL_NOT_OPAQUE)) ||
        (only & 4 && og_bvh_flag(pointer, OG_BVH_SKIP_TRIANGLES)) ||
        (only & 8 && og_bvh_flag(pointer, OG_BVH_SKIP_PROCEDURAL)))
      children[i].pointer = OG_BVH_INVALID;
  }
}

/* ---- the order of children --------------------------------------------------------------------------------------- */

struct place {
  uint32_t pointer;
  unsigned rank; /* before the key */
  double key;
};

/* The ray's way through the three pairs of planes; one that lies in the ray's own plane does not bound it. */
static bool interval(const struct og_bvh_child *child, const struct og_ray *ray, double *from, double *to) {
  *from = -INFINITY, *to = INFINITY;
  for (unsigned i = 0; i < 3; i++) {
    if (isnan(child->low[i]) || isnan(child->high[i]))
      return false;
    double low = (child->low[i] - (double)ray->origin[i]) * ray->inverse[i];
    double high = (child->high[i] - (double)ray->origin[i]) * ray->inverse[i];
    bool forward = ray->inverse[i] >= 0;
    *from = fmax(*from, forward ? low : high);
    *to = fmin(*to, forward ? high : low);
  }
  return true;
}

static bool is_ray(const struct og_ray *ray) {
  for (unsigned i = 0; i < 3; i++)
    if (isnan(ray->origin[i]) || isnan(ray->inverse[i]))
      return false;
  return !isnan(ray->extent);
}

static struct place place_of(const struct og_bvh *bvh, const struct og_bvh_child *child, const struct og_ray *ray) {
  struct place place = {OG_BVH_INVALID, 4, INFINITY};
  double from, to;
  if (child->pointer == OG_BVH_INVALID || !interval(child, ray, &from, &to))
    return place;
  double start = fmax(from, 0), end = fmin(to, (double)ray->extent);
  if (!(start <= end * (1 + bvh->grow * 0x1p-24)))
    return place;
  place.pointer = child->pointer;
  place.rank = bvh->triangles_first && (child->pointer & 7) > OG_BVH_TRIANGLE_3 ? 2 : 0;
  place.key = bvh->order == OG_BVH_LARGEST ? start - end : bvh->order == OG_BVH_MIDPOINT ? from + to : start;
  return place;
}

/* Networks, for which of equal children comes first depends on them (GPURT's). Those of eight begin with two of
 * four. */
static const uint8_t network_of_4[][2] = {{0, 2}, {1, 3}, {0, 1}, {2, 3}, {1, 2}};
static const uint8_t network_of_8[][2] = {{0, 4}, {1, 5}, {2, 6}, {3, 7}, {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}};

static void sort(struct place *places, const uint8_t (*network)[2], size_t steps) {
  for (size_t i = 0; i < steps; i++) {
    struct place *a = &places[network[i][0]], *b = &places[network[i][1]], kept = *a;
    if (a->rank != b->rank ? b->rank < a->rank : b->key < a->key)
      *a = *b, *b = kept;
  }
}

void og_bvh_meet(const struct og_bvh *bvh, const struct og_bvh_child *children, unsigned count, bool once,
                 const struct og_ray *ray, uint32_t *pointers) {
  struct place places[OG_BVH_CHILDREN_MOST];
  bool is = is_ray(ray);
  for (unsigned i = 0; i < count; i++)
    places[i] = is ? place_of(bvh, &children[i], ray) : (struct place){OG_BVH_INVALID, 4, INFINITY};
  for (unsigned i = count; once && i-- > 1;)
    if (places[i].pointer == places[i - 1].pointer)
      places[i] = (struct place){OG_BVH_INVALID, 4, INFINITY};
  for (unsigned i = 0; bvh->sorts && i < count; i += 4)
    sort(places + i, network_of_4, OG_COUNT(network_of_4));
  if (bvh->sorts && bvh->sorts_wide && count == 8)
    sort(places, network_of_8, OG_COUNT(network_of_8));
  for (unsigned i = 0; i < count; i++)
    pointers[i] = places[i].pointer;
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

const struct og_bvh_hit og_bvh_miss = {false, INFINITY, 1, 0, 0};

static void cross(const double a[3], const double b[3], double result[3]) {
  for (unsigned i = 0; i < 3; i++)
    result[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct og_bvh_hit og_bvh_meet_triangle(const float vertices[3][3], const struct og_ray *ray) {
  double first[3], second[3], from[3], along[3], normal[3], other[3];
  for (unsigned i = 0; i < 3; i++) {
    first[i] = (double)vertices[1][i] - (double)vertices[0][i];
    second[i] = (double)vertices[2][i] - (double)vertices[0][i];
    from[i] = (double)ray->origin[i] - (double)vertices[0][i];
    along[i] = (double)ray->direction[i];
  }
  cross(along, second, normal);
  cross(from, first, other);
  struct og_bvh_hit hit = {false, dot(second, other), dot(normal, first), dot(from, normal), dot(along, other)};
  double sign = hit.denominator < 0 ? -1 : 1, size = sign * hit.denominator;
  double i = sign * hit.i, j = sign * hit.j;
  hit.hit = size > 0 && i >= 0 && j >= 0 && i + j <= size && sign * hit.distance >= 0; /* false with NaNs */
  return hit.hit ? hit : og_bvh_miss;
}

struct og_bvh_hit og_bvh_culled(uint64_t pointer, struct og_bvh_hit hit, bool opaque, bool double_sided) {
  bool front = hit.denominator >= 0, flips = og_bvh_flag(pointer, OG_BVH_FLIP);
  bool forced = og_bvh_flag(pointer, OG_BVH_FORCE_OPAQUE), denied = og_bvh_flag(pointer, OG_BVH_FORCE_NOT_OPAQUE);
  if (!hit.hit)
    return hit;
  if (flips)
    front = !front, hit.distance = -hit.distance, hit.denominator = -hit.denominator, hit.i = -hit.i, hit.j = -hit.j;
  bool faces = !double_sided && !og_bvh_flag(pointer, OG_BVH_NO_FACE_CULL);
  opaque = forced || (opaque && !denied);
  if (og_bvh_flag(pointer, OG_BVH_SKIP_TRIANGLES) ||
      (faces && og_bvh_flag(pointer, front ? OG_BVH_CULL_FRONT : OG_BVH_CULL_BACK)) ||
      og_bvh_flag(pointer, opaque ? OG_BVH_CULL_OPAQUE : OG_BVH_CULL_NOT_OPAQUE))
    return og_bvh_miss;
  return hit;
}
